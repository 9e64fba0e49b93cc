"""The symmetries of a board."""

from __future__ import annotations

import pytest

from gtp_capture.go.symmetry import symmetries, upright_symmetries


@pytest.mark.parametrize(("width", "height", "count"), [(3, 3, 8), (5, 5, 8), (3, 4, 4), (4, 3, 4), (2, 5, 4)])
def test_symmetries_are_a_group_with_the_identity_first(width: int, height: int, count: int) -> None:
    group = symmetries(width, height)
    assert len(set(group)) == len(group) == count
    assert group[0] == tuple(range(width * height))
    assert {tuple(a[i] for i in b) for a in group for b in group} == set(group)


@pytest.mark.parametrize(("width", "height"), [(3, 3), (3, 4), (4, 3), (5, 2)])
def test_upright_images_of_a_board_are_those_of_the_transposed_board(width: int, height: int) -> None:
    cells = [f"{x},{y}" for y in range(height) for x in range(width)]
    transposed = [f"{x},{y}" for x in range(width) for y in range(height)]
    images = {tuple(cells[i] for i in symmetry) for symmetry in upright_symmetries(width, height)}
    assert images == {tuple(transposed[i] for i in symmetry) for symmetry in upright_symmetries(height, width)}
