"""A review as annotations of an SGF tree: win rates, marks, comments and variations.

The contents of the file stay; only win rates (SBKV) are replaced. A node that got annotations has the private property
GCR, which lists them as `name=value`; comments are paragraphs, listed by a checksum. So a second review first removes
the annotations of the first one, unless they were edited since.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from ...go import sgf
from ...go.game import Game
from ...go.sgf_tree import Node, dump_trees, escaped_text, move_node, read_tree
from ...go.vertex import COLOR_LETTERS, Color
from ...solver.verdict import Verdict
from .. import words
from ..words import Voice
from .reviewed import Grade, Review, ReviewedMove, won_by

MOVE_MARKS: Final = {
    Grade.LOSING: ("BM", b"2"),
    Grade.BAD: ("BM", b"1"),
    Grade.DOUBTFUL: ("DO", b""),
    Grade.ONLY: ("TE", b"1"),
    Grade.ONLY_QUIET: ("TE", b"2"),
}
"""The SGF property of each grade, with its value."""
MOVE_KINDS: Final = frozenset({"BM", "DO", "IT", "TE"})
"""A node has at most one of these properties (FF[4])."""
POSITION_KINDS: Final = frozenset({"DM", "GB", "GW", "UC"})
"""A node has at most one of these properties, too (FF[4])."""
WRITTEN: Final = MOVE_KINDS | POSITION_KINDS | {"HO", "SBKV"}
"""All properties that a review writes, besides comments."""
OWN: Final = "GCR"
"""The private property that lists what a review wrote on a node, or MOVE for a node of a variation that it added."""
MOVE: Final = b"MOVE"
_PARAGRAPH: Final = re.compile(rb"(?:\A|(?:\r?\n){2})((?:(?!\r?\n\r?\n).)+)", re.DOTALL)


def annotate(root: Node, review: Review, voice: Voice = words.SHORT) -> None:
    """Write a review into the tree of its game, in place of an older review."""
    strip(root)
    for name, value in (("FF", b"4"), ("GM", b"1")):  # a file without them counts as FF[1]
        root.properties.setdefault(name, [value])
    line, deciding = list(root.main_line()), review.deciding
    _comment(root, "\n".join(words.file_summary(review, voice)), voice)
    if root.has_move:
        line.insert(0, Node())  # the position before a move in the root
    _mark_position(line[0], review.evaluations[0])
    number = 0
    for before, node in pairwise(line):
        if node.has_move:
            if number == len(review.moves):  # a move that cannot be played
                break
            move, number = review.moves[number], number + 1
            _annotate_move(before, node, review.game, move, voice)
            if move is deciding and "HO" not in node.properties:
                _set(node, "HO", b"1")
        _mark_position(node, review.evaluations[number])


def review_sgf(review: Review, language: str) -> str:
    """Return the game of a review as a file with its annotations; see `Review.sgf`."""
    tree = read_tree(sgf.dump(review.game))
    annotate(tree, review, words.voice_of(language))
    return dump_trees([tree]).decode(errors="surrogateescape")


def strip(root: Node) -> None:
    """Remove the annotations of earlier reviews from a tree."""
    game = {id(node) for node in root.main_line()}  # a variation of ours that was made the main line stays
    for node in reversed([*root.walk()]):
        written = node.properties.pop(OWN, [])
        for name, _, value in (entry.partition(b"=") for entry in written):
            text = name.decode("ascii", "replace")
            if text in WRITTEN and node.properties.get(text) == [value]:
                del node.properties[text]
            if name == b"C":
                _remove_paragraph(node, value)
        added = MOVE in written and id(node) not in game and not node.children
        if added and node.properties.keys() <= {"B", "W"} and node.parent is not None:
            node.parent.children.remove(node)


def _annotate_move(before: Node, node: Node, game: Game, move: ReviewedMove, voice: Voice) -> None:
    """Annotate a move and add its variations; `before` is the node that it follows."""
    _comment(node, words.remark_on(move, voice), voice)
    mark = MOVE_MARKS.get(move.grade)
    if mark is not None and not MOVE_KINDS & node.properties.keys():
        _set(node, *mark)
    for parent, color, line in ((before, move.color, move.better), (node, move.color.opponent, move.punishment)):
        if line:
            _add_variation(parent, game, color, line, move, voice)


def _mark_position(node: Node, evaluation: Verdict) -> None:
    """Write the evaluation of a position."""
    if evaluation.black is None:
        return
    _set(node, "SBKV", f"{round(100 * evaluation.black, 1):g}".encode())
    if evaluation.winner is not None and not POSITION_KINDS & node.properties.keys():
        _set(node, "GB" if evaluation.winner is Color.BLACK else "GW", b"1")


def _add_variation(
    parent: Node, game: Game, color: Color, line: Sequence[str], move: ReviewedMove, voice: Voice
) -> None:
    """Add a line after a node of the game, unless its first move is there already or no move of the game follows.

    If the move is proven to lose, the line is proven to win for its first colour.
    """
    movers = color, color.opponent
    nodes = [
        move_node(int(movers[n % 2]), game.point(vertex), game.width, game.height) for n, vertex in enumerate(line)
    ]
    name, first = COLOR_LETTERS[int(color)], nodes[0].properties
    if not parent.children or any(child.properties.get(name) == first[name] for child in parent.children):
        return
    parent.add(*nodes)
    for node in nodes:
        node.properties[OWN] = [MOVE]
    if move.grade is Grade.LOSING:
        for node in nodes:
            _mark_position(node, won_by(int(color)))
        _comment(nodes[-1], voice.text("review.line.wins", winner=voice.name(int(color))), voice)
    else:
        _mark_position(nodes[0], Verdict(None, move.evaluation_before.black))
        _comment(nodes[0], voice.text("review.line.preferred"), voice)


def _comment(node: Node, text: str, voice: Voice) -> None:
    """Append a paragraph to the comment of a node."""
    if not text:
        return
    ours = escaped_text(voice.text("review.paragraph", text=text))
    first, *others = node.properties.get("C", [b""])
    if ours not in first:  # another program may have removed the list of our annotations
        node.properties["C"] = [first + b"\n\n" + ours if first else ours, *others]
    node.properties.setdefault(OWN, []).append(b"C=" + _checksum(ours))


def _remove_paragraph(node: Node, checksum: bytes) -> None:
    """Remove the paragraph with a checksum from the comment of a node."""
    first, *others = node.properties.get("C", [b""])
    for paragraph in _PARAGRAPH.finditer(first):
        if _checksum(paragraph[1]) == checksum:
            rest = first[: paragraph.start()] + first[paragraph.end() :]
            first = rest.lstrip(b"\r\n") if paragraph.start() == 0 else rest
            break
    if first or others:
        node.properties["C"] = [first, *others]
    else:
        node.properties.pop("C", None)


def _checksum(paragraph: bytes) -> bytes:
    """Return a checksum of a text without its white space, which other programs change."""
    return b"%08x" % zlib.crc32(b"".join(paragraph.split()))


def _set(node: Node, name: str, value: bytes) -> None:
    """Set a property and list it as ours."""
    node.properties[name] = [value]
    node.properties.setdefault(OWN, []).append(name.encode() + b"=" + value)
