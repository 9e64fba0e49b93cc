"""Positions of `gtp-capture solve` and `show`: from a board size, an SGF file, or a diagram."""

from __future__ import annotations

from pathlib import Path

import click

from ..go import diagram
from ..go.game import Game, GameError
from ..go.opening import crosscut
from ..go.rules import DEFAULT, PRESETS, Rules
from ..go.vertex import BLACK, parse_color
from ..util.files import UnreadableError, escaped, read_bounded, read_stream
from .files import tell_replaced
from .options import Unusable


def position(
    file: Path | None, size: tuple[int, int] | None, opening: str, rules: Rules | None, to_move: str | None
) -> Game:
    """The game to solve, from a file or a board size. Unusable: neither gives a position of a capture game."""
    if (file is None) == (size is None):
        raise click.UsageError("give a file or --size, and not both")
    try:
        if size is not None:
            game = Game(rules or PRESETS[DEFAULT], *size)
            if opening == "crosscut":
                game.setup(*crosscut(*size), BLACK)
        elif file is not None:
            game = read(file, rules)
            if rules is None and not game.rules.is_capture_game:
                raise GameError(f"its rules are {game.rules}: give --rules {DEFAULT} or other rules with captures")
    except ValueError as error:
        raise Unusable(f"{name_of(file)}: {error}" if file is not None else str(error)) from None
    if to_move is not None:
        game.set_to_move(parse_color(to_move))
    return game


def read(file: Path, rules: Rules | None, plies: int | None = None) -> Game:
    """Read SGF, up to a number of plies if given, or a diagram from a file, or from stdin for `-`.

    `rules`: see `sgf.load`, also for the captions of a diagram.

    ValueError: it cannot be read, is neither, or has fewer plies.
    """
    from ..go import sgf  # imports sgfmill, which slows the start

    data = _read_stdin(sgf.MOST_BYTES) if str(file) == "-" else read_bounded(file, sgf.MOST_BYTES)
    if not sgf.START.search(data):
        try:
            drawn = diagram.parse(data.decode())
        except UnicodeDecodeError:
            raise GameError("neither SGF nor a diagram") from None
        game, named = drawn.game(rules), drawn.rules
    else:
        game = sgf.load(data, rules, None if plies is None else plies + 1)
        named = sgf.named_rules(data)
    tell_replaced(name_of(file), {named}, rules)
    if plies is not None and len(game.moves) < plies:
        raise GameError(f"it has {len(game.moves)} moves, not {plies}")
    if (more := sgf.games(data) - 1) > 0:
        click.echo(escaped(f"{name_of(file)}: the first game is used, {more} more left out"), err=True)
    return game


def name_of(file: Path) -> str:
    """Return the name of a file for a message."""
    return "stdin" if str(file) == "-" else str(file)


def _read_stdin(limit: int) -> bytes:
    try:
        with click.open_file("-", "rb") as stream:
            return read_stream(stream, limit)
    except RuntimeError:  # a process may be started without stdin
        raise UnreadableError("there is no stdin") from None
