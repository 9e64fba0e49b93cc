"""Playouts with tactics: chances and results by definition, on boards where all plays can be tried (`family.py`)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import islice
from math import sqrt

import pytest
from sgfmill.boards import Board as SgfmillBoard

from gtp_capture.go import board as bd
from gtp_capture.go.board import Board
from gtp_capture.go.rules import Rules
from gtp_capture.go.vertex import PASS
from gtp_capture.jit.records import Turn, new_rng, rules_record
from gtp_capture.playout.endings import DRAW
from gtp_capture.playout.policies import (
    TRIES,
    first_capture_playout,
    general_play,
    general_playout,
    safe_play,
    tactical_playout,
    urgent_play,
)
from gtp_capture.playout.uniform import longest

from ..support.diagrams import set_up
from ..support.family import near
from ..support.small_positions import Position, indices, random_positions

SURE: float = 4.5
"""Standard deviations by which a sum of draws may differ from its mean; the seeds are fixed."""


def assert_chances(counts: Counter[int], wanted: dict[int, float]) -> None:
    """Check how often each value was drawn against its probability."""
    draws = counts.total()
    assert counts.keys() <= {value for value, chance in wanted.items() if chance > 0}
    for value, chance in wanted.items():
        assert abs(counts[value] - draws * chance) <= SURE * sqrt(draws * chance * (1 - chance)) + 1, (value, counts)


def assert_sound(board: Board) -> None:
    """Check the list of empty points, in which draws exchange entries."""
    empty = [int(p) for p in board.empty[: board.empties]]
    assert sorted(empty) == [p for p in bd.points(board) if board.color[p] == 0]
    assert [int(board.where[p]) for p in empty] == list(range(len(empty)))


def position_of(board: Board, color: int) -> Position:
    """The stones of a board, with a colour to move."""
    empty = Position(0, 0, int(board.width), int(board.height), color)
    black, white = (sum(1 << empty.index_of(p) for p in bd.stones_of(board, side)) for side in (1, 2))
    return empty._replace(black=black, white=white)


def quiet_positions(seed: int, count: int, width: int, height: int) -> Iterable[Position]:
    """Positions without chains in atari."""

    def is_quiet(position: Position) -> bool:
        return all(liberties.bit_count() > 1 for side in (1, 2) for _, liberties in position.chains(side))

    return islice(filter(is_quiet, random_positions(seed, 10_000, width, height)), count)


def test_each_safe_play_is_drawn_equally_often() -> None:
    sizes = set()
    for position in quiet_positions(1, 100, 3, 3):
        board, rng = position.board, new_rng(1)
        safe = {position.point(index) for index in position.safe()}
        counts = Counter(safe_play(board, position.color, rng) for _ in range(60))
        assert_chances(counts, dict.fromkeys(safe, 1 / len(safe)) if safe else {0: 1.0})
        assert_sound(board)
        sizes.add(len(safe))
    assert {0, 1, 2, 3} < sizes


@cache
def chances(position: Position) -> tuple[float, float]:
    """The probability that the side to move wins a game of random safe plays, and the expected number of plays."""
    following = [chances(after) for after in position.safe().values()]
    if not following:
        return 0.0, 0.0
    return 1 - sum(win for win, _ in following) / len(following), 1 + sum(n for _, n in following) / len(following)


@pytest.mark.parametrize("size", [(3, 3), (4, 2)])
def test_first_capture_is_played_out_by_safe_plays_to_a_side_that_has_none(size: tuple[int, int]) -> None:
    """A play that saves a chain is the only safe one, so the whole playout is a game of random safe plays."""
    stones = 0
    for position in quiet_positions(2, 8, *size):
        rng, color, playouts = new_rng(2), position.color, 40
        wins, lengths, win_chance, length = 0, 0, *chances(position)
        last = next(map(position.point, indices(position.stones(3 - color))), 0)
        for _ in range(playouts):
            board = position.board
            winner, plays = first_capture_playout(board, color, last, rng)
            loser = color if plays % 2 == 0 else 3 - color
            end = position_of(board, loser)
            assert winner == 3 - loser
            assert not end.safe(), (position, end)
            assert not end.captured(loser)
            assert (end.black | end.white).bit_count() == (position.black | position.white).bit_count() + plays
            wins, lengths = wins + (winner == color), lengths + plays
        stones += lengths
        assert abs(wins - playouts * win_chance) <= SURE * sqrt(playouts * win_chance * (1 - win_chance)), position
        assert abs(lengths / playouts - length) <= 1.0, position
    assert stones > 200


def urgent(position: Position, last: int, ko: int) -> set[int]:
    """The plays that may be urgent: the capture of the last play, else captures that save a chain next to it."""
    color, captured = position.color, position.captured(position.color)
    captured.pop(ko, None)
    for stones, liberties in position.chains(3 - color):
        if stones >> last & 1 and liberties.bit_count() == 1 and indices(liberties)[0] in captured:
            return {indices(liberties)[0]}
    beside = near(1 << last, position.width, position.height)
    chains = [(stones, at) for stones, at in position.chains(color) if at.bit_count() == 1]
    return {indices(at)[0] for stones, at in chains if stones & beside} & captured.keys()


@pytest.mark.parametrize("name", ["capture-9", "capture-9 ko=simple"])
def test_an_urgent_play_captures_the_last_one_or_saves_a_chain_next_to_it_by_a_capture(name: str) -> None:
    rules, chance, kinds = rules_record(Rules.parse(name), 0.0), random.Random(name), Counter[int]()
    for position in random_positions(3, 150, 4, 3):
        board, captured = position.board, position.captured(position.color)
        ko = chance.choice([*captured, -1])
        board.ko = position.point(ko) if ko >= 0 else 0
        for last in indices(position.stones(3 - position.color)):
            wanted = {position.point(index) for index in urgent(position, last, ko if rules.ko else -1)}
            chosen = urgent_play(board, rules, position.point(last), position.color)
            assert chosen in (wanted or {0}), (position, last)
            kinds[bool(chosen)] += 1
        for play in position.plays(3 - position.color):
            if play.lost:  # the last play is not on the board any more
                board, last = position.board, position.point(play.point)
                after = position.after(play, 3 - position.color)
                bd.play(board, last, 3 - position.color)
                wanted = {position.point(index) for index in urgent(after, play.point, -1)}
                assert urgent_play(board, rules, last, position.color) in (wanted or {0}), (position, play)
    assert min(kinds[0], kinds[1]) > 15


def test_a_random_play_that_only_puts_itself_into_atari_is_redrawn() -> None:
    rules, shares = rules_record(Rules.parse("capture-9"), 0.0), set()
    for position in random_positions(4, 90, 3, 3):
        board, rng, color = position.board, new_rng(4), position.color
        legal = [play.point for play in position.plays(color) if not play.lost]
        good = {position.point(index) for index in legal if is_good(position, index)}
        bad = {position.point(index) for index in legal} - good
        redrawn = (len(bad) / len(legal)) ** (TRIES + 1) if legal else 0.0
        if len(bad) < len(good):
            continue
        wanted = dict.fromkeys(good, (1 - redrawn) / len(good)) if good else {}
        wanted |= dict.fromkeys(bad, redrawn / len(bad)) if bad else {}
        counts = Counter(general_play(board, rules, PASS, color, rng) for _ in range(120))
        assert_chances(counts, wanted or {PASS: 1.0})
        assert_sound(board)
        shares.add(round(redrawn, 1))
    assert {0.0, 1.0} < shares, shares


def is_good(position: Position, index: int) -> bool:
    """Whether a play captures, or its chain has two liberties or more afterwards."""
    play = next(play for play in position.plays(position.color) if play.point == index)
    chains = position.after(play, position.color).chains(position.color)
    return play.captured > 0 or any(s >> index & 1 and at.bit_count() > 1 for s, at in chains)


def test_after_a_play_the_urgent_one_comes_first() -> None:
    rules, seen = rules_record(Rules.parse("capture-9"), 0.0), 0
    for position in random_positions(5, 60, 3, 3):
        for last in indices(position.stones(3 - position.color)):
            if wanted := urgent_play(position.board, rules, position.point(last), position.color):
                seen += 1
                assert general_play(position.board, rules, position.point(last), position.color, new_rng(5)) == wanted
    assert seen > 10


@pytest.mark.parametrize(
    ("name", "size", "held", "ways"),
    [
        ("first-capture", (3, 3), (0, 0), {"before a capture"}),
        ("capture-3", (3, 3), (2, 2), {"before a capture"}),
        ("capture-3", (3, 3), (0, 2), {"prisoners", "no play"}),
        ("capture-2 passing=stone", (3, 3), (0, 0), {"prisoners", "no play"}),
        ("capture-6", (3, 2), (0, 0), {"prisoners", "no play"}),
        ("capture-20", (2, 2), (0, 0), {"no play", "too long"}),
    ],
)
def test_a_playout_ends_by_enough_prisoners_or_without_a_play_or_is_a_draw(
    name: str, size: tuple[int, int], held: tuple[int, int], ways: set[str]
) -> None:
    """Where the next capture wins it ends one play before the capture, and nothing is removed."""
    rules, ended = Rules.parse(name), set()
    record, needed = rules_record(rules, 0.0), rules.captures or 0
    for seed, position in enumerate(quiet_positions(6, 25, *size)):
        board, color = position.board, position.color
        board.prisoners[1], board.prisoners[2] = held
        last = next(map(position.point, indices(position.stones(3 - color))), 0)
        winner, plays = tactical_playout(Turn(board, record, color, last), new_rng(seed))
        prisoners = [int(board.prisoners[side]) for side in (1, 2)]
        if rules.pass_stones == 0:
            end = position_of(board, color)
            stones = [(one.black | one.white).bit_count() for one in (position, end)]
            assert stones[1] + sum(prisoners) == stones[0] + sum(held) + plays
        if winner == DRAW:
            ended.add("too long")
            assert plays == longest(board)
            assert max(prisoners) < needed
        elif prisoners[winner - 1] >= needed:
            ended.add("prisoners")
            assert prisoners[2 - winner] < needed
        elif all(side + 1 == needed for side in held):
            ended.add("before a capture")
            assert prisoners == list(held)
        else:
            ended.add("no play")
            assert not [play for play in position_of(board, 3 - winner).plays(3 - winner) if not play.lost]
    assert ended == ways


@pytest.mark.parametrize("diagram", [".OX O.X .O.", "O.O. .OXX OOX."])
def test_what_a_play_of_the_playout_puts_into_atari_is_captured_next(diagram: str) -> None:
    """Every play of Black leaves three stones, its own one among them, one liberty."""
    for seed in range(8):
        board = set_up(diagram, "capture-3").board
        assert general_playout(Turn(board, rules_record(Rules.parse("capture-3"), 0.0), 1), new_rng(seed)) == (2, 2)


def test_where_prisoners_decide_the_larger_capture_comes_first() -> None:
    """White's last play, C1, could be captured with one other stone; three stones are in atari too, and win."""
    for seed in range(4):
        game = set_up("OOXX O..X XXOO", "capture-3")
        turn = Turn(game.board, rules_record(game.rules, 0.0), 1, game.point("C1"))
        assert general_playout(turn, new_rng(seed)) == (1, 1)


def test_a_playout_of_go_is_won_on_the_area_of_sgfmill() -> None:
    rules, winners = rules_record(Rules.parse("chinese"), 0.5), set()
    for seed, position in enumerate(random_positions(7, 12, 3, 3)):
        board, other = position.board, SgfmillBoard(3)
        winner, plays = general_playout(Turn(board, rules, position.color), new_rng(seed))
        end = position_of(board, 1)
        black, white = ([divmod(index, 3) for index in indices(end.stones(side))] for side in (1, 2))
        other.apply_setup(black, white, [])
        assert winner == (1 if other.area_score() > 0.5 else 2), (position, end)
        winners.add(winner)
        assert plays > 0
    assert winners == {1, 2}
