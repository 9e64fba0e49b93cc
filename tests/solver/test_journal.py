"""What workers tell one another: journals that are full, and results that arrive once."""

from __future__ import annotations

import numpy as np

from gtp_capture.solver.job import NEWS_NODES, JobSolver
from gtp_capture.solver.journal import COLUMNS, News, store_all, taken
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE


def test_a_journal_keeps_the_subtrees_that_cost_most() -> None:
    solver = JobSolver(5, 5, 16 * MEBIBYTE)
    solver._memories = [solver._memories[0]._replace(journal=solver._memories[0].journal[:101].copy())]
    solver.survey((0, 0), 1, Limit())
    journal = solver._memories[0].journal
    least = int(journal[0, 0])
    assert least > NEWS_NODES
    rows = taken(journal, 1000, NEWS_NODES)
    assert 40 <= len(rows) <= 100
    assert int(rows[:, 4].max()) == solver.nodes - 1  # the root, without its own evaluation
    assert (journal[0, 0], journal[0, 1]) == (NEWS_NODES, 0)


def test_at_most_so_many_are_taken_those_that_cost_most() -> None:
    solver = JobSolver(5, 5, 16 * MEBIBYTE)
    solver.survey((0, 0), 1, Limit())
    journal = solver._memories[0].journal
    costs = sorted(journal[1 : int(journal[0, 1]) + 1, 4].tolist())
    assert sorted(taken(journal, 20, NEWS_NODES)[:, 4].tolist()) == costs[-20:]
    assert len(taken(journal, 20, NEWS_NODES)) == 0


def test_with_the_news_of_another_worker_a_decided_position_takes_few_nodes() -> None:
    first, second = JobSolver(5, 5, 16 * MEBIBYTE), JobSolver(5, 5, 16 * MEBIBYTE)
    found = first.survey((0, 0), 1, Limit())
    store_all(second.table, first.news(100_000))
    assert second.survey((0, 0), 1, Limit()) == found
    assert second.nodes < 100 < first.nodes


def test_each_row_of_the_news_is_sent_once_and_old_ones_are_dropped() -> None:
    news, told, seen = News(10), 0, []
    for number in range(50):
        news.add(np.full((number % 4, COLUMNS), number, np.uint64))
        if number % 3 == 0:
            seen += news.since(told)[:, 0].tolist()
            told = news.end
    assert seen == [number for number in range(49) for _ in range(number % 4)]
    assert 10 <= len(news.since(0)) <= 20
    news.add(np.zeros((100, COLUMNS), np.uint64))
    assert len(news.since(told)) >= 10
