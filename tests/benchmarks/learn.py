"""Learn the weights of the network by games of the search with itself, and write them.

    python -m tests.benchmarks.learn FOLDER --out gtp_capture/network/capture.npz
    python -m tests.benchmarks.learn FOLDER --out gtp_capture/network/ordinary.npz --ordinary

Each generation plays games, whose positions are the examples, and fits a network to those of the last GENERATIONS
generations, by Adam (Kingma and Ba 2015). The first generation searches by playouts, without a network, or with the
network of --start, from which then all fits begin; each later one uses the network of the generation before. The value
is fitted to the mean of the result (1 or 0) and of the win rate that the search found, the policy to the shares of the
visits. Some positions of a game become examples; the others are searched with fewer playouts. A game ends when the
search or, on boards that it takes, the exact solver has proven the winner, or in ordinary Go when the search is sure
for both colours. A tenth of the games is held out, and the losses on these games are printed.

FOLDER keeps the positions and networks. The same command goes on after an interruption, or with more generations; a
folder that was made with other options is refused.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import random
from collections import namedtuple
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import numba
import numpy as np
from rich.progress import track

from gtp_capture.go import board as bd
from gtp_capture.go.game import Game
from gtp_capture.go.rules import PRESETS
from gtp_capture.go.vertex import PASS, opponent
from gtp_capture.jit.records import Turn, copy_board, record, rules_record
from gtp_capture.judgement.endgame import count_passes
from gtp_capture.network import codes, network
from gtp_capture.network.codes import CROSS, KINDS, SPOT, SPOTS, SQUARE, STAKE, STAKES, encode
from gtp_capture.network.network import BYTE, CROSSES, DISTANCES, MOST_NEEDED, SCRATCH, SQUARES, UP, WIDTH, distance
from gtp_capture.search.mcts import ROOT, Candidate, Tree
from gtp_capture.search.parameters import SCORED
from gtp_capture.solver.result import UNKNOWN, WIN, unsupported
from gtp_capture.solver.solver import Solver
from gtp_capture.util.atomic_file import atomic_write
from gtp_capture.util.executor import executor, run_jobs
from gtp_capture.util.limit import Limit

SHARES: Final = {
    **{(side, 1): share for side, share in {5: 2, 6: 4, 7: 10, 8: 8, 9: 20, 11: 6, 13: 8, 19: 4}.items()},
    **{(5, 2): 1, (6, 3): 1, (7, 2): 4, (7, 3): 3, (7, 5): 4, (9, 2): 4, (9, 3): 5, (9, 5): 8, (9, 10): 4, (13, 5): 4},
}
"""Approximate share of the positions, in per cent, by the side of the board and the number of prisoners that win."""
ORDINARY: Final = {(7, 0): 14, (9, 0): 70, (13, 0): 12, (19, 0): 4}
"""The shares for ordinary Go."""
SHARD: Final = 2000
"""Number of positions of a job, which has one file."""
GENERATIONS: Final = 10
"""Number of generations to whose positions a network is fitted."""
HELD_OUT: Final = 10
"""One of every HELD_OUT games is not fitted."""

# Games.
MEMORY: Final = 4 * 2**20
OPENING: Final = 10
"""Maximum number of random plays at the start of a game."""
STRAYS: Final = 0.05, 0.15, 0.3
"""Chances, one for each game, that a play is drawn from the best ones by their visits."""
DRAWN: Final = 6
"""Number of plays from which such a play is drawn."""
SOLVED: Final = 2_000
"""Nodes that the solver may search at the position of an example."""
RECORDED: Final = 0.4
"""Chance that a position becomes an example. The others are searched with a part of the playouts, for more games in the
same time: positions of one game have the same result (playout cap randomization of KataGo; Wu 2019)."""
QUICK: Final = 0.2
"""Share of the playouts for these other positions."""
KOMI: Final = 7.5, 7.5, 7.5, 7.5, 6.5, 5.5, 3.5, 0.5, -2.5, 10.5
"""Komi of games of ordinary Go, each with the same chance."""
SURE: Final = 0.97
"""Win rate of a colour in two positions in a row after which a game of ordinary Go counts as won by it."""
PLAYED_ON: Final = 0.1
"""Share of the games that go on, in spite of SURE, until the result is proven."""
LONGEST: Final = 3
"""Moves of a game of ordinary Go, as a multiple of the points; then the win rate decides."""

# Fits.
BATCH: Final = 512
WARM: Final = 100
"""Batches until the step of Adam is greatest; after them it falls linearly to the share LEAST of that step."""
LEAST: Final = 0.02
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
UNIT: Final = 0.015
"""The value that a 1 in the tables of a stored network stands for when learning goes on with it."""
CUT: Final = len(UP) / 2
"""Mean loss of a mixed vector's element by the shifts to the right."""
SCALE: Final = 0.1
"""Factor of the sum of the vectors, so that it is about 1."""

SHAPES: Final = {
    "squares": (SQUARES, WIDTH), "crosses": (CROSSES, WIDTH), "spots": (SPOTS, WIDTH), "stakes": (STAKES, WIDTH),
    "mix": (len(UP), WIDTH), "mix_bias": (WIDTH,), "own_needs": (MOST_NEEDED, WIDTH),
    "other_needs": (MOST_NEEDED, WIDTH), "first": (WIDTH, WIDTH), "first_bias": (WIDTH,), "second": (WIDTH, WIDTH),
    "second_bias": (WIDTH,), "value": (WIDTH,), "value_bias": (1,), "shift": (WIDTH, WIDTH), "shift_bias": (WIDTH,),
    "policy": (WIDTH,), "distances": (DISTANCES,),
}  # fmt: skip
TABLES: Final = ("squares", "crosses", "spots", "stakes")
Weights: Any = namedtuple("Weights", list(SHAPES))  # type: ignore[misc] # its fields are the names of SHAPES
"""All weights, or their gradients or moments; the layers are [input, output], `mix` is [part, element]."""


class Job(NamedTuple):
    """Games to play: a shard of the examples."""

    file: Path
    side: int
    captures: int
    """Prisoners that win; 1 for first capture, 0 for ordinary Go."""
    positions: int
    """Number of positions to find; no game begins after that."""
    playouts: int
    """Playouts for the move of an example."""
    seed: int
    network: Path | None
    """Weights; None for a search by playouts alone, with the same policy for all plays."""


def rows_of(side: int) -> Any:
    """Return the type of the positions on boards of one size, with the results of the search there."""
    return np.dtype(
        [
            ("color", "u1"),  # the colour to move
            ("stones", "i1", (side * side,)),  # 1 for the colour to move, 2 for the other one
            ("needs", "u1", (2,)),  # what the colour to move and the other one need, see `need_class`, plus 1
            ("last", "i2"),  # index of the last play, or -1
            ("rate", "f4"),  # win rate of the colour to move, by the search
            ("visits", "u2", (side * side,)),
            ("won", "?"),
            ("game", "i4"),
        ]
    )


def play(job: Job) -> None:
    """Play the games of a shard and write their positions."""
    rows = np.zeros(0, rows_of(job.side))
    start = new_game(job, random.Random())
    if job.network is None:
        tree = Tree(MEMORY, 1, job.seed, network=network.record({}), playout_share=1.0)
    else:
        with job.network.open("rb") as file:
            tree = Tree(MEMORY, 1, job.seed, network=network.read(file))
    solver = Solver(job.side, job.side, MEMORY) if unsupported(start.rules, start.board) is None else None
    for number in itertools.count():
        if len(rows) >= job.positions:
            break
        examples, winner = play_game(tree, solver, job, job.seed * 1_000_000 + number)
        more = np.array(examples, rows.dtype)
        more["won"], more["game"] = more["color"] == winner, number
        rows = np.concatenate([rows, more])
    with atomic_write(job.file) as file:
        np.savez_compressed(file, rows=rows)


def new_game(job: Job, chance: random.Random) -> Game:
    """Return a game of the kind of a job."""
    if job.captures == 0:
        return Game(PRESETS["tromp-taylor"].override(suicide=False), job.side, komi=chance.choice(KOMI))
    return Game("first-capture" if job.captures == 1 else f"capture-{job.captures}", job.side)


def play_game(tree: Tree, solver: Solver | None, job: Job, seed: int) -> tuple[list[tuple[Any, ...]], int]:
    """Play one game until its result is proven, by the search or the solver; return examples and the winner.

    A game of ordinary Go ends too when both colours agree about its winner.
    """
    chance, rows = random.Random(seed), list[tuple[Any, ...]]()
    game = new_game(job, chance)
    points = bd.points(game.board)
    every, stray = {*points, PASS}, chance.choice(STRAYS)
    sure, leader, most = 0, 0, len(points) * LONGEST
    play_on = job.captures > 0 or chance.random() < PLAYED_ON
    for _ in range(chance.randint(0, OPENING)):
        if game.outcome is None:
            game.play_point(chance.choice(game.legal_plays()))
    while game.outcome is None:
        color, last = int(game.to_move), game.last_move
        recorded = chance.random() < RECORDED
        point = last.point if last is not None else 0
        turn = Turn(game.board, rules_record(game.rules, game.komi), color, point, count_passes(game))
        tree.clear()
        tree.search(ROOT, turn, every, Limit(playouts=job.playouts if recorded else int(QUICK * job.playouts)).begin())
        candidates, verdict = tree.candidates(ROOT), tree.proven(ROOT)
        if verdict is not None:
            return rows, color if verdict else opponent(color)
        rate = candidates[0].winrate
        ahead = color if rate > 0.5 else opponent(color)
        sure = 0 if abs(rate - 0.5) <= SURE - 0.5 else sure + 1 if ahead == leader else 1
        leader = ahead
        if (sure > 1 and not play_on) or (job.captures == 0 and len(game.moves) > most):
            return rows, leader
        if recorded:
            rows.append(row_of(game, job, candidates))
        if solver is not None and recorded:
            result = solver.value(game.board, color, Limit(nodes=SOLVED).begin())
            if result != UNKNOWN:
                return rows, color if result == WIN else opponent(color)
        best = [c for c in candidates if c.proven >= 0][:DRAWN] or candidates[:1]
        drawn = chance.random() < stray
        best = chance.choices(best, [c.visits + 1 for c in best], k=1) + best if drawn else best
        game.play_point(next((c.move for c in best if game.is_legal_point(c.move)), PASS))  # superko forbids some
    winner = game.outcome.winner
    assert winner is not None
    return rows, int(winner)


def row_of(game: Game, job: Job, candidates: list[Candidate]) -> tuple[Any, ...]:
    """Return a position as a row, see `rows_of`, of a game that is not over."""
    board, sides, last = game.board, (int(game.to_move), opponent(int(game.to_move))), game.last_move
    place = {p: i for i, p in enumerate(bd.points(board))}
    visits = np.zeros(len(place), np.uint16)
    for c in candidates:
        if c.move != PASS and c.proven >= 0:
            visits[place[c.move]] = c.visits
    open_ = [c for c in candidates if c.proven == 0]
    rate = sum(c.visits * c.winrate for c in open_) / max(1, sum(c.visits for c in open_))
    rules = rules_record(game.rules, game.komi)
    needs = [
        job.captures - int(board.prisoners[c]) if job.captures else network.need_class(board, rules, c) + 1
        for c in sides
    ]
    stones = [0 if board.color[p] == 0 else 1 + sides.index(board.color[p]) for p in place]
    return int(sides[0]), stones, needs, place.get(last.point, -1) if last is not None else -1, rate, visits, False, 0


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


def zeros() -> Any:
    """Return weights of 0."""
    return Weights(*(np.zeros(shape, np.float32) for shape in SHAPES.values()))


def first_weights(seed: int) -> Any:
    """Return random weights."""
    chance, weights = np.random.default_rng(seed), zeros()
    for name in TABLES[:3]:
        getattr(weights, name)[:] = chance.normal(0, SPREAD, SHAPES[name])
    for name in ("first", "first_bias", "second", "second_bias", "value", "shift", "shift_bias", "policy"):
        bound = 1 / math.sqrt(WIDTH)
        getattr(weights, name)[:] = chance.uniform(-bound, bound, SHAPES[name])
    weights.mix[:] = chance.normal(0, MIXED, SHAPES["mix"])
    weights.mix[0] += MIXED
    return weights


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def encode_all(stones: Any, needs: Any, last: Any, boards: Any, numbers: Any, scratch: Any, coded: Any) -> None:
    """Write codes and distances of positions to `found`; stones are 1 for the colour to move and 2 for the other one.

    `boards`: an empty one and scratch memory; `numbers`: of squares and of crosses.
    """
    (board, work), (out, near) = boards, coded
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
    """Return positions of one board size as examples; `needs`: see `rows_of`."""
    empty = bd.new(side, side)
    coded = np.zeros((len(stones), KINDS, side * side), np.uint16)
    near = np.zeros((len(stones), side * side), np.uint8)
    scratch = np.zeros(1, SCRATCH).view(np.recarray)[0]
    needs = np.minimum(needs, MOST_NEEDED).astype(np.int64)
    numbers = codes.square_numbers(), codes.cross_numbers()
    prisoners = np.full_like(needs, MOST_NEEDED) if ordinary else needs
    encode_all(stones, prisoners, last, (record(empty), record(empty)), numbers, scratch, (coded, near))
    aims = visits.astype(np.uint16), stones == 0, target.astype(np.float32)
    return Examples(side, coded, (needs - 1).astype(np.uint8), near, *aims)


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
    a, b, c, d = vectors[p - stride - 1], vectors[p - stride + 1], vectors[p + stride - 1], vectors[p + stride + 1]
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
    large, small = np.zeros((5, cells, WIDTH), np.float32), np.zeros((11, WIDTH), np.float32)
    vectors, mixed, near, diagonal, d_mixed = large[0], large[1], large[2], large[3], large[4]
    d_vector, d_near, d_diagonal, total, d_total = small[0], small[1], small[2], small[3], small[4]
    hidden, d_hidden, out, d_out, shift, d_shift = small[5], small[6], small[7], small[8], small[9], small[10]
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


def losses(weights: Any, data: Examples, rows: Any) -> tuple[float, float]:
    """Return the mean losses of value and policy on these rows, in nats."""
    value, policy = gradients(data, rows, weights, weights, False)
    return value / len(rows), policy / len(rows)


def fit(weights: Any, data: list[Examples], rows: list[Any], epochs: int, seed: int, greatest: float) -> None:
    """Improve weights with these rows of each board size; `greatest`: the greatest step of Adam."""
    chance, slopes, first, second = np.random.default_rng(seed), zeros(), zeros(), zeros()
    parts = [-(-len(r) // BATCH) for r in rows]
    for epoch in range(epochs):
        plan = [
            (d, batch)
            for d, r, count in zip(data, rows, parts, strict=True)
            if count
            for batch in np.array_split(chance.permutation(r), count)
        ]
        order = chance.permutation(len(plan))
        for done, i in enumerate(track(order, f"epoch {epoch + 1} of {epochs}"), 1 + epoch * len(plan)):
            d, batch = plan[i]
            gradients(d, batch, weights, slopes, True)
            step = greatest * min(1.0, done / WARM) * max(LEAST, 1 - done / (epochs * len(plan)))
            step *= math.sqrt(1 - SECOND_DECAY**done) / (1 - FIRST_DECAY**done)
            for arrays in zip(weights, slopes, first, second, strict=True):
                improve(*(array.reshape(-1) for array in arrays), step)


def weights_of(network: Any) -> Any:
    """Return the weights of a stored network."""
    weights = zeros()
    for name in SHAPES:
        if name not in ("mix", "mix_bias"):
            getattr(weights, name)[:] = network[name]
    around = network["mix"][:, 0]
    weights.mix[:] = around[: len(UP)] * (np.array(UP)[:, None] / 2**16)
    weights.mix_bias[:] = around[len(UP)] - CUT
    for name in (*TABLES, "mix_bias", "shift", "shift_bias"):
        getattr(weights, name)[:] *= UNIT
    weights.policy[:] *= network["policy_unit"] / UNIT
    weights.first[:] /= UNIT * SCALE
    return weights


def stored(weights: Any) -> dict[str, Any]:
    """Return the weights as the network stores them, see `network.DTYPE`."""
    scale = max(float(np.abs(getattr(weights, name)).max()) for name in TABLES) / BYTE
    arrays = dict(weights._asdict())
    for name in TABLES:
        arrays[name] = np.round(arrays[name] / scale).astype(np.int8)
    mix = weights.mix * (2**16 / np.array(UP)[:, None])
    around = np.round([*mix, arrays.pop("mix_bias") / scale + CUT])
    arrays["mix"] = np.clip(around, -HIGHEST, HIGHEST).astype(np.int16)[:, None]
    arrays["first"] = (weights.first * scale * SCALE).astype(np.float32)
    arrays["shift"] = (weights.shift / scale).astype(np.float32)
    arrays["shift_bias"] = weights.shift_bias / scale
    unit = float(np.abs(weights.policy).max()) / POLICY_MOST
    arrays["policy"] = np.round(weights.policy / unit).astype(np.int16)
    arrays["policy_unit"] = np.float32(unit * scale)
    arrays["value_bias"] = weights.value_bias[0]
    return arrays


Shares = dict[tuple[int, int], int]


def shards(folder: Path, shares: Shares, generation: int, options: dict[str, Any]) -> list[Job]:
    """Return the jobs of a generation; those whose file exists are done."""
    weights, jobs = folder / f"network-{generation - 1}.npz" if generation else options["start"], []
    for (side, captures), share in shares.items():
        whole = max(1, options["positions"] * share // 100)
        first = (((options["seed"] * 100 + generation) * 100 + side) * 100 + captures) * 1000
        for n in range(max(1, round(whole / SHARD))):
            file = folder / f"{generation}-{side}-{captures}-{n}.npz"
            jobs.append(Job(file, side, captures, min(SHARD, whole), options["playouts"], first + n, weights))
    return jobs


def learn(shares: Shares, jobs: list[Job], options: dict[str, Any]) -> Any:
    """Return weights fitted to the positions of these jobs; print the losses on games that are held out."""
    data, fitted, held = list[Examples](), list[Any](), list[Any]()
    for side, captures in shares:
        files = [np.load(job.file)["rows"] for job in jobs if (job.side, job.captures) == (side, captures)]
        rows: Any = np.concatenate(files)
        stones, needs, last, visits = (rows[name] for name in ("stones", "needs", "last", "visits"))
        aim = (rows["rate"] + rows["won"]) / 2
        data.append(examples(side, stones, needs, last, visits, aim, ordinary=captures == 0))
        is_held = rows["game"] % HELD_OUT == HELD_OUT - 1
        fitted.append(np.flatnonzero(~is_held))
        held.append(np.flatnonzero(is_held))
    weights = first_weights(options["seed"])
    if options["start"] is not None:
        with np.load(options["start"]) as stored_before:
            weights = weights_of(stored_before)
    fit(weights, data, fitted, options["epochs"], options["seed"], options["step"])
    for (side, captures), positions, rest in zip(shares, data, held, strict=True):
        if len(rest):
            value, policy = losses(weights, positions, rest)
            kind = f"capture {captures}" if captures else "ordinary Go"
            print(f"{side}x{side}, {kind}: {len(rest)} positions held out, value {value:.3f}, policy {policy:.3f} nats")
    return weights


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--generations", type=click.IntRange(min=1), default=11, show_default=True)
@click.option("--positions", default=100_000, show_default=True, help="Of each generation, about.")
@click.option("--playouts", default=400, show_default=True, help="For the move of an example.")
@click.option("--epochs", default=9, show_default=True)
@click.option("--step", default=0.003, show_default=True, help="Of Adam, at its greatest.")
@click.option("--start", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A network to begin with.")
@click.option("--seed", default=1, show_default=True)
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--ordinary", is_flag=True, help="Of ordinary Go instead of capture games.")
def main(folder: Path, out: Path, generations: int, jobs: int, ordinary: bool, **options: Any) -> None:
    """Learn the weights of the network, and write them."""
    folder.mkdir(parents=True, exist_ok=True)
    if not out.absolute().parent.is_dir():
        raise click.UsageError(f"there is no folder {out.parent}")
    shares = ORDINARY if ordinary else SHARES
    form = (shares, GENERATIONS, network.DTYPE, KOMI, network.KOMI_STEP, SURE, PLAYED_ON, LONGEST, SCORED)
    start = options["start"].read_bytes() if options["start"] is not None else b""
    mark = hashlib.sha256(repr(form).encode() + start).hexdigest()[:8]
    text = ", ".join(f"{name} {value}" for name, value in options.items() if name != "start") + f", form {mark}\n"
    noted = folder / "options.txt"
    if noted.exists() and noted.read_text() != text:
        raise click.UsageError(f"{folder} is of a run with {noted.read_text().strip()}")
    noted.write_text(text)
    known: list[list[Job]] = []
    for generation in range(generations):
        path = folder / f"network-{generation}.npz"
        known.append(shards(folder, shares, generation, options))
        if path.exists():
            continue
        left = [job for job in known[-1] if not job.file.exists()]
        for _ in track(run_jobs(lambda: executor(jobs), play, left), f"games of generation {generation}", len(left)):
            pass
        weights = learn(shares, [job for part in known[-GENERATIONS:] for job in part], options)
        with atomic_write(path) as file:
            np.savez(file, **stored(weights))  # not compressed, which loads faster
    with atomic_write(out) as file:
        file.write(path.read_bytes())


if __name__ == "__main__":
    # Import by its full name, so that other processes can unpickle `play`.
    from tests.benchmarks import learn as module

    module.main()
