"""gtp-capture solve: solve positions of capture games on small boards."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ..go.game import Game
from ..go.rules import DEFAULT as DEFAULT_RULES
from ..go.rules import Rules
from ..go.vertex import COLOR_LETTERS, COLOR_NAMES, opponent
from ..go.words import counted
from ..players.player import MOST_THREADS
from ..solver.proofs.manifest import MAX_NUMBER
from ..solver.result import WORD, Solution, next_capture_wins, unsupported
from ..util.executor import ExecutorError
from ..util.lanes import kept as kept_lanes
from ..util.lanes import lanes
from ..util.limit import Limit
from ..util.memory import MEBIBYTE
from .books import write_small_boards
from .checkpoints import Backing, Checkpoint
from .given import refuse
from .jobs import Found, Means, crew_of, solve_in_jobs
from .outputs import check_outputs
from .positions import Unusable, position
from .progress import interruptible, searching
from .proofs import Target, write_proof
from .types import RulesType, SizeType, finite, jobs_option, opening_option, scheduler_option

if TYPE_CHECKING:
    from ..solver.exhaustive import ExhaustiveSolver
    from ..solver.solver import Solver

BETWEEN_CHECKPOINTS: Final = 120.0
"""Seconds."""


@dataclass(slots=True)
class Findings:
    """The output; the fields are the keys of the JSON object."""

    winner: str | None
    length: int | None
    line: list[str]
    nodes: int
    seconds: float
    nodes_per_second: int
    first_moves: dict[str, str | None] | None = None
    jobs: str | None = None
    """The number of jobs, if there were any, as text."""
    backing: Backing | None = None
    """Whether the winner was verified, if it depends on a checkpoint."""


@click.command()
@click.argument("file", type=click.Path(allow_dash=True, path_type=Path), required=False)
@click.option("--size", type=SizeType(), help="An empty board: 5 or 5x4.")
@opening_option
@click.option("--rules", type=RulesType(), default=DEFAULT_RULES, show_default=True, help="A preset with captures.")
@click.option("--to-move", type=click.Choice(["black", "white"]), help="Default: set by the file, else black.")
@click.option("--length", is_flag=True, help="Find the shortest win too, and a line of best play.")
@click.option("--first-moves", is_flag=True, help="Report the winner after every first move.")
@jobs_option("Jobs of a search at a time.")
@scheduler_option("Search")
@click.option("--proof", type=click.Path(dir_okay=False, path_type=Path), help="Write a proof for check-proof.")
@click.option(
    "--part-choices",
    type=click.IntRange(1000, MAX_NUMBER),
    help="Write it in parts of up to so many choices, and a manifest; with --jobs or --scheduler, the workers write.",
)
@click.option("--write-book", type=click.Path(dir_okay=False, path_type=Path), help="Write the book of small boards.")
@click.option(
    "--checkpoint", type=click.Path(dir_okay=False, path_type=Path), help="Continue from this file, and save to it."
)
@click.option("--memory", type=click.IntRange(1, 1_000_000), default=512, show_default=True, help="MiB for each table.")
@click.option(
    "--threads", type=click.IntRange(1, MOST_THREADS), default=1, show_default=True, help="Threads of a search."
)
@click.option(
    "--time", "seconds", type=click.FloatRange(min=0, min_open=True), callback=finite, help="Maximum seconds."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def solve(
    context: click.Context,
    file: Path | None,
    size: tuple[int, int] | None,
    opening: str,
    rules: Rules,
    to_move: str | None,
    length: bool,
    first_moves: bool,
    jobs: int,
    scheduler: str | None,
    proof: Path | None,
    part_choices: int | None,
    write_book: Path | None,
    checkpoint: Path | None,
    memory: int,
    threads: int,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Solve a position of a capture game: who wins, and how.

    FILE is SGF (its first game), or a diagram: rows of X, O and dots, the top one first, or the output of showboard.
    `-` is stdin. Without FILE, give --size.
    """
    if write_book is not None:
        others = {param.name or "" for param in context.command.params} - {"write_book"}
        refuse(context, others, "with --write-book, which solves all boards of up to 5x5")
        check_outputs([write_book])
        write_small_boards(write_book)
        return
    if scheduler is not None:
        refuse(context, ("jobs",), "with --scheduler")
    in_jobs = jobs > 1 or scheduler is not None
    if proof is None:
        refuse(context, ("part_choices",), "without --proof")
    if file is not None:
        refuse(context, ("opening",), "with a file")
    check_outputs([proof, checkpoint], [file])
    game = position(file, size, opening, rules, to_move)
    if game.outcome:
        raise Unusable("the game is over")
    if proof is not None and not game.rules.won_by(1):
        raise Unusable("--proof needs a game that the first capture decides: use --rules first-capture")
    if proof is not None and game.width * game.height > WORD:
        raise Unusable(f"a proof is of a board of up to {WORD} points")
    needs_next_capture = length or checkpoint is not None or in_jobs
    with _errors_in_one_line():
        solver = _solver(game, memory * MEBIBYTE, threads, needs_next_capture)
    limit, kept = Limit(seconds), Checkpoint(solver, None if in_jobs else checkpoint)
    kept.save()
    if kept.failure:
        raise Unusable(kept.failure)
    with _errors_in_one_line(), kept_lanes(partial(lanes, jobs, scheduler)) as same_lanes:
        crew = None
        with interruptible(limit):
            if in_jobs:
                in_parts = part_choices is not None
                make_lanes = same_lanes if in_parts else partial(lanes, jobs, scheduler)
                means = Means(make_lanes, scheduler is None, memory * MEBIBYTE, threads, checkpoint)
                report, found = _solve_in_jobs(solver, game, limit, means, first_moves, length)
                winner = found.winner(limit)
                crew = crew_of(solver, found, means) if in_parts else None
            else:
                report, winner = _solve(solver, game, limit, kept, length, first_moves)
        failed = _print(report, game.to_move, as_json)
        if proof is not None and winner is not None:
            write_proof(solver, game, winner, Target(proof, part_choices, crew), quiet=as_json)
    if failed is not None:
        raise failed
    if kept.failure:
        raise Unusable(kept.failure)
    if limit.stop.is_set():
        raise click.Abort
    if proof is not None and winner is None:
        click.echo(f"gtp-capture: {proof} was not written: the position is not solved", err=True)
        context.exit(1)


@contextmanager
def _errors_in_one_line() -> Iterator[None]:
    """Raise Unusable for errors of the solver and of the processes that work for it."""
    from ..solver.log import LogError
    from ..solver.solver import SolverError  # loads Numba, so not before the options are checked
    from ..solver.trunk import TrunkError

    try:
        yield
    except (ExecutorError, LogError, SolverError, TrunkError) as error:
        raise Unusable(str(error)) from None
    except MemoryError as error:
        raise Unusable(str(error) or "not enough memory") from None


def _solver(game: Game, memory: int, threads: int, needs_next_capture: bool) -> Any:
    """Return a Solver, or an ExhaustiveSolver if one capture does not decide the game.

    Unusable: no solver supports these rules, this board or these options.
    """
    from ..solver.exhaustive import ExhaustiveSolver, unsupported_multi_capture
    from ..solver.solver import Solver

    next_wins = not game.rules.is_capture_game or next_capture_wins(game.rules, game.board)
    if not next_wins and needs_next_capture:
        options = "--length, --checkpoint, --jobs and --scheduler"
        raise Unusable(f"{options} are for games where the next capture wins, for both colours")
    reason = (unsupported if next_wins else unsupported_multi_capture)(game.rules, game.board)
    if reason is not None:
        raise Unusable(reason)
    if next_wins:
        return Solver(game.width, game.height, memory, threads)
    return ExhaustiveSolver(game.rules, game.width, game.height, memory)


def _solve(
    solver: Solver | ExhaustiveSolver, game: Game, limit: Limit, kept: Checkpoint, length: bool, first_moves: bool
) -> tuple[Findings, int | None]:
    """Solve a position in this process; return the report and the winner."""
    began, nodes, moves = time.monotonic(), solver.nodes, None
    board, color = game.board, game.to_move
    found, backing = 0, None
    with searching(solver):
        while found == 0 and not limit.expired():
            part = replace(limit, seconds=min(limit.elapsed() + BETWEEN_CHECKPOINTS, limit.seconds or float("inf")))
            found = solver.value(board, color, part)
            kept.save()
    if found:
        backing = kept.back(game, color if found > 0 else opponent(color), limit)
    try:
        with searching(solver):
            solution = solver.solve(board, color, limit, **({"length": True} if length else {}))
            if first_moves:
                moves = {play: found.winner for play, found in solver.first_moves(board, color, limit)}
                kept.save()
    except AssertionError as error:
        if not kept.trusted:
            raise
        raise kept.wrong(str(error)) from None
    if kept.trusted and backing is None and (solution.winner or any((moves or {}).values())):
        backing = kept.unchecked("the time was over before its proof was checked")
    report = _report(game, solution, solver.nodes - nodes, time.monotonic() - began, moves)
    return replace(report, backing=backing), solution.winner


def _solve_in_jobs(
    solver: Solver, game: Game, limit: Limit, means: Means, first_moves: bool, length: bool
) -> tuple[Findings, Found]:
    """Solve a position in jobs; return the report and the details. The length is found by this process alone."""
    found = solve_in_jobs(solver, game, means, limit, first_moves)
    solution, here = found.solution, None
    if solution.winner is not None and length:
        here = solver.solve(game.board, game.to_move, limit, length=True)
    report = _report(game, here if here is not None and here.winner else solution, solution.nodes, 0, found.moves)
    remark = f"{found.jobs} jobs" + f", {found.earlier} of them from {means.log}" * (found.earlier > 0)
    if solution.winner is None and means.log is not None:
        click.echo(f"{means.log} has {found.jobs} jobs: the same command goes on from there", err=True)
    elif limit.stop.is_set() and means.log is None:
        click.echo("nothing is kept; with --checkpoint FILE the same command would go on", err=True)
    report = replace(report, seconds=round(solution.seconds, 3), nodes_per_second=found.rate, jobs=remark)
    return report, found


def _report(
    game: Game, solution: Solution, nodes: int, seconds: float, moves: dict[int, int | None] | None
) -> Findings:
    named = None
    if moves is not None:
        named = {game.vertex(play): COLOR_NAMES[winner] if winner else None for play, winner in moves.items()}
    line = [game.vertex(p) for p in solution.line]
    winner = COLOR_NAMES[solution.winner] if solution.winner else None
    return Findings(winner, solution.plies, line, nodes, round(seconds, 3), int(nodes / max(seconds, 1e-3)), named)


def _print(report: Findings, to_move: int, as_json: bool) -> OSError | None:
    """Print the report; an error is returned, because a proof is to be written even if nothing can be printed."""
    try:
        for line in _lines(report, to_move, as_json):
            click.echo(line)
    except OSError as error:
        return error
    return None


def _lines(report: Findings, to_move: int, as_json: bool) -> Iterator[str]:
    if as_json:
        found = {
            name: getattr(report, name) for name in Findings.__slots__ if name not in ("first_moves", "jobs", "backing")
        }
        if report.first_moves is not None:
            found["first_moves"] = report.first_moves
        if report.backing is not None:
            found["winner_checked"] = report.backing.checked
        yield json.dumps(found)
        return
    if report.winner is None:
        yield "not solved yet"
    else:
        length = "" if report.length is None else f" in {counted(report.length, 'ply', 'plies')}"
        colors = itertools.cycle((COLOR_LETTERS[to_move], COLOR_LETTERS[opponent(to_move)]))
        line = " ".join(f"{color} {vertex}" for color, vertex in zip(colors, report.line, strict=False))
        yield f"{report.winner} wins{length}{': ' * bool(line)}{line}"
    for vertex, winner in (report.first_moves or {}).items():
        yield f"{vertex}: {'not solved yet' if winner is None else f'{winner} wins'}"
    if report.backing is not None:
        yield report.backing.remark
    jobs = f" in {report.jobs}" if report.jobs else ""
    yield f"{report.nodes} nodes{jobs}, {report.seconds:.3f} s, {report.nodes_per_second} nodes/s"
