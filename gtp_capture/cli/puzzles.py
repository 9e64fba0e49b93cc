"""gtp-capture puzzles: problems in which exactly one play wins, as SGF and as a printable sheet."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ..go.rules import DEFAULT as DEFAULT_RULES
from ..go.rules import Rules
from ..teach.puzzles.theme import THEMES
from ..util.atomic_file import atomic_write
from ..util.executor import ExecutorError
from ..util.files import escaped
from .files import check_outputs, sgf_files
from .options import OutputPath, RulesType, SizeType, Unusable, jobs_option, refuse
from .progress import counting

if TYPE_CHECKING:
    from ..teach.puzzles.find import Request
    from ..teach.puzzles.problem import Problem

SHIPPED: Final = "shipped"
"""The value of --from that stands for the collection of this program."""
GAMES_EACH: Final = 300
"""Games to search for each problem."""
SIZE: Final = (5, 5)
COUNT: Final = 20
DEPTH: Final = 2


@click.command()
@click.option("--size", type=SizeType(), help="Board size: 5 or 6x5.  [default: 5]")
@click.option("--rules", type=RulesType(), help=f"A preset where captures win.  [default: {DEFAULT_RULES}]")
@click.option("--depth", type=click.IntRange(1, 9), help=f"Plays of the winner.  [default: {DEPTH}]")
@click.option(
    "--theme",
    type=click.Choice(list(THEMES)),
    help="Only problems of this theme; those without a theme are left out.",
)
@click.option("--count", type=click.IntRange(1, 10_000), help=f"Problems at most.  [default: {COUNT}; --from: all]")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of the games searched.")
@click.option("--games", type=click.IntRange(1), help=f"Games to search at most.  [default: {GAMES_EACH} a problem]")
@jobs_option("Processes.")
@click.option("--from", "source", metavar="FILE", help=f"Problems of a file or folder, or `{SHIPPED}`; no search.")
@click.option("--grade", is_flag=True, help="Prove and grade the problems of --from again, and sort them.")
@click.option("-o", "--output", metavar="FILE", help="SGF file; for a folder or a name that ends in /, one for each.")
@click.option("--sheet", type=OutputPath(), help="HTML file to print.")
@click.option("--per-page", type=click.Choice(["6", "12"]), default="6", show_default=True, help="Problems on a page.")
@click.pass_context
def puzzles(
    context: click.Context,
    size: tuple[int, int] | None,
    rules: Rules | None,
    depth: int | None,
    theme: str | None,
    count: int | None,
    seed: int,
    games: int | None,
    jobs: int,
    source: str | None,
    grade: bool,
    output: str | None,
    sheet: Path | None,
    per_page: str,
) -> None:
    """Find problems in games of the levels: exactly one play wins, at each turn of the solution.

    The solver proves every problem. With --from, problems are read, and --size, --depth and --theme select among them;
    --rules replaces the rules of a file, and selects among those of this program. If too few are found, a file of a
    folder cannot be read, or --grade leaves a problem out because its solution is not proven, the others are written,
    and the exit code is 1.
    """
    if output is None and sheet is None:
        raise click.UsageError("give -o FILE for SGF, --sheet FILE for a page to print, or both")
    if grade and source is None:
        raise click.UsageError("--grade needs --from FILE: problems that are found are graded in any case")
    if source is not None:
        refuse(context, ("games", "jobs", "seed"), "with --from, which searches no games")
    if sheet is None:
        refuse(context, ("per_page",), "without --sheet")
    _check_targets(Path(output) if output is not None else None, sheet, source)  # the search may take minutes
    stopped, whole, unproven = "", True, list[str]()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM keeps what is found, as ^C does
    if source is not None:
        from .lesson import problems_of

        read, whole = problems_of(None) if source == SHIPPED else problems_of(Path(source), rules)
        fitting = [(n, problem) for n, problem in enumerate(read, 1) if _fits(problem, size, rules, depth, theme)]
        fitting = fitting[:count]
        found, wanted = [problem for _, problem in fitting], count or 1
        if grade:
            found, done, unproven = _graded(fitting)
            stopped = f"{done} of {len(fitting)} problems graded" if done < len(fitting) else ""
    else:
        from ..teach.puzzles.find import Request

        request = Request(rules or Rules.parse(DEFAULT_RULES), *(size or SIZE), depth or DEPTH, seed, theme or "")
        wanted = count or COUNT
        found, interrupted = _search(request, wanted, games or GAMES_EACH * wanted, jobs)
        stopped = f"{len(found)} of {wanted} problems found" if interrupted else ""
    if found:
        _write(found, output, sheet, int(per_page))
    for line in unproven:
        click.echo(escaped(f"gtp-capture: {source}: {line}"), err=True)
    if stopped:
        click.echo(f"gtp-capture: stopped: {stopped}{f', written to {output or sheet}' if found else ''}", err=True)
        sys.exit(130)
    if unproven:
        sys.exit(1)
    if len(found) < wanted:
        missing = f"{len(found)} of {wanted} problems found"
        click.echo(f"gtp-capture: {'no such problem' if count is None and source else missing}", err=True)
    if len(found) < wanted or not whole:
        sys.exit(1)


def _check_targets(output: Path | None, sheet: Path | None, source: str | None) -> None:
    """Check that files can be written and nothing else is lost. Unusable: the reason."""
    check_outputs([output, sheet], [Path(source)] if source not in (None, SHIPPED) else [])
    if output is not None and output.is_dir() and sgf_files(output):
        raise Unusable(f"{output}: there are SGF files in this folder already; give an empty or new one")


def _search(request: Request, count: int, games: int, jobs: int) -> tuple[list[Problem], bool]:
    """Search for problems, and return whether ^C ended the search before it had found all.

    Unusable: no verdicts for this board or rules.
    """
    from ..teach.puzzles.find import Search
    from ..teach.puzzles.judge import why_unsupported

    reason = why_unsupported(request.rules, request.width, request.height)
    if reason is not None:
        raise Unusable(reason)
    search, interrupted = Search(request, count, games, jobs), False
    try:
        with counting("games") as show:
            show(0, "0 problems")
            search.run(lambda games, found: show(games, f"{found} problems"))
    except KeyboardInterrupt:
        interrupted = True
    except ExecutorError as error:
        raise Unusable(str(error)) from None
    found = search.sorted()
    return found, interrupted and len(found) < count


def _graded(problems: list[tuple[int, Problem]]) -> tuple[list[Problem], int, list[str]]:
    """Prove and grade problems, which have numbers, again; ^C leaves the rest as they are.

    Return the problems that are left, how many were graded, and a line for each that is left out.
    """
    from ..teach.puzzles.find import UnprovenError, graded_again
    from ..teach.puzzles.problem import Problem

    found: list[Problem] = []
    unproven: list[str] = []
    done = 0
    try:
        with counting("problems") as show:
            for done, (number, problem) in enumerate(problems):
                show(done)
                try:
                    found.append(graded_again(problem))
                except UnprovenError as error:
                    unproven.append(f"problem {number} is left out: {error}")
            done = len(problems)
    except KeyboardInterrupt:
        pass
    return sorted([*found, *(problem for _, problem in problems[done:])], key=Problem.sort_key), done, unproven


def _fits(
    problem: Problem, size: tuple[int, int] | None, rules: Rules | None, depth: int | None, theme: str | None
) -> bool:
    """Whether a problem has all that is given."""
    start = problem.start
    return (
        size in (None, (start.width, start.height))
        and rules in (None, start.rules)
        and depth in (None, problem.depth)
        and theme in (None, problem.theme)
    )


def _write(problems: list[Problem], output: str | None, sheet: Path | None, per_page: int) -> None:
    """Write SGF and the sheet. Unusable: they cannot be written."""
    from ..teach.puzzles import files
    from ..teach.puzzles.sheet import sheet as sheet_of

    try:
        if output is not None:
            path = Path(output)
            files.write(path, problems, folder=output.endswith(("/", "\\")) or path.is_dir())
        if sheet is not None:
            with atomic_write(sheet) as file:
                file.write(sheet_of(problems, per_page).encode())
    except OSError as error:
        raise Unusable(f"{error.filename or output or sheet}: {error.strerror}") from None
