"""GNU Go's questions about a game: our answers are its own."""

from __future__ import annotations

import pytest

from ..support.process import ENGINE, GtpProcess

ASKED = ("query_boardsize", "get_komi", "get_handicap", "captures b", "captures white", "last_move", "move_history")
STEPS = {
    "a new game": ["boardsize 7", "clear_board", "komi 0"],
    "a komi": ["komi 6.5"],
    "a komi without a fraction": ["komi -7"],
    "moves": ["play b C3", "play w D4", "play b D3"],
    "a pass": ["play w pass"],
    "captures": [
        "play b C4",
        "play w A1",
        "play b D5",
        "play w A2",
        "play b E4",
        "play w B7",
        "play b A3",
        "play w B1",
    ],
    "a move taken back": ["undo"],
    "a handicap": ["boardsize 9", "clear_board", "fixed_handicap 3"],
    "its first move": ["play w E5"],
}


@pytest.mark.slow
def test_questions_of_gnugo_s_clients_are_answered_as_gnugo_does(gnugo: str) -> None:
    with (
        GtpProcess([*ENGINE, "--player", "random", "--rules", "japanese"]) as ours,
        GtpProcess([gnugo, "--mode", "gtp"]) as theirs,
    ):
        for name, lines in STEPS.items():
            for line in lines:
                assert ours.send(line).ok == theirs.send(line).ok, line
            assert ours.send_all(ASKED) == theirs.send_all(ASKED), name
        # It takes the first of two sides; we answer both.
        ours.ask("boardsize 9 7")
        assert ours.ask("query_boardsize") == "9 7"
