"""Thousands of random commands, valid and invalid, in one process: each is answered without an internal error."""

from __future__ import annotations

import io
import random
import re

import pytest

from ..support.fuzz import run
from ..support.process import ENGINE, GtpProcess

PLAIN = """
    b w black WHITE pass resign A1 a2 B1 C3 D4 E5 J9 I5 Z25 A0 -1 0 1 2 3 4 5 9 19 25 26 1e3 nan inf 0.5 -7.5
    2147483647 99999999999 true alive dead seki # / .. /dev/null genmove play undo % () * 1_0 +1
"""
WORDS = [*PLAIN.split(), "\t", "\r", "\x07", "é", "\udcff", "\N{SUPERSCRIPT TWO}"]
SHAPES = (
    ["play {c} {v}"] * 12
    + ["genmove {c}"] * 4
    + ["undo"] * 3
    + ["final_score", "showboard", "clear_board", "boardsize {n}", "rectangular_boardsize {n} {n}", "komi {w}"]
    + ["fixed_handicap {n}", "place_free_handicap {n}", "set_free_handicap {v} {v} {v}", "final_status_list {w}"]
    + ["time_settings {n} {n} {n}", "time_left {c} {n} {n}", "reg_genmove {c}", "known_command {w}", "loadsgf {w}"]
    + [
        "name {w}",
        "{w}",
        "{w} {w} {w}",
        "play {w} {w}",
        "genmove {w}",
        "boardsize {w}",
        "undo {w}",
        "time_left {w} {w} {w}",
    ]
)


def random_line(chance: random.Random) -> str:
    def vertex() -> str:
        return chance.choice(["ABCDE", "ABCDEFGHJ"][chance.random() < 0.2]) + str(chance.randint(1, 5))

    shape = chance.choice(SHAPES)
    while "{" in shape:
        for mark, value in (
            ("{c}", chance.choice("bw")),
            ("{v}", vertex()),
            ("{n}", str(chance.choice([2, 3, 4, 5, 5, 5, 7, 9]))),
            ("{w}", chance.choice(WORDS)),
        ):
            shape = shape.replace(mark, value, 1)
    return shape


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["first-capture", "capture-3", "tromp-taylor", "japanese", "aga"])
def test_random_commands_are_all_answered_without_internal_errors(rules: str) -> None:
    chance = random.Random(rules)
    with GtpProcess([*ENGINE, "--rules", rules, "--size", "5", "--player", "random", "--seed", "1"]) as engine:
        for _ in range(20):
            # The id shows the line of an answer; a comment can hide a command, but not its id.
            lines = [
                f"name {random_line(chance)}" if chance.random() < 0.02 else random_line(chance) for _ in range(100)
            ]
            data = "".join(f"{number} {line}\n" for number, line in enumerate(lines))
            assert isinstance(engine.process.stdin, io.TextIOWrapper)
            assert engine.process.stdout is not None
            engine.process.stdin.buffer.write(data.encode("utf-8", "surrogateescape"))
            engine.process.stdin.flush()
            for number, line in enumerate(lines):
                first = engine.process.stdout.readline()
                match = re.match(r"([=?])(\d+) (.*)", first)
                assert match is not None, f"{line!r}: {first!r}"
                assert int(match[2]) == number, f"{line!r}: {first!r}"
                assert match[3] != "internal error", line
                assert match[1] == "=" or match[3], line
                while engine.process.stdout.readline() != "\n":
                    pass


@pytest.mark.slow
def test_prisoners_are_right_and_memory_is_bounded_after_random_commands() -> None:
    """A sample; `python -m tests.support.fuzz` sends a million."""
    _, late = run(8_000, seed=3, report=False)
    assert late < 300_000  # KiB, including the compiled code that scoring loads
