"""Saving the game of the terminal."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING

from ..go import sgf
from ..go.vertex import BLACK, WHITE
from ..util.atomic_file import atomic_write
from ..util.files import escaped

if TYPE_CHECKING:
    from .table import TerminalGame


def save(table: TerminalGame, name: str) -> bool:
    """Save the game as SGF, under the first free name if none is given; return whether it was written.

    A file of that name is only replaced if the person agrees. OSError: it cannot be written.
    """
    path = _path(name)
    shown = escaped(str(path))
    if path.is_dir():
        raise ValueError(f"There is a folder {shown}. Please type the name of a file")
    if path.exists() and not table.agrees(f"There is a file {shown} already. Write over it?", otherwise=False):
        table.say(f"I left {shown} as it is. Type save and another name.")
        return False
    game = table.engine.game
    names = {c: "you" if c in table.seats.people else table.engine.name for c in (BLACK, WHITE)}
    if table.speaker.two:
        names = {BLACK: "", WHITE: ""}
    with atomic_write(path) as file:
        file.write(sgf.dump(game, names[BLACK], names[WHITE]))
    table.saved_moves = len(game.moves)
    table.say(f"Saved {shown}.")
    return True


def _path(name: str) -> Path:
    """Return the file of a name, in quotes or not; without a name, the first free `game-1.sgf`, `game-2.sgf`, ..."""
    name = name.strip("'\" ")
    if not name:
        return next(path for n in itertools.count(1) if not (path := Path(f"game-{n}.sgf")).exists())
    try:
        path = Path(name).expanduser()
    except RuntimeError:  # no such home
        path = Path(name)
    if "\0" in name:
        raise ValueError("A file cannot have that name")
    return path if path.suffix.lower() == ".sgf" or path.is_dir() else path.with_name(f"{path.name}.sgf")
