"""Chains, liberties and first capture by definition, over sets of points; this shares no code with the package."""

from __future__ import annotations

import random
from collections.abc import Iterable, Set
from functools import cache

from gtp_capture import Game

Points = frozenset[tuple[int, int]]


@cache
def neighbors(p: tuple[int, int], width: int, height: int) -> Points:
    x, y = p
    candidates = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
    return frozenset((a, b) for a, b in candidates if 0 <= a < width and 0 <= b < height)


def has_liberty(start: tuple[int, int], stones: Points, other: Points, width: int, height: int) -> bool:
    seen, frontier = {start}, [start]
    for p in frontier:
        for q in neighbors(p, width, height):
            if q in stones:
                if q not in seen:
                    seen.add(q)
                    frontier.append(q)
            elif q not in other:
                return True
    return False


def chain_of(start: tuple[int, int], stones: Iterable[tuple[int, int]], width: int, height: int) -> Points:
    """Return the stones that are connected with a stone, among those of its colour."""
    rest = set(stones)
    chain = [start]
    for p in chain:
        chain += (more := neighbors(p, width, height) & rest - {start})
        rest -= more
    return frozenset(chain)


def liberties_of(chain: Points, taken: Set[tuple[int, int]], width: int, height: int) -> Points:
    """Return the points beside a chain that no stone has taken."""
    return frozenset().union(*(neighbors(p, width, height) for p in chain)) - taken


def sides_after(own: Points, opp: Points, width: int, height: int) -> list[Points] | None:
    """Return the stones of the side to move after each of its plays; None if it can capture."""
    sides = []
    for p in ((x, y) for x in range(width) for y in range(height)):
        if p in own or p in opp:
            continue
        after = own | {p}
        adjacent = neighbors(p, width, height)
        if any(q in opp and not has_liberty(q, opp, after, width, height) for q in adjacent):
            return None
        if has_liberty(p, after, opp, width, height):
            sides.append(after)
    return sides


@cache
def outcome(own: Points, opp: Points, width: int, height: int) -> tuple[bool, int]:
    """Return whether the side to move wins, and in how many plies: the winner's fewest, the loser's most."""
    best_win, worst_loss = None, 0
    plays = sides_after(own, opp, width, height)
    if plays is None:
        return True, 1
    for after in plays:
        won, plies = outcome(opp, after, width, height)
        if won:
            worst_loss = max(worst_loss, plies + 1)
        elif best_win is None or plies + 1 < best_win:
            best_win = plies + 1
    return (True, best_win) if best_win is not None else (False, worst_loss)


@cache
def wins(own: Points, opp: Points, width: int, height: int) -> bool:
    """Return whether the side to move wins; unlike `outcome`, this ends at the first win."""
    plays = sides_after(own, opp, width, height)
    return plays is None or not all(wins(opp, after, width, height) for after in plays)


def bits(stones: Points, width: int) -> int:
    return sum(1 << y * width + x for x, y in stones)


def random_position(rng: random.Random, width: int, height: int) -> tuple[Points, Points]:
    """Return random stones in which every chain has a liberty, in positions too that no game reaches."""
    points = [(x, y) for x in range(width) for y in range(height)]
    while True:
        rng.shuffle(points)
        own_count = rng.randrange(len(points) // 2 + 1)
        opp_count = max(0, min(len(points) - own_count, own_count + rng.randrange(-1, 2)))
        own, opp = frozenset(points[:own_count]), frozenset(points[own_count : own_count + opp_count])
        sides = (own, opp), (opp, own)
        if all(has_liberty(p, stones, other, width, height) for stones, other in sides for p in stones):
            return own, opp


def game_of(own: Points, opp: Points, width: int, height: int, color: int) -> Game:
    game = Game("first-capture", (width, height))
    stones = [[game.point(f"{'ABCDEFGH'[x]}{y + 1}") for x, y in side] for side in (own, opp)]
    black, white = stones if color == 1 else stones[::-1]
    game.setup_points(black, white, color)
    return game
