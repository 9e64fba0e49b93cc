"""gtp-capture class: a class in the browsers of its children."""

from __future__ import annotations

import os
import random
import secrets
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

import click

from ..classroom.activity import ADAPT, LEAST, MOST, Activity
from ..classroom.folder import Folder
from ..classroom.kept import MOST_SEATS, Kept
from ..classroom.room import Classroom
from ..classroom.seat import LONGEST
from ..players import levels
from ..players.player import PlayerSettings
from ..teach.event import Refusal, RefusedError
from ..teach.puzzles import files
from ..teach.words import Voice, page_voice
from ..tutor.searches import Searches
from ..util.files import RequestError, UnreadableError, read_bounded
from ..util.limit import Limit
from ..util.memory import MEBIBYTE
from ..util.network import PORT, REFUSED_PORTS, listen
from ..web.app import Server
from ..web.connection import Refusals
from ..web.guard import TeacherKeys
from ..web.hub import Hub
from ..web.run import door, serve
from ..web.view import LAN, Door, prepare, trouble
from .options import ADAPT_NAME, LEVEL, SIZE, language_option, rules_option

TREES: Final = 4
TREE: Final = 16 * MEBIBYTE
SECONDS: Final = 0.5
"""Seconds for a hint, or for each position of an explanation; other children wait for theirs."""
REVIEW: Final = 5.0
"""Seconds for all moves of a game."""

MOST_NAMES: Final = 100_000
"""The maximum number of bytes of a file with names."""
TEXT_BROWSERS: Final = frozenset({"browsh", "elinks", "links", "links2", "lynx", "w3m", "www-browser"})
CHOOSERS: Final = frozenset({"gio", "sensible-browser", "x-www-browser", "xdg-open"})
"""Programs that open a text browser where there are no windows."""


@click.command(
    "class",
    help="""A class: children play, learn and solve problems in their browsers, and you see all boards.

    Other devices need --lan. Nothing is kept without --save.
    """,
)
@click.option(LAN, is_flag=True, help="Let other devices of this network in; without it only this machine.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="Port; 0: any free one.")
@click.option(
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Keep the class in this folder, and go on with it.",
)
@click.option(
    "--names",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The children's names, one in each line, which they tap.",
)
@rules_option
@click.option("--size", type=SIZE, default="5", show_default=True, help=f"Board size, from {LEAST} to {MOST}.")
@click.option(
    "--level",
    type=LEVEL,
    default=ADAPT_NAME,
    show_default=True,
    help=f"1 to 10, {', '.join(levels.words())}, a name, or adapt, which follows results.",
)
@language_option
@click.option("--second-device", is_flag=True, help="Say an address of the teacher's page for another device, too.")
@click.option("--spoken", is_flag=True, help="Say each board in sentences too, for programs that read aloud.")
@click.option("--no-browser", is_flag=True, help="Do not open the teacher's page.")
def classroom(**values: Any) -> None:
    width, height = values["size"]
    if width != height or not LEAST <= width <= MOST:
        raise click.UsageError(f"--size: a class plays on square boards, from {LEAST} to {MOST}")
    level = ADAPT if values["level"] == levels.ADAPT else str(values["level"])
    game = Activity("game", rules=str(values["rules"]), size=width, level=level)
    searches = Searches(PlayerSettings(memory=TREE), count=TREES, limit=Limit(SECONDS), review=Limit(REVIEW))
    problems, language = files.shipped(), values["language"]

    def make(kept: Kept | None) -> Classroom:
        return Classroom(game, searches, problems, random.SystemRandom(), language=language, kept=kept)

    names = None if values["names"] is None else _names(values["names"])
    folder = None if values["save"] is None else Folder(values["save"])
    try:
        room = make(None) if folder is None else folder.open(make)
        if names is not None:
            _list_names(room, names, values["names"])
        listening = _listen(values["port"], lan=values["lan"])
        searches.warmup.start()
        prepare(room)
        room.is_spoken = values["spoken"]
        room.choose_word(date.today().isoformat())
        port, secret = listening.getsockname()[1], secrets.token_urlsafe(24)
        second = secrets.token_urlsafe(24) if values["second_device"] else ""
        keys, look = TeacherKeys(secret, second), partial(door, port, lan=values["lan"])
        way, voice = look(), page_voice(room.language)
        for line in _lines(voice, way, room.word, secret, second):
            click.echo(line)
        if folder is not None and not folder.is_locked:
            click.echo(voice.text("class.console.unlocked"))
        if not values["no_browser"]:
            once = f"{way.own}/teacher?key={keys.once(time.monotonic())}"  # other accounts see it among the processes
            threading.Thread(target=open_window, args=(once,), daemon=True).start()
        with _Refused(voice) as refused:
            serve(Server(Hub(room, way, folder, look), keys, port), listening, refused.tell)
        click.echo(voice.text("class.console.ended"))
        if reason := trouble(room):
            raise click.ClickException(reason)
    finally:
        searches.warmup.stop()
        if folder is not None:
            folder.close()


def _names(path: Path) -> list[str]:
    """Return the lines of a file. RequestError: it cannot be read."""
    try:
        return read_bounded(path, MOST_NAMES).decode("utf-8-sig").splitlines()
    except UnreadableError as error:
        raise RequestError(f"{path}: {error}") from None
    except UnicodeDecodeError:
        raise RequestError(f"{path}: it is not text in UTF-8") from None


def _list_names(room: Classroom, names: list[str], path: Path) -> None:
    """Set the names that children tap. RequestError: they cannot be names."""
    try:
        room.list_names(names, is_free=room.free_names)
    except RefusedError as error:
        full = error.refused.reason is Refusal.FULL
        reason = f"more than {MOST_SEATS} names" if full else f"a line is no name of at most {LONGEST} letters"
        raise RequestError(f"{path}: {reason}") from None


class _Refused:
    """The line about connections that were refused: written anew in a terminal, and else once, at the end."""

    def __init__(self, voice: Voice) -> None:
        self._voice, self._line = voice, ""

    def __enter__(self) -> Self:
        return self

    def tell(self, refusals: Refusals) -> None:
        """Show how many connections were refused so far."""
        fields = {"count": refusals.count, "encrypted": refusals.encrypted}
        self._line = self._voice.text("class.console.refused", **fields)
        if sys.stderr.isatty():
            click.echo(f"\r{self._line}", nl=False, err=True)

    def __exit__(self, *args: object) -> None:
        if self._line:
            click.echo("" if sys.stderr.isatty() else self._line, err=True)


def open_window(address: str) -> None:
    """Open an address in the person's browser, if it has windows. One for text would take the input of the terminal."""
    has_windows = sys.platform in ("win32", "darwin") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & {*os.environ})
    with suppress(webbrowser.Error):
        browser = webbrowser.get()
        if Path(browser.name).name not in (TEXT_BROWSERS if has_windows else TEXT_BROWSERS | CHOOSERS):
            browser.open(address)


def _listen(port: int, *, lan: bool) -> socket.socket:
    """Return a socket that listens. RequestError: the port is in use, or browsers do not open it."""
    try:
        if port not in REFUSED_PORTS:
            return listen(port, lan=lan)
        reason = "browsers refuse it"
    except OSError as error:
        reason = os.strerror(error.errno or 0)
    raise RequestError(f"port {port} cannot be used ({reason}): give another one with --port")


def _lines(voice: Voice, way: Door, word: str, secret: str, second: str) -> Iterator[str]:
    """Yield what the teacher has to know."""
    yield voice.text("class.console.open", address=way.shown, word=word)
    if not way.is_lan:
        yield voice.text("class.console.here", option=LAN)
    elif not way.networks:
        yield voice.text("class.console.alone")
    elif len(way.networks) > 1:
        yield voice.text("class.console.networks")
        yield from (f"  {network}: {address}" for address, network in way.networks)
    yield voice.text("class.console.own", address=f"{way.own}/teacher?key={secret}")
    if second:
        yield voice.text("class.console.second", address=f"{way.shown}/teacher?key={second}")
    yield voice.text("class.console.end")
