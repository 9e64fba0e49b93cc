"""The player `mcts`, the engine's own: tree search, proofs and exact solver, and the moves at the end of a game."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ..books.lookup import opening_plays
from ..go.board import Board
from ..go.game import Game
from ..go.position import Position, Termination
from ..go.vertex import PASS
from ..go.words import counted
from ..jit.warmup import State, Warmup
from ..judgement import settling
from ..judgement.endgame import (
    answer_to_pass,
    area_komi,
    closing_move,
    count_passes,
    covers,
    exposes,
    sensible_plays,
    without_early_pass,
)
from ..solver.result import Solution, unsupported
from ..util.limit import Deadline, Limit
from ..util.memory import SHORTAGE, affordable
from .levels import FULL, LEVELS
from .oversights import draw_by_shape, plan_turn
from .perfect_play import PART_CHECK, PART_OPEN, PerfectPlay, before_part, is_open, is_worthwhile, length_limit, part_of
from .player import Analyst, Decision, Player, PlayerSettings, last_play, past_matters, without_play
from .shape import ShapePlayer

if TYPE_CHECKING:
    from ..jit.records import Turn
    from ..search.mcts import Candidate, Tree
    from .perfect_play import Resistance


LONG: Final = 2.0
"""With more seconds left, a short search precedes the solver, so that an analysis has something to report meanwhile."""
FIRST: Final = Limit(0.5, 300)
"""The limit of this short search."""
MOST_EMPTY: Final = 36
"""Maximum empty points at which all moves are tried to find those that leave the opponent without a legal play."""
LOST: Final = 1.0
"""Maximum seconds of a search for resistance in a position that is proven lost."""
CLOSING: Final = 0.2
"""Minimum seconds left for a test of the end of the game before a colour has passed."""
CLOSING_POINT: Final = 0.15e-3
"""Minimum seconds left for each point of the board on a board that is nearly full, or after a pass of the opponent: 1.5
times the time of the test. With a game clock, the test may take more than the time for the move."""
CLOCK_TEST: Final = (1 / 30, 1 / 4)
"""The part of the remaining game clock that the test may take: before a pass of the opponent, and after one."""
NEARLY_FULL: Final = 0.5
"""Share of the board that stones cover."""
UNCERTAIN: Final = 4
"""Unsettled chains are read if this multiple of the test's time is left."""
UNTESTED: Final = "no time to test the end"
LOADING: Final = 30.0
"""Maximum seconds to wait for machine code before a move is chosen without it."""
CLOCK_PART: Final = 0.125
"""The part of the remaining game clock that this wait may take."""


class MctsPlayer(Player):
    """Probes the books and runs the solver first, then the tree search; its tree is kept from move to move.

    While the compiled search is not ready, `ShapePlayer` chooses.
    """

    needs_search = True

    def __init__(self, settings: PlayerSettings, warmup: Warmup) -> None:
        self.settings, self._warmup = settings, warmup
        self.seed = random.SystemRandom().getrandbits(62) if settings.seed is None else settings.seed
        self._random = random.Random(self.seed)
        self._shape_player = ShapePlayer(settings)
        self.level = LEVELS[settings.level - 1]
        self.full_strength = self.can_ponder = settings.level == FULL
        self._tests_end = self.full_strength or settings.level >= settling.LEVEL
        """Whether the end of a game is tested by search too."""
        self.allocation = cache(partial(affordable, settings.memory, settings.threads, settings.notify))
        """The memory and threads that tree and solver share, measured when the compiled search has taken its own."""
        # It does not refer to the player: a reference cycle would keep the memory of both until Python finds it.
        self.perfect_play = PerfectPlay(self.allocation, partial(is_ready, warmup))
        self._tree: Tree | None = None
        self._key: tuple[object, ...] = ()
        """The conditions of the tree besides its positions; see `_tree_key`."""
        self._positions: tuple[Position, ...] = ()
        """The game up to the position last searched."""
        self._resistances: dict[int, Resistance] = {}
        """What is known about lost positions, by their nodes."""
        self._nodes: tuple[int, ...] = ()
        """The nodes of the last positions of that game, one for each."""

    def as_analyst(self) -> Analyst:
        """See Player."""
        return self

    def opening(self, game: Game, color: int) -> Decision | None:
        """See Player. Levels below full strength do not use the book."""
        if not self.full_strength or unsupported(game.rules, game.board) is not None:
            return None
        plays = sorted(play for play in opening_plays(game.board, color) if game.is_legal_point(play.point, color))
        if not plays:
            return None
        play = self._random.choice([p for p in plays if p.proven] or plays)
        chance = "wins" if play.proven else f"{play.winrate:.0%}"
        return Decision(play.point, f"{chance}, opening book", winrate=play.winrate)

    def choose(self, game: Game, color: int, deadline: Deadline) -> Decision:
        """See Player."""
        color = int(color)  # NumPy compares plain integers faster than members of Color
        plays = [p for p in sensible_plays(game, color) if deadline.limit.permits(p)]
        if not plays:
            return Decision(without_play(game, color))
        may_close = game.rules.is_scored and game.rules.may_pass
        ready = not deadline.expired() and self.ready(deadline)
        # The game clock may leave time for a test of the end even if the limit of the move does not.
        if may_close and (ready or deadline.limit.seconds is not None):
            end = self._end(game, color, deadline)
            if end is not None:
                return end
        if not ready:
            return self.interim(game, color, deadline)
        if game.rules.is_capture_game:
            passes = not game.loses_without_play(color)
        else:  # a pass before the end is a mistake, but better than a self-atari
            passes = may_close and all(exposes(game.board, p, color) for p in plays)
        if passes and deadline.limit.permits(PASS):
            plays.append(PASS)
        try:
            return self._search(game, color, plays, deadline)
        except MemoryError:
            return replace(self.interim(game, color, deadline), note=SHORTAGE)

    def _end(self, game: Game, color: int, deadline: Deadline) -> Decision | None:
        """Return the move that ends a scored game; None if it is not settled, or if there is no time for the test."""
        cost, spare = CLOSING_POINT * game.width * game.height, deadline.left()
        if deadline.limit.clock is not None:
            spare = max(spare, CLOCK_TEST[count_passes(game)] * (deadline.limit.clock - deadline.elapsed()))
        if spare < cost and count_passes(game) and covers(game, NEARLY_FULL) and deadline.limit.permits(PASS):
            return Decision(PASS, UNTESTED)  # at the end, plays without thought would cost more
        enough = spare > (cost if count_passes(game) or covers(game, NEARLY_FULL) else CLOSING)
        if not enough or not (
            deadline.limit.seconds is None or self._warmup.completed(spare / 2 if deadline.limit.clock is None else 0.0)
        ):
            return None
        end = closing_move(game, color)
        if end is None and self._tests_end and spare > UNCERTAIN * cost:
            end = answer_to_pass(game)
        if end is None or not deadline.limit.permits(end.move):
            return None
        if end.move == PASS and self._tests_end:
            unsettled = settling.unsettled_play(game, color, end, deadline, self.seed)
            if unsettled is not None:
                return Decision(unsettled, "not settled yet")
        return Decision(end.move) if end.certain or not end.has_seki else None

    def ready(self, deadline: Deadline) -> bool:
        """See Analyst."""
        return is_ready(self._warmup, deadline)

    def _search(self, game: Game, color: int, moves: list[int], deadline: Deadline) -> Decision:
        """Choose among these moves by books, solver and tree search; the compiled code is loaded."""
        from ..search.mcts import turn_of

        if not self.full_strength:
            unthinking = self._without_thinking(game, color, without_early_pass(game, color, moves))
            if unthinking is not None:
                return unthinking
            most = self.level.playouts
            deadline = deadline.limited(playouts=min(most, deadline.limit.playouts or most))
        board, last, passes = searched_board(game, color), last_play(game), count_passes(game)
        turn = turn_of(board, game.rules, area_komi(game), color, last, passes)
        solves = self.full_strength and is_worthwhile(game, deadline)
        limit = deadline.limit
        if solves and limit.seconds is not None and limit.playouts is None and deadline.left() > LONG:
            first = replace(FIRST, only=limit.only).begin(deadline.stop)
            tree, root = self._follow(game, color, limit.only)
            tree.search(root, turn, set(moves), first)
        solution = self.perfect_play.decide(game, color, deadline, moves) if solves else None
        lost = solution is not None and solution.winner != color
        best = solution.line[0] if solution is not None and solution.line else 0
        tree, root = self._follow(game, color, limit.only)
        _prove_unanswerable(tree, root, game, color, moves)
        if lost:
            tree.set_lost(root, best)  # before the search, because analysis reads the tree meanwhile
            self.resistance(game, color, deadline, needs_plies=root not in self._resistances)
            deadline = deadline if limit.watched else deadline.within(LOST)
        if best:
            deadline = deadline.limited(playouts=1)  # the one playout expands the node
        if solution is None and solves:
            playouts = self._search_and_check(game, turn, (tree, root), moves, deadline)
        else:
            playouts = tree.search(root, turn, set(moves), deadline)
        if solution is not None and not lost:
            tree.set_proven(root, best, True, solution.plies or int(game.board.empties))
        resistance = self.resistance(game, color, deadline) if tree.proven(root) is False else None
        candidates = [c for c in tree.candidates(root) if c.move in moves]
        if resistance is not None:
            effort = resistance.solution if solution is None else solution
            move = resistance.order[0]
            note = effort.solved(move) if effort.winner is not None else counted(playouts, "playout")
            return Decision(move, f"lost, {note}", playouts, 0.0)
        if candidates:
            losing = {c.move for c in candidates if c.proven < 0}
            chosen = without_early_pass(game, color, [c.move for c in candidates], losing)
            return self._decide([c for c in candidates if c.move in chosen], solution, playouts)
        # Every play loses at once.
        return self._shape_player.greedy.choose(game, color, Limit(only=limit.only).begin())

    def _search_and_check(
        self, game: Game, turn: Turn, node: tuple[Tree, int], moves: list[int], deadline: Deadline
    ) -> int:
        """Search without the plays that the solver has refuted, then solve the position after the best play.

        If the solver refutes this play too, search and check again. Return the number of playouts.
        """
        (tree, root), allowed, color = node, set(moves), turn.color
        playouts = tree.search(root, turn, allowed, deadline.limited(playouts=1))  # expands the node
        for move, won in self.perfect_play.moves(game, color, Limit(0.0, nodes=0).begin()):  # known by the table
            if not won:
                tree.set_proven(root, move, False, 0)
        part = PART_OPEN if is_open(game.board) else PART_CHECK
        while True:
            check = part_of(deadline, part)
            if deadline.limit.playouts is None or playouts < deadline.limit.playouts:
                playouts += tree.search(root, turn, allowed, before_part(deadline, part, playouts))
            best = next((c for c in tree.candidates(root) if c.move in allowed), None)
            if best is None or best.proven:
                return playouts
            if deadline.limit.clock is None:  # the check gets all time that is left, also if the search ended early
                check = part_of(deadline, part._replace(time=1.0))
            wins = self.perfect_play.wins(game, color, best.move, check.begin(deadline.stop))
            if wins is not None:
                tree.set_proven(root, best.move, wins, int(game.board.empties))
            if wins is not False or deadline.expired():
                return playouts

    def _without_thinking(self, game: Game, color: int, moves: list[int]) -> Decision | None:
        """Return the move of a level in a turn in which it does not search, else None."""
        seen = plan_turn(game, color, moves, self.level, self._random)
        if seen.thinks:
            return None
        return Decision(seen.urgent or draw_by_shape(game, color, seen.moves, self._random))

    def _decide(self, candidates: list[Candidate], solution: Solution | None, playouts: int) -> Decision:
        """Take the best candidate, or draw one at the temperature of the level."""
        best, temperature = candidates[0], self.level.temperature
        if temperature > 0:
            weights = [float(c.visits) ** (1 / temperature) for c in candidates]
            best = self._random.choices(candidates, weights)[0] if any(weights) else best
        chance = {1: "wins", -1: "lost"}.get(best.proven, f"{best.winrate:.0%}")
        effort = solution.solved(best.move) if solution is not None else counted(playouts, "playout")
        return Decision(best.move, f"{chance}, {effort}", playouts, best.winrate)

    def interim(self, game: Game, color: int, deadline: Deadline) -> Decision:
        """Choose without the search; the note names the reason, loading or compiling.

        The books need no compiled code, so they are probed first. If the search cannot be loaded, for example for lack
        of memory, its source cannot run either; then the choice is greedy. It is greedy too after an interruption,
        because `ShapePlayer` takes up to a second on a large board.
        """
        failed = self._warmup.state is State.FAILED
        if not (self.full_strength or failed or deadline.expired()):
            plays = [p for p in sensible_plays(game, color) if deadline.limit.permits(p)]
            unthinking = self._without_thinking(game, color, plays)
            if unthinking is not None:
                return unthinking
        if self.full_strength:
            known = self.perfect_play.known(game, color)
            if known is not None and known.line and deadline.limit.permits(known.line[0]):
                move, wins = known.line[0], known.winner == color
                return Decision(move, f"{'wins' if wins else 'lost'}, {known.solved(move)}", winrate=float(wins))
        if failed or deadline.stop.is_set():
            return self._shape_player.greedy.choose(game, color, deadline)
        decision = self._shape_player.choose(game, color, deadline)
        waiting = {State.LOADING: "loading", State.COMPILING: f"{self._warmup.seconds_left():.0f} s left"}
        state = waiting.get(self._warmup.state)
        return decision if state is None else replace(decision, note=f"{decision.note}, {state}")

    def node(self, game: Game, color: int, only: frozenset[int] | None = None) -> tuple[Tree, int] | None:
        """See Analyst."""
        searched = self._positions
        if self._tree is None or not searched or self._key != _tree_key(game, color, only):
            return None
        same = len(searched) == len(game.positions) and searched[-1] == game.positions[-1]
        return (self._tree, self._nodes[-1]) if same else None

    def resistance(self, game: Game, color: int, deadline: Deadline, *, needs_plies: bool = False) -> Resistance | None:
        """See Analyst. A level below full strength does not use the solver."""
        only = deadline.limit.only
        node = self.node(game, color, only)
        if node is None or not self.full_strength or game.rules.is_scored or node[0].proven(node[1]) is not False:
            return None
        tree, root = node
        plays = [p for p in sensible_plays(game, color) if deadline.limit.permits(p)]
        known = self._resistances.get(root)
        if not plays or (known is not None and (known.solution.plies is not None or not needs_plies)):
            return known
        candidates = [c for c in tree.candidates(root) if c.move in plays]
        refuted = {c.move: c.length for c in candidates}
        order = *refuted, *(p for p in plays if p not in refuted)
        # A play without a node loses at once.
        unrefuted = {c.move for c in candidates if c.is_endless}
        lasting = {p: refuted.get(p, 2) for p in plays if p not in unrefuted} if refuted else {}
        limit = length_limit(deadline).begin(deadline.stop)
        resistance = self.perfect_play.resist(game, color, order, limit, lasting)
        if resistance.solution.plies is not None or not needs_plies:
            self._resistances[root] = resistance
        return resistance

    def prove_moves(self, game: Game, color: int, deadline: Deadline) -> None:
        """See Analyst. A level below full strength does not use the solver."""
        node = self.node(game, color, deadline.limit.only)
        if node is not None and self.full_strength:
            tree, root = node
            for move, wins in self.perfect_play.moves(game, color, deadline):
                tree.set_proven(root, move, wins, int(game.board.empties))

    def _follow(self, game: Game, color: int, only: frozenset[int] | None) -> tuple[Tree, int]:
        """Return the tree and the node of the position; the tree is cleared if it does not lead to the position."""
        from ..search.mcts import ROOT, Tree

        if self._tree is None:
            memory, threads = self.allocation()
            self._tree = Tree(memory * 3 // 4, threads, self.seed, reads=self.level.reads)
        key = _tree_key(game, color, only)
        nodes = self._path(self._tree, game, color) if key == self._key else []
        if not nodes:
            self._tree.clear()
            self._resistances.clear()
            nodes = [ROOT]
        elif self._tree.crowded:
            nodes = [self._tree.keep_only(nodes[-1])]
            self._resistances.clear()
        self._key, self._positions, self._nodes = key, tuple(game.positions), tuple(nodes)
        return self._tree, nodes[-1]

    def _path(self, tree: Tree, game: Game, color: int) -> list[int]:
        """Return the nodes of the game's last positions, as far back as the tree has them without a gap; or []."""
        if color != int(game.to_move):
            return []
        pairs = zip(self._positions, game.positions, strict=False)
        shared = next(
            (i for i, (old, new) in enumerate(pairs) if old != new), min(len(self._positions), len(game.positions))
        )
        nodes = list(self._nodes[: max(0, shared - (len(self._positions) - len(self._nodes)))])
        for before, position in pairwise(game.positions[shared - 1 :] if nodes else []):
            mover = position.move.color if position.move is not None else None
            in_turn = before.to_move == mover == position.to_move.opponent
            child = tree.follow(nodes[-1], position.move.point) if position.move and in_turn else None
            if child is None:
                return []
            nodes.append(child)
        return nodes


def searched_board(game: Game, color: int) -> Board:
    """Return the board for a search, without a ko that does not bind the colour to move, as after an extra turn."""
    if not game.board.ko or not game.is_legal_point(int(game.board.ko), color):
        return game.board
    board = game.board.copy()
    board.ko = 0
    return board


def _prove_unanswerable(tree: Tree, root: int, game: Game, color: int, moves: list[int]) -> None:
    """Enter the moves that win because the rules about repetition, which the tree does not know, leave no legal play.

    With more than MOST_EMPTY empty points the test would take long, and no such move is expected.
    """
    rules = game.rules
    loses = rules.is_capture_game or not rules.may_pass
    if not (loses and past_matters(rules) and game.board.empties <= MOST_EMPTY):
        return
    trial = game.copy()
    for move in moves:
        trial.play_point(move, color)
        decided = trial.positions[-1].decided
        if decided is not None and decided.termination is Termination.NO_LEGAL_PLAY:
            tree.set_proven(root, move, True, 0)
        trial.undo()


def _tree_key(game: Game, color: int, only: frozenset[int] | None) -> tuple[object, ...]:
    """The conditions of a tree besides its positions: rules, komi, the colour to move and, if restricted, the moves.

    A restricted search is valid for one position only, so its key also has the number of positions.
    """
    key = game.rules, area_komi(game), color == int(game.to_move)
    return key if only is None else (*key, only, len(game.positions))


def is_ready(warmup: Warmup, deadline: Deadline, large: bool = False) -> bool:
    """Wait for the compiled search, or for the solver's code for large boards; return whether it is ready.

    Without a time limit, where results must be repeatable, wait for the compiler too. With one, wait only for loading;
    the time then starts again, unless loading takes too much of a game clock.
    """
    loading = warmup.large() if large else warmup
    if loading.state is State.READY:
        return True
    seconds, clock = deadline.limit.seconds, deadline.limit.clock
    if seconds is None:
        return loading.wait(deadline.left(), deadline.stop)
    spare = LOADING if clock is None else min(LOADING, CLOCK_PART * clock)
    ready = loading.wait(spare, deadline.stop, compiling=False)
    if ready and (clock is None or seconds <= spare):
        deadline.restart()
    return ready
