"""Runs the server of a class: its port, its address for others, and its end."""

from __future__ import annotations

import asyncio
import io
import signal
import socket
from types import FrameType
from typing import Final

import segno
import uvicorn

from .app import Server

MOST_CONNECTIONS: Final = 400
MOST_HEAD: Final = 16384
"""Bytes of the head of a request."""
END: Final = 2
"""Seconds for what is being answered when the server ends."""


class Runner(uvicorn.Server):
    """A server whose streams end with it."""

    def __init__(self, server: Server) -> None:
        super().__init__(
            uvicorn.Config(
                server.app,
                http="h11",
                ws="none",
                loop="asyncio",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                limit_concurrency=MOST_CONNECTIONS,
                h11_max_incomplete_event_size=MOST_HEAD,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=END,
            )
        )
        self._hub = server.hub

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """See uvicorn."""
        super().handle_exit(sig, frame)
        self.loop.call_soon_threadsafe(self._hub.close)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn."""
        self.loop = asyncio.get_running_loop()
        await super().serve(sockets)


def listen(port: int, *, lan: bool) -> socket.socket:
    """Return a socket that listens, on this machine alone unless `lan`. OSError: the port is in use."""
    return socket.create_server(("0.0.0.0" if lan else "127.0.0.1", port), backlog=128)


def qr_code(address: str) -> str:
    """Return a QR code as an SVG element."""
    out = io.BytesIO()
    segno.make(address, error="m").save(out, kind="svg", xmldecl=False, omitsize=True, nl=False, border=2)
    return out.getvalue().decode()


def serve(server: Server, listening: socket.socket) -> None:
    """Serve until ^C, or SIGTERM."""
    before = signal.getsignal(signal.SIGINT)
    try:
        Runner(server).run([listening])
    except KeyboardInterrupt:  # the end that was asked for
        pass
    finally:
        signal.signal(signal.SIGINT, before)
