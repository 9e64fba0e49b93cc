"""The pictures and files that README.md and the manual show: python -m tests.support.pictures [FOLDER]."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from rich.console import Console

from gtp_capture import Game
from gtp_capture.cli import show
from gtp_capture.cli.screen import Screen
from gtp_capture.go.rules import Rules
from gtp_capture.go.sgf import dump
from gtp_capture.go.sgf_tree import dump_trees, read_tree
from gtp_capture.go.vertex import BLACK
from gtp_capture.jit.warmup import loaded
from gtp_capture.players import levels
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.teach.course.booklet import booklet
from gtp_capture.teach.course.lessons import lesson, numbers
from gtp_capture.teach.puzzles import files
from gtp_capture.teach.puzzles.sheet import sheet
from gtp_capture.teach.review.annotate import annotate
from gtp_capture.teach.review.judge import Budget, review_game
from gtp_capture.teach.review.plot import plot
from gtp_capture.teach.words import SHORT, Voice
from gtp_capture.tutor.game import GameSession
from gtp_capture.tutor.problem import ProblemSession
from gtp_capture.tutor.searches import Searches
from gtp_capture.tutor.session import Resources
from gtp_capture.tutor.setup import GameSetup
from gtp_capture.util.limit import Limit
from gtp_capture.web.run import qr_code
from gtp_capture.web.view import Door

from .browser import LIVE, chromium
from .served import Device, served

CROSSCUT = ("E5", "F5", "F4", "E4", "E3", "D4")
PLAYOUTS = 20_000
REVIEWED = "E5 E2 B5 B2 D5 E4 D3 D4 E3 B4 F6 C3 C5 D2 F3 F2 D6 F4"
"""A game of level 5 against level 4."""
FIRST = ("C3", "D3", "D2", "C4", "E3", "B3")
"""Plays after which both sides are in atari."""
MISTAKE = ("C3", "C4", "B2", "B3", "D2", "D3")
"""Plays after which Black is in atari."""
ADDRESS = "http://192.168.1.20:8765"
CLASS = {
    "Ole": ("play", "C3 D4 B2 D2"),
    "Mia": ("lesson-1", ""),
    "Ben": ("problems", ""),
    "Lina": ("play", "B3 C3 C2 D3 B4"),
    "Paul": ("play", "D3 C2"),
    "Clara": ("lesson-2", ""),
    "Finn": ("play", "C3"),
    "Anna": ("lesson-3", ""),
}
"""The children of a class: the activity that each has chosen, and its plays."""
HELPLESS = "Paul"
"""This child has raised a hand."""
MATCH = "gtp-capture match --engines engines.toml --size 5 --opening random-2 --games 10 --time-per-move 5"
ENGINES = "[engines]\n" + "".join(f'level-{n} = "gtp-capture --level {n} --threads 1 --seed 1"\n' for n in (1, 3, 6))
OWN = "C3 D2 B4 D4"
"""Plays of the child whose page is drawn."""


def main(folder: Path) -> None:
    """Write a game in the terminal, a lesson in it, the win rate of each move, and a reviewed game with its plot."""
    game = Game("first-capture", 9)
    for vertex in CROSSCUT:
        game.play(vertex)
    rates = show.win_rates(game, Limit(playouts=PLAYOUTS), 1, Event())
    show.write_picture(game, rates, folder / "heat.svg", SHORT)
    terminal(["hint"], FIRST, warn=False).save_svg(str(folder / "play.svg"), title="gtp-capture play")
    terminal(["D4", "yes", "hint"], MISTAKE, warn=True).save_svg(
        str(folder / "lesson.svg"), title="gtp-capture play --warn"
    )
    reviewed(folder)
    problem(folder)
    report(folder)
    pages(folder)


def report(folder: Path) -> None:
    """Write the report of a match in the terminal."""
    console = Console(record=True, width=100, file=io.StringIO(), highlight=False)
    command = [sys.executable, "-m", "gtp_capture", *shlex.split(MATCH)[1:]]
    with TemporaryDirectory() as work:
        (Path(work) / "engines.toml").write_text(ENGINES, "utf-8")
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        done = subprocess.run(
            command, cwd=work, env={**os.environ, "PATH": path}, stdout=subprocess.PIPE, text=True, check=True
        )
    console.print(f"$ {MATCH}\n{done.stdout.rstrip()}", markup=False)
    console.save_svg(str(folder / "match.svg"), title="gtp-capture match")


def problem(folder: Path) -> None:
    """Write a problem of a ladder in the terminal with a wrong and a right answer, and a sheet of six problems."""
    problems = files.shipped()
    number = next(n for n, problem in enumerate(problems, 1) if problem.theme == "ladder")
    console = Console(record=True, width=72, file=io.StringIO(), highlight=False)
    shown = problems[number - 1]
    wrong = next(variation.moves[0] for variation in shown.variations if variation.moves[0] != shown.line[0])
    vertex = shown.start.game().vertex
    with suppress(IndexError):  # no line is left
        screen = Typing(console, ["hint", vertex(wrong), vertex(shown.line[0])])
        screen.run(ProblemSession(problems, number, Resources(Searches(PlayerSettings()))))
    console.save_svg(str(folder / "problem.svg"), title=f"gtp-capture play --problem {number}")
    (folder / "sheet.html").write_text(sheet([problem for problem in problems if problem.depth > 1][:6], 6), "utf-8")


def pages(folder: Path) -> None:
    """Write the pages of children, the teacher and the projector, and a page of the booklet."""
    with served() as server, chromium() as browser, ExitStack() as stack:
        server.room.word, server.hub.door = (
            "TIGER 4711",
            Door(ADDRESS, ((ADDRESS, "wlan0"),), qr_code(ADDRESS), is_lan=True),
        )
        for name, (choice, plays) in CLASS.items():
            device = stack.enter_context(Device(server.base))
            device.join(server.room, name)
            device.do(choose=choice)
            for vertex in plays.split():
                device.do(point=vertex)
            device.act(hand=name == HELPLESS)
            stack.enter_context(device.events("child"))
        browser.size(1080, 680)
        browser.join(server, "Emma")
        browser.tap(".choices button", "Play against the computer")
        for vertex in OWN.split():
            browser.see(LIVE)
            browser.tap(f"[data-vertex={vertex}]")
            browser.miss(".session.waiting")
        browser.see(LIVE)
        (folder / "child.webp").write_bytes(browser.picture())
        browser.new_tab("about:blank")
        browser.teach(server)
        browser.see(".seat", "Emma")
        (folder / "teacher.webp").write_bytes(browser.picture())
        browser.tap("[role=tab]", "Results")
        browser.see("td", "Emma")
        (folder / "results.webp").write_bytes(browser.picture())
        browser.size(1080, 640)
        browser.open(f"{server.base}/wall")
        browser.see(".word", "TIGER")
        (folder / "projector.webp").write_bytes(browser.picture())
        browser.speak("ja")
        browser.join(server, "はな")
        browser.tap(".choices button", Voice(plain=True, taps=True, language="ja").text("class.choice.play"))
        browser.see(LIVE)
        browser.tap("[data-vertex=C3]")
        browser.miss(".session.waiting")
        browser.see(LIVE)
        (folder / "child-ja.webp").write_bytes(browser.picture())
        with TemporaryDirectory() as written:
            path = Path(written) / "booklet.html"
            path.write_text(booklet([lesson(number) for number in numbers()], SHORT), "utf-8")
            browser.size(794, 1123)  # a page of A4
            browser.open(path.as_uri())
            (folder / "booklet.webp").write_bytes(browser.picture())


def reviewed(folder: Path) -> None:
    """Write a reviewed game as SGF, and its plot."""
    game = Game("first-capture", 6)
    for vertex in REVIEWED.split():
        game.play(vertex)
    player = MctsPlayer(PlayerSettings(seed=1, threads=1), loaded())
    review = review_game(player, game, Budget(Limit(playouts=PLAYOUTS, nodes=PLAYOUTS).begin()))
    game.info = {"black": "level 5", "white": "level 4"}
    tree = read_tree(dump(game))
    annotate(tree, review)
    (folder / "review.sgf").write_bytes(dump_trees([tree]))
    plot([("review.sgf", review)], folder / "review.svg")


def terminal(lines: list[str], moves: tuple[str, ...], *, warn: bool) -> Console:
    """Return a console with a first game in which some moves were made, and then a person types some lines."""
    console = Console(record=True, width=72, file=io.StringIO(), highlight=False, markup=False)
    seats = GameSetup(Rules.parse("first-capture"), 5, 5, frozenset({BLACK}), level=levels.FIRST, adapt=True, warn=warn)
    searches = Searches(PlayerSettings(seed=1), limit=Limit(playouts=PLAYOUTS))
    session = GameSession(seats, Resources(searches))
    for vertex in moves:
        session.game.play(vertex)
    searches.warmup.start()
    with suppress(IndexError):  # no line is left
        Typing(console, lines).run(session)
    return console


class Typing(Screen):
    """A terminal at which a person types some lines."""

    def __init__(self, console: Console, lines: list[str]) -> None:
        super().__init__(console)
        self.lines = lines

    def read_line(self, prompt: str) -> str:
        """Return the next line, and show it as the terminal does. IndexError: there is none."""
        line = self.lines.pop(0)
        self.console.print(f"{prompt}> {line}")
        return line


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "gtp_capture/manual/examples"))
