"""Capture Go and its family: rules, games, a solver, players, reviews, and engines for the Go Text Protocol.

`gtp-capture help library` prints the manual of this package, and `gtp-capture help` lists all pages. Each name has a
text of its own, such as `help(gtp_capture.solve)`.

>>> import gtp_capture as gc
>>> game = gc.Game("first-capture", 5)
>>> game.play("C3")
>>> game.play(gc.Player(level=3).choose(game, seconds=0.1))
>>> print(gc.solve(game).winner)
black

A game       Game Position Move Outcome Termination Illegal Status GameInfo, BLACK WHITE Color ColorLike
Its rules    Rules PRESETS Ko Passing Scoring
SGF          load_sgf dump_sgf read_sgf write_sgf load_sgf_collection iter_sgf SgfItem,
             Node load_sgf_tree load_sgf_trees read_sgf_tree
Results      solve Verdict check_proof Proof score, action_values is_optimal regret, playouts Playouts
Analysis     analyse (analyze) Analysis AnalysedMove stream Stream, hint Hint Reason,
             explain Explanation Result Lost Evidence
Reviews      review Review ReviewedMove Grade Remark Counts, puzzles Problem Difficulty
Players      Player, serve Bot Deadline, GtpEngine EngineFault Fault
Matches      play_match MatchResult MatchGame Score Outcomes Elo Sprt Rating
Calls        Stop to_thread
Errors       GameError IllegalMoveError RulesError SgfError ProofError

`gtp_capture.environment` has the games as environments for reinforcement learning, `gtp_capture.yardstick` tasks and
measures against perfect play.

`Game` and its parts are imported with the package. Other names load on first use, because most of them need the
players; the search and its compiled code load when they are first called.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from .go.game import Game as Game
from .go.game import GameError as GameError
from .go.game import IllegalMoveError as IllegalMoveError
from .go.position import GameInfo as GameInfo
from .go.position import Illegal as Illegal
from .go.position import Move as Move
from .go.position import Outcome as Outcome
from .go.position import Position as Position
from .go.position import Termination as Termination
from .go.rules import PRESETS as PRESETS
from .go.rules import Ko as Ko
from .go.rules import Passing as Passing
from .go.rules import Rules as Rules
from .go.rules import RulesError as RulesError
from .go.rules import Scoring as Scoring
from .go.scoring import Status as Status
from .go.vertex import Color as Color
from .go.vertex import ColorLike as ColorLike
from .version import __version__ as __version__

if TYPE_CHECKING:
    from .library import *

BLACK: Final = Color.BLACK
"""The colour Black; short for `Color.BLACK`."""
WHITE: Final = Color.WHITE
"""The colour White; short for `Color.WHITE`."""

# Not `__all__`: pydoc would write all of these names with all of their methods into `help(gtp_capture)`.
_NAMES: Final = (
    *("Game", "Position", "Move", "Outcome", "Termination", "Illegal", "Status", "GameInfo"),
    *("BLACK", "WHITE", "Color", "ColorLike", "Rules", "PRESETS", "Ko", "Passing", "Scoring"),
    *("load_sgf", "dump_sgf", "read_sgf", "write_sgf", "load_sgf_collection", "iter_sgf", "SgfItem"),
    *("Node", "load_sgf_tree", "load_sgf_trees", "read_sgf_tree"),
    *("solve", "Verdict", "check_proof", "Proof", "score", "action_values", "is_optimal", "regret"),
    *("playouts", "Playouts", "analyse", "analyze", "Analysis", "AnalysedMove", "stream", "Stream"),
    *("hint", "Hint", "Reason", "explain", "Explanation", "Result", "Lost", "Evidence"),
    *("review", "Review", "ReviewedMove", "Grade", "Remark", "Counts", "puzzles", "Problem", "Difficulty"),
    *("Player", "serve", "Bot", "Deadline", "GtpEngine", "EngineFault", "Fault"),
    *("play_match", "MatchResult", "MatchGame", "Score", "Outcomes", "Elo", "Sprt", "Rating"),
    *("Stop", "to_thread", "GameError", "IllegalMoveError", "RulesError", "SgfError", "ProofError", "__version__"),
)


if not TYPE_CHECKING:  # type checkers know the names above, and no others

    def __getattr__(name: str) -> Any:
        """Load a public name on first use (PEP 562): of SGF without the rest, or of `library`."""
        if name not in _NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        files = import_module(f"{__name__}.go.files")
        value = getattr(files if hasattr(files, name) else import_module(f"{__name__}.library"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(_NAMES)
