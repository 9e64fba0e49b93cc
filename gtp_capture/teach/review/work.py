"""Reviews in worker processes: a job is the data of a game, its result the review."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ...go.rules import Rules
from ...jit.warmup import Warmup, loaded
from ...players.mcts import MctsPlayer
from ...players.player import Analyst, PlayerSettings
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


def analyst(resources: Resources, warmup: Warmup) -> Analyst:
    """Return a player at full strength that judges positions."""
    return MctsPlayer(PlayerSettings(seed=1, threads=resources.threads, memory=resources.memory), warmup)


def review_job(job: Job) -> Review:
    """Review a game in a worker process."""
    from ...go import sgf

    game = sgf.load(job.data, job.rules, resignation=True)
    return review_game(_shared_analyst(job.resources), game, Budget(Limit().begin(), job.resources.seconds))


@cache
def _shared_analyst(resources: Resources) -> Analyst:
    return analyst(resources, loaded())
