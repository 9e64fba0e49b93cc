"""The pages of a class in Chromium: by touch, mouse and keyboard, on all screens, and with a lost network."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Keys
from selenium.webdriver.support.ui import Select

from gtp_capture import web
from gtp_capture.classroom.desk import Desk
from gtp_capture.go.vertex import BLACK, format_vertex
from gtp_capture.teach import sentences, words
from gtp_capture.teach.course import lessons
from gtp_capture.teach.course.lessons import Quiz
from gtp_capture.web import view
from gtp_capture.web.hub import STREAMS
from gtp_capture.web.run import qr_code
from gtp_capture.web.view import Door

from ..support.browser import COMPAT, FORWARD, LIVE, OUTSIDE, SLOWEST, Browser, chromium, old_script, sizes, webkit
from ..support.classroom import nearly_win
from ..support.process import wait_until
from ..support.served import SECRET, Filter, Served, served, teacher
from ..teach.test_words import FOREIGN, foreign, template  # noqa: F401 - fixtures

pytestmark = pytest.mark.usefixtures("chromium_here")
SCREENS = {(360, 640): 320, (768, 1024): 730, (1366, 768): 740, (1920, 1080): 1050}
"""The sizes of screens, with the least side of the board."""
STATIC, HOME = (Path(web.__file__).with_name(name) for name in ("static", "file"))
HEAVIEST = 80_000
"""Bytes of a child's page before the first move."""
ZOOMED = [(320, 256), (341, 192), (427, 341), (320, 640)]
"""The sizes of screens of 1280x1024 and 1366x768 pixels at 400 %, 1280x1024 at 300 %, and a small telephone."""
NARROWEST = 200
"""The least width of a board that is zoomed."""
OLD = pytest.mark.parametrize("opened", [False, True], indirect=True, ids=["new", "old"])
"""The test runs again in a browser without what Safari 13.1 or Chrome 80 does not have."""
ENGLISH = words.page_voice("en")


@pytest.fixture
def empty() -> Iterator[Served]:
    """A class of which no other test knows."""
    with served() as host:
        yield host


@pytest.fixture(scope="module")
def opened(request: pytest.FixtureRequest) -> Iterator[Browser]:
    with chromium(script=old_script() if getattr(request, "param", False) else "") as browser:
        yield browser


@pytest.fixture(scope="module")
def server(opened: Browser) -> Iterator[Served]:
    """A class for each browser, so that no name is taken."""
    with served() as host:
        yield host


@pytest.fixture(scope="module")
def second() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


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


@OLD
def test_a_game_is_played_to_its_end_by_mouse_and_the_next_one_by_keyboard(server: Served, child: Browser) -> None:
    child.join(server, "Mia")
    child.tap(".choices button", "Play against the computer")
    finish(child)
    child.see(".said .strong")
    child.tap(FORWARD, "The same again")
    finish(child, by_keyboard)
    assert child.focused("data-vertex") != "None"


@OLD
def test_the_whole_first_lesson_with_its_game(server: Served, child: Browser) -> None:
    lesson = lessons.lesson(1)
    child.join(server, "Ole")
    child.tap(".choices .main", "lesson 1")
    pages = len(lesson.pages)
    for at in lesson.order:
        if at < pages:
            child.see(".titles h1", f"page {at + 1} of {pages}")
            child.see(".goal", lesson.pages[at].title)
            child.tap(FORWARD)
            continue
        child.see(".titles h1", f"problem {at - pages + 1} of {len(lesson.exercises)}")
        task = lesson.exercises[at - pages].task
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


@OLD
def test_a_problem_by_touch_where_a_second_touch_confirms(server: Served, child: Browser) -> None:
    child.join(server, "Emma")
    child.size(360, 640)
    child.tap(".choices button", "Problems")
    child.see(LIVE)
    first = next(iter(server.room.sessions.problems("").values()))
    right = f"[data-vertex={format_vertex(first.line[0], first.start.width)}]"
    wrong = next(vertex for vertex in child.free() if f"={vertex}]" not in right)
    child.run("document.documentElement.style.setProperty('--side', '200px')")  # points that a finger cannot tell apart
    child.touch(f"[data-vertex={wrong}]")
    child.see(".confirm", "Tap again")
    child.touch(right)
    ghost = child.see(f"{right}.chosen").value_of_css_property("background-image")
    assert child.all(".turn .stone.white")
    assert "rgba(247, 247, 242" in ghost, "the colour of the stone that a second touch puts there"
    assert child.see(".said").text
    child.touch(right)
    child.miss(".confirm", "Tap again")
    child.see(".said .right")


@OLD
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
    for width, height in SCREENS:
        child.size(width, height)
        line = child.see(".lost").rect
        assert all(button.rect["y"] + button.rect["height"] <= line["y"] for button in child.all(".buttons button"))
    child.size(1366, 768)
    assert child.board() == before
    child.cut_off(False)
    child.miss(".lost")
    child.see(f"{LIVE} [data-vertex={free}][aria-label*=black]")
    assert sum("black" in label for label in child.board().values()) == 2


@OLD
def test_a_teacher_pairs_two_children_stops_them_and_withholds_hints(
    empty: Served, opened: Browser, second: Browser
) -> None:
    opened.size(1366, 768)
    opened.join(empty, "Lina")
    second.size(768, 1024)
    second.join(empty, "Paul")
    lina = opened.driver.current_window_handle
    opened.new_tab("about:blank")
    opened.teach(empty)
    for name in ("Lina", "Paul"):
        opened.tap(".seat label", name)
    opened.tap(".task button", "Pairs")
    assert opened.faults() == []
    opened.tap(".task button", "The two chosen")
    opened.see(".seat .doing", "5x5, Paul")
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


@OLD
def test_a_teacher_shows_a_board_renames_and_removes_a_child(empty: Served, opened: Browser, second: Browser) -> None:
    second.join(empty, "Theo")
    second.tap(".choices button", "Play against the computer")
    second.tap("[data-vertex=C3]")
    opened.size(1366, 768)
    opened.teach(empty)
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
    opened.new_tab(f"{empty.base}/wall")
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
    opened.see("td", "Theodora (removed)")
    assert opened.complaints() == second.complaints() == []


@pytest.mark.usefixtures("foreign")
def test_a_child_and_a_teacher_choose_a_language(child: Browser, second: Browser) -> None:
    there, english = (words.Voice(plain=True, taps=True, language=code) for code in (FOREIGN.language, "en"))
    with served() as server:
        child.forget()
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
            faults[name, width] = child.size(width, height, OUTSIDE)
            if (width, height) in (SMALL, WIDE):  # the smallest screens of the two layouts
                faults[name, width] += child.faults()

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
    assert {name: lines for name, lines in faults.items() if lines} == {}


def test_the_door_shows_each_network_with_its_address_or_why_there_is_none(child: Browser) -> None:
    networks = (("http://192.168.137.1:8765", "hotspot"), ("http://10.0.0.7:8765", "wlan0"))
    with served() as server:
        child.teach(server)
        for page, word in (("/teacher", ".word"), ("/wall", "h1.word")):
            server.hub.door = Door(server.base, networks, qr_code(networks[0][0]), is_lan=True)
            child.open(f"{server.base}{page}")
            child.see(".door .address", networks[0][0])
            child.see(".door .qr svg")
            assert [line.text for line in child.all(".door li")] == [f"{name}: {url}" for url, name in networks]
            assert child.faults() == []
            six = (("http://[2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff]:8765", "wlan0"),)
            server.hub.door = Door(server.base, six, qr_code(six[0][0]), is_lan=True)
            child.open(f"{server.base}{page}")
            child.see(".door .address", six[0][0])
            assert child.outside() == []
            server.hub.door = Door(server.base, (), "", is_lan=False)
            child.open(f"{server.base}{page}")
            child.see(".door", f"Only this computer can open {server.base}.")
            child.see(word, server.room.word)
            assert child.all(".door .address") + child.all(".door .qr svg") + child.all(".door li") == []
            assert child.faults() == []


def test_the_seventh_tab_loads_and_an_older_one_stops_until_a_person_goes_on_there(child: Browser) -> None:
    with served() as server:
        child.join(server, "Lea")
        handles = child.driver.window_handles
        try:
            for _ in range(6):
                child.new_tab(server.base)
                child.see(".session .name", "Lea")
            last = child.driver.current_window_handle
            child.driver.switch_to.window(handles[0])
            child.see(".elsewhere h1", "This page goes on in another tab.")
            assert child.faults() == []
            child.run("for (const name of ['online', 'visibilitychange']) dispatchEvent(new Event(name))")
            child.run("document.dispatchEvent(new Event('visibilitychange'))")
            child.driver.switch_to.window(last)
            child.tap("[data-key*=hand]")  # one more request, after what the first tab might have sent
            child.see("[data-key*=hand][aria-pressed=true]")
            assert len(server.hub.streams) == STREAMS
            child.driver.switch_to.window(handles[0])
            child.tap(".elsewhere button", "Go on here")
            child.see(".session .name", "Lea")
            child.see("[data-key*=hand][aria-pressed=true]")
        finally:
            for handle in child.driver.window_handles:
                if handle not in handles:
                    child.driver.switch_to.window(handle)
                    child.driver.close()
            child.driver.switch_to.window(handles[0])


def test_the_first_page_is_small_and_starts_soon(server: Served, child: Browser) -> None:
    child.join(server, "Ida")
    child.tap(".choices button", "Play against the computer")
    child.see(LIVE)
    assert child.start_seconds(server.base, LIVE) < SLOWEST
    loaded = sizes(child)
    assert len(loaded) >= 6
    assert sum(loaded.values()) + child.first_event() < HEAVIEST, loaded


LATER = [
    ("css", "a { inset: 0 }", "inset"),
    ("css", "a { display: flex; gap: 1px }", "flex"),
    ("css", "a { display: inline-grid } @media print { b a { gap: 1px } }", ""),
    ("css", "a { aspect-ratio: 1 }", "aspect-ratio"),
    ("css", "@supports (aspect-ratio: 1) { a { aspect-ratio: 1 } }", ""),
    ("css", "a:is(b) { top: 0 }", ":is"),
    ("css", "a:has(b), a:where(c) { top: 0 }", ":where"),
    ("css", "a { &.b { top: 0 } }", "a rule in a rule"),
    ("css", ":root { --a: 100dvh }", "dvh"),
    ("css", "a { height: 1px; height: 1svh }", ""),
    ("css", "a { width: clamp(1px, 2vw, max(3px, 4px)) }", ""),
    ("css", "a { color: color-mix(in srgb, red, blue) }", "color-mix"),
    ("css", "a { margin-inline: 1px }", "margin-inline"),
    ("css", "a { overflow: clip }", "clip"),
    ("css", "@layer x;", "@layer"),
    ("css", "@container (min-width: 1px) { a { top: 0 } }", "@container"),
    ("css", "@media (width > 1px) { a { top: 0 } }", "range"),
    ("css", "@media (prefers-contrast: more) { a { top: 0 } }", "prefers-contrast"),
    ("js", "a ??= b", "Unexpected"),
    ("js", "a?.b ?? c", ""),
    ("js", "class A { b = 1 }", "Unexpected"),
    ("js", "a = /(?<=b)c/", "lookbehind"),
    ("js", "a = 1n", "bigint"),
    ("js", "export * as a from 'b'", "export"),
]
"""The kind of a file, its text, and what is later in it than the oldest browsers; "" for nothing."""


def later(node: str, files: list[Path]) -> dict[str, str]:
    """Return what is later in files than the oldest browsers, by their names."""
    report = subprocess.run([node, str(COMPAT), "check", *map(str, files)], check=True, capture_output=True, text=True)
    lines = [line.partition(": ") for line in report.stdout.splitlines()]
    return {name: " ".join(said for path, _, said in lines if path == name) for name, _, _ in lines}


def test_nothing_in_the_files_is_later_than_the_oldest_browsers(node: str, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.{kind}" for number, (kind, _, _) in enumerate(LATER)]
    for path, (_, text, _) in zip(files, LATER, strict=True):
        path.write_text(text)
    pages = [path for path in sorted((*STATIC.iterdir(), *HOME.iterdir())) if path.suffix in (".js", ".css")]
    faults = later(node, [*files, *pages])
    for path, (_, text, fault) in zip(files, LATER, strict=True):
        said = faults.pop(str(path), "")
        assert fault in said, text
        assert bool(fault) is bool(said), text
    assert faults == {}


@pytest.mark.usefixtures("webkit_here")
def test_a_child_and_a_teacher_in_webkit(server: Served) -> None:
    with webkit() as child:
        child.join(server, "Zoe")
        child.tap(".choices button", "Play against the computer")
        finish(child)
        child.tap("[data-key*=home]")
        child.tap(".choices button", "Problems")
        first = next(iter(server.room.sessions.problems("").values()))
        play(child, format_vertex(first.line[0], first.start.width))
        child.see(".said .right")
        child.teach(server)
        child.tap(".seat button", "Zoe")
        child.tap("dialog button", "Show on the projector")
        child.see(".orders button", "Stop showing")
        child.open(f"{server.base}/wall")
        child.see(".board")
    server.room.shown = None


@pytest.mark.parametrize("failing", ["error", "syntax"])
def test_a_browser_that_cannot_run_the_script_says_what_it_needs(server: Served, child: Browser, failing: str) -> None:
    scripts = {"error": "Element.prototype.append = undefined", "syntax": ""}
    with (
        Filter(server, lambda path, pieces: broken(path, pieces, "session.js")) as network,
        chromium(script=scripts[failing]) as old,
    ):
        old.open(network.base if failing == "syntax" else server.base)
        old.see(".unable", "too old")


def broken(path: str, pieces: Iterator[bytes], name: str) -> Iterator[bytes]:
    """Hand on answers; a script has a fault of syntax."""
    for piece in pieces:
        yield piece.replace(b"import {", b"import [") if path.endswith(name) else piece


# --- What is to be done, and whose turn it is ---

IN_SIGHT = """
return [...document.querySelectorAll(arguments[0])].filter((element) => {
  const {left, right, top, bottom} = element.getBoundingClientRect();
  const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return inside && element.textContent && (element.contains(seen) || seen?.contains(element));
}).map((element) => element.textContent);
"""
"""A script that returns the texts of the elements that are wholly on the screen, without scrolling, and not covered."""
READABLE = """
const texts = [...document.querySelectorAll(".session *")].filter((element) => element.getClientRects().length)
  .flatMap((element) => element.closest("svg") ? [] : [element.getAttribute("aria-label"),
    ...[...element.childNodes].filter(({nodeType}) => nodeType === 3).map(({data}) => data)]);
return texts.filter((text) => /[^\\W\\d]/u.test(text ?? ""));
"""
"""A script that returns what can be read on a child's screen or is read out, without the letters on boards."""
SMALL, WIDE = (360, 640), (1366, 768)


def in_sight(page: Browser, css: str, text: str) -> None:
    """Assert that a text is the only one in sight there, on a small and on a wide screen."""
    for screen in (SMALL, WIDE):
        page.size(*screen)
        page.see(css, text)
        assert page.run(IN_SIGHT, css) == [text], screen


def exercise() -> tuple[int, str, list[str]]:
    """Return the number, the task and the right moves of the first exercise of lesson 1 that is played on a board."""
    pages, exercises = len(lessons.lesson(1).pages), lessons.lesson(1).exercises
    for number, (text, task) in enumerate(exercises, pages + 1):
        if not isinstance(task, Quiz):
            return number, text, [format_vertex(point, task.start.width) for point in task.line]
    raise AssertionError


def test_the_task_is_in_sight_for_child_teacher_and_wall_in_every_state(child: Browser, second: Browser) -> None:
    number, task, line = exercise()
    with served() as server:
        problem = next(iter(server.room.sessions.problems("").values()))
        own = [format_vertex(problem.line[0], problem.start.width)]
        device = teacher(server)
        child.join(server, "Mia")
        device.teach(show=1)
        second.size(*WIDE)
        second.teach(server)
        second.tap(".seat button", "Mia")
        dialog = second.driver.current_window_handle
        second.new_tab(f"{server.base}/wall")
        wall = second.driver.current_window_handle

        def look(text: str) -> None:
            in_sight(child, ".goal", text)
            for handle, css in ((dialog, "dialog .goal"), (wall, ".goal")):
                second.driver.switch_to.window(handle)
                in_sight(second, css, text)

        def press(label: str) -> None:
            child.tap(".buttons button:enabled", label)
            child.miss(".session.waiting")
            child.miss(".said .busy")

        for activity, text, right in (
            ({"kind": "problems", "theme": ""}, words.goal(problem.start, ENGLISH), own),
            ({"kind": "lesson", "lesson": 1, "page": number}, task, line),
        ):
            device.teach(activity={"seats": [1], **activity})
            child.see(".titles h1", "roblem")
            child.see(LIVE)
            look(text)
            press("Hint")
            look(text)
            wrong = next(vertex for vertex in child.free() if vertex not in right)
            play(child, wrong)
            child.see(".said .wrong")
            look(text)
            child.driver.refresh()
            child.see(LIVE)
            look(text)
            press("Solution")
            look(text)
            assert child.faults() == []
        for page, shown in enumerate(lessons.lesson(1).pages[:2], 1):
            device.teach(activity={"seats": [1], "kind": "lesson", "lesson": 1, "page": page})
            look(shown.title)
        second.driver.close()
        second.driver.switch_to.window(dialog)
        assert second.complaints() == []


COVERED = """
const faults = [];
const seen = (element) => element.getClientRects().length;
const parts = [".read", ".goal", ".kept .turn span", ".said > :first-child span", ".steps button", ".buttons button"];
for (const css of parts) {
  for (const element of [...document.querySelectorAll(css)].filter(seen)) {
    const {left, right, top, bottom} = element.getBoundingClientRect();
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const name = css + " " + element.textContent.slice(0, 30);
    if (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1) faults.push("cut: " + name);
    else if (!element.contains(there) && !there.contains(element)) faults.push("covered: " + name);
    const talk = element.closest(".talk");
    if (talk && bottom > talk.getBoundingClientRect().bottom + 1) faults.push("scrolled: " + name);
  }
}
const talk = document.querySelector(".talk");
if (talk.matches(".scrolls") && talk.scrollHeight < talk.clientHeight + 2) faults.push("a scrollbar of a pixel");
return faults;
"""
"""A script that finds what matters on a child's page and is cut, covered or scrolled away."""


SPEAKING = """
const own = () => [{lang: document.documentElement.lang, localService: true}];
Object.defineProperty(window, "speechSynthesis", {value: {getVoices: own, cancel() {}}});
"""
"""A script that gives a browser a voice for each language."""


def look_back(child: Browser) -> None:
    end = child.see(".said").text
    child.tap("[data-key*=review]")
    wait_until(lambda: child.see(".said").text != end and not child.all(".said .busy"))


def test_task_and_turn_are_in_sight_and_nothing_is_cut_covered_or_scrolled_in_any_language_on_any_screen() -> None:
    lengths = [(len(text), number, place) for number in lessons.numbers() for place, text in numbered(number)]
    _, number, place = max(lengths)
    faults: dict[tuple[str, str, int], list[str]] = {}

    def look(name: str, *texts: tuple[str, str]) -> None:
        for width, height in SCREENS:
            faults[name, language, width] = child.size(width, height, COVERED, OUTSIDE)
            for css, text in texts:
                assert child.run(IN_SIGHT, css) == [text], (language, width)

    with served() as server, chromium(script=SPEAKING) as child:
        device = teacher(server)
        child.join(server, "Maximilian-Alexander")
        for language in sentences.languages():
            voice = words.page_voice(language)
            Select(child.see(".answers select")).select_by_value(language)
            child.tap("[data-key*='choose\":\"play']")
            child.see(LIVE)
            aim = goal(server, words.page_voice(language, [BLACK]))
            look("game", (".goal", aim), (".turn[role=status]", voice.text("class.turn")))
            assert len(child.all(".turn .stone.black")) == 1
            device.teach(ask=1)
            child.see("h1", voice.text("class.question"))
            child.tap("[data-vertex=A1]")
            child.see(".said", "A1")
            look("question")
            device.teach(reveal=True)
            child.miss(LIVE)
            look("answers")
            device.teach(ask=None)
            child.see(LIVE)
            nearly_win(desk_of(server, 1).session.game)
            child.tap("[data-key*=hint]")
            child.see(".said", "B1")
            look("hint")
            child.tap("[data-vertex=B1]")
            child.see(FORWARD)
            child.miss(".sky")
            look("end")
            look_back(child)
            look("review")
            device.teach(activity={"seats": [1], "kind": "lesson", "lesson": number, "page": place})
            text = dict(numbered(number, language))[place]
            child.see(".goal", text)
            look("problem", (".goal", text))
            device.teach(activity={"seats": [1], "kind": "problems", "theme": ""})
            child.see(LIVE)
            child.tap("[data-key*=solution]")
            child.see(".steps button")
            look("solution")
            device.teach(activity={"seats": [1], "kind": "free"})
            child.tap("[data-key*=home]")
    assert {name: lines for name, lines in faults.items() if lines} == {}


def desk_of(server: Served, number: int) -> Desk:
    """Return the desk of a child."""
    desk = server.room.seats[number].desk
    assert desk is not None
    return desk


def goal(server: Served, voice: words.Voice) -> str:
    """Return the goal of the game of the first child."""
    game = desk_of(server, 1).situation().game
    assert game is not None
    return words.game_goal(game.rules, voice)


def numbered(number: int, language: str = "en") -> list[tuple[int, str]]:
    """Return the places and the texts of the exercises of a lesson."""
    lesson = lessons.lesson(number, language)
    return [(place, task.text) for place, task in enumerate(lesson.exercises, len(lesson.pages) + 1)]


def server_board(server: Served) -> dict[str, str]:
    """Return the stones of the first child's board."""
    board = view.child(server.room, server.room.seats[1])["board"]
    assert board is not None
    return {point["vertex"]: point["stone"] for point in board["points"]}


def test_two_children_of_a_pair_read_each_their_own_language_and_change_it(child: Browser, second: Browser) -> None:
    german, french, english = (words.page_voice(language) for language in ("de", "fr", "en"))
    with served() as server:
        child.join(server, "Mia")
        second.size(*SMALL)
        second.join(server, "Ole")
        Select(second.see(".answers select")).select_by_value("de")
        second.see(".choices button", german.text("class.choice.problems"))
        teacher(server).teach(pair=[[1, 2]])
        child.see(".board")
        second.see(".board")
        desk = desk_of(server, 2)
        session = desk.session
        pages = {1: (child, english), 2: (second, german)}
        first = next(number for number, (page, _) in pages.items() if page.all(LIVE))
        for mover, vertex in ((first, "C3"), (3 - first, "C4"), (first, "D4"), (3 - first, "D3")):
            page, voice = pages[mover]
            stone = "black" if mover == first else "white"
            in_sight(page, ".turn", voice.text("class.turn"))
            assert page.all(f".turn .stone.{stone}")
            other, theirs = pages[3 - mover]
            other.see(".said .busy", theirs.text("class.waits", name=server.room.seats[mover].name))
            assert other.run(IN_SIGHT, ".turn") == []
            for shown, spoken in pages.values():
                in_sight(shown, ".goal", goal(server, spoken))
            page.tap(f"[data-vertex={vertex}]")
            other.see(f"[data-vertex={vertex}]:not([aria-label*='{theirs.text('spoken.empty')}'])")
            page.miss(".session.waiting")
            page.miss(LIVE)
            other.see(LIVE)
        before, mias, board = second.run(READABLE), child.run(READABLE), server_board(server)
        second.tap("[data-key*=home]")
        Select(second.see(".answers select")).select_by_value("fr")
        second.tap(".choices button", french.text("class.choice.continue"))
        second.see(".goal", goal(server, french))
        after = second.run(READABLE)
        assert {*before} & {*after} == {"Ole"}
        assert len(before) == len(after)
        child.see(".goal")
        assert child.run(READABLE) == mias
        assert server_board(server) == board
        assert server.room.seats[2].desk is desk
        assert desk.session is session, "nothing is made anew"
        assert child.complaints() == second.complaints() == []


# --- Networks and browsers that hold something back ---


def whole(path: str, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Hand on an answer once it is complete."""
    yield b"".join(pieces)


def late(path: str, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Hand on each piece when the next one comes."""
    held = b""
    for piece in pieces:
        yield held
        held = piece
    yield held


def forbidden(*paths: str) -> Callable[[str, Iterator[bytes]], Iterator[bytes]]:
    """Return a filter that answers some requests with a page of its own."""

    def hand_on(path: str, pieces: Iterator[bytes]) -> Iterator[bytes]:
        page = [b"HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nno"]
        yield from page if path in paths else pieces

    return hand_on


@pytest.mark.parametrize("hand_on", [whole, late, forbidden("/events")], ids=["whole", "late", "forbidden"])
def test_a_page_without_a_stream_asks_for_each_event(
    child: Browser, second: Browser, hand_on: Callable[[str, Iterator[bytes]], Iterator[bytes]]
) -> None:
    with served() as server, Filter(server, hand_on) as network:
        child.forget()
        child.open(network.base)
        child.see("[name=word]").send_keys(server.room.word)
        child.see("[name=name]").send_keys("Mia")
        child.tap("form .main")
        child.tap(".choices button", "Play against the computer")
        play(child, "C3")
        second.size(1366, 768)
        second.open(f"{network.base}/teacher?key={SECRET}")
        second.see(".seat", "Mia")
        second.tap(".orders button", "Eyes to the front")
        child.see(".stop h1", "Eyes to the front")
        second.tap(".orders button", "Go on")
        child.see(LIVE)
        assert server.room.seats[1].here
        assert not child.all(".lost")
        assert hand_on is late or "/next" in network.paths


def test_a_page_that_gets_nothing_says_so(server: Served, child: Browser) -> None:
    with Filter(server, forbidden("/events", "/next")) as network:
        child.open(network.base)
        child.see(".lost", "I cannot reach the class")


def test_a_browser_without_cookies_is_told_so_and_takes_no_seat() -> None:
    with served() as server, chromium(cookies=False) as child:
        child.open(server.base)
        for _ in range(2):
            child.see("[name=word]").clear()
            child.see("[name=word]").send_keys(server.room.word)
            child.see("[name=name]").clear()
            child.see("[name=name]").send_keys("Mia")
            child.tap("form .main")
            child.see("form .wrong", "This browser keeps no cookies")
        assert not server.room.seats
        child.open(f"{server.base}/teacher?key={SECRET}")
        child.see(".stop h1", "This browser keeps no cookies")


# --- Translators ---

KEPT = """
const kept = (node) => node && (node.translate === false || kept(node.parentElement));
const own = (node) => [...node.childNodes].filter(({nodeType}) => nodeType === 3).map(({data}) => data).join();
return [...document.querySelectorAll("body *, title")]
  .filter((node) => !kept(node) && arguments[0].some((text) => own(node).includes(text)))
  .map((node) => node.outerHTML.slice(0, 80));
"""
"""A script that finds the elements with one of these texts of their own that a translator of pages would change."""


def test_no_translator_changes_word_address_names_and_coordinates(empty: Served, child: Browser) -> None:
    child.join(empty, "Quentin")
    child.tap(".choices button", "Play against the computer")
    child.see(LIVE)
    assert child.run(KEPT, ["Quentin"]) == []
    assert child.run("return ['.board', '.confirm'].map((css) => document.querySelector(css).translate)") == [
        False,
        True,
    ]
    child.teach(empty)
    child.see(".seat b", "Quentin")
    kept = ["Quentin", empty.room.word, empty.base]
    assert child.run(KEPT, kept) == []
    child.tap(".seat button", "Quentin")
    assert child.run(KEPT, kept) == []
    child.tap("dialog button", "Close")
    child.tap("#tab-results")
    child.see("td", "Quentin")
    assert child.run(KEPT, kept) == []
    child.open(f"{empty.base}/wall")
    child.see(".word", empty.room.word)
    assert child.run(KEPT, kept) == []


# --- Zoom ---


def test_all_pages_can_be_reached_and_read_where_they_are_zoomed(child: Browser) -> None:
    faults = {}

    def look(name: str) -> None:
        for width, height in ZOOMED:
            child.size(width, height)
            faults[name, width] = child.out_of_reach(min(NARROWEST, width))
        child.size(1366, 768)

    with served() as server:
        child.open(server.base)
        child.see("[name=word]")
        look("join")
        child.join(server, "Maximilian-Alexander")
        look("home")
        for name, key in (("page", "lesson-1"), ("problem", "problems"), ("game", '"play')):
            child.tap(f"[data-key*='{key}']")
            child.see(".board")
            look(name)
            child.tap("[data-key*=home]")
        child.teach(server)
        child.tap(".task button", "Game")
        child.see(".task select")
        look("teacher")
        child.tap(".seat button")
        look("dialog")
        child.tap("dialog button", "Close")
        child.tap("#tab-mine")
        child.tap("[data-key*=board]")
        child.see(LIVE)
        look("board")
        child.tap("#mine .second button")
        child.tap("#tab-results")
        child.see("td")
        look("results")
        child.open(f"{server.base}/wall")
        child.see(".board")
        look("wall with a board")
        child.teach(server)
        child.tap(".orders button", "Stop showing")
        child.miss(".orders button", "Stop showing")
        child.open(f"{server.base}/wall")
        child.see(".door .word")
        look("wall")
    assert {name: lines for name, lines in faults.items() if lines} == {}


def test_without_its_script_the_page_says_what_to_do(server: Served, child: Browser) -> None:
    child.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        child.open(server.base)
        (line,) = child.driver.find_elements("css selector", ".unable")
        assert "browser" in (line.get_attribute("textContent") or "")
    finally:
        child.command("Emulation.setScriptExecutionDisabled", value=False)
