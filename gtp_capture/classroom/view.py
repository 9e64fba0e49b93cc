"""Views of a class as values for JSON: what a child, the teacher and the wall see, enough to draw a page."""

from __future__ import annotations

import functools
from typing import Any, Final

from ..go import picture
from ..go.game import Game
from ..go.rules import PRESETS
from ..go.vertex import BLACK, EMPTY, WHITE, opponent, point_at
from ..players import levels
from ..teach import sentences, words
from ..teach.course import lessons
from ..teach.puzzles.theme import THEMES
from ..tutor.game import GameSession
from ..tutor.reply import SIGNS, Marks, Picture, Question, Sentence
from .activity import ADAPT
from .room import BOARD, VOICE, Classroom
from .seat import Seat
from .table import Table, doing

LANGUAGE: Final = "en"
PAGE: Final = "class.page."
"""How the keys of the fixed texts of the pages begin."""
SIZES: Final = (5, 6, 7, 8, 9, 11, 13)
MOST_NUMBER: Final = 12
"""The highest number that can be tapped."""
COLORS: Final = {BLACK: "black", WHITE: "white", EMPTY: ""}
text = VOICE.text


def prepare() -> None:
    """Read the lessons, so that no child waits for them."""
    _fixed_activities()


def page_words() -> dict[str, str]:
    """Return the fixed texts of the pages by their keys."""
    return {key.removeprefix(PAGE): text(key) for key in sentences.table() if key.startswith(PAGE)}


def stranger(room: Classroom) -> dict[str, Any]:
    """Return the view of a device without a seat."""
    closed = room.has_ended or not room.is_open
    said = [_said(text("class.closed"))] if closed else []
    return {**_empty(room, ""), "screen": "closed" if closed else "join", "n": room.changed, "said": said}


def child(room: Classroom, seat: Seat) -> dict[str, Any]:
    """Return the view of a child, or of the teacher's board."""
    view = {**_empty(room, seat.name), "n": seat.changed, "hand": seat.hand}
    table = seat.table
    if room.has_ended:
        return {**view, "screen": "closed", "said": [_said(text("class.ended"))]}
    if room.is_paused and seat is not room.teacher:
        return {**view, "screen": "paused", **_of_wall(room), "title": text("class.paused")}
    if seat.at_home or table is None:
        return {**view, **_home(room, seat)}
    boards, said = _boards(room, seat, table), table.said[seat.number]
    sentences = [part for part in said if isinstance(part, Sentence)]
    if table.is_pair and not table.is_finished and not room.is_turn(seat, table) and table.work is None:
        view["waits"] = True
    return {
        **view,
        "screen": "session",
        "title": title_of(room, seat, table),
        "said": [_said(part.text, part.tone) for part in sentences if part.text] + _spoken(room, table),
        "boards": boards,
        "buttons": [
            {
                "do": button.do,
                "label": text(f"class.button.{button.name}"),
                "icon": button.name,
                "disabled": button.disabled,
            }
            for button in room.buttons(seat)
        ],
        "question": _question(room, seat, table, sentences),
        "number": {"most": MOST_NUMBER} if table.wants_number else None,
        "busy": "" if table.work is None else table.work.note or text("class.thinking"),
    }


def teacher(room: Classroom, address: str, code: str) -> dict[str, Any]:
    """Return the view of the teacher. `address`: what children open; `code`: its QR code as SVG."""
    return {
        "n": room.count,
        "language": LANGUAGE,
        "class": of_class(room, address, code),
        "activities": _activities(room),
        "game": {"rules": room.game.rules, "size": str(room.game.size), "level": room.game.level},
        "seats": [of_seat(room, seat) for seat in room.seats.values()],
        "demo": child(room, room.teacher),
    }


def of_class(room: Classroom, address: str, code: str) -> dict[str, Any]:
    """Return what concerns the whole class."""
    return {
        "word": room.word,
        "address": address,
        "qr": code,
        "open": room.is_open and not room.has_ended,
        "ended": room.has_ended,
        "paused": room.is_paused,
        "allow": dict(room.allowed),
        "shown": "board" if room.shown == BOARD else room.shown,
        "trouble": text("class.not_saved", reason=room.trouble) if room.trouble else "",
    }


def of_seat(room: Classroom, seat: Seat) -> dict[str, Any]:
    """Return a seat as the teacher sees it."""
    table, progress = seat.table, seat.progress
    others = [room.seat(number).name for number in (table.seats if table else ()) if number != seat.number]
    at_table = table is not None and not seat.at_home
    board = _small(table.session.game) if table is not None and table.is_ready else ""
    return {
        "seat": seat.number,
        "name": seat.name,
        "svg": board,
        "doing": _doing(room, seat, table) if at_table and table is not None else text("class.at_home"),
        "level": str(progress.level),
        "mark": seat.mark,
        "help": text(f"class.help.{seat.mark}") if seat.mark else "",
        "pair": ", ".join(others),
        "here": seat.here,
        "done": {
            "lessons": len(progress.done),
            "games_of_lessons": len(progress.lesson_games),
            "problems": len(progress.solved),
            "played": progress.played,
            "won": progress.won,
        },
    }


def wall(room: Classroom, address: str, code: str) -> dict[str, Any]:
    """Return the view of the wall: the board that is shown, or how to come in."""
    shown = _of_wall(room)
    board = shown["boards"][-1] if shown["boards"] else None
    own = {"n": room.count, "language": LANGUAGE, "class": of_class(room, address, code), "board": board}
    return {**own, "said": shown["said"], "title": shown["title"]}


def _small(game: Game) -> str:
    """Return a board without points."""
    return picture.svg(picture.picture(game.board, picture.Marked.of(game.board, game.positions)))


def title_of(room: Classroom, seat: Seat, table: Table) -> str:
    """Return what a child does, in words for it."""
    if not table.is_pair:
        return _doing(room, seat, table)
    (other,) = (room.seat(number).name for number in table.seats if number != seat.number)
    color = table.color_of(seat.name)
    mine = {"mine": VOICE.name(color), "my_sign": SIGNS[color]}
    return text("class.doing.pair", **mine, other=other, sign=SIGNS[opponent(color)])


def _doing(room: Classroom, seat: Seat, table: Table) -> str:
    """Return what a child does, in words for the teacher."""
    session = table.session
    key, fields = doing(session)
    if table.is_pair:
        (other,) = (room.seat(number).name for number in table.seats if number != seat.number)
        return text("class.doing.two", **fields, other=other)
    if isinstance(session, GameSession):
        if len(session.seats.people) == 2:
            return text("class.doing.board", **fields)
        return text(key, **fields, level=session.seats.level)
    return text(key, **fields)


def _empty(room: Classroom, name: str) -> dict[str, Any]:
    """Return a view with nothing in it."""
    fixed: dict[str, Any] = {
        "language": LANGUAGE,
        "title": "",
        "name": name,
        "class": room.word if name else "",
        "said": [],
    }
    return {
        **fixed,
        "boards": [],
        "buttons": [],
        "question": None,
        "number": None,
        "choices": [],
        "busy": "",
        "waits": False,
    }


def _said(sentence: str, tone: str = "plain") -> dict[str, str]:
    return {"text": sentence, "tone": str(tone)}


def _spoken(room: Classroom, table: Table) -> list[dict[str, str]]:
    """Return the board as sentences, if that is wanted."""
    return (
        [_said(line) for line in words.spoken(table.session.game, {}, VOICE)]
        if room.is_spoken and table.is_ready
        else []
    )


def _home(room: Classroom, seat: Seat) -> dict[str, Any]:
    """Return what a child sees that chooses, or that has asked another one to play."""
    if seat.asks in room.seats:
        back = {"do": {"home": True}, "label": text("class.button.home"), "icon": "home", "disabled": False}
        title = text("class.waiting", name=room.seats[seat.asks].name)
        return {"screen": "waiting", "title": title, "buttons": [back]}
    asker, question = room.asker(seat), None
    if asker is not None:
        question = {"text": text("class.asked", name=asker.name), "answers": _answers()}
    title = text("class.home") if seat.activity.kind == "free" else text("class.home.set")
    return {"screen": "home", "title": title, "choices": _choices(room, seat), "question": question}


def _answers() -> list[dict[str, Any]]:
    return [{"do": {"answer": yes}, "label": text("class.yes" if yes else "class.no")} for yes in (True, False)]


def _choices(room: Classroom, seat: Seat) -> list[dict[str, Any]]:
    return [
        {
            "do": {"choose": choice.key},
            "label": text(choice.label, **choice.fields),
            "note": text(choice.note, **choice.fields) if choice.note else "",
            "picture": None,
        }
        for choice in room.choices(seat)
    ]


def _question(room: Classroom, seat: Seat, table: Table, said: list[Sentence]) -> dict[str, Any] | None:
    if table.question is not Question.YES_NO or not said or not (room.is_turn(seat, table) or table.is_finished):
        return None
    asked = next(part for part in reversed(said) if part.tone == "strong")
    return {"text": asked.text, "answers": _answers()}


def _of_wall(room: Classroom) -> dict[str, Any]:
    """Return the board that is shown to all, and what is said about it."""
    seat = room.teacher if room.shown == BOARD else room.seats.get(room.shown or 0)
    table = seat.table if seat is not None else None
    if seat is None or table is None:
        return {"boards": [], "said": [], "title": ""}
    boards = _boards(room, seat, table)
    said = [_said(part.text, part.tone) for part in table.said[seat.number] if isinstance(part, Sentence)]
    return {"boards": [{**board, "live": False} for board in boards], "said": said, "title": seat.name}


def _boards(room: Classroom, seat: Seat, table: Table) -> list[dict[str, Any]]:
    """Return the boards that were shown, and last the one of the session, unless a picture shows it already."""
    if not table.is_ready:
        return []
    shown = [part for part in table.said[seat.number] if isinstance(part, Picture)]
    game = table.session.game
    is_task = not isinstance(table.session, GameSession)
    if shown and ((shown[-1].numbers is None and shown[-1].game == game) or (is_task and table.is_finished)):
        last = shown.pop()
        current = _board(last.game, last.numbers, marked=not is_task)
    else:
        current = _board(game, None, marked=not is_task)
    live = table.wants_point and room.is_turn(seat, table)
    return [*(_board(part.game, part.numbers, marked=part.marked) for part in shown), {**current, "live": live}]


def _board(game: Game, numbers: Marks | None, *, marked: bool) -> dict[str, Any]:
    """Return a board as a picture with its points; `marked`: with the last stone, atari, and stones just taken."""
    width, height = game.size
    marks = picture.Marked.of(game.board, game.positions) if marked and numbers is None else picture.Marked()
    points = []
    for row in reversed(range(height)):
        for column in range(width):
            point = point_at(column, row, width)
            number, color = (numbers or {}).get(point, (None, int(game.board.color[point])))
            vertex, atari = game.vertex(point), point in marks.atari
            stone = words.spoken_point(color, VOICE, number, atari=atari)
            points.append(
                {
                    "vertex": vertex,
                    "x": round((column + 1) / (width + 1), 4),
                    "y": round((height - row) / (height + 1), 4),
                    "label": text("class.point", vertex=vertex, stone=stone),
                    "stone": COLORS[color],
                    "last": marks.last is not None and marks.last.point == point,
                    "atari": atari,
                    "taken": point in marks.taken,
                }
            )
    drawn = picture.svg(picture.picture(game.board, marks, numbers=numbers))
    return {"svg": drawn, "width": width, "height": height, "points": points, "live": False}


def _activities(room: Classroom) -> dict[str, Any]:
    """Return what the teacher may set."""
    known: dict[str, Any] = _fixed_activities()
    themes = [problem.theme for problem in room.problems]
    named = [{"key": theme, "label": text(f"theme.{theme}"), "count": themes.count(theme)} for theme in THEMES]
    every = {"key": "", "label": text("class.theme.all"), "count": len(themes)}
    return {**known, "themes": [every, *(theme for theme in named if theme["count"])]}


@functools.cache
def _fixed_activities() -> dict[str, Any]:
    course = []
    for number in lessons.numbers():
        lesson = lessons.lesson(number)
        course.append(
            {"number": number, "title": lesson.title, "pages": len(lesson.pages), "problems": len(lesson.exercises)}
        )
    names = [
        {"key": str(n), "label": text("class.level", number=n, name=levels.name(n))} for n in range(1, levels.FULL + 1)
    ]
    adapt = {"key": ADAPT, "label": text("class.level.adapt")}
    return {
        "lessons": course,
        "rules": [{"key": name, "label": text(f"class.rules.{name}")} for name in PRESETS],
        "sizes": [str(size) for size in SIZES],
        "levels": [adapt, *names],
    }
