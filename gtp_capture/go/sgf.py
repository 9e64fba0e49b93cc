"""Games as SGF (Smart Game Format, FF[4]): writing, and reading with bounds, through sgfmill."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from sgfmill import sgf, sgf_grammar

from . import board as bd
from . import opening, scoring
from .game import Game
from .position import Outcome
from .rules import DEFAULT, PRESETS, Rules, RulesError
from .vertex import BLACK, COLOR_LETTERS, PASS, RESIGN, WHITE, column_row, opponent, parse_color, point_at

MOST_BYTES: Final = 10_000_000
"""Bytes of the largest file that callers should read."""
MOST_NODES: Final = 10_000
"""Nodes of the longest main line, and depth of the variations in it."""
MOST_VALUES: Final = 100_000
"""Property values in a main line."""

MALFORMED: Final = "a malformed point or colour"

START: Final = re.compile(rb"\(\s*;")
"""The beginning of a game; anything before it is skipped."""

MARK: Final = re.compile(rb"[;()]|\[[^\\\]]*+(?:\\.[^\\\]]*+)*+(?P<end>\]?)", re.DOTALL)
"""A delimiter, or a value; an unterminated value extends to the end of the data."""
_ASCII: Final = "[];()AZaz09"
CHARSET: Final = re.compile(rb"(?<![A-Z])CA\s*\[([\w .:-]{1,40})\]")
"""The charset of a file; lower-case letters before it do not count (FF[3])."""
_RESIGNED: Final = re.compile(rb"\s*([BW])\+R(?:esign)?\s*", re.IGNORECASE)
"""The result of a game in which a player resigned."""


class SgfError(ValueError):
    """The data does not contain a game that can be replayed; the message gives the reason."""


def load(
    data: bytes,
    rules: Rules | None = None,
    before_move: int | None = None,
    *,
    session_rules: Rules | None = None,
    resignation: bool = False,
) -> Game:
    """Return the main line of an SGF file as a game, up to the position before a move if one is given.

    The side of that move is then to move, unless the file names another one.
    The rules are those given, else those of `named_rules`, else first-capture. The rules of a session are weaker: those
    of the file replace them, except that rules of Go do not replace those of a capture game, because other programs
    always write some. Komi is taken from the file if it has one. With `resignation`, a game that is not over after its
    moves ends by the resignation that its result (RE) tells.
    SgfError: not SGF, too many nodes or values, a charset that does not contain ASCII, an unsupported size, stones set
    up after the first move, or an illegal move.
    """
    try:
        tree = sgf_grammar.parse_sgf_game(_main_line(as_utf8(data)))
        check_charset(tree.sequence[0])
        if (kind := tree.sequence[0].get("GM", [b"1"])[0].strip()) != b"1":
            raise SgfError(f"GM[{kind[:10].decode('ascii', 'replace')}] is not the game of Go")
        width, height = _size(tree.sequence[0].get("SZ", [b"19"])[0])
        # sgfmill takes square boards only: read rectangular ones on a square that contains them.
        side = max(width, height)
        tree.sequence[0]["SZ"] = [str(side).encode()]
        # Everything read here is ASCII, so the file's own charset does not matter.
        game_tree = sgf.Sgf_game.from_coarse_game_tree(tree, "ISO-8859-1")
        nodes = game_tree.get_main_sequence()
        named = _rules(tree.sequence[0])
        given = rules or (named if session_rules is None else session_rules.replaced_by(named))
        game = Game(given or PRESETS[DEFAULT], (width, height))
        _set_up(game, nodes[0], side)
        _replay(game, nodes, side, math.inf if before_move is None else before_move - 1)
        resigned = _RESIGNED.fullmatch(tree.sequence[0].get("RE", [b""])[0])
        if resignation and resigned is not None and not game.is_over:
            game.resign(opponent(parse_color(resigned[1].decode())))
    except (ValueError, KeyError, IndexError) as error:
        # sgfmill gives no reason for a point or a colour that it cannot read.
        raise SgfError(str(error) or MALFORMED) from error
    return game


def _replay(game: Game, nodes: list[sgf.Tree_node], side: int, most: float) -> None:
    """Play up to so many moves of a main line; the side of the next one is then to move, if no PL says another."""
    said = False
    for node in nodes:
        color = next((c for c in (BLACK, WHITE) if node.has_property(COLOR_LETTERS[c])), None)
        if len(game.moves) >= most and color is not None:
            if not said:
                game.set_to_move(color)
            return
        if len(game.moves) >= most and game.moves and node.has_setup_stones():
            return
        _play(game, node, side, first=node is nodes[0])
        said = _has(node, "PL") or (said and color is None)


def _play(game: Game, node: sgf.Tree_node, side: int, first: bool) -> None:
    """Play the move of a node, if it has one. SgfError: it cannot be played; the message begins with its number."""
    try:
        if not first and node.has_setup_stones():
            if game.moves:
                raise SgfError("stones are set up in the middle of the game")
            _set_up(game, node, side)
        elif not first and _has(node, "PL"):
            game.set_to_move(parse_color(node.get("PL")))
        letter, move = node.get_move()
        if letter is not None:
            point = PASS if move is None else _point(move, game.width, game.height, side)
            game.play_point(point, parse_color(letter))
    except (ValueError, KeyError, IndexError) as error:
        raise SgfError(f"move {len(game.moves) + 1}: {str(error) or MALFORMED}") from error


def named_rules(data: bytes) -> Rules | None:
    """Return the rules that the first game names (RU) as `Rules.parse` reads them: `capture-3 ko=simple`, `japanese`.

    None if there are none, or others. SgfError: not SGF, or as for `load`.
    """
    try:
        return _rules(sgf_grammar.parse_sgf_game(_main_line(as_utf8(data))).sequence[0])
    except ValueError as error:
        raise SgfError(str(error)) from None


def games(data: bytes) -> int:
    """The number of games in a file, an unterminated one included."""
    return sum(1 for _ in split(data))


def split(data: bytes) -> Iterator[bytes]:
    """Yield the data of each game in a file; an unterminated one comes last."""
    data = as_utf8(data)
    start = START.search(data)
    while start is not None:
        depth, end = 0, len(data)
        for mark in MARK.finditer(data, start.start()):
            kind = mark[0][:1]
            depth += (kind == b"(") - (kind == b")")
            if depth == 0:
                end = mark.end()
                break
        yield data[start.start() : end]
        start = START.search(data, end)


def dump(game: Game, black: str = "", white: str = "", result: str = "", comment: str = "") -> bytes:
    """Return a game as SGF, with rules, komi, handicap, setup stones, result, and the cause of the end as a comment.

    `black` and `white` are names. `result` and `comment` replace those of the game.
    """
    width, height = game.width, game.height
    side = max(width, height)
    tree = sgf.Sgf_game(size=side)
    root = tree.get_root()
    root.set("RU", str(game.rules))
    root.set("KM", game.komi)
    if game.handicap:
        root.set("HA", game.handicap)
    for name, value in (("PB", black), ("PW", white)):
        if value:
            root.set(name, _text(value))
    _set_start(root, game, side)
    _write_moves(tree, game, side)
    if (outcome := game.outcome) is not None:
        result = result or _result(game, outcome)
        comment = comment or f"{result} ({outcome.termination})"
    for node, name, value in ((root, "RE", result), (tree.get_last_node(), "C", comment)):
        if value:
            node.set(name, _text(value))
    data: bytes = tree.serialise()
    return data if width == height else data.replace(f"SZ[{side}]".encode(), f"SZ[{width}:{height}]".encode(), 1)


def _write_moves(tree: sgf.Sgf_game, game: Game, side: int) -> None:
    """Write the moves, and after a move against the order of turns, in a node of its own, whose turn it is."""
    resigned = False
    for number, (color, point, _) in enumerate(game.moves, 1):
        if point == RESIGN:
            resigned = True
        elif not resigned or point != PASS or game.rules.may_pass:  # else a reader would refuse it
            node = tree.extend_main_sequence()
            at = None if point == PASS else _row_column(point, game.width, game.height, side)
            node.set_move(COLOR_LETTERS[color].lower(), at)
        if (next_color := game.positions[number].to_move) == color and point != RESIGN:  # against the order of turns
            tree.extend_main_sequence().set("PL", COLOR_LETTERS[next_color].lower())


def _set_start(root: Any, game: Game, side: int) -> None:
    """Write the setup stones of a game, and the side that begins if it is not Black or there are such stones."""
    first = game.positions[0]
    setup = {
        c: [_row_column(p, game.width, game.height, side) for p in range(len(first.colors)) if first.colors[p] == c]
        for c in (BLACK, WHITE)
    }
    if any(setup.values()):
        root.set_setup_stones(setup[BLACK], setup[WHITE])
    if any(setup.values()) or first.to_move != BLACK:
        root.set("PL", COLOR_LETTERS[first.to_move].lower())


def crosscut(rules: Rules, width: int, height: int) -> bytes:
    """Return a file that starts with a crosscut, as four moves, because clients treat setup stones as handicap.

    GameError: a side below 4.
    """
    game = Game(rules, (width, height))
    black, white = opening.crosscut(width, height)
    for pair in zip(black, white, strict=True):
        for color, point in zip((BLACK, WHITE), pair, strict=True):
            game.play_point(point, color)
    return dump(game)


def _main_line(data: bytes) -> bytes:
    """The first game of a file without its variations, to bound the parser's work."""
    found = marks(data, MOST_NODES, MOST_VALUES)
    end, depth = next((mark.end(), depth) for mark, depth in found if mark[0] == b")")
    return data[:end] + b")" * depth


def marks(data: bytes, most_nodes: int, most_values: int) -> Iterator[tuple[re.Match[bytes], int]]:
    """Yield the delimiters and values of the first game, each with the depth of variations after it.

    SgfError: no game, more nodes or a greater depth than `most_nodes`, more values, or no end of the game.
    """
    start = START.search(data)
    if start is None:
        raise SgfError("no SGF data found")
    depth = nodes = values = 0
    for mark in MARK.finditer(data, start.start()):
        kind = mark[0][:1]
        depth += (kind == b"(") - (kind == b")")
        nodes += kind == b";"
        values += kind == b"["
        if max(nodes, depth) > most_nodes:
            raise SgfError(f"more than {most_nodes:,} nodes")
        if values > most_values:
            raise SgfError(f"more than {most_values:,} values")
        yield mark, depth
        if depth == 0:
            return
    raise SgfError("unexpected end of SGF data")


def as_utf8(data: bytes) -> bytes:
    """Return data with its text in UTF-8, and CA changed to it; the same data if CA is missing, wrong or unusual.

    In Shift_JIS, GBK and Big5 the second byte of a character may be a backslash or a bracket.
    """
    found = CHARSET.search(data)
    try:
        name = found[1].decode() if found is not None else "utf-8"
        if _ASCII.encode().decode(name) == _ASCII:
            return CHARSET.sub(b"CA[UTF-8]", data.decode(name).encode())
    except (LookupError, ValueError):
        pass
    return data


def check_charset(root: dict[str, list[bytes]]) -> None:
    """Check the charset. SgfError: Python has no text codec for it, or it encodes ASCII differently."""
    name = root.get("CA", [b""])[0].decode("ascii", "replace").strip() or "ascii"
    try:
        superset = _ASCII.encode().decode(name) == _ASCII
    except (LookupError, ValueError):
        superset = False
    if not superset:
        raise SgfError(f"CA[{name[:40]}] is not a charset for SGF")


def _text(value: str) -> str:
    """Replace what UTF-8 cannot encode, such as the surrogates of a file name."""
    return value.encode(errors="replace").decode()


def _result(game: Game, outcome: Outcome) -> str:
    """The result in the form that SGF readers accept: points if there is a score, else a resignation."""
    lead = game.score()
    if outcome.winner is None:
        return "0" if lead == 0 or not game.rules.is_scored else "?"
    won_by_score = game.positions[-1].decided is None and lead is not None
    return scoring.result(lead) if won_by_score and lead else f"{COLOR_LETTERS[outcome.winner]}+R"


def _rules(root: dict[str, list[bytes]]) -> Rules | None:
    try:
        return Rules.parse(root["RU"][0].decode("ascii", "replace").lower())
    except (KeyError, RulesError):
        return None


def _size(text: bytes) -> tuple[int, int]:
    numbers = [int(n) for n in text.split(b":")]
    if len(numbers) > 2:
        raise SgfError("no such board size")
    return numbers[0], numbers[-1]


def _point(move: tuple[int, int], width: int, height: int, side: int) -> int:
    row, column = move[0] - (side - height), move[1]
    if not (0 <= row < height and column < width):
        raise SgfError("a point off the board")
    return point_at(column, row, width)


def _row_column(point: int, width: int, height: int, side: int) -> tuple[int, int]:
    column, row = column_row(point, width)
    return row + side - height, column


def _points(moves: Iterable[tuple[int, int]], game: Game, side: int) -> list[int]:
    return sorted(_point(move, game.width, game.height, side) for move in moves)


def _set_up(game: Game, root: sgf.Tree_node, side: int) -> None:
    """Read komi, stones and the side to move from a node before the first move; stones of earlier nodes stay."""
    if _has(root, "KM"):
        game.set_komi(_komi(root.get_raw("KM").decode("ascii", "replace")))
    if not root.has_setup_stones():
        if _has(root, "PL"):
            game.setup([], [], parse_color(root.get("PL")))
        return
    if any(len(root.get_raw_list(name)) > game.width * game.height for name in ("AB", "AW") if root.has_property(name)):
        raise SgfError("more setup stones than points")  # each may be a rectangle, which would take long to read
    black, white, empty = (set(_points(points, game, side)) for points in root.get_setup_stones())
    before = {c: set(bd.stones_of(game.board, c)) for c in (BLACK, WHITE)}
    stones = sorted(before[BLACK] - white - empty | black), sorted(before[WHITE] - black - empty | white)
    if _has(root, "HA") and root.get_raw("HA").strip(b" 0") and stones[0] and not stones[1]:
        game.place_handicap(map(game.vertex, stones[0]))
    to_move = root.get("PL") if _has(root, "PL") else None
    if to_move is not None or stones[1] or not game.handicap:
        handicap = game.handicap
        game.setup_points(*stones, parse_color(to_move) if to_move else _first_color(root))
        game.handicap = handicap


def _komi(text: str) -> float:
    """Parse a komi; some programs write a comma. ValueError: it is not a number."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise ValueError(f"KM[{text[:40]}] is not a number") from None


def _has(node: sgf.Tree_node, name: str) -> bool:
    """Whether a node has a property with a value; some programs write empty ones."""
    return node.has_property(name) and bool(node.get_raw(name).strip())


def _first_color(root: sgf.Tree_node) -> int:
    """The colour of the first move if the file has no PL property; Black if there is no move."""
    node = root
    while node is not None:  # a node without children is false
        letter, _move = node.get_move()
        if letter is not None:
            return parse_color(letter)
        node = node[0] if len(node) else None
    return BLACK
