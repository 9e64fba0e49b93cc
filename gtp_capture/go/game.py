"""A game: rules, moves, prisoners, ko and superko, handicap, undo, and the outcome with its cause."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from functools import cache
from itertools import compress
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Final, NoReturn, Self

from ..util.above import above
from ..util.arguments import flag, whole
from . import board as bd
from . import scoring
from .board import Board
from .history import History
from .position import GameInfo, Illegal, Move, Outcome, Position, Termination, board_arrays
from .rules import DEFAULT, Rules, Scoring
from .scoring import Status, Statuses
from .symmetry import symmetries
from .vertex import (
    BLACK,
    COLOR_LETTERS,
    COLUMNS,
    EMPTY,
    MAX_SIDE,
    MIN_SIDE,
    PASS,
    RESIGN,
    WHITE,
    Color,
    ColorLike,
    cell_texts,
    format_vertex,
    parse_color,
    parse_vertex,
    point_at,
    vertices,
)
from .words import counted, digits

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SYMBOLS: Final = {EMPTY: ".", BLACK: "X", WHITE: "O"}
"""The characters of a board as text."""
_AS_SYMBOLS: Final = bytes(ord(SYMBOLS.get(color, " ")) for color in range(256))


class IllegalMoveError(ValueError):
    """The rules forbid this move; the message gives the reason."""

    def __init__(self, message: str, reason: Illegal | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        """The reason as a value, the same as of `why_illegal`; None if the error was made without one."""


class GameError(ValueError):
    """The operation is not possible in this state of the game; the message gives the reason."""


class Game:
    """A game on a board of 2 to 25 points a side.

    A move is a vertex ("D4", "pass", "resign", in any case); a colour is any value that `Color` reads; the default is
    the colour to move. After the end no move is legal, unless `go_on` allows it. The methods for use inside the package
    take points (an `int`, see `vertex.py`), and allow moves after the end: they do not change a decided outcome.
    Games are equal if rules, size, komi, handicap and all positions are equal.
    """

    @staticmethod
    def default_statuses(board: Board) -> Statuses | None:
        """`find_statuses` of new games: by proof, else by playouts and reading, for which the search is loaded."""
        statuses = scoring.all_proven(board)
        estimated: Statuses = above("judgement.life.loaded_statuses", board) if statuses is None else statuses
        return estimated

    def __init__(
        self, rules: Rules | str = DEFAULT, size: int | tuple[int, int] = 9, *, komi: float | None = None
    ) -> None:
        """Start a game on the empty board: `Game("capture-3", 9)`, `Game(size=(9, 7))`.

        `rules`: a preset's name, as `Rules.parse` reads it, or rules. `size`: points a side, or (width, height).
        `komi`: points for White; None: the komi of the rules.
        TypeError: an argument of another kind. RulesError: unknown rules. GameError: a side below 2 or above 25, or
        komi that is not finite.
        """
        self.rules = Rules.of(rules)
        self.size: tuple[int, int] = _sides(size)
        """Width and height in points."""
        self.width, self.height = self.size
        self.explicit_komi: float | None = None
        """Komi in points if it was set, else None."""
        self.set_komi(komi)
        self.find_statuses: Callable[[Board], Statuses | None] = Game.default_statuses
        """Finds dead chains and seki; may return None for unknown, as `scoring.all_proven` does."""
        self._known_statuses: tuple[object, bytes, Statuses | None] | None = None
        self.handicap = 0
        """Black's handicap stones."""
        self._goes_on = False
        self.record: bytes | None = None
        """The SGF that the game was read from, as `sgf.split` yields it: its comments are written again."""
        self.info: GameInfo = {}
        """Names of the players, result, date and so on; SGF has them. They do not count when games are compared."""
        self._history = History(bd.new(*self.size), Color.BLACK)

    @classmethod
    def from_array(
        cls,
        array: npt.ArrayLike,
        rules: Rules | str = DEFAULT,
        *,
        to_move: ColorLike = BLACK,
        komi: float | None = None,
    ) -> Game:
        """Return a game that starts from the stones of an array, as `board_array` gives them; also of nested lists.

        TypeError: no array of whole numbers in two dimensions. ValueError: a number other than 0, 1 and 2, or not a
        colour. GameError: a side below 2 or above 25, or a chain without liberties. Other errors as for `Game`.
        """
        colors = _as_colors(array)
        height, width = colors.shape
        game = cls(rules, (width, height), komi=komi)
        rows = enumerate(colors[::-1].tolist())  # from the lower edge of the board
        stones = [(point_at(x, y, width), color) for y, row in rows for x, color in enumerate(row)]
        black, white = ([point for point, color in stones if color == side] for side in (BLACK, WHITE))
        game.setup_points(black, white, to_move)
        return game

    @classmethod
    def parse(cls, text: str, rules: Rules | str | None = None) -> Game:
        """Return a game that starts from a board as text.

        The text is that of `str(game)`, `position_text` or `key`, the board of another program, or rows of X, O and
        dots. `rules`: by default those of the text, else first-capture; a key has none. After a capture that the ko
        rule forbids to answer at once, the game starts before that capture, so that the ban holds.
        GameError: not a board, or a position that no game can have. RulesError: unknown rules. TypeError: not text.
        """
        if not isinstance(text, str):
            raise TypeError(f"a board as text is needed, not {text!r}")
        game: Game = above("go.diagram.game_of", text, None if rules is None else Rules.of(rules))
        return game

    def copy(self, moves: int | None = None) -> Self:
        """Return an independent copy, history included, of the game or of its first `moves` moves.

        A copy of a subclass has its class, and shares the attributes that the subclass has added.

        TypeError: not a whole number. ValueError: less than 0.
        """
        history = self._history.copy(None if moves is None else whole("moves", moves, 0))
        other = object.__new__(type(self))
        other.__dict__ |= self.__dict__ | {"info": self.info.copy(), "_history": history}
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        other = self.copy()
        memo[id(self)] = other
        other.__dict__ |= deepcopy(self._attributes(), memo)
        return other

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the first position and the moves, a few bytes each; they are played again."""
        moves = [(int(p.move.color), p.move.point, int(p.to_move)) for p in self.positions if p.move is not None]
        first = self.positions[0]
        made = type(self), self.rules, self.size, first[:3], moves
        return _replayed, made, self._attributes()

    def _attributes(self) -> dict[str, object]:
        """Return the attributes for a pickle. They include those that a subclass has added.

        The history and the statuses of chains are left out, because they follow from the moves.
        """
        return {name: value for name, value in vars(self).items() if name not in ("_history", "_known_statuses")}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        mine, theirs = ((g.rules, g.size, g.komi, g.handicap, g.positions) for g in (self, other))
        return mine == theirs

    def __str__(self) -> str:
        return showboard(self)

    def __repr__(self) -> str:
        return f"<Game {str(self.rules)!r}, {self.width}x{self.height}, {len(self.moves)} moves>"

    def _repr_svg_(self) -> str:
        """The board as SVG, which Jupyter displays."""
        from .picture import Marked, picture, svg  # noqa: PLC0415 - sessions do not need it

        return svg(picture(self.board, Marked(self.last_move)))

    # --- State ---

    @property
    def positions(self) -> tuple[Position, ...]:
        """The first position and the one after each move."""
        return self._history.positions

    @property
    def board(self) -> Board:
        """The board of the last position. Read-only."""
        return self._history.board

    @property
    def to_move(self) -> Color:
        """The colour to move."""
        return self._history.last.to_move

    @property
    def moves(self) -> list[Move]:
        """All moves so far, passes and a resignation included."""
        return [p.move for p in self.positions if p.move is not None]

    @property
    def last_move(self) -> Move | None:
        """The last move, or None before the first one."""
        return self._history.last.move

    @property
    def komi(self) -> float:
        """Komi in points: the value that was set, else the rules' value for this board and handicap."""
        if self.explicit_komi is not None:
            return self.explicit_komi
        return self.rules.default_komi(self.width, self.height, self.handicap)

    def prisoners(self, color: ColorLike) -> int:
        """The number of prisoners of a colour: captured, handed over by passes, or lost by the opponent's suicide.

        ValueError: not a colour.
        """
        return self._history.last.won(int(parse_color(color)))

    @property
    def outcome(self) -> Outcome | None:
        """The winner and the cause of the end, or None while the game goes on. Undo reverts it.

        After two passes under rules that score, `score` decides the winner. Where the dead stones are not proven,
        `find_statuses` decides, as for GTP's `final_score`: by default playouts and reading, which first loads the
        search.
        """
        decided = self._history.last.decided
        if decided is not None or not self._history.two_passes():
            return decided
        lead = self.score()
        winner = None if not lead else Color.BLACK if lead > 0 else Color.WHITE
        return Outcome(winner, Termination.TWO_PASSES)

    @property
    def is_over(self) -> bool:
        """Whether the game has an outcome. Nothing is scored."""
        return self._history.last.decided is not None or self._history.two_passes()

    def statuses(self) -> Statuses | None:
        """The status of every chain at the end of the game, by its lowest point; None if that is unknown."""
        if not self.rules.dead_stones:
            return dict.fromkeys(bd.chains(self.board), Status.ALIVE)
        position, known = self.positions[-1].colors, self._known_statuses
        if known is None or known[:2] != (self.find_statuses, position) or known[2] is None:
            known = self._known_statuses = self.find_statuses, position, self.find_statuses(self.board)
        return known[2]

    def take_statuses(self, other: Game) -> None:
        """Take the statuses that a copy of this game has found, for example in another thread."""
        self._known_statuses = other._known_statuses

    def score(self) -> float | None:
        """Black's lead in points without dead stones, komi subtracted; None without scoring.

        Also None where `find_statuses` is set to a function that does not know all statuses.
        """
        if not self.rules.is_scored or (statuses := self.statuses()) is None:
            return None
        return scoring.lead(self.board, statuses, self.rules) - self.komi + self.compensation()

    def compensation(self) -> int:
        """Points that Black gains besides count and komi, see `scoring.compensation`."""
        black_last = self._history.two_passes() and self.moves[-1].color is Color.BLACK
        return scoring.compensation(self.rules, self.handicap, black_last)

    # --- The position as a value ---

    def position_text(self) -> str:
        """Return the position in one line that `parse` reads: rows from the top, side, prisoners, ko and rules.

        For example ".X.../..X../...../...../..... w 0-0 - first-capture": "b" or "w" is to move; Black and White hold
        prisoners; then the point that the ko rule forbids now, or "-". Komi and earlier positions are not in it.
        """
        return f"{self._rows_text(self._history.last.colors)} {self._state_text(counted=True)} {self.rules}"

    def key(self, *, symmetric: bool = False) -> str:
        """Return a text that two positions share if the game goes on in the same way: for dicts and databases.

        It is made of the stones, the side to move, the ko, and the prisoners where they decide: in capture games of
        several prisoners, and in territory scoring. Rules, komi, and earlier positions that superko forbids are not in
        it. `symmetric`: whether images of a position by the symmetries of the board share one key, the least of theirs.
        TypeError: `symmetric` is neither True nor False.
        """
        if not flag("symmetric", symmetric):
            return self._key(self._history.last.colors, self._ko_point())
        return min(self._key(*image) for image in self._images())

    def images(self) -> list[Game]:
        """Return the game under each symmetry of the board, moves included: 8 of a square, 4 of a rectangle.

        The first one is the game itself as a copy. `vertex_images` has the vertices in the same order.
        """
        return [self._image(mapping) for mapping in _mappings(*self.size)]

    def vertex_images(self, vertex: str) -> list[str]:
        """Return a vertex of the game, or "pass", in each of its `images`. TypeError, ValueError: as for `point`."""
        point = self.point(vertex)
        return [self.vertex(mapping.get(point, PASS)) for mapping in _mappings(*self.size)]

    def _image(self, mapping: Mapping[int, int]) -> Game:
        """Return the game with each point in the place that a mapping has for it."""
        other, first = object.__new__(type(self)), self.positions[0]
        other.__dict__ |= self.__dict__ | {"info": self.info.copy(), "record": None, "_known_statuses": None}
        board = bd.from_colors(*self.size, _mapped(first.colors, mapping))
        board.prisoners[BLACK], board.prisoners[WHITE] = first.prisoners
        other._history = History(board, first.to_move)
        other._decide()
        for position in self.positions[1:]:
            assert position.move is not None
            point = position.move.point
            other.play_point(mapping.get(point, point), position.move.color, unseen=True)
            if other.to_move is not position.to_move:
                other.set_to_move(position.to_move)
        return other

    def _images(self) -> Iterable[tuple[bytes, int]]:
        """The colours of the cells, and the point of the ko or 0, of each image of the position."""
        colors, ko = self._history.last.colors, self._ko_point()
        return ((_mapped(colors, mapping), mapping.get(ko, 0)) for mapping in _mappings(*self.size))

    def _key(self, colors: bytes, ko: int) -> str:
        counted = (self.rules.captures or 0) > 1 or self.rules.scoring is Scoring.TERRITORY
        return f"{self._rows_text(colors)} {self._state_text(counted=counted, ko=ko)}"

    def _rows_text(self, colors: bytes) -> str:
        """The rows of a position from the top, as symbols."""
        text, stride = colors.translate(_AS_SYMBOLS).decode(), self.width + 1
        return "/".join(text[row * stride + 1 : (row + 1) * stride] for row in range(self.height, 0, -1))

    def _state_text(self, *, counted: bool, ko: int | None = None) -> str:
        """The side to move, the prisoners if they are counted, and the ko."""
        last, point = self._history.last, self._ko_point() if ko is None else ko
        held = "{}-{}".format(*last.prisoners) if counted else "-"
        return f"{COLOR_LETTERS[int(last.to_move)].lower()} {held} {self.vertex(point) if point else '-'}"

    def _ko_point(self) -> int:
        """The point where the rule about repetition forbids to take back the stone that was just played, or 0."""
        point = int(self.board.ko)
        banned = point and self._why_illegal(point, self.to_move) in (Illegal.KO, Illegal.SUPERKO)
        return point if banned else 0

    def __getitem__(self, vertex: str) -> Color | None:
        """The colour of the stone on a vertex, None if it is empty. TypeError: not text. ValueError: not a vertex."""
        color = int(self.board.color[self._point_of(vertex)])
        return None if color == EMPTY else Color(color)

    def __iter__(self) -> NoReturn:
        raise TypeError("a game is no list: its moves are game.moves, and the legal ones game.legal_moves()")

    def __contains__(self, value: object) -> NoReturn:
        raise TypeError(
            f"a game is no list: game[{value!r}] is the stone there, game.is_legal({value!r}) asks about a move"
        )

    def stones(self, color: ColorLike) -> list[str]:
        """The vertices with stones of a colour, from A1 row by row. ValueError: not a colour."""
        return self._vertices(bd.stones_of(self.board, int(parse_color(color))))

    def board_array(self) -> npt.NDArray[np.int8]:
        """The stones as an array of its own, int8: 0 empty, 1 black, 2 white.

        Its shape is (height, width). Row 0 is the top of the board as `str` prints it, column 0 its left edge.
        """
        return self.positions[-1].board_array()

    def board_arrays(self) -> npt.NDArray[np.int8]:
        """The `board_array` of the first position and of the one after each move: int8, (moves + 1, height, width)."""
        return board_arrays(self.positions)

    def chain(self, vertex: str) -> list[str]:
        """The vertices of the chain with a stone on a vertex, from A1 row by row.

        TypeError: not text. ValueError: not a vertex of this board. GameError: there is no stone.
        """
        return self._vertices(bd.stones(self.board, self._stone_at(vertex)))

    def liberties(self, vertex: str) -> list[str]:
        """The liberties of the chain with a stone on a vertex, from A1 row by row. Errors as for `chain`."""
        return self._vertices(bd.liberties(self.board, self._stone_at(vertex)))

    def atari(self, color: ColorLike) -> list[int]:
        """One stone of each chain of a colour with a single liberty, as points, for use inside the package."""
        return bd.chains_in_atari(self.board, int(parse_color(color)))

    def point(self, vertex: str) -> int:
        """The point of a vertex or of "pass". TypeError: not text. ValueError: not a vertex of this board."""
        if not isinstance(vertex, str):
            raise TypeError(f"a vertex such as 'C3' is needed, not {vertex!r}")
        return parse_vertex(vertex, self.width, self.height)

    def vertex(self, point: int) -> str:
        """The text of a point, of PASS or of RESIGN, for use inside the package."""
        return format_vertex(point, self.width)

    # --- Legal moves ---

    def why_illegal(self, move: str | Move, color: ColorLike | None = None) -> Illegal | None:
        """The reason why a move is illegal, or None if it is legal. After the end none is legal, see `go_on`.

        ValueError: not a vertex of this board, or not a colour. TypeError: not a move.
        """
        point, player = self._parse(move, color)
        return self._why_illegal(point, player) or (Illegal.OVER if self._ended() else None)

    def why_illegal_point(self, point: int, color: ColorLike | None = None) -> Illegal | None:
        """The reason why a play on a point, PASS or RESIGN is illegal, or None; for use inside the package."""
        return self._why_illegal(point, self._player(color))

    def is_legal(self, move: str | Move, color: ColorLike | None = None) -> bool:
        """Whether a move is legal. Errors as for `why_illegal`."""
        return self.why_illegal(move, color) is None

    def is_legal_point(self, point: int, color: ColorLike | None = None) -> bool:
        """Whether a play on a point, PASS or RESIGN is legal; for use inside the package."""
        return self.why_illegal_point(point, color) is None

    def legal_moves(self, color: ColorLike | None = None) -> list[str]:
        """The vertices of all legal plays, from A1 row by row, then "pass" if it is legal; none after the end.

        ValueError: not a colour.
        """
        player = self._player(color)
        if self._ended():
            return []
        plays = list(compress(cell_texts(*self.size), self._history.legal_mask(self.rules, int(player))))
        if self._why_illegal(PASS, player) is None:
            plays.append("pass")
        return plays

    def legal_mask(self, color: ColorLike | None = None) -> npt.NDArray[np.bool_]:
        """The `legal_moves` as an array of its own, bool, shape (points + 1,).

        Its elements are the points in the order of `board_array`, row by row from the top left, and then the pass.

        ValueError: not a colour.
        """
        import numpy as np  # noqa: PLC0415 - see `board_arrays`

        player = self._player(color)
        mask = np.zeros(self.width * self.height + 1, np.bool_)
        if not self._ended():
            cells = np.frombuffer(self._history.legal_mask(self.rules, int(player)), np.uint8)
            mask[:-1] = cells[:-1].reshape(self.height + 2, self.width + 1)[-2:0:-1, 1:].ravel()
            mask[-1] = self._why_illegal(PASS, player) is None
        return mask

    def legal_plays(self, color: ColorLike | None = None) -> list[int]:
        """The points of all legal plays, for use inside the package. ValueError: not a colour."""
        player = self._player(color)
        return self._history.legal_plays(self.rules, int(player))

    def loses_without_play(self, color: ColorLike) -> bool:
        """Whether a colour without a legal play loses: passing is forbidden, or the pass costs the deciding stone.

        ValueError: not a colour.
        """
        held, cost = self.prisoners(parse_color(color).opponent), self.rules.pass_stones
        return not self.rules.may_pass or (cost > 0 and self.rules.won_by(held + cost))

    # --- Changes ---

    def play(self, move: str | Move, color: ColorLike | None = None) -> None:
        """Make a move. The default of `color` is the colour of the move if it is a `Move`, else the colour to move.

        IllegalMoveError: the rules forbid it, or the game is over, see `go_on`; the game is unchanged. ValueError: not
        a vertex of this board, or not a colour. TypeError: not a move.
        """
        point, player = self._parse(move, color)
        if self._ended():
            reason = self._why_illegal(point, player) or Illegal.OVER
            raise IllegalMoveError(f"{player} {self.vertex(point)}: {reason}", reason)
        self.play_point(point, player)

    def play_point(self, point: int, color: ColorLike | None = None, *, unseen: bool = False) -> None:
        """Make a play on a point, or PASS or RESIGN, for use inside the package; also after the end of the game.

        `unseen`: whether the game is new and only its maker has it; many moves are then made faster, and undone slower.
        IllegalMoveError: the rules forbid it; the game is unchanged.
        """
        point, player, history = int(point), self._player(color), self._history
        reason = self._why_illegal(point, player)
        if reason is not None:
            raise IllegalMoveError(f"{player} {self.vertex(point)}: {reason}", reason)
        move, before = Move(player, point, self.width), history.last.decided
        if unseen and point > 0:
            board = history.own_board()
            bd.play(board, point, int(player))
            history.append(board, move, player.opponent, before)
        else:
            history.play(move, player.opponent, before, self.rules.pass_stones)
        if before is None and (decided := self._decision(history.last)) is not None:
            history.amend(decided=decided)

    def after_point(self, point: int, color: ColorLike | None = None) -> Self:
        """Return a copy of the game after a move, for use inside the package. Moves and errors as for `play_point`."""
        after = self.copy()
        after.play_point(point, color)
        return after

    def go_on(self) -> None:
        """Allow moves after the end of this game and of its copies, until `clear` or `setup`.

        A decided outcome stays as it is; after two passes a play takes the outcome back.
        """
        self._goes_on = True

    def resign(self, color: ColorLike | None = None) -> None:
        """Resign for a colour (default: the one to move). ValueError: not a colour. IllegalMoveError: see `play`."""
        self.play("resign", color)

    def undo(self) -> None:
        """Take back the last move and its consequences. GameError: there is no move."""
        if self._history.before_last is None:
            raise GameError("no move to undo")
        self._history.pop()

    def clear(self) -> None:
        """Start again on the empty board, with the same rules, size and explicit komi, and without `info`."""
        self.setup([], [], BLACK)

    def setup(self, black: Iterable[str], white: Iterable[str], to_move: ColorLike) -> None:
        """Start again from these stones, without moves, handicap and `info`.

        TypeError: not a list of vertices. ValueError: not a vertex or a colour. GameError: a point twice, or a chain
        without liberties.
        """
        self.setup_points(self._points_of(black), self._points_of(white), to_move)

    def setup_points(
        self, black: Iterable[int], white: Iterable[int], to_move: ColorLike, prisoners: tuple[int, int] = (0, 0)
    ) -> None:
        """Start again from stones on these points, for use inside the package. `prisoners`: of Black and White.

        GameError: a point twice or off the board, or a chain without liberties.
        """
        stones = [(p, c) for c, group in ((BLACK, black), (WHITE, white)) for p in group]
        player, board = parse_color(to_move), bd.new(self.width, self.height)
        for p, color in stones:
            if not (0 < p < board.cells) or board.color[p] != EMPTY:
                raise GameError(f"{self.vertex(p)} cannot take a stone")
            bd.place(board, p, color)
        if any(board.libs[board.root[p]] == 0 for p, _ in stones):
            raise GameError("a chain without liberties cannot stand on the board")
        board.prisoners[BLACK], board.prisoners[WHITE] = prisoners
        self.handicap, self.record, self.info, self._goes_on = 0, None, {}, False
        self._history = History(board, player)
        self._decide()

    def set_to_move(self, color: ColorLike) -> None:
        """Change the colour to move; the moves stay, and undo works as before. ValueError: not a colour."""
        self._history.amend(to_move=parse_color(color))
        self._decide()

    def place_handicap(self, vertices: Iterable[str]) -> None:
        """Put Black's handicap stones on the board; White moves next. Errors as for `setup`; GameError: not empty."""
        chosen = self._points_of(vertices)
        if self.moves or bd.chains(self.board):
            raise GameError("the board is not empty")
        self.setup_points(chosen, [], WHITE)
        self.handicap = len(chosen)

    def set_komi(self, komi: float | None) -> None:
        """Set komi in points; None restores the rules' value. TypeError: not a number. GameError: not finite."""
        if komi is not None and not isinstance(komi, Real):
            raise TypeError(f"komi is a number of points, not {komi!r}")
        try:
            number = None if komi is None else float(komi)
        except OverflowError:
            number = math.inf
        if number is not None and not math.isfinite(number):
            raise GameError("komi must be a finite number")
        self.explicit_komi = number

    def _point_of(self, vertex: str) -> int:
        if not (point := self.point(vertex)):
            raise ValueError(f"not a point of the board: {vertex!r}")
        return point

    def _points_of(self, vertices: Iterable[str]) -> list[int]:
        """The points of vertices. TypeError: no list of them."""
        if isinstance(vertices, str) or not isinstance(vertices, Iterable):
            raise TypeError(f"a list of vertices such as ['C3', 'D4'] is needed, not {vertices!r}")
        return [self._point_of(vertex) for vertex in vertices]

    def _stone_at(self, vertex: str) -> int:
        if self[vertex] is None:
            raise GameError(f"there is no stone on {vertex}")
        return self._point_of(vertex)

    def _vertices(self, points: Iterable[int]) -> list[str]:
        texts = vertices(*self.size)
        return [texts[point] for point in points]

    def _parse(self, move: str | Move, color: ColorLike | None) -> tuple[int, Color]:
        """The point (or PASS or RESIGN) and the colour of a move."""
        if isinstance(move, Move):
            color = move.color if color is None else color
            move = move.vertex
        player = self._player(color)
        return RESIGN if isinstance(move, str) and move.lower() == "resign" else self.point(move), player

    def _player(self, color: ColorLike | None) -> Color:
        return self.to_move if color is None else parse_color(color)

    def _ended(self) -> bool:
        """Whether the end of the game forbids all moves."""
        return self.is_over and not self._goes_on

    def _decide(self) -> None:
        """Store the final outcome of the last position, if any; an earlier final outcome stays."""
        history = self._history
        before = None if history.before_last is None else history.before_last.decided
        if (decided := before or self._decision(history.last)) != history.last.decided:
            history.amend(decided=decided)

    def _decision(self, position: Position) -> Outcome | None:
        move, to_move, captures = position.move, position.to_move, self.rules.captures
        if move is not None and move.point == RESIGN:
            return Outcome(move.color.opponent, Termination.RESIGNATION)
        if captures is None:
            if self.rules.may_pass:
                return None
        elif max(position.prisoners) >= captures:
            passed = move is not None and move.point == PASS
            winner = Color.BLACK if position.won(BLACK) >= captures else Color.WHITE
            return Outcome(winner, Termination.HANDED_OVER if passed else Termination.CAPTURE)
        if self.loses_without_play(to_move) and not self._history.can_play(self.rules, int(to_move)):
            return Outcome(to_move.opponent, Termination.NO_LEGAL_PLAY)
        return None

    def _why_illegal(self, point: int, color: Color) -> Illegal | None:
        if point > 0:
            return self._history.why_illegal(self.rules, point, int(color))
        if point == RESIGN:
            return None
        return Illegal.OUTSIDE if point else None if self.rules.may_pass or self.is_over else Illegal.PASS


def _replayed(
    kind: type[Game],
    rules: Rules,
    size: tuple[int, int],
    first: tuple[bytes, tuple[int, int], Color],
    moves: list[tuple[int, int, int]],
) -> Game:
    """A game from its pickle, without the attributes that are pickled. `moves`: colour, point, to move.

    `first`: the colours of the cells of the first position, the prisoners, and the side to move.
    """
    colors, prisoners, to_move = first
    game = object.__new__(kind)
    Game.__init__(game, rules, size)
    black, white = ([p for p, c in enumerate(colors) if c == color] for color in (BLACK, WHITE))
    game.setup_points(black, white, to_move, prisoners)
    for color, point, following in moves:
        game.play_point(point, color)
        if int(game.to_move) != following:
            game.set_to_move(following)
    return game


@cache
def _mappings(width: int, height: int) -> tuple[dict[int, int], ...]:
    """Return for each symmetry of a board the point of the image that shows each point."""
    points = [*vertices(width, height)]
    return tuple({points[shown]: p for p, shown in zip(points, s, strict=True)} for s in symmetries(width, height))


def _mapped(colors: bytes, mapping: Mapping[int, int]) -> bytes:
    """Return the colours of an image of a position."""
    image = bytearray(colors)
    for point, other in mapping.items():
        image[other] = colors[point]
    return bytes(image)


def _as_colors(array: npt.ArrayLike) -> npt.NDArray[np.integer]:
    """Return the array of the stones of a board. Errors as for `Game.from_array`, but for the sides."""
    import numpy as np  # noqa: PLC0415 - see `board_arrays`

    wanted = "a board is an array of whole numbers with rows and columns"
    try:
        colors = np.asarray(array)
    except ValueError:
        raise TypeError(f"{wanted} of the same length") from None
    if colors.dtype.kind not in "iu" or colors.ndim != 2:
        raise TypeError(f"{wanted}, not one of {colors.dtype} with shape {colors.shape}")
    if (wrong := colors[(colors < EMPTY) | (colors > WHITE)]).size:
        raise ValueError(f"a point of the board is 0 (empty), 1 (black) or 2 (white), not {wrong[0]}")
    return colors


def _sides(size: object) -> tuple[int, int]:
    """Width and height of a size. TypeError: not one or two whole numbers. GameError: a side out of range."""
    sides: Any = (size, size) if isinstance(size, Integral) else size
    if not (isinstance(sides, tuple | list) and len(sides) == 2 and all(isinstance(side, Integral) for side in sides)):
        raise TypeError(f"a size is a number of points a side, or (width, height), not {size!r}")
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in sides):
        raise GameError(f"a board has {MIN_SIDE} to {MAX_SIDE} points a side, not {sides[0]}x{sides[1]}")
    return int(sides[0]), int(sides[1])


def showboard(game: Game) -> str:
    """Return the board with coordinates, the last stone in brackets; at the right rules, prisoners, komi and turn.

    Clients parse it, so the columns stand where GNU Go has them: the first one three characters from the left.
    """
    last = game.last_move.point if game.last_move is not None else PASS
    letters = "   " + " ".join(COLUMNS[: game.width])
    rows, notes = [letters], _notes(game)
    for row in range(game.height - 1, -1, -1):
        points = [point_at(column, row, game.width) for column in range(game.width)]
        stones = [SYMBOLS[int(game.board.color[p])] for p in points]
        cells = "".join(f"({s})" if p == last else f" {s}" for p, s in zip(points, stones, strict=True))
        cells = cells.replace(") ", ")").ljust(2 * game.width)  # a bracket replaces the space after it
        rows.append(f"{row + 1:2}{cells} {row + 1:<2}  {notes.pop(0) if notes else ''}")
    rows += [letters, *(f"   {note}" for note in notes)]
    return "\n".join(line.rstrip() for line in rows)


def check_game(value: object) -> None:
    """Check an argument of a public function. TypeError: it is not a Game."""
    if not isinstance(value, Game):
        raise TypeError(f"a Game is needed, not {type(value).__name__}")


def _notes(game: Game) -> list[str]:
    """Return the lines beside a board as text."""
    outcome = game.outcome
    notes = [f"{game.rules}"]
    for color, name in ((BLACK, "Black"), (WHITE, "White")):
        notes.append(f"{name} ({SYMBOLS[color]}) holds {counted(game.prisoners(color), 'prisoner')}")
    if game.komi and game.rules.is_scored:
        notes.append(f"komi {digits(game.komi)}")
    if game.last_move is not None and game.last_move.point in (PASS, RESIGN):
        notes.append(f"{game.last_move.color}: {game.last_move.vertex}")
    notes.append(f"{game.to_move} to play" if outcome is None else f"{outcome}")
    return notes
