"""The engines of a match: labels, and one start of each before the first game, to report a wrong command early."""

from __future__ import annotations

import platform
import shlex
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from ..go.words import digits
from ..util.files import RequestError, read_bounded
from .games import SEED, Connect, Contender, Match
from .process import NAME_LENGTH, EngineClient, EngineFault, Fault, one_line
from .referee import QUERY, RECTANGULAR, Conditions, prepare
from .rows import NONE

SIDES: Final = ("Black", "White")
"""Names of two engines in the properties, by the colour of each in the first game."""
MOST_BYTES: Final = 1_000_000
"""Maximum size of a file of engines."""


def probe_engines(
    commands: Sequence[tuple[str, Connect]], conditions: Conditions, warnings: list[str]
) -> list[Contender]:
    """Start every engine once, and name it as it reports. RequestError: a command does not work."""
    contenders = [probe(Contender("", *command), conditions, warnings) for command in commands]
    names = labels([engine.reported for engine in contenders], [command for command, _ in commands])
    return [replace(engine, name=name) for engine, name in zip(contenders, names, strict=True)]


def probe_engines_of_file(engines: Path, conditions: Conditions, warnings: list[str]) -> list[Contender]:
    """Start every engine of a TOML file once, with its name there. RequestError: the file, or a command of it."""
    named = _read_engines(engines)
    return [probe(Contender(name, command), conditions, warnings) for name, command in named.items()]


def probe(contender: Contender, conditions: Conditions, warnings: list[str]) -> Contender:
    """Start an engine, set up a game, end it, and return the engine with the name and the version that it reports.

    RequestError: one of these fails; `warnings` gets lesser problems.
    """
    engine = contender.connect(contender.command.replace(SEED, "1"))
    called = one_line(contender.name or contender.command) or "an engine"
    sized = conditions.width == conditions.height
    try:
        _prepare(engine, conditions, called, warnings)
        sized = sized or any(engine.knows(command, conditions.patience) for command in (RECTANGULAR, QUERY))
    except EngineFault as error:
        engine.close(0)
        said = f": {engine.stderr[-1]}" if engine.stderr else ""
        raise RequestError(f"{called}: {error.fault}: {error}{said}") from None
    if not sized:
        board = f"{conditions.width}x{conditions.height}"
        warnings.append(f"{called} may not know a board of {board}: it has neither {RECTANGULAR} nor {QUERY}")
    if not engine.close():
        warnings.append(f"{called} ignores quit and is ended by force")
    # In the results file a dash means that there is no value, so it cannot be a name.
    return replace(contender, reported=engine.name if engine.name not in ("", NONE) else "?", version=engine.version)


def _prepare(engine: EngineClient, conditions: Conditions, called: str, warnings: list[str]) -> None:
    """Set up a game. An engine that has started and then fails is started again, once, as for the game after a fault.

    EngineFault: it does not start, cannot play this game, or fails again.
    """
    untimed = replace(conditions, clock=None)
    try:
        prepare(engine, untimed)
    except EngineFault as error:
        if not engine.commands or error.fault is Fault.REFUSAL:
            raise
        engine.close(0)
        warnings.append(f"{called}: {error.fault}: {error}; it is started again")
        prepare(engine, untimed)


def _read_engines(path: Path) -> dict[str, str]:
    try:
        table = tomllib.loads(read_bounded(path, MOST_BYTES).decode("utf-8-sig")).get("engines")
    except RecursionError:
        raise RequestError(f"{path}: it is nested too deeply") from None
    except UnicodeDecodeError:
        raise RequestError(f"{path}: it is not UTF-8") from None
    except ValueError as error:  # unreadable, or not TOML
        raise RequestError(f"{path}: {error}") from None
    if not isinstance(table, dict) or not all(isinstance(v, str) for v in table.values()) or len(table) < 2:
        raise RequestError(f"{path}: it needs a table [engines] with two or more names and commands")
    if bad := [name for name in table if name in ("", NONE) or name != one_line(name, NAME_LENGTH)]:
        raise RequestError(f"{path}: {bad[0][: 2 * NAME_LENGTH]!r} is not a name of at most {NAME_LENGTH} characters")
    return table


def properties(match: Match) -> dict[str, str]:
    """The header properties of the results file."""
    conditions = match.conditions
    square = conditions.width == conditions.height
    header = {
        "Alternate": str(match.alternate),
        "Clock": "none" if conditions.clock is None else "{:g} {:g} {}".format(*conditions.clock),
        "Date": datetime.now(UTC).isoformat(timespec="seconds"),
        "Host": platform.node(),
        "Komi": digits(conditions.game().komi),
        "Margin": f"{conditions.margin:g}",
        "MaxMoves": str(conditions.max_moves),
        "Openings": match.openings.name,
        "Referee": NONE,
        "Rules": str(conditions.rules),
        "Seed": str(match.seed),
        "Size": f"{conditions.width}" if square else f"{conditions.width}x{conditions.height}",
        "Xml": "0",
    }
    engines = match.contenders
    sides = SIDES if len(engines) == 2 else tuple(f"Engine{i + 1}" for i in range(len(engines)))
    for side, engine in zip(sides, engines, strict=True):
        header[side] = engine.reported
        header[f"{side}Command"] = engine.command
        header[f"{side}Label"] = engine.name
        header[f"{side}Version"] = engine.version
    return header


def labels(names: Sequence[str], commands: Sequence[str]) -> list[str]:
    """Return a distinct name for each engine: equal names are followed by the parts of the commands that differ.

    If the commands are equal too, or a name would be too long, a number follows each name instead.
    """
    distinct = list(names)
    for name in set(names):
        places = [place for place, other in enumerate(names) if other == name]
        if len(places) > 1:
            for place, rest in zip(places, differences([commands[place] for place in places]), strict=True):
                distinct[place] = one_line(f"{name} {rest}")
    if len(set(distinct)) == len(distinct) and all(len(label) <= NAME_LENGTH for label in distinct):
        return distinct
    return [f"{name[: NAME_LENGTH - 5].rstrip()}[{place}]" for place, name in enumerate(names, 1)]


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
