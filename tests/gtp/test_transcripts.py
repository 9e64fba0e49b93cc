"""Golden transcripts of sessions with the real process.

Each line of a file in `transcripts/` begins with a mark:

    #   a comment
    $   options of the command line
    @   a file to write first: its name, a space, its text (\\n, \\x.. and the like as in Python)
    >   a line that the client sends (the same escapes; {dir} is the folder of the files)
    <   a line of the answer, literally
    ~   a regular expression for a whole line of the answer
    *   any rest of the answer
    !   a line on stderr with the winner; all such lines must be listed

All lines are sent at once, as Sabaki does. A `<` line with only sign and id stands for the same with a space after
them, which every answer has, because editors remove trailing spaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from ..support.forks import script
from ..support.paths import TESTS

FOLDER = TESTS / "transcripts"
NAMES = sorted(path.stem for path in FOLDER.glob("*.gtp"))
DRAFT = """
    protocol_version name version known_command list_commands quit boardsize clear_board komi fixed_handicap
    place_free_handicap set_free_handicap play genmove undo time_settings time_left final_score final_status_list
    loadsgf reg_genmove showboard
"""
MESSAGES = (
    "unknown command",
    "syntax error",
    "unacceptable size",
    "illegal move",
    "cannot undo",
    "cannot score",
    "cannot load file",
    "invalid number of stones",
    "board not empty",
    "bad vertex list",
)
EMPTY_ANSWER = re.compile(r"[=?]\d*")
REST = "*"


class Expected(NamedTuple):
    mark: str
    text: str

    def accepts(self, line: str) -> bool:
        if self.mark == "~":
            return re.fullmatch(self.text, line) is not None
        return line == self.text + (" " if EMPTY_ANSWER.fullmatch(self.text) else "")


class Transcript(NamedTuple):
    options: list[str]
    files: dict[str, bytes]
    sent: list[str]
    answers: list[list[Expected]]
    winners: list[str]


def unescape(text: str) -> str:
    return text.encode().decode("unicode_escape")


def read(text: str) -> Transcript:
    transcript = Transcript([], {}, [], [], [])
    for line in filter(None, text.splitlines()):
        mark, rest = line[0], line[2:]
        if mark == "$":
            transcript.options.extend(rest.split())
        elif mark == "@":
            name, _, content = rest.partition(" ")
            transcript.files[name] = unescape(content).encode("latin-1")
        elif mark == ">":
            transcript.sent.append(unescape(rest))
        elif mark in "<~*":
            starts = mark != REST and rest.replace("\\", "")[0] in "=?"
            if starts:
                transcript.answers.append([])
            transcript.answers[-1].append(Expected(mark, rest))
        elif mark == "!":
            transcript.winners.append(rest)
        else:
            assert mark == "#", f"unknown mark: {line!r}"
    return transcript


def difference(expected: list[Expected], lines: list[str]) -> str | None:
    """Describe the difference of an answer from the expected one; None if there is none."""
    if expected[-1].mark == REST:
        expected = expected[:-1]
        lines = lines[: len(expected)]
    if len(expected) == len(lines) and all(e.accepts(line) for e, line in zip(expected, lines, strict=True)):
        return None
    wanted = "\n".join(f"    {e.mark} {e.text}" for e in expected)
    return f"expected\n{wanted}\ngot\n" + "\n".join(f"    {line!r}" for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_answers_match_the_transcript(name: str, tmp_path: Path) -> None:
    transcript = read((FOLDER / f"{name}.gtp").read_text())
    for file, content in transcript.files.items():
        (tmp_path / file).write_bytes(content)
    sent = "".join(line.replace("{dir}", str(tmp_path)) + "\n" for line in transcript.sent)
    done = script(sent, *transcript.options)
    out, err = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == 0
    assert "Traceback" not in err
    assert out.endswith("\n\n")
    answers = [answer.split("\n") for answer in out.removesuffix("\n\n").split("\n\n")]
    for number, (expected, answer) in enumerate(zip(transcript.answers, answers, strict=False), 1):
        problem = difference(expected, answer)
        assert problem is None, f"answer {number}: {problem}"
    assert len(answers) == len(transcript.answers)
    said = [line for line in err.splitlines() if "WINS" in line]
    assert said == transcript.winners
    assert all(len(line) <= 28 for line in said)


def every(pick: Callable[[Transcript], list[str]]) -> set[str]:
    return {text for name in NAMES for text in pick(read((FOLDER / f"{name}.gtp").read_text()))}


def test_the_transcripts_use_every_command_of_the_draft_and_every_standard_message() -> None:
    words = every(lambda t: [word for line in t.sent for word in line.split()])
    answers = every(lambda t: [a[0].text for a in t.answers])
    assert set(DRAFT.split()) <= words
    assert {f"? {message}" for message in MESSAGES} <= answers


def test_every_command_of_the_draft_is_listed_and_known() -> None:
    listed = script("list_commands\n", "--player", "random").stdout.decode()
    names = listed.removeprefix("= ").split()
    assert set(DRAFT.split()) <= set(names)
    assert len(names) == len(set(names))
    asked = "".join(f"known_command {name}\n" for name in names)
    assert script(asked, "--player", "random").stdout == b"= true\n\n" * len(names)


@pytest.mark.parametrize(
    ("session", "named", "said"),
    [
        ("first-capture", "Japanese", "RU[Japanese]: first-capture is used"),
        ("first-capture", "capture-3", "RU[capture-3]: capture-3 is used"),
        ("chinese", "Japanese", "RU[Japanese]: japanese is used"),
        ("japanese", "Japanese", ""),
        ("first-capture", "", ""),
    ],
)
def test_a_loaded_file_that_names_other_rules_is_told(session: str, named: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.sgf"
    path.write_text(f"(;SZ[5]{f'RU[{named}]' if named else ''};B[aa])")
    done = script(f"loadsgf {path}\n", "--player", "random", "--rules", session)
    assert done.stdout == b"= \n\n"
    assert done.stderr.decode() == (f"{path}: {said}\n" if said else "")
