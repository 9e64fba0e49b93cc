"""The search of players: repeatable, kept from move to move, within its memory."""

from __future__ import annotations

import threading

import pytest

from gtp_capture.go.game import Game
from gtp_capture.go.vertex import BLACK, PASS, WHITE
from gtp_capture.jit.records import Turn, rules_record
from gtp_capture.jit.warmup import Warmup
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.playout.ordinary import has_shape
from gtp_capture.search import mcts
from gtp_capture.util.limit import Limit

from ..support.diagrams import set_up

MEMORY = 16 * 2**20


@pytest.fixture(scope="module")
def warmup() -> Warmup:
    warmup = Warmup(print)
    assert warmup.wait(300, threading.Event())
    return warmup


def tree_of(player: MctsPlayer) -> mcts.Tree:
    assert player._tree is not None
    return player._tree


def decide(player: MctsPlayer, game: Game, playouts: int) -> int:
    return player.choose(game, int(game.to_move), Limit(playouts=playouts).begin()).move


def test_the_same_seed_gives_the_same_game(warmup: Warmup) -> None:
    def moves() -> list[tuple[int, int]]:
        player = MctsPlayer(PlayerSettings(seed=7, memory=MEMORY), warmup)
        game, decisions = Game(size=7), []
        for _ in range(6):
            decision = player.choose(game, int(game.to_move), Limit(playouts=300).begin())
            decisions.append((decision.move, decision.playouts))
            game.play_point(decision.move)
        return decisions

    assert moves() == moves()


def test_the_tree_is_kept_over_moves_and_undo(warmup: Warmup) -> None:
    player = MctsPlayer(PlayerSettings(seed=1, memory=MEMORY), warmup)
    game = Game(size=9)
    game.play("E5", "black")
    first = decide(player, game, 500)
    size = tree_of(player).size
    game.play_point(first)
    decide(player, game, 1)
    # One more playout grew one more node at most, so what was known is still there.
    assert size <= tree_of(player).size <= size + 100
    game.undo()
    decide(player, game, 1)
    assert tree_of(player).size >= size
    game.clear()
    decide(player, game, 1)
    assert tree_of(player).size < 200


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor", "aga"])
def test_a_pass_that_was_not_to_be_searched_can_be_played_and_searched(warmup: Warmup, rules: str) -> None:
    player = MctsPlayer(PlayerSettings(seed=1, memory=MEMORY), warmup)
    game = Game(rules, 9)
    game.play("E5", "black")
    decide(player, game, 300)  # of White's plays; a pass is not searched
    root = player.node(game, WHITE)
    assert root is not None
    passed = root[0].child(root[1], PASS)
    assert passed is not None
    assert PASS not in {c.move for c in root[0].candidates(root[1])}
    game.play_point(PASS, "white")
    assert player.choose(game, BLACK, Limit(playouts=300).begin()).playouts == 300
    node = player.node(game, BLACK)
    assert node == (root[0], passed)
    assert sum(c.visits for c in node[0].candidates(node[1]) if c.proven == 0) >= 250
    game.undo()
    assert decide(player, game, 300) != PASS


def test_a_move_that_superko_forbids_in_one_game_is_allowed_in_another(warmup: Warmup) -> None:
    player = MctsPlayer(PlayerSettings(seed=1, memory=MEMORY), warmup)
    for rules in ("japanese", "chinese"):
        game = Game(rules, 5)
        for color, vertex in zip("bwbwbwbw", ["B3", "C3", "A2", "D2", "B1", "C1", "C2", "B2"], strict=True):
            game.play(vertex, color)
        assert not game.is_legal("C2", BLACK)
        assert decide(player, game, 200) != game.point("C2")


def test_a_full_tree_can_still_be_searched(warmup: Warmup) -> None:
    tree = mcts.Tree(0, 2, 1)  # the smallest there is
    game = Game(size=13)
    rules = rules_record(game.rules, 0.0)
    done = tree.search(mcts.ROOT, Turn(game.board, rules, BLACK), game.legal_plays(), Limit(playouts=20_000).begin())
    assert done == pytest.approx(20_000, rel=0.01)
    assert tree.crowded
    move = tree.candidates(mcts.ROOT)[0].move
    root = tree.keep_only(tree.child(mcts.ROOT, move) or 0)
    assert not tree.crowded
    assert root == mcts.ROOT
    # The move may have become the best one after the tree was full, so that it has no children yet.
    game.play_point(move, BLACK)
    tree.search(root, Turn(game.board, rules, WHITE, move), game.legal_plays(), Limit(playouts=100).begin())
    assert tree.candidates(root)


def test_a_large_tree_keeps_only_what_the_moves_played_lead_to(warmup: Warmup) -> None:
    tree = mcts.Tree(256 * 2**20, 2, 1)
    game = Game(size=9)
    rules = rules_record(game.rules, 0.0)
    root = mcts.ROOT
    while not tree.crowded:
        tree.search(root, Turn(game.board, rules, BLACK), game.legal_plays(), Limit(playouts=1000).begin())
    large = tree.size
    assert large > mcts.ENOUGH
    best = tree.candidates(root)[0]
    child = tree.child(root, best.move) or 0
    replies = [(reply.move, reply.visits, reply.winrate) for reply in tree.candidates(child)]
    kept = tree.keep_only(child)
    assert [(reply.move, reply.visits, reply.winrate) for reply in tree.candidates(kept)] == replies
    assert not tree.crowded
    tree.clear()
    assert tree.size == 0


def test_threads_share_one_tree(warmup: Warmup) -> None:
    player = MctsPlayer(PlayerSettings(seed=1, threads=4, memory=MEMORY), warmup)
    game = Game(size=9)
    decision = player.choose(game, BLACK, Limit(playouts=4000).begin())
    assert game.is_legal_point(decision.move, BLACK)
    visits = sum(c.visits for c in tree_of(player).candidates(mcts.ROOT))
    # A count is lost when two threads write at once, which is rare.
    assert visits == pytest.approx(4000, rel=0.05)


@pytest.mark.parametrize(("komi", "winrate"), [(15.5, 0.99), (16.5, 0.01), (16.0, 0.5)])
def test_two_passes_in_the_tree_count_every_point_of_a_territory(warmup: Warmup, komi: float, winrate: float) -> None:
    game = set_up("...XO ...XO ...XO ...XO ...X.", "chinese", komi=komi)
    tree = mcts.Tree(0, 1, 1)
    rules = rules_record(game.rules, game.komi)
    tree.search(mcts.ROOT, Turn(game.board, rules, BLACK, passes=1), [PASS], Limit(playouts=50).begin())
    candidates = {c.move: c for c in tree.candidates(mcts.ROOT)}
    assert candidates[PASS].visits > 0
    assert candidates[PASS].winrate == winrate


@pytest.mark.parametrize(
    ("diagram", "vertex", "worth"),
    [
        (".... XOX. .... ....", "B2", True),  # hane at the head of a stone
        (".... XO.. .X.. ....", "A2", True),  # a cut
        (".... .... .... ....", "B2", False),
        (".... .... X... ....", "A1", False),
        (".... .... XO.. ....", "A1", True),  # on the first line below a cut
        ("XXXX X.XX XXXX XXXX", "B3", False),
    ],
)
@pytest.mark.parametrize("swap", [False, True])
def test_patterns_match(diagram: str, vertex: str, worth: bool, swap: bool) -> None:
    game = set_up(diagram.translate(str.maketrans("XO", "OX")) if swap else diagram, "chinese")
    assert has_shape(game.board, game.point(vertex)) == worth
