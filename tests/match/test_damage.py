"""Rows of results files that contradict each other or themselves: an error of one line names the row."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gtp_capture import PRESETS
from gtp_capture.go.vertex import BLACK, PASS, WHITE
from gtp_capture.match.games import Contender, Match
from gtp_capture.match.openings import choose_openings
from gtp_capture.match.process import Fault
from gtp_capture.match.referee import MOVE_LIMIT, AdjudicatedGame, Conditions
from gtp_capture.match.report import match_result
from gtp_capture.match.results import Results, write_sgf
from gtp_capture.match.rows import COLUMNS, make_game
from gtp_capture.util.files import RequestError

PLAYERS = (Contender("one", "x"), Contender("two", "y"))


def a_match(rules: str = "first-capture", size: int = 5, opening: str = "empty", max_moves: int = 30) -> Match:
    conditions = Conditions(PRESETS[rules], size, size, max_moves=max_moves)
    return Match(PLAYERS, conditions, choose_openings(opening, 1, None, conditions), games=8)


def adjudicated(whole: Match, number: int) -> AdjudicatedGame:
    """The adjudication of a random game, in some of them with a fault."""
    rng = random.Random(number)
    conditions = whole.conditions
    game = conditions.game()
    opening = whole.openings.opening(whole.fixture(number).opening, conditions)
    for move in opening:
        game.play_point(move.point, move.color)
    stop = rng.randrange(4, 12) if number % 3 == 2 else conditions.max_moves
    while game.outcome is None and len(game.moves) < stop:
        passing = conditions.rules.captures is None and rng.random() < 0.2
        game.play_point(PASS if passing else rng.choice(game.legal_plays()))
    ended = AdjudicatedGame(game, len(opening))
    ended.seconds, ended.slowest = {BLACK: 1.25, WHITE: 0.5}, {BLACK: 0.25, WHITE: 0.1}
    if game.outcome is not None:
        ended.end(game.outcome, lambda: "B+3")
    elif len(game.moves) < conditions.max_moves:
        ended.forfeit(int(game.to_move), Fault.CRASH, f"{game.to_move}: exit code 3")
    else:
        ended.cause = MOVE_LIMIT
    return ended


def results(path: Path, whole: Match) -> Results:
    return Results(path, {"Black": "one", "White": "two", "Date": "today"}, whole.parse)


def written(path: Path, whole: Match, numbers: tuple[int, ...] = tuple(range(8))) -> Path:
    kept = results(path, whole)
    kept.open(resume=False)
    for number in numbers:
        fixture = whole.fixture(number)
        kept.add(make_game(number, fixture.names, fixture.alternated, adjudicated(whole, number), whole.conditions))
    kept.close()
    return path


def refusal(path: Path, whole: Match) -> str:
    """The error for a file, or an empty text; either way the file is unchanged, and accepted rows can be reported."""
    before = path.read_bytes()
    kept = results(path, whole)
    try:
        kept.open(resume=True)
        match_result(whole, kept.games.values()).as_json()
        write_sgf(path.parent / "sgf", kept.games.values())
        said = ""
    except RequestError as error:
        said = str(error)
    finally:
        kept.close()
    assert said.isprintable()
    if said:
        assert path.read_bytes() == before
    else:
        assert before.startswith(path.read_bytes())
    return said


MATCHES = {
    "first-capture": a_match(),
    "capture-2": a_match("capture-2"),
    "a crosscut": a_match(opening="crosscut"),
    "tromp-taylor": a_match("tromp-taylor"),
    "japanese": a_match("japanese"),
    "few moves": a_match("capture-5", max_moves=9),
}


@pytest.mark.parametrize("whole", MATCHES.values(), ids=MATCHES.keys())
def test_the_file_of_a_match_is_accepted(whole: Match, tmp_path: Path) -> None:
    assert refusal(written(tmp_path / "a.dat", whole), whole) == ""


COLUMN = {name: place for place, name in enumerate(COLUMNS)}


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("GAME", "x", "GAME is x"),
        ("TIME_B", "nan", "TIME_B is nan"),
        ("BLACK", "three", "the players are three and two, not one and two"),
        ("WHITE", "three", "the players are one and three, not one and two"),
        ("RES_B", "B+9", "RES_B is B+9"),
        ("LEN", "99", "LEN is 99"),
        ("ERR", "7", "ERR is 7"),
        ("MOVES", "bZ9", "move 1 of MOVES, bZ9: "),
        ("MOVES", "xC3", "move 1 of MOVES, xC3: the wrong colour"),
        ("MOVES", "bC3 bD4", "move 2 of MOVES, bD4: the wrong colour"),
        ("MOVES", "bC3 wC3", "move 2 of MOVES, wC3: "),
    ],
)
def test_a_cell_that_no_game_of_the_match_has_is_refused(column: str, value: str, said: str, tmp_path: Path) -> None:
    whole = MATCHES["first-capture"]
    path = written(tmp_path / "a.dat", whole, (0, 1, 2))
    *head, line, end = path.read_text().split("\n")
    cells = line.split("\t")
    cells[COLUMN[column]] = value
    if column == "MOVES":
        cells[COLUMN["LEN"]] = str(len(value.split()))
    path.write_text("\n".join([*head, "\t".join(cells), end]))
    assert said in refusal(path, whole)


def test_a_number_that_contradicts_other_rows_is_refused(tmp_path: Path) -> None:
    whole = MATCHES["first-capture"]
    path = written(tmp_path / "a.dat", whole, (0, 1, 2))
    *head, first, second, _, end = path.read_text().split("\n")
    for lines, words in [
        ([first, second, first], ":8 is not a valid row: game 0 is there twice"),
        ([f"1{first[1:]}"], ":6 is not a valid row: the players are one and two, not two and one"),
        ([f"-0{first[1:]}"], ":6 is not a valid row: GAME is -0"),
        ([f"{'9' * 5000}{first[1:]}"], ":6 is not a valid row: GAME is 999"),
        ([f"{first}\t"], ":6 is not a valid row: 22 columns instead of 21"),
        ([first.rpartition("\t")[0]], ":6 is not a valid row: 20 columns instead of 21"),
        ([first, "x" * 100_000], ":7 is not a valid row: 1 columns"),
    ]:
        path.write_text("\n".join([*head, *lines, end]))
        said = refusal(path, whole)
        assert f"{path}{words}" in said
        assert len(said) < 500 + len(str(path))
