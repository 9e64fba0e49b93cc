"""The connections of a class: the limits that uvicorn lacks, so that silent, slow and many connections cost little."""

from __future__ import annotations

import asyncio
import ipaddress
import itertools
import socket
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..util.network import parsed

MOST_HEAD: Final = 16384
"""Bytes of the head of a request."""
PIECE: Final = 4096
"""Bytes that are read at a time, so that a head which arrives at once has a limit as well."""
WHOLE: Final = 10.0
"""Seconds within which a request has to be whole, from its first byte or the beginning of the connection on."""
WRITTEN: Final = 30.0
"""Seconds within which what was written has to leave this machine."""
GRACE: Final = 2.0
"""Seconds without a request after which a connection counts as idle."""
OF_ADDRESS: Final = 48
"""Connections of an address without a seat, beyond which idle ones are closed."""
OF_OWNER: Final = 16
"""Connections of a seat, or of the teacher, beyond which idle ones are closed."""
MOST_STRANGERS: Final = 400
"""Connections without a seat."""
PLACES: Final = 2000
"""Open files that the server asks for: those of strangers, of all seats and of the teacher, and its own."""
KEEP_ALIVE: Final = {"TCP_KEEPIDLE": 10, "TCP_KEEPALIVE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 4}
"""Options of TCP (s, probes): a device that is gone is noticed after 30 s, also while nothing is sent."""
USER_TIMEOUT: Final = 30_000
"""Milliseconds after which what a device has not confirmed ends its connection."""
TLS: Final = b"\x16\x03"
"""How an encrypted connection begins."""


def raise_file_limit() -> int:
    """Raise the limit of open files to PLACES where it is lower and the system allows it; return the limit."""
    if sys.platform == "win32":
        return PLACES  # its sockets are not limited by files
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = PLACES if hard == resource.RLIM_INFINITY else min(PLACES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):  # some systems have a lower limit of their own
            return soft
    return PLACES if soft == resource.RLIM_INFINITY else max(soft, wanted)


class Refusals:
    """Connections that brought no request that can be read: their number, and how many of them were encrypted."""

    def __init__(self) -> None:
        self.count, self.encrypted = 0, 0


def network_of(address: str) -> str:
    """Return the address of a device, and for IPv6 its network: a device there has as many addresses as it likes."""
    try:
        own = parsed(address.partition("%")[0])
    except ValueError:
        return address
    return str(own) if own.version == 4 else str(ipaddress.ip_network((own, 64), strict=False))


class _Timeout:
    """A time after which something is done, unless it is stopped before."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._handle: asyncio.TimerHandle | None = None

    def start(self, act: Callable[[], object]) -> None:
        """Start the time, unless it runs already."""
        if self._handle is None:
            self._handle = asyncio.get_running_loop().call_later(self._seconds, act)

    def stop(self) -> None:
        """Stop the time, if it runs."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


class Connection(H11Protocol):
    """A connection of a device. What the application finds out about its owner is in `state` of each request."""

    refusals: Refusals
    """Set by `connection_class`, as uvicorn makes the connections."""
    strangers = MOST_STRANGERS
    _numbers = itertools.count()

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.number = next(self._numbers)
        self._began = 0.0
        """The time of the beginning, or of the end of the last answer."""
        self._whole, self._written = _Timeout(WHOLE), _Timeout(WRITTEN)
        self._is_first = True
        self.network = ""

    # --- Who has it ---

    @property
    def owner(self) -> str:
        """The seat, or the teacher, whose cookie the last request had; "" for a stranger."""
        return str(self.scope["state"].get("owner", "")) if self.scope is not None else ""

    @property
    def group(self) -> tuple[str, str]:
        """The connections that share a limit with this one."""
        return (self.owner, "") if self.owner else ("", self.network)

    @property
    def waits_for_device(self) -> bool:
        """Whether nothing is to be answered."""
        cycle = self.cycle
        return cycle is None or cycle.response_complete or (cycle.more_body and not cycle.response_started)

    def is_idle(self, now: float, grace: float) -> bool:
        """Whether the connection has been idle for some time (s)."""
        return self.waits_for_device and now - self._began >= grace

    # --- Beginning and end ---

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See uvicorn."""
        super().connection_made(transport)
        self._began, self.network = self.loop.time(), network_of(self.client[0]) if self.client else ""
        transport.set_write_buffer_limits(high=0)  # `pause_writing` is called whenever something has to wait
        keep_alive(transport.get_extra_info("socket"))
        self._whole.start(self.transport.abort)
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """See uvicorn."""
        self._whole.stop()
        self._written.stop()
        super().connection_lost(exc)

    def _make_room(self) -> None:
        """Close idle connections, the oldest first, if there are too many of a group or of strangers."""
        now = self.loop.time()
        every: list[Connection] = [other for other in self.connections if not other.transport.is_closing()]  # type: ignore[misc]
        sizes = Counter(other.group for other in every)
        for group, size in sizes.items():
            most = OF_OWNER if group[0] else OF_ADDRESS
            if size > most:
                idle = [other for other in every if other.group == group and other.is_idle(now, GRACE)]
                for other in sorted(idle, key=lambda other: other.number)[: size - most]:
                    other.transport.close()
        if sum(size for (owner, _), size in sizes.items() if not owner) > self.strangers:
            fullest = max((group for group in sizes if not group[0]), key=lambda group: sizes[group])
            same = sorted((other for other in every if other.group == fullest), key=lambda other: other.number)
            next((other for other in same if other.is_idle(now, 0)), same[-1]).transport.close()

    # --- Reading ---

    def data_received(self, data: bytes) -> None:
        """See uvicorn."""
        if self._is_first and data.startswith(TLS):
            self.refusals.encrypted += 1
        self._is_first = False
        for start in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            try:
                super().data_received(data[start : start + PIECE])
            except (ValueError, RuntimeError, h11.LocalProtocolError):  # numbers and states that h11 does not check
                self._refuse()
            if self.conn.their_state is h11.DONE and len(self.conn.trailing_data[0]) > MOST_HEAD:
                self._refuse()  # requests that do not wait for answers

    def handle_events(self) -> None:
        """See uvicorn."""
        super().handle_events()
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            if self.conn.their_state is h11.SEND_BODY or self.conn.trailing_data[0]:
                self._whole.start(self.transport.abort)
        else:
            self._whole.stop()

    def on_response_complete(self) -> None:
        """See uvicorn."""
        self._began = self.loop.time()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request."""
        if self.conn.our_state is h11.IDLE and not self.transport.is_closing():
            self.refusals.count += 1
            super().send_400_response(msg)
        else:
            self._refuse()  # an answer to an earlier part has begun

    def _refuse(self) -> None:
        self.refusals.count += 1
        self.transport.abort()

    # --- Writing ---

    def pause_writing(self) -> None:
        """See uvicorn."""
        super().pause_writing()
        self._written.start(self.transport.abort)

    def resume_writing(self) -> None:
        """See uvicorn."""
        self._written.stop()
        super().resume_writing()


def connection_class(refusals: Refusals) -> type[Connection]:
    """Return the class of the connections of a server, whose number follows the limit of open files."""
    most = min(MOST_STRANGERS, (raise_file_limit() - 64) // 2)
    return type("ClassConnection", (Connection,), {"refusals": refusals, "strangers": most})


def keep_alive(connection: socket.socket) -> None:
    """Let the system notice that a device is gone, as far as the system has these options."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**16)
    for name, value in {**KEEP_ALIVE, "TCP_USER_TIMEOUT": USER_TIMEOUT}.items():
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
