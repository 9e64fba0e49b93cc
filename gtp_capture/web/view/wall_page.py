"""The view of the wall, the page of the projector."""

from __future__ import annotations

from ...classroom.room import Classroom
from ...teach.words import page_voice
from .parts import closing_line, of_class, shown_to_all
from .shapes import Door, PairView, StarsView, WallView


def wall(room: Classroom, door: Door) -> WallView:
    """Return the view of the wall: the board that is shown, or how to come in."""
    voice = page_voice(room.language)
    scene = shown_to_all(room, voice)
    if room.is_closing:
        scene["title"] = closing_line(room, voice)
    pairs = _on_list(room) if scene["board"] is None else []
    return {"n": room.count, "language": room.language, **scene, "pairs": pairs, "class": of_class(room, door)}


def _on_list(room: Classroom) -> list[PairView]:
    """Return the children that the wall lists: the pairs of a round, or at the end all, with their stars."""
    stars: dict[int, StarsView] = {
        seat.number: {"name": seat.name, "stars": seat.progress.stars_today} for seat in room.seats.values()
    }
    if room.is_closing:
        return [{"children": [child], "alone": ""} for child in stars.values()]
    alone = page_voice(room.language).text("class.round.alone")
    numbers = [(number,) if number == other else (number, other) for number, other in room.round]
    here = [[stars[number] for number in pair if number in stars] for pair in numbers]
    return [{"children": pair, "alone": "" if len(pair) > 1 else alone} for pair in here if pair]
