"""Threads of the solver: they agree with one thread, and leave a node that another thread has decided."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from gtp_capture.solver import dfpn
from gtp_capture.solver import solver as solver_module
from gtp_capture.solver.dfpn import choose_child
from gtp_capture.solver.solver import Solver
from gtp_capture.solver.table import INFINITE, new_table, store
from gtp_capture.solver.task import DEPTH, Root, new_frames
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

from ..support.random_games import unfinished_game

SMALL = 16 * MEBIBYTE


def use_table(solver: Solver, table: Any) -> None:
    """Give a solver a table that is smaller than its minimum."""
    solver.table = table
    solver._memories = [memory._replace(table=table) for memory in solver._memories]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("entries", [pytest.param(4, marks=pytest.mark.slow), 64, 4096, 2**20])
def test_a_table_of_any_size_gives_the_same_winners(
    entries: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver_module, "FIRST_BUDGET", 50)  # so that the threads begin at once
    large, small, chance = Solver(5, 4, SMALL), Solver(5, 4, SMALL, threads), random.Random(entries)
    use_table(small, new_table(16 * entries))
    for _ in range(6):
        game = unfinished_game("first-capture", (5, 4), range(2, 6), chance)
        expected = large.value(game.board, int(game.to_move), Limit().begin())
        assert expected != 0
        assert small.value(game.board, int(game.to_move), Limit().begin()) == expected
        small.table[:] = 0


def searching(solver: Solver, nodes: int) -> tuple[Any, Any, Any]:
    """Return the frames, the task and the paths of a thread deep in the empty board, after about `nodes` nodes."""
    task = solver.new_task(Root(0, 0, 0, 0, 0), 1)
    frames, paths = new_frames(), np.zeros((2, DEPTH), np.int64)
    task.budget = nodes
    while task.depth <= 3:
        dfpn.search(frames, task, solver._memories[0], paths)
        task.budget = 1
    return frames, task, paths


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
@pytest.mark.parametrize("numbers", [(0, INFINITE), (INFINITE, 0)])
def test_a_thread_leaves_a_node_that_another_one_has_decided(depth: int, numbers: tuple[int, int]) -> None:
    solver = Solver(6, 6, SMALL)
    frames, task, paths = searching(solver, 20_000)
    frame = frames[depth]
    store(solver.table, frame.low, frame.high, *numbers, 1000)
    before = int(task.nodes)
    assert dfpn.leave_decided(frames, int(task.depth), 1, paths, solver._memories[0]) == depth
    assert paths[1, 1 : depth + 1].all()
    assert not paths[1, depth + 1 :].any()
    choice = choose_child(frame, depth, task, paths)
    assert (choice.pn, choice.dn) == numbers
    assert task.nodes == before


def test_a_thread_stops_soon_after_another_one_has_decided_the_root() -> None:
    solver = Solver(6, 6, SMALL)
    frames, task, paths = searching(solver, 20_000)
    store(solver.table, frames[0].low, frames[0].high, INFINITE, 0, 1000)
    before = int(task.nodes)
    task.budget = 1_000_000
    dfpn.search(frames, task, solver._memories[0], paths)
    assert (task.pn, task.dn, task.depth) == (INFINITE, 0, -1)
    assert task.nodes - before < 2 * dfpn.NODES_BETWEEN_CHECKS
