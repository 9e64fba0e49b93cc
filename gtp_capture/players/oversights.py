"""What a level overlooks in one turn: captures, its own ataris, and the safety of its own play."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from ..go import board as bd
from ..go.board import Board
from ..go.game import Game
from ..go.vertex import opponent
from .endgame import exposes
from .levels import Level
from .player import last_play

CONTACT: Final = 4
"""Power of the hand-made priors in `feel`: a play next to opposing stones is about four times as likely as another."""


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
    looks: bool
    """Whether it looks at the answers before it plays."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a level chooses its move in one turn."""

    urgent: int = 0
    """A capture or a save that it plays at once, or 0."""
    moves: tuple[int, ...] = ()
    """Otherwise the moves that it chooses from."""
    thinks: bool = False
    """Whether it chooses by search, or else without one."""


def look(game: Game, color: int, moves: Sequence[int], level: Level, rng: random.Random) -> Look:
    """Draw what a level overlooks in this turn, by the probabilities of the level, and what that leaves to choose."""
    board = game.board
    seen = notice(find_urgent(game, color, moves), level, rng)
    winning = {p for p in seen.captures if game.rules.won_by(game.prisoners(color) + bd.captures_at(board, p, color))}
    noticed = winning or seen.captures or seen.saves
    if winning or (noticed and (seen.missed or not level.sacrifices)):
        urgent = sorted(noticed)
        rng.shuffle(urgent)
        return Look(max(urgent, key=lambda p: bd.captures_at(board, p, color)))
    rest = [p for p in moves if p not in seen.missed] or list(moves)
    thinks = seen.looks and not seen.missed and level.playouts > 0
    if seen.looks and not thinks:
        rest = [p for p in rest if p > 0 and not exposes(board, p, color)] or rest
    return Look(0, tuple(rest), thinks)


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
    """Draw for each chain in atari whether the level notices it, and whether it looks before it plays."""
    captures = {play for play in urgent.captures if rng.random() < level.notices_capture}
    saves = {play for plays in urgent.saves if rng.random() < level.notices_atari for play in plays}
    missed = {*urgent.captures, *(play for plays in urgent.saves for play in plays)} - captures - saves
    return Noticed(captures, saves, missed, rng.random() < level.looks)


def feel(game: Game, color: int, moves: Sequence[int], rng: random.Random) -> int:
    """Draw a move at first sight: any, more often next to other stones and the last play."""
    from ..jit.records import rules_record
    from ..search.priors import plain_prior

    plays = [p for p in moves if p > 0]
    if not plays:
        return moves[0]
    rules, last = rules_record(game.rules, 0.0), last_play(game)
    weights = [plain_prior(game.board, rules, p, color, last) ** CONTACT for p in plays]
    return rng.choices(plays, weights)[0]


def _saves(board: Board, point: int, chain: int, color: int) -> bool:
    """Whether a chain in atari has two liberties or more after a legal play."""
    after = bd.copy(board)
    return bd.play(after, point, color) >= 0 and not bd.in_atari(after, chain)
