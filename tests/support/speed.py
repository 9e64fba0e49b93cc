"""A lint for code that makes a test depend on the speed of the machine: clocks, sleeps, and limits of a few seconds."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Set
from itertools import pairwise
from typing import Final

CLOCK: Final = {"sleep", "monotonic", "perf_counter", "time"}
OVER, LONG = 0.001, 60.0
"""A limit of up to OVER seconds stands for one that is over already; one of LONG or more is for tests that hang."""
SECONDS: Final = re.compile("seconds|timeout")
OPTION: Final = re.compile("--(time|time-per-move|seconds-per-move|timeout)")
COMMAND: Final = re.compile(rf"(?:{OPTION.pattern}|capture-(?:solve|hint|explain|review)) +([\d.]+)")
WAITING: Final = {"Limit", "wait", "join", "expect"}
"""Calls whose first argument may be a number of seconds."""


def findings(source: str, slow: Set[str] = frozenset()) -> Iterator[tuple[str, int]]:
    """Yield each top-level name of a test module whose code depends on speed, with the line that does.

    In a module with tests, only names that a quick test uses, directly or through other names. A quick test is not
    marked slow and uses no fixture in `slow`. In a module without tests, all names.
    """
    parts = {name: node for node in ast.parse(source).body for name in _defined(node)}
    if "pytestmark" in parts and _is_slow(parts["pytestmark"]):
        return
    tests = [name for name in parts if name.startswith("test_")] or list(parts)
    tests = [name for name in tests if not any(map(_is_slow, getattr(parts[name], "decorator_list", [])))]
    used = {name for found in (_used(test, parts) for test in tests) if slow.isdisjoint(found) for name in found}
    for name in sorted(used & parts.keys()):
        yield from ((name, line) for node in ast.walk(parts[name]) for line in _lines(node))


def _is_slow(node: ast.AST) -> bool:
    """Whether an expression or a statement has a marker of tests that are not quick."""
    return any(isinstance(part, ast.Attribute) and part.attr in ("slow", "long") for part in ast.walk(node))


def _used(name: str, parts: Mapping[str, ast.stmt]) -> set[str]:
    """Return all names that a name uses, itself included."""
    used, waiting = set[str](), {name}
    while waiting:
        used |= waiting
        nodes = [node for name in waiting & parts.keys() for node in ast.walk(parts[name])]
        waiting = {word for node in nodes for word in _words(node)} - used
    return used


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [found.id for target in targets for found in ast.walk(target) if isinstance(found, ast.Name)]


def _words(node: ast.AST) -> list[str]:
    """Return the name that a node uses; fixtures are used by the names of arguments."""
    return [node.id] if isinstance(node, ast.Name) else [node.arg] if isinstance(node, ast.arg) else []


def _lines(node: ast.AST) -> Iterator[int]:
    """Yield the line of a node that depends on speed by itself."""
    match node:
        case ast.Attribute(ast.Name("time"), word) if word in CLOCK:
            yield node.lineno
        case ast.keyword(str(word), value) if SECONDS.search(word) and _is_short(value):
            yield value.lineno
        case ast.arguments(args=args, defaults=defaults):
            given = zip(reversed(args), reversed(defaults), strict=False)
            yield from (arg.lineno for arg, value in given if SECONDS.search(arg.arg) and _is_short(value))
        case ast.Call(ast.Name(word) | ast.Attribute(attr=word), [first, *_]) if word in WAITING and _is_short(first):
            yield node.lineno
        case ast.Constant(str(text)) if any(_is_short(ast.Constant(m[2])) for m in COMMAND.finditer(text)):
            yield node.lineno
    items = node.args if isinstance(node, ast.Call) else node.elts if isinstance(node, ast.Tuple | ast.List) else []
    for option, value in pairwise(items):
        if isinstance(option, ast.Constant) and OPTION.fullmatch(str(option.value)) and _is_short(value):
            yield value.lineno


def _is_short(node: ast.expr) -> bool:
    """Whether a number, or text that is one, is between OVER and LONG."""
    try:
        return isinstance(node, ast.Constant) and OVER < float(node.value) < LONG  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
