"""The command line: options, usage errors, the log, bench, warmup, encodings."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import pytest

import gtp_capture
from gtp_capture.cli.app import COMMANDS

from ..support import forks
from ..support.forks import HANG, refusal
from ..support.paths import MANUAL, TESTS
from ..support.person import Terminal
from ..support.process import python

MODULE = (sys.executable, "-m", "gtp_capture")
SCRIPT = (str(Path(sysconfig.get_path("scripts")) / "gtp-capture"),)


def run(*args: str, data: str = "", command: Sequence[str] = MODULE) -> subprocess.CompletedProcess[str]:
    if command == MODULE:
        return forks.run(*args, data=data)
    return subprocess.run([*command, *args], input=data, capture_output=True, text=True, timeout=HANG, check=False)


OF_MCTS = {"--level", "--ponder", "--no-opening-book", "--gogui-gfx"}
"""Options that other players refuse."""
# An option with its value, commands to send, and a pattern for the responses.
ACCEPTED: list[tuple[list[str], str, str]] = [
    (["--rules", "capture-7"], "capture-rules", r"= capture-7"),
    (["--rules", "first-capture captures=3"], "play b pass\nfinal_score", r"= \n\n\? cannot score"),
    (["--rules", "japanese passing=forbidden"], "play b pass", r"\? illegal move"),
    (
        ["--rules", "capture-3 suicide=legal", "--size", "3"],
        "play b A2\nplay b B1\nplay w A1",
        r"= \n\n= \n\n= ",
    ),
    (["--size", "7x5"], "play b G5\nplay b A6", r"= \n\n\? .*"),
    (["--size", "25"], "play b Z25", "= "),
    (["--size", "2"], "play b B2", "= "),
    (["--komi", "3.5", "--rules", "tromp-taylor"], "play b pass\nplay w pass\nfinal_score", r"= \n\n= \n\n= W\+3.5"),
    (["--opening", "crosscut"], "play b E5", r"\? illegal move"),
    (["--opening", "empty"], "play b E5", "= "),
    (["--player", "greedy"], "genmove b", "= [A-HJ][1-9]"),
    (["--level", "misses-hardly-any"], "capture-param", r"= \[list/\S+ level 8\n(.*\n?)+"),
    (["--level", "3"], "name", "= gtp-capture level 3"),
    (["--level", "hard"], "name", "= gtp-capture level 6"),
    (
        ["--level", "full-strength"],
        "name\ncapture-param level 9\nname",
        r"= gtp-capture\n\n= \n\n= gtp-capture level 9",
    ),
    (["--level", "adapt"], "name", "= gtp-capture level adapt"),
    (["--player", "random"], "capture-param level 3\nname", r"= \n\n= gtp-capture"),
    (["--level", "adapt"], "capture-param", r"= \[list/\S+ level 1\n(.*\n?)+"),
    (["--profile", "{dir}/new", "--level", "adapt"], "capture-param", r"= \[list/\S+ level 1\n(.*\n?)+"),
    (["--time-per-move", "600", "--playouts", "9"], "genmove b", "= [A-HJ][1-9]"),
    (["--move-overhead", "0.2", "--time-per-move", "600", "--playouts", "9"], "genmove b", "= [A-HJ][1-9]"),
    (["--playouts", "10"], "genmove b", "= [A-HJ][1-9]"),
    (["--threads", "1"], "name", "= gtp-capture"),
    (["--memory", "64"], "name", "= gtp-capture"),
    (["--ponder", "--playouts", "9"], "genmove b", "= [A-HJ][1-9]"),
    (["--seed", "5"], "genmove b", "= [A-HJ][1-9]"),
    (["--no-opening-book", "--playouts", "9"], "genmove b", "= [A-HJ][1-9]"),
    (["--strict"], "play b pass\nplay w A1", r"= \n\n\? .+"),
    (["--genmove-analyze"], "known_command lz-genmove_analyze", "= true"),
    (["--gogui-rules", "--rules", "capture-3"], "gogui-rules_game_id", "= capture-3"),
    (["--gogui-gfx", "--playouts", "9"], "genmove b", "= [A-HJ][1-9]"),
    (["--rules-from-gui"], "kata-set-rules japanese\ncapture-rules", "= \n\n= first-capture"),
    (["--log", "{dir}/log"], "name", "= gtp-capture"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("options", "asked", "answer"), ACCEPTED, ids=lambda value: str(value))
def test_an_option_has_its_effect(options: list[str], asked: str, answer: str, tmp_path: Path) -> None:
    player = [] if OF_MCTS.intersection(options) or "--player" in options else ["--player", "random"]
    done = run(*player, *[option.replace("{dir}", str(tmp_path)) for option in options], data=asked + "\n")
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(answer + "\n\n", done.stdout), done.stdout


TOGETHER = [
    "--ponder --gogui-gfx --genmove-analyze --strict --rules-from-gui --log {dir}/log --seed 1 --threads 1 "
    "--playouts 50 --memory 64 --size 6x5",
    "--gogui-rules --player greedy --size 7 --rules tromp-taylor --komi 3.5",
    "--player random --opening crosscut --rules 'capture-3 suicide=legal ko=simple passing=stone'",
    "--player shape --rules 'japanese scoring=area' --time-per-move 600 --playouts 9 --move-overhead 0.2",
    "--level misses-hardly-any --playouts 100 --rules japanese --size 5",
    "--level adapt --profile {dir}/new --playouts 20 --no-opening-book",
]


@pytest.mark.slow
@pytest.mark.parametrize("options", TOGETHER)
def test_a_move_is_a_bare_vertex_under_every_option(options: str, tmp_path: Path, compiled: None) -> None:
    done = run(*shlex.split(options.format(dir=tmp_path)), data="genmove b\ngenmove w\n7 genmove b\n")
    assert re.fullmatch(r"= [A-HJ]\d\n\n= [A-HJ]\d\n\n=7 [A-HJ]\d\n\n", done.stdout)


def test_every_option_is_in_the_combinations() -> None:
    assert {option for options, *_ in ACCEPTED for option in options if option.startswith("--")} == {
        word for options in TOGETHER for word in options.split() if word.startswith("--")
    }


def test_every_option_of_the_help_is_tested() -> None:
    listed = set(re.findall(r"^\s+(?:-\w, )?(--[a-z-]+)", run("--help").stdout, re.MULTILINE))
    assert {"--rules", "--size", "--player"} <= listed
    assert listed - {"--help", "--version"} == {options[0] for options, _, _ in ACCEPTED}


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_names_rules_and_commands(option: str) -> None:
    done = run(option)
    assert done.returncode == 0
    assert done.stderr == ""
    for word in ("first-capture", "capture-N", "japanese", "bench", "warmup", "GTP"):
        assert word in done.stdout
    commands, options = done.stdout.split("\nOptions of the engine")
    assert re.findall(r"^  ([a-z-]+)  ", commands, re.MULTILINE) == [*COMMANDS], "the commands come first"
    assert "..." not in commands.partition("Commands:")[2], "their summaries are whole"
    assert "--rules" in options


# Sabaki shows the first 28 characters of a line, so it begins with the name of the option.
REFUSED: list[tuple[list[str], str]] = [
    (["--rules", "othello"], "first-capture.*capture-.*tromp-taylor.*aga.*japanese.*chinese"),
    (["--rules", "capture-0"], ""),
    (["--captures", "3"], "^--captures: no such option"),
    (["--levle", "3"], "^--levle: no such option, did you mean --level"),
    (["--rules", "capture-5 captures=" + "9" * 5000], ""),
    (["--rules", "first-capture captures=none"], "scoring"),
    (["--rules", "japanese scoring=none"], "captures"),
    (["--rules", "capture-5 ko=super"], "simple.*positional.*situational"),
    (["--size", "1"], "2.*25"),
    (["--size", "26"], "2.*25"),
    (["--size", "9x"], ""),
    (["--size", "\N{ARABIC-INDIC DIGIT NINE}"], ""),
    (["--komi", "much"], ""),
    (["--komi", "inf"], ""),
    (["--opening", "cross"], "crosscut"),
    (["--opening", "crosscut", "--size", "3"], "3x3"),
    (["--gogui-rules", "--size", "9x7"], "square"),
    (["--player", "alphago"], "random.*greedy.*mcts"),
    (["--level", "0"], ""),
    (["--level", "11"], "^--level: '11' is not a level.*misses-most.*full-strength"),
    (["--level", "expert"], "misses-most"),
    (["--profile", "new"], "--level adapt"),
    (["--level", "adapt", "--profile", "/"], ""),
    (["--level", "adapt", "--profile", "/no/such/folder"], "no such folder"),
    (["--level", "adapt", "--profile", __file__], "not a profile"),
    (["--time-per-move", "0"], ""),
    (["--time-per-move", "nan"], "^--time-per-move: "),
    (["--move-overhead", "-0.1"], ""),
    (["--move-overhead", "inf"], ""),
    (["--playouts", "0"], ""),
    (["--threads", "0"], ""),
    (["--memory", "0"], ""),
    (["--seed", "-1"], ""),
    (["--log", "{dir}"], ""),
    (["--log", "{dir}/missing/log"], r"cannot write the log \S+/missing/log: No such file or directory$"),
    (["--nonsense"], "^--nonsense: no such option"),
    (["--rules"], "^--rules: "),
    (["nonsense"], "there is no command 'nonsense'; try --help"),
    (["plya"], "there is no command 'plya'; try play$"),
    (["Class"], "try class"),
    (["play", "--handicap", "9", "--size", "3"], "3x3 board is too small for 9 handicap stones"),
    (["play", "--handicap", "1"], "2<=x<=9"),
    (["play", "--handicap", "2", "--opening", "crosscut"], "not both"),
    (["play", "--opening", "crosscut", "--size", "3"], "too small for a crosscut"),
    (["play", "--level", "11"], "misses-most"),
    (["play", "--nonsense"], "^--nonsense: no such option"),
    (["bench", "--nonsense"], "--nonsense"),
    (["bench", "--seed", "x"], "x"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("args", "says"), REFUSED, ids=lambda value: str(value))
def test_a_usage_error_is_one_line_on_stderr(args: list[str], says: str, tmp_path: Path) -> None:
    line = refusal(run(*[arg.replace("{dir}", str(tmp_path)) for arg in args], data="name\n"))
    assert re.search(says, line), line


@pytest.mark.slow
@pytest.mark.parametrize("command", [MODULE, SCRIPT], ids=["module", "script"])
def test_module_and_script_behave_the_same(command: Sequence[str]) -> None:
    assert run("--version", command=command).stdout == f"gtp-capture {gtp_capture.__version__}\n"
    done = run("--player", "random", data="1 name\nquit\n", command=command)
    assert (done.returncode, done.stdout) == (0, "=1 gtp-capture\n\n= \n\n")
    assert run("--size", "1", command=command).returncode == 2


def test_the_log_holds_the_conversation_and_is_appended_to(tmp_path: Path) -> None:
    log = tmp_path / "a log"
    talk = "1 play b C3\nplay b C3\n2 play w pass\nquit\n"
    for number in (1, 2):
        done = run("--player", "random", "--log", str(log), data=talk)
        assert done.stdout == "=1 \n\n? illegal move\n\n=2 \n\n= \n\n"
        text = log.read_text()
        assert [text.count(f"> {line}\n") for line in talk.splitlines()] == [number] * 4
        # Responses and the line on stderr.
        for said in ("=1", "? illegal move", "=2", "BLACK WINS (pass)"):
            assert text.count(said) == number


def test_the_log_accepts_invalid_utf_8(tmp_path: Path) -> None:
    log = tmp_path / "log"
    lines = b"known_command \xff\xfe\n3 n\xc3\xa4me\n"
    done = forks.run_bytes("--player", "random", "--log", str(log), data=lines)
    assert done.stdout == b"= false\n\n?3 unknown command\n\n"
    assert "3 näme" in log.read_text(encoding="utf-8")


def bench(*args: str) -> list[str]:
    done = run("bench", *args)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_bench_prints_speeds_and_the_signature() -> None:
    """The signature of seed 1 is pinned: a commit that changes the search updates the file on purpose."""
    first = bench("--seed", "1")
    speeds = [float(speed.replace(",", "")) for speed in re.findall(r"([\d.,]+) ?(?:playouts)?/s", "\n".join(first))]
    assert speeds
    assert all(speed > 0 for speed in speeds)
    pinned = (TESTS / "data" / "bench_signature.txt").read_text(encoding="utf-8").strip()
    assert first[-1] == f"signature {pinned}"


@pytest.mark.slow
def test_warmup_names_folders_on_stderr_only() -> None:
    done = run("warmup")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr
    quiet = run("warmup", "--quiet")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")


# --- Completion in shells, and a session on a terminal ---


@pytest.mark.parametrize(
    ("shell", "says"), [("bash", "complete -o nosort -F"), ("zsh", "compdef"), ("fish", "complete")]
)
def test_the_completion_script_comes_out_for_each_shell(shell: str, says: str) -> None:
    environment = {**os.environ, "_GTP_CAPTURE_COMPLETE": f"{shell}_source"}
    done = subprocess.run(SCRIPT, capture_output=True, text=True, timeout=HANG, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert says in done.stdout
    assert "gtp-capture" in done.stdout
    assert f"_GTP_CAPTURE_COMPLETE={shell}_source gtp-capture" in MANUAL.joinpath("install.md").read_text(
        encoding="utf-8"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "completions"),
    [
        ("pl", {"play"}),
        ("s", {"sabaki", "show", "solve"}),
        ("play --wa", {"--warn"}),
        ("--rules ja", {"japanese"}),
        ("play --level misses-m", {"misses-most"}),
    ],
)
def test_commands_options_and_values_are_completed(words: str, completions: set[str]) -> None:
    line = f"gtp-capture {words}"
    environment = {
        **os.environ,
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - 1),
        "_GTP_CAPTURE_COMPLETE": "bash_complete",
    }
    done = subprocess.run(SCRIPT, capture_output=True, text=True, timeout=HANG, check=False, env=environment)
    assert {entry.partition(",")[2] for entry in done.stdout.split()} == completions


@pytest.mark.posix
def test_a_session_on_a_terminal_says_what_it_is_and_one_on_a_pipe_does_not() -> None:
    terminal = Terminal("--player", "random")
    terminal.expect_exact(
        "this is GTP, for programs such as Sabaki ('quit' ends it). To play a game: gtp-capture play\r\n"
    )
    terminal.sendline("name")
    terminal.expect_exact("= gtp-capture\r\n\r\n")
    terminal.sendline("quit")
    assert terminal.end() == 0
    assert run("--player", "random", data="quit\n").stderr == ""


# --- Odd terminals ---


@pytest.mark.parametrize("size", ["0", "00", "1", "-1", "1e3", "²", "80.5", "99999999999999999999", " ", "wide"])
def test_a_size_that_no_terminal_has_changes_nothing(size: str) -> None:
    for args, data in ((["levels"], ""), (["play", "--level", "1"], "rules\nquit\n"), (["show", "-"], ". X\n. .\n")):
        plain = forks.run(*args, data=data, env={"COLUMNS": None, "LINES": None})
        odd = forks.run(*args, data=data, env={"COLUMNS": size, "LINES": size})
        assert (odd.returncode, odd.stdout, odd.stderr) == (0, plain.stdout, plain.stderr)


@pytest.mark.parametrize("columns", ["10", "20", "40", "79"])
def test_the_levels_keep_each_number_on_a_narrow_terminal(columns: str) -> None:
    wide, narrow = (forks.run("levels", env={"COLUMNS": size}).stdout.split() for size in ("200", columns))
    assert narrow == wide


@pytest.mark.slow
def test_each_help_keeps_its_texts_where_python_drops_docstrings() -> None:
    walk = """
import click
from gtp_capture.cli.app import cli

def show(command, parent=None, name="gtp-capture"):
    context = click.Context(command, info_name=name, parent=parent)
    print(command.get_help(context))
    for name in command.list_commands(context) if isinstance(command, click.Group) else ():
        show(command.get_command(context, name), context, name)

show(cli)
"""
    usual, optimized = (python(walk, env={"PYTHONOPTIMIZE": level}) for level in (None, "2"))
    assert usual.count("Usage: ") > 18
    assert optimized == usual


# --- Terminals whose encoding lacks a character ---


@pytest.mark.slow
def test_no_command_fails_at_a_character_that_the_encoding_lacks(tmp_path: Path) -> None:
    engines = tmp_path / "ö.toml"
    player = " ".join([*MODULE, "--player", "random"])
    engines.write_text(f'[engines]\n"jörg" = "{player}"\n"other" = "{player}"\n', encoding="utf-8")
    board = tmp_path / "ü.txt"
    board.write_text(". . .\n" * 3, encoding="utf-8")
    folder = str(tmp_path)
    commands = [
        (["match", "--engines", str(engines), "--size", "5", "--games", "2", "--results", f"{folder}/é.dat"], 0, "rg"),
        (["match", "--black", "ö", "--white", "other", "--size", "5"], 2, "cannot start"),
        (["solve", str(board), "--proof", f"{folder}/ß.proof"], 0, "choices"),
        (["check-proof", f"{folder}/ß.proof"], 0, "the proof holds"),
        (["solve", f"{folder}/ä.sgf"], 2, "No such file"),
        (["sabaki", "print"], 0, '"engines.list"'),
        (["--rules", "●"], 2, "unknown rules"),
        (["play", "--level", "●"], 2, "full-strength"),
    ]
    for args, code, expected in commands:
        done = forks.run_bytes(*args, env={"PYTHONIOENCODING": "ascii:strict"})
        said = (done.stdout + done.stderr).decode()
        assert done.returncode == code, (args, said)
        assert "Traceback" not in said, args
        assert expected in said, args
