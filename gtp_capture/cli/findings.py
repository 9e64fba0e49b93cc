"""The report of `gtp-capture solve`: text, or a JSON object."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass

import click

from ..go.game import Game
from ..go.vertex import COLOR_LETTERS, COLOR_NAMES, opponent
from ..go.words import counted
from ..solver.result import Solution
from .checkpoints import Backing


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
    jobs: str | None = None
    """The number of jobs, if there were any, as text."""
    backing: Backing | None = None
    """Whether the winner was verified, if it depends on a checkpoint."""

    @property
    def has_verdict(self) -> bool:
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
            name: getattr(report, name) for name in Findings.__slots__ if name not in ("first_moves", "jobs", "backing")
        }
        if report.first_moves is not None:
            found["first_moves"] = report.first_moves
        if report.backing is not None:
            found["winner_checked"] = report.backing.checked
        yield json.dumps(found)
        return
    if report.winner is None:
        yield "not solved yet"
    else:
        length = "" if report.length is None else f" in {counted(report.length, 'ply', 'plies')}"
        colors = itertools.cycle((COLOR_LETTERS[to_move], COLOR_LETTERS[opponent(to_move)]))
        line = " ".join(f"{color} {vertex}" for color, vertex in zip(colors, report.line, strict=False))
        yield f"{report.winner} wins{length}{': ' * bool(line)}{line}"
    for vertex, winner in (report.first_moves or {}).items():
        yield f"{vertex}: {'not solved yet' if winner is None else f'{winner} wins'}"
    if report.backing is not None:
        yield report.backing.remark
    jobs = f" in {report.jobs}" if report.jobs else ""
    yield f"{report.nodes} nodes{jobs}, {report.seconds:.3f} s, {report.nodes_per_second} nodes/s"
