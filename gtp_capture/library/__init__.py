"""The public functions and classes above the rules engine; `gtp_capture` loads them on first use.

Moves are vertices and colours are `Color` members here; points stay inside the package.
"""

from ..go.sgf import SgfError
from ..match.process import EngineFault, Fault
from ..players.bot import Bot
from ..util.limit import Deadline
from .bots import GtpEngine, serve
from .engine import Player, analyse, explain, hint, score, solve
from .files import dump_sgf, load_sgf, load_sgf_collection
from .matches import Elo, MatchError, MatchGame, MatchResult, play_match
from .results import AnalysedMove, Analysis, UnsupportedError, Verdict

__all__ = [
    "AnalysedMove",
    "Analysis",
    "Bot",
    "Deadline",
    "Elo",
    "EngineFault",
    "Fault",
    "GtpEngine",
    "MatchError",
    "MatchGame",
    "MatchResult",
    "Player",
    "SgfError",
    "UnsupportedError",
    "Verdict",
    "analyse",
    "dump_sgf",
    "explain",
    "hint",
    "load_sgf",
    "load_sgf_collection",
    "play_match",
    "score",
    "serve",
    "solve",
]
