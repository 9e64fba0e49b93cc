"""Which package may import which, and what keeps a file readable."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import gtp_capture

PACKAGE: Final = Path(gtp_capture.__file__).parent
LINES: Final = 320
OURS: Final = "gtp_capture"
PARTIES: Final = {
    *(
        "choix",
        "click",
        "distributed",
        "filelock",
        "llvmlite",
        "matplotlib",
        "numba",
        "numpy",
        "platformdirs",
        "rich",
        "setuptools",
    ),
    "sgfmill",
}
"""What comes from others; the rest is Python's own."""

PACKAGES: Final[dict[str, set[str]]] = {
    "util": {"distributed", "numpy"},
    "go": {"numpy", "sgfmill"},
    "jit": {"go.board", "numba", "numpy", "platformdirs", "filelock", "setuptools"},
    "playout": {"go", "jit", "numba", "numpy"},
    "solver": {"util", "go", "jit", "playout", "numba", "llvmlite", "numpy"},
    "search": {"util", "go", "jit", "playout", "numba", "numpy"},
    "players": {"util", "go", "jit", "playout", "solver", "search", "numpy"},
    "gtp": {"", "util", "go", "jit", "solver.result", "players"},
    "match": {"util", "go", "jit", "solver", "players", "gtp.clock", "numpy", "choix", "matplotlib", "filelock"},
    "frontends": {"players.levels"},
    "cli": {"", "util", "go", "jit", "solver", "search.bench", "players", "gtp", "match", "frontends", "click", "rich"},
    "": {"go"},
    "__main__": {"cli"},
}
"""What each package may import besides itself: packages that stand above it, modules, and libraries of others."""

MODULES_WITH_LESS: Final[dict[str, set[str]]] = {
    "util.limit": set(),
    "util.atomic_file": set(),
    "util.executor": {"distributed"},
    "go.vertex": set(),
    "go.rules": set(),
    "go.board": {"go.vertex", "numpy"},
    "go.scoring": {"go.vertex", "go.board", "numpy"},
    "go.position": {"go.vertex"},
    "go.symmetry": set(),
    "go.game": {"go.vertex", "go.rules", "go.board", "go.scoring", "go.position"},
    "go.opening": {"go.vertex", "go.game"},
    "go.diagram": {"go.vertex", "go.rules", "go.game"},
    "go.showboard": {"go.vertex", "go.rules", "go.game"},
    "jit.cache": {"platformdirs"},
    "jit.warmup": {"jit.cache"},
    "jit.build": {"setuptools"},
    "solver.result": {"go.vertex", "go.rules", "go.board"},
    "solver.book.lookup": {"go.vertex", "go.board", "go.symmetry", "solver.result"},
    "solver.proofs.format": {"util.atomic_file"},
    "solver.proofs.keyset": {"jit.kernel", "numba", "numpy"},
    "solver.proofs.checker": {
        *("go", "jit.kernel", "playout.uniform", "solver.proofs.format", "solver.proofs.keyset", "numba", "numpy"),
    },
    "players.levels": set(),
    "gtp.backlog": set(),
    "gtp.protocol": {"gtp.backlog"},
    "gtp.clock": {"go.vertex"},
    "gtp.options": {"go.rules", "players.player", "gtp.clock"},
    "match.text": set(),
    "match.reaper": set(),
    "match.launch": set(),
    "match.process": {"match.launch", "match.text"},
    "match.score": set(),
    "match.referee": {"go", "gtp.clock", "match.process", "match.score"},
    "match.ratings": {"numpy", "choix"},
    "match.rows": {"go", "match.process", "match.referee", "match.text"},
    "match.results": {"match.referee", "match.rows", "match.text", "filelock"},
    "match.plot": {"match.ratings", "matplotlib"},
    "cli.entrants": {"match", "click"},
    "cli.warmup": {"jit", "click"},
}
"""Modules that may import less than their package: the whole list of what they may import."""


class Import(NamedTuple):
    file: Path
    line: int
    name: str
    """A library, or one of our modules without the name of the package."""
    at_start: bool
    """Whether it happens when the file is imported, not when a function runs."""


FILES: Final = sorted(PACKAGE.rglob("*.py"))
TREES: Final = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}


def module(path: Path) -> str:
    """The module of a file, without the name of the package."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES: Final = {module(path) for path in FILES}


def package(name: str) -> str:
    """The package of ours that a module belongs to."""
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


def find(path: Path, tree: ast.Module) -> Iterator[Import]:
    inside = {
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for target in targets(path, node):
                first, _, rest = target.partition(".")
                if first == OURS:
                    yield Import(path, node.lineno, rest, node not in inside)
                elif first in PARTIES:
                    yield Import(path, node.lineno, first, node not in inside)
                else:
                    assert first in sys.stdlib_module_names, f"{path}:{node.lineno}: {first} is no dependency of ours"


IMPORTS: Final = [found for path in FILES for found in find(path, TREES[path])]


def allowed(importer: str, name: str) -> bool:
    if importer in MODULES_WITH_LESS:
        permitted = MODULES_WITH_LESS[importer]
    else:
        permitted = PACKAGES[package(importer)] | {package(importer)}
    return name in permitted or any(p != "" and name.startswith(f"{p}.") for p in permitted)


@pytest.mark.parametrize("path", FILES, ids=lambda path: module(path) or OURS)
def test_a_module_imports_only_what_it_may(path: Path) -> None:
    wrong = [f"{i.file}:{i.line}: {i.name}" for i in IMPORTS if i.file == path and not allowed(module(path), i.name)]
    assert wrong == []


def test_a_package_imports_only_packages_that_stand_above_it_in_the_table() -> None:
    order = list(PACKAGES)
    ours = {name: {package(p) for p in permitted if package(p) in PACKAGES} for name, permitted in PACKAGES.items()}
    outside = {"": {"go"}, "gtp": {""}, "cli": {""}}  # the version and the public names
    for name, permitted in ours.items():
        below = set(order[: order.index(name)])
        assert permitted - outside.get(name, set()) <= below, name


def test_the_tables_name_what_is_there() -> None:
    assert {module for module in MODULES_WITH_LESS if module not in MODULES} == set()
    assert {package(name) for name in MODULES} == set(PACKAGES)
    used = {(package(module(i.file)), i.name) for i in IMPORTS}
    unused = {
        (name, p)
        for name, permitted in PACKAGES.items()
        for p in permitted
        if not any(n == name and (used_name == p or used_name.startswith(f"{p}.")) for n, used_name in used)
    }
    assert unused == set()


def test_the_tables_refuse_what_the_plan_forbids() -> None:
    never = [
        ("go.vertex", "go.rules"), ("go.rules", "go.vertex"),
        ("go.board", "go.rules"), ("go.board", "go.game"), ("go.board", "numba"), ("go.game", "numba"),
        ("go.scoring", "go.game"), ("go.game", "search.uct"), ("go.game", "players.player"), ("go.sgf", "util.limit"),
        ("search.mcts", "solver.solver"), ("solver.solver", "search.mcts"),
        ("util.limit", "players.player"), ("search.kernel", "gtp.protocol"), ("jit.warmup", "click"),
        ("players.player", "gtp.clock"), ("players.player", "click"),
        ("gtp.protocol", "go.vertex"), ("gtp.protocol", "gtp.engine"), ("gtp.engine", "click"),
        ("solver.proofs.checker", "solver.solver"), ("solver.proofs.checker", "solver.bitboard"),
        ("solver.book.lookup", "solver.solver"), ("gtp.commands.standard", "click"),
        ("match.referee", "gtp.engine"), ("match.games", "gtp.engine"), ("match.openings", "gtp.engine"),
        ("match.process", "go.game"), ("match.ratings", "go.game"), ("match.games", "click"),
        ("util.executor", "match.games"),
    ]  # fmt: skip
    assert [pair for pair in never if allowed(*pair)] == []
    assert allowed("players.player", "search.uct")
    assert allowed("gtp.commands.standard", "gtp.engine")


def test_something_was_looked_at() -> None:
    assert len(FILES) > 20
    assert any(i.name == "numba" for i in IMPORTS)
    assert any(i.name == "search.uct" and not i.at_start for i in IMPORTS)


def test_what_loads_numba_is_imported_late() -> None:
    compiled = {module(i.file) for i in IMPORTS if i.name == "numba"}
    before: set[str] = set()
    while before != compiled:
        before = set(compiled)
        compiled |= {module(i.file) for i in IMPORTS if i.at_start and i.name in compiled}
    assert {package(name) for name in compiled} == {"jit", "playout", "solver", "search"}


@pytest.mark.parametrize(
    "name",
    ["go.board", "go.game", "go.sgf", "players.player", "gtp.commands", "cli", "match.games", "jit.warmup"],
)
def test_numba_does_not_come_in_by_a_back_door(name: str) -> None:
    code = f"import sys, {OURS}.{name}; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=30)


@pytest.mark.parametrize("path", FILES, ids=lambda path: module(path) or OURS)
def test_a_file_stays_short_enough_to_read(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LINES


def calls(tree: ast.Module, function: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == function:
            yield node


@pytest.mark.parametrize("path", FILES, ids=lambda path: module(path) or OURS)
def test_only_the_command_line_speaks_on_stdout_and_reads_stdin(path: Path) -> None:
    tree = TREES[path]
    printed = [ast.unparse(call) for call in calls(tree, "print")]
    assert [text for text in printed if "file=sys.stderr" not in text] == []
    if package(module(path)) != "cli":
        used = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert used & {"sys.stdout", "sys.stdin", "sys.__stdout__", "sys.__stdin__"} == set()
        assert not any(calls(tree, "input"))
