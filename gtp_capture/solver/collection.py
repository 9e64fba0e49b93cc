"""Solve several positions: each is a task, here or on a cluster's workers, with a log of results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..go import board as bd
from ..go.game import Game
from ..go.symmetry import canonical
from ..go.vertex import BLACK, COLOR_NAMES, WHITE, parse_color
from ..util.executor import cancellation_check, executor, run_jobs
from ..util.limit import Deadline, Limit
from .result import Solution

if TYPE_CHECKING:
    from .log import Log

UNSOLVED: Final = Solution(None)
CONTENT: Final = {"content": "results of several positions"}
"""The subject of a log of several positions."""


class Position(NamedTuple):
    """A position to solve."""

    names: tuple[str, ...]
    """Its names: several if positions are images of one another."""
    game: Game


class Means(NamedTuple):
    """The resources of a task, and whether it finds the length."""

    memory: int
    """Bytes."""
    threads: int
    length: bool


class Solved(NamedTuple):
    """A position with its solution."""

    position: Position
    solution: Solution


def about(game: Game) -> dict[str, Any]:
    """Return a position for the header of a log, and for the claim of a proof."""
    return {
        "width": game.width, "height": game.height, "rules": str(game.rules),
        **{COLOR_NAMES[c]: [game.vertex(p) for p in bd.stones_of(game.board, c)] for c in (BLACK, WHITE)},
        "to_move": COLOR_NAMES[game.to_move],
    }  # fmt: skip


def after_first_moves(positions: Sequence[Position]) -> list[Position]:
    """Return the positions after every legal play; images of one another are one position with several names."""
    found: dict[Any, Position] = {}
    for before in positions:
        for play in before.game.legal_plays():
            game = before.game.copy()
            game.play_point(play)
            names = tuple(f"{name} {game.vertex(play)}" for name in before.names)
            key = _key(game)
            found[key] = Position(found[key].names + names if key in found else names, game)
    return list(found.values())


def _key(game: Game) -> Any:
    """Return a key that all images of a position under the symmetries of its board share."""
    cells = [int(game.board.color[p]) for p in bd.points(game.board)]
    image, _ = canonical(cells, game.width, game.height)
    return str(game.rules), game.width, game.height, game.to_move, game.prisoners, image


def solve_all(
    positions: Sequence[Position], means: Means, scheduler: str | None, log: Log | None, deadline: Deadline
) -> Iterator[Solved]:
    """Yield each position that is solved before the limit; results go to the log at once, and come from it first.

    RequestError: the cluster cannot be used, or the log is damaged. SolverError: no solver supports a position.
    """
    known = {} if log is None else _known(log)
    left: list[Position] = []
    for position in positions:
        if position.game.outcome is not None:
            yield Solved(position, Solution(position.game.outcome.winner))
        elif log is not None and (record := known.get(_text(_described(position.game, means)))) is not None:
            yield Solved(position, _solution(position.game, record, log))
        else:
            left.append(position)
    solve = partial(solve_position, means=means)
    if scheduler is None:
        ended: Iterator[tuple[Position, Solution]] = ((each, solve(each, deadline=deadline)) for each in left)
    else:
        ended = run_jobs(partial(executor, 1, scheduler), solve, left, deadline.expired)
    for position, solution in ended:
        if solution.winner is None:
            if deadline.expired():
                return
            continue
        if log is not None:
            line = [position.game.vertex(play) for play in solution.line]
            values = {"winner": COLOR_NAMES[solution.winner], "plies": solution.plies, "line": line}
            log.results.append({"position": _described(position.game, means), **values, "nodes": solution.nodes})
            log.save(0)
        yield Solved(position, solution)


def solve_position(position: Position, means: Means, deadline: Deadline | None = None) -> Solution:
    """Solve a position in this process; a cancelled task of a cluster ends."""
    from .choice import solver_for

    deadline, cancelled = deadline or Limit().begin(), cancellation_check()
    game = position.game
    solver = solver_for(game.rules, game.board, means.memory, means.threads)

    solver.watch = lambda nodes: deadline.stop.set() if cancelled() else None
    solution = solver.solve(game.board, game.to_move, deadline, length=means.length)
    return replace(solution, plies=None) if solution.winner is None else solution


def _described(game: Game, means: Means) -> dict[str, Any]:
    """Return a position as in the log."""
    prisoners = {f"{COLOR_NAMES[color]}_prisoners": int(game.board.prisoners[color]) for color in (BLACK, WHITE)}
    return {**about(game), **prisoners, "length": means.length}


def _text(described: dict[str, Any]) -> str:
    return json.dumps(described, sort_keys=True)


def _known(log: Log) -> dict[str, dict[str, Any]]:
    """Return the results of a log by position. RequestError: it is damaged."""
    try:
        return {_text(record["position"]): record for record in log.results}
    except (KeyError, TypeError):
        raise log.damaged() from None


def _solution(game: Game, record: dict[str, Any], log: Log) -> Solution:
    """Return the solution in a record. RequestError: it is damaged."""
    try:
        line = tuple(game.point(vertex) for vertex in record["line"])
        return Solution(parse_color(record["winner"]), line, record["plies"], record["nodes"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise log.damaged() from None
