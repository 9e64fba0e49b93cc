"""gtp-capture bench: the speed of the search on this machine, and a signature of its results.

Refactoring must not change the signature.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict

import click

from ..go.vertex import MAX_SIDE, MIN_SIDE
from .options import finite, refuse_before_subcommand
from .progress import waiting

PLAYOUTS = 20_000
SECONDS = 0.5

seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of all random choices."
)


@click.group(invoke_without_command=True)
@seed_option
@click.pass_context
def bench(context: click.Context, /, seed: int) -> None:
    """Measure playouts per second on 9x9; the last line is a signature of the search results."""
    if context.invoked_subcommand is not None:
        refuse_before_subcommand(context)
        return
    from ..search import bench as benchmarks

    for policy in ("uniform", "tactical"):
        with waiting(f"{policy} playouts"):
            found = benchmarks.measure_playouts(benchmarks.SIZE, policy, SECONDS, seed)
        click.echo(f"{policy} playouts: {found.playouts_per_second:.0f}/s, {found.moves_per_playout:.2f} plays each")
    with waiting("searches"):
        searches = {
            "uct": benchmarks.measure_uct(PLAYOUTS, seed),
            "mcts": benchmarks.measure_mcts(PLAYOUTS, seed),
        }
    for name, measured in searches.items():
        click.echo(f"{name}: {measured.playouts_per_second:.0f} playouts/s, {measured.nodes} nodes")
    signed = [(measured.nodes, measured.visits) for measured in searches.values()]
    click.echo(f"signature {hashlib.sha256(repr(signed).encode()).hexdigest()[:16]}")


@bench.command()
@click.option(
    "--size", type=click.IntRange(MIN_SIDE, MAX_SIDE), default=9, show_default=True, help="Side of the board."
)
@click.option(
    "--policy",
    type=click.Choice(["uniform", "tactical"]),
    default="uniform",
    show_default=True,
    help="How a playout chooses its plays.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, max=3600),
    callback=finite,
    default=3.0,
    show_default=True,
    help="Time to measure.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@seed_option
def playouts(size: int, policy: str, seconds: float, as_json: bool, seed: int) -> None:
    """Measure playouts of first capture from the empty board on one core, without a search."""
    from ..search import bench as benchmarks

    with waiting(f"{policy} playouts"):
        found = benchmarks.measure_playouts(size, policy, seconds, seed)
    if as_json:
        click.echo(json.dumps(asdict(found)))
    else:
        click.echo(
            f"{policy} playouts on {size}x{size}: {found.playouts_per_second:.0f}/s, "
            f"{found.moves_per_playout:.2f} plays each, Black wins {found.black_wins:.2%}"
        )
