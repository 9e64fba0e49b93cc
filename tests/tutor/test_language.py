"""A made-up language, in which no session says a sentence of another one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gtp_capture.go.scoring import Status
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.teach.puzzles import files
from gtp_capture.teach.terms import TERMS
from gtp_capture.tutor.game import GameSession
from gtp_capture.tutor.lesson import LessonGame
from gtp_capture.tutor.problem import ProblemSession

from ..support.held import Held, resources, seats
from ..teach.test_words import FOREIGN, escaped_sentences, foreign, template  # noqa: F401 - fixtures

pytestmark = [pytest.mark.usefixtures("foreign", "compiled"), pytest.mark.slow]
PUPIL = replace(FOREIGN, plain=True)
UNCLEAR = ("hi", "zz", "hnit", "un", "i3", "z9", "b", "7", "c3 c4", "black c3", "help zz", "new 99", "undo x")


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
    session = GameSession(chosen, resources(player="mcts", voice=PUPIL))
    session.game.find_statuses = lambda board: dict.fromkeys(range(board.cells), Status.ALIVE)
    held = Held(session)
    typed = [*UNCLEAR, "help", "rules", "board", "level", "level 3", "level x", "B2", "undo", "A1", "B1", "C3", "D3"]
    typed += [f"help {name}" for name in (*session.words, *TERMS)]
    typed += ["save x", "E5", "save x", "what", "no", "new", "yes", "C3", "C2", "pass", "yes", "pass", "pass", "new 4"]
    typed += ["yes", "resign", "explain", "new", "yes", "resign", "new", "C3", "quit", "help", "yes"]
    said = [held.text]
    for line in typed:
        if not (line == "explain" and len(people) == 2):
            said.append(held.type(line))
    names = {"play", "game"}  # of the command, and of a file without a name
    assert set().union(*map(escaped_sentences, said)) - {*names, *" ".join(typed).split()} == set()


def test_no_sentence_of_a_problem_escapes_a_translation() -> None:
    problems = files.shipped()[:40]
    held = Held(ProblemSession(problems, 1, resources(voice=PUPIL)))
    said = []
    for number in (1, 20, 30, 40):
        problem = problems[number - 1]
        vertices = [problem.start.game().vertex(v.moves[0]) for v in problem.variations[1:3]]
        answers = [problem.start.game().vertex(move) for move in problem.line[::2]]
        lines = [*UNCLEAR, "help", "", *["hint"] * 5, "solution", "undo", *vertices, *answers, "hint", "solution"]
        said += [held.type(line) for line in (f"problem {number}", *lines, "again", "next", "A1")]
    assert set().union(*map(escaped_sentences, said)) - {*" ".join(UNCLEAR).split()} == set()


def test_no_sentence_between_a_lesson_s_game_and_the_list_escapes_a_translation() -> None:
    held = Held(LessonGame(1, resources(voice=PUPIL)))
    said = [held.type(line) for line in ("help lessons", "resign")]
    assert set().union(*map(escaped_sentences, said)) == set()
