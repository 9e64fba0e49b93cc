"""Plans of lessons: steps for all children with minutes, each of an activity that the teacher can also set alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, Self

from ..teach.course import lessons
from ..util.fields import Fields
from .activity import FREE, Activity

KINDS: Final = ("explain", "look", "set", "round", "closing")
"""The kinds of steps: pages on the projector, a question to all, an activity, a round, and the closing page."""
MOST_STEPS: Final = 40
MOST_MINUTES: Final = 90
USUAL: Final = 10
"""The minutes of a step that the teacher adds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """A step: what all children do, and for how many minutes, which nothing measures."""

    kind: str
    minutes: int = USUAL
    activity: Activity = FREE
    """The lesson from a page or problem on; for "round" the game; any activity for "set"."""

    @property
    def on_board(self) -> bool:
        """Whether the teacher leads this step on her board."""
        return self.kind in ("explain", "look")

    @property
    def on_screens(self) -> bool:
        """Whether this step is on all screens, and ends with them."""
        return self.on_board or self.kind == "closing"

    def state(self) -> dict[str, Any]:
        """Return a value for JSON."""
        return {"kind": self.kind, "minutes": self.minutes, "activity": self.activity.state()}

    @classmethod
    def read(cls, state: Fields) -> Self:
        """Return the step of a state. FieldError: it is none."""
        step = cls(
            kind=state.choice("kind", KINDS),
            minutes=state.whole("minutes", 1, MOST_MINUTES),
            activity=Activity.kept(state.fields("activity")),
        )
        if step.on_board and step.activity.kind != "lesson":
            raise state.error("is no lesson", "activity")
        if step.kind == "look" and not step.activity.is_at_problems:
            raise state.error("is no problem", "activity")
        if step.kind == "round" and step.activity.kind != "pairs":
            raise state.error("is no game of pairs", "activity")
        return step

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Self:
        """Return the step of what a form of the teacher has set; its kind may be "round". ValueError: it is none."""
        if fields.get("kind") == "round":
            return cls(kind="round", activity=Activity.read({**fields, "kind": "pairs"}))
        return cls(kind="set", activity=Activity.read(fields))


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of a lesson, and the place among them."""

    steps: tuple[PlanStep, ...] = ()
    at: int | None = None
    """The step that was begun last; None for none."""

    @property
    def step(self) -> PlanStep | None:
        """The step that was begun last."""
        return None if self.at is None else self.steps[self.at]

    @property
    def following(self) -> PlanStep | None:
        """The step after it; None at the end."""
        return next(iter(self.steps[0 if self.at is None else self.at + 1 :]), None)

    @property
    def off_screens(self) -> Plan:
        """The plan after the screens of its step have ended otherwise than by the next step: it can begin again."""
        return replace(self, at=self.at - 1 if self.at else None) if self.step and self.step.on_screens else self

    def state(self) -> dict[str, Any]:
        """Return a value for JSON."""
        return {"steps": [step.state() for step in self.steps], "at": self.at}

    @classmethod
    def read(cls, state: Fields) -> Self:
        """Return the plan of a state. FieldError: it is none."""
        steps = tuple(map(PlanStep.read, state.all_fields("steps", MOST_STEPS)))
        return cls(steps, None if state.is_null("at") else state.whole("at", 0, len(steps) - 1))


@cache
def of_course(number: int) -> tuple[tuple[PlanStep, ...], ...]:
    """Return the plans of a lesson of the course, each for 45 minutes."""
    return tuple(tuple(_step(number, step) for step in steps) for steps in lessons.lesson(number).plans)


def _step(number: int, step: lessons.Step) -> PlanStep:
    lesson = lessons.lesson(number)
    kind, goal = step.kind, lesson.goal
    if kind == "closing":
        activity = FREE
    elif kind in ("game", "round"):
        activity = Activity("pairs" if kind == "round" else kind, rules=str(goal.rules), size=goal.size)
    else:
        page = step.first if kind == "explain" else len(lesson.pages) + step.first
        activity = Activity("lesson", lesson=number, page=page, last=step.last)
    return PlanStep(kind=kind if kind in KINDS else "set", minutes=step.minutes, activity=activity)
