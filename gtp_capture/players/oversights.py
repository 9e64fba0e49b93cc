"""What a level overlooks in one turn: captures, its own ataris, and the safety of its own play."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from ..go import board as bd
from ..go.board import Board
from ..go.game import Game
from ..go.vertex import EMPTY, opponent
from ..judgement.endgame import exposes
from .levels import Level
from .player import last_play

CONTACT: Final = 4
"""Power of the values in `draw_by_shape`: a play next to opposing stones is about four times as likely as another."""


class Urgent(NamedTuple):
    """The captures of a position, and the plays that save own chains."""

    captures: list[int]
    """For each opposing chain in atari the play that captures it."""
    saves: list[list[int]]
    """For each own chain in atari the plays after which it has two liberties or more."""


class Noticed(NamedTuple):
    """The part of `Urgent` that a level notices in one turn."""

    captures: set[int]
    saves: set[int]
    missed: set[int]
    """Plays that it does not consider in this turn."""
    looks_ahead: bool
    """Whether it considers the answers before it plays."""


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """How a level chooses its move in one turn."""

    urgent: int = 0
    """A capture or a save that it plays at once, or 0."""
    moves: tuple[int, ...] = ()
    """Otherwise the moves that it chooses from."""
    thinks: bool = False
    """Whether it chooses by search."""


def plan_turn(game: Game, color: int, moves: Sequence[int], level: Level, rng: random.Random) -> TurnPlan:
    """Draw what a level overlooks in this turn, by its probabilities; return how it then chooses its move."""
    board = game.board
    seen = notice(find_urgent(game, color, moves), level, rng)
    winning = {p for p in seen.captures if game.rules.won_by(game.prisoners(color) + bd.captures_at(board, p, color))}
    noticed = winning or seen.captures or seen.saves
    if winning or (noticed and (seen.missed or rng.random() >= level.weighs)):
        urgent = sorted(noticed)
        rng.shuffle(urgent)
        return TurnPlan(max(urgent, key=lambda p: bd.captures_at(board, p, color)))
    rest = [p for p in moves if p not in seen.missed] or list(moves)
    thinks = seen.looks_ahead and not seen.missed and level.playouts > 0
    if seen.looks_ahead and not thinks:
        rest = [p for p in rest if p > 0 and not exposes(board, p, color)] or rest
    return TurnPlan(0, tuple(rest), thinks)


def find_urgent(game: Game, color: int, moves: Sequence[int]) -> Urgent:
    """Find the captures and saves among these moves."""
    board = game.board
    theirs, own = game.atari(opponent(color)), game.atari(color)
    captures = [bd.last_liberty(board, p) for p in theirs]
    saves = [
        [p for p in {bd.last_liberty(board, chain), *captures} if p in moves and _saves(board, p, chain, color)]
        for chain in own
    ]
    return Urgent([p for p in captures if p in moves], saves)


def notice(urgent: Urgent, level: Level, rng: random.Random) -> Noticed:
    """Draw for each chain in atari whether the level notices it, and whether it looks ahead."""
    captures = {play for play in urgent.captures if rng.random() < level.notices_capture}
    saves = {play for plays in urgent.saves if rng.random() < level.notices_atari for play in plays}
    missed = {*urgent.captures, *(play for plays in urgent.saves for play in plays)} - captures - saves
    return Noticed(captures, saves, missed, rng.random() < level.looks_ahead)


def draw_by_shape(game: Game, color: int, moves: Sequence[int], rng: random.Random) -> int:
    """Draw a move by the values of plays at first sight."""
    plays = [p for p in moves if p > 0]
    if not plays:
        return moves[0]
    value, last = capture_value if game.rules.is_capture_game else ordinary_value, last_play(game)
    return rng.choices(plays, [value(game.board, p, color, last) ** CONTACT for p in plays])[0]


def capture_value(board: Board, point: int, color: int, last: int) -> float:
    """Return the value of a play at first sight in a capture game, 0 to 1: contact with weak chains raises it."""
    around = [int(board.color[q]) for q in bd.neighbors(board, point)]
    enemies = [q for q in bd.neighbors(board, point) if board.color[q] == opponent(color)]
    weak = sum(int(board.libs[board.root[q]]) <= 3 for q in enemies)
    value = 0.45 + 0.06 * (weak + len(around) - 4 + bool(enemies))
    if enemies and around.count(EMPTY) >= 3:
        value += 0.04
    return value + (0.05 if _adjoins(board, point, last) else 0.0)


def ordinary_value(board: Board, point: int, color: int, last: int) -> float:
    """Return the value of a play at first sight in ordinary Go, 0 to 1: captures, saves and shapes raise it."""
    from ..playout.ordinary import has_shape

    captured, around = bd.captures_at(board, point, color), bd.neighbors(board, point)
    value = 0.53 if _adjoins(board, point, last) else 0.45
    if captured > 0:
        value += 0.2 + 0.05 * min(captured, 4)
    if any(board.color[q] == color and bd.in_atari(board, q) for q in around):
        value += 0.2
    if has_shape(board, point):
        value += 0.12
    elif all(board.color[q] == EMPTY for q in around):
        value -= 0.2 * (4 - len(around))
    return min(value, 0.95)


def _adjoins(board: Board, point: int, last: int) -> bool:
    """Whether a point is one of the eight around the last play; false if `last` is 0."""
    distance, stride = abs(point - last), int(board.stride)
    return last > 0 and (distance == 1 or stride - 1 <= distance <= stride + 1)


def _saves(board: Board, point: int, chain: int, color: int) -> bool:
    """Whether a chain in atari has two liberties or more after a legal play."""
    after = board.copy()
    return bd.play(after, point, color) >= 0 and not bd.in_atari(after, chain)
