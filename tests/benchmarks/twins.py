"""Count the nodes that a transposition table for the search tree could save: python -m tests.benchmarks.twins.

The share of expanded nodes of a search on 9x9 whose position occurs in another one, exactly or by symmetry.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from gtp_capture.go import board as bd
from gtp_capture.go.game import Game
from gtp_capture.go.symmetry import symmetries
from gtp_capture.jit.records import Turn, rules_record
from gtp_capture.search.mcts import ROOT, Tree
from gtp_capture.util.limit import Limit

from .threads import OPENING

SIZE = 9
MEMORY = 400 * 2**20


def grown(tree: Any, node: int, stones: frozenset[tuple[int, int]], color: int) -> list[frozenset[tuple[int, int]]]:
    """Return the stones of each expanded node below a node."""
    found, work = [], [(node, stones, color)]
    while work:
        node, stones, color = work.pop()
        candidates = tree.candidates(node)
        if candidates:
            found.append(stones)
        for candidate in candidates:
            if candidate.visits:
                child = tree.child(node, candidate.move)
                work.append((child, stones | {(color, candidate.move)}, 3 - color))
    return found


def main() -> None:
    """Print a line for each opening and number of playouts."""
    for opening in ("", OPENING):
        game = Game("first-capture", SIZE)
        for vertex in opening.split():
            game.play_point(game.point(vertex))
        index = {p: i for i, p in enumerate(bd.points(game.board))}
        before = frozenset((int(game.board.color[p]), p) for p in index if game.board.color[p])
        turns = [{p: image.index(i) for p, i in index.items()} for image in symmetries(SIZE, SIZE)]
        for playouts in (5_000, 25_000, 150_000):
            tree = Tree(MEMORY, 1, 1)
            near = game.last_move.point if game.last_move else 0
            turn = Turn(game.board, rules_record(game.rules, 0.0), game.to_move, near)
            tree.search(ROOT, turn, game.legal_plays(), Limit(playouts=playouts).begin())
            nodes = grown(tree, ROOT, before, game.to_move)
            equal = Counter(nodes)
            turned = Counter(
                min(tuple(sorted((c, image[p]) for c, p in stones)) for image in turns) for stones in nodes
            )
            twins = [sum(n for n in counts.values() if n > 1) / len(nodes) for counts in (equal, turned)]
            print(
                f"{opening or 'empty board'}, {playouts:,} playouts: {len(nodes):,} nodes grown, "
                f"{twins[0]:.1%} with an equal one, {twins[1]:.1%} with one that is equal when turned",
                flush=True,
            )


if __name__ == "__main__":
    main()
