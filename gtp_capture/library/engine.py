"""The public functions that search and solve: Player, solve, analyse, hint, explain, score.

The first call that needs the compiled code loads it, or compiles it (about 20 seconds); limits do not count that time.
In a process that was forked meanwhile they raise RuntimeError. After any other fork all of them work in both processes.
"""

from __future__ import annotations

import gc
import os
import threading
import weakref
from functools import cache
from operator import index
from types import TracebackType
from typing import Final, Literal

from ..go.game import Game, GameError
from ..go.vertex import Color, ColorLike
from ..jit.warmup import loaded
from ..players import levels
from ..players.analysis import MoveAnalysis, move_analyses, proven, study
from ..players.life import statuses
from ..players.mcts import MctsPlayer
from ..players.perfect_play import EASY
from ..players.player import PlayerSettings
from ..solver import result
from ..teach import explain as facts
from ..teach.explain import Explanation, Hint
from ..util.limit import Deadline, Limit
from ..util.memory import MEBIBYTE
from ..version import PROGRAM, __version__
from .results import AnalysedMove, Analysis, UnsupportedError, Verdict, check_game, side_of

SECONDS: Final = 1.0
"""Time for a move, an analysis, a hint or an explanation if neither seconds nor playouts are given."""
LINES: Final = 0.5
"""Seconds to continue the lines of proven moves."""
SOLVER_MEMORY: Final = 256 * MEBIBYTE
"""Bytes of the table for a game of several prisoners."""


_players: Final[weakref.WeakSet[Player]] = weakref.WeakSet()
"""All players, for `_after_fork`."""


class Player:
    """The engine's own player: a tree search, at full strength also with the exact solver and the opening books.

    It keeps its search tree from move to move. Use it as a context manager, or call `close`, to free memory and threads
    at once; otherwise a later run of Python's garbage collector frees them. Sources: see `analyse` and `solve`.
    """

    def __init__(self, *, level: int | str = 10, seed: int | None = None, threads: int = 1, memory: int = 512) -> None:
        """Prepare a player; nothing is loaded before its first use.

        `level`: 1 to 10 or a name such as "beginner" (see `players/levels.py`); `seed` makes the moves repeatable if
        `playouts` are given and there is one thread; `memory`: maximum MiB for the tree and the solver.
        ValueError: no such level, fewer than one thread or MiB, or a negative seed. TypeError: no whole number.
        """
        if index(threads) < 1 or index(memory) < 1:
            raise ValueError("a player needs at least 1 thread and 1 MiB")
        if seed is not None and index(seed) < 0:
            raise ValueError("a seed is 0 or more")
        self.level: Final = levels.level(str(level))
        self.version: Final = __version__
        self._settings = PlayerSettings(seed, threads, self.level, memory * MEBIBYTE)
        self._begin()
        _players.add(self)

    def _begin(self) -> None:
        """Start without a tree; in a forked process also without the lock and the threads of the other process."""
        self._player: MctsPlayer | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Player:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Player, level {self.level}: {levels.name(self.level)}>"

    @property
    def name(self) -> str:
        """Its name in matches: "gtp-capture", with a level below full strength also that."""
        return PROGRAM if self.level == levels.FULL else f"{PROGRAM} level {self.level}"

    def close(self) -> None:
        """Free the search tree, the solver's table and the threads; the next use starts with new ones."""
        with self._lock:
            self._player = None
            gc.collect()  # the tree and the solver's table are in reference cycles

    def choose(
        self,
        game: Game,
        limit: Deadline | None = None,
        *,
        color: ColorLike | None = None,
        seconds: float | None = None,
        playouts: int | None = None,
    ) -> str:
        """Return a legal move for a colour (default: the one to move) without playing it.

        The move is a vertex, "pass", or "resign" if there is no legal play or pass. It is from the opening book, or a
        search of at most `seconds` and `playouts` (default: 1 second) finds it; or until the end of `limit`, with which
        `serve` and `play_match` call it.
        GameError: the game is over. ColorError: not a colour.
        """
        side = side_of(game, color)
        with self._lock:
            player, deadline = self._ready(), limit or _limit(seconds, playouts)
            return game.vertex((player.opening(game, side) or player.choose(game, side, deadline)).move)

    def _ready(self) -> MctsPlayer:
        warmup = loaded()
        if self._player is None:
            self._player = MctsPlayer(self._settings, warmup)
        return self._player


def _after_fork() -> None:
    """Let each player start anew in a forked process.

    A search may run in another thread of the parent process: here its thread is gone, its lock would stay locked for
    ever, and its tree may be half written.
    """
    for player in list(_players):
        player._begin()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@cache
def _analyst() -> Player:
    """The player at full strength that all functions below share, with one thread."""
    return Player()


def solve(game: Game, *, seconds: float | None = 5.0) -> Verdict:
    """Solve the position for the colour to move within `seconds` (None: without a limit).

    Supports games where the next capture wins for either side on boards of up to 128 points; and capture-N without
    passing and ko on very small boards, where plies are not computed.
    Source: df-pn (Nagai 2002) and a book of small boards; see `solver/solver.py` and `solver/exhaustive.py`.
    UnsupportedError: rules or a board that are not supported. GameError: the game is over. ValueError: less than 0 s.
    """
    side, deadline = side_of(game, None), _limit(seconds, None) if seconds is not None else Limit().begin()
    if game.rules.is_capture_game and not result.next_capture_wins(game.rules, game.board):
        found = _solve_exhaustively(game, side, deadline)
    elif (reason := result.unsupported(game.rules, game.board)) is not None:
        raise UnsupportedError(reason)
    else:
        analyst = _analyst()
        with analyst._lock:
            found = analyst._ready().perfect_play.solve(game, side, deadline)
    winner = None if found.winner is None else Color(found.winner)
    return Verdict(winner, _vertices(game, found.line), found.plies, found.nodes)


def _solve_exhaustively(game: Game, color: int, deadline: Deadline) -> result.Solution:
    """Solve a game of several prisoners. UnsupportedError: other rules or boards."""
    from ..solver import exhaustive

    reason = result.unsupported_multi_capture(game.rules, game.board)
    if reason is not None:
        raise UnsupportedError(reason)
    solver = exhaustive.ExhaustiveSolver(game.rules, game.width, game.height, SOLVER_MEMORY)
    try:
        return solver.solve(game.board, color, deadline)
    except result.SolverError:  # the table is full
        return result.Solution(None, nodes=solver.nodes)


def analyse(
    game: Game, *, color: ColorLike | None = None, seconds: float | None = None, playouts: int | None = None
) -> Analysis:
    """Search the position for a colour (default: the one to move) and return statistics and proofs of its moves.

    The search ends after `seconds` or `playouts` (default: 1 second), or once every move is decided. If it proves a
    win, it looks for proofs of the other moves too: in the remaining time, or up to 5 seconds without `seconds`. The
    lines of proven moves take up to 0.5 seconds more.
    Source: PUCT with a network (Silver et al. 2017); MCTS-Solver (Winands et al. 2008) and the solver of `solve`.
    GameError: the game is over. ColorError: not a colour.
    """
    side = side_of(game, color)
    analyst = _analyst()
    with analyst._lock:
        player = analyst._ready()
        study(player, game, side, _limit(seconds, playouts))
        return analysis_of(player, game, side)


def hint(
    game: Game, *, color: ColorLike | None = None, seconds: float | None = None, playouts: int | None = None
) -> Hint:
    """Return the best move of a colour (default: the one to move) and the reason; as text one sentence.

    "B1 takes a stone and wins": the words "wins" and "loses" are used for proven results only.
    Limits, errors and source as for `analyse`; GameError also if the colour has no play.
    """
    side = side_of(game, color)
    analyst = _analyst()
    with analyst._lock:
        found = facts.hint(analyst._ready(), game, side, _limit(seconds, playouts))
    if found is None:
        raise GameError("there is no play")
    return found


def explain(game: Game, *, seconds: float | None = None, playouts: int | None = None) -> Explanation:
    """Return whether the last move loses by force, how, and which move lost the game; as text one line.

    The limits (default: 1 second) apply to each search; there may be several. Source as for `solve` and `analyse`.
    GameError: no move has been made.
    """
    check_game(game)
    if game.last_move is None:
        raise GameError("no move to explain")
    analyst = _analyst()
    with analyst._lock:
        return facts.explanation(analyst._ready(), game, _limit(seconds, playouts))


def score(game: Game) -> float:
    """Return Black's lead in points, with dead stones removed and komi subtracted; negative if White leads.

    Dead stones and seki are found by playouts, proof and reading, in a second or less. The game is not changed.
    GameError: the rules do not score the board.
    """
    check_game(game)
    if not game.rules.is_scored:
        raise GameError("these rules do not score the board")
    scored = game.copy()
    scored.find_statuses = statuses
    lead = scored.score()
    assert lead is not None  # `statuses` always decides
    return lead


def _limit(seconds: float | None, playouts: int | None) -> Deadline:
    whole = None if playouts is None else index(playouts)  # a search would never reach a fraction
    if not (seconds is None or seconds >= 0) or not (whole is None or whole >= 1):
        raise ValueError("a limit is 0 seconds or more, and 1 playout or more")
    return Limit(SECONDS if seconds is None and playouts is None else seconds, playouts=whole).begin()


def _vertices(game: Game, line: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(game.vertex(point) for point in line)


def analysis_of(player: MctsPlayer | None, game: Game, side: int, seconds: float = LINES) -> Analysis:
    """Return what a player has found out about the position that it searched last.

    `seconds`: time to continue the lines of proven moves; 0 while the player is searching. None: no player yet.
    """
    mover, lines = Color(side), Limit(seconds, nodes=EASY).begin()
    if player is None:
        return Analysis(mover, None, (), game.copy())
    found, won = move_analyses(player, game, side, least=1), proven(player, game, side)
    winner = None if won is None else mover if won else mover.opponent
    moves = map(_public, found, (_vertices(game, line) for line in _lines(player, game, side, found, lines)))
    return Analysis(mover, winner, tuple(moves), game.copy())


def _public(found: MoveAnalysis, line: tuple[str, ...]) -> AnalysedMove:
    """Return a move for users, with its line."""
    proofs: dict[int, Literal["win", "loss"]] = {1: "win", -1: "loss"}
    return AnalysedMove(line[0], found.winrate, found.visits, found.prior, proofs.get(found.proven), line)


def _lines(
    player: MctsPlayer, game: Game, side: int, found: list[MoveAnalysis], limit: Deadline
) -> list[tuple[int, ...]]:
    """Return the lines of moves; to those of proven ones the solver adds first a reply each, then more, in the time."""
    lines = [move.line for move in found]
    for whole in (False, True):
        for n, move in enumerate(found):
            if move.proven and (whole or len(move.line) == 1):
                lines[n] = max(lines[n], _continued(player, game, side, move.line, limit, whole), key=len)
    return lines


def _continued(
    player: MctsPlayer, game: Game, side: int, line: tuple[int, ...], limit: Deadline, whole: bool
) -> tuple[int, ...]:
    """Return a proven line with more winning plays of one side and the longest known resistance of the other one.

    Not `whole`: with the next winning play and the forced part of what follows, which takes less time.
    """
    trial, solver = game.copy(), player.perfect_play
    trial.set_to_move(side)
    for point in line:
        trial.play(point)
    while not trial.is_over and not limit.expired():
        color = int(trial.to_move)
        found = solver.resistance(trial, color, limit) if whole else solver.solve(trial, color, limit, length=False)
        if not found.line:
            break
        for point in found.line:
            trial.play(point)
        line += found.line
        if not whole:
            break
    return line
