"""What the children of a class have done: counts for each, the hardest problems, and those that are open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from ..tutor.leitner import How
from .room import Classroom
from .seat import AtHome, Seat

HARDEST: Final = 3
"""The number of hardest problems."""
COUNTS: Final = ("stars", "at_once", "tries", "hint", "shown", "left", "played", "won", "helped", "minutes")
"""What is counted: stars; problems by how they were done; games, those won, and those won with help; and minutes."""
HOWS: Final = {"at_once": How.AT_ONCE, "tries": How.TRIES, "hint": How.HINT, "shown": How.SHOWN, "left": How.LEFT}


def counts(seat: Seat, *, today: bool) -> dict[str, int]:
    """Return the counts of a child by the names in COUNTS, of this day alone or of all."""
    progress = seat.progress
    day = progress.boxes.lesson
    hows = Counter(card.how for card in progress.boxes.cards.values() if not today or card.lesson == day)
    games = [game for game in progress.results if not today or game.lesson == day]
    won = [game for game in games if game.won]
    return {
        "stars": progress.stars_today if today else progress.stars,
        **{name: hows[how] for name, how in HOWS.items()},
        "played": len(games),
        "won": len(won),
        "helped": sum(game.helped for game in won),
        "minutes": int((seat.spent_today if today else seat.spent) // 60),
    }


def best_level(seat: Seat) -> int:
    """Return the highest level of the computer against which a child has won without help; 0 for none."""
    return max((game.level for game in seat.progress.results if game.has_star), default=0)


def hardest(seats: Iterable[Seat]) -> list[tuple[str, int, int]]:
    """Return the problems that most children did not solve alone today: name, their number, and how many tried it."""
    tried, troubled = Counter[str](), Counter[str]()
    for seat in seats:
        boxes = seat.progress.boxes
        for name, card in boxes.cards.items():
            if card.lesson == boxes.lesson:
                tried[name] += 1
                troubled[name] += not card.how.is_alone
    order = sorted(+troubled, key=lambda name: (-troubled[name], tried[name], name))
    return [(name, troubled[name], tried[name]) for name in order[:HARDEST]]


def open_problems(room: Classroom, seats: Iterable[Seat]) -> list[str]:
    """Return the problems that some of the children have not solved alone, neither in class nor at home.

    They are those that were set for all today, or are set now, and those that a child has begun today.
    """
    of_lesson = {name for activity in (*room.assigned, room.activity) for name in activity.problems}
    opened = set[str]()
    for seat in seats:
        boxes, at_home = seat.progress.boxes, room.at_home(seat)
        begun = {name for name, card in boxes.cards.items() if boxes.lesson == card.lesson or card.help > How.AT_ONCE}
        alone = {name for name, card in boxes.cards.items() if card.how.is_alone}
        alone |= {name for name, how in at_home.items() if how is AtHome.ALONE}
        opened |= (begun | of_lesson) - alone
    return sorted(opened)


def at_home(room: Classroom, seat: Seat) -> dict[AtHome, int]:
    """Return how many problems a child has solved at home, by how."""
    return Counter(room.at_home(seat).values())
