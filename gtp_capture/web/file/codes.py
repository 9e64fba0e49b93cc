"""The short code that tells a teacher what a child has solved at home.

It has letters and digits in groups of four: which file, which child, how each problem was done, and a check by which a
wrong or exchanged character is noticed. `home.js` makes it; this module reads it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Final, NamedTuple

from ...classroom.seat import AtHome
from ...teach.event import Refusal

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The digits of a code: letters that look like others are left out (the base 32 of Douglas Crockford)."""
ALIKE: Final = str.maketrans({"O": "0", "I": "1", "L": "1"})
"""Letters that are read as the digits that they look like."""
DIGIT: Final = 5
"""Bits of a character."""
NAME: Final = 4
"""Characters for the name of the file."""
PUPIL: Final = 2
"""Characters for the number of the child."""
MOST_PUPIL: Final = (1 << DIGIT * PUPIL) - 1
PROBLEMS: Final = 3
"""Problems of a character: it is a number to the base 3 whose digits are values of `AtHome`, of the first one first."""
CHECK: Final = 2
GROUP: Final = 4
FACTOR: Final = 33
PRIME: Final = 1021
"""The check is the value of the other characters as digits to the base FACTOR, modulo PRIME."""


class CodeError(ValueError):
    """A code has a mistake, or is of an unknown file."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(reason)
        self.reason = reason
        """CODE_WRONG or CODE_UNKNOWN."""


class Solved(NamedTuple):
    """What a code tells."""

    name: str
    """The name of the file."""
    pupil: int
    """The number of the child; 0 if it has none."""
    done: tuple[AtHome, ...]
    """How each problem of the file was done."""


def read(code: str, files: Mapping[str, int]) -> Solved:
    """Return what a code tells; `files`: the number of problems of each file, by its name. CodeError: see there."""
    text = "".join(c for c in code.upper().translate(ALIKE) if c.isalnum())
    digits = [ALPHABET.find(c) for c in text]
    if min(digits, default=-1) < 0 or len(digits) < length(0):
        raise CodeError(Refusal.CODE_WRONG)
    body, (high, low), name = digits[:-CHECK], digits[-CHECK:], text[:NAME]
    if check(body) != (high << DIGIT) + low:
        raise CodeError(Refusal.CODE_WRONG)
    if name not in files:
        raise CodeError(Refusal.CODE_UNKNOWN)
    count, (first, second), marks = files[name], body[NAME : NAME + PUPIL], body[NAME + PUPIL :]
    values = [digit // 3**n % 3 for digit in marks for n in reversed(range(PROBLEMS))]
    if len(digits) != length(count) or any(values[count:]) or max(marks) >= 3**PROBLEMS:
        raise CodeError(Refusal.CODE_WRONG)
    return Solved(name, (first << DIGIT) + second, tuple(map(AtHome, values[:count])))


def length(count: int) -> int:
    """Return the number of characters of the codes of a file with a number of problems."""
    least = NAME + PUPIL + -(-count // PROBLEMS) + CHECK
    return -(-least // GROUP) * GROUP


def name_of(digest: bytes) -> str:
    """Return the name of a file with a digest."""
    number = int.from_bytes(digest[:4], "big")
    return "".join(ALPHABET[number >> shift & 31] for shift in range(0, DIGIT * NAME, DIGIT))


def check(values: list[int]) -> int:
    """Return the check of the values of characters."""
    return functools.reduce(lambda total, value: (total * FACTOR + value + 1) % PRIME, values, 0)
