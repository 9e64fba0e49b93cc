"""Folders of this repository."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
ROOT = TESTS.parent
MANUAL = ROOT / "gtp_capture" / "manual"
