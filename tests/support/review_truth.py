"""Checks of reviewed SGF: every mark is compared with a separate solver, which has a table of its own and no book.

The file is read by sgfmill.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from sgfmill import sgf as sgfmill_sgf

from gtp_capture import Game
from gtp_capture.go.vertex import BLACK, WHITE, opponent, point_at
from gtp_capture.solver.result import LOSS, UNKNOWN, WIN
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit

MEMORY: Final = 256 * 2**20
MARKS: Final = ("BM", "DO", "IT", "TE")
POSITIONS: Final = ("DM", "GB", "GW", "UC")
DECIDING: Final = re.compile(r"^Deciding mistake: move (\d+), (?:Black|White) \S+\.$", re.MULTILINE)


class Truth:
    """Exact results of first capture on one board size."""

    def __init__(self, width: int, height: int, seconds: float | None = None) -> None:
        """`seconds`: longest time for a position; None for no limit."""
        self._solver = Solver(width, height, MEMORY)
        self._seconds = seconds

    def winner(self, game: Game, color: int | None = None) -> int | None:
        """Return the winner with a colour to move (default: the one whose turn it is); None if it takes too long."""
        if game.outcome is not None:
            return None if game.outcome.winner is None else int(game.outcome.winner)
        color = color or int(game.to_move)
        value = self._solver.value(game.board, color, Limit(self._seconds).begin())
        return {WIN: color, LOSS: opponent(color), UNKNOWN: None}[value]

    def after(self, game: Game, play: int) -> int | None:
        """Return the winner after a play of the colour to move."""
        game.play_point(play)
        try:
            return self.winner(game)
        finally:
            game.undo()


@dataclass
class Findings:
    """The counts of a check, and its complaints."""

    counts: Counter[str] = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)

    def note(self, kind: str, right: bool | None, where: str) -> None:
        """Count a statement of a kind: right, false, or None if the truth is not known."""
        if right:
            self.counts[kind] += 1
        else:
            self.counts[f"{'unchecked' if right is None else 'false'} {kind}"] += 1
            self.complaints.append(f"{'unchecked' if right is None else 'false'} {kind}: {where}")


def check_review(data: bytes, game: Game, truth: Truth) -> Findings:
    """Check all marks of a reviewed game, those in its variations too, against the truth about its positions.

    Turning points without BM[2] are counted as `unmarked turning point`, with the complaint `move N`.
    """
    root = sgfmill_sgf.Sgf_game.from_bytes(data).get_root()
    findings = Findings()
    winners = [truth.winner(game.copy(plies)) for plies in range(len(game.moves), -1, -1)][::-1]
    number, node = 0, root
    while True:
        _check_position(findings, node, winners[number], f"after move {number}")
        if not len(node):
            break
        for variation in node[1:]:
            _check_variation(findings, variation, game.copy(number), truth)
        node = node[0]
        number += 1
        _check_move(findings, node, game.copy(number - 1), game.moves[number - 1].point, truth, winners[number])
    deciding = DECIDING.search(root.get("C")) if root.has_property("C") else None
    if deciding is not None:
        turns = [n for n in range(1, len(winners)) if winners[n] != winners[n - 1]]
        findings.note("deciding mistake", turns[-1:] == [int(deciding[1])], f"move {deciding[1]}, not {turns[-1:]}")
    return findings


def exclusive(node: Any) -> bool:
    """Whether a node has at most one mark of each group, as FF[4] demands, and marks of moves only with a move."""
    marks = [name for name in MARKS if node.has_property(name)]
    positions = [name for name in POSITIONS if node.has_property(name)]
    return len(marks) <= 1 and len(positions) <= 1 and (not marks or node.get_move()[0] is not None)


def _check_position(findings: Findings, node: Any, winner: int | None, where: str) -> None:
    assert exclusive(node), where
    for name, color in (("GB", BLACK), ("GW", WHITE)):
        if node.has_property(name):
            findings.note("GB or GW", None if winner is None else winner == color, f"{name} {where}")
    value = node.get("SBKV") if node.has_property("SBKV") else None
    if value in ("0", "100"):
        expected = BLACK if value == "100" else WHITE
        findings.note("SBKV of 0 or 100", None if winner is None else winner == expected, f"{value} {where}")


def _check_move(
    findings: Findings, node: Any, before: Game, point: int, truth: Truth, winner_after: int | None
) -> None:
    """Check the marks of a move; `before` is the game in the position before it."""
    mover, where = int(before.to_move), f"move {len(before.moves) + 1}"
    winner = truth.winner(before)
    unknown = None in (winner, winner_after)
    turns = winner == mover and winner_after == opponent(mover)
    if node.has_property("BM") and node.get("BM") == 2:
        findings.note("BM[2]", None if unknown else turns, where)
    elif turns:
        findings.note("marked turning point", False, where)
    if (node.has_property("BM") and node.get("BM") == 1) or node.has_property("DO"):
        findings.note("BM[1] or DO in a position that is not lost", None if winner is None else winner == mover, where)
    if node.has_property("TE"):
        others = [truth.after(before, play) for play in before.legal_plays() if play != point]
        right = winner_after == mover and all(other == opponent(mover) for other in others)
        findings.note("TE", None if None in others else right, where)


def _check_variation(findings: Findings, node: Any, game: Game, truth: Truth) -> None:
    """Check a variation from its first move on; `game` is the position before it."""
    while True:
        row, column = node.get_move()[1]
        game.play_point(point_at(column, row, game.width))
        _check_position(findings, node, truth.winner(game), f"variation after move {len(game.moves) - 1}")
        if not len(node):
            return
        node = node[0]
