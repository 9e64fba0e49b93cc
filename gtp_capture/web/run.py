"""Runs the server of a class: its address for others, and its end."""

from __future__ import annotations

import asyncio
import functools
import io
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Final

import segno
import uvicorn

from ..util.network import lan_addresses, url
from .app import Server
from .connection import MOST_HEAD, PIECE, Refusals, connection_class
from .hub import HIGHER, set_nice
from .view import Door

END: Final = 0.3
"""Seconds for what is being sent when the server ends."""
Tell = Callable[[Refusals], None]


class Runner(uvicorn.Server):
    """A server whose streams end with it."""

    def __init__(self, server: Server, tell: Tell = lambda refusals: None) -> None:
        """`tell`: is called when connections were refused, at most once a second."""
        self.refusals = Refusals()
        super().__init__(
            uvicorn.Config(
                server.app,
                http=connection_class(self.refusals),
                ws="none",
                loop="asyncio",
                log_config=None,
                log_level="error",  # what strangers send is counted
                access_log=False,
                server_header=False,
                proxy_headers=False,
                h11_max_incomplete_event_size=MOST_HEAD - PIECE,  # another piece may complete a head
                timeout_keep_alive=30,
                timeout_graceful_shutdown=10,
            )
        )
        self._server, self._tell = server, tell

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """See uvicorn."""
        super().handle_exit(sig, frame)
        self.loop.call_soon_threadsafe(self._server.close)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn."""
        self.loop = asyncio.get_running_loop()
        set_nice(HIGHER)
        await super().serve(sockets)

    async def main_loop(self) -> None:
        """See uvicorn."""
        telling = self.loop.create_task(self._tell_often())
        await super().main_loop()
        telling.cancel()
        if self.refusals.count:
            self._tell(self.refusals)

    async def _tell_often(self) -> None:
        told = 0
        while True:
            if self.refusals.count != told:
                told = self.refusals.count
                self._tell(self.refusals)
            await asyncio.sleep(1)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn. A device that does not read does not hold up the end."""
        self._server.close()
        self.loop.call_later(END, self._abort)
        await super().shutdown(sockets)

    def _abort(self) -> None:
        for connection in [*self.server_state.connections]:
            connection.transport.abort()


def door(port: int, *, lan: bool) -> Door:
    """Return how devices reach a class on a port."""
    networks = [(url(address.text, port), address.network) for address in (lan_addresses() if lan else ())]
    return Door(url("127.0.0.1", port), tuple(networks), qr_code(networks[0][0]) if networks else "", lan)


@functools.lru_cache(maxsize=8)
def qr_code(address: str) -> str:
    """Return a QR code as an SVG element."""
    out = io.BytesIO()
    segno.make(address, error="m").save(out, kind="svg", xmldecl=False, omitsize=True, nl=False, border=2)
    return out.getvalue().decode()


def serve(server: Server, listening: socket.socket, tell: Tell) -> None:
    """Serve until ^C, or SIGTERM. `tell`: see `Runner`."""
    before, runner = signal.getsignal(signal.SIGINT), Runner(server, tell)
    try:
        runner.run([listening])
    except KeyboardInterrupt:  # the end that was asked for
        pass
    finally:
        signal.signal(signal.SIGINT, before)
