"""The public functions that search and solve: Player, solve, analyse, hint, explain, score.

The first call that needs the compiled code loads it, or compiles it; limits do not count that time.
In a process that was forked while another thread loaded the code, all of them raise RuntimeError. After any other fork
they work in both processes.
"""

from __future__ import annotations

import gc
import os
import threading
import weakref
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, cast

from ..go import scoring
from ..go.board import Board
from ..go.game import Game, GameError
from ..go.scoring import Statuses
from ..go.vertex import Color, ColorLike
from ..jit.warmup import LONGEST, loaded
from ..players import levels
from ..players.analysis import AnalysedMove, move_analyses, proven, study
from ..players.life import statuses
from ..players.mcts import MctsPlayer
from ..players.perfect_play import EASY
from ..players.player import PlayerSettings
from ..solver import result
from ..solver.collection import Means
from ..solver.proofs.files import Proof, check_file
from ..solver.proofs.format import ProofError
from ..teach import explain as facts
from ..teach.explain import Explanation, Hint, vertices
from ..util import arguments
from ..util.files import UnreadableError
from ..util.limit import Deadline, Limit
from ..util.memory import MEBIBYTE
from ..version import PROGRAM, __version__
from .results import Analysis, Verdict, check_game, check_limit, side_of

if TYPE_CHECKING:
    from ..solver.solver import Solver

SECONDS: Final = 1.0
"""Time for a move, an analysis, a hint or an explanation if neither seconds nor playouts are given."""
WAITING: Final = 0.05
"""Seconds between two looks at `stop` while another thread searches."""
LINES: Final = 0.5
"""Seconds to continue the lines of proven moves."""
EXHAUSTIVE: Final = "gtp_capture.solver.exhaustive"
"""The solver of games of several prisoners."""
SOLVER_MEMORY: Final = 256
"""MiB of a solver's table if nothing else is given."""


_players: Final[weakref.WeakSet[Player]] = weakref.WeakSet()
"""All players, for `_after_fork`."""


class Player:
    """The engine's own player: a tree search, at full strength also with the exact solver and the opening books.

    It keeps its search tree from move to move. Use it as a context manager, or call `close`, to free memory and threads
    at once; otherwise a later run of Python's garbage collector frees them. A pickle has the settings alone.
    Sources: see `analyse` and `solve`.
    """

    def __init__(self, *, level: int | str = 10, seed: int | None = None, threads: int = 1, memory: int = 512) -> None:
        """Prepare a player; nothing is loaded before its first use.

        `level`: 1 to 10 or a name such as "misses-few" (see `players/levels.py`); `seed` makes the moves repeatable if
        `playouts` are given and there is one thread; `memory`: maximum MiB for the tree and the solver.
        ValueError: no such level, fewer than one thread or MiB, or a negative seed. TypeError: no whole number.
        """
        given = None if seed is None else arguments.whole("seed", seed, 0)
        used, most = arguments.whole("threads", threads, 1), arguments.whole("memory", memory, 1)
        self.level: Final = levels.level(str(level))
        self.version: Final = __version__
        self._settings = PlayerSettings(given, used, self.level, most * MEBIBYTE)
        self._begin()
        _players.add(self)

    def _begin(self) -> None:
        """Start without a tree; in a forked process also without the lock and the threads of the other process."""
        self._player: MctsPlayer | None = None
        self._lock = threading.Lock()
        self._running: Deadline | None = None

    def __enter__(self) -> Player:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[object, ...]:
        settings, memory = self._settings, self._settings.memory // MEBIBYTE
        return partial(Player, level=self.level, seed=settings.seed, threads=settings.threads, memory=memory), ()

    def __repr__(self) -> str:
        return f"<Player, level {self.level}: {levels.name(self.level)}>"

    @property
    def name(self) -> str:
        """Its name in matches: "gtp-capture", followed by the level if that is below full strength."""
        return PROGRAM if self.level == levels.FULL else f"{PROGRAM} level {self.level}"

    def load(self) -> None:
        """Load what a move needs, or compile it, before a clock runs; `serve` and `play_match` call it.

        RuntimeError: this process was forked meanwhile.
        """
        with self._lock:
            self._ready()

    def close(self) -> None:
        """End a search of another thread at once, and free tree, table and threads; the next use makes new ones."""
        if (running := self._running) is not None:
            running.stop.set()
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
        stop: threading.Event | None = None,
    ) -> str:
        """Return a legal move for a colour (default: the one to move) without playing it.

        The move is a vertex, "pass", or "resign" if there is no legal play or pass. It comes from the opening book, or
        from a search that ends with `limit`, which `serve` and `play_match` give; without it after `seconds` and
        `playouts` (default: 1 second), or at once when `stop` is set. The time to load the code counts only in games
        with a clock.
        GameError: the game is over. ValueError: not a colour. TypeError, ValueError: not a limit. CancelledError: as
        for `analyse`.
        """
        check_limit(limit)
        side, used = side_of(game, color), limit or _limit(seconds, playouts).begin(stop)
        with self._searching(used, game) as player:
            found = player.opening(game, side) or player.choose(game, side, used)
            return game.vertex(found.move)

    @contextmanager
    def _searching(self, deadline: Deadline, game: Game | None = None) -> Iterator[MctsPlayer]:
        """Wait until no other thread searches, and load what the search needs; the time of this does not count.

        The time to load counts in games with a clock. CancelledError: stopped while another thread searched.
        """
        began, clocked = deadline.elapsed(), deadline.limit.clock is not None
        while not self._lock.acquire(timeout=WAITING):
            if deadline.stop.is_set():
                raise CancelledError("stopped while another thread searched")
        try:
            self._running = deadline
            player = self._ready(game)
            if not clocked:
                deadline.began += deadline.elapsed() - began
            yield player
        finally:
            self._running = None
            self._lock.release()

    def _ready(self, game: Game | None = None) -> MctsPlayer:
        """Load what a search needs; for a game on a large board also the solver's code for it."""
        warmup = loaded()
        if (
            game is not None
            and game.width * game.height > result.WORD
            and result.unsupported(game.rules, game.board) is None
        ):
            warmup.large().wait(LONGEST, threading.Event())
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


def solve(
    game: Game,
    *,
    seconds: float | None = 5.0,
    memory: int | None = None,
    threads: int = 1,
    length: bool = True,
    first_moves: bool = False,
    proof: str | os.PathLike[str] | None = None,
    stop: threading.Event | None = None,
) -> Verdict:
    """Solve the position for the colour to move within `seconds` (None: without a limit).

    Supports games where the next capture wins for either side on boards of up to 128 points; and capture-N without
    passing and ko on very small boards, where plies are not computed. `length`: whether to find the plies too.
    `first_moves`: whether to find the winner after every play. `proof`: a file that gets a proof for `check_proof`, if
    a winner is found; `seconds` do not limit it, but after `stop` no file is written. `threads`, and `memory` in MiB:
    of a solver of its own without the book, as `first_moves` and `proof` use it too; by default calls share one.
    Source: df-pn (Nagai 2002) and a book of small boards; see `solver/exact.py`.
    GameError: the game is over, or the rules or the board are not supported. ValueError, TypeError: a number out of
    range, or not a whole one. OSError: the proof cannot be written. MemoryError: the system has less.
    """
    side = side_of(game, None)
    deadline = (Limit() if seconds is None else _limit(seconds, None)).begin(stop)
    most = None if memory is None else arguments.whole("memory", memory, 1)
    means = Means((most or SOLVER_MEMORY) * MEBIBYTE, arguments.whole("threads", threads, 1), length)
    path = arguments.path("proof", proof)
    if (reason := result.why_unsupported(game.rules, game.board)) is not None:
        raise GameError(reason)
    if path is not None and not game.rules.won_by(1):
        raise GameError("a proof is of a game that the first capture decides, such as first-capture")
    next_wins, analyst = result.next_capture_wins(game.rules, game.board), _analyst()
    if not next_wins:
        loaded((EXHAUSTIVE,))  # which is compiled at its first use
    if next_wins and most is None and means.threads == 1 and not first_moves and path is None:
        with analyst._searching(deadline, game) as player:
            found = player.perfect_play.solve(game, side, deadline, length=length)
        winners: dict[int, int | None] = {}
    else:
        if next_wins:
            with analyst._searching(deadline, game):
                pass  # its code is loaded now
        deadline.restart()
        try:
            found, winners = _solved_alone(game, means, deadline, first_moves, path)
        except MemoryError:
            raise MemoryError(f"a solver cannot get {means.memory // MEBIBYTE} MiB") from None
    by_vertex = {game.vertex(play): None if won is None else Color(won) for play, won in winners.items()}
    winner = None if found.winner is None else Color(found.winner)
    return Verdict(winner, vertices(game, found.line), found.plies, found.nodes, by_vertex)


def _solved_alone(
    game: Game, means: Means, deadline: Deadline, first_moves: bool, proof: Path | None
) -> tuple[result.Solution, dict[int, int | None]]:
    """Return what a new solver finds, and the winner after each play if asked for; write a proof if it has a path."""
    from ..solver.choice import solver_for
    from ..solver.proofs.files import write_file

    board, side, found, winners = game.board, int(game.to_move), result.Solution(None), dict[int, int | None]()
    solver = solver_for(game.rules, board, means.memory, means.threads)
    length = means.length and result.next_capture_wins(game.rules, board) and result.has_length(game.rules)

    def unless_stopped(choices: int) -> None:
        if deadline.stop.is_set():
            raise CancelledError

    with suppress(result.SolverError):  # the table is full
        found = solver.solve(board, side, deadline, length=length)
        if first_moves:
            winners = dict(solver.first_moves(board, side, deadline))
    if proof is not None and found.winner is not None and not deadline.stop.is_set():
        with suppress(CancelledError):
            write_file(cast("Solver", solver), game, found.winner, proof, unless_stopped)
    return replace(found, nodes=solver.nodes), winners


def check_proof(path: str | os.PathLike[str], *, memory: int = 4096) -> Proof:
    """Check a proof that `solve` has written by the rules alone, in up to `memory` MiB, and return it.

    The checker shares no code with the solver. ProofError: the proof fails, or it is no proof. OSError: there is no
    such file. MemoryError: it needs more memory. TypeError, ValueError: not a path, or no such memory.
    """
    if (file := arguments.path("path", path)) is None:
        raise TypeError("path is a path, not None")
    most = arguments.whole("memory", memory, 1)
    file.stat()  # its error has a type that programs expect
    try:
        return check_file(file, most * MEBIBYTE)
    except UnreadableError as error:
        raise ProofError(f"{file}: {error}") from None
    except ProofError as error:
        raise ProofError(f"the proof fails: {error}") from None
    except MemoryError as error:
        raise MemoryError(str(error).replace("--memory", "memory")) from None


def analyse(
    game: Game,
    *,
    color: ColorLike | None = None,
    seconds: float | None = None,
    playouts: int | None = None,
    stop: threading.Event | None = None,
) -> Analysis:
    """Search the position for a colour (default: the one to move) and return statistics and proofs of its moves.

    The search ends after `seconds` or `playouts` (default: 1 second), or once every move is decided. If it proves a
    win, it looks for proofs of the other moves too: in the remaining time, or up to 5 seconds without `seconds`. The
    lines of proven moves take up to 0.5 seconds more. If `stop` is set, from another thread, it ends at once with what
    was found; so do the other functions that take it.
    Source: PUCT with a network (Silver et al. 2017); MCTS-Solver (Winands et al. 2008) and the solver of `solve`.
    GameError: the game is over. ValueError: not a colour. CancelledError: stopped while another thread searched.
    """
    side, deadline = side_of(game, color), _limit(seconds, playouts).begin(stop)
    with _analyst()._searching(deadline, game) as player:
        study(player, game, side, deadline)
        return analysis_of(player, game, side, 0.0 if deadline.stop.is_set() else LINES)


analyze = analyse
"""The same function; all other names have the British spelling."""


def hint(
    game: Game,
    *,
    color: ColorLike | None = None,
    seconds: float | None = None,
    playouts: int | None = None,
    stop: threading.Event | None = None,
) -> Hint:
    """Return the best move of a colour (default: the one to move) and the reason; as text one sentence.

    "B1 takes a stone and wins": the words "wins" and "loses" are used for proven results only.
    Limits, errors and source as for `analyse`; GameError also if the colour has no play.
    """
    side, deadline = side_of(game, color), _limit(seconds, playouts).begin(stop)
    with _analyst()._searching(deadline, game) as player:
        found = facts.hint(player, game, side, deadline)
    if found is None:
        raise GameError("there is no play")
    return found


def explain(
    game: Game,
    *,
    seconds: float | None = None,
    playouts: int | None = None,
    stop: threading.Event | None = None,
) -> Explanation:
    """Return whether the last move loses by force, how, and which move lost the game; as text one line.

    The limits (default: 1 second) apply to each search; there may be several. Source as for `solve` and `analyse`.
    GameError: no move has been made.
    """
    check_game(game)
    deadline = _limit(seconds, playouts).begin(stop)
    if game.last_move is None:
        raise GameError("no move to explain")
    counted = game.copy()
    counted.find_statuses = scoring.all_proven  # an estimate does not decide who wins
    with _analyst()._searching(deadline, game) as player:
        return facts.explanation(player, counted, deadline)


def score(game: Game) -> float:
    """Return Black's lead in points, with dead stones removed and komi subtracted; negative if White leads.

    Dead stones and seki are found by playouts, proof and reading, in a second or less. The game is not changed.
    GameError: the rules do not score the board.
    """
    check_game(game)
    if not game.rules.is_scored:
        raise GameError("these rules do not score the board")
    scored = game.copy()
    scored.find_statuses = estimated_statuses
    lead = scored.score()
    assert lead is not None  # `estimated_statuses` always decides
    return lead


def estimated_statuses(board: Board) -> Statuses:
    """Return the status of every chain: by proof, else by playouts and reading, for which the search is loaded."""
    found = scoring.all_proven(board)
    if found is None:
        loaded().completed(LONGEST)
        found = statuses(board)
    return found


def _limit(seconds: float | None, playouts: int | None) -> Limit:
    most = None if playouts is None else arguments.whole("playouts", playouts, 1)
    time = None if seconds is None else arguments.seconds("seconds", seconds, endless=True)
    return Limit(SECONDS if time is None and most is None else time, playouts=most)


def analysis_of(player: MctsPlayer | None, game: Game, side: int, seconds: float = LINES) -> Analysis:
    """Return the analysis of the position that a player searched last.

    `seconds`: time to continue the lines of proven moves; 0 while the player is searching. None: no player yet.
    """
    mover, lines = Color(side), Limit(seconds, nodes=EASY).begin()
    if player is None:
        return Analysis(mover, None, (), game.copy())
    found, won = move_analyses(player, game, side, least=1), proven(player, game, side)
    winner = None if won is None else mover if won else mover.opponent
    return Analysis(mover, winner, tuple(_with_lines(player, game, side, found, lines)), game.copy())


def _with_lines(
    player: MctsPlayer, game: Game, side: int, found: list[AnalysedMove], limit: Deadline
) -> list[AnalysedMove]:
    """Let the solver continue the lines of proven moves: first each by a reply, then each as far as the time allows."""
    for whole in (False, True):
        for n, move in enumerate(found):
            if move.proof and (whole or len(move.line) == 1):
                line = _continued(player, game, side, move.line, limit, whole)
                if len(line) > len(move.line):
                    found[n] = replace(move, line=line, line_visits=())
    return found


def _continued(
    player: MctsPlayer, game: Game, side: int, line: tuple[str, ...], limit: Deadline, whole: bool
) -> tuple[str, ...]:
    """Return a proven line with more winning plays of one side and the longest known resistance of the other one.

    Without `whole` only the next winning play and the forced moves after it are added, which takes less time.
    """
    trial, solver = game.copy(), player.perfect_play
    trial.set_to_move(side)
    for move in line:
        trial.play(move)
    while not trial.is_over and not limit.expired():
        color = int(trial.to_move)
        found = solver.resistance(trial, color, limit) if whole else solver.solve(trial, color, limit, length=False)
        if not found.line:
            break
        for point in found.line:
            trial.play_point(point)
        line += vertices(game, found.line)
        if not whole:
            break
    return line
