"""The part of a class that is kept: typed values, read from a state with all that has to fit together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self

from ..teach.sentences import ENGLISH, languages
from ..tutor.reading import folded
from ..util.fields import LARGEST, FieldError, Fields
from .activity import FREE, Activity
from .desk import KeptDesk
from .plan import Plan
from .seat import LONGEST, Seat, same_name

MOST_SEATS: Final = 60
LONGEST_WORD: Final = 64
"""The maximum number of characters of the word of a class."""
LONGEST_GAME: Final = 100_000
"""The maximum number of bytes of a game as SGF."""
ALLOWED: Final = {"hints": True, "undo": True, "sound": False}
"""What the teacher may allow or withhold, and whether it is allowed at first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What is kept of a class, at its beginning or later."""

    word: str
    """The word of the class, which children can type."""
    day: str = ""
    """The day on which it was chosen."""
    language: str = ENGLISH
    count: int = 0
    joined: int = 0
    allowed: dict[str, bool] = field(default_factory=lambda: dict(ALLOWED))
    names: tuple[str, ...] = ()
    """The names that children tap."""
    free_names: bool = False
    """Whether others can be typed too."""
    activity: Activity = FREE
    """Of children who join."""
    game: Activity | None = None
    """How games are played, if the teacher has said so."""
    assigned: tuple[Activity, ...] = ()
    """The lessons that were set for all on this day."""
    plan: Plan = field(default_factory=Plan)
    seats: tuple[Seat, ...] = ()
    removed: tuple[Seat, ...] = ()
    """The seats of removed children whose results are kept."""
    met: frozenset[tuple[int, int]] = frozenset()
    """The pairs of children that have met on this day; see `Classroom.met`."""
    taken: int = 0
    """The stones that the children have taken on this day."""
    homework: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """See `Classroom.homework`."""
    desks: tuple[KeptDesk, ...] = ()
    unwritten: Mapping[int, bytes] = field(default_factory=dict)
    """The games that were over and had no file yet, as SGF, by number."""
    written: Mapping[int, bytes] = field(default_factory=dict)
    """The games that have a file."""

    @classmethod
    def read(cls, state: Fields, written: Mapping[int, bytes]) -> Self:
        """Return the class of a state of `Classroom.state`. FieldError: it is none."""
        count = state.whole("count")
        kept = cls(
            word=state.text("word", LONGEST_WORD),
            day=state.text("day", LONGEST_WORD),
            language=state.choice("language", languages()),
            count=count,
            joined=state.whole("joined"),
            allowed={name: state.fields("allowed").flag(name) for name in ALLOWED},
            names=tuple(state.texts("names", LONGEST)),
            free_names=state.flag("free_names"),
            activity=Activity.kept(state.fields("activity")),
            game=None if state.is_null("game") else Activity.kept(state.fields("game")),
            assigned=tuple(map(Activity.kept, state.all_fields("assigned"))),
            plan=Plan.read(state.fields("plan")),
            seats=tuple(map(Seat.kept, state.all_fields("seats", MOST_SEATS))),
            removed=tuple(map(Seat.kept, state.all_fields("removed"))),
            desks=tuple(KeptDesk.read(desk, count) for desk in state.all_fields("tables", MOST_SEATS)),
            met=_met(state),
            taken=state.whole("taken"),
            homework=_homework(state.fields("homework")),
            unwritten=_games(state.fields("games")),
            written=written,
        )
        kept._check(state)
        return kept

    def _check(self, state: Fields) -> None:
        """FieldError: values do not fit together."""
        numbers = [seat.number for seat in (*self.seats, *self.removed)]
        seated = [number for desk in self.desks for number in desk.seats]
        names = [same_name(seat.name) for seat in self.seats]
        if not folded(self.word):
            raise state.error("is empty", "word")
        if self.game is not None and self.game.kind != "game":
            raise state.error("is no game", "game")
        for shared, values in (
            ("seats have the number", numbers),
            ("seats have the name", names),
            ("tables have the seat", seated),
            ("tables have the game", [desk.game for desk in self.desks if desk.game is not None]),
        ):
            if twice := [value for value, times in Counter(values).items() if times > 1]:
                raise FieldError(f"two {shared} {twice[0]}")
        if unknown := {*seated} - {seat.number for seat in self.seats}:
            raise FieldError(f"a table has the seat {min(unknown)}, which does not exist")
        for seat in (*self.seats, *self.removed):
            for name, done in seat.progress.codes.items():
                if len(done) != len(self.homework.get(name, ())):
                    raise FieldError(f"the seat {seat.number} has a code of the homework {name}, which is another one")
        if max(numbers, default=0) > self.joined:
            raise state.error("is less than the number of a seat", "joined")


def _met(state: Fields) -> frozenset[tuple[int, int]]:
    """Return the pairs of children that have met."""
    pairs = [pair.wholes("pair", 1) for pair in state.all_fields("met")]
    met = frozenset((pair[0], pair[-1]) for pair in pairs if len(pair) in (1, 2))
    if len(met) != len(pairs):
        raise state.error("has a pair that is none, or is there twice", "met")
    return met


def _homework(state: Fields) -> dict[str, tuple[str, ...]]:
    return {name: tuple(state.texts(name, LONGEST)) for name in state.names()}


def _games(state: Fields) -> dict[int, bytes]:
    """Return games as SGF, by number."""
    for name in state.names():
        if not (name.isascii() and name.isdigit() and name[0] != "0" and len(name) < len(str(LARGEST))):
            raise state.error("is no number of a game", name)
    return {int(name): state.text(name, LONGEST_GAME).encode() for name in state.names()}
