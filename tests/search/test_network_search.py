"""The search with the network: the same without compilation, led by the policy, some moves or all."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from gtp_capture.go.game import Game
from gtp_capture.go.rules import PRESETS, Passing, Rules, Scoring
from gtp_capture.go.vertex import PASS
from gtp_capture.jit.records import Turn, rules_record
from gtp_capture.network.network import DTYPE, begin_policy, logit, record, shipped
from gtp_capture.players.player import last_play
from gtp_capture.search import mcts
from gtp_capture.search.children import power
from gtp_capture.search.parameters import choose_parameters
from gtp_capture.util.limit import Limit

from ..network.test_codes import scratch
from ..support.diagrams import set_up

GAMES = "first-capture", "capture-3", "capture-5", "chinese"
POSITION = ".X... .XO.. ..O.. ..... ....."
PROGRAM = """
import json
from tests.search.test_network_search import GAMES, POSITION, search
print(json.dumps([search(POSITION, 30, rules) for rules in GAMES]))
"""


def searched(game: Game, playouts: int, only: frozenset[int] | None = None, **options: Any) -> mcts.Tree:
    """Return the tree of a search; `options`: of the tree."""
    tree = mcts.Tree(0, 1, 1, **options)
    turn = Turn(game.board, rules_record(game.rules, game.komi), int(game.to_move), last_play(game))
    tree.search(mcts.ROOT, turn, game.legal_plays(), Limit(playouts=playouts, only=only).begin())
    return tree


def search(diagram: str, playouts: int, rules: str = "first-capture") -> list[list[float]]:
    """Search a position; return its moves with their visits and win rates."""
    candidates = searched(set_up(diagram, rules), playouts).candidates(mcts.ROOT)
    return [[c.move, c.visits, c.winrate] for c in candidates]


@pytest.mark.slow
def test_it_is_the_same_without_compilation() -> None:
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=plain, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [search(POSITION, 30, rules) for rules in GAMES]


@pytest.mark.parametrize("rules", GAMES)
def test_the_policy_is_the_softmax_of_the_logits(rules: str) -> None:
    game = set_up(POSITION, rules)
    tree, work, record_ = searched(game, 1), scratch(), rules_record(game.rules, game.komi)
    children, network = tree._children(mcts.ROOT), shipped(ordinary=rules == "chinese")
    if rules == "chinese":
        last = children.stop - 1
        assert (tree._nodes.move[last], tree._nodes.policy[last]) == (PASS, pytest.approx(1 / (last - children.start)))
        children = slice(children.start, last)
    begin_policy(game.board, record_, int(game.to_move), network, work)
    logits = np.array([logit(game.board, int(p), 0, network, work) for p in tree._nodes.move[children]])
    below = (logits - logits.max()) / choose_parameters(record_, mcts.ALL).flatness
    expected = (1 + below / 1024) ** 1024
    np.testing.assert_allclose(tree._nodes.policy[children], expected / expected.sum(), rtol=1e-4)


@pytest.mark.parametrize("x", [0.0, -0.1, -1.0, -5.0, -10.0, -100.0, -2000.0])
def test_powers_are_a_little_below_those_of_e(x: float) -> None:
    value, exact = float(power(np.float32(x))), math.exp(x)
    assert exact * (1 - x * x / 2000) - 1e-6 <= value <= exact * (1 + 1e-4)


def test_a_position_has_children_from_its_second_visit_on_or_from_the_first_after_an_expected_move() -> None:
    game = set_up(POSITION, "first-capture")
    tree, parameters = searched(game, 500), choose_parameters(rules_record(game.rules, 0.0), mcts.ALL)
    nodes, seen = tree._nodes, set()
    for node in range(mcts.ROOT + 1, tree.size + 1):
        if nodes.visits[node] and not nodes.proven[node]:
            expected = bool(nodes.policy[node] >= parameters.expected)
            seen.add((int(nodes.visits[node]), expected))
            assert bool(nodes.link[node]) == (expected or nodes.visits[node] >= parameters.expansion_visits), node
    assert {(1, False), (1, True), (2, False)} <= seen


def test_a_play_that_the_policy_prefers_is_visited_most() -> None:
    weights = np.zeros(1, DTYPE).view(np.recarray)[0]
    weights.distances[1] = 4.0  # next to the last play
    game = Game("first-capture", 9)
    game.play("E5")
    tree = searched(game, 300, network=record({"distances": weights.distances}))
    best = [game.vertex(c.move) for c in tree.candidates(mcts.ROOT)[:4]]
    assert sorted(best) == ["D5", "E4", "E6", "F5"]


def test_a_search_of_some_moves_is_led_by_the_policy_too() -> None:
    game = Game("first-capture", 7)
    for vertex in ("D4", "D5", "E5", "E4"):
        game.play(vertex)

    def visits(only: frozenset[int] | None) -> dict[int, int]:
        return {c.move: c.visits for c in searched(game, 400, only).candidates(mcts.ROOT)}

    free = visits(None)
    restricted = visits(frozenset(free))
    assert sum(abs(restricted[move] - free[move]) for move in free) <= 0.1 * sum(free.values())


def test_the_plays_that_can_parry_a_threat_have_policies_too() -> None:
    game = set_up(".....XO ....... ..OO... .OXX... ..OO... ....... .......", "capture-2")
    candidates = searched(game, 50).candidates(mcts.ROOT)
    assert sorted(game.vertex(c.move) for c in candidates) == ["E4", "G6"]
    assert sum(c.policy for c in candidates) == pytest.approx(1)
    assert min(c.policy for c in candidates) > 0


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_a_leaf_is_worth_its_shares_of_the_network_and_of_a_playout(share: float) -> None:
    """The network without weights says 0.5, and Black wins every playout: the komi is less than no area at all."""
    tree = searched(Game("chinese", 5, komi=-99.5), 50, network=record({}), playout_share=share)
    rates = [c.winrate for c in tree.candidates(mcts.ROOT) if c.visits and not c.proven]
    assert rates == pytest.approx([min(0.99, 0.5 + 0.5 * share)] * len(rates), abs=1e-6)
    assert rates


def test_playouts_count_beside_the_network_from_five_prisoners_on() -> None:
    shares = {}
    for rules in ("first-capture", "capture-2", "capture-4", "capture-5", "capture-20", "chinese"):
        parsed = Rules.parse(rules)
        shares[rules] = choose_parameters(rules_record(parsed, 0.0), mcts.ALL).playout_share > 0
    assert [rules for rules, counts in shares.items() if counts] == ["capture-5", "capture-20", "chinese"]


def test_one_tree_takes_the_network_of_the_game() -> None:
    tree = mcts.Tree(0, 1, 1)
    for rules, ordinary in (("first-capture", False), ("chinese", True), ("capture-5", False)):
        record_ = rules_record(PRESETS[rules], 7.5)
        assert tree._evaluation(record_)[1] is shipped(ordinary=ordinary)


@pytest.mark.parametrize(
    "rules",
    [
        PRESETS["capture-3"].override(passing=Passing.STONE),
        PRESETS["capture-3"].override(passing=Passing.FREE),
        PRESETS["first-capture"].override(passing=Passing.FREE),
        PRESETS["chinese"].override(passing=Passing.FORBIDDEN, scoring=Scoring.NONE, dead_stones=False),
        PRESETS["chinese"].override(small_komi=60.5),
    ],
    ids=["capture-3, a pass costs a stone", "capture-3, free passes", "free passes", "no passes", "a large komi"],
)
def test_under_rules_that_the_network_has_not_learned_half_of_a_value_is_from_a_playout(rules: Rules) -> None:
    game = Game(rules, 7)
    assert choose_parameters(rules_record(game.rules, game.komi), mcts.ALL).playout_share == 0.5
