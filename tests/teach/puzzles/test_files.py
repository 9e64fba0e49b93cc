"""Problems as SGF: what is written is read again, and other programs can read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf as sgfmill_sgf

from gtp_capture import Game
from gtp_capture.go.rules import Rules
from gtp_capture.go.sgf import SgfError, load
from gtp_capture.teach.puzzles import files
from gtp_capture.teach.puzzles.problem import Difficulty, Problem, Start, Variation
from gtp_capture.teach.puzzles.theme import THEMES

RULES = ("first-capture", "capture-3", "capture-5 ko=simple")


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """A problem with random stones, a random legal line, and wrong answers at its end and its beginning."""
    width, height = draw(st.tuples(st.integers(3, 6), st.integers(3, 6)))
    game = Game(draw(st.sampled_from(RULES)), (width, height))
    pick = st.integers(0, 10_000)
    for _ in range(draw(st.integers(1, 8))):
        _play(game, draw(pick))
    start = Start.of(game.board, int(game.to_move), game.rules)
    game = start.game()
    lines = [_line(start, draw(st.lists(pick, min_size=1, max_size=4)))]
    if game.outcome is None:
        lines += [(p,) for p in game.legal_plays()[:2] if p != lines[0][0]]
    comment = st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), min_size=1, max_size=8).map(str.lower)
    variations = tuple(Variation(line, n == 0, "" if n == 0 else draw(comment)) for n, line in enumerate(lines) if line)
    difficulty = draw(st.builds(Difficulty, st.integers(0, 56), st.just(56), st.integers(1, 10**9)))
    return Problem(start, variations, draw(st.sampled_from(["", *THEMES])), difficulty)


def _play(game: Game, number: int) -> None:
    plays = game.legal_plays()
    if game.outcome is None and plays:
        game.play_point(plays[number % len(plays)])
        if game.outcome is not None:
            game.undo()


def _line(start: Start, numbers: list[int]) -> tuple[int, ...]:
    game = start.game()
    for number in numbers:
        plays = game.legal_plays()
        if game.outcome is None and plays:
            game.play_point(plays[number % len(plays)])
    return tuple(move.point for move in game.moves)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(problems().filter(lambda problem: bool(problem.variations)), min_size=1, max_size=3))
def test_a_collection_is_read_as_it_was_written(written: list[Problem]) -> None:
    data = files.dump(written)
    assert list(files.parse(data)) == written
    for problem, tree in zip(written, data.split(b"\n\n"), strict=False):
        assert problem.start.game().positions == load(tree, before_move=1).positions


@pytest.mark.slow
def test_the_text_of_one_position_is_in_the_singular(tutorial: list[Problem]) -> None:
    one = [problem for problem in tutorial if problem.difficulty.effort == 1]
    data = files.dump(one)
    assert data.count(b"The proof took 1 position.") == len(one) == 12
    assert list(files.parse(data)) == one


EXAMPLE = (
    b"(;FF[4]GM[1]SZ[5]GN[a corner]AB[ab][db]AW[ac][cc]PL[B]C[Black to play]"
    b"(;B[bb]C[what now?];W[dd];B[ee])(;B[dd];W[ee]C[too late])(;B[bc]C[Yes. RIGHT!])(;B[cd];W[de];B[ce]C[RIGHT]))"
)


def test_a_file_of_another_program_is_read() -> None:
    (problem,) = files.parse(EXAMPLE)
    start = problem.start
    vertices = [[start.game().vertex(p) for p in v.moves] for v in problem.variations]
    assert vertices == [["B3"], ["C2", "D1", "C1"], ["B4", "D2", "E1"], ["D2", "E1"]]
    assert [v.right for v in problem.variations] == [True, True, False, False]
    assert (start.width, str(start.rules), start.to_move) == (5, "first-capture", 1)
    assert problem.theme == ""
    assert problem.difficulty.grade == 0


def test_sgfmill_reads_the_position_the_moves_and_the_comments() -> None:
    (problem,) = files.parse(EXAMPLE)
    game = sgfmill_sgf.Sgf_game.from_bytes(files.dump([problem]))
    root = game.get_root()
    black, white, _ = root.get_setup_stones()
    assert (len(black), len(white), root.get("PL")) == (2, 2, "b")
    assert root.get("RU") == "first-capture"
    assert root.get("GN") == "Problem 1"
    assert "Black to play and win." in root.get("C")
    assert game.get_last_node().get("C") == "RIGHT"


@pytest.mark.parametrize(
    "data",
    [
        b"(;SZ[5]AB[aa](;W[bb]C[RIGHT]))",  # without PL, the first move names the side to move
        b"(;SZ[5]AB[aa]PL[B]RU[japanese](;B[bb]C[RIGHT]))",  # a program of ordinary Go always writes some rules
        b"(;SZ[5];B[aa])(;SZ[5]AB[aa]PL[B];B[bb]C[RIGHT])",  # a game among the problems
    ],
)
def test_a_file_with_one_problem_is_read(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.sgf"
    path.write_bytes(data)
    (problem,) = files.read(path, Rules.parse("first-capture"))
    assert problem.start.game().vertex(problem.line[0]) == "B4"


LONG = b"".join(b";%c[%c%c]" % (b"BW"[n % 2], 97 + n // 2 % 19, 98 + 9 * (n % 2) + n // 38) for n in range(101))
"""Black fills rows at the top, White rows at the bottom."""


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"(;SZ[5]AB[aa]PL[B](;W[bb]C[RIGHT]))", "move 1 of a variation is not a play of black"),
        (b"(;SZ[5]AB[aa]PL[B](;B[aa]C[RIGHT]))", "not empty"),
        (b"(;SZ[5]AB[aa]PL[B](;B[ff]C[RIGHT]))", "off the board|not a play of black"),
        (b"(;SZ[5]AB[ab][ba]AW[bb][cc]PL[B](;B[dd]C[RIGHT", "the value of C has no"),
        (b"(;SZ[5]AB[aa]PL[B](;B[bb]))", "no problem"),
        (b"(;SZ[5];B[bb]C[RIGHT])", "no problem"),
        (b"(;SZ[5]AB[aa]PL[B]RU[japanese](;B[bb]C[RIGHT]))", "no problem: a problem has rules where captures win"),
        (b"(;SZ[5]AB[aa]PL[B](;B[bb];W[cc];W[dd]C[RIGHT]))", "move 3 of a variation is not a play of black"),
        (b"(;SZ[5]AB[aa]PL[B]" + 1001 * b"(;B[bb])" + b")", "more than 1,000 variations"),
        (b"(;SZ[19]RU[capture-9]AB[aa]PL[B]" + LONG + b"C[RIGHT])", "more than 100 moves in a variation"),
        (b"hello", "no problem"),
        (b"", "no problem"),
    ],
)
def test_a_file_without_problems_is_refused_with_the_reason(data: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "x.sgf"
    path.write_bytes(data)
    with pytest.raises(SgfError, match=reason):
        files.read(path)


def test_a_folder_gets_a_file_for_each_problem_and_is_read_in_order(tmp_path: Path) -> None:
    (problem,) = files.parse(EXAMPLE)
    files.write(tmp_path / "set", [problem] * 3, folder=True)
    assert [path.name for path in sorted((tmp_path / "set").iterdir())] == ["01.sgf", "02.sgf", "03.sgf"]
    assert files.read(tmp_path / "set") == [problem] * 3


def test_sabaki_reads_the_collection(sabaki: Callable[[bytes], Any], collection: list[Problem]) -> None:
    for tree, problem in zip(sabaki(files.dump(collection)), collection, strict=True):
        start = problem.start
        assert [len(tree["data"].get(name, [])) for name in ("AB", "AW")] == [len(start.black), len(start.white)]
        assert tree["data"]["PL"] == ["BW"[start.to_move - 1]]
        ends = list(leaves(tree))
        assert len(ends) == len(problem.variations)
        assert ends.count("RIGHT") == sum(variation.right for variation in problem.variations)


def leaves(tree: Any) -> Iterator[str]:
    """The comments at the ends of the lines of a tree."""
    for child in tree["children"]:
        yield from leaves(child)
    if not tree["children"]:
        yield tree["data"].get("C", [""])[0]
