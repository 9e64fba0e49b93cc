"""A class on the loopback address, and its devices."""

from __future__ import annotations

import json
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any, Final, Self

import httpx

from gtp_capture.classroom.room import Classroom
from gtp_capture.util.network import listen
from gtp_capture.web.app import Server
from gtp_capture.web.connection import Refusals
from gtp_capture.web.guard import TeacherKeys
from gtp_capture.web.hub import Hub, Store
from gtp_capture.web.run import Runner, qr_code
from gtp_capture.web.view import Door, Message

from .classroom import new_room
from .contract import hold
from .forks import HANG

SECRET: Final = "the secret of the teacher"
_names: Final = count()


class Served:
    """A server in a thread of this process."""

    def __init__(self, room: Classroom, store: Store | None = None) -> None:
        self.room = room
        self._socket = listen(0, lan=False)
        self.port = self._socket.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self.hub = Hub(room, Door(self.base, ((self.base, "lo"),), qr_code(self.base), is_lan=True), store)
        self._runner = Runner(Server(self.hub, TeacherKeys(SECRET), self.port))
        self._devices: list[Device] = []
        self._thread = threading.Thread(target=self._runner.run, args=([self._socket],))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def device(self) -> Device:
        """Return a browser, which is closed with the server."""
        self._devices.append(Device(self.base))
        return self._devices[-1]

    def __exit__(self, *args: object) -> None:
        for device in self._devices:
            device.close()
        if self._thread.is_alive():
            self.stop()

    def stop(self) -> None:
        """End the server."""
        self._runner.handle_exit(signal.SIGTERM, None)
        self._thread.join(HANG)
        assert not self._thread.is_alive()

    @property
    def connections(self) -> set[Any]:
        """The connections that the server has now."""
        return self._runner.server_state.connections

    @property
    def refusals(self) -> Refusals:
        """The connections that were refused."""
        return self._runner.refusals

    def raw(self, data: bytes) -> bytes:
        """Send bytes, and return the beginning of the answer; b"" if the connection was closed."""
        with socket.create_connection(("127.0.0.1", self.port), HANG) as connection, suppress(ConnectionError):
            connection.sendall(data)
            return connection.recv(65536)
        return b""


class Device(httpx.Client):
    """A browser of a child, of the teacher, or of a stranger."""

    def __init__(self, base: str) -> None:
        super().__init__(base_url=base, timeout=HANG)
        self.view: dict[str, Any] = {"n": 0}

    def join(self, room: Classroom, name: str) -> httpx.Response:
        """Come in."""
        return self.enter(word=room.word, name=name, id=f"join {next(_names)}")

    def enter(self, **sent: str) -> httpx.Response:
        """Send the form to join, and again with the cookie that the first answer has set."""
        answer = self.post("/join", json=sent)
        return self.post("/join", json=sent) if answer.status_code == 428 else answer

    def teach(self, **action: Any) -> httpx.Response:
        """Do an action of the teacher."""
        return self.post("/teach", json={"id": f"teach {next(_names)}", "do": action})

    def act(self, **action: Any) -> httpx.Response:
        """Do an action of a child, as seen in the last view."""
        answer = self.post("/do", json={"n": self.view["n"], "id": f"do {next(_names)}", "do": action})
        if answer.status_code == 200:
            self.view = answer.json()["view"]
        return answer

    def do(self, **action: Any) -> dict[str, Any]:
        """Do an action of a child, wait for the answer of the computer, and return the view."""
        with self.events("child") as news:
            self.view = next(news)["view"]
            assert self.act(**action).status_code == 200
            while self.view["busy"]:
                self.view = next(news)["view"]
        return self.view

    @contextmanager
    def events(self, role: str, language: str = "", tab: str = "") -> Iterator[Iterator[dict[str, Any]]]:
        """Open a stream of events. `language`: that of a page whose language was chosen."""
        with self.stream("GET", "/events", params={"as": role, "language": language, "tab": tab}) as stream:
            assert stream.status_code == 200
            yield (message(line[6:]) for line in stream.iter_lines() if line.startswith("data: "))


def message(text: str) -> dict[str, Any]:
    """Return a message to a page, which has the form that the page expects."""
    content: dict[str, Any] = json.loads(text)
    hold(content, Message)
    return content


class Filter:
    """A filter of a network between browsers and a server: it hands on each answer as `hand_on` yields its pieces."""

    def __init__(self, server: Served, hand_on: Callable[[str, Iterator[bytes]], Iterator[bytes]]) -> None:
        """`hand_on`: gets the path of a request and the pieces of its answer as they come."""
        self._upstream, self._hand_on, self.paths = ("127.0.0.1", server.port), hand_on, list[str]()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=self._serve, args=[self._socket.accept()[0]], daemon=True).start()

    def _serve(self, device: socket.socket) -> None:
        with device, suppress(OSError), socket.create_connection(self._upstream) as server:
            asked = device.makefile("rb")
            head = list(iter(asked.readline, b"\r\n"))
            if not head or b"" in head:
                return
            path = head[0].split()[1].decode().partition("?")[0]
            length = next((int(line.split(b":")[1]) for line in head if line.lower().startswith(b"content-length:")), 0)
            kept = [line for line in head if not line.lower().startswith(b"connection:")]
            server.sendall(b"".join([*kept, b"Connection: close\r\n\r\n", asked.read(length)]))
            self.paths.append(path)
            for piece in self._hand_on(path, iter(lambda: server.recv(65536), b"")):
                device.sendall(piece)


@contextmanager
def served(room: Classroom | None = None) -> Iterator[Served]:
    """Serve a class."""
    with Served(room or new_room()) as server:
        yield server


def teacher(server: Served) -> Device:
    """Return the teacher's browser."""
    device = server.device()
    assert device.get("/teacher", params={"key": SECRET}).status_code == 303
    return device
