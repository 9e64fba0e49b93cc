"""What happens in a session of a person, as frozen values: no sentence, no language, no screen.

`say` makes sentences of these values where the language of a reader is known. A vertex is text, a colour is BLACK or
WHITE, and a game in a value is a copy, which later moves do not change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum, auto
from typing import Any

from ..go.game import Game
from ..go.position import Illegal
from ..go.rules import Rules
from .explain import Explanation, Hint
from .puzzles.examiner import Clue
from .puzzles.problem import Problem, Start
from .review.reviewed import Review

Marks = Mapping[int, tuple[int | str, int]]
"""A number or a letter by its point, with the colour of its stone, or EMPTY."""


class Event:
    """The base of all events."""

    __slots__ = ()


# --- What is wanted, and the tasks ---


class Want(StrEnum):
    """What an input answers."""

    MOVE = auto()
    """A point: a move of a game."""
    PLAY = auto()
    """A point: the next play of a problem."""
    POINT = auto()
    """A point: the answer to a question of the course."""
    NUMBER = auto()
    """A number: the answer to a question of the course."""
    PAGE = auto()
    """Nothing but going on: a page is read."""
    LESSON = auto()
    """A number: the lesson to begin."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The input that a session waits for, besides its commands."""

    want: Want
    width: int = 0
    """The width of the board if a point is wanted, else 0."""
    height: int = 0
    sample: str = ""
    """A vertex as an example of what to type, which is no answer to a problem."""

    @property
    def number(self) -> bool:
        """Whether a number is wanted."""
        return self.want in (Want.NUMBER, Want.LESSON)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """The task of a session: a page or a problem of a lesson, or a problem of a collection."""

    want: Want
    number: int
    """The number of the page or the problem; for a problem of a collection its number there."""
    count: int
    """How many pages, or problems, there are."""
    lesson: int = 0
    """The lesson; 0 for a problem of a collection."""
    problem: Problem | None = None
    """The problem of a collection."""
    place: int = 0
    """The place of the problem among `count`, from 1; 0 if that is its number."""

    @property
    def name(self) -> str:
        """The name of the problem: `3.4` of lesson 3, `17` of the collection."""
        return f"{self.lesson}.{self.number}" if self.lesson else str(self.number)


# --- Refusals and questions ---


class Refusal(StrEnum):
    """Why an input is refused. The value is the key of the sentence that says so."""

    OVER = "play.over"
    NO_HINT = "play.no_hint"
    EXTRA_TURNS = "play.turns"
    NOT_PLAYED = "play.not_played"
    NO_MOVES = "play.no_moves"
    UNDO_UNCLEAR = "play.undo.types"
    UNDO_FEWER = "play.undo.fewer"
    NO_UNDO = "lesson.no_undo"
    LEVEL_UNKNOWN = "play.level.unknown"
    SIZE_UNCLEAR = "play.new.types"
    UNWRITABLE = "play.unwritable"
    IS_FOLDER = "play.is_folder"
    NO_FILE_NAME = "play.no_name"
    START_BOTH = "start.both"
    START_HANDICAP = "start.handicap"
    START_CROSSCUT = "start.crosscut"
    SOLVED = "lesson.over"
    ONLY_A_PAGE = "course.go_on"
    NO_PROBLEM = "course.no_problem"
    NOT_AMONG = "course.no_problem.some"
    NO_LESSON = "course.no_lesson"
    WORD_UNKNOWN = "help.unknown"
    GREETING = "unclear.hello"
    UNKNOWN = "unclear.unknown"
    NEAR = "unclear.near"
    SEVERAL = "unclear.several"
    SEVERAL_MOVES = "unclear.moves"
    OUTSIDE = "unclear.outside"
    COLUMN_I = "unclear.i"
    COLUMN_I_NEAR = "unclear.i.near"
    NO_ROW = "unclear.row"
    NO_COLUMN = "unclear.column"
    COLOR_TOO = "unclear.colour"
    CLOSED = "class.closed"
    OPENS = "class.opens"
    WRONG_WORD = "class.wrong_word"
    FULL = "class.full"
    NAME = "class.name"
    NOT_LISTED = "class.name.list"
    NO_SEAT = "class.no_seat"
    PAUSED = "class.paused"
    ENDED = "class.ended"
    BUSY = "class.busy"
    NOT_NOW = "class.not_now"
    NOT_YOUR_TURN = "class.not_your_turn"
    WITHHELD = "class.withheld"
    PAIRS = "class.pairs"
    WAIT = "class.wait"
    TOO_FAST = "class.too_fast"
    COME_IN = "class.come_in"
    FOREIGN = "class.foreign"
    OTHER_NAME = "class.other_name"
    MALFORMED = "class.malformed"
    NO_PAGE = "class.no_page"
    TEACHERS_PAGE = "class.secret"
    NO_COOKIES = "class.cookies"
    NO_COOKIES_TEACHER = "class.cookies.teacher"
    TOO_LONG = "class.too_long"
    CODE_WRONG = "code.wrong"
    CODE_UNKNOWN = "code.unknown"
    CODE_NOBODY = "code.nobody"
    ILLEGAL_OVER = "illegal.over"
    ILLEGAL_PASS = "illegal.pass"
    ILLEGAL_OUTSIDE = "illegal.outside"
    ILLEGAL_OCCUPIED = "illegal.occupied"
    ILLEGAL_SUICIDE = "illegal.suicide"
    ILLEGAL_KO = "illegal.ko"
    ILLEGAL_SUPERKO = "illegal.superko"


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """An input is refused."""

    reason: Refusal
    fields: Mapping[str, Any] = field(default_factory=dict)
    """The fields of its sentence; a `Wanted` stands for the sentence that says what is wanted."""


class RefusedError(Exception):
    """An input is refused, for the reason in `refused`."""

    def __init__(self, reason: Refusal, /, **fields: Any) -> None:
        super().__init__(reason.name)
        self.refused = Refused(reason, fields)


def illegal(reason: Illegal, move: str) -> RefusedError:
    """Return the refusal of a move that is illegal."""
    return RefusedError(Refusal[f"ILLEGAL_{reason.name}"], move=move)


class Question(StrEnum):
    """A question, which the next input answers. The value is the key of its sentence."""

    TAKE_BACK = "warning.question"
    LOSING_PASS = "play.losing_pass"
    END_GAME = "play.begin_again"
    CUSTOM = "play.custom"
    OVERWRITE = "play.overwrite"
    SAVE_FINISHED = "play.finished"
    SAVE_UNFINISHED = "play.unfinished"

    @property
    def by_name(self) -> bool:
        """Whether the answer is the name of a file, yes for a name that the program chooses, no, or going on.

        All other questions are answered by yes or no.
        """
        return self in (Question.SAVE_FINISHED, Question.SAVE_UNFINISHED)


@dataclass(frozen=True, slots=True)
class Asked(Event):
    """A question is asked."""

    question: Question
    fields: Mapping[str, Any] = field(default_factory=dict)
    """The fields of its sentence: the `move` that TAKE_BACK is about, the colour `winner` that wins if LOSING_PASS is
    answered by yes, the most extra turns `most` for CUSTOM, and the `file` for OVERWRITE."""


@dataclass(frozen=True, slots=True)
class Unclear(Event):
    """An input is not what is wanted."""

    wanted: Wanted


# --- What one sentence says ---


class Notice(StrEnum):
    """Something that has happened and that one sentence says. The value is the key of the sentence."""

    ANSWER_UNCLEAR = "play.please"
    """An input does not answer a question by yes or no."""
    NAME_UNCLEAR = "play.name.help"
    """An input is neither the name of a file nor another answer to a question by name."""
    PREPARING = "play.preparing"
    """The search is being compiled, so that the engine plays by shape for a time."""
    READY = "play.ready"
    """The search is compiled."""
    CUSTOM_ADAPTS = "play.custom.adapt"
    """The person has agreed to the custom, and the level follows results. `most`: extra turns that Black can have."""
    GAME_KEPT = "play.same"
    """The person goes on with the game."""
    FILE_KEPT = "play.kept"
    """A `file` was not replaced."""
    SAVED = "play.saved"
    """A game was saved, in a `file`."""
    COMMAND_OFFERED = "play.go_on"
    """A `command` of the terminal goes on with the saved game."""
    PROBLEM_REPEATED = "course.repeated"
    """A problem that went wrong comes back."""
    STAR_EARNED = "class.star"
    """A problem was solved alone for the first time, or a game was won without help."""
    STAR_MISSED = "class.star.missed"
    """A game was won with help."""
    UNANSWERED = "course.unsolved"
    """The person wants to go on, but the task is not done."""
    SOLVED_BEFORE = "lesson.over"
    """The person is at a problem that it has solved before."""
    NO_MORE_TASKS = "lesson.last"
    """That was the last problem."""
    NOT_JUDGED = "lesson.not_judged"
    """A problem is left out: its `number`, and the message of the error as `reason`, in English."""
    UNDO_DECLINED = "class.undo.declined"
    """The other child of a pair, whose name is `name`, does not want a move to be taken back."""
    WORK_FAILED = "class.failed"
    """A work has failed; the person can go on."""


@dataclass(frozen=True, slots=True)
class Noted(Event):
    """Something has happened."""

    notice: Notice
    fields: Mapping[str, Any] = field(default_factory=dict)
    """The fields of its sentence."""


# --- Games ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Alternating moves on a board, with numbers."""

    game: Game
    """The game before the moves."""
    color: int
    """The colour that begins."""
    moves: tuple[str, ...]
    goes_on: bool = False
    """Whether only the first moves of the line are shown."""

    def positions(self) -> Iterator[Game]:
        """Yield the game before the moves and after each of them: one game, which the next position changes."""
        game = self.game.copy()
        game.set_to_move(self.color)
        yield game
        for move in self.moves:
            game.play_point(game.point(move))
            yield game


@dataclass(frozen=True, slots=True, kw_only=True)
class GameBegan(Event):
    """A session of games begins, or goes on."""

    game: Game
    level: int
    adapts: bool
    """Whether the level follows the results of the person."""
    stones: int
    """Stones that Black plays before White begins; 0 for none."""
    sample: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Played(Event):
    """A move was made."""

    color: int
    move: str
    """A vertex, "pass" or "resign"."""
    captured: tuple[str, ...] = ()
    """The stones that were taken off the board."""
    owner: int = 0
    """The colour of these stones."""


@dataclass(frozen=True, slots=True)
class Standing(Event):
    """The present position of a game is shown."""

    game: Game


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The position that is shown is the end of the game. `offered`: the commands that are useful now."""

    game: Game
    offered: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Warned(Event):
    """A move of the person can be punished at once; it is not played yet."""

    move: str
    punishment: Hint
    line: Line


@dataclass(frozen=True, slots=True)
class LevelChanged(Event):
    """The level was changed, or is said."""

    level: int


@dataclass(frozen=True, slots=True)
class LevelsListed(Event):
    """The levels that there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SidesChanged(Event):
    """The custom has set the sides of the next game."""

    less: bool
    """Whether Black has won, and has an extra turn less; else the loser has Black."""
    stones: int
    """Stones that Black plays before White begins; 0 for none."""


@dataclass(frozen=True, slots=True)
class RulesExplained(Event):
    """The rules of a game. `stones`: that Black plays before White begins, in a capture game."""

    game: Game
    stones: int


@dataclass(frozen=True, slots=True)
class Hinted(Event):
    """A hint was found. `line`: the moves that may follow, if it wins."""

    hint: Hint
    line: Line | None = None

    @property
    def point(self) -> str:
        """The vertex to mark on the board; "" for none."""
        return "" if self.hint.move == "pass" else self.hint.move


@dataclass(frozen=True, slots=True)
class Explained(Event):
    """What is known about a move of the person."""

    explanation: Explanation
    line: Line | None
    """The moves that punish it; None if none are known."""
    reply: str | None
    """The play that followed the move; None for a pass, or if nothing followed."""


@dataclass(frozen=True, slots=True)
class ReviewBegan(Event):
    """All moves of a game are being judged. `seconds`: the limit."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Reviewed(Event):
    """All moves of a game are judged."""

    review: Review


# --- Files ---


@dataclass(frozen=True, slots=True)
class ProfileFailed(Event):
    """The memory of a person cannot be read or written."""

    reason: str
    """The message of the error, in English."""


# --- Problems and lessons ---


@dataclass(frozen=True, slots=True)
class LessonBegan(Event):
    """A lesson begins."""

    lesson: int


@dataclass(frozen=True, slots=True)
class TaskSet(Event):
    """A task is set. Its board comes next."""

    task: Task


@dataclass(frozen=True, slots=True)
class TaskShown(Event):
    """The present position of a task is shown. `color`: the side that answers; 0 if nothing is to be played."""

    task: Task
    game: Game
    color: int = 0


@dataclass(frozen=True, slots=True)
class InputWanted(Event):
    """What the person is to do now."""

    wanted: Wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged(Event):
    """An answer was judged. A wrong play is taken back."""

    task: Task
    answer: str
    """A vertex or a number."""
    right: bool | None
    """None: the play does not win at once, and its result is not known."""
    solved: bool
    """Whether the task is solved."""
    game: Game
    """The position before a wrong play, or after a right one and its reply."""
    color: int = 0
    """The colour that answers, in a problem of plays."""
    before: tuple[int, ...] = ()
    """The plays of the problem before this one, as points."""
    line: tuple[int, ...] = ()
    """The play with what follows, as points: after a right one the reply, after a wrong one its refutation."""


@dataclass(frozen=True, slots=True)
class ClueGiven(Event):
    """A clue to a task was given. `start`: the position."""

    clue: Clue
    start: Start

    @property
    def point(self) -> str:
        """The vertex to mark on the board; "" for none."""
        return self.clue.place if self.clue.kind in ("target", "counted") else ""


@dataclass(frozen=True, slots=True)
class SolutionShown(Event):
    """The rest of a solution was shown: alternating plays that a colour begins in a position."""

    line: Line


@dataclass(frozen=True, slots=True)
class AnswerShown(Event):
    """The answer to a question of the course was shown. `game`: the position."""

    task: Task
    game: Game


@dataclass(frozen=True, slots=True)
class NextOffered(Event):
    """The person can go on to the next task."""

    lesson: bool


@dataclass(frozen=True, slots=True)
class LessonDone(Event):
    """All of a lesson is done but its game."""

    lesson: int


@dataclass(frozen=True, slots=True)
class GoalSet(Event):
    """The game of a lesson comes next, and this is its goal."""

    lesson: int


@dataclass(frozen=True, slots=True)
class LessonWon(Event):
    """The game of a lesson is won."""

    lesson: int


@dataclass(frozen=True, slots=True)
class ContentsOffered(Event):
    """The person can go on to the list of the lessons."""


@dataclass(frozen=True, slots=True)
class ContentsListed(Event):
    """The list of the lessons, with those that are done and those whose game is won."""

    done: tuple[int, ...]
    won: tuple[int, ...]


# --- Help ---


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandHelp:
    """A command of a session. `group` and `name` name the sentences that explain it."""

    name: str
    usage: str
    """The text that may follow the word, as in `SessionCommand`."""
    group: str


@dataclass(frozen=True, slots=True)
class HelpListed(Event):
    """What can be typed: what is wanted, the commands, and the terms that help explains."""

    wanted: Wanted
    commands: tuple[CommandHelp, ...]


@dataclass(frozen=True, slots=True)
class CommandExplained(Event):
    """A command is explained."""

    command: CommandHelp


@dataclass(frozen=True, slots=True)
class TermExplained(Event):
    """A term of the game is explained, in a game with these rules."""

    term: str
    rules: Rules


# --- A class ---


@dataclass(frozen=True, slots=True)
class MoveTakenBack(Event):
    """A person has taken its last move back."""

    color: int
    name: str
    """The name of the person, if people play both colours and have names."""


@dataclass(frozen=True, slots=True)
class TurnsLeft(Event):
    """Black has put some stones of a handicap, and puts more before White begins."""

    count: int
