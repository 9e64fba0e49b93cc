"""A lint for prose: phrases that plain technical English avoids, in docstrings, comments, test names and Markdown."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

PEOPLE: Final = (
    *("anyone", "beginner", "beginners", "child", "children", "engineer", "engineers", "opponent", "people", "person"),
    *("player", "players", "readers", "reader", "teacher", "teachers", "those", "user", "users"),
)
"""Words that `who` may follow; `who wins` is accepted everywhere."""

FORBIDDEN: Final = (
    re.compile(r"\b(whoever|nobody|somebody|everybody|someone|everyone)\b", re.IGNORECASE),
    re.compile(
        "".join(rf"(?<!\b{word} )(?<!\b{word}, )" for word in PEOPLE) + r"\bwho\b(?! (wins|won|has won)\b)",
        re.IGNORECASE,
    ),
    re.compile(r"\b(hears|cares|does not care|knows (nothing|no)|thinks of)\b", re.IGNORECASE),
    re.compile(r"(?<!there )\b(is|are|was) no (?!longer\b|more\b|matter\b|less\b)[a-z]", re.IGNORECASE),
    re.compile(r"\bwhat (is|has|makes) no\b", re.IGNORECASE),
    re.compile(r"\b(it is he|the other's affair|at sight|(worth|for) having)\b", re.IGNORECASE),
)
"""Clauses about people, personification, and inversions such as `is no number` for `is not a number`."""


class Passage(NamedTuple):
    """A comment, a docstring, the name of a test, or a line of Markdown."""

    line: int
    text: str


def python_prose(source: str) -> Iterator[Passage]:
    """The docstrings, also those of attributes, comments and names of tests in a Python file."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield Passage(node.lineno, " ".join(node.value.value.split()))
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield Passage(node.lineno, node.name.replace("_", " "))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Passage(token.start[0], token.string)


def markdown_prose(source: str) -> Iterator[Passage]:
    """The lines of a Markdown file outside code blocks."""
    in_code = False
    for number, line in enumerate(source.splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif not in_code:
            yield Passage(number, line)


def findings(passages: Iterable[Passage]) -> Iterator[str]:
    """The forbidden phrases in passages, each with its line; quoted code is left out."""
    for passage in passages:
        text = re.sub(r"`[^`]*`", "``", passage.text)
        for pattern in FORBIDDEN:
            for found in pattern.finditer(text):
                yield f"{passage.line}: {found[0]!r} in {text[max(0, found.start() - 40) : found.end() + 30]!r}"
