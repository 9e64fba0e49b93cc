"""A game in a terminal: a person and the engine, or two people at one keyboard."""

from __future__ import annotations

import itertools
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Final

import click
from rich.console import Console

from ..go import sgf
from ..go.game import Game
from ..go.opening import crosscut, spread
from ..go.position import Termination
from ..go.vertex import BLACK, PASS, RESIGN, WHITE, numbered, opponent
from ..go.words import counted
from ..gtp.engine import Engine
from ..gtp.options import Options
from ..gtp.protocol import GtpError
from ..jit.warmup import State
from ..players import levels
from ..teach import explain, words
from ..teach.danger import punishment
from ..teach.review.judge import SECONDS, Budget, review_game
from ..teach.terms import TERMS
from ..util.atomic_file import atomic_write
from ..util.files import escaped
from ..util.limit import Limit
from . import drawing, orders
from .options import board_size

IMPORTANT = "bold"
"""The style of results and questions; colours of text are hard to read on some terminals."""
EASY: Final = {"easy": 1, "normal": levels.RECOMMENDED, "hard": 6}
"""Levels by the words that a child may type."""
MOST_NUMBERS: Final = 5
"""Moves of a line that hints and explanations number on the board, at most."""
MOST_TURNS: Final = 3
"""Extra turns of Black, by the custom between games, at most."""
YES: Final = ("y", "yes")
NO: Final = ("n", "no")


@dataclass(frozen=True, slots=True)
class Seats:
    """The people at the table, and how the game is set up for them."""

    people: frozenset[int]
    """The colours that people play; the engine plays the others."""
    handicap: int = 0
    """Stones of Black before White's first move; 0 for none."""
    warn: bool = False
    """Whether a move that can be punished at once is shown before it is played."""
    interactive: bool = True
    """Whether questions can be answered: false if the input is not a terminal."""

    @property
    def turns(self) -> int:
        """Extra turns of Black at the start, in a capture game."""
        return max(0, self.handicap - 1)


@dataclass(frozen=True, slots=True)
class Action:
    """A command: its function gets the game and the text after the command, and raises ValueError with a sentence.

    Its help is in `teach.strings`.
    """

    run: Callable[[TerminalGame, str], object]
    usage: str
    """What to type after the command, for example "[N]"; "" for nothing."""
    at_end: bool = False
    """Whether the command is offered at the end of a game."""


class TerminalGame:
    """A game at one terminal: its moves, board and questions. The commands are in ACTIONS."""

    def __init__(self, options: Options, seats: Seats, console: Console) -> None:
        self.console = console
        self.seats = seats
        self.voice = words.Voice(plain=True, people=seats.people)
        self.leaving = False
        """Set by the command that ends the session."""
        self.saved_moves = 0
        """Moves of the game when it was last saved."""
        self.custom: bool | None = None
        """Whether the loser takes Black, with extra turns after a loss with Black; None if that was not asked yet."""
        self._preparing = False
        """Whether the person was told that the search is being compiled."""
        self._heard: list[str] = []
        """Lines of the engine for a console, since this was last emptied."""
        self.engine = Engine(options, self.notify)
        self.engine.adaptation.active = False  # until the table knows whether the level or the turns follow a result
        self.set_up()
        self.engine.start(_event_already_set())

    # --- Output ---

    def say(self, text: str, style: str = "") -> None:
        """Print a line."""
        self.console.print(text, style=style)

    def tell(self, key: str, style: str = "", **fields: object) -> None:
        """Print a sentence of the table of sentences."""
        self.say(self.voice.text(key, **fields), style)

    def notify(self, line: str) -> None:
        """Report compilation, on the first start on a computer; the board shows all else."""
        self._heard.append(line)
        if self.engine.warmup.state is State.COMPILING and not self._preparing:
            self._preparing = True
            self.tell("play.preparing")

    def show(self) -> None:
        """Print the board and, below it, the last move, prisoners, chains in atari, and the turn or the result."""
        game = self.engine.game
        drawing.show(self.console, game)
        if self._preparing and self.engine.warmup.state is State.READY:
            self._preparing = False
            self.tell("play.ready")
        if (last := game.last_move) is not None:
            self.say(words.last_move(game, last))
        if prisoners := words.prisoner_line(game, self.voice):
            self.say(prisoners)
        outcome = game.outcome
        if outcome is None:
            for line in words.atari_lines(game, self.voice):
                self.say(line, style=IMPORTANT)
            self.say(words.turn_line(game.to_move, self.voice, self.signs))
            return
        for line in words.count_lines(game, self.engine.dead_stones()):
            self.say(line)
        self.say(words.result_line(game, outcome, self.voice), style=IMPORTANT)
        offered = [name for name, action in ACTIONS.items() if action.at_end]
        purposes = [self.voice.text(f"play.command.{name}.end") for name in offered]
        pairs = zip(offered, purposes, strict=True)
        offers = [self.voice.text("play.offer", command=name, purpose=purpose) for name, purpose in pairs]
        self.tell("play.offers", commands=words.either(offers))

    def replay(self, game: Game, color: int, line: tuple[str, ...], most: int | None = None) -> None:
        """Print a position with the numbered moves of a line that a colour begins.

        `most`: print only as many, and say that the game goes on if it does.
        """
        shown = line[:most]
        points = [game.point(move) for move in shown]
        drawing.show(self.console, game, numbers=numbered(color, points))
        if again := words.again(points):
            self.say(again)
        self.say(words.line_of_moves(color, shown, self.voice))
        if most is not None and not _over_after(game, color, points):
            self.tell("explain.numbers.first")

    @property
    def signs(self) -> dict[int, str]:
        """The characters of the stones on this terminal."""
        return dict(drawing.signs_for(self.console.encoding))

    # --- Input ---

    def run(self) -> None:
        """Read and execute lines until the person leaves."""
        game = self.engine.game
        sample = orders.example(game.width, game.height)
        for line in words.greeting(game, self.level_name, self.voice, self.signs, sample):
            self.say(line)
        if self.engine.options.adapt and not self.voice.two:
            self.tell("play.adapt", level=self.engine.options.level)
        if self.seats.handicap and game.rules.is_capture_game:
            self.tell("play.handicap", stones=self.seats.handicap)
        while not self.leaving:
            try:
                self.answer_and_show()
                while not self.leaving:
                    typed = self.read_line(self.prompt())
                    if typed is None:
                        self.leave()
                    else:
                        self.execute(typed)
                return
            except KeyboardInterrupt:
                self.console.print()
                self.interrupted()

    def prompt(self) -> str:
        """The colour to move, or nothing after the end of the game."""
        game = self.engine.game
        return "" if game.outcome is not None else words.name(game.to_move)

    def read_line(self, prompt: str) -> str | None:
        """Return the next line of the person; None at the end of the input."""
        try:
            line = orders.read_line(self.console, f"{prompt}> ").strip()
        except EOFError:
            self.console.print()
            return None
        if not self.seats.interactive:
            self.say(line)  # a terminal echoes what is typed
        return line

    def execute(self, line: str) -> None:
        """Play a move or execute a command; print a sentence if that is not possible."""
        if not line:
            return
        game = self.engine.game
        try:
            order = orders.read(line, ACTIONS, game.width, game.height)
            if isinstance(order, orders.Play):
                self.play(order.point)
            else:
                ACTIONS[order.name].run(self, order.rest)
        except OSError as error:
            self.say(f"I cannot write that file: {error.strerror or error}.")
        except (ValueError, GtpError) as error:
            self.say(words.sentence(str(error)))

    def agrees(self, question: str, otherwise: bool) -> bool:
        """Ask a question that is answered with yes or no; `otherwise` is the answer of an input without a person."""
        if not self.seats.interactive:
            return otherwise
        self.say(question, style=IMPORTANT)
        while True:
            answer = self.read_line(self.voice.text("play.yes_or_no"))
            if answer is None:
                self.leaving = True
                return False
            if answer.lower() in (*YES, *NO):
                return answer.lower() in YES
            self.tell("play.please")

    def leave(self) -> None:
        """Leave, after an offer to save the game."""
        if not self.is_unsaved or not self.seats.interactive:
            self.leaving = True
            return
        self.tell("play.unfinished" if self.engine.game.outcome is None else "play.finished")
        if not self.read_name():
            self.leaving = True

    def interrupted(self) -> None:
        """Offer to save the game after ^C. Abort: there is nothing to save, or ^C was typed again."""
        if not self.is_unsaved or not self.seats.interactive:
            raise click.Abort
        self.tell("play.interrupted")
        try:
            self.read_name()
        except KeyboardInterrupt:
            self.console.print()
            raise click.Abort from None

    @property
    def is_unsaved(self) -> bool:
        """Whether the game has moves of a person, and moves that are not in a file."""
        moves = self.engine.game.moves
        return any(move.color in self.seats.people for move in moves) and len(moves) != self.saved_moves

    def read_name(self) -> str | None:
        """Read a name, save the game in that file and leave; return the name, "" or None at the end of the input.

        "no" leaves it unsaved, and "yes" saves it under the first free one.
        """
        name = self.read_line(self.voice.text("play.name"))
        if name is not None and name.lower() in NO:
            return ""
        try:
            if name is None:
                self.leaving = True
            elif name:
                self.leaving = self.save("" if name.lower() in YES else name)
        except OSError as error:
            self.say(f"I cannot write that file: {error.strerror or error}.")
        except ValueError as error:
            self.say(words.sentence(str(error)))
        return name

    def save(self, name: str) -> bool:
        """Save the game as SGF, under the first free name if none is given; return whether it was written.

        A file of that name is only replaced if the person agrees. OSError: it cannot be written.
        """
        path = _sgf_path(name)
        shown = escaped(str(path))
        if path.is_dir():
            raise ValueError(f"There is a folder {shown}. Please type the name of a file")
        if path.exists() and not self.agrees(self.voice.text("play.overwrite", file=shown), otherwise=False):
            self.tell("play.kept", file=shown)
            return False
        game = self.engine.game
        names = {c: "you" if c in self.seats.people else self.engine.name for c in (BLACK, WHITE)}
        if self.voice.two:
            names = {BLACK: "", WHITE: ""}
        with atomic_write(path) as file:
            file.write(sgf.dump(game, names[BLACK], names[WHITE]))
        self.saved_moves = len(game.moves)
        self.tell("play.saved", file=shown)
        return True

    @contextmanager
    def working(self) -> Iterator[None]:
        """Let ^C end a search of the engine early; KeyboardInterrupt then follows at its end."""
        stop = self.engine.stop

        def end(number: int, frame: FrameType | None) -> None:
            stop.set()

        before = signal.signal(signal.SIGINT, end)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
            stopped = stop.is_set()
            stop.clear()
        if stopped:
            raise KeyboardInterrupt

    # --- The game ---

    def must_go_on(self) -> None:
        """Raise ValueError if the game is over."""
        if self.engine.game.outcome is not None:
            raise ValueError("The game is over: type new for another game, or undo to go back")

    @property
    def level_name(self) -> str:
        """The level of the engine as number and name; "" if people play both sides."""
        level = self.engine.options.level
        return "" if self.voice.two else self.voice.text("play.level", number=level, name=levels.name(level))

    def set_up(self, size: tuple[int, int] | None = None) -> None:
        """Begin a game, on another board if its size is given."""
        width, height = size or (self.engine.game.width, self.engine.game.height)
        self.engine.options = replace(self.engine.options, width=width, height=height)
        self.engine.resize(width, height)
        if self.seats.handicap and not self.engine.game.rules.is_capture_game:
            stones = spread(width, height, self.seats.handicap)
            self.engine.game.place_handicap(map(self.engine.game.vertex, stones))
        self.saved_moves = 0

    def change_sides(self) -> None:
        """After a capture game, offer the custom once; if it is kept, set the sides and the extra turns of Black by it.

        The loser takes Black. A loss with Black gives one extra turn more; after a win with extra turns the sides stay,
        with one less.
        """
        game, outcome = self.engine.game, self.engine.game.outcome
        if outcome is None or outcome.winner is None or not game.rules.is_capture_game or self.engine.options.crosscut:
            return
        if self.custom is None:
            self.custom = self.agrees(self.voice.text("play.custom", most=MOST_TURNS), otherwise=False)
            if self.custom and self._adapts:
                self.tell("play.custom.adapt", most=MOST_TURNS)
        if not self.custom:
            return
        turns, people, less = self.seats.turns, self.seats.people, False
        if outcome.winner == WHITE:
            turns += not (self._level_follows() or turns >= self._most_turns)
        elif turns:
            turns, less = turns - 1, True
        else:
            people = frozenset(map(opponent, people))
        self.seats = replace(self.seats, people=people, handicap=turns + 1 if turns else 0)
        self.voice = replace(self.voice, people=people)
        self.tell("play.custom.less" if less else "play.custom.loser")
        if not self.voice.two:
            self.say(words.sides_line(self.voice, self.signs))
        if turns:
            self.tell("play.handicap", stones=turns + 1)

    @property
    def _adapts(self) -> bool:
        """Whether the level of the engine follows results."""
        return self.engine.options.adapt and not self.voice.two

    @property
    def _most_turns(self) -> int:
        """The extra turns that Black may have on this board."""
        return min(MOST_TURNS, self.engine.game.width * self.engine.game.height // 2 - 1)

    def _level_follows(self) -> bool:
        """Whether the level, and not the extra turns of the custom, follows the end of the game."""
        outcome, turns = self.engine.game.outcome, self.seats.turns
        if not self._adapts or not self.custom or outcome is None:
            return self._adapts
        return turns == 0 if outcome.winner in self.seats.people else turns >= self._most_turns

    def play(self, point: int) -> None:
        """Play a move of the person to move, and the engine's reply."""
        self.must_go_on()
        game = self.engine.game
        color = int(game.to_move)
        reason = game.why_illegal_point(point, color)
        if reason is not None:
            raise ValueError(words.refusal(game, point, reason))
        if self.seats.warn and self._takes_back(point, color):
            self.show()
            return
        game.play_point(point, color)
        self._say_taken()
        self.answer_and_show()

    def _say_taken(self) -> None:
        """Print which stones the last move took, if it took any."""
        if line := words.taken_line(self.engine.game, self.voice):
            self.say(line)

    def _takes_back(self, point: int, color: int) -> bool:
        """Show how a move can be punished at once, if it can, and return whether the person takes it back."""
        if point <= 0 or self.extra_turns > 1:
            return False
        game = self.engine.game
        with self.working():
            found = punishment(game, point, color, ladders=self.engine.warmup.state is State.READY)
        if found is None:
            return False
        self.tell("warning", style="bold", move=game.vertex(point))
        self.say(words.warning(found, self.voice))
        after = game.copy()
        after.play_point(point, color)
        self.replay(after, opponent(color), found.line)
        return self.agrees(self.voice.text("warning.question", move=game.vertex(point)), otherwise=False)

    def answer_and_show(self) -> None:
        """Play the engine's moves until it is a person's turn, and print the board."""
        game = self.engine.game
        self.give_turns()
        while game.outcome is None and game.to_move not in self.seats.people:
            color = int(game.to_move)
            with self.working():
                move = self.engine.genmove(color)
            if move == "resign":
                game.play_point(RESIGN, color)
            self.tell(f"play.move.{move}" if move in ("pass", "resign") else "play.move", move=move)
            self._say_taken()
            self.give_turns()
        level = self.engine.options.level
        self._heard.clear()
        self.engine.adaptation.active = self._level_follows()
        self.engine.follow_result()
        self.engine.adaptation.active = False
        heard = list(self._heard)
        self.show()
        if (now := self.engine.options.level) != level:
            self.tell("play.level.now", number=now, name=levels.name(now))
            heard = heard[1:]  # without the same for a console
        for fault in heard:  # the profile cannot be written
            self.say(words.sentence(fault))

    def give_turns(self) -> None:
        """Give Black the extra turns of a handicap in a capture game."""
        if self.engine.game.moves and self.extra_turns:
            self.engine.game.set_to_move(BLACK)

    @property
    def extra_turns(self) -> int:
        """The turns that Black has left before White begins, in a capture game with handicap."""
        game = self.engine.game
        if game.outcome is not None or not game.rules.is_capture_game:
            return 0
        return max(0, self.seats.handicap - len(game.moves))


def help_(table: TerminalGame, rest: str) -> None:
    """Print the commands, or all about one of them, or what a word of the game means."""
    game = table.engine.game
    if not rest:
        sample = orders.example(game.width, game.height)
        table.tell("play.help", example=sample)
        for word, action in ACTIONS.items():
            table.say(f"  {f'{word} {action.usage}':<14} {table.voice.text(f'play.command.{word}')}")
        table.tell("term.words", words=", ".join(TERMS))
        return
    name = orders.full_name(rest.split()[0], [*ACTIONS, *TERMS])
    if name is None:
        raise ValueError(f"I cannot explain {orders.quoted(rest)}. Type help to see all words")
    if name in TERMS:
        drawing.show_term(table.console, name, game.rules)
        return
    key = f"play.command.{name}"
    more = table.voice.text(f"{key}.more") if f"{key}.more" in words.table else ""
    usage, summary = f"{name} {ACTIONS[name].usage}".strip(), table.voice.text(key)
    table.tell("play.help.more" if more else "play.help.command", usage=usage, summary=summary, more=more)


def rules(table: TerminalGame, rest: str) -> None:
    """Print the rules of this game."""
    game = table.engine.game
    table.tell("rules.game", style="bold", rules=game.rules, size=f"{game.width}x{game.height}")
    turns = table.seats.handicap if game.rules.is_capture_game else 0
    for line in [words.game_goal(game.rules, table.voice), *words.rules_lines(game, turns)]:
        table.say(line)


def hint(table: TerminalGame, rest: str) -> None:
    """Print the best move of the side to move, and the reason for it."""
    table.must_go_on()
    _check_turns(table)
    engine = table.engine
    with table.working():
        found = explain.hint(engine.analyst, engine.game, int(engine.game.to_move), engine.analysis_deadline())
    if found is None:
        raise ValueError("There is no move to show")
    table.say(words.hint(found, table.voice))
    if found.wins and len(found.line) > 1:
        table.tell("explain.numbers")
        table.replay(engine.game, int(found.color), found.line, MOST_NUMBERS)


def _over_after(game: Game, color: int, line: Sequence[int]) -> bool:
    """Whether alternating moves that a colour begins end a game."""
    after = game.copy()
    for n, move in enumerate(line):
        after.play_point(move, (color, opponent(color))[n % 2])
    return after.outcome is not None


def _check_turns(table: TerminalGame) -> None:
    """Raise ValueError during the extra turns of a handicap: proofs are about games in which the sides take turns."""
    if turns := table.extra_turns:
        again = "once" if turns == 1 else f"{turns} times"
        raise ValueError(f"I can help when White has begun. Now Black plays {again} more, wherever you like")


def explain_(table: TerminalGame, rest: str) -> None:
    """Print whether the last move of the person is a proven loss, and the refutation on the board.

    If people play both sides, it is the last move on the board of the side that has lost.
    """
    engine, game = table.engine, table.engine.game
    own = [n for n, move in enumerate(game.moves, 1) if move.color in table.seats.people]
    if table.voice.two and game.outcome is not None and (winner := game.outcome.winner) is not None:
        own = [n for n in own if game.moves[n - 1].color != winner and game.moves[n - 1].point != RESIGN] or own
    if not own:
        raise ValueError("You have not played yet")
    _check_turns(table)
    passed_out = game.outcome is not None and game.outcome.termination is Termination.TWO_PASSES
    plies = len(game.moves) if passed_out else own[-1]
    with table.working():
        asked = game.copy(plies)
        other = opponent(game.moves[plies - 1].color)
        reply = next((move.point for move in game.moves[plies:] if move.color == other and move.point > 0), PASS)
        found = explain.explanation(engine.analyst, asked, engine.analysis_deadline(), reply)
    table.say(words.statement(found, table.voice))
    if found.line:
        table.say(words.numbers(found, game.vertex(reply) if reply > 0 else None, table.voice))
        table.replay(asked, other, found.line, MOST_NUMBERS)
    if context := words.context(found, table.voice):
        table.say(context)


def review(table: TerminalGame, rest: str) -> None:
    """Print what is to be said about each move of the game, and which mistake decided it."""
    engine = table.engine
    if not engine.game.moves:
        raise ValueError("There is no move to look at")
    table.tell("play.review", seconds=SECONDS)
    with table.working():
        found = review_game(engine.analyst, engine.game, Budget(Limit(SECONDS).begin(engine.stop)))
    for line in words.review_lines(found, table.voice):
        table.say(line)


def undo(table: TerminalGame, rest: str) -> None:
    """Take back the last move of the person and the replies, or several."""
    game, people = table.engine.game, table.seats.people
    if rest and not (rest.isascii() and rest.isdigit() and int(rest[:6]) > 0):
        raise ValueError("Type undo, or undo and a number, for example undo 2")
    count, own = int(rest[:6] or 1), [n for n, move in enumerate(game.moves) if move.color in people]
    if not own:
        raise ValueError("There is no move of yours to take back")
    if count > len(own):
        raise ValueError(
            f"There {'is' if len(own) == 1 else 'are'} only {counted(len(own), 'move')} of yours to take back"
        )
    while len(game.moves) > own[-count]:
        game.undo()
    table.saved_moves = min(table.saved_moves, len(game.moves))
    table.show()


def level(table: TerminalGame, rest: str) -> None:
    """Change the level, or print it."""
    most, names = len(levels.NAMES), ", ".join(levels.NAMES)
    if rest:
        try:
            number = EASY.get(rest.lower()) or levels.level(rest.lower())
        except ValueError:
            known = f"{', '.join(EASY)}, 1 to {most}, or {names}"
            raise ValueError(f"There is no level {orders.quoted(rest)}. Type {known}") from None
        table.engine.change(level=number)
    chosen = table.engine.options.level
    table.tell("play.level.now", number=chosen, name=levels.name(chosen))
    if not rest:
        table.tell("play.level.types", easy=words.either([*EASY]), most=most, names=names)


def pass_(table: TerminalGame, rest: str) -> None:
    """Pass; ask first if that loses by the rules."""
    table.must_go_on()
    game = table.engine.game
    color = int(game.to_move)
    if game.rules.may_pass and game.loses_without_play(color):
        winner = table.voice.person(opponent(color))
        if not table.agrees(table.voice.text("play.losing_pass", winner=winner), otherwise=True):
            return
    table.play(PASS)


def new(table: TerminalGame, rest: str) -> None:
    """Start another game, on a board of another size if one is given."""
    if any(char.isdigit() for char in rest):
        size(table, rest)
        return
    if _may_begin_again(table):
        table.change_sides()
        if not table.leaving:
            table.set_up()
            table.answer_and_show()


def size(table: TerminalGame, rest: str) -> None:
    """Start another game on a board of another size."""
    game = table.engine.game
    if not rest:
        raise ValueError(f"This board is {game.width}x{game.height}. Type size and a number from 2 to 25")
    try:
        wanted = board_size(rest.lower().replace(" ", ""))
    except ValueError:
        raise ValueError("Type size and a number from 2 to 25, for example size 5, or size 9x7") from None
    check_start(table.engine.options, *wanted, table.seats.handicap)
    if _may_begin_again(table):
        table.set_up(size=wanted)
        table.answer_and_show()


def _may_begin_again(table: TerminalGame) -> bool:
    """Whether the game has ended, has not begun, or the person gives it up."""
    if table.engine.game.outcome is not None or not table.is_unsaved:
        return True
    return table.agrees(table.voice.text("play.begin_again"), otherwise=True)


ACTIONS: Final[dict[str, Action]] = {
    "help": Action(help_, "[WORD]"),
    "rules": Action(rules, ""),
    "board": Action(lambda table, rest: table.show(), ""),
    "hint": Action(hint, ""),
    "undo": Action(undo, "[N]", at_end=True),
    "explain": Action(explain_, "", at_end=True),
    "review": Action(review, "", at_end=True),
    "level": Action(level, "[NAME]"),
    "pass": Action(pass_, ""),
    "resign": Action(lambda table, rest: table.play(RESIGN), ""),
    "new": Action(new, "", at_end=True),
    "size": Action(size, "N"),
    "save": Action(lambda table, rest: table.save(rest), "[FILE]"),
    "quit": Action(lambda table, rest: table.leave(), "", at_end=True),
}
"""The commands in the order of `help`. A person may also type the beginning of a word."""


def _event_already_set() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


def check_start(options: Options, width: int, height: int, handicap: int) -> None:
    """Check that a game can start on a board of this size. ValueError: it is too small for opening or handicap."""
    if options.crosscut:
        crosscut(width, height)
    if handicap and options.crosscut:
        raise ValueError("a game starts from a crosscut or with a handicap, not both")
    if 2 * handicap > width * height:
        raise ValueError(f"a {width}x{height} board is too small for {handicap} handicap stones")


def _sgf_path(name: str) -> Path:
    """Return the file of a name, in quotes or not; without a name, the first free `game-1.sgf`, `game-2.sgf`, ..."""
    name = name.strip("'\" ")
    if not name:
        return next(path for n in itertools.count(1) if not (path := Path(f"game-{n}.sgf")).exists())
    try:
        path = Path(name).expanduser()
    except RuntimeError:  # no such home
        path = Path(name)
    if "\0" in name:
        raise ValueError("A file cannot have that name")
    return path if path.suffix.lower() == ".sgf" or path.is_dir() else path.with_name(f"{path.name}.sgf")
