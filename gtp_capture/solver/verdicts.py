"""The decided positions of a trunk as numbers for the tables of workers, so that they need not be searched again."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..go.vertex import BLACK
from .bitboard import SYMMETRIES
from .journal import COLUMNS
from .result import UNKNOWN, WIN
from .table import INFINITE, salt
from .trunk import Trunk

NODES: Final = 1 << 20
"""The nodes that each is said to have cost: so many that it stays in a table that is full."""
MOST: Final = 1 << 17
"""Positions, those nearest to the root; 5 MiB."""


def verdicts(trunk: Trunk, zobrist: Any) -> Any:
    """Return the decided positions of a trunk as rows for `journal.store_all` [positions, 5], at most MOST.

    `zobrist`: the keys of its board, see `bitboard`.
    """
    decided = [node for node in trunk.positions.values() if node.result != UNKNOWN]
    nodes = sorted(decided, key=lambda node: node.key.bit_count())[:MOST]
    stones = np.array([trunk.stones(node) for node in nodes], object).reshape(-1, 2)  # integers of any size
    hashes = np.zeros((len(nodes), 2 * SYMMETRIES), np.uint64)
    for side in range(2):
        for i in range(trunk.width * trunk.height):
            hashes[stones[:, side] >> i & 1 == 1] ^= zobrist.keys[side, i]
    every, least = np.arange(len(nodes)), hashes[:, :SYMMETRIES].argmin(axis=1)
    salts = np.array([salt(trunk.to_move(node) - BLACK, 0, 0) for node in nodes], np.uint64)
    rows = np.zeros((len(nodes), COLUMNS), np.uint64)
    rows[:, 0], rows[:, 1] = hashes[every, least] ^ salts, hashes[every, SYMMETRIES + least] ^ salts
    won = np.array([node.result == WIN for node in nodes], bool)
    rows[:, 2], rows[:, 3], rows[:, 4] = np.where(won, 0, INFINITE), np.where(won, INFINITE, 0), NODES
    return rows
