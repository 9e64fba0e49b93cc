"""Our own commands, all named capture-..., and the small ones that scripts and referees share."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from ..engine import Engine
from ..protocol import Entry, Table


def atari(engine: Engine, args: Sequence[str]) -> str:
    """The chains in atari, a line each: colour, the last liberty, the stones."""
    return "\n".join(engine.atari_lines())


def outcome(engine: Engine, args: Sequence[str]) -> str:
    """Who has won and why, or that the game goes on."""
    return engine.result_line()


def rules(engine: Engine, args: Sequence[str]) -> str:
    """The rules of the game under way."""
    return str(engine.game.rules)


def cputime(engine: Engine, args: Sequence[str]) -> str:
    """Seconds of processor time so far, as gogui-twogtp asks before and after a game."""
    return f"{time.process_time():.3f}"


TABLE: Final[Table[Engine]] = {
    "capture-atari": Entry(atari),
    "capture-outcome": Entry(outcome),
    "capture-rules": Entry(rules),
    "cputime": Entry(cputime),
}
