"""The API of `grader serve` in OpenAPI 3.1; `grader_reference.py` writes it."""

from __future__ import annotations

import inspect
import re
from typing import Any

import msgspec

from grader import __version__
from grader.records import model
from grader.serve import rest
from grader.serve.app import BODY_SECONDS, MOST_AT_ONCE, MOST_BYTES
from grader.serve.rest import (
    API,
    ATTEMPTS,
    MOST_LISTED,
    MOST_STREAMS,
    MOST_WAIT,
    STREAM_SECONDS,
    AttemptState,
    OpenAssignment,
    Refusal,
)
from grader.serve.service import LIMITS, MOST_KEY, MOST_LETTERS, MOST_OPEN

_OFTEN = " and ".join(f"{count} attempts in {seconds / 60:g} min" for count, seconds in LIMITS)
_ABOUT = f"""
Signing in. A program sends `Authorization: Bearer TOKEN`. A person makes the token on the page
`/me`, where it is shown once; it is good for 180 days. A program can do the same with a personal
link: POST to the link's own address with the header `Origin` (the origin of the server), keep the
cookie, and POST to `/me/token` with cookie and `Origin`; the page that follows holds the token.
With the cookie of a session instead of a token, each request but a GET needs `Origin`.

Limits. At one exercise, a person may make {_OFTEN}. At most {MOST_OPEN} of a person's attempts
wait for verdicts. A text has at most {MOST_LETTERS // 1000} kB of UTF-8. A body has at most
{MOST_BYTES // 1000} kB, and has to come in {BODY_SECONDS:g} s. A
person may have {MOST_AT_ONCE} requests open, of which {MOST_STREAMS} are streams of events. A
refusal with 429 or 503 says in `Retry-After` when to come again.
"""
_REFUSED = {
    400: "the body is no JSON object, or can't be read",
    401: "nobody is signed in",
    403: "a cookie without the `Origin` of this server",
    404: "it isn't there, not yours, or not open yet",
    405: "this address has other methods",
    408: "the body didn't come in time",
    413: "the text or the body is too long",
    415: "the body is no JSON and no form",
    422: "a parameter or the text can't be used, or the key belongs to another request",
    429: "too many attempts, or requests at once",
    500: "a fault of the server",
    503: "too many attempts wait",
}
_OF_GET = (401, 404, 405, 422, 429, 500)


def description() -> dict[str, Any]:
    """The description of the API, in OpenAPI 3.1."""
    kinds = (AttemptState, OpenAssignment, Refusal)
    _, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    said = _comments()
    for name, part in components.items():
        if "description" in part:  # some versions of msgspec leave a docstring's indentation
            part["description"] = inspect.cleandoc(part["description"])
        for field, about in part.get("properties", {}).items():
            if text := said.get((name, field)):
                about["description"] = text
    location = {"Location": _header("the address of the attempt", "string")}
    wait = {
        "name": "wait",
        "in": "query",
        "schema": {"type": "number", "minimum": 0, "maximum": MOST_WAIT, "default": 0},
        "description": "seconds to wait for the result",
    }
    once = {
        "name": "Idempotency-Key",
        "in": "header",
        "schema": {"type": "string", "minLength": 1, "maxLength": MOST_KEY},
        "description": "the same key again is the same attempt, so a request may be repeated. A "
        "key belongs to one person for ever, and to one text, exercise and file name: any other "
        "request with it is refused.",
    }
    text = {
        "type": "object",
        "required": ["text"],
        "properties": {
            "text": {
                "type": "string",
                "maxLength": MOST_LETTERS,
                "description": "the code. Of a notebook: its code cells, each below a line "
                "`# cell 1`, `# cell 2` and so on.",
            },
            "path": {
                "type": "string",
                "description": "the name of its file. If it ends in `.ipynb`, the text runs cell "
                "by cell; else only messages use it.",
            },
        },
    }
    body = {"required": True, "content": {"application/json": {"schema": text}}}
    before = {
        "name": "before",
        "in": "query",
        "schema": {"type": "string"},
        "description": "the id of an attempt: older ones are listed",
    }
    every = tuple(_REFUSED)
    posted = _operation(
        "submitAnswer",
        "Submit an answer",
        {
            "200": {**_answer("the attempt with its result", "AttemptState"), "headers": location},
            "202": {
                **_answer("the attempt, which waits or is being judged", "AttemptState"),
                "headers": location,
            },
        },
        every,
        [_in_path("assignment"), _in_path("exercise"), wait, once],
    )
    stream = {
        "description": "at each change an event `data: JSON`, an AttemptState, up to the result. "
        f"After {STREAM_SECONDS:g} s the stream ends without one: open it again.",
        "content": {"text/event-stream": {"schema": _ref("AttemptState")}},
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "grader serve",
            "version": __version__,
            "description": _ABOUT.strip(),
        },
        "servers": [{"url": "/", "description": "the address of `grader serve --url`"}],
        "security": [{"token": []}, {"session": []}, {"hub": []}],
        "paths": {
            f"{API}/assignments": {
                "get": _operation(
                    "listAssignments",
                    "The assignments that are open",
                    {"200": _list("assignments", "OpenAssignment")},
                    (401, 405, 429, 500),
                )
            },
            f"{API}/assignments/{{assignment}}/attempts": {
                "get": _operation(
                    "listAttempts",
                    f"The caller's own attempts, the newest first, {MOST_LISTED} at a time",
                    {"200": _list("attempts", "AttemptState")},
                    _OF_GET,
                    [_in_path("assignment"), before],
                )
            },
            ATTEMPTS.replace(":path", ""): {"post": {**posted, "requestBody": body}},
            f"{API}/attempts/{{attempt}}": {
                "get": _operation(
                    "getAttempt",
                    "An attempt, and its result",
                    {"200": _answer("the attempt", "AttemptState")},
                    _OF_GET,
                    [_in_path("attempt")],
                )
            },
            f"{API}/attempts/{{attempt}}/events": {
                "get": _operation(
                    "followAttempt",
                    "Events of an attempt, until its result",
                    {"200": stream},
                    _OF_GET,
                    [_in_path("attempt")],
                )
            },
        },
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "__Host-grader",
                    "description": "of a browser; without https its name is `grader`",
                },
                "hub": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "Authorization",
                    "description": "with `--hub`: `token` and a JupyterHub token of the user",
                },
            },
        },
    }


def _operation(
    name: str,
    summary: str,
    answers: dict[str, Any],
    refusals: tuple[int, ...],
    parameters: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    refused = {str(status): _refusal(status) for status in refusals}
    found = {"operationId": name, "summary": summary, "responses": {**answers, **refused}}
    return {**found, "parameters": parameters} if parameters else found


def _refusal(status: int) -> dict[str, Any]:
    answer = _answer(_REFUSED[status], "Refusal")
    if status in (429, 503):
        answer["headers"] = {"Retry-After": _header("seconds to wait", "integer")}
    if status == 401:
        answer["headers"] = {"WWW-Authenticate": _header("`Bearer`", "string")}
    return answer


def _comments() -> dict[tuple[str, str], str]:
    """What stands behind `#:` beside each field, by class and field."""
    found, name = {}, ""
    for module in (rest, model):
        for line in inspect.getsource(module).splitlines():
            if (begins := re.match(r"class (\w+)", line)) is not None:
                name = begins[1]
            elif (field := re.match(r"    (\w+): [^#]*#: (.+)", line)) is not None:
                found[name, field[1]] = field[2]
    return found


def _in_path(name: str) -> dict[str, Any]:
    about = {
        "assignment": "the `name` of an assignment",
        "exercise": "the id of an exercise, such as `01_arrays/set_row` (its slash may be written "
        "as `%2F`), or the part after the slash",
        "attempt": "the `id` of an attempt",
    }[name]
    found = {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
    return {**found, "description": about}


def _header(said: str, kind: str) -> dict[str, Any]:
    return {"description": said, "schema": {"type": kind}}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _list(key: str, name: str) -> dict[str, Any]:
    items = {key: {"type": "array", "items": _ref(name)}}
    schema = {"type": "object", "required": [key], "properties": items}
    return {"description": f"the {key}", "content": {"application/json": {"schema": schema}}}


def _answer(said: str, name: str) -> dict[str, Any]:
    return {"description": said, "content": {"application/json": {"schema": _ref(name)}}}
