"""The table of English sentences, `sentences.txt`, and its translations, which are catalogues of gettext."""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

DOMAIN: Final = "gtp_capture"
"""The name of the catalogues."""
FOLDER: Final = Path(__file__).parents[1] / "locale"
"""The folder of the catalogues: LANGUAGE/LC_MESSAGES/gtp_capture.mo."""
ENGLISH: Final = "en"


@cache
def table() -> Mapping[str, str]:
    """Return the English sentences by key. The file describes its form."""
    found: dict[str, str] = {}
    key = ""
    for line in (resources.files(__package__) / "sentences.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            found[key] += f" {line.strip()}"
        elif line and not line.startswith("#"):
            key, _, text = line.partition(" =")
            found[key] = text.strip()
    return found


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """Return the translations into a language, such as "de" or "pt_PT"; without a catalogue, all is English."""
    return gettext.translation(DOMAIN, FOLDER, [language], fallback=True)
