"""The server of a class: each hostile request with its answer, streams, two pages, and the course of the terminal."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from typing import Any, Final

import pytest

from gtp_capture.classroom.folder import Folder
from gtp_capture.classroom.kept import Kept
from gtp_capture.classroom.seat import LONGEST
from gtp_capture.teach import manual
from gtp_capture.teach.course import lessons
from gtp_capture.teach.course.lessons import Quiz
from gtp_capture.teach.say import Sentence, Tone, aim, parts
from gtp_capture.teach.words import Voice, page_voice
from gtp_capture.tutor.leitner import Boxes
from gtp_capture.tutor.lesson import LessonSession
from gtp_capture.tutor.problem import PlayTask
from gtp_capture.tutor.reading import Continue, Input, Number, Play
from gtp_capture.tutor.session import Resources
from gtp_capture.util.fields import Fields
from gtp_capture.util.network import PORT
from gtp_capture.web import hub, view
from gtp_capture.web.guard import MOST_BYTES
from gtp_capture.web.hub import ELSEWHERE, STREAMS
from gtp_capture.web.run import door, qr_code

from ..support.classroom import new_room, said, searches, stones
from ..support.networks import Machine
from ..support.paths import MANUAL
from ..support.process import ENGINE, HANG, KILL, output, started, wait_until
from ..support.served import SECRET, Device, Served, served, teacher
from ..teach.test_words import FOREIGN, foreign, template  # noqa: F401 - fixtures
from ..test_manual import anchors

# --- Strangers stay out ---


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, 200),
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example"}, 421),
        *(
            ({"host": f"127.0.0.1{end}"}, 421)
            for end in (":80:80.evil", ":80.evil", ":", ":999999", "@evil", "/x", " x")
        ),
        *(
            ({"host": f"[::1]{end}"}, 421)
            for end in (":80:80.evil", ":80:80", ":80.evil", ":", ".evil", "]", "@evil", " x")
        ),
        *(
            ({"host": name}, 421)
            for name in ("[::1", "::1", "::1]", "[evil]", "[::1%25lo]", "[127.0.0.1]", "[[::1]]", "[1::2::3]")
        ),
        ({"host": "a@127.0.0.1"}, 421),
        *(({"host": name}, 200) for name in ("[::1]", "[2001:DB8::1]:8765", "LOCALHOST:80", "192.168.1.20")),
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


def test_who_opens_the_class_by_a_name_reads_its_address(server: Served) -> None:
    answer = server.device().get("/", headers={"host": f"mypc.local:{server.port}", "accept-language": "de"})
    assert (answer.status_code, answer.text) == (421, page_voice("de").text("class.other_name", address=server.base))


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
    "address", ["/static/../run.py", "/static/..%2Frun.py", "/static/%2e%2e/app.py", "/etc/passwd"]
)
def test_no_other_file_is_served(server: Served, address: str) -> None:
    first = server.raw(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    assert first.startswith(b"HTTP/1.1 404 ")


@pytest.mark.parametrize(
    ("method", "address", "allowed"),
    [
        ("GET", "/do", {"POST"}),
        ("GET", "/join", {"POST"}),
        ("DELETE", "/teach", {"POST"}),
        ("POST", "/", {"GET", "HEAD"}),
        ("PUT", "/static/child.js", {"GET", "HEAD"}),
        ("POST", "/results.csv", {"GET", "HEAD"}),
    ],
)
def test_a_wrong_method_is_told_the_right_one(server: Served, method: str, address: str, allowed: set[str]) -> None:
    for kind in ("text/html", "application/json"):
        answer = server.device().request(method, address, headers={"accept": kind})
        assert answer.status_code == 405
        assert {*answer.headers["allow"].split(", ")} == allowed


@pytest.mark.parametrize(("address", "status"), [("/xyz", 404), ("/teacher", 403), ("/wall", 403)])
def test_a_person_reads_a_page_that_says_why_an_address_is_refused(server: Served, address: str, status: int) -> None:
    answer = server.device().get(address, headers={"Accept": "text/html,*/*;q=0.8", "Accept-Language": "de"})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert page_voice("de").text({403: "class.secret", 404: "class.no_page"}[status]).split(".")[0] in answer.text
    assert '<html lang="de">' in answer.text


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
    "address", ["/teacher", "/wall", "/results", "/results.csv", "/games.sgf", "/manual/class", "/events?as=teacher"]
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
        cookie = f"gtp-capture-device-{server.port}={guess}".encode("latin-1")
        assert forged.post("/do", json={}, headers=[(b"Cookie", cookie)]).status_code == 401


def test_every_answer_has_strict_headers_and_cookies_are_for_the_server_alone(server: Served) -> None:
    device = server.device()
    for answer in (device.get("/nothing"), device.get("/teacher"), device.join(server.room, "Mia")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
    first = server.device().get("/")
    assert {"HttpOnly", "SameSite=strict"} <= {*first.headers["set-cookie"].split("; ")}
    assert device.get("/", headers={"if-none-match": first.headers["etag"]}).status_code == 304


def test_no_page_loads_anything_from_elsewhere_or_has_script_inside(server: Served) -> None:
    shown = teacher(server)
    for address in ("/", "/teacher", "/wall"):
        page = shown.get(address).text
        assert not re.search(r"(src|href)=[\"']?(https?:)?//", page)
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|<style|\sstyle=", page)


def tabs(stack: ExitStack, device: Device, *pages: str) -> list[Iterator[dict[str, Any]]]:
    """Open the streams of pages, one after the other, and read the first message of each."""
    streams = []
    for page in pages:
        streams.append(stack.enter_context(device.events(page)))
        next(streams[-1])
    return streams


def test_a_seat_has_a_few_streams_and_the_oldest_one_says_that_another_goes_on(server: Served, mia: Device) -> None:
    with ExitStack() as opened:
        first, *others = tabs(opened, mia, *["child"] * (STREAMS + 1))
        assert [*first] == [ELSEWHERE]
        mia.act(hand=True)
        assert all(next(stream)["view"]["hand"] for stream in others), "the others go on"


def test_a_browser_has_a_few_streams_and_keeps_one_of_each_page(server: Served, mia: Device) -> None:
    device = teacher(server)
    device.join(server.room, "Ole")
    with ExitStack() as opened:
        (before,) = tabs(opened, mia, "child")
        own, wall, first, *others = tabs(opened, device, "teacher", "wall", *["child"] * (STREAMS - 1))
        assert [*first] == [ELSEWHERE]
        tabs(opened, mia, *["child"] * (STREAMS - 1))
        device.teach(open=False)
        mia.act(hand=True)
        device.act(hand=True)
        for stream in (own, wall, before, *others):
            assert next(event for event in stream if "view" in event), "all others go on"


def test_a_page_that_asks_for_each_event_gives_way_as_a_stream_does(server: Served, mia: Device) -> None:
    seen = mia.get("/next", params={"tab": "0"}).json()["seen"]
    with ThreadPoolExecutor(1) as waiting, ExitStack() as opened:
        answer = waiting.submit(mia.get, "/next", params={"tab": "0", "seen": seen})
        wait_until(lambda: any(stream.tab == "0" and not stream.is_over for stream in server.hub.streams))
        others = tabs(opened, mia, *["child"] * STREAMS)
        assert answer.result(HANG).json()["event"] == ELSEWHERE
        mia.act(hand=True)
        assert all(next(stream)["view"]["hand"] for stream in others), "the others go on"


def test_a_tab_that_opens_its_stream_again_takes_the_place_of_its_own_one(server: Served, mia: Device) -> None:
    with ExitStack() as opened:
        others = tabs(opened, mia, *["child"] * (STREAMS - 1))
        first, *again = [opened.enter_context(mia.events("child", tab="the same")) for _ in range(4)]
        assert all("view" in message for message in first), "its page has left it"
        mia.act(hand=True)
        assert all("view" in next(stream) for stream in (*others, again[-1]))


def test_streams_that_end_with_the_server_name_no_other_tab() -> None:
    with ExitStack() as opened, served() as server:
        (stream,) = tabs(opened, server.device(), "child")
        server.hub.room.mark_all_changed()
        server.stop()
        assert ELSEWHERE not in [*stream]


# --- Pages follow the class ---


def test_both_children_and_the_teacher_see_each_move(server: Served, mia: Device) -> None:
    ole, shown = server.device(), teacher(server)
    ole.join(server.room, "Ole")
    with mia.events("child") as of_mia, ole.events("child") as of_ole, shown.events("teacher") as of_teacher:
        seats = next(of_teacher)["view"]["seats"]
        assert [seat["name"] for seat in seats] == ["Mia", "Ole"]
        assert "welcome" in next(of_mia)["words"]
        next(of_ole)
        assert shown.teach(pair=[[1, 2]]).status_code == 200
        mia.view = next(view["view"] for view in of_mia if view["view"]["board"])
        assert mia.act(point="C3").status_code == 200
        seen = next(view["view"] for view in of_ole if view["view"]["board"] and stones(view["view"]))
        assert stones(seen) == {"C3": "black"}
        assert seen["board"]["live"]
        news = next(event for event in of_teacher if any("circle" in seat["svg"] for seat in event.get("seats", [])))
        assert {seat["seat"] for seat in news["seats"]} <= {1, 2}


def test_the_teacher_sees_who_is_here(server: Served, mia: Device) -> None:
    shown = teacher(server)
    with shown.events("teacher") as news:
        next(news)
        with mia.events("child") as own:
            next(own)
            assert next(event for event in news if "seats" in event)["seats"][0]["here"]
        assert not next(event for event in news if "seats" in event)["seats"][0]["here"]


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
    def partners(event: dict[str, Any]) -> list[str]:
        return [choice["label"] for choice in event["view"]["choices"] if choice["do"]["choose"].startswith("with-")]

    ole = server.device()
    with mia.events("child") as news:
        assert partners(next(news)) == []
        ole.join(server.room, "Ole")
        with ole.events("child") as own:
            next(own)
            assert next(filter(None, map(partners, news))) == ["Play with Ole"]
        assert next(labels for labels in map(partners, news) if not labels) == []


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
            message = next(news)
            assert message["view"]["language"] == expected
            assert message["words"]["join"] == Voice(language=expected).text("class.page.join")
        device.headers["accept-language"] = page or asked  # as the page sends it
        wrong = device.enter(word="x", name="Mia", id="x")
        assert wrong.json()["error"] == Voice(language=expected).text("class.wrong_word")
        device.join(server.room, "Mia")
        assert server.room.seats[1].language == expected
        with device.events("child") as news:
            assert "words" in next(news)
            device.act(language="en")
            changed = next(event for event in news if event["view"]["language"] == "en")
            assert changed.get("words", {"join": "Start"})["join"] == "Start"


def test_a_device_asks_for_one_event_after_the_other(
    server: Served, mia: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "LINGER", HANG)

    def following(device: Device, role: str, seen: str) -> tuple[str, Any]:
        answer = device.get("/next", params={"as": role, "seen": seen}).json()
        return answer["seen"], answer["event"]

    lehrer = teacher(server)
    for device, role in ((mia, "child"), (lehrer, "teacher"), (lehrer, "wall")):
        seen, event = following(device, role, "")
        assert event["words"]
        lehrer.teach(pause=not server.room.is_paused)
        later, event = following(device, role, seen)
        assert later != seen
        assert event["view"]
        assert following(device, role, "of-another-run-7")[1]["view"]
    assert following(server.device(), "child", "")[1]["view"]["screen"] == "join"
    assert server.room.seats[1].here
    monkeypatch.setattr(hub, "HEARTBEAT", 0.0)
    seen, _ = following(mia, "child", "")
    assert following(mia, "child", seen) == (seen, None)
    assert len([stream for stream in server.hub.streams if stream.seat is server.room.seats[1]]) == 1


def test_a_device_without_cookies_gets_no_seat(server: Served) -> None:
    device = server.device()
    for _ in range(3):
        device.cookies.clear()
        answer = device.post("/join", json={"word": server.room.word, "name": "Mia", "id": "x"})
        assert (answer.status_code, answer.json()["cookie"]) == (428, True)
        assert "cookies" in answer.json()["error"]
    assert not server.room.seats
    address = device.get("/teacher", params={"key": SECRET}).headers["location"]
    device.cookies.clear()
    assert "cookies" in device.get(address).json()["error"]


def test_a_removed_child_sees_how_to_come_in(server: Served, mia: Device) -> None:
    with mia.events("child") as news:
        next(news)
        assert teacher(server).teach(remove=[1]).status_code == 200
        assert next(event for event in news if event["view"]["screen"] == "join")


def test_the_browser_of_a_child_that_was_removed_may_close(server: Served, mia: Device, caplog: Any) -> None:
    ole, shown = server.device(), teacher(server)
    ole.join(server.room, "Ole")
    with mia.events("child") as of_mia, ole.events("child") as of_ole:
        next(of_ole)
        next(of_mia)
        shown.teach(pair=[[1, 2]])
        assert shown.teach(remove=[1]).status_code == 200
        assert next(event for event in of_mia if event["view"]["screen"] == "join")
    wait_until(lambda: not server.hub.streams)
    assert ole.get("/").status_code == 200, "the server has gone through what the end of the streams leads to"
    assert [record.getMessage() for record in caplog.records if record.name.startswith("uvicorn")] == []


def test_results_and_games_can_be_taken_home(server: Served, mia: Device) -> None:
    mia.do(choose="play")
    mia.do(point="C3")
    shown = teacher(server)
    assert shown.get("/results").json()["rows"][0][0] == "Mia"
    assert "Mia" in shown.get("/results.csv").text
    assert "PB[Mia]" in shown.get("/games.sgf").text
    assert "attachment" in shown.get("/games.sgf").headers["content-disposition"]


class Failing:
    """A folder that takes nothing while it has an error, and keeps the games that it takes."""

    def __init__(self, error: Exception | None) -> None:
        self.error, self.games = error, dict[str, str]()

    def write(self, state: dict[str, Any], results: str) -> None:
        if self.error is not None:
            raise self.error.with_traceback(None)
        self.games |= state["games"]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "no space left"), "no space left"),
        (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "a reason"), "this program has a fault. The terminal shows it."),
        (KeyError("x"), "this program has a fault. The terminal shows it."),
        (MemoryError(), os.strerror(errno.ENOMEM)),
    ],
)
def test_a_saving_that_fails_is_said_and_the_next_one_writes_all(error: Exception, said: str) -> None:
    folder = Failing(error)
    with Served(new_room(), folder) as server:
        mia, ole, shown = server.device(), server.device(), teacher(server)
        for device, name in ((mia, "Mia"), (ole, "Ole")):
            assert device.join(server.room, name).status_code == 200
        for _ in range(2):
            shown.teach(pair=[[1, 2]])  # the second time this ends the first game, which is then to be written
            mia.view["n"] = server.room.count
            assert mia.act(point="C3").status_code == 200
        with shown.events("teacher") as news:
            assert f"The class is not saved: {said}" in next(news)["view"]["class"]["trouble"]
            folder.error = None
            assert mia.act(hand=True).status_code == 200
            assert next(event["view"] for event in news if "view" in event)["class"]["trouble"] == ""
    assert [*folder.games] == ["1"]


# --- The page of the manual ---


def test_the_teacher_reads_the_manuals_page_in_the_class_itself(server: Served) -> None:
    answer = teacher(server).get("/manual/class")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    headings = {*re.findall(r'<h2 id="([^"]+)">', answer.text)}
    assert headings == anchors((MANUAL / "class.md").read_text("utf-8")) - {
        "a-class-children-play-and-learn-in-their-browsers"
    }
    script = server.device().get("/static/teacher.js").text
    assert {*re.findall(r'"/manual/class#([^"]+)"', script)} <= headings
    assert "<td><code>--lan</code></td>" in answer.text
    assert "](" not in answer.text


@pytest.mark.parametrize("topic", manual.TRANSLATED)
def test_the_pages_of_the_manual_are_in_the_language_of_the_class_and_lead_to_each_other(
    server: Served, topic: str
) -> None:
    server.room.language = "fr"
    answer = teacher(server).get(f"/manual/{topic}")
    assert manual.page(topic, "fr").splitlines()[0].removeprefix("# ") in unescape(answer.text)
    assert '<html lang="fr">' in answer.text
    assert anchors((MANUAL / f"{topic}.md").read_text("utf-8")) == {*re.findall(r'<h[1-6] id="([^"]+)">', answer.text)}
    links = {link.partition("#")[0] for link in re.findall(r'<a href="([^"]+)"', answer.text) if ":" not in link}
    assert links
    for link in filter(None, links):
        assert teacher(server).get(f"/manual/{link}").status_code == 200
    assert '<html lang="en">' in teacher(server).get("/manual/rules").text


def test_a_page_that_the_manual_has_not_is_not_there(server: Served) -> None:
    assert teacher(server).get("/manual/nothing").status_code == 404
    assert teacher(server).get("/manual/..%2Fclass").status_code == 404


# --- The course in the browser is the course of the terminal ---


VOICE = page_voice("en")


@pytest.mark.slow
@pytest.mark.parametrize("number", lessons.numbers())
def test_a_lesson_in_the_browser_is_the_lesson_of_the_terminal(number: int) -> None:
    """The same inputs lead to the same events, and the page says them in the words of a person who taps."""
    session = LessonSession(number, Resources(searches(), boxes=Boxes()))
    with served() as server:
        mia = server.device()
        mia.join(server.room, "Mia")
        shown, expected = mia.do(choose=f"lesson-{number}"), [*session.begin().events]
        while True:
            now = session.situation()
            sentences = [part for event in expected for part in parts(event, VOICE) if isinstance(part, Sentence)]
            sentences.sort(key=lambda part: part.tone is Tone.PLAIN)  # what counts stands first on a page
            texts = [paragraph for part in sentences for paragraph in part.text.split("\n\n")]
            assert said(shown) == [text for text in texts if text != shown["task"]]
            assert shown["task"] == aim(now.task, 0, None, VOICE) != ""
            drawn = {session.game.vertex(p): ["black", "white"][c - 1] for p, c in colors(session.game).items()}
            assert stones(shown) == drawn or shown["board"]["live"] is False
            given, action = right_answer(session)
            reply = session.handle_input(given)
            expected = [*reply.events]
            while reply.work is not None:
                reply = session.finish_work(reply.work.run(threading.Event()))
                expected += reply.events
            shown = mia.do(**action)
            if session.following is not None:
                break
        assert server.room.seats[1].progress.lessons() == [number]
        assert shown["title"].startswith("A game on ")


def right_answer(session: LessonSession) -> tuple[Input, dict[str, Any]]:
    """Return what goes on, or answers the task: the input of a session, and the action of a page."""
    task = session.task
    if task.solved:
        return Continue(), {"continue": True}
    if isinstance(task, PlayTask):
        point = task.examiner.solution()[0]
    else:
        assert isinstance(task.content, Quiz)
        if task.content.count is not None:
            return Number(task.content.count), {"number": task.content.count}
        point = min(task.content.points)
    return Play(point), {"point": task.game.vertex(point)}


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
            assert mia.enter(word=word, name="Mia", id="join").status_code == 200
            mia.do(choose="play")
            before = mia.do(point="C3")
            (key,) = (cookie.value for cookie in mia.cookies.jar if "device" in cookie.name)
        program.send_signal(KILL)
    with started(command) as program:
        later, again = address_of(program)
        refused = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False)
        assert again == word
        with Device(later) as mia:
            mia.cookies.set(f"gtp-capture-device-{later.rpartition(':')[2]}", key or "")
            with mia.events("child") as news:
                assert stones(next(news)["view"]) == stones(before)
        program.send_signal(signal.SIGINT)
        said, _ = output(program, HANG)
        assert (program.returncode, said.endswith("The class has ended.\n")) == (0, True)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert refused.stderr.endswith("class: another class is using it\n")


@pytest.mark.slow
@pytest.mark.linux
def test_devices_of_each_network_open_the_address_that_names_it() -> None:
    class_command = [*ENGINE, "class", "--no-browser", "--port", "0"]
    ask = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).status)"
    with ExitStack() as stack:
        machine = stack.enter_context(Machine())
        phone = stack.enter_context(machine.device("hotspot", "192.168.137.1/24", "192.168.137.7/24"))
        tablet = stack.enter_context(machine.device("wlan0", "10.0.0.7/16", "10.0.3.3/16"))
        with started(machine.inside(*class_command, "--lan")) as program:
            first, _ = address_of(program)
            port = first.rpartition(":")[2]
            assert program.stdout is not None
            lines = [program.stdout.readline().rstrip() for _ in range(3)]
            addresses = [f"http://192.168.137.1:{port}", f"http://10.0.0.7:{port}"]
            assert first == addresses[0]
            assert lines[0].startswith("This machine is in several networks.")
            assert lines[1:] == [f"  hotspot: {addresses[0]}", f"  wlan0: {addresses[1]}"]
            for device, address in ((phone, addresses[0]), (tablet, addresses[1])):
                assert device.run(sys.executable, "-c", ask, address) == "200\n"


@pytest.mark.slow
@pytest.mark.linux
@pytest.mark.parametrize("own", ["2001:db8:5::7/64", "fd00:5::7/64"])
def test_a_school_without_ipv4_opens_a_class_in_brackets(own: str) -> None:
    """The device comes in through IPv6; a name is answered with the address, and IPv4 goes on on this machine."""
    with ExitStack() as stack:
        machine = stack.enter_context(Machine())
        tablet = stack.enter_context(machine.device("wlan0", own, own.replace("::7", "::9")))
        with started(machine.inside(*ENGINE, "class", "--no-browser", "--port", "0", "--lan")) as program:
            address, word = address_of(program)
            assert program.stdout is not None
            teacher = next(line for line in program.stdout if "key=" in line).partition(": ")[2].strip()
            port = address.rpartition(":")[2]
            assert address == f"http://[{own.removesuffix('/64')}]:{port}"
            network = machine.run(*ENGINE, "doctor").partition("in the network ")[2]
            assert network.startswith(f"wlan0: {address.rpartition(':')[0]}:{PORT}\n")
            assert tablet.run(sys.executable, "-c", COME_IN, address, word) == f"428 200 421 {address}\n"
            assert machine.run(sys.executable, "-c", SHOWN, teacher) == f"{address} {qr_code(address)}\n"
            assert machine.run(sys.executable, "-c", SHOWN, teacher.replace("127.0.0.1", "[::1]"))


COME_IN: Final = """
import json, sys, urllib.error, urllib.request
address, word = sys.argv[1:]
browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
def status(path, host, **sent):
    kind = {"Content-Type": "application/json", "Origin": address, "Host": host}
    asked = urllib.request.Request(address + path, json.dumps(sent).encode() if sent else None, kind)
    try: return browser.open(asked).status, ""
    except urllib.error.HTTPError as error: return error.code, error.read().decode()
own = address.partition("//")[2]
joined = [status("/join", own, word=word, name="Mia", id="a")[0] for _ in range(2)]
code, said = status("/", "mypc.local")
print(*joined, code, next(piece for piece in said.split() if piece.startswith("http")).rstrip("."))
"""
"""A program that joins, and opens a class by a name; it prints the status of each answer and the address in it."""
SHOWN: Final = """
import json, sys, urllib.request
browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
browser.open(sys.argv[1]).read()
for line in browser.open(sys.argv[1].partition("/teacher")[0] + "/events?as=teacher"):
    if line.startswith(b"data: "):
        shown = json.loads(line[6:])["view"]["class"]
        print(shown["address"], shown["qr"])
        break
"""
"""A program that prints what the teacher's page shows to open, and its code."""


@pytest.mark.parametrize(
    ("is_lan", "said"), [(False, "Only this computer can open {own}."), (True, "This computer is in no network.")]
)
def test_no_page_shows_an_address_that_other_devices_cannot_open(is_lan: bool, said: str) -> None:
    with served() as server:
        server.hub.door = door(server.port, lan=False)._replace(is_lan=is_lan)
        shown = teacher(server)
        for role in ("teacher", "wall"):
            with shown.events(role) as news:
                entry = next(news)["view"]["class"]
            assert (entry["address"], entry["qr"], entry["networks"]) == ("", "", [])
            assert entry["alone"].startswith(said.format(own=server.base))
            assert ("--lan" in entry["alone"]) is not is_lan


NO_LOCKS = """
import errno, fcntl, os, sys
lock = fcntl.flock
def flock(file, operation):
    if os.readlink(f"/proc/self/fd/{file}").endswith("class.lock"):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))
    lock(file, operation)
fcntl.flock = flock
from gtp_capture.cli import main
main()
"""


@pytest.mark.slow
@pytest.mark.linux
def test_a_class_runs_where_its_folder_cannot_be_locked_and_says_so(tmp_path: Path) -> None:
    options = ["class", "--no-browser", "--port", "0", "--save", str(tmp_path)]
    with started([sys.executable, "-c", NO_LOCKS, *options]) as program:
        address, word = address_of(program)
        with Device(address) as mia:
            assert mia.enter(word=word, name="Mia", id="join").status_code == 200
        program.send_signal(signal.SIGINT)
        assert program.stdout is not None
        printed = program.stdout.read()  # with what came with the first line
    assert "The folder cannot be locked here" in printed
    assert "Mia" in (tmp_path / "class.json").read_text(encoding="utf-8")


HANGS = """
import os, sys, threading
sync = os.fsync
def fsync(file):
    if os.path.exists(hang):
        threading.Event().wait()
    sync(file)
hang = sys.argv.pop()
os.fsync = fsync
from gtp_capture.cli import main
main()
"""


@pytest.mark.slow
@pytest.mark.posix
def test_a_class_ends_and_says_so_while_its_drive_does_not_answer(tmp_path: Path) -> None:
    folder, hang = tmp_path / "class", tmp_path / "hang"
    options = ["class", "--no-browser", "--port", "0", "--language", "en", "--save", str(folder), str(hang)]
    with started([sys.executable, "-c", HANGS, *options]) as program:
        address, word = address_of(program)
        with Device(address) as mia:
            assert mia.enter(word=word, name="Mia", id="join").status_code == 200
            hang.touch()
            assert mia.act(hand=True).status_code == 200
        program.send_signal(signal.SIGINT)
        printed, complaint = output(program, HANG)
    assert complaint == "gtp-capture: At present nothing is saved: the drive with the class does not answer.\n"
    assert printed.endswith("The class has ended.\n")
    assert program.returncode == 1
    assert '"Mia"' in (folder / "class.json").read_text("utf-8")


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

        def write(self, state: dict[str, Any], results: str) -> None:
            time.sleep(0.1)  # a slow disk; nothing waits for this time
            self.state = json.loads(json.dumps(state))

    slow = Slow()
    with Served(new_room(), slow) as server:
        mia = server.device()
        mia.join(server.room, "Mia")
        shown = mia.do(choose="play")
        for _ in range(4):
            free = next(p["vertex"] for p in shown["board"]["points"] if not p["stone"])
            shown = mia.do(point=free)
            saved = new_room(kept=Kept.read(Fields(slow.state), {}))
            assert stones(shown) == stones(view.child(saved, saved.seats[1]))


def address_of(program: subprocess.Popen[str]) -> tuple[str, str]:
    """Return the address and the word that a class prints."""
    assert program.stdout is not None
    match = re.match(r"Children open (\S+) and type ([^.]+)\.", program.stdout.readline())
    assert match, "the first line names the address and the word"
    return match[1], match[2]
