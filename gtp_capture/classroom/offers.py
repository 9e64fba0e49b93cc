"""The buttons beside the board of a child, and its choices at home."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ..teach.course import lessons
from ..tutor.game import GameSession
from ..tutor.lesson import LessonSession
from ..tutor.problem import ProblemTask, TaskSession
from .seat import Seat
from .table import Table

HELP: Final = ("hint", "explain", "review", "solution")
"""Words that the teacher may withhold. Only the child that tapped one sees its answer."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button: the action that it sends, its name, and whether it can be used now."""

    name: str
    """The end of its key in the table of sentences, and its drawing."""
    do: Mapping[str, Any]
    disabled: bool = False
    withheld: bool = False
    """Whether the teacher does not allow it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to begin: its name, the key and the fields of its sentence, and of a note."""

    key: str
    label: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    """The fields of both sentences."""
    note: str = ""


def buttons(seat: Seat, allowed: Mapping[str, bool]) -> list[Button]:
    """Return the buttons of a seat at its table."""
    table = seat.table
    if table is None or not table.is_ready:
        return []
    session = table.session
    found = _of_tasks(session, table.is_page) if isinstance(session, TaskSession) else _of_games(seat, table)
    made = []
    for name, can in found.items():
        withheld = not allowed["hints"] if name in HELP else name == "undo" and not allowed["undo"]
        do = {"continue": True} if name == "next" else {"word": {"skip": "next"}.get(name, name)}
        closed = table.work is not None or table.question is not None
        made.append(Button(name, do, closed or withheld or not can, withheld))
    return made


def _of_tasks(session: TaskSession, is_page: bool) -> dict[str, bool]:
    """Return the buttons of a lesson or a problem, in their order, with whether they can be used."""
    task = session.task
    is_problem = isinstance(task, ProblemTask)
    found = {"back": session.at > 0} if isinstance(session, LessonSession) else {}
    if not is_page:
        found["hint"] = not task.solved
    if is_problem:
        found |= {"undo": bool(task.game.moves), "again": bool(task.game.moves)}
    if not is_page:
        found["solution"] = not task.solved
    return {**found, "next" if task.solved else "skip": True}


def _of_games(seat: Seat, table: Table) -> dict[str, bool]:
    """Return the buttons of a game."""
    session = table.session
    assert isinstance(session, GameSession)
    game, over = session.game, session.game.outcome is not None
    own = {table.color_of(seat.name)} if table.is_pair else session.seats.people
    turn = not over and game.to_move in own
    played = any(move.color in own for move in game.moves)
    found = {"hint": turn and not session.extra_turns}
    if table.is_pair:
        last = game.last_move
        found["undo"] = not over and last is not None and last.color in own
    else:
        found["undo"] = played
    found["explain"] = played and (over or not table.is_pair)
    if game.rules.may_pass:
        found["pass"] = turn
    if over:
        found["review"] = True
    found["new"] = over or not table.is_pair
    if (over and "lessons" in session.words) or (not turn and not over and not table.is_pair and table.work is None):
        found["next"] = True  # to the contents of the course, or to a move of the engine that was cut off
    return found


def choices(seat: Seat, others: Iterable[Seat]) -> list[Choice]:
    """Return what a seat may choose at home: what the teacher has set, or everything; `others`: whom it may ask."""
    found = [Choice("continue", "class.choice.continue")] if seat.table is not None else []
    if seat.activity.kind != "free":
        return found or [Choice("start", "class.choice.start")]
    if seat.number == 0:
        found.append(Choice("board", "class.choice.board"))
    found.append(Choice("play", "class.choice.play", {"level": seat.progress.level}))
    solved = sum("." not in name for name in seat.progress.solved)
    found.append(Choice("problems", "class.choice.problems", {"count": solved}, "class.choice.solved" * (solved > 0)))
    for number in lessons.numbers():
        done, won = number in seat.progress.done, number in seat.progress.lesson_games
        note = "class.choice.done_won" if done and won else "class.choice.done" if done else "class.choice.won" * won
        fields = {"number": number, "title": lessons.title(number, seat.language)}
        found.append(Choice(f"lesson-{number}", "class.choice.lesson", fields, note))
    if seat.number:
        found += [Choice(f"with-{other.number}", "class.choice.with", {"name": other.name}) for other in others]
    return found
