"""The yardstick: frozen openings, metrics against their definition by single solves, and data sets."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import CancelledError
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import gtp_capture as gc
from gtp_capture.go.vertex import PASS, action_of
from gtp_capture.solver.result import next_capture_wins
from gtp_capture.util.files import RequestError
from gtp_capture.yardstick import TASKS, Mean, Share, measure, write_data
from gtp_capture.yardstick.tasks import digest_of

from ..library.bot import Corner, Wrong


class Solved:
    """Plays the first move of a line of best play."""

    name = "solved"

    def choose(self, game: gc.Game, limit: gc.Deadline) -> str:
        line = gc.solve(game, seconds=None).line
        return line[0] if line else game.legal_moves()[0]


class Careless:
    """Loses whenever it can."""

    name = "careless"

    def choose(self, game: gc.Game, limit: gc.Deadline) -> str:
        values = gc.action_values(game, seconds=None)
        return next(move for move in game.legal_moves() if values[action_of(game.point(move), *game.size)] < 0)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (not name.endswith("3x3"))) for name in TASKS]
)
def test_the_openings_of_a_task_are_those_of_its_hash(name: str) -> None:
    task = TASKS[name]
    games = task.openings()
    assert len(games) == task.count
    least, most = task.plies
    for game in games:
        assert (str(game.rules), game.size, game.is_over) == (task.rules, task.size, False)
        assert least <= len(game.moves) <= most
        assert PASS not in [move.point for move in game.moves]
        assert not (task.rules == "first-capture" and game.atari(game.to_move.opponent))
    assert len({game.board_array().tobytes() + bytes([int(game.to_move)]) for game in games}) > 0.9 * task.count
    other = [game.copy() for game in games]
    other[-1].undo()
    assert digest_of(other) != task.digest


def test_values_on_6x6_are_of_positions_with_eight_stones() -> None:
    for name, task in TASKS.items():
        if task.exact and task.size == (6, 6):
            assert task.plies[0] + 4 * task.crosscut >= 8, name


@pytest.mark.slow
def test_a_player_by_the_solver_is_perfect_and_a_careless_one_throws_all_away() -> None:
    best, worst = (
        measure(agent, "capture-go-4x4", openings=40, games=4, levels=(1,)) for agent in (Solved(), Careless())
    )
    assert best.thrown is not None
    assert worst.thrown is not None
    assert best.thrown.cases == worst.thrown.cases > 5
    assert (best.thrown.hits, worst.thrown.hits) == (0, worst.thrown.cases)
    assert best.regret is not None
    assert worst.regret is not None
    assert best.regret[:3] == (0.0, 0.0, 0.0)
    assert worst.regret.value > 0
    assert best.held == (40, 40)
    assert worst.held is not None
    assert worst.held.hits < 20
    assert best.won[1].hits > worst.won[1].hits


@pytest.mark.slow
@pytest.mark.parametrize("name", ["capture-go-4x4", "capture-2-3x3"])
def test_the_metrics_of_a_simple_bot_are_those_of_single_solves(name: str) -> None:
    games = TASKS[name].openings()[:25]
    decisive, thrown, regrets = 0, 0, list[float]()
    for game in games:
        mover, move = game.to_move, game.legal_moves()[0]
        winners = gc.solve(game, seconds=None, memory=16, first_moves=True).first_moves
        results = {winners.get(vertex, mover.opponent) == mover for vertex in game.legal_moves()}
        best, own = True in results, winners.get(move, mover.opponent) == mover
        decisive += len(results) == 2
        thrown += len(results) == 2 and not own
        if own == best and next_capture_wins(game.rules, game.board):
            following = game.copy()
            following.play(move)
            left = 0 if following.is_over else gc.solve(following, seconds=None).plies
            whole = gc.solve(game, seconds=None).plies
            assert left is not None
            assert whole is not None
            regrets.append(abs(1 + left - whole))
    report = measure(Corner(), name, openings=25, games=0)
    assert (report.agent, report.task, report.faults, report.won) == ("corner", name, 0, {})
    assert report.thrown == Share(thrown, decisive)
    if TASKS[name].lengths:
        assert report.regret == Mean.of(regrets)
    else:
        assert report.regret is None


@pytest.mark.slow
def test_an_engine_is_measured_like_the_bot_that_it_serves() -> None:
    bot, engine = (
        measure(agent, "capture-2-3x3", openings=8, games=2, levels=(1,))
        for agent in (Corner(), f"{sys.executable} -m tests.library.bot corner")
    )
    assert (bot.thrown, bot.held, bot.won, bot.faults) == (engine.thrown, engine.held, engine.won, engine.faults)


class Top:
    """Plays the first legal action: from the top left, row by row."""

    name = "top"

    def choose(self, game: gc.Game, limit: gc.Deadline) -> str:
        return min(game.legal_moves(), key=lambda move: action_of(game.point(move), *game.size))


def top(observations: npt.NDArray[np.uint8], legal: npt.NDArray[np.bool_]) -> npt.ArrayLike:
    """The same as a function of a batch."""
    assert observations.shape[0] == len(legal)
    chosen: npt.NDArray[np.int64] = legal.argmax(axis=1)
    return chosen


@pytest.mark.slow
def test_a_function_of_a_batch_is_measured_like_the_bot_that_plays_the_same() -> None:
    bot, function = (measure(agent, "capture-go-4x4", openings=20, games=4, levels=(1,)) for agent in (Top(), top))
    assert function == replace(bot, agent="top")
    wrong = measure(lambda observations, legal: legal.argmin(axis=1), "capture-go-4x4", openings=20, games=0)
    assert wrong.faults > 0
    for answer, said in ((lambda *seen: 5, "returned int64 of shape"), (lambda *seen: 1 / 0, "ZeroDivisionError")):
        with pytest.raises(RequestError, match=said):
            measure(answer, "capture-2-3x3", notify=lambda text: None)


@pytest.mark.slow
def test_a_move_that_fails_loses_and_is_counted() -> None:
    said = list[str]()
    for answer in ("Z9", ZeroDivisionError("x")):
        report = measure(Wrong(answer), "capture-go-4x4", openings=20, games=2, levels=(1,), notify=said.append)
        assert report.thrown is not None
        assert report.thrown.hits == report.thrown.cases
        assert report.held == (0, 20)
        assert report.won[1] == (0, 2)
        assert report.faults == 20 + 20 + 2
    assert "Z9" in said[0]
    assert any("ZeroDivisionError" in line for line in said[1:])


def test_a_measurement_that_is_stopped_has_no_result(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(CancelledError):
        measure(Corner(), "capture-2-3x3", stop=stop)
    with pytest.raises(CancelledError):
        write_data(tmp_path / "a.npz", "capture-2-3x3", count=5, stop=stop)
    assert [*tmp_path.iterdir()] == []


def test_wrong_arguments_have_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no task 'go': choose capture-go-4x4"):
        measure(Corner(), "go")
    with pytest.raises(TypeError, match="an agent is a bot"):
        measure(5, "capture-2-3x3")  # type: ignore[arg-type]
    for agent, said in (
        ("level-11", "is not a level"),
        ("nothing:here", "nothing:here cannot be loaded: ModuleNotFoundError"),
        ("os:sep", "os:sep is neither a bot nor"),
        ("no such program", "cannot start [^;]*$"),
        (
            "gready",
            "cannot start 'gready': .*; an agent is random, greedy, shape, level-1 to level-10, module:name",
        ),
        (" ", "not an empty text"),
    ):
        with pytest.raises(RequestError, match=said):
            measure(agent, "capture-2-3x3")
    for levels in (3, "13"):
        with pytest.raises(TypeError, match=r"levels are several whole numbers, such as \(1, 3\)"):
            measure(Corner(), "capture-2-3x3", levels=levels)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="openings is a whole number from 1 to 100, not 101"):
        measure(Corner(), "capture-2-3x3", openings=101)
    with pytest.raises(ValueError, match="games alone, and no values"):
        write_data(tmp_path / "a.npz", "capture-go-9x9")
    with pytest.raises(RequestError, match="capture-2-3x3 has no 1000 positions"):
        write_data(tmp_path / "a.npz", replace(TASKS["capture-2-3x3"], size=(2, 2)))


def test_intervals_are_those_of_the_textbook() -> None:
    share = Share(12, 40)
    low, high = share.interval
    assert (round(low, 3), round(high, 3)) == (0.181, 0.454)  # Wilson, worked out by hand
    assert str(share) == "12 of 40, 30.0 % [18.1, 45.4]"
    assert str(Share(0, 0)) == str(Mean.of([])) == "no case"
    assert str(Mean.of([1.0, 2.0, 3.0])) == "2.00 [0.87, 3.13] of 3"  # 1.96 / sqrt(3) on each side


@pytest.mark.slow
@pytest.mark.parametrize("name", ["capture-go-4x4", "capture-3-3x3", "crosscut-6x6"])
def test_a_data_set_has_the_answers_of_the_solver_and_is_the_same_for_a_seed(name: str, tmp_path: Path) -> None:
    task = TASKS[name]
    card = write_data(tmp_path / "a.npz", name, count=12, seed=3)
    write_data(tmp_path / "b.npz", name, count=12, seed=3)
    write_data(tmp_path / "c.npz", name, count=12, seed=4)
    first, second, third = ((tmp_path / f"{letter}.npz").read_bytes() for letter in "abc")
    assert first == second != third
    with np.load(tmp_path / "a.npz", allow_pickle=False) as file:
        data = dict(file)
    assert str(data["card"]) == card
    assert "Licence: CC0" in card
    assert data["boards"].shape == (12, task.size[1], task.size[0])
    assert ("plies" in data) is task.lengths
    for board, color, prisoners, values in zip(
        data["boards"], data["to_move"], data["prisoners"], data["values"], strict=True
    ):
        game = gc.Game.from_array(board, task.rules, to_move=gc.Color(int(color)))
        if prisoners.any():
            continue  # a position of an array has no prisoners
        assert np.array_equal(values != 0, game.legal_mask())
        winner = gc.solve(game, seconds=None).winner
        assert (winner == game.to_move) is bool((values > 0).any())
