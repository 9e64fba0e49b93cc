"""Writing of proof files for `gtp-capture solve`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..go.game import Game
from ..go.vertex import BLACK, COLOR_NAMES, WHITE
from .positions import Unusable, stones
from .progress import counting

if TYPE_CHECKING:
    from ..solver.solver import Solver


def write_proof(solver: Solver, game: Game, winner: int, path: Path, most: int | None, quiet: bool) -> None:
    """Write the proof of a solved position, in parts of at most `most` choices if given, and print its size.

    Unusable: a file cannot be written, or the table came from a wrong checkpoint.
    """
    from ..solver.proofs import writer
    from ..solver.proofs.format import INFERENCES, ProofError, create_proof
    from ..solver.proofs.manifest import PART_INFERENCES
    from ..solver.proofs.parts_writer import Progress, write_parts

    claim = {
        "width": game.width, "height": game.height, "rules": str(game.rules),
        **{COLOR_NAMES[c]: [game.vertex(p) for p in stones(game, c)] for c in (BLACK, WHITE)},
        "to_move": COLOR_NAMES[game.to_move], "winner": COLOR_NAMES[winner],
        "inferences": INFERENCES if most is None else PART_INFERENCES,
    }  # fmt: skip
    choices, written, before = 0, Progress(0, 0, 0), solver.nodes
    try:
        with counting("choices") as count:
            if most is None:
                with create_proof(path, claim) as file:
                    for choices in writer.write_proof(solver, game.board, game.to_move, winner, file):
                        count(choices)
            else:
                for written in write_parts(solver, game, winner, path, claim, most):
                    count(written.choices)
    except OSError as error:
        raise Unusable(f"the proof cannot be written: {error.strerror}") from None
    except ProofError as error:  # the table came from a wrong checkpoint
        raise Unusable(f"there is no proof: {error}") from None
    if quiet:
        return
    in_parts = ""
    size = path.stat().st_size
    if most is not None:
        choices, in_parts, size = written.choices, f" in {written.parts} parts", written.bytes
    click.echo(f"{path}: {choices} choices{in_parts}, {size} bytes; {solver.nodes - before} nodes were searched again")
