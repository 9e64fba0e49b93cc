"""The option --language of the commands for learners, with the made-up language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from gtp_capture.cli.app import cli
from gtp_capture.teach import sentences

from ..support.forks import refusal, run
from ..support.translations import MADE_UP
from ..teach.test_languages import compiled, sources, template  # noqa: F401 - fixtures

GAME = "(;GM[1]SZ[5];B[cc];W[cd];B[dd];W[dc])"


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    ("args", "typed"),
    [
        ("course", "1\nhelp\nnext\nquit\n"),
        ("course 1 --advice", ""),
        ("course 1 --sheet made.html", ""),
        ("course 1 -o made", ""),
        ("play --problem 1", "hint\nsolution\nquit\n"),
        ("play --two", "help\nC3\nquit\nno\n"),
        ("puzzles --from shipped --count 2 --sheet made.html", ""),
        pytest.param("puzzles --from shipped --count 2 -o made.sgf", "", marks=pytest.mark.slow),
        pytest.param(
            "puzzles --from shipped --count 2 --sheet made.html --answers key.html", "", marks=pytest.mark.slow
        ),
        ("show game.sgf --spoken", ""),
        pytest.param("show game.sgf --heat --seconds 0.5", "", marks=pytest.mark.slow),
        pytest.param("review game.sgf --seconds-per-move 0.1", "", marks=pytest.mark.slow),
        pytest.param("review game.sgf --seconds-per-move 0.1 --for-child", "", marks=pytest.mark.slow),
        pytest.param("review game.sgf --seconds-per-move 0.1 -o made.sgf --plot made.svg", "", marks=pytest.mark.slow),
    ],
)
def test_all_that_a_command_says_to_learners_is_in_their_language(
    args: str, typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.sgf").write_text(GAME)
    monkeypatch.setenv("LANGUAGE", MADE_UP)  # the system's language, and --language, which goes before it
    assert said(args, typed)
    assert not said(f"{args} --language en", typed)
    monkeypatch.setenv("LANGUAGE", "en")
    assert said(f"{args} --language {MADE_UP}", typed)


def said(args: str, typed: str) -> bool:
    """Whether a command says something, or writes a file, in the made-up language; whether all files are."""
    done = CliRunner().invoke(cli, args.split(), input=typed, standalone_mode=False)
    assert done.exit_code == 0, done.exception
    written = [path for path in Path().rglob("*") if path.is_file() and path.name != "game.sgf"]
    texts = [path.read_text() for path in written] or [done.stdout]
    for path in written:
        path.unlink()
    for path in Path().glob("made/*"):
        path.rmdir()
    assert len({"«" in text for text in texts if "C[" in text or "<h1>" in text or not written}) <= 1
    return any("«" in text for text in texts)


@pytest.mark.usefixtures("compiled")
def test_a_side_that_stands_alone_before_the_input_has_a_capital() -> None:
    done = CliRunner().invoke(cli, ["play", "--two", "--language", "es"], input="C3\nquit\nno\n", standalone_mode=False)
    assert re.findall(r"^(\w+)> ", done.stdout, re.MULTILINE) == ["Negras", "Blancas", "nombre"]
    assert "Última jugada: negras C3." in done.stdout, "within a sentence it has none"


def test_another_language_is_refused_in_one_line() -> None:
    known = ", ".join(sentences.languages())
    assert refusal(run("course", "--language", "xx")) == f"--language: 'xx' is not one of {known}"
