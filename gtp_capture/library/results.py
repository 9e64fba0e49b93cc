"""Values and errors of the public functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..go.game import Game, GameError, IllegalMoveError, check_game
from ..go.vertex import Color, ColorLike, parse_color
from ..go.words import counted
from ..players.analysis import AnalysedMove, listed, written
from ..util.limit import Deadline


def side_of(game: Game, color: ColorLike | None) -> int:
    """The colour to search for, as a plain integer for the kernels. GameError: the game is over. TypeError: no game."""
    check_game(game)
    side = game.to_move if color is None else parse_color(color)
    if game.is_over:
        raise GameError("the game is over")
    return int(side)


def check_limit(value: object) -> None:
    """Check the limit that a bot gets. TypeError: something else, such as a number of seconds."""
    if value is not None and not isinstance(value, Deadline):
        raise TypeError(f"a limit is the one that a bot gets, not {value!r}: for a time write seconds=1.0")


@dataclass(frozen=True, slots=True)
class Analysis:
    """Moves of a position with their win rates. `str` is a table of them, and notebooks draw a heat map."""

    color: Color
    """The colour whose moves are analysed."""
    winner: Color | None
    """The winner if it is proven, else None."""
    moves: tuple[AnalysedMove, ...]
    """The moves, best first. In an analysis by `analyse` each has at least one visit or a proof."""
    game: Game = field(repr=False, hash=False)
    """A copy of the game, up to the position."""

    @classmethod
    def of(
        cls, game: Game, moves: Iterable[AnalysedMove] | Mapping[str, float], *, color: ColorLike | None = None
    ) -> Analysis:
        """Return the analysis of a position by another program, for a colour (default: the one to move).

        `moves`: in any order, or the win rate (0 to 1) of each vertex. They are sorted: proven wins first and proven
        losses last, the others by visits, then by win rate. The winner is known if a move wins.
        TypeError: not a game, or not such moves. ValueError: a win rate outside 0 to 1, a move twice, or not a vertex
        of this board. IllegalMoveError: an illegal move. ValueError: not a colour.
        """
        check_game(game)
        side = game.to_move if color is None else parse_color(color)
        given = listed("an analysis", moves)
        analysed = [AnalysedMove(*rate) for rate in moves.items()] if isinstance(moves, Mapping) else list(given)
        for move in analysed:
            if not isinstance(move, AnalysedMove):
                raise TypeError(f"an AnalysedMove is needed, not {move!r}")
            if move.move == "RESIGN":
                raise ValueError("resigning has no win rate")
            if (reason := game.why_illegal(move.move, side)) is not None:
                raise IllegalMoveError(f"{side} {move.move}: {reason}")
        if len({move.move for move in analysed}) < len(analysed):
            raise ValueError("a move is there twice")
        ranks = {"win": 2, None: 1, "loss": 0}
        analysed.sort(key=lambda move: (ranks[move.proof], move.visits, move.winrate), reverse=True)
        winner = side if analysed and analysed[0].proof == "win" else None
        return cls(side, winner, tuple(analysed), game.copy())

    @property
    def best(self) -> AnalysedMove | None:
        """The best move; None if none was analysed."""
        return self.moves[0] if self.moves else None

    def __getitem__(self, vertex: str) -> AnalysedMove:
        """The analysis of a move. KeyError: it was not analysed, or only for a moment."""
        for move in self.moves:
            if isinstance(vertex, str) and move.move == written(vertex):
                return move
        raise KeyError(vertex)

    def __iter__(self) -> Iterator[AnalysedMove]:
        return iter(self.moves)

    def __contains__(self, vertex: object) -> bool:
        return isinstance(vertex, str) and any(move.move == written(vertex) for move in self.moves)

    def __repr__(self) -> str:
        best = f", {self.best.move} first" if self.best is not None else ""
        return f"<Analysis for {self.color}: {counted(len(self.moves), 'move')}{best}>"

    def __str__(self) -> str:
        result = "" if self.winner is None else f", {self.winner} wins"
        return "\n".join([f"{self.color} to play{result}", *map(str, self.moves)])

    def _repr_svg_(self) -> str:
        """The board with the win rate of each move as SVG, which Jupyter displays."""
        from ..go.picture import Heat, Marked, picture, svg

        heat = {self.game.point(m.move): Heat(m.winrate, m.proof) for m in self.moves}
        return svg(picture(self.game.board, Marked(self.game.last_move), heat))
