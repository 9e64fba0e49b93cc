"""The public functions that write and read SGF, as text and as files."""

from __future__ import annotations

import os
import warnings
from pathlib import PurePath
from typing import IO

from ..go import sgf
from ..go.charset import CHARSET, UTF_8
from ..go.game import Game
from ..go.rules import Rules
from ..go.sgf_tree import MOST_BYTES, Node, SgfError, dump_trees, read_tree
from ..util import arguments
from ..util.atomic_file import atomic_write
from ..util.files import UnreadableError, read_bounded, read_stream
from .results import check_game


def dump_sgf(game: Game | Node, *, comment: str = "") -> str:
    """Return a game as SGF (FF[4]) with rules, komi, handicap, setup stones, moves and `info`; or the tree of a node.

    `comment` is attached to the last move of a game (default: result and cause). If the game was read from a file,
    comments and variations of that file are written again, up to the first move that differs; then the result of the
    file is not. Bytes of a file with an unknown charset become surrogates, as Python's error handler `surrogateescape`
    makes them. TypeError: neither a game nor a node, or not text. ValueError: a key of `info` that does not exist.
    """
    return _dumped(game, comment).decode(errors="surrogateescape")


def load_sgf(text: str | bytes, rules: Rules | str | None = None) -> Game:
    """Return the main line of the first game in SGF text.

    The file's rules are used if it names a preset; else the given rules, by default `first-capture`. If the given rules
    are of a capture game, rules of Go in the file are ignored, because other programs always write some. The result in
    the file is not read: after a resignation or a loss on time the game still continues.
    A warning tells if the file is cut off, or if other rules than it names are used, or may have been meant.
    SgfError: not SGF, an illegal move, or anything else that cannot be replayed; the message gives the reason.
    RulesError: unknown rules. TypeError: neither str nor bytes; `read_sgf` takes the path of a file.
    """
    return _loaded(_encoded(text), rules)


def write_sgf(game: Game | Node, target: str | os.PathLike[str] | IO[str] | IO[bytes], *, comment: str = "") -> None:
    """Write a game or a tree as SGF to a path or an open file, as `dump_sgf` does; an older file is replaced.

    A file gets UTF-8, also one that was opened as text with another encoding; only text of a file that was read, whose
    charset is not known, keeps its bytes.
    OSError: the file cannot be written. TypeError: also if the target is neither a path nor a file.
    """
    data = _dumped(game, comment)
    if isinstance(target, str | os.PathLike):
        with atomic_write(arguments.path("target", target)) as file:
            file.write(data)
    elif hasattr(target, "write"):
        if (binary := getattr(target, "buffer", None)) is not None:
            target.flush()
            binary.write(data)
        elif hasattr(target, "encoding"):
            target.write(data.decode(errors="surrogateescape"))  # type: ignore[call-overload]  # by its kind
        else:
            target.write(data)  # type: ignore[arg-type]  # by its kind
    else:
        raise TypeError(f"a path or an open file is needed, not {type(target).__name__}")


def read_sgf(source: str | os.PathLike[str] | IO[str] | IO[bytes], rules: Rules | str | None = None) -> Game:
    """Return the main line of the first game in an SGF file, given by its path or open, as `load_sgf` does.

    OSError: there is no such file. SgfError: also for a folder, or more than 10 MB. TypeError: neither a path nor a
    file.
    """
    return _loaded(_read(source), rules)


def load_sgf_tree(text: str | bytes) -> Node:
    """Return the first game in SGF text as a tree of nodes with comments, marks and variations.

    Its moves are not checked; `Node.game` does that. SgfError: not SGF, or more than 100,000 nodes. TypeError: as for
    `load_sgf`.
    """
    return read_tree(_encoded(text))


def read_sgf_tree(source: str | os.PathLike[str] | IO[str] | IO[bytes]) -> Node:
    """Return the first game in an SGF file as `load_sgf_tree` does. Errors also as for `read_sgf`."""
    return read_tree(_read(source))


def _read(source: str | os.PathLike[str] | IO[str] | IO[bytes]) -> bytes:
    """Return the data of a file. Errors as for `read_sgf`."""
    data: str | bytes
    name = ""
    try:
        if isinstance(source, str | os.PathLike):
            path = arguments.path("source", source)
            name = f"{path}: "
            path.stat()  # its error has a type that programs expect
            data = read_bounded(path, MOST_BYTES)
        elif hasattr(source, "read"):
            data = read_stream(source, MOST_BYTES)  # type: ignore[arg-type]  # text too
        else:
            raise TypeError(f"a path or an open file is needed, not {type(source).__name__}")
    except UnreadableError as error:
        raise SgfError(f"{name}{error}") from None
    return _encoded(data)


def load_sgf_collection(text: str | bytes, rules: Rules | str | None = None) -> list[Game]:
    """Return the main line of each game in SGF text, as `load_sgf` does. Same errors, with the number of the game."""
    games: list[Game] = []
    for number, data in enumerate(sgf.split(_encoded(text)), 1):
        try:
            games.append(_loaded(data, rules))
        except SgfError as error:
            raise SgfError(f"game {number}: {error}") from error
    if not games:
        raise SgfError("no SGF data found")
    return games


def _encoded(text: str | bytes) -> bytes:
    if isinstance(text, bytes):
        return text
    if isinstance(text, PurePath):
        raise TypeError("SGF as str or bytes is needed, not a path: gc.read_sgf reads files")
    if not isinstance(text, str):
        raise TypeError(f"SGF as str or bytes is needed, not {type(text).__name__}")
    try:
        return CHARSET.sub(UTF_8, text.encode())
    except UnicodeEncodeError:
        pass
    try:  # surrogates that errors="surrogateescape" made of the bytes of a file
        return text.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return CHARSET.sub(UTF_8, text.encode(errors="replace"))


def _loaded(data: bytes, rules: Rules | str | None) -> Game:
    """Load the first game of SGF data; warnings point to the caller of a public function that calls this one."""
    notices: list[str] = []
    game = sgf.load(data, session_rules=None if rules is None else Rules.of(rules), notice=notices.append)
    for line in notices:
        warnings.warn(line.replace("--rules ", "rules="), stacklevel=3)
    return game


def _dumped(game: Game | Node, comment: str) -> bytes:
    if not isinstance(comment, str):
        raise TypeError(f"comment is text, not {comment!r}")
    if isinstance(game, Node):
        if comment:
            raise TypeError("the nodes of a tree have comments of their own: node.comment")
        return dump_trees([game.root])
    check_game(game)
    return sgf.dump(game, comment)
