"""Games written as SGF and read again."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gtp_capture import BLACK, WHITE, Color, Game, Rules
from gtp_capture.go import board as bd
from gtp_capture.go import sgf
from gtp_capture.go.position import Termination
from gtp_capture.go.vertex import PASS

from ..support.random_games import RULES, Plan, advance, plans


def check_round_trip(game: Game) -> None:
    loaded = sgf.load(sgf.dump(game), game.rules)
    assert (loaded.width, loaded.height) == (game.width, game.height)
    assert loaded.moves == game.moves
    assert loaded.positions == game.positions
    assert loaded.komi == game.komi
    assert loaded.handicap == game.handicap
    assert loaded.outcome == game.outcome
    for move in range(1, len(game.moves) + 1, 5):
        part, (*before, last) = sgf.load(sgf.dump(game), game.rules, move), game.positions[:move]
        assert part.positions == (*before, last._replace(to_move=part.to_move))
        assert part.to_move in (last.to_move, game.moves[move - 1].color)


@pytest.mark.slow
@given(plans(sides=(2, 9)), st.sampled_from([None, 0.0, 0.5, 7.5, -3.25]))
def test_a_game_comes_back_from_sgf_as_it_was(plan: Plan, komi: float | None) -> None:
    game = plan.after()
    game.set_komi(komi)
    check_round_trip(game)


@given(plans(sides=(2, 9), most=30), st.sets(st.integers(0, 30)))
@settings(max_examples=25)
def test_the_side_to_move_against_the_order_of_turns_comes_back_from_sgf(plan: Plan, changed: set[int]) -> None:
    game = Game(RULES[plan.rules], (plan.width, plan.height))
    for n, number in enumerate(plan.numbers):
        if n in changed:
            game.set_to_move(game.to_move.opponent)
        if (moves := game.legal_moves()) and not game.is_over:
            game.play(moves[number % len(moves)])
    check_round_trip(game)


def test_the_side_to_move_has_a_node_of_its_own() -> None:
    game = Game("capture-3", 5)
    for vertex in ("C3", "D4"):
        game.play(vertex)
    game.set_to_move(WHITE)
    assert sgf.dump(game).endswith(b";B[cc];W[db];PL[W])\n")
    assert sgf.load(b"(;SZ[5]AB[cc];PL[B];PL[W])").to_move == WHITE


def test_moves_after_a_resignation_are_written_as_far_as_the_rules_have_them() -> None:
    game = Game("capture-1", 5)
    game.go_on()
    for move in ("C3", "resign", "pass", "D4"):
        game.play(move)
    assert [str(move.vertex) for move in sgf.load(sgf.dump(game)).moves] == ["C3", "D4"]


def test_a_handicap_of_0_is_none() -> None:
    game = sgf.load(b"(;SZ[9]HA[0]RU[Japanese]AB[cc][gg])")
    assert (game.handicap, game.komi, game.to_move) == (0, 5.5, BLACK)


@given(plans(sides=(4, 25), most=20), st.integers(2, 6))
@settings(max_examples=25)
def test_a_handicap_game_comes_back_from_sgf_as_it_was(plan: Plan, stones: int) -> None:
    game = plan.game()
    game.place_handicap(map(game.vertex, bd.points(game.board)[1 :: plan.width + 1][:stones]))
    for number in plan.numbers:
        advance(game, number)
    check_round_trip(game)


@given(plans(sides=(4, 25), most=30), st.integers(1, 30), st.sampled_from([BLACK, WHITE]))
@settings(max_examples=40)
def test_a_game_from_setup_stones_comes_back_from_sgf_as_it_was(plan: Plan, start: int, to_move: int) -> None:
    # Stones for the setup come from a game, so that every chain has a liberty.
    before = plan._replace(rules="japanese", numbers=plan.numbers[:start]).after()
    assume(any(move.point != PASS for move in before.moves))
    game = plan.game()
    game.setup(before.stones(BLACK), before.stones(WHITE), to_move)
    for number in plan.numbers[start:]:
        advance(game, number)
    check_round_trip(game)


def test_white_may_begin_on_the_empty_board_of_a_file() -> None:
    game = Game("first-capture", 5)
    game.setup([], [], WHITE)
    check_round_trip(game)
    loaded = sgf.load(b"(;GM[1]FF[4]SZ[19]PL[W])", game.rules)
    assert loaded.to_move == WHITE


@pytest.mark.parametrize(
    ("written", "given", "played"),
    [
        ("japanese", None, "japanese"),
        ("japanese", "first-capture", "first-capture"),
        ("capture-3", "capture-5", "capture-5"),
        ("capture-3", "japanese", "japanese"),
        ("unknown", None, "first-capture"),
    ],
)
def test_given_rules_win_over_those_of_the_file(written: str, given: str | None, played: str) -> None:
    data = f"(;GM[1]FF[4]SZ[9]RU[{written}];B[ee])".encode()
    assert str(sgf.load(data, None if given is None else Rules.parse(given)).rules) == played
    named = sgf.named_rules(data)
    assert (None if named is None else str(named)) == (None if written == "unknown" else written)


def test_stones_may_be_set_up_in_several_nodes_before_the_first_move() -> None:
    game = sgf.load(b"(;SZ[5]AB[aa]AW[bb];AB[ba][ee]AE[bb]AW[ca]PL[W];W[cc];B[dd])")
    assert (game.copy(0).stones(BLACK), game.copy(0).stones(WHITE)) == (["E1", "A5", "B5"], ["C5"])
    assert [game.vertex(move.point) for move in game.moves] == ["C3", "D2"]
    with pytest.raises(sgf.SgfError, match="move 2: stones are set up in the middle of the game"):
        sgf.load(b"(;SZ[5];B[cc];AW[ca])")


def test_what_is_set_up_before_a_move_belongs_to_the_position_before_it() -> None:
    game = sgf.load(b"(;SZ[5];AB[bb][cb]AW[bc][cc]PL[W];W[dd];B[aa])", before_move=1)
    assert (len(game.stones(BLACK)), len(game.stones(WHITE)), game.to_move) == (2, 2, WHITE)
    assert sgf.load(b"(;SZ[5];W[ee];B[cc])", before_move=1).to_move == WHITE
    assert sgf.load(b"(;SZ[9]HA[2];B[cc];B[gg];W[ee])", before_move=2).to_move == BLACK
    assert len(sgf.load(b"(;SZ[5];B[aa];AW[bb];W[cc])", before_move=2).moves) == 1


def test_empty_properties_count_as_missing() -> None:
    game = sgf.load(b"(;SZ[5]KM[]HA[ ]PL[]AB[bb];W[cc])")
    assert (game.explicit_komi, game.to_move, len(game.moves)) == (None, BLACK, 1)
    assert sgf.load(b"(;SZ[5]KM[6,5])").komi == 6.5
    game = sgf.load(b"(;SZ[ ]GM[]AB[]AW[dd][]AE[];B[cc])")
    assert (game.size, game.positions[0].colors.count(int(WHITE)), len(game.moves)) == ((19, 19), 1, 1)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("PL[X]", ["PL[X]"]),
        ("PL[1]", ["PL[1]"]),
        ("PL[blue]KM[nan]HA[many]", ["KM[nan]", "HA[many]", "PL[blue]"]),
        ("KM[six and a half points]", ["KM[six and a half point...]"]),
        ("KM[1e9999]", ["KM[1e9999]"]),
        ("HA[-2]", ["HA[-2]"]),
        ("PL[];PL[X];PL[Y]", ["PL[X]"]),
        ("HA[0]KM[0]", []),
        ("HA[2.0]KM[6,5]", []),
        ("TM[x]OT[]DT[yesterday]RE[who knows]ST[x]FF[x]AP[]BL[x]MN[x]VW[zz]LB[zz:a][b]TR[zz]TB[q]AR[x]FG[z:z]", []),
    ],
)
def test_a_value_that_is_not_needed_and_cannot_be_read_gives_one_line_and_the_game(
    values: str, said: list[str]
) -> None:
    lines: list[str] = []
    game = sgf.load(f"(;SZ[5]{values}AB[aa][bb];B[cc];W[dd])".encode(), notice=lines.append)
    assert [str(move.color) for move in game.moves] == ["black", "white"]
    assert game.copy(0).handicap == (2 if "HA[2" in values else 0)
    wanted = [f"{' and '.join(said)} cannot be read, and the game is used without"] if said else []
    assert [line for line in lines if "cannot be read" in line] == wanted
    assert [move.point for move in sgf.load(sgf.dump(game)).moves] == [move.point for move in game.moves]


def test_names_that_utf8_cannot_encode_are_written_with_a_mark() -> None:
    game = Game("first-capture", 5)
    game.info["black"] = "a\udc80b"
    assert b"PB[a?b]" in sgf.dump(game)


def test_files_of_other_games_are_refused() -> None:
    for kind in (b" 1 ", b"01", b"1.0", b"Go"):
        assert sgf.load(b"(;GM[%s]SZ[5])" % kind).width == 5
    with pytest.raises(sgf.SgfError, match=r"GM\[2\] is not the game of Go"):
        sgf.load(b"(;GM[2]SZ[8])")


@pytest.mark.parametrize(
    ("result", "winner"),
    [("B+R", BLACK), ("W+Resign", WHITE), (" w+r ", WHITE), ("B+T", None), ("W+3.5", None), ("0", None), ("?", None)],
)
def test_a_resignation_is_read_from_the_result_only_on_request(result: str, winner: Color | None) -> None:
    data = f"(;SZ[5]RE[{result}];B[cc])".encode()
    assert sgf.load(data).outcome is None
    outcome = sgf.load(data, resignation=True).outcome
    assert (outcome and outcome.winner) == winner
    assert outcome is None or outcome.termination is Termination.RESIGNATION


def test_a_capture_ends_a_game_whatever_the_result_of_the_file() -> None:
    outcome = sgf.load(b"(;SZ[5]RE[W+R];B[ab];W[aa];B[ba])", resignation=True).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.termination) == (BLACK, Termination.CAPTURE)


@pytest.mark.parametrize("text", ["(;SZ[5];B[cc](;)(;W[dd]))", "(;SZ[5](;)(;B[cc]))", "(;SZ[5](;;B[cc])(;B[dd]))"])
def test_an_empty_node_keeps_a_variation_from_becoming_the_main_line(text: str) -> None:
    game = sgf.load(text.encode())
    written = sgf.dump(game)
    assert sgf.load(written) == game
    assert sgf.dump(sgf.load(written)) == written
