"""Sentences: one example of each kind in both voices, and a made-up language, which shows that no other is said."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from string import Formatter

import pytest

from gtp_capture import Color, Game
from gtp_capture.go import sgf
from gtp_capture.go.position import Illegal, Outcome, Termination
from gtp_capture.go.rules import Rules
from gtp_capture.go.sgf_tree import dump_trees, read_tree
from gtp_capture.go.vertex import BLACK, PASS, WHITE
from gtp_capture.gtp import pictures
from gtp_capture.gtp.commands import capture, gogui
from gtp_capture.gtp.engine import Engine
from gtp_capture.gtp.options import Options
from gtp_capture.players import levels
from gtp_capture.teach import words
from gtp_capture.teach.danger import Punishment
from gtp_capture.teach.explain import Better, Evidence, Explanation, Hint, Lost, Reason, Result, Unread
from gtp_capture.teach.puzzles.examiner import Clue
from gtp_capture.teach.puzzles.problem import Start
from gtp_capture.teach.puzzles.theme import THEMES
from gtp_capture.teach.review.annotate import annotate
from gtp_capture.teach.review.judge import Evaluation, Grade, Judgement, Review, won_by
from gtp_capture.teach.strings import ENGLISH
from gtp_capture.teach.terms import TERMS
from gtp_capture.tutor.lesson import LessonGame, LessonSession

ALONE, TWO = words.Voice(plain=True, people={BLACK}), words.Voice(plain=True)
LOSING = Explanation(
    move="E1", color=Color.BLACK, result=Result.LOSES, known=Evidence.SOLVER, winner=Color.WHITE, line=("A1", "B1")
)
OPEN = replace(LOSING, result=Result.OPEN, known=Evidence.UNKNOWN, winner=None, line=())

HINTS = [
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.CAPTURE, captured=1),
        "B1 takes a stone",
        "B1 takes a stone.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.CAPTURE, captured=2, wins=True, known=Evidence.RULES),
        "B1 takes 2 stones and wins",
        "B1 takes 2 stones and wins.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.CAPTURE, captured=2, wins=True, known=Evidence.TREE),
        "B1 takes 2 stones and wins",
        "B1 takes 2 stones and wins.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.SAVE, stones=("B2",)),
        "B1 saves Black's chain at B2",
        "B1 saves your chain at B2.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.SAVE, stones=("B2",), wins=True, known=Evidence.BOOK),
        "B1 saves Black's chain at B2 and wins",
        "B1 saves your chain at B2 and wins.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.FREE, stones=("B2",)),
        "B1 takes Black's chain at B2 out of atari",
        "B1 takes your chain at B2 out of atari.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.LADDER, wins=True),
        "B1 starts a ladder: atari again and again, and there is only one answer each time",
        "B1 starts a ladder: atari again and again, and there is only one answer each time.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.ATARI, stones=("B2",)),
        "B1 puts White's chain at B2 in atari",
        "B1 puts my chain at B2 in atari.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.ATARI, stones=("B2",), wins=True),
        "B1 puts White's chain at B2 in atari and wins",
        "B1 puts my chain at B2 in atari and wins.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.ATARI, stones=("B2",), wins=True, plies=3),
        "B1 puts White's chain at B2 in atari, and nothing saves it",
        "B1 puts my chain at B2 in atari, and nothing saves it.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.ATARI, stones=("B2", "C1")),
        "B1 puts White's chains at B2 and C1 in atari",
        "B1 puts my chains at B2 and C1 in atari.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.ATARI, stones=("B2", "C1"), wins=True, plies=3),
        "B1 puts White's chains at B2 and C1 in atari: one of them is lost",
        "B1 puts my chains at B2 and C1 in atari: one of them is lost.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.RACE, wins=True),
        "B1 wins: the other side runs out of safe moves first",
        "B1 wins: the other side runs out of safe moves first.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.CONNECT, stones=("A1", "C1")),
        "B1 connects Black's chains at A1 and C1",
        "B1 connects your chains at A1 and C1.",
    ),
    (
        Hint(color=Color.WHITE, move="B1", reason=Reason.CONNECT, stones=("A1", "C1"), wins=True),
        "B1 connects White's chains at A1 and C1 and wins",
        "B1 connects my chains at A1 and C1 and wins.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.CUT, stones=("A1", "C1")),
        "B1 cuts White's chains at A1 and C1 apart",
        "B1 cuts my chains at A1 and C1 apart.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.TWO_LEFT, stones=("B2",)),
        "B1 leaves White's chain at B2 two liberties",
        "B1 leaves my chain at B2 two liberties.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.EXTEND, stones=("B2",), liberties=(2, 4), wins=False),
        "Every move loses. B1 brings Black's chain at B2 from 2 liberties to 4",
        "Every move loses. B1 brings your chain at B2 from 2 liberties to 4.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.SAFE, safe=1),
        "B1 keeps Black's last safe point",
        "B1 keeps your last safe point.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.SAFE, safe=2, wins=True),
        "B1 keeps Black's last 2 safe points and wins",
        "B1 keeps your last 2 safe points and wins.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.FORCE, wins=True),
        "B1 wins, whatever the other side plays",
        "B1 wins, whatever the other side plays.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.RATE, winrate=0.617),
        "I would play B1",
        "I would play B1.",
    ),
    (Hint(color=Color.BLACK, move="B1", reason=Reason.SIGHT), "I would play B1", "I would play B1."),
    (Hint(color=Color.BLACK, move="pass", reason=Reason.PASS), "I would pass", "I would pass."),
    (
        Hint(color=Color.BLACK, move="pass", reason=Reason.NO_GAIN),
        "I would pass: I found no move that wins more points",
        "I would pass: I found no move that wins more points.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.LOSS, wins=False),
        "Every move loses. I would play B1",
        "Every move loses. I would play B1.",
    ),
    (
        Hint(color=Color.BLACK, move="B1", reason=Reason.LOSS, wins=False, plies=5),
        "Every move loses. B1 lasts longest: 5 moves",
        "Every move loses. B1 lasts longest: 5 moves.",
    ),
]
EXPLANATIONS = [
    (
        replace(OPEN, result=Result.OVER, winner=Color.WHITE, end=Termination.RESIGNATION, move="pass"),
        "the game was over before pass: White won (resignation)",
        "The game was over before pass: White won (resignation).",
    ),
    (replace(LOSING, result=Result.RESIGNED, line=()), "Black resigned: White wins", "Black resigned: White wins."),
    (
        replace(OPEN, result=Result.COUNTED, winner=Color.BLACK),
        "two passes ended the game: Black wins",
        "Two passes ended the game: Black wins.",
    ),
    (
        replace(OPEN, result=Result.COUNTED, known=Evidence.RULES),
        "two passes ended the game: no winner",
        "Two passes ended the game: no winner.",
    ),
    (
        replace(OPEN, result=Result.COUNTED),
        "two passes ended the game: dead stones are not decided",
        "Two passes ended the game: dead stones are not decided.",
    ),
    (
        replace(OPEN, result=Result.ENDED, winner=Color.BLACK, end=Termination.CAPTURE),
        "E1 wins the game (capture)",
        "E1 wins the game (capture).",
    ),
    (
        replace(OPEN, result=Result.ENDED, winner=Color.WHITE, end=Termination.HANDED_OVER, move="pass"),
        "pass loses the game (handed over a stone)",
        "Pass loses the game (handed over a stone).",
    ),
    (replace(OPEN, result=Result.WINS, winner=Color.BLACK), "E1 wins", "E1 wins."),
    (OPEN, "E1: no forced loss found", "E1: I found no sure way to punish it."),
    (LOSING, "E1 loses: W A1 B B1", "E1 loses."),
    (
        replace(LOSING, plies=1, line=("A1",), end=Termination.CAPTURE),
        "E1 loses in 1 ply: W A1 (capture)",
        "E1 loses in 1 move.",
    ),
    (replace(LOSING, plies=2, line=()), "E1 loses in 2 plies", "E1 loses in 2 moves."),
]
CONTEXTS = [
    (None, None, "", ""),
    (None, Lost.BEFORE, "The position was lost before", "The position was lost before."),
    (None, Lost.START, "The position was lost from the start", "The position was lost from the start."),
    (Better(move="D2", wins=True), None, "D2 wins", "D2 was a winning move."),
    (
        Better(move="D2", wins=True, several=True),
        None,
        "For example, D2 wins",
        "For example, D2 was a winning move.",
    ),
    (
        Better(move="D2", wins=False),
        None,
        "No refutation of D2 was found",
        "I found no sure way to punish D2.",
    ),
    (
        Better(move="B2", wins=True, mistake=("E5", 3)),
        None,
        "The losing move was E5, move 3: B2 wins there",
        "The losing move was E5, move 3. B2 was a winning move there.",
    ),
    (
        Better(move="B2", wins=True, several=True, mistake=("E5", 3), chance=HINTS[1][0]),
        None,
        "The losing move was E5, move 3: B1 takes 2 stones and wins",
        "The losing move was E5, move 3: B1 takes 2 stones and wins.",
    ),
    (
        Better(move="B2", wins=True, several=True, mistake=("E5", 3)),
        None,
        "The losing move was E5, move 3: for example, B2 wins there",
        "The losing move was E5, move 3. For example, B2 was a winning move there.",
    ),
]


@pytest.mark.parametrize(("found", "short", "plain"), HINTS)
def test_a_hint_in_both_voices(found: Hint, short: str, plain: str) -> None:
    assert (words.hint(found), words.hint(found, ALONE)) == (short, plain)


@pytest.mark.parametrize(("found", "short", "plain"), EXPLANATIONS)
def test_an_explanation_in_both_voices(found: Explanation, short: str, plain: str) -> None:
    assert (words.explanation(found), words.statement(found, ALONE)) == (short, plain)


@pytest.mark.parametrize(("better", "lost", "short", "plain"), CONTEXTS)
def test_a_better_move_in_both_voices(better: Better | None, lost: Lost | None, short: str, plain: str) -> None:
    found = replace(LOSING, better=better, lost=lost)
    assert (words.context(found), words.context(found, ALONE)) == (short, plain)
    assert words.explanation(found) == "E1 loses: W A1 B B1" + (f". {short}" if short else "")


def test_all_kinds_of_hints_and_explanations_have_examples() -> None:
    assert {found.reason for found, _, _ in HINTS} == set(Reason)
    assert {found.result for found, _, _ in EXPLANATIONS} == set(Result)


def test_a_punishment_is_announced_as_what_happened_or_as_another_way() -> None:
    another = "Look at the numbers for another way, which wins:"
    played = replace(LOSING, played=True)
    assert words.numbers(LOSING, None, ALONE) == "Look at the numbers:"
    assert words.numbers(played, "E4", ALONE) == "I played E4. Look at the numbers:"
    assert words.numbers(LOSING, "E4", ALONE) == f"I played E4. {another}"
    assert words.numbers(LOSING, "E4", TWO) == f"White played E4. {another}"


@pytest.mark.parametrize(
    ("line", "captured", "wins", "alone", "two"),
    [
        (("A1",), 1, False, "I can take 1 stone at once.", "White can take 1 stone at once."),
        (
            ("A1",),
            2,
            True,
            "I can take 2 stones at once, and win the game.",
            "White can take 2 stones at once, and wins the game.",
        ),
        (
            ("A1",),
            0,
            False,
            "I can give atari to your stones at once, and no answer saves them all.",
            "White can give atari to your stones at once, and no answer saves them all.",
        ),
        (
            ("A1", "B1", "C1"),
            0,
            False,
            "I can chase your stones: every move is atari, and no answer saves them all.",
            "White can chase your stones: every move is atari, and no answer saves them all.",
        ),
    ],
)
def test_a_warning(line: tuple[str, ...], captured: int, wins: bool, alone: str, two: str) -> None:
    found = Punishment(color=Color.WHITE, line=line, captured=captured, wins=wins)
    assert (words.warning(found, ALONE), words.warning(found, TWO)) == (alone, two)


def test_a_sentence_has_a_capital_and_one_mark_at_its_end() -> None:
    assert [words.sentence(text) for text in ("a b", "A b.", "is it?")] == ["A b.", "A b.", "Is it?"]
    assert [words.either(["a"]), words.either(["a", "b"]), words.either(["a", "b", "c"])] == [
        "a",
        "a or b",
        "a, b or c",
    ]


def reviews() -> Iterator[Review]:
    """Reviews with every kind of remark and of deciding mistake; the verdicts are made up."""
    rates = Evaluation(None, 0.5, (8,)), Evaluation(None, 0.9, (8,)), Evaluation(None, 0.2, (8,))
    verdicts = [*rates, won_by(WHITE), won_by(BLACK, (8,)), won_by(WHITE), won_by(BLACK), Evaluation(None, 0.5)]
    rules, moves = Rules.parse("first-capture"), (7, 8, PASS, 9, 10, 11, 12)
    for grade in Grade:
        for ends in ((8,), ()):
            better, punishment = ((), ()) if grade is Grade.PLAIN else (ends or (PASS,), ends)
            judgements = tuple(
                Judgement((BLACK, WHITE)[n % 2], p, verdicts[n], verdicts[n + 1], grade, better, punishment)
                for n, p in enumerate(moves)
            )
            yield Review(5, 5, tuple(verdicts), judgements, None, rules)
    for outcome in (None, *(Outcome(color, Termination.RESIGNATION) for color in Color)):
        for last in (won_by(BLACK), won_by(WHITE), Evaluation(None, 0.95), Evaluation()):
            yield Review(5, 5, (*verdicts[:-1], last), judgements, outcome, rules)
    yield Review(5, 5, (won_by(BLACK),), (), None, rules)
    yield Review(5, 5, (won_by(BLACK),) * 2, (judgements[0],), None, rules)


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
        *("is the only move that wins.", "I think that the game turned at move ", " gave up too early."),
        "I found no move that turned the game.",
    ):
        assert any(sentence in text for text in said), sentence


# --- A made-up language ---

WIDE = {ord("A") + n: chr(0xFF21 + n) for n in range(26)} | {ord("a") + n: chr(0xFF41 + n) for n in range(26)}
"""Each letter as a full-width letter."""


def marked(template: str) -> str:
    """A template in which all letters but those of fields are full-width."""
    parts = []
    for literal, field, spec, _ in Formatter().parse(template):
        parts.append(literal.translate(WIDE))
        if field is not None:
            forms = marked(spec or "") if "|" in (spec or "") else spec
            parts.append(f"{{{field}:{forms}}}" if forms else f"{{{field}}}")
    return "".join(parts)


NAMES = {
    *re.findall(
        "[a-z]+", "first-capture capture-3 japanese passing=stone forbidden captures suicide=legal ko=positional"
    ),
    *(word for name in levels.NAMES for word in name.split("-")),
    *LessonGame.WORDS,
    *LessonSession.WORDS,
    *TERMS,
    *"abcdef",
    *("easy", "normal", "hard", "WORD", "NAME", "FILE", "pass", "resign", "sgf", "kept", "size", "x"),
}
"""Words that are the same in every language: names of rules, levels and files, and what a person types."""
LATIN = re.compile(r"[A-Za-z]{2,}|\b[a-z]\b")


def escaped_sentences(text: str) -> set[str]:
    """The words of a text that are neither of the made-up language nor names."""
    return set(LATIN.findall(text)) - NAMES


@pytest.fixture
def language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "sentence", lambda text: text.translate(WIDE))  # the last step of errors too
    monkeypatch.setattr(words, "table", {key: marked(template) for key, template in ENGLISH.items()})


@pytest.mark.usefixtures("language")
def test_no_sentence_about_values_escapes_a_translation() -> None:
    said = [f(found, voice) for found, _, _ in HINTS for f in (words.hint,) for voice in (words.SHORT, ALONE)]
    explanations = [found for found, _, _ in EXPLANATIONS]
    explanations += [replace(LOSING, better=better, lost=lost) for better, lost, _, _ in CONTEXTS]
    for found in explanations:
        said += [words.explanation(found), words.statement(found, ALONE), words.context(found, TWO)]
        said += [words.numbers(found, reply, ALONE) for reply in (None, "A1")]
    said += [words.why_unread(reason) for reason in Unread]
    for review in reviews():
        said += [
            *words.review_lines(review),
            *words.review_lines(review, ALONE),
            words.headline(review),
            words.for_child(review),
        ]
    game = Game("first-capture", 5)
    for vertex in ("A1", "A2", "C3"):
        game.play(vertex)
    said += words.spoken(game, {game.point("D4"): (1, BLACK)})
    start = Start(Rules.parse("first-capture"), 5, 5, (), (), BLACK)
    said += [words.clue(Clue(kind), start) for kind in (*THEMES, "target", "column", "row", "one", "number")]
    for reason in Illegal:
        said.append(words.refusal(Game("first-capture", 5), 8, reason))
    assert set().union(*map(escaped_sentences, said)) == set()


@pytest.mark.slow
@pytest.mark.usefixtures("language")
def test_no_sentence_of_a_session_escapes_a_translation(compiled: None) -> None:
    options = Options(width=5, height=5, seed=1, time_per_move=0.2)
    engine = Engine(options, lambda line: None)
    now = threading.Event()
    now.set()
    engine.start(now)
    try:
        said = [gogui.PICTURES[name][1](engine, []) for name in gogui.PICTURES]
        for vertex in ("A1", "C3", "E5"):
            engine.game.play(vertex)
            said += [capture.hint(engine, []), capture.explain(engine, []), capture.review(engine, ["0.5"])]
            said += [gogui.PICTURES[name][1](engine, []) for name in gogui.PICTURES]
        said += pictures.ladders(engine.game) + pictures.safe(engine.game)
    finally:
        engine.warmup.stop()
    commands = {"VAR", "TEXT", "LABEL", "COLOR", "INFLUENCE", "MARK", "SQUARE", "CIRCLE", "TRIANGLE"}
    colors = {"green", "red", "blue", "yellow", "k"}
    assert set().union(*map(escaped_sentences, said)) - commands - colors == set()


@pytest.mark.usefixtures("language")
def test_no_sentence_of_an_annotated_game_escapes_a_translation() -> None:
    game = Game("first-capture", 5)
    for vertex in ("A1", "C3", "E5", "B2", "D1", "E2", "A5"):
        game.play(vertex)
    for review in reviews():
        if len(review.judgements) == len(game.moves):
            tree = read_tree(sgf.dump(game))
            annotate(tree, replace(review, judgements=tuple(
                replace(j, point=move.point) for j, move in zip(review.judgements, game.moves, strict=True)
            )))  # fmt: skip
            comments = re.findall(r"C\[((?:[^\]\\]|\\.)*)\]", dump_trees([tree]).decode())
            assert set().union(*map(escaped_sentences, comments)) - {"VW", "UTF"} == set()


def fields(template: str) -> set[str]:
    """The fields of a template."""
    return {field for _, field, _, _ in Formatter().parse(template) if field}


def test_both_voices_have_the_same_facts() -> None:
    for key, template in ENGLISH.items():
        assert fields(template) <= fields(ENGLISH[key.removesuffix(".plain")]), key
