"""Verifies a solver's winner by the rules alone: the proof is checked while it is written, and stored nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..go.board import Board
from ..util.limit import Limit
from .proofs import checker as check
from .proofs import writer as proof_writer
from .proofs.format import ProofError, ProofRoomError
from .proofs.writer import StoppedError
from .solver import Solver

__all__ = ["ProofError", "ProofRoomError", "StoppedError", "confirm"]

PIECE: Final = 1 << 16
"""Choices between two looks at the clock."""


class _Buffer:
    """A file to write whose content is taken out in between."""

    def __init__(self) -> None:
        self.content = b""

    def write(self, data: bytes) -> None:
        self.content += data


def confirm(solver: Solver, board: Board, to_move: int, winner: int, memory: int, limit: Limit) -> Iterator[int]:
    """Verify that a solver's winner wins; the choices checked so far, now and then, to the last.

    Errors: ProofError where what the solver knows proves nothing, and then its table is wrong; ProofRoomError where
    the check needs more than `memory` bytes; StoppedError where the limit comes first.
    """

    def chunks() -> Iterator[bytes]:
        buffer, begun = _Buffer(), False
        for _ in proof_writer.write(solver, board, to_move, winner, buffer, limit):
            for start in range(0, len(buffer.content), PIECE):
                if begun and limit.expired():  # the first piece is quicker checked than refused
                    raise StoppedError
                begun = True
                yield buffer.content[start : start + PIECE]
            buffer.content = b""

    yield from check.check(board, to_move, winner, chunks(), memory)
