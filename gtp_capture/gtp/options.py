"""The options of a session, as the command line sets them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..go.clock import OVERHEAD
from ..go.rules import DEFAULT as DEFAULT_RULES
from ..go.rules import PRESETS, Rules
from ..players.bot import Bot
from ..players.registry import DEFAULT_PLAYER


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a session."""

    rules: Rules = PRESETS[DEFAULT_RULES]
    width: int = 9
    height: int = 9
    komi: float | None = None
    crosscut: bool = False
    player: str = DEFAULT_PLAYER
    bot: Bot | None = None
    """The player of another program, instead of the one that `player` names."""
    level: int = 10
    """With `adapt`, the level to begin with."""
    adapt: bool = False
    """Whether the level follows the results of the person."""
    profile: Path | None = None
    """The file that remembers the level of the person; see `players/adapt.py`."""
    time_per_move: float | None = None
    move_overhead: float = OVERHEAD
    """Seconds subtracted from each time limit; see `clock.thinking_time`."""
    playouts: int | None = None
    threads: int = 1
    memory: int = 512
    """In MiB."""
    seed: int | None = None
    strict: bool = False
    ponder: bool = False
    """Whether to search on the opponent's time."""
    no_opening_book: bool = False
    """Whether the opening book is not used."""
    genmove_analyze: bool = False
    """Whether the genmove_analyze commands are listed; they are executed in any case."""
    gogui_rules: bool = False
    """Whether the commands are listed that make GoGui use this engine as its ruler."""
    gogui_gfx: bool = False
    """Whether pictures for GoGui's live graphics are written to stderr during a search."""
    rules_from_gui: bool = False
    """Whether a command that sets rules of Go succeeds in a capture game, without an effect."""
