"""The command gtp-capture play, in a pseudo-terminal."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest
from sgfmill import sgf

from gtp_capture.go.diagram import parse
from gtp_capture.go.vertex import BLACK, WHITE

from ..support import forks
from ..support.person import PROMPT, Person
from ..support.process import ENGINE, HANG, wait_for_work

pytestmark = [pytest.mark.posix, pytest.mark.usefixtures("compiled")]


@pytest.fixture
def person() -> Iterator[Person]:
    with Person("--size", "5") as made:
        yield made


def test_the_first_lines_tell_the_goal_the_colours_and_what_to_type(person: Person) -> None:
    assert "The goal: take a stone before I do" in person.seen
    assert "You are Black (●). I am White (○)." in person.seen
    assert "Type a point, for example C3" in person.seen
    assert "Your turn: Black (●) to play." in person.seen
    assert person.prompt == "Black"


def test_a_game_begins_small_and_easy_unless_told_otherwise() -> None:
    with Person() as person:
        assert "first-capture on 5x5, level 1 (first-game)." in person.seen
        assert "I begin at level 1: I go up by one when you win, and down by one when you lose." in person.seen
    with Person("--level", "3", "--size", "7") as person:
        assert "first-capture on 7x7, level 3 (first-week)." in person.seen
        assert "I begin" not in person.seen


def test_the_board_is_shown_with_coordinates_colours_and_the_last_move(person: Person) -> None:
    assert re.search(r"^ +A B C D E", person.seen, re.MULTILINE)
    seen = person.type("c3")
    move = re.search(r"I play ([A-E][1-5])\.", seen)
    assert move is not None
    assert "●" in seen
    assert seen.count("(○)") == 1
    assert f"Last move: White {move[1]}." in seen
    assert "\x1b[" in person.raw


@pytest.mark.slow
def test_a_game_ends_with_the_winner_and_can_be_saved(person: Person, tmp_path: Path) -> None:
    assert "A pass gives me a stone, and I win." in person.type("pass")
    assert person.prompt == "yes or no"
    person.type("no")
    assert person.prompt == "Black"
    person.type("pass")
    assert "Game over: I win: the pass gave me a stone." in person.type("Yes")
    assert person.prompt == ""
    assert "The game is over" in person.type("C3")
    assert "Saved" in person.type(f"save {tmp_path / 'game.sgf'}")
    game = sgf.Sgf_game.from_bytes((tmp_path / "game.sgf").read_bytes())
    assert game.get_winner() == "w"
    assert [game.get_player_name(color) for color in "bw"] == ["you", "gtp-capture level adapt"]
    person.type("undo")
    assert "I play" in person.type("C3")
    assert "Game over: I win: you resigned." in person.type("resign")
    person.type("new")
    person.type("no")
    person.terminal.sendline("quit")
    assert person.end() == 0


@pytest.mark.slow
def test_the_commands_help_hint_level_and_explain(person: Person) -> None:
    seen = person.type("help")
    assert all(
        f"\n  {word}" in seen for word in ("hint", "undo", "explain", "level", "save", "resign", "quit", "rules")
    )
    assert "undo [N]: take your last move back." in person.type("HELP undo")
    assert "I cannot explain 'dance'. Type help to see all words." in person.type("help dance")
    assert re.search(r"[A-E][1-5]\b", person.type("hint"))
    assert "Level 5: careful-beginner." in person.type("level careful-beginner")
    assert "full-strength" in person.type("level nonsense")
    assert "You have not played yet" in person.type("explain")
    assert "The first to take a stone wins." in person.type("rules")
    assert person.type("board").count("A B C D E") == 2
    person.type("A1")
    assert re.search(r"A1 (loses( in \d+ moves?)?\.|wins\.)|A1: I found no sure way", person.type("explain"))


SPEECH = [
    ("Z9", "Z9 is not on this board. The columns go from A to E, and the rows from 1 to 5."),
    ("c9", "C9 is not on this board."),
    ("nonsense", "I do not understand 'nonsense'. Type a point such as C3, or help."),
    ("hnit", "I do not understand 'hnit'. Do you mean hint?"),
    ("h", "I do not understand 'h'."),
    ("c", "Which row? Type a letter and a number, for example C3."),
    ("3", "Which column? Type a letter and a number, for example C3."),
    ("C33", "not on this board"),
    ("C333", "I do not understand"),
    ("i3", "There is no column I, because it looks like a 1. The columns are A B C D E."),
    ("C3 D4", "One move at a time, please: C3 or D4?"),
    ("black c3", "Please type the point alone, for example C3."),
    ("undo", "There is no move of yours to take back."),
    ("undo two", "Type undo, or undo and a number, for example undo 2."),
    ("explain", "You have not played yet."),
    ("size", "This board is 5x5."),
    ("size 26", "Type size and a number from 2 to 25"),
    ("save /nowhere/at/all.sgf", "I cannot write that file: No such file or directory."),
    ("save /", "is a folder"),
    ("äöü", "I do not understand 'äöü'"),
    ("[bold]:smile:", r"I do not understand '[bold]:smile:'"),
    ("#", "I do not understand '#'"),
]


@pytest.mark.slow
def test_invalid_input_gets_one_clear_line(person: Person) -> None:
    for line, expected in SPEECH:
        said = person.said(line)
        assert len(said) == 1, said
        assert expected in said[0]
        assert person.prompt == "Black"


@pytest.mark.slow
def test_an_atari_is_announced_and_a_capture_wins() -> None:
    with Person("--size", "4x4", "--color", "white", "--level", "1") as person:
        seen = person.seen
        for _ in range(20):
            hint = re.search(r"\b([A-D][1-4])\b", person.type("hint"))
            assert hint is not None
            seen = person.type(hint[1])
            if "Game over" in seen:
                break
        assert re.search(r"Game over: (you|I) win(! (You|I) have taken|: (you|I) cannot play)", seen)


def test_an_atari_has_a_mark_and_a_line_and_the_last_stone_keeps_its_bracket() -> None:
    with Person("--size", "5", "--two") as person:
        for point in ("C3", "D3", "A1", "C2", "E1", "B3"):
            seen = person.type(point)
        assert "Atari! Black's stone at C3 has one liberty left." in seen
        assert "3 ·(○)● ○ · 3" in seen
        person.type("E5")
        assert "3 · ○!● ○ · 3" in person.type("board")


def test_a_board_can_be_read_aloud() -> None:
    with Person("--size", "5", "--two", "--spoken") as person:
        assert "Columns A to E.\r\nRow 5: all empty.\r\n" in person.seen
        assert "A B C D E" not in person.seen
        for point in ("C3", "B3", "A1", "C2", "E1", "D3"):
            seen = person.type(point)
        assert "Row 3: empty, white, black in atari, white, empty." in seen
        assert "Row 2: empty, empty, white, empty, empty." in seen
        assert "Atari! Black's stone at C3 has one liberty left." in seen
        assert "Row 3: empty, black, white in atari, empty a, empty." in person.type("help atari")


@pytest.mark.slow
def test_a_hint_of_a_won_game_shows_the_forced_moves_on_the_board() -> None:
    with Person("--size", "5", "--two") as person:
        for point in ("C3", "B3", "A1", "C2", "at e1"):
            person.type(point)
        seen = person.type("hint")
        assert "B1 starts a ladder: atari again and again" in seen
        assert re.search(r"4 5 · · · · 4\s+3 4 ○ ● · · 3\s+2 2 3 ○ · · 2\s+1 ● 1 · · ● 1", seen)
        assert "1: White plays B1, 2: Black plays A2, 3: White plays B2" in seen
        assert "Then it goes on." not in seen


@pytest.mark.slow
def test_a_hint_numbers_five_moves_of_a_long_line() -> None:
    with Person("--size", "6", "--two") as person:
        for point in ("B3", "D3", "E4", "C4", "A1"):
            person.type(point)
        seen = person.type("hint")
        assert re.search(r"2 1 3 5 · · · 2\s+1 ● 2 4 · · · 1", seen)
        assert "5: White plays C2." in " ".join(seen.split())
        assert "This is how it can begin. Then it goes on." in seen


@pytest.mark.slow
def test_a_hint_is_an_opinion_without_numbers_or_names_whose_chain_it_saves() -> None:
    with Person("--size", "9", "--two") as person:
        assert re.search(r"I would play [A-J][1-9]\.", person.type("hint"))
        for point in ("E5", "E4", "G5", "D5", "G3", "E6"):
            person.type(point)
        assert "F5 saves Black's chain at E5." in person.type("hint")


@pytest.mark.slow
def test_a_review_says_which_move_looks_better() -> None:
    with Person("--size", "9", "--two") as person:
        for point in ("E5", "A2", "A1"):
            person.type(point)
        assert re.search(r"3 B A1: After A1 White wins\. [A-J][1-9] looks better\.", person.type("review"))


def test_points_have_several_forms_and_a_capture_names_its_stones() -> None:
    with Person("--size", "5", "--two", "--rules", "capture-3") as person:
        for point in ("1,2", "at a1", "B1"):
            seen = person.type(point)
        assert "White's stone at A1 was taken off the board." in seen
        person.type("5,5")
        assert "Last move: Black D4." in person.type("at d4")


def test_help_explains_a_word_with_a_small_board(person: Person) -> None:
    seen = person.type("help atari")
    assert "A chain with one liberty left is in atari" in seen
    assert re.search(r"3 · ●!○ a · 3", seen)
    assert "You win by force if you win whatever the other side plays." in person.type("help force")
    assert "liberties, chain, atari" in person.type("help")


def test_a_level_may_be_easy_normal_or_hard(person: Person) -> None:
    for word, expected in (("easy", "Level 1: first-game."), ("normal", "Level 3: "), ("hard", "Level 6: ")):
        assert expected in person.type(f"level {word}")
    assert "Type level and easy, normal or hard" in person.type("level")


def test_an_occupied_point_and_suicide_are_refused_with_a_reason() -> None:
    with Person("--size", "5", "--two") as person:
        person.type("A2")
        assert person.said("a2") == ["There is a stone on A2 already. Choose a free point."]
        for point in ("E5", "B1", "E4"):
            person.type(point)
        assert person.prompt == "Black"
        person.type("D1")
        assert person.said("A1") == ["A stone on A1 would have no liberty, so you may not play there now. "
                                     "Choose another point."]  # fmt: skip


@pytest.mark.slow
def test_ko_is_refused_with_a_reason() -> None:
    with Person("--size", "5", "--two", "--rules", "japanese") as person:
        for point in ("B3", "C3", "A2", "D2", "B1", "C1", "C2", "B2"):
            person.type(point)
        assert "This is ko: you may not take back on C2 at once." in person.type("c2")


def test_prisoners_are_counted_under_capture_n() -> None:
    with Person("--size", "5", "--two", "--rules", "capture-3") as person:
        assert "Prisoners: Black has 0 of 3, White has 0 of 3." in person.seen
        assert "The goal: take 3 stones before the other player does." in person.seen
        for point in ("A2", "A1", "B1"):
            seen = person.type(point)
        assert "Prisoners: Black has 1 of 3, White has 0 of 3." in seen
        assert "no passing in this game" in person.type("pass")


@pytest.mark.slow
def test_a_game_of_go_ends_with_the_score_and_the_dead_stones() -> None:
    with Person("--size", "5", "--two", "--rules", "japanese") as person:
        assert "The goal: fence in more free points than the other player does." in person.seen
        for point in ("C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5", "E3", "A3", "pass"):
            person.type(point)
        seen = " ".join(person.type("pass").split())
        assert "Dead stones, which come off the board: A3, E3." in seen
        assert "Black: 10 points + 1 prisoner = 11." in seen
        assert "White: 5 points + 1 prisoner + 5.5 for going second = 11.5." in seen
        assert "Game over: White wins by 0.5 points." in seen


@pytest.mark.slow
def test_undo_takes_several_moves_back(person: Person) -> None:
    played = 0
    for point in ("C3", "C2", "D4", "B4", "D2", "B2"):  # the engine may have played on some of them
        played += played < 3 and "I play" in person.type(point)
    assert "There are only 3 moves of yours to take back." in person.type("undo 4")
    assert person.type("undo 3").count("·") == 25
    assert person.type("undo").count("no move of yours") == 1


@pytest.mark.slow
def test_a_new_game_and_another_size_ask_before_a_game_is_thrown_away(person: Person) -> None:
    person.type("size 6")
    assert person.prompt == "Black"
    person.type("C3")
    assert "This game is not over." in person.type("new")
    assert "Please type yes or no." in person.type("perhaps")
    assert "Black C3" not in person.type("no")
    assert "Black C3" not in person.type("board")
    person.type("size 4")
    assert "A B C D\r" in person.type("y")


@pytest.mark.slow
def test_save_asks_before_overwriting_and_names_the_file(tmp_path: Path) -> None:
    with Person("--size", "5", columns=400) as person:  # so that no path is wrapped
        person.type("C3")
        path = tmp_path / "mine.sgf"
        assert f"Saved {path}." in person.type(f"save {tmp_path / 'mine'}")
        before = path.read_bytes()
        person.type("A1")
        assert "Write over it?" in person.type(f"save {path}")
        assert "I left" in person.type("n")
        assert path.read_bytes() == before
        person.type(f"save {path}")
        person.type("yes")
        assert path.read_bytes() != before
        assert f"Saved {tmp_path / 'board.png.sgf'}." in person.type(f"save {tmp_path / 'board.png'}")


@pytest.mark.slow
def test_ctrl_c_offers_to_save_and_a_second_one_leaves(tmp_path: Path) -> None:
    with Person("--size", "5") as person:
        person.type("C3")
        assert "Type a name to save" in person.interrupt()
        assert person.prompt == "name"
        assert "A B C D E" in person.type("")  # the game goes on
        person.interrupt()
        person.terminal.sendintr()
        assert person.end() == 130
    with Person("--size", "5") as person:
        person.type("C3")
        person.interrupt()
        person.terminal.sendline(f"{tmp_path / 'kept'}")
        assert person.end() == 0
    assert b"B[cc]" in (tmp_path / "kept.sgf").read_bytes()
    with Person("--size", "5") as person:
        person.terminal.sendintr()  # nothing to save
        assert person.end() == 130


@pytest.mark.slow
def test_ctrl_c_at_the_first_prompt_is_never_lost() -> None:
    for delay in (0.0, 0.005):  # while the search is loaded in the background
        terminal = pexpect.spawn(ENGINE[0], [*ENGINE[1:], "play", "--size", "5"], encoding="utf-8", timeout=HANG)
        terminal.expect(PROMPT)
        terminal.delaybeforesend = delay
        terminal.sendintr()
        terminal.expect(pexpect.EOF)
        terminal.close()
        assert terminal.exitstatus == 130


@pytest.mark.linux
@pytest.mark.slow
def test_ctrl_c_while_the_engine_thinks_offers_to_save() -> None:
    with Person("--size", "9", "--level", "10") as person:
        person.type("hint")  # waits until the search is loaded
        person.type("E5")
        person.terminal.sendline("B2")  # leaves the opening book
        wait_for_work(person.terminal.program.pid)  # ^C discards what the process has not read yet
        person.terminal.sendintr()
        assert "Type a name to save" in person.read()
        person.type("")
        assert "I play" in person.type("A1")


def test_the_end_of_the_input_ends_the_game(person: Person) -> None:
    person.terminal.sendeof()
    assert person.end() == 0
    assert person.rest.strip() == ""


@pytest.mark.slow
@pytest.mark.parametrize("leave", ["quit", "end of the input"])
def test_leaving_a_game_that_is_not_over_offers_to_save_it(leave: str, tmp_path: Path) -> None:
    for name in ("", str(tmp_path / "game.sgf")):
        with Person("--size", "5", "--level", "1") as person:
            person.type("C3")
            if leave == "quit":
                person.terminal.sendline("quit")
            else:
                person.terminal.sendeof()
            assert "This game is not over. Type a name to save it" in person.read()
            assert person.prompt == "name"
            person.terminal.sendline(name)
            assert person.end() == 0
    assert sgf.Sgf_game.from_bytes((tmp_path / "game.sgf").read_bytes()).get_size() == 5


@pytest.mark.slow
def test_after_a_game_the_loser_takes_black_if_the_person_agrees() -> None:
    with Person("--size", "5") as person:
        person.type("resign")
        seen = " ".join(person.type("new").split())
        assert (
            "There is a custom: the loser takes Black. If Black loses, Black gets one extra turn at the start" in seen
        )
        assert person.prompt == "yes or no"
        seen = " ".join(person.type("yes").split())
        assert (
            "First the extra turns change. My level changes when you lose with 3 of them, or win without any." in seen
        )
        assert (
            "The loser takes Black. You are Black (●). I am White (○). Black plays 2 times before White begins." in seen
        )
        assert "I play" not in person.type("C3")
        person.type("resign")
        assert "Black plays 3 times before White begins." in person.type("new")
    with Person("--size", "5", "--two") as person:
        person.type("resign")
        person.type("new")
        assert "Black plays 2 times before White begins." in person.type("yes")
        for line in ("C3", "C4", "resign"):
            person.type(line)
        assert "Black won, and has one extra turn less." in person.type("new")


@pytest.mark.slow
def test_a_finished_game_can_be_saved_when_one_leaves(tmp_path: Path) -> None:
    with Person("--size", "5") as person:
        person.type("C3")
        person.type("resign")
        assert "Type a name to save this game, or press Enter to leave without it." in person.type("quit")
        assert person.prompt == "name"
        person.terminal.sendline(str(tmp_path / "game"))
        assert person.end() == 0
    assert (tmp_path / "game.sgf").exists()


@pytest.mark.slow
def test_no_is_not_the_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Person("--size", "5") as person:
        person.type("C3")
        person.interrupt()
        assert "A B C D E" in person.type("No")  # the game goes on
        assert person.prompt == "Black"
        person.type("quit")
        person.terminal.sendline("no")
        assert person.end() == 0
    assert not list(tmp_path.iterdir())
    with Person("--size", "5") as person:
        person.type("C3")
        person.interrupt()
        person.terminal.sendline("yes")
        assert person.end() == 0
    assert [path.name for path in tmp_path.iterdir()] == ["game-1.sgf"]


def test_the_extra_turns_of_a_handicap_are_announced() -> None:
    with Person("--rules", "capture-3", "--size", "5", "--handicap", "3") as person:
        assert "Black plays 3 times before White begins." in person.seen
        assert "Black begins, with 3 turns in a row. Then the two sides take turns" in person.type("rules")


def test_a_punished_move_is_shown_before_it_is_played() -> None:
    with Person("--size", "5", "--two", "--warn") as person:
        for point in ("C3", "C2", "A4", "B3"):
            person.type(point)
        assert person.prompt == "Black"
        person.type("E2")
        person.type("C4")
        seen = person.type("A1")
        assert "White can take 1 stone at once, and wins the game." in seen
        assert re.search(r"3 · ○!● 1 ·", seen)
        assert "1: White plays D3." in seen
        assert "Do you want to take A1 back?" in seen
        assert "Black A1" not in person.type("yes")
        assert person.prompt == "Black"
        person.type("A1")
        assert "Last move: Black A1." in person.type("no")


@pytest.mark.slow
def test_a_ladder_is_shown_before_it_can_be_played() -> None:
    with Person("--size", "6", "--two", "--warn") as person:
        person.type("hint")  # waits until the search is loaded
        for point in ("B3", "D3", "E4", "C4"):
            person.type(point)
        seen = person.type("A1")
        assert person.prompt == "yes or no"
        assert "White can chase your stones: every move is atari, and no answer saves them all." in seen
        assert "1: White plays A2, 2: Black plays B1, 3: White plays B2" in seen
        assert re.search(r"2 1 3 5 · · · 2\s+1 ● 2 4 6 7 · 1", seen)
        person.type("no")
        assert "A1 loses" in person.type("explain")


@pytest.mark.slow
def test_an_explanation_is_replayed_on_the_board() -> None:
    with Person("--size", "5", "--two") as person:
        for point in ("C3", "C2", "E5", "B3", "E1", "C4", "A1"):
            person.type(point)
        # A second is enough, unless other processes take it.
        seen = next(filter(lambda text: "A1 loses" in text, (person.type("explain") for _ in range(5))), "")
        assert "A1 loses in 1 move." in seen
        assert re.search(r"3 · ○!● 1 ·", seen)
        assert "1: White plays D3." in seen
        assert re.search(r"The losing move was|was a winning move\.|I found no sure way|The position was lost", seen)


@pytest.mark.slow
def test_after_a_game_of_two_people_the_loser_s_move_is_explained() -> None:
    """White lost. E2 and A5 leave C4 in atari, and Black misses it once."""
    with Person("--size", "5", "--two") as person:
        for point in ("C3", "C4", "B4", "A1", "D4", "E2", "E3", "A5", "C5"):
            person.type(point)
        seen = person.type("explain")
        assert "A5 loses in 1 move." in seen
        assert "A5 misses a rescue: C5 takes White's chain at C4 out of atari." in seen
        seen = person.type("review")
        assert "6 W E2: E2 misses a rescue: C5 takes White's chain at C4 out of atari." in seen
        assert "7 B E3: E3 misses a capture: C5 takes a stone and wins." in seen
        person.type("undo")
        person.type("resign")
        assert "E3 misses a capture: C5 takes a stone and wins." in person.type("explain")


@pytest.mark.slow
def test_a_handicap_in_capture_games_is_extra_turns_of_black() -> None:
    options = ("--rules", "capture-3")
    with Person("--size", "7", "--handicap", "3", *options) as person:
        assert "Black B2" in person.type("B2")
        assert person.prompt == "Black"
        assert "Black F2" in person.type("F2")
        assert "I play" in person.type("B6")
        person.type("undo 2")
        assert "Last move: Black B2." in person.type("board")
        assert person.prompt == "Black"
    with Person("--size", "7", "--handicap", "2", "--color", "white", *options) as person:
        assert person.seen.count("I play") == 2


def test_a_handicap_in_go_is_stones_on_the_board() -> None:
    with Person("--size", "9", "--handicap", "4", "--rules", "japanese", "--color", "white") as person:
        assert re.search(r"7 · · ● · · · ● · · 7", person.seen)
        assert person.prompt == "White"


def test_an_opening_is_set_up() -> None:
    with Person("--size", "5", "--opening", "crosscut") as person:
        assert re.search(r"4 · · ○ ● · 4\s+3 · · ● ○ · 3", person.seen)
        assert "too small for a crosscut" in person.type("size 3")


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [{"TERM": "dumb"}, {"NO_COLOR": "1", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}],
    ids=["dumb", "ascii"],
)
def test_without_colours_marks_are_signs(environment: dict[str, str]) -> None:
    with Person("--size", "5", "--two", environment=environment) as person:
        for point in ("C3", "B3", "A1", "C2", "E1", "D3"):
            seen = person.type(point)
        assert re.search(r"3 [·.] [○O]![●X]\([○O]\)[·.] 3", seen)
        assert not re.search(r"\x1b\[[0-9;]*[34][0-8]", person.raw)


@pytest.mark.slow
def test_a_narrow_terminal_shows_the_whole_board() -> None:
    for size, term in ((19, "dumb"), (25, "xterm-256color")):
        with Person("--size", str(size), "--two", columns=40, environment={"TERM": term}) as person:
            seen = person.type("C3")
            board = "\n".join(line for line in seen.splitlines() if re.match(r" *(\d+ |A B|ABC)", line))
            assert max(len(line) for line in seen.splitlines()) <= 40
            game = parse(board)
            assert (game.width, game.height, len(game.black)) == (size, size, 1)


@pytest.mark.slow
def test_a_board_that_play_shows_can_be_read_as_a_diagram() -> None:
    with Person("--size", "9", "--two", columns=100) as person:
        for point in ("E5", "E4", "A1", "D5", "A2", "F5"):
            seen = person.type(point)
        found = parse(seen.partition("F5")[2])
        assert (found.width, len(found.black), len(found.white), found.to_move) == (9, 3, 3, BLACK)
        assert parse(person.type("a3").partition("a3")[2]).to_move == WHITE


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii:strict", "cp437"])
def test_a_terminal_without_round_stones_shows_letters(encoding: str, tmp_path: Path) -> None:
    with Person("--size", "5", environment={"PYTHONIOENCODING": encoding}) as person:
        seen = person.type("C3")
        assert re.search(r"^ +3 . . X . . +3", seen.replace("(", " ").replace(")", " "), re.MULTILINE)
        assert "White (O)" in person.type("rules") + person.seen
        assert not set("●○·") & set(seen)
        # Any text may be typed, and is quoted in messages.
        assert "I do not understand" in person.type("äöü●")
        assert "Saved" in person.type(f"save {tmp_path}/Bücher ●.sgf")
        assert person.type("save /nowhere/ä.sgf").count("I cannot write") == 1
        assert "full-strength" in person.type("level ○")
    (saved,) = tmp_path.iterdir()
    assert saved.name == "Bücher ●.sgf" or encoding == "cp437"
    assert sgf.Sgf_game.from_bytes(saved.read_bytes()).get_size() == 5


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_input_in_another_encoding_than_the_one_demanded_is_one_line(encoding: str) -> None:
    environment = {"PYTHONIOENCODING": encoding}
    done = forks.run_bytes("play", "--size", "5", "--two", data="C3\n", env=environment)
    assert done.returncode == 2
    line = done.stderr.decode(encoding).strip()
    assert line == f"gtp-capture: the input is not {encoding} text, as PYTHONIOENCODING or the locale says"


def test_invalid_utf_8_is_reported_as_not_understood() -> None:
    with Person("--size", "5", environment={"PYTHONIOENCODING": "utf-8:strict"}) as person:
        os.write(person.terminal.child_fd, b"\xff\xfe\n")
        assert "I do not understand" in person.read()
        assert "I play" in person.type("C3")
