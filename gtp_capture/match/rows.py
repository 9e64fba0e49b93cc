"""The rows of a results file: a game with its result, times and moves in a line of text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from ..go import sgf
from ..go.game import Game
from ..go.position import Move
from ..go.vertex import BLACK, COLOR_NAMES, RESIGN, WHITE, format_vertex
from .process import SHOWN, Fault
from .referee import Conditions, Verdict
from .text import one_line

NONE: Final = "-"


@dataclass(frozen=True, slots=True)
class Row:
    """A game. The columns up to ERR_MSG are gogui-twogtp's: there, B is the first player, whatever his colour was."""

    game: int
    res_b: str
    """The result as if the first player had had Black, if he had White."""
    res_w: str
    res_r: str
    """The result by the referee, repeated: its decision counts."""
    alt: int
    """1 where the first player had White."""
    dup: str
    """An earlier game with the same moves and nothing wrong in it, or -."""
    len: int
    time_b: float
    time_w: float
    cpu_b: float
    cpu_w: float
    err: int
    """1 where an engine did something wrong."""
    err_msg: str
    cause: str
    """One of referee.CAUSES."""
    faulty: str
    """Label of the engine at fault, or -."""
    black: str
    """Label of the engine that had Black."""
    white: str
    slowest_b: float
    """Seconds for the slowest move of the first player."""
    slowest_w: float
    opening: int
    """How many of the moves were given."""
    moves: str
    """Every move with its colour: `bC3 wD4`."""

    @property
    def plays(self) -> tuple[str, str, str]:
        """What two games have in common that are duplicates: the players and the moves."""
        return self.black, self.white, self.moves

    @property
    def first(self) -> str:
        """The name of the first player."""
        return self.white if self.alt else self.black

    @property
    def second(self) -> str:
        """The name of the other."""
        return self.black if self.alt else self.white

    @property
    def winner(self) -> str | None:
        """Label of the winner; None for a draw or an unknown result."""
        return {"B": self.first, "W": self.second}.get(self.res_r[:1])

    @property
    def result(self) -> str:
        """The result by colours: `B+R` where Black won, whichever player that was."""
        return exchanged(self.res_r) if self.alt else self.res_r

    @property
    def decided(self) -> bool:
        """Whether the game has a result."""
        return self.res_r != "?"

    def line(self) -> str:
        """The row as text, with its end."""
        return "\t".join(_text(getattr(self, f.name)) for f in fields(self)) + "\n"

    @classmethod
    def parse(cls, line: str) -> Row:
        """The row that a line holds, exactly as `line` writes it. ValueError: none; the message names the column."""
        cells = line.removesuffix("\n").split("\t")
        if len(cells) != len(COLUMNS):
            raise ValueError(f"{len(cells)} columns instead of {len(COLUMNS)}")
        return cls(*(_value(str(f.type), f.name, cell) for f, cell in zip(fields(cls), cells, strict=True)))


COLUMNS: Final = tuple(f.name.upper() for f in fields(Row))


def _value(kind: str, name: str, cell: str) -> Any:
    """The value of a cell. ValueError: not a number where one belongs, or not in our way of writing."""
    try:
        value = int(cell) if kind == "int" else float(cell) if kind == "float" else cell
        # What int and float accept besides (1_0, +1, digits of other scripts) is damage here.
        if _text(value) == cell and (isinstance(value, str) or (value >= 0 and math.isfinite(value))):
            return value
    except ValueError:
        pass
    raise ValueError(f"{name.upper()} is {cell[:SHOWN] or 'empty'}")


def row(game: int, players: Mapping[int, str], alternated: bool, verdict: Verdict) -> Row:
    """The row of a game; players are the names by colour."""
    first, second = (WHITE, BLACK) if alternated else (BLACK, WHITE)
    seen = exchanged(verdict.result) if alternated else verdict.result
    return Row(
        *(game, seen, seen, seen, int(alternated), NONE, len(verdict.game.moves)),
        time_b=round(verdict.seconds[first], 3),
        time_w=round(verdict.seconds[second], 3),
        cpu_b=round(verdict.cpu[first], 3),
        cpu_w=round(verdict.cpu[second], 3),
        err=int(verdict.faulty is not None or verdict.result == "?"),
        err_msg=verdict.message or (verdict.cause if verdict.result == "?" else ""),
        cause=verdict.cause,
        faulty=NONE if verdict.faulty is None else players[verdict.faulty],
        black=players[BLACK],
        white=players[WHITE],
        slowest_b=round(verdict.slowest[first], 3),
        slowest_w=round(verdict.slowest[second], 3),
        opening=verdict.opening,
        moves=" ".join(words(verdict.game.moves, verdict.game.width)),
    )


def words(moves: Iterable[Move], width: int) -> list[str]:
    """The moves as MOVES has them."""
    return [COLOR_NAMES[move.color][0] + format_vertex(move.point, width) for move in moves]


def exchanged(result: str) -> str:
    """A result with the sides exchanged: `W+R` for `B+R`."""
    return {"B": "W", "W": "B"}.get(result[:1], result[:1]) + result[1:]


def game_of(row: Row, conditions: Conditions) -> Game:
    """The game of a row again. ValueError: its moves are none, or not legal, or go on after the end."""
    game = conditions.game()
    for number, word in enumerate(row.moves.split(), 1):
        color = {"b": BLACK, "w": WHITE}.get(word[0])
        try:
            if color is None or (number > row.opening and color != game.to_move):
                raise ValueError("the wrong colour")
            if game.outcome is not None:
                raise ValueError("the game was over before it")
            game.play(RESIGN if word[1:] == "resign" else word[1:], color)
        except ValueError as error:
            raise ValueError(f"move {number} of MOVES, {word[:SHOWN]}: {error}") from None
    return game


def to_sgf(row: Row, conditions: Conditions) -> bytes:
    """The game as SGF, with the names, the times, the result and its cause."""
    result = row.result
    if row.faulty != NONE:
        result = result[:2] + ("T" if row.cause == Fault.TIME else "F")
    seconds = {row.first: row.time_b, row.second: row.time_w}
    comment = [f"{result} ({row.cause})", *([row.err_msg] if row.err_msg else [])]
    comment += [
        f"{color}: {name}, {seconds[name]:.3f} s" for color, name in (("Black", row.black), ("White", row.white))
    ]
    return sgf.dump(game_of(row, conditions), row.black, row.white, result, "\n".join(comment))


def _text(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else one_line(str(value))
