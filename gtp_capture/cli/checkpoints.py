"""Checkpoints of `gtp-capture solve`: loading, saving, and verifying a winner that depends on one."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..go.game import Game
from ..go.vertex import COLOR_NAMES
from ..solver.result import WORD
from ..util.files import UnreadableError
from ..util.limit import Limit
from .options import Unusable
from .progress import counting

if TYPE_CHECKING:
    from ..solver.solver import Solver

MIN_CHECK_MEMORY: Final = 64 * 2**20
"""Bytes for the positions of a check; more if the solver's table is larger."""


@dataclass(frozen=True, slots=True)
class Backing:
    """Whether a winner that depends on a checkpoint was verified."""

    checked: bool
    """Whether the proof checker accepted it in this run."""
    remark: str


def unchecked(reason: str) -> Backing:
    """Return the remark on a winner that was not verified."""
    return Backing(False, f"not checked, the verdict rests on the checkpoint: {reason}")


class Checkpoint:
    """A solver's table in a file; without a path, nothing is loaded or saved."""

    def __init__(self, solver: Solver, path: Path | None) -> None:
        """Load the table from the file, if it exists. Unusable: it is not a checkpoint for this solver."""
        self.solver, self.path = solver, path
        self.failure: str | None = None
        """Why the last `save` failed; None if it did not."""
        self.trusted = False
        """Whether the table has entries from the file."""
        try:
            if path is not None and path.exists():
                from ..solver import checkpoint

                self.trusted = checkpoint.load(solver, path) > 0
        except UnreadableError as error:
            raise Unusable(f"{path}: {error}") from None
        except ValueError as error:
            raise Unusable(str(error)) from None
        except OSError as error:
            raise Unusable(f"{path}: {error.strerror}") from None

    def save(self) -> None:
        """Write the table; an error is kept in `failure`, as a full disk may have space at the next save."""
        from ..solver import checkpoint

        self.failure = None
        try:
            if self.path is not None:
                checkpoint.save(self.solver, self.path)
        except OSError as error:
            self.failure = f"the checkpoint cannot be written: {error.strerror}; an older one is as it was"

    def back(self, game: Game, winner: int, limit: Limit) -> Backing | None:
        """Verify a winner by its proof; None if no entry came from a file. Unusable: the checkpoint is wrong."""
        if not self.trusted:
            return None
        if game.width * game.height > WORD:
            return unchecked(f"proofs support boards of up to {WORD} points")
        from ..solver.confirm import confirm
        from ..solver.proofs.format import ProofError, ProofMemoryError
        from ..solver.proofs.writer import StoppedError

        began, choices = time.monotonic(), 0
        memory = max(MIN_CHECK_MEMORY, self.solver.table.nbytes)
        try:
            with counting("choices checked") as count:
                for choices in confirm(self.solver, game.board, game.to_move, winner, memory, limit):
                    count(choices)
        except ProofMemoryError:
            return unchecked("its proof has more positions than --memory has room for")
        except MemoryError:
            return unchecked("not enough memory for its proof")
        except StoppedError:
            return unchecked("the time was over before its proof was checked")
        except ProofError as error:
            raise self.wrong(f"{COLOR_NAMES[winner]} does not win: {error}") from None
        took = time.monotonic() - began
        remark = f"checked by the rules alone: {COLOR_NAMES[winner]} wins ({choices} choices, {took:.1f} s)"
        return Backing(True, f"{remark}; all else rests on the checkpoint")

    def wrong(self, reason: str) -> Unusable:
        """Return the error for a table with false entries."""
        return Unusable(f"{self.path} is wrong, delete it and solve again: {reason}")
