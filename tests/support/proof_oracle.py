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
CLAIMED = 255


class WrongProofError(Exception):
    """The proof fails."""


class Board:
    """A board of some size."""

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
        self.used: set[Any] = set()
        self.counts = [0, 0, 0]
        """Choices, replies and captures."""

    def winners_turn(self, position: Position, root: bool) -> None:
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
        if choice == CLAIMED and not root:
            self.used.add(key)
            return
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
            self.winners_turn(after, False)


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
    walk = Walk(board, iter(choices.replace(b"\xff", b"\xfe")))
    if winners_turn:
        walk.winners_turn(root, True)
    else:
        walk.losers_turn(root)
    if next(walk.choices, None) is not None:
        raise WrongProofError("left over")
    return tuple(walk.counts)


def count_parts(path: Path) -> tuple[int, ...]:
    """Return choices, replies and captures of a proof in parts. WrongProofError: it fails."""
    manifest = json.loads(path.read_bytes())
    board, root, winners_turn = root_of(manifest["claim"])
    claims = gzip.decompress((path.parent / manifest["claims"]["file"]).read_bytes())
    side = 8 if len(board.points) <= 64 else 16
    numbers = [int.from_bytes(claims[i : i + side], "little") for i in range(0, len(claims), side)]
    records = zip(numbers[::2], numbers[1::2], strict=True)
    wanted, proven, total = set(), set(), [0, 0, 0]
    for part in manifest["parts"]:
        walk = Walk(board, iter(gzip.decompress((path.parent / part["file"]).read_bytes())))
        for i in range(part["proves"]):
            bits = next(records)
            stones = [frozenset(p for n, p in enumerate(board.points) if side >> n & 1) for side in bits]
            if i < part["roots"]:
                walk.winners_turn((stones[0], stones[1]), True)
            proven.add(board.canonical((stones[0], stones[1])))
        if next(walk.choices, None) is not None:
            raise WrongProofError("left over")
        wanted |= walk.used
        total = [a + b for a, b in zip(total, walk.counts, strict=True)]
    opening = Walk(board, iter(lambda: CLAIMED, None))
    if not winners_turn:
        opening.losers_turn(root)
    elif board.can_capture(root[1], root[0]):
        opening.counts[2] += 1
    else:
        opening.used.add(board.canonical(root))
    if not wanted | opening.used <= proven:
        raise WrongProofError("unproven")
    return tuple(a + b for a, b in zip(total, opening.counts, strict=True))
