"""A session of a person: its table of words and their help, the meaning of typed lines, questions, and long work.

A session takes an input, as a value or as a typed line, and returns a `Reply`. It prints nothing, waits for nothing,
and changes only while one of its methods runs. Only one thread at a time may call it.
"""

from __future__ import annotations

import abc
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, NamedTuple, Protocol

from ..go.game import Game
from ..go.vertex import numbered
from ..teach import words
from ..teach.terms import TERMS
from ..util.files import RequestError
from . import reading
from .reading import Answer, Command, Input, Number, Play, Text, Wanted
from .reply import Marks, Picture, Question, Refused, Sentence, Tone, WordList, Work
from .searches import Searches

ANY_TIME: Final = ("help", "quit")
"""Words that a person may type in answer to a question too."""


class Files(Protocol):
    """The place where a person saves games. The whole name of a file is unambiguous, such as an absolute path."""

    def find(self, name: str) -> str:
        """Return the whole name of the file that a typed name means. Refused: there is no such file or folder."""
        ...

    def free(self, stem: str) -> str:
        """Return the first whole name that is free, for `stem-1.sgf`, `stem-2.sgf` and so on."""
        ...

    def exists(self, name: str) -> bool:
        """Whether there is a file with a whole name."""
        ...

    def write(self, name: str, data: bytes) -> None:
        """Write the file with a whole name. Refused: it cannot be written."""
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
    voice: words.Voice = field(default_factory=lambda: words.Voice(plain=True))
    """The language and the manner of all sentences."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to an input."""

    said: tuple[Sentence | Picture | WordList, ...]
    """The parts to show, in their order."""
    question: Question | None = None
    """Set if the last sentence is a question, which the next input answers."""
    work: Work | None = None
    """Work to do before the next input."""
    over: bool = False
    """Whether the session has ended."""
    following: Session | None = None
    """The session that follows this one, for example the game of a lesson; the caller calls its `begin`."""


class Word(NamedTuple):
    """A word that a person may type, or a screen may offer. Its help is in the table of sentences."""

    run: Callable[[Any, str], object]
    """Gets the session and the text after the word."""
    usage: str = ""
    """The text that may follow the word, for example "[N]"."""
    group: str = "play"
    """The first part of the key of its help in the table of sentences."""
    more: bool = False
    """Whether the help has a second sentence."""
    at_end: bool = False
    """Whether the word is offered at the end of a game."""


class Session(abc.ABC):
    """The base of sessions. A subclass defines the start, the input that it waits for, and the effect of an answer."""

    WORDS: ClassVar[Mapping[str, Word]]
    """The words in the order of `help`. A person may also type the beginning of a word."""
    game: Game
    """The position on the board."""

    def __init__(self, resources: Resources) -> None:
        self.resources, self.voice, self.words = resources, resources.voice, self.WORDS
        self.over = False
        self.following: Session | None = None
        self._said: list[Sentence | Picture | WordList] = []
        self._question: tuple[Question, Callable[[Any], object]] | None = None
        self._work: tuple[Work, Callable[[Any], object]] | None = None

    # --- For the caller of the session ---

    def begin(self) -> Reply:
        """Return the first reply, of a new session or a restored one."""
        return self._replied(self.start)

    def typed(self, line: str) -> Reply:
        """Read a line and answer it."""
        return self._replied(lambda: self._respond(self._read(line)))

    def take(self, given: Input) -> Reply:
        """Answer an input."""
        return self._replied(lambda: self._respond(given))

    def deliver(self, result: Any) -> Reply:
        """Go on with the result of the work of the last reply."""
        assert self._work is not None, "no work was given"
        (_, then), self._work = self._work, None
        return self._replied(lambda: then(result))

    def cancel(self) -> None:
        """Forget the work of the last reply; `Text("")` begins the engine's move again."""
        self._work = None

    def rescue(self, files: Files | None = None) -> str:
        """Save an unsaved game after the screen was closed, by default to the files of the resources.

        Return the name of the file; "" if nothing was saved. Refused: the file cannot be written.
        """
        return ""

    @abc.abstractmethod
    def state(self) -> dict[str, Any]:
        """Return the session, without its question and its work, as a value for JSON; see `lesson.restored`."""

    # --- For subclasses ---

    @abc.abstractmethod
    def start(self) -> object:
        """Say and show the start of the session."""

    @property
    @abc.abstractmethod
    def wanted(self) -> Wanted:
        """The input that the session waits for."""

    @property
    def prompt(self) -> str:
        """A word before the input, such as the colour to move; "" for none."""
        return ""

    @abc.abstractmethod
    def answer(self, value: int) -> None:
        """Answer a point or a number. Refused: the value is not possible here."""

    def resume(self) -> None:
        """Answer Enter."""
        return

    def leave(self) -> None:
        """End the session."""
        self.over = True

    def say(self, key: str, tone: Tone = Tone.PLAIN, **fields: Any) -> None:
        """Say a sentence by its key in the table of sentences."""
        self._said.append(Sentence(self.voice.text(key, **fields), key, fields, tone))

    def tell(self, lines: str | Iterable[str], tone: Tone = Tone.PLAIN, place: str = "") -> None:
        """Say sentences that `words` has made; "" says nothing. `place`: see `Sentence`."""
        said = [lines] if isinstance(lines, str) else lines
        self._said += [Sentence(line, tone=tone, place=place) for line in said if line]

    def show(self, game: Game, numbers: Marks | None = None, *, marked: bool = False) -> None:
        """Show a board; see `Picture`."""
        self._said.append(Picture(game.copy(), numbers, marked))

    def show_line(self, game: Game, color: int, points: Sequence[int], *, marked: bool = False) -> None:
        """Show a board with the numbered moves that a colour begins; `marked`: see `Picture`."""
        self.show(game, numbered(color, points), marked=marked)
        self.tell(words.again(points, self.voice))

    def ask(self, question: Question, key: str, then: Callable[[Any], object], **fields: Any) -> None:
        """Ask a question. `then` gets a bool, or the text of a name."""
        self.say(key, Tone.STRONG, **fields)
        self._question = question, then

    def work(
        self,
        run: Callable[[threading.Event], Any],
        then: Callable[[Any], object],
        note: str = "",
        *,
        slow: bool = False,
    ) -> None:
        """Ask for work; `then` gets its result. `note`: the key of the words to show meanwhile; `slow`: see `Work`."""
        self._work = Work(run, note and self.voice.text(note), slow), then

    def record(self, change: Callable[[Progress], None]) -> None:
        """Change the profile of the person; say why if that is not possible."""
        if self.resources.profile is not None:
            try:
                change(self.resources.profile)
            except RequestError as error:
                self.tell(words.sentence(str(error)))

    def help(self, rest: str) -> None:
        """Say which words can be typed, explain one of them, or explain a term of the game."""
        text = self.voice.text
        keys = {name: f"{word.group}.command.{name}" for name, word in self.words.items()}
        usages = {name: f"{name} {word.usage}".strip() for name, word in self.words.items()}
        terms = {text(f"term.{name}.word"): name for name in TERMS}
        if not rest:
            self.tell(self.wanted.instruction)
            self._said.append(WordList(tuple((usages[name], text(key)) for name, key in keys.items())))
            self.say("term.words", words=self.voice.listed([*terms]))
            return
        own = {reading.folded(word): name for word, name in terms.items()}.get(reading.folded(rest))
        name = own or reading.full_name(rest.split()[0], [*keys, *TERMS])
        if name is None:
            raise Refused("help.unknown", text=reading.quoted(rest))
        if name in TERMS:
            self.tell(words.term(name, self.game.rules, self.voice))
            if name == "atari":
                self.say("term.atari.sign")
            self.show(TERMS[name].game(), TERMS[name].numbers(), marked=name == "atari")
            return
        more = text(f"{keys[name]}.more") if self.words[name].more else ""
        key = "play.help.more" if more else "play.help.command"
        self.say(key, usage=usages[name], summary=text(keys[name]), more=more)

    def _read(self, line: str) -> Input:
        if self._question is None:
            return reading.read(line, self.words, self.wanted) if line.strip() else Text("")
        word = line.strip().lower()
        if (name := reading.ALIASES.get(word, word)) in ANY_TIME:
            return Command(name)
        yes = reading.yes_or_no(line)
        return Text(line.strip()) if yes is None else Answer(yes)

    def _respond(self, given: Input) -> None:
        assert self._work is None, "the work of the last reply is neither delivered nor cancelled"
        if self._question is not None:
            self._answer_question(given, *self._question)
        elif isinstance(given, Command) and given.name in self.words:
            self.words[given.name].run(self, given.rest)
        elif isinstance(given, Number if self.wanted.number else Play):
            self.answer(given[0])
        elif isinstance(given, Text):
            self.resume()
        else:
            self.tell(self.wanted.sentence)

    def _answer_question(self, given: Input, question: Question, then: Callable[[Any], object]) -> None:
        by_name = question is Question.NAME
        if given == Command("quit"):
            self._question = None
            if by_name:
                self.over = True
            else:
                self.leave()
        elif isinstance(given, Answer) or (by_name and isinstance(given, Text)):
            self._question = None
            then(given[0])
        else:
            self.say("play.name.help" if by_name else "play.please")

    def _replied(self, act: Callable[[], object]) -> Reply:
        try:
            act()
        except Refused as refused:
            self.say(refused.key, **refused.fields)
        said, self._said = tuple(self._said), []
        question, work = self._question and self._question[0], self._work and self._work[0]
        return Reply(said, question, work, self.over, self.following)


HELP: Final = Word(Session.help, "[WORD]", "lesson")
QUIT: Final = Word(lambda session, rest: session.leave(), group="lesson")
