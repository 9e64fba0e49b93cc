"""A class of 30 devices: the times of answers, and the memory of the server.

    python -m tests.benchmarks.classroom --devices 30 --moves 20

Each device plays at random against the computer, on a board of 5, 7 or 9 lines, at one of the levels 1 to 6, and asks
for a hint now and then. Between two moves it waits for a drawn time, as a child does. An answer is counted from the tap
until the view with the move of the computer has come.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

SIZES: Final = (5, 7, 9)
LEVELS: Final = (1, 2, 3, 4, 5, 6)
HINTS: Final = 0.05
"""The part of the taps that ask for a hint."""


class Device:
    """A browser that costs little: a connection for each post, and one for events."""

    def __init__(self, port: int, number: int, pause: float) -> None:
        self.port, self.number, self.pause = port, number, pause
        self.dice, self.cookie, self.view = random.Random(number), "", dict[str, Any]()
        self.changed = asyncio.Event()
        self.accepted: list[float] = []
        """Seconds until a tap was accepted."""
        self.answered: list[float] = []
        """Seconds until the computer had answered it."""
        self.hints: list[float] = []

    async def post(self, path: str, content: dict[str, Any]) -> dict[str, Any]:
        """Send an action; return the answer."""
        body = json.dumps({"id": f"{self.number} {self.dice.random()}", **content}).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\n"
        head += f"Connection: close\r\nCookie: {self.cookie}\r\nContent-Length: {len(body)}\r\n\r\n"
        into, out = await asyncio.open_connection("127.0.0.1", self.port, limit=2**22)
        out.write(head.encode() + body)
        headers, _, answer = (await into.read()).partition(b"\r\n\r\n")
        out.close()
        if found := re.search(r"set-cookie: ([^;]+)", headers.decode()):
            self.cookie = found[1]
        assert b" 200 " in headers.partition(b"\r\n")[0], answer
        return json.loads(answer)  # type: ignore[no-any-return]

    async def watch(self) -> None:
        """Follow the events."""
        into, out = await asyncio.open_connection("127.0.0.1", self.port, limit=2**22)
        out.write(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {self.cookie}\r\n\r\n".encode())
        while line := await into.readline():
            if line.startswith(b"data: "):
                self.see(json.loads(line[6:])["view"])

    def see(self, view: dict[str, Any]) -> None:
        """Take a view, unless a newer view came before."""
        if view["n"] >= self.view.get("n", -1):
            self.view = view
            self.changed.set()

    async def do(self, action: dict[str, Any]) -> tuple[float, float]:
        """Do an action; return the seconds until it was accepted, and until the computer had answered."""
        begin = time.perf_counter()
        self.see((await self.post("/do", {"n": self.view["n"], "do": action}))["view"])
        accepted = time.perf_counter() - begin
        while self.view["busy"]:
            self.changed.clear()
            await self.changed.wait()
        return accepted, time.perf_counter() - begin

    async def join(self, word: str) -> None:
        """Come in."""
        await self.post("/join", {"word": word, "name": f"child {self.number}"})

    async def play(self, moves: int) -> None:
        """Tap a number of times."""
        watching = asyncio.create_task(self.watch())
        while not self.view.get("boards"):
            self.changed.clear()
            await self.changed.wait()
        for tap in range(moves + 1):
            await asyncio.sleep(self.dice.expovariate(1 / self.pause))
            view = self.view
            hint = next(b for b in view["buttons"] if b["icon"] == "hint")
            if view["question"]:
                await self.do(view["question"]["answers"][1]["do"])
            elif not view["boards"][-1]["live"]:
                await self.do({"word": "new"})
            elif not hint["disabled"] and self.dice.random() < HINTS:
                self.hints.append((await self.do(hint["do"]))[1])
            else:
                free = [point["vertex"] for point in view["boards"][-1]["points"] if not point["stone"]]
                accepted, answered = await self.do({"point": self.dice.choice(free)})
                if tap:  # at the first one the search may still be loading
                    self.accepted.append(accepted)
                    self.answered.append(answered)
        watching.cancel()


async def teacher(port: int, key: str, devices: int) -> None:
    """Give each child a board and a level, and follow the teacher's page."""
    page = Device(port, -1, 0)
    page.cookie = f"gtp-capture-teacher-{port}={key}"
    for number in range(1, devices + 1):
        size, level = str(SIZES[number % len(SIZES)]), str(LEVELS[number % len(LEVELS)])
        game = {"kind": "game", "rules": "first-capture", "size": size, "level": level}
        await page.post("/teach", {"do": {"activity": {"seats": [number], **game}}})
    into, out = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
    out.write(f"GET /events?as=teacher HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {page.cookie}\r\n\r\n".encode())
    while await into.readline():
        pass


async def run(port: int, word: str, key: str, options: argparse.Namespace) -> list[Device]:
    """Let all devices play."""
    devices = [Device(port, number, options.pause) for number in range(options.devices)]
    for device in devices:
        await device.join(word)
    watching = asyncio.create_task(teacher(port, key, options.devices))
    await asyncio.gather(*(device.play(options.moves) for device in devices))
    watching.cancel()
    return devices


def shown(name: str, times: list[float]) -> str:
    """Return a line with a number of times: half of them, 95 %, the longest."""
    if len(times) < 2:
        return f"{name}: none"
    parts = statistics.quantiles(times, n=20, method="inclusive")
    return f"{name}: {len(times)}, half {parts[9]:.3f} s, 95 % {parts[18]:.3f} s, longest {max(times):.3f} s"


def main() -> None:
    """Run a class, and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=30)
    parser.add_argument("--moves", type=int, default=20, help="taps of each device")
    parser.add_argument("--pause", type=float, default=4.0, help="seconds between two taps of a device, on average")
    parser.add_argument("--save", type=Path, help="folder")
    options = parser.parse_args()
    command = [sys.executable, "-m", "gtp_capture", "class", "--no-browser", "--port", "0"]
    command += ["--save", str(options.save)] if options.save else []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        lines = [server.stdout.readline() for _ in range(4)]
        address, word = re.match(r"Children open (\S+) and type (\w+)", lines[0]).groups()  # type: ignore[union-attr]
        key = lines[2].rpartition("key=")[2].strip()
        try:
            devices = asyncio.run(run(urlsplit(address).port or 0, word, key, options))
            status = Path(f"/proc/{server.pid}/status").read_text()
        finally:
            server.terminate()
    print(shown("taps accepted", [seconds for device in devices for seconds in device.accepted]))
    print(shown("moves of the computer", [seconds for device in devices for seconds in device.answered]))
    print(shown("hints", [seconds for device in devices for seconds in device.hints]))
    peak = re.search(r"VmHWM:\s+(\d+)", status)
    print(f"memory of the server: {int(peak[1]) / 1024:.0f} MiB" if peak else "memory of the server: not known here")


if __name__ == "__main__":
    main()
