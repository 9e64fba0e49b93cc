"""The history of a game: its positions, legal plays with ko and superko, and boards for a quick undo."""

from __future__ import annotations

from collections import deque
from itertools import compress
from typing import Any, Final

from . import board as bd
from .board import Board
from .position import Illegal, Move, Position
from .rules import Ko, Rules
from .vertex import BLACK, BORDER, EMPTY, PASS, WHITE, Color, opponent

KEPT_BOARDS: Final = 64
"""Boards kept for a quick undo; an older one is built again from its position."""
_ANY: Final = 0
"""Stands for a colour in the index: all positions with these colours, also the first position and after passes."""
_ONLY: Final = {color: bytes(int(value == color) for value in range(256)) for color in (BLACK, WHITE)}
"""The tables by which `bytes.translate` marks the stones of a colour."""


class History:
    """The positions of one game, from the first one on."""

    def __init__(self, board: Board, to_move: Color) -> None:
        self.positions: list[Position] = []
        self._size = int(board.width), int(board.height)
        self._boards: deque[Board] = deque(maxlen=KEPT_BOARDS)
        self._index: dict[tuple[bytes | int, int], int] = {}
        """Number of the first position with these colours: of all (_ANY), or after a play of that colour; and of the
        first one after a play of that colour at a point."""
        self._by_stones: dict[int, tuple[int, ...]] = {}
        """Numbers of the positions by their number of stones."""
        self.append(board, None, to_move)

    @property
    def board(self) -> Board:
        """The board of the last position."""
        return self._boards[-1]

    def append(self, board: Board, move: Move | None, to_move: Color) -> None:
        """Add the position after a move, not decided yet. The board is kept and must not change any more."""
        prisoners = board.prisoners[BLACK], board.prisoners[WHITE]
        position = Position(bd.colors(board), prisoners, to_move, move, None)
        for key in _keys(position):
            self._index.setdefault(key, len(self.positions))
        self._boards.append(board)
        self._by_stones[self._stones] = (*self._by_stones.get(self._stones, ()), len(self.positions))
        self.positions.append(position)

    def amend(self, **changes: Any) -> None:
        """Change fields of the last position, but not its colours or its move."""
        self.positions[-1] = self.positions[-1]._replace(**changes)

    def pop(self) -> None:
        """Remove the last position."""
        self._by_stones[self._stones] = self._by_stones[self._stones][:-1]
        position = self.positions.pop()
        for key in _keys(position):
            if self._index[key] == len(self.positions):
                del self._index[key]
        self._boards.pop()
        if not self._boards:
            self._boards.append(self._built_again())

    def _built_again(self) -> Board:
        """The board of the last position; if a play led there, from the position before it, so that its ko is known."""
        last = self.positions[-1]
        played = last.move is not None and last.move.point > 0
        start = self.positions[-2] if played else last
        board = bd.from_colors(*self._size, start.colors)
        for color in (BLACK, WHITE):
            board.prisoners[color] = start.won(color)
        if last.move is not None and played:
            bd.play(board, last.move.point, int(last.move.color))
        return board

    def copy(self) -> History:
        """An independent copy. The boards are shared, because no board changes after `append`."""
        other = History.__new__(History)
        other.positions = list(self.positions)
        other._size = self._size
        other._boards = self._boards.copy()
        other._index = self._index.copy()
        other._by_stones = self._by_stones.copy()
        return other

    def two_passes(self) -> bool:
        """Whether the last moves are passes of both colours; several passes of one colour are not enough."""
        later = None
        for position in reversed(self.positions):
            move = position.move
            if move is None or move.point != PASS:
                return False
            if later is not None and move.color != later:
                return True
            later = move.color
        return False

    def why_illegal(self, rules: Rules, point: int, color: int) -> Illegal | None:
        """The reason why a play on a point is illegal now, or None if it is legal."""
        board = self.board
        if not (0 < point < board.cells and board.color[point] != BORDER):
            return Illegal.OUTSIDE
        if board.color[point] != EMPTY:
            return Illegal.OCCUPIED
        if not bd.is_legal(board, point, color, rules.suicide):
            return Illegal.SUICIDE
        return self._repeats(rules, point, color)

    def legal_plays(self, rules: Rules, color: int) -> list[int]:
        """The points of the legal plays, from A1 row by row."""
        board = self.board
        lasting = bd.legal_plays(board, color)
        found = sorted(board.empty[: board.empties]) if rules.suicide else lasting
        if rules.ko is Ko.NONE:
            return found
        other, last = opponent(color), self.positions[-1].move
        doubtful = set(found).difference(lasting)  # by suicide
        if rules.ko is Ko.SIMPLE or self._last_stone_is_new():  # only the stone that was just played can be taken back
            taken = {last.point} if last is not None and board.color[last.point] == other else set()
        else:
            taken = set(compress(board.root, board.color.translate(_ONLY[other])))
            doubtful |= self._filled_before(color)
        doubtful |= {bd.last_liberty(board, p) for p in taken if bd.in_atari(board, p)}
        illegal = {p for p in doubtful if self._repeats(rules, p, color)}
        return [p for p in found if p not in illegal] if illegal else found

    def _last_stone_is_new(self) -> bool:
        """Whether the last move put a stone where none of its colour stood before; an earlier position lacks it."""
        last = self.positions[-1].move
        if last is None or self.board.color[last.point] != int(last.color):
            return False
        added = self.positions[0].colors[last.point] != int(last.color)
        return added and self._index[last.point, int(last.color)] == len(self.positions) - 1

    def _filled_before(self, color: int) -> set[int]:
        """The empty points where one stone more makes an earlier position again."""
        now, found = int.from_bytes(self.positions[-1].colors, "little"), set()
        for number in self._by_stones.get(self._stones + 1, ()):
            difference = now ^ int.from_bytes(self.positions[number].colors, "little")
            point = (difference.bit_length() - 1) // 8
            if difference == color << 8 * point:
                found.add(point)
        return found

    def can_play(self, rules: Rules, color: int) -> bool:
        """Whether a colour has a legal play."""
        return (rules.ko is Ko.NONE and any(bd.open_points(self.board))) or bool(self.legal_plays(rules, color))

    def _repeats(self, rules: Rules, point: int, color: int) -> Illegal | None:
        """The rule about repetition that forbids a play that is legal otherwise, or None."""
        if rules.ko is Ko.NONE:
            return None
        after = self._colors_after(rules, point, color)
        if rules.ko is Ko.SIMPLE:
            answers_play = len(self.positions) >= 2 and self.positions[-1].played_by(opponent(color))
            return Illegal.KO if answers_play and self.positions[-2].colors == after else None
        # Positional superko compares colours alone; situational superko also the colour that played.
        repeated = (after, _ANY if rules.ko is Ko.POSITIONAL else color) in self._index
        return Illegal.SUPERKO if repeated else None

    def _colors_after(self, rules: Rules, point: int, color: int) -> bytes:
        """The colours of the position after a play."""
        board, after = self.board, bytearray(self.positions[-1].colors)
        after[point] = color
        around = bd.neighbors4(point, board.stride)
        gone = [q for q in around if board.color[q] == opponent(color) and bd.in_atari(board, q)]
        if rules.suicide and not gone and not bd.is_legal(board, point, color, False):
            gone, after[point] = [q for q in around if board.color[q] == color], EMPTY
        for first in gone:
            after[first], stone = EMPTY, board.next[first]
            while stone != first:
                after[stone], stone = EMPTY, board.next[stone]
        return bytes(after)

    @property
    def _stones(self) -> int:
        """The number of stones on the board."""
        return self.board.width * self.board.height - self.board.empties


def _keys(position: Position) -> list[tuple[bytes | int, int]]:
    keys: list[tuple[bytes | int, int]] = [(position.colors, _ANY)]
    if (move := position.move) is not None and move.point > 0:
        keys += [(position.colors, int(move.color)), (move.point, int(move.color))]
    return keys
