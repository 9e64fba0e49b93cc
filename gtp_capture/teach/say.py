"""Sentences and boards from the events of a session, for one reader: the reader's language and manner are a `Voice`.

`parts` gives what to show for an event, in its order, as values that any screen can draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum, auto
from typing import Any, Final

from ..go.game import Game
from ..go.rules import Rules
from ..go.vertex import BLACK, WHITE, numbered, opponent
from ..players import levels
from . import event as ev
from . import words
from .course import lessons
from .course.lessons import Page, Quiz
from .event import Event, Line, Marks, Notice, Refusal, Task, Want, Wanted
from .puzzles.problem import Problem
from .review.moment import moment
from .sentences import table
from .terms import TERMS
from .words import Person, Voice

SIGNS: Final = {BLACK: "●", WHITE: "○"}
"""The stones in sentences; a screen that cannot show these characters replaces them."""


class Tone(StrEnum):
    """The emphasis of a sentence."""

    PLAIN = auto()
    STRONG = auto()
    RIGHT = auto()
    WRONG = auto()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Picture:
    """A board."""

    game: Game
    numbers: Marks | None = None
    """Numbers and letters to draw on points, in place of what the points have."""
    marked: bool = False
    """Whether the last stone and the stones in atari are marked."""
    line: Line | None = None
    """The moves that the numbers stand for."""
    territory: Mapping[int, int] = field(default_factory=dict)
    """Points with the colour whose territory they are."""

    def after(self) -> Picture:
        """Return the board after the moves, with the numbers of the stones that are still there."""
        if self.line is None:
            return self
        *_, game = self.line.positions()
        numbers = {p: mark for p, mark in (self.numbers or {}).items() if int(game.board.color[p]) == mark[1]}
        return replace(self, game=game, numbers=numbers)


@dataclass(frozen=True, slots=True)
class WordList:
    """The commands that can be typed, each with its arguments and with its purpose."""

    entries: tuple[tuple[str, str], ...]


Part = Sentence | Picture | WordList


def parts(event: Event, voice: Voice) -> list[Part]:
    """Return what to show for an event."""
    made = _MAKERS[type(event)](event, voice)
    return [part for part in made if not isinstance(part, Sentence) or part.text]


def text(event: Event, voice: Voice) -> str:
    """Return the sentences of an event as one text."""
    return voice.joined(*(part.text for part in parts(event, voice) if isinstance(part, Sentence)))


# --- What is wanted, and the tasks ---

_WANTED: Final = {
    Want.MOVE: ("unclear.point", "play.help"),
    Want.PLAY: ("unclear.point", "lesson.help"),
    Want.POINT: ("course.type.point", "lesson.help"),
    Want.NUMBER: ("course.type.number", "course.help.number"),
    Want.PAGE: ("course.go_on", "course.help.page"),
    Want.LESSON: ("course.list", "course.list"),
}
"""The keys of the sentence that says what is wanted, and of the first sentence of the help."""


def wanted(expected: Wanted, voice: Voice) -> str:
    """Return the sentence that says what is wanted."""
    return voice.text(_WANTED[expected.want][0], example=expected.sample)


def content(task: Task, language: str) -> Page | Quiz | Problem:
    """Return the contents of a task, with its texts in a language."""
    if task.problem is not None:
        return task.problem
    lesson = lessons.lesson(task.lesson, language)
    return lesson.pages[task.number - 1] if task.want is Want.PAGE else lesson.exercises[task.number - 1].task


def task_text(task: Task, voice: Voice) -> str:
    """Return what a task asks, or what a page says; for a problem of a collection its goal."""
    if task.problem is not None:
        return words.goal(task.problem.start, voice)
    lesson = lessons.lesson(task.lesson, voice.language)
    return (lesson.pages if task.want is Want.PAGE else lesson.exercises)[task.number - 1].text


def aim(task: Task | None, lesson: int, rules: Rules | None, voice: Voice) -> str:
    """Return what a person is to do, in one or two sentences: the title of a page, the task, or the goal of a game.

    `lesson`: the lesson whose game it is, or 0; `rules`: those of the game. "" if nothing of this is known.
    """
    if task is not None:
        page = content(task, voice.language)
        return page.title if isinstance(page, Page) else task_text(task, voice)
    if lesson:
        return lessons.lesson(lesson, voice.language).goal.text.partition("\n\n")[0]  # what follows is advice
    return "" if rules is None else words.game_goal(rules, voice)


def _task_set(event: ev.TaskSet, voice: Voice) -> Iterator[Part]:
    task, number = event.task, {"number": event.task.number, "count": event.task.count}
    if task.problem is not None:
        key, goal = "lesson.introduction" + ".place" * bool(task.place), task_text(task, voice)
        yield _line(voice, key, Tone.STRONG, **number, place=task.place, goal=goal)
        return
    if isinstance(page := content(task, voice.language), Page):
        yield _line(voice, "course.page", Tone.STRONG, **number, title=page.title)
    else:
        yield _line(voice, "course.problem", Tone.STRONG, **number)
    yield Sentence(task_text(task, voice))


def _task_shown(event: ev.TaskShown, voice: Voice) -> Iterator[Part]:
    """Show the board. A page whose moves capture has a second board, after the moves."""
    if isinstance(page := content(event.task, voice.language), Page):
        yield Picture(page.start, page.numbers or None, line=_line_of(page), territory=page.territory)
        if not page.captures or voice.taps:
            return
        yield _line(voice, "course.after")
    yield Picture(event.game)
    if event.color:
        yield _line(voice, "lesson.side", color=voice.name(event.color), sign=SIGNS[event.color])


def _line_of(page: Page) -> Line | None:
    """Return the moves of a page; None if it has none."""
    moves = page.game.moves
    if not moves:
        return None
    return Line(game=page.start, color=int(moves[0].color), moves=tuple(page.game.vertex(move.point) for move in moves))


def _input_wanted(event: ev.InputWanted, voice: Voice) -> Iterator[Part]:
    is_play = event.wanted.want is Want.PLAY
    yield _line(voice, "lesson.type", example=event.wanted.sample) if is_play else Sentence(wanted(event.wanted, voice))


def _judged(event: ev.Judged, voice: Voice) -> Iterator[Part]:
    if event.task.want is not Want.PLAY:
        yield _line(voice, "course.right", Tone.RIGHT) if event.right else _line(voice, "course.wrong", Tone.WRONG)
    elif event.right is None:
        yield _line(voice, "lesson.not_at_once", move=event.answer)
    elif not event.right:
        line = words.plays(event.color, event.line, event.game.width, voice)
        end = _ending(event, voice)
        yield _line(voice, "lesson.wrong" if end else "lesson.wrong.open", Tone.WRONG, line=line, end=end)
        moves = tuple(map(event.game.vertex, event.line))
        yield from _numbered(Line(game=event.game, color=event.color, moves=moves), voice)
        yield _line(voice, "lesson.taken_back")
    elif event.solved:
        yield _line(voice, "lesson.solved", Tone.RIGHT, end=_ending(event, voice))
        yield Picture(event.game)
    else:
        loser, reply = voice.name(opponent(event.color)), event.game.vertex(event.line[1])
        yield _line(voice, "lesson.right", Tone.RIGHT, loser=loser, reply=reply)


def _ending(event: ev.Judged, voice: Voice) -> str:
    """Return a sentence about the end of a line: in the course the comment of the file, else one of `words`."""
    problem, moves = content(event.task, voice.language), (*event.before, *event.line)
    assert isinstance(problem, Problem)
    if event.task.lesson:
        return next((line.comment for line in problem.variations if line.moves == moves), "")
    return words.end(problem.start, moves, voice, refuted=len(moves) % 2 == 0)


def _clue_given(event: ev.ClueGiven, voice: Voice) -> Iterator[Part]:
    yield Sentence(words.clue(event.clue, event.start, voice))


def _solution_shown(event: ev.SolutionShown, voice: Voice) -> Iterator[Part]:
    line, game = event.line, event.line.game
    plays = words.plays(line.color, map(game.point, line.moves), game.width, voice)
    yield _line(voice, "lesson.solution", Tone.STRONG, line=plays)
    yield from _numbered(line, voice)


def _answer_shown(event: ev.AnswerShown, voice: Voice) -> Iterator[Part]:
    quiz = content(event.task, voice.language)
    assert isinstance(quiz, Quiz)
    yield Picture(event.game, quiz.numbers)
    yield Sentence(words.answer(quiz.count, map(event.game.vertex, quiz.points), voice))


def _next_offered(event: ev.NextOffered, voice: Voice) -> Iterator[Part]:
    yield _line(voice, "course.go_on" if event.lesson else "lesson.another")


def _lesson_began(event: ev.LessonBegan, voice: Voice) -> Iterator[Part]:
    """Say the title; not on a page, where it stands on the button that begins the lesson."""
    title = lessons.title(event.lesson, voice.language)
    if not voice.taps:
        yield _line(voice, "course.title", Tone.STRONG, number=event.lesson, title=title)


def _lesson_done(event: ev.LessonDone, voice: Voice) -> Iterator[Part]:
    yield _line(voice, "course.done", Tone.RIGHT, number=event.lesson)


def _goal_set(event: ev.GoalSet, voice: Voice) -> Iterator[Part]:
    yield Sentence(lessons.lesson(event.lesson, voice.language).goal.text)


def _lesson_won(event: ev.LessonWon, voice: Voice) -> Iterator[Part]:
    yield _line(voice, "course.won", Tone.RIGHT, number=event.lesson)


def _contents_offered(event: ev.ContentsOffered, voice: Voice) -> Iterator[Part]:
    yield _line(voice, "course.lessons")


def _contents_listed(event: ev.ContentsListed, voice: Voice) -> Iterator[Part]:
    for number in lessons.numbers():
        key = "course.lesson" + ".done" * (number in event.done) + ".won" * (number in event.won)
        yield _line(voice, key, number=number, title=lessons.title(number, voice.language))
    yield _line(voice, "course.list")


# --- Refusals and questions ---


def _refused(event: ev.Refused, voice: Voice) -> Iterator[Part]:
    facts = event.fields.items()
    fields = {name: wanted(fact, voice) if isinstance(fact, Wanted) else fact for name, fact in facts}
    if "text" in fields:
        fields["text"] = voice.text("quotation", text=fields["text"])
    if typed := fields.get("words"):
        fields["words"] = [_typed(name, voice) for name in typed]
    more = _levels(voice) if event.reason is Refusal.LEVEL_UNKNOWN else {}
    yield Sentence(voice.text(event.reason, **fields, **more))


def _asked(event: ev.Asked, voice: Voice) -> Iterator[Part]:
    fields = {name: voice.person(fact) if name == "winner" else fact for name, fact in event.fields.items()}
    yield _line(voice, event.question, Tone.STRONG, **fields)


def _unclear(event: ev.Unclear, voice: Voice) -> Iterator[Part]:
    yield Sentence(wanted(event.wanted, voice))


# --- What one sentence says ---

_TONES: Final = {Notice.STAR_EARNED: Tone.RIGHT, Notice.UNDO_DECLINED: Tone.STRONG}


def _noted(event: ev.Noted, voice: Voice) -> Iterator[Part]:
    yield _line(voice, event.notice, _TONES.get(event.notice, Tone.PLAIN), **event.fields)


# --- Games ---


def _game_began(event: ev.GameBegan, voice: Voice) -> Iterator[Part]:
    level = "" if voice.between_people else _level(event.level, voice)
    yield from _lines(words.greeting(event.game, level, voice, SIGNS, event.sample))
    if event.adapts:
        yield _line(voice, "play.adapt", level=event.level)
    if event.stones:
        yield _line(voice, "play.handicap", stones=event.stones)


def _level(level: int, voice: Voice) -> str:
    return voice.text("play.level", number=level, name=words.level_name(level, voice))


def _played(event: ev.Played, voice: Voice) -> Iterator[Part]:
    if event.color not in voice.people:
        key = {"pass": "play.move.pass", "resign": "play.move.resign"}.get(event.move, "play.move")
        yield _line(voice, key, move=event.move)
    if event.captured:
        places = voice.listed(event.captured)
        yield _line(voice, "play.taken", owner=voice.person(event.owner), count=len(event.captured), places=places)


def _standing(event: ev.Standing, voice: Voice) -> Iterator[Part]:
    game = event.game
    yield Picture(game, marked=True)
    if (last := game.last_move) is not None:
        yield Sentence(words.last_move(game, last, voice))
    yield Sentence(words.prisoner_line(game, voice))
    if game.outcome is None:
        yield from _lines(words.atari_lines(game, voice), Tone.STRONG)
        yield Sentence(words.turn_line(int(game.to_move), voice, SIGNS))


def _ended(event: ev.Ended, voice: Voice) -> Iterator[Part]:
    game = event.game
    yield from _lines(words.count_lines(game, voice))
    if game.outcome is not None:
        yield Sentence(words.result_line(game, game.outcome, voice), Tone.STRONG)
    ends = {name: f"{'course' if name == 'lessons' else 'play'}.command.{name}.end" for name in event.offered}
    purposes = {voice.typed(name): voice.text(key) for name, key in ends.items()}
    offers = [voice.text("play.offer", command=command, purpose=purpose) for command, purpose in purposes.items()]
    yield _line(voice, "play.offers", commands=offers)


def _warned(event: ev.Warned, voice: Voice) -> Iterator[Part]:
    yield _line(voice, "warning", Tone.STRONG, move=event.move)
    yield Sentence(words.warning(event.punishment, voice))
    yield from _told(event.line, voice)


def _level_changed(event: ev.LevelChanged, voice: Voice) -> Iterator[Part]:
    yield _line(voice, "play.level.now", number=event.level, name=words.level_name(event.level, voice))


def _levels_listed(event: ev.LevelsListed, voice: Voice) -> Iterator[Part]:
    yield _line(voice, "play.level.types", **_levels(voice))


def _levels(voice: Voice) -> dict[str, Any]:
    names = [(number, words.level_name(number, voice)) for number in range(1, levels.FULL + 1)]
    return {
        "easy": [voice.text("level.numbered", number=voice.typed(word), name=n) for word, n in levels.WORDS.items()],
        "names": voice.listed([voice.text("level.numbered", number=number, name=name) for number, name in names]),
    }


def _sides_changed(event: ev.SidesChanged, voice: Voice) -> Iterator[Part]:
    yield _line(voice, "play.custom.less" if event.less else "play.custom.loser", owner=voice.person(BLACK))
    if not voice.between_people:
        yield Sentence(words.sides_line(voice, SIGNS))
    if event.stones:
        yield _line(voice, "play.handicap", stones=event.stones)


def _move_taken_back(event: ev.MoveTakenBack, voice: Voice) -> Iterator[Part]:
    """Say it on a page; in a terminal the person has typed it."""
    if voice.taps:
        form = voice.person(event.color).form if event.name else "you"
        yield _line(voice, "class.undo.done", name=Person(form, event.name))


def _turns_left(event: ev.TurnsLeft, voice: Voice) -> Iterator[Part]:
    """Say it on a page to the child that has Black."""
    if voice.taps and voice.own in (0, BLACK):
        yield _line(voice, "class.turns_left", count=event.count)


def _rules_explained(event: ev.RulesExplained, voice: Voice) -> Iterator[Part]:
    game = event.game
    yield _line(voice, "rules.game", Tone.STRONG, rules=words.rules_name(str(game.rules), voice), size=game.size)
    yield Sentence(words.game_goal(game.rules, voice))
    yield from _lines(words.rules_lines(game, event.stones, voice))


def _hinted(event: ev.Hinted, voice: Voice) -> Iterator[Part]:
    yield Sentence(words.hint(event.hint, voice))
    if event.line is not None:
        yield _line(voice, "explain.numbers")
        yield from _told(event.line, voice)


def _explained(event: ev.Explained, voice: Voice) -> Iterator[Part]:
    yield Sentence(words.statement(event.explanation, voice))
    if event.line is not None:
        yield Sentence(words.numbers(event.explanation, event.reply, voice))
        yield from _told(event.line, voice)
    yield Sentence(words.context(event.explanation, voice))


def _review_began(event: ev.ReviewBegan, voice: Voice) -> Iterator[Part]:
    yield _line(voice, "play.review", seconds=event.seconds)


def _reviewed(event: ev.Reviewed, voice: Voice) -> Iterator[Part]:
    """Say all remarks; on a page the one moment that matters to the reader, with its board."""
    review = event.review
    if not voice.taps:
        yield from _lines(words.review_lines(review, voice))
        return
    loser = BLACK if review.outcome is None or review.outcome.winner is None else int(review.outcome.winner.opponent)
    seen = moment(review, voice.own or (loser if voice.between_people else min(voice.people)))
    yield Sentence(words.looked_at(seen, voice), Tone.STRONG)
    if seen is not None:
        line = Line(game=seen.game, color=int(seen.color), moves=(seen.move,))
        yield from _numbered(line, voice, marked=True)


# --- Help ---


def _help_listed(event: ev.HelpListed, voice: Voice) -> Iterator[Part]:
    yield _line(voice, _WANTED[event.wanted.want][1], example=event.wanted.sample)
    yield WordList(tuple((_usage(command, voice), voice.text(_key(command))) for command in event.commands))
    yield _line(voice, "term.words", words=voice.listed([_typed(name, voice) for name in TERMS]))


def _command_explained(event: ev.CommandExplained, voice: Voice) -> Iterator[Part]:
    key = _key(event.command)
    fields: dict[str, Any] = {"usage": _usage(event.command, voice), "summary": voice.text(key)}
    if f"{key}.more" in table():
        yield _line(voice, "play.help.more", **fields, more=voice.text(f"{key}.more"))
    else:
        yield _line(voice, "play.help.command", **fields)


def _usage(command: ev.CommandHelp, voice: Voice) -> str:
    """Return a command as a person types it, with what may follow: undo [N]."""
    name = command.usage.strip("[]")
    given = command.usage.replace(name, voice.text(f"usage.{name}")) if name else ""
    return f"{voice.typed(command.name)} {given}".strip()


def _typed(name: str, voice: Voice) -> str:
    """Return the word that a person types for a command, or for a term that help explains."""
    return voice.text(f"term.{name}.word").split()[0] if name in TERMS else voice.typed(name)


def _key(command: ev.CommandHelp) -> str:
    return f"{command.group}.command.{command.name}"


def _term_explained(event: ev.TermExplained, voice: Voice) -> Iterator[Part]:
    term = TERMS[event.term]
    yield Sentence(words.term(event.term, event.rules, voice))
    yield Picture(term.game(), term.numbers(), marked=event.term == "atari")


# --- Parts ---


def _line(voice: Voice, key: str, tone: Tone = Tone.PLAIN, **fields: Any) -> Sentence:
    """Return a sentence of the table."""
    return Sentence(voice.text(key, **fields), tone)


def _lines(texts: Iterable[str], tone: Tone = Tone.PLAIN) -> Iterator[Part]:
    return (Sentence(line, tone) for line in texts)


def _numbered(line: Line, voice: Voice, *, marked: bool = False) -> Iterator[Part]:
    """Show a board with numbered moves; moves on points that have a number already are said."""
    points = [line.game.point(move) for move in line.moves]
    yield Picture(line.game, numbered(line.color, points), marked, line)
    yield Sentence(words.again(points, voice))


def _told(line: Line, voice: Voice) -> Iterator[Part]:
    """Show a board with numbered moves of a game, and say the moves."""
    yield from _numbered(line, voice, marked=True)
    yield Sentence(words.line_of_moves(line.color, line.moves, voice))
    if line.goes_on:
        yield _line(voice, "explain.numbers.first")


def _profile_failed(event: ev.ProfileFailed, voice: Voice) -> Iterator[Part]:
    yield Sentence(words.sentence(event.reason))


_MAKERS: Final[Mapping[type[Event], Callable[[Any, Voice], Iterator[Part]]]] = {
    ev.Refused: _refused,
    ev.Asked: _asked,
    ev.Unclear: _unclear,
    ev.Noted: _noted,
    ev.GameBegan: _game_began,
    ev.Played: _played,
    ev.Standing: _standing,
    ev.Ended: _ended,
    ev.Warned: _warned,
    ev.LevelChanged: _level_changed,
    ev.LevelsListed: _levels_listed,
    ev.SidesChanged: _sides_changed,
    ev.RulesExplained: _rules_explained,
    ev.Hinted: _hinted,
    ev.Explained: _explained,
    ev.ReviewBegan: _review_began,
    ev.Reviewed: _reviewed,
    ev.ProfileFailed: _profile_failed,
    ev.LessonBegan: _lesson_began,
    ev.TaskSet: _task_set,
    ev.TaskShown: _task_shown,
    ev.InputWanted: _input_wanted,
    ev.Judged: _judged,
    ev.ClueGiven: _clue_given,
    ev.SolutionShown: _solution_shown,
    ev.AnswerShown: _answer_shown,
    ev.NextOffered: _next_offered,
    ev.LessonDone: _lesson_done,
    ev.GoalSet: _goal_set,
    ev.LessonWon: _lesson_won,
    ev.ContentsOffered: _contents_offered,
    ev.ContentsListed: _contents_listed,
    ev.HelpListed: _help_listed,
    ev.CommandExplained: _command_explained,
    ev.TermExplained: _term_explained,
    ev.MoveTakenBack: _move_taken_back,
    ev.TurnsLeft: _turns_left,
}
