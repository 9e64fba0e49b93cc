"""Ko rules: forbidden repetitions, ko threats, and undo."""

from __future__ import annotations

import pytest

from gtp_capture import PRESETS, Game, GameError, Ko, Outcome, Passing, Rules, Scoring, Termination
from gtp_capture.go import board as bd
from gtp_capture.go.history import KEPT_BOARDS
from gtp_capture.go.vertex import BLACK, WHITE, Color

from ..support.diagrams import moves, play, rows, set_up, show


def go(ko: Ko) -> Rules:
    """Go with free passes and no suicide, so that only the ko rule differs."""
    return Rules(ko=ko, passing=Passing.FREE, scoring=Scoring.AREA)


def allowed(game: Game, move: str) -> bool:
    color, vertex = next(moves(move))
    return game.is_legal(vertex, color)


# White's B2 is a move, so that the position before Black's capture follows a play of White.
KO = """
.....
.....
.XO..
X..O.
.XO..
"""
TAKEN = "W B2 B C2"  # White would recapture at B2

# White sends a second stone (A1), Black takes both (C1), White takes one back (B1): the position returns after
# three plays, so that it is now the other side's turn.
SEND_TWO = """
.....
.....
XXO..
XXOO.
.O.O.
"""

# Three kos, one above the other: White may be taken at C2 and C8, Black at B5.
TRIPLE = """
.XO.
XO.O
.XO.
.XO.
X.XO
.XO.
.XO.
XO.O
.XO.
"""

LINES = [
    # position, moves, the move in question, rules that allow it
    ("an ordinary ko at once", KO, TAKEN, "W B2", {Ko.NONE}),
    ("after a threat and its answer", KO, f"{TAKEN} W A5 B B5", "W B2", set(Ko)),
    ("after a threat without an answer", KO, f"{TAKEN} W A5 B pass", "W B2", set(Ko)),
    ("by the side that took it, filling", KO, TAKEN, "B B2", set(Ko)),
    ("after passes only", KO, f"{TAKEN} W pass B pass", "W B2", {Ko.NONE, Ko.SIMPLE}),
    ("one's own capture after a pass", KO, f"{TAKEN} W A5 B B5 W B2 B pass W pass", "B C2", {Ko.NONE, Ko.SIMPLE}),
    ("in the second round at once", KO, f"{TAKEN} W A5 B B5 W B2", "B C2", {Ko.NONE}),
    ("send two, return one", SEND_TWO, "B E5 W A1 B C1", "W B1", {Ko.NONE, Ko.SIMPLE, Ko.SITUATIONAL}),
    ("send two again", SEND_TWO, "B E5 W A1 B C1 W B1 B pass", "W A1", {Ko.NONE, Ko.SIMPLE}),
    ("triple ko, five captures", TRIPLE, "W A4 B C8 W B5 B C2 W B8", "B C5", set(Ko)),
    ("triple ko, the sixth", TRIPLE, "W A4 B C8 W B5 B C2 W B8 B C5", "W B2", {Ko.NONE, Ko.SIMPLE}),
]


@pytest.mark.parametrize("rule", Ko)
@pytest.mark.parametrize(("name", "diagram", "line", "move", "allowing"), LINES, ids=[case[0] for case in LINES])
def test_which_rules_allow_a_repetition(
    name: str, diagram: str, line: str, move: str, allowing: set[Ko], rule: Ko
) -> None:
    # The moves before may be illegal too, so they are played without a ko rule.
    game = play(set_up(diagram, go(Ko.NONE), next(moves(line))[0]), line)
    game.rules = go(rule)
    game.go_on()
    color, vertex = next(moves(move))
    reason = game.why_illegal(vertex, color)
    assert (reason is None) == (rule in allowing)
    assert reason is None or "ko" in reason


SELF_CAPTURE = "..... ..X.. X.X.. OO... .O..."
"""Black's A1 is removed at once: the position does not change."""


@pytest.mark.parametrize("rule", Ko)
def test_the_single_stone_suicide_distinguishes_the_superko_rules(rule: Ko) -> None:
    game = set_up(SELF_CAPTURE, go(rule).override(suicide=True), WHITE)
    play(game, "W E1")
    assert allowed(game, "B A1") == (rule is not Ko.POSITIONAL)
    if rule is not Ko.POSITIONAL:
        play(game, "B A1 W pass")
        # Now the position has stood after a play of Black.
        assert allowed(game, "B A1") == (rule is not Ko.SITUATIONAL)
        game.undo()
        game.undo()
        assert allowed(game, "B A1")


def test_situational_superko_compares_with_positions_after_plays_only() -> None:
    game = play(set_up(".XO. XO.O .XO. ....", go(Ko.SITUATIONAL)), "B C3")
    assert allowed(game, "W B3")


@pytest.mark.parametrize("ko", [Ko.SIMPLE, Ko.POSITIONAL])
def test_a_ko_that_stands_at_the_root_is_a_ko(ko: Ko) -> None:
    game = play(set_up(".XO. XO.O .XO. ....", go(ko)), "B C3")
    assert not allowed(game, "W B3")


def test_capture_n_has_no_ko_rule_and_the_ko_captures_decide() -> None:
    game = play(set_up(KO, "capture-3", WHITE), "W B2 B C2 W B2 B C2 W B2")
    assert (game.prisoners(BLACK), game.prisoners(WHITE)) == (2, 2)
    assert game.outcome is None
    assert play(game, "B C2").outcome == Outcome(Color.BLACK, Termination.CAPTURE)


# --- Undo ---


def bans(game: Game) -> dict[tuple[int, int], str | None]:
    """The reason of each illegal play, for either side."""
    return {(color, p): game.why_illegal_point(p, color) for color in (BLACK, WHITE) for p in bd.points(game.board)}


@pytest.mark.parametrize("ko", Ko)
@pytest.mark.parametrize(
    ("diagram", "line"),
    [
        (KO, f"{TAKEN} W A5 B B5 W B2 B D5 W E5 B C2 W pass B pass"),
        (SEND_TWO, "B E5 W A1 B C1 W E4 B D5 W B1 B pass W pass"),
        (TRIPLE, "W A4 B C8 W B5 B C2 W B8 B C5 W D1"),
    ],
)
def test_undo_brings_back_every_ban_and_nothing_more(ko: Ko, diagram: str, line: str) -> None:
    game = set_up(diagram, go(ko), next(moves(line))[0])
    seen = [bans(game)]
    for color, vertex in moves(line):
        game.play(vertex, color)
        seen.append(bans(game))
    for _ in moves(line):
        assert bans(game) == seen.pop()
        game.undo()
    assert bans(game) == seen.pop()
    assert not seen
    for color, vertex in moves(line):  # and forward again
        game.play(vertex, color)


def test_superko_covers_positions_older_than_the_kept_boards() -> None:
    game = set_up(KO, go(Ko.POSITIONAL), WHITE)
    play(game, TAKEN)
    for _ in range(100):
        play(game, "W pass B pass")
    assert not allowed(game, "W B2")
    for _ in range(200):
        game.undo()
    assert show(game) == rows("..... ..... .XO.. X.XO. .XO..")
    assert game.prisoners(BLACK) == 1
    assert not allowed(game, "W B2")
    game.undo()
    assert game.prisoners(BLACK) == 0
    assert allowed(game, "B C2")


@pytest.mark.parametrize("rules", PRESETS)
def test_handicap_and_setup_stones_cannot_be_undone(rules: str) -> None:
    game = Game(rules, 9)
    game.place_handicap(["C3", "G7"])
    assert game.to_move == "white"
    assert game.handicap == 2
    play(game, "W E5")
    game.undo()
    with pytest.raises(GameError):
        game.undo()
    assert [game.board.color[game.point(v)] for v in ("C3", "G7")] == [BLACK, BLACK]
    assert game.handicap == 2
    assert game.to_move == "white"
    with pytest.raises(GameError, match="not empty"):
        game.place_handicap(["A1", "B2"])


def test_a_board_that_is_built_again_knows_its_ko() -> None:
    game = Game("japanese", 19)
    for vertex in ["C3", "D3", "B2", "E2", "C1", "D1", "D2", "C2"]:  # White takes the stone at D2
        game.play(vertex)
    ko, moves = game.board.ko, len(game.moves)
    assert game.vertex(ko) == "D2"
    while len(game.moves) < moves + KEPT_BOARDS + 1:
        game.play(game.legal_moves()[-2])
    while len(game.moves) > moves:
        game.undo()
    assert game.board.ko == ko
    assert "D2" not in game.legal_moves()
