"""What graphical clients ask and say about the rules and about the search, whether or not they know the game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from ...rules import PRESETS, Ko, Rules, Scoring
from .. import parameters
from ..engine import Engine
from ..protocol import Entry, GtpError, Table

Args = Sequence[str]
NAMES: Final = {
    "japanese": "japanese",
    "korean": "japanese",
    "chinese": "chinese",
    "aga": "aga",
    "tromp-taylor": "tromp-taylor",
    "new_zealand": "tromp-taylor",
    "new-zealand": "tromp-taylor",
}
"""Rules of Go as KGS and KataGo name them, and the preset that comes nearest."""
KATA_KO: Final = {Ko.NONE: "SIMPLE", Ko.SIMPLE: "SIMPLE", Ko.POSITIONAL: "POSITIONAL", Ko.SITUATIONAL: "SITUATIONAL"}
PARAMETERS: Final = {"maxTime": "time_per_move", "numSearchThreads": "threads"}
"""KataGo's names, and those of our dialog."""


def _use(engine: Engine, name: str) -> str:
    current: Rules = engine.game.rules
    if current.captures is None:
        if name.lower() not in NAMES:
            raise GtpError(f"unknown rules: {name}")
        if (rules := PRESETS[NAMES[name.lower()]]) != current:
            engine.change(rules=rules)
        return ""
    if not engine.options.rules_from_gui:
        raise GtpError(f"this session plays {current}")
    engine.say(f"{name}: taken by name")
    return ""


def kgs_rules(engine: Engine, args: Args) -> str:
    """The rules of a game on KGS; a capture game stays what it is."""
    return _use(engine, args[0])


def kata_set_rules(engine: Engine, args: Args) -> str:
    """The rules that a window is set to; by name alone."""
    return _use(engine, " ".join(args))


def kata_get_rules(engine: Engine, args: Args) -> str:
    """The rules in KataGo's words; `capture` is ours: the prisoners that win, or null."""
    rules: Rules = engine.game.rules
    said: dict[str, Any] = {
        "ko": KATA_KO[rules.ko],
        "scoring": "TERRITORY" if rules.scoring is Scoring.TERRITORY else "AREA",
        "tax": "NONE",
        "suicide": rules.suicide,
        "hasButton": False,
        "whiteHandicapBonus": "0",
        "capture": rules.captures,
    }
    return json.dumps(said)


def kata_list_params(engine: Engine, args: Args) -> str:
    """The parameters that may be asked and set."""
    return " ".join(PARAMETERS)


def kata_get_param(engine: Engine, args: Args) -> str:
    """The value of a parameter."""
    key = _parameter(args[0])
    value = getattr(engine.options, key)
    return "" if value is None else f"{value:g}"


def kata_set_param(engine: Engine, args: Args) -> str:
    """Set a parameter."""
    try:
        engine.change(**parameters.change(engine.options, _parameter(args[0]), args[1]))
    except ValueError as error:
        raise GtpError(str(error)) from None
    return ""


def _parameter(name: str) -> str:
    if name not in PARAMETERS:
        raise GtpError(f"no such parameter: {name}")
    return PARAMETERS[name]


TABLE: Final[Table[Engine]] = {
    "kgs-rules": Entry(kgs_rules, 1, 1),
    "kata-get-rules": Entry(kata_get_rules),
    "kata-list-params": Entry(kata_list_params),
    "kata-get-param": Entry(kata_get_param, 1, 1),
    "kata-set-param": Entry(kata_set_param, 2, 2),
}
FROM_GUI_TABLE: Final[Table[Engine]] = {"kata-set-rules": Entry(kata_set_rules, 1, 100)}
"""Opt-in: windows send rules of Go unasked."""
