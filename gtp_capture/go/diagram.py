"""Parser of diagrams: rows alone, or a board with coordinates and captions as `showboard` prints it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from . import board as bd
from .game import Game, GameError
from .rules import DEFAULT, PRESETS, Rules, RulesError
from .vertex import BLACK, COLUMNS, EMPTY, WHITE, Color, parse_color, point_at

SYMBOLS: Final = {BLACK: "Xx#●", WHITE: "Oo○", EMPTY: ".,+·"}
"""Symbols of GNU Go, GoGui, Leela Zero and this program (X O . +), gomill and sgfmill (# o .), and `play` (● ○ ·)."""

_CELL: Final = f"[{''.join(SYMBOLS.values())}]"
_BARE: Final = re.compile(rf"(?:[\s()]*{_CELL})+[\s()]*")
_NUMBERED: Final = re.compile(rf"\s*(?P<row>\d{{1,2}})(?P<cells>(?:[\s()!]*{_CELL}(?:[1-3](?!\d))?)+)\)?(?P<rest>.*)")
"""A row with its number; KataGo writes 1 to 3 after the stones of the last moves, `play` writes ! before an atari."""
_LETTERS: Final = re.compile(r"\s*[A-Za-z](?:\s+[A-Za-z])+\s*")
_TO_MOVE: Final = (
    re.compile(r"\b(black|white|b|w)(?: \([xo●○]\))? to (?:play|move)\b"),
    re.compile(r"\b(?:next player|to play|to move): *(black|white|b|w)\b"),
)
_PRISONERS: Final = (
    re.compile(r"\([xo]\) holds (\d+) prisoner"),
    re.compile(r"\([xo]\) has captured (\d+)"),
    re.compile(r"\bprisoners: (?:b )?(\d+)(?: +w (\d+))?"),
    re.compile(r"\bstones captured: (\d+)"),
    re.compile(r"\bprisoners: \w+ ha(?:ve|s) (\d+)(?: of \d+)?, \w+ ha(?:ve|s) (\d+)"),
)
_HELD: Final = re.compile(r"\(([xo])\) (?:holds|has captured) (\d+)")
_OVER: Final = re.compile(r"^(?:(?:black|white) won|game over): ")


@dataclass(frozen=True, slots=True)
class Diagram:
    """A board and the contents of its captions."""

    width: int
    height: int
    black: tuple[int, ...]
    """Points, from A1 row by row."""
    white: tuple[int, ...]
    to_move: int | None
    """None if no caption names the side to move."""
    rules: Rules | None
    """None if `Rules.parse` reads no caption."""
    prisoners: bool
    """Whether a caption counts prisoners above 0."""
    held: tuple[int, int]
    """The prisoners of Black and of White that the captions give; 0 for a colour that no caption names."""
    over: bool
    """Whether a caption states the end of the game."""

    def game(self, given: Rules | None) -> Game:
        """Return a game that starts from this position.

        The rules are `given`; if they are None, those of a caption; if there is none, first-capture.
        GameError: an unsupported size, stones without liberties, a game that is over, or prisoners.
        """
        if self.over:
            raise GameError("the game is over")
        rules = given or self.rules or PRESETS[DEFAULT]
        if self.prisoners and rules.is_capture_game:
            raise GameError("a diagram cannot start a game with prisoners: give SGF, or leave out that caption")
        game = Game(rules, (self.width, self.height))
        game.setup_points(self.black, self.white, BLACK if self.to_move is None else self.to_move)
        return game


_ONE_LINE: Final = re.compile(
    r"(?P<rows>[XO.]+(?:/[XO.]+)+) (?P<side>[bw]) (?:(?P<black>\d{1,6})-(?P<white>\d{1,6})|-) (?P<ko>-|[A-Z]\d{1,2})"
    r"(?: (?P<rules>.*))?"
)
"""A position as `Game.position_text` writes it, or a `Game.key`."""
_ROWS_IN_LINE: Final = re.compile(r"[XO.]+/[XO.]+")
"""The beginning of a position in one line."""


def game_of(text: str, rules: Rules | None) -> Game:
    """See `Game.parse`."""
    if (line := _ONE_LINE.fullmatch(text.strip())) is not None:
        rows = line["rows"].split("/")
        if len({len(row) for row in rows}) > 1:
            raise GameError("the rows of a board are of one length")
        stones = _diagram(rows, [])
        given = rules or (Rules.parse(line["rules"]) if line["rules"] else PRESETS[DEFAULT])
        side = parse_color(line["side"])
        prisoners = (int(line["black"] or 0), int(line["white"] or 0))
        if line["black"] is None and line["ko"] != "-":  # a key: prisoners do not count, but the ko has taken one
            prisoners = (int(side == Color.WHITE), int(side == Color.BLACK))
        game = Game(given, (stones.width, stones.height))
        if line["ko"] == "-":
            game.setup_points(stones.black, stones.white, side, prisoners)
        else:
            _before_ko(game, stones, side, prisoners, game.point(line["ko"]))
        return game
    if _ROWS_IN_LINE.match(text.strip()) is not None:
        raise GameError("a position in one line is as `position_text` writes it: '.X/O. b 0-0 - first-capture'")
    diagram = parse(text)
    if diagram.over:
        raise GameError("the game is over")
    game = Game(rules or diagram.rules or PRESETS[DEFAULT], (diagram.width, diagram.height))
    game.setup_points(diagram.black, diagram.white, BLACK if diagram.to_move is None else diagram.to_move, diagram.held)
    return game


def _before_ko(game: Game, stones: Diagram, side: Color, prisoners: tuple[int, int], ko: int) -> None:
    """Set up the position before a stone of `side` on the point of the ko was captured, and capture it.

    GameError: no single stone of the opponent has captured one there.
    """
    own = {BLACK: set(stones.black), WHITE: set(stones.white)}
    other = int(side.opponent)
    game.setup_points(stones.black, stones.white, side)
    board = game.board
    lone = [q for q in bd.neighbors(board, ko) if q in own[other] and board.chain_size[q] == 1 and board.libs[q] == 1]
    if ko in own[BLACK] | own[WHITE] or len(lone) != 1 or not prisoners[other - BLACK]:
        raise GameError(f"no stone was captured on {game.vertex(ko)} in a ko")
    own[other].remove(lone[0])
    own[int(side)].add(ko)
    held = [number - (color == other) for color, number in zip((BLACK, WHITE), prisoners, strict=True)]
    game.setup_points(own[BLACK], own[WHITE], side.opponent, (held[0], held[1]))
    game.play_point(lone[0], side.opponent)


def parse(text: str) -> Diagram:
    """Parse the board and the captions of a text.

    Either no row has coordinates, and the only other lines are captions with the side to move; or all rows have their
    number at the left, down to 1, and everything else is a caption. GameError: any other text, or an ambiguous one.
    """
    lines = [line for line in text.removeprefix("\ufeff").splitlines() if line.strip()]
    if not lines:
        raise GameError("it is empty")
    numbered = [match for match in map(_NUMBERED.fullmatch, lines) if match]
    if numbered:
        rows, captions = _numbered(numbered), [line.strip() for line in lines if not _NUMBERED.fullmatch(line)]
        letters = [line for line in captions if _LETTERS.fullmatch(line)]
        if any("".join(line.split()).upper() != COLUMNS[: len(rows[0])] for line in letters):
            raise GameError("the letters of the diagram do not match its columns")
        captions += [_beside(match).strip() for match in numbered]
    else:
        captions = [line.strip() for line in lines if any(p.fullmatch(line.strip().lower()) for p in _TO_MOVE)]
        rows = ["".join(re.findall(_CELL, line)) for line in lines if _BARE.fullmatch(line)]
        if len(rows) + len(captions) < len(lines):
            rows = []
    if not rows or len({len(row) for row in rows}) > 1:
        raise GameError("a diagram is rows of X, O and dots, all of one length")
    return _diagram(rows, captions)


def _numbered(matches: list[re.Match[str]]) -> list[str]:
    if [int(match["row"]) for match in matches] != list(range(len(matches), 0, -1)):
        raise GameError("a diagram is rows that are numbered down to 1, each once")
    for match in matches:
        beside = _beside(match)
        if beside.strip() and beside == match["rest"] and not beside.startswith("  "):
            raise GameError(f"row {match['row']} of the diagram has other characters than X, O and dots")
    return ["".join(re.findall(_CELL, match["cells"])) for match in matches]


def _beside(match: re.Match[str]) -> str:
    """The text to the right of a row and its number."""
    return re.sub(rf"^\s*{int(match['row'])}(?!\d)", "", match["rest"])


def _diagram(rows: list[str], captions: list[str]) -> Diagram:
    """Read rows, top first, and captions."""
    width, height = len(rows[0]), len(rows)
    for color in (BLACK, WHITE):
        used = sorted(set(SYMBOLS[color]) & set("".join(rows)))
        if len(used) > 1:
            raise GameError(f"a diagram has one symbol for a colour, not {' and '.join(used)}")
    symbols = {point_at(x, y, width): symbol for y, row in enumerate(reversed(rows)) for x, symbol in enumerate(row)}
    black, white = (tuple(p for p, symbol in symbols.items() if symbol in SYMBOLS[c]) for c in (BLACK, WHITE))
    sides = {int(parse_color(word)) for caption in captions for word in _said(caption, _TO_MOVE)}
    if len(sides) > 1:
        raise GameError("the captions of the diagram name both sides as the one to move")
    named = (held_by for caption in captions for held_by in _HELD.finditer(caption.lower()))
    held = {"x": 0, "o": 0} | {held_by[1]: int(held_by[2]) for held_by in named}
    return Diagram(
        width, height, black, white, next(iter(sides), None), _rules(captions),
        any(int(count) for caption in captions for count in _said(caption, _PRISONERS)), (held["x"], held["o"]),
        any(_OVER.match(caption.lower()) for caption in captions),
    )  # fmt: skip


def _said(caption: str, patterns: tuple[re.Pattern[str], ...]) -> list[str]:
    """The groups that the patterns match in a caption."""
    matches = (match for pattern in patterns for match in pattern.finditer(caption.lower()))
    return [group for match in matches for group in match.groups() if group]


def _rules(captions: list[str]) -> Rules | None:
    for caption in captions:
        try:
            return Rules.parse(caption)
        except RulesError:
            continue
    return None
