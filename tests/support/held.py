"""A session without a screen: lines go in, sentences and boards come out."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from gtp_capture.go.rules import Rules
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.players.player import PlayerSettings
from gtp_capture.teach import say
from gtp_capture.teach.course import lessons
from gtp_capture.teach.event import Event, Question, Refusal, RefusedError
from gtp_capture.teach.puzzles import files
from gtp_capture.teach.puzzles.problem import Problem
from gtp_capture.teach.say import Part, Picture, Sentence, WordList
from gtp_capture.teach.sentences import ENGLISH
from gtp_capture.teach.words import Voice
from gtp_capture.tutor.game import GameSession
from gtp_capture.tutor.leitner import Boxes
from gtp_capture.tutor.lesson import LessonSession
from gtp_capture.tutor.problem import ProblemSession
from gtp_capture.tutor.reading import Input
from gtp_capture.tutor.searches import Searches
from gtp_capture.tutor.session import Progress, Reply, Resources, Session
from gtp_capture.tutor.setup import GameSetup
from gtp_capture.util.limit import Limit

ALONE: Final = Voice(plain=True)
BOTH: Final = frozenset((BLACK, WHITE))


@dataclass
class Shelf:
    """Files in memory."""

    files: dict[str, bytes] = field(default_factory=dict)

    def find(self, name: str) -> str:
        if "/" in name:
            raise RefusedError(Refusal.NO_FILE_NAME)
        return name

    def free(self, stem: str) -> str:
        return next(name for n in range(1, 100) if (name := f"{stem}-{n}") not in self.files)

    def exists(self, name: str) -> bool:
        return name in self.files

    def write(self, name: str, data: bytes) -> None:
        self.files[name] = data

    def command(self, name: str) -> str:
        return f"play {name}"


def question_of(session: Session) -> Question | None:
    """Return the question of a session."""
    asked = session.situation().question
    return None if asked is None else asked.question


class Held:
    """A session, and those that follow it. `reply` is the last reply, `events` is all since the last input.

    `said` has the same in words, for a voice.
    """

    def __init__(self, session: Session, voice: Voice = ALONE) -> None:
        self.session, self.voice = session, voice
        self._finish(session.begin())

    def type(self, *lines: str) -> str:
        """Type lines; return the sentences that answer the last one."""
        for line in lines:
            self._finish(self.session.typed(line))
        return self.text

    def take(self, given: Input) -> str:
        """Give an input; return the sentences that answer it."""
        self._finish(self.session.handle_input(given))
        return self.text

    @property
    def sentences(self) -> list[str]:
        """The sentences since the last input; each entry of a list of words is a sentence."""
        sentences = []
        for part in self.said:
            if isinstance(part, Sentence):
                sentences.append(part.text)
            elif isinstance(part, WordList):
                sentences += [f"{usage} {purpose}" for usage, purpose in part.entries]
        return sentences

    @property
    def text(self) -> str:
        return "\n".join(self.sentences)

    @property
    def question(self) -> Question | None:
        """The question that the next input answers."""
        return question_of(self.session)

    @property
    def pictures(self) -> list[Picture]:
        return [part for part in self.said if isinstance(part, Picture)]

    def _finish(self, reply: Reply) -> None:
        self.events: list[Event] = []
        self.said: list[Part] = []
        self._add(reply)
        while reply.work is not None or reply.following is not None:
            if reply.work is not None:
                reply = self.session.finish_work(reply.work.run(threading.Event()))
            elif reply.following is not None:
                self.session = reply.following
                reply = self.session.begin()
            self._add(reply)
        self.reply = reply

    def _add(self, reply: Reply) -> None:
        voice = replace(self.voice, people=self.session.people)
        self.events += reply.events
        self.said += [part for event in reply.events for part in say.parts(event, voice)]


def resources(
    *,
    player: str = "random",
    profile: Progress | None = None,
    files: Shelf | None = None,
    language: str = ENGLISH,
    boxes: Boxes | None = None,
) -> Resources:
    """Return resources with searches that are limited by playouts, and files in memory."""
    limit = Limit(playouts=1000, nodes=100_000)
    searches = Searches(PlayerSettings(seed=1), player=player, limit=limit, review=limit)
    return Resources(searches, Shelf() if files is None else files, profile, language, boxes)


def seats(rules: str = "first-capture", size: int = 5, people: frozenset[int] = BOTH, **changes: object) -> GameSetup:
    return GameSetup(Rules.parse(rules), size, size, people, **changes)  # type: ignore[arg-type]


def game(*lines: str, player: str = "random", **changes: object) -> Held:
    """Return a game, by default of two people, after some lines."""
    held = Held(GameSession(seats(**changes), resources(player=player)))  # type: ignore[arg-type]
    held.type(*lines)
    return held


def wide(text: str) -> str:
    """Return a text in full-width characters, as Japanese keyboards type them."""
    return text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000})


class Script(NamedTuple):
    """The lines that a person types from the start to the end of a session, each with a part of its answer."""

    command: tuple[str, ...]
    """The command that begins the session in the terminal."""
    lines: Sequence[tuple[str, str]]

    def session(self) -> Session:
        """Return the same session without the command."""
        own = resources(player="mcts")
        if self.command[0] == "course":
            return LessonSession(1, own)
        if "--problem" in self.command:
            return ProblemSession(files.shipped(), int(self.command[-1]), own)
        return GameSession(seats(people=frozenset({BLACK})), own)


def lesson_lines(number: int) -> Iterator[tuple[str, str]]:
    """Yield Enter for each page but the first, and Enter and the right answers for each problem, in their order."""
    lesson = lessons.lesson(number)
    pages = len(lesson.pages)
    for at in lesson.order[1:]:
        if at < pages:
            yield "", f"Page {at + 1} of"
            continue
        yield "", f"Problem {at - pages + 1} of"
        task = lesson.exercises[at - pages].task
        if isinstance(task, Problem):
            plays = [task.start.game().vertex(point) for point in task.line]
            for n, play in enumerate(plays[::2]):
                yield play, "The problem is solved." if 2 * n + 2 >= len(plays) else f"answers {plays[2 * n + 1]}."
        else:
            yield (str(task.count) if task.count is not None else task.game.vertex(min(task.points))), "Right!"


SCRIPTS: Final = {
    "game": Script(
        ("play", "--seed", "1", "--level", "1"),
        [
            ("hi", "Hello! Type a point such as C3, or help."),
            ("help", "undo [N]"),
            ("HELP undo", "undo [N]: take your last move back. With a number it takes back more"),
            ("help dance", "I cannot explain 'dance'."),
            ("z9", "Z9 is not on this board."),
            ("hnit", "Do you mean hint?"),
            ("c3", "I play "),
            ("c3", "There is a stone on C3 already."),
            ("undo", "Your turn: Black"),
            ("level hard", "Level 6: misses some captures."),
            ("level 1", "Level 1: misses most captures."),
            ("pass", "A pass gives me a stone, and I win."),
            ("perhaps", "Please type yes or no."),
            ("no", "Your turn: Black"),
            ("pass", "Pass all the same?"),
            ("yes", "Game over: I win: the pass gave me a stone."),
            ("C3", "The game is over"),
            ("new", "Many play like this: the loser takes Black."),
            ("YES", "Black puts 2 stones before White begins."),
            ("hint", "Now Black puts 2 more stones"),
            ("c-3", "Last move: Black C3."),
            (wide("(d3)"), "I play "),
            ("quit", "This game is not over."),
            ("help", "The name is that of a file"),
            ("", "Your turn: Black"),
            ("resign", "Game over: I win: you resigned."),
            ("quit", "Type a name to save this game and leave"),
            ("quit", ""),
        ],
    ),
    "problem": Script(
        ("play", "--problem", "20"),
        [
            ("help", "again"),
            ("help atari", "A chain with one liberty left is in atari"),
            ("a1", "Wrong: W A1 B B2 W B1 B C1 W A2 B A3. Black takes 3 stones and wins."),
            ("hint", "Take liberties, one after the other."),
            ("hint", "Look at the stone at D5."),
            ("d4", "Right. Black answers C4."),
            ("undo", "You play White"),
            ("solution", "The solution: W D4 B C4 W C5 B B4 W E5"),
            ("", "Type your answer, or next to leave this one out."),
            ("D4", "Right. Black answers C4."),
            ("c5", "Right. Black answers B4."),
            ("5e", "Right! White takes a stone and wins. The problem is solved."),
            ("hint", "This problem is solved."),
            ("", "Problem 21 of 96."),
            ("problem 200", "Type problem and a number: the problems are 1 to 96."),
            ("quit", ""),
        ],
    ),
    "lesson": Script(
        ("course", "1"),
        [
            *lesson_lines(1),
            ("", "Well done! This was lesson 1."),
            ("resign", "Press Enter to see the lessons."),
            ("", "1  Liberties and capture"),
            ("99", "The lessons are 1 to 8."),
            ("two", "Lesson 2: Atari"),
            ("lessons", "Type the number of a lesson."),
            ("quit", ""),
        ],
    ),
}
"""Each goes from the start to the end: of a game and the next one, of a problem, of a lesson with its game."""
