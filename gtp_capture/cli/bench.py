"""gtp-capture bench: the speed of the search and of the solver on this machine, and a signature of their results.

Refactoring must not change the signature.
"""

from __future__ import annotations

import hashlib
import time
from typing import Any

import click

from ..go.game import Game
from ..go.vertex import BLACK
from ..util.limit import Limit
from ..util.memory import MEBIBYTE
from .progress import waiting

PLAYOUTS = 20_000
SIZE = 9
MEMORY = 128 * MEBIBYTE
SOLVED = {5: "B2", 8: "D4 E4 E5 D5 C4 C5 B4 E8"}
"""The plays before the position that is solved, by the side of the board. The learned order is used on 8x8 only."""


@click.command(
    help="Measure the search of first capture and of Go on 9x9, and the solver; the last line signs their results.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, help="Seed of all random choices.")
def bench(seed: int) -> None:
    results: list[Any] = []
    for rules in ("first-capture", "tromp-taylor"):
        with waiting(f"search, {rules}"):
            speed, nodes, visits = measure_search(rules, seed)
        results.append((nodes, visits))
        click.echo(f"mcts, {rules}: {speed:.0f} playouts/s, {nodes} nodes")
    for side, plays in SOLVED.items():
        with waiting("solver"):
            speed, nodes = measure_solver(side, plays)
        results.append(nodes)
        click.echo(f"solver, {side}x{side}: {speed:.0f} nodes/s, {nodes} nodes")
    click.echo(f"signature {hashlib.sha256(repr(results).encode()).hexdigest()[:16]}")


def measure_search(rules: str, seed: int) -> tuple[float, int, tuple[int, ...]]:
    """Search the empty board with one thread.

    Return the playouts per second, the number of nodes, and the visits of the plays.
    """
    from ..jit.records import Turn, rules_record
    from ..search import mcts

    game = Game(rules, SIZE)
    turn = Turn(game.board, rules_record(game.rules, game.komi), BLACK)
    tree = mcts.Tree(MEMORY, 1, seed)
    began = time.perf_counter()
    done = tree.search(mcts.ROOT, turn, game.legal_plays(), Limit(playouts=PLAYOUTS).begin())
    elapsed = time.perf_counter() - began
    visits = sorted((c.move, c.visits) for c in tree.candidates(mcts.ROOT))
    return done / elapsed, tree.size, tuple(count for _, count in visits)


def measure_solver(side: int, plays: str) -> tuple[float, int]:
    """Solve the position after these plays. Return the nodes per second, and the number of nodes."""
    from ..solver.solver import Solver

    game = Game("first-capture", side)
    for vertex in plays.split():
        game.play(vertex)
    solver = Solver(side, side, MEMORY)
    began = time.perf_counter()
    solver.value(game.board, int(game.to_move), Limit().begin())
    return solver.nodes / (time.perf_counter() - began), solver.nodes
