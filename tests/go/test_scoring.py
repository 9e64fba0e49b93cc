"""Area, territory, unconditional life and settled boards: diagrams, sgfmill's area, and a worked example."""

from __future__ import annotations

import random

import pytest

from gtp_capture import Game, Outcome, Termination
from gtp_capture.go import board as bd
from gtp_capture.go.board import Board
from gtp_capture.go.scoring import Count, all_proven, area, cleared, result, territory, unconditional
from gtp_capture.go.vertex import BLACK, WHITE, Color

from ..support.aga import compare, finished_game
from ..support.diagrams import play, set_up, show, vertices


@pytest.mark.parametrize(
    ("diagram", "on_area", "on_territory"),
    [
        ("... ... ...", (0, 0), (0, 0)),  # no stones, no owner
        ("... .X. ...", (9, 0), (8, 0)),
        ("X.. ... ..O", (1, 1), (0, 0)),  # every empty point is reached by both
        (".X.O. .X.O. .X.O.", (6, 6), (3, 3)),
        ("OOO O.O OOO", (0, 9), (0, 1)),
        ("..X.O .XXOO XXO.. OOOO.", (8, 11), (3, 3)),  # D4 is neutral
    ],
)
def test_area_and_territory_of_diagrams(diagram: str, on_area: tuple[int, int], on_territory: tuple[int, int]) -> None:
    board = set_up(diagram, "chinese").board
    assert area(board) == Count(*on_area)
    assert territory(board) == Count(*on_territory)
    assert area(board).lead == on_area[0] - on_area[1]
    # The other way round: colours exchanged.
    swapped = set_up(diagram.translate(str.maketrans("XO", "OX")), "chinese").board
    assert area(swapped) == Count(*reversed(on_area))
    assert territory(swapped) == Count(*reversed(on_territory))


# --- Benson's unconditional life ---


@pytest.mark.parametrize(
    ("name", "diagram", "alive"),
    [
        ("two eyes at the edge", "...... XXXXX. .X.XX.", "...... XXXXX. XXXXX."),
        ("one eye", "...... XXXXX. .XXXX.", "...... ...... ......"),
        ("one large eye is one eye", "...... XXXXX. ....X.", "...... ...... ......"),
        ("two chains that share two eyes", ".... XX.. X.X. .XX.", ".... XX.. XXX. XXX."),
        ("a false eye", "OOOO. XXXOO .X.XO", "..... ..... ....."),
        ("one eye each in seki", ".X.O. XX.OO", "..... ....."),
        ("an eye with a point that is no liberty", "..X.. ..X.. XXX.. .X... X....", "..... ..... ..... ..... ....."),
        ("a stone too far away to live by the others", ".....X XXXXX. .X.XX.", "...... XXXXX. XXXXX."),
    ],
)
def test_unconditional_life(name: str, diagram: str, alive: str) -> None:
    board = set_up(diagram, "chinese").board
    game = set_up(diagram, "chinese")
    expected = {game.point(v) for v in vertices(alive, "X")}
    assert unconditional(board, BLACK) == expected
    swapped = set_up(diagram.translate(str.maketrans("XO", "OX")), "chinese").board
    assert unconditional(swapped, WHITE) == expected


def settled(b: Board) -> Board | None:
    """Return the board without its dead stones if the status of every chain is proven, else None."""
    statuses = all_proven(b)
    return None if statuses is None else cleared(b, statuses)


def capturable(game: Game) -> set[int]:
    """Black stones that White can capture if only White plays, by exhaustive search."""
    lost: set[int] = set()
    stones = {p for p in bd.points(game.board) if game.board.color[p] == BLACK}
    waiting, seen = [game.board], {bd.colors(game.board)}
    while waiting and lost != stones:
        board = waiting.pop()
        for p in bd.points(board):
            if bd.is_legal(board, p, WHITE, False):
                after = bd.after(board, p, WHITE)
                lost |= {q for q in stones if after.color[q] != BLACK}
                if bd.colors(after) not in seen:
                    seen.add(bd.colors(after))
                    waiting.append(after)
    return lost


def test_unconditional_life_cannot_be_captured_though_the_owner_always_passes() -> None:
    generator, with_life, compared = random.Random(1976), 0, 0
    while compared < 100:
        width, height = generator.choice(((3, 3), (4, 3), (5, 2)))
        text = " ".join("".join(generator.choices("XO.", (7, 1, 3), k=width)) for _ in range(height))
        try:
            game = set_up(text, "chinese")
        except ValueError:
            continue  # a chain without liberties
        if text.count(".") > 5:
            continue
        stones = {p for p in bd.points(game.board) if game.board.color[p] == BLACK}
        alive = unconditional(game.board, BLACK) & stones
        assert alive == stones - capturable(game), text
        compared += 1
        with_life += 0 < len(alive) < len(stones) or (bool(alive) and "O" in text)
    assert with_life > 10


@pytest.mark.parametrize(
    "diagram",
    [
        "XX.OO XX.OO",
        ".X.O. XX.OO",
        "...... XXXXX. .XXXX.",
        "...... XXXXX. .XXXX. ....O.",
        "...... XXXXX. .X.XX. ....O. ......",  # the white stone may live
        "..... ..X.. .....",
        ".XXO.. XXXO.. .XXO..",  # Black lives; White has room for two eyes and has not made them
    ],
)
def test_without_a_proven_status_of_every_chain_there_is_no_score(diagram: str) -> None:
    game = set_up(diagram, "japanese")
    assert settled(game.board) is None
    for preset in ("japanese", "aga", "chinese"):
        ended = play(set_up(diagram, preset), "B pass W pass")
        ended.find_statuses = all_proven
        assert ended.score() is None
        assert ended.outcome == Outcome(None, Termination.TWO_PASSES)


# --- Territory: a worked example, its counts on a position of ours ---

# Black takes seven stones at H3, White six at G6; then C9 is dead, and so are D1 and E1.
EXAMPLE = """
..X......
OOOOOOOOO
OOOOOOOOO
XXXXXX.OO
OOOOOOOOO
XXXXXXXXX
OOOOOOO..
XXXXXXXXX
...OO....
"""


def test_the_worked_example_of_territory_scoring() -> None:
    game = play(set_up(EXAMPLE, "japanese", komi=0.0), "B H3 W G6")
    assert (game.prisoners(BLACK), game.prisoners(WHITE)) == (7, 6)
    board = settled(game.board)
    assert board is not None
    assert (board.prisoners[BLACK], board.prisoners[WHITE]) == (9, 7)
    assert territory(board) == Count(17, 15)
    assert game.score() == (17 + 9) - (15 + 7) == 4
    assert play(game, "B pass W pass").outcome == Outcome(Color.BLACK, Termination.TWO_PASSES)
    assert (game.prisoners(BLACK), game.prisoners(WHITE)) == (7, 6)  # counting takes no stones
    assert show(game)[0] == "..X......"
    game.set_komi(None)  # 5.5 on this board
    assert game.score() == -1.5
    assert game.outcome == Outcome(Color.WHITE, Termination.TWO_PASSES)


@pytest.mark.slow
def test_under_aga_territory_with_pass_stones_equals_area(compiled: None) -> None:
    """Independent of the first pass: White makes the last pass, or still owes it. 10,000 games: support/aga.py.

    With n handicap stones White gets n - 1 points of area, which counting territory gives by itself.
    """
    chance = random.Random(7)
    sides, handicaps = (4, 5, 6, 7), (0, 0, 2, 3, 5)
    seen = [
        compare(finished_game(chance, chance.choice(sides), chance.choice(sides), chance.choice(handicaps)))
        for _ in range(200)
    ]
    assert all(case.equal for case in seen)
    assert sum(case.owed for case in seen) > 30
    assert sum(case.dead > 0 for case in seen) > 5


@pytest.mark.parametrize(
    ("lead", "text"),
    [(0.0, "0"), (-0.0, "0"), (3.5, "B+3.5"), (-2, "W+2"), (-1e6, "W+1000000"), (0.125, "B+0.125"), (-100.0, "W+100")],
)
def test_a_result_is_written_in_gtps_form(lead: float, text: str) -> None:
    assert result(lead) == text
