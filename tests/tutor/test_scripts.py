"""A game, a problem and a lesson from start to end: without a terminal, and in one with the same sentences."""

from __future__ import annotations

import json
import re

import pytest

from gtp_capture.tutor.lesson import restored
from gtp_capture.util.fields import Fields

from ..support.held import SCRIPTS, Held, Script
from ..support.person import Person

pytestmark = pytest.mark.usefixtures("compiled")
scripts = pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)


@scripts
def test_a_session_is_played_from_start_to_end_without_a_terminal(script: Script) -> None:
    """After each line the session is written and restored, and goes on as if nothing had happened."""
    held = Held(script.session())
    for line, answer in script.lines:
        assert answer in held.type(line), line
        if held.question is None and not held.reply.over:
            session = held.session
            state = json.loads(json.dumps(session.state()))
            held.session = restored(Fields(state), session.resources, getattr(session, "problems", ()))
            assert Held(held.session).session is held.session
            assert (held.session.state(), held.session.game) == (state, session.game)
    assert held.reply.over


@pytest.mark.posix
@pytest.mark.slow
@scripts
def test_the_same_session_in_a_terminal_says_the_same_sentences(script: Script) -> None:
    held = Held(script.session())
    with Person(*script.command[1:], seed=None, command=script.command[0], columns=1000) as person:
        seen = person.seen
        for line, _ in [*script.lines, ("", "")]:
            place = 0
            for sentence in held.sentences:
                at = " ".join(seen.split()).find(" ".join(sentence.split()), place)
                assert at >= place, (line, sentence, seen)
                place = at
            assert len(re.findall(r"A B C D", seen)) >= len(held.pictures)
            held.type(line)
            if held.reply.over:
                person.terminal.sendline(line)
                break
            seen = person.type(line)
        assert person.end() == 0
