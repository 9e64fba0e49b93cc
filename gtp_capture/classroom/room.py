"""A class: who is there, and who sits at which desk. Time and random choices come from outside.

What children and the teacher do is in `child` and `teacher`; what it leads to is here.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from ..go.rules import Rules
from ..jit.warmup import State
from ..players import levels
from ..teach.event import Judged, Noted, Notice, Played, Refusal, RefusedError
from ..teach.puzzles.problem import Problem
from ..teach.sentences import ENGLISH
from ..teach.words import class_words
from ..tutor.game import GameSession
from ..tutor.reading import Command
from ..tutor.searches import Searches
from ..tutor.session import Reply, Work
from .activity import ADAPT, Activity
from .desk import Desk, KeptDesk
from .kept import MOST_SEATS, Kept
from .offers import Button, Choice, buttons, choices
from .question import Question
from .records import Records
from .seat import (
    PATIENCE,
    SHOWN_ANSWERS,
    AtHome,
    PlayedGame,
    Seat,
    free_name,
    hashed,
    name_of,
    same_name,
    typed,
)
from .sessions import SessionFactory

DIGITS: Final = 4
"""The number of digits of the word of a class, so that there are more than 100,000 words."""
SHARED: Final = 6
"""The maximum number of seats of children who share a device."""
BOARD: Final = 0
"""The number of the teacher's board."""
SAVED: Final = ("word", "day", "count", "joined", "language", "allowed", "names", "free_names", "taken", "homework")
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
        kept: Kept | None = None,
    ) -> None:
        """Begin a class, or go on with one.

        `game`: how games are played, until the teacher says otherwise; `problems`: the collection; `language`: of a new
        class; `kept`: the class to go on with. FieldError: a board of it is damaged.
        """
        kept = kept or Kept(word=_new_word(dice, language), language=language)
        self.sessions, self.dice = SessionFactory(searches, problems), dice
        self.game, self._first_game = kept.game or game, game
        self.word, self.day, self.language = kept.word, kept.day, kept.language
        self.wrong_words = 0
        """How often a wrong word was given."""
        self.seats = {seat.number: seat for seat in kept.seats}
        self.joined = kept.joined
        """The number of the last new seat; no number is used twice."""
        self.removed = [*kept.removed]
        self.teacher = Seat(BOARD, "", language=self.language, at_home=True)
        self.desks: list[Desk] = []
        self.records = Records(kept.written, kept.unwritten)
        self.activity, self.plan = kept.activity, kept.plan.off_screens
        self.is_open, self.is_paused, self.has_ended = True, False, False
        self.allowed = dict(kept.allowed)
        self.names, self.free_names = kept.names, kept.free_names
        """The names that children tap, if there are any, and whether others can be typed too."""
        self._was_ready = True
        """Whether the players were ready at the last look."""
        self.is_spoken = False
        """Whether boards are sentences too."""
        self.met = {*kept.met}
        """The pairs of children that have met today, each with the lower number first; a child alone has met itself."""
        self.is_round = False
        """Whether a round is played."""
        self.assigned = kept.assigned
        """The lessons that were set for all today."""
        self.taken = kept.taken
        """The number of stones that the children have taken today."""
        self.homework = {name: (*problems,) for name, problems in kept.homework.items()}
        """The problems of the files for home that were handed out, in the order of their codes, by the file's name."""
        self.is_closing = False
        """Whether all see what the class has done today."""
        self.shown: int | None = None
        """The seat whose board is on the wall."""
        self.frame: int | None = None
        """The board of the moves shown on the teacher's board that all see, from 0; None: the moves are played out."""
        self.question: Question | None = None
        """The question that all children answer now."""
        self.trouble: Exception | None = None
        """Why the class could not be saved the last time; None if it was."""
        self.now = 0.0
        self.count = kept.count
        """Changes so far: a later view has a higher number."""
        self.changed = 0
        """The count at the last change of what concerns the whole class."""
        for desk in kept.desks:
            self._resume(desk)
        for seat in kept.seats:
            seat.at_home |= seat.desk is None

    # --- Who is there ---

    def tick(self, now: float) -> None:
        """Set the time (s)."""
        passed = now - self.now if self.now else 0.0
        self.now = now
        if self.is_ready != self._was_ready:
            self._was_ready = self.is_ready
            self.mark_all_changed()
        for seat in self.seats.values():
            if seat.here:
                seat.spent, seat.spent_today = seat.spent + passed, seat.spent_today + passed
            desk, waits = seat.open_desk, False
            if desk is not None and seat.here and not self.is_stopped and self.is_turn(seat, desk):
                waits = now - max(seat.since, desk.since) > PATIENCE
            if waits != seat.waits:
                seat.waits = waits
                self.mark_changed(seat)

    def choose_word(self, day: str) -> None:
        """Choose a word for a day, unless it is the day of the word that there is."""
        if day != self.day:
            for seat in self.seats.values() if self.day else ():
                seat.progress.boxes.begin_lesson()
            self.word, self.day = _new_word(self.dice, self.language), day
            self.met, self.taken, self.assigned = set(), 0, ()
            for seat in (*self.seats.values(), *self.removed):
                seat.spent_today = 0.0

    def join(self, word: str, name: str, device: str, language: str = "") -> Seat:
        """Return the seat of a device, or a new one. RefusedError: the word is wrong, or all is full.

        A device that gives a name which is taken is asked whether it is the seat of its child; see `Seat.claims`.
        `device`: its name, which is a secret; `language`: of the page, "" for that of the class.
        """
        if (own := self.seat_of(device)) is not None:
            return own
        self.check_word(word)
        name, key_hash = name_of(name), hashed(device)
        if self.names and not self.free_names and same_name(name) not in map(same_name, self.names):
            raise RefusedError(Refusal.NOT_LISTED)
        same = next((seat for seat in self.seats.values() if same_name(seat.name) == same_name(name)), None)
        if same is not None and same.key_hash == key_hash:
            same.has_left, same.since = False, self.now
            self.set_language(same, language or same.language)
            self.mark_changed(same)
            return same
        if sum(seat.key_hash == key_hash for seat in self.seats.values()) >= SHARED:
            raise RefusedError(Refusal.FULL)
        self._make_room()
        self.joined += 1
        taken = [seat.name for seat in self.seats.values()]
        seat = Seat(self.joined, free_name(name, taken), language=language or self.language)
        seat.key_hash, seat.since = key_hash, self.now
        seat.claims = None if same is None else same.number
        seat.progress.level = levels.FIRST if self.game.level == ADAPT else levels.level(self.game.level)
        self.seats[seat.number] = seat
        self.set_activity(seat, self.activity)
        return seat

    def check_word(self, word: str) -> None:
        """RefusedError: the class is closed or not ready, or the word is wrong."""
        if self.has_ended or not self.is_open:
            raise RefusedError(Refusal.CLOSED)
        if not self.is_ready:
            raise RefusedError(Refusal.OPENS)
        if typed(word) != typed(self.word):
            self.wrong_words += 1
            raise RefusedError(Refusal.WRONG_WORD)

    def list_names(self, names: Iterable[str], *, is_free: bool = False) -> None:
        """Set the names that children tap. RefusedError: one is too long, or there are too many.

        Empty lines are left out, and a name that is there twice gets a number. `is_free`: others can be typed too.
        """
        listed: list[str] = []
        for name in filter(str.strip, names):
            listed.append(free_name(name_of(name), listed))
        if len(listed) > MOST_SEATS:
            raise RefusedError(Refusal.FULL)
        self.names, self.free_names = tuple(listed), is_free
        self.mark_all_changed()

    def _make_room(self) -> None:
        """Remove the oldest seat that no device has and that has done nothing, if all are taken. RefusedError: none."""
        if len(self.seats) >= MOST_SEATS:
            unused = (seat for seat in self.seats.values() if not seat.here and not seat.actions)
            if (oldest := next(unused, None)) is None:
                raise RefusedError(Refusal.FULL)
            self.forget(oldest)

    def forget(self, seat: Seat) -> None:
        """Remove a seat."""
        self.leave(seat)
        del self.seats[seat.number]
        self.decline_all(seat)
        for other in self.seats.values():
            if other.claims == seat.number:
                self.keep_new(other)
        if self.shown == seat.number:
            self.shown = None
        if self.question is not None:
            self.question.answers.pop(seat.number, None)
        self.mark_all_changed()

    def keep_new(self, seat: Seat) -> None:
        """Let a device that has claimed another seat keep its new one, and begin."""
        seat.claims, seat.is_sure = None, False
        self.set_activity(seat, seat.activity)

    def give_back(self, seat: Seat) -> None:
        """Give a device the seat that it claims, in place of its new one."""
        own = self.seat(seat.claims or BOARD)
        own.key_hash, own.has_left, own.since = seat.key_hash, False, self.now
        self.set_language(own, seat.language)
        seat.key_hash, seat.claims = "", None
        self.forget(seat)

    def seat_of(self, device: str) -> Seat | None:
        """Return the seat of a device."""
        given = hashed(device)
        return next((seat for seat in self.seats.values() if seat.key_hash == given and not seat.has_left), None)

    def seat(self, number: int) -> Seat:
        """Return a seat by its number. RefusedError: there is none."""
        if number == BOARD:
            return self.teacher
        if number not in self.seats:
            raise RefusedError(Refusal.NO_SEAT)
        return self.seats[number]

    def present(self, seat: Seat, here: bool) -> None:
        """Set whether a device of a seat is connected; nothing if the seat was removed."""
        if self.seats.get(seat.number) is seat and seat.here != here:
            seat.here, seat.since = here, self.now
            self.mark_desk_changed(seat)
            self.mark_choosing_changed()
            for other in self.seats.values():
                if other.asks == seat.number:
                    self.mark_changed(other)

    def set_language(self, seat: Seat, language: str) -> None:
        """Say all to a seat in another language."""
        if language != seat.language:
            seat.language = language
            self.mark_changed(seat)

    @property
    def is_ready(self) -> bool:
        """Whether the players are ready: once on a computer they are compiled before, unless that is impossible."""
        return self.sessions.searches.warmup.state is not State.COMPILING

    @property
    def is_stopped(self) -> bool:
        """Whether the boards of the children stop: for the front, for the closing page, or for a question to all."""
        return self.is_paused or self.is_closing or self.question is not None

    @property
    def here(self) -> list[Seat]:
        """The children who take part."""
        return [seat for seat in self.seats.values() if seat.takes_part]

    def needs_help(self, seat: Seat) -> bool:
        """Whether a child needs help: one who is not here needs none now, nor does anybody on the closing page."""
        return not self.is_closing and seat.takes_part and bool(seat.mark)

    @property
    def round(self) -> tuple[tuple[int, int], ...]:
        """The seats of each two children who play each other in this round. A child alone is paired with itself."""
        if not self.is_round:
            return ()
        pairs = ((desk.seats[0], desk.seats[1]) for desk in self.desks if desk.is_pair)
        at_board = (seat for seat in self.here if seat.at_board and seat.activity.kind == "pairs")
        alone = (seat.number for seat in at_board if seat.desk is not None and not seat.desk.is_pair)
        return (*pairs, *((number, number) for number in alone))

    @property
    def on_wall(self) -> Seat | None:
        """The seat whose board is on the wall; None for none."""
        return None if self.shown is None else self.seat(self.shown)

    @property
    def asked(self) -> list[Seat]:
        """The children of whom an answer is expected: those who are here, and those who have answered."""
        answers = {} if self.question is None else self.question.answers
        return [seat for seat in self.seats.values() if seat.here or seat.number in answers]

    # --- Changes of views ---

    def mark_changed(self, seat: Seat) -> None:
        """Count a change of a view."""
        self.count += 1
        seat.changed = self.count

    def mark_desk_changed(self, seat: Seat) -> None:
        """Count a change of the views of all who sit at the desk of a seat."""
        for number in seat.desk.seats if seat.desk is not None else (seat.number,):
            self.mark_changed(self.seat(number))

    def mark_all_changed(self) -> None:
        """Count a change of all views."""
        for seat in self.seats.values():
            self.mark_changed(seat)
        self.mark_class_changed()

    def mark_class_changed(self) -> None:
        """Count a change of what the teacher and the projector see of the whole class."""
        self.count += 1
        self.changed = self.count

    def mark_choosing_changed(self) -> None:
        """Count a change for all who see which children they may ask to play."""
        for seat in self.seats.values():
            if seat.is_free:
                self.mark_changed(seat)

    def version(self, seat: Seat) -> int:
        """Return the count of the last change of what a child sees."""
        is_as_wall = (self.is_paused or self.is_closing) and self.question is None
        return max(seat.changed, self.wall_version()) if is_as_wall else seat.changed

    def wall_version(self) -> int:
        """Return the count of the last change of what the wall shows."""
        if self.is_round or self.is_closing or self.question is not None:
            return self.count
        return self.changed if self.on_wall is None else max(self.changed, self.on_wall.changed)

    def complain(self, trouble: Exception | None) -> None:
        """Show the teacher why the class cannot be saved; None if it is saved."""
        if repr(trouble) != repr(self.trouble):
            self.trouble = trouble
            self.mark_all_changed()

    # --- Homework ---

    def hand_out(self, name: str, problems: tuple[str, ...]) -> None:
        """Remember the problems of a file for home, by whose name its codes begin."""
        self.homework[name] = problems
        self.mark_class_changed()

    def at_home(self, seat: Seat) -> dict[str, AtHome]:
        """Return how a child has done problems at home, by their names: the best of all files."""
        best = dict[str, AtHome]()
        for name, done in seat.progress.codes.items():
            for problem, how in zip(self.homework[name], done, strict=True):
                best[problem] = max(how, best.get(problem, how))
        return best

    def take_code(self, name: str, number: int, done: tuple[AtHome, ...], chosen: int | None = None) -> Seat:
        """Note what a code of a file says, for the child with a number, or for one that the teacher has chosen.

        A chosen child takes what was noted for the number from a code with the same problems. RefusedError: none has
        the number.
        """
        if (seat := self.seats.get(number if chosen is None else chosen)) is None:
            raise RefusedError(Refusal.CODE_NOBODY)
        other = self.seats.get(number)
        if other is not None and other is not seat and other.progress.codes.get(name) == done:
            del other.progress.codes[name]
            self.mark_changed(other)
        before = seat.progress.codes.get(name, done)
        seat.progress.codes[name] = tuple(map(max, before, done))
        self.mark_changed(seat)
        return seat

    # --- What is offered ---

    def follows(self, seat: Seat) -> bool:
        """Whether a child does what is set for all."""
        activity, desk = self.activity, seat.desk
        if activity.kind == "free":
            return True
        if desk is None or (seat.at_home and not seat.at_end):
            return False
        task, setup = desk.session.current, desk.session.setup
        lesson = task.lesson if task is not None else desk.session.lesson_of_game
        if activity.kind == "lesson":
            return lesson == activity.lesson
        if activity.kind == "problems":
            return setup is None and not lesson and desk.theme == activity.theme
        if setup is None or lesson or (setup.rules, setup.width) != (Rules.parse(activity.rules), activity.size):
            return False
        is_level = activity.level == ADAPT or setup.level == levels.level(activity.level)
        return activity.kind == "pairs" or (is_level and not desk.is_pair)

    def is_turn(self, seat: Seat, desk: Desk) -> bool:
        """Whether the session waits for this seat."""
        if desk.work is not None or desk.session.finished:
            return False
        return not desk.is_pair or int(desk.session.game.to_move) == desk.color_of(seat.name)

    def buttons(self, seat: Seat) -> list[Button]:
        """Return the buttons of a seat at its desk."""
        return buttons(seat, self.allowed)

    def choices(self, seat: Seat) -> list[Choice]:
        """Return what a seat may choose at home: also to play with another child that is there and chooses, too."""
        desk, others = seat.desk, [other for other in self.seats.values() if other is not seat and other.is_free]
        is_left = desk is not None and desk.is_pair and not self.partner(seat, desk).at_board
        return choices(seat, others, is_left)

    def partner(self, seat: Seat, desk: Desk) -> Seat:
        """Return the other child of a pair."""
        (other,) = (number for number in desk.seats if number != seat.number)
        return self.seat(other)

    def asker(self, seat: Seat) -> Seat | None:
        """Return the child that has asked this one to play with it, and waits."""
        asking = (other for other in self.seats.values() if other.asks == seat.number and other.at_home)
        return next(asking, None) if seat.at_home else None

    def decline(self, asker: Seat, seat: Seat) -> None:
        """Tell a child that the one that it has asked to play with it does not."""
        asker.asks, asker.declined = None, seat.name
        self.mark_changed(asker)
        self.mark_choosing_changed()

    def decline_all(self, seat: Seat) -> None:
        """Tell all children that have asked this one to play with them that it does something else."""
        for other in self.seats.values():
            if other.asks == seat.number:
                self.decline(other, seat)

    # --- Tables ---

    def set_activity(self, seat: Seat, activity: Activity) -> None:
        """Set an activity, and begin it, unless the child is asked who it is; with free choice it stays where it is."""
        seat.activity = activity
        if activity.kind != "free" and seat.claims is None:
            self.start(seat, activity)
        elif seat.desk is None:
            seat.at_home = True
        self.mark_changed(seat)

    def start(self, seat: Seat, activity: Activity) -> None:
        """Begin an activity at a desk of its own."""
        self.sit(Desk(self.sessions.session(activity, seat), (seat.number,), activity.theme))

    def sit_pair(self, first: Seat, second: Seat, played: Activity | None = None) -> None:
        """Begin a game of two children; the first one has Black. `played`: the game; None for the one that is set."""
        set_for_both = first.activity == second.activity and first.activity.kind in ("game", "pairs")
        game = self.sessions.pair_game(played or (first.activity if set_for_both else self.game), first, second)
        self.met.add((min(first.number, second.number), max(first.number, second.number)))
        self.sit(Desk(game, (first.number, second.number)))

    def sit(self, desk: Desk) -> None:
        """Let children sit at a new desk, and begin."""
        for number in desk.seats:
            seat = self.seat(number)
            self.leave(seat)
            seat.claims, seat.is_sure = None, False
            seat.desk, seat.at_home, seat.asks, seat.since = desk, False, None, self.now
            seat.wrong, seat.declined, seat.left = 0, "", ""
        for number in desk.seats:
            self.decline_all(self.seat(number))
        self.desks.append(desk)
        self.apply_reply(desk, desk.begin())

    def leave(self, seat: Seat) -> None:
        """Let a child leave its desk; the other one of a pair goes home, and is told."""
        desk, seat.desk, seat.at_home = seat.desk, None, True
        if desk is None:
            return
        self._clear(desk)
        if desk.is_pair:
            other = self.partner(seat, desk)
            other.desk, other.at_home, other.left = None, True, seat.name
            self.mark_changed(other)
            self.mark_choosing_changed()

    def answer_wish(self, desk: Desk, *, agrees: bool) -> None:
        """Take the last move of a pair back, if the other child agrees to it, and tell both."""
        assert desk.wish is not None
        asker, desk.wish = self.seat(desk.wish), None
        if not agrees:
            desk.events[asker.number] = [Noted(Notice.UNDO_DECLINED, {"name": self.partner(asker, desk).name})]
            self._changed(desk)
            return
        self.apply_reply(desk, desk.handle_input(Command("undo"), desk.seats))

    def dissolve(self, desk: Desk) -> None:
        """End the game of a pair; both go home."""
        self._clear(desk)
        for number in desk.seats:
            seat = self.seat(number)
            seat.desk, seat.at_home = None, True

    def _clear(self, desk: Desk) -> None:
        desk.abandon()
        self.records.close(desk)
        self.desks.remove(desk)

    def work(self) -> Iterable[tuple[Desk, Work]]:
        """Yield the work that has not begun, and mark it as begun."""
        for desk in self.desks:
            if desk.work is not None and not desk.started:
                desk.started = True
                yield desk, desk.work

    def finish_work(self, desk: Desk, work: Work, result: Any) -> None:
        """Go on with the result of a work, unless it is not wanted any more."""
        if desk.work is work:
            self.apply_reply(desk, desk.finish_work(result))

    def fail(self, desk: Desk, work: Work) -> None:
        """Say that a work has failed; the child may go on."""
        if desk.work is work:
            desk.abandon()
            for number in desk.seats:
                desk.events[number].append(Noted(Notice.WORK_FAILED))
            self._changed(desk)

    def apply_reply(self, desk: Desk, reply: Reply | None) -> None:
        """Follow an answer of a session: what the children have done, and where they are now."""
        seats = [self.seat(number) for number in desk.seats]
        if reply is None:
            for seat in seats:
                self.leave(seat)
                self.mark_changed(seat)
            return
        played = [event for event in reply.events if isinstance(event, Played)]
        if isinstance(desk.session, GameSession) and BOARD not in desk.seats:
            self.taken += sum(len(event.captured) for event in played if event.color in desk.session.people)
        judged = [event for event in reply.events if isinstance(event, Judged)]
        for seat in seats:
            seat.answers = (*judged, *seat.answers)[:SHOWN_ANSWERS]
            if any(event.solved for event in judged):
                seat.wrong = 0
            elif any(not event.right for event in judged):
                seat.wrong += 1
        self._record(desk)
        self._changed(desk)

    def _changed(self, desk: Desk) -> None:
        """Count a change of a desk: a view of it from now on has at least the number `moved`."""
        desk.moved, desk.since = self.count + 1, self.now
        if BOARD in desk.seats:
            self.frame = None
        desk.told.update(dict.fromkeys(desk.recipients, desk.moved))
        for number in desk.seats:
            self.seat(number).ring = ""
            self.mark_changed(self.seat(number))

    def _record(self, desk: Desk) -> None:
        """Keep the game of a desk, and count it once at its end."""
        session = desk.session
        if not isinstance(session, GameSession) or not session.game.moves or BOARD in desk.seats:
            return
        if not desk.is_pair and session.setup.names[0] != (name := self.seat(desk.seats[0]).name):
            session.setup = replace(session.setup, names=(name, name))
        if self.records.follow(desk) and (outcome := session.game.outcome) is not None:
            for seat in (self.seat(number) for number in desk.seats):
                own = desk.colors_of(seat.name)
                won = outcome.winner is not None and int(outcome.winner) in own
                helped, level = bool(own & session.helped), 0 if desk.is_pair else session.level
                lesson = seat.progress.boxes.lesson
                seat.progress.results.append(PlayedGame(lesson=lesson, level=level, won=won, helped=helped))
                if won:
                    desk.events[seat.number].append(Noted(Notice.STAR_MISSED if helped else Notice.STAR_EARNED))

    # --- Saving ---

    def state(self) -> dict[str, Any]:
        """Return the class as a value for JSON, with the games that are over and have no file yet."""
        desks = [desk for desk in self.desks if BOARD not in desk.seats]
        return {
            **{name: getattr(self, name) for name in SAVED},
            "activity": self.activity.state(),
            "plan": self.plan.state(),
            "assigned": [activity.state() for activity in self.assigned],
            "game": None if self.game == self._first_game else self.game.state(),
            "seats": [seat.state() for seat in self.seats.values()],
            "removed": [seat.state() for seat in self.removed],
            "tables": [{**desk.state(), "counted": self.records.is_counted(desk)} for desk in desks],
            "met": [{"pair": sorted({*pair})} for pair in sorted(self.met)],
            "games": {str(number): sgf.decode() for number, sgf in self.records.unwritten().items()},
        }

    def _resume(self, kept: KeptDesk) -> None:
        """Let children go on at a desk. FieldError: its session is damaged."""
        seats = [self.seats[number] for number in kept.seats]
        desk = Desk(self.sessions.restored(kept.session, kept.theme, seats), kept.seats, kept.theme)
        for seat in seats:
            seat.desk = desk
        self.desks.append(desk)
        if kept.game is not None:
            self.records.resume(desk, kept.game, counted=kept.counted)
        self.apply_reply(desk, desk.begin())
        desk.moved = kept.moved


def _new_word(dice: random.Random, language: str) -> str:
    """Return a word for a class."""
    return f"{dice.choice(class_words(language))} {dice.randrange(10**DIGITS):0{DIGITS}}"
