"""One move in a kernel, against all capture games by definition (`family.py`), and against sgfmill's score."""

from __future__ import annotations

import random

import pytest
from sgfmill.boards import Board as SgfmillBoard

from gtp_capture.go import board as bd
from gtp_capture.go.rules import Rules
from gtp_capture.go.vertex import PASS
from gtp_capture.jit.records import rules_record
from gtp_capture.playout.endings import DRAW, must_lose
from gtp_capture.playout.moves import is_open_to, is_playable, knows_legal_plays, make_move

from ..support.family import BLACK, NONE, WHITE, Family, State
from ..support.small_positions import Position, indices, random_positions

SIZES = [(2, 2), (3, 2), (3, 3)]
RULES = [
    "first-capture",
    "first-capture passing=free",
    "capture-2 ko=simple",
    "capture-3 passing=stone ko=simple suicide=legal",
    "capture-4 passing=free ko=simple suicide=legal",
    "capture-3 passing=stone ko=positional",
    "capture-4 passing=free ko=situational suicide=legal",
]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("size", SIZES)
def test_plays_passes_prisoners_ko_and_the_end_are_those_of_the_rules(name: str, size: tuple[int, int]) -> None:
    rules, chance = Rules.parse(name), random.Random(f"{name} {size}")
    family, record = Family.of(rules, *size), rules_record(rules, 0.0)
    for _ in range(10):
        board, state, color, passes = bd.new(*size), family.start(), BLACK, 0
        while True:
            position = Position(state.black, state.white, *size, color)
            moves = dict(family.moves(state, color))
            points = {position.index_of(p) for p in bd.points(board) if is_open_to(board, record, p, color)}
            legal = {index for index in moves if index is not None}
            if knows_legal_plays(board, record):
                suicides = {play.point for play in position.plays(color) if play.lost} if record.superko else set()
                assert points - suicides == legal - suicides, (position, name)
            assert points >= legal
            ended = family.winner(state, color)
            if ended is not None:
                break
            move = chance.choice(sorted(moves, key=str))
            before, state = state, moves[move]
            passes, winner = make_move(board, record, PASS if move is None else position.point(move), color, passes)
            assert passes == (0 if move is not None else 1 + (before.passed != NONE))
            assert winner == winner_after(family, state), (position, move, name)
            assert [int(board.prisoners[side]) for side in (1, 2)] == list(state.held)
            assert bd.colors(board) == bd.colors(Position(state.black, state.white, *size, color).board)
            color = 3 - color
        assert ended == winner_after(family, state) % DRAW or must_lose(board, record, color)


def winner_after(family: Family, state: State) -> int:
    """The winner that a move has brought about; DRAW after two passes, 0 if the game goes on."""
    full = [side for side in (1, 2) if state.held[side - 1] >= family.captures]
    return full[0] if full else DRAW if state.over else 0


def test_superko_is_known_as_long_as_nothing_was_removed() -> None:
    for name, first, later in [("tromp-taylor", True, False), ("aga", True, False), ("japanese", True, True)]:
        board, record = bd.new(3, 3), rules_record(Rules.parse(name), 0.0)
        assert knows_legal_plays(board, record) == first
        board.prisoners[1] = 1
        assert knows_legal_plays(board, record) == later


@pytest.mark.parametrize("name", ["tromp-taylor", "chinese", "capture-3 suicide=legal"])
def test_where_points_count_an_eye_is_not_filled(name: str) -> None:
    """Own stones on all sides, and on the diagonals none of the other colour on the edge, at most one inside."""
    rules, eyes = Rules.parse(name), 0
    record = rules_record(rules, 0.0)
    for position in random_positions(7, 60, 4, 3, share_of_black=0.85):
        board, own, opp = position.board, position.black, position.white
        for play in position.plays(BLACK):
            around = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y]
            column, row = play.point % 4, play.point // 4
            cells = {(x, y): 1 << (row + y) * 4 + column + x for x, y in around if on_board(column + x, row + y)}
            sides = [cell for (x, y), cell in cells.items() if not (x and y)]
            hostile = sum(bool(cell & opp) for (x, y), cell in cells.items() if x and y)
            eye = all(cell & own for cell in sides) and hostile <= (len(cells) == len(around))
            eyes += eye
            wanted = (rules.suicide or not play.lost) and not (eye and rules.is_scored)
            assert is_playable(board, record, position.point(play.point), BLACK) == wanted, (position, play)
    assert eyes > 20


def on_board(column: int, row: int) -> bool:
    return 0 <= column < 4 and 0 <= row < 3


@pytest.mark.parametrize("komi", [-3.0, 0.0, 0.5, 4.0])
def test_the_second_pass_wins_on_the_area_of_sgfmill(komi: float) -> None:
    record, winners = rules_record(Rules.parse("chinese"), komi), set()
    for position in random_positions(6, 100, 4, 4):
        other = SgfmillBoard(4)
        black, white = ([divmod(index, 4) for index in indices(position.stones(side))] for side in (1, 2))
        other.apply_setup(black, white, [])
        lead, board = other.area_score() - komi, position.board
        assert make_move(board, record, PASS, position.color, 0) == (1, 0)
        winner = BLACK if lead > 0 else WHITE if lead < 0 else DRAW
        assert make_move(board, record, PASS, 3 - position.color, 1) == (2, winner), position
        winners.add(winner)
    assert winners == {BLACK, WHITE, DRAW} or komi == 0.5
