"""Views of a class as values for JSON, each in the words of its reader: what a child, the teacher and the wall see.

These types are the contract with the scripts of the pages: a script reads no other key.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypedDict

from ..classroom.activity import ADAPT, GAMES, Activity
from ..classroom.desk import Desk
from ..classroom.offers import Button, Choice
from ..classroom.plan import PlanStep, of_course
from ..classroom.question import Question, can_ask
from ..classroom.room import BOARD, Classroom
from ..classroom.seat import Progress, Seat
from ..players import levels
from ..teach import drawn, say, sentences, words
from ..teach.course import lessons
from ..teach.drawn import DrawnBoard, Frame
from ..teach.event import (
    ClueGiven,
    ContentsOffered,
    Ended,
    Hinted,
    InputWanted,
    Judged,
    LessonDone,
    LessonWon,
    Marks,
    NextOffered,
    Refusal,
    Refused,
    ReviewBegan,
    Task,
    Want,
)
from ..teach.event import Question as Asking
from ..teach.puzzles.theme import THEMES
from ..teach.say import SIGNS, Part, Picture, Sentence, Tone
from ..teach.words import Voice, page_voice
from ..tutor.game import CHANGED, SAME, GameSession
from ..tutor.lesson import task_at
from ..tutor.session import Situation

PAGE: Final = "class.page."
"""How the keys of the fixed texts of the pages begin."""
SIZES: Final = (5, 6, 7, 8, 9, 11, 13)
MOST_NUMBER: Final = 12
"""The highest number that can be tapped."""
MOST_COUNTS: Final = 3
"""The number of answers to a question that are said, the most frequent ones; all are on the board."""
MOST_MOVES: Final = 6
"""The number of last moves that the teacher sees."""
BRIEF: Final = "class.brief."
"""How the keys of sentences about what a child does begin that have about three words."""
COSTLY: Final = (Asking.LOSING_PASS, Asking.END_GAME)
"""Questions whose Yes costs a game."""
PROMPTS: Final = (InputWanted, NextOffered, ContentsOffered)
"""What asks for a tap."""
ICONS: Final = {f"new {SAME}": "new", f"new {CHANGED}": "play"}
"""Icons of buttons whose name is not that of an icon."""


LAN: Final = "--lan"
"""The option that lets other devices in."""


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
        """The address that children are told; that of this machine alone if there is no other one."""
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
    """The number of the lesson, and that of the plan among its plans."""
    label: str


class NamesView(TypedDict):
    """The names that children tap."""

    list: list[str]
    free: bool
    """Whether others can be typed too."""


class ClaimView(TypedDict):
    """A question to the teacher: whether a new seat is that of a child which is there already."""

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


def prepare(room: Classroom) -> None:
    """Read the lessons in the language of a class, so that no child waits for them."""
    _fixed_activities(page_voice(room.language))


def page_words(language: str) -> dict[str, str]:
    """Return the fixed texts of the pages in a language, by their keys."""
    voice = page_voice(language)
    blank = {"label": "{label}", "value": "{value}"}  # the page fills these fields
    return {key.removeprefix(PAGE): voice.text(key, **blank) for key in sentences.table() if key.startswith(PAGE)}


def tag(language: str) -> str:
    """Return a language, such as pt_PT, as HTML names it: pt-PT."""
    return language.replace("_", "-")


def refusal(refused: Refused, language: str) -> str:
    """Return the sentence that says why an input is refused."""
    return say.text(refused, page_voice(language))


def stranger(room: Classroom, language: str) -> ChildView:
    """Return the view of a device without a seat."""
    voice, closed = page_voice(language), room.has_ended or not room.is_open
    key = "class.closed" if closed else "" if room.is_ready else "class.opens"
    return {
        **_empty(voice),
        "screen": "closed" if key else "join",
        "n": room.changed,
        "said": [_said(voice.text(key))] if key else [],
        "languages": _languages(),
        "by_list": bool(room.names),
    }


def child(room: Classroom, seat: Seat) -> ChildView:
    """Return the view of a child, or of the teacher's board."""
    voice, desk = page_voice(seat.language), seat.open_desk
    view: ChildView = {**_empty(voice), "name": seat.name, "n": seat.changed, "hand": seat.hand}
    if room.has_ended or not (room.is_ready or seat is room.teacher):
        said = [_said(voice.text("class.ended" if room.has_ended else "class.opens"))]
        return {**view, "screen": "closed", "said": said}
    view = {**view, "stars": seat.progress.stars, "sound": room.allowed["sound"]}
    if room.is_closing and seat is not room.teacher:
        count = seat.progress.stars_today
        said = [_said(voice.text("class.closing.stars", count=count), "strong")] if count else []
        return {**view, "screen": "waiting", "title": _closing(room, voice), "said": said}
    if room.question is not None and (seat is not room.teacher or room.question.is_shown):
        return _asked(room.question, room, seat, view)
    if room.is_paused and seat is not room.teacher:
        return {**view, **_on_wall(room, voice), "screen": "paused", "title": voice.text("class.paused")}
    return _home(room, seat, view, voice) if desk is None else _at_desk(room, seat, desk, view)


def _closing(room: Classroom, voice: Voice) -> str:
    """Return what the class has done today."""
    solved = sum(seat.progress.solved_today for seat in (*room.seats.values(), *room.removed))
    counts = {"solved": solved, "taken": room.taken}
    words = {name: voice.text(f"class.closing.{name}", count=count) for name, count in counts.items()}
    return voice.text("class.closing", **words)


def _asked(question: Question, room: Classroom, seat: Seat, view: ChildView) -> ChildView:
    """Return the view of a child that answers a question to all, or of the teacher's board when all see the answers."""
    voice, own = page_voice(seat.language, question.situation.people), question.answers.get(seat.number, "")
    said = [_said(voice.text("class.question.own", point=own))] if own else []
    turn: Turn = {"stone": drawn.STONES[question.situation.to_move], "text": voice.text("class.turn")}
    is_asked = question.is_move and not question.is_shown
    scene = _question_scene(question, room, voice, said, own)
    return {**view, **scene, "screen": "question", "turn": turn if is_asked else None}


def _question_scene(question: Question, room: Classroom, voice: Voice, said: list[Said], own: str = "") -> PlayedView:
    """Return the board of a question. `said`: what is said before the answers are shown; `own`: the reader's answer."""
    return {
        "title": voice.text("class.question" if question.is_move else "class.question.point"),
        "task": _aim(question.situation, voice),
        "said": _counted(question, room, voice) if question.is_shown else said,
        "board": _question_board(question, voice, own),
        "replay": None,
    }


def _question_board(question: Question, voice: Voice, own: str) -> DrawnBoard:
    """Return the board of a question: with the number of answers on each point if they are shown, else to tap."""
    game, marked = question.game, question.situation.task is None
    if not question.is_shown:
        return drawn.board(Picture(game, marked=marked), voice, own, live=True, ring="answer")
    counted = ((game.point(vertex), count) for vertex, count in question.counts())
    numbers: Marks = {point: (count, int(game.board.color[point])) for point, count in counted}
    return drawn.board(Picture(game, numbers, marked=marked), voice, own, ring="answer")


def _counted(question: Question, room: Classroom, voice: Voice) -> list[Said]:
    """Return the answers to a question in numbers, the most frequent first: nothing about right and wrong."""
    key, everybody = "class.question.play" if question.is_move else "class.question.say", len(room.asked)
    most = question.counts()[:MOST_COUNTS]
    return [_said(voice.text(key, count=count, all=everybody, point=vertex)) for vertex, count in most]


def _answered_so_far(question: Question, room: Classroom, voice: Voice) -> str:
    return voice.text("class.question.answered", count=len(question.answers), all=len(room.asked))


def _at_desk(room: Classroom, seat: Seat, desk: Desk, view: ChildView) -> ChildView:
    """Return the view of a child at its desk."""
    voice, now = _voice_at(desk, seat.language, seat), desk.situation(seat.name)
    task, work = _aim(now, voice), desk.work if seat.number in desk.recipients else None
    parts = _parts(seat, desk, voice)
    pictures = _pictures(parts)
    is_turn = room.is_turn(seat, desk) and desk.wish is None
    turn: Turn | None = None
    if is_turn and now.takes_point:
        own = desk.is_pair or len(now.people) == 1 or now.task is not None
        turn = {
            "stone": drawn.STONES[now.to_move],
            "text": voice.text("class.turn") if own else voice.label(now.to_move),
        }
    question: QuestionView | None = None
    if now.question is not None and not now.question.question.by_name and (is_turn or now.finished):
        question = {
            "text": say.text(now.question, voice),
            "answers": _answers(voice, costs=now.question.question in COSTLY),
        }
    if desk.wish not in (None, seat.number):
        asker = room.partner(seat, desk).name
        question = {"text": voice.text("class.undo.asked", name=asker), "answers": _answers(voice)}
    busy = "" if work is None else voice.text("class.thinking")
    offered = [b for b in room.buttons(seat) if now.task is None or b.refusal is not Refusal.NO_UNDO]
    buttons = [(button, _label(button, seat, desk, voice)) for button in offered]
    board = _board(seat, desk, pictures, voice, live=turn is not None)
    return {
        **view,
        "screen": "session",
        "title": _title(room, seat, desk, voice),
        "task": task,
        "turn": turn,
        "said": [*_marked(seat, voice), *_sentences(parts, task), *_spoken(room, now, voice)],
        "told": desk.told[seat.number],
        "board": board,
        "replay": _replay(desk.told[seat.number], pictures, board, voice, None if seat.number else room.frame),
        "buttons": [
            {"do": b.do, "label": label, "icon": ICONS.get(b.name, b.name), "disabled": b.refusal is not None}
            for b, label in buttons
        ],
        "question": question,
        "number": {"most": MOST_NUMBER} if now.takes_number else None,
        "busy": busy,
        "won": desk.told[seat.number] if _has_won(seat, desk) else 0,
        "waits": _waits(room, seat, desk, voice),
    }


def _has_won(seat: Seat, desk: Desk) -> bool:
    """Whether the last event of a child is a game that it has won, or the end of a lesson."""
    own = desk.colors_of(seat.name)
    for event in desk.events[seat.number]:
        if isinstance(event, (LessonDone, LessonWon)):
            return True
        if isinstance(event, Ended) and len(own) == 1 and (outcome := event.game.outcome) is not None:
            return outcome.winner is not None and int(outcome.winner) in own
    return False


def _label(button: Button, seat: Seat, desk: Desk, voice: Voice) -> str:
    """Return the label of a button, in words for the child who taps it."""
    session = desk.session
    if button.name == f"new {SAME}":
        return voice.text("class.button.same")
    if button.name != f"new {CHANGED}" or not isinstance(session, GameSession) or session.next_setup is None:
        return voice.text(f"class.button.{button.name}")
    setup = session.next_setup
    name = setup.names[0] if desk.is_pair else ""
    takes = name == seat.name if desk.is_pair else setup.person_has_black
    key = "me" if takes else "other" if name else "computer"
    return voice.text(f"class.button.black.{key}" + ".stones" * (setup.turns > 0), name=name, count=setup.handicap)


def _voice_at(desk: Desk, language: str, seat: Seat | None = None) -> Voice:
    """Return the voice of what has happened at a desk, in the language of a reader; `seat`: a child that sits there."""
    if seat is None or not seat.number:
        return page_voice(language, desk.session.people)
    own, task = desk.color_of(seat.name) if desk.is_pair else 0, desk.session.current
    known = seat.progress.done | {0 if task is None else task.lesson, desk.session.lesson_of_game}
    return page_voice(language, desk.session.people, own, frozenset(known))


def _parts(seat: Seat, desk: Desk, voice: Voice, *, to_all: bool = False) -> list[Part]:
    """Return what has happened at a desk, the last clue before those that were given earlier.

    What was announced and is done now is left out; `to_all`: also what asks for a tap, which those who look on cannot.
    """
    hidden = (PROMPTS if to_all else ()) + (() if desk.work is not None else (ReviewBegan,))
    events = [event for event in desk.events[seat.number] if not isinstance(event, hidden)]
    clues = [event for event in events if isinstance(event, ClueGiven)]
    others = [event for event in events if not isinstance(event, ClueGiven)]
    return [part for event in (*reversed(clues), *others) for part in say.parts(event, voice)]


def _sentences(parts: list[Part], task: str) -> list[Said]:
    """Return the paragraphs of the sentences among the parts, without the task, which has its own place.

    Those with an emphasis stand first, as there may be room for one alone: a judgement, a danger, the end of a game.
    """
    said = sorted((part for part in parts if isinstance(part, Sentence)), key=lambda part: part.tone is Tone.PLAIN)
    return [_said(text, part.tone) for part in said for text in part.text.split("\n\n") if text != task]


def _marked(seat: Seat, voice: Voice) -> list[Said]:
    """Return what a child reads about the ring of the teacher."""
    return [_said(voice.text("class.look_here", point=seat.ring), "strong")] if seat.ring else []


def _aim(now: Situation, voice: Voice) -> str:
    """Return the task, or the goal of the game."""
    rules = None if now.game is None else now.game.rules
    return say.aim(now.task, now.lesson, rules, voice)


def _waits(room: Classroom, seat: Seat, desk: Desk, voice: Voice) -> str:
    """Return what a child waits for: the other one of its pair, or their move; "" for nothing."""
    if not desk.is_pair or desk.session.finished or desk.work is not None:
        return ""
    other = room.partner(seat, desk)
    if not other.here or other.at_home:
        return voice.text("class.off_board" if other.here else "class.away", name=other.name)
    if room.is_turn(seat, desk):
        return ""
    return voice.text("class.waits" if desk.wish is None else "class.undo.wait", name=other.name)


def teacher(room: Classroom, door: Door) -> TeacherView:
    """Return the view of the teacher."""
    voice = page_voice(room.language)
    return {
        "n": room.count,
        "language": room.language,
        "languages": _languages(),
        "class": of_class(room, door),
        "activities": _activities(room),
        "set": _set_for_all(room),
        "status": status(room),
        "plan": _plan(room, voice),
        "seats": [of_seat(room, seat) for seat in room.seats.values()],
        "names": {"list": [*room.names], "free": room.free_names},
        "claims": _claims(room),
        "tries": tries(room),
        "demo": child(room, room.teacher),
    }


def _claims(room: Classroom) -> list[ClaimView]:
    """Return what the teacher is asked: the number of a new seat, and the question whether it is that of a child."""
    voice, seats = page_voice(room.language), room.seats
    asking = [(seat, seats[seat.claims].name) for seat in seats.values() if seat.is_sure and seat.claims in seats]
    return [{"seat": seat.number, "text": voice.text("class.claim.teacher", name=name)} for seat, name in asking]


def tries(room: Classroom) -> str:
    """Return how often a wrong word was given, for the teacher; "" for never."""
    count = room.wrong_words
    return page_voice(room.language).text("class.tries", count=count) if count else ""


def of_class(room: Classroom, door: Door) -> ClassView:
    """Return what concerns the whole class."""
    text, several = page_voice(room.language).text, door.networks if len(door.networks) > 1 else ()
    why = "class.door.no_network" if door.is_lan else "class.door.alone"
    return {
        "word": room.word,
        "address": door.networks[0][0] if door.networks else "",
        "qr": door.code,
        "networks": [f"{network}: {address}" for address, network in several],
        "alone": "" if door.networks else text(why, option=LAN, address=door.own),
        "open": room.is_open and not room.has_ended,
        "ended": room.has_ended,
        "paused": room.is_paused,
        "closing": room.is_closing,
        "allow": dict(room.allowed),
        "shown": "board" if room.shown == BOARD else room.shown,
        "question": "" if room.question is None else "shown" if room.question.is_shown else "asked",
        "trouble": trouble(room) if room.is_ready else text("class.opens.teacher"),
    }


def trouble(room: Classroom) -> str:
    """Return why the class is not saved; "" if it is."""
    error, text = room.trouble, page_voice(room.language).text
    if isinstance(error, TimeoutError):
        return text("class.not_saved.waits")
    if isinstance(error, OSError):
        return text("class.not_saved", reason=error.strerror or str(error))
    return "" if error is None else text("class.not_saved.fault")


def of_seat(room: Classroom, seat: Seat) -> SeatView:
    """Return a seat as the teacher sees it among all others."""
    voice, now = page_voice(room.language), None if seat.desk is None else seat.desk.situation(seat.name)
    if room.question is not None:
        point = room.question.answers.get(seat.number)
        doing = voice.text("class.brief.no_answer" if point is None else "class.brief.answer", point=point)
    elif seat.open_desk is not None:
        doing = _doing(room, seat, seat.open_desk, voice, BRIEF)
    else:
        doing = voice.text("class.choice.done" if seat.at_end else "class.at_home")
    return {
        "seat": seat.number,
        "name": seat.name,
        "svg": "" if now is None or now.game is None else drawn.small(now.game),
        "doing": doing,
        "help": voice.text(f"class.help.{seat.mark}") if room.needs_help(seat) else "",
        "here": seat.here,
        "beside": not room.follows(seat),
    }


def large(room: Classroom, seat: Seat) -> LargeView:
    """Return a seat as the teacher sees it alone."""
    voice, desk = page_voice(room.language), seat.open_desk
    level, answers = str(seat.progress.level), [_answered(given, voice) for given in seat.answers]
    view: LargeView = {
        "seat": seat.number,
        "name": seat.name,
        "title": voice.text("class.at_home"),
        "task": "",
        "level": level,
        "said": [],
        "board": None,
        "can_ask": can_ask(seat.desk),
        "answers": answers,
    }
    if desk is None:
        return view
    voice, now, setup = _voice_at(desk, voice.language), desk.situation(seat.name), desk.session.setup
    task, parts = _aim(now, voice), _parts(seat, desk, voice)
    return {
        **view,
        "title": _doing(room, seat, desk, voice),
        "task": task,
        "level": level if setup is None or desk.is_pair else str(setup.level),
        "said": _sentences(parts, task),
        "board": _board(seat, desk, _pictures(parts), voice, live=True),
        "answers": answers if setup is None else _last_moves(desk, voice),
    }


def _answered(given: Judged, voice: Voice) -> Said:
    """Return an answer to a problem."""
    place = problem_words(given.task.name, voice)
    key, tone = {True: ("right", "right"), False: ("wrong", "wrong"), None: ("open", "plain")}[given.right]
    return _said(voice.text(f"class.answer.{key}", place=place, answer=given.answer), tone)


def problem_words(name: str, voice: Voice) -> str:
    """Return the words for the name of a problem."""
    lesson, is_exercise, number = name.partition(".")
    if not is_exercise:
        return voice.text("class.brief.problem", number=name)
    return voice.text("class.brief.exercise", lesson=lesson, number=number)


def _last_moves(desk: Desk, voice: Voice) -> list[Said]:
    """Return the last moves of a game, the newest first."""
    text, game = voice.text, desk.session.game
    return [
        _said(text("class.answer.move", number=n, owner=voice.name(int(move.color)), move=game.vertex(move.point)))
        for n, move in [*enumerate(game.moves, 1)][: -MOST_MOVES - 1 : -1]
    ]


def status(room: Classroom) -> StatusView:
    """Return what all children do."""
    voice, count, plan = page_voice(room.language), sum(map(room.needs_help, room.seats.values())), room.plan
    step, following, number = plan.step, plan.following, (plan.at or 0) + 1
    place = {"number": number, "all": len(plan.steps)}
    return {
        "now": _now(room, voice),
        "help": voice.text("class.need_help", count=count) if count else "",
        "step": "" if step is None else voice.text("class.plan.step", **place, count=step.minutes),
        "next": "" if following is None else plan_step(following, voice),
    }


def _plan(room: Classroom, voice: Voice) -> PlanView:
    """Return the plan, with its place among the plans of the course."""
    own = [(step.kind, step.activity) for step in room.plan.steps]
    course = [plan for number in lessons.numbers() for plan in of_course(number)] if own else [()]
    like = [sum((step.kind, step.activity) in own for step in plan) for plan in course]
    return {
        "steps": [_step_view(step, voice) for step in room.plan.steps],
        "at": room.plan.at,
        "course": like.index(max(like)),
    }


def _step_view(step: PlanStep, voice: Voice) -> PlanStepView:
    return {"do": step.state(), "text": plan_step(step, voice), "minutes": step.minutes, "mine": step.on_board}


def plan_step(step: PlanStep, voice: Voice) -> str:
    """Return a step of a plan as a label."""
    what = _activity(step.activity, voice)
    if step.kind == "closing":
        return voice.text("class.page.closing")
    return what if step.kind == "set" else voice.text(f"class.step.{step.kind}", what=what)


def lesson_title(number: int, voice: Voice) -> str:
    """Return the title of a lesson with its number."""
    return voice.text("course.title", number=number, title=lessons.title(number, voice.language))


def plan_title(number: int, part: int, voice: Voice) -> str:
    """Return the title of a plan of the course."""
    title = lesson_title(number, voice)
    parts = len(lessons.lesson(number).plans)
    return title if parts == 1 else voice.text("class.plan.part", title=title, part=part, parts=parts)


def _now(room: Classroom, voice: Voice) -> str:
    """Return what is set for all, and how many do it; or how many have answered a question."""
    if room.question is not None:
        return voice.text("class.now", what=_answered_so_far(room.question, room, voice))
    if room.is_stopped or room.shown:
        return voice.text("class.now", what=_for_all(room, voice))
    what = voice.text("class.now", what=_activity(room.activity, voice))
    if room.activity.kind == "free" or not room.here:
        return what
    count = sum(map(room.follows, room.here))
    return voice.text("class.now.count", now=what, count=count, all=len(room.here))


def _for_all(room: Classroom, voice: Voice) -> str:
    """Return what all look at while the boards stop, or a board of a child is shown."""
    desk = room.teacher.desk
    if room.is_closing:
        return voice.text("class.page.closing")
    if room.shown:
        return voice.text("class.step.explain", what=room.seats[room.shown].name)
    if room.shown is None or desk is None:
        return voice.text("class.page.pause")
    return voice.text("class.step.explain", what=_doing(room, room.teacher, desk, voice, BRIEF))


def _activity(activity: Activity, voice: Voice) -> str:
    """Return what is set, as a label."""
    text, kind = voice.text, activity.kind
    if kind == "lesson":
        fields = {"lesson": activity.lesson, "number": activity.first, "first": activity.first, "last": activity.last}
        if activity.last > activity.first:
            return text(f"class.step.{'problems' if activity.is_at_problems else 'pages'}", **fields)
        return text(f"class.brief.{'exercise' if activity.is_at_problems else 'page'}", **fields)
    if kind == "problems":
        theme = text(f"theme.{activity.theme}" if activity.theme else "class.theme.all")
        return text("class.set.problems", theme=theme)
    if kind == "free":
        return text("class.page.free")
    rules = words.rules_name(activity.rules, voice)
    level = activity.level
    named = text("class.level.adapt") if level == ADAPT else _level(levels.level(level), voice)
    size = activity.size, activity.size
    return text(f"class.set.{kind}", size=size, rules=rules, level=named)


def _level(number: int, voice: Voice) -> str:
    return voice.text("class.level", number=number, name=words.level_name(number, voice))


def _set_for_all(room: Classroom) -> dict[str, int | str]:
    """Return what the forms of the teacher begin with."""
    activity, game = room.activity, room.game
    view: dict[str, int | str] = {
        "kind": activity.kind,
        "rules": game.rules,
        "size": str(game.size),
        "level": game.level,
    }
    if activity.kind == "lesson":
        return {**view, "lesson": activity.lesson, "page": activity.page}
    return {**view, "theme": activity.theme} if activity.kind == "problems" else view


def wall(room: Classroom, door: Door) -> WallView:
    """Return the view of the wall: the board that is shown, or how to come in."""
    voice = page_voice(room.language)
    scene = _on_wall(room, voice)
    if room.is_closing:
        scene["title"] = _closing(room, voice)
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


def _on_wall(room: Classroom, voice: Voice) -> PlayedView:
    """Return the board that is shown to all, in the words of a reader."""
    if (question := room.question) is not None:
        voice = page_voice(voice.language, question.situation.people)
        scene = _question_scene(question, room, voice, [_said(_answered_so_far(question, room, voice))])
        assert scene["board"] is not None
        scene["board"]["live"] = False
        return scene
    seat = room.on_wall
    if seat is None or (desk := seat.desk) is None:
        return {"title": "", "task": "", "said": [], "board": None, "replay": None}
    voice, is_own = _voice_at(desk, voice.language), seat is room.teacher
    task, parts = _aim(desk.situation(), voice), _parts(seat, desk, voice, to_all=True)
    pictures = _pictures(parts)
    board = _board(seat, desk, pictures, voice, live=False, to_all=not is_own)
    return {
        "title": seat.name,
        "task": task,
        # what was said to a child is for this child
        "said": _sentences(parts, task) if is_own else [_said(voice.text("class.board_of", name=seat.name))],
        "board": board,
        "replay": _replay(desk.told[seat.number], pictures, board, voice, room.frame) if is_own else None,
    }


def _title(room: Classroom, seat: Seat, desk: Desk, voice: Voice) -> str:
    """Return what a child does, in words for it."""
    if not desk.is_pair:
        return _doing(room, seat, desk, voice)
    other, color = room.partner(seat, desk).name, desk.color_of(seat.name)
    mine = {"mine": voice.name(color), "my_sign": SIGNS[color]}
    return voice.text("class.doing.pair", **mine, other=other, sign=SIGNS[3 - color])


def _doing(room: Classroom, seat: Seat, desk: Desk, voice: Voice, form: str = "class.doing.") -> str:
    """Return what a child does, in words for the teacher. `form`: how the keys of the sentences begin."""
    now, setup = desk.situation(seat.name), desk.session.setup
    if (task := now.task) is not None:
        key = "page" if task.want is Want.PAGE else "exercise" if task.lesson else "problem"
        fields = {"lesson": task.lesson, "number": task.number, "place": task.place, "count": task.count}
        return voice.text(f"{form}{key}" + ".place" * (bool(task.place) and form != BRIEF), **fields)
    assert setup is not None
    assert now.game is not None
    size = now.game.size
    if desk.is_pair:
        return voice.text(f"{form}two", size=size, other=room.partner(seat, desk).name)
    if len(now.people) > 1 or now.finished:  # after a game the level is that of the next one
        return voice.text(f"{form}board", size=size)
    return voice.text(f"{form}game", size=size, level=setup.level)


def _empty(voice: Voice) -> ChildView:
    """Return a view with nothing in it."""
    return {
        "screen": "",
        "n": 0,
        "language": voice.language,
        "name": "",
        "hand": False,
        "stars": 0,
        "sound": False,
        "won": 0,
        "title": "",
        "task": "",
        "turn": None,
        "said": [],
        "told": 0,
        "board": None,
        "replay": None,
        "buttons": [],
        "choices": [],
        "path": [],
        "question": None,
        "number": None,
        "busy": "",
        "waits": "",
        "languages": [],
        "by_list": False,
    }


def _languages() -> list[Label]:
    """Return the languages that can be chosen, each by its own name; none if there is one alone."""
    codes = sentences.languages()
    return [{"key": code, "label": page_voice(code).text("class.language")} for code in codes if len(codes) > 1]


def _said(sentence: str, tone: str = "plain") -> Said:
    return {"text": sentence, "tone": str(tone)}


def _spoken(room: Classroom, now: Situation, voice: Voice) -> list[Said]:
    """Return the board as sentences, if that is wanted."""
    return [_said(line) for line in words.spoken(now.game, {}, voice)] if room.is_spoken and now.game else []


def _home(room: Classroom, seat: Seat, view: ChildView, voice: Voice) -> ChildView:
    """Return what a child sees that chooses, that has asked another one to play, or that is asked who it is."""
    text = voice.text
    if seat.claims is not None:
        return _claim(room.seat(seat.claims).name, seat, view, voice)
    if seat.asks in room.seats:
        back = _home_button(voice)
        asked = room.seats[seat.asks]
        said = [] if asked.here else [_said(text("class.away", name=asked.name))]
        title = text("class.waiting", name=asked.name)
        return {**view, "screen": "waiting", "title": title, "said": said, "buttons": [back]}
    asker = room.asker(seat)
    question: QuestionView | None = None
    choices = room.choices(seat)
    if asker is not None:
        question = {"text": text("class.asked", name=asker.name), "answers": _answers(voice)}
    return {
        **view,
        "screen": "home",
        "title": text("class.home" if seat.activity.kind == "free" or seat.at_end else "class.home.set"),
        "said": _told(seat, text),
        "choices": [_choice(choice, room, seat, voice) for choice in choices],
        "path": _path(seat.progress, choices, voice) if seat.number and seat.activity.kind == "free" else [],
        "question": question,
        "languages": [] if seat is room.teacher else _languages(),
    }


def _told(seat: Seat, text: Callable[..., str]) -> list[Said]:
    """Return what a child at home is told about the children that it has asked or played with."""
    names = {"class.declined": seat.declined, "class.left": seat.left}
    return [_said(text(key, name=name)) for key, name in names.items() if name]


def _claim(name: str, seat: Seat, view: ChildView, voice: Voice) -> ChildView:
    """Return what a child sees that is asked whether a seat is its own."""
    if seat.is_sure:
        title = voice.text("class.claim.wait", name=name)
        return {**view, "screen": "waiting", "title": title, "buttons": [_home_button(voice)]}
    question: QuestionView = {"text": voice.text("class.claim", name=name), "answers": _answers(voice)}
    return {**view, "screen": "home", "title": voice.text("class.page.title"), "question": question}


def _home_button(voice: Voice) -> ButtonView:
    return {"do": {"home": True}, "label": voice.text("class.button.home"), "icon": "home", "disabled": False}


def _answers(voice: Voice, *, costs: bool = False) -> list[AnswerView]:
    """Return the answers Yes and No; `costs`: whether Yes gives a game up or loses it."""

    def answer(key: str, *, yes: bool) -> AnswerView:
        return {"do": {"answer": yes}, "label": voice.text(key), "main": not (costs and yes)}

    return [answer("class.yes", yes=True), answer("class.no", yes=False)]


def _path(progress: Progress, choices: list[Choice], voice: Voice) -> list[StepView]:
    """Return the lessons as the steps of a path: done, the next one, or to come. A tap on one is the choice of it."""
    keys = {choice.lesson: choice.key for choice in choices if choice.lesson}

    def step(number: int) -> StepView:
        state = "done" if number in progress.done else "here" if number == progress.path else "later"
        label = voice.text(f"class.path.{state}", number=number)
        return {"do": {"choose": keys[number]}, "number": number, "state": state, "label": label}

    return [*map(step, lessons.numbers())]


def _choice(choice: Choice, room: Classroom, seat: Seat, voice: Voice) -> ChoiceView:
    """Return a choice with its label, and with a note about what is done, or about what goes on."""
    text, key = voice.text, choice.kind
    title = lessons.title(choice.lesson, voice.language) if choice.lesson else ""
    fields = {"level": choice.level, "number": choice.lesson, "title": title, "name": choice.name}
    note = ""
    task = None if seat.desk is None else seat.desk.session.current
    if choice.lesson and choice.is_main:
        lesson, place = lessons.lesson(choice.lesson), seat.progress.place(choice.lesson)
        shown = task if choice.key == "continue" and task is not None else task_at(lesson, place)
        note = _where(shown, voice)
        key = "lesson.begin" if choice.key != "continue" and place == lesson.order[0] else "lesson.go_on"
    elif choice.kind == "continue" and seat.desk is not None:
        note = _title(room, seat, seat.desk, voice)
    elif choice.count:
        note = text("class.choice.solved", count=choice.count)
    elif choice.done or choice.won:
        note = text(f"class.choice.{'done_won' if choice.done and choice.won else 'done' if choice.done else 'won'}")
    label = text(f"class.choice.{key}", **fields)
    return {"do": {"choose": choice.key}, "label": label, "note": note, "main": choice.is_main}


def _where(task: Task, voice: Voice) -> str:
    """Return where a lesson is, and what comes there."""
    key = "class.choice.page" if task.want is Want.PAGE else "class.choice.exercise"
    return voice.text(key, number=task.number, count=task.count, text=say.aim(task, 0, None, voice))


def _board(
    seat: Seat, desk: Desk, shown: list[Picture], voice: Voice, *, live: bool, to_all: bool = False
) -> DrawnBoard | None:
    """Return the board of a session as it is now, with the letters of an answer and the ring of a hint.

    `to_all`: the board of a child that others see, without the ring, which is for this child.
    While nothing is to be played, a page of a lesson and what is shown after a game keep the numbers of their moves.
    A page has the board after its moves, so that stones which it takes are not there.
    """
    now = desk.situation(seat.name)
    if now.game is None:
        return None
    is_task, is_page = now.task is not None, now.task is not None and now.task.want is Want.PAGE
    current = Picture(now.game, marked=not is_task)
    if shown and (shown[-1].line is None or (now.finished and (is_page or not is_task))):
        current = shown[-1].after() if is_page else shown[-1]
    points = (event.point for event in reversed(desk.events[seat.number]) if isinstance(event, (Hinted, ClueGiven)))
    ring = "" if to_all else seat.ring or next(filter(None, points), "")
    board = drawn.board(current, voice, ring, live=live)
    if now.task is not None and now.task.want is Want.PLAY and (moves := len(now.game.moves)):
        board["taken"] = drawn.taken(now.game, 1 if moves % 2 else 2)  # a right play, and the reply if there is one
    return board


def _replay(key: int, shown: list[Picture], now: DrawnBoard | None, voice: Voice, at: int | None) -> ReplayView | None:
    """Return the moves that were shown last, by what differs from the board as it is now; None for none.

    `at`: see `ReplayView`.
    """
    played = next((picture for picture in reversed(shown) if picture.line is not None), None)
    if played is None or now is None:
        return None

    def like(frame: Frame) -> FrameView:
        return {"lines": drawn.changes(frame["svg"], now["svg"]), "taken": frame["taken"]}

    numbers = drawn.board(played, voice)
    pairs = zip(numbers["points"], now["points"], strict=True)
    labels = {point["vertex"]: point["label"] for point, other in pairs if point["label"] != other["label"]}
    frames = [*map(like, drawn.frames(played))]
    at = None if at is None else min(at, len(frames) - 1)
    return {"key": key, "frames": frames, "numbers": like(numbers), "labels": labels, "at": at}


def _pictures(parts: list[Part]) -> list[Picture]:
    """Return the boards with numbers, letters or territory among the parts."""
    return [part for part in parts if isinstance(part, Picture) and (part.numbers is not None or part.territory)]


def _activities(room: Classroom) -> Activities:
    """Return what the teacher may set."""
    voice = page_voice(room.language)
    fixed = _fixed_activities(voice)
    rules, sizes, game = fixed["rules"], fixed["sizes"], room.game
    if game.rules not in GAMES:
        rules = [{"key": game.rules, "label": words.rules_name(game.rules, voice)}, *rules]
    if game.size not in SIZES:
        sizes = [str(size) for size in sorted({*SIZES, game.size})]
    return {**fixed, "themes": themes(room, voice), "rules": rules, "sizes": sizes}


def themes(room: Classroom, voice: Voice) -> list[Label]:
    """Return the themes of the problems of a class; "" stands for all."""
    there = {problem.theme for problem in room.sessions.problems("").values()}
    every: Label = {"key": "", "label": voice.text("class.theme.all")}
    named: list[Label] = [{"key": theme, "label": voice.text(f"theme.{theme}")} for theme in THEMES if theme in there]
    return [every, *named]


@functools.cache
def _fixed_activities(voice: Voice) -> Activities:
    """Return what the teacher may set, without themes: these are of the problems of a class."""
    names: list[Label] = [{"key": str(n), "label": _level(n, voice)} for n in range(1, levels.FULL + 1)]
    adapt: Label = {"key": ADAPT, "label": voice.text("class.level.adapt")}
    course = [lessons.lesson(number, voice.language) for number in lessons.numbers()]
    return {
        "lessons": [
            {"number": lesson.number, "title": lesson.title, "pages": len(lesson.pages), "problems": len(lesson.names)}
            for lesson in course
        ],
        "themes": [],
        "rules": [{"key": name, "label": words.rules_name(name, voice)} for name in GAMES],
        "sizes": [str(size) for size in SIZES],
        "levels": [adapt, *names],
        "plans": [
            {"course": [lesson.number, part], "label": plan_title(lesson.number, part, voice)}
            for lesson in course
            for part in range(1, len(lesson.plans) + 1)
        ],
    }
