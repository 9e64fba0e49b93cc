"""Many games at once as an environment for learning: NumPy arrays in and out, compiled code between."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ..go.game import Game, GameError, IllegalMoveError, check_game
from ..go.position import Position
from ..go.rules import DEFAULT, Ko, Rules, RulesError, Scoring
from ..go.vertex import BORDER, EMPTY
from ..jit.warmup import loaded
from ..judgement.endgame import area_komi, count_passes
from ..library.results import side_of
from ..players.mcts import searched_board
from ..playout.planes import PLANES
from ..util.arguments import whole
from .actions import Vertices, action_points

if TYPE_CHECKING:
    from ..playout.batch import Games, Seen

KERNELS: Final = "gtp_capture.playout.batch"
"""The module with the compiled code, which is loaded at its first use."""
GIVEN: Final = -1
"""In place of the number of an opening: the game began with a position that was given to `reset`."""


class Batch(NamedTuple):
    """What all boards show after `reset` or `step`. The arrays are the caller's own, and the environment keeps none."""

    observations: npt.NDArray[np.uint8]
    """Shape (count, planes, height, width), with the planes that PLANES names, from the view of the colour to move. Row
    0 is the top of the board. After the end of an episode they show its last position."""
    legal: npt.NDArray[np.bool_]
    """Shape (count, points + 1): the legal actions; none on a board whose episode is over."""
    rewards: npt.NDArray[np.float32]
    """Shape (count,): from the side of the colour that has moved, 1 if this won, -1 if it lost, else 0."""
    terminated: npt.NDArray[np.bool_]
    """Shape (count,): whether the rules have ended the episode."""
    truncated: npt.NDArray[np.bool_]
    """Shape (count,): whether the episode has ended after `max_moves`."""


Agent: TypeAlias = Callable[[npt.NDArray[np.uint8], npt.NDArray[np.bool_]], npt.NDArray[np.integer]]
"""A player of many boards at once: a function of the `observations` and `legal` of a `Batch` that returns an action for
each board. Its answer is ignored for a board without a legal action, whose episode is over."""


class BatchEnv(Vertices):
    """Games on many boards, one move of each in a call: `BatchEnv(256, "capture-3", 9, seed=1)`.

    Both colours move in turn on each board, and an agent gets each position from the view of the colour to move.
    Actions: the points, row by row from the top left, and then the pass; `action` and `vertex` convert.
    An episode that is over begins anew in the next step, whatever action its board is given then; that step has the
    reward 0 (the mode NEXT_STEP of gymnasium.vector). An action of WAIT (-1) leaves a board as it is,
    and RESIGN (-2) gives the game up.
    The rules are any that need no count of dead stones: capture games, and area scoring such as that of `tromp-taylor`;
    after two passes all stones count as alive there. Repetitions are found by hashes of 64 bits (Zobrist 1970).
    The first `reset` loads the compiled code, and compiles it if that was never done; a line on stderr says so.
    """

    def __init__(
        self,
        count: int,
        rules: Rules | str = DEFAULT,
        size: int | tuple[int, int] = 9,
        *,
        komi: float | None = None,
        seed: int | None = None,
        max_moves: int | None = None,
        openings: Sequence[Game] | None = None,
        plies: int | tuple[int, int] = 0,
    ) -> None:
        """Prepare `count` boards; `reset` starts their games.

        `rules`, `size`, `komi`: as for `Game`. `openings`: positions, each with these rules, size and komi; an episode
        begins with one of them by chance, by default with the empty board. `plies`: random legal plays after it, or
        (least, most); they are drawn anew if they end the game. `seed`: the same openings each time; None: others.
        `max_moves`: moves of an episode after its opening; None: without a limit where captures win, as such games
        always end, else 3 for each point and 20 more.
        RulesError: unknown rules, or rules with dead stones or territory. GameError: no such board, or an opening that
        is over. ValueError: fewer than one board, a wrong number, or an opening of other rules, size or komi.
        TypeError: a value of another kind.
        """
        empty = Game(rules, size, komi=komi)
        self.count: Final = whole("count", count, 1)
        self.rules: Final = empty.rules
        self.size = empty.size
        self.komi: Final = empty.komi
        if self.rules.is_scored and (self.rules.dead_stones or self.rules.scoring is not Scoring.AREA):
            raise RulesError(f"{self.rules} count dead stones or territory: choose tromp-taylor, or rules of captures")
        self.openings: Final = tuple(self._going_on(game) for game in (openings or [empty]))
        """The positions with which episodes begin."""
        least, most = plies if isinstance(plies, tuple) else (plies, plies)
        self._plies = whole("plies", least, 0), whole("plies", most, least)
        width, height = self.size
        usual = None if self.rules.is_capture_game else 3 * width * height + 20
        self.max_moves: Final = usual if max_moves is None else whole("max_moves", max_moves, 1)
        self.num_actions: Final = width * height + 1
        """The actions of a board: its points, and the pass."""
        self._seed = random.getrandbits(62) if seed is None else whole("seed", seed, 0)
        self._given: dict[int, Game] = {}
        self._rngs: npt.NDArray[np.uint64] | None = None
        self._openings: Any = None
        self._kind: Any = None
        self._games: Games | None = None

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> Batch:
        """Start a new episode on each board.

        `seed`: draw openings by this seed from now on; None: go on with the one before. `options`: {"games": positions}
        has a game for each board to begin this episode with, or None for an opening; without random plays after it.
        ValueError: another number of games, a game of other rules, size or komi, a negative seed, or openings that all
        end within `plies`. GameError: a game is over. TypeError: not a game, or no whole number.
        """
        if seed is not None:
            self._seed = whole("seed", seed, 0)
            self._rngs = None
        games = [*((options or {}).get("games") or [None] * self.count)]
        if len(games) != self.count:
            raise ValueError(f"there are {self.count} boards, so {self.count} games are needed, not {len(games)}")
        given = {i: self._going_on(game) for i, game in enumerate(games) if game is not None}
        return self._begin(given)

    def step(self, actions: npt.ArrayLike) -> Batch:
        """Make a move on each board: the action of its colour to move, or WAIT or RESIGN.

        TypeError: no whole numbers. ValueError: another number of actions. IllegalMoveError: the rules forbid one; no
        board has changed. GameError: before the first `reset`.
        """
        games, chosen = self._started(), np.asarray(actions)
        if chosen.dtype.kind not in "iu":
            raise TypeError(f"actions are an array of whole numbers, not of {chosen.dtype}")
        if chosen.shape != (self.count,):
            raise ValueError(f"{self.count} boards need actions of shape ({self.count},), not {chosen.shape}")
        from ..playout.batch import step_games

        seen, codes = self._blank(), np.ascontiguousarray(chosen, np.int64)
        wrong = step_games(games, self._openings, self._kind, codes, seen)
        if wrong >= 0:
            raise IllegalMoveError(f"board {wrong}: {self._why_wrong(wrong, int(codes[wrong]))}")
        return self._batch(wrong, seen)

    @property
    def to_move(self) -> npt.NDArray[np.int8]:
        """The colour to move on each board: 1 for Black, 2 for White. GameError: before the first `reset`."""
        colors: npt.NDArray[np.int8] = self._started().states["color"].astype(np.int8)
        return colors

    def game(self, board: int) -> Game:
        """Return the game on a board, counted from 0, with its opening and all moves; it is a copy.

        TypeError: not a whole number. ValueError: no such board. GameError: before the first `reset`.
        """
        games, i = self._started(), whole("board", board, 0, self.count - 1)
        state = games.states[i]
        game = (self._given[i] if state.opening == GIVEN else self.openings[state.opening]).copy()
        for point in games.played[i, : state.drawn + state.steps]:
            game.play_point(int(point))
        return game

    def __repr__(self) -> str:
        return f"<BatchEnv, {self.count} boards, {str(self.rules)!r}, {self.size[0]}x{self.size[1]}>"

    def _going_on(self, game: Game) -> Game:
        """Return a copy of a position to begin with. GameError: the game is over. Other errors as for `_checked`."""
        side_of(game, None)
        return self._checked(game)

    def _checked(self, game: Game) -> Game:
        """Return a copy of a position. ValueError: it is of other rules, size or komi."""
        if (game.rules, game.size) != (self.rules, self.size):
            wanted = f"'{self.rules}' on {self.size[0]}x{self.size[1]}"
            raise ValueError(f"a game of {wanted} is needed, not of '{game.rules}' on {game.width}x{game.height}")
        if self.rules.is_scored and area_komi(game) != self.komi:
            raise ValueError(f"a game with komi {self.komi:g} is needed, not with {area_komi(game):g}")
        return game.copy()

    def _why_wrong(self, board: int, action: int) -> str:
        """Return what is wrong with an action."""
        if not 0 <= action < self.num_actions:
            return f"action is a whole number from 0 to {self.num_actions - 1}, or WAIT or RESIGN, not {action}"
        game, vertex = self.game(board), self.vertex(action)
        return f"{game.to_move} {vertex}: {game.why_illegal(vertex)}"

    def _started(self) -> Games:
        """Return the games. GameError: there are none yet."""
        if self._games is None:
            raise GameError("no game has begun: reset starts them")
        return self._games

    def _begin(self, given: dict[int, Game]) -> Batch:
        """Start an episode on each board, where a position is given from that."""
        loaded((KERNELS,))
        from ..jit.records import new_rng
        from ..playout.batch import begin_games

        if self._rngs is None:
            self._rngs = np.array([new_rng(self._seed, i) for i in range(self.count)])
        if self._openings is None:
            self._kind = self._new_kind()
            self._openings = _memory(len(self.openings), self._positions(self.openings), 0)
            for k, game in enumerate(self.openings):
                _enter(self._openings, k, game, self._kind)
        moves = self._plies[1] + (self.max_moves or longest_game(self.rules, self.size))
        positions = self._positions([*self.openings, *given.values()], moves)
        games = self._games = _memory(self.count, positions, moves)._replace(rngs=self._rngs)
        self._given = given
        for i, game in given.items():
            _enter(games, i, game, self._kind)
        chosen = np.array([i not in given for i in range(self.count)])
        seen = self._blank()
        return self._batch(begin_games(games, self._openings, self._kind, chosen, seen), seen)

    def _new_kind(self) -> Any:
        """Return what all games have in common, for the compiled code."""
        from ..jit.records import rules_record
        from ..playout.batch import KIND_DTYPE

        kind = np.zeros(1, KIND_DTYPE).view(np.recarray)[0]
        kind.compared = _compared(self.rules)
        kind.rules = rules_record(self.rules, self.komi)
        kind.rules.ko = kind.rules.ko and not kind.compared
        kind.least, kind.most = self._plies
        kind.max_steps = self.max_moves or 0
        kind.actions = self.num_actions
        kind.points[: self.num_actions] = points = action_points(self.size)
        kind.numbers[points[:-1]] = range(self.num_actions - 1)
        kind.keys = np.random.Generator(np.random.PCG64(1970)).integers(0, 2**64, kind.keys.shape, np.uint64)
        return kind

    def _positions(self, games: Iterable[Game], moves: int = 0) -> int:
        """Return the positions to remember of games that begin with the longest of these; 0 if none are compared."""
        return (max(len(game.positions) for game in games) + moves) * bool(_compared(self.rules))

    def _blank(self) -> Seen:
        """Return the memory of what is seen."""
        from ..playout.batch import Seen

        return Seen(
            np.empty((self.count, len(PLANES), self.num_actions - 1), np.uint8),
            np.empty((self.count, self.num_actions), np.bool_),
            np.empty(self.count, np.float32),
            *np.empty((2, self.count), np.bool_),
        )

    def _batch(self, done: int, seen: Seen) -> Batch:
        """Return what the boards show. ValueError: there is no opening."""
        from ..playout.batch import NO_OPENING

        if done == NO_OPENING:
            raise ValueError(f"each random opening of {self._plies[1]} plies ended the game: fewer plies are needed")
        return Batch(seen.observations.reshape(self.count, len(PLANES), *reversed(self.size)), *seen[1:])


def observe(games: Sequence[Game]) -> Batch:
    """Return the observations and the legal actions of any positions, all of the same rules, size and komi.

    Also of games that are over, without legal actions. Rewards are 0.
    ValueError: there is no game, or they differ. TypeError: not a game. RulesError: rules that BatchEnv does not take.
    """
    for game in games:
        check_game(game)
    if not games:
        raise ValueError("there is no game to observe")
    first = games[0]
    env = BatchEnv(len(games), first.rules, first.size, komi=area_komi(first))
    seen = env._begin({i: env._checked(game) for i, game in enumerate(games)})
    over = np.array([game.is_over for game in games])
    return seen._replace(legal=seen.legal & ~over[:, None], terminated=over)


def random_agent(seed: int | None = None) -> Agent:
    """Return an agent that draws each legal action with equal chance. TypeError, ValueError: not a seed."""
    rng = np.random.default_rng(None if seed is None else whole("seed", seed, 0))

    def agent(observations: npt.NDArray[np.uint8], legal: npt.NDArray[np.bool_]) -> npt.NDArray[np.integer]:
        boards, actions = legal.shape
        places, numbers = np.flatnonzero(legal), legal.sum(axis=1)
        drawn = numbers.cumsum() - numbers + (rng.random(boards) * numbers).astype(np.int64)
        if not places.size:
            return np.zeros(boards, np.int64)
        chosen: npt.NDArray[np.int64] = places.take(drawn, mode="clip") % actions
        return chosen  # for a board without a legal action the number means nothing

    return agent


def _compared(rules: Rules) -> int:
    """Return which positions a play may not repeat, beyond what the board knows."""
    from ..playout.batch import LAST_POSITION, NO_REPETITION, POSITIONAL, SITUATIONAL

    if rules.ko.is_superko:
        return POSITIONAL if rules.ko is Ko.POSITIONAL else SITUATIONAL
    return LAST_POSITION if rules.ko is Ko.SIMPLE and rules.suicide else NO_REPETITION


def longest_game(rules: Rules, size: tuple[int, int]) -> int:
    """Return a number of moves that no game has in which captures win.

    Each play leaves its stone on the board, or makes it a prisoner; two passes in a row end the game.
    """
    points = size[0] * size[1]
    return 2 * (2 * points + 2 * (rules.captures or 0)) + 2


def _memory(count: int, positions: int, moves: int) -> Games:
    """Return the memory of games with this number of positions that are compared, and of moves."""
    from ..jit.records import BOARD_DTYPE
    from ..playout.batch import STATE_DTYPE, Games

    boards, states = (np.zeros(count, kind).view(np.recarray) for kind in (BOARD_DTYPE, STATE_DTYPE))
    states["number"] = range(count)
    past, rngs = (np.zeros((count, numbers), np.uint64) for numbers in (positions, 1))
    return Games(boards, states, past, np.zeros((count, moves), np.int16), rngs)


def _enter(games: Games, i: int, game: Game, kind: Any) -> None:
    """Make a position one of the games, or the opening with this number."""
    from ..jit.records import record
    from ..playout.batch import LAST_POSITION, SITUATIONAL

    games.boards[i] = record(searched_board(game, int(game.to_move)))
    state = games.states[i]
    state.color, state.passes, state.moves = int(game.to_move), count_passes(game), len(game.positions) - 1
    state.opening = GIVEN
    if kind.compared:
        hashes = _hashes(game.positions, kind.keys)
        state.hash = hashes[-1]
        if kind.compared == SITUATIONAL:
            hashes ^= np.array([_key_of_play(position, kind.keys) for position in game.positions], np.uint64)
        if kind.compared == LAST_POSITION and not game.positions[-1].played_by(int(game.to_move.opponent)):
            hashes[-2:-1] = kind.keys[0, 0]  # no play to answer: the position before may be repeated
        games.past[i, : len(hashes)] = hashes


def _key_of_play(position: Position, keys: npt.NDArray[np.uint64]) -> np.uint64:
    """Return the key of the colour whose play led to a position; 0 if it was no play."""
    move = position.move
    return np.uint64(0) if move is None or move.point <= 0 else keys[int(move.color), 0]


def _hashes(positions: Sequence[Position], keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the hash of the stones of each position."""
    cells = np.frombuffer(b"".join([position.colors for position in positions]), np.int8).reshape(len(positions), -1)
    stones = (cells != EMPTY) & (cells != BORDER)
    of_stones = np.where(stones, keys[cells % BORDER, np.arange(cells.shape[1])], np.uint64(0))
    hashes: npt.NDArray[np.uint64] = np.bitwise_xor.reduce(of_stones, axis=1)
    return hashes
