"""The same for programs: `/api/v1`, described in `docs/schemas/openapi.json`. The pages use it.

POST attempts --accepted--> 202 with its state, or 200 with its result if `?wait=` was enough
GET attempts/ID, GET attempts/ID/events (server-sent events, until the result)
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response, StreamingResponse

from grader.output.reports.redaction import public_result
from grader.records.model import ExerciseResult, to_plain
from grader.serve.database import HandedIn
from grader.serve.marks import iso
from grader.serve.service import NotDone, Service
from grader.serve.visit import ANYBODY, View, Visit

MOST_WAIT = 60.0
STREAM_SECONDS = 300.0
MOST_STREAMS = 3
"""Of one person. A browser opens a new one when the last has ended."""


@dataclass(frozen=True)
class AttemptState:
    """An attempt, as its owner may see it."""

    id: str  #: its name in addresses
    assignment: str  #: its name
    exercise: str  #: its id
    at: str  #: when its last byte came, ISO 8601
    state: str  #: `waiting`, `later` (when nobody else waits), `judging` or `done`
    ahead: int = 0  #: how many are before it
    done: int = 0  #: tests that have run
    of: int = 0  #: tests to run; 0 if no judge has begun
    result: ExerciseResult | None = None  #: once it is done


@dataclass(frozen=True)
class OpenAssignment:
    """An assignment that can be seen now."""

    name: str  #: in addresses
    title: str
    due: str  #: ISO 8601, or empty
    exercises: tuple[str, ...]  #: their ids


@dataclass(frozen=True)
class Refusal:
    """Why something wasn't done."""

    error: str  #: a sentence that says what to do


def state(service: Service, one: HandedIn) -> AttemptState:
    """How far an attempt is: in the event loop, or as good as there."""
    about = one.id, one.assignment, one.exercise, iso(one.at)
    ticket = service.queue.ticket(one.id)
    if one.result is not None:
        rule = service.course.assignment(one.assignment)
        shown = public_result(one.result, in_words=rule.show == "words")
        return AttemptState(*about, "done", result=shown)
    if ticket is not None and ticket.judging is not None:
        return AttemptState(*about, "judging", 0, ticket.judging.done, ticket.judging.of)
    if ticket is not None and ticket.task is not None:
        return AttemptState(*about, "judging")
    return AttemptState(*about, ticket.lane if ticket else one.state, ticket.place if ticket else 0)


async def settled(service: Service, one: HandedIn, seconds: float) -> HandedIn:
    """The attempt with its result, if that comes in time; else as it is."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while (ticket := service.queue.ticket(one.id)) is not None:
                await ticket.changed.wait()
    return await _newest(service, one)


async def _newest(service: Service, one: HandedIn) -> HandedIn:
    found = await asyncio.to_thread(service.database.attempt, one.id)
    return found or one


async def hand_in(asked: Visit, text: str, request: str = "", path: str = "") -> HandedIn:
    """Accepts the text for the exercise in the path, and queues it."""
    service, place = asked.service, asked.place
    where = asked.member, place["assignment"], place["exercise"]
    one = await run_in_threadpool(service.hand_in, *where, text, request, path, asked.at)
    if not one.is_done and service.queue.ticket(one.id) is None:
        service.queue.put(one)
    return one


async def post_attempt(asked: Visit) -> Response:
    if "text" not in asked.form:
        raise NotDone(422, 'Send JSON: {"text": "the code"}.')
    request = asked.request.headers.get("idempotency-key")
    path = asked.form.get("path", "")
    one = await hand_in(asked, asked.form["text"], (request or "")[:200], path)
    try:
        wait = float(asked.request.query_params.get("wait", 0))
    except ValueError:
        raise NotDone(422, "`wait` is a number of seconds.") from None
    if wait > 0:
        one = await settled(asked.service, one, min(wait, MOST_WAIT))
    headers = {"Location": f"/api/v1/attempts/{one.id}"}
    return _json(state(asked.service, one), 200 if one.result else 202, headers)


def get_attempt(asked: Visit) -> Response:
    return _json(state(asked.service, asked.service.owned(asked.member, asked.place["attempt"])))


async def get_events(asked: Visit) -> Response:
    service, who = asked.service, asked.member
    one = await run_in_threadpool(service.owned, who, asked.place["attempt"])
    if service.streams[who.id] >= MOST_STREAMS:
        raise NotDone(429, "Too many of your pages wait for events. Close some.", 5.0)

    async def events() -> AsyncIterator[str]:
        service.streams[who.id] += 1
        try:
            async with asyncio.timeout(STREAM_SECONDS):
                while (ticket := service.queue.ticket(one.id)) is not None:
                    changed = ticket.changed
                    yield _event(state(service, one))
                    await changed.wait()
            yield _event(state(service, await _newest(service, one)))
        except TimeoutError:
            return
        finally:
            service.streams[who.id] -= 1

    # Without the header, a proxy such as nginx keeps events back.
    return StreamingResponse(
        events(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
    )


def get_assignments(asked: Visit) -> Response:
    found = [
        to_plain(OpenAssignment(one.name, one.title, one.due, one.exercises))
        for one in asked.service.assignments(asked.member)
    ]
    return JSONResponse({"assignments": found})


def get_health(asked: Visit) -> Response:
    service = asked.service
    trouble = service.queue.trouble
    found = {
        "ok": service.database.is_alive() and service.queue.is_running and not trouble,
        "waiting": service.queue.waiting,
        "broken": len(service.broken),
    }
    return JSONResponse(found, 503 if not found["ok"] else 200)


def _event(now: AttemptState) -> str:
    return f"data: {json.dumps(to_plain(now))}\n\n"


def _json(record: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse(to_plain(record), status, headers)


API = "/api/v1"
ATTEMPTS = f"{API}/assignments/{{assignment}}/exercises/{{exercise}}/attempts"
VIEWS = (
    View("GET", f"{API}/assignments", get_assignments),
    View("POST", ATTEMPTS, post_attempt),
    View("GET", f"{API}/attempts/{{attempt}}", get_attempt),
    View("GET", f"{API}/attempts/{{attempt}}/events", get_events),
    View("GET", "/healthz", get_health, ANYBODY),
)
