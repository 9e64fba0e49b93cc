"""Hints and explanations are true, compared with the exact solver."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import partial

import pytest

from gtp_capture import Game
from gtp_capture.go import board as bd
from gtp_capture.go.position import Termination
from gtp_capture.go.scoring import all_proven
from gtp_capture.go.vertex import BLACK, WHITE, opponent
from gtp_capture.jit.warmup import loaded
from gtp_capture.judgement.life import statuses
from gtp_capture.players.analysis import move_analyses, study
from gtp_capture.players.lines import best_line, ladder
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.playout.ladder import forced_win, new_reader
from gtp_capture.solver.exhaustive import ExhaustiveSolver
from gtp_capture.solver.result import WIN
from gtp_capture.solver.solver import Solver
from gtp_capture.teach.explain import Evidence, Hint, Lost, Result, explanation, hint, hint_for
from gtp_capture.teach.reasons import Reason, safe_points
from gtp_capture.teach.review.judge import Budget, review_game
from gtp_capture.teach.review.reviewed import Grade
from gtp_capture.util.limit import Limit

from ..support.diagrams import play, played, set_up
from ..support.random_games import unfinished_game
from ..support.truth import (
    ByDefinition,
    done_by,
    false_explanation,
    false_hint,
    is_true_of,
    loses_with,
    wins_with,
)

RACE = "..O.. XXXOO ..XO. XX.O."


def advised(player: MctsPlayer, game: Game, playouts: int = 2000) -> Hint:
    """Return the hint for the side to move."""
    advice = hint(player, game, int(game.to_move), Limit(playouts=playouts).begin())
    assert advice is not None
    return advice


def test_a_hint_names_the_race_of_safe_moves(player: MctsPlayer) -> None:
    """Neither side can attack, so both fill their safe points, and Black runs out of them first."""
    game = set_up(RACE, "first-capture", to_move=WHITE)
    advice = advised(player, game)
    assert (advice.move, advice.reason) == ("C1", Reason.RACE)
    solver = Solver(game.width, game.height, 2**24)
    assert solver.value(game.board, WHITE, Limit().begin()) == WIN
    assert not any(ladder(game, int(color)) for color in (BLACK, WHITE))
    line = solver.solve(game.board, WHITE, Limit().begin(), length=True).line
    assert game.vertex(line[0]) == "C1"
    for point in line[:-2]:
        assert not bd.attacked(game.board, point, int(game.to_move))
        assert point in safe_points(game, int(game.to_move))
        game.play_point(point)
    assert not safe_points(game, int(game.to_move))  # every remaining play of the loser can be captured


def test_a_hint_shows_a_ladder_if_there_is_no_time_to_solve_the_shortest_win(player: MctsPlayer) -> None:
    game = played(6, "B3", "D3", "E4", "C4", "A1")
    line = ladder(game, WHITE)
    assert best_line(player, game, WHITE, (game.point("B1"),), Limit(0.0).begin()) == tuple(line)
    assert game.vertex(line[0]) == "A2"


def test_the_loser_of_a_double_atari_saves_one_chain_and_loses_the_other(player: MctsPlayer) -> None:
    advice = advised(player, played(5, "C3", "D3", "D4", "C2", "B2", "E4"))
    assert advice.stones == ("C2", "D3")
    assert advice.line == ("D2", "C1", "E3")


@pytest.mark.parametrize(
    ("rules", "size", "plays", "move", "reason"),
    [
        ("first-capture", 6, "E2 C6 E6 C5 C3 B4 D4 D1 E1 A4 E3 D2", "C2", Reason.TWO_LEFT),
        ("first-capture", 6, "E1 F6 C6 D6 E5 B5", "E6", Reason.ATARI),
        ("first-capture", 5, "C3 C4 D4 A1 B4 A5", "C5", Reason.CAPTURE),
        ("japanese", 5, "E2 D4 E3 B1 A5 D5 E4 E5 B3 C4 C2 A4 B2 B4", "B5", None),
        ("chinese", 5, "C4 D3 D2 C3 C1 E2 A3 A5 C2 B1 B4 A1 D4 B2", "D1", None),
        ("capture-5", 5, "C3 A4 E3 A2 C1 B3 D2 E4 C5 A5 E2 D4 B4 C4", "B5", None),
        ("japanese", 5, "C3 C4", "pass", Reason.PASS),
    ],
    ids=["a net", "a double atari", "a capture", "in vain", "in vain, area", "in vain, capture-5", "a pass"],
)
def test_the_reason_of_a_move_fits(
    rules: str, size: int, plays: str, move: str, reason: Reason | None, player: MctsPlayer
) -> None:
    """None: the chain on whose last liberty the move is stays in atari, so nothing is saved."""
    game = played(size, *plays.split(), rules=rules)
    if rules == "first-capture":
        advice = advised(player, game)
        assert (advice.move, advice.reason, advice.wins) == (move, reason, True)
        assert advice.stones == {Reason.ATARI: ("D6", "F6"), Reason.TWO_LEFT: ("D2",)}.get(advice.reason, ())
    elif reason is None:
        assert hint_for(game, int(game.to_move), game.point(move), None).reason is not Reason.SAVE
    else:
        assert hint_for(game, int(game.to_move), game.point(move), None).reason is reason


SAFE = "C2 keeps Black's last 2 safe points: Black's next stone is in no danger there"


@pytest.mark.parametrize(
    ("rules", "diagram", "move", "said"),
    [
        ("capture-5", "..... ..X.. ..O.. ..... .....", "B3", "B3 leaves White's chain at C3 two liberties"),
        ("capture-5", "..... ..O.. .X.X. ..O.. .....", "C3", "C3 connects Black's chains at B3 and D3"),
        ("capture-5", "..... .XO.. .X... .XO.. .....", "C3", "C3 cuts White's chains at C2 and C4 apart"),
        ("capture-5", "..... .OX.. .X... .O... .....", "C3", "C3 connects Black's chains at B3 and C4"),
        ("japanese", "..... ..... .OX.. ..O.. .....", "D3", "D3 brings Black's chain at C3 from 2 liberties to 4"),
        ("first-capture", ".OXX OO.X O..X .O.X", "C2", SAFE),
        ("first-capture", "..... ..... ..... ..O.. .....", "C3", "I would play C3"),
    ],
)
def test_a_move_is_recommended_with_what_it_does(rules: str, diagram: str, move: str, said: str) -> None:
    game = set_up(diagram, rules)
    advice = hint_for(game, BLACK, game.point(move), None)
    assert (str(advice), advice.wins, is_true_of(game, advice)) == (said, None, not said.startswith("I would"))


@pytest.mark.slow
def test_what_a_move_does_is_true_and_is_said_of_every_move_that_does_something() -> None:
    """All plays of random positions, compared with sets of points."""
    rng, said = random.Random(3), Counter[Reason]()
    for number in range(60):
        rules = ("first-capture", "capture-5", "japanese", "capture-2 suicide=legal")[number % 4]
        game = Game(rules, (rng.randrange(4, 8), rng.randrange(4, 8)))
        for _ in range(rng.randrange(4, game.width * game.height)):
            if game.outcome is None:
                game.play_point(rng.choice(game.legal_plays()))
        for point in game.legal_plays() if game.outcome is None else ():
            advice = hint_for(game, int(game.to_move), point, None, lambda: False)
            said[advice.reason] += 1
            bare = advice.reason is Reason.SIGHT
            assert is_true_of(game, advice) != bare, (game.moves, advice)
            assert not (bare and done_by(game, advice.move)), (game.moves, advice)
    facts = {Reason.CAPTURE, Reason.FREE, Reason.ATARI, Reason.CONNECT, Reason.CUT, Reason.TWO_LEFT, Reason.EXTEND}
    assert facts | {Reason.SIGHT} <= set(said)


def test_the_line_of_a_ladder_is_the_ladder(player: MctsPlayer) -> None:
    """Best play of both sides, D4 E3 D2 A1, is another line: D2 does not give atari, and A1 answers nothing."""
    game = played(5, "B5", "D5", "E5", "A4", "E4")
    advice = advised(player, game)
    assert (advice.reason, advice.line[:2]) == (Reason.LADDER, ("D4", "E3"))
    assert false_hint(game, advice) is None
    old = replace(advice, line=("D4", "E3", "D2", "A1", "E2"))
    assert false_hint(game, old) == "the reason is false"


@pytest.mark.parametrize("plays", ["A2 A3 C1 B2", "A3 B2 B1 A1", "B3 C3 A1 B1 B2", "A3 B3 B2"])
def test_a_move_that_captures_but_loses_is_not_praised(plays: str, player: MctsPlayer) -> None:
    """Where several prisoners decide, a capture may be possible in a lost position."""
    game = played(3, *plays.split(), rules="capture-2")
    winner = ExhaustiveSolver(game.rules, 3, 3, 2**20).solve(game.board, int(game.to_move), Limit().begin()).winner
    advice = advised(player, game)
    assert winner is not None
    assert advice.wins == (winner == int(game.to_move))
    assert str(advice).startswith("Every move loses") == (winner != int(game.to_move))


def test_a_chain_that_a_long_ladder_captures_is_not_called_saved() -> None:
    """Reading gives up before the end of this ladder, which takes 59 plies."""
    game = Game("japanese", 19)
    game.setup(["D5", "C4", "D3", "E3"], ["D4"], WHITE)
    reader = new_reader()
    after = game.copy()
    after.play("E4")
    assert forced_win(after.board, BLACK, reader, 10_000, 100) == 59
    advice = hint_for(game, WHITE, game.point("E4"), None)
    assert (advice.reason, advice.stones) == (Reason.FREE, ("D4",))


@pytest.mark.slow
def test_a_play_that_loses_by_force_is_not_said_to_save() -> None:
    """D5 takes D4 out of atari, and Black wins in 12 plies. The limit ends before the solver's memory is ready."""
    game = played((4, 6), "C3", "B4", "B3", "C5", "C4", "B5", "A3", "D4", "D3")
    assert not wins_with(game, WHITE, "D5")
    for limit in (Limit(0.0), Limit(0.02), Limit(playouts=20)):
        player = MctsPlayer(PlayerSettings(seed=2, threads=1, memory=512 * 2**20), loaded())
        advice = hint(player, game, WHITE, limit.begin())
        assert advice is not None
        assert advice.reason is not Reason.SAVE
    stays = advised(player, game, 20_000)
    assert (stays.reason, stays.plies) == (Reason.LOSS, 12)


@pytest.mark.slow
def test_the_word_saves_is_kept_for_plays_that_are_not_refuted(player: MctsPlayer) -> None:
    said = 0
    rng = random.Random(11)
    for _ in range(200):
        game = unfinished_game("first-capture", (5, 5), range(6, 14), rng)
        color = game.to_move
        for point in game.legal_plays(color):
            is_unrefuted = partial(player.perfect_play.is_unrefuted, game, int(color), point, Limit(nodes=10).begin())
            if hint_for(game, int(color), point, None, is_unrefuted).reason is Reason.SAVE:
                said += 1
                assert wins_with(game, int(color), game.vertex(point))
    assert said >= 5


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height", "count"), [(4, 4, 4), (5, 4, 4), (5, 5, 3), (6, 6, 2)])
def test_explanations_and_hints_are_true(width: int, height: int, count: int, player: MctsPlayer) -> None:
    rng = random.Random(f"{width}x{height}")
    least = 12 if width * height == 36 else 1
    for _ in range(count):
        game = unfinished_game("first-capture", (width, height), range(least, width * height // 2 + 1), rng)
        advice = advised(player, game, 1000)
        assert false_hint(game, advice) is None, (game.moves, advice)
        explained = explanation(player, game, Limit(playouts=1000).begin())
        assert false_explanation(game, explained) is None, (game.moves, explained)


def test_an_unproven_move_is_not_called_better(player: MctsPlayer) -> None:
    """White also wins after B5, which a short search prefers to E1; proving all moves takes a minute."""
    explained = explanation(player, played(6, "D6", "B4", "E1"), Limit(playouts=2000).begin())
    assert (explained.move, explained.result) == ("E1", Result.LOSES)
    assert explained.better is None or explained.better.move != "B5" or not explained.better.wins


@pytest.mark.parametrize(
    ("rules", "moves", "refuted"),
    [
        ("capture-4 passing=stone", "B2 C3 B1 B3", "pass"),
        ("capture-4 passing=stone", "B3 B2 B1 C1", "A3"),
        ("capture-5 ko=simple", "C3 A2 B3", "B1"),
        ("capture-4 ko=simple passing=free", "C3 B2 C2 B1 C1 A1 B3", ""),
        ("capture-2 ko=positional passing=free", "A1 A2 C1", ""),
    ],
)
def test_a_move_that_a_further_search_sees_lost_is_not_called_better(
    rules: str, moves: str, refuted: str, player: MctsPlayer
) -> None:
    """`refuted`: a move that a first search does not refute and that loses; where there is none, a move is named."""
    game = played(3, *moves.split(), rules=rules)
    oracle, mover = ByDefinition(60_000), int(game.moves[-1].color)
    before = game.copy(len(game.moves) - 1)
    assert not refuted or loses_with(before, mover, refuted, oracle)
    explained = explanation(player, game, Limit(playouts=600).begin())
    assert (explained.result, explained.better is None) == (Result.LOSES, bool(refuted))
    assert explained.better is None or not loses_with(before, mover, explained.better.move, oracle)


def test_a_play_that_removes_its_own_chain_does_not_save_it(player: MctsPlayer) -> None:
    game = Game("capture-10 suicide=legal", 2)
    game.setup([], ["A1", "A2", "B2"], WHITE)
    assert game.atari(WHITE)
    advice = hint_for(game, WHITE, game.point("B1"), None)
    assert (advice.reason, advice.stones) == (Reason.SIGHT, ())


def test_a_move_in_a_lost_position_is_not_called_the_losing_move(player: MctsPlayer) -> None:
    explained = explanation(player, played(4, "B2"), Limit(playouts=4000).begin())
    assert (explained.result, explained.plies, explained.end) == (Result.LOSES, 13, Termination.CAPTURE)
    assert (explained.better, explained.lost) == (None, Lost.START)


def test_the_move_that_lost_the_game_is_named(player: MctsPlayer) -> None:
    """C3 wins on the empty 5x5 board and A1 loses; Black's later moves change nothing."""
    explained = explanation(player, played(5, "A1", "C3", "E5"), Limit(playouts=4000).begin())
    assert (explained.move, explained.result) == ("E5", Result.LOSES)
    assert explained.better is not None
    assert (explained.mistake, explained.better.wins) == (("A1", 1), True)
    assert false_explanation(played(5, "A1", "C3", "E5"), explained) is None


def test_a_hint_in_a_lost_position_is_the_longest_defence(player: MctsPlayer) -> None:
    """A2 loses in 3 plies, A3 in 6."""
    game = set_up("X.O.. ..... .O.O. ...X. ....X", "first-capture")
    advice = advised(player, game)
    assert (advice.reason, advice.plies, advice.longest) == (Reason.LOSS, 6, True)
    assert false_hint(game, advice) is None


@pytest.mark.parametrize(
    ("rules", "moves", "result", "winner", "end"),
    [
        ("first-capture", "B pass", Result.ENDED, "white", Termination.HANDED_OVER),
        ("first-capture", "B C3 W resign", Result.RESIGNED, "black", None),
        ("first-capture", "B C3 W resign B pass", Result.OVER, "black", Termination.RESIGNATION),
        ("first-capture", "B A1 W A2 B C3 W B1", Result.ENDED, "white", Termination.CAPTURE),
        ("chinese", "B pass W pass", Result.COUNTED, "white", None),
        ("chinese", "B pass", Result.OPEN, None, None),
    ],
)
def test_every_kind_of_last_move_is_explained(
    rules: str, moves: str, result: Result, winner: str | None, end: Termination | None, player: MctsPlayer
) -> None:
    explained = explanation(player, play(Game(rules, 5), moves), Limit(playouts=600).begin())
    assert (explained.result, explained.winner, explained.end) == (result, winner, end)
    assert (explained.better is not None) == (moves == "B pass" and result is Result.ENDED)


@pytest.mark.slow
def test_a_result_says_by_what_means_it_is_known(player: MctsPlayer) -> None:
    """The book of small boards, the solver, and the search: on boards that the solver does not take, by its tree."""
    for game, known in [
        (played(5, "A1"), Evidence.BOOK),
        (play(Game("first-capture", 9), "B B1 W A1 B E5 W E6 B C7 W G3 B D6 W H8"), Evidence.SOLVER),
        (play(Game("first-capture", 12), "B B1 W A1 B E5 W E6 B C7 W G3 B D6 W H8"), Evidence.TREE),
        (play(Game("chinese", 5), "B C3"), Evidence.UNKNOWN),
    ]:
        assert explanation(player, game, Limit(playouts=1000).begin()).known is known


def test_after_two_passes_an_estimate_of_dead_stones_is_no_fact(player: MctsPlayer) -> None:
    """The winner is known if all stones are proven alive or dead, as on an empty board."""
    moves = "B C3 W C4 B pass W pass"
    estimated = play(Game("chinese", 5), moves)
    estimated.find_statuses = statuses
    explained = explanation(player, estimated, Limit(playouts=100).begin())
    assert estimated.outcome is not None
    assert (explained.known, explained.winner) == (Evidence.MEASURED, estimated.outcome.winner)
    assert (explained.proven, explained.loses) == (False, None)
    estimated.find_statuses = all_proven
    undecided = explanation(player, estimated, Limit(playouts=100).begin())
    assert (undecided.known, undecided.winner, undecided.loses) == (Evidence.UNKNOWN, None, None)
    empty = explanation(player, play(Game("chinese", 5), "B pass W pass"), Limit(playouts=100).begin())
    assert (empty.known, empty.winner, empty.loses) == (Evidence.RULES, "white", False)


def test_a_hint_passes_no_earlier_than_the_player(player: MctsPlayer) -> None:
    """The search prefers the pass, which gives a stone away, but D1 takes a stone without any danger."""
    moves = "B D2 W A3 B D5 W E5 B A2 W E2 B E1 W C3 B C2 W B2 B B1 W C4 "
    moves += "B B3 W A4 B A1 W E4 B B2 W C1 B D4 W C5 B D3"
    game = play(Game("capture-10 ko=simple passing=stone", 5), moves)
    advice = advised(player, game, 60)
    assert advice.move != "pass"


def test_at_the_end_of_a_game_the_hint_is_to_pass(player: MctsPlayer) -> None:
    """After Black's pass White wins by half a point with a pass, and loses with any play in its own territory."""
    game = set_up("..XO. ..XO. ..XO. ..XO. ..XO.", "japanese", to_move=BLACK)
    game.play("pass")
    advice = advised(player, game)
    assert (advice.move, advice.reason) == ("pass", Reason.NO_GAIN)


@pytest.mark.parametrize("diagram", [".XO. .... XO.. ....", ".XO. .... .O.. ....", "X.O .X. O.."])
def test_every_play_of_a_decided_position_has_its_result(diagram: str, player: MctsPlayer) -> None:
    game = set_up(diagram, "first-capture", to_move=BLACK)
    study(player, game, BLACK, Limit(playouts=6000).begin())
    proofs = {game.point(analysis.move): analysis.proof for analysis in move_analyses(player, game, BLACK)}
    assert set(proofs) == set(game.legal_plays())
    assert all((proof == "win") == wins_with(game, BLACK, game.vertex(play)) for play, proof in proofs.items())


def test_explain_without_a_move_raises_an_error(player: MctsPlayer) -> None:
    with pytest.raises(ValueError, match="no move to explain"):
        explanation(player, Game("first-capture", 5), Limit(playouts=1).begin())


@pytest.mark.slow
def test_a_forced_line_ends_where_the_loser_has_a_choice(player: MctsPlayer) -> None:
    """On 12x12 the line comes from the search tree, not from the solver."""
    for size, plies in ((12, None), (9, 1)):
        game = Game("first-capture", size)
        # A white stone in atari that cannot escape along the edge.
        play(game, "B B1 W A1 B E5 W E6 B C7 W G3 B D6 W H8")
        explained = explanation(player, game, Limit(playouts=2000).begin())
        assert (explained.line, explained.plies, explained.end) == (("A2",), plies, Termination.CAPTURE)


def mistakes(player: MctsPlayer, count: int) -> list[Game]:
    """Return games on 5x4 whose last move, a random one, loses, with a winning move in its place."""
    rng, games = random.Random(7), list[Game]()
    while len(games) < count:
        game = unfinished_game("first-capture", (5, 4), range(3, 10), rng)
        before, mover = game.copy(len(game.moves) - 1), game.moves[-1].color
        won = player.perfect_play.solve(before, int(mover), Limit().begin()).winner == int(mover)
        if won and player.perfect_play.solve(game, opponent(int(mover)), Limit().begin()).winner != int(mover):
            games.append(game)
    return games


@pytest.mark.slow
def test_the_punishment_is_the_reply_that_was_played_if_it_is_one(player: MctsPlayer) -> None:
    checked = {True: 0, False: 0}
    for game in mistakes(player, 8):
        winner = game.to_move
        for reply in game.legal_plays():
            explained = explanation(player, game, Limit(5.0, playouts=100).begin(), reply)
            wins = wins_with(game, int(winner), game.vertex(reply))
            assert explained.played == (explained.line[0] == game.vertex(reply)) == wins
            checked[wins] += 1
            assert wins or explained.line[0] != game.vertex(reply)
    assert min(checked.values()) > 5


@pytest.mark.slow
def test_hints_explanations_and_reviews_name_the_same_winning_move(player: MctsPlayer) -> None:
    several = 0
    for game in mistakes(player, 12):
        before, mover = game.copy(len(game.moves) - 1), game.moves[-1].color
        advice = hint(player, before, int(mover), Limit(5.0, playouts=100).begin())
        explained = explanation(player, game, Limit(5.0, playouts=100).begin())
        judged = review_game(player, game, Budget(Limit(100.0, 100, 100).begin())).moves[-1]
        assert advice is not None
        assert explained.better is not None
        assert judged.grade is Grade.LOSING
        assert [advice.move, judged.better[0]] == [explained.better.move] * 2
        winning = [v for v in map(game.vertex, before.legal_plays(mover)) if wins_with(before, int(mover), v)]
        assert explained.better.move in winning
        assert explained.several == (len(winning) > 1)
        several += explained.several
    assert 0 < several < 12
