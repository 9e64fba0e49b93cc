"""A class on the loopback address, and its devices."""

from __future__ import annotations

import json
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any, Final, Self

import httpx

from gtp_capture.classroom.room import Classroom
from gtp_capture.web.app import Server
from gtp_capture.web.hub import Hub, Store
from gtp_capture.web.run import Runner, listen, qr_code

from .classroom import new_room
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
        self.hub = Hub(room, self.base, qr_code(self.base), store)
        self._runner = Runner(Server(self.hub, SECRET, self.port))
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
        self._runner.handle_exit(signal.SIGTERM, None)
        self._thread.join(HANG)
        assert not self._thread.is_alive()

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
        return self.post("/join", json={"word": room.word, "name": name, "id": f"join {next(_names)}"})

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
    def events(self, role: str, language: str = "") -> Iterator[Iterator[dict[str, Any]]]:
        """Open a stream of events. `language`: that of a page whose language was chosen."""
        with self.stream("GET", "/events", params={"as": role, "language": language}) as stream:
            assert stream.status_code == 200
            yield (json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: "))


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
