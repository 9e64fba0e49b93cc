"""The command handlers, in a module for each group of clients, and their tables.

To add a command, write a handler and give it an entry in the TABLE of its module.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...players.player import Player
from ..engine import Engine
from ..options import Options
from ..protocol import Answer, Entry, Registry
from . import analyze, capture, gogui, rules, servers, standard


def _by_player(name: str, entry: Entry[Engine]) -> Entry[Engine]:
    """Return the entry of a command with `--gogui-rules`. It loads the search if GoGui never sends it to a ruler."""
    if name in gogui.OF_RULERS:
        return entry

    def handler(engine: Engine, args: Sequence[str]) -> Answer | None:
        engine.load_search()
        return entry.handler(engine, args)

    return entry._replace(handler=handler)


def registry(options: Options, player: Player) -> Registry[Engine]:
    """Return the registry of all commands of a session with these options and this player."""
    analysis = (analyze.TABLE, analyze.GENMOVE_TABLE) if player.has_analysis else ()
    tables = [standard.TABLE, capture.TABLE, *analysis, gogui.TABLE, rules.TABLE, servers.TABLE]
    if options.gogui_rules:
        tables.append(gogui.RULES_TABLE)
    if options.rules_from_gui:
        tables.append(rules.FROM_GUI_TABLE)
    if options.gogui_rules:
        tables = [{name: _by_player(name, entry) for name, entry in table.items()} for table in tables]
    return Registry(*tables, unlisted=() if options.genmove_analyze else analyze.GENMOVE_TABLE)
