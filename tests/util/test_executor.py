"""Jobs in several processes: all are done, or an error of one line gives the reason."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from gtp_capture.util import executor as executor_module
from gtp_capture.util.executor import ExecutorError, executor, run_jobs

from ..support.process import HANG, wait_until

MAKE_EXECUTOR = partial(executor, 2)


def die_once(path: Path) -> str:
    """End the process at the first call for a path."""
    if not path.exists():
        path.touch()
        os._exit(1)
    return path.name


def test_each_job_is_yielded_with_its_result() -> None:
    assert sorted(run_jobs(MAKE_EXECUTOR, abs, [-3, 2, -3])) == [(-3, 3), (-3, 3), (2, 2)]
    assert list(run_jobs(MAKE_EXECUTOR, abs, [])) == []


@pytest.mark.slow
def test_jobs_of_a_process_that_died_are_done_again(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in "abc"]
    assert sorted(run_jobs(MAKE_EXECUTOR, die_once, paths)) == [(path, path.name) for path in paths]


@pytest.mark.slow
def test_a_job_that_ends_every_process_raises_an_error() -> None:
    with pytest.raises(ExecutorError, match="end repeatedly"):
        list(run_jobs(MAKE_EXECUTOR, os._exit, [1]))


def test_cancelled_jobs_end_at_once() -> None:
    seen: list[float] = []

    def enough() -> bool:
        return len(seen) == 1

    for second, _ in run_jobs(MAKE_EXECUTOR, time.sleep, [600, 0.01], enough):
        seen.append(second)
    assert seen == [0.01]
    wait_until(lambda: not multiprocessing.active_children())


def stay(path: Path) -> None:
    """Do not end when told to."""
    if path.name == "stays":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        path.touch()
        time.sleep(600)
    wait_until(path.with_name("stays").exists)


@pytest.mark.slow
@pytest.mark.posix
def test_a_process_that_does_not_end_when_told_to_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor_module, "END_SECONDS", 0.5)
    seen: list[str] = []
    for path, _ in run_jobs(MAKE_EXECUTOR, stay, [tmp_path / "stays", tmp_path / "ends"], lambda: bool(seen)):
        seen.append(path.name)
    assert seen == ["ends"]
    wait_until(lambda: not multiprocessing.active_children())


@pytest.mark.posix
def test_ctrl_c_while_processes_start_is_not_lost() -> None:
    with pytest.raises(KeyboardInterrupt), executor_module._sigint_held():
        os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.posix
def test_a_worker_ignores_sigint_and_its_children_may_get_it() -> None:
    with executor(1) as pool:
        handler, blocked = pool.submit(_sigint_state).result(timeout=HANG)
    assert (handler, blocked) == (signal.SIG_IGN, False)


def _sigint_state() -> tuple[object, bool]:
    if sys.platform == "win32":
        raise NotImplementedError
    return signal.getsignal(signal.SIGINT), signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, set())
