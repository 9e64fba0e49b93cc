"""The levels of play: their limits on search and knowledge, and their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..go.rules import Rules


@dataclass(frozen=True, slots=True)
class Strength:
    """How a level restricts the player `mcts`."""

    playouts: int
    """Maximum for a move."""
    temperature: float
    """0 plays the best move; higher values choose among the moves by visits ** (1 / temperature)."""
    static_tactics: bool
    """Whether it uses the static tactical tests; without them it may overlook an atari."""
    learned: bool = False
    """Whether its tree starts with the learned priors."""


LEVELS: Final = (
    Strength(60, 1.5, False),
    Strength(200, 0.48, False),
    Strength(270, 0.34, False),
    Strength(500, 0.22, False),
    Strength(24, 0.5, True),
    Strength(90, 0.25, True),
    Strength(450, 0.1, True),
    Strength(3200, 0.0, True),
    Strength(6500, 0.0, True, learned=True),
)
"""Levels 1 to 9; level 10 has no restriction."""

NAMES: Final = (
    "first-game",
    "first-day",
    "first-week",
    "beginner",
    "careful-beginner",
    "improver",
    "confident",
    "club-player",
    "strong",
    "full-strength",
)
"""The names of levels 1 to 10. From careful-beginner on, no atari is overlooked."""


def level(text: str) -> int:
    """Return the level of a number or a name. Raise ValueError for any other text."""
    if text in NAMES:
        return NAMES.index(text) + 1
    if text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= len(NAMES):
        return int(text)
    raise ValueError(f"{text!r} is no level: give 1 to {len(NAMES)}, or {', '.join(NAMES)}")


def name(number: int) -> str:
    """Return the name of a level."""
    return NAMES[number - 1]


def recommended(rules: Rules, width: int, height: int) -> int:
    """Return the level that a careful beginner wins about half of the games against, for a first game."""
    return 2
