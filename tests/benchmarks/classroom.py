"""A class of 30 devices: the times of answers, the memory of the server, and faults.

    python -m tests.benchmarks.classroom --devices 30 --taps 180 --pause 3
    python -m tests.benchmarks.classroom --devices 30 --taps 180 --pause 3 --busy 2
    python -m tests.benchmarks.classroom --devices 30 --taps 120 --pause 3 --plan

A third of the children plays against the computer, on boards of 5, 7 or 9 lines at the levels 1 to 6, a third solves
problems, and a third does a lesson. Each taps at random on what its page offers, asks for a hint now and then, and
waits between two taps for a drawn time. A lesson of 45 minutes with a tap in 15 s has 180 taps; with pauses of 3 s it
takes nine minutes, and the load is five times as high. Now and then a device loses its stream and opens it anew, and
has to see the same board. An answer is counted from the tap until all work that it began is done.

With `--plan` the teacher leads all through the plan of lesson 1 instead: pages on the projector, a round of pairs,
problems, a question to all whose answers are shown, and the closing page, each for the same time.
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
from collections import Counter
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from gtp_capture.teach.course import lessons

SIZES: Final = (5, 7, 9)
LEVELS: Final = (1, 2, 3, 4, 5, 6)
HINTS: Final = 0.05
"""The part of the taps that ask for a hint."""
SKIPS: Final = 0.15
"""The part of the taps that leave a problem out."""
LOST: Final = 0.02
"""The part of the taps before which the stream is lost."""


class Device:
    """A browser that costs little: a connection for each post, and one for events."""

    def __init__(self, port: int, number: int, pause: float) -> None:
        self.port, self.number, self.pause = port, number, pause
        self.dice, self.cookie, self.view = random.Random(number), "", dict[str, Any]()
        self.changed = asyncio.Event()
        self.accepted: list[float] = []
        """Seconds until a tap was accepted."""
        self.answered: list[float] = []
        """Seconds until a tap was answered, without those that ask for a hint."""
        self.hints: list[float] = []
        self.streams = 0
        self.faults: list[str] = []

    async def post(self, path: str, content: dict[str, Any]) -> dict[str, Any]:
        """Send an action; return the answer."""
        body = json.dumps({"id": f"{self.number} {self.dice.random()}", **content}).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\n"
        head += f"Connection: close\r\nCookie: {self.cookie}\r\nContent-Length: {len(body)}\r\n\r\n"
        into, out = await asyncio.open_connection("127.0.0.1", self.port, limit=2**22)
        out.write(head.encode() + body)
        headers, _, answer = (await into.read()).partition(b"\r\n\r\n")
        out.close()
        if cookie := re.search(r"set-cookie: ([^;]+)", headers.decode()):
            self.cookie = cookie[1]
        status = headers.partition(b"\r\n")[0]
        if b" 428 " in status:  # the answer has set a cookie
            return await self.post(path, content)
        if b" 200 " not in status:
            self.faults.append(answer.decode())
            return {"view": self.view}
        return json.loads(answer)  # type: ignore[no-any-return]

    async def watch(self) -> None:
        """Follow the events; the first one of a further stream has to show what the device has seen."""
        into, out = await asyncio.open_connection("127.0.0.1", self.port, limit=2**22)
        out.write(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {self.cookie}\r\n\r\n".encode())
        self.streams += 1
        before = self.view
        try:
            while line := await into.readline():
                if line.startswith(b"data: "):
                    view = json.loads(line[6:])["view"]
                    newer = view["n"] - before.get("n", -1)
                    if newer < 0 or (newer == 0 and view["board"] != before["board"]):
                        self.faults.append("another board after a lost stream")
                    before = {}
                    self.see(view)
        finally:
            out.close()

    def see(self, view: dict[str, Any]) -> None:
        """Take a view, unless a newer view came before."""
        if view["n"] >= self.view.get("n", -1):
            self.view = view
            self.changed.set()

    async def do(self, action: dict[str, Any]) -> tuple[float, float]:
        """Do an action; return the seconds until it was accepted, and until it was answered."""
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

    def choose(self) -> tuple[str, dict[str, Any]] | None:
        """Return what a child taps that tries all at random, and its kind; None if it can only wait."""
        view, dice = self.view, self.dice
        buttons = {button["icon"]: button["do"] for button in view["buttons"] if not button["disabled"]}
        points = view["board"]["points"] if view["board"] else []
        free = [point["vertex"] for point in points if not point["stone"]]
        if view["question"]:
            return "answer", view["question"]["answers"][dice.randrange(2)]["do"]
        if "hint" in buttons and dice.random() < HINTS:
            return "hint", buttons["hint"]
        if "skip" in buttons and dice.random() < SKIPS:
            return "skip", buttons["skip"]
        if view["number"]:
            return "number", {"number": dice.randrange(9)}
        if view["board"] and view["board"]["live"]:
            return "point", {"point": dice.choice(free)}
        if onward := buttons.get("next") or buttons.get("new"):
            return "next", onward
        return ("choice", dice.choice(view["choices"][:3])["do"]) if view["choices"] else None

    async def play(self, taps: int) -> None:
        """Tap a number of times."""
        watching = asyncio.create_task(self.watch())
        while not self.view.get("board"):
            self.changed.clear()
            await self.changed.wait()
        for tap in range(taps + 1):
            await asyncio.sleep(self.dice.expovariate(1 / self.pause))
            if self.dice.random() < LOST:
                watching.cancel()
                watching = asyncio.create_task(self.watch())
            if (chosen := self.choose()) is None:
                continue
            kind, action = chosen
            accepted, answered = await self.do(action)
            if tap:  # at the first one the search may still be loading
                self.accepted.append(accepted)
                (self.hints if kind == "hint" else self.answered).append(answered)
        watching.cancel()


async def lead(page: Device, seconds: float) -> None:
    """Lead the class through the plan of lesson 1 in these seconds."""
    await page.post("/teach", {"do": {"plan": {"steps": [], "at": None, "course": [1, 1]}}})
    steps = lessons.lesson(1).plans[0]
    for number, step in enumerate(steps):
        await page.post("/teach", {"do": {"step": number}})
        await asyncio.sleep(seconds / len(steps) / 2)
        if step.kind == "look":
            await page.post("/teach", {"do": {"reveal": True}})
        await asyncio.sleep(seconds / len(steps) / 2)


async def teacher(port: int, key: str, options: argparse.Namespace) -> None:
    """Set each child an activity or lead all through a plan, and follow the teacher's page."""
    page = Device(port, -1, 0)
    into, out = await asyncio.open_connection("127.0.0.1", port)
    out.write(f"GET /teacher?key={key} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
    page.cookie = re.findall(r"set-cookie: ([^;]+)", (await into.read()).decode())[0]
    out.close()
    leading = asyncio.create_task(lead(page, options.taps * options.pause)) if options.plan else None
    for number in range(1, 0 if leading else options.devices + 1):
        size, level = str(SIZES[number % len(SIZES)]), str(LEVELS[number % len(LEVELS)])
        game = {"kind": "game", "rules": "first-capture", "size": size, "level": level}
        tasks = {"kind": "problems", "theme": ""}, {"kind": "lesson", "lesson": 1 + number % 8, "page": 1}
        await page.post("/teach", {"do": {"activity": {"seats": [number], **(game, *tasks)[number // 2 % 3]}}})
    into, out = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
    out.write(f"GET /events?as=teacher HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {page.cookie}\r\n\r\n".encode())
    while await into.readline():
        pass
    if leading is not None:
        await leading


async def run(port: int, word: str, key: str, options: argparse.Namespace) -> list[Device]:
    """Let all devices play."""
    devices = [Device(port, number, options.pause) for number in range(options.devices)]
    for device in devices:
        await device.join(word)
    watching = asyncio.create_task(teacher(port, key, options))
    await asyncio.gather(*(device.play(options.taps) for device in devices))
    watching.cancel()
    return devices


def shown(name: str, times: list[float]) -> str:
    """Return a line with a number of times: half of them, 95 %, 99 %, the longest."""
    if len(times) < 2:
        return f"{name}: none"
    parts = statistics.quantiles(times, n=100, method="inclusive")
    shares = ", ".join(f"{share} {parts[at - 1]:.3f} s" for share, at in (("half", 50), ("95 %", 95), ("99 %", 99)))
    return f"{name}: {len(times)}, {shares}, longest {max(times):.3f} s"


def main() -> None:
    """Run a class, and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=30)
    parser.add_argument("--taps", type=int, default=180, help="taps of each device")
    parser.add_argument("--pause", type=float, default=3.0, help="seconds between two taps of a device, on average")
    parser.add_argument("--save", type=Path, help="folder")
    parser.add_argument("--busy", type=int, default=0, metavar="N", help="programs beside the class that never wait")
    parser.add_argument("--plan", action="store_true", help="the plan of lesson 1, with a round and a question to all")
    options = parser.parse_args()
    command = [sys.executable, "-m", "gtp_capture", "class", "--no-browser", "--port", "0", "--language", "en"]
    command += ["--save", str(options.save)] if options.save else []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        lines = [server.stdout.readline() for _ in range(4)]
        address, word = re.match(r"Children open (\S+) and type ([^.]+)", lines[0]).groups()  # type: ignore[union-attr]
        key = lines[2].rpartition("key=")[2].strip()
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.busy)]
        try:
            devices = asyncio.run(run(urlsplit(address).port or 0, word, key, options))
            status = Path(f"/proc/{server.pid}/status").read_text()
        finally:
            server.terminate()
            for program in busy:
                program.terminate()
    print(shown("taps accepted", [seconds for device in devices for seconds in device.accepted]))
    print(shown("taps answered", [seconds for device in devices for seconds in device.answered]))
    print(shown("hints", [seconds for device in devices for seconds in device.hints]))
    print(f"streams opened: {sum(device.streams for device in devices)}")
    for fault, count in Counter(fault for device in devices for fault in device.faults).most_common():
        print(f"fault, {count} times: {fault}")
    peak = re.search(r"VmHWM:\s+(\d+)", status)
    print(f"memory of the server: {int(peak[1]) / 1024:.0f} MiB" if peak else "memory of the server: not known here")


if __name__ == "__main__":
    main()
