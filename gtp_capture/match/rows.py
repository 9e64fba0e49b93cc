"""The games of a match, and the row of each in a results file: its result, times and moves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ..go import sgf
from ..go.game import Game
from ..go.vertex import BLACK, RESIGN, WHITE
from .process import SHOWN, Fault, one_line
from .referee import AdjudicatedGame, Conditions

NONE: Final = "-"
COLUMNS: Final = (
    *("GAME", "RES_B", "RES_W", "RES_R", "ALT", "DUP", "LEN", "TIME_B", "TIME_W", "CPU_B", "CPU_W", "ERR", "ERR_MSG"),
    *("CAUSE", "FAULTY", "BLACK", "WHITE", "SLOWEST_B", "SLOWEST_W", "OPENING", "MOVES"),
)
"""Up to ERR_MSG the columns of gogui-twogtp, in which B is the first player whatever its colour; CPU times are 0."""
_NUMBER: Final = re.compile(r"\d{1,9}(\.\d{3})?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchGame:
    """A game of a match."""

    number: int
    """Counted from 0."""
    black: str
    """The name of the player with Black."""
    white: str
    alternated: bool
    """Whether the first player of the match has White."""
    result: str
    """`B+R`, `W+3.5`, `0` for a draw, `?` without a result."""
    cause: str
    """How the game ended, such as "capture", or the fault of an engine."""
    faulty: str | None
    """The name of the player at fault."""
    message: str
    """The fault in one line, else ""."""
    seconds: dict[str, float]
    """Time of each player for its moves."""
    slowest: dict[str, float]
    """Seconds for the slowest move of each player."""
    opening: int
    """Number of moves that belong to the opening."""
    moves: str
    """All moves with their colours: `bC3 wD4`."""
    duplicate: int | None = None
    """The number of an earlier faultless game with the same players and moves."""
    conditions: Conditions = field(repr=False)

    @property
    def first(self) -> str:
        """The name of the first player."""
        return self.white if self.alternated else self.black

    @property
    def second(self) -> str:
        """The name of the second player."""
        return self.black if self.alternated else self.white

    @property
    def winner(self) -> str | None:
        """The name of the winner; None after a draw, or without a result."""
        return {"B": self.black, "W": self.white}.get(self.result[:1])

    @property
    def decided(self) -> bool:
        """Whether the game has a result."""
        return self.result != "?"

    def game(self) -> Game:
        """Return the game, replayed."""
        game = self.replayed()
        game.find_statuses = Game.default_statuses
        return game

    def replayed(self) -> Game:
        """Replay the game as the referee knows it. ValueError: a move is illegal, or follows the end of the game."""
        game = self.conditions.game()
        game.info = {"black": self.black, "white": self.white}
        for number, word in enumerate(self.moves.split(), 1):
            color = {"b": BLACK, "w": WHITE}.get(word[0])
            try:
                if color is None or (number > self.opening and color != int(game.to_move)):
                    raise ValueError("the wrong colour")
                if game.outcome is not None:
                    raise ValueError("the game was over before it")
                game.play_point(RESIGN if word[1:] == "resign" else game.point(word[1:]), color)
            except ValueError as error:
                raise ValueError(f"move {number} of MOVES, {word[:SHOWN]}: {error}") from None
        return game

    def sgf(self) -> str:
        """Return the game as SGF, with names, times, result and cause."""
        game, result = self.replayed(), self.result
        if self.faulty is not None:
            result = result[:2] + ("T" if self.cause == Fault.TIME else "F")
        comment = [f"{result} ({self.cause})", *([self.message] if self.message else [])]
        for color, name in (("Black", self.black), ("White", self.white)):
            comment.append(f"{color}: {name}, {self.seconds[name]:.3f} s")
        game.info["result"] = result
        return sgf.dump(game, "\n".join(comment)).decode()

    def line(self) -> str:
        """Format the game as a row of a results file, with its line end."""
        return "\t".join(self._cells()) + "\n"

    def _cells(self) -> list[str]:
        first, second = self.first, self.second
        result = exchanged(self.result) if self.alternated else self.result
        error = self.message if self.faulty is not None else self.cause if not self.decided else ""
        values = (
            *(self.number, result, result, result, int(self.alternated)),
            *(NONE if self.duplicate is None else self.duplicate, len(self.moves.split())),
            *(self.seconds[first], self.seconds[second], 0.0, 0.0),
            *(int(self.faulty is not None or not self.decided), error, self.cause, self.faulty or NONE),
            *(self.black, self.white, self.slowest[first], self.slowest[second], self.opening, self.moves),
        )
        return [f"{value:.3f}" if isinstance(value, float) else one_line(str(value)) for value in values]

    @classmethod
    def parse(cls, line: str, conditions: Conditions) -> MatchGame:
        """Parse a row in exactly the format of `line`. ValueError: the message names the first invalid column."""
        cells = line.removesuffix("\n").split("\t")
        if len(cells) != len(COLUMNS):
            raise ValueError(f"{len(cells)} columns instead of {len(COLUMNS)}")
        cell = dict(zip(COLUMNS, cells, strict=True))
        alternated = cell["ALT"] == "1"
        names = (cell["BLACK"], cell["WHITE"])[:: -1 if alternated else 1]

        def number(column: str) -> float:
            if not _NUMBER.fullmatch(cell[column]):
                raise ValueError(f"{column} is {cell[column][:SHOWN] or 'empty'}")
            return float(cell[column])

        row = cls(
            number=int(number("GAME")),
            black=cell["BLACK"],
            white=cell["WHITE"],
            alternated=alternated,
            result=exchanged(cell["RES_R"]) if alternated else cell["RES_R"],
            cause=cell["CAUSE"],
            faulty=None if cell["FAULTY"] == NONE else cell["FAULTY"],
            message="" if cell["FAULTY"] == NONE else cell["ERR_MSG"],
            seconds={name: number(f"TIME_{side}") for name, side in zip(names, "BW", strict=True)},
            slowest={name: number(f"SLOWEST_{side}") for name, side in zip(names, "BW", strict=True)},
            opening=int(number("OPENING")),
            moves=cell["MOVES"],
            duplicate=None if cell["DUP"] == NONE else int(number("DUP")),
            conditions=conditions,
        )
        for column, was, written in zip(COLUMNS, cells, row._cells(), strict=True):
            if was != written:
                raise ValueError(f"{column} is {was[:SHOWN] or 'empty'}")
        return row


def make_game(
    number: int, players: Mapping[int, str], alternated: bool, adjudicated: AdjudicatedGame, conditions: Conditions
) -> MatchGame:
    """Make the value of a game that the referee has ended; `players` are the names by colour."""
    return MatchGame(
        number=number,
        black=players[BLACK],
        white=players[WHITE],
        alternated=alternated,
        result=adjudicated.result,
        cause=adjudicated.cause,
        faulty=None if adjudicated.faulty is None else players[adjudicated.faulty],
        message=adjudicated.message,
        seconds={name: round(adjudicated.seconds[color], 3) for color, name in players.items()},
        slowest={name: round(adjudicated.slowest[color], 3) for color, name in players.items()},
        opening=adjudicated.opening,
        moves=" ".join(move.color[0] + move.vertex for move in adjudicated.game.moves),
        conditions=conditions,
    )


def exchanged(result: str) -> str:
    """Exchange the sides of a result: `W+R` for `B+R`."""
    return {"B": "W", "W": "B"}.get(result[:1], result[:1]) + result[1:]
