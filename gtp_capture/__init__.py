"""Capture Go and its family: rules, games, a solver, players, reviews, and engines for the Go Text Protocol.

`gtp-capture help library` prints the manual of this package, and `gtp-capture help` lists all pages. The public names
are those of `dir(gtp_capture)`; each has a text of its own, such as `help(gtp_capture.solve)`.

>>> import gtp_capture as gc
>>> game = gc.Game("first-capture", 5)
>>> game.play("C3")
>>> game.play(gc.Player(level=3).choose(game, seconds=0.1))
>>> print(gc.solve(game).winner, game.legal_moves()[0])
black A1

`Game` and its parts are imported with the package. Names of `library` load on first use, because they need the
players; the search and its compiled code load when they are first called.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from .go.board import Board
from .go.game import Game, GameError, IllegalMoveError
from .go.position import GameInfo, Move, Outcome, Position, Termination
from .go.rules import PRESETS, Ko, Passing, Rules, RulesError, Scoring
from .go.scoring import Statuses
from .go.vertex import Color
from .version import __version__

if TYPE_CHECKING:
    from .library import *

BLACK: Final = Color.BLACK
"""The colour Black; short for `Color.BLACK`."""
WHITE: Final = Color.WHITE
"""The colour White; short for `Color.WHITE`."""

__all__ = [
    "BLACK",
    "PRESETS",
    "WHITE",
    "AnalysedMove",
    "Analysis",
    "Better",
    "Bot",
    "Color",
    "Deadline",
    "Elo",
    "EngineFault",
    "Evidence",
    "Explanation",
    "Fault",
    "Game",
    "GameError",
    "GameInfo",
    "Grade",
    "GtpEngine",
    "Hint",
    "IllegalMoveError",
    "Ko",
    "Lost",
    "MatchGame",
    "MatchResult",
    "Move",
    "Node",
    "Outcome",
    "Passing",
    "Player",
    "Playouts",
    "Position",
    "Problem",
    "Proof",
    "ProofError",
    "Reason",
    "Result",
    "Review",
    "ReviewedMove",
    "Rules",
    "RulesError",
    "Scoring",
    "SgfError",
    "Stop",
    "Stream",
    "Termination",
    "Verdict",
    "__version__",
    "analyse",
    "analyze",
    "check_proof",
    "dump_sgf",
    "explain",
    "hint",
    "load_sgf",
    "load_sgf_collection",
    "load_sgf_tree",
    "play_match",
    "playouts",
    "puzzles",
    "read_sgf",
    "read_sgf_tree",
    "review",
    "score",
    "serve",
    "solve",
    "stream",
    "to_thread",
    "write_sgf",
]


if not TYPE_CHECKING:  # type checkers know the names above, and no others

    def __getattr__(name: str) -> Any:
        """Load a public name of `library` on first use (PEP 562)."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.library"), name)
        globals()[name] = value
        return value


def _statuses(board: Board) -> Statuses:
    """Return the status of every chain; the search is loaded if they are not proven."""
    found: Statuses = import_module(f"{__name__}.library.engine").estimated_statuses(board)
    return found


Game.default_statuses = _statuses


def __dir__() -> list[str]:
    return sorted(__all__)
