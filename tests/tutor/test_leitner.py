"""How a person did each problem, and when it comes back: boxes alone, and in lessons and problems."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.teach.event import Noted, Notice, TaskSet, Want
from gtp_capture.teach.puzzles import files
from gtp_capture.tutor.leitner import BOXES, Boxes, How
from gtp_capture.tutor.lesson import LessonSession, restored
from gtp_capture.tutor.problem import ProblemSession
from gtp_capture.util.fields import FieldError, Fields

from ..support.held import Held, resources


def lesson(boxes: Boxes, number: int = 1) -> Held:
    """Return a lesson whose second problem is set."""
    held = Held(LessonSession(number, resources(boxes=boxes)))
    held.type("problem 2")
    return held


def leave_out(held: Held) -> None:
    """Go on to the next problem."""
    held.type("next")
    while held.session.current.want is Want.PAGE:  # type: ignore[union-attr]
        held.type("")


def repeated(held: Held) -> str | None:
    """Return the name of the problem that has come back with the last input."""
    came_back = Noted(Notice.PROBLEM_REPEATED) in held.events
    return next(event.task.name for event in held.events if isinstance(event, TaskSet)) if came_back else None


ACTS = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["finish", "leave", "help", "sleep"])), max_size=40)


@given(ACTS)
def test_a_problem_that_goes_wrong_waits_for_three_others_and_one_that_goes_right_for_1_2_and_4_lessons(
    acts: list[tuple[str, str]],
) -> None:
    """Against a list of all that has happened, which is searched anew each time."""
    boxes, past = Boxes(), list[tuple[str, str]]()
    for name, act in acts:
        past.append((name, act))
        if act == "sleep":
            boxes.begin_lesson()
        elif act == "help":
            boxes.lower(name, How.HINT)
        elif act == "finish":
            boxes.finish(name)
        else:
            boxes.leave_out(name)
        due = {name for name in "abcd" if boxes.due(lambda other, name=name: other == name)}  # type: ignore[misc]
        assert due == {name for name in "abcd" if is_due(past, name)}
    assert boxes.state() == Boxes.read(Fields(json.loads(json.dumps(boxes.state())))).state()


def is_due(past: list[tuple[str, str]], name: str) -> bool:
    """Whether a problem comes back after all that has happened, by the definition of the boxes."""
    box, helped, wait, nights = 0, False, 0, 0
    for other, act in past:
        is_back = (box == 1 and wait <= 0) or (box > 1 and nights <= 0)
        if act == "sleep":
            wait, nights = 0, nights - 1
        elif act == "help":
            helped |= other == name
        elif other != name:
            wait -= 1
        elif act == "leave" or helped:
            box, wait, helped = 1, 3, False
        elif is_back:
            box = (box + 1) % (BOXES + 1)
            nights = {2: 1, 3: 2, 4: 4}.get(box, 0)
    return (box == 1 and wait <= 0) or (box > 1 and nights <= 0)


@pytest.mark.parametrize(
    ("lines", "how", "star"),
    [
        (["5"], How.AT_ONCE, True),
        (["9", "5"], How.TRIES, True),
        (["hint", "5"], How.HINT, False),
        (["9", "hint", "5"], How.HINT, False),
        (["solution", "5"], How.SHOWN, False),
        (["solution", "next"], How.LEFT, False),
        (["9", "next"], How.LEFT, False),
        (["next"], How.LEFT, False),
    ],
)
def test_how_a_problem_was_solved_is_known(lines: list[str], how: How, *, star: bool) -> None:
    boxes = Boxes()
    held = lesson(boxes)
    answer = str(held.session.lesson.exercises[1].task.count)  # type: ignore[attr-defined]
    held.type(*(answer if line == "5" else line for line in lines))
    assert boxes.cards["1.2"].how is how
    assert (Noted(Notice.STAR_EARNED) in held.events) == star


def test_a_star_is_earned_once_and_a_help_stays_known_when_the_problem_is_set_again() -> None:
    boxes = Boxes()
    held = lesson(boxes)
    held.type("solution", "back", "problem 2", "4")
    assert boxes.cards["1.2"].how is How.SHOWN
    earned = []
    for _ in range(2):
        held.type("problem 2", "4")
        earned.append(Noted(Notice.STAR_EARNED) in held.events)
    assert earned == [True, False]
    assert (boxes.alone, len(boxes.solved)) == (1, 1)


def test_in_a_lesson_a_problem_comes_back_after_three_others_and_first_in_the_next_lesson() -> None:
    boxes = Boxes()
    held = lesson(boxes)
    held.type("9", "4")
    for number in (3, 4, 5):
        leave_out(held)
        assert (repeated(held), held.session.current.number) == (None, number)  # type: ignore[union-attr]
    leave_out(held)
    assert repeated(held) == "1.2"
    state = Fields(json.loads(json.dumps(held.session.state())))
    after = Held(restored(state, resources(boxes=boxes)))
    assert after.session.current.name == "1.2"  # type: ignore[union-attr]
    after.type("back")
    assert after.session.current.name == "1.5"  # type: ignore[union-attr]
    held.type("4", "")
    assert held.session.current.name == "1.6"  # type: ignore[union-attr]
    held.type("next")
    assert held.session.current.want is Want.PAGE  # type: ignore[union-attr]
    held.type("")
    assert repeated(held) == "1.3"  # which was left out, and has waited for more than three others
    held.type("next", "next")
    boxes.begin_lesson()
    later = Held(LessonSession(2, resources(boxes=boxes)))
    later.type(*[""] * (len(later.session.lesson.pages)))  # type: ignore[attr-defined]
    assert repeated(later) == "1.4"


def test_a_lesson_is_done_when_no_problem_of_it_is_left_out() -> None:
    boxes, profile = Boxes(), Memory()
    held = Held(LessonSession(1, resources(boxes=boxes, profile=profile)))
    names = [f"1.{n}" for n in range(1, 14)]
    for name in names[1:12]:
        boxes.finish(name)
    held.type("problem 13", "solution")
    assert not profile.done
    boxes.finish("1.13")
    held.type("problem 1", "b4")
    assert profile.done == [1]


def test_problems_of_a_collection_come_back_and_their_order_goes_on() -> None:
    boxes, problems = Boxes(), files.shipped()[:6]
    held = Held(ProblemSession(problems, 1, resources(boxes=boxes)))
    order = [held.session.current.number]  # type: ignore[union-attr]
    for _ in range(6):
        held.type("next")
        order.append(held.session.current.number)  # type: ignore[union-attr]
        state = Fields(json.loads(json.dumps(held.session.state())))
        assert Held(restored(state, held.session.resources, problems)).session.current == held.session.current
    assert order == [1, 2, 3, 4, 1, 5, 2]


@pytest.mark.parametrize("name", ["9.1", "1.99", "1", "x", "1.1.1", "1.-1", "²"])
def test_a_state_with_a_problem_that_does_not_exist_is_refused(name: str) -> None:
    held = lesson(Boxes())
    state = {**held.session.state(), "repeats": name}
    with pytest.raises(FieldError, match="repeats is no problem of a lesson"):
        restored(Fields(state), resources(boxes=Boxes()))


class Memory:
    """The lessons that a person has done."""

    def __init__(self) -> None:
        self.done: list[int] = []

    def lessons(self) -> list[int]:
        return self.done

    def games(self) -> list[int]:
        return []

    def record(self, level: int) -> None:
        raise AssertionError(level)

    def finish(self, lesson: int) -> None:
        self.done.append(lesson)

    def win(self, lesson: int) -> None:
        raise AssertionError(lesson)
