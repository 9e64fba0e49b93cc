"""The application: pages, streams of events, and actions. All sentences and all that is drawn come from the class."""

from __future__ import annotations

import asyncio
import hashlib
import html
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from importlib import resources
from itertools import pairwise
from string import Template
from typing import Any, Final

from markdown_it import MarkdownIt
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from ..classroom import child, teacher
from ..classroom.seat import Seat
from ..teach import manual
from ..teach.event import Refusal, RefusedError
from ..teach.sentences import ENGLISH
from . import homework, results, view
from .connection import network_of
from .guard import Devices, Guard, Queue, RefusedRequest, TeacherKeys, accepted, content, cookie, is_loopback
from .hub import Hub, News, Stream

TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
STATUS: Final = {
    Refusal.NAME: 400,
    Refusal.WRONG_WORD: 403,
    Refusal.CLOSED: 403,
    Refusal.NO_SEAT: 404,
    Refusal.PAIRS: 400,
    Refusal.TOO_FAST: 429,
}
"""The HTTP status by the reason of a refusal; 409 for other reasons."""
LONGEST_ID: Final = 64
COOKIE_AGE: Final = 180 * 86400
"""Seconds for which a device keeps its name: a class goes on week after week."""
TRIED: Final = "remembered"
"""A field of the address of a page for which a cookie has just been set."""
Handler = Callable[[Request], Awaitable[Response]]


class Pages:
    """The files under `static`, which are read once. Only these are served."""

    def __init__(self) -> None:
        files = (resources.files(__package__) / "static").iterdir()
        self._files = {file.name: file.read_bytes() for file in files if file.name.rpartition(".")[2] in TYPES}
        self._texts = {name: self._files.pop(name).decode() for name in [*self._files] if name.endswith(".html")}

    def page(self, request: Request, name: str, language: str) -> Response:
        """Return the page of a role in a language: the frame with its body."""
        words = view.page_words(language)
        body = self._filled(name, words)
        frame = self._filled("frame", words, language=view.tag(language), page=name, body=body)
        return self._response(request, frame.encode(), "html")

    def refusal(self, language: str, said: str, status: int) -> Response:
        """Return a page that says why a page is refused."""
        body = f'<section class="stop"><h1>{html.escape(said)}</h1></section>'
        page = self._text("refused", view.page_words(language)["title"], body, language)
        return Response(page, status, media_type=TYPES["html"])

    def report(self, request: Request, children: Sequence[results.ReportView], language: str) -> Response:
        """Return the pages of children for their parents, each on a sheet of its own.

        `language`: of the button that prints them.
        """
        script = '<script type="module" src="/static/report.js"></script>'
        label = html.escape(view.page_words(language)["print"])
        button = f'<button type="button" lang="{view.tag(language)}">{label}</button>'
        body = "".join((script, button, *map(_sheet, children)))
        return self._response(request, self._text("report", view.page_words(ENGLISH)["title"], body), "html")

    def manual(self, request: Request, topic: str, language: str) -> Response:
        """Return a page of the manual, in a language if it is there. RefusedRequest: there is no such page."""
        if topic not in manual.topics():
            raise RefusedRequest(404, Refusal.NO_PAGE)
        markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
        english, tokens = (markdown.parse(text) for text in (manual.page(topic), manual.linked(topic, language)))
        names = (text.content for heading, text in pairwise(english) if heading.type == "heading_open")
        for heading, name in zip((token for token in tokens if token.type == "heading_open"), names, strict=True):
            heading.attrSet("id", manual.anchor(name))
        body = markdown.renderer.render(tokens, markdown.options, {})
        spoken = language if topic in manual.TRANSLATED else ENGLISH
        return self._response(request, self._text("manual", f"gtp-capture: {topic}", body, spoken), "html")

    def _text(self, name: str, title: str, body: str, language: str = ENGLISH) -> bytes:
        """Return a page with a text."""
        return self._filled("text", {"title": title}, language=view.tag(language), page=name, body=body).encode()

    def _filled(self, name: str, texts: Mapping[str, str], **parts: str) -> str:
        """Return a file of HTML with texts, which are escaped, and with parts, which are HTML."""
        escaped = {key: html.escape(text) for key, text in texts.items()}
        return Template(self._texts[f"{name}.html"]).safe_substitute(escaped, **parts)

    def file(self, request: Request, name: str) -> Response:
        """Return a file. RefusedRequest: there is none."""
        if name not in self._files:
            raise RefusedRequest(404, Refusal.NO_PAGE)
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

    def __init__(self, hub: Hub, keys: TeacherKeys, port: int) -> None:
        """`keys`: the keys of the teacher's page."""
        self.hub, self.room, self.keys = hub, hub.room, keys
        self.queue, self._pages, self._devices = Queue(), Pages(), Devices()
        self.homework = homework.Homework(hub)
        self._cookies = {role: f"gtp-capture-{role}-{port}" for role in ("device", "teacher")}
        streams = [Route("/events", self._events), Route("/next", self._next)]
        for stream in streams:
            (stream.methods or set()).discard("HEAD")  # a stream without a body would have no end
        post = ["POST"]
        routes = [
            Route("/", self._child),
            Route("/teacher", self._page_for_teacher("teacher")),
            Route("/wall", self._page_for_teacher("wall")),
            Route("/manual/{topic}", self._for_teacher(self._manual)),
            Route("/static/{name}", self._static),
            *streams,
            Route("/join", self._join, methods=post),
            Route("/do", self._do, methods=post),
            Route("/teach", self._for_teacher(self._teach), methods=post),
            Route("/seat/{number:int}", self._for_teacher(self._large)),
            Route("/results", self._for_teacher(self._results)),
            Route("/homework", self._for_teacher(self._homework)),
            Route("/homework", self._for_teacher(self._make_homework), methods=post),
            Route("/homework/file", self._for_teacher(self._homework_file)),
            Route("/code", self._for_teacher(self._code), methods=post),
            Route("/report", self._for_teacher(self._report)),
            Route("/results.csv", self._for_teacher(self._csv)),
            Route("/games.sgf", self._for_teacher(self._sgf)),
        ]
        errors: Mapping[Any, Any] = {
            RefusedRequest: self._refuse,
            RefusedError: self._refuse_action,
            404: self._no_page,
            405: self._no_method,
        }
        self.app = Starlette(
            routes=routes,
            middleware=[Middleware(Guard, owner=self._owner, address=lambda: self.hub.door.shown)],
            exception_handlers=errors,
            lifespan=self._lifespan,
        )

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.hub.start(self.hub.watch())
        await self.hub.begin()
        yield
        await self.hub.save()

    def close(self) -> None:
        """End what waits, streams and work."""
        if not self.hub.is_over:
            self.queue.close()
            self.hub.close()

    # --- Identification ---

    def _device(self, request: Request) -> str:
        """Return the name of a device; "" if it has none yet."""
        return cookie(request, self._cookies["device"])

    def _seat(self, request: Request) -> Seat | None:
        """Return the seat of a device; None if it has none."""
        return self.room.seat_of(self._device(request))

    def _is_teacher(self, request: Request) -> bool:
        return self.keys.knows(cookie(request, self._cookies["teacher"]), is_here=is_loopback(request))

    def _owner(self, request: Request) -> str:
        """Return what tells the connections of a seat, or of the teacher, from those of strangers: "" for these."""
        if self._is_teacher(request):
            return "teacher"
        seat = self._seat(request)
        return "" if seat is None else f"seat {seat.number}"

    def _check_teacher(self, request: Request) -> None:
        """RefusedRequest: this is not the teacher."""
        if not self._is_teacher(request):
            raise RefusedRequest(
                403, Refusal.NO_COOKIES_TEACHER if TRIED in request.query_params else Refusal.TEACHERS_PAGE
            )

    def _for_teacher(self, handler: Handler) -> Handler:
        """Return a handler that answers the teacher alone."""

        async def checked(request: Request) -> Response:
            self._check_teacher(request)
            return await handler(request)

        return checked

    def _set_cookie(self, response: Response, role: str, value: str) -> None:
        response.set_cookie(self._cookies[role], value, max_age=COOKIE_AGE, httponly=True, samesite="strict")

    # --- Pages ---

    def _language(self, request: Request) -> str:
        """Return the language of a device without a seat."""
        return accepted(request, self.room.language)

    async def _child(self, request: Request) -> Response:
        seat = self._seat(request)
        return self._page(request, "child", self._language(request) if seat is None else seat.language)

    def _page(self, request: Request, name: str, language: str) -> Response:
        page = self._pages.page(request, name, language)
        self._name_device(request, page)
        return page

    def _name_device(self, request: Request, response: Response) -> None:
        """Give a device a name, by which its seat and its tabs are known, and which shows that it keeps cookies."""
        if self._seat(request) is None and self._devices.number(self._device(request)) is None:
            self._set_cookie(response, "device", self._devices.new())

    def _page_for_teacher(self, name: str) -> Handler:
        """Return the handler of a page that needs a key: in the address, or as the cookie that it was exchanged for."""

        async def handler(request: Request) -> Response:
            if (key := request.query_params.get("key")) is not None:
                own = self.keys.exchange(key, time.monotonic(), is_here=is_loopback(request))
                if own is None:
                    raise RefusedRequest(403, Refusal.TEACHERS_PAGE)
                page = RedirectResponse(f"{request.url.path}?{TRIED}", 303)
                self._set_cookie(page, "teacher", own)
                return page
            self._check_teacher(request)
            return self._page(request, name, self.room.language)

        return handler

    async def _manual(self, request: Request) -> Response:
        return self._pages.manual(request, request.path_params["topic"], self.room.language)

    async def _static(self, request: Request) -> Response:
        return self._pages.file(request, request.path_params["name"])

    async def _events(self, request: Request) -> Response:
        if (stream := self._stream(request)) is None:
            return Response(self.hub.event("", self.hub.form(self._language(request))), media_type="text/event-stream")
        news = self._news(request, stream)
        return StreamingResponse(self.hub.events(stream, news), media_type="text/event-stream")

    async def _next(self, request: Request) -> Response:
        if (stream := self._stream(request)) is None:
            return JSONResponse({"seen": "", "event": self.hub.form(self._language(request))})
        news, seen = self._news(request, stream), request.query_params.get("seen", "")
        return JSONResponse(await self.hub.next_event(stream, news, seen))

    def _stream(self, request: Request) -> Stream | None:
        """Return a stream for a page; None for a stranger, who gets one message. RefusedRequest: a page not for it."""
        role, seat, device = request.query_params.get("as", "child"), None, self._device(request)
        if role != "child":
            self._check_teacher(request)
        elif (seat := self._seat(request)) is None:
            return None
        return Stream(role, seat, device, request.query_params.get("tab", ""))

    def _news(self, request: Request, stream: Stream) -> News:
        """Return what is new for a page."""
        if stream.seat is not None:
            return self.hub.of_child(stream.device, self._language(request))
        return self.hub.of_wall() if stream.page == "wall" else self.hub.of_teacher()

    # --- Actions ---

    async def _join(self, request: Request) -> Response:
        sent, device, language = await content(request), self._device(request), self._language(request)
        seat, number = self._seat(request), self._devices.number(device)
        if seat is not None:
            return JSONResponse({"seat": seat.number})
        if number is None:  # or each try of a browser without cookies takes a seat
            refusal = RefusedRequest(428, Refusal.NO_COOKIES, cookie=True).answer(language)
            self._name_device(request, refusal)
            return refusal
        word, name = _text(sent, "word"), _text(sent, "name") if "name" in sent else ""
        network = network_of(request.client.host) if request.client is not None else ""
        await self.queue.turn(device, network, number)
        try:
            if not name:
                self.room.check_word(word)
                return JSONResponse({"names": self.room.names, "free": self.room.free_names})
            seat = await self.hub.change(lambda: self.room.join(word, name, device, language))
        except RefusedError as error:
            if error.refused.reason is Refusal.WRONG_WORD:
                self.queue.count_wrong(device, network)
                self.hub.show()
            raise
        return JSONResponse({"seat": seat.number})

    async def _do(self, request: Request) -> Response:
        sent, seat = await content(request), self._seat(request)
        if seat is None:
            raise RefusedRequest(401, Refusal.COME_IN)
        action, seen, name = sent.get("do"), sent.get("n", -1), _text(sent, "id")
        if not isinstance(action, dict) or type(seen) is not int:
            raise RefusedRequest(400, Refusal.MALFORMED)
        await asyncio.sleep(seat.reserve(time.monotonic(), child.cost(action)))
        with _well_formed():
            await self.hub.change(lambda: child.act(self.room, seat, action, seen, name))
        if self._seat(request) is not seat:  # it has left
            return JSONResponse(self.hub.form(self._language(request)))
        return JSONResponse({"view": view.child(self.room, seat)})

    async def _teach(self, request: Request) -> Response:
        sent = await content(request)
        action, name = sent.get("do"), _text(sent, "id")
        if not isinstance(action, dict):
            raise RefusedRequest(400, Refusal.MALFORMED)
        with _well_formed():
            await self.hub.change(lambda: teacher.teach(self.room, action, name))
        return JSONResponse({"ok": True})

    async def _refuse_action(self, request: Request, error: RefusedError) -> Response:
        reason = error.refused.reason
        return await self._refuse(request, RefusedRequest(STATUS.get(reason, 409), reason, **error.refused.fields))

    async def _refuse(self, request: Request, error: RefusedRequest) -> Response:
        language = self._language(request)
        if "text/html" in request.headers.get("accept", ""):  # a person has opened this address
            return self._pages.refusal(language, error.said(language), error.status)
        return error.answer(language)

    async def _no_page(self, request: Request, error: Exception) -> Response:
        return await self._refuse(request, RefusedRequest(404, Refusal.NO_PAGE))

    async def _no_method(self, request: Request, error: HTTPException) -> Response:
        """Refuse a method, and name those that the address takes."""
        refusal = await self._refuse(request, RefusedRequest(405, Refusal.NO_PAGE))
        refusal.headers.update(error.headers or {})
        return refusal

    # --- What the teacher asks for ---

    async def _large(self, request: Request) -> Response:
        number = request.path_params["number"]
        if number not in self.room.seats:
            raise RefusedRequest(404, Refusal.NO_SEAT)
        return JSONResponse(view.large(self.room, self.room.seats[number]))

    async def _results(self, request: Request) -> Response:
        return JSONResponse(results.table(self.room))

    async def _report(self, request: Request) -> Response:
        children = [results.report(self.room, seat) for seat in self.room.seats.values()]
        return self._pages.report(request, children, self.room.language)

    async def _homework(self, request: Request) -> Response:
        return JSONResponse(homework.handed_out(self.homework))

    async def _make_homework(self, request: Request) -> Response:
        sent = await content(request)
        with _well_formed():
            self.homework.begin(_text(sent, "what"), _text(sent, "whom"))
        return JSONResponse({"ok": True})

    async def _homework_file(self, request: Request) -> Response:
        if not self.homework.data:
            raise RefusedRequest(404, Refusal.NO_PAGE)
        return _download(self.homework.data, "application/octet-stream", self.homework.name)

    async def _code(self, request: Request) -> Response:
        sent = await content(request)
        given, chosen = sent.get("code"), sent.get("seat")
        if not isinstance(given, str) or type(chosen) not in (int, type(None)):
            raise RefusedRequest(400, Refusal.MALFORMED)
        seat, solved = await self.hub.change(lambda: self.homework.read(given, chosen))
        return JSONResponse(homework.code(self.room, seat, solved))

    async def _csv(self, request: Request) -> Response:
        return _download(results.csv_of(self.room).encode("utf-8-sig"), "text/csv; charset=utf-8", "class.csv")

    async def _sgf(self, request: Request) -> Response:
        data = b"".join(record.sgf for record in self.room.records.games.values())
        return _download(data, "application/x-go-sgf", "games.sgf")


def _sheet(child: results.ReportView) -> str:
    """Return the page of a child for its parents as HTML."""
    lines = "".join(f"<p>{html.escape(text)}</p>" for text in child["lines"])
    done = "".join(f"<li>{html.escape(text)}</li>" for text in child["lessons"])
    heading, title, following = map(html.escape, (child["heading"], child["title"], child["next"]))
    course = f"<h2>{heading}</h2><ul>{done}</ul>" if done else ""
    parts = f'<h1>{title}</h1><p class="note">{child["day"]}</p>{lines}{course}<p class="strong">{following}</p>'
    return f'<article class="sheet" lang="{view.tag(child["language"])}">{parts}</article>'


def _text(sent: dict[str, Any], name: str) -> str:
    """Return a text of a body. RefusedRequest: there is none, or it is too long."""
    value = sent.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_ID or re.search("[\ud800-\udfff]", value):
        raise RefusedRequest(400, Refusal.MALFORMED)
    return value


@contextmanager
def _well_formed() -> Iterator[None]:
    """Run an action. RefusedRequest: there is none like that."""
    try:
        yield
    except ValueError:
        raise RefusedRequest(400, Refusal.MALFORMED) from None


def _download(data: bytes, kind: str, name: str) -> Response:
    return Response(data, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
