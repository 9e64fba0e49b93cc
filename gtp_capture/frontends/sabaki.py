"""Sabaki's settings: add our engines to its list, or remove them.

Sabaki resets all its settings if it cannot parse the file, and writes the file when it closes. So the file is replaced
atomically, a backup is kept beside it, and a file that is not valid JSON is never overwritten.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ..players.levels import name as level_name
from ..util.atomic_file import atomic_write

KEY: Final = "engines.list"
BACKUP: Final = ".before-gtp-capture"
"""Suffix of the backup file."""
LEVELS: Final = (1, 3, 5, 7, 9)
"""Levels with an entry of their own, in addition to full strength."""
RULES: Final = ("capture-3", "capture-5", "capture-10", "chinese")

Settings = dict[str, Any]


class SettingsError(Exception):
    """The settings cannot be changed, and were not; the message gives the reason."""


def entries(executable: str) -> list[dict[str, str]]:
    """Our entries of Sabaki's list of engines."""
    named = [(f"Capture Go, {level_name(n).replace('-', ' ')}", f"--level {n}") for n in LEVELS]
    named.append(("Capture Go", ""))
    named += [(f"Capture Go, {rules}", f"--rules {rules}") for rules in RULES]
    return [{"name": name, "path": executable, "args": args, "commands": ""} for name, args in named]


def fragment(executable: str) -> str:
    """Our part of the settings file, as JSON."""
    return _text({KEY: entries(executable)})


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


def installed(settings: Settings, executable: str) -> Settings:
    """Return the settings with our entries: existing ones updated in place, new ones appended."""
    wanted = {entry["name"]: entry for entry in entries(executable)}
    listed = []
    for engine in _engines(settings):
        if _is_ours(engine) and engine["name"] in wanted:
            ours = wanted.pop(engine["name"])
            listed.append({**engine, "path": ours["path"], "args": ours["args"]})
        elif not _is_ours(engine):
            listed.append(engine)
    return {**settings, KEY: [*listed, *wanted.values()]}


def uninstalled(settings: Settings) -> Settings:
    """Return the settings without our entries."""
    if KEY not in settings:
        return settings
    return {**settings, KEY: [engine for engine in _engines(settings) if not _is_ours(engine)]}


def _engines(settings: Settings) -> list[Any]:
    engines = settings.get(KEY, [])
    if not isinstance(engines, list):
        raise SettingsError(f"{KEY} is not a list")
    return engines


def _is_ours(engine: Any) -> bool:
    """Whether an entry is ours: it has one of our names and starts our program."""
    if not isinstance(engine, dict) or not isinstance(engine.get("path"), str):
        return False
    program = re.split(r"[\\/]", engine["path"])[-1].lower().removesuffix(".exe")
    return program == "gtp-capture" and engine.get("name") in {entry["name"] for entry in entries("")}


# --- Reading and writing ---


def read(path: Path) -> tuple[bytes, Settings]:
    """Return the bytes and the settings of a file. SettingsError: it does not exist, or is not valid JSON."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise SettingsError(f"no settings at {path}: start Sabaki once, and close it") from None
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror}") from None
    try:
        settings = json.loads(data.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path} is not valid JSON ({error}): nothing was changed") from None
    if not isinstance(settings, dict):
        raise SettingsError(f"{path} does not hold settings: nothing was changed")
    return data, settings


def write(path: Path, before: bytes, settings: Settings) -> Path:
    """Replace the file and return the path of the backup. SettingsError: it has changed, or cannot be written."""
    target = path.resolve()  # keep a symbolic link: replace the file that it points to
    backup = target.with_name(target.name + BACKUP)
    try:
        if target.read_bytes() != before:
            raise SettingsError(f"{path} has just changed: close Sabaki and try again")
        for file, data in ((backup, before), (target, encode(settings))):
            with atomic_write(file, mode_of=target) as stream:
                stream.write(data)
    except OSError as error:
        raise SettingsError(f"cannot write {error.filename or path}: {error.strerror}") from None
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
    raise ValueError(f"{text} is not a number")
