"""First capture played at random, as fast as it goes: nothing is ever removed, so a light board will do.

Its own record because that is what speed asks for: pseudo-liberties without the sums that tell an atari, no
list of where a point stands among the empty ones, and the arrays as narrow as they can be. It is written in
one piece: a call for joining chains costs a quarter of the speed (measured), and all is unsigned because a
signed index is tested for being negative.
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
        ("libs", "u2", (CELLS,)),  # of a chain's root: its pseudo-liberties
        ("empty", "u2", (POINTS,)),
        ("color", "u1", (CELLS,)),
    ],
    align=True,
)
"""The fields of `board.DTYPE` that a game until the first capture needs."""
LIGHT: Final = numba.from_dtype(LIGHT_DTYPE)

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_EMPTY: Final = np.uint8(EMPTY)
_BOTH: Final = np.uint8(BLACK + WHITE)


def light_board(b: Board) -> Any:
    """The position of a board as a light one."""
    light = np.zeros(1, LIGHT_DTYPE).view(np.recarray)[0]
    for name in LIGHT_DTYPE.names or ():
        light[name] = b[name]
    light.libs[0] = 1 << 15  # the border's, which only falls: it must not pass 0
    return light


@inner
def _copy(target: Any, source: Any) -> None:
    cells = source.cells
    target.color[:cells] = source.color[:cells]
    target.root[:cells] = source.root[:cells]
    target.next[:cells] = source.next[:cells]
    target.chain_size[:cells] = source.chain_size[:cells]
    target.libs[:cells] = source.libs[:cells]
    target.empty[: source.empties] = source.empty[: source.empties]


@kernel(LIGHT, LIGHT, RNG, numba.uint8, numba.int64, returns=numba.types.UniTuple(numba.int64, 2))
def light_playouts(start: Any, work: Any, state: Any, color: int, count: int) -> tuple[int, int]:
    """Play random legal moves from start until a capture or until nothing is legal, which loses, so many times.

    Suicide is illegal and nobody passes. Returns how often Black won, and all plays together.
    """
    black, total = 0, 0
    colors, root, following, size, libs = work.color, work.root, work.next, work.chain_size, work.libs
    empty = work.empty
    stride = np.uint64(start.stride)
    x = state[0]  # xorshift64, as in playout.py
    for _ in range(count):
        _copy(work, start)
        empties = np.uint64(start.empties)
        c = np.uint8(color)
        while True:
            foe = _BOTH - c
            rest = empties
            played = captured = False
            while rest > _ZERO:
                x = xorshift(x)
                i = ((x >> _32) * rest) >> _32
                p = np.uint64(empty[i])
                q0, q1, q2, q3 = p - _ONE, p + _ONE, p - stride, p + stride
                c0, c1, c2, c3 = colors[q0], colors[q1], colors[q2], colors[q3]
                r0, r1 = np.uint64(root[q0]), np.uint64(root[q1])
                r2, r3 = np.uint64(root[q2]), np.uint64(root[q3])
                # As if it were played: it is no liberty any more. The border has root 0, which nobody reads,
                # and what an empty point once had as its root loses nothing.
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
                if not played:  # then an own chain must keep a liberty
                    played = (
                        ((c0 == c) & (not dead0))
                        | ((c1 == c) & (not dead1))
                        | ((c2 == c) & (not dead2))
                        | ((c3 == c) & (not dead3))
                    )
                if not played:
                    libs[r0] += np.uint16(c0 != _EMPTY)
                    libs[r1] += np.uint16(c1 != _EMPTY)
                    libs[r2] += np.uint16(c2 != _EMPTY)
                    libs[r3] += np.uint16(c3 != _EMPTY)
                    rest -= _ONE
                    moved = empty[i]
                    empty[i] = empty[rest]
                    empty[rest] = moved
                    continue
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
    state[0] = x
    return black, total
