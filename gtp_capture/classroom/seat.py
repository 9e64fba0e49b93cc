"""A seat of a class: the name of a child, and what it has done."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from enum import IntEnum
from itertools import takewhile
from typing import Any, Final

from ..players.levels import FIRST, FULL
from ..teach.course import lessons
from ..teach.event import Judged, Refusal, RefusedError
from ..teach.sentences import ENGLISH, languages
from ..tutor.leitner import Boxes
from ..tutor.lesson import LessonSession
from ..tutor.reading import folded
from ..util.fields import MOST, Fields
from .activity import FREE, Activity
from .desk import Desk

LONGEST: Final = 20
"""The maximum number of characters of a name."""
WRONG: Final = 3
"""The number of wrong answers in a row after which a child needs help."""
PATIENCE: Final = 120.0
"""Seconds without an action after which a child needs help."""
SHOWN_ANSWERS: Final = 6
"""The number of last answers that the teacher sees."""
REMEMBERED: Final = 30
"""The number of last actions of a seat whose repetition is noticed."""
JOINERS: Final = "\u200c\u200d\u180e"
"""Format characters without width that some scripts need: ZERO WIDTH (NON-)JOINER, MONGOLIAN VOWEL SEPARATOR."""
SCRIPTS: Final = frozenset({"ADLAM", "ARABIC", "HANIFI", "KHMER", "MANDAIC", "MONGOLIAN", "NKO", "SYRIAC"})
"""The scripts that need them between any letters, as the first words of the names of their characters."""
VIRAMA: Final = 9
"""The combining class of the signs that join consonants, beside which scripts from India to Java need them."""
BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00013441\U00013442\U00016fe4\U0001d159")
"""Letters, marks and signs without ink."""
SELECTORS: Final = frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), *range(0x180B, 0x180E), 0x180F))
)
"""Marks without ink that choose the form of the sign before them."""
VARIED: Final = frozenset({"CJK", "MONGOLIAN", "MYANMAR", "PHAGS-PA"})
"""The scripts whose letters have such forms."""
KEYCAP: Final = "\u20e3"
"""The frame around a digit, before which a selector makes it an emoji."""
HIDDEN: Final = ("Cf", "Cn", "Co", "Cs")
"""The categories of characters that a name leaves out; other controls separate words."""
A_SECOND: Final = 10
"""The maximum number of actions of a child in a second, over a longer time."""
AT_ONCE: Final = 4.0
"""The seconds of such actions that may come at once."""
LONGEST_WAIT: Final = 10.0
"""The maximum number of seconds that an action may have to wait for those before it."""
KEPT: Final = ("number", "name", "language", "key_hash", "at_home", "has_left")
"""The fields of a seat that are saved as they are."""
LONGEST_HASH: Final = 32
"""The number of hexadecimal digits of a hash."""
_HASH: Final = re.compile(rf"(?:[0-9a-f]{{{LONGEST_HASH}}})?")


class AtHome(IntEnum):
    """How a problem was done at home, as a code says; more is better."""

    OPEN = 0
    HELPED = 1
    """Solved after a hint or the solution."""
    ALONE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A game that is over, for one of those who played it."""

    lesson: int
    """The number of the day; see `Boxes.lesson`."""
    level: int
    """The level of the computer; 0 for another child."""
    won: bool
    helped: bool
    """Whether the child had a hint, an explanation before the end, or took a move back."""

    @property
    def has_star(self) -> bool:
        """Whether the game is won without help."""
        return self.won and not self.helped

    @classmethod
    def read(cls, state: Fields) -> PlayedGame:
        """Return the game of a state. FieldError: it is none."""
        level = state.whole("level", 0, FULL)
        return cls(lesson=state.whole("lesson"), level=level, won=state.flag("won"), helped=state.flag("helped"))


@dataclass(slots=True)
class Progress:
    """The progress of a child; see `tutor.session.Progress`."""

    level: int = FIRST
    done: set[int] = field(default_factory=set)
    """The numbers of the lessons that are done."""
    lesson_games: set[int] = field(default_factory=set)
    """The numbers of the lessons whose game is won."""
    boxes: Boxes = field(default_factory=Boxes)
    """How each problem was done."""
    results: list[PlayedGame] = field(default_factory=list)
    """The games that are over, in their order."""
    codes: dict[str, tuple[AtHome, ...]] = field(default_factory=dict)
    """How each problem of a file for home was done, by the name of the file; see `Classroom.homework`."""

    @property
    def solved(self) -> set[str]:
        """The problems that are solved: `3.4` of lesson 3, `17` of the collection."""
        return self.boxes.solved

    @property
    def played(self) -> int:
        """The number of games that are over."""
        return len(self.results)

    @property
    def won(self) -> int:
        """The number of games that are won."""
        return sum(game.won for game in self.results)

    @property
    def stars(self) -> int:
        """The number of problems that were solved alone, and of games that were won without help."""
        return self.boxes.alone + sum(game.has_star for game in self.results)

    @property
    def stars_today(self) -> int:
        """The number of stars of this day."""
        today = self.boxes.lesson
        alone = sum(card.how.is_alone and card.lesson == today for card in self.boxes.cards.values())
        return alone + sum(game.has_star and game.lesson == today for game in self.results)

    @property
    def solved_today(self) -> int:
        """The number of problems that were solved on this day."""
        return sum(card.how.is_solved and card.lesson == self.boxes.lesson for card in self.boxes.cards.values())

    @property
    def following(self) -> int:
        """The lesson after the highest one that was done or begun, today if there is one; else `path`. 0: none."""
        days = [(int(name.partition(".")[0]), card.lesson) for name, card in self.boxes.cards.items() if "." in name]
        today = {number for number, day in days if day == self.boxes.lesson}
        highest = max(today or {*self.done, *(number for number, _ in days)}, default=0)
        return highest + 1 if 0 < highest < lessons.numbers()[-1] else self.path

    @property
    def path(self) -> int:
        """The first lesson that is not done; 0 if all are."""
        return next((number for number in lessons.numbers() if number not in self.done), 0)

    def place(self, number: int) -> int:
        """Return where a lesson goes on, by the numbers of `Lesson.order`: a problem, or the first page before it.

        It is the first problem that was neither played to its end nor left out, or else the first one that was left
        out; or the begin of the lesson. To a problem that was tried its pages were read.
        """
        lesson, boxes = lessons.lesson(number), self.boxes
        names = dict(enumerate(lesson.names, len(lesson.pages)))
        problems = [at for at in lesson.order if at in names]
        untouched = [at for at in problems if names[at] not in boxes.cards or boxes.is_begun(names[at])]
        left_out = [at for at in problems if not boxes.is_played(names[at])]
        (first, *_) = untouched or left_out or problems
        if boxes.is_begun(names[first]):
            return first
        before = reversed(lesson.order[: lesson.order.index(first)])
        return [first, *takewhile(lambda at: at not in names, before)][-1]

    def lessons(self) -> list[int]:
        """See `tutor.session.Progress`."""
        return sorted(self.done)

    def games(self) -> list[int]:
        """See `tutor.session.Progress`."""
        return sorted(self.lesson_games)

    def record(self, level: int) -> None:
        """See `tutor.session.Progress`."""
        self.level = level

    def finish(self, lesson: int) -> None:
        """See `tutor.session.Progress`."""
        self.done.add(lesson)

    def win(self, lesson: int) -> None:
        """See `tutor.session.Progress`."""
        self.lesson_games.add(lesson)

    def state(self) -> dict[str, Any]:
        """Return a value for JSON."""
        return {
            "level": self.level,
            "done": self.lessons(),
            "lesson_games": self.games(),
            "boxes": self.boxes.state(),
            "results": [*map(asdict, self.results)],
            "codes": {name: "".join(str(int(how)) for how in done) for name, done in self.codes.items()},
        }

    @classmethod
    def kept(cls, state: Fields) -> Progress:
        """Return the progress of a state. FieldError: it is none."""
        first, *_, last = lessons.numbers()
        codes = state.fields("codes")
        return cls(
            level=state.whole("level", FIRST, FULL),
            done={*state.wholes("done", first, last)},
            lesson_games={*state.wholes("lesson_games", first, last)},
            boxes=Boxes.read(state.fields("boxes")),
            results=[*map(PlayedGame.read, state.all_fields("results"))],
            codes={name: _code(codes, name) for name in codes.names()},
        )


def _code(state: Fields, name: str) -> tuple[AtHome, ...]:
    """Return a code, which is a text of digits. FieldError: it is none."""
    text, digits = state.text(name, MOST), {str(int(how)): how for how in AtHome}
    if not {*text} <= {*digits}:
        raise state.error("is no code", name)
    return tuple(map(digits.__getitem__, text))


@dataclass(slots=True, eq=False)
class Seat:
    """A child of the class."""

    number: int
    """From 1; 0 is the teacher's board."""
    name: str
    language: str = ENGLISH
    """The language of everything that is said to the child."""
    key_hash: str = ""
    """The hash of the name of its device, which is saved; "" if no device has this seat."""
    has_left: bool = False
    """Whether another child has its device now."""
    claims: int | None = None
    """The seat whose name was given when this one was made: the child is asked whether it is its own."""
    is_sure: bool = False
    """Whether the child has said so: the teacher is asked."""
    progress: Progress = field(default_factory=Progress)
    activity: Activity = FREE
    """The activity that the teacher has set."""
    desk: Desk | None = None
    at_home: bool = True
    """Whether the child sees what it may choose, and not its desk."""
    asks: int | None = None
    """The seat that it has asked to play with it."""
    declined: str = ""
    """The name of a child that it has asked, and that does not play with it; "" after its next action."""
    left: str = ""
    """The name of the child that was its pair and does something else now; "" after its next action."""
    hand: bool = False
    """Whether it has raised its hand."""
    wrong: int = 0
    """Wrong answers in a row."""
    answers: tuple[Judged, ...] = ()
    """The last answers to problems, the newest first."""
    ring: str = ""
    """The vertex that the teacher has marked on its board, until the board changes; "" for none."""
    here: bool = False
    """Whether a device is connected."""
    spent: float = 0.0
    """Seconds for which a device was connected, in all."""
    spent_today: float = 0.0
    since: float = float("-inf")
    """The time of the last action, or of the end of the last connection."""
    actions: dict[str, None] = field(default_factory=dict)
    """The last actions, by the hash of the text that names each."""
    changed: int = 0
    """The count of the class when the view changed last."""
    waits: bool = False
    """Whether it has not moved for PATIENCE."""
    busy_until: float = 0.0
    """The time at which all actions so far would be done, at A_SECOND."""

    @property
    def takes_part(self) -> bool:
        """Whether the child is here; a device that claims another seat does not take part yet."""
        return self.here and self.claims is None

    @property
    def is_free(self) -> bool:
        """Whether another child may ask this one to play."""
        return self.takes_part and self.at_home and self.activity.kind == "free" and self.asks is None

    @property
    def open_desk(self) -> Desk | None:
        """The desk that the child sees; None at home."""
        return None if self.at_home else self.desk

    @property
    def at_board(self) -> bool:
        """Whether a device shows its desk."""
        return self.here and not self.at_home

    @property
    def at_last(self) -> bool:
        """Whether its desk has the last page or problem of its activity, after which the lesson does not go on."""
        session, end = None if self.desk is None else self.desk.session, self.activity.end
        if end is None or not isinstance(session, LessonSession) or session.lesson.number != self.activity.lesson:
            return False
        order = session.lesson.order
        return order.index(session.at) >= order.index(end)

    @property
    def at_end(self) -> bool:
        """Whether this last page or problem is done."""
        return self.at_last and self.desk is not None and self.desk.session.finished

    @property
    def open_problem(self) -> int | None:
        """The first of the problems that are set which it has not played, by its place among them; None for none."""
        names = self.activity.problems
        return next((n for n, name in enumerate(names) if not self.progress.boxes.is_played(name)), None)

    @property
    def mark(self) -> str:
        """Why help is needed: "hand", "wrong", "waits", or ""."""
        if self.hand:
            return "hand"
        return "wrong" if self.wrong >= WRONG else "waits" if self.waits else ""

    def reserve(self, now: float, cost: float) -> float:
        """Return the seconds that an action has to wait, after those before it. RefusedError: too many wait.

        `cost`: the number of usual actions that it counts for.
        """
        wait = max(0.0, self.busy_until - now + cost / A_SECOND - AT_ONCE)
        if wait > LONGEST_WAIT:
            raise RefusedError(Refusal.TOO_FAST)
        self.busy_until = max(now, self.busy_until) + cost / A_SECOND
        return wait

    def is_repeated(self, name: str) -> bool:
        """Whether an action with this name was done; see `remember`."""
        return hashed(name) in self.actions

    def remember(self, name: str) -> None:
        """Remember that an action was done.

        Only a hash of its name is kept and saved: whoever knew the name of the action "come in" could take the seat.
        """
        self.actions[hashed(name)] = None
        for old in [*self.actions][:-REMEMBERED]:
            del self.actions[old]

    def state(self) -> dict[str, Any]:
        """Return all but the desk as a value for JSON."""
        return {
            **{name: getattr(self, name) for name in KEPT},
            "spent": int(self.spent),
            "spent_today": int(self.spent_today),
            "progress": self.progress.state(),
            "activity": self.activity.state(),
            "actions": [*self.actions],
        }

    @classmethod
    def kept(cls, state: Fields) -> Seat:
        """Return the seat of a state. FieldError: it is none."""
        seat = cls(
            state.whole("number", 1),
            state.text("name", LONGEST),
            language=state.choice("language", languages()),
            key_hash=state.text("key_hash", LONGEST_HASH),
            progress=Progress.kept(state.fields("progress")),
            activity=Activity.kept(state.fields("activity")),
            spent=state.whole("spent"),
            spent_today=state.whole("spent_today"),
            at_home=state.flag("at_home"),
            has_left=state.flag("has_left"),
            actions=dict.fromkeys(state.texts("actions", LONGEST_HASH)),
        )
        if not seat.name.strip():
            raise state.error("is empty", "name")
        if not _HASH.fullmatch(seat.key_hash):
            raise state.error("is no hash", "key_hash")
        return seat


def hashed(secret: str) -> str:
    """Return the hash of a secret (BLAKE2b, hexadecimal).

    Two secrets can be compared by their hashes, but a secret cannot be computed from its hash.
    """
    return hashlib.blake2b(secret.encode(errors="surrogatepass"), digest_size=LONGEST_HASH // 2).hexdigest()


def name_of(text: str) -> str:
    """Return the name to show for what a child has typed: one line of at most LONGEST letters and signs.

    What hides or reverses text is left out: controls of direction, and characters without ink, except joiners and
    selectors that the script of their neighbours needs and those within an emoji. RefusedError: nothing is left.
    """
    name, before = _shown(text), text
    while name != before:  # a sign without its neighbour may not be needed any more
        name, before = _shown(name), name
    if len(name) > LONGEST or not any(unicodedata.category(c)[0] in "LNPS" for c in name):
        raise RefusedError(Refusal.NAME, most=LONGEST)
    return name


def _shown(text: str) -> str:
    """Return a text as one line, without what hides or reverses it, and without signs that have no use there."""
    given = unicodedata.normalize("NFC", text)
    inked = [c for c in given if c in JOINERS or (c not in BLANK and unicodedata.category(c) not in HIDDEN)]
    shown = ""
    for c, after in zip(inked, [*inked[1:], " "], strict=False):
        before = shown[-1:] or " "
        if c in JOINERS:
            is_needed = _is_joined(before, after)
        elif c in SELECTORS:
            is_needed = _is_varied(before, after)
        else:
            is_needed = unicodedata.combining(c) != VIRAMA or _script(c) == _script(shown.rstrip(JOINERS)[-1:] or " ")
        if is_needed:
            shown += c if c in JOINERS or unicodedata.category(c)[0] not in "CZ" else " "
    return " ".join(unicodedata.normalize("NFC", shown).split())


def _is_joined(before: str, after: str) -> bool:
    """Whether a joiner between two characters is one that their script needs, or is within an emoji."""
    if VIRAMA in (unicodedata.combining(before), unicodedata.combining(after)):
        return True
    if unicodedata.category(after) == "So":
        return before == "\ufe0f" or unicodedata.category(before) in ("So", "Sk")
    return _script(before) == _script(after) and _script(before) in SCRIPTS


def _is_varied(before: str, after: str) -> bool:
    """Whether a selector may change the form of the character before it."""
    if before.isascii():
        return after == KEYCAP and before in "#*0123456789"
    return unicodedata.category(before)[0] in "SP" or _script(before) in VARIED


def _script(c: str) -> str:
    """Return the first word of the name of a character, which is its script if it is a letter of one."""
    return unicodedata.name(c, "").partition(" ")[0]


def typed(word: str) -> str:
    """Return one form for all ways to type the word of a class, so that two words can be compared.

    Spaces are left out, decimal digits of any script become 0 to 9, and `folded` makes all letters alike.
    """
    return "".join(str(unicodedata.decimal(c, c)) for c in folded(word) if not c.isspace())


def same_name(name: str) -> str:
    """Return what two names have in common that look the same, apart from the case of letters."""
    return "".join(c for c in name if c not in JOINERS and c not in SELECTORS).casefold()


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name that is free: with a number if it is taken, in any case."""
    known, free, number = {*map(same_name, taken)}, name, 1
    while same_name(free) in known:
        number += 1
        free = f"{name[: LONGEST - len(str(number)) - 1].rstrip(JOINERS + ' ')} {number}"
    return free
