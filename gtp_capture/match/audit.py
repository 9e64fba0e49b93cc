"""Checks of the rows of a results file before a match is resumed: each row must be a valid game of this match.

A row contains the moves; legality, end, result and length are recomputed from them.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from ..go.game import Game
from ..go.vertex import BLACK, COLOR_NAMES, WHITE
from .games import Fixture, Match
from .process import Fault
from .referee import MOVE_LIMIT, Ruling, canonical
from .rows import NONE, Row, game_of, make_row, words

ROUNDING: Final = 0.001
"""Seconds by which, after rounding, the slowest move may exceed the sum of all moves."""


class Audit:
    """The checks of one file. Rows with the same random opening are also compared with each other."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._openings: dict[int, list[str]] = {}

    def check(self, found: Row) -> None:
        """Compare a row with its fixture and its moves. ValueError: a contradiction, which the message describes."""
        fixture = self._match.fixture(found.game)
        names = {color: player.name for color, player in fixture.players.items()}
        # First the cells from which the others are computed, so that the message names the wrong cell.
        _compare(found, {"alt": int(fixture.alternated), "black": names[BLACK], "white": names[WHITE]})
        _check_times(found)
        game = game_of(found, self._match.conditions)
        self._check_opening(found, fixture)
        expected = make_row(found.game, names, fixture.alternated, self._ruling(found, game))
        _compare(found, {f.name: getattr(expected, f.name) for f in fields(Row) if f.name != "dup"})

    def _check_opening(self, found: Row, fixture: Fixture) -> None:
        """Compare the first moves with the opening; a game lost by a fault may end within it."""
        openings, conditions = self._match.openings, self._match.conditions
        played = found.moves.split()
        if openings.kind == "random":
            # Recomputing the opening takes a search; instead both games with it are compared.
            _compare(found, {"opening": openings.plies})
            given = played[: openings.plies]
            if len(given) == openings.plies:
                given = self._openings.setdefault(fixture.opening, given)
        else:
            given = words(openings.opening(fixture.opening, conditions), conditions.width)
            _compare(found, {"opening": len(given)})
        if played[: len(given)] != given[: len(played)]:
            raise ValueError(f"MOVES do not begin with {' '.join(given)}, the opening of this game")

    def _ruling(self, found: Row, game: Game) -> Ruling:
        """Adjudicate the moves again, with the fault and the times of the row."""
        ruling = Ruling(game, found.opening)
        colors = (WHITE, BLACK) if found.alt else (BLACK, WHITE)
        for times, pair in (
            (ruling.seconds, (found.time_b, found.time_w)),
            (ruling.cpu, (found.cpu_b, found.cpu_w)),
            (ruling.slowest, (found.slowest_b, found.slowest_w)),
        ):
            times.update(zip(colors, pair, strict=True))
        outcome, limit = game.outcome, max(self._match.conditions.max_moves, found.opening)
        if found.faulty != NONE:
            _forfeit(ruling, found)
        elif outcome is not None:
            ruling.end(outcome, lambda: _agreed(found))
        elif len(game.moves) == limit:
            ruling.cause = MOVE_LIMIT
        else:
            raise ValueError("MOVES end before the game does")
        return ruling


def _forfeit(ruling: Ruling, found: Row) -> None:
    color = {found.black: BLACK, found.white: WHITE}.get(found.faulty)
    if color is None:
        raise ValueError(f"FAULTY is {found.faulty}, not a player of this game")
    if found.cause not in set(Fault):
        raise ValueError(f"CAUSE is {found.cause}, not a fault of an engine")
    if not found.err_msg.startswith(f"{COLOR_NAMES[color]}: "):
        raise ValueError(f"ERR_MSG does not begin with {COLOR_NAMES[color]}, whose fault it is")
    # Engines that are asked for the score may be at fault in that.
    if ruling.game.outcome is not None and not ruling.engines_count:
        raise ValueError("MOVES end the game, without a fault")
    ruling.forfeit(color, Fault(found.cause), found.err_msg)


def _agreed(found: Row) -> str:
    """Return the score in the row that both engines reported. ValueError: it is not a score."""
    if found.result not in ("?", canonical(found.result)):
        raise ValueError(f"RES_R is {found.res_r}, which is not a result")
    return found.result


def _check_times(found: Row) -> None:
    for side in ("b", "w"):
        if getattr(found, f"slowest_{side}") > getattr(found, f"time_{side}") + ROUNDING:
            raise ValueError(f"SLOWEST_{side.upper()} is longer than TIME_{side.upper()}")


def _compare(found: Row, expected: dict[str, object]) -> None:
    for name, value in expected.items():
        if (was := getattr(found, name)) != value:
            raise ValueError(f"{name.upper()} is {str(was) or 'empty'}, not {str(value) or 'empty'}")
