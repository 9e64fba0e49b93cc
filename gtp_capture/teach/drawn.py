"""A board as a drawing with words for each point, in the form that a page gets."""

from __future__ import annotations

from typing import Final, TypedDict

from ..go import picture
from ..go.game import Game
from ..go.vertex import BLACK, EMPTY, WHITE, point_at
from . import words
from .say import Picture
from .words import Voice

STONES: Final = {BLACK: "black", WHITE: "white", EMPTY: ""}


class DrawnPoint(TypedDict):
    """A point of a drawn board."""

    vertex: str
    x: float
    """The place from the left, as a part of the width of the drawing."""
    y: float
    """The place from the top, as a part of the height of the drawing."""
    label: str
    """The vertex, the stone and the marks, in words."""
    stone: str
    """"black", "white" or ""."""


class Frame(TypedDict):
    """The drawing of a board."""

    svg: str
    taken: list[str]
    """The vertices of the stones that the last move has taken off the board."""


class DrawnBoard(Frame):
    """A board with its points."""

    points: list[DrawnPoint]
    """From the top row to the lowest, each from the left."""
    live: bool
    """Whether a point that is tapped is an answer."""


def small(game: Game) -> str:
    """Return a board as SVG, with its marks and without points to tap."""
    return picture.svg(picture.picture(game.board, picture.Marked.of(game.board, game.positions)))


def frames(shown: Picture) -> list[Frame]:
    """Return the boards before the moves of a picture and after each of them; none if it has no moves.

    From the first move on the last stone, atari, and stones just taken are marked.
    """
    positions = [] if shown.line is None else shown.line.positions()
    return [_frame(game, is_marked=shown.marked or number > 0) for number, game in enumerate(positions)]


def taken(game: Game, moves: int) -> list[str]:
    """Return the vertices of the stones that the last moves of a game, of a number, have taken off the board."""
    return [*map(game.vertex, picture.taken(game.positions[-moves - 1 :]))]


def changes(text: str, base: str) -> list[str | list[int]]:
    """Return the lines of a text as what it has in common with another one: runs of its lines, and new lines.

    A run is the number of its first line, and the number after its last one.
    """
    places = {line: number for number, line in enumerate(base.split("\n"))}
    parts: list[str | list[int]] = []
    run = [-1, -1]
    for line in text.split("\n"):
        place = places.get(line)
        if place is None:
            parts.append(line)
        elif parts and parts[-1] is run and run[1] == place:
            run[1] += 1
        else:
            run = [place, place + 1]
            parts.append(run)
    return parts


def _marks(game: Game, *, is_marked: bool) -> picture.Marked:
    """Return the marks of a board; of one that is not marked the last stone alone, which gives no answer away."""
    marks = picture.Marked.of(game.board, game.positions)
    return marks if is_marked else picture.Marked(last=marks.last)


def _frame(game: Game, *, is_marked: bool) -> Frame:
    marks = _marks(game, is_marked=is_marked)
    return {"svg": picture.svg(picture.picture(game.board, marks)), "taken": [*map(game.vertex, marks.taken)]}


def board(shown: Picture, voice: Voice, hint: str = "", *, live: bool = False, ring: str = "hint") -> DrawnBoard:
    """Return a drawn board without numbers with its last stone; if it is marked, with atari and stones just taken.

    `hint`: the vertex that a hint is about; "" for none. `ring`: what the ring there means, "hint" or "answer".
    """
    game, numbers = shown.game, shown.numbers or {}
    marks = picture.Marked() if shown.marked and numbers else _marks(game, is_marked=shown.marked)
    if marks.last is not None and marks.last.point in numbers:
        marks = marks._replace(last=None)
    marks = marks._replace(hint=game.point(hint) if hint else None, territory=shown.territory)
    (width, height), last = game.size, marks.last and marks.last.point
    points: list[DrawnPoint] = []
    labels: dict[tuple[object, ...], str] = {}  # with "\0" for the vertex: most points have the same
    across = [round((column + 1) / (width + 1), 4) for column in range(width)]
    for row in reversed(range(height)):
        down = round((height - row) / (height + 1), 4)
        for column in range(width):
            point = point_at(column, row, width)
            number, color = numbers.get(point, (None, int(game.board.color[point])))
            vertex, owner, is_atari = game.vertex(point), shown.territory.get(point), point in marks.atari
            key = f"class.point.{ring}" if vertex == hint else "class.point.last" if point == last else "class.point"
            key = "class.point.territory" if owner else key
            kind = (key, color, number, is_atari, owner)
            if kind not in labels:
                stone = words.spoken_point(color, voice, number, atari=is_atari)
                labels[kind] = voice.text(key, vertex="\0", stone=stone, owner=voice.name(owner) if owner else "")
            label = labels[kind].replace("\0", vertex)
            points.append({"vertex": vertex, "x": across[column], "y": down, "label": label, "stone": STONES[color]})
    drawn = picture.svg(picture.picture(game.board, marks, numbers=shown.numbers))
    return {"svg": drawn, "taken": [*map(game.vertex, marks.taken)], "points": points, "live": live}
