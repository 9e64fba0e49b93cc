"""Style: ruff, mypy, and plain technical English."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .support.paths import ROOT
from .support.prose import Passage, findings, markdown_prose, python_prose


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "--no-cache", "."],
        ["ruff", "format", "--no-cache", "--check", "."],
        ["mypy"],
    ],
    ids=" ".join,
)
def test_style(command: list[str]) -> None:
    result = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def prose(path: Path) -> Iterator[Passage]:
    source = path.read_text(encoding="utf-8")
    return python_prose(source) if path.suffix == ".py" else markdown_prose(source)


def test_prose_has_no_forbidden_phrase() -> None:
    folders = ("gtp_capture", "tests", "sabaki-config")
    found = [path for folder in folders for path in (ROOT / folder).rglob("*")] + list(ROOT.glob("*.md"))
    files = [path for path in found if path.suffix in (".py", ".md") and "node_modules" not in path.parts]
    assert len(files) > 100
    assert [f"{path.relative_to(ROOT)}:{found}" for path in files for found in findings(prose(path))] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "What is started inside never hears of ^C.",
        "The referee follows both, and it is he who knows the rules.",
        "A function, has everybody gone who waited for its result?",
        "Who disagrees plays on after the two passes.",
        "The file is no JSON.",
        "A library that knows nothing of Go.",
    ],
)
def test_the_lint_finds_bad_sentences(sentence: str) -> None:
    source = f'def f() -> None:\n    """{sentence}"""\n\n\nclass C:\n    x = 1\n    """{sentence}"""  # {sentence}\n'
    assert {int(found.partition(":")[0]) for found in findings(python_prose(source))} == {2, 7}
    assert list(findings(markdown_prose(f"# Title\n\n{sentence}\n"))) != []


@pytest.mark.parametrize(
    "sentence",
    [
        "A person who wins sees a dialog.",
        "The search is no longer compiled.",
        "`nobody` and `who` are the names of functions.",
        "Return the error number of the start.",
    ],
)
def test_the_lint_accepts_plain_sentences(sentence: str) -> None:
    assert list(findings(markdown_prose(sentence))) == []
