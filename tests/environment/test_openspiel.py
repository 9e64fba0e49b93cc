"""The game of OpenSpiel: its own simulations and playthroughs, and each position against `Game`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.observation import make_observation

import gtp_capture as gc
import gtp_capture.environment.openspiel
from gtp_capture.environment import observe

GAMES = [
    "python_capture_go(size=3)",
    "python_capture_go(rules=capture-3,size=4)",
    "python_capture_go(rules=tromp-taylor,size=2)",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_it_passes_the_simulations_of_openspiel(name: str) -> None:
    from open_spiel.python.tests import games_sim_test

    game = pyspiel.load_game(name)
    np.random.seed(1)
    games_sim_test.GamesSimTest().sim_game(game)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


@pytest.mark.slow
def test_a_playthrough_is_played_again_to_the_same_lines(tmp_path: Path) -> None:
    from open_spiel.python.algorithms import generate_playthrough

    flags.FLAGS.mark_as_parsed()  # OpenSpiel's own program would read its options
    path = tmp_path / "capture.txt"
    path.write_text(generate_playthrough.playthrough(GAMES[0], action_sequence=None, seed=1))
    expected, actual = generate_playthrough.replay(str(path))
    assert expected == actual
    assert 'GameType.short_name = "python_capture_go"' in expected


@pytest.mark.parametrize("name", GAMES)
def test_each_state_is_that_of_the_game(name: str) -> None:
    spiel, rng = pyspiel.load_game(name), np.random.default_rng(1)
    parameters = spiel.get_parameters()
    own = gc.Game(parameters.get("rules", "first-capture"), parameters["size"])
    state, observation = spiel.new_initial_state(), make_observation(spiel)
    while not state.is_terminal():
        assert state.current_player() == (own.to_move == gc.WHITE)
        assert state.legal_actions() == np.flatnonzero(own.legal_mask()).tolist()
        observation.set_from(state, 0)
        assert (observation.dict["observation"] == observe([own]).observations[0]).all()
        vertex = str(rng.choice(own.legal_moves()))
        assert state.action_to_string(state.action(vertex)) == f"{'BW'[own.to_move == gc.WHITE]} {vertex}"
        state.apply_action(state.action(vertex))
        own.play(vertex)
    assert own.outcome is not None
    winner = own.outcome.winner
    assert state.returns() == [0 if winner is None else 1 if winner is color else -1 for color in gc.Color]
    assert str(state) == str(own)


def test_wrong_parameters_are_errors() -> None:
    for wrong in ("rules=japanese", "rules=chess", "size=99"):
        with pytest.raises((ValueError, pyspiel.SpielError)):
            pyspiel.load_game(f"python_capture_go({wrong})")
