"""The handlers, grouped by who asks, and the tables that name them."""

from __future__ import annotations

from ..engine import Engine
from ..protocol import Registry
from . import capture, standard


def registry() -> Registry[Engine]:
    """Every command that the engine answers."""
    return Registry(standard.TABLE, capture.TABLE)
