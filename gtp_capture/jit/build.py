"""The build backend: setuptools, with machine code and catalogues in a wheel, and with the tests in the sources.

The wheel has the translations as gettext reads them, compiled from their sources, `locale/LANGUAGE/*/gtp_capture.po`.
An editable installation compiles them beside their sources.

GTP_CAPTURE_PROCESSOR selects the processor: by default the one of this machine, `generic` for all processors of its
architecture (for wheels that are distributed), `none` for a wheel without machine code; other values are refused. If
compiling fails, the build still succeeds, and the kernels are compiled at their first use.
"""

from __future__ import annotations

import logging
import os
import re
import runpy
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

from setuptools.build_meta import *  # noqa: F403 - the functions that pip calls, but for the one below
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.errors import OptionError

MODULES = (
    ("gtp_capture.search.mcts", "gtp_capture.playout.ownership"),
    ("gtp_capture.solver.solver", "gtp_capture.solver.dfpn_large"),
)
"""Modules with the kernels that games need; one process compiles each group. Kernels of proofs are compiled later."""
VARIABLE = "GTP_CAPTURE_PROCESSOR"
GENERIC, NONE = "generic", "none"
SECONDS = 1800
"""Time limit for compiling (s)."""
INTERVAL = 5.0
"""Time between two lines of progress (s)."""
FOLDER = "gtp_capture/machine_code"
CATALOGUES = "gtp_capture/locale/*/LC_MESSAGES"
COMPILER = re.compile(r"(numba|llvmlite|numpy)\b")
"""What compiles the search, among the dependencies of the project."""


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return what compiles the search; nothing for a wheel without machine code. See PEP 517."""
    if os.environ.get(VARIABLE) == NONE:
        return []
    lines = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    return [line for line in lines if COMPILER.match(line)]


class BuildMachineCode(build_py):  # type: ignore[misc]
    """Copy the package, then compile its translations and its kernels into the copy."""

    def run(self) -> None:
        """See setuptools. OptionError: another value of GTP_CAPTURE_PROCESSOR."""
        processor = os.environ.get(VARIABLE, "")
        if processor not in ("", GENERIC, NONE):
            raise OptionError(f"{VARIABLE} is {GENERIC}, {NONE} or not set, not {processor!r}")
        shutil.rmtree(Path(self.build_lib) / FOLDER, ignore_errors=True)  # it may be for another processor
        super().run()
        # The package cannot be imported here, because the environment of a build need not have its dependencies.
        compile_catalogue = runpy.run_path("gtp_capture/util/catalogue.py")["compile_catalogue"]
        for path in Path().glob(f"{CATALOGUES}/*.po"):
            compile_catalogue(path, None if self.editable_mode else Path(self.build_lib) / path.parent)
        if not self.editable_mode and processor != NONE:
            self._compile()

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """See setuptools."""
        built = Path(self.build_lib)
        made = [str(path) for path in (*built.glob(f"{FOLDER}/*"), *built.glob(f"{CATALOGUES}/*.mo"))]
        return [*super().get_outputs(include_bytecode), *made]

    def _compile(self) -> None:
        began, folder = time.monotonic(), Path(self.build_lib) / FOLDER
        target = "every processor of this kind" if os.environ.get(VARIABLE) == GENERIC else "this processor"
        self._tell(f"compiling the search for {target}, which takes one to several minutes")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        environment["PYTHONPATH"] = os.pathsep.join([".", *filter(None, [environment.get("PYTHONPATH")])])
        if os.environ.get(VARIABLE) == GENERIC:
            environment |= {"NUMBA_CPU_NAME": GENERIC, "NUMBA_CPU_FEATURES": ""}
        command = [sys.executable, "-m", "gtp_capture.jit.compile", "--ship"]
        try:
            work = [subprocess.Popen([*command, *group], env=environment, cwd=self.build_lib) for group in MODULES]
            failed = [self._ended(process, folder, began) for process in work] != [0] * len(work)
        except (OSError, subprocess.SubprocessError):
            failed = True
        if failed:
            self._tell("the search could not be compiled; its first use compiles it")
            shutil.rmtree(folder, ignore_errors=True)
            return
        size = sum(path.stat().st_size for path in folder.glob("*"))
        self._tell(f"{size:,} bytes of machine code in {time.monotonic() - began:.0f} s")

    def _ended(self, process: subprocess.Popen[Any], folder: Path, began: float) -> int:
        """Return the exit code of a process that compiles, and announce meanwhile how far the work is."""
        while True:
            try:
                return process.wait(INTERVAL)
            except subprocess.TimeoutExpired:
                passed = time.monotonic() - began
                self._tell(f"{len([*folder.glob('*.nbc')])} functions compiled in {passed:.0f} s")
                if passed > SECONDS:
                    raise

    def _tell(self, line: str) -> None:
        """Print a line of progress, which `pip -v` and `uv -v` show."""
        self.announce(f"gtp-capture: {line}", level=logging.INFO)


class MachineWheel(bdist_wheel):  # type: ignore[misc]
    """A wheel tagged for this platform and version of Python if it contains machine code."""

    def get_tag(self) -> tuple[str, str, str]:
        """See setuptools."""
        built = Path(self.get_finalized_command("build_py").build_lib) / FOLDER
        if not any(built.glob("*.nbi")):
            return super().get_tag()  # type: ignore[no-any-return]
        self.root_is_pure = False
        _, _, platform = super().get_tag()
        return f"cp{sys.version_info[0]}{sys.version_info[1]}", "none", platform


class SourceDistribution(sdist):  # type: ignore[misc]
    """A source distribution with the tests, and with all files that they read, which stand outside the package."""

    FOLDERS = ("tests", "gtp_capture/manual", "sabaki-config", ".ci", ".github")
    LEFT_OUT = ("node_modules", "__pycache__")

    def make_distribution(self) -> None:
        """See setuptools."""
        self.filelist.extend(["CHANGELOG.md", ".gitignore", "gtp_capture/README.md"])
        self.filelist.extend(str(path) for path in Path().glob(f"{CATALOGUES}/*.po"))
        for folder in self.FOLDERS:
            paths = (path for path in Path(folder).rglob("*") if path.is_file())
            self.filelist.extend(str(path) for path in paths if not set(self.LEFT_OUT) & set(path.parts))
        super().make_distribution()
