"""Proof of problems: exactly one play wins at each turn of the winner along the line of the longest resistance."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ...go import board as bd
from ...go.board import Board
from ...go.vertex import format_vertex, opponent
from .bounded import BoundedSolver, FirstCaptureSolver
from .problem import Problem, Start, Variation, boards_along

CHECK_NODES: Final = 2_000_000
"""Nodes of each search of the check without knowledge."""
REFUTATION: Final = 9
"""Plies of the longest refutation that is written to its end."""
WRONG: Final = (6, 3)
"""Wrong answers that are refuted at the first turn, and at each later turn."""


def solve(solver: BoundedSolver, board: Board, color: int, depth: int) -> tuple[int, ...] | None:
    """Return the solution of a problem of `depth` plays; None if the position is not one, or a result is missing."""
    if not solver.ends_in(board, color, 2 * depth - 1):
        return None
    winning = solver.winning_plays(board, color, 1)
    if winning is None or len(winning) != 1:
        return None
    play = winning[0]
    after = bd.after(board, play, color)
    if depth == 1:
        return (play,) if solver.winner(after) == color else None
    if solver.winner(after) is not None:
        return None
    for reply, following in solver.plays(after, opponent(color)):
        # Every reply loses, so the longest resistance leaves a problem with one play less.
        rest = solve(solver, following, color, depth - 1) if solver.winner(following) is None else None
        if rest is not None:
            return (play, reply, *rest)
    return None


def longest_resistance(solver: BoundedSolver, start: Start, depth: int) -> tuple[int, ...] | None:
    """Return the solution of a problem of so many plays at most against the longest resistance; None as for `solve`."""
    plies = solver.plies(start.board(), start.to_move, 2 * depth - 1)
    return None if plies is None else solve(solver, start.board(), start.to_move, (plies + 1) // 2)


def check_solver(solver: BoundedSolver) -> BoundedSolver:
    """Return a solver for `is_proven` that has nothing from the search before it: no knowledge, and an empty table."""
    if isinstance(solver, FirstCaptureSolver):
        return FirstCaptureSolver(solver.rules, solver.width, solver.height, CHECK_NODES, knowledge=False)
    return solver


def is_proven(solver: BoundedSolver, start: Start, line: tuple[int, ...]) -> bool:
    """Whether exactly the play of the line wins at each turn of the winner, and the line has the right length.

    The replies are the longest resistance, and the last play wins by capture.
    """
    solver.forget()
    for number, (board, color) in enumerate(boards_along(start, line)):
        left = len(line) - number
        if left == 0:
            return solver.winner(board) == start.to_move
        if solver.winner(board) is not None:
            return False
        if left % 2 == 1 and not (solver.ends_in(board, color, left) and _only(solver, board, color, line[number])):
            return False
    return False


def _only(solver: BoundedSolver, board: Board, color: int, play: int) -> bool:
    """Whether a play wins and every other legal play loses."""
    return solver.winning_plays(board, color, 1) == [play]


def fault(solver: BoundedSolver, problem: Problem) -> str | None:
    """Return why the answers that a problem calls right are not exactly those that win, at each turn; None if they are.

    The replies may be any: a solution that was made by hand seldom resists longest, and it may stop early.
    """
    start = problem.start
    for line in (lines := problem.answers):
        for number, (board, color) in enumerate(boards_along(start, line[:-1])):
            if color != start.to_move:
                continue
            winning = solver.winning_plays(board, color)
            if winning is None:
                return "the solver does not decide it"
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
    solver: BoundedSolver, start: Start, line: tuple[int, ...], tried: Iterable[int] = ()
) -> tuple[Variation, ...]:
    """Return the solution and the refutations of wrong answers at each turn of the winner, the last turn first.

    At the first turn the plays `tried` come first. They are followed, at every turn, by the plays that attack, and by
    those nearest to the solution's play and to the last reply.
    """
    found = [Variation(line, True)]
    for number, (board, color) in reversed(list(enumerate(boards_along(start, line)))):
        if number % 2 or number == len(line):
            continue
        wrong = [play for play, _ in solver.plays(board, color) if play != line[number]]
        near = [line[number], *line[max(0, number - 1) : number]]
        wrong.sort(key=lambda play: _interest(board, color, play, near))
        if number == 0:
            first = [play for play in tried if play in wrong]
            wrong = [*first, *(play for play in wrong if play not in first)]
        for play in wrong[: WRONG[min(number, 1)]]:
            moves = refutation(solver, bd.after(board, play, color), color)
            found.append(Variation((*line[:number], play, *moves), False, refuted=bool(moves)))
    return tuple(found)


def _interest(board: Board, color: int, play: int, near: list[int]) -> tuple[bool, int, int]:
    """Return a key that sorts wrong answers: those that attack first, then by their distance to some points."""
    stride = int(board.stride)
    distance = min(abs(play // stride - p // stride) + abs(play % stride - p % stride) for p in near)
    return not bd.attacked(board, play, color), distance, play


def refutation(solver: BoundedSolver, after: Board, color: int) -> tuple[int, ...]:
    """Return how the opponent wins after a losing play of a colour.

    Best play to the end if that takes at most REFUTATION plies; otherwise one winning reply, or nothing if none is
    found.
    """
    other, plies = opponent(color), solver.plies_after(after, color, REFUTATION)
    if plies is not None and len(line := solver.best_line(after, other, plies)) == plies:
        return line
    winning = next((p for p, then in solver.plays(after, other) if solver.result_after(then, other) > 0), None)
    return () if winning is None else (winning,)
