"""Classes for tests: with a seed, without a screen, and with the work done at once."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from threading import Event
from typing import Any, Final

from gtp_capture.classroom import child, teacher
from gtp_capture.classroom.activity import Activity
from gtp_capture.classroom.kept import Kept
from gtp_capture.classroom.room import Classroom
from gtp_capture.classroom.seat import Seat
from gtp_capture.go.game import Game
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.players.player import PlayerSettings
from gtp_capture.teach.puzzles import files
from gtp_capture.teach.puzzles.problem import Problem
from gtp_capture.teach.sentences import ENGLISH
from gtp_capture.tutor.searches import Searches
from gtp_capture.util.fields import Fields
from gtp_capture.util.limit import Limit
from gtp_capture.web import view

from .contract import watch

watch()
GAME: Final = Activity("game", size=5, level="1")
NAMES: Final = count()
"""Names of actions."""


@cache
def collection() -> Sequence[Problem]:
    """The problems that come with the program, read once for all classes."""
    return tuple(files.shipped())


def searches() -> Searches:
    """Return searches with limits that do not depend on the machine."""
    return Searches(PlayerSettings(seed=1, memory=2**24), count=4, limit=Limit(playouts=50), review=Limit(playouts=50))


def new_room(game: Activity = GAME, seed: int = 1, language: str = ENGLISH, kept: Kept | None = None) -> Classroom:
    """Return a class without children, or one that goes on."""
    return Classroom(game, searches(), collection(), random.Random(seed), language=language, kept=kept)


def joined(room: Classroom, *names: str) -> list[Seat]:
    """Let children come in, whose devices are connected."""
    seats = [room.join(room.word.lower(), name, f"join {next(NAMES)}") for name in names]
    for seat in seats:
        room.present(seat, True)
    return seats


def whole(lines: Sequence[Any], board: Any) -> str:
    """Return the drawing of a replay, from what it has in common with a board."""
    own = board["svg"].split("\n")
    runs = [[line] if isinstance(line, str) else own[line[0] : line[1]] for line in lines]
    return "\n".join(line for run in runs for line in run)


def work(room: Classroom) -> None:
    """Do all work that the class waits for."""
    while waiting := [*room.work()]:
        for desk, todo in waiting:
            room.finish_work(desk, todo, todo.run(Event()))


def do(room: Classroom, seat: Seat, **action: Any) -> Any:
    """Do an action of a child on what it sees, with the work that follows, and return its view."""
    child.act(room, seat, action, view.child(room, seat)["n"], f"do {next(NAMES)}")
    work(room)
    return view.child(room, seat)


def teach(room: Classroom, **action: Any) -> None:
    """Do an action of the teacher, with the work that follows."""
    teacher.teach(room, action, f"teach {next(NAMES)}")
    work(room)


def nearly_win(game: Game) -> None:
    """Put stones on a board of 5x5, of which Black takes the one at A1 by a play at B1."""
    for color, vertex in ((BLACK, "C3"), (WHITE, "A1"), (BLACK, "A2"), (WHITE, "E5")):
        game.play_point(game.point(vertex), color)


def said(shown: Any) -> list[str]:
    """Return the sentences of a view."""
    return [sentence["text"] for sentence in shown["said"]]


def stones(shown: Mapping[str, Any]) -> dict[str, str]:
    """Return the stones of the board of a view, by vertex."""
    return {point["vertex"]: point["stone"] for point in shown["board"]["points"] if point["stone"]}


def answers(shown: Mapping[str, Any]) -> list[str]:
    """Return the points of a view that can be tapped."""
    board = shown["board"]
    return [point["vertex"] for point in board["points"]] if board is not None and board["live"] else []


def offers(shown: Any, dice: random.Random) -> list[dict[str, Any]]:
    """Return the actions that a view offers."""
    actions = [button["do"] for button in shown["buttons"] if not button["disabled"]]
    actions += [choice["do"] for choice in shown["choices"]] + [{"home": True}]
    actions += [answer["do"] for answer in (shown["question"] or {"answers": []})["answers"]]
    actions += [{"point": vertex} for vertex in answers(shown)]
    return actions + [{"number": dice.randrange(13)}] * bool(shown["number"])


def texts(shown: Any, key: str = "") -> Iterator[str]:
    """Yield all that a person reads or hears of a view."""
    if isinstance(shown, Mapping):
        for name, value in shown.items():
            yield from texts(value, name)
    elif isinstance(shown, list):
        for value in shown:
            yield from texts(value, key)
    elif key in ("busy", "label", "note", "task", "text", "title", "waits"):
        yield str(shown)


def gone_on(room: Classroom) -> Classroom:
    """Return the class that a new process makes from the saved state."""
    state = json.loads(json.dumps(room.state()))
    written = {number: record.sgf for number, record in room.records.games.items() if record.written}
    return new_room(GAME if state["game"] else room.game, kept=Kept.read(Fields(state), written))
