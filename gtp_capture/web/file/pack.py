"""Values of JSON as a table in which each stands once, because the views of a task have most of their parts in common.

A table has `simple` values (texts, numbers, true, false and null), and then those that are `composed`: a text with an
entry for each, divided by semicolons. A `ref` names a value by its place among all, or by a negative number: by the
difference of its place and that of the entry. The refs of a list are its values; those of a text of several lines are
its lines; those of an object are the list of its names and then its values. An entry has numbers to the base 36, of
which the first one is its kind:

    0 ref ...         a list
    2 ref ...         a text of several lines
    4 ref ...         an object
    1 ref edit ...    a list whose refs are like those of another value: each edit is a number of refs to keep, a number
                      of refs to leave out, and a number of new ones, which follow; the rest is kept
    3 ..., 5 ...      the same for a text and an object

`home.js` reads the table.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any, Final, NamedTuple

DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
LIST, LINES, OBJECT = 0, 2, 4
LIKE: Final = 1
"""Added to one of the kinds above."""
SHORTEST: Final = 4
"""The fewest refs of an entry that may be written as one that is like another."""
NEAR: Final = 48
"""The number of earlier entries that are looked at."""


class _Composed(NamedTuple):
    """An entry that is made of others."""

    kind: int
    refs: tuple[int, ...]
    """Of the values, or of those that are new if there is a base."""
    base: int | None = None
    edits: tuple[tuple[int, int, int], ...] = ()
    """For each edit the number of refs to keep, of those to leave out, and of new ones."""

    def written(self, place: int, places: Sequence[int]) -> str:
        """Return the entry of a table in which it has a place, as all refs have."""
        refs = [_ref(places[ref], place) for ref in self.refs]
        if self.base is None:
            return " ".join([_base36(self.kind), *refs])
        made = [_base36(self.kind + LIKE), _ref(places[self.base], place)]
        for keep, skip, count in self.edits:
            made += [*map(_base36, (keep, skip, count)), *refs[:count]]
            refs = refs[count:]
        return " ".join(made)


class Table:
    """A table that grows."""

    def __init__(self) -> None:
        self._entries: list[Any] = []
        self._known: dict[Hashable, int] = {}
        """The numbers of entries: of those that are composed, of texts, and of other values with their types."""
        self._names: dict[tuple[str, ...], int] = {}
        """The numbers of the lists of the names of objects."""
        self._near: dict[tuple[int, int], deque[tuple[int, tuple[int, ...]]]] = defaultdict(lambda: deque(maxlen=NEAR))
        """Earlier entries with their refs, by kind, and by what those have in common that are alike."""

    def add(self, value: Any) -> int:
        """Add a value of JSON, unless the table has it; return a number that stands for it until the table is whole."""
        if isinstance(value, str):
            lines = value.split("\n")
            return self._add(value, value) if len(lines) == 1 else self._composed(LINES, self._each(lines))
        if isinstance(value, dict):
            names = (*value,)
            if names not in self._names:
                self._names[names] = self.add(names)
            return self._composed(OBJECT, (self._names[names], *self._each(value.values())))
        if isinstance(value, (list, tuple)):
            return self._composed(LIST, self._each(value))
        return self._add((type(value), value), value)  # 1 and true are equal

    def _each(self, values: Iterable[Any]) -> tuple[int, ...]:
        return (*map(self.add, values),)

    def whole(self, added: Sequence[int]) -> tuple[dict[str, Any], list[int]]:
        """Return the table, and the places of values that were added; what is used most has the first places."""
        uses = Counter(ref for entry in self._entries if isinstance(entry, _Composed) for ref in entry.refs)
        order = sorted(range(len(self._entries)), key=lambda n: (isinstance(self._entries[n], _Composed), -uses[n]))
        places = [0] * len(order)
        for place, number in enumerate(order):
            places[number] = place
        simple, composed = [], []
        for place, number in enumerate(order):
            entry = self._entries[number]
            if isinstance(entry, _Composed):
                composed.append(entry.written(place, places))
            else:
                simple.append(entry)
        return {"simple": simple, "composed": ";".join(composed)}, [places[number] for number in added]

    def _add(self, key: Hashable, entry: Any) -> int:
        if key not in self._known:
            self._known[key] = len(self._entries)
            self._entries.append(entry)
        return self._known[key]

    def _composed(self, kind: int, refs: tuple[int, ...]) -> int:
        whole = _Composed(kind, refs)
        if whole in self._known:
            return self._known[whole]
        entry = whole
        if len(refs) >= SHORTEST:
            near = self._near[kind, len(refs) if kind == LIST else refs[0]]
            if near:
                like = _like(kind, refs, near)
                entry = like if 3 * len(like.edits) + len(like.refs) < len(refs) else whole
            near.append((len(self._entries), refs))
        return self._add(whole, entry)


def _like(kind: int, refs: tuple[int, ...], near: deque[tuple[int, tuple[int, ...]]]) -> _Composed:
    """Return an entry as one that is like the earlier entry with the most refs in common."""
    base, old = min(reversed(near), key=lambda entry: len({*refs}.symmetric_difference(entry[1])))
    edits: list[tuple[int, int, int]] = []
    new: list[int] = []
    kept = 0
    for change, first, last, start, end in SequenceMatcher(None, old, refs, autojunk=False).get_opcodes():
        if change == "equal":
            kept = last - first
        else:
            edits.append((kept, last - first, end - start))
            new += refs[start:end]
            kept = 0
    return _Composed(kind, (*new,), base, (*edits,))


def _ref(to: int, place: int) -> str:
    """Return the shorter name of the value at `to` in the entry of a place."""
    names = [_base36(to), *([_base36(to - place)] if to < place else [])]
    return min(names, key=len)


def _base36(number: int) -> str:
    text, rest = "", abs(number)
    while rest or not text:
        rest, digit = divmod(rest, 36)
        text = DIGITS[digit] + text
    return f"-{text}" if number < 0 else text
