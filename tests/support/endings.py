"""The sentence at the end of a line of a problem, compared with the position there: rules over sets of points.

Nothing here uses the board of the program or its words; the solver, without its knowledge, decides only games on boards
that are too large for a plain search. Life and death is decided by a fixed point over all positions of the region
around a chain, with simple ko and passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np

from gtp_capture.go import board as bd
from gtp_capture.go.rules import Ko, Rules
from gtp_capture.go.vertex import BLACK, WHITE, column_row, point_at
from gtp_capture.solver.choice import solver_for
from gtp_capture.teach.puzzles.problem import Problem, Variation
from gtp_capture.teach.puzzles.prove import CHECK_NODES

from .brute_force import Points, bits, chain_of, has_liberty, liberties_of, neighbors
from .problem_oracle import Oracle, wins_within

Point = tuple[int, int]
COLORS: Final = {"Black": 0, "White": 1}
ORACLE: Final = 31
"""Points of the largest board on which `Oracle` decides a whole game."""


@dataclass(frozen=True, slots=True)
class Position:
    """Stones of Black and White, whose turn it is, the point of a ko, and the stones that each has taken."""

    width: int
    height: int
    stones: tuple[Points, Points]
    to_move: int
    ko: Point | None = None
    taken: tuple[int, int] = (0, 0)
    has_ko: bool = True
    """Whether a single stone may not be taken back at once."""

    def chain(self, p: Point) -> Points:
        own = next(stones for stones in self.stones if p in stones)
        return chain_of(p, own, self.width, self.height)

    def liberties(self, p: Point) -> Points:
        return liberties_of(self.chain(p), self.stones[0] | self.stones[1], self.width, self.height)

    def play(self, p: Point) -> Position | None:
        """Return the position after a play; None if it is illegal."""
        if p == self.ko or p in self.stones[0] or p in self.stones[1]:
            return None
        own, other = self.stones[self.to_move] | {p}, self.stones[1 - self.to_move]
        gone = frozenset(q for q in other if not has_liberty(q, other, own, self.width, self.height))
        sides = (own, other - gone) if self.to_move == 0 else (other - gone, own)
        if not has_liberty(p, own, other - gone, self.width, self.height):
            return None
        black, white = self.taken
        taken = (black + len(gone), white) if self.to_move == 0 else (black, white + len(gone))
        after = replace(self, stones=sides, to_move=1 - self.to_move, ko=None, taken=taken)
        ko = next(iter(gone)) if len(gone) == 1 and after.chain(p) == {p} and after.liberties(p) == gone else None
        return replace(after, ko=ko) if self.has_ko else after

    def plays(self) -> Iterator[Position]:
        points = ((x, y) for x in range(self.width) for y in range(self.height))
        return (after for p in points if (after := self.play(p)) is not None)


def position_of(problem: Problem) -> Position:
    start = problem.start
    stones = [frozenset(column_row(p, start.width) for p in points) for points in (start.black, start.white)]
    to_move, has_ko = int(start.to_move != BLACK), start.rules.ko is not Ko.NONE
    return Position(start.width, start.height, (stones[0], stones[1]), to_move, has_ko=has_ko)


@dataclass(frozen=True, slots=True)
class End:
    """The end of a line."""

    before: Position
    """The position before the last move."""
    last: Point
    """The last move."""
    position: Position
    captures: int | None
    """The stones that win, if captures do."""
    target: Point | None
    """The stone that the task names."""

    @property
    def count(self) -> int:
        """The stones that the last move takes."""
        return sum(self.position.taken) - sum(self.before.taken)

    @property
    def winner(self) -> int | None:
        """The side that has won by the rules of a capture game."""
        if self.captures is None:
            return None
        if max(self.position.taken) >= self.captures:
            return self.position.taken.index(max(self.position.taken))
        return None if any(self.position.plays()) else 1 - self.position.to_move


def ends(problem: Problem, goal: str) -> Iterator[tuple[Variation, End]]:
    """Play each line of a problem. AssertionError: a move is illegal, or comes after the end of the game."""
    named = re.search(r"\b([A-Z])(\d+)$", goal)
    target = ("ABCDEFGHJ".index(named[1]), int(named[2]) - 1) if named else None
    for variation in problem.variations:
        position, end = position_of(problem), None
        for move in variation.moves:
            assert end is None or end.winner is None, "the game is over"
            point = column_row(move, position.width)
            after = position.play(point)
            assert after is not None, "an illegal move"
            end = End(position, point, after, problem.start.rules.captures, target)
            position = after
        assert end is not None
        yield variation, end


def quick_win(position: Position, captures: int, moves: int) -> bool:
    """Whether the side to move wins within a number of its moves, against every defence."""
    if captures == 1:
        own, other = (bits(position.stones[c], position.width) for c in (position.to_move, 1 - position.to_move))
        sides = np.uint64(own), np.uint64(other), position.width, position.height
        return bool(wins_within(*sides, 2 * moves - 1))
    assert moves == 1
    mover = position.to_move
    return any(after.taken[mover] >= captures or not any(after.plays()) for after in position.plays())


@cache
def oracle(width: int, height: int) -> Oracle:
    return Oracle(width, height)


def wins_by_force(end: End, color: int) -> bool:
    """Whether a side, which has just moved, wins first capture: a plain search, or on larger boards the solver."""
    position, (width, height) = end.position, (end.position.width, end.position.height)
    assert (position.to_move, end.captures) == (1 - color, 1)
    if width * height <= ORACLE:
        return not oracle(width, height).wins(*(bits(position.stones[c], width) for c in (position.to_move, color)))
    board = bd.new(width, height)
    for stones, side in zip(position.stones, (BLACK, WHITE), strict=True):
        for x, y in stones:
            bd.place(board, point_at(x, y, width), side)
    solver = solver_for(Rules.parse("first-capture"), board, nodes=CHECK_NODES, knowledge=False)
    return solver.value(board, (BLACK, WHITE)[position.to_move]) < 0


# --- Points ---


def regions(position: Position) -> Iterator[tuple[Points, set[int]]]:
    """Yield each region of empty points with the sides whose stones are beside it."""
    taken = position.stones[0] | position.stones[1]
    rest = {(x, y) for x in range(position.width) for y in range(position.height)} - taken
    while rest:
        region = [rest.pop()]
        sides = set()
        for p in region:
            near = neighbors(p, position.width, position.height)
            sides |= {color for color in (0, 1) if near & position.stones[color]}
            region += near & rest
            rest -= near
        yield frozenset(region), sides


ROOM: Final = 8
"""Points without a stone of the other side around a chain that cannot live there."""


def without_dead(position: Position) -> Position:
    """Return a position of finished borders without the stones that stand in the other side's territory, taken."""
    sides, taken = [], list(position.taken)
    for color in (0, 1):
        other = position.stones[1 - color]
        dead = {p for p in position.stones[color] if len(Region.around(position, p, other)) <= ROOM}
        sides.append(position.stones[color] - dead)
        taken[1 - color] += len(dead)
    return replace(position, stones=(sides[0], sides[1]), taken=(taken[0], taken[1]))


@cache
def lead(position: Position, passed: bool = False, moves: int = 7) -> int:
    """Return Black's lead at the end under best play of both sides, in territory and prisoners; all stones are alive.

    Plays on points that only one side touches gain nothing and are not tried, except on the last liberty of a chain.
    After `moves` moves and passes the game is counted as it is.
    """
    sign, best = 1 - 2 * position.to_move, -1000
    areas = list(regions(position))
    if moves > 0:
        weak = {
            q for stones in position.stones for p in stones if len(last := position.liberties(p)) == 1 for q in last
        }
        for p in {p for region, sides in areas if len(sides) == 2 for p in region} | weak:
            if (after := position.play(p)) is not None:
                best = max(best, sign * lead(after, False, moves - 1))
        if not passed:
            other = replace(position, to_move=1 - position.to_move, ko=None)
            return sign * max(best, sign * lead(other, True, moves - 1))
    own = sum(len(region) * (1 if sides == {0} else -1) for region, sides in areas if len(sides) == 1)
    return sign * max(best, sign * (own + position.taken[0] - position.taken[1]))


# --- Sentences ---


def _takes(end: End, color: int, count: str) -> bool:
    return color != end.position.to_move and end.count == (1 if count == "a stone" else int(count.split()[0]))


def _liberties(end: End) -> int:
    assert end.target is not None
    return len(end.position.liberties(end.target))


SENTENCES: Final[dict[str, tuple[bool, Callable[..., bool]]]] = {
    r"(Black|White) takes (a stone|\d+ stones) and wins\.": (
        True,
        lambda end, color, count: _takes(end, COLORS[color], count) and max(end.position.taken) >= end.captures,
    ),
    r"(Black|White) cannot play anywhere\. (?:Black|White) wins\.": (
        True,
        lambda end, color: end.position.to_move == COLORS[color] and not any(end.position.plays()),
    ),
    r"(Black|White) takes (a stone|\d+ stones)\.": (
        False,
        lambda end, color, count: _takes(end, COLORS[color], count),
    ),
    r"This takes nothing\.": (False, lambda end: sum(end.position.taken) == 0),
    r"Now the stones have (\d+) liberties\.": (False, lambda end, count: _liberties(end) == int(count)),
    r"Atari!": (False, lambda end: _liberties(end) == 1 and len(end.position.liberties(end.last)) > 1),
    r"This is no atari\.": (False, lambda end: _liberties(end) > 1),
    r"The stones are out of atari\.": (False, lambda end: _liberties(end) > 1),
    r"This does not win yet\.": (False, lambda end: True),
    r"Now (Black|White) cannot win with the next (?:(\d+) moves|move)\.": (
        False,
        lambda end, color, moves: (
            end.position.to_move == COLORS[color] and not quick_win(end.position, end.captures, int(moves or 1))
        ),
    ),
    r"(Black|White) loses the stones\.": (
        False,
        lambda end, color: end.target not in end.position.stones[COLORS[color]],
    ),
    r"At the end (Black|White) is (a point|\d+ points) ahead, without komi\.": (
        False,
        lambda end, color, count: (
            lead(without_dead(end.position)) * (1 - 2 * COLORS[color])
            == (1 if count == "a point" else int(count.split()[0]))
        ),
    ),
    r"At the end the two sides are even, without komi\.": (False, lambda end: lead(without_dead(end.position)) == 0),
    r"(Black|White) wins by force\.": (False, lambda end, color: wins_by_force(end, COLORS[color])),
}
"""Each sentence, whether it says that the game is over, and whether it is true of an end, with its parts."""
LIVES: Final = re.compile(r"(Black|White) (lives|cannot live)\.")


def is_true(sentence: str, end: End) -> bool:
    """Whether a sentence that needs no search for life is true. AssertionError: the sentence is not known."""
    for pattern, (over, holds) in SENTENCES.items():
        if match := re.fullmatch(pattern, sentence):
            winner = re.search(r"(Black|White)(?: takes .* and)? wins\.$", sentence)
            said = COLORS[winner[1]] if over and winner else None
            return said == end.winner and holds(end, *match.groups())
    raise AssertionError(f"{sentence} is not known")


# --- Life ---

State = tuple[Position, bool]
"""A position, and whether the move before was a pass."""


class Region:
    """A chain with the points around it that its side could take, and those of the other side's plays."""

    def __init__(self, start: Position, target: Point) -> None:
        self.start, self.target = start, target
        self.defender = next(color for color, stones in enumerate(start.stones) if target in stones)
        wall = start.stones[1 - self.defender]
        self.points = self.around(start, target, wall)
        while enclosed := {p for p in wall if start.liberties(p) <= self.points}:  # an attacker's stones inside
            wall -= enclosed
            self.points = self.around(start, target, wall)

    @staticmethod
    def around(position: Position, place: Point, wall: Points) -> Points:
        """Return the points that are reached from a point without a stone of the wall."""
        free = {(x, y) for x in range(position.width) for y in range(position.height)} - wall
        return chain_of(place, free, position.width, position.height)

    def dead(self, ends: Iterable[Position]) -> list[bool]:
        """Return for each position whether the side to move, or the other one, takes the target against any defence."""
        roots = [(self._inside(position), False) for position in ends]
        following: dict[State, list[State | None]] = {}
        frontier = list(roots)
        while frontier:
            state = frontier.pop()
            if state not in following:
                following[state] = [*self._following(*state)]
                frontier += [after for after in following[state] if after is not None]
        taken = self._fixed_point(following)
        return [root in taken for root in roots]

    def _inside(self, position: Position) -> Position:
        """Return a position with the stones of the start outside the region."""
        sides = [
            (now & self.points) | (then - self.points)
            for now, then in zip(position.stones, self.start.stones, strict=True)
        ]
        return replace(position, stones=(sides[0], sides[1]), taken=(0, 0))

    def _following(self, position: Position, passed: bool) -> Iterator[State | None]:
        """Yield the states that can follow; None for the end after two passes."""
        if self.target not in position.stones[self.defender]:
            return
        for p in self.points:
            if (after := position.play(p)) is not None:
                yield replace(after, taken=(0, 0)), False
        yield None if passed else (replace(position, to_move=1 - position.to_move, ko=None), True)

    def _fixed_point(self, following: dict[State, list[State | None]]) -> set[State]:
        """Return the states in which the target is taken, whatever its side does."""
        before: dict[State, list[State]] = {state: [] for state in following}
        for state, others in following.items():
            for other in others:
                if other is not None:
                    before[other].append(state)
        left = {state: len(others) for state, others in following.items()}
        taken = {state for state, others in following.items() if not others}
        frontier = list(taken)
        while frontier:
            for state in before[frontier.pop()]:
                left[state] -= 1
                if state not in taken and (state[0].to_move != self.defender or left[state] == 0):
                    taken.add(state)
                    frontier.append(state)
        return taken


def faults(problem: Problem, goal: str) -> list[str]:
    """Return the sentences of a problem that are not true of the ends of their lines."""
    false, life = [], []
    for variation, end in ends(problem, goal):
        if variation.comment and LIVES.fullmatch(variation.comment):
            life.append((variation.comment, end))
        elif variation.comment and not is_true(variation.comment, end):
            false.append(f"{variation.comment} {end}")
    if life:
        target = life[0][1].target
        assert target is not None
        region = Region(position_of(problem), target)
        dead = region.dead(end.position for _, end in life)
        for (comment, end), is_dead in zip(life, dead, strict=True):
            said = LIVES.fullmatch(comment)
            assert said is not None
            if COLORS[said[1]] != region.defender or is_dead != (said[2] == "cannot live"):
                false.append(f"{comment} {end}")
    return false
