"""The proof checker: verifies a proof file by the rules alone. `format` describes the file.

It uses no code of the solver. It trusts `rules` (chains and liberties), `keyset` (exact keys of positions),
`checker_walk` (the walk) and this file; on boards of more than 64 points also 128-bit numbers (`jit.uint128`), for
which `checker_walk_large` compiles the same code.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from ...go import board as bd
from ...go.board import Board
from ...go.vertex import opponent
from ...jit.bitsets import as_words, kernels_for, words_of
from . import checker_walk, keyset
from .checker_walk import CHUNK_READ, DONE, EXPOSED, ILLEGAL, SET_FULL, new_walk
from .format import ProofError
from .rules import POINTS

MESSAGES: Final = {ILLEGAL: "a choice is no legal play", EXPOSED: "after a choice the other side can capture"}


class Counts(NamedTuple):
    """The size of the part of a proof that was checked so far."""

    choices: int
    """Positions with the winner's turn; each is verified once."""
    replies: int
    """Legal plays of the loser after the choices, and at the root if it has the turn."""
    captures: int
    """Replies after which the winner captures at once."""


class Checker:
    """The check of a proof that a colour wins first capture from a position."""

    def __init__(self, board: Board, winner: int, memory: int) -> None:
        """Prepare a check in `memory` bytes: 36 for each choice and word of a key are enough.

        ProofError: the board has more than 128 points.
        """
        width, height = int(board.width), int(board.height)
        if width * height > POINTS:
            raise ProofError(f"proofs support boards of up to {POINTS} points")
        self._memory, self._board, self._winner = memory, board, winner
        self._words = words_of(width * height)
        self._kernels = kernels_for(checker_walk, self._words)
        self._walk = new_walk(width, height, self._words)

    @property
    def counts(self) -> Counts:
        """The size of the part that was checked so far."""
        progress = self._walk.progress
        return Counts(int(progress.choices), int(progress.replies), int(progress.captures))

    def verify(self, to_move: int, chunks: Iterator[bytes]) -> Iterator[Counts]:
        """Verify that the winner wins; yield the counts after each chunk and at the end.

        ProofError: the proof fails. ProofMemoryError: it needs more memory.
        """
        frame, progress = self._walk.frames[0], self._walk.progress
        colors = [int(self._board.color[p]) for p in bd.points(self._board)]
        for name, color in (("winner", self._winner), ("loser", opponent(self._winner))):
            frame[name] = as_words(sum(1 << i for i, each in enumerate(colors) if each == color), self._words)
        result = int(self._kernels.enter(self._walk, int(to_move == self._winner)))
        if result == EXPOSED:
            raise ProofError("the other side can capture at once")
        while result != DONE:
            result = int(self._kernels.walk(self._walk))
            if result == SET_FULL:
                self._grow()
            elif result == CHUNK_READ:
                chunk = next(chunks, b"")
                if not chunk:
                    raise ProofError(f"a choice is missing after {int(progress.choices)}")
                self._walk = self._walk._replace(choices=np.frombuffer(chunk, np.uint8).copy())
                progress.read = 0
                yield self.counts
            elif result in MESSAGES:
                raise ProofError(f"{MESSAGES[result]} (choice {int(progress.choices)})")
        if progress.read < self._walk.choices.size or next(chunks, b""):
            raise ProofError("bytes are left over after the last choice")
        yield self.counts

    def _grow(self) -> None:
        if 3 * self._walk.keys.nbytes > self._memory:  # the old and the new set
            raise MemoryError(
                f"more positions than --memory has room for: {int(self._walk.progress.choices)} are proven"
            )
        self._walk = self._walk._replace(keys=keyset.grown(self._walk.keys, self._kernels.copy_keys))
