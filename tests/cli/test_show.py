"""The command gtp-capture show: pictures of positions and heat maps."""

from __future__ import annotations

import re
import struct
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gtp_capture import Game, dump_sgf, solve
from gtp_capture.go.diagram import parse
from gtp_capture.go.picture import Heat

from ..support import forks
from ..support.diagrams import played
from ..support.forks import HANG, refusal
from ..support.person import Terminal

DIAGRAM = ". . . . .\n. . X . .\n. X O X .\n. . O . .\n. . . . .\n"
NAMESPACE = "{http://www.w3.org/2000/svg}"


def run(*args: str, data: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return forks.run("show", *args, data=data, env=environment)


def game_file(folder: Path, *vertices: str) -> Path:
    path = folder / "game.sgf"
    path.write_bytes(dump_sgf(played(5, *vertices)).encode())
    return path


def test_a_large_board_fits_into_a_narrow_terminal_also_a_dumb_one(tmp_path: Path) -> None:
    path = tmp_path / "large.sgf"
    path.write_text("(;SZ[19];B[dd])")
    for terminal in ("dumb", "xterm"):
        done = run(str(path), TERM=terminal, COLUMNS="40", FORCE_COLOR="1", NO_COLOR="1")
        assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in done.stdout.splitlines()) <= 40


def test_a_position_is_drawn_in_the_terminal(tmp_path: Path) -> None:
    done = run(str(game_file(tmp_path, "C3", "C4", "A1")))
    assert (done.returncode, done.stderr) == (0, "")
    assert "no result" not in done.stdout
    shown = parse(done.stdout)
    assert (shown.width, len(shown.black), len(shown.white)) == (5, 2, 1)
    assert "(●)" in done.stdout
    assert "Traceback" not in run("-", data=DIAGRAM, PYTHONIOENCODING="ascii").stderr
    assert parse(run("-", data=DIAGRAM).stdout).white == parse(DIAGRAM).white


def test_a_move_number_selects_the_position_after_it(tmp_path: Path) -> None:
    shown = parse(run(str(game_file(tmp_path, "C3", "C4", "A1")), "--move", "2").stdout)
    assert (len(shown.black), len(shown.white)) == (1, 1)


def test_an_svg_file_has_the_stones_of_the_board(tmp_path: Path) -> None:
    output = tmp_path / "board.svg"
    assert run("-", "-o", str(output), data=DIAGRAM).returncode == 0
    root = ElementTree.parse(output).getroot()
    assert len(list(root.iter(NAMESPACE + "circle"))) == 5
    output = tmp_path / "again.SVG"
    done = run(str(game_file(tmp_path, "C3", "C4")), "-o", str(output))
    assert (done.returncode, done.stdout, done.stderr) == (0, f"board written to {output}\n", "")
    assert len(list(ElementTree.parse(output).getroot().iter(NAMESPACE + "circle"))) == 3  # the last one has a ring


def test_a_png_file_has_three_pixels_for_each_of_the_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    output = tmp_path / "board.png"
    assert run("-", "-o", str(output), data=DIAGRAM).returncode == 0
    data = output.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == (3 * 180, 3 * 180)


@pytest.mark.slow
def test_a_heat_map_marks_proven_moves_as_the_solver_does(tmp_path: Path, compiled: None) -> None:
    output, seconds = tmp_path / "heat.svg", str(HANG)  # it ends when each move is proven
    done = run("-", "--heat", "--seconds", seconds, "-o", str(output), data=DIAGRAM)
    assert (done.returncode, done.stderr) == (0, "")
    root = ElementTree.parse(output).getroot()
    rings = {(c.attrib["cx"], c.attrib["cy"]) for c in root.iter(NAMESPACE + "circle")}
    texts = [(t.attrib["x"], float(t.attrib["y"]) - 4, t.text) for t in root.iter(NAMESPACE + "text")]
    marks = dict.fromkeys("+-", 0)
    for x, y, text in texts:
        if (x, f"{y:g}") not in rings or text is None:
            continue
        assert text in ("+", "-") or 0 <= int(text) <= 100
        if text in marks:
            marks[text] += 1
            game = parse(DIAGRAM).game(Game("first-capture").rules)
            vertex = f"{'ABCDE'[int(x) // 30 - 1]}{6 - int(y) // 30}"
            game.play(vertex)
            winner = game.outcome.winner if game.outcome else solve(game, seconds=20).winner
            assert winner == ("black" if text == "+" else "white"), vertex
    assert sum(marks.values()) > 10
    assert "Black to play: win rate in per cent" in [text for _, _, text in texts]
    shown = run("-", "--heat", "--seconds", seconds, data=DIAGRAM)
    assert re.search(r"^  5( [-+\d]\d? +)+5$", shown.stdout, re.MULTILINE), shown.stdout
    assert "+ wins, - loses: proven" in shown.stdout


@pytest.mark.slow
def test_a_heat_map_explains_points_without_a_result(compiled: None) -> None:
    eye = ". . . . .\n. . X . .\n. X . X .\n. . X . .\n. . . . .\nwhite to play\n"
    assert "\n· no result: hardly tried, or illegal\n" in run("-", "--heat", "--seconds", "1", data=eye).stdout


REFUSED = [
    (["missing.sgf"], "No such file"),
    (["-", "-o", "board.gif"], "must end in .svg or .png"),
    (["-", "-o", "missing/board.svg"], "cannot be written"),
    (["-", "--move", "3"], "it has 0 moves, not 3"),
    (["-", "--move", "-1"], "--move"),
    (["-", "--seconds", "0", "--heat"], "--seconds"),
    (["-", "--seconds", "nan", "--heat"], "--seconds"),
    (["-", "--rules", "chess"], "unknown rules"),
    ([], "FILE"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("args", "says"), REFUSED, ids=str)
def test_bad_input_gets_one_line_and_exit_code_2(args: list[str], says: str, tmp_path: Path) -> None:
    assert says in refusal(forks.run("show", *args, data=DIAGRAM, folder=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_is_over_and_an_output_that_is_the_input_are_refused(tmp_path: Path) -> None:
    over = game_file(tmp_path, "A1", "A2", "E5", "B1")
    assert "the game is over" in run(str(over), "--heat").stderr
    same = tmp_path / "x.svg"
    same.write_text(DIAGRAM)
    assert "is an input" in refusal(run(str(same), "-o", str(same)))
    assert same.read_text() == DIAGRAM


def test_without_matplotlib_one_line_names_the_extra_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError('absent')")
    done = run("-", "--heat", "--seconds", "60", "-o", str(tmp_path / "a.png"), data="", PYTHONPATH=str(tmp_path))
    assert "pip install '.[plot]'" in refusal(done)
    assert run("-", "-o", str(tmp_path / "a.svg"), data=DIAGRAM, PYTHONPATH=str(tmp_path)).returncode == 0


@pytest.mark.parametrize(
    ("heat", "text"), [(Heat(0.5), "50"), (Heat(1.0, "win"), "+"), (Heat(0.0, "loss"), "-"), (Heat(1.0), "100")]
)
def test_the_text_of_a_move(heat: Heat, text: str) -> None:
    assert heat.text == text
    assert re.fullmatch(r"#[0-9a-f]{6}", heat.color)


@pytest.mark.posix
@pytest.mark.slow
def test_progress_is_shown_on_a_terminal_only(tmp_path: Path, compiled: None) -> None:
    (tmp_path / "a.txt").write_text(". . . . . . .\n" * 7)
    terminal = Terminal("show", str(tmp_path / "a.txt"), "--heat", "--seconds", "1")
    terminal.expect(r"trying the moves, 1 s.*0:00:0\d")
    terminal.expect("win rate in per cent")
    assert terminal.end() == 0


def test_a_board_is_written_as_sentences() -> None:
    done = run("-", "--spoken", data=".X.\nXOX\n...\n")
    rows = ["Row 3: empty, black, empty.", "Row 2: black, white in atari, black.", "Row 1: all empty."]
    assert done.stdout.splitlines() == ["Columns A to C.", *rows]
    assert "--spoken would have no effect with --heat" in run("-", "--spoken", "--heat", data="X.\n..\n").stderr
