"""gtp-capture solve: solve positions of capture games on small boards."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..go.game import Game
from ..go.rules import DEFAULT as DEFAULT_RULES
from ..go.rules import Rules
from ..go.vertex import format_line
from ..go.words import counted
from ..players.player import MOST_THREADS
from ..solver import collection
from ..solver.choice import SolverResources, solver_for
from ..solver.choice import solve as solve_position
from ..solver.proofs.files import write_file
from ..solver.proofs.format import ProofError
from ..solver.result import UNSOLVED, Solution, has_length, next_capture_wins
from ..solver.verdict import Verdict, verdict_of
from ..util.files import RequestError, escaped, tell, warn
from ..util.limit import Deadline, Limit
from ..util.memory import MEBIBYTE
from ..util.signals import on_signals
from . import options as shared
from .files import check_outputs, name_of, position, sgf_files
from .progress import counting, searching

if TYPE_CHECKING:
    from ..solver.exact import ExactSolver
    from ..solver.log import Log
    from ..solver.solver import Solver


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """The options of the command."""

    files: tuple[Path, ...]
    size: tuple[int, int] | None
    opening: str
    rules: Rules | None
    to_move: str | None
    length: bool
    first_moves: bool
    scheduler: str | None
    proof: Path | None
    checkpoint: Path | None
    memory: int
    threads: int
    seconds: float | None
    as_json: bool

    @property
    def resources(self) -> SolverResources:
        """What a solver gets, and what it is to find."""
        return SolverResources(self.memory * MEBIBYTE, self.threads, self.length, self.first_moves)

    def check(self) -> None:
        """Check that the options go together and have an effect. UsageError, RequestError: the reason."""
        if self.files:
            shared.refuse(("opening",), "with a file")
        check_outputs([self.proof, self.checkpoint], self.files)

    def positions(self) -> list[collection.Position]:
        """Return the positions to solve. RequestError: there is none, or the options do not fit a position."""
        paths: list[Path | None] = []
        for each in self.files:
            paths += [each] if str(each) == "-" else sgf_files(each)
        if self.files and not paths:
            raise RequestError(f"{self.files[0]}: a folder without SGF files")
        positions: list[collection.Position] = []
        for path in paths or [None]:
            game = self._checked(position(path, self.size, self.opening, self.rules, self.to_move))
            name = f"{game.width}x{game.height}" if path is None else name_of(path)
            if game.outcome:
                raise RequestError(f"{name}: the game is over")
            positions.append(collection.Position((name,), game))
        return positions

    def _checked(self, game: Game) -> Game:
        """Return the game as it is. RequestError: it cannot be solved with these options."""
        if self.proof is not None and not game.rules.won_by(1):
            raise RequestError("--proof needs a game that the first capture decides: use --rules first-capture")
        next_wins = not game.rules.is_capture_game or next_capture_wins(game.rules, game.board)
        if not next_wins and (self.length or (self.checkpoint is not None and self.scheduler is None)):
            raise RequestError("--length and --checkpoint are for games where the next capture wins, for both colours")
        if self.length and not has_length(game.rules):
            raise RequestError(
                "--length needs rules without suicide, by which a game may last longer than the solver counts"
            )
        return game


@click.command(
    help="""Solve positions of capture games: who wins, and how.

    FILE is SGF (its first game), a diagram: rows of X, O and dots, the top one first, or the output of showboard, or a
    folder of SGF files. `-` is stdin. Without FILE, give --size.

    Several positions give a line each. With --scheduler the workers of a cluster solve them, one at a time each, and
    with --first-moves every position after a first move.
    """,
)
@click.argument(
    "files", type=click.Path(allow_dash=True, readable=False, path_type=Path), nargs=-1, metavar="[FILE]..."
)
@click.option("--size", type=shared.SIZE, help="An empty board: 5 or 5x4.")
@shared.opening_option
@click.option(
    "--rules",
    type=shared.RULES,
    help=f"A preset with captures, also instead of a file's rules.  [default: the file's, or {DEFAULT_RULES}]",
)
@click.option("--to-move", type=click.Choice(["black", "white"]), help="Default: set by the file, else black.")
@click.option("--length", is_flag=True, help="Find the shortest win too, and a line of best play.")
@click.option("--first-moves", is_flag=True, help="Report the winner after every first move.")
@shared.scheduler_option("Solve several positions")
@click.option("--proof", type=shared.OUTPUT, help="Write a proof for check-proof.")
@click.option("--checkpoint", type=shared.OUTPUT, help="Go on from this log, and write to it what is found.")
@click.option("--memory", type=click.IntRange(1, 1_000_000), default=512, help="MiB for each table.")
@click.option("--threads", type=click.IntRange(1, MOST_THREADS), default=1, help="Threads of a search.")
@click.option(
    "--time", "seconds", type=click.FloatRange(min=0, min_open=True), callback=shared.finite, help="Maximum seconds."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def solve(**values: Any) -> None:
    options = SolveOptions(**values)
    options.check()
    positions, deadline = options.positions(), Limit(options.seconds).begin()
    if len(positions) == 1 and options.scheduler is None:
        _solve_one(positions[0].game, deadline, options)
        return
    shared.refuse(("proof",), "with several positions or --scheduler")
    _solve_several(positions, deadline, options)


@contextmanager
def _logged(options: SolveOptions, about: dict[str, Any], solver: ExactSolver | None = None) -> Iterator[Log | None]:
    """Yield the log of this run, if --checkpoint asks for one. RequestError: it cannot be used or written."""
    if options.checkpoint is None:
        yield None
        return
    from ..solver.log import Log

    log = Log(options.checkpoint, about, None if solver is None else solver.table)
    try:
        yield log
    finally:
        log.close(0 if solver is None else solver.nodes)
    if log.failure is not None:
        raise RequestError(f"the checkpoint cannot be written: {log.failure.strerror or log.failure}")


def _solve_one(game: Game, deadline: Deadline, options: SolveOptions) -> None:
    """Solve a position, print the report, and write the proof."""
    from ..solver.solver import Solver

    resources = options.resources
    solver = solver_for(game.rules, game.board, resources.memory, resources.threads)
    with _logged(options, {**collection.describe_position(game), "memory": options.memory}, solver) as log:
        with on_signals(deadline.stop.set, signal.SIGINT):
            solution = _solve(solver, game, deadline, log, options)
        winner = solution.winner
        try:
            for line in _lines(game, solution, log, options):
                click.echo(line)
        finally:  # the proof is written even if stdout is closed
            if options.proof is not None and winner is not None and not deadline.stop.is_set():
                assert isinstance(solver, Solver)
                write_proof(solver, game, winner, options.proof, quiet=options.as_json)
    if winner is None:
        _remark_saved(options)
    unwritten = options.proof is not None and (winner is None or deadline.stop.is_set())
    if unwritten:
        reason = "interrupted" if deadline.stop.is_set() else "the position is not solved"
        warn(f"{options.proof} was not written: {reason}")
    if deadline.stop.is_set():
        raise click.Abort
    if unwritten:
        shared.exit_with(1)


def _remark_saved(options: SolveOptions) -> None:
    """Say how to resume an unfinished search that has a log."""
    if options.checkpoint is not None:
        tell(escaped(f"{options.checkpoint} is saved: the same command goes on from there"))


def _lines(game: Game, solution: Solution, log: Log | None, options: SolveOptions) -> Iterator[str]:
    """Yield the report on a position: text, or a JSON object in one line."""
    verdict, speed = verdict_of(game, solution), int(solution.nodes / max(solution.seconds, 1e-3))
    resumed = log if log is not None and log.resumed else None
    rests_on_log = resumed is not None and any((verdict.winner, *verdict.first_moves.values()))
    if options.as_json:
        effort = {"nodes": solution.nodes, "seconds": round(solution.seconds, 3), "nodes_per_second": speed}
        moves = {"first_moves": verdict.first_moves} if options.first_moves else {}
        yield json.dumps({**report_of(verdict), **effort, **moves, "resumed": rests_on_log})
        return
    yield headline(verdict, int(game.to_move))
    for vertex, winner in verdict.first_moves.items():
        yield f"{vertex}: {'not solved yet' if winner is None else f'{winner} wins'}"
    if rests_on_log:
        yield "this rests on the log: --proof FILE writes a proof, and check-proof FILE checks it"
    earlier = "" if resumed is None else f"; {resumed.nodes} nodes of earlier runs in {resumed.path}"
    yield f"{solution.nodes} nodes, {solution.seconds:.3f} s, {speed} nodes/s{earlier}"


def _solve(solver: ExactSolver, game: Game, deadline: Deadline, log: Log | None, options: SolveOptions) -> Solution:
    """Solve a position with a progress display. RequestError: the log has wrong results."""
    try:
        with searching(solver) if log is None else searching(solver, log.update):
            return solve_position(game, int(game.to_move), options.resources, deadline, solver=solver)
    except AssertionError as error:
        if log is None or not log.resumed:
            raise
        raise RequestError(f"{options.checkpoint} is wrong, delete it and solve again: {error}") from None


def _solve_several(positions: Sequence[collection.Position], deadline: Deadline, options: SolveOptions) -> None:
    """Solve positions, and print a line for each as soon as it is solved."""
    if options.first_moves:
        positions = collection.after_first_moves(positions)
    left = {name: position.game for position in positions for name in position.names}
    with _logged(options, collection.CONTENT) as log, on_signals(deadline.stop.set, signal.SIGINT):
        for position, solution in collection.solve_all(
            positions, options.resources._replace(first_moves=False), options.scheduler, log, deadline
        ):
            for name in position.names:
                game = left.pop(name)
                click.echo(solution_line(name, game, solution, options.as_json))
    for name, game in left.items():
        click.echo(solution_line(name, game, UNSOLVED, options.as_json))
    if left:
        _remark_saved(options)
    if deadline.stop.is_set():
        raise click.Abort


def write_proof(solver: Solver, game: Game, winner: int, path: Path, *, quiet: bool) -> None:
    """Write the proof of a solved position, and print its size.

    RequestError: the file cannot be written, or the table came from a wrong log.
    """
    before = solver.nodes
    try:
        with counting("choices") as count:
            choices = write_file(solver, game, winner, path, count)
    except OSError as error:
        raise RequestError(f"the proof cannot be written: {error.strerror}") from None
    except ProofError as error:  # the table came from a wrong log
        raise RequestError(f"there is no proof: {error}") from None
    if not quiet:
        nodes = solver.nodes - before
        click.echo(f"{path}: {choices} choices, {path.stat().st_size} bytes; {nodes} nodes were searched again")


def report_of(verdict: Verdict) -> dict[str, Any]:
    """Return winner, plies and line with the keys of the JSON object."""
    return {"winner": verdict.winner, "length": verdict.plies, "line": list(verdict.line)}


def headline(verdict: Verdict, to_move: int) -> str:
    """Return the winner, the plies and the line as text."""
    if verdict.winner is None:
        return "not solved yet"
    plies = "" if verdict.plies is None else f" in {counted(verdict.plies, 'ply', 'plies')}"
    moves = format_line(to_move, verdict.line)
    return f"{verdict.winner} wins{plies}{': ' * bool(moves)}{moves}"


def solution_line(name: str, game: Game, solution: Solution, as_json: bool) -> str:
    """Return the line for one of several positions."""
    verdict = verdict_of(game, solution)
    if as_json:
        return json.dumps({"position": name, **report_of(verdict), "nodes": verdict.nodes})
    return f"{name}: {headline(verdict, int(game.to_move))}"
