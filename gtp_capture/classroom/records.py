"""The games that were played in a class, each as SGF."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..tutor.game import GameSession
from .table import Table


@dataclass(slots=True)
class Record:
    """A game."""

    sgf: bytes
    counted: bool = False
    """Whether its result is part of what the children have done."""
    written: bool = False
    """Whether the game was saved already, or is still being played."""


class Records:
    """The games by number, in the order in which they began. A table has the number of its game in `recorded`."""

    def __init__(self, games: Mapping[int, bytes] | None = None) -> None:
        """`games`: of a class that goes on."""
        self.games = {number: Record(sgf, counted=True, written=True) for number, sgf in (games or {}).items()}

    def follow(self, table: Table) -> bool:
        """Keep the game of a table as it is now; return whether it has ended since the last call."""
        session = table.session
        assert isinstance(session, GameSession)
        if table.recorded is None or table.recorded[1] is not session.game:
            self.close(table)
            table.recorded = max(self.games, default=0) + 1, session.game
            self.games[table.recorded[0]] = Record(b"")
        record, is_over = self.games[table.recorded[0]], session.game.outcome is not None
        record.sgf, record.written = session.sgf(), not is_over
        has_ended = is_over and not record.counted
        record.counted |= is_over
        return has_ended

    def close(self, table: Table) -> None:
        """Let a game be written that does not go on, though it is not over."""
        if table.recorded is not None and not (record := self.games[table.recorded[0]]).counted:
            record.written = False

    def resume(self, table: Table, number: int | None) -> None:
        """Let the game of a table that was restored go on under its number; None: it has none yet."""
        if number is not None and isinstance(table.session, GameSession):
            game = table.session.game
            table.recorded = number, game
            self.games.setdefault(number, Record(b"", counted=game.outcome is not None))

    def to_write(self) -> dict[int, bytes]:
        """Return the games that have come to an end, each once for each end, by number."""
        found = {number: record for number, record in self.games.items() if not record.written}
        for record in found.values():
            record.written = True
        return {number: record.sgf for number, record in found.items()}
