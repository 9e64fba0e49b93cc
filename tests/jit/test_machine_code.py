"""Machine code of an installation: used if it fits the processor, never written to, and replaced if damaged."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import gtp_capture

PACKAGE = Path(gtp_capture.__file__).parent
LINES = "boardsize 7\nplay w A1\nplay b A2\nplay w E5\ngenmove b\nquit\n"
"""A session in which B1 wins for Black."""
GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Return an environment that imports the package from a folder, with an empty cache."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return {**kept, "PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "cache"), **more}


def ship(folder: Path, more: Mapping[str, str], made: Path | None = None) -> Path:
    """Copy the package into a folder and compile machine code into it, as an installation does, if it is not `made`."""
    ignored = shutil.ignore_patterns("__pycache__", "machine_code")
    shutil.copytree(PACKAGE, folder / "gtp_capture", ignore=ignored)
    if made is not None:
        shutil.copytree(made, folder / "gtp_capture/machine_code")
        for path in folder.glob("gtp_capture/machine_code/ownership.count_owners-*"):
            path.unlink()
    command = [sys.executable, "-m", "gtp_capture.jit.compile", "--ship"]
    modules = ["gtp_capture.search.mcts", "gtp_capture.solver.solver", "gtp_capture.playout.ownership"]
    subprocess.run([*command, *modules], cwd=folder, env=environment(folder, **more), check=True, timeout=600)
    return folder


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory, compiled: Path) -> Path:
    return ship(tmp_path_factory.mktemp("shipped"), {}, compiled)


def play(folder: Path, *options: str, **more: str) -> str:
    """Run the session, check that its move wins, and return its stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "gtp_capture", *options], input=LINES, cwd=folder, env=environment(folder, **more),
        capture_output=True, text=True, timeout=600, check=True,
    )  # fmt: skip
    assert "= B1" in done.stdout
    return done.stderr


@pytest.mark.linux
def test_machine_code_is_used_and_nothing_is_written(shipped: Path) -> None:
    before = sorted((path.name, path.stat().st_mtime_ns) for path in (shipped / "gtp_capture/machine_code").iterdir())
    assert before
    said = play(shipped, "--playouts", "100")
    assert "compiling" not in said
    assert "playouts" in said or "solved" in said
    assert not (shipped / "cache").exists()
    assert play(shipped, "--playouts", "100", NUMBA_CACHE_DIR="/proc/none") == said
    after = sorted((path.name, path.stat().st_mtime_ns) for path in (shipped / "gtp_capture/machine_code").iterdir())
    assert after == before


@pytest.mark.linux
@pytest.mark.parametrize("options", [[], ["-OO"]], ids=str)
def test_all_is_well_without_a_cache_if_the_machine_code_is_installed(options: list[str], shipped: Path) -> None:
    command = [sys.executable, *options, "-m", "gtp_capture", "doctor"]
    variables = environment(shipped, NUMBA_CACHE_DIR="/proc/none", HOME=str(shipped), XDG_CONFIG_HOME=str(shipped))
    done = subprocess.run(command, cwd=shipped, env=variables, capture_output=True, text=True, timeout=600, check=False)
    assert "search and solver: they load" in done.stdout
    assert "no cache in /proc/none" in done.stdout
    assert done.returncode == 0


def test_machine_code_for_another_processor_is_not_used(shipped: Path) -> None:
    # The search is not ready; a process without its time for the first move chooses greedily.
    said = play(shipped, **GENERIC)
    assert re.search(r"(by shape|greedily), \d+ s left", said)
    assert re.search("the machine code of this installation is for processor .*, here generic; compiling", said)
    shutil.rmtree(shipped / "cache", ignore_errors=True)


def test_a_damaged_file_is_replaced_once_in_the_user_s_cache(shipped: Path, tmp_path: Path) -> None:
    shutil.copytree(shipped / "gtp_capture", tmp_path / "gtp_capture")
    damaged = next((tmp_path / "gtp_capture/machine_code").glob("dfpn.search-*.nbc"))
    damaged.write_bytes(damaged.read_bytes()[:100])
    assert "compiling" in play(tmp_path, "--playouts", "100")
    replaced = {path.name.partition("-")[0] for path in (tmp_path / "cache").rglob("*.nbc")}
    assert replaced == {"dfpn.search"}
    assert "compiling" not in play(tmp_path, "--playouts", "100")


def test_a_build_says_how_far_it_is_while_it_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setuptools = pytest.importorskip("setuptools")
    from gtp_capture.jit import build

    monkeypatch.setattr(build, "INTERVAL", 0)
    for name in ("a.nbi", "a.1.nbc", "b.1.nbc"):
        (tmp_path / name).touch()
    command, told = build.BuildMachineCode(setuptools.Distribution({"packages": []})), list[str]()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None

        def announce(line: str, level: int) -> None:
            told.append(line)
            process.communicate(b"end\n")

        monkeypatch.setattr(command, "announce", announce)
        assert command._ended(process, tmp_path, time.monotonic()) == 0
    (line,) = told
    assert re.fullmatch(r"gtp-capture: 2 functions compiled in \d+ s", line)


@pytest.mark.parametrize("value", ["foo", "GENERIC", "native"])
def test_an_unknown_processor_of_a_build_is_refused_with_the_known_ones(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    setuptools = pytest.importorskip("setuptools")
    from gtp_capture.jit.build import BuildMachineCode

    build = BuildMachineCode(setuptools.Distribution({"packages": []}))
    build.ensure_finalized()
    monkeypatch.setenv("GTP_CAPTURE_PROCESSOR", value)
    with pytest.raises(
        setuptools.errors.OptionError, match=f"GTP_CAPTURE_PROCESSOR is generic, none or not set, not '{value}'"
    ):
        build.run()


@pytest.mark.slow
def test_a_program_that_has_to_compile_says_so_once(tmp_path: Path) -> None:
    program = (
        "from gtp_capture.jit.warmup import loaded; [loaded(('gtp_capture.solver.proofs.keyset',)) for _ in range(2)]"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(tmp_path, PYTHONPATH=str(PACKAGE.parent)),
        capture_output=True, text=True, timeout=600, check=True,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("", "gtp-capture: compiling, about 20 s\n")


INTEL_MAC = {"sys_platform": "darwin", "platform_machine": "x86_64"}
WITH_WHEELS = {"3.11": "0.62.1", "3.12": "0.62.1", "3.13": "0.62.1", "3.14": "0.63.0b1"}
"""The last versions of Numba with wheels for Intel Macs, by the version of Python."""


@pytest.mark.parametrize("python", WITH_WHEELS)
def test_an_intel_mac_gets_the_last_version_of_numba_that_has_wheels(python: str) -> None:
    lines = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["project"]["dependencies"]
    wanted = [each for each in map(Requirement, lines) if each.name == "numba"]
    for machine, version, fits in (
        (INTEL_MAC, WITH_WHEELS[python], True),
        (INTEL_MAC, "0.68.1", False),
        (INTEL_MAC | {"platform_machine": "arm64"}, "0.68.1", True),
        (INTEL_MAC | {"sys_platform": "linux"}, "0.68.1", True),
    ):
        place = machine | {"python_version": python}
        specifiers = [each.specifier for each in wanted if each.marker is None or each.marker.evaluate(place)]
        assert all(specifier.contains(version, prereleases=True) for specifier in specifiers) == fits


BACKEND = """
import sys
sys.modules["gtp_capture"] = None  # the environment of a build does not have it
sys.path.insert(0, "gtp_capture/jit")
import build
print("\\n".join(build.get_requires_for_build_wheel()), end="END\\n")
build.prepare_metadata_for_build_wheel(sys.argv[1])
"""


@pytest.mark.slow
@pytest.mark.parametrize("processor", ["", "none"])
def test_a_build_asks_for_a_compiler_only_if_it_compiles_and_never_imports_the_package(
    processor: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BACKEND, tmp_path], cwd=PACKAGE.parent, capture_output=True, text=True, check=True,
        env={**os.environ, "GTP_CAPTURE_PROCESSOR": processor},
    )  # fmt: skip
    wanted = {Requirement(line).name for line in filter(None, done.stdout.partition("END")[0].splitlines())}
    assert wanted == (set() if processor else {"numba", "llvmlite", "numpy"})
    assert list(tmp_path.glob("*/METADATA"))


@pytest.mark.long
def test_generic_machine_code_is_used(tmp_path: Path) -> None:
    ship(tmp_path, GENERIC)
    assert "compiling" not in play(tmp_path, "--playouts", "100")
    assert not (tmp_path / "cache").exists()
