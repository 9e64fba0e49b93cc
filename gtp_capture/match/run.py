"""A match from its first game to its last: for the command of the terminal, and for `play_match` of the library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ..util.executor import ExecutorFactory, run_jobs
from . import results
from .entrants import Entrant, properties
from .games import Fixture, Match
from .openings import Openings, of_kind, read
from .ratings import sprt
from .referee import Conditions
from .report import report
from .results import Results
from .rows import Row


@dataclass(frozen=True, slots=True)
class Files:
    """What a match reads and writes."""

    openings: Path | None = None
    """See `openings.read`."""
    results: Path | None = None
    resume: bool = False
    """Whether to go on with the match of `results`."""
    sgf: Path | None = None
    """The folder for the games."""


def chosen_openings(kind: str, seed: int, files: Files, conditions: Conditions) -> Openings:
    """Return the openings of a kind (`empty`, `crosscut`, `random-K`), or of the file. RequestError: there are none."""
    given = read(files.openings, conditions) if files.openings is not None else ()
    found = Openings("file", seed=seed, given=given) if given else of_kind(kind, seed)
    if found.kind != "random":
        found.opening(0, conditions)
    return found


@dataclass(slots=True)
class Run:
    """A match with its files."""

    match: Match
    store: Results
    files: Files
    bounds: tuple[float, float] | None = None
    """The two Elo differences of an SPRT that ends the match."""

    def decided(self) -> bool:
        """Whether the SPRT has accepted a hypothesis."""
        if self.bounds is None:
            return False
        first, second = self.match.pairs[0]
        score = report(self.match, self.store.rows.values()).scores[first.name, second.name]
        return sprt(score, *self.bounds).verdict != "undecided"

    def play(
        self,
        make_executor: ExecutorFactory,
        play: Callable[[Fixture], Row],
        stopped: Callable[[], bool],
        played: Callable[[Row], None],
    ) -> None:
        """Play the games that have no row yet, until the SPRT is decided or the match is stopped.

        `played` gets each new row. No exception stops a match, which could come between a row in the file and its
        count. RequestError: a file cannot be written, or as for `run_jobs`.
        """
        if self.files.sgf is not None:
            results.write_sgf(self.files.sgf, self.store.rows.values(), self.match.conditions)
        missing = [fixture for fixture in self.match.fixtures() if fixture.game not in self.store.rows]
        if self.decided() or not missing:
            return
        with closing(run_jobs(make_executor, play, missing, stopped)) as found:
            for _, row in found:
                row = self.store.add(row)
                if self.files.sgf is not None:
                    results.write_sgf(self.files.sgf, [row], self.match.conditions)
                played(row)
                if self.decided():
                    return

    def check_sgf(self) -> None:
        """Check that no SGF file of another match is in the way. RequestError: one is."""
        if self.files.sgf is not None:
            games = [fixture.game for fixture in self.match.fixtures()]
            results.check_sgf(self.files.sgf, games, self.store.rows, self.match.conditions)


def begin(match: Match, probed: Sequence[Entrant], files: Files, bounds: tuple[float, float] | None = None) -> Run:
    """Open the results file of a match; close `store` at the end. RequestError: see `Results.open`."""
    store = Results(files.results, properties(match, probed, files.openings), match.check)
    run = Run(match, store, files, bounds)
    if files.results is None or not files.results.exists():
        run.check_sgf()  # before there is a results file, which this would leave behind
    store.open(files.resume)
    run.check_sgf()
    return run
