"""Tactics at sight, against all plays and replies tried by definition."""

from __future__ import annotations

import itertools

import pytest

from gtp_capture.go.board import neighbors4
from gtp_capture.go.rules import Rules
from gtp_capture.jit.records import rules_record
from gtp_capture.playout.static import (
    NO_DEFENCE,
    QUIET,
    capture_somewhere,
    forced_anywhere,
    forced_near,
    is_tactical,
    keeps_two_liberties,
)

from ..support.small_positions import Position, indices, random_positions

SIZES = [(2, 2), (3, 3), (5, 2), (4, 4)]


def forced(position: Position) -> int:
    """The value of `forced_anywhere` by definition, for a side that can take nothing."""
    if not any(liberties.bit_count() == 1 for _, liberties in position.chains(position.color)):
        return QUIET
    safe = list(position.safe())
    assert len(safe) < 2, "only a play at the last liberty of a chain saves it"
    return position.point(safe[0]) if safe else NO_DEFENCE


@pytest.mark.parametrize("size", SIZES)
def test_a_play_keeps_two_liberties_if_its_chain_has_them_afterwards(size: tuple[int, int]) -> None:
    for position in random_positions(1, 60, *size):
        board, color = position.board, position.color
        for play in position.plays(color):
            if not play.captured:
                chains = position.after(play, color).chains(color) if not play.lost else []
                liberties = sum(at.bit_count() for stones, at in chains if stones >> play.point & 1)
                keeps = keeps_two_liberties(board, position.point(play.point), color)
                assert keeps == (liberties >= 2), (position, play)


@pytest.mark.parametrize("size", SIZES)
def test_a_forced_play_is_the_only_one_after_which_nothing_can_be_taken(size: tuple[int, int]) -> None:
    kinds = set()
    for position in random_positions(2, 150, *size):
        if not position.captured(position.color):
            wanted = forced(position)
            kinds.add(min(wanted, 1))
            assert forced_anywhere(position.board, position.color) == wanted, position
    assert kinds == {NO_DEFENCE, QUIET, 1} or size == (2, 2)


@pytest.mark.parametrize("size", SIZES[1:])
def test_near_a_stone_the_play_is_forced_that_is_forced_by_the_chains_next_to_it(size: tuple[int, int]) -> None:
    kinds = set()
    for position in random_positions(3, 120, *size):
        color, board = position.color, position.board
        if position.captured(color):
            continue
        attacked = [stones for stones, liberties in position.chains(color) if liberties.bit_count() == 1]
        for last in indices(position.stones(3 - color)):
            near = neighbors4(position.point(last), int(board.stride))
            if all(any(position.point(index) in near for index in indices(stones)) for stones in attacked):
                wanted = forced(position)
                kinds.add(min(wanted, 1))
                assert forced_near(board, position.point(last), color) == wanted, (position, last)
    assert kinds == {NO_DEFENCE, QUIET, 1}


@pytest.mark.parametrize("size", SIZES)
def test_a_capture_takes_as_many_stones_as_are_needed_or_there_is_none(size: tuple[int, int]) -> None:
    sizes = set()
    for position in random_positions(4, 100, *size):
        captured = position.captured(position.color)
        for least in (1, 2, 4):
            capture = capture_somewhere(position.board, position.color, least)
            if capture == 0:
                assert max(captured.values(), default=0) < least, position
            else:
                sizes.add(captured[position.index_of(capture)])
                assert captured[position.index_of(capture)] >= least, position
    assert len(sizes) > 2 or size == (2, 2)


def test_positions_are_tactical_where_one_prisoner_more_wins_for_both_and_a_pass_does_not_help() -> None:
    names = ["first-capture", "capture-1", "capture-3", "capture-3 passing=free", "capture-2 passing=stone", "aga"]
    for name, black, white in itertools.product(names, range(3), range(3)):
        rules, position = Rules.parse(name), next(random_positions(5, 1, 3, 3))
        board = position.board
        board.prisoners[1], board.prisoners[2] = black, white
        last = all(rules.won_by(held + 1) and not rules.won_by(held) for held in (black, white))
        assert is_tactical(board, rules_record(rules, 0.0)) == (last and not rules.free_pass), (name, black, white)
