"""A GTP engine for tests of the referee: it answers at once, or fails as its first argument MODE says.

    python tests/support/engine_double.py MODE [NUMBER | VERTEX ...] [--name=TEXT] [--version=TEXT] [--score=TEXT]
        [--child=KIND:TEXT] [--board=TEXT] [--analysis=COMMAND:TEXT]

Black plays from A1 on and White from the other end of the board. The failure happens at the genmove with that number
(default 2). `script` plays the vertices that follow. TEXT may hold escapes of Python, as in \\x1b. Only the standard
library is used, for a quick start. `--child` starts a process with TEXT in its command that outlives the double: a
child (`child`), or one with a parent that has ended (`orphan`). `--board` is the answer to query_boardsize, which is
known but not listed; it has no rectangular_boardsize then, nor in the mode `plain`. `--analysis` is a command that
reports TEXT and runs until the next line.
"""

from __future__ import annotations

import os
import signal
import sys
import time

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
COMMANDS = (
    "name version list_commands boardsize rectangular_boardsize clear_board komi play genmove time_settings time_left "
    "quit"
)

words = [word for word in sys.argv[1:] if not word.startswith("--")]
mode = words[0] if words else "honest"
rest = words[1:]
options = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--"))
moment = int(rest[0]) if rest and rest[0].isdigit() else 2
width = height = 9
taken: set[str] = set()
for stream in (sys.stdout, sys.stderr):
    stream.reconfigure(encoding="utf-8", errors="surrogatepass")  # type: ignore[union-attr]
moves = 0
watched: list[str] = []
"""The analysis that runs."""


def option(name: str, default: str) -> str:
    return options.get(name, default).encode("ascii", "backslashreplace").decode("unicode_escape")


def answer(text: str = "", sign: str = "=") -> None:
    sys.stdout.write(f"{sign} {text}\n\n")
    sys.stdout.flush()


def fail(color: int) -> None:
    """Fail in the way of `mode` instead of answering a move."""
    print(f"about to {mode}", file=sys.stderr, flush=True)
    match mode:
        case "hang":
            time.sleep(3600)
        case "crash":
            sys.exit(3)
        case "die":
            os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
        case "garbage":
            print("Traceback (most recent call last):", flush=True)
        case "flood":
            while True:
                print("x" * 1000)
        case "endless":
            while True:
                sys.stdout.write("= " + "x" * 1000)
        case "binary":
            sys.stdout.buffer.write(b"\xff\xfe\x00= \x80\n\n")
            sys.stdout.flush()
        case "half":
            sys.stdout.write("= A")
            sys.stdout.flush()
            time.sleep(3600)
        case "twice":
            move(color)
            answer("tengen")
        case "nonsense":
            answer("Z99")
        case "empty":
            answer()
        case "illegal":
            answer(next(iter(taken)))
        case "refuse":
            answer("I do not feel like it", "?")
        case "paint":
            print("\x1b[2J\u202e\x07painted", file=sys.stderr, flush=True)
            answer("\x1b[2J\u202e\x00\xa0no\nmove\x9b2J", "?")
        case "mute":
            sys.stdout.close()
            os.close(1)
            time.sleep(3600)


def free(color: int) -> str:
    """Return the next point of a colour."""
    points = [f"{COLUMNS[x]}{y + 1}" for y in range(height) for x in range(width)]
    return next(p for p in (points if color == 1 else reversed(points)) if p not in taken)


def move(color: int) -> None:
    point = free(color)
    taken.add(point)
    answer(point)


def serve(line: str) -> None:
    global width, height, moves
    if watched:
        watched.clear()
        print(flush=True)  # any line ends an analysis
    name, *args = line.split()
    match name:
        case "name":
            if mode == "silent":
                time.sleep(3600)
            answer(option("name", mode))
        case "version":
            answer(option("version", "1"))
        case "final_score" if "score" in options:
            answer(option("score", ""))
        case "list_commands":
            listed = COMMANDS
            if "board" in options or mode == "plain":
                listed = COMMANDS.replace("rectangular_boardsize ", "")
            answer((listed + " " + option("analysis", "").partition(":")[0]).strip().replace(" ", "\n"))
        case _ if "analysis" in options and name == option("analysis", "").partition(":")[0]:
            sys.stdout.write(f"=\n{option('analysis', '').partition(':')[2]}\n")
            sys.stdout.flush()
            print("reported", file=sys.stderr, flush=True)
            watched.append(line)
        case "known_command" | "query_boardsize" if "board" in options:
            known = str(args == ["query_boardsize"]).lower()
            answer(known if name == "known_command" else option("board", ""))
        case "boardsize" | "rectangular_boardsize":
            width, height = int(args[0]), int(args[-1])
            answer()
        case "clear_board":
            taken.clear()
            moves = 0
            answer()
        case "play":
            if mode == "stubborn":
                answer("illegal move", "?")
                return
            taken.add(args[1].upper())
            answer()
        case "genmove":
            moves += 1
            color = 1 if args[0].startswith("b") else 2
            if mode == "script":
                answer(rest[moves - 1] if moves <= len(rest) else "resign")
                return
            if moves == moment and mode not in ("honest", "deaf", "plain"):
                fail(color)
                return
            move(color)
        case "quit":
            answer()
            if mode != "deaf":
                sys.exit()
        case _:
            answer("1")


def start_child(kind: str, text: str) -> None:
    import subprocess  # imported late for a quick start

    sleep = [sys.executable, "-c", "import time; time.sleep(3600)", text]
    if kind == "child":
        subprocess.Popen(sleep)
    else:
        subprocess.run(["/bin/sh", "-c", '"$@" &', "sh", *sleep], check=True)


if "child" in options:
    start_child(*options["child"].split(":"))
if mode == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if mode == "stillborn":
    sys.exit("no such option: --level")
for line in sys.stdin:
    serve(line)
while mode == "deaf":
    time.sleep(1)
