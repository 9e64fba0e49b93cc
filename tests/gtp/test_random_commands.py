"""Thousands of random commands, valid and invalid, in one process: each is answered without an internal error."""

from __future__ import annotations

import pytest

from gtp_capture.util.memory import MEBIBYTE

from ..support.fuzz import run


@pytest.mark.slow
def test_prisoners_are_right_and_memory_is_bounded_after_random_commands() -> None:
    """A sample; `python -m tests.support.fuzz` sends a million."""
    _, late = run(3_000, seed=3, report=False)
    assert late < 300 * MEBIBYTE  # including the compiled code that scoring loads
