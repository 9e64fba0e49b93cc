"""The recipes and the tables of gtp_capture/README.md: they are executed, and the files that they name exist."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po, write_po

from .support import translations
from .support.forks import HANG
from .support.paths import ROOT

TEXT = (ROOT / "gtp_capture" / "README.md").read_text(encoding="utf-8")
RECIPES = {part.partition("\n")[0]: part for part in TEXT.partition("\n## Recipes\n")[2].split("\n### ")[1:]}
STEP = re.compile(
    r"(?:new file `(?P<new>[^`]+)`"
    r"|\bIn\s+`(?P<file>[^`]+)`,\s+(?P<where>before|instead of)\s+the\s+line\s+`(?P<line>[^`]+)`)"
    r":\n\n```(?:python|text|sgf)\n(?P<code>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
CONSOLE = re.compile(r"```console\n\$ (?P<command>.*?)\n(?P<output>.*?)^```$", re.DOTALL | re.MULTILINE)


def follow(recipe: str, root: Path) -> int:
    """Make the changes that a recipe asks for in a copy of the package; return their number."""
    steps = list(STEP.finditer(recipe))
    for step in steps:
        path = root / (step["new"] or step["file"])
        if step["new"]:
            assert not path.exists()
            path.write_text(step["code"], encoding="utf-8")
            continue
        source, line = path.read_text(encoding="utf-8"), step["line"] + "\n"
        assert source.count(line) == 1, step["line"]
        kept = line if step["where"] == "before" else ""
        path.write_text(source.replace(line, step["code"] + kept), encoding="utf-8")
    return len(steps)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, recipe in RECIPES.items() if "```python" in recipe])
def test_a_recipe_does_what_it_shows(name: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "gtp_capture", tmp_path / "gtp_capture", ignore=shutil.ignore_patterns("__pycache__"))
    assert follow(RECIPES[name], tmp_path) == len(re.findall(r"^```(?:python|text)$", RECIPES[name], re.MULTILINE)) > 0
    (example,) = CONSOLE.finditer(RECIPES[name])
    commands, engine = example["command"].split(" | gtp-capture ")
    lines = shlex.split(commands)[2:]
    done = subprocess.run(
        [sys.executable, "-m", "gtp_capture", *shlex.split(engine)],
        input="".join(f"{line}\n" for line in lines), capture_output=True, text=True, timeout=HANG, check=True,
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout == example["output"]
    assert "Traceback" not in done.stderr


def copy_of_checkout(tmp_path: Path) -> dict[str, str]:
    """Copy the package and the tools of the tests; return the environment of commands that work on the copy."""
    ignored = shutil.ignore_patterns("__pycache__", "locale")
    shutil.copytree(ROOT / "gtp_capture", tmp_path / "gtp_capture", ignore=ignored)
    shutil.copytree(ROOT / "tests" / "support", tmp_path / "tests" / "support", ignore=ignored)
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, module in (("python", ""), ("gtp-capture", "-m gtp_capture")):
        (programs / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {module} "$@"\n')
        (programs / name).chmod(0o755)
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    return {**os.environ, "PYTHONPATH": str(tmp_path), "PATH": path}


def assert_shown(step: re.Match[str], folder: Path, env: dict[str, str]) -> None:
    """Run the command of a step by the shell: its output is the one that the recipe shows."""
    done = subprocess.run(
        step["command"], shell=True, capture_output=True, text=True, timeout=HANG, check=False, cwd=folder, env=env
    )
    assert (done.returncode, done.stdout) == (0, step["output"]), done.stderr


@pytest.mark.slow
@pytest.mark.posix
def test_a_language_is_added_in_four_steps(tmp_path: Path) -> None:
    recipe, env = RECIPES["Add a language"], copy_of_checkout(tmp_path)
    assert re.findall(r"^(\d)\. ", recipe, re.MULTILINE) == ["1", "2", "3", "4"]
    for number, step in enumerate(CONSOLE.finditer(recipe)):
        if number == 1:  # between the first two commands all is translated
            translate(tmp_path / "gtp_capture/locale/eo/LC_MESSAGES/gtp_capture.po", recipe)
        assert_shown(step, tmp_path, env)


@pytest.mark.slow
@pytest.mark.posix
def test_a_page_and_a_problem_are_added_to_a_lesson(tmp_path: Path) -> None:
    recipe, env = RECIPES["Add a page or a problem to a lesson"], copy_of_checkout(tmp_path)
    assert follow(recipe, tmp_path) == recipe.count("```sgf\n") == 2
    for step in CONSOLE.finditer(recipe):
        assert_shown(step, tmp_path, env)


def translate(path: Path, recipe: str) -> None:
    """Translate two messages as the recipe does, and the others into the made-up language."""
    (shown,) = re.findall(r"```po\n(.*?)^```$", recipe, re.DOTALL | re.MULTILINE)
    catalog, said = translations.read(path), translations.made_up(translations.template(), "eo")
    for message in (*said, *read_po(io.StringIO(shown))):
        if message.id:
            translated = catalog.get(message.id, message.context)
            assert translated is not None, message.id
            translated.string = message.string
    with path.open("wb") as file:
        write_po(file, catalog)


def test_each_recipe_is_executed() -> None:
    in_python = {"Add rules", "Add a GTP command", "Add a player"}
    assert {name for name, recipe in RECIPES.items() if "```python" in recipe} == in_python
    assert set(RECIPES) == in_python | {"Add a language", "Add a page or a problem to a lesson"}


def test_every_file_that_the_text_names_exists() -> None:
    text = TEXT.partition("\n## Recipes\n")[0]
    named = set(re.findall(r"`([a-z_0-9/]+\.py)`", text))
    assert len(named) > 20
    here, tests = ROOT / "gtp_capture", ROOT
    assert {name for name in named if not ((here / name).exists() or (tests / name).exists())} == set()


def test_every_function_that_the_table_names_is_in_its_file() -> None:
    rows = re.findall(r"`([a-z_0-9/]+\.py)`, `(\w+)`", TEXT)
    assert len(rows) >= 5
    for path, function in rows:
        assert re.search(rf"^ *(?:async )?def {function}\(", (ROOT / "gtp_capture" / path).read_text(), re.MULTILINE), (
            path,
            function,
        )


def test_the_guide_names_each_file_that_asks_for_the_system() -> None:
    guide, package = TEXT.partition("## Other systems")[2].partition("\n## ")[0], ROOT / "gtp_capture"
    asked = re.compile(r"sys\.platform|os\.name\b|(has|get)attr\((os|signal|select|subprocess)\b")
    files = [path for path in package.rglob("*.py") if asked.search(path.read_text(encoding="utf-8"))]
    assert len(files) > 10
    assert [path for path in files if f"`{path.relative_to(package).as_posix()}`" not in guide] == []
