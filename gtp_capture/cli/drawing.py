"""The board in a terminal: coordinates, stones, last move, stones in atari, numbered moves, and a heat map.

Nothing depends on colour alone: the last stone is in round brackets, and `!` stands before a stone in atari. The
characters between the points hold these marks, so a board that is too wide for the terminal has none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rich.text import Text

from ..go.board import stones
from ..go.game import Game
from ..go.picture import Heat
from ..go.vertex import BLACK, COLUMNS, EMPTY, WHITE, point_at

SIGNS: Final = {BLACK: "●", WHITE: "○", EMPTY: "·"}
PLAIN: Final = {BLACK: "X", WHITE: "O", EMPTY: "."}
"""Characters for terminals whose encoding lacks those of SIGNS."""
WOOD: Final = "on #d9a55b"
STYLES: Final = {BLACK: f"bold black {WOOD}", WHITE: f"bold white {WOOD}", EMPTY: f"#8a6430 {WOOD}"}
LAST: Final = "bold #ffffff on #2c5aa0"
ATARI: Final = "bold #ffffff on #c0392b"
NUMBERED: Final = {BLACK: "bold #ffffff on #1a1a1a", WHITE: "bold #1a1a1a on #ffffff"}
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
"""Numbers of moves on a board with one character for each point."""
WIDE: Final = 80
"""Columns of a terminal, if they are not given."""
BESIDE: Final = 6
"""Characters beside the points: a row number at each side."""


def signs_for(encoding: str) -> Mapping[int, str]:
    """The characters for each colour that an encoding can write."""
    try:
        "".join(SIGNS.values()).encode(encoding)
    except UnicodeEncodeError:
        return PLAIN
    return SIGNS


def board(
    game: Game,
    signs: Mapping[int, str] = SIGNS,
    *,
    numbers: Mapping[int, tuple[int, int]] | None = None,
    columns: int = WIDE,
) -> Text:
    """Draw the board. `numbers`: for each point the number of a move and its colour; `columns` of the terminal."""
    gap = " " if 2 * game.width + 1 + BESIDE <= columns else ""
    last = game.last_move.point if game.last_move is not None and numbers is None else 0
    atari = {p for c in (BLACK, WHITE) for first in game.atari(c) for p in stones(game.board, first)}
    text = _letters(game, gap, 1)
    for row in range(game.height - 1, -1, -1):
        text.append(f"{row + 1:3}{'' if gap else ' '}")
        before = False  # whether the stone before is the last one, whose bracket closes here
        for column in range(game.width):
            p = point_at(column, row, game.width)
            color = int(game.board.color[p])
            style = LAST if p == last > 0 else ATARI if p in atari else STYLES[color]
            if numbers is not None and p in numbers:
                number, mover = numbers[p]
                sign = str(number) if gap else DIGITS[min(number, len(DIGITS) - 1)]
                text.append(sign.rjust(len(gap) + 1), NUMBERED[mover])
            else:
                mark = "!" if p in atari else "(" if p == last > 0 else ")" if before else " "
                text.append(mark if gap else "", LAST if mark in "()" else ATARI if mark == "!" else STYLES[EMPTY])
                text.append(signs[color], style)
            before = p == last > 0
        text.append((")" if before else " ") if gap else " ", LAST if before and gap else STYLES[EMPTY] if gap else "")
        text.append(f"{row + 1}\n")
    return text.append_text(_letters(game, gap, 1, end=""))


def heat_map(game: Game, heat: Mapping[int, Heat], signs: Mapping[int, str] = SIGNS, *, columns: int = WIDE) -> Text:
    """Draw the board with the win rate of moves in per cent; W and L are proven wins and losses."""
    cell = 4 if 4 * game.width + BESIDE + 1 <= columns else 3
    text = _letters(game, " " * (cell - 1), 1)
    for row in range(game.height - 1, -1, -1):
        text.append(f"{row + 1:3} ")
        for column in range(game.width):
            p = point_at(column, row, game.width)
            color = int(game.board.color[p])
            if color == EMPTY and p in heat:
                text.append(f"{heat[p].text:<{cell}}", f"bold #ffffff on {heat[p].color}")
            else:
                text.append(f"{signs[color]:<{cell}}", STYLES[color])
        text.append(f" {row + 1}\n")
    return text.append_text(_letters(game, " " * (cell - 1), 1, end=""))


def _letters(game: Game, gap: str, left: int, end: str = "\n") -> Text:
    """The letters of the columns."""
    letters = gap.join(COLUMNS[: game.width])
    return Text(f"   {' ' * left}{letters}{end}", no_wrap=True, overflow="ignore")
