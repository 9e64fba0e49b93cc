"""The actions of a child: what is offered is accepted, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..go.vertex import parse_vertex
from ..teach.sentences import languages
from ..tutor.reading import Answer, Command, Input, Number, Play, Text
from ..tutor.reply import Refused
from .activity import Activity
from .offers import HELP
from .room import Classroom
from .seat import Seat
from .table import Table


def do(room: Classroom, seat: Seat, action: Mapping[str, Any], seen: int, name: str) -> None:
    """Do an action, once for each name; nothing if the board has changed since the view that was `seen`.

    Refused: it is not possible now. ValueError: there is no such action.
    """
    if seat.is_repeated(name):
        return
    if room.has_ended:
        raise Refused("class.ended")
    if len(action) != 1:
        raise ValueError(action)
    ((kind, value),) = action.items()
    if room.is_paused and seat is not room.teacher and kind != "hand":
        raise Refused("class.paused")
    was_free = seat.is_free
    if not _act(room, seat, kind, value, seen):
        return
    seat.since, seat.waits = room.now, False
    seat.remember(name)
    room.touch(seat)
    if seat.is_free != was_free:
        room.touch_choosing()


def _act(room: Classroom, seat: Seat, kind: str, value: Any, seen: int) -> bool:
    """Do an action; return whether it was done, and not meant for a board that has changed since."""
    if kind == "hand":
        seat.hand = value is True
    elif kind == "home":
        _go_home(room, seat)
    elif kind == "choose":
        choose(room, seat, str(value))
    elif kind == "language":
        if not seat.at_home or value not in languages():
            raise Refused("class.not_now")
        room.set_language(seat, value)
    elif seat.at_home or seat.table is None:
        _answer_asker(room, seat, kind, value)
    elif seen < seat.table.moved:
        return False
    else:
        _give(room, seat, seat.table, kind, value)
    return True


def _answer_asker(room: Classroom, seat: Seat, kind: str, value: Any) -> None:
    """Answer the child that has asked this one to play with it."""
    asker = room.asker(seat)
    if asker is None or kind != "answer" or not isinstance(value, bool):
        raise Refused("class.not_now")
    asker.asks = None
    room.touch(asker)
    if value:
        room.sit_pair(asker, seat)


def _give(room: Classroom, seat: Seat, table: Table, kind: str, value: Any) -> None:
    """Give an input to the session of a table, if the view offers it."""
    if table.work is not None:
        raise Refused("class.busy")
    given = _input(room, seat, table, kind, value)
    hearers = (seat.number,) if isinstance(given, Command) and given.name in HELP else table.seats
    room.follow(table, table.take(given, hearers))


def _input(room: Classroom, seat: Seat, table: Table, kind: str, value: Any) -> Input:
    if kind == "point" and isinstance(value, str):
        if not table.wants_point or not room.is_turn(seat, table):
            raise Refused("class.not_your_turn" if table.is_pair and not table.is_finished else "class.not_now")
        return Play(parse_vertex(value, *table.session.game.size))
    if kind == "number" and type(value) is int:
        if not table.wants_number:
            raise Refused("class.not_now")
        return Number(value)
    if kind == "answer" and isinstance(value, bool):
        if table.question is None or (not room.is_turn(seat, table) and not table.is_finished):
            raise Refused("class.not_now")
        return Answer(value)
    if kind in ("word", "continue"):
        wanted = {kind: value}
        found = next((button for button in room.buttons(seat) if button.do == wanted), None)
        if found is None or found.disabled:
            raise Refused("class.withheld" if found is not None and found.withheld else "class.not_now")
        return Text("") if kind == "continue" else Command(str(value))
    raise ValueError(kind)


def choose(room: Classroom, seat: Seat, key: str) -> None:
    """Follow a choice at home."""
    if not seat.at_home or key not in [choice.key for choice in room.choices(seat)]:
        raise Refused("class.not_now")
    seat.asks = None
    if key == "continue" and seat.table is not None:
        seat.at_home = False
        return
    kind, _, rest = key.partition("-")
    if kind == "lesson":
        room.start(seat, Activity("lesson", lesson=int(rest)))
    elif kind == "problems":
        room.start(seat, Activity("problems"))
    elif kind == "with":
        seat.asks = int(rest)
        room.touch(room.seat(seat.asks))
    elif kind == "board":
        room.sit(Table(room.material.own_board(room.game, seat), (seat.number,)))
    else:
        room.start(seat, room.game if seat.activity.kind == "free" else seat.activity)


def _go_home(room: Classroom, seat: Seat) -> None:
    if seat.asks is not None:
        room.touch(room.seat(seat.asks))
    seat.at_home, seat.asks = True, None
    table = seat.table
    if table is not None and not table.is_pair and table.work is not None and not table.is_ready:
        room.leave(seat)
