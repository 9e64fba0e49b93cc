"""gtp-capture solve: solve positions of capture games on small boards."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Final

import click

from ..go.game import Game
from ..go.rules import DEFAULT as DEFAULT_RULES
from ..go.rules import Rules
from ..go.vertex import COLOR_LETTERS, COLOR_NAMES, PASS, opponent
from ..go.words import counted
from ..players.player import MOST_THREADS
from ..solver import collection
from ..solver.proofs.format import INFERENCES, ProofError, ProofMemoryError, create_proof
from ..solver.proofs.manifest import MAX_NUMBER, PART_INFERENCES
from ..solver.result import Solution, has_length, next_capture_wins
from ..util.limit import Deadline, Limit
from ..util.memory import MEBIBYTE
from .files import check_outputs, name_of, position, sgf_files, write_book
from .options import (
    RULES,
    SIZE,
    OutputPath,
    Unusable,
    finite,
    opening_option,
    refuse,
    replaced_option,
    scheduler_option,
)
from .progress import counting, interruptible, searching

if TYPE_CHECKING:
    from ..solver.checkpoint import Checkpoint
    from ..solver.exhaustive import ExhaustiveSolver
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
    try_first: str | None
    scheduler: str | None
    proof: Path | None
    part_choices: int | None
    write_book: Path | None
    checkpoint: Path | None
    memory: int
    threads: int
    seconds: float | None
    as_json: bool

    def check(self, context: click.Context) -> None:
        """Raise UsageError for options that do not go together or have no effect."""
        if self.write_book is not None:
            others = {param.name or "" for param in context.command.params} - {"write_book"}
            refuse(context, others, "with --write-book, which solves all boards of up to 5x5")
        if self.proof is None:
            refuse(context, ("part_choices",), "without --proof")
        if self.files:
            refuse(context, ("opening",), "with a file")
        check_outputs([self.proof, self.checkpoint, self.write_book], self.files)

    def positions(self) -> list[collection.Position]:
        """Return the positions to solve. Unusable: there is none, or a proof of it is not possible."""
        paths = [path for each in self.files for path in ([each] if str(each) == "-" else sgf_files(each))]
        if self.files and not paths:
            raise Unusable(f"{self.files[0]}: a folder without SGF files")
        if len(paths) < 2:
            file = paths[0] if paths else None
            game = position(file, self.size, self.opening, self.rules, self.to_move)
            name = f"{game.width}x{game.height}" if file is None else name_of(file)
            return [collection.Position((name,), self._checked(game))]
        if self.size is not None:
            raise click.UsageError("give files or --size, and not both")
        games = (position(path, None, self.opening, self.rules, self.to_move) for path in paths)
        return [
            collection.Position((name_of(path),), self._checked(game)) for path, game in zip(paths, games, strict=True)
        ]

    def _checked(self, game: Game) -> Game:
        """Return a game that is to be solved. Unusable: no solver supports these options."""
        if game.outcome:
            raise Unusable("the game is over")
        if self.proof is not None and not game.rules.won_by(1):
            raise Unusable("--proof needs a game that the first capture decides: use --rules first-capture")
        next_wins = not game.rules.is_capture_game or next_capture_wins(game.rules, game.board)
        if not next_wins and (self.length or (self.checkpoint is not None and self.scheduler is None)):
            raise Unusable("--length and --checkpoint are for games where the next capture wins, for both colours")
        if self.length and not has_length(game.rules):
            raise Unusable(
                "--length needs rules without suicide, by which a game may last longer than the solver counts"
            )
        return game


@click.command()
@click.argument("files", type=click.Path(allow_dash=True, path_type=Path), nargs=-1, metavar="[FILE]...")
@click.option("--size", type=SIZE, help="An empty board: 5 or 5x4.")
@opening_option
@click.option(
    "--rules",
    type=RULES,
    help=f"A preset with captures, also instead of a file's rules.  [default: the file's, or {DEFAULT_RULES}]",
)
@click.option("--to-move", type=click.Choice(["black", "white"]), help="Default: set by the file, else black.")
@click.option("--length", is_flag=True, help="Find the shortest win too, and a line of best play.")
@click.option("--first-moves", is_flag=True, help="Report the winner after every first move.")
@click.option(
    "--try-first", metavar="VERTEX", help="Search this play first, and the other plays only if it does not win."
)
@replaced_option("--jobs", "--threads, which shares one table among all threads")
@scheduler_option("Solve several positions")
@click.option("--proof", type=OutputPath(), help="Write a proof for check-proof.")
@click.option(
    "--part-choices",
    type=click.IntRange(1000, MAX_NUMBER),
    help="Write it in parts of up to so many choices: FILE.1, FILE.2 and so on, FILE.claims, and FILE, the manifest.",
)
@click.option("--write-book", type=OutputPath(), help="Write the book of small boards.")
@click.option("--checkpoint", type=OutputPath(), help="Go on from this log, and write to it what is found.")
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
    """Solve positions of capture games: who wins, and how.

    FILE is SGF (its first game), a diagram: rows of X, O and dots, the top one first, or the output of showboard, or a
    folder of SGF files. `-` is stdin. Without FILE, give --size.

    Several positions give a line each. With --scheduler the workers of a cluster solve them, one at a time each, and
    with --first-moves every position after a first move.
    """
    options = SolveOptions(**values)
    options.check(context)
    if options.write_book is not None:
        from ..books.writer import small_boards

        write_book(options.write_book, small_boards())
        return
    positions, deadline = options.positions(), Limit(options.seconds).begin()
    if len(positions) == 1 and options.scheduler is None:
        _solve_one(context, positions[0].game, deadline, options)
        return
    refuse(context, ("proof", "part_choices", "try_first"), "with several positions or --scheduler")
    _solve_several(positions, deadline, options)


def _solve_one(context: click.Context, game: Game, deadline: Deadline, options: SolveOptions) -> None:
    """Solve a position, print the report, and write the proof."""
    from ..solver.checkpoint import Checkpoint
    from ..solver.exhaustive import solver_for

    first = None if options.try_first is None else _after(game, options.try_first)
    solver: Any = solver_for(game, options.memory * MEBIBYTE, options.threads)
    checkpoint: Checkpoint | None = None
    if options.checkpoint is not None:
        root = solver.stones(game.board), game.to_move
        checkpoint = Checkpoint(solver, options.checkpoint, collection.about(game), root)
    with closing(checkpoint) if checkpoint is not None else nullcontext():
        with interruptible(deadline.stop):
            report, winner = _report(solver, game, first, deadline, checkpoint, options)
        failed = print_report(report, game.to_move, options.as_json)
        if options.proof is not None and winner is not None and not deadline.stop.is_set():
            write_proof(solver, game, winner, options.proof, options.part_choices, quiet=options.as_json)
    if failed is not None:
        raise failed
    if checkpoint is not None and checkpoint.failure is not None:
        raise Unusable(f"the checkpoint cannot be written: {checkpoint.failure}")
    if checkpoint is not None and winner is None:
        click.echo(f"{checkpoint.path} is saved: the same command goes on from there", err=True)
    unwritten = options.proof is not None and (winner is None or deadline.stop.is_set())
    if unwritten:
        reason = "interrupted" if deadline.stop.is_set() else "the position is not solved"
        click.echo(f"gtp-capture: {options.proof} was not written: {reason}", err=True)
    if deadline.stop.is_set():
        raise click.Abort
    if unwritten:
        context.exit(1)


def _after(game: Game, vertex: str) -> Game | None:
    """Return the game after a play of the side to move; None if it is over then. Unusable: the play is not legal."""
    after = game.copy()
    try:
        after.play_point(after.point(vertex))
    except ValueError as error:
        raise Unusable(f"--try-first: {error}") from None
    if after.moves[-1].point == PASS:
        raise Unusable("--try-first: a pass is no play")
    return None if after.outcome else after


def _report(
    solver: Solver | ExhaustiveSolver,
    game: Game,
    first: Game | None,
    deadline: Deadline,
    checkpoint: Checkpoint | None,
    options: SolveOptions,
) -> tuple[Findings, int | None]:
    """Solve a position, and before it the one after the play to be tried first; return the report and the winner."""
    began, nodes, moves = time.monotonic(), solver.nodes, None
    board, color = game.board, game.to_move
    backing, resumed = None, checkpoint is not None and checkpoint.resumed
    with searching(solver):
        if first is not None:
            solver.value(first.board, first.to_move, deadline)
        found = solver.value(board, color, deadline)
    if found and checkpoint is not None and resumed:
        winner = color if found > 0 else opponent(color)
        backing = check_winner(checkpoint, solver, game, winner, deadline)  # type: ignore[arg-type] # it has a table
    try:
        with searching(solver):
            solution = solver.solve(board, color, deadline, **({"length": True} if options.length else {}))
            if options.first_moves:
                moves = {play: found.winner for play, found in solver.first_moves(board, color, deadline)}
    except AssertionError as error:
        if checkpoint is None or not resumed:
            raise
        raise wrong(checkpoint, str(error)) from None
    report = report_of(game, solution, solver.nodes - nodes, time.monotonic() - began, moves)
    if checkpoint is not None and checkpoint.nodes:
        report = replace(report, earlier=f"{checkpoint.nodes} nodes of earlier runs in {checkpoint.path}")
    if resumed and backing is None and report.has_winner:
        backing = unchecked("the time was over before its proof was checked")
    return replace(report, backing=backing), solution.winner


def _solve_several(positions: Sequence[collection.Position], deadline: Deadline, options: SolveOptions) -> None:
    """Solve positions, and print a line for each as soon as it is solved."""
    if options.first_moves:
        positions = collection.after_first_moves(positions)
    means = collection.Means(options.memory * MEBIBYTE, options.threads, options.length)
    left = {name: position.game for position in positions for name in position.names}
    with collection.kept_results(options.checkpoint) as log, interruptible(deadline.stop):
        for found in collection.solve_all(positions, means, options.scheduler, log, deadline):
            for name in found.position.names:
                game = left.pop(name)
                click.echo(line_of(name, game, found.solution, options.as_json))
    for name, game in left.items():
        click.echo(line_of(name, game, collection.UNSOLVED, options.as_json))
    if left and options.checkpoint is not None:
        click.echo(f"{options.checkpoint} is saved: the same command goes on from there", err=True)
    if deadline.stop.is_set():
        raise click.Abort


def write_proof(solver: Solver, game: Game, winner: int, path: Path, most: int | None, *, quiet: bool) -> None:
    """Write the proof of a solved position, in parts of at most `most` choices if given, and print its size.

    Unusable: a file cannot be written, or the table came from a wrong checkpoint.
    """
    from ..solver.proofs import writer
    from ..solver.proofs.parts import Parts

    claim = {
        **collection.about(game),
        "winner": COLOR_NAMES[winner],
        "inferences": INFERENCES if most is None else PART_INFERENCES,
    }
    choices, in_parts, before = 0, "", solver.nodes
    try:
        with counting("choices") as count:
            if most is None:
                with create_proof(path, claim) as file:
                    for choices in writer.write_proof(solver, game.board, game.to_move, winner, file):
                        count(choices)
                size = path.stat().st_size
            else:
                parts = Parts(solver, game, winner, path, most)
                for choices in parts.write(claim):
                    count(choices, f"{parts.count} parts")
                in_parts, size = f" in {parts.count} parts", parts.bytes
    except OSError as error:
        raise Unusable(f"the proof cannot be written: {error.strerror}") from None
    except ProofError as error:  # the table came from a wrong checkpoint
        raise Unusable(f"there is no proof: {error}") from None
    if not quiet:
        nodes = solver.nodes - before
        click.echo(f"{path}: {choices} choices{in_parts}, {size} bytes; {nodes} nodes were searched again")


MIN_CHECK_MEMORY: Final = 64 * 2**20
"""Bytes for the positions of a check; more if the solver's table is larger."""


@dataclass(frozen=True, slots=True)
class Backing:
    """Whether a winner that depends on a checkpoint was verified."""

    checked: bool
    """Whether the proof checker accepted it in this run."""
    remark: str


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
    earlier: str | None = None
    """The nodes of earlier runs, if there were any, as text."""
    backing: Backing | None = None
    """Whether the winner was verified, if it depends on a checkpoint."""

    @property
    def has_winner(self) -> bool:
        """Whether there is a winner, of the position or after a first move."""
        return any((self.winner, *(self.first_moves or {}).values()))


def report_of(
    game: Game, solution: Solution, nodes: int, seconds: float, moves: dict[int, int | None] | None
) -> Findings:
    """Return the report of a solution; `moves`: the winners after the first moves."""
    named = None
    if moves is not None:
        named = {game.vertex(play): COLOR_NAMES[winner] if winner else None for play, winner in moves.items()}
    line = [game.vertex(p) for p in solution.line]
    winner = COLOR_NAMES[solution.winner] if solution.winner else None
    return Findings(winner, solution.plies, line, nodes, round(seconds, 3), int(nodes / max(seconds, 1e-3)), named)


def print_report(found: Findings, to_move: int, as_json: bool) -> OSError | None:
    """Print the report. Return an OSError, not raise it, so that a proof is written even if stdout is closed."""
    try:
        for line in _lines(found, to_move, as_json):
            click.echo(line)
    except OSError as error:
        return error
    return None


def _lines(report: Findings, to_move: int, as_json: bool) -> Iterator[str]:
    if as_json:
        found = {
            name: getattr(report, name)
            for name in Findings.__slots__
            if name not in ("first_moves", "earlier", "backing")
        }
        if report.first_moves is not None:
            found["first_moves"] = report.first_moves
        if report.backing is not None:
            found["winner_checked"] = report.backing.checked
        yield json.dumps(found)
        return
    yield headline(report, to_move)
    for vertex, winner in (report.first_moves or {}).items():
        yield f"{vertex}: {'not solved yet' if winner is None else f'{winner} wins'}"
    if report.backing is not None:
        yield report.backing.remark
    earlier = f"; {report.earlier}" if report.earlier else ""
    yield f"{report.nodes} nodes, {report.seconds:.3f} s, {report.nodes_per_second} nodes/s{earlier}"


def headline(report: Findings, to_move: int) -> str:
    """Return the winner, the length and the line as text."""
    if report.winner is None:
        return "not solved yet"
    length = "" if report.length is None else f" in {counted(report.length, 'ply', 'plies')}"
    colors = itertools.cycle((COLOR_LETTERS[to_move], COLOR_LETTERS[opponent(to_move)]))
    line = " ".join(f"{color} {vertex}" for color, vertex in zip(colors, report.line, strict=False))
    return f"{report.winner} wins{length}{': ' * bool(line)}{line}"


def check_winner(checkpoint: Checkpoint, solver: Solver, game: Game, winner: int, deadline: Deadline) -> Backing:
    """Verify a winner by its proof, with no more nodes than the search took in all its runs.

    Unusable: the checkpoint is wrong.
    """
    from ..solver.proofs.writer import StoppedError, confirm

    began, choices = time.monotonic(), 0
    memory = max(MIN_CHECK_MEMORY, solver.memory)
    most, enough = 2 * solver.nodes + checkpoint.nodes, Event()
    bounded = replace(deadline, stop=enough)

    def watch(nodes: int) -> None:
        if nodes > most or deadline.stop.is_set():
            enough.set()

    try:
        with counting("choices checked") as count:
            solver.watch = watch
            for choices in confirm(solver, game.board, game.to_move, winner, memory, bounded):
                count(choices)
                watch(solver.nodes)
    except ProofMemoryError:
        return unchecked("its proof has more positions than --memory has room for")
    except MemoryError:
        return unchecked("not enough memory for its proof")
    except StoppedError:
        if solver.nodes > most:
            return unchecked("its proof takes more nodes than the search; --proof FILE writes it")
        return unchecked("the time was over before its proof was checked")
    except ProofError as error:
        raise wrong(checkpoint, f"{COLOR_NAMES[winner]} does not win: {error}") from None
    took = time.monotonic() - began
    remark = f"checked by the rules alone: {COLOR_NAMES[winner]} wins ({choices} choices, {took:.1f} s)"
    return Backing(True, f"{remark}; all else rests on the checkpoint")


def unchecked(reason: str) -> Backing:
    """Return the remark on a winner that was not verified."""
    return Backing(False, f"not checked, the verdict rests on the checkpoint: {reason}")


def wrong(checkpoint: Checkpoint, reason: str) -> Unusable:
    """Return the error for a checkpoint with false results."""
    return Unusable(f"{checkpoint.path} is wrong, delete it and solve again: {reason}")


def line_of(name: str, game: Game, solution: Solution, as_json: bool) -> str:
    """Return the line of a position in the output."""
    report = report_of(game, solution, solution.nodes, solution.seconds, None)
    if not as_json:
        return f"{name}: {headline(report, game.to_move)}"
    found = {"winner": report.winner, "length": report.length, "line": report.line, "nodes": report.nodes}
    return json.dumps({"position": name, **found})
