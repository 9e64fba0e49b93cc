"""Attacks on a class: whoever does not know the word stops nobody, and a child that does is no faster than a hand.

All of it goes to the loopback address, and is bounded in number. What is counted are connections, answers and events.
"""

from __future__ import annotations

import asyncio
import http.cookies
import json
import random
import selectors
import signal
import socket
import ssl
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import Any, Final

import pytest
import uvicorn

from gtp_capture.classroom import seat as seats
from gtp_capture.tutor.session import Pace, Work
from gtp_capture.web import connection, guard, hub
from gtp_capture.web.connection import MOST_HEAD, OF_ADDRESS, network_of
from gtp_capture.web.guard import GAP, MOST_WAITING, Queue, RefusedRequest, TeacherKeys
from gtp_capture.web.hub import Lane

from ..support.networks import Machine
from ..support.process import ENGINE, HANG, output, started, wait_until
from ..support.served import Device, Served, served, teacher
from .test_server import address_of

FILES: Final = ("page.css", "link.js", "session.js", "child.js", "board.js", "icons.svg", "stone.svg")
"""The files of a child's page."""
CLASS: Final = [*ENGINE, "class", "--no-browser", "--port", "0", "--language", "en"]
ASK: Final = """
import sys, urllib.error, urllib.request
try: print(urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(sys.argv[1]).status)
except urllib.error.HTTPError as error: print(error.status)
"""
"""A program that opens an address and prints the status of the answer."""


def opened(stack: ExitStack, port: int, count: int) -> list[socket.socket]:
    """Open connections that say nothing."""
    return [stack.enter_context(socket.create_connection(("127.0.0.1", port), HANG)) for _ in range(count)]


def is_closed(client: socket.socket) -> bool:
    """Wait until the server has closed a connection."""
    with suppress(ConnectionError):
        while client.recv(65536):
            pass
    return True


def cookie_of(device: Device) -> str:
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in device.cookies.jar)


def request(path: str, *lines: str, method: str = "GET") -> bytes:
    """Return the head of a request."""
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *lines, "", ""]).encode()


# --- What is read ---


def test_cookies_are_read_by_their_names_alone(server: Served, mia: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    def unquoted(text: str) -> str:
        raise AssertionError("takes quadratic time before Python 3.13")

    monkeypatch.setattr(http.cookies, "_unquote", unquoted)
    hostile = 'a="' + "\\" * 15_000 + '"'
    for own in (f"{hostile}; {cookie_of(mia)}", f"{cookie_of(mia)}; {hostile}", f"x{cookie_of(mia)}; {cookie_of(mia)}"):
        sent = {"Cookie": own, "Content-Type": "application/json"}
        answer = mia.post("/do", content=b'{"n": 0, "id": "x", "do": {"hand": true}}', headers=sent)
        assert answer.status_code == 200
    for wrong in (hostile, f"x{cookie_of(mia)}", cookie_of(mia)[:-1], cookie_of(mia).replace("=", "= ")):
        assert server.device().post("/do", json={}, headers={"Cookie": wrong}).status_code == 401


@pytest.mark.parametrize("size", [MOST_HEAD + 2000, 60_000, 250_000])
@pytest.mark.parametrize("line", ["a: b", "Cookie: " + "a=b; " * 400])
def test_a_long_head_is_refused_though_it_is_whole(server: Served, size: int, line: str) -> None:
    head = request("/", *[line] * (size // len(line)))
    assert len(head) > MOST_HEAD
    assert server.raw(head)[:12] in (b"HTTP/1.1 400", b"HTTP/1.1 431", b"")
    wait_until(lambda: server.refusals.count)
    assert server.raw(request("/"))[:15] == b"HTTP/1.1 200 OK"


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00" + b"x" * 600,
        b"\x00" * 5000,
        request("/", "Content-Length: " + "9" * 5000),
        request("/", "Content-Length: 1", "Content-Length: 2"),
        request("/do", "Transfer-Encoding: chunked", method="POST") + b"ffffffffffffffffffffff\r\n",
        request("/do", "Transfer-Encoding: gzip, chunked", method="POST"),
        request("/do", "Content-Type: application/json", "Transfer-Encoding: chunked", method="POST") + b"xyz\r\n",
        request("/") * 3000,
        request("/events") + b"\xff" * 500 + b"\r\n\r\n",
    ],
)
def test_what_cannot_be_read_is_counted_and_leaves_no_trace(server: Served, data: bytes, caplog: Any) -> None:
    with socket.create_connection(("127.0.0.1", server.port), HANG) as client:
        with suppress(ConnectionError):
            client.sendall(data)
        assert is_closed(client)
    wait_until(lambda: server.refusals.count == 1 and not server.connections)
    assert server.refusals.encrypted == data.startswith(b"\x16")
    assert server.device().get("/").status_code == 200
    assert [record.getMessage() for record in caplog.records if not record.name.startswith("httpx")] == []


# --- Connections ---


@pytest.mark.slow
def test_a_request_has_to_be_whole_in_time(server: Served, mia: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    assert connection.WHOLE == 10
    assert mia.act(hand=True).status_code == 200, "its connection is that of a seat"
    monkeypatch.setattr(connection, "WHOLE", 0.2)
    body = request("/do", "Content-Type: application/json", "Content-Length: 100", cookie_of(mia), method="POST")
    first = request("/").removesuffix(b"\r\n")
    with ExitStack() as stack:
        silent, slow, half, kept = opened(stack, server.port, 4)
        half.sendall(body + b"{")
        kept.sendall(request("/static/stone.svg"))
        assert kept.recv(65536).startswith(b"HTTP/1.1 200")
        kept.sendall(first)
        with suppress(ConnectionError):
            for number in range(2**14):  # until the connection is closed
                slow.sendall(first[number : number + 1] or b"x")
                threading.Event().wait(0.01)
        for client in (silent, slow, half, kept):
            assert is_closed(client)
    wait_until(lambda: not any(not link.owner for link in server.connections))


@pytest.mark.slow
def test_a_seat_that_does_not_read_loses_its_connection(
    server: Served, mia: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert connection.WRITTEN == 30
    monkeypatch.setattr(connection, "WRITTEN", 0.2)
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", server.port))
        client.sendall(request("/events", f"Cookie: {cookie_of(mia)}"))
        wait_until(lambda: server.room.seats[1].here)
        shown = teacher(server)

        def is_gone() -> bool:
            shown.teach(pause=not server.room.is_paused)
            return not server.hub.streams

        wait_until(is_gone)
    assert not server.room.seats[1].here


def test_a_device_that_is_gone_is_noticed_below_the_requests(server: Served, mia: Device) -> None:
    with mia.events("child") as news:
        next(news)
        (stream,) = (link for link in server.connections if link.owner and not link.waits_for_device)
        own = stream.transport.get_extra_info("socket")
        assert own.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        idle, interval, probes = (
            own.getsockopt(socket.IPPROTO_TCP, getattr(socket, name))
            for name in ("TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT")
            if hasattr(socket, name)
        )
        assert idle + interval * probes <= 30
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            assert own.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000


@pytest.mark.parametrize("path", ["/events", "/next"])
def test_head_holds_nothing(server: Served, mia: Device, path: str) -> None:
    answer = server.raw(request(path, f"Cookie: {cookie_of(mia)}", method="HEAD"))
    assert answer.startswith(b"HTTP/1.1 4")
    assert not server.hub.streams


def test_a_stranger_has_no_stream(server: Served) -> None:
    device = server.device()
    for _ in range(5):
        with device.events("child") as news:
            (message,) = news
        assert (message["view"]["screen"], message["again"] > 0) == ("join", True)
        assert device.get("/next").json()["event"]["view"]["screen"] == "join"
    assert not server.hub.streams


def test_the_oldest_idle_connections_of_an_address_are_closed(
    server: Served, mia: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "GRACE", 0.0)
    with ExitStack() as stack, mia.events("child") as news:
        next(news)
        first, *others = opened(stack, server.port, OF_ADDRESS + 20)
        assert all(is_closed(client) for client in (first, *others[:18]))
        wait_until(lambda: sum(not link.owner for link in server.connections) <= OF_ADDRESS + 1)
        mia.act(hand=True)
        assert next(news)["view"]["hand"], "a seat keeps its stream"


@pytest.mark.slow
def test_hundreds_of_silent_connections_keep_no_child_and_no_teacher_out(server: Served) -> None:
    with ExitStack() as stack:
        opened(stack, server.port, connection.MOST_STRANGERS + 50)
        mia, shown = server.device(), teacher(server)
        assert mia.join(server.room, "Mia").status_code == 200
        with mia.events("child") as own, shown.events("teacher") as news:
            assert next(own)["view"]["name"] == "Mia"
            assert next(news)["view"]["seats"]
        assert len(server.connections) <= connection.MOST_STRANGERS + 20


@pytest.mark.slow
@pytest.mark.posix
def test_a_class_raises_the_limit_of_open_files() -> None:
    command = ["bash", "-c", 'ulimit -Sn 256; exec "$@"', "bash", *CLASS]
    with started(command) as program, ExitStack() as stack:
        address, word = address_of(program)
        opened(stack, int(address.rpartition(":")[2]), 350)
        with Device(address) as mia:
            assert mia.enter(word=word, name="Mia").status_code == 200
            with mia.events("child") as news:
                assert next(news)["view"]["name"] == "Mia"
        program.send_signal(signal.SIGINT)
        output(program, HANG)


@pytest.mark.slow
def test_30_browsers_behind_one_router_come_in(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 30 * GAP < 10, "the seconds that the words of all take, one after the other"
    monkeypatch.setattr(guard, "GAP", 0.01)
    # On a busy machine a connection may be idle for two seconds between two requests; a browser would open another one.
    monkeypatch.setattr(connection, "GRACE", HANG)

    def come_in(number: int) -> list[int]:
        with Device(server.base) as child, ThreadPoolExecutor(6) as pool:
            page = child.get("/").status_code
            files = [answer.status_code for answer in pool.map(lambda name: child.get(f"/static/{name}"), FILES)]
            return [page, *files, child.join(server.room, f"child {number}").status_code]

    with ThreadPoolExecutor(30) as pool:
        assert {status for statuses in pool.map(come_in, range(30)) for status in statuses} == {200}
    assert len(server.room.seats) == 30


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("10.0.0.3", "10.0.0.3"),
        ("::ffff:10.0.0.3", "10.0.0.3"),
        ("fe80::1%eth0", "fe80::/64"),
        ("2001:db8::1:2:3:4", "2001:db8::/64"),
    ],
)
def test_a_device_is_known_by_its_network(address: str, network: str) -> None:
    assert network_of(address) == network


# --- The word ---


def test_a_guesser_lets_no_child_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guesser begins first, on the same address, and has tried a word on each device that it pretends to be."""
    monkeypatch.setattr(guard, "GAP", 0.001)
    answered: list[str] = []

    async def wait(queue: Queue, device: str, network: str, number: int) -> None:
        with suppress(RefusedRequest):
            await queue.turn(device, network, number)
            answered.append(device)
            if device.startswith("guess"):
                queue.count_wrong(device, network)

    async def run() -> None:
        queue = Queue()
        for number in range(MOST_WAITING + 50):
            queue.count_wrong(f"guess {number}", "10.0.0.1")
        guesses = [wait(queue, f"guess {number}", "10.0.0.1", number) for number in range(MOST_WAITING + 50)]
        late = [wait(queue, f"new guess {number}", "10.0.0.1", 1000 + number) for number in range(50)]
        children = [wait(queue, f"child {number}", f"10.0.0.{number % 2 + 1}", 500 + number) for number in range(30)]
        await asyncio.gather(*guesses, *late, *children)

    asyncio.run(run())
    children = [answered.index(f"child {number}") for number in range(30)]
    before = answered[: max(children)]
    assert sum(name.startswith("guess") for name in before) <= 1, "the one that came while nobody waited"
    assert not [name for name in before if name.startswith("new")], "the names that children got earlier come first"


@pytest.mark.slow
def test_a_class_of_30_comes_in_beside_a_guesser_at_the_same_address(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 30 * GAP * 2 < 30, "seconds, after many wrong words"
    monkeypatch.setattr(guard, "GAP", 0.01)
    over, guesses = threading.Event(), list[int]()

    def guess(number: int) -> None:
        with Device(server.base) as eve:
            while not over.is_set():
                guesses.append(eve.enter(word=f"TIGER {len(guesses)}", name="Eve").status_code)

    with ThreadPoolExecutor(16) as guessing, ThreadPoolExecutor(30) as joining:
        for number in range(16):
            guessing.submit(guess, number)
        wait_until(lambda: len(guesses) > 20)
        devices = [server.device() for _ in range(30)]
        joined = [joining.submit(device.join, server.room, f"child {n}") for n, device in enumerate(devices)]
        assert [answer.result(HANG).status_code for answer in joined] == [200] * 30
        over.set()
    assert {*guesses} <= {403, 503}
    with teacher(server).events("teacher") as news:
        assert next(news)["view"]["tries"] == f"{guesses.count(403)} wrong tries of the word"


def test_the_teacher_reads_how_often_a_wrong_word_was_typed(server: Served, mia: Device) -> None:
    typing = server.device()
    with teacher(server).events("teacher") as news:
        assert next(news)["view"]["tries"] == ""
        assert typing.enter(word="wrong", name="Eve").status_code == 403
        assert next(event for event in news if "tries" in event) == {"tries": "1 wrong try of the word"}
    assert typing.join(server.room, "Ole").status_code == 200, "the right word comes in after a wrong one"


def test_a_device_does_not_name_itself(server: Served) -> None:
    device, sent = server.device(), {"word": server.room.word, "name": "Eve"}
    device.get("/")
    (name,) = (cookie.value or "" for cookie in device.cookies.jar)
    for made_up in ("x", "", "0.x.y", name[:-1], name.replace("0.", "1.", 1), "9" * 5000, "é.1"):
        own = f"gtp-capture-device-{server.port}={made_up}".encode("latin-1")
        assert server.device().post("/join", json=sent, headers=[(b"Cookie", own)]).status_code == 428
    assert not server.room.seats


# --- The teacher's page ---


def test_a_key_is_good_once_and_for_30_seconds_and_from_here() -> None:
    keys = TeacherKeys("own", "second")
    once, late, afar = (keys.once(100.0) for _ in range(3))
    cookie = keys.exchange(once, 129.0, is_here=True)
    assert cookie is not None
    assert keys.knows(cookie, is_here=True)
    assert not keys.knows(cookie, is_here=False)
    assert keys.exchange(once, 129.0, is_here=True) is None
    assert keys.exchange(late, 130.1, is_here=True) is None
    assert keys.exchange(afar, 101.0, is_here=False) is None
    assert keys.exchange("own", 0.0, is_here=False) is None
    assert keys.exchange("own", 9e9, is_here=True)
    second = keys.exchange("second", 9e9, is_here=False)
    assert second is not None
    assert keys.knows(second, is_here=False)
    assert TeacherKeys("own").exchange("", 0.0, is_here=True) is None
    assert not keys.knows("", is_here=True)


@pytest.mark.slow
@pytest.mark.linux
def test_the_network_has_no_teacher_unless_a_second_device_is_asked_for_and_the_door_follows_it() -> None:
    with ExitStack() as stack:
        machine = stack.enter_context(Machine())
        tablet = stack.enter_context(machine.device("wlan0", "10.0.0.7/16", "10.0.3.3/16"))
        command = machine.inside(*CLASS, "--lan", "--second-device")
        with started(command) as program:
            first, _ = address_of(program)
            assert program.stdout is not None
            own, second = (program.stdout.readline().partition(": ")[2].strip() for _ in range(2))
            port = first.rpartition(":")[2]
            secret = own.rpartition("=")[2]
            ask = [sys.executable, "-c", ASK]
            assert second.startswith(f"{first}/teacher?key=")
            assert tablet.run(*ask, f"{first}/teacher?key={secret}") == "403\n"
            assert tablet.run(*ask, second) == "200\n"
            assert machine.run(*ask, own) == "200\n"
            machine.run("ip", "address", "add", "10.1.0.7/16", "dev", "wlan0")
            machine.run("ip", "address", "del", "10.0.0.7/16", "dev", "wlan0")
            door = [sys.executable, "-c", DOOR, own, f"http://10.1.0.7:{port}"]
            assert machine.run(*door) == "seen\n"


DOOR: Final = """
import sys, urllib.request
browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
browser.open(sys.argv[1]).read()
for line in browser.open(sys.argv[1].partition("/teacher")[0] + "/events?as=teacher"):
    if sys.argv[2].encode() in line:
        print("seen")
        break
"""
"""A program that waits until the teacher's page shows an address."""


# --- A child with the word ---


@pytest.mark.slow
def test_any_wrong_body_to_the_teachers_address_is_refused(server: Served, mia: Device) -> None:
    shown, dice = teacher(server), random.Random(1)
    values: list[Any] = [None, True, -1, 1, 9, 1e308, 10**400, "", "all", "\ud800", [], [1], [2, 2], [[1, 1]], [[1]]]
    values += [{}, {"seats": 1}, {"seats": "all", "kind": []}, {"seats": "all", "kind": "game", "size": {}}, {"by": []}]
    values += [
        [[1, 2, 3]],
        {"seats": [1], "by": "level"},
        ["x", "y"],
        [1, 2],
        [1, None],
        {"hints": 1},
        {"seats": "all"},
    ]
    values += [{"seats": "all", "kind": "game", "rules": "x" * 2000}, {"seats": "all", "kind": "lesson", "lesson": 99}]
    kinds = ["activity", "pair", "pause", "allow", "show", "language", "rename", "claim", "remove", "forget", "open"]
    kinds += ["demo", "x", "", "__class__"]
    with shown.events("teacher") as news:
        next(news)
        for kind in kinds:
            for value in values:
                if kind in ("remove", "forget") and value == 1:
                    continue
                sent = json.dumps({"id": f"{kind} {dice.random()}", "do": {kind: value}}).encode()
                answer = shown.post("/teach", content=sent, headers={"Content-Type": "application/json"})
                assert answer.status_code in (200, 400, 404, 409), (kind, value, answer.text)
        for body in (
            b"[2,2]",
            b'{"do": [2, 2], "id": "a"}',
            b'{"do": {}, "id": "b"}',
            b'{"do": {"pause": true}}',
            b"1",
        ):
            answer = shown.post("/teach", content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code == 400
        for value in ([2, 2], [[1, 1]], [[2, 2]]):
            assert shown.teach(pair=value).status_code in (400, 404)
        server.room.mark_all_changed()
        assert shown.teach(open=True).status_code == 200
        assert next(event for event in news if "view" in event)


@pytest.mark.slow
def test_actions_of_a_child_are_slowed_down(server: Served, mia: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "LONGEST_WAIT", 0.2)
    with ThreadPoolExecutor(16) as pool:
        statuses = [*pool.map(lambda n: mia.act(hand=bool(n % 2)).status_code, range(300))]
    assert {*statuses} == {200, 429}
    ole = server.device()
    ole.join(server.room, "Ole")
    assert ole.act(hand=True).status_code == 200, "another child is not slowed down"


# --- It stays alive ---


@pytest.mark.slow
def test_a_change_every_moment_delays_no_sign_of_life(
    server: Served, mia: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "HEARTBEAT", 0.2)
    monkeypatch.setattr(hub, "PUSH", 0.2)
    other, over = server.device(), threading.Event()
    other.join(server.room, "Ole")

    def change() -> None:
        while not over.is_set():
            server.hub.show()
            other.act(hand=True)

    with ThreadPoolExecutor(1) as pool, mia.stream("GET", "/events") as stream:
        pool.submit(change)
        signs = (line for line in stream.iter_lines() if line == ": here")
        assert [next(signs) for _ in range(3)]
        over.set()


def test_short_questions_pass_long_ones() -> None:
    """One review runs and others wait; then a hint comes, whose answer lets the reviews go on."""
    release, done = threading.Event(), list[str]()

    def review(stop: threading.Event) -> None:
        assert release.wait(HANG)
        done.append("review")

    def hint(stop: threading.Event) -> None:
        done.append("hint")

    async def run() -> None:
        lane, stop = Lane(2), threading.Event()
        reviews = [asyncio.create_task(lane.run(Work(review, Pace.LONG), stop)) for _ in range(12)]
        await asyncio.sleep(0)
        await asyncio.gather(*(lane.run(Work(hint, Pace.SHORT), stop) for _ in range(12)))
        release.set()
        await asyncio.gather(*reviews)
        lane.close()

    asyncio.run(run())
    assert done == ["hint"] * 12 + ["review"] * 12


class JumpingClock(selectors.DefaultSelector):
    """What the loop of a server waits with: from the end of the class on, a wait for time alone is over at once."""

    def __init__(self) -> None:
        super().__init__()
        self.jumps, self.jumped, self.used = False, 0.0, 0.0
        """Whether it jumps, the seconds over which it has jumped, and the thread's processor time before and after."""

    def select(self, timeout: float | None = None) -> Any:
        events = super().select(0 if self.jumps and timeout is not None else timeout)
        if self.jumps and timeout and not events:
            self.jumped += timeout
        return events

    def begin(self) -> None:
        self.jumps, self.used = True, time.thread_time()

    def close(self) -> None:
        self.used = time.thread_time() - self.used
        super().close()


class JumpingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.clock = JumpingClock()
        super().__init__(self.clock)

    def time(self) -> float:
        return super().time() + self.clock.jumped


@pytest.mark.slow
def test_a_class_of_30_ends_in_less_than_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two parts make the second: what the server's thread computes, and what it waits for, on a clock of its own.

    It computes for 0.03 s (the limit is ten times as long), and waits for at most 0.6 s, for devices that do not read.
    """
    monkeypatch.setattr(guard, "GAP", 0.0)
    loops = list[JumpingLoop]()

    def new_loop() -> JumpingLoop:
        loops.append(JumpingLoop())
        return loops[-1]

    monkeypatch.setattr(uvicorn.Config, "get_loop_factory", lambda config: new_loop)
    with served() as server, ExitStack() as stack:
        devices = [server.device() for _ in range(30)]
        for number, device in enumerate(devices):
            assert device.join(server.room, f"child {number}").status_code == 200
        screens = [stack.enter_context(device.events("child")) for device in devices[1:]]
        for news in screens:
            next(news)
        deaf = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), HANG))
        deaf.sendall(request("/events", f"Cookie: {cookie_of(devices[0])}"))
        wait_until(lambda: len(server.hub.streams) == 30)
        close = server.hub.close

        def end() -> None:
            loops[0].clock.begin()
            close()

        monkeypatch.setattr(server.hub, "close", end)
        server.stop()
        assert {[*news][-1]["view"]["screen"] for news in screens} == {"closed"}
    assert loops[0].clock.jumped < 0.7
    assert loops[0].clock.used < 0.3


@pytest.mark.slow
@pytest.mark.posix
def test_the_end_is_seen_on_each_screen_and_attempts_are_one_line() -> None:
    with started(CLASS) as program, ExitStack() as stack:
        address, word = address_of(program)
        port = int(address.rpartition(":")[2])
        assert program.stdout is not None
        own = next(line for line in program.stdout if "key=" in line).partition(": ")[2].strip()
        for _ in range(30):
            with socket.create_connection(("127.0.0.1", port), HANG) as plain, suppress(OSError):
                ssl.create_default_context().wrap_socket(plain, server_hostname="localhost")
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", port), HANG) as plain:
                plain.sendall(b"nonsense\r\n\r\n")
                assert is_closed(plain)
        mia, shown = stack.enter_context(Device(address)), stack.enter_context(Device(address))
        mia.enter(word=word, name="Mia")
        shown.get(own)
        screens = [stack.enter_context(device.events(role)) for device, role in ((mia, "child"), (shown, "teacher"))]
        deaf = stack.enter_context(socket.create_connection(("127.0.0.1", port), HANG))
        deaf.sendall(request("/events", f"Cookie: {cookie_of(mia)}"))
        for news in screens:
            next(news)
        program.send_signal(signal.SIGINT)
        child, class_ = ([*news][-1]["view"] for news in screens)
        assert (child["screen"], child["said"][0]["text"]) == ("closed", "This class is over. See you next time!")
        assert class_["class"]["ended"]
        printed, complaints = output(program, HANG)
    assert printed.endswith("The class has ended.\n")
    assert program.returncode == 0
    assert complaints == ("Connections that were no requests: 35. Encrypted: 30. The address begins with http://\n")
