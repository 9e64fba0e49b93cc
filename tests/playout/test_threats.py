"""Forced wins where several prisoners decide, against all plays and replies tried by definition (`family.py`)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gtp_capture.go import board as bd
from gtp_capture.go.board import Board
from gtp_capture.go.rules import Rules
from gtp_capture.go.vertex import PASS
from gtp_capture.jit.records import rules_record
from gtp_capture.playout.ladder import FRAME_DTYPE, WIDTH, first_attack, new_reader
from gtp_capture.playout.moves import make_move
from gtp_capture.playout.threats import NO_THREAT, SEVERAL, add_threats, forced_capture, refutes, threat_of

from ..support.diagrams import set_up
from ..support.family import BLACK, WHITE, Family, State
from ..support.small_positions import Position

GAMES = [
    ("capture-2", (4, 3)),
    ("capture-2 ko=simple", (3, 3)),
    ("capture-3 ko=simple suicide=legal", (3, 3)),
    ("capture-3 passing=stone ko=simple", (4, 3)),
]


class Case:
    """A position of a game by definition, with the same on a board of the package."""

    def __init__(self, family: Family, state: State, color: int, board: Board) -> None:
        self.family, self.state, self.color, self.board = family, state, color, board
        self.position = Position(state.black, state.white, family.width, family.height, color)

    def wins_at_once(self, color: int) -> set[int]:
        """The points where a capture of a colour wins."""
        after_own = after_plays(self.family, self.state, color).items()
        return {self.position.point(index) for index, after in after_own if won(self.family, after) == color}


def won(family: Family, state: State) -> int:
    """The colour that holds enough prisoners, or 0."""
    return next((side for side in (1, 2) if state.held[side - 1] >= family.captures), 0)


def after_plays(family: Family, state: State, color: int) -> dict[int, State]:
    """The states after the plays of a colour, by the indices of their points."""
    return {index: after for index, after in family.moves(state, color) if index is not None}


def threatens(family: Family, state: State, color: int) -> bool:
    """Whether some play of a colour would win at once."""
    return any(won(family, after) == color for after in after_plays(family, state, color).values())


def cases(name: str, size: tuple[int, int], games: int) -> Iterator[Case]:
    """Yield positions of random games in which both colours may still win, and the rules as kernels read them."""
    rules, chance = Rules.parse(name), random.Random(f"{name} {size}")
    family, record = Family.of(rules, *size, nodes=1_000_000), rules_record(rules, 0.0)
    for _ in range(games):
        board, state, color, passes = bd.new(*size), family.start(), BLACK, 0
        while family.winner(state, color) is None:
            yield Case(family, state, color, board)
            moves = dict(family.moves(state, color))
            move = chance.choice(sorted(moves, key=str))
            point = PASS if move is None else Position(0, 0, *size, color).point(move)
            passes, _ = make_move(board, record, point, color, passes)
            state, color = moves[move], 3 - color


def new_frame() -> Any:
    return np.zeros(1, FRAME_DTYPE).view(np.recarray)[0]


def frame_points(frame: Any) -> set[int]:
    points = [int(p) for p in frame.attacks[: frame.number]]
    assert len(points) == len(set(points)) < WIDTH
    return set(points)


@pytest.mark.parametrize(("name", "size"), GAMES)
def test_a_threat_is_the_only_point_where_a_capture_wins(name: str, size: tuple[int, int]) -> None:
    record, seen = rules_record(Rules.parse(name), 0.0), set()
    for case in cases(name, size, 20):
        for color in (1, 2):
            if color == case.color or not case.board.ko:  # a ko point is forbidden to the colour to move
                points = case.wins_at_once(color)
                wanted = NO_THREAT if not points else SEVERAL if len(points) > 1 else points.pop()
                seen.add(min(wanted, 1))
                assert threat_of(case.board, record, color) == wanted, (case.position, color)
    assert seen == {NO_THREAT, SEVERAL, 1}


@pytest.mark.parametrize(("name", "size"), GAMES)
def test_all_replies_that_can_parry_a_threat_are_tried(name: str, size: tuple[int, int]) -> None:
    record, frame, threats, parries = rules_record(Rules.parse(name), 0.0), new_frame(), 0, 0
    for case in cases(name, size, 25):
        color, other, family = case.color, 3 - case.color, case.family
        fails = not threatens(family, case.state, other) or bool(case.wins_at_once(color))
        assert refutes(case.board, record, color, frame) == fails, case.position
        if fails:
            continue
        threats += 1
        tried, plays = frame_points(frame), after_plays(family, case.state, color)
        assert tried <= {case.position.point(index) for index in plays}, case.position
        holding = {index for index, after in plays.items() if not won(family, after)}
        holding = {index for index in holding if not threatens(family, plays[index], other)}
        parries += len(holding)
        assert {case.position.point(index) for index in holding} <= tried, case.position
    assert threats > 5
    assert parries > 2


@pytest.mark.parametrize(("name", "size"), GAMES)
def test_all_plays_that_leave_a_chain_of_enough_stones_one_liberty_are_tried(name: str, size: tuple[int, int]) -> None:
    record, frame, threats = rules_record(Rules.parse(name), 0.0), new_frame(), 0
    for case in cases(name, size, 12):
        position, color = case.position, case.color
        if case.wins_at_once(color):
            continue
        add_threats(case.board, record, color, frame)
        tried, legal = frame_points(frame), after_plays(case.family, case.state, color)
        assert tried <= {position.point(index) for index in legal}, position
        need = case.family.captures - case.state.held[color - 1]
        for play in position.plays(color):
            if play.point in legal and not play.lost and leaves_one_liberty(position.after(play, color), need):
                threats += 1
                assert position.point(play.point) in tried, (position, play)
    assert threats > 5


def leaves_one_liberty(position: Position, need: int) -> bool:
    """Whether a chain of the colour to move with so many stones has a single liberty."""
    chains = position.chains(position.color)
    return any(stones.bit_count() >= need and liberties.bit_count() == 1 for stones, liberties in chains)


@pytest.mark.parametrize(("name", "size"), GAMES)
def test_a_win_that_is_found_is_one_in_its_plies_whatever_the_other_side_plays(
    name: str, size: tuple[int, int]
) -> None:
    record, reader, wins = rules_record(Rules.parse(name), 0.0), new_reader(), 0
    for case in cases(name, size, 12):
        family, color = case.family, case.color
        if not case.wins_at_once(color) and (plies := forced_capture(case.board, record, color, reader, 1000, 4)):
            wins += 1
            assert plies in range(3, 10, 2)
            first = after_plays(family, case.state, color)[case.position.index_of(first_attack(reader))]
            assert family.wins(first, 3 - color, color, plies - 1), (case.position, plies)
    assert wins > 5


@pytest.mark.parametrize(
    ("name", "size"), [("capture-2", (4, 3)), ("capture-3 suicide=legal", (3, 3)), ("capture-3 passing=stone", (3, 3))]
)
def test_a_win_is_found_if_and_only_if_there_is_one_by_the_plays_that_are_tried(
    name: str, size: tuple[int, int]
) -> None:
    """The replies are all that the rules have, and the longest row of threats is the one that was allowed."""
    record, reader, results = rules_record(Rules.parse(name), 0.0), new_reader(), set()
    for case in cases(name, size, 6):
        if not case.wins_at_once(case.color):
            for longest in (1, 2, 4):
                wanted = wins_by_threats(case.family, record, case.state, case.color, longest)
                results.add((longest, wanted))
                plies = forced_capture(case.board, record, case.color, reader, 1000, longest)
                assert bool(plies) == wanted, (case.position, longest)
    assert len(results) == 6


def wins_by_threats(family: Family, record: Any, state: State, color: int, longest: int) -> bool:
    """Whether a colour wins by at most so many plays of `add_threats` in a row, whatever the replies are."""
    position = Position(state.black, state.white, family.width, family.height, color)
    board, frame, plays = position.board, new_frame(), after_plays(family, state, color)
    board.prisoners[BLACK], board.prisoners[WHITE] = state.held
    add_threats(board, record, color, frame)
    return longest > 0 and any(
        threatens(family, after, color)
        and not threatens(family, after, 3 - color)
        and all(
            won(family, reply) == color
            or threatens(family, reply, color)
            or wins_by_threats(family, record, reply, color, longest - 1)
            for reply in after_plays(family, after, 3 - color).values()
        )
        for after in (plays[position.index_of(p)] for p in frame_points(frame))
    )


def test_the_plies_of_a_win_are_those_of_its_longest_line() -> None:
    """White's first play leaves Black several replies; the last one that is tried resists less than another."""
    game, reader = set_up(".... ..XO XO.X", "capture-2", WHITE), new_reader()
    assert forced_capture(game.board, rules_record(game.rules, 0.0), WHITE, reader, 1000, 4) == 7
    family = Family.of(game.rules, 4, 3)
    start = family.start(game.stones("black"), game.stones("white"))
    first = family.play(start, WHITE, game.vertex(first_attack(reader)))
    assert first is not None
    assert [family.wins(first, BLACK, WHITE, plies) for plies in (4, 6)] == [False, True]


def test_a_win_takes_as_many_attacks_as_are_tried_and_without_them_none_is_found() -> None:
    record, reader, taken = rules_record(Rules.parse("capture-2"), 0.0), new_reader(), set()
    for case in cases("capture-2", (3, 3), 10):
        if not case.wins_at_once(case.color) and forced_capture(case.board, record, case.color, reader, 1000, 3):
            wins = [bool(forced_capture(case.board, record, case.color, reader, budget, 3)) for budget in range(6)]
            assert wins == sorted(wins)
            taken.add(wins.count(False))
    assert min(taken) == 1 < max(taken)
