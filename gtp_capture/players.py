"""The players: each takes a game and answers with one legal move."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from . import board as bd
from .board import Board
from .game import Game
from .rules import Scoring
from .search.limit import Limit
from .search.warm import Warmup
from .vertex import PASS, RESIGN, opponent


@dataclass(frozen=True, slots=True)
class Decision:
    """A move, and what its player has to say about it."""

    move: int
    note: str = ""
    playouts: int = 0
    winrate: float | None = None
    """The chance to win, 0 to 1, as the player sees it."""


class Player(Protocol):
    """Chooses moves. The game is not over and is not changed; the colour may be either."""

    def choose(self, game: Game, color: int, limit: Limit) -> Decision:
        """A legal move (or PASS, where the rules have it) within the limit; RESIGN only where nothing else is left."""
        ...


@dataclass(frozen=True, slots=True)
class Settings:
    """What a player is made from."""

    seed: int | None = None
    threads: int = 1
    level: int = 10


def without_play(game: Game, color: int) -> int:
    """What is left to a colour that has no play: a pass, unless that loses or is forbidden."""
    return RESIGN if game.loses_without_play(color) else PASS


def sensible_plays(game: Game, color: int) -> list[int]:
    """Legal plays, without those that fill an own eye where the board is going to be scored."""
    plays = game.legal_plays(color)
    if game.rules.scoring is Scoring.NONE:
        return plays
    return [p for p in plays if not bd.is_eye(game.board, p, color)]


class RandomPlayer:
    """Any sensible play, each with equal chance."""

    def __init__(self, settings: Settings) -> None:
        self._random = random.Random(settings.seed)

    def choose(self, game: Game, color: int, limit: Limit) -> Decision:
        """See Player."""
        plays = sensible_plays(game, color)
        return Decision(self._random.choice(plays) if plays else without_play(game, color))


class GreedyPlayer:
    """Captures, else saves, else leaves its stones the most liberties. Plain Python, so it also answers in need.

    It looks at the points in random order and, when the time is over, plays the best one seen.
    """

    def __init__(self, settings: Settings) -> None:
        self._random = random.Random(settings.seed)

    def choose(self, game: Game, color: int, limit: Limit) -> Decision:
        """See Player."""
        board = game.board
        candidates = [int(p) for p in board.empty[: board.empties]]
        candidates.sort()
        self._random.shuffle(candidates)
        # Urgent points first: what is in atari, on either side, must not be missed for lack of time.
        urgent = {bd.last_liberty(board, p) for c in (opponent(color), color) for p in game.atari(c)}
        candidates.sort(key=lambda p: p not in urgent)
        scored = game.rules.scoring is not Scoring.NONE
        best, best_value = 0, (-1, -1, -1)
        for p in candidates:
            if best and limit.expired():
                break
            if not game.is_legal(color, p) or (scored and bd.is_eye(board, p, color)):
                continue
            value = self._value(board, p, color)
            if value > best_value:
                best, best_value = p, value
        return Decision(best if best else without_play(game, color))

    @staticmethod
    def _value(board: Board, p: int, color: int) -> tuple[int, int, int]:
        """Stones captured; stones saved, or minus those exposed; liberties of the chain."""
        captured = bd.captures_at(board, p, color)
        saved = sum(
            len(bd.stones(board, q))
            for q in bd.neighbors(board, p)
            if board.color[q] == color and bd.in_atari(board, q)
        )
        after = bd.copy(board)
        if bd.play(after, p, color) < 0:
            return captured, -len(bd.stones(board, p)), 0
        liberties = len(bd.liberties(after, p))
        if liberties == 1:
            saved = -int(after.chain_size[after.root[p]])
        return captured, saved, liberties


class SearchPlayer:
    """A player whose search is compiled; until that is ready, or if it never is, the greedy player answers."""

    slice_seconds: Final = 0.004

    def __init__(self, settings: Settings, warmup: Warmup) -> None:
        self.settings = settings
        self._warmup = warmup
        self._fallback = GreedyPlayer(settings)
        self._state: Any = None

    def choose(self, game: Game, color: int, limit: Limit) -> Decision:
        """See Player."""
        plays = sensible_plays(game, color)
        if not plays:
            return Decision(without_play(game, color))
        # Without a clock to lose on, the first move of a new machine waits for the compiler.
        patience = 120.0 if limit.patient else limit.left()
        if limit.expired() or not self._warmup.wait(patience):
            return self._fallback.choose(game, color, limit)
        if limit.patient:
            limit.restart()
        return self.search(game, color, plays, limit)

    def search(self, game: Game, color: int, plays: list[int], limit: Limit) -> Decision:
        """Think, with the kernels loaded."""
        raise NotImplementedError

    def generator(self) -> Any:
        """The state of the random numbers, which goes on from move to move."""
        from .search.playout import rng

        if self._state is None:
            seed = self.settings.seed
            self._state = rng(random.SystemRandom().getrandbits(64) if seed is None else seed)
        return self._state


class UctPlayer(SearchPlayer):
    """Plain UCT, the baseline."""

    def search(self, game: Game, color: int, plays: list[int], limit: Limit) -> Decision:
        """See Player."""
        from .search import uct
        from .search.playout import rules_record

        rules = rules_record(game.rules, game.komi)
        moves = plays + ([PASS] if game.rules.scoring is not Scoring.NONE else [])
        nodes, used = uct.new_tree(moves), 1 + len(moves)
        work = bd.copy(game.board)
        last = game.last_move
        passes = 1 if last is not None and last.point == PASS else 0
        state = self.generator()

        def run(count: int) -> int:
            nonlocal used
            used = uct.search(nodes, used, game.board, work, rules, state, color, passes, count)
            return count

        playouts = run_in_slices(run, limit, self.slice_seconds)
        best = max(nodes[1 : 1 + len(moves)], key=lambda node: int(node.visits))
        winrate = float(best.wins) / max(1, int(best.visits))
        return Decision(int(best.move), f"{playouts} playouts, {winrate:.0%}", playouts, winrate)


def run_in_slices(run: Callable[[int], int], limit: Limit, slice_seconds: float) -> int:
    """Call run(n) until the limit, with n such that a call takes about one slice; how many playouts there were."""
    done, count = 0, 16
    while limit.playouts is None or done < limit.playouts:
        if limit.playouts is not None:
            count = min(count, limit.playouts - done)
        before = limit.elapsed()
        done += run(count)
        took = limit.elapsed() - before
        if limit.expired():
            break
        # Never plan past the end; the first slices measure the machine.
        target = min(slice_seconds, limit.left() / 2)
        count = max(1, min(2 * count, int(count * target / max(took, 1e-6))))
    return done


Factory = Callable[[Settings, Warmup], Player]

PLAYERS: Final[Mapping[str, Factory]] = {
    "random": lambda settings, warmup: RandomPlayer(settings),
    "greedy": lambda settings, warmup: GreedyPlayer(settings),
    "uct": UctPlayer,
    "mcts": UctPlayer,
}
DEFAULT_PLAYER: Final = "mcts"
NEEDS_SEARCH: Final = frozenset({"uct", "mcts"})
"""Players that use compiled code, so that the others never load it."""
