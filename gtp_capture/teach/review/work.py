"""Reviews of all games of some files, in this process or in several: a job is a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache, partial
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
from ...util.files import UnreadableError, read_bounded
from ...util.limit import Limit
from .judge import Budget, review_game
from .reviewed import Review


class Resources(NamedTuple):
    """The resources of one worker."""

    seconds: float
    """Seconds for each move."""
    memory: int
    """Bytes for tree and table."""
    threads: int


@dataclass(slots=True)
class Entry:
    """A game of the input."""

    label: str
    data: bytes = b""
    tree: Node | None = None
    """None if the game cannot be read. If `game` is None, the tree is written as it was."""
    game: Game | None = None
    """The game up to the first move that cannot be played; None if there is no move before it."""
    problem: str = ""
    """Why the game cannot be read, or cannot be played to its end."""
    notices: tuple[str, ...] = ()
    """See `sgf.load`."""
    named: Rules | None = None
    """The rules that the file names."""
    review: Review | None = None


def read_games(file: Path, rules: Rules | None) -> Iterator[Entry]:
    """Yield the games of an SGF file, or an entry with the reason why there is none. `rules` replace the file's."""
    try:
        games = list(sgf.split(read_bounded(file, sgf.MOST_BYTES)))
    except UnreadableError as error:
        yield Entry(str(file), problem=str(error))
        return
    for number, data in enumerate(games, 1):
        yield _entry(f"{file}, game {number}" if len(games) > 1 else str(file), data, rules)
    if not games:
        yield Entry(str(file), problem="no SGF data found")


def _entry(label: str, data: bytes, rules: Rules | None) -> Entry:
    notices: list[str] = []
    entry = Entry(label, data)
    try:
        entry.tree, entry.named = read_tree(data), sgf.named_rules(data)
        entry.game = sgf.load(data, rules, resignation=True, notice=notices.append)
    except sgf.SgfError as error:
        entry.game, entry.problem = error.game, str(error)
    entry.notices = tuple(notices)
    return entry


def review_here(
    entries: Iterable[Entry], resources: Resources, warmup: Warmup, stop: Event, advance: Callable[[int], None]
) -> None:
    """Review games in this process. Once `stop` is set, the current game is judged in part; later games are not."""
    warmup.wait(float("inf"), stop)
    player, whole = analyst(resources, warmup), Limit().begin(stop)
    for entry in entries:
        if entry.game is not None and not stop.is_set():
            review = review_game(player, entry.game, Budget(whole, resources.seconds), partial(advance, 1))
            entry.review = replace(review, cut=entry.problem)


def review_in_processes(
    entries: list[Entry], resources: Resources, processes: int, advance: Callable[[int], None]
) -> None:
    """Review games in several processes, one at a time in each. RequestError: the processes end without a result."""
    jobs = [(n, entry.game) for n, entry in enumerate(entries) if entry.game is not None]
    with closing(run_jobs(partial(executor, processes), partial(_review_job, resources), jobs)) as results:
        for (number, _), review in results:
            entries[number].review = replace(review, cut=entries[number].problem)
            advance(len(review.evaluations))


def _review_job(resources: Resources, job: tuple[int, Game]) -> Review:
    """Review a game in a worker process, which keeps its player for the next one."""
    return review_game(analyst(resources, loaded()), job[1], Budget(Limit().begin(), resources.seconds))


@lru_cache(maxsize=1)
def analyst(resources: Resources, warmup: Warmup) -> Analyst:
    """Return a player at full strength that judges positions; it is kept for the next game."""
    return MctsPlayer(PlayerSettings(seed=1, threads=resources.threads, memory=resources.memory), warmup)
