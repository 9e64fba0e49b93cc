"""SGF trees read and written: variations, charsets, bounds."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf as sgfmill_sgf

from gtp_capture import BLACK, WHITE
from gtp_capture.go import board as bd
from gtp_capture.go import sgf, sgf_tree
from gtp_capture.go.sgf_tree import Node, dump_trees, move_node, point_text, read_tree
from gtp_capture.go.vertex import PASS

from ..support.random_games import Plan, plans


def outline(node: Node) -> tuple[object, ...]:
    """Return a tree as nested tuples."""
    return node.properties, [outline(child) for child in node.children]


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\t\f\v\0"), min_size=1, max_size=40))
def test_a_text_comes_back_as_it_was(text: str) -> None:
    node = Node()
    node.set_text("C", text)
    assert read_tree(dump_trees([node])).text("C") == text
    assert sgfmill_sgf.Sgf_game.from_bytes(dump_trees([read_tree(dump_trees([node]))])).get_root().get("C") == text


def test_a_node_is_in_one_tree_and_in_one_place_of_it() -> None:
    tree = read_tree(b"(;SZ[5];B[aa];W[bb];B[cc])")
    first, second, third = [*tree.main_line()][1:]
    before, alone = dump_trees([tree]), Node()
    wrong = [(third, [each]) for each in (tree, third, second)]
    for node, moves in [*wrong, (tree, [second]), (tree, [alone] * 2), (Node(), [first])]:
        with pytest.raises(ValueError, match="is in a tree already"):
            node.add(*moves)
        assert dump_trees([tree]) == before
    first.children.remove(second)
    with pytest.raises(ValueError, match="is in a tree already"):
        third.add(second)  # it still leads to the third
    other = read_tree(b"(;SZ[9];B[ee])")
    assert other.children[0].add(second) is second
    assert (third.root, third.move, third.path()) == (other, "C7", [other, other.children[0], second, third])
    assert dump_trees([other]) == b"(;SZ[9]CA[UTF-8];B[ee];W[bb];B[cc])\n".replace(b"SZ[9]CA[UTF-8]", b"CA[UTF-8]SZ[9]")
    third.children.append(other)
    with pytest.raises(ValueError, match="add puts a node into a tree"):
        dump_trees([other])


def test_the_move_of_a_node_costs_the_same_at_any_depth() -> None:
    def steps(moves: int) -> int:
        """The lines that Python runs to read all moves of a long game."""
        line, count = [*read_tree(b"(;SZ[9]" + b";B[aa]" * moves + b")").main_line()], 0

        def trace(frame: object, event: str, _: object) -> object:
            nonlocal count
            count += event == "line"
            return trace

        before = sys.gettrace()
        sys.settrace(trace)  # type: ignore[arg-type]
        try:
            assert {node.move for node in line[1:]} == {"A9"}
        finally:
            sys.settrace(before)
        return count

    assert steps(2000) < 11 * steps(200)


def test_variations_stay_in_their_order() -> None:
    tree = read_tree(b"(;SZ[5];B[aa](;W[bb];B[cc])(;W[dd](;B[ee])(;B[ea])))")
    assert [node.properties.get("B") for node in tree.main_line()] == [None, [b"aa"], None, [b"cc"]]
    second = tree.children[0].children[1]
    assert second.properties == {"W": [b"dd"]}
    assert [child.properties["B"] for child in second.children] == [[b"ee"], [b"ea"]]


def test_names_in_small_letters_do_not_damage_the_file() -> None:
    tree = read_tree(b"(;x[1]AddBlack[aa]CA[UTF-8];y[2];b[cc])")
    assert dump_trees([tree]) == b"(;AB[aa]CA[UTF-8]X[1];Y[2];B[cc])\n"


def test_text_without_a_charset_is_utf_8_if_it_is_valid_as_that_and_else_latin_1() -> None:
    assert read_tree("(;C[表])".encode()).text("C") == "表"
    assert read_tree("(;C[é])".encode("iso-8859-1")).text("C") == "é"
    assert read_tree(b"(;CA[UTF-8]C[\xe9 a])").text("C") == "é a"


@given(plans(sides=(2, 25), most=12, rules=["japanese"]))
def test_moves_on_boards_of_any_shape_are_where_sgf_has_them(plan: Plan) -> None:
    game = plan.after()
    tree = read_tree(sgf.dump(plan.game()))
    tree.add(*(move_node(int(move.color), move.point, game.width, game.height) for move in game.moves))
    assert sgf.load(dump_trees([tree])).moves == game.moves


def test_the_corners_of_a_rectangle_have_their_texts() -> None:
    board = bd.new(7, 4)
    corners = [bd.points(board)[i] for i in (0, 6, 21, 27)]
    assert [point_text(p, 7, 4) for p in corners] == [b"ad", b"gd", b"aa", b"ga"]
    assert move_node(int(WHITE), PASS, 7, 4).properties == {"W": [b""]}
    assert list(move_node(int(BLACK), corners[0], 7, 4).properties) == ["B"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"no game", "no SGF data found"),
        (b"(;C[aa", "before the first move: the value of C has no ] at its end"),
        (b"(;SZ[5];B[aa];W[b", "after move 1: the value of W has no ] at its end"),
        pytest.param(b"(;" * (sgf_tree.MOST_NODES + 1), "more than 100,000 nodes", marks=pytest.mark.slow),
        pytest.param(b"(" + b";" * (sgf_tree.MOST_NODES + 1) + b")", "more than 100,000 nodes", marks=pytest.mark.slow),
        (b"(;A" + b"[]" * (sgf_tree.MOST_VALUES + 1) + b")", "more than 200,000 values"),
        (b"(;B)", "before the first move: B has no value"),
        (b"(())", "no SGF data found"),
        (b"(;[aa])", r"before the first move: \[aa\] is outside of a value"),
        (b"(;SZ[5];B[aa](C[x]))", "after move 1: C is not in a node, which begins with ;"),
        (b"(;SZ[5];B[aa]--;W[bb])", "after move 1: -- is outside of a value"),
        (
            b"(;SZ[5];B[aa];W[bb]C[see [1] here];B[cc])",
            r"after move 2: here\] is outside of a value; a \] inside",
        ),
    ],
)
def test_data_without_a_tree_gets_a_reason(data: bytes, message: str) -> None:
    with pytest.raises(sgf.SgfError, match=message):
        read_tree(data)


@given(st.lists(st.sampled_from([b"(", b")", b";", b"[", b"]", b"\\", b"B[aa]", b"C", b"x", b"\x8c", b"CA[gbk]"])))
def test_random_data_is_a_tree_or_gets_a_reason(parts: list[bytes]) -> None:
    try:
        tree = read_tree(b"(;" + b"".join(parts))
    except sgf.SgfError:
        return
    assert outline(read_tree(dump_trees([tree]))) == outline(tree)
