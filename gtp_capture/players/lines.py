"""Lines of moves: from the tree, from the solver, and by continuous atari. Each move of the winner in them is proven.

A line of a proven move is proven move by move, or cut before the first move that is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum, auto
from typing import TYPE_CHECKING, Final

from ..go import board as bd
from ..go.game import Game
from ..go.vertex import BLACK, PASS, WHITE, Color, opponent
from ..solver.result import UNSOLVED, next_capture_wins, repetition_matters
from ..util.limit import Deadline
from .player import Analyst, past_matters

if TYPE_CHECKING:
    from ..search.mcts import Candidate, Tree

LONGEST_LINE = 30
ATTACKS: Final = 300
"""Maximum number of attacking plays in a ladder search."""


def of_tree(tree: Tree, root: int, first: Candidate, game: Game, color: int) -> tuple[tuple[int, ...], list[int]]:
    """Return a move followed by the best moves in the tree, and the visits of the moves that follow.

    From a proven move on, each move of the winner is proven to win. The line ends before a move that is not, for
    example after a move that the solver has proven and the tree has not. It also ends before a play that a rule about
    repetition forbids, because the tree does not know such rules.
    """
    line, visits, proven = [first.move], list[int](), first.proven
    node: int | None = tree.child(root, first.move)
    while node is not None and len(line) < LONGEST_LINE:
        best = next(iter(tree.candidates(node)), None)
        if best is None or not (best.visits or best.proven) or (proven < 0 and best.proven <= 0):
            break
        line.append(best.move)
        visits.append(best.visits)
        node, proven = tree.child(node, best.move), best.proven or -proven
    legal = _legal_part(game, color, line)
    return tuple(line[:legal]), visits[: max(0, legal - 1)]


def _legal_part(game: Game, color: int, line: list[int]) -> int:
    """Return the number of moves of a line that are legal one after the other.

    The tree knows all rules except the rules about repetition. Without suicide, they can forbid a play of the tree only
    at a point where that colour has stood before.
    """
    if not past_matters(game.rules):
        return len(line)
    moves = [(color if n % 2 == 0 else opponent(color), point) for n, point in enumerate(line)]
    stood = {(int(move.color), move.point) for move in game.moves}
    stood |= {(c, p) for p, c in enumerate(game.positions[0].colors) if c in (BLACK, WHITE)}
    if not game.rules.suicide and len(set(moves)) == len(moves) and stood.isdisjoint(moves):
        return len(line)
    trial = game.copy()
    for n, (side, point) in enumerate(moves):
        if not trial.is_legal_point(point, side):
            return n
        trial.play_point(point, side)
    return len(line)


def forced_part(game: Game, color: int, line: tuple[int, ...]) -> Iterator[int]:
    """Yield the moves of a tree's winning line until the loser has several replies that do not lose at once."""
    trial = game.copy()
    trial.set_to_move(color)
    for move in line:
        mover = trial.to_move
        replies = [*trial.legal_plays(), *([PASS] if trial.rules.may_pass else [])]
        if int(mover) != color and sum(1 for move in replies if not loses_at_once(trial, move)) > 1:
            return
        yield move
        trial.play_point(move, mover)
        if trial.outcome is not None:
            return


def loses_at_once(game: Game, move: int) -> bool:
    """Whether the opponent of the colour to move wins by its next play after this move, or has won already."""
    after, other = game.after_point(move), game.to_move.opponent
    if after.outcome is not None:
        return after.outcome.winner == other
    held = after.prisoners(other)
    return any(game.rules.won_by(held + bd.captures_at(after.board, p, int(other))) for p in after.legal_plays(other))


def best_line(analyst: Analyst, game: Game, color: int, known: Sequence[int], deadline: Deadline) -> tuple[int, ...]:
    """Return best play of both sides to the end if it is found within the limit, else another proven line.

    Hints, explanations and reviews name its first move, so they agree where several moves win. A win by continuous
    atari is preferred, because a person can see it: among the shortest wins if these are known, else among all wins.
    `known`: a proven line of the colour to move.
    """
    solution = UNSOLVED if deadline.expired() else analyst.perfect_play.solve(game, color, deadline)
    attack = () if solution.winner == opponent(color) else tuple(ladder(game, color))
    if solution.plies is None or len(solution.line) != solution.plies:
        return attack or max(tuple(known), solution.line, key=len)
    if not attack or attack[0] == solution.line[0]:
        return solution.line
    line, _ = analyst.perfect_play.continued(game, color, attack[:1], deadline)
    return line if len(line) == solution.plies else solution.line


class Unread(StrEnum):
    """Why ladders are not read in a position."""

    SEVERAL = auto()
    """One capture does not win."""
    ATARI = auto()
    """A chain is in atari."""


def unread(game: Game) -> Unread | None:
    """Return why `ladder` reads nothing in this position; None if it reads."""
    if not next_capture_wins(game.rules, game.board):
        return Unread.SEVERAL
    return Unread.ATARI if any(game.atari(c) for c in Color) else None


def ladder(game: Game, color: int) -> list[int]:
    """Return a win by continuous atari as plays of both colours; [] if none is found or it is `unread`.

    Also [] where a ko rule may forbid a play, which reading does not know.
    """
    from ..playout.ladder import forced_win, new_reader, winning_line

    if unread(game) is not None or repetition_matters(game.rules, game.board):
        return []
    reader = new_reader()
    return winning_line(reader, forced_win(game.board, color, reader, ATTACKS))
