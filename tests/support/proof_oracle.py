"""Proofs checked by definition, over sets of points: it shares no code with the checker, and reads the files itself."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .brute_force import Points, has_liberty, neighbors

Position = tuple[Points, Points]
"""The winner's stones, and the loser's."""


class WrongProofError(Exception):
    """The proof fails."""


class Board:
    """A board, given by its size."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.points = [(x, y) for y in range(height) for x in range(width)]

    def point(self, vertex: str) -> tuple[int, int]:
        return "ABCDEFGHJKLMNOPQRSTUVWXYZ".index(vertex[0].upper()), int(vertex[1:]) - 1

    def can_capture(self, victims: Points, others: Points) -> bool:
        """Whether a stone on some empty point takes the last liberty of a chain of the victims."""
        return any(
            any(q in victims and not self.lives(q, victims, others | {p}) for q in self.around(p))
            for p in self.points
            if p not in victims and p not in others
        )

    def around(self, p: tuple[int, int]) -> Points:
        return neighbors(p, self.width, self.height)

    def lives(self, p: tuple[int, int], own: Points, opp: Points) -> bool:
        return has_liberty(p, own, opp, self.width, self.height)

    def replies(self, position: Position) -> Iterator[Position]:
        """Yield the positions after each legal play of the loser, which cannot capture."""
        winner, loser = position
        for p in self.points:
            if p not in winner and p not in loser and self.lives(p, loser | {p}, winner):
                yield winner, loser | {p}

    def canonical(self, position: Position) -> tuple[tuple[int, ...], ...]:
        w, h = self.width - 1, self.height - 1
        maps: list[Callable[[int, int], tuple[int, int]]] = [
            lambda x, y: (x, y), lambda x, y: (w - x, y), lambda x, y: (x, h - y), lambda x, y: (w - x, h - y),
        ]  # fmt: skip
        if w == h:
            maps += [lambda x, y, m=m: m(y, x) for m in maps]  # type: ignore[misc]
        return min(
            tuple(tuple(sorted(x + 100 * y for x, y in (turn(*p) for p in side))) for side in position) for turn in maps
        )


class Walk:
    """Walks through proof trees; the choices come from an iterator of bytes."""

    def __init__(self, board: Board, choices: Iterator[int]) -> None:
        self.board, self.choices = board, choices
        self.proven: dict[Any, Position] = {}
        self.counts = [0, 0, 0]
        """Choices, replies and captures."""

    def winners_turn(self, position: Position) -> None:
        board, (winner, loser) = self.board, position
        if board.can_capture(loser, winner):
            self.counts[2] += 1
            return
        key = board.canonical(position)
        if key in self.proven:
            return
        choice = next(self.choices, None)
        if choice is None:
            raise WrongProofError("missing")
        if choice >= len(board.points) or board.points[choice] in winner | loser:
            raise WrongProofError("illegal")
        self.proven[key] = position
        self.counts[0] += 1
        after = winner | {board.points[choice]}
        if not board.lives(board.points[choice], after, loser):
            raise WrongProofError("illegal")
        self.losers_turn((after, loser))

    def losers_turn(self, position: Position) -> None:
        if self.board.can_capture(*position):
            raise WrongProofError("exposed")
        for after in self.board.replies(position):
            self.counts[1] += 1
            self.winners_turn(after)


def root_of(claim: dict[str, Any]) -> tuple[Board, Position, bool]:
    """Return the board of a claim, its position, and whether it is the winner's turn."""
    board = Board(claim["width"], claim["height"])
    stones = {color: frozenset(board.point(v) for v in claim[color]) for color in ("black", "white")}
    loser = "white" if claim["winner"] == "black" else "black"
    return board, (stones[claim["winner"]], stones[loser]), claim["to_move"] == claim["winner"]


def count_file(path: Path) -> tuple[int, ...]:
    """Return choices, replies and captures of a proof in one file. WrongProofError: it fails."""
    line, _, choices = gzip.decompress(path.read_bytes()).partition(b"\n")
    board, root, winners_turn = root_of(json.loads(line))
    walk = Walk(board, iter(choices))
    if winners_turn:
        walk.winners_turn(root)
    else:
        walk.losers_turn(root)
    if next(walk.choices, None) is not None:
        raise WrongProofError("left over")
    return tuple(walk.counts)
