"""Where each public name above the rules engine comes from; `gtp_capture` loads them on first use.

Moves are vertices and colours are `Color` members here; points stay inside the package.
"""

from ..go.sgf import SgfError as SgfError
from ..go.sgf_tree import Node as Node
from ..match.process import EngineFault as EngineFault
from ..match.process import Fault as Fault
from ..match.ratings import Elo as Elo
from ..match.report import MatchResult as MatchResult
from ..match.rows import MatchGame as MatchGame
from ..players.analysis import AnalysedMove as AnalysedMove
from ..players.bot import Bot as Bot
from ..solver.proofs.files import Proof as Proof
from ..solver.proofs.format import ProofError as ProofError
from ..teach.explain import Better as Better
from ..teach.explain import Evidence as Evidence
from ..teach.explain import Explanation as Explanation
from ..teach.explain import Hint as Hint
from ..teach.explain import Lost as Lost
from ..teach.explain import Result as Result
from ..teach.puzzles.problem import Problem as Problem
from ..teach.reasons import Reason as Reason
from ..teach.review.reviewed import Grade as Grade
from ..teach.review.reviewed import Review as Review
from ..teach.review.reviewed import ReviewedMove as ReviewedMove
from ..util.limit import Deadline as Deadline
from .bots import GtpEngine as GtpEngine
from .bots import serve as serve
from .engine import Player as Player
from .engine import analyse as analyse
from .engine import analyze as analyze
from .engine import check_proof as check_proof
from .engine import explain as explain
from .engine import hint as hint
from .engine import score as score
from .engine import solve as solve
from .files import dump_sgf as dump_sgf
from .files import load_sgf as load_sgf
from .files import load_sgf_collection as load_sgf_collection
from .files import load_sgf_tree as load_sgf_tree
from .files import read_sgf as read_sgf
from .files import read_sgf_tree as read_sgf_tree
from .files import write_sgf as write_sgf
from .lessons import puzzles as puzzles
from .lessons import review as review
from .matches import play_match as play_match
from .results import Analysis as Analysis
from .results import Verdict as Verdict
from .statistics import Playouts as Playouts
from .statistics import playouts as playouts
from .stopping import Stop as Stop
from .stopping import to_thread as to_thread
from .streams import Stream as Stream
from .streams import stream as stream
