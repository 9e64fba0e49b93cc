"""The board as SVG."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given

from gtp_capture import Game
from gtp_capture.go import board as bd
from gtp_capture.go.vertex import EMPTY

from ..support.random_games import Plan, plans

NAMESPACE = "{http://www.w3.org/2000/svg}"


def parts(game: Game, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(game._repr_svg_()).iter(NAMESPACE + name))


@given(plans())
def test_the_picture_is_well_formed_and_shows_every_stone_and_a_mark_on_the_last(plan: Plan) -> None:
    game = plan.after()
    last = game.last_move
    stones = sum(1 for p in bd.points(game.board) if game.board.color[p] != EMPTY)
    marked = last is not None and last.point > 0 and game.board.color[last.point] != EMPTY
    assert len(parts(game, "circle")) == stones + marked


def test_coordinates_are_those_of_the_board() -> None:
    texts = [element.text for element in parts(Game("aga", (9, 3)), "text")]
    assert texts == [*"ABCDEFGHJ", "1", "2", "3"]


def test_a1_is_drawn_at_the_lower_left() -> None:
    game = Game("aga", 5)
    game.play("A1")
    game.play("E5")
    (black, white, _mark) = parts(game, "circle")
    assert float(black.attrib["cx"]) < float(white.attrib["cx"])
    assert float(black.attrib["cy"]) > float(white.attrib["cy"])
