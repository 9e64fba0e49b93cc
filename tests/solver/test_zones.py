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
from gtp_capture.solver.result import LOSS
from gtp_capture.solver.solver import TUNING, Solver
from gtp_capture.solver.static import ALL, RELEVANCE, URGENCY, ZONES
from gtp_capture.solver.table import salt
from gtp_capture.solver.zones import new_zones, probe_zone, store_zone
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

SMALL = 16 * MEBIBYTE
probe, store = numba.njit(probe_zone), numba.njit(store_zone)
PLAIN = ALL - RELEVANCE - URGENCY - ZONES


def zone_of(solver: Solver, stones: tuple[int, int], color: int) -> int:
    """Return the zone of the position that the solver has searched last; the whole board if it is not in the table."""
    keys = solver.zobrist.keys
    hashes = np.zeros(2 * bitboard.SYMMETRIES, np.uint64)
    for side, bits in enumerate(stones):
        for i in range(bits.bit_length()):
            if bits >> i & 1:
                hashes ^= keys[side, i]
    image = int(hashes[: bitboard.SYMMETRIES].argmin())
    low = hashes[image] ^ np.uint64(salt(color - BLACK, 0, 0))
    return int(probe(solver.zones, low, image, solver.zobrist.sources, bitboard.kernel_geometry(solver.geometry)))


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
                game.play(chance.choice(game.legal_plays()))
        if game.outcome:
            continue
        stones, color = solver.stones(game.board), int(game.to_move)
        solver.clear()
        result = solver.result(stones, color, Limit().begin())
        zone, full = zone_of(solver, stones, color), solver.geometry.full
        local += zone != full
        loser = color if result == LOSS else opponent(color)
        for _ in range(8):
            after = changed(stones, loser, zone, full, chance)
            if after != stones and alive(solver, after):
                assert oracle.result(after, color, Limit().begin()) == result, (game.moves, zone, after)
                tested += 1
    assert local > 15
    assert tested > 100


@pytest.mark.parametrize("size", [(5, 5), (6, 4), (8, 8)], ids=str)
def test_a_zone_is_found_in_every_image_of_its_position(size: tuple[int, int]) -> None:
    solver, chance = Solver(*size, SMALL), random.Random(3)
    g, sources = bitboard.kernel_geometry(solver.geometry), solver.zobrist.sources
    points = size[0] * size[1]
    for image in range(bitboard.SYMMETRIES):
        zones: Any = new_zones(1024)
        zone = chance.getrandbits(points)
        store(zones, np.uint64(40), image, np.uint64(zone) if COMPILED else zone)
        for other in range(bitboard.SYMMETRIES):
            found = int(probe(zones, np.uint64(40), other, sources, g))
            assert {i for i in range(points) if zone >> int(sources[image, i]) & 1} == {
                i for i in range(points) if found >> int(sources[other, i]) & 1
            }
        assert int(probe(zones, np.uint64(80), image, sources, g)) == solver.geometry.full
