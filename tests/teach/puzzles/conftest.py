from __future__ import annotations

import pytest

from gtp_capture.teach.puzzles import files
from gtp_capture.teach.puzzles.problem import Problem


@pytest.fixture(scope="session")
def tutorial() -> list[Problem]:
    """The positions of the rule texts."""
    return list(files.shipped(files.TUTORIAL))


@pytest.fixture(scope="session")
def collection() -> list[Problem]:
    """The problems that come with the program."""
    return list(files.shipped())
