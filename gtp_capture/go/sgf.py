"""Games as SGF (Smart Game Format, FF[4]): writing, and reading with bounds."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import Final

from . import board as bd
from . import opening, scoring
from .charset import understood
from .game import Game, GameError, check_game
from .position import Outcome, Termination
from .rules import DEFAULT, NEAREST, PRESETS, Rules
from .sgf_tree import (
    MOST_BYTES,
    MOVES,
    START,
    Node,
    SgfError,
    dump_trees,
    point_text,
    read_main_line,
    read_tree,
    shown,
    split,
)
from .vertex import BLACK, COLOR_LETTERS, PASS, RESIGN, WHITE, Color, parse_color
from .words import digits

__all__ = ["MOST_BYTES", "START", "Notice", "SgfError", "crosscut", "dump", "games", "load", "named_rules", "split"]

Notice = Callable[[str], object]
"""Called with one line: something is unusual in a file, or other rules are used than the file names."""

_OTHER_RULES: Final = "others: --rules capture-5, or --rules japanese for Go"
"""What a user does if a file was played by other rules than those that are used."""
_SWALLOWED: Final = re.compile(rb";\s*[BW]\[[A-Za-z]{0,2}\Z")
"""The end of a text whose ] is missing, so that it goes on to the ] of a move. Elsewhere a ] has a backslash."""
_RESIGNED: Final = re.compile(r"\s*([BW])\+R(?:esign)?\s*", re.IGNORECASE)
"""The result of a game in which a player resigned."""
_NUMBER: Final = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)", re.ASCII)
_HUNDREDTHS: Final = re.compile(r"-?\d{3,4}", re.ASCII), re.compile(r"-?\d{2,4}", re.ASCII)
"""A komi in hundredths, in any file and in one of Fox; `dump` writes such numbers with a decimal point.

Quarters are in units of two points, as Chinese rules have them.
"""
_GO: Final = re.compile(r"(0*1(\.0*)?|go)?", re.IGNORECASE)
"""The kinds of game (GM) that are Go, as programs write them."""
_SETUP: Final = frozenset({"AB", "AW", "AE", "PL"})


def load(
    data: bytes,
    rules: Rules | None = None,
    before_move: int | None = None,
    *,
    session_rules: Rules | None = None,
    resignation: bool = False,
    notice: Notice = lambda line: None,
) -> Game:
    """Return the main line of an SGF file as a game, up to the position before a move if one is given.

    The side of that move is then to move, unless the file names another one.
    `rules` are used if they are given, else the rules that the file names (RU), else first-capture. The rules of a
    session are weaker: the rules of the file replace them, except that rules of Go do not replace rules of a capture
    game, because other programs always write some. Komi is taken from the file if it has one. With `resignation`, a
    game that is not over after its moves ends by the resignation that its result (RE) tells. `Game.record` is the data.
    SgfError: not SGF, too many nodes or values, an unsupported size, stones set up after the first move, or an illegal
    move.
    """
    data = next(split(data), data)
    root, ended = read_main_line(data)
    if not ended:
        notice("the last ) is missing: the game may be cut off")
    if any(_SWALLOWED.search(value) for node in root.main_line() for value in node.properties.get("C", ())):
        notice("a comment ends with a move: if its ] is missing, the moves in it are not read")
    if not _GO.fullmatch(kind := root.text("GM").strip()):
        raise SgfError(f"GM[{shown(kind.encode())}] is not the game of Go")
    if unread := _unread(root):
        notice(f"{' and '.join(unread)} cannot be read, and the game is used without")
    named = Rules.of_file(root.text("RU"))
    used = rules or (named if session_rules is None else session_rules.replaced_by(named)) or PRESETS[DEFAULT]
    game = _replayed(root.main_line(), used, math.inf if before_move is None else before_move - 1)
    game.record, game.info = data, root.info
    resigned = _RESIGNED.fullmatch(root.text("RE"))
    if resignation and resigned is not None and not game.is_over:
        game.resign(parse_color(resigned[1]).opponent)
    if rules is None:
        _tell_rules(game, root.text("RU"), named, notice)
    return game


def game_at(node: Node, rules: Rules | str | None = None) -> Game:
    """See `Node.game`."""
    root, (*_, last) = node.root, node.root.main_line()
    named = Rules.of_file(root.text("RU")) or PRESETS[DEFAULT]
    game = _replayed(node.path(), named if rules is None else Rules.of(rules))
    game.info = root.info
    if node is not last:
        game.info.pop("result", None)
    return game


def tree_of(game: Game) -> Node:
    """See `Node.of`."""
    check_game(game)
    return read_tree(dump(game))


def _tell_rules(game: Game, name: str, named: Rules | None, notice: Notice) -> None:
    """Tell which rules are used if the file names other ones, or if it names none and the moves do not fit them."""
    if named is not None and not NEAREST.search(name.strip().lower()):
        return
    end = next((n for n, position in enumerate(game.positions) if position.decided is not None), len(game.moves))
    used = f"{game.rules} is used"
    if end < len(game.moves):
        used += f", under which the game ends at move {end} of {len(game.moves)}"
    if named is not None:
        notice(f"RU[{shown(name.encode())}] has rules of its own: {used}, the nearest here")
    elif named is None and name.strip():
        notice(f"RU[{shown(name.encode())}] is not known: {used}; {_OTHER_RULES}")
    elif named is None and end < len(game.moves):
        notice(f"the file names no rules: {used}; {_OTHER_RULES}")


def _replayed(line: Iterable[Node], rules: Rules, most: float = math.inf) -> Game:
    """Return the game of the nodes from a root on, with at most `most` moves.

    The side of the next move is then to move, if no PL says another. SgfError: a move cannot be played; the message
    begins with its number.
    """
    (root, *rest), said = line, False
    game = Game(rules, root.size)
    try:
        _set_up(game, root, root)
    except ValueError as error:
        raise SgfError(str(error)) from None
    played = 0
    for node in (root, *rest):
        moves, plain = node.has_move, len(node.properties) == 1 and node is not root
        if played >= most and moves:
            if not said:
                game.set_to_move(node.color or BLACK)
            return game
        if played >= most and played and _sets_up(node):
            return game
        try:
            if not (moves and plain):
                _set_turn(game, node, root)
            if moves:
                game.play_point(node.move_point(game.size), node.color, unseen=True)
                played += 1
        except ValueError as error:
            failed = SgfError(f"move {played + 1}: {error}")
            failed.game = game if played else None
            raise failed from None
        said = not (moves and plain) and (node.turn is not None or (said and not moves))
    return game


def _set_turn(game: Game, node: Node, root: Node) -> None:
    """Set up the stones and the side to move of a node after the root. ValueError: they cannot be set up."""
    if node is not root and _sets_up(node):
        if game.moves:
            raise SgfError("stones are set up in the middle of the game")
        _set_up(game, node, root)
    elif node is not root and node.turn is not None:
        game.set_to_move(node.turn)


def named_rules(data: bytes) -> Rules | None:
    """Return the rules that the first game names (RU), see `Rules.of_file`. SgfError: not SGF, or as for `load`."""
    return Rules.of_file(read_main_line(data)[0].text("RU"))


def games(data: bytes) -> int:
    """The number of games in a file, an unterminated one included."""
    return sum(1 for _ in split(data))


def dump(game: Game, comment: str = "") -> bytes:
    """Return a game as SGF, with rules, komi, handicap, setup stones, `info`, and the cause of the end as a comment.

    `comment` replaces that comment. If the game was read from SGF, everything else in the file stays as far as its
    moves are the moves of the game; its result does not stay if there are others. Errors: see `Node.info`.
    """
    root = _start(game)
    _write_moves(root, game)
    unchanged = game.record is not None and _keep_record(root, game, game.record)
    recorded = root.text("RE")
    root.info = game.info
    if not unchanged and root.text("RE") == recorded:
        root.set_text("RE", "")
    if (outcome := game.outcome) is not None and not root.text("RE"):
        root.set_text("RE", _result(game, outcome))
    last = list(root.main_line())[-1]
    if outcome is not None and "C" not in last.properties:
        comment = comment or f"{root.text('RE')} ({outcome.termination})"
    if comment and comment not in (before := last.text("C")):
        last.set_text("C", f"{before}\n\n{comment}" if before else comment)
    return dump_trees([root])


def _start(game: Game) -> Node:
    """Return a root with board, rules, komi, handicap, setup stones, and the side that begins if it is not clear."""
    width, height = game.size
    first = game.positions[0]
    if any(first.prisoners):
        raise GameError("SGF has no place for prisoners of the first position")
    root = Node({"FF": [b"4"], "GM": [b"1"], "CA": [b"UTF-8"]})
    root.set_text("SZ", f"{width}" if width == height else f"{width}:{height}")
    root.set_text("RU", str(game.rules))
    root.properties["KM"] = [_komi_text(game.komi)]
    if game.handicap:
        root.set_text("HA", str(game.handicap))
    for name, color in (("AB", BLACK), ("AW", WHITE)):
        if points := [p for p, c in enumerate(first.colors) if c == color]:
            root.properties[name] = sorted(point_text(p, width, height) for p in points)
    if _sets_up(root) or first.to_move is not Color.BLACK:
        root.set_text("PL", COLOR_LETTERS[int(first.to_move)])
    return root


def _write_moves(root: Node, game: Game) -> None:
    """Write the moves, and after a move against the order of turns, in a node of its own, whose turn it is."""
    node, resigned = root, False
    for number, (color, point, _) in enumerate(game.moves, 1):
        if point == RESIGN:
            resigned = True
        elif not resigned or point != PASS or game.rules.may_pass:  # else a reader would refuse it
            at = b"tt" if point == PASS and max(game.size) <= 19 else point_text(point, *game.size)
            node = node.add(Node({COLOR_LETTERS[int(color)]: [at]}))
        if (next_color := game.positions[number].to_move) == color and point != RESIGN:  # against the order of turns
            node = node.add(Node({"PL": [COLOR_LETTERS[int(next_color)].encode()]}))


def _keep_record(root: Node, game: Game, record: bytes) -> bool:
    """Add the contents of the game's file to a new tree; return whether the file has the same moves as the game.

    The nodes of the file are followed as long as their moves are equal. Nodes without a move are inserted.
    """
    try:
        old = read_tree(record)
    except SgfError:  # the variations are damaged, or too many
        old, _ = read_main_line(record)
    if not understood(record):
        del root.properties["CA"]
    moves = [node for node in root.main_line() if node.has_move]
    node, line, equal = root, list(old.main_line()), 0
    for parent, part in zip([Node(), *line], line, strict=False):
        before, kept = node, {name: v for name, v in part.properties.items() if name not in MOVES | _SETUP}
        if part.has_move and (equal == len(moves) or not _same_move(moves[equal], part, game)):
            before.adopt(*(parent.children if before.children else []))
            return False
        if part.has_move:
            node, equal = moves[equal], equal + 1
        elif part is not old and (kept or len(parent.children) > 1):  # else a variation would become the main line
            rest, node = node.children, Node()
            node.adopt(*rest)
            before.children = []
            before.adopt(node)
        before.adopt(*parent.children[1:])
        target = root if part is old else node
        target.properties = kept | target.properties
    return equal == len(game.moves)


def _same_move(node: Node, other: Node, game: Game) -> bool:
    return node.color == other.color and node.move_point(game.size) == other.move_point(game.size)


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


def _result(game: Game, outcome: Outcome) -> str:
    """The result as SGF readers take it: points, of which a won capture game has one as in GTP, or a resignation."""
    lead, decided = game.score(), game.positions[-1].decided
    if outcome.winner is None:
        return "0" if lead == 0 or not game.rules.is_scored else "?"
    if decided is None and lead:
        return scoring.result(lead)
    return f"{COLOR_LETTERS[int(outcome.winner)]}+{'R' if outcome.termination is Termination.RESIGNATION else 1}"


def _set_up(game: Game, node: Node, root: Node) -> None:
    """Read komi, stones and the side to move from a node before the first move; stones of earlier nodes stay."""
    if (komi := _komi(node)) is not None:
        game.set_komi(komi)
    to_move = node.turn
    if not _sets_up(node):
        if to_move is not None:
            game.setup_points([], [], to_move)
        return
    black, white, empty = (node.points(name, game.size) for name in ("AB", "AW", "AE"))
    before = {c: set(bd.stones_of(game.board, c)) for c in (BLACK, WHITE)}
    stones = sorted(before[BLACK] - white - empty | black), sorted(before[WHITE] - black - empty | white)
    if root.has_handicap and stones[0] and not stones[1]:
        game.clear()
        game.place_handicap(map(game.vertex, stones[0]))
    if to_move is not None or stones[1] or not game.handicap:
        handicap = game.handicap
        first = next((color for later in node.main_line() if (color := later.color) is not None), BLACK)
        game.setup_points(*stones, first if to_move is None else to_move)
        game.handicap = handicap


def _sets_up(node: Node) -> bool:
    return not {"AB", "AW", "AE"}.isdisjoint(node.properties)


def _komi(root: Node) -> float | None:
    """Return komi in points, whatever the unit of the program; some write a comma. None: not a number."""
    text = root.text("KM").replace(",", ".").strip()
    if not _NUMBER.fullmatch(text) or not math.isfinite(komi := float(text)):
        return None
    fox = "foxwq" in root.text("AP").lower()
    if _HUNDREDTHS[fox].fullmatch(text) and komi % 25 == 0:
        komi /= 100
    elif not fox:
        return komi
    return 2 * komi if (4 * komi) % 2 == 1 else komi


def _komi_text(komi: float) -> bytes:
    """Return a komi as text that is not taken for hundredths."""
    text = digits(komi + 0.0)  # not -0
    whole = text.strip("-")
    return (f"{text}.0" if whole.isdigit() and len(whole) > 1 else text).encode()


def _unread(root: Node) -> list[str]:
    """Return the ill-formed values of properties without which the game can be replayed, the first of each."""
    turns = (node.text("PL").strip() for node in root.main_line() if "PL" in node.properties and node.turn is None)
    unread = {
        "KM": "" if _komi(root) is not None else root.text("KM").strip(),
        "HA": "" if root.has_handicap else root.text("HA").strip(" 0"),
        "PL": next(filter(None, turns), ""),
    }
    return [f"{name}[{shown(text.encode())}]" for name, text in unread.items() if text]
