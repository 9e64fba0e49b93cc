"""Facts about moves: the best move with one reason, and whether the last move loses, how, and what was better.

`wins` and the results WINS and LOSES are proofs, and plies are only given if they were computed; all else states what
was searched for and not found. These values contain no sentence: `words` renders them, also for `str`.
`tests/support/truth.py` checks every one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from typing import TYPE_CHECKING, Any, Final, Literal

from ..go import board as bd
from ..go.game import Game
from ..go.position import Termination
from ..go.vertex import PASS, RESIGN, Color, opponent
from ..players.analysis import MoveAnalysis, move_analyses, proven, study
from ..players.life import holds
from ..players.perfect_play import PART_SMALL
from ..players.player import Analyst
from ..solver.result import Solution, has_length
from ..util.limit import Deadline, Limit

ATTACKS: Final = 300
"""Maximum number of attacking plays in a ladder search."""
PART_SHORTEST: Final = 0.2
"""Part of the time of a hint in which the shortest win is solved, which may show a race."""


class Fact:
    """A value that has a sentence; a call of a method of text, which hints once were, is an error that says so."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            kind = type(self).__name__
            new = f"it is not text: str({kind.lower()}).{name}" if hasattr(str, name) else f"no attribute {name!r}"
            raise AttributeError(f"{kind}: {new}")


class Evidence(StrEnum):
    """By what means a result is known."""

    RULES = auto()
    """It has happened, or the next play brings it about."""
    BOOK = auto()
    """A book of solved positions."""
    SOLVER = auto()
    """A proof of the exact solver."""
    TREE = auto()
    """A proof in the search tree, which holds results of the solver too."""
    MEASURED = auto()
    """The win rate of a search, which proves nothing."""
    UNKNOWN = auto()
    """Nothing is known: the result was not found."""


class Reason(StrEnum):
    """The most important reason for a move."""

    CAPTURE = auto()
    """It captures `captured` stones."""
    SAVE = auto()
    """It saves the chain of `stones`."""
    FREE = auto()
    """It takes the chain of `stones` out of atari; whether that saves it was not found."""
    LADDER = auto()
    """It starts a ladder: every answer is forced."""
    ATARI = auto()
    """It puts the chains of `stones` in atari; if it wins, one of them is lost."""
    RACE = auto()
    """It wins a race: the loser runs out of safe moves, and nothing is in atari before."""
    FORCE = auto()
    """It wins, and nothing more special was found."""
    RATE = auto()
    """It has the best win rate of a search."""
    SIGHT = auto()
    """It looks best without a search."""
    PASS = auto()
    """A pass looks best."""
    NO_GAIN = auto()
    """A pass looks best: no play was found that gains points."""
    LOSS = auto()
    """Every move loses; with plies, this one lasts longest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint(Fact):
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
    """Stones that the move captures."""
    plies: int | None = None
    """Moves of both sides to the end under best play; None if not computed."""
    winrate: float | None = None
    """Of the colour that moves, 0 to 1, if a search measured it."""
    line: tuple[str, ...] = ()
    """What may follow, beginning with the move; of a move that wins, each play of the winner is proven to win."""

    @property
    def proof(self) -> Literal["win", "loss"] | None:
        """The proven result of the move under best play, or None."""
        return None if self.wins is None else "win" if self.wins else "loss"

    def __str__(self) -> str:
        from .words import hint

        return hint(self)


class Result(StrEnum):
    """What is known about the last move of a game."""

    OVER = auto()
    """The game was over before it: `winner`, `end`."""
    RESIGNED = auto()
    """It is a resignation."""
    COUNTED = auto()
    """It is the second pass; `winner` is None after a draw, or if dead stones are not decided (Evidence.UNKNOWN)."""
    ENDED = auto()
    """It ended the game by the rules: `winner`, `end`."""
    WINS = auto()
    """It is proven to win."""
    LOSES = auto()
    """It is proven to lose: `line`, `plies`."""
    OPEN = auto()
    """Neither was found."""


class Lost(StrEnum):
    """Since when a game was lost for the side that made the last move."""

    BEFORE = auto()
    """Before the last move; it is not known since when."""
    START = auto()
    """From its first move on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Better:
    """A move that was better than the one that loses."""

    move: str
    wins: bool
    """Whether it is proven to win; else no refutation of it was found."""
    several: bool = False
    """Whether another move is proven to win too."""
    mistake: tuple[str, int] | None = None
    """The vertex and the number of the move that lost the game, in whose place it was; None: the last move."""

    def __str__(self) -> str:
        return self.move


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation(Fact):
    """What is known about the last move of a game."""

    move: str
    """A vertex, "pass" or "resign"."""
    color: Color
    """The colour that made it."""
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
    better: Better | None = None
    """A better move than one that loses."""
    lost: Lost | None = None
    """Instead of a better move: the game was lost already."""

    @property
    def proven(self) -> bool:
        """Whether the result is proven or has happened; else nothing was found about the move."""
        return self.known is not Evidence.UNKNOWN

    @property
    def loses(self) -> bool | None:
        """Whether the game is proven to be lost for the colour of the move, or over and lost; None if not known."""
        if self.winner is not None:
            return self.winner != self.color
        return False if self.proven else None

    def __str__(self) -> str:
        from .words import explanation

        return explanation(self)


def hint(analyst: Analyst, game: Game, color: int, deadline: Deadline) -> Hint | None:
    """Return the best move of a colour with one reason; None if the game is over or there is no move."""
    if game.outcome is not None:
        return None

    def reason_for(move: int, analysis: MoveAnalysis | None) -> Hint:
        solver = analyst.perfect_play
        return why(
            game,
            color,
            move,
            analysis,
            lambda: solver.withstands(game, color, move, _for_solver(deadline, PART_SHORTEST)),
        )

    chosen = None
    if game.rules.is_scored:
        chosen = analyst.choose(game, color, deadline)
        if chosen.move == PASS:
            return Hint(move="pass", color=Color(color), reason=Reason.NO_GAIN)
    else:
        study(analyst, game, color, deadline)
    if proven(analyst, game, color) is False:
        longest = analyst.perfect_play.resistance(game, color, _for_solver(deadline))
        if longest.plies is not None and longest.line:
            line = _vertices(game, longest.line)
            known = _evidence(longest)
            lost = Hint(move=line[0], color=Color(color), reason=Reason.LOSS, wins=False, known=known, line=line)
            return replace(lost, plies=longest.plies)
    found = move_analyses(analyst, game, color, least=1)
    if not found:  # too little time for the search
        decision = chosen or analyst.choose(game, color, Limit(0.0).begin())
        return None if decision.move == RESIGN else reason_for(decision.move, None)
    best = found[0].move
    if found[0].proven <= 0:
        return reason_for(best, found[0])
    line_won = best_line(analyst, game, color, (best,), _for_solver(deadline, PART_SHORTEST))
    advice = replace(why(game, color, line_won[0], found[0]), line=_vertices(game, line_won))
    if advice.known is Evidence.TREE and analyst.perfect_play.known(game, color) is not None:
        advice = replace(advice, known=Evidence.BOOK)
    race = advice.reason is Reason.FORCE and _is_race(game, color, line_won)
    return replace(advice, reason=Reason.RACE) if race else advice


def best_line(analyst: Analyst, game: Game, color: int, known: Sequence[int], deadline: Deadline) -> tuple[int, ...]:
    """Return best play of both sides to the end if it is found within the limit, else another proven line.

    Hints, explanations and reviews name its first move, so that they name the same one where several win: one by
    continuous atari, if there is one among the shortest wins, or among all where those are not known, because it can
    be seen. `known`: a proven line with the colour to move.
    """
    found = Solution(None) if deadline.expired() else analyst.perfect_play.solve(game, color, deadline)
    attack = () if found.winner == opponent(color) else tuple(ladder(game, color))
    if found.plies is None or len(found.line) != found.plies:
        return attack or max(tuple(known), found.line, key=len)
    if not attack or attack[0] == found.line[0]:
        return found.line
    after = game.copy()
    after.play(attack[0], color)
    rest = analyst.perfect_play.solve(after, opponent(color), deadline)
    return (attack[0], *rest.line) if rest.plies == len(rest.line) == found.plies - 1 else found.line


def why(
    game: Game,
    color: int,
    move: int,
    analysis: MoveAnalysis | None,
    withstands: Callable[[], bool] = lambda: True,
) -> Hint:
    """Return a move with the most important reason for it.

    `withstands`: whether the solver did not refute the move; called only where that decides whether it saves a chain.
    """
    proven = analysis.proven if analysis is not None else 0
    vertex, wins = game.vertex(move), {1: True, -1: False}.get(proven)
    known = Evidence.TREE if proven else Evidence.MEASURED if analysis is not None else Evidence.UNKNOWN
    line = _vertices(game, analysis.line) if analysis is not None else ()
    winrate = analysis.winrate if analysis is not None else None
    found = Hint(move=vertex, color=Color(color), reason=Reason.PASS, wins=wins, known=known, line=line)
    found = replace(found, winrate=winrate)
    if move <= 0:
        return replace(found, reason=Reason.LOSS) if proven < 0 else found
    captured = bd.captures_at(game.board, move, color)
    if captured and game.rules.won_by(game.prisoners(color) + captured):
        return replace(found, reason=Reason.CAPTURE, captured=captured, wins=True, known=Evidence.RULES, line=(vertex,))
    if proven < 0:
        return replace(found, reason=Reason.LOSS)
    if captured:
        return replace(found, reason=Reason.CAPTURE, captured=captured)
    if (saved := _saved(game, color, move, (lambda: True) if proven > 0 else withstands)) is not None:
        return replace(found, reason=saved[0], stones=(game.vertex(saved[1]),))
    attacked = _vertices(game, bd.attacked(game.board, move, color))
    if proven > 0:
        attacks = ladder(game, color)
        if attacks[:1] == [move] and (len(attacks) > 1 or attacked):
            return replace(found, reason=Reason.LADDER if len(attacks) > 1 else Reason.ATARI, stones=attacked[:2])
        return replace(found, reason=Reason.FORCE)
    if attacked:
        return replace(found, reason=Reason.ATARI, stones=attacked[:1])
    return replace(found, reason=Reason.SIGHT if analysis is None else Reason.RATE)


def _saved(game: Game, color: int, move: int, withstands: Callable[[], bool]) -> tuple[Reason, int] | None:
    """Return what a play on the last liberty of a chain does for it, and the chain; None if it is on none, or in vain.

    A chain is not called saved by a play that loses, because its side then loses it or another one.
    """
    chain = next((p for p in game.atari(color) if bd.last_liberty(game.board, p) == move), None)
    if chain is None:
        return None
    after = game.copy()
    after.play(move, color)
    if bd.in_atari(after.board, chain):
        return None
    return (Reason.SAVE if holds(after.board, chain) and withstands() else Reason.FREE), chain


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
        exhausted = not safe_points(trial, trial.to_move) if number % 2 else exhausted
        trial.play(move)
    return trial.outcome is not None and exhausted


def safe_points(game: Game, color: int) -> list[int]:
    """Return the legal plays after which all chains of a colour have two liberties."""
    return [p for p in game.legal_plays(color) if not bd.chains_in_atari(bd.after(game.board, p, color), color)]


class Unread(StrEnum):
    """Why ladders are not read in a position."""

    SEVERAL = auto()
    """One capture does not win."""
    ATARI = auto()
    """A chain is in atari."""


def unread(game: Game) -> Unread | None:
    """Return why `ladder` reads nothing in this position; None if it reads."""
    colors = game.to_move, opponent(game.to_move)
    if not all(game.rules.won_by(game.prisoners(c) + 1) for c in colors):
        return Unread.SEVERAL
    return Unread.ATARI if any(game.atari(c) for c in colors) else None


def ladder(game: Game, color: int) -> list[int]:
    """Return a win by continuous atari as plays of both colours; [] if none is found or it is `unread`."""
    from ..playout.ladder import forced_win, new_reader, winning_line

    if unread(game) is not None:
        return []
    reader = new_reader()
    return winning_line(reader, forced_win(game.board, color, reader, ATTACKS))


def settle(analyst: Analyst, game: Game, color: int, deadline: Deadline) -> tuple[Solution, Evidence]:
    """Find the winner with a colour to move, and the forced part of a winning line, by solver and search.

    The solver gets half of the time alone; the search then continues its proof in the same transposition table.
    The winner is None if neither proves it within the limit.
    """
    found = analyst.perfect_play.solve(game, color, _for_solver(deadline, 0.5), length=False)
    if found.winner is not None:
        return found, _evidence(found)
    study(analyst, game, color, deadline)
    result = proven(analyst, game, color)
    if result is None:
        return Solution(None), Evidence.UNKNOWN
    line = move_analyses(analyst, game, color)[0].line if result else ()
    found = Solution(color if result else opponent(color), tuple(_forced_part(game, color, line)))
    return found, Evidence.TREE


def _forced_part(game: Game, color: int, line: tuple[int, ...]) -> Iterator[int]:
    """Yield the moves of a winning line until the loser has more than one reply that does not lose at once."""
    trial = game.copy()
    trial.set_to_move(color)
    for move in line:
        mover = trial.to_move
        replies = [*trial.legal_plays(), *([PASS] if trial.rules.may_pass else [])]
        if mover != color and sum(1 for move in replies if not _loses_at_once(trial, move)) > 1:
            return
        yield move
        trial.play(move, mover)
        if trial.outcome is not None:
            return


def _loses_at_once(game: Game, move: int) -> bool:
    """Whether the opponent of the colour to move wins by its next play after this move, or has won already."""
    game.play(move)
    try:
        other = game.to_move
        if game.outcome is not None:
            return game.outcome.winner == other
        held = game.prisoners(other)
        return any(game.rules.won_by(held + bd.captures_at(game.board, p, other)) for p in game.legal_plays(other))
    finally:
        game.undo()


def explanation(analyst: Analyst, game: Game, deadline: Deadline, reply: int = PASS) -> Explanation:
    """Return whether the last move loses, how it is punished, and which move lost the game.

    `reply`: the play that followed, if one did; it is shown as the punishment if it is proven to be one. The limit
    applies to each position that is solved for it. Raise ValueError if no move has been made.
    """
    last = game.last_move
    if last is None:
        raise ValueError("no move to explain")
    before, after = (position.decided for position in game.positions[-2:])
    other = Color(opponent(last.color))
    found = Explanation(
        move=game.vertex(last.point), color=Color(last.color), result=Result.OPEN, known=Evidence.RULES, winner=other
    )
    if before is not None and before.winner is not None:
        return replace(found, result=Result.OVER, winner=before.winner, end=before.termination)
    if last.point == RESIGN:
        return replace(found, result=Result.RESIGNED)
    if after is None and game.outcome is not None:
        uncounted = game.rules.is_scored and game.outcome.winner is None and game.score() is None
        known = Evidence.UNKNOWN if uncounted else Evidence.RULES
        return replace(found, result=Result.COUNTED, winner=game.outcome.winner, known=known)
    if after is not None:
        found = replace(found, result=Result.ENDED, winner=after.winner, end=after.termination)
        if after.winner == last.color:
            return found
    else:
        trial = game.copy()
        solution, known = settle(analyst, trial, other, _again(deadline))
        if solution.winner != other:
            wins = solution.winner == last.color
            winner = found.color if wins else None
            return replace(found, result=Result.WINS if wins else Result.OPEN, known=known, winner=winner)
        found = replace(found, result=Result.LOSES, known=known)
        found = _punished(found, analyst, trial, solution, deadline, reply)
    better, lost = _better(analyst, game, deadline)
    return replace(found, better=better, lost=lost)


def _punished(
    losing: Explanation, analyst: Analyst, game: Game, found: Solution, deadline: Deadline, reply: int
) -> Explanation:
    """Add the line that punishes a losing move: best play if computed in time, else its forced part.

    `found`: the winner, with a line; that colour is to move. The line begins with the reply that was played if that
    wins.
    """
    winner = int(found.winner or game.to_move)
    best = analyst.perfect_play.solve(game, winner, _for_solver(deadline))
    line, played = best.line if len(best.line) == best.plies else found.line, False
    if reply > 0:
        after = _line_after(analyst, game, winner, reply, deadline)
        line, played = (after, True) if after else (line, False)
    text = _vertices(game, line)
    for n, move in enumerate(line):
        game.play(move, (winner, opponent(winner))[n % 2])
    another_length = played and game.outcome is not None and len(line) != best.plies
    end = None if game.outcome is None else game.outcome.termination
    return replace(losing, plies=None if another_length else best.plies, line=text, end=end, played=played)


def _line_after(analyst: Analyst, game: Game, winner: int, reply: int, deadline: Deadline) -> tuple[int, ...]:
    """Return a reply and what follows it, as in `_punishment`; () if it is not proven to win."""
    after = game.copy()
    after.play(reply, winner)
    if after.outcome is not None:
        return (reply,) if after.outcome.winner == winner else ()
    found, _ = settle(analyst, after, opponent(winner), _again(deadline))
    if found.winner != winner:
        return ()
    return reply, *best_line(analyst, after, opponent(winner), found.line, _for_solver(_again(deadline)))


def _better(analyst: Analyst, game: Game, deadline: Deadline) -> tuple[Better | None, Lost | None]:
    """Return a better move than the last one, which loses; or in whose place there was one, or that there was none."""
    moves, mover = game.moves, game.moves[-1].color
    found, _ = settle(analyst, before := _position_before(game, len(moves) - 1), mover, _again(deadline))
    if found.winner == mover and found.line:
        return _winning_move(analyst, before, found.line, deadline), None
    if found.winner is None:
        others = (i for i in move_analyses(analyst, before, mover, least=1) if i.move != moves[-1].point)
        choice = next((i.move for i in others if i.proven >= 0 and not _loses_at_once(before, i.move)), None)
        return None if choice is None else Better(move=game.vertex(choice), wins=False), None
    return _since_when(analyst, game, deadline)


def _since_when(analyst: Analyst, game: Game, deadline: Deadline) -> tuple[Better | None, Lost | None]:
    """Return the last move that turned a won position into a lost one, for a last move in a lost position."""
    moves, mover = game.moves, game.moves[-1].color
    number = len(moves) - 1
    spent = _again(deadline)
    while number >= 2 and (moves[number - 1].color, moves[number - 2].color) == (opponent(mover), mover):
        number -= 2
        before = _position_before(game, number)
        found, _ = settle(analyst, before, mover, spent)
        if found.winner == mover and found.line:
            better = _winning_move(analyst, before, found.line, deadline)
            return replace(better, mistake=(game.vertex(moves[number].point), number + 1)), None
        if found.winner != opponent(mover):
            return None, Lost.BEFORE
    return None, Lost.START if all(move.color != mover for move in moves[:number]) else Lost.BEFORE


def _winning_move(analyst: Analyst, game: Game, known: Sequence[int], deadline: Deadline) -> Better:
    """Return the move to name in a won position of the side to move, whose winning line is known."""
    color = int(game.to_move)
    best = best_line(analyst, game, color, known, _for_solver(_again(deadline)))[0]
    others = frozenset(play for play in game.legal_plays(color) if play != best)
    solved = analyst.perfect_play.moves(game, color, _for_solver(_again(deadline)).limited(only=others))
    return Better(move=game.vertex(best), wins=True, several=any(wins for _, wins in solved))


def _position_before(game: Game, number: int) -> Game:
    """Return the game before a move (0: the first), its colour to move."""
    before = game.copy(number)
    before.set_to_move(game.moves[number].color)
    return before


def _again(deadline: Deadline) -> Deadline:
    """Begin the same limit again."""
    return deadline.limit.begin(deadline.stop)


def _for_solver(deadline: Deadline, part: float = 1.0) -> Deadline:
    """Begin the solver's share of a limit; a number of playouts becomes a number of nodes."""
    seconds, playouts = deadline.limit.seconds, deadline.limit.playouts
    nodes = None if playouts is None else playouts * PART_SMALL.nodes
    return Limit(None if seconds is None else part * seconds, nodes=nodes).begin(deadline.stop)


def _vertices(game: Game, points: Sequence[int]) -> tuple[str, ...]:
    return tuple(game.vertex(point) for point in points)


def _evidence(found: Solution) -> Evidence:
    """Return by what means `PerfectPlay` knows a result; an answer from a book takes no nodes."""
    return Evidence.UNKNOWN if found.winner is None else Evidence.SOLVER if found.nodes else Evidence.BOOK
