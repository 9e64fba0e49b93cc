"""Whether a game is settled before the last pass, in positions of games whose rest GNU Go played."""

from __future__ import annotations

import pytest

from gtp_capture import Game
from gtp_capture.go.vertex import BLACK, PASS, WHITE, opponent
from gtp_capture.jit.warmup import loaded
from gtp_capture.judgement import life, settling
from gtp_capture.judgement.endgame import closing_move
from gtp_capture.players.player import PlayerSettings
from gtp_capture.players.registry import PLAYERS
from gtp_capture.util.limit import Deadline, Limit

from ..support.diagrams import set_up
from ..support.process import ENGINE, HANG, GtpProcess
from .test_life import EYE_AGAINST_NONE, SEKI, SEKI_WITH_EYES, setup_command

pytestmark = pytest.mark.usefixtures("compiled")

KILLED_BY_A_THROW_IN = """
.OXX.O.
.OOX.X.
.OOOX.X
..OX.X.
..OXXX.
..OOX.X
...OOX.
"""  # a play at E6 costs Black the upper side, and saves it
CAPTURED_AFTER_A_SACRIFICE = """
..OOO.O.O
OOXOOOO.O
XXXO.OOO.
X.XOOOO.O
XXXXO.OOO
XOOXOOOOO
.XOOOOOXO
.XXOXXXXX
.XXX.X...
"""  # Black's B9 costs White two stones in the corner
IN_ATARI = """
.XXX.X..X
..XX..XXX
OOX..XXOO
XXXXXXO.O
.X..XO.OO
X.XX.XOOO
..X.XXO.O
XXXXOOOO.
X.XOOOO.O
"""  # White's stone at F5
SETTLED = """
.X.XOO.O.
XXXXOOOOO
..X.O.X..
XXXXO....
"""
UNCERTAIN = """
...X.....
X.XOXXOX.
OXXOXOOX.
OOXOXOX..
.OOOOX.X.
...OXXX..
OO..OXOXX
.OO.OOOOX
.O.O.O.OO
"""  # playouts capture Black's A8 and E6 too often to be sure, but neither side gains there
UNSETTLED = [
    (KILLED_BY_A_THROW_IN, BLACK, "E6"),
    (CAPTURED_AFTER_A_SACRIFICE, WHITE, "B9"),
    (IN_ATARI, WHITE, "G5"),
]


def vital_play(game: Game, color: int, deadline: Deadline, seed: int = 1) -> int | None:
    """The play found before a pass that would end the game by the statuses of the chains."""
    closing = closing_move(game, color)
    assert closing is not None
    return settling.unsettled_play(game, color, closing, deadline, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "seed"), [("chinese", 1), ("japanese", 2), ("aga", 3)])
@pytest.mark.parametrize(("diagram", "color", "vertex"), UNSETTLED)
def test_the_vital_point_is_found_for_both_colours(
    diagram: str, color: int, vertex: str, rules: str, seed: int
) -> None:
    for mover in (color, opponent(color)):
        game = set_up(diagram, rules, to_move=mover)
        play = vital_play(game, mover, Limit().begin(), seed)
        assert play is not None
        assert game.vertex(play) == vertex


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("diagram", [SEKI, SEKI_WITH_EYES, EYE_AGAINST_NONE, SETTLED])
def test_settled_positions_need_no_play(diagram: str, color: int) -> None:
    game = set_up(diagram, "chinese", to_move=color)
    assert vital_play(game, color, Limit().begin()) is None


@pytest.mark.parametrize(("diagram", "color", "vertex"), UNSETTLED)
def test_strong_players_make_the_play_before_they_pass(diagram: str, color: int, vertex: str) -> None:
    game = set_up(diagram, "chinese", to_move=color)
    for level in (8, 10):
        player = PLAYERS["mcts"](PlayerSettings(seed=1, level=level), loaded())
        assert game.vertex(player.choose(game, color, Limit(playouts=50).begin()).move) == vertex
        game.play(vertex, color)
        game.undo()


DONE = "\n".join([".XXXOOOO."] * 9)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["japanese", "tromp-taylor"])
def test_a_finished_game_ends_with_little_time_too(rules: str) -> None:
    """Players that do not test the end then fill their own territory."""
    assert loaded().completed(HANG)
    moves = [(3.0, None), (0.005, 30.0), (0.0, 30.0)]
    answers = [*moves, (0.001, 0.1), (0.0, 0.0)]
    player = PLAYERS["mcts"](PlayerSettings(seed=1), loaded())
    for color in (BLACK, WHITE):
        game = set_up(DONE, rules, to_move=int(color))
        assert [player.choose(game, int(color), Limit(t, clock=clock).begin()).move for t, clock in moves] == [PASS] * 3
        game.set_to_move(opponent(int(color)))
        game.play_point(PASS)
        assert all(player.choose(game, int(color), Limit(t, clock=clock).begin()).move == PASS for t, clock in answers)


def test_with_hardly_any_time_a_pass_early_in_the_game_is_not_answered_by_one() -> None:
    player = PLAYERS["mcts"](PlayerSettings(seed=1), loaded())
    game = Game("chinese", 9)
    for vertex in ("E5", "C3", "pass"):
        game.play(vertex)
    assert player.choose(game, WHITE, Limit(0.0, clock=0.0).begin()).move != PASS


@pytest.mark.parametrize(
    "rules", ["tromp-taylor passing=forbidden", "capture-5 scoring=area", "capture-3 scoring=territory"]
)
def test_where_passing_is_forbidden_every_choice_is_a_play(rules: str) -> None:
    game, player = Game(rules, 4), PLAYERS["mcts"](PlayerSettings(seed=2), loaded())
    while game.outcome is None and len(game.moves) < 60:
        game.play_point(player.choose(game, int(game.to_move), Limit(playouts=30).begin()).move)
    assert all(move.point != PASS for move in game.moves)


LESSON_7 = "capture-10 ko=simple passing=stone"


@pytest.mark.parametrize("level", [1, 3, 10])
def test_where_passes_end_a_game_without_a_winner_no_one_passes_who_has_a_good_play(level: int) -> None:
    """A player passes only if every play leaves stones in atari; a pass of the other side is no reason."""
    player = PLAYERS["mcts"](PlayerSettings(seed=2, level=level), loaded())
    for passing in (False, True):
        game = Game(LESSON_7, 5)
        while game.outcome is None and len(game.moves) < 60:
            if passing and len(game.moves) in (1, 8, 15):
                game.play_point(PASS)
                continue
            move = player.choose(game, int(game.to_move), Limit(playouts=30).begin()).move
            if move == PASS:
                assert all(exposed(game, p) for p in game.legal_plays())
            game.play_point(move)
        assert len(game.moves) > 15


def exposed(game: Game, point: int) -> bool:
    """Whether a play leaves its chain in atari."""
    after = game.after_point(point)
    return len(after.liberties(after.vertex(point))) == 1


@pytest.mark.parametrize("level", [1, 3, 10])
def test_a_player_passes_rather_than_fill_its_last_two_eyes(level: int) -> None:
    game = set_up(".OX.X OOXXX OOOXX .OOXX OOOX.", LESSON_7, WHITE)
    assert {game.vertex(p) for p in game.legal_plays()} == {"A5", "A2"}
    player = PLAYERS["mcts"](PlayerSettings(seed=2, level=level), loaded())
    assert player.choose(game, WHITE, Limit(playouts=50).begin()).move == PASS


def test_a_session_answers_a_pass_with_the_vital_play() -> None:
    with GtpProcess([*ENGINE, "--rules", "chinese", "--size", "7", "--seed", "1", "--playouts", "100"]) as engine:
        assert engine.ask(setup_command(KILLED_BY_A_THROW_IN)) == ""
        engine.ask("play b pass")
        assert engine.ask("genmove w") == "E6"


def test_the_test_keeps_to_its_part_of_the_time() -> None:
    game = set_up(SETTLED, "chinese", to_move=BLACK)
    assert vital_play(game, BLACK, Limit(0.0).begin()) is None


def test_a_pass_is_answered_where_a_play_would_cost_a_point() -> None:
    game = set_up(UNCERTAIN, "japanese", to_move=WHITE)
    game.find_statuses = life.statuses
    game.play_point(PASS)
    assert closing_move(game, BLACK) is None
    expected = game.score()
    assert expected is not None
    player = PLAYERS["mcts"](PlayerSettings(seed=1), loaded())
    assert player.choose(game, BLACK, Limit(playouts=500).begin()).move == PASS
    game.play_point(PASS)
    assert game.score() == expected
    other = set_up(UNCERTAIN, "chinese", to_move=WHITE)
    other.play_point(PASS)
    assert player.choose(other, BLACK, Limit(playouts=500).begin()).move != PASS  # there it costs nothing to make sure
