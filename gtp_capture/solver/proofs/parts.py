"""The state of a proof in parts that is being written: the files so far, and the positions that no part proves yet.

Each worker has a stack of open positions: those that its parts left. It takes the last ones first, which are nearest to
the part before, so that its table knows them. A worker without open positions takes the older half of the largest
stack: large positions, far from the part that another worker writes.

Parts of several workers begin small and grow with the proof, so that there is soon a position for each worker, and no
worker waits long for the last part of another one. Parts written at the same time may prove the same positions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import numpy as np

from ...go.game import Game
from ...util.atomic_file import atomic_write
from ...util.lanes import HERE, Lane
from ...util.limit import Limit
from ..solver import Solver, Stones
from ..trunk import TrunkError
from .format import ProofError, create_compressed
from .manifest import MAX_PARTS, Listed, Manifest, Part, listed, position_bytes, write_manifest
from .part_job import KEY_COLUMNS, USE_COLUMNS, PartJob, Written
from .writer import Walk, sides

Key = tuple[int, int]

OPEN: Final = -1
"""Stands for the part of a position that no part proves yet."""
LEAST_CHOICES: Final = 1_000
"""Of a part, if there are several workers."""
STEPS: Final = 4
"""With several workers, a part has at most one STEPS-th of the choices that each of them has written so far."""
MOST_STEPS: Final = 4_000
"""The limit is not below one MOST_STEPS-th of all choices, so that a manifest does not become too long."""
LEAST_ROOTS: Final = 64
"""Positions that a worker takes in any case if no other one is free."""
MOST_ROOTS: Final = 1 << 16
MOST_KNOWN: Final = 1 << 17
"""Keys that a worker is sent with a part."""


class _File(NamedTuple):
    """A part that is written, with the positions that it proves."""

    listed: Listed
    choices: int
    uses: int
    roots: dict[Key, Stones]
    others: dict[Key, Stones]
    """Positions besides the roots that other parts claim."""


class Parts:
    """The parts of a proof."""

    def __init__(self, solver: Solver, game: Game, winner: int, path: Path, most: int) -> None:
        """Begin a proof in parts of at most `most` choices; `path`: of the manifest, after which parts are named."""
        self.workers = 1
        self._winner, self._path, self._most = winner, path, most
        self._full = (1 << solver.width * solver.height) - 1
        self._files: list[_File] = []
        self.choices = self.bytes = self.nodes = self._jobs = 0
        """Choices written, bytes of the files, and nodes searched again."""
        self.watch: Callable[[int], None] = lambda choices: None
        """Called with the choices so far."""
        self._part_of: dict[Key, int] = {}
        """For each position that is claimed or may be claimed, the index of the part that proves it, or OPEN."""
        self._known: list[Key] = []
        """The same keys, in order."""
        self._stacks: dict[Lane, dict[Key, Stones]] = {}
        """The open positions of each worker, the last ones on top, without those of running jobs."""
        self._running: dict[int, dict[Key, Stones]] = {}
        """The roots of the jobs that run."""
        self._told: dict[Lane, int] = {}
        """How many of the known keys each worker was sent."""
        walk = Walk(solver, winner, Limit(), most=0)  # it only claims the first positions
        walk.enter(sides(solver.stones(game.board), winner), game.to_move == winner)
        list(walk.write(_Nowhere(), lambda rows: self._use(Lane(HERE, 0), _columns(rows))))

    @property
    def count(self) -> int:
        """The parts that are written."""
        return len(self._files)

    def left(self) -> bool:
        """Return whether there are positions that no part proves yet."""
        return bool(self._running) or any(self._stacks.values())

    def job(self, worker: Lane) -> PartJob | None:
        """Return the next part for a worker; None if no position is open."""
        most = self._budget()
        roots = self._roots(worker, most)
        if not roots:
            return None
        self._jobs += 1
        self._running[self._jobs] = roots
        told = self._told.get(worker, 0)
        known = np.array(self._known[told : told + MOST_KNOWN], np.uint64).reshape(-1, KEY_COLUMNS)
        self._told[worker] = told + len(known)
        stones = np.array(list(roots.values()), np.uint64)
        return PartJob(self._jobs, self._winner, stones, most, known)

    def take(self, worker: Lane, job: PartJob, written: Written | None) -> None:
        """Write a part to its file.

        OSError: it cannot be written. ProofError: there are too many parts. TrunkError: it is malformed.
        """
        written = self._checked(job, written)
        if self.count == MAX_PARTS:
            raise ProofError(f"more than {MAX_PARTS:,} parts would be needed; use a larger --part-choices")
        index, roots = len(self._files), self._running.pop(job.number)
        place = self._path.with_name(f"{self._path.name}.{index + 1}")
        if index == 0:
            self._path.unlink(missing_ok=True)  # the manifest of an older proof, whose parts are replaced
        with atomic_write(place) as file:
            file.write(written.content)
        left = list(roots.items())[written.roots :]
        self._stack(worker).update(reversed(left))
        for key, _ in left:
            del roots[key]
        entry = Listed(place.name, hashlib.sha256(written.content).hexdigest())
        self._files.append(_File(entry, written.choices, len(written.uses), roots, {}))
        self._part_of.update(dict.fromkeys(roots, index))
        for low, high in written.proven.tolist():
            part = self._part_of.setdefault((low, high), index)
            if part == OPEN:
                self._part_of[low, high] = index
            elif part == index and (low, high) not in roots:
                self._known.append((low, high))
        self._use(worker, written.uses.tolist())
        self.choices += written.choices
        self.bytes += len(written.content)
        self.nodes += written.nodes
        self.watch(self.choices)

    def lost(self, worker: Lane, job: PartJob) -> None:
        """Take note that a job was not done."""
        self._stack(worker).update(reversed(self._running.pop(job.number).items()))

    def forgot(self, worker: Lane) -> None:
        """Take note that a worker has forgotten what it was sent."""
        self._told.pop(worker, None)

    def finish(self, claim: dict[str, Any]) -> None:
        """Write the claims and the manifest. OSError: they cannot be written."""
        place = self._path.with_name(f"{self._path.name}.claims")
        with create_compressed(place) as file:
            for part in self._files:
                file.write(position_bytes((part.roots | part.others).values()))
        parts = [
            Part(
                part.listed.file, part.listed.sha256, part.choices,
                len(part.roots), len(part.roots) + len(part.others), part.uses,
            )
            for part in self._files
        ]  # fmt: skip
        write_manifest(self._path, Manifest(claim, listed(place), tuple(parts)))
        self.bytes += place.stat().st_size + self._path.stat().st_size

    def _budget(self) -> int:
        """Return the greatest number of choices of the next part."""
        if self.workers == 1:
            return self._most
        return min(self._most, max(LEAST_CHOICES, self.choices // min(STEPS * self.workers, MOST_STEPS)))

    def _stack(self, worker: Lane) -> dict[Key, Stones]:
        return self._stacks.setdefault(worker, {})

    def _roots(self, worker: Lane, most: int) -> dict[Key, Stones]:
        """Take open positions for a part of at most `most` choices."""
        stack, roots = self._stack(worker), dict[Key, Stones]()
        while not roots:
            if not stack and not self._steal(stack):
                break
            count = self._share(len(stack))
            while stack and len(roots) < min(count, most, MOST_ROOTS):
                key, stones = stack.popitem()
                if self._part_of[key] == OPEN:
                    roots[key] = stones
                else:  # another part has proven it since
                    self._claim(key, stones)
        return roots

    def _share(self, own: int) -> int:
        """Return how many of its `own` open positions a worker takes for a part; the others need some too."""
        if self.workers == 1:
            return own
        free = self.workers - len(self._running)
        if free > 1:
            return -(-sum(map(len, self._stacks.values())) // free)
        return max(LEAST_ROOTS, (own + 1) // 2)

    def _steal(self, stack: dict[Key, Stones]) -> bool:
        """Move the older half of the largest stack to this one; return whether there was anything."""
        largest = max(self._stacks.values(), key=len)
        for key in list(largest)[: (len(largest) + 1) // 2]:
            stack[key] = largest.pop(key)
        return bool(stack)

    def _use(self, worker: Lane, rows: list[list[int]]) -> None:
        """Enter positions that a part claims: keys and stones."""
        for low, high, winner, loser in rows:
            key = low, high
            if key not in self._part_of:
                self._part_of[key] = OPEN
                self._known.append(key)
                self._stack(worker)[key] = winner, loser
            elif self._part_of[key] != OPEN:
                self._claim(key, (winner, loser))

    def _claim(self, key: Key, stones: Stones) -> None:
        """List a position among those that its part proves."""
        part = self._files[self._part_of[key]]
        if key not in part.roots:
            part.others[key] = stones

    def _checked(self, job: PartJob, written: Any) -> Written:
        """Return what a worker returned. TrunkError: it cannot be the part of its job."""
        try:
            least = min((winner | loser).bit_count() for winner, loser in job.roots.tolist())
            # More stones than a root, so that a proof ends even if workers claim without end.
            legal = all(
                winner & loser == 0 and winner | loser <= self._full and (winner | loser).bit_count() > least
                for _, _, winner, loser in written.uses.tolist()
            )
            proven = all(len(key) == KEY_COLUMNS for key in written.proven.tolist())
            counts = written.number == job.number and written.nodes >= 0
            bounded = 1 <= written.roots <= min(len(job.roots), written.choices) and written.choices <= job.most
            fits = isinstance(written, Written) and type(written.content) is bytes
        except (AttributeError, TypeError, ValueError):
            raise self._malformed(job) from None
        if not (legal and proven and counts and bounded and fits):
            raise self._malformed(job)
        return cast(Written, written)

    def _malformed(self, job: PartJob) -> TrunkError:
        return TrunkError(f"a worker returned something else than part {job.number}")


class _Nowhere:
    """Output that is not needed."""

    def write(self, data: bytes) -> None:
        pass


def _columns(rows: Any) -> list[list[int]]:
    """Return the keys and stones in rows of `writer_walk.USES`."""
    return [list(row[:USE_COLUMNS]) for row in rows.tolist()]
