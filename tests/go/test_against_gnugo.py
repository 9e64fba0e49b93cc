"""Our drawing of a board beside that of GNU Go."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gtp_capture import Game, Rules
from gtp_capture.go.vertex import COLUMNS
from tests.support.process import GtpProcess


@pytest.fixture(scope="module")
def referee(gnugo: str) -> Iterator[GtpProcess]:
    with GtpProcess([gnugo, "--mode", "gtp"]) as process:
        yield process


@pytest.mark.parametrize("side", [9, 13, 19])
def test_the_columns_of_showboard_stand_where_those_of_gnugo_do(referee: GtpProcess, side: int) -> None:
    game = Game(Rules.parse("japanese"), side)
    referee.ask(f"boardsize {side}")
    referee.ask("clear_board")
    for move in ("A1", f"C{side}", f"{COLUMNS[side - 1]}9", "C3", "D4"):
        referee.ask(f"play {game.to_move} {move}")
        game.play(move)
    # GNU Go marks star points, we mark the last stone. Prisoners stand beside the board. The first line is stripped.
    texts = str(game).replace("(", " ").replace(")", " "), referee.ask("showboard").replace("+", ".")
    ours, theirs = ([line[: 2 * side + 6].rstrip() for line in text.splitlines()[1:]] for text in texts)
    assert ours == theirs
