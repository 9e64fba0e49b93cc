"""Compilation of translations for gettext, by a build and by the tools of translators."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def compile_catalogue(source: Path, folder: Path | None = None) -> None:
    """Compile a catalogue, `gtp_capture.po`, into a folder; without one, into its own.

    The digest of the source becomes a message, by which a checkout knows whether the compiled catalogue is current.
    """
    target = (folder or source.parent) / f"{source.stem}.mo"
    target.parent.mkdir(parents=True, exist_ok=True)
    data = source.read_bytes()
    catalog = read_po(io.BytesIO(data))
    catalog.add("sha256", hashlib.sha256(data).hexdigest())
    with target.open("wb") as file:
        write_mo(file, catalog)
