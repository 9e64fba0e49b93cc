"""The board in a terminal: coordinates, stones, last move, stones in atari, numbered moves, and a heat map.

Nothing depends on colour alone: the last stone is in round brackets, and `!` stands before a stone in atari where no
bracket is. The characters between the points hold these marks, so a board that is too wide for the terminal has none.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import sys
from collections.abc import Mapping
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ..go.game import Game
from ..go.picture import Heat, Marked
from ..go.vertex import BLACK, COLUMNS, EMPTY, WHITE, point_at
from ..teach import words
from ..teach.say import SIGNS as STONES

SIGNS: Final = {**STONES, EMPTY: "·"}
PLAIN: Final = {BLACK: "X", WHITE: "O", EMPTY: "."}
"""The characters for a terminal whose encoding lacks the characters of SIGNS."""
WOOD: Final = "on #d09030"
"""The background of the board. All backgrounds also differ on terminals with 16 colours."""
STYLES: Final = {BLACK: "bold #000000", WHITE: "bold #ffffff", EMPTY: "#6b4a1e"}
LAST: Final = "on #4a90e2"
ATARI: Final = "on #e0604c"
"""Backgrounds of the last stone and of stones in atari; the stones keep their colours."""
MARKS: Final = {" ": WOOD, "(": LAST, ")": LAST, "!": ATARI}
"""The characters between the points, with their backgrounds."""
NUMBERED: Final = {BLACK: "bold #ffffff on #1a1a1a", WHITE: "bold #1a1a1a on #ffffff", EMPTY: f"bold #000000 {WOOD}"}
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
"""Numbers of moves on a board with one character for each point."""
TERMINAL: Final = 80
"""The width of a terminal if it is not given."""
WIDE: Final = r"\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
PIECES: Final = re.compile(
    rf"\s+|[（「『“‘]*(?:[{WIDE}]|[^\s{WIDE}]+)?[。、，．！？：；）」』”’…ーっゃゅょッャュョ:,.!?)]*"  # noqa: RUF001
)
"""The parts of a text in Chinese or Japanese between which a line may end: characters, with their punctuation."""
PHRASES: Final = re.compile(r"[^、。，！？：；]+[、。，！？：；）」』”’…\s]*|[、。，！？：；\s]+")  # noqa: RUF001
"""The parts between which a line ends if they fit: phrases, with the punctuation after them."""
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
    numbers: Mapping[int, tuple[int | str, int]] | None = None,
    columns: int = TERMINAL,
    bare: bool = False,
) -> Text:
    """Draw the board.

    `numbers`: see `teach.say.Picture`; `columns`: the width of the terminal; `bare`: no stone is marked.
    """
    most = max((number for number, _ in (numbers or {}).values() if isinstance(number, int)), default=0)
    gap = 2 if most > 9 else 1
    while (gap + 1) * game.width + 1 + BESIDE > columns and gap:
        gap -= 1
    indent = 3 + max(1, gap)
    last = game.last_move.point if game.last_move is not None and numbers is None and not bare else 0
    atari = set() if bare else Marked.of(game.board, game.positions).atari
    text = _letters(game, " " * gap, indent)
    for row in range(game.height - 1, -1, -1):
        text.append(f"{row + 1:3}{'' if gap else ' '}")
        mark = " "  # the character before the next point
        for column in range(game.width):
            p = point_at(column, row, game.width)
            color = int(game.board.color[p])
            if numbers is not None and p in numbers:
                number, mover = numbers[p]
                if isinstance(number, int) and gap < 2:
                    number = DIGITS[min(number, len(DIGITS) - 1)]
                text.append(f"{number:>{gap + 1}}", NUMBERED[mover])
                mark = " "
                continue
            ground = LAST if p == last > 0 else ATARI if p in atari else WOOD
            mark = "(" if p == last > 0 else "!" if p in atari and mark == " " else mark
            text.append(f"{mark:>{gap}}" if gap else "", f"{STYLES[BLACK]} {MARKS[mark]}")
            text.append(signs[color], f"{STYLES[color]} {ground}")
            mark = ")" if p == last > 0 else " "
        text.append(mark if gap else " ", f"{STYLES[BLACK]} {MARKS[mark]}" if gap else "")
        text.append(f"{row + 1}\n")
    return text.append_text(_letters(game, " " * gap, indent, end=""))


def heat_map(game: Game, heat: Mapping[int, Heat], signs: Mapping[int, str], *, columns: int) -> Text:
    """Draw the board with the win rate of moves in per cent; + and - are proven wins and losses."""
    cell = 4 if 4 * game.width + BESIDE + 1 <= columns else 3
    text = _letters(game, " " * (cell - 1), 4)
    for row in range(game.height - 1, -1, -1):
        text.append(f"{row + 1:3} ")
        for column in range(game.width):
            p = point_at(column, row, game.width)
            color = int(game.board.color[p])
            if color == EMPTY and p in heat:
                text.append(f"{heat[p].text:<{cell}}", f"bold #ffffff on {heat[p].color}")
            else:
                text.append(f"{signs[color]:<{cell}}", f"{STYLES[color]} {WOOD}")
        text.append(f" {row + 1}\n")
    return text.append_text(_letters(game, " " * (cell - 1), 4, end=""))


class Reader(Console):
    """A console whose boards are sentences, for a program that reads the screen aloud."""

    voice = words.SHORT


def new_console(voice: words.Voice = words.SHORT, *, spoken: bool = False) -> Console:
    """Return the console on stdout, which changes no text. `spoken`: it prints boards as sentences of the voice."""
    # Rich takes 80 columns for a dumb terminal.
    dumb = os.environ.get("TERM") in ("dumb", "unknown")
    width, height = shutil.get_terminal_size() if dumb else (None, None)
    kind = Reader if spoken else Console
    console = kind(file=sys.stdout, width=width, height=height, highlight=False, markup=False, emoji=False)
    if isinstance(console, Reader):
        console.voice = voice
    return console


def broken(text: str, width: int) -> str:
    """Return a text with ends of lines where its wide characters need them: Rich breaks lines at spaces alone.

    A line ends after punctuation; a phrase that is longer than a line is broken between its characters.
    """
    if cell_len(text) == len(text):
        return text
    lines = []
    for line in text.split("\n"):
        lines.append("")
        phrases = PHRASES.findall(line)
        for piece in itertools.chain(*([p] if cell_len(p.rstrip()) <= width else PIECES.findall(p) for p in phrases)):
            if lines[-1] and not piece.isspace() and cell_len(lines[-1] + piece.rstrip()) > width:
                lines[-1] = lines[-1].rstrip()
                lines.append("")
            lines[-1] += piece
    return "\n".join(lines)


def show(
    console: Console,
    game: Game,
    *,
    numbers: Mapping[int, tuple[int | str, int]] | None = None,
    heat: Mapping[int, Heat] | None = None,
    bare: bool = False,
) -> None:
    """Print a board or a heat map, as the encoding and the width of the terminal allow. `bare`: see `board`."""
    if isinstance(console, Reader):
        for line in words.spoken(game, numbers or {}, console.voice, bare=bare):
            console.print(broken(line, console.width))
        return
    signs, columns = signs_for(console.encoding), console.width
    if heat is None:
        text = board(game, signs, numbers=numbers, columns=columns, bare=bare)
    else:
        text = heat_map(game, heat, signs, columns=columns)
    console.print(text, crop=False, overflow="ignore")


def _letters(game: Game, gap: str, indent: int, end: str = "\n") -> Text:
    """Return the line with the letters of the columns."""
    return Text(f"{' ' * indent}{gap.join(COLUMNS[: game.width])}{end}", no_wrap=True, overflow="ignore")
