"""Perfect play for the players: the books of solved positions, else the exact solver in a part of the time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from ..books.lookup import probe_book
from ..go import board as bd
from ..go.board import Board
from ..go.game import Game
from ..go.vertex import opponent
from ..solver.choice import SolverResources, solve
from ..solver.result import UNSOLVED, WORD, Solution, has_length, unsupported
from ..util.limit import Deadline, Limit

if TYPE_CHECKING:
    from ..solver.solver import Solver
    from ..util.memory import Allocation

SMALL: Final = 36
"""Points of the largest board that the solver nearly always solves; there it may take half of the time."""
TINY: Final = 16
"""Points of the largest board on which the longest defence is played in a lost position."""
EASY: Final = 32_000
"""Nodes for each play in a first round, before any play gets more."""


RESISTS: Final = 4_000
"""Nodes for each step of the length after a play in a lost position; enough for the last moves of a game."""


class Resistance(NamedTuple):
    """How to play on in a lost position."""

    order: tuple[int, ...]
    """The plays: what lasts longest first, as far as that is known, then what is hardest to answer."""
    solution: Solution = UNSOLVED
    """The plies to the end after the first play, and its line; without plies if they are not computed."""
    longest: bool = False
    """Whether another play ends sooner, and none later."""


class Part(NamedTuple):
    """The solver's part of a limit, before the search or after it."""

    time: float
    """Fraction of the remaining time."""
    nodes: int
    """Nodes for each playout, if the limit is in playouts; about the same time."""


PART_SMALL: Final = Part(0.5, 20)
PART_LARGE: Final = Part(0.3, 16)
PART_OPEN: Final = Part(0.05, 3)
"""For boards of more than WORD points with more than OPEN empty points, where the solver seldom proves anything."""
OPEN: Final = 50
PART_CHECK: Final = Part(0.3, 13)
"""The part, of the time that the first part leaves, for the position after the chosen play. Open boards: PART_OPEN."""
LENGTH: Final = 1.0
"""Maximum seconds to find the plies of a proven result before a move."""
LENGTH_NODES: Final = 4_000_000
"""Maximum nodes for the plies in a lost position: about LENGTH."""
LEAST: Final = 0.01
"""On open boards the solver is left out if its part has fewer seconds: the first use of its memory may take longer."""
UNLIMITED: Final = 0.3
"""Seconds for the solver if the limit has neither time nor playouts, so that an analysis shows something soon."""


def part_of(deadline: Deadline, part: Part) -> Limit:
    """Return the limit of the solver for a part of the limit that is left."""
    nodes = None if deadline.limit.playouts is None else deadline.limit.playouts * part.nodes
    seconds = None if deadline.limit.seconds is None else part.time * deadline.left()
    if nodes is None and seconds is None:
        seconds = UNLIMITED
    return Limit(seconds, nodes=nodes, end=deadline.limit.end)


def length_limit(deadline: Deadline) -> Limit:
    """Return the solver's limit for the lengths in a lost position: half of the time, or nodes as for the winner."""
    part = part_of(deadline, PART_SMALL)
    seconds = None if part.seconds is None else min(LENGTH, part.seconds)
    nodes = None if part.nodes is None else min(part.nodes, LENGTH_NODES)
    return replace(part, seconds=seconds, nodes=nodes)


def is_open(board: Board) -> bool:
    """Return whether a board is so large and empty that the solver seldom proves anything."""
    return int(board.width) * int(board.height) > WORD and int(board.empties) > OPEN


def is_worthwhile(game: Game, deadline: Deadline) -> bool:
    """Return whether the solver supports a position, and its part of a limit is enough to begin."""
    if unsupported(game.rules, game.board) is not None:
        return False
    return not is_open(game.board) or deadline.limit.seconds is None or PART_OPEN.time * deadline.left() >= LEAST


def before_part(deadline: Deadline, part: Part, playouts: int) -> Deadline:
    """Return the deadline of the search that `part` follows, after a number of playouts."""
    seconds, most = deadline.limit.seconds, deadline.limit.playouts
    return deadline.limited(
        seconds=None if seconds is None else seconds - part.time * deadline.left(),
        playouts=None if most is None else most - playouts,
    )


class PerfectPlay:
    """Solves one position after another; the solver keeps its transposition table."""

    def __init__(self, resources: Callable[[], Allocation], ready: Callable[[Deadline, bool], bool]) -> None:
        """`resources`: memory and threads, shared with the tree search. `ready`: see `mcts.is_ready`.

        `resources` is called when the solver is made, after the compiled code has taken its memory. Without compiled
        code, only the books are used.
        """
        self._resources, self._compiled_within = resources, ready
        self._solver: Solver | None = None

    def known(self, game: Game, color: int) -> Solution | None:
        """Return the result of a position in the books; None if they do not have it or it is not supported."""
        solution = None if unsupported(game.rules, game.board) is not None else probe_book(game.board, color)
        if solution is None or has_length(game.rules):
            return solution
        return replace(solution, plies=None, line=solution.line[:1] if solution.winner == color else ())

    def decide(self, game: Game, color: int, deadline: Deadline, moves: Collection[int]) -> Solution | None:
        """Return the winner with a colour to move, and the play to make; None if not found in a part of the limit.

        None too if the winning play is not among `moves`. For a loss, there is a play (the longest defence) on tiny
        boards only: on others the search's choice is better against an opponent that makes mistakes.
        """
        solution = self.known(game, color) or self._solve_in_part(game, color, deadline)
        if solution is None or solution.winner is None:
            return None
        if solution.winner == color and (not solution.line or solution.line[0] not in moves):
            return None
        tiny = game.width * game.height <= TINY
        return solution if solution.winner == color or tiny else replace(solution, line=(), plies=None)

    def solve(self, game: Game, color: int, deadline: Deadline, *, length: bool = True) -> Solution:
        """Find the winner, a line and, with `length`, the plies to the end within the whole limit.

        The winner is None if it is not found, or if the solver does not support the position (`unsupported`).
        """
        known, solver = self.known(game, color) or UNSOLVED, self._ready(game, deadline)
        if known.winner == opponent(color):  # the book has the first play of a long resistance, which is not forced
            known = replace(known, line=())
        if solver is None:
            return known
        return solve(game, color, SolverResources(length=length), deadline, solver=solver, known=known)

    def resistance(self, game: Game, color: int, deadline: Deadline) -> Solution:
        """Return the longest resistance in a lost position: its plies, and its first play at least.

        If it is not found, the plies are None.
        """
        known = self.known(game, color)
        return known if known is not None and known.plies is not None else self.solve(game, color, deadline)

    def resist(
        self, game: Game, color: int, plays: Sequence[int], deadline: Deadline, lasting: Mapping[int, int]
    ) -> Resistance:
        """Return how to play on in a lost position.

        `plays`: at least one, those first that the search has refuted last; `lasting`: upper bounds of the plies after
        some of them.
        """
        lengths = self.plies(game, color, plays, deadline.limited(nodes=RESISTS, playouts=None))
        if len(lengths) == len(plays):
            plies = max(lengths.values())
            order = sorted(plays, key=lambda play: -lengths[play])
            if plies == 2:  # where the end is further away, the order of the search is as good a measure
                order.sort(key=lambda play: (-lengths[play], _ease(game, color, play)))
            best = order[0]
            line, _ = self.continued(game, color, (best,), deadline)
            line = line if len(line) == plies else (best,)
            solution = Solution(opponent(color), line, plies, nodes=1)
            return Resistance(tuple(order), solution, longest=min(lengths.values()) < plies)
        solution = self.resistance(game, color, deadline)
        if solution.plies is None or not solution.line or solution.line[0] not in plays:
            ease = {} if lasting else {play: _ease(game, color, play) for play in plays}
            at_once = bool(ease) and all(captures for captures, *_ in ease.values())
            return Resistance(tuple(sorted(plays, key=ease.__getitem__) if at_once else plays))
        bounds = {**lasting, **lengths}
        order = sorted(plays, key=lambda play: play != solution.line[0])
        longest = any(bounds.get(play, solution.plies) < solution.plies for play in plays)
        return Resistance(tuple(order), solution, longest)

    def continued(
        self, game: Game, color: int, line: tuple[int, ...], deadline: Deadline, *, whole: bool = True
    ) -> tuple[tuple[int, ...], int]:
        """Return a proven line with more winning plays of one side and the longest known resistance of the other one.

        `line`: the first moves; `color` begins. The number is that of the nodes. Without `whole` only the next winning
        play and the forced moves after it are added, which takes less time.
        """
        trial, nodes = game.copy(), 0
        trial.set_to_move(color)
        for point in line:
            trial.play_point(point)
        while not (trial.is_over or deadline.expired()):
            side = int(trial.to_move)
            solve = self.resistance if whole else partial(self.solve, length=False)
            solution = solve(trial, side, deadline)
            nodes += solution.nodes
            for point in solution.line:
                trial.play_point(point)
            line += solution.line
            if not (whole and solution.line):
                break
        return line, nodes

    def wins(self, game: Game, color: int, play: int, deadline: Deadline) -> bool | None:
        """Return whether a play wins; None if the solver does not find it within the limit."""
        return dict(self.moves(game, color, deadline.limited(only=frozenset({play})))).get(play)

    def is_unrefuted(self, game: Game, color: int, play: int, deadline: Deadline) -> bool:
        """Return whether a play is not refuted within EASY nodes and, after them, within a limit.

        False too if the solver does not support the position, or if its code is not loaded in time.
        """
        if unsupported(game.rules, game.board) is not None:
            return False
        if not self._is_loaded(game, deadline):
            return False
        # Without seconds: the first use of the memory may take longer.
        least = Limit(nodes=EASY).begin(deadline.stop)
        if self._ready(game, least) is None:
            return False
        return all(self.wins(game, color, play, part) is not False for part in (least, deadline))

    def moves(self, game: Game, color: int, deadline: Deadline) -> Iterator[tuple[int, bool]]:
        """Yield each permitted play that is solved within the limit, with whether it wins."""
        solver = self._ready(game, deadline)
        if solver is None:
            return
        done: set[int] = set()
        most = deadline.limit.nodes
        rounds = (most,) if most is not None and most <= EASY else (EASY, most)  # a hard play must not delay easy ones
        for nodes in rounds:
            for play, winner in solver.first_moves(game.board, color, deadline.limited(nodes=nodes)):
                if winner is not None and play not in done:
                    done.add(play)
                    yield play, winner == color

    def plies(self, game: Game, color: int, plays: Collection[int], deadline: Deadline) -> dict[int, int]:
        """Return the plies to the end under best play after each play, this one included, if found in time."""
        solver = self._ready(game, deadline)
        if solver is None or not has_length(game.rules):
            return {}
        legal = [play for play in solver.plays(solver.node(game.board, color)) if play.point in plays]
        lengths = {play.point: solver.length_after(play, deadline) for play in legal}
        return {point: 1 + plies for point, plies in lengths.items() if plies is not None}

    def _is_loaded(self, game: Game, deadline: Deadline) -> bool:
        """Wait for the solver's code within the limit; return whether it is loaded."""
        large = game.width * game.height > WORD
        return self._compiled_within(deadline, False) and (not large or self._compiled_within(deadline, True))

    def _ready(self, game: Game, deadline: Deadline, part: Part | None = None) -> Solver | None:
        """Return the solver for a position; None if it does not support it, or if its code is not loaded in time.

        Also None if the first use of its memory, which may take 0.3 s, is not done within the limit or a part of it.
        """
        if unsupported(game.rules, game.board) is not None or not self._is_loaded(game, deadline):
            return None
        from ..solver.solver import COMPILED, Solver, table_for

        if not COMPILED:
            return None  # a thousand times slower, it would only delay the search
        within = deadline if part is None else part_of(deadline, part).begin(deadline.stop)
        resources = self._resources()
        memory = table_for(within, resources)
        solver = self._solver
        if solver is None or solver.memory < memory or (solver.width, solver.height) != (game.width, game.height):
            self._solver = solver = Solver(game.width, game.height, memory, resources.threads)
        for _ in solver.untouched:
            if within.expired():
                return None
        solver.begin(game.board)
        return solver

    def _solve_in_part(self, game: Game, color: int, deadline: Deadline) -> Solution | None:
        """Solve within the solver's part of a limit; None without compiled code."""
        points = game.width * game.height
        part = PART_SMALL if points <= SMALL else PART_OPEN if is_open(game.board) else PART_LARGE
        solver = self._ready(game, deadline, part)
        if solver is None:
            return None
        slice_ = part_of(deadline, part).begin(deadline.stop)
        solution = solver.solve(game.board, color, slice_, whole=False)
        if solution.winner is not None and points <= (SMALL if solution.winner == color else TINY):
            solution = solver.solve(game.board, color, slice_.within(LENGTH), length=has_length(game.rules))
        return solution


def _ease(game: Game, color: int, play: int) -> tuple[int, int, int]:
    """Return how easily a person answers a play after which the opponent wins at once: the captures that win, those of
    them that were there before the play, and the most stones in one.
    """
    captures = _winning_captures(game.after_point(play, color), color)
    before = _winning_captures(game, color)
    return len(captures), len(captures.keys() & before.keys()), max(captures.values(), default=0)


def _winning_captures(game: Game, color: int) -> dict[int, int]:
    """Return the points where the opponent of a colour wins by a capture, each with the stones captured there."""
    board, other = game.board, opponent(color)
    stones = {p: bd.captures_at(board, p, other) for p in {bd.last_liberty(board, q) for q in game.atari(color)}}
    return {p: count for p, count in stones.items() if game.rules.won_by(game.prisoners(other) + count)}
