"""gtp-capture puzzles: problems in which exactly one play wins, as SGF and as a printable sheet."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import click

from ..go import board as bd
from ..go.rules import DEFAULT as DEFAULT_RULES
from ..go.rules import Rules
from ..go.words import counted
from ..players.player import all_cores
from ..solver.result import why_unsupported
from ..teach.puzzles import files
from ..teach.puzzles.examiner import ProblemError
from ..teach.puzzles.find import GAMES_EACH, Request, Search, graded_again
from ..teach.puzzles.problem import Problem
from ..teach.puzzles.sheet import PER_PAGE, answer_sheet
from ..teach.puzzles.sheet import sheet as sheet_of
from ..teach.puzzles.theme import THEMES
from ..teach.words import Voice
from ..util.files import RequestError, warn
from ..web.file.page import Content
from .files import check_new_folder, check_outputs, problems_of, tell_written, unwritable, write
from .homework import write_file
from .options import OUTPUT, RULES, SIZE, exit_with, jobs_option, languages_option, refuse
from .progress import counting

NO_ANSWERS: Final = "none"
"""The value of --answers that leaves the answers out."""
FROM: Final = f"Problems of a file or folder, `{files.SHIPPED}`, or `{files.TUTORIAL}` for the rule texts; no search."
BOARD: Final = (5, 5)
COUNT: Final = 20
DEPTH: Final = 2


@dataclass(frozen=True, slots=True)
class PuzzlesOptions:
    """The options of the command."""

    size: tuple[int, int] | None
    rules: Rules | None
    depth: int | None
    theme: str | None
    count: int | None
    seed: int
    games: int | None
    jobs: int | None
    source: str | None
    grade: bool
    output: str | None
    sheet: Path | None
    web: Path | None
    per_page: str
    title: str
    answers: str | None
    is_open: bool
    languages: tuple[str, ...]

    def check(self) -> None:
        """Check the options before any work: the search may take minutes. UsageError, RequestError: the reason."""
        if self.output is None and self.sheet is None and self.web is None:
            raise click.UsageError("give -o FILE for SGF, --sheet FILE for a page to print, or --web FILE for home")
        if len(self.languages) > 1 and (self.web is None or self.output is not None or self.sheet is not None):
            raise click.UsageError("several languages are possible in a file of --web alone")
        if self.grade and self.source is None:
            raise click.UsageError("--grade needs --from FILE: problems that are found are graded in any case")
        if self.source == "":
            raise click.UsageError("--from needs the name of a file, or of a collection")
        if self.source is not None:
            refuse(("games", "jobs", "seed"), "with --from, which searches no games")
        if self.sheet is None:
            refuse(("per_page", "answers"), "without --sheet")
            if self.web is None:
                refuse(("title",), "without --sheet or --web")
        output = Path(self.output) if self.output is not None else None
        inputs = [Path(self.source)] if self.source is not None and self.source not in files.COLLECTIONS else []
        check_outputs([output, self.sheet, self.answer_file, self.web], inputs)
        check_new_folder(output)

    @property
    def answer_file(self) -> Path | None:
        """The file for the answers. None: there are no answers, or they are the last pages of the sheet."""
        return None if self.answers in (None, NO_ANSWERS) else Path(self.answers)

    def fits(self, problem: Problem) -> bool:
        """Whether a problem has the size, rules, depth and theme that are given."""
        start = problem.start
        return (
            self.size in (None, (start.width, start.height))
            and self.rules in (None, start.rules)
            and self.depth in (None, problem.depth)
            and self.theme in (None, problem.theme)
            and (start.is_open or not self.is_open)
        )


@click.command(
    help="""Make problems from games of the levels: exactly one play wins, at each turn of the solution.

    The solver proves every problem. The same seed makes the same problems, with any number of processes. With --from,
    problems are read, and --size, --depth, --theme and --open select; --rules replaces the rules of a file, and
    selects among those of this program. If too few are found, a file of a folder cannot be read, or --grade leaves a
    problem out because its solution is not proven, the others are written, and the exit code is 1.
    """,
)
@click.option("--size", type=SIZE, help="Board size: 5 or 6x5.  [default: 5]")
@click.option("--rules", type=RULES, help=f"A preset where captures win.  [default: {DEFAULT_RULES}]")
@click.option("--depth", type=click.IntRange(1, 9), help=f"Moves of the winner.  [default: {DEPTH}]")
@click.option(
    "--theme", type=click.Choice(list(THEMES)), help="Only problems of this theme; those without a theme are left out."
)
@click.option("--open", "is_open", is_flag=True, help="Only problems in which stones take at most half of the points.")
@click.option("--count", type=click.IntRange(1, 10_000), help=f"Problems at most.  [default: {COUNT}; --from: all]")
@click.option("--seed", type=click.IntRange(min=0), default=1, help="Seed of the games searched.")
@click.option("--games", type=click.IntRange(1), help=f"Games to search at most.  [default: {GAMES_EACH} a problem]")
@jobs_option("Processes.  [default: one for each core]", None)
@click.option("--from", "source", metavar="FILE", help=FROM)
@click.option("--grade", is_flag=True, help="Prove and grade the problems of --from again, and sort them.")
@click.option("-o", "--output", metavar="FILE", help="SGF file; for a folder or a name that ends in /, one for each.")
@click.option("--sheet", type=OUTPUT, help="HTML file to print.")
@click.option("--web", type=OUTPUT, help="HTML file for home: problems to solve by tapping.")
@click.option(
    "--per-page", type=click.Choice([str(number) for number in PER_PAGE]), default="6", help="Problems on a page."
)
@click.option(
    "--title",
    default="",
    callback=lambda context, param, value: value.encode(errors="replace").decode(),  # a page is UTF-8
    show_default=False,
    metavar="TEXT",
    help="Title of the sheet or page.  [default: Problems]",
)
@click.option(
    "--answers",
    metavar="FILE",
    help=f"HTML file for the answers, or `{NO_ANSWERS}`.  [default: the last pages of the sheet]",
)
@languages_option
def puzzles(**values: Any) -> None:
    options = PuzzlesOptions(**values)
    options.check()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM keeps what is found, as ^C does
    selection = _searched(options) if options.source is None else _selected(options)
    is_whole = not selection.problems or _write(selection.problems, options)
    for line in selection.unproven:
        warn(f"{options.source}: {line}")
    if selection.stopped:
        written = f", written to {options.output or options.sheet or options.web}" if selection.problems else ""
        warn(f"stopped: {selection.stopped}{written}")
        exit_with(130)
    if selection.unproven:
        exit_with(1)
    if len(selection.problems) < selection.wanted:
        missing = f"{len(selection.problems)} of {selection.wanted} problems found"
        none = options.count is None and options.source
        warn("no such problem" if none else missing)
    if len(selection.problems) < selection.wanted or not selection.whole or not is_whole:
        exit_with(1)


@dataclass(frozen=True, slots=True)
class Selection:
    """The problems to write, and the reasons if some are missing."""

    problems: list[Problem]
    wanted: int
    """The least number of problems with which nothing is missing."""
    stopped: str = ""
    """The state of the work when ^C ended it; empty if the work was done."""
    whole: bool = True
    """Whether every file was read."""
    unproven: Sequence[str] = ()
    """A line for each problem that is left out because its solution is not proven."""


def _selected(options: PuzzlesOptions) -> Selection:
    """Return the problems of --from that fit, with --grade proven and graded again; ^C leaves the others unchanged.

    RequestError: a file cannot be read.
    """
    source, wanted = files.SHIPPED if options.source is None else options.source, options.count or 1
    own = source in files.COLLECTIONS
    read, whole = (files.shipped(source), True) if own else problems_of(Path(source), options.rules)
    fitting = [(n, problem) for n, problem in enumerate(read, 1) if options.fits(problem)][: options.count]
    if not options.grade:
        return Selection([problem for _, problem in fitting], wanted, whole=whole)
    problems: list[Problem] = []
    unproven: list[str] = []
    done = 0
    try:
        with counting("problems") as show:
            for done, (number, problem) in enumerate(fitting):
                show(done)
                try:
                    problems.append(graded_again(problem))
                except ProblemError as error:
                    unproven.append(f"problem {number} is left out: {error}")
            done = len(fitting)
    except KeyboardInterrupt:
        pass
    problems = sorted([*problems, *(problem for _, problem in fitting[done:])], key=Problem.sort_key)
    problems = [replace(problem, number=0) for problem in problems]  # a new order has new numbers
    stopped = f"{done} of {len(fitting)} problems graded" if done < len(fitting) else ""
    return Selection(problems, wanted, stopped, whole, unproven)


def _searched(options: PuzzlesOptions) -> Selection:
    """Search games for problems; ^C keeps what is found. RequestError: no solver for this board or rules."""
    rules, size = options.rules or Rules.parse(DEFAULT_RULES), options.size or BOARD
    reason = why_unsupported(rules, bd.new(*size))
    if reason is not None:
        raise RequestError(reason)
    request = Request(rules, *size, options.depth or DEPTH, options.seed, options.theme or "", options.is_open)
    wanted, interrupted = options.count or COUNT, False
    search = Search(request, wanted, options.games or GAMES_EACH * wanted, options.jobs or all_cores())
    try:
        with counting("games") as show:
            show(0, "0 problems")
            search.run(lambda games, problems: show(games, f"{problems} problems"))
    except KeyboardInterrupt:
        interrupted = True
    problems = search.sorted()
    missing = f"{len(problems)} of {wanted} problems found"
    return Selection(problems, wanted, missing if interrupted and len(problems) < wanted else "")


def _write(problems: Sequence[Problem], options: PuzzlesOptions) -> bool:
    """Write SGF, the sheet, the answers and the file for home; return whether no problem was left out there.

    RequestError: a file cannot be written.
    """
    output, sheet, answers = options.output, options.sheet, options.answer_file
    voice = Voice(language=options.languages[0])
    path = None if output is None else Path(output)
    if path is not None and output is not None:
        try:
            files.write(path, problems, output.endswith(("/", "\\")) or path.is_dir(), voice)
        except OSError as error:
            raise unwritable(path, error) from None
    if sheet is not None:
        page = sheet_of(problems, int(options.per_page), options.title, answers=options.answers is None, voice=voice)
        write(sheet, page.encode())
    if answers is not None:
        write(answers, answer_sheet(problems, voice).encode())
    tell_written(counted(len(problems), "problem"), path, sheet, answers)
    if options.web is None:
        return True
    return write_file(Content(problems=problems, title=options.title, languages=options.languages), options.web)
