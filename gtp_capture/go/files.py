"""The public functions that write and read SGF, as text and as files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePath
from typing import IO, Literal, TypeVar

from ..util import arguments
from ..util.atomic_file import atomic_write
from ..util.files import UnreadableError, read_bounded, read_stream
from . import sgf
from .charset import CHARSET, UTF_8
from .game import Game, check_game
from .rules import Rules
from .sgf_tree import MOST_BYTES, Node, SgfError, dump_trees, read_tree

Loaded = TypeVar("Loaded")


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
    A warning tells if the file is cut off, if a value is left out that cannot be read (PL, KM, HA), or if other rules
    than it names are used, or may have been meant.
    SgfError: not SGF, an illegal move, or anything else that cannot be replayed; the message gives the reason.
    RulesError: unknown rules. TypeError: neither str nor bytes; `read_sgf` takes the path of a file.
    """
    return _loaded(_encoded(text), rules)


def write_sgf(game: Game | Node, target: str | os.PathLike[str] | IO[str] | IO[bytes], *, comment: str = "") -> None:
    """Write a game or a tree as SGF to a path or an open file, as `dump_sgf` does; an older file is replaced.

    A file gets UTF-8, also one that was opened as text with another encoding; only text of a file that was read, whose
    charset is not known, keeps its bytes.
    OSError: the file cannot be written. TypeError, ValueError: as for `dump_sgf`, or the target is no path or file.
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

    OSError: there is no such file. SgfError: also for a folder, or more than 10 MB. TypeError, ValueError: not a path
    or file. Other errors as for `load_sgf`.
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


def load_sgf_trees(text: str | bytes) -> list[Node]:
    """Return each game in SGF text as a tree. Errors as for `load_sgf_tree`, with the number of the game."""
    return _each(text, read_tree)


def load_sgf_collection(text: str | bytes, rules: Rules | str | None = None) -> list[Game]:
    """Return the main line of each game in SGF text. Errors as for `load_sgf`, with the number of the game."""
    games, notices = list[Game](), list[str]()
    for game, said in _each(text, partial(_noted, rules=_rules(rules))):
        games.append(game)
        notices += said
    for line in notices:
        warnings.warn(line, stacklevel=2)
    return games


@dataclass(frozen=True, slots=True)
class SgfItem:
    """A game of a file, or the reason why the game or the file was skipped, as `iter_sgf` yields it."""

    path: Path
    number: int
    """The place of the game in its file, from 1."""
    game: Game | None
    """The game; None if it cannot be read."""
    error: SgfError | OSError | None = None
    """The reason why there is no game; its text is one line."""
    notices: tuple[str, ...] = ()
    """What `load_sgf` would warn about, one line each."""
    data: bytes = field(default=b"", repr=False)
    """The SGF of the game, in UTF-8; empty if the file cannot be read."""

    def tree(self) -> Node:
        """Return the game as a tree of nodes, which may succeed where the moves are illegal. SgfError: not SGF."""
        return read_tree(self.data)


def iter_sgf(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    rules: Rules | str | None = None,
    *,
    errors: Literal["raise", "skip"] = "raise",
) -> Iterator[SgfItem]:
    """Yield each game of many files, one after the other; of a collection each of its games.

    `paths`: the path of a file, or several, such as `Path("games").rglob("*.sgf")`. `rules`: as for `load_sgf`.
    `errors`: with "skip" a game or a file that cannot be read is yielded with the reason in place of the game; with
    "raise" the reason is raised. A damaged game of a collection does not damage the others.
    OSError, SgfError: as for `read_sgf`, with the path and the number of the game. RulesError: unknown rules.
    TypeError, ValueError: not paths, not rules, or another word for `errors`.
    """
    if errors not in ("raise", "skip"):
        raise ValueError(f"errors is 'raise' or 'skip', not {errors!r}")
    if isinstance(paths, str | os.PathLike):
        paths = [paths]
    elif isinstance(paths, bytes) or not isinstance(paths, Iterable):
        raise TypeError(f"paths is a path or several, not {paths!r}")
    return _items(paths, _rules(rules), skips=errors == "skip")


def _items(paths: Iterable[str | os.PathLike[str]], rules: Rules | None, *, skips: bool) -> Iterator[SgfItem]:
    """Yield the games of files. Errors as for `iter_sgf`."""
    for each in paths:
        if (path := arguments.path("a path", each)) is None:
            raise TypeError("a path is needed, not None")
        for item in _of_file(path, rules):
            if item.error is not None and not skips:
                raise item.error
            yield item


def _of_file(path: Path, rules: Rules | None) -> Iterator[SgfItem]:
    """Yield the games of a file, or the reasons why they cannot be read."""
    number, data = 0, b""
    try:
        for number, data in enumerate(sgf.split(_read(path)), 1):
            try:
                game, notices = _noted(data, rules)
                yield SgfItem(path, number, game, None, tuple(notices), data)
            except SgfError as error:
                yield SgfItem(path, number, None, _placed(error, f"{path}: game {number}"), (), data)
        if not number:
            yield SgfItem(path, 1, None, SgfError(f"{path}: no SGF data found"))
    except (OSError, SgfError) as error:  # the file cannot be read
        yield SgfItem(path, 1, None, error)


def _placed(error: SgfError, place: str) -> SgfError:
    """Return an error with its place before its text."""
    placed = SgfError(f"{place}: {error}")
    placed.game = error.game
    return placed


def _each(text: str | bytes, load: Callable[[bytes], Loaded]) -> list[Loaded]:
    """Load each game in SGF text. SgfError: with the number of the game."""
    loaded: list[Loaded] = []
    for number, data in enumerate(sgf.split(_encoded(text)), 1):
        try:
            loaded.append(load(data))
        except SgfError as error:
            raise _placed(error, f"game {number}") from error
    if not loaded:
        raise SgfError("no SGF data loaded")
    return loaded


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
    game, notices = _noted(data, _rules(rules))
    for line in notices:
        warnings.warn(line, stacklevel=3)
    return game


def _noted(data: bytes, rules: Rules | None) -> tuple[Game, list[str]]:
    """Load the first game of SGF data; return it with what is unusual in it."""
    notices: list[str] = []
    game = sgf.load(data, session_rules=rules, notice=notices.append)
    return game, [line.replace("--rules ", "rules=") for line in notices]


def _rules(rules: Rules | str | None) -> Rules | None:
    """Return rules that were given, or None. RulesError, TypeError: not rules."""
    return None if rules is None else Rules.of(rules)


def _dumped(game: Game | Node, comment: str) -> bytes:
    if not isinstance(comment, str):
        raise TypeError(f"comment is text, not {comment!r}")
    if isinstance(game, Node):
        if comment:
            raise TypeError("the nodes of a tree have comments of their own: node.comment")
        return dump_trees([game.root])
    check_game(game)
    return sgf.dump(game, comment)
