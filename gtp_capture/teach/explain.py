"""Facts about moves: the best move with one reason, and whether the last move loses, how, and what was better.

`wins` and the results WINS and LOSES are proofs. `plies` are given only if they are the exact number. All other
statements say what was searched for and not found; `tests/support/truth.py` checks every one. These values contain no
sentence: `words` renders them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from functools import partial
from typing import Final, Literal

from ..go import board as bd
from ..go.game import Game
from ..go.position import Termination
from ..go.scoring import Status, all_proven
from ..go.vertex import PASS, RESIGN, Color, opponent
from ..judgement import life
from ..judgement.endgame import without_early_pass
from ..players.analysis import AnalysedMove, move_analyses, proven, study
from ..players.lines import best_line, forced_part, ladder, loses_at_once
from ..players.perfect_play import PART_SMALL
from ..players.player import Analyst
from ..players.simple import captures_or_saves
from ..solver.result import UNSOLVED, Solution, has_length, next_capture_wins, unsupported
from ..util.above import above
from ..util.limit import Deadline, Limit
from .reasons import Effect, Reason, attacked, effect, safe_points

PART_SHORTEST: Final = 0.2
"""Share of a hint's time for the shortest win, which may show that the position is a race."""
CHANCES: Final = (Reason.CAPTURE, Reason.SAVE, Reason.FREE)
"""Reasons of moves that take or save stones. A side that plays elsewhere misses a capture or a rescue."""

TRIED: Final = 3
"""Maximum number of unrefuted moves from which the better move is chosen."""
PART_TRIED: Final = 0.5
"""Share of the limit for the search of each of these moves. When a whole limit is spent, no other move is searched."""
HOPEFUL: Final = 0.25
"""Win rate from which a move is called better. Nearly all moves below it lose; a draw counts 1/2."""


class Evidence(StrEnum):
    """By what means a result is known."""

    RULES = auto()
    """The result has happened, or the next play brings it about."""
    BOOK = auto()
    """A book of solved positions."""
    SOLVER = auto()
    """A proof of the exact solver."""
    TREE = auto()
    """A proof in the search tree, which holds results of the solver too."""
    MEASURED = auto()
    """The win rate of a search, or a count with an estimate of the dead stones. It proves nothing."""
    UNKNOWN = auto()
    """Nothing is known: the result was not found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A recommended move with its reason."""

    move: str
    """A vertex or "pass"."""
    color: Color
    """The colour that moves."""
    reason: Reason
    wins: bool | None = None
    """True or False if the move is proven to win or to lose, else None."""
    known: Evidence = Evidence.UNKNOWN
    """By what means `wins`, or else `winrate`, is known."""
    stones: tuple[str, ...] = ()
    """One stone of each chain that the reason is about."""
    captured: int = 0
    """Stones that the move captures, for the reason CAPTURE."""
    liberties: tuple[int, int] | None = None
    """The liberties of the chain of `stones` before the move and after it, for the reason EXTEND."""
    safe: int = 0
    """Safe moves that the move keeps, for the reason SAFE."""
    plies: int | None = None
    """Moves of both sides to the end, this one included, under best play after it; None if not computed."""
    longest: bool = False
    """For the reason LOSS: whether another play ends the game sooner, and none later."""
    winrate: float | None = None
    """The win rate of the colour that moves, 0 to 1; None if no search measured it."""
    line: tuple[str, ...] = ()
    """The moves that may follow, beginning with this one. If it wins, each play of the winner is proven to win.

    If the reason is a ladder, the line is that ladder, up to the capture or up to the last atari, which has no answer.
    """

    def __str__(self) -> str:
        return str(above("teach.words.hint", self))

    @property
    def proof(self) -> Literal["win", "loss"] | None:
        """The proven result of the move under best play, or None."""
        return None if self.wins is None else "win" if self.wins else "loss"


class Result(StrEnum):
    """What is known about the last move of a game."""

    OVER = auto()
    """The game was over before the move; `winner` and `end` tell how."""
    RESIGNED = auto()
    """The move is a resignation."""
    COUNTED = auto()
    """The move is the second pass. `winner` is None after a draw, or if dead stones are not decided (Evidence.UNKNOWN);
    with Evidence.MEASURED the dead stones are estimated."""
    ENDED = auto()
    """The move ended the game by the rules; `winner` and `end` tell how."""
    WINS = auto()
    """The move is proven to win."""
    LOSES = auto()
    """The move is proven to lose; `line` and `plies` tell how."""
    OPEN = auto()
    """Neither a win nor a loss was found."""


class Lost(StrEnum):
    """When the game was lost for the side that made the last move."""

    BEFORE = auto()
    """Before the last move; it is not known since when."""
    START = auto()
    """From the first move of this side on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What is known about the last move of a game."""

    move: str
    """A vertex, "pass" or "resign"."""
    color: Color
    """The colour that made the move."""
    result: Result
    known: Evidence
    winner: Color | None = None
    """The winner of the game, or its proven winner; None if not known."""
    end: Termination | None = None
    """How the game ended, or how the line ends; None for a line that does not reach the end of the game."""
    plies: int | None = None
    """Moves of both sides to the end under best play after a losing move; None if not computed."""
    line: tuple[str, ...] = ()
    """The moves that punish a losing move, the opponent's first: with `plies` and `end` best play of both sides, else
    winning plays with forced replies."""
    played: bool = False
    """Whether the line begins with the reply that was played."""
    better: Hint | None = None
    """A better move than one that loses: proven to win, or else no refutation of it was found."""
    several: bool = False
    """Whether another move than the better one is proven to win too."""
    mistake: tuple[str, int] | None = None
    """The vertex and the number of the move that lost the game, which the better one replaces; None: the last move."""
    lost: Lost | None = None
    """Set instead of a better move if the game was lost before the move."""
    missed: Hint | None = None
    """A capture or a rescue that the move missed (`missed_chance`), or that its side missed earlier in a lost game."""
    missed_by: tuple[str, int] | None = None
    """The vertex and the number of the earlier move that missed it; None if the last move did."""

    def __str__(self) -> str:
        return str(above("teach.words.explanation", self))

    @property
    def proven(self) -> bool:
        """Whether the result is proven or has happened; else nothing was found about the move."""
        return self.known not in (Evidence.MEASURED, Evidence.UNKNOWN)

    @property
    def loses(self) -> bool | None:
        """Whether the game is proven to be lost for the colour of the move, or over and lost; None if not known."""
        return self.winner not in (None, self.color) if self.proven else None


def hint(analyst: Analyst, game: Game, color: int, deadline: Deadline) -> Hint | None:
    """Return the best move of a colour with one reason; None if the game is over or there is no move."""
    if game.outcome is not None:
        return None

    def reason_for(move: int, analysis: AnalysedMove | None) -> Hint:
        part = _for_solver(deadline, PART_SHORTEST)
        return hint_for(
            game, color, move, analysis, partial(analyst.perfect_play.is_unrefuted, game, color, move, part)
        )

    chosen = None
    if game.rules.is_scored:
        chosen = analyst.choose(game, color, deadline)
        if chosen.move == PASS:
            return Hint(move="pass", color=Color(color), reason=Reason.NO_GAIN)
    else:
        study(analyst, game, color, deadline)
    if proven(analyst, game, color) is False:
        resistance = analyst.resistance(game, color, _restarted(deadline), needs_plies=True)
        if resistance is not None and resistance.solution.plies is not None:
            line, known = vertices(game, resistance.solution.line), _evidence(resistance.solution)
            lost = Hint(move=line[0], color=Color(color), reason=Reason.LOSS, wins=False, known=known)
            return replace(lost, plies=resistance.solution.plies, longest=resistance.longest, line=line)
    analyses = _without_early_pass(game, color, move_analyses(analyst, game, color, least=1))
    if not analyses:  # too little time for the search
        decision = chosen or analyst.choose(game, color, Limit(0.0).begin(deadline.stop))
        return None if decision.move == RESIGN else reason_for(decision.move, None)
    best = game.point(analyses[0].move)
    if analyses[0].proof != "win":
        return reason_for(best, analyses[0])
    line_won = best_line(analyst, game, color, (best,), _for_solver(deadline, PART_SHORTEST))
    advice = hint_for(game, color, line_won[0], analyses[0])
    if advice.known is Evidence.TREE and analyst.perfect_play.known(game, color) is not None:
        advice = replace(advice, known=Evidence.BOOK)
    return _continued(game, color, advice, line_won)


def _without_early_pass(game: Game, color: int, analyses: list[AnalysedMove]) -> list[AnalysedMove]:
    """Return the analysed moves without a pass that a player would not make; one that is proven to win stays."""
    if not analyses or analyses[0].proof == "win":
        return analyses
    lost = {game.point(analysis.move) for analysis in analyses if analysis.proof == "loss"}
    moves = without_early_pass(game, color, [*game.legal_plays(color), PASS], lost)
    return [analysis for analysis in analyses if game.point(analysis.move) in moves]


def _continued(game: Game, color: int, advice: Hint, line: tuple[int, ...]) -> Hint:
    """Return a winning hint with its line. If the line is a race, this becomes the reason."""
    if advice.reason is Reason.LADDER and not _is_chase(game, color, line):
        return advice  # its line is a longer ladder
    race = Effect(Reason.RACE)._asdict() if _is_race(game, color, line) else {}
    return replace(advice, line=vertices(game, line), **race)


def _is_chase(game: Game, color: int, line: tuple[int, ...]) -> bool:
    """Whether best play is a ladder: atari again and again, each answer on the last liberty, and then the capture."""
    trial = game.copy()
    trial.set_to_move(color)
    for number, move in enumerate(line[:-1]):
        last = {bd.last_liberty(trial.board, chain) for chain in trial.atari(opponent(color))}
        if number % 2 and move not in last:
            return False
        trial.play_point(move)
    return len(line) >= 5 and bd.captures_at(trial.board, line[-1], color) > 0


def hint_for(
    game: Game, color: int, move: int, analysis: AnalysedMove | None, is_unrefuted: Callable[[], bool] = lambda: False
) -> Hint:
    """Return a move with the most important reason for it, in the order of `Reason`.

    `is_unrefuted`: returns True if the solver knows the position and does not refute the move. It is called only if
    this decides whether the move saves a chain.
    """
    advice, wins = Hint(move=game.vertex(move), color=Color(color), reason=Reason.PASS), None
    if analysis is not None:
        wins = None if analysis.proof is None else analysis.proof == "win"
        known = Evidence.MEASURED if wins is None else Evidence.TREE
        advice = replace(advice, wins=wins, known=known, winrate=analysis.winrate, line=analysis.line)
    if move <= 0:
        return advice
    captured = bd.captures_at(game.board, move, color)
    if captured and game.rules.won_by(game.prisoners(color) + captured):
        advice = replace(advice, wins=True, known=Evidence.RULES, line=(advice.move,))
        return replace(advice, reason=Reason.CAPTURE, captured=captured)
    attacks = ladder(game, color) if wins else []
    chase = attacks if attacks[:1] == [move] else []
    if len(chase) > 1:
        advice = replace(advice, line=vertices(game, chase))
    elif chase and _has_lasting_reply(game, color, move):
        advice = replace(advice, plies=3)
    may_save = is_unrefuted if wins is None else lambda: wins and next_capture_wins(game.rules, game.board)
    done = _effect(game, color, move, may_save, starts_ladder=len(chase) > 1)
    if done is None:
        unproven = Reason.SIGHT if analysis is None else Reason.RATE
        return replace(advice, reason={True: Reason.FORCE, False: Reason.LOSS, None: unproven}[wins])
    return replace(advice, **{**done._asdict(), "stones": vertices(game, done.stones)})


def _has_lasting_reply(game: Game, color: int, move: int) -> bool:
    """Whether the game goes on after a play and a reply: not if no play is legal then, or if each is a suicide."""
    after = game.after_point(move, color)
    replies = () if after.outcome is not None else after.legal_moves()
    return any(after.after_point(after.point(reply)).outcome is None for reply in replies)


def winning_hint(game: Game, color: int, move: int) -> Hint:
    """Return a move that is proven to win, with its reason."""
    return hint_for(game, color, move, AnalysedMove(game.vertex(move), proof="win"))


def _effect(
    game: Game, color: int, move: int, is_unrefuted: Callable[[], bool], *, starts_ladder: bool
) -> Effect | None:
    """Return the most important reason that can be read off the board; None if no reason of `reasons` applies."""
    if captured := bd.captures_at(game.board, move, color):
        return Effect(Reason.CAPTURE, captured=captured)
    if (saved := _saved(game, color, move, is_unrefuted)) is not None:
        return Effect(saved[0], (saved[1],))
    if in_atari := attacked(game.board, move, color):
        return Effect(Reason.LADDER if starts_ladder else Reason.ATARI, tuple(in_atari[:2]))
    return effect(game, color, move)


def _saved(game: Game, color: int, move: int, is_unrefuted: Callable[[], bool]) -> tuple[Reason, int] | None:
    """Return whether a play saves or frees a chain in atari, and the chain; None if it does neither.

    A play that loses saves no chain: its side then loses that chain or another one.
    """
    chain = next((p for p in game.atari(color) if bd.last_liberty(game.board, p) == move), None)
    if chain is None:
        return None
    after = game.after_point(move, color)
    if after.board.color[chain] != color or bd.in_atari(after.board, chain):  # it may remove its own chain
        return None
    return (Reason.SAVE if life.holds(after.board, chain) and is_unrefuted() else Reason.FREE), chain


def _is_race(game: Game, color: int, line: tuple[int, ...]) -> bool:
    """Whether a winning line ends because the loser has no safe move left, and nothing is in atari before."""
    if not has_length(game.rules):
        return False
    trial = game.copy()
    trial.set_to_move(color)
    exhausted = False
    for number, move in enumerate(line):
        if any(trial.atari(c) for c in (color, opponent(color))) and number < len(line) - 1:
            return False
        exhausted = not safe_points(trial, int(trial.to_move)) if number % 2 else exhausted
        trial.play_point(move)
    return trial.outcome is not None and exhausted


def find_winner(analyst: Analyst, game: Game, color: int, deadline: Deadline) -> tuple[Solution, Evidence]:
    """Find the winner with a colour to move, and the forced part of a winning line, by solver and search.

    The solver gets half of the time alone; the search then continues its proof in the same transposition table.
    The winner is None if neither proves it within the limit.
    """
    solved = analyst.perfect_play.solve(game, color, _for_solver(deadline, 0.5), length=False)
    if solved.winner is not None:
        return solved, _evidence(solved)
    study(analyst, game, color, deadline)
    result = proven(analyst, game, color)
    if result is None:
        return UNSOLVED, Evidence.UNKNOWN
    line = tuple(map(game.point, move_analyses(analyst, game, color)[0].line)) if result else ()
    solved = Solution(color if result else opponent(color), tuple(forced_part(game, color, line)))
    return solved, Evidence.TREE


def explanation(analyst: Analyst, game: Game, deadline: Deadline, reply: int = PASS) -> Explanation:
    """Return whether the last move loses, how it is punished, and which move lost the game.

    `reply`: the play that followed, or PASS; it is shown as the punishment if it is proven to win. The limit applies to
    each position that is solved. Raise ValueError if no move has been made.
    """
    last = game.last_move
    if last is None:
        raise ValueError("no move to explain")
    before, after = (position.decided for position in game.positions[-2:])
    other = last.color.opponent
    explained = Explanation(
        move=game.vertex(last.point), color=Color(last.color), result=Result.OPEN, known=Evidence.RULES, winner=other
    )
    if before is not None and before.winner is not None:
        return replace(explained, result=Result.OVER, winner=before.winner, end=before.termination)
    if last.point == RESIGN:
        return replace(explained, result=Result.RESIGNED)
    if after is None and game.outcome is not None:
        return replace(explained, result=Result.COUNTED, winner=game.outcome.winner, known=_known_count(game))
    if after is not None:
        explained = replace(explained, result=Result.ENDED, winner=after.winner, end=after.termination)
        if after.winner == last.color:
            return explained
    number = len(game.moves) - 1
    missed = missed_chance(analyst, _position_before(game, number), last.point, reply, _restarted(deadline))
    explained = replace(explained, missed=missed)
    if after is None:
        trial = game.copy()
        solution, known = find_winner(analyst, trial, int(other), _restarted(deadline))
        if solution.winner is None:
            return replace(explained, winner=None, known=known)
        if solution.winner != int(other):
            return replace(explained, result=Result.WINS, winner=explained.color, known=known)
        explained = replace(explained, result=Result.LOSES, known=known)
        explained = _punished(explained, analyst, trial, solution, deadline, reply)
    return _with_context(explained, analyst, game, deadline)


def _known_count(game: Game) -> Evidence:
    """Return by what means the result of a game is known that ended with two passes."""
    if not game.rules.is_scored or all_proven(game.board) is not None:
        return Evidence.RULES
    return Evidence.UNKNOWN if game.score() is None else Evidence.MEASURED


def _with_context(losing: Explanation, analyst: Analyst, game: Game, deadline: Deadline) -> Explanation:
    """Add a better move than a losing one, and the chance that it is; or since when the game was lost."""
    explained = _with_better(losing, analyst, game, deadline)
    better, missed = explained.better, explained.missed
    if better is None or explained.mistake is not None:
        is_lost = explained.lost is not None and missed is None
        return _missed_earlier(explained, analyst, game, deadline) if is_lost else explained
    if missed is not None and missed.wins:  # a chance that wins at once comes before any other move
        several = explained.several or (better.wins is True and better.move != missed.move)
        return replace(explained, better=missed, several=several)
    return replace(explained, missed=better) if better.wins and better.reason in CHANCES else explained


def _missed_earlier(lost: Explanation, analyst: Analyst, game: Game, deadline: Deadline) -> Explanation:
    """Add the last chance that the side of the last move missed before, in a game that was lost already."""
    moves = game.moves
    for number in range(len(moves) - 2, -1, -1):
        move, following = moves[number], moves[number + 1]
        if move.color == lost.color != following.color and game.positions[number].decided is None:
            before = _position_before(game, number)
            missed = missed_chance(analyst, before, move.point, following.point, _restarted(deadline))
            if missed is not None:
                return replace(lost, missed=missed, missed_by=(game.vertex(move.point), number + 1))
    return lost


def missed_chance(analyst: Analyst, game: Game, played: int, reply: int, deadline: Deadline) -> Hint | None:
    """Return the capture or the rescue that the side to move misses by a move, with its reason; None if none.

    A capture is missed if it would win the game at once, or if the reply takes the chain out of atari while the move
    itself takes and saves nothing. A rescue is missed if the move leaves a chain in atari that another play takes out
    of it, so that reading finds no capture and, where the solver does not know the position, playouts do not call it
    dead. Besides, the capture of this chain would win the game at once, or is the reply. `reply`: the move that
    followed, or PASS.
    """
    color, other = int(game.to_move), opponent(int(game.to_move))
    board, after = game.board, game.after_point(played, color)
    if after.outcome is not None and after.outcome.winner == Color(color):
        return None
    then = after.copy()
    if reply > 0 and after.outcome is None:
        then.play_point(reply, other)
    chains = [*game.atari(other), *game.atari(color)]
    plays = [p for p in {bd.last_liberty(board, q): q for q in chains} if p != played and game.is_legal_point(p, color)]

    def chance(play: int) -> Hint:
        return hint_for(
            game, color, play, None, partial(analyst.perfect_play.is_unrefuted, game, color, play, deadline)
        )

    for play in plays:
        captured = bd.captures_at(board, play, color)
        if captured and game.rules.won_by(game.prisoners(color) + captured):
            return chance(play)
    for chain in game.atari(color):
        if _is_left(game, after, then, chain):
            rescues = (chance(p) for p in plays if _rescues(game, p, chain))
            if saving := next((rescue for rescue in rescues if _is_saved(game, rescue, chain)), None):
                return saving
    if played > 0 and captures_or_saves(game, color, played):
        return None
    escaped = (q for q in game.atari(other) if then.board.color[q] == other and not bd.in_atari(then.board, q))
    return next((chance(p) for p in (bd.last_liberty(board, q) for q in escaped) if p in plays), None)


def _is_left(game: Game, after: Game, then: Game, chain: int) -> bool:
    """Whether a move leaves a chain in atari whose capture wins the game at once, or is the reply.

    The games: before the move, after it, and after the reply.
    """
    owner = int(game.board.color[chain])
    if after.board.color[chain] != owner or not bd.in_atari(after.board, chain):
        return False
    at_stake = len(bd.stones(after.board, chain))
    decides = game.rules.won_by(game.prisoners(opponent(owner)) + at_stake)
    return decides or then.board.color[chain] != owner


def _is_saved(game: Game, rescue: Hint, chain: int) -> bool:
    """Whether a play that takes a chain out of atari saves it, as far as that is known; see `missed_chance`."""
    board = game.after_point(game.point(rescue.move), rescue.color).board
    if not life.holds(board, chain):
        return False
    if unsupported(game.rules, game.board) is None:
        return True
    return all(status is not Status.DEAD for p, status in life.statuses(board).items() if chain in bd.stones(board, p))


def _rescues(game: Game, play: int, chain: int) -> bool:
    """Whether a play takes a chain out of atari, and leaves no other one whose capture wins the game at once."""
    color, after = int(game.to_move), game.after_point(play)
    held = after.prisoners(opponent(color))
    lost = any(after.rules.won_by(held + len(bd.stones(after.board, q))) for q in after.atari(color))
    return after.board.color[chain] == color and not bd.in_atari(after.board, chain) and not lost


def _punished(
    losing: Explanation, analyst: Analyst, game: Game, solution: Solution, deadline: Deadline, reply: int
) -> Explanation:
    """Add the line that punishes a losing move: best play if computed in time, else its forced part.

    `solution`: the winner, with a line; that colour is to move. The line begins with the reply that was played if that
    wins.
    """
    winner = int(solution.winner or game.to_move)
    best = analyst.perfect_play.solve(game, winner, _for_solver(deadline))
    played = _line_after(analyst, game, winner, reply, deadline) if reply > 0 else ()
    line = played or (best.line if len(best.line) == best.plies else solution.line)
    text = vertices(game, line)
    for n, move in enumerate(line):
        game.play_point(move, (winner, opponent(winner))[n % 2])
    another_length = played and game.outcome is not None and len(line) != best.plies
    end = None if game.outcome is None else game.outcome.termination
    return replace(losing, plies=None if another_length else best.plies, line=text, end=end, played=bool(played))


def _line_after(analyst: Analyst, game: Game, winner: int, reply: int, deadline: Deadline) -> tuple[int, ...]:
    """Return a reply and what follows it, as in `_punished`; () if it is not proven to win."""
    after = game.after_point(reply, winner)
    if after.outcome is not None:
        return (reply,) if after.outcome.winner == Color(winner) else ()
    solved, _ = find_winner(analyst, after, opponent(winner), _restarted(deadline))
    if solved.winner != winner:
        return ()
    return reply, *best_line(analyst, after, opponent(winner), solved.line, _for_solver(deadline))


def _with_better(losing: Explanation, analyst: Analyst, game: Game, deadline: Deadline) -> Explanation:
    """Add a better move than the last one, which loses, or than an earlier mistake; else since when it was lost."""
    moves, mover = game.moves, game.moves[-1].color
    solved, _ = find_winner(analyst, before := _position_before(game, len(moves) - 1), int(mover), _restarted(deadline))
    if solved.winner == int(mover) and solved.line:
        return _with_winning(losing, analyst, before, solved.line, deadline)
    rates = _rates(analyst, before, moves[-1].point, deadline) if solved.winner is None else {}
    if not rates:
        return _since_when(losing, analyst, game, deadline)
    best = max(rates, key=rates.__getitem__)
    if rates[best] == 1:
        return _with_winning(losing, analyst, before, (best,), deadline)
    rated = AnalysedMove(game.vertex(best), rates[best])
    return losing if rates[best] < HOPEFUL else replace(losing, better=hint_for(before, int(mover), best, rated))


def _rates(analyst: Analyst, game: Game, losing: int, deadline: Deadline) -> dict[int, float]:
    """Return the win rates of up to TRIED moves of the side to move that are not proven to lose; a proven win has 1.

    A further search tries each move, and the best moves of the last search come first. Empty if every move is proven
    to lose, as `losing` is.
    """
    spent, rates = _restarted(deadline), dict[int, float]()
    known = {game.point(i.move): i.winrate for i in move_analyses(analyst, game, int(game.to_move), least=1)}
    others = (p for p in map(game.point, game.legal_moves()) if p not in known)
    for move in [*known, *others]:
        rate = known.get(move, 1 / 2)
        if move == losing or rate == 0 or loses_at_once(game, move):
            continue
        if not spent.expired():
            rate = _rate_after(analyst, game, move, deadline, rate)
        if rate == 1:
            return {move: rate}
        if rate > 0:
            rates[move] = rate
        if rates and (len(rates) == TRIED or spent.expired()):
            break
    return rates


def _rate_after(analyst: Analyst, game: Game, move: int, deadline: Deadline, before: float) -> float:
    """Return the win rate of a move, 0 or 1 if proven, from a search after it with PART_TRIED of a limit.

    `before`: the result if the search measures nothing.
    """
    after, color = game.after_point(move), int(game.to_move)
    if after.outcome is not None:
        decided = after.positions[-1].decided
        return before if decided is None else float(decided.winner == Color(color))
    seconds, playouts = deadline.limit.seconds, deadline.limit.playouts
    part = replace(
        deadline.limit,
        seconds=None if seconds is None else PART_TRIED * seconds,
        playouts=None if playouts is None else int(PART_TRIED * playouts),
    )
    solved, _ = find_winner(analyst, after, opponent(color), part.begin(deadline.stop))
    if solved.winner is not None:
        return float(solved.winner == color)
    replies = move_analyses(analyst, after, opponent(color), least=1)
    return 1 - replies[0].winrate if replies else before


def _since_when(losing: Explanation, analyst: Analyst, game: Game, deadline: Deadline) -> Explanation:
    """Add a better move than the one that turned a win into a loss, in a game that was lost before its last move."""
    moves, mover = game.moves, game.moves[-1].color
    number = len(moves) - 1
    spent = _restarted(deadline)
    while number >= 2 and (moves[number - 1].color, moves[number - 2].color) == (mover.opponent, mover):
        number -= 2
        before = _position_before(game, number)
        solved, _ = find_winner(analyst, before, int(mover), spent)
        if solved.winner == int(mover) and solved.line:
            losing = replace(losing, mistake=(game.vertex(moves[number].point), number + 1))
            return _with_winning(losing, analyst, before, solved.line, deadline)
        if solved.winner != opponent(int(mover)):
            return replace(losing, lost=Lost.BEFORE)
    return replace(losing, lost=Lost.START if all(move.color != mover for move in moves[:number]) else Lost.BEFORE)


def _with_winning(
    losing: Explanation, analyst: Analyst, game: Game, known: Sequence[int], deadline: Deadline
) -> Explanation:
    """Add the move to name in a won position of the side to move, whose winning line is known."""
    color = int(game.to_move)
    best = best_line(analyst, game, color, known, _for_solver(deadline))[0]
    others = frozenset(play for play in game.legal_plays(color) if play != best)
    solved = analyst.perfect_play.moves(game, color, _for_solver(deadline).limited(only=others))
    return replace(losing, better=winning_hint(game, color, best), several=any(wins for _, wins in solved))


def _position_before(game: Game, number: int) -> Game:
    """Return the game before a move (0: the first), its colour to move."""
    before = game.copy(number)
    before.set_to_move(game.moves[number].color)
    return before


def _restarted(deadline: Deadline) -> Deadline:
    """Begin the same limit again."""
    return deadline.limit.begin(deadline.stop)


def _for_solver(deadline: Deadline, part: float = 1.0) -> Deadline:
    """Begin the solver's share of a limit; a number of playouts becomes a number of nodes."""
    seconds, playouts = deadline.limit.seconds, deadline.limit.playouts
    nodes = None if playouts is None else playouts * PART_SMALL.nodes
    seconds = None if seconds is None else part * seconds
    return Limit(seconds, nodes=nodes, end=deadline.limit.end).begin(deadline.stop)


def vertices(game: Game, points: Sequence[int]) -> tuple[str, ...]:
    """Return the vertices of points."""
    return tuple(game.vertex(point) for point in points)


def _evidence(solution: Solution) -> Evidence:
    """Return by what means `PerfectPlay` knows a result; an answer from a book takes no nodes."""
    return Evidence.UNKNOWN if solution.winner is None else Evidence.SOLVER if solution.nodes else Evidence.BOOK
