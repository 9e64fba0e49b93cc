"""A class that is served, and the device of its first child; tests in a browser have their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ..support.served import Device, Served, served


@pytest.fixture
def server() -> Iterator[Served]:
    with served() as host:
        yield host


@pytest.fixture
def mia(server: Served) -> Device:
    device = server.device()
    assert device.join(server.room, "Mia").status_code == 200
    return device
