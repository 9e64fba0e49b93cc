"""Work in several processes: all of it is done, or it is told in a line why not."""

from __future__ import annotations

import multiprocessing
import os
import time
from functools import partial
from pathlib import Path

import pytest

from gtp_capture.util.executor import ExecutorError, executor, perform

PLACE = partial(executor, 2)


def die_once(path: Path) -> str:
    """End the process the first time that this is called for a path."""
    if not path.exists():
        path.touch()
        os._exit(1)
    return path.name


def test_each_job_comes_back_with_its_result() -> None:
    assert sorted(perform(PLACE, abs, [-3, 2, -3])) == [(-3, 3), (-3, 3), (2, 2)]
    assert list(perform(PLACE, abs, [])) == []


def test_what_a_process_takes_with_it_is_done_again(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in "abc"]
    assert sorted(perform(PLACE, die_once, paths)) == [(path, path.name) for path in paths]


def test_work_that_ends_every_process_is_told() -> None:
    with pytest.raises(ExecutorError, match="again and again"):
        list(perform(PLACE, os._exit, [1]))


def test_what_is_given_up_ends_at_once() -> None:
    seen: list[float] = []

    def enough() -> bool:
        return len(seen) == 1

    for second, _ in perform(PLACE, time.sleep, [600, 0.01], enough):
        seen.append(second)
    assert seen == [0.01]
    end = time.monotonic() + 20
    while multiprocessing.active_children():
        assert time.monotonic() < end
        time.sleep(0.05)
