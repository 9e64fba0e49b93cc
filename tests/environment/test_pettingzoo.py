"""The environment for reinforcement learning: PettingZoo's own tests, and each value against the game."""

from __future__ import annotations

import pickle
import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gtp_capture as gc
from gtp_capture.environment import GoEnv, env, raw_env

from ..support.random_games import RULES

REMARKS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Observation numpy array is all zeros.",
}
"""Remarks of `api_test` about environments with masks that are not its own, and about a pass on the empty board."""


def actions(env: GoEnv, *moves: str) -> GoEnv:
    """The environment after these moves."""
    for move in moves:
        env.step(action(env, move))
    return env


def action(env: GoEnv, vertex: str) -> int:
    """The action of a vertex, by definition: row by row from the top left, then the pass."""
    width, height = env.game.size
    if vertex == "pass":
        return int(width * height)
    return int((height - int(vertex[1:])) * width + "ABCDEFGHJ".index(vertex[0]))


@pytest.mark.parametrize("size", [2, (4, 3), 5, 9], ids=str)
@pytest.mark.parametrize("rules", gc.PRESETS)
def test_it_passes_the_tests_of_pettingzoo(rules: str, size: int | tuple[int, int]) -> None:
    make = partial(GoEnv, gc.Game(rules, size))
    with warnings.catch_warnings(record=True) as remarks:
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        from pettingzoo.test import api_test, seed_test

        warnings.resetwarnings()
        api_test(make(), num_cycles=20)
        seed_test(make, num_cycles=20)
    assert {str(remark.message) for remark in remarks} <= REMARKS


def test_the_wrapped_environment_passes_them_too_and_an_illegal_action_loses_there() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.test import api_test

        api_test(env("capture-2", 4), num_cycles=20)
        wrapped, raw = env("capture-2", 4), raw_env("tromp-taylor", (3, 2), komi=1, max_moves=9)
        wrapped.reset()
        wrapped.step(16)  # these rules have no passing
    assert (wrapped.terminations["black_0"], wrapped.rewards) == (True, {"black_0": -1, "white_0": 0})
    assert (raw.game, raw.max_moves, raw.action("A1")) == (gc.Game("tromp-taylor", (3, 2), komi=1), 9, 3)


@given(st.sampled_from(sorted(RULES)), st.integers(2, 5), st.integers(2, 5), st.integers(0, 2**32))
def test_an_observation_is_the_positions_and_the_legal_moves(rules: str, width: int, height: int, seed: int) -> None:
    env, rng = GoEnv(gc.Game(RULES[rules], (width, height))), np.random.default_rng(seed)
    boards: list[Any] = []
    while env.agents and not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
        boards.insert(0, env.game.board_array())
        for agent, color in zip(("black_0", "white_0"), gc.Color, strict=True):
            seen = env.observe(agent)
            for past in range(8):
                board = boards[past] if past < len(boards) else np.zeros((height, width))
                assert (seen["observation"][..., 2 * past] == (board == int(color))).all()
                assert (seen["observation"][..., 2 * past + 1] == (board == int(color.opponent))).all()
            assert (seen["observation"][..., 16] == (color == gc.BLACK)).all()
            legal = env.game.legal_moves() if color == env.game.to_move else []
            assert np.flatnonzero(seen["action_mask"]).tolist() == sorted(action(env, move) for move in legal)
        env.step(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))
    over = env.game.is_over
    assert env.terminations == {"black_0": over, "white_0": over}
    assert env.truncations == {"black_0": not over, "white_0": not over}
    assert over or (len(env.game.moves) == env.max_moves and not env.game.rules.is_capture_game)
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)


def test_the_winner_has_1_and_the_loser_minus_1() -> None:
    env = actions(GoEnv(gc.Game("first-capture", 5)), "A1", "A2", "E5")
    assert env.rewards == {"black_0": 0.0, "white_0": 0.0}
    actions(env, "B1")
    assert env.rewards == {"black_0": -1.0, "white_0": 1.0}
    assert env.last(observe=False)[1:4] == (-1.0, True, False)
    assert "B1" not in env.game.legal_moves()
    env.step(None)
    assert env.last(observe=False)[1:4] == (1.0, True, False)
    env.step(None)
    assert env.agents == []
    with pytest.raises(gc.GameError, match=r"^the game is over: reset starts another one$"):
        env.step(0)
    env.reset()
    assert (env.game.moves, env.agent_selection) == ([], "black_0")


@pytest.mark.parametrize(("komi", "black"), [(11, 1.0), (12, 0.0), (13, -1.0)])
@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese"])
def test_after_two_passes_all_stones_are_alive(rules: str, komi: int, black: float) -> None:
    board = [[1, 1, 1, 1, 1], [2, 0, 1, 0, 1], [1, 1, 1, 1, 1]]  # Black leads by 12; by 15 if A2 is dead
    env = actions(GoEnv(gc.Game.from_array(board, rules, komi=komi)), "pass", "pass")
    assert env.rewards["black_0"] == -env.rewards["white_0"] == black
    assert env.terminations == {"black_0": True, "white_0": True}


def test_an_episode_starts_from_any_game_and_its_end_can_be_set() -> None:
    start = gc.Game("japanese", 5)
    start.play("C3")
    env = GoEnv(start, max_moves=2)
    assert env.agent_selection == "white_0"
    assert env.observe("white_0")["observation"][2, 2].tolist()[:4] == [False, True, False, False]
    actions(env, "A1", "B1")
    assert (env.truncations["black_0"], env.terminations["black_0"], env.rewards["black_0"]) == (True, False, 0.0)
    start.undo()
    env.reset()
    assert len(env.game.moves) == 1
    assert env.render() == str(env.game)
    assert pickle.loads(pickle.dumps(env)).game == env.game


def test_an_illegal_action_is_an_error() -> None:
    env = actions(GoEnv(gc.Game("capture-2", 5)), "C3")
    for wrong, error, words in (
        (action(env, "C3"), gc.IllegalMoveError, "^white C3: the point is not empty$"),
        (25, gc.IllegalMoveError, "^white pass: these rules have no passing$"),
        (26, ValueError, "^action is a whole number from 0 to 25, not 26$"),
        (None, TypeError, "^action is a whole number from 0 to 25, not None$"),
    ):
        with pytest.raises(error, match=words):
            env.step(wrong)
    assert len(env.game.moves) == 1
    with pytest.raises(ValueError, match=r"^the agents are black_0 and white_0, not 'black'$"):
        env.observe("black")


def test_a_game_that_is_over_or_no_game_starts_no_episode() -> None:
    game = gc.Game("first-capture", 5)
    game.resign()
    with pytest.raises(gc.GameError, match=r"^the game is over$"):
        GoEnv(game)
    with pytest.raises(TypeError, match=r"^a Game is needed, not str$"):
        GoEnv("first-capture")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^max_moves is a whole number of 1 or more, not 0$"):
        GoEnv(max_moves=0)


def test_an_episode_may_start_from_another_position_of_the_same_size() -> None:
    env, other = GoEnv(gc.Game("first-capture", 3), max_moves=2), gc.Game("capture-2", 3)
    other.play("B2")
    env.reset(options={"game": other})
    assert (env.game, env.agent_selection) == (other, "white_0")
    actions(env, "A1", "A2")
    assert env.truncations == {"black_0": True, "white_0": True}
    env.reset(seed=1, options={"options": 1})
    assert env.game == gc.Game("first-capture", 3)
    for wrong, words in ((5, "a Game is needed, not int"), (gc.Game(size=4), "the game is 4x4, but the board .* 3x3")):
        with pytest.raises((TypeError, ValueError), match=words):
            env.reset(options={"game": wrong})
