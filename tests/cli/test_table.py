"""A game at one terminal, in this process: no line that is typed fails or changes the game in a wrong way."""

from __future__ import annotations

import io
import os
import re
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.color import Color, ColorSystem
from rich.console import Console
from rich.style import Style

from gtp_capture.cli import drawing, orders
from gtp_capture.cli.table import ACTIONS, Seats, TerminalGame
from gtp_capture.go import board as bd
from gtp_capture.go.rules import Rules, Scoring
from gtp_capture.go.scoring import Status
from gtp_capture.go.vertex import BLACK, RESIGN, WHITE
from gtp_capture.gtp.options import Options
from gtp_capture.players.adapt import Adaptation
from gtp_capture.teach import words
from gtp_capture.teach.terms import TERMS

from ..support.random_games import Plan, plans

BOTH = frozenset((BLACK, WHITE))
SLOW_WORDS = ("hint", "explain")
"""Commands that need the compiled search; test_play.py has them."""
POINTS = st.builds(lambda c, r, form: form.format(c, r), st.sampled_from("ABCDEabcdeI"), st.integers(0, 7),
                   st.sampled_from(["{0}{1}", "{0} {1}", "{1}{0}", "{0}{1} {0}{1}"]))  # fmt: skip
COMMANDS = st.builds(
    "{} {}".format,
    st.sampled_from([name for name in ACTIONS if name not in (*SLOW_WORDS, "save", "quit")]),
    st.sampled_from(["", "2", "3x4", "-1", "undo", "[/b]", "99999999999999999999999", "first-game", "\ud800"]),
)
LINES = st.lists(st.one_of(POINTS, POINTS, COMMANDS, st.text(max_size=20)), max_size=25)


def new_table(
    rules: str = "first-capture", people: frozenset[int] = BOTH, *, warn: bool = False, handicap: int = 0
) -> TerminalGame:
    console = Console(file=io.StringIO(), width=100, highlight=False, markup=False, emoji=False)
    options = Options(rules=Rules.parse(rules), width=5, height=5, player="random", seed=1)
    with patch("gtp_capture.jit.warmup.Warmup.start"):
        return TerminalGame(options, Seats(people, handicap, warn, interactive=False), console)


def said(table: TerminalGame) -> str:
    assert isinstance(table.console.file, io.StringIO)
    text = table.console.file.getvalue()
    table.console.file.truncate(0)
    table.console.file.seek(0)
    return text


def needs_search(line: str) -> bool:
    word = line.strip().partition(" ")[0].lower()
    return len(word) > 1 and any(name.startswith(word) for name in SLOW_WORDS)


@pytest.mark.slow
@settings(suppress_health_check=list(HealthCheck))
@given(LINES, st.sampled_from(["first-capture", "capture-3", "aga", "japanese"]), st.booleans(), st.booleans())
def test_no_line_fails_or_changes_the_game_without_a_legal_move(
    lines: list[str], rules: str, two: bool, warn: bool
) -> None:
    table = new_table(rules, BOTH if two else frozenset({BLACK}), warn=warn)
    for line in lines:
        if needs_search(line):
            continue
        before = table.engine.game
        old, turn = list(before.positions), before.to_move
        legal = {vertex.upper() for vertex in before.legal_moves()} if before.outcome is None else set()
        with patch("gtp_capture.cli.table.TerminalGame.save"):
            table.execute(line.strip())
        game = table.engine.game
        new = list(game.positions)
        if game is before and len(new) > len(old) and new[: len(old)] == old:
            added = [position.move for position in new[len(old) :]]
            first = added[0]
            assert first is not None
            assert first.color == turn
            played = game.vertex(first.point).upper()
            assert played in legal | {"RESIGN"}
            order = orders.read(line, ACTIONS, game.width, game.height)
            assert order == orders.Play(first.point) or played.lower() == order[0]
            assert two or all(move is not None and move.color == WHITE for move in added[1:])
        elif game is before and new != old:
            assert new == old[: len(new)]  # undo
            assert line.strip().lower().startswith("un")
        elif game is not before:
            assert line.strip().lower()[:2] in ("ne", "si")
        text = said(table)
        assert "Traceback" not in text
        assert text.strip() or table.leaving or not line.strip()


@settings(max_examples=40)
@given(plans(most=40, sides=(4, 5), rules=["aga", "japanese", "chinese", "tromp-taylor"]), st.integers(0, 3))
def test_the_count_at_the_end_adds_up_to_the_score(plan: Plan, handicap: int) -> None:
    table = new_table(plan.rules)
    game = plan.after()
    game.handicap = handicap
    table.engine.adopt(game)
    # Any statuses do: the sums must be right for all of them.
    game.find_statuses = lambda board: {p: (Status.DEAD, Status.ALIVE, Status.SEKI)[p % 3] for p in bd.chains(board)}
    game.go_on()
    game.play("pass")
    game.play("pass")
    assert game.outcome is not None
    lines = "\n".join(words.count_lines(game, table.engine.dead_stones(), words.SHORT))
    black, white = (float(total) for total in re.findall(r"^(?:Black|White): .* = (-?[\d.]+)\.$", lines, re.MULTILINE))
    assert black - white == game.score()
    for line in lines.splitlines():
        if found := re.fullmatch(r"\w+: (.*) = (.*)\.", line):
            assert "+ -" not in found[1]
            parts = found[1].replace(" - ", " + -").split(" + ")
            assert sum(float(part.split()[0]) for part in parts) == float(found[2])
    assert ("for going second" in lines) == (handicap == 0)
    assert not re.search(r"\b1 (points|prisoners|stones)", lines)
    assert ("prisoner" in lines) == (game.rules.scoring is Scoring.TERRITORY)


def test_a_count_with_tenths_of_a_point_has_no_residue() -> None:
    table = new_table("tromp-taylor small_komi=5.3")
    for move in ("C3", "pass", "pass"):
        table.execute(move)
    black, white = words.count_lines(table.engine.game, table.engine.dead_stones(), words.SHORT)
    assert black == "Black: 25 stones and points = 25."
    assert white == "White: 0 stones and points + 5.3 for going second = 5.3."


def test_the_rules_of_a_game_without_passing_say_nothing_of_a_count() -> None:
    table = new_table("japanese passing=forbidden")
    table.execute("rules")
    text = said(table)
    assert "There is no passing: a side without a move loses." in text
    assert "Two passes" not in text
    assert "still have a move" in text


def test_the_rules_say_where_a_stone_without_liberty_may_be_put() -> None:
    for rules, sentence in (("capture-2", "may not be put"), ("capture-2 suicide=yes", "become prisoners")):
        table = new_table(rules)
        table.execute("rules")
        assert sentence in said(table)


def test_a_new_level_is_announced_below_the_result() -> None:
    table = adapting(2)
    table.execute("C3")
    table.execute("resign")
    text = said(table)
    assert text.index("Game over") < text.index("Level 1: first-game.")


def adapting(level: int) -> TerminalGame:
    table = new_table("first-capture", people=frozenset((BLACK,)))
    table.engine.adaptation = Adaptation(True, None, table.notify)
    table.engine.options = replace(table.engine.options, adapt=True, level=level)
    return table


def end(table: TerminalGame, winner: int) -> None:
    """End a game of a person against the engine by a resignation."""
    table.engine.adaptation.generated(WHITE if BLACK in table.seats.people else BLACK)
    table.engine.game.play_point(RESIGN, 3 - winner)
    table.answer_and_show()


def test_a_win_of_the_engine_is_announced_too() -> None:
    table = adapting(3)
    table.engine.adaptation.active = False
    for vertex in ("A1", "B2"):
        table.engine.game.play(vertex)

    def capture(color: int) -> str:
        table.engine.adaptation.generated(color)
        table.engine.play(color, table.engine.game.point("A2"))
        return "A2"

    with patch.object(table.engine, "genmove", side_effect=capture):
        table.engine.game.play("B1")
        table.engine.game.play("C1")
        table.execute("C3")
    assert table.engine.game.outcome is not None
    assert "Level 2: first-day." in said(table)


CUSTOM = [
    # the colour of the person and the turns before, the winner, those after, and the change of the level
    (BLACK, 0, WHITE, BLACK, 1, 0),
    (BLACK, 1, WHITE, BLACK, 2, 0),
    (BLACK, 3, WHITE, BLACK, 3, -1),
    (BLACK, 2, BLACK, BLACK, 1, 0),
    (BLACK, 0, BLACK, WHITE, 0, 1),
    (WHITE, 0, WHITE, WHITE, 0, 1),
    (WHITE, 0, BLACK, BLACK, 0, 0),
]


@pytest.mark.parametrize(("person", "turns", "winner", "after", "later", "level"), CUSTOM)
def test_by_the_custom_the_turns_change_first_and_then_the_level(
    person: int, turns: int, winner: int, after: int, later: int, level: int
) -> None:
    table = adapting(4)
    table.custom = True
    table.seats = replace(table.seats, people=frozenset({person}), handicap=turns + 1 if turns else 0)
    end(table, winner)
    said(table)
    with patch.object(table, "answer_and_show"):
        table.execute("new")
    assert (table.seats.people, table.seats.turns) == (frozenset({after}), later)
    assert table.voice.people == frozenset({after})
    assert table.engine.options.level == 4 + level
    text = said(table)
    assert ("Black plays" in text) == (later > 0)
    assert ("The loser takes Black." in text) == (later >= turns)


def test_without_the_custom_the_colours_stay() -> None:
    table = new_table(people=frozenset({BLACK}))
    table.execute("resign")
    table.execute("new")
    assert (table.custom, table.seats) == (False, Seats(frozenset({BLACK}), interactive=False))


def test_questions_are_not_asked_without_a_person(tmp_path: Path) -> None:
    table = new_table("first-capture")
    with patch.object(table.console, "input", side_effect=AssertionError("a question")):
        table.execute("C3")
        before = tmp_path / "a.sgf"
        before.write_text("old")
        table.execute(f"save {before}")
        assert before.read_text() == "old"
        table.execute("pass")
        assert table.engine.game.outcome is not None
        table.execute("new")
        assert not table.engine.game.moves


def test_save_without_a_name_takes_the_first_free_one(tmp_path: Path) -> None:
    table = new_table()
    here = Path.cwd()
    os.chdir(tmp_path)
    try:
        for line in ("C3", "save", "save", "save  'my game' ", "save .", "save a\0b"):
            table.execute(line)
    finally:
        os.chdir(here)
    assert {path.name for path in tmp_path.iterdir()} == {"game-1.sgf", "game-2.sgf", "my game.sgf"}
    assert "Saved game-1.sgf." in said(table)


def test_during_the_extra_turns_of_a_handicap_nothing_is_claimed() -> None:
    table = new_table(handicap=3, warn=True)
    for line, turns in (("C3", "2 times"), ("C2", "once")):
        table.execute(line)
        said(table)
        for word in ("hint", "explain"):
            table.execute(word)
            assert f"Now Black plays {turns} more" in said(table)
    table.execute("A1")
    assert table.engine.game.to_move == WHITE
    table.execute("undo")
    assert table.engine.game.to_move == BLACK
    assert table.extra_turns == 1


def test_undo_of_a_person_with_white_goes_back_to_white() -> None:
    table = new_table(people=frozenset({WHITE}))
    table.answer_and_show()
    for vertex in ("A1", "B2", "C3", "D4", "E5"):
        if len(table.engine.game.moves) == 1:
            table.execute(vertex)
    assert len(table.engine.game.moves) == 3
    table.execute("undo")
    assert len(table.engine.game.moves) == 1
    assert table.engine.game.to_move == WHITE
    table.execute("undo")
    assert "no move of yours" in said(table)


def test_a_capture_says_which_stones_were_taken() -> None:
    table = new_table("capture-3")
    for vertex in ("A2", "A1", "B1"):
        table.execute(vertex)
    assert said(table).count("White's stone at A1 was taken off the board.") == 1
    table = new_table("capture-3", people=frozenset({BLACK}))
    game = table.engine.game
    for vertex in ("C3", "C4", "C2", "B3", "E5", "D3", "A5", "B2", "A1", "D2"):
        game.play(vertex)

    def reply(color: int) -> str:
        game.play("C1", color)
        return "C1"

    with patch.object(table.engine, "genmove", side_effect=reply):
        table.execute("E1")
    assert "I play C1.\nYour 2 stones at C2, C3 were taken off the board.\n" in said(table)


def test_a_level_has_words_for_a_child() -> None:
    table = new_table(people=frozenset({BLACK}))
    for word, number in (("easy", 1), ("Normal", 3), ("hard", 6)):
        table.execute(f"level {word}")
        assert table.engine.options.level == number
    said(table)
    table.execute("level")
    assert "Type level and easy, normal or hard, a number from 1 to 10, or a name: first-game" in said(table)


@pytest.mark.parametrize("name", TERMS)
def test_help_explains_a_word_with_a_board(name: str) -> None:
    table = new_table()
    table.execute(f"help {name[:4]}")
    text = said(table)
    assert words.SHORT.text(f"term.{name}").split(". ")[0] in text.replace("\n", " ")
    assert "A B C D E" in text


def test_a_size_may_follow_new() -> None:
    table = new_table()
    for line, width in (("new 4", 4), ("new 6x3", 6), ("new game", 6)):
        table.execute("A1")
        table.execute(line)
        assert (table.engine.game.width, table.engine.game.moves) == (width, [])


def test_the_name_of_a_folder_is_written_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games").mkdir()
    table = new_table()
    table.execute("save games")
    assert "There is a folder games." in said(table)


def test_a_pass_is_named_as_the_last_move() -> None:
    table = new_table()
    table.execute("pass")
    assert "Last move: Black passed." in said(table)


def test_the_end_of_a_game_offers_what_can_be_typed_then() -> None:
    table = new_table()
    table.execute("resign")
    text = " ".join(said(table).split())
    assert "Last move: Black resigned. Game over: White wins: Black resigned." in text
    for offer in ("undo (go back)", "explain (what happened)", "review (go through all moves)", "or quit (leave)."):
        assert offer in text


def test_another_size_keeps_the_level() -> None:
    table = new_table()
    table.execute("level 6")
    table.execute("size 7")
    assert (table.engine.options.level, table.engine.game.width) == (6, 7)


@pytest.mark.parametrize("system", [ColorSystem.STANDARD, ColorSystem.EIGHT_BIT, ColorSystem.TRUECOLOR])
def test_stones_and_marks_differ_from_the_board_in_every_colour_system(system: ColorSystem) -> None:
    def shown(style: str) -> Color | None:
        parsed = Style.parse(style)
        color = parsed.bgcolor or parsed.color
        return color and color.downgrade(system)

    grounds = [shown(style) for style in (drawing.WOOD, drawing.LAST, drawing.ATARI)]
    assert len(set(grounds)) == 3
    for color in (BLACK, WHITE):
        assert shown(drawing.STYLES[color]) not in grounds


@pytest.mark.parametrize(("moves", "most"), [(2, 5), (3, 5), (3, 2), (2, None)])
def test_a_line_that_is_shown_goes_on_if_it_does_not_end_the_game(moves: int, most: int | None) -> None:
    table = new_table()
    for vertex in ("C3", "B3", "A1", "C2", "E1", "D3", "E5"):
        table.execute(vertex)
    said(table)
    table.replay(table.engine.game, WHITE, ("A5", "B5", "C4")[:moves], most)
    goes_on = most is not None and min(moves, most) < 3
    assert ("Then it goes on." in said(table)) == goes_on
