"""The file for home: its answers, its table, its codes, and the whole file in a browser that has no network."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from selenium.webdriver import Keys
from selenium.webdriver.support.ui import Select

from gtp_capture.classroom.activity import Activity
from gtp_capture.classroom.done import open_problems
from gtp_capture.classroom.folder import Folder
from gtp_capture.classroom.kept import Kept
from gtp_capture.classroom.seat import AtHome
from gtp_capture.go.vertex import format_vertex
from gtp_capture.players.player import PlayerSettings
from gtp_capture.teach.course import lessons
from gtp_capture.teach.course.lessons import Quiz
from gtp_capture.teach.event import Refusal, Want
from gtp_capture.teach.puzzles import files
from gtp_capture.tutor.leitner import How
from gtp_capture.tutor.searches import Searches
from gtp_capture.util.fields import FieldError, Fields
from gtp_capture.web.file import codes
from gtp_capture.web.file.pack import LIKE, LINES, OBJECT, Table
from gtp_capture.web.file.page import problems_of
from gtp_capture.web.file.recording import Recorder, Recording

from ..support.browser import FORWARD, LIVE, SLOWEST, Browser, chromium, old_script
from ..support.classroom import joined, new_room
from ..support.forks import run
from ..support.process import wait_until
from ..support.served import SECRET, Device, Served, served

COUNT = 12
"""The number of problems of a code."""
MOST_OF_A_LESSON, MOST_OF_THE_COURSE = 400_000, 2_000_000
"""Bytes."""


# --- The table ---


def values(table: dict[str, Any]) -> Iterator[Any]:
    """Yield all values of a table."""
    simple = table["simple"]
    entries = [[int(digits, 36) for digits in entry.split()] for entry in table["composed"].split(";") if entry]

    def refs(place: int) -> list[int]:
        kind, *rest = entries[place - len(simple)]
        if not kind & LIKE:
            return [ref if ref >= 0 else place + ref for ref in rest]
        base, *edits = rest
        links, old, at = list[int](), refs(base if base >= 0 else place + base), 0
        while edits:
            keep, skip, count, *edits = edits
            links += [*old[at : at + keep], *(ref if ref >= 0 else place + ref for ref in edits[:count])]
            at, edits = at + keep + skip, edits[count:]
        return [*links, *old[at:]]

    def value(place: int) -> Any:
        if place < len(simple):
            return simple[place]
        kind, parts = entries[place - len(simple)][0] & ~LIKE, [*map(value, refs(place))]
        if kind == OBJECT:
            return dict(zip(parts[0], parts[1:], strict=True))
        return "\n".join(parts) if kind == LINES else parts

    return map(value, range(len(simple) + len(entries)))


TEXT = st.text("ab\n", max_size=9)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | TEXT,
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=60,
)


@pytest.mark.slow
@given(st.lists(JSON, min_size=1, max_size=6))
def test_a_table_gives_back_what_was_added(added: list[Any]) -> None:
    table = Table()
    whole, refs = table.whole([table.add(value) for value in added])
    items = [*values(json.loads(json.dumps(whole)))]
    assert [json.dumps(items[ref]) for ref in refs] == [json.dumps(value) for value in added]
    assert len({json.dumps(value) for value in items}) == len(items), "a value stands twice"


# --- The codes ---


def code(name: str, pupil: int, done: list[AtHome]) -> str:
    """Return the code of a child, made as codes.py says."""
    threes = [(done + [AtHome.OPEN] * 2)[at : at + codes.PROBLEMS] for at in range(0, len(done), codes.PROBLEMS)]
    marks = [9 * first + 3 * second + third for first, second, third in threes]
    while (len(name) + codes.PUPIL + len(marks) + codes.CHECK) % codes.GROUP:
        marks.append(0)
    digits = [*map(codes.ALPHABET.index, name), pupil >> codes.DIGIT, pupil & 31, *marks]
    total = codes.check(digits)
    return "".join(codes.ALPHABET[digit] for digit in (*digits, total >> codes.DIGIT, total & 31))


NAMES = st.text(codes.ALPHABET, min_size=codes.NAME, max_size=codes.NAME)
MARKS = st.lists(st.sampled_from(AtHome), min_size=COUNT, max_size=COUNT)


@given(NAMES, st.integers(0, codes.MOST_PUPIL), MARKS)
def test_a_code_is_read_as_children_write_it_and_a_mistake_is_noticed(
    name: str, pupil: int, done: list[AtHome]
) -> None:
    text = code(name, pupil, done)
    typed = " ".join(re.findall("....", text)).lower().replace("0", "o").replace("1", "l")
    for given_code in (text, typed, typed.replace(" ", "-")):
        assert codes.read(given_code, {name: COUNT}) == (name, pupil, tuple(done))
    changed = [text[:n] + c + text[n + 1 :] for n in range(len(text)) for c in codes.ALPHABET if c != text[n]]
    swapped = [text[:n] + text[n + 1] + text[n] + text[n + 2 :] for n in range(len(text) - 1)]
    for wrong in (*changed, *(other for other in swapped if other != text), text[:-1], text + "0", "", "Ü", "A?!B"):
        with pytest.raises(codes.CodeError, match=Refusal.CODE_WRONG):
            codes.read(wrong, {name: COUNT})


@given(NAMES, MARKS)
def test_a_code_of_another_file_is_refused(name: str, done: list[AtHome]) -> None:
    other = ("1" if name[0] == "0" else "0") + name[1:]
    for count in (COUNT, COUNT + 20):
        with pytest.raises(codes.CodeError, match=Refusal.CODE_UNKNOWN):
            codes.read(code(name, 3, done), {other: count})


# --- The answers ---


@pytest.fixture(scope="module")
def recorder() -> Recorder:
    return Recorder(Searches(PlayerSettings(threads=1)), "en")


def check_answers(recording: Recording, width: int) -> None:
    """Check that every point that can be tapped has its answer, and leads to a place that there is."""
    reached = {0}
    for place in recording.places:
        assert place.solved or place.points or place.numbers
        for answer in (*place.points.values(), *place.numbers, *(a for group in place.words.values() for a in group)):
            assert 0 <= answer.place < len(recording.places)
            reached.add(answer.place)
            board = answer.view["board"]
            assert board["live"] is bool(recording.places[answer.place].points)
        if place.points:
            assert len(place.points) % width == 0
    assert reached == {*range(len(recording.places))}


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_every_point_of_a_problem_has_its_answer_and_one_of_them_is_right(recorder: Recorder) -> None:
    """The problems of the collection have exactly one play that wins at each turn; the solver has proven that."""
    problems = list(files.shipped())
    for number in (1, 20, 66):
        recording, game = recorder.problem(problems, number), problems[number - 1].game()
        check_answers(recording, game.width)
        start = recording.places[0]
        judged = {vertex for vertex, answer in start.points.items() if answer.right is not None}
        assert judged == {game.vertex(point) for point in game.legal_plays()}
        for place in recording.places:
            assert place.solved or sum(bool(answer.right) for answer in place.points.values()) == 1


@pytest.mark.slow
def test_every_point_of_a_lesson_has_its_answer(recorder: Recorder) -> None:
    recordings = list(recorder.lesson(1))
    lesson = lessons.lesson(1)
    pages = [number for number, recording in enumerate(recordings) if recording.want is Want.PAGE]
    assert pages == [lesson.order.index(page) for page in range(len(lesson.pages))]
    problems = [recording for recording in recordings if recording.want is not Want.PAGE]
    for recording, exercise in zip(problems, lesson.exercises, strict=True):
        task = exercise.task
        check_answers(recording, 1 if isinstance(task, Quiz) and task.count is not None else 5)
        place = recording.places[0]
        if isinstance(task, Quiz) and task.count is not None:
            assert [n for n, answer in enumerate(place.numbers) if answer.right] == [task.count]
        elif isinstance(task, Quiz):
            assert {v for v, answer in place.points.items() if answer.right} == {*map(task.game.vertex, task.points)}
        else:
            firsts = {format_vertex(line[0], task.start.width) for line in task.answers}
            assert {v for v, answer in place.points.items() if answer.right} == firsts


# --- The file ---


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files: lesson 3 in two languages, and three problems of the collection."""
    home = tmp_path_factory.mktemp("home")
    done = run("course", "3", "--web", "lesson.html", "--language", "en", "--language", "de", folder=home)
    assert done.stdout == "10 problems written to lesson.html\n", done
    options = ("--from", "shipped", "--count", "3", "--title", "For the weekend", "--language", "en")
    done = run("puzzles", *options, "--web", "problems.html", folder=home)
    assert done.stdout == "3 problems written to problems.html\n", done
    return home


@pytest.fixture(scope="module", params=[False, True], ids=["new", "old"])
def opened(request: pytest.FixtureRequest, chromium_here: None) -> Iterator[Browser]:
    with chromium(script=old_script() if request.param else "") as browser:
        browser.cut_off(True)
        yield browser


@pytest.fixture
def child(opened: Browser) -> Iterator[Browser]:
    """A browser without a network; in the end it has complained about nothing, asked for nothing, and forgets all."""
    opened.size(360, 640)
    yield opened
    assert opened.complaints() == []
    assert opened.run("return performance.getEntriesByType('resource').map(({name}) => name)") == []
    opened.run("localStorage.clear()")


def answer(child: Browser, vertex: str, by_keyboard: bool) -> None:
    child.see(LIVE)
    if by_keyboard:
        child.go_to(vertex)
        child.press(Keys.ENTER)
    else:
        child.touch(f"[data-vertex={vertex}]")
        if child.all(".confirm", "Tap again"):
            child.touch(f"[data-vertex={vertex}]")


@pytest.mark.external
def test_a_lesson_is_solved_without_a_network_and_the_teacher_reads_the_code(folder: Path, child: Browser) -> None:
    lesson = lessons.lesson(3)
    child.open((folder / "lesson.html").as_uri())
    child.see(".choices")
    assert child.faults() + child.outside() == []
    child.tap(".choices button", "Go on")
    for page in lesson.pages:
        child.see(".goal", page.title)
        child.tap(FORWARD)
    for number, (_, task) in enumerate(lesson.exercises, 1):
        child.see(".titles h1", f"problem {number} of {len(lesson.exercises)}")
        if number == 2:
            child.tap(".buttons button", "Hint")
        by_keyboard = number % 2 == 0
        if not isinstance(task, Quiz):
            right = {line[0] for line in task.answers}
            wrong = next(p for line in task.variations if not line.right for p in line.moves[:1] if p not in right)
            answer(child, format_vertex(wrong, task.start.width), by_keyboard)
            child.see(".said .wrong")
            child.see(LIVE)
            for point in task.line[::2]:
                answer(child, format_vertex(point, task.start.width), by_keyboard)
        elif task.count is not None:
            child.tap(".digits button", str(task.count + 1))
            child.tap(".digits button", str(task.count))
        else:
            answer(child, task.game.vertex(min(task.points)), by_keyboard)
        child.see(".said .right")
        assert bool(child.all(".said .strong", "A star for you")) == (number != 2)
        child.tap(FORWARD)
    child.see(".said .strong", "That was all")
    child.see(".choices button", "solved with help")
    child.driver.refresh()  # the browser keeps what was solved
    child.see(".choices button", "solved alone")
    child.tap(".choices button", "My code")
    child.tap(".digits button", "17")
    shown = child.see(".said .code").text
    assert [button.text for button in child.all(".digits [aria-pressed=true]")] == ["17"]
    child.tap(".said .code")
    assert child.run("return `${getSelection()}`") == shown
    done = run("homework", "lesson.html", shown, folder=folder)
    assert done.stdout == "child 17: 9 of 10 problems solved alone; with help: Lesson 3, problem 2 of 10\n"
    assert child.faults() + child.outside() == []
    child.tap("[data-key*=home]")
    child.see(".choices")


WHOLE: Final = """
const faults = [];
for (const element of document.querySelectorAll(".buttons span, .digits span")) {
  for (const {index, 0: word} of element.textContent.matchAll(/\\S+/g)) {
    const range = new Range();
    range.setStart(element.firstChild, index);
    range.setEnd(element.firstChild, index + word.length);
    if (range.getClientRects().length > 1) faults.push("broken: " + word);
  }
}
const {scrollHeight, clientHeight, scrollTop} = document.querySelector(".talk");
if (scrollHeight > clientHeight + 1 || scrollTop) faults.push("scrolled");
return faults;
"""
"""A script that finds labels of buttons that are broken inside a word, and sentences that have too little room."""
LIFTS: Final = """
window.lifts = 0;
const count = (changes) => {
  window.lifts += changes.flatMap(({addedNodes}) => [...addedNodes]).filter((node) => node.matches(".lifted")).length;
};
new MutationObserver(count).observe(document.querySelector(".board"), {childList: true});
"""
"""A script that counts how often stones are lifted off the board from now on."""


def choose(child: Browser, what: str) -> None:
    """Open a page or a problem of lesson 3 from the list."""
    if child.all("[data-key*=home]"):
        child.tap("[data-key*=home]")
    child.tap(".choices button", f"Lesson 3, {what} of")


def end_replay(child: Browser) -> None:
    """Tap on the board, on which moves are played out."""
    child.tap("[data-vertex=A1]")
    child.see(LIVE)


@pytest.mark.external
def test_a_child_at_home_is_led_to_what_is_open(folder: Path, child: Browser) -> None:
    lesson = lessons.lesson(3)
    child.speak("fr, de-AT, en")
    child.open((folder / "lesson.html").as_uri())
    child.see("h1", lessons.title(3, "de"))  # the first one of the browser's languages that the file has
    child.speak("en")
    child.driver.refresh()
    for number in (3, 2):
        choose(child, f"problem {number}")
        task = lesson.exercises[number - 1].task
        assert isinstance(task, Quiz)
        child.see(".turn", "Your turn")
        assert not child.all(".turn .stone"), "it is no play of a side"
        stone = next(vertex for vertex, label in child.board().items() if not label.endswith("empty"))
        answer(child, stone, by_keyboard=False)
        child.see(".said", f"There is a stone on {stone} already.")
        answer(child, task.game.vertex(min(task.points)), by_keyboard=False)
        child.see(".said .strong", "A star for you")
    child.tap(FORWARD)
    child.see(".titles h1", "problem 4")  # problem 3 is solved
    child.tap(".buttons button", "Solution")
    child.see(".said p:last-child", "Tap a number.")
    choose(child, "problem 10")
    child.tap(".buttons button", "Leave out")
    child.see(".said .strong", "Some problems are still open. Tap Go on.")
    assert not child.all(".sky")


@pytest.mark.external
def test_what_happens_at_home_is_seen_without_scrolling(folder: Path, child: Browser) -> None:
    def width() -> float:
        return float(child.see(".board").rect["width"])

    child.open((folder / "lesson.html").as_uri())
    choose(child, "page 1")
    child.tap("[data-vertex=A1]")  # ends what is played out
    stones = list[int]()
    for _ in range(2):
        child.tap(".steps button")
        stones.append(len(child.all(".board circle[fill*=stone]")))
    assert stones == [stones[1] - 1, stones[1]], "first the board before the move, then the move"
    choose(child, "problem 5")
    for number, wrong in enumerate(("E2", "D4", "D4")):
        child.run("document.querySelector('.talk').scrollTop = 99")
        answer(child, wrong, by_keyboard=False)
        child.see(".said .wrong", "White takes 3" if number else "White takes 2")
        child.see(".said", "I have taken your move back. Try again.")
        assert child.run(WHOLE) == []
        least = width()
        end_replay(child)
    child.tap(".buttons button", "Solution")
    child.see(".said p:last-child", "Tap the point where you want to play.")
    end_replay(child)
    answer(child, "D3", by_keyboard=False)
    child.see("[data-vertex=D4][aria-label*='white, the last move']")
    assert child.run(WHOLE) == []
    child.tap(".buttons button", "Undo")
    child.see(".said", "Tap the point where you want to play.")
    answer(child, "D3", by_keyboard=False)
    child.see(".said .right")
    child.run(LIFTS)
    answer(child, "E2", by_keyboard=False)
    child.see(".said .right", "Black takes a stone")
    assert child.run("return lifts") == 1
    assert width() == least, "the board keeps its size"
    child.size(640, 360)
    choose(child, "problem 1")
    assert child.run(WHOLE) == []
    choose(child, "problem 6")
    answer(child, "B5", by_keyboard=False)
    child.see(".said .wrong")
    assert child.run(WHOLE) + child.outside() == []
    end_replay(child)
    answer(child, "C4", by_keyboard=False)
    child.see(".said .right")
    assert child.run(WHOLE) + child.outside() == []


@pytest.mark.external
def test_a_file_has_several_languages_and_shows_its_positions_where_no_script_runs(
    folder: Path, child: Browser
) -> None:
    child.open((folder / "lesson.html").as_uri())
    Select(child.see("select")).select_by_value("de")
    child.see("h1", lessons.title(3, "de"))
    child.tap(".choices button", "Weiter")
    child.see(".goal", lessons.lesson(3, "de").pages[0].title)
    child.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        child.open((folder / "problems.html").as_uri())
        (shown,) = child.driver.find_elements("css selector", ".unable")
        wait_until(shown.is_displayed)  # after two seconds, in which a script would have hidden it
        assert "open it in a browser" in shown.text
        assert len(shown.find_elements("css selector", "svg")) == 3
    finally:
        child.command("Emulation.setScriptExecutionDisabled", value=False)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory, compiled: object) -> dict[Path, int]:
    """The largest lesson and the whole course as files, with the most bytes that they may have."""
    home = tmp_path_factory.mktemp("large")
    for name, numbers in (("lesson.html", ["4"]), ("course.html", [])):
        done = run("course", *numbers, "--web", name, "--language", "en", folder=home)
        assert done.returncode == 0, done
    return {home / "lesson.html": MOST_OF_A_LESSON, home / "course.html": MOST_OF_THE_COURSE}


@pytest.mark.slow
def test_the_files_are_small(large: dict[Path, int]) -> None:
    for file, most in large.items():
        assert file.stat().st_size <= most


@pytest.mark.slow
@pytest.mark.external
def test_the_largest_files_start_soon_on_a_slow_phone(large: dict[Path, int], child: Browser) -> None:
    for file in large:
        assert child.start_seconds(file.as_uri(), ".choices button") < SLOWEST


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_what_is_no_file_or_code_is_said_in_one_line(folder: Path) -> None:
    (folder / "other.html").write_text("<p>Hello</p>")
    for name, given_code, said in (
        ("other.html", "AAAA", "gtp-capture: other.html: this is no file of lessons or problems for home"),
        ("missing.html", "AAAA", "gtp-capture: missing.html: No such file or directory"),
        ("lesson.html", "A?!B", "gtp-capture: 'A?!B' has a mistake: please compare it with what the child has written"),
        ("lesson.html", "Ü", "gtp-capture: 'Ü' has a mistake: please compare it with what the child has written"),
    ):
        done = run("homework", name, given_code, folder=folder)
        assert (done.stdout, done.stderr.splitlines()) == ("", [said])
        assert done.returncode
    two = ("--language", "en", "--language", "de")
    for command in (("course", "1", "--sheet", "x.html", *two), ("puzzles", "--from", "shipped", "-o", "x.sgf", *two)):
        assert "several languages are possible in a file of --web alone" in run(*command, folder=folder).stderr
    assert "the terminal shows one lesson" in run("course", "1", "2", folder=folder).stderr


# --- A class ---


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    """A class that is saved, with Mia and Ole."""
    room = new_room()
    joined(room, "Mia", "Ole")
    folder = Folder(tmp_path / "class")
    with Served(room, folder) as host:
        yield host
    folder.close()


@pytest.fixture
def teacher(server: Served) -> Device:
    device = server.device()
    assert device.get("/teacher", params={"key": SECRET}, follow_redirects=True).status_code == 200
    return device


def made(teacher: Device, what: str, whom: str) -> dict[str, Any]:
    """Let a file be made, and return what the teacher sees when it is there."""
    assert teacher.post("/homework", json={"what": what, "whom": whom}).status_code == 200
    page: dict[str, Any] = {}

    def look() -> bool:
        page.update(teacher.get("/homework").json())
        return not page["busy"]

    wait_until(look)
    return page


def told(answer: httpx.Response) -> list[str]:
    return [line["text"] for line in answer.json()["told"]]


def row(teacher: Device, name: str) -> dict[str, str]:
    """Return the row of a child in the table of results, by the titles."""
    table = teacher.get("/results").json()
    return next(dict(zip(table["columns"], row, strict=True)) for row in table["rows"] if row[0] == name)


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_children_for_whom_nothing_is_open_are_named(server: Served, teacher: Device) -> None:
    mia, _ = server.room.seats.values()
    mia.progress.boxes.lower("1.3", How.SHOWN)
    assert [line["text"] for line in made(teacher, "open", "each")["told"][:2]] == [
        "The files are ready, one for each child: 1",
        "Nothing is open for: Ole",
    ]


@pytest.mark.usefixtures("compiled")
def test_the_open_problems_go_home_and_the_codes_come_into_the_results(server: Served, teacher: Device) -> None:
    room = server.room
    mia, _ = room.seats.values()
    boxes = mia.progress.boxes
    for name in ("1.1", "1.2"):
        boxes.finish(name)
    boxes.lower("1.3", How.SHOWN)
    boxes.finish("1.3")
    boxes.leave_out("17")
    room.activity = Activity("lesson", lesson=1)
    count = len(lessons.lesson(1).exercises)
    assert open_problems(room, [mia]) == sorted(["17", *(f"1.{n}" for n in range(3, count + 1))])
    shown = made(teacher, "open", "each")
    assert shown["told"][0]["text"] == "The files are ready, one for each child: 2"
    assert len(shown["told"]) == 1, "the class is saved, so nothing has to be kept"
    with zipfile.ZipFile(io.BytesIO(teacher.get(shown["file"]).content)) as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    assert [*pages] == ["1 Mia.html", "2 Ole.html"]
    (own, labels), (other, others) = map(problems_of, pages.values())
    assert labels == [*(f"Lesson 1, problem {n} of {count}" for n in range(3, count + 1)), "Problem 17 of 96"]
    assert len(others) == count
    assert own != other
    assert room.homework[own] == (*(f"1.{n}" for n in range(3, count + 1)), "17")

    done = [AtHome.ALONE, AtHome.HELPED] + [AtHome.OPEN] * (count - 3)
    given = code(own, 1, done)
    answer = teacher.post("/code", json={"code": given, "seat": None})
    assert told(answer)[0] == f"Mia: 1 alone, 1 with help, {count - 3} open"
    assert told(answer)[1] == "With help: Lesson 1, problem 4"
    assert (row(teacher, "Mia")["At home, alone"], row(teacher, "Mia")["At home, with help"]) == ("1", "1")
    assert "1.3" not in open_problems(room, [mia])
    assert "Problems solved alone at home: 1" in teacher.get("/report").text
    assert '"At home, alone"' in teacher.get("/results.csv").text

    # A code that is older takes nothing away; a child that tapped another number is chosen, and gets what it did.
    assert told(teacher.post("/code", json={"code": code(own, 1, [AtHome.OPEN] * len(done)), "seat": None}))
    assert row(teacher, "Mia")["At home, alone"] == "1"
    teacher.post("/code", json={"code": given, "seat": 2})
    assert [row(teacher, name)["At home, alone"] for name in ("Mia", "Ole")] == ["0", "1"]

    for wrong, reason in (
        (given[:-1] + ("0" if given[-1] != "0" else "1"), "This code has a mistake."),
        ("", "This code has a mistake."),
        (code("2222", 1, done), "This code is not of homework of this class."),
        (code(own, 7, done), "No child of this class has the number in this code."),
        (code(own, 0, done), "No child of this class has the number in this code."),
    ):
        answer = teacher.post("/code", json={"code": wrong, "seat": None})
        assert answer.status_code == 409
        assert answer.json()["error"].startswith(reason)
    for body in ({"code": 3, "seat": None}, {"code": given, "seat": "2"}, {}):
        assert teacher.post("/code", json=body).status_code == 400
    for body in ({"what": "lesson-99", "whom": "all"}, {"what": "open", "whom": "mine"}, {"what": "open"}):
        assert teacher.post("/homework", json=body).status_code == 400

    kept = json.loads((server.hub._store._path / "class.json").read_text())  # type: ignore[union-attr]
    again = new_room(kept=Kept.read(Fields({**kept, "tables": []}), {}))
    assert again.at_home(again.seats[2]) == room.at_home(room.seats[2]) != {}
    for broken, reason in (("2", "the seat 2 has a code of the homework"), ("3" * len(done), "is no code")):
        kept["seats"][1]["progress"]["codes"][own] = broken
        with pytest.raises(FieldError, match=reason):
            Kept.read(Fields(kept), {})


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_a_file_for_all_is_in_the_languages_of_the_children_and_nothing_open_is_said(tmp_path: Path) -> None:
    room = new_room()
    mia, ole = joined(room, "Mia", "Ole")
    ole.language = "de"
    with served(room) as server:
        device = server.device()
        device.get("/teacher", params={"key": SECRET}, follow_redirects=True)
        assert made(device, "open", "all")["told"][0]["text"] == "There is no open problem now."
        assert made(device, "open", "all")["file"] == ""
        mia.progress.boxes.leave_out("1.2")
        shown = made(device, "open", "all")
        assert [line["text"] for line in shown["told"]] == [
            "The file is ready. Problems in it: 1",
            "At the end each child taps its number: 1 Mia, 2 Ole",
            "Keep the file: without --save the class forgets it. gtp-capture homework then reads the codes.",
        ]
        answer = device.get(shown["file"])
        assert answer.headers["content-disposition"] == 'attachment; filename="homework.html"'
        data = json.loads(answer.text.partition(' id="data">')[2].partition("</script>")[0])
        assert [content["key"] for content in data["languages"]] == ["en", "de"]
        (tmp_path / "homework.html").write_bytes(answer.content)
        given = code(data["name"], 2, [AtHome.ALONE])
        done = run("homework", "homework.html", given, folder=tmp_path)
        assert done.stdout == "child 2: 1 of 1 problem solved alone\n"
        for path in ("/homework", "/homework/file"):
            assert server.device().get(path).status_code == 403
        for path in ("/homework", "/code"):
            assert server.device().post(path, json={}).status_code == 403


def test_a_file_that_cannot_be_made_is_said_and_another_one_can_be_made(
    server: Served, teacher: Device, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("no memory for a file")

    server.room.seats[1].progress.boxes.leave_out("1.2")
    with monkeypatch.context() as broken:
        broken.setattr(Recorder, "_recorded", fail)
        shown = made(teacher, "open", "all")
    assert "could not be made" in shown["told"][0]["text"]
    assert "no memory for a file" in capsys.readouterr().err
    assert made(teacher, "open", "all")["file"]
