"""A session of a person: its table of words and their help, the meaning of typed lines, questions, and long work.

A session takes an input, as a value or as a typed line, and returns a `Reply`. It prints nothing, waits for nothing,
and changes only while one of its methods runs. Only one thread at a time may call it.
"""

from __future__ import annotations

import abc
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar, Final, NamedTuple, Protocol

from ..go.game import Game
from ..go.vertex import BLACK, WHITE
from ..teach.event import (
    Asked,
    CommandExplained,
    CommandHelp,
    Event,
    HelpListed,
    Noted,
    Notice,
    ProfileFailed,
    Refusal,
    RefusedError,
    Task,
    TermExplained,
    Unclear,
    Wanted,
)
from ..teach.sentences import ENGLISH
from ..teach.terms import TERMS
from ..util.files import RequestError
from . import reading
from .leitner import Boxes
from .reading import Answer, Command, Continue, Input, Number, Play, Text
from .searches import Searches
from .setup import GameSetup

ANY_TIME: Final = ("help", "quit")
"""Words that a person may type in answer to a question too."""


class Files(Protocol):
    """The place where a person saves games. The whole name of a file is unambiguous, such as an absolute path."""

    def find(self, name: str) -> str:
        """Return the whole name of the file that a typed name means. RefusedError: there is no such file or folder."""
        ...

    def free(self, stem: str) -> str:
        """Return the first whole name that is free, for `stem-1.sgf`, `stem-2.sgf` and so on."""
        ...

    def exists(self, name: str) -> bool:
        """Whether there is a file with a whole name."""
        ...

    def write(self, name: str, data: bytes) -> None:
        """Write the file with a whole name. RefusedError: it cannot be written."""
        ...

    def command(self, name: str) -> str:
        """Return the command that goes on with a saved game."""
        ...


class Progress(Protocol):
    """The memory of a person, such as `players.adapt.Profile`. RequestError: it cannot be read or written."""

    def lessons(self) -> list[int]:
        """Return the lessons done, in order."""
        ...

    def games(self) -> list[int]:
        """Return the lessons whose game is won, in order."""
        ...

    def record(self, level: int) -> None:
        """Set the level of the next game."""
        ...

    def finish(self, lesson: int) -> None:
        """Add a lesson to those done."""
        ...

    def win(self, lesson: int) -> None:
        """Add a lesson to those whose game is won."""
        ...


@dataclass(frozen=True, slots=True)
class Resources:
    """The resources of a session, from its caller. Sessions may share them, but each person has an own profile."""

    searches: Searches
    files: Files | None = None
    """None: games cannot be saved."""
    profile: Progress | None = None
    """The memory of the person's level and lessons; None: nothing is remembered."""
    language: str = ENGLISH
    """The language of typed words, besides English."""
    boxes: Boxes | None = None
    """How the person did each problem; None: that is not recorded, and no problem comes back."""


class Pace(IntEnum):
    """How long work takes: quicker work comes first."""

    QUICK = 0
    """A move, or the check of an answer."""
    SHORT = 1
    """A hint or an explanation."""
    LONG = 2
    """The review of a game."""


@dataclass(frozen=True, slots=True)
class Work:
    """Work that takes long and does not change the session.

    The caller of the session calls `run` in any thread, and then `Session.finish_work` with its result. To stop the
    work early, the caller sets the event, waits until `run` returns, and calls `Session.cancel` instead.
    """

    run: Callable[[threading.Event], Any]
    pace: Pace = Pace.QUICK
    prepares: bool = False
    """Whether a problem is being prepared: before the first one the solver is loaded, and perhaps compiled."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to an input."""

    events: tuple[Event, ...]
    """What has happened, in its order."""
    work: Work | None = None
    """Work to do before the next input."""
    over: bool = False
    """Whether the session has ended."""
    following: Session | None = None
    """The session that follows this one, for example the game of a lesson; the caller calls its `begin`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What there is now. A screen that draws only this is enough to go on."""

    game: Game | None
    """The game on the board, not a copy; None while the first problem is being checked."""
    people: frozenset[int]
    """The colours that people play."""
    task: Task | None
    """The page or the problem; None in a game."""
    lesson: int
    """The lesson whose game this is; 0 for any other session."""
    wanted: Wanted | None
    """The input that is possible besides commands; None during work, for a question, and when all is done."""
    question: Asked | None
    """The question, which the next input answers."""
    to_move: int
    """The colour that plays next, in a game or a problem of plays; 0 if nothing is to be played."""
    finished: bool
    """Whether the game is over, the task is solved, or the page is read."""
    actions: Mapping[str, Refusal | None]
    """The commands that are useful now or at another time, each with the reason why it is not possible now."""

    @property
    def takes_point(self) -> bool:
        """Whether the input may be a point of the board."""
        return self.wanted is not None and self.wanted.width > 0

    @property
    def takes_number(self) -> bool:
        """Whether the input may be a number."""
        return self.wanted is not None and self.wanted.number


class SessionCommand(NamedTuple):
    """A command: a word that a person may type, or a screen may offer. Its help is in the table of sentences."""

    run: Callable[[Any, str], object]
    """Gets the session and the text after the word."""
    usage: str = ""
    """The text that may follow the word, for example "[N]"."""
    group: str = "play"
    """The first part of the key of its help in the table of sentences."""
    at_end: bool = False
    """Whether the command is offered at the end of a game."""


class Session(abc.ABC):
    """The base of sessions. A subclass defines the start, the input that it waits for, and the effect of an answer."""

    COMMANDS: ClassVar[Mapping[str, SessionCommand]]
    """The commands in the order of `help`. A person may also type the beginning of one."""
    game: Game
    """The position on the board."""

    def __init__(self, resources: Resources) -> None:
        self.resources, self.commands = resources, self.COMMANDS
        self.over = False
        self.following: Session | None = None
        self._events: list[Event] = []
        self._question: tuple[Asked, Callable[[Any], object]] | None = None
        self._work: tuple[Work, Callable[[Any], object]] | None = None

    # --- For the caller of the session ---

    def begin(self) -> Reply:
        """Return the first reply, of a new session or a restored one."""
        return self._replied(self.start)

    def typed(self, line: str) -> Reply:
        """Read a line and answer it."""
        return self._replied(lambda: self._respond(self._read(line)))

    def handle_input(self, given: Input) -> Reply:
        """Answer an input."""
        return self._replied(lambda: self._respond(given))

    def finish_work(self, result: Any) -> Reply:
        """Go on with the result of the work of the last reply."""
        assert self._work is not None, "no work was given"
        (_, then), self._work = self._work, None
        return self._replied(lambda: then(result))

    def cancel(self) -> None:
        """Forget the work of the last reply; `Continue` begins the engine's move again."""
        self._work = None

    def situation(self, colors: Collection[int] = (BLACK, WHITE)) -> Situation:
        """Return what there is now, for a person who plays some of the colours of `people`."""
        ready, question, finished = self.is_ready, self._question and self._question[0], self.finished
        closed = not ready or question is not None or self._work is not None
        return Situation(
            game=self.game if ready else None,
            people=self.people,
            task=self.current,
            lesson=self.lesson_of_game,
            wanted=None if closed or finished else self.wanted,
            question=question,
            to_move=0 if finished or not ready else self.to_move,
            finished=finished,
            actions=self.actions({*colors} & self.people) if ready else {},
        )

    def rescue(self, files: Files | None = None) -> str:
        """Save an unsaved game after the screen was closed, by default to the files of the resources.

        Return the name of the file; "" if nothing was saved. RefusedError: the file cannot be written.
        """
        return ""

    @abc.abstractmethod
    def state(self) -> dict[str, Any]:
        """Return the session, without its question and its work, as a value for JSON; see `lesson.restored`."""

    # --- For subclasses ---

    people: frozenset[int] = frozenset({BLACK, WHITE})
    """The colours that people play, for the sentences about a position."""
    is_ready = True
    """Whether there is a board: the first problem of a collection has to be checked before."""
    current: Task | None = None
    """The page or the problem; None in a game."""
    lesson_of_game = 0
    """The lesson whose game this is; 0 for any other session."""
    setup: GameSetup | None = None
    """The sides of the game; None if the session is no game."""

    @abc.abstractmethod
    def start(self) -> object:
        """Report and show the start of the session."""

    @property
    @abc.abstractmethod
    def wanted(self) -> Wanted:
        """The input that the session waits for."""

    @property
    def finished(self) -> bool:
        """Whether the game is over, or the task is done."""
        return False

    @property
    def to_move(self) -> int:
        """The colour that plays next; 0 if nothing is to be played."""
        return 0

    @abc.abstractmethod
    def answer(self, value: int) -> None:
        """Answer a point or a number. RefusedError: the value is not possible here."""

    def actions(self, colors: Collection[int]) -> dict[str, Refusal | None]:
        """Return the commands for a person with these colours, each with the reason why it is not possible now."""
        return {}

    def resume(self) -> None:
        """Answer Enter."""
        return

    def leave(self) -> None:
        """End the session."""
        self.over = True

    def report(self, *events: Event) -> None:
        """Add events to the reply."""
        self._events += events

    def ask(self, asked: Asked, then: Callable[[Any], object]) -> None:
        """Ask a question. `then` gets a bool, or of a question by name the text, or None for Enter."""
        self.report(asked)
        self._question = asked, then

    def work(self, work: Work, then: Callable[[Any], object]) -> None:
        """Ask for work; `then` gets its result."""
        self._work = work, then

    def record(self, change: Callable[[Progress], None]) -> None:
        """Change the profile of the person; report if that is not possible."""
        if self.resources.profile is not None:
            try:
                change(self.resources.profile)
            except RequestError as error:
                self.report(ProfileFailed(str(error)))

    def help(self, rest: str) -> None:
        """List the words that can be typed, explain one of them, or explain a term of the game."""
        known = {name: CommandHelp(name=name, usage=c.usage, group=c.group) for name, c in self.commands.items()}
        if not rest:
            self.report(HelpListed(self.wanted, tuple(known.values())))
            return
        name = reading.full_name(rest.split()[0], [*known, *TERMS], self.resources.language)
        if name is None:
            raise RefusedError(Refusal.WORD_UNKNOWN, text=reading.shortened(rest))
        self.report(TermExplained(name, self.game.rules) if name in TERMS else CommandExplained(known[name]))

    def _read(self, line: str) -> Input:
        if self._question is None:
            language = self.resources.language
            return reading.read(line, self.commands, self.wanted, language) if line.strip() else Continue()
        for name in ANY_TIME:
            if reading.folded(line) in reading.forms(name, self.resources.language):
                return Command(name)
        yes = reading.yes_or_no(line)
        return Answer(yes) if yes is not None else Text(line.strip()) if line.strip() else Continue()

    def _respond(self, given: Input) -> None:
        assert self._work is None, "the work of the last reply is neither finished nor cancelled"
        if self._question is not None:
            self._answer_question(given, *self._question)
        elif isinstance(given, Command) and given.name in self.commands:
            self.commands[given.name].run(self, given.rest)
        elif isinstance(given, Number if self.wanted.number else Play):
            self.answer(given[0])
        elif isinstance(given, Continue):
            self.resume()
        else:
            self.report(Unclear(self.wanted))

    def _answer_question(self, given: Input, asked: Asked, then: Callable[[Any], object]) -> None:
        by_name = asked.question.by_name
        if given == Command("quit"):
            self._question = None
            if by_name:
                self.over = True
            else:
                self.leave()
        elif isinstance(given, Answer) or (by_name and isinstance(given, (Text, Continue))):
            self._question = None
            then(None if isinstance(given, Continue) else given[0])
        else:
            self.report(Noted(Notice.NAME_UNCLEAR if by_name else Notice.ANSWER_UNCLEAR))

    def _replied(self, act: Callable[[], object]) -> Reply:
        try:
            act()
        except RefusedError as error:
            self.report(error.refused)
        events, self._events = tuple(self._events), []
        return Reply(events, self._work and self._work[0], self.over, self.following)


HELP: Final = SessionCommand(Session.help, "[WORD]", "lesson")
QUIT: Final = SessionCommand(lambda session, rest: session.leave(), group="lesson")
