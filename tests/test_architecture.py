"""The rooms of the house: who may import whom, and what keeps a file readable."""

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

GO: Final = {"vertex", "rules", "board", "scoring", "position", "game"}

ROOMS: Final[dict[str, set[str]]] = {
    "vertex": set(),
    "rules": set(),
    "board": {"vertex", "numpy"},
    "scoring": {"vertex", "board", "numpy"},
    "position": {"vertex"},
    "game": {"vertex", "rules", "board", "scoring", "position"},
    "life": {"vertex", "rules", "board", "scoring", "search"},
    "endgame": GO | {"life"},
    "opening": {"vertex", "game"},
    "diagram": {"vertex", "rules", "game"},
    "showboard": {"vertex", "rules", "game"},
    "sgf": {"vertex", "rules", "position", "opening", "game", "sgfmill"},
    "search": {"vertex", "rules", "board", "scoring", "jit", "search", "numpy", "numba", "llvmlite"},
    "jit": {"board", "jit", "numba", "numpy", "platformdirs", "filelock"},
    "jit.cache": {"platformdirs"},
    "jit.warmup": {"jit.cache"},
    "jit.build": {"setuptools"},
    "search.limit": set(),
    "search.verdict": {"vertex", "rules", "board"},
    "search.book": {"vertex", "board", "search.verdict"},
    "search.files": set(),
    "search.proof_file": {"search.files"},
    "search.check": {"vertex", "board", "jit.kernel", "search.playout", "search.proof_file", "numba", "numpy"},
    "oracle": {"game", "jit.kernel", "search"},
    "plain_players": GO | {"search.limit"},
    "shape": GO | {"endgame", "plain_players", "search", "numpy"},
    "players": GO | {"levels", "oracle", "endgame", "plain_players", "shape", "jit.warmup", "search", "numpy"},
    "analysis": GO | {"players", "search"},
    "explain": GO | {"oracle", "players", "analysis", "search"},
    "gtp.pictures": GO | {"analysis", "explain"},
    "gtp.options": {"rules", "players", "gtp.clock"},
    "gtp.parameters": {"rules", "levels", "gtp.options"},
    "gtp.backlog": set(),
    "gtp.protocol": {"gtp.backlog"},
    "gtp.clock": {"vertex"},
    "gtp.engine": GO
    | {
        "life",
        "opening",
        "sgf",
        "levels",
        "players",
        "analysis",
        "search.limit",
        "jit.warmup",
        "gtp.clock",
        "gtp.options",
        "gtp.pictures",
        "gtp.protocol",
    },
    "gtp.commands": GO
    | {"", "opening", "showboard", "sgf", "players", "analysis", "explain", "search.limit", "gtp"}
    | {"search.book", "search.files", "search.proof", "search.verdict"},
    "gtp": set(),
    "executor": {"distributed"},
    "match.text": set(),
    "match.reaper": set(),
    "match.launch": set(),
    "match.process": {"match.launch", "match.text"},
    "match.score": set(),
    "match.referee": GO | {"gtp.clock", "match.process", "match.score"},
    "first_moves": GO | {"executor", "search"},
    "match.openings": GO
    | {"opening", "sgf", "levels", "players", "match.referee"}
    | {"search.book", "search.limit", "search.proof", "search.verdict", "jit.warmup"},
    "match.ratings": {"numpy", "choix"},
    "match.rows": GO | {"sgf", "match.process", "match.referee", "match.text"},
    "match.results": {"match.referee", "match.rows", "match.text", "filelock"},
    "match.audit": GO | {"match.games", "match.process", "match.referee", "match.rows", "match.score"},
    "match.plot": {"match.ratings", "matplotlib"},
    "match": {"vertex", "executor", "match"},
    "cli.solve": GO
    | {"search", "executor", "first_moves", "cli.checkpoints", "cli.positions", "cli.progress", "cli.types", "click"},
    "cli.checkpoints": {"vertex", "game", "search", "cli.positions", "cli.progress"},
    "cli.progress": {"search.limit", "rich"},
    "cli.positions": GO | {"diagram", "opening", "sgf", "search.files", "click"},
    "cli.check_proof": {"vertex", "rules", "game", "search", "cli.solve", "cli.positions", "cli.progress", "click"},
    "cli.match": {"rules", "executor", "match", "cli", "click"},
    "cli.entrants": {"match", "click"},
    "cli.match_tables": {"match", "rich"},
    "levels": set(),
    "frontends": {"levels"},
    "cli.sabaki": {"", "rules", "game", "sgf", "frontends", "cli", "click"},
    "cli.warmup": {"jit", "click"},
    "cli.table": {"vertex", "position", "game", "sgf", "explain", "levels", "gtp", "cli", "rich"},
    "cli.drawing": {"vertex", "board", "game", "rich"},
    "cli": {
        "",
        "vertex",
        "rules",
        "opening",
        "players",
        "levels",
        "frontends",
        "search.speed",
        "jit.warmup",
        "gtp",
        "cli",
        "click",
        "rich",
    },
    "": {"vertex", "rules", "position", "game"},
    "__main__": {"cli"},
}
"""What each room may import: rooms (with all that they hold) and libraries of others. The longest name counts."""


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


def room(name: str) -> str:
    """The room that a module belongs to."""
    while name not in ROOMS:
        name = name.rpartition(".")[0]
    return name


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
    permitted = ROOMS[room(importer)]
    if name in PARTIES:
        return name in permitted
    same = room(importer) == room(name) != ""
    return same or any(name == p or (p != "" and name.startswith(f"{p}.")) for p in permitted)


@pytest.mark.parametrize("path", FILES, ids=lambda path: module(path) or OURS)
def test_a_room_imports_only_what_it_may(path: Path) -> None:
    wrong = [f"{i.file}:{i.line}: {i.name}" for i in IMPORTS if i.file == path and not allowed(module(path), i.name)]
    assert wrong == []


def test_the_table_has_no_room_that_is_not_there() -> None:
    assert {name for name in ROOMS if not any(m == name or m.startswith(f"{name}.") for m in MODULES)} == set()


def test_the_table_refuses_what_the_plan_forbids() -> None:
    never = [
        ("vertex", "rules"), ("rules", "vertex"),
        ("board", "rules"), ("board", "game"), ("board", "numba"),
        ("scoring", "game"), ("scoring", "search"),
        ("game", "search.uct"), ("game", "players"), ("game", "gtp.engine"),
        ("sgf", "search.limit"), ("sgf", "gtp.protocol"),
        ("search.uct", "game"), ("search.limit", "players"), ("search.tree", "gtp.protocol"), ("jit.warmup", "click"),
        ("players", "gtp.clock"), ("players", "click"),
        ("gtp.protocol", "vertex"), ("gtp.protocol", "gtp.engine"), ("gtp.engine", "click"),
        ("search.check", "search.proof"), ("search.check", "search.bitboard"), ("search.book", "search.proof"),
        ("gtp.commands.standard", "click"), ("cli.session", "board"), ("cli.app", "scoring"),
        ("match.referee", "gtp.engine"), ("match.games", "gtp.engine"), ("match.openings", "gtp.engine"),
        ("match.process", "game"), ("match.ratings", "game"), ("match.games", "click"), ("executor", "match.games"),
    ]  # fmt: skip
    assert [pair for pair in never if allowed(*pair)] == []
    assert allowed("players", "search.uct")
    assert allowed("gtp.commands.standard", "gtp.engine")


def test_something_was_looked_at() -> None:
    assert len(FILES) > 20
    assert any(i.name == "numba" for i in IMPORTS)
    assert any(i.name == "search.uct" and not i.at_start for i in IMPORTS)


def test_numba_is_imported_by_kernels_alone() -> None:
    users = {room(module(i.file)) for i in IMPORTS if i.name in ("numba", "llvmlite")}
    assert {name.partition(".")[0] for name in users} == {"jit", "search"}


def test_what_loads_numba_is_imported_late() -> None:
    compiled = {module(i.file) for i in IMPORTS if i.name == "numba"}
    before: set[str] = set()
    while before != compiled:
        before = set(compiled)
        compiled |= {module(i.file) for i in IMPORTS if i.at_start and i.name in compiled}
    assert {name for name in compiled if not name.startswith(("jit.", "search."))} == set()


@pytest.mark.parametrize(
    "name", ["board", "game", "sgf", "players", "gtp.commands", "cli", "match.games", "jit.warmup"]
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
    if room(module(path)) not in ("cli", "cli.bench", "cli.play"):
        used = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert used & {"sys.stdout", "sys.stdin", "sys.__stdout__", "sys.__stdin__"} == set()
        assert not any(calls(tree, "input"))
