"""The file: views and answers, words, drawings, styles and scripts, and nothing that is loaded from elsewhere."""

from __future__ import annotations

import base64
import functools
import hashlib
import itertools
import json
import re
from collections.abc import Callable, Container, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any, Final, NamedTuple

from ...teach import sentences
from ...teach.course import booklet, lessons
from ...teach.event import Want
from ...teach.puzzles.examiner import ProblemError
from ...teach.puzzles.files import numbers
from ...teach.puzzles.problem import Problem
from ...teach.puzzles.sheet import question
from ...teach.sentences import ENGLISH
from ...teach.words import Voice, page_voice
from ...tutor.searches import Searches
from .. import view
from .codes import name_of
from .pack import Table
from .recording import Answer, Place, Recorder, Recording, UndecidedError, page_name

TEXTS: Final = "homework."
"""How the keys of the texts of the list of tasks begin."""
SCRIPTS: Final = ("static/page.js", "static/board.js", "static/sound.js", "static/session.js", "file/home.js")
"""The modules of the script; each needs only those before it."""
_IMPORT: Final = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:const|function|class) (\w+))", re.MULTILINE)
_COMMENT: Final = re.compile(r"^ *(/\*.*?\*/|// [^\n]*)\n", re.DOTALL | re.MULTILINE)
_INDENT: Final = re.compile(r"^\s+", re.MULTILINE)
_WORD: Final = re.compile(r"\bwords\.(\w+)")
_DATA: Final = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)
MOST_PUPILS: Final = 40
"""The highest number that a child can tap as its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Lessons or problems of a file, and for whom it is."""

    lessons: Sequence[int] = ()
    problems: Sequence[Problem] = ()
    chosen: frozenset[str] | None = None
    """The names of the problems of these to take, without the pages of the lessons; None: everything."""
    title: str = ""
    """If it is empty, the page has the title of its only lesson, or says "Homework", "Lessons" or "Problems"."""
    languages: Sequence[str] = (ENGLISH,)
    pupil: int = 0
    """The number of the child that the file is for; 0: each child taps its own."""
    most: int = MOST_PUPILS
    """The highest number that can be tapped."""

    def takes(self, name: str) -> bool:
        """Whether a problem of the lessons and problems is taken."""
        return self.chosen is None or name in self.chosen

    def without(self, numbers: Container[int]) -> Content:
        """Return the content without problems of the collection."""
        if self.chosen is not None:
            kept = (name for name in self.chosen if "." in name or int(name) not in numbers)
            return replace(self, chosen=frozenset(kept))
        return replace(self, problems=[problem for number, problem in _numbered(self) if number not in numbers])


@dataclass(frozen=True, slots=True)
class Made:
    """A file that was made."""

    page: str
    """As HTML."""
    name: str
    """The name that its codes have."""
    problems: tuple[str, ...]
    """The names of its problems, in the order of the codes."""
    left_out: dict[int, str]
    """A line for each problem of which not every answer can be judged, by its number."""


def make(content: Content, searches: Searches, done: Callable[[int], None]) -> Made:
    """Make a file; `done` gets the number of tasks that are recorded so far. See `making`."""
    steps, number = making([content], searches), 0
    while (made := next(steps)) is None:
        number += 1
        done(number)
    return made[0]


def making(contents: Sequence[Content], searches: Searches) -> Iterator[list[Made] | None]:
    """Make several files, whose problems are of one collection. Yield None after each short step, and last the files.

    A problem that the solver does not decide, also after a wrong answer, is left out.
    """
    tasks, left_out = _Tasks(searches), dict[int, str]()
    for content in contents:
        yield from tasks.record(content, left_out)
    if left_out:
        contents = [content.without(left_out) for content in contents]
        tasks.forget_problems()  # the places of the others have changed
        for content in contents:
            yield from tasks.record(content, left_out)
    tables = dict[Sequence[str], _Packed]()
    for content in contents:
        if content.languages not in tables:
            same = [other for other in contents if other.languages == content.languages]
            tables[content.languages] = yield from tasks.pack(same)
    yield [_made(content, tables[content.languages], tasks, left_out) for content in contents]


class _Packed(NamedTuple):
    """A table with tasks in several languages."""

    table: dict[str, Any]
    refs: dict[tuple[str, str], int]
    """The place of a task, by its language and name."""


class _Tasks:
    """The pages and problems that are recorded, each once in a language."""

    def __init__(self, searches: Searches) -> None:
        self._searches = searches
        self._recorders = dict[str, Recorder]()
        self._recorded = dict[tuple[str, str], Recording]()
        """By the language and the name."""

    def of(self, content: Content, language: str) -> list[Recording]:
        """Return the tasks of a content, which are recorded."""
        return [self._recorded[language, name] for name in _names(content) if (language, name) in self._recorded]

    def record(self, content: Content, left_out: dict[int, str]) -> Iterator[None]:
        """Record the tasks that are not recorded yet, one at each step.

        A problem that cannot be judged is added to `left_out` with its reason.
        """
        for language in content.languages:
            recorder = self._recorders.setdefault(language, Recorder(self._searches, language))
            for number in content.lessons:
                wanted = [name for name in _of_lesson(number, content) if (language, name) not in self._recorded]
                for recording in recorder.lesson(number, wanted):
                    self._recorded[language, recording.name] = recording
                    yield
            for number, _ in _numbered(content):
                if (language, str(number)) in self._recorded or not content.takes(str(number)) or number in left_out:
                    continue
                try:
                    self._recorded[language, str(number)] = recorder.problem(content.problems, number)
                except (ProblemError, UndecidedError) as error:
                    left_out[number] = f"problem {number} is left out: {error}"
                yield

    def forget_problems(self) -> None:
        """Let the problems of the collection be recorded anew."""
        self._recorded = {key: recording for key, recording in self._recorded.items() if recording.lesson}

    def pack(self, contents: Sequence[Content]) -> Generator[None, None, _Packed]:
        """Make the table of the tasks of contents in the same languages, one task at each step."""
        names = dict.fromkeys(itertools.chain.from_iterable(map(_names, contents)))
        keys = [key for key in itertools.product(contents[0].languages, names) if key in self._recorded]
        table, added = Table(), []
        for task in map(self._recorded.__getitem__, keys):
            added.append(table.add({"start": task.start, "places": [*map(_place, task.places)]}))
            yield
        data, refs = table.whole(added)
        return _Packed(data, dict(zip(keys, refs, strict=True)))


def _names(content: Content) -> Iterator[str]:
    """Yield the names of the tasks of a content."""
    for number in content.lessons:
        yield from _of_lesson(number, content)
    yield from (str(number) for number, _ in _numbered(content) if content.takes(str(number)))


def _of_lesson(number: int, content: Content) -> Iterator[str]:
    """Yield the names of the tasks of a lesson in its order, as `Recording.name` has them."""
    lesson = lessons.lesson(number)
    pages = len(lesson.pages)
    for at in lesson.order:
        name = page_name(number, at + 1) if at < pages else lesson.names[at - pages]
        if content.takes(name):
            yield name


def _numbered(content: Content) -> Iterator[tuple[int, Problem]]:
    return zip(numbers(content.problems), content.problems, strict=True)


def _made(content: Content, packed: _Packed, tasks: _Tasks, left_out: dict[int, str]) -> Made:
    languages = [_shown(content, language, tasks.of(content, language), packed) for language in content.languages]
    first = tasks.of(content, content.languages[0])
    problems = tuple(task.name for task in first if task.want is not Want.PAGE)
    name = name_of(hashlib.sha256(_json([packed.table, problems]).encode()).digest())
    root = {"name": name, "pupil": content.pupil, "most": content.most, "table": packed.table, "languages": languages}
    return Made(_page(content, _json(root)), name, problems, left_out)


def _shown(content: Content, language: str, tasks: Sequence[Recording], packed: _Packed) -> dict[str, Any]:
    """Return what a file has in a language; each task has its place in the table."""
    voice = page_voice(language)
    keys = (key for key in sentences.table() if key.startswith(TEXTS))
    texts = {key.removeprefix(TEXTS): voice.text(key, code="{code}") for key in keys}
    texts |= {"star": voice.text("class.star"), "go_on": voice.text("class.choice.continue")}
    return {
        "key": language,
        "label": voice.text("class.language"),
        "title": _title(content, voice),
        "words": {key: text for key, text in view.page_words(language).items() if key in _words()},
        "texts": texts,
        "tasks": [
            {"label": _label(task), "asks": task.want is not Want.PAGE, "ref": packed.refs[language, task.name]}
            for task in tasks
        ],
    }


def _label(task: Recording) -> str:
    """Return the name of a task in a list: a page has its title there."""
    title, text = task.start["title"], task.start["task"]
    return f"{title}: {text}" if task.want is Want.PAGE else str(title)


def _place(place: Place) -> dict[str, Any]:
    """Return a place as a value for JSON; an answer that was not judged has two values only."""

    def written(answer: Answer) -> tuple[object, ...]:
        return answer if answer.right is not None else answer[:2]

    return {
        "solved": place.solved,
        "points": {vertex: written(answer) for vertex, answer in place.points.items()},
        "numbers": [*map(written, place.numbers)],
        "words": {name: [*map(written, answers)] for name, answers in place.words.items()},
    }


def _title(content: Content, voice: Voice) -> str:
    if content.title:
        return content.title
    if content.chosen is not None:
        return voice.text("homework.title")
    if len(content.lessons) == 1:
        return view.lesson_title(content.lessons[0], voice)
    return voice.text("course.booklet" if content.lessons else "sheet.problems")


def _page(content: Content, data: str) -> str:
    """Return the page. Without its script, as in the preview of a mail, the positions can be read."""
    voice = page_voice(content.languages[0])
    style, script = _short(_static("static/page.css")), _script()
    first = _short(_static("file/first.js"))
    return Template(_static("file/page.html")).substitute(
        language=view.tag(voice.language),
        title=escape(_title(content, voice)),
        style=style,
        style_hash=_hash(style),
        first=first,
        first_hash=_hash(first),
        icons=_static("static/icons.svg"),
        unable=escape(voice.text("homework.unable")),
        figures="\n".join(_figures(content, voice)),
        data=data.replace("</", "<\\/").replace("<!--", "\\u003c!--"),
        script=script,
        script_hash=_hash(script),
    )


def _figures(content: Content, voice: Voice) -> Iterator[str]:
    for number in content.lessons:
        lesson = lessons.lesson(number, voice.language)
        if content.chosen is None:
            yield booklet.content(lesson, voice)
        else:
            yield booklet.problems(lesson, [at for at, name in enumerate(lesson.names) if content.takes(name)], voice)
    for number, problem in _numbered(content):
        if content.takes(str(number)):
            yield question(number, problem, voice)


@functools.cache
def _script() -> str:
    """Return the modules as one script, as a file can load none: each is a function that is called once."""
    made = ["const modules = {};\n"]
    for name in SCRIPTS:
        text, module = _short(_static(name)), Path(name).stem
        exported = ", ".join(_EXPORT.findall(text))
        body = _EXPORT.sub("", _IMPORT.sub(r"const \1 = modules.\2;", text))
        made.append(f"modules.{module} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n")
    return "".join(made)


def _short(text: str) -> str:
    """Return a style or a script, in which no text has several lines, without comments, indentation and empty lines."""
    return _INDENT.sub("", _COMMENT.sub("", text))


@functools.cache
def _words() -> frozenset[str]:
    """Return the keys of the fixed texts that the script reads."""
    return frozenset(_WORD.findall(_script()))


@functools.cache
def _static(name: str) -> str:
    return (resources.files("gtp_capture.web") / name).read_text("utf-8")


def _hash(text: str) -> str:
    """Return the hash by which a policy of a page allows a text."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def problems_of(page: str) -> tuple[str, list[str]]:
    """Return the name of a file, and the labels of its problems. ValueError: the page is no such file."""
    if (script := _DATA.search(page)) is None:
        raise ValueError("this is no file of lessons or problems for home")
    data = json.loads(script[1])
    return data["name"], [task["label"] for task in data["languages"][0]["tasks"] if task["asks"]]
