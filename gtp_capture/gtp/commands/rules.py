"""Commands of KGS and KataGo for rules and search parameters. GUIs send rules of Go by them, also in capture games."""

from __future__ import annotations

import json
from typing import Any, Final

from ...go.rules import PRESETS, Ko, Rules, RulesError, Scoring
from ...util.files import escaped
from .. import parameters
from ..engine import DEFAULT_SECONDS, Engine
from ..protocol import Entry, GtpError, Table, refusing
from .arguments import Args

NAMES: Final = {
    "japanese": PRESETS["japanese"],
    "korean": PRESETS["japanese"],
    "chinese": PRESETS["chinese"],
    "chinese-ogs": PRESETS["chinese"],
    "chinese-kgs": PRESETS["chinese"],
    "aga": PRESETS["aga"],
    "bga": PRESETS["aga"],
    "tromp-taylor": PRESETS["tromp-taylor"],
    "new_zealand": PRESETS["tromp-taylor"].override(ko=Ko.SITUATIONAL, dead_stones=True),
    "new-zealand": PRESETS["tromp-taylor"].override(ko=Ko.SITUATIONAL, dead_stones=True),
}
"""Rules of Go by the names of KGS and KataGo, with our nearest ones."""
KATA_KO: Final = {Ko.NONE: "SIMPLE", Ko.SIMPLE: "SIMPLE", Ko.POSITIONAL: "POSITIONAL", Ko.SITUATIONAL: "SITUATIONAL"}
FROM_KATA_KO: Final = {name: ko for ko, name in KATA_KO.items()}
PARAMETERS: Final = {"maxTime": "time_per_move", "numSearchThreads": "threads"}
"""KataGo's parameters, and the options that they set."""
NO_LIMIT: Final = 1e20
"""KataGo's maxTime without a limit."""


def _stays(engine: Engine, request: str) -> bool:
    """Whether to ignore a request for rules of Go in a capture game. GtpError: the options do not allow that."""
    current: Rules = engine.game.rules
    if not current.is_capture_game:
        return False
    if not engine.options.rules_from_gui:
        raise GtpError(f"this session plays {current}")
    engine.notify(escaped(f"{request}: accepted without effect"))
    return True


def _named(name: str) -> Rules:
    if name.lower() not in NAMES:
        raise GtpError(f"unknown rules: {name}")
    return NAMES[name.lower()]


def kgs_rules(engine: Engine, args: Args) -> None:
    """Set the rules of the next game, or of this one if the board is empty; without effect in a capture game."""
    if not _stays(engine, args[0]):
        rules = _named(args[0])
        if not (rules == engine.game.rules == engine.options.rules):
            engine.change(rules=rules)


def kata_set_rules(engine: Engine, args: Args) -> None:
    """Set the rules by name or JSON; in a capture game, only JSON with our own key `capture` has an effect."""
    text = " ".join(args)
    if text.lstrip().startswith("{"):
        values = _json(text)
        if "capture" in values or not _stays(engine, "rules"):
            engine.use_rules(_from_kata(engine.game.rules, values))
    elif not _stays(engine, text):
        engine.use_rules(_named(text))


def kata_set_rule(engine: Engine, args: Args) -> None:
    """Set one of the rules, named as in kata-get-rules."""
    key, text = args
    try:
        value = _json(text.lower() if text.lower() in ("true", "false", "null") else text)
    except GtpError:
        value = text
    if key == "capture" or not _stays(engine, key):
        engine.use_rules(_from_kata(engine.game.rules, {key: value}))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise GtpError(f"invalid JSON: {error.msg}") from None
    except (ValueError, RecursionError):  # a number with thousands of digits, or thousands of brackets
        raise GtpError("invalid JSON: too long or too deep") from None


def _from_kata(rules: Rules, values: dict[str, Any]) -> Rules:
    """Return rules changed by KataGo's keys and values. Raise GtpError for a key or value that our rules lack."""
    same_kind = values.get("capture", rules.captures) == rules.captures
    current, changes = _as_kata(rules) if same_kind else {}, dict[str, Any]()
    for key, value in values.items():
        if key in current and str(value).upper() == str(current[key]).upper():
            continue  # KataGo has no name for some of our values, which then stay
        changes |= _change(key, value)
    with refusing(RulesError):
        changed = rules.override(**changes)
    bonus = values.get("whiteHandicapBonus", _handicap_bonus(changed))
    if str(bonus).upper() != _handicap_bonus(changed):
        raise GtpError(f"unsupported rule: whiteHandicapBonus {json.dumps(bonus)}")
    return changed


def _change(key: str, value: Any) -> dict[str, Any]:
    """Return the field of our rules for a key of KataGo's and its value. Raise GtpError if our rules have none."""
    text, is_number = str(value).upper(), isinstance(value, int) and not isinstance(value, bool)
    match key:
        case "ko" if text in FROM_KATA_KO:
            return {"ko": FROM_KATA_KO[text]}
        case "scoring" if text in ("AREA", "TERRITORY"):
            return {"scoring": Scoring(text.lower())}
        case "tax" if text in ("NONE", "SEKI"):
            return {"seki_points": text == "NONE"}
        case "suicide" | "friendlyPassOk" if isinstance(value, bool):
            return {"suicide" if key == "suicide" else "dead_stones": value}
        case "capture" if value is None or is_number:
            return {"captures": value}
        case "whiteHandicapBonus":  # follows from the other fields, and is compared with them at the end
            return {}
    raise GtpError(escaped(f"unsupported rule: {key} {json.dumps(value)}"))


def _handicap_bonus(rules: Rules) -> str:
    """Return KataGo's name for White's compensation: "0", or "N-1" for a point per handicap stone but one."""
    return "N-1" if rules.pays_for_handicap else "0"


def kata_get_rules(engine: Engine, args: Args) -> str:
    """The rules as KataGo's JSON; the key `capture` is ours: the number of prisoners that wins, or null."""
    return json.dumps(_as_kata(engine.game.rules))


def _as_kata(rules: Rules) -> dict[str, Any]:
    """Return rules with KataGo's keys and nearest values."""
    return {
        "ko": KATA_KO[rules.ko],
        "scoring": "TERRITORY" if rules.scoring is Scoring.TERRITORY else "AREA",
        "tax": "NONE" if rules.seki_points else "SEKI",
        "suicide": rules.suicide,
        "hasButton": False,
        "whiteHandicapBonus": _handicap_bonus(rules),
        "friendlyPassOk": rules.dead_stones,
        "capture": rules.captures,
    }


def kata_list_params(engine: Engine, args: Args) -> str:
    """The parameters that kata-get-param and kata-set-param take."""
    return " ".join(PARAMETERS)


def kata_get_param(engine: Engine, args: Args) -> str:
    """The value of a parameter."""
    key = _parameter(args[0])
    value = getattr(engine.options, key)
    if key == "time_per_move" and value is None:
        value = engine.most_seconds(clocked=engine.clock.limited)
        value = value or (DEFAULT_SECONDS if engine.options.playouts is None else NO_LIMIT)
    return f"{value:g}"


def kata_set_param(engine: Engine, args: Args) -> None:
    """Set a parameter."""
    name, key = args[0], _parameter(args[0])
    try:
        engine.change(**parameters.change(engine.options, key, args[1]))
    except ValueError as error:
        raise GtpError(str(error).replace(key, name, 1)) from None


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
FROM_GUI_TABLE: Final[Table[Engine]] = {
    "kata-set-rules": Entry(kata_set_rules, 1, 100),
    "kata-set-rule": Entry(kata_set_rule, 2, 2),
}
"""Opt-in, because GUIs send rules of Go for every game."""
