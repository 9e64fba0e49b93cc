"""The protocol without an engine: parsing of lines, framing of answers, and the registry."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.gtp.protocol import Command, Entry, GtpError, Registry, frame, parse

# --- Lines ---

LINES: list[tuple[bytes, Command | None]] = [
    (b"name\n", Command(None, "name", ())),
    (b"name\r\n", Command(None, "name", ())),
    (b"play b D4\n", Command(None, "play", ("b", "D4"))),
    (b"2147483647 play b D4", Command(2**31 - 1, "play", ("b", "D4"))),
    (b"12\tplay\tb\t D4\t\n", Command(12, "play", ("b", "D4"))),
    (b"name # a comment\n", Command(None, "name", ())),
    (b"3 play b # D4\n", Command(3, "play", ("b",))),
    (b"na\x01me\x07\x7f b\x00\n", Command(None, "name", ("b",))),
    (b"1\x082 name\x1b\n", Command(12, "name", ())),
    (b"play \xc3\xa9\n", Command(None, "play", ("é",))),
    (b"Play B d4\n", Command(None, "Play", ("B", "d4"))),
    (b"\n", None),
    (b"   # a comment # and more\n", None),
    (b"\x00#\n", None),
]


@pytest.mark.parametrize(("line", "command"), LINES)
def test_a_line_is_parsed_as_the_draft_says(line: bytes, command: Command | None) -> None:
    assert parse(line) == command


@pytest.mark.parametrize(
    "text",
    [
        "2147483648",
        "99999999999999999999",
        "-1",
        "1a",
        "\N{ARABIC-INDIC DIGIT ONE}",
        "\N{SUPERSCRIPT TWO}",
    ],
)
def test_an_invalid_id_is_parsed_as_a_command(text: str) -> None:
    command = parse(f"{text} name".encode())
    assert command is not None
    assert command.id is None
    assert command.name == text


@given(st.binary())
def test_every_line_can_be_parsed(line: bytes) -> None:
    command = parse(line)
    if command is not None:
        for word in (command.name, *command.args):
            assert not re.search(r"[\x00-\x20\x7f#]", word)


@given(
    st.integers(0, 2**31 - 1),
    st.from_regex(r"[a-z][a-z_-]{0,20}", fullmatch=True),
    st.lists(st.from_regex('[!-"$-~]{1,9}', fullmatch=True)),
)
def test_a_formatted_command_is_parsed_back(number: int, name: str, args: list[str]) -> None:
    line = " ".join([str(number), name, *args])
    assert parse(line.encode()) == Command(number, name, tuple(args))


# --- Answers ---

ANSWERS: list[tuple[int | None, bool, str, bytes]] = [
    (None, True, "", b"= \n\n"),
    (None, False, "illegal move", b"? illegal move\n\n"),
    (2**31 - 1, False, "syntax error", b"?2147483647 syntax error\n\n"),
    (3, True, "\na\nb", b"=3 \na\nb\n\n"),
    (None, True, "a\n\n\n \n\nb\n\n", b"= a\nb\n\n"),
]


@pytest.mark.parametrize(("number", "ok", "text", "answer"), ANSWERS)
def test_an_answer_has_a_space_after_its_id_and_no_empty_line_inside(
    number: int | None, ok: bool, text: str, answer: bytes
) -> None:
    assert frame(number, ok, text) == answer


@given(st.none() | st.integers(0, 2**31 - 1), st.booleans(), st.text())
def test_an_answer_ends_with_its_only_empty_line(number: int | None, ok: bool, text: str) -> None:
    answer = frame(number, ok, text)
    assert answer.endswith(b"\n\n")
    assert answer.index(b"\n\n") == len(answer) - 2
    assert answer.startswith(f"{'=' if ok else '?'}{'' if number is None else number} ".encode())


@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1), min_size=1))
def test_a_text_without_empty_lines_is_framed_unchanged(lines: list[str]) -> None:
    assert frame(5, True, "\n".join(lines)).decode() == "=5 " + "\n".join(lines) + "\n\n"


# --- The registry ---


def echo(done: list[str], args: Sequence[str]) -> str:
    done.extend(args)
    return " ".join(args)


def echoes() -> Registry[list[str]]:
    return Registry({"echo": Entry(echo, 1, 2)}, {"also": Entry(echo)})


def test_a_command_that_is_defined_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="echo"):
        Registry({"echo": Entry(echo)}, {"echo": Entry(echo)})


def test_listed_commands_are_known_and_run() -> None:
    registry, done = echoes(), list[str]()
    assert registry.names() == ["also", "echo"]
    assert [registry.run(done, Command(None, name, (name,) * most)) for name, most in (("also", 0), ("echo", 2))] == [
        "",
        "echo echo",
    ]
    assert done == ["echo", "echo"]


def test_an_unlisted_command_runs_and_is_not_listed() -> None:
    registry = Registry({"echo": Entry(echo, 1, 2), "also": Entry(echo)}, unlisted=["echo"])
    assert registry.names() == ["also"]
    assert registry.run([], Command(None, "echo", ("a",))) == "a"


@pytest.mark.parametrize("name", ["nonsense", "", "Echo", "ECHO"])
def test_an_unknown_command_is_refused(name: str) -> None:
    with pytest.raises(GtpError, match=r"^unknown command$"):
        echoes().run([], Command(None, name, ("a",)))


@pytest.mark.parametrize("args", [(), ("a", "b", "c")])
def test_a_wrong_number_of_arguments_is_a_syntax_error_and_runs_nothing(args: tuple[str, ...]) -> None:
    done: list[str] = []
    with pytest.raises(GtpError, match=r"^syntax error$"):
        echoes().run(done, Command(None, "echo", args))
    assert done == []
