"""Words that `help` explains: each board shows what its text says."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

import gtp_capture
from gtp_capture.go import board as bd
from gtp_capture.go import sgf
from gtp_capture.go.game import Game
from gtp_capture.go.position import Illegal
from gtp_capture.go.rules import Rules
from gtp_capture.go.sgf_tree import read_tree
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.players.lines import ladder
from gtp_capture.solver.solver import Solver
from gtp_capture.teach import words
from gtp_capture.teach.course import lessons
from gtp_capture.teach.puzzles import files
from gtp_capture.teach.reasons import safe_points
from gtp_capture.teach.sentences import table
from gtp_capture.teach.terms import TERMS
from gtp_capture.util.limit import Limit

from ..support.course import room, safe
from ..support.diagrams import set_up


def start(name: str) -> Game:
    return TERMS[name].game()


def lettered(name: str) -> set[int]:
    return set(map(start(name).point, TERMS[name].letters.split()))


def after(name: str) -> Game:
    game = start(name)
    for vertex in TERMS[name].line.split():
        game.play(vertex)
    return game


def ko(rules: str) -> Game:
    """Return the board of a ko in a game with other rules."""
    return set_up(TERMS["ko"].rows, rules)


def winner(game: Game) -> int | None:
    solver = Solver(5, 5, 2**20)
    return solver.solve(game.board, int(game.to_move), Limit().begin()).winner


def test_every_word_has_a_text() -> None:
    assert {key.split(".")[1] for key in table() if key.startswith("term.")} == {*TERMS, "words"}


def test_letters_are_the_liberties() -> None:
    for name, vertex in (("liberties", "B3"), ("atari", "C3")):
        game = start(name)
        assert set(bd.liberties(game.board, game.point(vertex))) == lettered(name)


def test_a_chain_joins_along_lines() -> None:
    game = start("chain")
    assert len(bd.stones(game.board, game.point("B2"))) == 3
    assert game.point("D4") not in bd.stones(game.board, game.point("B2"))


def test_the_capture_takes_the_stone() -> None:
    assert after("capture").prisoners(BLACK) == 1


def test_the_double_atari_attacks_two_chains_and_wins() -> None:
    for name in ("double", "force"):
        game = after(name)
        assert len(game.atari(WHITE)) == 2
        assert not game.atari(BLACK)
        assert winner(game) == BLACK


def test_the_line_is_a_ladder() -> None:
    game = start("ladder")
    assert [game.vertex(point) for point in ladder(game, BLACK)] == TERMS["ladder"].line.split()


def test_the_net_wins_without_an_atari() -> None:
    game = after("net")
    assert not game.atari(WHITE)
    assert winner(game) == BLACK


def test_the_cut_keeps_two_chains_apart() -> None:
    game = after("cut")
    board = game.board
    assert len({bd.stones(board, p)[0] for p in range(board.cells) if board.color[p] == WHITE}) == 2
    joined = start("cut")
    joined.play("C3", WHITE)
    assert len(bd.stones(joined.board, joined.point("C3"))) == 3


def test_the_letters_are_safe_points_and_safe_moves_are_counted_as_in_the_course() -> None:
    game = start("safe")
    assert set(safe_points(game, BLACK)) == safe(game, "black") == lettered("safe")
    assert "a to f are Black's safe points" in table()["term.safe"]
    assert room(game, "black") == 4
    assert "four safe moves, one after the other" in table()["term.safe"]


def test_safe_moves_are_turns_and_safe_points_are_points_in_every_text() -> None:
    """A text of the course that counts safe moves has a statement about turns, which is proven."""
    manual = (path.read_text() for path in Path(str(resources.files(gtp_capture) / "manual")).glob("*.md"))
    for text in (*table().values(), *manual):
        assert "safe play" not in text
    counting = 0
    for data in (data for number in lessons.numbers() for data in sgf.split(lessons.source(number))):
        root = read_tree(data)
        if re.search(r"\b(how many|no|one|two|three) safe moves?", root.text("C"), re.IGNORECASE):
            counting += 1
            stated = [value for node in root.main_line() for value in files.facts(node).items()]
            assert any(name.startswith("room") or value.startswith("room") for name, value in stated), root.text("GN")
    assert counting >= 5


@pytest.mark.parametrize(
    ("rules", "said", "legal"),
    [
        ("japanese", "White must first play somewhere else. This is ko.", False),
        ("aga", "White must first play somewhere else. This is ko.", False),
        ("capture-10 ko=simple passing=stone", "White must first play somewhere else. This is ko.", False),
        ("capture-10", "In this game White may do so at once.", True),
        ("chinese ko=none", "In this game White may do so at once.", True),
    ],
)
def test_ko_is_explained_by_the_rules_of_the_game(rules: str, said: str, legal: bool) -> None:
    game = ko(rules)
    game.play("D1")
    game.play("E1")  # White's play is the position that taking back would repeat
    game.play(TERMS["ko"].line)
    assert said in words.term("ko", game.rules, words.SHORT)
    assert game.is_legal("C3") is legal


def test_in_first_capture_the_first_taking_of_a_ko_wins() -> None:
    for rules in ("first-capture", "first-capture ko=simple"):
        assert "that wins this game" in words.term("ko", Rules.parse(rules), words.SHORT)
        game = ko(rules)
        game.play(TERMS["ko"].line)
        assert game.outcome is not None


def test_the_ko_may_not_be_taken_back_at_once() -> None:
    game = ko("japanese")
    game.play(TERMS["ko"].line)
    assert game.why_illegal("C3") is Illegal.KO


def test_white_may_play_in_neither_eye() -> None:
    for rules in ("first-capture", "japanese"):
        game = start("eyes")
        game.rules = Rules.parse(rules)
        assert all(game.why_illegal_point(point, WHITE) is Illegal.SUICIDE for point in lettered("eyes"))
