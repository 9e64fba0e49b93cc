"""Judge the moves of a game: evaluate each position, and grade the move between two positions by their evaluations.

The positions are judged from the last one to the first: the end of a game is decided quickly, and the solver then finds
its results in its table. So a review that is stopped early has judged the last moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ...go import board as bd
from ...go.game import Game
from ...go.position import Move, Outcome, Termination
from ...go.scoring import all_proven
from ...go.vertex import BLACK, PASS, RESIGN, Color, opponent
from ...judgement.endgame import closing_move, sensible_plays
from ...players.analysis import AnalysedMove, move_analyses, study
from ...players.lines import best_line
from ...players.perfect_play import SMALL
from ...players.player import Analyst
from ...players.simple import captures_or_saves
from ...solver.result import unsupported
from ...solver.verdict import Verdict, verdict_of
from ...util.limit import Deadline, Limit
from ..explain import Hint, find_winner, hint_for, missed_chance, vertices, winning_hint
from .reviewed import MIDDLING, Grade, Review, ReviewedMove, won_by

LONGEST: Final = 6
"""Maximum moves of a line that is not proven: the search knows little about later moves."""
LARGE: Final = 0.30
"""Drop of the win rate, in a game that is not decided, from which a move is called bad."""
EXTRA: Final = 5
"""Factor of the solver's time for a position in which a move may be a mistake."""
EVALUATIONS: Final = 0.8
"""Part of the time for the evaluations; the rest is for lines and for the proof that a play is the only winning one."""

SECONDS: Final = 5.0
"""Default seconds for all moves of a game in a session."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The time of a review."""

    whole: Deadline
    """The deadline of the whole review; its `stop` ends the review early."""
    per_move: float | None = None
    """Seconds for each move; None: the time of the whole review is divided evenly among the moves that are left."""

    def for_evaluation(self, positions: int) -> Deadline:
        """Begin the limit for the next evaluation, if this number of positions is left."""
        return self._share(positions, EVALUATIONS, (1 - EVALUATIONS) * (self.whole.limit.seconds or 0.0))

    def for_lines(self, moves: int) -> Deadline:
        """Begin the limit for the lines and proofs of the next move, if this number of moves is left."""
        return self._share(moves, 1 - EVALUATIONS, 0.0)

    def _share(self, count: int, part: float, reserved: float) -> Deadline:
        """Begin the limit for one of `count` steps: a share of the time for each move, or of the time that is left."""
        whole, limit = self.whole, self.whole.limit
        if self.per_move is not None:
            return Limit(part * self.per_move).begin(whole.stop)
        seconds = None if limit.seconds is None else max(0.0, whole.left() - reserved) / count
        return replace(limit, seconds=seconds).begin(whole.stop)

    def longer(self, deadline: Deadline) -> Deadline:
        """Begin a limit with EXTRA times the seconds of another one, but no more than are left for the review."""
        seconds = deadline.limit.seconds
        most = None if seconds is None else min(EXTRA * seconds, self.whole.left())
        return replace(deadline.limit, seconds=most).begin(deadline.stop)


def review_game(analyst: Analyst, game: Game, budget: Budget, advance: Callable[[], None] = lambda: None) -> Review:
    """Judge all moves of a game, from the last to the first, as far as the budget allows.

    `advance` is called after each position. The game is not changed.
    """
    played = _without_resignation(game)
    moves, turns = played.moves, _turns(played)
    evaluations = _evaluations(analyst, played.copy(), budget, advance)
    reviewed: list[ReviewedMove] = []
    for number in range(len(moves), 0, -1):
        played.undo()
        deadline, move = budget.for_lines(number), moves[number - 1]
        judged = ReviewedMove(
            number=number,
            color=move.color,
            vertex=move.vertex,
            evaluation_before=evaluations[number - 1],
            evaluation_after=evaluations[number],
            over=played.positions[-1].decided is not None,
            proven_before=next((e.winner for e in reversed(evaluations[: number - 1]) if e.winner is not None), None),
        )
        if not (judged.over or _is_extra(turns, number - 1) or (number == len(moves) and _wins_by_passing(game))):
            judged = _graded(analyst, played, judged, deadline)
            reply = moves[number].point if number < len(moves) else PASS
            judged = replace(judged, advice=_advice(analyst, played, judged, reply, deadline))
        reviewed.append(judged)
    return Review(
        moves=tuple(reversed(reviewed)),
        evaluations=tuple(evaluations),
        game=game.copy(len(moves) + 1),
        outcome=game.outcome,
    )


def _wins_by_passing(game: Game) -> bool:
    """Whether the last move is a pass after which its side has won by the count, if the dead stones are seen right."""
    outcome = game.outcome
    if outcome is None or outcome.termination is not Termination.TWO_PASSES:
        return False
    return outcome.winner == game.moves[-1].color


def _evaluations(analyst: Analyst, trial: Game, budget: Budget, advance: Callable[[], None]) -> list[Verdict]:
    """Return the evaluations of all positions of a game, which is undone; a stopped review lacks the first ones."""
    moves, turns = trial.moves, _turns(trial)
    evaluations = [Verdict()] * (len(moves) + 1)
    for number in range(len(moves), -1, -1):
        if budget.whole.expired():
            break
        if number == len(moves):
            evaluations[number] = _evaluation(analyst, trial, trial.outcome, budget.for_evaluation(number + 1))
        else:
            _evaluate_before(analyst, trial, moves[number], turns, evaluations, budget)
        if number:
            trial.undo()
        advance()
    return evaluations


def _evaluate_before(
    analyst: Analyst, trial: Game, move: Move, turns: Sequence[int], evaluations: list[Verdict], budget: Budget
) -> None:
    """Enter the evaluation of the position before a move into the list, where the one after the move is already.

    Proofs and searches assume alternating turns. While handicap stones follow, it is the evaluation after the move,
    unless the move loses: another move may win. Later in a game the position is judged as if no extra turn followed.
    """
    number = len(trial.moves)
    color, after = int(move.color), evaluations[number + 1]
    deadline = budget.for_evaluation(number + 1)
    trial.set_to_move(color)
    decided = trial.positions[-1].decided
    if _is_extra(turns, number) and decided is None:
        handicap = opponent(color) not in turns[:number]
        carried = Verdict() if after.winner == Color(opponent(color)) else replace(after, line=())
        evaluations[number] = carried if handicap else _evaluation(analyst, trial, None, deadline)
        return
    if decided is None and after.winner == Color(color):  # a winning move was played, so there is one
        evaluations[number] = won_by(color, (move.vertex, *after.line))
        return
    verdict = _evaluation(analyst, trial, decided, deadline)
    if verdict.winner is None and after.winner == Color(opponent(color)) and _solver_decides(trial):
        # A losing move was played here. It is a mistake unless all others lose too.
        solved = analyst.perfect_play.solve(trial, color, budget.longer(deadline), length=False)
        verdict = verdict if solved.winner is None else verdict_of(trial, solved)
    evaluations[number] = verdict
    if after.winner is None and verdict.winner == Color(opponent(color)):  # all moves lose
        evaluations[number + 1] = won_by(opponent(color))


def _turns(game: Game) -> list[int]:
    """Return the colour to move in each position of a game."""
    return [*(int(move.color) for move in game.moves), int(game.to_move)]


def _is_extra(turns: Sequence[int], number: int) -> bool:
    """Whether the same colour plays again after a move, as Black does with a handicap in capture games."""
    return turns[number : number + 1] == turns[number + 1 : number + 2]


def _evaluation(analyst: Analyst, game: Game, over: Outcome | None, deadline: Deadline) -> Verdict:
    """Evaluate a position with its colour to move, by book, solver and search; empty if the search is stopped.

    `over`: the outcome, if the game is over here.
    """
    if over is not None and over.winner is not None:
        return won_by(int(over.winner))
    color = int(game.to_move)
    solved, _ = find_winner(analyst, game, color, deadline)
    if solved.winner is not None:
        return verdict_of(game, solved)
    analyses = move_analyses(analyst, game, color, least=1) or _playing_on(analyst, game, color, deadline)
    if not analyses or deadline.stop.is_set():
        return Verdict()
    rate = analyses[0].winrate
    return Verdict(None, rate if color == BLACK else 1.0 - rate, analyses[0].line[:LONGEST])


def _solver_decides(game: Game) -> bool:
    """Whether the solver finds the winner of nearly all positions of a game within its part of the time."""
    return game.width * game.height <= SMALL and unsupported(game.rules, game.board) is None


def _without_resignation(game: Game) -> Game:
    """Return a copy of a game up to a resignation. It has a score only if the statuses of all chains are proven."""
    trial = game.copy(next((n for n, move in enumerate(game.moves) if move.point == RESIGN), None))
    trial.find_statuses = all_proven
    return trial


def _playing_on(analyst: Analyst, game: Game, color: int, deadline: Deadline) -> list[AnalysedMove]:
    """Return the analysed moves of a scored game that is settled, where a player passes without a search."""
    if not game.rules.is_scored or deadline.expired():
        return []
    closing = closing_move(game, color)
    plays = frozenset(sensible_plays(game, color)) - ({closing.move} if closing is not None else set())
    if not plays:
        return []
    study(analyst, game, color, deadline.limited(only=plays))
    return move_analyses(analyst, game, color, plays, least=1)


def is_only_winning(analyst: Analyst, game: Game, color: int, move: int, deadline: Deadline) -> bool:
    """Whether a winning play is proven to be the only one: every other legal play is proven to lose.

    False if the solver does not decide it within the limit or does not support the position, or if there is no other
    play. A pass never wins in the games that the solver supports.
    """
    if deadline.expired() or unsupported(game.rules, game.board) is not None:
        return False
    # The solver does not play suicide, which gives prisoners away and so loses.
    others = {p for p in game.legal_plays(color) if p != move and bd.is_legal(game.board, p, color, False)}
    if not others:
        return False
    only = deadline.limited(only=frozenset(others))
    for play, wins in analyst.perfect_play.moves(game, color, only):
        if wins:
            return False
        others.discard(play)
    return not others


def _graded(analyst: Analyst, game: Game, move: ReviewedMove, deadline: Deadline) -> ReviewedMove:
    """Return a move with its grade and lines; the game is in the position before it."""
    mover, point = int(move.color), game.point(move.vertex)
    before, after = move.evaluation_before, move.evaluation_after
    game.set_to_move(mover)
    if before.winner == move.color and after.winner == move.color.opponent:
        return _with_lines(analyst, game, move, deadline)
    if before.winner == after.winner == move.color and is_only_winning(analyst, game, mover, point, deadline):
        return replace(move, grade=Grade.ONLY if captures_or_saves(game, mover, point) else Grade.ONLY_QUIET)
    # Where the solver decides nearly all positions, only its results count: a search often has an even win rate in a
    # position that is lost. If the search preferred the move itself, there is no better move to show.
    preferred_another = bool(before.line) and before.line[0] != move.vertex
    if before.winner is None and move.drop >= MIDDLING and preferred_another and not _solver_decides(game):
        return replace(move, grade=Grade.BAD if move.drop >= LARGE else Grade.DOUBTFUL, better=before.line)
    return move


def _with_lines(analyst: Analyst, game: Game, move: ReviewedMove, deadline: Deadline) -> ReviewedMove:
    """Return a move that turns a win into a loss, with the lines that show it; the game is in the position before."""

    def best(color: int, known: tuple[str, ...]) -> tuple[str, ...]:
        return vertices(game, best_line(analyst, game, color, [*map(game.point, known)], deadline))

    mover = int(move.color)
    better = best(mover, move.evaluation_before.line)
    game.play_point(game.point(move.vertex), mover)
    punishment = best(opponent(mover), move.evaluation_after.line) if game.outcome is None else ()
    game.undo()
    return replace(move, grade=Grade.LOSING, better=better, punishment=punishment)


def _advice(analyst: Analyst, game: Game, move: ReviewedMove, reply: int, deadline: Deadline) -> Hint | None:
    """Return a better move than the played one, with its reason; the game is in the position before it."""
    missed = missed_chance(analyst, game, game.point(move.vertex), reply, deadline)
    if not move.better or (missed is not None and missed.move != move.better[0]):
        return missed
    mover, best = int(move.color), game.point(move.better[0])
    return winning_hint(game, mover, best) if move.grade is Grade.LOSING else hint_for(game, mover, best, None)
