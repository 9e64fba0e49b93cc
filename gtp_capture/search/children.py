"""The children of a new node: the moves that have to be tried, and their probabilities by the policy."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..go import board as bd
from ..go.vertex import PASS, opponent
from ..jit.kernel import as_int64, inner
from ..jit.records import Turn
from ..network.network import begin_policy, logit
from ..playout.endings import is_capture_game, must_lose
from ..playout.ladder import WIDTH, forced_win, gives_atari, mark_zone
from ..playout.moves import is_open_to
from ..playout.static import QUIET, keeps_two_liberties
from ..playout.threats import NO_THREAT, add_parries, threat_of
from .nodes import FAR, Nodes, add_child
from .parameters import Parameters

_0, _1 = np.float32(0), np.float32(1)
_STEP: Final = np.float32(1 / 1024)


@inner
def add_tactical_children(nodes: Nodes, turn: Turn, forced: int, parameters: Parameters, worker: Any) -> int:
    """Write the children of a position where the next capture wins, without plays that lose at once.

    If the opponent would win by continuous atari after a pass, only plays in the zone of that threat and plays that
    give atari are kept. Returns the end of the nodes written, which begin at `arena.next`.
    """
    b, c, zone = turn.board, turn.color, worker.zone
    end, threat = as_int64(worker.arena.next), 0
    if forced == QUIET and parameters.longest > 0:
        threat = forced_win(b, opponent(c), worker.reader, int(parameters.threat_budget), int(parameters.longest))
        if threat > 0:
            mark_zone(worker.reader, threat, zone)
    for i in range(b.empties):
        p = as_int64(b.empty[i])
        if forced != QUIET and p != forced:
            continue
        if keeps_two_liberties(b, p, c) and (threat == 0 or zone[p] == 1 or gives_atari(b, p, c)):
            end = add_child(nodes, end, p)
    return end


@inner
def power(x: Any) -> Any:
    """Return e ** x for x <= 0 as (1 + x / 1024) ** 1024, which vector instructions compute; 1.2 % too low at -5."""
    y = max(_1 + x * _STEP, _0)
    for _ in range(10):
        y *= y
    return y


@inner
def set_policy(nodes: Nodes, first: int, end: int, turn: Turn, flatness: float, worker: Any, network: Any) -> None:
    """Give new plays the probabilities of the network's policy, which add up to 1.

    PASS, if it is the last child, gets the mean of the plays.
    """
    if end - first == 1:
        nodes.policy[first] = 1
        return
    b, values = turn.board, worker.values
    if nodes.move[end - 1] == PASS:
        end -= 1
        nodes.policy[end] = 1 / (end - first)
    begin_policy(b, turn.rules, turn.color, network, worker.network)
    scale, most, total = np.float32(1 / flatness), -FAR, np.float32(0)
    for child in range(first, end):
        values[child - first] = scale * logit(b, as_int64(nodes.move[child]), turn.last, network, worker.network)
        most = max(most, values[child - first])
    for i in range(end - first):
        values[i] = power(values[i] - most)
    for i in range(end - first):
        total += values[i]
    for child in range(first, end):
        nodes.policy[child] = values[child - first] / total


@inner
def add_parrying_children(nodes: Nodes, turn: Turn, worker: Any) -> int:
    """Write the children of a position where the opponent threatens to win by a capture: the plays that can parry it.

    A pass parries nothing, unless it is the second one in a row and ends the game; then all moves have to be tried.
    Returns the end of the nodes written, which begin at `arena.next`, or 0 if all moves have to be tried.
    """
    b, rules, c = turn.board, turn.rules, turn.color
    if turn.passes > 0 and not must_lose(b, rules, c):
        return 0
    threat = threat_of(b, rules, opponent(c))
    if threat == NO_THREAT:
        return 0
    parries = worker.reader.frames[0]
    add_parries(b, rules, threat, c, parries)
    if parries.number == WIDTH:
        return 0
    end = as_int64(worker.arena.next)
    for i in range(parries.number):
        p = as_int64(parries.attacks[i])
        end = add_child(nodes, end, p)
    return end


@inner
def add_playable_children(nodes: Nodes, turn: Turn, worker: Any) -> int:
    """Write the children of any other position: all legal plays, and a pass if it does not lose at once.

    Where the score alone decides, own eyes are left out. Plays that superko forbids are not left out, because the board
    alone does not show them. Returns the end of the nodes written, which begin at `arena.next`.
    """
    b, rules, c = turn.board, turn.rules, turn.color
    captures_win = is_capture_game(rules)
    end = as_int64(worker.arena.next)
    for i in range(b.empties):
        p = as_int64(b.empty[i])
        if is_open_to(b, rules, p, c) and (captures_win or not (rules.scored and bd.is_eye(b, p, c))):
            end = add_child(nodes, end, p)
    if not must_lose(b, rules, c):
        end = add_child(nodes, end, PASS)
    return end
