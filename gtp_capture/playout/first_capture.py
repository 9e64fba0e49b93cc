"""Uniformly random playouts of first capture on a light board, for `bench playouts`: no stone is ever removed.

They stay beside `uniform.py`, because only they are as fast as the same work in C++.

The light board has pseudo-liberties without the sums that detect an atari, no index of the list of empty points, and
the narrowest arrays that hold its values. The kernel is one function, because a call for joining chains costs a quarter
of the speed (measured), and all its integers are unsigned, because Numba tests signed indices for being negative.
"""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

from ..go.board import CELLS, POINTS, Board
from ..go.vertex import BLACK, EMPTY, WHITE
from ..jit.kernel import inner, kernel
from ..jit.records import RNG, _32, xorshift

LIGHT_DTYPE: Final = np.dtype(
    [
        ("stride", "u4"),
        ("cells", "u4"),
        ("empties", "u4"),
        ("root", "u2", (CELLS,)),
        ("next", "u2", (CELLS,)),
        ("chain_size", "u2", (CELLS,)),
        ("libs", "u2", (CELLS,)),  # of a chain's root: number of its pseudo-liberties
        ("empty", "u2", (POINTS,)),
        ("color", "u1", (CELLS,)),
    ],
    align=True,
)
"""The fields of `board.DTYPE` that are needed up to the first capture."""
LIGHT: Final = numba.from_dtype(LIGHT_DTYPE)

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_EMPTY: Final = np.uint8(EMPTY)
_BOTH: Final = np.uint8(BLACK + WHITE)


def light_board(b: Board) -> Any:
    """Return the position of a board as a light board."""
    light = np.zeros(1, LIGHT_DTYPE).view(np.recarray)[0]
    for name in LIGHT_DTYPE.names or ():
        light[name] = b[name]
    light.libs[0] = 1 << 15  # the border's root: its count only falls, and must not reach 0
    return light


@inner
def _copy(target: Any, source: Any) -> None:
    """Make a light board equal to another one; its size must be the same."""
    cells = source.cells
    target.color[:cells] = source.color[:cells]
    target.root[:cells] = source.root[:cells]
    target.next[:cells] = source.next[:cells]
    target.chain_size[:cells] = source.chain_size[:cells]
    target.libs[:cells] = source.libs[:cells]
    target.empty[: source.empties] = source.empty[: source.empties]


@kernel(LIGHT, LIGHT, RNG, numba.uint8, numba.int64, returns=numba.types.UniTuple(numba.int64, 2))
def light_playouts(start: Any, work: Any, rng: Any, color: int, count: int) -> tuple[int, int]:
    """Run `count` playouts from `start`; return Black's wins and the total number of plays.

    Each ends with a capture, or when the side to move has no legal play, which loses. Suicide is illegal, and there are
    no passes.
    """
    black, total = 0, 0
    colors, root, following, size, libs = work.color, work.root, work.next, work.chain_size, work.libs
    empty = work.empty
    stride = np.uint64(start.stride)
    x = rng[0]
    for _ in range(count):
        _copy(work, start)
        empties = np.uint64(start.empties)
        c = np.uint8(color)
        while True:
            foe = _BOTH - c
            rest = empties
            played = captured = False
            while rest > _ZERO:  # draw an empty point, without replacement, until one is legal
                x = xorshift(x)
                i = ((x >> _32) * rest) >> _32
                p = np.uint64(empty[i])
                q0, q1, q2, q3 = p - _ONE, p + _ONE, p - stride, p + stride
                c0, c1, c2, c3 = colors[q0], colors[q1], colors[q2], colors[q3]
                r0, r1 = np.uint64(root[q0]), np.uint64(root[q1])
                r2, r3 = np.uint64(root[q2]), np.uint64(root[q3])
                # Take the liberty p from each neighbouring chain, as a play there does. The border's root is 0, whose
                # count is never used; the count at an empty point's old root stays.
                libs[r0] -= np.uint16(c0 != _EMPTY)
                libs[r1] -= np.uint16(c1 != _EMPTY)
                libs[r2] -= np.uint16(c2 != _EMPTY)
                libs[r3] -= np.uint16(c3 != _EMPTY)
                dead0, dead1, dead2, dead3 = libs[r0] == 0, libs[r1] == 0, libs[r2] == 0, libs[r3] == 0
                played = captured = (
                    ((c0 == foe) & dead0) | ((c1 == foe) & dead1) | ((c2 == foe) & dead2) | ((c3 == foe) & dead3)
                )
                if captured:
                    break
                free = np.uint16(c0 == _EMPTY) + np.uint16(c1 == _EMPTY)
                free += np.uint16(c2 == _EMPTY) + np.uint16(c3 == _EMPTY)
                played = bool(free > 0)
                if not played:  # without a liberty of its own, the stone must join a chain that keeps one
                    played = (
                        ((c0 == c) & (not dead0))
                        | ((c1 == c) & (not dead1))
                        | ((c2 == c) & (not dead2))
                        | ((c3 == c) & (not dead3))
                    )
                if not played:  # suicide: undo, and set the point aside
                    libs[r0] += np.uint16(c0 != _EMPTY)
                    libs[r1] += np.uint16(c1 != _EMPTY)
                    libs[r2] += np.uint16(c2 != _EMPTY)
                    libs[r3] += np.uint16(c3 != _EMPTY)
                    rest -= _ONE
                    moved = empty[i]
                    empty[i] = empty[rest]
                    empty[rest] = moved
                    continue
                # Place the stone and join it to its neighbours.
                stone = np.uint16(p)
                colors[p] = c
                root[p] = stone
                following[p] = stone
                size[p] = 1
                libs[p] = free
                keep = stone
                if (c0 == c) | (c1 == c) | (c2 == c) | (c3 == c):
                    for q in (q0, q1, q2, q3):
                        if colors[q] == c and root[q] != keep:
                            gone = root[q]
                            if size[keep] < size[gone]:
                                keep, gone = gone, keep
                            size[keep] += size[gone]
                            libs[keep] += libs[gone]
                            s = gone
                            while True:
                                root[s] = keep
                                s = following[s]
                                if s == gone:
                                    break
                            after = following[keep]
                            following[keep] = following[gone]
                            following[gone] = after
                # Remove p from the list of empty points.
                empties -= _ONE
                moved = empty[i]
                empty[i] = empty[empties]
                empty[empties] = moved
                break
            total += played
            if captured or not played:
                black += (c == BLACK) == captured
                break
            c = foe
    rng[0] = x
    return black, total
