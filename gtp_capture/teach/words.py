"""Sentences for people: the one place where facts become words. Every sentence comes from the table `sentences.txt`.

A `Voice` is the manner of speaking: `Voice(plain=True)` speaks to a child at the board and calls the person "you"; the
other voice is for consoles, files and GTP. Nothing here decides what is true.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from typing import Any, Final, NamedTuple

from ..go import board as bd
from ..go import picture, scoring
from ..go.game import Game
from ..go.position import Move, Outcome, Termination
from ..go.rules import Ko, Rules, Scoring
from ..go.scoring import Status
from ..go.vertex import (
    BLACK,
    COLUMNS,
    EMPTY,
    PASS,
    RESIGN,
    WHITE,
    Color,
    format_line,
    format_vertex,
    opponent,
    point_at,
    repeated,
)
from ..players import levels
from .explain import CHANCES, Evidence, Explanation, Hint, Lost, Result
from .puzzles.examiner import Clue
from .puzzles.problem import Problem, Start
from .reasons import Reason
from .review.moment import Kind, Moment
from .review.reviewed import Remark, Review, ReviewedMove
from .sentences import ENGLISH, catalogue, table
from .sentences import language as known_language

NAMED: Final = 3
"""Maximum number of chains of one colour in atari that are named."""
_WITHOUT_VARIANT: Final = (Reason.LADDER, Reason.RACE, Reason.FORCE, Reason.PASS)
"""Reasons whose sentences say already that the move wins, or that it is a pass."""
_OPPOSING: Final = (Reason.ATARI, Reason.CUT, Reason.TWO_LEFT)
"""Reasons that are about chains of the other side."""
_TAUGHT: Final = {Reason.LADDER: 4, Reason.RACE: 5, Reason.SAFE: 5}
"""The lesson that explains the words of the sentence of a reason; without it another sentence describes them."""
_VERDICTS: Final = (f"hint.{Reason.FORCE}", f"hint.{Reason.RACE}.new")
"""Sentences of a hint that say who wins, and no reason."""
_CONTENTS: Final = {EMPTY: "empty", BLACK: "black", WHITE: "white"}
"""Parts of the keys `spoken`, by the colour on a point."""


class Person(NamedTuple):
    """A side of the game as a field of a sentence."""

    form: str
    """The variant of the sentence: "you" for the person at the board, "own" for the reader of a game of two people,
    "me" for the program, "" for a name."""
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Voice:
    """The manner and the language of sentences."""

    plain: bool = False
    """Whether the sentences are for a child."""
    taps: bool = False
    """Whether the person taps on a screen and does not type."""
    people: Collection[int] = (BLACK, WHITE)
    """The colours that people play. One person is called "you", the program "I"; two people are called by colours."""
    language: str = ENGLISH
    """The language, by the name of its catalogue."""
    lessons: Collection[int] | None = None
    """The lessons whose words the reader knows; None: all."""
    own: int = 0
    """The colour of the reader, who is called "you" although two people play; 0 for none."""

    @property
    def between_people(self) -> bool:
        """Whether people play both colours."""
        return len(self.people) > 1

    def text(self, key: str, **fields: Any) -> str:
        """Return a sentence of the table. The first `Person` and the number `count` select its variant.

        A field that is a list is a choice: "A, B or C"; one that is a pair is the size of a board. Each field is also
        there with a capital letter in its name and in its text, for the start of a sentence.
        """
        sentences, said = table(), catalogue(self.language)
        form = next((field.form for field in fields.values() if isinstance(field, Person)), "")
        manner = "plain" if self.plain else "terse" if self.language == ENGLISH else ""
        forms = (form, "you") if form == "own" else (form,)
        taps = (*(f"tap.{form}" for form in forms), "tap") if self.taps else ()
        variants = [f"{key}.{variant}" for variant in (*taps, manner, *forms)]
        key = next((variant for variant in variants if variant in sentences), key)
        text, one = sentences[key], sentences.get(f"{key}.one")
        if not text:
            return ""
        translated = said.pgettext(key, text) if one is None else said.npgettext(key, one, text, fields["count"])
        return translated.format(**self._filled(translated, fields))

    def _filled(self, text: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a text in words."""
        filled = {}
        for name, value in fields.items():
            if value and isinstance(value, list):
                value = self.either(value)
            elif isinstance(value, float):
                value = _Number(value, self)
            elif type(value) is tuple:  # not a person
                value = _Size(*value)
            filled[name] = value
            if f"{{{name.capitalize()}" in text:
                filled[name.capitalize()] = _capitalized(str(value))
        return filled

    def translated(self, text: str) -> str:
        """Return an English text that is not in the table, but in the catalogues: a text of a lesson."""
        return text and catalogue(self.language).gettext(text)

    def name(self, color: int) -> str:
        """Return "Black" or "White"."""
        return self.text("black" if color == BLACK else "white")

    def label(self, color: int) -> str:
        """Return the name of a colour as it stands alone, with a capital letter."""
        return _capitalized(self.name(color))

    def person(self, color: int) -> Person:
        """Return a colour as a field of a sentence."""
        alone = "you" if color in self.people else "me"
        form = alone if not self.between_people else "own" if color == self.own else ""
        return Person(form, self.name(color))

    def knows(self, lesson: int) -> bool:
        """Whether the reader knows the words of a lesson."""
        return self.lessons is None or lesson in self.lessons

    def moves(self, **vertices: str) -> dict[str, str]:
        """Return moves as fields of a sentence."""
        return {name: self.text("pass") if vertex == "pass" else vertex for name, vertex in vertices.items()}

    def vertex(self, vertex: str) -> str:
        """Return a move as it stands after the name of its side, as in "Black C3" and "Black pass"."""
        return self.text("pass.move") if vertex == "pass" else vertex

    def typed(self, name: str) -> str:
        """Return the word that a person types for a word of the program."""
        return self.text(f"typed.{name}").split()[0]

    def listed(self, items: Sequence[str]) -> str:
        """Return items as "a, b, c"."""
        return reduce(lambda first, last: self.text("list", first=first, last=last), items)

    def either(self, items: Sequence[str]) -> str:
        """Return items as "a", "a or b", "a, b or c"."""
        return self.text("or", first=self.listed(items[:-1]), last=items[-1]) if len(items) > 1 else items[0]

    def joined(self, *sentences: str) -> str:
        """Return sentences one after the other; empty ones are left out."""
        said = list(filter(None, sentences))
        return reduce(lambda first, second: self.text("sentences", first=first, second=second), said) if said else ""


SHORT: Final = Voice()


def voice_of(language: object) -> Voice:
    """Return the short voice in a language of the catalogues. ValueError: another one. TypeError: not text."""
    if not isinstance(language, str):
        raise TypeError(f"a language is text such as 'de', not {language!r}")
    return Voice(language=known_language(language))


def page_voice(
    language: str,
    people: Collection[int] = (BLACK, WHITE),
    own: int = 0,
    lessons: Collection[int] | None = None,
) -> Voice:
    """Return the voice of the pages of a class. `people`, `own`, `lessons`: see Voice."""
    return Voice(plain=True, taps=True, people=people, language=language, own=own, lessons=lessons)


def class_words(language: str) -> list[str]:
    """Return the words of which one lets children into a class."""
    return Voice(language=language).text("class.words").split()


def sentence(text: str) -> str:
    """Return an English text with a capital letter in front, and a full stop unless it ends with a mark."""
    return f"{_capitalized(text)}{'' if text.endswith(('.', '?', '!')) else '.'}"


class _Number(float):
    """A number that is written with the decimal sign of a language.

    A translation may count it: `{komi:g目半}` is "6目半" for 6.5, "6目" for 6 and "半目" for a half.
    """

    _sign: str

    def __new__(cls, value: float, voice: Voice) -> _Number:
        number = super().__new__(cls, value)
        number._sign = voice.text("decimal")
        return number

    def __format__(self, spec: str) -> str:
        kind, unit, half = spec[:-2], spec[-2:-1], spec[-1:]
        if half.isascii():
            return super().__format__(spec).replace(".", self._sign)
        whole, part = divmod(self, 1)
        if self < 0 or part != 0.5:
            return f"{format(self, kind)}{unit}"
        return f"{whole:g}{unit}{half}" if whole else f"{half}{unit}"


class _Size(str):
    """The size of a board: `5x5`.

    A translation may name a square one by its lines: `{size:路|の}` is "5路" or "9x7の".
    """

    _lines: int

    def __new__(cls, width: int, height: int) -> _Size:
        size = super().__new__(cls, f"{width}x{height}")
        size._lines = width if width == height else 0
        return size

    def __format__(self, spec: str) -> str:
        square, _, other = spec.partition("|")
        return f"{self._lines}{square}" if square and self._lines else f"{self!s}{other}"


def _capitalized(text: str) -> str:
    """Return a text with a capital letter in front."""
    return text[:1].upper() + text[1:]


def again(points: Iterable[int], voice: Voice) -> str:
    """Return a sentence for each play of a line on a point that has a number already; "" if there are none."""
    return voice.joined(*(voice.text("repeated", number=number, first=first) for number, first in repeated(points)))


def plays(color: int, points: Iterable[int], width: int, voice: Voice) -> str:
    """Return alternating plays that begin with a colour, as "B C3 W D4"."""
    sides = (_letter(color, voice), _letter(opponent(color), voice))
    moves = [f"{sides[n % 2]} {format_vertex(p, width)}" for n, p in enumerate(points)]
    return reduce(lambda first, last: voice.text("moves", first=first, last=last), moves) if moves else ""


def _letter(color: int, voice: Voice) -> str:
    return voice.text(f"{_CONTENTS[color]}.letter")


def _end(termination: Termination, voice: Voice) -> str:
    return voice.text(f"end.{termination.name.lower()}")


def _for_console(text: str, voice: Voice) -> str:
    """Return a sentence; in the short voice without its full stop, as GTP answers are written."""
    return text if voice.plain else text.removesuffix(".")


# --- Hints, explanations and warnings ---


def hint(advice: Hint, voice: Voice = SHORT) -> str:
    """Return a hint as one or two sentences, without a full stop at the end in the short voice."""
    return _for_console(_advice(advice, voice), voice)


def _advice(advice: Hint, voice: Voice) -> str:
    """Return a hint as one or two whole sentences.

    To a child in a class it is the move with a reason that is in sight, and without one an opinion: that a game is won
    or lost from here on, whatever children play, would end it for them.
    """
    stone, second = (*advice.stones, "", "")[:2]
    key = "hint.double" if advice.reason is Reason.ATARI and second else f"hint.{advice.reason}"
    if advice.reason is Reason.LOSS and advice.plies is not None and not voice.taps:
        key += ".plies" if advice.longest else ".equal"
    wins = advice.wins and advice.reason not in _WITHOUT_VARIANT
    if wins and (advice.reason is Reason.CAPTURE or (advice.reason is Reason.ATARI and advice.plies == 3)):
        key += ".wins" if advice.reason is Reason.CAPTURE else ".caught"
        wins = False
    if advice.reason in _TAUGHT and not voice.knows(_TAUGHT[advice.reason]):
        key = f"hint.{advice.reason}.new"
    if voice.taps and key in _VERDICTS:
        key = "hint.sight"
    owner = voice.person(int(advice.color.opponent if advice.reason in _OPPOSING else advice.color))
    before, after = advice.liberties or (0, 0)
    fields = {"stone": stone, "second": second, "before": before, "after": after, **voice.moves(move=advice.move)}
    text = voice.text(key, owner=owner, count=advice.captured or advice.safe or advice.plies, **fields)
    if voice.taps:
        return text
    if wins:
        return voice.joined(text, voice.text("hint.wins"))
    return voice.joined(voice.text("hint.loses"), text) if advice.wins is False else text


def explanation(explained: Explanation) -> str:
    """Return an explanation as one line in the short voice."""
    text, color = statement(explained), explained.color
    if explained.line:
        line = format_line(int(color.opponent), explained.line)
        text += f": {line}" if explained.end is None else f": {line} ({_end(explained.end, SHORT)})"
    return f"{text}. {more}" if (more := context(explained)) else text


def statement(explained: Explanation, voice: Voice = SHORT) -> str:
    """Return what is known about the last move; to a child in a class nothing, if the moves that follow show it."""
    key, winner = f"explain.{explained.result}", explained.winner
    if explained.result is Result.COUNTED:
        key += ".none" * (winner is None)
        key = {Evidence.UNKNOWN: "explain.counted.dead", Evidence.MEASURED: f"{key}.estimated"}.get(
            explained.known, key
        )
    elif explained.result is Result.ENDED:
        key += ".wins" if winner == explained.color else ".loses"
    elif voice.taps and explained.result is Result.WINS:
        key = f"explain.{Result.OPEN}"
    elif voice.taps and explained.result is Result.LOSES and explained.line:
        return ""
    elif explained.result is Result.LOSES and explained.plies is not None:
        key += ".plies"
    sides = {"winner": "" if winner is None else voice.name(int(winner)), "loser": voice.name(int(explained.color))}
    end = "" if explained.end is None else _end(explained.end, voice)
    text = voice.text(key, **voice.moves(move=explained.move), **sides, end=end, count=explained.plies)
    return _for_console(text, voice)


def context(explained: Explanation, voice: Voice = SHORT) -> str:
    """Return the chance that the move missed, and a better move or since when the game was lost; "" if unknown."""
    better, missed, said = explained.better, explained.missed, list[str]()
    if missed is not None:
        move, number = explained.missed_by or (explained.move, None)
        said.append(missed_chance(missed, move, voice, number))
    if better is not None and (missed is None or explained.mistake is not None or better.move != missed.move):
        several = "several" if explained.several else "wins"
        key = f"better.{several if better.wins else 'unrefuted'}"
        if explained.mistake is not None:
            key = f"better.mistake.{'chance' if better.reason in CHANCES else several}"
        mistake, number = explained.mistake or ("", 0)
        moves = voice.moves(move=better.move, mistake=mistake)
        said.append(voice.text(key, **moves, number=number, chance=_advice(better, voice)))
    elif better is None and explained.lost is not None:
        said.append(voice.text("lost.before" if explained.lost is Lost.BEFORE else "lost.start"))
    return voice.joined(*said) if voice.plain else ". ".join(text.removesuffix(".") for text in said)


def missed_chance(chance: Hint, move: str, voice: Voice, number: int | None = None) -> str:
    """Return that a move misses the chance of a hint. `number`: the number of the move, if it is not the last one."""
    key = f"missed.{_chance(chance)}" + ("" if number is None else ".earlier")
    return voice.text(key, **voice.moves(move=move), number=number, chance=_advice(chance, voice))


def _chance(chance: Hint) -> str:
    return "capture" if chance.reason is Reason.CAPTURE else "rescue"


def numbers(explained: Explanation, reply: str | None, voice: Voice) -> str:
    """Return the sentence before the board with a punishing line; `reply`: the play that followed the move."""
    key = "" if reply is None else ".played" if explained.played else ".another"
    return voice.text(f"explain.numbers{key}", winner=voice.person(opponent(int(explained.color))), reply=reply)


def line_of_moves(color: int, line: Sequence[str], voice: Voice) -> str:
    """Return alternating moves that begin with a colour, as "1: I play B4, 2: you play C4."."""
    movers, parts = (voice.person(color), voice.person(opponent(color))), []
    for n, move in enumerate(line):
        key = "play.line.pass" if move == "pass" else "play.line.move"
        parts.append(voice.text(key, number=n + 1, mover=movers[n % 2], move=move))
    return voice.text("list.end", list=voice.listed(parts))


def warning(punishment: Hint, voice: Voice) -> str:
    """Return how the other side punishes a move."""
    key = (
        "capture" + ".wins" * bool(punishment.wins)
        if punishment.captured
        else "chase"
        if len(punishment.line) > 1
        else "atari"
    )
    return voice.text(f"warning.{key}", winner=voice.person(int(punishment.color)), count=punishment.captured)


# --- Reviews ---


def remark_on(move: ReviewedMove, voice: Voice = SHORT) -> str:
    """Return the remark on a move, and the chance that it missed; "" if there is neither."""
    said = "" if move.kind is None else _remark(move, move.kind, voice)
    return voice.joined(said, "" if move.missed is None else missed_chance(move.missed, move.vertex, voice))


def _remark(move: ReviewedMove, kind: Remark, voice: Voice) -> str:
    """Return a remark on a move."""
    winner = move.evaluation_after.winner
    better = move.evaluation_before.line if kind is Remark.MISSED else move.better
    key = f"review.{kind.name.lower()}"
    if kind is Remark.LOSING:
        key += ".better" * bool(better) + ".punished" * bool(move.punishment)
    elif kind is Remark.DROP and winner is not None:
        key += ".lost"
    moves = voice.moves(move=move.vertex, better="".join(better[:1]), punishment="".join(move.punishment[:1]))
    names = {"mover": voice.name(int(move.color)), "winner": "" if winner is None else voice.name(int(winner))}
    return voice.text(key, before=100 * (move.before or 0.0), after=100 * (move.after or 0.0), **moves, **names)


def move_line(move: ReviewedMove, voice: Voice = SHORT) -> str:
    """Return a move of a game with the remark on it, else with its grade."""
    letter, text = _letter(int(move.color), voice), remark_on(move, voice) or str(move.grade)
    return voice.text("review.move", number=move.number, color=letter, vertex=voice.vertex(move.vertex), text=text)


def review_lines(review: Review, voice: Voice = SHORT) -> Iterator[str]:
    """Yield a line for each move about which there is something to say, then the summary."""
    yield from (move_line(move, voice) for move in review.moves if remark_on(move, voice))
    yield from summary(review, voice)


def summary(review: Review, voice: Voice = SHORT) -> Iterator[str]:
    """Yield the lines on a whole game: moves judged, the deciding mistake, and the counts of both sides."""
    if not review.moves:
        yield voice.text("review.nothing")
        return
    key = "review.all" if review.judged == review.undecided else "review.some"
    yield voice.text(key, judged=review.judged, count=review.undecided)
    if review.judged == 0:
        return
    yield _deciding(review, voice)
    for color in Color:
        yield _counts(review, color, voice)


def _counts(review: Review, color: Color, voice: Voice) -> str:
    """Return how many moves, mistakes and only winning moves a colour made."""
    side = review.counts(color)
    counts = {"moves": side.moves, "losing" if side.losing else "mistakes": side.mistakes, "only": side.only}
    said = [
        voice.text(f"review.side.{key}", count=count, losing=side.losing)
        for key, count in counts.items()
        if count or key != "only"
    ]
    return voice.text("review.side", mover=voice.name(int(color)), counts=voice.listed(said))


def file_summary(review: Review, voice: Voice = SHORT) -> Iterator[str]:
    """Yield the rules by which a game of a file was judged, and the lines of its summary."""
    yield from _judged_part(review, voice)
    yield from summary(review, voice)


def file_lines(review: Review, voice: Voice = SHORT) -> Iterator[str]:
    """Yield the rules by which a game of a file was judged, and the lines of `review_lines`."""
    yield from _judged_part(review, voice)
    yield from review_lines(review, voice)


def _judged_part(review: Review, voice: Voice) -> Iterator[str]:
    """Yield the rules by which a game was judged, and where the judgement ends if a move could not be played."""
    yield voice.text("review.rules", rules=rules_name(str(review.game.rules), voice))
    if review.cut:
        yield voice.text("review.cut", moves=len(review.moves), reason=review.cut)


def headline(review: Review, voice: Voice = SHORT) -> str:
    """Return the first lines of the summary of a game of a file as one line."""
    return voice.joined(*islice(file_summary(review, voice), 4 if review.cut else 3))


def for_child(review: Review, voice: Voice = SHORT) -> str:
    """Return the best move of a game, the one at which it turned, what to try there, and each capture or rescue missed.

    Only moves of people are praised, or missed a chance. A chance that a side misses several times is named once, with
    the numbers of the moves.
    """
    best = next((move for move in review.moves if move.grade.is_only and int(move.color) in voice.people), None)
    turning, loser = review.deciding, review.resigned_ahead
    said = [] if best is None else [voice.text("review.child.best", **_named(best, voice))]
    if turning is not None:
        key = "review.child.turn" if review.is_proven_to_decide(turning) else "review.child.turn.probable"
        said += [voice.text(key, **_named(turning, voice)), *_to_try(turning, voice)]
    elif loser is not None:
        said.append(voice.text("review.child.resigned", loser=voice.name(int(loser))))
    missed: dict[Hint, list[str]] = {}
    for move in review.moves:
        if move.missed is not None and move is not turning and int(move.color) in voice.people:
            missed.setdefault(move.missed, []).append(str(move.number))
    for chance, turns in missed.items():
        fields = {"count": len(turns), "numbers": voice.listed(turns), "chance": _advice(chance, voice)}
        said.append(
            voice.text(f"review.child.missed.{_chance(chance)}", mover=voice.person(int(chance.color)), **fields)
        )
    return voice.joined(*said) or voice.text("review.child.none")


def looked_at(moment: Moment | None, voice: Voice) -> str:
    """Return what a child sees at a moment of its game."""
    if moment is None:
        return voice.text("look.none")
    fields = {"move": moment.move, "stone": moment.stone, "count": moment.count}
    mover = {"mover": voice.person(int(moment.color))} if moment.kind is Kind.TAKEN else {}
    return voice.text(f"look.{moment.kind}", **mover, **fields)


def _to_try(move: ReviewedMove, voice: Voice) -> Iterator[str]:
    """Yield the move that is better than a mistake, and its reason if a person can see it on the board."""
    advice = move.advice
    if advice is None or advice.move == "pass":
        return
    yield voice.text("review.child.try", better=advice.move)
    if advice.reason not in (Reason.FORCE, Reason.RATE, Reason.SIGHT):
        yield _advice(advice, voice)


def _named(move: ReviewedMove, voice: Voice) -> dict[str, Any]:
    """Return the number, the side and the vertex of a move as fields."""
    return {"number": move.number, "mover": voice.person(int(move.color)), "vertex": voice.vertex(move.vertex)}


def _deciding(review: Review, voice: Voice) -> str:
    """Return the deciding mistake, or that there is none."""
    loser, always, move = review.resigned_ahead, review.always_won_by, review.deciding
    if loser is not None:
        last = review.evaluations[-1]
        key = "review.resigned" if last.winner is not None else "review.resigned.ahead"
        return voice.text(key, loser=voice.name(int(loser)), rate=100 * (last.rate(int(loser)) or 0.0))
    if always is not None:
        return voice.text("review.always", winner=voice.name(int(always)))
    if move is None:
        text = voice.text("review.undecided.some" if review.judged < review.undecided else "review.undecided")
        return text if review.outcome is not None else voice.text("review.unfinished", text=text)
    key = "review.deciding" if review.is_proven_to_decide(move) else "review.probable"
    return voice.text(key, **_named(move, voice))


# --- Problems ---


def goal(start: Start, voice: Voice) -> str:
    """Return the task of a problem as one sentence."""
    captures = start.rules.captures
    key = "problem.goal" if captures == 1 else "problem.goal.several"
    return voice.text(key, winner=voice.name(start.to_move), captures=captures)


def end(start: Start, moves: tuple[int, ...], voice: Voice, *, refuted: bool = False) -> str:
    """Return one sentence about the end of a line of a problem, which is read off the position; "" if there is none.

    `refuted`: the line is proven to lose, and its last move is of the side that wins, even if the game is not over.
    """
    game = start.game()
    for move in moves:
        game.play_point(move)
    outcome = game.outcome
    if outcome is None:
        return voice.text("problem.force", winner=voice.name(opponent(int(game.to_move)))) if refuted else ""
    if outcome.winner is None:
        return ""
    winner, last = int(outcome.winner), game.positions[-1]
    taken = last.won(int(outcome.winner)) - game.positions[-2].won(int(outcome.winner))
    key = "no_play" if outcome.termination is not Termination.CAPTURE else "captures"
    if taken and winner == int(game.to_move):
        key = "suicide"
    sides = {"winner": voice.name(winner), "loser": voice.name(opponent(winner))}
    return voice.text(f"problem.{key}", count=taken, **sides)


def clue(given: Clue, start: Start, voice: Voice) -> str:
    """Return a clue to a problem as one sentence."""
    sides = {"winner": voice.name(start.to_move), "loser": voice.name(opponent(start.to_move))}
    return voice.text(f"clue.{given.kind}", place=given.place, other=given.other, **sides)


def term(name: str, rules: Rules, voice: Voice) -> str:
    """Return what a term of the game means, in a game with these rules."""
    key = f"term.{name}"
    if name == "ko":
        key += ".wins" if rules.won_by(1) else ".none" if rules.ko is Ko.NONE else ""
    return voice.text(key)


def theme(problem: Problem, voice: Voice) -> str:
    """Return the theme of a problem; "" if it has none."""
    return problem.theme and voice.text(f"theme.{problem.theme}")


def title(problem: Problem, number: int, voice: Voice) -> str:
    """Return the title of a problem, its number and grade; the theme would give the solution away."""
    grade = problem.difficulty.grade
    return voice.text("problem.title.grade" if grade else "problem.title", number=number, grade=grade)


def sheet_rule(problems: Iterable[Problem], voice: Voice) -> str:
    """Return one sentence with the goal of all problems of a sheet, or with the rule if their goals differ."""
    rules = {problem.start.rules for problem in problems}
    return game_goal(rules.pop(), voice) if len(rules) == 1 else voice.text("sheet.rule")


def about(problem: Problem, voice: Voice = SHORT, *, named: bool = True) -> str:
    """Return the task of a problem, its length, theme and difficulty, a line each; `named`: with the theme."""
    missed, tries, effort = problem.difficulty
    lines = [goal(problem.start, voice), voice.text("problem.length", count=problem.depth)]
    if problem.theme and named:
        lines.append(voice.text("problem.theme", theme=theme(problem, voice)))
    if tries:
        grade = problem.difficulty.grade
        lines.append(voice.text("problem.difficulty", grade=grade, missed=missed, tries=tries))
    if effort:
        lines.append(voice.text("problem.effort", count=effort))
    return "\n".join(lines)


def solution(problem: Problem, voice: Voice) -> str:
    """Return the theme and the solution of a problem for a sheet; for several right first plays only their number."""
    start, first_plays = problem.start, {moves[0] for moves in problem.answers}
    said = theme(problem, voice)
    said = said and voice.text("sheet.theme", theme=said)
    if len(first_plays) > 1:
        return voice.joined(said, voice.text("sheet.several", count=len(first_plays)))
    line = plays(start.to_move, problem.line, start.width, voice)
    return voice.joined(said, voice.text("sheet.solution", count=problem.depth, line=line), again(problem.line, voice))


def answer(count: int | None, points: Iterable[str], voice: Voice) -> str:
    """Return the answer to a question of the course: a number, or else one of some points."""
    if count is not None:
        return voice.text("course.number", count=count)
    return voice.text("course.points", points=voice.either([*points]))


# --- Games ---


def rules_name(typed: str, voice: Voice) -> str:
    """Return the name of rules in words; `typed`: their text, which follows in brackets if it changes named rules."""
    preset, _, changes = typed.partition(" ")
    number = preset.removeprefix("capture-")
    several = number.isdigit() and number != "1"
    name = voice.text("class.rules.capture-N", count=number) if several else voice.text(f"class.rules.{preset}")
    return voice.text("rules.other", name=name, typed=typed) if changes else name


def level_name(number: int, voice: Voice) -> str:
    """Return the name of a level in words."""
    return voice.text(f"level.{levels.name(number)}")


def game_goal(rules: Rules, voice: Voice) -> str:
    """Return one sentence with the goal of a game."""
    if rules.captures is not None:
        key = "capture" if rules.captures == 1 else "captures"
    elif rules.is_scored:
        key = "area" if rules.scoring is Scoring.AREA else "territory"
    else:
        key = "last_play"
    return voice.text(f"goal.{key}", captures=rules.captures, other=voice.person(opponent(_first(voice))))


def rules_lines(game: Game, turns: int, voice: Voice) -> Iterator[str]:
    """Yield the rules of a game as short sentences; `turns`: the first player's turns in a row by handicap, or 0."""
    rules = game.rules
    first = voice.name(int(game.positions[0].to_move))
    ko = {Ko.NONE: [], Ko.SIMPLE: ["ko"]}.get(rules.ko, ["superko"])
    passing = "pass_stone" if rules.pass_stones else "pass"
    if rules.pass_stones and rules.is_capture_game:
        passing += ".loses" if rules.won_by(1) else ".counts"
    keys = ["begins.turns" if turns else "begins", "liberties", "prisoners"]
    keys += ["captures"][: rules.captures is not None]
    keys += ["suicide" if rules.suicide else "no_suicide", *ko, passing if rules.may_pass else "no_pass"]
    keys += ["two_passes"][: rules.may_pass and not rules.is_scored and passing != "pass_stone.loses"]
    yield from (voice.text(f"rules.{key}", first=first, turns=turns, count=rules.captures) for key in keys)
    if rules.is_scored:
        scored = voice.text("rules.area" if rules.scoring is Scoring.AREA else "rules.territory")
        yield voice.joined(scored, voice.text("rules.komi", komi=game.komi) if game.komi else "")


def last_move(game: Game, move: Move, voice: Voice) -> str:
    """Return the last move of a game."""
    key = {PASS: "play.last.pass", RESIGN: "play.last.resign"}.get(move.point, "play.last")
    return voice.text(key, mover=voice.person(int(move.color)), move=game.vertex(move.point))


def atari_lines(game: Game, voice: Voice) -> Iterator[str]:
    """Yield a line for each chain in atari, up to NAMED of each colour."""
    for color in (BLACK, WHITE):
        chains = game.atari(color)
        for p in chains[:NAMED]:
            count, place = len(bd.stones(game.board, p)), game.vertex(p)
            yield voice.text("play.atari", owner=voice.person(color), count=count, place=place)
        if len(chains) > NAMED:
            yield voice.text("play.atari.more", count=len(chains) - NAMED, owner=voice.name(color))


def spoken(
    game: Game, marks: Mapping[int, tuple[int | str, int]], voice: Voice, *, bare: bool = False
) -> Iterator[str]:
    """Yield a board as sentences, the top row first; `marks`: the numbers of `picture`; `bare`: atari is not said."""
    atari = set() if bare else picture.Marked.of(game.board, game.positions).atari
    yield voice.text("spoken.columns", last=COLUMNS[game.width - 1])
    for row in range(game.height - 1, -1, -1):
        points = [point_at(column, row, game.width) for column in range(game.width)]
        marked = {p: marks.get(p, (None, int(game.board.color[p]))) for p in points}
        contents = [spoken_point(color, voice, number, atari=p in atari) for p, (number, color) in marked.items()]
        empty = all(mark == (None, EMPTY) for mark in marked.values())
        key = "spoken.row.empty" if empty else "spoken.row"
        yield voice.text(key, row=row + 1, points=voice.listed(contents))


def spoken_point(color: int, voice: Voice, number: int | str | None = None, *, atari: bool = False) -> str:
    """Return the contents of a point in words, with the number or letter on it, or with a remark on atari."""
    if number is not None:
        return voice.text(f"spoken.{_CONTENTS[color]}.number", number=number)
    return voice.text(f"spoken.{_CONTENTS[color]}.atari" if atari else f"spoken.{_CONTENTS[color]}")


def prisoner_line(game: Game, voice: Voice) -> str:
    """Return the prisoners of both sides; "" if they do not matter, or the first one wins."""
    rules = game.rules
    if not (rules.captures or rules.scoring is Scoring.TERRITORY) or rules.won_by(1):
        return ""
    first = _first(voice)
    second = opponent(first)
    counts = {"count": game.prisoners(first), "other_count": game.prisoners(second), "goal": rules.captures}
    key = "play.prisoners.goal" if rules.captures else "play.prisoners"
    return voice.text(key, first=voice.person(first), second=voice.person(second), **counts)


def result_line(game: Game, outcome: Outcome, voice: Voice) -> str:
    """Return who has won, and why."""
    if outcome.winner is None:
        return voice.text("play.draw" if game.score() == 0 else "play.no_winner")
    winner, lead, count = int(outcome.winner), abs(game.score() or 0), game.prisoners(int(outcome.winner))
    if outcome.termination is Termination.TWO_PASSES:
        count = int(lead) if lead == int(lead) else math.ceil(max(2, lead))  # a fraction takes the plural
    fields: dict[str, Any] = {"winner": voice.person(winner), "loser": voice.person(opponent(winner))}
    fields |= {"count": count, "lead": float(lead)}
    return voice.text(f"play.{outcome.termination.name.lower()}", **fields)


def count_lines(game: Game, voice: Voice) -> Iterator[str]:
    """Yield the dead stones and the points of both sides; nothing if no count has decided the game."""
    outcome = game.outcome
    if outcome is None or outcome.termination is not Termination.TWO_PASSES or not game.rules.is_scored:
        return
    statuses = game.statuses()
    if statuses is None:
        return
    if dead := [q for p, status in statuses.items() if status is Status.DEAD for q in bd.stones(game.board, p)]:
        yield voice.text("play.dead", stones=voice.listed([game.vertex(p) for p in sorted(dead)]))
    board = scoring.cleared(game.board, statuses)
    seki = () if game.rules.seki_points else scoring.stones_in_seki(game.board, statuses)
    area = game.rules.scoring is Scoring.AREA
    points = scoring.area(board, seki) if area else scoring.territory(board, seki)
    for color, count in ((BLACK, points.black), (WHITE, points.white)):
        parts: list[tuple[str, float]] = [("area" if area else "territory", count)]
        if not area:
            parts.append(("prisoners", int(board.prisoners[color])))
        if color == WHITE and game.komi:
            parts.append(("komi.handicap" if game.handicap else "komi", game.komi))
        if color == WHITE and (rest := game.compensation()):
            parts.append(("stones" if rest < 0 else "pass", -rest))
        said = [voice.text(f"play.count.{key}", count=abs(number), komi=number) for key, number in parts]
        signs = [" - " if key == "pass" else " + " for key, _ in parts]
        total = said[0] + "".join(sign + text for sign, text in zip(signs[1:], said[1:], strict=True))
        yield voice.text("play.count", mover=voice.name(color), sum=total, total=float(sum(n for _, n in parts)))


def greeting(game: Game, level: str, voice: Voice, signs: Mapping[int, str], example: str) -> Iterator[str]:
    """Yield the first lines of a session: the game, the sides, the goal, and what to type."""
    rules = rules_name(str(game.rules), voice)
    yield voice.text("play.game.two" if voice.between_people else "play.game", rules=rules, size=game.size, level=level)
    if not voice.between_people:
        yield sides_line(voice, signs)
    yield game_goal(game.rules, voice)
    if voice.own in (0, int(game.to_move)):
        yield voice.text("play.type", example=example)


def sides_line(voice: Voice, signs: Mapping[int, str]) -> str:
    """Return which colours the person and the engine have."""
    mine = _first(voice)
    sides = {"mine": voice.name(mine), "my_sign": signs[mine], "your_sign": signs[opponent(mine)]}
    return voice.text("play.sides", yours=voice.name(opponent(mine)), **sides)


def turn_line(color: int, voice: Voice, signs: Mapping[int, str]) -> str:
    """Return whose turn it is, in a form from which `go.diagram` reads the side to move."""
    key = "play.turn.two" if voice.between_people else "play.turn"
    return voice.text(key, mover=voice.name(color), sign=signs[color])


def _first(voice: Voice) -> int:
    """Return the colour that is named first: the person's, or Black."""
    return voice.own or (BLACK if BLACK in voice.people else WHITE)
