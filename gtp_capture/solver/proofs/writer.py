"""Writes the proof of a solved position: a play of the winner for each position, from the solver's table.

`write_proof` is the entry; `format` describes the file, and `checker` verifies it. `Walk` also writes the parts of
`parts`. `confirm` passes the proof of a winner to the checker instead of a file.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol

import numpy as np

from ...go.board import Board
from ...go.vertex import opponent
from ...jit.bitsets import as_field
from ...jit.kernel import COMPILED
from ...util.limit import Deadline, Limit
from ..result import POINTS, own_first
from ..solver import Solver, Stones
from . import keyset
from .checker import verify
from .format import ProofError
from .writer_walk import (
    BROKEN,
    DONE,
    OUTPUT_FULL,
    SEARCHING,
    SET_FULL,
    UNPROVEN,
    USES_FULL,
    WriterWalk,
    new_walk,
    walk,
)

PIECE: Final = 1 << 16
"""Choices that `confirm` checks between two tests of the limit."""


class StoppedError(Exception):
    """The limit was reached before the end of the proof."""


class Output(Protocol):
    """A destination for the bytes of a proof."""

    def write(self, data: bytes, /) -> object:
        """Write the next bytes."""


def kernel_for(words: int) -> Callable[[WriterWalk], int]:
    """Return the kernel for numbers of one word, or of two, loaded at its first use."""
    if words == 1 or not COMPILED:
        return walk
    from . import writer_wide

    return writer_wide.walk


class Walk:
    """A walk that writes a proof or one of its parts."""

    def __init__(
        self, solver: Solver, winner: int, deadline: Deadline, most: int | None = None, known: Any | None = None
    ) -> None:
        """Prepare a walk: after `most` choices, the positions that are left are claimed, see `manifest`.

        `known`: for a part of a proof, the keys of positions that other parts prove or will prove; they are claimed.
        """
        self._solver, self._winner, self._limit = solver, winner, deadline
        self._kernel = kernel_for(solver.words)
        state = new_walk(solver, winner)
        self._state = state if known is None else state._replace(known=known)
        self.progress = state.progress
        self.progress.in_parts = int(known is not None)
        if most is not None:
            self.progress.most = most

    def enter(self, stones: Stones, winners_turn: bool) -> None:
        """Begin at a root: the stones of the winner and of the loser, as bits."""
        frame, keys = self._state.frames[0], self._solver.zobrist.keys
        frame.winner, frame.loser = (as_field(side, self._solver.words) for side in stones)
        frame.winners_turn, frame.low, frame.before = int(winners_turn), 0, 0
        both = own_first(stones, self._winner)
        stones_of = [[i for i in range(POINTS) if bits >> i & 1] for bits in both]
        added = [keys[side, points] for side, points in enumerate(stones_of)]
        frame.hash[:] = np.bitwise_xor.reduce(np.concatenate(added))
        left = 0 if winners_turn else self._solver.safe_plays(both, opponent(self._winner))
        frame.left = as_field(left, self._solver.words)
        self.progress.level = 0

    def write(self, file: Output, on_uses: Callable[[Any], None]) -> Iterator[int]:
        """Write the choices from the root on; yield their number after each chunk and at the end.

        `on_uses` gets rows of USES. OSError: the file cannot be written. ProofError: the table is wrong. StoppedError:
        the limit was reached while a position was searched again; after each slice of that, the solver's `watch` is
        called.
        """
        progress, task = self.progress, self._state.task
        while True:
            result = int(self._kernel(self._state))
            self._solver.nodes += int(task.nodes)
            task.nodes = 0
            if result in (OUTPUT_FULL, DONE):
                file.write(self._state.output[: progress.written].tobytes())
                progress.written = 0
                yield int(progress.choices)
            if result in (USES_FULL, DONE):
                on_uses(self._state.uses[: progress.used].copy())
                progress.used = 0
            if result == DONE:
                return
            if result == SET_FULL:
                self._state = self._state._replace(keys=keyset.grown(self._state.keys))
            elif result == SEARCHING:
                self._solver.watch(self._solver.nodes)
                if self._limit.expired():
                    raise StoppedError
            elif result == BROKEN:
                raise ProofError("a winning play can be captured")
            elif result == UNPROVEN:
                raise ProofError("a won position has no winning play")


def write_proof(
    solver: Solver, board: Board, to_move: int, winner: int, file: Output, deadline: Deadline | None = None
) -> Iterator[int]:
    """Write the choices of the winner of a solved position; yield their number after each chunk and at the end.

    The nodes of searches for forgotten plays are added to the solver's. For errors see `Walk.write`.
    """
    work = Walk(solver, winner, deadline or Limit().begin())
    work.enter(own_first(solver.stones(board), winner), to_move == winner)
    yield from work.write(file, lambda uses: None)


def confirm(solver: Solver, board: Board, to_move: int, winner: int, memory: int, deadline: Deadline) -> Iterator[int]:
    """Verify that a solver's winner wins; yield the number of choices checked, several times and at the end.

    ProofError: the solver's table is wrong. ProofMemoryError: the check needs more than `memory` bytes. StoppedError:
    the limit was reached first.
    """

    def chunks() -> Iterator[bytes]:
        buffer, begun = io.BytesIO(), False
        for _ in write_proof(solver, board, to_move, winner, buffer, deadline):
            content = buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
            for start in range(0, len(content), PIECE):
                if begun and deadline.expired():  # the first piece takes no time
                    raise StoppedError
                begun = True
                yield content[start : start + PIECE]

    for counts in verify(board, to_move, winner, chunks(), memory):
        yield counts.choices
