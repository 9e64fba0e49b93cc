"""Fit the weights of the network to examples, with Adam (Kingma and Ba 2015), on one core."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numba
import numpy as np

from gtp_capture.go import board as bd
from gtp_capture.jit.records import copy_board, record
from gtp_capture.network.codes import (
    CROSS,
    KINDS,
    SPOT,
    SPOTS,
    SQUARE,
    STAKE,
    STAKES,
    cross_numbers,
    encode,
    square_numbers,
)
from gtp_capture.network.network import BYTE, CROSSES, DISTANCES, MOST_NEEDED, SCRATCH, SQUARES, UP, WIDTH, distance

BATCH: Final = 512
WARM: Final = 100
"""Batches until the step of Adam is greatest; after them it falls linearly to the share LAST of that step."""
LAST: Final = 0.02
POLICY_SHARE: Final = 0.5
"""Weight of the loss of the policy, relative to that of the value."""
FIRST_DECAY, SECOND_DECAY, TINY = 0.9, 0.999, 1e-8
SPREAD: Final = 0.05
"""Standard deviation of the first vectors."""
HIGHEST: Final = 12_000
"""Greatest number that mixes vectors, so that no sum exceeds 16 bits."""
POLICY_MOST: Final = 2**15 - 1
"""Greatest number of the policy."""
MIXED: Final = 0.3
"""Standard deviation of the first weights of neighbours, and mean of the first weights of the point itself."""
VARIED: Final = 0.1
"""Standard deviation of the weights of neighbours when learning goes on with a network that had none."""
UNIT: Final = 0.015
"""The value that a 1 in the tables of such a network stands for."""
CUT: Final = len(UP) / 2
"""Mean loss of a mixed vector's element by the shifts to the right."""
SCALE: Final = 0.1
"""Factor of the sum of the vectors, so that it is about 1."""


class Weights(NamedTuple):
    """All weights, or their gradients or moments; the layers are [input, output], `mix` is [part, element]."""

    squares: Any
    crosses: Any
    spots: Any
    stakes: Any
    mix: Any
    mix_bias: Any
    own_needs: Any
    other_needs: Any
    first: Any
    first_bias: Any
    second: Any
    second_bias: Any
    value: Any
    value_bias: Any
    shift: Any
    shift_bias: Any
    policy: Any
    distances: Any


SHAPES: Final = Weights(
    (SQUARES, WIDTH), (CROSSES, WIDTH), (SPOTS, WIDTH), (STAKES, WIDTH), (len(UP), WIDTH), (WIDTH,),
    (MOST_NEEDED, WIDTH), (MOST_NEEDED, WIDTH),
    (WIDTH, WIDTH), (WIDTH,), (WIDTH, WIDTH), (WIDTH,), (WIDTH,), (1,),
    (WIDTH, WIDTH), (WIDTH,), (WIDTH,), (DISTANCES,),
)  # fmt: skip


class Examples(NamedTuple):
    """Positions of one kind of game, as numbers for the network, with the targets of the training."""

    width: int
    codes: Any
    """uint16 [positions, KINDS, points]."""
    needs: Any
    """uint8 [positions, 2]: classes of what the colour to move and its opponent need, see `need_class`."""
    near: Any
    """uint8 [positions, points]: distance to the last play, see `distance`."""
    visits: Any
    """uint16 [positions, points]: how a search divided its visits."""
    empty: Any
    """bool [positions, points]."""
    target: Any
    """float32 [positions]: the target of the win rate of the colour to move."""


def zeros() -> Weights:
    return Weights(*(np.zeros(shape, np.float32) for shape in SHAPES))


def first_weights(seed: int) -> Weights:
    """Return random weights."""
    chance, weights = np.random.default_rng(seed), zeros()
    for name in ("squares", "crosses", "spots"):
        getattr(weights, name)[:] = chance.normal(0, SPREAD, getattr(SHAPES, name))
    for name in ("first", "first_bias", "second", "second_bias", "value", "shift", "shift_bias", "policy"):
        bound = 1 / math.sqrt(WIDTH)
        getattr(weights, name)[:] = chance.uniform(-bound, bound, getattr(SHAPES, name))
    weights.mix[:] = chance.normal(0, MIXED, SHAPES.mix)
    weights.mix[0] += MIXED
    return weights


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def encode_all(stones: Any, needs: Any, last: Any, boards: Any, numbers: Any, scratch: Any, found: Any) -> None:
    """Write codes and distances of positions to `found`; stones are 1 for the colour to move and 2 for the other one.

    `boards`: an empty one and scratch memory; `numbers`: of squares and of crosses.
    """
    (board, work), (out, near) = boards, found
    stride, width = int(board.stride), int(board.width)
    for k in range(len(stones)):
        copy_board(work, board)
        for n in range(stones.shape[1]):
            if stones[k, n] > 0:
                bd.place(work, (n // width + 1) * stride + n % width + 1, stones[k, n])
        points = encode(work, 1, needs[k, 0], needs[k, 1], numbers[0], numbers[1], scratch)
        played = 0 if last[k] < 0 else (last[k] // width + 1) * stride + last[k] % width + 1
        for n in range(points):
            for kind in range(KINDS):
                out[k, kind, n] = scratch.codes[kind, n]
            near[k, n] = distance((n // width + 1) * stride + n % width + 1, played, stride)


def examples(
    side: int, stones: Any, needs: Any, last: Any, visits: Any, target: Any, *, ordinary: bool = False
) -> Examples:
    """Return positions of one board size as examples; `needs`: see `self_play.Row`."""
    empty = bd.new(side, side)
    codes = np.zeros((len(stones), KINDS, side * side), np.uint16)
    near = np.zeros((len(stones), side * side), np.uint8)
    scratch = np.zeros(1, SCRATCH).view(np.recarray)[0]
    needs = np.minimum(needs, MOST_NEEDED).astype(np.int64)
    numbers = square_numbers(), cross_numbers()
    prisoners = np.full_like(needs, MOST_NEEDED) if ordinary else needs
    encode_all(stones, prisoners, last, (record(empty), record(empty)), numbers, scratch, (codes, near))
    aims = visits.astype(np.uint16), stones == 0, target.astype(np.float32)
    return Examples(side, codes, (needs - 1).astype(np.uint8), near, *aims)


@numba.njit(nogil=True, fastmath=True)  # type: ignore[untyped-decorator]
def add_layer(weights: Any, inputs: Any, outputs: Any) -> None:
    """Add a layer of these inputs to the outputs."""
    for j in range(WIDTH):
        row, x = weights[j], inputs[j]
        for i in range(WIDTH):
            outputs[i] += row[i] * x


@numba.njit(nogil=True, fastmath=True)  # type: ignore[untyped-decorator]
def add_slopes(weights: Any, inputs: Any, d_outputs: Any, slopes: Any, d_inputs: Any) -> None:
    """Add the gradients of a layer to `slopes`, and those of its inputs to `d_inputs`."""
    for j in range(WIDTH):
        row, slope, x, d = weights[j], slopes[j], inputs[j], np.float32(0)
        for i in range(WIDTH):
            slope[i] += x * d_outputs[i]
            d += row[i] * d_outputs[i]
        d_inputs[j] += d


@numba.njit(nogil=True, fastmath=True)  # type: ignore[untyped-decorator]
def add_around(vectors: Any, p: int, stride: int, near: Any, diagonal: Any) -> None:
    """Write the sum of the vectors of a point's neighbours to `near`, and of its diagonal neighbours to `diagonal`."""
    a, b, c, d = vectors[p - 1], vectors[p + 1], vectors[p - stride], vectors[p + stride]
    for i in range(WIDTH):
        near[i] = a[i] + b[i] + c[i] + d[i]
    a, b, c, d = (
        vectors[p - stride - 1],
        vectors[p - stride + 1],
        vectors[p + stride - 1],
        vectors[p + stride + 1],
    )
    for i in range(WIDTH):
        diagonal[i] = a[i] + b[i] + c[i] + d[i]


@numba.njit(nogil=True, fastmath=True)  # type: ignore[untyped-decorator]
def gradients(data: Any, batch: Any, w: Any, g: Any, learn: bool) -> Any:
    """Add the gradients of a batch to `g`, if wanted; return the sums of the losses of value and policy."""
    value_loss = policy_loss = 0.0
    zero, scale, share = np.float32(0), np.float32(SCALE), np.float32(1 / len(batch))
    width, points = data.width, data.codes.shape[2]
    stride = width + 2
    cells = stride * (points // width + 2)  # a border of zeros included
    vectors, mixed = np.zeros((cells, WIDTH), np.float32), np.zeros((cells, WIDTH), np.float32)
    near, diagonal = np.zeros((cells, WIDTH), np.float32), np.zeros((cells, WIDTH), np.float32)
    d_mixed, d_vector = np.zeros((cells, WIDTH), np.float32), np.zeros(WIDTH, np.float32)
    d_near, d_diagonal = np.zeros(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    total, d_total = np.zeros(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    hidden, d_hidden = np.zeros(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    out, d_out = np.zeros(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    shift, d_shift = np.zeros(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    logits, cell = np.zeros(points), np.zeros(points, np.int64)
    for n in range(points):
        cell[n] = (n // width + 1) * stride + n % width + 1
    for k in batch:
        for n in range(points):
            a, b = w.squares[data.codes[k, SQUARE, n]], w.crosses[data.codes[k, CROSS, n]]
            c, e = w.spots[data.codes[k, SPOT, n]], w.stakes[data.codes[k, STAKE, n]]
            v = vectors[cell[n]]
            for i in range(WIDTH):
                v[i] = max(a[i] + b[i] + c[i] + e[i], zero)
        total[:] = zero
        for n in range(points):
            p = cell[n]
            v, x, y, m = vectors[p], near[p], diagonal[p], mixed[p]
            add_around(vectors, p, stride, x, y)
            for i in range(WIDTH):
                m[i] = max(w.mix_bias[i] + w.mix[0, i] * v[i] + w.mix[1, i] * x[i] + w.mix[2, i] * y[i], zero)
                total[i] += scale * m[i]
        own, other = data.needs[k, 0], data.needs[k, 1]
        for i in range(WIDTH):
            hidden[i] = w.first_bias[i] + w.own_needs[own, i] + w.other_needs[other, i]
            out[i], shift[i] = w.second_bias[i], w.shift_bias[i]
        add_layer(w.first, total, hidden)
        for i in range(WIDTH):
            hidden[i] = max(hidden[i], zero)
        add_layer(w.second, hidden, out)
        add_layer(w.shift, hidden, shift)
        value = np.float64(w.value_bias[0])
        for i in range(WIDTH):
            out[i] = max(out[i], zero)
            value += w.value[i] * out[i]
        aim = data.target[k]
        chance = 1 / (1 + math.exp(-value))
        value_loss -= aim * math.log(chance + 1e-9) + (1 - aim) * math.log(1 - chance + 1e-9)
        visits, most = 0.0, -1e9
        for n in range(points):
            if data.empty[k, n]:
                m, t = mixed[cell[n]], w.distances[data.near[k, n]]
                for i in range(WIDTH):
                    t += w.policy[i] * max(m[i] + shift[i], zero)
                logits[n] = t
                most = max(most, logits[n])
                visits += data.visits[k, n]
        whole = 0.0
        for n in range(points):
            if data.empty[k, n]:
                whole += math.exp(logits[n] - most)
        d_shift[:] = zero
        for n in range(points):
            d = d_mixed[cell[n]]
            d[:] = zero
            if not data.empty[k, n] or visits == 0:
                continue
            wanted = data.visits[k, n] / visits
            guess = math.exp(logits[n] - most) / whole
            if wanted > 0:
                policy_loss -= wanted * (logits[n] - most - math.log(whole))
            if learn:
                slope = np.float32(POLICY_SHARE * (guess - wanted) * share)
                m = mixed[cell[n]]
                g.distances[data.near[k, n]] += slope
                for i in range(WIDTH):
                    sum_ = m[i] + shift[i]
                    on = slope if sum_ > zero else zero
                    g.policy[i] += on * sum_
                    d[i] = on * w.policy[i]
                    d_shift[i] += d[i]
        if not learn:
            continue
        slope = np.float32(chance - aim) * share
        g.value_bias[0] += slope
        d_hidden[:], d_total[:] = zero, zero
        for i in range(WIDTH):
            g.value[i] += slope * out[i]
            d_out[i] = slope * w.value[i] if out[i] > zero else zero
            g.second_bias[i] += d_out[i]
            g.shift_bias[i] += d_shift[i]
        add_slopes(w.second, hidden, d_out, g.second, d_hidden)
        add_slopes(w.shift, hidden, d_shift, g.shift, d_hidden)
        for i in range(WIDTH):
            d_hidden[i] = d_hidden[i] if hidden[i] > zero else zero
            g.first_bias[i] += d_hidden[i]
            g.own_needs[own, i] += d_hidden[i]
            g.other_needs[other, i] += d_hidden[i]
        add_slopes(w.first, total, d_hidden, g.first, d_total)
        for n in range(points):
            p = cell[n]
            v, x, y, m, d = vectors[p], near[p], diagonal[p], mixed[p], d_mixed[p]
            for i in range(WIDTH):
                d[i] = d[i] + scale * d_total[i] if m[i] > zero else zero
                g.mix_bias[i] += d[i]
                g.mix[0, i] += d[i] * v[i]
                g.mix[1, i] += d[i] * x[i]
                g.mix[2, i] += d[i] * y[i]
        for n in range(points):
            p = cell[n]
            v, d = vectors[p], d_mixed[p]
            add_around(d_mixed, p, stride, d_near, d_diagonal)
            for i in range(WIDTH):
                s = w.mix[0, i] * d[i] + w.mix[1, i] * d_near[i] + w.mix[2, i] * d_diagonal[i]
                d_vector[i] = s if v[i] > zero else zero
            a, b = g.squares[data.codes[k, SQUARE, n]], g.crosses[data.codes[k, CROSS, n]]
            c, e = g.spots[data.codes[k, SPOT, n]], g.stakes[data.codes[k, STAKE, n]]
            for i in range(WIDTH):
                a[i] += d_vector[i]
                b[i] += d_vector[i]
                c[i] += d_vector[i]
                e[i] += d_vector[i]
    return value_loss, policy_loss


@numba.njit(nogil=True, fastmath=True)  # type: ignore[untyped-decorator]
def improve(weights: Any, slopes: Any, first: Any, second: Any, step: float) -> None:
    """Change weights by Adam, and set the slopes to 0; flat arrays. Weights without a slope do not change."""
    for i in range(len(weights)):
        s = slopes[i]
        if s != 0:
            first[i] = np.float32(FIRST_DECAY) * first[i] + np.float32(1 - FIRST_DECAY) * s
            second[i] = np.float32(SECOND_DECAY) * second[i] + np.float32(1 - SECOND_DECAY) * s * s
            weights[i] -= np.float32(step) * first[i] / (math.sqrt(second[i]) + np.float32(TINY))
            slopes[i] = 0


def losses(weights: Weights, data: Examples, rows: Any) -> tuple[float, float]:
    """Return the mean losses of value and policy on these rows, in nats."""
    value, policy = gradients(data, rows, weights, weights, False)
    return value / len(rows), policy / len(rows)


def fit(
    weights: Weights,
    data: list[Examples],
    rows: list[Any],
    epochs: int,
    seed: int,
    greatest: float,
    watch: Callable[[int, int], None],
) -> None:
    """Improve weights with these rows of each board size; `watch` is called with the batches done and their number.

    `greatest`: the greatest step of Adam.
    """
    chance, slopes, first, second = np.random.default_rng(seed), zeros(), zeros(), zeros()
    parts = [-(-len(r) // BATCH) for r in rows]
    whole, done = epochs * sum(parts), 0
    for _ in range(epochs):
        plan = [
            (d, batch)
            for d, r, count in zip(data, rows, parts, strict=True)
            if count
            for batch in np.array_split(chance.permutation(r), count)
        ]
        for i in chance.permutation(len(plan)):
            d, batch = plan[i]
            gradients(d, batch, weights, slopes, True)
            done += 1
            step = greatest * min(1.0, done / WARM) * max(LAST, 1 - done / whole)
            step *= math.sqrt(1 - SECOND_DECAY**done) / (1 - FIRST_DECAY**done)
            for arrays in zip(weights, slopes, first, second, strict=True):
                improve(*(array.reshape(-1) for array in arrays), step)
            watch(done, whole)


def weights_of(network: Any, seed: int) -> Weights:
    """Return the weights of a stored network; if it has none for neighbours, these begin at small random numbers."""
    weights = first_weights(seed)
    for name in Weights._fields:
        if name not in ("mix", "mix_bias"):
            getattr(weights, name)[:] = network[name]
    around = network["mix"][:, 0]
    weights.mix[:] = around[: len(UP)] * (np.array(UP)[:, None] / 2**16)
    if not weights.mix[1:].any():
        weights.mix[1:] = np.random.default_rng(seed).normal(0, VARIED, weights.mix[1:].shape)
    weights.mix_bias[:] = around[len(UP)] - CUT
    for name in ("squares", "crosses", "spots", "stakes", "mix_bias", "shift", "shift_bias"):
        getattr(weights, name)[:] *= UNIT
    weights.policy[:] *= network["policy_unit"] / UNIT
    weights.first[:] /= UNIT * SCALE
    return weights


def stored(weights: Weights) -> dict[str, Any]:
    """Return the weights as the network stores them, see `network.DTYPE`."""
    tables = weights.squares, weights.crosses, weights.spots, weights.stakes
    scale = max(float(np.abs(table).max()) for table in tables) / BYTE
    found = dict(weights._asdict())
    for name in ("squares", "crosses", "spots", "stakes"):
        found[name] = np.round(found[name] / scale).astype(np.int8)
    mix = weights.mix * (2**16 / np.array(UP)[:, None])
    around = np.round([*mix, found.pop("mix_bias") / scale + CUT])
    found["mix"] = np.clip(around, -HIGHEST, HIGHEST).astype(np.int16)[:, None]
    found["first"] = (weights.first * scale * SCALE).astype(np.float32)
    found["shift"] = (weights.shift / scale).astype(np.float32)
    found["shift_bias"] = weights.shift_bias / scale
    unit = float(np.abs(weights.policy).max()) / POLICY_MOST
    found["policy"] = np.round(weights.policy / unit).astype(np.int16)
    found["policy_unit"] = np.float32(unit * scale)
    found["value_bias"] = weights.value_bias[0]
    return found
