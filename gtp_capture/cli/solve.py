"""gtp-capture solve and check-proof: perfect play of capture games on small boards."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import click

from ..game import Game
from ..rules import DEFAULT as DEFAULT_RULES
from ..rules import Passing, Rules
from ..search.limit import Limit
from ..vertex import BLACK, COLOR_NAMES, WHITE, parse_color
from .positions import Unusable, position
from .positions import stones as stones_of
from .types import RulesType, SizeType

MEBIBYTE: Final = 2**20
BETWEEN_CHECKPOINTS: Final = 120.0
"""Seconds."""


@dataclass(slots=True)
class Report:
    """What is printed at the end."""

    winner: str | None
    length: int | None
    line: list[str]
    nodes: int
    seconds: float
    nodes_per_second: int
    first_moves: dict[str, str | None] | None = None


@click.command()
@click.argument("file", type=click.File("rb"), required=False)
@click.option("--size", type=SizeType(), help="An empty board: 5 or 5x4.")
@click.option("--opening", type=click.Choice(["empty", "crosscut"]), default="empty", show_default=True)
@click.option("--rules", type=RulesType(), default=DEFAULT_RULES, show_default=True, help="A preset with captures.")
@click.option("--to-move", type=click.Choice(["black", "white"]), help="Default: as the file has it, else black.")
@click.option("--length", is_flag=True, help="Find the shortest win too, and a line of best play.")
@click.option("--first-moves", is_flag=True, help="The verdict on every first move.")
@click.option("--proof", type=click.Path(dir_okay=False, path_type=Path), help="Write a proof for check-proof.")
@click.option("--write-book", type=click.Path(dir_okay=False, path_type=Path), help="Make the book of small boards.")
@click.option("--checkpoint", type=click.Path(dir_okay=False, path_type=Path), help="Go on from here; save here.")
@click.option("--memory", type=click.IntRange(1, 1_000_000), default=512, show_default=True, help="MiB for the table.")
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option("--time", "seconds", type=click.FloatRange(min=0, min_open=True), help="Seconds at most.")
@click.option("--json", "as_json", is_flag=True, help="One object for machines.")
def solve(
    file: Any,
    size: tuple[int, int] | None,
    opening: str,
    rules: Rules,
    to_move: str | None,
    length: bool,
    first_moves: bool,
    proof: Path | None,
    write_book: Path | None,
    checkpoint: Path | None,
    memory: int,
    threads: int,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Solve a position of a capture game: who wins, and how.

    FILE is SGF, or a diagram: rows of X, O and points, the top one first. Without it, --size.
    """
    if write_book is not None:
        _write_book(write_book)
        return
    game = position(file, size, opening, rules, to_move)
    # Here, not above: Numba takes its time, and wrong options are told at once.
    from ..search import checkpoint as saved
    from ..search.proof import SolverError

    if game.outcome:
        raise Unusable("the game is over")
    if proof is not None and rules.captures != 1:
        raise Unusable("proofs are of games that start without prisoners: --rules first-capture")
    try:
        if rules.captures is None or all(rules.captures - game.prisoners(c) == 1 for c in (BLACK, WHITE)):
            solver = _solver(game, memory * MEBIBYTE, threads)
        elif length or checkpoint is not None:
            raise Unusable("--length and --checkpoint are for games where the next capture wins, for both colours")
        else:
            solver = _exhaustive_solver(game, memory * MEBIBYTE)
        if checkpoint is not None and checkpoint.exists():
            saved.load(solver, checkpoint)
    except (ValueError, OSError, MemoryError) as error:
        raise Unusable(str(error) or "there is not so much memory") from None
    limit = Limit(seconds)
    failures: set[str] = set()

    def save() -> None:
        # A disk that is full now may have room later, and what has been found is printed in any case.
        try:
            if checkpoint is not None:
                saved.save(solver, checkpoint)
            failures.clear()
        except OSError as error:
            failures.add(f"the checkpoint cannot be written: {error.strerror}; an older one is as it was")

    save()
    if failures:
        raise Unusable(failures.pop())
    try:
        with _progress(solver, limit):
            report, winner = _solve(solver, game, limit, save, length, first_moves)
    except SolverError as error:
        raise Unusable(str(error)) from None
    _print(report, as_json)
    if proof is not None and winner is not None:
        _write_proof(solver, game, winner, proof, quiet=as_json)
    if failures:
        raise Unusable(failures.pop())
    if limit.stop.is_set():
        raise click.Abort


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--memory", type=click.IntRange(1, 1_000_000), default=4096, show_default=True, help="MiB, at most.")
def check_proof(file: Path, memory: int) -> None:
    """Verify a proof by the rules alone; exit code 2 if it fails."""
    from ..search import check, proof_file

    began = time.monotonic()
    try:
        claim, chunks = proof_file.read(file)
        game, winner = _claimed(claim)
        positions = 0
        with _counting("positions") as count:
            for positions in check.check(game.board, game.to_move, winner, chunks, memory * MEBIBYTE):
                count(positions)
    except (ValueError, KeyError, TypeError) as error:
        raise Unusable(f"the proof fails: {error}") from None
    except OSError as error:
        raise Unusable(f"{file.name} cannot be read: {error.strerror or error}") from None
    click.echo(
        f"the proof holds: {claim['rules']}, {game.width}x{game.height}, {COLOR_NAMES[game.to_move]} to move: "
        f"{COLOR_NAMES[winner]} wins; {positions} choices, {time.monotonic() - began:.1f} s"
    )


def _claimed(claim: dict[str, Any]) -> tuple[Game, int]:
    rules = Rules.parse(claim["rules"])
    if rules.captures != 1 or rules.passing is Passing.FREE:
        raise ValueError(f"{claim['rules']} is not first capture")
    game = Game(rules, int(claim["width"]), int(claim["height"]))
    stones = [[game.point(str(vertex)) for vertex in claim[color]] for color in ("black", "white")]
    game.setup(stones[0], stones[1], parse_color(claim["to_move"]))
    return game, parse_color(claim["winner"])


def _solver(game: Game, memory: int, threads: int) -> Any:
    from ..search.proof import Solver, why_not

    reason = why_not(game.rules, game.board)
    if reason is not None:
        raise Unusable(reason)
    return Solver(game.width, game.height, memory, threads)


def _exhaustive_solver(game: Game, memory: int) -> Any:
    from ..search.exhaustive import ExhaustiveSolver, why_not

    reason = why_not(game.rules, game.board)
    if reason is not None:
        raise Unusable(reason)
    return ExhaustiveSolver(game.rules, game.width, game.height, memory)


def _solve(
    solver: Any, game: Game, limit: Limit, save: Callable[[], None], length: bool, first_moves: bool
) -> tuple[Report, int | None]:
    began, nodes, moves = time.monotonic(), solver.nodes, None
    board, color = game.board, game.to_move
    found = 0
    while found == 0 and not limit.expired():
        part = replace(limit, seconds=min(limit.elapsed() + BETWEEN_CHECKPOINTS, limit.seconds or float("inf")))
        found = solver.value(board, color, part)
        save()
    verdict = solver.solve(board, color, limit, **({"length": True} if length else {}))
    if first_moves:
        found_moves = {game.vertex(p): v.winner for p, v in solver.first_moves(board, color, limit)}
        moves = {vertex: COLOR_NAMES[w] if w else None for vertex, w in found_moves.items()}
        save()
    seconds, nodes = time.monotonic() - began, solver.nodes - nodes
    line = [game.vertex(p) for p in verdict.line]
    winner = COLOR_NAMES[verdict.winner] if verdict.winner else None
    report = Report(winner, verdict.length, line, nodes, round(seconds, 3), int(nodes / max(seconds, 1e-3)), moves)
    return report, verdict.winner


def _print(report: Report, as_json: bool) -> None:
    if as_json:
        found = {name: getattr(report, name) for name in Report.__slots__ if name != "first_moves"}
        if report.first_moves is not None:
            found["first_moves"] = report.first_moves
        click.echo(json.dumps(found))
        return
    if report.winner is None:
        click.echo("not solved yet")
    else:
        plies = "" if report.length is None else f" in {report.length} plies"
        click.echo(f"{report.winner} wins{plies}: {' '.join(report.line)}")
    for vertex, winner in (report.first_moves or {}).items():
        click.echo(f"{vertex}: {'not solved yet' if winner is None else f'{winner} wins'}")
    click.echo(f"{report.nodes} nodes, {report.seconds:.3f} s, {report.nodes_per_second} nodes/s")


def _write_proof(solver: Any, game: Game, winner: int, path: Path, quiet: bool) -> None:
    from ..search import proof_file, proof_writer

    stones = {COLOR_NAMES[c]: [game.vertex(p) for p in stones_of(game, c)] for c in (BLACK, WHITE)}
    claim = {
        "width": game.width, "height": game.height, "rules": str(game.rules), **stones,
        "to_move": COLOR_NAMES[game.to_move], "winner": COLOR_NAMES[winner],
        "inferences": proof_file.INFERENCES,
    }  # fmt: skip
    choices = 0
    try:
        with proof_file.create(path, claim) as file, _counting("choices") as count:
            for choices in proof_writer.write(solver, game.board, game.to_move, winner, file):
                count(choices)
    except OSError as error:
        raise Unusable(f"the proof cannot be written: {error.strerror}") from None
    if not quiet:
        click.echo(f"{path}: {choices} choices, {path.stat().st_size} bytes")


def _write_book(path: Path) -> None:
    from ..search import book_writer

    positions = 0
    try:
        with _counting("positions") as count:
            for positions in book_writer.write(path):
                count(positions)
    except OSError as error:
        raise Unusable(f"the book cannot be written: {error.strerror}") from None
    click.echo(f"{path}: {positions} positions, {path.stat().st_size} bytes")


@contextmanager
def _progress(solver: Any, limit: Limit) -> Iterator[None]:
    """Show how the search gets on, and let ^C end it."""

    def stop(number: int, frame: Any) -> None:
        limit.stop.set()

    before = signal.signal(signal.SIGINT, stop)
    try:
        with _counting("nodes") as count:
            solver.watch = lambda nodes: count(nodes, solver.progress())
            yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _counting(what: str) -> Iterator[Any]:
    """A line on stderr that counts, where a person can see it."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    console = Console(file=sys.stderr)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what)

        def count(number: int, note: str = "") -> None:
            progress.update(task, description=f"{number:,} {what}  {note}")

        yield count
