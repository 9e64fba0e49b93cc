"""Sessions in a terminal: ^C, ^D, history, width, colours, files, and a terminal that is closed."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest
from sgfmill import sgf

from gtp_capture.go.diagram import parse
from gtp_capture.go.vertex import BLACK, WHITE

from ..support import forks
from ..support.forks import refusal, run
from ..support.person import PROMPT, Person
from ..support.process import ENGINE, HANG, wait_for_rest, wait_for_work

pytestmark = [pytest.mark.posix, pytest.mark.usefixtures("compiled")]

PROBLEM = "(;SZ[5]RU[first-capture]AB[ab][bc][cb]AW[bb]PL[B](;B[ba]C[RIGHT]))"
GAME = "(;SZ[5]RU[capture-2]PB[Mia]PW[Ole];B[cc];W[cb];B[aa])"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which is empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def person(here: Path) -> Iterator[Person]:
    with Person("--size", "5") as made:
        yield made


# --- The board ---


def test_the_board_has_coordinates_colours_and_marks_for_the_last_move_and_atari() -> None:
    with Person("--size", "5", "--two") as person:
        for point in ("C3", "D3", "A1", "C2", "E1", "B3"):
            seen = person.type(point)
        assert re.search(r"^ +A B C D E", seen, re.MULTILINE)
        assert "\x1b[" in person.raw
        assert "3 ·(○)● ○ · 3" in seen
        person.type("E5")
        assert "3 · ○!● ○ · 3" in person.type("board")
        assert re.search(r"A ! stands before a stone in atari.*3 · ●!○ a · 3", person.type("help atari"), re.DOTALL)


def test_a_board_can_be_read_aloud() -> None:
    with Person("--size", "5", "--two", "--spoken") as person:
        assert "Columns A to E.\r\nRow 5: all empty.\r\n" in person.seen
        assert "A B C D E" not in person.seen
        for point in ("C3", "B3", "A1", "C2", "E1", "D3"):
            seen = person.type(point)
        assert "Row 3: empty, white, black in atari, white, empty." in seen
        assert "Row 2: empty, empty, white, empty, empty." in seen
        seen = person.type("help atari")
        assert "Row 3: empty, black, white in atari, empty a, empty." in seen
        assert "A ! stands" not in seen


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [{"TERM": "dumb"}, {"NO_COLOR": "1", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}],
    ids=["dumb", "ascii"],
)
def test_without_colours_marks_are_signs(environment: dict[str, str]) -> None:
    with Person("--size", "5", "--two", environment=environment) as person:
        for point in ("C3", "B3", "A1", "C2", "E1", "D3"):
            seen = person.type(point)
        assert re.search(r"3 [·.] [○O]![●X]\([○O]\)[·.] 3", seen)
        assert not re.search(r"\x1b\[[0-9;]*[34][0-8]m", person.raw)


@pytest.mark.slow
def test_a_narrow_terminal_shows_the_whole_board_which_can_be_read_as_a_diagram() -> None:
    for size, term in ((19, "dumb"), (25, "xterm-256color")):
        with Person("--size", str(size), "--two", columns=40, environment={"TERM": term}) as person:
            seen = person.type("C3")
            board = "\n".join(line for line in seen.splitlines() if re.match(r" *(\d+ |A B|ABC)", line))
            assert max(len(line) for line in seen.splitlines()) <= 40
            game = parse(board)
            assert (game.width, game.height, len(game.black)) == (size, size, 1)
    with Person("--size", "9", "--two") as person:
        for point in ("E5", "E4", "A1", "D5", "A2", "F5"):
            seen = person.type(point)
        game = parse(seen.partition("F5")[2])
        assert (game.width, len(game.black), len(game.white), game.to_move) == (9, 3, 3, BLACK)
        assert parse(person.type("a3").partition("a3")[2]).to_move == WHITE


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii:strict", "cp437"])
def test_a_terminal_without_round_stones_shows_letters(encoding: str, here: Path) -> None:
    with Person("--size", "5", environment={"PYTHONIOENCODING": encoding}) as person:
        seen = person.type("C3")
        assert re.search(r"^ +3 . . X . . +3", seen.replace("(", " ").replace(")", " "), re.MULTILINE)
        assert "White (O)" in person.seen
        assert not set("●○·") & set(seen)
        # Any text may be typed, and is quoted in messages.
        assert "I do not understand" in person.type("äöü●")
        assert "Saved" in person.type("save Bücher ●.sgf")
        assert "(full strength)" in person.type("level ○")
    (saved,) = here.iterdir()
    assert saved.name == "Bücher ●.sgf" or encoding == "cp437"
    assert sgf.Sgf_game.from_bytes(saved.read_bytes()).get_size() == 5


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_input_in_another_encoding_than_the_one_demanded_is_one_line(encoding: str) -> None:
    environment = {"PYTHONIOENCODING": encoding}
    done = forks.run_bytes("play", "--size", "5", "--two", data="C3\n", env=environment)
    assert done.returncode == 2
    line = done.stderr.decode(encoding).strip()
    assert line == f"gtp-capture: the input is not {encoding} text, as PYTHONIOENCODING or the locale says"


def test_invalid_utf_8_is_reported_as_not_understood() -> None:
    with Person("--size", "5", environment={"PYTHONIOENCODING": "utf-8:strict"}) as person:
        os.write(person.terminal.child_fd, b"\xff\xfe\n")
        assert "I do not understand" in person.read()
        assert "I play" in person.type("C3")


# --- The keyboard ---


@pytest.mark.parametrize("command", [("play",), ("play", "--problem", "1"), ("course", "1")])
def test_arrow_keys_bring_back_what_was_typed(command: tuple[str, ...]) -> None:
    with Person(*command[1:], seed=None, command=command[0]) as person:
        person.type("help atari")
        seen = person.type("\x1b[A")
        assert "A chain with one liberty left is in atari" in seen
        assert "^[" not in seen


def test_ctrl_c_offers_to_save_as_quit_does_and_a_second_one_leaves(here: Path) -> None:
    with Person("--size", "5") as person:
        person.type("C3")
        assert "This game is not over. Type a name to save it" in person.interrupt()
        assert person.prompt == "name"
        assert "A B C D E" in person.type("")  # the game goes on
        person.type("quit")
        assert "A B C D E" in person.type("")
        person.interrupt()
        person.terminal.sendintr()
        assert person.end() == 130
    with Person("--size", "5") as person:
        person.type("C3")
        person.interrupt()
        person.terminal.sendline("kept")
        assert person.end() == 0
        assert f"Saved {here / 'kept.sgf'}." in "".join(person.rest.split("\r\n"))
        assert "To go on with this game, type gtp-capture play" in person.rest
    assert b"B[cc]" in (here / "kept.sgf").read_bytes()
    for command in (("play",), ("play", "--problem", "1"), ("course",)):
        with Person(*command[1:], seed=None, command=command[0]) as person:
            person.terminal.sendintr()  # nothing to save
            assert person.end() == 130


@pytest.mark.linux
@pytest.mark.slow
def test_ctrl_c_at_the_first_prompt_is_never_lost() -> None:
    for _ in range(4):  # while the search is loaded in the background
        terminal = pexpect.spawn(ENGINE[0], [*ENGINE[1:], "play", "--size", "5"], encoding="utf-8", timeout=HANG)
        terminal.expect(PROMPT)
        terminal.delaybeforesend = 0
        wait_for_rest(terminal.pid)
        terminal.sendintr()
        terminal.expect(pexpect.EOF)
        terminal.close()
        assert terminal.exitstatus == 130


@pytest.mark.linux
@pytest.mark.slow
def test_ctrl_c_while_the_engine_thinks_offers_to_save() -> None:
    with Person("--size", "9", "--level", "10") as person:
        person.type("hint")  # waits until the search is loaded
        person.type("E5")
        person.terminal.sendline("review")
        person.terminal.expect("I look at all moves")
        wait_for_work(person.terminal.program.pid)  # ^C discards what the process has not read yet
        person.terminal.sendintr()
        assert "Type a name to save" in person.read()
        assert "I play" in person.type("") + person.type("B2")


def test_the_end_of_the_input_ends_the_game_and_offers_to_save_it(person: Person) -> None:
    person.type("C3")
    person.terminal.sendeof()
    assert "Type a name to save it" in person.read()
    assert person.prompt == "name"
    person.terminal.sendeof()
    assert person.end() == 0
    with Person() as other:
        other.terminal.sendeof()
        assert other.end() == 0
        assert other.rest.strip() == ""


@pytest.mark.slow
def test_a_session_without_stdin_ends() -> None:
    command = ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *ENGINE, "play", "--problem", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Problem 1 of 96. Black to play and win." in done.stdout


# --- Files ---


def test_save_writes_a_file_and_says_where(here: Path) -> None:
    (here / "games").mkdir()
    with Person("--two", "--names", "Mia, Ole", columns=400) as person:
        person.type("C3")
        assert f"Saved {here / 'game-1.sgf'}." in person.type("save")
        assert f"Saved {here / 'my game.sgf'}." in person.type("save  'my game' ")
        before = (here / "game-1.sgf").read_bytes()
        person.type("A1")
        assert "Write over it?" in person.type("save game-1")
        assert "I left" in person.type("n")
        assert (here / "game-1.sgf").read_bytes() == before
        person.type("save game-1")
        person.type("yes")
        assert (here / "game-1.sgf").read_bytes() != before
        for line, answer in (
            ("save games", "There is a folder games."),
            ("save /nowhere/at/all.sgf", "I cannot write that file: No such file or directory."),
            ("save board.png", f"Saved {here / 'board.png.sgf'}."),
        ):
            assert answer in person.type(line)
    game = sgf.Sgf_game.from_bytes((here / "game-1.sgf").read_bytes())
    assert [game.get_player_name(color) for color in "bw"] == ["Mia", "Ole"]


def test_a_saved_game_is_gone_on_with_and_a_file_with_both_is_asked_about(here: Path) -> None:
    for name, text in {"game": GAME, "problem": PROBLEM, "both": f"{GAME}\n{PROBLEM}"}.items():
        (here / f"{name}.sgf").write_text(text)
    with Person("game.sgf") as person:
        assert "Board 5x5, two people. Rules: Whoever takes 2 stones first wins." in person.seen
        assert "Last move: Black A5." in person.seen
        assert person.prompt == "White"
    with Person("game.sgf", "--color", "black", "--level", "2") as person:
        assert "Board 5x5, level 2" in person.seen
        assert "I play" in person.seen
    with Person("problem.sgf", seed=None) as person:
        assert "Problem 1 of 1." in person.seen
    with Person("both.sgf", seed=None) as person:
        assert "This file has problems, and a game too. Do you want the problems?" in person.seen
        assert "Please type yes or no." in person.type("perhaps")
        assert "Problem 1 of 1." in person.type("yes")
    with Person("both.sgf", seed=None) as person:
        assert "Last move: Black A5." in person.type("no")
    with Person("both.sgf", "--problem", "1", seed=None) as person:
        assert "Problem 1 of 1." in person.seen


@pytest.mark.linux
@pytest.mark.parametrize("way", ["signal", "closed"])
def test_a_game_survives_a_closed_terminal(way: str, here: Path) -> None:
    with Person("--two") as person:
        person.type("C3")
        person.type("D3")
        if way == "signal":
            person.hang_up()
            assert person.end() == 129
            assert "A game was cut off here" in person.rest
        else:
            os.close(person.terminal.child_fd)
            assert person.terminal.program.wait() == 129
            person.terminal.child_fd = os.open(os.devnull, os.O_RDWR)
    with Person("unfinished-1.sgf") as person:
        assert "Last move: White D3." in person.seen
    with Person() as person:
        assert "A game was cut off here: unfinished-1.sgf. To go on with it, type gtp-capture play" in person.seen


@pytest.mark.linux
def test_a_game_survives_its_terminal_and_its_folder(here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    data = tmp_path_factory.mktemp("data")
    with Person("--two", environment={"XDG_DATA_HOME": str(data)}) as person:
        person.type("C3")
        here.rmdir()
        person.hang_up()
        assert person.end() == 129
        saved = data / "gtp-capture" / "unfinished-1.sgf"
        assert f"A game was cut off here: {saved}." in person.rest.replace("\r\n", "")
    here.mkdir()
    os.chdir(here)
    with Person(str(saved)) as person:
        assert "Last move: Black C3." in person.seen


# --- Options ---


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), "Board 5x5, level 1 (misses most captures)."),
        ((), "I begin at level 1: I go up by one when you win, and down by one when you lose."),
        (("--level", "3", "--size", "7"), "Board 7x7, level 3 (misses one capture in three)."),
        (("--color", "white"), "You are White (○). I am Black (●)."),
        (("--rules", "capture-3", "--handicap", "3"), "Black puts 3 stones before White begins."),
        (("--two", "--size", "9", "--handicap", "4", "--rules", "japanese"), "7 · · ● · · · ● · · 7"),
        (("--opening", "crosscut"), "4 · · ○ ● · 4\n  3 · · ● ○ · 3"),
    ],
)
def test_options_set_a_game_up(options: tuple[str, ...], expected: str) -> None:
    assert expected in run("play", *options).stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["nowhere.sgf"], "nowhere.sgf: No such file"),
        (["empty.sgf"], "empty.sgf: "),
        (["illegal.sgf"], "illegal.sgf: "),
        (["set.sgf", "--problem", "2"], "there is no problem 2: the problems are 1 to 1"),
        (["wrong.sgf"], "Problem 1 cannot be judged: the solution C2 does not win"),
        (["."], "no problem"),
        (["game.sgf", "--size", "9"], "--size would have no effect with a game that was saved"),
        (["set.sgf", "--level", "5"], "--level would have no effect with problems"),
        (["--problem", "1", "--seed", "1", "--rules", "capture-2"], "--rules and --seed would have no effect"),
        (["--problem", "1", "--two"], "--two would have no effect with problems"),
        (["--two", "--level", "3"], "--level would have no effect with --two"),
        (["--two", "--color", "white"], "--color would have no effect with --two"),
        (["--names", "Mia,Ole"], "--names: give two names with --two"),
        (["--names", "Mia\uff0cOle"], "--names: give two names with --two"),  # as a Chinese keyboard writes it
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(options: list[str], reason: str, tmp_path: Path) -> None:
    texts = {
        "empty": "",
        "illegal": "(;SZ[5];B[aa];W[aa])",
        "game": GAME,
        "set": PROBLEM,
        "wrong": "(;SZ[4]AB[aa]AW[ab]PL[B](;B[cc]C[RIGHT]))",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.sgf").write_text(text)
    (tmp_path / "folder").mkdir()
    assert reason in refusal(run("play", *options, folder=tmp_path / "folder" if options == ["."] else tmp_path))
