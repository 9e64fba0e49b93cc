"""The opening book: its plays are legal, the same under symmetries, and played without a search."""

from __future__ import annotations

import gzip
from importlib import resources

import pytest

import gtp_capture.books
from gtp_capture.books.lookup import cells_of, opening_plays
from gtp_capture.go import board as bd
from gtp_capture.go.game import Game
from gtp_capture.go.symmetry import symmetries
from gtp_capture.go.vertex import BLACK, WHITE, opponent
from gtp_capture.jit.warmup import Warmup
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings

from ..support.live import Live

SIDES = (7, 8, 9)


def lines(side: int) -> list[str]:
    file = resources.files(gtp_capture.books) / "openings" / f"{side}x{side}.book"
    return gzip.decompress(file.read_bytes()).decode().splitlines()


def position(cells: str, side: int, color: int) -> Game:
    """A position, with the colour of X."""
    game = Game("first-capture", side)
    points = bd.points(game.board)
    own, opp = ([p for p, c in zip(points, cells, strict=True) if c == mark] for mark in "XO")
    game.setup_points(own if color == BLACK else opp, opp if color == BLACK else own, color)
    return game


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
def test_every_play_is_legal_and_gives_no_capture(side: int) -> None:
    book = lines(side)
    assert book == sorted(set(book))
    for line in book:
        _, cells, *plays = line.split()
        assert abs(cells.count("O") - cells.count("X") - 0.5) == 0.5
        game = position(cells, side, WHITE if cells.count("O") > cells.count("X") else BLACK)
        color = game.to_move
        assert plays
        assert len(opening_plays(game.board, int(color))) >= len(plays)
        for play in opening_plays(game.board, int(color)):
            assert 0.0 < play.winrate <= 1.0
            assert play.proven == (play.winrate == 1.0)
            after = game.copy()
            after.play_point(play.point)
            assert not any(bd.captures_at(after.board, p, opponent(int(color))) for p in after.legal_plays())


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
def test_images_of_a_position_have_the_images_of_its_plays(side: int) -> None:
    for line in lines(side)[::7]:
        _, cells, *_ = line.split()
        first = position(cells, side, BLACK)
        points = bd.points(first.board)
        expected = {points.index(play.point): play.winrate for play in opening_plays(first.board, BLACK)}
        for symmetry in symmetries(side, side):
            image = "".join(cells[i] for i in symmetry)
            for color in (BLACK, WHITE):
                game = position(image, side, color)
                assert cells_of(game.board, color) == image
                plays = {symmetry[points.index(play.point)]: play.winrate for play in opening_plays(game.board, color)}
                assert plays == expected


@pytest.mark.parametrize("side", SIDES)
def test_the_first_move_and_the_answers_to_every_first_move_are_there(side: int) -> None:
    game = Game("first-capture", side)
    assert opening_plays(game.board, BLACK)
    for p in game.legal_plays():
        after = game.copy()
        after.play_point(p)
        assert opening_plays(after.board, WHITE)


def test_unknown_positions_have_no_plays() -> None:
    assert opening_plays(Game("first-capture", 19).board, BLACK) == []
    assert opening_plays(position("X" + "." * 80, 9, BLACK).board, BLACK) == []


@pytest.mark.slow
def test_the_engine_plays_from_the_book_at_once_unless_told_not_to() -> None:
    start = Game("first-capture", 9)
    allowed = {start.vertex(play.point) for play in opening_plays(start.board, BLACK)}
    for options, from_book in (((), True), (("--no-opening-book", "--playouts", "20", "--threads", "1"), False)):
        with Live("--seed", "1", *options) as engine:
            move = engine.ask("genmove b")
            engine.ask("quit")
            engine.process.wait()
        assert any("opening book" in line for line in engine.said) == from_book
        assert any("playouts" in line for line in engine.said) != from_book
        assert move in allowed or not from_book


@pytest.mark.parametrize(("rules", "level"), [("capture-2", 10), ("japanese", 10), ("first-capture", 9)])
def test_other_rules_and_levels_have_no_book(rules: str, level: int) -> None:
    player = MctsPlayer(PlayerSettings(seed=1, level=level), Warmup(print))
    assert player.opening(Game(rules, 9), BLACK) is None


def test_equal_plays_vary() -> None:
    game, chosen = Game("first-capture", 9), set()
    for seed in range(20):
        decision = MctsPlayer(PlayerSettings(seed=seed), Warmup(print)).opening(game, BLACK)
        assert decision is not None
        chosen.add(decision.move)
    assert len(chosen) > 1
