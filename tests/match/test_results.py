"""The results file: the format of gogui-analyze, atomic rows, and resuming only the same match."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf

from gtp_capture import PRESETS
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.match.process import Fault
from gtp_capture.match.referee import AdjudicatedGame, Conditions
from gtp_capture.match.results import Results, write_sgf
from gtp_capture.match.rows import MatchGame, make_game
from gtp_capture.util.files import RequestError
from tests.support.diagrams import played

CONDITIONS = Conditions(PRESETS["first-capture"], 5, 5)
GOGUI = ["GAME", "RES_B", "RES_W", "RES_R", "ALT", "DUP", "LEN", "TIME_B", "TIME_W", "CPU_B", "CPU_W", "ERR", "ERR_MSG"]


def adjudicated(*moves: str, **rest: object) -> AdjudicatedGame:
    ended = AdjudicatedGame(played(5, *moves), cause="capture", winner=BLACK, result="B+R", **rest)  # type: ignore[arg-type]
    ended.seconds = {BLACK: 1.25, WHITE: 0.5}
    return ended


CAPTURE = adjudicated("B1", "A1", "A2")


def parse(line: str) -> MatchGame:
    return MatchGame.parse(line, CONDITIONS)


def game(number: int, alternated: bool = False, of: AdjudicatedGame = CAPTURE) -> MatchGame:
    names = {BLACK: "two", WHITE: "one"} if alternated else {BLACK: "one", WHITE: "two"}
    return make_game(number, names, alternated, of, CONDITIONS)


def results(path: Path, **properties: str) -> Results:
    return Results(path, {"Black": "one", "White": "two", "Date": "today", **properties}, parse)


def kept(path: Path, games: int = 0, **properties: str) -> Results:
    """The results of a file, which is made if necessary, after some more games."""
    store = results(path, **properties)
    store.open(resume=True)
    for number in range(games):
        store.add(game(number))
    store.close()
    return store


def test_the_columns_of_gogui_twogtp_come_first_under_properties_and_an_empty_comment(tmp_path: Path) -> None:
    kept(tmp_path / "a.dat", 2)
    lines = (tmp_path / "a.dat").read_text().splitlines()
    head = [line for line in lines if line.startswith("#")]
    assert head[:-2] == ["# Black: one", "# Date: today", "# White: two"]
    assert head[-2] == "#"
    assert head[-1].lstrip("#").split("\t")[: len(GOGUI)] == GOGUI
    first = dict(zip(GOGUI, lines[len(head)].split("\t"), strict=False))
    assert (first["RES_B"], first["RES_W"], first["RES_R"], first["ALT"]) == ("B+R", "B+R", "B+R", "0")
    assert (first["LEN"], first["ERR"], float(first["TIME_B"]), float(first["TIME_W"])) == ("3", "0", 1.25, 0.5)


def test_the_result_of_an_alternated_game_is_that_of_the_first_player() -> None:
    # As in gogui-twogtp, B is the first player even with White.
    row = game(1, alternated=True)
    assert (row.first, row.second, row.winner, row.result) == ("one", "two", "two", "B+R")
    cells = row.line().split("\t")
    assert (cells[1], cells[4], cells[7], cells[8]) == ("W+R", "1", "0.500", "1.250")
    assert parse(row.line()) == row
    assert "RE[B+R]" in row.sgf()


def test_the_same_moves_again_are_a_duplicate(tmp_path: Path) -> None:
    store = kept(tmp_path / "a.dat", 3)
    assert [g.duplicate for g in store.games.values()] == [None, 0, 0]


def test_a_row_and_its_game_are_read_back(tmp_path: Path) -> None:
    kept(tmp_path / "a.dat", 1)
    again = kept(tmp_path / "a.dat")
    assert again.games == {0: game(0)}
    assert again.games[0].game().moves == CAPTURE.game.moves
    assert again.games[0].game().outcome == CAPTURE.game.outcome


@given(st.text(max_size=60), st.integers(0, 10**6), st.floats(0, 10**5))
def test_no_message_breaks_a_row(message: str, number: int, seconds: float) -> None:
    wrong = adjudicated("B1", faulty=WHITE, message=message)
    wrong.seconds[BLACK] = seconds
    line = game(number, of=wrong).line()
    assert line.count("\n") == 1
    assert line.count("\t") == 20
    again = parse(line)
    assert (again.number, again.moves, again.faulty) == (number, "bB1", "two")
    assert again.seconds["one"] == pytest.approx(seconds, abs=1e-3)
    assert again.line() == line


@given(st.data())
def test_a_truncated_file_keeps_its_whole_rows_and_can_be_continued(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("cut") / "a.dat"
    kept(path, 4)
    whole = path.read_bytes()
    head = whole.index(b"\n", whole.index(b"#GAME")) + 1
    at = data.draw(st.just(0) | st.integers(head, len(whole)))  # the header is written at once
    path.write_bytes(whole[:at])
    expected = whole[head:at].count(b"\n")
    again = results(path)
    again.open(resume=True)
    assert sorted(again.games) == list(range(expected))
    for number in range(expected, 4):
        again.add(game(number))
    again.close()
    assert path.read_bytes() == whole


def test_resuming_requires_the_same_properties_except_the_date(tmp_path: Path) -> None:
    kept(tmp_path / "a.dat", 1)
    for properties, name in (
        ({"White": "three"}, "White is two, not three"),
        ({"Size": "9"}, "Size is nothing, not 9"),
    ):
        other = results(tmp_path / "a.dat", **properties)
        with pytest.raises(RequestError, match=name):
            other.open(resume=True)
        other.close()
    assert len(kept(tmp_path / "a.dat", Date="tomorrow").games) == 1


def test_a_table_with_other_columns_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    kept(path, 1)
    path.write_text(path.read_text().replace("\tCAUSE\t", "\t"))
    before = path.read_bytes()
    other = results(path)
    with pytest.raises(RequestError, match="is not a results file of a match"):
        other.open(resume=True)
    other.close()
    assert path.read_bytes() == before


def test_a_file_is_locked_against_a_second_match(tmp_path: Path) -> None:
    first, second = results(tmp_path / "a.dat"), results(tmp_path / "a.dat")
    first.open(resume=False)
    with pytest.raises(RequestError, match="another match is writing"):
        second.open(resume=True)
    first.close()
    kept(tmp_path / "a.dat")


def test_a_path_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    lost = results(tmp_path / "file" / "a.dat")
    with pytest.raises(RequestError):
        lost.open(resume=False)
    lost.close()


@pytest.mark.parametrize(
    ("fault", "result"), [(None, "B+R"), (Fault.TIME, "B+T"), (Fault.CRASH, "B+F"), (Fault.ILLEGAL, "B+F")]
)
def test_the_sgf_has_names_times_result_and_cause(fault: Fault | None, result: str) -> None:
    ended = adjudicated("B1", "A1", "A2")
    if fault is not None:
        ended.faulty, ended.cause, ended.message = WHITE, str(fault), "white: it [broke]"
    written = sgf.Sgf_game.from_bytes(game(0, of=ended).sgf().encode())
    root = written.get_root()
    assert (root.get("PB"), root.get("PW"), root.get("RE")) == ("one", "two", result)
    comment = written.get_last_node().get("C")
    assert comment.startswith(f"{result} ({ended.cause})")
    assert ("white: it [broke]" in comment) == (fault is not None)
    assert "Black: one, 1.250 s" in comment
    assert "White: two, 0.500 s" in comment


def test_missing_sgf_files_are_written_again(tmp_path: Path) -> None:
    games = [game(number) for number in (0, 3)]
    write_sgf(tmp_path / "sgf", games)
    (tmp_path / "sgf" / "game-00003.sgf").unlink()
    write_sgf(tmp_path / "sgf", games)
    assert sorted(p.name for p in (tmp_path / "sgf").iterdir()) == ["game-00000.sgf", "game-00003.sgf"]


def test_a_results_file_needs_its_folder(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="no such folder"):
        results(tmp_path / "missing" / "a.dat").open(resume=False)
    assert not (tmp_path / "missing").exists()


def test_a_results_file_may_have_the_line_ends_of_another_system(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    kept(path, 2)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert sorted(kept(path).games) == [0, 1]
