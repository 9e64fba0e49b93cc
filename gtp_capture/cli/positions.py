"""The positions that `gtp-capture solve` is asked about: a size, SGF, or a diagram."""

from __future__ import annotations

from pathlib import Path

import click

from ..go import board as bd
from ..go import diagram
from ..go.game import Game, GameError
from ..go.opening import crosscut
from ..go.rules import Rules
from ..go.vertex import BLACK, parse_color
from ..util.atomic_file import UnreadableError, bounded, printable, read


class Unusable(click.ClickException):
    """What was asked for cannot be done: one line, however long or odd the message, and exit code 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


def position(file: Path | None, size: tuple[int, int] | None, opening: str, rules: Rules, to_move: str | None) -> Game:
    """The game to solve: an empty board or an opening, SGF, or a diagram. Unusable: it is none of these."""
    if (file is None) == (size is None):
        raise click.UsageError("give a file or --size, and not both")
    try:
        if size is not None:
            game = Game(rules, *size)
            if opening == "crosscut":
                game.setup(*crosscut(*size), BLACK)
        elif file is not None:
            game = _read(file, rules)
    except ValueError as error:
        raise Unusable(f"{file}: {error}" if file is not None else str(error)) from None
    if to_move is not None:
        game.set_to_move(parse_color(to_move))
    return game


def _read(file: Path, rules: Rules) -> Game:
    """The position of a file, or of stdin for `-`. ValueError: it cannot be read, or is neither SGF nor a diagram."""
    from ..go import sgf  # with sgfmill, which a quick start does without

    data = _from_stdin(sgf.MOST_BYTES) if str(file) == "-" else read(file, sgf.MOST_BYTES)
    if not sgf.START.search(data):
        try:
            return diagram.parse(data.decode()).game(rules)
        except UnicodeDecodeError:
            raise GameError("neither SGF nor a diagram") from None
    game = sgf.load(data, rules)
    if (more := sgf.games(data) - 1) > 0:
        click.echo(printable(f"{file}: the first game is solved, {more} more left out"), err=True)
    return game


def _from_stdin(most: int) -> bytes:
    try:
        with click.open_file("-", "rb") as stream:
            return bounded(stream, most)
    except RuntimeError:  # a process may be started without
        raise UnreadableError("there is no stdin") from None


def stones(game: Game, color: int) -> list[int]:
    """The points where a colour has stones."""
    return [p for p in bd.points(game.board) if game.board.color[p] == color]
