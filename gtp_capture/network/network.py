"""The network: its weights as one record, and its two outputs. Compiled.

The vectors of a point's four codes are added, and negative elements become 0 (ReLU). Each point's vector is then mixed
with the vectors of its eight neighbours, element by element, followed by a ReLU: a depthwise convolution, with one
weight for the four neighbours and one for the four diagonal ones. The first hidden layer takes the sum of the mixed
vectors of all points, and what each colour needs to win; the second one gives the win rate of the colour to move. For
the policy, a vector computed from the first layer is added to the mixed vector of each empty point; a weighted sum of
the positive parts, plus a number for the distance to the last play, is the point's logit. The tables hold nearly all of
the weights, so a position costs few operations (as in NNUE, Nasu 2018, and in Rapfi).

The vectors are stored in bytes, with one scale for all of them, which the weights of the layers include, and are
computed in 16 bits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any, Final

import numba
import numpy as np

from ..go.board import CELLS, Board
from ..go.vertex import BLACK, BORDER, MAX_SIDE, opponent
from ..jit.kernel import as_int64, inner
from ..playout.endings import is_capture_game, stones_to_win
from . import codes
from .codes import CROSS, RAW_CROSSES, RAW_SQUARES, SPOT, SPOTS, SQUARE, STAKE, STAKES, encode

WIDTH: Final = 32
"""Elements of a vector, and of each hidden layer."""
SQUARES: Final = 26_220
CROSSES: Final = 13_860
MOST_NEEDED: Final = 10
"""The greatest number of prisoners that a colour needs; greater ones, and that of ordinary Go, count as this one."""
KOMI_STEP: Final = 2.0
"""Points of area in a class of `need_class` in ordinary Go."""
DISTANCES: Final = 12
"""Classes of the distance to the last play; class 0: there is no last play."""
AT_ONCE: Final = 4
"""Inputs of a layer that are added in one pass."""
BYTE: Final = 127
MOST: Final = 4 * BYTE
"""The greatest element of a vector."""
MOST_SHIFTED: Final = 2047
"""The greatest element after the policy has added its vector: the sum of WIDTH products then fits into 32 bits."""
UP: Final = 32, 16, 16
"""Factors of a vector, of the sum of its neighbours and of the sum of its diagonal neighbours, before they are mixed:
as great as 16 bits allow. The products with the weights are divided by 2 ** 16."""
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
        ("mix", "i2", (len(UP) + 1, MAX_SIDE, WIDTH)),  # weights and bias, repeated for all points of a row
        ("first", "f4", (WIDTH, WIDTH)),  # [input, output], as the other layers
        ("first_bias", "f4", (WIDTH,)),
        ("second", "f4", (WIDTH, WIDTH)),
        ("second_bias", "f4", (WIDTH,)),
        ("value", "f4", (WIDTH,)),
        ("value_bias", "f4"),
        ("shift", "f4", (WIDTH, WIDTH)),
        ("shift_bias", "f4", (WIDTH,)),
        ("policy", "i2", (WIDTH,)),
        ("policy_unit", "f4"),  # the logit for a 1 in `policy`
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
        ("vectors", "i2", (CELLS, WIDTH)),  # 0 for the border
        ("beside", "i2", (CELLS, WIDTH)),  # sums of the vectors to the left and to the right
        ("mixed", "i2", (CELLS, WIDTH)),
        ("column", "i2", (MAX_SIDE, WIDTH)),  # sums of the mixed vectors of each column
        ("columns", "f4", (MAX_SIDE, WIDTH)),  # the same sums, to be added by halves
        ("total", "f4", (WIDTH,)),
        ("hidden", "f4", (WIDTH,)),
        ("output", "f4", (WIDTH,)),
        ("shift", "i2", (WIDTH,)),  # for the policy: the vector to add to each point's vector
        ("products", "f4", (WIDTH,)),
    ],
    align=True,
)
"""The scratch memory of a thread."""
_0, _HALF = np.float32(0), np.float32(0.5)
_LEAST, _MOST = np.int16(0), np.int16(MOST)
_SHIFT: Final = np.float32(MOST_SHIFTED - MOST)


def shipped(ordinary: bool = False) -> Any:
    """Return the network of this package for capture games, or the one for ordinary Go."""
    return _stored(ORDINARY_FILE if ordinary else CAPTURE_FILE)


@cache
def _stored(name: str) -> Any:
    with (resources.files(__package__) / name).open("rb") as file:
        return read(file)


def read(file: Any) -> Any:
    """Return the network of an open file. KeyError: the file lacks some weights."""
    with np.load(file) as stored:
        return record({name: stored[name] for name in WEIGHTS})


def record(weights: dict[str, Any]) -> Any:
    """Return a network with these weights; others are 0. The elements of codes' vectors are integers up to +-BYTE."""
    network = np.zeros(1, DTYPE).view(np.recarray)[0]
    network.square_numbers[:], network.cross_numbers[:] = codes.square_numbers(), codes.cross_numbers()
    for name, values in weights.items():
        network[name] = values
    return network


@inner
def set_vectors(b: Board, network: Any, scratch: Any) -> None:
    """Write the vector of each point to `scratch.vectors`."""
    vectors, numbers = scratch.vectors, scratch.codes
    n = 0
    for p in range(as_int64(b.cells)):
        vector = vectors[p]
        if b.color[p] == BORDER:
            for i in range(WIDTH):
                vector[i] = _LEAST
            continue
        square, cross = network.squares[numbers[SQUARE, n]], network.crosses[numbers[CROSS, n]]
        spot, stake = network.spots[numbers[SPOT, n]], network.stakes[numbers[STAKE, n]]
        for i in range(WIDTH):
            element = np.int16(np.int16(square[i]) + np.int16(cross[i]) + np.int16(spot[i]) + np.int16(stake[i]))
            vector[i] = max(element, _LEAST)
        n += 1


@inner
def mix_vectors(b: Board, network: Any, scratch: Any) -> None:
    """Write the mixed vector of each point to `scratch.mixed`; a row at a time, by vector instructions."""
    vectors, beside, mixed = scratch.vectors.reshape(-1), scratch.beside.reshape(-1), scratch.mixed.reshape(-1)
    row, length = as_int64(b.stride) * WIDTH, as_int64(b.width) * WIDTH
    for j in range(WIDTH, (as_int64(b.cells) - 1) * WIDTH):
        beside[j] = np.int16(vectors[j - WIDTH] + vectors[j + WIDTH])
    own, near, diagonal = network.mix[0].reshape(-1), network.mix[1].reshape(-1), network.mix[2].reshape(-1)
    bias = network.mix[3].reshape(-1)
    for start in range(row + WIDTH, row * (as_int64(b.height) + 1), row):
        end, below, above = start + length, start - row, start + row
        level, sides, mixture = vectors[start:end], beside[start:end], mixed[start:end]
        south, north = vectors[below : below + length], vectors[above : above + length]
        south_sides, north_sides = beside[below : below + length], beside[above : above + length]
        for j in range(length):
            x = np.int32(np.int16(level[j] * UP[0])) * np.int32(own[j])
            y = np.int32(np.int16((sides[j] + south[j] + north[j]) * UP[1])) * np.int32(near[j])
            z = np.int32(np.int16((south_sides[j] + north_sides[j]) * UP[2])) * np.int32(diagonal[j])
            element = (x >> 16) + (y >> 16) + (z >> 16) + bias[j]
            mixture[j] = min(max(np.int16(element), _LEAST), _MOST)


@inner
def add_vectors(b: Board, scratch: Any) -> None:
    """Write the sum of all points' mixed vectors to `scratch.total`: each column in 16 bits, then by halves."""
    row, length, columns = as_int64(b.stride) * WIDTH, as_int64(b.width) * WIDTH, as_int64(b.width)
    mixed, sums, halves = scratch.mixed.reshape(-1), scratch.column.reshape(-1), scratch.columns.reshape(-1)
    for j in range(length):
        sums[j] = _LEAST
    for start in range(row + WIDTH, row * (as_int64(b.height) + 1), row):
        part = mixed[start : start + length]
        for j in range(length):
            sums[j] = np.int16(sums[j] + part[j])
    for j in range(length):
        halves[j] = np.float32(sums[j])
    while columns > 1:
        half = columns // 2
        first, second = halves[: half * WIDTH], halves[(columns - half) * WIDTH : columns * WIDTH]
        for j in range(half * WIDTH):
            first[j] += second[j]
        columns -= half
    for i in range(WIDTH):
        scratch.total[i] = halves[i]


@inner
def layer(weights: Any, bias: Any, inputs: Any, outputs: Any) -> None:
    """Compute a layer from the positive parts (ReLU) of its inputs."""
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
    return min(max(as_int64(math.floor(lead / KOMI_STEP + 0.5)) + MOST_NEEDED // 2, 0), MOST_NEEDED - 1)


@inner
def first_layer(b: Board, rules: Any, c: int, network: Any, scratch: Any) -> None:
    """Write the first hidden layer of a position, as seen by colour c to move, to `scratch.hidden`."""
    own, other, hidden = needed(b, rules, c), needed(b, rules, opponent(c)), scratch.hidden
    encode(b, c, own, other, network.square_numbers, network.cross_numbers, scratch)
    set_vectors(b, network, scratch)
    mix_vectors(b, network, scratch)
    add_vectors(b, scratch)
    layer(network.first, network.first_bias, scratch.total, hidden)
    mine = network.own_needs[need_class(b, rules, c)]
    theirs = network.other_needs[need_class(b, rules, opponent(c))]
    for i in range(WIDTH):
        hidden[i] += mine[i] + theirs[i]


@inner
def total_of(products: Any) -> float:
    """Return the sum of WIDTH numbers, added by halves, so by vector instructions; this overwrites the numbers."""
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
    """Return the estimated win rate of colour c, which is to move: 0 to 1."""
    first_layer(b, rules, c, network, scratch)
    layer(network.second, network.second_bias, scratch.hidden, scratch.output)
    output, products = scratch.output, scratch.products
    for i in range(WIDTH):
        products[i] = network.value[i] * max(output[i], _0)
    return 1.0 / (1.0 + math.exp(-(np.float64(network.value_bias) + total_of(products))))


@inner
def begin_policy(b: Board, rules: Any, c: int, network: Any, scratch: Any) -> None:
    """Prepare `logit` for colour c, which is to move."""
    first_layer(b, rules, c, network, scratch)
    layer(network.shift, network.shift_bias, scratch.hidden, scratch.output)
    for i in range(WIDTH):
        scratch.shift[i] = np.int16(math.floor(min(max(scratch.output[i], -_SHIFT), _SHIFT) + _HALF))


@inner
def logit(b: Board, p: int, last: int, network: Any, scratch: Any) -> float:
    """Return the logit of a play at p, after `begin_policy`; `last`: the opponent's last play, or 0."""
    mixed, shift, policy, total = scratch.mixed[p], scratch.shift, network.policy, np.int32(0)
    for i in range(WIDTH):
        shifted = max(np.int16(mixed[i] + shift[i]), _LEAST)
        total = np.int32(total + np.int32(np.int32(shifted) * np.int32(policy[i])))
    return float(network.distances[distance(p, last, as_int64(b.stride))] + network.policy_unit * np.float32(total))


def logits(b: Board, rules: Any, plays: Iterable[int], c: int, last: int) -> dict[int, float]:
    """Return the logit of each of these plays of colour c, which is to move. Runs as plain Python."""
    network, scratch = shipped(ordinary=rules.captures == 0), np.zeros(1, SCRATCH).view(np.recarray)[0]
    begin_policy(b, rules, c, network, scratch)
    return {p: logit(b, p, last, network, scratch) for p in plays}


@inner
def distance(p: int, last: int, stride: int) -> int:
    """Return the distance of two points, dx + dy + max(dx, dy) - 1, below DISTANCES; 0 if there is no last play."""
    if last <= 0:
        return 0
    rows = as_int64(np.uint32(p) // np.uint32(stride)) - as_int64(np.uint32(last) // np.uint32(stride))
    along, across = abs(rows), abs(p - last - rows * stride)
    return max(0, min(DISTANCES - 1, across + along + max(across, along) - 1))
