"""Build of a wheel with machine code and catalogues, and of the source distribution; run by setuptools.

The wheel has the translations as gettext reads them, compiled from their sources, `locale/LANGUAGE/*/gtp_capture.po`.
An editable installation compiles them beside their sources.

GTP_CAPTURE_PROCESSOR selects the processor: by default the one of this machine, `generic` for all processors of its
architecture (for wheels that are distributed), `none` for a wheel without machine code; other values are refused. If
compiling fails, the build still succeeds, and the kernels are compiled at their first use.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
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
FOLDER = "gtp_capture/machine_code"
CATALOGUES = "gtp_capture/locale/*/LC_MESSAGES"


def compile_catalogue(source: Path, folder: Path | None = None) -> None:
    """Compile a catalogue, `gtp_capture.po`, into a folder; without one, into its own."""
    target = (folder or source.parent) / f"{source.stem}.mo"
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as file:
        catalog = read_po(file)
    with target.open("wb") as file:
        write_mo(file, catalog)


class BuildMachineCode(build_py):  # type: ignore[misc]
    """Copy the package, then compile its translations and its kernels into the copy."""

    def run(self) -> None:
        """See setuptools. OptionError: another value of GTP_CAPTURE_PROCESSOR."""
        processor = os.environ.get(VARIABLE, "")
        if processor not in ("", GENERIC, NONE):
            raise OptionError(f"{VARIABLE} is {GENERIC}, {NONE} or not set, not {processor!r}")
        shutil.rmtree(Path(self.build_lib) / FOLDER, ignore_errors=True)  # it may be for another processor
        super().run()
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
        self.announce("gtp-capture: compiling the search for this machine, which takes a minute", level=logging.INFO)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        environment["PYTHONPATH"] = os.pathsep.join([".", *filter(None, [environment.get("PYTHONPATH")])])
        if os.environ.get(VARIABLE) == GENERIC:
            environment |= {"NUMBA_CPU_NAME": GENERIC, "NUMBA_CPU_FEATURES": ""}
        command = [sys.executable, "-m", "gtp_capture.jit.compile", "--ship"]
        try:
            work = [subprocess.Popen([*command, *group], env=environment, cwd=self.build_lib) for group in MODULES]
            failed = [process.wait(SECONDS) for process in work] != [0] * len(work)
        except (OSError, subprocess.SubprocessError):
            failed = True
        if failed:
            self.announce(
                "gtp-capture: the search could not be compiled; its first use compiles it", level=logging.INFO
            )
            shutil.rmtree(folder, ignore_errors=True)
            return
        size = sum(path.stat().st_size for path in folder.glob("*"))
        self.announce(
            f"gtp-capture: {size:,} bytes of machine code in {time.monotonic() - began:.0f} s", level=logging.INFO
        )


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

    FOLDERS = ("tests", "sabaki-config", ".ci", ".github")
    LEFT_OUT = ("node_modules", "__pycache__")

    def make_distribution(self) -> None:
        """See setuptools."""
        self.filelist.extend(["CHANGELOG.md", ".gitignore", "gtp_capture/README.md"])
        self.filelist.extend(str(path) for path in Path().glob(f"{CATALOGUES}/*.po"))
        for folder in self.FOLDERS:
            paths = (path for path in Path(folder).rglob("*") if path.is_file())
            self.filelist.extend(str(path) for path in paths if not set(self.LEFT_OUT) & set(path.parts))
        super().make_distribution()
