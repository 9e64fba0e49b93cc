"""Speed: the time before the first move, the nodes of the solver, and games in plain Python.

    python -m tests.benchmarks.speed startup --install
    python -m tests.benchmarks.speed solver --positions large
    python -m tests.benchmarks.speed games
    python -m tests.benchmarks.speed boards
    python -m tests.benchmarks.speed library
    python -m tests.benchmarks.speed oracle

`gtp-capture bench` measures the search.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

import gtp_capture as gc
from gtp_capture.environment import Agent, BatchEnv, GoEnv, random_agent
from gtp_capture.solver.result import UNKNOWN
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

from ..support.paths import ROOT, TESTS
from ..support.process import ENGINE
from ..support.random_games import unfinished_game

assert sys.platform != "win32"  # which has no times of child processes

COPIED: Final = ("pyproject.toml", "README.md", "LICENSE", "gtp_capture")
"""What an installation reads."""
POSITIONS: Final = {"small": "", "large": "large_", "crosscut": "crosscut_"}
"""Positions for the solver, with the beginnings of their files."""
PLIES: Final = 60
KINDS: Final = [(rules, 9) for rules in ("first-capture", "capture-5", "tromp-taylor", "chinese", "japanese")] + [
    (rules, 19) for rules in ("capture-5", "tromp-taylor")
]


@click.group()
def main() -> None:
    """Measure speed."""


def first_moves(engine: list[str], home: Path, sizes: tuple[int, ...]) -> Iterator[str]:
    """Yield the seconds from the start of a new process to the end of `genmove b`, on boards of these sizes."""
    environment = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": "", "NUMBA_CACHE_DIR": str(home / "cache")}
    for size in sizes:
        began = time.perf_counter()
        lines = f"boardsize {size}\ngenmove b\nquit\n".encode()
        subprocess.run([*engine, "--no-opening-book"], input=lines, capture_output=True, check=True, env=environment)
        yield f"first genmove, {size}x{size}: {time.perf_counter() - began:.1f} s"


def installed(folder: Path) -> Iterator[str]:
    """Install as described in the README, with an empty home, and time first moves."""
    (folder / "source").mkdir()
    for name in COPIED:
        copy: Any = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / "source" / name)
    shutil.rmtree(folder / "source" / "gtp_capture" / "machine_code", ignore_errors=True)
    (folder / "home").mkdir()
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    subprocess.run([str(folder / "venv/bin/pip"), "install", "--quiet", str(folder / "source")], check=True)
    yield f"install: {time.perf_counter() - began:.0f} s"
    yield from first_moves([str(folder / "venv/bin/gtp-capture")], folder / "home", (5, 9, 19))
    yield f"files written to the home: {len(list((folder / 'home').rglob('*')))}"


def compiled(folder: Path, starts: int) -> Iterator[str]:
    """Compile, then time starts and count the playouts of first moves."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([*ENGINE, "warmup", "--quiet"], check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    yield f"compiling: {time.perf_counter() - began:.1f} s, {spent:.1f} s of processor time"
    times = []
    for _ in range(starts):
        began = time.perf_counter()
        subprocess.run(ENGINE, input=b"name\nquit\n", capture_output=True, check=True, env=environment)
        times.append(time.perf_counter() - began)
    yield f"start, `name` and end, median of {starts}: {statistics.median(times):.3f} s"
    for size, seconds in ((7, "0.5"), (8, "0.5"), (9, "0.1")):
        command = [*ENGINE, "--time-per-move", seconds, "--no-opening-book"]
        lines = f"boardsize {size}\ngenmove b\ngenmove w\ngenmove b\n".encode()
        said = subprocess.run(command, input=lines, capture_output=True, check=True, env=environment).stderr
        playouts = ", ".join(re.findall(r"(\d+) playouts", said.decode()))
        yield f"playouts of the first three moves, {size}x{size}, {seconds} s a move: {playouts}"


@main.command()
@click.option("--install", is_flag=True, help="Install in a new environment first, as the README says.")
@click.option("--starts", default=7, show_default=True, help="Starts for the answer to `name`.")
def startup(install: bool, starts: int) -> None:
    """Measure the wait before the first move, in new processes with separate cache folders."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "cold").mkdir()
        for line in installed(folder) if install else ():
            click.echo(f"installed, {line}")
        for line in first_moves([*ENGINE], folder / "cold", (9,)):
            click.echo(f"without machine code, {line}")
        for line in compiled(folder / "compiled", starts):
            click.echo(line)


@main.command()
@click.option("--most", default=100_000_000, show_default=True, help="Skip positions that needed more nodes.")
@click.option("--memory", default=2048, show_default=True, help="MiB of the table.")
@click.option("--threads", default=1, show_default=True)
@click.option("--positions", type=click.Choice(list(POSITIONS)), default="small", show_default=True)
def solver(most: int, memory: int, threads: int, positions: str) -> None:
    """Solve positions of the files in tests/data, each with an empty table; print the nodes, also by those of the file.

    A line of a file has the board, the nodes that an earlier version needed (commit 4bf8352; large: 7a058cf; crosscut:
    b60250c), and the plays from the empty board on. A small change of the search can double or halve the nodes of a
    position, so only the geometric mean of the positions of a size says something.
    """
    ratios: dict[str, list[float]] = {"all": []}
    total, spent = 0, 0.0
    for line in (TESTS / "data" / f"{POSITIONS[positions]}solver_positions.txt").read_text().splitlines():
        board, nodes, *plays = line.split()
        if int(nodes) > most:
            continue
        game = gc.Game("first-capture", (int(board.split("x")[0]), int(board.split("x")[1])))
        for play in plays:
            game.play(play)
        search = Solver(game.width, game.height, memory * MEBIBYTE, threads)
        began = time.process_time()
        result = search.value(game.board, int(game.to_move), Limit(nodes=50 * int(nodes)).begin())
        spent += time.process_time() - began
        total += search.nodes
        ratio = math.log(search.nodes / int(nodes))
        ratios["all"].append(ratio)
        ratios.setdefault(board, []).append(ratio)
        click.echo(f"{line}: {search.nodes}{' or more' if result == UNKNOWN else ''}, {math.exp(ratio):.2f} times")
    for board, logs in ratios.items():
        error = statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else 0.0
        mean = f"geometric mean {math.exp(statistics.fmean(logs)):.3f} (standard error {math.expm1(error):.0%})"
        click.echo(f"{board}: {len(logs)} positions, {mean}")
    click.echo(f"{total:,} nodes, {total / spent / 1e6:.2f} million a second of processor time")


def chess_game(chance: random.Random, visits: bool = False) -> int:
    """Play random moves of chess from the start; return their number, or that of all children, which are visited."""
    import chess

    board, played, children = chess.Board(), 0, 0
    while played < PLIES and (moves := list(board.legal_moves)):
        for move in moves if visits else ():
            board.push(move)
            board.pop()
        board.push(chance.choice(moves))
        played, children = played + 1, children + len(moves)
    return children if visits else played


def go_game(chance: random.Random, rules: str, size: int, visits: bool = False) -> int:
    """The same with random moves of Go."""
    game, played, children = gc.Game(rules, size), 0, 0
    while played < PLIES and (moves := game.legal_moves()):
        for move in moves if visits else ():
            game.play(move)
            game.undo()
        game.play(chance.choice(moves))
        played, children = played + 1, children + len(moves)
    return children if visits else played


def of_sgfmill(data: bytes, moves: bool) -> None:
    """Read a file by sgfmill: the tree and its moves, or the game played on a board."""
    from sgfmill import sgf, sgf_moves

    tree = sgf.Sgf_game.from_bytes(data)
    if not moves:
        for node in tree.get_main_sequence():
            node.get_move()
        return
    board, plays = sgf_moves.get_setup_and_moves(tree)
    for color, point in plays:
        if point is not None:
            board.play(*point, color)


def of_library(data: bytes, moves: bool) -> None:
    """Read a file by this program in the same way."""
    if moves:
        gc.load_sgf(data)
        return
    for node in gc.load_sgf_tree(data).main_line():
        node.move  # noqa: B018 - its value is read, as above


@main.command("library")
@click.option("--seconds", default=0.4, show_default=True, help="Processor time of each measurement.")
@click.option("--rounds", default=7, show_default=True, help="Pairs of measurements; the table has medians.")
def of_the_library(seconds: float, rounds: int) -> None:
    """Print the speed of games in plain Python by that of python-chess, and of SGF by the time of sgfmill.

    A loop is `legal_moves()` and a random `play()`, PLIES in a game at most; a visit is `play` and `undo` of a legal
    move, for each one in each position of such a game. SGF is of games of 200 random plays on 19x19. Each ratio is the
    median of pairs in one run, in processor time; python-chess needs `pip install chess`.
    """
    for rules, size in (*KINDS, ("japanese", 19)):
        for what, visits in (("loop", False), ("visits", True)):
            pairs = [
                rate(seconds, go_game, rules, size, visits) / rate(seconds, chess_game, visits) for _ in range(rounds)
            ]
            click.echo(f"{rules}, {size}x{size}, {what}: {statistics.median(pairs):.2f} of python-chess")
    for rules in ("japanese", "chinese"):
        chance, files = random.Random(3), []
        for _ in range(40):
            game = gc.Game(rules, 19)
            for _ in range(200):
                game.play(chance.choice(game.legal_moves()[:-1]))
            files.append(gc.dump_sgf(game).encode())
        for what, moves in (("trees", False), ("games", True)):
            ratios = []
            for _ in range(rounds):
                times = [time.process_time()]
                for read in (of_library, of_sgfmill):
                    for data in files:
                        read(data, moves)
                    times.append(time.process_time())
                ratios.append((times[1] - times[0]) / (times[2] - times[1]))
            click.echo(f"SGF, {rules}, {what}: {statistics.median(ratios):.2f} times sgfmill's time")
    for length in (2000, 4000, 8000):
        node, began = gc.load_sgf_tree("(;SZ[19])"), time.process_time()
        for number in range(length):
            node = node.play(f"{'ABCDEFGHJ'[number % 9]}{number % 19 + 1}")
        click.echo(f"Node.play, {length} nodes one by one: {(time.process_time() - began) / length * 1e6:.1f} us each")


def episode(chance: random.Random, environment: Any) -> int:
    """Play a random episode; return its number of steps."""
    steps = 0
    environment.reset()
    for _ in environment.agent_iter():
        seen, _, terminated, truncated, _ = environment.last()
        over = terminated or truncated
        environment.step(None if over else chance.choice(np.flatnonzero(seen["action_mask"])))
        steps += not over
    return steps


def random_game(chance: random.Random, rules: str, size: int) -> gc.Game:
    """Return a random game of at most PLIES moves."""
    game = gc.Game(rules, size)
    while len(game.moves) < PLIES and (moves := game.legal_moves()):
        game.play(chance.choice(moves))
    return game


def rate(seconds: float, play: Callable[..., int], *args: object) -> float:
    """Return the moves a second of processor time."""
    chance, moves, began = random.Random(1), 0, time.process_time()
    while time.process_time() - began < seconds:
        moves += play(chance, *args)
    return moves / (time.process_time() - began)


@main.command()
@click.option("--seconds", default=1.0, show_default=True, help="Processor time of each measurement.")
@click.option("--rounds", default=5, show_default=True, help="Measurements of each kind; the table has medians.")
def games(seconds: float, rounds: int) -> None:
    """Print the moves a second of games in plain Python and the steps a second of the environment, in processor time.

    Ratios are to PettingZoo's Go in the same run, which needs `pip install pygame`.
    """
    from pettingzoo.classic.go import go

    for rules, size in KINDS:
        own, others, measured = GoEnv(gc.Game(rules, size)), go.env(board_size=size), []
        for _ in range(rounds):
            moves = rate(seconds, lambda *kind: len(random_game(*kind).moves), rules, size)
            steps = rate(seconds, episode, own)
            slower = rate(seconds, episode, others)
            measured.append((moves, steps, steps / slower))
        moves, steps, ratio = (statistics.median(values) for values in zip(*measured, strict=True))
        click.echo(f"{rules}, {size}x{size}: {moves:,.0f} moves/s; {steps:,.0f} steps/s, {ratio:.2f} of PettingZoo")
    chance = random.Random(2)
    played = [random_game(chance, "tromp-taylor", 9) for _ in range(100)]
    texts, copies, nine = [gc.dump_sgf(game) for game in played], [game.copy() for game in played], gc.Game()
    gc.playouts(nine, 1)  # loads the compiled code
    measured_calls: dict[str, list[Callable[[], object]]] = {
        "Game.copy": [game.copy for game in played],
        "undo": [game.undo for game in copies],
        f"load_sgf, {PLIES} moves": [partial(gc.load_sgf, text) for text in texts],
        "a million playouts": [lambda: gc.playouts(nine, 1_000_000, seed=1)],
    }
    for what, calls in measured_calls.items():
        began = time.process_time()
        for call in calls:
            call()
        click.echo(f"{what}: {(time.process_time() - began) / len(calls):.7f} s")


def steps_of_boards(env: BatchEnv, agent: Agent, steps: int) -> int:
    """Make random steps on many boards, with observations and legal masks; return their number."""
    now, done = env.reset(), 0
    while done < steps:
        now = env.step(agent(now.observations, now.legal))
        done += env.count
    return done


def steps_of_openspiel(chance: random.Random, game: Any, steps: int, as_arrays: bool) -> int:
    """Make random steps of a game of OpenSpiel; return their number.

    Each with the list of legal actions, and the observation in one array that is used again; or, `as_arrays`, with new
    arrays of the observation and of the legal mask, as BatchEnv returns them.
    """
    from open_spiel.python.observation import make_observation

    done, observation, state = 0, make_observation(game), game.new_initial_state()
    actions = game.num_distinct_actions()
    while done < steps:
        legal = state.legal_actions()
        state.apply_action(legal[int(chance.random() * len(legal))])
        observation.set_from(state, 0)
        if as_arrays:
            observation.tensor.copy()
            np.zeros(actions, np.bool_)[state.legal_actions()] = True
        done += 1
        if state.is_terminal():
            state = game.new_initial_state()
    return done


@main.command()
@click.option("--steps", default=100_000, show_default=True, help="Steps of each measurement.")
@click.option("--rounds", default=7, show_default=True, help="Pairs of measurements; the table has medians.")
def boards(steps: int, rounds: int) -> None:
    """Print the random steps a second of processor time on many boards, with observations and legal masks, 9x9.

    Ratios are to OpenSpiel's Go on 9x9 beside it: with the observation in one array that is used again, and with arrays
    of observation and mask. Its moves are those of ordinary Go, and it has 4 planes, ours 10.
    """
    import pyspiel

    chance, go = random.Random(1), pyspiel.load_game("go(board_size=9)")

    def speed(play: Callable[..., int], *args: object) -> float:
        began = time.process_time()
        return play(*args) / (time.process_time() - began)

    for rules in ("first-capture", "capture-5", "tromp-taylor"):
        for count in (64, 256, 1024):
            env, agent, measured = BatchEnv(count, rules, 9, seed=1), random_agent(1), []
            steps_of_boards(env, agent, count)  # loads the compiled code
            for _ in range(rounds):
                own = speed(steps_of_boards, env, agent, steps)
                once, kept = (speed(steps_of_openspiel, chance, go, steps // 5, arrays) for arrays in (False, True))
                measured.append((own, once, kept, own / once, own / kept))
            own, once, kept, ratio, ratio_kept = (statistics.median(values) for values in zip(*measured, strict=True))
            click.echo(
                f"{rules}, {count} boards: {own:,.0f} steps/s; OpenSpiel {once:,.0f} ({ratio:.2f} times), "
                f"with arrays {kept:,.0f} ({ratio_kept:.2f} times)"
            )


@main.command()
@click.option("--rounds", default=5, show_default=True, help="Pairs of measurements; the output has medians.")
def oracle(rounds: int) -> None:
    """Print the processor time of `gc.action_values` for a random position of 5x5 with 6 to 12 stones.

    The ratio is to one `gc.solve(first_moves=True)` for each position, in pairs of the same run.
    """
    values, ratios, with_plies = [], [], []
    for number in range(rounds + 1):
        chance = random.Random(number)
        positions = [unfinished_game("first-capture", (5, 5), range(6, 13), chance) for _ in range(100)]
        calls: list[Callable[[], object]] = [
            lambda games=positions: gc.action_values(games),  # type: ignore[misc]
            lambda games=positions: gc.action_values(games, True),  # type: ignore[misc]
            lambda games=positions: [gc.solve(game, length=False, first_moves=True) for game in games],  # type: ignore[misc]
        ]
        spent = []
        for call in calls:
            began = time.process_time()
            call()
            spent.append((time.process_time() - began) / len(positions))
        if number:  # the first round loads the code
            values.append(spent[0])
            with_plies.append(spent[1])
            ratios.append(spent[2] / spent[0])
    milliseconds, longer = 1000 * statistics.median(values), 1000 * statistics.median(with_plies)
    click.echo(f"values of all actions: {milliseconds:.1f} ms; with plies after that: {longer:.1f} ms")
    click.echo(f"single solves: {statistics.median(ratios):.1f} times as long as values of all actions")


@main.command()
def tap() -> None:
    """Count the calls of Python functions in one tap of a class: the input, what is saved, and the view, once each.

    Two children play on 5x5; the first tap also fills caches, and is not counted.
    """
    from gtp_capture.classroom import child
    from gtp_capture.web import results, view

    from ..support.classroom import joined, new_room, teach

    room = new_room()
    pair = joined(room, "Mia", "Ole")
    teach(room, pair=[[seat.number for seat in pair]])
    for n, vertex in enumerate(("C3", "D3", "B2", "D4", "C4")):
        seat, calls = pair[n % 2], 0

        def count(frame: object, event: str, argument: object) -> None:
            nonlocal calls
            calls += event == "call"

        sys.setprofile(count)
        child.act(room, seat, {"point": vertex}, seat.changed, f"tap {n}")
        json.dumps([room.state(), results.csv_of(room), view.child(room, seat)])
        sys.setprofile(None)
        if n:
            click.echo(f"{vertex}: {calls:,} calls")


if __name__ == "__main__":
    main()
