"""The pages of a class in Chromium: by touch, mouse and keyboard, on all screens, and with a lost network."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from selenium.webdriver import Keys
from selenium.webdriver.support.ui import Select

from gtp_capture.go.vertex import format_vertex
from gtp_capture.teach import sentences, words
from gtp_capture.teach.course import lessons
from gtp_capture.teach.course.lessons import Quiz

from ..support.browser import FORWARD, LIVE, Browser, chromium, sizes
from ..support.served import Served, served
from ..teach.test_words import FOREIGN, foreign, template  # noqa: F401 - fixtures

pytestmark = pytest.mark.usefixtures("chromium_here")
SCREENS = {(360, 640): 360, (768, 1024): 730, (1366, 768): 740, (1920, 1080): 1050}
"""The sizes of screens, with the least side of the board."""
HEAVIEST = 60_000
"""Bytes of a child's page before the first move."""
SLOWEST = 0.25
"""Seconds of the processor for the start of a page: at most a second where it is four times as slow."""


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def opened() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def second() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def child(opened: Browser) -> Iterator[Browser]:
    """A browser in which nobody has come in; in the end it has complained about nothing."""
    opened.size(1366, 768)
    yield opened
    assert opened.complaints() == []


def by_mouse(child: Browser, vertex: str) -> None:
    child.tap(f"[data-vertex={vertex}]")


def by_keyboard(child: Browser, vertex: str) -> None:
    child.go_to(vertex)
    child.press(Keys.ENTER)


def play(child: Browser, vertex: str, move: Callable[[Browser, str], None] = by_mouse) -> None:
    """Play on a point, and wait until the board waits again or there is nothing more to play."""
    child.see(LIVE)
    move(child, vertex)
    child.miss(".session.waiting")
    child.see(f"{LIVE}, {FORWARD}")


def finish(child: Browser, move: Callable[[Browser, str], None] = by_mouse) -> None:
    """Play a game against the computer to its end, each time on the first free point that was not tried."""
    tried: set[str] = set()
    child.see(LIVE)
    while not child.all(FORWARD):
        vertex = next(vertex for vertex in child.free() if vertex not in tried)
        tried.add(vertex)
        play(child, vertex, move)


def test_a_game_is_played_to_its_end_by_mouse_and_the_next_one_by_keyboard(server: Served, child: Browser) -> None:
    child.join(server, "Mia")
    child.tap(".choices button", "Play against the computer")
    finish(child)
    child.see(".said .strong")
    child.tap(FORWARD, "New game")
    child.tap(".question button", "No")
    finish(child, by_keyboard)
    assert child.focused("data-vertex") != "None"


def test_the_whole_first_lesson_with_its_game(server: Served, child: Browser) -> None:
    lesson = lessons.lesson(1)
    child.join(server, "Ole")
    child.tap(".choices button", "Lesson 1")
    for number, page in enumerate(lesson.pages, 1):
        child.see(".titles h1", f"page {number} of {len(lesson.pages)}")
        child.see(".said", page.title)
        child.tap(FORWARD)
    for number, (_, task) in enumerate(lesson.exercises, 1):
        child.see(".titles h1", f"problem {number} of {len(lesson.exercises)}")
        if not isinstance(task, Quiz):
            for point in task.line[::2]:
                play(child, format_vertex(point, task.start.width))
        elif task.count is not None:
            child.tap(".digits button", str(task.count))
        else:
            play(child, task.game.vertex(min(task.points)))
        child.see(".said .right")
        child.tap(FORWARD)
    child.see(".titles h1", "A game on")
    finish(child)
    child.tap("[data-key*=home]")
    child.see(".choices button", "done")


def test_a_problem_by_touch_where_a_second_touch_confirms(server: Served, child: Browser) -> None:
    child.join(server, "Emma")
    child.size(360, 640)
    child.tap(".choices button", "Problems")
    child.see(LIVE)
    first = next(iter(server.room.material.problems("").values()))
    right = f"[data-vertex={format_vertex(first.line[0], first.start.width)}]"
    wrong = next(vertex for vertex in child.free() if f"={vertex}]" not in right)
    child.run("document.documentElement.style.setProperty('--side', '200px')")  # points that a finger cannot tell apart
    child.touch(f"[data-vertex={wrong}]")
    child.see(".confirm", "Tap again")
    child.touch(right)
    child.see(f"{right}.chosen")
    assert child.see(".said").text
    child.touch(right)
    child.miss(".confirm", "Tap again")
    child.see(".said .right")


def test_a_reloaded_page_and_a_lost_network_come_back_to_the_same_board(server: Served, child: Browser) -> None:
    child.join(server, "Ben")
    child.tap(".choices button", "Play against the computer")
    child.see(LIVE)
    play(child, "C3")
    before = child.board()
    child.driver.refresh()
    child.see(LIVE)
    assert child.board() == before
    child.cut_off(True)
    free = child.free()[0]
    child.tap(f"[data-vertex={free}]")
    child.see(".lost")
    assert child.board() == before
    child.cut_off(False)
    child.miss(".lost")
    child.see(f"{LIVE} [data-vertex={free}][aria-label*=black]")
    assert sum("black" in label for label in child.board().values()) == 2


def test_a_teacher_pairs_two_children_stops_them_and_withholds_hints(
    server: Served, opened: Browser, second: Browser
) -> None:
    opened.size(1366, 768)
    opened.join(server, "Lina")
    second.size(768, 1024)
    second.join(server, "Paul")
    lina = opened.driver.current_window_handle
    opened.new_tab("about:blank")
    opened.teach(server)
    for name in ("Lina", "Paul"):
        opened.tap(".seat label", name)
    opened.tap(".task button", "Pairs")
    assert opened.faults() == []
    opened.tap(".task button", "The two chosen")
    opened.see(".seat .doing", "Paul")
    second.see(".board")
    opened.tap(".orders button", "Eyes to the front")
    second.see(".stop h1", "Eyes to the front")
    assert second.faults() == []
    opened.tap(".orders button", "Go on")
    second.see(".board")
    opened.tap(".orders button", "Hints")
    second.see(".buttons button:disabled", "Hint")
    opened.tap(".orders button", "Hints")
    opened.driver.close()
    opened.driver.switch_to.window(lina)
    opened.see(".board")
    black, white = (opened, second) if opened.all(LIVE) else (second, opened)
    for mover, other, vertex in ((black, white, "C3"), (white, black, "C4"), (black, white, "D4")):
        mover.tap(f"{LIVE} [data-vertex={vertex}]")
        other.see(f"{LIVE} [data-vertex={vertex}][aria-label*='the last move']")
    black.see(".said .busy")
    assert opened.complaints() == second.complaints() == []


def test_a_teacher_shows_a_board_renames_and_removes_a_child(server: Served, opened: Browser, second: Browser) -> None:
    second.join(server, "Theo")
    second.tap(".choices button", "Play against the computer")
    second.tap("[data-vertex=C3]")
    opened.size(1366, 768)
    opened.teach(server)
    opened.tap(".seat button", "Theo")
    assert opened.faults() == []
    opened.run("document.querySelector('dialog input').value = ''")
    opened.see("dialog input").send_keys("Theodora")
    opened.tap("dialog button", "Rename")
    opened.see(".seat b", "Theodora")
    second.see(".name", "Theodora")
    opened.tap(".seat button", "Theodora")
    opened.tap("dialog button", "Show on the projector")
    opened.see(".orders button", "Stop showing")
    teacher = opened.driver.current_window_handle
    opened.new_tab(f"{server.base}/wall")
    opened.see(".board [data-vertex=C3][aria-label*=black]")
    assert opened.faults() == []
    opened.driver.close()
    opened.driver.switch_to.window(teacher)
    opened.tap(".orders button", "Stop showing")
    opened.tap(".seat button", "Theodora")
    opened.tap("dialog button", "Remove")
    opened.tap("dialog button", "Yes")
    second.see("[name=word]")
    opened.miss(".seat", "Theodora")
    opened.tap(".orders button", "Let in")
    opened.see(".orders button[aria-pressed=false]", "Let in")
    second.driver.refresh()
    second.see(".stop h1")
    assert second.faults() == []
    opened.tap(".orders button", "Let in")
    second.see("[name=word]")
    opened.tap("[role=tab]", "Results")
    opened.see("table")
    opened.miss("td", "Theodora")
    assert opened.complaints() == second.complaints() == []


@pytest.mark.usefixtures("foreign")
def test_a_child_and_a_teacher_choose_a_language(child: Browser, second: Browser) -> None:
    there, english = (words.Voice(plain=True, taps=True, language=code) for code in (FOREIGN.language, "en"))
    with served() as server:
        child.driver.delete_all_cookies()
        child.open(server.base)
        child.see("form .main", english.text("class.page.join"))
        Select(child.see("form select")).select_by_value(there.language)
        child.see("form .main", there.text("class.page.join"))
        assert child.faults() == []
        child.see("[name=word]").send_keys("wrong")
        child.see("[name=name]").send_keys("Mia")
        child.tap("form .main")
        child.see("form .wrong", there.text("class.wrong_word"))
        child.see("[name=word]").clear()
        child.see("[name=word]").send_keys(server.room.word)
        child.tap("form .main")
        child.tap(".choices button", there.text("class.choice.play"))
        child.see(".said", there.text("play.type"))
        child.tap("[data-key*=home]")
        assert child.faults() == []
        Select(child.see(".answers select")).select_by_value("en")
        child.see("[data-key*=hand]", english.text("class.page.hand"))
        assert child.run("return document.documentElement.lang") == "en"
        second.size(1366, 768)
        second.teach(server)
        Select(second.see(".orders select")).select_by_value(there.language)
        second.see(".orders .main", there.text("class.page.pause"))
        second.see("[role=tab]", there.text("class.page.results"))
        assert second.faults() == []


def longer(text: str) -> str:
    """Return a text with words of 1.5 times the length; what is in braces is filled later, and stays."""
    parts = re.split(r"(\{[^}]*\}|[A-Za-z]{4,})", text)
    return "".join(part + part[len(part) // 2 :] if part.isalpha() and len(part) > 3 else part for part in parts)


def test_every_page_fits_on_every_screen_with_long_words_too_and_has_no_fault(
    child: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = {key: longer(text) for key, text in sentences.table().items()}
    monkeypatch.setattr(words, "table", lambda: long)
    monkeypatch.setattr(sentences, "table", lambda: long)
    faults = {}

    def look(name: str) -> None:
        for width, height in SCREENS:
            child.size(width, height)
            faults[name, width] = child.outside() + child.faults()

    def begin(name: str, key: str) -> None:
        child.tap(f"[data-key*='{key}']")
        child.see(".board")
        look(name)
        child.tap("[data-key*=home]")

    with served() as server:
        child.open(server.base)
        child.see("[name=word]")
        look("join")
        child.join(server, "Maximilian-Alexander")
        child.see(".choices")
        look("home")
        begin("page", "lesson-1")
        begin("problem", "problems")
        child.tap("[data-key*='\"play']")
        child.see(LIVE)
        for (width, height), side in SCREENS.items():
            child.size(width, height)
            assert child.see(".board").rect["width"] >= side
        child.tap("[data-key*=hint]")
        child.miss(".said .busy")
        look("game")
        child.teach(server)
        child.see(".seat")
        look("teacher")
        child.tap("#tab-mine")
        child.tap("[data-key*=board]")
        child.see(LIVE)
        look("board")
        child.tap("#tab-results")
        child.see("td")
        look("results")
        child.open(f"{server.base}/wall")
        child.see(".door .word")
        look("wall")
    assert {name: found for name, found in faults.items() if found} == {}


def test_the_first_page_is_small_and_starts_soon(server: Served, child: Browser) -> None:
    child.join(server, "Ida")
    child.tap(".choices button", "Play against the computer")
    child.see(LIVE)
    child.command("Network.clearBrowserCache")
    child.open("about:blank")
    child.command("Performance.enable", timeDomain="threadTicks")
    before = child.measure("TaskDuration")
    child.open(server.base)
    child.see(LIVE)
    assert child.measure("TaskDuration") - before < SLOWEST
    loaded = sizes(child)
    assert len(loaded) >= 6
    assert sum(loaded.values()) + child.first_event() < HEAVIEST, loaded


def test_without_its_script_the_page_says_what_to_do(server: Served, child: Browser) -> None:
    child.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        child.open(server.base)
        (line,) = child.driver.find_elements("css selector", ".unable")
        assert "browser" in (line.get_attribute("textContent") or "")
    finally:
        child.command("Emulation.setScriptExecutionDisabled", value=False)
