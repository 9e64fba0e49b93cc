"""Fit the weights of the network to examples, with Adam (Kingma and Ba 2015), on one core."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numba
import numpy as np

from gtp_capture.go import board as bd
from gtp_capture.jit.records import copy_board
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
from gtp_capture.network.network import BYTE, CROSSES, DISTANCES, MOST_NEEDED, SCRATCH, SQUARES, WIDTH, distance

BATCH: Final = 512
STEP: Final = 0.003
"""Of Adam, at its greatest."""
WARM: Final = 100
"""Batches until the step is at its greatest; from there on it falls to LAST of it in a line."""
LAST: Final = 0.02
POLICY_SHARE: Final = 0.5
"""Weight of the loss of the policy, relative to that of the value."""
FIRST_DECAY, SECOND_DECAY, TINY = 0.9, 0.999, 1e-8
SPREAD: Final = 0.05
"""Standard deviation of the first vectors."""
SCALE: Final = 0.1
"""Of the sum of the vectors, so that it is about 1."""


class Weights(NamedTuple):
    """All weights, or their gradients or moments; the layers are [output, input]."""

    squares: Any
    crosses: Any
    spots: Any
    stakes: Any
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
    (SQUARES, WIDTH), (CROSSES, WIDTH), (SPOTS, WIDTH), (STAKES, WIDTH), (MOST_NEEDED, WIDTH), (MOST_NEEDED, WIDTH),
    (WIDTH, WIDTH), (WIDTH,), (WIDTH, WIDTH), (WIDTH,), (WIDTH,), (1,),
    (WIDTH, WIDTH), (WIDTH,), (WIDTH,), (DISTANCES,),
)  # fmt: skip


class Examples(NamedTuple):
    """Positions of one kind of game, as numbers for the network, and what it is to learn."""

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
    """float32 [positions]: what the win rate of the colour to move should be."""


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
    board = bd.new(side, side)
    codes = np.zeros((len(stones), KINDS, side * side), np.uint16)
    near = np.zeros((len(stones), side * side), np.uint8)
    scratch = np.zeros(1, SCRATCH).view(np.recarray)[0]
    needs = np.minimum(needs, MOST_NEEDED).astype(np.int64)
    numbers = square_numbers(), cross_numbers()
    prisoners = np.full_like(needs, MOST_NEEDED) if ordinary else needs
    encode_all(stones, prisoners, last, (board, bd.copy(board)), numbers, scratch, (codes, near))
    aims = visits.astype(np.uint16), stones == 0, target.astype(np.float32)
    return Examples(codes, (needs - 1).astype(np.uint8), near, *aims)


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def gradients(data: Any, batch: Any, w: Any, g: Any, vectors: Any, learn: bool) -> Any:
    """Add the gradients of a batch to `g`; return the sums of the losses of value and policy. `vectors`: scratch."""
    value_loss = policy_loss = 0.0
    points = data.codes.shape[2]
    logits = np.zeros(points)
    total, hidden, out = np.zeros(WIDTH, np.float32), np.zeros(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    shift, d_shift = np.zeros(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    d_hidden, d_out, d_total = np.zeros(WIDTH, np.float32), np.zeros(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    slopes = np.zeros((points, WIDTH), np.float32)
    share = np.float32(1 / len(batch))
    for k in batch:
        own, other = data.needs[k, 0], data.needs[k, 1]
        total[:] = 0
        for n in range(points):
            a, b = w.squares[data.codes[k, SQUARE, n]], w.crosses[data.codes[k, CROSS, n]]
            c, e = w.spots[data.codes[k, SPOT, n]], w.stakes[data.codes[k, STAKE, n]]
            v = vectors[n]
            for i in range(WIDTH):
                v[i] = max(a[i] + b[i] + c[i] + e[i], np.float32(0))
                total[i] += v[i]
        for i in range(WIDTH):
            total[i] *= np.float32(SCALE)
        value = w.value_bias[0]
        for i in range(WIDTH):
            t = w.first_bias[i] + w.own_needs[own, i] + w.other_needs[other, i]
            for j in range(WIDTH):
                t += w.first[i, j] * total[j]
            hidden[i] = max(t, np.float32(0))
        for i in range(WIDTH):
            t, s = w.second_bias[i], w.shift_bias[i]
            for j in range(WIDTH):
                t += w.second[i, j] * hidden[j]
                s += w.shift[i, j] * hidden[j]
            out[i], shift[i] = max(t, np.float32(0)), s
            value += w.value[i] * out[i]
        aim = data.target[k]
        chance = 1 / (1 + math.exp(-value))
        value_loss -= aim * math.log(chance + 1e-9) + (1 - aim) * math.log(1 - chance + 1e-9)
        visits, most = 0.0, -1e9
        for n in range(points):
            if data.empty[k, n]:
                v, t = vectors[n], w.distances[data.near[k, n]]
                for i in range(WIDTH):
                    t += w.policy[i] * max(v[i] + shift[i], np.float32(0))
                logits[n] = t
                most = max(most, t)
                visits += data.visits[k, n]
        whole = 0.0
        for n in range(points):
            if data.empty[k, n]:
                whole += math.exp(logits[n] - most)
        d_shift[:] = 0
        for n in range(points):
            d = slopes[n]
            d[:] = 0
            if not data.empty[k, n] or visits == 0:
                continue
            wanted = data.visits[k, n] / visits
            guess = math.exp(logits[n] - most) / whole
            if wanted > 0:
                policy_loss -= wanted * (logits[n] - most - math.log(whole))
            if learn:
                slope = np.float32(POLICY_SHARE * (guess - wanted) / len(batch))
                v = vectors[n]
                g.distances[data.near[k, n]] += slope
                for i in range(WIDTH):
                    m = v[i] + shift[i]
                    if m > 0:
                        g.policy[i] += slope * m
                        d[i] = slope * w.policy[i]
                        d_shift[i] += d[i]
        if not learn:
            continue
        slope = np.float32((chance - aim) * share)
        g.value_bias[0] += slope
        for i in range(WIDTH):
            g.value[i] += slope * out[i]
            d_out[i] = slope * w.value[i] if out[i] > 0 else np.float32(0)
        for j in range(WIDTH):
            d_hidden[j] = 0
        for i in range(WIDTH):
            g.second_bias[i] += d_out[i]
            g.shift_bias[i] += d_shift[i]
            for j in range(WIDTH):
                g.second[i, j] += d_out[i] * hidden[j]
                g.shift[i, j] += d_shift[i] * hidden[j]
                d_hidden[j] += d_out[i] * w.second[i, j] + d_shift[i] * w.shift[i, j]
        d_total[:] = 0
        for i in range(WIDTH):
            if hidden[i] > 0:
                g.first_bias[i] += d_hidden[i]
                g.own_needs[own, i] += d_hidden[i]
                g.other_needs[other, i] += d_hidden[i]
                for j in range(WIDTH):
                    g.first[i, j] += d_hidden[i] * total[j]
                    d_total[j] += d_hidden[i] * w.first[i, j]
        for n in range(points):
            a, b = g.squares[data.codes[k, SQUARE, n]], g.crosses[data.codes[k, CROSS, n]]
            c, e = g.spots[data.codes[k, SPOT, n]], g.stakes[data.codes[k, STAKE, n]]
            v, d = vectors[n], slopes[n]
            for i in range(WIDTH):
                x = d[i] + d_total[i] * np.float32(SCALE) if v[i] > 0 else np.float32(0)
                a[i] += x
                b[i] += x
                c[i] += x
                e[i] += x
    return value_loss, policy_loss


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def improve(weights: Any, slopes: Any, first: Any, second: Any, step: float) -> None:
    """Change weights by Adam, and set the slopes to 0; flat arrays. Weights without a slope stay as they are."""
    for i in range(len(weights)):
        s = slopes[i]
        if s != 0:
            first[i] = np.float32(FIRST_DECAY) * first[i] + np.float32(1 - FIRST_DECAY) * s
            second[i] = np.float32(SECOND_DECAY) * second[i] + np.float32(1 - SECOND_DECAY) * s * s
            weights[i] -= np.float32(step) * first[i] / (math.sqrt(second[i]) + np.float32(TINY))
            slopes[i] = 0


def losses(weights: Weights, data: Examples, rows: Any) -> tuple[float, float]:
    """Return the mean losses of value and policy on these rows, in nats."""
    vectors = np.zeros((data.codes.shape[2], WIDTH), np.float32)
    value, policy = gradients(data, rows, weights, weights, vectors, False)
    return value / len(rows), policy / len(rows)


def fit(
    weights: Weights, data: list[Examples], rows: list[Any], epochs: int, seed: int, watch: Callable[[int, int], None]
) -> None:
    """Improve weights with these rows of each board size; `watch` is called with the batches done and their number."""
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
            vectors = np.zeros((d.codes.shape[2], WIDTH), np.float32)
            gradients(d, batch, weights, slopes, vectors, True)
            done += 1
            step = STEP * min(1.0, done / WARM) * max(LAST, 1 - done / whole)
            step *= math.sqrt(1 - SECOND_DECAY**done) / (1 - FIRST_DECAY**done)
            for arrays in zip(weights, slopes, first, second, strict=True):
                improve(*(array.reshape(-1) for array in arrays), step)
            watch(done, whole)


def stored(weights: Weights) -> dict[str, Any]:
    """Return the weights as the network stores them, see `network.DTYPE`."""
    tables = weights.squares, weights.crosses, weights.spots, weights.stakes
    scale = max(float(np.abs(table).max()) for table in tables) / BYTE
    found = dict(weights._asdict())
    for name in ("squares", "crosses", "spots", "stakes"):
        found[name] = np.round(found[name] / scale).astype(np.int8)
    found["first"] = (weights.first.T * scale * SCALE).astype(np.float32)
    found["second"], found["shift"] = weights.second.T.copy(), (weights.shift.T / scale).astype(np.float32)
    found["shift_bias"], found["policy"] = weights.shift_bias / scale, weights.policy * scale
    found["value_bias"] = weights.value_bias[0]
    return found
