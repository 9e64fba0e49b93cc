"""SGF trees: nodes with their properties and variations, read with bounds and written.

`sgf` reads and writes games; this module is for files whose comments, marks and variations matter.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, Literal

from ..util.above import above
from .charset import as_utf8, readable, restored, understood
from .game import Game, _sides
from .position import GameInfo
from .rules import Rules
from .vertex import (
    COLOR_LETTERS,
    PASS,
    Color,
    ColorLike,
    column_row,
    format_vertex,
    parse_color,
    parse_vertex,
    point_at,
    vertices,
)

with warnings.catch_warnings():
    warnings.simplefilter("ignore", SyntaxWarning)  # of its sources, where nothing has compiled them yet
    from sgfmill import sgf_grammar

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
_BRACKET: Final = re.compile(rb"(?:[^()\[]++|\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]?)*+([()]?)", re.DOTALL)
"""All up to the next bracket of a variation, or to the end of the data."""
_NEXT: Final = re.compile(
    rb"\(\s*;(?=\s*\w+\s*\[)(?:(?!\(\s*;).){0,200}?(?<![A-Za-z])(?:FF|GM|SZ)\[[^\\\]]*\]", re.DOTALL
)
"""The beginning of a game whose first node has a property of roots: inside of a game, which is then damaged."""
_UNCLOSED: Final = re.compile(rb"(?:[^\[]++|\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\])*+\[[^\\\]]*+(?:\\.[^\\\]]*+)*+", re.DOTALL)
"""Data that ends in a value."""
_TOKEN: Final = re.compile(
    rb";\s*(?P<color>[BW])\[(?P<move>[a-z]{0,2})\]\s*(?=[;()])|(?P<mark>[;()])|(?P<name>[A-Za-z]\w*)|"
    + _VALUE
    + rb"|(?P<stray>[^\s\[;()]+)",
    re.DOTALL,
)
"""A whole node that is a move and no more; or a part of a node."""
_NAME: Final = re.compile(r"[A-Z]\w*", re.ASCII)
_ESCAPED: Final = re.compile(rb"(?:[^\\\]]|\\.)*+", re.DOTALL)
_SMALL: Final = bytes(range(ord("a"), ord("z") + 1))
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
MOVES: Final = frozenset(COLOR_LETTERS.values())
"""The properties that are moves."""
FACTS: Final = {
    "black": "PB", "white": "PW", "black_rank": "BR", "white_rank": "WR", "result": "RE", "date": "DT", "place": "PC",
    "event": "EV", "round": "RO", "name": "GN", "comment": "C", "game_comment": "GC",
}  # fmt: skip
"""The properties of the keys of GameInfo."""
MARKS: Final = {"triangle": "TR", "square": "SQ", "circle": "CR", "cross": "MA", "selected": "SL"}
"""The properties of the marks of points."""
HANDICAP: Final = re.compile(r"0*[1-9][0-9]*(\.0*)?")
"""A handicap of one stone or more."""
_SIZE: Final = re.compile(rb"\s*(\d{1,3})\s*(?::\s*(\d{1,3})\s*)?")


class SgfError(ValueError):
    """The data does not contain a game that can be replayed; the message gives the reason."""

    game: Game | None = None
    """The game up to the move that cannot be played, if there are moves before it."""


def escaped_text(text: str) -> bytes:
    """Return a text as a property value. TypeError: it is none."""
    if not isinstance(text, str):
        raise TypeError(f"a text is needed, not {text!r}")
    value: bytes = sgf_grammar.escape_text(text.encode("utf-8", "replace"))
    return value


class Node:
    """A node of an SGF tree, with its properties and the variations that follow; the root has facts about the game.

    Moves and points are vertices. What is in a file is kept, also properties that this class does not know. A value
    that is not of the form of SGF is an SgfError where it is read.
    """

    def __init__(self, properties: dict[str, list[bytes]] | None = None) -> None:
        """Make a node that stands alone, until `add` puts it into a tree. TypeError, ValueError: not properties."""
        self.properties: dict[str, list[bytes]] = {} if properties is None else checked(properties)
        """The values as they stand in the file: escaped, without brackets, and in UTF-8 (see `charset.as_utf8`)."""
        self.children: list[Node] = []
        """The next move of the line first, then its variations. Nodes may be removed or exchanged; `add` and `play` add
        some."""
        self._parent: Node | None = None
        self._above: Node | None = None
        """The parent, or a node nearer to the root, found by an earlier `root`; None at the root."""

    def __repr__(self) -> str:
        return f"Node({self.properties!r})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the whole tree, and the way from its root to this node."""
        way = [node.parent.children.index(node) for node in self.path() if node.parent is not None]
        return _from_pickle, (dump_trees([self.root]), way)

    @classmethod
    def of(cls, game: Game) -> Node:
        """Return the root of a tree of a game, with the comments and variations of the file that it was read from.

        Errors as for `dump_sgf`.
        """
        tree: Node = above("go.sgf.tree_of", game)
        return tree

    def game(self, rules: Rules | str | None = None) -> Game:
        """Return the game from the root of the tree up to this node, with `info` and without comments and variations.

        `rules`: by default those that the file names (RU), else first-capture. SgfError: a move is illegal, or anything
        else that cannot be replayed. RulesError, TypeError: as for `Game`.
        """
        game: Game = above("go.sgf.game_at", self, rules)
        return game

    def text(self, name: str) -> str:
        """Return the first value of a property as text; "" if the node does not have it. TypeError: not text."""
        values = self.properties.get(_name(name))
        return _text(values[0]) if values else ""

    def set_text(self, name: str, text: str) -> None:
        """Set a property to one text, with the escapes that it needs; "" removes it.

        TypeError: not text. ValueError: no name of a property, which is capital letters.
        """
        if value := escaped_text(text):
            self.properties |= checked({_name(name): [value]})
        else:
            self.properties.pop(_name(name), None)

    # --- The tree ---

    @property
    def parent(self) -> Node | None:
        """The node before this one; None at the root."""
        return self._parent

    @property
    def root(self) -> Node:
        """The first node of the tree."""
        node = self
        while (above := node._above) is not None:
            if above._above is not None:
                node._above = above._above  # so that the next search is shorter
            node = above
        return node

    def path(self) -> list[Node]:
        """Return the nodes from the root to this one."""
        line: list[Node] = [self]
        while (parent := line[-1].parent) is not None:
            line.append(parent)
        return line[::-1]

    def main_line(self) -> Iterator[Node]:
        """Yield this node and the first child of each node that follows."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.children[0] if node.children else None

    def walk(self) -> Iterator[Node]:
        """Yield this node and all nodes after it, each line to its end before the next variation."""
        rest = [self]
        while rest:
            yield (node := rest.pop())
            rest += reversed(node.children)

    def add(self, *moves: Node) -> Node:
        """Append nodes that follow each other as a variation; return the last one. Their own variations stay.

        TypeError: not a Node. ValueError: a node that is in a tree already, this one or another; nothing is added then.
        """
        new = set[int]()
        for move in moves:
            if not isinstance(move, Node):
                raise TypeError(f"a Node is needed, not {move!r}")
            if move is self.root or id(move) in new or (move._parent is not None and self._is_held(move, move._parent)):
                raise ValueError(f"{move!r} is in a tree already")
            new.add(id(move))
        node = self
        for move in moves:
            node.adopt(move)
            node = move
        return node

    def _is_held(self, move: Node, parent: Node) -> bool:
        """Whether a node is a child still, or leads to this one though its parent has lost it."""
        return any(child is move for child in parent.children) or any(node is move for node in self.path())

    def adopt(self, *nodes: Node) -> None:
        """Take nodes over as children, also from another tree, for use inside the package."""
        for node in nodes:
            moved, node._parent = node._parent is not None, self
            for each in node.walk() if moved else (node,):  # the nodes above it are others now
                each._above = each._parent
            self.children.append(node)

    def play(self, *moves: str, color: ColorLike | None = None) -> Node:
        """Add moves that follow each other as a variation, as far as the tree lacks them; return the last node.

        `color`: the side of the first move (default: the one whose turn it is). `game` checks whether they are legal.
        TypeError: not a vertex. ValueError: not a vertex of this board, or not a colour.
        """
        node, side, size = self, self.to_move if color is None else parse_color(color), self.size
        for vertex in moves:
            point = _point(vertex, size)
            known = (child for child in node.children if child.color == side and child.move_point(size) == point)
            node, side = next(known, None) or node.add(move_node(int(side), point, *size)), side.opponent
        return node

    # --- Moves ---

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the board, as the root has them; 19 without them, or if they are empty."""
        return _size_of(self.root.properties.get("SZ", [b""])[0])

    @property
    def has_move(self) -> bool:
        """Whether the node is a move, or a pass."""
        return "B" in self.properties or "W" in self.properties

    @property
    def color(self) -> Color | None:
        """The colour of the move; None without a move."""
        return Color.BLACK if "B" in self.properties else Color.WHITE if "W" in self.properties else None

    @property
    def move(self) -> str | None:
        """The vertex of the move, or "pass"; None without a move."""
        if not self.has_move:
            return None
        size = self.size
        return vertices(*size).get(point := self.move_point(size)) or format_vertex(point, size[0])

    @property
    def to_move(self) -> Color:
        """The colour whose turn it is after this node, by the last move, PL, or a handicap."""
        node: Node | None = self
        while node is not None:
            if (turn := node.turn or (node.color and node.color.opponent)) is not None:
                return turn
            node = node._parent
        return Color.WHITE if self.has_handicap else Color.BLACK

    @property
    def turn(self) -> Color | None:
        """The colour whose turn it is, if the node says so (PL): after setup stones, or against the order of turns.

        None too if its value is not a colour.
        """
        if "PL" not in self.properties:
            return None
        try:
            return parse_color(said) if (said := self.text("PL").strip()) else None
        except ValueError:
            return None

    @property
    def has_handicap(self) -> bool:
        """Whether the root names a handicap (HA) of one stone or more."""
        return HANDICAP.fullmatch(self.root.text("HA").strip()) is not None

    def move_point(self, size: tuple[int, int]) -> int:
        """Return the point of the move, or PASS, for use inside the package."""
        name = "B" if "B" in self.properties else "W"
        if (point := points_by_text(*size).get(self.properties[name][0])) is not None:
            return point
        value = self.properties[name][0].strip()
        is_pass = value == b"" or (value == b"tt" and max(size) <= 19)
        return PASS if is_pass else _point_of(name, value, size)

    # --- Texts and marks ---

    @property
    def info(self) -> GameInfo:
        """Names, result, date and so on, of the root; set it as a whole: `tree.info = {"black": "Ann"}`.

        ValueError: another key. TypeError: not a text.
        """
        root, info = self.root, GameInfo()
        for key, name in FACTS.items():
            if text := root.text(name):
                info[key] = text if name in ("C", "GC") else text.replace("\n", " ")  # type: ignore[literal-required]
        return info

    @info.setter
    def info(self, info: GameInfo) -> None:
        root, before = self.root, self.info
        if not isinstance(info, dict):
            raise TypeError(f"info is a dict such as {{'black': 'Ann'}}, not {info!r}")
        for key, text in info.items():
            if key not in FACTS:
                raise ValueError(f"{key!r} is no fact of a game; the facts are {', '.join(FACTS)}")
            if not isinstance(text, str):
                raise TypeError(f"info[{key!r}] is text, not {text!r}")
        for key, name in FACTS.items():
            text = str(info.get(key, ""))
            if text != before.get(key, ""):  # else it stays in the charset of its file
                root.set_text(name, text)

    @property
    def comment(self) -> str:
        """The comment; "" without one."""
        return self.text("C")

    @comment.setter
    def comment(self, text: str) -> None:
        self.set_text("C", text)

    @property
    def marks(self) -> dict[str, str]:
        """The mark of each marked point; `mark` changes them."""
        size = self.size
        marked = {kind: sorted(self.points(name, size)) for kind, name in MARKS.items()}
        return {format_vertex(point, size[0]): kind for kind, points in marked.items() for point in points}

    def mark(self, vertex: str, kind: Literal["triangle", "square", "circle", "cross", "selected"] | None) -> None:
        """Mark a point, in place of its mark; None removes it. TypeError, ValueError: no point, or no such mark."""
        size = self.size
        point = _point(vertex, size, passes=False)
        if kind is not None and kind not in [*MARKS]:  # in a list, as a kind may be of any type
            raise ValueError(f"a mark is {', '.join(MARKS)} or None, not {kind!r}")
        for other, name in MARKS.items():
            before = self.points(name, size)
            after = before | {point} if other == kind else before - {point}
            if after != before:
                self.properties[name] = [point_text(p, *size) for p in sorted(after)]
                if not after:
                    del self.properties[name]

    @property
    def labels(self) -> dict[str, str]:
        """The label of each point that has one; `label` changes them."""
        size, labels = self.size, dict[str, str]()
        for value in self.properties.get("LB", []):
            point, _, label = value.partition(b":")
            labels[format_vertex(_point_of("LB", point, size), size[0])] = _text(label).replace("\n", " ")
        return labels

    def label(self, vertex: str, text: str) -> None:
        """Write a text on a point, in place of its label; "" removes it. TypeError, ValueError: no point or text."""
        size, value = self.size, escaped_text(text)
        at = point_text(_point(vertex, size, passes=False), *size)
        labels = [other for other in self.properties.get("LB", []) if other.partition(b":")[0].strip() != at]
        self.properties["LB"] = [*labels, *([at + b":" + value] if value else [])]
        if not self.properties["LB"]:
            del self.properties["LB"]

    def points(self, name: str, size: tuple[int, int]) -> set[int]:
        """Return the points that a property lists, singly or as rectangles, for use inside the package."""
        values, (width, height) = [value for value in self.properties.get(name, []) if value.strip()], size
        if len(values) > width * height:  # each may be a rectangle, which would take long to read
            raise SgfError(f"{name} has more values than the board has points")
        points: set[int] = set()
        for value in values:
            corners = [column_row(_point_of(name, corner, size), width) for corner in value.split(b":")]
            (left, right), (bottom, top) = ((min(side), max(side)) for side in zip(*corners, strict=True))
            points |= {point_at(x, y, width) for x in range(left, right + 1) for y in range(bottom, top + 1)}
        return points


def _text(value: bytes) -> str:
    text: str = sgf_grammar.text_value(readable(value)).decode("utf-8", "replace")
    return text


def _point(vertex: str, size: tuple[int, int], *, passes: bool = True) -> int:
    """Return the point of a vertex, or PASS. TypeError: not text. ValueError: not a vertex of this board."""
    if not isinstance(vertex, str):
        raise TypeError(f"a vertex such as 'C3' is needed, not {vertex!r}")
    if not (point := parse_vertex(vertex, *size)) and not passes:
        raise ValueError(f"not a point of the board: {vertex!r}")
    return point


def _point_of(name: str, value: bytes, size: tuple[int, int]) -> int:
    """Return the point of a value of a property. SgfError: no point of the board."""
    try:
        return points_by_text(*size)[value.strip()]
    except KeyError:
        raise SgfError(f"{name}[{shown(value)}] is not a point of the {size[0]}x{size[1]} board") from None


def _from_pickle(data: bytes, way: list[int]) -> Node:
    """Return the node of a tree at the end of a way: the place of each child among its siblings."""
    node = read_tree(data)
    for place in way:
        node = node.children[place]
    return node


def split(data: bytes) -> Iterator[bytes]:
    """Yield the data of each game in a file, as `as_utf8` returns it.

    A game whose end is missing ends where the next game begins, so that a damaged one does not take others with it.
    """
    data = as_utf8(data)
    start = START.search(data)
    while start is not None:
        depth, begin, end = 0, start.start(), start.start()
        while end < len(data):
            bracket = _BRACKET.match(data, end)
            assert bracket is not None
            kind, end = bracket[1], bracket.end()
            depth += (kind == b"(") - (kind == b")")
            if depth == 0:
                break
        other = _NEXT.search(data, begin + 1, end)
        if other is not None and (depth > 0 or _UNCLOSED.fullmatch(data, begin, other.start())):
            end = other.start()
        yield data[begin:end]
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
    """Return trees as a file: one game, or a collection of several.

    TypeError, ValueError: children or properties were changed to something that a file cannot have.
    """
    return b"".join(
        restored(
            sgf_grammar.serialise_game_tree(
                sgf_grammar.make_coarse_game_tree(tree, _children, lambda node: checked(node.properties))
            )
        )
        for tree in trees
    )


def _name(name: object) -> str:
    """Return the name of a property. TypeError: not text."""
    if not isinstance(name, str):
        raise TypeError(f"a property has a name such as 'C', not {name!r}")
    return name


def checked(properties: dict[str, list[bytes]]) -> dict[str, list[bytes]]:
    """Return the properties of a node as they are. TypeError, ValueError: a file cannot have such ones."""
    if not isinstance(properties, dict):
        raise TypeError(f"properties are a dict such as {{'C': [b'text']}}, not {properties!r}")
    for name, values in properties.items():
        if not _NAME.fullmatch(_name(name)):
            raise ValueError(f"the name of a property is capital letters, not {name!r}")
        if not (isinstance(values, list) and all(isinstance(value, bytes) for value in values)):
            raise TypeError(f"{name} has a list of bytes, such as [b'text'], not {values!r}; set_text takes text")
        if not all(_ESCAPED.fullmatch(value) for value in values):
            raise ValueError(f"a ] or a last \\ in a value of {name} has a backslash before it, unlike in {values!r}")
    return properties


def _children(node: Node) -> list[Node]:
    """Return the children of a node of a tree. TypeError, ValueError: one is not a node, or not of this one."""
    for child in node.children:
        if not isinstance(child, Node):
            raise TypeError(f"a Node is needed in children, not {child!r}")
        if child.parent is not node:  # else a tree could contain itself
            raise ValueError(f"{child!r} is not a child of {node!r}: add puts a node into a tree")
    return node.children


@lru_cache(maxsize=64)
def _size_of(value: bytes) -> tuple[int, int]:
    """Return the board size that a value of SZ names. SgfError: none."""
    value = value.strip() or b"19"
    try:
        if (sides := _SIZE.fullmatch(value)) is None:
            raise ValueError("a board size is a number of points a side, or two as in 9:7")
        return _sides((int(sides[1]), int(sides[2] or sides[1])))
    except ValueError as error:
        raise SgfError(f"SZ[{shown(value)}]: {error}") from None


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
    return {point_text(point, width, height): point for point in vertices(width, height)}


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
            if kind == "move":
                self._add_move(token["color"].decode(), token["move"])
                outside = token.end()
            elif kind == "mark":
                self._delimit(token[0])
                outside = token.end()
            elif kind == "name":
                self._begin_property(token[0])
            elif kind == "end" and self.name:
                self._add_value(token["value"], ended=bool(token["end"]))
                outside = token.end()
            else:
                stray = shown(data[outside : token.end()].strip())
                raise self._error(f"{stray} is outside of a value; a ] inside a text has a backslash before it")
            if self.ended:
                break
        self._end_node()
        root = self.before.children[0]
        root._parent = root._above = None
        return root

    def _add_move(self, color: str, value: bytes) -> None:
        """Add a node that is a move and no more."""
        if self.open:
            self._end_node()
        node, before = Node(), self.node
        node.properties[color] = [value]
        node._parent = node._above = before
        before.children.append(node)
        self.node, self.nodes, self.values, self.moves = node, self.nodes + 1, self.values + 1, self.moves + 1
        if self.nodes > self.most_nodes or self.values > self.most_values:
            self._check_size()

    def _check_size(self) -> None:
        """SgfError: too many nodes or values."""
        if max(self.nodes, len(self.branches)) > self.most_nodes:
            raise SgfError(f"more than {self.most_nodes:,} nodes")
        if self.values > self.most_values:
            raise SgfError(f"more than {self.most_values:,} values")

    def _delimit(self, mark: bytes) -> None:
        self._end_node()
        if mark == b";":
            self.node.adopt(node := Node())
            self.node = node
            self.nodes, self.open = self.nodes + 1, True
        elif mark == b"(":
            self.branches.append((self.node, self.moves))
        else:
            self.node, self.moves = self.branches.pop()
            self.ended = not self.branches or (not self.variations and bool(self.node.children))
        self._check_size()

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
        self._check_size()

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
