"""The buttons beside the board of a child, and its choices at home."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ..teach.course import lessons
from ..teach.event import Refusal
from .seat import Seat

HELP: Final = ("hint", "explain", "review", "solution")
"""Commands that the teacher may withhold. Only the child that tapped one sees its answer."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button: its name, the action that it sends, and why it cannot be used now."""

    name: str
    do: Mapping[str, Any]
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Something to begin. `key`: its kind, and for a lesson or another child the number."""

    key: str
    level: int = 0
    """The level of the computer."""
    count: int = 0
    """The problems that are solved."""
    lesson: int = 0
    done: bool = False
    """Whether the problems of the lesson are done."""
    won: bool = False
    """Whether the game of the lesson is won."""
    name: str = ""
    """The other child."""
    is_main: bool = False
    """Whether it is the one that most children want: what they have begun, or the next lesson."""

    @property
    def kind(self) -> str:
        """The kind: "continue", "start", "board", "play", "problems", "lesson", "with" or "leave"."""
        return self.key.partition("-")[0]


def buttons(seat: Seat, allowed: Mapping[str, bool]) -> list[Button]:
    """Return the buttons of a seat at its desk."""
    desk = seat.desk
    if desk is None:
        return []
    now, offered = desk.situation(seat.name), []
    for name, refusal in now.actions.items():
        goes_on = name == "next" and (now.finished or now.task is None)
        do = {"continue": True} if goes_on else {"word": name}
        if not (allowed["hints"] if name in HELP else name != "undo" or allowed["undo"]):
            refusal = Refusal.WITHHELD
        elif desk.work is not None:
            refusal = Refusal.BUSY
        elif now.question is not None:
            refusal = Refusal.NOT_NOW
        offered.append(Button("skip" if name == "next" and not goes_on else name, do, refusal))
    return offered


def choices(seat: Seat, others: Iterable[Seat], is_left: bool) -> list[Choice]:
    """Return what a seat may choose at home: what the teacher has set, or everything; the first choice is the main one.

    That is what the child has begun, or else the next step of the path: the first lesson that is not done.
    `others`: whom it may ask to play; `is_left`: whether the other child of its pair is not at their board.
    """
    progress, desk = seat.progress, seat.desk
    task = None if desk is None else desk.session.current
    begun = [] if desk is None else [Choice(key="continue", lesson=0 if task is None else task.lesson)]
    if seat.at_end:
        again, play = Choice(key="start"), Choice(key="play", level=progress.level)
        offered = [again, play] if seat.open_problem is not None else [play, again]
    elif seat.activity.kind != "free":
        offered = begun if begun and not is_left else [*begun, Choice(key="start")]
    else:
        own = [Choice(key="board")] if seat.number == 0 else []
        lesson = [
            Choice(key=f"lesson-{n}", lesson=n, done=n in progress.done, won=n in progress.lesson_games)
            for n in lessons.numbers()
            if task is None or n != task.lesson
        ]
        step = [choice for choice in lesson if choice.lesson == progress.path][:1]
        is_undone = task is not None and task.lesson not in progress.done
        is_open = desk is not None and (is_undone or not desk.session.finished)
        offered = [*begun, *own, *step] if is_open else [*step, *begun, *own]
        offered.append(Choice(key="play", level=progress.level))
        offered.append(Choice(key="problems", count=sum("." not in name for name in progress.solved)))
        offered += [choice for choice in lesson if choice not in step]
        offered += [Choice(key=f"with-{other.number}", name=other.name) for other in others if seat.number]
    leave = [Choice(key="leave")] if seat.number else []
    return [replace(offered[0], is_main=True), *offered[1:], *leave]
