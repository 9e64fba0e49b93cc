"""Positions as text diagrams: rows of `X O .`, the top row first."""

from __future__ import annotations

from collections.abc import Iterator

from gtp_capture import Game, Rules
from gtp_capture.go.vertex import BLACK, EMPTY, RESIGN, WHITE, ColorLike

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
SYMBOLS = {EMPTY: ".", BLACK: "X", WHITE: "O"}
COLORS = {"B": BLACK, "W": WHITE}
ATARI = "..... ..O.. .OX.. ..O.. ....."
"""Black's stone on C3 is in atari, and a play on D3 takes or saves it."""


def rows(diagram: str) -> list[str]:
    """Split a diagram at white space into rows, the top row first."""
    lines = diagram.split()
    assert len({len(row) for row in lines}) == 1, f"rows of different lengths: {lines}"
    return lines


def vertices(diagram: str, symbol: str) -> list[str]:
    """The vertices with a symbol."""
    lines = rows(diagram)
    return [
        f"{COLUMNS[column]}{len(lines) - index}"
        for index, line in enumerate(lines)
        for column, point in enumerate(line)
        if point == symbol
    ]


def set_up(diagram: str, rules: Rules | str, to_move: ColorLike = BLACK, komi: float | None = None) -> Game:
    """Start a game from a diagram."""
    lines = rows(diagram)
    game = Game(rules, (len(lines[0]), len(lines)), komi=komi)
    black, white = ([game.point(v) for v in vertices(diagram, symbol)] for symbol in "XO")
    game.setup_points(black, white, to_move)
    return game


def show(game: Game) -> list[str]:
    """The rows of a game's position, in the format of `rows`."""
    return [
        "".join(SYMBOLS[int(game.board.color[game.point(f"{COLUMNS[x]}{y}")])] for x in range(game.width))
        for y in range(game.height, 0, -1)
    ]


def moves(text: str) -> Iterator[tuple[int, str]]:
    """Parse a line of moves such as `B C1 W pass`."""
    words = text.split()
    for letter, vertex in zip(words[::2], words[1::2], strict=True):
        yield COLORS[letter], vertex


def played(size: int | tuple[int, int], *vertices: str, rules: Rules | str = "first-capture") -> Game:
    """Return a game after alternating moves."""
    game = Game(rules, size)
    for vertex in vertices:
        game.play(vertex)
    return game


def play(game: Game, text: str) -> Game:
    """Play a line of moves such as `B C1 W pass B resign`. Returns the same game."""
    for color, vertex in moves(text):
        game.play_point(RESIGN if vertex == "resign" else game.point(vertex), color)
    return game
