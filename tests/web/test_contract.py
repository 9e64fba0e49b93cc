"""The scripts of the pages read no other keys than those of the views, and these hold the views that tests make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Final, get_args, get_type_hints, is_typeddict

import pytest

from gtp_capture import web
from gtp_capture.teach.drawn import DrawnBoard, DrawnPoint, Frame
from gtp_capture.web.homework import CodeView, HomeworkView
from gtp_capture.web.results import ResultsView
from gtp_capture.web.view import shapes
from gtp_capture.web.view.shapes import ChildView, ClassView, Message, SeatView, TeacherView, WallView

from ..support.classroom import do, joined, new_room
from ..support.contract import hold

SCRIPTS: Final = {path.name: path.read_text() for path in sorted(Path(web.__file__).with_name("static").glob("*.js"))}
VIEWS: Final = {"child.js": ChildView, "session.js": ChildView, "teacher.js": TeacherView, "wall.js": WallView}
"""What `view` is in each script; a name of `NAMES` is the same in all."""
NAMES: Final[Mapping[str, Any]] = {
    "seat": SeatView,
    "sheet": shapes.LargeView,
    "status": shapes.StatusView,
    "message": Message,
    "board": DrawnBoard,
    "point": DrawnPoint,
    "turn": shapes.Turn,
    "child": shapes.StarsView,
    "pair": shapes.PairView,
    "replay": shapes.ReplayView,
    "frame": shapes.FrameView,
    "choice": shapes.ChoiceView,
    "step": shapes.StepView,
    "stage": shapes.PlanStepView,
    "question": shapes.QuestionView,
}
TYPES: Final = (
    ChildView,
    TeacherView,
    WallView,
    ClassView,
    SeatView,
    Message,
    Frame,
    DrawnBoard,
    DrawnPoint,
    ResultsView,
    HomeworkView,
    CodeView,
    shapes.ButtonView,
    shapes.AnswerView,
    shapes.ChoiceView,
    shapes.QuestionView,
    shapes.NumberView,
    shapes.Turn,
    shapes.Label,
    shapes.LessonView,
    shapes.Activities,
    shapes.ClaimView,
    shapes.Said,
    shapes.ReplayView,
    shapes.LargeView,
    shapes.StatusView,
    shapes.NamesView,
    shapes.PairView,
    shapes.StarsView,
    shapes.StepView,
    shapes.PlanStepView,
    shapes.PlanView,
    shapes.CoursePlan,
    shapes.FrameView,
)
OWN: Final = ({"do", "label", "icon", "disabled", "pressed", "main"}, {"kind", "label", "icon", "fields"})
"""Parameters of functions that take values which a script makes."""


def fields_of(kind: Any) -> Mapping[str, Any]:
    """Return the fields of a type, or of all alternatives of a union; none of other types."""
    if is_typeddict(kind):
        return get_type_hints(kind)
    alternatives = get_args(kind) if isinstance(kind, UnionType) else ()
    return {name: hint for one in alternatives for name, hint in fields_of(one).items()}


def names_in(pattern: str) -> set[str]:
    """Return the keys of a pattern such as `{ do: action, boards = [] }`."""
    return {re.split("[:=]", part)[0].strip() for part in pattern.split(",")}


def accesses(name: str, script: str) -> Iterator[tuple[Any, str]]:
    """Yield each field that a script reads of a view by a dot or a pattern, with the type that it is read of."""
    names = {**NAMES, "view": VIEWS.get(name, Any)}
    dotted = r"(?<![\w.$/])(\w+)((?:\??\.\w+)+)"
    for first, rest in [*re.findall(dotted, script), *re.findall(r"this\.(view)((?:\??\.\w+)+)", script)]:
        kind = names.get(first)
        for field in re.findall(r"\w+", rest):
            if not (known := fields_of(kind)):
                break
            yield kind, field
            kind = known.get(field)
    for pattern, source in re.findall(r"const \{ ([^{}]*) \} = (\w+(?:\.\w+)*);", script):
        first, *rest = source.split(".")
        kind = names.get(first)
        for field in rest:
            kind = fields_of(kind).get(field)
        yield from ((kind, field) for field in names_in(pattern) if fields_of(kind))


def unknown(name: str, script: str) -> list[str]:
    """Return what a script reads that is in no view."""
    faults = [f"{field} of {kind}" for kind, field in accesses(name, script) if field not in fields_of(kind)]
    for pattern in re.findall(r"\(\{ ([^{}]*) \}\) (?:=>|\{)", script):
        keys = names_in(pattern)
        if not any(keys <= {*fields_of(kind)} for kind in TYPES) and not any(keys <= own for own in OWN):
            faults.append(f"{{ {pattern} }}")
    return faults


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_reads_no_other_key_than_those_of_the_views(name: str) -> None:
    assert unknown(name, SCRIPTS[name]) == []


@pytest.mark.parametrize(
    "script",
    [
        "show(view.aim);",
        "draw(this.view?.class.aim);",
        "const { task, aim } = view;",
        "const { paused, aim } = view.class;",
        "draw(({ said, aim }) => said);",
        "function draw({ said, aim = [] }) {",
    ],
)
def test_a_key_that_no_view_has_is_found(script: str) -> None:
    assert len(unknown("wall.js", script)) == 1


def test_the_scripts_read_every_key_of_the_views() -> None:
    text = "\n".join(SCRIPTS.values())
    patterns = re.findall(r"\{ ([^{}]*) \}\)? (?:=|=>|of|\{)", text)
    read = {*re.findall(r"\.(\w+)", text)}.union(*map(names_in, patterns))
    assert {field for kind in TYPES for field in fields_of(kind)} - read == set()


def test_a_view_with_another_key_or_value_breaks_the_contract() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    shown = do(room, mia, choose="play")
    hold(shown, ChildView)
    board = shown["board"]
    assert board is not None
    for broken in (
        {**shown, "aim": ""},
        {name: value for name, value in shown.items() if name != "task"},
        {**shown, "task": None},
        {**shown, "turn": {"stone": "black"}},
        {**shown, "board": {**board, "points": [{**board["points"][0], "x": "0"}]}},
    ):
        with pytest.raises(AssertionError, match="ChildView"):
            hold(broken, ChildView)
