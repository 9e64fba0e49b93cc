"""gtp-capture solve: solve positions of capture games on small boards."""

from __future__ import annotations

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
from ..go.vertex import opponent
from ..go.words import counted
from ..players.player import MOST_THREADS
from ..solver.proofs.manifest import MAX_NUMBER
from ..solver.result import WORD, has_length, next_capture_wins, unsupported
from ..util.executor import ExecutorError
from ..util.lanes import MakeLanes, lanes
from ..util.lanes import kept as kept_lanes
from ..util.limit import Limit
from ..util.memory import MEBIBYTE
from . import findings
from .books import write_small_boards
from .checkpoints import Checkpoint, unchecked
from .files import check_outputs
from .jobs import Found, Means, crew_of, solve_in_jobs
from .options import (
    OutputPath,
    RulesType,
    SizeType,
    Unusable,
    finite,
    jobs_option,
    opening_option,
    refuse,
    scheduler_option,
)
from .positions import position
from .progress import interruptible, searching
from .proofs import Target, write_proof

if TYPE_CHECKING:
    from ..solver.exhaustive import ExhaustiveSolver
    from ..solver.solver import Solver

BETWEEN_CHECKPOINTS: Final = 120.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """The options of the command."""

    file: Path | None
    size: tuple[int, int] | None
    opening: str
    rules: Rules | None
    to_move: str | None
    length: bool
    first_moves: bool
    jobs: int
    scheduler: str | None
    proof: Path | None
    part_choices: int | None
    write_book: Path | None
    checkpoint: Path | None
    memory: int
    threads: int
    seconds: float | None
    as_json: bool

    @property
    def in_jobs(self) -> bool:
        """Whether several workers search."""
        return self.jobs > 1 or self.scheduler is not None

    def check(self, context: click.Context) -> None:
        """Raise UsageError for options that do not go together or have no effect."""
        if self.write_book is not None:
            others = {param.name or "" for param in context.command.params} - {"write_book"}
            refuse(context, others, "with --write-book, which solves all boards of up to 5x5")
        if self.scheduler is not None:
            refuse(context, ("jobs",), "with --scheduler")
        if self.proof is None:
            refuse(context, ("part_choices",), "without --proof")
        if self.file is not None:
            refuse(context, ("opening",), "with a file")
        check_outputs([self.proof, self.checkpoint, self.write_book], [self.file])

    def game(self) -> Game:
        """Return the game to solve. Unusable: there is none, or a proof of it is not possible."""
        game = position(self.file, self.size, self.opening, self.rules, self.to_move)
        if game.outcome:
            raise Unusable("the game is over")
        if self.proof is not None and not game.rules.won_by(1):
            raise Unusable("--proof needs a game that the first capture decides: use --rules first-capture")
        if self.proof is not None and game.width * game.height > WORD:
            raise Unusable(f"proofs support boards of up to {WORD} points")
        return game


@click.command()
@click.argument("file", type=click.Path(allow_dash=True, path_type=Path), required=False)
@click.option("--size", type=SizeType(), help="An empty board: 5 or 5x4.")
@opening_option
@click.option(
    "--rules",
    type=RulesType(),
    help=f"A preset with captures, also instead of a file's rules.  [default: the file's, or {DEFAULT_RULES}]",
)
@click.option("--to-move", type=click.Choice(["black", "white"]), help="Default: set by the file, else black.")
@click.option("--length", is_flag=True, help="Find the shortest win too, and a line of best play.")
@click.option("--first-moves", is_flag=True, help="Report the winner after every first move.")
@jobs_option("Jobs of a search at a time.")
@scheduler_option("Search")
@click.option("--proof", type=OutputPath(), help="Write a proof for check-proof.")
@click.option(
    "--part-choices",
    type=click.IntRange(1000, MAX_NUMBER),
    help="Write it in parts of up to so many choices: FILE.1, FILE.2 and so on, FILE.claims, and FILE, the manifest. "
    "With --jobs or --scheduler, the workers write.",
)
@click.option("--write-book", type=OutputPath(), help="Write the book of small boards.")
@click.option("--checkpoint", type=OutputPath(), help="Continue from this file, and save to it.")
@click.option("--memory", type=click.IntRange(1, 1_000_000), default=512, show_default=True, help="MiB for each table.")
@click.option(
    "--threads", type=click.IntRange(1, MOST_THREADS), default=1, show_default=True, help="Threads of a search."
)
@click.option(
    "--time", "seconds", type=click.FloatRange(min=0, min_open=True), callback=finite, help="Maximum seconds."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def solve(context: click.Context, /, **values: Any) -> None:
    """Solve a position of a capture game: who wins, and how.

    FILE is SGF (its first game), or a diagram: rows of X, O and dots, the top one first, or the output of showboard.
    `-` is stdin. Without FILE, give --size.
    """
    options = SolveOptions(**values)
    options.check(context)
    if options.write_book is not None:
        write_small_boards(options.write_book)
        return
    game = options.game()
    with _errors_in_one_line():
        solver = _solver(game, options)
    limit, kept = Limit(options.seconds), Checkpoint(solver, None if options.in_jobs else options.checkpoint)
    kept.save()
    if kept.failure:
        raise Unusable(kept.failure)
    make_lanes = partial(lanes, options.jobs, options.scheduler)
    with _errors_in_one_line(), kept_lanes(make_lanes) as same_lanes:
        crew = None
        with interruptible(limit):
            if options.in_jobs:
                in_parts = options.part_choices is not None
                means = _means(options, same_lanes if in_parts else make_lanes)
                report, found = _solve_in_jobs(solver, game, limit, means, options)
                winner = found.winner(limit)
                crew = crew_of(solver, found, means) if in_parts else None
            else:
                report, winner = _solve(solver, game, limit, kept, options)
        failed = findings.show(report, game.to_move, options.as_json)
        if options.proof is not None and winner is not None:
            target = Target(options.proof, options.part_choices, crew)
            write_proof(solver, game, winner, target, quiet=options.as_json)
    if failed is not None:
        raise failed
    if kept.failure:
        raise Unusable(kept.failure)
    if kept.path is not None and winner is None:
        click.echo(f"{kept.path} is saved: the same command goes on from there", err=True)
    unwritten = options.proof is not None and winner is None
    if unwritten:
        reason = "interrupted" if limit.stop.is_set() else "the position is not solved"
        click.echo(f"gtp-capture: {options.proof} was not written: {reason}", err=True)
    if limit.stop.is_set():
        raise click.Abort
    if unwritten:
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


def _solver(game: Game, options: SolveOptions) -> Any:
    """Return a Solver, or an ExhaustiveSolver if one capture does not decide the game.

    Unusable: no solver supports these rules, this board or these options.
    """
    from ..solver.exhaustive import ExhaustiveSolver, unsupported_multi_capture
    from ..solver.solver import Solver

    next_wins = not game.rules.is_capture_game or next_capture_wins(game.rules, game.board)
    if not next_wins and (options.length or options.checkpoint is not None or options.in_jobs):
        names = "--length, --checkpoint, --jobs and --scheduler"
        raise Unusable(f"{names} are for games where the next capture wins, for both colours")
    if options.length and not has_length(game.rules):
        raise Unusable("--length needs rules without suicide, by which a game may last longer than the solver counts")
    reason = (unsupported if next_wins else unsupported_multi_capture)(game.rules, game.board)
    if reason is not None:
        raise Unusable(reason)
    if next_wins:
        return Solver(game.width, game.height, options.memory * MEBIBYTE, options.threads)
    return ExhaustiveSolver(game.rules, game.width, game.height, options.memory * MEBIBYTE)


def _means(options: SolveOptions, make_lanes: MakeLanes) -> Means:
    here, memory = options.scheduler is None, options.memory * MEBIBYTE
    return Means(make_lanes, here, memory, options.threads, options.checkpoint)


def _solve(
    solver: Solver | ExhaustiveSolver, game: Game, limit: Limit, kept: Checkpoint, options: SolveOptions
) -> tuple[findings.Findings, int | None]:
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
            solution = solver.solve(board, color, limit, **({"length": True} if options.length else {}))
            if options.first_moves:
                moves = {play: found.winner for play, found in solver.first_moves(board, color, limit)}
                kept.save()
    except AssertionError as error:
        if not kept.trusted:
            raise
        raise kept.wrong(str(error)) from None
    report = findings.report(game, solution, solver.nodes - nodes, time.monotonic() - began, moves)
    if kept.trusted and backing is None and report.has_verdict:
        backing = unchecked("the time was over before its proof was checked")
    return replace(report, backing=backing), solution.winner


def _solve_in_jobs(
    solver: Solver, game: Game, limit: Limit, means: Means, options: SolveOptions
) -> tuple[findings.Findings, Found]:
    """Solve a position in jobs; return the report and the details. The length is found by this process alone."""
    found = solve_in_jobs(solver, game, means, limit, options.first_moves)
    solution, here = found.solution, None
    if solution.winner is not None and options.length:
        here = solver.solve(game.board, game.to_move, limit, length=True)
    report = findings.report(
        game, here if here is not None and here.winner else solution, solution.nodes, 0, found.moves
    )
    remark = counted(found.jobs, "job") + f", {found.earlier} of them from {means.log}" * (found.earlier > 0)
    if solution.winner is None and means.log is not None:
        click.echo(f"{means.log} has {counted(found.jobs, 'job')}: the same command goes on from there", err=True)
    elif limit.stop.is_set() and means.log is None:
        click.echo("nothing is kept; with --checkpoint FILE the same command would go on", err=True)
    report = replace(report, seconds=round(solution.seconds, 3), nodes_per_second=found.rate, jobs=remark)
    if found.earlier and report.has_verdict:
        report = replace(report, backing=unchecked("a proof, --proof FILE, would check it"))
    return report, found
