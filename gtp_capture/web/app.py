"""The application: pages, streams of events, and actions. All sentences and all that is drawn come from the class."""

from __future__ import annotations

import hashlib
import html
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from importlib import resources
from string import Template
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from ..classroom import child, results, teacher, view
from ..classroom.room import Classroom
from ..classroom.seat import Seat
from ..tutor.reply import Refused
from .guard import Attempts, Guard, RefusedRequest, accepted, content
from .hub import MOST_STREAMS, Hub

TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
STATUS: Final = {"class.name": 400, "class.wrong_word": 403, "class.closed": 403, "class.no_seat": 404}
"""The HTTP status by the key of a sentence; 409 for other sentences."""
LONGEST_ID: Final = 64
Handler = Callable[[Request], Awaitable[Response]]


class Pages:
    """The files under `static`, which are read once. Only these are served."""

    def __init__(self) -> None:
        files = (resources.files(__package__) / "static").iterdir()
        self._files = {file.name: file.read_bytes() for file in files if file.name.rpartition(".")[2] in TYPES}
        self._texts = {name: self._files.pop(name).decode() for name in [*self._files] if name.endswith(".html")}

    def page(self, request: Request, name: str, language: str) -> Response:
        """Return the page of a role in a language: the frame with its body."""
        texts = {key: html.escape(said) for key, said in view.page_words(language).items()}
        body = Template(self._texts[f"{name}.html"]).safe_substitute(texts)
        fixed = {"language": language.replace("_", "-"), "page": name, "body": body}
        frame = Template(self._texts["frame.html"]).safe_substitute(texts, **fixed)
        return self._response(request, frame.encode(), "html")

    def refusal(self, language: str, said: str, status: int) -> Response:
        """Return a page that says why a page is refused."""
        texts = {"language": language.replace("_", "-"), "title": view.page_words(language)["title"], "said": said}
        page = Template(self._texts["refused.html"]).safe_substitute({k: html.escape(v) for k, v in texts.items()})
        return Response(page, status, media_type=TYPES["html"])

    def file(self, request: Request, name: str) -> Response:
        """Return a file. RefusedRequest: there is none."""
        if name not in self._files:
            raise RefusedRequest(404, "class.no_page")
        return self._response(request, self._files[name], name.rpartition(".")[2])

    def _response(self, request: Request, data: bytes, kind: str) -> Response:
        """Return data; not again to a browser that has it."""
        tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
        headers = {"ETag": tag, "Cache-Control": "no-cache", "Content-Type": TYPES[kind]}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(data, headers=headers)


class Server:
    """The addresses of the server, and their answers."""

    def __init__(self, hub: Hub, secret: str, port: int) -> None:
        """`secret`: the secret of the teacher's page."""
        self.hub, self._secret, self._pages, self._attempts = hub, secret, Pages(), Attempts()
        self._cookies = {role: f"gtp-capture-{role}-{port}" for role in ("child", "teacher")}
        get, post = ["GET"], ["POST"]
        routes = [
            Route("/", self._child, methods=get),
            Route("/teacher", self._for_teacher("teacher"), methods=get),
            Route("/wall", self._for_teacher("wall"), methods=get),
            Route("/static/{name}", self._static, methods=get),
            Route("/events", self._events, methods=get),
            Route("/join", self._join, methods=post),
            Route("/do", self._do, methods=post),
            Route("/teach", self._teach, methods=post),
            Route("/results", self._results, methods=get),
            Route("/results.csv", self._csv, methods=get),
            Route("/games.sgf", self._sgf, methods=get),
        ]
        errors: Mapping[Any, Any] = {RefusedRequest: self._refuse, 404: self._no_page, 405: self._no_page}
        self.app = Starlette(
            routes=routes, middleware=[Middleware(Guard)], exception_handlers=errors, lifespan=self._lifespan
        )

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.hub.start(self.hub.watch())
        await self.hub.begin()
        yield

    # --- Identification ---

    @property
    def room(self) -> Classroom:
        """The class."""
        return self.hub.room

    def _seat(self, request: Request) -> Seat:
        """Return the seat of a device. RefusedRequest: it has none."""
        seat = self.room.seat_of(request.cookies.get(self._cookies["child"], ""))
        if seat is None:
            raise RefusedRequest(401, "class.come_in")
        return seat

    def _is_secret(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self._secret.encode())

    def _check_teacher(self, request: Request) -> None:
        """RefusedRequest: this is not the teacher."""
        if not self._is_secret(request.cookies.get(self._cookies["teacher"], "")):
            raise RefusedRequest(403, "class.secret")

    def _set_cookie(self, response: Response, role: str, value: str) -> None:
        response.set_cookie(self._cookies[role], value, max_age=86400, httponly=True, samesite="strict")

    # --- Pages ---

    def _language(self, request: Request) -> str:
        """Return the language of a device without a seat."""
        return accepted(request, self.room.language)

    async def _child(self, request: Request) -> Response:
        seat = self.room.seat_of(request.cookies.get(self._cookies["child"], ""))
        return self._pages.page(request, "child", self._language(request) if seat is None else seat.language)

    def _for_teacher(self, name: str) -> Handler:
        """Return the handler of a page that needs the secret: in the address, or as a cookie."""

        async def handler(request: Request) -> Response:
            if (key := request.query_params.get("key")) is not None:
                if not self._is_secret(key):
                    raise RefusedRequest(403, "class.secret")
                found = RedirectResponse(request.url.path, 303)
                self._set_cookie(found, "teacher", self._secret)
                return found
            self._check_teacher(request)
            return self._pages.page(request, name, self.room.language)

        return handler

    async def _static(self, request: Request) -> Response:
        return self._pages.file(request, request.path_params["name"])

    async def _events(self, request: Request) -> Response:
        hub, role, seat = self.hub, request.query_params.get("as", "child"), None
        if len(hub.streams) >= MOST_STREAMS:
            raise RefusedRequest(503, "class.full")
        if role == "child":
            key = request.cookies.get(self._cookies["child"], "")
            seat, news = self.room.seat_of(key), hub.of_child(key, self._language(request))
        else:
            self._check_teacher(request)
            news = hub.of_wall() if role == "wall" else hub.of_teacher()
        return StreamingResponse(hub.events(seat, news), media_type="text/event-stream")

    # --- Actions ---

    async def _join(self, request: Request) -> Response:
        sent, now = await content(request), time.monotonic()
        word, name, action = (_text(sent, field) for field in ("word", "name", "id"))
        address = request.client.host if request.client is not None else ""
        self._attempts.check(address, now)
        try:
            language = self._language(request)
            seat = await self.hub.change(lambda: self.room.join(word, name, action, language))
        except Refused as refused:
            if refused.key == "class.wrong_word":
                self._attempts.wrong(address, now)
            raise _refused(refused) from None
        self._attempts.right(address)
        response = JSONResponse({"seat": seat.number})
        self._set_cookie(response, "child", seat.key)
        return response

    async def _do(self, request: Request) -> Response:
        sent, seat = await content(request), self._seat(request)
        action, seen, name = sent.get("do"), sent.get("n", -1), _text(sent, "id")
        if not isinstance(action, dict) or type(seen) is not int:
            raise RefusedRequest(400, "class.malformed")
        await self._change(lambda: child.do(self.room, seat, action, seen, name))
        return JSONResponse({"view": view.child(self.room, seat)})

    async def _teach(self, request: Request) -> Response:
        self._check_teacher(request)
        sent = await content(request)
        action, name = sent.get("do"), _text(sent, "id")
        if not isinstance(action, dict):
            raise RefusedRequest(400, "class.malformed")
        await self._change(lambda: teacher.teach(self.room, action, name))
        return JSONResponse({"ok": True})

    async def _change(self, act: Callable[[], None]) -> None:
        """Do an action. RefusedRequest: it is not possible, or there is none like that."""
        try:
            await self.hub.change(act)
        except Refused as refused:
            raise _refused(refused) from None
        except (ValueError, TypeError, KeyError):
            raise RefusedRequest(400, "class.malformed") from None

    async def _refuse(self, request: Request, error: RefusedRequest) -> Response:
        language = self._language(request)
        if "text/html" in request.headers.get("accept", ""):  # a person has opened this address
            return self._pages.refusal(language, error.said(language), error.status)
        return error.answer(language)

    async def _no_page(self, request: Request, error: Exception) -> Response:
        return await self._refuse(request, RefusedRequest(404, "class.no_page"))

    # --- Results ---

    async def _results(self, request: Request) -> Response:
        self._check_teacher(request)
        return JSONResponse(results.table(self.room))

    async def _csv(self, request: Request) -> Response:
        self._check_teacher(request)
        return _download(results.csv_of(self.room).encode("utf-8-sig"), "text/csv; charset=utf-8", "class.csv")

    async def _sgf(self, request: Request) -> Response:
        self._check_teacher(request)
        data = b"".join(record.sgf for record in self.room.records.games.values())
        return _download(data, "application/x-go-sgf", "games.sgf")


def _text(sent: dict[str, Any], name: str) -> str:
    """Return a text of a body. RefusedRequest: there is none, or it is too long."""
    value = sent.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_ID:
        raise RefusedRequest(400, "class.malformed")
    return value


def _refused(refused: Refused) -> RefusedRequest:
    return RefusedRequest(STATUS.get(refused.key, 409), refused.key, **refused.fields)


def _download(data: bytes, kind: str, name: str) -> Response:
    return Response(data, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
