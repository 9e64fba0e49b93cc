"""gtp-capture check-proof: verify a proof by the rules alone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ..go.game import Game
from ..go.rules import Rules
from ..go.vertex import COLOR_NAMES, parse_color
from ..go.words import counted
from ..solver.proofs.format import INFERENCES, KEYS, ProofError, ProofMemoryError, read_proof
from ..solver.proofs.manifest import PART_INFERENCES, is_manifest, read_manifest
from ..util.executor import ExecutorFactory, executor, run_jobs
from ..util.files import UnreadableError
from ..util.memory import MEBIBYTE
from .files import check_outputs, read_book, write_book
from .options import Unusable, jobs_option, refuse, scheduler_option
from .progress import counting

if TYPE_CHECKING:
    from ..solver.proofs.checker import Counts

FIELDS: Final = {
    "width": int, "height": int, "rules": str, "black": list, "white": list, "to_move": str, "winner": str,
    "inferences": list,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The options of the command."""

    file: Path
    memory: int
    jobs: int
    scheduler: str | None
    book: Path | None
    turns: int
    add: bool

    @property
    def in_processes(self) -> bool:
        """Whether several processes check."""
        return self.jobs > 1 or self.scheduler is not None

    def check(self, context: click.Context) -> None:
        """UsageError: an option has no effect. Unusable: the book cannot be written."""
        if self.book is None:
            refuse(context, ("turns", "add"), "without --write-book")
        if self.scheduler is not None:
            refuse(context, ("jobs",), "with --scheduler")
        check_outputs([self.book], [self.file])


@dataclass(frozen=True, slots=True)
class Checked:
    """A proof that holds."""

    game: Game
    winner: int
    counts: Counts
    parts: int = 0
    """0 if it is in one file."""
    kept: Any = None
    """The positions of the winner's first turns, see `checker.Checker.kept`."""

    def text(self) -> str:
        """Return what is proven, and how."""
        game, counts = self.game, self.counts
        parts = f", {counted(self.parts, 'part')}" if self.parts else ""
        return (
            f"{game.rules}, {game.width}x{game.height}, {COLOR_NAMES[game.to_move]} to move: "
            f"{COLOR_NAMES[self.winner]} wins; {counted(counts.choices, 'choice')}, "
            f"{counted(counts.replies, 'reply', 'replies')}, {counted(counts.captures, 'capture')}{parts}"
        )


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--memory", type=click.IntRange(1, 1_000_000), default=4096, show_default=True, help="Maximum MiB for each process."
)
@jobs_option("Parts at a time on this machine.")
@scheduler_option("Check the parts")
@click.option(
    "--write-book",
    "book",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a book of the proof's first turns.",
)
@click.option(
    "--turns", type=click.IntRange(1, 64), default=5, show_default=True, help="Turns of the winner in the book."
)
@click.option("--add", is_flag=True, help="Keep the other positions of the book.")
@click.pass_context
def check_proof(context: click.Context, /, **values: Any) -> None:
    """Verify a proof by the rules alone; exit code 2 if it fails.

    FILE is a proof that `solve --proof` has written, or the manifest of a proof in parts. Every process that checks a
    part reads it at the same path.
    """
    began = time.monotonic()
    options = CheckOptions(**values)
    options.check(context)
    book = options.book
    older = read_book(book) if options.add and book is not None else []
    with _failures_in_one_line(options.file):
        checked = _checked(options)
    click.echo(f"the proof holds: {checked.text()}, {time.monotonic() - began:.1f} s")
    if book is not None:
        # Imported here, because a check without a book does not need the solver.
        from ..books.writer import lines_of_proof

        game = checked.game
        write_book(book, [*lines_of_proof(checked.kept, game.width, game.height, checked.winner), *older])


def _checked(options: CheckOptions) -> Checked:
    """Check the proof, in one file or in parts. ValueError: it fails. Unusable: the options do not fit it."""
    file, memory = options.file, options.memory * MEBIBYTE
    turns = options.turns if options.book is not None else 0
    if not is_manifest(file):
        if options.in_processes:
            raise Unusable("--jobs and --scheduler are for a proof in parts")
        return check_file(file, memory, turns)
    make_executor = partial(executor, options.jobs, options.scheduler) if options.in_processes else None
    return check_parts(file, memory, make_executor, turns)


@contextmanager
def _failures_in_one_line(file: Path) -> Iterator[None]:
    """Raise Unusable for the errors of a check."""
    try:
        yield
    except UnreadableError as error:
        raise Unusable(f"{file}: {error}") from None
    except ProofMemoryError as error:
        raise Unusable(f"the proof was not checked: {error}") from None
    except ValueError as error:
        raise Unusable(f"the proof fails: {error}") from None
    except MemoryError:
        raise Unusable("not enough memory") from None


def check_file(file: Path, memory: int, turns: int = 0) -> Checked:
    """Check a proof in one file, and keep the positions of the winner's first turns. ValueError: it fails."""
    from ..solver.proofs.checker import Checker, stones_of

    claim, chunks = read_proof(file)
    game, winner = _claimed(claim, INFERENCES)
    checker = Checker(game.width, game.height, winner, memory, _stones(game, turns))
    checker.enter(stones_of(game.board, winner), game.to_move == winner)
    with counting("choices") as count, closing(chunks):
        for counts in checker.check(chunks):
            count(counts.choices)
        checker.end(chunks)
    return Checked(game, winner, checker.counts, kept=checker.kept)


def check_parts(file: Path, memory: int, make_executor: ExecutorFactory | None, turns: int = 0) -> Checked:
    """Check a proof in parts as `check_file` does, in other processes if there is an executor. ValueError: it fails."""
    import numpy as np

    from ..solver.proofs.checker import Checker, stones_of
    from ..solver.proofs.parts_checker import PartResult, check_part, join, part_jobs

    manifest = read_manifest(file)
    if manifest.claim.keys() != set(KEYS):
        raise ProofError(f"claim is not an object of {', '.join(KEYS)}")
    game, winner = _claimed(manifest.claim, PART_INFERENCES)
    board = game.width, game.height, winner
    root = Checker(*board, memory)
    jobs = part_jobs(manifest, file.absolute().parent, board, memory, _stones(game, turns))
    results: dict[str, PartResult] = {}
    ended = (
        ((job, check_part(job)) for job in jobs) if make_executor is None else run_jobs(make_executor, check_part, jobs)
    )
    with counting("choices") as count, closing(ended):
        for job, result in ended:
            if result.failure is not None:
                kind = ProofMemoryError if result.memory_exceeded else ProofError
                raise kind(f"{job.part.file}: {result.failure}")
            results[job.part.file] = result
            count(sum(result.counts.choices for result in results.values()))
    root.enter(stones_of(game.board, winner), game.to_move == winner)
    kept = np.concatenate([root.kept, *(results[job.part.file].kept for job in jobs)])
    return Checked(game, winner, join(root, jobs, results.values()), len(jobs), kept)


def _stones(game: Game, turns: int) -> int:
    """Return the number of stones that no position of the winner's first turns has."""
    return game.width * game.height - int(game.board.empties) + 2 * turns if turns else 0


def _claimed(claim: dict[str, Any], inferences: tuple[str, ...]) -> tuple[Game, int]:
    """Return the position and the winner of a claim.

    ValueError: a field of another type than `solve` writes, an inference that this checker does not make, or values
    that do not form a position of first capture.
    """
    for name, kind in FIELDS.items():
        if type(claim[name]) is not kind:  # a bool is an int, and a float may be infinite
            raise ValueError(f"{name} is of a wrong type")
    if claim["inferences"] != list(inferences):
        raise ValueError(f"inferences are not {', '.join(inferences)}")
    rules = Rules.parse(claim["rules"])
    if not rules.won_by(1) or rules.free_pass:
        raise ValueError(f"{claim['rules']} is not first capture")
    game = Game(rules, (claim["width"], claim["height"]))
    for color in COLOR_NAMES.values():
        if not all(isinstance(vertex, str) for vertex in claim[color]):
            raise ValueError(f"{color} has something else than vertices")
    for name in ("to_move", "winner"):
        if claim[name] not in COLOR_NAMES.values():
            raise ValueError(f"{name} is neither black nor white")
    stones = [[game.point(vertex) for vertex in claim[color]] for color in ("black", "white")]
    game.setup_points(stones[0], stones[1], parse_color(claim["to_move"]))
    return game, parse_color(claim["winner"])
