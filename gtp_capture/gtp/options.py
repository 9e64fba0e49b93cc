"""What the command line decides for a session."""

from __future__ import annotations

from dataclasses import dataclass

from ..go.rules import DEFAULT as DEFAULT_RULES
from ..go.rules import PRESETS, Rules
from ..players.player import DEFAULT_PLAYER
from .clock import OVERHEAD


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a session."""

    rules: Rules = PRESETS[DEFAULT_RULES]
    width: int = 9
    height: int = 9
    komi: float | None = None
    crosscut: bool = False
    player: str = DEFAULT_PLAYER
    level: int = 10
    time_per_move: float | None = None
    move_overhead: float = OVERHEAD
    """Seconds kept back of each time limit, as `clock.thinking_time` says."""
    playouts: int | None = None
    threads: int = 1
    memory: int = 512
    """MiB."""
    seed: int | None = None
    strict: bool = False
    ponder: bool = False
    """Whether to think while the opponent does."""
    genmove_analyze: bool = False
    """Whether the commands are listed that give a move with its analysis."""
    gogui_rules: bool = False
    """Whether GoGui is to take this engine for the authority on the rules."""
    gogui_gfx: bool = False
    """Whether pictures are drawn on the console while the engine thinks."""
    rules_from_gui: bool = False
    """Whether a client that names rules of Go hears a yes in a capture game, which stays what it is."""
