"""gtp-capture review: judge the moves of games, and print what it finds or write annotated SGF."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Event
from typing import Final

import click

from ..go.rules import Rules
from ..go.sgf_tree import dump_trees
from ..jit.warmup import Warmup
from ..players.player import all_cores
from ..teach import words
from ..teach.review.annotate import annotate
from ..teach.review.judge import EXTRA
from ..teach.review.plot import MOST_GAMES, plot
from ..teach.review.work import Entry, Resources, read_games, review_here, review_in_processes
from ..util.figures import check
from ..util.files import RequestError, escaped, warn
from ..util.memory import MEBIBYTE
from ..util.signals import on_signals
from .files import check_outputs, remark, tell_replaced, unwritable, write
from .options import OUTPUT, exit_with, file_rules_option, finite, jobs_option, language_option
from .progress import bar

SECONDS: Final = 1.0
MEMORY: Final = 256
"""MiB for each job."""
UNREADABLE: Final = 1
"""Exit code if a game could not be reviewed to its end, but another one could."""


@click.command(
    help="""Judge every move of the games in SGF files; with -o write them with marks, comments and better moves.

    Without -o the remarks are printed. Comments, marks and variations that are in a file stay. Reviewing a reviewed
    file adds nothing twice. ^C keeps what is judged so far; with --jobs that is all finished games.
    """,
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(readable=False, path_type=Path))
@click.option("-o", "--output", type=OUTPUT, help="The annotated games, as one SGF file.")
@file_rules_option
@click.option(
    "--seconds-per-move",
    type=click.FloatRange(min=0, min_open=True),
    callback=finite,
    default=SECONDS,
    help=f"Maximum seconds for each move; on small boards {EXTRA} times as many for a move that may be a mistake.",
)
@jobs_option()
@click.option("--plot", "plot_file", type=OUTPUT, help="Plot the win rate to an SVG or PNG file.")
@click.option("--for-child", is_flag=True, help="Print a few plain sentences for each game; the file is the same.")
@language_option
def review(
    files: tuple[Path, ...],
    output: Path | None,
    rules: Rules | None,
    seconds_per_move: float,
    jobs: int,
    plot_file: Path | None,
    for_child: bool,
    language: str,
) -> None:
    check_outputs([output, plot_file], files)
    if plot_file is not None:
        check(plot_file)
    entries = list(_entries(files, rules))
    playable = _playable(entries)
    if plot_file is not None and len(playable) > MOST_GAMES:
        raise click.UsageError(f"--plot draws at most {MOST_GAMES} games, not {len(playable)}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM stops the review as ^C does
    stopped = _review(playable, jobs, seconds_per_move)
    voice = words.Voice(language=language)
    _write(entries, output, plot_file, voice)
    for entry in playable:
        if entry.review is not None:
            label, plain = escaped(entry.label), words.for_child(entry.review, voice) if for_child else ""
            if output is not None:
                click.echo(f"{label}: {plain or words.headline(entry.review, voice)}")
            else:
                click.echo("\n".join([label, *([plain] if plain else words.file_lines(entry.review, voice)), ""]))
    if stopped:
        judged = sum(entry.review.judged for entry in playable if entry.review is not None)
        moves = sum(len(entry.game.moves) for entry in playable if entry.game is not None)
        written = "" if output is None else f", written to {output}"
        warn(f"stopped: {judged} of {moves} moves judged{written}")
        exit_with(130)
    if any(entry.problem for entry in entries):
        exit_with(UNREADABLE)


def _playable(entries: list[Entry]) -> list[Entry]:
    """Return the entries that have a game, and warn of each problem. RequestError: there is no game."""
    playable = [entry for entry in entries if entry.game is not None]
    for entry in entries:
        if entry.problem and (playable or entry is not entries[-1]):
            rest = "this game is not reviewed" if entry.game is None else "the game is reviewed up to there"
            warn(f"{entry.label}: {entry.problem}; {rest}" if playable else f"{entry.label}: {entry.problem}")
    if not playable:
        raise RequestError(f"{entries[-1].label}: {entries[-1].problem}")
    return playable


def _entries(files: Iterable[Path], rules: Rules | None) -> Iterator[Entry]:
    """Yield the games of all files, and say what is unusual in them."""
    for file in files:
        named: set[Rules | None] = set()
        for entry in read_games(file, rules):
            named.add(entry.named)
            for line in entry.notices:
                remark(entry.label, line)
            yield entry
        tell_replaced(str(file), named, rules)


def _review(entries: list[Entry], jobs: int, seconds: float) -> bool:
    """Review the games, in this process or in several; return whether ^C ended the review early.

    After ^C the current game of this process is judged in part; of several processes only finished games are kept.
    """
    jobs = min(jobs, len(entries))
    resources = Resources(seconds, MEMORY * MEBIBYTE, max(1, all_cores() // jobs))
    positions = sum(len(entry.game.moves) + 1 for entry in entries if entry.game is not None)
    stop, warmup = Event(), Warmup(warn)
    with bar(positions, "positions") as advance:
        try:
            if jobs > 1:
                review_in_processes(entries, resources, jobs, advance)
            else:
                with on_signals(stop.set, signal.SIGINT, signal.SIGTERM):
                    review_here(entries, resources, warmup, stop, advance)
        except KeyboardInterrupt:
            return True
        finally:
            warmup.stop()
    return stop.is_set()


def _write(entries: list[Entry], output: Path | None, plot_file: Path | None, voice: words.Voice) -> None:
    """Write all games as one collection, and the plot, each if it is wanted. RequestError: a file cannot be written."""
    if output is not None:
        for entry in entries:
            if entry.review is not None and entry.tree is not None:
                annotate(entry.tree, entry.review, voice)
        write(output, dump_trees([entry.tree for entry in entries if entry.tree is not None]))
    if plot_file is not None:
        try:
            if drawn := [(escaped(entry.label), entry.review) for entry in entries if entry.review is not None]:
                plot(drawn, plot_file, voice)
        except OSError as error:
            raise unwritable(plot_file, error) from None
