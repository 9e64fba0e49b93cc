"""Start-up with and without machine code: response times, cache files, memory, and child processes.

A test without machine code ("cold") uses an empty cache folder. As compiling takes long, tests share its result or do
not wait for it where they can.
"""

from __future__ import annotations

import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import gtp_capture
from gtp_capture.jit.numba_parts import forget_other_versions, sources
from gtp_capture.util.memory import MEBIBYTE

from ..support.forks import COMPILING_SECONDS, HANG
from ..support.process import ENGINE, GtpProcess, alive, children, python, wait_until

PACKAGE = Path(gtp_capture.__file__).parent

WAITING = re.compile(r"compil|prepar", re.IGNORECASE)
MOVE = re.compile(r"[A-HJ][1-9]")
WINNING = ["play w A1", "play b A2", "play w E5"]
"""After these plays B1 captures and wins for Black."""


class Started(GtpProcess):
    """Our engine with its own cache folder and with stderr in a file."""

    def __init__(self, cache: Path, *options: str) -> None:
        cache.mkdir(parents=True, exist_ok=True)
        self._errors = cache.parent / f"stderr-{cache.name}-{random.randbytes(8).hex()}"
        with self._errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [*ENGINE, *options],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
            )

    def __enter__(self) -> Started:
        return self

    def win(self) -> None:
        """Play WINNING, and let the engine win."""
        self.send_all(WINNING)
        assert self.ask("genmove b") == "B1"

    def stderr(self) -> str:
        return self._errors.read_text()

    def compilers(self) -> list[int]:
        """Wait until a process compiles; return the ids of all descendants."""
        wait_until(lambda: descendants(self.process.pid))
        return descendants(self.process.pid)


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and these in turn, as far as they run."""
    return [child for child in children(pid) if alive(child)]


def wait_until_gone(pids: list[int]) -> None:
    """Wait until none of these processes runs; they may compile."""
    wait_until(lambda: not any(map(alive, pids)), COMPILING_SECONDS)


def contents(cache: Path) -> dict[Path, tuple[int, int]]:
    return {p: (p.stat().st_size, p.stat().st_mtime_ns) for p in cache.rglob("*") if p.suffix.startswith(".nb")}


@pytest.fixture(scope="module")
def mended(tmp_path_factory: pytest.TempPathFactory, compiled: Path) -> tuple[Path, set[str]]:
    """A cache folder in which two kernels had damaged files, mended by `warmup` and by an engine at once.

    Returns it with the names of the kernels whose files were replaced.
    """
    cache = tmp_path_factory.mktemp("warm") / "cache"
    shutil.copytree(compiled, cache / "gtp-capture")
    forget_other_versions(cache / "gtp-capture", 0)
    for pattern in ("ownership.count_owners-*.1.nbc", "dfpn.search-*.nbi"):
        path = next(cache.rglob(pattern))
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    before = contents(cache)
    command, environment = [*ENGINE, "warmup"], {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as warmup:
        try:
            with Started(cache, "--size", "5", "--playouts", "100", "--seed", "1") as engine:
                engine.win()  # with a limit of playouts it waits for the search
                # The modules for scoring are compiled while the game goes on.
                wait_until_gone(descendants(engine.process.pid))
                said = engine.stderr()
                assert "Traceback" not in said
            assert engine.process.returncode == 0
            _, also_said = warmup.communicate(timeout=COMPILING_SECONDS)
        finally:
            warmup.kill()
    assert warmup.returncode == 0, also_said
    assert WAITING.search(said + also_said)  # one of them came first
    after = contents(cache)
    return cache, {path.name.partition("-")[0] for path in before if after[path] != before[path]}


@pytest.fixture(scope="module")
def warm(mended: tuple[Path, set[str]]) -> Path:
    """A cache folder with all that an engine loads."""
    return mended[0]


@pytest.fixture
def cache(warm: Path, tmp_path: Path) -> Path:
    """A copy of that folder."""
    return Path(shutil.copytree(warm, tmp_path / "cache"))


# --- Cold, without waiting for the compiler ---


@pytest.mark.linux
@pytest.mark.slow
def test_commands_are_answered_on_a_cold_machine_while_it_compiles(tmp_path: Path) -> None:
    with Started(tmp_path / "cold") as first:
        assert first.ask("name") == "gtp-capture"
        compilers = first.compilers()
        first.ask("list_commands")
        with Started(tmp_path / "cold") as another:
            assert another.ask("name") == "gtp-capture"
        assert set(compilers) & set(descendants(first.process.pid)), "the answers came after the compiler's end"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "commands"),
    [
        pytest.param([], [], id="no time named"),
        pytest.param([], ["time_settings 60 0 0", "time_left b 0 0"], id="nothing left"),
    ],
)
def test_a_cold_engine_finds_a_win_at_once(tmp_path: Path, options: list[str], commands: list[str]) -> None:
    with Started(tmp_path / "cold", *options) as engine:
        engine.ask("name")
        engine.send_all(commands)
        engine.win()
        assert engine.compilers(), "the move came after the compiler's end"
        assert engine.ask("final_score") == "B+1"


@pytest.mark.slow
def test_a_cold_engine_plays_from_the_books_and_reports_how_it_chose(tmp_path: Path) -> None:
    with Started(tmp_path / "cold", "--size", "5") as engine:
        assert engine.ask("genmove b") == "C3"  # from the book of the board, where it wins
        engine.ask("boardsize 19")
        assert re.fullmatch(r"[A-HJ-T]\d+", engine.ask("genmove b"))
        engine.ask("known_command name")
        said = engine.stderr().splitlines()
        assert set(said[:2]) == {"compiling, about 20 s", "wins, solved in 19 plies"}  # by two threads
        assert re.fullmatch(r"(by shape|greedily), \d+ s left", said[2])


def end_by_quit(engine: Started) -> None:
    assert engine.ask("quit") == ""


def end_by_input(engine: Started) -> None:
    assert engine.process.stdin is not None
    engine.process.stdin.close()


def end_by_signal(engine: Started) -> None:
    engine.process.send_signal(signal.SIGTERM)


@pytest.mark.linux
@pytest.mark.slow
@pytest.mark.parametrize("end", [end_by_quit, end_by_input, end_by_signal])
def test_no_process_survives_an_end_while_compiling(tmp_path: Path, end: Callable[[Started], None]) -> None:
    with Started(tmp_path / "cold") as engine:
        engine.ask("name")
        compilers = engine.compilers()
        end(engine)
        assert engine.process.wait(HANG) == 0
        wait_until_gone(compilers)
        assert "Traceback" not in engine.stderr()


# --- Cold, with compiling to the end: see the fixture `warm` ---


def assert_is_warm(cache: Path) -> None:
    """Check that a process runs from the cache: it reports and starts no compiling, and writes no kernel."""
    before = contents(cache)
    assert before
    with Started(cache, "--size", "5", "--playouts", "100") as engine:
        engine.win()
        assert descendants(engine.process.pid) == []
        assert not WAITING.search(engine.stderr()), engine.stderr()
    assert contents(cache) == before


@pytest.mark.linux
def test_after_processes_that_compiled_at_the_same_time_nothing_is_compiled(warm: Path) -> None:
    assert_is_warm(warm)


def test_only_damaged_files_are_replaced(mended: tuple[Path, set[str]]) -> None:
    assert mended[1] == {"ownership.count_owners", "dfpn.search"}


@pytest.mark.linux
def test_a_process_short_of_memory_deletes_nothing(cache: Path) -> None:
    before = contents(cache)
    command = f"ulimit -v 409600; exec {shlex.join(ENGINE)} --size 5 --time-per-move 0.2"
    subprocess.run(
        ["sh", "-c", command],
        input="\n".join([*WINNING, "genmove b", "quit"]),
        capture_output=True, text=True, timeout=HANG, check=False, env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
    )  # fmt: skip
    after = contents(cache)
    assert {path: after.get(path) for path in before} == before


@pytest.mark.linux
def test_a_folder_that_others_may_write_to_is_not_loaded_from(cache: Path) -> None:
    (cache / "gtp-capture").chmod(0o777)
    before = contents(cache)
    with Started(cache, "--size", "9") as engine:
        engine.win()
        notice = f"no cache in {cache / 'gtp-capture'}: others may write there"
        wait_until(lambda: notice in engine.stderr())  # another thread writes it
    assert contents(cache) == before


@pytest.mark.slow
def test_without_a_home_directory_the_engine_plays_and_says_why_nothing_is_kept(tmp_path: Path) -> None:
    """The home directory of a user number without a name is unknown if HOME is not set."""
    (tmp_path / "sitecustomize.py").write_text("import os\nos.path.expanduser = lambda path: path\n")
    own = ("HOME", "NUMBA_CACHE_DIR", "XDG_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    environment = {**kept, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(PACKAGE.parent)))}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*ENGINE, *arguments], input="genmove b\n", capture_output=True, text=True, timeout=HANG, check=False,
            env=environment, cwd=tmp_path,
        )  # fmt: skip

    played, warmed = run("--size", "5"), run("warmup")
    assert (played.returncode, played.stdout[:2], "Traceback" in played.stderr) == (0, "= ", False)
    assert warmed.returncode == 1
    assert "no home directory" in warmed.stderr
    installing = run("sabaki", "install", "--dry-run")
    assert (installing.returncode, installing.stderr.count("\n")) == (2, 1)
    assert "--settings FILE" in installing.stderr
    assert [path.name for path in tmp_path.iterdir() if path.name != "__pycache__"] == ["sitecustomize.py"]


# --- Keys ---


@pytest.mark.linux
def test_files_of_other_versions_are_removed_when_they_are_old(cache: Path) -> None:
    code = next(cache.rglob("kernel.search-*.nbc"))
    old, young = (code.with_name(name) for name in ("kernel.search-0.nbc", "kernel.search-1.nbc"))
    for path in (old, young):
        shutil.copy(code, path)
    for path in (old, code):
        os.utime(path, (0, 0))
    command = [sys.executable, "-m", "gtp_capture.jit.compile", "gtp_capture.search.mcts"]
    subprocess.run(command, env={**os.environ, "NUMBA_CACHE_DIR": str(cache)}, check=True, timeout=HANG)
    assert not old.exists()
    assert all(path.exists() for path in (young, code))


def keys(package: Path, *modules: str) -> list[str]:
    code = f"from gtp_capture.jit.numba_parts import key; print(*map(key, {modules!r}))"
    return python(code, env={"PYTHONPATH": str(package.parent)}, folder=package.parent).split()


@pytest.mark.slow
def test_a_kernel_s_key_covers_exactly_the_modules_that_it_depends_on(tmp_path: Path) -> None:
    package = tmp_path / "gtp_capture"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "machine_code"))
    tree, dfpn = before = keys(package, "gtp_capture.search.kernel", "gtp_capture.solver.dfpn")
    assert tree != dfpn

    def touched(name: str) -> list[str]:
        path = package / name
        source = path.read_text()
        path.write_text(source + "\n# changed\n")
        after = keys(package, "gtp_capture.search.kernel", "gtp_capture.solver.dfpn")
        path.write_text(source)
        return after

    assert touched("cli/app.py") == touched("go/game.py") == touched("search/mcts.py") == before
    assert touched("solver/static.py")[0] == tree
    assert touched("solver/static.py")[1] != dfpn
    assert touched("playout/ladder.py")[0] != tree
    assert touched("playout/ladder.py")[1] == dfpn
    assert all(new != old for new, old in zip(touched("go/board.py"), before, strict=True))


def is_package(name: str) -> bool:
    return (PACKAGE.parent / name.replace(".", "/")).is_dir()


@pytest.mark.slow
@pytest.mark.parametrize("module", ["search.kernel", "playout.ownership", "solver.dfpn", "solver.proofs.writer"])
def test_every_module_that_a_kernel_s_module_imports_is_covered(module: str, compiled: None) -> None:
    code = (
        "import sys, importlib; loaded = lambda: {m for m in sys.modules if m.startswith('gtp_capture.')}\n"
        f"importlib.import_module('gtp_capture.{module.rpartition('.')[0]}'); before = loaded()\n"
        f"importlib.import_module('gtp_capture.{module}'); print(*(loaded() - before))"
    )
    imported = {name for name in python(code).split() if not is_package(name)} - {"gtp_capture.jit.cache"}
    covered = {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in sources(f"gtp_capture.{module}")
    }
    assert imported <= covered
    assert "gtp_capture.go.board" in covered or module == "solver.dfpn"


# --- Warm ---


@pytest.mark.linux
def test_the_first_answer_comes_before_numba(warm: Path) -> None:
    # The list of imports and the answers share one pipe, so their order is that of the events. The engine loads the
    # search after its first answer, or when _PATIENCE is over; a machine that stalls needs more of it than a user.
    code = f"import gtp_capture.jit.warmup as w; w._PATIENCE = {HANG}; from gtp_capture.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-c", code, "--size", "5"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(warm)},
    )
    out, _ = process.communicate("name\ngenmove b\nquit\n", timeout=HANG)
    lines = out.splitlines()
    numba = [i for i, line in enumerate(lines) if re.search(r"\|\s+(numba|llvmlite)(\.|$)", line)]
    assert numba, "the search imports Numba"
    assert lines.index("= gtp-capture") < numba[0]


@pytest.mark.parametrize("options", [("--player", "random"), ("--gogui-rules", "--size", "9", "--player", "greedy")])
def test_a_session_without_search_never_imports_numba(tmp_path: Path, options: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *ENGINE[1:], *options],
        input="genmove b\nshowboard\nfinal_score\n",
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
    )
    assert "gtp_capture.players.player" in done.stderr
    assert not re.search(r"\|\s+(numba|llvmlite)(\.|$)", done.stderr)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.linux
def test_memory_stays_small(warm: Path) -> None:
    with Started(warm, "--player", "random") as engine:
        assert MOVE.fullmatch(engine.ask("genmove b"))
        assert engine.memory() < 60 * MEBIBYTE
    with Started(
        warm, "--playouts", "1000", "--no-opening-book"
    ) as engine:  # few playouts, as the tree has a limit of its own
        assert MOVE.fullmatch(engine.ask("genmove b"))
        assert engine.memory() < 350 * MEBIBYTE  # with the solver, which takes 9x9


@pytest.mark.slow
def test_ten_thousand_commands_take_less_than_ten_seconds_of_processor_time(tmp_path: Path) -> None:
    chance = random.Random(4)
    vertices = [f"{column}{row}" for column in "ABCDEFGHJ" for row in range(1, 10)]
    colors, commands = "bw", []
    for number in range(10_000):
        plain = f"play {colors[number % 2]} {chance.choice(vertices)}"
        commands.append(chance.choices([plain, "undo", "clear_board"], [80, 19, 1])[0])
    with Started(tmp_path, "--player", "random") as engine:
        engine.ask("name")
        assert isinstance(engine.process, subprocess.Popen)
        out, _ = engine.process.communicate("\n".join([*commands, "cputime"]) + "\n", timeout=HANG)
    out, _, used = out.removesuffix("\n\n").rpartition("= ")
    assert float(used) < 10
    assert out.count("\n\n") == len(commands)
    assert len(re.findall(r"^= $", out, re.MULTILINE)) > 5_000
    assert set(out.split("\n")) <= {"= ", "? illegal move", "? cannot undo", ""}
