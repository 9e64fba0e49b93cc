"""Judge the moves of a game: evaluate each position, and grade the move between two positions by their evaluations.

The positions are judged from the last one to the first: the end of a game is decided quickly, and the solver then finds
its results in its table. So a review that is stopped early has judged the last moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from typing import Final

from ...go import board as bd
from ...go.game import Game
from ...go.position import Move, Outcome, Termination
from ...go.rules import Rules
from ...go.scoring import all_proven
from ...go.vertex import BLACK, PASS, RESIGN, opponent
from ...players.analysis import AnalysedMove, move_analyses, study
from ...players.endgame import closing_move
from ...players.perfect_play import SMALL
from ...players.player import Analyst, sensible_plays
from ...players.simple import captures_or_saves
from ...solver.result import unsupported
from ...util.limit import Deadline, Limit
from ..explain import CHANCES, Hint, best_line, missed_chance, settle, why, why_it_wins

LONGEST: Final = 6
"""Moves of a line that is not proven: the search knows little about what comes later."""
LARGE: Final = 0.30
"""Drop of the win rate, in a game that is not decided, from which a move is called bad."""
MIDDLING: Final = 0.15
"""Drop from which a move is called doubtful. Two searches of a position differ by a few per cent."""
EXTRA: Final = 5
"""How many times longer the solver tries to decide a position in which a move may be a mistake."""
EVALUATIONS: Final = 0.8
"""Part of the time for the evaluations; the rest is for lines and for the proof that a play is the only winning one."""

SECONDS: Final = 5.0
"""For all moves of a game in a session, if nothing else is given."""


class Grade(StrEnum):
    """What a move changes.

    BAD and DOUBTFUL are not used where the solver decides nearly all positions.
    """

    LOSING = auto()
    """Turns a proven win into a proven loss."""
    BAD = auto()
    """Loses a large part of the win rate in an undecided game."""
    DOUBTFUL = auto()
    """Loses a middling part of the win rate in an undecided game."""
    ONLY = auto()
    """The only winning play, which captures or saves a chain in atari."""
    ONLY_QUIET = auto()
    """The only winning play, which neither captures nor saves a chain in atari."""
    PLAIN = auto()
    """Nothing to say."""

    @property
    def is_mistake(self) -> bool:
        """Whether the grade blames the move."""
        return self in (Grade.LOSING, Grade.BAD, Grade.DOUBTFUL)

    @property
    def is_only(self) -> bool:
        """Whether the move is the only winning play."""
        return self in (Grade.ONLY, Grade.ONLY_QUIET)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was found out about a position with one colour to move."""

    winner: int | None = None
    """The proven winner, BLACK or WHITE; None if nothing is proven."""
    black: float | None = None
    """Black's win rate, 0 to 1; exactly 0 or 1 if proven; None if there was no time to judge the position."""
    line: tuple[int, ...] = ()
    """The best moves found; the colour to move begins. If proven: as in `Solution.line`."""

    def rate(self, color: int) -> float | None:
        """Return the win rate of a colour, 0 to 1; None if the position was not judged."""
        return self.black if self.black is None or color == BLACK else 1.0 - self.black


def won_by(winner: int, line: tuple[int, ...] = ()) -> Evaluation:
    """Return the evaluation that a colour is proven to win."""
    return Evaluation(winner, float(winner == BLACK), line)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A move with the evaluations of the positions before it, its colour to move, and after it."""

    color: int
    point: int
    before: Evaluation
    after: Evaluation
    grade: Grade = Grade.PLAIN
    better: tuple[int, ...] = ()
    """For a mistake: a line that begins with a better play; proven to win if the grade is LOSING. May be empty."""
    punishment: tuple[int, ...] = ()
    """For a losing move: the winner's line after it. May be empty, as when the move itself ends the game."""
    over: bool = False
    """Whether the game was decided before the move; such moves are not judged."""
    advice: Hint | None = None
    """A capture or a rescue that the move misses, else for a mistake the first move of `better`, with the reason."""

    @property
    def missed(self) -> Hint | None:
        """The advice if it takes stones or saves them: then the move misses a capture or a rescue."""
        return self.advice if self.advice is not None and self.advice.reason in CHANCES else None

    @property
    def judged(self) -> bool:
        """Whether both positions got an evaluation."""
        return not self.over and self.before.black is not None and self.after.black is not None

    @property
    def drop(self) -> float:
        """How much of the win rate of its colour the move loses, 0 to 1; 0 if the move was not judged."""
        before, after = self.before.rate(self.color), self.after.rate(self.color)
        return 0.0 if before is None or after is None or self.over else max(0.0, before - after)


@dataclass(frozen=True, slots=True)
class Review:
    """A judged game, without a resignation at its end."""

    width: int
    height: int
    evaluations: tuple[Evaluation, ...]
    """On the first position and on the one after each move, with the colour to move there."""
    judgements: tuple[Judgement, ...]
    """On each move."""
    outcome: Outcome | None
    rules: Rules
    cut: str = ""
    """Why the rest of the game is not judged: a move of its file that cannot be played; "" if there is no rest."""

    @property
    def resigned(self) -> int | None:
        """The colour that resigned; None if none did."""
        outcome = self.outcome
        if outcome is None or outcome.winner is None or outcome.termination is not Termination.RESIGNATION:
            return None
        return opponent(int(outcome.winner))

    @property
    def judged(self) -> int:
        """The number of moves that were judged."""
        return sum(j.judged for j in self.judgements)

    @property
    def moves(self) -> int:
        """The number of moves until the game was decided."""
        return sum(not j.over for j in self.judgements)


@dataclass(frozen=True, slots=True)
class Budget:
    """The time of a review."""

    whole: Deadline
    """Of the whole review; its `stop` ends it early."""
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
        """Begin a limit with EXTRA times the seconds of another one, but no more than are left in all."""
        seconds = deadline.limit.seconds
        most = None if seconds is None else min(EXTRA * seconds, self.whole.left())
        return replace(deadline.limit, seconds=most).begin(deadline.stop)


def review_game(analyst: Analyst, game: Game, budget: Budget, advance: Callable[[], None] = lambda: None) -> Review:
    """Judge all moves of a game, from the last to the first, as far as the budget allows.

    `advance` is called after each position. The game is not changed.
    """
    played = _without_resignation(game)
    moves = played.moves
    turns = _turns(played)
    evaluations = _evaluations(analyst, played.copy(), budget, advance)
    judgements: list[Judgement] = []
    for number in range(len(moves) - 1, -1, -1):
        played.undo()
        deadline, over = budget.for_lines(number + 1), played.positions[-1].decided is not None
        color, point, _ = moves[number]
        move = Judgement(int(color), point, evaluations[number], evaluations[number + 1], over=over)
        if not (over or _is_extra(turns, number)):
            move = _graded(analyst, played, move, deadline)
            reply = moves[number + 1].point if number + 1 < len(moves) else PASS
            move = replace(move, advice=_advice(analyst, played, move, reply, deadline))
        judgements.append(move)
    return Review(game.width, game.height, tuple(evaluations), tuple(reversed(judgements)), game.outcome, game.rules)


def _evaluations(analyst: Analyst, trial: Game, budget: Budget, advance: Callable[[], None]) -> list[Evaluation]:
    """Return the evaluations of all positions of a game, which is undone; a stopped review lacks the first ones."""
    moves, turns = trial.moves, _turns(trial)
    evaluations = [Evaluation()] * (len(moves) + 1)
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
    analyst: Analyst, trial: Game, move: Move, turns: Sequence[int], evaluations: list[Evaluation], budget: Budget
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
        carried = Evaluation() if after.winner == opponent(color) else replace(after, line=())
        evaluations[number] = carried if handicap else _evaluation(analyst, trial, None, deadline)
        return
    if decided is None and after.winner == color:  # a winning move was played, so there is one
        evaluations[number] = won_by(color, (move.point, *after.line))
        return
    found = _evaluation(analyst, trial, decided, deadline)
    if found.winner is None and after.winner == opponent(color) and _solver_decides(trial):
        found = _decided(analyst, trial, found, budget.longer(deadline))
    evaluations[number] = found
    if after.winner is None and found.winner == opponent(color):  # all moves lose
        evaluations[number + 1] = won_by(opponent(color))


def _turns(game: Game) -> list[int]:
    """Return the colour to move in each position of a game."""
    return [*(int(move.color) for move in game.moves), int(game.to_move)]


def _is_extra(turns: Sequence[int], number: int) -> bool:
    """Whether the same colour plays again after a move, as Black does with a handicap in capture games."""
    return turns[number : number + 1] == turns[number + 1 : number + 2]


def _evaluation(analyst: Analyst, game: Game, over: Outcome | None, deadline: Deadline) -> Evaluation:
    """Return the evaluation of a position with its colour to move; `over`: its outcome, if the game is over here."""
    if over is not None and over.winner is not None:
        return won_by(int(over.winner))
    found = evaluate_position(analyst, game, int(game.to_move), deadline)
    interrupted = deadline.stop.is_set() and found.winner is None
    return Evaluation() if interrupted else found


def _decided(analyst: Analyst, game: Game, evaluation: Evaluation, deadline: Deadline) -> Evaluation:
    """Try longer to decide a position in which a losing move was played: it is a mistake unless all others lose too.

    Return the evaluation so far if the limit is reached.
    """
    found = analyst.perfect_play.solve(game, int(game.to_move), deadline, length=False)
    return evaluation if found.winner is None else won_by(found.winner, found.line)


def _solver_decides(game: Game) -> bool:
    """Whether the solver nearly always finds the winner of such a game soon."""
    return game.width * game.height <= SMALL and unsupported(game.rules, game.board) is None


def _without_resignation(game: Game) -> Game:
    """Return a copy of a game up to a resignation; a score counts in it only if all chains have proven statuses."""
    trial = game.copy(next((n for n, move in enumerate(game.moves) if move.point == RESIGN), None))
    trial.find_statuses = all_proven
    return trial


def evaluate_position(analyst: Analyst, game: Game, color: int, deadline: Deadline) -> Evaluation:
    """Evaluate a position that is not decided, with a colour to move: by book, solver and search within the limit."""
    found, _ = settle(analyst, game, color, deadline)
    if found.winner is not None:
        return won_by(found.winner, found.line)
    analyses = move_analyses(analyst, game, color, least=1) or _playing_on(analyst, game, color, deadline)
    if not analyses:
        return Evaluation()
    rate = analyses[0].winrate
    line = tuple(map(game.point, analyses[0].line[:LONGEST]))
    return Evaluation(None, rate if color == BLACK else 1.0 - rate, line)


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

    False if that is not found within the limit, if the solver does not support the position, or if there is no other
    play. A pass never wins in the games that the solver supports.
    """
    if deadline.expired() or unsupported(game.rules, game.board) is not None:
        return False
    # The solver has no suicide; it gives prisoners away, so it loses.
    others = {p for p in game.legal_plays(color) if p != move and bd.is_legal(game.board, p, color, False)}
    if not others:
        return False
    only = deadline.limited(only=frozenset(others))
    for play, wins in analyst.perfect_play.moves(game, color, only):
        if wins:
            return False
        others.discard(play)
    return not others


def _graded(analyst: Analyst, game: Game, move: Judgement, deadline: Deadline) -> Judgement:
    """Return a move with its grade and lines; the game is in the position before it."""
    mover, before, after = move.color, move.before, move.after
    game.set_to_move(mover)
    if before.winner == mover and after.winner == opponent(mover):
        return _with_lines(analyst, game, move, deadline)
    if before.winner == after.winner == mover and is_only_winning(analyst, game, mover, move.point, deadline):
        return replace(move, grade=Grade.ONLY if captures_or_saves(game, mover, move.point) else Grade.ONLY_QUIET)
    # Where the solver decides nearly all positions, only its results count: a search often has an even win rate in a
    # position that is lost. If the search preferred the move itself, there is no better move to show.
    preferred_another = bool(before.line) and before.line[0] != move.point
    if before.winner is None and move.drop >= MIDDLING and preferred_another and not _solver_decides(game):
        return replace(move, grade=Grade.BAD if move.drop >= LARGE else Grade.DOUBTFUL, better=before.line)
    return move


def _with_lines(analyst: Analyst, game: Game, move: Judgement, deadline: Deadline) -> Judgement:
    """Return a move that turns a win into a loss, with the lines that show it."""
    better = best_line(analyst, game, move.color, move.before.line, deadline)
    game.play_point(move.point, move.color)
    punishment: tuple[int, ...] = ()
    if game.outcome is None:
        punishment = best_line(analyst, game, opponent(move.color), move.after.line, deadline)
    game.undo()
    return replace(move, grade=Grade.LOSING, better=better, punishment=punishment)


def _advice(analyst: Analyst, game: Game, move: Judgement, reply: int, deadline: Deadline) -> Hint | None:
    """Return what was better than a move, with its reason; the game is in the position before it."""
    missed = missed_chance(analyst, game, move.point, reply, deadline)
    best = move.better[:1]
    if not best or (missed is not None and missed.move != game.vertex(best[0])):
        return missed
    return (
        why_it_wins(game, move.color, best[0]) if move.grade is Grade.LOSING else why(game, move.color, best[0], None)
    )
