"""Writes the proof of a solved position: a play of the winner for each position, from the solver's table.

`write_proof` is the entry; `format` describes the file, and `checker` verifies it. `Walk` also writes the parts of
`parts_writer`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

from ...go.board import Board
from ...go.vertex import BLACK, opponent
from ...util.limit import Limit
from ..solver import Solver, Stones
from . import keyset
from .format import ProofError
from .writer_walk import BROKEN, DONE, OUTPUT_FULL, SEARCHING, SET_FULL, UNPROVEN, USES_FULL, new_walk, walk


class StoppedError(Exception):
    """The limit was reached before the end of the proof."""


class Output(Protocol):
    """A destination for the bytes of a proof."""

    def write(self, data: bytes, /) -> object:
        """Write the next bytes."""


class Walk:
    """A walk that writes a proof or its parts."""

    def __init__(self, solver: Solver, winner: int, limit: Limit) -> None:
        """Prepare a walk with an empty part."""
        self._solver, self._winner, self._limit = solver, winner, limit
        self._state = new_walk(solver, winner)
        self.progress = self._state.progress

    def enter(self, stones: Stones, winners_turn: bool) -> None:
        """Begin at a root: the stones of the winner and of the loser, as bits."""
        frame, keys = self._state.frames[0], self._solver.zobrist.keys
        frame.winner, frame.loser = (np.uint64(s) for s in stones)
        frame.winners_turn, frame.low, frame.before, frame.left = int(winners_turn), 0, 0, 0
        frame.hash[:] = 0
        both = sides(stones, self._winner)
        for side, bits in enumerate(both):
            for i in range(self._solver.width * self._solver.height):
                if bits >> i & 1:
                    frame.hash ^= keys[side, i]
        if not winners_turn:
            frame.left = self._solver.safe_plays(both, opponent(self._winner))
        self.progress.level = 0

    def begin_part(self, most: int) -> None:
        """Begin the next part, of at most this many choices: positions of other parts are claimed, see `manifest`."""
        self._state.keys[:] = 0
        self.progress.choices, self.progress.most = 0, most
        self.progress.part += 1

    def write(self, file: Output, take: Callable[[Any], None]) -> Iterator[int]:
        """Write the choices from the root on; yield their number after each chunk and at the end.

        `take` gets rows of USES. OSError: the file cannot be written. ProofError: the table is wrong. StoppedError: the
        limit was reached while a position was searched again.
        """
        progress, task = self.progress, self._state.task
        while True:
            result = int(walk(self._state))
            self._solver.nodes += int(task.nodes)
            task.nodes = 0
            if result in (OUTPUT_FULL, DONE):
                file.write(self._state.output[: progress.written].tobytes())
                progress.written = 0
                yield int(progress.choices)
            if result in (USES_FULL, DONE):
                take(self._state.uses[: progress.used].copy())
                progress.used = 0
            if result == DONE:
                return
            if result == SET_FULL:
                self._grow()
            elif result == SEARCHING and self._limit.expired():
                raise StoppedError
            elif result == BROKEN:
                raise ProofError("a winning play can be captured")
            elif result == UNPROVEN:
                raise ProofError("a won position has no winning play")

    def _grow(self) -> None:
        state, progress = self._state, self.progress
        if keyset.is_full(state.keys, int(progress.choices)):
            self._state = state = state._replace(keys=keyset.grown(state.keys))
        if keyset.is_full(state.known, int(progress.known)):
            self._state = state._replace(known=keyset.grown(state.known))


def write_proof(
    solver: Solver, board: Board, to_move: int, winner: int, file: Output, limit: Limit | None = None
) -> Iterator[int]:
    """Write the choices of the winner of a solved position; yield their number after each chunk and at the end.

    The nodes of searches for forgotten plays are added to the solver's. For errors see `Walk.write`.
    """
    work = Walk(solver, winner, limit or Limit())
    work.enter(sides(solver.stones(board), winner), to_move == winner)
    yield from work.write(file, lambda uses: None)


def sides(stones: Stones, winner: int) -> Stones:
    """Return the stones of the winner and of the loser from those of Black and of White, or the other way round."""
    return stones if winner == BLACK else stones[::-1]
