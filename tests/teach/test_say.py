"""Events have facts and no words; `say` has words for every event, and no other place has sentences."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import gtp_capture
from gtp_capture.go.vertex import BLACK
from gtp_capture.teach import event, say, sentences
from gtp_capture.teach.event import Event, Noted, Notice, Refusal
from gtp_capture.teach.puzzles.problem import Problem
from gtp_capture.teach.words import Voice

from ..support.held import SCRIPTS, Held, Script, game

PACKAGE = Path(gtp_capture.__file__).parent
WITH_SENTENCES = (
    "teach",
    "cli",
    "gtp/commands",
    "web/view",
    "web/file/page.py",
    "web/homework.py",
    "web/results.py",
    "tutor/reading.py",
)
"""Folders and files that may name a sentence by its key: those that speak to a person, or read what one types."""


def texts(value: Any) -> Iterator[str]:
    """Yield all texts in a value, without those of the files of problems."""
    if isinstance(value, Problem):
        return
    if isinstance(value, str):
        yield str(value)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from texts(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from (*texts(key), *texts(part))
    elif isinstance(value, (list, tuple, set, frozenset)):
        for part in value:
            yield from texts(part)


def played(script: Script) -> Iterator[Event]:
    """Yield the events of a script."""
    held = Held(script.session())
    yield from held.events
    for line, _ in script.lines:
        held.type(line)
        yield from held.events


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_no_event_has_a_sentence_of_any_language() -> None:
    known = {
        message.strip()
        for language in sentences.languages()
        for key, english in sentences.table().items()
        for message in (english, sentences.catalogue(language).pgettext(key, english))
        if " " in message.strip() and "{" not in message
    }
    events = [one for script in SCRIPTS.values() for one in played(script)]
    kinds = {one.notice if isinstance(one, Noted) else type(one) for one in events}
    assert len(kinds) > 25, "the scripts go through most kinds of events"
    for one in events:
        assert not known & {*texts(one)}, one
        for language in sentences.languages():
            say.parts(one, Voice(plain=True, language=language))


def test_each_kind_of_event_has_words_and_each_refusal_a_sentence() -> None:
    kinds = {kind for kind in vars(event).values() if isinstance(kind, type) and issubclass(kind, Event)} - {Event}
    assert kinds == {*say._MAKERS}
    assert {*Refusal, *event.Question, *Notice} <= {*sentences.table()}


def test_no_place_but_the_edge_names_a_sentence() -> None:
    keys = {key for key in sentences.table() if "." in key}
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(WITH_SENTENCES):
            assert not {*re.findall(r"""["']([\w.-]+)["']""", path.read_text(encoding="utf-8"))} & keys, name


def test_the_situation_is_whole_at_any_time() -> None:
    held = game("C3", people=frozenset({BLACK}))
    now = held.session.situation()
    assert (now.people, now.to_move, now.finished, now.question) == (frozenset({BLACK}), BLACK, False, None)
    assert now.wanted is not None
    assert (now.wanted.width, now.actions["hint"], now.actions["undo"]) == (5, None, None)
    held.type("pass")
    now = held.session.situation()
    assert now.question == event.Asked(event.Question.LOSING_PASS, {"winner": 2})
    assert now.wanted is None
    held.type("yes")
    now = held.session.situation()
    assert (now.finished, now.to_move, now.actions["hint"], now.actions["review"]) == (True, 0, Refusal.OVER, None)
