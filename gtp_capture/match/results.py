"""The results of a match: a table that gogui-analyze reads, of which every row is written whole or not at all.

A row holds the whole game, so the SGF files are made from it and can be made again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from .. import sgf
from ..game import Game
from ..vertex import BLACK, COLOR_NAMES, WHITE, format_vertex
from .process import Fault
from .referee import Conditions, Verdict
from .text import one_line

NONE: Final = "-"


class ResultsError(Exception):
    """A results file cannot be used; the message says why, in one printable line."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


@dataclass(frozen=True, slots=True)
class Row:
    """A game. The columns up to ERR_MSG are gogui-twogtp's: there, B is the first player, whatever his colour was."""

    game: int
    res_b: str
    """The result as if the first player had had Black, if he had White."""
    res_w: str
    res_r: str
    """The same: it is the referee who decides."""
    alt: int
    """1 where the first player had White."""
    dup: str
    """An earlier game with the same moves and nothing wrong in it, or -."""
    len: int
    time_b: float
    time_w: float
    cpu_b: float
    cpu_w: float
    err: int
    """1 where an engine did something wrong."""
    err_msg: str
    cause: str
    """One of referee.CAUSES."""
    faulty: str
    """Who did something wrong, or -."""
    black: str
    """Who had Black."""
    white: str
    slowest_b: float
    """Seconds for the slowest move of the first player."""
    slowest_w: float
    opening: int
    """How many of the moves were given."""
    moves: str
    """Every move with its colour: `bC3 wD4`."""

    @property
    def first(self) -> str:
        """The name of the first player."""
        return self.white if self.alt else self.black

    @property
    def second(self) -> str:
        """The name of the other."""
        return self.black if self.alt else self.white

    @property
    def winner(self) -> str | None:
        """The name of who won; None for a draw or where nobody can tell."""
        return {"B": self.first, "W": self.second}.get(self.res_r[0])

    @property
    def decided(self) -> bool:
        """Whether the game has a result."""
        return self.res_r != "?"

    def line(self) -> str:
        """The row as text, with its end."""
        return "\t".join(_text(getattr(self, f.name)) for f in fields(self)) + "\n"

    @classmethod
    def parse(cls, line: str) -> Row:
        """The row that a line holds. ValueError: none."""
        values = line.removesuffix("\n").split("\t")
        kinds = {"int": int, "float": float}
        return cls(*(kinds.get(str(f.type), str)(v) for f, v in zip(fields(cls), values, strict=True)))


COLUMNS: Final = tuple(f.name.upper() for f in fields(Row))


def row(game: int, players: Mapping[int, str], alternated: bool, verdict: Verdict) -> Row:
    """The row of a game; players are the names by colour."""
    first, second = (WHITE, BLACK) if alternated else (BLACK, WHITE)
    seen = verdict.result
    if alternated and seen[0] in "BW":
        seen = ("W" if seen[0] == "B" else "B") + seen[1:]
    width = verdict.game.width
    return Row(
        *(game, seen, seen, seen, int(alternated), NONE, len(verdict.game.moves)),
        time_b=round(verdict.seconds[first], 3),
        time_w=round(verdict.seconds[second], 3),
        cpu_b=round(verdict.cpu[first], 3),
        cpu_w=round(verdict.cpu[second], 3),
        err=int(verdict.faulty is not None or verdict.result == "?"),
        err_msg=verdict.message or (verdict.cause if verdict.result == "?" else ""),
        cause=verdict.cause,
        faulty=NONE if verdict.faulty is None else players[verdict.faulty],
        black=players[BLACK],
        white=players[WHITE],
        slowest_b=round(verdict.slowest[first], 3),
        slowest_w=round(verdict.slowest[second], 3),
        opening=verdict.opening,
        moves=" ".join(COLOR_NAMES[m.color][0] + format_vertex(m.point, width) for m in verdict.game.moves),
    )


def game_of(row: Row, conditions: Conditions) -> Game:
    """The game of a row again."""
    game = conditions.game()
    for word in row.moves.split():
        game.play({"b": BLACK, "w": WHITE}[word[0]], -1 if word[1:] == "resign" else word[1:])
    return game


def to_sgf(row: Row, conditions: Conditions) -> bytes:
    """The game as SGF, with the names, the times, the result and its cause."""
    result = row.res_r
    if row.alt and result[0] in "BW":
        result = ("W" if result[0] == "B" else "B") + result[1:]
    if row.faulty != NONE:
        result = result[:2] + ("T" if row.cause == Fault.TIME else "F")
    seconds = {row.first: row.time_b, row.second: row.time_w}
    comment = [f"{result} ({row.cause})", *([row.err_msg] if row.err_msg else [])]
    comment += [
        f"{color}: {name}, {seconds[name]:.3f} s" for color, name in (("Black", row.black), ("White", row.white))
    ]
    return sgf.dump(game_of(row, conditions), row.black, row.white, result, "\n".join(comment))


@dataclass(slots=True)
class Results:
    """The rows of a match, kept in a file where one is named. Close it, or others cannot use the file."""

    path: Path | None
    properties: dict[str, str]
    """What stands above the table; what another match has differently may not go on in this file."""
    volatile: frozenset[str] = frozenset({"Date", "Host"})
    """Properties that may differ."""
    rows: dict[int, Row] = field(default_factory=dict)
    _lock: FileLock | None = None
    _known: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def open(self, resume: bool) -> None:
        """Make the file, or read what it holds. ResultsError: it is there and may not be, or is another match's."""
        if self.path is None:
            return
        self._lock = FileLock(f"{self.path}.lock")
        try:
            self._lock.acquire(timeout=0)
            data = self.path.read_bytes() if self.path.exists() else b""
            if data and not resume:
                raise ResultsError(f"{self.path} exists: --resume goes on with it")
            self._read(data)
        except Timeout:
            raise ResultsError(f"another match is writing {self.path}") from None
        except OSError as error:
            raise ResultsError(f"{self.path}: {error.strerror}") from None

    def close(self) -> None:
        """Let others use the file."""
        if self._lock is not None:
            self._lock.release()

    def add(self, row: Row) -> Row:
        """Keep a row; what is kept, with the earlier game of the same moves. ResultsError: it cannot be written."""
        key = (row.black, row.white, row.moves)
        if key in self._known and row.faulty == NONE:
            row = replace(row, dup=str(self._known[key]))
        if self.path is not None:
            _append(self.path, row.line().encode())
        self._remember(row)
        return row

    def _remember(self, row: Row) -> None:
        self.rows[row.game] = row
        if row.faulty == NONE:
            self._known.setdefault((row.black, row.white, row.moves), row.game)

    def _read(self, data: bytes) -> None:
        assert self.path is not None
        # What a killed process left unfinished is no line; a head without its end holds no games.
        whole = data[: data.rfind(b"\n") + 1]
        lines = [f"{line}\n" for line in whole.decode("utf-8", "replace").split("\n")[:-1]]
        head = [line for line in lines if line.startswith("#")]
        if not head or not head[-1].startswith("#GAME"):
            if len(head) < len(lines):
                raise ResultsError(f"{self.path} holds no match")
            self._write_head()
            return
        if head[-1] != _title():
            raise ResultsError(f"{self.path} has other columns than this version writes")
        self._compare(dict(_property(line) for line in head[:-2]))
        for number, line in enumerate(lines, 1):
            if not line.startswith("#"):
                try:
                    self._remember(Row.parse(line))
                except (ValueError, TypeError):
                    raise ResultsError(f"{self.path}:{number} is no result") from None
        if len(whole) < len(data):
            os.truncate(self.path, len(whole))

    def _compare(self, theirs: dict[str, str]) -> None:
        for name in sorted((self.properties.keys() | theirs.keys()) - self.volatile):
            was, now = theirs.get(name, "nothing"), one_line(self.properties.get(name, "nothing"))
            if was != now:
                raise ResultsError(f"{self.path} holds another match: {name} is {was}, not {now}")

    def _write_head(self) -> None:
        assert self.path is not None
        head = [f"# {name}: {one_line(value)}\n" for name, value in sorted(self.properties.items())]
        replace_file(self.path, "".join([*head, "#\n", _title()]).encode())


def replace_file(path: Path, data: bytes) -> None:
    """Write a file so that it is either what it was or what it is to be. OSError: it is what it was."""
    aside = path.with_name(f"{path.name}.new")
    with aside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)


def write_sgf(folder: Path, rows: Iterable[Row], conditions: Conditions) -> None:
    """Write the SGF files of the games that have none yet. ResultsError: it cannot be done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for row in rows:
            path = folder / f"game-{row.game:05}.sgf"
            if not path.exists():
                replace_file(path, to_sgf(row, conditions))
    except OSError as error:
        raise ResultsError(f"{folder}: {error.strerror}") from None


def _append(path: Path, line: bytes) -> None:
    """Add a line with a single write, and do not return before it is on the disk."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
        try:
            end = os.fstat(descriptor).st_size
            if os.write(descriptor, line) < len(line):
                os.ftruncate(descriptor, end)
                raise ResultsError(f"{path}: the disk is full")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from None


def _title() -> str:
    return "#" + "\t".join(COLUMNS) + "\n"


def _property(line: str) -> tuple[str, str]:
    name, _, value = line[1:].strip().partition(":")
    return name, value.strip()


def _text(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else one_line(str(value))
