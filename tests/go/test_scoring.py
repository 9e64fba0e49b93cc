"""Area, territory, unconditional life and settled boards: diagrams, sgfmill's area, and a worked example."""

from __future__ import annotations

import pickle
import random

import pytest
from sgfmill import boards

from gtp_capture import EMPTY, PRESETS, Game, Outcome, Scoring, Termination
from gtp_capture.go import board as bd
from gtp_capture.go.board import Board
from gtp_capture.go.scoring import Count, all_proven, area, cleared, result, territory, unconditional
from gtp_capture.go.vertex import BLACK, WHITE, Color, point_at
from gtp_capture.playout.endings import area_lead

from ..support.aga import compare, finished_game
from ..support.diagrams import play, rows, set_up, show, vertices

GO = [name for name, rules in PRESETS.items() if rules.scoring is not Scoring.NONE]


@pytest.mark.parametrize(
    ("diagram", "on_area", "on_territory"),
    [
        ("... ... ...", (0, 0), (0, 0)),  # no stones, no owner
        ("... .X. ...", (9, 0), (8, 0)),
        ("X.. ... ..O", (1, 1), (0, 0)),  # every empty point is reached by both
        (".X.O. .X.O. .X.O.", (6, 6), (3, 3)),
        ("OOO O.O OOO", (0, 9), (0, 1)),
        (".XO. XXOO XXOO .XO.", (8, 8), (2, 2)),
        (".XXO. XX.OO", (5, 4), (1, 1)),  # C1 is neutral
        ("X. XX", (4, 0), (1, 0)),
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


@pytest.mark.slow
def test_area_agrees_with_sgfmill_on_positions_of_random_games() -> None:
    generator, compared, with_both = random.Random(20240501), 0, 0
    while compared < 400:
        side = generator.choice((2, 3, 4, 5, 7, 9))
        board = bd.new(side, side)
        color = BLACK
        points = bd.points(board)
        for _ in range(generator.randrange(1, side * side * 3)):
            p = generator.choice(points)
            if bd.is_legal(board, p, color, generator.random() < 0.3):
                bd.play(board, p, color)
                color = 3 - color
        theirs = boards.Board(side)
        stones: dict[int, list[tuple[int, int]]] = {BLACK: [], WHITE: [], EMPTY: []}
        for row in range(side):
            for column in range(side):
                stones[int(board.color[point_at(column, row, side)])].append((row, column))
        assert theirs.apply_setup(stones[BLACK], stones[WHITE], [])  # no chain without liberties
        assert area(board).lead == theirs.area_score()
        assert area_lead(board.copy()) == theirs.area_score()  # the search's count, which changes the board
        compared += 1
        with_both += bool(stones[BLACK] and stones[WHITE])
    assert with_both > 300


# --- Benson's unconditional life ---


@pytest.mark.parametrize(
    ("name", "diagram", "alive"),
    [
        ("two eyes at the edge", "...... XXXXX. .X.XX.", "...... XXXXX. XXXXX."),
        ("one eye", "...... XXXXX. .XXXX.", "...... ...... ......"),
        ("one large eye is one eye", "...... XXXXX. ....X.", "...... ...... ......"),
        ("two chains that share two eyes", ".... XX.. X.X. .XX.", ".... XX.. XXX. XXX."),
        ("the same with a stone missing", ".... .X.. X.X. .XX.", ".... .... .... ...."),
        ("a false eye", "OOOO. XXXOO .X.XO", "..... ..... ....."),
        ("the false eye made true", "OOOO. XXXXO .X.XO", "..... XXXX. XXXX."),
        ("two eyeless groups in seki", "XX.OO XX.OO", "..... ....."),
        ("one eye each in seki", ".X.O. XX.OO", "..... ....."),
        ("an opposing stone in a small eye", "...... XXXXX. .XO.X.", "...... XXXXX. XXXXX."),
        ("an eye with a point that is no liberty", "..X.. ..X.. XXX.. .X... X....", "..... ..... ..... ..... ....."),
        ("a stone too far away to live by the others", ".....X XXXXX. .X.XX.", "...... XXXXX. XXXXX."),
        ("nothing", "... ... ...", "... ... ..."),
        ("a full board but two points", "XXX X.X XX.", "XXX XXX XXX"),
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
                after = board.copy()
                bd.play(after, p, WHITE)
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


def test_dead_stones_in_an_enclosed_region_become_prisoners() -> None:
    game = set_up("...... XXXXX. .XO.X.", "japanese")
    board = settled(game.board)
    assert board is not None
    assert board.color[game.point("C1")] == EMPTY
    assert (board.prisoners[BLACK], board.prisoners[WHITE]) == (1, 0)
    assert (game.board.color[game.point("C1")], game.board.prisoners[BLACK]) == (
        WHITE,
        0,
    )  # the game's own is untouched


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


@pytest.mark.parametrize("diagram", ["XX.OO XX.OO", "..... ..X.. .....", "X.. ... ..O", "... ... ..."])
def test_under_the_basic_rules_every_board_has_a_score(diagram: str) -> None:
    game = set_up(diagram, "tromp-taylor")
    assert game.score() == area(game.board).lead - 7.5


def test_capture_games_have_no_score() -> None:
    for name, rules in PRESETS.items():
        if rules.scoring is Scoring.NONE:
            assert set_up(".X. XXX .X.", name).score() is None


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


def test_neutral_points_do_not_count_under_territory() -> None:
    diagram = ".X.XX.OO.O. XXXXX.OOOOO"  # F1 and F2 between two living groups
    assert set_up(diagram, "japanese", komi=0.0).score() == 0
    one_eye = set_up(diagram.replace(".O.", "OO."), "japanese", komi=0.0)
    one_eye.find_statuses = all_proven
    assert one_eye.score() is None


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


@pytest.mark.parametrize("rules", GO)
@pytest.mark.parametrize("komi", [0.0, 0.5, 7.5, -3.0])
def test_komi_is_taken_off_blacks_lead(rules: str, komi: float) -> None:
    diagram = ".X.XX.OO.O. XXXXX.OOOOO"
    without, given = set_up(diagram, rules, komi=0.0).score(), set_up(diagram, rules, komi=komi).score()
    assert without is not None
    assert given == without - komi


def test_scoring_leaves_the_board_as_it_is() -> None:
    game = set_up(EXAMPLE, "japanese")
    before = pickle.dumps(game.board)
    game.score()
    unconditional(game.board, BLACK)
    settled(game.board)
    assert pickle.dumps(game.board) == before
    assert show(game) == rows(EXAMPLE)


@pytest.mark.parametrize(
    ("lead", "text"),
    [(0.0, "0"), (-0.0, "0"), (3.5, "B+3.5"), (-2, "W+2"), (-1e6, "W+1000000"), (0.125, "B+0.125"), (-100.0, "W+100")],
)
def test_a_result_is_written_in_gtps_form(lead: float, text: str) -> None:
    assert result(lead) == text
