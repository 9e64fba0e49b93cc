"""A game of one person or two: moves, help, the custom between games, saving. No line fails or changes it wrongly."""

from __future__ import annotations

import re
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gtp_capture.go import board as bd
from gtp_capture.go import sgf
from gtp_capture.go.rules import Rules, Scoring
from gtp_capture.go.scoring import Status
from gtp_capture.go.vertex import BLACK, RESIGN, WHITE
from gtp_capture.players.adapt import Profile
from gtp_capture.teach import sentences, words
from gtp_capture.teach.event import Asked, Played, Question, RefusedError
from gtp_capture.teach.terms import TERMS
from gtp_capture.tutor import reading
from gtp_capture.tutor.game import GameSession
from gtp_capture.tutor.reading import Answer, Command, Continue, Play
from gtp_capture.tutor.setup import setup_of_file

from ..support.held import BOTH, Held, Shelf, game, question_of, resources, seats
from ..support.random_games import Plan, plans

ALONE = frozenset({BLACK})
POINTS = st.builds(lambda c, r, form: form.format(c, r), st.sampled_from("ABCDEabcdeI"), st.integers(0, 7),
                   st.sampled_from(["{0}{1}", "{0} {1}", "{1}{0}", "{0}{1} {0}{1}"]))  # fmt: skip
COMMANDS = st.builds(
    "{} {}".format,
    st.sampled_from([name for name in GameSession.COMMANDS if name not in ("hint", "explain", "review", "quit")]),
    st.sampled_from(["", "2", "3x4", "-1", "undo", "[/b]", "99999999999999999999999", "misses-most", "\ud800"]),
)
LINES = st.lists(st.one_of(POINTS, POINTS, COMMANDS, st.sampled_from("yn"), st.text(max_size=20)), max_size=25)


def own(held: Held) -> GameSession:
    assert isinstance(held.session, GameSession)
    return held.session


@settings(suppress_health_check=list(HealthCheck))
@given(LINES, st.sampled_from(["first-capture", "capture-3", "aga", "japanese"]), st.booleans(), st.booleans())
@pytest.mark.slow
def test_no_line_fails_or_changes_the_game_without_a_legal_move(
    lines: list[str], rules: str, two: bool, warn: bool
) -> None:
    held = game(rules=rules, people=BOTH if two else ALONE, warn=warn)
    for line in lines:
        before = held.session.game.copy()
        asked = held.question
        if re.match(r"\s*(hin|exp|rev|qui|exit|q\b)", line, re.IGNORECASE):
            continue
        text, now = held.type(line), held.session.game
        old, new = before.positions, now.positions
        if len(new) > len(old) and new[: len(old)] == old:
            first = now.moves[len(before.moves)]
            played = now.vertex(first.point)
            assert first.color == before.to_move
            assert played == "resign" or before.is_legal(played)
            assert (
                asked
                or reading.read(line, held.session.commands, held.session.wanted) == Play(first.point)
                or (line.strip()[:3].lower() == played[:3])
            )
            assert two or all(int(move.color) == WHITE for move in now.moves[len(before.moves) + 1 :])
        elif new != old:
            assert asked or line.strip().lower()[:3] in ("und", "new")
        assert text.strip() or held.pictures or not line.strip()


@settings(max_examples=40)
@given(plans(most=40, sides=(4, 5), rules=["aga", "japanese", "chinese", "tromp-taylor"]), st.integers(0, 3))
def test_the_count_at_the_end_adds_up_to_the_score(plan: Plan, handicap: int) -> None:
    game = plan.after()
    game.handicap = handicap
    # Any statuses do: the sums must be right for all of them.
    game.find_statuses = lambda board: {p: (Status.DEAD, Status.ALIVE, Status.SEKI)[p % 3] for p in bd.chains(board)}
    game.go_on()
    game.play("pass")
    game.play("pass")
    assert game.outcome is not None
    lines = "\n".join(words.count_lines(game, words.SHORT))
    black, white = (float(total) for total in re.findall(r"^(?:Black|White): .* = (-?[\d.]+)\.$", lines, re.MULTILINE))
    assert black - white == game.score()
    for line in lines.splitlines():
        if match := re.fullmatch(r"\w+: (.*) = (.*)\.", line):
            assert "+ -" not in match[1]
            parts = match[1].replace(" - ", " + -").split(" + ")
            assert sum(float(part.split()[0]) for part in parts) == float(match[2])
    assert ("for going second" in lines) == (handicap == 0)
    assert not re.search(r"\b1 (points|prisoners|stones)", lines)
    assert ("prisoner" in lines) == (game.rules.scoring is Scoring.TERRITORY)


ANSWERS = [
    # the rules, what is typed, and a part of the last answer
    ("first-capture", ["undo"], "There is no move of yours to take back."),
    ("first-capture", ["C3", "A1", "undo 3"], "There are only 2 moves of yours to take back."),
    ("first-capture", ["undo two"], "Type undo, or undo and a number, for example undo 2."),
    ("first-capture", ["explain"], "You have not played yet."),
    ("first-capture", ["review"], "There is no move to look at."),
    ("first-capture", ["new 26"], "Type new and a number from 2 to 25"),
    (
        "first-capture",
        ["level nonsense"],
        "There is no level 'nonsense'. Type easy (1), normal (3) or hard (6), or a number: 1 (misses most",
    ),
    (
        "first-capture",
        ["level"],
        "Type level and easy (1), normal (3) or hard (6), or a number: 1 (misses most captures), 2",
    ),
    ("first-capture", ["help level"], "Type easy (1), normal (3) or hard (6), or a number from 1 to 10."),
    ("first-capture", ["pass", "yes"], "Last move: Black passed."),
    ("first-capture", ["A2", "a2"], "There is a stone on A2 already. Choose a free point."),
    ("first-capture", ["A2", "E5", "B1", "E4", "D1", "A1"], "A stone on A1 would have no liberty"),
    ("first-capture", ["C3", "D3", "A1", "C2", "E1", "B3"], "Atari! Black's stone at C3 has one liberty left."),
    ("first-capture", ["resign"], "Game over: White wins: Black resigned."),
    ("first-capture", ["resign"], "undo (go back), explain (what happened), review (go through all moves)"),
    ("first-capture", ["resign", "C3"], "The game is over: type new for another game, or undo to go back."),
    ("capture-3", ["A2", "A1", "B1"], "White's stone at A1 was taken off the board."),
    ("capture-3", ["A2", "A1", "B1"], "Prisoners: Black has 1 of 3, White has 0 of 3."),
    ("capture-3", ["pass"], "There is no passing in this game."),
    (
        "japanese",
        ["B3", "C3", "A2", "D2", "B1", "C1", "C2", "B2", "c2"],
        "This is ko: you may not take back on C2 at once.",
    ),
    ("japanese passing=forbidden", ["rules"], "There is no passing: a side without a move loses."),
    ("capture-2 suicide=yes", ["rules"], "if it takes nothing, its own side's stones there become prisoners"),
    ("tromp-taylor small_komi=5.3", ["C3", "pass", "pass"], "stones and points + 5.3 for going second = 5.3."),
]


@pytest.mark.parametrize(("rules", "lines", "expected"), ANSWERS)
def test_a_line_is_answered_in_a_sentence(rules: str, lines: list[str], expected: str) -> None:
    assert expected in game(*lines, rules=rules).text


def test_points_are_counted_as_work_that_can_be_stopped() -> None:
    session = game("C3", "pass", rules="chinese").session
    reply = session.typed("pass")
    assert (len(reply.events), reply.work is not None) == (1, True)
    session.cancel()
    session.handle_input(Command("quit"))
    assert question_of(session) is Question.SAVE_FINISHED
    held = Held(session)
    assert "Game over: Black wins by " in held.type("")


@pytest.mark.usefixtures("compiled")
@pytest.mark.slow
def test_a_game_of_go_ends_with_the_score_and_the_dead_stones() -> None:
    moves = ("C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5", "E3", "A3", "pass", "pass")
    text = game(*moves, rules="japanese").text
    assert "Dead stones, which come off the board: A3, E3." in text
    assert "Black: 10 points + 1 prisoner = 11." in text
    assert "White: 5 points + 1 prisoner + 5.5 for going second = 11.5." in text
    assert "Game over: White wins by 0.5 points." in text


@pytest.mark.parametrize("name", TERMS)
def test_help_explains_a_word_with_a_board(name: str) -> None:
    held = game(f"help {name[:4]}")
    assert words.SHORT.text(f"term.{name}").split(". ")[0] in held.text
    (picture,) = held.pictures
    assert picture.marked == (name == "atari")


@pytest.mark.parametrize("language", sentences.languages())
def test_help_explains_the_words_of_a_language(language: str) -> None:
    voice = words.Voice(plain=True, language=language)
    typed = {voice.text(f"term.{name}.word"): name for name in TERMS}
    assert len(typed) == len(TERMS)
    own = resources(language=language)
    said = {word: Held(GameSession(seats(), own), voice).type(f"help {word.upper()}") for word in typed}
    for word, name in typed.items():
        expected = words.term(name, Rules.parse("first-capture"), voice)
        assert "".join(expected.split()) in "".join(said[word].split())


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
    handicap = turns + 1 if turns else 0
    chosen = seats(people=frozenset({person}), handicap=handicap, level=4, adapt=True, names=("Mia", "Mia"))
    session = GameSession(chosen, resources())
    session.custom = True
    session.game.play_point(RESIGN, 3 - winner)
    held = Held(session)
    assert session.setup.level == 4 + level
    assert ("Level" in held.text) == (level != 0)
    text = held.type("new")
    assert (session.setup.people, session.setup.turns) == (frozenset({after}), later)
    assert session.people == frozenset({after})
    assert ("Black puts" in text) == (later > 0)
    assert ("The loser takes Black." in text) == (later >= turns)


def test_the_custom_is_offered_once_and_two_people_change_seats() -> None:
    held = game("C3", "resign", names=("Mia", "Ole"))
    assert "the loser takes Black" in held.type("new")
    assert "Black C3" not in held.type("no")
    assert held.question is None
    held.type("C3", "resign", "new")
    assert held.question is None
    assert (own(held).custom, own(held).setup.turns) == (False, 0)
    held = game("C3", "C4", "resign", "new", "yes", "C3", "C4", "resign", "new", names=("Mia", "Ole"))
    assert "Black won, and puts one stone less at the start." in held.text
    assert own(held).setup.names == ("Mia", "Ole")  # Black won with an extra turn
    held.type("C3", "resign", "new")
    assert own(held).setup.names == ("Ole", "Mia")


def test_a_level_follows_the_result_once_and_is_remembered(tmp_path: Path) -> None:
    profile = Profile(tmp_path / "anna")
    held = Held(GameSession(seats(people=ALONE, level=2, adapt=True), resources(profile=profile)))
    assert "I begin at level 2" in held.text
    text = held.type("C3", "resign")
    assert text.index("Game over") < text.index("Level 1: misses most captures.")
    assert profile.level() == 1
    held.type("undo", "resign")
    assert own(held).setup.level == 1
    (tmp_path / "anna").write_text("")
    assert "not a profile of gtp-capture." in held.type("new", "no", "resign")


ASKED = (("pass", Question.LOSING_PASS), ("new", Question.END_GAME), ("save x", Question.OVERWRITE))


def test_questions_are_answered_by_yes_no_quit_and_nothing_else() -> None:
    for line, question in ASKED:
        held = game("C3")
        held.type("save x", "D3")
        held.type(line)
        assert [event.question for event in held.events if isinstance(event, Asked)] == [question]
        for unclear in ("perhaps", "help", ""):
            assert held.type(unclear) == "Please type yes or no."
        assert held.take(Play(held.session.game.point("E5"))) == "Please type yes or no."
        assert held.session.game.moves[1:] == held.session.game.moves[-1:]
        assert "This game is not over." in held.type("quit")
        assert held.question is Question.SAVE_UNFINISHED
        held.type("quit")
        assert held.reply.over


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("Ja.", "nein"),
        ("OUI !", "Non"),
        ("¡Sí!", "no"),
        ("si\u0301", "N"),
        ("sim", "não"),
        ("Y", "NAO"),
        ("はい。", "いいえ"),
        ("ハイ", "ｎｏ"),  # noqa: RUF001 - as a Japanese keyboard types it
        ("是", "不要！"),  # noqa: RUF001
        ("yes", "没有"),
    ],
)
def test_yes_and_no_are_understood_in_each_language_by_each_question(yes: str, no: str) -> None:
    shelf = Shelf({"mine": b"old"})
    held = Held(GameSession(seats(), resources(files=shelf)))
    held.type("C3", "save mine")
    assert "I left mine as it is." in held.type(no)
    held.type("save mine")
    assert "Saved mine." in held.type(yes)
    held.type("D3", "quit")
    assert held.question is Question.SAVE_UNFINISHED
    held.type(no)
    assert held.reply.over
    held = Held(GameSession(seats(), resources(files=shelf)))
    held.type("C3", "quit")
    assert "Saved game-1." in held.type(yes)
    assert {*shelf.files} == {"mine", "game-1"}


def test_saving_says_where_and_asks_before_it_writes_over_a_file() -> None:
    shelf = Shelf({"mine": b"old"})
    held = Held(GameSession(seats(names=("Mia", "Ole")), resources(files=shelf)))
    held.type("C3")
    assert "Write over it?" in held.type("save mine")
    assert "I left mine as it is." in held.type("n")
    assert shelf.files["mine"] == b"old"
    assert held.type("save mine", "yes") == "Saved mine."
    assert b"PB[Mia]PW[Ole]" in shelf.files["mine"]
    assert held.type("save", "save") == "Saved game-2."
    assert "A file cannot have that name." in held.type("save a/b")
    held.type("D3", "quit")
    for word in ("help", "?"):
        assert held.type(word).startswith("The name is that of a file")
    assert held.type("yes") == "Saved game-3.\nTo go on with this game, type play game-3"
    assert held.reply.over
    assert {*shelf.files} == {"mine", "game-1", "game-2", "game-3"}


def test_leaving_offers_to_save_what_is_not_saved() -> None:
    assert game("quit").reply.over
    held = game("C3", "quit", "no")
    assert (held.reply.over, own(held).resources.files) == (True, Shelf())
    held = game("C3", "quit", "")
    assert not held.reply.over
    assert held.pictures
    held = game("C3", "save", "quit")
    assert held.reply.over
    session = GameSession(seats(), replace(resources(), files=None))
    held = Held(session)
    assert "I do not understand 'save'." in held.type("C3", "save")
    held.type("quit")
    assert held.reply.over


def test_a_game_whose_screen_is_gone_is_saved() -> None:
    held = game()
    assert held.session.rescue() == ""
    held.type("C3")
    assert held.session.rescue() == "unfinished-1"
    assert sgf.load(held.session.resources.files.files["unfinished-1"]) == held.session.game  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("black", "white", "people", "names", "level"),
    [
        ("you", "gtp-capture level 3", {BLACK}, ("", ""), 3),
        ("gtp-capture level 10", "Mia", {WHITE}, ("", "Mia"), 10),
        ("gtp-capture level 99", "Mia", {WHITE}, ("", "Mia"), 1),
        ("Mia", "Ole", {BLACK, WHITE}, ("Mia", "Ole"), 1),
        ("Black", "White", {BLACK, WHITE}, ("", ""), 1),
        ("", "", {BLACK}, ("Eva", ""), 1),
    ],
)
def test_a_game_of_a_file_goes_on_with_its_players(
    black: str, white: str, people: set[int], names: tuple[str, str], level: int
) -> None:
    data = f"(;SZ[7]RU[capture-2]PB[{black}]PW[{white}];B[aa])".encode()
    setup = setup_of_file(sgf.load(data), seats(people=ALONE, names=("Eva", ""), handicap=2))
    assert (setup.rules, setup.width, setup.handicap) == (Rules.parse("capture-2"), 7, 0)
    assert (set(setup.people), setup.names, setup.level) == (people, names, level)
    held = Held(GameSession(setup, resources(), sgf.load(data)))
    assert held.session.game.moves[0].vertex == "A7"


def test_during_the_extra_turns_of_a_handicap_nothing_is_claimed() -> None:
    held = game(handicap=3, warn=True)
    for line, turns in (("C3", "2 more stones"), ("C2", "one more stone")):
        held.type(line)
        for word in ("hint", "explain"):
            assert f"Now Black puts {turns}, wherever" in held.type(word)
    held.type("A1")
    assert int(held.session.game.to_move) == WHITE
    held.type("undo")
    assert int(held.session.game.to_move) == BLACK
    assert own(held).extra_turns == 1
    assert "Black begins and puts 3 stones, one after the other." in held.type("rules")


def test_undo_goes_back_to_the_person_s_turn() -> None:
    held = game(people=frozenset({WHITE}))
    for vertex in ("A1", "B2", "C3", "D4", "E5"):
        if len(held.session.game.moves) == 1:
            held.type(vertex)
    assert len(held.session.game.moves) == 3
    held.type("undo")
    assert (len(held.session.game.moves), held.session.game.to_move) == (1, "white")
    assert "no move of yours" in held.type("undo")


def test_a_new_game_may_have_another_size_and_keeps_the_level() -> None:
    held = game("level 6")
    for line, size in (("new 4", (4, 4)), ("new 6x3", (6, 3)), ("new \uff17", (7, 7)), ("new game", (7, 7))):
        held.type("A1", line, "yes")
        assert (held.session.game.size, held.session.game.moves, own(held).setup.level) == (size, [], 6)
    held = game(crosscut=True)
    assert "too small for a crosscut" in held.type("new 3")
    with pytest.raises(RefusedError):
        seats(crosscut=True, handicap=2).new_game()


# --- Help of the engine ---

compiled = pytest.mark.usefixtures("compiled")


def helped(*lines: str, size: int = 5, **changes: object) -> Held:
    return game(*lines, player="mcts", size=size, **changes)


def numbers(held: Held) -> str:
    """The numbered moves of the last picture that has some, from 1 on, as vertices."""
    picture = next(picture for picture in reversed(held.pictures) if picture.numbers)
    marks = sorted((number, point) for point, (number, _) in (picture.numbers or {}).items())
    return " ".join(picture.game.vertex(point) for _, point in marks)


@compiled
@pytest.mark.slow
def test_a_hint_is_shown_on_the_board_if_it_wins_and_else_an_opinion() -> None:
    held = helped("C3", "B3", "A1", "C2", "at e1", "hint")
    assert "B1 starts a ladder: atari again and again" in held.text
    assert "1: White plays B1, 2: Black plays A2, 3: White plays B2" in held.text
    assert numbers(held).startswith("B1 A2 B2")
    assert "Then it goes on." not in held.text
    held = helped("B3", "D3", "E4", "C4", "A1", "hint", size=6)
    assert len(numbers(held).split()) == 5
    assert "This is how it can begin. Then it goes on." in held.text
    assert re.search(r"I would play [A-J][1-9]\.", helped("hint", size=9).text)
    held = helped("E5", "E4", "G5", "D5", "G3", "E6", "hint", size=9)
    assert "F5 saves Black's chain at E5." in held.text


@compiled
@pytest.mark.slow
def test_an_explanation_and_a_review_are_about_the_person_s_moves() -> None:
    held = helped("C3", "C2", "E5", "B3", "E1", "C4", "A1", "explain")
    assert "A1 loses in 1 move." in held.text
    assert numbers(held) == "D3"
    assert held.pictures[-1].marked
    # White lost. E1 and A5 leave C3 in atari, and Black misses it once.
    held = helped("B3", "C3", "D3", "A1", "C4", "E1", "E5", "A5", "C2", "explain")
    assert "A5 loses in 1 move." in held.text
    assert "A5 misses a rescue: C2 takes White's chain at C3 out of atari." in held.text
    text = held.type("review")
    assert "6 W E1: E1 misses a rescue: C2 takes White's chain at C3 out of atari." in text
    assert "7 B E5: E5 misses a capture: C2 takes a stone and wins." in text
    held.type("undo", "resign")
    assert "E5 misses a capture: C2 takes a stone and wins." in held.type("explain")
    # Stones that are caught at the edge cannot be rescued.
    held = helped("C3", "C4", "B4", "D3", "D4", "C2", "C5", "explain")
    assert "C2 loses in 1 move." in held.text
    assert "rescue" not in held.text + held.type("review")


@compiled
@pytest.mark.slow
def test_a_punished_move_is_shown_before_it_is_played() -> None:
    held = helped("C3", "C2", "A4", "B3", "E2", "C4", "A1", warn=True)
    assert "White can take 1 stone at once, and wins the game." in held.text
    assert numbers(held) == "D3"
    held.take(Answer(True))
    assert len(held.session.game.moves) == 6
    assert "Last move: Black A1." in held.type("A1", "no")
    held = helped("hint", size=6, warn=True)  # the search is loaded now, so ladders are read
    held.type("B3", "D3", "E4", "C4", "A1")
    assert "White can chase your stones: every move is atari, and no answer saves them all." in held.text
    assert numbers(held).startswith("A2 B1 B2")


# --- Work, and many sessions ---


def test_work_changes_nothing_until_it_is_delivered_and_can_be_given_up() -> None:
    session = GameSession(seats(people=ALONE), resources())
    session.begin()
    reply = session.typed("C3")
    assert reply.work is not None
    point = reply.work.run(threading.Event())
    assert [move.color for move in session.game.moves] == ["black"]
    session.cancel()
    reply = session.handle_input(Command("quit"))
    assert question_of(session) is Question.SAVE_UNFINISHED
    reply = session.handle_input(Continue())
    assert reply.work is not None
    reply = session.finish_work(point)
    assert [move.color for move in session.game.moves] == ["black", "white"]
    assert isinstance(played := reply.events[0], Played)
    assert (played.color, played.move) == (WHITE, session.game.vertex(point))


@compiled
@pytest.mark.slow
def test_work_ends_early_when_its_event_is_set() -> None:
    stop = threading.Event()
    stop.set()
    session = GameSession(seats(size=9, people=ALONE), resources(player="mcts"))
    session.resources.searches.limit = replace(session.resources.searches.limit, playouts=10**9, nodes=None)
    session.begin()
    session.typed("level 10")
    for line in ("E5", "hint"):
        reply = session.typed(line)
        assert reply.work is not None
        session.finish_work(reply.work.run(stop))


@compiled
@pytest.mark.slow
def test_many_sessions_share_a_few_searches_and_cost_little() -> None:
    """Eight games at a time with two players; each engine move is legal, and each game comes to its end."""
    shared = resources(player="mcts")
    tracemalloc.start()
    try:
        sessions = [Held(GameSession(seats(people=ALONE, level=1 + n % 6), shared)) for n in range(16)]

        def play(held: Held) -> int:
            while held.session.game.outcome is None:
                held.take(Play(held.session.game.legal_plays()[0]))
            return len(held.session.game.moves)

        with ThreadPoolExecutor(8) as pool:
            assert all(moves > 1 for moves in pool.map(play, sessions))
        before = tracemalloc.get_traced_memory()[0]
        more = [Held(GameSession(seats(size=9, people=BOTH), shared)) for n in range(16)]
        for held in more:
            held.type("C3", "D3", "help", "C4")
        each = (tracemalloc.get_traced_memory()[0] - before) / len(more)
    finally:
        tracemalloc.stop()
    assert each < 5 * 2**20
