"""Checks a proof in parts: `check_part` checks one alone, in any process, and `join` that together they are a proof.

`manifest` describes the parts, and why the check is sound.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from ...jit.bitsets import from_field
from ...util.files import UnreadableError
from .checker import Checker, Counts, unique_keys
from .format import ProofError, ProofMemoryError, read_choices
from .manifest import Manifest, Part, check_digest, position_size


@dataclass(frozen=True, slots=True)
class PartJob:
    """A part to check."""

    width: int
    height: int
    winner: int
    part: Part
    path: Path
    """Its file, which the process that checks it reads."""
    claims: bytes
    """The positions that it proves, see `manifest`."""
    memory: int
    """Bytes."""
    stones: int
    """Positions with fewer stones are kept."""


@dataclass(frozen=True, slots=True)
class PartResult:
    """The result of a check of a part."""

    counts: Counts
    uses: bytes
    """The keys of the positions that it uses, see `Checker.uses`."""
    kept: Any
    """See `Checker.kept`."""
    failure: str | None
    """Why it fails; None if it holds."""
    memory_exceeded: bool = False
    """Whether it may be correct and needs more memory."""


NOTHING: Final = Counts(0, 0, 0)


def part_jobs(
    manifest: Manifest, folder: Path, board: tuple[int, int, int], memory: int, stones: int = 0
) -> list[PartJob]:
    """Return the jobs for the parts in a folder; `board`: width, height and winner; `stones`: see `PartJob`.

    ProofError: the file of claims is not what is listed. ProofMemoryError: it has more than a quarter of `memory`.
    """
    path = folder / manifest.claims.file
    check_digest(path, manifest.claims.sha256)
    each = position_size(board[0] * board[1])
    size = each * sum(part.proves for part in manifest.parts)
    if 4 * size > memory:
        raise ProofMemoryError("more claims than --memory has room for")
    claims = bytearray()
    with closing(read_choices(path)) as chunks:
        for chunk in chunks:
            claims += chunk
            if len(claims) > size:
                break
    if len(claims) != size:
        raise ProofError(f"{path.name} has not as many positions as the parts prove")
    jobs, start = [], 0
    for part in manifest.parts:
        end = start + each * part.proves
        jobs.append(PartJob(*board, part, folder / part.file, bytes(claims[start:end]), memory, stones))
        start = end
    return jobs


def check_part(job: PartJob) -> PartResult:
    """Check a part alone."""
    try:
        return _checked(job)
    except (ProofError, UnreadableError, MemoryError) as error:
        reason = str(error) or "not enough memory"
        return PartResult(NOTHING, b"", None, reason, isinstance(error, ProofMemoryError | MemoryError))


def _checked(job: PartJob) -> PartResult:
    part = job.part
    check_digest(job.path, part.sha256)
    checker = Checker(job.width, job.height, job.winner, job.memory, job.stones, claims=True)
    points = job.width * job.height
    positions = np.frombuffer(job.claims, "<u8").astype(np.uint64).reshape(-1, position_size(points) // 8)
    full = np.frombuffer((2**points - 1).to_bytes(position_size(points) // 2, "little"), "<u8")
    winners, losers = np.split(positions, 2, axis=1)
    if np.any(winners & losers) or np.any((winners | losers) & ~full):
        raise ProofError("a claim is no position of this board")
    keys = checker.keys_of(positions)
    with closing(read_choices(job.path)) as chunks:
        for winner, loser in zip(winners[: part.roots], losers[: part.roots], strict=True):
            checker.enter((from_field(winner), from_field(loser)), True)
            for counts in checker.check(chunks):
                if counts.choices > part.choices:
                    raise ProofError(f"it has more than the {part.choices} choices listed")
        checker.end(chunks)
    found = checker.counts.choices, len(checker.uses)
    if found != (part.choices, part.uses):
        raise ProofError(f"it has {found[0]} choices and uses {found[1]} claims, not as many as listed")
    if checker.missing(keys):
        raise ProofError(f"it does not prove {checker.missing(keys)} of its claims")
    return PartResult(checker.counts, checker.uses.tobytes(), checker.kept, None)


def join(root: Checker, jobs: Iterable[PartJob], results: Iterable[PartResult]) -> Counts:
    """Return the counts of a whole proof whose parts were checked; the root of the proof is entered in `root`.

    ProofError: a position that is used, or the root, is proven by no part.
    """
    words = root.root_keys.shape[1]
    used = [root.root_keys, *(np.frombuffer(result.uses, np.uint64).reshape(-1, words) for result in results)]
    claims = [np.frombuffer(job.claims, "<u8").astype(np.uint64).reshape(-1, words) for job in jobs]
    proven = unique_keys(root.keys_of(np.concatenate([np.zeros((0, words), np.uint64), *claims])))
    wanted = unique_keys(np.concatenate(used))
    missing = len(unique_keys(np.concatenate([proven, wanted]))) - len(proven)
    if missing:
        raise ProofError(f"{missing} claims are used and proven by no part")
    total: Any = np.sum([root.counts, *(result.counts for result in results)], axis=0)
    return Counts(*total.tolist())
