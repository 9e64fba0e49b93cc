"""The parts of a game: moves, the positions that they lead to, and the outcome with its cause."""

# The annotations are values, not text: pdoc cannot look up those of a NamedTuple that are text.
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from .vertex import BLACK, BORDER, COLOR_LETTERS, Color, format_vertex

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Termination(StrEnum):
    """The cause of a game's end. HANDED_OVER: a pass gave the opponent the deciding prisoner."""

    CAPTURE = "capture"
    NO_LEGAL_PLAY = "no legal play"
    HANDED_OVER = "handed over a stone"
    RESIGNATION = "resignation"
    TWO_PASSES = "two passes"


class Illegal(StrEnum):
    """The reason why a move is illegal."""

    OVER = "the game is over; go_on allows more moves"
    PASS = "these rules have no passing"
    OUTSIDE = "not a point of this board"
    OCCUPIED = "the point is not empty"
    SUICIDE = "suicide"
    KO = "ko"
    SUPERKO = "superko: the position stood before"


class GameInfo(TypedDict, total=False):
    """Facts about a game besides its rules and moves, as SGF has them: `game.info["black"] = "Ann"`; all are texts."""

    black: str
    """The name of the player with Black (SGF: PB)."""
    white: str
    black_rank: str
    """For example "5k" (BR)."""
    white_rank: str
    result: str
    """`B+3.5`, `W+R`, `0` for a draw, `?` for an unknown result (RE)."""
    date: str
    """`2026-11-27` (DT)."""
    place: str
    event: str
    round: str
    name: str
    """The title of the game (GN)."""
    comment: str
    """The comment of the first position, of any number of lines (C): most files have a text about the game here."""
    game_comment: str
    """A text about the whole game, of any number of lines (GC)."""


class Outcome(NamedTuple):
    """The end of a game; as text "black won: capture"."""

    winner: Color | None
    """None after a draw, or after two passes that cannot be scored yet."""
    termination: Termination

    def __str__(self) -> str:
        return f"{'game over' if self.winner is None else f'{self.winner} won'}: {self.termination}"


class Move(NamedTuple):
    """A play, a pass or a resignation of a colour; as text "B C3"."""

    color: Color
    point: int
    """The point of a play, PASS or RESIGN: for use inside the package."""
    width: int
    """Points from the left to the right edge of the board."""

    @property
    def vertex(self) -> str:
        """The vertex of a play, "pass" or "resign". TypeError: the move was made with a vertex in place of a point."""
        if isinstance(self.point, str):
            raise TypeError(f"a move has a point, not {self.point!r}: games make moves from vertices, game.play('C3')")
        return format_vertex(self.point, self.width)

    def __str__(self) -> str:
        return f"{COLOR_LETTERS[int(self.color)]} {self.vertex}"

    def __repr__(self) -> str:
        return f"<Move {self}>"


class Position(NamedTuple):
    """The state of a game after a move, with all that undo needs. The first position of a game has no move."""

    colors: bytes
    """The colour of each cell, as `board.colors` gives it."""
    prisoners: tuple[int, int]
    """Prisoners that Black and White hold."""
    to_move: Color
    move: Move | None
    decided: Outcome | None
    """An outcome that no later move can change; not two passes, as play may resume after them."""

    def won(self, color: int) -> int:
        """The number of prisoners that a colour holds."""
        return self.prisoners[color - BLACK]

    def board_array(self) -> "npt.NDArray[np.int8]":
        """The stones as an array of its own, int8: 0 empty, 1 black, 2 white.

        Its shape is (height, width). Row 0 is the top of the board as `str` prints a game, column 0 its left edge.
        """
        array: npt.NDArray[np.int8] = board_arrays([self])[0]
        return array

    def played_by(self, color: int) -> bool:
        """Whether a play (not a pass) of a colour led to this position."""
        return self.move is not None and int(self.move.color) == color and self.move.point > 0


def board_arrays(positions: Sequence[Position]) -> "npt.NDArray[np.int8]":
    """Return the arrays of positions of one board size as one, (positions, height, width), at least one position."""
    import numpy as np  # noqa: PLC0415 - a game without it is imported in half of the time

    cells = positions[0].colors
    stride = len(cells) - len(cells.lstrip(bytes([BORDER]))) - 1  # the first point follows a row and a cell of border
    rows = np.frombuffer(b"".join([position.colors for position in positions]), np.int8).reshape(-1, len(cells))
    return rows[:, :-1].reshape(len(positions), -1, stride)[:, -2:0:-1, 1:].copy()
