"""A match from its first game to its last: for the command of the terminal, and for `play_match` of the library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..util.executor import executor, run_jobs
from . import results
from .entrants import properties
from .games import EnginePool, Match, play
from .report import MatchResult, match_result
from .results import Results
from .rows import MatchGame


@dataclass(frozen=True, slots=True)
class Files:
    """The files that a match writes."""

    results: Path | None = None
    resume: bool = False
    """Whether to go on with the match of `results`."""
    sgf: Path | None = None
    """The folder for the games."""


@dataclass(slots=True)
class Run:
    """A match with its files."""

    match: Match
    store: Results
    files: Files
    bounds: tuple[float, float] | None = None
    """The two Elo differences of an SPRT that ends the match."""

    def result(self) -> MatchResult:
        """The result of the games played so far."""
        return match_result(self.match, self.store.games.values(), self.bounds)

    def play(
        self,
        jobs: int,
        scheduler: str | None = None,
        stopped: Callable[[], bool] = lambda: False,
        played: Callable[[MatchGame], object] = lambda game: None,
    ) -> None:
        """Play the games that are missing, until the SPRT is decided or the match is stopped.

        `jobs` games are played at a time, or all on a cluster if a scheduler's address is given; `played` gets each new
        game. `stopped` is polled between games, because an exception could come between writing a row and counting it.
        RequestError: a file cannot be written, or as for `run_jobs`.
        """
        if self.files.sgf is not None:
            results.write_sgf(self.files.sgf, self.store.games.values())
        missing = [fixture for fixture in self.match.fixtures() if fixture.number not in self.store.games]
        if self._decided():
            return
        pool = EnginePool()
        make_executor = partial(_threads, jobs, pool) if scheduler is None else partial(executor, jobs, scheduler)
        one = partial(play, self.match, pool=pool if scheduler is None else None)
        with closing(pool), closing(run_jobs(make_executor, one, missing, stopped)) as games:
            for _, game in games:
                game = self.store.add(game)
                if self.files.sgf is not None:
                    results.write_sgf(self.files.sgf, [game])
                played(game)
                if self._decided():
                    return

    def _decided(self) -> bool:
        """Whether the SPRT has accepted a hypothesis."""
        test = self.result().sprt if self.bounds is not None else None
        return test is not None and test.verdict != "undecided"

    def check_sgf(self) -> None:
        """Check that no SGF file of another match is in the way. RequestError: one is."""
        if self.files.sgf is not None:
            numbers = [fixture.number for fixture in self.match.fixtures()]
            results.check_sgf(self.files.sgf, numbers, self.store.games)


@contextmanager
def _threads(jobs: int, pool: EnginePool) -> Iterator[Executor]:
    """Threads that play games; if the match is left early, the engines end, and with them the games."""
    with ThreadPoolExecutor(jobs, "match") as threads:
        try:
            yield threads
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            pool.kill_playing()


def begin(match: Match, files: Files, bounds: tuple[float, float] | None = None) -> Run:
    """Open the results file of a match; close `store` at the end. RequestError: see `Results.open`."""
    store = Results(files.results, properties(match), match.parse)
    run = Run(match, store, files, bounds)
    if files.results is None or not files.results.exists():
        run.check_sgf()  # a failure after `open` would leave a new results file behind
    store.open(files.resume)
    run.check_sgf()
    return run
