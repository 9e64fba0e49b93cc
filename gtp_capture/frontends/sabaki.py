"""Sabaki's settings: our entries in its list of engines.

Sabaki resets all its settings if it cannot parse the file, and writes the file when it closes. So this module replaces
the file atomically, keeps a backup beside it, and never overwrites a file that is not valid JSON.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..players.levels import ADAPT, FULL
from ..players.levels import name as level_name
from ..util.atomic_file import atomic_write
from ..util.files import RequestError, UnreadableError, read_bounded

KEY: Final = "engines.list"
MOST_BYTES: Final = 10_000_000
"""Maximum size of the file; usual ones have a few thousand bytes."""
BACKUP: Final = ".before-gtp-capture"
"""Suffix of the backup of the settings. It is made before the first change; later changes do not replace it."""
STEPS: Final = frozenset(range(1, 9))
"""The steps from first capture to Go, which are the lessons of the course."""

Settings = dict[str, Any]


class Group(NamedTuple):
    """The entries with the same rules, one for each level. At the level ADAPT the engine follows a person's results."""

    name: str
    """The first part of each name: the rules."""
    steps: frozenset[int]
    options: str
    levels: tuple[int, ...]

    def entry(self, level: int) -> str:
        """The name of an entry: rules, then the level in two digits, so that a sorted list begins with the weakest."""
        strength = "follows you" if level == ADAPT else level_name(level).replace("-", " ")
        return f"{self.name} {level:02} {strength}"


GROUPS: Final = (
    Group("Capture Go", frozenset({1, 2, 3, 4, 5}), "", (ADAPT, 1, 3, 5, 7, 9, FULL)),
    Group("Capture-5", frozenset({6}), "--rules capture-5", (3, 5, FULL)),
    Group("Capture-10", frozenset({7}), '--rules "capture-10 ko=simple passing=stone"', (3, FULL)),
    Group("Go, Japanese rules", frozenset({8}), "--rules japanese", (3, FULL)),
    Group("Go, AGA rules", frozenset({8}), "--rules aga", (3, FULL)),
)


def entries(executable: str, steps: frozenset[int] = STEPS) -> list[dict[str, str]]:
    """Our entries of Sabaki's list of engines for these steps."""
    listed = []
    for group in GROUPS:
        for level in group.levels if group.steps & steps else ():
            chosen = "" if level == FULL else f"--level {level or 'adapt'}"
            args = f"{group.options} {chosen}".strip()
            listed.append({"name": group.entry(level), "path": executable, "args": args, "commands": ""})
    return listed


def fragment(executable: str, steps: frozenset[int]) -> str:
    """Our part of the settings file, as JSON."""
    return _text({KEY: entries(executable, steps)})


# --- The path of the file ---


def settings_file(system: str, environment: Mapping[str, str], home: Path) -> Path:
    """The path of Sabaki's settings; `system` is a value of sys.platform."""
    if system == "win32":
        base = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    elif system == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    return base / "Sabaki" / "settings.json"


# --- Edits ---


def installed(settings: Settings, executable: str, steps: frozenset[int] = STEPS) -> Settings:
    """Return the settings with our entries for these steps: existing ones updated in place, new ones appended.

    Our entries for other steps are removed.
    """
    wanted = {entry["name"]: entry for entry in entries(executable, steps)}
    listed = []
    for engine in _engines(settings):
        if not _is_ours(engine):
            listed.append(engine)
            continue
        ours = wanted.pop(engine["name"], None)
        if ours is not None:
            listed.append({**engine, "path": ours["path"], "args": ours["args"]})
    return {**settings, KEY: [*listed, *wanted.values()]}


def uninstalled(settings: Settings) -> Settings:
    """Return the settings without our entries."""
    if KEY not in settings:
        return settings
    return {**settings, KEY: [engine for engine in _engines(settings) if not _is_ours(engine)]}


def programs(settings: Settings) -> Counter[str]:
    """Return the paths of the programs that our entries start, with the number of entries."""
    return Counter(engine["path"] for engine in _engines(settings) if _is_ours(engine))


def _engines(settings: Settings) -> list[Any]:
    engines = settings.get(KEY, [])
    if not isinstance(engines, list):
        raise RequestError(f"{KEY} is not a list")
    return engines


def _is_ours(engine: Any) -> bool:
    """Whether an entry is ours: it has one of our names and starts our program."""
    if not isinstance(engine, dict) or not all(isinstance(engine.get(key), str) for key in ("name", "path")):
        return False
    program = re.split(r"[\\/]", engine["path"])[-1].lower().removesuffix(".exe")
    return program == "gtp-capture" and engine["name"] in {entry["name"] for entry in entries("")}


# --- Reading and writing ---


def read(path: Path) -> tuple[bytes, Settings]:
    """Return the bytes and the settings of a file.

    RequestError: it does not exist, is not valid JSON, or has a number that cannot be written back.
    """
    try:
        data = read_bounded(path, MOST_BYTES)
    except UnreadableError as error:
        if not os.path.lexists(path):
            raise RequestError(f"no settings at {path}: start Sabaki once, and close it") from None
        raise RequestError(f"cannot read {path}: {error}") from None
    try:
        settings = json.loads(data.decode(), parse_constant=_refuse, parse_float=_finite)
    except RequestError as error:
        raise RequestError(f"{path}: {error}: nothing was changed") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise RequestError(f"{path} is not valid JSON at {place}: nothing was changed") from None
    except ValueError:
        raise RequestError(f"{path} is not valid JSON: nothing was changed") from None
    except RecursionError:
        raise RequestError(f"{path} is nested too deeply: nothing was changed") from None
    if not isinstance(settings, dict):
        raise RequestError(f"{path} does not hold settings: nothing was changed")
    return data, settings


def write(path: Path, before: bytes, settings: Settings) -> Path:
    """Replace the file; return the path of the backup, which has the settings before the first change of all.

    RequestError: the file has changed, or cannot be written.
    """
    target = path.resolve()  # keep a symbolic link: replace the file that it points to
    backup = target.with_name(target.name + BACKUP)
    kept = os.path.lexists(backup)
    try:
        if read_bounded(target, MOST_BYTES) != before:
            raise RequestError(f"{path} has just changed: close Sabaki and try again")
        for file, data in [(target, encode(settings))] if kept else [(backup, before), (target, encode(settings))]:
            with atomic_write(file, mode_of=target) as stream:
                stream.write(data)
    except UnreadableError as error:
        raise RequestError(f"cannot read {path}: {error}") from None
    except OSError as error:
        raise RequestError(f"cannot write {error.filename or path}: {error.strerror}") from None
    return backup


def encode(settings: Settings) -> bytes:
    """Encode the settings as Sabaki does: indent of two spaces, UTF-8, no byte order mark."""
    try:
        return _text(settings).encode()
    except UnicodeEncodeError:  # a lone surrogate, which JSON can only hold as an escape
        return _text(settings, ascii_only=True).encode()


def _text(settings: Settings, ascii_only: bool = False) -> str:
    return json.dumps(settings, indent=2, ensure_ascii=ascii_only)


def _refuse(text: str) -> None:
    raise RequestError(f"{text} is not a number")


def _finite(text: str) -> float:
    """Return a number. RequestError: it is so large that it would be written as Infinity, which is not JSON."""
    number = float(text)
    if not math.isfinite(number):
        raise RequestError(f"the number {text[:20]} is too large to be kept")
    return number
