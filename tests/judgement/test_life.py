"""Life and death: well-known positions, their scores under each rule, and a comparison with GNU Go."""

from __future__ import annotations

import pickle

import pytest

from gtp_capture import Game
from gtp_capture.go import board as bd
from gtp_capture.go.scoring import Count, Status, cleared, stones_in_seki, territory
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.judgement import life
from gtp_capture.judgement.endgame import closing_move

from ..support.diagrams import set_up, vertices
from ..support.process import ENGINE, GtpProcess

pytestmark = pytest.mark.usefixtures("compiled")

OPEN_DEAD = """
.........
.....X...
..X...X..
.........
XXXXXXXXX
OOOOOOOOO
.........
...X.O...
.........
"""  # Black's stone at D2 has space, but not enough for two eyes

SEKI = """
XXX.OOX.
XXX.OOX.
OOOOOOX.
XXXXXXX.
.X.X....
"""
SEKI_WITH_EYES = """
.XX.O.OX.
XXXOOOOX.
OOOOOOOX.
XXXXXXXX.
.X.X.....
"""
EYE_AGAINST_NONE = """
.XX.OOX.
XXX.OOX.
OOOOOOX.
XXXXXXX.
.X.X....
"""
CONNECTED = """
.XXOOOO
XXOO.O.
.XOOOOO
OO.OO.O
XXOO.OX
.XXXOOX
.X.XXXX
"""  # White's two stones at A4 share a liberty with Black, but C4 connects them

BESIDE_DEAD = """
.X.OO.XXX.O.O
XXOOXX.XOOOXO
OXO.OX.XXOXXO
.XXOOOX.XOX..
.XOO.OX.XOOOO
X.XOOXX.XXXXO
X.XXXOXXOXOOO
.XXOXOOOOOXXX
XXXOOXXO.OXX.
XOXOOXXXOOXXX
XOOOOOX.OXXX.
XO.OXX.XXOOXO
OO..XXXXOO.O.
"""  # M2 and N2 share liberties, but Black's chain can capture M1 and J1
BESIDE_DEAD_STONES = """
OOO.OXO.O..O.
.O.OOXXO.OOOO
OOOXXXXXOOXOX
O.OXX.XOOXXXX
OOXX.XXOXXX.X
OX....XXXOXX.
XX.X.X.XOOOXX
.X..XOXXOO.OX
XX.XOOOOO.OOX
OOXXOOOO...OX
.OOXXXOOOOOOX
XXOXOOXXOOXOO
.OOOOOX....X.
"""  # A2 shares its liberties with a chain that can capture G1


@pytest.mark.parametrize(
    ("diagram", "seki"),
    [
        (SEKI, "XXX.XX.. XXX.XX.. XXXXXX.. ........ ........"),
        (SEKI_WITH_EYES, ".XX.X.X.. XXXXXXX.. XXXXXXX.. ......... ........."),
        # The same with one stone fewer: no liberty is shared.
        (SEKI_WITH_EYES.replace(".XX.", ".X.."), " ".join(["........."] * 5)),
        (CONNECTED, " ".join(["......."] * 7)),
        (BESIDE_DEAD, " ".join(["." * 13] * 13)),
        (BESIDE_DEAD_STONES, " ".join(["." * 13] * 13)),
        ("XXXXX X.O.X XOOOX XXXXX .X.X.", "..... ..... ..... ..... ....."),  # White has one eye: dead
        # Three shared liberties: filling one gains nothing for either side.
        (
            "XXX.OOX. XXX.OOX. XXX.OOX. OOOOOOX. XXXXXXX. .X.X....",
            "XXX.XX.. XXX.XX.. XXX.XX.. XXXXXX.. ........ ........",
        ),
        # Over several chains: the one in the middle has no eye and a liberty in common with each neighbour.
        (".O.X.O. OOOXOOO", ".X.X.X. XXXXXXX"),
        (".X.O.X.O. XXXOXXXOO", ".X.X.X.X. XXXXXXXXX"),
        # The same with an eye of two points at one end, whose owner captures the neighbouring chain.
        (".O.X.O.X. OOOXOOOX.", "......... ........."),
        # An eye against no eye: the side with the eye fills the liberties.
        (EYE_AGAINST_NONE, " ".join(["........"] * 5)),
        # Three in a row with a stone in the middle is not a seki, though neither side wants to play first.
        (".O.XO.O. XXXXOOOO OOOOO.O. .O.O..O.", " ".join(["........"] * 4)),
    ],
)
@pytest.mark.parametrize("swap", [False, True])
def test_chains_in_seki_are_found(diagram: str, seki: str, swap: bool) -> None:
    game = set_up(diagram.translate(str.maketrans("XO", "OX")) if swap else diagram, "japanese")
    seki_stones = stones_in_seki(game.board, life.statuses(game.board))
    assert seki_stones == {game.point(v) for v in vertices(seki, "X")}


def test_points_in_seki_count_under_aga_and_not_under_japanese() -> None:
    game = set_up(SEKI_WITH_EYES, "japanese", komi=0.0)
    game.find_statuses = life.statuses
    seki = stones_in_seki(game.board, life.statuses(game.board))
    outside = 4 + 7  # J2 to J5, and A1, C1, E1 to J1
    assert territory(game.board, seki) == Count(outside, 0)
    assert territory(game.board) == Count(outside + 1, 1)
    assert game.score() == outside
    game.rules = game.rules.override(seki_points=True)
    assert game.score() == outside + 1 - 1


@pytest.mark.parametrize("rules", ["japanese", "chinese"])
def test_a_stone_with_room_that_cannot_live_is_dead(rules: str) -> None:
    game = set_up(OPEN_DEAD, rules, komi=0.0)
    game.find_statuses = life.statuses
    dead = [game.vertex(p) for p, status in life.statuses(game.board).items() if status is Status.DEAD]
    assert dead == ["D2"]
    after = cleared(game.board, life.statuses(game.board))
    assert after.prisoners[WHITE] == 1
    black, white = (bd.colors(after).count(color) for color in (BLACK, WHITE))
    assert (black, white) == (12, 10)
    assert game.score() == ((45 - 12) - (36 - 10) - 1 if rules == "japanese" else 45 - 36)


@pytest.mark.parametrize(
    ("diagram", "vertex", "captured"),
    [
        (".... .... .... OX..", "A1", True),
        ("....... ..XXX.. ..XO... .......", "D2", True),  # chased along the edge and captured
        ("....... ....... ..XO... ....... .......", "D3", False),
        (SEKI, "A5", False),
        (SEKI, "E5", False),
        ("XX.OO XX.OO", "A1", True),  # the board is too small for two eyes after the capture
    ],
)
def test_captures_are_found_by_reading(diagram: str, vertex: str, captured: bool) -> None:
    game = set_up(diagram, "japanese")
    before = pickle.dumps(game.board)
    assert life.can_capture(game.board, game.point(vertex)) == captured
    assert pickle.dumps(game.board) == before


def setup_command(diagram: str) -> str:
    """The command of GTP that sets up a diagram."""
    stones = [f"{color} {v}" for color, symbol in (("b", "X"), ("w", "O")) for v in vertices(diagram, symbol)]
    return f"gogui-setup {' '.join(stones)}"


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["japanese", "aga", "chinese"])
def test_final_status_list_and_play_after_a_dispute(rules: str) -> None:
    with GtpProcess([*ENGINE, "--rules", rules, "--size", "9", "--player", "greedy"]) as engine:
        assert engine.ask(setup_command(OPEN_DEAD)) == ""
        assert engine.ask("final_status_list seki") == ""
        for color in "bw":
            engine.ask(f"play {color} pass")
        assert engine.ask("final_status_list dead") == "D2"
        assert engine.ask("final_status_list alive").count("\n") == 5
        before = engine.ask("final_score")
        # Play resumes after a dispute, and White captures the stone.
        for move in ("b D3", "w C2", "b pass", "w E2", "b pass", "w D1", "b pass", "w C3"):
            engine.ask(f"play {move}")
        assert engine.ask("final_status_list dead") == "D2 D3"
        engine.ask("play b pass")
        engine.ask("play w pass")
        after = engine.ask("final_score")
        if rules != "japanese":  # territory counts White's extra plays
            assert after == before


def test_gnu_go_agrees_about_dead_stones_of_its_games(gnugo: str) -> None:
    agreed = 0
    with GtpProcess([gnugo, "--mode", "gtp", "--level", "1", "--chinese-rules", "--seed", "5"]) as other:
        for opening in ("C3 G7 G3 C7", "E5 E3 C4 G6", "D4 F6 F4 D7", "C4 E6 G4 D3", "E4 E7 C6 G3"):
            game = Game("chinese", 9)
            other.send_all(["clear_board", "boardsize 9", "komi 7.5"])
            for vertex in opening.split():
                color = game.to_move
                other.ask(f"play {color} {vertex}")
                game.play(vertex, color)
            while game.outcome is None:
                color = game.to_move
                game.play(other.ask(f"genmove {color}"), color)
            dead = {game.point(v) for v in other.ask("final_status_list dead").split()}
            ours = {
                q for p, s in life.statuses(game.board).items() if s is Status.DEAD for q in bd.stones(game.board, p)
            }
            agreed += dead == ours
    assert agreed >= 4


UNSETTLED = """
....X....
.O.OOXO.O
O.OXXXXO.
XXOX.X.X.
..X.X.XO.
XXX.OX.XO
..O.XX..X
..X.OOXX.
.O....O..
"""  # three white groups are small, but each may still live


RACE = """
....X.XX.
.OXOOXX.X
.X.X.X.XO
.X..X.XOO
OOXXXXOO.
XXXXOXOXO
XOOOOXOX.
O.OXOOXXX
.....OOO.
"""  # an undecided capturing race at the bottom right


@pytest.mark.parametrize("diagram", [UNSETTLED, RACE])
def test_there_is_no_closing_move_while_a_group_is_unsettled(diagram: str) -> None:
    game = set_up(diagram, "chinese", to_move=WHITE)
    assert life.settled(game.board) is None
    assert closing_move(game, WHITE) is None


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize(
    ("diagram", "move"),
    [
        (".X.XOO.O. XXXXOOOOO", "pass"),
        (".X.X.O.O. XXXXXOOOO", "E2"),  # a neutral point is a point of area
        (".X.XO..O. XXXXOOOOO", "pass"),
    ],
)
def test_the_closing_move_is_a_neutral_point_or_a_pass(diagram: str, move: str, color: int) -> None:
    game = set_up(diagram, "chinese", to_move=color)
    closing = closing_move(game, color)
    assert closing is not None
    assert game.vertex(closing.move) == move
