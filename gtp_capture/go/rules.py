"""The rules of all games of the family as one frozen value, and the presets.

Other modules use the derived properties of `Rules`. The files that a new field changes are listed in the package's
`README.md`, under "Add rules".
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cached_property
from numbers import Real
from typing import Any, Final


class Ko(StrEnum):
    """The positions that a play may not repeat.

    NONE: none are forbidden. SIMPLE: the position before the opponent's last play. POSITIONAL: any earlier position.
    SITUATIONAL: any earlier position that a play of the same colour led to.
    """

    NONE = "none"
    SIMPLE = "simple"
    POSITIONAL = "positional"
    SITUATIONAL = "situational"

    @property
    def is_superko(self) -> bool:
        """Whether a position of any age may not be repeated."""
        return self in (Ko.POSITIONAL, Ko.SITUATIONAL)


class Passing(StrEnum):
    """The price of a pass: nothing (FREE) or a stone handed to the opponent (STONE); FORBIDDEN: passing is illegal."""

    FREE = "free"
    STONE = "stone"
    FORBIDDEN = "forbidden"


class Scoring(StrEnum):
    """The count that decides after two passes; NONE: there is no winner."""

    NONE = "none"
    AREA = "area"
    TERRITORY = "territory"


SUICIDE: Final = {"legal": True, "illegal": False, "yes": True, "no": False}
"""Words for `Rules.suicide`; `str` writes the first ones."""


class RulesError(ValueError):
    """No rules have these values; the message lists the valid ones."""


@dataclass(frozen=True)
class Rules:
    """One set of rules. RulesError: invalid values, or no field that ends the game."""

    captures: int | None = None
    """Prisoners that win at once, or None if captures alone never win."""
    suicide: bool = False
    """Whether a play may remove its own stones; they become the opponent's prisoners."""
    ko: Ko = Ko.NONE
    """Forbidden repetitions."""
    passing: Passing = Passing.FREE
    """Price of a pass."""
    scoring: Scoring = Scoring.NONE
    """Count after two passes."""
    dead_stones: bool = False
    """Whether dead stones are removed before scoring; else all stones count as alive."""
    seki_points: bool = True
    """Whether empty points next to a chain in seki count for the colour that surrounds them."""
    komi: float = 0.0
    """Default komi in points, for sides of 13 and more."""
    small_komi: float = 0.0
    """Default komi in points on smaller boards."""

    def __post_init__(self) -> None:
        for name, kind in (("ko", Ko), ("passing", Passing), ("scoring", Scoring)):
            value = getattr(self, name)
            try:
                object.__setattr__(self, name, kind(value))
            except ValueError:
                *others, last = kind
                raise RulesError(f"{name} must be {', '.join(others)} or {last}; not {value}") from None
        for name in ("suicide", "dead_stones", "seki_points"):
            if not isinstance(getattr(self, name), bool):
                raise RulesError(f"{name} must be True or False; not {getattr(self, name)!r}")
        if self.captures is not None and (not isinstance(self.captures, int) or isinstance(self.captures, bool)):
            raise RulesError(f"captures must be an integer or None; not {self.captures!r}")
        if self.captures is not None and not 1 <= self.captures <= 10_000:
            raise RulesError(f"captures must be 1 to 10000, or none; not {self.captures}")
        for komi in (self.komi, self.small_komi):
            if not isinstance(komi, Real) or not math.isfinite(komi):
                raise RulesError(f"komi must be a finite number; not {komi!r}")
        if self.may_pass and not self.is_capture_game and not self.is_scored:
            raise RulesError(
                "such a game has no end: give captures, or scoring area or territory, or passing forbidden"
            )

    @property
    def is_capture_game(self) -> bool:
        """Whether a number of prisoners wins."""
        return self.captures is not None

    def replaced_by(self, named: Rules | None) -> Rules:
        """Return the rules that a file names instead of these, unless they would turn a capture game into Go."""
        return self if named is None or (self.is_capture_game and not named.is_capture_game) else named

    @property
    def is_scored(self) -> bool:
        """Whether points decide after two passes; never where passes are forbidden."""
        return self.scoring is not Scoring.NONE and self.may_pass

    @property
    def may_pass(self) -> bool:
        """Whether passing is legal."""
        return self.passing is not Passing.FORBIDDEN

    @property
    def free_pass(self) -> bool:
        """Whether a pass is legal and costs nothing."""
        return self.passing is Passing.FREE

    @property
    def pass_stones(self) -> int:
        """The prisoners that a pass hands to the opponent."""
        return int(self.passing is Passing.STONE)

    def won_by(self, prisoners: int) -> bool:
        """Whether a colour has won with this number of prisoners."""
        return self.captures is not None and prisoners >= self.captures

    def default_komi(self, width: int, height: int, handicap: int) -> float:
        """Komi in points if none was set; half a point with handicap, as in all sources of these rules."""
        if not self.is_scored:
            return 0.0
        if handicap:
            return 0.5
        return self.komi if min(width, height) >= 13 else self.small_komi

    @property
    def pays_for_handicap(self) -> bool:
        """Whether White gets a point for each handicap stone but one.

        If a pass costs a stone, area and territory scoring must agree. In territory scoring handicap stones are stones
        that Black has spent, so area scoring compensates White for them.
        """
        return self.passing is Passing.STONE and self.scoring is Scoring.AREA

    def override(self, **changes: Any) -> Rules:
        """Return these rules with some fields replaced. RulesError: an unknown field or an invalid value."""
        if unknown := changes.keys() - _KINDS:
            raise RulesError(f"no such rule: {', '.join(sorted(unknown))}: choose {', '.join(_KINDS)}")
        return replace(self, **changes)

    @classmethod
    def of(cls, rules: Rules | str) -> Rules:
        """Return rules as they are, or the rules that a text names. RulesError: as for `parse`. TypeError: neither."""
        if isinstance(rules, Rules):
            return rules
        if not isinstance(rules, str):
            raise TypeError(f"rules are Rules or the name of a preset, such as {DEFAULT!r}, not {rules!r}")
        return cls.parse(rules)

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read the name of a preset (`capture-N` for any N) and changes such as `ko=simple`: the inverse of `str`.

        RulesError: an unknown preset or field, or an invalid value. TypeError: not text.
        """
        if not isinstance(text, str):
            raise TypeError(f"rules are the name of a preset, such as {DEFAULT!r}, not {text!r}")
        name, *changes = text.split() or [""]
        number = re.fullmatch(r"capture-(\d{1,6})", name, re.ASCII)
        rules = PRESETS.get(name) or (capture(int(number[1])) if number else None)
        if rules is None or text != " ".join([name, *changes]):
            raise RulesError(f"unknown rules {text!r}: choose {', '.join(PRESETS)} or capture-N")
        return rules.override(**dict(_change(word) for word in changes)) if changes else rules

    @classmethod
    def of_file(cls, name: str) -> Rules | None:
        """Return the rules that a file names, as `parse` reads them or in a usual spelling; None for other rules.

        TypeError: not text.
        """
        if not isinstance(name, str):
            raise TypeError(f"the name of rules is text, not {name!r}")
        name = " ".join(name.lower().split())
        try:
            return cls.parse(name)
        except RulesError:
            return next((cls.parse(meant) for spelling, meant in _SPELLINGS if re.search(spelling, name)), None)

    def __str__(self) -> str:
        """The preset's name, or the nearest preset and the fields that differ, as `parse` reads them."""
        return self._text

    @cached_property
    def _text(self) -> str:
        number = self.captures or 0
        candidates = {f"capture-{number}": capture(number)} if number > 1 else {}
        candidates |= PRESETS
        differences = {name: _differences(self, rules) for name, rules in candidates.items()}
        name = min(differences, key=lambda n: len(differences[n]))
        return " ".join([name, *differences[name]])


_KINDS: Final = {field.name: str(field.type) for field in fields(Rules)}
"""The fields of rules, with the text of their types."""


def capture(stones: int) -> Rules:
    """Capture-N: the first to hold N prisoners wins; passing is forbidden, and no ko rule is needed."""
    return Rules(captures=stones, passing=Passing.FORBIDDEN)


PRESETS: Final[dict[str, Rules]] = {
    "first-capture": Rules(captures=1, passing=Passing.STONE),
    "capture-1": capture(1),
    "capture-2": capture(2),
    "capture-3": capture(3),
    "capture-5": capture(5),
    "capture-10": capture(10),
    "capture-20": capture(20),
    "tromp-taylor": Rules(suicide=True, ko=Ko.POSITIONAL, scoring=Scoring.AREA, komi=7.5, small_komi=7.5),
    "aga": Rules(
        ko=Ko.SITUATIONAL, passing=Passing.STONE, scoring=Scoring.TERRITORY, dead_stones=True, komi=7.5, small_komi=7.5
    ),
    "japanese": Rules(
        ko=Ko.SIMPLE, scoring=Scoring.TERRITORY, dead_stones=True, seki_points=False, komi=6.5, small_komi=5.5
    ),
    "chinese": Rules(ko=Ko.POSITIONAL, scoring=Scoring.AREA, dead_stones=True, komi=7.5, small_komi=7.5),
}
"""The rules of each preset, by name. `Rules.parse` also reads `capture-N` for any N."""
DEFAULT: Final = "first-capture"
"""Name of the default preset."""
NEAREST: Final = re.compile(r"^(goe|ing)\b|[应應応]")
"""Names in files of the rules of Ing, which have a ko rule of their own: the nearest rules are used."""
_SPELLINGS: Final = (
    (r"^((atari|capture|pon-?nuki)[ -]?go|first[ _]capture)$", DEFAULT),
    (r"^(jap|jpn?\b|nihon|korea|kr$)|日本|[韩韓]国|韓國|일본|한국", "japanese"),
    (r"^(chin|cn$|ch$)|中[国國]|중국", "chinese"),
    (r"^(aga|american|bga|british|ffg|french)\b", "aga"),
    (r"^(nz|new[ -]?zealand)\b", "chinese suicide=legal ko=situational"),
    (NEAREST, "chinese suicide=legal"),
    (r"^tromp", "tromp-taylor"),
)
"""Regular expressions for names in files, in small letters, and the rules that are meant."""


def _differences(rules: Rules, other: Rules) -> list[str]:
    values = ((name, getattr(rules, name), getattr(other, name)) for name in _KINDS)
    return [f"{name}={_text(name, mine)}" for name, mine, theirs in values if mine != theirs]


def _text(name: str, value: object) -> str:
    if isinstance(value, bool):
        return next(word for word, meant in _words(name).items() if meant == value)
    return "none" if value is None else str(value)


def _words(name: str) -> dict[str, bool]:
    """Return the words for the values of a field that is true or false."""
    return SUICIDE if name == "suicide" else {"yes": True, "no": False}


def _change(word: str) -> tuple[str, Any]:
    """Split `field=value` into the field and its value. RulesError: not of that form."""
    name, sign, text = word.partition("=")
    kind = _KINDS.get(name)
    if not sign or kind is None:
        raise RulesError(f"{word!r} is not a change of rules: give {', '.join(_KINDS)} = a value")
    try:
        if kind == "bool":
            return name, _words(name)[text]
        if kind == "float":
            value = float(text)
            if not math.isfinite(value):
                raise ValueError
            return name, value
        return name, text if kind != "int | None" else None if text == "none" else int(text)
    except (KeyError, ValueError):
        valid = f": choose {', '.join(_words(name))}" if kind == "bool" else ""
        raise RulesError(f"{name} cannot be {text!r}{valid}") from None
