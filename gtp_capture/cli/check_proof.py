"""gtp-capture check-proof: verify a proof by the rules alone."""

from __future__ import annotations

import time
from pathlib import Path

import click

from ..go.words import counted
from ..solver.proofs.files import check_file
from ..solver.proofs.format import ProofError
from ..util.files import RequestError, UnreadableError
from ..util.memory import MEBIBYTE
from .progress import counting


@click.command(
    help="""Verify a proof by the rules alone; exit code 2 if it fails.

    FILE is a proof that `solve --proof` has written.
    """,
)
@click.argument("file", type=click.Path(readable=False, path_type=Path))
@click.option("--memory", type=click.IntRange(1, 1_000_000), default=4096, help="Maximum MiB.")
def check_proof(file: Path, memory: int) -> None:
    began = time.monotonic()
    try:
        with counting("choices") as count:
            proof = check_file(file, memory * MEBIBYTE, count=count)
    except UnreadableError as error:
        raise RequestError(f"{file}: {error}") from None
    except ProofError as error:
        raise RequestError(f"the proof fails: {error}") from None
    except MemoryError as error:
        raise RequestError(f"the proof was not checked: {error or 'not enough memory'}") from None
    game, counts = proof.game, proof.counts
    click.echo(
        f"the proof holds: {game.rules}, {game.width}x{game.height}, {game.to_move} to move: "
        f"{proof.winner} wins; {counted(counts.choices, 'choice')}, "
        f"{counted(counts.replies, 'reply', 'replies')}, {counted(counts.captures, 'capture')}, "
        f"{time.monotonic() - began:.1f} s"
    )
