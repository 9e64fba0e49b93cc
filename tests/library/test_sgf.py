"""Games as SGF: text, files, and what is refused."""

from __future__ import annotations

import io
import pickle
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sgfmill import sgf as sgfmill_sgf

import gtp_capture as gc
from gtp_capture.go.sgf import MOST_BYTES

from ..support.random_games import Plan, plans


def test_a_collection_gives_every_game() -> None:
    games = [gc.Game("first-capture", 5), gc.Game("japanese", (9, 7)), gc.Game("capture-3", 4)]
    for game in games:
        game.play("B2")
    assert gc.load_sgf_collection("\n".join(map(gc.dump_sgf, games)).encode()) == games


@pytest.mark.parametrize(
    ("named", "given_rules", "used"),
    [
        ("Japanese", None, "japanese"),
        ("Japanese", "capture-3", "capture-3"),
        ("capture-5", "capture-3", "capture-5"),
    ],
)
def test_the_rules_are_those_of_the_file_unless_a_capture_game_is_given(
    named: str, given_rules: str | None, used: str
) -> None:
    assert str(gc.load_sgf(f"(;SZ[9]RU[{named}];B[ee])", given_rules).rules) == used


@pytest.mark.parametrize("text", ["", "hello", "(;SZ[99])", "(;SZ[5];B[cc];W[cc])", "(;SZ[5]C[x"])
def test_text_without_a_game_is_refused(text: str) -> None:
    with pytest.raises(gc.SgfError):
        gc.load_sgf(text)
    with pytest.raises(gc.SgfError):
        gc.load_sgf_collection(text)


GOOD = "(;FF[4]GM[1]SZ[5]PB[Ann]C[about it];B[cc];W[bb])\n"
DAMAGED = {
    "(;FF[4]GM[1]SZ[5];B[cc];W[cc])": "move 2: white C3: the point is not empty",
    "(;FF[4]GM[1]SZ[5];B[cc]C[no end": "after move 1: the value of C has no ] at its end",
    "(;FF[4]GM[1]SZ[5];B[zz])": "move 1: B[zz] is not a point of the 5x5 board",
    "(;FF[4]GM[1]SZ[99];B[cc])": "SZ[99]: a board has 2 to 25 points a side, not 99x99",
    "(;FF[4]GM[2]SZ[5];B[cc])": "GM[2] is not the game of Go",
}


@pytest.mark.parametrize("damaged", DAMAGED)
def test_one_bad_game_of_a_thousand_loses_none_of_the_others(damaged: str, tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text(GOOD * 499 + damaged + "\n" + GOOD * 500)
    items = list(gc.iter_sgf([tmp_path / "missing.sgf", path], errors="skip"))
    missing, bad = [item for item in items if item.game is None]
    assert isinstance(missing.error, FileNotFoundError)
    assert (bad.path, bad.number, str(bad.error)) == (path, 500, f"{path}: game 500: {DAMAGED[damaged]}")
    good = gc.load_sgf(GOOD)
    assert [item.game for item in items if item.error is None] == [good] * 999
    assert items[1].tree().comment == "about it" == good.info["comment"]
    read = gc.iter_sgf(path)
    assert all(next(read).game == good for _ in range(499))
    with pytest.raises(gc.SgfError, match="game 500"):
        next(read)


@pytest.mark.parametrize(
    ("comment", "moves", "told"),
    [(r"foo;B[aa", 1, True), (r"foo] ;B[aa", 2, False), (r"see ;B[aa\] there", 1, False), (r";B[aa\]", 1, False)],
)
def test_a_comment_that_goes_on_into_a_move_is_told(comment: str, moves: int, told: bool, tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text(f"(;SZ[5]C[{comment}];W[bb])")
    (item,) = gc.iter_sgf(tmp_path / "a.sgf", "capture-2")
    assert item.game is not None
    assert len(item.game.moves) == moves
    assert ("a comment ends with a move: if its ] is missing, the moves in it are not read" in item.notices) is told


def test_a_game_without_its_last_bracket_is_read_and_so_is_the_next_one(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text(GOOD + GOOD.replace(")", "") + "(;SZ[7];B[aa](;W[bb])(;W[cc]))")
    items = list(gc.iter_sgf(tmp_path / "a.sgf", "capture-2"))
    assert [(item.number, str(item.game)[:0], len(item.notices)) for item in items] == [
        (1, "", 0),
        (2, "", 1),
        (3, "", 0),
    ]
    assert [item.game.size for item in items if item.game is not None] == [(5, 5), (5, 5), (7, 7)]
    assert {str(item.game.rules) for item in items if item.game is not None} == {"capture-2"}
    trees = gc.load_sgf_trees((tmp_path / "a.sgf").read_bytes())
    assert [len(list(tree.walk())) for tree in trees] == [3, 3, 4]
    with pytest.raises(gc.SgfError, match="game 2: after move 1: the value of C has no ]"):
        gc.load_sgf_trees(GOOD + "(;SZ[5];B[aa]C[x")
    assert [node.move for node in gc.Node.of(gc.load_sgf(GOOD)).walk()] == [None, "C3", "B4"]


def test_an_error_in_a_collection_names_the_game() -> None:
    with pytest.raises(gc.SgfError, match=r"^game 2: "):
        gc.load_sgf_collection("(;SZ[5];B[cc])(;SZ[5];B[cc];W[cc])")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;SZ[5];B[zz])", "move 1: B[zz] is not a point of the 5x5 board"),
        ("(;SZ[5];AB[aa:zz])", "move 1: AB[zz] is not a point of the 5x5 board"),
        ("(;SZ[5]AB[aa:bb:cc:])", "AB[] is not a point of the 5x5 board"),
        ("(;SZ[5]AW[aa][aa:bb]AB[ab])", "A4 cannot take a stone"),
        ("(;SZ[9:9:9])", "SZ[9:9:9]: a board size is a number of points a side, or two as in 9:7"),
        ("(;SZ[1])", "SZ[1]: a board has 2 to 25 points a side, not 1x1"),
        ("(;GM[chess])", "GM[chess] is not the game of Go"),
    ],
)
def test_a_malformed_value_in_sgf_has_its_place_and_reason(text: str, message: str) -> None:
    with pytest.raises(gc.SgfError, match=f"^{re.escape(message)}$"):
        gc.load_sgf(text)


def test_lone_surrogates_in_sgf_text_do_not_matter() -> None:
    assert len(gc.load_sgf("(;SZ[5]PB[\udce9\ud800];B[cc])").moves) == 1


def test_the_charset_of_text_does_not_matter() -> None:
    assert len(gc.load_sgf("(;SZ[5]CA[Shift_JIS]PB[ソ囲碁];B[cc])").moves) == 1


# --- What is unusual ---


@pytest.mark.parametrize(
    ("text", "given_rules", "used", "words"),
    [
        (
            "RU[Unheard of];B[cc]",
            None,
            "first-capture",
            "RU[Unheard of] is not known: first-capture is used; others: rules=capture-5, or rules=japanese for Go",
        ),
        ("RU[Unheard of];B[cc]", "aga", "aga", "RU[Unheard of] is not known: aga is used"),
        ("RU[GOE];B[cc]", None, "tromp-taylor dead_stones=yes", "RU[GOE] has rules of its own: tromp-taylor"),
        (
            ";B[ab];W[aa];B[ba];W[cc]",
            None,
            "first-capture",
            "the file names no rules: first-capture is used, under",
        ),
    ],
)
def test_a_warning_tells_which_rules_are_used_if_the_file_does_not(
    text: str, given_rules: str | None, used: str, words: str
) -> None:
    data = f"(;SZ[5]{text})"
    with pytest.warns(UserWarning, match="^" + re.escape(words)) as warned:
        assert str(gc.load_sgf(data, given_rules).rules) == used
    assert len(warned) == 1
    assert warned[0].filename == __file__


def test_a_file_without_its_last_bracket_is_read_with_a_warning() -> None:
    with pytest.warns(UserWarning, match=r"the last \) is missing"):
        assert len(gc.load_sgf("(;SZ[5];B[cc];W[dd](;B[aa];W[bb]").moves) == 4


# --- What is kept ---


@pytest.mark.parametrize(
    "text",
    [
        "(;AP[x:1]DT[2001-02-03]EV[Cup]PB[Zoé]PW[山]RE[W+R]SZ[5]C[a \\] b];B[cc]C[first]LB[cc:1];C[alone];W[dd])",
        "(;GM[1]SZ[5]RE[B+2.5]PB[A](;B[cc];W[dd]C[end])(;B[aa]C[another];W[bb]))",
        "(;SZ[5]PB[A]HA[2];AB[aa][bb]C[setup];W[cc]N[name])",
        "(;SZ[5]B[cc]C[in the root];W[dd]BL[7])",
        "(;SZ[5]RE[Void]C[no move])",
    ],
)
def test_what_is_in_a_file_is_written_again(text: str) -> None:
    game = gc.load_sgf(text)
    for again in (gc.dump_sgf(game), gc.dump_sgf(pickle.loads(pickle.dumps(game.copy())))):
        assert gc.load_sgf(again) == game
        assert gc.dump_sgf(gc.load_sgf(again)) == again
        written, given_tree = texts(again), texts(text)
        assert {name: written[name] for name in given_tree} == given_tree
        assert again.count(";") == text.count(";") + ("]B[" in text)  # a move in the root gets a node


def texts(text: str) -> dict[str, list[str]]:
    """Return all values of the properties that are not those of the board, by sgfmill's parser."""
    of_names: dict[str, list[str]] = {}
    rest = [sgfmill_sgf.Sgf_game.from_bytes(text.encode()).get_root()]
    while rest:
        node = rest.pop()
        for name in set(node.properties()) - {"AB", "AW", "HA", "KM", "B", "W", "SZ", "CA"}:
            of_names.setdefault(name, []).append(node.get_raw(name).decode())
        rest += list(node)
    return {name: sorted(values) for name, values in of_names.items()}


def test_a_game_that_goes_on_otherwise_keeps_the_names_but_not_the_result() -> None:
    game = gc.load_sgf("(;SZ[5]PB[A]RE[W+R]C[x];B[cc]C[kept];W[dd]C[a line];B[aa])")
    game.undo()
    shorter = gc.dump_sgf(game)
    game.undo()
    game.play("A1")
    game.info["white"] = "B"
    other = gc.dump_sgf(game, comment="mine")
    assert [m.vertex for m in gc.load_sgf(shorter).moves] == ["C3", "D2"]
    assert [m.vertex for m in gc.load_sgf(other).moves] == ["C3", "A1"]
    assert ("PB[A]" in shorter, "C[a line]" in shorter, "RE[" in shorter) == (True, True, False)
    assert ("PB[A]PW[B]" in other, "C[kept]" in other, "C[a line]" in other, "C[mine]" in other, "RE[" in other) == (
        *(True, True, True, True, False),
    )
    game.clear()
    assert "PB[" not in gc.dump_sgf(game)


def test_a_comment_is_added_to_that_of_the_file_once() -> None:
    game = gc.load_sgf("(;SZ[5];B[cc]C[theirs])")
    again = gc.load_sgf(gc.dump_sgf(game, comment="ours"))
    assert "C[theirs\n\nours]" in gc.dump_sgf(again, comment="ours")


def test_the_bytes_of_a_charset_that_is_not_known_survive(tmp_path: Path) -> None:
    name = b"\xc8\xe2 \xbd\xa4"
    (tmp_path / "a.sgf").write_bytes(b"(;SZ[5]CA[none]PB[%s];B[cc])" % name)
    game = gc.read_sgf(tmp_path / "a.sgf")
    game.info["white"] = "x"
    gc.write_sgf(game, tmp_path / "b.sgf")
    data = (tmp_path / "b.sgf").read_bytes()
    assert b"CA[none]" in data
    assert b"PB[%s]PW[x]" % name in data
    with (tmp_path / "a.sgf").open(encoding="utf-8", errors="surrogateescape") as file:
        game = gc.read_sgf(file)
    game.info["white"] = "x"
    with (tmp_path / "c.sgf").open("w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(gc.dump_sgf(game))
    assert (tmp_path / "c.sgf").read_bytes() == data


@pytest.mark.parametrize(
    ("written", "points"),
    [
        ("KM[375]AP[foxwq]", 7.5),
        ("KM[375]", 7.5),
        ("KM[325]", 6.5),
        ("KM[650]AP[foxwq]", 6.5),
        ("KM[750]", 7.5),
        ("KM[50]AP[foxwq]", 0.5),
        ("KM[3.75]AP[foxwq]", 7.5),
        ("KM[50]", 50.0),
        ("KM[-7,5]", -7.5),
    ],
)
def test_komi_is_in_points_whatever_the_unit_of_the_file(written: str, points: float) -> None:
    game = gc.load_sgf(f"(;SZ[19]{written}RU[Chinese];B[dd])")
    assert game.komi == points
    assert gc.load_sgf(gc.dump_sgf(game)).komi == points


@given(st.integers(-1000, 1000).map(lambda quarters: quarters / 4), st.sampled_from(["", "AP[foxwq]"]))
def test_any_komi_comes_back(komi: float, program: str) -> None:
    game = gc.load_sgf(f"(;SZ[9]RU[Chinese]{program})")
    game.set_komi(komi)
    assert gc.load_sgf(gc.dump_sgf(game)).komi == komi or (program and komi % 0.5)


# --- Facts about a game, and its tree ---


LINES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=9)
FACTS = {
    **{"black": "PB", "white": "PW", "black_rank": "BR", "white_rank": "WR", "result": "RE", "date": "DT"},
    **{"place": "PC", "event": "EV", "round": "RO", "name": "GN", "comment": "C", "game_comment": "GC"},
}
INFOS = st.dictionaries(st.sampled_from(sorted(FACTS)), LINES.filter(bool))
MARKS = {"triangle": "TR", "square": "SQ", "circle": "CR", "cross": "MA", "selected": "SL"}


@given(plans(9), INFOS)
@example(plan=Plan("first-capture", 2, 2, [0]), info={"black": "(;"})
def test_the_facts_about_a_game_are_what_sgfmill_reads_and_come_back(plan: Plan, info: dict[str, str]) -> None:
    game = plan._replace(height=plan.width).after()
    game.info = info  # type: ignore[assignment]
    text = gc.dump_sgf(game)
    root = sgfmill_sgf.Sgf_game.from_string(text).get_root()
    assert {key: root.get(name) for key, name in FACTS.items() if root.has_property(name)} == (
        {"result": gc.load_sgf(text).info.get("result"), **info} if game.is_over else info
    )
    again = gc.load_sgf(text)
    assert {**again.info, **info} == again.info
    assert pickle.loads(pickle.dumps(again)).info == again.copy().info == again.info
    assert gc.dump_sgf(again) == text


def test_a_result_that_is_said_is_written_and_a_wrong_fact_is_named() -> None:
    game = gc.Game(size=5)
    game.info = {"result": "W+T", "comment": "two\nlines", "black": "one\nline"}
    again = gc.load_sgf(gc.dump_sgf(game))
    assert again.info == {"result": "W+T", "comment": "two\nlines", "black": "one line"}
    del again.info["black"]
    assert "PB[" not in gc.dump_sgf(again)
    for wrong, error, words in (
        ({"blak": "Ann"}, ValueError, "'blak' is no fact of a game; the facts are black, white, "),
        ({"black": 5}, TypeError, "info['black'] is text, not 5"),
        ("Ann", TypeError, "info is a dict such as {'black': 'Ann'}, not 'Ann'"),
    ):
        game.info = wrong  # type: ignore[assignment]
        with pytest.raises(error, match=re.escape(words)):
            gc.dump_sgf(game)
    game.clear()
    assert game.info == {}


@st.composite
def gc_trees(draw: st.DrawFn) -> gc.Node:
    """A tree of legal moves, by the public functions alone, with comments, marks and labels."""
    size = draw(st.integers(2, 19))
    root = gc.load_sgf_tree(f"(;SZ[{size}]RU[japanese])")
    root.info = draw(INFOS)  # type: ignore[assignment]
    nodes = [root]
    points = [move for move in gc.Game(size=size).legal_moves() if move != "pass"]
    for _ in range(draw(st.integers(0, 12))):
        node = draw(st.sampled_from(nodes))
        legal = node.game().legal_moves()
        nodes.append(node.play(draw(st.sampled_from(legal)))) if legal else None
        nodes[-1].comment = draw(LINES)
        for vertex in draw(st.lists(st.sampled_from(points), max_size=2)):
            nodes[-1].mark(vertex, draw(st.sampled_from([*MARKS, None])))
            nodes[-1].label(vertex, draw(LINES))
    return root


@given(gc_trees())
def test_a_tree_is_what_sgfmill_reads_and_comes_back(tree: gc.Node) -> None:
    text = gc.dump_sgf(tree)
    again, other = gc.load_sgf_tree(text), sgfmill_sgf.Sgf_game.from_string(text).get_root()
    assert again.info == tree.info == {key: other.get(name) for key, name in FACTS.items() if other.has_property(name)}
    assert gc.dump_sgf(again) == text
    rest = [(tree, again, other)]
    for node, read, theirs in rest:  # grows during the loop
        color, point = theirs.get_move()
        vertex = None if color is None else "pass" if point is None else vertex_of(point)
        assert (node.color and str(node.color)[0], node.move) == (color, vertex)
        assert (read.color, read.move, read.to_move) == (node.color, node.move, node.to_move)
        assert read.comment == node.comment == (theirs.get("C") if theirs.has_property("C") else "")
        marked = {kind: theirs.get(name) for kind, name in MARKS.items() if theirs.has_property(name)}
        assert {vertex_of(point): kind for kind, points in marked.items() for point in points} == node.marks
        labels = theirs.get("LB") if theirs.has_property("LB") else []
        assert {vertex_of(point): label for point, label in labels} == node.labels
        assert (read.marks, read.labels) == (node.marks, node.labels)
        assert [move.vertex for move in read.game().moves] == [each.move for each in node.path()[1:]]
        copied = pickle.loads(pickle.dumps(read))
        assert (copied.path()[0].info, copied.move, copied.properties) == (tree.info, node.move, read.properties)
        rest += zip(node.children, read.children, list(theirs), strict=True)
    assert len(rest) == len(list(tree.walk()))


def vertex_of(point: tuple[int, int]) -> str:
    """The vertex of a point as sgfmill has it: row and column from 0."""
    row, column = point
    return f"{'ABCDEFGHJKLMNOPQRST'[column]}{row + 1}"


def test_a_move_that_a_tree_has_is_not_added_again_and_its_game_is_checked(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;SZ[5]RE[W+R]PB[A];B[cc](;W[bb])(;W[cc]TR[aa:bb]))")
    tree = gc.read_sgf_tree(tmp_path / "a.sgf")
    first = tree.children[0]
    assert first.play("B4") is first.children[0]
    assert [node.move for node in first.play("D2", "E1").path()] == [None, "C3", "D2", "E1"]
    assert first.children[1].marks == dict.fromkeys(["A4", "B4", "A5", "B5"], "triangle")
    with pytest.raises(gc.SgfError, match="move 2: white C3: the point is not empty"):
        first.children[1].game()
    assert (first.children[0].game().info, first.game("capture-3").info) == (
        {"black": "A", "result": "W+R"},
        {"black": "A"},
    )
    tree.children.clear()
    gc.write_sgf(tree, tmp_path / "a.sgf")
    assert (tmp_path / "a.sgf").read_text() == "(;CA[UTF-8]PB[A]RE[W+R]SZ[5])\n"
    wrong: list[Callable[[], object]] = [lambda: tree.play("Z9"), lambda: tree.mark("pass", "cross")]
    kinds: list[Any] = ["star", []]
    wrong += [partial(tree.mark, "A1", kind) for kind in kinds]
    for use in wrong:
        with pytest.raises(
            ValueError, match=r"Z9 is not on|not a point of the board: 'pass'|a mark is triangle, .*('star'|\[\])"
        ):
            use()
    with pytest.raises(TypeError, match="have comments of their own"):
        gc.dump_sgf(tree, comment="x")


# --- Files ---


def test_a_file_is_written_and_read_by_its_path_or_open(tmp_path: Path) -> None:
    game, path = gc.Game("capture-3", 5), tmp_path / "game.sgf"
    game.play("B2")
    game.info["black"] = "Ô"
    gc.write_sgf(game, path)
    assert gc.read_sgf(path) == gc.read_sgf(str(path)) == game
    assert path.read_text("utf-8") == gc.dump_sgf(game)
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        assert gc.read_sgf(binary) == gc.read_sgf(text) == game
    for memory in (io.StringIO(), io.BytesIO()):
        gc.write_sgf(game, memory)
        memory.seek(0)
        assert gc.read_sgf(memory) == game


def test_a_file_opened_with_another_encoding_gets_utf_8(tmp_path: Path) -> None:
    game = gc.Game(size=5)
    game.info["black"] = "Zoé 山"
    with (tmp_path / "game.sgf").open("w", encoding="cp1252") as file:
        gc.write_sgf(game, file)
        gc.write_sgf(gc.Game(size=7), file)
    assert "PB[Zoé 山]" in (tmp_path / "game.sgf").read_text("utf-8")
    assert [game.width for game in gc.load_sgf_collection((tmp_path / "game.sgf").read_bytes())] == [5, 7]


def test_a_file_that_cannot_be_read_has_its_reason(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        gc.read_sgf(tmp_path / "missing.sgf")
    (tmp_path / "rules.sgf").write_text("(;SZ[5])")
    assert str(gc.read_sgf(tmp_path / "rules.sgf", "aga").rules) == "aga"
    with pytest.raises(gc.SgfError, match=re.escape(f"{tmp_path}: Is a directory")):
        gc.read_sgf(tmp_path)
    with pytest.raises(gc.SgfError, match="larger than"):
        gc.read_sgf(io.BytesIO(b" " * (MOST_BYTES + 1)))
    with pytest.raises(OSError, match="missing"):
        gc.write_sgf(gc.Game(), tmp_path / "missing" / "game.sgf")
