"""The tool that learns the network: its gradients against differences, its examples, and a small run from nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.network.network import begin_policy, need_class, record, shipped, win_rate

from ..benchmarks import learn
from ..benchmarks.learn import (
    SHAPES,
    Examples,
    examples,
    first_weights,
    fit,
    gradients,
    losses,
    stored,
    weights_of,
    zeros,
)
from ..support.diagrams import set_up
from .test_codes import scratch
from .test_network import rules

pytestmark = pytest.mark.slow

POSITIONS = ["X.... .O... ..X.. ...O. .....", ".XO.. .XO.. ..... ..... ....."]


def some_examples() -> Examples:
    """A few positions with made-up results."""
    chance = np.random.default_rng(3)
    stones = np.array([set_up(text, "capture-3").board_array()[::-1].ravel() for text in POSITIONS])
    visits = chance.integers(0, 50, stones.shape) * (stones == 0)
    return examples(5, stones, np.array([[1, 1], [3, 2]]), np.array([4, -1]), visits, np.array([0.8, 0.3]))


def mean_loss(weights: Any, data: Examples) -> float:
    value, policy = losses(weights, data, np.arange(len(data.target)))
    return value + 0.5 * policy


def test_gradients_are_the_differences_of_the_loss() -> None:
    data, weights, slopes = some_examples(), first_weights(1), zeros()
    rows = np.arange(len(data.target))
    gradients(data, rows, weights, slopes, True)
    for name in SHAPES:
        values, slope = getattr(weights, name), getattr(slopes, name)
        steepness = float(np.linalg.norm(slope))
        kept, step = values.copy(), 0.002 * slope / steepness
        values += step
        above = mean_loss(weights, data)
        values[:] = kept - step
        below = mean_loss(weights, data)
        values[:] = kept
        assert (above - below) / 0.004 == pytest.approx(steepness, rel=0.03), name


def test_a_fit_learns_its_examples_and_the_stored_network_says_the_same() -> None:
    data, weights = some_examples(), first_weights(1)
    rows = np.tile(np.arange(len(data.target)), 256)
    fit(weights, [data], [rows], 600, 1, 0.003)
    network = record(stored(weights))
    for text, aim, prisoners in zip(POSITIONS, data.target, [(2, 2), (0, 1)], strict=True):
        game = set_up(text, "capture-3")
        game.board.prisoners[1:3] = prisoners
        assert win_rate(game.board, rules(game), int(game.to_move), network, scratch()) == pytest.approx(aim, abs=0.05)


def test_the_weights_of_a_stored_network_are_stored_as_it() -> None:
    network = stored(first_weights(1))
    again = stored(weights_of(network))
    for name, values in network.items():
        np.testing.assert_allclose(again[name], values, rtol=1e-4, atol=1e-6, err_msg=name)


def test_examples_of_ordinary_go_hold_the_codes_of_the_kernel() -> None:
    game = set_up(POSITIONS[0], "chinese")
    stones = game.board_array()[::-1].reshape(1, -1)
    needs = np.array([[need_class(game.board, rules(game), c) + 1 for c in (BLACK, WHITE)]])
    data = examples(5, stones, needs, np.array([-1]), np.zeros((1, 25)), np.zeros(1), ordinary=True)
    work = scratch()
    begin_policy(game.board, rules(game), BLACK, shipped(ordinary=True), work)
    np.testing.assert_array_equal(data.codes[0], work.codes[:, :25])
    np.testing.assert_array_equal(data.needs[0], [9, 1])


@pytest.mark.parametrize("ordinary", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_run_goes_on_after_an_interruption_and_refuses_other_options(ordinary: bool, tmp_path: Path) -> None:
    folder = tmp_path / "runs"

    def run(generations: int, positions: int = 100) -> Result:
        options = f"--positions {positions} --playouts 8 --epochs 2 --generations {generations}"
        command = [str(folder), "--out", str(tmp_path / "out.npz"), *options.split(), *["--ordinary"] * ordinary]
        return CliRunner().invoke(learn.main, command)

    def squares() -> Any:
        with np.load(tmp_path / "out.npz") as file:
            return record(dict(file)).squares

    assert run(1).exit_code == 0
    first = squares()
    kept = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert run(2).exit_code == 0
    second = squares()
    assert np.any(first != second)
    for name in ("network-1.npz", f"1-9-{int(not ordinary)}-0.npz"):
        (folder / name).unlink()  # as if it had been interrupted in the second generation
    assert run(2).exit_code == 0
    np.testing.assert_array_equal(squares(), second)
    assert all(path.stat().st_mtime_ns == time for path, time in kept.items() if path.name != "options.txt")
    refused = run(2, positions=200)
    assert refused.exit_code == 2
    assert "is of a run with positions 100" in refused.stderr
