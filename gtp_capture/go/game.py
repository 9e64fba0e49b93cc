"""A game: rules, positions, prisoners, ko and superko, handicap, undo, and the outcome with its cause."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable

from . import board as bd
from . import scoring
from .board import Board
from .position import Move, Outcome, Position, Termination
from .rules import DEFAULT, Ko, Passing, Rules, Scoring
from .scoring import Status, Statuses
from .vertex import (
    BLACK,
    COLOR_NAMES,
    EMPTY,
    MAX_SIDE,
    MIN_SIDE,
    PASS,
    RESIGN,
    WHITE,
    format_vertex,
    opponent,
    parse_color,
    parse_vertex,
)

KEPT_BOARDS = 64
"""Boards kept for a quick undo; an older position is built again from its colours."""


class IllegalMoveError(ValueError):
    """The rules forbid this move; the message says why."""


class GameError(ValueError):
    """The game cannot do that now; the message says why."""


class Game:
    """A game under any rules on a board of 2 to 25 points a side.

    Points may be given as text ("D4", "pass") wherever a move is asked for.
    """

    def __init__(
        self, rules: Rules | str = DEFAULT, width: int = 9, height: int | None = None, *, komi: float | None = None
    ) -> None:
        height = width if height is None else height
        if not (MIN_SIDE <= width <= MAX_SIDE and MIN_SIDE <= height <= MAX_SIDE):
            raise GameError(f"a board has {MIN_SIDE} to {MAX_SIDE} points a side, not {width}x{height}")
        self.rules = Rules.parse(rules) if isinstance(rules, str) else rules
        self.width = width
        self.height = height
        self.explicit_komi = komi
        self.judge: Callable[[Board], Statuses | None] = scoring.all_proven
        """Says which chains are dead or in seki; None where it cannot tell. `life.statuses` always can."""
        self._judged: tuple[bytes, Statuses | None] | None = None
        self.handicap = 0
        self.positions: list[Position] = []
        self._boards: deque[Board] = deque(maxlen=KEPT_BOARDS)
        self._restart(bd.new(width, height), BLACK)

    # --- What stands ---

    @property
    def board(self) -> Board:
        """The board of the last position. Read it; only the game changes it."""
        return self._boards[-1]

    @property
    def to_move(self) -> int:
        """The colour whose turn it is."""
        return self.positions[-1].to_move

    @property
    def moves(self) -> list[Move]:
        """Every move so far, passes among them."""
        return [p.move for p in self.positions if p.move is not None]

    @property
    def last_move(self) -> Move | None:
        """The last move, if any was made."""
        return self.positions[-1].move

    @property
    def komi(self) -> float:
        """Komi in points: what was set, else what the rules give for this board and handicap."""
        if self.explicit_komi is not None:
            return self.explicit_komi
        return self.rules.default_komi(self.width, self.height, self.handicap)

    def prisoners(self, color: int) -> int:
        """The stones that a colour has captured, been handed, or been left by suicide."""
        return self.positions[-1].won(color)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on. Derived from the history, so undo takes it back."""
        position = self.positions[-1]
        if position.decided is not None:
            return position.decided
        if self._two_passes():
            lead = self.score() if self.rules.scoring is not Scoring.NONE else 0.0
            winner = None if not lead else BLACK if lead > 0 else WHITE
            return Outcome(winner, Termination.TWO_PASSES)
        return None

    def statuses(self) -> Statuses | None:
        """The status of every chain at the end, by its lowest point; None where the judge cannot tell."""
        if not self.rules.dead_stones:
            return dict.fromkeys(bd.chains(self.board), Status.ALIVE)
        position = self.positions[-1].colors
        if self._judged is None or self._judged[0] != position:
            self._judged = position, self.judge(self.board)
        return self._judged[1]

    def score(self) -> float | None:
        """Black's lead in points, dead stones and komi taken off; None where it cannot be told."""
        if self.rules.scoring is Scoring.NONE:
            return None
        statuses = self.statuses()
        if statuses is None:
            return None
        board = scoring.cleared(self.board, statuses)
        seki = () if self.rules.seki_points else scoring.stones_in_seki(self.board, statuses)
        if self.rules.scoring is Scoring.AREA:
            paid = max(0, self.handicap - 1) if self.rules.pays_for_handicap else 0
            return scoring.area(board, seki).lead - paid - self.komi
        prisoners = int(board.prisoners[BLACK]) - int(board.prisoners[WHITE])
        return scoring.territory(board, seki).lead + prisoners + self._owed_pass_stone() - self.komi

    def point(self, move: int | str) -> int:
        """The point of a vertex, or the point itself. ValueError: no such vertex on this board."""
        return parse_vertex(move, self.width, self.height) if isinstance(move, str) else move

    def vertex(self, point: int) -> str:
        """The text of a point."""
        return format_vertex(point, self.width)

    # --- What may be played ---

    def why_illegal(self, move: int | str, color: int | None = None) -> str | None:
        """The reason why a move of a colour (default: the one to move) is illegal, or None if it is legal."""
        color = self.to_move if color is None else color
        point = self.point(move)
        if point == RESIGN:
            return None
        if point == PASS:
            if self.rules.passing is Passing.FORBIDDEN and self.outcome is None:
                return "these rules have no passing"
            return None
        if not (0 < point < self.board.cells and self.board.color[point] == EMPTY):
            return "the point is not empty"
        if not bd.is_legal(self.board, point, color, self.rules.suicide):
            return "suicide"
        return self._repetition(color, point)

    def is_legal(self, move: int | str, color: int | None = None) -> bool:
        """Whether a colour (default: the one to move) may make this move now."""
        return self.why_illegal(move, color) is None

    def legal_plays(self, color: int | None = None) -> list[int]:
        """The points where a colour (default: the one to move) may play, from A1 row by row; passes not among them."""
        color = self.to_move if color is None else color
        return [p for p in bd.points(self.board) if self.is_legal(p, color)]

    def loses_without_play(self, color: int) -> bool:
        """Whether a colour that has no play loses: it may not pass, or its pass would be one stone too many."""
        rules = self.rules
        if rules.passing is not Passing.STONE or rules.captures is None:
            return rules.passing is Passing.FORBIDDEN
        return self.prisoners(opponent(color)) + 1 >= rules.captures

    def atari(self, color: int) -> list[int]:
        """One stone of each chain of a colour that has a single liberty left."""
        return [p for p in bd.chains(self.board) if self.board.color[p] == color and bd.in_atari(self.board, p)]

    # --- What changes the game ---

    def play(self, move: int | str, color: int | str | None = None) -> None:
        """Make a move, a pass or a resignation for a colour (default: the one to move).

        IllegalMoveError: the rules forbid the move, and nothing has changed.
        """
        color = self.to_move if color is None else parse_color(color) if isinstance(color, str) else color
        point = self.point(move)
        reason = self.why_illegal(point, color)
        if reason is not None:
            raise IllegalMoveError(f"{COLOR_NAMES[color]} {self.vertex(point)}: {reason}")
        board = bd.copy(self.board)
        if point > 0:
            bd.play(board, point, color)
        elif point == PASS:
            board.ko = 0
            board.prisoners[opponent(color)] += self.rules.passing is Passing.STONE
        self._append(board, Move(color, point), opponent(color))

    def undo(self) -> None:
        """Take the last move back, and with it every ban and end that it caused. GameError: nothing to undo."""
        if len(self.positions) == 1:
            raise GameError("no move to undo")
        self.positions.pop()
        self._boards.pop()
        if not self._boards:
            position = self.positions[-1]
            board = bd.from_colors(self.width, self.height, position.colors)
            for color in (BLACK, WHITE):
                board.prisoners[color] = position.won(color)
            self._boards.append(board)

    def clear(self) -> None:
        """Start again on the empty board; rules, size and a komi that was set stay."""
        self.setup([], [], BLACK)

    def setup(self, black: Iterable[int], white: Iterable[int], to_move: int) -> None:
        """Start again from these stones. GameError: a point twice or off the board, or a chain without liberties."""
        stones = [(p, BLACK) for p in black] + [(p, WHITE) for p in white]
        board = bd.new(self.width, self.height)
        for p, color in stones:
            if not (0 < p < board.cells) or board.color[p] != EMPTY:
                raise GameError(f"{self.vertex(p)} cannot take a stone")
            bd.place(board, p, color)
        if any(board.libs[board.root[p]] == 0 for p, _ in stones):
            raise GameError("a chain without liberties cannot stand on the board")
        self.handicap = 0
        self._restart(board, to_move)

    def set_to_move(self, color: int) -> None:
        """Let a colour move next; what was played stays, and so does what undo takes back."""
        self.positions[-1] = self.positions[-1]._replace(to_move=color)
        self._decide()

    def place_handicap(self, points: Iterable[int]) -> None:
        """Put Black's handicap stones on the empty board; White moves next. GameError: as for `setup`, or not empty."""
        if self.moves or bd.chains(self.board):
            raise GameError("the board is not empty")
        chosen = list(points)
        self.setup(chosen, [], WHITE)
        self.handicap = len(chosen)

    def set_komi(self, komi: float | None) -> None:
        """Set komi in points, or go back to the rules' own. GameError: not a finite number."""
        if komi is not None and not math.isfinite(komi):
            raise GameError("komi must be a finite number")
        self.explicit_komi = komi

    # --- How it is derived ---

    def _restart(self, board: Board, to_move: int) -> None:
        self.positions = []
        self._boards.clear()
        self._append(board, None, to_move)

    def _append(self, board: Board, move: Move | None, to_move: int) -> None:
        prisoners = (int(board.prisoners[BLACK]), int(board.prisoners[WHITE]))
        self._boards.append(board)
        self.positions.append(Position(bd.colors(board), prisoners, to_move, move, None))
        self._decide()

    def _decide(self) -> None:
        """Derive what is decided once the last position stands: what was before it, else what it decides."""
        before = self.positions[-2].decided if len(self.positions) > 1 else None
        self.positions[-1] = self.positions[-1]._replace(decided=before or self._decision(self.positions[-1]))

    def _decision(self, position: Position) -> Outcome | None:
        """What the position just reached decides for good."""
        if position.move is not None and position.move.point == RESIGN:
            return Outcome(opponent(position.move.color), Termination.RESIGNATION)
        if self.rules.captures is not None:
            for color in (BLACK, WHITE):
                if position.won(color) >= self.rules.captures:
                    passed = position.move is not None and position.move.point == PASS
                    return Outcome(color, Termination.HANDED_OVER if passed else Termination.CAPTURE)
        if self.loses_without_play(position.to_move) and not self._has_play(position.to_move):
            return Outcome(opponent(position.to_move), Termination.NO_LEGAL_PLAY)
        return None

    def _has_play(self, color: int) -> bool:
        return any(self.is_legal(int(p), color) for p in self.board.empty[: int(self.board.empties)])

    def _two_passes(self) -> bool:
        """Whether the moves end in passes of both colours; a second pass of one colour changes nothing."""
        later = None
        for position in reversed(self.positions):
            move = position.move
            if move is None or move.point != PASS:
                return False
            if later is not None and move.color != later:
                return True
            later = move.color
        return False

    def _owed_pass_stone(self) -> int:
        """Where a pass costs a stone White passes last: Black's gain from the third pass that White still owes."""
        last = self.last_move
        return int(self.rules.passing is Passing.STONE and self._two_passes() and last is not None and last[0] == BLACK)

    def _repetition(self, color: int, point: int) -> str | None:
        """Which ko rule a legal play would break, or None."""
        rule = self.rules.ko
        if rule is Ko.NONE:
            return None
        after = self._after(color, point)
        if rule is Ko.SIMPLE:
            answers_play = len(self.positions) >= 2 and self.positions[-1].played_by(opponent(color))
            return "ko" if answers_play and self.positions[-2].colors == after else None
        for position in self.positions:
            if position.colors == after and (rule is Ko.POSITIONAL or position.played_by(color)):
                return "superko: the position stood before"
        return None

    def _after(self, color: int, point: int) -> bytes:
        """The position that a play would leave."""
        board = self.board
        alone = not any(board.color[q] == EMPTY for q in bd.neighbors(board, point))
        if bd.captures_at(board, point, color) or (self.rules.suicide and alone):
            board = bd.copy(board)
            bd.play(board, point, color)
            return bd.colors(board)
        before = self.positions[-1].colors
        return before[:point] + bytes([color]) + before[point + 1 :]
