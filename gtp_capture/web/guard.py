"""Checks of requests: hosts, origins, lengths, keys, and who may come in when; and the headers of all answers."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import re
import secrets
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..teach.event import Refusal, Refused
from ..teach.sentences import ENGLISH, language
from ..util.network import parsed, url
from .view import refusal

MOST_BYTES: Final = 8192
"""Of a body."""
GAP: Final = 0.25
"""Seconds between two answers to devices without a seat."""
MANY: Final = 100
"""The number of wrong words in all from which on GAP is twice as long."""
MOST_WAITING: Final = 120
"""The maximum number of devices that wait for an answer."""
REMEMBERED: Final = 1000
"""The maximum number of devices, and of addresses, whose wrong words are counted."""
ONCE: Final = 30.0
"""Seconds for which the key is good that the address has which is opened in the browser."""
LONGEST_LIST: Final = 200
"""The maximum number of characters of a list of languages that are read."""
_LANGUAGE: Final = re.compile(r"([A-Za-z]{2,8}(?:[-_][A-Za-z0-9]+)*)(?:\s*;\s*q\s*=\s*([01](?:\.\d{0,3})?))?")
"""A language with its weight, in the header Accept-Language."""
_HOST: Final = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]{2,45})\]|(?P<name>[A-Za-z0-9.-]{1,253}))(?::\d{1,5})?", re.ASCII)
"""A host with a port, as browsers send it; an address of IPv6 is in brackets."""
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
    """A request is refused, with a status and a reason."""

    def __init__(self, status: int, reason: Refusal, **fields: Any) -> None:
        super().__init__(reason.name)
        self.status, self.fields, self._refused = status, fields, Refused(reason, fields)

    def said(self, language: str) -> str:
        """Return the sentence in a language."""
        return refusal(self._refused, language)

    def answer(self, language: str) -> Response:
        """Return what is sent."""
        return JSONResponse({"error": self.said(language), **self.fields}, self.status)


class Guard:
    """Refuses requests that another site has caused, and adds the strict headers to every answer."""

    def __init__(self, app: ASGIApp, owner: Callable[[Request], str], address: Callable[[], str]) -> None:
        """`owner`: returns the seat, or the teacher, that a request comes from; "" for a stranger.

        `address`: returns the address that is shown to children.
        """
        self._app, self._owner, self._address = app, owner, address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request. A host has to be an address or localhost: a name could be rebound to this machine."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        scope["state"]["owner"] = self._owner(request)  # see `connection.Connection`
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        foreign = origin is not None and origin != f"http://{host}"
        foreign |= request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in {"Cache-Control": "no-store", **HEADERS}.items():
                    headers.setdefault(name, value)
            await send(message)

        spoken = accepted(request, ENGLISH)
        if not _is_own(host):
            own, port = scope["server"]  # where this request has arrived, so that this device can open it,
            here = self._address() if "%" in own else url(own, port)  # unless that needs the name of an interface
            refused = RefusedRequest(421, Refusal.OTHER_NAME, address=here)
            await PlainTextResponse(refused.said(spoken), 421)(scope, receive, guarded)
        elif foreign and request.method != "GET":
            await RefusedRequest(403, Refusal.FOREIGN).answer(spoken)(scope, receive, guarded)
        else:
            await self._app(scope, receive, guarded)


def accepted(request: Request, default: str) -> str:
    """Return the first language of those that a page or a browser asks for, or else the default.

    A page that knows its language asks for it in the address, or in the header in place of the browser's.
    """
    wanted = request.query_params.get("language") or request.headers.get("accept-language", "")
    for name, _ in sorted(_LANGUAGE.findall(wanted[:LONGEST_LIST]), key=lambda match: -float(match[1] or 1)):
        with suppress(ValueError):
            return language(name)
    return default


def _is_own(host: str) -> bool:
    """Whether a Host header names an address, or localhost, perhaps with a port."""
    if (match := _HOST.fullmatch(host)) is None:
        return False
    name, six = match["name"], match["six"]
    if six is None and name.lower() == "localhost":
        return True
    try:
        ipaddress.IPv4Address(name) if six is None else ipaddress.IPv6Address(six)
    except ValueError:
        return False
    return True


async def content(request: Request) -> dict[str, Any]:
    """Return the body of a request as an object of JSON. RefusedRequest: it is too long, not whole, or none."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RefusedRequest(415, Refusal.MALFORMED)
    try:
        data = bytearray()
        async for part in request.stream():
            data += part
            if len(data) > MOST_BYTES:
                raise RefusedRequest(413, Refusal.TOO_LONG)
        sent = json.loads(data)
    except (ClientDisconnect, ValueError, RecursionError):
        raise RefusedRequest(400, Refusal.MALFORMED) from None
    if not isinstance(sent, dict):
        raise RefusedRequest(400, Refusal.MALFORMED)
    return sent


def cookie(request: Request, name: str) -> str:
    """Return the value of a cookie as it was sent; "" if there is none.

    The parser of Python before 3.13 takes quadratic time for some values.
    """
    for header in request.headers.getlist("cookie"):
        for pair in header.split(";"):
            key, _, value = pair.strip().partition("=")
            if key == name:
                return value
    return ""


def is_loopback(request: Request) -> bool:
    """Whether a request comes from this machine."""
    return request.client is not None and parsed(request.client.host).is_loopback


class Devices:
    """The names of devices, which the server gives and signs, so that a device cannot make up new ones."""

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)
        self._count = count()

    def new(self) -> str:
        """Return a new name."""
        text = f"{next(self._count)}.{secrets.token_urlsafe(24)}"
        return f"{text}.{self._sign(text)}"

    def number(self, name: str) -> int | None:
        """Return the number of a name: a later one is higher. None: the name was not given by this server."""
        text, _, signature = name.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._sign(text).encode()):
            return None
        return int(text.partition(".")[0])

    def _sign(self, text: str) -> str:
        return hmac.digest(self._secret, text.encode(), "sha256").hex()


@dataclass(eq=False, slots=True)
class _Waiting:
    """A device that waits for an answer."""

    device: str
    network: str
    number: int
    answer: asyncio.Future[None]


class Queue:
    """The queue of devices without a seat: their words are read one after the other, with a time between two.

    The next one is that of the device, then of the network, with the fewest wrong words so far, then the oldest name of
    a device. So neither the many attempts of a device nor those of its network let others wait for long.
    """

    def __init__(self) -> None:
        self.wrong = 0
        """All wrong words."""
        self._wrong = Counter[str]()
        """Wrong words by device and by network, the latest ones last."""
        self._waiting: list[_Waiting] = []
        self._next = 0.0
        """The time from which on the next word is read."""
        self._timer: asyncio.TimerHandle | None = None

    async def turn(self, device: str, network: str, number: int) -> None:
        """Wait for the turn of a device. RefusedRequest: too many wait, or the device has asked once more."""
        for other in [other for other in self._waiting if other.device == device]:
            self._refuse(other)
        own = _Waiting(device, network, number, asyncio.get_running_loop().create_future())
        self._waiting.append(own)
        if len(self._waiting) > MOST_WAITING:
            self._refuse(max(self._waiting, key=self._rank))
        self._arrange()
        try:
            await own.answer
        finally:
            if own in self._waiting:
                self._waiting.remove(own)

    def count_wrong(self, device: str, network: str) -> None:
        """Count a wrong word."""
        self.wrong += 1
        for name in (device, network):
            self._wrong[name] = self._wrong.pop(name, 0) + 1
        for old in [*self._wrong][:-REMEMBERED]:
            del self._wrong[old]

    def close(self) -> None:
        """Refuse all that wait."""
        for other in [*self._waiting]:
            self._refuse(other)

    def _rank(self, waiting: _Waiting) -> tuple[int, int, int]:
        return self._wrong[waiting.device], self._wrong[waiting.network], waiting.number

    def _refuse(self, waiting: _Waiting) -> None:
        self._waiting.remove(waiting)
        if not waiting.answer.done():
            waiting.answer.set_exception(RefusedRequest(503, Refusal.WAIT))

    def _arrange(self) -> None:
        loop = asyncio.get_running_loop()
        if self._waiting and self._timer is None:
            self._timer = loop.call_at(max(loop.time(), self._next), self._answer)

    def _answer(self) -> None:
        self._timer = None
        if self._waiting:
            chosen = min(self._waiting, key=self._rank)
            self._waiting.remove(chosen)
            if not chosen.answer.done():
                chosen.answer.set_result(None)
                self._next = asyncio.get_running_loop().time() + GAP * (1 + (self.wrong >= MANY))
        self._arrange()


class TeacherKeys:
    """The keys of the teacher's page, and the cookies that they are exchanged for."""

    def __init__(self, secret: str, second: str = "") -> None:
        """`secret`: the key for this machine; `second`: the key for another device, "" for none."""
        self._secret, self._second = secret, second
        self._once: dict[str, float] = {}
        self._cookies: dict[str, bool] = {}
        """Cookies, and whether each is good from the network."""

    def once(self, now: float) -> str:
        """Return a key that is good once, within ONCE seconds, from this machine."""
        key = secrets.token_urlsafe(24)
        self._once[key] = now + ONCE
        return key

    def exchange(self, key: str, now: float, *, is_here: bool) -> str | None:
        """Return a cookie for a key; None if the key is wrong. `is_here`: whether it comes from this machine."""
        is_second = bool(self._second) and _same(key, self._second)
        is_own = is_here and (self._once.pop(key, now) > now or _same(key, self._secret))
        if not (is_own or is_second):
            return None
        cookie = secrets.token_urlsafe(24)
        self._cookies[cookie] = is_second
        return cookie

    def knows(self, cookie: str, *, is_here: bool) -> bool:
        """Whether a cookie is good."""
        return cookie in self._cookies and (is_here or self._cookies[cookie])


def _same(given: str, secret: str) -> bool:
    return secrets.compare_digest(given.encode(), secret.encode())
