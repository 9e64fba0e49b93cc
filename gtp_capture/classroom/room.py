"""A class: who sits where, and what each action changes. Time and random choices come from outside."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ..go.rules import Rules
from ..go.vertex import BLACK, WHITE, parse_vertex
from ..players import levels
from ..teach import words
from ..teach.course.lessons import lesson
from ..teach.puzzles.problem import Problem
from ..tutor.game import GameSession, Seats
from ..tutor.lesson import LessonSession, restored
from ..tutor.problem import ProblemSession
from ..tutor.reading import Answer, Command, Input, Number, Play, Text
from ..tutor.reply import Refused, Sentence, Work
from ..tutor.searches import Searches
from ..tutor.session import Reply, Resources, Session
from .activity import ADAPT, Activity
from .offers import Button, Choice, buttons, choices
from .seat import PATIENCE, Seat, free_name, name_of
from .table import SOLVED, WRONG, Table

VOICE: Final = words.Voice(plain=True, taps=True)
WORDS: Final = tuple(VOICE.text("class.words").split())
"""Words of a class, which children can type."""
MOST_SEATS: Final = 60
AWAY: Final = 60.0
"""Seconds after the end of the last connection, after which another device may take a seat by its name."""
BOARD: Final = 0
"""The number of the teacher's board."""


@dataclass(slots=True)
class Record:
    """A game that was played in the class."""

    sgf: bytes
    seats: tuple[int, ...]
    counted: bool = False
    """Whether its result is part of what the children have done."""
    written: bool = False
    """Whether the game was saved already, or is still being played."""


class Classroom:
    """A class. Its methods are quick, and called by one thread at a time; long work is done outside, see `work`."""

    def __init__(self, game: Activity, searches: Searches, problems: Sequence[Problem], dice: random.Random) -> None:
        """`game`: how games are played; `problems`: the collection."""
        self.game, self.searches, self.problems, self.dice = game, searches, problems, dice
        self.word = dice.choice(WORDS)
        self.seats: dict[int, Seat] = {}
        self.teacher = Seat(BOARD, "", at_home=True)
        self.tables: list[Table] = []
        self.activity = Activity()
        """Of children who join."""
        self.is_open, self.is_paused, self.has_ended = True, False, False
        self.allowed = {"hints": True, "undo": True}
        self.is_spoken = False
        """Whether boards are sentences too."""
        self.shown: int | None = None
        """The seat whose board is on the wall."""
        self.trouble = ""
        """Why the class could not be saved."""
        self.games: dict[int, Record] = {}
        self.now = 0.0
        self.count = 0
        """Changes so far: a later view has a higher number."""
        self.changed = 0
        """The count at the last change of what concerns the whole class."""
        self._taught: dict[str, None] = {}

    # --- For the server ---

    def tick(self, now: float) -> None:
        """Set the time (s)."""
        self.now = now
        for seat in self.seats.values():
            table = seat.table
            open_turn = table is not None and not seat.at_home and self.is_turn(seat, table) and not self.is_paused
            waits = seat.here and open_turn and now - max(seat.since, table.since if table else 0) > PATIENCE
            if waits != seat.waits:
                seat.waits = waits
                self.touch(seat)

    def join(self, word: str, name: str, action: str) -> Seat:
        """Return a new seat, or one that is free under this name. Refused: the word is wrong, or there is no place.

        `action`: a text that names this action; a repetition returns the same seat.
        """
        for seat in self.seats.values():
            if seat.is_repeated(action):
                return seat
        if self.has_ended or not self.is_open:
            raise Refused("class.closed")
        if word.strip().upper() != self.word:
            raise Refused("class.wrong_word")
        name = name_of(name)
        found = next((s for s in self.seats.values() if s.name.casefold() == name.casefold()), None)
        if found is None or found.here or self.now - found.since < AWAY:
            if len(self.seats) >= MOST_SEATS:
                raise Refused("class.full")
            number = max(self.seats, default=0) + 1
            found = Seat(number, free_name(name, [seat.name for seat in self.seats.values()]))
            found.progress.level = levels.FIRST if self.game.level == ADAPT else levels.level(self.game.level)
            self.seats[number] = found
            self._set_activity(found, self.activity)
        found.key, found.since = secrets.token_urlsafe(24), self.now
        found.remember(action)
        self.touch(found)
        return found

    def seat_of(self, key: str) -> Seat | None:
        """Return the seat of a device."""
        given = key.encode()
        found = (seat for seat in self.seats.values() if secrets.compare_digest(seat.key.encode(), given))
        return next(found, None)

    def present(self, seat: Seat, here: bool) -> None:
        """Set whether a device of a seat is connected."""
        if seat.here != here:
            seat.here, seat.since = here, self.now
            self.touch(seat)
            self._touch_choosing()

    def do(self, seat: Seat, action: Mapping[str, Any], seen: int, name: str) -> None:
        """Do an action of a child, once for each name; nothing if its board has changed since the view that was `seen`.

        Refused: it is not possible now. ValueError: there is no such action.
        """
        if seat.is_repeated(name):
            return
        if self.has_ended:
            raise Refused("class.ended")
        if len(action) != 1:
            raise ValueError(action)
        was_free = seat.is_free
        if not self._act(seat, action, seen):
            return
        seat.since, seat.waits = self.now, False
        seat.remember(name)
        self.touch(seat)
        if seat.is_free != was_free:
            self._touch_choosing()

    def work(self) -> Iterable[tuple[Table, Work]]:
        """Yield the work that has not begun, and mark it as begun."""
        for table in self.tables:
            if table.work is not None and not table.started:
                table.started = True
                yield table, table.work

    def deliver(self, table: Table, work: Work, result: Any) -> None:
        """Go on with the result of a work, unless it is not wanted any more."""
        if table.work is work:
            self._follow(table, table.deliver(result))

    def fail(self, table: Table, work: Work) -> None:
        """Say that a work has failed; the child may go on."""
        if table.work is work:
            table.abandon()
            for seat in table.seats:
                table.said[seat].append(Sentence(VOICE.text("class.failed")))
            self._changed(table)

    def complain(self, reason: str) -> None:
        """Show the teacher why the class cannot be saved."""
        if reason != self.trouble:
            self.trouble = reason
            self._for_all()

    def touch(self, seat: Seat) -> None:
        """Count a change of a view."""
        self.count += 1
        seat.changed = self.count

    def version(self, seat: Seat) -> int:
        """Return the count of the last change of what a child sees."""
        return max(seat.changed, self.wall_version()) if self.is_paused else seat.changed

    def wall_version(self) -> int:
        """Return the count of the last change of what the wall shows."""
        shown = self.teacher if self.shown == BOARD else self.seats.get(self.shown or BOARD)
        return self.changed if shown is None else max(self.changed, shown.changed)

    def is_turn(self, seat: Seat, table: Table) -> bool:
        """Whether the session waits for this seat."""
        if table.work is not None or table.is_finished:
            return False
        return not table.is_pair or table.session.game.to_move == table.color_of(seat.name)

    def buttons(self, seat: Seat) -> list[Button]:
        """Return the buttons of a seat at its table."""
        return buttons(seat, self.allowed)

    def choices(self, seat: Seat) -> list[Choice]:
        """Return what a seat may choose at home: also to play with another child that is there and chooses, too."""
        return choices(seat, [other for other in self.seats.values() if other is not seat and other.is_free])

    def asker(self, seat: Seat) -> Seat | None:
        """Return the child that has asked this one to play with it, and waits."""
        asking = (other for other in self.seats.values() if other.asks == seat.number and other.at_home)
        return next(asking, None) if seat.at_home else None

    def _touch_choosing(self) -> None:
        """Count a change for all who see which children they may ask to play."""
        for seat in self.seats.values():
            if seat.is_free:
                self.touch(seat)

    # --- Actions of a child ---

    def _act(self, seat: Seat, action: Mapping[str, Any], seen: int) -> bool:
        """Do an action; return whether it was done, and not meant for a board that has changed since."""
        ((kind, value),) = action.items()
        if self.is_paused and seat is not self.teacher and kind != "hand":
            raise Refused("class.paused")
        if kind == "hand":
            seat.hand = value is True
        elif kind == "home":
            self._go_home(seat)
        elif kind == "choose":
            self._choose(seat, str(value))
        elif seat.at_home or seat.table is None:
            self._answer_asker(seat, action)
        elif seen < seat.table.moved:
            return False
        else:
            self._give(seat, seat.table, kind, value)
        return True

    def _answer_asker(self, seat: Seat, action: Mapping[str, Any]) -> None:
        """Answer the child that has asked this one to play with it."""
        asker, yes = self.asker(seat), action.get("answer")
        if asker is None or not isinstance(yes, bool):
            raise Refused("class.not_now")
        asker.asks = None
        self.touch(asker)
        if yes:
            self._sit_pair(asker, seat)

    def _give(self, seat: Seat, table: Table, kind: str, value: Any) -> None:
        """Give an input to the session of a table, if the view offers it."""
        if table.work is not None:
            raise Refused("class.busy")
        given = self._input(seat, table, kind, value)
        hearers = (seat.number,) if isinstance(given, Command) and given.name in HELP else table.seats
        self._follow(table, table.take(given, hearers))

    def _input(self, seat: Seat, table: Table, kind: str, value: Any) -> Input:
        if kind == "point" and isinstance(value, str):
            if not table.wants_point or not self.is_turn(seat, table):
                raise Refused("class.not_your_turn" if table.is_pair and not table.is_finished else "class.not_now")
            return Play(parse_vertex(value, *table.session.game.size))
        if kind == "number" and type(value) is int:
            if not table.wants_number:
                raise Refused("class.not_now")
            return Number(value)
        if kind == "answer" and isinstance(value, bool):
            if table.question is None or (not self.is_turn(seat, table) and not table.is_finished):
                raise Refused("class.not_now")
            return Answer(value)
        if kind in ("word", "continue"):
            wanted = {kind: value}
            found = next((button for button in self.buttons(seat) if button.do == wanted), None)
            if found is None or found.disabled:
                raise Refused("class.withheld" if found is not None and found.withheld else "class.not_now")
            return Text("") if kind == "continue" else Command(str(value))
        raise ValueError(kind)

    def _follow(self, table: Table, reply: Reply | None) -> None:
        """Follow an answer of a session: what the children have done, and where they are now."""
        seats = [self.seat(number) for number in table.seats]
        if reply is None:
            for seat in seats:
                self._leave(seat)
                self.touch(seat)
            return
        keys = [part.key for part in reply.said if isinstance(part, Sentence)]
        for seat in seats:
            if any(key in SOLVED for key in keys):
                seat.progress.solved.add(self._task_name(table))
                seat.wrong = 0
            elif any(key in WRONG for key in keys):
                seat.wrong += 1
        self._record(table)
        self._changed(table)

    def _changed(self, table: Table) -> None:
        for number in table.seats:
            self.touch(self.seat(number))
        table.moved, table.since = self.count, self.now

    def _record(self, table: Table) -> None:
        """Keep the game of a table, and count it once at its end."""
        session = table.session
        if not isinstance(session, GameSession) or not session.game.moves or BOARD in table.seats:
            return
        if table.recorded is None or table.recorded[1] is not session.game:
            self._close_record(table)
            table.recorded = max(self.games, default=0) + 1, session.game
            self.games[table.recorded[0]] = Record(b"", table.seats)
        if not table.is_pair and session.seats.names[0] != (name := self.seat(table.seats[0]).name):
            session.seats = replace(session.seats, names=(name, name))
        record = self.games[table.recorded[0]]
        record.sgf, record.written = session.sgf(), session.game.outcome is None
        outcome = session.game.outcome
        if outcome is not None and not record.counted:
            record.counted = True
            for seat in (self.seat(number) for number in table.seats):
                own = {table.color_of(seat.name)} if table.is_pair else session.seats.people
                seat.progress.played += 1
                seat.progress.won += outcome.winner in own

    def _close_record(self, table: Table) -> None:
        """Let a game be written that does not go on, though it is not over."""
        if table.recorded is not None and not (record := self.games[table.recorded[0]]).counted:
            record.written = False

    def _choose(self, seat: Seat, key: str) -> None:
        """Follow a choice at home."""
        if not seat.at_home or key not in [choice.key for choice in self.choices(seat)]:
            raise Refused("class.not_now")
        seat.asks = None
        if key == "continue" and seat.table is not None:
            seat.at_home = False
            return
        kind, _, rest = key.partition("-")
        if kind == "lesson":
            self._start(seat, Activity("lesson", lesson=int(rest)))
        elif kind == "problems":
            self._start(seat, Activity("problems"))
        elif kind == "with":
            seat.asks = int(rest)
            self.touch(self.seat(seat.asks))
        elif kind == "board":
            self._sit(Table(self._game((BLACK, WHITE), self.game, (seat,)), (seat.number,)))
        else:
            self._start(seat, self.game if seat.activity.kind == "free" else seat.activity)

    def _go_home(self, seat: Seat) -> None:
        if seat.asks is not None:
            self.touch(self.seat(seat.asks))
        seat.at_home, seat.asks = True, None
        table = seat.table
        if table is not None and not table.is_pair and table.work is not None and not table.is_ready:
            self._leave(seat)

    # --- Tables ---

    def seat(self, number: int) -> Seat:
        """Return a seat by its number. Refused: there is none."""
        if number == BOARD:
            return self.teacher
        if number not in self.seats:
            raise Refused("class.no_seat")
        return self.seats[number]

    def _set_activity(self, seat: Seat, activity: Activity) -> None:
        """Set an activity, and begin it; with free choice a child stays where it is."""
        seat.activity = activity
        seat.wrong = 0
        if activity.kind != "free":
            self._start(seat, activity)
        elif seat.table is None:
            seat.at_home = True
        self.touch(seat)

    def _start(self, seat: Seat, activity: Activity) -> None:
        """Begin an activity at a table of its own."""
        resources = self._resources(seat)
        if activity.kind == "lesson":
            read = activity.page <= len(lesson(activity.lesson).pages)
            at = {"at": activity.page - 1, "moves": [], "solved": [], "is_solved": read, "clues": 0}
            session: Session = restored({"kind": "lesson", "lesson": activity.lesson, **at}, resources)
        elif activity.kind == "problems":
            chosen = self._themed(activity.theme)
            first = next((n for n, name in enumerate(chosen, 1) if name not in seat.progress.solved), 1)
            session = ProblemSession([*chosen.values()], first, resources)
        else:
            session = self._game((BLACK,), activity, (seat,))
        table = Table(session, (seat.number,), activity.theme)
        if isinstance(session, ProblemSession):
            table.kept = {
                "kind": "problem",
                "number": session.number,
                "moves": [],
                "solved": [],
                "is_solved": False,
                "clues": 0,
            }
        self._sit(table)

    def _sit_pair(self, first: Seat, second: Seat) -> None:
        """Begin a game of two children; the first one has Black."""
        pair = first, second
        self._sit(Table(self._game((BLACK, WHITE), self.game, pair), (first.number, second.number)))

    def _sit(self, table: Table) -> None:
        """Let children sit at a new table, and begin."""
        for number in table.seats:
            seat = self.seat(number)
            self._leave(seat)
            seat.table, seat.at_home, seat.asks, seat.since = table, False, None, self.now
        self.tables.append(table)
        self._follow(table, table.begin())

    def _leave(self, seat: Seat) -> None:
        """Let a child leave its table; the other one of a pair goes on against the computer."""
        table, seat.table, seat.at_home = seat.table, None, True
        if table is None or table not in self.tables:
            return
        table.abandon()
        self._close_record(table)
        self.tables.remove(table)
        for number in table.seats:
            if number != seat.number and number in self.seats and self.seats[number].table is table:
                self._start(self.seats[number], self.game)

    def _game(self, people: Sequence[int], game: Activity, seats: Sequence[Seat]) -> GameSession:
        """Return a game of one child against the computer, or of two people."""
        first = seats[0]
        adapts = game.level == ADAPT
        names = (seats[0].name, seats[1].name) if len(seats) == 2 else (first.name, first.name)
        session = GameSession(
            Seats(
                Rules.parse(game.rules),
                game.size,
                game.size,
                frozenset(people),
                names if len(people) == len(seats) else ("", ""),
                level=first.progress.level if adapts else levels.level(game.level),
                adapt=adapts and len(people) == 1,
            ),
            self._resources(first),
        )
        if len(seats) == 2:
            session.custom = True
        return session

    def _resources(self, seat: Seat) -> Resources:
        return Resources(self.searches, None, seat.progress, VOICE)

    def _themed(self, theme: str) -> dict[str, Problem]:
        """Return the problems of a theme, each with its number in the collection as its name."""
        return {str(n): problem for n, problem in enumerate(self.problems, 1) if theme in ("", problem.theme)}

    def _task_name(self, table: Table) -> str:
        """Return the name of the problem that is set."""
        session = table.session
        if isinstance(session, LessonSession):
            return f"{session.lesson.number}.{session.at - len(session.lesson.pages) + 1}"
        assert isinstance(session, ProblemSession)
        return [*self._themed(table.theme)][session.number - 1]

    # --- Actions of the teacher ---

    def teach(self, action: Mapping[str, Any], name: str) -> None:
        """Do an action of the teacher, once for each name. Refused: not possible. ValueError: there is none."""
        if name in self._taught:
            return
        if len(action) != 1:
            raise ValueError(action)
        ((kind, value),) = action.items()
        if kind not in TEACHING:
            raise ValueError(kind)
        TEACHING[kind](self, value)
        self._taught[name] = None
        for old in [*self._taught][:-100]:
            del self._taught[old]

    def _for_all(self) -> None:
        """Count a change of all views."""
        for seat in self.seats.values():
            self.touch(seat)
        self.count += 1
        self.changed = self.count

    def _teach_activity(self, value: Mapping[str, Any]) -> None:
        chosen, activity = value["seats"], Activity.read({k: v for k, v in value.items() if k != "seats"})
        seats = [*self.seats.values()] if chosen == "all" else [self.seat(number) for number in _numbers(chosen)]
        if activity.kind == "game":
            self.game = activity
        if chosen == "all":
            self.activity = activity
        for seat in seats:
            self._set_activity(seat, activity)
        self._for_all()

    def _teach_pair(self, value: Any) -> None:
        if value in ("random", "level"):
            here = [seat for seat in self.seats.values() if seat.here]
            self.dice.shuffle(here)
            if value == "level":
                here.sort(key=lambda seat: seat.progress.level)
            pairs = [*zip(here[::2], here[1::2], strict=False)]
            if len(here) % 2:
                self._set_activity(here[-1], self.game)
        else:
            pairs = [(self.seat(first), self.seat(second)) for first, second in map(_numbers, value)]
            if len({seat.number for pair in pairs for seat in pair}) != 2 * len(pairs):
                raise Refused("class.pairs")
        if any(seat is self.teacher for pair in pairs for seat in pair):
            raise Refused("class.no_seat")
        for pair in pairs:
            for seat in pair:
                if seat.table is not None and seat.table.is_pair:
                    self._dissolve(seat.table)
        for first, second in pairs:
            self._sit_pair(first, second)
        self._for_all()

    def _dissolve(self, table: Table) -> None:
        """End the game of a pair; both go home."""
        table.abandon()
        self._close_record(table)
        self.tables.remove(table)
        for number in table.seats:
            seat = self.seat(number)
            seat.table, seat.at_home = None, True

    def _teach_pause(self, value: bool) -> None:
        self.is_paused = value is True
        for seat in self.seats.values():
            seat.since = self.now
        self._for_all()

    def _teach_allow(self, value: Mapping[str, bool]) -> None:
        if not {*value} <= {*self.allowed}:
            raise ValueError(value)
        self.allowed.update({name: allowed is True for name, allowed in value.items()})
        self._for_all()

    def _teach_show(self, value: int | str | None) -> None:
        self.shown = None if value is None else self.seat(BOARD if value == "board" else _numbers([value])[0]).number
        self._for_all()

    def _teach_rename(self, value: Sequence[Any]) -> None:
        number, name = value
        seat = self.seat(*_numbers([number]))
        if seat is self.teacher:
            raise Refused("class.no_seat")
        others = [other.name for other in self.seats.values() if other is not seat]
        before, seat.name = seat.name, free_name(name_of(str(name)), others)
        if seat.table is not None and seat.table.is_pair and isinstance(session := seat.table.session, GameSession):
            black, white = (seat.name if other == before else other for other in session.seats.names)
            session.seats = replace(session.seats, names=(black, white))
            seat.table.is_kept = False
        for number in seat.table.seats if seat.table is not None else (seat.number,):
            self.touch(self.seat(number))

    def _teach_remove(self, value: int) -> None:
        seat = self.seat(*_numbers([value]))
        if seat is self.teacher:
            raise Refused("class.no_seat")
        self._leave(seat)
        del self.seats[seat.number]
        if self.shown == seat.number:
            self.shown = None
        self._for_all()

    def _teach_open(self, value: bool) -> None:
        self.is_open = value is True
        self._for_all()

    def _teach_end(self, value: bool) -> None:
        self.has_ended = value is True
        for table in self.tables if self.has_ended else ():
            table.abandon()
        self._for_all()

    def _teach_demo(self, value: Mapping[str, Any]) -> None:
        if self.teacher.at_home and "choose" not in value:
            self._choose(self.teacher, "board")
        seen, name = self.count, f"demo {self.count}"
        self.do(self.teacher, value, seen, name)

    # --- Saving ---

    def games_to_write(self) -> dict[int, bytes]:
        """Return the games that have come to an end, each once for each end, by number."""
        found = {number: record for number, record in self.games.items() if not record.written}
        for record in found.values():
            record.written = True
        return {number: record.sgf for number, record in found.items()}

    def state(self) -> dict[str, Any]:
        """Return the class as a value for JSON, without the games that are over."""
        tables = [table.state() for table in self.tables if BOARD not in table.seats]
        seats = [seat.state() for seat in self.seats.values()]
        return {"word": self.word, "count": self.count, "seats": seats, "tables": tables}

    def restore(self, state: Mapping[str, Any], games: Mapping[int, bytes]) -> None:
        """Go on with a state."""
        self.word, self.count = state["word"], state["count"]
        self.seats = {seat.number: seat for seat in map(Seat.read, state["seats"])}
        self.games = {number: Record(sgf, (), counted=True, written=True) for number, sgf in games.items()}
        for kept in state["tables"]:
            numbers, session = tuple(kept["seats"]), kept["session"]
            theme, first = kept["theme"], self.seats[numbers[0]]
            table = Table(restored(session, self._resources(first), [*self._themed(theme).values()]), numbers, theme)
            table.kept = session
            for number in numbers:
                self.seats[number].table = table
            self.tables.append(table)
            if kept["game"] is not None and isinstance(table.session, GameSession):
                game = table.session.game
                table.recorded = kept["game"], game
                self.games.setdefault(kept["game"], Record(b"", numbers, counted=game.outcome is not None))
            self._follow(table, table.begin())
            table.moved = kept["moved"]


HELP: Final = ("hint", "explain", "review", "solution")
"""Words whose answer only the child sees that has tapped them."""
TEACHING: Final[dict[str, Callable[[Classroom, Any], None]]] = {
    "activity": Classroom._teach_activity,
    "pair": Classroom._teach_pair,
    "pause": Classroom._teach_pause,
    "allow": Classroom._teach_allow,
    "show": Classroom._teach_show,
    "rename": Classroom._teach_rename,
    "remove": Classroom._teach_remove,
    "open": Classroom._teach_open,
    "end": Classroom._teach_end,
    "demo": Classroom._teach_demo,
}
"""The actions of the teacher."""


def _numbers(value: Any) -> list[int]:
    """Return the numbers of seats. ValueError: they are none."""
    if not isinstance(value, (list, tuple)) or any(type(number) is not int for number in value):
        raise ValueError(value)
    return list(value)
