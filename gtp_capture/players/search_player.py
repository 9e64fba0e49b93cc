"""The base of players with a compiled search: the end of the game, passes, and moves while the search loads."""

from __future__ import annotations

import abc
import math
import random
from dataclasses import replace
from typing import Final

from ..go.game import Game
from ..go.vertex import PASS
from ..jit.warmup import State, Warmup
from ..util.limit import Deadline
from ..util.memory import SHORTAGE
from .endgame import GameEnd, answer_to_pass, closing_move, covers, exposes, passes_before
from .player import Decision, Player, PlayerSettings, sensible_plays, without_play
from .shape import ShapePlayer

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


class SearchPlayer(Player, abc.ABC):
    """A player with a compiled search; `ShapePlayer` chooses while the search is not ready."""

    needs_search = True
    tests_end = False
    """Whether `unsettled` tests the end of a game by search."""

    def __init__(self, settings: PlayerSettings, warmup: Warmup) -> None:
        self.settings = settings
        self.seed = random.SystemRandom().getrandbits(62) if settings.seed is None else settings.seed
        self._warmup = warmup
        self._random = random.Random(self.seed)
        self._shape_player = ShapePlayer(settings)

    @abc.abstractmethod
    def search(self, game: Game, color: int, moves: list[int], deadline: Deadline) -> Decision:
        """Choose among these moves by search; the compiled code is loaded."""

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
            return self.search(game, color, plays, deadline)
        except MemoryError:
            return replace(self.interim(game, color, deadline), note=SHORTAGE)

    def _end(self, game: Game, color: int, deadline: Deadline) -> Decision | None:
        """Return the move that ends a scored game; None if it is not settled, or if there is no time for the test."""
        cost, spare = CLOSING_POINT * game.width * game.height, deadline.left()
        if deadline.limit.clock is not None:
            spare = max(spare, CLOCK_TEST[passes_before(game)] * (deadline.limit.clock - deadline.elapsed()))
        if spare < cost and passes_before(game) and covers(game, NEARLY_FULL) and deadline.limit.permits(PASS):
            return Decision(PASS, UNTESTED)  # at the end, plays without thought would cost more
        enough = spare > (cost if passes_before(game) or covers(game, NEARLY_FULL) else CLOSING)
        if not enough or not (
            deadline.limit.seconds is None or self._warmup.completed(spare / 2 if deadline.limit.clock is None else 0.0)
        ):
            return None
        end = closing_move(game, color)
        if end is None and self.tests_end and spare > UNCERTAIN * cost:
            end = answer_to_pass(game)
        if end is None or not deadline.limit.permits(end.move):
            return None
        unsettled = self.unsettled(game, color, end, deadline) if end.move == PASS else None
        if unsettled is not None:
            return Decision(unsettled, "not settled yet")
        return Decision(end.move) if end.certain or not end.has_seki else None

    def unsettled(self, game: Game, color: int, end: GameEnd, deadline: Deadline) -> int | None:
        """Return a play to make before the pass that ends the game; None if the player sees none."""
        return None

    def ready(self, deadline: Deadline, large: bool = False) -> bool:
        """See Analyst."""
        return is_ready(self._warmup, deadline, large)

    def interim(self, game: Game, color: int, deadline: Deadline) -> Decision:
        """Choose without the search; the note names the reason, loading or compiling.

        If the search cannot be loaded, for example for lack of memory, its source cannot run either; then the choice is
        greedy.
        """
        if self._warmup.state is State.FAILED:
            return self._shape_player.greedy.choose(game, color, deadline)
        decision = self._shape_player.choose(game, color, deadline)
        waiting = {State.LOADING: "loading", State.COMPILING: f"{self._warmup.seconds_left():.0f} s left"}
        state = waiting.get(self._warmup.state)
        return decision if state is None else replace(decision, note=f"{decision.note}, {state}")


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
        return loading.wait(math.inf, deadline.stop)
    spare = LOADING if clock is None else min(LOADING, CLOCK_PART * clock)
    ready = loading.wait(spare, deadline.stop, compiling=False)
    if ready and (clock is None or seconds <= spare):
        deadline.restart()
    return ready
