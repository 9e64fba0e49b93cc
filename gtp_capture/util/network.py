"""The address of this machine in its network, and the port of a class."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Final

ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737). Only the route to it is looked up; nothing is sent."""


PORT: Final = 8765
"""The default port of a class."""


def is_free(port: int) -> bool:
    """Whether a server can listen on a port of this machine."""
    try:
        with socket.create_server(("", port)):
            return True
    except OSError:
        return False


def lan_address() -> str:
    """Return the address of this machine in its network; "" if it is in none."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(ELSEWHERE)
        found = str(probe.getsockname()[0])
        return "" if found.startswith(("127.", "0.")) else found
    return ""
