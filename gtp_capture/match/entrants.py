"""The engines of a match: labels, and one start of each before the first game, to report a wrong command early."""

from __future__ import annotations

import platform
import shlex
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from ..go.words import digits
from ..util.files import RequestError, read_bounded
from .games import SEED, Connect, Contender, Match
from .process import NAME_LENGTH, SHOWN, EngineClient, EngineFault, one_line
from .referee import QUERY, RECTANGULAR, Conditions, prepare
from .rows import NONE

SIDES: Final = ("Black", "White")
"""Names of two engines in the properties, by the colour of each in the first game."""
MOST_BYTES: Final = 1_000_000
"""Maximum size of a file of engines."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """An engine with the name and version that it reports."""

    contender: Contender
    name: str
    version: str


def entrants(commands: Sequence[tuple[str, Connect]], conditions: Conditions, warnings: list[str]) -> list[Entrant]:
    """Start every engine once, and label it by the name that it reports. RequestError: a command does not work."""
    found = [probe(command, conditions, warnings, connect=connect) for command, connect in commands]
    return relabelled(found, labels([e.name for e in found], [command for command, _ in commands]))


def entrants_of_file(engines: Path, conditions: Conditions, warnings: list[str]) -> list[Entrant]:
    """Start every engine of a TOML file once, with its label there. RequestError: the file, or a command of it."""
    named = _read_engines(engines)
    return relabelled([probe(command, conditions, warnings, name) for name, command in named.items()], named)


def relabelled(probed: list[Entrant], names: Iterable[str]) -> list[Entrant]:
    """The same engines with other labels."""
    return [replace(e, contender=replace(e.contender, name=n)) for n, e in zip(names, probed, strict=True)]


def is_label(text: str) -> bool:
    """Whether a text can be a label in the results file."""
    return text not in ("", NONE) and text == one_line(text, NAME_LENGTH)


def probe(
    command: str, conditions: Conditions, warnings: list[str], name: str = "", connect: Connect = EngineClient
) -> Entrant:
    """Start an engine, set up a game, and end it. RequestError: one of these fails; `warnings` gets lesser problems."""
    engine = connect(command.replace(SEED, "1"))
    called, square = one_line(name or command), conditions.width == conditions.height
    try:
        prepare(engine, replace(conditions, clock=None))
        sized = square or any(engine.knows(command, conditions.patience) for command in (RECTANGULAR, QUERY))
        theirs = ""
        if "capture-rules" in engine.commands:
            theirs = one_line(engine.ask("capture-rules", conditions.patience), SHOWN)
    except EngineFault as error:
        engine.close(0)
        said = f": {engine.stderr[-1]}" if engine.stderr else ""
        raise RequestError(f"{called}: {error.fault}: {error}{said}") from None
    if not sized:
        board = f"{conditions.width}x{conditions.height}"
        warnings.append(f"{called} may not know a board of {board}: it has neither {RECTANGULAR} nor {QUERY}")
    if theirs and theirs != str(conditions.rules):
        warnings.append(f"{called} plays {theirs}, but is adjudicated by {conditions.rules}")
    if not engine.close():
        warnings.append(f"{called} ignores quit and is ended by force")
    # In the results file a dash means that there is no value, so it cannot be a name.
    return Entrant(
        Contender(name, command, connect), engine.name if engine.name not in ("", NONE) else "?", engine.version
    )


def _read_engines(path: Path) -> dict[str, str]:
    try:
        table = tomllib.loads(read_bounded(path, MOST_BYTES).decode("utf-8-sig")).get("engines")
    except RecursionError:
        raise RequestError(f"{path}: it is nested too deeply") from None
    except ValueError as error:  # unreadable, not UTF-8, or not TOML
        raise RequestError(f"{path}: {error}") from None
    if not isinstance(table, dict) or not all(isinstance(v, str) for v in table.values()) or len(table) < 2:
        raise RequestError(f"{path}: it needs a table [engines] with two or more names and commands")
    if bad := [name for name in table if not is_label(name)]:
        raise RequestError(f"{path}: {bad[0][: 2 * NAME_LENGTH]!r} is not a name of at most {NAME_LENGTH} characters")
    return table


def properties(whole: Match, probed: Sequence[Entrant], openings_file: Path | None) -> dict[str, str]:
    """The header properties of the results file."""
    conditions, kind = whole.conditions, whole.openings.kind
    found = {
        "Alternate": str(whole.alternate),
        "Clock": "none" if conditions.clock is None else "{:g} {:g} {}".format(*conditions.clock),
        "Date": datetime.now(UTC).isoformat(timespec="seconds"),
        "Host": platform.node(),
        "Komi": digits(conditions.game().komi),
        "Margin": f"{conditions.margin:g}",
        "MaxMoves": str(conditions.max_moves),
        "Openings": str(openings_file)
        if kind == "file"
        else f"{kind}-{whole.openings.plies}"
        if kind == "random"
        else kind,
        "Referee": NONE,
        "Rules": str(conditions.rules),
        "Seed": str(whole.seed),
        "Size": f"{conditions.width}"
        if conditions.width == conditions.height
        else f"{conditions.width}x{conditions.height}",
        "Xml": "0",
    }
    sides = SIDES if len(probed) == 2 else tuple(f"Engine{i + 1}" for i in range(len(probed)))
    for side, entrant in zip(sides, probed, strict=True):
        found[side] = entrant.name
        found[f"{side}Command"] = entrant.contender.command
        found[f"{side}Label"] = entrant.contender.name
        found[f"{side}Version"] = entrant.version
    return found


def labels(names: Sequence[str], commands: Sequence[str]) -> list[str]:
    """Return a distinct name for each engine: equal names are followed by the parts of the commands that differ.

    If the commands are equal too, or a name would be too long, a number follows instead.
    """
    found = list(names)
    for name in set(names):
        places = [place for place, other in enumerate(names) if other == name]
        if len(places) > 1:
            longer = [f"{name} {rest}".strip() for rest in differences([commands[place] for place in places])]
            for place, label in zip(places, longer, strict=True):
                found[place] = one_line(label)
    if len(set(found)) == len(found) and all(len(label) <= NAME_LENGTH for label in found):
        return found
    return _numbered(names)


def _numbered(names: Sequence[str]) -> list[str]:
    found: list[str] = []
    for place, name in enumerate(names, 1):
        label, number = name, place
        while names.count(name) > 1 and (label in found or label in names):
            label = f"{name[: NAME_LENGTH - 4].rstrip()}[{number}]"
            number += len(names)
        found.append(label)
    return found


def differences(commands: Sequence[str]) -> list[str]:
    """Return, for each command, its options and their values that some other command lacks."""
    parts = [_parts(command) for command in commands]
    return [" ".join(part for part in own if not all(part in other for other in parts)) for own in parts]


def _parts(command: str) -> list[str]:
    """Split a command into words, each option joined with the values that follow it."""
    try:
        words = shlex.split(command)
    except ValueError:
        return [command]
    parts: list[str] = []
    for word in words:
        if parts and parts[-1].startswith("-") and not word.startswith("-"):
            parts[-1] += f" {word}"
        else:
            parts.append(word)
    return parts
