"""The positions that `gtp-capture solve` is asked about: a size, SGF, or a diagram."""

from __future__ import annotations

from typing import Any

import click

from .. import board as bd
from ..game import Game, GameError
from ..opening import crosscut
from ..rules import Rules, RulesError
from ..vertex import BLACK, COLUMNS, parse_color


class Unusable(click.ClickException):
    """What was asked for cannot be done: one line and exit code 2."""

    exit_code = 2


def position(file: Any, size: tuple[int, int] | None, opening: str, rules: Rules, to_move: str | None) -> Game:
    """The game to solve: an empty board or an opening, SGF, or a diagram. Unusable: it is none of these."""
    if (file is None) == (size is None):
        raise click.UsageError("give a file or --size, and not both")
    from .. import sgf  # with sgfmill, which a quick start does without

    try:
        if size is not None:
            game = Game(rules, *size)
            if opening == "crosscut":
                game.setup(*crosscut(*size), BLACK)
        else:
            data = file.read(10_000_000)
            game = sgf.load(data, rules) if data.lstrip()[:1] == b"(" else _from_diagram(data.decode(), rules)
        if to_move is not None:
            game.set_to_move(parse_color(to_move))
    except UnicodeDecodeError:
        raise Unusable("neither SGF nor a diagram") from None
    except (ValueError, RulesError) as error:
        raise Unusable(str(error)) from None
    return game


def stones(game: Game, color: int) -> list[int]:
    """The points where a colour has stones."""
    return [p for p in bd.points(game.board) if game.board.color[p] == color]


def _from_diagram(text: str, rules: Rules) -> Game:
    rows = [row for row in ("".join(line.split()) for line in text.splitlines()) if row]
    if not rows or len({len(row) for row in rows}) > 1 or set("".join(rows)) - set("XO."):
        raise GameError("a diagram is rows of X, O and points, all of one length")
    game = Game(rules, len(rows[0]), len(rows))
    found: dict[str, list[int]] = {"X": [], "O": []}
    for y, row in enumerate(reversed(rows)):
        for x, symbol in enumerate(row):
            if symbol != ".":
                found[symbol].append(game.point(f"{COLUMNS[x]}{y + 1}"))
    game.setup(found["X"], found["O"], BLACK)
    return game
