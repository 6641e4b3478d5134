"""The same for programs: `/api/v1`, described in `docs/schemas/openapi.json`. The pages use it.

POST attempts --accepted--> 202 with its state, or 200 with its result if `?wait=` was enough
GET attempts, attempts/ID, attempts/ID/events (server-sent events, until the result)
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from grader.output.reports.redaction import public_result
from grader.records.model import ExerciseResult, to_plain
from grader.serve.database import LAST, StoredAttempt
from grader.serve.marks import iso
from grader.serve.service import MOST_KEY, Answer, NotDone, Service
from grader.serve.visit import ANYBODY, View, Visit

MOST_WAIT = 60.0
MOST_LISTED = 20
STREAM_SECONDS = 300.0
MOST_STREAMS = 3
"""Of one person. A browser opens a new one when the last has ended."""


State = Literal["waiting", "later", "judging", "done"]
Time = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


@dataclass(frozen=True)
class AttemptState:
    """An attempt, as its owner may see it."""

    id: str  #: its name in addresses
    assignment: str  #: its name
    exercise: str  #: its id
    at: Time  #: when its last byte came, ISO 8601
    state: State  #: `waiting`, `later` (when nobody else waits), `judging` or `done`
    ahead: int = 0  #: how many are before it
    done: int = 0  #: tests that have run; 0 in an exam
    of: int = 0  #: tests to run; 0 if no judge has begun, and in an exam
    result: ExerciseResult | None = None  #: once it is done


@dataclass(frozen=True)
class OpenAssignment:
    """An assignment that can be seen now."""

    name: str  #: in addresses
    title: str  #: for people
    due: str  #: a day or a time, ISO 8601; a day ends with its last second; or empty
    exercises: tuple[str, ...]  #: their ids, as in paths


@dataclass(frozen=True)
class Refusal:
    """Why something wasn't done."""

    error: str  #: a sentence that says what to do


def state(service: Service, attempt: StoredAttempt) -> AttemptState:
    """How far an attempt is: in the event loop, or as good as there."""
    about = attempt.id, attempt.assignment, attempt.exercise, iso(attempt.at)
    ticket = service.queue.ticket(attempt.id)
    rule = service.course.assignment(attempt.assignment)
    in_words = rule.show == "words"
    if attempt.result is not None:
        shown = public_result(attempt.result, in_words=in_words, mistakes=rule.mistakes)
        return AttemptState(*about, "done", result=shown)
    if ticket is None:
        return AttemptState(*about, cast(State, attempt.state))
    if ticket.task is None:
        return AttemptState(*about, cast(State, ticket.state), ticket.place)
    # Code can sleep as long as a hidden input says, so an exam doesn't show when a test ends.
    far = None if in_words else ticket.judging
    return AttemptState(*about, "judging", 0, far.done if far else 0, far.of if far else 0)


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


def answer(visit: Visit, text: str, path: str = "") -> tuple[str, list[Answer]]:
    """A text for the exercise in the request's path, and the assignment's name."""
    place = visit.place
    rule, exercise = visit.service.exercise(visit.member, place["assignment"], place["exercise"])
    return rule.name, [(exercise, path, text)]


async def submit(
    visit: Visit, assignment: str, answers: list[Answer], request: str = ""
) -> list[StoredAttempt]:
    """Accepts the answers, and queues them."""
    service = visit.service
    about = visit.member, assignment, answers, request, visit.at
    attempts = await run_in_threadpool(service.submit, *about)
    team = await run_in_threadpool(service.database.mates, visit.member.id, assignment)
    for attempt in attempts:
        is_known = await run_in_threadpool(service.is_known, attempt)
        if not attempt.is_done and service.queue.ticket(attempt.id) is None:
            service.queue.put(attempt, team, is_known=is_known)
    return attempts


async def post_attempt(visit: Visit) -> Response:
    if "text" not in visit.form:
        raise NotDone(422, 'Send JSON: {"text": "the code"}.')
    request = visit.request.headers.get("idempotency-key")
    if request is not None and not 1 <= len(request) <= MOST_KEY:
        raise NotDone(422, f"An `Idempotency-Key` has 1 to {MOST_KEY} characters.")
    try:
        wait = float(visit.request.query_params.get("wait", 0))
    except ValueError:
        wait = math.nan
    if not 0 <= wait <= MOST_WAIT:
        raise NotDone(422, f"`wait` is a number of seconds, 0 to {MOST_WAIT:g}.")
    answers = answer(visit, visit.form["text"], visit.form.get("path", ""))
    (attempt,) = await submit(visit, *answers, request or "")
    if wait > 0:
        attempt = await settled(visit.service, attempt, wait)
    headers = {"Location": f"/api/v1/attempts/{attempt.id}"}
    return _json(state(visit.service, attempt), 200 if attempt.result else 202, headers)


def get_attempt(visit: Visit) -> Response:
    return _json(state(visit.service, visit.service.owned(visit.member, visit.place["attempt"])))


async def get_events(visit: Visit) -> Response:
    service, who = visit.service, visit.member
    attempt = await run_in_threadpool(service.owned, who, visit.place["attempt"])

    async def events() -> AsyncIterator[str]:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STREAM_SECONDS):
                while (ticket := service.queue.ticket(attempt.id)) is not None:
                    changed = ticket.changed
                    yield _event(state(service, attempt))
                    await changed.wait()
                    if not await run_in_threadpool(service.people.is_in, who):
                        return
                    try:  # a team may have changed
                        await run_in_threadpool(service.owned, who, attempt.id)
                    except NotDone:
                        return
            yield _event(state(service, await _newest(service, attempt)))

    if service.streams[who.id] >= MOST_STREAMS:
        raise NotDone(429, "Too many of your pages wait for events. Close some.", 5.0)
    service.streams[who.id] += 1
    return Stream(events(), lambda: service.streams.subtract([who.id]))


class Stream(StreamingResponse):
    """Events. `ended` is called once, also if the first one is never sent."""

    def __init__(self, events: AsyncIterator[str], ended: Callable[[], None]) -> None:
        # Without the header, a proxy such as nginx keeps events back.
        headers = {"X-Accel-Buffering": "no"}
        super().__init__(events, media_type="text/event-stream", headers=headers)
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()


def get_assignments(visit: Visit) -> Response:
    due = visit.service.marks.due
    found = [
        to_plain(OpenAssignment(rule.name, rule.title, due(rule, visit.member.id), rule.exercises))
        for rule in visit.service.assignments(visit.member)
    ]
    return JSONResponse({"assignments": found})


def get_attempts(visit: Visit) -> Response:
    """One's own, the newest first."""
    service, who, query = visit.service, visit.member, visit.request.query_params
    rule = service.assignment(who, visit.place["assignment"])
    until = service.owned(who, query["before"]).number - 1 if "before" in query else LAST
    own = service.database.history(who.id, rule.name, most=MOST_LISTED, until=until)[::-1]
    return JSONResponse({"attempts": [to_plain(state(service, attempt)) for attempt in own]})


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
ATTEMPTS = f"{API}/assignments/{{assignment}}/exercises/{{exercise:path}}/attempts"
"""With the id of an exercise, or the part of it after the slash."""
VIEWS = (
    View("GET", f"{API}/assignments", get_assignments),
    View("GET", f"{API}/assignments/{{assignment}}/attempts", get_attempts),
    View("POST", ATTEMPTS, post_attempt),
    View("GET", f"{API}/attempts/{{attempt}}", get_attempt),
    View("GET", f"{API}/attempts/{{attempt}}/events", get_events),
    View("GET", "/healthz", get_health, ANYBODY),
)
