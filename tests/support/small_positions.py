"""Random positions of small boards, as a board of the package and as bits for the oracle of `family.py`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from gtp_capture.go import board as bd
from gtp_capture.go.board import Board
from gtp_capture.go.vertex import column_row, point_at

from .family import BLACK, WHITE, Play, chains, columns, plays


class Position(NamedTuple):
    """Stones, and the colour to move. Bit and index `y * width + x` stand for a point."""

    black: int
    white: int
    width: int
    height: int
    color: int

    @property
    def board(self) -> Board:
        """A new board with these stones."""
        board = bd.new(self.width, self.height)
        for side in (BLACK, WHITE):
            for index in indices(self.stones(side)):
                bd.place(board, self.point(index), side)
        return board

    @property
    def empty(self) -> int:
        """The empty points."""
        return columns(self.width, self.height)[0] & ~(self.black | self.white)

    def stones(self, side: int) -> int:
        """The stones of a colour."""
        return self.black if side == BLACK else self.white

    def point(self, index: int) -> int:
        """The point of the package."""
        return point_at(index % self.width, index // self.width, self.width)

    def index_of(self, point: int) -> int:
        """The index of a point of the package."""
        column, row = column_row(point, self.width)
        return row * self.width + column

    def chains(self, side: int) -> list[tuple[int, int]]:
        """The chains of a colour, each with its liberties."""
        return list(chains(self.stones(side), self.empty, self.width, self.height))

    def plays(self, side: int) -> tuple[Play, ...]:
        """The plays of a colour, suicides too."""
        return plays(self.stones(side), self.stones(3 - side), self.width, self.height)

    def after(self, play: Play, side: int) -> Position:
        """The position after a play of a colour."""
        black, white = (play.own, play.opp) if side == BLACK else (play.opp, play.own)
        return self._replace(black=black, white=white, color=3 - side)

    def captured(self, side: int) -> dict[int, int]:
        """The stones that each capturing play of a colour takes, by its index."""
        return {play.point: play.captured for play in self.plays(side) if play.captured}

    def safe(self) -> dict[int, Position]:
        """The plays that take nothing, and after which the opponent can take nothing either, by their indices."""
        positions = {
            p.point: self.after(p, self.color) for p in self.plays(self.color) if not p.captured and not p.lost
        }
        return {index: after for index, after in positions.items() if not after.captured(after.color)}


def indices(points: int) -> list[int]:
    """The indices of points."""
    return [index for index in range(points.bit_length()) if points >> index & 1]


def random_positions(seed: int, count: int, width: int, height: int, share_of_black: float = 0.5) -> Iterator[Position]:
    """Yield random stones in which every chain has a liberty, in positions too that no game reaches."""
    chance = random.Random(seed)
    while count:
        share = chance.uniform(0.1, 0.9)
        black = white = 0
        for index in range(width * height):
            if chance.random() < share:
                side = chance.random() < share_of_black
                black |= side << index
                white |= (not side) << index
        position = Position(black, white, width, height, chance.choice((BLACK, WHITE)))
        if all(liberties for side in (BLACK, WHITE) for _, liberties in position.chains(side)):
            count -= 1
            yield position
