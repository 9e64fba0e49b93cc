"""Values of JSON, each read with its type and its bounds. An error names the place of the value and what is wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

MOST: Final = 10_000
"""The maximum number of values in a list."""
LARGEST: Final = 10**12
"""The largest whole number: programs in other languages read it exactly."""


class FieldError(ValueError):
    """A value is missing, or is not what it should be; the message is one line that begins with its place."""


class Fields:
    """An object of JSON. Its methods read a value by its name. FieldError: it is missing, or anything else."""

    def __init__(self, value: object, place: str = "") -> None:
        """`place`: the place of the object in the file; "" for the whole file."""
        self.place = place
        if not isinstance(value, dict):
            raise self.error("is no object")
        self._values = value

    def error(self, reason: str, name: str = "") -> FieldError:
        """Return the error of this object, or of one of its values."""
        return FieldError(f"{self._place(name) or 'the whole file'} {reason}")

    def names(self) -> tuple[str, ...]:
        """Return the names of all values."""
        return tuple(self._values)

    def whole(self, name: str, least: int = 0, most: int = LARGEST) -> int:
        """Return a whole number between two bounds."""
        return self._whole(self._value(name), name, least, most)

    def flag(self, name: str) -> bool:
        """Return true or false."""
        value = self._value(name)
        if not isinstance(value, bool):
            raise self.error("is not true or false", name)
        return value

    def text(self, name: str, most: int) -> str:
        """Return a text of at most `most` characters."""
        return self._text(self._value(name), name, most)

    def choice(self, name: str, known: Collection[str]) -> str:
        """Return one of the known texts."""
        value = self._value(name)
        if not isinstance(value, str) or value not in known:
            raise self.error("is none of those that are known", name)
        return value

    def is_null(self, name: str) -> bool:
        """Whether a value is null."""
        return self._value(name) is None

    def fields(self, name: str) -> Fields:
        """Return an object."""
        return Fields(self._value(name), self._place(name))

    def all_fields(self, name: str, most: int = MOST) -> list[Fields]:
        """Return a list of objects."""
        return [Fields(value, self._place(at)) for at, value in self._list(name, most)]

    def wholes(self, name: str, least: int, most: int = LARGEST) -> list[int]:
        """Return a list of whole numbers between two bounds, each of which is there once."""
        values = [self._whole(value, at, least, most) for at, value in self._list(name)]
        if len({*values}) < len(values):
            raise self.error("has a number twice", name)
        return values

    def texts(self, name: str, most: int) -> list[str]:
        """Return a list of texts of at most `most` characters."""
        return [self._text(value, at, most) for at, value in self._list(name)]

    def _value(self, name: str) -> object:
        if name not in self._values:
            raise self.error("is missing", name)
        return self._values[name]

    def _place(self, name: str) -> str:
        return ".".join(part for part in (self.place, name) if part)

    def _list(self, name: str, most: int = MOST) -> Iterator[tuple[str, object]]:
        """Return the values of a list, each with its name."""
        value = self._value(name)
        if not isinstance(value, list) or len(value) > most:
            raise self.error(f"is no list of at most {most:,} values", name)
        return ((f"{name}[{number}]", entry) for number, entry in enumerate(value))

    def _whole(self, value: object, name: str, least: int, most: int) -> int:
        if type(value) is not int or not least <= value <= most:
            raise self.error(f"is no whole number from {least} to {most}", name)
        return value

    def _text(self, value: object, name: str, most: int) -> str:
        if not isinstance(value, str) or len(value) > most:
            raise self.error(f"is no text of at most {most:,} characters", name)
        try:
            value.encode()
        except UnicodeEncodeError:
            raise self.error("has half a character", name) from None
        return value
