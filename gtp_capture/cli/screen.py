"""The terminal view of every session: prompt, input, drawing, ^C, files, and a terminal that is closed."""

from __future__ import annotations

import itertools
import shlex
import signal
import sys
import threading
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import click
import platformdirs
from rich.cells import cell_len
from rich.console import Console

from ..teach import say, words
from ..teach.event import Event, Refusal, RefusedError, TermExplained, Want
from ..teach.say import SIGNS, Part, Picture, Sentence, Tone, WordList
from ..tutor import reading
from ..tutor.game import CUT_OFF
from ..tutor.session import Reply, Session, Work
from ..util.atomic_file import atomic_write
from ..util.files import RequestError, escaped, tell
from ..util.signals import on_signals
from ..version import PROGRAM
from . import drawing

with suppress(ImportError):  # Windows has no readline; its console has a history
    import readline  # noqa: F401 - with it, `input` knows arrow keys and a history

STYLES: Final = {
    Tone.PLAIN: "",
    Tone.STRONG: "bold",
    Tone.RIGHT: "bold green",
    Tone.WRONG: "bold red",
}
"""The style of a sentence. No meaning depends on it, because coloured text is hard to read on some terminals."""


class HangUp(BaseException):
    """The terminal is closed."""


class Folder:
    """The files of a folder, by default the current one; implements `tutor.session.Files`."""

    def __init__(self, path: Path = Path()) -> None:
        self.path = path

    def find(self, name: str) -> str:
        """See Files. A name may stand in quotes."""
        name = name.strip("'\" ")
        if "\0" in name:
            raise RefusedError(Refusal.NO_FILE_NAME)
        path = Path(name)
        with suppress(RuntimeError):  # there is no such home
            path = path.expanduser()
        if path.is_dir():
            raise RefusedError(Refusal.IS_FOLDER, folder=escaped(str(path)))
        return str((path if path.suffix.lower() == ".sgf" else path.with_name(f"{path.name}.sgf")).absolute())

    def free(self, stem: str) -> str:
        """See Files."""
        names = (f"{stem}-{n}.sgf" for n in itertools.count(1))
        return str(next(path for name in names if not (path := self.path.absolute() / name).exists()))

    def exists(self, name: str) -> bool:
        """See Files."""
        return Path(name).exists()

    def write(self, name: str, data: bytes) -> None:
        """See Files."""
        try:
            with atomic_write(Path(name)) as file:
                file.write(data)
        except OSError as error:
            raise RefusedError(Refusal.UNWRITABLE, reason=error.strerror or error) from None

    def command(self, name: str) -> str:
        """See Files."""
        return f"gtp-capture play {shlex.quote(name)}"

    def cut_off(self) -> str:
        """Return the name of the game whose terminal was closed last; "" if there is none."""
        saved = sorted(self.path.glob(f"{CUT_OFF}-*.sgf"), key=lambda path: path.stat().st_mtime)
        return str(saved[-1]) if saved else ""


def data_folder() -> Folder:
    """Return the user's folder for data. A game is saved there if its terminal and its current folder are gone."""
    return Folder(platformdirs.user_data_path(PROGRAM, appauthor=False))


class Screen:
    """The terminal of a person: shows the replies of a session, and passes the typed lines to it."""

    def __init__(self, console: Console, voice: words.Voice = words.SHORT) -> None:
        """Prepare a console.

        `voice`: the language of all sentences. Its manner applies only to sentences outside a session, because a
        session has a manner of its own.
        """
        self.console, self.voice = console, voice
        signs = drawing.signs_for(console.encoding)
        self._signs = str.maketrans({sign: signs[color] for color, sign in SIGNS.items()})
        self._is_terminal = sys.stdin is not None and sys.stdin.isatty()
        self.session: Session

    def run(self, session: Session) -> None:
        """Run a session and those that follow it until the person leaves; then end the searches. Abort: left by ^C."""
        self.session = session
        with _hang_ups():
            try:
                reply: Reply | None = session.begin()
                while reply is not None:
                    try:
                        reply = self._next(reply)
                    except KeyboardInterrupt:
                        self.console.print()
                        self.session.cancel()
                        reply = self.session.handle_input(reading.Command("quit"))
                        if reply.over:
                            raise click.Abort from None
            except (HangUp, OSError) as error:  # writing to a closed terminal is an error
                if isinstance(error, OSError) and not self._is_gone():
                    raise
                self._rescue()
            finally:
                session.resources.searches.warmup.stop()

    def _is_gone(self) -> bool:
        """Whether the terminal of this process is closed."""
        return self._is_terminal and not sys.stdin.isatty()

    def agrees(self, key: str) -> bool:
        """Ask a question before a session; without an answer return True."""
        self._show(Sentence(self.voice.text(key), Tone.STRONG))
        try:
            while (yes := reading.yes_or_no(self.read_line(self.voice.text("play.yes_or_no")))) is None:
                self.say("play.please")
        except EOFError:
            return True
        return yes

    def say(self, key: str, **fields: object) -> None:
        """Print a sentence of the table of sentences."""
        self._show(Sentence(self.voice.text(key, **fields)))

    def read_line(self, prompt: str) -> str:
        """Show a prompt, and return the line that is typed.

        EOFError: the end of the input, or the process was started without stdin. KeyboardInterrupt: ^C. HangUp: the
        terminal is closed. RequestError: the input is not text in the encoding that Python was told to use, which is
        possible only if the encoding does not contain ASCII.
        """
        try:
            line = input(f"{prompt}> ")
        except (EOFError, RuntimeError):  # RuntimeError: there is no stdin
            if self._is_gone():
                raise HangUp from None
            self.console.print()
            raise EOFError from None
        except UnicodeError:
            encoding = sys.stdin.encoding
            raise RequestError(f"the input is not {encoding} text, as PYTHONIOENCODING or the locale says") from None
        if not self._is_terminal:
            self.console.print(line)  # a terminal shows the typed line itself
        return line

    def _next(self, reply: Reply) -> Reply | None:
        """Show a reply, and return the next one; None at the end."""
        for event in reply.events:
            self._tell(event)
        session = self.session
        if reply.work is not None:
            return session.finish_work(self._done(reply.work))
        if reply.following is not None:
            self.session = reply.following
            return self.session.begin()
        if reply.over:
            return None
        try:
            line = self.read_line(self._prompt())
        except EOFError:
            return session.handle_input(reading.Command("quit"))
        return session.typed(line)

    def _prompt(self) -> str:
        """Return a word before the input: which answer is wanted, or in a game the colour to move."""
        now = self.session.situation()
        if now.question is not None:
            return self.voice.text("play.name" if now.question.question.by_name else "play.yes_or_no")
        is_game = now.wanted is not None and now.wanted.want is Want.MOVE
        return self.voice.label(now.to_move) if is_game else ""

    def _done(self, work: Work) -> object:
        """Run work, and return its result. KeyboardInterrupt: ^C was pressed, and the work has ended."""
        stop, note = threading.Event(), self.voice.text("lesson.preparing") if work.prepares else ""
        with on_signals(stop.set, signal.SIGINT), self.console.status(note) if note else nullcontext():
            result = work.run(stop)
        if stop.is_set():
            raise KeyboardInterrupt
        return result

    def _tell(self, event: Event) -> None:
        """Print what is to be said about an event, to the people of the session."""
        for part in say.parts(event, replace(self.voice, plain=True, people=self.session.people)):
            is_marked = isinstance(event, TermExplained) and isinstance(part, Picture) and part.marked
            if is_marked and not isinstance(self.console, drawing.Reader):
                self.say("term.atari.sign")
            self._show(part)

    def _show(self, part: Part) -> None:
        if isinstance(part, Picture):
            drawing.show(self.console, part.game, numbers=part.numbers, bare=not part.marked)
        elif isinstance(part, WordList):
            column = max(14, *(cell_len(usage) for usage, _ in part.entries))
            for usage, purpose in part.entries:
                gap = " " * (column - cell_len(usage))
                self.console.print(drawing.broken(f"  {usage}{gap} {purpose}", self.console.width))
        else:
            text = drawing.broken(part.text.translate(self._signs), self.console.width)
            self.console.print(text, style=STYLES[part.tone])

    def _rescue(self) -> None:
        """Save the game after the terminal was closed, say on stderr where, and end the process (SystemExit)."""
        for files in (Folder(), data_folder()):
            with suppress(RefusedError, OSError):  # OSError: there is no current folder any more
                files.path.mkdir(parents=True, exist_ok=True)
                if file := self.session.rescue(files):
                    text = self.voice.text("play.cut_off", file=file, command=files.command(file))
                    tell(text)
                break
        sys.exit(129)


def _hang_ups() -> AbstractContextManager[None]:
    """Raise HangUp once when the terminal is closed. Windows has no such signal, and `nohup` ignores it."""
    number = getattr(signal, "SIGHUP", None)
    if number is None or signal.getsignal(number) is not signal.SIG_DFL:
        return nullcontext()

    def hang_up() -> None:
        signal.signal(number, signal.SIG_IGN)
        raise HangUp

    return on_signals(hang_up, number)
