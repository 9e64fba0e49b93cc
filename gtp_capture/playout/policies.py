"""Playouts with tactics: for positions where the next capture wins, for more prisoners, and for ordinary Go."""

from __future__ import annotations

from typing import Any, Final

from ..go import board as bd
from ..go.board import Board, neighbors4
from ..go.vertex import PASS, opponent
from ..jit.kernel import as_int64, inner
from ..jit.records import Turn, random_below, set_aside
from .capture_race import race_play
from .endings import area_winner, is_capture_game, must_lose
from .moves import is_ko, make_move
from .ordinary import answer
from .static import NO_DEFENCE, QUIET, forced_near, is_tactical, keeps_two_liberties
from .uniform import longest, random_play

TRIES: Final = 4
"""Maximum number of times that a random self-atari is redrawn."""


@inner
def safe_play(b: Board, c: int, rng: Any) -> int:
    """Return a point where colour c keeps two liberties, each with equal chance, or 0 if there is none."""
    rest = as_int64(b.empties)
    while rest > 0:
        i = random_below(rng, rest)
        p = as_int64(b.empty[i])
        if keeps_two_liberties(b, p, c):
            return p
        rest -= 1
        set_aside(b, i, rest)
    return 0


@inner
def first_capture_playout(b: Board, c: int, last: int, rng: Any) -> tuple[int, int]:
    """Play to the end where the next capture wins and no chain of the colour that just moved is in atari.

    Returns the winner and the number of plays. The playout ends one play before an unavoidable capture, so no
    stone is ever removed.
    """
    plays = 0
    while True:
        p = forced_near(b, last, c)
        if p == NO_DEFENCE:
            return opponent(c), plays
        if p == QUIET:
            p = safe_play(b, c, rng)
            if p == 0:
                return opponent(c), plays
        bd.place(b, p, c)
        plays += 1
        last = p
        c = opponent(c)


@inner
def urgent_play(b: Board, rules: Any, last: int, c: int) -> int:
    """Return a play that captures the opponent's last stone, or one that saves a chain next to it by a capture, or 0.

    Extension from atari is not forced: always extending loses more stones.
    """
    color = b.color
    stride = int(b.stride)
    if color[last] == opponent(c) and bd.in_atari(b, last):
        p = bd.last_liberty(b, last)
        if bd.is_legal(b, p, c, False) and not is_ko(b, rules, p):
            return p
    for q in neighbors4(last, stride):
        if color[q] == c and bd.in_atari(b, q):
            p = bd.last_liberty(b, q)
            if not is_ko(b, rules, p) and bd.captures_at(b, p, c) > 0:
                return p
    return 0


@inner
def general_play(b: Board, rules: Any, last: int, c: int, rng: Any) -> int:
    """Return an urgent play, else (if captures do not win) an answer to the last play, else a random play or PASS.

    A random self-atari that captures nothing is redrawn up to TRIES times.
    """
    if last > 0:
        p = urgent_play(b, rules, last, c)
        if p == 0 and not is_capture_game(rules):
            p = answer(b, rules, last, c, rng)
        if p > 0:
            return p
    p = random_play(b, rules, c, rng)
    for _ in range(TRIES):
        if p == PASS or keeps_two_liberties(b, p, c) or bd.captures_at(b, p, c) > 0:
            return p
        p = random_play(b, rules, c, rng)
    return p


@inner
def general_playout(turn: Turn, rng: Any) -> tuple[int, int]:
    """Play to the end under any rules, on the board of `turn`; return the winner or DRAW, and the number of plays."""
    b, rules, c, last, passes = turn
    plays, most = 0, longest(b)
    race, before = is_capture_game(rules) and not rules.scored, 0
    while plays < most:
        p = race_play(b, rules, last, before, c, rng) if race else general_play(b, rules, last, c, rng)
        if p != PASS:
            plays += 1
        elif must_lose(b, rules, c):
            return opponent(c), plays
        passes, winner = make_move(b, rules, p, c, passes)
        if winner != 0:
            return winner, plays
        before, last = last, p
        c = opponent(c)
    return area_winner(b, rules), plays


@inner
def tactical_playout(turn: Turn, rng: Any) -> tuple[int, int]:
    """Play to the end on the board of `turn`, with the playout for its rules; return as `general_playout` does.

    Where the next capture wins, the position must be one for `first_capture_playout`.
    """
    if is_tactical(turn.board, turn.rules):
        return first_capture_playout(turn.board, turn.color, turn.last, rng)
    return general_playout(turn, rng)
