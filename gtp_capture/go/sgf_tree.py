"""SGF trees: nodes with their properties and variations, read with bounds and written.

`sgf` reads and writes games; this module is for files whose comments, marks and variations matter.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from .charset import as_utf8, restored, understood
from .vertex import COLOR_LETTERS, PASS, column_row, point_at

with warnings.catch_warnings():
    warnings.simplefilter("ignore", SyntaxWarning)  # of its sources, where nothing has compiled them yet
    from sgfmill import sgf_grammar

if TYPE_CHECKING:
    from .game import Game

MOST_BYTES: Final = 10_000_000
"""Bytes of the largest file that callers should read."""
MOST_NODES: Final = 100_000
"""Nodes of a tree, all variations included."""
MOST_VALUES: Final = 200_000
"""Property values of a tree."""
MOST_MAIN_NODES: Final = 10_000
"""Nodes of the longest main line, and depth of the variations in it."""
MOST_MAIN_VALUES: Final = 100_000
"""Property values in a main line."""
SHOWN: Final = 20
"""Characters of a file in a message."""

START: Final = re.compile(rb"\(\s*;")
"""The beginning of a game; anything before it is skipped."""
_VALUE: Final = rb"\[(?P<value>[^\\\]]*+(?:\\.[^\\\]]*+)*+)(?P<end>\]?)"
"""An unterminated value extends to the end of the data."""
_MARK: Final = re.compile(rb"[;()]|" + _VALUE, re.DOTALL)
_TOKEN: Final = re.compile(rb"(?P<mark>[;()])|(?P<name>[A-Za-z]\w*)|" + _VALUE + rb"|(?P<stray>[^\s\[;()]+)", re.DOTALL)
_SMALL: Final = bytes(range(ord("a"), ord("z") + 1))
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
MOVES: Final = frozenset(COLOR_LETTERS.values())
"""The properties that are moves."""


class SgfError(ValueError):
    """The data does not contain a game that can be replayed; the message gives the reason."""

    game: Game | None = None
    """The game up to the move that cannot be played, if there are moves before it."""


def escaped_text(text: str) -> bytes:
    """Return a text as a property value."""
    found: bytes = sgf_grammar.escape_text(text.encode("utf-8", "replace"))
    return found


@dataclass(eq=False)
class Node:
    """A node of a tree. All bytes are as `charset.as_utf8` returns them."""

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
        self.properties[name] = [escaped_text(text)]

    @property
    def has_move(self) -> bool:
        """Whether the node is a move, or a pass."""
        return not MOVES.isdisjoint(self.properties)

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


def split(data: bytes) -> Iterator[bytes]:
    """Yield the data of each game in a file, as `as_utf8` returns it; an unterminated one comes last."""
    data = as_utf8(data)
    start = START.search(data)
    while start is not None:
        depth, end = 0, len(data)
        for mark in _MARK.finditer(data, start.start()):
            kind = mark[0][:1]
            depth += (kind == b"(") - (kind == b")")
            if depth == 0:
                end = mark.end()
                break
        yield data[start.start() : end]
        start = START.search(data, end)


def read_tree(data: bytes) -> Node:
    """Return the first game of a file as a tree with its text in UTF-8, whatever the charset of the file.

    If the text is not understood, `dump_trees` writes it with the charset and the bytes of the file. Two moves in one
    node become two nodes. The moves are not checked; `sgf.load` does that.
    SgfError: not SGF, or too many nodes or values.
    """
    data = next(split(data), b"")  # what follows the game need not be understood
    root = _Parser(MOST_NODES, MOST_VALUES).parse(data)
    if understood(data):
        root.properties["CA"] = [b"UTF-8"]
    return root


def read_main_line(data: bytes) -> tuple[Node, bool]:
    """Return the first game of a file without its variations, and whether its end is there. Errors as for `read_tree`.

    Less work than the whole tree.
    """
    parser = _Parser(MOST_MAIN_NODES, MOST_MAIN_VALUES, variations=False)
    return parser.parse(as_utf8(data)), parser.ended


def dump_trees(trees: Iterable[Node]) -> bytes:
    """Return trees as a file: one game, or a collection of several."""
    return b"".join(
        restored(
            sgf_grammar.serialise_game_tree(
                sgf_grammar.make_coarse_game_tree(tree, lambda node: node.children, lambda node: node.properties)
            )
        )
        for tree in trees
    )


@lru_cache(maxsize=32768)
def point_text(point: int, width: int, height: int) -> bytes:
    """Return a point, or PASS, as SGF writes it: column and row, counted from the upper left corner."""
    if point == PASS:
        return b""
    column, row = column_row(point, width)
    return f"{_LETTERS[column]}{_LETTERS[height - 1 - row]}".encode()


@lru_cache(maxsize=64)
def points_by_text(width: int, height: int) -> dict[bytes, int]:
    """Return the points of a board by what `point_text` writes."""
    points = (point_at(column, row, width) for row in range(height) for column in range(width))
    return {point_text(point, width, height): point for point in points}


def move_node(color: int, point: int, width: int, height: int) -> Node:
    """Return a node with a move; PASS is a pass."""
    return Node({COLOR_LETTERS[color]: [point_text(point, width, height)]})


class _Parser:
    """Builds the tree of one game."""

    def __init__(self, most_nodes: int, most_values: int, *, variations: bool = True) -> None:
        self.most_nodes, self.most_values, self.variations = most_nodes, most_values, variations
        self.ended = False
        """Whether the game has its last bracket, or the end of its main line was wanted and found."""
        self.nodes = self.values = self.moves = 0
        self.open = self.empty = False
        """Whether a node is open, and whether its last property has no value yet."""
        self.name = ""
        """The property whose values follow; "" after a delimiter."""
        self.before = Node()
        """Has the root as its child."""
        self.node = self.before
        self.branches: list[tuple[Node, int]] = []
        """Where each open variation begins: the node before it, and the number of moves up to it."""

    def parse(self, data: bytes) -> Node:
        """Return the root of the first game in data. SgfError: the reason, with its place."""
        if (start := START.search(data)) is None:
            raise SgfError("no SGF data found")
        outside = start.start()
        for token in _TOKEN.finditer(data, outside):
            kind = token.lastgroup
            if kind == "mark":
                self._delimit(token[0])
                outside = token.end()
            elif kind == "name":
                self._begin_property(token[0])
            elif kind == "end" and self.name:
                self._add_value(token["value"], ended=bool(token["end"]))
                outside = token.end()
            else:
                found = shown(data[outside : token.end()].strip())
                raise self._error(f"{found} is outside of a value; a ] inside a text has a backslash before it")
            if self.ended:
                break
        self._end_node()
        return self.before.children[0]

    def _delimit(self, mark: bytes) -> None:
        self._end_node()
        if mark == b";":
            self.node = self.node.add(Node())
            self.nodes, self.open = self.nodes + 1, True
        elif mark == b"(":
            self.branches.append((self.node, self.moves))
        else:
            self.node, self.moves = self.branches.pop()
            self.ended = not self.branches or (not self.variations and bool(self.node.children))
        if max(self.nodes, len(self.branches)) > self.most_nodes:
            raise SgfError(f"more than {self.most_nodes:,} nodes")

    def _begin_property(self, name: bytes) -> None:
        """Begin a property. Small letters in its name do not count (FF[3]), except where all letters are small."""
        self._end_property()
        if not self.open:
            raise self._error(f"{shown(name)} is not in a node, which begins with ;")
        self.name = (name.upper() if name.islower() else name.translate(None, _SMALL)).decode()
        self.empty = True

    def _end_property(self) -> None:
        if self.empty:
            raise self._error(f"{self.name} has no value")

    def _add_value(self, value: bytes, *, ended: bool) -> None:
        if not ended:
            raise self._error(f"the value of {self.name} has no ] at its end")
        self.node.properties.setdefault(self.name, []).append(value)
        self.values, self.empty = self.values + 1, False
        if self.values > self.most_values:
            raise SgfError(f"more than {self.most_values:,} values")

    def _end_node(self) -> None:
        """End a node; of several moves in it, each but the first gets a node of its own."""
        self._end_property()
        if not self.open:
            return
        self.name, self.open = "", False
        properties = self.node.properties
        moves = [(name, value) for name in properties if name in MOVES for value in properties[name]]
        self.moves += len(moves)
        if len(moves) > 1:
            others = {name: values for name, values in properties.items() if name not in MOVES}
            (name, value), *rest = moves
            self.node.properties = {**others, name: [value]}
            self.node = self.node.add(*(Node({name: [value]}) for name, value in rest))

    def _error(self, text: str) -> SgfError:
        moves = self.moves + (self.open and self.node.has_move)
        return SgfError(f"{f'after move {moves}' if moves else 'before the first move'}: {text}")


def shown(data: bytes) -> str:
    """Return a part of a file as text for a message, shortened and without control characters."""
    text = data.decode("utf-8", "replace")
    text = "".join(char if char.isprintable() else " " for char in text)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
