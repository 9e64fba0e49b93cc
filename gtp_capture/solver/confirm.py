"""Verifies a solver's winner by the rules alone: the proof goes from the writer to the checker, and not to a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..go.board import Board
from ..util.limit import Limit
from .proofs.checker import verify
from .proofs.writer import StoppedError, write_proof
from .solver import Solver

PIECE: Final = 1 << 16
"""Choices that are checked between two tests of the limit."""


class _Buffer:
    """A file in memory, emptied after each part of the proof."""

    def __init__(self) -> None:
        self.content = b""

    def write(self, data: bytes) -> None:
        self.content += data


def confirm(solver: Solver, board: Board, to_move: int, winner: int, memory: int, limit: Limit) -> Iterator[int]:
    """Verify that a solver's winner wins; yield the number of choices checked, several times and at the end.

    ProofError: the solver's table is wrong. ProofMemoryError: the check needs more than `memory` bytes. StoppedError:
    the limit was reached first.
    """

    def chunks() -> Iterator[bytes]:
        buffer, begun = _Buffer(), False
        for _ in write_proof(solver, board, to_move, winner, buffer, limit):
            for start in range(0, len(buffer.content), PIECE):
                if begun and limit.expired():  # the first piece takes no time
                    raise StoppedError
                begun = True
                yield buffer.content[start : start + PIECE]
            buffer.content = b""

    for counts in verify(board, to_move, winner, chunks(), memory):
        yield counts.choices
