"""The tasks: fixed sets of positions in which agents are measured. Each set has a seed, and its hash is here."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from ..go import board as bd
from ..go.game import Game
from ..go.opening import crosscut
from ..go.symmetry import canonical
from ..go.vertex import BLACK, Color
from ..util.files import RequestError

SECONDS: Final = 1.0
"""Time for a move of a bot or an engine by default."""
TRIES: Final = 500
"""Random games in a row without a new position, after which no more are tried."""


@dataclass(frozen=True, slots=True)
class Task:
    """A board with its rules, and the set of positions in which an agent is measured."""

    name: str
    digest: str
    """The first 16 digits of the SHA-256 of the openings, as `digest_of` returns it."""
    size: tuple[int, int]
    """Width and height in points."""
    plies: tuple[int, int]
    """The least and the most random plays of a position."""
    rules: str = "first-capture"
    count: int = 400
    """Positions of the set."""
    exact: bool = True
    """Whether the values of all actions of its positions are computed. Else the task has games alone."""
    lengths: bool = False
    """Whether the plies to the end are computed too."""
    crosscut: bool = False
    """Whether the games begin with a crosscut in the centre."""

    def openings(self) -> list[Game]:
        """Return the positions of the set, always the same ones. RequestError: the hash differs."""
        openings = self.positions(self.count, "")
        if (digest := digest_of(openings)) != self.digest:
            raise RequestError(f"the openings of {self.name} have the hash {digest}, not {self.digest}")
        return openings

    def positions(self, count: int, seed: str) -> list[Game]:
        """Return random positions of the task, no two of them images of one another.

        Each is a game of random legal plays that has not ended. In first capture the side to move cannot capture at
        once, and where the task has no values, no chain at all is in atari. RequestError: there are not as many.
        """
        # Python keeps the sequence of `Random.random` for a seed; other methods may change.
        chance = random.Random(f"{self.name} {seed}").random
        games: dict[object, Game] = {}
        tried = 0
        while len(games) < count:
            if (tried := tried + 1) > TRIES:
                raise RequestError(f"{self.name} has no {count} positions: {len(games)} were found")
            game = self._random_game(chance)
            if game is not None:
                cells = [int(game.board.color[p]) for p in bd.points(game.board)]
                key = bytes(canonical(cells, game.width, game.height)[0]), game.to_move, game.positions[-1].prisoners
                if games.setdefault(key, game) is game:
                    tried = 0
        return list(games.values())

    def start(self) -> Game:
        """Return the game without random plays."""
        game = Game(self.rules, self.size)
        if self.crosscut:
            game.setup_points(*crosscut(*self.size), BLACK)
        return game

    def _random_game(self, chance: Callable[[], float]) -> Game | None:
        """Return a game of random plays; None if it has ended, or if it is not quiet where it should be."""
        game, (least, most) = self.start(), self.plies
        for _ in range(least + int(chance() * (most - least + 1))):
            plays = game.legal_plays()
            game.play_point(plays[int(chance() * len(plays))])
            if game.is_over:
                return None
        easy = [*Color] if not self.exact else [game.to_move.opponent] if game.rules.won_by(1) else []
        return None if any(game.atari(color) for color in easy) else game


def digest_of(games: Iterable[Game]) -> str:
    """Return 16 digits of the SHA-256 of games: of their rules, their sizes, their first stones and their moves."""
    lines: list[str] = []
    for game in games:
        stones, moves = game.positions[0].board_array().tobytes().hex(), " ".join(map(str, game.moves))
        lines.append(f"{game.rules} {game.width}x{game.height} {stones} {moves}\n")
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:16]


ALL: Final = (
    Task("capture-go-4x4", "5443eb61ead3f719", (4, 4), (2, 10), lengths=True),
    Task("capture-go-5x5", "33eb0d1e2de39b23", (5, 5), (4, 14), lengths=True),
    Task("capture-go-6x6", "0bfbdd3d53b62cdf", (6, 6), (8, 18)),
    Task("capture-go-6x7", "c0caad273ae51d78", (6, 7), (4, 6), count=100, exact=False),
    Task("capture-go-7x7", "5011c9055180ffb9", (7, 7), (4, 6), count=100, exact=False),
    Task("capture-go-9x9", "8f21ff03a733434f", (9, 9), (4, 8), count=100, exact=False),
    Task("crosscut-6x6", "63fd72671da52c97", (6, 6), (4, 12), crosscut=True),
    Task("crosscut-7x7", "658cd766079be84d", (7, 7), (2, 4), count=100, exact=False, crosscut=True),
    Task("crosscut-9x9", "4052e70958f5178f", (9, 9), (2, 6), count=100, exact=False, crosscut=True),
    Task("capture-2-3x3", "4f17d549b93a643d", (3, 3), (1, 8), rules="capture-2", count=100),
    Task("capture-2-4x4", "fb193d278b294300", (4, 4), (2, 12), rules="capture-2"),
    Task("capture-3-3x3", "6067b2776bce5b5d", (3, 3), (1, 10), rules="capture-3", count=100),
    Task("capture-3-4x4", "1ee83acedb08702e", (4, 4), (2, 14), rules="capture-3"),
)
TASKS: Final = {task.name: task for task in ALL}
"""All tasks by name. On 6x6 the values are of positions with 8 stones or more, as emptier ones take too long."""


def task_of(task: Task | str) -> Task:
    """Return a task by its name. ValueError: there is no such task. TypeError: neither a task nor a name."""
    if isinstance(task, Task):
        return task
    if not isinstance(task, str):
        raise TypeError(f"a task or the name of one is needed, not {task!r}")
    if task not in TASKS:
        raise ValueError(f"there is no task {task!r}: choose {', '.join(TASKS)}")
    return TASKS[task]
