"""Learn the weights of `gtp_capture/solver/order.npz`, which predict the winning play, from results of the solver.

    python -m tests.benchmarks.learn_order FOLDER... --out order.npz

Searches of STARTS and of positions after plays of a weak search, whose won positions of at least LEAST nodes are kept
in the first FOLDER, one file each (half an hour on two cores), then a conditional logit by gradient descent over the
files of all folders (a minute): the logit of a play is the sum of the weights of its patterns, and of the logarithms
of the first pn and dn after it. Files that are there already are not made again.

The shipped weights come from four such folders. The searches of each used the weights learned from the folders before.
"""

from __future__ import annotations

import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import numba
import numpy as np

from gtp_capture.go.game import Game
from gtp_capture.go.opening import crosscut
from gtp_capture.go.symmetry import symmetries
from gtp_capture.go.vertex import BLACK
from gtp_capture.jit.bitsets import bits_field
from gtp_capture.jit.uint128 import as_uint128
from gtp_capture.solver import bitboard, order, static
from gtp_capture.solver.bitboard import ZERO, geometry, kernel_geometry, lowest_bit, lowest_index
from gtp_capture.solver.ladder import new_stack
from gtp_capture.solver.result import LOSS, UNKNOWN
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

LEAST: Final = 100
"""Least nodes of a position to learn from: in smaller searches the order matters less."""
MOST: Final = 20_000
"""Maximum number of positions of a file to learn from."""
STARTS: Final = (
    *(f"8x8 crosscut {play}" for play in ("D3", "E7", "C5", "F6")),
    *(f"8x9 crosscut {play}" for play in ("F6", "D4", "C5")),
    *(f"9x9 crosscut {play}" for play in ("G6", "E4", "D6")),
    *(f"7x7 {plays}" for plays in ("D4 C4", "D4 E5", "C4 D5")),
)
"""Positions to search, each with NODES nodes."""
NODES: Final = 60_000_000
GAMES: Final = {"7x7": (30, 2, 6), "8x8": (20, 1, 6), "8x9": (20, 1, 6), "9x9": (40, 1, 6)}
"""Searches of NODES_OF_GAME nodes after plays of a weak search: their number, and the least and the greatest number of
plays."""
NODES_OF_GAME: Final = 16_000_000
LOOKS: Final = 10
"""Number of plays that the weak search compares, and its nodes for each."""
NODES_OF_LOOK: Final = 2_000
IMAGES: Final = 4
"""Number of images of each position to learn from; there are up to 8."""
PASSES: Final = 8
RATE: Final = 0.1
DECAY: Final = 0.02
EXAMPLE: Final = np.dtype([bits_field(name, 2) for name in ("own", "opp", "plays")], align=True)


class Examples(NamedTuple):
    """Plays of positions, one after the other: [starts[i]:starts[i + 1]], of which the one at `chosen[i]` won."""

    starts: Any
    chosen: Any
    places: Any
    """int32 [play, PATTERNS]: the places of its patterns in the tables."""
    numbers: Any
    """float32 [play, 2]: the logarithms of the first pn and dn after it."""


def won_positions(game: Game, nodes: int, memory: int) -> Any:
    """Search a position; return the own and opposing stones and the play, uint64 [position, 5], of won positions."""
    solver, rows = Solver(game.width, game.height, memory), []

    def keep(journal: Any) -> None:
        n = int(journal.filled)
        stones = [journal[name][:n].reshape(n, -1) for name in ("own", "opp")]
        stones = [np.pad(words, ((0, 0), (0, 2 - solver.words))) for words in stones]
        rows.append(np.concatenate([*stones, np.array(journal.play[:n, None]).astype(np.uint64)], 1))

    solver.keep_won_positions(keep, LEAST)
    solver.value(game.board, game.to_move, Limit(nodes=nodes).begin())
    return np.concatenate([np.zeros((0, 5), np.uint64), *rows])


def weak_game(width: int, height: int, plays: int, chance: random.Random) -> Game:
    """Return an undecided game: a crosscut, or on 7x7 a play near the centre, and plays of a weak search."""
    solver = Solver(width, height, 10 * MEBIBYTE)
    while True:
        game = Game("first-capture", (width, height))
        if width > 7:
            game.setup_points(*crosscut(width, height), BLACK)
        else:
            game.play_point(game.point(chance.choice("CDE") + chance.choice("345")))
        for _ in range(plays):
            play = weak_play(game, solver, chance)
            if play is None:
                break
            game.play_point(play)
        else:
            return game


def weak_play(game: Game, solver: Solver, chance: random.Random) -> int | None:
    """Return one of the best plays by short searches of some plays near stones; None if all are decided."""
    node = solver.node(game.board, game.to_move)
    near = node.own | node.opp
    for _ in range(2):
        near |= bitboard.adjacent(near, solver.geometry)
    points, looks = [play.point for play in solver.safe_plays(node) if play.node.opp & ~node.own & near], []
    for point in chance.sample(points, min(LOOKS, len(points))):
        after = game.copy()
        after.play_point(point)
        if solver.value(after.board, after.to_move, Limit(nodes=NODES_OF_LOOK).begin()) == UNKNOWN:
            pn, dn = solver.numbers
            looks.append((dn / pn, point))
    looks.sort()
    return looks[int(chance.random() ** 2 * min(4, len(looks)))][1] if looks else None


def collect(path: Path, size: str, start: str) -> str:
    """Make a file of positions: from the search of one of STARTS, or from searches after plays of a weak search."""
    width, height = map(int, size.split("x"))
    if start == "games":
        number, least, most = GAMES[size]
        chance = random.Random(size)
        games = [weak_game(width, height, chance.randint(least, most), chance) for _ in range(number)]
        found = np.concatenate([won_positions(game, NODES_OF_GAME, 400 * MEBIBYTE) for game in games])
    else:
        game = Game("first-capture", (width, height))
        opening, *plays = start.split()
        if opening == "crosscut":
            game.setup_points(*crosscut(width, height), BLACK)
        else:
            plays.insert(0, opening)
        for vertex in plays:
            game.play_point(game.point(vertex))
        found = won_positions(game, NODES, 1000 * MEBIBYTE)
    np.save(path, found)
    return f"{path.name}: {len(found):,} positions"


@numba.njit  # type: ignore[untyped-decorator]
def images(stones: Any, sources: Any) -> Any:
    """Return rows of `won_positions` after a symmetry."""
    found = np.zeros_like(stones)
    one, word = np.uint64(1), np.uint64(63)
    for k in range(len(stones)):
        for i, source in enumerate(sources):
            for c in (0, 2):
                bit = stones[k, c + (source >> 6)] >> (np.uint64(source) & word) & one
                found[k, c + (i >> 6)] |= bit << (np.uint64(i) & word)
            if np.int64(stones[k, 4]) == source:
                found[k, 4] = i
    return found


@numba.njit  # type: ignore[untyped-decorator]
def plays_of(example: Any, around: Any, play: int, stack: Any, g: Any, places: Any, numbers: Any) -> tuple[int, int]:
    """Enter the plays of a position; return their number and the index of `play`; 0 plays if it is not among them."""
    goal = static.Goal(0, 0)
    own, opp = example.own, example.opp
    found = static.evaluate(own, opp, goal, static.ALL, stack, g)
    if found.result != UNKNOWN:
        return 0, 0
    order.enter_position(around, own, opp, g)
    rest, n, chosen = found.plays, 0, -1
    while rest != ZERO:
        p = lowest_bit(rest)
        rest ^= p
        after = static.evaluate(opp, own | p, goal, static.ALL, stack, g)
        if after.result == LOSS:
            return 0, 0
        if after.result != UNKNOWN:
            continue
        point = lowest_index(p)
        x, y = order.column_and_row(point, int(g.width))
        found_places = order.patterns_at(x, y, around)
        for i in range(order.PATTERNS):
            places[n, i] = found_places[i]
        numbers[n, 0], numbers[n, 1] = np.log(after.pn), np.log(after.dn)
        if point == play:
            chosen = n
        n += 1
    return (n, chosen) if chosen >= 0 and n > 1 else (0, 0)


@numba.njit  # type: ignore[untyped-decorator]
def enter_examples(
    rows: Any, words: Any, around: Any, stack: Any, masks: Any, starts: Any, chosen: Any, places: Any, numbers: Any
) -> int:
    """Enter the plays of positions; return the number of positions."""
    examples, memory, g = as_uint128(words), as_uint128(stack), as_uint128(masks)
    n = 0
    for k in range(len(rows)):
        for c in range(2):
            words[k].own[c], words[k].opp[c] = rows[k, c], rows[k, 2 + c]
        begin = starts[n]
        number, best = plays_of(examples[k], around, np.int64(rows[k, 4]), memory, g, places[begin:], numbers[begin:])
        if number > 0:
            chosen[n] = best
            n += 1
            starts[n] = begin + number
    return n


def examples_of(path: Path, size: str, chance: Any) -> Examples:
    """Return the examples of a file."""
    width, height = map(int, size.split("x"))
    rows = np.load(path)
    rows = rows[np.sort(chance.permutation(len(rows))[:MOST])]
    order_of_images = chance.permutation(len(symmetries(width, height)))[:IMAGES]
    rows = np.concatenate([images(rows, np.array(symmetries(width, height)[i])) for i in order_of_images])
    stack, masks = new_stack(2), kernel_geometry(geometry(width, height), 2)
    around = order.new_surroundings()
    words = np.zeros(len(rows), EXAMPLE).view(np.recarray)
    starts, chosen = np.zeros(len(rows) + 1, np.int64), np.zeros(len(rows), np.int64)
    most = len(rows) * width * height
    places, numbers = np.zeros((most, order.PATTERNS), np.int32), np.zeros((most, 2), np.float32)
    n = enter_examples(rows, words, around, stack, masks, starts, chosen, places, numbers)
    plays = starts[n]
    return Examples(starts[: n + 1].copy(), chosen[:n].copy(), places[:plays].copy(), numbers[:plays].copy())


def joined(parts: list[Examples]) -> Examples:
    """Return all of these examples."""
    offsets = np.cumsum([0, *(len(part.places) for part in parts)])
    starts = np.concatenate([*(part.starts[:-1] + at for part, at in zip(parts, offsets, strict=False)), offsets[-1:]])
    return Examples(starts, *(np.concatenate([part[i] for part in parts]) for i in (1, 2, 3)))


@numba.njit  # type: ignore[untyped-decorator]
def logits(examples: Any, k: int, tables: Any, factors: Any) -> Any:
    """Return the logits of the plays of an example."""
    begin, end = examples.starts[k], examples.starts[k + 1]
    found = np.zeros(end - begin)
    for j in range(begin, end):
        z = factors[0] * examples.numbers[j, 0] + factors[1] * examples.numbers[j, 1]
        for f in range(order.PATTERNS):
            z += tables[f, examples.places[j, f]]
        found[j - begin] = z
    return found


@numba.njit  # type: ignore[untyped-decorator]
def measure(examples: Any, tables: Any, factors: Any) -> tuple[float, float]:
    """Return the mean logarithm of the likelihood of the plays that won, and the part that has the greatest logit."""
    likelihood, best = 0.0, 0
    for k in range(len(examples.chosen)):
        z = logits(examples, k, tables, factors)
        own = z[examples.chosen[k]]
        likelihood += own - z.max() - np.log(np.exp(z - z.max()).sum())
        best += own == z.max()
    return likelihood / len(examples.chosen), best / len(examples.chosen)


@numba.njit  # type: ignore[untyped-decorator]
def learn(examples: Any, tables: Any, factors: Any, rate: float, seed: int) -> None:
    """Make one pass of stochastic gradient descent over examples in random order."""
    np.random.seed(seed)
    for k in np.random.permutation(len(examples.chosen)):
        z = logits(examples, k, tables, factors)
        part = np.exp(z - z.max())
        part /= part.sum()
        part[examples.chosen[k]] -= 1
        begin = examples.starts[k]
        for j in range(begin, examples.starts[k + 1]):
            step = rate * part[j - begin]
            for i in range(2):
                factors[i] -= 0.2 * step * examples.numbers[j, i]
            for f in range(order.PATTERNS):
                place = examples.places[j, f]
                tables[f, place] -= step + abs(step) * DECAY * tables[f, place]


def quantized(tables: Any) -> Any:
    """Return weights as bytes, in parts of UNIT."""
    return np.clip(np.round(tables * order.UNIT), -127, 127).astype(np.int8)


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The file of weights to write.")
@click.option("--without", default="", metavar="FILE", help="Measure with this file of positions; it is not learned.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1))
def main(folders: tuple[Path, ...], out: Path, without: str, jobs: int) -> None:
    """Learn the order of plays of the solver."""
    folders[0].mkdir(parents=True, exist_ok=True)
    wanted = (*STARTS, *(f"{size} games" for size in GAMES))
    files = {folders[0] / f"{name.replace(' ', '-')}.npy": tuple(name.split(maxsplit=1)) for name in wanted}
    with ProcessPoolExecutor(jobs) as pool:
        for line in pool.map(collect, *zip(*((p, *what) for p, what in files.items() if not p.exists()), strict=True)):
            click.echo(line)
    chance = np.random.default_rng(1)
    paths = [path for folder in folders for path in sorted(folder.glob("*.npy"))]
    parts = {str(path): examples_of(path, path.name.partition("-")[0], chance) for path in paths}
    held = parts.pop(without, None)
    examples = joined(list(parts.values()))
    click.echo(f"{len(examples.chosen):,} positions with {len(examples.places):,} plays, images included")
    tables, factors = np.zeros((order.PATTERNS, 1 << order.BITS)), np.array([0.0, -1.0])
    for i in range(PASSES + 1):
        for name, measured in (("learned", examples), (f"{without}, not learned", held)):
            if measured is not None:
                likelihood, first = measure(measured, tables, factors)
                click.echo(f"pass {i}, {name}: log-likelihood {likelihood:.3f}, {first:.1%} first")
        if i < PASSES:
            learn(examples, tables, factors, RATE * 0.7**i, i)
    np.savez_compressed(out, weights=quantized(tables))


if __name__ == "__main__":
    main()
