"""How far an agent is from perfect play: the metrics of a task, each with its interval."""

from __future__ import annotations

import math
import statistics
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..go.game import Game
from ..go.vertex import RESIGN, Color, action_of
from ..library.engine import Player
from ..match.ratings import Z95, wilson
from ..players.bot import BotPlayer
from ..util import arguments
from ..util.limit import Limit
from .agents import Chooser, Perfect, Singles, Terms, chooser, values_of
from .tasks import SECONDS, Task, task_of

if TYPE_CHECKING:
    from .agents import Agent

PLAYOUTS: Final = 1000
"""Playouts of an opponent; each level below the highest one has fewer of its own."""
LEVELS: Final = (1, 3, 5, 7, 9)
GAMES: Final = 20


class Share(NamedTuple):
    """A share of cases, with its 95 % interval (Wilson 1927); as text "12 of 40, 30.0 % [18.1, 45.4]"."""

    hits: int
    cases: int

    @property
    def value(self) -> float:
        """The share, 0 to 1; not a number if there was no case."""
        return self.hits / self.cases if self.cases else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the share, within 0 to 1."""
        low, high = wilson(self.value, self.cases) if self.cases else (0.0, 1.0)
        return max(0.0, low), min(1.0, high)

    def __str__(self) -> str:
        if not self.cases:
            return "no case"
        low, high = self.interval
        return f"{self.hits} of {self.cases}, {100 * self.value:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


class Mean(NamedTuple):
    """A mean with its 95 % interval by the normal distribution; as text "0.52 [0.31, 0.73] of 120"."""

    value: float
    low: float
    high: float
    cases: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """Return the mean of values; not a number if there are none."""
        if not values:
            return cls(math.nan, math.nan, math.nan, 0)
        mean = statistics.fmean(values)
        half = Z95 * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
        return cls(mean, mean - half, mean + half, len(values))

    def __str__(self) -> str:
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}] of {self.cases}" if self.cases else "no case"


@dataclass(frozen=True, slots=True)
class Report:
    """The measurement of an agent in a task."""

    agent: str
    task: str
    thrown: Share | None
    """Won positions in which the move of the agent loses the win, of those in which some move does; None in a task by
    games alone."""
    regret: Mean | None
    """Plies by which a move that keeps the result wins later, or loses sooner, than the best one; None where the plies
    are not computed."""
    held: Share | None
    """Openings that the agent has won from the winning side against perfect play; None as for `thrown`."""
    won: Mapping[int, Share] = field(hash=False)
    """Games won against each level, each opening played with both colours."""
    faults: int
    """Moves that failed or were illegal. Such a move loses its game, and counts as `thrown`."""

    def as_json(self) -> dict[str, Any]:
        """Return the report as values of JSON; a share is [hits, cases], a mean [value, low, high, cases]."""
        regret = None if self.regret is None or not self.regret.cases else list(self.regret)
        shares = {"thrown": self.thrown, "held": self.held}
        return {
            "agent": self.agent,
            "task": self.task,
            **{name: None if share is None else list(share) for name, share in shares.items()},
            "regret": regret,
            "won": {str(level): list(share) for level, share in self.won.items()},
            "faults": self.faults,
        }


def measure(
    agent: Agent,
    task: Task | str,
    *,
    openings: int | None = None,
    games: int = GAMES,
    levels: Sequence[int] = LEVELS,
    seconds: float | None = None,
    playouts: int | None = None,
    seed: int = 1,
    stop: threading.Event | None = None,
    notify: Callable[[str], None] = warnings.warn,
) -> Report:
    """Measure an agent in a task: `measure(agent, "capture-go-5x5")`.

    `agent`: a bot, a `Player`, a `GtpEngine`; a function of observations and legal actions, as
    `environment.Batch` has them, that returns an action for each position; or a text: "level-3", "random", "greedy",
    "module:name" for one of these in a module, or the command of a GTP engine.
    `openings`: the first positions of the task in which it chooses a move and plays against perfect play (None: all).
    `games`: games against each of `levels`, two from each of the first openings.
    `seconds` and `playouts`: the limit of each move of a bot or an engine (default: 1 second). `seed`: of the
    opponents, and of agents that are named. `notify`: gets the errors of the agent's code.
    ValueError: no such task or agent, or a number out of range. TypeError: another kind of value. CancelledError:
    `stop` was set.
    """
    where, chance = task_of(task), arguments.whole("seed", seed, 0)
    number = where.count if openings is None else arguments.whole("openings", openings, 1, where.count)
    pairs = (arguments.whole("games", games, 0, 2 * where.count) + 1) // 2
    limit = Limit(
        None if seconds is None else arguments.seconds("seconds", seconds, above=True),
        None if playouts is None else arguments.whole("playouts", playouts, 1),
    )
    if seconds is None and playouts is None:
        limit = Limit(SECONDS)
    if isinstance(levels, str) or not isinstance(levels, Iterable):
        raise TypeError(f"levels are several whole numbers, such as (1, 3), not {levels!r}")
    measured = [arguments.whole("a level", level, 1, 10) for level in levels]
    terms = Terms(limit, chance, notify, stop or threading.Event())
    own, positions = chooser(agent, terms), where.openings()
    thrown: Share | None = None
    regret: Mean | None = None
    held: Share | None = None
    if where.exact:
        thrown, regret, winners = _judged(own, where.lengths, positions[:number], terms)
        held = Share(sum(play_out(positions[:number], winners, own, Perfect(where.lengths, terms))), number)
    results = dict[int, Share]()
    for level in measured if pairs else ():
        player = BotPlayer(Player(level=level, seed=chance), notify)
        opponent = Singles(player, terms._replace(limit=Limit(playouts=PLAYOUTS)))
        started = [game for game in positions[:pairs] for _ in Color]
        results[level] = Share(sum(play_out(started, [*Color] * pairs, own, opponent)), len(started))
    return Report(own.name, where.name, thrown, regret, held, results, own.faults)


def _judged(
    own: Chooser, lengths: bool, positions: Sequence[Game], terms: Terms
) -> tuple[Share, Mean | None, list[Color]]:
    """Let the agent choose a move in each position. Return what it throws away, its regret, and the winners."""
    values, plies = values_of(positions, lengths, terms.stop)
    decisive, lost, regrets = 0, 0, list[float]()
    for i, (game, point) in enumerate(zip(positions, own.choose(positions), strict=True)):
        row = values[i].tolist()
        best = max(value for value in row if value)
        action = -1 if point is None or point == RESIGN else action_of(point, *game.size)
        value = -1 if action < 0 else row[action]
        if best > 0 > min(row):
            decisive += 1
            lost += value < 0
        if plies is not None and action >= 0 and value == best:
            same = [n for n, other in zip(plies[i].tolist(), row, strict=True) if other == value]
            taken = int(plies[i, action])
            regrets.append(taken - min(same) if value > 0 else max(same) - taken)
    winners = [game.to_move if 1 in row else game.to_move.opponent for game, row in zip(positions, values, strict=True)]
    return Share(lost, decisive), None if plies is None else Mean.of(regrets), winners


def play_out(starts: Sequence[Game], colors: Sequence[Color], agent: Chooser, opponent: Chooser) -> list[bool]:
    """Play games to their end, all at the same time, and return which of them the agent has won.

    `colors`: the colour of the agent in each game. A move that fails or is illegal loses.
    CancelledError: it was stopped.
    """
    games = [game.copy() for game in starts]
    while any(not game.is_over for game in games):
        for player in (agent, opponent):
            turn = [
                game
                for game, color in zip(games, colors, strict=True)
                if not game.is_over and (game.to_move == color) is (player is agent)
            ]
            for game, point in zip(turn, player.choose(turn) if turn else [], strict=True):
                game.play_point(RESIGN if point is None else point)
    outcomes = (game.outcome for game in games)
    return [outcome is not None and outcome.winner == color for outcome, color in zip(outcomes, colors, strict=True)]
