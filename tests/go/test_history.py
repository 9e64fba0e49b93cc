"""Superko by index against a scan of all positions; copies and equality of games."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp_capture import Color, Game, Ko
from gtp_capture.go import board as bd
from gtp_capture.go import history

from ..support.diagrams import play
from ..support.random_games import Plan, advance, plans

SUPERKO = ["tromp-taylor", "aga", "chinese"]


def repeats(game: Game, point: int, color: Color) -> bool:
    """Whether a play that the board allows repeats an earlier position: a scan of all of them."""
    colors = bd.colors(bd.after(game.board, point, int(color)))
    positional = game.rules.ko is Ko.POSITIONAL
    return any(p.colors == colors and (positional or p.played_by(int(color))) for p in game.positions)


def check_superko(game: Game) -> None:
    for color in Color:
        for p in bd.points(game.board):
            if bd.is_legal(game.board, p, int(color), game.rules.suicide):
                expected = "superko: the position stood before" if repeats(game, p, color) else None
                assert game.why_illegal_point(p, color) == expected


@pytest.mark.slow
@given(plans(50, (2, 4), SUPERKO), st.data())
def test_superko_by_index_agrees_with_a_scan_also_after_undo(plan: Plan, data: st.DataObject) -> None:
    game = plan.after()
    check_superko(game)
    for _ in range(data.draw(st.integers(0, len(game.moves)))):
        game.undo()
    game.set_to_move(data.draw(st.sampled_from(Color)))
    check_superko(game)
    for number in plan.numbers[:10]:
        advance(game, number)
    check_superko(game)


@given(plans(80, (2, 4)))
def test_the_list_of_legal_plays_has_each_play_that_is_legal(plan: Plan) -> None:
    game = plan.game()
    for number in plan.numbers:
        advance(game, number)
        for color in Color:
            legal = [p for p in bd.points(game.board) if game.is_legal_point(p, color)]
            assert game.legal_plays(color) == legal


@given(plans(40, (2, 4), SUPERKO))
def test_superko_holds_in_a_copy_and_starts_anew_after_setup(plan: Plan) -> None:
    game = plan.after()
    check_superko(game.copy())
    game.clear()
    check_superko(game)


@pytest.mark.slow
@given(plans(), st.data())
def test_a_copy_is_equal_and_independent(plan: Plan, data: st.DataObject) -> None:
    game = plan.after()
    other = game.copy()
    assert other == game == plan.after()
    assert (other.outcome, other.legal_moves(), str(other)) == (game.outcome, game.legal_moves(), str(game))
    before = game.positions, pickle.dumps(game.board)
    for number in data.draw(st.lists(st.integers(0, 2**20), min_size=1, max_size=20)):
        advance(other, number)
    while len(other.positions) > 1:
        other.undo()
    other.resign()
    assert (game.positions, pickle.dumps(game.board)) == before
    assert other != game


@given(plans(most=25), st.booleans())
@settings(max_examples=15)
def test_a_copy_of_the_first_moves_is_made_in_one_step_and_is_what_undo_leaves(plan: Plan, old: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(history, "KEPT_BOARDS", 2 if old else 64)
        game = plan.after()
        for moves in range(len(game.moves) + 2):
            undone = game.copy()
            while len(undone.moves) > moves:
                undone.undo()
            with pytest.MonkeyPatch.context() as steps:
                steps.setattr(history.History, "pop", None)
                copy = game.copy(moves)
            assert copy == undone
            for each in (copy, undone):  # the index by which repetitions are found is the same too
                each.go_on()
            for number in (*plan.numbers[:3], 7, 11):
                assert copy.legal_plays() == undone.legal_plays()
                assert pickle.dumps(copy.board) == pickle.dumps(undone.board)
                assert advance(copy, number) == advance(undone, number)
            while copy.moves:
                assert copy == undone
                copy.undo()
                undone.undo()


def test_games_differ_by_rules_size_komi_handicap_setup_and_turn() -> None:
    games = [Game("aga", 5), Game("japanese", 5), Game("aga", 6), Game("aga", (5, 6)), Game("aga", 5, komi=0.5)]
    for to_move in ("black", "white"):
        games.append(Game("aga", 5))
        games[-1].setup(["B2", "D4"], [], to_move)
    games.append(Game("aga", 5))
    games[-1].place_handicap(["B2", "D4"])
    games.append(Game("aga", 5))
    games[-1].set_to_move("white")
    games.append(play(Game("aga", 5), "B C3"))
    assert all((a == b) == (a is b) for a in games for b in games)
    assert Game("aga", 5, komi=7.5) == Game("aga", 5)  # the same komi, set or by the rules
    assert Game("aga", 5) != "aga"


def test_a_copy_keeps_the_judge_of_dead_stones() -> None:
    game = play(Game("japanese", 5), "B C3 W pass B pass")
    game.find_statuses = lambda board: None
    assert game.copy().score() is game.score() is None
