"""Each sentence of the manual's page about a class, in the order of the page: what it promises is done in Chromium.

A test names the sentences that it drives with `keeps`; `TOLD` has those that promise nothing. The last test compares
both with the page, so that a new or changed sentence fails there.
"""

from __future__ import annotations

import csv
import functools
import re
import signal
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import httpx
import platformdirs
import pytest
from selenium.webdriver import Keys
from selenium.webdriver.support.ui import Select

from gtp_capture.classroom.activity import Activity
from gtp_capture.classroom.folder import Folder, FolderError
from gtp_capture.go import picture
from gtp_capture.go.vertex import format_vertex
from gtp_capture.jit.warmup import State
from gtp_capture.teach import sentences, words
from gtp_capture.teach.course import lessons
from gtp_capture.teach.course.lessons import Quiz
from gtp_capture.tutor.leitner import How
from gtp_capture.util.limit import Deadline
from gtp_capture.web import connection, guard, hub, view

from ..benchmarks.strength import Child
from ..support import translations
from ..support.browser import FORWARD, LIVE, Browser, chromium
from ..support.classroom import do, joined, nearly_win, new_room, said, teach, whole
from ..support.paths import MANUAL, ROOT
from ..support.process import ENGINE, HANG, KILL, output, started, wait_until
from ..support.served import SECRET, Device, Served, served
from ..teach.test_words import FOREIGN, foreign, template  # noqa: F401 - fixtures
from . import test_hostile
from .test_server import address_of

pytestmark = pytest.mark.usefixtures("chromium_here")
PAGE: Final = MANUAL / "class.md"
TOLD: Final = """
How to let a class play, solve problems and do the course on tablets, Chromebooks and PCs, with nothing to install
there. Connect your computer to the school's network, which has to be the network of the children's devices. You need
no internet. [Open a terminal](install.md#open-a-terminal-in-a-folder), and type

The names of the buttons are those of a class in the language of this page. Let them begin, or lead
them: for a first lesson press **Plan**, choose the [plan](#what-you-can-set) of lesson 1, press **Take this plan**,
and begin with **Next step**. Watch your page. At the
end open **Results**. If it cannot be made, your page says so, and nothing else is lost.
[Problems](problems.md#send-them-home) says what a child does with the file. With `--save` the class remembers its
homework next week, too. Without it keep the file: in the terminal `gtp-capture homework lesson-3.html 'CODE'` reads
codes, and changes nothing in a class.

For the whole class, or for the children that you choose on your page:

If your computer asks whether Python may accept connections, allow it for private networks. This question comes once,
on Windows and macOS. Try the way in with one tablet before the day of the lesson: Windows may want an administrator
for this, or take the network for a public one. This was not tried on Windows and macOS.
[Troubleshooting](troubleshooting.md#teaching) says what to do. The next time begin with step 1 again.

With

The folder is made in the folder in which the terminal is open: open the terminal there next week, too. A folder that
has other files is refused, so that nothing of yours is overwritten. On macOS and Linux a new folder, and the files of
the class in any folder, can be read by your account alone. If the class cannot be saved, your page says why; it is
tried again each second until it is saved. A drive that does not answer holds nobody up: after 2 seconds your page says
that nothing is saved at present. If your page says nothing of that kind, everything is saved. `class.json.before` is
the class before the last change. If `class.json` is damaged, the class does not begin: the terminal says what is wrong
in it, and that you can go on with `class.json.before`, under the name
`class.json`. To delete all that is known of the class, delete the folder.
The connection is not encrypted: do not use full names.

A computer that is in several networks, or is a hotspot itself, has an address in each of them: your page lists all,
each with the name of its network. A name such as `mypc.local` does not open the class, and is answered with the
address that does. In a network without IPv4 the address is one of IPv6, in brackets: `http://[2001:db8::7]:8765`.
Without `--lan` only your own computer can open the class, and your page shows no address for
others. A name keeps the joiners that its script needs, as in Persian, Sinhala or Malayalam, and emoji; characters
that hide or reverse text are left out. The children's browsers are Safari from 13.1 on (an iPad with iOS 13.4),
Chrome from 80 on, or others of the same age; an older one says that it is too old. They have to keep cookies for the
address: without them nobody can come in, and the page asks for them. Where a filter of the network holds the stream of
events back, the pages ask for each event, and the boards follow some seconds later. The pages can be zoomed, up to
400 % on a small screen: then they scroll. A browser that has the class in more than four tabs stops the oldest one,
which then says that the page goes on in another tab, and has a button to go on there.

**Whoever can listen in the network** is not kept out: the school's network has to do that.
"""
"""Sentences that promise nothing of the pages, or whose part of the program has its own tests."""
CAPTURE: Final = ("C3", "C4", "A1", "B3", "A2", "D3", "B1", "C2")
"""Moves on 5x5: White takes the stone at C3."""
ENGLISH: Final = words.Voice(plain=True, taps=True)
SHOWN: Final = {
    "address",
    "answer",
    "away",
    "board",
    "confirm",
    "ended",
    "end_sure",
    "for_all",
    "for_some",
    "level",
    "names_list",
    "labelled",
    "numbered",
    "plan_course",
    "plan_none",
    "remove_some",
    "hardest",
    "homework",
    "homework_code",
    "homework_what",
    "homework_whom",
    "homework_whose",
    "round_title",
} | {*("language", "name", "networks", "offline", "remove_sure", "welcome")}
"""Words of the pages that no control has, or only as the name of a field."""
NOTES: Final = tuple(f"class.choice.{name}" for name in ("done", "won", "solved", "page", "exercise"))
"""Words beside the label of a choice."""
NOT_TEXT: Final = r"(?ms)^ *```.*?^ *```$|^<!--.*?-->$|^\|.*?$|^#.*?$|^ *!\[.*?$"
driven: Final[list[str]] = []


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text in Markdown, without its examples, tables, headings and pictures."""
    blocks = re.split(r"\n\s*\n|^ *(?:\d+\.|-) ", re.sub(NOT_TEXT, "", text), flags=re.MULTILINE)
    return [part for block in blocks for part in re.split(r"(?<=[.?!])\s+", " ".join(block.split())) if part]


def keeps(text: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Name the sentences that a test drives."""
    driven.extend(sentences_of(text))
    return lambda test: test


# --- The devices ---


@pytest.fixture
def server() -> Iterator[Served]:
    """A class as the command begins it."""
    with served(new_room(Activity("game"))) as host:
        yield host


def device() -> Iterator[Browser]:
    with chromium() as browser:
        browser.size(1366, 768)
        yield browser


mia, ole, wall, own = (pytest.fixture(scope="module", name=name)(device) for name in ("mia", "ole", "wall", "own"))


@pytest.fixture
def teacher(own: Browser, server: Served) -> Iterator[Browser]:
    own.teach(server)
    yield own
    assert own.complaints() == []


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """What lets time (s) pass for the class; else it stands still."""
    passed = [0.0]
    monkeypatch.setattr(hub, "time", SimpleNamespace(monotonic=lambda: passed[0]))

    def pass_by(seconds: float) -> None:
        passed[0] += seconds

    return pass_by


def begin(teacher: Browser, kind: str, *names: str, **fields: str) -> None:
    """Set an activity for children, or for all; `fields`: what is chosen, by the names of the fields."""
    for name in names:
        teacher.tap(".seat label", name)
    teacher.tap(".task button", kind)
    for name, shown in fields.items():
        Select(teacher.see(f"select[name={name}]")).select_by_visible_text(shown)
    teacher.tap(".task .main")


def pair(teacher: Browser, how: str, *names: str, **fields: str) -> None:
    """Let children play with each other; `fields`: see `begin`."""
    for name in names:
        teacher.tap(".seat label", name)
    teacher.tap(".task button", "Pairs")
    for name, shown in fields.items():
        Select(teacher.see(f"select[name={name}]")).select_by_visible_text(shown)
    teacher.tap(".task button", how)


def press(child: Browser, label: str) -> None:
    """Tap a button beside the board, and wait for its answer."""
    child.tap(".buttons button:enabled", label)
    child.miss(".session.waiting")
    child.miss(".said .busy")


def point(child: Browser, vertex: str) -> None:
    child.tap(f"{LIVE} [data-vertex={vertex}]")


def move(mover: Browser, watcher: Browser, vertex: str) -> None:
    """Play a move of a pair, which both see."""
    point(mover, vertex)
    for page in (mover, watcher):
        page.see(f"[data-vertex={vertex}][aria-label*='the last move']")


def sides(*pages: Browser) -> tuple[Browser, Browser]:
    """Return the pages of Black and White of a pair that has just begun."""
    for page in pages:
        page.see(".board")
    black, white = pages if pages[0].all(LIVE) else pages[::-1]
    black.see(LIVE)
    return black, white


def new_pair(server: Served, teacher: Browser, mia: Browser, ole: Browser) -> tuple[Browser, Browser]:
    """Let Mia and Ole come in and play with each other; return the pages of Black and White."""
    mia.join(server, "Mia")
    ole.join(server, "Ole")
    teacher.see(".seat", "Ole")
    pair(teacher, "The two chosen", "Mia", "Ole")
    return sides(mia, ole)


def session(server: Served, number: int) -> Any:
    """Return the session of a child."""
    desk = server.room.seats[number].desk
    assert desk is not None
    return desk.session


def shows(page: Browser, circles: int) -> bool:
    """Whether the drawing of the board has this number of circles, as stones and marks are."""
    script = "return document.querySelectorAll('.session .board > svg:first-child circle').length"
    return int(page.run(script)) == circles


def reads(page: Browser, is_foreign: bool) -> None:
    """Wait until what is said to a child is in the made-up language, or in English."""
    wait_until(lambda: ("«" in page.see(".said").text) == is_foreign)


def right_of(server: Served, theme: str = "") -> str:
    """Return the right move of the first problem of a theme."""
    problem = next(iter(server.room.sessions.problems(theme).values()))
    return format_vertex(problem.line[0], problem.start.width)


# --- Monday morning ---


@pytest.mark.posix
@keeps("""
Your page opens in the browser. Without `--save` nothing is kept: no names, no games. Each start is a new class, which
knows nothing of
the last one.
""")
def test_the_command_opens_the_page_and_keeps_nothing(own: Browser, mia: Browser, tmp_path: Path) -> None:
    opened, home = tmp_path / "opened", tmp_path / "home"
    home.mkdir()
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}.part && mv {opened}.part {opened}\n')
    browser.chmod(0o755)
    places = [f"{name}={home}" for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "TMPDIR")]
    places.append(f"XDG_CACHE_HOME={platformdirs.user_cache_path()}")  # with the compiled code
    command = ["env", "-C", str(home), *places, f"BROWSER={browser} %s", *ENGINE, "class", "--lan", "--port", "0"]
    with started(command) as program:
        address, word = address_of(program)
        wait_until(opened.exists)
        own.open(opened.read_text())
        own.see(".word", word)
        own.see(".address", address)
        there: Any = SimpleNamespace(
            base=f"http://127.0.0.1:{address.rpartition(':')[2]}", room=SimpleNamespace(word=word)
        )
        printed = next(line for line in program.stdout or () if "key=" in line).partition(": ")[2].strip()
        with Device(there.base) as other:  # the key of the address that is opened is another one, and used up
            assert other.get(opened.read_text()).status_code == 403
            assert other.get(printed).status_code == 303
        mia.join(there, "Mia")
        mia.tap(".choices button", "Play against the computer")
        point(mia, "C3")
        mia.see("[data-vertex=C3][aria-label*=black]")
        own.tap(".orders button", "End the class")
        own.tap("dialog button", "Yes")
        own.see(".orders h2", "The class is over")
        program.send_signal(signal.SIGINT)
        said, _ = output(program, HANG)
    assert said.endswith("The class has ended.\n")
    written = [file for file in home.rglob("*") if file.is_file()]  # such as locks of compiled code
    assert [file.name for file in written if b"Mia" in file.read_bytes() or file.suffix in (".json", ".sgf")] == []


@pytest.mark.posix
@keeps("The window of the terminal stays open during the lesson: the class ends when you close it.")
def test_a_closed_terminal() -> None:
    with started([*ENGINE, "class", "--port", "0", "--no-browser"]) as program:
        assert program.stdout is not None
        address = next(match[0] for line in program.stdout if (match := re.search(r"http://[\w.:]+", line)))
        with Device(address) as device:
            assert device.get("/").status_code == 200
            program.send_signal(signal.SIGHUP)
            output(program, HANG)
            with pytest.raises(httpx.TransportError):
                device.get("/")


@keeps("""
It shows an address, its QR code, and a word, such as `TIGER 4711`. Show them with the projector: **Projector** opens a
page for it. Each child opens the address, with the camera or by typing it, and types the word and their first name.
Then the child sees what they can do: play against the computer, problems, the eight lessons, or a game with another
child who is choosing too. Problems begin with those that one move solves. If one child of a pair leaves the board, the
other child is told, and can begin something else.
""")
def test_the_way_in(server: Served, teacher: Browser, mia: Browser, ole: Browser) -> None:
    window = teacher.driver.current_window_handle
    teacher.tap(".orders a", "Projector")
    wait_until(lambda: len(teacher.driver.window_handles) == 2)
    code = teacher.run("return document.querySelector('.qr').innerHTML.length")
    teacher.driver.switch_to.window(next(handle for handle in teacher.driver.window_handles if handle != window))
    for _ in range(2):
        teacher.see(".word", server.room.word)
        teacher.see(".address", server.base)
        teacher.see(".qr svg")
    assert code > 1000
    teacher.driver.close()
    teacher.driver.switch_to.window(window)
    mia.join(server, "Mia")
    ole.join(server, "Ole")
    for label in ("Play against the computer", "Problems", "Play with Ole"):
        mia.see(".choices button", label)
    assert len(mia.all(".choices [data-key*=lesson]")) == len(lessons.numbers()) == 8
    mia.tap(".choices button", "Play with Ole")
    mia.see(".stop h1", "I have asked Ole")
    ole.tap(".question button", "No")
    mia.see(".said", "Ole does not play with you now")
    mia.tap(".choices button", "Play with Ole")
    ole.see(".question")
    mia.tap(".stop button", "Home")
    ole.miss(".question")
    mia.tap(".choices button", "Play with Ole")
    ole.tap(".question button", "Yes")
    black, white = sides(mia, ole)
    move(black, white, "C3")
    black.see(".said .busy", "Ole is thinking" if black is mia else "Mia is thinking")
    white.tap("[data-key*=home]")
    black.see(".said .busy", "Ole has left the board")
    white.see(".choices button small", "Mia has")
    white.tap(".choices button", "Go on")
    move(white, black, "C4")
    left, other = white, black
    left.tap("[data-key*=home]")
    left.tap(".choices button", "Problems")
    other.see(".said", "has gone. What do you want to do now?")
    other.see(".choices button", "Problems")
    point(white, right_of(server))
    white.see(".said .right")


@keeps("""
Where a child chooses (**Home**), the first choice is the large one: what the child has begun, or the next lesson that
is not done. It says where the child is, and what comes there. Below it are the eight lessons as the steps of a path:
those that are done, the next one, and those to come. In lesson 1 the first problem comes after the first page.
""")
def test_a_child_alone_is_greeted_by_a_path(server: Served, mia: Browser) -> None:
    def home(*wanted: str) -> None:
        """Look at the choices: the main one has these texts, and is the largest and the first."""
        main = mia.see(".choices .main")
        assert main.text.splitlines() == [*wanted]
        others = [button.rect for button in mia.all(".choices button:not(.main)")]
        assert all(rect["y"] > main.rect["y"] and rect["height"] < main.rect["height"] for rect in others)

    def path() -> list[tuple[str, str]]:
        text = "(li) => [li.className, li.querySelector('.unseen').textContent]"
        steps = mia.run(f"return [...document.querySelectorAll('.path li')].map({text})")
        return [(state, label) for state, label in steps]

    title = lessons.title(1)
    mia.join(server, "Mia")
    mia.size(360, 640)
    home(f"Begin with lesson 1: {title}", "Page 1 of 6: The board and the stones")
    assert mia.faults() == []
    to_come = [("later", f"Lesson {number}: to come") for number in range(2, 9)]
    assert path() == [("here", "Lesson 1: you are here"), *to_come]
    mia.tap(".choices .main")
    mia.see(".titles h1", "Lesson 1, page 1 of 6")
    mia.tap(FORWARD)
    mia.see(".goal", "On which point is the white stone?")
    mia.touch("[data-vertex=B4]")  # the first tap on a board
    mia.see(".said .right")
    mia.tap(FORWARD)
    mia.see(".titles h1", "Lesson 1, page 2 of 6")
    mia.tap("[data-key*=home]")
    home(f"Go on with lesson 1: {title}", "Page 2 of 6: Liberties")
    mia.tap(".choices button", "Play against the computer")
    mia.see(LIVE)
    mia.tap("[data-key*=home]")
    home("Go on", "A game on 5x5 against level 1")
    mia.tap(".choices button", "Problems")
    mia.see(LIVE)
    mia.tap("[data-key*=home]")
    home("Go on", f"Problem {next(iter(server.room.sessions.problems('')))} (1 of 96)")
    mia.tap(".path .here button")
    mia.see(".titles h1", "Lesson 1, page 2 of 6")
    server.room.seats[1].progress.done.add(1)
    mia.tap("[data-key*=home]")
    home(f"Begin with lesson 2: {lessons.title(2)}", f"Page 1 of 6: {lessons.lesson(2).pages[0].title}")
    assert path()[:3] == [("done", "Lesson 1: done"), ("here", "Lesson 2: you are here"), to_come[1]]


@keeps("A game is on 5x5 at level 1, and the level follows each child.")
def test_the_level_of_games_follows_the_child(server: Served, teacher: Browser, mia: Browser) -> None:
    mia.join(server, "Mia")
    mia.tap(".choices button", "Play against the computer")
    mia.see(".titles h1", "A game on 5x5 against level 1")
    careful = Child(1)
    while not server.room.seats[1].progress.won:
        mia.see(LIVE)
        game = session(server, 1).game
        point(mia, careful.choose(game, Deadline(None)))
        mia.miss(".session.waiting")
        mia.see(f"{LIVE}, {FORWARD}")
        if mia.all(FORWARD) and not server.room.seats[1].progress.won:
            mia.tap(FORWARD, "The same again")
    mia.tap(FORWARD, "The same again")
    mia.see(".titles h1", "A game on 5x5 against level 2")
    teacher.see(".seat .doing", "5x5, level 2")


@keeps("""
It shows all boards on one screen, also those of 30 children where the screen has 1366x768 pixels. A mark says where
help is needed: three wrong answers in a row, two minutes without a move, or a raised hand. The children who need help
come first, and a number at the top counts them. Tap a mark, and it goes away. **Seating order** puts the children back
in the order in which they came in. **Help me** raises a hand on your page.
""")
def test_the_page_shows_boards_and_marks(
    server: Served, teacher: Browser, mia: Browser, ole: Browser, clock: Callable[[float], None]
) -> None:
    ole.join(server, "Ole")
    mia.join(server, "Mia")
    shown = "return document.querySelectorAll('.seat b, .seat svg').length"
    mia.tap(".choices button", "Play against the computer")
    teacher.tap(".seat button", "Mia")
    before = teacher.see("dialog .large svg").get_attribute("outerHTML")
    card = next(seat for seat in teacher.all(".seat", "Mia")).get_attribute("outerHTML")
    point(mia, "C3")
    mia.see("[data-vertex=C3][aria-label*=black]")
    wait_until(lambda: teacher.see("dialog .large svg").get_attribute("outerHTML") != before)
    wait_until(lambda: teacher.run("return document.querySelectorAll('.seat')[1].outerHTML") != card)
    mia.see(LIVE)
    mia.tap("[data-key*=home]")
    teacher.see("dialog h2", "Mia: is choosing")
    teacher.tap("dialog button", "Close")
    assert teacher.run(shown) >= 3
    mia.tap("[data-key*=hand]", "Help me")
    teacher.see(".seat .help", "raised a hand")
    mia.tap("[data-key*=hand]", "Help me")
    teacher.miss(".seat .help")
    mia.tap(".choices button", "Problems")
    mia.see(LIVE)
    right = right_of(server)
    wrong = [vertex for vertex in mia.free() if vertex != right]
    for n in range(3):
        point(mia, wrong[n % len(wrong)])
        mia.miss(".session.waiting")
        mia.see(".said .wrong")
    teacher.see(".seat .help", "three wrong answers")
    ole.tap(".choices button", "Play against the computer")
    ole.see(LIVE)
    clock(121)
    teacher.see(".seat .help", "no move for two minutes")
    teacher.see(".need", "2 need help")
    teacher.tap(".seat .help", "no move for two minutes")
    teacher.see(".need", "1 needs help")
    teacher.see(".seat:first-child", "Mia")
    teacher.tap(".status button", "Seating order")
    teacher.see(".seat:first-child", "Ole")
    teacher.tap(".status button", "Help first")
    teacher.see(".seat:first-child", "Mia")


@pytest.mark.parametrize(
    ("with_plan", "language"), [(False, "en"), (True, "en"), (True, "de"), (True, "es"), (True, "fr"), (True, "pt_BR")]
)
def test_thirty_boards_are_on_one_screen(teacher: Browser, with_plan: bool, language: str) -> None:
    room, voice = new_room(language=language), words.Voice(language=language)
    long = [f"Maximilian-Alexande{n}" for n in range(9)]  # some of their partners are in each row
    for n, seat in enumerate(joined(room, *(f"Child {n}" for n in range(1, 21)), *long, "Wilhelmina")):
        do(room, seat, choose=("play", "problems", "lesson-8")[n % 3])
        do(room, seat, hand=n % 2 == 0)
    if with_plan:
        teach(room, plan={"steps": [], "at": None, "course": [1, 1]})
        teach(room, step=3)
    with served(room) as full:
        teacher.size(1366, 768)
        teacher.teach(full)
        teacher.see(".need", "need help" if language == "en" else "")
        for form in ("", "lesson", "problems", "pairs", "game"):
            if form:
                teacher.tap(".task button", voice.text(f"class.page.{form}"))
                teacher.see(".task select")
            assert teacher.run("return document.documentElement.scrollHeight") <= 768
            assert len(teacher.all(".seat > button > svg")) == 30
            assert min(board.rect["width"] for board in teacher.all(".seat > button > svg")) >= 96
        assert teacher.outside() == []
        assert teacher.faults() == []
        teacher.size(1024, 768)
        for form in ("pairs", "game"):
            teacher.tap(".task button", voice.text(f"class.page.{form}"))
            assert teacher.outside() == []
        teacher.size(1366, 768)
        if with_plan:  # a longer line at the top, and a question
            for step, css, text in ((1, ".doing", "Wilhelmina"), (4, ".lead button", voice.text("class.page.reveal"))):
                teach(room, step=step)
                teacher.tap(".seat label", "Wilhelmina")
                teacher.see(css, text)
                assert teacher.run("return document.documentElement.scrollHeight") <= 768
                teacher.tap(".seat label", "Wilhelmina")


@keeps("""
The address and the word fold away when you set something, and come back with a tap. At the top stands the activity
that is set now, and how many of the children who are here do it. A child who does something else has a mark. The
forms begin with what is
set.
""")
def test_what_is_set_is_seen(server: Served, teacher: Browser, mia: Browser, ole: Browser) -> None:
    mia.join(server, "Mia")
    ole.join(server, "Ole")
    teacher.see(".status h2", "Now: Free choice")
    teacher.see(".door .address")
    begin(
        teacher,
        "Game",
        rules="Whoever takes 3 stones first wins",
        size="7 \u00d7 7",
        level=ENGLISH.text("class.level", number=3, name=words.level_name(3, ENGLISH)),
    )
    level = words.level_name(3, ENGLISH)
    teacher.see(
        ".status h2", f"Now: Game on 7x7 \u00b7 Whoever takes 3 stones first wins \u00b7 Level 3: {level} (2 of 2)"
    )
    teacher.miss(".door .address")
    teacher.see(".door .word")
    teacher.tap(".door button", "The way in")
    teacher.see(".door .address")
    begin(teacher, "Problems", "Ole")
    teacher.see(".status h2", "(1 of 2)")
    teacher.see(".seat.beside", "Ole")
    assert [label.text for label in teacher.all(".seat.beside b")] == ["Ole"]
    assert teacher.see(".aside").get_attribute("aria-label") == "Something else"
    begin(teacher, "Game", "Ole", size="9 \u00d7 9")  # which is not set for all
    for _ in ("the same page", "a new one"):
        teacher.tap(".task button", "Game")
        teacher.see(".task select")
        chosen = [Select(menu).first_selected_option.text for menu in teacher.all(".task select")]
        assert chosen == ["Whoever takes 3 stones first wins", "7 \u00d7 7", f"Level 3: {level}"]
        teacher.driver.refresh()


@keeps("""
Tap a board to see it large: with the task, the sentences that the child reads, and their last answers or moves, as they
change. Tap a point there, and the child sees a ring on it. You can give the child a hint, also where hints are off, or
something else to do.
""")
def test_a_child_seen_large(server: Served, teacher: Browser, mia: Browser) -> None:
    mia.join(server, "Mia")
    begin(teacher, "Problems")
    mia.see(LIVE)
    right = right_of(server)
    wrong = next(vertex for vertex in mia.free() if vertex != right)
    teacher.tap(".seat button", "Mia")
    teacher.see("dialog .ring", "Tap a point: the child sees a ring there.")
    assert teacher.see("dialog .goal").text == mia.see(".goal").text
    point(mia, wrong)
    mia.see(".said .wrong")
    teacher.see("dialog h3", "Last answers")
    teacher.see("dialog li", f"{wrong}, wrong")
    assert [line.text for line in teacher.all("dialog .said p")] == [line.text for line in mia.all(".said p")]
    teacher.tap(f"dialog [data-vertex={right}]")
    mia.see(".said", f"Your teacher shows you {right}. Look there.")
    mia.see(f"[data-vertex={right}][aria-label*='the hint']")
    assert teacher.faults() == []
    server.room.allowed["hints"] = False
    teacher.tap("dialog button", "Give a hint")
    mia.miss(".said .busy")
    wait_until(lambda: "Your teacher" not in mia.see(".said").text)
    teacher.tap("dialog button", "Something else to do")
    teacher.see(".task h2", "For the chosen children: 1")
    teacher.tap(".task button", "Game")
    teacher.tap(".task .main")
    mia.see(".titles h1", "A game on 5x5")


@keeps("""
To speak to all, press **Eyes to the front**: all boards stop. You can then show one board, yours or a child's, on
every screen. Your own board is for demonstrations: both colours, a lesson, or problems.
""")
def test_eyes_to_the_front(server: Served, teacher: Browser, mia: Browser, ole: Browser, wall: Browser) -> None:
    mia.join(server, "Mia")
    ole.join(server, "Ole")
    mia.tap(".choices button", "Play against the computer")
    point(mia, "B2")
    mia.see(f"{LIVE} [data-vertex=B2][aria-label*=black]")
    wall.teach(server)
    wall.open(f"{server.base}/wall")
    teacher.tap(".orders button", "Eyes to the front")
    for page in (mia, ole, wall):
        page.see(".stop h1", "Eyes to the front")
    teacher.tap("[role=tab]", "My board")
    teacher.tap("#mine button", "Play both colours on this board")
    for vertex in ("C3", "D3"):
        point(teacher, vertex)
        teacher.see(f"{LIVE} [data-vertex={vertex}][aria-label*='the last move']")
    teacher.tap("#mine button", "Show on the projector")
    for page in (mia, ole, wall):
        page.see("[data-vertex=C3][aria-label*=black]")
        page.see("[data-vertex=D3][aria-label*=white]")
        assert not page.all(LIVE)
    for label, title in (("Lesson 2", "Lesson 2, page 1"), ("Problems", "(1 of 96)")):
        teacher.tap("#mine [data-key*=home]")
        teacher.tap("#mine .choices button", label)
        teacher.see("#mine h1", title)
        for page in (mia, wall):
            page.see(".board")
    teacher.tap(".orders button", "Stop showing")
    wall.see(".stop h1", "Eyes to the front")
    teacher.tap("[role=tab]", "Class")
    teacher.tap(".seat button", "Mia")
    teacher.tap("dialog button", "Show on the projector")
    for page in (ole, wall):
        page.see("[data-vertex=B2][aria-label*=black]")
        page.see(".said", "This is the board of Mia.")
    teacher.see(".status h2", "Now: On the projector: Mia")
    teacher.tap(".orders button", "Stop showing")
    ole.see(".stop h1", "Eyes to the front")
    teacher.tap(".orders button", "Go on")
    mia.see(LIVE)
    ole.see(".choices")
    wall.see(".door .word")


@keeps("""
A solution on your board can be gone through move by move: **Next move** and **One move back** lead all screens.
""")
def test_a_solution_in_the_teachers_hand(server: Served, teacher: Browser, mia: Browser, wall: Browser) -> None:
    mia.join(server, "Mia")
    wall.teach(server)
    wall.open(f"{server.base}/wall")
    teacher.tap(".orders button", "Eyes to the front")
    teacher.tap("[role=tab]", "My board")
    teacher.tap("#mine .choices button", "Problems")
    teacher.see(f"#mine {LIVE}")
    teacher.tap("#mine .second button", "Show on the projector")
    press(teacher, "Solution")
    pages = (teacher, mia, wall)
    teacher.see(".steps button", "Next move")
    shown = view.wall(server.room, server.hub.door)
    assert shown["replay"] is not None
    wanted = [whole(frame["lines"], shown["board"]).count("<circle") for frame in shown["replay"]["frames"]]
    assert len({*wanted}) > 1
    for label, at in (("Next move", 1), ("One move back", 0), *(("Next move", n) for n in range(1, len(wanted)))):
        teacher.tap(".steps button:enabled", label)
        for page in pages:
            wait_until(functools.partial(shows, page, wanted[at]))
    assert not [button for page in (mia, wall) for button in page.all(".steps button")]
    teacher.tap(".steps button:enabled", "Next move")
    for page in pages:
        wait_until(functools.partial(shows, page, wanted[0]))


@keeps("""
**Ask all**, on your board or on a child's, asks everybody one question about this board: where would you play? Each
child answers with one tap, and can change the answer until you show all. Your page and the projector count those who
have answered. **Show the answers** puts the numbers on the points, on every screen and without names, and says for
example that 14 of 24 would play C3. It says nothing about right and wrong. With **End the question** each child is back
where it was.
""")
def test_a_question_to_all(server: Served, teacher: Browser, mia: Browser, ole: Browser, wall: Browser) -> None:
    mia.join(server, "Mia")
    ole.join(server, "Ole")
    wall.teach(server)
    wall.open(f"{server.base}/wall")
    mia.tap(".choices button", "Play against the computer")
    point(mia, "B2")
    mia.see(f"{LIVE} [data-vertex=B2][aria-label*=black]")
    before = mia.board()
    teacher.tap(".seat button", "Mia")
    teacher.tap("dialog button", "Ask all")
    for page in (mia, ole):
        page.see("h1", "Where would you play?")
        page.see("[data-vertex=B2][aria-label*=black]")
        assert page.see(".turn").text == "Your turn"
        assert page.faults() == []
    wall.see("h1", "Where would you play?")
    wall.see(".said", "0 of 2 have answered")
    ole.tap("[data-vertex=B2]")
    ole.see(".said .wrong", "B2")
    free = [vertex for vertex in ole.free() if vertex in before]
    point(mia, free[0])
    mia.see(".said", f"You say {free[0]}. You can still tap another point.")
    teacher.see(".status h2", "Now: 1 of 2 has answered")
    teacher.see(".seat .doing", f"Answer: {free[0]}")
    teacher.see(".seat .doing", "no answer yet")
    point(mia, free[1])
    point(ole, free[1])
    ole.see(f"[data-vertex={free[1]}][aria-label*='your answer']")
    teacher.see(".status h2", "Now: 2 of 2 have answered")
    wall.see(".said", "2 of 2 have answered")
    assert not any("2" in label.partition(":")[2] for label in wall.board().values())
    teacher.tap(".lead button", "Show the answers")
    for page in (mia, ole, wall):
        page.see(".said", f"2 of 2 would play {free[1]}.")
        page.see(f"[data-vertex={free[1]}][aria-label*='2']")
        assert not page.all(LIVE)
        assert not any(tone in page.see(".said").get_attribute("innerHTML") for tone in ("right", "wrong"))
    teacher.tap("[role=tab]", "My board")
    teacher.see("#mine .said", f"2 of 2 would play {free[1]}.")
    teacher.see(f"#mine [data-vertex={free[1]}][aria-label*='2']")
    assert wall.faults() == []
    assert "Mia" not in wall.see("main").text
    teacher.tap(".lead button", "End the question")
    mia.see(".titles h1", "A game on 5x5")
    mia.see(LIVE)
    assert mia.board() == before
    ole.see(".choices")
    wall.see(".door .word")


def test_a_question_about_the_teachers_board(server: Served, teacher: Browser, mia: Browser) -> None:
    mia.join(server, "Mia")
    mia.tap(".choices button", "Play against the computer")
    mia.see(LIVE)
    teacher.tap("[role=tab]", "My board")
    teacher.tap("#mine .choices button", "Problems")
    teacher.see(f"#mine {LIVE}")
    teacher.tap("#mine .second button", "Ask all")
    mia.see("h1", "Where would you play?")
    mia.see(LIVE)
    point(mia, right_of(server))
    teacher.see(".status h2", "1 of 1 has answered")
    teacher.tap(".lead button", "End the question")
    mia.see(".titles h1", "A game on 5x5")


@keeps("""
It shows what each child has done. The results can be printed, and saved as a table for a spreadsheet; all games can be
saved as SGF. Then press **End the class**, or Ctrl+C (Strg+C on a German keyboard) in the terminal.
""")
def test_results(server: Served, teacher: Browser, mia: Browser, ole: Browser, tmp_path: Path) -> None:
    black, white = new_pair(server, teacher, mia, ole)
    teacher.tap("[role=tab]", "Results")
    for n, vertex in enumerate(CAPTURE):
        move(*((black, white), (white, black))[n % 2], vertex)
    wanted = [("Mia", "1 (1)", "0 (0)"), ("Ole", "1 (1)", "1 (1)")]
    rows = "return [...document.querySelectorAll('tbody tr')].map((row) => [...row.children].map((c) => c.textContent))"
    wait_until(lambda: {tuple(row[:1] + row[8:10]) for row in teacher.run(rows)} == {*wanted})
    teacher.run("window.print = () => document.body.dataset.printed = 'yes'")
    teacher.tap("#results button", "Print")
    assert teacher.run("return document.body.dataset.printed") == "yes"
    teacher.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    teacher.tap("#results a", "Table (CSV)")
    wait_until((tmp_path / "class.csv").exists)
    table = [*csv.DictReader((tmp_path / "class.csv").read_text("utf-8-sig").splitlines())]
    assert [(row["Name"], row["Games"], row["Games won, today"]) for row in table] == [
        ("Mia", "1", "0"),
        ("Ole", "1", "1"),
    ]
    teacher.tap("#results a", "Games (SGF)")
    wait_until((tmp_path / "games.sgf").exists)
    assert "PB[Mia]" in (tmp_path / "games.sgf").read_text()
    teacher.tap(".orders button", "End the class")
    teacher.see("dialog > button:last-child", "No")
    teacher.tap("dialog button", "Yes")
    for page in (mia, ole):
        page.see(".stop [role=status]", "This class is over")
    teacher.see("td", "Ole")


def test_the_printed_results_have_all_columns_and_the_date(server: Served, teacher: Browser, mia: Browser) -> None:
    server.room.day = "2026-11-28"
    mia.join(server, "Maximilian-Alexander")
    teacher.tap("[role=tab]", "Results")
    teacher.see("td", "Maximilian-Alexander")
    assert teacher.see("#results table").rect["y"] < teacher.see(".homework form").rect["y"]
    teacher.see(".sheets h2", server.room.day)
    for landscape, wide in ((False, 19), (True, 27.7)):  # centimetres of the paper without its margins
        teacher.command("Emulation.setEmulatedMedia", media="print")
        teacher.size(round(wide / 2.54 * 96), 900)
        table = teacher.see("#results table")
        assert teacher.run("return arguments[0].scrollWidth <= document.documentElement.clientWidth", table), landscape
        assert not [button for button in teacher.all("button") if button.is_displayed()]
    teacher.command("Emulation.setEmulatedMedia", media="")
    teacher.size(1366, 768)
    teacher.open(f"{server.base}/report")
    teacher.see("article .note", server.room.day)
    teacher.run("window.print = () => document.body.dataset.printed = 'yes'")
    teacher.tap("main > button", "Print")
    assert teacher.run("return document.body.dataset.printed") == "yes"


@keeps("""
For each child it says, for today and in all, which problems were solved alone at once, alone after tries, with a hint,
after the solution was shown, or not at all. It also counts the games, those won, those won with help, and the minutes.
A problem that was shown is not solved, and a lesson with problems left out is not done. Above the table stand the
three problems that most children did not solve alone today. **For parents** opens a page for each child to print, in
their language.
""")
def test_honest_results(server: Served, teacher: Browser, mia: Browser, clock: Callable[[float], None]) -> None:
    mia.join(server, "Mia")
    mia.tap(".choices button", "Problems")
    mia.see(LIVE)
    clock(1)
    wait_until(lambda: server.room.now > 0)
    clock(181)
    wait_until(lambda: server.room.now > 100)
    right, problems = right_of(server), [*server.room.sessions.problems("")]
    point(mia, next(vertex for vertex in mia.free() if vertex != right))
    mia.see(".said .wrong")
    press(mia, "Leave out")
    mia.see(".titles h1", "(2 of 96)")
    server.room.seats[1].progress.boxes.lower(problems[1], How.SHOWN)
    server.room.seats[1].progress.boxes.finish(problems[1])
    for name, how in zip(problems[2:5], (How.AT_ONCE, How.TRIES, How.HINT), strict=True):
        server.room.seats[1].progress.boxes.lower(name, how)
        server.room.seats[1].progress.boxes.finish(name)
    server.room.seats[1].progress.done.add(1)
    teacher.tap("[role=tab]", "Results")
    titles = ("Stars", "Alone at once", "Alone after tries", "With a hint", "After the solution", "Not solved")
    teacher.see("td", "Mia")
    heads, tds = ([cell.text for cell in teacher.all(css)] for css in ("th", "td"))
    cells = dict(zip(heads, tds, strict=True))
    assert [cells[title] for title in titles] == ["2 (2)", *["1 (1)"] * 5]
    assert cells["Minutes"] == "3 (3)"
    assert len(server.room.seats[1].progress.solved) == 3
    teacher.see(".hard h2", "The hardest problems today")
    hard = [item.text for item in teacher.all(".hard li")]
    assert len(hard) == 3
    assert f"Problem {problems[0]}: 1 of 1 children did not solve it alone" in hard
    teacher.see(".note", "is not solved")
    assert teacher.faults() == []
    window = teacher.driver.current_window_handle
    teacher.tap("#results a", "For parents")
    wait_until(lambda: len(teacher.driver.window_handles) == 2)
    teacher.driver.switch_to.window(next(handle for handle in teacher.driver.window_handles if handle != window))
    try:
        teacher.see("article h1", "Mia learns Capture Go")
        teacher.see("article li", lessons.lesson(1).title)
        teacher.see("article .strong", f"What comes next: {lessons.lesson(2).title}")
        assert teacher.faults() == []
        server.room.seats[1].language = "de"
        teacher.driver.refresh()
        teacher.see("article[lang=de] li", lessons.title(1, "de"))
    finally:
        teacher.driver.close()
        teacher.driver.switch_to.window(window)


# --- What you can set ---


@keeps("""
**A lesson**, from any page or problem on; **problems**, all or of one theme; **a game** with rules, board size and
level; or **free choice**. Children who come later begin with what you have set for all.
""")
def test_activities(server: Served, teacher: Browser, mia: Browser, ole: Browser, wall: Browser) -> None:
    mia.join(server, "Mia")
    ole.join(server, "Ole")
    teacher.see(".seat", "Ole")
    lesson = lessons.lesson(2)
    title = f"2. {lesson.title}"
    for names in (), ("Mia",):  # for all, and then for one child alone
        n = len(names)
        begin(teacher, "Lesson", *names, lesson=title, page=str(3 + n))
        mia.see(".titles h1", f"Lesson 2, page {3 + n} of {len(lesson.pages)}")
        begin(teacher, "Lesson", *names, lesson=title, page=f"Problem {2 + n}")
        mia.see(".titles h1", f"Lesson 2, problem {2 + n} of {len(lesson.exercises)}")
        theme = ("capture", "ladder")[n]
        begin(teacher, "Problems", *names, theme=ENGLISH.text(f"theme.{theme}"))
        problems = server.room.sessions.problems(theme)
        mia.see(".titles h1", f"Problem {next(iter(problems))} (1 of {len(problems)})")
        size, level = (7, 9)[n], (3, 10)[n]
        rules = ("Whoever takes 3 stones first wins", "Go, Japanese rules")[n]
        chosen = ENGLISH.text("class.level", number=level, name=words.level_name(level, ENGLISH))
        if not names:
            begin(teacher, "Game")
            mia.see(".titles h1", "A game on 5x5 against level 1")
        begin(teacher, "Game", *names, rules=rules, size=f"{size} \u00d7 {size}", level=chosen)
        mia.see(".titles h1", f"A game on {size}x{size} against level {level}")
        assert str(session(server, 1).game.rules) == ("capture-3", "japanese")[n]
    ole.see(".titles h1", "A game on 7x7 against level 3")
    wall.join(server, "Ida")
    wall.see(".titles h1", "A game on 7x7 against level 3")
    begin(teacher, "Problems", theme="all themes")
    for page in (mia, ole, wall):
        page.see(".titles h1", f"(1 of {len(server.room.sessions.problems(''))})")
    begin(teacher, "Lesson")
    mia.see(".titles h1", "Lesson 2, problem 3")
    begin(teacher, "Free choice")
    ole.tap("[data-key*=home]")
    ole.see(".choices button", "Lesson 8")


@keeps("""
**Pairs**, at random, of near levels, or by hand, with rules and board size. The odd child plays against the computer.
Only the child whose turn it is can play. After a game a button begins the same game again. Another one says what
changes: the loser takes Black, and after a loss with Black begins with one stone more. To take a move back, a child
asks the other one. At the end both read who has won; each reads "you" for themselves. After a win **Look back** is
about the winner's own moves.
""")
def test_pairs(server: Served, teacher: Browser, mia: Browser, ole: Browser, wall: Browser) -> None:
    pages = {"Mia": mia, "Ole": ole, "Ida": wall}
    for name, page in pages.items():
        page.join(server, name)
    teacher.see(".seat", "Ida")
    for how in ("At random", "By level"):
        teacher.tap(".task button", "Choose all")
        pair(teacher, how)
        wait_until(lambda: len(teacher.all(".seat .doing", "5x5, ")) == 3)
        teacher.see(".seat .doing", "5x5, level 1")
    pair(teacher, "By level", rules="Whoever takes 2 stones first wins", size="6 \u00d7 6")
    teacher.see(".status h2", "Now: Pairs on 6x6 \u00b7 Whoever takes 2 stones first wins (3 of 3)")
    pair(teacher, "The two chosen", "Mia", "Ole", rules="Whoever takes a stone first wins", size="5 \u00d7 5")
    mia.see(".titles h1", "Ole has")
    ole.see(".titles h1", "Mia has")
    black, white = sides(mia, ole)
    for n, vertex in enumerate(CAPTURE):
        mover, watcher = ((black, white), (white, black))[n % 2]
        assert not watcher.all(LIVE)
        watcher.tap(f"[data-vertex={vertex}]")
        move(mover, watcher, vertex)
    white.see(".said", "you win! You have taken 1 stone.")
    black.see(".said", "White wins! White has taken 1 stone.")
    press(white, "Look back")
    white.see(".said", "Well played: C2")
    white.see(FORWARD, "The same again")
    black.see(".buttons button", "You take Black and put 2 stones first")
    white.tap(".buttons button", "takes Black and puts 2 stones first")
    for vertex in ("E5", "A5"):
        move(black, white, vertex)
    move(white, black, "C3")
    for answer, told in (("No", "does not want that."), ("Yes", "You have taken your last move back.")):
        white.tap(".buttons button:enabled", "Undo")
        white.see(".said .busy", "I have asked")
        black.see(".asked", "wants to take the last move back. Is that all right?")
        black.tap(".question button", answer)
        white.see(".said", told)
        if answer == "No":
            white.see(".said > .strong:first-child", told)
            white.see(".said > .busy:nth-child(2)", "is thinking")
    black.see(".said", "has taken the last move back.")
    for page in (white, black):
        page.see("[data-vertex=C3][aria-label*=empty]")


@keeps("""
**A round** pairs all children of near levels who have not met yet on this day, and the child left over is another
one each time. The projector shows who plays whom, and then the stars of each child.
""")
def test_a_round(server: Served, teacher: Browser, mia: Browser, ole: Browser, wall: Browser) -> None:
    mia.join(server, "Mia")
    ole.join(server, "Ole")
    wall.teach(server)
    wall.open(f"{server.base}/wall")
    pair(teacher, "A round", rules="Whoever takes a stone first wins", size="5 \u00d7 5")
    wall.see(".pairs h1", "Who plays whom")
    assert sorted(label.text for label in wall.all(".pairs b")) == ["Mia", "Ole"]
    assert wall.faults() == []
    black, white = sides(mia, ole)
    for n, vertex in enumerate(CAPTURE):
        move(*((black, white), (white, black))[n % 2], vertex)
    wall.see(".pairs .child .stars", "1")
    ida = server.device()
    ida.join(server.room, "Ida")
    with ida.events("child") as news:
        next(news)
        pair(teacher, "A round")
        wall.see(".pairs li .against", "plays against the computer")
        assert server.room.round[0] != (1, 2)


@keeps("""
**A plan** is a lesson of 45 minutes as steps for all children: pages on the projector, a round, problems, a game, a
question to all, the closing page. The eight lessons of the course bring their plans: **Plan**, and **Take this plan**.
**Next step** goes on. A step on the projector opens your board, and stops the boards of the children. At the top stands
the step, with its number and its minutes. The minutes are a suggestion: nothing ends by a clock.
""")
def test_a_lesson_by_its_plan(
    server: Served, teacher: Browser, mia: Browser, ole: Browser, wall: Browser, clock: Callable[[float], None]
) -> None:
    mia.join(server, "Mia")
    ole.join(server, "Ole")
    wall.teach(server)
    wall.open(f"{server.base}/wall")
    teacher.tap(".orders button", "Plan")
    options = Select(teacher.see("dialog select")).options
    assert {option.text.partition(":")[0] for option in options} == {f"Lesson {n}" for n in lessons.numbers()}
    teacher.tap("dialog button", "Take this plan")
    teacher.see("dialog li", "Closing page")
    assert teacher.faults() == []
    teacher.tap("dialog button", "Close")
    title, lesson = ".titles h1", lessons.lesson(1)
    seen: tuple[tuple[str, str, str, str], ...] = (
        ("On the projector: Lesson 1, page 1", "8", ".goal", lesson.pages[0].title),
        ("Pairs on 5x5", "12", title, "You have"),
        ("On the projector: Lesson 1, page 6", "3", ".goal", lesson.pages[5].title),
        ("Lesson 1, problems 1 to 13 (2 of 2)", "15", title, "Lesson 1, problem 1 of"),
        ("0 of 2 have answered", "4", title, "Where would you play?"),
        ("Closing page", "3", ".stop h1", "We solved 0 problems"),
    )
    for n, (now, minutes, css, text) in enumerate(seen, 1):
        teacher.tap(".lead button", "Next step")
        teacher.see(".status h2", f"Now: {now}")
        teacher.see(".status .step", f"Step {n} of 6 \u00b7 {minutes} minutes")
        for page in (mia, ole):
            page.see(css, text)
        if n in (1, 3, 5):
            teacher.see("[role=tab][aria-selected=true]", "My board")
            wall.see(".board")
            assert not [text for page in (mia, wall) for text in page.all(".said", "Tap")]  # they have nothing to tap
        clock(6000)
        assert not mia.all(LIVE) or n in (2, 4, 5)
    assert teacher.outside() == []
    wall.see(".pairs h1", "We solved 0 problems")
    assert not teacher.all(".lead button", "Next step")


@keeps("""
You can begin any step, repeat it, put it earlier, leave it out, and change its minutes. To make a plan of your own, add
the steps of another plan, or choose an activity and press **Add to the plan**.
""")
def test_a_plan_of_ones_own(server: Served, teacher: Browser, mia: Browser) -> None:
    mia.join(server, "Mia")

    def steps() -> list[str]:
        script = "return [...document.querySelectorAll('dialog .plan li b')].map((step) => step.textContent)"
        return list(teacher.run(script))

    def becomes(*wanted: str) -> None:
        wait_until(lambda: steps() == [*wanted])

    begin_with, problems = "On the projector: Lesson 1, page 6", "Lesson 1, problems 1 to 13"
    teacher.tap(".orders button", "Plan")
    teacher.tap("dialog button", "Take this plan")
    wait_until(lambda: len(steps()) == 6)
    first, second, *_, ask, closing = steps()
    for left in (5, 4):
        teacher.tap("dialog li:last-child button", "Leave out")
        teacher.miss(f"dialog li:nth-child({left + 1})")
        wait_until(lambda: "Leave out" in teacher.run("return document.activeElement.textContent"))
    becomes(first, second, begin_with, problems)
    teacher.tap("dialog li:last-child button", "Earlier")
    becomes(first, second, problems, begin_with)
    teacher.tap("dialog li:first-child button", "Repeat")
    becomes(first, first, second, problems, begin_with)
    teacher.tap("dialog li:first-child button", "Leave out")
    becomes(first, second, problems, begin_with)
    minutes = teacher.see("dialog li:first-child input")
    minutes.send_keys(Keys.CONTROL, "a")
    minutes.send_keys("20", Keys.TAB)
    wait_until(lambda: server.room.plan.steps[0].minutes == 20)
    Select(teacher.see("dialog select")).select_by_visible_text("Lesson 8: Territory: the whole game of Go (3 of 3)")
    teacher.tap("dialog button", "Add its steps")
    wait_until(lambda: len(steps()) == 9)
    assert steps()[-1] == closing != ask
    teacher.tap("dialog button", "Close")
    teacher.tap(".task button", "Game")
    Select(teacher.see("select[name=size]")).select_by_visible_text("7 \u00d7 7")
    teacher.tap(".task button", "Add to the plan")
    teacher.tap(".orders button", "Plan")
    teacher.see("dialog li", "Game on 7x7")
    teacher.tap("dialog li:last-child button", "Begin")
    mia.see(".titles h1", "A game on 7x7")
    teacher.see(".status .step", "Step 10 of 10 \u00b7 10 minutes")
    teacher.tap(".orders button", "Plan")
    teacher.see("dialog li[aria-current]", "Game on 7x7")
    teacher.tap("dialog li:first-child button", "Repeat")
    teacher.see("dialog li:nth-child(11)", first)  # after the present step, so that it comes
    teacher.see(".lead .note", first)


def test_another_plan_is_taken_after_a_question(server: Served, teacher: Browser) -> None:
    def choose() -> Select:
        return Select(teacher.see("dialog select"))

    other, number = "Lesson 8: Territory: the whole game of Go (3 of 3)", len(lessons.lesson(8).plans[2])
    teacher.tap(".orders button", "Plan")
    teacher.tap("dialog button", "Take this plan")
    teacher.tap("dialog li:first-child button", "Begin")
    teacher.see(".status .step", "Step 1 of 6")
    for answer in ("No", "Yes"):
        teacher.tap(".orders button", "Plan")
        choose().select_by_visible_text(other)
        teacher.tap("dialog button", "Take this plan")
        teacher.see("dialog h2", "Another plan is running. Take this one instead?")
        assert len(server.room.plan.steps) == 6 != number
        teacher.tap("dialog button", answer)
    wait_until(lambda: len(teacher.all("dialog .plan li")) == number)
    wait_until(lambda: choose().first_selected_option.text == other)


@keeps("""
At the end of a lesson **Closing page** shows on the projector and on each screen how many problems the class solved and
how many stones it took today, and the stars of each child.
""")
def test_the_closing_page(server: Served, teacher: Browser, mia: Browser, wall: Browser) -> None:
    mia.join(server, "Mia")
    wall.teach(server)
    wall.open(f"{server.base}/wall")
    mia.tap(".choices button", "Problems")
    mia.see(LIVE)
    point(mia, right_of(server))
    mia.see(".said .right")
    teacher.tap(".orders button", "Closing page")
    mia.see(".stop h1", "We solved 1 problem and took 0 stones.")
    mia.see(".stop", "You have 1 star today. Well done!")
    wall.see(".pairs h1", "We solved 1 problem and took 0 stones.")
    wall.see(".pairs li", "Mia")
    wall.see(".pairs .stars", "1")
    assert wall.faults() + mia.faults() == []
    teacher.tap(".orders button", "Closing page")
    mia.see(".board")
    wall.see(".door .word")


@keeps("""
**Hints and undo**, on or off. Without hints there is also no "Why?", no "Look back" and no solution.
""")
def test_hints_and_undo(server: Served, teacher: Browser, mia: Browser, ole: Browser) -> None:
    black, white = new_pair(server, teacher, mia, ole)
    for n, vertex in enumerate(CAPTURE):
        move(*((black, white), (white, black))[n % 2], vertex)
    white.tap("[data-key*=home]")
    white.tap(".choices button", "Problems")
    white.see(".buttons button:enabled", "Solution")
    black.tap(".choices button", "Play against the computer")
    black.see(LIVE)
    point(black, "C3")
    for order, labels in (("Hints", ("Hint", "Why?")), ("Undo", ("Undo",))):
        for label in labels:
            black.see(".buttons button:enabled", label)
        teacher.tap(".orders button", order)
        for label in labels:
            black.see(".buttons button:disabled", label)
        if order == "Hints":
            white.see(".buttons button:disabled", "Solution")
            white.see(".buttons button:disabled", "Hint")
        teacher.tap(".orders button", order)
        for label in labels:
            black.see(".buttons button:enabled", label)
    press(black, "Undo")
    black.see("[data-vertex=C3][aria-label*=empty]")


@keeps("""
You can rename a child, and remove one or several. The results of a removed child stay in the table of results, with a
remark, unless you choose to delete them too; their games stay in any case. A second Mia becomes "Mia 2".
""")
def test_names(server: Served, teacher: Browser, mia: Browser, ole: Browser) -> None:
    mia.join(server, "Mia")
    ole.join(server, "Mia")
    ole.see(".name", "Mia 2")
    teacher.tap(".seat button", "Mia 2")
    teacher.run("document.querySelector('dialog input').value = ''")
    teacher.see("dialog input").send_keys("Ole")
    teacher.tap("dialog button", "Rename")
    ole.see(".name", "Ole")
    for page, name, answer in ((mia, "Mia", "Yes"), (ole, "Ole", "Remove, and delete their results")):
        teacher.tap(".seat button", name)
        teacher.tap("dialog button", "Remove")
        teacher.see("dialog h2", "Their results stay")
        teacher.tap("dialog button", answer)
        page.see("[name=word]")
        teacher.miss(".seat", name)
    for page, name in ((mia, "Ida"), (ole, "Ben")):
        page.join(server, name)
        teacher.tap(".seat label", name)
    teacher.tap(".task button", "Remove")
    teacher.see("dialog h2", "Their results stay in the table of results: 2")
    teacher.tap("dialog button", "Yes")
    for page in (mia, ole):
        page.see("[name=word]")
    teacher.see(".task h2", "For all children")
    teacher.tap("[role=tab]", "Results")
    for name in ("Mia", "Ida", "Ben"):
        teacher.see("td", f"{name} (removed)")
    assert not teacher.all("td", "Ole")
    teacher.tap(".orders button", "Let in")
    mia.see(".stop", "This class is closed")
    teacher.tap(".orders button", "Let in")
    mia.see("[name=word]")


@pytest.mark.posix
@keeps("""
**Names**: you can type or paste a list of names, or give it in a file with `--names`. Then a child types the word, and
taps their name; nobody without the word sees the names. Other names can be typed too if you allow it.
""")
def test_a_list_of_names(server: Served, teacher: Browser, mia: Browser, tmp_path: Path) -> None:
    teacher.tap(".orders button", "Names")
    teacher.see("dialog textarea").send_keys("Mia\nOle\n\nMia")
    assert teacher.faults() == []
    teacher.see("dialog textarea").send_keys("\n" + "x" * 21)
    teacher.tap("dialog button", "Keep")
    teacher.see("dialog .refused", "20 letters")
    teacher.see("dialog textarea").send_keys(*[Keys.BACKSPACE] * 22)  # what was typed is still there
    teacher.tap("dialog button", "Keep")
    wait_until(lambda: server.room.names == ("Mia", "Ole", "Mia 2"))
    mia.forget()
    mia.open(server.base)
    mia.miss("[name=name]")
    word = mia.see("[name=word]")
    word.send_keys("wrong")
    mia.tap("form .main", "Start")
    mia.see("form .wrong", "That is not the word")
    assert not mia.all(".names button")
    stranger = server.device()
    for path in ("/", "/events", "/next"):
        assert "Ole" not in stranger.get(path).text
    word.clear()
    word.send_keys(server.room.word)
    mia.tap("form .main")
    mia.see(".names p", "Tap your name.")
    assert [button.text for button in mia.all(".names button")] == ["Mia", "Ole", "Mia 2"]
    assert mia.faults() == []
    mia.miss("[name=name]")
    mia.tap(".names button", "Ole")
    mia.see(".session .name", "Ole")
    assert stranger.enter(word=server.room.word, name="Zoe").status_code == 409
    teacher.tap(".orders button", "Names")
    teacher.tap("dialog label", "Other names may be typed too")
    teacher.tap("dialog button", "Keep")
    wait_until(lambda: server.room.free_names)
    mia.tap(".choices button", "Another child here")
    mia.see("[name=word]").send_keys(server.room.word)
    mia.tap("form .main")
    mia.see("[name=name]").send_keys("Zoe")
    mia.tap("form .main")
    mia.see(".session .name", "Zoe")
    file = tmp_path / "names.txt"
    file.write_text("Ida\nBen\n", "utf-8-sig")
    with started([*ENGINE, "class", "--no-browser", "--port", "0", "--names", str(file)]) as program:
        address, typed = address_of(program)
        with Device(address) as device:
            assert device.enter(word=typed).json() == {"names": ["Ida", "Ben"], "free": False}


@keeps("""
**Sound**, off at first: a stone, a capture and a win can be heard. A win is celebrated with stars, for two seconds.
""")
def test_sound_and_stars(server: Served, teacher: Browser, mia: Browser, ole: Browser) -> None:
    black, white = new_pair(server, teacher, mia, ole)
    for page in (black, white):
        page.run(HEARD)
    first, *others = CAPTURE
    move(black, white, first)
    for page in (black, white):
        assert page.run("return [tones, stars]") == [0, 0]
    teacher.tap(".orders button", "Sound")
    teacher.see(".orders button[aria-pressed=true]", "Sound")
    for n, vertex in enumerate(others, 1):
        move(*((black, white), (white, black))[n % 2], vertex)
    stones, capture, win = len(others) - 1, 4, 4
    wait_until(lambda: white.run("return [tones, stars > 0]") == [stones + capture + win, True])
    assert black.run("return [tones, stars]") == [stones + capture, 0]
    white.miss(".sky")


# --- Homework ---


def hand_out(teacher: Browser, what: str, whom: str, folder: Path) -> Path:
    """Let a file be made and save it; return its path."""
    teacher.command("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    teacher.tap("[role=tab]", "Results")
    for place, label in enumerate((what, whom)):
        teacher.see(".homework form select")
        Select(teacher.all(".homework form select")[place]).select_by_visible_text(label)
    teacher.tap(".homework button:enabled", "Make the file")
    teacher.see(".homework button:enabled", "Make the file")
    teacher.tap(".homework a", "Save the file")
    wait_until(lambda: any(file.suffix in (".html", ".zip") for file in folder.iterdir()))
    return next(folder.iterdir())


def read_code(teacher: Browser, text: str, answer: str, whose: str = "As the code says") -> None:
    """Type a code, and wait for the answer."""
    field = teacher.see(".homework input")
    field.clear()
    field.send_keys(text)
    Select(teacher.all(".homework form select")[-1]).select_by_visible_text(whose)
    teacher.tap(".homework button", "Read the code")
    teacher.see(".homework [role=status]", answer)


@pytest.mark.usefixtures("compiled")
@keeps("""
In **Results** you make a file for home: the open problems of today, a lesson, or problems of one theme. A problem is
open if it belongs to what was set for all today (of a step of a plan, the problems of this step), or if a child has
begun it today; a problem that was solved alone is not open.

**One file for each child** is an archive (ZIP). It has a file for each child, in their language, with their own open
problems. Its code says whose it is. The class goes on while the file is made. The child brings back a code. In
**Results** type it into **Code from home**: your page says whose it is, and which problems were solved alone, with
help, or not yet. They go into the table, the table for a spreadsheet, and the page for parents, and count there as
done at home. If a
child has tapped a wrong number, choose whose code it is. A code with a mistake, or of other homework, is not taken,
and your page says why.
""")
def test_homework_for_each_child(server: Served, teacher: Browser, mia: Browser, ole: Browser, tmp_path: Path) -> None:
    mia.join(server, "Mia")
    ole.join(server, "Ole")
    begin(teacher, "Lesson")
    server.room.seats[2].language = "de"
    tasks = {number: task for number, (_, task) in enumerate(lessons.lesson(1).exercises, 1)}
    counts = {number: task.count for number, task in tasks.items() if isinstance(task, Quiz) and task.count}
    first, second, third, *_ = counts
    for seat, still_open in ((server.room.seats[1], {first, second, third}), (server.room.seats[2], {third})):
        for number in {*tasks} - still_open:
            seat.progress.boxes.finish(f"1.{number}")
    (tmp_path / "saved").mkdir()
    archive = hand_out(teacher, "Open problems of today", "One file for each child", tmp_path / "saved")
    teacher.see(".homework [role=status]", "one for each child: 2")
    mia.tap(FORWARD, "Next")  # the class goes on
    mia.miss(".titles h1", "Lesson 1, page 1")
    with zipfile.ZipFile(archive) as packed:
        assert packed.namelist() == ["1 Mia.html", "2 Ole.html"]
        packed.extractall(tmp_path)
    assert '<html lang="de">' in (tmp_path / "2 Ole.html").read_text("utf-8")

    home = mia  # the tablet at home
    home.open((tmp_path / "1 Mia.html").as_uri())
    home.tap(".choices button", "Go on")
    home.see(".titles h1", f"problem {first} of {len(tasks)}")
    home.tap(".digits button", str(counts[first]))
    home.tap(FORWARD)
    home.see(".titles h1", f"problem {second} of {len(tasks)}")
    home.tap(".buttons button", "Hint")
    home.tap(".digits button", str(counts[second]))
    home.tap("[data-key*=home]")
    assert len(home.all(".choices button", "Lesson 1, problem")) == 4  # three, and what goes on
    home.tap(".choices button", "My code for the teacher")
    given = home.see(".said .code").text

    read_code(teacher, given.lower(), "Mia: 1 alone, 1 with help, 1 open")
    for line in (f"With help: Lesson 1, problem {second}", f"Open: Lesson 1, problem {third}"):
        teacher.see(".homework [role=status] p", line)
    titles = teacher.run("return [...document.querySelectorAll('.sheets th')].map(({textContent}) => textContent)")
    place = titles.index("At home, alone") + 1
    cell = f".sheets tbody tr:nth-child({{}}) td:nth-child({place})"
    teacher.see(cell.format(1), "1")
    with server.device() as other:
        other.get("/teacher", params={"key": SECRET}, follow_redirects=True)
        assert "Problems solved alone at home: 1" in other.get("/report").text
        columns, row, *_ = csv.reader(other.get("/results.csv").text.lstrip("\ufeff").splitlines())
        assert (row[columns.index("At home, alone")], row[columns.index("At home, with help")]) == ("1", "1")
    read_code(teacher, given, "Ole: 1 alone, 1 with help, 1 open", "2 Ole")
    teacher.see(cell.format(2), "1")
    teacher.see(cell.format(1), "0")
    read_code(teacher, f"{given[:-1]}{'2' if given[-1] != '2' else '3'}", "This code has a mistake.")
    read_code(teacher, "2222 2222 2222", "This code has a mistake.")
    server.room.homework.clear()
    read_code(teacher, given, "This code is not of homework of this class.")


@pytest.mark.usefixtures("compiled")
@keeps("""
**One file for all** is in the languages of the children. At the end each child taps their number: your page lists the
numbers.
""")
def test_homework_for_all(server: Served, teacher: Browser, mia: Browser, ole: Browser, tmp_path: Path) -> None:
    mia.join(server, "Mia")
    ole.join(server, "Ole")
    teacher.see(".seat", "Ole")
    server.room.seats[2].language = "de"
    made = hand_out(teacher, "Problems \u00b7 net", "One file for all", tmp_path)
    teacher.see(".homework [role=status]", "Problems in it: 1")
    teacher.see(".homework [role=status]", "1 Mia, 2 Ole")
    ole.open(made.as_uri())
    Select(ole.see("select")).select_by_value("de")
    ole.see(".choices button", "Weiter")
    Select(ole.see("select")).select_by_value("en")
    ole.tap(".choices button", "My code for the teacher")
    ole.tap(".digits button", "2")
    read_code(teacher, ole.see(".said .code").text, "Ole: 0 alone, 0 with help, 1 open")


# --- What a child sees ---

COLORS: Final = ("black", "white")
WATCH: Final = """
const board = document.querySelector(".board");
const count = (color) => board.firstChild.querySelectorAll(`circle[fill*="${color}-stone"]`).length;
window.drawn = [[count("black"), count("white")]];
new MutationObserver(() => {
  const seen = [count("black"), count("white")];
  if (String(seen) !== String(window.drawn[window.drawn.length - 1])) window.drawn.push(seen);
}).observe(board, {childList: true});
"""
"""A script that notes in `drawn` how many black and white stones the board has now, and whenever they change."""
HEARD: Final = """
const { start } = OscillatorNode.prototype;
Object.assign(window, { tones: 0, stars: 0 });
OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };
new MutationObserver(() => {
  window.stars = Math.max(window.stars, document.querySelectorAll(".sky .star").length);
}).observe(document.querySelector(".session"), {childList: true});
"""
"""A script that counts in `tones` the tones that the page plays from now on, and in `stars` those of a celebration."""
VOICES: Final = """
const voices = [["de-DE", false, "far German"], ["en-US", false, "far English"], ["en_GB", true, "own English"]]
  .map(([lang, localService, name]) => ({lang, localService, name}));
const synthesis = {
  speaking: false,
  getVoices: () => voices,
  speak(said) { window.spoken = said; this.speaking = true; },
  cancel() { this.speaking = false; },
};
Object.defineProperty(window, "speechSynthesis", {value: synthesis});
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""
"""A script that gives a browser voices; one of them is its own, and English."""
LIFTED: Final = """
return [...document.querySelectorAll(".lifted circle")].map((stone) => getComputedStyle(stone).animationDuration);
"""


def drawn_stones(page: Browser) -> list[int]:
    """Return the numbers of black and white stones on the board now."""
    return [len(page.all(f".board > svg:first-child circle[fill*={color}-stone]")) for color in COLORS]


def replay(server: Served, number: int) -> list[list[int]]:
    """Return the numbers of black and white stones on each board that is played out for a child."""
    shown = view.child(server.room, server.room.seats[number])["replay"]
    assert shown is not None
    board = view.child(server.room, server.room.seats[number])["board"]
    drawings = [whole(frame["lines"], board) for frame in shown["frames"]]
    return [[drawing.count(f'fill="url(#{color}-stone)') for color in COLORS] for drawing in drawings]


def plays(page: Browser, server: Served, number: int, act: Callable[[], None]) -> None:
    """Do something, and wait until a child has seen on the board, one after the other, what is played out after it."""
    page.run(WATCH)
    act()
    page.see(".steps button")
    boards = replay(server, number)
    wait_until(
        lambda: [board for board in page.run("return drawn") if board in boards][-len(boards) + 1 :] == boards[1:]
    )


@keeps("""
The board is as large as the screen allows. The task, or the goal of the game, always stands over it or beside its
top; so does "Your turn" with a stone of the child's colour. Short sentences say what happened and what to do next. A
hint marks its point with a green ring and says why, if the reason is visible. Only the child who asked sees it.
**Why?** shows how the last move can be punished, if it is proven that it can. After a game **Look back** shows one
moment of it with its board: after a loss a chance or a danger of the child's own stones, after a win a good move of
the child. After a game and on a page of a lesson the moves stay there as numbers. Everything works by touch, mouse and
keyboard: the arrow keys
move on the board, and Enter plays. A program that reads the screen aloud says each point with its stone, the last
move, atari and the hint.
""")
def test_a_board(server: Served, teacher: Browser, mia: Browser, ole: Browser) -> None:
    black, white = new_pair(server, teacher, mia, ole)
    black_seat = 1 if black is mia else 2
    black.size(768, 1024)
    board = black.see(".board").rect
    assert board["width"] >= 730
    assert black.see(".talk").rect["y"] >= board["y"] + board["height"] - 1
    for part in (".goal", ".turn"):
        line = black.see(part).rect
        assert line["y"] + line["height"] <= board["y"] + 1
    black.see(".turn .stone.black")
    black.see(".said", "Tap a point to put a stone there.")
    black.touch(f"{LIVE} [data-vertex=C3]")
    white.see(f"{LIVE} [data-vertex=C3][aria-label*='black, the last move']")
    white.go_to("C4")
    white.press(Keys.ENTER)
    for n, vertex in enumerate(CAPTURE[2:-1]):
        move(*((black, white), (white, black))[n % 2], vertex)
    white.see("[data-vertex=C3][aria-label*='in atari']")
    white.see(LIVE)
    press(white, "Hint")
    assert "C2" in white.see(".said").text
    white.see("[data-vertex=C2][aria-label*='the hint']")
    assert picture.WIN in white.see(".board svg").get_attribute("outerHTML")
    assert not black.all("[aria-label*='the hint']")
    move(white, black, "C2")
    plays(black, server, black_seat, lambda: press(black, "Why?"))
    black.see(".said", "1: White plays C2.")
    plays(black, server, black_seat, lambda: press(black, "Look back"))
    black.see(".said", "Here your stone at C3 had one liberty left. C2 gives it more.")
    black.see(".board [data-vertex=C2][aria-label$='black 1']")
    before = black.see(".board svg").get_attribute("outerHTML")
    black.tap(".steps button", "Step by step")
    assert black.see(".board svg").get_attribute("outerHTML") != before
    black.size(1366, 768)


CUT_LINES: Final = """
const end = document.querySelector(".talk").getBoundingClientRect().bottom;
const inside = parseFloat(getComputedStyle(document.querySelector(".talk")).borderBottomWidth);
return [...document.querySelectorAll(".said p")].flatMap((line) => {
  const range = document.createRange();
  range.selectNodeContents(line.lastChild);
  return [...range.getClientRects()].filter(({top, bottom}) => top < end - inside - 1 && bottom > end - inside + 1);
}).length ? ["cut"] : [];
"""
"""Whether a line of the text below the board is cut."""


@keeps("The one that counts stands first: whether an answer is right, a danger, how a game has ended.")
def test_the_sentence_that_counts_stands_first(server: Served, teacher: Browser, mia: Browser, ole: Browser) -> None:
    def first(page: Browser, tone: str, text: str) -> None:
        page.see(f".said > .{tone}:first-child", text)
        said, talk = page.see(".said > :first-child").rect, page.see(".talk").rect
        assert said["y"] >= talk["y"] - 1
        assert said["y"] + said["height"] <= talk["y"] + talk["height"] + 1
        assert len(page.all(".said > p")) > 1, "the others follow"

    black, white = new_pair(server, teacher, mia, ole)
    for page in (mia, ole):
        page.size(360, 640)
    for n, vertex in enumerate(CAPTURE[:-1]):
        if n == 6:
            first(black, "strong", "Atari! Your stone at C3")
            assert black.run(CUT_LINES) == []
        move(*((black, white), (white, black))[n % 2], vertex)
    point(white, CAPTURE[-1])
    first(white, "strong", "Game over: you win!")
    first(black, "strong", "Game over: White wins!")
    begin(teacher, "Problems")
    mia.see(".titles h1", "Problem")
    mia.see(LIVE)
    right = right_of(server)
    point(mia, next(vertex for vertex in mia.free() if vertex != right))
    first(mia, "wrong", "That is not right.")
    point(mia, right)
    first(mia, "right", "Right!")


@keeps("""
To a child who has not met the words *ladder*, *net*, *snapback* and *safe move* in a lesson yet, it describes them.
""")
def test_a_hint_uses_no_word_of_a_later_lesson(server: Served, teacher: Browser, mia: Browser) -> None:
    later = re.compile("|".join(rf"\b{word}" for word in ("ladder", "net", "safe move", "snapback")))

    def check(hint: Callable[[], list[str]], *wanted: str) -> None:
        hints = list[str]()
        while not any("no more hints" in text for text in hints):
            hints += hint()
        assert not later.search(" ".join(hints)), hints
        assert [text for text in wanted if not any(text in line for line in hints)] == []

    def read() -> list[str]:
        press(mia, "Hint")
        return [line.text for line in mia.all(".said p")]

    mia.join(server, "Mia")
    teacher.see(".seat", "Mia")
    for theme, clue in (
        ("ladder", "Give atari again and again."),
        ("net", "Do not attack at once. Close the way out."),
        ("race of safe moves", "Count how many stones each side can put on the board"),
    ):
        begin(teacher, "Problems", "Mia", theme=ENGLISH.text(f"theme.{theme}"))
        mia.see(LIVE)
        check(read, clue)
    room = new_room()
    (child,) = joined(room, "Mia")
    for number, _ in enumerate(lessons.lesson(3).exercises, len(lessons.lesson(3).pages) + 1):
        teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 3, "page": number})
        check(lambda: said(do(room, child, word="hint")))


@keeps("Small squares in the colour of a side mark its territory.")
def test_territory_is_marked(server: Served, teacher: Browser, mia: Browser) -> None:
    mia.join(server, "Mia")
    teacher.see(".seat", "Mia")
    begin(teacher, "Lesson", "Mia", lesson=f"8. {lessons.title(8)}", page="1")
    mia.see(".goal", "Territory")
    for color, owner, count in ((picture.WOOD.black, "Black", 13), (picture.WOOD.white, "White", 6)):
        assert len(mia.all(f"[aria-label$='empty, territory of {owner}']")) == count
        (drawn,) = mia.all(f".board svg path[stroke='{color}']")
        assert (drawn.get_attribute("d") or "").count("M") == count


@keeps("""
A problem that a child solves without help, at once or after tries, gives a star, and so does a game that they win
without a hint, **Why?** and **Undo**. A win with such help raises no level.
""")
def test_stars(server: Served, teacher: Browser, mia: Browser) -> None:
    mia.join(server, "Mia")
    progress = server.room.seats[1].progress
    for help_given in (True, False):
        mia.tap(".choices button", "Problems")
        mia.see(LIVE)
        right = format_vertex(session(server, 1).current.problem.line[0], session(server, 1).game.width)
        if help_given:
            press(mia, "Hint")
        else:
            point(mia, next(vertex for vertex in mia.free() if vertex != right))
            mia.see(".said .wrong")
        point(mia, right)
        mia.see(FORWARD, "Next")
        assert bool(mia.all(".said .right", "A star for you!")) != help_given
        mia.tap("[data-key*=home]")
    for help_given in (True, False):
        mia.tap(".choices button", "Play against the computer")
        mia.see(LIVE)
        nearly_win(session(server, 1).game)
        if help_given:
            press(mia, "Hint")
        point(mia, "B1")
        mia.see(FORWARD, "The same again")
        assert bool(mia.all(".said .right", "A star for you!")) != help_given
        assert progress.level == (1 if help_given else 2)
        mia.tap("[data-key*=home]")
    assert progress.stars == 2


@keeps("""
A problem that went wrong, was left out or was solved with help comes back after three others, and again on the next
day. A lesson is done when none of its problems was left out.
""")
def test_problems_come_back(server: Served, teacher: Browser, mia: Browser) -> None:
    room, title = server.room, f"1. {lessons.lesson(1).title}"
    room.choose_word("one day")
    mia.join(server, "Mia")
    teacher.see(".seat", "Mia")
    begin(teacher, "Lesson", lesson=title, page="Problem 2")
    mia.tap(".digits button", "9")
    first = mia.see(".said .wrong", "Not yet.")
    mia.tap(".digits button", "9")
    wait_until(lambda: mia.see(".said .wrong", "Not yet.") != first)
    mia.tap(".digits button", "4")
    for number, page in ((3, 3), (4, 4), (5, 0)):
        mia.tap(".buttons button:enabled", "Next" if number == 3 else "Leave out")
        if page:
            mia.see(".titles h1", f"Lesson 1, page {page} of 6")
            mia.tap(FORWARD)
        mia.see(".titles h1", f"Lesson 1, problem {number} of 13")
    mia.tap(".buttons button:enabled", "Leave out")
    mia.see(".said", "You know this one.")
    mia.see(".titles h1", "Lesson 1, problem 2 of 13")
    begin(teacher, "Lesson", lesson=title, page="Problem 13")
    mia.see(".titles h1", "problem 13")
    point(mia, format_vertex(min(session(server, 1).task.content.points), 5))
    mia.see(".said", "Right!")
    assert room.seats[1].progress.done == set()
    room.choose_word("the next day")
    begin(teacher, "Lesson", lesson=title, page="Problem 5")
    mia.tap(".buttons button:enabled", "Leave out")
    mia.see(".said", "You know this one.")
    begin(teacher, "Free choice")
    mia.tap("[data-key*=home]")
    assert not mia.all(".choices button", "done")
    for number in range(1, 14):
        room.seats[1].progress.boxes.finish(f"1.{number}")
    begin(teacher, "Lesson", lesson=title, page="Problem 2")
    mia.tap(".digits button", "4")
    mia.see(".said", "Right!")
    assert room.seats[1].progress.done == {1}


@keeps("""
What happens is seen on the board. The punishment of a wrong answer, the solution, and what **Why?** or
**Look back** shows, is played there, move after move; then the board is as before. A tap on the board ends what is
shown.
**Step by step** plays it again, one move for each tap.
""")
def test_moves_are_played_on_the_board_and_taken_back_and_go_step_by_step(server: Served, mia: Browser) -> None:
    mia.size(360, 640)
    mia.join(server, "Mia")
    mia.tap(".choices button", "Problems")
    mia.see(LIVE)
    start, right = mia.board(), right_of(server)
    wrong = next(vertex for vertex in mia.free() if vertex != right)
    resting = drawn_stones(mia)
    for act in (lambda: point(mia, wrong), lambda: press(mia, "Solution")):
        plays(mia, server, 1, act)
        mia.see(LIVE)
        boards = [*replay(server, 1)[1:], resting]
        assert mia.run("return drawn") == [resting, *boards], "played out, and taken back"
        assert mia.board() == start
        for board in boards:
            mia.tap(".steps button", "Step by step")
            assert drawn_stones(mia) == board
        mia.see(LIVE)
        mia.tap(".steps button")
        mia.tap(f"[data-vertex={wrong}]")
        mia.see(LIVE)
        assert drawn_stones(mia) == resting, "a tap on the board ends it, and is no move"
        assert mia.board() == start
    assert mia.faults() == []
    mia.size(1366, 768)


@keeps("A device that asks for less motion shows numbers on the stones instead.")
def test_without_motion_the_moves_have_numbers_on_the_large_board(server: Served, mia: Browser) -> None:
    still = {"name": "prefers-reduced-motion", "value": "reduce"}
    mia.command("Emulation.setEmulatedMedia", features=[still])
    try:
        mia.join(server, "Mia")
        mia.tap(".choices button", "Problems")
        mia.see(LIVE)
        start = mia.board()
        press(mia, "Solution")
        mia.see(".board [aria-label$=' 1']")
        assert ">1</text>" in mia.see(".board svg").get_attribute("outerHTML")
        assert not mia.all(LIVE)
        mia.tap("[data-vertex=A1]")
        mia.see(LIVE)
        assert mia.board() == start
    finally:
        mia.command("Emulation.setEmulatedMedia", features=[{**still, "value": ""}])


@keeps("The stars of a child stand beside their name.")
def test_the_stars_beside_a_name_and_no_level_after_a_game(server: Served, mia: Browser) -> None:
    mia.join(server, "Mia")
    mia.tap(".choices button", "Play against the computer")
    mia.see(".titles h1", "A game on 5x5 against level 1")
    assert not mia.all(".stars")
    nearly_win(session(server, 1).game)
    point(mia, "B1")
    mia.see(FORWARD, "The same again")
    assert mia.see(".stars").text.split() == ["Stars", "1"]
    assert mia.see(".titles h1").text == "A game on 5x5"
    mia.tap("[data-key*=home]")
    mia.see(".choices")
    assert mia.see(".stars").text.split() == ["Stars", "1"]


@keeps("""
**Read aloud** reads the task and the sentences with a voice of the device, for those who cannot read yet. It is there
if the device has a voice of its own for the child's language; no text is sent out for it.
""")
def test_read_aloud(server: Served, mia: Browser) -> None:
    mia.join(server, "Ole")
    mia.tap(".choices button", "Play against the computer")
    mia.see(LIVE)
    assert not mia.all(".read"), "this browser has no voice"
    with chromium(script=VOICES) as child:
        child.size(360, 640)
        child.join(server, "Mia")
        child.tap(".choices button", "Play against the computer")
        child.see(LIVE)
        shown = [child.see(css).text for css in (".goal", ".turn", ".said")]
        child.tap(".read")
        assert child.run("return [spoken.text, spoken.voice.name]") == ["\n".join(shown), "own English"]
        child.see(".read[aria-pressed=true]")
        assert child.faults() == []
        child.tap(".read")
        child.see(".read[aria-pressed=false]")
        assert not child.run("return speechSynthesis.speaking")
        child.tap("[data-key*=home]")
        child.see(".read", "Read aloud")
        Select(child.see(".answers select")).select_by_value("de")
        child.miss(".read")
        assert child.all("[data-key*=hand]")


@keeps("""
The first time on a computer the class gets ready for about half a minute, and lets children in after that; your page
says so.
""")
def test_getting_ready(server: Served, teacher: Browser, mia: Browser, ole: Browser) -> None:
    mia.join(server, "Mia")
    warmup = server.room.sessions.searches.warmup
    warmup.state = State.COMPILING
    mia.see(".stop", "The class opens in a moment.")
    teacher.see(".refused", "I am getting ready")
    ole.forget()
    ole.open(server.base)
    ole.see(".stop", "The class opens in a moment.")
    assert server.device().join(server.room, "Ole").status_code == 409
    warmup.state = State.READY
    mia.see(".choices")
    ole.see("form .main")
    teacher.miss(".refused")


@keeps("Captured stones are lifted off.")
def test_a_captured_chain_is_lifted_off_in_300_milliseconds(
    server: Served, teacher: Browser, mia: Browser, ole: Browser
) -> None:
    black, white = new_pair(server, teacher, mia, ole)
    for page in (black, white):
        page.command("Animation.enable")
        page.command("Animation.setPlaybackRate", playbackRate=0)
    for n, vertex in enumerate(("A1", "B2", "B1", "C1", "E5", "A2")):  # White takes two stones
        move(*((black, white), (white, black))[n % 2], vertex)
    for page in (black, white):
        assert page.run(LIFTED) == ["0.3s", "0.3s"]
        page.command("Animation.setPlaybackRate", playbackRate=1)
        page.miss(".lifted")


# --- Languages ---


@pytest.mark.usefixtures("foreign")
@keeps("""
A device shows the language of its browser if the program has it, and else the language of the class. A child can
choose another one on the first page, and later at **Home**; their lesson or game then goes on in that language. The
class language, chosen on your page, is used there, on the projector, and on devices whose own language is not
available. Two children who play with each other read each their own language.
""")
def test_languages(server: Served, teacher: Browser, mia: Browser, ole: Browser, wall: Browser) -> None:
    there, english = words.Voice(plain=True, taps=True, language=FOREIGN.language), ENGLISH
    wall.teach(server)
    wall.open(f"{server.base}/wall")
    try:
        for page, language, voice in ((mia, there.language, there), (ole, "xx", english)):
            page.speak(language)
            page.forget()
            page.open(server.base)
            page.see("form .main", voice.text("class.page.join"))
        Select(teacher.see(".orders select")).select_by_value(there.language)
        teacher.see("[role=tab]", there.text("class.page.results"))
        wall.see(".door .way", there.text("class.page.address"))
        ole.driver.refresh()
        ole.see("form .main", there.text("class.page.join"))
        Select(ole.see("form select")).select_by_value("en")
        ole.see("form .main", english.text("class.page.join"))
        for page, name in ((mia, "Mia"), (ole, "Ole")):
            page.see("[name=word]").send_keys(server.room.word)
            page.see("[name=name]").send_keys(name)
            page.tap("form .main")
        ole.tap(".choices button", english.text("class.choice.play"))
        ole.see(LIVE)
        ole.see("[data-key*=hand]", english.text("class.page.hand"))
        ole.tap("[data-key*=home]")
        Select(ole.see(".answers select")).select_by_value(there.language)
        ole.tap(".choices button", there.text("class.choice.continue"))
        ole.see(".buttons button", there.text("class.button.undo"))
        assert there.text("play.type") in ole.see(".said").text
        Select(teacher.see(".orders select")).select_by_value("en")
        teacher.see("[role=tab]", "Results")
        for is_foreign in (True, False):
            pair(teacher, "The two chosen", "Mia", "Ole")
            for page in (mia, ole):
                page.see(".titles h1", "Mia" if page is ole else "Ole")
                reads(page, page is mia or is_foreign)
            ole.tap("[data-key*=home]")
            Select(ole.see(".answers select")).select_by_value("en")
    finally:
        for page in (mia, ole):
            page.speak("en")


def test_without_other_languages(mia: Browser, tmp_path: Path) -> None:
    with translations.used(tmp_path), served() as server:
        mia.forget()
        mia.open(server.base)
        mia.see("form .main", "Start")
        assert not mia.all("select")
        mia.teach(server)
        assert not mia.all(".orders select")


# --- What stays on the computer ---


@pytest.mark.posix
@keeps("""
the folder `monday` has the class as it is, after each move: `class.json` with the first names, what each child has
done and their present board, `results.csv` with the separator that spreadsheets in the language of the class expect,
and the games that are over in `games`. The same command goes on with the class next week, with the same activity,
plan, hints, undo and language, also after a crash. On the same day it has the same word. A device has its seat again.
Only one class at a time can use a folder; where a drive of the network has no locks, the class says that a second one
would not be noticed. A device whose lid was closed, or that has lost the network, comes back to the same board. A
class that goes on next week needs [`--save monday`](#what-stays-on-the-computer) in the command, from the first day
on.
""")
def test_a_folder_and_a_crash(own: Browser, mia: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "monday"
    command = [*ENGINE, "class", "--no-browser", "--save", str(folder), "--level", "1", "--port"]
    with started([*command, "0"]) as program:
        address, word = address_of(program)
        own_page = next(line for line in program.stdout or () if "?key=" in line).rpartition(" ")[2].strip()
        own.open(own_page)
        own.tap(".orders button", "Undo")
        own.tap(".orders button", "Plan")
        own.tap("dialog button", "Take this plan")
        own.see("dialog li")
        own.tap("dialog button", "Close")
        server: Any = SimpleNamespace(base=address, room=SimpleNamespace(word=word))
        mia.join(server, "Mia")
        mia.tap(".choices button", "Play against the computer")
        point(mia, "C3")
        mia.miss(".session.waiting")
        mia.see(f"{LIVE}, {FORWARD}")
        before = mia.board()
        program.send_signal(KILL)
        program.wait(HANG)
    mia.see(".lost")
    text = (folder / "class.json").read_text("utf-8")
    assert '"Mia"' in text
    assert "Mia" in (folder / "results.csv").read_text("utf-8-sig")
    with started([*command, address.rpartition(":")[2]]) as program:
        assert address_of(program) == (address, word)
        mia.miss(".lost")
        mia.see(f"{LIVE}, {FORWARD}")
        assert mia.board() == before
        mia.see(".buttons button:disabled", "Undo")
        assert '"kind":"explain"' in (folder / "class.json").read_text("utf-8")
        own.see(".lead button", "Next step")
        with pytest.raises(FolderError, match="another class is using it"):
            Folder(folder)
        mia.cut_off(True)
        try:
            mia.tap("[data-key*=home]")
            mia.see(".lost")
            assert mia.board() == before
        finally:
            mia.cut_off(False)
        mia.miss(".lost")
        mia.see(".choices")


@keeps("""
Nothing goes to the internet, and the pages load nothing from elsewhere. **Somebody in the network who does not know
the word** sees the form to come in, and no names, boards or results. Your page says how many were wrong.
""")
def test_strangers(server: Served, teacher: Browser, mia: Browser) -> None:
    mia.join(server, "Mia")
    mia.tap(".choices button", "Play against the computer")
    mia.see(LIVE)
    for page in (teacher, mia):
        loaded = page.run(
            "return performance.getEntries().map(({name}) => name).filter((name) => name.includes('://'))"
        )
        assert loaded
        assert all(name.startswith(server.base) for name in loaded)
    mia.forget()
    mia.open(f"{server.base}/teacher")
    mia.see("h1", "This is the teacher's page")
    stranger = server.device()
    for path in ("/", "/events", "/next", "/results", "/results.csv", "/games.sgf", "/wall", "/events?as=wall"):
        assert "Mia" not in stranger.get(path).text
    mia.open(server.base)
    mia.see("[name=name]").send_keys("Ole")
    for n in range(6):
        mia.run("document.querySelector('[name=word]').value = arguments[0]", f"wrong{n}")
        mia.tap("form .main")
        mia.see("form .wrong", "That is not the word")
        mia.run("document.querySelector('form .wrong').textContent = ''")
        teacher.see(".tries", f"{n + 1} wrong tries of the word" if n else "1 wrong try of the word")
    assert [*server.room.seats] == [1]


@keeps("""
A word is an animal and four digits: there are more than 100,000. Words are read one after the other, at most four in a
second, whether they are right or wrong, and a child does not wait behind somebody who tries out many. A saved class
has a new word each day.
""")
def test_the_word(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    word, digits = server.room.word.split()
    assert word in words.class_words("en")
    assert len(digits) == 4
    assert all(len({*words.class_words(name)}) * 10 ** len(digits) > 100_000 for name in sentences.languages())
    assert guard.GAP >= 1 / 4
    test_hostile.test_a_guesser_lets_no_child_wait(monkeypatch)
    server.room.dice.seed(2)
    server.room.choose_word("tomorrow")
    assert server.room.word != f"{word} {digits}"


@keeps("""
Connections that are silent, slow or too many are closed, and children come in meanwhile. In the terminal one line
counts what was no request of a browser, such as an address with `https`. Actions that are faster than a hand have to
wait.
""")
def test_connections(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "WHOLE", 0.2)
    with ExitStack() as stack:
        silent = test_hostile.opened(stack, server.port, connection.OF_ADDRESS + 10)
        child = server.device()
        assert child.join(server.room, "Mia").status_code == 200
        silent[0].sendall(b"GET / HTTP/1.1\r\n")
        assert all(map(test_hostile.is_closed, silent))
    assert server.raw(b"\x16\x03\x01 encrypted\r\n\r\n")
    wait_until(lambda: (server.refusals.count, server.refusals.encrypted) == (1, 1))
    assert server.room.seats[1].reserve(0.0, 1) == 0.0
    assert [server.room.seats[1].reserve(0.0, 1) for _ in range(99)][-1] > 0.0


@keeps("""
A child who changes to another device types the same name there, and you say that it is so. **A child of the class**
has one seat, at one device. A name that is there already is asked about: the child says whether it is this child, and
then you do. Nobody else takes the seat of a device that the class knows.
""")
def test_another_device(server: Served, teacher: Browser, mia: Browser, ole: Browser, wall: Browser) -> None:
    mia.join(server, "Mia")
    mia.tap(".choices button", "Play against the computer")
    point(mia, "C3")
    mia.see(f"{LIVE} [data-vertex=C3][aria-label*=black]")
    before = mia.board()
    for page, sure in ((wall, False), (ole, True)):
        page.forget()
        page.open(server.base)
        page.see("[name=word]").send_keys(server.room.word)
        page.see("[name=name]").send_keys("mia")
        page.tap("form .main")
        page.see(".asked", "Are you Mia?")
        page.tap(".question button", "Yes")
        page.see(".stop h1", "I have asked your teacher: are you Mia?")
        teacher.see(".claims p", "I am Mia")
        assert mia.board() == before
        teacher.tap(".claims button", "Yes" if sure else "No")
        teacher.miss(".claims p")
        if not sure:
            page.see(".session .name", "mia 2")
    ole.see(f"{LIVE} [data-vertex=C3]")
    assert ole.board() == before
    mia.see("form .main")
    assert [seat.name for seat in server.room.seats.values()] == ["Mia", "mia 2"]


def test_several_devices_ask_at_once(server: Served, teacher: Browser) -> None:
    names = [f"Child {number}" for number in range(1, 9)]
    for name in names:
        server.device().join(server.room, name)
    for name in names:
        device = server.device()
        device.join(server.room, name)
        device.do(answer=True)
    wait_until(lambda: len(teacher.all(".claims p")) == len(names))
    assert teacher.see(".claims").rect["height"] < 120
    assert teacher.faults() == []
    teacher.tap(".claims button", "Yes to all")
    teacher.miss(".claims p")
    assert [seat.name for seat in server.room.seats.values()] == names


@keeps("On a tablet that children share, **Another child here** lets the next one in.")
def test_a_shared_tablet(server: Served, mia: Browser) -> None:
    mia.join(server, "Mia")
    for name in ("Ole", "Mia"):
        mia.tap(".choices button", "Another child here")
        mia.see("[name=word]").send_keys(server.room.word)
        mia.see("[name=name]").send_keys(name)
        mia.tap("form .main")
        mia.see(".session .name", name)
    assert [seat.name for seat in server.room.seats.values()] == ["Mia", "Ole"]


@pytest.mark.posix
@keeps("""
**Other people at your computer** find no key of your page: the address that is opened in the browser is good once, and
for 30 seconds. The address in the terminal opens your page on this computer alone. With `--second-device` the terminal
says an address for another device of yours.
""")
def test_keys() -> None:
    test_hostile.test_a_key_is_good_once_and_for_30_seconds_and_from_here()
    with started([*ENGINE, "class", "--no-browser", "--port", "0", "--second-device"]) as program:
        address_of(program)
        assert program.stdout is not None
        lines = (line for line in program.stdout if "/teacher?key=" in line)
        own, second = (next(lines).partition(": ")[2].strip() for _ in range(2))
        for key in (own, second):
            with Device(own.partition("/teacher")[0]) as device:
                assert device.get(key).status_code == 303
                assert device.get("/teacher").status_code == 200
        assert own != second


@keeps("""
For the school's administrator: [what the class promises, and against whom](#what-the-class-promises-and-against-whom).
The teacher's page, here called *your page*, has a link to it, **What the class promises**.
""")
def test_the_link_to_the_promises(server: Served, teacher: Browser) -> None:
    teacher.tap(".orders a", "What the class promises")
    driver = teacher.driver
    wait_until(lambda: len(driver.window_handles) == 2)
    first, other = driver.window_handles
    driver.switch_to.window(other)
    teacher.see("h2", "What the class promises, and against whom")
    teacher.see("strong", "Whoever can listen in the network")
    assert teacher.faults() == []
    driver.close()
    driver.switch_to.window(first)


# --- What the page does not speak of ---


def test_the_other_controls(server: Served, teacher: Browser, mia: Browser, ole: Browser) -> None:
    mia.join(server, "Mia")
    ole.join(server, "Ole")
    begin(teacher, "Lesson", "Mia")
    mia.tap(FORWARD, "Next")
    mia.see(".titles h1", "Lesson 1, problem 1")
    press(mia, "Back")
    mia.see(".titles h1", "Lesson 1, page 1")
    begin(teacher, "Problems", "Mia", theme="ladder")
    mia.see(".titles h1", "(1 of 4)")
    mia.see(LIVE)
    before = mia.board()
    point(mia, right_of(server, "ladder"))
    press(mia, "Start again")
    assert mia.board() == before
    press(mia, "Solution")
    mia.see(".steps button")
    press(mia, "Leave out")
    mia.see(".titles h1", "(2 of 4)")
    begin(teacher, "Game", rules="Go, Japanese rules", size="5 \u00d7 5")
    mia.see(".titles h1", "A game on 5x5")
    press(mia, "Pass")
    mia.see(".said", "I play")
    assert not any("black" in label for label in mia.board().values())
    press(mia, "New game")
    mia.tap(".question button", "No")
    pair(teacher, "The two chosen", "Mia", "Ole")
    sides(mia, ole)
    for page in (ole, mia):
        page.tap("[data-key*=home]")
    mia.tap(".choices button", "Begin")
    mia.see(".titles h1", "A game on 5x5 against level")
    ole.see(".choices button", "Begin")
    for key, name in ((Keys.ARROW_LEFT, "Results"), (Keys.ARROW_RIGHT, "Class"), (Keys.ARROW_RIGHT, "My board")):
        teacher.run("document.querySelector('[role=tab][aria-selected=true]').focus()")
        teacher.press(key)
        teacher.see("[role=tab][aria-selected=true]", name)


def test_every_label_of_a_control_is_tapped_by_a_browser_test() -> None:
    """A word of the pages' scripts that is no control stands in `SHOWN`."""
    tests = "".join(
        Path(__file__).with_name(name).read_text("utf-8") for name in ("test_promises.py", "test_browser.py")
    )
    table = sentences.table()
    scripts = "".join(path.read_text("utf-8") for path in (ROOT / "gtp_capture" / "web" / "static").glob("*.js"))
    keys = [f"class.page.{name}" for name in {*re.findall(r"words\.([a-z_]+)", scripts)} - SHOWN]
    keys += [key for key in table if re.fullmatch(r"class\.(button|choice)\.[a-z]+", key) and key not in NOTES]
    labels = {key: table[key].partition("{")[0].strip() for key in keys}
    assert {key: label for key, label in labels.items() if f'"{label}' not in tests} == {}


def test_every_sentence_of_the_page_is_driven_here_or_promises_nothing() -> None:
    page, known = sentences_of(PAGE.read_text("utf-8")), [*driven, *sentences_of(TOLD)]
    assert [sentence for sentence in page if sentence not in known] == [], "not driven"
    assert [sentence for sentence in known if sentence not in page] == [], "not in the manual"
