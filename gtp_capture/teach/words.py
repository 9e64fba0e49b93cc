"""Sentences for people: the one place where facts become words. Every sentence comes from the table in `strings`.

There are two voices: SHORT, for consoles and GTP, and `Voice(plain=True)` for `play`, which speaks to a child and
says "you" to the person at the board. Nothing here decides what is true, and nothing takes a sentence apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from string import Formatter
from typing import Any, Final, NamedTuple

from ..go import board as bd
from ..go import scoring
from ..go.game import Game
from ..go.position import Illegal, Move, Outcome, Termination
from ..go.rules import Ko, Rules, Scoring
from ..go.vertex import (
    BLACK,
    COLOR_LETTERS,
    COLUMNS,
    EMPTY,
    PASS,
    RESIGN,
    WHITE,
    format_line,
    format_vertex,
    opponent,
    point_at,
    repeated,
)
from .danger import Punishment
from .explain import Evidence, Explanation, Hint, Lost, Reason, Result, Unread
from .puzzles.examiner import Clue
from .puzzles.problem import Problem, Start
from .review.judge import Judgement, Review
from .review.summary import Kind, Remark, always_won_by, deciding_mistake, remark, resigned_ahead, side
from .strings import ENGLISH

NAMED: Final = 3
"""Chains of one colour in atari that are named at most."""
_WHOLE: Final = (Reason.LADDER, Reason.RACE, Reason.FORCE, Reason.PASS)
"""Reasons whose sentences say already that the move wins, or do not say it."""
table: Mapping[str, str] = ENGLISH
"""The templates in use."""


class Person(NamedTuple):
    """A side of the game as a field of a template: the person, the engine, or a colour."""

    form: int
    """Which form the template takes: 0 for "you", 1 for "I", 2 for a name."""
    name: str

    def __str__(self) -> str:
        return self.name


class _Forms(Formatter):
    """Formats fields with several forms, as `strings` describes them."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """See Formatter."""
        if "|" not in format_spec:
            return str(super().format_field(value, format_spec))
        forms = format_spec.split("|")
        number = value.form if isinstance(value, Person) else int(value != 1)
        return forms[number].replace("*", str(value))


_FORMS: Final = _Forms()


@dataclass(frozen=True, slots=True)
class Voice:
    """How sentences are said."""

    plain: bool = False
    """Whether a child is spoken to."""
    taps: bool = False
    """Whether the person taps on a screen, and does not type."""
    people: Collection[int] = (BLACK, WHITE)
    """The colours that people play: with one, it is "you", and the other one "I"; with two, both have names."""

    @property
    def two(self) -> bool:
        """Whether people play both colours."""
        return len(self.people) > 1

    def text(self, key: str, **fields: Any) -> str:
        """Return a sentence of the table; colours in its fields become names."""
        tapped = table.get(f"{key}.tap") if self.taps else None  # it may be ""
        plain = table.get(f"{key}.plain") if self.plain else None
        return _FORMS.vformat(tapped if tapped is not None else plain or table[key], (), fields)

    def person(self, color: int) -> Person:
        """Return a colour as a field of a template."""
        return Person(2 if self.two else int(color not in self.people), name(color))


SHORT: Final = Voice()


def name(color: int) -> str:
    """Return "Black" or "White"."""
    return table["black" if color == BLACK else "white"]


def sentence(text: str) -> str:
    """Return a text with a capital letter in front, and a full stop at the end unless it has a mark there."""
    return f"{_start(text)}{'' if text.endswith(('.', '?', '!')) else '.'}"


def either(words: Sequence[str]) -> str:
    """Return words as "a", "a or b", "a, b or c"."""
    return SHORT.text("or", first=", ".join(words[:-1]), last=words[-1]) if len(words) > 1 else words[0]


def again(points: Iterable[int]) -> str:
    """Return the plays of a line on points that have a number already: "3 at 1, 5 at 2."; "" if there are none."""
    found = ", ".join(SHORT.text("repeated", number=number, first=first) for number, first in repeated(points))
    return found and f"{found}."


def _start(text: str) -> str:
    return text[:1].upper() + text[1:]


def _end(termination: Termination) -> str:
    return table[f"end.{termination.name.lower()}"]


# --- Hints, explanations and warnings ---


def hint(found: Hint, voice: Voice = SHORT) -> str:
    """Return a hint as one or two sentences, without a full stop at the end in the short voice."""
    text = _advice(found, voice)
    return sentence(text) if voice.plain else text


def _advice(found: Hint, voice: Voice) -> str:
    """Return a hint without a full stop at the end."""
    stone, second = (*found.stones, "", "")[:2]
    key = "hint.double" if found.reason is Reason.ATARI and second else f"hint.{found.reason}"
    caught = found.reason is Reason.ATARI and found.wins and found.plies == 3
    key += ".caught" * bool(caught) + ".plies" * (found.reason is Reason.LOSS and found.plies is not None)
    before, after = found.liberties or (0, 0)
    fields = {"move": found.move, "captured": found.captured, "plies": found.plies, "safe": found.safe}
    sides = {"owner": voice.person(found.color), "other": voice.person(opponent(found.color))}
    text = voice.text(key, stone=stone, second=second, before=before, after=after, **fields, **sides)
    if found.wins is False:
        text = voice.text("hint.loses", text=text)
    elif found.wins and not caught and found.reason not in _WHOLE:
        text = voice.text("hint.wins", text=text)
    return text


def explanation(found: Explanation) -> str:
    """Return an explanation as one line in the short voice."""
    text = statement(found)
    if found.line:
        line = " ".join(f"{COLOR_LETTERS[_mover(found, n)]} {vertex}" for n, vertex in enumerate(found.line))
        end = "" if found.end is None else _end(found.end)
        text = SHORT.text("explain.line.end" if end else "explain.line", statement=text, line=line, end=end)
    return f"{text}. {more}" if (more := context(found)) else text


def _mover(found: Explanation, number: int) -> int:
    """Return the colour of a move of the line that punishes."""
    return int(found.color) if number % 2 else opponent(found.color)


def statement(found: Explanation, voice: Voice = SHORT) -> str:
    """Return what is known about the last move."""
    key, winner = f"explain.{found.result}", found.winner
    if found.result is Result.COUNTED and winner is None:
        key += ".dead" if found.known is Evidence.UNKNOWN else ".none"
    elif found.result is Result.ENDED:
        key += ".wins" if winner == found.color else ".loses"
    elif found.result is Result.LOSES and found.plies is not None:
        key += ".plies"
    winning = "" if winner is None else name(winner)
    end = "" if found.end is None else _end(found.end)
    text = voice.text(key, move=found.move, winner=winning, loser=name(found.color), end=end, plies=found.plies)
    return sentence(text) if voice.plain else text


def context(found: Explanation, voice: Voice = SHORT) -> str:
    """Return what the move missed, and a better one or that there was none; "" if nothing of it is known."""
    better, missed = found.better, found.missed
    move, number = found.missed_by or (found.move, 0)
    by = voice.text("missed.by", move=move, number=number) if found.missed_by else move
    said = [] if missed is None else [missed_chance(missed, by, voice)]
    if better is not None and (missed is None or better.mistake is not None or better.move != missed.move):
        several = "several" if better.several else "wins"
        key = f"better.{several if better.wins else 'unrefuted'}"
        if better.mistake is not None:
            key = f"better.mistake.{several if better.chance is None else 'chance'}"
        mistake, number = better.mistake or ("", 0)
        chance = "" if better.chance is None else _advice(better.chance, voice)
        said.append(voice.text(key, move=better.move, mistake=mistake, number=number, chance=chance))
    elif better is None and found.lost is not None:
        said.append(voice.text("lost.before" if found.lost is Lost.BEFORE else "lost.start"))
    return " ".join(map(sentence, said)) if voice.plain else ". ".join(said)


def missed_chance(found: Hint, move: str, voice: Voice = SHORT) -> str:
    """Return that a move misses the capture or the rescue of a hint, without a full stop."""
    return voice.text(f"missed.{_chance(found)}", Move=_start(move), chance=_advice(found, voice))


def _chance(found: Hint) -> str:
    return "capture" if found.reason is Reason.CAPTURE else "rescue"


def numbers(found: Explanation, reply: str | None, voice: Voice) -> str:
    """Return what leads to the picture of a line that punishes; `reply`: what was played after the move."""
    key = "" if reply is None else ".played" if found.played else ".another"
    return voice.text(f"explain.numbers{key}", winner=voice.person(opponent(found.color)), reply=reply)


def line_of_moves(color: int, line: Sequence[str], voice: Voice) -> str:
    """Return alternating moves that begin with a colour, as "1: I play B4, 2: you play C4."."""
    colors, parts = (color, opponent(color)), []
    for n, move in enumerate(line):
        key = "play.line.pass" if move == "pass" else "play.line.move"
        parts.append(voice.text(key, number=n + 1, mover=voice.person(colors[n % 2]), move=move))
    return f"{', '.join(parts)}."


def warning(found: Punishment, voice: Voice) -> str:
    """Return how the other side punishes a move."""
    key = "capture" + ".wins" * found.wins if found.captured else "chase" if len(found.line) > 1 else "atari"
    return voice.text(f"warning.{key}", winner=voice.person(found.color), captured=found.captured)


def why_unread(reason: Unread) -> str:
    """Return why ladders are not read."""
    return SHORT.text(f"picture.unread.{reason}")


# --- Reviews ---


def remark_on(review: Review, number: int, voice: Voice = SHORT) -> str:
    """Return what is to be said about a move, counted from 0; "" if nothing is."""
    move, found = review.judgements[number], remark(review, number)
    said = [] if found is None else [_remark(move, found, review.width, voice)]
    if move.missed is not None:
        said.append(sentence(missed_chance(move.missed, _move(move.point, review.width, voice), voice)))
    return " ".join(said)


def _move(point: int, width: int, voice: Voice) -> str:
    """Return a move within a sentence."""
    return voice.text("pass") if point == PASS else format_vertex(point, width)


def _remark(move: Judgement, found: Remark, width: int, voice: Voice) -> str:
    """Return a remark on a move."""
    play, better, punishment = (
        "" if point is None else _move(point, width, voice) for point in (move.point, found.better, found.punishment)
    )
    key = f"review.{found.kind.name.lower()}"
    if found.kind is Kind.LOSING:
        key += ".better" * bool(better) + ".punished" * bool(punishment)
    elif found.kind is Kind.DROP and found.winner is not None:
        key += ".lost"
    before, after = (100 * (evaluation.rate(move.color) or 0.0) for evaluation in (move.before, move.after))
    plays = {"move": play, "Move": _start(play), "better": better, "Better": _start(better), "punishment": punishment}
    names = {"mover": name(move.color), "winner": "" if found.winner is None else voice.person(found.winner)}
    return voice.text(key, before=before, after=after, **plays, **names)


def review_lines(review: Review, voice: Voice = SHORT) -> Iterator[str]:
    """Yield a line for each move about which there is something to say, then the summary."""
    for number, move in enumerate(review.judgements):
        if text := remark_on(review, number, voice):
            vertex = format_vertex(move.point, review.width)
            yield voice.text(
                "review.move", number=number + 1, color=COLOR_LETTERS[move.color], vertex=vertex, text=text
            )
    yield from summary(review, voice)


def summary(review: Review, voice: Voice = SHORT) -> Iterator[str]:
    """Yield the lines on a whole game: moves judged, the deciding mistake, and the counts of both sides."""
    if not review.judgements:
        yield voice.text("review.nothing")
        return
    judged = {"judged": review.judged, "moves": review.moves}
    yield voice.text("review.all" if review.judged == review.moves else "review.some", **judged)
    if review.judged == 0:
        return
    yield _deciding(review, voice)
    for color in (BLACK, WHITE):
        found = side(review, color)
        counts = {"moves": found.moves, "mistakes": found.mistakes, "losing": found.losing, "only": found.only}
        yield voice.text("review.side.losing" if found.losing else "review.side", mover=name(color), **counts)


def file_summary(review: Review) -> Iterator[str]:
    """Yield the rules by which a game of a file was judged, and the lines of its summary."""
    yield from _judged_part(review)
    yield from summary(review)


def file_lines(review: Review) -> Iterator[str]:
    """Yield the rules by which a game of a file was judged, and the lines of `review_lines`."""
    yield from _judged_part(review)
    yield from review_lines(review)


def _judged_part(review: Review) -> Iterator[str]:
    """Yield the rules by which a game was judged, and the end of what was judged, if a move could not be played."""
    yield SHORT.text("review.rules", rules=review.rules)
    if review.cut:
        yield SHORT.text("review.cut", moves=len(review.judgements), reason=review.cut)


def headline(review: Review) -> str:
    """Return the first lines of the summary of a game of a file as one line."""
    return " ".join(islice(file_summary(review), 4 if review.cut else 3))


def for_child(review: Review) -> str:
    """Return the best move of a game, the one at which it turned, what to try there, and each capture or rescue missed.

    A chance that a side misses several times is named once, with the numbers of the moves.
    """
    best = next((number for number, move in enumerate(review.judgements) if move.grade.is_only), None)
    found, loser = deciding_mistake(review), resigned_ahead(review)
    lines = [] if best is None else [SHORT.text("review.child.best", **_named(review, best))]
    if found is not None:
        key = "review.child.turn" if found.proven else "review.child.turn.probable"
        lines.append(SHORT.text(key, **_named(review, found.number)))
        lines += _to_try(review.judgements[found.number], review.width)
    elif loser is not None:
        lines.append(SHORT.text("review.child.resigned", loser=name(loser)))
    missed: dict[Hint, list[int]] = {}
    for number, move in enumerate(review.judgements, 1):
        if move.missed is not None and (found is None or number != found.number + 1):
            missed.setdefault(move.missed, []).append(number)
    for chance, numbers in missed.items():
        key, places = f"review.child.missed.{_chance(chance)}", ", ".join(map(str, numbers))
        fields = {"count": len(numbers), "numbers": places, "chance": _advice(chance, SHORT)}
        lines.append(SHORT.text(key, mover=name(chance.color), **fields))
    return " ".join(lines or [SHORT.text("review.child.none")])


def _to_try(move: Judgement, width: int) -> Iterator[str]:
    """Yield what is better than a mistake, and the reason for it if there is one on the board."""
    advice = move.advice
    if advice is None or advice.move == "pass":
        return
    yield SHORT.text("review.child.try", better=advice.move)
    if advice.reason not in (Reason.FORCE, Reason.RATE, Reason.SIGHT):
        yield sentence(_advice(advice, SHORT))


def _named(review: Review, number: int) -> dict[str, Any]:
    """Return the number, the side and the vertex of a move, counted from 0, as fields."""
    move = review.judgements[number]
    return {"number": number + 1, "mover": name(move.color), "vertex": format_vertex(move.point, review.width)}


def _deciding(review: Review, voice: Voice) -> str:
    """Return the deciding mistake, or that there is none."""
    loser, always, found = resigned_ahead(review), always_won_by(review), deciding_mistake(review)
    if loser is not None:
        last = review.evaluations[-1]
        key = "review.resigned" if last.winner is not None else "review.resigned.ahead"
        return voice.text(key, loser=name(loser), rate=100 * (last.rate(loser) or 0.0))
    if always is not None:
        return voice.text("review.always", winner=name(always))
    if found is None:
        text = voice.text("review.undecided.some" if review.judged < review.moves else "review.undecided")
        return text if review.outcome is not None else voice.text("review.unfinished", text=text)
    return voice.text("review.deciding" if found.proven else "review.probable", **_named(review, found.number))


# --- Problems ---


def goal(start: Start) -> str:
    """Return the task of a problem as one sentence."""
    captures = start.rules.captures
    key = "problem.goal" if captures == 1 else "problem.goal.several"
    return SHORT.text(key, winner=name(start.to_move), captures=captures)


def end(start: Start, moves: tuple[int, ...], *, refuted: bool = False) -> str:
    """Return one sentence about the end of a line of a problem, which is read off the position; "" if there is none.

    `refuted`: the line is proven to lose, and its last move is of the side that wins, even if the game is not over.
    """
    game = start.game()
    for move in moves:
        game.play_point(move)
    outcome = game.outcome
    if outcome is None:
        return SHORT.text("problem.force", winner=name(opponent(game.to_move))) if refuted else ""
    if outcome.winner is None:
        return ""
    winner, last = int(outcome.winner), game.positions[-1]
    taken = last.won(outcome.winner) - game.positions[-2].won(outcome.winner)
    key = "no_play" if outcome.termination is not Termination.CAPTURE else "captures"
    if taken and winner == int(game.to_move):
        key = "suicide"
    return SHORT.text(f"problem.{key}", winner=name(winner), loser=name(opponent(winner)), count=taken)


def clue(found: Clue, start: Start, voice: Voice = SHORT) -> str:
    """Return a clue to a problem as one sentence."""
    sides = {"winner": name(start.to_move), "loser": name(opponent(start.to_move))}
    return voice.text(f"clue.{found.kind}", place=found.place, **sides)


def term(name: str, rules: Rules) -> str:
    """Return what a word of the game means, in a game with these rules."""
    key = f"term.{name}"
    if name == "ko":
        key += ".wins" if rules.won_by(1) else ".none" if rules.ko is Ko.NONE else ""
    return SHORT.text(key)


def theme(problem: Problem) -> str:
    """Return the theme of a problem; "" if it has none."""
    return problem.theme and SHORT.text(f"theme.{problem.theme}")


def title(problem: Problem, number: int) -> str:
    """Return the title of a problem, its number and grade; the theme would give the solution away."""
    text, grade = SHORT.text("problem.title", number=number), problem.difficulty.grade
    return SHORT.text("problem.title.grade", title=text, grade=grade) if grade else text


def sheet_rule(problems: Iterable[Problem]) -> str:
    """Return one sentence with the goal of all problems of a sheet, or with the rule if their goals differ."""
    found = {problem.start.rules for problem in problems}
    return game_goal(found.pop(), Voice(plain=True)) if len(found) == 1 else SHORT.text("sheet.rule")


def about(problem: Problem, *, named: bool = True) -> str:
    """Return the task of a problem, its length, theme and difficulty, a line each; `named`: with the theme."""
    missed, tries, effort = problem.difficulty
    lines = [goal(problem.start), SHORT.text("problem.length", plays=problem.depth)]
    if problem.theme and named:
        lines.append(SHORT.text("problem.theme", theme=theme(problem)))
    if tries:
        grade = problem.difficulty.grade
        lines.append(SHORT.text("problem.difficulty", grade=grade, missed=missed, tries=tries))
    if effort:
        lines.append(SHORT.text("problem.effort", effort=effort))
    return "\n".join(lines)


def solution(problem: Problem) -> str:
    """Return the solution of a problem for a sheet; if several first plays are right, only their number."""
    start, found = problem.start, {moves[0] for moves in problem.answers}
    if len(found) > 1:
        return SHORT.text("sheet.several", count=len(found))
    line = format_line(start.to_move, problem.line, start.width)
    return " ".join(filter(None, [SHORT.text("sheet.solution", plays=problem.depth, line=line), again(problem.line)]))


def answer(count: int | None, points: Iterable[str]) -> str:
    """Return the answer to a question of the course: a number, or else one of some points."""
    if count is not None:
        return SHORT.text("course.number", count=count)
    return SHORT.text("course.points", points=either([*points]))


# --- Games in the terminal ---


def game_goal(rules: Rules, voice: Voice) -> str:
    """Return one sentence with the goal of a game."""
    if rules.captures is not None:
        key = "capture" if rules.captures == 1 else "captures"
    elif rules.is_scored:
        key = "area" if rules.scoring is Scoring.AREA else "territory"
    else:
        key = "last_play"
    return voice.text(f"goal.{key}", captures=rules.captures, other=voice.person(opponent(_first(voice))))


def rules_lines(game: Game, turns: int) -> Iterator[str]:
    """Yield the rules of a game as short sentences; `turns`: those that its handicap gives the first player, or 0."""
    rules = game.rules
    first = name(game.positions[0].to_move)
    ko = {Ko.NONE: [], Ko.SIMPLE: ["ko"]}.get(rules.ko, ["superko"])
    passing = "pass_stone" if rules.pass_stones else "pass"
    if rules.pass_stones and rules.is_capture_game:
        passing += ".loses" if rules.won_by(1) else ".counts"
    keys = [
        "begins.turns" if turns else "begins",
        "liberties",
        "prisoners",
        *["captures"][: rules.captures is not None],
    ]
    keys += ["suicide" if rules.suicide else "no_suicide", *ko, passing if rules.may_pass else "no_pass"]
    keys += ["two_passes"][: rules.may_pass and not rules.is_scored and passing != "pass_stone.loses"]
    lines = [SHORT.text(f"rules.{key}", first=first, turns=turns, captures=rules.captures) for key in keys]
    if rules.is_scored:
        scored = SHORT.text("rules.area" if rules.scoring is Scoring.AREA else "rules.territory")
        lines.append(f"{scored} {SHORT.text('rules.komi', komi=game.komi)}" if game.komi else scored)
    yield from lines


def refusal(game: Game, point: int, reason: Illegal) -> str:
    """Return why a move is illegal, for a reason of `Game.why_illegal`."""
    return SHORT.text(f"illegal.{reason.name.lower()}", move=game.vertex(point))


def last_move(game: Game, move: Move) -> str:
    """Return the last move of a game."""
    key = {PASS: "play.last.pass", RESIGN: "play.last.resign"}.get(move.point, "play.last")
    return SHORT.text(key, mover=name(move.color), move=game.vertex(move.point))


def taken_line(game: Game, voice: Voice) -> str:
    """Return which stones the last move took off the board; "" if it took none."""
    before, after = game.positions[-2].colors, game.positions[-1].colors
    points = [p for p, color in enumerate(before) if color and not after[p]]
    if not points:
        return ""
    places = ", ".join(map(game.vertex, points))
    return voice.text("play.taken", owner=voice.person(before[points[0]]), count=len(points), places=places)


def atari_lines(game: Game, voice: Voice) -> Iterator[str]:
    """Yield a line for each chain in atari, up to NAMED of each colour."""
    for color in (BLACK, WHITE):
        chains = game.atari(color)
        for p in chains[:NAMED]:
            count, place = len(bd.stones(game.board, p)), game.vertex(p)
            yield voice.text("play.atari", owner=voice.person(color), count=count, place=place)
        if len(chains) > NAMED:
            yield voice.text("play.atari.more", count=len(chains) - NAMED, owner=name(color))


def in_atari(game: Game) -> set[int]:
    """Return the points of all stones in atari."""
    return {p for color in (BLACK, WHITE) for first in game.atari(color) for p in bd.stones(game.board, first)}


def spoken(game: Game, marks: Mapping[int, tuple[int | str, int]], *, bare: bool = False) -> Iterator[str]:
    """Yield a board as sentences, the top row first; `marks`: the numbers of `picture`; `bare`: no stone in atari."""
    atari = set() if bare else in_atari(game)
    yield SHORT.text("spoken.columns", last=COLUMNS[game.width - 1])
    for row in range(game.height - 1, -1, -1):
        found = []
        for p in (point_at(column, row, game.width) for column in range(game.width)):
            color, number = int(game.board.color[p]), None
            if p in marks:
                number, color = marks[p]
            found.append(spoken_point(color, number, atari=p in atari))
        empty = set(found) == {spoken_point(EMPTY)}
        yield SHORT.text("spoken.row.empty" if empty else "spoken.row", row=row + 1, points=", ".join(found))


def spoken_point(color: int, number: int | str | None = None, *, atari: bool = False) -> str:
    """Return what is on a point, with its number or letter in a picture, or whether it is in atari."""
    stone = SHORT.text("spoken.empty") if color == EMPTY else name(color).lower()
    if number is not None:
        return SHORT.text("spoken.number", number=number, stone=stone)
    return SHORT.text("spoken.atari", stone=stone) if atari else stone


def prisoner_line(game: Game, voice: Voice) -> str | None:
    """Return the prisoners of both sides; None if they do not matter, or the first one wins."""
    rules = game.rules
    if not (rules.captures or rules.scoring is Scoring.TERRITORY) or rules.won_by(1):
        return None
    first = _first(voice)
    second = opponent(first)
    counts = {"count": game.prisoners(first), "other_count": game.prisoners(second), "goal": rules.captures}
    key = "play.prisoners.goal" if rules.captures else "play.prisoners"
    return voice.text(key, first=voice.person(first), second=voice.person(second), **counts)


def result_line(game: Game, outcome: Outcome, voice: Voice) -> str:
    """Return who has won, and why."""
    if outcome.winner is None:
        return voice.text("play.draw" if game.score() == 0 else "play.no_winner")
    winner, lead = int(outcome.winner), abs(game.score() or 0)
    sides = {"winner": voice.person(winner), "loser": voice.person(opponent(winner))}
    key = f"play.{outcome.termination.name.lower()}"
    return voice.text(key, count=game.prisoners(winner), lead=lead, **sides)


def count_lines(game: Game, dead: Collection[int] | None) -> Iterator[str]:
    """Yield the dead stones and the points of both sides; nothing if no count has decided the game."""
    outcome = game.outcome
    if outcome is None or outcome.termination is not Termination.TWO_PASSES or not game.rules.is_scored:
        return
    statuses = game.statuses()
    if statuses is None:
        return
    if dead:
        yield SHORT.text("play.dead", stones=", ".join(game.vertex(p) for p in sorted(dead)))
    board = scoring.cleared(game.board, statuses)
    seki = () if game.rules.seki_points else scoring.stones_in_seki(game.board, statuses)
    area = game.rules.scoring is Scoring.AREA
    points = scoring.area(board, seki) if area else scoring.territory(board, seki)
    for color, count in ((BLACK, points.black), (WHITE, points.white)):
        text, total = SHORT.text("play.count.area" if area else "play.count.territory", count=count), float(count)
        if not area:
            taken = int(board.prisoners[color])
            text, total = SHORT.text("play.count.prisoners", sum=text, count=taken), total + taken
        if color == WHITE and game.komi:
            key = "play.count.komi.handicap" if game.handicap else "play.count.komi"
            text, total = SHORT.text(key, sum=text, komi=game.komi), total + game.komi
        if rest := game.compensation() if color == WHITE else 0:
            text = SHORT.text("play.count.stones" if rest < 0 else "play.count.pass", sum=text, count=abs(rest))
            total -= rest
        yield SHORT.text("play.count", mover=name(color), sum=text, total=total)


def greeting(game: Game, level: str, voice: Voice, signs: Mapping[int, str], example: str) -> Iterator[str]:
    """Yield the first lines of a session: the game, the sides, the goal, and what to type."""
    size = f"{game.width}x{game.height}"
    yield voice.text("play.game.two" if voice.two else "play.game", rules=game.rules, size=size, level=level)
    if not voice.two:
        yield sides_line(voice, signs)
    yield game_goal(game.rules, voice)
    yield voice.text("play.type", example=example)


def sides_line(voice: Voice, signs: Mapping[int, str]) -> str:
    """Return which colours the person and the engine have."""
    mine = _first(voice)
    sides = {"mine": name(mine), "my_sign": signs[mine], "your_sign": signs[opponent(mine)]}
    return voice.text("play.sides", yours=name(opponent(mine)), **sides)


def turn_line(color: int, voice: Voice, signs: Mapping[int, str]) -> str:
    """Return whose turn it is; a diagram that is read again takes the side to move from it."""
    return voice.text("play.turn.two" if voice.two else "play.turn", mover=name(color), sign=signs[color])


def _first(voice: Voice) -> int:
    """Return the colour that is named first: that of the person, or Black."""
    return BLACK if BLACK in voice.people else WHITE
