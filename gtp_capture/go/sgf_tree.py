"""Whole SGF trees: nodes with their properties and variations, read with bounds and written, through sgfmill.

`sgf` reads and writes games; this module is for files whose comments, marks and variations matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from sgfmill import sgf_grammar

from .sgf import CHARSET, SgfError, as_utf8, check_charset, marks
from .vertex import COLOR_LETTERS, PASS, column_row, point_at

MOST_NODES: Final = 100_000
"""Nodes of a tree, all variations included."""
MOST_VALUES: Final = 200_000
"""Property values of a tree."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


@dataclass(eq=False)
class Node:
    """A node of a tree. All bytes are UTF-8."""

    properties: dict[str, list[bytes]] = field(default_factory=dict)
    """The values as they stand in the file: escaped, without brackets."""
    children: list[Node] = field(default_factory=list)
    """The next move of the line first, then its variations."""

    def text(self, name: str) -> str:
        """Return the first value of a property as text; "" if the node does not have it."""
        values = self.properties.get(name)
        return sgf_grammar.text_value(values[0]).decode("utf-8", "replace") if values else ""

    def set_text(self, name: str, text: str) -> None:
        """Set a property to one text, with the escapes that it needs."""
        self.properties[name] = [sgf_grammar.escape_text(text.encode("utf-8", "replace"))]

    def main_line(self) -> Iterator[Node]:
        """Yield this node and the first child of each node that follows."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.children[0] if node.children else None

    def add(self, *moves: Node) -> Node:
        """Append moves that follow each other as a variation; return its last node."""
        node = self
        for move in moves:
            node.children.append(move)
            node = move
        return node


def read_tree(data: bytes) -> Node:
    """Return the first game of a file as a tree with its text in UTF-8, whatever the charset of the file.

    Text without a charset is read as UTF-8 if it is valid as that, else as ISO-8859-1. The moves are not checked;
    `sgf.load` does that. SgfError: not SGF, too many nodes or values, or a charset that does not contain ASCII.
    """
    data = as_utf8(data)
    try:
        data.decode()
    except UnicodeDecodeError:
        declared = CHARSET.search(data) is not None
        data = data.decode(*(("utf-8", "replace") if declared else ("iso-8859-1",))).encode()
    for _ in marks(data, MOST_NODES, MOST_VALUES):  # checks the sizes before the parser reads the data
        pass
    try:
        coarse = sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        raise SgfError(str(error)) from None
    root = Node(coarse.sequence[0])
    check_charset(root.properties)
    root.properties["CA"] = [b"UTF-8"]
    _expand(coarse, root)
    return root


def dump_trees(trees: Iterable[Node]) -> bytes:
    """Return trees as a file: one game, or a collection of several."""
    return b"".join(
        sgf_grammar.serialise_game_tree(
            sgf_grammar.make_coarse_game_tree(tree, lambda node: node.children, lambda node: node.properties)
        )
        for tree in trees
    )


def point_text(point: int, width: int, height: int) -> bytes:
    """Return a point, or PASS, as SGF writes it: column and row, counted from the upper left corner."""
    if point == PASS:
        return b""
    column, row = column_row(point, width)
    return f"{_LETTERS[column]}{_LETTERS[height - 1 - row]}".encode()


def points_by_text(width: int, height: int) -> dict[bytes, int]:
    """Return the points of a board by what `point_text` writes."""
    points = (point_at(column, row, width) for row in range(height) for column in range(width))
    return {point_text(point, width, height): point for point in points}


def move_node(color: int, point: int, width: int, height: int) -> Node:
    """Return a node with a move; PASS is a pass."""
    return Node({COLOR_LETTERS[color]: [point_text(point, width, height)]})


def _expand(coarse: Any, root: Node) -> None:
    """Give a root the nodes of sgfmill's parse tree."""
    rest = [(coarse, root)]
    while rest:
        tree, node = rest.pop()
        for properties in tree.sequence:
            # sgfmill removes small letters from names, so that `AddBlack` is AB; a name may then be empty.
            properties.pop("", None)
        for properties in tree.sequence[1:]:
            node = node.add(Node(properties))
        for variation in tree.children:
            child = node.add(Node(variation.sequence[0]))
            rest.append((variation, child))
