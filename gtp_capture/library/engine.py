"""The public functions that search and solve: Player, solve, analyse, hint, explain, score.

The first call that needs the compiled code loads it, or compiles it; limits do not count that time. Calls at the same
time search side by side, as many as there are cores; further ones wait, which limits do not count either.
After a fork they work in both processes, unless another thread was loading the code.
"""

from __future__ import annotations

import gc
import math
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from ..go import scoring
from ..go.game import Game, GameError, check_game
from ..go.vertex import Color, ColorLike
from ..jit.warmup import LONGEST, loaded
from ..judgement.life import loaded_statuses
from ..players import computer, levels
from ..players.analysis import move_analyses, proven, study, with_lines
from ..players.mcts import MctsPlayer
from ..players.perfect_play import EASY
from ..players.player import MOST_THREADS, PlayerSettings, all_cores
from ..solver import result
from ..solver.choice import SolverResources, solver_for
from ..solver.choice import solve as solve_alone
from ..solver.proofs.files import Proof, check_file, write_file
from ..solver.proofs.format import ProofError
from ..solver.verdict import Verdict, verdict_of
from ..teach import explain as facts
from ..teach.explain import Explanation, Hint
from ..util import arguments
from ..util.files import UnreadableError
from ..util.limit import Deadline, Limit
from ..util.memory import MEBIBYTE
from ..version import PROGRAM, __version__
from .results import Analysis, check_limit, side_of

if TYPE_CHECKING:
    from ..solver.solver import Solver

SECONDS: Final = 1.0
"""Time for a move, an analysis, a hint or an explanation if neither seconds nor playouts are given."""
WAITING: Final = 0.05
"""Seconds between two looks at `stop` while another thread searches."""
LINES: Final = Limit(0.5, nodes=EASY)
"""The time to continue the lines of proven moves, and the nodes for each step."""
NO_LINES: Final = Limit(0.0, nodes=0)
FIXED_LINES: Final = Limit(nodes=EASY)
"""In place of LINES where the answer may not depend on the time; `with_lines` then limits the nodes of all steps."""
FRESH_SEED: Final = 0
"""The seed of the searches that do not go on from earlier ones."""
EXHAUSTIVE: Final = "gtp_capture.solver.exhaustive"
"""The solver of games of several prisoners."""
MOST_BYTES: Final = 2**60
SOLVER_MEMORY: Final = 256
"""MiB of a solver's table if nothing else is given."""


_players: Final[weakref.WeakSet[Player]] = weakref.WeakSet()
"""All players, for `_after_fork`."""
_turns = threading.BoundedSemaphore(all_cores())
"""The searches of the functions below that may run at once."""


class Player:
    """The engine's own player: a tree search, at full strength also with the exact solver and the opening books.

    It keeps its search tree from move to move. Use it as a context manager, or call `close`, to free memory and threads
    at once; otherwise a later run of Python's garbage collector frees them. A pickle has the settings alone.
    Sources: see `analyse` and `solve`.
    """

    def __init__(
        self,
        *,
        level: int | str = 10,
        seed: int | None = None,
        playouts: int | None = None,
        threads: int = 1,
        memory: int = 512,
    ) -> None:
        """Prepare a player; nothing is loaded before its first use.

        `level`: 1 to 10 or a name such as "misses-few" (see `players/levels.py`). `playouts`: the fixed work for each
        move, in place of a time, also in a match and in a session without a clock; with `seed` and one thread the moves
        are then the same on any machine. `memory`: maximum MiB for the tree and the solver.
        ValueError: no such level, a negative seed, or fewer than one playout, thread or MiB. TypeError: no whole
        number.
        """
        given = None if seed is None else arguments.whole("seed", seed, 0)
        self.playouts: Final = None if playouts is None else arguments.whole("playouts", playouts, 1)
        used = arguments.whole("threads", threads, 1, MOST_THREADS)
        most = arguments.whole("memory", memory, 1)
        self.level: Final = levels.level(str(level))
        self.version: Final = __version__
        self._settings = PlayerSettings(given, used, self.level, bytes_of(most))
        self._begin()
        _players.add(self)

    def _begin(self) -> None:
        """Start without a tree; in a forked process also without the lock and the threads of the other process."""
        self._player: MctsPlayer | None = None
        self._analyst: MctsPlayer | None = None
        self._lock = threading.Lock()
        self._running: Deadline | None = None

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[object, ...]:
        return partial(Player, **self._arguments()), ()

    def _arguments(self) -> dict[str, Any]:
        """The arguments that make this player."""
        settings = self._settings
        return {
            "level": self.level,
            "seed": settings.seed,
            "playouts": self.playouts,
            "threads": settings.threads,
            "memory": settings.memory // MEBIBYTE,
        }

    @property
    def seed(self) -> int | None:
        """The seed that was given, else None."""
        return self._settings.seed

    def __repr__(self) -> str:
        return f"<Player, level {self.level}: {levels.name(self.level)}>"

    @property
    def name(self) -> str:
        """Its name in matches: "gtp-capture", followed by the level if that is below full strength."""
        return PROGRAM if self.level == levels.FULL else f"{PROGRAM} level {self.level}"

    def load(self) -> None:
        """Load what a move needs, or compile it, before a clock runs; `serve` and `play_match` call it."""
        with self._lock:
            self._ready()

    def close(self) -> None:
        """End a search of another thread at once, and free tree, table and threads; the next use makes new ones."""
        if (running := self._running) is not None:
            running.stop.set()
        with self._lock:
            self._player = self._analyst = None
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
        `playouts` (default: the playouts of the player, else 1 second), or at once when `stop` is set. The time to load
        the code counts only in games with a clock.
        GameError: the game is over. ValueError: not a colour. TypeError, ValueError: not a limit. CancelledError: as
        for `analyse`.
        """
        side, used = side_of(game, color), self._limit(limit, seconds, playouts, stop)
        with self._searching(used, game) as player:
            return game.vertex(computer.reply(player, game, side, used).move)

    def analyse(
        self,
        game: Game,
        limit: Deadline | None = None,
        *,
        color: ColorLike | None = None,
        seconds: float | None = None,
        playouts: int | None = None,
        stop: threading.Event | None = None,
    ) -> Analysis:
        """Analyse the position as the function `analyse` does, with the threads, memory and seed of this player.

        The search is at full strength, whatever the level, and goes on from the earlier ones of this player. The limits
        are those of `choose`; a `limit` without an end, as frontends give, is 1 second. Errors as for `choose`.
        """
        side, used = side_of(game, color), self._limit(limit, seconds, playouts, stop)
        if limit is not None and used.limit.playouts is None and math.isinf(used.left()):
            used = used.limited(seconds=used.elapsed() + SECONDS)
        with self._searching(used, game) as player:
            if not player.full_strength:
                player = self._analyst = self._analyst or MctsPlayer(
                    replace(self._settings, level=levels.FULL), loaded()
                )
            return _studied(player, game, side, used)

    analyze = analyse

    def _limit(
        self, limit: Deadline | None, seconds: float | None, playouts: int | None, stop: threading.Event | None
    ) -> Deadline:
        """Return the limit of a search. TypeError, ValueError: not a limit."""
        check_limit(limit)
        own = self.playouts
        if limit is None:
            return _deadline(seconds, own if seconds is None and playouts is None else playouts, stop)
        return limit if own is None else limit.limited(playouts=min(own, limit.limit.playouts or own))

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
        if game is not None and result.unsupported(game.rules, game.board) is None:
            load_solver(game)
        if self._player is None:
            self._player = MctsPlayer(self._settings, loaded())
        return self._player


def _after_fork() -> None:
    """Let each player start anew in a forked process.

    A search may run in another thread of the parent process: here its thread is gone, its lock would stay locked for
    ever, and its tree may be half written.
    """
    global _turns
    _turns = threading.BoundedSemaphore(all_cores())
    for player in list(_players):
        player._begin()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def load_solver(game: Game) -> None:
    """Load the code that solves a position, or compile it; no limit counts this time."""
    if not result.next_capture_wins(game.rules, game.board):
        loaded((EXHAUSTIVE,))
    elif game.width * game.height > result.WORD:
        loaded().large().wait(LONGEST, threading.Event())
    else:
        loaded()


def bytes_of(mebibytes: int) -> int:
    """Return a size in bytes, at most one that no system has, as larger ones do not fit into machine words."""
    return min(mebibytes * MEBIBYTE, MOST_BYTES)


@cache
def _analyst() -> Player:
    """The player at full strength that all functions below share, with one thread."""
    return Player()


@contextmanager
def _searching(
    deadline: Deadline, game: Game, fresh: bool | None = None, seed: int | None = None
) -> Iterator[MctsPlayer]:
    """Wait for a turn; return the shared player, or for a fresh search, or if others use it, a player without a tree.

    CancelledError: stopped while it waited. TypeError: `fresh` is neither True, False nor None.
    """
    limit = deadline.limit
    fixed = seed is not None or (limit.playouts is not None and limit.seconds is None)
    anew = fixed if fresh is None else arguments.flag("fresh", fresh)
    shared, turns, began = _analyst(), _turns, deadline.elapsed()
    while not turns.acquire(timeout=WAITING):
        if deadline.stop.is_set():
            raise CancelledError("stopped while other threads searched")
    try:
        deadline.began += deadline.elapsed() - began
        if anew or (fresh is None and shared._lock.locked()):
            with Player(seed=FRESH_SEED if seed is None else seed) as own, own._searching(deadline, game) as player:
                yield player
        else:
            with shared._searching(deadline, game) as player:
                yield player
    finally:
        turns.release()


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
    `first_moves`: whether to find the winner after every play; `action_values` does this faster for many positions.
    `proof`: a file that gets a proof for `check_proof`, if a winner is found; `seconds` do not limit it, but after
    `stop` no file is written. `threads`, and `memory` in MiB: of a solver of its own without the book, as `first_moves`
    and `proof` use it too; by default calls share one.
    Source: df-pn (Nagai 2002) and a book of small boards; see `solver/exact.py`.
    GameError: the game is over, or the rules or the board are not supported. ValueError, TypeError: a number out of
    range, or not a whole one. OSError: the proof cannot be written. MemoryError: the system has less.
    """
    side = side_of(game, None)
    deadline = Deadline(seconds, stop=stop)
    most = None if memory is None else arguments.whole("memory", memory, 1)
    used, length = arguments.whole("threads", threads, 1, MOST_THREADS), arguments.flag("length", length)
    first_moves = arguments.flag("first_moves", first_moves)
    resources = SolverResources(bytes_of(most or SOLVER_MEMORY), used, length, first_moves)
    path = arguments.path("proof", proof)
    if (reason := result.why_unsupported(game.rules, game.board)) is not None:
        raise GameError(reason)
    if path is not None and not game.rules.won_by(1):
        raise GameError("a proof is of a game that the first capture decides, such as first-capture")
    next_wins = result.next_capture_wins(game.rules, game.board)
    if next_wins and most is None and resources.threads == 1 and not first_moves and path is None:
        with _searching(deadline, game) as player:
            solution = player.perfect_play.solve(game, side, deadline, length=length)
    else:
        load_solver(game)
        deadline.restart()
        try:
            solution = _solved_alone(game, resources, deadline, path)
        except MemoryError:
            raise MemoryError(f"a solver cannot get {most or SOLVER_MEMORY} MiB") from None
    return verdict_of(game, solution)


def _solved_alone(game: Game, resources: SolverResources, deadline: Deadline, proof: Path | None) -> result.Solution:
    """Return what a new solver finds; write a proof if it has a path."""
    solver = solver_for(game.rules, game.board, resources.memory, resources.threads)
    solution = result.UNSOLVED
    with suppress(result.SolverError):  # the table is full
        solution = solve_alone(game, int(game.to_move), resources, deadline, solver=solver)
    if proof is not None and solution.winner is not None and not deadline.stop.is_set():
        with suppress(CancelledError):
            write_file(cast("Solver", solver), game, solution.winner, proof, _unless(deadline.stop))
    return replace(solution, nodes=solver.nodes)


def check_proof(path: str | os.PathLike[str], *, memory: int = 4096, stop: threading.Event | None = None) -> Proof:
    """Check a proof that `solve` has written by the rules alone, in up to `memory` MiB, and return it.

    The checker shares no code with the solver. ProofError: the proof fails, or it is no proof. OSError: there is no
    such file. MemoryError: it needs more memory. TypeError, ValueError: not a path, or no such memory.
    CancelledError: `stop` was set before the end.
    """
    ends = Deadline(stop=stop).stop
    if (file := arguments.path("path", path)) is None:
        raise TypeError("path is a path, not None")
    most = arguments.whole("memory", memory, 1)
    file.stat()  # its error has a type that programs expect
    try:
        return check_file(file, bytes_of(most), _unless(ends))
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
    seed: int | None = None,
    fresh: bool | None = None,
    stop: threading.Event | None = None,
) -> Analysis:
    """Search the position for a colour (default: the one to move) and return statistics and proofs of its moves.

    The search ends after `seconds` or `playouts` (default: 1 second), or once every move is decided. If it proves a
    win, it looks for proofs of the other moves too: in the remaining time, or with some nodes for each without
    `seconds`. The lines of proven moves take up to 0.5 seconds more. If `stop` is set, from another thread, it ends at
    once with what was found; so do the other functions that take it.
    `fresh`: whether to search without the tree and the table of earlier calls, which all functions share. By default a
    search that only `playouts` limit is fresh: the same question then has the same answer on any machine and after any
    other calls. `seed`: another fresh search of the same position, for example to see how much an answer depends on
    chance. With `fresh=False` it goes on from what is known. Calls at the same time search side by side, as many as
    there are cores; others wait for their turn, and `seconds` begin with it.
    Source: PUCT with a network (Silver et al. 2017); MCTS-Solver (Winands et al. 2008) and the solver of `solve`.
    GameError: the game is over. ValueError: not a colour, or a limit or seed out of range; a seed with `fresh=False`.
    TypeError: not a game, or no limit or seed. CancelledError: stopped while other threads searched.
    """
    side, deadline = side_of(game, color), _deadline(seconds, playouts, stop)
    given = None if seed is None else arguments.whole("seed", seed, 0)
    if given is not None and fresh is False:
        raise ValueError("a search with a seed is fresh: fresh=False has no seed")
    with _searching(deadline, game, fresh, given) as player:
        return _studied(player, game, side, deadline)


analyze = analyse
"""The same function; all other names have the British spelling."""


def hint(
    game: Game,
    *,
    color: ColorLike | None = None,
    seconds: float | None = None,
    playouts: int | None = None,
    fresh: bool | None = None,
    stop: threading.Event | None = None,
) -> Hint:
    """Return the best move of a colour (default: the one to move) and the reason; as text one sentence.

    "B1 takes a stone and wins": the words "wins" and "loses" are used for proven results only.
    Limits, `fresh`, errors and source as for `analyse`; GameError also if the colour has no play.
    """
    side, deadline = side_of(game, color), _deadline(seconds, playouts, stop)
    with _searching(deadline, game, fresh) as player:
        hinted = facts.hint(player, game, side, deadline)
    if hinted is None:
        raise GameError("there is no play")
    return hinted


def explain(
    game: Game,
    *,
    seconds: float | None = None,
    playouts: int | None = None,
    fresh: bool | None = None,
    stop: threading.Event | None = None,
) -> Explanation:
    """Return whether the last move loses by force, how, and which move lost the game; as text one line.

    The limits (default: 1 second) apply to each search; there may be several. `fresh` and source as for `analyse`.
    GameError: no move has been made. TypeError, ValueError: not a game, or no limit.
    """
    check_game(game)
    deadline = _deadline(seconds, playouts, stop)
    if game.last_move is None:
        raise GameError("no move to explain")
    counted = game.copy()
    counted.find_statuses = scoring.all_proven  # an estimate does not decide who wins
    with _searching(deadline, game, fresh) as player:
        return facts.explanation(player, counted, deadline)


def score(game: Game, *, stop: threading.Event | None = None) -> float:
    """Return Black's lead in points, with dead stones removed and komi subtracted; negative if White leads.

    Dead stones and seki are found by playouts, proof and reading, in a second or less. The game is not changed.
    GameError: the rules do not score the board. TypeError: not a game. CancelledError: `stop` was set before the dead
    stones were known.
    """
    check_game(game)
    if not game.rules.is_scored:
        raise GameError("these rules do not score the board")
    scored = game.copy()
    scored.find_statuses = partial(loaded_statuses, stop=Deadline(stop=stop).stop)
    lead = scored.score()
    assert lead is not None  # these statuses always decide
    return lead


def _unless(stop: threading.Event) -> Callable[[int], None]:
    """Return a function that raises CancelledError once an event is set."""

    def check(choices: int) -> None:
        if stop.is_set():
            raise CancelledError("stopped before the end")

    return check


def _studied(player: MctsPlayer, game: Game, side: int, deadline: Deadline) -> Analysis:
    """Search a position and return its analysis."""
    study(player, game, side, deadline)
    lines = FIXED_LINES if deadline.limit.seconds is None else LINES
    return analysis_of(player, game, side, NO_LINES if deadline.stop.is_set() else lines)


def _deadline(seconds: float | None, playouts: int | None, stop: threading.Event | None) -> Deadline:
    """Begin a search: SECONDS without another limit. TypeError, ValueError: not a limit."""
    return Deadline(SECONDS if seconds is None and playouts is None else seconds, playouts, stop=stop)


def analysis_of(player: MctsPlayer | None, game: Game, side: int, lines: Limit = LINES) -> Analysis:
    """Return the analysis of the position that a player searched last.

    `lines`: the limit to continue the lines of proven moves; NO_LINES while the player is searching. None: no player
    yet.
    """
    mover = Color(side)
    if player is None:
        return Analysis(mover, None, (), game.copy())
    moves, won = move_analyses(player, game, side, least=1), proven(player, game, side)
    winner = None if won is None else mover if won else mover.opponent
    return Analysis(mover, winner, tuple(with_lines(player, game, side, moves, lines.begin())), game.copy())
