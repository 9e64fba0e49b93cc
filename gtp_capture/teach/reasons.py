"""The effects of a play that can be read off the board: reasons that a hint can name and a person can check.

A *chain* is named by one of its stones; *before* and *after* mean the board before and after the play, with captured
stones removed. A chain is *next to* the play if one of its stones is beside the point. The play

- *takes* stones that are off the board after it;
- *takes a chain out of atari* if the chain had one liberty before and has more after, the play being on that liberty;
  it *saves* the chain if, besides, the next capture decides the game, reading finds no capture of the chain, and the
  solver does not refute the play;
- *puts an opposing chain in atari* if that is next to the play and has one liberty after.

The following reasons apply only if the chain of the play has two liberties or more after, in this order:

- it *connects* two own chains if both are next to the play: before they were two, after they are one;
- it *cuts* two opposing chains *apart* if both are next to the play and share no other liberty: before, one stone on
  this point would have connected them, and after, no single stone does;
- it *leaves an opposing chain two liberties* if that is next to the play and has two after, so three before;
- it *brings an own chain from n liberties to m* if that is the only own chain next to the play, has n before, two or
  more, and its chain has m after, more than n;
- it *keeps the last safe points* of its side, a number of them up to LAST_SAFE, where one capture wins and nothing is
  in atari: after the play all other `safe_points` of its side are safe still, and a play on one of these would not
  have left them so.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum, auto
from itertools import combinations
from typing import Final, NamedTuple

from ..go import board as bd
from ..go.board import Board
from ..go.game import Game
from ..go.vertex import opponent
from ..solver.result import next_capture_wins

LAST_SAFE: Final = 3
"""The greatest number of safe points that count as the last ones."""


class Reason(StrEnum):
    """The most important reason for a move: its effect on the board (see the module), else the proof or the search."""

    CAPTURE = auto()
    """It takes `captured` stones."""
    SAVE = auto()
    """It saves the chain of `stones`."""
    FREE = auto()
    """It takes the chain of `stones` out of atari; whether that saves it was not found, or it does not."""
    LADDER = auto()
    """It starts a ladder, which is `line`: every play is atari up to the end, every answer is forced."""
    ATARI = auto()
    """It puts the chains of `stones` in atari; if it wins in 3 `plies`, one of them is lost."""
    RACE = auto()
    """It wins a race: the loser runs out of safe moves, and nothing is in atari before."""
    CONNECT = auto()
    """It connects the two own chains of `stones`."""
    CUT = auto()
    """It cuts the two opposing chains of `stones` apart."""
    TWO_LEFT = auto()
    """It leaves the opposing chain of `stones` two liberties."""
    EXTEND = auto()
    """It brings the own chain of `stones` from the first number of `liberties` to the second."""
    SAFE = auto()
    """It keeps the last safe points of its side: `safe` of them."""
    FORCE = auto()
    """It wins, and no reason above applies."""
    RATE = auto()
    """It has the best win rate of a search, and no reason above applies."""
    SIGHT = auto()
    """It is preferred without a search, and no reason above applies."""
    PASS = auto()
    """A pass is preferred."""
    NO_GAIN = auto()
    """A pass is preferred: no play was found that gains points."""
    LOSS = auto()
    """Every move loses. With `plies` this one lasts longest; else no reason above applies."""


class Effect(NamedTuple):
    """A reason with its chains and numbers; the fields mean the same as in `Hint`."""

    reason: Reason
    stones: tuple[int, ...] = ()
    captured: int = 0
    liberties: tuple[int, int] | None = None
    safe: int = 0


def effect(game: Game, color: int, move: int) -> Effect | None:
    """Return the reason for a play that neither captures nor gives atari; None if no reason of this module applies."""
    board, then = game.board, bd.after(game.board, move, color)
    left = len(bd.liberties(then, move))
    if left < 2:
        return None
    own, other = (_beside(board, move, c) for c in (color, opponent(color)))
    if len(own) > 1:
        return Effect(Reason.CONNECT, own[:2])
    for pair in combinations(other, 2):
        first, second = (set(bd.liberties(board, stone)) for stone in pair)
        if first & second == {move}:
            return Effect(Reason.CUT, pair)
    if two := [stone for stone in other if len(bd.liberties(then, stone)) == 2]:
        return Effect(Reason.TWO_LEFT, (two[0],))
    if own and 2 <= (before := len(bd.liberties(board, own[0]))) < left:
        return Effect(Reason.EXTEND, own, liberties=(before, left))
    kept = _last_safe_kept(game, color, move)
    return Effect(Reason.SAFE, safe=kept) if kept else None


def _beside(board: Board, point: int, color: int) -> tuple[int, ...]:
    """Return one stone of each chain of a colour next to a point."""
    around = {int(board.root[q]): q for q in bd.neighbors(board, point) if board.color[q] == color}
    return tuple(around.values())


def _last_safe_kept(game: Game, color: int, move: int) -> int:
    """Return the number of last safe points that a play keeps; 0 if it keeps none, or if every safe play keeps them."""
    if not next_capture_wins(game.rules, game.board) or any(game.atari(c) for c in (color, opponent(color))):
        return 0
    safe = set(safe_points(game, color))
    if move not in safe or not 1 <= len(safe) - 1 <= LAST_SAFE:
        return 0

    def keeps(play: int) -> bool:
        after = game.after_point(play, color)
        return after.outcome is None and safe - {play} <= set(safe_points(after, color))

    return len(safe) - 1 if keeps(move) and not all(map(keeps, safe - {move})) else 0


def safe_points(game: Game, color: int) -> list[int]:
    """Return the legal plays after which all chains of a colour have two liberties."""
    return [p for p in game.legal_plays(color) if not bd.chains_in_atari(bd.after(game.board, p, color), color)]


def attacked(board: Board, move: int, color: int) -> Sequence[int]:
    """Return one stone of each opposing chain that a play puts in atari; of chains with the same last liberty only one.

    So one play saves at most one of these chains.
    """
    then = bd.after(board, move, color)
    chains: dict[int, int] = {}
    for stone in bd.attacked(board, move, color):
        chains.setdefault(bd.last_liberty(then, stone), stone)
    return [*chains.values()]
