"""Diagrams: plain rows, the output of showboard, and boards of other programs."""

from __future__ import annotations

import random
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import ascii_boards, boards

from gtp_capture import BLACK, WHITE, Game, Rules
from gtp_capture.go import board as bd
from gtp_capture.go.diagram import Diagram, parse
from gtp_capture.go.game import GameError, showboard
from gtp_capture.go.rules import DEFAULT, PRESETS
from gtp_capture.go.vertex import COLOR_NAMES

from ..support.forks import run
from ..support.process import GtpProcess
from ..support.random_games import Plan, plans

FIRST_CAPTURE = PRESETS[DEFAULT]

README = """
    A B C D E
  5 . . . . . 5   first-capture
  4 . X O . . 4   Black (X) holds 0 prisoners
  3 . . X . . 3   White (O) holds 0 prisoners
  2 . . . . . 2   white to play
  1 O(X). . . 1
    A B C D E
"""
BARE = ".....\n.XO..\n..X..\n.....\nOX...\n"
LEELA = """
Passes: 0            Black (X) Prisoners: 0
White (O) to move    White (O) Prisoners: 0

   a b c d e
 5 . . . . . 5
 4 . X O . . 4
 3 . . X . . 3
 2 . . . . . 2
 1 O(X). . . 1
   a b c d e

Hash: 12A45B7C9D1E3F50 Ko-Hash: 0123456789ABCDEF
"""
KATAGO = """= MoveNum: 5 HASH: 7F6A0C9E2B
   A B C D E
 5 . . . . .
 4 . X O1. .
 3 . . X2. .
 2 . . . . .
 1 O X3. . .

Next player: White
Rules: {"ko":"POSITIONAL","suicide":true}
B stones captured: 0
W stones captured: 0
"""
GOGUI = """
   A B C D E
 5 . . . . . 5  White to play
 4 . X O . . 4  Prisoners: B 0  W 0
 3 . . + X . 3
 2 . . . . . 2  5 B B1
 1 O X . . . 1  4 W A1
   A B C D E
""".replace("+ X", "X +")


def stones(game: Game) -> tuple[list[int], ...]:
    return tuple(bd.stones_of(game.board, int(color)) for color in (BLACK, WHITE))


def solve(text: str, *options: str) -> subprocess.CompletedProcess[str]:
    return run("solve", "-", *options, data=text)


@given(plans(sides=(2, 25), most=80), st.sampled_from(["", "= ", "=5 ", "\ufeff"]))
def test_what_showboard_prints_is_the_position(plan: Plan, before: str) -> None:
    game = plan.after()
    diagram = parse(f"{before}\n{showboard(game)}\n\n")
    assert (diagram.width, diagram.height, diagram.rules) == (game.width, game.height, game.rules)
    assert (list(diagram.black), list(diagram.white)) == stones(game)
    assert diagram.over == (game.outcome is not None)
    if game.outcome is None:
        assert diagram.to_move == int(game.to_move)
        prisoners = any(game.prisoners(color) for color in (BLACK, WHITE))
        assert diagram.prisoners == prisoners
        if not (prisoners and game.rules.captures):
            assert diagram.game(game.rules).positions[-1].colors == game.positions[-1].colors


@given(plans(sides=(2, 7), most=30, rules=[DEFAULT]))
def test_rows_alone_are_the_position(plan: Plan) -> None:
    game = plan.after()
    rows = [line.split()[1:-1] for line in showboard(game).replace("(", " ").replace(")", " ").splitlines()[1:-1]]
    rows = [row[: game.width] for row in rows[: game.height]]
    for joint in ("", " ", "  "):
        diagram = parse("\n".join(joint.join(row) for row in rows))
        assert (list(diagram.black), list(diagram.white)) == stones(game)
        assert diagram.to_move is None


@pytest.mark.parametrize("text", [README, LEELA, KATAGO, GOGUI, BARE + "\nWhite to move\n"])
def test_boards_of_other_programs_are_the_position(text: str) -> None:
    assert parse(text).game(FIRST_CAPTURE).positions == parse(README).game(FIRST_CAPTURE).positions
    assert parse(text).to_move == int(WHITE)


def test_what_sgfmill_draws_is_the_position() -> None:
    rng = random.Random(7)
    for side in (2, 5, 9, 19):
        board, game = boards.Board(side), Game("first-capture", side)
        for row, column in rng.sample([(r, c) for r in range(side) for c in range(side)], side):
            if game.is_legal_point(point := (row + 1) * (side + 1) + column + 1):
                board.play(row, column, game.to_move[0])
                game.play_point(point)
                if game.outcome is not None:
                    break
        diagram = parse(ascii_boards.render_board(board))
        assert {(p, "b") for p in diagram.black} | {(p, "w") for p in diagram.white} == {
            ((r + 1) * (side + 1) + c + 1, color) for color, (r, c) in board.list_occupied_points()
        }


def test_what_gnu_go_prints_is_the_position(gnugo: str) -> None:
    rng = random.Random(3)
    with GtpProcess([gnugo, "--mode", "gtp"]) as engine:
        for side in (5, 9, 13, 19):
            engine.ask(f"boardsize {side}")
            engine.ask("clear_board")
            game = Game("tromp-taylor", side)
            for _ in range(20):
                point = rng.choice(bd.points(game.board))
                if not engine.send(f"play black {game.vertex(point)}").ok:
                    engine.send(f"play white {game.vertex(point)}")
            diagram = parse(engine.ask("showboard"))
            for color, points in ((BLACK, diagram.black), (WHITE, diagram.white)):
                listed = set(engine.ask(f"list_stones {COLOR_NAMES[int(color)]}").split())
                assert {game.vertex(p) for p in points} == listed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty"),
        ("X.\nXY\n", "rows of X, O and dots"),
        (". . . white to play\n. X .\n. . .\n", "rows of X, O and dots"),
        (BARE + "a remark\n", "rows of X, O and dots"),
        (README.replace("  3 ", "  4 "), "numbered down to 1"),
        (README.replace("  3 . . X", "  3 . . Y"), "other characters"),
        (README.replace("  3 . . X . . 3", "  3 . . X ."), "one length"),
        (README.replace("A B C D E", "E D C B A"), "letters"),
        (README.replace("(X)", " x "), "one symbol"),
        (README + "black to play\n", "both sides"),
    ],
)  # fmt: skip
def test_an_ambiguous_diagram_is_refused(text: str, said: str) -> None:
    with pytest.raises(GameError, match=said):
        parse(text)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("white to play", "black won: capture", "the game is over"),
        ("white to play", "Game over: Black wins! Black has taken 1 stone.", "the game is over"),
        ("holds 0 prisoners", "holds 1 prisoner", "prisoners"),
        ("  1 O(X)", "  1(X)(O)", None),
        (".", "X", "without liberties"),
    ],
)
def test_a_diagram_that_cannot_start_a_game_is_refused(old: str, new: str, said: str | None) -> None:
    diagram = parse(README.replace(old, new))
    if said is None:
        assert diagram.game(FIRST_CAPTURE).board.color[diagram.black[0]] == int(BLACK)
        return
    with pytest.raises(GameError, match=said):
        diagram.game(FIRST_CAPTURE)


@pytest.mark.parametrize(("named", "given", "played"), [
    ("capture-2", None, "capture-2"),
    ("japanese", None, "japanese"),
    ("nothing", None, "first-capture"),
    ("first-capture", "capture-2", "capture-2"),
    ("japanese", "first-capture", "first-capture"),
])  # fmt: skip
def test_given_rules_win_over_those_of_a_caption(named: str, given: str | None, played: str) -> None:
    diagram = parse(README.replace("first-capture", named))
    assert str(diagram.game(None if given is None else Rules.parse(given)).rules) == played


@given(st.text(alphabet="XOxo.+#()123 \nABC:to play\x00é●", max_size=200))
def test_any_text_is_a_diagram_or_a_diagram_error(text: str) -> None:
    try:
        diagram: Diagram = parse(text)
    except GameError:
        return
    assert diagram.width > 0 < diagram.height


def test_a_megabyte_of_garbage_is_refused_at_once() -> None:
    for line in (". " * 500_000 + "Y", "1" * 1_000_000, "1" + " (" * 500_000, "\n".join(["5 . ."] * 100_000)):
        with pytest.raises(GameError):
            parse(line)


@pytest.mark.slow
def test_solve_reads_what_showboard_prints() -> None:
    for options, mover in (((), "white"), (("--to-move", "black"), "black")):
        pasted = solve(README, "--json", *options)
        bare = solve(BARE, "--json", "--to-move", mover)
        assert (pasted.returncode, pasted.stderr) == (0, "")
        assert pasted.stdout.split('"seconds"')[0] == bare.stdout.split('"seconds"')[0]


@pytest.mark.slow
def test_solve_says_how_many_games_of_a_collection_it_leaves_out() -> None:
    first = "(;SZ[3];B[bb](;W[aa])(;W[cc]C[a bracket: \\] and (;]))"
    alone, three = (solve(text, "--json") for text in (first, f"junk {first}\n(;SZ[4])\nmore junk\n(;SZ[5])"))
    assert (alone.returncode, alone.stderr) == (0, "")
    assert (three.returncode, three.stderr) == (0, "stdin: the first game is used, 2 more left out\n")
    assert three.stdout.split('"seconds"')[0] == alone.stdout.split('"seconds"')[0]
