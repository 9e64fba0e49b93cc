"""Reviews as Sabaki's own SGF parser reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gtp_capture.go.sgf_tree import dump_trees, read_tree
from gtp_capture.teach.review.annotate import annotate

from .test_annotate import one_mistake

FILE = "(;SZ[5]PB[表]C[mine \\] é];B[ae];W[cc];B[ea])"


@pytest.fixture
def games(sabaki: Callable[[bytes], Any]) -> Any:
    tree = read_tree(FILE.encode())
    annotate(tree, one_mistake()[1])
    return sabaki(dump_trees([tree, read_tree(b"(;SZ[7];B[aa])")]))


def test_sabaki_reads_marks_win_rates_and_comments(games: Any) -> None:
    root, other = games
    assert other["data"]["SZ"] == ["7"]
    assert root["data"]["C"][0].startswith(
        "mine ] é\n\nReview: Rules: Whoever takes a stone first wins.\nAll 3 moves judged.\n"
        "Deciding mistake: move 1, Black A1."
    )
    assert (root["data"]["PB"], root["data"]["SBKV"], root["data"]["GB"]) == (["表"], ["100"], ["1"])
    move, better = root["children"]
    assert {name: move["data"][name] for name in ("B", "BM", "HO", "GW", "SBKV")} == {
        "B": ["ae"], "BM": ["2"], "HO": ["1"], "GW": ["1"], "SBKV": ["0"],
    }  # fmt: skip
    assert better["data"]["B"] == ["cc"]
    assert better["children"][0]["data"]["C"] == ["Review: Black wins."]


def test_every_node_of_the_game_has_a_win_rate_for_the_graph(games: Any) -> None:
    node = games[0]
    while node["children"]:
        assert 0 <= float(node["data"]["SBKV"][0]) <= 100
        node = node["children"][0]
