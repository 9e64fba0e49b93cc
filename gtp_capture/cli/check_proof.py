"""gtp-capture check-proof: verify a proof file by the rules alone."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

import click

from ..go.game import Game
from ..go.rules import Rules
from ..go.vertex import COLOR_NAMES, parse_color
from ..solver.proofs.format import INFERENCES, read_proof
from ..util.files import UnreadableError
from ..util.memory import MEBIBYTE
from .positions import Unusable
from .progress import counting

FIELDS: Final = {
    "width": int, "height": int, "rules": str, "black": list, "white": list, "to_move": str, "winner": str,
    "inferences": list,
}  # fmt: skip


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--memory", type=click.IntRange(1, 1_000_000), default=4096, show_default=True, help="Maximum MiB.")
@click.option(
    "--write-book",
    "book",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a book of the proof's first turns.",
)
@click.option(
    "--turns", type=click.IntRange(min=1), default=5, show_default=True, help="Turns of the winner in the book."
)
def check_proof(file: Path, memory: int, book: Path | None, turns: int) -> None:
    """Verify a proof by the rules alone; exit code 2 if it fails."""
    from ..solver.proofs.checker import Counts, Keep, verify

    began = time.monotonic()
    lines: list[str] = []
    keep: Keep | None = None
    try:
        claim, chunks = read_proof(file)
        game, winner = _claimed(claim)
        counts = Counts(0, 0, 0)
        if book is not None:
            # Imported here, because a check without a book does not need the solver.
            from ..solver.book.writer import lines_of_proof, write_book

            def take(kept: Any) -> None:
                lines.extend(lines_of_proof(kept, game.width, game.height, winner))

            keep = Keep(take, turns)
        with counting("choices") as count:
            for counts in verify(game.board, game.to_move, winner, chunks, memory * MEBIBYTE, keep):
                count(counts.choices)
    except UnreadableError as error:
        raise Unusable(f"{file}: {error}") from None
    except ValueError as error:
        raise Unusable(f"the proof fails: {error}") from None
    except MemoryError:
        raise Unusable("not enough memory") from None
    click.echo(
        f"the proof holds: {claim['rules']}, {game.width}x{game.height}, {COLOR_NAMES[game.to_move]} to move: "
        f"{COLOR_NAMES[winner]} wins; {counts.choices} choices, {counts.replies} replies, {counts.captures} captures, "
        f"{time.monotonic() - began:.1f} s"
    )
    if book is not None:
        try:
            positions = max(write_book(book, lines), default=0)
        except OSError as error:
            raise Unusable(f"the book cannot be written: {error.strerror}") from None
        click.echo(f"{book}: {positions} positions, {book.stat().st_size} bytes")


def _claimed(claim: dict[str, Any]) -> tuple[Game, int]:
    """Return the position and the winner of a claim.

    ValueError: a field of another type than `solve` writes, an inference that this checker does not make, or values
    that do not form a position of first capture.
    """
    for name, kind in FIELDS.items():
        if type(claim[name]) is not kind:  # a bool is an int, and a float may be infinite
            raise ValueError(f"{name} is of a wrong type")
    if claim["inferences"] != list(INFERENCES):
        raise ValueError(f"inferences are not {', '.join(INFERENCES)}")
    rules = Rules.parse(claim["rules"])
    if not rules.won_by(1) or rules.free_pass:
        raise ValueError(f"{claim['rules']} is not first capture")
    game = Game(rules, claim["width"], claim["height"])
    for color in COLOR_NAMES.values():
        if not all(isinstance(vertex, str) for vertex in claim[color]):
            raise ValueError(f"{color} has something else than vertices")
    for name in ("to_move", "winner"):
        if claim[name] not in COLOR_NAMES.values():
            raise ValueError(f"{name} is neither black nor white")
    stones = [[game.point(vertex) for vertex in claim[color]] for color in ("black", "white")]
    game.setup(stones[0], stones[1], parse_color(claim["to_move"]))
    return game, parse_color(claim["winner"])
