"""Random GTP commands in one session: plays and undos compared with sgfmill's board, then commands of all kinds.

    python -m tests.support.fuzz --commands 1000000

Every answer must have its id and not be an internal error. Stones and prisoners must be those of sgfmill's board after
the same plays. The memory of the session is measured after a tenth of the commands and at the end.
"""

from __future__ import annotations

import random
import re
import sys
from dataclasses import dataclass, field
from typing import Any

import click
from sgfmill.boards import Board

from .process import ENGINE, GtpProcess, Response

RULES = ("first-capture", "capture-3", "capture-20", "tromp-taylor", "aga", "japanese", "chinese")
BATCH = 200
LETTERS = "ABCDEFGHJ"
NOISE = """
    undo|undo|undo|showboard|final_score|final_status_list {w}|komi {n}|name {w}|{w}|{w} {w}|play {w} {w}|genmove {w}
    known_command {w}|time_left b {n} {n}|time_settings {n} {n} {n}|reg_genmove b|capture-atari|capture-outcome
    capture-rules|kata-get-rules|is_legal w {v}|all_legal b|list_stones w|fixed_handicap {n}|set_free_handicap {v} {v}
    gogui-setup b {v} w {v}|gg-undo {n}|capture-param|printsgf|list_commands|gogui-analyze_commands|capture-rules {w}
    boardsize {n}|clear_board|place_free_handicap {n}|capture-opening {w}|genmove b|genmove w
"""
WORDS = "b w A1 pass resign Z9 -1 0 3 nan 1e3 alive dead seki aga ko=simple crosscut % # \t é { true".split(" ")  # noqa: SIM905 - shorter


@dataclass
class Twin:
    """The same game on sgfmill's board: plays, passes and undos."""

    side: int
    pass_stone: bool
    boards: list[tuple[Any, int, int]] = field(default_factory=list)
    """The board after each move, with Black's and White's prisoners."""

    def __post_init__(self) -> None:
        self.boards = [(Board(self.side), 0, 0)]

    def play(self, color: str, vertex: str) -> None:
        board, *prisoners = self.boards[-1]
        board, mine = board.copy(), "bw".index(color)
        if vertex == "pass":
            prisoners[1 - mine] += self.pass_stone
        else:
            before = {c: count(board, c) + (c == color) for c in "bw"}
            board.play(int(vertex[1:]) - 1, LETTERS.index(vertex[0]), color)
            for index, c in enumerate("bw"):
                prisoners[1 - index] += before[c] - count(board, c)
        self.boards.append((board, *prisoners))


def count(board: Any, color: str) -> int:
    return sum(1 for c, _ in board.list_occupied_points() if c == color)


def noise(chance: random.Random) -> str:
    """Return a random command of any kind, valid or not."""
    line = chance.choice(re.split(r"[|\n]", NOISE.strip())).strip()
    while "{" in line and line != "{":
        mark = re.search(r"\{[wnv]\}", line)
        if mark is None:
            break
        value = {"{n}": str(chance.choice((0, 1, 2, 5, 9))), "{w}": chance.choice(WORDS)}
        vertex = f"{chance.choice(LETTERS)}{chance.randint(1, 9)}"
        line = line.replace(mark[0], value.get(mark[0], vertex), 1)
    return line


def ask(engine: GtpProcess, lines: list[str]) -> list[Response]:
    """Send lines with ids, check that all are answered in order, and return the responses."""
    assert engine.process.stdin is not None
    assert engine.process.stdout is not None
    engine.process.stdin.write("".join(f"{number} {line}\n" for number, line in enumerate(lines)))
    engine.process.stdin.flush()
    responses = []
    for number, line in enumerate(lines):
        text = []
        while (got := engine.process.stdout.readline()) != "\n":
            assert got, f"the session ended after {lines[: number + 1]}"
            text.append(got)
        match = re.match(r"([=?])(\d+) (.*)", text[0])
        assert match is not None, f"{line!r}: {text}"
        assert int(match[2]) == number, f"{line!r}: {text}"
        assert match[3] != "internal error", lines[: number + 1]
        responses.append(Response(match[1] == "=", "".join([match[3], *text[1:]])))
    return responses


def game(engine: GtpProcess, rules: str, side: int, length: int, chance: random.Random) -> int:
    """Send plays, passes and undos, compared with the twin, then noise; return the number of commands."""
    lines = [f"boardsize {side}", "clear_board"]
    ask(engine, lines)
    twin = Twin(side, rules in ("aga", "first-capture"))
    sent = len(lines)
    while sent < length // 2:
        lines = []
        for _ in range(min(BATCH, length)):
            vertex = f"{LETTERS[chance.randrange(side)]}{chance.randint(1, side)}"
            lines.append(
                "undo"
                if chance.random() < 0.15
                else f"play {chance.choice('bw')} {'pass' if chance.random() < 0.03 else vertex}"
            )
        for line, response in zip(lines, ask(engine, lines), strict=True):
            if not response.ok:
                continue
            if line == "undo":
                twin.boards.pop()
            else:
                twin.play(*line.split()[1:])
        held = ask(engine, ["list_stones b", "list_stones w", "showboard"])
        board, black, white = twin.boards[-1]
        for color, response in zip("bw", held, strict=False):
            stones = {f"{LETTERS[column]}{row + 1}" for c, (row, column) in board.list_occupied_points() if c == color}
            assert set(response.text.split()) == stones
        prisoners = re.findall(r"holds (\d+) prisoner", held[2].text)
        assert prisoners == [str(black), str(white)], f"{rules}: {prisoners}, counted {black} {white}"
        sent += len(lines) + len(held)
    while sent < length:
        lines = [noise(chance) for _ in range(BATCH)]
        ask(engine, [line if line.split("#")[0].strip() else "name" for line in lines])
        sent += len(lines)
    ask(engine, [f"capture-param rules {rules}", "capture-opening empty", "boardsize 9", f"capture-rules {rules}"])
    return sent + 4


def run(commands: int, seed: int, report: bool) -> tuple[int, int]:
    """Send commands; return the bytes of memory in use after a tenth of them, and at the end."""
    chance = random.Random(seed)
    options = ["--player", "random", "--seed", "1", "--size", "9"]
    early = done = 0
    with GtpProcess([*ENGINE, *options]) as engine:
        while done < commands:
            rules = chance.choice(RULES)
            ask(engine, ["capture-opening empty", "clear_board", f"capture-rules {rules}"])
            done += 3 + game(engine, rules, chance.choice((2, 3, 5, 9)), min(4_000, commands), chance)
            if done >= commands // 10 and not early:
                early = engine.memory()
            if report:
                print(f"\r{done} commands, {engine.memory() >> 20} MiB", end="", file=sys.stderr, flush=True)
        return early, engine.memory()


@click.command()
@click.option("--commands", default=1_000_000, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(commands: int, seed: int) -> None:
    """Send random commands to one session."""
    early, late = run(commands, seed, report=True)
    print(file=sys.stderr)
    print(f"{commands} commands, no fault; {early >> 20} MiB after a tenth of them, {late >> 20} MiB at the end")


if __name__ == "__main__":
    main()
