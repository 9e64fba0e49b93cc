"""Reviews of all games of some files, in this process or in several: a job is the data of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from threading import Event
from typing import NamedTuple

from ...go import sgf
from ...go.game import Game
from ...go.rules import Rules
from ...go.sgf_tree import Node, read_tree
from ...jit.warmup import Warmup, loaded
from ...players.mcts import MctsPlayer
from ...players.player import Analyst, PlayerSettings
from ...util.executor import executor, run_jobs
from ...util.files import read_bounded
from ...util.limit import Limit
from .judge import Budget, Review, review_game


class Resources(NamedTuple):
    """The resources of one worker."""

    seconds: float
    """For each move."""
    memory: int
    """Bytes for tree and table."""
    threads: int


class Job(NamedTuple):
    """A game to review."""

    number: int
    data: bytes
    """SGF that `sgf.load` reads."""
    rules: Rules | None
    """For `sgf.load`."""
    resources: Resources


@dataclass(slots=True)
class Entry:
    """A game of the input."""

    label: str
    data: bytes
    tree: Node
    game: Game | None
    """None if it cannot be replayed: then its tree is written as it was."""
    problem: str = ""
    """Why it cannot be replayed."""
    review: Review | None = None


def read_games(file: Path, rules: Rules | None) -> Iterator[tuple[Entry, Rules | None]]:
    """Yield the games of an SGF file, each with the rules that it names; `rules`: instead of them.

    UnreadableError: the file cannot be read. SgfError: it has no game, or is damaged.
    """
    games = list(sgf.split(read_bounded(file, sgf.MOST_BYTES)))
    if not games:
        raise sgf.SgfError(f"{file}: no SGF data found")
    for number, data in enumerate(games, 1):
        label = f"{file}, game {number}" if len(games) > 1 else str(file)
        try:
            tree, named = read_tree(data), sgf.named_rules(data)
        except sgf.SgfError as error:
            raise sgf.SgfError(f"{label}: {error}") from None
        try:
            yield Entry(label, data, tree, sgf.load(data, rules, resignation=True)), named
        except sgf.SgfError as error:
            yield Entry(label, data, tree, None, str(error)), named


def review_here(
    entries: Iterable[Entry], resources: Resources, warmup: Warmup, stop: Event, advance: Callable[[int], None]
) -> None:
    """Review games in this process; once `stop` is set, the game in work is judged in part and the others not."""
    warmup.wait(float("inf"), stop)
    player, whole = analyst(resources, warmup), Limit().begin(stop)
    for entry in entries:
        if entry.game is not None and not stop.is_set():
            entry.review = review_game(player, entry.game, Budget(whole, resources.seconds), partial(advance, 1))


def review_in_processes(
    entries: list[Entry], rules: Rules | None, resources: Resources, processes: int, advance: Callable[[int], None]
) -> None:
    """Review games in several processes, one at a time in each. ExecutorError: they do not work."""
    jobs = [Job(number, entry.data, rules, resources) for number, entry in enumerate(entries)]
    with closing(run_jobs(partial(executor, processes), review_job, jobs)) as results:
        for job, found in results:
            entries[job.number].review = found
            advance(len(found.evaluations))


def analyst(resources: Resources, warmup: Warmup) -> Analyst:
    """Return a player at full strength that judges positions."""
    return MctsPlayer(PlayerSettings(seed=1, threads=resources.threads, memory=resources.memory), warmup)


def review_job(job: Job) -> Review:
    """Review a game in a worker process."""
    game = sgf.load(job.data, job.rules, resignation=True)
    return review_game(_shared_analyst(job.resources), game, Budget(Limit().begin(), job.resources.seconds))


@cache
def _shared_analyst(resources: Resources) -> Analyst:
    return analyst(resources, loaded())
