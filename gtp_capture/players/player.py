"""The interface of players: the protocol that all players implement, their settings and their decisions.

To add a player to this package, write a class with `choose` in a new file, derive it from `Player`, and add a line to
`registry.py`. A player of another program is a `Bot`; see `bot.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from ..go.game import Game
from ..go.rules import Ko, Rules
from ..go.vertex import PASS, RESIGN
from ..util.limit import Deadline

if TYPE_CHECKING:
    from ..search.mcts import Tree
    from .perfect_play import PerfectPlay, Resistance


MOST_THREADS: Final = 256
"""Maximum threads of one search."""


def all_cores() -> int:
    """Return the threads of a search that uses all cores."""
    return min(MOST_THREADS, os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class PlayerSettings:
    """Settings that every player is created with; a player ignores the ones that it does not use."""

    seed: int | None = None
    """None: a random one."""
    threads: int = 1
    level: int = 10
    """See `levels`."""
    memory: int = 512 * 2**20
    """Bytes for the search tree and the solver's table."""
    notify: Callable[[str], None] = lambda line: None
    """Called with each line for the console."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A chosen move, with the data to report about it."""

    move: int
    note: str = ""
    """A few words for the console, for example "56%, 1200 playouts"."""
    playouts: int = 0
    winrate: float | None = None
    """Estimated chance to win of the colour that moves, 0 to 1."""


class Player(Protocol):
    """Chooses moves, and declares its other abilities. A subclass overrides the defaults below."""

    needs_search: bool = False
    """Whether it uses compiled code, which a session then loads at its start."""
    can_ponder: bool = False
    """Whether `choose` on the opponent's time makes its own next move better."""
    has_analysis: bool = True
    """Whether a session offers the analysis commands."""
    name: str = ""
    """The name in GTP and in saved games; "" for the name of the program."""
    version: str = ""
    """The version in GTP; "" for the version of the program."""

    def as_analyst(self) -> Analyst | None:
        """Return the interface for reading its search; None if it has no search tree."""
        return None

    def load(self) -> None:
        """Load what the first move needs besides compiled code; it may take long. Other calls may come meanwhile."""
        return

    def opening(self, game: Game, color: int) -> Decision | None:
        """Return a move of the opening book, which takes no time; None if the position is not there."""
        return None

    def choose(self, game: Game, color: int, deadline: Deadline) -> Decision:
        """Choose a move of either colour in a game that is not over; the game is not changed.

        Return a legal play, PASS if that is legal, or RESIGN if there is neither, within the limit.
        """
        ...


class Analyst(Player, Protocol):
    """A player whose search tree can be read, also while it searches: the source of analysis, hints and claims."""

    full_strength: bool
    """Whether it plays without the restrictions of a level."""
    perfect_play: PerfectPlay
    """The exact solver and the books; they share the player's memory limit."""

    def node(self, game: Game, color: int, only: frozenset[int] | None = None) -> tuple[Tree, int] | None:
        """Return the tree and the node of a position if it was searched last or is being searched; else None.

        `only`: the moves that the search was restricted to.
        """
        ...

    def ready(self, deadline: Deadline) -> bool:
        """Wait for the compiled search within a limit; return whether it is ready."""
        ...

    def resistance(self, game: Game, color: int, deadline: Deadline, *, needs_plies: bool = False) -> Resistance | None:
        """Return how to play on in a capture game that is proven lost in the position searched last; else None.

        The first call computes it within a part of the limit; the answer stays the same while the tree is kept.
        `needs_plies`: a kept answer without plies, of a shorter limit, is computed again, and none without plies is
        kept, because the order of a search that follows will be better.
        """
        ...

    def prove_moves(self, game: Game, color: int, deadline: Deadline) -> None:
        """Solve the moves of the position searched last one by one, and enter the proofs into the tree."""
        ...


def past_matters(rules: Rules) -> bool:
    """Whether rules about repetition, which the search tree does not know, can forbid a play."""
    return rules.ko.is_superko or (rules.suicide and rules.ko is not Ko.NONE)


def without_play(game: Game, color: int) -> int:
    """Return the answer of a colour without any play: RESIGN if that loses by the rules, else PASS."""
    return RESIGN if game.loses_without_play(color) else PASS


def last_play(game: Game) -> int:
    """Return the point of the last move; 0 if there is none or it was a pass."""
    last = game.last_move
    return last.point if last is not None and last.point > 0 else 0
