"""A class: who is there, and who sits at which table. Time and random choices come from outside.

What children and the teacher do is in `child` and `teacher`; what it leads to is here.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from ..players import levels
from ..teach.puzzles.problem import Problem
from ..teach.sentences import ENGLISH
from ..teach.words import Voice
from ..tutor.game import GameSession
from ..tutor.problem import ProblemSession
from ..tutor.reading import folded
from ..tutor.reply import Refused, Sentence, Work
from ..tutor.searches import Searches
from ..tutor.session import Reply
from .activity import ADAPT, Activity
from .material import Material
from .offers import Button, Choice, buttons, choices
from .records import Records
from .seat import PATIENCE, Seat, free_name, name_of, voice_in
from .table import SOLVED, WRONG, Table

MOST_SEATS: Final = 60
AWAY: Final = 60.0
"""Seconds after the end of the last connection, after which another device may take a seat by its name."""
BOARD: Final = 0
"""The number of the teacher's board."""
KEPT: Final = ("word", "count", "joined", "language", "allowed")
"""The fields of a class that are saved as they are."""


class Classroom:
    """A class. Its methods are quick, and called by one thread at a time; long work is done outside, see `work`."""

    def __init__(
        self,
        game: Activity,
        searches: Searches,
        problems: Sequence[Problem],
        dice: random.Random,
        *,
        language: str = ENGLISH,
    ) -> None:
        """`game`: how games are played, until the teacher says otherwise; `problems`: the collection."""
        self.game, self.material, self.dice, self.language = game, Material(searches, problems), dice, language
        self._first_game = game
        self.word = dice.choice(self.voice.text("class.words").split())
        """The word of the class, which children can type."""
        self.seats: dict[int, Seat] = {}
        self.joined = 0
        """The number of the last new seat; no number is used twice."""
        self.teacher = Seat(BOARD, "", language=language, at_home=True)
        self.tables: list[Table] = []
        self.records = Records()
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
        self.now = 0.0
        self.count = 0
        """Changes so far: a later view has a higher number."""
        self.changed = 0
        """The count at the last change of what concerns the whole class."""

    @property
    def voice(self) -> Voice:
        """How the class speaks to the teacher, and to all at a time."""
        return voice_in(self.language)

    # --- Who is there ---

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

    def join(self, word: str, name: str, action: str, language: str = "") -> Seat:
        """Return a new seat, or one that is free under this name. Refused: the word is wrong, or there is no place.

        `action`: a text that names this action; a repetition returns the same seat. `language`: of the page; "" for
        that of the class.
        """
        for seat in self.seats.values():
            if seat.is_repeated(action):
                return seat
        if self.has_ended or not self.is_open:
            raise Refused("class.closed")
        if folded(word) != folded(self.word):
            raise Refused("class.wrong_word")
        name = name_of(name)
        found = next((s for s in self.seats.values() if s.name.casefold() == name.casefold()), None)
        if found is None or found.here or self.now - found.since < AWAY:
            if len(self.seats) >= MOST_SEATS:
                raise Refused("class.full")
            self.joined += 1
            taken = [seat.name for seat in self.seats.values()]
            found = Seat(self.joined, free_name(name, taken), language=language or self.language)
            found.progress.level = levels.FIRST if self.game.level == ADAPT else levels.level(self.game.level)
            self.seats[found.number] = found
            self.set_activity(found, self.activity)
        elif language:
            self.set_language(found, language)
        found.key, found.since = secrets.token_urlsafe(24), self.now
        found.remember(action)
        self.touch(found)
        return found

    def seat_of(self, key: str) -> Seat | None:
        """Return the seat of a device."""
        given = key.encode()
        found = (seat for seat in self.seats.values() if secrets.compare_digest(seat.key.encode(), given))
        return next(found, None)

    def seat(self, number: int) -> Seat:
        """Return a seat by its number. Refused: there is none."""
        if number == BOARD:
            return self.teacher
        if number not in self.seats:
            raise Refused("class.no_seat")
        return self.seats[number]

    def present(self, seat: Seat, here: bool) -> None:
        """Set whether a device of a seat is connected."""
        if seat.here != here:
            seat.here, seat.since = here, self.now
            self.touch_table(seat)
            self.touch_choosing()

    def set_language(self, seat: Seat, language: str) -> None:
        """Say all to a seat in another language; its session goes on in it, unless another child hears it too."""
        if language == seat.language:
            return
        seat.language, table = language, seat.table
        self.touch(seat)
        if table is not None and not table.is_pair and table.is_ready:
            kept = table.state()
            table.abandon()
            self.tables.remove(table)
            self._resume(kept)

    # --- Changes of views ---

    def touch(self, seat: Seat) -> None:
        """Count a change of a view."""
        self.count += 1
        seat.changed = self.count

    def touch_table(self, seat: Seat) -> None:
        """Count a change of the views of all who sit at the table of a seat."""
        for number in seat.table.seats if seat.table is not None else (seat.number,):
            self.touch(self.seat(number))

    def touch_all(self) -> None:
        """Count a change of all views."""
        for seat in self.seats.values():
            self.touch(seat)
        self.count += 1
        self.changed = self.count

    def touch_choosing(self) -> None:
        """Count a change for all who see which children they may ask to play."""
        for seat in self.seats.values():
            if seat.is_free:
                self.touch(seat)

    def version(self, seat: Seat) -> int:
        """Return the count of the last change of what a child sees."""
        return max(seat.changed, self.wall_version()) if self.is_paused else seat.changed

    def wall_version(self) -> int:
        """Return the count of the last change of what the wall shows."""
        shown = self.teacher if self.shown == BOARD else self.seats.get(self.shown or BOARD)
        return self.changed if shown is None else max(self.changed, shown.changed)

    def complain(self, reason: str) -> None:
        """Show the teacher why the class cannot be saved."""
        if reason != self.trouble:
            self.trouble = reason
            self.touch_all()

    # --- What is offered ---

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

    # --- Tables ---

    def set_activity(self, seat: Seat, activity: Activity) -> None:
        """Set an activity, and begin it; with free choice a child stays where it is."""
        seat.activity = activity
        seat.wrong = 0
        if activity.kind != "free":
            self.start(seat, activity)
        elif seat.table is None:
            seat.at_home = True
        self.touch(seat)

    def start(self, seat: Seat, activity: Activity) -> None:
        """Begin an activity at a table of its own."""
        self.sit(Table(self.material.session(activity, seat), (seat.number,), activity.theme))

    def sit_pair(self, first: Seat, second: Seat) -> None:
        """Begin a game of two children; the first one has Black. If one game was set for both, it is that one."""
        set_for_both = first.activity == second.activity and first.activity.kind == "game"
        played = first.activity if set_for_both else self.game
        game = self.material.pair_game(played, first, second, self.language)
        self.sit(Table(game, (first.number, second.number)))

    def sit(self, table: Table) -> None:
        """Let children sit at a new table, and begin."""
        for number in table.seats:
            seat = self.seat(number)
            self.leave(seat)
            seat.table, seat.at_home, seat.asks, seat.since = table, False, None, self.now
        self.tables.append(table)
        self.follow(table, table.begin())

    def leave(self, seat: Seat) -> None:
        """Let a child leave its table; the other one of a pair goes on against the computer."""
        table, seat.table, seat.at_home = seat.table, None, True
        if table is None or table not in self.tables:
            return
        self._clear(table)
        for number in table.seats:
            if number != seat.number and (other := self.seats.get(number)) is not None and other.table is table:
                self.start(other, self.game)
                assert other.table is not None
                other.table.said[number].insert(0, Sentence(other.voice.text("class.left", name=seat.name)))

    def dissolve(self, table: Table) -> None:
        """End the game of a pair; both go home."""
        self._clear(table)
        for number in table.seats:
            seat = self.seat(number)
            seat.table, seat.at_home = None, True

    def _clear(self, table: Table) -> None:
        table.abandon()
        self.records.close(table)
        self.tables.remove(table)

    def work(self) -> Iterable[tuple[Table, Work]]:
        """Yield the work that has not begun, and mark it as begun."""
        for table in self.tables:
            if table.work is not None and not table.started:
                table.started = True
                yield table, table.work

    def deliver(self, table: Table, work: Work, result: Any) -> None:
        """Go on with the result of a work, unless it is not wanted any more."""
        if table.work is work:
            self.follow(table, table.deliver(result))

    def fail(self, table: Table, work: Work) -> None:
        """Say that a work has failed; the child may go on."""
        if table.work is work:
            table.abandon()
            for number in table.seats:
                table.said[number].append(Sentence(self.seat(number).voice.text("class.failed")))
            self._changed(table)

    def follow(self, table: Table, reply: Reply | None) -> None:
        """Follow an answer of a session: what the children have done, and where they are now."""
        seats = [self.seat(number) for number in table.seats]
        if reply is None:
            for seat in seats:
                self.leave(seat)
                self.touch(seat)
            return
        keys = [part.key for part in reply.said if isinstance(part, Sentence)]
        for seat in seats:
            if any(key in SOLVED for key in keys):
                seat.progress.solved.add(self.material.task_name(table))
                seat.wrong = 0
            elif any(key in WRONG for key in keys):
                seat.wrong += 1
        self._record(table)
        self._changed(table)

    def _changed(self, table: Table) -> None:
        """Count a change of a table: a view of it from now on has at least the number `moved`."""
        table.moved, table.since = self.count + 1, self.now
        for number in table.seats:
            self.touch(self.seat(number))

    def _record(self, table: Table) -> None:
        """Keep the game of a table, and count it once at its end."""
        session = table.session
        if not isinstance(session, GameSession) or not session.game.moves or BOARD in table.seats:
            return
        if not table.is_pair and session.seats.names[0] != (name := self.seat(table.seats[0]).name):
            session.seats = replace(session.seats, names=(name, name))
        if self.records.follow(table) and (outcome := session.game.outcome) is not None:
            for seat in (self.seat(number) for number in table.seats):
                own = {table.color_of(seat.name)} if table.is_pair else session.seats.people
                seat.progress.played += 1
                seat.progress.won += outcome.winner in own

    # --- Saving ---

    def state(self) -> dict[str, Any]:
        """Return the class as a value for JSON, without the games that are over."""
        tables = [table.state() for table in self.tables if BOARD not in table.seats]
        seats = [seat.state() for seat in self.seats.values()]
        own = {name: getattr(self, name) for name in KEPT}
        game = None if self.game == self._first_game else asdict(self.game)
        return {**own, "activity": asdict(self.activity), "game": game, "seats": seats, "tables": tables}

    def restore(self, state: Mapping[str, Any], games: Mapping[int, bytes]) -> None:
        """Go on with a state."""
        for name in KEPT:
            setattr(self, name, state[name])
        self.activity = Activity.read(state["activity"])
        if state["game"] is not None:
            self.game = Activity.read(state["game"])
        self.seats = {seat.number: seat for seat in map(Seat.read, state["seats"])}
        self.records = Records(games)
        for kept in state["tables"]:
            self._resume(kept)

    def _resume(self, kept: Mapping[str, Any]) -> None:
        """Let children go on at a table with the state of one."""
        numbers, theme = tuple(kept["seats"]), kept["theme"]
        session = self.material.restored(kept["session"], theme, self.seat(numbers[0]))
        table = Table(session, numbers, theme)
        for number in numbers:
            self.seat(number).table = table
        self.tables.append(table)
        if isinstance(session, ProblemSession):
            table.kept = kept["session"]
        self.records.resume(table, kept["game"])
        self.follow(table, table.begin())
        table.moved = kept["moved"]
