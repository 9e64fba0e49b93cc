"""Games of two agents with the AEC interface of PettingZoo. Needs the extra `rl`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..go import board as bd
from ..go.board import Board
from ..go.game import Game, GameError
from ..go.rules import DEFAULT, Rules
from ..go.scoring import Status, Statuses
from ..go.vertex import Color
from ..library.results import side_of
from ..util.arguments import whole
from ..util.extras import how_to_install
from .actions import Vertices, action_points

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
except ImportError:
    raise ImportError(f"an environment needs more packages: {how_to_install('rl')}") from None

AGENTS: Final = {Color.BLACK: "black_0", Color.WHITE: "white_0"}
HISTORY: Final = 8
"""Positions in an observation."""


class GoEnv(Vertices, AECEnv[str, "dict[str, npt.NDArray[Any]]", "int | None"]):  # type: ignore[misc]  # mypy does not read PettingZoo
    """A game of two agents, "black_0" and "white_0", under any rules on any board: `GoEnv(gc.Game("capture-5", 9))`.

    Actions: the points, row by row from the top left, then the pass; `action` and `vertex` convert. An action that is
    not in the mask raises an IllegalMoveError; `env` and PettingZoo's TerminateIllegalWrapper make it a loss instead.

    Observations: "action_mask", int8, shape (points + 1,): 1 for each legal action of the agent to move, else 0; and
    "observation", bool, shape (height, width, 17): the own stones and the opponent's, in the position and in the seven
    before it (planes 0 and 1, 2 and 3, and so on; empty before the first one); plane 16 is 1 for Black. Source: Silver
    et al. 2017. PettingZoo's Go has the same planes, but from the view of the colour that moved, and 1 for White.

    Rewards: 1 for the winner and -1 for the loser, at the end of the game; 0 after a draw. After two passes all stones
    on the board count as alive, under all rules, so dead stones have to be captured before.
    Truncation: a game that has not ended after `max_moves` is truncated, without a reward. Where captures win, every
    game ends, so there is no such limit by default.
    """

    metadata: Final = {"name": "gtp_capture_go_v0", "render_modes": ["ansi"], "is_parallelizable": False}
    render_mode: Final = "ansi"

    def __init__(self, start: Game | None = None, *, max_moves: int | None = None) -> None:
        """Start with a game, of which each episode is a copy; None: first capture on 9x9.

        `max_moves`: moves of an episode; None: without a limit where captures win, else 3 for each point and 20 more.
        TypeError: no game, or no whole number. ValueError: fewer than one move. GameError: the game is over.
        """
        super().__init__()
        first = Game() if start is None else start
        side_of(first, None)
        self.start: Final = first.copy()
        """The game that `reset` copies."""
        self.size = width, height = self.start.size
        self._points = action_points(self.size)
        cells = self.start.board.cells
        # Each element of an observation compares one byte: of the positions in a row, or, for plane 16, of the agent.
        self._bytes = np.full((height, width, 2 * HISTORY + 1), HISTORY * cells)
        self._bytes[..., :-1] = self._points[:-1].reshape(height, width, 1) + np.repeat(np.arange(HISTORY) * cells, 2)
        self._colors = {
            agent: np.array([*[int(color), int(color.opponent)] * HISTORY, int(Color.BLACK)], np.int8)
            for color, agent in AGENTS.items()
        }
        usual = None if self.start.rules.is_capture_game else 3 * width * height + 20
        self.max_moves: Final = usual if max_moves is None else whole("max_moves", max_moves, 1)
        self.possible_agents: Final = [*AGENTS.values()]
        self.action_spaces: Final = {agent: spaces.Discrete(len(self._points)) for agent in self.possible_agents}
        self.observation_spaces: Final = {
            agent: spaces.Dict(
                observation=spaces.Box(0, 1, (height, width, 2 * HISTORY + 1), bool),
                action_mask=spaces.Box(0, 1, (len(self._points),), np.int8),
            )
            for agent in self.possible_agents
        }
        self.reset()

    def action_space(self, agent: str) -> spaces.Discrete:
        """See AECEnv."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Dict:
        """See AECEnv."""
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode from `start`, or from another position of the same size: `reset(options={"game": game})`.

        `seed` and other options change nothing: a game has no chance.
        TypeError: not a game. ValueError: a game of another size. GameError: it is over.
        """
        start = (options or {}).get("game", self.start)
        side_of(start, None)
        if start.size != self.start.size:
            raise ValueError(
                f"the game is {start.width}x{start.height}, but the board of this environment is "
                f"{self.start.width}x{self.start.height}"
            )
        self._before = len(start.positions)
        self.game = start.copy()
        self.game.find_statuses = _all_alive
        self.agents = [*self.possible_agents]
        self.agent_selection = AGENTS[self.game.to_move]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def step(self, action: int | None) -> None:
        """Play an action of the agent to move; None for an agent whose game is over.

        IllegalMoveError: the rules forbid it. TypeError, ValueError: not an action. GameError: both agents are gone.
        """
        if not self.agents:
            raise GameError("the game is over: reset starts another one")
        if self._is_over():
            self._was_dead_step(action)
            return
        game = self.game
        game.play_point(self._points[whole("action", action, 0, len(self._points) - 1)])
        self.agent_selection = AGENTS[game.to_move]
        if (outcome := game.outcome) is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            if outcome.winner is not None:
                self.rewards = {agent: 1.0 if agent == AGENTS[outcome.winner] else -1.0 for agent in self.agents}
                self._accumulate_rewards()
        elif len(game.positions) - self._before == self.max_moves:
            self.truncations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """Return the position as an agent sees it; its mask is 0 if it is not to move, or if the game is over.

        ValueError: no such agent.
        """
        if agent not in self.possible_agents:
            raise ValueError(f"the agents are {' and '.join(self.possible_agents)}, not {agent!r}")
        recent = b"".join([position.colors for position in self.game.positions[: -HISTORY - 1 : -1]])
        seen = recent.ljust(HISTORY * self.start.board.cells, b"\0") + bytes(self._colors[agent][:1])
        planes = np.frombuffer(seen, np.int8).take(self._bytes) == self._colors[agent]
        to_move = agent == self.agent_selection and not self._is_over()
        mask = self.game.legal_mask().astype(np.int8) if to_move else np.zeros(len(self._points), np.int8)
        return {"observation": planes, "action_mask": mask}

    def render(self) -> str:
        """Return the board as text."""
        return str(self.game)

    def close(self) -> None:
        """Do nothing; PettingZoo asks for this beside `render`."""

    def _is_over(self) -> bool:
        agent = self.agent_selection
        return self.terminations.get(agent, True) or self.truncations[agent]


def _all_alive(board: Board) -> Statuses:
    return dict.fromkeys(bd.chains(board), Status.ALIVE)


def raw_env(
    rules: Rules | str = DEFAULT, size: int | tuple[int, int] = 9, *, komi: float | None = None, **options: Any
) -> GoEnv:
    """Return the environment of games from the empty board; `options`: as for `GoEnv`. Errors as for `Game`."""
    return GoEnv(Game(rules, size, komi=komi), **options)


def env(
    rules: Rules | str = DEFAULT, size: int | tuple[int, int] = 9, *, komi: float | None = None, **options: Any
) -> AECEnv[str, dict[str, npt.NDArray[Any]], int | None]:
    """Return `raw_env` in the wrappers of PettingZoo's games: an illegal action loses, with the reward -1."""
    wrapped = TerminateIllegalWrapper(raw_env(rules, size, komi=komi, **options), illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped))
