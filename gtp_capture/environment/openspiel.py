"""The game "python_capture_go" of OpenSpiel, which importing this module registers. Needs the extra `openspiel`.

`pyspiel.load_game("python_capture_go(size=5,rules=capture-3)")`: the rules are those that `BatchEnv` takes, and so are
actions and planes. Player 0 is Black. A game of ordinary Go that has not ended after 3 moves for each point and 20 more
is a draw.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..go.rules import DEFAULT
from ..go.vertex import BLACK, COLOR_LETTERS, WHITE, action_point
from ..playout.planes import PLANES
from ..util.extras import how_to_install
from .actions import Vertices
from .batch import BatchEnv, longest_game, observe

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError:
    raise ImportError(f"an environment needs more packages: {how_to_install('openspiel')}") from None

NAME: Final = "python_capture_go"
DEFAULTS: Final[dict[str, Any]] = {"rules": DEFAULT, "size": 9}
GAME_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Python Capture Go",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


class CaptureGoGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no type information
    """A game of OpenSpiel with the parameters `rules`, a text as `gc.Rules.parse` reads it, and `size`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Errors as for `BatchEnv`."""
        given = DEFAULTS | (params or {})
        boards = BatchEnv(1, given["rules"], given["size"])
        self.start: Final = boards.openings[0]
        """The position that each game begins with."""
        self.longest: Final = boards.max_moves or longest_game(boards.rules, boards.size)
        """The moves after which a game is a draw; games of captures end before."""
        info = pyspiel.GameInfo(
            num_distinct_actions=boards.num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.longest,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> CaptureGoState:
        """Return the state before the first move."""
        return CaptureGoState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return an observer, as `make_observation` of OpenSpiel uses it."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlanesObserver(self.start.size)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class CaptureGoState(Vertices, pyspiel.State):  # type: ignore[misc]  # see above
    """A position of OpenSpiel: `state.game` is the game so far, `state.action("C3")` an action."""

    def __init__(self, game: CaptureGoGame) -> None:
        """OpenSpiel calls this by `new_initial_state`."""
        super().__init__(game)
        self.game: Final = game.start.copy()
        """The game so far. Read-only."""
        self.size = self.game.size
        self._longest = game.longest

    def current_player(self) -> Any:
        """Return 0 for Black, 1 for White; OpenSpiel's TERMINAL after the end."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else int(self.game.to_move) - BLACK

    def _legal_actions(self, player: int) -> list[int]:
        return [int(action) for action in np.flatnonzero(self.game.legal_mask())]

    def _apply_action(self, action: int) -> None:
        self.game.play_point(action_point(int(action), *self.size))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{COLOR_LETTERS[player + BLACK]} {self.vertex(action)}"

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.game.is_over or len(self.game.moves) >= self._longest

    def returns(self) -> list[float]:
        """Return 1 for the winner, -1 for the loser, 0 before the end and after a draw, Black first."""
        outcome = self.game.outcome
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        return [1.0 if int(outcome.winner) == color else -1.0 for color in (BLACK, WHITE)]

    def __str__(self) -> str:
        return str(self.game)


class PlanesObserver:
    """The planes of `BatchEnv` as OpenSpiel's observers have them: `tensor`, and `dict` with views of it by name."""

    def __init__(self, size: tuple[int, int]) -> None:
        """`size`: width and height."""
        width, height = size
        self.tensor: Final = np.zeros(len(PLANES) * height * width, np.float32)
        self.dict: Final = {"observation": self.tensor.reshape(len(PLANES), height, width)}

    def set_from(self, state: CaptureGoState, player: int) -> None:
        """Write the observation of a position into the tensor. Both players get the view of the side to move."""
        self.dict["observation"][:] = observe([state.game]).observations[0]

    def string_from(self, state: CaptureGoState, player: int) -> str:
        """Return the board as text."""
        return str(state)


pyspiel.register_game(GAME_TYPE, CaptureGoGame)
