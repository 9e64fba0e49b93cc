"""The history of a game: its positions, legal plays with ko and superko, and boards for a quick undo."""

from __future__ import annotations

from collections import Counter, deque
from typing import Any, Final

from . import board as bd
from .board import Board
from .position import Illegal, Move, Position
from .rules import Ko, Rules
from .vertex import BLACK, BORDER, EMPTY, PASS, WHITE, Color, opponent

KEPT_BOARDS: Final = 64
"""Boards kept for a quick undo; an older one is built again from its position."""
_ANY: Final = 0
"""In place of a colour in `_index`: positions however they arose, by a play, by a pass, or as the first one."""


class History:
    """The positions of one game, from the first one on."""

    def __init__(self, board: Board, to_move: Color) -> None:
        self.positions: list[Position] = []
        self._size = int(board.width), int(board.height)
        self._boards: deque[Board] = deque(maxlen=KEPT_BOARDS)
        self._index: dict[tuple[bytes, int], int] = {}
        """By the bytes of a position and a colour: the number of the first such position after a play of the colour."""
        self._sizes: Counter[int] = Counter()
        """The number of positions by their number of stones."""
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
        self._sizes[self._stones] += 1
        self.positions.append(position)

    def amend(self, **changes: Any) -> None:
        """Change fields of the last position, but not its colours or its move."""
        self.positions[-1] = self.positions[-1]._replace(**changes)

    def pop(self) -> None:
        """Remove the last position."""
        self._sizes[self._stones] -= 1
        position = self.positions.pop()
        for key in _keys(position):
            if self._index[key] == len(self.positions):
                del self._index[key]
        self._boards.pop()
        if not self._boards:
            last = self.positions[-1]
            board = bd.from_colors(*self._size, last.colors)
            for color in (BLACK, WHITE):
                board.prisoners[color] = last.won(color)
            self._boards.append(board)

    def copy(self) -> History:
        """An independent copy. The boards are shared, because no board changes after `append`."""
        other = History.__new__(History)
        other.positions = list(self.positions)
        other._size = self._size
        other._boards = self._boards.copy()
        other._index = self._index.copy()
        other._sizes = self._sizes.copy()
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
        found = bd.legal_plays(board, color, rules.suicide)
        if rules.ko is Ko.NONE:
            return found
        if rules.ko is Ko.SIMPLE or not self._sizes[self._stones + 1]:
            # Only a play that takes stones off the board can lead back to an earlier position.
            doubtful = [bd.last_liberty(board, p) for p in bd.chains_in_atari(board, opponent(color))]
            if rules.suicide:
                doubtful += set(found).difference(bd.legal_plays(board, color, False))
        else:
            doubtful = found
        illegal = {p for p in doubtful if self._repeats(rules, p, color)}
        return [p for p in found if p not in illegal] if illegal else found

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
        board = self.board
        suicide = rules.suicide and not bd.is_legal(board, point, color, False)
        if suicide or bd.captures_at(board, point, color):
            return bd.colors(bd.after(board, point, color))
        before = self.positions[-1].colors
        return b"%b%c%b" % (before[:point], color, before[point + 1 :])

    @property
    def _stones(self) -> int:
        """The number of stones on the board."""
        return self.board.width * self.board.height - self.board.empties


def _keys(position: Position) -> list[tuple[bytes, int]]:
    keys = [(position.colors, _ANY)]
    if position.move is not None and position.move.point > 0:
        keys.append((position.colors, int(position.move.color)))
    return keys
