"""Reviews and problems as values."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import gtp_capture as gc
from gtp_capture.cli.app import cli

from ..support.diagrams import played

LOST = ("C3", "A1", "B4", "B3", "C5", "C2")


@pytest.mark.slow
def test_a_review_has_the_judgement_of_each_move(compiled: None) -> None:
    game = played(5, *LOST)
    review = gc.review(game)
    assert [(move.number, move.vertex) for move in review.moves] == list(enumerate(LOST, 1))
    assert [move.color for move in review.moves] == [gc.BLACK, gc.WHITE] * 3
    assert review.deciding is None
    assert all(move.before in (0.0, 1.0) for move in review.moves)
    assert game == played(5, *LOST)


@pytest.mark.slow
def test_the_deciding_mistake_has_a_better_move_and_a_punishment(compiled: None) -> None:
    review = gc.review(played(5, "C3", "C2", "A1", "B1"))
    mistake = review.deciding
    assert mistake is not None
    assert (mistake.vertex, mistake.grade, mistake.before, mistake.after) == ("A1", gc.Grade.LOSING, 1.0, 0.0)
    assert mistake.better
    assert mistake.punishment
    assert str(mistake).startswith("3 B A1: A1 turns a win into a loss. ")
    assert mistake.remark in str(review)
    html = ElementTree.fromstring(review._repr_html_())
    assert ["3", "black A1", "100%", "0%", mistake.remark] in [[cell.text for cell in row] for row in html.iter("tr")]


@pytest.mark.slow
def test_the_sgf_of_a_review_is_that_of_the_command(compiled: None, tmp_path: Path) -> None:
    game = played(5, "C3", "C4", "B4", "C2")
    gc.write_sgf(game, tmp_path / "game.sgf")
    text = gc.review(game).sgf()
    done = CliRunner().invoke(cli, ["review", str(tmp_path / "game.sgf"), "-o", str(tmp_path / "reviewed.sgf")])
    assert done.exit_code == 0
    assert (tmp_path / "reviewed.sgf").read_text("utf-8") == text
    assert gc.load_sgf(text) == game


@pytest.mark.slow
def test_a_review_ends_at_a_resignation(compiled: None) -> None:
    game = played(5, "C3", "resign")
    game.go_on()
    game.play("C4")
    review = gc.review(game, seconds_per_move=0.01)
    assert [move.vertex for move in review.moves] == ["C3"]
    assert gc.load_sgf(review.sgf()).moves == played(5, "C3").moves
    assert "RE[B+R]" in review.sgf()


@pytest.mark.parametrize(
    ("game", "seconds", "error", "words"),
    [
        (gc.Game(), 0.1, gc.GameError, "no moves to review"),
        (played(5, "C3"), 0.0, ValueError, "seconds_per_move is a time of more than 0 s"),
        (played(5, "C3"), float("nan"), ValueError, "seconds_per_move is a time of more than 0 s"),
    ],
)
def test_what_cannot_be_reviewed_is_named(game: Any, seconds: float, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        gc.review(game, seconds_per_move=seconds)


@pytest.mark.slow
def test_problems_are_proven_values(compiled: None) -> None:
    problems = gc.puzzles(size=5, count=2, depth=1)
    assert gc.puzzles(size=5, count=2, depth=1) == problems
    assert len(problems) == 2
    for problem in problems:
        game = problem.game()
        assert (problem.depth, len(problem.solution)) == (1, 1)
        assert gc.solve(game).winner is game.to_move
        game.play(problem.solution[0])
        assert game.outcome is not None
        assert gc.load_sgf(problem.sgf()).positions[0] == problem.game().positions[0]
        assert problem._repr_svg_().startswith("<svg")
        assert str(problem.game()) in str(problem)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"rules": "japanese"}, gc.GameError, "capture"),
        ({"size": 30}, gc.GameError, "a board has 2 to 25 points a side"),
        ({"count": 0}, ValueError, "count is a whole number of 1 or more"),
        ({"depth": 10}, ValueError, "depth is a whole number from 1 to 9"),
        ({"seed": -1}, ValueError, "seed is a whole number of 0 or more"),
    ],
)
def test_problems_that_cannot_be_found_are_refused(options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        gc.puzzles(**options)


def test_a_language_that_is_no_text_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="a language is text such as 'de', not 5"):
        gc.puzzles(size=5, count=1, depth=1)[0].sgf(language=5)  # type: ignore[arg-type]
