"""The tree search. `search` descends to a leaf, evaluates it and updates the nodes of the path.

The network's policy leads the descent (PUCT). The value of a leaf is the network's win rate, a playout's result, or a
mixture of both: see `parameters.py`.

All threads share one tree without locks (Enzenberger and Müller 2009): each adds nodes in a range of its own and
publishes the children of a node with a single store. If two threads write a count at once, one of the changes is lost,
which does no harm.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ..go import board as bd
from ..go.board import Board
from ..go.vertex import PASS, opponent
from ..jit.intrinsics import borrowed
from ..jit.kernel import as_int64, inner, kernel
from ..jit.records import BOARD_DTYPE, TURN, Turn, copy_board, new_rng
from ..network.network import NETWORK, SCRATCH, win_rate
from ..playout.endings import DRAW, is_capture_game, must_lose, stones_to_win
from ..playout.ladder import READER_DTYPE, first_attack, forced_win
from ..playout.moves import is_ko, is_open_to, knows_legal_plays, make_move
from ..playout.policies import tactical_playout
from ..playout.static import NO_DEFENCE, QUIET, capture_somewhere, forced_anywhere, is_tactical
from ..playout.threats import MOST_THREATS, NO_THREAT, forced_capture, threat_of
from .children import add_parrying_children, add_playable_children, add_tactical_children, set_policy
from .nodes import (
    ARENA_DTYPE,
    BUSY,
    LANES,
    NODES,
    PROVEN_LOSS,
    PROVEN_WIN,
    Nodes,
    child_count,
    is_crowded,
    prove,
    publish,
    publish_win,
    select,
)
from .parameters import PARAMETERS, Parameters

DEPTH: Final = 1_000
"""Maximum number of nodes on a path."""
CROWDED: Final = 8.0
"""Factor of the visits that a leaf needs to get children, once a thread has used half of its nodes."""

WORKER_DTYPE: Final = np.dtype(
    [
        ("arena", ARENA_DTYPE),  # the free nodes of this thread
        ("rng", "u8", (1,)),
        # Scratch memory:
        ("board", BOARD_DTYPE),  # the position that a descent or playout has reached
        ("path", "i8", (DEPTH,)),  # the nodes of a descent, root first
        ("values", "f4", (bd.CELLS + LANES,)),  # for `select`
        ("zone", "i1", (bd.CELLS,)),  # for `mark_zone`
        ("reader", READER_DTYPE),  # for `forced_win` and `forced_capture`
        ("network", SCRATCH),
    ],
    align=True,
)
"""The memory of one thread, as one record, because Numba counts references to arrays in a tuple (18 % slower)."""
WORKER: Final = numba.from_dtype(WORKER_DTYPE)


def new_worker(seed: int, stream: int) -> Any:
    """Return the memory of a thread, with an empty arena."""
    worker = np.zeros(1, WORKER_DTYPE).view(np.recarray)[0]
    worker.rng[:] = new_rng(seed, stream)
    return worker


class Leaf(NamedTuple):
    """The end of a descent; its position is on the worker's board."""

    depth: int
    """Index of the last node of the path."""
    color: int
    """The colour to move."""
    last: int
    """See Turn."""
    passes: int
    """See Turn."""
    winner: int
    """The winner or DRAW if the tree, the static tests or the rules decide the game, else 0."""
    legal_until: int
    """Index of the last node of the path up to which every move is known to be legal. Later nodes are not proven."""


@inner
def has_play(b: Board, rules: Any, c: int) -> bool:
    """Return whether a colour has any legal play."""
    for i in range(b.empties):  # noqa: SIM110 - compiled code has no generators here
        if is_open_to(b, rules, as_int64(b.empty[i]), c):
            return True
    return False


@inner
def winning_move(turn: Turn, tactical: bool, forced: int, parameters: Parameters, worker: Any) -> tuple[int, int]:
    """Return a move that wins by a capture or by continuous atari, and the plies to the end after it; else (0, 0).

    `tactical`: whether the next capture wins. `forced`: the value that `forced_anywhere` returned, or QUIET.
    """
    b, rules, c = turn.board, turn.rules, turn.color
    if is_capture_game(rules):
        capture = capture_somewhere(b, c, stones_to_win(b, rules, c))
        if capture > 0 and not is_ko(b, rules, capture):
            return capture, 0
    if forced == QUIET and parameters.longest > 0:
        length, budget, longest = 0, int(parameters.attack_budget), int(parameters.longest)
        if tactical:
            length = forced_win(b, c, worker.reader, budget, longest)
        elif is_capture_game(rules) and not rules.superko:  # a line of several captures may repeat a position
            length = forced_capture(b, rules, c, worker.reader, budget, min(longest, MOST_THREATS))
        if length > 0:
            return first_attack(worker.reader), length - 1
    return 0, 0


@inner
def expand(nodes: Nodes, index: int, turn: Turn, legal: bool, parameters: Parameters, worker: Any, network: Any) -> int:
    """Add the children of a leaf. Return the winner if the static tests prove one, else 0.

    `legal`: whether the moves that led to the leaf are known to be legal. If they are not, or if the board alone does
    not decide what is legal, nothing is proven and no move is left out. If the arena has too few free nodes, the node
    stays a leaf.
    """
    b, rules, c, arena = turn.board, turn.rules, turn.color, worker.arena
    if arena.next + b.empties + 1 > arena.end:
        return 0
    nodes.link[index] = BUSY
    legal = legal and knows_legal_plays(b, rules)
    tactical = legal and is_tactical(b, rules) and not (rules.ko and b.ko != 0)
    forced = forced_anywhere(b, c) if tactical else QUIET
    move, length = winning_move(turn, tactical, forced, parameters, worker) if legal else (0, 0)
    if move != PASS:
        publish_win(nodes, index, arena, move, length)
        prove(nodes, index)
        return c
    if tactical:
        end = add_tactical_children(nodes, turn, forced, parameters, worker)
    else:
        end = add_parrying_children(nodes, turn, worker) if legal and is_capture_game(rules) else 0
        if end == 0:
            end = add_playable_children(nodes, turn, worker)
    if end > arena.next:
        set_policy(nodes, as_int64(arena.next), end, turn, parameters.flatness, worker, network)
        publish(nodes, index, arena, end)
        return 0
    nodes.link[index] = 0
    if not legal:
        return 0
    nodes.length[index] = 2 if has_play(b, rules, c) or not must_lose(b, rules, c) else 0  # a move and a capture
    nodes.proven[index] = PROVEN_WIN
    return opponent(c)


@inner
def descend(nodes: Nodes, root: int, turn: Turn, parameters: Parameters, worker: Any, network: Any) -> Leaf:
    """Walk from the root to a leaf, playing the selected moves on the worker's board, and expand the leaf if due.

    Visits are counted here, before the result is known: a virtual loss, which leads other threads to other lines.
    """
    b, rules, path = worker.board, turn.rules, worker.path
    copy_board(b, turn.board)
    color, last, passes, winner = turn.color, turn.last, turn.passes, 0
    index, depth, legal_until = root, 0, 0
    path[0] = root
    nodes.visits[root] += 1
    visits = parameters.expansion_visits * (CROWDED if is_crowded(worker.arena) else 1.0)
    while winner == 0 and depth < DEPTH - 1:
        if nodes.proven[index] != 0:
            winner = opponent(color) if nodes.proven[index] == PROVEN_WIN else color
            break
        due = index == root or nodes.visits[index] >= visits or nodes.policy[index] >= parameters.expected
        if nodes.link[index] == 0 and due:
            leaf = Turn(b, rules, color, last, passes)
            winner = expand(nodes, index, leaf, legal_until == depth, parameters, worker, network)
            if winner != 0:
                break
        if child_count(nodes, index) == 0:
            break
        child = select(nodes, index, parameters, worker.values)
        if child == 0:  # every child is a proven loss, which this or another thread has just found
            if legal_until == depth:
                prove(nodes, index)
            winner = opponent(color)
            break
        index = child
        depth += 1
        path[depth] = index
        nodes.visits[index] += 1
        last = as_int64(nodes.move[index])
        # The moves at the root are legal. A suicide may repeat a position under any ko rule.
        legal = legal_until == depth - 1 and (depth == 1 or knows_legal_plays(b, rules))
        passes, winner = make_move(b, rules, last, color, passes)
        if legal and (depth == 1 or last == PASS or b.color[last] == color or not (rules.ko or rules.superko)):
            legal_until = depth
        if winner != 0 and last != PASS and (winner != color or legal_until == depth):
            nodes.proven[index] = PROVEN_WIN if winner == color else PROVEN_LOSS
        color = opponent(color)
    return Leaf(depth, color, last, passes, winner, legal_until)


@inner
def known_winner(leaf: Leaf, rules: Any, worker: Any) -> int:
    """Return the winner of a leaf by the tree, the rules or static tests, else 0."""
    b, c = worker.board, leaf.color
    if leaf.winner != 0:
        return leaf.winner
    if is_tactical(b, rules):
        # In first capture, all plays of a path pass the static tests from depth 2 on: only the last one can have given
        # atari. Where several prisoners decide, the path may have begun before the next capture was enough.
        if leaf.depth < 2 or rules.captures > 1:
            capture = capture_somewhere(b, c, 1)
            if capture > 0 and not is_ko(b, rules, capture):
                return c
            if forced_anywhere(b, c) == NO_DEFENCE:
                return opponent(c)
    elif is_capture_game(rules) and threat_of(b, rules, c) != NO_THREAT:
        return c
    return 0


@inner
def backup(nodes: Nodes, leaf: Leaf, rate: float, path: Any) -> None:
    """Update wins and proven values from the leaf to the root; `rate`: win rate of the colour to move at the leaf."""
    for d in range(leaf.depth, -1, -1):
        index = path[d]
        rate = 1.0 - rate
        nodes.wins[index] += np.float32(rate)
        if d < leaf.depth and d <= leaf.legal_until and nodes.proven[path[d + 1]] != 0:
            prove(nodes, index)


@kernel(NODES, numba.int64, TURN, PARAMETERS, WORKER, NETWORK, numba.int64, returns=numba.int64)
def search(
    nodes: Nodes, root: int, turn: Turn, parameters: Parameters, worker: Any, network: Any, playouts: int
) -> int:
    """Run `playouts` playouts from node `root`, or fewer if it gets proven; return the number that ran."""
    nodes, network = borrowed(nodes), borrowed(network)
    rules, done = turn.rules, 0
    while done < playouts and nodes.proven[root] == 0:
        done += 1
        leaf = descend(nodes, root, turn, parameters, worker, network)
        winner = known_winner(leaf, rules, worker)
        estimate, share = 0.0, 1.0  # the network's win rate, and the weight of the result
        if winner == 0:
            share = parameters.playout_share
            if share < 1:
                estimate = win_rate(worker.board, rules, leaf.color, network, worker.network)
            if share > 0:
                start = Turn(worker.board, rules, leaf.color, leaf.last, leaf.passes)
                winner, _plays = tactical_playout(start, worker.rng)
        result = 0.5 if winner == DRAW else 1.0 if winner == leaf.color else 0.0
        backup(nodes, leaf, estimate + share * (result - estimate), worker.path)
    return done
