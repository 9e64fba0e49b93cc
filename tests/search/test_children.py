"""The children of a node: no play is left out that wins, by brute force and by all plays tried by definition."""

from __future__ import annotations

import numpy as np

from gtp_capture.go.rules import Rules
from gtp_capture.jit.records import Turn, rules_record
from gtp_capture.playout.static import NO_DEFENCE, QUIET, forced_anywhere
from gtp_capture.search.children import add_tactical_children
from gtp_capture.search.kernel import new_worker
from gtp_capture.search.nodes import new_nodes
from gtp_capture.search.parameters import FIRST_CAPTURE

from ..support.brute_force import wins
from ..support.small_positions import Position, indices, random_positions


def points(position: Position, color: int) -> frozenset[tuple[int, int]]:
    return frozenset(divmod(index, position.width)[::-1] for index in indices(position.stones(color)))


def wins_after(position: Position) -> bool:
    """Whether the side that has just moved wins by force."""
    own, opp = points(position, position.color), points(position, 3 - position.color)
    return not wins(own, opp, position.width, position.height)


def test_plays_that_lose_by_force_alone_are_left_out_where_the_next_capture_wins() -> None:
    rules, worker, nodes = rules_record(Rules.parse("first-capture"), 0.0), new_worker(1, 0), new_nodes(60)
    left_out = kept = forced_plays = 0
    for position in random_positions(8, 250, 4, 3):
        board, color = position.board, position.color
        forced = forced_anywhere(board, color)
        if position.captured(color) or forced == NO_DEFENCE:
            continue
        worker.arena.next = 1
        end = add_tactical_children(nodes, Turn(board, rules, color), forced, FIRST_CAPTURE, worker)
        children = {position.index_of(int(p)) for p in nodes.move[1:end]}
        safe = position.safe()
        assert children <= safe.keys()
        if forced != QUIET:
            forced_plays += 1
            assert children == safe.keys()
        for index in safe.keys() - children:
            left_out += 1
            assert not wins_after(safe[index]), (position, index)
        kept += len(children)
    assert min(left_out, kept, forced_plays) > 10
    assert np.all(nodes.visits == 0)
