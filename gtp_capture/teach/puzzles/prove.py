"""Proof of problems: exactly one play wins at each turn of the winner along the line of the longest resistance."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from ...go import board as bd
from ...go.board import Board
from ...go.vertex import format_vertex
from .problem import Problem, Start, Variation, boards_along

if TYPE_CHECKING:
    from ...solver.exact import ExactSolver, Node

CHECK_NODES: Final = 2_000_000
"""Nodes of each search of the check without knowledge."""
REFUTATION: Final = 9
"""Plies of the longest refutation that is written to its end."""
WRONG: Final = (6, 3)
"""Wrong answers that are refuted at the first turn, and at each later turn."""


def solve(solver: ExactSolver, node: Node, depth: int) -> tuple[int, ...] | None:
    """Return the solution of a problem of `depth` plays; None if the position is not one, or a result is missing."""
    if not solver.wins_in(node, 2 * depth - 1):
        return None
    winning = solver.winning_plays(node, 1)
    if winning is None or len(winning) != 1 or (winning[0].winner is None) == (depth == 1):
        return None
    play = winning[0]
    if depth == 1:
        return (play.point,)
    for reply in solver.plays(play.node):
        # Every reply loses, so the longest resistance leaves a problem with one play less.
        rest = solve(solver, reply.node, depth - 1) if reply.winner is None else None
        if rest is not None:
            return (play.point, reply.point, *rest)
    return None


def longest_resistance(solver: ExactSolver, start: Start, depth: int) -> tuple[int, ...] | None:
    """Return the solution of at most `depth` plays against the longest resistance; None as for `solve`."""
    node = solver.node_of(start.black, start.white, start.to_move)
    plies = solver.length(node, most=2 * depth - 1)
    return None if plies is None else solve(solver, node, (plies + 1) // 2)


def is_proven(solver: ExactSolver, start: Start, line: tuple[int, ...]) -> bool:
    """Whether only the play of the line wins at each turn of the winner, and every reply is the longest resistance.

    The last play wins. The table is emptied first, so the proof rests on no earlier search.
    """
    solver.clear()
    node = solver.node_of(start.black, start.white, start.to_move)
    for left, point in zip(range(len(line), 0, -1), line, strict=True):
        if left % 2 == 1:
            winning = solver.winning_plays(node, 1) if solver.wins_in(node, left) else None
            if [play.point for play in winning or ()] != [point]:
                return False
        play = solver.play(node, point)
        if play.winner is not None:
            return left == 1 and play.winner == start.to_move
        node = play.node
    return False


def fault(solver: ExactSolver, problem: Problem) -> str | None:
    """Return the fault of a problem whose right answers are not exactly the plays that win, at each turn; None if none.

    The replies need not be the longest resistance, and a line may stop early, as in a solution made by hand.
    """
    start = problem.start
    for line in (lines := problem.answers):
        for number, (board, color) in enumerate(boards_along(start, line[:-1])):
            if color != start.to_move:
                continue
            plays = solver.winning_plays(solver.node(board, color))
            if plays is None:
                return "the solver does not decide it"
            winning = [play.point for play in plays]
            right = [other[number] for other in lines if other[:number] == line[:number] and len(other) > number]
            if line[number] not in winning:
                return f"the solution {format_vertex(line[number], start.width)} does not win"
            if second := next((play for play in winning if play not in right), None):
                return f"{format_vertex(second, start.width)} wins too"
    return None


def wins_at_once(problem: Problem) -> bool:
    """Whether each answer that a problem calls right captures enough at once, which needs no solver."""
    start = problem.start
    captured = (bd.captures_at(start.board(), moves[0], start.to_move) for moves in problem.answers)
    return all(map(start.rules.won_by, captured))


def variations(
    solver: ExactSolver, start: Start, line: tuple[int, ...], tried: Iterable[int] = ()
) -> tuple[Variation, ...]:
    """Return the solution and the refutations of wrong answers at each turn of the winner, the last turn first.

    At the first turn the plays `tried` come first. At every turn the plays that attack follow, then the plays that are
    nearest to the solution's play and to the last reply.
    """
    lines = [Variation(line, True)]
    for number, (board, color) in reversed(list(enumerate(boards_along(start, line)))):
        if number % 2 or number == len(line):
            continue
        plays = {play.point: play for play in solver.plays(solver.node(board, color)) if play.point != line[number]}
        near = [line[number], *line[max(0, number - 1) : number]]
        wrong = sorted(plays, key=lambda point: _interest(board, color, point, near))
        if number == 0:
            first = [point for point in tried if point in plays]
            wrong = [*first, *(point for point in wrong if point not in first)]
        for point in wrong[: WRONG[min(number, 1)]]:
            play = plays[point]
            moves = refutation(solver, play.node) if play.winner is None else ()
            lines.append(Variation((*line[:number], point, *moves), False, refuted=bool(moves)))
    return tuple(lines)


def _interest(board: Board, color: int, play: int, near: list[int]) -> tuple[bool, int, int]:
    """Return a key that sorts wrong answers: plays that attack come first, then the plays nearest to some points."""
    stride = int(board.stride)
    distance = min(abs(play // stride - p // stride) + abs(play % stride - p % stride) for p in near)
    return not bd.attacked(board, play, color), distance, play


def refutation(solver: ExactSolver, node: Node) -> tuple[int, ...]:
    """Return how the side to move wins after a losing play of the other side.

    This is best play to the end if it takes at most REFUTATION plies, else one winning reply; () if none is found.
    """
    plies = solver.length(node, most=REFUTATION)
    solution = solver.solution(node, most=plies, whole=plies is not None)
    return solution.line if solution.winner == node.color else ()
