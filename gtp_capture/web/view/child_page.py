"""The view of a child."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...classroom.desk import Desk
from ...classroom.offers import Button, Choice
from ...classroom.question import Question
from ...classroom.room import Classroom
from ...classroom.seat import Progress, Seat
from ...teach import drawn, say
from ...teach.course import lessons
from ...teach.event import Ended, LessonDone, LessonWon, Refusal
from ...teach.event import Question as Asking
from ...teach.words import Voice, page_voice
from ...tutor.game import CHANGED, SAME, GameSession
from ...tutor.lesson import task_at
from .parts import (
    aim_of,
    all_languages,
    as_said,
    as_sentences,
    board_as_sentences,
    board_of,
    closing_line,
    parts_for,
    pictures_of,
    place_of,
    question_scene,
    replay_of,
    shown_to_all,
    title_of,
    voice_at,
)
from .shapes import AnswerView, ButtonView, ChildView, ChoiceView, QuestionView, Said, StepView, Turn

MOST_NUMBER: Final = 12
"""The highest number that can be tapped."""
COSTLY: Final = (Asking.LOSING_PASS, Asking.END_GAME)
"""Questions whose Yes costs a game."""
ICONS: Final = {f"new {SAME}": "new", f"new {CHANGED}": "play"}
"""The icon of each button that has another name than its icon."""


def stranger(room: Classroom, language: str) -> ChildView:
    """Return the view of a device without a seat."""
    voice, closed = page_voice(language), room.has_ended or not room.is_open
    key = "class.closed" if closed else "" if room.is_ready else "class.opens"
    return {
        **_empty(voice),
        "screen": "closed" if key else "join",
        "n": room.changed,
        "said": [as_said(voice.text(key))] if key else [],
        "languages": all_languages(),
        "by_list": bool(room.names),
    }


def child(room: Classroom, seat: Seat) -> ChildView:
    """Return the view of a child, or of the teacher's board."""
    voice, desk = page_voice(seat.language), seat.open_desk
    view: ChildView = {**_empty(voice), "name": seat.name, "n": seat.changed, "hand": seat.hand}
    if room.has_ended or not (room.is_ready or seat is room.teacher):
        said = [as_said(voice.text("class.ended" if room.has_ended else "class.opens"))]
        return {**view, "screen": "closed", "said": said}
    view = {**view, "stars": seat.progress.stars, "sound": room.allowed["sound"]}
    if room.is_closing and seat is not room.teacher:
        count = seat.progress.stars_today
        said = [as_said(voice.text("class.closing.stars", count=count), "strong")] if count else []
        return {**view, "screen": "waiting", "title": closing_line(room, voice), "said": said}
    if room.question is not None and (seat is not room.teacher or room.question.is_shown):
        return _asked(room.question, room, seat, view)
    if room.is_paused and seat is not room.teacher:
        return {**view, **shown_to_all(room, voice), "screen": "paused", "title": voice.text("class.paused")}
    return _home(room, seat, view, voice) if desk is None else _at_desk(room, seat, desk, view)


def _asked(question: Question, room: Classroom, seat: Seat, view: ChildView) -> ChildView:
    """Return the view of a child that answers a question to all, or of the teacher's board when all see the answers."""
    voice, own = page_voice(seat.language, question.situation.people), question.answers.get(seat.number, "")
    said = [as_said(voice.text("class.question.own", point=own))] if own else []
    turn: Turn = {"stone": drawn.STONES[question.situation.to_move], "text": voice.text("class.turn")}
    is_asked = question.is_move and not question.is_shown
    scene = question_scene(question, room, voice, said, own)
    return {**view, **scene, "screen": "question", "turn": turn if is_asked else None}


def _at_desk(room: Classroom, seat: Seat, desk: Desk, view: ChildView) -> ChildView:
    """Return the view of a child at its desk."""
    voice, now = voice_at(desk, seat.language, seat), desk.situation(seat.name)
    task, work = aim_of(now, voice), desk.work if seat.number in desk.recipients else None
    parts = parts_for(seat, desk, voice)
    pictures = pictures_of(parts)
    is_turn = room.is_turn(seat, desk) and desk.wish is None
    turn: Turn | None = None
    if is_turn and now.takes_point:
        own = desk.is_pair or len(now.people) == 1 or now.task is not None
        turn = {
            "stone": drawn.STONES[now.to_move],
            "text": voice.text("class.turn") if own else voice.label(now.to_move),
        }
    question: QuestionView | None = None
    if now.question is not None and not now.question.question.by_name and (is_turn or now.finished):
        question = {
            "text": say.text(now.question, voice),
            "answers": _answers(voice, costs=now.question.question in COSTLY),
        }
    if desk.wish not in (None, seat.number):
        asker = room.partner(seat, desk).name
        question = {"text": voice.text("class.undo.asked", name=asker), "answers": _answers(voice)}
    busy = "" if work is None else voice.text("class.thinking")
    offered = [b for b in room.buttons(seat) if now.task is None or b.refusal is not Refusal.NO_UNDO]
    buttons = [(button, _label(button, seat, desk, voice)) for button in offered]
    board = board_of(seat, desk, pictures, voice, live=turn is not None)
    return {
        **view,
        "screen": "session",
        "title": title_of(room, seat, desk, voice),
        "task": task,
        "turn": turn,
        "said": [*_marked(seat, voice), *as_sentences(parts, task), *board_as_sentences(room, now, voice)],
        "told": desk.told[seat.number],
        "board": board,
        "replay": replay_of(desk.told[seat.number], pictures, board, voice, None if seat.number else room.frame),
        "buttons": [
            {"do": b.do, "label": label, "icon": ICONS.get(b.name, b.name), "disabled": b.refusal is not None}
            for b, label in buttons
        ],
        "question": question,
        "number": {"most": MOST_NUMBER} if now.takes_number else None,
        "busy": busy,
        "won": desk.told[seat.number] if _has_won(seat, desk) else 0,
        "waits": _waits(room, seat, desk, voice),
    }


def _has_won(seat: Seat, desk: Desk) -> bool:
    """Whether the last event of a child is a game that it has won, or the end of a lesson."""
    own = desk.colors_of(seat.name)
    for event in desk.events[seat.number]:
        if isinstance(event, (LessonDone, LessonWon)):
            return True
        if isinstance(event, Ended) and len(own) == 1 and (outcome := event.game.outcome) is not None:
            return outcome.winner is not None and int(outcome.winner) in own
    return False


def _label(button: Button, seat: Seat, desk: Desk, voice: Voice) -> str:
    """Return the label of a button, in words for the child who taps it."""
    session = desk.session
    if button.name == f"new {SAME}":
        return voice.text("class.button.same")
    if button.name != f"new {CHANGED}" or not isinstance(session, GameSession) or session.next_setup is None:
        return voice.text(f"class.button.{button.name}")
    setup = session.next_setup
    name = setup.names[0] if desk.is_pair else ""
    takes = name == seat.name if desk.is_pair else setup.person_has_black
    key = "me" if takes else "other" if name else "computer"
    return voice.text(f"class.button.black.{key}" + ".stones" * (setup.turns > 0), name=name, count=setup.handicap)


def _marked(seat: Seat, voice: Voice) -> list[Said]:
    """Return what a child reads about the ring of the teacher."""
    return [as_said(voice.text("class.look_here", point=seat.ring), "strong")] if seat.ring else []


def _waits(room: Classroom, seat: Seat, desk: Desk, voice: Voice) -> str:
    """Return what a child waits for: the other one of its pair, or their move; "" for nothing."""
    if not desk.is_pair or desk.session.finished or desk.work is not None:
        return ""
    other = room.partner(seat, desk)
    if not other.here or other.at_home:
        return voice.text("class.off_board" if other.here else "class.away", name=other.name)
    if room.is_turn(seat, desk):
        return ""
    return voice.text("class.waits" if desk.wish is None else "class.undo.wait", name=other.name)


def _empty(voice: Voice) -> ChildView:
    """Return a view with nothing in it."""
    return {
        "screen": "",
        "n": 0,
        "language": voice.language,
        "name": "",
        "hand": False,
        "stars": 0,
        "sound": False,
        "won": 0,
        "title": "",
        "task": "",
        "turn": None,
        "said": [],
        "told": 0,
        "board": None,
        "replay": None,
        "buttons": [],
        "choices": [],
        "path": [],
        "question": None,
        "number": None,
        "busy": "",
        "waits": "",
        "languages": [],
        "by_list": False,
    }


def _home(room: Classroom, seat: Seat, view: ChildView, voice: Voice) -> ChildView:
    """Return what a child sees that chooses, that has asked another one to play, or that is asked who it is."""
    text = voice.text
    if seat.claims is not None:
        return _claim(room.seat(seat.claims).name, seat, view, voice)
    if seat.asks in room.seats:
        back = _home_button(voice)
        asked = room.seats[seat.asks]
        said = [] if asked.here else [as_said(text("class.away", name=asked.name))]
        title = text("class.waiting", name=asked.name)
        return {**view, "screen": "waiting", "title": title, "said": said, "buttons": [back]}
    asker = room.asker(seat)
    question: QuestionView | None = None
    choices = room.choices(seat)
    if asker is not None:
        question = {"text": text("class.asked", name=asker.name), "answers": _answers(voice)}
    return {
        **view,
        "screen": "home",
        "title": text("class.home" if seat.activity.kind == "free" or seat.at_end else "class.home.set"),
        "said": _told(seat, text),
        "choices": [_choice(choice, room, seat, voice) for choice in choices],
        "path": _path(seat.progress, choices, voice) if seat.number and seat.activity.kind == "free" else [],
        "question": question,
        "languages": [] if seat is room.teacher else all_languages(),
    }


def _told(seat: Seat, text: Callable[..., str]) -> list[Said]:
    """Return what a child at home is told about the children that it has asked or played with."""
    names = {"class.declined": seat.declined, "class.left": seat.left}
    return [as_said(text(key, name=name)) for key, name in names.items() if name]


def _claim(name: str, seat: Seat, view: ChildView, voice: Voice) -> ChildView:
    """Return what a child sees that is asked whether a seat is its own."""
    if seat.is_sure:
        title = voice.text("class.claim.wait", name=name)
        return {**view, "screen": "waiting", "title": title, "buttons": [_home_button(voice)]}
    question: QuestionView = {"text": voice.text("class.claim", name=name), "answers": _answers(voice)}
    return {**view, "screen": "home", "title": voice.text("class.page.title"), "question": question}


def _home_button(voice: Voice) -> ButtonView:
    return {"do": {"home": True}, "label": voice.text("class.button.home"), "icon": "home", "disabled": False}


def _answers(voice: Voice, *, costs: bool = False) -> list[AnswerView]:
    """Return the answers Yes and No; `costs`: whether Yes gives a game up or loses it."""

    def answer(key: str, *, yes: bool) -> AnswerView:
        return {"do": {"answer": yes}, "label": voice.text(key), "main": not (costs and yes)}

    return [answer("class.yes", yes=True), answer("class.no", yes=False)]


def _path(progress: Progress, choices: list[Choice], voice: Voice) -> list[StepView]:
    """Return the lessons as the steps of a path: done, the next one, or to come. A tap on one is the choice of it."""
    keys = {choice.lesson: choice.key for choice in choices if choice.lesson}

    def step(number: int) -> StepView:
        state = "done" if number in progress.done else "here" if number == progress.path else "later"
        label = voice.text(f"class.path.{state}", number=number)
        return {"do": {"choose": keys[number]}, "number": number, "state": state, "label": label}

    return [*map(step, lessons.numbers())]


def _choice(choice: Choice, room: Classroom, seat: Seat, voice: Voice) -> ChoiceView:
    """Return a choice with its label, and with a note about what is done, or about what goes on."""
    text, key = voice.text, choice.kind
    title = lessons.title(choice.lesson, voice.language) if choice.lesson else ""
    fields = {"level": choice.level, "number": choice.lesson, "title": title, "name": choice.name}
    note = ""
    task = None if seat.desk is None else seat.desk.session.current
    if choice.lesson and choice.is_main:
        lesson, place = lessons.lesson(choice.lesson), seat.progress.place(choice.lesson)
        shown = task if choice.key == "continue" and task is not None else task_at(lesson, place)
        note = place_of(shown, voice)
        key = "lesson.begin" if choice.key != "continue" and place == lesson.order[0] else "lesson.go_on"
    elif choice.kind == "continue" and seat.desk is not None:
        note = title_of(room, seat, seat.desk, voice)
    elif choice.count:
        note = text("class.choice.solved", count=choice.count)
    elif choice.done or choice.won:
        note = text(f"class.choice.{'done_won' if choice.done and choice.won else 'done' if choice.done else 'won'}")
    label = text(f"class.choice.{key}", **fields)
    return {"do": {"choose": choice.key}, "label": label, "note": note, "main": choice.is_main}
