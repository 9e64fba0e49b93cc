"""Life and death: the status of every chain, by proof (`go.scoring`), else by playouts and reading.

Playouts estimate the owner of each point. They do not recognise seki, where neither side gains by a play, so seki is
tested by reading, and so is the capture of chains whose playouts are undecided.
"""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

from ..go import board as bd
from ..go import scoring
from ..go.board import Board
from ..go.rules import PRESETS
from ..go.scoring import Status, Statuses
from ..go.vertex import BLACK, EMPTY, WHITE, opponent
from ..jit.warmup import LONGEST, loaded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PLAYOUTS: Final = 200
"""Number of playouts for each colour to move first."""
SURE: Final = 0.8
"""Least absolute mean owner, 0 to 1, of a chain or region that counts as settled."""
FREE: Final = 4
"""Liberties from which a chain counts as not capturable."""
READ: Final = 200
"""Maximum number of positions visited when reading one chain."""
DEEP: Final = 12
"""Depth limit of reading, in plies; it ends lines with ko."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """Result of `assess`."""

    statuses: Statuses
    owners: NDArray[np.float64]
    """Mean owner of each cell, -1 (White) to 1 (Black)."""


def statuses(board: Board, stop: threading.Event | None = None) -> Statuses:
    """Return the status of every chain; deterministic. CancelledError: `stop` was set before they were found."""
    proven = scoring.all_proven(board)
    return assess(board, stop).statuses if proven is None else proven


def loaded_statuses(board: Board, stop: threading.Event | None = None) -> Statuses:
    """Return the same, and first load the search, or compile it; outside a session, which loads it at its start."""
    loaded().completed(LONGEST)
    return statuses(board, stop)


def assess(board: Board, stop: threading.Event | None = None) -> Assessment:
    """Find the status of every chain of a position. CancelledError: see `statuses`."""
    known, fate, owners, unsure = _classified(board, stop)
    for p in unsure:
        _check(stop)
        known[p] = Status.DEAD if _is_taken(board, p, fate) or fate[p] < 0 else Status.ALIVE
    return Assessment(known, owners)


def settled(board: Board) -> Assessment | None:
    """Return the result of `assess` if no chain is unsure; else None, in less time."""
    known, _, owners, unsure = _classified(board)
    return None if unsure else Assessment(known, owners)


def _check(stop: threading.Event | None) -> None:
    """CancelledError: the event is set."""
    if stop is not None and stop.is_set():
        raise CancelledError("stopped before the dead stones were known")


def _classified(
    board: Board, stop: threading.Event | None = None
) -> tuple[dict[int, Status], dict[int, float], NDArray[np.float64], set[int]]:
    """Return the statuses, all fates, the owners of the cells, and the unsure chains, which have no status.

    A chain is unsure if it is neither proven nor settled by playouts nor in seki.
    """
    _check(stop)
    owners = _owners(board)
    known = scoring.proven(board)
    fate = {p: _fate(board, p, owners) for p in bd.chains(board)}
    known |= dict.fromkeys(_seki(board, [p for p in fate if p not in known], fate, stop), Status.SEKI)
    rest = [p for p in fate if p not in known]
    unsure = {p for p in rest if abs(fate[p]) < SURE}
    known |= {p: Status.DEAD if fate[p] < 0 else Status.ALIVE for p in rest if p not in unsure}
    return known, fate, owners, unsure


def _owners(board: Board) -> NDArray[np.float64]:
    """Estimate the owner of each cell by playouts, the mean over both colours to move first.

    The same stones have the same estimate, however they came to their points.
    """
    from ..playout.ownership import owners

    board = bd.from_colors(board.width, board.height, bd.colors(board))
    rules = PRESETS["chinese"]
    black_first, white_first = (owners(board, rules, 0.0, color, PLAYOUTS, seed=color) for color in (BLACK, WHITE))
    mean: NDArray[np.float64] = (black_first + white_first) / 2
    return mean


def _fate(board: Board, p: int, owners: NDArray[np.float64]) -> float:
    """Return the mean owner of a chain's stones: -1 (always captured) to 1 (never)."""
    stones = bd.stones(board, p)
    sign = 1 if board.color[p] == BLACK else -1
    return sign * sum(float(owners[q]) for q in stones) / len(stones)


def _is_taken(board: Board, p: int, fate: dict[int, float]) -> bool:
    """Whether a chain is captured with either colour to move first, and an opposing neighbour of it survives."""
    if not any(fate[q] > 0 for q in _opponents(board, p)):
        return False
    return is_caught(board, p) and can_capture(board, p)


def _opponents(board: Board, p: int) -> set[int]:
    """Return the opposing chains beside a chain, by their lowest points."""
    other = opponent(int(board.color[p]))
    beside = {q for stone in bd.stones(board, p) for q in bd.neighbors(board, stone) if board.color[q] == other}
    return {bd.stones(board, q)[0] for q in beside}


def _seki(board: Board, candidates: list[int], fate: dict[int, float], stop: threading.Event | None) -> set[int]:
    """Return the candidates in seki: they share liberties with the other colour and have at most one more, an eye.

    Not capturable, no play on a shared liberty gains a liberty, nor does the capture of a neighbour that is not in
    seki; greatest fixed point.
    """
    liberties = {p: set(bd.liberties(board, p)) for p in candidates}
    color_of = {p: int(board.color[p]) for p in candidates}
    held = cache(lambda p: holds(board, p))
    capturable = cache(lambda p: {q for q in _opponents(board, p) if fate[q] <= -SURE or can_capture(board, q)})
    staying = {p for p in candidates if len(liberties[p]) < FREE}
    while True:
        _check(stop)
        around = {c: {q for p in staying if color_of[p] == c for q in liberties[p]} for c in (BLACK, WHITE)}
        shared, inside = around[BLACK] & around[WHITE], around[BLACK] | around[WHITE]
        useless = {q for q in shared if all(_gains_nothing(board, q, color, inside) for color in (BLACK, WHITE))}
        kept = {
            p
            for p in staying
            if liberties[p] & useless and _has_only_an_eye(board, liberties[p] - useless, color_of[p], inside)
        }
        if kept == staying:
            kept = {p for p in staying if capturable(p) <= staying and held(p)}  # last, because reading is slow
        if kept == staying:
            return staying
        staying = kept


def _gains_nothing(board: Board, point: int, color: int, inside: set[int]) -> bool:
    """Whether a play has no liberty except those inside, or can be captured, or is not legal."""
    after = _after(board, point, color)
    return after is None or inside.issuperset(bd.liberties(after, point)) or can_capture(after, point)


def _has_only_an_eye(board: Board, points: set[int], color: int, inside: set[int]) -> bool:
    """Whether there is at most one point, an eye: among own stones, and no connection to others."""
    return len(points) < 2 and all(
        all(board.color[q] == color for q in bd.neighbors(board, p)) and _gains_nothing(board, p, color, inside)
        for p in points
    )


# --- Reading captures ---


@dataclass(slots=True)
class _Reading:
    """A depth-first search for the capture of one chain, with its cache and budget."""

    chain: int
    left: int = READ
    """Positions that may still be visited."""
    cut: bool = False
    """The result of positions where reading is cut off. With True, a result False is proven; else a result True is."""
    known: dict[tuple[bytes, bool], bool] = field(default_factory=dict)
    """Results by position and whether the attacker is to move."""

    def is_captured(self, board: Board, attacking: bool, plies: int = DEEP) -> bool:
        """Whether the chain is captured, its attacker or its owner to move; `cut` if the budget is too small."""
        if not attacking and len(bd.liberties(board, self.chain)) >= FREE:
            return False
        key = bd.colors(board), attacking
        if key not in self.known:
            self.left -= 1
            if self.left < 0 or plies < 0:
                return self.cut
            self.known[key] = (self._attack if attacking else self._fails)(board, plies - 1)
        return self.known[key]

    def _attack(self, board: Board, plies: int) -> bool:
        """Whether the attacker, to move, captures the chain by a play on one of its liberties."""
        attacker = opponent(int(board.color[self.chain]))
        liberties = bd.liberties(board, self.chain)
        if len(liberties) == 1:
            return _after(board, liberties[0], attacker) is not None
        if len(liberties) >= FREE:
            return False
        plays = (_after(board, point, attacker) for point in liberties)
        return any(after is not None and self.is_captured(after, False, plies) for after in plays)

    def _fails(self, board: Board, plies: int) -> bool:
        """Whether every defence of the owner, to move, fails: capture of an attacker, extension, play elsewhere."""
        color = int(board.color[self.chain])
        liberties = bd.liberties(board, self.chain)
        around = {q for stone in bd.stones(board, self.chain) for q in bd.neighbors(board, stone)}
        attackers = [q for q in around if board.color[q] == opponent(color) and bd.in_atari(board, q)]
        for point in dict.fromkeys([*(bd.last_liberty(board, q) for q in attackers), *liberties]):
            after = _after(board, point, color)
            if after is not None and not self.is_captured(after, True, plies):
                return False
        return len(liberties) == 1 or self.is_captured(board, True, plies)


def can_capture(board: Board, p: int) -> bool:
    """Whether the opponent, to move, captures the chain at p by plays on its liberties; False if reading is cut off."""
    return _Reading(p).is_captured(board, attacking=True)


def is_caught(board: Board, p: int) -> bool:
    """Whether the chain at p is captured as in `can_capture` even if its owner moves first; False if cut off."""
    return _Reading(p).is_captured(board, attacking=False)


def holds(board: Board, p: int) -> bool:
    """Whether reading proves that the opponent, to move, does not capture the chain at p by plays on its liberties."""
    return not _Reading(p, cut=True).is_captured(board, attacking=True)


def _after(board: Board, point: int, color: int) -> Board | None:
    """Return the board after a play; None if it is not legal."""
    if board.color[point] != EMPTY or point == board.ko or not bd.is_legal(board, point, color, False):
        return None
    return bd.after(board, point, color)
