"""What the public functions return and raise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..go.game import Game, GameError
from ..go.vertex import Color, ColorLike, parse_color


class UnsupportedError(ValueError):
    """The solver does not support these rules or this board; the message gives the reason."""


def check_game(value: object) -> None:
    """Check an argument of a public function. TypeError: it is not a Game."""
    if not isinstance(value, Game):
        raise TypeError(f"a Game is needed, not {type(value).__name__}")


def side_of(game: Game, color: ColorLike | None) -> int:
    """The colour to search for, as a plain integer for the kernels. GameError: the game is over. TypeError: no game."""
    check_game(game)
    side = game.to_move if color is None else parse_color(color)
    if game.is_over:
        raise GameError("the game is over")
    return int(side)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of `solve`; all values are proven."""

    winner: Color | None
    """The winner under best play of both sides; None if not decided in time."""
    line: tuple[str, ...]
    """Vertices from the position on, the colour to move first: best play of both sides to the end if there are `plies`
    of them, else winning plays and forced replies up to a choice of the loser or the end of the time."""
    plies: int | None
    """Moves of both sides to the end under best play; None if not computed."""
    nodes: int
    """Positions examined; 0 if the answer is from a book."""


@dataclass(frozen=True, slots=True)
class AnalysedMove:
    """A move of an analysis, from the viewpoint of the colour that plays it."""

    move: str
    """A vertex or "pass"."""
    winrate: float
    """Estimated chance to win, 0 to 1; exactly 0 or 1 if proven."""
    visits: int
    """Playouts that began with this move; at least 10 if proven."""
    prior: float
    """Share of the move before the first playout; the shares of all moves sum up to 1."""
    proof: Literal["win", "loss"] | None
    """Proven result under best play, or None."""
    line: tuple[str, ...]
    """Expected continuation, this move first."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of `analyse`."""

    color: Color
    """The colour whose moves are analysed."""
    winner: Color | None
    """The winner if the search or the solver has proven it, else None."""
    moves: tuple[AnalysedMove, ...]
    """The moves with at least 10 visits or a proof, best first."""
