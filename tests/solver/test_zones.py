"""Relevance zones: what they promise, against a search that does not use them."""

from __future__ import annotations

import random
from typing import Any

import numba
import numpy as np
import pytest

from gtp_capture import BLACK, Game
from gtp_capture.go.vertex import opponent
from gtp_capture.jit.kernel import COMPILED
from gtp_capture.solver import bitboard
from gtp_capture.solver.result import LOSS, WIN
from gtp_capture.solver.solver import TUNING, Solver
from gtp_capture.solver.static import ALL, RELEVANCE, URGENCY, ZONES
from gtp_capture.solver.table import salt
from gtp_capture.solver.zones import BUCKET, new_zones, probe_zone, store_zone
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

SMALL = 16 * MEBIBYTE
probe, store = numba.njit(probe_zone), numba.njit(store_zone)
PLAIN = ALL - RELEVANCE - URGENCY - ZONES


def zone_of(solver: Solver, stones: tuple[int, int], color: int, result: int) -> int:
    """Return the zone of the position that the solver has searched last; the whole board if it is not in the table."""
    own, opp = stones if color == BLACK else stones[::-1]
    winner, loser, moves = (own, opp, 1) if result == WIN else (opp, own, 0)
    return found(solver.zones, winner, loser, moves) or solver.geometry.full


def found(zones: Any, winner: int, loser: int, moves: int) -> int:
    """Return the zone that the table has for a position; 0 if it has none."""
    number = np.uint64 if COMPILED else int
    return int(probe(zones, number(winner), number(loser), number(salt(moves, 0, 0))))


def alive(solver: Solver, stones: tuple[int, int]) -> bool:
    """Whether every chain has a liberty."""
    g = solver.geometry
    empty = g.full & ~(stones[0] | stones[1])
    return all(
        bitboard.flood(1 << i, side, g)[1] & empty for side in stones for i in range(side.bit_length()) if side >> i & 1
    )


def changed(stones: tuple[int, int], loser: int, zone: int, full: int, chance: random.Random) -> tuple[int, int]:
    """Return the stones after changes of the loser's outside the zone: more on empty points, and fewer."""
    winners = stones[opponent(loser) - BLACK]
    free = full & ~zone & ~winners
    others = sum(1 << i for i in range(full.bit_length()) if free >> i & 1 and chance.random() < 0.5)
    losers = stones[loser - BLACK] & zone | others
    return (losers, winners) if loser == BLACK else (winners, losers)


@pytest.mark.parametrize(("size", "plies"), [((5, 5), 6), ((4, 7), 7), ((6, 6), 13), ((7, 7), 20)], ids=str)
def test_the_winner_also_wins_with_other_stones_of_the_loser_outside_the_zone(
    size: tuple[int, int], plies: int
) -> None:
    chance, tested, local = random.Random(35), 0, 0
    solver, oracle = (Solver(*size, SMALL, tuning=TUNING._replace(features=f)) for f in (ALL, PLAIN))
    for _ in range(200):
        game = Game("first-capture", size)
        for _ in range(chance.randrange(plies - 3, plies + 3)):
            if not game.outcome:
                game.play_point(chance.choice(game.legal_plays()))
        if game.outcome:
            continue
        stones, color = solver.stones(game.board), int(game.to_move)
        solver.clear()
        result = solver.result(stones, color, Limit().begin())
        zone, full = zone_of(solver, stones, color, result), solver.geometry.full
        local += zone != full
        loser = color if result == LOSS else opponent(color)
        for _ in range(8):
            after = changed(stones, loser, zone, full, chance)
            if after != stones and alive(solver, after):
                assert oracle.result(after, color, Limit().begin()) == result, (game.moves, zone, after)
                tested += 1
    assert local > 15
    assert tested > 100


def test_a_zone_proves_other_positions_with_the_same_stones_inside() -> None:
    zones: Any = new_zones(1024)
    number = np.uint64 if COMPILED else int
    winner, loser, zone = 0b0011, 0b1100_0100, 0b1111
    store(zones, number(winner), number(loser), number(zone), number(salt(1, 0, 0)), 5)
    assert found(zones, winner, loser, 1) == zone
    assert found(zones, winner, 0b0010_0100, 1) == zone  # the loser's other stones differ
    assert found(zones, winner, 0b1100_1000, 1) == 0  # those in the zone differ
    assert found(zones, winner, 0b1100_0000, 1) == 0
    assert found(zones, 0b1_0000_0011, loser, 1) == 0  # the winner's differ
    assert found(zones, winner, loser, 0) == 0  # the loser is to move


def test_zones_of_most_effort_stay() -> None:
    zones: Any = new_zones(1)
    number = np.uint64 if COMPILED else int
    assert zones.size == BUCKET
    efforts = [*range(2, 2 + BUCKET), 1, BUCKET, 1]
    for winner, effort in enumerate(efforts, 1):
        store(zones, number(winner), number(0), number(1 << 40), number(salt(0, 0, 0)), effort)
    kept = {winner for winner in range(1, len(efforts) + 1) if found(zones, winner, 0, 0)}
    assert kept == {*range(3, BUCKET + 1), BUCKET + 2, BUCKET + 3}
