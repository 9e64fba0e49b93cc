"""The proof checker: verifies a proof file by the rules alone. `verify` is the entry; `format` describes the file.

It uses nothing of the solver: no ladder, no zone. What it trusts is `rules` (chains and liberties), `keyset` (exact
keys of positions), `checker_walk` (the walk) and this file; on boards of more than 64 points also 128-bit numbers
(`jit.uint128`), for which `checker_wide` compiles the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from ...go import board as bd
from ...go.board import Board
from ...go.vertex import opponent
from ...jit.bitsets import as_field, words_of
from ...jit.kernel import COMPILED
from . import checker_walk, keyset
from .checker_walk import CHUNK_READ, DONE, EXPOSED, ILLEGAL, KEPT_FULL, SET_FULL, CheckerWalk, new_walk
from .format import ProofError
from .rules import POINTS

MESSAGES: Final = {
    ILLEGAL: "a choice is no legal play",
    EXPOSED: "after a choice the other side can capture",
}


class Kernels(NamedTuple):
    """The kernels that take numbers: see `checker_walk`, and `copy_keys` in `keyset`."""

    walk: Callable[[CheckerWalk], int]
    enter: Callable[[CheckerWalk, int], int]
    copy_keys: Callable[[Any, Any], None]


def kernels_for(words: int) -> Kernels:
    """Return the kernels for numbers of one word, or of two, loaded at their first use."""
    if words == 1 or not COMPILED:
        narrow: Any = checker_walk
        return Kernels(narrow.walk, narrow.enter, keyset.copy_keys)
    from . import checker_wide as wide

    return Kernels(wide.walk, wide.enter, wide.copy_keys)


class Counts(NamedTuple):
    """What a proof consists of, so far."""

    choices: int
    """Positions with the winner's turn; each is verified once."""
    replies: int
    """Legal plays of the loser after the choices, and at the root if it has the turn."""
    captures: int
    """Replies after which the winner captures at once."""


def verify(board: Board, to_move: int, winner: int, chunks: Iterator[bytes], memory: int) -> Iterator[Counts]:
    """Verify that `winner` wins first capture from here; yield the counts after each chunk and at the end.

    ProofError: the proof fails, or the board has more than 128 points. MemoryError: it needs more than `memory`
    bytes.
    """
    checker = Checker(int(board.width), int(board.height), winner, memory)
    checker.enter(stones_of(board, winner), to_move == winner)
    yield from checker.check(chunks)
    checker.end(chunks)
    yield checker.counts


def stones_of(board: Board, winner: int) -> tuple[int, int]:
    """Return the stones of the winner and of the loser, as bits."""
    colors = [int(board.color[p]) for p in bd.points(board)]
    return (
        sum(1 << i for i, color in enumerate(colors) if color == winner),
        sum(1 << i for i, color in enumerate(colors) if color == opponent(winner)),
    )


class Checker:
    """A check of a walk from one root."""

    def __init__(self, width: int, height: int, winner: int, memory: int, stones: int = 0) -> None:
        """Prepare a check in `memory` bytes, see `keyset.CHOICE_BYTES`; positions with fewer `stones` are kept.

        ProofError: the board has more than 128 points.
        """
        if width * height > POINTS:
            raise ProofError(f"proofs support boards of up to {POINTS} points")
        self._memory = memory
        self._words = words_of(width * height)
        self._kernels = kernels_for(self._words)
        self._walk = new_walk((width, height), self._words, winner, stones)
        self._kept: list[Any] = []

    @property
    def counts(self) -> Counts:
        """What was checked so far."""
        progress = self._walk.progress
        return Counts(int(progress.choices), int(progress.replies), int(progress.captures))

    @property
    def kept(self) -> Any:
        """The positions with the winner's turn that the walks proved and kept, in their order.

        [position, points + 1]: the colours of the points from A1 row by row, and the index of the winner's play.
        """
        return np.concatenate([self._walk.kept[:0], *self._kept])

    def enter(self, stones: tuple[int, int], winners_turn: bool) -> None:
        """Begin at a root: the stones of the winner and of the loser. ProofError: the loser can capture at once."""
        frame = self._walk.frames[0]
        frame.winner, frame.loser = (as_field(side, self._words) for side in stones)
        if self._kernels.enter(self._walk, int(winners_turn)) == EXPOSED:
            raise ProofError("the other side can capture at once")

    def check(self, chunks: Iterator[bytes]) -> Iterator[Counts]:
        """Check the walk from the root; yield the counts after each chunk. ProofError: see `verify`."""
        progress = self._walk.progress
        while True:
            result = int(self._kernels.walk(self._walk))
            if progress.kept:
                self._kept.append(self._walk.kept[: progress.kept].copy())
                progress.kept = 0
            if result == DONE:
                return
            if result == SET_FULL:
                self._grow()
            elif result == CHUNK_READ:
                chunk = next(chunks, b"")
                if not chunk:
                    raise ProofError(f"a choice is missing after {int(progress.choices)}")
                self._walk = self._walk._replace(choices=np.frombuffer(chunk, np.uint8).copy())
                progress.read = 0
                yield self.counts
            elif result != KEPT_FULL:
                raise ProofError(f"{MESSAGES[result]} (choice {int(progress.choices)})")

    def end(self, chunks: Iterator[bytes]) -> None:
        """Check that there is no byte after the last walk. ProofError: there is one."""
        if self._walk.progress.read < self._walk.choices.size or next(chunks, b""):
            raise ProofError("there are bytes left over")

    def _grow(self) -> None:
        if 3 * self._walk.keys.nbytes > self._memory:  # the old and the new set
            raise MemoryError(
                f"more positions than --memory has room for: {int(self._walk.progress.choices)} are proven"
            )
        self._walk = self._walk._replace(keys=keyset.grown(self._walk.keys, self._kernels.copy_keys))
