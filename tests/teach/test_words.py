"""Sentences: one example of each kind in both voices, and a made-up language, in which no other one may be said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog

from gtp_capture import Color, Game
from gtp_capture.go import sgf
from gtp_capture.go.position import Illegal, Outcome, Termination
from gtp_capture.go.rules import PRESETS, Rules
from gtp_capture.go.sgf_tree import dump_trees, read_tree
from gtp_capture.go.vertex import BLACK, EMPTY, WHITE
from gtp_capture.players import levels
from gtp_capture.solver.verdict import Verdict
from gtp_capture.teach import sentences, words
from gtp_capture.teach.course import lessons
from gtp_capture.teach.course.booklet import booklet
from gtp_capture.teach.explain import Evidence, Explanation, Hint, Lost, Result
from gtp_capture.teach.puzzles import files
from gtp_capture.teach.puzzles.examiner import Clue
from gtp_capture.teach.puzzles.problem import Problem, Start
from gtp_capture.teach.puzzles.sheet import answer_sheet, sheet
from gtp_capture.teach.puzzles.theme import THEMES
from gtp_capture.teach.reasons import Reason
from gtp_capture.teach.review.annotate import annotate
from gtp_capture.teach.review.reviewed import Grade, Review, ReviewedMove, won_by
from gtp_capture.teach.terms import TERMS
from gtp_capture.tutor.lesson import LessonGame, LessonSession

from ..support import translations
from ..support.diagrams import played

ALONE, TWO = words.Voice(plain=True, people={BLACK}), words.Voice(plain=True)
LOSING = Explanation(
    move="E1", color=Color.BLACK, result=Result.LOSES, known=Evidence.SOLVER, winner=Color.WHITE, line=("A1", "B1")
)
OPEN = replace(LOSING, result=Result.OPEN, known=Evidence.UNKNOWN, winner=None, line=())


def told(reason: Reason, short: str, **facts: Any) -> tuple[Hint, str, str]:
    """A hint with its sentence in both voices: the plain one has a full stop, Black is "you", and White is "I"."""
    given: dict[str, Any] = {"move": "B1", "color": Color.BLACK, **facts}
    return Hint(reason=reason, **given), short, f"{short}.".replace("Black's", "your").replace("White's", "my")


def both(facts: Explanation, short: str) -> tuple[Explanation, str, str]:
    """An explanation with its sentence in both voices, of which the plain one has a capital letter and a full stop."""
    return facts, short, f"{short[:1].upper()}{short[1:]}." if short else ""


WINS, SAFE = "This move wins, whatever the other side plays", "Black's next stone is in no danger there"
HINTS = [
    told(Reason.CAPTURE, "B1 takes a stone", captured=1),
    told(Reason.CAPTURE, "B1 takes 2 stones and wins", captured=2, wins=True, known=Evidence.RULES),
    told(Reason.CAPTURE, "B1 takes 2 stones and wins", captured=2, wins=True, known=Evidence.TREE),
    told(Reason.SAVE, "B1 saves Black's chain at B2", stones=("B2",)),
    told(Reason.SAVE, f"B1 saves Black's chain at B2. {WINS}", stones=("B2",), wins=True, known=Evidence.BOOK),
    told(Reason.FREE, "B1 takes Black's chain at B2 out of atari", stones=("B2",)),
    told(Reason.LADDER, "B1 starts a ladder: atari again and again, and there is only one answer each time", wins=True),
    told(Reason.ATARI, "B1 puts White's chain at B2 in atari", stones=("B2",)),
    told(Reason.ATARI, f"B1 puts White's chain at B2 in atari. {WINS}", stones=("B2",), wins=True),
    told(
        Reason.ATARI, "B1 puts White's chain at B2 in atari, and nothing saves it", stones=("B2",), wins=True, plies=3
    ),
    told(Reason.ATARI, "B1 puts White's chains at B2 and C1 in atari", stones=("B2", "C1")),
    told(
        Reason.ATARI,
        "B1 puts White's chains at B2 and C1 in atari: one of them is lost",
        stones=("B2", "C1"),
        wins=True,
        plies=3,
    ),
    told(Reason.RACE, "B1 wins: the other side runs out of safe moves first", wins=True),
    told(Reason.CONNECT, "B1 connects Black's chains at A1 and C1", stones=("A1", "C1")),
    told(
        Reason.CONNECT,
        f"B1 connects White's chains at A1 and C1. {WINS}",
        color=Color.WHITE,
        stones=("A1", "C1"),
        wins=True,
    ),
    told(Reason.CUT, "B1 cuts White's chains at A1 and C1 apart", stones=("A1", "C1")),
    told(Reason.TWO_LEFT, "B1 leaves White's chain at B2 two liberties", stones=("B2",)),
    told(
        Reason.EXTEND,
        "Every move loses. B1 brings Black's chain at B2 from 2 liberties to 4",
        stones=("B2",),
        liberties=(2, 4),
        wins=False,
    ),
    told(Reason.SAFE, f"B1 keeps Black's last safe point: {SAFE}", safe=1),
    told(Reason.SAFE, f"B1 keeps Black's last 2 safe points: {SAFE}. {WINS}", safe=2, wins=True),
    told(Reason.FORCE, "B1 wins, whatever the other side plays", wins=True),
    told(Reason.RATE, "I would play B1", winrate=0.617),
    told(Reason.SIGHT, "I would play B1"),
    told(Reason.PASS, "I would pass", move="pass"),
    told(Reason.NO_GAIN, "I would pass: I found no move that wins more points", move="pass"),
    told(Reason.LOSS, "Every move loses. I would play B1", wins=False),
    told(Reason.LOSS, "Every move loses. B1 lasts longest: 5 moves", wins=False, plies=5, longest=True),
    told(Reason.LOSS, "Every move loses. I would play B1: 5 moves to the end", wins=False, plies=5),
]
EXPLANATIONS = [
    both(
        replace(OPEN, result=Result.OVER, winner=Color.WHITE, end=Termination.RESIGNATION, move="pass"),
        "the game was over before the pass: White won (resignation)",
    ),
    both(replace(LOSING, result=Result.RESIGNED, line=()), "Black resigned: White wins"),
    both(
        replace(OPEN, result=Result.COUNTED, winner=Color.BLACK, known=Evidence.RULES),
        "two passes ended the game: Black wins",
    ),
    (
        replace(OPEN, result=Result.COUNTED, winner=Color.BLACK, known=Evidence.MEASURED),
        "two passes ended the game: Black wins, if the dead stones are estimated right",
        "Two passes ended the game: Black wins, if I see the dead stones right.",
    ),
    both(replace(OPEN, result=Result.COUNTED, known=Evidence.RULES), "two passes ended the game: no winner"),
    both(replace(OPEN, result=Result.COUNTED), "two passes ended the game: dead stones are not decided"),
    both(replace(OPEN, result=Result.ENDED, winner=Color.BLACK, end=Termination.CAPTURE), "E1 wins the game (capture)"),
    both(
        replace(OPEN, result=Result.ENDED, winner=Color.WHITE, end=Termination.HANDED_OVER, move="pass"),
        "The pass loses the game (handed over a stone)",
    ),
    both(replace(OPEN, result=Result.WINS, winner=Color.BLACK), "E1 wins"),
    (OPEN, "E1: no forced loss found", "I found no sure way to win against E1."),
    (LOSING, "E1 loses: W A1 B B1", "E1 loses."),
    (
        replace(LOSING, plies=1, line=("A1",), end=Termination.CAPTURE),
        "E1 loses in 1 ply: W A1 (capture)",
        "E1 loses in 1 move.",
    ),
    (replace(LOSING, plies=2, line=()), "E1 loses in 2 plies", "E1 loses in 2 moves."),
]
BETTER = Hint(move="D2", color=Color.BLACK, reason=Reason.FORCE, wins=True)
MISTAKEN = replace(LOSING, mistake=("E5", 3))
CONTEXTS = [
    both(LOSING, ""),
    both(replace(LOSING, lost=Lost.BEFORE), "The position was lost before"),
    both(replace(LOSING, lost=Lost.START), "The position was lost from the start"),
    (replace(LOSING, better=BETTER), "D2 wins", "D2 was a winning move."),
    (replace(LOSING, better=BETTER, several=True), "For example, D2 wins", "For example, D2 was a winning move."),
    (
        replace(LOSING, better=replace(BETTER, wins=None)),
        "No refutation of D2 was found",
        "I found no sure way to win against D2.",
    ),
    (
        replace(MISTAKEN, better=BETTER),
        "The losing move was E5, move 3: D2 wins there",
        "The losing move was E5, move 3. D2 was a winning move there.",
    ),
    both(
        replace(MISTAKEN, better=HINTS[1][0], several=True),
        "The losing move was E5, move 3: B1 takes 2 stones and wins",
    ),
    (
        replace(MISTAKEN, better=BETTER, several=True),
        "The losing move was E5, move 3: for example, D2 wins there",
        "The losing move was E5, move 3. For example, D2 was a winning move there.",
    ),
]


@pytest.mark.parametrize(("advice", "short", "plain"), HINTS)
def test_a_hint_in_both_voices(advice: Hint, short: str, plain: str) -> None:
    assert (words.hint(advice), words.hint(advice, ALONE)) == (short, plain)


@pytest.mark.parametrize(("explained", "short", "plain"), EXPLANATIONS)
def test_an_explanation_in_both_voices(explained: Explanation, short: str, plain: str) -> None:
    assert (words.explanation(explained), words.statement(explained, ALONE)) == (short, plain)


@pytest.mark.parametrize(("explained", "short", "plain"), CONTEXTS)
def test_a_better_move_in_both_voices(explained: Explanation, short: str, plain: str) -> None:
    assert (words.context(explained), words.context(explained, ALONE)) == (short, plain)
    assert words.explanation(explained) == "E1 loses: W A1 B B1" + (f". {short}" if short else "")


def test_all_kinds_of_hints_and_explanations_have_examples() -> None:
    assert {example.reason for example, _, _ in HINTS} == set(Reason)
    assert {example.result for example, _, _ in EXPLANATIONS} == set(Result)


def test_a_punishment_is_announced_as_what_happened_or_as_another_way() -> None:
    another = "The numbers show another way, which wins:"
    played = replace(LOSING, played=True)
    assert words.numbers(LOSING, None, ALONE) == "Look at the numbers:"
    assert words.numbers(played, "E4", ALONE) == "I played E4. Look at the numbers:"
    assert words.numbers(LOSING, "E4", ALONE) == f"I played E4. {another}"
    assert words.numbers(LOSING, "E4", TWO) == f"White played E4. {another}"


@pytest.mark.parametrize(
    ("line", "captured", "wins", "alone"),
    [
        (("A1",), 1, False, "I can take 1 stone at once."),
        (("A1",), 2, True, "I can take 2 stones at once, and win the game."),
        (("A1",), 0, False, "I can give atari to your stones at once, and no answer saves them all."),
        (("A1", "B1", "C1"), 0, False, "I can chase your stones: every move is atari, and no answer saves them all."),
    ],
)
def test_a_warning(line: tuple[str, ...], captured: int, wins: bool, alone: str) -> None:
    reason = Reason.CAPTURE if captured else Reason.LADDER
    threat = Hint(move=line[0], color=Color.WHITE, reason=reason, line=line, captured=captured, wins=wins or None)
    two = alone.replace("I can", "White can").replace("and win ", "and wins ")
    assert (words.warning(threat, ALONE), words.warning(threat, TWO)) == (alone, two)


def test_a_sentence_has_a_capital_and_one_mark_at_its_end() -> None:
    assert [words.sentence(text) for text in ("a b", "A b.", "is it?")] == ["A b.", "A b.", "Is it?"]
    assert [words.SHORT.either(["a"]), words.SHORT.either(["a", "b"]), words.SHORT.either(["a", "b", "c"])] == [
        "a",
        "a or b",
        "a, b or c",
    ]


def reviews() -> Iterator[Review]:
    """Reviews with every kind of remark and of deciding mistake; the verdicts are made up."""
    rates = Verdict(None, 0.5, ("B1",)), Verdict(None, 0.9, ("B1",)), Verdict(None, 0.2, ("B1",))
    verdicts = [*rates, won_by(WHITE), won_by(BLACK, ("B1",)), won_by(WHITE), won_by(BLACK), Verdict(None, 0.5)]
    game = Game("first-capture", 5)

    def made(moves: Sequence[ReviewedMove], evaluations: Sequence[Verdict], outcome: Outcome | None) -> Review:
        return Review(moves=tuple(moves), evaluations=tuple(evaluations), game=game, outcome=outcome)

    for grade in Grade:
        for ends in (("B1",), ()):
            better, punishment = ((), ()) if grade is Grade.PLAIN else (ends or ("pass",), ends)
            moves = [
                ReviewedMove(
                    number=n + 1,
                    color=(Color.BLACK, Color.WHITE)[n % 2],
                    vertex=vertex,
                    evaluation_before=verdicts[n],
                    evaluation_after=verdicts[n + 1],
                    grade=grade,
                    better=better,
                    punishment=punishment,
                    proven_before=(None, None, None, None, Color.WHITE, Color.BLACK, Color.WHITE)[n],
                )
                for n, vertex in enumerate(("A1", "B1", "pass", "C1", "D1", "E1", "A2"))
            ]
            yield made(moves, verdicts, None)
    for outcome in (None, *(Outcome(color, Termination.RESIGNATION) for color in Color)):
        for last in (won_by(BLACK), won_by(WHITE), Verdict(None, 0.95), Verdict()):
            yield made(moves, (*verdicts[:-1], last), outcome)
    yield made((), (won_by(BLACK),), None)
    yield made(moves[:1], (won_by(BLACK),) * 2, None)


def test_a_review_of_a_child_has_no_percentages() -> None:
    for review in reviews():
        text = "\n".join(words.review_lines(review, ALONE))
        assert not re.search(r"%|search|by force", text), text


def test_a_child_reads_a_few_sentences_of_a_review() -> None:
    said = [words.for_child(review) for review in reviews()]
    for text in said:
        assert text.count(". ") <= 2
        assert not re.search(r"%|search|by force", text), text
    for sentence in (
        *("is the only move that wins.", "I think that move ", " gave up too early."),
        "I found no move that decided the game.",
    ):
        assert any(sentence in text for text in said), sentence


@pytest.mark.parametrize("reason", [Reason.LADDER, Reason.RACE, Reason.SAFE])
@pytest.mark.parametrize("wins", [True, None])
def test_a_hint_has_no_word_of_a_lesson_that_is_not_done(reason: Reason, wins: bool | None) -> None:
    advice = Hint(move="C3", color=Color.BLACK, reason=reason, wins=wins, safe=2)
    told = {lessons: words.hint(advice, words.page_voice("en", lessons=lessons)) for lessons in ((), (1, 2, 3, 4, 5))}
    assert not re.search("ladder|safe", told[()])
    assert re.search("ladder|safe", told[1, 2, 3, 4, 5])
    assert told[()].startswith("I would play C3" if reason is Reason.RACE else "C3 ")


def test_a_child_of_a_class_reads_no_verdict_on_the_whole_game_and_no_number_of_moves() -> None:
    page = words.page_voice("en", people={int(Color.BLACK)})
    atari = Hint(move="C3", color=Color.BLACK, reason=Reason.ATARI, stones=("C4",), wins=True)
    assert words.hint(atari, page) == "C3 puts my chain at C4 in atari."
    for reason, wins, plies in ((Reason.FORCE, True, 9), (Reason.LOSS, False, 18), (Reason.LOSS, False, None)):
        advice = Hint(move="C3", color=Color.BLACK, reason=reason, wins=wins, plies=plies, longest=bool(plies))
        assert words.hint(advice, page) == "I would play C3."
    won = Explanation(move="C3", color=Color.BLACK, known=Evidence.SOLVER, result=Result.WINS, winner=Color.BLACK)
    lost = replace(won, result=Result.LOSES, winner=Color.WHITE, plies=3, line=("D3",), lost=Lost.BEFORE)
    assert (words.statement(lost, page), words.context(lost, page)) == ("", "")
    assert words.statement(won, page) == "I found no sure way to win against C3."


# --- A made-up language ---

NAMES = {
    *re.findall(
        "[a-z]+", "first-capture capture-3 japanese passing=stone forbidden captures suicide=legal ko=positional"
    ),
    *(word for name in levels.NAMES for word in name.split("-")),
    *LessonGame.COMMANDS,
    *LessonSession.COMMANDS,
    *TERMS,
    *"abcdef",
    *("yes", "no", "easy", "normal", "hard", "WORD", "NAME", "FILE", "pass", "resign", "sgf", "kept", "size", "x"),
}
"""Words that are the same in every language: names of rules, levels and files, and what a person types."""
LATIN = re.compile(r"[A-Za-z]{2,}|\b[a-z]\b")
FOREIGN = words.Voice(language=translations.MADE_UP)
VOICES = (FOREIGN, *(replace(voice, language=translations.MADE_UP) for voice in (ALONE, TWO)))


def escaped_sentences(text: str) -> set[str]:
    """The words of a text that are neither of the made-up language nor names."""
    return set(LATIN.findall(text)) - NAMES


@pytest.fixture(scope="module")
def template() -> Catalog:
    """All messages."""
    return translations.template()


@pytest.fixture
def foreign(template: Catalog, tmp_path: Path) -> Iterator[None]:
    """Sentences in the made-up language for its voices."""
    translations.install(translations.made_up(template), tmp_path)
    with translations.used(tmp_path):
        yield


def test_the_template_has_every_sentence_once_and_the_made_up_language_has_no_fault(template: Catalog) -> None:
    table = sentences.table()
    for key, text in table.items():
        if translations.is_message(key):
            message = template.get(table.get(f"{key}.one", text), key)
            assert message is not None, key
            assert message.id == ((table[f"{key}.one"], text) if f"{key}.one" in table else text)
    assert list(translations.faults(template, translations.made_up(template))) == []


def test_each_preset_has_the_sentence_by_which_a_class_offers_it() -> None:
    names = {words.rules_name(name, words.SHORT) for name in PRESETS}  # KeyError: add the key to teach/sentences.txt
    assert len(names) == len(PRESETS)
    changed = str(Rules.parse("capture-3").override(suicide=True))
    assert words.rules_name(changed, words.SHORT) == f"Whoever takes 3 stones first wins ({changed})"


@pytest.mark.parametrize(
    ("key", "said", "fault"),
    [
        ("white", "", "not translated"),
        ("play.saved", "{name}", "missing fields: file"),
        ("play.saved", "{file", "braces that do not match"),
        ("play.taken", ("{owner} {places}", "{count} {owner} {places}", "{count}"), "missing fields: owner, places"),
        ("play.taken", ("{owner} {places}", "{owner} {places}"), "2 plural forms of 3"),
        ("term.chain", "Here 3, at D5", "missing D4"),
        ("term.chain", "Here 3, at D5 and D4", "points that the original has not: D5"),
        ("lesson.over", "next", "missing words that are typed: again"),
        ("lesson", "《a、b、c》", "missing letters: d"),
        ("lesson", "abcd", "missing letters: a, b, c, d"),
        ("lesson", "a, b, c, d", "1 paragraphs of 2"),
    ],
)
def test_a_fault_of_a_translation_is_found(template: Catalog, key: str, said: Any, fault: str) -> None:
    catalog = translations.made_up(template)
    if key == "lesson":
        message = next(message for message in catalog if "four liberties: the points a, b, c and d" in message.id)
    else:
        message = next(message for message in catalog if message.context == key)
    message.string = said
    faults = list(translations.faults(template, catalog))
    assert any(line.startswith(fault) for line in faults), faults


@pytest.mark.usefixtures("foreign")
def test_every_sentence_is_translated_with_its_fields_in_each_of_its_forms() -> None:
    for key, text in sentences.table().items():
        if not translations.is_message(key):
            continue
        for count, form in ((1, "0"), (3, "1"), (5, "2")):
            fields = translations.fields(text) - {("count", "")}
            names = {name: f"z{name.replace('_', '')}" for name, spec in fields if not spec}
            values = {name: 7.5 for name, spec in fields if spec} | names
            voice = replace(FOREIGN, plain=f"{key}.plain" not in sentences.table())
            said = voice.text(key.removesuffix(".plain"), **values, count=count)
            assert set(map(str.lower, escaped_sentences(said))) == set(names.values()), said
            assert said.startswith(f"{form}«" if f"{key}.one" in sentences.table() else "«"), said


def test_without_a_catalogue_all_is_english() -> None:
    assert words.Voice(language="xx").text("play.ready") == words.SHORT.text("play.ready") == "I am ready now."


@pytest.mark.usefixtures("foreign")
@pytest.mark.parametrize("voice", VOICES)
def test_no_sentence_about_values_escapes_a_translation(voice: words.Voice) -> None:
    explanations = [explained for explained, _, _ in [*EXPLANATIONS, *CONTEXTS]]
    said = []
    for explained in explanations if voice.plain else ():  # in the short voice they are English
        said += [words.statement(explained, voice), words.context(explained, voice)]
        said += [words.numbers(explained, reply, voice) for reply in (None, "A1")]
    said += [words.hint(explained, voice) for explained, _, _ in HINTS]
    for review in reviews():
        said += [*words.file_lines(review, voice), words.headline(review, voice), words.for_child(review, voice)]
    game = played(5, "A1", "A2", "C3")
    said += words.spoken(game, {game.point("D4"): (1, BLACK), game.point("E4"): ("a", EMPTY)}, voice)
    start = Start(Rules.parse("first-capture"), 5, 5, (), (), BLACK)
    said += [words.clue(Clue(kind), start, voice) for kind in (*THEMES, "target", "column", "row", "counted", "number")]
    said += [voice.text(f"illegal.{reason.name.lower()}", move="C3") for reason in Illegal]
    said += [words.term(name, Rules.parse(rules), voice) for name in TERMS for rules in ("first-capture", "aga")]
    assert set().union(*map(escaped_sentences, said)) == set()


@pytest.mark.slow
@pytest.mark.usefixtures("foreign")
def test_no_sentence_of_the_course_escapes_a_translation() -> None:
    lessons_ = [lessons.lesson(number, translations.MADE_UP) for number in lessons.numbers()]
    said = [text_of_html(booklet(lessons_, FOREIGN))]
    for lesson in lessons_:
        said += [lesson.title, lesson.advice, lesson.goal.text, lessons.title(lesson.number, translations.MADE_UP)]
        said += [text for page in lesson.pages for text in (page.title, page.text)]
        for text, task in lesson.exercises:
            said += [text, *([line.comment for line in task.variations] if isinstance(task, Problem) else ())]
        for data in sgf.split(lessons.source(lesson.number, translations.MADE_UP)):
            said += [text for _, _, _, text in lessons.texts(read_tree(data))]
    assert set().union(*map(escaped_sentences, said)) == set()


def text_of_html(page: str) -> str:
    return unescape(re.sub(r"<style>.*?</style>|<svg.*?</svg>|<[^>]*>", " ", page, flags=re.DOTALL))


@pytest.mark.slow
@pytest.mark.usefixtures("foreign")
def test_no_sentence_of_a_sheet_escapes_a_translation() -> None:
    problems = files.shipped()[:40]
    said = [text_of_html(sheet(problems, 6, voice=FOREIGN)), text_of_html(answer_sheet(problems, FOREIGN))]
    said += [f"{words.title(p, n, FOREIGN)} {words.about(p, FOREIGN)}" for n, p in enumerate(problems)]
    said += [words.end(p.start, v.moves, FOREIGN) for p in problems for v in p.variations]
    assert set().union(*map(escaped_sentences, said)) == set()


@pytest.mark.usefixtures("foreign")
def test_no_sentence_of_an_annotated_game_escapes_a_translation() -> None:
    game = played(5, "A1", "C3", "E5", "B2", "D1", "E2", "A5")
    for review in reviews():
        if len(review.moves) == len(game.moves):
            tree = read_tree(sgf.dump(game))
            pairs = zip(review.moves, game.moves, strict=True)
            moves = tuple(replace(graded, vertex=move.vertex) for graded, move in pairs)
            annotate(tree, replace(review, moves=moves), FOREIGN)
            comments = re.findall(r"C\[((?:[^\]\\]|\\.)*)\]", dump_trees([tree]).decode())
            assert set().union(*map(escaped_sentences, comments)) - {"VW", "UTF"} == set()
