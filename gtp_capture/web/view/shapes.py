"""What a child, the teacher and the wall see: the types of the views, as values for JSON.

They are the contract with the scripts of the pages: a script reads no other key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypedDict

from ...teach.drawn import DrawnBoard


class Door(NamedTuple):
    """The addresses of a class."""

    own: str
    """The address for this machine alone."""
    networks: tuple[tuple[str, str], ...]
    """The addresses for other devices, each with the name of its network; the first one is shown large."""
    code: str
    """The QR code of the first one as SVG; "" if there is none."""
    is_lan: bool
    """Whether other devices are let in."""

    @property
    def shown(self) -> str:
        """The address that children are told: the first one in a network, or else the local address of this machine."""
        return self.networks[0][0] if self.networks else self.own


class Said(TypedDict):
    """A sentence."""

    text: str
    tone: str
    """"plain", "strong", "right" or "wrong"."""


class Turn(TypedDict):
    """Whose turn it is."""

    stone: str
    """"black" or "white"; "" if the point is no play of a side."""
    text: str


class Tap(TypedDict):
    """Something to tap."""

    do: Mapping[str, Any]
    """The action that it sends."""
    label: str


class ButtonView(Tap):
    """A button."""

    icon: str
    disabled: bool


class AnswerView(Tap):
    """An answer to a question, as a button."""

    main: bool
    """Whether the button is as large as the one that goes on: of a question that costs a game the safe answer alone."""


class QuestionView(TypedDict):
    """A question with its answers."""

    text: str
    answers: list[AnswerView]


class ChoiceView(Tap):
    """Something to begin."""

    note: str
    main: bool
    """Whether it is the one that most children want."""


class StepView(Tap):
    """A lesson of the path that a child goes. Its label says its number and state."""

    number: int
    state: str
    """"done", "here" or "later"."""


class Label(TypedDict):
    """Something that can be chosen from a list."""

    key: str
    label: str


class FrameView(TypedDict):
    """A drawing of a board that differs little from the board of the view."""

    lines: list[str | list[int]]
    """The lines of the drawing. Runs of lines that the board of the view has too stand as numbers: `drawn.changes`."""
    taken: list[str]
    """See `drawn.Frame`."""


class ReplayView(TypedDict):
    """Moves that are played out on the board, one after the other, and taken back."""

    key: int
    """The count of the class when they were shown: a page plays the moves of each key once by itself."""
    frames: list[FrameView]
    """The boards before the moves and after each of them."""
    numbers: FrameView
    """The board before the moves, with their numbers: for those who want no motion."""
    labels: dict[str, str]
    """The words for the points of `numbers` that the board of the view has other words for, by the vertex."""
    at: int | None
    """The board that is shown, if the teacher goes from one to the next; None: a page plays the moves out."""


class NumberView(TypedDict):
    """A number is wanted, from 0 on."""

    most: int


class SceneView(TypedDict):
    """A board, and what is said about it."""

    title: str
    """What the child does."""
    task: str
    """The task, or the goal of the game, in one or two sentences."""
    said: list[Said]
    board: DrawnBoard | None


class PlayedView(SceneView):
    """A board on which moves may be played out."""

    replay: ReplayView | None


class ChildView(PlayedView):
    """The screen of a child, or of the teacher's board."""

    screen: str
    """"join", "home", "waiting", "session", "question", "paused" or "closed"."""
    n: int
    """The count of the class at the last change of this view."""
    language: str
    name: str
    hand: bool
    """Whether the hand is raised."""
    stars: int
    """How many stars the child has."""
    sound: bool
    """Whether the page may be heard."""
    won: int
    """Set if a won game or a solved lesson is celebrated: the count of the class then. A page does it once for each."""
    turn: Turn | None
    """Set if the board waits for this child."""
    told: int
    """The count of the class when it was said: a page shows what is said again as new."""
    buttons: list[ButtonView]
    choices: list[ChoiceView]
    path: list[StepView]
    """The lessons, for a child that may choose."""
    question: QuestionView | None
    number: NumberView | None
    busy: str
    """What the program does, while nothing can be tapped."""
    waits: str
    """What the child waits for, of another child."""
    languages: list[Label]
    """The languages that can be chosen here."""
    by_list: bool
    """Whether the form asks for the word alone, and then for a name of a list."""


class SeatView(TypedDict):
    """A seat as the teacher sees it among all others."""

    seat: int
    name: str
    svg: str
    doing: str
    """What the child does, in about three words."""
    help: str
    """Why help is needed; "" if it is not."""
    here: bool
    beside: bool
    """Whether the child does something beside what is set for all."""


class LargeView(SceneView):
    """A seat as the teacher sees it alone.

    The sentences are those that the child reads, in the words of the teacher; live points can be marked for the child.
    """

    seat: int
    name: str
    level: str
    can_ask: bool
    """Whether all can be asked about this board."""
    answers: list[Said]
    """The last answers or moves, the newest first."""


class StatusView(TypedDict):
    """What all children do."""

    now: str
    """What is set for all, and how many do it."""
    help: str
    """How many need help; "" for none."""
    step: str
    """The step of the plan, with its number and its minutes; "" before the first one."""
    next: str
    """The step that follows; "" for none."""


class ClassView(TypedDict):
    """What concerns the whole class."""

    word: str
    address: str
    """What children open; "" if other devices cannot."""
    qr: str
    networks: list[str]
    """The addresses with the names of their networks, if there are several."""
    alone: str
    """Why other devices cannot come in; "" if they can."""
    open: bool
    ended: bool
    paused: bool
    closing: bool
    """Whether all see what the class has done today."""
    allow: dict[str, bool]
    shown: int | str | None
    """The seat whose board is on the wall, "board" for the teacher's; None for none."""
    question: str
    """"asked" while all children answer a question, "shown" if they see the answers; "" for no question."""
    trouble: str


class LessonView(TypedDict):
    """A lesson that can be set."""

    number: int
    title: str
    pages: int
    problems: int


class Activities(TypedDict):
    """What the teacher may set."""

    lessons: list[LessonView]
    themes: list[Label]
    rules: list[Label]
    sizes: list[str]
    levels: list[Label]
    plans: list[CoursePlan]


_OfClass = TypedDict("_OfClass", {"class": ClassView})


class PlanStepView(TypedDict):
    """A step of the plan."""

    do: Mapping[str, Any]
    """The step as the page sends it."""
    text: str
    minutes: int
    mine: bool
    """Whether the teacher leads it on her board."""


class PlanView(TypedDict):
    """The plan of the lesson."""

    steps: list[PlanStepView]
    at: int | None
    """The step that was begun last, from 0; None for none."""
    course: int
    """The place of the plan of the course that it is most like; 0 for none."""


class CoursePlan(TypedDict):
    """A plan of the course."""

    course: list[int]
    """The number of the lesson, and the number of the plan in this lesson."""
    label: str


class NamesView(TypedDict):
    """The names that children tap."""

    list: list[str]
    free: bool
    """Whether others can be typed too."""


class ClaimView(TypedDict):
    """A question to the teacher: is the child at a new seat a child who has a seat already?"""

    seat: int
    text: str


class TeacherView(_OfClass):
    """The teacher's page."""

    n: int
    language: str
    languages: list[Label]
    activities: Activities
    set: dict[str, int | str]
    """What is set for all, and the game that was set last, by the names of the fields of the forms."""
    status: StatusView
    plan: PlanView
    seats: list[SeatView]
    names: NamesView
    claims: list[ClaimView]
    tries: str
    """How often a wrong word was given; "" for never."""
    demo: ChildView


class StarsView(TypedDict):
    """A child with its stars of today."""

    name: str
    stars: int


class PairView(TypedDict):
    """Two children who play with each other, or one alone."""

    children: list[StarsView]
    alone: str
    """What a child without a partner does; "" for a pair, and at the end of a lesson."""


class WallView(_OfClass, PlayedView):
    """The projector's page."""

    n: int
    language: str
    pairs: list[PairView]
    """Who plays whom in a round; at the end of a lesson each child alone."""


class Message(TypedDict, total=False):
    """A message to a page, which has one of these keys; the teacher's page may get seats and its own board at once."""

    view: ChildView | TeacherView | WallView
    words: dict[str, str]
    """The fixed texts of the page, with the first view in a language."""
    seats: list[SeatView]
    """The seats that have changed."""
    status: StatusView
    demo: ChildView
    tries: str
    again: int
    """Milliseconds after which a page without a seat asks again."""
    elsewhere: bool
    """Whether this page goes on in another tab."""
