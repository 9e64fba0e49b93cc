"""A game: rules, moves, prisoners, ko and superko, handicap, undo, and the outcome with its cause."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Final

from ..util.arguments import whole
from . import board as bd
from . import scoring
from .board import Board
from .history import History
from .position import GameInfo, Illegal, Move, Outcome, Position, Termination
from .rules import DEFAULT, Rules
from .scoring import Status, Statuses
from .vertex import (
    BLACK,
    COLUMNS,
    EMPTY,
    MAX_SIDE,
    MIN_SIDE,
    PASS,
    RESIGN,
    WHITE,
    Color,
    ColorLike,
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


class IllegalMoveError(ValueError):
    """The rules forbid this move; the message gives the reason."""


class GameError(ValueError):
    """The operation is not possible in this state of the game; the message gives the reason."""


class Game:
    """A game on a board of 2 to 25 points a side.

    A move is a vertex ("D4", "pass", "resign", in any case); a colour is any value that `Color` reads; the default is
    the colour to move. After the end no move is legal, unless `go_on` allows it. The methods for use inside the package
    take points (an `int`, see `vertex.py`), and allow moves after the end: they do not change a decided outcome.
    Games are equal if rules, size, komi, handicap and all positions are equal.
    """

    default_statuses: ClassVar[Callable[[Board], Statuses | None]] = scoring.all_proven
    """`find_statuses` of new games. The package puts playouts and reading here, which `go` does not import."""

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

    def copy(self, moves: int | None = None) -> Game:
        """Return an independent copy, history included, of the game or of its first `moves` moves.

        TypeError: not a whole number. ValueError: less than 0.
        """
        most = None if moves is None else whole("moves", moves, 0)
        other = Game(self.rules, self.size, komi=self.explicit_komi)
        other.find_statuses, other._known_statuses = self.find_statuses, self._known_statuses
        other.handicap, other.record, other.info = self.handicap, self.record, self.info.copy()
        other._history, other._goes_on = self._history.copy(), self._goes_on
        while most is not None and len(other.positions) > most + 1:
            other.undo()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, object]) -> Game:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the first position and the moves, a few bytes each; they are played again."""
        moves = [(int(p.move.color), p.move.point, int(p.to_move)) for p in self.positions if p.move is not None]
        first = self.positions[0]
        start = first.colors, int(first.to_move), self.handicap, self.record, self.info
        settings = self.explicit_komi, self.find_statuses, self._goes_on
        return _replayed, (self.rules, self.size, settings, start, moves)

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
    def positions(self) -> list[Position]:
        """The first position and the one after each move. Read-only."""
        return self._history.positions

    @property
    def board(self) -> Board:
        """The board of the last position. Read-only."""
        return self._history.board

    @property
    def to_move(self) -> Color:
        """The colour to move."""
        return self.positions[-1].to_move

    @property
    def moves(self) -> list[Move]:
        """All moves so far, passes and a resignation included."""
        return [p.move for p in self.positions if p.move is not None]

    @property
    def last_move(self) -> Move | None:
        """The last move, or None before the first one."""
        return self.positions[-1].move

    @property
    def komi(self) -> float:
        """Komi in points: the value that was set, else the rules' value for this board and handicap."""
        if self.explicit_komi is not None:
            return self.explicit_komi
        return self.rules.default_komi(self.width, self.height, self.handicap)

    def prisoners(self, color: ColorLike) -> int:
        """The number of prisoners of a colour: captured, handed over by passes, or lost by the opponent's suicide."""
        return self.positions[-1].won(parse_color(color))

    @property
    def outcome(self) -> Outcome | None:
        """The winner and the cause of the end, or None while the game goes on. Undo reverts it.

        After two passes under rules that score, `score` decides the winner. Where the dead stones are not proven,
        `find_statuses` decides, as for GTP's `final_score`: by default playouts and reading, which first loads the
        search.
        """
        decided = self.positions[-1].decided
        if decided is not None or not self._history.two_passes():
            return decided
        lead = self.score()
        winner = None if not lead else Color.BLACK if lead > 0 else Color.WHITE
        return Outcome(winner, Termination.TWO_PASSES)

    @property
    def is_over(self) -> bool:
        """Whether the game has an outcome. Nothing is scored."""
        return self.positions[-1].decided is not None or self._history.two_passes()

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
        black_last = self._history.two_passes() and self.moves[-1].color == BLACK
        return scoring.compensation(self.rules, self.handicap, black_last)

    def __getitem__(self, vertex: str) -> Color | None:
        """The colour of the stone on a vertex, None if it is empty. TypeError: not text. ValueError: not a vertex."""
        color = int(self.board.color[self._point_of(vertex)])
        return None if color == EMPTY else Color(color)

    def stones(self, color: ColorLike) -> list[str]:
        """The vertices with stones of a colour, from A1 row by row. ValueError: not a colour."""
        return self._vertices(bd.stones_of(self.board, int(parse_color(color))))

    def board_array(self) -> npt.NDArray[np.int8]:
        """The stones as an array of its own, int8: 0 empty, 1 black, 2 white.

        Its shape is (height, width). Row 0 is the top of the board as `str` prints it, column 0 its left edge.
        """
        import numpy as np  # noqa: PLC0415 - a game without it is imported in half of the time

        rows = np.frombuffer(self.positions[-1].colors[:-1], np.int8).reshape(self.height + 2, self.width + 1)
        return rows[-2:0:-1, 1:].copy()

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

    def why_illegal(self, move: str, color: ColorLike | None = None) -> Illegal | None:
        """The reason why a move is illegal, or None if it is legal. After the end none is legal, see `go_on`.

        ValueError: not a vertex of this board, or not a colour. TypeError: not a move.
        """
        point, player = self._parse(move, color)
        return self._why_illegal(point, player) or (Illegal.OVER if self._ended() else None)

    def why_illegal_point(self, point: int, color: ColorLike | None = None) -> Illegal | None:
        """The reason why a play on a point, PASS or RESIGN is illegal, or None; for use inside the package."""
        return self._why_illegal(point, self._player(color))

    def is_legal(self, move: str, color: ColorLike | None = None) -> bool:
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
        plays = self._vertices(self.legal_plays(player))
        return [*plays, "pass"] if self._why_illegal(PASS, player) is None else plays

    def legal_plays(self, color: ColorLike | None = None) -> list[int]:
        """The points of all legal plays, for use inside the package. ValueError: not a colour."""
        player = self._player(color)
        return self._history.legal_plays(self.rules, int(player))

    def loses_without_play(self, color: ColorLike) -> bool:
        """Whether a colour without a legal play loses: passing is forbidden, or the pass costs the deciding stone."""
        held, cost = self.prisoners(parse_color(color).opponent), self.rules.pass_stones
        return not self.rules.may_pass or (cost > 0 and self.rules.won_by(held + cost))

    # --- Changes ---

    def play(self, move: str, color: ColorLike | None = None) -> None:
        """Make a move of a colour (default: the one to move).

        IllegalMoveError: the rules forbid it, or the game is over, see `go_on`; the game is unchanged. Other errors as
        for `why_illegal`.
        """
        point, player = self._parse(move, color)
        if self._ended():
            raise IllegalMoveError(f"{player} {self.vertex(point)}: {self.why_illegal(move, player)}")
        self.play_point(point, player)

    def play_point(self, point: int, color: ColorLike | None = None) -> None:
        """Make a play on a point, or PASS or RESIGN, for use inside the package; also after the end of the game.

        IllegalMoveError: the rules forbid it; the game is unchanged.
        """
        point, player = int(point), self._player(color)
        reason = self._why_illegal(point, player)
        if reason is not None:
            raise IllegalMoveError(f"{player} {self.vertex(point)}: {reason}")
        board = self.board.copy()
        if point > 0:
            bd.play(board, point, int(player))
        elif point == PASS:
            board.ko = 0
            board.prisoners[player.opponent] += self.rules.pass_stones
        self._history.append(board, Move(player, point, self.width), player.opponent)
        self._decide()

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
        if len(self.positions) == 1:
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

    def setup_points(self, black: Iterable[int], white: Iterable[int], to_move: ColorLike) -> None:
        """Start again from stones on these points, for use inside the package.

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

    def _parse(self, move: str, color: ColorLike | None) -> tuple[int, Color]:
        """The point (or PASS or RESIGN) and the colour of a move."""
        player = self._player(color)
        return RESIGN if isinstance(move, str) and move.lower() == "resign" else self.point(move), player

    def _player(self, color: ColorLike | None) -> Color:
        return self.to_move if color is None else parse_color(color)

    def _ended(self) -> bool:
        """Whether the end of the game forbids all moves."""
        return self.is_over and not self._goes_on

    def _decide(self) -> None:
        """Store the final outcome of the last position, if any; an earlier final outcome stays."""
        before = self.positions[-2].decided if len(self.positions) > 1 else None
        if (decided := before or self._decision(self.positions[-1])) != self.positions[-1].decided:
            self._history.amend(decided=decided)

    def _decision(self, position: Position) -> Outcome | None:
        move, to_move = position.move, position.to_move
        if move is not None and move.point == RESIGN:
            return Outcome(move.color.opponent, Termination.RESIGNATION)
        for color in (Color.BLACK, Color.WHITE) if self.rules.is_capture_game else ():
            if self.rules.won_by(position.won(color)):
                passed = move is not None and move.point == PASS
                return Outcome(color, Termination.HANDED_OVER if passed else Termination.CAPTURE)
        if self.loses_without_play(to_move) and not self._history.can_play(self.rules, int(to_move)):
            return Outcome(to_move.opponent, Termination.NO_LEGAL_PLAY)
        return None

    def _why_illegal(self, point: int, color: Color) -> Illegal | None:
        if point == RESIGN:
            return None
        if point == PASS:
            return None if self.rules.may_pass or self.is_over else Illegal.PASS
        return self._history.why_illegal(self.rules, point, int(color))


def _replayed(
    rules: Rules,
    size: tuple[int, int],
    settings: tuple[float | None, Callable[[Board], Statuses | None], bool],
    start: tuple[bytes, int, int, bytes | None, GameInfo],
    moves: list[tuple[int, int, int]],
) -> Game:
    """A game from its pickle. `start`: colours, to move, handicap, record, info; `moves`: colour, point, to move."""
    komi, find_statuses, goes_on = settings
    game, (colors, to_move, handicap, record, info) = Game(rules, size, komi=komi), start
    black, white = ([p for p, c in enumerate(colors) if c == color] for color in Color)
    game.setup_points(black, white, to_move)
    game.find_statuses, game.handicap, game.record, game._goes_on = find_statuses, handicap, record, goes_on
    game.info = info
    for color, point, following in moves:
        game.play_point(point, color)
        if game.to_move != following:
            game.set_to_move(following)
    return game


def _as_colors(array: npt.ArrayLike) -> npt.NDArray[np.integer]:
    """Return the array of the stones of a board. Errors as for `Game.from_array`, but for the sides."""
    import numpy as np  # noqa: PLC0415 - see `board_array`

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


def _notes(game: Game) -> list[str]:
    """Return the lines beside a board as text."""
    outcome = game.outcome
    notes = [
        f"{game.rules}",
        f"Black (X) holds {counted(game.prisoners(BLACK), 'prisoner')}",
        f"White (O) holds {counted(game.prisoners(WHITE), 'prisoner')}",
    ]
    if game.komi:
        notes.append(f"komi {digits(game.komi)}")
    if game.last_move is not None and game.last_move.point in (PASS, RESIGN):
        notes.append(f"{game.last_move.color}: {game.last_move.vertex}")
    notes.append(f"{game.to_move} to play" if outcome is None else f"{outcome}")
    return notes
