"""Annotations in SGF: FF[4], existing content, and a second review."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf as sgfmill_sgf

from gtp_capture import Game
from gtp_capture.go import sgf
from gtp_capture.go.sgf_tree import Node, dump_trees, read_tree
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.solver.verdict import Verdict
from gtp_capture.teach.review.annotate import annotate, strip
from gtp_capture.teach.review.reviewed import Grade, Review, ReviewedMove, won_by

from ...support.diagrams import played
from ...support.random_games import Plan, plans
from ...support.review_truth import exclusive

EXTRAS = (
    *("BM[1]", "DO[]", "IT[]", "TE[2]", "GB[2]", "GW[1]", "DM[1]", "UC[1]", "HO[2]"),
    *("C[a\\]b]", "C[Review: mine]", "SBKV[7]"),
)
PARTS = (
    *("(", ")", ";", ";B[aa]", ";W[bb]", ";B[cc]", ";W[]", "B[dd]", "W[ea]", "C[x]", "BM[1]", "(;B[ee])", "SBKV[]"),
    *("GCR[MOVE]", "GCR[C=0]", "GCR[B=aa]", "GCR[=]", ";W[bb]GCR[MOVE]", "C[Review:]", "PL[W]"),
)
"""Parts of a file."""


def invented(game: Game, seed: int) -> Review:
    """Return a review with random evaluations, grades and lines; its statements are not true."""
    rng = random.Random(seed)
    moves = [move for move in game.moves if move.point >= 0]
    evaluations = [
        rng.choice([Verdict(), Verdict(None, rng.random()), won_by(BLACK), won_by(WHITE)])
        for _ in range(len(moves) + 1)
    ]
    trial = Game(game.rules, game.size)
    made = []
    for move, plain in zip(moves, plain_moves(game, evaluations), strict=True):
        better = [vertex for vertex in trial.legal_moves(move.color) if vertex != move.vertex][:2]
        trial.play_point(move.point, move.color)
        graded = replace(plain, grade=rng.choice(list(Grade)))
        if graded.grade.is_mistake and better:
            graded = replace(graded, better=tuple(better), punishment=tuple(trial.legal_moves()[:2]))
        made.append(plain if graded.grade.is_mistake and not better else graded)
    return Review(moves=tuple(made), evaluations=tuple(evaluations), game=game, outcome=game.outcome)


def plain_moves(game: Game, evaluations: Sequence[Verdict]) -> list[ReviewedMove]:
    """Return the moves of a game up to a resignation, with the evaluations of its positions."""
    moves = [move for move in game.moves if move.point >= 0]
    return [
        ReviewedMove(number=n, color=move.color, vertex=move.vertex, evaluation_before=before, evaluation_after=after)
        for n, (move, (before, after)) in enumerate(zip(moves, pairwise(evaluations), strict=True), 1)
    ]


def with_extras(tree: Node, seed: int) -> Node:
    """Add properties and variations of other programs to random nodes."""
    rng = random.Random(seed)
    for node in list(tree.main_line()):
        if rng.random() < 0.5:
            name, _, value = rng.choice(EXTRAS).partition("[")
            node.properties[name] = [value[:-1].encode()]
        if node.children and rng.random() < 0.3:
            node.add(Node({"C": [b"variation"]}))
    return tree


@given(plans(sides=(3, 7), most=25, rules=["first-capture", "chinese"]), st.integers(0, 2**32))
def test_what_was_in_a_file_stays_and_a_second_review_changes_nothing(plan: Plan, seed: int) -> None:
    game = plan.after()
    review = invented(game, seed)
    tree = with_extras(read_tree(sgf.dump(game)), seed)
    before = dump_trees([tree])
    annotate(tree, review)
    once = dump_trees([tree])
    again = read_tree(once)
    annotate(again, review)
    assert dump_trees([again]) == once
    assert sgf.load(once).moves == game.moves
    strip(again)
    original = read_tree(before)
    for node in (*again.main_line(), *original.main_line()):
        node.properties.pop("SBKV", None)  # the only property that is replaced
    assert dump_trees([again]) == dump_trees([original])


@given(plans(sides=(3, 6), most=25, rules=["first-capture"]), st.integers(0, 2**32))
def test_marks_exclude_one_another_as_ff4_demands(plan: Plan, seed: int) -> None:
    game = plan._replace(height=plan.width).after()
    tree = read_tree(sgf.dump(game))
    annotate(tree, invented(game, seed))
    rest = [sgfmill_sgf.Sgf_game.from_bytes(dump_trees([tree])).get_root()]
    while rest:
        node = rest.pop()
        assert exclusive(node)
        for name in set(node.properties()) - {"GCR"}:
            node.get(name)  # a value that sgfmill cannot read raises an error
        rest += list(node)


def one_mistake() -> tuple[Game, Review]:
    game = played(5, "A1", "C3", "E5")
    evaluations = won_by(BLACK), won_by(WHITE), won_by(WHITE), won_by(WHITE)
    first, *others = plain_moves(game, evaluations)
    first = replace(first, grade=Grade.LOSING, better=("C3", "A1"), punishment=("B2",))
    return game, Review(moves=(first, *others), evaluations=evaluations, game=game, outcome=None)


def annotated(data: bytes) -> Node:
    tree = read_tree(data)
    annotate(tree, one_mistake()[1])
    return tree


def test_a_losing_move_gets_its_mark_a_bookmark_and_both_lines() -> None:
    tree = annotated(sgf.dump(one_mistake()[0]))
    move, better = tree.children
    assert (move.text("BM"), move.text("HO"), move.text("SBKV"), move.text("GW")) == ("2", "1", "0", "1")
    assert move.text("C") == "Review: A1 turns a win into a loss. C3 wins. Now White wins with B2."
    assert (better.text("B"), better.text("SBKV"), better.text("GB")) == ("cc", "100", "1")
    assert better.children[0].text("C") == "Review: Black wins."
    assert [child.text("W") for child in move.children] == ["cc", "bd"]
    assert "Deciding mistake: move 1, Black A1." in tree.text("C")


@pytest.mark.parametrize("mark", ["BM[1]", "DO[]", "IT[]", "TE[1]"])
def test_a_mark_of_a_teacher_stays_and_the_judgement_is_in_the_comment(mark: str) -> None:
    tree = annotated(f"(;SZ[5];B[ae]{mark}C[look];W[cc];B[ea])".encode())
    node = tree.children[0]
    assert {name for name in ("BM", "DO", "IT", "TE") if name in node.properties} == {mark[:2]}
    assert f"{mark[:2]}[{node.properties[mark[:2]][0].decode()}]" == mark
    assert node.text("C").startswith("look\n\nReview: A1 turns a win into a loss.")


def test_what_a_reader_edits_in_a_review_stays() -> None:
    tree = annotated(b"(;SZ[5];B[ae];W[cc];B[ea])")
    node = tree.children[0]
    node.set_text("C", node.text("C").replace("turns", "sadly turns"))
    tree.children[1].add(Node({"C": [b"and then?"]}))
    strip(tree)
    assert "sadly" in tree.children[0].text("C")
    assert tree.children[1].children[0].properties["C"] == [b"and then?"]


def test_an_older_review_is_replaced_also_if_line_ends_were_changed() -> None:
    data = dump_trees([annotated(b"(;SZ[5]C[mine];B[ae];W[cc];B[ea])")]).replace(b"\n", b"\r\n")
    tree = annotated(data)
    assert tree.text("C").count("Review:") == 1
    assert tree.text("C").startswith("mine")


def test_a_line_that_was_made_the_main_line_is_not_removed() -> None:
    tree = annotated(b"(;SZ[5];B[ae];W[cc];B[ea])")
    tree.children.reverse()
    before = len(list(tree.main_line()))
    strip(tree)
    assert len(list(tree.main_line())) == before
    forged = read_tree(b"(;SZ[5];B[ae]GCR[B=ae];W[cc]GCR[MOVE])")
    strip(forged)
    assert [node.text("B") + node.text("W") for node in forged.main_line()] == ["", "ae", "cc"]


def test_a_better_move_that_is_already_a_variation_is_not_added_twice() -> None:
    tree = annotated(b"(;SZ[5](;B[ae];W[cc];B[ea])(;B[cc]C[mine]))")
    assert [child.text("B") for child in tree.children] == ["ae", "cc"]
    assert tree.children[1].text("C") == "mine"


def test_a_line_is_not_added_after_the_last_move() -> None:
    """It would become a part of the game."""
    game, review = one_mistake()
    while len(game.moves) > 1:
        game.undo()
    short = replace(review, evaluations=review.evaluations[:2], moves=review.moves[:1])
    tree = read_tree(sgf.dump(game))
    annotate(tree, short)
    assert tree.children[0].children == []


def test_a_move_in_the_root_and_nodes_without_moves_are_annotated() -> None:
    tree = annotated(b"(;SZ[5]B[ae];C[a note];W[cc];B[ea])")
    nodes = list(tree.main_line())
    assert [node.text("SBKV") for node in nodes] == ["0", "0", "0", "0"]
    assert tree.text("BM") == "2"
    assert "Deciding mistake" in tree.text("C")


@given(st.lists(st.sampled_from(PARTS), max_size=14), st.integers(0, 99))
def test_any_tree_of_a_game_that_can_be_replayed_can_be_annotated(parts: list[str], seed: int) -> None:
    data = f"(;SZ[5]{''.join(parts)})".encode()
    try:
        game, tree = sgf.load(data), read_tree(data)
    except sgf.SgfError:
        return
    evaluations = tuple(won_by(int(BLACK if (seed >> n) % 2 else WHITE)) for n in range(len(game.moves) + 1))
    annotate(tree, Review(moves=(*plain_moves(game, evaluations),), evaluations=evaluations, game=game, outcome=None))
    assert sgf.load(dump_trees([tree])).moves == game.moves
