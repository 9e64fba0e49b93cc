"""Views of a class as values for JSON: what a child, the teacher and the wall see, enough to draw a page."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any, Final

from ..go import picture
from ..go.game import Game
from ..go.rules import PRESETS
from ..go.vertex import BLACK, EMPTY, WHITE, opponent, point_at
from ..players import levels
from ..teach import sentences, words
from ..teach.course import lessons
from ..teach.puzzles.theme import THEMES
from ..teach.words import Voice
from ..tutor.game import GameSession
from ..tutor.reply import SIGNS, Picture, Question, Sentence
from .activity import ADAPT
from .room import BOARD, Classroom
from .seat import Seat, voice_in
from .table import Table, doing

PAGE: Final = "class.page."
"""How the keys of the fixed texts of the pages begin."""
SIZES: Final = (5, 6, 7, 8, 9, 11, 13)
MOST_NUMBER: Final = 12
"""The highest number that can be tapped."""
COLORS: Final = {BLACK: "black", WHITE: "white", EMPTY: ""}


def prepare(room: Classroom) -> None:
    """Read the lessons in the language of a class, so that no child waits for them."""
    _fixed_activities(room.voice)


def page_words(language: str) -> dict[str, str]:
    """Return the fixed texts of the pages in a language, by their keys."""
    voice = voice_in(language)
    return {key.removeprefix(PAGE): voice.text(key) for key in sentences.table() if key.startswith(PAGE)}


def sentence(language: str, key: str, **fields: Any) -> str:
    """Return a sentence of the table in a language."""
    return voice_in(language).text(key, **fields)


def stranger(room: Classroom, language: str) -> dict[str, Any]:
    """Return the view of a device without a seat."""
    voice, closed = voice_in(language), room.has_ended or not room.is_open
    said = [_said(voice.text("class.closed"))] if closed else []
    screen = {"screen": "closed" if closed else "join", "n": room.changed, "said": said}
    return {**_empty(voice), **screen, "languages": _languages()}


def child(room: Classroom, seat: Seat) -> dict[str, Any]:
    """Return the view of a child, or of the teacher's board."""
    voice, table = seat.voice, seat.table
    view = {**_empty(voice), "name": seat.name, "n": seat.changed, "hand": seat.hand}
    if room.has_ended:
        return {**view, "screen": "closed", "said": [_said(voice.text("class.ended"))]}
    if room.is_paused and seat is not room.teacher:
        return {**view, "screen": "paused", **_of_wall(room, voice), "title": voice.text("class.paused")}
    if seat.at_home or table is None:
        return {**view, **_home(room, seat)}
    said = [part for part in table.said[seat.number] if isinstance(part, Sentence)]
    work = table.work if seat.number in table.hearers else None
    return {
        **view,
        "screen": "session",
        "title": title_of(room, seat, table),
        "said": [_said(part.text, part.tone) for part in said if part.text] + _spoken(room, seat, table),
        "boards": _boards(room, seat, table, voice),
        "buttons": _buttons(room, seat),
        "question": _question(room, seat, table, said),
        "number": {"most": MOST_NUMBER} if table.wants_number else None,
        "busy": "" if work is None else work.note or voice.text("class.thinking"),
        "waits": _waits(room, seat, table),
    }


def _waits(room: Classroom, seat: Seat, table: Table) -> str:
    """Return what a child waits for: the move of the other one of its pair; "" for nothing."""
    if not table.is_pair or table.is_finished or room.is_turn(seat, table) or table.work is not None:
        return ""
    other = _other(room, seat, table)
    return seat.voice.text("class.waits" if other.here else "class.away", name=other.name)


def _other(room: Classroom, seat: Seat, table: Table) -> Seat:
    """Return the other child of a pair."""
    (other,) = (number for number in table.seats if number != seat.number)
    return room.seat(other)


def _buttons(room: Classroom, seat: Seat) -> list[dict[str, Any]]:
    found = [(button, seat.voice.text(f"class.button.{button.name}")) for button in room.buttons(seat)]
    return [{"do": b.do, "label": label, "icon": b.name, "disabled": b.disabled} for b, label in found]


def teacher(room: Classroom, address: str, code: str) -> dict[str, Any]:
    """Return the view of the teacher. `address`: what children open; `code`: its QR code as SVG."""
    return {
        "n": room.count,
        "language": room.language,
        "languages": _languages(),
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
        "trouble": room.voice.text("class.not_saved", reason=room.trouble) if room.trouble else "",
    }


def of_seat(room: Classroom, seat: Seat) -> dict[str, Any]:
    """Return a seat as the teacher sees it."""
    table, progress, text = seat.table, seat.progress, room.voice.text
    board = _small(table.session.game) if table is not None and table.is_ready else ""
    session = None if table is None or table.is_pair or seat.at_home else table.session
    level = session.seats.level if isinstance(session, GameSession) else progress.level
    return {
        "seat": seat.number,
        "name": seat.name,
        "svg": board,
        "doing": text("class.at_home") if table is None or seat.at_home else _doing(room, seat, table, room.voice),
        "level": str(level),
        "help": text(f"class.help.{seat.mark}") if seat.mark else "",
        "here": seat.here,
    }


def wall(room: Classroom, address: str, code: str) -> dict[str, Any]:
    """Return the view of the wall: the board that is shown, or how to come in."""
    shown = _of_wall(room, room.voice)
    board = shown["boards"][-1] if shown["boards"] else None
    own = {"n": room.count, "language": room.language, "class": of_class(room, address, code), "board": board}
    return {**own, "said": shown["said"], "title": shown["title"]}


def _small(game: Game) -> str:
    """Return a board without points."""
    return picture.svg(picture.picture(game.board, picture.Marked.of(game.board, game.positions)))


def title_of(room: Classroom, seat: Seat, table: Table) -> str:
    """Return what a child does, in words for it."""
    if not table.is_pair:
        return _doing(room, seat, table, seat.voice)
    other, color = _other(room, seat, table).name, table.color_of(seat.name)
    mine = {"mine": seat.voice.name(color), "my_sign": SIGNS[color]}
    return seat.voice.text("class.doing.pair", **mine, other=other, sign=SIGNS[opponent(color)])


def _doing(room: Classroom, seat: Seat, table: Table, voice: Voice) -> str:
    """Return what a child does, in words for the teacher."""
    session, text = table.session, voice.text
    key, fields = doing(session)
    if table.is_pair:
        return text("class.doing.two", **fields, other=_other(room, seat, table).name)
    if isinstance(session, GameSession):
        if len(session.seats.people) == 2:
            return text("class.doing.board", **fields)
        return text(key, **fields, level=session.seats.level)
    return text(key, **fields)


def _empty(voice: Voice) -> dict[str, Any]:
    """Return a view with nothing in it."""
    texts: dict[str, Any] = {"language": voice.language, "title": "", "name": "", "busy": "", "waits": ""}
    lists: dict[str, Any] = {"said": [], "boards": [], "buttons": [], "choices": [], "languages": []}
    return {**texts, **lists, "question": None, "number": None}


def _languages() -> list[dict[str, str]]:
    """Return the languages that can be chosen, each by its own name; none if there is one alone."""
    found = sentences.languages()
    return [{"key": code, "label": sentence(code, "class.language")} for code in found if len(found) > 1]


def _said(sentence: str, tone: str = "plain") -> dict[str, str]:
    return {"text": sentence, "tone": str(tone)}


def _spoken(room: Classroom, seat: Seat, table: Table) -> list[dict[str, str]]:
    """Return the board as sentences, if that is wanted."""
    return (
        [_said(line) for line in words.spoken(table.session.game, {}, seat.voice)]
        if room.is_spoken and table.is_ready
        else []
    )


def _home(room: Classroom, seat: Seat) -> dict[str, Any]:
    """Return what a child sees that chooses, or that has asked another one to play."""
    text = seat.voice.text
    if seat.asks in room.seats:
        back = {"do": {"home": True}, "label": text("class.button.home"), "icon": "home", "disabled": False}
        title = text("class.waiting", name=room.seats[seat.asks].name)
        return {"screen": "waiting", "title": title, "buttons": [back]}
    asker, question = room.asker(seat), None
    if asker is not None:
        question = {"text": text("class.asked", name=asker.name), "answers": _answers(seat.voice)}
    title = text("class.home") if seat.activity.kind == "free" else text("class.home.set")
    found = {"screen": "home", "title": title, "choices": _choices(room, seat), "question": question}
    return {**found, "languages": [] if seat is room.teacher else _languages()}


def _answers(voice: Voice) -> list[dict[str, Any]]:
    return [{"do": {"answer": yes}, "label": voice.text("class.yes" if yes else "class.no")} for yes in (True, False)]


def _choices(room: Classroom, seat: Seat) -> list[dict[str, Any]]:
    text = seat.voice.text
    return [
        {
            "do": {"choose": choice.key},
            "label": text(choice.label, **choice.fields),
            "note": text(choice.note, **choice.fields) if choice.note else "",
        }
        for choice in room.choices(seat)
    ]


def _question(room: Classroom, seat: Seat, table: Table, said: list[Sentence]) -> dict[str, Any] | None:
    if table.question is not Question.YES_NO or not said or not (room.is_turn(seat, table) or table.is_finished):
        return None
    asked = next(part for part in reversed(said) if part.tone == "strong")
    return {"text": asked.text, "answers": _answers(seat.voice)}


def _of_wall(room: Classroom, voice: Voice) -> dict[str, Any]:
    """Return the board that is shown to all, with labels in a voice, and what is said about it."""
    seat = room.teacher if room.shown == BOARD else room.seats.get(room.shown or 0)
    table = seat.table if seat is not None else None
    if seat is None or table is None:
        return {"boards": [], "said": [], "title": ""}
    boards = [{**board, "live": False} for board in _boards(room, seat, table, voice)]
    if seat is not room.teacher:  # what was said to a child is for this child
        said = [_said(voice.text("class.board_of", name=seat.name))]
    else:
        said = [_said(part.text, part.tone) for part in table.said[BOARD] if isinstance(part, Sentence)]
    return {"boards": boards, "said": said, "title": seat.name}


def _boards(room: Classroom, seat: Seat, table: Table, voice: Voice) -> list[dict[str, Any]]:
    """Return the boards that were shown and the one of the session, unless a picture shows it already.

    The last one is the large one: the board of the session, except that a page of a lesson speaks of its first picture,
    and what is shown after a game of a move in it.
    """
    if not table.is_ready:
        return []
    said, game, is_task = table.said[seat.number], table.session.game, not isinstance(table.session, GameSession)
    shown = [part for part in said if isinstance(part, Picture)]
    live = table.wants_point and room.is_turn(seat, table)
    current = Picture(game, marked=not is_task)
    if shown and ((shown[-1].numbers is None and shown[-1].game == game) or (is_task and table.is_finished)):
        last = shown.pop()
        current = Picture(last.game, last.numbers, marked=not is_task)
    hint = next((part.place for part in said if isinstance(part, Sentence) and part.place not in ("", "pass")), "")
    found = [*(_board(part, voice) for part in shown), {**_board(current, voice, hint), "live": live}]
    return found[::-1] if table.is_finished and (table.is_page or not is_task) else found


def _board(shown: Picture, voice: Voice, hint: str = "") -> dict[str, Any]:
    """Return a board with its points; if marked, with the last stone, atari, and stones just taken."""
    game, numbers = shown.game, shown.numbers
    is_marked = shown.marked and numbers is None
    marks = picture.Marked.of(game.board, game.positions) if is_marked else picture.Marked()
    marks = marks._replace(hint=game.point(hint) if hint else None)
    (width, height), last = game.size, marks.last and marks.last.point
    points = []
    for row in reversed(range(height)):
        for column in range(width):
            point = point_at(column, row, width)
            number, color = (numbers or {}).get(point, (None, int(game.board.color[point])))
            vertex, atari = game.vertex(point), point in marks.atari
            stone = words.spoken_point(color, voice, number, atari=atari)
            key = "class.point.hint" if vertex == hint else "class.point.last" if point == last else "class.point"
            points.append(
                {
                    "vertex": vertex,
                    "x": round((column + 1) / (width + 1), 4),
                    "y": round((height - row) / (height + 1), 4),
                    "label": voice.text(key, vertex=vertex, stone=stone),
                    "stone": COLORS[color],
                }
            )
    drawn = picture.svg(picture.picture(game.board, marks, numbers=numbers))
    return {"svg": drawn, "points": points, "live": False}


def _activities(room: Classroom) -> dict[str, Any]:
    """Return what the teacher may set."""
    text = room.voice.text
    counts = Counter(problem.theme for problem in room.material.problems("").values())
    named = [{"key": theme, "label": text(f"theme.{theme}"), "count": counts[theme]} for theme in THEMES]
    every = {"key": "", "label": text("class.theme.all"), "count": counts.total()}
    return {**_fixed_activities(room.voice), "themes": [every, *(theme for theme in named if theme["count"])]}


@functools.cache
def _fixed_activities(voice: Voice) -> dict[str, Any]:
    course, text = [], voice.text
    for number in lessons.numbers():
        lesson = lessons.lesson(number, voice.language)
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
