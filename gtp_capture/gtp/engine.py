"""The state of a session: a game, a player, a clock, and what happens around a move."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ..go import board as bd
from ..go.game import Game, GameError, IllegalMoveError
from ..go.opening import crosscut
from ..go.position import Position, Termination
from ..go.rules import Rules
from ..go.scoring import Status
from ..go.vertex import BLACK, COLOR_NAMES, PASS, RESIGN, WHITE, opponent
from ..jit.warmup import Warmup
from ..players import life
from ..players.analysis import insights
from ..players.levels import LEVELS
from ..players.player import NEEDS_SEARCH, PLAYERS, Decision, MctsPlayer, Player, Settings
from ..util.limit import Limit
from . import pictures
from .clock import Clock, thinking_time
from .options import Options
from .protocol import GtpError

T = TypeVar("T")

SHORT_LINE = 28
"""Characters that Sabaki's console shows in a line."""
PONDER_SECONDS = 300.0
"""How long to think about an opponent's move at most: nobody wants a busy machine over night."""
GFX_INTERVAL = 0.25
"""Seconds between two pictures."""
DEFAULT_SECONDS = 1.0
"""Time for a move when nobody names one."""
CAUSES = {
    Termination.CAPTURE: "capture",
    Termination.NO_LEGAL_PLAY: "no move",
    Termination.HANDED_OVER: "pass",
    Termination.RESIGNATION: "resigned",
}


@dataclass(slots=True)
class Engine:
    """One session's engine."""

    options: Options
    say: Callable[[str], None]
    """Takes one line for the person at the console."""
    stop: threading.Event = field(default_factory=threading.Event)
    game: Game = field(init=False)
    player: Player = field(init=False)
    clock: Clock = field(init=False)
    warmup: Warmup = field(init=False)
    command_names: Callable[[], list[str]] = field(init=False, default=list)
    _analyst: MctsPlayer | None = field(init=False, default=None)
    _answer: Position | None = field(init=False, default=None)
    """The position that the engine's own last move led to."""
    last_note: str = field(init=False, default="")
    """What the player said of its last move."""
    _limit: Limit | None = field(init=False, default=None)
    """What bounded the last search that the options and the clock bound."""

    def __post_init__(self) -> None:
        self.warmup = Warmup(self.say)
        self.clock = Clock(self.options.move_overhead)
        self.player = PLAYERS[self.options.player](self.settings(), self.warmup)
        self.resize(self.options.width, self.options.height)

    def settings(self) -> Settings:
        """What the options say to a player."""
        options = self.options
        return Settings(options.seed, options.threads, options.level, options.memory * 2**20, self.say)

    @property
    def analyst(self) -> MctsPlayer:
        """Who explains a position: the player itself where nothing holds it back, else one at full strength."""
        if isinstance(self.player, MctsPlayer) and self.options.level > len(LEVELS):
            return self.player
        if self._analyst is None:
            self._analyst = MctsPlayer(replace(self.settings(), level=len(LEVELS) + 1), self.warmup)
        return self._analyst

    def change(self, **options: Any) -> None:
        """Change options in the middle of a session; new rules begin with the next game, or now if no stone stands."""
        self.options = replace(self.options, **options)
        self._analyst = None
        self.player = PLAYERS[self.options.player](self.settings(), self.warmup)
        if "rules" in options and not self.game.moves and not bd.chains(self.game.board):
            self.new_game()

    def use_rules(self, rules: Rules) -> None:
        """Play by other rules from now on. GtpError: the game under way has begun by its own."""
        if rules != self.game.rules and self.game.moves:
            raise GtpError(f"the game under way plays {self.game.rules}: clear_board first")
        self.options = replace(self.options, rules=rules)
        if rules == self.game.rules:
            return
        game, first = self.game, self.game.positions[0]
        black, white = ([p for p in bd.points(game.board) if first.colors[p] == c] for c in (BLACK, WHITE))
        changed = Game(rules, game.width, game.height, komi=game.explicit_komi)
        changed.setup(black, white, first.to_move)
        changed.handicap = game.handicap
        self.adopt(changed)

    def start(self, after: threading.Event) -> None:
        """Load what the player will need, once the client has its first answer."""
        # GoGui starts a ruler as it starts a player; a ruler never has to think.
        if self.options.player in NEEDS_SEARCH and not self.options.gogui_rules:
            self.warmup.start(after)

    # --- The game ---

    def resize(self, width: int, height: int) -> None:
        """A new game on a board of this size; a komi that was set stays. GameError: no such board."""
        komi = self.game.explicit_komi if hasattr(self, "game") else self.options.komi
        game = Game(self.options.rules, width, height, komi=komi)
        if self.options.crosscut:
            game.setup(*crosscut(width, height), BLACK)
        self.adopt(game)
        self.clock.reset()

    def adopt(self, game: Game) -> None:
        """Go on with this game; who has no proof of a chain's fate is told by playouts."""
        game.judge = life.statuses
        self.game = game

    def new_game(self) -> None:
        """A new game on the same board."""
        self.resize(self.game.width, self.game.height)

    def play(self, color: int, point: int) -> None:
        """Make a move that the client or the player chose. GtpError: it is refused, and nothing has changed."""
        game = self.game
        was_over = game.outcome is not None
        decided = game.positions[-1].decided
        if self.options.strict and decided is not None and point != PASS:
            raise GtpError(f"the game is over: {self.result_line()}")
        try:
            game.play(point, color)
        except IllegalMoveError as error:
            self.say(str(error))
            raise GtpError("illegal move") from None
        if not was_over and game.outcome is not None:
            self.say(self.result_line())

    def undo(self) -> None:
        """Take a move back. GtpError: there is none."""
        try:
            self.game.undo()
        except GameError:
            raise GtpError("cannot undo") from None

    def result_line(self) -> str:
        """Who won and why, short enough for every console; the score after two passes."""
        outcome = self.game.outcome
        if outcome is None:
            return "the game goes on"
        if outcome.termination in CAUSES:
            winner = COLOR_NAMES[outcome.winner or BLACK].upper()
            return f"{winner} WINS ({CAUSES[outcome.termination]})"
        return f"GAME OVER ({self.score() or 'not scored'})"

    def score(self) -> str | None:
        """The result as GTP writes it ("B+3.5", "0"), or None where there is none yet."""
        decided = self.game.positions[-1].decided
        if decided is not None:
            return "B+1" if decided.winner == BLACK else "W+1"
        lead = self.game.score()
        if lead is None:
            return None
        return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"

    def dead_stones(self) -> set[int] | None:
        """The stones that come off before scoring; none where nothing does."""
        statuses = self.game.statuses()
        if statuses is None:
            return None
        return {q for p, status in statuses.items() if status is Status.DEAD for q in bd.stones(self.game.board, p)}

    # --- The engine's own moves ---

    def limit(self, color: int) -> Limit:
        """What the options and the clock leave for the next move."""
        options, board = self.options, self.game.board
        budget = self.clock.budget(color, moves_to_go=max(8, int(board.empties) // 3))
        own = options.time_per_move and thinking_time(options.time_per_move, options.move_overhead)
        seconds = [s for s in (budget, own) if s is not None]
        if not seconds and options.playouts is None:
            seconds = [DEFAULT_SECONDS]
        self._limit = Limit(min(seconds, default=None), options.playouts, self.stop, self.clock.flag(color))
        return self._limit

    def thought(self) -> Limit:
        """What a question about a position may take: the clock does not run."""
        options = self.options
        seconds = options.time_per_move or (DEFAULT_SECONDS if options.playouts is None else None)
        self._limit = Limit(seconds, options.playouts, self.stop)
        return self._limit

    def endless(self, began: float) -> bool:
        """Whether the search that began after a time (`time.monotonic`) has no time limit."""
        return self._limit is not None and self._limit.seconds is None and self._limit.started >= began

    def choose(self, color: int, limit: Limit) -> Decision:
        """The player's move for a colour, or what the end of the game leaves to say; nothing is played."""
        decided = self.game.positions[-1].decided
        if decided is not None:
            return Decision(RESIGN if decided.winner == opponent(color) else PASS)
        return self.player.choose(self.game, color, limit)

    def genmove(self, color: int) -> str:
        """Choose and play: the vertex, `pass` or `resign`."""
        limit = self.limit(color)
        return self.commit(color, (self.choose_shown if self.options.gogui_gfx else self.choose)(color, limit), limit)

    def choose_shown(self, color: int, limit: Limit) -> Decision:
        """Like `choose`, with pictures on the console meanwhile."""
        work = self.while_working(lambda: self.choose(color, limit), GFX_INTERVAL)
        while True:
            try:
                next(work)
            except StopIteration as done:
                self.say("gogui-gfx: CLEAR")
                decision: Decision = done.value
                return decision
            found = insights(self.player, self.game, color) if isinstance(self.player, MctsPlayer) else []
            if picture := pictures.thinking(self.game, color, found):
                self.say("\n".join(["gogui-gfx:", *picture, ""]))

    def while_working(self, work: Callable[[], T], interval: float) -> Generator[None, None, T]:
        """Yields every so many seconds while a thread works; what the work gave is what the generator returns."""
        with ThreadPoolExecutor(1, "work") as pool:
            job = pool.submit(work)
            try:
                while wait([job], interval).not_done:
                    yield
            except GeneratorExit:
                self.stop.set()
                raise
        return job.result()

    def commit(self, color: int, decision: Decision, limit: Limit) -> str:
        """Play what was chosen: the vertex, `pass` or `resign`."""
        self.last_note = decision.note
        if decision.move != RESIGN:
            if decision.note:
                self.say(decision.note)  # before the play, which may end the game: the result is the last line
            self.play_own(color, decision.move)
            self._answer = self.game.positions[-1]
            self.announce_atari(color)
        self.clock.spend(color, limit.elapsed())
        return self.game.vertex(decision.move)

    def ponder(self) -> None:
        """Think about the opponent's reply to the engine's own move until the client sends a line.

        The tree keeps what is found. A level that is held back has no use for it.
        """
        if self._answer is not self.game.positions[-1] or self.game.outcome is not None:
            return
        if isinstance(self.player, MctsPlayer) and self.options.level > len(LEVELS):
            self.player.choose(self.game, self.game.to_move, Limit(PONDER_SECONDS, None, self.stop))

    def play_own(self, color: int, point: int) -> None:
        """Play the engine's own move; a refusal is a bug of ours, not the client's mistake."""
        reason = self.game.why_illegal(point, color)
        if reason is not None:
            raise RuntimeError(f"the player chose {self.game.vertex(point)}: {reason}")
        self.play(color, point)

    def announce_atari(self, color: int) -> None:
        """Say "atari" for the opposing chains that could be captured next, as the rules ask."""
        chains = [self.game.vertex(p) for p in self.game.atari(opponent(color))]
        if chains and self.game.outcome is None:
            line = f"atari: {' '.join(chains)}"
            self.say(line if len(line) <= SHORT_LINE else f"atari: {len(chains)} chains")

    def atari_lines(self) -> list[str]:
        """A line for each chain in atari: its colour, its liberty, its stones."""
        game = self.game
        return [
            f"{COLOR_NAMES[c]} {game.vertex(bd.last_liberty(game.board, p))} "
            + " ".join(game.vertex(s) for s in bd.stones(game.board, p))
            for c in (BLACK, WHITE)
            for p in game.atari(c)
        ]
