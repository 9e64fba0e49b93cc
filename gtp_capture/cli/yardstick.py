"""gtp-capture yardstick: measure an agent against perfect play, and write positions with exact values."""

from __future__ import annotations

import json
import re
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ..players.levels import FULL
from ..util.files import warn
from ..util.signals import on_signals
from ..yardstick.tasks import SECONDS, TASKS, Task
from . import options as shared
from .progress import waiting

if TYPE_CHECKING:
    from ..yardstick.measure import Report

MOST_SECONDS: Final = 86_400.0


def _levels(text: str) -> tuple[int, ...]:
    """Return the levels of a list such as `1,3,5`. ValueError: it is none."""
    if re.fullmatch(r"(10|[1-9])(,(10|[1-9]))*", text, re.ASCII) is None:
        raise ValueError(f"{text!r} is no list of levels: give numbers from 1 to {FULL}, such as 1,3,5")
    return tuple(map(int, text.split(",")))


@click.command(
    help="""Measure how far an agent is from perfect play, or write positions with the exact value of every action.

    AGENT: level-1 to level-10, random, greedy or shape, module:name for a bot or a function of a batch, or the command
    of a GTP engine. Without AGENT and --write the tasks are listed.
    """,
)
@click.argument("agent", required=False)
@click.option("--task", "task_name", type=click.Choice([*TASKS]), help="The task.")
@click.option(
    "--openings", type=click.IntRange(min=1), help="Positions of the task to use.  [default: all of the task]"
)
@click.option("--games", type=click.IntRange(min=0), default=20, help="Games against each level.")
@click.option(
    "--levels", type=shared.Parsed("levels", _levels), default="1,3,5,7,9", help="The levels to play against."
)
@click.option(
    "--time-per-move",
    type=click.FloatRange(0, MOST_SECONDS, min_open=True),
    callback=shared.finite,
    help=f"Seconds for each move of the agent; default {SECONDS:g}, without --playouts.",
)
@click.option("--playouts", type=click.IntRange(min=1), help="Maximum playouts for each move of the agent.")
@click.option("--seed", type=click.IntRange(min=0), default=1, help="Seed of the players, or of the positions written.")
@click.option("--write", "target", type=shared.OUTPUT, help="Write positions with all values to this file (.npz).")
@click.option("--positions", type=click.IntRange(1, 1_000_000), default=1000, help="Positions to write.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def yardstick(
    agent: str | None,
    task_name: str | None,
    openings: int | None,
    games: int,
    levels: tuple[int, ...],
    time_per_move: float | None,
    playouts: int | None,
    seed: int,
    target: Path | None,
    positions: int,
    as_json: bool,
) -> None:
    if agent is None and target is None:
        for task in TASKS.values():
            click.echo(described(task))
        return
    if task_name is None:
        raise click.UsageError(f"give --task: {', '.join(TASKS)}")
    task = TASKS[task_name]
    if openings is not None and openings > task.count:
        raise click.UsageError(f"{task.name} has {task.count} openings, not {openings}")
    if target is not None:
        _write(target, task, positions, seed, agent)
        return
    assert agent is not None
    with _stoppable(f"{agent}, {task.name}") as stop:
        from ..yardstick.measure import measure

        report = measure(
            agent, task, openings=openings, games=games, levels=levels, seconds=time_per_move, playouts=playouts,
            seed=seed, stop=stop, notify=warn,
        )  # fmt: skip
    click.echo(json.dumps(report.as_json()) if as_json else "\n".join(lines_of(report)))


def _write(target: Path, task: Task, positions: int, seed: int, agent: str | None) -> None:
    """Write a data set and print its card. UsageError: an option or an agent does not go with it."""
    if not task.exact:
        raise click.UsageError(f"{task.name} has games alone, and no values")
    if agent is not None:
        raise click.UsageError("--write has no agent: positions are written, and nothing is measured")
    shared.refuse(("openings", "games", "levels", "time_per_move", "playouts", "as_json"), "with --write")
    with _stoppable(f"{positions} positions of {task.name}") as stop:
        from ..yardstick.data import write_data

        card = write_data(target, task, count=positions, seed=seed, stop=stop)
    click.echo(card, nl=False)


@contextmanager
def _stoppable(text: str) -> Iterator[threading.Event]:
    """Show a text while the work lasts, which the event that is yielded ends. Abort: a signal has set it."""
    stop = threading.Event()
    try:
        with on_signals(stop.set, signal.SIGINT, signal.SIGTERM), waiting(text):
            yield stop
    except CancelledError:
        raise click.Abort from None


def described(task: Task) -> str:
    """Return the line of a task in the list."""
    width, height = task.size
    start = "crosscut and " if task.crosscut else ""
    known = "values and plies" if task.lengths else "values" if task.exact else "games alone"
    least, most = task.plies
    positions = f"{task.count} openings of {start}{least} to {most} plays"
    return f"{task.name}: {task.rules} {width}x{height}, {positions}, {known}, hash {task.digest}"


def lines_of(report: Report) -> list[str]:
    """Return a report as lines of text."""
    lines = [f"{report.agent} in {report.task}"]
    if report.thrown is not None:
        lines.append(f"won positions thrown away by a move: {report.thrown}")
    if report.regret is not None:
        lines.append(f"regret in plies, of moves that keep the result: {report.regret}")
    if report.held is not None:
        lines.append(f"won openings held against perfect play: {report.held}")
    lines += [f"games won against level {level}: {share}" for level, share in report.won.items()]
    if report.faults:
        lines.append(f"moves that failed or were illegal: {report.faults}")
    return lines
