"""Games as SGF: text, files, and what is refused."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import gtp_capture as gc
from gtp_capture.go.sgf import MOST_BYTES

from ..support.random_games import RULES, Plan, plans


@given(plans(30))
def test_a_game_in_turn_comes_back_equal_from_sgf(plan: Plan) -> None:
    game = gc.Game(RULES[plan.rules], (plan.width, plan.height))
    for number in plan.numbers:
        moves = game.legal_moves()
        if moves and not game.is_over:
            game.play(moves[number % len(moves)])
    assert gc.load_sgf(gc.dump_sgf(game, black="Ô", white="é")) == game


def test_a_collection_gives_every_game() -> None:
    games = [gc.Game("first-capture", 5), gc.Game("japanese", (9, 7)), gc.Game("capture-3", 4)]
    for game in games:
        game.play("B2")
    assert gc.load_sgf_collection("\n".join(map(gc.dump_sgf, games)).encode()) == games


@pytest.mark.parametrize(
    ("named", "given_rules", "used"),
    [
        ("Japanese", None, "japanese"),
        ("Japanese", "capture-3", "capture-3"),
        ("capture-5", "capture-3", "capture-5"),
        ("?", None, "first-capture"),
        ("?", "aga", "aga"),
    ],
)
def test_the_rules_are_those_of_the_file_unless_a_capture_game_is_given(
    named: str, given_rules: str | None, used: str
) -> None:
    assert str(gc.load_sgf(f"(;SZ[9]RU[{named}];B[ee])", given_rules).rules) == used


@pytest.mark.parametrize("text", ["", "hello", "(;SZ[99])", "(;SZ[5];B[cc];W[cc])", "(;SZ[5]"])
def test_text_without_a_game_is_refused(text: str) -> None:
    with pytest.raises(gc.SgfError):
        gc.load_sgf(text)
    with pytest.raises(gc.SgfError):
        gc.load_sgf_collection(text)


def test_an_error_in_a_collection_names_the_game() -> None:
    with pytest.raises(gc.SgfError, match=r"^game 2: "):
        gc.load_sgf_collection("(;SZ[5];B[cc])(;SZ[5];B[cc];W[cc])")


@pytest.mark.parametrize("text", ["(;SZ[5];B[zz])", "(;SZ[5:7];B[eh])", "(;SZ[9]PL[blue])", "(;SZ[5]AB[zz])"])
def test_a_malformed_value_in_sgf_has_a_message(text: str) -> None:
    with pytest.raises(gc.SgfError, match="a malformed point or colour"):
        gc.load_sgf(text)


def test_lone_surrogates_in_sgf_text_do_not_matter() -> None:
    assert len(gc.load_sgf("(;SZ[5]PB[\udce9\ud800];B[cc])").moves) == 1


def test_the_charset_of_text_does_not_matter() -> None:
    assert len(gc.load_sgf("(;SZ[5]CA[Shift_JIS]PB[ソ囲碁];B[cc])").moves) == 1


# --- Files ---


def test_a_file_is_written_and_read_by_its_path_or_open(tmp_path: Path) -> None:
    game, path = gc.Game("capture-3", 5), tmp_path / "game.sgf"
    game.play("B2")
    gc.write_sgf(game, path, black="Ô")
    assert gc.read_sgf(path) == gc.read_sgf(str(path)) == game
    assert path.read_text("utf-8") == gc.dump_sgf(game, black="Ô")
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        assert gc.read_sgf(binary) == gc.read_sgf(text) == game
    for memory in (io.StringIO(), io.BytesIO()):
        gc.write_sgf(game, memory)
        memory.seek(0)
        assert gc.read_sgf(memory) == game


def test_a_file_opened_with_another_encoding_gets_utf_8(tmp_path: Path) -> None:
    with (tmp_path / "game.sgf").open("w", encoding="cp1252") as file:
        gc.write_sgf(gc.Game(size=5), file, black="Zoé 山")
        gc.write_sgf(gc.Game(size=7), file)
    assert "PB[Zoé 山]" in (tmp_path / "game.sgf").read_text("utf-8")
    assert [game.width for game in gc.load_sgf_collection((tmp_path / "game.sgf").read_bytes())] == [5, 7]


def test_a_file_that_cannot_be_read_has_its_reason(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        gc.read_sgf(tmp_path / "missing.sgf")
    (tmp_path / "rules.sgf").write_text("(;SZ[5])")
    assert str(gc.read_sgf(tmp_path / "rules.sgf", "aga").rules) == "aga"
    with pytest.raises(gc.SgfError, match="directory"):
        gc.read_sgf(tmp_path)
    with pytest.raises(gc.SgfError, match="larger than"):
        gc.read_sgf(io.BytesIO(b" " * (MOST_BYTES + 1)))
    with pytest.raises(OSError, match="missing"):
        gc.write_sgf(gc.Game(), tmp_path / "missing" / "game.sgf")


@pytest.mark.parametrize("other", [None, 3, b"(;SZ[5])"])
def test_neither_a_path_nor_a_file_is_refused(other: Any) -> None:
    with pytest.raises(TypeError, match="a path or an open file is needed, not"):
        gc.read_sgf(other)
    with pytest.raises(TypeError, match="a path or an open file is needed, not"):
        gc.write_sgf(gc.Game(), other)
