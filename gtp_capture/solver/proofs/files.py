"""Proof files as a whole: write the proof of a solved position, and check a proof by the rules alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...go.game import Game
from ...go.rules import Rules
from ...go.vertex import COLOR_NAMES, Color, parse_color
from ..collection import describe_position
from . import load_kernels
from .format import FIELDS, INFERENCES, ProofError, create_proof, read_proof

if TYPE_CHECKING:
    from ..solver import Solver
    from .checker import Counts


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof that was checked and holds."""

    game: Game
    """The position that the proof is about."""
    winner: Color
    counts: Counts
    """`choices`: positions with the winner's turn; `replies`: legal plays of the loser after them; `captures`: replies
    after which the winner captures at once."""


def write_file(
    solver: Solver, game: Game, winner: int, path: Path, count: Callable[[int], object] = lambda choices: None
) -> int:
    """Write the proof of a position that a solver has solved, and return the number of the winner's choices.

    `count` gets the choices so far; if it raises an exception, no file is written. OSError: the file cannot be written.
    ProofError: the solver's table is wrong.
    """
    load_kernels("writer", game.width * game.height)
    from .writer import write_proof

    claim, choices = {**describe_position(game), "winner": COLOR_NAMES[winner], "inferences": INFERENCES}, 0
    with create_proof(path, claim) as file:
        for choices in write_proof(solver, game.board, int(game.to_move), winner, file):
            count(choices)
    return choices


def check_file(path: Path, memory: int, count: Callable[[int], object] = lambda choices: None) -> Proof:
    """Check a proof in `memory` bytes, and return it; `count` gets the choices so far.

    ProofError: the proof fails. UnreadableError: the file cannot be read. MemoryError: it needs more memory.
    """
    claim, chunks = read_proof(path)
    try:
        game, winner = _claimed(claim)
    except ValueError as error:
        raise ProofError(str(error)) from None
    load_kernels("checker", game.width * game.height)
    from .checker import Checker

    checker = Checker(game.board, int(winner), memory)
    with closing(chunks):
        for counts in checker.verify(int(game.to_move), chunks):
            count(counts.choices)
    return Proof(game, winner, checker.counts)


def _claimed(claim: dict[str, Any]) -> tuple[Game, Color]:
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
