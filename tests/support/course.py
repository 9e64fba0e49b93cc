"""Proofs of the statements of the course: `python -m tests.support.course` writes the answers of all lessons anew.

It also writes the sentences about the ends of the lines of the collection anew; both are read off the last position.

A statement of a page or a problem is `name=value` in GCP; `FACTS` has the names. A value is a number, a word, vertices,
or `marked`, which stands for the points with letters. The answers of a problem (variations, or points and a number) are
made from its goal, so a lesson is proven if `filled` does not change it.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Final, Protocol

from gtp_capture.go import board as bd
from gtp_capture.go import scoring, sgf
from gtp_capture.go.board import Board
from gtp_capture.go.game import Game
from gtp_capture.go.opening import fixed_handicap
from gtp_capture.go.rules import Rules
from gtp_capture.go.sgf_tree import Node, dump_trees, move_node, point_text, read_tree
from gtp_capture.go.vertex import BLACK, EMPTY, WHITE, Color, opponent, parse_color
from gtp_capture.solver import exact
from gtp_capture.solver.choice import solver_for
from gtp_capture.solver.result import LOSS, UNKNOWN, WIN
from gtp_capture.teach import words
from gtp_capture.teach.course import lessons
from gtp_capture.teach.puzzles import files
from gtp_capture.teach.puzzles.files import RIGHT
from gtp_capture.teach.puzzles.problem import Start, boards_along
from gtp_capture.teach.puzzles.prove import refutation
from gtp_capture.teach.puzzles.theme import theme_of
from gtp_capture.util.limit import Deadline

NODES: Final = 2_000_000
"""Nodes of each search for a result."""
LONGEST: Final = 15
"""Plies of the longest resistance that is measured."""
DEPTH: Final = 21
"""Plies of the longest search about the life of a chain."""
WALL: Final = 2
"""Liberties outside that each chain around a searched region has at least."""
MOST_PLAYS: Final = 5
"""Plays that a statement about a quick win counts."""
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
"""The points of an answer are marked with these; more points are not marked."""


# --- Facts about a position, by the rules alone or by an exact search ---


def liberties(game: Game, vertex: str) -> set[int]:
    return {*bd.liberties(game.board, game.point(vertex))}


def stones(game: Game, vertex: str) -> set[int]:
    """The stones of a chain, or of a colour."""
    if vertex in ("black", "white"):
        return {*bd.stones_of(game.board, int(parse_color(vertex)))}
    return {*bd.stones(game.board, game.point(vertex))}


def chains(game: Game, color: str) -> int:
    return sum(int(game.board.color[p]) == int(parse_color(color)) for p in bd.chains(game.board))


def atari(game: Game, color: str) -> set[int]:
    """The stones of all chains of a colour with one liberty."""
    return {q for p in game.atari(color) for q in bd.stones(game.board, p)}


def taken(game: Game, vertex: str) -> int:
    """The stones that the side to move takes with a play."""
    return bd.captures_at(game.board, game.point(vertex), int(game.to_move))


def takes(game: Game, vertex: str = "") -> set[int]:
    """The plays of the side to move that take the chain of a vertex, or any chain, at once."""
    goal = AtSight(game.point(vertex) if vertex else 0, "take")
    return {*goal.right(game.board, int(game.to_move))}


def attacks(game: Game, vertex: str) -> set[int]:
    """The plays of the side to move that put the chain of a vertex in atari."""
    return {*AtSight(game.point(vertex), "atari").right(game.board, int(game.to_move))}


def empty(game: Game) -> set[int]:
    return {p for p in bd.points(game.board) if game.board.color[p] == EMPTY}


def forbidden(game: Game, color: str) -> set[int]:
    """The empty points where a colour may not play."""
    return empty(game) - {*game.legal_plays(color)}


def safe(game: Game, color: str) -> set[int]:
    """The safe points of a colour: a play there leaves all its chains two liberties."""
    mover = int(parse_color(color))
    return {p for p in game.legal_plays(color) if not bd.chains_in_atari(bd.after(game.board, p, mover), mover)}


def room(game: Game, color: str) -> int:
    """The safe moves of a colour: the most that it can make in a row, each leaving all its chains two liberties."""
    mover, known = int(parse_color(color)), dict[bytes, int]()

    def most(board: Board) -> int:
        if (colors := bd.colors(board)) not in known:
            legal = [p for p in bd.points(board) if bd.is_legal(board, p, mover, False)]
            after = [bd.after(board, p, mover) for p in legal]
            known[colors] = max((1 + most(then) for then in after if not bd.chains_in_atari(then, mover)), default=0)
        return known[colors]

    return most(game.board)


def connects(game: Game, vertices: str) -> set[int]:
    """The plays of the side to move that make one chain of two."""
    one, two = map(game.point, vertices.split("+"))
    boards = {p: bd.after(game.board, p, int(game.to_move)) for p in game.legal_plays()}
    return {p for p, board in boards.items() if int(board.root[one]) == int(board.root[two])}


def wins(game: Game) -> set[int]:
    """All plays of the side to move that win a capture game."""
    return {*Winning(game).right(game.board, int(game.to_move))}


def winner(game: Game) -> str:
    """The side that has won a capture game, or wins it with best play."""
    if game.outcome is not None:
        return words.SHORT.name(int(game.outcome.winner or EMPTY)).lower()
    result = Winning(game).solver.value(game.board, int(game.to_move))
    assert result
    return words.SHORT.name(int(game.to_move) if result > 0 else opponent(int(game.to_move))).lower()


def plays(game: Game) -> int:
    """The least number of plays with which the side to move wins a capture game; 0 if it needs more than MOST_PLAYS."""
    solver = Winning(game).solver
    node = solver.node(game.board, int(game.to_move))
    return next((n for n in range(1, MOST_PLAYS + 1) if solver.search(node, None, WIN, 2 * n - 1) == WIN), 0)


def status(game: Game, vertex: str) -> str:
    """Whether a chain is alive, dead, or neither: the side that moves first decides."""
    life = Life(game, vertex)
    results = {life.reached(game.board, mover) for mover in (life.attacker, life.defender)}
    return "unsettled" if len(results) > 1 else "dead" if results.pop() else "alive"


def eyes(game: Game, vertex: str) -> set[int]:
    """The one-point eyes of the chain of a vertex."""
    board, chain = game.board, stones(game, vertex)
    return {p for p in liberties(game, vertex) if {*bd.neighbors(board, p)} <= chain}


def live(game: Game, vertex: str) -> set[int]:
    return {*Life(game, vertex).right(game.board, int(game.to_move))}


def statuses(game: Game) -> scoring.Statuses:
    """The status of every chain at the end of a game, proven: alive or dead even if its owner always passes."""
    fates = scoring.all_proven(game.board)
    assert fates is not None, "a chain is neither alive nor dead"
    return fates


def territory(game: Game, color: str) -> set[int]:
    """The points that a colour surrounds, without dead stones."""
    return _surrounded(scoring.cleared(game.board, statuses(game)), color)


def dead(game: Game, color: str) -> set[int]:
    """The dead stones of a colour at the end of a game."""
    chains = [p for p, fate in statuses(game).items() if fate is scoring.Status.DEAD]
    return {q for p in chains if game.board.color[p] == int(parse_color(color)) for q in bd.stones(game.board, p)}


def region(game: Game, vertex: str) -> set[int]:
    """The free points that are connected with a free point."""
    (points,) = [free for free in scoring.regions(game.board, [EMPTY]) if game.point(vertex) in free]
    return points


def around(game: Game, vertex: str) -> set[int]:
    """The stones next to the free points that are connected with a free point."""
    free = region(game, vertex)
    return {q for p in free for q in bd.neighbors(game.board, p)} - free


def fenced(game: Game, color: str) -> set[int]:
    """The free points in regions that touch stones of one colour only, whatever happens later."""
    return _surrounded(game.board, color)


def _surrounded(board: Board, color: str) -> set[int]:
    owner = int(parse_color(color))
    return {p for free in scoring.regions(board, [EMPTY]) if scoring.owner(board, free) == owner for p in free}


def shared(game: Game) -> set[int]:
    """The free points where no colour has a safe play, although no chain is in atari now."""
    assert not bd.chains_in_atari(game.board, BLACK) + bd.chains_in_atari(game.board, WHITE), "a chain is in atari"
    return empty(game) - safe(game, "black") - safe(game, "white")


def neutral(game: Game) -> set[int]:
    """The empty points that neither colour surrounds."""
    return empty(game) - territory(game, "black") - territory(game, "white")


def prisoners(game: Game, color: str) -> int:
    return game.prisoners(color)


def lead(game: Game, color: str) -> int:
    """The points without komi by which a colour leads by territory and prisoners.

    By area the lead differs by as many points as one colour has made more plays.
    """
    by = {rules: scoring.lead(game.board, statuses(game), Rules.parse(rules)) for rules in ("japanese", "chinese")}
    made = {c: len(bd.stones_of(game.board, c)) + game.prisoners(opponent(c)) for c in (BLACK, WHITE)}
    assert by["chinese"] - by["japanese"] == made[BLACK] - made[WHITE]
    return by["japanese"] if int(parse_color(color)) == BLACK else -by["japanese"]


def komi(game: Game) -> str:
    return f"{game.komi:g}"


def handicap(game: Game, stones: str) -> set[int]:
    """The points of handicap stones."""
    return {*fixed_handicap(game.width, game.height, int(stones))}


def first(game: Game) -> str:
    """The side that moves first after the handicap stones of the game."""
    begun = Game(game.rules, game.size)
    begun.place_handicap(begun.vertex(p) for p in fixed_handicap(game.width, game.height, game.handicap))
    assert begun.positions[0].colors == game.positions[0].colors, "other stones are on the board"
    return words.SHORT.name(int(begun.to_move)).lower()


def most(game: Game) -> set[int]:
    """The plays of the side to move that finish a game of Go as well as possible."""
    return {*Most(game).right(game.board, int(game.to_move))}


def finish(game: Game, color: str) -> int:
    """The points without komi by which a colour leads when both sides have finished the game as well as possible."""
    lead = Most(game).lead(game.board, int(game.to_move))
    return lead if int(parse_color(color)) == BLACK else -lead


FACTS: Final[dict[str, Callable[..., Collection[int] | int | str]]] = {
    "liberties": liberties,
    "stones": stones,
    "chains": chains,
    "in atari": atari,
    "taken": taken,
    "take": takes,
    "atari": attacks,
    "forbidden": forbidden,
    "safe": safe,
    "room": room,
    "connects": connects,
    "win": wins,
    "winner": winner,
    "plays": plays,
    "status": status,
    "eyes": eyes,
    "live": live,
    "kill": live,
    "territory": territory,
    "dead": dead,
    "region": region,
    "around": around,
    "fenced": fenced,
    "shared": shared,
    "neutral": neutral,
    "prisoners": prisoners,
    "lead": lead,
    "komi": komi,
    "handicap": handicap,
    "first": first,
    "most": most,
    "finish": finish,
}


def fact(game: Game, name: str) -> Collection[int] | int | str:
    """Return the value of a fact, such as `liberties C3` or `number of liberties C3`."""
    if (counted := name.removeprefix("number of ")) != name:
        points = fact(game, counted)
        assert not isinstance(points, int | str)
        return len(points)
    word = max((word for word in FACTS if f"{name} ".startswith(f"{word} ")), key=len, default="")
    if not word:
        raise ValueError(f"no fact is named {name!r}: choose {', '.join(FACTS)}")
    return FACTS[word](game, *name.removeprefix(word).split())


def is_true(game: Game, name: str, value: str, marked: Collection[int]) -> bool:
    """Whether a fact has a value."""
    fact_value = fact(game, name)
    if isinstance(fact_value, str):
        return fact_value == value
    if isinstance(fact_value, int):
        return fact_value == int(value)
    wanted = marked if value == "marked" else [] if value == "none" else map(game.point, value.split())
    return {*fact_value} == {*wanted}


# --- Goals of plays ---


class Judge(Protocol):
    """Decides whether plays reach a goal, and gives the moves that follow them."""

    def right(self, board: Board, color: int) -> list[int]:
        """Return the plays that reach the goal."""

    def resistance(self, after: Board, color: int) -> int | None:
        """Return the reply of a colour that resists longest after a right play; None if nothing is left to do."""

    def refutation(self, after: Board, color: int) -> tuple[int, ...]:
        """Return the moves, the first one of a colour, that punish a wrong play."""

    def comment(self, after: Board, color: int, to_move: int, right: bool) -> str:
        """Return a sentence about the end of a line, read off the board; `color`: the side that has the task.

        The game is not over; the sentence about a game that is over is its result.
        """


class Winning:
    """A capture game is to be won: decided by the solver."""

    def __init__(self, game: Game) -> None:
        self.rules, self.solver = game.rules, self.new_solver(game)

    def new_solver(self, game: Game) -> exact.ExactSolver:
        return solver_for(game.rules, game.board, nodes=NODES)

    def plays(self, board: Board, color: int) -> Iterator[exact.Play]:
        return self.solver.plays(self.solver.node(board, color))

    def won(self, board: Board) -> int | None:
        """The colour that has enough prisoners."""
        return next((c for c in (BLACK, WHITE) if self.rules.won_by(int(board.prisoners[c]))), None)

    def right(self, board: Board, color: int) -> list[int]:
        plays = self.solver.winning_plays(self.solver.node(board, color))
        assert plays is not None, "the solver does not decide this"
        return [play.point for play in plays]

    def resistance(self, after: Board, color: int) -> int | None:
        if self.won(after) is not None:
            return None
        plies = {play.point: self.solver.length_after(play, most=LONGEST) for play in self.plays(after, color)}
        if not plies:
            return None
        longest = max(LONGEST + 1 if n is None else n for n in plies.values())
        replies = [p for p, n in plies.items() if (LONGEST + 1 if n is None else n) == longest]
        answers = {p: len(self.right(bd.after(after, p, color), opponent(color))) for p in replies if longest}
        return min(replies, key=lambda p: answers[p]) if longest else None

    def refutation(self, after: Board, color: int) -> tuple[int, ...]:
        return () if self.won(after) is not None else refutation(self.solver, self.solver.node(after, color))

    def comment(self, after: Board, color: int, to_move: int, right: bool) -> str:
        assert not right, "a win ends the game"
        return words.SHORT.text("problem.force", winner=words.SHORT.name(opponent(color)))


class PlainSolver(exact.ExactSolver):
    """Wins of several prisoners within a few plies, by a plain search that needs no result of the whole game."""

    def search(self, node: exact.Node, deadline: Deadline | None = None, attacker: int = 0, plies: int = 0) -> int:
        assert attacker, "the winner of the game is not searched"
        if self._wins_at_once(node):
            return WIN
        if plies < 2:
            return -attacker
        for play in self.plays(node):
            lost = play.winner is not None
            if not lost and self.search(play.node, None, -attacker, plies - 1) == LOSS:
                return WIN
        return LOSS

    def clear(self) -> None:
        return

    def progress(self) -> str:
        return ""


class Soon(Winning):
    """A capture game is to be won in as few plays as possible, against every defence: decided by the solver."""

    def __init__(self, game: Game, plays: str) -> None:
        """AssertionError: `plays` is not the least number of plays."""
        super().__init__(game)
        self.most = 2 * int(plays) - 1
        self.limit = self.most
        """The plies to the end at the turn that was judged last."""
        assert (least := self._least(game.board, int(game.to_move))) == self.most, f"the least plies are {least}"

    def new_solver(self, game: Game) -> exact.ExactSolver:
        if game.rules.captures == 1:
            return super().new_solver(game)
        return PlainSolver(game.width, game.height, game.rules.captures or 0, suicide=game.rules.suicide)

    def _decided(self, board: Board, color: int, attacker: int, plies: int) -> bool:
        """Whether a colour that is to move wins (attacker WIN) or loses (LOSS) within a number of plies."""
        result = self.solver.search(self.solver.node(board, color), None, attacker, plies)
        assert result != UNKNOWN, "the solver does not decide this"
        return result == attacker

    def _least(self, board: Board, color: int) -> int:
        """The plies in which a colour that is to move wins; more than `most` if it needs more."""
        within = range(1, self.most + 1, 2)
        return next((n for n in within if self._decided(board, color, WIN, n)), self.most + 2)

    def right(self, board: Board, color: int) -> list[int]:
        plies = self.limit = self._least(board, color)
        legal = [play.point for play in self.plays(board, color)]
        return [p for p in legal if self._ends(bd.after(board, p, color), color, plies - 1)]

    def _ends(self, after: Board, color: int, plies: int) -> bool:
        if (winner := self.won(after)) is not None:
            return winner == color
        return plies > 0 and self._decided(after, opponent(color), LOSS, plies)

    def resistance(self, after: Board, color: int) -> int | None:
        """Return the reply that resists longest; of several, one that saves stones in atari or stands near them."""
        if self.won(after) is not None:
            return None
        plays = self._by_interest(after, color)
        plies = next(n for n in range(2, self.most, 2) if self._decided(after, color, LOSS, n))
        return next(p for p, then in plays if not self._wins(then, opponent(color), plies - 3))

    def _wins(self, board: Board, color: int, plies: int) -> bool:
        """Whether a colour that is to move wins within a number of plies; false if the game is won already."""
        return self.won(board) is None and plies > 0 and self._decided(board, color, WIN, plies)

    def _by_interest(self, board: Board, color: int) -> list[tuple[int, Board]]:
        """The plays of a colour and the boards after them: first those that take, then those next to weak chains."""
        weak = {q: len(bd.liberties(board, p)) for p in bd.chains(board) for q in bd.stones(board, p)}

        def key(play: tuple[int, Board]) -> tuple[bool, int, int]:
            takes = bd.captures_at(board, play[0], color) > 0
            near = [weak[q] for q in bd.neighbors(board, play[0]) if q in weak and board.color[q] == color]
            return not takes, min(near, default=9), play[0]

        plays = [(play.point, bd.after(board, play.point, color)) for play in self.plays(board, color)]
        return sorted(plays, key=key)

    def refutation(self, after: Board, color: int) -> tuple[int, ...]:
        """Return a play after which the other side needs more plies than after a right play, one that takes first.

        () if the other side could have won at once, and still wins with its next play.
        """
        plays = self._by_interest(after, color)
        late = (p for p, then in plays if not self._wins(then, opponent(color), self._late))
        return tuple(itertools.islice(late, 1))

    @property
    def _late(self) -> int:
        """The plies within which a side whose play was refuted does not win."""
        return max(1, self.limit - 2)

    def comment(self, after: Board, color: int, to_move: int, right: bool) -> str:
        assert to_move == color or self.limit == 1, "the play is not refuted"
        if to_move != color:
            return "This does not win yet."
        moves = (self._late + 1) // 2
        return f"Now {words.SHORT.name(color)} cannot win with the next {'move' if moves == 1 else f'{moves} moves'}."


class AtSight:
    """A chain is to be taken, put in atari, or taken out of atari, with one play."""

    def __init__(self, target: int, kind: str) -> None:
        """`target`: a stone of the chain; 0 for any chain."""
        self.target, self.kind = target, kind

    def right(self, board: Board, color: int) -> list[int]:
        legal = [p for p in bd.points(board) if bd.is_legal(board, p, color, False)]
        return [p for p in legal if self._reached(board, p, color)]

    def _reached(self, board: Board, play: int, color: int) -> bool:
        after = bd.after(board, play, color)
        if self.kind == "take":
            return after.color[self.target] == EMPTY if self.target else bool(bd.captures_at(board, play, color))
        if self.kind == "save":
            return not bd.in_atari(after, self.target)
        return bool(bd.in_atari(after, self.target)) and not bd.in_atari(after, play)

    def resistance(self, after: Board, color: int) -> int | None:
        return None

    def refutation(self, after: Board, color: int) -> tuple[int, ...]:
        """Return the play that takes the target, or takes it out of atari: one that captures if there is one."""
        if not self.target or not bd.in_atari(after, self.target):
            return ()
        if self.kind == "atari":  # the new stone has one liberty, too
            return tuple(AtSight(0, "take").right(after, color)[:1])
        other = AtSight(self.target, "take" if self.kind == "save" else "save")
        return tuple(sorted(other.right(after, color), key=lambda p: bd.captures_at(after, p, color) == 0)[:1])

    def comment(self, after: Board, color: int, to_move: int, right: bool) -> str:
        winner = color if right else opponent(color)
        taken = int(after.prisoners[winner])
        if right and self.kind != "take":
            return "Atari!" if self.kind == "atari" else "The stones are out of atari."
        if not right and not taken:
            refutable = self.kind == "take" or (self.kind == "atari" and to_move != color)
            assert refutable, "the play is not refuted"
            if to_move == color:
                return f"Now the stones have {len(bd.liberties(after, self.target))} liberties."
            winner, taken = color, int(after.prisoners[color])  # other stones than those of the task
            if not taken:
                return "This takes nothing." if self.kind == "take" else "This is no atari."
        return f"{words.SHORT.name(winner)} takes {'a stone' if taken == 1 else f'{taken} stones'}."


class Reading:
    """Whether an attacker reaches a goal, by a search of all plays on some points, and of passes, with simple ko.

    Two passes in a row end a line.
    """

    attacker: int
    region: list[int]
    """The points that are searched."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, int, int, int, int, bool], bool | None] = {}

    def reached(self, board: Board, mover: int) -> bool:
        """Whether the attacker reaches the goal if a colour moves first. AssertionError: not decided."""
        for depth in range(1, DEPTH, 2):
            result = self._reached(board, mover, depth, False)
            if result is not None:
                return result
        raise AssertionError("this position is not decided")

    def _reached(self, board: Board, mover: int, depth: int, passed: bool) -> bool | None:
        result = self.at_sight(board)
        if result is not None or depth == 0:
            return result
        lead = int(board.prisoners[BLACK]) - int(board.prisoners[WHITE])
        key = self.colors(board), lead, mover, int(board.ko), depth, passed
        if key not in self._known:
            self._known[key] = self._search(board, mover, depth, passed)
        return self._known[key]

    def _search(self, board: Board, mover: int, depth: int, passed: bool) -> bool | None:
        wanted, unknown = mover == self.attacker, False
        for p in self.plays(board, mover):
            result = self._reached(bd.after(board, p, mover), opponent(mover), depth - 1, False)
            if result is wanted:
                return wanted
            unknown |= result is None
        if passed:
            result = self.at_end(board)
        else:
            after = board.copy()
            after.ko = 0
            result = self._reached(after, opponent(mover), depth - 1, True)
        return wanted if result is wanted else None if unknown or result is None else result

    def colors(self, board: Board) -> bytes:
        """Return the colours of the points on which the result depends."""
        return bytes(board.color[p] for p in self.region)

    def plays(self, board: Board, color: int) -> list[int]:
        """Return the plays of a colour that are searched."""
        return [p for p in self.region if p != int(board.ko) and bd.is_legal(board, p, color, False)]

    def at_sight(self, board: Board) -> bool | None:
        """Whether the goal is reached; None if it is neither reached nor missed yet."""

    def at_end(self, board: Board) -> bool | None:
        """Whether the goal is reached after two passes; None if they decide nothing."""


class Life(Reading):
    """A chain is to be taken, or saved: all plays inside the stones around it are searched, and passes, with simple ko.

    Chains of the attacker without a liberty outside are inside, too.
    Plays outside count as passes: each chain around has WALL liberties or more there.
    """

    def __init__(self, game: Game, vertex: str) -> None:
        super().__init__()
        self.target = game.point(vertex)
        self.defender = int(game.board.color[self.target])
        self.attacker = opponent(self.defender)
        self._safe: dict[bytes, bool] = {}
        inside = scoring.regions(game.board, [EMPTY, self.defender])
        region = next(region for region in inside if self.target in region)
        around = {q for p in region for q in bd.neighbors(game.board, p)} - region
        enclosed = {q for q in around if {*bd.liberties(game.board, q)} <= region}
        self.region = sorted(region | enclosed)
        assert all({*bd.neighbors(game.board, q)} <= region | around for q in enclosed), "an attacker is half enclosed"
        wall = around - enclosed
        assert all(len({*bd.liberties(game.board, q)} - region) >= WALL for q in wall), "the wall is weak"

    def at_sight(self, board: Board) -> bool | None:
        if board.color[self.target] != self.defender:
            return True
        colors = bytes(board.color[p] for p in self.region)
        if colors not in self._safe:
            self._safe[colors] = self.target in scoring.unconditional(board, self.defender)
        return False if self._safe[colors] else None

    def at_end(self, board: Board) -> bool | None:
        return False

    def right(self, board: Board, color: int) -> list[int]:
        wanted = color == self.attacker
        legal = [p for p in bd.points(board) if p != int(board.ko) and bd.is_legal(board, p, color, False)]
        return [p for p in legal if self.reached(bd.after(board, p, color), opponent(color)) is wanted]

    def resistance(self, after: Board, color: int) -> int | None:
        """Return a reply that must be answered: a pass would lose what was won. The longest such line first."""
        lengths = {p: n for p in self.plays(after, color) if (n := self._length(bd.after(after, p, color), color))}
        return max(lengths, key=lambda p: lengths[p]) if lengths else None

    def _length(self, board: Board, color: int) -> int:
        """Return the turns for which a play of a colour, just made, keeps the other side busy; 0 if it may pass."""
        other = opponent(color)
        if self.reached(board, color) == (other == self.attacker):
            return 0
        rest = [bd.after(board, p, other) for p in self.right(board, other)]
        following = [
            max([0, *(self._length(bd.after(b, p, color), color) for p in self.plays(b, color))]) for b in rest
        ]
        return 1 + min(following, default=0)

    def refutation(self, after: Board, color: int) -> tuple[int, ...]:
        """Return the best reply, and the fight as long as the other side has a play that must be answered."""
        right = self.right(after, color)
        if not right or self.reached(after, opponent(color)) == (color == self.attacker):
            return ()  # nothing needs to be done
        line = [right[0]]
        board = bd.after(after, right[0], color)
        reply = self.resistance(board, opponent(color))
        if reply is not None:
            board = bd.after(board, reply, opponent(color))
            line += [reply, *self.refutation(board, color)]
        return tuple(line)

    def comment(self, after: Board, color: int, to_move: int, right: bool) -> str:
        gone = after.color[self.target] == EMPTY
        alive = not gone and not self.reached(after, to_move)
        end = "loses the stones" if gone else "lives" if alive else "cannot live"
        return f"{words.SHORT.name(self.defender)} {end}."


class Lead(Reading):
    """Whether Black leads by a number of points at the end of a game of Go, by the rules' own count, without komi.

    Points inside stones that are unconditionally alive at the start are not searched: a play there gains nothing.
    """

    attacker = BLACK

    def __init__(self, game: Game, points: int) -> None:
        super().__init__()
        closed = scoring.unconditional(game.board, BLACK) | scoring.unconditional(game.board, WHITE)
        self.region = [p for p in bd.points(game.board) if p not in closed]
        self.rules, self.points = game.rules, points
        self._ends = dict[bytes, int | None]()

    def colors(self, board: Board) -> bytes:
        return bd.colors(board)  # a stone that was wasted outside of the region counts

    def at_end(self, board: Board) -> bool | None:
        if (colors := bd.colors(board)) not in self._ends:
            fates = scoring.all_proven(board)
            alone = board.copy()
            alone.prisoners = [0] * 4
            self._ends[colors] = None if fates is None else scoring.lead(alone, fates, self.rules)
        lead = self._ends[colors]
        return None if lead is None else lead + int(board.prisoners[BLACK]) - int(board.prisoners[WHITE]) >= self.points


class Most:
    """A game of Go is to be finished with as many points as possible, without komi."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._readings = dict[int, Lead]()

    def lead(self, board: Board, mover: int) -> int:
        """Black's lead at the end if a colour moves now and both sides play as well as possible."""
        lead = scoring.territory(board).lead
        while not self._leads(board, mover, lead):
            lead -= 1
        while self._leads(board, mover, lead + 1):
            lead += 1
        return lead

    def _leads(self, board: Board, mover: int, points: int) -> bool:
        if points not in self._readings:
            self._readings[points] = Lead(self.game, points)
        return self._readings[points].reached(board, mover)

    def right(self, board: Board, color: int) -> list[int]:
        best = self.lead(board, color)
        others, least = opponent(color), best + (color == WHITE)
        after = {p: bd.after(board, p, color) for p in Lead(self.game, best).plays(board, color)}
        return [p for p, then in after.items() if self._leads(then, others, least) == (color == BLACK)]

    def resistance(self, after: Board, color: int) -> int | None:
        return None

    def refutation(self, after: Board, color: int) -> tuple[int, ...]:
        """Return the best reply."""
        return tuple(self.right(after, color)[:1])

    def comment(self, after: Board, color: int, to_move: int, right: bool) -> str:
        lead = self.lead(after, to_move)
        if not lead:
            return "At the end the two sides are even, without komi."
        points = "a point" if abs(lead) == 1 else f"{abs(lead)} points"
        return f"At the end {words.SHORT.name(BLACK if lead > 0 else WHITE)} is {points} ahead, without komi."


def judge(game: Game, goal: str) -> Judge:
    """Return the judge of the plays of a problem."""
    name, _, vertex = goal.partition(" ")
    if name in ("win", "soon"):
        return Winning(game) if name == "win" else Soon(game, vertex)
    if name in ("live", "kill"):
        return Life(game, vertex)
    if name == "most":
        return Most(game)
    return AtSight(game.point(vertex) if vertex else 0, name)


# --- The answers in a file ---


def filled(data: bytes) -> bytes:
    """Return a lesson with its answers made anew. AssertionError: a statement is wrong, or a problem is none."""
    return b"\n".join(dump_trees([_filled(game)]) for game in sgf.split(data))


def _filled(data: bytes) -> Node:
    root = read_tree(data)
    stated = {name: value for name, value in files.facts(root).items() if not name.startswith(lessons.PLAN)}
    goal, game = stated.pop("goal", ""), sgf.load(data, before_move=1)
    try:
        if goal.partition(" ")[0] in lessons.PLAYS:
            _write_plays(root, game, judge(game, goal), int(stated.pop("answers", "1")))
            for name, own in _of_solution(root, game).items():
                assert stated.pop(name, own) == own, f"{name} is {own}"
        elif goal:
            _write_answer(root, sgf.load(data), goal)
        if "level" in stated:
            return root
        if not goal:
            _write_numbers(root, sgf.load(data))
            _write_territory(root, game, stated)
        assert len(files.facts(root)) == len(root.properties.get("GCP", [])), "a statement is there twice"
        for node, position in positions(root, data):
            for name, value in stated.items() if node is root else files.facts(node).items():
                assert is_true(position, name, value, lessons.labels(node, position)), (
                    f"{name} is {_shown(position, name)}, not {value}"
                )
        for text in _vertices(root.text("C")):
            assert game.point(text)
    except (AssertionError, ValueError) as error:
        raise AssertionError(f"{root.text('GN')}: {error}\n{game}") from error
    return root


def _shown(game: Game, name: str) -> str:
    value = fact(game, name)
    return str(value) if isinstance(value, int | str) else " ".join(map(game.vertex, sorted(value)))


def _of_solution(root: Node, game: Game) -> dict[str, str]:
    """Statements about the solution, the main line of a tree: its theme, and the stones that the winner gives up."""
    end = sgf.load(dump_trees([root]))
    moves = tuple(move.point for move in end.moves)
    theme = theme_of(Start.of(game.board, int(game.to_move), game.rules), moves)
    return {"theme": theme, "given": str(end.prisoners(opponent(int(game.to_move))))}


def _vertices(text: str) -> list[str]:
    """Return the points that a text names."""
    return re.findall(r"\b[A-T]\d{1,2}\b", text)


def positions(root: Node, data: bytes, rules: Rules | None = None) -> Iterator[tuple[Node, Game]]:
    """Yield each node of the main line that has statements, with its position; `rules`: other ones than the file's."""
    moves = 0
    for node in root.main_line():
        moves += bool(node.properties.keys() & {"B", "W"})
        if files.facts(node):
            yield node, sgf.load(data, rules, before_move=moves + 1)


def _write_plays(root: Node, game: Game, goal: Judge, answers: int) -> None:
    right = goal.right(game.board, int(game.to_move))
    assert len(right) == answers, f"{len(right)} plays are right: {' '.join(map(game.vertex, right))}"
    root.children = []
    _write_turn(root, Start.of(game.board, int(game.to_move), game.rules), (), goal)


def _write_turn(node: Node, start: Start, played: tuple[int, ...], goal: Judge) -> None:
    """Add every legal play of a turn: right ones with the longest resistance, wrong ones with their refutation."""
    board, color = _board_after(start, played), start.to_move
    right, size = goal.right(board, color), (start.width, start.height)
    legal = [p for p in bd.points(board) if p != int(board.ko) and bd.is_legal(board, p, color, False)]
    for play in [*reversed([p for p in legal if p not in right]), *reversed(right)]:
        after = bd.after(board, play, color)
        child = node.add(move_node(color, play, *size))
        if play not in right:
            line = [*goal.refutation(after, opponent(color))]
            end = _add_line(child, start, line)
            if comment := _comment(start, (*played, play, *line), goal, right=False):
                end.set_text("C", comment)
        elif (reply := goal.resistance(after, opponent(color))) is None:
            child.set_text("C", f"{RIGHT} {_comment(start, (*played, play), goal, right=True)}".strip())
        else:
            _write_turn(_add_line(child, start, [reply]), start, (*played, play, reply), goal)
    node.children.reverse()  # the right ones first


def _add_line(node: Node, start: Start, moves: list[int]) -> Node:
    """Add moves of both sides, the first one of the side that was not to move; return the last node."""
    for number, move in enumerate(moves):
        mover = start.to_move if number % 2 else opponent(start.to_move)
        node = node.add(move_node(mover, move, start.width, start.height))
    return node


def _board_after(start: Start, moves: tuple[int, ...]) -> Board:
    return list(boards_along(start, moves))[-1][0]


def _comment(start: Start, moves: tuple[int, ...], goal: Judge, *, right: bool) -> str:
    """Return the sentence about the end of a line: the result if the game is over, else the comment of the judge."""
    outcome, color = start.outcome(moves), start.to_move
    if outcome is not None:
        assert right == (outcome.winner == Color(color)), (
            "the side that is set the task wins with a wrong play, or loses"
        )
        return words.end(start, moves, words.SHORT)
    return goal.comment(_board_after(start, moves), color, opponent(color) if len(moves) % 2 else color, right)


def _write_numbers(root: Node, game: Game) -> None:
    """Put the numbers of the moves of a page beside its letters, so that programs show what its text names."""
    marks = lessons.Page(root.text("GN"), root.text("C"), game, lessons.labels(root, game)).numbers
    if marks:
        pairs = [point_text(p, *game.size) + f":{text}".encode() for p, (text, _) in sorted(marks.items())]
        root.properties["LB"] = pairs


def _write_territory(root: Node, game: Game, stated: Mapping[str, str]) -> None:
    """Mark the territory, or what is fenced in, that the first position of a page is said to have."""
    for (color, name), word in itertools.product(lessons.TERRITORY.items(), ("fenced", "territory")):
        side = str(Color(color))
        root.properties.pop(name, None) if word == "fenced" else None
        if {f"{word} {side}", f"number of {word} {side}"} & {*stated} and (points := fact(game, f"{word} {side}")):
            assert isinstance(points, set)
            root.properties[name] = [point_text(p, *game.size) for p in sorted(points)]


def _write_answer(root: Node, game: Game, goal: str) -> None:
    """Put the points or the number of a fact, and letters on the points, into the last node."""
    value, points = fact(game, goal), fact(game, goal.removeprefix("number of "))
    last = list(root.main_line())[-1]
    if last.properties.keys() & {"B", "W"} or last is root:
        last = last.add(Node())
    last.properties.clear()
    last.set_text("C", f"{RIGHT}: {value}" if isinstance(value, int) else RIGHT)
    assert isinstance(value, int) or value, "no point is right"
    if not isinstance(points, int | str) and 0 < len(points) <= len(LETTERS):
        pairs = zip(sorted(points), LETTERS, strict=False)
        last.properties["LB"] = [point_text(p, *game.size) + b":" + letter.encode() for p, letter in pairs]


def with_ends(data: bytes) -> bytes:
    """Return a file of the collection with the sentences about the ends of its lines made anew.

    `tests/teach/puzzles/test_collection.py` proves that its wrong lines lose.
    """
    bare = [
        replace(problem, variations=tuple(v._replace(comment="", refuted=not v.right) for v in problem.variations))
        for problem in files.parse(data)
    ]
    return files.dump(bare)


def collection() -> list[Path]:
    """Return the files of the collection."""
    return sorted(Path(str(resources.files(files.__package__) / "collection")).glob("*.sgf"))


def main() -> None:
    """Write all lessons and the ends of the collection anew."""
    for number in lessons.numbers():
        path = Path(str(resources.files(lessons.__package__) / lessons.FOLDER / f"lesson-{number}.sgf"))
        try:
            path.write_bytes(filled(lessons.source(number)))
        except AssertionError as error:
            sys.exit(f"{path.name}: {error}")
    for path in collection():
        path.write_bytes(with_ends(path.read_bytes()))


if __name__ == "__main__":
    main()
