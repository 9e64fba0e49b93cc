"""First capture by plain search over bits, for boards of up to 31 points; shares no code with the solver.

A position is two sets of points, `own` for the side to move and `opp`. There is no knowledge besides the rules: a play
that takes the last liberty of an opposing chain wins, a play without a liberty for its own chain is illegal, and a side
without a play loses. Compiled, because a position of 5x5 with ten stones has millions of successors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar, cast

import numba
import numpy as np

from gtp_capture.go import board as bd
from gtp_capture.go.board import Board
from gtp_capture.teach.puzzles.problem import Problem, boards_along

Function = TypeVar("Function", bound=Callable[..., Any])

SLOTS: Final = 1 << 24
"""Slots of the table of positions."""


class OracleError(Exception):
    """The table is full: the position is too large for this search."""


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, with points as u8 and numbers as i8; the compiled code is kept."""
    return cast("Function", numba.njit(function, cache=True))


@compiled
def beside(stones: Any, width: Any, height: Any) -> Any:
    """Return some points and those next to them."""
    everything = (np.uint64(1) << np.uint64(width * height)) - np.uint64(1)
    left = np.uint64(0)
    for y in range(height):
        left |= np.uint64(1) << np.uint64(y * width)
    right = left << np.uint64(width - 1)
    grown = stones | ((stones & ~right) << np.uint64(1)) | ((stones & ~left) >> np.uint64(1))
    return (grown | (stones << np.uint64(width)) | (stones >> np.uint64(width))) & everything


@compiled
def spread(stones: Any, inside: Any, width: Any, height: Any) -> Any:
    """Return all points of `inside` that are connected with some stones by points of `inside`."""
    while True:
        grown = beside(stones, width, height) & inside
        if grown == stones:
            return stones
        stones = grown


@compiled
def breathes(stone: Any, own: Any, opp: Any, width: Any, height: Any) -> bool:
    """Whether the chain of a stone has a liberty: what it reaches over own and empty points is more than the chain."""
    chain = spread(stone, own, width, height)
    everything = (np.uint64(1) << np.uint64(width * height)) - np.uint64(1)
    return bool(spread(chain, chain | (everything & ~own & ~opp), width, height) != chain)


@compiled
def takes(play: Any, own: Any, opp: Any, width: Any, height: Any) -> bool:
    """Whether a play leaves an opposing chain without a liberty."""
    for i in range(width * height):
        stone = np.uint64(1) << np.uint64(i)
        if stone & opp and not breathes(stone, opp, own | play, width, height):
            return True
    return False


@compiled
def value(own: Any, opp: Any, width: Any, height: Any, table: Any) -> int:
    """Return 1 if the side to move wins, -1 if it loses, 0 if the table is full."""
    key = (own << np.uint64(31) | opp) + np.uint64(1)
    slot = np.int64(key * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(40)) % len(table)
    tried = 0
    while table[slot] != 0 and table[slot] >> np.uint64(1) != key:
        slot = (slot + 1) % len(table)
        tried += 1
        if tried > 1000:
            return 0
    if table[slot] != 0:
        return 1 if table[slot] & np.uint64(1) else -1
    result = -1
    empty = ((np.uint64(1) << np.uint64(width * height)) - np.uint64(1)) & ~own & ~opp
    for i in range(width * height):
        play = np.uint64(1) << np.uint64(i)
        if play & empty and takes(play, own, opp, width, height):
            result = 1
            break
    if result < 0:
        # Plays next to opposing stones first: the order does not change the result.
        near = beside(opp, width, height)
        for part in (near & empty, empty & ~near):
            for i in range(width * height):
                play = np.uint64(1) << np.uint64(i)
                if result < 0 and play & part and breathes(play, own | play, opp, width, height):
                    following = value(opp, own | play, width, height, table)
                    if following == 0:
                        return 0
                    if following < 0:
                        result = 1
    while table[slot] != 0:
        slot = (slot + 1) % len(table)
    table[slot] = key << np.uint64(1) | np.uint64(result > 0)
    return result


@compiled
def wins_within(own: Any, opp: Any, width: Any, height: Any, plies: Any) -> bool:
    """Whether the side to move wins within an odd number of plies, by capture or because there is no legal reply."""
    empty = ((np.uint64(1) << np.uint64(width * height)) - np.uint64(1)) & ~own & ~opp
    for i in range(width * height):
        play = np.uint64(1) << np.uint64(i)
        if play & empty and takes(play, own, opp, width, height):
            return True
    for i in range(width * height):
        play = np.uint64(1) << np.uint64(i)
        if not play & empty or not breathes(play, own | play, opp, width, height):
            continue
        escaped = False
        for k in range(width * height):
            reply = np.uint64(1) << np.uint64(k)
            if not reply & empty or reply == play:
                continue
            if takes(reply, opp, own | play, width, height):
                escaped = True
            elif breathes(reply, opp | reply, own | play, width, height):
                escaped = plies < 3 or not wins_within(own | play, opp | reply, width, height, plies - 2)
            if escaped:
                break
        if not escaped:
            return True
    return False


class Oracle:
    """Answers for positions of one board size; the table is kept."""

    def __init__(self, width: int, height: int) -> None:
        assert width * height <= 31
        self.width, self.height = width, height
        self._table = np.zeros(SLOTS, np.uint64)

    def wins(self, own: Any, opp: Any) -> bool:
        """Whether the side to move wins. OracleError: the position is too large."""
        own, opp = np.uint64(own), np.uint64(opp)
        result = value(own, opp, self.width, self.height, self._table)
        if result == 0:  # start again with an empty table
            self._table[:] = 0
            result = value(own, opp, self.width, self.height, self._table)
        if result == 0:
            raise OracleError
        return bool(result > 0)

    def winning_plays(self, own: Any, opp: Any) -> list[int]:
        """Return the indices of all plays that win."""
        winning = []
        own, opp = np.uint64(own), np.uint64(opp)
        for i in range(self.width * self.height):
            play = np.uint64(1 << i)
            if play & (own | opp):
                continue
            if takes(play, own, opp, self.width, self.height) or (
                breathes(play, own | play, opp, self.width, self.height) and not self.wins(opp, own | play)
            ):
                winning.append(i)
        return winning

    def wins_within(self, own: Any, opp: Any, plies: int) -> bool:
        """Whether the side to move wins within an odd number of plies."""
        return bool(wins_within(np.uint64(own), np.uint64(opp), self.width, self.height, plies))


class Faults(NamedTuple):
    """The faults that an independent program finds in a problem."""

    second_win: bool
    """At a turn of the winner another play wins too, or the play of the solution does not win."""
    wrong_depth: bool
    """At a turn of the winner, the shortest win is not as long as the rest of the solution."""
    no_capture: bool
    """The solution does not end with a capture."""


def sides(board: Board, color: int) -> tuple[int, int]:
    """Return the stones of a colour, and the stones of the other colour, as bits of one number each."""
    points = list(enumerate(bd.points(board)))
    own, opp = (sum(1 << i for i, p in points if board.color[p] == c) for c in (color, 3 - color))
    return own, opp


def check(problem: Problem, oracle: Oracle) -> Faults:
    """Search a problem anew."""
    second = depth = False
    start, line = problem.start, problem.line
    captured = False
    for number, (board, color) in enumerate(boards_along(start, line)):
        captured = int(board.prisoners[start.to_move]) > 0
        if number == len(line) or number % 2:
            continue
        own, opp = sides(board, color)
        second |= oracle.winning_plays(own, opp) != [bd.points(board).index(line[number])]
        left = len(line) - number
        depth |= not oracle.wins_within(own, opp, left) or (left > 1 and oracle.wins_within(own, opp, left - 2))
    return Faults(second, depth, not captured)


def images(problem: Problem) -> set[frozenset[tuple[int, int, bool]]]:
    """Return all images of a square position, each as its stones with whether they are of the side to move."""
    board, size = problem.start.board(), problem.start.width
    stones = [
        (n % size, n // size, bool(board.color[p] == problem.start.to_move))
        for n, p in enumerate(bd.points(board))
        if board.color[p]
    ]
    last = size - 1
    turned = set()
    for turn in range(8):
        image = [(last - x if turn & 1 else x, last - y if turn & 2 else y, own) for x, y, own in stones]
        turned.add(frozenset((y, x, own) if turn & 4 else (x, y, own) for x, y, own in image))
    return turned


def duplicates(problems: list[Problem]) -> int:
    """Count the problems that are an image of an earlier one."""
    seen: set[tuple[int, frozenset[tuple[int, int, bool]]]] = set()
    count = 0
    for problem in problems:
        turned = {(problem.start.width, image) for image in images(problem)}
        count += bool(turned & seen)
        seen |= turned
    return count
