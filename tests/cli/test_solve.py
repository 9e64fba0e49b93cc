"""The commands solve and check-proof, the GTP command capture-solve, and the book."""

from __future__ import annotations

import json
import random
import re
import subprocess
from typing import Any

import pytest

from gtp_capture import Game
from gtp_capture.books.lookup import probe_book
from gtp_capture.go.opening import crosscut
from gtp_capture.go.vertex import BLACK, COLOR_NAMES, WHITE, opponent
from gtp_capture.solver.result import LOSS, WIN
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

from ..support import forks
from ..support.forks import refusal
from ..support.process import ENGINE, GtpProcess
from ..support.solved_boards import EMPTY


def run(*args: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return forks.run(*args, data=text)


def solved(*args: str, text: str = "") -> dict[str, Any]:
    result = run("solve", "--json", *args, text=text)
    assert (result.returncode, result.stderr) == (0, "")
    fields: dict[str, Any] = json.loads(result.stdout)
    return fields


@pytest.mark.slow
def test_json_has_all_fields() -> None:
    fields = solved("--size", "3", "--length")
    assert list(fields) == ["winner", "length", "line", "nodes", "seconds", "nodes_per_second", "resumed"]
    assert (fields["winner"], fields["length"], len(fields["line"])) == ("black", 7, 7)
    assert fields["nodes"] > 0


@pytest.mark.slow
def test_the_text_has_the_winner_and_every_first_move() -> None:
    result = run("solve", "--size", "2", "--first-moves")
    lines = result.stdout.splitlines()
    assert lines[0] == "white wins"  # every first move loses: there is no line that Black is forced to follow
    assert lines[1:5] == [f"{vertex}: white wins" for vertex in ("A1", "B1", "A2", "B2")]
    assert "nodes/s" in lines[5]


@pytest.mark.slow
def test_a_line_has_colours_and_ends_where_the_loser_has_a_choice() -> None:
    assert run("solve", "--size", "4").stdout.splitlines()[0] == "white wins"
    best = run("solve", "--size", "3", "--length").stdout.splitlines()[0]
    assert re.fullmatch(r"black wins in 7 plies: B \S+( W \S+ B \S+){3}", best)
    # A ladder: White's only answers are written, and the capture at the end.
    first = run("solve", "-", "--to-move", "black", text="..... ..... ..X.. .XOX. .....".replace(" ", "\n")).stdout
    assert first.splitlines()[0] == "black wins: B C1"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("args", "text", "said"),
    [
        ((), "", "give a file or --size"),
        (("--size", "3", "-"), "...", "not both"),
        (("--size", "3", "--jobs", "2"), "", "--jobs: no such option"),
        (("-",), "X.\nXY\n", "a diagram is rows"),
        (("-",), "X.\nX\n", "a diagram is rows"),
        (("-",), "", "stdin: it is empty"),
        (("-",), "XXX\nXOX\nXXX\n", "without liberties"),
        (("-",), "(;SZ[99])", ""),
        (("-",), "(;SZ[3", ""),
        (("--size", "3", "--rules", "aga"), "", "captures win"),
        (("--size", "6", "--rules", "capture-2"), "", "6x6 is too large"),
        (("--size", "3", "--rules", "capture-2", "--length"), "", "next capture wins"),
        (("--size", "3", "--rules", "capture-2", "--proof", "p"), "", "--rules first-capture"),
        (("--size", "4", "--rules", "capture-9", "--memory", "1"), "", "more --memory"),
        (("--size", "12"), "", "128 points"),
        (("--size", "12", "--proof", "p"), "", "boards of up to 128 points"),
        (("no such file",), "", "No such file"),
        (("--size", "3", "--checkpoint", "/no/such/folder/file"), "", "cannot be written: there is no folder"),
        (("--size", "3", "--proof", "missing/file"), "", "there is no folder missing"),
        (("--size", "3", "--checkpoint", "/"), "", "is the name of a folder"),
        (("--size", "3", "--proof", "file", "--checkpoint", "file"), "", "a file of its own"),
        (("--size", "3", "--proof", "f", "--scheduler", "tcp://127.0.0.1:9"), "", "--proof would have no effect"),
        (("--size", "3", "--scheduler", "tcp://127.0.0.1:9"), "", "no Dask scheduler answers"),
        (("--size", "3", "--time", "nan"), "", "finite"),
        (("--size", "3", "--memory", "0"), "", "--memory"),
    ],
    ids=str,
)
def test_bad_input_gives_one_line_and_exit_code_2(args: tuple[str, ...], text: str, said: str) -> None:
    assert said in refusal(run("solve", *args, text=text))


@pytest.mark.slow
def test_capture_solve_returns_winner_plies_and_line(compiled: None) -> None:
    with GtpProcess([*ENGINE, "--size", "3"]) as engine:
        ok, text = engine.send("capture-solve 20")
        winner, length, *line = text.split()
        assert (ok, winner, length, line[::2]) == (True, "black", "7", [*"BWBWBWB"])
        assert engine.send("boardsize 12").ok
        assert engine.send("capture-solve") == (False, "cannot solve: the solver takes boards of up to 128 points")


@pytest.mark.slow
def test_the_note_on_a_solved_move_has_its_plies(compiled: None) -> None:
    options = ("--size", "3", "--seed", "1", "--threads", "1", "--playouts", "1000")
    done = run(*options, text="genmove b\ngenmove w\n")
    said = [line for line in done.stderr.splitlines() if "solved" in line]
    assert said == ["wins, solved in 7 plies", "lost, solved in 6 plies"]


@pytest.mark.slow
def test_the_result_is_the_last_line_for_the_move_that_ends_the_game(compiled: None) -> None:
    moves = "gogui-play_sequence b A1 w C3 b A2 w B1 b E5 w B2 b E4\ngenmove w\ngenmove b\ngenmove w\n"
    done = run("--size", "5", "--seed", "1", "--threads", "1", "--playouts", "100", text=moves)
    *_, note, result = done.stderr.splitlines()
    assert (note, result) == ("wins, solved in 1 ply", "WHITE WINS (capture)")
    assert done.stderr.count("WINS") == 1


def test_the_book_has_the_known_results() -> None:
    for size, (first, plies) in EMPTY.items():
        for width, height in (size, size[::-1]):
            verdict = probe_book(Game("first-capture", (width, height)).board, BLACK)
            assert verdict is not None
            assert (verdict.winner == BLACK, verdict.plies) == (first, plies)


@pytest.mark.slow
def test_the_book_agrees_with_the_solver_and_its_plays_keep_the_win() -> None:
    rng = random.Random(9)
    solvers: dict[tuple[int, int], Solver] = {}
    done = 0
    while done < 150:
        size = rng.choice([(3, 3), (4, 3), (2, 5), (4, 4), (5, 4), (5, 5)])
        game = Game("first-capture", size)
        for _ in range(rng.randrange(4)):
            if game.outcome is None:
                game.play_point(rng.choice(game.legal_plays()))
        verdict = None if game.outcome else probe_book(game.board, int(game.to_move))
        if verdict is None:
            continue
        solver = solvers.setdefault(size, Solver(*size, 64 * MEBIBYTE))
        assert solver.solve(game.board, int(game.to_move)).winner == verdict.winner, COLOR_NAMES[int(game.to_move)]
        mover = game.to_move
        if not verdict.line:
            assert verdict.winner != int(mover)
            assert verdict.plies is None
            continue
        game.play_point(verdict.line[0], mover)
        if game.outcome is None and verdict.winner == int(mover):
            assert solver.value(game.board, int(game.to_move), Limit().begin()) == LOSS
        done += 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "winner", "turns"),
    [
        ("6x6", BLACK, 5),
        ("6x6 A1", WHITE, 5),
        ("6x6 B1", WHITE, 5),
        ("6x6 C1", WHITE, 5),
        ("6x6 B2", WHITE, 5),
        ("6x6 C2", BLACK, 4),
        ("6x6 C3", BLACK, 4),
        ("8x8 crosscut", BLACK, 5),
    ],
)
def test_books_have_the_first_plays_of_the_winner(start: str, winner: int, turns: int) -> None:
    """The first moves of 6x6 are all up to symmetry; the other side plays at random, and the solver takes over."""
    rng, (size, *first) = random.Random(66), start.split()
    side = int(size[0])
    solver = Solver(side, side, 64 * MEBIBYTE)
    for _ in range(25):
        game = Game("first-capture", side)
        if first == ["crosscut"]:
            game.setup_points(*crosscut(side, side), BLACK)
        elif first:
            game.play(first[0], BLACK)
        if int(game.to_move) != winner:
            game.play_point(rng.choice(game.legal_plays()))
        for _turn in range(turns):
            verdict = probe_book(game.board, winner)
            if verdict is None:  # positions with a capture are not in the book
                assert game.atari(opponent(winner))
                break
            assert verdict.winner == winner
            game.play_point(verdict.line[0], winner)
            assert not game.atari(winner)
            if game.outcome is not None:
                break
            after = probe_book(game.board, opponent(winner))
            assert (after is None and size == "6x6") or (after is not None and after.winner == winner)
            game.play_point(rng.choice(game.legal_plays()), opponent(winner))
        if game.outcome is None:
            assert solver.value(game.board, winner, Limit(nodes=3_000_000).begin()) == WIN


def test_the_6x6_book_has_all_positions_after_two_plies_and_is_minimax() -> None:
    """A position is won exactly if a play leads to one that is lost for the other side."""
    level = [Game("first-capture", 6)]
    for _plies in range(2):
        following = []
        for game in level:
            verdict = probe_book(game.board, int(game.to_move))
            assert verdict is not None
            after = [game.copy() for _ in game.legal_plays()]
            for position, play in zip(after, game.legal_plays(), strict=True):
                position.play_point(play)
            verdicts = [probe_book(position.board, int(position.to_move)) for position in after]
            winners = {known.winner for known in verdicts if known is not None}
            assert None not in verdicts
            assert (verdict.winner == int(game.to_move)) == (int(game.to_move) in winners)
            following += after
        level = following


def test_positions_that_are_not_in_the_book_give_none() -> None:
    assert probe_book(Game("first-capture", 7).board, BLACK) is None
    assert probe_book(Game("first-capture", (6, 5)).board, BLACK) is None
    game = Game("first-capture", 5)
    game.setup(["A1", "C1", "E1", "A3", "C3", "E3"], [], WHITE)
    assert probe_book(game.board, WHITE) is None
