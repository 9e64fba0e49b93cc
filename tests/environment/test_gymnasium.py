"""The environments of Gymnasium: its own checks, and each step against `Game`."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import gtp_capture as gc
import gtp_capture.environment
from gtp_capture.environment import random_agent


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "size", "opponent"),
    [("first-capture", 5, "level-3"), ("capture-2", (4, 3), "random"), ("tromp-taylor", 5, "random")],
    ids=str,
)
def test_it_passes_the_checks_of_gymnasium(rules: str, size: Any, opponent: str) -> None:
    env = gymnasium.make("CaptureGo-v1", rules=rules, size=size, opponent=opponent, render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        check_env(env.unwrapped)


@pytest.mark.slow
@pytest.mark.parametrize("color", ["black", "white", None])
@pytest.mark.parametrize("rules", ["first-capture", "capture-3", "tromp-taylor"])
def test_each_step_is_a_move_and_the_answer(rules: str, color: str | None) -> None:
    envs = gymnasium.make_vec(
        "CaptureGo-v1", num_envs=4, rules=rules, size=4, opponent="random", color=color, plies=(0, 2)
    )
    agent, over = random_agent(1), np.zeros(4, bool)
    seen, info = envs.reset(seed=1)
    boards = envs.unwrapped.batch
    results = []
    for _ in range(200):
        games = [boards.game(i) for i in range(4)]
        actions = agent(seen, info["action_mask"].astype(bool))
        seen, rewards, terminated, truncated, info = envs.step(actions)
        assert envs.observation_space.contains(seen)
        for i, game in enumerate(games):
            after = boards.game(i)
            assert (info["action_mask"][i] == (after.legal_mask() if not truncated[i] else 0)).all()
            if over[i]:
                assert (rewards[i], terminated[i]) == (0, False)
                continue
            side = game.to_move
            assert color is None or side == color
            game.play(boards.vertex(int(actions[i])))
            assert after.copy(len(game.moves)) == game
            assert len(after.moves) - len(game.moves) == (not game.is_over and not (truncated[i] and after == game))
            outcome = after.outcome
            winner = None if outcome is None else outcome.winner
            assert rewards[i] == (0 if winner is None else 1 if winner is side else -1)
            assert terminated[i] == after.is_over
            results.append((str(side), float(rewards[i])))
        over = terminated | truncated
    assert {side for side, _ in results} == ({color} if color else {"black", "white"})
    assert {reward for _, reward in results} == {-1.0, 0.0, 1.0}


def test_an_illegal_action_loses_and_a_step_after_the_end_is_an_error() -> None:
    env = gymnasium.make("CaptureGo-v1", rules="capture-2", size=5, opponent="random", disable_env_checker=True)
    with pytest.raises(gc.GameError, match=r"^the game is over: reset starts another one$"):
        env.unwrapped.step(0)
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1] * 25 + [0]
    _, reward, terminated, truncated, info = env.step(25)
    assert (reward, terminated, truncated, info["action_mask"].any()) == (-1.0, True, False, False)
    with pytest.raises(gc.GameError, match=r"^the game is over: reset starts another one$"):
        env.step(0)
    assert env.unwrapped.vertex(env.unwrapped.action("C3")) == "C3"


@pytest.mark.slow
def test_a_level_and_a_function_are_opponents_and_nothing_else() -> None:
    env = gymnasium.make("CaptureGo-v1", size=5, opponent="level-9")
    env.reset(seed=1, options={"games": [gc.load_sgf("(;SZ[5];B[aa];W[ab];B[ec];W[cc])")]})
    assert env.step(env.unwrapped.action("A1"))[1:3] == (-1.0, True)  # White captures
    last = lambda observations, legal: legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)  # noqa: E731
    envs = gymnasium.make_vec("CaptureGo-v1", num_envs=2, rules="capture-2", size=3, opponent=last)
    envs.reset()
    envs.step([0, 1])
    assert [str(boards.moves[1]) for boards in map(envs.unwrapped.batch.game, (0, 1))] == ["W C1", "W C1"]
    for wrong in ("level-11", "strong"):
        with pytest.raises(ValueError, match=r"is not a level|is no opponent"):
            gymnasium.make("CaptureGo-v1", opponent=wrong)
