"""Every way in which a game ends; the outcome is final, and undo takes it back."""

from __future__ import annotations

import pytest

from gtp_capture import BLACK, PRESETS, WHITE, Color, Game, Outcome, Rules, Scoring, Termination
from gtp_capture.go.scoring import all_proven
from gtp_capture.go.vertex import RESIGN

from ..support.diagrams import moves, play, rows, set_up, show

CAPTURE = Termination.CAPTURE
NO_PLAY = Termination.NO_LEGAL_PLAY
HANDED_OVER = Termination.HANDED_OVER
TWO_PASSES = Termination.TWO_PASSES

GO = [name for name, rules in PRESETS.items() if rules.scoring is not Scoring.NONE]
SUICIDE_3 = Rules.parse("capture-3").override(suicide=True)
TWO_STONES = PRESETS["first-capture"].override(captures=2)

ONE_STONE = "... X.. O.."  # Black B1 captures one
TWO_CHAINS = "..... .XXX. XO.OX .XXX."  # Black C2 captures two chains of one stone
FIVE = "..... ..... XXXXX XOOOO XO.XX"  # Black C1 captures one chain of five
THREE = "OOO. X.XO"  # Black B1 is suicide of three stones
CORNERED = ".X .."  # after Black A1 White has only suicide


@pytest.mark.parametrize(
    ("rules", "diagram", "line", "outcome"),
    [
        ("first-capture", ONE_STONE, "B B1", Outcome(BLACK, CAPTURE)),
        ("first-capture", FIVE, "B C1", Outcome(BLACK, CAPTURE)),
        ("first-capture", ".O. OX. .O.", "W C2", Outcome(WHITE, CAPTURE)),
        ("first-capture", ONE_STONE, "B C3", None),
        ("first-capture", "... ... ...", "B A1 B C1 B A3", None),  # extra turns are the handicap
        ("first-capture", "... ... ...", "B pass", Outcome(WHITE, HANDED_OVER)),
        ("first-capture", "... ... ...", "B A1 W pass", Outcome(BLACK, HANDED_OVER)),
        ("first-capture", CORNERED, "B A1", Outcome(BLACK, NO_PLAY)),
        ("first-capture", CORNERED, "W A1", None),
        ("first-capture", "XX X.", "W B1", Outcome(WHITE, CAPTURE)),
        ("capture-1", ONE_STONE, "B B1", Outcome(BLACK, CAPTURE)),
        ("capture-2", ONE_STONE, "B B1", None),
        ("capture-2", TWO_CHAINS, "B C2", Outcome(BLACK, CAPTURE)),  # two chains of one stone each
        ("capture-3", TWO_CHAINS, "B C2", None),
        ("capture-5", FIVE, "B C1", Outcome(BLACK, CAPTURE)),  # one chain of five stones
        ("capture-3", FIVE, "B C1", Outcome(BLACK, CAPTURE)),  # N passes win for the opponent
        ("capture-6", FIVE, "B C1", None),
        ("capture-3", "XXO.. XXO.. O.OX.", "W B1", Outcome(WHITE, CAPTURE)),
        ("capture-5", CORNERED, "B A1", Outcome(BLACK, NO_PLAY)),
        ("capture-77", CORNERED, "B A1", Outcome(BLACK, NO_PLAY)),
        # Suicide gives the stones to the opponent, which may win by them; and it is a legal play.
        (SUICIDE_3, THREE, "B B1", Outcome(WHITE, CAPTURE)),
        (SUICIDE_3.override(captures=4), THREE, "B B1", None),
        (SUICIDE_3, CORNERED, "B A1", None),
        (SUICIDE_3, CORNERED, "B A1 W A2 B B1", None),
        # Where N stones win and passes hand over stones, a side without a play loses with its last stone.
        (TWO_STONES, CORNERED, "B A1", None),
        (TWO_STONES, CORNERED, "B A1 W pass", None),
        (TWO_STONES, CORNERED, "B A1 W pass B pass", Outcome(BLACK, NO_PLAY)),
        (TWO_STONES, "... ... ...", "B pass B pass", Outcome(WHITE, HANDED_OVER)),
        # Where the board is scored, a colour without a play passes.
        *((name, CORNERED, "B A1", None) for name in GO),
        *((name, FIVE, "B C1", None) for name in GO),
    ],
)
def test_a_game_ends_with_the_right_cause(rules: str | Rules, diagram: str, line: str, outcome: Outcome | None) -> None:
    game = set_up(diagram, rules, next(moves(line))[0])
    assert game.outcome is None
    assert play(game, line).outcome == outcome


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_resignation_ends_every_game(rules: str, color: Color) -> None:
    game = play(Game(rules, 5), "B C3")
    assert game.is_legal_point(RESIGN, color)
    game.resign(color)
    assert game.outcome == Outcome(color.opponent, Termination.RESIGNATION)
    game.undo()
    assert game.outcome is None


# --- Two passes ---


@pytest.mark.parametrize("rules", GO)
@pytest.mark.parametrize(
    ("line", "over"),
    [
        ("B pass", False),
        ("B pass B pass", False),
        ("W pass W pass", False),
        ("B pass W B2 B pass", False),
        ("B pass W pass", True),
        ("W pass B pass", True),
        ("B pass B pass W pass", True),
        ("B pass W pass B pass", True),
    ],
)
def test_two_passes_in_a_row_of_opposite_colours_end_a_game(rules: str, line: str, over: bool) -> None:
    outcome = play(Game(rules, 5), line).outcome
    assert (outcome is not None) == over
    assert outcome is None or outcome.termination == TWO_PASSES


def test_play_resumes_after_two_passes_with_a_dispute_and_passes_go_on_costing_stones() -> None:
    game = play(Game("aga", 5), "B C3 W B2 B pass W pass")
    assert (game.prisoners(BLACK), game.prisoners(WHITE)) == (1, 1)
    assert play(game, "B D2").outcome is None
    play(game, "W pass B pass")
    assert game.outcome is not None
    assert (game.prisoners(BLACK), game.prisoners(WHITE)) == (2, 2)


@pytest.mark.parametrize(("komi", "winner"), [(None, BLACK), (8.5, BLACK), (9.0, None), (9.5, WHITE), (-2.0, BLACK)])
def test_the_score_gives_the_winner_and_komi_may_make_a_draw(komi: float | None, winner: Color | None) -> None:
    game = set_up(".X. XXX .X.", "tromp-taylor", komi=komi)  # Black owns all nine points
    assert play(game, "B pass W pass").outcome == Outcome(winner, TWO_PASSES)


def test_there_is_no_winner_while_dead_stones_are_unknown_after_two_passes() -> None:
    game = play(Game("japanese", 9), "B E5 W C3 B pass W pass")
    game.find_statuses = all_proven
    assert game.score() is None
    assert game.outcome == Outcome(None, TWO_PASSES)


# --- The outcome is final ---

# Both sides capture a stone and pass, away from the stones that end the games below.
AFTERWARDS = "B pass W pass B D4 W E4 B E5 W D2 B E3 W pass B E1 W D1 B B5 W E2"

ENDED = [
    ("first-capture", "B A1 W A2 B A4 W B1", Outcome(WHITE, CAPTURE)),
    ("first-capture", "B A1 W pass", Outcome(BLACK, HANDED_OVER)),
    ("first-capture", "B A1 W resign", Outcome(BLACK, Termination.RESIGNATION)),
    ("capture-1", "B A1 W A2 B A4 W B1", Outcome(WHITE, CAPTURE)),
    ("capture-2", "B A1 W A3 B B1 W A2 B A4 W B2 B A5 W C1", Outcome(WHITE, CAPTURE)),
    ("capture-5", "B A1 W resign", Outcome(BLACK, Termination.RESIGNATION)),
    ("tromp-taylor", "B A1 W B1 B resign", Outcome(WHITE, Termination.RESIGNATION)),
    ("aga", "B A1 W B1 B resign", Outcome(WHITE, Termination.RESIGNATION)),
    ("japanese", "B A1 W B1 B resign", Outcome(WHITE, Termination.RESIGNATION)),
]


@pytest.mark.parametrize(("rules", "line", "outcome"), ENDED)
def test_the_result_stays_after_any_moves_and_undo_takes_it_back(rules: str, line: str, outcome: Outcome) -> None:
    game = play(Game(rules, 5), line)
    assert game.outcome == outcome
    stones = game.prisoners(BLACK), game.prisoners(WHITE)
    for color, vertex in zip(AFTERWARDS.split()[::2], AFTERWARDS.split()[1::2], strict=True):
        play(game, f"{color} {vertex}")
        assert game.outcome == outcome
    assert game.prisoners(BLACK) > stones[0]
    assert game.prisoners(WHITE) > stones[1]
    for _ in range(len(AFTERWARDS.split()) // 2):
        assert game.outcome == outcome
        game.undo()
    assert game.outcome == outcome
    assert (game.prisoners(BLACK), game.prisoners(WHITE)) == stones
    game.undo()
    assert game.outcome is None
    assert game.is_legal("pass") == (not rules.startswith("capture-"))


@pytest.mark.parametrize("rules", ["first-capture", "capture-1", "capture-5"])
def test_a_game_lost_without_a_legal_play_stays_lost_after_a_later_capture(rules: str) -> None:
    game = play(set_up(CORNERED, rules), "B A1 W pass B A2 W B1")
    assert show(game) == rows(".. .O")
    assert game.prisoners(WHITE) == 3
    for _ in range(4):
        assert game.outcome == Outcome(BLACK, NO_PLAY)
        game.undo()
    assert game.outcome is None
