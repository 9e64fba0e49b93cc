"""Many games at once, one move of each in a call: legal moves, observations, results, and openings by chance.

The environments for reinforcement learning use this module; no search needs it.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ..go import board as bd
from ..go.board import CELLS, POINTS, Board, neighbors4
from ..go.vertex import BLACK, BORDER, EMPTY, PASS, WHITE, opponent
from ..go.vertex import RESIGN as RESIGNATION
from ..jit.kernel import as_int64, from_dtype, inner, kernel
from ..jit.records import BOARD, FORBIDDEN, RULES_DTYPE, copy_board, random_below, set_aside
from .endings import captured_enough, must_lose, stones_to_win
from .ladder import two_liberties
from .moves import is_ko, is_open_to, make_move
from .planes import BLACK_TO_MOVE, FREE, KO, LIBERTIES, MOST_NEED, OTHER, OTHER_NEED, OWN, OWN_NEED, RESIGN, WAIT

NO_REPETITION: Final = 0
"""Of the rules about repetition only those that the board knows are in force: none, or simple ko."""
LAST_POSITION: Final = 1
"""Simple ko with suicide, which may also repeat a position: positions are compared by their hashes."""
POSITIONAL: Final = 2
SITUATIONAL: Final = 3

STATE_DTYPE: Final = np.dtype(
    [
        ("hash", "u8"),  # of the stones on the board; kept only if positions are compared
        ("number", "i4"),  # of the game
        ("color", "i4"),  # the colour to move
        ("passes", "i4"),  # consecutive passes at the end
        ("moves", "i4"),  # all moves so far, those that led to the opening included
        ("opening", "i4"),  # the number of the opening that the game began with
        ("drawn", "i4"),  # random plays after the opening
        ("steps", "i4"),  # moves of the episode, after those
        ("terminated", "?"),
        ("truncated", "?"),
        ("stones", "i1", (POINTS,)),  # by action, the colour of its point
        ("liberties", "i1", (POINTS,)),  # by action, the liberties of the chain of a stone, 3 for more; else 0
        ("open", "i1", (POINTS,)),  # by action, 1 for an empty point beside an empty point
        ("closed", "i2", (POINTS,)),  # the points that became empty points beside none, some now with a stone
        ("closings", "i4"),  # the number of them
    ],
    align=True,
)
"""A game of a batch, besides its board and its positions.

The last five fields are the position as `look` enters it: a move changes only what is beside it."""
STATE: Final = from_dtype(STATE_DTYPE)
TRIES: Final = 1000
"""Random openings tried, each until its game ends, to find one that does not end it."""


KIND_DTYPE: Final = np.dtype(
    [
        ("rules", RULES_DTYPE),  # its `ko` is false if positions are compared
        ("compared", "i4"),  # NO_REPETITION, LAST_POSITION, POSITIONAL or SITUATIONAL
        ("least", "i4"),  # the least number of random plays after an opening
        ("most", "i4"),  # the greatest number of them
        ("max_steps", "i4"),  # steps after which an episode is truncated; 0: never
        ("actions", "i4"),  # the number of actions of a board
        ("points", "i4", (POINTS + 1,)),  # the point of each action; PASS for the last one
        ("keys", "u8", (BORDER, CELLS)),  # of a hash, by colour and point; keys[color, 0]: of a play of that colour
        ("numbers", "i4", (CELLS,)),  # the action of each point
    ],
    align=True,
)
"""What all games of a batch have in common."""


class Games(NamedTuple):
    """Games of a batch, or the openings that they begin with: a row of each array for each of them."""

    boards: Any
    """Records of BOARD_DTYPE."""
    states: Any
    """Records of STATE_DTYPE."""
    past: Any
    """uint64, (games, moves + 1): hashes of all positions so far; (games, 0) if none are compared."""
    played: Any
    """int16, (games, moves): the points of the moves after the opening; openings have no moves."""
    rngs: Any
    """uint64, (games, 1): random number generators."""


class Seen(NamedTuple):
    """What the games show after a move, a row of each array for each of them: see `environment.Batch`."""

    observations: Any
    """uint8, (games, planes, points)."""
    legal: Any
    """bool, (games, actions)."""
    rewards: Any
    """float32, (games,)."""
    terminated: Any
    """bool, (games,)."""
    truncated: Any
    """bool, (games,)."""


GAMES: Final = numba.types.NamedTuple(
    [BOARD[::1], STATE[::1], numba.uint64[:, ::1], numba.int16[:, ::1], numba.uint64[:, ::1]], Games
)
KIND: Final = from_dtype(KIND_DTYPE)
SEEN: Final = numba.types.NamedTuple(
    [numba.uint8[:, :, ::1], numba.boolean[:, ::1], numba.float32[::1], numba.boolean[::1], numba.boolean[::1]], Seen
)


# --- Legal moves ---


@inner
def without_chain(b: Board, keys: Any, p: int, h: Any) -> Any:
    """Return a hash with the stones of the chain at p taken out."""
    stone = p
    while True:
        h ^= keys[b.color[stone], stone]
        stone = as_int64(b.next[stone])
        if stone == p:
            return h


@inner
def hash_after(b: Board, keys: Any, p: int, c: int, h: Any) -> Any:
    """Return the hash of the stones after a play at the empty point p, from the hash h before it (Zobrist 1970)."""
    root = b.root
    stride = int(b.stride)
    h ^= keys[c, p]
    taken, r1, r2, r3 = opponent(c), -1, -1, -1
    if not bd.is_legal(b, p, c, False):
        h ^= keys[c, p]  # suicide: the stone is removed, with each own chain beside it
        taken = c
    for q in neighbors4(p, stride):
        r = as_int64(root[q])
        if b.color[q] == taken and r != r1 and r != r2 and r != r3 and bd.in_atari(b, q):
            h = without_chain(b, keys, q, h)
            r1, r2, r3 = r, r1, r2
    return h


@inner
def repeats(b: Board, kind: Any, state: Any, past: Any, p: int) -> bool:
    """Return whether a play at the empty point p repeats a position that it may not, ko of the board apart.

    `past`: see Games. While nothing has been removed, only a suicide does not lead to a new position.
    """
    if kind.compared == NO_REPETITION or (
        b.prisoners[BLACK] + b.prisoners[WHITE] == 0 and bd.is_legal(b, p, as_int64(state.color), False)
    ):
        return False
    i, moves, c = as_int64(state.number), as_int64(state.moves), as_int64(state.color)
    h = hash_after(b, kind.keys, p, c, state.hash)
    if kind.compared == LAST_POSITION:
        return bool(state.passes == 0 and moves > 0 and past[i, moves - 1] == h)
    if kind.compared == SITUATIONAL:
        h ^= kind.keys[c, 0]
    repeated = False
    for k in range(moves + 1):  # to the end, which is vectorised
        repeated |= past[i, k] == h
    return repeated


@inner
def is_allowed(b: Board, kind: Any, state: Any, past: Any, p: int) -> bool:
    """Return whether a play of the colour to move at p, any point of the board, is legal."""
    c = as_int64(state.color)
    return bool(is_open_to(b, kind.rules, p, c) and not repeats(b, kind, state, past, p))


@inner
def can_play(b: Board, kind: Any, state: Any, past: Any) -> bool:
    """Return whether the colour to move has a legal play."""
    for e in range(b.empties):  # noqa: SIM110 - Numba does not compile generators well
        if is_allowed(b, kind, state, past, as_int64(b.empty[e])):
            return True
    return False


@inner
def chance_play(b: Board, kind: Any, state: Any, past: Any, rng: Any) -> int:
    """Return a legal play, each with equal chance, or PASS if there is none."""
    rest = as_int64(b.empties)
    while rest > 0:
        e = random_below(rng, rest)
        p = as_int64(b.empty[e])
        if is_allowed(b, kind, state, past, p):
            return p
        rest -= 1
        set_aside(b, e, rest)
    return PASS


# --- What is seen ---


@inner
def enter_chain(b: Board, kind: Any, state: Any, p: int) -> None:
    """Enter the liberties of the chain at p, if there is one, for each of its stones."""
    if b.color[p] == EMPTY or b.color[p] == BORDER:
        return
    r = b.root[p]
    liberties = as_int64(b.libs[r])
    if b.chain_size[r] == 1:
        liberties = min(liberties, 3)  # the pairs of a single stone are its liberties
    elif bd.in_atari(b, p):
        liberties = 1
    else:  # a liberty has at most four pairs
        liberties = 2 if liberties <= 8 and two_liberties(b, p)[0] != 0 else 3
    if state.liberties[kind.numbers[p]] == liberties:
        return  # as before: the entry of a stone that was just played is 0
    stone = p
    while True:
        state.liberties[kind.numbers[stone]] = liberties
        stone = as_int64(b.next[stone])
        if stone == p:
            break


@inner
def enter_empty(b: Board, kind: Any, state: Any, p: int) -> None:
    """Enter whether the point p is an empty point beside another one."""
    color, is_open = b.color, False
    if color[p] == EMPTY:
        for q in neighbors4(p, as_int64(b.stride)):
            is_open |= color[q] == EMPTY
        if not is_open:
            state.closed[state.closings] = p
            state.closings += 1
    state.open[kind.numbers[p]] = is_open


@inner
def enter_board(b: Board, kind: Any, state: Any) -> None:
    """Enter the stones of a board, the liberties of its chains, and its empty points."""
    state.closings = 0
    for a in range(kind.actions - 1):
        p = as_int64(kind.points[a])
        state.stones[a] = b.color[p]
        state.liberties[a] = 0
        enter_empty(b, kind, state, p)
    for a in range(kind.actions - 1):
        if state.liberties[a] == 0:
            enter_chain(b, kind, state, as_int64(kind.points[a]))


@inner
def enter_play(b: Board, kind: Any, state: Any, p: int) -> None:
    """Enter a stone that removed none: only what is beside it has changed."""
    a, stride = kind.numbers[p], as_int64(b.stride)
    state.stones[a] = b.color[p]
    state.open[a] = 0
    enter_chain(b, kind, state, p)
    for q in neighbors4(p, stride):
        if b.color[q] == EMPTY:
            enter_empty(b, kind, state, q)
        else:
            enter_chain(b, kind, state, q)


@inner
def need(b: Board, rules: Any, c: int) -> int:
    """Return the prisoners that a colour still needs, at most MOST_NEED; 0 if captures do not win."""
    return max(0, min(stones_to_win(b, rules, c), MOST_NEED))


@inner
def enter_doubtful(b: Board, kind: Any, state: Any, past: Any, seen: Seen, p: int) -> bool:
    """Enter whether a play at the empty point p is legal, or forbidden by a rule about repetition alone."""
    i, a, c, rules = as_int64(state.number), kind.numbers[p], as_int64(state.color), kind.rules
    is_open = bd.is_legal(b, p, c, rules.suicide)
    is_banned = is_open and (is_ko(b, rules, p) or repeats(b, kind, state, past, p))
    seen.legal[i, a], seen.observations[i, KO, a] = is_open and not is_banned, is_banned
    return bool(is_open and not is_banned)


@inner
def enter_legal(b: Board, kind: Any, state: Any, past: Any, seen: Seen) -> int:
    """Enter the legal moves, and the plays that a rule about repetition alone forbids; return the number of plays.

    A play beside an empty point is legal, unless it repeats a position.
    """
    i, points, plays = as_int64(state.number), kind.actions - 1, as_int64(b.empties)
    for a in range(points):
        seen.legal[i, a] = state.open[a]
    seen.legal[i, points] = kind.rules.passing != FORBIDDEN
    for a in range(points):
        seen.observations[i, KO, a] = 0
    if kind.compared != NO_REPETITION and b.prisoners[BLACK] + b.prisoners[WHITE] > 0:
        for e in range(b.empties):
            plays -= not enter_doubtful(b, kind, state, past, seen, as_int64(b.empty[e]))
        return plays
    for k in range(state.closings):
        p = as_int64(state.closed[k])
        if b.color[p] == EMPTY:
            plays -= not enter_doubtful(b, kind, state, past, seen, p)
    return plays


@inner
def look(b: Board, kind: Any, state: Any, past: Any, seen: Seen) -> int:
    """Enter the observation of a game, and its legal moves as if it went on; return the number of legal plays."""
    i, c, d, points = as_int64(state.number), as_int64(state.color), 3 - as_int64(state.color), kind.actions - 1
    stones, liberties, planes = state.stones, state.liberties, seen.observations
    is_black, own_need, other_need = c == BLACK, need(b, kind.rules, c), need(b, kind.rules, d)
    for a in range(points):  # a loop for each plane, which is then vectorised
        planes[i, OWN, a] = stones[a] == c
    for a in range(points):
        planes[i, OTHER, a] = stones[a] == d
    for a in range(points):
        planes[i, FREE, a] = stones[a] == EMPTY
    for a in range(points):
        planes[i, BLACK_TO_MOVE, a] = is_black
    for n in range(3):
        for a in range(points):
            planes[i, LIBERTIES + n, a] = liberties[a] == n + 1
    for a in range(points):
        planes[i, OWN_NEED, a] = own_need
    for a in range(points):
        planes[i, OTHER_NEED, a] = other_need
    return enter_legal(b, kind, state, past, seen)


@inner
def is_over(state: Any) -> bool:
    """Return whether an episode has ended."""
    return bool(state.terminated or state.truncated)


@inner
def enter_end(kind: Any, state: Any, seen: Seen, reward: float) -> None:
    """Enter the reward of the colour that has moved, and whether the episode is over; then no action is legal."""
    i = as_int64(state.number)
    seen.rewards[i], seen.terminated[i], seen.truncated[i] = reward, state.terminated, state.truncated
    if is_over(state):
        for a in range(kind.actions):
            seen.legal[i, a] = False


@inner
def show(b: Board, kind: Any, state: Any, past: Any, seen: Seen, reward: float) -> None:
    """Enter what is seen of a game that has not moved, or that the colour before resigned."""
    look(b, kind, state, past, seen)
    enter_end(kind, state, seen, reward)


# --- Moves ---


@inner
def move(b: Board, kind: Any, state: Any, past: Any, p: int) -> int:
    """Make a legal move; return the winner by captures or by two passes, DRAW, or 0."""
    c = as_int64(state.color)
    if kind.compared != NO_REPETITION:
        h = state.hash
        if p != PASS:
            h = hash_after(b, kind.keys, p, c, h)
        state.hash = h
        if kind.compared == SITUATIONAL and p != PASS:
            h ^= kind.keys[c, 0]
        past[state.number, state.moves + 1] = h
    passes, winner = make_move(b, kind.rules, p, c, as_int64(state.passes))
    state.passes = passes
    state.moves += 1
    state.color = opponent(c)
    return winner


@inner
def take_step(b: Board, kind: Any, state: Any, past: Any, seen: Seen, p: int) -> None:
    """Make a move of an episode, and enter what is seen then, with the reward of the colour that has moved."""
    c, stones = as_int64(state.color), b.prisoners[BLACK] + b.prisoners[WHITE]
    winner = move(b, kind, state, past, p)
    state.steps += 1
    if p != PASS and b.prisoners[BLACK] + b.prisoners[WHITE] != stones:
        enter_board(b, kind, state)
    elif p != PASS:
        enter_play(b, kind, state, p)
    plays = look(b, kind, state, past, seen)
    if plays == 0 and captured_enough(b, kind.rules) == 0 and must_lose(b, kind.rules, opponent(c)):
        winner = c
    state.terminated = winner != 0
    state.truncated = winner == 0 and kind.max_steps > 0 and state.steps >= kind.max_steps
    enter_end(kind, state, seen, 1.0 if winner == c else -1.0 if winner == opponent(c) else 0.0)


@inner
def resign(b: Board, kind: Any, state: Any, past: Any, seen: Seen) -> None:
    """End a game that the colour to move loses."""
    state.color = opponent(as_int64(state.color))
    state.steps += 1
    state.terminated = True
    show(b, kind, state, past, seen, -1.0)


@inner
def enter_opening(games: Games, openings: Games, i: int, k: int) -> None:
    """Begin a game with an opening."""
    copy_board(games.boards[i], openings.boards[k])
    state, start = games.states[i], openings.states[k]
    state.hash, state.color, state.passes, state.moves = start.hash, start.color, start.passes, start.moves
    state.opening, state.drawn, state.steps = k, 0, 0
    state.terminated = state.truncated = False
    if games.past.shape[1] > 0:
        for n in range(start.moves + 1):
            games.past[i, n] = openings.past[k, n]


@inner
def begin(games: Games, openings: Games, kind: Any, i: int) -> bool:
    """Begin a game with an opening and random plays, drawn until these do not end it; return whether any do not."""
    b, state, past, rng = games.boards[i], games.states[i], games.past, games.rngs[i]
    for _ in range(TRIES):
        enter_opening(games, openings, i, random_below(rng, len(openings.states)))
        wanted = kind.least + random_below(rng, kind.most - kind.least + 1)
        while state.drawn < wanted:
            p = chance_play(b, kind, state, past, rng)
            if p == PASS or move(b, kind, state, past, p) != 0:
                break
            if must_lose(b, kind.rules, as_int64(state.color)) and not can_play(b, kind, state, past):
                break
            games.played[i, state.drawn] = p
            state.drawn += 1
        if state.drawn == wanted:
            enter_board(b, kind, state)
            return True
    return False


DONE: Final = -1
"""All games have moved or begun."""
NO_OPENING: Final = -2
"""A game did not begin, as all random openings ended it."""


@kernel(GAMES, GAMES, KIND, numba.boolean[::1], SEEN, returns=numba.int64)
def begin_games(games: Games, openings: Games, kind: Any, chosen: Any, seen: Seen) -> int:
    """Begin the chosen games anew, and enter what is seen of all; return DONE or NO_OPENING."""
    for i in range(len(chosen)):
        b, state = games.boards[i], games.states[i]
        if not chosen[i]:
            enter_board(b, kind, state)
        elif not begin(games, openings, kind, i):
            return NO_OPENING
        show(b, kind, state, games.past, seen, 0.0)
    return DONE


@inner
def is_right(b: Board, kind: Any, state: Any, past: Any, action: int) -> bool:
    """Return whether an action is a legal move."""
    if action == kind.actions - 1:
        return bool(kind.rules.passing != FORBIDDEN)
    return bool(0 <= action < kind.actions and is_allowed(b, kind, state, past, as_int64(kind.points[action])))


@kernel(GAMES, GAMES, KIND, numba.int64[::1], SEEN, returns=numba.int64)
def step_games(games: Games, openings: Games, kind: Any, actions: Any, seen: Seen) -> int:
    """Make a move in each game. A game that is over begins anew, and a game whose action is WAIT stays as it is.

    Returns DONE, NO_OPENING, or the number of a game with a wrong action; then no game has changed.
    """
    for i in range(len(actions)):
        b, state, action = games.boards[i], games.states[i], actions[i]
        if not (action in (WAIT, RESIGN) or is_over(state) or is_right(b, kind, state, games.past, action)):
            return i
    for i in range(len(actions)):
        b, state = games.boards[i], games.states[i]
        if actions[i] != WAIT and not is_over(state):
            p = RESIGNATION if actions[i] == RESIGN else as_int64(kind.points[actions[i]])
            games.played[i, state.drawn + state.steps] = p
            if p == RESIGNATION:
                resign(b, kind, state, games.past, seen)
            else:
                take_step(b, kind, state, games.past, seen, p)
            continue
        if actions[i] != WAIT and not begin(games, openings, kind, i):
            return NO_OPENING
        show(b, kind, state, games.past, seen, 0.0)
    return DONE
