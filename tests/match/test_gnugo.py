"""Capture games against GNU Go, which plays ordinary Go; our library adjudicates them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gtp_capture import Game, Termination
from gtp_capture.go.vertex import BLACK, COLOR_NAMES, PASS, RESIGN, WHITE, opponent, parse_vertex
from tests.support.process import ENGINE, GtpProcess

SIDE = 9
LONGEST = SIDE * SIDE
"""Maximum number of plays without a capture."""
UNAWARE = 10
"""Moves that GNU Go plays for both sides after the end."""


@pytest.fixture(scope="module")
def opponent_program(gnugo: str) -> Iterator[GtpProcess]:
    with GtpProcess([gnugo, "--mode", "gtp", "--level", "1", "--seed", "1"]) as process:
        yield process


def play_until_the_end(engine: GtpProcess, other: GtpProcess, ours: int) -> Game:
    """Play to the first capture, pass or resignation; each engine gets the moves of the other."""
    game = Game("first-capture", SIDE)
    color = BLACK
    for _ in range(LONGEST):
        mover, listener = (engine, other) if color == ours else (other, engine)
        name = COLOR_NAMES[color]
        answer = mover.ask(f"genmove {name}")
        point = RESIGN if answer.lower() == "resign" else parse_vertex(answer, SIDE, SIDE)
        if mover is engine:
            assert point not in (PASS, RESIGN), f"our engine gives up a game that goes on: {answer}"
            assert game.is_legal_point(point, color), (
                f"our engine plays {answer}: {game.why_illegal_point(point, color)}"
            )
        game.play_point(point, color)
        # GTP has no command for the opponent's resignation.
        if point == RESIGN:
            break
        assert listener.send(f"play {name} {answer}").ok
        if game.outcome is not None:
            break
        color = opponent(color)
    assert game.outcome is not None
    return game


def check_result(engine: GtpProcess, game: Game) -> None:
    assert game.outcome is not None
    assert engine.ask("final_score") == ("B+1" if game.outcome.winner == BLACK else "W+1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "ours"),
    [
        pytest.param(("--player", "mcts", "--time-per-move", "0.1"), WHITE, id="mcts"),
        pytest.param(("--player", "greedy"), BLACK, id="greedy"),
    ],
)
def test_a_game_with_an_unaware_engine(
    opponent_program: GtpProcess, compiled: None, options: tuple[str, ...], ours: int
) -> None:
    other = opponent_program
    with GtpProcess([*ENGINE, *options, "--seed", "1"]) as engine:
        for process in (engine, other):
            process.send_all([f"boardsize {SIDE}", "clear_board", "komi 6.5"])
        game = play_until_the_end(engine, other, ours)
        assert game.outcome is not None
        winner = game.outcome.winner
        if game.outcome.termination == Termination.RESIGNATION:
            assert winner == ours
            return
        check_result(engine, game)
        # For GNU Go the game goes on: our engine must accept its plays for both sides.
        color = opponent(game.moves[-1].color)
        for _ in range(UNAWARE):
            name = COLOR_NAMES[color]
            answer = other.ask(f"genmove {name}")
            if answer.lower() != "resign":
                assert engine.send(f"play {name} {answer}").ok, f"refused after the end: {name} {answer}"
            check_result(engine, game)
            color = opponent(color)
        for color in (BLACK, WHITE):
            assert engine.ask(f"genmove {COLOR_NAMES[color]}") == ("pass" if color == winner else "resign")
        check_result(engine, game)
