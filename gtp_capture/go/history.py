"""The history of a game: its positions, legal plays with ko and superko, and boards for a quick undo."""

from __future__ import annotations

from collections import deque
from itertools import compress, takewhile
from operator import gt
from typing import Any, Final

from . import board as bd
from .board import Board
from .position import Illegal, Move, Outcome, Position
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
        self.last: Position
        """The last position."""
        self._positions: list[Position] = []
        self._handed_out: tuple[Position, ...] | None = None
        """The positions as `positions` gives them, until they change."""
        self._size = int(board.width), int(board.height)
        self._boards: deque[Board | None] = deque(maxlen=KEPT_BOARDS)
        """The last ones are of the last positions. The very last one is None until it is needed."""
        self._index: dict[tuple[bytes, int], int] = {}
        """Number of the first position with these colours: of all (_ANY), or after a play of that colour."""
        self._plays: dict[tuple[int, int], int] = {}
        """Number of the first position after a play at a point, by point and colour."""
        self._by_stones: dict[int, tuple[int, ...]] = {}
        """Numbers of the positions by their number of stones."""
        self._indexed = 0
        """The number of positions that `_index` and `_by_stones` have. Few plays need them, and only under superko."""
        self._listed = 0
        """The number of positions that `_plays` has."""
        self._legal: list[tuple[Rules, int, bytes] | None] = []
        """For each position the legal plays that were found last: rules, colour, and a byte for each cell, not 0 if the
        play is legal."""
        self.append(board, None, to_move)

    @property
    def positions(self) -> tuple[Position, ...]:
        """All positions."""
        if self._handed_out is None:
            self._handed_out = tuple(self._positions)
        return self._handed_out

    @property
    def before_last(self) -> Position | None:
        """The position before the last one; None if there is none."""
        return self._positions[-2] if len(self._positions) > 1 else None

    @property
    def board(self) -> Board:
        """The board of the last position."""
        board = self._boards[-1]
        if board is None:  # two threads may make it at once, with the same result
            board = self._boards[-1] = self._made()
        return board

    def append(self, board: Board, move: Move | None, to_move: Color, decided: Outcome | None = None) -> None:
        """Add the position after a move. The board is kept and must not change any more, except in `own_board`."""
        held = board.prisoners
        self._add(Position(bytes(board.color), (held[BLACK], held[WHITE]), to_move, move, decided), board)

    def play(self, move: Move, to_move: Color, decided: Outcome | None, pass_stones: int) -> None:
        """Add the position after a legal move; its board is made when it is needed. A pass costs `pass_stones`."""
        color, colors, taken, held = int(move.color), self.last.colors, 0, self.last.prisoners
        if move.point > 0:
            colors, taken = self._after(move.point, color)
        elif move.point == PASS:
            taken = -pass_stones
        if taken:
            winner = color if taken > 0 else opponent(color)
            held = held[0] + abs(taken) * (winner == BLACK), held[1] + abs(taken) * (winner == WHITE)
        self._add(Position(colors, held, to_move, move, decided), None)

    def _add(self, position: Position, board: Board | None) -> None:
        self.last = position
        self._positions.append(position)
        self._handed_out = None
        self._legal.append(None)
        self._boards.append(board)

    def _made(self) -> Board:
        """The board of the last position, from the one before it."""
        before, move = self._boards[-2] if len(self._boards) > 1 else None, self.last.move
        if before is None or move is None:
            return self._built_again()
        board = before.copy()
        if move.point > 0:
            bd.play(board, move.point, int(move.color))
        elif move.point == PASS:
            board.ko = 0
        board.prisoners[BLACK], board.prisoners[WHITE] = self.last.prisoners
        return board

    def own_board(self) -> Board:
        """The board of the last position, to play on before `append`: earlier boards are built again if undo needs one.

        Only for a history that nothing else has seen, as another one may share its boards.
        """
        board = self.board
        self._boards.clear()
        return board

    def amend(self, **changes: Any) -> None:
        """Change fields of the last position, but not its colours or its move."""
        self.last = self._positions[-1] = self.last._replace(**changes)
        self._handed_out = None

    def pop(self) -> None:
        """Remove the last position."""
        position, self._handed_out = self._positions.pop(), None
        self.last = self._positions[-1]
        self._legal.pop()
        number = len(self._positions)
        if self._listed > number:
            self._listed = number
            if (play := _play(position)) is not None and self._plays[play] == number:
                del self._plays[play]
        if self._indexed > number:
            self._indexed = number
            stones = _stones(position)
            self._by_stones[stones] = self._by_stones[stones][:-1]
            for key in _keys(position):
                if self._index[key] == number:
                    del self._index[key]
        self._boards.pop()
        if not self._boards:
            self._boards.append(self._built_again())

    def _known_plays(self) -> dict[tuple[int, int], int]:
        """Return `_plays` with all positions."""
        for number in range(self._listed, len(self._positions)):
            if (play := _play(self._positions[number])) is not None:
                self._plays.setdefault(play, number)
        self._listed = len(self._positions)
        return self._plays

    def _extend_index(self) -> None:
        """Add the positions that `_index` and `_by_stones` lack."""
        for number in range(self._indexed, len(self._positions)):
            position = self._positions[number]
            for key in _keys(position):
                self._index.setdefault(key, number)
            stones = _stones(position)
            self._by_stones[stones] = (*self._by_stones.get(stones, ()), number)
        self._indexed = len(self._positions)

    def _built_again(self) -> Board:
        """The board of the last position; if a play led there, from the position before it, so that its ko is known."""
        last = self.last
        played = last.move is not None and last.move.point > 0
        start = self._positions[-2] if played else last
        board = bd.from_colors(*self._size, start.colors)
        for color in (BLACK, WHITE):
            board.prisoners[color] = start.won(color)
        if last.move is not None and played:
            bd.play(board, last.move.point, int(last.move.color))
        return board

    def copy(self, moves: int | None = None) -> History:
        """An independent copy, of the first `moves` moves if given; boards are shared, as they do not change."""
        other = History.__new__(History)
        kept = len(self._positions) if moves is None else min(moves + 1, len(self._positions))
        other._size, other._boards, other._handed_out = self._size, self._boards.copy(), None
        other._positions, other._legal = self._positions[:kept], self._legal[:kept]
        other.last = other._positions[-1]
        if kept == len(self._positions):
            other._index, other._by_stones, other._indexed = self._index.copy(), self._by_stones.copy(), self._indexed
            other._plays, other._listed = self._plays.copy(), self._listed
            return other
        other._index, other._by_stones, other._indexed, other._plays, other._listed = {}, {}, 0, {}, 0
        for _ in range(min(len(self._positions) - kept, len(self._boards))):
            other._boards.pop()
        if not other._boards:
            other._boards.append(other._built_again())
        return other

    def two_passes(self) -> bool:
        """Whether the last moves are passes of both colours; several passes of one colour are not enough."""
        if (last := self.last.move) is None or last.point != PASS:  # without a walk, as this is asked before each move
            return False
        moves = (position.move for position in reversed(self._positions))
        passes = takewhile(lambda move: move is not None and move.point == PASS, moves)
        return len({move.color for move in passes if move is not None}) > 1

    def why_illegal(self, rules: Rules, point: int, color: int) -> Illegal | None:
        """The reason why a play on a point is illegal now, or None if it is legal."""
        board, known = self.board, self._legal[-1]
        if known is not None and 0 < point < board.cells and known[2][point] and known[:2] == (rules, color):
            return None
        if not (0 < point < board.cells and board.color[point] != BORDER):
            return Illegal.OUTSIDE
        if board.color[point] != EMPTY:
            return Illegal.OCCUPIED
        if not bd.is_legal(board, point, color, rules.suicide):
            return Illegal.SUICIDE
        return self._repeats(rules, point, color)

    def legal_plays(self, rules: Rules, color: int) -> list[int]:
        """The points of the legal plays, from A1 row by row."""
        return list(compress(range(self.board.cells), self.legal_mask(rules, color)))

    def legal_mask(self, rules: Rules, color: int) -> bytes:
        """The legal plays as a byte for each cell, not 0 if the play is legal."""
        known = self._legal[-1]
        if known is None or known[:2] != (rules, color):
            legal = bd.legal_plays(self.board, color, rules.suicide)
            if rules.ko is not Ko.NONE:
                for point in self._doubtful(rules, color, legal):
                    if legal[point] and self._repeats(rules, point, color):
                        legal[point] = 0
            known = self._legal[-1] = rules, color, bytes(legal)
        return known[2]

    def _doubtful(self, rules: Rules, color: int, plays: bytearray) -> set[int]:
        """The points where a play may repeat a position: the others need no test."""
        board, other, last = self.board, opponent(color), self.last.move
        doubtful = set[int]()
        if rules.suicide:
            doubtful.update(compress(range(board.cells), map(gt, plays, bd.legal_plays(board, color, False))))
        if rules.ko is Ko.SIMPLE or self._last_stone_is_new():  # only the stone that was just played can be taken back
            taken = {last.point} if last is not None and board.color[last.point] == other else set()
        else:
            taken = set(compress(board.root, board.color.translate(_ONLY[other])))
            doubtful |= self._filled_before(color)
        return doubtful | {bd.last_liberty(board, p) for p in taken if bd.in_atari(board, p)}

    def _last_stone_is_new(self) -> bool:
        """Whether the last move put a stone where none of its colour stood before; an earlier position lacks it."""
        last = self.last.move
        if last is None or self.board.color[last.point] != (color := int(last.color)):
            return False
        added = self._positions[0].colors[last.point] != color
        return added and self._known_plays()[last.point, color] == len(self._positions) - 1

    def _is_new(self, point: int, color: int) -> bool:
        """Whether no position has had a stone of a colour on an empty point."""
        if self.last.prisoners == self._positions[0].prisoners:
            return True  # no stone was ever taken from the board
        return (point, color) not in self._known_plays() and self._positions[0].colors[point] != color

    def _filled_before(self, color: int) -> set[int]:
        """The empty points where one stone more makes an earlier position again."""
        self._extend_index()
        last, filled = self.last, set()
        now = int.from_bytes(last.colors, "little")
        for number in self._by_stones.get(_stones(last) + 1, ()):
            difference = now ^ int.from_bytes(self._positions[number].colors, "little")
            point = (difference.bit_length() - 1) // 8
            if difference == color << 8 * point:
                filled.add(point)
        return filled

    def can_play(self, rules: Rules, color: int) -> bool:
        """Whether a colour has a legal play."""
        # A play beside an empty point takes back no single stone: that point is surrounded.
        is_open = rules.ko in (Ko.NONE, Ko.SIMPLE) and bd.open_points(self.last.colors, self._size[0] + 1)[0] > 0
        return is_open or any(self.legal_mask(rules, color))

    def _repeats(self, rules: Rules, point: int, color: int) -> Illegal | None:
        """The rule about repetition that forbids a play that is legal otherwise, or None."""
        if rules.ko is Ko.NONE:
            return None
        if rules.ko is Ko.SIMPLE:
            last = self.last
            # Without suicide a play restores the position only by taking the stone that was just played beside it.
            if last.move is None or not (rules.suicide or abs(point - last.move.point) in (1, self._size[0] + 1)):
                return None
            answers_play = last.played_by(opponent(color))
            after, _ = self._after(point, color)
            return Illegal.KO if answers_play and self._positions[-2].colors == after else None
        if not rules.suicide and self._is_new(point, color):
            return None
        self._extend_index()
        after, _ = self._after(point, color)
        # Positional superko compares colours alone; situational superko also the colour that played.
        repeated = (after, _ANY if rules.ko is Ko.POSITIONAL else color) in self._index
        return Illegal.SUPERKO if repeated else None

    def _after(self, point: int, color: int) -> tuple[bytes, int]:
        """The colours after a play that is legal but for repetition, and the stones taken, as `board.play` returns."""
        board, other = self.board, opponent(color)
        now, stride = board.color, board.stride
        after, taken, breathes = bytearray(self.last.colors), 0, False
        after[point] = color
        around = (point - 1, point + 1, point - stride, point + stride)
        for q in around:
            if now[q] == EMPTY:
                breathes = True
            elif now[q] == other and after[q] == other and bd.in_atari(board, q):
                taken += _lifted(board, q, after)
            elif now[q] == color:
                breathes = breathes or not bd.in_atari(board, q)
        if breathes or taken:
            return bytes(after), taken
        after[point] = EMPTY
        lost = 1 + sum(_lifted(board, q, after) for q in around if now[q] == color and after[q] == color)
        return bytes(after), -lost


def _lifted(board: Board, point: int, after: bytearray) -> int:
    """Empty the points of the chain at a point in `after`; return the number of its stones."""
    following, stone = board.next, point
    while True:
        after[stone], stone = EMPTY, following[stone]
        if stone == point:
            return board.chain_size[board.root[point]]


def _stones(position: Position) -> int:
    """The number of stones on the board."""
    return position.colors.count(BLACK) + position.colors.count(WHITE)


def _play(position: Position) -> tuple[int, int] | None:
    """The point and the colour of the play that led to a position, or None."""
    move = position.move
    return (move.point, int(move.color)) if move is not None and move.point > 0 else None


def _keys(position: Position) -> list[tuple[bytes, int]]:
    played = _play(position)
    return [(position.colors, _ANY), *([(position.colors, played[1])] if played is not None else [])]
