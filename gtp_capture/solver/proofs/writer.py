"""Writes the proof of a solved position: a play of the winner for each position, from the solver's table.

`write_proof` is the entry; `format` describes the file, and `checker` verifies it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from ...go.board import Board
from ...go.vertex import BLACK, opponent
from ...jit.bitsets import as_field
from ...jit.kernel import COMPILED
from ..result import POINTS, own_first
from ..solver import Solver, Stones
from . import keyset
from .format import ProofError
from .writer_walk import (
    BROKEN,
    DONE,
    OUTPUT_FULL,
    SEARCHING,
    SET_FULL,
    UNPROVEN,
    WriterWalk,
    new_walk,
    walk,
)


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


def write_proof(solver: Solver, board: Board, to_move: int, winner: int, file: Output) -> Iterator[int]:
    """Write the choices of the winner of a solved position; yield their number after each chunk and at the end.

    The nodes of searches for forgotten plays are added to the solver's; its `watch` is called after each slice of them.
    OSError: the file cannot be written. ProofError: the table is wrong.
    """
    state, kernel = new_walk(solver, winner), kernel_for(solver.words)
    _enter(state, solver, own_first(solver.stones(board), winner), to_move == winner)
    progress, task = state.progress, state.task
    while True:
        result = int(kernel(state))
        solver.nodes += int(task.nodes)
        task.nodes = 0
        if result in (OUTPUT_FULL, DONE):
            file.write(state.output[: progress.written].tobytes())
            progress.written = 0
            yield int(progress.choices)
        if result == DONE:
            return
        if result == SET_FULL:
            state = state._replace(keys=keyset.grown(state.keys))
        elif result == SEARCHING:
            solver.watch(solver.nodes)
        elif result == BROKEN:
            raise ProofError("a winning play can be captured")
        elif result == UNPROVEN:
            raise ProofError("a won position has no winning play")


def _enter(state: WriterWalk, solver: Solver, stones: Stones, winners_turn: bool) -> None:
    """Begin at a root: the stones of the winner and of the loser, as bits."""
    frame, keys, color = state.frames[0], solver.zobrist.keys, int(state.color) + BLACK
    frame.winner, frame.loser = (as_field(side, solver.words) for side in stones)
    frame.winners_turn = int(winners_turn)
    both = own_first(stones, color)
    points = [[i for i in range(POINTS) if bits >> i & 1] for bits in both]
    frame.hash[:] = np.bitwise_xor.reduce(np.concatenate([keys[side, on] for side, on in enumerate(points)]))
    frame.left = as_field(0 if winners_turn else solver.safe_plays(both, opponent(color)), solver.words)
