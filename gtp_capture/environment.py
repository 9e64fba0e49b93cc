"""Games as an environment for reinforcement learning, with the AEC interface of PettingZoo. Needs the extra `rl`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .go import board as bd
from .go.board import Board
from .go.game import Game, GameError
from .go.scoring import Status, Statuses
from .go.vertex import PASS, Color, point_at
from .library.results import side_of
from .util.arguments import whole
from .util.extras import how_to_install

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError:
    raise ImportError(f"an environment needs more packages: {how_to_install('rl')}") from None

AGENTS: Final = {Color.BLACK: "black_0", Color.WHITE: "white_0"}
HISTORY: Final = 8
"""Positions in an observation."""


class GoEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no type information
    """A game of two agents, "black_0" and "white_0", under any rules on any board: `GoEnv(gc.Game("capture-5", 9))`.

    Actions: the points, row by row from the top left, then the pass. An action that is not in the mask raises an
    IllegalMoveError; PettingZoo's TerminateIllegalWrapper makes it a loss instead.

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
        width, height = self.start.size
        rows = range(height - 1, -1, -1)
        self._points = np.array([point_at(column, row, width) for row in rows for column in range(width)] + [PASS])
        cells = self.start.board.cells
        self._actions = np.zeros(cells, np.int64)
        self._actions[self._points] = range(len(self._points))
        # Each element of an observation compares one byte: of the positions in a row, or, for plane 16, of the agent.
        self._bytes = np.full((height, width, 2 * HISTORY + 1), HISTORY * cells)
        self._bytes[..., :-1] = self._points[:-1].reshape(height, width, 1) + np.repeat(np.arange(HISTORY) * cells, 2)
        self._colors = {
            agent: np.array([*[color, color.opponent] * HISTORY, Color.BLACK], np.int8)
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
        """Start an episode. `seed` and `options` change nothing: a game has no chance."""
        self.game = self.start.copy()
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
        elif len(game.positions) - len(self.start.positions) == self.max_moves:
            self.truncations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """Return the position as an agent sees it; its mask is 0 if it is not to move, or if the game is over."""
        recent = b"".join([position.colors for position in self.game.positions[: -HISTORY - 1 : -1]])
        seen = recent.ljust(HISTORY * self.start.board.cells, b"\0") + bytes(self._colors[agent][:1])
        planes = np.frombuffer(seen, np.int8).take(self._bytes) == self._colors[agent]
        mask = np.zeros(len(self._points), np.int8)
        if agent == self.agent_selection and not self._is_over():
            mask[self._actions.take(self.game.legal_plays())] = 1
            mask[-1] = self.game.rules.may_pass
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
