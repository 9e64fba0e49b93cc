"""`gtp-capture solve` with --jobs or --scheduler: a search by several workers, with a log."""

from __future__ import annotations

from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..go import board as bd
from ..go.game import Game
from ..go.vertex import BLACK, COLOR_NAMES, WHITE, opponent
from ..solver.result import Solution, Stones, winner_of
from ..util.lanes import MakeLanes
from ..util.limit import Limit
from .progress import searching

if TYPE_CHECKING:
    from ..solver.proofs.parts_writer import Crew
    from ..solver.solver import Solver
    from ..solver.trunk import Node, Trunk


class Means(NamedTuple):
    """The means of a search in jobs."""

    make_lanes: MakeLanes
    here: bool
    """Whether the workers are threads of this process."""
    memory: int
    """Bytes of the table of each process."""
    threads: int
    """Of each worker."""
    log: Path | None


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search in jobs."""

    solution: Solution
    """Winner, first play, nodes of all runs, and seconds of this run."""
    moves: dict[int, int | None] | None
    """The winner after each first move (None: unknown); None if first moves were not requested."""
    jobs: int
    """Jobs of all runs."""
    earlier: int
    """Those of earlier runs."""
    rate: int
    """Nodes a second of this run."""
    trunk: Trunk

    def winner(self, limit: Limit) -> int | None:
        """Return the winner, for a proof; None if there is none, or if the user has ended the run."""
        return None if limit.stop.is_set() else self.solution.winner


def solve_in_jobs(solver: Solver, game: Game, means: Means, limit: Limit, first_moves: bool) -> Found:
    """Solve a position, or with `first_moves` the positions after all its first moves.

    Workers of this process share the table of `solver`. The results of other processes and the verdicts of the trunk
    are stored in it too, so that `solver` finds them again with few nodes.

    LogError: the log cannot be used. TrunkError: a worker returned something wrong. ExecutorError: no workers.
    """
    from ..solver.job import lend
    from ..solver.journal import store_all
    from ..solver.log import Log
    from ..solver.search import Search
    from ..solver.trunk import Trunk
    from ..solver.verdicts import verdicts

    stones, color = solver.stones(game.board), game.to_move
    trunk = Trunk(game.width, game.height, stones, color)
    after = _first_moves(solver, stones, color, trunk)
    with closing(Log(means.log, _about(game))) if means.log is not None else nullcontext() as log:
        search = Search(trunk, means.memory, means.threads, log)
        if means.here:
            lend(solver.table, (game.width, game.height), means.memory, means.threads)
        else:
            search.learn = partial(store_all, solver.table)
        search.resume()
        earlier, nodes, began = trunk.jobs, trunk.nodes, limit.elapsed()
        targets = [node for node in after.values() if node is not None] if first_moves else [trunk.root]
        with searching(search):
            search.run(targets, means.make_lanes, limit)
    store_all(solver.table, verdicts(trunk, solver.zobrist))
    moves = {play: color if node is None else winner_of(node.result, opponent(color)) for play, node in after.items()}
    winner = winner_of(trunk.root.result, color) or _winner_by(moves, color)
    line = tuple(play for play, won in moves.items() if won == color)[:1]
    if winner == color and not line:
        # The root was decided by a few nodes, before it had children.
        line = solver.solve(game.board, color, limit).line[:1]
    seconds = limit.elapsed() - began
    solution = Solution(winner, line, None, trunk.nodes + solver.nodes, seconds)
    rate = int((trunk.nodes - nodes + solver.nodes) / max(seconds, 1e-3))
    return Found(solution, moves if first_moves else None, trunk.jobs, earlier, rate, trunk)


def crew_of(solver: Solver, found: Found, means: Means) -> Crew:
    """Return the workers of a search as writers of its proof, with what the search has decided."""
    from ..solver.proofs.parts_writer import Crew
    from ..solver.verdicts import verdicts

    size, decided = (solver.width, solver.height), verdicts(found.trunk, solver.zobrist)
    return Crew(means.make_lanes, size, means.memory, means.threads, decided)


def _first_moves(solver: Solver, stones: Stones, color: int, trunk: Trunk) -> dict[int, Node | None]:
    """Return the node after each legal first move; None after a capture."""
    return {
        play: None if solver.captures(stones, color, play) else trunk.node(after)
        for play, after in solver.plays(stones, color)
    }


def _winner_by(moves: dict[int, int | None], color: int) -> int | None:
    """Return the winner of a position by those after its first moves; None if it does not follow from them."""
    if color in moves.values():
        return color
    return opponent(color) if None not in moves.values() else None


def _about(game: Game) -> dict[str, object]:
    """Return the header of a log: the position."""
    stones = {COLOR_NAMES[c]: [game.vertex(p) for p in bd.stones_of(game.board, c)] for c in (BLACK, WHITE)}
    size = {"width": game.width, "height": game.height, "rules": str(game.rules)}
    return {**size, **stones, "to_move": COLOR_NAMES[game.to_move]}
