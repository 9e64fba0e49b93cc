"""Games of an agent against an opponent, with the interface of Gymnasium: "CaptureGo-v1". Needs the extra `rl`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ..go.game import Game, GameError
from ..go.rules import DEFAULT, Rules
from ..go.vertex import Color, ColorLike, parse_color
from ..library.engine import Player
from ..playout.planes import MOST_NEED, PLANES, RESIGN, WAIT
from ..util.extras import how_to_install
from .actions import Vertices
from .batch import Agent, Batch, BatchEnv, random_agent

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise ImportError(f"an environment needs more packages: {how_to_install('rl')}") from None

Opponent: TypeAlias = str | Agent
"""The player of the other side: "level-1" to "level-10", "random", or a function of a batch."""
Answers: TypeAlias = Callable[[Batch, npt.NDArray[np.intp]], npt.NDArray[np.integer]]
"""The actions of an opponent on the boards with these numbers."""

PLAYOUTS: Final = 1000
"""The most playouts of a level for a move, so that its moves are the same on all machines; most levels have fewer."""
MEMORY: Final = 64
"""MiB of the search of a level."""
TRIES: Final = 1000
"""Openings drawn until one leaves a move to the agent."""


class CaptureGoVectorEnv(Vertices, VectorEnv[Any, Any, Any]):  # type: ignore[misc]  # mypy does not read Gymnasium
    """Games of an agent on many boards: `gymnasium.make_vec("CaptureGo-v1", num_envs=64, rules="capture-3", size=7)`.

    A step is a move of the agent and the answer of the opponent. Observations and actions are those of `BatchEnv`;
    `info["action_mask"]`, int8, has the legal actions, and any other action loses the game. Rewards: 1 if the agent has
    won, -1 if it has lost, else 0. An episode that is over begins anew in the next step (NEXT_STEP).
    """

    metadata: Final = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str = DEFAULT,
        size: int | tuple[int, int] = 9,
        *,
        opponent: Opponent = "level-3",
        color: ColorLike | None = Color.BLACK,
        komi: float | None = None,
        max_moves: int | None = None,
        openings: Sequence[Game] | None = None,
        plies: int | tuple[int, int] = 0,
        render_mode: str | None = None,
    ) -> None:
        """Prepare `num_envs` boards; `reset` starts their games.

        `opponent`: a level, "random", or a function of a batch. `color`: of the agent; None: drawn for each episode.
        The other arguments, and errors: as for `BatchEnv`. ValueError: no such opponent, or not a colour.
        """
        self.batch: Final = BatchEnv(
            num_envs, rules, size, komi=komi, max_moves=max_moves, openings=openings, plies=plies
        )
        """The boards; they are changed by this environment alone."""
        self.size = width, height = self.batch.size
        self.num_envs, self.render_mode = num_envs, render_mode
        self._color = None if color is None else int(parse_color(color))
        self._opponent: Final = opponent
        self._answers: Answers = _answers(opponent, None, self.batch)
        self.single_observation_space = spaces.Box(0, MOST_NEED, (len(PLANES), height, width), np.uint8)
        self.single_action_space = spaces.Discrete(self.batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._sides = np.zeros(num_envs, np.int8)
        self._now: Batch | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        """Start a new episode on each board; `seed` decides openings, colours and the opponent's moves.

        `options`, and errors: as for `BatchEnv.reset`. ValueError: the opponent ends each game with its first move.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._answers = _answers(self._opponent, seed, self.batch)
        every = np.ones(self.num_envs, np.bool_)
        now = self.batch.reset(seed, options)
        self._draw_sides(every)
        self._now, _ = self._answered(now, every)
        return self._now.observations, _info(self._now)

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[np.uint8], npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        """Make a move of the agent on each board, and the answers. GameError: before the first `reset`."""
        if self._now is None:
            raise GameError("no game has begun: reset starts them")
        chosen, before = np.asarray(actions, np.int64), self._now
        over = _over(before)
        known = (chosen >= 0) & (chosen < self.batch.num_actions)
        legal = known & before.legal[np.arange(self.num_envs), np.where(known, chosen, 0)]
        self._draw_sides(over)
        moved = self.batch.step(np.where(over, 0, np.where(legal, chosen, RESIGN)))
        self._now, answers = self._answered(moved, over)
        rewards = moved.rewards - answers
        return self._now.observations, rewards, self._now.terminated, self._now.truncated, _info(self._now)

    def render(self) -> tuple[str, ...]:
        """Return the boards as text."""
        return tuple(str(self.batch.game(i)) for i in range(self.num_envs))

    def _draw_sides(self, chosen: npt.NDArray[np.bool_]) -> None:
        """Give the agent its colour on boards whose episodes begin."""
        drawn = self.np_random.integers(1, 3, self.num_envs) if self._color is None else self._color
        self._sides = np.where(chosen, drawn, self._sides).astype(np.int8)

    def _answered(self, now: Batch, fresh: npt.NDArray[np.bool_]) -> tuple[Batch, npt.NDArray[np.float32]]:
        """Let the opponent move where it is its turn; return what the boards show then, and its rewards.

        A fresh episode that the opponent ends with its first move is drawn again. ValueError: none is different.
        """
        rewards = np.zeros(self.num_envs, np.float32)
        for _ in range(TRIES):
            boards = np.flatnonzero(~_over(now) & (self.batch.to_move != self._sides))
            if boards.size:
                actions = np.full(self.num_envs, WAIT)
                actions[boards] = self._answers(now, boards)
                now = self.batch.step(actions)
                rewards += now.rewards
            again = fresh & _over(now)
            if not again.any():
                return now, np.where(fresh, np.float32(0), rewards)
            self._draw_sides(again)
            now = self.batch.step(np.where(again, 0, WAIT))
        raise ValueError("the opponent ends the game of each opening with its first move")


class CaptureGoEnv(Vertices, gymnasium.Env[Any, Any]):  # type: ignore[misc]  # see above
    """Games of an agent: `gymnasium.make("CaptureGo-v1", rules="capture-3", size=7, opponent="level-3")`.

    One board of `CaptureGoVectorEnv`, which says what is observed and rewarded; `reset` starts each episode.
    """

    metadata: Final = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        rules: Rules | str = DEFAULT,
        size: int | tuple[int, int] = 9,
        *,
        opponent: Opponent = "level-3",
        color: ColorLike | None = Color.BLACK,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Prepare the board; `options` and errors: as for `CaptureGoVectorEnv`."""
        self.boards: Final = CaptureGoVectorEnv(1, rules, size, opponent=opponent, color=color, **options)
        self.size = self.boards.size
        self.render_mode = render_mode
        self.observation_space = self.boards.single_observation_space
        self.action_space = self.boards.single_action_space
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        """Start an episode. Errors as for `CaptureGoVectorEnv.reset`."""
        super().reset(seed=seed)
        observations, info = self.boards.reset(seed=seed, options=options)
        self._over = False
        return observations[0], {"action_mask": info["action_mask"][0]}

    def step(self, action: int) -> tuple[npt.NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Make a move of the agent, and the answer. GameError: no episode has begun, or it is over."""
        if self._over:
            raise GameError("the game is over: reset starts another one")
        seen, rewards, terminated, truncated, info = self.boards.step([action])
        self._over = bool(terminated[0] or truncated[0])
        mask = {"action_mask": info["action_mask"][0]}
        return seen[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), mask

    def render(self) -> str:
        """Return the board as text."""
        return self.boards.render()[0]


def _over(now: Batch) -> npt.NDArray[np.bool_]:
    return now.terminated | now.truncated


def _info(now: Batch) -> dict[str, Any]:
    return {"action_mask": now.legal.astype(np.int8)}


def _answers(opponent: Opponent, seed: int | None, batch: BatchEnv) -> Answers:
    """Return the actions of an opponent as a function. ValueError: no such opponent."""
    if not isinstance(opponent, str):
        return lambda now, boards: opponent(now.observations[boards], now.legal[boards])
    if opponent == "random":
        return _answers(random_agent(seed), seed, batch)
    if not opponent.startswith("level-"):
        raise ValueError(f'{opponent!r} is no opponent: give "level-3", "random", or a function of a batch')
    player = Player(level=opponent.removeprefix("level-"), seed=seed, memory=MEMORY)

    def answers(now: Batch, boards: npt.NDArray[np.intp]) -> npt.NDArray[np.integer]:
        moves = [player.choose(batch.game(int(i)), playouts=PLAYOUTS) for i in boards]
        return np.array([RESIGN if move == "resign" else batch.action(move) for move in moves])

    return answers
