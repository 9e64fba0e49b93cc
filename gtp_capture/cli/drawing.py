"""The board in a terminal: coordinates, stones, last move, stones in atari, and optionally a heat map."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from ..go.board import stones
from ..go.game import Game
from ..go.vertex import BLACK, COLUMNS, EMPTY, WHITE, point_at

SIGNS = {BLACK: "●", WHITE: "○", EMPTY: "·"}
PLAIN = {BLACK: "X", WHITE: "O", EMPTY: "."}
"""Characters for terminals whose encoding lacks those of SIGNS."""
WOOD = "on #d9a55b"
STYLES = {BLACK: f"bold black {WOOD}", WHITE: f"bold white {WOOD}", EMPTY: f"#8a6430 {WOOD}"}
LAST = "bold #ffffff on #2c5aa0"
ATARI = "bold #ffffff on #c0392b"


def signs_for(encoding: str) -> Mapping[int, str]:
    """The characters for each colour that an encoding can write."""
    try:
        "".join(SIGNS.values()).encode(encoding)
    except UnicodeEncodeError:
        return PLAIN
    return SIGNS


def board(game: Game, heat: Mapping[int, float] | None = None, signs: Mapping[int, str] = SIGNS) -> Text:
    """Draw the board. `heat` maps points to values from 0 (blue) to 1 (red), shown in per cent."""
    last = game.last_move.point if game.last_move is not None else 0
    atari = {p for c in (BLACK, WHITE) for first in game.atari(c) for p in stones(game.board, first)}
    width = 4 if heat else 2
    letters = "    " + "".join(f"{letter:<{width}}" for letter in COLUMNS[: game.width]) + "\n"
    text = Text(letters, no_wrap=True)
    for row in range(game.height - 1, -1, -1):
        text.append(f" {row + 1:2} ")
        for column in range(game.width):
            p = point_at(column, row, game.width)
            color = int(game.board.color[p])
            style = LAST if p == last > 0 else ATARI if p in atari else STYLES[color]
            sign = signs[color]
            if heat and p in heat and color == EMPTY:
                sign, style = f"{heat[p]:.0%}".rstrip("%"), f"bold white on {_heat_color(heat[p])}"
            text.append(f"{sign:<{width}}", style)
        text.append(f" {row + 1}\n")
    return text.append(letters.rstrip())


def _heat_color(value: float) -> str:
    red, blue = round(40 + 180 * value), round(220 - 180 * value)
    return f"#{red:02x}50{blue:02x}"
