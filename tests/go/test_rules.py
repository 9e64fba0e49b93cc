"""Rules: presets, overrides, errors, komi and text."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from gtp_capture import PRESETS, Game, Ko, Passing, Rules, RulesError, Scoring

from ..support.forks import script

CAPTURE_N = (1, 2, 3, 5, 10, 20)
NAMES = ["first-capture", *(f"capture-{n}" for n in CAPTURE_N), "tromp-taylor", "aga", "japanese", "chinese"]

TABLE: dict[str, tuple[int | None, bool, Ko, Passing, Scoring]] = {
    # captures, suicide, repetition, passing, scoring
    "first-capture": (1, False, Ko.NONE, Passing.STONE, Scoring.NONE),
    **{f"capture-{n}": (n, False, Ko.NONE, Passing.FORBIDDEN, Scoring.NONE) for n in (*CAPTURE_N, 7, 64, 361)},
    "tromp-taylor": (None, True, Ko.POSITIONAL, Passing.FREE, Scoring.AREA),
    "aga": (None, False, Ko.SITUATIONAL, Passing.STONE, Scoring.TERRITORY),
    "japanese": (None, False, Ko.SIMPLE, Passing.FREE, Scoring.TERRITORY),
    "chinese": (None, False, Ko.POSITIONAL, Passing.FREE, Scoring.AREA),
}


@pytest.mark.parametrize("name", TABLE)
def test_a_preset_agrees_with_its_source(name: str) -> None:
    rules = Rules.parse(name)
    assert (rules.captures, rules.suicide, rules.ko, rules.passing, rules.scoring) == TABLE[name]


def test_only_the_basic_rules_score_the_board_with_every_stone_alive() -> None:
    scored = [name for name, rules in PRESETS.items() if rules.scoring is not Scoring.NONE]
    assert [name for name in scored if not PRESETS[name].dead_stones] == ["tromp-taylor"]


def test_every_preset_of_the_sources_is_listed_and_first_capture_is_the_default() -> None:
    assert set(NAMES) <= set(PRESETS)
    assert Game().rules == PRESETS["first-capture"]
    assert Game("capture-5").rules == Rules.parse("capture-5")


# --- Komi ---


@pytest.mark.parametrize(
    ("name", "width", "height", "even", "handicap"),
    [
        ("japanese", 19, 13, 6.5, 0.5),
        ("japanese", 13, 9, 5.5, 0.5),
        *((name, side, side, 7.5, 0.5) for name in ("aga", "chinese", "tromp-taylor") for side in (5, 9, 13, 19, 25)),
        *((name, side, side, 0.0, 0.0) for name in ("first-capture", "capture-5") for side in (9, 19)),
    ],
)
def test_default_komi(name: str, width: int, height: int, even: float, handicap: float) -> None:
    game = Game(name, (width, height))
    assert game.komi == even
    game.place_handicap(["A1", "C3"])
    assert game.komi == handicap
    game.clear()
    assert game.komi == even


@pytest.mark.parametrize("name", ["japanese", "aga", "tromp-taylor", "first-capture"])
@pytest.mark.parametrize("komi", [0.0, -3.5, 6.5, 100.0])
def test_a_komi_that_was_set_beats_every_default(name: str, komi: float) -> None:
    game = Game(name, 9, komi=komi)
    assert game.komi == komi
    game.place_handicap(["A1", "C3"])
    assert game.komi == komi
    game.clear()
    assert game.komi == komi
    game.set_komi(None)
    assert game.komi == Game(name, 9).komi
    game.set_komi(komi)
    assert game.komi == komi


@pytest.mark.parametrize("komi", [float("nan"), float("inf"), float("-inf")])
def test_a_komi_that_is_not_a_finite_number_is_refused(komi: float) -> None:
    game = Game("chinese")
    with pytest.raises(ValueError, match="finite"):
        game.set_komi(komi)
    assert game.komi == 7.5


# --- Overrides ---

CHANGES: dict[str, Any] = {
    "captures": 4,
    "suicide": True,
    "ko": Ko.SIMPLE,
    "passing": Passing.FREE,
    "scoring": Scoring.AREA,
    "dead_stones": True,
    "seki_points": False,
    "komi": 3.5,
    "small_komi": 2.5,
}


def test_every_field_can_be_overridden_on_its_own() -> None:
    base = PRESETS["first-capture"]
    assert set(CHANGES) == {f.name for f in fields(Rules)}, "CHANGES needs another value than the default's"
    for name, value in CHANGES.items():
        changed = base.override(**{name: value})
        assert {f.name for f in fields(Rules) if getattr(changed, f.name) != getattr(base, f.name)} == {name}
        assert getattr(changed, name) == value
    assert base == PRESETS["first-capture"]


@pytest.mark.parametrize("value", [*Ko, *Passing, *Scoring])
def test_a_value_given_as_its_text_means_the_same_or_is_refused(value: Ko | Passing | Scoring) -> None:
    # Text must not be kept: "simple" equals Ko.SIMPLE, but is another object.
    field = {Ko: "ko", Passing: "passing", Scoring: "scoring"}[type(value)]
    try:
        rules = PRESETS["capture-5"].override(**{field: str(value)})
    except RulesError:
        return
    assert getattr(rules, field) is value


# --- Errors ---


@pytest.mark.parametrize("name", [
    "", "go", "Aga", "nz", "capture", "capture-", "capture-x", "capture--1", "capture-1.5", "capture-1e1", "capture- 5",
    "capture-5 ", "capture-\u0663", "capture-\u00b2",
])  # fmt: skip
def test_an_unknown_preset_is_refused_with_the_list_of_those_there_are(name: str) -> None:
    with pytest.raises(RulesError) as refusal:
        Rules.parse(name)
    assert all(known in str(refusal.value) for known in [*NAMES, "capture-N"])


@pytest.mark.parametrize("captures", [0, -1, 10_001])
def test_a_number_of_prisoners_out_of_range_is_refused_with_the_range(captures: int) -> None:
    with pytest.raises(RulesError, match=r"1 to \d+"):
        PRESETS["first-capture"].override(captures=captures)
    if captures >= 0:
        with pytest.raises(RulesError, match=r"1 to \d+"):
            Rules.parse(f"capture-{captures}")


@pytest.mark.parametrize("change", [{"suicide": "false"}, {"dead_stones": 1}, {"captures": 2.0}, {"captures": True}])
def test_a_value_of_another_type_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(RulesError, match=next(iter(change))):
        PRESETS["aga"].override(**change)


def test_rules_under_which_no_game_ends_are_refused_with_what_is_missing() -> None:
    with pytest.raises(RulesError) as refusal:
        PRESETS["first-capture"].override(captures=None)
    assert all(word in str(refusal.value) for word in ("captures", "area", "territory"))


@pytest.mark.parametrize(("field", "valid"), [("ko", list(Ko)), ("passing", list(Passing)), ("scoring", list(Scoring))])
def test_an_unknown_value_is_refused_with_the_list_of_those_there_are(field: str, valid: list[str]) -> None:
    with pytest.raises(RulesError) as refusal:
        PRESETS["aga"].override(**{field: "sometimes"})
    assert f"{', '.join(valid[:-1])} or {valid[-1]}; not sometimes" in str(refusal.value)


def test_an_unknown_field_is_refused_with_the_list_of_those_there_are() -> None:
    with pytest.raises(RulesError, match="superko") as refusal:
        PRESETS["aga"].override(superko=True)
    assert all(f.name in str(refusal.value) for f in fields(Rules))


@pytest.mark.parametrize(("word", "meaning"), [("legal", True), ("illegal", False), ("yes", True), ("no", False)])
def test_suicide_has_the_same_words_as_an_option_and_in_a_session(word: str, meaning: bool) -> None:
    rules = Rules.parse(f"tromp-taylor suicide={word}")
    assert rules.suicide is meaning
    answers = script(f"capture-rules suicide={word}\n", "--rules", "tromp-taylor").stdout
    assert answers == f"= {rules}\n\n".encode()
    answers = script("capture-rules\n", "--rules", f"tromp-taylor suicide={word}").stdout
    assert answers == f"= {rules}\n\n".encode()


# --- Text ---


@pytest.mark.parametrize("name", [*NAMES, "capture-7", "capture-361"])
def test_a_preset_is_written_by_its_name_and_read_back(name: str) -> None:
    assert str(Rules.parse(name)) == name
    assert Rules.parse(str(Rules.parse(name))) == Rules.parse(name)


@pytest.mark.parametrize(
    ("names", "rules"),
    [
        ("Japanese|japanese |JP|Japan|日本|日本囲碁規約|Nihon Ki-in|Korean|korean|KR|한국", "japanese"),
        ("Chinese|CHINESE|cn|中国规则|中國|Chinese (2002)|chinese-kgs|China", "chinese"),
        ("AGA|aga|American|BGA", "aga"),
        ("NZ|nz|New Zealand", "chinese suicide=legal ko=situational"),
        ("GOE|Goe|ing|ING|Ing Goe|应氏", "chinese suicide=legal"),
        ("Tromp-Taylor|tromp taylor", "tromp-taylor"),
        ("Atari Go|capture-3  KO=simple", None),
    ],
)
def test_rules_of_files_are_known_in_their_spellings(names: str, rules: str | None) -> None:
    expected = [Rules.parse(rules)] * 20 if rules else [PRESETS["first-capture"], Rules.parse("capture-3 ko=simple")]
    for name, meant in zip(names.split("|"), expected, strict=False):
        assert Rules.of_file(name) == meant


@pytest.mark.parametrize("name", ["", "?", "Unheard of", "japanes", "Pair Go", "machine", "Stone scoring"])
def test_other_rules_of_files_are_not_known(name: str) -> None:
    assert (Rules.of_file(name) is None) == (name != "japanes")


def test_rules_of_a_file_are_text() -> None:
    with pytest.raises(TypeError, match="the name of rules is text, not 5"):
        Rules.of_file(5)  # type: ignore[arg-type]
