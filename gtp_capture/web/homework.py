"""Homework of a class: a file for home, which is made beside the lesson, and the codes that come back."""

from __future__ import annotations

import io
import re
import sys
import threading
import traceback
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final, TypedDict

from ..classroom.done import open_problems
from ..classroom.room import Classroom
from ..classroom.seat import AtHome, Seat
from ..teach.course import lessons
from ..teach.event import Refusal, RefusedError
from ..teach.puzzles.theme import THEMES
from ..teach.words import Voice, page_voice
from ..tutor.session import Pace, Work
from .file import codes
from .file.page import MOST_PUPILS, Content, Made, making
from .hub import Hub
from .view import lesson_title, problem_words, themes
from .view.shapes import Label, Said

OPEN: Final = "open"
LESSON, THEME = "lesson-", "theme-"
"""How the keys of lessons and of themes begin."""
WHOM: Final = ("all", "each")
"""One file for all children, or one for each of them."""
_NO_NAME: Final = re.compile(r'[\\/:*?"<>|\x00-\x1f]')
"""Characters that a file name cannot have."""


class HomeworkView(TypedDict):
    """What the teacher can hand out, and what is made."""

    offers: list[Label]
    whom: list[Label]
    children: list[Label]
    """The children by their numbers, after the choice to let the code say whose it is."""
    told: list[Said]
    busy: bool
    """Whether a file is being made."""
    file: str
    """The address of the file that was made; "" for none."""


class CodeView(TypedDict):
    """What a code says."""

    told: list[Said]


class State(StrEnum):
    """How far a file is; the value is the key of the sentence that says so."""

    NONE = ""
    MAKING = "class.homework.making"
    READY = "class.homework.ready"
    EMPTY = "class.homework.empty"
    FAILED = "class.homework.failed"


class Homework:
    """The file for home of a class. It is made in the lane of long work, one task at a time: other work comes in."""

    def __init__(self, hub: Hub) -> None:
        self.hub, self.room = hub, hub.room
        self.state = State.NONE
        self.data, self.name = b"", ""
        """The file that was made, and its name."""
        self.count = 0
        """The number of its problems, or of files if each child has one."""
        self.is_for_each = False
        self.without: list[str] = []
        """The names of the children that get no file, because nothing is open for them."""
        self.left_out: dict[int, str] = {}
        """The problems that are not in it, by their numbers, with the reasons."""

    def begin(self, what: str, whom: str) -> None:
        """Make a file, unless one is being made. ValueError: there is no such file. RefusedError: no child is here."""
        if self.state is State.MAKING:
            return
        if whom not in WHOM:
            raise ValueError(whom)
        contents = self._contents(what, is_for_each=whom == "each")
        self.is_for_each = whom == "each"
        self.state, self.data, self.left_out = State.MAKING, b"", {}
        self.hub.start(self._make(contents))

    async def _make(self, contents: Sequence[tuple[Seat | None, Content]]) -> None:
        lane = self.hub.lanes[Pace.LONG]
        steps = making([content for _, content in contents], self.room.sessions.searches)
        made: list[Made] | None = None
        try:
            while made is None and not self.hub.is_over:
                made = await lane.run(Work(lambda stop: next(steps), Pace.LONG), threading.Event())
            files = [(seat, file) for (seat, _), file in zip(contents, made or [], strict=False)]
            self.without = [seat.name for seat, file in files if seat is not None and not file.problems]
            await self.hub.change(lambda: self._hand_out([(seat, file) for seat, file in files if file.problems]))
        except Exception:  # the class goes on, and the person at the terminal sees what to report
            traceback.print_exc(file=sys.stderr)
            self.state = State.FAILED

    def _hand_out(self, files: Sequence[tuple[Seat | None, Made]]) -> None:
        """Keep what was made until the teacher takes it, and remember the problems of its codes."""
        self.state = State.READY if files else State.EMPTY
        for _, file in files:
            self.room.hand_out(file.name, file.problems)
            self.left_out = file.left_out
        if self.is_for_each:
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
                for seat, file in files:
                    assert seat is not None
                    archive.writestr(f"{seat.number} {_NO_NAME.sub('_', seat.name)}.html", file.page)
            self.data, self.name, self.count = packed.getvalue(), "homework.zip", len(files)
        elif files:
            ((_, file),) = files
            self.data, self.name, self.count = file.page.encode(), "homework.html", len(file.problems)

    def _contents(self, what: str, *, is_for_each: bool) -> list[tuple[Seat | None, Content]]:
        """Return what each file has; the seat of a child that has its own. RefusedError: no child is here."""
        room, seats = self.room, [seat for seat in self.room.seats.values() if seat.claims is None]
        if is_for_each:
            if not seats:
                raise RefusedError(Refusal.NO_SEAT)
            return [
                (seat, replace(self._content(what, [seat], (seat.language,)), pupil=_pupil(seat))) for seat in seats
            ]
        languages = tuple(dict.fromkeys((room.language, *(seat.language for seat in seats))))
        most = max((MOST_PUPILS, *map(_pupil, seats)))
        return [(None, replace(self._content(what, seats, languages), most=most))]

    def _content(self, what: str, seats: Sequence[Seat], languages: tuple[str, ...]) -> Content:
        room = self.room
        if what == OPEN:
            chosen = frozenset(open_problems(room, seats))
            numbers = sorted({int(name.partition(".")[0]) for name in chosen if "." in name})
            return Content(lessons=numbers, problems=room.sessions.collection, chosen=chosen, languages=languages)
        if what in (f"{LESSON}{number}" for number in lessons.numbers()):
            return Content(lessons=(int(what.removeprefix(LESSON)),), languages=languages)
        if what not in (f"{THEME}{theme}" for theme in ("", *THEMES)):
            raise ValueError(what)
        problems = [*room.sessions.problems(what.removeprefix(THEME)).values()]
        return Content(problems=problems, languages=languages)

    def read(self, code: str, chosen: int | None) -> tuple[Seat, codes.Solved]:
        """Take a code into the results. RefusedError: it cannot be read, or does not say whose it is."""
        try:
            solved = codes.read(code, {name: len(problems) for name, problems in self.room.homework.items()})
        except codes.CodeError as error:
            raise RefusedError(error.reason) from None
        return self.room.take_code(solved.name, solved.pupil, solved.done, chosen), solved


def _pupil(seat: Seat) -> int:
    """Return the number of a child in its codes; 0 if it is too high for them."""
    return seat.number if seat.number <= codes.MOST_PUPIL else 0


def handed_out(made: Homework) -> HomeworkView:
    """Return what the teacher can hand out, and what is made."""
    room, voice = made.room, page_voice(made.room.language)
    text = voice.text
    offers: list[Label] = [{"key": OPEN, "label": text("class.homework.open")}]
    offers += [{"key": f"{LESSON}{n}", "label": lesson_title(n, voice)} for n in lessons.numbers()]
    for theme in themes(room, voice):
        label = text("class.set.problems", theme=theme["label"])
        offers.append({"key": f"{THEME}{theme['key']}", "label": label})
    children: list[Label] = [{"key": str(seat.number), "label": _numbered(seat)} for seat in room.seats.values()]
    return {
        "offers": offers,
        "whom": [{"key": key, "label": text(f"class.homework.{key}")} for key in WHOM],
        "children": [{"key": "", "label": text("class.homework.by_code")}, *children],
        "told": _told(made, voice),
        "busy": made.state is State.MAKING,
        "file": "/homework/file" if made.data else "",
    }


def _numbered(seat: Seat) -> str:
    return f"{seat.number} {seat.name}"


def _told(made: Homework, voice: Voice) -> list[Said]:
    """Return what the teacher reads about the file."""
    text, room = voice.text, made.room
    if made.state is State.NONE:
        return []
    if made.state is not State.READY:
        return [Said(text=text(made.state), tone="wrong" if made.state is State.FAILED else "plain")]
    key = "files" if made.is_for_each else "ready"
    lines = [text(f"class.homework.{key}", count=made.count)]
    if made.without:
        lines.append(text("class.homework.without", names=voice.listed(made.without)))
    if made.left_out:
        lines.append(text("class.homework.left_out", problems=voice.listed([*map(str, made.left_out)])))
    if not made.is_for_each and room.seats:
        names = voice.listed([*map(_numbered, room.seats.values())])
        lines.append(text("class.homework.numbers", names=names))
    if not made.hub.keeps:
        lines.append(text("class.homework.forgets", option="--save", command="gtp-capture homework"))
    return [Said(text=line, tone="strong" if line is lines[0] else "plain") for line in lines]


def code(room: Classroom, seat: Seat, solved: codes.Solved) -> CodeView:
    """Return what a code says, in the language of the class."""
    voice, problems = page_voice(room.language), room.homework[solved.name]
    counts: dict[str, Any] = {how.name.lower(): solved.done.count(how) for how in AtHome}
    told = [Said(text=voice.text("class.code.read", name=seat.name, **counts), tone="right")]
    for how in (AtHome.HELPED, AtHome.OPEN):
        named = [problem_words(name, voice) for name, done in zip(problems, solved.done, strict=True) if done is how]
        if named:
            key = f"class.code.{how.name.lower()}"
            told.append(Said(text=voice.text(key, problems=voice.listed(named)), tone="plain"))
    return {"told": told}
