"""Rows of results files that contradict each other or themselves: an error of one line names the row."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gtp_capture import BLACK, PRESETS, WHITE, Game
from gtp_capture.go.vertex import PASS
from gtp_capture.match.audit import Audit
from gtp_capture.match.games import Contender, Match
from gtp_capture.match.openings import Openings
from gtp_capture.match.process import Fault
from gtp_capture.match.referee import MOVE_LIMIT, Conditions, Ruling
from gtp_capture.match.report import report
from gtp_capture.match.results import Results, ResultsError, write_sgf
from gtp_capture.match.rows import COLUMNS, Row, make_row

PLAYERS = (Contender("one", "x"), Contender("two", "y"))


def a_match(rules: str = "first-capture", size: int = 5, opening: str = "empty", max_moves: int = 30) -> Match:
    conditions = Conditions(PRESETS[rules], size, size, max_moves=max_moves)
    return Match(PLAYERS, conditions, Openings(opening), games=8)  # type: ignore[arg-type]


def ruling(whole: Match, number: int) -> Ruling:
    """The ruling of a random game, in some of them with a fault."""
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
    found = Ruling(game, len(opening))
    found.seconds, found.slowest = {BLACK: 1.25, WHITE: 0.5}, {BLACK: 0.25, WHITE: 0.1}
    if game.outcome is not None:
        found.end(game.outcome, lambda: "B+3")
    elif len(game.moves) < conditions.max_moves:
        found.forfeit(game.to_move, Fault.CRASH, f"{'black' if game.to_move == BLACK else 'white'}: exit code 3")
    else:
        found.cause = MOVE_LIMIT
    return found


def results(path: Path, whole: Match) -> Results:
    return Results(path, {"Black": "one", "White": "two", "Date": "today"}, check=Audit(whole).check)


def written(path: Path, whole: Match, numbers: tuple[int, ...] = tuple(range(8))) -> Path:
    kept = results(path, whole)
    kept.open(resume=False)
    for number in numbers:
        fixture = whole.fixture(number)
        names = {color: player.name for color, player in fixture.players.items()}
        kept.add(make_row(number, names, fixture.alternated, ruling(whole, number)))
    kept.close()
    return path


def refusal(path: Path, whole: Match) -> str:
    """The error for a file, or an empty text; either way the file is unchanged, and accepted rows can be reported."""
    before = path.read_bytes()
    kept = results(path, whole)
    try:
        kept.open(resume=True)
        report(whole, kept.rows.values())
        write_sgf(path.parent / "sgf", kept.rows.values(), whole.conditions)
        said = ""
    except ResultsError as error:
        said = str(error)
    finally:
        kept.close()
    assert said.isprintable()
    if said:
        assert path.read_bytes() == before
    else:
        assert before.startswith(path.read_bytes()) or b"#GAME" not in before
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


BAD = [
    *("", " ", "-", "?", "0", "1", "7", "-1", "1_0", "+1", "9" * 5000, "inf", "nan", "1e400", "-0.5", "0.0000"),
    *("X+9", "B+R", "W+R", "W+3.5", "B+", "0.000", "one", "two", "three", "b", "bZ9", "xC3", "bC3 bC3", "bC3  wD4"),
    *("capture", "resignation", "two passes", "crash", "time", "black: exit code 3", "\x1b[2J", "\u202e", "٣"),
]


OTHERS = [("CPU", "0.000"), ("SLO", "0.000"), ("CAU", "crash"), ("CAU", "time")]
"""Values of columns that do not contradict any other column."""


def complaint(line: str, whole: Match) -> str:
    """The error for a single row, or an empty text."""
    try:
        Audit(whole).check(Row.parse(line))
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("whole", MATCHES.values(), ids=MATCHES.keys())
def test_a_cell_that_contradicts_the_others_is_refused(whole: Match, tmp_path: Path) -> None:
    lines = written(tmp_path / "a.dat", whole, (1, 2)).read_text().split("\n")
    for line in lines[-3:-1]:
        cells = line.split("\t")
        assert complaint(line, whole) == ""
        for place, column in enumerate(COLUMNS):
            for value in set(BAD) - {cells[place]}:
                said = complaint("\t".join([*cells[:place], value, *cells[place + 1 :]]), whole)
                # The numbers of the game and of its duplicate are compared with other rows only. Another time, or
                # another fault of the same engine, is possible too.
                free = column in ("GAME", "DUP") or (column[:3], value) in OTHERS
                assert said != "" or free, (column, value)


def test_a_number_that_contradicts_other_rows_is_refused(tmp_path: Path) -> None:
    whole = MATCHES["first-capture"]
    path = written(tmp_path / "a.dat", whole, (0, 1, 2))
    *head, first, second, third, end = path.read_text().split("\n")
    for lines, words in [
        ([first, second, first], ":8 is not a valid row: game 0 is there twice"),
        ([first, second, f"2{first[1:]}"], ":8 is not a valid row: DUP is -, not 0"),
        ([first, second, third.replace("\t-\t", "\t0\t", 1)], ":8 is not a valid row: DUP is 0, not -"),
        ([first, second, third.replace("\t-\t", "\t9\t", 1)], ":8 is not a valid row: DUP is 9, not -"),
        ([f"1{first[1:]}"], ":6 is not a valid row: ALT is 0, not 1"),
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


MOVES: list[tuple[str, Callable[[list[str]], list[str]]]] = [
    ("one is missing at the end", lambda moves: moves[:-1]),
    ("one is missing at the start", lambda moves: moves[1:]),
    ("one is there twice", lambda moves: [*moves, moves[-1]]),
    ("two are exchanged", lambda moves: [moves[1], moves[0], *moves[2:]]),
    ("more after the end", lambda moves: [*moves, "bpass", "wpass"]),
    ("lower case", lambda moves: [move.lower() for move in moves]),
    ("none", lambda moves: []),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "damage"), MOVES, ids=[name for name, _ in MOVES])
def test_moves_that_contradict_the_row_are_refused(
    name: str, damage: Callable[[list[str]], list[str]], tmp_path: Path
) -> None:
    whole = MATCHES["first-capture"]
    path = written(tmp_path / "a.dat", whole)
    kept = results(path, whole)
    kept.open(resume=True)
    kept.close()
    for old in kept.rows.values():
        new = replace(old, moves=" ".join(damage(old.moves.split())))
        same_length = replace(new, len=len(new.moves.split()))
        text = path.read_text()
        for changed in (new, same_length):
            path.write_text(text.replace(old.line(), changed.line()))
            # A game lost by a crash may have been shorter.
            if not (changed is same_length and old.cause == "crash" and name in ("one is missing at the end", "none")):
                assert refusal(path, whole) != "", (name, changed)
        path.write_text(text)


def test_both_games_of_a_random_opening_must_begin_with_it(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    game = Game("first-capture", 5)
    for vertex in ("C3", "A1", "B1", "D4", "A2"):
        game.play(vertex)
    whole = replace(a_match(), openings=Openings("random", plies=2))
    kept = results(path, whole)
    kept.open(resume=False)
    for number in range(2):
        found = Ruling(game, 2)
        assert game.outcome is not None
        found.end(game.outcome, str)
        names = {color: player.name for color, player in whole.fixture(number).players.items()}
        kept.add(make_row(number, names, number == 1, found))
    kept.close()
    assert refusal(path, whole) == ""
    text = path.read_text()
    path.write_text(text.replace("bC3 wA1 bB1", "bB1 wA1 bC3", 1))
    assert "the opening of this game" in refusal(path, whole)
