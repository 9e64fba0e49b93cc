"""The actions of the teacher: activities, pairs, pause, what is allowed and shown, names, the language and the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ..teach.sentences import languages
from ..tutor.game import GameSession
from ..tutor.reply import Refused
from . import child
from .activity import Activity
from .room import BOARD, Classroom
from .seat import Seat, free_name, name_of


def teach(room: Classroom, action: Mapping[str, Any], name: str) -> None:
    """Do an action, once for each name. Refused: it is not possible. ValueError, TypeError, KeyError: there is none."""
    if room.teacher.is_repeated(name):
        return
    if len(action) != 1:
        raise ValueError(action)
    ((kind, value),) = action.items()
    if kind not in TEACHING:
        raise ValueError(kind)
    if room.has_ended and kind in BEGINNING:
        raise Refused("class.ended")
    TEACHING[kind](room, value)
    room.teacher.remember(name)


def _activity(room: Classroom, value: Mapping[str, Any]) -> None:
    chosen, activity = value["seats"], Activity.read({k: v for k, v in value.items() if k != "seats"})
    if chosen == "all":
        room.activity = activity
        if activity.kind == "game":
            room.game = activity
    for seat in _chosen(room, chosen):
        room.set_activity(seat, activity)
    room.touch_all()


def _pair(room: Classroom, value: Any) -> None:
    if isinstance(value, Mapping):
        here = [seat for seat in _chosen(room, value["seats"]) if seat.here]
        room.dice.shuffle(here)
        if value["by"] == "level":
            here.sort(key=lambda seat: seat.progress.level)
        elif value["by"] != "random":
            raise ValueError(value)
        pairs = [*zip(here[::2], here[1::2], strict=False)]
        if len(here) % 2:
            room.set_activity(here[-1], room.game)
    else:
        pairs = [(_child(room, first), _child(room, second)) for first, second in map(_numbers, value)]
        if len({seat.number for pair in pairs for seat in pair}) != 2 * len(pairs):
            raise Refused("class.pairs")
    for pair in pairs:
        for seat in pair:
            if seat.table is not None and seat.table.is_pair:
                room.dissolve(seat.table)
    for first, second in pairs:
        room.sit_pair(first, second)
    room.touch_all()


def _pause(room: Classroom, value: bool) -> None:
    room.is_paused = value is True
    for seat in room.seats.values():
        seat.since = room.now
    room.touch_all()


def _allow(room: Classroom, value: Mapping[str, bool]) -> None:
    if not {*value} <= {*room.allowed}:
        raise ValueError(value)
    room.allowed.update({name: allowed is True for name, allowed in value.items()})
    room.touch_all()


def _show(room: Classroom, value: int | str | None) -> None:
    room.shown = None if value is None else room.seat(BOARD if value == "board" else _numbers([value])[0]).number
    room.touch_all()


def _language(room: Classroom, value: str) -> None:
    if value not in languages():
        raise ValueError(value)
    room.language = value
    room.set_language(room.teacher, value)
    room.touch_all()


def _rename(room: Classroom, value: Sequence[Any]) -> None:
    number, name = value
    seat = _child(room, number)
    others = [other.name for other in room.seats.values() if other is not seat]
    before, seat.name = seat.name, free_name(name_of(str(name)), others)
    if seat.table is not None and seat.table.is_pair and isinstance(session := seat.table.session, GameSession):
        black, white = (seat.name if other == before else other for other in session.seats.names)
        session.seats = replace(session.seats, names=(black, white))
        seat.table.is_kept = False
    room.touch_table(seat)
    room.touch_choosing()


def _remove(room: Classroom, value: int) -> None:
    seat = _child(room, value)
    room.leave(seat)
    del room.seats[seat.number]
    for other in room.seats.values():
        if other.asks == seat.number:
            other.asks = None
    if room.shown == seat.number:
        room.shown = None
    room.touch_all()


def _open(room: Classroom, value: bool) -> None:
    room.is_open = value is True
    room.touch_all()


def _end(room: Classroom, value: bool) -> None:
    room.has_ended = value is True
    for table in room.tables if room.has_ended else ():
        table.abandon()
    room.touch_all()


def _demo(room: Classroom, value: Mapping[str, Any]) -> None:
    """Do an action on the teacher's own board."""
    if room.teacher.at_home and not {"choose", "language"} & {*value}:
        child.choose(room, room.teacher, "board")
    child.do(room, room.teacher, value, room.count, f"demo {room.count}")


TEACHING: Final[dict[str, Callable[[Classroom, Any], None]]] = {
    "activity": _activity,
    "pair": _pair,
    "pause": _pause,
    "allow": _allow,
    "show": _show,
    "language": _language,
    "rename": _rename,
    "remove": _remove,
    "open": _open,
    "end": _end,
    "demo": _demo,
}
"""The actions."""
BEGINNING: Final = ("activity", "pair", "open", "demo")
"""The actions that are not possible after the end of the class."""


def _chosen(room: Classroom, value: Any) -> list[Seat]:
    """Return the seats for "all" or for numbers. Refused: there is no such seat. ValueError: these are no numbers."""
    return [*room.seats.values()] if value == "all" else [_child(room, number) for number in _numbers(value)]


def _child(room: Classroom, value: Any) -> Seat:
    """Return the seat of a child. Refused: there is none. ValueError: this is no number."""
    seat = room.seat(*_numbers([value]))
    if seat is room.teacher:
        raise Refused("class.no_seat")
    return seat


def _numbers(value: Any) -> list[int]:
    """Return the numbers of seats. ValueError: they are none."""
    if not isinstance(value, (list, tuple)) or any(type(number) is not int for number in value):
        raise ValueError(value)
    return list(value)
