"""Words that `help` explains: each board shows what its text says."""

from __future__ import annotations

from gtp_capture.go import board as bd
from gtp_capture.go.game import Game
from gtp_capture.go.position import Illegal
from gtp_capture.go.rules import Rules
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.solver.solver import Solver
from gtp_capture.teach.explain import ladder, safe_points
from gtp_capture.teach.strings import ENGLISH
from gtp_capture.teach.terms import TERMS
from gtp_capture.util.limit import Limit


def start(name: str) -> Game:
    return TERMS[name].game()


def lettered(name: str) -> set[int]:
    return set(map(start(name).point, TERMS[name].letters.split()))


def after(name: str) -> Game:
    game = start(name)
    for vertex in TERMS[name].line.split():
        game.play(vertex)
    return game


def winner(game: Game) -> int | None:
    solver = Solver(5, 5, 2**20)
    return solver.solve(game.board, int(game.to_move), Limit().begin()).winner


def test_every_word_has_a_text() -> None:
    assert {key.removeprefix("term.") for key in ENGLISH if key.startswith("term.")} == {*TERMS, "words"}


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


def test_the_letters_are_the_safe_moves() -> None:
    game = start("safe")
    assert set(safe_points(game, BLACK)) == lettered("safe")


def test_the_ko_may_not_be_taken_back_at_once() -> None:
    game = Game("japanese", 5)
    first = start("ko")
    black, white = (bd.stones_of(first.board, color) for color in (BLACK, WHITE))
    game.setup_points(black, white, BLACK)
    game.play(TERMS["ko"].line)
    assert game.why_illegal("C3") is Illegal.KO


def test_white_may_play_in_neither_eye() -> None:
    for rules in ("first-capture", "japanese"):
        game = start("eyes")
        game.rules = Rules.parse(rules)
        assert all(game.why_illegal_point(point, WHITE) is Illegal.SUICIDE for point in lettered("eyes"))
