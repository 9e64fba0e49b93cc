"""Checks of requests: hosts, origins, lengths and wrong words; and the headers of all answers."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..classroom.view import sentence
from ..teach.sentences import ENGLISH, language

MOST_BYTES: Final = 8192
"""Of a body."""
SECONDS: Final = 10.0
"""The maximum number of seconds until a body has arrived."""
WRONG: Final = 5
"""The number of wrong words after which an address has to wait."""
FIRST_WAIT: Final = 30.0
"""The seconds of the first wait; each further wrong word doubles them."""
LONGEST_WAIT: Final = 960.0
ADDRESSES: Final = 1000
"""The maximum number of addresses whose wrong words are remembered."""
LONGEST_LIST: Final = 200
"""The maximum number of characters of a list of languages that are read."""
_LANGUAGE: Final = re.compile(r"([A-Za-z]{2,8}(?:[-_][A-Za-z0-9]+)*)(?:\s*;\s*q\s*=\s*([01](?:\.\d{0,3})?))?")
"""A language with its weight, in the header Accept-Language."""
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "object-src 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class RefusedRequest(Exception):
    """A request is refused, with a status and a sentence by its key."""

    def __init__(self, status: int, key: str, **fields: Any) -> None:
        super().__init__(key)
        self.status, self.key, self.fields = status, key, fields

    def said(self, language: str) -> str:
        """Return the sentence in a language."""
        return sentence(language, self.key, **self.fields)

    def answer(self, language: str) -> Response:
        """Return what is sent."""
        return JSONResponse({"error": self.said(language), **self.fields}, self.status)


class Guard:
    """Refuses requests that another site has caused, and adds the strict headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request. A host has to be an address or localhost: a name could be rebound to this machine."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        foreign = origin is not None and origin != f"http://{host}"
        foreign |= request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = {"Cache-Control": "no-store", **HEADERS}
                known = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((k.lower().encode(), v.encode()) for k, v in added.items() if k.lower().encode() not in known),
                ]
            await send(message)

        spoken = accepted(request, ENGLISH)
        if not _is_own(host):
            await PlainTextResponse(sentence(spoken, "class.foreign"), 421)(scope, receive, guarded)
        elif foreign and request.method != "GET":
            await RefusedRequest(403, "class.foreign").answer(spoken)(scope, receive, guarded)
        else:
            await self._app(scope, receive, guarded)


def accepted(request: Request, default: str) -> str:
    """Return the first language of those that a page or a browser asks for, or else the default.

    A page that knows its language asks for it in the address, or in the header in place of the browser's.
    """
    wanted = request.query_params.get("language") or request.headers.get("accept-language", "")
    for name, _ in sorted(_LANGUAGE.findall(wanted[:LONGEST_LIST]), key=lambda found: -float(found[1] or 1)):
        with suppress(ValueError):
            return language(name)
    return default


def _is_own(host: str) -> bool:
    """Whether a Host header names an address, or localhost."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
        if name == "localhost":
            return True
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


async def content(request: Request) -> dict[str, Any]:
    """Return the body of a request as an object of JSON. RefusedRequest: it is too long, too slow, or none."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RefusedRequest(415, "class.malformed")
    try:
        async with asyncio.timeout(SECONDS):
            data = b""
            async for part in request.stream():
                data += part
                if len(data) > MOST_BYTES:
                    raise RefusedRequest(413, "class.too_long")
        found = json.loads(data)
    except TimeoutError:
        raise RefusedRequest(408, "class.malformed") from None
    except (ValueError, RecursionError):
        raise RefusedRequest(400, "class.malformed") from None
    if not isinstance(found, dict):
        raise RefusedRequest(400, "class.malformed")
    return found


class Attempts:
    """Wrong words by the address that they came from."""

    def __init__(self) -> None:
        self._wrong: dict[str, tuple[int, float]] = {}
        """The number of wrong words, and the time from which another one is read."""

    def check(self, address: str, now: float) -> None:
        """RefusedRequest: this address has to wait."""
        _, until = self._wrong.get(address, (0, now))
        if until > now:
            raise RefusedRequest(429, "class.wait", count=int(until - now) + 1)

    def wrong(self, address: str, now: float) -> None:
        """Count a wrong word."""
        count = self._wrong.pop(address, (0, now))[0] + 1
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (count - WRONG)) if count >= WRONG else 0.0
        self._wrong[address] = count, now + wait
        for old in [*self._wrong][:-ADDRESSES]:
            del self._wrong[old]

    def right(self, address: str) -> None:
        """Forget the wrong words of an address."""
        self._wrong.pop(address, None)
