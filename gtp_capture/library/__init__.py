"""The public functions and classes above the rules engine; `gtp_capture` loads them on first use.

Moves are vertices and colours are `Color` members here; points stay inside the package.
"""

from ..go.sgf import SgfError
from ..match.process import EngineFault, Fault
from ..match.ratings import Elo
from ..match.report import MatchResult
from ..match.rows import MatchGame
from ..players.analysis import AnalysedMove
from ..players.bot import Bot
from ..teach.explain import Better, Evidence, Explanation, Hint, Lost, Result
from ..teach.puzzles.problem import Problem
from ..teach.reasons import Reason
from ..teach.review.judge import Grade
from ..util.limit import Deadline
from .bots import GtpEngine, serve
from .engine import Player, analyse, explain, hint, score, solve
from .files import dump_sgf, load_sgf, load_sgf_collection, read_sgf, write_sgf
from .lessons import Review, ReviewedMove, puzzles, review
from .matches import play_match
from .results import Analysis, Verdict
from .streams import Stream, stream

__all__ = [
    "AnalysedMove",
    "Analysis",
    "Better",
    "Bot",
    "Deadline",
    "Elo",
    "EngineFault",
    "Evidence",
    "Explanation",
    "Fault",
    "Grade",
    "GtpEngine",
    "Hint",
    "Lost",
    "MatchGame",
    "MatchResult",
    "Player",
    "Problem",
    "Reason",
    "Result",
    "Review",
    "ReviewedMove",
    "SgfError",
    "Stream",
    "Verdict",
    "analyse",
    "dump_sgf",
    "explain",
    "hint",
    "load_sgf",
    "load_sgf_collection",
    "play_match",
    "puzzles",
    "read_sgf",
    "review",
    "score",
    "serve",
    "solve",
    "stream",
    "write_sgf",
]
