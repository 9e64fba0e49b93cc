"""The levels by names that a teacher understands."""

from __future__ import annotations

from typing import Final

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
"""Levels 1 to 10. From careful-beginner on no atari is overlooked."""


def level(text: str) -> int:
    """The level that a number or a name stands for. ValueError: neither."""
    if text in NAMES:
        return NAMES.index(text) + 1
    if text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= len(NAMES):
        return int(text)
    raise ValueError(f"{text!r} is no level: give 1 to {len(NAMES)}, or {', '.join(NAMES)}")


def name(number: int) -> str:
    """The name of a level."""
    return NAMES[number - 1]
