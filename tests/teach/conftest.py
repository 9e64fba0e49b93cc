from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from gtp_capture.jit.warmup import loaded
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings

from ..support.forks import HANG
from ..support.paths import TESTS


@pytest.fixture(scope="module")
def player() -> MctsPlayer:
    return MctsPlayer(PlayerSettings(seed=1, threads=1, memory=64 * 2**20), loaded())


@pytest.fixture
def sabaki(node: str) -> Callable[[bytes], Any]:
    """Sabaki's own parser of SGF, which returns each game as its root: a mapping with `data` and `children`."""

    def parse(data: bytes) -> Any:
        command = [node, str(TESTS / "node" / "sgf.mjs")]
        return json.loads(subprocess.run(command, input=data, capture_output=True, check=True, timeout=HANG).stdout)

    return parse
