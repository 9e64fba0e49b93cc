"""Words of sentences for people: numbers of things."""

from __future__ import annotations

from decimal import Decimal


def counted(count: int, one: str, many: str | None = None) -> str:
    """Return "1 point", "2 points"; `many` is the plural, if it is not the noun with an s."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def digits(value: float) -> str:
    """Return a number with all its digits and without an exponent, as GTP has it: `6.5`, `7`."""
    return format(Decimal(repr(float(value))), "f").removesuffix(".0")
