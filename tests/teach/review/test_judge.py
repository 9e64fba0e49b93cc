"""Judgements of games: compared with a separate solver, and games of every kind."""

from __future__ import annotations

import random
import threading
from collections import Counter
from dataclasses import replace

import pytest

from gtp_capture import BLACK, WHITE, Color, Game
from gtp_capture.go import sgf
from gtp_capture.go.sgf_tree import dump_trees, read_tree
from gtp_capture.judgement.life import statuses
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.solver.verdict import Verdict
from gtp_capture.teach.explain import Evidence
from gtp_capture.teach.review.annotate import annotate
from gtp_capture.teach.review.judge import Budget, review_game
from gtp_capture.teach.review.reviewed import Grade, Review
from gtp_capture.teach.words import remark_on, review_lines, summary
from gtp_capture.util.limit import Limit

from ...support.diagrams import play, played
from ...support.random_games import unfinished_game
from ...support.review_truth import Truth, check_review
from ...support.truth import ByDefinition, chances, is_true_of, must_be_named, wins_with


def reviewed(player: MctsPlayer, game: Game, playouts: int = 2_000) -> Review:
    return review_game(player, game, Budget(Limit(playouts=playouts, nodes=playouts).begin()))


@pytest.mark.slow
@pytest.mark.parametrize(("side", "count"), [(3, 4), (4, 3), (5, 2)])
def test_all_marks_of_random_games_agree_with_a_separate_solver(side: int, count: int, player: MctsPlayer) -> None:
    rng, truth = random.Random(f"{side}"), Truth(side, side)
    marked = 0
    for _ in range(count):
        game = unfinished_game("first-capture", (side, side), range(side, side * side // 2 + 1), rng)
        tree = read_tree(sgf.dump(game))
        annotate(tree, reviewed(player, game))
        findings = check_review(dump_trees([tree]), game, truth)
        assert findings.complaints == [], sgf.dump(game)
        marked += findings.counts["BM[2]"]
    assert marked > 0


DEAD = (
    "(;SZ[9]RU[{}]KM[5.5]PL[W]AB[af][bf][cf][df][dg][dh][di][ag][cg][ee][ef]AW[bg][bi][ge][gf][gg][gh]"
    ";W[gi];B[bh];W[gd];B[ec];W[gc];B[eb])"
)
"""White's stones in the corner are surrounded and dead, though B2 gives them four liberties."""


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["Japanese", "capture-10 ko=simple passing=stone"])
def test_stones_that_are_dead_with_many_liberties_are_not_called_saved(rules: str, player: MctsPlayer) -> None:
    review = reviewed(player, sgf.load(DEAD.format(rules).encode()), 200)
    assert "B3" not in " ".join(map(remark_on, review.moves))


@pytest.mark.slow
def test_a_pass_that_wins_by_the_count_is_no_mistake(player: MctsPlayer) -> None:
    review = reviewed(player, sgf.load(b"(;SZ[5]RU[Japanese]KM[5.5];B[cc];W[];B[])"), 200)
    assert review.outcome is not None
    assert review.outcome.winner == BLACK
    assert not remark_on(review.moves[-1])


@pytest.mark.slow
def test_every_capture_and_rescue_that_a_move_misses_is_named(player: MctsPlayer) -> None:
    """Compared with sets of points, in random games, in which much is missed."""
    rng, missed = random.Random(2), Counter[str]()
    for rules in ("first-capture", "capture-2") * 6:
        game = Game(rules, 4)
        while game.outcome is None and len(game.moves) < 16:
            game.play_point(rng.choice(game.legal_plays()))
        review = reviewed(player, game, 200)
        for number, move in enumerate(review.moves):
            known, missing = chances(game, number), must_be_named(game, number)
            assert not missing or (move.missed is not None and move.missed.move in known), (game.moves, number)
            if move.missed is not None:
                missed[move.missed.reason] += 1
                before = game.copy(number)
                assert is_true_of(before, move.missed), (game.moves, number)
                assert move.missed.wins is None or wins_with(
                    before, int(move.color), move.missed.move, ByDefinition(10**6)
                )
                assert f"misses a {'capture' if move.missed.captured else 'rescue'}: " in remark_on(move)
        mistakes = sum(review.counts(color).mistakes for color in Color)
        assert mistakes >= sum(m.missed is not None and m.missed.known is Evidence.RULES for m in review.moves)
    assert min(missed[reason] for reason in ("capture", "save")) > 0, missed


@pytest.mark.slow
def test_the_check_finds_false_and_missed_marks() -> None:
    """A1 loses the won 5x5 board; E5 then loses nothing more."""
    game, truth = played(5, "A1", "C3", "E5"), Truth(5, 5)
    right = b"(;SZ[5]GB[1]C[Deciding mistake: move 1, Black A1.];B[ae]BM[2];W[cc]GW[1];B[ea])"
    assert check_review(right, game, truth).complaints == []
    for old, new, kind in [
        (b"BM[2]", b"", "false marked turning point: move 1"),
        (b"B[ea]", b"B[ea]BM[2]", "false BM[2]: move 3"),
        (b"B[ea]", b"B[ea]DO[]", "false BM[1] or DO in a position that is not lost: move 3"),
        (b"GW[1]", b"GB[1]", "false GB or GW: GB after move 2"),
        (b"W[cc]", b"W[cc]TE[1]", "false TE: move 2"),
        (b"move 1", b"move 3", "false deciding mistake: move 3, not [1]"),
    ]:
        assert kind in check_review(right.replace(old, new), game, truth).complaints


def test_the_move_that_turned_the_winner_is_the_deciding_mistake(player: MctsPlayer) -> None:
    review = reviewed(player, played(5, "A1", "C3", "E5"))
    assert [move.grade for move in review.moves] == [Grade.LOSING, Grade.PLAIN, Grade.PLAIN]
    move = review.deciding
    assert move is review.moves[0]
    assert review.is_proven_to_decide(move)
    assert remark_on(move).startswith("A1 turns a win into a loss. C3 wins. Now White wins with ")
    assert list(summary(review)) == [
        "All 3 moves judged.",
        "Deciding mistake: move 1, Black A1.",
        "Black: 2 moves, 1 mistake (1 turned a win into a loss).",
        "White: 1 move, 0 mistakes.",
    ]


def test_a_resignation_of_the_side_that_was_ahead_is_the_deciding_mistake(player: MctsPlayer) -> None:
    game = played(5, "C3", "A1", "D2", "A5", "resign")
    assert game.outcome is not None
    assert game.outcome.winner == WHITE
    review = reviewed(player, game)
    assert review.deciding is None
    assert "Deciding mistake: Black resigned in a position that Black wins by force." in summary(review)
    assert review.counts(Color.BLACK).mistakes == 1
    assert review.counts(Color.WHITE).mistakes == 0
    rates = [Verdict(None, rate) for rate in (0.5, 0.9, 0.9, 0.9, 0.9)]
    review = replace(review, evaluations=tuple(rates))
    said = "Probably the deciding mistake: Black resigned. The search gave Black a win rate of 90 % there."
    assert said in summary(review)


def test_a_review_of_some_moves_says_that_it_speaks_of_them_alone(player: MctsPlayer) -> None:
    review = reviewed(player, played(5, "C3", "A1", "D2", "A5"))
    some = replace(review, moves=(replace(review.moves[0], evaluation_before=Verdict()), *review.moves[1:]))
    some = replace(some, evaluations=(Verdict(), *review.evaluations[1:]))
    assert list(summary(some))[:2] == [
        "3 of 4 moves judged; more time may judge more.",
        "After its last move the game is unfinished. No deciding mistake was found among these.",
    ]


def test_an_unfinished_game_with_mistakes_is_called_unfinished(player: MctsPlayer) -> None:
    review = reviewed(player, played(5, "A1", "C3", "E5"))
    undecided = replace(review.moves[2], evaluation_after=Verdict(None, 0.5))
    review = replace(review, moves=(*review.moves[:2], undecided))
    review = replace(review, evaluations=(*review.evaluations[:3], Verdict(None, 0.5)))
    assert review.counts(Color.BLACK).mistakes == 1
    assert "After its last move the game is unfinished. No deciding mistake was found." in summary(review)


def test_a_resignation_in_a_lost_position_is_not_blamed(player: MctsPlayer) -> None:
    game = played(5, "A1", "C3", "resign")
    mistake = reviewed(player, game).deciding
    assert mistake is not None
    assert mistake.number == 1


def test_a_pass_is_named_in_whole_words(player: MctsPlayer) -> None:
    game = played(5, "C3", "A1", "pass")
    assert remark_on(reviewed(player, game).moves[2]).startswith("The pass turns a win into a loss.")


def test_a_move_is_not_blamed_in_a_position_that_was_lost_already(player: MctsPlayer) -> None:
    """On 4x4 the second player wins; A1, A4 and D1 do not change that."""
    review = reviewed(player, played(4, "A1", "B2"))
    assert review.counts(Color.BLACK).mistakes == 0
    assert review.evaluations[0].winner == WHITE


def test_lines_lead_to_a_capture_and_begin_with_the_better_move(player: MctsPlayer) -> None:
    move = reviewed(player, played(3, "A1", "B2", "C3")).moves[0]
    for line, first in ((move.better, Game("first-capture", 3)), (move.punishment, played(3, "A1"))):
        winner = first.to_move
        for vertex in line:
            first.play(vertex)
        assert first.outcome is not None
        assert first.outcome.winner == winner


@pytest.mark.parametrize(
    ("moves", "only", "grade"),
    [
        ("A4 D3 C4 B3 D2 C1", "C3", Grade.ONLY_QUIET),
        ("A1 C4 B2 D3 B4", "B3", Grade.ONLY_QUIET),
        ("B1 C1 A1 A2", "B2", Grade.ONLY),  # saves A1 and B1
        ("B3 B4 B1 A1 A4", "A3", Grade.ONLY),  # captures A4 or saves B4
    ],
)
def test_the_only_winning_move_is_found_and_an_obvious_one_is_told_apart(
    moves: str, only: str, grade: Grade, player: MctsPlayer
) -> None:
    game, truth = played(4, *moves.split()), Truth(4, 4)
    assert [game.vertex(p) for p in game.legal_plays() if truth.after(game, p) == int(game.to_move)] == [only]
    game.play(only)
    assert reviewed(player, game).moves[-1].grade is grade


def test_a_winning_move_beside_another_one_is_not_called_the_only_one(player: MctsPlayer) -> None:
    """On 3x5, Black wins with more than one first move."""
    game, truth = Game("first-capture", (3, 5)), Truth(3, 5)
    wins = [p for p in game.legal_plays() if truth.after(game, p) == int(BLACK)]
    assert len(wins) > 1
    game.play_point(wins[0])
    assert reviewed(player, game).moves[0].grade is Grade.PLAIN


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "width", "height", "moves"),
    [
        ("first-capture", 5, 5, ""),
        ("first-capture", 5, 5, "B pass"),
        ("first-capture", 5, 5, "B C3 W resign"),
        ("first-capture", 5, 5, "B C3 W resign B C4"),
        ("first-capture", 5, 5, "B A1 W A2 B C3 W B1 B D4"),  # goes on after a capture
        ("first-capture", 2, 2, "B A1"),
        ("first-capture", 7, 4, "B C3 B D3 W C4"),  # two moves of Black in a row
        ("first-capture", 25, 25, "B C3 W D4"),
        ("capture-3", 5, 5, "B A1 W A2 B C3 W B1 B D4"),
        ("japanese", 5, 5, "B C3 W pass B pass"),
        ("chinese", 5, 5, "B C3 W pass B pass W C4"),
        ("japanese", 3, 3, "B B2 W pass B pass"),
    ],
)
def test_a_game_of_every_kind_is_reviewed(rules: str, width: int, height: int, moves: str, player: MctsPlayer) -> None:
    game = play(Game(rules, (width, height)), moves)
    before = game.copy()
    review = reviewed(player, game, 100)
    assert game == before
    assert review.judged == review.undecided
    assert all(evaluation.black is not None for evaluation in review.evaluations)
    written = sgf.load(sgf.dump(game))  # without resignations
    tree = read_tree(sgf.dump(game))
    annotate(tree, reviewed(player, written, 100))
    assert sgf.load(dump_trees([tree])).moves == written.moves
    text = list(review_lines(reviewed(player, game, 1_000)))
    assert text[-1] == "There are no moves to judge." or text[-1].startswith("White: ")


def test_no_move_before_an_extra_turn_is_blamed(player: MctsPlayer) -> None:
    game = play(Game("first-capture", 5), "B A1 B C3 W C4 B A2 W B3")
    review = reviewed(player, game, 20_000)
    assert review.moves[0].grade is Grade.PLAIN
    assert review.evaluations[1].winner == BLACK  # because Black plays again
    assert all(evaluation.winner is not None for evaluation in review.evaluations)


def test_setup_stones_and_handicap_are_reviewed(player: MctsPlayer) -> None:
    game = Game("first-capture", 9)
    game.place_handicap(["C3", "G7"])
    game.play("E5")
    review = reviewed(player, game, 100)
    assert review.judged == 1
    assert review.moves[0].color == WHITE


def test_a_review_that_is_stopped_at_once_says_that_no_move_was_judged(player: MctsPlayer) -> None:
    stop = threading.Event()
    stop.set()
    review = review_game(player, played(9, "E5", "E6", "F6"), Budget(Limit().begin(stop)))
    text = list(review_lines(review))
    assert text == ["0 of 3 moves judged; more time may judge more."]


def test_a_review_that_is_stopped_has_judged_the_last_moves(player: MctsPlayer) -> None:
    stop, positions = threading.Event(), iter(range(100))
    budget = Budget(Limit(playouts=20, nodes=20).begin(stop))
    game = played(9, "E5", "E6", "F6", "D5", "C3")
    review = review_game(player, game, budget, lambda: stop.set() if next(positions) == 2 else None)
    assert [move.judged for move in review.moves] == [False, False, False, True, True]
    assert next(summary(review)) == "2 of 5 moves judged; more time may judge more."


def test_an_extra_turn_at_the_end_is_not_overlooked(player: MctsPlayer) -> None:
    """White, to move again, would lose by B2, so a review of B B1, W B2 with Black to move says nothing against B1."""
    game = played(3, "B1", "B2", rules="capture-2")
    game.set_to_move(WHITE)
    review = reviewed(player, game)
    assert [move.grade for move in review.moves] == [Grade.PLAIN, Grade.PLAIN]


def test_an_extra_turn_has_the_verdict_after_it(player: MctsPlayer) -> None:
    """With two turns Black wins; a proof that White wins would assume one."""
    game = play(Game("first-capture", 4), "B B2 B C3 W B3 B A3 W D4 B B4")
    review = reviewed(player, game)
    assert [evaluation.winner for evaluation in review.evaluations[:2]] == [BLACK, BLACK]


def test_an_extra_turn_later_in_a_game_says_nothing_of_the_moves_before_it(player: MctsPlayer) -> None:
    """Black wins with C3 on the empty board; two plays of White in a row turn that around, but C3 was right."""
    game = play(Game("first-capture", 5), "B C3 W C4 W B4 B A5 W B3")
    review = reviewed(player, game)
    assert [evaluation.winner for evaluation in review.evaluations] == [BLACK, BLACK, *[WHITE] * 4]
    assert [move.grade.is_mistake for move in review.moves] == [False] * 5


def test_a_count_by_playouts_proves_nothing(player: MctsPlayer) -> None:
    game = Game("japanese", 5)
    game.find_statuses = statuses
    for vertex in ("C3", "C4", "pass", "pass"):
        game.play(vertex)
    assert game.outcome is not None
    assert game.outcome.winner == BLACK  # the statuses are kept from here on
    assert reviewed(player, game, 100).evaluations[-1].winner is None
