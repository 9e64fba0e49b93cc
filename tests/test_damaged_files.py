"""Damaged files of every kind that users have: one line of error names the file, and the file is not changed.

Each kind has a writer of an intact file, and the commands that read it. Forgeries, which keep the form of a file, are
tested with the reader of that kind.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import shlex
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from .support.forks import run
from .support.process import DOUBLE, make_pipe

PAIR: Final = ("--black", DOUBLE, "--white", DOUBLE, "--size", "5", "--games", "1")
GAME: Final = "(;GM[1]FF[4]SZ[5]RU[first-capture]KM[0]PB[One]PW[Two]C[a game];B[cc];W[dd];B[dc];W[cd])\n"
PROBLEMS: Final = "(;GM[1]SZ[5]RU[first-capture]PL[B]AB[ba][bc]AW[aa][bb][ac](;B[ca]C[RIGHT])(;B[dd];W[ab]))\n"


class Kind(NamedTuple):
    """A kind of file."""

    write: Callable[[Path], object]
    """Writes an intact file."""
    reads: tuple[str, ...]
    """Commands that read it; `FILE` stands for its path."""
    refusal: str = "FILE"
    """A pattern for the error line of a refusal; `FILE` stands for the path."""
    says: str = ""
    """A part of the output for an intact file, which is also in the output for a damaged file that is accepted."""


def made_by(command: str) -> Callable[[Path], object]:
    """Return a writer that runs a command."""

    def write(path: Path) -> None:
        done = run(*(part.replace("FILE", str(path)) for part in shlex.split(command)))
        assert done.returncode == 0, done.stderr

    return write


def text(content: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(content)


KINDS: Final = {
    "a game": Kind(text(GAME), ("solve FILE", "show FILE", "review FILE -o FILE.out --seconds-per-move 0.01")),
    "a position": Kind(text(".....\n.XO..\n..X..\n...O.\n.....\n"), ("solve FILE", "show FILE")),
    "problems": Kind(text(PROBLEMS), ("play FILE", "puzzles --from FILE --sheet FILE.html"), "FILE|problem 1"),
    "engines": Kind(
        text(f"[engines]\na = {json.dumps(DOUBLE)}\nb = {json.dumps(DOUBLE)}\n"),
        ("match --engines FILE --size 5 --games 1",),
        "FILE|a: |b: ",
    ),
    "openings": Kind(text("C3 D4  # a comment\n\nB2 C2 B4\n"), (f"match {shlex.join(PAIR)} --openings FILE",)),
    "results of a match": Kind(
        made_by(f"match {shlex.join(PAIR)} --results FILE"), (f"match {shlex.join(PAIR)} --resume --results FILE",)
    ),
    "a profile": Kind(
        text('{"gtp-capture profile": 1, "level": 4, "lessons": [1]}\n'),
        ("--level adapt --profile FILE", "play --level adapt --profile FILE", "course --profile FILE"),
    ),
    "settings of Sabaki": Kind(
        text('{"engines.list": [{"name": "other", "path": "x", "args": ""}], "view.show_coordinates": true}\n'),
        ("sabaki install --settings FILE", "sabaki uninstall --settings FILE"),
    ),
    "a proof": Kind(
        made_by("solve --size 3 --proof FILE"),
        ("check-proof FILE",),
        "FILE|the proof fails: ",
        "black to move: black wins",
    ),
    "a checkpoint": Kind(
        made_by("solve --size 3 --checkpoint FILE"),
        ("solve --size 3 --checkpoint FILE",),
        "FILE|the file",
        "black wins",
    ),
}


def places(data: bytes, rng: random.Random) -> tuple[int, int]:
    """Return two places of a file, the first one before the second."""
    first, second = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return first, second


def cut(data: bytes, rng: random.Random) -> bytes:
    return data[: places(data, rng)[0]]


def gap(data: bytes, rng: random.Random) -> bytes:
    first, second = places(data, rng)
    return data[:first] + data[second:]


def copied(data: bytes, rng: random.Random) -> bytes:
    first, second = places(data, rng)
    return data[:second] + data[first:]


def bit(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def noise(data: bytes, rng: random.Random) -> bytes:
    first = places(data, rng)[0]
    return data[:first] + rng.randbytes(20) + data[first + 20 :]


def lines(data: bytes, rng: random.Random) -> bytes:
    """Draw lines of the file in any order, so that some are missing and some are repeated."""
    parts = data.splitlines(keepends=True)
    return b"".join(rng.choices(parts, k=len(parts)))


def number(data: bytes, rng: random.Random) -> bytes:
    """Replace a number by one that no integer type holds, or by a text that is no number."""
    value = rng.choice([b"9" * 5000, b"-1", b"1e400", b"NaN", b"1_0", "\u0663".encode()])
    numbers = list(re.finditer(rb"\d+", data))
    spot = rng.choice(numbers) if numbers else re.match(b"", data)
    assert spot is not None
    return data[: spot.start()] + value + data[spot.end() :]


def nested(data: bytes, rng: random.Random) -> bytes:
    first = places(data, rng)[0]
    return data[:first] + rng.choice([b"(;", b"[", b'{"a":', b"("]) * 20_000 + data[first:]


DAMAGES: Final[tuple[Callable[[bytes, random.Random], bytes], ...]] = (
    lambda data, rng: b"",
    lambda data, rng: b"my diary\n",
    lambda data, rng: rng.randbytes(2000),
    lambda data, rng: b"\0" * 2000,
    lambda data, rng: b"\xef\xbb\xbf" + data,
    lambda data, rng: data.replace(b"\n", b"\r\n"),
    lambda data, rng: data + b"my diary\n",
    lambda data, rng: data + b" " * 11_000_000,
    *(cut, gap, copied, bit, noise, lines, number, nested),
)


def answer(command: str, path: Path, refusal: str) -> tuple[int, str]:
    """Run a command that reads a file; return its exit code and output. An error must match `refusal`."""
    done = run(*(part.replace("FILE", str(path)) for part in shlex.split(command)), folder=path.parent)
    said = done.stdout + done.stderr
    assert done.returncode in (0, 1, 2), said
    assert not re.search("Traceback|internal error", said), said
    if done.returncode == 2:
        *notices, line = done.stderr.splitlines()
        assert len(notices) < 2, said  # which rules are used, or that the last bracket is missing
        assert done.stdout == ""
        assert re.match("gtp-capture: |--", line)
        assert re.search(refusal.replace("FILE", re.escape(str(path))), line), line
        assert line.isprintable()
        assert len(line) < 500 + 2 * len(str(path)), line
    return done.returncode, said


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_a_damaged_file_is_refused_in_one_line_or_harmless(kind: Kind, tmp_path: Path) -> None:
    path = tmp_path / "the file"
    kind.write(path)
    intact = path.read_bytes()
    for command in kind.reads:
        path.write_bytes(intact)
        code, said = answer(command, path, kind.refusal)
        assert (code, kind.says in said) == (0, True), said
    versions = [damage(intact, random.Random(seed)) for seed, damage in enumerate(DAMAGES)]
    if intact[:2] == b"\x1f\x8b":  # the same damages to the contents of a compressed file
        content = gzip.decompress(intact)
        versions += [gzip.compress(damage(content, random.Random(seed)), 1) for seed, damage in enumerate(DAMAGES)]
    for damaged, command in zip(versions, cycle(kind.reads), strict=False):
        path.write_bytes(damaged)
        code, said = answer(command, path, kind.refusal)
        if code != 0:
            assert path.read_bytes() == damaged
        else:
            assert kind.says in said


PLACES: Final[dict[str, Callable[[Path], None]]] = {
    "a pipe": make_pipe,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a folder": Path.mkdir,
}


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_what_is_not_a_regular_file_is_refused_in_one_line(place: str, tmp_path: Path) -> None:
    path = tmp_path / "the file"
    PLACES[place](path)
    for command in (kind.reads[0] for kind in KINDS.values()):
        if place != "a folder" or not command.startswith(("play FILE", "match")):  # those read folders
            assert answer(command, path, "FILE|the file")[0] == 2
