"""Less memory than requested: the search uses what there is, reports it once, and plays."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import psutil
import pytest

from gtp_capture import Game
from gtp_capture.go.vertex import BLACK
from gtp_capture.gtp.engine import Engine
from gtp_capture.gtp.options import Options
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import sparse_zeros

from ..support.process import ENGINE, HANG, GtpProcess, python, resource_limit

pytestmark = [
    pytest.mark.linux,  # it enforces limits of the address space
    pytest.mark.usefixtures("compiled"),
]

GIBIBYTE = 2**30
LIBRARIES = 40 * 2**20 * min(64, os.cpu_count() or 1)
"""Bytes of address space that the threads of NumPy's linear algebra take: 40 MiB for each core."""


def limited(kibibytes: int, lines: str, *options: str) -> subprocess.CompletedProcess[bytes]:
    """Run our engine on a script with a limited address space."""
    command = ["/bin/sh", "-c", f'ulimit -v {kibibytes}; exec "$@"', "sh", *ENGINE, *options]
    return subprocess.run(command, input=lines.encode(), capture_output=True, timeout=HANG, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "level", "threads"), [(6, "10", "40"), (13, "10", "2"), (9, "7", "1")])
def test_the_search_uses_the_memory_there_is(size: int, level: str, threads: str) -> None:
    lines = f"boardsize {size}\nplay b A1\ngenmove w\ngenmove b\ngenmove w\nreg_genmove b\n"
    options = ("--memory", "8000", "--playouts", "500", "--level", level, "--threads", threads)
    done = limited((GIBIBYTE + LIBRARIES) // 1024, lines, *options)
    assert done.stdout.count(b"\n\n= ") == 5, done.stderr.decode()
    said = done.stderr.decode().splitlines()
    (line,) = [text for text in said if text.startswith("memory")]
    mebibytes = re.fullmatch(r"memory: (\d+) of 8000 MiB", line)
    assert mebibytes is not None
    assert 10 < int(mebibytes[1]) < 1024
    assert max(map(len, said)) <= 28
    assert len([text for text in said if re.fullmatch(r"threads: \d+ of \d+", text)]) <= 1
    assert "no compiled" not in done.stderr.decode()


@pytest.mark.slow
def test_sufficient_memory_is_not_reported() -> None:
    options = ("--memory", "1000", "--playouts", "100", "--threads", "2", "--no-opening-book")
    done = limited((8 * GIBIBYTE + LIBRARIES) // 1024, "genmove b\n", *options)
    assert re.search(rb"memory|threads", done.stderr) is None


def test_memory_is_measured_after_the_compiled_search_is_loaded() -> None:
    from gtp_capture.players.perfect_play import PerfectPlay
    from gtp_capture.util.memory import Allocation

    requested: list[Allocation] = []

    def allocation() -> Allocation:
        requested.append(Allocation(2**24, 1))
        return requested[-1]

    game = Game("first-capture", 7)
    assert (
        PerfectPlay(allocation, lambda deadline, large: False).solve(game, BLACK, Limit(nodes=10).begin()).winner
        is None
    )
    assert requested == []
    PerfectPlay(allocation, lambda deadline, large: True).solve(game, BLACK, Limit(nodes=10).begin())
    assert len(requested) == 1


def test_a_tree_that_cannot_be_copied_is_dropped() -> None:
    from gtp_capture.jit.records import Turn, rules_record
    from gtp_capture.search import mcts

    game = Game("first-capture", 9)
    tree = mcts.Tree(2**28, 1, 1)

    def think() -> int:
        turn = Turn(game.board, rules_record(game.rules, 0.0), BLACK)
        return tree.search(mcts.ROOT, turn, game.legal_plays(), Limit(playouts=1000).begin())

    think()
    best = tree.child(mcts.ROOT, tree.candidates(mcts.ROOT)[0].move)
    assert best is not None
    used = psutil.Process().memory_info().vms
    with resource_limit("RLIMIT_AS", used + 2**20):  # the allocation of large blocks fails
        assert tree.keep_only(best) == mcts.ROOT
    assert tree.size == 0
    assert think() == 1000
    assert tree.size > 100


def test_sparse_zeros_are_zeros_that_take_no_memory_before_they_are_used() -> None:
    process = psutil.Process()
    before = process.memory_info().rss
    array = sparse_zeros(2**28, np.float32)
    assert array.dtype == np.float32
    assert array.flags.writeable
    array[2**27] = 1
    assert process.memory_info().rss - before < 2**20  # one large page alone has 2 MiB
    assert array[: 2**20].sum() == 0


def test_more_zeros_than_addresses_are_a_memory_error() -> None:
    for count in (2**62, 2**70):
        with pytest.raises(MemoryError):
            sparse_zeros(count, np.int64)


FIRST_SEARCH = """
import sys
import gtp_capture.search.mcts
from gtp_capture import Game, analyse
before = set(sys.modules)
game = Game("first-capture", 9)
print(bool(analyse(game, playouts=50).moves))
print(*sorted(name for name in set(sys.modules) - before if name.startswith("num")))
"""


@pytest.mark.slow
def test_the_first_search_imports_nothing_more_of_numba_or_numpy() -> None:
    assert python(FIRST_SEARCH).split() == ["True"]


@pytest.mark.slow
@pytest.mark.parametrize("kibibytes", [300_000, 500_000, 700_000, 900_000])
def test_a_session_short_of_memory_answers_everything_and_says_so_in_one_line(kibibytes: int) -> None:
    lines = "boardsize 9\ncapture-hint\nplay b D4\ngenmove w\nplay b A1\nreg_genmove w\nname\n"
    done = limited(kibibytes, lines, "--playouts", "100", "--threads", "2", "--seed", "1")
    said = done.stderr.decode()
    assert done.returncode == 0
    assert "Traceback" not in said
    assert "llvmlite" not in said
    assert "not enough memory" in said or re.search(r"^memory: \d+ of 512 MiB$", said, re.MULTILINE)
    assert [answer[:1] for answer in done.stdout.decode().split("\n\n")] == ["="] * 7 + [""]


def test_a_search_without_memory_for_its_tree_leaves_the_choice_to_the_player_without_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from gtp_capture.search import mcts

    def without_memory(*args: object) -> object:
        raise MemoryError

    monkeypatch.setattr(mcts, "rehearse", lambda: None)
    monkeypatch.setattr(mcts, "new_nodes", without_memory)
    engine = Engine(Options(width=7, height=7, no_opening_book=True, playouts=10), lambda text: None)
    engine.genmove(BLACK)
    assert len(engine.game.moves) == 1
    assert engine.last_note == "not enough memory"


THREADS = """
import resource, threading
from gtp_capture.util.memory import is_shortage
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**26, used + 2**26))
try:
    while True:
        threading.Thread(target=threading.Event().wait, daemon=True).start()
except RuntimeError as error:
    print(is_shortage(error), is_shortage(RuntimeError("another")))
"""


@pytest.mark.slow
def test_a_thread_that_cannot_start_is_a_shortage_of_memory() -> None:
    done = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, timeout=HANG, check=False)
    assert (done.stdout, done.stderr) == ("True False\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("kibibytes", [400_000, 500_000, 600_000, 1_200_000])
def test_a_command_short_of_memory_fails_in_one_line_at_most(kibibytes: int, tmp_path: Path) -> None:
    done = limited(kibibytes, "", "puzzles", "--size", "4", "--count", "1", "-o", str(tmp_path / "x.sgf"))
    assert (done.returncode, done.stderr) in [(0, b""), (2, b"gtp-capture: not enough memory\n")]


def most_resident(process: int) -> int:
    """The most MiB of memory that a process has had."""
    peak = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    assert peak is not None
    return int(peak[1]) // 1024


@pytest.mark.slow
@pytest.mark.parametrize("games", [4, pytest.param(40, marks=pytest.mark.long)])
def test_a_session_of_many_games_takes_less_than_200_mebibytes(games: int) -> None:
    with GtpProcess([*ENGINE, "--playouts", "200", "--threads", "2", "--seed", "1"]) as engine:
        for game in range(games):
            engine.ask("clear_board")
            for number in range(162):
                if engine.ask(f"genmove {'bw'[number % 2]}") == "resign":
                    break
            assert most_resident(engine.process.pid) < 200, f"game {game + 1}"


@pytest.mark.parametrize(
    ("seconds", "nodes", "mebibytes"),
    [(None, 4000, 8), (0.1, None, 8), (1.0, None, 16), (60.0, None, 128), (None, None, 128)],
)
def test_the_table_of_the_solver_is_as_large_as_the_limit_can_fill(
    seconds: float | None, nodes: int | None, mebibytes: int
) -> None:
    from gtp_capture.solver.solver import table_for
    from gtp_capture.util.memory import MEBIBYTE, Allocation

    deadline = Limit(seconds, nodes=nodes).begin()
    assert table_for(deadline, Allocation(512 * MEBIBYTE, 1)) <= mebibytes * MEBIBYTE
    assert table_for(deadline, Allocation(16 * MEBIBYTE, 1)) == 4 * MEBIBYTE
    assert table_for(Limit().begin(), Allocation(512 * MEBIBYTE, 1)) == 128 * MEBIBYTE
