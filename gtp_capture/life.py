"""Which chains are alive, dead or in seki: proof where there is one, else playouts, and reading where these are unsure.

Playouts to the end tell whose each point becomes. They are blind to seki, where both sides rather do not play: that
is read out, and so is the capture of what playouts leave open.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Final

from . import board as bd
from . import scoring
from .board import Board
from .scoring import Status, Statuses
from .vertex import BLACK, EMPTY, WHITE, opponent

PLAYOUTS: Final = 200
"""For each colour to move first."""
SURE: Final = 0.5
"""How clear the owner of a chain or a region must be, 0 to 1."""
FREE: Final = 4
"""Liberties with which a chain counts as out of reach."""
READ: Final = 100
"""Positions that reading one chain may look at."""
DEEP: Final = 12
"""Plies that reading follows; ko makes longer lines."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What playouts and reading say about a position."""

    statuses: Statuses
    owners: Any
    """For each cell -1 (White's) to 1 (Black's)."""
    unsure: frozenset[int]
    """Chains, by their lowest points, of which neither proof nor playouts are sure, and that are not in seki."""


def statuses(board: Board) -> Statuses:
    """The status of every chain. The same position always gets the same answer."""
    found = scoring.all_proven(board)
    return judge(board).statuses if found is None else found


def judge(board: Board) -> Judgement:
    """Look at a position until every chain has a status."""
    owners = _owners(board)
    found = scoring.proven(board)
    fate = {p: _fate(board, p, owners) for p in bd.chains(board)}
    seki = _seki(board, [p for p in fate if p not in found])
    unsure = {p for p in fate if p not in found and p not in seki and abs(fate[p]) < SURE}
    for p in fate:
        if p in seki:
            found[p] = Status.SEKI
        elif p not in found:
            taken = p in unsure and _is_taken(board, p, fate)
            found[p] = Status.DEAD if taken or fate[p] < 0 else Status.ALIVE
    return Judgement(found, owners, frozenset(unsure))


def _owners(board: Board) -> Any:
    from .rules import PRESETS
    from .search.ownership import owners  # compiled code, which a quick start does without
    from .search.playout import rules_record

    rules = rules_record(PRESETS["chinese"], 0.0)
    return sum(owners(board, rules, color, PLAYOUTS, seed=color) for color in (BLACK, WHITE)) / 2


def _fate(board: Board, p: int, owners: Any) -> float:
    """-1 (always captured) to 1 (never)."""
    stones = bd.stones(board, p)
    sign = 1 if board.color[p] == BLACK else -1
    return sign * sum(float(owners[q]) for q in stones) / len(stones)


def _is_taken(board: Board, p: int, fate: dict[int, float]) -> bool:
    """Whether a chain is captured whoever moves first, by neighbours that do not fare badly themselves."""
    around = {int(board.root[q]) for stone in bd.stones(board, p) for q in bd.neighbors(board, stone)}
    attackers = {q for q in fate if board.color[q] == opponent(int(board.color[p])) and int(board.root[q]) in around}
    if not any(fate[q] > 0 for q in attackers):
        return False
    return not _can_escape(board, p, [READ], DEEP) and can_capture(board, p)


def _seki(board: Board, candidates: list[int]) -> set[int]:
    """The chains in seki: two of different colours share liberties, and who plays one of these is captured.

    Beside what they share neither has more than an eye; a longer way round, over several chains, is not seen.
    """
    liberties = {p: set(bd.liberties(board, p)) for p in candidates}
    suicidal = cache(lambda point, color: _is_suicidal(board, point, color))
    found: set[int] = set()
    for p, q in combinations(candidates, 2):
        shared = liberties[p] & liberties[q]
        if not shared or board.color[p] == board.color[q]:
            continue
        if all(_has_only_an_eye(board, liberties[c] - shared, int(board.color[c])) for c in (p, q)) and (
            all(suicidal(point, color) for point in shared for color in (BLACK, WHITE))
            and not can_capture(board, p)
            and not can_capture(board, q)
        ):
            found |= {p, q}
    return found


def _has_only_an_eye(board: Board, points: set[int], color: int) -> bool:
    return len(points) < 2 and all(board.color[q] == color for p in points for q in bd.neighbors(board, p))


def _is_suicidal(board: Board, point: int, color: int) -> bool:
    after = _after(board, point, color)
    return after is None or can_capture(after, point)


# --- Reading captures ---


def can_capture(board: Board, p: int) -> bool:
    """Whether the opponent, to move, captures the chain at p by playing on its liberties; no if that is hard to see."""
    return _can_capture(board, p, [READ], DEEP)


def _can_capture(board: Board, p: int, left: list[int], plies: int) -> bool:
    attacker = opponent(int(board.color[p]))
    liberties = bd.liberties(board, p)
    left[0] -= 1
    if len(liberties) == 1:
        return _after(board, liberties[0], attacker) is not None
    if len(liberties) >= FREE or left[0] < 0 or plies < 0:
        return False
    for point in liberties:
        after = _after(board, point, attacker)
        if after is not None and not _can_escape(after, p, left, plies - 1):
            return True
    return False


def _can_escape(board: Board, p: int, left: list[int], plies: int) -> bool:
    """Whether the owner of the chain at p, to move, keeps it: it captures, extends, or leaves things as they are."""
    color = int(board.color[p])
    liberties = bd.liberties(board, p)
    if len(liberties) >= FREE:
        return True
    around = {q for stone in bd.stones(board, p) for q in bd.neighbors(board, stone)}
    attackers = [q for q in around if board.color[q] == opponent(color) and bd.in_atari(board, q)]
    for point in dict.fromkeys([*(bd.last_liberty(board, q) for q in attackers), *liberties]):
        after = _after(board, point, color)
        if after is not None and not _can_capture(after, p, left, plies - 1):
            return True
    return len(liberties) > 1 and not _can_capture(board, p, left, plies - 1)


def _after(board: Board, point: int, color: int) -> Board | None:
    """The board after a play, or None where it is not legal."""
    if board.color[point] != EMPTY or point == board.ko or not bd.is_legal(board, point, color, False):
        return None
    after = bd.copy(board)
    bd.play(after, point, color)
    return after
