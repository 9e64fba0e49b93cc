"""gtp-capture review: judge the moves of games, and print what it finds or write annotated SGF."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any, Final

import click

from ..go.rules import DEFAULT as DEFAULT_RULES
from ..go.rules import Rules
from ..go.sgf_tree import dump_trees
from ..jit.warmup import Warmup
from ..players.player import all_cores
from ..teach.review.annotate import annotate
from ..teach.review.judge import EXTRA
from ..teach.review.plot import MOST_GAMES, plot
from ..teach.review.reviewed import Review
from ..teach.review.work import Entry, Resources, read_games, review_here, review_in_processes
from ..teach.words import file_lines, for_child, headline
from ..util.atomic_file import atomic_write
from ..util.figures import check
from ..util.files import RequestError, escaped
from ..util.memory import MEBIBYTE
from .files import check_outputs, tell, tell_replaced
from .options import RULES, OutputPath, finite, jobs_option
from .progress import bar, interruptible

SECONDS: Final = 1.0
MEMORY: Final = 256
"""MiB for each job."""
UNREADABLE: Final = 1
"""Exit code if a game could not be reviewed, or not to its end, but others were."""


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """The options of the command."""

    files: tuple[Path, ...]
    output: Path | None
    rules: Rules | None
    seconds_per_move: float
    jobs: int
    plot_file: Path | None
    for_child: bool

    def check(self) -> None:
        """UsageError or RequestError: a file would be overwritten, or cannot be written or drawn."""
        for target in (self.output, self.plot_file):
            if target is not None and target.is_dir():
                raise RequestError(f"{target} cannot be written: it is a folder")
        check_outputs([self.output, self.plot_file], self.files)
        if self.plot_file is not None:
            check(self.plot_file)


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=OutputPath(), help="The annotated games, as one SGF file.")
@click.option(
    "--rules",
    type=RULES,
    help=f"Instead of the rules of the files.  [default: the file's, or {DEFAULT_RULES}]",
)
@click.option(
    "--seconds-per-move",
    type=click.FloatRange(min=0, min_open=True),
    callback=finite,
    default=SECONDS,
    show_default=True,
    help=f"Maximum seconds for each move; on small boards {EXTRA} times as many for a move that may be a mistake.",
)
@jobs_option()
@click.option("--plot", "plot_file", type=OutputPath(), help="Plot the win rate to an SVG or PNG file.")
@click.option("--for-child", is_flag=True, help="Print a few plain sentences for each game; the file is the same.")
@click.pass_context
def review(context: click.Context, /, **values: Any) -> None:
    """Judge every move of the games in SGF files; with -o write them with marks, comments and better moves.

    Without -o the remarks are printed. Comments, marks and variations that are in a file stay. Reviewing a reviewed
    file adds nothing twice. ^C keeps what is judged so far; with --jobs that is all finished games.
    """
    options = ReviewOptions(**values)
    with _errors_in_one_line(options.output):
        options.check()
    entries = list(_entries(options))
    playable = [entry for entry in entries if entry.game is not None]
    problems = [f"{entry.label}: {entry.problem}" for entry in entries if entry.game is None]
    if not playable:
        *others, last = problems
        for problem in others:
            _warn(problem)
        raise RequestError(last)
    if options.plot_file is not None and len(playable) > MOST_GAMES:
        raise click.UsageError(f"--plot draws at most {MOST_GAMES} games, not {len(playable)}")
    for entry in entries:
        if entry.problem:
            rest = "this game is not reviewed" if entry.game is None else "the game is reviewed up to there"
            _warn(f"{entry.label}: {entry.problem}; {rest}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM stops the review as ^C does
    stopped = _review(playable, options)
    _write(entries, options)
    for entry in playable:
        if entry.review is not None:
            click.echo(_said(entry.label, entry.review, options))
    if stopped:
        judged = sum(entry.review.judged for entry in playable if entry.review is not None)
        moves = sum(len(entry.game.moves) for entry in playable if entry.game is not None)
        written = "" if options.output is None else f", written to {options.output}"
        _warn(f"stopped: {judged} of {moves} moves judged{written}")
        context.exit(130)
    if any(entry.problem for entry in entries):
        context.exit(UNREADABLE)


def _said(label: str, review: Review, options: ReviewOptions) -> str:
    """Return what is printed about a game: a line if there is a file, else its name and all remarks."""
    if options.output is not None:
        return escaped(f"{label}: ") + (for_child(review) if options.for_child else headline(review))
    return "\n".join([escaped(label), *([for_child(review)] if options.for_child else file_lines(review)), ""])


def _entries(options: ReviewOptions) -> Iterator[Entry]:
    """Yield the games of all files, and say what is unusual in them."""
    for file in options.files:
        named: set[Rules | None] = set()
        for entry in read_games(file, options.rules):
            named.add(entry.named)
            for line in entry.notices:
                tell(entry.label, line)
            yield entry
        tell_replaced(str(file), named, options.rules)


def _review(entries: list[Entry], options: ReviewOptions) -> bool:
    """Review the games, here or in several processes; return whether ^C ended it early.

    Here, the game in work is then judged in part; of several processes the finished games are kept.
    """
    jobs = min(options.jobs, len(entries))
    resources = Resources(options.seconds_per_move, MEMORY * MEBIBYTE, max(1, all_cores() // jobs))
    positions = sum(len(entry.game.moves) + 1 for entry in entries if entry.game is not None)
    stop, warmup = Event(), Warmup(_warn)
    with bar(positions, "positions") as advance:
        try:
            if jobs > 1:
                review_in_processes(entries, resources, jobs, advance)
            else:
                with interruptible(stop, signal.SIGTERM):
                    review_here(entries, resources, warmup, stop, advance)
        except KeyboardInterrupt:
            return True
        finally:
            warmup.stop()
    return stop.is_set()


def _write(entries: list[Entry], options: ReviewOptions) -> None:
    """Write all games as one collection, and the plot, if they are wanted. RequestError: a file cannot be written."""
    if options.output is not None:
        trees = [entry.tree for entry in entries if entry.tree is not None]
        for entry in entries:
            if entry.review is not None and entry.tree is not None:
                annotate(entry.tree, entry.review)
        with _errors_in_one_line(options.output), atomic_write(options.output) as file:
            file.write(dump_trees(trees))
    if options.plot_file is not None:
        drawn = [(escaped(entry.label), entry.review) for entry in entries if entry.review is not None]
        if drawn:
            with _errors_in_one_line(options.plot_file):
                plot(drawn, options.plot_file)


@contextmanager
def _errors_in_one_line(path: Path | None) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RequestError(f"{path or error.filename}: {error.strerror or error}") from None


def _warn(text: str) -> None:
    print(f"gtp-capture: {escaped(text)}", file=sys.stderr, flush=True)
