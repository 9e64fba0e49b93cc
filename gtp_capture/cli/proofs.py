"""Writing of proof files for `gtp-capture solve`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..go import board as bd
from ..go.game import Game
from ..go.vertex import BLACK, COLOR_NAMES, WHITE
from .options import Unusable
from .progress import counting

if TYPE_CHECKING:
    from ..solver.proofs.parts_writer import Crew
    from ..solver.solver import Solver


class Target(NamedTuple):
    """Where and how a proof is written."""

    path: Path
    most: int | None = None
    """Choices of a part; None for a proof in one file."""
    crew: Crew | None = None
    """Workers that write the parts; None if this process does."""


def write_proof(solver: Solver, game: Game, winner: int, target: Target, quiet: bool) -> None:
    """Write the proof of a solved position, and print its size.

    Unusable: a file cannot be written, or the table came from a wrong checkpoint. For errors of workers see
    `write_parts_in_workers`.
    """
    from ..solver.proofs import writer
    from ..solver.proofs.format import INFERENCES, ProofError, create_proof
    from ..solver.proofs.manifest import PART_INFERENCES
    from ..solver.proofs.parts import Parts
    from ..solver.proofs.parts_writer import write_parts, write_parts_in_workers

    path, most = target.path, target.most
    claim = claim_of(game, winner, INFERENCES if most is None else PART_INFERENCES)
    choices, in_parts, before = 0, "", solver.nodes
    try:
        with counting("choices") as count:
            if most is None:
                with create_proof(path, claim) as file:
                    for choices in writer.write_proof(solver, game.board, game.to_move, winner, file):
                        count(choices)
                size, nodes = path.stat().st_size, solver.nodes - before
            else:
                parts = Parts(solver, game, winner, path, most)
                parts.watch = lambda choices: count(choices, f"{parts.count} parts")
                if target.crew is None:
                    write_parts(parts, solver)
                else:
                    write_parts_in_workers(parts, target.crew)
                parts.finish(claim)
                choices, in_parts = parts.choices, f" in {parts.count} parts"
                size, nodes = parts.bytes, parts.nodes
    except OSError as error:
        raise Unusable(f"the proof cannot be written: {error.strerror}") from None
    except ProofError as error:  # the table came from a wrong checkpoint
        raise Unusable(f"there is no proof: {error}") from None
    if not quiet:
        click.echo(f"{path}: {choices} choices{in_parts}, {size} bytes; {nodes} nodes were searched again")


def claim_of(game: Game, winner: int, inferences: Sequence[str]) -> dict[str, Any]:
    """Return the claim of a proof, see `format`."""
    return {
        "width": game.width, "height": game.height, "rules": str(game.rules),
        **{COLOR_NAMES[c]: [game.vertex(p) for p in bd.stones_of(game.board, c)] for c in (BLACK, WHITE)},
        "to_move": COLOR_NAMES[game.to_move], "winner": COLOR_NAMES[winner], "inferences": inferences,
    }  # fmt: skip
