"""Fixtures of the solver's tests."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def own_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds the table that an earlier one left in the process."""
    monkeypatch.setattr("gtp_capture.solver.job._kept", {})
