"""Writes a proof in parts of bounded size, and their manifest: `write_parts`; `manifest` describes them.

The parts are the walk of one proof, cut where a part has its greatest number of choices: the positions that it has not
reached then become roots of later parts. At a cut the writer forgets the choices written, except positions with LARGE
choices or more below them, to which later parts refer. So its memory is that of one part, plus about a hundredth of the
whole. Smaller positions may be proven in several parts: with 13 parts, 6x6 takes 13 % more choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ...go.game import Game
from ...util.limit import Limit
from ..solver import Solver, Stones
from .format import create_compressed
from .manifest import Listed, Manifest, Part, listed, position_bytes, write_manifest
from .writer import Walk, sides

Key = tuple[int, int]


class _Nowhere:
    """Output that is not needed."""

    def write(self, data: bytes) -> None:
        pass


class _Claims:
    """The positions that parts refer to."""

    def __init__(self) -> None:
        self.open: list[tuple[Key, Stones]] = []
        """Positions that no part proves yet; the last ones are nearest to the part that is being written."""
        self.roots: list[dict[Key, Stones]] = []
        """For each part, the roots of its walks, in order."""
        self.others: list[dict[Key, Stones]] = []
        """For each part, other positions that it proves and others use."""
        self.used: set[Key] = set()
        """Positions that the current part uses."""

    def take(self, uses: Any) -> None:
        """Enter rows of `writer_walk.USES`."""
        for low, high, winner, loser, part, new in uses.tolist():
            self.used.add((low, high))
            if new:
                self.open.append(((low, high), (winner, loser)))
            elif part > 0 and (low, high) not in self.roots[part - 1]:
                self.others[part - 1][low, high] = winner, loser

    def begin_part(self) -> None:
        """Begin a part without roots."""
        self.roots.append({})
        self.others.append({})
        self.used = set()

    def next_root(self) -> Stones:
        """Return the position that was left open last; it becomes a root of the current part."""
        key, stones = self.open.pop()
        self.roots[-1][key] = stones
        return stones

    def of_part(self, index: int) -> list[Stones]:
        """Return the positions that a part proves, its roots first."""
        return [*self.roots[index].values(), *self.others[index].values()]


class Progress(NamedTuple):
    """What is written."""

    choices: int
    parts: int
    bytes: int
    """Of the files that are whole."""


def write_parts(
    solver: Solver, game: Game, winner: int, path: Path, claim: dict[str, Any], most: int
) -> Iterator[Progress]:
    """Write a proof in parts of at most `most` choices; yield the progress after each chunk and at the end.

    The files are named after the manifest, `path`, which is written last. OSError: a file cannot be written.
    ProofError: the table is wrong.
    """
    walk, claims = Walk(solver, winner, Limit()), _Claims()
    walk.progress.most = 0  # so that the first positions become the roots of the first part
    walk.enter(sides(solver.stones(game.board), winner), game.to_move == winner)
    list(walk.write(_Nowhere(), claims.take))
    written: list[tuple[Listed, int, int]] = []
    total = size = 0
    while claims.open:
        walk.begin_part(most)
        claims.begin_part()
        place = path.with_name(f"{path.name}.{len(written) + 1}")
        with create_compressed(place) as file:
            while claims.open and walk.progress.choices < most:
                walk.enter(claims.next_root(), True)
                for choices in walk.write(file, claims.take):
                    yield Progress(total + choices, len(written) + 1, size)
        total += int(walk.progress.choices)
        size += place.stat().st_size
        written.append((listed(place), int(walk.progress.choices), len(claims.used)))
    place = path.with_name(f"{path.name}.claims")
    proven = [claims.of_part(i) for i in range(len(written))]
    with create_compressed(place) as file:
        for positions in proven:
            file.write(position_bytes(positions))
    parts = [
        Part(entry.file, entry.sha256, choices, len(claims.roots[i]), len(proven[i]), uses)
        for i, (entry, choices, uses) in enumerate(written)
    ]
    write_manifest(path, Manifest(claim, listed(place), tuple(parts)))
    yield Progress(total, len(parts), size + place.stat().st_size + path.stat().st_size)
