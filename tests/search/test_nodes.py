"""Nodes of the tree: selection against the formula in double precision, proofs against minimax, copies of subtrees."""

from __future__ import annotations

import random
from math import sqrt

import numpy as np
import pytest

from gtp_capture.search.nodes import (
    LANES,
    PROVEN_LOSS,
    PROVEN_WIN,
    Nodes,
    add_child,
    child_count,
    copy_subtree,
    first_child,
    link,
    new_nodes,
    prove,
    select,
)
from gtp_capture.search.parameters import FIRST_CAPTURE

ROOT = 1
UNKNOWN = None


def family(nodes: Nodes, chance: random.Random, children: int) -> range:
    """Write a node with children of random statistics; return the children."""
    end = add_child(nodes, ROOT, 0)
    for _ in range(children):
        end = add_child(nodes, end, 7)
        visits = chance.choice((0, 1, chance.randrange(1, 500)))
        nodes.visits[end - 1], nodes.wins[end - 1] = visits, visits * chance.random()
        nodes.policy[end - 1] = chance.random() / children
    nodes.visits[ROOT] = chance.randrange(1, 2000)
    nodes.wins[ROOT] = nodes.visits[ROOT] * chance.random()
    nodes.link[ROOT] = link(ROOT + 1, children)
    return range(ROOT + 1, end)


def puct(nodes: Nodes, child: int) -> float:
    """The value of a child by the formula: from its mean, or without visits from an assumed value, and its policy."""
    whole, visits = float(nodes.visits[ROOT]), float(nodes.visits[child])
    assumed = max(0.0, 1 - float(nodes.wins[ROOT]) / max(whole, 1) - FIRST_CAPTURE.unvisited)
    mean = float(nodes.wins[child]) / visits if visits else assumed
    return mean + FIRST_CAPTURE.exploration * sqrt(whole) * float(nodes.policy[child]) / (1 + visits)


def test_the_child_with_the_highest_value_is_selected() -> None:
    chance, values = random.Random(1), np.zeros(100, np.float32)
    for count in [1, 2, LANES - 1, LANES, LANES + 1, 30] * 10:
        nodes = new_nodes(40)
        children = family(nodes, chance, count)
        nodes.wins[children.stop], nodes.visits[children.stop] = 9, 1  # memory after the count, which loops read too
        chosen = select(nodes, ROOT, FIRST_CAPTURE, values)
        assert chosen in children
        assert puct(nodes, chosen) == pytest.approx(max(puct(nodes, child) for child in children), rel=1e-5)


def test_a_proven_win_comes_before_all_and_a_proven_loss_is_never_selected() -> None:
    chance, values = random.Random(2), np.zeros(100, np.float32)
    for count in range(1, 20):
        nodes = new_nodes(40)
        children = family(nodes, chance, count)
        open_child = chance.choice(children)
        for child in children:
            nodes.proven[child] = PROVEN_LOSS * (child != open_child)
        assert select(nodes, ROOT, FIRST_CAPTURE, values) == open_child
        nodes.proven[open_child] = PROVEN_LOSS
        assert select(nodes, ROOT, FIRST_CAPTURE, values) == 0
        nodes.proven[open_child] = PROVEN_WIN
        for child in children:
            nodes.proven[child] = max(nodes.proven[child], 0)
        assert select(nodes, ROOT, FIRST_CAPTURE, values) == open_child


def test_equal_values_are_taken_in_order() -> None:
    nodes, values = new_nodes(40), np.zeros(100, np.float32)
    children = family(nodes, random.Random(3), 12)
    for child in children:
        nodes.visits[child], nodes.wins[child], nodes.policy[child] = 4, 2, 0.05
    assert select(nodes, ROOT, FIRST_CAPTURE, values) == children.start


Known = tuple[bool, int] | None
"""Whether the colour that moved into a node wins, and the plies to the end; None if that is not known."""
Tree = Known | list["Tree"]
"""A leaf, or the children."""


def random_tree(chance: random.Random, depth: int) -> Tree:
    if depth == 0 or chance.random() < 0.2:
        return UNKNOWN if chance.random() < 0.25 else (chance.random() < 0.4, chance.randrange(9))
    return [random_tree(chance, depth - 1) for _ in range(chance.randrange(1, 4))]


def minimax(tree: Tree) -> Known:
    """The result of a node: the side to move takes its shortest win, or resists as long as it can."""
    if not isinstance(tree, list):
        return tree
    results = [minimax(child) for child in tree]
    wins = [result[1] for result in results if result is not None and result[0]]
    if wins:
        return False, min(wins) + 1
    known = [result[1] for result in results if result is not None]
    return (True, max(known) + 1) if len(known) == len(results) else UNKNOWN


def write(nodes: Nodes, index: int, tree: Tree, end: int) -> int:
    """Write a tree below a node; return the end of the nodes."""
    if isinstance(tree, list):
        first = end
        for _ in tree:
            end = add_child(nodes, end, 10_000 + end)
        nodes.link[index] = link(first, len(tree))
        for i, child in enumerate(tree):
            end = write(nodes, first + i, child, end)
        prove(nodes, index)
    elif tree is not UNKNOWN:
        nodes.proven[index], nodes.length[index] = PROVEN_WIN if tree[0] else PROVEN_LOSS, tree[1]
    nodes.visits[index] = nodes.wins[index] = index
    return end


def test_results_are_proven_as_by_minimax_with_what_is_not_known() -> None:
    chance, seen = random.Random(4), set()
    for _ in range(400):
        nodes, tree = new_nodes(200), random_tree(chance, 4)
        write(nodes, ROOT, tree, add_child(nodes, ROOT, 0))
        proven = {PROVEN_WIN: True, PROVEN_LOSS: False}.get(int(nodes.proven[ROOT]))
        known = UNKNOWN if proven is None else (proven, int(nodes.length[ROOT]))
        assert known == minimax(tree), tree
        seen.add(known and known[0])
    assert seen == {None, True, False}


def shape(nodes: Nodes, index: int) -> tuple[object, ...]:
    """The values of a node, and its children."""
    first, count = first_child(nodes, index), child_count(nodes, index)
    values = (nodes.move, nodes.visits, nodes.wins, nodes.length, nodes.proven, nodes.policy)
    return (*(float(field[index]) for field in values), [shape(nodes, first + i) for i in range(count)])


def cut(whole: tuple[object, ...], part: tuple[object, ...]) -> bool:
    """Whether a tree is another one in which some nodes have lost their children."""
    *values, children = whole
    *rest, kept = part
    assert isinstance(children, list)
    assert isinstance(kept, list)
    pairs = zip(children, kept, strict=False)
    return values == rest and (not kept or (len(kept) == len(children) and all(cut(*pair) for pair in pairs)))


def test_a_copy_has_the_whole_subtree_or_as_much_as_there_is_room_for() -> None:
    chance = random.Random(5)
    for _ in range(60):
        source, target = new_nodes(200), new_nodes(200)
        end = write(source, ROOT, [random_tree(chance, 4), random_tree(chance, 4)], add_child(source, ROOT, 0))
        root = chance.randrange(ROOT, end)
        used = copy_subtree(source, root, target, 200)
        whole = shape(source, root)
        assert shape(target, 1) == whole
        assert used == 1 + str(whole).count("[")
        assert copy_subtree(source, root, target, used) == used
        room = chance.randrange(2, used + 1)
        assert copy_subtree(source, root, target, room) <= room
        assert cut(whole, shape(target, 1))
