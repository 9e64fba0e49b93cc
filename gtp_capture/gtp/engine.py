"""The engine of a session: its game, player, clock and options, and the steps around a move."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, TypeVar

from ..go import board as bd
from ..go import scoring
from ..go.clock import Clock, thinking_time
from ..go.game import Game, GameError, IllegalMoveError
from ..go.opening import crosscut
from ..go.position import Position, Termination
from ..go.rules import Rules
from ..go.vertex import BLACK, PASS, RESIGN, WHITE, Color, opponent
from ..jit.warmup import Warmup
from ..players import computer
from ..players.adapt import Profile
from ..players.analysis import move_analyses
from ..players.bot import BotError, BotPlayer
from ..players.levels import FULL
from ..players.levels import name as level_name
from ..players.mcts import MctsPlayer
from ..players.player import Analyst, Decision, Player, PlayerSettings
from ..players.registry import DEFAULT_PLAYER, make
from ..util.files import RequestError
from ..util.limit import Deadline, Limit
from ..version import PROGRAM
from . import pictures
from .options import Options
from .protocol import GtpError, refusing

T = TypeVar("T")


SHORT_LINE = 28
"""Characters in a line of Sabaki's console."""
PONDER_ROUNDS = tuple(2.0**i for i in range(8))
"""The seconds of each round of solver and search on the opponent's time. The first rounds are short, so that the search
begins soon. They take 255 s together, so that an abandoned game does not keep the machine busy."""
WORKER = "work"
"""The name of the thread in which a command works while reports are written; a number follows."""
GFX_INTERVAL = 0.25
"""Seconds between two pictures."""
DEFAULT_SECONDS = 1.0
"""Seconds for a move if neither options nor clock set a time."""
ANALYSIS_SECONDS = 5.0
"""Maximum seconds for a hint or an explanation if only playouts limit a search."""
SMALL_BOARD = 81
"""Points."""
CLOCK_SECONDS = (10.0, 30.0)
"""Maximum seconds for a move with a game clock and without `time_per_move`: up to SMALL_BOARD points, and above."""
OF_PLAYERS = ("player", "level", "threads", "memory", "seed")
"""The options of a player. A change of one makes a new player, and the old search tree is lost."""
CAUSES = {
    Termination.CAPTURE: "capture",
    Termination.NO_LEGAL_PLAY: "no move",
    Termination.HANDED_OVER: "pass",
    Termination.RESIGNATION: "resigned",
}


class Engine:
    """The engine of one session."""

    def __init__(self, options: Options, notify: Callable[[str], None]) -> None:
        """`notify`: called with each line for the console. BotError: there is no such player."""
        self.options = options
        self.notify = notify
        self.stop = threading.Event()
        """Set to end a search early."""
        self.command_names: Callable[[], list[str]] = list
        """Returns the names of the session's commands."""
        self.komi = options.komi
        """The komi that was set for this session (points); None: the komi of the rules.

        A loaded game may have another komi.
        """
        self.last_note = ""
        """The player's note on its last move."""
        self.warmup = Warmup(notify)
        self.clock = Clock(options.move_overhead)
        self.player = self.new_player()
        self._first_answer = threading.Event()
        """Set once the first command was answered."""
        self.game: Game
        self.generated: set[int]
        """The colours whose moves the engine has generated in this game."""
        self._is_counted: bool
        """Whether the level has followed the result of this game."""
        self._analyst: Analyst | None = None
        self._own_move: Position | None = None
        """The position after the engine's own last move."""
        self._deadline: Deadline | None = None
        """The deadline of the last search."""
        self.resize(options.width, options.height)

    def new_player(self) -> Player:
        """Create the player that the options name. BotError: there is no such player."""
        if self.options.bot is not None:
            return BotPlayer(self.options.bot, self.notify)
        return make(self.options.player, self.player_settings(), self.warmup)

    def player_settings(self) -> PlayerSettings:
        """Return the options that concern players."""
        options = self.options
        return PlayerSettings(options.seed, options.threads, options.level, options.memory * 2**20, self.notify)

    @property
    def name(self) -> str:
        """The name in GTP and in saved games. LizzieYzy chooses a dialect by its first word."""
        options = self.options
        if self.player.name:
            return self.player.name
        if options.player != DEFAULT_PLAYER or (options.level == FULL and not options.adapt):
            return PROGRAM
        return f"{PROGRAM} level {'adapt' if options.adapt else options.level}"

    @property
    def analyst(self) -> Analyst:
        """The source of analysis and explanations: the player if it has full strength, else a second player."""
        own = self.player.as_analyst()
        if own is not None and own.full_strength:
            return own
        if self._analyst is None:
            self._analyst = MctsPlayer(replace(self.player_settings(), level=FULL), self.warmup)
        return self._analyst

    def change(self, **options: Any) -> None:
        """Change options during a session; new rules begin with the next game, or at once before the first move.

        Raise GtpError if the rules are fixed.
        """
        self.require_rules(options.get("rules", self.options.rules))
        before, self.options = self.options, replace(self.options, **options)
        if any(getattr(before, name) != getattr(self.options, name) for name in OF_PLAYERS) or "seed" in options:
            self._analyst = None
            self.player = self.new_player()
        if "rules" in options and not self.game.moves:
            self.use_rules(self.options.rules)

    def use_rules(self, rules: Rules) -> None:
        """Change the rules of the game. Raise GtpError if it has moves under other rules, or if the rules are fixed."""
        self.require_rules(rules)
        if rules != self.game.rules and self.game.moves:
            raise GtpError(f"the game is played under {self.game.rules}: clear_board first")
        self.options = replace(self.options, rules=rules)
        if rules == self.game.rules:
            return
        game, first = self.game, self.game.positions[0]
        black, white = (bd.stones_of(game.board, c) for c in (BLACK, WHITE))
        changed = Game(rules, game.size, komi=game.explicit_komi)
        changed.setup_points(black, white, first.to_move)
        changed.handicap = game.handicap
        self.adopt(changed)

    def require_rules(self, rules: Rules) -> None:
        """Raise GtpError if these rules are not possible: GoGui's ruler is another process, which keeps its rules."""
        if self.options.gogui_rules and rules != self.options.rules:
            raise GtpError(f"GoGui goes on with {self.options.rules}: for other rules start gtp-capture with --rules")

    def start(self, after: threading.Event) -> None:
        """Load what the player needs in the background, compiled code once the event `after` is set."""
        threading.Thread(target=self._load, name="load", daemon=True).start()
        self._first_answer = after
        if not self.options.gogui_rules:  # GoGui also starts this engine as its ruler, which never chooses a move
            self.load_search()

    def load_search(self) -> None:
        """Begin to load or compile the search, if the player uses one; a second call does nothing."""
        if self.player.needs_search:
            self.warmup.start(self._first_answer)

    def _load(self) -> None:
        with suppress(BotError):  # it was reported on the console, and the first move fails again
            self.player.load()

    # --- The game ---

    def resize(self, width: int, height: int) -> None:
        """Start a new game on a board of this size with the session's komi. Raise GameError for an unsupported size."""
        game = Game(self.options.rules, (width, height), komi=self.komi)
        if self.options.crosscut:
            game.setup_points(*crosscut(width, height), BLACK)
        self.adopt(game)
        self.clock.reset()

    def adopt(self, game: Game) -> None:
        """Continue with this game; playouts estimate the status of chains that are not proven alive or dead."""
        self.game = computer.prepare(game)
        self.generated, self._is_counted = set(), False

    def new_game(self) -> None:
        """Start a new game on a board of the same size, which is empty if it is too small for the opening."""
        width, height = self.game.width, self.game.height
        try:
            self.resize(width, height)
        except GameError:
            self.adopt(Game(self.options.rules, (width, height), komi=self.komi))
            self.clock.reset()

    def play(self, color: int, point: int) -> None:
        """Play a move of the client or the player. Raise GtpError if it is illegal; the game is then unchanged."""
        game = self.game
        was_over = game.outcome is not None
        self.play_in(game, color, point)
        if not was_over and game.outcome is not None:
            self.notify(self.result_line())
            self.follow_result()

    def is_ended(self, game: Game, point: int) -> bool:
        """Whether a move is refused because the capture game is over (`--strict`)."""
        return self.options.strict and game.positions[-1].decided is not None and point != PASS

    def play_in(self, game: Game, color: int, point: int) -> None:
        """Play a move in any game. Raise GtpError if it is illegal."""
        if self.is_ended(game, point):
            raise GtpError(f"the game is over: {self.result_line()}")
        try:
            game.play_point(point, color)
        except IllegalMoveError as error:
            self.notify(str(error))
            raise GtpError("illegal move") from None

    def follow_result(self) -> None:
        """If the level follows results, change and remember it after the first end of a game against a person."""
        options = self.options
        level = computer.level_after(options.level, self.game.outcome, self.generated)
        if not options.adapt or self._is_counted or level is None:
            return
        self._is_counted = True
        if level != options.level:
            self.notify(f"level {level}: {level_name(level)}")
            self.change(level=level)
        try:
            if options.profile is not None:
                Profile(options.profile).record(level)
        except RequestError as error:
            self.notify(str(error))

    def undo(self) -> None:
        """Take a move back. Raise GtpError if there is none."""
        with refusing(GameError, reason="cannot undo"):
            self.game.undo()

    def result_line(self) -> str:
        """Return winner and cause, or the score after two passes, in at most SHORT_LINE characters."""
        outcome = self.game.outcome
        if outcome is None:
            return "the game goes on"
        if outcome.termination in CAUSES:
            winner = (outcome.winner or Color.BLACK).upper()
            return f"{winner} WINS ({CAUSES[outcome.termination]})"
        return f"GAME OVER ({self.score() or 'not scored'})"

    def score(self) -> str | None:
        """Return the result in GTP's form ("B+3.5", "0"); None if there is no result yet."""
        decided = self.game.positions[-1].decided
        if decided is not None:
            return "B+1" if decided.winner == Color.BLACK else "W+1"
        lead = self.game.score()
        return None if lead is None else scoring.result(lead)

    # --- The engine's own moves ---

    def deadline(self, color: int) -> Deadline:
        """Begin the limit of the next move by the options and the clock."""
        options, board = self.options, self.game.board
        budget = self.clock.budget(color, moves_to_go=max(8, int(board.empties) // 3))
        most = self.most_seconds(clocked=budget is not None)
        own = most and thinking_time(most, options.move_overhead)
        seconds = [s for s in (budget, own) if s is not None]
        if not seconds and options.playouts is None:
            seconds = [DEFAULT_SECONDS]
        limit = Limit(min(seconds, default=None), options.playouts, clock=self.clock.flag(color))
        self._deadline = limit.begin(self.stop)
        return self._deadline

    def most_seconds(self, *, clocked: bool) -> float | None:
        """The maximum seconds of a move by the options, or else in a game with a clock; None: no such maximum."""
        if self.options.time_per_move is not None or not clocked:
            return self.options.time_per_move
        return CLOCK_SECONDS[self.game.width * self.game.height > SMALL_BOARD]

    def analysis_deadline(self) -> Deadline:
        """Begin the limit of a hint or an explanation; the clock does not run during it.

        It has a time in any case, because a person waits for it. With playouts alone this is a time for the whole.
        """
        options, end = self.options, math.inf
        seconds = options.time_per_move
        if seconds is None and options.playouts is None:
            seconds = DEFAULT_SECONDS
        elif seconds is None:
            end = time.monotonic() + ANALYSIS_SECONDS
        self._deadline = Limit(seconds, options.playouts, end=end).begin(self.stop)
        return self._deadline

    def endless(self, began: float) -> bool:
        """Whether a search without a time limit has begun at or after a time of `time.monotonic`."""
        last = self._deadline
        return last is not None and math.isinf(last.left()) and last.began >= began

    def choose(self, color: int, deadline: Deadline) -> Decision:
        """Return the player's move for a colour without playing it; RESIGN or PASS if the game is decided."""
        decided = self.game.positions[-1].decided
        if decided is not None:
            return Decision(RESIGN if decided.winner == Color(opponent(color)) else PASS)
        with refusing(BotError):
            return computer.choose(self.player, self.game, color, deadline)

    def genmove(self, color: int) -> str:
        """Choose and play a move; return its vertex, `pass` or `resign`."""
        deadline = self.deadline(color)
        return self.commit(color, self.decide(color, deadline), deadline)

    def decide(self, color: int, deadline: Deadline) -> Decision:
        """Return a move of the opening book, or else the player's, without playing it."""
        choose = self.choose_shown if self.options.gogui_gfx else self.choose
        return self.opening(color, deadline) or choose(color, deadline)

    def opening(self, color: int, deadline: Deadline) -> Decision | None:
        """Return a move of the opening book that the limit permits. None: the book has none, or is not used."""
        if self.options.no_opening_book or self.game.positions[-1].decided is not None:
            return None
        return computer.opening(self.player, self.game, color, deadline)

    def choose_shown(self, color: int, deadline: Deadline) -> Decision:
        """Choose as `choose` does; during the search, write pictures for GoGui's live graphics."""
        analyst = self.player.as_analyst()
        with self.working(lambda: self.choose(color, deadline)) as job:
            while wait([job], GFX_INTERVAL).not_done:
                moves = move_analyses(analyst, self.game, color) if analyst is not None else []
                if picture := pictures.thinking(self.game, color, moves):
                    self.notify("\n".join(["gogui-gfx:", *picture, ""]))
        self.notify("gogui-gfx: CLEAR")
        return job.result()

    @contextmanager
    def working(self, work: Callable[[], T]) -> Iterator[Future[T]]:
        """Run `work` in a thread, which ends with the block; an exception in the block stops the search."""
        with ThreadPoolExecutor(1, WORKER) as pool:
            try:
                yield pool.submit(work)
            except BaseException:
                self.stop.set()
                raise

    def commit(self, color: int, decision: Decision, deadline: Deadline) -> str:
        """Play a decision and charge the clock; return the vertex, `pass` or `resign`."""
        self.last_note = decision.note
        if decision.move != RESIGN:
            if decision.note:
                self.notify(decision.note)  # before the play, which may end the game: the result is the last line
            self.generated.add(int(color))
            self.play(color, decision.move)
            self._own_move = self.game.positions[-1]
            self.announce_atari(color)
        self.clock.spend(color, deadline.elapsed())
        return self.game.vertex(decision.move)

    def ponder(self) -> None:
        """Search the position after the engine's own move until the client sends a line; the tree keeps the result."""
        if self._own_move is not self.game.positions[-1] or self.game.outcome is not None:
            return
        for seconds in PONDER_ROUNDS if self.player.can_ponder else ():
            if not self.stop.is_set():
                self.player.choose(self.game, int(self.game.to_move), Limit(seconds, watched=True).begin(self.stop))

    def announce_atari(self, color: int) -> None:
        """Report the opposing chains in atari on the console."""
        chains = [self.game.vertex(p) for p in self.game.atari(opponent(color))]
        if chains and self.game.outcome is None:
            line = f"atari: {' '.join(chains)}"
            self.notify(line if len(line) <= SHORT_LINE else f"atari: {len(chains)} chains")
