"""The public functions and classes above the rules engine; `gtp_capture` loads them on first use.

Moves are vertices and colours are `Color` members here; points stay inside the package.
"""

from ..go.sgf import SgfError
from .engine import Player, analyse, explain, hint, score, solve
from .files import dump_sgf, load_sgf, load_sgf_collection
from .results import AnalysedMove, Analysis, UnsupportedError, Verdict

__all__ = [
    "AnalysedMove",
    "Analysis",
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
    "score",
    "solve",
]
