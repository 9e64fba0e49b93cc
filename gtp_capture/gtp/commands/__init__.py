"""The handlers, grouped by who asks, and the tables that name them."""

from __future__ import annotations

from ..engine import Engine
from ..options import Options
from ..protocol import Registry
from . import analyze, capture, gogui, rules, servers, standard


def registry(options: Options) -> Registry[Engine]:
    """Every command that a session with these options answers."""
    tables = [standard.TABLE, capture.TABLE, analyze.TABLE, gogui.TABLE, rules.TABLE, servers.TABLE]
    if options.genmove_analyze:
        tables.append(analyze.GENMOVE_TABLE)
    if options.gogui_rules:
        tables.append(gogui.RULES_TABLE)
    if options.rules_from_gui:
        tables.append(rules.FROM_GUI_TABLE)
    return Registry(*tables)
