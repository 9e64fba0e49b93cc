"""A game between a user and the engine in a terminal."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from ..go import sgf
from ..go.game import GameError
from ..go.position import Termination
from ..go.vertex import BLACK, COLOR_NAMES, RESIGN, WHITE, opponent
from ..gtp.engine import Engine
from ..gtp.options import Options
from ..gtp.protocol import GtpError
from ..players import levels
from ..players.explain import copy_of, explain, hint
from . import drawing

HELP = """Type a point, for example C3, to put a stone there. Or one of these:
  hint          the best move and why
  undo          take your last move back
  explain       why your last move loses, if it does
  level NAME    change the level: 1 to 10, or a name
  save FILE     keep the game as SGF
  resign        give up
  new           another game
  quit          leave"""


class TerminalGame:
    """A game between a user and the engine."""

    def __init__(self, options: Options, human: int, console: Console) -> None:
        self.console = console
        self.human = human
        self.engine = Engine(options, self.notify)
        self.engine.start(_event_already_set())

    def notify(self, line: str) -> None:
        """Report compilation, on the first start on a computer; the board shows all else."""
        if line.startswith("compiling"):
            text = "I am preparing, once on this computer, and play by shape for about 20 seconds."
            self.console.print(text, style="dim", highlight=False)
        elif line.startswith("compiled"):
            self.console.print("I am ready now.", style="dim")
        elif line.startswith(("level ", "profile ")):
            self.console.print(f"{line[0].upper()}{line[1:]}.", highlight=False)

    def show(self) -> None:
        """Print the board, and the chains in atari below it."""
        game = self.engine.game
        self.console.print(drawing.board(game, signs=drawing.signs_for(self.console.encoding)))
        for color in (BLACK, WHITE):
            for p in game.atari(color):
                whose = "Your" if color == self.human else "My"
                self.console.print(f"Atari! {whose} stone at {game.vertex(p)} has one liberty left.", style="red")

    def run(self) -> None:
        """Read and execute lines until the user leaves."""
        self.console.print(f"{self.engine.game.rules}. You are {COLOR_NAMES[self.human]}; 'help' says what you can do.")
        self.answer()
        self.show()
        while True:
            line = self.read_line()
            if line is None or line.lower() in ("quit", "exit", "q"):
                return
            if line:
                self.execute(*line.split(maxsplit=1))

    def read_line(self) -> str | None:
        """Return the next line of the user; None at the end of the input."""
        try:
            return self.console.input("> ").strip()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            return None

    def execute(self, word: str, rest: str = "") -> None:
        """Execute a command or play a move; print one line for an error."""
        actions: dict[str, Callable[[str], None]] = {
            "help": lambda rest: self.console.print(HELP, highlight=False),
            "hint": self.hint,
            "undo": self.undo,
            "explain": self.explain,
            "level": self.level,
            "save": self.save,
            "resign": lambda rest: self.play(RESIGN),
            "new": self.new,
        }
        try:
            if word.lower() in actions:
                actions[word.lower()](rest)
            else:
                self.play(self.engine.game.point(word))
        except (ValueError, OSError, GtpError) as error:
            self.console.print(_message(word, error), style="yellow", highlight=False)

    def play(self, point: int) -> None:
        """Play a move of the user, and the engine's reply."""
        if self.engine.game.outcome is not None:
            raise ValueError("the game is over: 'new' begins another, 'undo' takes the end back")
        self.engine.game.play(point, self.human)
        self.engine.follow_result()
        self.answer()
        self.show()
        self.show_result()

    def answer(self) -> None:
        """Play the engine's move if it is its turn."""
        game = self.engine.game
        if game.outcome is None and game.to_move == opponent(self.human):
            move = self.engine.genmove(opponent(self.human))
            self.console.print(f"I play {move}.", highlight=False)

    def show_result(self) -> None:
        """Print the winner once the game is over."""
        outcome = self.engine.game.outcome
        if outcome is None:
            return
        result = "Nobody wins" if outcome.winner is None else "You win" if outcome.winner == self.human else "I win"
        self.console.print(f"{result}: {outcome.termination}.", style="bold green", highlight=False)

    def hint(self, rest: str) -> None:
        """Print the best move and the reason for it."""
        found = hint(self.engine.analyst, self.engine.game, self.human, self.engine.analysis_limit())
        if found is None:
            raise ValueError("the game is over" if self.engine.game.outcome else "you have no move")
        self.console.print(f"{self.engine.game.vertex(found.move)}: {found.reason}", highlight=False)

    def explain(self, rest: str) -> None:
        """Print whether the user's last move is a proven loss, and the refutation."""
        game = self.engine.game
        own = [n for n, move in enumerate(game.moves, 1) if move.color == self.human]
        if not own:
            raise ValueError("you have not played yet")
        passed_out = game.outcome is not None and game.outcome.termination is Termination.TWO_PASSES
        asked = game if passed_out else copy_of(game, own[-1])
        self.console.print(f"{explain(self.engine.analyst, asked, self.engine.analysis_limit())}.", highlight=False)

    def undo(self, rest: str) -> None:
        """Take back the user's last move and the reply."""
        game = self.engine.game
        if not any(move.color == self.human for move in game.moves):
            raise ValueError("there is no move of yours to take back")
        while game.moves[-1].color != self.human:
            game.undo()
        game.undo()
        self.show()

    def level(self, rest: str) -> None:
        """Change the level."""
        self.engine.change(level=levels.level(rest))
        self.console.print(f"Level {self.engine.options.level}: {levels.name(self.engine.options.level)}.")

    def save(self, rest: str) -> None:
        """Save the game as SGF."""
        if not rest:
            raise ValueError("save needs the name of a file")
        names = {self.human: "you", opponent(self.human): "gtp-capture"}
        Path(rest).expanduser().write_bytes(sgf.dump(self.engine.game, names[BLACK], names[WHITE]))
        self.console.print(f"Saved {rest}.", highlight=False)

    def new(self, rest: str) -> None:
        """Start another game."""
        self.engine.new_game()
        self.answer()
        self.show()


def _event_already_set() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


def _message(word: str, error: Exception) -> str:
    """An error message for a beginner."""
    if isinstance(error, OSError):
        return f"I cannot write that file: {error.strerror}."
    if str(error).startswith("not a vertex") or isinstance(error, GameError):
        return f"I do not understand {word!r}: type a point such as C3, or 'help'."
    return f"{error}."
