"""The players: each takes a game and answers with one legal move. Here stand those with a compiled search."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from ..go import board as bd
from ..go.game import Game
from ..go.position import Position
from ..go.rules import Passing, Scoring
from ..go.vertex import PASS, opponent
from ..jit.warmup import State, Warmup
from ..solver.book.lookup import probe_book
from ..solver.result import unsupported
from ..util.limit import Limit, run_in_slices
from .endgame import area_komi, closing_move, exposes, passes_before
from .levels import LEVELS
from .perfect_play import PerfectPlay
from .shape import ShapePlayer
from .simple import Decision, GreedyPlayer, Player, RandomPlayer, Settings, sensible_plays, without_play

if TYPE_CHECKING:
    from ..util.memory import Room

__all__ = [
    "DEFAULT_PLAYER",
    "NEEDS_SEARCH",
    "PLAYERS",
    "Decision",
    "GreedyPlayer",
    "MctsPlayer",
    "Player",
    "RandomPlayer",
    "Settings",
    "ShapePlayer",
    "UctPlayer",
    "sensible_plays",
]

LOOK: Final = 0.2
"""Seconds that must be left for a look at whether the game is over, unless the opponent thinks so."""
LOADING: Final = 30.0
"""Seconds that loading machine code may take before a move is chosen without it ..."""
CLOCK_PART: Final = 0.125
"""... and the part of a game clock."""


class SearchPlayer:
    """A player whose search is compiled; until it is ready, or if it never is, a player of plain Python answers."""

    def __init__(self, settings: Settings, warmup: Warmup) -> None:
        self.settings = settings
        self.seed = random.SystemRandom().getrandbits(62) if settings.seed is None else settings.seed
        self._warmup = warmup
        self._random = random.Random(self.seed)
        self._fallback = GreedyPlayer(settings)
        self._interim = ShapePlayer(settings)

    def choose(self, game: Game, color: int, limit: Limit) -> Decision:
        """See Player."""
        plays = [p for p in sensible_plays(game, color) if limit.permits(p)]
        if not plays:
            return Decision(without_play(game, color))
        if limit.expired() or not self.ready(limit):
            return self.interim(game, color, limit)
        if game.rules.scoring is not Scoring.NONE:
            timely = limit.left() > LOOK or passes_before(game)
            here = self._warmup.complete or limit.seconds is None
            closing = closing_move(game, color) if timely and here else None
            if closing is not None and limit.permits(closing):
                return Decision(closing)
            # A pass before the end is a mistake, but better than a self-atari.
            if limit.permits(PASS) and all(exposes(game.board, p, color) for p in plays):
                plays.append(PASS)
        elif game.rules.passing is Passing.FREE and limit.permits(PASS):
            plays.append(PASS)
        return self.search(game, color, plays, limit)

    def ready(self, limit: Limit) -> bool:
        """Wait for the compiled search; whether it is there.

        Without a time limit, as where results must be repeatable, this waits for the compiler too. Loading is waited
        for, and the time begins anew after it, unless that takes too much of a game clock.
        """
        warmup = self._warmup
        if warmup.state is State.READY:
            return True
        if limit.seconds is None:
            return warmup.wait(math.inf, limit.stop)
        spare = LOADING if limit.clock is None else min(LOADING, CLOCK_PART * limit.clock)
        there = warmup.wait(spare, limit.stop, compiling=False)
        if there and (limit.clock is None or limit.seconds <= spare):
            limit.restart()
        return there

    def interim(self, game: Game, color: int, limit: Limit) -> Decision:
        """Choose without the search, and say so if it is still to come."""
        decision = self._interim.choose(game, color, limit)
        waiting = {State.LOADING: "loading", State.COMPILING: f"{self._warmup.seconds_left():.0f} s left"}
        state = waiting.get(self._warmup.state)
        return decision if state is None else replace(decision, note=f"{decision.note}, {state}")

    def search(self, game: Game, color: int, moves: list[int], limit: Limit) -> Decision:
        """Think about these moves, with the kernels loaded."""
        raise NotImplementedError


class UctPlayer(SearchPlayer):
    """Plain UCT, the baseline."""

    _state: Any = None

    def search(self, game: Game, color: int, moves: list[int], limit: Limit) -> Decision:
        """See SearchPlayer."""
        from ..playout.uniform import rng, rules_record
        from ..search import uct

        if self._state is None:
            self._state = rng(self.seed)
        rules = rules_record(game.rules, area_komi(game))
        nodes, used = uct.new_tree(moves), 1 + len(moves)
        work, passes = bd.copy(game.board), passes_before(game)

        def run(count: int) -> int:
            nonlocal used
            used = uct.search(nodes, used, game.board, work, rules, self._state, color, passes, count)
            return count

        playouts = run_in_slices(run, limit)
        best = max(nodes[1 : 1 + len(moves)], key=lambda node: int(node.visits))
        winrate = float(best.wins) / max(1, int(best.visits))
        return Decision(int(best.move), f"{winrate:.0%}, {playouts} playouts", playouts, winrate)


class MctsPlayer(SearchPlayer):
    """The engine's own player: the tree search with tactics, proofs and threads; it keeps its tree between moves."""

    def __init__(self, settings: Settings, warmup: Warmup) -> None:
        super().__init__(settings, warmup)
        self.strength = LEVELS[settings.level - 1] if settings.level <= len(LEVELS) else None
        self.perfect_play = PerfectPlay(lambda: self.room, self.ready)

    @cached_property
    def room(self) -> Room:
        """What tree and solver share; found late, when it is known what the compiled search itself takes."""
        from ..util.memory import affordable

        return affordable(self.settings.memory, self.settings.threads, self.settings.say)

    _tree: Any = None
    _question: tuple[object, ...] = ()
    """What else the tree belongs to: the rules, whose turn it is, the moves asked about where they are not all."""
    _positions: tuple[Position, ...] = ()
    """The game up to the position last searched ..."""
    _nodes: tuple[int, ...] = ()
    """... and the nodes of its last positions, one for each."""

    def search(self, game: Game, color: int, moves: list[int], limit: Limit) -> Decision:
        """See SearchPlayer."""
        from ..playout.uniform import rules_record

        strength = self.strength
        if strength is not None:
            limit = limit.with_playouts(min(strength.playouts, limit.playouts or strength.playouts))
        verdict = self.perfect_play.decide(game, color, limit, moves) if strength is None else None
        root = self._follow(game, color, limit.only)
        last = game.last_move
        near = last.point if last is not None and last.point > 0 else 0
        rules = rules_record(game.rules, area_komi(game), strength is None or strength.sharp)
        lost = verdict is not None and verdict.winner != color
        if verdict is not None and lost:
            self._tree.lose(root, verdict.line[0] if verdict.line else 0)  # before the search, which others read
        if verdict is not None and verdict.line:
            limit = limit.with_playouts(1)  # which gives the node its children
        playouts = self._tree.search(root, game.board, rules, color, near, passes_before(game), set(moves), limit)
        if verdict is not None and not lost:
            self._tree.judge(root, verdict.line[0], True, verdict.plies or int(game.board.empties))
        candidates = [c for c in self._tree.candidates(root) if c.move in moves]
        if not candidates:  # every play loses at once: take the greedy one, unless the longest defence is known
            if verdict is not None and lost and verdict.line:
                return Decision(verdict.line[0], f"lost, {verdict.solved(verdict.line[0])}", playouts, 0.0)
            return self._fallback.choose(game, color, Limit(only=limit.only))
        best = candidates[0]
        if strength is not None and strength.temperature > 0:
            weights = [float(c.visits) ** (1 / strength.temperature) for c in candidates]
            best = self._random.choices(candidates, weights)[0] if any(weights) else best
        chance = {1: "wins", -1: "lost"}.get(best.proven, f"{best.winrate:.0%}")
        effort = verdict.solved(best.move) if verdict is not None else f"{playouts} playouts"
        return Decision(best.move, f"{chance}, {effort}", playouts, best.winrate)

    def interim(self, game: Game, color: int, limit: Limit) -> Decision:
        """See SearchPlayer. The books need no compiled code."""
        if self.strength is None and unsupported(game.rules, game.board) is None:
            known = probe_book(game.board, color)
            if known is not None and known.line and limit.permits(known.line[0]):
                chance = "wins" if known.winner == color else "lost"
                return Decision(
                    known.line[0], f"{chance}, {known.solved(known.line[0])}", winrate=float(chance == "wins")
                )
        return super().interim(game, color, limit)

    def _follow(self, game: Game, color: int, only: frozenset[int] | None) -> int:
        """The node of the position, in the tree that is there if it leads to it, else in a new one."""
        from ..search.mcts import ROOT, Tree

        if self._tree is None:
            learned = self.strength is None or self.strength.learned
            self._tree = Tree(self.room.memory * 3 // 4, self.room.threads, self.seed, learned)
        question = _question(game, color, only)
        nodes = self._known_nodes(game, color) if question == self._question else []
        if not nodes:
            self._tree.clear()
            nodes = [ROOT]
        elif self._tree.crowded:
            nodes = [self._tree.keep_only(nodes[-1])]
        self._question, self._positions, self._nodes = question, tuple(game.positions), tuple(nodes)
        return nodes[-1]

    def node(self, game: Game, color: int, only: frozenset[int] | None = None) -> tuple[Any, int] | None:
        """The tree and the node in it of the position that is being searched, or was searched last; else None."""
        searched = self._positions
        if not searched or self._question != _question(game, color, only):
            return None
        here = len(searched) == len(game.positions) and searched[-1] == game.positions[-1]
        return (self._tree, self._nodes[-1]) if here else None

    def judge_moves(self, game: Game, color: int, limit: Limit) -> None:
        """Enter into the tree what is proven of each move of the position searched last, as a picture of it wants."""
        found = self.node(game, color, limit.only)
        if found is not None and self.strength is None:
            for move, wins in self.perfect_play.moves(game, color, limit):
                found[0].judge(found[1], move, wins, int(game.board.empties))

    def _known_nodes(self, game: Game, color: int) -> list[int]:
        """The nodes of the game's last positions as far as the tree holds them without a gap; none if it does not."""
        if color != game.to_move:
            return []
        pairs = zip(self._positions, game.positions, strict=False)
        shared = next(
            (i for i, (old, new) in enumerate(pairs) if old != new), min(len(self._positions), len(game.positions))
        )
        nodes = list(self._nodes[: max(0, shared - (len(self._positions) - len(self._nodes)))])
        for before, position in pairwise(game.positions[shared - 1 :] if nodes else []):
            mover = position.move.color if position.move is not None else None
            in_turn = before.to_move == mover == opponent(position.to_move)
            child = self._tree.child(nodes[-1], position.move.point) if position.move and in_turn else None
            if child is None:
                return []
            nodes.append(child)
        return nodes


def _question(game: Game, color: int, only: frozenset[int] | None) -> tuple[object, ...]:
    """What a tree belongs to; what is found of a few moves says nothing of the positions before and after."""
    whole = game.rules, area_komi(game), color == game.to_move
    return whole if only is None else (*whole, only, len(game.positions))


Factory = Callable[[Settings, Warmup], Player]

PLAYERS: Final[Mapping[str, Factory]] = {
    "random": lambda settings, warmup: RandomPlayer(settings),
    "greedy": lambda settings, warmup: GreedyPlayer(settings),
    "shape": lambda settings, warmup: ShapePlayer(settings),
    "uct": UctPlayer,
    "mcts": MctsPlayer,
}
DEFAULT_PLAYER: Final = "mcts"
NEEDS_SEARCH: Final = frozenset({"uct", "mcts"})
"""Players that use compiled code, so that the others never load it."""
