"""gtp-capture check-proof: a proof of the solver's, verified by the rules alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ..game import Game
from ..rules import Passing, Rules
from ..vertex import COLOR_NAMES, parse_color
from .positions import Unusable
from .solve import MEBIBYTE, counting


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--memory", type=click.IntRange(1, 1_000_000), default=4096, show_default=True, help="MiB, at most.")
@click.option("--write-book", type=click.Path(dir_okay=False, path_type=Path), help="Make a book of its openings.")
@click.option("--turns", type=click.IntRange(min=1), default=5, show_default=True, help="Of the winner, in the book.")
def check_proof(file: Path, memory: int, write_book: Path | None, turns: int) -> None:
    """Verify a proof by the rules alone; exit code 2 if it fails."""
    from ..search import check, proof_file

    began = time.monotonic()
    lines: list[str] = []
    keep: Callable[[Any], None] | None = None
    try:
        claim, chunks = proof_file.read(file)
        game, winner = _claimed(claim)
        positions = 0
        if write_book is not None:
            from ..search import book_writer  # with the solver, which a check does without

            def keep(kept: Any) -> None:
                lines.extend(book_writer.lines_of_proof(kept, game.width, game.height, winner))

        with counting("positions") as count:
            for positions in check.check(game.board, game.to_move, winner, chunks, memory * MEBIBYTE, keep, turns):
                count(positions)
    except (ValueError, KeyError, TypeError) as error:
        raise Unusable(f"the proof fails: {error}") from None
    except OSError as error:
        raise Unusable(f"{file.name} cannot be read: {error.strerror or error}") from None
    click.echo(
        f"the proof holds: {claim['rules']}, {game.width}x{game.height}, {COLOR_NAMES[game.to_move]} to move: "
        f"{COLOR_NAMES[winner]} wins; {positions} choices, {time.monotonic() - began:.1f} s"
    )
    if write_book is not None:
        try:
            positions = max(book_writer.write(write_book, lines), default=0)
        except OSError as error:
            raise Unusable(f"the book cannot be written: {error.strerror}") from None
        click.echo(f"{write_book}: {positions} positions, {write_book.stat().st_size} bytes")


def _claimed(claim: dict[str, Any]) -> tuple[Game, int]:
    rules = Rules.parse(claim["rules"])
    if rules.captures != 1 or rules.passing is Passing.FREE:
        raise ValueError(f"{claim['rules']} is not first capture")
    game = Game(rules, int(claim["width"]), int(claim["height"]))
    stones = [[game.point(str(vertex)) for vertex in claim[color]] for color in ("black", "white")]
    game.setup(stones[0], stones[1], parse_color(claim["to_move"]))
    return game, parse_color(claim["winner"])
