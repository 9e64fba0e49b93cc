"""The games that were played in a class, each as SGF."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..go.game import Game
from ..tutor.setup import GameSetup
from .desk import Desk


@dataclass(slots=True)
class Record:
    """A game."""

    data: bytes = b""
    """The game as SGF, if it does not go on."""
    playing: tuple[GameSetup, Game] | None = None
    """The sides, and the game itself, while it is played at a desk."""
    counted: bool = False
    """Whether its result is part of what the children have done."""
    written: bool = False
    """Whether the file of this game in the folder of the class has the latest moves."""

    @property
    def sgf(self) -> bytes:
        """The game as SGF, up to its latest move."""
        if self.playing is None:
            return self.data
        setup, game = self.playing
        return setup.sgf(game)

    @property
    def goes_on(self) -> bool:
        """Whether the game is played at a desk, and not over."""
        return self.playing is not None and self.playing[1].outcome is None


class Records:
    """The games by number, in the order in which they began. A desk has the number of its game in `recorded`."""

    def __init__(self, written: Mapping[int, bytes], unwritten: Mapping[int, bytes]) -> None:
        """The games of a class that goes on: those that have a file, and those that are only in its state."""
        self.games = {number: Record(sgf, counted=True, written=True) for number, sgf in written.items()}
        self.games |= {number: Record(sgf, counted=True) for number, sgf in unwritten.items()}

    def follow(self, desk: Desk) -> bool:
        """Follow the game of a desk; return whether it has ended since the last call."""
        session = desk.session
        assert session.setup is not None
        if desk.recorded is None or desk.recorded[1] is not session.game:
            self.close(desk)
            desk.recorded = max(self.games, default=0) + 1, session.game
            self.games[desk.recorded[0]] = Record()
        record, is_over = self.games[desk.recorded[0]], session.game.outcome is not None
        record.playing, record.written = (session.setup, session.game), False
        has_ended = is_over and not record.counted
        record.counted |= is_over
        return has_ended

    def close(self, desk: Desk) -> None:
        """Let a game be written that does not go on, though it is not over."""
        if desk.recorded is not None:
            record = self.games[desk.recorded[0]]
            record.data, record.playing = record.sgf, None

    def resume(self, desk: Desk, number: int, *, counted: bool) -> None:
        """Let the game of a desk that was restored go on under its number."""
        session = desk.session
        if session.setup is not None:
            desk.recorded = number, session.game
            record = self.games.setdefault(number, Record())
            record.playing, record.counted = (session.setup, session.game), counted

    def is_counted(self, desk: Desk) -> bool:
        """Whether the result of the game of a desk is part of what the children have done."""
        return desk.recorded is not None and self.games[desk.recorded[0]].counted

    def unwritten(self) -> dict[int, bytes]:
        """Return the games that do not go on and whose file does not have them as they are, by number."""
        games = self.games.items()
        return {number: record.sgf for number, record in games if not (record.written or record.goes_on)}

    def mark_written(self, games: Mapping[int, bytes]) -> None:
        """Note that the files have these games, if they are still the same."""
        for number, sgf in games.items():
            self.games[number].written = self.games[number].sgf == sgf
