"""The report of `gtp-capture solve`, as text or as JSON, and the check of a winner that depends on a checkpoint."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from threading import Event
from typing import TYPE_CHECKING, Final

import click

from ..go.game import Game
from ..go.vertex import COLOR_LETTERS, COLOR_NAMES, opponent
from ..go.words import counted
from ..solver.result import Solution
from ..util.limit import Deadline
from .options import Unusable
from .progress import counting

if TYPE_CHECKING:
    from ..solver.checkpoint import Checkpoint
    from ..solver.solver import Solver

MIN_CHECK_MEMORY: Final = 64 * 2**20
"""Bytes for the positions of a check; more if the solver's table is larger."""


@dataclass(frozen=True, slots=True)
class Backing:
    """Whether a winner that depends on a checkpoint was verified."""

    checked: bool
    """Whether the proof checker accepted it in this run."""
    remark: str


@dataclass(slots=True)
class Findings:
    """The output; the fields are the keys of the JSON object."""

    winner: str | None
    length: int | None
    line: list[str]
    nodes: int
    seconds: float
    nodes_per_second: int
    first_moves: dict[str, str | None] | None = None
    earlier: str | None = None
    """The nodes of earlier runs, if there were any, as text."""
    backing: Backing | None = None
    """Whether the winner was verified, if it depends on a checkpoint."""

    @property
    def has_winner(self) -> bool:
        """Whether there is a winner, of the position or after a first move."""
        return any((self.winner, *(self.first_moves or {}).values()))


def report(game: Game, solution: Solution, nodes: int, seconds: float, moves: dict[int, int | None] | None) -> Findings:
    """Return the report of a solution; `moves`: the winners after the first moves."""
    named = None
    if moves is not None:
        named = {game.vertex(play): COLOR_NAMES[winner] if winner else None for play, winner in moves.items()}
    line = [game.vertex(p) for p in solution.line]
    winner = COLOR_NAMES[solution.winner] if solution.winner else None
    return Findings(winner, solution.plies, line, nodes, round(seconds, 3), int(nodes / max(seconds, 1e-3)), named)


def show(found: Findings, to_move: int, as_json: bool) -> OSError | None:
    """Print the report. Return an OSError, not raise it, so that a proof is written even if stdout is closed."""
    try:
        for line in _lines(found, to_move, as_json):
            click.echo(line)
    except OSError as error:
        return error
    return None


def _lines(report: Findings, to_move: int, as_json: bool) -> Iterator[str]:
    if as_json:
        found = {
            name: getattr(report, name)
            for name in Findings.__slots__
            if name not in ("first_moves", "earlier", "backing")
        }
        if report.first_moves is not None:
            found["first_moves"] = report.first_moves
        if report.backing is not None:
            found["winner_checked"] = report.backing.checked
        yield json.dumps(found)
        return
    yield headline(report, to_move)
    for vertex, winner in (report.first_moves or {}).items():
        yield f"{vertex}: {'not solved yet' if winner is None else f'{winner} wins'}"
    if report.backing is not None:
        yield report.backing.remark
    earlier = f"; {report.earlier}" if report.earlier else ""
    yield f"{report.nodes} nodes, {report.seconds:.3f} s, {report.nodes_per_second} nodes/s{earlier}"


def headline(report: Findings, to_move: int) -> str:
    """Return the winner, the length and the line as text."""
    if report.winner is None:
        return "not solved yet"
    length = "" if report.length is None else f" in {counted(report.length, 'ply', 'plies')}"
    colors = itertools.cycle((COLOR_LETTERS[to_move], COLOR_LETTERS[opponent(to_move)]))
    line = " ".join(f"{color} {vertex}" for color, vertex in zip(colors, report.line, strict=False))
    return f"{report.winner} wins{length}{': ' * bool(line)}{line}"


def check(checkpoint: Checkpoint, solver: Solver, game: Game, winner: int, deadline: Deadline) -> Backing:
    """Verify a winner by its proof, with no more nodes than the search took in all its runs.

    Unusable: the checkpoint is wrong.
    """
    from ..solver.proofs.format import ProofError, ProofMemoryError
    from ..solver.proofs.writer import StoppedError, confirm

    began, choices = time.monotonic(), 0
    memory = max(MIN_CHECK_MEMORY, solver.table.nbytes)
    most, enough = 2 * solver.nodes + checkpoint.nodes, Event()
    bounded = replace(deadline, stop=enough)

    def watch(nodes: int) -> None:
        if nodes > most or deadline.stop.is_set():
            enough.set()

    try:
        with counting("choices checked") as count:
            solver.watch = watch
            for choices in confirm(solver, game.board, game.to_move, winner, memory, bounded):
                count(choices)
                watch(solver.nodes)
    except ProofMemoryError:
        return unchecked("its proof has more positions than --memory has room for")
    except MemoryError:
        return unchecked("not enough memory for its proof")
    except StoppedError:
        if solver.nodes > most:
            return unchecked("its proof takes more nodes than the search; --proof FILE writes it")
        return unchecked("the time was over before its proof was checked")
    except ProofError as error:
        raise wrong(checkpoint, f"{COLOR_NAMES[winner]} does not win: {error}") from None
    took = time.monotonic() - began
    remark = f"checked by the rules alone: {COLOR_NAMES[winner]} wins ({choices} choices, {took:.1f} s)"
    return Backing(True, f"{remark}; all else rests on the checkpoint")


def unchecked(reason: str) -> Backing:
    """Return the remark on a winner that was not verified."""
    return Backing(False, f"not checked, the verdict rests on the checkpoint: {reason}")


def wrong(checkpoint: Checkpoint, reason: str) -> Unusable:
    """Return the error for a checkpoint with false results."""
    return Unusable(f"{checkpoint.path} is wrong, delete it and solve again: {reason}")
