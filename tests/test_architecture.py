"""The contracts on imports in `pyproject.toml`, and rules for the sources that no contract and no linter can state."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path
from typing import Final

import grimp
import pytest

import gtp_capture

from .support.paths import ROOT
from .support.process import python

PACKAGE: Final = Path(gtp_capture.__file__).parent


def module(path: Path) -> str:
    """The module of a file, without the prefix `gtp_capture.`."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES: Final = {module(path): path for path in sorted(PACKAGE.rglob("*.py"))}
COMPILED: Final = ("jit", "network", "playout", "search", "solver")
"""The packages whose modules may import Numba when they are imported."""


@cache
def trees() -> dict[str, ast.Module]:
    """The syntax of each module."""
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in FILES.items()}


def test_the_contracts_on_imports_are_kept() -> None:
    """The contracts are the layers of packages, and the imports that some packages may not have."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as lint; lint()", "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "No module named 'importlinter'" not in done.stderr, "run: pip install -e '.[test]'"
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_modules_import_each_other() -> None:
    """Imports inside functions count."""
    graph = grimp.build_graph("gtp_capture")
    TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}).prepare()


@pytest.mark.slow
def test_all_but_the_compiled_packages_are_imported_without_numba() -> None:
    others = [name for name in FILES if name and name != "__main__" and not name.startswith(COMPILED)]
    code = f"import sys, {', '.join(f'gtp_capture.{name}' for name in [*others, 'jit.warmup'])}"
    python(f"{code}; sys.exit('numba' in sys.modules)")


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--help"], ["--version"], ["levels"], ["help", "rules"]], ids=" ".join)
def test_what_is_printed_at_once_is_printed_without_numpy(words: list[str]) -> None:
    code = (
        "import sys; from gtp_capture.cli.app import cli\n"
        f"try: cli.main({words!r}, standalone_mode=False)\n"
        "finally: assert 'numpy' not in sys.modules"
    )
    python(code)


READERS: Final = {
    "util.files": "reads files of users, regular and bounded",
    "teach.manual": "the manual of this package",
    "util.catalogue": "the catalogues of this package",
    "jit.numba_parts": "reads the source code of this package",
    "network.network": "a part of this package",
    "teach.course.lessons": "the lessons of this package",
    "teach.sentences": "a part of this package",
    "teach.puzzles.files": "the problems of this package; those of users by util.files",
    "books.lookup": "a part of this package",
    "go.charset": "a part of this package",
    "jit.build": "the file of this project",
    "solver.order": "a part of this package",
    "web.app": "the pages of this package",
    "web.file.page": "the pages of this package",
}
"""Modules that open files for reading, and what they read."""


@pytest.mark.slow
def test_files_of_users_are_read_by_one_module() -> None:
    """A pipe or a device may never end, so `util/files.py` refuses it, and limits the size of a file."""
    readers = {
        name
        for name, tree in trees().items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and node.attr in ("read_bytes", "read_text"))
        or (isinstance(node, ast.Call) and ast.unparse(node.func)[-4:] == "open" and "'rb'" in ast.unparse(node))
    }
    assert readers - {"gtp.serve", "cli.files"} == set(READERS)  # those two open stdin


def calls(name: str, function: str) -> list[ast.Call]:
    """The calls of a function in a module."""
    called = [node for node in ast.walk(trees()[name]) if isinstance(node, ast.Call)]
    return [call for call in called if ast.unparse(call.func) == function]


@pytest.mark.slow
def test_functions_that_are_called_by_their_path_are_there() -> None:
    """`util/above.py` finds them when they are called."""
    names = {ast.literal_eval(call.args[0]) for name in trees() for call in calls(name, "above")}
    assert len(names) > 5
    for name in names:
        where, _, function = name.rpartition(".")
        assert callable(getattr(import_module(f"gtp_capture.{where}"), function)), name


@pytest.mark.slow
def test_no_attribute_of_a_class_is_set_from_outside() -> None:
    for name, tree in trees().items():
        assigned = [target for node in ast.walk(tree) if isinstance(node, ast.Assign) for target in node.targets]
        owners = [ast.unparse(target.value) for target in assigned if isinstance(target, ast.Attribute)]
        assert not any(owner[0].isupper() for owner in owners), name
    setters = {name for name in trees() if calls(name, "setattr")}
    assert setters == {"jit.numba_parts", "jit.uint128"}  # private parts of Numba
