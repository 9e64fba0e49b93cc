"""Writes a proof in parts of bounded size, and their manifest; `manifest` describes them.

The parts are the walk of one proof, cut where a part has its greatest number of choices: the positions that it has not
reached then become roots of later parts, the last ones first, as the table knows them best. At a cut the writer forgets
the choices written, except positions with LARGE choices or more below them, to which later parts refer. So its memory
is that of one part, plus about a hundredth of the whole. Smaller positions may be proven in several parts: with 13
parts, 6x6 takes 13 % more choices.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from ...go.game import Game
from ...jit.bitsets import from_field
from ...util.atomic_file import atomic_write
from ...util.limit import Limit
from ..result import own_first
from ..solver import Solver, Stones
from . import keyset
from .format import LEVEL, ProofError, create_compressed
from .manifest import MAX_PARTS, Listed, Manifest, Part, listed, position_bytes, write_manifest
from .writer import Walk

Key = tuple[int, int]
OPEN: Final = -1
"""Stands for the part of a position that no part proves yet."""
MOST_ROOTS: Final = 1 << 16


class _File(NamedTuple):
    """A part that is written, with the positions that it proves."""

    listed: Listed
    choices: int
    uses: int
    roots: dict[Key, Stones]
    others: dict[Key, Stones]
    """Positions besides the roots that other parts claim."""


class Parts:
    """The parts of a proof: the files so far, and the positions that no part proves yet."""

    def __init__(self, solver: Solver, game: Game, winner: int, path: Path, most: int) -> None:
        """Begin a proof in parts of at most `most` choices; `path`: of the manifest, after which parts are named."""
        self._solver, self._winner, self._path, self._most = solver, winner, path, most
        self._points = game.width * game.height
        self._files: list[_File] = []
        self.choices = self.bytes = 0
        """Choices written, and bytes of the files."""
        self._part_of: dict[Key, int] = {}
        """For each position that is claimed or may be claimed, the index of the part that proves it, or OPEN."""
        self._claimable = keyset.new_set(2)
        """The same keys, for the walks."""
        self._open: dict[Key, Stones] = {}
        walk = Walk(solver, winner, Limit().begin(), most=0)  # it only claims the first positions
        walk.enter(own_first(solver.stones(game.board), winner), game.to_move == winner)
        rows: list[Any] = []
        list(walk.write(_Chunks([]), rows.append))
        self._use(_unique(rows, 0))

    @property
    def count(self) -> int:
        """The parts that are written."""
        return len(self._files)

    def write(self, claim: dict[str, Any]) -> Iterator[int]:
        """Write all files; yield the number of choices from time to time.

        OSError: a file cannot be written. ProofError: the table is wrong, or there are too many parts.
        """
        while roots := self._roots():
            yield from self._write_part(roots)
        self._finish(claim)

    def _roots(self) -> dict[Key, Stones]:
        """Take open positions for a part."""
        roots: dict[Key, Stones] = {}
        while self._open and len(roots) < min(self._most, MOST_ROOTS):
            key, stones = self._open.popitem()
            if self._part_of[key] == OPEN:
                roots[key] = stones
            else:  # another part has proven it since
                self._claim(key, stones)
        return roots

    def _write_part(self, roots: dict[Key, Stones]) -> Iterator[int]:
        """Walk from each of these positions until the part has its greatest number of choices; the others stay open."""
        index = len(self._files)
        if index == MAX_PARTS:
            raise ProofError(f"more than {MAX_PARTS:,} parts would be needed; use a larger --part-choices")
        walk = Walk(self._solver, self._winner, Limit().begin(), self._most, self._claimable)
        chunks, rows = list[bytes](), list[Any]()
        left = dict(roots)
        for key, stones in roots.items():
            if walk.progress.choices >= self._most:
                break
            walk.enter(stones, True)
            for choices in walk.write(_Chunks(chunks), rows.append):
                yield self.choices + choices
            del left[key]
        for key in left:
            del roots[key]
        self._open.update(reversed(left.items()))
        content = gzip.compress(b"".join(chunks), LEVEL, mtime=0)
        place = self._path.with_name(f"{self._path.name}.{index + 1}")
        if index == 0:
            self._path.unlink(missing_ok=True)  # the manifest of an older proof, whose parts are replaced
        with atomic_write(place) as file:
            file.write(content)
        uses, proven = _unique(rows, 0), _unique(rows, 1)
        entry = Listed(place.name, hashlib.sha256(content).hexdigest())
        self._files.append(_File(entry, int(walk.progress.choices), len(uses), roots, {}))
        self._part_of.update(dict.fromkeys(roots, index))
        for row in proven:
            key = int(row["low"]), int(row["high"])
            if self._part_of.setdefault(key, index) == OPEN:
                self._part_of[key] = index
        self._use(uses)
        self._let_claim(proven)
        self.choices += int(walk.progress.choices)
        self.bytes += len(content)

    def _use(self, uses: Any) -> None:
        """Enter positions that a part claims, rows of USES."""
        new = []
        for row in uses:
            key, stones = (int(row["low"]), int(row["high"])), (from_field(row["winner"]), from_field(row["loser"]))
            if key not in self._part_of:
                self._part_of[key] = OPEN
                self._open[key] = stones
                new.append(row)
            elif self._part_of[key] != OPEN:
                self._claim(key, stones)
        self._let_claim(new)

    def _claim(self, key: Key, stones: Stones) -> None:
        """List a position among those that its part proves."""
        part = self._files[self._part_of[key]]
        if key not in part.roots:
            part.others[key] = stones

    def _let_claim(self, rows: Any) -> None:
        """Let later parts claim these positions, rows of USES."""
        while keyset.is_full(self._claimable, len(self._part_of)):
            self._claimable = keyset.grown(self._claimable)
        keys = np.array([(row["low"], row["high"]) for row in rows], np.uint64)
        keyset.copy_keys(self._claimable, keys.reshape(-1, 2))

    def _finish(self, claim: dict[str, Any]) -> None:
        """Write the claims and the manifest. OSError: they cannot be written."""
        place = self._path.with_name(f"{self._path.name}.claims")
        with create_compressed(place) as file:
            for part in self._files:
                file.write(position_bytes((part.roots | part.others).values(), self._points))
        parts = [
            Part(
                file=part.listed.file,
                sha256=part.listed.sha256,
                choices=part.choices,
                roots=len(part.roots),
                proves=len(part.roots) + len(part.others),
                uses=part.uses,
            )
            for part in self._files
        ]
        write_manifest(self._path, Manifest(claim, listed(place), tuple(parts)))
        self.bytes += place.stat().st_size + self._path.stat().st_size


class _Chunks:
    """Output that is kept."""

    def __init__(self, chunks: list[bytes]) -> None:
        self._chunks = chunks

    def write(self, data: bytes) -> None:
        self._chunks.append(data)


def _unique(parts: list[Any], proven: int) -> Any:
    """Return the rows of USES that are claims (0) or proven (1): the first one of each key, in order."""
    rows = np.concatenate(parts)
    rows = rows[rows["proven"] == proven]
    order = np.lexsort((rows["high"], rows["low"]))  # stable
    keys = rows[["low", "high"]][order]
    first = np.ones(len(rows), bool)
    first[1:] = keys[1:] != keys[:-1]
    return rows[np.sort(order[first])]
