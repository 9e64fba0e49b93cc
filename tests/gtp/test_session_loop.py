"""The session loop with toy commands: order, failures, ends and interruptions."""

from __future__ import annotations

import io
import os
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.gtp import protocol
from gtp_capture.gtp.protocol import (
    MAX_LINE,
    Disconnected,
    Entry,
    GtpError,
    GtpQuit,
    Registry,
    Session,
    parse,
    read_lines,
)

from ..support.process import HANG, wait_until


@dataclass
class Toy:
    """The context of the toy commands."""

    done: list[str] = field(default_factory=list)
    started: threading.Event = field(default_factory=threading.Event)
    stop: threading.Event | None = None
    endless: bool = False
    """Whether the running command has no time limit."""


def echo(toy: Toy, args: Sequence[str]) -> str:
    toy.done.append(" ".join(args))
    return " ".join(args)


def fail(toy: Toy, args: Sequence[str]) -> str:
    raise GtpError("cannot " + args[0])


def crash(toy: Toy, args: Sequence[str]) -> str:
    raise ZeroDivisionError("a bug")


def leave(toy: Toy, args: Sequence[str]) -> str:
    raise GtpQuit


def think(toy: Toy, args: Sequence[str]) -> str:
    """Wait for `stop`, at most the given number of seconds."""
    assert toy.stop is not None
    toy.endless = not args
    toy.started.set()
    return "interrupted" if toy.stop.wait(*map(float, args)) else "finished"


def toys() -> Registry[Toy]:
    return Registry(
        {"echo": Entry(echo, 0, 3), "fail": Entry(fail, 1, 1)},
        {"crash": Entry(crash), "quit": Entry(leave, ends=True), "think": Entry(think, 0, 1)},
    )


@dataclass
class Conversation:
    """A session with its input, output, notes and log."""

    toy: Toy = field(default_factory=Toy)
    out: list[bytes] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    log: list[tuple[str, str]] = field(default_factory=list)
    session: Session[Toy] = field(init=False)

    def __post_init__(self) -> None:
        self.session = Session(
            toys(), self.toy, self.out.append, self.notes.append, lambda way, text: self.log.append((way, text))
        )
        self.toy.stop = self.session.stop
        self.session.endless = lambda began: self.toy.endless

    def run(self, data: bytes) -> bytes:
        self.session.run(io.BytesIO(data))
        return b"".join(self.out)


@pytest.fixture
def talk() -> Conversation:
    return Conversation()


def test_commands_are_answered_in_order_with_their_ids(talk: Conversation) -> None:
    data = b"".join(b"%d echo %d\n" % (n, n) for n in range(2_000))
    assert talk.run(data) == b"".join(b"=%d %d\n\n" % (n, n) for n in range(2_000))
    assert talk.toy.done == [str(n) for n in range(2_000)]


def test_failures_are_answered_and_the_session_goes_on(talk: Conversation) -> None:
    out = talk.run(b"1 nonsense\nfail score\n2 echo 1 2 3 4\nfail\n3 echo on\n")
    assert out == b"?1 unknown command\n\n? cannot score\n\n?2 syntax error\n\n? syntax error\n\n=3 on\n\n"
    assert talk.notes == []


def test_a_bug_is_an_internal_error_with_the_traceback_on_stderr_alone(talk: Conversation) -> None:
    assert talk.run(b"4 crash\n5 echo on\n") == b"?4 internal error\n\n=5 on\n\n"
    notes = "\n".join(talk.notes)
    assert "Traceback" in notes
    assert "ZeroDivisionError: a bug" in notes


def test_quit_is_answered_and_no_line_after_it(talk: Conversation) -> None:
    assert talk.run(b"7 quit\n8 echo late\n") == b"=7 \n\n"
    assert talk.toy.done == []


def test_a_byte_order_mark_before_the_first_line_is_ignored(talk: Conversation) -> None:
    mark = "\ufeff".encode()
    assert talk.run(mark + b"1 echo a\n" + mark + b"2 echo b\n") == b"=1 a\n\n? unknown command\n\n"


def test_the_log_has_both_directions(talk: Conversation) -> None:
    talk.run(b"1 echo a\nnonsense\n")
    assert talk.log == [(">", "1 echo a"), ("<", "=1 a"), (">", "nonsense"), ("<", "? unknown command")]


def test_a_client_that_does_not_read_ends_the_session() -> None:
    def broken(data: bytes) -> None:
        raise BrokenPipeError

    session = Session(toys(), Toy(), broken, lambda text: None)
    with pytest.raises(Disconnected):
        session.run(io.BytesIO(b"echo a\necho b\n"))


def test_a_client_that_stops_reading_during_an_answer_ends_the_session_silently() -> None:
    closed: list[bool] = []
    notes: list[str] = []

    def count(toy: Toy, args: Sequence[str]) -> Iterator[str]:
        try:
            yield from map(str, range(1_000))
        finally:
            closed.append(True)

    def write(data: bytes) -> None:
        if data == b"10\n":
            raise BrokenPipeError

    session = Session(Registry({"count": Entry(count)}), Toy(), write, notes.append)
    with pytest.raises(Disconnected):
        session.run(io.BytesIO(b"count\n"))
    assert closed == [True]
    assert notes == []


def test_answered_is_set_after_the_first_answer(talk: Conversation) -> None:
    assert not talk.session.answered.is_set()
    talk.run(b"# nothing\necho\n")
    assert talk.session.answered.is_set()


@given(st.lists(st.binary().filter(lambda line: b"\n" not in line and not line.lstrip().startswith(b"quit"))))
def test_there_are_as_many_answers_as_commands(lines: list[bytes]) -> None:
    talk = Conversation()
    out = talk.run(b"\n".join(lines))
    commands = [command for command in map(parse, lines) if command is not None]
    answers = out.split(b"\n\n")[:-1]
    assert len(answers) == len(commands)
    for command, answer in zip(commands, answers, strict=True):
        assert re.match(rb"[=?]%s " % (b"" if command.id is None else b"%d" % command.id), answer)


# --- Lines that are too long, and too many of them ---


LONG: dict[str, tuple[bytes, bytes]] = {
    "one word": (b"x" * 2 * MAX_LINE, b"? line too long"),
    "an id": (b"12 echo " + b"x" * 2 * MAX_LINE, b"?12 line too long"),
    "an argument one byte too long": (b"1 echo " + b"x" * (MAX_LINE - 6), b"?1 line too long"),
    "an argument that just fits": (b"1 echo " + b"x" * (MAX_LINE - 8), b"=1 " + b"x" * (MAX_LINE - 8)),
    "blanks before a command": (b" " * 2 * MAX_LINE + b"echo a", b"? line too long"),
    "a comment after a command": (b"3 echo a # " + b"x" * 2 * MAX_LINE, b"=3 a"),
    "a comment": (b"# " + b"x" * 2 * MAX_LINE, b""),
}


@pytest.mark.parametrize("ending", [b"\n", b""], ids=["with line end", "without line end"])
@pytest.mark.parametrize(("line", "answer"), LONG.values(), ids=LONG.keys())
def test_a_line_that_is_too_long_is_refused_and_the_next_one_answered(
    talk: Conversation, line: bytes, answer: bytes, ending: bytes
) -> None:
    expected = answer + b"\n\n" if answer else b""
    if ending:
        assert talk.run(line + b"\n7 echo on\n") == expected + b"=7 on\n\n"
    else:
        assert talk.run(line) == expected


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-2, 2)), max_size=4), st.booleans())
def test_lines_are_read_unchanged_up_to_the_limit(sizes: list[tuple[int, int]], ended: bool) -> None:
    lines = [b"x" * max(0, full * MAX_LINE + more) + b"\n" for full, more in sizes]
    data = b"".join(lines)[: None if ended else -1]
    expected = [line[: MAX_LINE + 1] for line in data.splitlines(keepends=True)]
    assert list(read_lines(io.BytesIO(data))) == expected


def test_more_lines_than_the_queue_holds_are_all_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "MAX_LINES", 2)
    assert Conversation().run(b"".join(b"%d echo\n" % n for n in range(500))).count(b"\n\n") == 500


# --- Clients that leave ---


def test_only_commands_without_a_time_limit_are_stopped_after_patience_seconds(
    talk: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "PATIENCE", 0.1)
    said = talk.run(b"think 0.5\nthink\nthink\nthink 0.5").decode().split("\n\n")
    assert said == ["= finished", "= interrupted", "= interrupted", "= finished", ""]


def test_a_command_without_a_time_limit_is_stopped_if_the_queue_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "MAX_LINES", 2)
    monkeypatch.setattr(protocol, "PATIENCE", 0.1)
    talk = Conversation()
    read_end, write_end = os.pipe()
    with os.fdopen(read_end, "rb") as stdin, os.fdopen(write_end, "wb") as client:
        client.write(b"think\n" + 4 * b"think 0\n" + b"# interrupt\n")
        client.flush()
        runner = threading.Thread(target=talk.session.run, args=(stdin,))
        runner.start()
        wait_until(lambda: len(talk.out) == 5)
        client.close()
        runner.join(HANG)
    assert talk.out[0] == b"= interrupted\n\n"


def test_a_script_that_ends_with_quit_is_answered_in_full(talk: Conversation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "PAUSE", HANG)
    assert talk.run(b"1 think 0.1\n2 think 0.1\n3 quit\n") == b"=1 finished\n\n=2 finished\n\n=3 \n\n"


def test_a_session_with_closed_output_starts_no_further_command(talk: Conversation) -> None:
    talk.session.hang_up()
    with pytest.raises(Disconnected):
        talk.run(b"think\nthink\n")
    assert len(talk.out) <= 1


# --- Interruptions ---


class Live:
    """A session in a thread of its own, with a pipe as input."""

    def __init__(self) -> None:
        read_end, self._write_end = os.pipe()
        self.talk = Conversation()
        self._stdin = os.fdopen(read_end, "rb")
        self._thread = threading.Thread(target=self.talk.session.run, args=(self._stdin,))
        self._thread.start()

    def send(self, text: str) -> None:
        os.write(self._write_end, text.encode())

    def answers(self, count: int) -> list[str]:
        """Wait for `count` answers; return all so far."""
        wait_until(lambda: len(self.talk.out) >= count)
        return [answer.decode().rstrip("\n") for answer in self.talk.out]

    def end_input(self) -> None:
        if self._write_end >= 0:
            os.close(self._write_end)
            self._write_end = -1

    def close(self) -> None:
        self.end_input()
        self._thread.join(HANG)
        self._stdin.close()


@pytest.fixture
def live() -> Iterator[Live]:
    session = Live()
    yield session
    session.close()


def when_thinking(live: Live) -> None:
    assert live.talk.toy.started.wait(HANG)


INTERRUPTIONS: list[str] = ["# interrupt\n", "#interrupt\n", "  #  interrupt\n", "# interrupt\r\n"]


@pytest.mark.parametrize("line", INTERRUPTIONS)
def test_an_interruption_ends_the_running_command_and_has_no_answer(live: Live, line: str) -> None:
    live.send("1 think 600\n")
    when_thinking(live)
    live.send(line)
    assert live.answers(1) == ["=1 interrupted"]
    live.send("2 echo on\n")
    assert live.answers(2)[1:] == ["=2 on"]


def test_an_interruption_applies_to_queued_commands_while_the_session_ponders(live: Live) -> None:
    live.talk.session.idle = lambda: None
    live.send("1 think 600\n2 think 600\n3 echo on\n4 think 600\n# interrupt\n")
    assert live.answers(4) == ["=1 interrupted", "=2 interrupted", "=3 on", "=4 interrupted"]
    live.send("5 think 0.1\n")
    assert live.answers(5)[-1] == "=5 finished"


def test_an_interruption_does_not_apply_to_later_commands(live: Live) -> None:
    live.send("1 think 600\n")
    when_thinking(live)
    live.send("# interrupt\n2 think 0.1\n3 think 0.1\n")
    assert live.answers(3) == ["=1 interrupted", "=2 finished", "=3 finished"]


def test_an_interruption_of_no_command_is_a_comment(live: Live) -> None:
    live.send("# interrupt\n# interrupt\n1 think 0.1\n")
    assert live.answers(1) == ["=1 finished"]


@pytest.mark.slow
@pytest.mark.parametrize("line", ["# interrupted by x\n", "# do not interrupt\n", "echo # interrupt\n", "\n"])
def test_other_comments_do_not_interrupt(live: Live, line: str) -> None:
    live.send("1 think 0.5\n")
    when_thinking(live)
    live.send(line)
    assert live.answers(1)[0] == "=1 finished"


@pytest.mark.parametrize("closed", [False, True], ids=["input stays open", "input ends"])
def test_a_client_that_quits_interrupts_all_commands_and_each_is_answered(
    live: Live, closed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "PAUSE", 0.0)  # so `quit` comes later than the last line of a script would
    live.send("1 think 600\n2 think 600\n3 fail x\n4 echo on\n")
    when_thinking(live)
    live.send("5 quit\n")
    if closed:
        live.end_input()
    assert live.answers(5) == ["=1 interrupted", "=2 interrupted", "?3 cannot x", "=4 on", "=5 "]


def test_a_command_that_only_begins_like_quit_interrupts_nothing(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "PAUSE", 0.0)
    live.send("1 think 0.3\n")
    when_thinking(live)
    live.send("2 quit now\n3 quits\n# quit\n")
    assert live.answers(3) == ["=1 finished", "?2 syntax error", "?3 unknown command"]


def test_pending_tells_whether_lines_are_queued(live: Live) -> None:
    live.send("1 think 600\n")
    when_thinking(live)
    assert not live.talk.session.pending()
    live.send("2 echo on\n")
    wait_until(live.talk.session.pending)
    live.send("# interrupt\n")
    assert live.answers(2) == ["=1 interrupted", "=2 on"]
    assert not live.talk.session.pending()
