"""The contracts on imports in `pyproject.toml`, and rules for the sources that no contract can state."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import gtp_capture

from .support.paths import ROOT, TESTS
from .support.process import HANG

PACKAGE: Final = Path(gtp_capture.__file__).parent
OURS: Final = "gtp_capture"
PARTIES: Final = {
    *("babel", "choix", "click", "distributed", "filelock", "gymnasium", "llvmlite", "matplotlib", "numba", "numpy"),
    *("pettingzoo", "platformdirs", "rich", "segno", "setuptools", "sgfmill", "starlette", "uvicorn"),
}
"""Third-party libraries; all other imports are of the standard library."""


class Import(NamedTuple):
    file: Path
    name: str
    """A library, or one of our modules without the prefix `gtp_capture.`."""
    at_start: bool
    """Whether it runs when the file is imported, not when a function is called."""


FILES: Final = sorted(PACKAGE.rglob("*.py"))


@cache
def trees() -> dict[Path, ast.Module]:
    """The parsed source code."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}


def module(path: Path) -> str:
    """The module of a file, without the prefix `gtp_capture.`."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES: Final = {module(path) for path in FILES}


def package(name: str) -> str:
    """The package of a module."""
    return name.partition(".")[0]


def targets(path: Path, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = node.module or ""
    if node.level:
        here = path.relative_to(PACKAGE).parts[: -node.level]
        base = ".".join([OURS, *here, *filter(None, [node.module])])
    for alias in node.names:
        whole = f"{base}.{alias.name}"
        yield whole if whole.removeprefix(f"{OURS}.") in MODULES else base


def is_for_types_only(node: ast.AST) -> bool:
    """Whether a statement is `if TYPE_CHECKING:`, which does not run."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def find(path: Path, node: ast.AST, at_start: bool = True) -> Iterator[Import]:
    """Yield the imports among the statements of a node."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            for target in targets(path, child):
                first, _, rest = target.partition(".")
                if first == OURS:
                    yield Import(path, rest, at_start)
                elif first in PARTIES:
                    yield Import(path, first, at_start)
                else:
                    assert first in sys.stdlib_module_names, f"{path}: {first} is no dependency of ours"
        elif not isinstance(child, ast.expr):
            later = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) or is_for_types_only(child)
            yield from find(path, child, at_start and not later)


@cache
def imports() -> list[Import]:
    """All imports of the package."""
    return [found for path, tree in trees().items() for found in find(path, tree)]


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of `pyproject.toml` in a folder."""
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    command = [sys.executable, "-c", code, "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_contracts_on_imports_are_kept() -> None:
    """The contracts are the layers of packages, and the imports that some packages may not have."""
    done = lint(ROOT)
    assert "No module named 'importlinter'" not in done.stderr, "run: pip install -e '.[test]'"
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("go/rules.py", "from . import game"),
        ("solver/solver.py", "import rich"),
        ("cli/bench.py", "from . import warmup"),
    ],
)
@pytest.mark.slow
def test_a_wrong_import_breaks_a_contract(file: str, line: str, tmp_path: Path) -> None:
    copy = tmp_path / OURS
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "machine_code"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (copy / file).open("a", encoding="utf-8") as source:
        source.write(f"\n{line}\n")
    done = lint(tmp_path)
    assert done.returncode == 1, done


def test_imports_were_found() -> None:
    assert len(FILES) > 20
    assert any(i.name == "numba" for i in imports())
    assert any(i.name == "search.mcts" and not i.at_start for i in imports())


def test_no_modules_import_each_other() -> None:
    """Imports inside functions count."""
    imported: dict[str, set[str]] = {name: set() for name in MODULES}
    for found in imports():
        imported[module(found.file)] |= {found.name} & MODULES
    TopologicalSorter(imported).prepare()  # CycleError: it names the circle


def test_numba_is_imported_only_by_compiled_packages_at_start() -> None:
    compiled = {module(i.file) for i in imports() if i.name == "numba"}
    before: set[str] = set()
    while before != compiled:
        before = set(compiled)
        compiled |= {module(i.file) for i in imports() if i.at_start and i.name in compiled}
    assert {package(name) for name in compiled} == {"jit", "network", "playout", "solver", "search"}


@pytest.mark.slow
def test_sessions_commands_and_rules_are_imported_without_numba() -> None:
    commands = [name for name in MODULES if package(name) == "cli"]
    others = ["gtp.commands", "go.game", "go.sgf", "library", "match.games", "players.registry", "jit.warmup"]
    code = (
        f"import sys, {', '.join(f'{OURS}.{name}' for name in [*commands, *others])}; sys.exit('numba' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=HANG)


def calls(tree: ast.Module, function: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == function:
            yield node


READERS: Final = {
    "util.files": "reads files of users, regular and bounded",
    "cli.help": "the manual of this package",
    "jit.build": "the catalogues of this package",
    "jit.numba_parts": "reads the source code of this package",
    "network.network": "a part of this package",
    "teach.course.lessons": "the lessons of this package",
    "teach.sentences": "a part of this package",
    "teach.puzzles.files": "the problems of this package; those of users by util.files",
    "books.lookup": "a part of this package",
    "go.charset": "a part of this package",
    "solver.order": "a part of this package",
    "web.app": "the pages of this package",
}
"""Modules that open files for reading, and what they read."""


@pytest.mark.slow
def test_all_modules_can_be_imported_without_posix() -> None:
    """Tests that need a system are marked `posix` or `linux`, and are collected on every one."""
    lacking = {"fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"}
    files = [*PACKAGE.rglob("*.py"), *(path for path in TESTS.rglob("*.py") if path.parent.name != "benchmarks")]
    for path in files:
        body = ast.parse(path.read_text(encoding="utf-8")).body
        names = {alias.name for node in body if isinstance(node, ast.Import) for alias in node.names}
        names |= {str(node.module) for node in body if isinstance(node, ast.ImportFrom)}
        assert not names & lacking, path


def test_files_of_users_are_read_by_one_module() -> None:
    """A pipe or a device may never end, so `util/files.py` refuses it, and limits the size of a file."""
    readers = {
        module(path)
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and node.attr in ("read_bytes", "read_text"))
        or (isinstance(node, ast.Call) and ast.unparse(node.func).endswith("open") and "'rb'" in ast.unparse(node))
    }
    assert readers - {"gtp.serve", "cli.files"} == set(READERS)  # those two open stdin


def test_only_the_cli_and_a_session_use_stdout_and_stdin() -> None:
    streams = {"sys.stdout", "sys.stdin", "sys.__stdout__", "sys.__stdin__"}
    for path, tree in trees().items():
        printed = [ast.unparse(call) for call in calls(tree, "print")]
        assert [text for text in printed if "file=sys.stderr" not in text] == [], path
        if package(module(path)) != "cli" and module(path) != "gtp.serve":
            used = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
            assert used & streams == set(), path
            assert not any(calls(tree, "input")), path
