"""Hostile input and broken pipes: every command is answered, stdout has nothing else, and the engine ends cleanly."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, BinaryIO, Final

import pytest

from gtp_capture.gtp.protocol import MAX_LINES

from ..support.forks import script
from ..support.process import ENGINE, HANG, wait_until

RANDOM = ("--player", "random")
FULL: Final = 60_000
"""Bytes in a pipe with room for 65,536 after which it is nearly full, for answers of some hundred bytes."""
ANSWER = re.compile(r"[=?](\d*) .*", re.DOTALL)


def converse(data: bytes, *options: str) -> list[str]:
    """Send data, check the properties of every conversation, and return the answers."""
    done = script(data, *RANDOM, *options)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    out = done.stdout.decode()
    assert out == "" or out.endswith("\n\n")
    answers = out.split("\n\n")[:-1]
    for answer in answers:
        assert ANSWER.fullmatch(answer), repr(answer[:200])
        assert "\n\n" not in answer
        assert not re.search(r"[\x00-\x08\x0b-\x1f]", answer), repr(answer[:200])
        assert answer != "? internal error"
    return answers


LINES = [
    b"x" * 2_000_000,
    b"play " + b"b " * 1_000_000,
    b"boardsize " + b"9" * 2_000_000,
    b"1" * 2_000_000 + b" name",
    b"pl\x00ay b\x00\x00 Z99\x00",
    bytes(b for b in range(256) if b not in b"\n#") + b" nonsense",
    *(b"n\xc3\x28me \xff\xfe\x80", b"play b \xff\xfe", b"known_commando \xed\xa0\x80"),
    *("play b A\N{ARABIC-INDIC DIGIT ONE}".encode(), "boardsize \N{ARABIC-INDIC DIGIT NINE}".encode()),
    *("boardsize \N{SUPERSCRIPT TWO}".encode(), "komi \N{ARABIC-INDIC DIGIT SEVEN}".encode()),
    *(b"boardsize 99999999999999999999", b"boardsize -99999999999999999999", b"boardsize 1_9"),
    *(b"rectangular_boardsize 99999999999999999999 9", b"fixed_handicap 99999999999999999999"),
    *(b"place_free_handicap 99999999999999999999", b"komi NaN", b"komi 1e400", b"komi 1_0"),
    *(b"play b A99999999999999999999", b"time_settings 1e999 0 0", b"time_settings nan 0 0"),
    *(b"time_left b 1 " + b"9" * 10_000, b"time_left b nan 0", b"final_status_list \xff"),
    *(b"play b 'A1'; quit", b"play %s {0.__class__}", b"kata-set-param maxTime 1_0"),
    *(b"kata-set-rules " + b'{"a":' * 1200, b'kata-set-rules {"capture":' + b"9" * 5000 + b"}"),
    b"kata-set-rule capture " + b"9" * 5000,
    *(b"loadsgf " + name for name in (b"\xff\xfe", b"/dev/null", b"a\x00b", b"~", b".", b"x" * 100_000)),
]


@pytest.mark.slow
def test_a_hostile_line_is_refused_in_one_short_line_and_the_game_is_unchanged() -> None:
    answers = converse(
        b"\n".join([b"boardsize 5", b"play b C3", *LINES, b"77 play w C3", b"78 play w D4", b""]), "--rules-from-gui"
    )
    for line, answer in zip(LINES, answers[2:-2], strict=True):
        assert answer.startswith("?"), line[:80]
        assert len(answer) < 400, line[:80]
    assert answers[-2:] == ["?77 illegal move", "=78 "]


@pytest.mark.linux
@pytest.mark.slow
def test_an_endless_line_does_not_fill_the_memory() -> None:
    # The address space is limited to less than the size of the line.
    command = f'ulimit -v {2**20}; head -c 1500000000 /dev/zero | tr "\\0" x | "$@"; exit $?'
    done = subprocess.run(
        ["/bin/sh", "-c", command, "sh", *ENGINE, *RANDOM], capture_output=True, timeout=HANG, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"? line too long\n\n")
    assert done.stderr == b""


@pytest.mark.posix
@pytest.mark.slow
def test_input_beyond_the_queue_is_not_read_until_there_is_room(compiled: None) -> None:
    if sys.platform == "win32":
        raise NotImplementedError
    process = start(subprocess.PIPE, subprocess.PIPE, subprocess.DEVNULL, "--no-opening-book", "--time-per-move", "5")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"genmove b\n")
    process.stdin.flush()
    line, sent = b"1 known_command " + b"x" * 1000 + b"\n", 0
    os.set_blocking(process.stdin.fileno(), False)
    while sent < 10 * MAX_LINES * len(line) and select.select([], [process.stdin], [], 1.0)[1]:
        sent += os.write(process.stdin.fileno(), line[sent % len(line) :])
    assert sent < 2 * MAX_LINES * len(line)
    os.set_blocking(process.stdin.fileno(), True)
    process.stdin.write(line[sent % len(line) :])
    process.stdin.close()
    out = process.stdout.read()
    process.stdout.close()
    assert process.wait(HANG) == 0
    assert re.fullmatch(rb"= [A-HJ][1-9]\n\n(=1 false\n\n)*", out)
    assert out.count(b"\n\n") == 2 + sent // len(line)


# --- Files ---


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    kept = tmp_path / "folder"
    (kept / "inside").mkdir(parents=True)
    (tmp_path / "game.sgf").write_text("old")
    answers = converse(f"printsgf {kept}\nprintsgf {tmp_path / 'game.sgf'}\n".encode())
    assert answers == ["? cannot write file", "= "]
    assert (tmp_path / "game.sgf").read_bytes().startswith(b"(;FF[4]")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "game.sgf"]


def test_the_komi_of_a_file_ends_with_its_game(tmp_path: Path) -> None:
    for name, text in (("with.sgf", "(;SZ[5]KM[6.5];B[cc])"), ("without.sgf", "(;SZ[5];B[cc])")):
        (tmp_path / name).write_text(text)
    with_komi, without = f"loadsgf {tmp_path / 'with.sgf'}", f"loadsgf {tmp_path / 'without.sgf'}"
    lines = ["komi 1", with_komi, "printsgf", without, "printsgf", with_komi, "clear_board", "printsgf", ""]
    answers = converse("\n".join(lines).encode())
    assert [re.findall(r"KM\[(.*?)\]", answers[n]) for n in (2, 4, 7)] == [["6.5"], ["1"], ["1"]]


# --- Ends ---


def start(stdin: int, stdout: int, stderr: int | BinaryIO, *options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*ENGINE, *(options or RANDOM)], stdin=stdin, stdout=stdout, stderr=stderr)


def test_a_closed_stderr_pipe_has_no_effect() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as stderr:
        process = start(subprocess.PIPE, subprocess.PIPE, stderr)
    # The illegal move and the end of the game both write a line to stderr.
    out, _ = process.communicate(b"play b C3\nplay b C3\nplay w pass\nfinal_score\nquit\n", timeout=HANG)
    assert out == b"= \n\n? illegal move\n\n= \n\n= B+1\n\n= \n\n"
    assert process.returncode == 0


def shell(redirections: str, data: bytes) -> subprocess.CompletedProcess[bytes]:
    """Run the engine by a shell that closes some of its descriptors."""
    command = f'exec "$@" {redirections}'
    return subprocess.run(
        ["/bin/sh", "-c", command, "sh", *ENGINE, *RANDOM], input=data, capture_output=True, timeout=HANG, check=False
    )


@pytest.mark.posix
def test_without_stdin_the_engine_ends() -> None:
    done = shell("<&-", b"")
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"Traceback" not in done.stderr


@pytest.mark.posix
def test_without_stdout_the_engine_ends() -> None:
    done = shell(">&-", b"name\nquit\n")
    assert done.stdout == b""
    assert b"Traceback" not in done.stderr


@pytest.mark.posix
@pytest.mark.slow
def test_a_client_that_reads_late_gets_all_answers() -> None:
    process = start(subprocess.PIPE, subprocess.PIPE, subprocess.DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None
    stdin = process.stdin

    def feed() -> None:
        for number in range(3_000):
            stdin.write(b"%d showboard\n" % number)
        stdin.close()

    feeder = threading.Thread(target=feed)
    feeder.start()
    wait_until(lambda: waiting_bytes(process.stdout) > FULL)
    out = process.stdout.read()
    feeder.join()
    process.stdout.close()
    assert process.wait(HANG) == 0
    assert out.count(b"\n\n") == 3_000


def waiting_bytes(pipe: IO[bytes] | None) -> int:
    """The bytes in a pipe that have not been read."""
    if sys.platform == "win32":
        raise NotImplementedError
    import fcntl
    import termios

    assert pipe is not None
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


@pytest.mark.posix
@pytest.mark.slow
def test_sigterm_ends_the_engine_while_the_output_pipe_is_full() -> None:
    process = start(subprocess.PIPE, subprocess.PIPE, subprocess.DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"showboard\n" * 400)
    process.stdin.flush()
    wait_until(lambda: waiting_bytes(process.stdout) > FULL)
    process.send_signal(signal.SIGTERM)
    assert process.wait(HANG) == 0
    process.stdin.close()
    process.stdout.close()
