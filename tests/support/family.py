"""All capture games by definition, over bits: an oracle for tests that shares no code with the package.

A game is a `State` and the colour to move. A play adds a stone, to the board or to the prisoners, and two passes in a
row end the game: so every line of moves ends, and the search below tries them all. The positions that a play may not
repeat are part of the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gtp_capture import Rules

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
BLACK, WHITE, NONE = 1, 2, 0
CACHED = 200_000
"""Maximum number of positions whose plays are kept."""


class Repeat(NamedTuple):
    """Stones that a play of a colour may not lead to."""

    black: int
    white: int
    color: int


class State(NamedTuple):
    """A position, with the part of its past on which later moves depend."""

    black: int
    white: int
    """The stones, bit y * width + x for each."""
    held: tuple[int, int] = (0, 0)
    """The prisoners that Black and White hold."""
    passed: int = NONE
    """The colour of the passes that the moves end with."""
    repeats: frozenset[Repeat] = frozenset()
    over: bool = False
    """Whether two passes have ended the game."""


class Play(NamedTuple):
    """A play on an empty point, without the rules on suicide and ko."""

    point: int
    own: int
    opp: int
    captured: int
    """The number of opposing stones removed."""
    lost: int
    """The number of own stones removed."""


class _BudgetSpent(Exception):
    """The search has visited as many positions as it may."""


@cache
def columns(width: int, height: int) -> tuple[int, int, int]:
    """All points, all except those of the first column, and all except those of the last column."""
    full = (1 << width * height) - 1
    first = sum(1 << y * width for y in range(height))
    return full, full & ~first, full & ~(first << (width - 1))


def near(points: int, width: int, height: int) -> int:
    """The points next to some points."""
    full, not_first, not_last = columns(width, height)
    return (points & not_last) << 1 | (points & not_first) >> 1 | (points << width & full) | points >> width


def chain(stone: int, stones: int, width: int, height: int) -> int:
    """The chain of a stone, among the stones of its colour."""
    grown = stone
    while True:
        before, grown = grown, grown | near(grown, width, height) & stones
        if before == grown:
            return before


def chains(stones: int, empty: int, width: int, height: int) -> Iterator[tuple[int, int]]:
    """Yield the chains of a colour, each with its liberties."""
    while stones:
        group = chain(stones & -stones, stones, width, height)
        stones &= ~group
        yield group, near(group, width, height) & empty


@lru_cache(CACHED)
def plays(own: int, opp: int, width: int, height: int) -> tuple[Play, ...]:
    """The plays of a side: first those that capture most, last those that remove own stones."""
    empty = columns(width, height)[0] & ~(own | opp)
    taken: dict[int, int] = {}
    for group, liberties in chains(opp, empty, width, height):
        if liberties.bit_count() == 1:
            taken[liberties] = taken.get(liberties, 0) | group
    # A play keeps a liberty beside an empty point, or beside a chain with another liberty, or by a capture.
    safe = near(empty, width, height)
    for _, liberties in chains(own, empty, width, height):
        safe |= liberties if liberties.bit_count() > 1 else 0
    made = []
    for index in range(width * height):
        point = 1 << index
        if point & empty:
            captured, lost = taken.get(point, 0), 0
            if not captured and not point & safe:
                lost = chain(point, own | point, width, height)
            made.append(Play(index, (own | point) & ~lost, opp & ~captured, captured.bit_count(), lost.bit_count()))
    return tuple(sorted(made, key=lambda play: (-play.captured, play.lost)))


class Family:
    """One set of rules on one board size."""

    def __init__(
        self, width: int, height: int, captures: int, *, suicide: bool, ko: str, passing: str, nodes: int = 100_000
    ) -> None:
        """`ko`, `passing`: the values of the rules as text; `nodes`: the positions that one answer may take."""
        self.width, self.height, self.captures, self.suicide = width, height, captures, suicide
        self.ko, self.passing, self.nodes = ko, passing, nodes
        self._left = nodes
        self._known: dict[tuple[object, ...], bool] = {}

    @classmethod
    def of(cls, rules: Rules, width: int, height: int, nodes: int = 100_000) -> Family:
        """The family that rules of the package describe."""
        assert rules.captures is not None
        ko, passing = str(rules.ko), str(rules.passing)
        return cls(width, height, rules.captures, suicide=rules.suicide, ko=ko, passing=passing, nodes=nodes)

    # --- The rules ---

    def index(self, vertex: str) -> int | None:
        """The point of a vertex; None for a pass."""
        if vertex == "pass":
            return None
        return (int(vertex[1:]) - 1) * self.width + COLUMNS.index(vertex[0])

    def vertex(self, point: int | None) -> str:
        """The vertex of a point or a pass."""
        return "pass" if point is None else f"{COLUMNS[point % self.width]}{point // self.width + 1}"

    def start(self, black: Iterable[str] = (), white: Iterable[str] = ()) -> State:
        """The first position of a game, with these stones."""
        own, opp = (sum(1 << (self.index(vertex) or 0) for vertex in stones) for stones in (black, white))
        stood = {Repeat(own, opp, color) for color in (BLACK, WHITE)} if self.ko == "positional" else ()
        return State(own, opp, repeats=frozenset(stood))

    def play(self, state: State, color: int, vertex: str) -> State | None:
        """The state after a move; None if it is illegal."""
        point = self.index(vertex)
        return next((after for move, after in self.moves(state, color) if move == point), None)

    def moves(self, state: State, color: int) -> Iterator[tuple[int | None, State]]:
        """Yield the legal moves of a colour, the pass (None) last, with the state after each."""
        yield from self._plays(state, color)
        if self.passing != "forbidden":
            held = self._given(state.held, 3 - color, 1 if self.passing == "stone" else 0)
            repeats = frozenset[Repeat]() if self.ko == "simple" else state.repeats
            ended = state.passed == 3 - color
            yield None, State(state.black, state.white, held, color, repeats, ended)

    def winner(self, state: State, color: int) -> int | None:
        """The winner with a colour to move, NONE after two passes; None if the game goes on."""
        for side in (BLACK, WHITE):
            if state.held[side - 1] >= self.captures:
                return side
        if state.over:
            return NONE
        deciding = self.passing == "stone" and state.held[2 - color] + 1 >= self.captures
        if (self.passing == "forbidden" or deciding) and next(self._plays(state, color), None) is None:
            return 3 - color
        return None

    def _plays(self, state: State, color: int) -> Iterator[tuple[int, State]]:
        own, opp = (state.black, state.white) if color == BLACK else (state.white, state.black)
        for point, mine, theirs, captured, lost in plays(own, opp, self.width, self.height):
            if lost and not self.suicide:
                continue
            black, white = (mine, theirs) if color == BLACK else (theirs, mine)
            if Repeat(black, white, color) in state.repeats:
                continue
            held = self._given(self._given(state.held, color, captured), 3 - color, lost)
            yield point, State(black, white, held, NONE, self._repeats_after(state, black, white, color))

    def _repeats_after(self, state: State, black: int, white: int, color: int) -> frozenset[Repeat]:
        if self.ko == "none":
            return state.repeats
        if self.ko == "simple":
            return frozenset({Repeat(state.black, state.white, 3 - color)})
        if self.ko == "situational":
            return state.repeats | {Repeat(black, white, color)}
        return state.repeats | {Repeat(black, white, BLACK), Repeat(black, white, WHITE)}

    @staticmethod
    def _given(held: tuple[int, int], color: int, stones: int) -> tuple[int, int]:
        """The prisoners after a colour got some more."""
        return (held[0] + stones, held[1]) if color == BLACK else (held[0], held[1] + stones)

    # --- The search ---

    def wins(self, state: State, color: int, winner: int, plies: int | None = None) -> bool | None:
        """Whether `winner` can force a win with a colour to move, within a number of moves if `plies` is given.

        Two passes win for no colour. None: not found within the budget.
        """
        self._left = self.nodes
        try:
            return self._wins(state, color, winner, plies)
        except _BudgetSpent:
            return None

    def _wins(self, state: State, color: int, winner: int, plies: int | None) -> bool:
        ended = self.winner(state, color)
        if ended is not None or (plies is not None and plies <= 0):
            return ended == winner
        if winner != color and plies is None and self._is_decisive(state):
            return not self._wins(state, color, color, None)
        key = self._key(state, color), color, winner, plies
        known = self._known.get(key)
        if known is None:
            if self._left <= 0:
                raise _BudgetSpent
            self._left -= 1
            self._known[key] = known = self._tries(state, color, winner, None if plies is None else plies - 1)
        return known

    def _tries(self, state: State, color: int, winner: int, plies: int | None) -> bool:
        """Decide as `wins` does, by trying the moves of a colour in an open game; `plies`: moves after the first."""
        wanted = color == winner  # the result that decides at once: the side to move has a choice
        later = []
        for _, after in self.moves(state, color):
            full = next((side for side in (BLACK, WHITE) if after.held[side - 1] >= self.captures), NONE)
            if not full and not after.over:
                later.append(after)
            elif (full == winner) == wanted:
                return wanted
        if any(self._wins(after, 3 - color, winner, plies) == wanted for after in later):
            return wanted
        return not wanted

    def _is_decisive(self, state: State) -> bool:
        """Whether no two passes can follow, so that one of the two wins."""
        last = all(held + 1 >= self.captures for held in state.held)
        return self.passing == "forbidden" or (self.passing == "stone" and last)

    def _key(self, state: State, color: int) -> tuple[object, ...]:
        """The state without the repeats that cannot come about."""
        repeats = state.repeats
        if repeats:
            possible = self._is_next if self.ko == "simple" else self._may_return
            repeats = frozenset(r for r in repeats if possible(state, r, color))
        return state.black, state.white, state.held, state.passed, repeats

    @staticmethod
    def _is_next(state: State, repeat: Repeat, color: int) -> bool:
        """Whether a play of a colour might lead to these stones: it adds one stone, or removes it again."""
        own, opp = (state.black, state.white) if color == BLACK else (state.white, state.black)
        mine, theirs = repeat[:2] if color == BLACK else repeat[1::-1]
        added = (mine & ~own).bit_count()
        return repeat.color == color and not theirs & ~opp and (added == 1 or (added == 0 and theirs == opp))

    def _may_return(self, state: State, repeat: Repeat, color: int) -> bool:
        """Whether later plays might lead to these stones.

        All stones that did not stand there must be removed first, but captures end the game. Only the last play may
        remove more stones than that, and it removes those of one colour.
        """
        black, white = (state.black & ~repeat.black).bit_count(), (state.white & ~repeat.white).bit_count()
        return black < self.captures - state.held[WHITE - 1] or white < self.captures - state.held[BLACK - 1]
