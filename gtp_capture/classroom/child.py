"""The actions of a child: what is offered is accepted, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from ..go.vertex import parse_vertex
from ..teach.event import Refusal, RefusedError
from ..teach.sentences import languages
from ..tutor.lesson import LessonSession
from ..tutor.reading import Answer, Command, Continue, Input, Number, Play
from .activity import Activity
from .desk import Desk
from .offers import HELP
from .room import Classroom
from .seat import Seat

NEW: Final = 10
"""See `cost`."""


def act(room: Classroom, seat: Seat, action: Mapping[str, Any], seen: int, name: str) -> None:
    """Do an action, once for each name; nothing if the board has changed since the view that was `seen`.

    RefusedError: it is not possible now. ValueError: there is no such action.
    """
    if seat.is_repeated(name):
        return
    if room.has_ended:
        raise RefusedError(Refusal.ENDED)
    if len(action) != 1:
        raise ValueError(action)
    ((kind, value),) = action.items()
    question = room.question if seat is not room.teacher and kind == "point" else None
    if room.is_stopped and seat is not room.teacher and kind != "hand" and question is None:
        raise RefusedError(Refusal.PAUSED)
    if question is not None and seen < question.asked:
        return
    was_free = seat.is_free
    if question is not None:
        question.answer(seat.number, value)
    elif not _perform(room, seat, kind, value, seen):
        return
    seat.since, seat.waits = room.now, False
    if kind != "hand":
        seat.declined = seat.left = ""
    seat.remember(name)
    room.mark_changed(seat)
    if seat.is_free != was_free:
        room.mark_choosing_changed()


def _perform(room: Classroom, seat: Seat, kind: str, value: Any, seen: int) -> bool:
    """Do an action; return whether it was done, and not meant for a board that has changed since."""
    if kind == "hand":
        seat.hand = value is True
    elif seat.claims is not None and kind != "language":
        _answer_claim(room, seat, kind, value)
    elif kind == "home":
        _go_home(room, seat)
    elif kind == "choose":
        choose(room, seat, str(value))
    elif kind == "language":
        if not seat.at_home or value not in languages():
            raise RefusedError(Refusal.NOT_NOW)
        room.set_language(seat, value)
    elif (desk := seat.open_desk) is None:
        _answer_asker(room, seat, kind, value)
    elif seen < desk.moved or (kind == "answer" and seen < desk.wished):
        return False
    else:
        _give(room, seat, desk, kind, value)
    return True


def _answer_claim(room: Classroom, seat: Seat, kind: str, value: Any) -> None:
    """Answer whether the seat with the same name is the child's own; at last the teacher says so."""
    if (kind, value) == ("answer", True):
        seat.is_sure = True
        room.mark_class_changed()
    elif kind == "home" or (kind, value) == ("answer", False):
        room.keep_new(seat)
        room.mark_class_changed()
    else:
        raise RefusedError(Refusal.NOT_NOW)


def cost(action: Mapping[str, Any]) -> float:
    """Return the number of usual actions that an action counts for: a new session costs most."""
    return NEW if "choose" in action or str(action.get("word")).startswith("new") else 1


def _answer_asker(room: Classroom, seat: Seat, kind: str, value: Any) -> None:
    """Answer the child that has asked this one to play with it."""
    asker = room.asker(seat)
    if asker is None or kind != "answer" or not isinstance(value, bool):
        raise RefusedError(Refusal.NOT_NOW)
    if value:
        room.sit_pair(asker, seat)
    else:
        room.decline(asker, seat)


def _give(room: Classroom, seat: Seat, desk: Desk, kind: str, value: Any) -> None:
    """Give an input to the session of a desk, if the view offers it."""
    if desk.work is not None:
        raise RefusedError(Refusal.BUSY)
    if desk.wish is not None and kind == "answer":
        if seat.number == desk.wish or not isinstance(value, bool):
            raise RefusedError(Refusal.NOT_NOW)
        room.answer_wish(desk, agrees=value)
        return
    given = _input(room, seat, desk, kind, value)
    if seat.at_last and given in (Continue(), Command("next")) and isinstance(desk.session, LessonSession):
        if not seat.at_end:
            desk.session.leave_task()
            room.leave(seat)
        _go_home(room, seat)
        return
    if desk.is_pair and given == Command("undo"):
        desk.wish, desk.wished = seat.number, room.count + 1
        room.mark_desk_changed(seat)
        return
    recipients = (seat.number,) if isinstance(given, Command) and given.name in HELP else desk.seats
    room.apply_reply(desk, desk.handle_input(given, recipients))


def _input(room: Classroom, seat: Seat, desk: Desk, kind: str, value: Any) -> Input:
    now = desk.situation(seat.name)
    if kind == "point" and isinstance(value, str):
        if not now.takes_point or not room.is_turn(seat, desk):
            raise RefusedError(Refusal.NOT_YOUR_TURN if desk.is_pair and not now.finished else Refusal.NOT_NOW)
        return Play(parse_vertex(value, *desk.session.game.size))
    if kind == "number" and type(value) is int:
        if not now.takes_number:
            raise RefusedError(Refusal.NOT_NOW)
        return Number(value)
    if kind == "answer" and isinstance(value, bool):
        if now.question is None or (not room.is_turn(seat, desk) and not now.finished):
            raise RefusedError(Refusal.NOT_NOW)
        return Answer(value)
    if kind in ("word", "continue"):
        refusals = (button.refusal for button in room.buttons(seat) if button.do == {kind: value})
        if (refusal := next(refusals, Refusal.NOT_NOW)) is not None:
            raise RefusedError(refusal)
        return Continue() if kind == "continue" else Command(*str(value).split(" ", 1))
    raise ValueError(kind)


def choose(room: Classroom, seat: Seat, key: str) -> None:
    """Follow a choice at home."""
    if not seat.at_home or key not in [choice.key for choice in room.choices(seat)]:
        raise RefusedError(Refusal.NOT_NOW)
    seat.asks = None
    if key == "continue" and seat.desk is not None:
        seat.at_home = False
        room.decline_all(seat)
        room.mark_desk_changed(seat)
        return
    kind, _, rest = key.partition("-")
    if kind == "leave":
        seat.has_left = True
        room.mark_class_changed()  # the form to come in is newer than the view before it
    elif kind == "lesson":
        room.start(seat, Activity("lesson", lesson=int(rest), page=seat.progress.place(int(rest)) + 1))
    elif kind == "problems":
        room.start(seat, Activity("problems"))
    elif kind == "with":
        seat.asks = int(rest)
        room.mark_changed(room.seat(seat.asks))
    elif kind == "board":
        room.sit(Desk(room.sessions.own_board(room.game, seat), (seat.number,)))
    elif kind == "play":
        room.start(seat, room.game)
    else:
        activity = seat.activity
        skipped = (seat.open_problem or 0) if activity.last and activity.is_at_problems else 0
        room.start(seat, replace(activity, page=activity.page + skipped))


def _go_home(room: Classroom, seat: Seat) -> None:
    if seat.asks is not None:
        room.mark_changed(room.seat(seat.asks))
    seat.at_home, seat.asks = True, None
    room.mark_desk_changed(seat)
    desk = seat.desk
    if desk is not None and not desk.is_pair and desk.work is not None and not desk.session.is_ready:
        room.leave(seat)
