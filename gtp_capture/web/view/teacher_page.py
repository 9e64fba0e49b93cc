"""The view of the teacher."""

from __future__ import annotations

import functools
from typing import Final

from ...classroom.activity import ADAPT, GAMES, Activity
from ...classroom.desk import Desk
from ...classroom.plan import PlanStep, of_course
from ...classroom.question import can_ask
from ...classroom.room import Classroom
from ...classroom.seat import Seat
from ...players import levels
from ...teach import drawn, words
from ...teach.course import lessons
from ...teach.event import Judged
from ...teach.puzzles.theme import THEMES
from ...teach.words import Voice, page_voice
from .child_page import child
from .parts import (
    BRIEF,
    aim_of,
    all_languages,
    answered_so_far,
    as_said,
    as_sentences,
    board_of,
    doing_of,
    of_class,
    parts_for,
    pictures_of,
    problem_words,
    voice_at,
)
from .shapes import (
    Activities,
    ClaimView,
    Door,
    Label,
    LargeView,
    PlanStepView,
    PlanView,
    Said,
    SeatView,
    StatusView,
    TeacherView,
)

SIZES: Final = (5, 6, 7, 8, 9, 11, 13)
MOST_MOVES: Final = 6
"""The number of last moves that the teacher sees."""


def prepare(room: Classroom) -> None:
    """Read the lessons in the language of a class, so that no child waits for them."""
    _fixed_activities(page_voice(room.language))


def teacher(room: Classroom, door: Door) -> TeacherView:
    """Return the view of the teacher."""
    voice = page_voice(room.language)
    return {
        "n": room.count,
        "language": room.language,
        "languages": all_languages(),
        "class": of_class(room, door),
        "activities": _activities(room),
        "set": _set_for_all(room),
        "status": status(room),
        "plan": _plan(room, voice),
        "seats": [of_seat(room, seat) for seat in room.seats.values()],
        "names": {"list": [*room.names], "free": room.free_names},
        "claims": _claims(room),
        "tries": tries(room),
        "demo": child(room, room.teacher),
    }


def _claims(room: Classroom) -> list[ClaimView]:
    """Return a question for each new seat whose child may have another seat already: is it the same child?"""
    voice, seats = page_voice(room.language), room.seats
    asking = [(seat, seats[seat.claims].name) for seat in seats.values() if seat.is_sure and seat.claims in seats]
    return [{"seat": seat.number, "text": voice.text("class.claim.teacher", name=name)} for seat, name in asking]


def tries(room: Classroom) -> str:
    """Return how often a wrong word was given, for the teacher; "" for never."""
    count = room.wrong_words
    return page_voice(room.language).text("class.tries", count=count) if count else ""


def of_seat(room: Classroom, seat: Seat) -> SeatView:
    """Return a seat as the teacher sees it among all others."""
    voice, now = page_voice(room.language), None if seat.desk is None else seat.desk.situation(seat.name)
    if room.question is not None:
        point = room.question.answers.get(seat.number)
        doing = voice.text("class.brief.no_answer" if point is None else "class.brief.answer", point=point)
    elif seat.open_desk is not None:
        doing = doing_of(room, seat, seat.open_desk, voice, BRIEF)
    else:
        doing = voice.text("class.choice.done" if seat.at_end else "class.at_home")
    return {
        "seat": seat.number,
        "name": seat.name,
        "svg": "" if now is None or now.game is None else drawn.small(now.game),
        "doing": doing,
        "help": voice.text(f"class.help.{seat.mark}") if room.needs_help(seat) else "",
        "here": seat.here,
        "beside": not room.follows(seat),
    }


def large(room: Classroom, seat: Seat) -> LargeView:
    """Return a seat as the teacher sees it alone."""
    voice, desk = page_voice(room.language), seat.open_desk
    level, answers = str(seat.progress.level), [_answered(given, voice) for given in seat.answers]
    view: LargeView = {
        "seat": seat.number,
        "name": seat.name,
        "title": voice.text("class.at_home"),
        "task": "",
        "level": level,
        "said": [],
        "board": None,
        "can_ask": can_ask(seat.desk),
        "answers": answers,
    }
    if desk is None:
        return view
    voice, now, setup = voice_at(desk, voice.language), desk.situation(seat.name), desk.session.setup
    task, parts = aim_of(now, voice), parts_for(seat, desk, voice)
    return {
        **view,
        "title": doing_of(room, seat, desk, voice),
        "task": task,
        "level": level if setup is None or desk.is_pair else str(setup.level),
        "said": as_sentences(parts, task),
        "board": board_of(seat, desk, pictures_of(parts), voice, live=True),
        "answers": answers if setup is None else _last_moves(desk, voice),
    }


def _answered(given: Judged, voice: Voice) -> Said:
    """Return an answer to a problem."""
    place = problem_words(given.task.name, voice)
    key, tone = {True: ("right", "right"), False: ("wrong", "wrong"), None: ("open", "plain")}[given.right]
    return as_said(voice.text(f"class.answer.{key}", place=place, answer=given.answer), tone)


def _last_moves(desk: Desk, voice: Voice) -> list[Said]:
    """Return the last moves of a game, the newest first."""
    text, game = voice.text, desk.session.game
    return [
        as_said(text("class.answer.move", number=n, owner=voice.name(int(move.color)), move=game.vertex(move.point)))
        for n, move in [*enumerate(game.moves, 1)][: -MOST_MOVES - 1 : -1]
    ]


def status(room: Classroom) -> StatusView:
    """Return what all children do."""
    voice, count, plan = page_voice(room.language), sum(map(room.needs_help, room.seats.values())), room.plan
    step, following, number = plan.step, plan.following, (plan.at or 0) + 1
    place = {"number": number, "all": len(plan.steps)}
    return {
        "now": _now(room, voice),
        "help": voice.text("class.need_help", count=count) if count else "",
        "step": "" if step is None else voice.text("class.plan.step", **place, count=step.minutes),
        "next": "" if following is None else plan_step(following, voice),
    }


def _plan(room: Classroom, voice: Voice) -> PlanView:
    """Return the plan, with its place among the plans of the course."""
    own = [(step.kind, step.activity) for step in room.plan.steps]
    course = [plan for number in lessons.numbers() for plan in of_course(number)] if own else [()]
    like = [sum((step.kind, step.activity) in own for step in plan) for plan in course]
    return {
        "steps": [_step_view(step, voice) for step in room.plan.steps],
        "at": room.plan.at,
        "course": like.index(max(like)),
    }


def _step_view(step: PlanStep, voice: Voice) -> PlanStepView:
    return {"do": step.state(), "text": plan_step(step, voice), "minutes": step.minutes, "mine": step.on_board}


def plan_step(step: PlanStep, voice: Voice) -> str:
    """Return a step of a plan as a label."""
    what = _activity(step.activity, voice)
    if step.kind == "closing":
        return voice.text("class.page.closing")
    return what if step.kind == "set" else voice.text(f"class.step.{step.kind}", what=what)


def lesson_title(number: int, voice: Voice) -> str:
    """Return the title of a lesson with its number."""
    return voice.text("course.title", number=number, title=lessons.title(number, voice.language))


def plan_title(number: int, part: int, voice: Voice) -> str:
    """Return the title of a plan of the course."""
    title = lesson_title(number, voice)
    parts = len(lessons.lesson(number).plans)
    return title if parts == 1 else voice.text("class.plan.part", title=title, part=part, parts=parts)


def _now(room: Classroom, voice: Voice) -> str:
    """Return what is set for all, and how many do it; or how many have answered a question."""
    if room.question is not None:
        return voice.text("class.now", what=answered_so_far(room.question, room, voice))
    if room.is_stopped or room.shown:
        return voice.text("class.now", what=_for_all(room, voice))
    what = voice.text("class.now", what=_activity(room.activity, voice))
    if room.activity.kind == "free" or not room.here:
        return what
    count = sum(map(room.follows, room.here))
    return voice.text("class.now.count", now=what, count=count, all=len(room.here))


def _for_all(room: Classroom, voice: Voice) -> str:
    """Return what all look at while the boards stop, or a board of a child is shown."""
    desk = room.teacher.desk
    if room.is_closing:
        return voice.text("class.page.closing")
    if room.shown:
        return voice.text("class.step.explain", what=room.seats[room.shown].name)
    if room.shown is None or desk is None:
        return voice.text("class.page.pause")
    return voice.text("class.step.explain", what=doing_of(room, room.teacher, desk, voice, BRIEF))


def _activity(activity: Activity, voice: Voice) -> str:
    """Return what is set, as a label."""
    text, kind = voice.text, activity.kind
    if kind == "lesson":
        fields = {"lesson": activity.lesson, "number": activity.first, "first": activity.first, "last": activity.last}
        if activity.last > activity.first:
            return text(f"class.step.{'problems' if activity.is_at_problems else 'pages'}", **fields)
        return text(f"class.brief.{'exercise' if activity.is_at_problems else 'page'}", **fields)
    if kind == "problems":
        theme = text(f"theme.{activity.theme}" if activity.theme else "class.theme.all")
        return text("class.set.problems", theme=theme)
    if kind == "free":
        return text("class.page.free")
    rules = words.rules_name(activity.rules, voice)
    level = activity.level
    named = text("class.level.adapt") if level == ADAPT else _level(levels.level(level), voice)
    size = activity.size, activity.size
    return text(f"class.set.{kind}", size=size, rules=rules, level=named)


def _level(number: int, voice: Voice) -> str:
    return voice.text("class.level", number=number, name=words.level_name(number, voice))


def _set_for_all(room: Classroom) -> dict[str, int | str]:
    """Return what the forms of the teacher begin with."""
    activity, game = room.activity, room.game
    view: dict[str, int | str] = {
        "kind": activity.kind,
        "rules": game.rules,
        "size": str(game.size),
        "level": game.level,
    }
    if activity.kind == "lesson":
        return {**view, "lesson": activity.lesson, "page": activity.page}
    return {**view, "theme": activity.theme} if activity.kind == "problems" else view


def _activities(room: Classroom) -> Activities:
    """Return what the teacher may set."""
    voice = page_voice(room.language)
    fixed = _fixed_activities(voice)
    rules, sizes, game = fixed["rules"], fixed["sizes"], room.game
    if game.rules not in GAMES:
        rules = [{"key": game.rules, "label": words.rules_name(game.rules, voice)}, *rules]
    if game.size not in SIZES:
        sizes = [str(size) for size in sorted({*SIZES, game.size})]
    return {**fixed, "themes": themes(room, voice), "rules": rules, "sizes": sizes}


def themes(room: Classroom, voice: Voice) -> list[Label]:
    """Return the themes of the problems of a class; "" stands for all."""
    there = {problem.theme for problem in room.sessions.problems("").values()}
    every: Label = {"key": "", "label": voice.text("class.theme.all")}
    named: list[Label] = [{"key": theme, "label": voice.text(f"theme.{theme}")} for theme in THEMES if theme in there]
    return [every, *named]


@functools.cache
def _fixed_activities(voice: Voice) -> Activities:
    """Return what the teacher may set, without themes: these are of the problems of a class."""
    names: list[Label] = [{"key": str(n), "label": _level(n, voice)} for n in range(1, levels.FULL + 1)]
    adapt: Label = {"key": ADAPT, "label": voice.text("class.level.adapt")}
    course = [lessons.lesson(number, voice.language) for number in lessons.numbers()]
    return {
        "lessons": [
            {"number": lesson.number, "title": lesson.title, "pages": len(lesson.pages), "problems": len(lesson.names)}
            for lesson in course
        ],
        "themes": [],
        "rules": [{"key": name, "label": words.rules_name(name, voice)} for name in GAMES],
        "sizes": [str(size) for size in SIZES],
        "levels": [adapt, *names],
        "plans": [
            {"course": [lesson.number, part], "label": plan_title(lesson.number, part, voice)}
            for lesson in course
            for part in range(1, len(lesson.plans) + 1)
        ],
    }
