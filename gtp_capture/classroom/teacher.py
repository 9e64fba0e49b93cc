"""The actions of the teacher: activities, pairs, pause, what is allowed and shown, names, the language and the end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ..teach.course import lessons
from ..teach.event import Refusal, RefusedError
from ..teach.sentences import languages
from ..tutor.reading import Command
from ..util.fields import Fields
from . import child
from .activity import Activity
from .plan import MOST_STEPS, Plan, PlanStep, of_course
from .question import Question, read_point
from .room import BOARD, Classroom
from .seat import Seat, free_name, name_of

MOST_TRIES: Final = 5000
"""The maximum number of tries for a round in which no pair has met; then pairs may meet again."""
Pair = tuple[int, int]


def teach(room: Classroom, action: Mapping[str, Any], name: str) -> None:
    """Do an action, once for each name.

    RefusedError: it is not possible. ValueError: there is none.
    """
    if room.teacher.is_repeated(name):
        return
    if len(action) != 1:
        raise ValueError(action)
    ((kind, value),) = action.items()
    if kind not in TEACHING:
        raise ValueError(kind)
    if room.has_ended and kind in BEGINNING:
        raise RefusedError(Refusal.ENDED)
    TEACHING[kind](room, value)
    room.teacher.remember(name)


def _activity(room: Classroom, value: object) -> None:
    fields = _object(value)
    activity = Activity.read({name: field for name, field in fields.items() if name != "seats"})
    seats = _chosen(room, fields.get("seats"))
    if fields["seats"] == "all":
        _set_for_all(room, activity)
    for seat in seats:
        room.set_activity(seat, activity)
    room.mark_all_changed()


def _set_for_all(room: Classroom, activity: Activity) -> None:
    """Set an activity for all children, and for those who come later."""
    room.activity, room.is_round = activity, False
    if activity.kind == "lesson":
        room.assigned = (*dict.fromkeys((*room.assigned, activity)),)
    if activity.kind in ("game", "pairs"):
        room.game = replace(activity, kind="game")


def _pair(room: Classroom, value: object) -> None:
    """Let children play with each other: pairs that are given, at random, of near levels, or for a round."""
    fields = value if isinstance(value, Mapping) else {"by": value}
    given = {name: field for name, field in fields.items() if name in ("rules", "size")}
    game, by, odd = Activity.read({**room.game.state(), "kind": "pairs", **given}), fields.get("by"), None
    if isinstance(by, str):
        pairs, odd = _paired(room, by, _chosen(room, fields.get("seats")))
    else:
        pairs = _by_hand(room, _list(by))
    if fields.get("seats") == "all":
        _set_pairs_for_all(room, game, [seat for pair in pairs for seat in pair])
    elif odd is not None:
        room.set_activity(odd, game)
    for pair in pairs:
        for seat in pair:
            if seat.desk is not None and seat.desk.is_pair:
                room.dissolve(seat.desk)
    for first, second in pairs:
        room.sit_pair(first, second, game if given else None)
    if by == "round":
        room.met.update([] if odd is None else [(odd.number, odd.number)])
        room.is_round = True
    room.mark_all_changed()


def _set_pairs_for_all(room: Classroom, game: Activity, paired: Sequence[Seat]) -> None:
    """Set a game of pairs for all; a child who is in no pair, or not here, plays against the computer."""
    _set_for_all(room, game)
    for seat in room.seats.values():
        seat.activity = game
        if seat not in paired:
            room.set_activity(seat, game)


def _by_hand(room: Classroom, value: Sequence[Any]) -> list[tuple[Seat, Seat]]:
    """Return pairs that are given by their numbers. RefusedError: a child is in two of them."""
    pairs = [(_child(room, first), _child(room, second)) for first, second in map(_two, value)]
    if len({seat.number for pair in pairs for seat in pair}) != 2 * len(pairs):
        raise RefusedError(Refusal.PAIRS)
    return pairs


def _paired(room: Classroom, by: str, seats: Sequence[Seat]) -> tuple[list[tuple[Seat, Seat]], Seat | None]:
    """Return pairs of the children that are here, and a child without a partner; None for an even number."""
    here = [seat for seat in seats if seat.takes_part]
    room.dice.shuffle(here)
    if by == "round":
        numbers, alone = pairs_of_round({seat.number: seat.progress.level for seat in here}, room.met)
        pairs = [(room.seats[first], room.seats[second]) for first, second in numbers]
        return pairs, None if alone is None else room.seats[alone]
    if by == "level":
        here.sort(key=lambda seat: seat.progress.level)
    elif by != "random":
        raise ValueError(by)
    return [*zip(here[::2], here[1::2], strict=False)], here[-1] if len(here) % 2 else None


def pairs_of_round(levels: Mapping[int, int], met: Collection[Pair]) -> tuple[list[Pair], int | None]:
    """Return the pairs of a round, and the child without a partner; None if the number of children is even.

    `levels`: the level of each child by its number, in an order that decides between equal ones; `met`: the pairs that
    have met, the lower number first; a child that was without a partner has met itself. Each child, from the lowest
    level on, gets the child of the nearest level whom it has not met, if the others can then be paired like that.
    """
    waiting = sorted(levels, key=lambda number: levels[number])
    odd = None
    if len(waiting) % 2:
        odd = min(reversed(waiting), key=lambda number: (number, number) in met)
        waiting.remove(odd)
    tries = iter(range(MOST_TRIES))
    return _unmet(waiting, met, tries) or [*zip(waiting[::2], waiting[1::2], strict=True)], odd


def _unmet(waiting: Sequence[int], met: Collection[Pair], tries: Iterator[int]) -> list[Pair] | None:
    """Return pairs of all who wait, of whom none have met; None if there are none, or after too many tries."""
    if not waiting:
        return []
    first, *others = waiting
    for other, _ in zip(others, tries, strict=False):
        if (min(first, other), max(first, other)) not in met:
            rest = _unmet([number for number in others if number != other], met, tries)
            if rest is not None:
                return [(first, other), *rest]
    return None


def _lower(room: Classroom, value: object) -> None:
    """Take away the mark that a child needs help: lower its hand, and count wrong answers and the time anew."""
    seat = _child(room, value)
    seat.hand, seat.wrong, seat.waits, seat.since = False, 0, False, room.now
    room.mark_changed(seat)


def _ring(room: Classroom, value: object) -> None:
    """Put a ring on a point of the board of a child, until the board changes. RefusedError: there is no board."""
    number, vertex = _two(value)
    seat = _child(room, number)
    desk = seat.open_desk
    game = None if desk is None else desk.situation(seat.name).game
    if game is None:
        raise RefusedError(Refusal.NOT_NOW)
    ring = game.vertex(read_point(vertex, game))
    seat.ring = "" if ring == seat.ring else ring
    room.mark_changed(seat)


def _hint(room: Classroom, value: object) -> None:
    """Give a child a hint. RefusedError: it is not possible now."""
    seat = _child(room, value)
    if (desk := seat.open_desk) is None:
        raise RefusedError(Refusal.NOT_NOW)
    now = desk.situation(seat.name)
    if desk.work is not None or now.question is not None:
        raise RefusedError(Refusal.BUSY if desk.work is not None else Refusal.NOT_NOW)
    if (refusal := now.actions.get("hint", Refusal.NOT_NOW)) is not None:
        raise RefusedError(refusal)
    room.apply_reply(desk, desk.handle_input(Command("hint"), (seat.number,)))


def _pause(room: Classroom, value: object) -> None:
    room.is_paused = _truth(value)
    for seat in room.seats.values():
        seat.since = room.now
    room.mark_all_changed()


def _allow(room: Classroom, value: object) -> None:
    allowed = {name: _truth(is_allowed) for name, is_allowed in _object(value).items()}
    if not {*allowed} <= {*room.allowed}:
        raise ValueError(value)
    room.allowed.update(allowed)
    room.mark_all_changed()


def _show(room: Classroom, value: object) -> None:
    room.shown = None if value is None else _shown(room, value).number
    room.mark_all_changed()


def _frame(room: Classroom, value: object) -> None:
    """Show one board of the moves that are shown on the teacher's board, or with None the board itself."""
    room.frame = None if value is None else max(0, _number(value))
    room.mark_changed(room.teacher)


def _ask(room: Classroom, value: object) -> None:
    """Ask all children where they would play; the position is that of a child or of the teacher. None ends it."""
    room.question = None if value is None else Question.of(_shown(room, value).desk, room.count + 1)
    room.is_closing = room.is_closing and room.question is None
    for seat in room.seats.values():
        seat.since = room.now
    room.mark_all_changed()


def _reveal(room: Classroom, value: object) -> None:
    """Show the answers to the question, or take them away again."""
    is_shown = _truth(value)
    if room.question is None:
        raise RefusedError(Refusal.NOT_NOW)
    room.question.is_shown = is_shown
    room.mark_all_changed()


def _language(room: Classroom, value: object) -> None:
    if not isinstance(value, str) or value not in languages():
        raise ValueError(value)
    room.language = value
    room.set_language(room.teacher, value)
    room.mark_all_changed()


def _rename(room: Classroom, value: object) -> None:
    number, name = _two(value)
    if not isinstance(name, str):
        raise ValueError(value)
    seat = _child(room, number)
    others = [other.name for other in room.seats.values() if other is not seat]
    before, seat.name = seat.name, free_name(name_of(name), others)
    if seat.desk is not None and seat.desk.is_pair and (setup := seat.desk.session.setup) is not None:
        black, white = (seat.name if other == before else other for other in setup.names)
        seat.desk.session.setup = replace(setup, names=(black, white))
        seat.desk.forget_state()
    room.mark_desk_changed(seat)
    room.mark_choosing_changed()


def _claim(room: Classroom, value: object) -> None:
    """Say whether a child that claims another seat is the child of that seat."""
    number, is_own = _two(value)
    seat, is_own = _child(room, number), _truth(is_own)
    if seat.claims is None or not seat.is_sure:
        raise RefusedError(Refusal.NOT_NOW)
    if is_own:
        room.give_back(seat)
    else:
        room.keep_new(seat)
        room.mark_class_changed()


def _remove(room: Classroom, value: object) -> None:
    """Remove children, and keep their results."""
    for seat in _chosen(room, value):
        room.forget(seat)
        seat.key_hash = ""
        room.removed.append(seat)


def _forget(room: Classroom, value: object) -> None:
    """Remove children with their results."""
    for seat in _chosen(room, value):
        room.forget(seat)


def _names(room: Classroom, value: object) -> None:
    """Set the names that children tap."""
    fields = _object(value)
    names = _list(fields.get("list"))
    if not all(isinstance(name, str) for name in names):
        raise ValueError(value)
    room.list_names(names, is_free=_truth(fields.get("free")))


def _closing(room: Classroom, value: object) -> None:
    """Show all what the class has done today, or go on."""
    room.is_closing, room.question = _truth(value), None
    if not room.is_closing and room.plan.step is not None and room.plan.step.kind == "closing":
        room.plan = room.plan.off_screens
    room.mark_all_changed()


def _plan(room: Classroom, value: object) -> None:
    """Set the steps of the plan. Those of a plan of the course, or one that a form describes, are added at the end."""
    fields = _object(value)
    plan = Plan.read(Fields({"steps": fields.get("steps"), "at": fields.get("at")}))
    steps = [*plan.steps]
    if (course := fields.get("course")) is not None:
        number, part = map(_number, _two(course))
        steps += dict(enumerate(of_course(number), 1)).get(part, ()) if number in lessons.numbers() else ()
    if (added := fields.get("add")) is not None:
        steps.append(PlanStep.of(_object(added)))
    if len(steps) > MOST_STEPS:
        raise RefusedError(Refusal.NOT_NOW)
    room.plan = replace(plan, steps=tuple(steps))
    room.mark_all_changed()


def _step(room: Classroom, value: object) -> None:
    """Begin a step of the plan, the first one by 0: what was on all screens before it ends."""
    at = _number(value)
    if not 0 <= at < len(room.plan.steps):
        raise RefusedError(Refusal.NOT_NOW)
    room.plan = replace(room.plan, at=at)
    room.shown = room.question = None
    room.is_paused = room.is_closing = False
    step = room.plan.steps[at]
    fields = {**step.activity.state(), "seats": "all"}
    if step.on_board:
        room.start(room.teacher, step.activity)
        room.shown, room.is_paused = BOARD, step.kind == "explain"  # a question stops the boards until it ends
        if step.kind == "look":
            _ask(room, "board")
    elif step.kind == "round":
        _pair(room, {**fields, "by": "round"})
    elif step.kind == "closing":
        _closing(room, value=True)
    elif step.activity.kind == "pairs":
        _pair(room, {**fields, "by": "level"})
    else:
        _activity(room, fields)
    room.mark_all_changed()


def _open(room: Classroom, value: object) -> None:
    room.is_open = _truth(value)
    room.mark_all_changed()


def _end(room: Classroom, value: object) -> None:
    room.has_ended = _truth(value)
    for desk in room.desks if room.has_ended else ():
        desk.abandon()
    room.mark_all_changed()


def _demo(room: Classroom, value: object) -> None:
    """Do an action on the teacher's own board."""
    action = _object(value)
    if room.teacher.at_home and not {"choose", "language"} & {*action}:
        child.choose(room, room.teacher, "board")
    child.act(room, room.teacher, action, room.count, f"demo {room.count}")


TEACHING: Final[dict[str, Callable[[Classroom, object], None]]] = {
    "activity": _activity,
    "pair": _pair,
    "lower": _lower,
    "ring": _ring,
    "hint": _hint,
    "pause": _pause,
    "allow": _allow,
    "show": _show,
    "frame": _frame,
    "ask": _ask,
    "reveal": _reveal,
    "language": _language,
    "rename": _rename,
    "names": _names,
    "claim": _claim,
    "remove": _remove,
    "forget": _forget,
    "closing": _closing,
    "plan": _plan,
    "step": _step,
    "open": _open,
    "end": _end,
    "demo": _demo,
}
"""The actions."""
BEGINNING: Final = ("activity", "pair", "ring", "hint", "ask", "step", "open", "demo")
"""The actions that are not possible after the end of the class."""


def _chosen(room: Classroom, value: object) -> list[Seat]:
    """Return the seats for "all" or for numbers. RefusedError: there is none. ValueError: these are no numbers."""
    return [*room.seats.values()] if value == "all" else [_child(room, number) for number in _list(value)]


def _shown(room: Classroom, value: object) -> Seat:
    """Return the seat for "board", which is the teacher's, or for a number; errors as for `_child`."""
    return room.seat(BOARD if value == "board" else _number(value))


def _child(room: Classroom, value: object) -> Seat:
    """Return the seat of a child. RefusedError: there is none. ValueError: this is no number."""
    seat = room.seat(_number(value))
    if seat is room.teacher:
        raise RefusedError(Refusal.NO_SEAT)
    return seat


# --- Values of JSON; ValueError: another type ---


def _object(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(value)
    return value


def _list(value: object) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise ValueError(value)
    return value


def _two(value: object) -> tuple[Any, Any]:
    first, second = _list(value)
    return first, second


def _number(value: object) -> int:
    if type(value) is not int:
        raise ValueError(value)
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(value)
    return value
