"""A rating table of all engines that are installed: `python -m tests.benchmarks.ratings --results DIR`.

The engines are those of ratings.toml and of the files given by --engines. Each meets the --span next ones in that
order, so the table is connected without games between very unequal engines. Each opening (random plays that leave both
sides a chance) is played twice, with colours exchanged. Our referee decides. Elo ratings are maximum-likelihood
estimates of the Bradley-Terry model with their 95 % intervals.

There is one results file for each pair, in the format of gogui-twogtp, to which each game is appended when it ends. A
run continues with the games in the folder: after an interruption, with more games, or with more engines.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.progress import track

from gtp_capture.cli.match import opening_kind
from gtp_capture.cli.options import RULES, SIZE
from gtp_capture.go.rules import Rules
from gtp_capture.match.entrants import Entrant, is_label, probe, properties
from gtp_capture.match.games import SEED, Contender, Fixture, Match, play
from gtp_capture.match.openings import of_kind
from gtp_capture.match.ratings import Score, bradley_terry
from gtp_capture.match.referee import Conditions
from gtp_capture.match.report import Report, report
from gtp_capture.match.results import Results
from gtp_capture.match.rows import Row
from gtp_capture.util.executor import executor, run_jobs
from gtp_capture.util.files import RequestError

FILE: Final = Path(__file__).with_suffix(".toml")
GAMES_FOLDER: Final = "/usr/games"
"""Where Debian installs games; not in the path of every user."""
KINDS: Final = {"capture": (True,), "go": (False,), "all": (True, False)}
"""Whether the rules may be those of a capture game."""
PROCESSES: Final = ("warm", "fresh")
BLOCK: Final = 10
"""Games of a pair that are played one after another: a warm process begins the first of them as a new one."""


class EnginesError(ValueError):
    """An engines file is invalid; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An engine of the file; the fields are described there."""

    name: str
    command: str
    games: str = "all"
    captures: int | None = None
    seconds: tuple[float, ...] = ()
    processes: tuple[str, ...] = ("warm",)
    needs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.command, str) or not _words(self.command):
            raise EnginesError(f"{self.name}: command must be a text with a program")
        if self.games not in KINDS:
            raise EnginesError(f"{self.name}: games must be {', '.join(KINDS)}")
        if not set(self.processes) <= set(PROCESSES) or not self.processes:
            raise EnginesError(f"{self.name}: processes must be of {', '.join(PROCESSES)}")
        if ("{seconds}" in self.command) != bool(self.seconds):
            raise EnginesError(f"{self.name}: give both `seconds` and {{seconds}} in the command, or neither")

    def suits(self, rules: Rules) -> bool:
        """Whether the engine can play these rules."""
        few = rules.captures is None or self.captures is None or rules.captures <= self.captures
        return rules.is_capture_game in KINDS[self.games] and few

    def missing(self) -> str | None:
        """Return the program or file that is not here; None if all are."""
        program = _words(self.command)[0]
        if _program(program) is None:
            return program
        return next((file for file in self.needs if not Path(file).exists()), None)

    def contenders(self, rules: Rules) -> Iterator[Contender]:
        """Yield one player for each time and kind of process."""
        program, *rest = _words(self.command)
        command = shlex.join([*(_program(program) or [program]), *rest])
        for seconds in self.seconds or (None,):
            for process in self.processes:
                name = self.name + ("" if seconds is None else f", {seconds:g} s")
                values = {"{rules}": str(rules), "{captures}": str(rules.captures), "{seconds}": f"{seconds or 0:g}"}
                yield Contender(*_of_process(name, _filled(command, values), process))


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise EnginesError(f"{command}: {error}") from None


def _program(name: str) -> list[str] | None:
    """Return the words that start a program; None if it is not installed."""
    if name == "gtp-capture":
        return [sys.executable, "-m", "gtp_capture"]
    found = shutil.which(name) or shutil.which(name, path=GAMES_FOLDER)
    return None if found is None else [found]


def _filled(command: str, values: Mapping[str, str]) -> str:
    return re.sub("|".join(map(re.escape, values)), lambda found: values[found[0]], command)


def _of_process(name: str, command: str, process: str) -> tuple[str, str]:
    """Return name and command for a kind of process: the match starts commands with {seed} anew for each game."""
    if process == "warm":
        return name, command.replace(SEED, "1")
    return f"{name}, fresh", command if SEED in command else f"env RATINGS_GAME={SEED} {command}"


def read_engines(path: Path) -> list[Entry]:
    """Return the engines of a file. EnginesError: it is invalid."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return [_entry(name, values) for name, values in table.items()]
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, EnginesError) as error:
        raise EnginesError(f"{path}: {error}") from None


def _entry(name: str, values: Any) -> Entry:
    """Make an entry of its table. EnginesError: a field is unknown, missing or of the wrong kind."""
    if not isinstance(values, dict) or not is_label(name):
        raise EnginesError(f"{name[:60]!r} is not a table with the name of an engine")
    given: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    try:
        return Entry(name, **given)
    except TypeError as error:
        raise EnginesError(f"{name}: {str(error).removeprefix('Entry.__init__() ')}") from None


def entrants(entries: Iterable[Entry], conditions: Conditions) -> Iterator[Entrant]:
    """Start every engine once and yield those that work; the others are left out with one line."""
    for entry in entries:
        if not entry.suits(conditions.rules):
            reason: str | None = f"does not play {conditions.rules}"
        else:
            missing = entry.missing()
            reason = f"{missing} is not here" if missing is not None else None
        if reason is None:
            try:
                yield from [probe(c.command, conditions, [], c.name) for c in entry.contenders(conditions.rules)]
            except RequestError as error:
                reason = str(error)
        if reason is not None:
            click.echo(f"left out: {entry.name}: {reason}", err=True)


def pairs(found: list[Entrant], span: int) -> list[tuple[Entrant, Entrant]]:
    """Return each engine with the next ones in the order of the file."""
    return [(a, b) for i, a in enumerate(found) for b in found[i + 1 : i + 1 + span]]


def file_of(folder: Path, pair: tuple[Entrant, Entrant]) -> Path:
    """Return the results file of a pair."""
    names = [re.sub(r"[^A-Za-z0-9.]+", "-", entrant.contender.name) for entrant in pair]
    return folder / f"{'--'.join(names)}.dat"


def opened(match: Match, pair: tuple[Entrant, Entrant], folder: Path) -> Results:
    """Open the results of a pair and read its games. RequestError: they are of another match."""
    results = Results(file_of(folder, pair), properties(match, list(pair), None), check=match.check)
    results.open(resume=True)
    return results


def play_job(matches: list[Match], job: tuple[int, Fixture]) -> Row:
    """Play one game of a match."""
    return play(matches[job[0]], job[1])


def play_missing(matches: list[Match], kept: list[Results], jobs: int) -> None:
    """Play the games without a row: BLOCK games of every match, then the next ones, and so on."""
    missing = [(i, f) for i, match in enumerate(matches) for f in match.fixtures() if f.game not in kept[i].rows]
    missing.sort(key=lambda job: (job[1].game // BLOCK, job[0]))
    with closing(run_jobs(partial(executor, jobs), partial(play_job, matches), missing)) as found:
        for (i, _), row in track(found, "games", len(missing), console=Console(stderr=True)):
            kept[i].add(row)


def play_or_stop(matches: list[Match], kept: list[Results], jobs: int) -> None:
    """Play the missing games until ^C."""
    try:
        play_missing(matches, kept, jobs)
    except KeyboardInterrupt:
        click.echo("stopped; the same command continues", err=True)


def table(reports: list[Report]) -> Iterator[str]:
    """Yield the lines of the rating table. RequestError: some engines have not met."""
    standings = [standing for one in reports for standing in one.standings]
    scores = {pair: score for one in reports for pair, score in one.scores.items()}
    names = list(dict.fromkeys(standing.name for standing in standings))
    yield "| engine | Elo | 95 % | points | as Black | as White | faults | slowest move, s |"
    yield "|---|---|---|---|---|---|---|---|"
    for rating in bradley_terry(names, scores):
        own = [standing for standing in standings if standing.name == rating.name]
        black, white = sum((s.black for s in own), Score()), sum((s.white for s in own), Score())
        shares = (f"{score.points:g}/{score.games}" for score in (black + white, black, white))
        faults = sum(sum(s.faults.values()) for s in own)
        yield (
            f"| {rating.name} | {rating.elo:+.0f} | ± {rating.error:.0f} | {' | '.join(shares)} | {faults} "
            f"| {max(s.slowest for s in own):.2f} |"
        )


@click.command()
@click.option("--results", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder of the games.")
@click.option("--engines", "files", type=click.Path(path_type=Path), multiple=True, help="More engines; repeatable.")
@click.option("--only", multiple=True, help="Use only engines whose name contains this text; repeatable.")
@click.option("--games", default=20, show_default=True, help="Games of each pair; an even number.")
@click.option("--span", default=3, show_default=True, help="Each engine meets this many of those after it.")
@click.option("--rules", type=RULES, default="first-capture", show_default=True)
@click.option("--size", type=SIZE, default="9", show_default=True)
@click.option("--opening", callback=opening_kind, default="random-2", show_default=True)
@click.option("--jobs", default=1, show_default=True, help="Games at a time.")
@click.option("--list", "only_list", is_flag=True, help="Print the pairs, and play no games.")
def main(
    results: Path,
    files: tuple[Path, ...],
    only: tuple[str, ...],
    games: int,
    span: int,
    rules: Rules,
    size: tuple[int, int],
    opening: str,
    jobs: int,
    only_list: bool,
) -> None:
    """Play the games that are missing and print the rating table."""
    if games < 2 or games % 2 or span < 1 or jobs < 1:
        raise click.UsageError("--games needs an even number, --span and --jobs 1 at least")
    conditions = Conditions(rules, *size)
    try:
        entries = [entry for file in (FILE, *files) for entry in read_engines(file)]
    except EnginesError as error:
        raise click.UsageError(str(error)) from None
    found = list(entrants([e for e in entries if not only or any(text in e.name for text in only)], conditions))
    chosen = pairs(found, span)
    if only_list or not chosen:
        click.echo("\n".join(f"{a.contender.name} - {b.contender.name}" for a, b in chosen) or "no pair of engines")
        return
    openings = of_kind(opening, seed=1)
    matches = [Match((a.contender, b.contender), conditions, openings, games, seed=1) for a, b in chosen]
    results.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        try:
            kept = [stack.enter_context(closing(opened(m, p, results))) for m, p in zip(matches, chosen, strict=True)]
            play_or_stop(matches, kept, jobs)
        except RequestError as error:
            raise click.UsageError(str(error)) from None
        reports = [report(match, one.rows.values()) for match, one in zip(matches, kept, strict=True)]
    click.echo(
        f"{rules}, {size[0]}x{size[1]}: {sum(r.games for r in reports)} games. Elo 0 is the mean of the engines."
    )
    try:
        click.echo("\n".join(table(reports)))
    except RequestError as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    # Import by its full name, so that other processes can unpickle `play_job`.
    from tests.benchmarks import ratings

    ratings.main()
