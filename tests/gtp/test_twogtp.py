"""The commands of gogui-twogtp with two of our engines: every game must end with `resign`.

The commands and their order follow GoGui's source (TwoGtp, Program and GtpSynchronizer), which only then writes a row
without an error or a disputed result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gtp_capture import BLACK, Game
from tests.support.forks import run
from tests.support.kills import rows as table
from tests.support.process import ENGINE, HANG, GtpProcess, command_line

MOST_MOVES = 1000
"""The default of -maxmoves, after which a game is an error."""
COLORS = ("b", "w")


@dataclass
class Program:
    """One of the two programs; an answer of `?` is an error of the game."""

    gtp: GtpProcess
    commands: frozenset[str] = frozenset()
    komi: float | None = None
    cpu: list[float] = field(default_factory=list)

    def attach(self) -> None:
        assert self.gtp.ask("protocol_version") == "2"
        assert self.gtp.ask("name")
        assert self.gtp.ask("version")
        self.commands = frozenset(self.gtp.ask("list_commands").split())
        self.if_listed("gogui-interrupt")

    def if_listed(self, line: str) -> str:
        return self.gtp.ask(line) if line.split()[0] in self.commands else ""

    def clock(self) -> None:
        self.cpu.append(float(self.if_listed("cputime") or 0))

    def new_game(self, size: int, komi: float) -> None:
        self.gtp.ask(f"boardsize {size}")
        self.gtp.ask("clear_board")
        # gogui-twogtp assumes that komi outlives clear_board, so it sends it once.
        if komi != self.komi:
            self.komi = komi
            self.if_listed(f"komi {komi:g}")


@dataclass(frozen=True)
class Row:
    """A row of the result table."""

    result: str
    alternated: bool
    moves: tuple[str, ...]


@contextmanager
def twogtp(first: tuple[str, ...], second: tuple[str, ...]) -> Iterator[tuple[Program, Program]]:
    with GtpProcess([*ENGINE, *first]) as one, GtpProcess([*ENGINE, *second]) as two:
        programs = Program(one), Program(two)
        for program in programs:
            program.attach()
        yield programs
        for program in programs:
            program.gtp.ask("quit")
            assert program.gtp.process.wait(HANG) == 0
            # gogui-twogtp takes differences, which must not be negative.
            assert program.cpu == sorted(program.cpu)


def auto_play(programs: tuple[Program, Program], size: int, games: int) -> list[Row]:
    """Play games as the option -auto does; each program gets the other's moves by `play`, in upper case."""
    for program in programs:
        program.new_game(size, 6.5)
    rows = []
    for index in range(games):
        for program in programs:
            program.clock()
        for program in programs:
            program.new_game(size, 6.5)
        exchanged = index % 2 == 1
        black, white = programs[::-1] if exchanged else programs
        moves: list[str] = []
        while True:
            assert len(moves) <= MOST_MOVES
            turn = len(moves) % 2
            mine, other = (white, black) if turn else (black, white)
            answer = mine.gtp.ask(f"genmove {COLORS[turn]}")
            if answer.lower() == "resign":
                break
            # Two passes would end the game by final_score, whose results may differ between the programs.
            assert re.fullmatch(r"[A-HJ-Z]\d{1,2}", answer), f"gogui-twogtp would not read {answer!r} as a play"
            moves.append(answer.upper())
            other.gtp.ask(f"play {COLORS[turn].upper()} {answer.upper()}")
        for program in programs:
            program.clock()
        rows.append(Row("W+R" if len(moves) % 2 == 0 else "B+R", exchanged, tuple(moves)))
    return rows


def check(rows: list[Row], size: int) -> None:
    """Check by our library that each game ends where it is decided, and that the loser resigns."""
    for row in rows:
        game = Game("first-capture", size)
        for index, move in enumerate(row.moves):
            assert game.outcome is None, f"played on after {game.outcome}"
            game.play(move, 1 + index % 2)
        assert game.outcome is not None, "a resignation before the end"
        assert row.result == ("B+R" if game.outcome.winner == BLACK else "W+R")


RANDOM = ("--player", "random")
GREEDY = ("--player", "greedy")
MCTS = ("--player", "mcts", "--time-per-move", "0.05")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "size", "games"),
    [
        pytest.param(RANDOM, GREEDY, 5, 10, id="random-greedy-5x5"),
        pytest.param(MCTS, GREEDY, 9, 2, id="mcts-greedy-9x9"),
        pytest.param(MCTS, MCTS, 5, 2, id="mcts-mcts-5x5"),
    ],
)
def test_games_with_alternating_colours_end_with_a_resignation(
    first: tuple[str, ...], second: tuple[str, ...], size: int, games: int
) -> None:
    with twogtp((*first, "--seed", "1"), (*second, "--seed", "2")) as programs:
        rows = auto_play(programs, size, games)
    check(rows, size)
    assert [row.alternated for row in rows] == [bool(i % 2) for i in range(games)]


@pytest.mark.slow
def test_gtp_capture_match_plays_the_same_games(tmp_path: Path, compiled: None) -> None:
    first = ("--threads", "1", "--level", "3", "--playouts", "30", "--seed", "1")
    second = ("--threads", "1", "--level", "5", "--playouts", "50", "--seed", "2")
    with twogtp(first, second) as programs:
        theirs = auto_play(programs, size=5, games=4)
    path = tmp_path / "ours.dat"
    sides = ("--black", command_line([*ENGINE, *first]), "--white", command_line([*ENGINE, *second]))
    assert run("match", *sides, "--games", "4", "--size", "5", "--results", str(path)).returncode == 0
    ours = [
        Row(game.result, game.alternated, tuple(move[1:].upper() for move in game.moves.split()))
        for game in table(path)
    ]
    assert ours == theirs
    assert len(set(ours)) > 1


def test_games_on_the_smallest_boards_end_with_the_right_move() -> None:
    with twogtp((*RANDOM, "--seed", "3"), (*RANDOM, "--seed", "4")) as programs:
        for size in (2, 3, 4):
            check(auto_play(programs, size, 10), size)


def test_final_score_reports_the_first_capture_after_further_passes() -> None:
    """gogui-twogtp sends final_score if neither program resigned; both must report the first capture."""
    with twogtp(RANDOM, RANDOM) as programs:
        for program in programs:
            program.new_game(5, 6.5)
            for move in ("B A2", "W A1", "B B1", "W pass", "B pass"):
                program.gtp.ask(f"play {move}")
            assert program.gtp.ask("final_score") == "B+1"
