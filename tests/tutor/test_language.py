"""A made-up language, in which no session says a sentence of another one."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from gtp_capture.go.rules import PRESETS
from gtp_capture.go.scoring import Status
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.players import levels
from gtp_capture.teach import words
from gtp_capture.teach.puzzles import files
from gtp_capture.teach.puzzles.sheet import sheet
from gtp_capture.teach.sentences import languages, table
from gtp_capture.teach.terms import TERMS
from gtp_capture.teach.words import Voice
from gtp_capture.tutor.game import GameSession
from gtp_capture.tutor.lesson import LessonGame, LessonSession
from gtp_capture.tutor.problem import ProblemSession
from gtp_capture.web import view

from ..support.classroom import do, joined, new_room, offers, texts
from ..support.forks import run
from ..support.held import Held, resources, seats
from ..teach.test_words import FOREIGN, escaped_sentences, foreign, template, text_of_html  # noqa: F401 - fixtures

MADE_UP = pytest.mark.usefixtures("foreign")
pytestmark = [pytest.mark.usefixtures("compiled"), pytest.mark.slow]
PUPIL = replace(FOREIGN, plain=True)
UNCLEAR = ("hi", "zz", "hnit", "un", "i3", "z9", "b", "7", "c3 c4", "black c3", "help zz", "new 99", "undo x")


@MADE_UP
@pytest.mark.parametrize(
    ("rules", "people", "handicap"),
    [
        ("first-capture", {BLACK}, 0),
        ("first-capture", {BLACK, WHITE}, 3),
        ("capture-3 passing=stone", {WHITE}, 0),
        ("japanese", {BLACK, WHITE}, 2),
        ("capture-2 passing=forbidden suicide=yes ko=positional", {BLACK, WHITE}, 0),
    ],
)
def test_no_sentence_of_a_game_escapes_a_translation(rules: str, people: set[int], handicap: int) -> None:
    chosen = seats(rules, people=frozenset(people), handicap=handicap, warn=True, adapt=True, level=2)
    session = GameSession(chosen, resources(player="mcts", language=PUPIL.language))
    session.game.find_statuses = lambda board: dict.fromkeys(range(board.cells), Status.ALIVE)
    held = Held(session, PUPIL)
    typed = [*UNCLEAR, "help", "rules", "board", "level", "level 3", "level x", "B2", "undo", "A1", "B1", "C3", "D3"]
    typed += [f"help {name}" for name in (*session.commands, *TERMS)]
    typed += ["save x", "E5", "save x", "what", "no", "new", "yes", "C3", "C2", "pass", "yes", "pass", "pass", "new 4"]
    typed += ["yes", "resign", "explain", "new", "yes", "resign", "new", "C3", "quit", "help", "yes"]
    said = [held.text]
    for line in typed:
        if not (line == "explain" and len(people) == 2):
            said.append(held.type(line))
    names = {"play", "game"}  # of the command, and of a file without a name
    assert set().union(*map(escaped_sentences, said)) - {*names, *" ".join(typed).split()} == set()


@MADE_UP
def test_no_sentence_of_a_problem_escapes_a_translation() -> None:
    problems = files.shipped()[:40]
    held = Held(ProblemSession(problems, 1, resources(language=PUPIL.language)), PUPIL)
    said = []
    for number in (1, 20, 30, 40):
        problem = problems[number - 1]
        vertices = [problem.start.game().vertex(v.moves[0]) for v in problem.variations[1:3]]
        answers = [problem.start.game().vertex(move) for move in problem.line[::2]]
        lines = [*UNCLEAR, "help", "", *["hint"] * 5, "solution", "undo", *vertices, *answers, "hint", "solution"]
        said += [held.type(line) for line in (f"problem {number}", *lines, "again", "next", "A1")]
    assert set().union(*map(escaped_sentences, said)) - {*" ".join(UNCLEAR).split()} == set()


@MADE_UP
def test_no_sentence_between_a_lesson_s_game_and_the_list_escapes_a_translation() -> None:
    held = Held(LessonGame(1, resources(language=PUPIL.language)), PUPIL)
    said = [held.type(line) for line in ("help lessons", "resign")]
    assert set().union(*map(escaped_sentences, said)) == set()


# --- No English in the languages of the catalogues ---

ENGLISH_WORDS = {
    *(word for key, text in table().items() if key.startswith("typed.") for word in text.split() if len(word) > 2),
    *(word for name in (*PRESETS, *levels.NAMES) for word in re.findall("[a-z]{3,}", name)),
    *("the", "and", "you", "your", "this", "that", "with", "play", "stone", "stones", "point", "move", "wins"),
}
"""Words that a child does not see in another language: those that are typed, names of rules and levels, common ones."""
NAMES = {"tromp", "taylor", "aga", "atari", "capture"}
"""Names of rules, and words of another language too: "que capture" is Spanish."""


@pytest.mark.parametrize("language", languages()[1:])
def test_a_scripted_child_sees_no_english_word(language: str) -> None:
    voice, chosen = Voice(plain=True, language=language), seats("capture-2", people=frozenset({BLACK, WHITE}))
    say, said = voice.typed, list[str]()
    held = Held(GameSession(chosen, resources(language=language)), voice)
    said.append(held.text)
    lines = ["zz", "C3 C4", "Z9", *map(say, ("help", "rules", "level", "undo"))]
    lines += [f"{say('level')} zz", f"{say('help')} zz", "A1", "B1", say("resign"), "zz"]
    lines += [f"{say('help')} {say(name)}" for name in GameSession.COMMANDS]
    lines += [f"{say('help')} {voice.text(f'term.{name}.word').split()[0]}" for name in TERMS]
    said += [held.type(line) for line in lines]
    held = Held(GameSession(chosen, resources(language=language, player="mcts")), voice)
    lines = ["C3", "C2", "A4", "B3", "E2", "C4", "A1", "D3", say("review"), say("explain")]
    said += [held.type(line) for line in lines]
    held = Held(ProblemSession(files.shipped()[:3], 1, resources(language=language)), voice)
    lines = ["zz", say("help"), *[say("hint")] * 5, say("solution"), say("next"), say("again")]
    said += [held.type(line) for line in lines]
    held = Held(LessonSession(1, resources(language=language)), voice)
    said += [held.type(line) for line in ("zz", say("help"), *[""] * 7, "9", say("hint"), say("solution"), say("next"))]
    said.append(text_of_html(sheet(files.shipped()[:6], 6, voice=voice)))
    said += [words.rules_name(name, voice) for name in PRESETS]
    assert english(said, language) == set()


@pytest.mark.parametrize("language", languages()[1:])
def test_a_child_of_a_class_and_at_home_sees_no_english_word(language: str, tmp_path: Path) -> None:
    said, dice, room = list[str](), random.Random(language), new_room(language=language)
    seats = joined(room, "Mia", "Ole")
    for seat in seats:
        seat.language = language
    for _ in range(60):
        seat = dice.choice(seats)
        shown = view.child(room, seat)
        said += texts(shown)
        do(room, seat, **dice.choice(offers(shown, dice)))
    said += texts(view.stranger(room, language))
    home = tmp_path / "home.html"
    assert run("course", "1", "--web", str(home), "--language", language).returncode == 0
    data = json.loads(home.read_text("utf-8").partition(' id="data">')[2].partition("</script>")[0])
    said += [text for text in data["table"]["simple"] if isinstance(text, str) and not re.search(r"^<|^[a-z]+$", text)]
    assert english(said, language) == set()


def english(said: Iterable[str], language: str) -> set[str]:
    """Return the English words of texts in another language, but those that are typed in this one too."""
    voice = Voice(plain=True, language=language)
    own = " ".join(voice.text(key) for key in table() if key.startswith("typed.") or key.endswith(".word"))
    seen = {word for text in said for word in re.findall(r"[a-z]{3,}", re.sub(r"[À-ɏ]", "x", text.casefold()))}
    return seen & ENGLISH_WORDS - {*own.casefold().split()} - NAMES - ({"point"} if language == "fr" else set())
