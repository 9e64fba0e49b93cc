"""The imports that each package may have, and limits on files."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import gtp_capture

from .support.process import HANG

PACKAGE: Final = Path(gtp_capture.__file__).parent
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
"""Third-party libraries; all other imports are of the standard library."""

PACKAGES: Final[dict[str, set[str]]] = {
    "version": set(),
    "util": {"distributed", "matplotlib", "numpy"},
    "go": {"numpy", "sgfmill"},
    "jit": {
        "util.memory",
        "go.board",
        "go.rules",
        "go.vertex",
        "numba",
        "numpy",
        "platformdirs",
        "filelock",
        "setuptools",
        "llvmlite",
    },
    "playout": {"go", "jit", "numba", "numpy"},
    "solver": {"util", "go", "jit", "numba", "numpy", "filelock"},
    "books": {"util", "go", "solver"},
    "network": {"go", "jit", "playout.endings", "playout.patterns", "numba", "numpy"},
    "search": {"util", "go", "jit", "playout", "network", "numba", "numpy"},
    "players": {"util", "go", "jit", "playout", "books", "solver", "search", "numpy"},
    "teach": {"util", "go", "jit", "playout", "players", "solver", "matplotlib", "sgfmill"},
    "library": {"util", "go", "jit", "players", "solver", "teach.explain"},
    "gtp": {"version", "util", "go", "jit", "solver.result", "players", "teach"},
    "match": {"util", "go", "jit", "books", "solver", "players", "gtp.clock", "numpy", "choix", "filelock"},
    "frontends": {"util.atomic_file", "util.files", "players.levels"},
    "cli": {
        "version",
        "util",
        "go",
        "jit",
        "solver",
        "search.bench",
        "players",
        "books",
        "teach",
        "gtp",
        "match",
        "frontends",
        "click",
        "matplotlib",
        "rich",
    },
    "": {"version", "go", "library"},
    "__main__": {"cli"},
}
"""What each package may import besides itself: packages above it in this table, modules, and libraries."""

MODULES_WITH_LESS: Final[dict[str, set[str]]] = {
    "util.limit": set(),
    "util.atomic_file": set(),
    "util.files": set(),
    "util.executor": {"distributed"},
    "util.lanes": {"distributed", "util.executor"},
    "util.figures": {"matplotlib"},
    "go.vertex": set(),
    "go.rules": set(),
    "go.words": {"go.vertex"},
    "go.record": {"go.vertex", "numpy"},
    "go.board": {"go.vertex", "go.record", "numpy"},
    "go.scoring": {"go.vertex", "go.rules", "go.board", "numpy"},
    "go.position": {"go.vertex"},
    "go.symmetry": set(),
    "go.history": {"go.vertex", "go.rules", "go.board", "go.position"},
    "go.game": {
        "go.vertex",
        "go.rules",
        "go.board",
        "go.scoring",
        "go.position",
        "go.history",
        "go.picture",
        "go.words",
    },
    "go.opening": {"go.vertex", "go.game"},
    "go.diagram": {"go.vertex", "go.rules", "go.game"},
    "go.picture": {"go.vertex", "go.board", "go.position"},
    "jit.cache": {"platformdirs"},
    "jit.warmup": {"jit.cache", "util.memory"},
    "jit.build": {"setuptools"},
    "solver.result": {"go.vertex", "go.words", "go.rules", "go.board"},
    "solver.log": {"util.files", "filelock"},
    "books.lookup": {"go.vertex", "go.board", "go.symmetry", "solver.result"},
    "solver.proofs.format": {"util.atomic_file", "util.files"},
    "solver.proofs.rules": {"jit.kernel", "numba", "numpy"},
    "solver.proofs.keyset": {"go.symmetry", "jit.kernel", "numba", "numpy"},
    "solver.proofs.checker_walk": {
        *(
            "go.vertex",
            "jit.intrinsics",
            "jit.kernel",
            "solver.proofs.format",
            "solver.proofs.keyset",
            "solver.proofs.rules",
        ),
        *("numba", "numpy"),
    },
    "solver.proofs.checker": {
        *("go", "solver.proofs.checker_walk", "solver.proofs.format", "solver.proofs.keyset", "solver.proofs.rules"),
        "numpy",
    },
    "solver.proofs.manifest": {"util.atomic_file", "util.files", "solver.proofs.format"},
    "solver.proofs.parts_checker": {
        *("util.executor", "util.files", "solver.proofs.checker", "solver.proofs.format", "solver.proofs.manifest"),
        "numpy",
    },
    "players.adapt": {"util.atomic_file", "util.files", "go.position", "players.levels"},
    "players.levels": set(),
    "teach.review.verdict": {"go", "players", "solver.result", "teach.explain", "util.limit"},
    "teach.review.summary": {"go.vertex", "teach.review.judge"},
    "teach.review.text": {"go.vertex", "go.words", "teach.review.judge", "teach.review.summary"},
    "teach.review.annotate": {"go.sgf_tree", "go.vertex", "go.words", "teach.review", "sgfmill"},
    "teach.review.plot": {"go.vertex", "teach.review.judge", "teach.review.summary", "util.figures", "matplotlib"},
    "gtp.backlog": set(),
    "gtp.protocol": {"gtp.backlog", "util.memory"},
    "gtp.clock": {"go.vertex"},
    "gtp.options": {"go.rules", "players.registry", "gtp.clock"},
    "match.reaper": set(),
    "match.launch": set(),
    "match.process": {"match.launch"},
    "match.referee": {"go", "gtp.clock", "match.process"},
    "match.ratings": {"numpy", "choix", "util.figures"},
    "match.rows": {"go", "match.process", "match.referee"},
    "match.results": {"util.atomic_file", "util.files", "match.process", "match.referee", "match.rows", "filelock"},
    "cli.warmup": {"jit", "cli.progress", "click"},
    "cli.orders": {"util.files", "go.vertex", "cli.options", "rich"},
    "cli.wording": {"go", "teach.explain", "cli.orders"},
}
"""Modules with fewer imports than their package, with all that they may import."""


class Import(NamedTuple):
    file: Path
    line: int
    name: str
    """A library, or one of our modules without the prefix `gtp_capture.`."""
    at_start: bool
    """Whether it runs when the file is imported, not when a function is called."""


FILES: Final = sorted(PACKAGE.rglob("*.py"))
TREES: Final = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}


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


def find(path: Path, tree: ast.Module) -> Iterator[Import]:
    inside = {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or is_for_types_only(block)
        for node in ast.walk(block)
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
def test_a_module_imports_only_what_the_tables_permit(path: Path) -> None:
    wrong = [f"{i.file}:{i.line}: {i.name}" for i in IMPORTS if i.file == path and not allowed(module(path), i.name)]
    assert wrong == []


def test_a_package_imports_only_packages_above_it_in_the_table() -> None:
    order = list(PACKAGES)
    ours = {name: {package(p) for p in permitted if package(p) in PACKAGES} for name, permitted in PACKAGES.items()}
    for name, permitted in ours.items():
        below = set(order[: order.index(name)])
        assert permitted <= below, name


def test_the_tables_have_no_stale_entries() -> None:
    assert {name for name in MODULES_WITH_LESS if name not in MODULES} == set()
    assert {package(name) for name in MODULES} == set(PACKAGES)
    used = {(package(module(i.file)), i.name) for i in IMPORTS}
    unused = {
        (name, p)
        for name, permitted in PACKAGES.items()
        for p in permitted
        if not any(n == name and (used_name == p or used_name.startswith(f"{p}.")) for n, used_name in used)
    }
    assert unused == set()


def test_the_tables_forbid_certain_imports() -> None:
    never = [
        ("go.vertex", "go.rules"), ("go.rules", "go.vertex"),
        ("go.board", "go.rules"), ("go.board", "go.game"), ("go.board", "numba"), ("go.game", "numba"),
        ("go.scoring", "go.game"), ("go.game", "search.uct"), ("go.game", "players.player"), ("go.sgf", "util.limit"),
        ("search.mcts", "solver.solver"), ("solver.solver", "search.mcts"),
        ("util.limit", "players.player"), ("search.kernel", "gtp.protocol"), ("jit.warmup", "click"),
        ("players.player", "gtp.clock"), ("players.player", "click"),
        ("gtp.protocol", "go.vertex"), ("gtp.protocol", "gtp.engine"), ("gtp.engine", "click"),
        ("solver.proofs.checker", "solver.solver"), ("solver.proofs.checker_walk", "solver.bitboard"),
        ("books.lookup", "solver.solver"), ("gtp.commands.standard", "click"),
        ("match.referee", "gtp.engine"), ("match.games", "gtp.engine"), ("match.openings", "gtp.engine"),
        ("match.process", "go.game"), ("match.ratings", "go.game"), ("match.games", "click"),
        ("util.executor", "match.games"),
    ]  # fmt: skip
    assert [pair for pair in never if allowed(*pair)] == []
    assert allowed("players.player", "search.uct")
    assert allowed("gtp.commands.standard", "gtp.engine")


def test_imports_were_found() -> None:
    assert len(FILES) > 20
    assert any(i.name == "numba" for i in IMPORTS)
    assert any(i.name == "search.uct" and not i.at_start for i in IMPORTS)


def test_numba_is_imported_only_by_compiled_packages_at_start() -> None:
    compiled = {module(i.file) for i in IMPORTS if i.name == "numba"}
    before: set[str] = set()
    while before != compiled:
        before = set(compiled)
        compiled |= {module(i.file) for i in IMPORTS if i.at_start and i.name in compiled}
    assert {package(name) for name in compiled} == {"jit", "network", "playout", "solver", "search", "books"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "go.board",
        "go.game",
        "go.sgf",
        "books.lookup",
        "players.player",
        "gtp.commands",
        "cli",
        "match.games",
        "jit.warmup",
    ],
)
def test_a_module_does_not_import_numba_at_start(name: str) -> None:
    code = f"import sys, {OURS}.{name}; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=HANG)


def calls(tree: ast.Module, function: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == function:
            yield node


READERS: Final = {
    "util.files": "reads files of users, regular and bounded",
    "cli.help": "the manual of this package",
    "jit.cache": "reads the source code of this package",
    "network.network": "a part of this package",
    "teach.puzzles.files": "the problems of this package; those of users by util.files",
    "books.lookup": "a part of this package",
    "solver.proofs.manifest": "a file that this process has just written; those of users by util.files",
}
"""Modules that open files for reading, and what they read."""


def test_files_of_users_are_read_by_one_module() -> None:
    """A pipe or a device may never end, so `util/files.py` refuses it, and limits the size of a file."""
    readers = {
        module(path)
        for path in FILES
        for node in ast.walk(TREES[path])
        if (isinstance(node, ast.Attribute) and node.attr in ("read_bytes", "read_text"))
        or (isinstance(node, ast.Call) and ast.unparse(node.func).endswith("open") and "'rb'" in ast.unparse(node))
    }
    assert readers - {"cli.session", "cli.positions"} == set(READERS)  # those two open stdin


@pytest.mark.parametrize("path", FILES, ids=lambda path: module(path) or OURS)
def test_only_the_cli_uses_stdout_and_stdin(path: Path) -> None:
    tree = TREES[path]
    printed = [ast.unparse(call) for call in calls(tree, "print")]
    assert [text for text in printed if "file=sys.stderr" not in text] == []
    if package(module(path)) != "cli":
        used = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert used & {"sys.stdout", "sys.stdin", "sys.__stdout__", "sys.__stdin__"} == set()
        assert not any(calls(tree, "input"))
