"""The table of English sentences, `sentences.txt`, and its translations, which are catalogues of gettext."""

from __future__ import annotations

import gettext
import hashlib
import locale
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

DOMAIN: Final = "gtp_capture"
"""The name of the catalogues."""
FOLDER: Final = Path(__file__).parents[1] / "locale"
"""The folder of the catalogues: LANGUAGE/LC_MESSAGES/gtp_capture.mo."""
ENGLISH: Final = "en"
TRADITIONAL: Final = frozenset({"hant", "hk", "mo", "tw"})
"""What names the traditional characters of Chinese: the script, or a country that writes them."""
VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Variables of the environment that name languages, as gettext reads them: the first one that is set decides."""


@cache
def table() -> Mapping[str, str]:
    """Return the English sentences by key. The file describes its form."""
    sentences: dict[str, str] = {}
    key = ""
    for line in (resources.files(__package__) / "sentences.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            sentences[key] += f" {line.strip()}"
        elif line and not line.startswith("#"):
            key, _, text = line.partition(" =")
            sentences[key] = text.strip()
    return sentences


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """Return the translations into a language, such as "de" or "pt_PT"; without a catalogue, all is English."""
    return gettext.translation(DOMAIN, FOLDER, [language] if language in languages() else [], fallback=True)


def languages() -> list[str]:
    """Return the languages that have a catalogue, and English, which is the first one.

    A checkout has catalogues beside their sources. One that was compiled from another text than its source has now is
    left out, as it may say what is not true any more.
    """
    return [ENGLISH, *translated(FOLDER)]


@cache
def translated(folder: Path) -> list[str]:
    """Return the languages that have a catalogue in a folder, which is read once."""
    files = folder.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")
    return sorted(path.parents[1].name for path in files if _is_current(path, path.with_suffix(".po")))


def _is_current(path: Path, source: Path) -> bool:
    """Whether a catalogue was compiled from its source as it is now. An installation has no sources, so reads nothing.

    Times of files say nothing here: a copy and a checkout of Git write the files of a folder in any order.
    """
    return not source.exists() or hashlib.sha256(source.read_bytes()).hexdigest().encode() in path.read_bytes()


def language(name: str) -> str:
    """Return the language that a name means: `de_AT.UTF-8` is "de", `zh-Hans` is "zh_CN", `zh-Hant-HK` is "zh_TW".

    `pt` alone is "pt_BR", and with another country than Brazil, such as `pt_AO`, it is "pt_PT".
    ValueError: there is none; the text names all languages.
    """
    wanted, there = re.split(r"[.@]", name.replace("-", "_"))[0].lower(), languages()
    first, *rest = wanted.split("_")
    if first == "yue" or (first == "zh" and not TRADITIONAL.isdisjoint(rest)):
        wanted = "zh_tw"
    elif first == "pt" and rest and "br" not in rest:
        wanted = "pt_pt"  # Angola and others write as Portugal does
    for same in (str.lower, _without_country):
        for known in there:
            if same(known) == same(wanted):
                return known
    raise ValueError(f"{name!r} is not one of {', '.join(there)}")


def _without_country(name: str) -> str:
    return name.lower().partition("_")[0]


def language_of_system() -> str:
    """Return the first language that the environment names and that has a catalogue, else English.

    On Windows, where the environment names none, the language of the desktop counts.
    """
    names = next(filter(None, map(os.environ.get, VARIABLES)), "")
    if not names and sys.platform == "win32":
        import ctypes

        names = locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    for name in names.split(":"):
        with suppress(ValueError):
            return language(name)
    return ENGLISH
