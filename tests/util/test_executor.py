"""Jobs in several processes: all are done, or an error of one line gives the reason."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from gtp_capture.util.executor import AHEAD, executor, run_jobs
from gtp_capture.util.files import RequestError

from ..support.process import HANG, KILL, alive, children, output, send_to_group, started, wait_until

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


def test_jobs_that_end_while_nobody_looks_keep_their_order() -> None:
    ended = threading.Event()

    def job(number: int) -> None:
        if number == 49:
            ended.set()

    with closing(run_jobs(partial(ThreadPoolExecutor, 1), job, range(50))) as results:
        numbers = [next(results)[0]]
        assert ended.wait(HANG)
        numbers += [number for number, _ in results]
    assert numbers == list(range(50))


@pytest.mark.slow
def test_jobs_are_taken_as_others_end() -> None:
    endless = itertools.count()
    with closing(run_jobs(MAKE_EXECUTOR, abs, endless)) as results:
        assert len(list(itertools.islice(results, 3))) == 3
    assert next(endless) <= AHEAD + 3


@pytest.mark.slow
def test_jobs_of_a_process_that_died_are_done_again(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in "abc"]
    assert sorted(run_jobs(MAKE_EXECUTOR, die_once, paths)) == [(path, path.name) for path in paths]


def kill_or_wait(path: Path) -> None:
    """Kill the first process that calls this for `dies`, and wait for that with `waits`."""
    killed = path.with_name("killed")
    if path.name == "waits":
        with path.open("a", encoding="utf-8") as file:
            file.write("called ")
        wait_until(killed.exists)
    elif not killed.exists():
        wait_until(path.with_name("waits").exists)
        killed.touch()
        os.kill(os.getpid(), KILL)


@pytest.mark.slow
def test_a_process_that_is_killed_ends_no_other_job(tmp_path: Path) -> None:
    assert len(list(run_jobs(MAKE_EXECUTOR, kill_or_wait, [tmp_path / "waits", tmp_path / "dies"]))) == 2
    assert (tmp_path / "waits").read_text(encoding="utf-8") == "called "


@pytest.mark.slow
def test_a_job_that_ends_every_process_raises_an_error() -> None:
    with pytest.raises(RequestError, match=r"^worker processes end repeatedly without a result$"):
        list(run_jobs(MAKE_EXECUTOR, os._exit, [1]))


def test_an_error_of_a_job_reaches_the_caller() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(run_jobs(MAKE_EXECUTOR, int, ["1", "x"]))


def test_results_come_in_the_order_of_completion_and_cancelled_jobs_end_at_once() -> None:
    seen: list[float] = []

    def enough() -> bool:
        return len(seen) == 1

    for second, _ in run_jobs(MAKE_EXECUTOR, time.sleep, [600, 0.01], enough):
        seen.append(second)
    assert seen == [0.01]
    wait_until(lambda: not multiprocessing.active_children())


def stay(path: Path) -> None:
    """Stop this process, so that it cannot end by itself."""
    if path.name == "stays":
        path.touch()
        os.kill(os.getpid(), signal.SIGSTOP if sys.platform != "win32" else KILL)
    wait_until(path.with_name("stays").exists)


@pytest.mark.slow
@pytest.mark.posix
def test_a_process_that_is_stopped_is_killed_at_the_end(tmp_path: Path) -> None:
    seen: list[str] = []
    for path, _ in run_jobs(MAKE_EXECUTOR, stay, [tmp_path / "stays", tmp_path / "ends"], lambda: bool(seen)):
        seen.append(path.name)
    assert seen == ["ends"]
    wait_until(lambda: not multiprocessing.active_children())


@pytest.mark.posix
def test_a_worker_ignores_sigint_and_its_children_may_get_it() -> None:
    with executor(1) as pool:
        handler, blocked = pool.submit(_sigint_state).result(timeout=HANG)
    assert (handler, blocked) == (signal.SIG_IGN, False)


def _sigint_state() -> tuple[object, bool]:
    if sys.platform == "win32":
        raise NotImplementedError
    return signal.getsignal(signal.SIGINT), signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, set())


SLEEPERS = """
import sys, time
from functools import partial
from gtp_capture.util.executor import executor, run_jobs
from tests.util.test_executor import tell_and_sleep
try:
    list(run_jobs(partial(executor, 3), tell_and_sleep, sys.argv[1:]))
except KeyboardInterrupt:
    sys.exit(130)
"""


def tell_and_sleep(name: str) -> None:
    """Write a file to show that the job runs, and sleep."""
    Path(name).touch()
    time.sleep(600)


@pytest.mark.slow
@pytest.mark.linux
@pytest.mark.parametrize("end", [signal.SIGINT, KILL])
@pytest.mark.parametrize("early", [True, False])
def test_an_end_of_the_parent_ends_the_workers(end: signal.Signals, early: bool, tmp_path: Path) -> None:
    names = [tmp_path / name for name in "abc"]
    with started([sys.executable, "-c", SLEEPERS, *map(str, names)], own_session=True) as process:
        wait_until(lambda: children(process.pid) if early else all(name.exists() for name in names))
        pids = children(process.pid)
        if end == KILL:
            process.kill()
        else:
            send_to_group(process.pid, end)
        _, said = output(process, HANG)
    if end == signal.SIGINT:
        assert (process.returncode, said) == (130, "")
    wait_until(lambda: not any(map(alive, pids)))
