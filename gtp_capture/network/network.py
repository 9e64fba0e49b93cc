"""The network: its weights as one record, and its two outputs. Compiled.

The vectors of a point's four codes are added and cut off at 0. A first hidden layer, of their sum over all points and
of what each colour needs to win, and a second one give the win rate of the colour to move. For the policy, a
vector made of the first layer is added to that of each empty point; the weighted positive parts and a number for the
distance to the last play are the point's logit. The tables hold nearly all of the weights, so a position costs few
operations (as in NNUE, Nasu 2018, and in Rapfi).

The vectors are stored in bytes, with one scale for all of them, which the layers contain.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any, Final

import numba
import numpy as np

from ..go.board import Board
from ..go.vertex import BLACK, opponent
from ..jit.kernel import inner, wide
from ..playout.endings import is_capture_game, stones_to_win
from . import codes
from .codes import CROSS, RAW_CROSSES, RAW_SQUARES, SPOT, SPOTS, SQUARE, STAKE, STAKES, encode

WIDTH: Final = 32
"""Elements of a vector, and of each hidden layer."""
SQUARES: Final = 26_220
CROSSES: Final = 13_860
MOST_NEEDED: Final = 10
"""Prisoners that a colour needs; more count as this many. In ordinary Go, stones count as if this many were needed."""
KOMI_STEP: Final = 2.0
"""Points of area in a class of what a colour needs in ordinary Go."""
DISTANCES: Final = 12
"""Classes of the distance to the last play; class 0: there is none."""
AT_ONCE: Final = 4
"""Inputs of a layer that are added in one pass."""
BYTE: Final = 127
BLOCK: Final = 64
"""Points whose vectors can be added in 16 bits: each element is at most 4 * BYTE."""
CAPTURE_FILE, ORDINARY_FILE = "capture.npz", "ordinary.npz"

DTYPE: Final = np.dtype(
    [
        ("square_numbers", "u2", (RAW_SQUARES,)),
        ("cross_numbers", "u2", (RAW_CROSSES,)),
        ("squares", "i1", (SQUARES, WIDTH)),
        ("crosses", "i1", (CROSSES, WIDTH)),
        ("spots", "i1", (SPOTS, WIDTH)),
        ("stakes", "i1", (STAKES, WIDTH)),
        ("own_needs", "f4", (MOST_NEEDED, WIDTH)),  # by what the colour to move needs to win, see `need_class`
        ("other_needs", "f4", (MOST_NEEDED, WIDTH)),
        ("first", "f4", (WIDTH, WIDTH)),  # [input, output], as the other layers
        ("first_bias", "f4", (WIDTH,)),
        ("second", "f4", (WIDTH, WIDTH)),
        ("second_bias", "f4", (WIDTH,)),
        ("value", "f4", (WIDTH,)),
        ("value_bias", "f4"),
        ("shift", "f4", (WIDTH, WIDTH)),
        ("shift_bias", "f4", (WIDTH,)),
        ("policy", "f4", (WIDTH,)),
        ("distances", "f4", (DISTANCES,)),
    ],
    align=True,
)
"""All weights, as one record, because Numba counts references to arrays in a tuple."""
NETWORK: Final = numba.from_dtype(DTYPE)
WEIGHTS: Final = [name for name in DTYPE.names or () if not name.endswith("_numbers")]
SCRATCH: Final = np.dtype(
    [
        *codes.SCRATCH,
        ("block", "i2", (WIDTH,)),  # sums of vectors
        ("total", "f4", (WIDTH,)),
        ("hidden", "f4", (WIDTH,)),
        ("output", "f4", (WIDTH,)),  # for the policy the vector to add to each point's
        ("products", "f4", (WIDTH,)),
    ],
    align=True,
)
"""The memory of a thread."""
_0: Final = np.float32(0)


def shipped(ordinary: bool = False) -> Any:
    """Return the network of this package for capture games, or the one for ordinary Go."""
    return _stored(ORDINARY_FILE if ordinary else CAPTURE_FILE)


@cache
def _stored(name: str) -> Any:
    with (resources.files(__package__) / name).open("rb") as file:
        return read(file)


def read(file: Any) -> Any:
    """Return the network of an open file. KeyError: it lacks some weights."""
    with np.load(file) as stored:
        return record({name: stored[name] for name in WEIGHTS})


def record(weights: dict[str, Any]) -> Any:
    """Return a network with these weights and 0 for others; those of the codes are whole numbers from -BYTE to BYTE."""
    found = np.zeros(1, DTYPE).view(np.recarray)[0]
    found.square_numbers[:], found.cross_numbers[:] = codes.square_numbers(), codes.cross_numbers()
    for name, values in weights.items():
        found[name] = values
    return found


@inner
def add_vectors(network: Any, scratch: Any, points: int) -> None:
    """Write the sum of the positive parts of all points' vectors to `scratch.total`."""
    total, block, numbers = scratch.total, scratch.block, scratch.codes
    for i in range(WIDTH):
        total[i] = _0
    for start in range(0, points, BLOCK):
        for i in range(WIDTH):
            block[i] = 0
        for n in range(start, min(start + BLOCK, points)):
            square, cross = network.squares[numbers[SQUARE, n]], network.crosses[numbers[CROSS, n]]
            spot = network.spots[numbers[SPOT, n]]
            stake = network.stakes[numbers[STAKE, n]]
            for i in range(WIDTH):
                element = np.int16(np.int16(square[i]) + np.int16(cross[i]) + np.int16(spot[i]) + np.int16(stake[i]))
                block[i] = np.int16(block[i] + max(element, np.int16(0)))
        for i in range(WIDTH):
            total[i] += np.float32(block[i])


@inner
def layer(weights: Any, bias: Any, inputs: Any, outputs: Any) -> None:
    """Compute a layer from the positive parts of its inputs."""
    for i in range(WIDTH):
        outputs[i] = bias[i]
    for j in range(0, WIDTH, AT_ONCE):
        a, b, c, d = weights[j], weights[j + 1], weights[j + 2], weights[j + 3]
        w, x = max(inputs[j], _0), max(inputs[j + 1], _0)
        y, z = max(inputs[j + 2], _0), max(inputs[j + 3], _0)
        for i in range(WIDTH):
            outputs[i] += (a[i] * w + b[i] * x) + (c[i] * y + d[i] * z)


@inner
def needed(b: Board, rules: Any, c: int) -> int:
    """Return the prisoners that colour c still needs, at least 1; in ordinary Go MOST_NEEDED."""
    return max(1, stones_to_win(b, rules, c)) if is_capture_game(rules) else MOST_NEEDED


@inner
def need_class(b: Board, rules: Any, c: int) -> int:
    """Return the class of what colour c needs to win: prisoners, or points of area more than its opponent."""
    if is_capture_game(rules):
        return min(needed(b, rules, c), MOST_NEEDED) - 1
    lead = rules.komi if c == BLACK else -rules.komi
    return min(max(wide(math.floor(lead / KOMI_STEP + 0.5)) + MOST_NEEDED // 2, 0), MOST_NEEDED - 1)


@inner
def first_layer(b: Board, rules: Any, c: int, network: Any, scratch: Any) -> None:
    """Write the first hidden layer of a position, as seen by colour c to move, to `scratch.hidden`."""
    own, other, hidden = needed(b, rules, c), needed(b, rules, opponent(c)), scratch.hidden
    points = encode(b, c, own, other, network.square_numbers, network.cross_numbers, scratch)
    add_vectors(network, scratch, points)
    layer(network.first, network.first_bias, scratch.total, hidden)
    mine = network.own_needs[need_class(b, rules, c)]
    theirs = network.other_needs[need_class(b, rules, opponent(c))]
    for i in range(WIDTH):
        hidden[i] += mine[i] + theirs[i]


@inner
def total_of(products: Any) -> float:
    """Return the sum of WIDTH numbers, which are overwritten: by halves, so that vector instructions add them."""
    for i in range(WIDTH // 2):
        products[i] += products[i + WIDTH // 2]
    for i in range(WIDTH // 4):
        products[i] += products[i + WIDTH // 4]
    total = np.float32(0)
    for i in range(WIDTH // 4):
        total += products[i]
    return np.float64(total)


@inner
def win_rate(b: Board, rules: Any, c: int, network: Any, scratch: Any) -> float:
    """Return the estimated win rate of colour c, to move, 0 to 1."""
    first_layer(b, rules, c, network, scratch)
    layer(network.second, network.second_bias, scratch.hidden, scratch.output)
    output, products = scratch.output, scratch.products
    for i in range(WIDTH):
        products[i] = network.value[i] * max(output[i], _0)
    return 1.0 / (1.0 + math.exp(-(np.float64(network.value_bias) + total_of(products))))


@inner
def begin_policy(b: Board, rules: Any, c: int, network: Any, scratch: Any) -> None:
    """Prepare `logit` for colour c, to move."""
    first_layer(b, rules, c, network, scratch)
    layer(network.shift, network.shift_bias, scratch.hidden, scratch.output)


@inner
def logit(b: Board, p: int, last: int, network: Any, scratch: Any) -> float:
    """Return the logit of a play at p, after `begin_policy`; `last`: the opponent's last play, or 0."""
    stride = wide(b.stride)
    n = p - stride - p // stride  # row by row, without the border
    numbers, shift = scratch.codes, scratch.output
    square, cross = network.squares[numbers[SQUARE, n]], network.crosses[numbers[CROSS, n]]
    spot, stake = network.spots[numbers[SPOT, n]], network.stakes[numbers[STAKE, n]]
    products = scratch.products
    for i in range(WIDTH):
        element = np.int16(np.int16(square[i]) + np.int16(cross[i]) + np.int16(spot[i]) + np.int16(stake[i]))
        products[i] = network.policy[i] * max(np.float32(max(element, np.int16(0))) + shift[i], _0)
    return float(network.distances[distance(p, last, stride)] + total_of(products))


def logits(b: Board, rules: Any, plays: Iterable[int], c: int, last: int) -> dict[int, float]:
    """Return the logit of each of these plays of colour c, to move, without compiled code."""
    network, scratch = shipped(ordinary=rules.captures == 0), np.zeros(1, SCRATCH).view(np.recarray)[0]
    begin_policy(b, rules, c, network, scratch)
    return {p: logit(b, p, last, network, scratch) for p in plays}


@inner
def distance(p: int, last: int, stride: int) -> int:
    """Return the distance of two points, dx + dy + max(dx, dy) - 1, below DISTANCES; 0 if there is no last play."""
    if last <= 0:
        return 0
    across, along = abs(p % stride - last % stride), abs(p // stride - last // stride)
    return max(0, min(DISTANCES - 1, across + along + max(across, along) - 1))
