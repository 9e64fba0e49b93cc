"""The levels of play: their limits on search and knowledge, and their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Level:
    """A level: what it overlooks and how much it searches, on all boards and under all rules."""

    name: str
    """The share of captures that it misses: levels were not measured against people, so no name is a rank."""
    notices_capture: float = 1.0
    """Probability to notice an opposing chain in atari, for each chain and turn."""
    notices_atari: float = 1.0
    """Probability to notice an own chain in atari."""
    looks_ahead: float = 1.0
    """Probability to consider the answer to a play: whether it puts itself into atari, and what follows."""
    reads: int = 99
    """Plies of a ladder that it reads."""
    weighs: float = 1.0
    """Probability to weigh a capture or a save against other moves. Otherwise, and if it wins, it is played at once."""
    playouts: int = 0
    """Maximum playouts for a move; with 0 the level does not search. Level 10 has no maximum.

    At a high temperature more playouts make a level weaker, because it draws among all moves that they tried.
    """
    temperature: float = 0.0
    """0 plays the best move; higher values choose among the moves by visits ** (1 / temperature)."""


LEVELS: Final = (
    # probabilities to notice captures and ataris, and to look ahead; reads; to weigh captures; playouts; temperature
    Level("misses-most", 0.2, 0.1, 0.15, 0, 0.0, 0),
    Level("misses-two-thirds", 0.37, 0.2, 0.33, 0, 0.0, 110, 10.0),
    Level("misses-a-third", 0.66, 0.455, 0.625, 0, 0.0, 85, 4.2),
    Level("misses-a-fifth", 0.795, 0.605, 0.735, 3, 0.0, 52, 1.9),
    Level("misses-an-eighth", 0.882, 0.75, 0.848, 3, 0.0, 24, 1.42),
    Level("misses-some", 0.924, 0.84, 0.904, 5, 0.5, 24, 0.6),
    Level("misses-few", 0.956, 0.91, 0.942, 9, 1.0, 84, 0.35),
    Level("misses-hardly-any", 0.972, 0.96, 0.972, 99, 1.0, 215, 0.12),
    Level("misses-none", playouts=540),
    Level("full-strength"),
)
FULL: Final = len(LEVELS)
"""The level without restrictions."""
ADAPT: Final = 0
"""In place of a level: the level follows the results of the person; see `adapt`."""
FIRST: Final = 1
"""The level with which ADAPT begins, for a first game."""
RECOMMENDED: Final = 3
"""The level for a careful beginner: on all boards measured, the scripted child wins about half of its games."""
NAMES: Final = tuple(level.name for level in LEVELS)
WORDS: Final = {"easy": FIRST, "normal": RECOMMENDED, "hard": 6}
"""Levels by the words that a child may type."""


def level(text: str) -> int:
    """Return the level of a number, a word or a name. Raise ValueError for any other text."""
    if text in WORDS:
        return WORDS[text]
    if text in NAMES:
        return NAMES.index(text) + 1
    if text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= len(NAMES):
        return int(text)
    raise ValueError(f"{text!r} is not a level: give 1 to {len(NAMES)}, {', '.join(WORDS)}, or {', '.join(NAMES)}")


def words() -> list[str]:
    """Return the words with their levels, such as `easy (1)`."""
    return [f"{word} ({number})" for word, number in WORDS.items()]


def name(number: int) -> str:
    """Return the name of a level."""
    return NAMES[number - 1]
