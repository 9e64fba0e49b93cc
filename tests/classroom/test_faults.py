"""No action is lost or done twice, whatever a network, two pages of one child and a killed server do to it.

A child sends each action until it is answered. What it sends may get lost, its answer may, and copies may come late, in
any order. The server may end at any time, and go on from what it saved last. The oracle is the list of the actions that
were answered, replayed without faults.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp_capture.classroom import child
from gtp_capture.classroom.room import Classroom
from gtp_capture.go.game import Game
from gtp_capture.teach.event import RefusedError

from ..support.classroom import gone_on, joined, new_room, teach, work


@dataclass
class Sent:
    """An action on its way: the view that the child saw, its name, and what it does."""

    seat: int
    seen: int
    name: str
    action: dict[str, Any]


@dataclass
class Faulty:
    """Two children of a class behind a network that loses, repeats and delays."""

    dice: random.Random
    room: Classroom = field(default_factory=new_room)
    late: list[Sent] = field(default_factory=list)
    """Copies that have not arrived yet."""
    count: int = 0
    restarts: int = 0

    def arrive(self, sent: Sent) -> bool:
        """Let an action arrive; return whether the server accepted it."""
        room = self.room
        try:
            child.act(room, room.seats[sent.seat], sent.action, sent.seen, sent.name)
        except (RefusedError, ValueError):
            return False
        if self.dice.random() < 0.9:
            work(room)
        return True

    def restart(self) -> None:
        """Kill the server, and go on with what it saved; the work in progress is lost."""
        self.room = gone_on(self.room)
        self.restarts += 1

    def faults(self) -> None:
        """Let late copies arrive, in any order, and sometimes restart the server."""
        self.dice.shuffle(self.late)
        while self.late and self.dice.random() < 0.4:
            self.arrive(self.late.pop())
        if self.dice.random() < 0.1:
            self.restart()

    def send(self, seat: int, action: dict[str, Any]) -> bool:
        """Send an action until its answer arrives; return whether it was accepted."""
        self.count += 1
        seen = self.room.seats[seat].changed
        sent = Sent(seat, seen, f"action {self.count}", action)
        while True:
            self.faults()
            if self.dice.random() < 0.3:
                self.late.append(sent)
            if self.dice.random() < 0.2:
                continue  # it got lost on the way
            accepted = self.arrive(sent)
            if self.dice.random() < 0.2:
                continue  # the answer got lost
            return accepted


def moves(room: Classroom, seat: int) -> list[str]:
    """Return the moves of the game at the desk of a seat."""
    desk = room.seats[seat].desk
    assert desk is not None
    game = desk.session.game
    return [game.vertex(move.point) for move in game.moves]


def play_pair(seed: int) -> tuple[list[str], list[str], int]:
    """Play a game of two, with takebacks; return the moves of the class, those of the oracle, and the restarts."""
    net = Faulty(random.Random(seed))
    joined(net.room, "Mia", "Ole")
    teach(net.room, pair=[[1, 2]])
    oracle = Game("first-capture", 5)
    for _ in range(20):
        seat = 1 if int(oracle.to_move) == 1 else 2
        if oracle.moves and net.dice.random() < 0.15:
            other = 3 - seat
            assert net.send(other, {"word": "undo"})
            if net.send(seat, {"answer": True}):  # a restart has forgotten the question
                oracle.undo()
            continue
        vertex = oracle.vertex(net.dice.choice(oracle.legal_plays(oracle.to_move)))
        assert net.send(seat, {"point": vertex})
        oracle.play(vertex)
        if oracle.outcome is not None:
            break
        assert moves(net.room, seat) == [oracle.vertex(move.point) for move in oracle.moves]
    for sent in net.late:
        net.arrive(sent)
    return moves(net.room, 1), [oracle.vertex(move.point) for move in oracle.moves], net.restarts


@pytest.mark.slow
def test_no_move_is_lost_or_doubled_in_hundreds_of_games() -> None:
    restarts = 0
    for seed in range(300):
        points, expected, count = play_pair(seed)
        assert points == expected, seed
        restarts += count
    assert restarts > 500


@pytest.mark.slow
@given(st.integers(0, 2**32))
@settings(max_examples=15)
def test_each_move_of_a_child_gets_one_answer_of_the_computer(seed: int) -> None:
    net = Faulty(random.Random(seed))
    joined(net.room, "Mia")
    assert net.send(1, {"choose": "play"})
    for n in range(8):
        work(net.room)
        desk = net.room.seats[1].desk
        assert desk is not None
        game = desk.session.game
        if game.outcome is not None:
            break
        own = [move for move in game.moves if int(move.color) == 1]
        assert len(own) == n
        assert len(game.moves) == 2 * n
        vertex = game.vertex(net.dice.choice(game.legal_plays(1)))
        if net.dice.random() < 0.2 and len(game.legal_plays(1)) > 1:
            # a second page of the same child, which has not seen the last change, plays elsewhere
            other = next(game.vertex(p) for p in game.legal_plays(1) if game.vertex(p) != vertex)
            net.late.append(Sent(1, net.room.count, f"second page {n}", {"point": other}))
        accepted = net.send(1, {"point": vertex})
        work(net.room)
        assert accepted
        played = [move for move in net.room.seats[1].desk.session.game.moves if move.color == "black"]  # type: ignore[union-attr]
        assert len(played) == n + 1, "one of the two pages has played, not both"
