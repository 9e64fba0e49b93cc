"""Sabaki's settings: our engines in its list, and nothing else changed.

Sabaki resets every setting when it cannot parse the file, and writes the file when it closes. So the file is
replaced as a whole or not at all, the one before is kept beside it, and what is no valid JSON is never written over.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ..players.levels import name as level_name

KEY: Final = "engines.list"
BACKUP: Final = ".before-gtp-capture"
"""What the kept file has behind its name."""
LEVELS: Final = (1, 3, 5, 7, 9)
"""The levels worth an entry, beside full strength."""
RULES: Final = ("capture-3", "capture-5", "capture-10", "chinese")

Settings = dict[str, Any]


class SettingsError(Exception):
    """The settings cannot be changed; the message says why, and nothing was."""


def entries(executable: str) -> list[dict[str, str]]:
    """Our engines as Sabaki lists them."""
    named = [(f"Capture Go, {level_name(n).replace('-', ' ')}", f"--level {n}") for n in LEVELS]
    named.append(("Capture Go", ""))
    named += [(f"Capture Go, {rules}", f"--rules {rules}") for rules in RULES]
    return [{"name": name, "path": executable, "args": args, "commands": ""} for name, args in named]


def fragment(executable: str) -> str:
    """Our part of the settings file."""
    return _text({KEY: entries(executable)})


# --- Where the file is ---


def settings_file(system: str, environment: Mapping[str, str], home: Path) -> Path:
    """Where Sabaki keeps its settings; `system` as sys.platform names it."""
    if system == "win32":
        base = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    elif system == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    return base / "Sabaki" / "settings.json"


# --- What changes ---


def installed(settings: Settings, executable: str) -> Settings:
    """The settings with our entries: those that were there brought up to date in their places, the others behind."""
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
    """The settings without our entries."""
    if KEY not in settings:
        return settings
    return {**settings, KEY: [engine for engine in _engines(settings) if not _is_ours(engine)]}


def _engines(settings: Settings) -> list[Any]:
    engines = settings.get(KEY, [])
    if not isinstance(engines, list):
        raise SettingsError(f"{KEY} is no list")
    return engines


def _is_ours(engine: Any) -> bool:
    """Whether an entry is one that we put there: by our names for our program."""
    if not isinstance(engine, dict) or not isinstance(engine.get("path"), str):
        return False
    program = re.split(r"[\\/]", engine["path"])[-1].lower().removesuffix(".exe")
    return program == "gtp-capture" and engine.get("name") in {entry["name"] for entry in entries("")}


# --- Reading and writing ---


def read(path: Path) -> tuple[bytes, Settings]:
    """The file as it is, and what it holds. SettingsError: it is not there, or is not valid JSON."""
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
        raise SettingsError(f"{path} holds no settings: nothing was changed")
    return data, settings


def write(path: Path, before: bytes, settings: Settings) -> Path:
    """Replace the file at once; where the one before is kept. SettingsError: it changed meanwhile, or cannot be."""
    target = path.resolve()  # a link stays a link
    backup = target.with_name(target.name + BACKUP)
    try:
        if target.read_bytes() != before:
            raise SettingsError(f"{path} has just changed: close Sabaki and try again")
        _replace(backup, before, target)
        _replace(target, encode(settings), target)
    except OSError as error:
        raise SettingsError(f"cannot write {error.filename or path}: {error.strerror}") from None
    return backup


def encode(settings: Settings) -> bytes:
    """The file as Sabaki itself would write it: two spaces, UTF-8, no byte order mark."""
    try:
        return _text(settings).encode()
    except UnicodeEncodeError:  # half a character, which JSON can only hold in its escaped form
        return _text(settings, ascii_only=True).encode()


def _replace(target: Path, data: bytes, like: Path) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=target.name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(like, temporary)
        os.replace(temporary, target)  # noqa: PTH105 - as atomic, and plainer
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _text(settings: Settings, ascii_only: bool = False) -> str:
    return json.dumps(settings, indent=2, ensure_ascii=ascii_only)


def _refuse(text: str) -> None:
    raise ValueError(f"{text} is no number")
