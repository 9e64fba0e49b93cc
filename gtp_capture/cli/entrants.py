"""Who takes part in a match: every engine is met once, so that a wrong command is told before the first game."""

from __future__ import annotations

import platform
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from ..match.games import SEED, Contender, Match
from ..match.labels import labels
from ..match.process import NAME_LENGTH, SHOWN, Engine, EngineFault
from ..match.referee import Conditions, prepare
from ..match.rows import NONE
from ..match.text import one_line

SIDES: Final = ("Black", "White")
"""What the properties call two engines, by the colour that each has first."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """An engine as it presents itself."""

    contender: Contender
    name: str
    version: str


def entrants(
    black: str | None, white: str | None, engines: Path | None, conditions: Conditions, warnings: list[str]
) -> list[Entrant]:
    """Start every engine once, so that what is wrong with a command is said before the first game."""
    if engines is not None:
        if black is not None or white is not None:
            raise click.UsageError("give --engines, or --black and --white, not both")
        named = _read_engines(engines)
        found = [_meet(command, conditions, warnings, name) for name, command in named.items()]
        return relabelled(found, named)
    if black is None or white is None:
        raise click.UsageError("give --black and --white, or --engines")
    found = [_meet(command, conditions, warnings) for command in (black, white)]
    return relabelled(found, labels([e.name for e in found], [black, white]))


def relabelled(met: list[Entrant], names: Iterable[str]) -> list[Entrant]:
    """The same engines under other names."""
    return [replace(e, contender=replace(e.contender, name=n)) for n, e in zip(names, met, strict=True)]


def as_before(met: list[Entrant], before: Mapping[str, str]) -> list[Entrant]:
    """The two engines under the names that a results file has for the same commands, which may be of an older version.

    Where the file has other commands, or no such names, nothing changes: the comparison of the properties says why.
    """
    names = [before.get(f"{side}Label", "") for side in SIDES]
    same = [before.get(f"{side}Command") for side in SIDES] == [one_line(e.contender.command) for e in met]
    return relabelled(met, names) if same and is_name(names[0]) and is_name(names[1]) and len(set(names)) == 2 else met


def is_name(text: str) -> bool:
    """Whether the tables can hold a name."""
    return text not in ("", NONE) and text == one_line(text, NAME_LENGTH)


def _meet(command: str, conditions: Conditions, warnings: list[str], name: str = "") -> Entrant:
    engine = Engine(command.replace(SEED, "1"))
    called = one_line(name or command)
    try:
        prepare(engine, replace(conditions, clock=None))
        theirs = ""
        if "capture-rules" in engine.commands:
            theirs = one_line(engine.ask("capture-rules", conditions.patience), SHOWN)
    except EngineFault as error:
        engine.close(0)
        said = f": {engine.stderr[-1]}" if engine.stderr else ""
        raise click.UsageError(f"{called}: {error.fault}: {error}{said}") from None
    if theirs and theirs != str(conditions.rules):
        warnings.append(f"{called} plays {theirs}, and is judged by {conditions.rules}")
    if not engine.close():
        warnings.append(f"{called} ignores quit and is ended by force")
    # A dash stands for none in the table of results.
    return Entrant(Contender(name, command), engine.name if engine.name not in ("", NONE) else "?", engine.version)


def _read_engines(path: Path) -> dict[str, str]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8")).get("engines")
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise click.UsageError(f"{path}: {error}") from None
    if not isinstance(table, dict) or not all(isinstance(v, str) for v in table.values()) or len(table) < 2:
        raise click.UsageError(f"{path}: it needs a table [engines] with two or more names and commands")
    if bad := [name for name in table if not is_name(name)]:
        raise click.UsageError(f"{path}: {bad[0][: 2 * NAME_LENGTH]!r} is no name of at most {NAME_LENGTH} characters")
    return table


def properties(whole: Match, met: list[Entrant], openings_file: Path | None) -> dict[str, str]:
    """What stands above the table of results."""
    conditions, kind = whole.conditions, whole.openings.kind
    found = {
        "Alternate": str(whole.alternate),
        "Clock": "none" if conditions.clock is None else "{:g} {:g} {}".format(*conditions.clock),
        "Date": datetime.now(UTC).isoformat(timespec="seconds"),
        "Host": platform.node(),
        "Komi": f"{conditions.game().komi:g}",
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
    sides = SIDES if len(met) == 2 else tuple(f"Engine{i + 1}" for i in range(len(met)))
    for side, entrant in zip(sides, met, strict=True):
        found[side] = entrant.name
        found[f"{side}Command"] = entrant.contender.command
        found[f"{side}Label"] = entrant.contender.name
        found[f"{side}Version"] = entrant.version
    return found
