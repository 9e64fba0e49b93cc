"""What views have in common: sentences, boards, and what the teacher and the wall know of the class."""

from __future__ import annotations

from typing import Final

from ...classroom.desk import Desk
from ...classroom.question import Question
from ...classroom.room import BOARD, Classroom
from ...classroom.seat import Seat
from ...teach import drawn, say, sentences, words
from ...teach.drawn import DrawnBoard, Frame
from ...teach.event import (
    ClueGiven,
    ContentsOffered,
    Hinted,
    InputWanted,
    Marks,
    NextOffered,
    Refused,
    ReviewBegan,
    Task,
    Want,
)
from ...teach.say import SIGNS, Part, Picture, Sentence, Tone
from ...teach.words import Voice, page_voice
from ...tutor.session import Situation
from .shapes import ClassView, Door, FrameView, Label, PlayedView, ReplayView, Said

PAGE: Final = "class.page."
"""How the keys of the fixed texts of the pages begin."""
MOST_COUNTS: Final = 3
"""The number of answers to a question that are said, the most frequent ones; all are on the board."""
BRIEF: Final = "class.brief."
"""How the keys of sentences about what a child does begin that have about three words."""
PROMPTS: Final = (InputWanted, NextOffered, ContentsOffered)
"""What asks for a tap."""
LAN: Final = "--lan"
"""The option that lets other devices in."""


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


def closing_line(room: Classroom, voice: Voice) -> str:
    """Return what the class has done today."""
    solved = sum(seat.progress.solved_today for seat in (*room.seats.values(), *room.removed))
    counts = {"solved": solved, "taken": room.taken}
    words = {name: voice.text(f"class.closing.{name}", count=count) for name, count in counts.items()}
    return voice.text("class.closing", **words)


def question_scene(question: Question, room: Classroom, voice: Voice, said: list[Said], own: str = "") -> PlayedView:
    """Return the board of a question. `said`: what is said before the answers are shown; `own`: the reader's answer."""
    return {
        "title": voice.text("class.question" if question.is_move else "class.question.point"),
        "task": aim_of(question.situation, voice),
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
    return [as_said(voice.text(key, count=count, all=everybody, point=vertex)) for vertex, count in most]


def answered_so_far(question: Question, room: Classroom, voice: Voice) -> str:
    """Return how many have answered a question to all."""
    return voice.text("class.question.answered", count=len(question.answers), all=len(room.asked))


def voice_at(desk: Desk, language: str, seat: Seat | None = None) -> Voice:
    """Return the voice of what has happened at a desk, in the language of a reader; `seat`: a child that sits there."""
    if seat is None or not seat.number:
        return page_voice(language, desk.session.people)
    own, task = desk.color_of(seat.name) if desk.is_pair else 0, desk.session.current
    known = seat.progress.done | {0 if task is None else task.lesson, desk.session.lesson_of_game}
    return page_voice(language, desk.session.people, own, frozenset(known))


def parts_for(seat: Seat, desk: Desk, voice: Voice, *, to_all: bool = False) -> list[Part]:
    """Return what has happened at a desk, the last clue before those that were given earlier.

    What was announced and is done now is left out; `to_all`: also what asks for a tap, which those who look on cannot.
    """
    hidden = (PROMPTS if to_all else ()) + (() if desk.work is not None else (ReviewBegan,))
    events = [event for event in desk.events[seat.number] if not isinstance(event, hidden)]
    clues = [event for event in events if isinstance(event, ClueGiven)]
    others = [event for event in events if not isinstance(event, ClueGiven)]
    return [part for event in (*reversed(clues), *others) for part in say.parts(event, voice)]


def as_sentences(parts: list[Part], task: str) -> list[Said]:
    """Return the paragraphs of the sentences among the parts, without the task, which has its own place.

    Those with an emphasis stand first, as there may be room for one alone: a judgement, a danger, the end of a game.
    """
    said = sorted((part for part in parts if isinstance(part, Sentence)), key=lambda part: part.tone is Tone.PLAIN)
    return [as_said(text, part.tone) for part in said for text in part.text.split("\n\n") if text != task]


def aim_of(now: Situation, voice: Voice) -> str:
    """Return the task, or the goal of the game."""
    rules = None if now.game is None else now.game.rules
    return say.aim(now.task, now.lesson, rules, voice)


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


def problem_words(name: str, voice: Voice) -> str:
    """Return the words for the name of a problem."""
    lesson, is_exercise, number = name.partition(".")
    if not is_exercise:
        return voice.text("class.brief.problem", number=name)
    return voice.text("class.brief.exercise", lesson=lesson, number=number)


def shown_to_all(room: Classroom, voice: Voice) -> PlayedView:
    """Return the board that is shown to all, in the words of a reader."""
    if (question := room.question) is not None:
        voice = page_voice(voice.language, question.situation.people)
        scene = question_scene(question, room, voice, [as_said(answered_so_far(question, room, voice))])
        assert scene["board"] is not None
        scene["board"]["live"] = False
        return scene
    seat = room.on_wall
    if seat is None or (desk := seat.desk) is None:
        return {"title": "", "task": "", "said": [], "board": None, "replay": None}
    voice, is_own = voice_at(desk, voice.language), seat is room.teacher
    task, parts = aim_of(desk.situation(), voice), parts_for(seat, desk, voice, to_all=True)
    pictures = pictures_of(parts)
    board = board_of(seat, desk, pictures, voice, live=False, to_all=not is_own)
    return {
        "title": seat.name,
        "task": task,
        # what was said to a child is for this child
        "said": as_sentences(parts, task) if is_own else [as_said(voice.text("class.board_of", name=seat.name))],
        "board": board,
        "replay": replay_of(desk.told[seat.number], pictures, board, voice, room.frame) if is_own else None,
    }


def title_of(room: Classroom, seat: Seat, desk: Desk, voice: Voice) -> str:
    """Return what a child does, in words for it."""
    if not desk.is_pair:
        return doing_of(room, seat, desk, voice)
    other, color = room.partner(seat, desk).name, desk.color_of(seat.name)
    mine = {"mine": voice.name(color), "my_sign": SIGNS[color]}
    return voice.text("class.doing.pair", **mine, other=other, sign=SIGNS[3 - color])


def doing_of(room: Classroom, seat: Seat, desk: Desk, voice: Voice, form: str = "class.doing.") -> str:
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
    if len(now.people) > 1 or now.finished:  # after a game, the level belongs to the next game
        return voice.text(f"{form}board", size=size)
    return voice.text(f"{form}game", size=size, level=setup.level)


def all_languages() -> list[Label]:
    """Return the languages that can be chosen, each by its own name; none if there is one alone."""
    codes = sentences.languages()
    return [{"key": code, "label": page_voice(code).text("class.language")} for code in codes if len(codes) > 1]


def as_said(sentence: str, tone: str = "plain") -> Said:
    """Return a sentence as a value for JSON; `tone`: how it looks."""
    return {"text": sentence, "tone": str(tone)}


def board_as_sentences(room: Classroom, now: Situation, voice: Voice) -> list[Said]:
    """Return the board as sentences, if that is wanted."""
    return [as_said(line) for line in words.spoken(now.game, {}, voice)] if room.is_spoken and now.game else []


def place_of(task: Task, voice: Voice) -> str:
    """Return where a lesson is, and what comes there."""
    key = "class.choice.page" if task.want is Want.PAGE else "class.choice.exercise"
    return voice.text(key, number=task.number, count=task.count, text=say.aim(task, 0, None, voice))


def board_of(
    seat: Seat, desk: Desk, shown: list[Picture], voice: Voice, *, live: bool, to_all: bool = False
) -> DrawnBoard | None:
    """Return the current board of a session, with the letters of an answer and the ring of a hint.

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


def replay_of(
    key: int, shown: list[Picture], now: DrawnBoard | None, voice: Voice, at: int | None
) -> ReplayView | None:
    """Return the moves that were shown last, as differences from the current board; None if no moves were shown.

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


def pictures_of(parts: list[Part]) -> list[Picture]:
    """Return the boards with numbers, letters or territory among the parts."""
    return [part for part in parts if isinstance(part, Picture) and (part.numbers is not None or part.territory)]
