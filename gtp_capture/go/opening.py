"""Starting positions: handicap stones and the crosscut of capture games."""

from __future__ import annotations

from .game import GameError
from .vertex import column_row, point_at


def max_fixed_handicap(width: int, height: int) -> int:
    """The largest fixed handicap of the GTP draft for this board; 0 if it has none."""
    small, even = min(width, height), width % 2 == 0 or height % 2 == 0
    if small < 7:
        return 0
    return 4 if even or small == 7 else 9


def fixed_handicap(width: int, height: int, stones: int) -> list[int]:
    """Return the points of a fixed handicap of 2 to 9 stones, in the order of the GTP draft.

    They are on the third line of sides below 13, else on the fourth. GameError: no such handicap on this board.
    """
    if not 2 <= stones <= max_fixed_handicap(width, height):
        raise GameError("invalid number of stones")

    def lines(side: int) -> tuple[int, int, int]:
        edge = 2 if side < 13 else 3
        return edge, side // 2, side - 1 - edge

    left, center, right = lines(width)
    low, middle, high = lines(height)
    corners = [(left, low), (right, high), (left, high), (right, low)]
    sides = [(left, middle), (right, middle), (center, low), (center, high)]
    chosen = corners[:stones]
    if stones >= 6:
        chosen += sides[: (stones - 4) // 2 * 2]
    if stones in (5, 7, 9):
        chosen.append((center, middle))
    return [point_at(column, row, width) for column, row in chosen]


def crosscut(width: int, height: int) -> tuple[list[int], list[int]]:
    """Return the black and the white points of a crosscut in the centre, the usual start of capture games.

    On odd sides the lower left of the four points is the centre. GameError: a side below 4.
    """
    if min(width, height) < 4:
        raise GameError(f"a {width}x{height} board is too small for a crosscut")
    left, low = (width - 1) // 2, (height - 1) // 2
    black = [point_at(left, low, width), point_at(left + 1, low + 1, width)]
    white = [point_at(left + 1, low, width), point_at(left, low + 1, width)]
    return black, white


def spread(width: int, height: int, stones: int) -> list[int]:
    """Return points for any number of handicap stones: the fixed ones first, then the most distant from all others.

    2 <= stones < width * height.
    """
    fixed = min(stones, max_fixed_handicap(width, height))
    chosen = [column_row(p, width) for p in (fixed_handicap(width, height, fixed) if fixed >= 2 else [])]
    free = [(column, row) for row in range(height) for column in range(width) if (column, row) not in chosen]

    def distance(at: tuple[int, int]) -> tuple[float, float]:
        column, row = at
        # The edge counts as a stone one line outside the board; of equal distances the point nearer the centre wins.
        edges = [column + 1, row + 1, width - column, height - row]
        others = [abs(column - c) + abs(row - r) for c, r in chosen]
        center = abs(column - (width - 1) / 2) + abs(row - (height - 1) / 2)
        return min(edges + others), -center

    while len(chosen) < stones:
        best = max(free, key=distance)
        free.remove(best)
        chosen.append(best)
    return [point_at(column, row, width) for column, row in chosen]
