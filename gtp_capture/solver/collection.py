"""Solve several positions: each is a task, here or on a cluster's workers, with a log of results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..go import board as bd
from ..go.game import Game
from ..go.symmetry import canonical
from ..go.vertex import BLACK, COLOR_NAMES, WHITE, parse_color
from ..util.executor import cancellation_check, executor, run_jobs
from ..util.limit import Deadline, Limit
from .choice import SolverResources, solve, solver_for
from .result import Solution

if TYPE_CHECKING:
    from .log import Log

CONTENT: Final = {"content": "results of several positions"}
"""The subject of a log of several positions."""


class Position(NamedTuple):
    """A position to solve."""

    names: tuple[str, ...]
    """Its names: several if positions are images of one another."""
    game: Game


def describe_position(game: Game) -> dict[str, Any]:
    """Return a position for the header of a log, and for the claim of a proof."""
    return {
        "width": game.width, "height": game.height, "rules": str(game.rules),
        **{COLOR_NAMES[color]: game.stones(color) for color in (BLACK, WHITE)},
        "to_move": str(game.to_move),
    }  # fmt: skip


def after_first_moves(positions: Sequence[Position]) -> list[Position]:
    """Return the positions after every legal play; images of one another are one position with several names."""
    distinct: dict[Any, Position] = {}
    for before in positions:
        for play in before.game.legal_plays():
            game = before.game.after_point(play)
            names = tuple(f"{name} {game.vertex(play)}" for name in before.names)
            key = _key(game)
            distinct[key] = Position(distinct[key].names + names if key in distinct else names, game)
    return list(distinct.values())


def _key(game: Game) -> Any:
    """Return a key that all images of a position under the symmetries of its board share."""
    cells = [int(game.board.color[p]) for p in bd.points(game.board)]
    image, _ = canonical(cells, game.width, game.height)
    return str(game.rules), game.width, game.height, game.to_move, game.prisoners, image


def solve_all(
    positions: Sequence[Position],
    resources: SolverResources,
    scheduler: str | None,
    log: Log | None,
    deadline: Deadline,
) -> Iterator[tuple[Position, Solution]]:
    """Yield each position that is solved before the limit; results go to the log at once, and come from it first.

    RequestError: the cluster cannot be used, or the log is damaged. SolverError: no solver supports a position.
    """
    known = {} if log is None else _known(log)
    left: list[Position] = []
    for position in positions:
        if (outcome := position.game.outcome) is not None:
            yield position, Solution(None if outcome.winner is None else int(outcome.winner))
        elif log is not None and (record := known.get(_text(_described(position.game, resources)))) is not None:
            yield position, _solution(position.game, record, log)
        else:
            left.append(position)
    task = partial(solve_position, resources=resources)
    if scheduler is None:
        ended: Iterator[tuple[Position, Solution]] = ((each, task(each, deadline=deadline)) for each in left)
    else:
        ended = run_jobs(partial(executor, 1, scheduler), task, left, deadline.expired)
    for position, solution in ended:
        if solution.winner is None:
            if deadline.expired():
                return
            continue
        if log is not None:
            line = [position.game.vertex(play) for play in solution.line]
            values = {"winner": COLOR_NAMES[solution.winner], "plies": solution.plies, "line": line}
            log.results.append({"position": _described(position.game, resources), **values, "nodes": solution.nodes})
            log.save(0)
        yield position, solution


def solve_position(position: Position, resources: SolverResources, deadline: Deadline | None = None) -> Solution:
    """Solve a position in this process; a cancelled task of a cluster ends."""
    deadline, cancelled = deadline or Limit().begin(), cancellation_check()
    game = position.game
    solver = solver_for(game.rules, game.board, resources.memory, resources.threads)
    solver.watch = lambda nodes: deadline.stop.set() if cancelled() else None
    return solve(game, int(game.to_move), resources, deadline, solver=solver)


def _described(game: Game, resources: SolverResources) -> dict[str, Any]:
    """Return a position as in the log."""
    prisoners = {f"{COLOR_NAMES[color]}_prisoners": int(game.board.prisoners[color]) for color in (BLACK, WHITE)}
    return {**describe_position(game), **prisoners, "length": resources.length}


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
        return Solution(int(parse_color(record["winner"])), line, record["plies"], record["nodes"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise log.damaged() from None
