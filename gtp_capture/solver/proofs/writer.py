"""Writes the proof of a solved position: a play of the winner for each position, from the solver's table.

`write_proof` is the entry; `format` describes the file, and `checker` verifies it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

import numpy as np

from ...go.board import Board
from ...jit.bitsets import as_words, kernels_for
from ..exact import Node
from ..result import POINTS
from ..solver import Solver, root_of
from . import keyset, writer_walk
from .format import ProofError
from .writer_walk import BROKEN, DONE, OUTPUT_FULL, SEARCHING, SET_FULL, UNPROVEN, WriterWalk, new_walk


def write_proof(solver: Solver, board: Board, to_move: int, winner: int, file: IO[bytes]) -> Iterator[int]:
    """Write the choices of the winner of a solved position; yield their number after each chunk and at the end.

    Plays that the table has forgotten are searched again; these nodes are added to `solver.nodes`, and `solver.watch`
    is called after each slice. OSError: the file cannot be written. ProofError: the table is wrong.
    """
    state, kernel = new_walk(solver, winner), kernels_for(writer_walk, solver.words).walk
    _enter(state, solver, solver.node(board, to_move), to_move == winner)
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


def _enter(state: WriterWalk, solver: Solver, root: Node, winners_turn: bool) -> None:
    """Begin at a root."""
    frame, keys = state.frames[0], solver.zobrist.keys
    stones = (root.own, root.opp) if winners_turn else (root.opp, root.own)
    frame.winner, frame.loser = (as_words(side, solver.words) for side in stones)
    frame.winners_turn = int(winners_turn)
    points = [[i for i in range(POINTS) if bits >> i & 1] for bits in root_of(root)[:2]]
    frame.hash[:] = np.bitwise_xor.reduce(np.concatenate([keys[side, on] for side, on in enumerate(points)]))
    left = 0 if winners_turn else sum(play.node.opp & ~root.own for play in solver.safe_plays(root))
    frame.left = as_words(left, solver.words)
