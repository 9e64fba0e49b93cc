"""The rows of a results file: one line for each game, with its result, times and moves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from ..go import sgf
from ..go.game import Game
from ..go.position import Move
from ..go.vertex import BLACK, COLOR_NAMES, RESIGN, WHITE, format_vertex
from .process import SHOWN, Fault, one_line
from .referee import Conditions, Ruling

NONE: Final = "-"


@dataclass(frozen=True, slots=True)
class Row:
    """A game. The columns up to ERR_MSG are those of gogui-twogtp: there B is the first player, whatever its colour."""

    game: int
    res_b: str
    """The result with B for the first player and W for the second."""
    res_w: str
    res_r: str
    """The result by the referee; in our files the same as RES_B and RES_W."""
    alt: int
    """1 if the first player had White."""
    dup: str
    """The number of an earlier faultless game with the same moves, or -."""
    len: int
    time_b: float
    time_w: float
    cpu_b: float
    cpu_w: float
    err: int
    """1 if an engine was at fault or the result is unknown."""
    err_msg: str
    cause: str
    """One of referee.CAUSES."""
    faulty: str
    """Label of the engine at fault, or -."""
    black: str
    """Label of the engine with Black."""
    white: str
    slowest_b: float
    """Seconds for the slowest move of the first player."""
    slowest_w: float
    opening: int
    """Number of moves that belong to the opening."""
    moves: str
    """All moves with their colours: `bC3 wD4`."""

    @property
    def plays(self) -> tuple[str, str, str]:
        """Players and moves; games in which both are equal are duplicates."""
        return self.black, self.white, self.moves

    @property
    def first(self) -> str:
        """The label of the first player."""
        return self.white if self.alt else self.black

    @property
    def second(self) -> str:
        """The label of the second player."""
        return self.black if self.alt else self.white

    @property
    def winner(self) -> str | None:
        """Label of the winner; None for a draw or an unknown result."""
        return {"B": self.first, "W": self.second}.get(self.res_r[:1])

    @property
    def result(self) -> str:
        """The result by colours: `B+R` if Black won."""
        return exchanged(self.res_r) if self.alt else self.res_r

    @property
    def decided(self) -> bool:
        """Whether the game has a result."""
        return self.res_r != "?"

    def line(self) -> str:
        """Format the row as a line with its line end."""
        return "\t".join(_text(getattr(self, f.name)) for f in fields(self)) + "\n"

    @classmethod
    def parse(cls, line: str) -> Row:
        """Parse a line in exactly the format of `line`. ValueError: the message names the invalid column."""
        cells = line.removesuffix("\n").split("\t")
        if len(cells) != len(COLUMNS):
            raise ValueError(f"{len(cells)} columns instead of {len(COLUMNS)}")
        return cls(*(_value(str(f.type), f.name, cell) for f, cell in zip(fields(cls), cells, strict=True)))


COLUMNS: Final = tuple(f.name.upper() for f in fields(Row))


def _value(kind: str, name: str, cell: str) -> Any:
    """Parse a cell of type str, int or float. ValueError: it is not in our notation."""
    try:
        value = int(cell) if kind == "int" else float(cell) if kind == "float" else cell
        # int and float accept more (1_0, +1, digits of other scripts), which we never write.
        if _text(value) == cell and (isinstance(value, str) or (value >= 0 and math.isfinite(value))):
            return value
    except ValueError:
        pass
    raise ValueError(f"{name.upper()} is {cell[:SHOWN] or 'empty'}")


def make_row(game: int, players: Mapping[int, str], alternated: bool, ruling: Ruling) -> Row:
    """Make the row of a game; `players` are the labels by colour."""
    first, second = (WHITE, BLACK) if alternated else (BLACK, WHITE)
    result = exchanged(ruling.result) if alternated else ruling.result
    return Row(
        *(game, result, result, result, int(alternated), NONE, len(ruling.game.moves)),
        time_b=round(ruling.seconds[first], 3),
        time_w=round(ruling.seconds[second], 3),
        cpu_b=round(ruling.cpu[first], 3),
        cpu_w=round(ruling.cpu[second], 3),
        err=int(ruling.faulty is not None or ruling.result == "?"),
        err_msg=ruling.message or (ruling.cause if ruling.result == "?" else ""),
        cause=ruling.cause,
        faulty=NONE if ruling.faulty is None else players[ruling.faulty],
        black=players[BLACK],
        white=players[WHITE],
        slowest_b=round(ruling.slowest[first], 3),
        slowest_w=round(ruling.slowest[second], 3),
        opening=ruling.opening,
        moves=" ".join(words(ruling.game.moves, ruling.game.width)),
    )


def words(moves: Iterable[Move], width: int) -> list[str]:
    """Format moves as in the column MOVES."""
    return [COLOR_NAMES[move.color][0] + format_vertex(move.point, width) for move in moves]


def exchanged(result: str) -> str:
    """Exchange the sides of a result: `W+R` for `B+R`."""
    return {"B": "W", "W": "B"}.get(result[:1], result[:1]) + result[1:]


def game_of(row: Row, conditions: Conditions) -> Game:
    """Replay the game of a row. ValueError: a move is invalid or illegal, or follows the end of the game."""
    game = conditions.game()
    for number, word in enumerate(row.moves.split(), 1):
        color = {"b": BLACK, "w": WHITE}.get(word[0])
        try:
            if color is None or (number > row.opening and color != game.to_move):
                raise ValueError("the wrong colour")
            if game.outcome is not None:
                raise ValueError("the game was over before it")
            game.play_point(RESIGN if word[1:] == "resign" else game.point(word[1:]), color)
        except ValueError as error:
            raise ValueError(f"move {number} of MOVES, {word[:SHOWN]}: {error}") from None
    return game


def to_sgf(row: Row, conditions: Conditions) -> bytes:
    """Convert a row to SGF, with the labels, the times, the result and its cause."""
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
