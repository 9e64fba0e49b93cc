"""The command handlers, in a module for each group of clients, and their tables.

To add a command, write a handler and give it an entry in the TABLE of its module.
"""

from __future__ import annotations

from ...players.player import Player
from ..engine import Engine
from ..options import Options
from ..protocol import Registry
from . import analyze, capture, gogui, rules, servers, standard


def registry(options: Options, player: Player) -> Registry[Engine]:
    """Return the registry of all commands of a session with these options and this player."""
    analysis = (analyze.TABLE, analyze.GENMOVE_TABLE) if player.has_analysis else ()
    tables = [standard.TABLE, capture.TABLE, *analysis, gogui.TABLE, rules.TABLE, servers.TABLE]
    if options.gogui_rules:
        tables.append(gogui.RULES_TABLE)
    if options.rules_from_gui:
        tables.append(rules.FROM_GUI_TABLE)
    return Registry(*tables, unlisted=() if options.genmove_analyze else analyze.GENMOVE_TABLE)
