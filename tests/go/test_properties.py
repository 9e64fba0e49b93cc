"""Properties of every game: conservation of stones, consistency of the board's record, undo."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings

from gtp_capture import Game, IllegalMoveError, Passing
from gtp_capture.go import board as bd
from gtp_capture.go import history
from gtp_capture.go.vertex import BLACK, EMPTY, PASS, WHITE, column_row, point_at

from ..support.random_games import Plan, advance, choose, plans


def snapshot(game: Game) -> tuple[object, ...]:
    """The whole visible state of a game."""
    return (
        list(game.positions),
        pickle.dumps(game.board),
        game.prisoners(BLACK),
        game.prisoners(WHITE),
        game.to_move,
        game.outcome,
        game.handicap,
        game.komi,
    )


def bans(game: Game) -> list[str | None]:
    return [game.why_illegal_point(p, c) for c in (BLACK, WHITE) for p in (PASS, *bd.points(game.board))]


# --- The board's record, computed again from its colours ---


def around(width: int, height: int, p: int) -> list[int]:
    x, y = column_row(p, width)
    reach = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
    return [point_at(i, j, width) for i, j in reach if 0 <= i < width and 0 <= j < height]


def chain_of(game: Game, p: int, colors: Any) -> tuple[set[int], list[int]]:
    """Return the chain at a point, and its pseudo-liberties."""
    chain = [p]
    for stone in chain:
        chain += {q for q in around(game.width, game.height, stone) if colors[q] == colors[p]} - {*chain}
    return set(chain), [q for stone in chain for q in around(game.width, game.height, stone) if colors[q] == EMPTY]


def check_board(game: Game) -> None:
    """Check all fields of the board against its colours."""
    b, width, height = game.board, game.width, game.height
    points = [point_at(x, y, width) for y in range(height) for x in range(width)]
    empties = [p for p in points if b.color[p] == EMPTY]
    assert sorted(int(p) for p in b.empty[: b.empties]) == empties
    assert all(b.empty[b.where[p]] == p for p in empties)
    assert all(b.color[p] == 3 for p in range(int(b.cells)) if p not in set(points))
    for p in points:
        if b.color[p] == EMPTY:
            continue
        chain, pairs = chain_of(game, p, b.color)
        root = int(b.root[p])
        liberties = set(pairs)
        assert liberties, "a chain without liberties stands on the board"
        assert root in chain
        assert {int(b.root[s]) for s in chain} == {root}
        assert set(bd.stones(b, p)) == chain
        assert b.chain_size[root] == len(chain)
        assert b.libs[root] == len(pairs)
        assert b.lib_sum[root] == sum(pairs)
        assert b.lib_squares[root] == sum(q * q for q in pairs)
        assert set(bd.liberties(b, p)) == liberties
        assert bd.in_atari(b, p) == (len(liberties) == 1)
        if len(liberties) == 1:
            assert bd.last_liberty(b, p) == next(iter(liberties))


@pytest.mark.slow
@given(plans(sides=(2, 8)))
def test_the_board_record_agrees_with_its_colours(plan: Plan) -> None:
    game = plan.game()
    for number in plan.numbers:
        if advance(game, number):
            check_board(game)


@given(plans(most=90, sides=(24, 25), rules=["tromp-taylor", "capture-20"]))
@settings(max_examples=6)
def test_the_board_record_agrees_with_its_colours_on_the_largest_boards(plan: Plan) -> None:
    # Points in the far corner, where their sums and squares are largest.
    corner = [11 * (560 + number % 65) + number % 11 for number in plan.numbers]
    check_board(plan._replace(numbers=corner).after())


@given(plans())
def test_stones_are_conserved(plan: Plan) -> None:
    game = plan.game()
    played = {BLACK: 0, WHITE: 0}
    passed = {BLACK: 0, WHITE: 0}
    for number in plan.numbers:
        advance(game, number)
    for color, point, _ in game.moves:
        (played if point != PASS else passed)[int(color)] += 1
    cost = 1 if game.rules.passing is Passing.STONE else 0
    for owner in (BLACK, WHITE):
        on_board = bd.colors(game.board).count(owner)
        assert played[owner] + cost * passed[owner] == on_board + game.prisoners(3 - owner)


@given(plans())
def test_a_play_captures_exactly_the_chains_that_the_rule_says(plan: Plan) -> None:
    game = plan.game()
    for number in plan.numbers:
        before = list(game.board.color)
        color, point = choose(game, number)
        if point <= 0:
            continue
        # The rule on a plain array: opposing chains without liberties first, then own ones.
        expected = before.copy()
        expected[point] = color
        for victim in (3 - color, color):
            gone = [p for p in bd.points(game.board) if expected[p] == victim and not chain_of(game, p, expected)[1]]
            for p in gone:
                expected[p] = EMPTY
        game.play_point(point, color)
        assert list(game.board.color) == expected


@given(plans())
def test_queries_change_nothing(plan: Plan) -> None:
    game = plan.after()
    before = snapshot(game)
    for color in (BLACK, WHITE):
        for point in range(-1, int(game.board.cells) + 1):
            reason = game.why_illegal_point(point, color)
            assert game.is_legal_point(point, color) == (reason is None)
            if reason is not None:
                with pytest.raises(IllegalMoveError):
                    game.play_point(point, color)
        game.legal_plays(color)
        game.atari(color)
        game.loses_without_play(color)
    game.score()
    assert snapshot(game) == before


@pytest.mark.slow
@pytest.mark.parametrize("kept", [2, 64])
@given(plans(most=40))
def test_undo_restores_everything(kept: int, plan: Plan) -> None:
    """Boards that are older than the kept ones are built again from the moves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(history, "KEPT_BOARDS", kept)
        game, seen = plan.game(), list[object]()

        def state() -> object:
            positions, board, *rest = snapshot(game)
            check_board(game)  # one that was built again has its lists in another order
            return positions, board if kept == 64 else int(game.board.ko), rest, bans(game)

        seen.append(state())
        for number in plan.numbers:
            if advance(game, number):
                seen.append(state())
        while len(seen) > 1:
            assert state() == seen.pop()
            game.undo()
        assert state() == seen.pop()
