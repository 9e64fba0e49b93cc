"""The server of a class: each hostile request with its answer, streams, two pages, and the course of the terminal."""

from __future__ import annotations

import errno
import json
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from gtp_capture.classroom import view
from gtp_capture.classroom.folder import Folder
from gtp_capture.classroom.seat import LONGEST
from gtp_capture.classroom.view import sentence
from gtp_capture.teach.course import lessons
from gtp_capture.teach.words import Voice
from gtp_capture.tutor.lesson import LessonSession
from gtp_capture.tutor.reading import Number, Play, Text
from gtp_capture.tutor.reply import Sentence
from gtp_capture.tutor.session import Reply, Resources
from gtp_capture.web.guard import MOST_BYTES, WRONG
from gtp_capture.web.hub import STREAMS

from ..support.classroom import new_room, said, searches, stones
from ..support.process import ENGINE, HANG, KILL, output, started
from ..support.served import Device, Served, served, teacher
from ..teach.test_words import FOREIGN, foreign, template  # noqa: F401 - fixtures


@pytest.fixture
def server() -> Iterator[Served]:
    with served() as found:
        yield found


@pytest.fixture
def mia(server: Served) -> Device:
    device = server.device()
    assert device.join(server.room, "Mia").status_code == 200
    return device


# --- Strangers stay out ---


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, 200),
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example"}, 421),
        ({"host": ""}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://127.0.0.1"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_a_request_that_another_site_has_caused_is_refused(
    server: Served, mia: Device, change: dict[str, str], status: int
) -> None:
    headers = {"content-type": "application/json", **change}
    answer = mia.post("/do", content=b'{"n": 0, "id": "x", "do": {"hand": true}}', headers=headers)
    assert answer.status_code == status
    assert server.room.seats[1].hand is (status == 200)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"[" * 5000,
        b'{"n": 0, "id": "x"}',
        b'{"n": 0, "id": "x", "do": []}',
        b'{"n": 0, "id": "x", "do": {}}',
        b'{"n": 0, "id": "x", "do": {"point": "A1", "hand": true}}',
        b'{"n": 0, "id": "x", "do": {"eval": "1"}}',
        b'{"n": "0", "id": "x", "do": {"hand": true}}',
        b'{"n": 0, "id": "", "do": {"hand": true}}',
        b'{"n": 0, "id": 7, "do": {"hand": true}}',
        b'{"n": 0, "id": "' + b"x" * 65 + b'", "do": {"hand": true}}',
        b'{"n": NaN, "id": "x", "do": {"hand": true}}',
        b'\xff{"n": 0}',
    ],
)
def test_a_malformed_action_gets_a_sentence_and_changes_nothing(server: Served, mia: Device, body: bytes) -> None:
    before = server.room.state()
    answer = mia.post("/do", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 409)
    assert answer.json()["error"]
    assert server.room.state() == before


def test_a_long_body_is_refused_before_it_is_read_whole(server: Served, mia: Device) -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b" " * 1024

    big = mia.post("/do", content=b" " * (MOST_BYTES + 1), headers={"content-type": "application/json"})
    assert big.status_code == 413
    request = (
        b"POST /do HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9999999999\r\n\r\n"
    )
    assert b" 413 " in server.raw(request + b" " * (MOST_BYTES + 1)).partition(b"\r\n")[0]


@pytest.mark.parametrize(
    "head",
    [
        b"GARBAGE\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: y\r\n" * 20000,
    ],
)
def test_what_is_no_http_is_refused(server: Served, head: bytes) -> None:
    assert re.match(rb"HTTP/1.1 4\d\d |$", server.raw(head)), "refused, or the connection is closed"


@pytest.mark.parametrize(
    "address", ["/static/../run.py", "/static/..%2Frun.py", "/static/%2e%2e/app.py", "/etc/passwd", "/do"]
)
def test_no_other_file_is_served(server: Served, address: str) -> None:
    first = server.raw(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    assert first.startswith(b"HTTP/1.1 404 ")


@pytest.mark.parametrize(("address", "status"), [("/xyz", 404), ("/teacher", 403), ("/wall", 403)])
def test_a_person_reads_a_page_that_says_why_an_address_is_refused(server: Served, address: str, status: int) -> None:
    answer = server.device().get(address, headers={"Accept": "text/html,*/*;q=0.8", "Accept-Language": "de"})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert sentence("de", {403: "class.secret", 404: "class.no_page"}[status]).split(".")[0] in answer.text
    assert '<html lang="de">' in answer.text


def test_the_word_of_the_class_can_be_tried_five_times(server: Served) -> None:
    device = server.device()

    def attempt(word: str) -> int:
        return device.post("/join", json={"word": word, "name": "Eve", "id": word}).status_code

    assert [attempt(f"wrong {n}") for n in range(WRONG)] == [403] * WRONG
    answer = device.post("/join", json={"word": server.room.word, "name": "Eve", "id": "x"})
    assert (answer.status_code, answer.json()["count"] > 0) == (429, True)
    assert not server.room.seats


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a" * (LONGEST + 1), " ", "\u202e", "\n\n"])
def test_a_bad_name_is_refused(server: Served, name: str) -> None:
    assert server.device().join(server.room, name).status_code == 400


def test_a_name_with_signs_stays_a_text(server: Served, mia: Device) -> None:
    assert server.device().join(server.room, "<b>&\"'").status_code == 200
    shown = teacher(server)
    with shown.events("teacher") as news:
        assert next(news)["view"]["seats"][1]["name"] == "<b>&\"'"
    assert "<b>" not in shown.get("/teacher").text


@pytest.mark.parametrize(
    "address", ["/teacher", "/wall", "/results", "/results.csv", "/games.sgf", "/events?as=teacher"]
)
def test_what_the_teacher_sees_needs_the_secret(server: Served, mia: Device, address: str) -> None:
    assert mia.get(address).status_code == 403
    sign = "&" if "?" in address else "?"
    assert mia.get(f"{address}{sign}key=wrong").status_code == 403


def test_a_child_is_no_teacher_and_a_stranger_no_child(server: Served, mia: Device) -> None:
    assert mia.teach(pause=True).status_code == 403
    assert not server.room.is_paused
    assert server.device().act(hand=True).status_code == 401
    forged = server.device()
    for guess in ("guessed", "", "é", "x" * 4000):
        cookie = f"gtp-capture-child-{server.port}={guess}".encode("latin-1")
        assert forged.post("/do", json={}, headers=[(b"Cookie", cookie)]).status_code == 401


def test_every_answer_has_strict_headers_and_cookies_are_for_the_server_alone(server: Served) -> None:
    device = server.device()
    for answer in (device.get("/"), device.get("/nothing"), device.get("/teacher"), device.join(server.room, "Mia")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
    assert {"HttpOnly", "SameSite=strict"} <= {*answer.headers["set-cookie"].split("; ")}
    first = device.get("/")
    assert device.get("/", headers={"if-none-match": first.headers["etag"]}).status_code == 304


def test_no_page_loads_anything_from_elsewhere_or_has_script_inside(server: Served) -> None:
    shown = teacher(server)
    for address in ("/", "/teacher", "/wall"):
        page = shown.get(address).text
        assert not re.search(r"(src|href)=[\"']?(https?:)?//", page)
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|<style|\sstyle=", page)


def test_a_seat_has_a_few_streams_at_a_time(server: Served, mia: Device) -> None:
    with ExitStack() as opened:
        streams = [opened.enter_context(mia.events("child")) for _ in range(STREAMS + 1)]
        for stream in streams:
            next(stream)
        assert [*streams[0]] == [], "the oldest one has ended"


# --- Pages follow the class ---


def test_both_children_and_the_teacher_see_each_move(server: Served, mia: Device) -> None:
    ole, shown = server.device(), teacher(server)
    ole.join(server.room, "Ole")
    with mia.events("child") as of_mia, ole.events("child") as of_ole, shown.events("teacher") as of_teacher:
        seats = next(of_teacher)["view"]["seats"]
        assert [seat["name"] for seat in seats] == ["Mia", "Ole"]
        assert "welcome" in next(of_mia)["view"]["words"]
        next(of_ole)
        assert shown.teach(pair=[[1, 2]]).status_code == 200
        mia.view = next(view["view"] for view in of_mia if view["view"]["boards"])
        assert mia.act(point="C3").status_code == 200
        seen = next(view["view"] for view in of_ole if view["view"]["boards"] and stones(view["view"]))
        assert stones(seen) == {"C3": "black"}
        assert seen["boards"][-1]["live"]
        news = next(found for found in of_teacher if any("circle" in seat["svg"] for seat in found.get("seats", [])))
        assert {seat["seat"] for seat in news["seats"]} <= {1, 2}


def test_the_teacher_sees_who_is_here(server: Served, mia: Device) -> None:
    shown = teacher(server)
    with shown.events("teacher") as news:
        next(news)
        with mia.events("child") as own:
            next(own)
            assert next(found for found in news if "seats" in found)["seats"][0]["here"]
        assert not next(found for found in news if "seats" in found)["seats"][0]["here"]


def test_the_second_of_two_pages_does_not_play_on_a_board_that_it_has_not_seen(server: Served, mia: Device) -> None:
    mia.do(choose="play")
    other = server.device()
    other.cookies.update(mia.cookies)
    other.view = mia.view
    first = mia.do(point="C3")
    answer = other.act(point="D4")
    assert answer.status_code == 200
    assert stones(answer.json()["view"]) == stones(first)


def test_the_same_action_twice_is_done_once(server: Served, mia: Device) -> None:
    mia.do(choose="play")
    mia.do(point="C3")
    mia.do(point="E5")
    sent = {"n": mia.view["n"], "id": "once", "do": {"word": "undo"}}
    first, second = (mia.post("/do", json=sent).json()["view"] for _ in range(2))
    assert stones(first) == stones(second)
    assert "C3" in stones(second)


def test_who_is_free_to_play_is_shown_when_a_child_comes_or_goes(server: Served, mia: Device) -> None:
    def partners(found: dict[str, Any]) -> list[str]:
        return [choice["label"] for choice in found["view"]["choices"] if choice["do"]["choose"].startswith("with-")]

    ole = server.device()
    with mia.events("child") as news:
        assert partners(next(news)) == []
        ole.join(server.room, "Ole")
        with ole.events("child") as own:
            next(own)
            assert next(filter(None, map(partners, news))) == ["Play with Ole"]
        assert next(found for found in map(partners, news) if not found) == []


@pytest.mark.parametrize(
    ("asked", "page", "there"),
    [
        ("de-CH, de;q=0.9, en;q=0.8", "", "en"),
        ("MADE_UP, en;q=0.5", "", "MADE_UP"),
        ("en;q=0.5, MADE_UP", "", "MADE_UP"),
        ("en;q=0.5, MADE_UP;q=0.4", "", "en"),
        ("en", "MADE_UP", "MADE_UP"),
        ("fr", "", "MADE_UP of the class"),
        (";;q=,*;q=9" * 99, "", "MADE_UP of the class"),
    ],
)
@pytest.mark.usefixtures("foreign")
def test_a_device_reads_its_language_from_the_first_page_on(asked: str, page: str, there: str) -> None:
    asked, page, expected = (text.replace("MADE_UP", FOREIGN.language) for text in (asked, page, there))
    expected = expected.removesuffix(" of the class")
    with served(new_room(language="en" if there == "en" else FOREIGN.language)) as server:
        device = server.device()
        device.headers["accept-language"] = asked
        if not page:
            assert f'<html lang="{expected}">' in device.get("/").text
        with device.events("child", language=page) as news:
            shown = next(news)["view"]
            assert shown["language"] == expected
            assert shown["words"]["join"] == Voice(language=expected).text("class.page.join")
        device.headers["accept-language"] = page or asked  # as the page sends it
        wrong = device.post("/join", json={"word": "x", "name": "Mia", "id": "x"})
        assert wrong.json()["error"] == Voice(language=expected).text("class.wrong_word")
        device.join(server.room, "Mia")
        assert server.room.seats[1].language == expected
        with device.events("child") as news:
            assert "words" in next(news)["view"]
            device.act(language="en")
            changed = next(found for found in news if found["view"]["language"] == "en")
            assert changed["view"].get("words", {"join": "Start"})["join"] == "Start"


def test_a_removed_child_sees_how_to_come_in(server: Served, mia: Device) -> None:
    with mia.events("child") as news:
        next(news)
        assert teacher(server).teach(remove=1).status_code == 200
        assert next(found for found in news if found["view"]["screen"] == "join")


def test_results_and_games_can_be_taken_home(server: Served, mia: Device) -> None:
    mia.do(choose="play")
    mia.do(point="C3")
    shown = teacher(server)
    assert shown.get("/results").json()["rows"][0][0] == "Mia"
    assert "Mia" in shown.get("/results.csv").text
    assert "PB[Mia]" in shown.get("/games.sgf").text
    assert "attachment" in shown.get("/games.sgf").headers["content-disposition"]


class FullDisk:
    """A folder that takes nothing."""

    def write(self, state: dict[str, Any], games: dict[int, bytes], results: str) -> None:
        raise OSError(errno.ENOSPC, "no space left")


def test_the_class_goes_on_when_it_cannot_be_saved_and_the_teacher_is_told() -> None:
    with Served(new_room(), FullDisk()) as server:
        mia, shown = server.device(), teacher(server)
        assert mia.join(server.room, "Mia").status_code == 200
        assert mia.act(hand=True).status_code == 200
        with shown.events("teacher") as news:
            assert next(news)["view"]["class"]["trouble"] == "The class is not saved: no space left."


# --- The course in the browser is the course of the terminal ---


def sentences(reply: Reply) -> list[str]:
    return [part.text for part in reply.said if isinstance(part, Sentence) and part.text]


def same_words(found: list[str], expected: Reply) -> None:
    """Check that a page says what a session says to a person who taps."""
    assert found == sentences(expected)


@pytest.mark.slow
@pytest.mark.parametrize("number", lessons.numbers())
def test_a_lesson_in_the_browser_is_the_lesson_of_the_terminal(number: int) -> None:
    session = LessonSession(number, Resources(searches(), voice=Voice(plain=True, taps=True)))
    with served() as server:
        mia = server.device()
        mia.join(server.room, "Mia")
        same_words(said(mia.do(choose=f"lesson-{number}")), session.begin())
        while session.following is None:
            task, game = session.task, session.game
            given: Any
            action: dict[str, Any]
            if task.solved:
                action, given = {"continue": True}, Text("")
            elif session.wanted.number:
                right: Any = task.content.count  # type: ignore[union-attr]
                action, given = {"number": right}, Number(right)
            else:
                examiner = getattr(task, "examiner", None)
                point = min(task.content.points) if examiner is None else examiner.solution()[0]  # type: ignore[union-attr]
                action, given = {"point": game.vertex(point)}, Play(point)
            reply = session.take(given)
            spoken = [*reply.said]
            while reply.work is not None:
                reply = session.deliver(reply.work.run(threading.Event()))
                spoken += reply.said
            shown = mia.do(**action)
            if session.following is not None:
                break
            same_words(said(shown), Reply(tuple(spoken)))
            drawn = {session.game.vertex(p): ["black", "white"][c - 1] for p, c in colors(session.game).items()}
            assert stones(shown) == drawn or shown["boards"][-1]["live"] is False
        assert server.room.seats[1].progress.lessons() == [number]
        assert shown["title"].startswith("A game on ")


def colors(game: Any) -> dict[int, int]:
    return {p: int(c) for p, c in enumerate(game.positions[-1].colors) if c in (1, 2)}


# --- The command ---


@pytest.mark.slow
@pytest.mark.posix
def test_a_killed_class_goes_on_from_its_folder(tmp_path: Path) -> None:
    command = [*ENGINE, "class", "--no-browser", "--port", "0", "--save", str(tmp_path / "class"), "--level", "1"]
    with started(command) as program:
        address, word = address_of(program)
        with Device(address) as mia:
            assert mia.post("/join", json={"word": word, "name": "Mia", "id": "join"}).status_code == 200
            mia.do(choose="play")
            before = mia.do(point="C3")
            (key,) = (cookie.value for cookie in mia.cookies.jar)
        program.send_signal(KILL)
    with started(command) as program:
        later, again = address_of(program)
        refused = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False)
        assert again == word
        with Device(later) as mia:
            mia.cookies.set(f"gtp-capture-child-{later.rpartition(':')[2]}", key or "")
            with mia.events("child") as news:
                assert stones(next(news)["view"]) == stones(before)
        program.send_signal(signal.SIGINT)
        said, _ = output(program, HANG)
        assert (program.returncode, said.endswith("The class has ended.\n")) == (0, True)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert refused.stderr.endswith("class: another class is using it\n")


def test_a_class_keeps_its_word_before_the_first_child_comes(tmp_path: Path) -> None:
    room = new_room()
    with Served(room, Folder(tmp_path)) as server:
        assert server.device().get("/").status_code == 200
        kept = json.loads((tmp_path / "class.json").read_text(encoding="utf-8"))
    assert kept["word"] == room.word


@pytest.mark.slow
def test_what_is_shown_is_saved() -> None:
    class Slow:
        state: Any = None

        def write(self, state: dict[str, Any], games: dict[int, bytes], results: str) -> None:
            time.sleep(0.1)  # a slow disk; nothing waits for this time
            self.state = json.loads(json.dumps(state))

    slow = Slow()
    with Served(new_room(), slow) as server:
        mia = server.device()
        mia.join(server.room, "Mia")
        shown = mia.do(choose="play")
        for _ in range(4):
            free = next(p["vertex"] for p in shown["boards"][-1]["points"] if not p["stone"])
            shown = mia.do(point=free)
            saved = new_room()
            saved.restore(slow.state, {})
            assert stones(shown) == stones(view.child(saved, saved.seats[1]))


def address_of(program: subprocess.Popen[str]) -> tuple[str, str]:
    """Return the address and the word that a class prints."""
    assert program.stdout is not None
    found = re.match(r"Children open (\S+) and type (\w+)\.", program.stdout.readline())
    assert found, "the first line names the address and the word"
    return found[1], found[2]
