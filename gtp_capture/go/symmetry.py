"""Symmetries of a board, and the canonical form of a position: the least of its images."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

Symmetry: TypeAlias = tuple[int, ...]
"""For each point of the image, the index of the board's point that it shows; points count from A1 row by row."""
_Grid: TypeAlias = list[list[int]]


@cache
def symmetries(width: int, height: int) -> tuple[Symmetry, ...]:
    """Return the symmetries of a board, the identity first: 8 of a square, 4 of any other rectangle."""
    grid = _grid(width, height)
    return (*_flips(grid), *(_flips(_transposed(grid)) if width == height else ()))


@cache
def upright_symmetries(width: int, height: int) -> tuple[Symmetry, ...]:
    """Return the symmetries whose image is not wider than high: a wider board is transposed."""
    return symmetries(width, height) if width <= height else _flips(_transposed(_grid(width, height)))


def canonical(cells: Sequence[int], width: int, height: int) -> tuple[tuple[int, ...], list[Symmetry]]:
    """Return the least upright image of a position, and all symmetries that lead to it, in order.

    `cells`: a number for the contents of each point, from A1 row by row.
    """
    images = sorted((tuple(cells[i] for i in symmetry), symmetry) for symmetry in upright_symmetries(width, height))
    return images[0][0], [symmetry for image, symmetry in images if image == images[0][0]]


def _grid(width: int, height: int) -> _Grid:
    return [[y * width + x for x in range(width)] for y in range(height)]


def _transposed(grid: _Grid) -> _Grid:
    return [list(column) for column in zip(*grid, strict=True)]


def _flips(grid: _Grid) -> tuple[Symmetry, ...]:
    """The grid, its reflections in both axes, and its rotation by 180 degrees."""
    return tuple(
        tuple(i for row in (grid[::-1] if over else grid) for i in (row[::-1] if back else row))
        for over in (False, True)
        for back in (False, True)
    )
