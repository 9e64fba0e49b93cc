"""Measure how often the engine decides a position, and how often its move keeps a win that a long solve has found.

    python -m tests.benchmarks.solved_play decides --side 6 --plies 2 12
    python -m tests.benchmarks.solved_play decides --side 7 --plies 4 16
    python -m tests.benchmarks.solved_play keeps --engine "old/bin/gtp-capture" --engine "gtp-capture"
    python -m tests.benchmarks.solved_play collect --count 200

All positions come from random safe plays (plays that do not lose at once) on the empty board, with a number of plies
drawn uniformly from a range. Engines are driven by GTP, one process for each limit; a position counts as decided if the
note of the move says `wins` or `lost`.

`collect` adds to tests/data/won_positions.txt: 7x7 positions after 6 to 10 plies that the side to move wins, with two
losing safe plays at least. A solve of 100,000 nodes does not decide them; it decides 70 % of random positions, most by
a ladder, and every player keeps those wins. A solve of `--nodes` nodes does; positions that need more are left
out, so the hardest ones are missing. If it finds that the side to move loses, the position one ply before is taken, in
which the last play wins: those may be harder. A line holds the number of the try, the plays, and plays known to win and
to lose.
"""

from __future__ import annotations

import random
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import NamedTuple

import click

from gtp_capture.go.game import Game
from gtp_capture.match.ratings import wilson
from gtp_capture.solver.result import LOSS, UNKNOWN
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE
from tests.support.random_games import safe_plays

from ..support.process import GtpProcess

POSITIONS = Path(__file__).parents[1] / "data" / "won_positions.txt"
SIDE = 7
FEWEST, MOST = 6, 10
"""Plies of the positions of the file."""
EASY = 100_000
"""Nodes that do not decide them."""
LOSING = 2
"""Losing plays that each of them has at least."""
TRIED = 16
"""Random safe plays among which these are looked for."""
PART = 10
"""Each of these is solved with at most 1/PART of the nodes."""
OWN = f"{sys.executable} -m gtp_capture"


class Won(NamedTuple):
    """A position that the side to move wins."""

    number: int
    plays: tuple[str, ...]
    winning: tuple[str, ...]
    """Some of the winning plays."""
    losing: tuple[str, ...]
    """Some of the losing ones."""


@dataclass(frozen=True)
class Answer:
    """A move of an engine, as a line of the results file."""

    engine: str
    limit: str
    position: int
    move: str
    note: str

    @property
    def decided(self) -> bool:
        return self.note.startswith(("wins", "lost"))


class Engine(GtpProcess):
    """An engine whose console is read too."""

    def __init__(self, command: str, limit: str, threads: int) -> None:
        """`limit`: seconds for a move, or playouts with a `p` at the end."""
        bound = ["--playouts", limit[:-1]] if limit.endswith("p") else ["--time-per-move", limit]
        options = ["--threads", str(threads), "--move-overhead", "0", "--seed", "1", *bound]
        self._console = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed with the process
        super().__init__([*shlex.split(command), *options], self._console)
        self.note((), SIDE)  # loads the code

    def note(self, plays: Iterable[str], side: int) -> tuple[str, str]:
        """Return the move after these plays, and its note."""
        self.ask(f"boardsize {side}")
        self.ask("clear_board")
        colors = ("black", "white")
        number = 0
        for number, play in enumerate(plays, 1):
            self.ask(f"play {colors[1 - number % 2]} {play}")
        start = self._console.seek(0, 2)
        move = self.ask(f"genmove {colors[number % 2]}")
        self._console.seek(start)
        return move, self._console.readline().strip()


def random_position(side: int, plies: tuple[int, int], rng: random.Random, solver: Solver) -> Game:
    """Return an undecided game after random safe plays."""
    while True:
        game = Game("first-capture", side)
        for _ in range(rng.randint(*plies)):
            if plays := safe_plays(game, solver):
                game.play_point(rng.choice(plays))
            else:
                break
        else:
            if safe_plays(game, solver):
                return game


def after(plays: Iterable[str], side: int) -> Game:
    """Return the game after these plays."""
    game = Game("first-capture", side)
    for play in plays:
        game.play(play)
    return game


def vertices(game: Game) -> tuple[str, ...]:
    """Return the plays of a game."""
    return tuple(game.vertex(move.point) for move in game.moves)


def value(game: Game, solver: Solver, nodes: int, *, forget: bool = False) -> int:
    """Return WIN, LOSS or UNKNOWN for the side to move; `forget`: with an empty table."""
    if forget:
        solver.table[:] = 0
    return solver.value(game.board, game.to_move, Limit(nodes=nodes).begin())


def play_wins(game: Game, play: str, solver: Solver, nodes: int) -> bool | None:
    """Return whether a play of the colour to move wins; None if these nodes do not decide it."""
    color = game.to_move
    game.play(play)
    try:
        if game.outcome is not None:
            return game.outcome.winner == color
        result = value(game, solver, nodes)
        return None if result == UNKNOWN else result == LOSS
    finally:
        game.undo()


def won_position(number: int, solver: Solver, nodes: int) -> Won | None:
    """Return the position of a try if it is decided and has losing plays enough."""
    rng = random.Random(f"won {number}")
    game = random_position(SIDE, (FEWEST, MOST), rng, solver)
    winning: tuple[str, ...] = ()
    if value(game, solver, EASY, forget=True) != UNKNOWN:
        return None
    result = value(game, solver, nodes)
    if result == LOSS:
        winning = vertices(game)[-1:]
        game.undo()
    if result == UNKNOWN or len(game.moves) < FEWEST or value(game, solver, EASY, forget=True) != UNKNOWN:
        return None
    plays = safe_plays(game, solver)
    losing = list[str]()
    for play in map(game.vertex, rng.sample(plays, min(TRIED, len(plays)))):
        if len(losing) < LOSING and play not in winning:
            wins = play_wins(game, play, solver, nodes // PART)
            losing += [play] if wins is False else []
            winning += (play,) if wins else ()
    return Won(number, vertices(game), winning, tuple(losing)) if len(losing) == LOSING else None


def won_positions() -> Iterator[Won]:
    """Yield the positions of the file."""
    for line in POSITIONS.read_text().splitlines() if POSITIONS.exists() else []:
        number, *lists = line.split("|")
        yield Won(int(number), *(tuple(words.split()) for words in lists))


def answers(
    positions: list[tuple[int, tuple[str, ...]]], side: int, engine: Engine, done: list[Answer], name: tuple[str, str]
) -> Iterator[Answer]:
    """Yield the engine's answer in each position that is not among those done."""
    known = {a.position for a in done if (a.engine, a.limit) == name}
    for number, plays in positions:
        if number not in known:
            yield Answer(*name, number, *engine.note(plays, side))


def read(path: Path | None) -> list[Answer]:
    """Return the answers of a results file; an incomplete last line is left out."""
    if path is None or not path.exists():
        return []
    rows = [line[:-1].split("\t") for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return [Answer(row[0], row[1], int(row[2]), row[3], row[4]) for row in rows]


def run(
    positions: list[tuple[int, tuple[str, ...]]],
    side: int,
    engines: Iterable[str],
    limits: Iterable[str],
    threads: int,
    results: Path | None,
) -> list[Answer]:
    """Return the answers of all engines with all limits, after those of the results file."""
    done = read(results)
    for limit in limits:
        for command in engines:
            with Engine(command, limit, threads) as engine:
                for answer in answers(positions, side, engine, list(done), (command, limit)):
                    done.append(answer)
                    if results is not None:
                        with results.open("a") as file:
                            file.write("\t".join(map(str, astuple(answer))) + "\n")
    return done


def share(part: int, whole: int) -> str:
    """Return a share in per cent with its 95 % interval."""
    if not whole:
        return "-"
    low, high = wilson(part / whole, whole)
    return f"{part}/{whole}, {100 * part / whole:.1f} % [{100 * low:.0f}, {100 * high:.0f}]"


@click.group()
def main() -> None:
    """Measure decided positions, and wins that the engine's move keeps."""


engine_option = click.option("--engine", "engines", multiple=True, default=[OWN], help="Command; repeatable.")
threads_option = click.option("--threads", default=2, show_default=True)
results_option = click.option("--results", type=click.Path(path_type=Path), help="File; a run continues with its rows.")


@main.command()
@click.option("--side", default=6, show_default=True)
@click.option("--plies", type=(int, int), default=(2, 12), show_default=True)
@click.option("--count", default=200, show_default=True)
@click.option("--limit", default="1", show_default=True, help="Seconds, or playouts with a `p` at the end.")
@engine_option
@threads_option
@results_option
def decides(
    side: int,
    plies: tuple[int, int],
    count: int,
    limit: str,
    engines: tuple[str, ...],
    threads: int,
    results: Path | None,
) -> None:
    """Print the share of random positions that each engine decides, by plies, and those that it does not."""
    rng, solver = random.Random(f"{side} {plies}"), Solver(side, side, MEBIBYTE)
    positions = [(i, vertices(random_position(side, plies, rng, solver))) for i in range(count)]
    done = run(positions, side, engines, [limit], threads, results)
    sizes = Counter(len(plays) for _, plays in positions)
    for command in engines:
        own = {a.position: a for a in done if (a.engine, a.limit) == (command, limit)}
        decided = Counter(len(plays) for i, plays in positions if own[i].decided)
        print(f"{command}, limit {limit}\n| plies | decided |\n|---|---|")
        for n in sorted(sizes):
            print(f"| {n} | {share(decided[n], sizes[n])} |")
        print(f"| all | {share(decided.total(), count)} |")
        for i, plays in positions:
            if not own[i].decided:
                print(f"  {len(plays)} plies, {' '.join(plays)}: {own[i].move} {own[i].note}")


@main.command()
@click.option("--count", default=200, show_default=True)
@click.option("--limits", default="0.1 0.3 1 3", show_default=True, help="Seconds, or playouts with a `p` at the end.")
@click.option("--nodes", default=50_000_000, show_default=True, help="For the value of a move.")
@engine_option
@threads_option
@results_option
def keeps(count: int, limits: str, nodes: int, engines: tuple[str, ...], threads: int, results: Path | None) -> None:
    """Print the share of won positions in which the move of each engine keeps the win."""
    won = {w.number: w for w in list(won_positions())[:count]}
    done = run([(w.number, w.plays) for w in won.values()], SIDE, engines, limits.split(), threads, results)
    solver = Solver(SIDE, SIDE, 512 * MEBIBYTE)
    values = {(w.number, play): play in w.winning for w in won.values() for play in w.winning + w.losing}
    for answer in done:
        key = answer.position, answer.move
        if key not in values and answer.position in won:
            found = play_wins(after(won[answer.position].plays, SIDE), answer.move, solver, nodes)
            if found is not None:
                values[key] = found
    print("| engine | limit | decided | keeps the win | not decided by the first engine: keeps | value not found |")
    print("|---|---|---|---|---|---|")
    for limit in limits.split():
        first = {a.position for a in done if (a.engine, a.limit) == (engines[0], limit) and a.decided}
        for command in engines:
            own = [a for a in done if (a.engine, a.limit) == (command, limit) and a.position in won]
            known = [(a.position, values[key]) for a in own if (key := (a.position, a.move)) in values]
            hard = [value for position, value in known if position not in first]
            print(
                f"| {command} | {limit} | {share(sum(a.decided for a in own), len(own))} "
                f"| {share(sum(value for _, value in known), len(known))} | {share(sum(hard), len(hard))} "
                f"| {len(own) - len(known)} |"
            )


@main.command()
@click.option("--count", default=200, show_default=True)
@click.option("--nodes", default=10_000_000, show_default=True)
def collect(count: int, nodes: int) -> None:
    """Add positions to the file until it has COUNT."""
    found = list(won_positions())
    solver = Solver(SIDE, SIDE, 512 * MEBIBYTE)
    number = found[-1].number if found else 0
    while len(found) < count:
        number += 1
        won = won_position(number, solver, nodes)
        if won is not None:
            found.append(won)
            with POSITIONS.open("a") as file:
                file.write(f"{number} | {' | '.join(' '.join(words) for words in won[1:])}\n")
        print(f"\r{len(found)} positions, {number} tries", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
