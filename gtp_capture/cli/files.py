"""The files of a command: reading positions and problems, writing, and the check of all outputs before any work."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import click

from ..go import diagram, sgf
from ..go.charset import as_utf8
from ..go.game import Game, GameError
from ..go.opening import crosscut
from ..go.rules import DEFAULT, PRESETS, Rules
from ..go.vertex import BLACK, parse_color
from ..teach.puzzles import files as problem_files
from ..teach.puzzles.problem import Problem
from ..util.atomic_file import atomic_write
from ..util.files import RequestError, UnreadableError, escaped, files_of, read_bounded, read_stream, tell, warn


def check_outputs(outputs: Iterable[Path | None], inputs: Iterable[Path | None] = ()) -> None:
    """Check that files can be written, and that each is neither an input nor another output; None stands for no file.

    If an input is a folder, its SGF files are the inputs. RequestError: the reason.
    """
    taken: dict[object, str] = {}
    for path in inputs:
        if path is not None:
            for file in sgf_files(path):
                taken[_identity(file)] = "is an input: give another name for the output"
    for path in outputs:
        if path is None:
            continue
        _check_writable(path)
        if path.is_file() or not path.exists():  # a device, such as /dev/null, may be there twice
            if (identity := _identity(path)) in taken:
                raise RequestError(f"{path} {taken[identity]}")
            taken[identity] = "is there twice: each output needs a file of its own"


def check_new_folder(path: Path | None) -> None:
    """Check that a folder for new SGF files has none yet.

    None and a file are accepted. RequestError: the folder has SGF files.
    """
    if path is not None and path.is_dir() and sgf_files(path):
        raise RequestError(f"{path}: there are SGF files in this folder already; give an empty or new one")


def sgf_files(path: Path) -> list[Path]:
    """Return a file, or the SGF files of a folder. RequestError: it cannot be read."""
    try:
        return files_of(path, ".sgf")
    except UnreadableError as error:
        raise RequestError(f"{path}: {error}") from None


def _identity(path: Path) -> object:
    """Return a value that is the same for all names of a file, symbolic and hard links included."""
    real = Path(os.path.realpath(path))
    if not real.exists():
        return real
    status = real.stat()
    return status.st_dev, status.st_ino


def _check_writable(path: Path) -> None:
    folder = Path(os.path.realpath(path)).parent if path.is_symlink() else path.parent
    if not folder.is_dir():
        raise RequestError(f"{path} cannot be written: there is no folder {folder}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise RequestError(f"{path} cannot be written")


def write(path: Path, data: bytes) -> None:
    """Write a file as a whole. RequestError: it cannot be written."""
    try:
        with atomic_write(path) as file:
            file.write(data)
    except OSError as error:
        raise unwritable(path, error) from None


def unwritable(path: Path, error: OSError) -> RequestError:
    """Return the error for a file, or for a file in a folder, that cannot be written."""
    return RequestError(f"{error.filename or path} cannot be written: {error.strerror or error}")


def tell_written(what: str, *paths: Path | None) -> None:
    """Say on stdout into which files something was written; None stands for no file."""
    if names := [escaped(str(path)) for path in paths if path is not None]:
        click.echo(f"{what} written to {' and '.join(names)}")


def remark(label: str, line: str) -> None:
    """Say on stderr that something in a file is unusual."""
    tell(escaped(f"{label}: {line}"))


def tell_replaced(label: str, named: Iterable[Rules | None], rules: Rules | None) -> None:
    """Say on stderr that the rules of --rules replace other rules that a file names.

    All commands that read files use the rules of --rules, else the rules of the file, else first-capture.
    """
    others = sorted({str(other) for other in named if other is not None and other != rules})
    if rules is not None and others:
        remark(label, f"--rules {rules} is used, not {' or '.join(others)} as the file says")


def position(
    file: Path | None, size: tuple[int, int] | None, opening: str, rules: Rules | None, to_move: str | None
) -> Game:
    """Return the game to solve, from a file or a board size. RequestError: there is no position of a capture game."""
    if (file is None) == (size is None):
        raise click.UsageError("give a file or --size, and not both")
    try:
        if size is not None:
            game = Game(rules or PRESETS[DEFAULT], size)
            if opening == "crosscut":
                game.setup_points(*crosscut(*size), BLACK)
        elif file is not None:
            game = read(file, rules)
            if rules is None and not game.rules.is_capture_game:
                raise GameError(f"its rules are {game.rules}: give --rules {DEFAULT} or other rules with captures")
    except ValueError as error:
        raise RequestError(f"{name_of(file)}: {error}" if file is not None else str(error)) from None
    if to_move is not None:
        game.set_to_move(parse_color(to_move))
    return game


def read(file: Path, rules: Rules | None, plies: int | None = None, *, resignation: bool = False) -> Game:
    """Read a file, or stdin for `-`: SGF, up to a number of plies if given, or a diagram.

    `rules`, `resignation`: see `sgf.load`; the rules also replace those of the captions of a diagram.

    ValueError: the file cannot be read, is neither SGF nor a diagram, or has fewer plies.
    """
    data = as_utf8(_read_stdin(sgf.MOST_BYTES) if str(file) == "-" else read_bounded(file, sgf.MOST_BYTES))
    if not sgf.START.search(data):
        try:
            drawn = diagram.parse(data.decode())
        except UnicodeDecodeError:
            raise GameError("neither SGF nor a diagram") from None
        game, named = drawn.game(rules), drawn.rules
    else:
        before = None if plies is None else plies + 1
        tell_line = partial(remark, name_of(file))
        game = sgf.load(data, rules, before, resignation=resignation, notice=tell_line)
        named = sgf.named_rules(data)
    tell_replaced(name_of(file), {named}, rules)
    if plies is not None and len(game.moves) < plies:
        raise GameError(f"it has {len(game.moves)} moves, not {plies}")
    if (more := sgf.games(data) - 1) > 0:
        remark(name_of(file), f"the first game is used, {more} more left out")
    return game


def problems_of(file: Path | None, rules: Rules | None = None) -> tuple[Sequence[Problem], bool]:
    """Return the problems of a file or a folder, or the collection of this program, and whether every file was read.

    Each file of a folder that cannot be read is named on stderr. RequestError: there are no problems.
    """
    if file is None:
        return problem_files.shipped(), True
    left_out: list[Path] = []
    named: set[Rules | None] = set()
    notices: dict[str, None] = {}  # in order, and each once, because many problems may have the same

    def leave_out(path: Path, error: ValueError) -> None:
        left_out.append(path)
        warn(f"{path}: {error}; this file is left out")

    try:
        problems = problem_files.read(file, rules, named=named, notice=notices.setdefault, on_error=leave_out)
    except ValueError as error:
        raise RequestError(f"{file}: {error}") from None
    for line in notices:
        remark(str(file), line)
    tell_replaced(str(file), named, rules)
    return problems, not left_out


def name_of(file: Path) -> str:
    """Return the name of a file as messages show it."""
    return "stdin" if str(file) == "-" else str(file)


def _read_stdin(limit: int) -> bytes:
    try:
        with click.open_file("-", "rb") as stream:
            return read_stream(stream, limit)
    except RuntimeError:  # a process may be started without stdin
        raise UnreadableError("there is no stdin") from None
