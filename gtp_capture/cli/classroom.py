"""gtp-capture class: a class in the browsers of its children."""

from __future__ import annotations

import os
import random
import secrets
import threading
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click

from ..classroom.activity import ADAPT, LEAST, MOST, Activity
from ..classroom.folder import Folder
from ..classroom.room import Classroom
from ..classroom.seat import voice_in
from ..classroom.view import prepare
from ..players import levels
from ..players.player import PlayerSettings
from ..teach.puzzles import files
from ..teach.words import Voice
from ..tutor.searches import Searches
from ..util.files import RequestError
from ..util.limit import Limit
from ..util.memory import MEBIBYTE
from ..util.network import PORT, lan_address
from ..web.app import Server
from ..web.hub import Hub
from ..web.run import listen, qr_code, serve
from .options import ADAPT_NAME, LEVEL, SIZE, language_option, rules_option

TREES: Final = 4
TREE: Final = 16 * MEBIBYTE
SECONDS: Final = 0.5
"""Seconds for a hint, or for each position of an explanation; other children wait for theirs."""
REVIEW: Final = 5.0
"""Seconds for all moves of a game."""


@click.command("class")
@click.option("--lan", is_flag=True, help="Let other devices of this network in; without it only this machine.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="Port; 0: any free one.")
@click.option(
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Keep the class in this folder, and go on with it.",
)
@rules_option
@click.option("--size", type=SIZE, default="5", show_default=True, help=f"Board size, from {LEAST} to {MOST}.")
@click.option(
    "--level",
    type=LEVEL,
    default=ADAPT_NAME,
    show_default=True,
    help="1 to 10, a name, or adapt, which follows results.",
)
@language_option
@click.option("--spoken", is_flag=True, help="Say each board in sentences too, for programs that read aloud.")
@click.option("--no-browser", is_flag=True, help="Do not open the teacher's page.")
def classroom(**values: Any) -> None:
    """A class: children play, learn and solve problems in their browsers, and you see all boards.

    Other devices need --lan. Nothing is kept without --save.
    """
    width, height = values["size"]
    if width != height or not LEAST <= width <= MOST:
        raise click.UsageError(f"--size: a class plays on square boards, from {LEAST} to {MOST}")
    level = ADAPT if values["level"] == levels.ADAPT else str(values["level"])
    game = Activity("game", rules=str(values["rules"]), size=width, level=level)
    folder = None if values["save"] is None else Folder(values["save"])
    kept = None if folder is None else folder.read()
    try:
        listening = listen(values["port"], lan=values["lan"])
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise RequestError(f"port {values['port']} cannot be used ({reason}): give another one with --port") from None
    searches = Searches(PlayerSettings(memory=TREE), count=TREES, limit=Limit(SECONDS), review=Limit(REVIEW))
    searches.warmup.start()
    try:
        room = Classroom(game, searches, files.shipped(), random.Random(), language=values["language"])
        prepare(room)
        room.is_spoken = values["spoken"]
        if kept is not None:
            try:
                room.restore(*kept)
            except (ValueError, KeyError, TypeError, AttributeError, IndexError):
                raise RequestError(f"{values['save']}: class.json is damaged") from None
        port, host = listening.getsockname()[1], (lan_address() if values["lan"] else "") or "127.0.0.1"
        address, secret = f"http://{host}:{port}", secrets.token_urlsafe(24)
        own = f"http://127.0.0.1:{port}/teacher?key={secret}"
        voice = voice_in(room.language)
        for line in _lines(voice, address, room.word, own, lan=values["lan"]):
            click.echo(line)
        if not values["no_browser"]:
            threading.Thread(target=webbrowser.open, args=(own,), daemon=True).start()
        serve(Server(Hub(room, address, qr_code(address), folder), secret, port), listening)
        click.echo(voice.text("class.console.ended"))
    finally:
        searches.warmup.stop()
        if folder is not None:
            folder.close()


def _lines(voice: Voice, address: str, word: str, own: str, *, lan: bool) -> Iterator[str]:
    """Yield what the teacher has to know."""
    yield voice.text("class.console.open", address=address, word=word)
    if not lan:
        yield voice.text("class.console.here", option="--lan")
    elif "127.0.0.1" in address:
        yield voice.text("class.console.alone")
    yield voice.text("class.console.own", address=own)
    yield voice.text("class.console.end", keys="^C")
