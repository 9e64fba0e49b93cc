"""What people and programs get about a position: winner, line and win rate in vertices and colours."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..go.game import Game
from ..go.vertex import Color, ColorLike, parse_color
from .result import Solution


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known about a position with one colour to move: a proven winner with a line, or else a win rate."""

    winner: Color | None = None
    """The winner under best play of both sides; None if nothing is proven."""
    black: float | None = None
    """Black's win rate, 0 to 1; exactly 0 or 1 if a winner is proven; None if it was not measured."""
    line: tuple[str, ...] = ()
    """Vertices from the position on, the colour to move first: best play of both sides to the end if there are `plies`
    of them, else winning plays and forced replies up to a choice of the loser or the end of the time. Without a winner
    the best moves that a search has found."""
    plies: int | None = None
    """Moves of both sides to the end under best play; None if not computed."""
    nodes: int = field(default=0, compare=False)
    """Positions that `solve` examined, also if they decide nothing; 0 if the answer is from a book. It depends on
    earlier calls, so verdicts are equal without it."""
    first_moves: dict[str, Color | None] = field(default_factory=dict, hash=False)
    """The winner after each play, None if not decided in time; empty unless `first_moves` was asked for."""

    def __post_init__(self) -> None:
        """Complete the win rate of a proven winner."""
        if self.winner is not None:
            object.__setattr__(self, "black", float(self.winner is Color.BLACK))

    def rate(self, color: ColorLike) -> float | None:
        """Return the win rate of a colour, 0 to 1; None if it is not known. ValueError: not a colour."""
        side = parse_color(color)
        return self.black if self.black is None or side is Color.BLACK else 1.0 - self.black


def verdict_of(game: Game, solution: Solution) -> Verdict:
    """Return a solution of a game's position in vertices and colours."""
    first_moves = (solution.first_moves or {}).items()
    return Verdict(
        winner=None if solution.winner is None else Color(solution.winner),
        line=tuple(map(game.vertex, solution.line)),
        plies=solution.plies,
        nodes=solution.nodes,
        first_moves={game.vertex(play): None if winner is None else Color(winner) for play, winner in first_moves},
    )
