"""HTTP: routes, who may use them, and what every answer carries.

    request --body with a cap--> who? may they? same origin? --> view, in a thread --> answer
                                                                 events: in the event loop

A view gets an `Visit` and returns a response. It runs in a thread, since it may read the database
or a file. Every answer gets the same headers. Only what this server renders is ever a page; a
student's text is text, or JSON.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from python_multipart.multipart import parse_options_header
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers as RequestHeaders
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grader.records.errors import GraderError
from grader.serve import board, hub, pages, rest
from grader.serve.people import SESSION, TOKEN, Who
from grader.serve.service import NotDone, Service
from grader.serve.visit import ANYBODY, TEACHER, Extension, View, Visit

log = logging.getLogger(__name__)
MOST_BYTES = 256_000
MOST_UPLOAD = 8_000_000
"""Of a file: a notebook holds its outputs, too."""
_FAILED = "The server failed at this. What you submitted before is kept. Tell your teacher."
BODY_SECONDS = 30.0
MOST_AT_ONCE = 12
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}


def make(
    service: Service, sign_in: hub.Hub | None = None, extensions: Sequence[Extension] = ()
) -> Starlette:
    """The application. It judges as long as it lives."""

    @asynccontextmanager
    async def lives(_: Starlette) -> AsyncIterator[None]:
        runs = [service.run(), *(extension.run() for extension in extensions)]
        running = [asyncio.create_task(run) for run in runs]
        for task in running:
            task.add_done_callback(_say_end)
        try:
            yield
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    dispatcher = Dispatcher(service, sign_in)
    views = [*pages.VIEWS, *board.VIEWS, *rest.VIEWS, *(sign_in.views if sign_in else ())]
    views += [view for extension in extensions for view in extension.views]
    routes: list[BaseRoute] = [dispatcher.route(view) for view in views]
    app = Starlette(
        routes=routes, lifespan=lives, exception_handlers={HTTPException: dispatcher.unknown}
    )
    app.router.redirect_slashes = False  # it would believe the header `Host`
    app.add_middleware(Headers)
    app.state.service = service
    return app


def _say_end(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        log.critical("judging, or sending marks, has ended", exc_info=task.exception())


class Headers:
    """Adds what every answer carries. A view may set a header itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        names = [name.lower() for name, _ in scope.get("headers", ())]
        lengths = sum(name in (b"content-length", b"transfer-encoding") for name in names)

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.lower().encode(), value.encode())
                        for name, value in HEADERS.items()
                        if name.lower().encode() not in there
                    ),
                ]
            await send(message)

        is_old = scope.get("http_version") == "1.0" and b"transfer-encoding" in names
        if lengths > 1 or is_old:  # a proxy may see another end of this, and so another request
            said = "Send a Content-Length, or with HTTP/1.1 a Transfer-Encoding."
            await PlainTextResponse(said, 400, {"Connection": "close"})(scope, receive, sent)
            return
        await self._app(scope, receive, sent if scope["type"] == "http" else send)


@dataclass
class Dispatcher:
    """Turns a request into an `Visit`, or refuses it."""

    service: Service
    sign_in: hub.Hub | None = None
    _busy: Counter[str] = field(default_factory=Counter)

    def route(self, view: View) -> Route:
        async def endpoint(request: Request) -> Response:
            is_program = view.path.startswith("/api/") or _wants_json(request)
            # A form stands on the page above its own address.
            is_form = view.method == "POST" and view.access != ANYBODY
            back = request.url.path.rpartition("/")[0] if is_form else ""
            try:
                visit = await self._asked(request, view)
                if visit.who is None and view.access != ANYBODY and not is_program:
                    return pages.welcome(visit, status=401)
                self._admit(visit, view)
                with self._one_of_few(visit.who):
                    await self._take(visit, view)
                    return await self._answered(visit, view)
            except NotDone as error:
                return self._refusal(error, is_program, back)
            except ClientDisconnect:
                return PlainTextResponse("", 400)
            except GraderError as error:
                return self._refusal(NotDone(422, str(error)), is_program, back)
            except Exception:
                log.exception("%s %s failed", view.method, view.path)
                return self._refusal(NotDone(500, _FAILED), is_program, back)

        return Route(view.path, endpoint, methods=[view.method])

    async def _answered(self, visit: Visit, view: View) -> Response:
        function: Any = view.function
        if asyncio.iscoroutinefunction(function):
            answer: Response = await function(visit)
        else:
            answer = await run_in_threadpool(function, visit)
        return answer

    async def _asked(self, request: Request, view: View) -> Visit:
        secret = request.cookies.get(self.service.cookie, "")
        who = (
            await run_in_threadpool(self.service.people.known, secret, SESSION) if secret else None
        )
        by_cookie = who is not None
        header = request.headers.get("authorization", "")
        # A token is for programs: it opens no page, and makes no other key.
        if header and not by_cookie and view.path.startswith("/api/"):
            who = await run_in_threadpool(self._by_header, header)
        if view.method != "GET" and not view.is_from_elsewhere and (by_cookie or not header):
            self._require_same_origin(request)
        return Visit(self.service, request, who, dict(request.path_params))

    @contextmanager
    def _one_of_few(self, who: Who | None) -> Iterator[None]:
        """A person has a few requests at a time, so that nobody takes all threads."""
        if who is None:
            yield
            return
        if self._busy[who.id] >= MOST_AT_ONCE:
            raise NotDone(429, "Too many of your requests are open. Wait for them.", 1.0)
        self._busy[who.id] += 1
        try:
            yield
        finally:
            self._busy[who.id] -= 1

    async def _take(self, visit: Visit, view: View) -> None:
        """Reads the body of who was let in. What it holds was submitted when its end is here."""
        if view.method == "GET":
            return
        most = MOST_UPLOAD if view.takes_file else MOST_BYTES
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _body(visit.request, most)
        except TimeoutError:
            raise NotDone(408, "The rest of this didn't arrive. Send it again.") from None
        visit.at = time.time()
        await self._read(visit, body)
        try:
            "".join([*visit.form, *visit.form.values()]).encode()
        except UnicodeEncodeError:
            raise NotDone(422, "This has characters that are not text. Save it in UTF-8.") from None
        who = visit.who
        if who and view.access != ANYBODY and visit.form.get("as", who.sign) != who.sign:
            raise NotDone(409, f"{who.name} is signed in now. Reload this page: it isn't yours.")

    def _by_header(self, header: str) -> Who | None:
        kind, _, secret = header.partition(" ")
        if kind.lower() == "bearer":
            return self.service.people.known(secret.strip(), TOKEN)
        if self.sign_in is not None and kind.lower() == "token":
            return self.sign_in.owner(secret.strip())
        return None

    def _require_same_origin(self, request: Request) -> None:
        """A page of another site can't act with the cookie of somebody who is signed in."""
        origin, ours = request.headers.get("origin"), urlsplit(self.service.address)
        # A browser that keeps its origin back still says whether it is the same site.
        is_kept_back = origin in (None, "null")
        is_same = request.headers.get("sec-fetch-site") == "same-origin"
        if origin != f"{ours.scheme}://{ours.netloc}" and not (is_kept_back and is_same):
            raise NotDone(
                403,
                "This came from another site, so the server refused it. Open the page at "
                f"{self.service.address} and try again.",
            )

    async def _read(self, visit: Visit, body: bytes) -> None:
        kind = visit.request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "application/json":
            try:
                given = json.loads(body)
            except (ValueError, RecursionError):
                raise NotDone(400, "The body is not JSON.") from None
            if not isinstance(given, dict):
                raise NotDone(400, "The body is not a JSON object.")
            visit.form = {k: v for k, v in given.items() if isinstance(v, str)}
        elif kind == "multipart/form-data":
            visit.form, visit.file = await _multipart(visit.request, body)
        elif kind == "application/x-www-form-urlencoded":
            try:
                fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=20)
            except ValueError:
                raise NotDone(400, "The form can't be read.") from None
            # A form sends CR LF.
            visit.form = {k: v[-1].replace("\r\n", "\n") for k, v in fields.items()}
        elif body:
            raise NotDone(415, "Send a form, or JSON.")

    def _admit(self, visit: Visit, view: View) -> None:
        if view.access == ANYBODY:
            return
        if visit.who is None:
            raise NotDone(401, "Sign in first: with a session, or with `Authorization: Bearer`.")
        # What isn't for students looks to them as if it weren't there.
        if view.access == TEACHER and not visit.who.is_teacher:
            raise NotDone(404, "There is no such page.")

    def unknown(self, request: Request, error: Exception) -> Response:
        """What no view has."""
        status = error.status_code if isinstance(error, HTTPException) else 404
        text = "There is no such page." if status == 404 else "This page can't do that."
        is_program = request.url.path.startswith("/api/") or _wants_json(request)
        answer = self._refusal(NotDone(status, text), is_program, "")
        answer.headers.update(getattr(error, "headers", None) or {})
        return answer

    def _refusal(self, error: NotDone, is_program: bool, back: str) -> Response:
        headers = {"Retry-After": f"{max(1, error.retry_after):.0f}"} if error.retry_after else {}
        if error.status == 401 and is_program:
            headers["WWW-Authenticate"] = "Bearer"
        if is_program:
            return JSONResponse({"error": error.text}, error.status, headers)
        return pages.refusal(error.status, error.text, headers, back)


def _wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


async def _body(request: Request, most: int) -> bytes:
    """The whole body, read with a cap of our own."""
    parts, size = [], 0
    if int(request.headers.get("content-length") or 0) > most:
        raise NotDone(413, f"This is more than {most // 1000} kB. Send less.")
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise NotDone(413, f"This is more than {most // 1000} kB. Send less.")
        parts.append(part)
    return b"".join(parts)


async def _multipart(
    request: Request, body: bytes
) -> tuple[dict[str, str], tuple[str, bytes] | None]:
    async def once() -> AsyncGenerator[bytes, None]:
        yield body

    # Only the boundary is believed: some codecs need minutes for what was sent.
    _, given = parse_options_header(request.headers.get("content-type", ""))
    if "charset" in {name.decode("latin-1").lower() for name in given}:
        raise NotDone(400, "The form can't be read: send it without a `charset`.")
    kind = b"multipart/form-data; boundary=" + given.get(b"boundary", b"")
    headers = RequestHeaders(raw=[(b"content-type", kind)])
    try:
        form = await MultiPartParser(headers, once(), max_files=1, max_fields=5).parse()
    except (MultiPartException, KeyError, ValueError, UnicodeDecodeError):
        raise NotDone(400, "The form can't be read.") from None
    fields, file = {}, None
    for name, value in form.multi_items():
        if isinstance(value, UploadFile):
            file = (value.filename or "upload", await value.read())
        else:
            fields[name] = value
    await form.close()
    return fields, file
