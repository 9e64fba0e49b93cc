"""gtp-capture bench: how fast the search is here, and a signature that no refactoring may change."""

from __future__ import annotations

import hashlib
import time

import click

from .. import board as bd
from ..game import Game
from ..vertex import BLACK

PLAYOUTS = 20_000
SIZE = 9


@click.command()
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="What the signature depends on.")
def bench(seed: int) -> None:
    """Measure playouts per second on 9x9; the last line is a signature of the moves and node counts found."""
    from ..search import playout, speed, uct

    game = Game(width=SIZE)
    rules = playout.rules_record(game.rules, game.komi)
    state = playout.rng(seed)
    work = bd.copy(game.board)
    started = time.perf_counter()
    black, plays = speed.uniform_playouts(game.board, work, rules, state, BLACK, PLAYOUTS)
    seconds = time.perf_counter() - started
    click.echo(f"uniform playouts on {SIZE}x{SIZE}: {PLAYOUTS / seconds:.0f}/s, {plays / PLAYOUTS:.2f} plays each")
    moves = game.legal_plays()
    nodes = uct.new_tree(moves)
    started = time.perf_counter()
    used = uct.search(nodes, 1 + len(moves), game.board, work, rules, state, BLACK, 0, PLAYOUTS)
    seconds = time.perf_counter() - started
    click.echo(f"uct on {SIZE}x{SIZE}: {PLAYOUTS / seconds:.0f} playouts/s, {used} nodes")
    visits = [int(node.visits) for node in nodes[1 : 1 + len(moves)]]
    digest = hashlib.sha256(repr((black, plays, used, visits)).encode()).hexdigest()
    click.echo(f"signature {digest[:16]}")
