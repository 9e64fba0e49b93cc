"""gtp-capture check-proof: verify a proof by the rules alone."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ..go.game import Game
from ..go.rules import Rules
from ..go.vertex import COLOR_NAMES, parse_color
from ..go.words import counted
from ..solver.proofs.format import INFERENCES, read_proof
from ..util.files import RequestError, UnreadableError
from ..util.memory import MEBIBYTE
from .progress import counting

if TYPE_CHECKING:
    from ..solver.proofs.checker import Counts

FIELDS: Final = {
    "width": int, "height": int, "rules": str, "black": list, "white": list, "to_move": str, "winner": str,
    "inferences": list,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Checked:
    """A proof that holds."""

    game: Game
    winner: int
    counts: Counts
    kept: Any
    """The positions of the first turns of the winner; see `checker.Checker.kept`."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--memory", type=click.IntRange(1, 1_000_000), default=4096, help="Maximum MiB.")
def check_proof(file: Path, memory: int) -> None:
    """Verify a proof by the rules alone; exit code 2 if it fails.

    FILE is a proof that `solve --proof` has written.
    """
    began = time.monotonic()
    try:
        checked = check_file(file, memory * MEBIBYTE)
    except UnreadableError as error:
        raise RequestError(f"{file}: {error}") from None
    except ValueError as error:
        raise RequestError(f"the proof fails: {error}") from None
    except MemoryError as error:
        raise RequestError(f"the proof was not checked: {error or 'not enough memory'}") from None
    game, counts = checked.game, checked.counts
    click.echo(
        f"the proof holds: {game.rules}, {game.width}x{game.height}, {COLOR_NAMES[game.to_move]} to move: "
        f"{COLOR_NAMES[checked.winner]} wins; {counted(counts.choices, 'choice')}, "
        f"{counted(counts.replies, 'reply', 'replies')}, {counted(counts.captures, 'capture')}, "
        f"{time.monotonic() - began:.1f} s"
    )


def check_file(file: Path, memory: int, turns: int = 0) -> Checked:
    """Check a proof; for a book, keep the positions of the first `turns` turns of the winner.

    ValueError: the proof fails.
    """
    from ..solver.proofs import load_kernels

    claim, chunks = read_proof(file)
    game, winner = _claimed(claim)
    load_kernels("checker", game.width * game.height)
    from ..solver.proofs.checker import Checker

    checker = Checker(game.board, winner, memory, turns)
    with counting("choices") as count, closing(chunks):
        for counts in checker.verify(game.to_move, chunks):
            count(counts.choices)
    return Checked(game, winner, checker.counts, checker.kept)


def _claimed(claim: dict[str, Any]) -> tuple[Game, int]:
    """Return the position and the winner of a claim.

    ValueError: a field of another type than `solve` writes, an inference that this checker does not make, or values
    that do not form a position of first capture.
    """
    for name, kind in FIELDS.items():
        if type(claim[name]) is not kind:  # a bool is an int, and a float may be infinite
            raise ValueError(f"{name} has the wrong type")
    if claim["inferences"] != list(INFERENCES):
        raise ValueError(f"inferences are not {', '.join(INFERENCES)}")
    rules = Rules.parse(claim["rules"])
    if not rules.won_by(1) or rules.free_pass:
        raise ValueError(f"{claim['rules']} is not first capture")
    game = Game(rules, (claim["width"], claim["height"]))
    for color in COLOR_NAMES.values():
        if not all(isinstance(vertex, str) for vertex in claim[color]):
            raise ValueError(f"{color} has values that are not vertices")
    for name in ("to_move", "winner"):
        if claim[name] not in COLOR_NAMES.values():
            raise ValueError(f"{name} is neither black nor white")
    stones = [[game.point(vertex) for vertex in claim[color]] for color in ("black", "white")]
    game.setup_points(stones[0], stones[1], parse_color(claim["to_move"]))
    return game, parse_color(claim["winner"])
