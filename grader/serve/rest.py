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
from grader.serve.database import StoredAttempt
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


def state(service: Service, attempt: StoredAttempt) -> AttemptState:
    """How far an attempt is: in the event loop, or as good as there."""
    about = attempt.id, attempt.assignment, attempt.exercise, iso(attempt.at)
    ticket = service.queue.ticket(attempt.id)
    if attempt.result is not None:
        rule = service.course.assignment(attempt.assignment)
        shown = public_result(attempt.result, in_words=rule.show == "words")
        return AttemptState(*about, "done", result=shown)
    if ticket is not None and ticket.judging is not None:
        return AttemptState(*about, "judging", 0, ticket.judging.done, ticket.judging.of)
    if ticket is not None and ticket.task is not None:
        return AttemptState(*about, "judging")
    return AttemptState(
        *about, ticket.state if ticket else attempt.state, ticket.place if ticket else 0
    )


async def settled(service: Service, attempt: StoredAttempt, seconds: float) -> StoredAttempt:
    """The attempt with its result, if that comes in time; else as it is."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while (ticket := service.queue.ticket(attempt.id)) is not None:
                await ticket.changed.wait()
    return await _newest(service, attempt)


async def _newest(service: Service, attempt: StoredAttempt) -> StoredAttempt:
    found = await asyncio.to_thread(service.database.attempt, attempt.id)
    return found or attempt


async def submit(visit: Visit, text: str, request: str = "", path: str = "") -> StoredAttempt:
    """Accepts the text for the exercise in the path, and queues it."""
    service, place = visit.service, visit.place
    where = visit.member, place["assignment"], place["exercise"]
    attempt = await run_in_threadpool(service.submit, *where, text, request, path, visit.at)
    if not attempt.is_done and service.queue.ticket(attempt.id) is None:
        service.queue.put(attempt)
    return attempt


async def post_attempt(visit: Visit) -> Response:
    if "text" not in visit.form:
        raise NotDone(422, 'Send JSON: {"text": "the code"}.')
    request = visit.request.headers.get("idempotency-key")
    path = visit.form.get("path", "")
    attempt = await submit(visit, visit.form["text"], (request or "")[:200], path)
    try:
        wait = float(visit.request.query_params.get("wait", 0))
    except ValueError:
        raise NotDone(422, "`wait` is a number of seconds.") from None
    if wait > 0:
        attempt = await settled(visit.service, attempt, min(wait, MOST_WAIT))
    headers = {"Location": f"/api/v1/attempts/{attempt.id}"}
    return _json(state(visit.service, attempt), 200 if attempt.result else 202, headers)


def get_attempt(visit: Visit) -> Response:
    return _json(state(visit.service, visit.service.owned(visit.member, visit.place["attempt"])))


async def get_events(visit: Visit) -> Response:
    service, who = visit.service, visit.member
    attempt = await run_in_threadpool(service.owned, who, visit.place["attempt"])
    if service.streams[who.id] >= MOST_STREAMS:
        raise NotDone(429, "Too many of your pages wait for events. Close some.", 5.0)

    async def events() -> AsyncIterator[str]:
        service.streams[who.id] += 1
        try:
            async with asyncio.timeout(STREAM_SECONDS):
                while (ticket := service.queue.ticket(attempt.id)) is not None:
                    changed = ticket.changed
                    yield _event(state(service, attempt))
                    await changed.wait()
            yield _event(state(service, await _newest(service, attempt)))
        except TimeoutError:
            return
        finally:
            service.streams[who.id] -= 1

    # Without the header, a proxy such as nginx keeps events back.
    return StreamingResponse(
        events(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
    )


def get_assignments(visit: Visit) -> Response:
    due = visit.service.marks.due
    found = [
        to_plain(OpenAssignment(rule.name, rule.title, due(rule, visit.member.id), rule.exercises))
        for rule in visit.service.assignments(visit.member)
    ]
    return JSONResponse({"assignments": found})


def get_health(visit: Visit) -> Response:
    service = visit.service
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
