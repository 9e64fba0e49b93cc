"""The searches that sessions share: few at a time, kept for the next request of the same kind."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from gtp_capture.tutor.searches import Pool

from ..support.process import HANG


def test_a_pool_lends_at_most_its_number_and_waits_for_the_others() -> None:
    pool: Pool[object] = Pool(2)
    inside, most, lock, both = set[int](), [0], threading.Lock(), threading.Barrier(2)

    def work(number: int) -> None:
        with pool.lend("key", object):
            with lock:
                inside.add(number)
                most[0] = max(most[0], len(inside))
            both.wait(HANG)  # two are there at a time, or this breaks
            with lock:
                inside.remove(number)

    with ThreadPoolExecutor(6) as threads:
        assert len([*threads.map(work, range(6))]) == 6
    assert most[0] == 2


def test_a_pool_keeps_the_values_that_came_back_last() -> None:
    pool: Pool[list[str]] = Pool(2)
    made: list[str] = []

    def lent(key: str) -> list[str]:
        with pool.lend(key, lambda: [made.append(key) or key]) as value:  # type: ignore[func-returns-value]
            return value

    first, second = lent("a"), lent("b")
    assert (lent("a"), lent("b")) == (first, second)
    assert made == ["a", "b"]
    lent("c")  # in place of a, which came back before b
    assert lent("b") is second
    assert lent("a") is not first
    assert made == ["a", "b", "c", "a"]


def test_a_value_comes_back_after_an_error() -> None:
    pool: Pool[object] = Pool(1)
    for _ in range(2):
        try:
            with pool.lend("key", object):
                raise ValueError
        except ValueError:
            pass
