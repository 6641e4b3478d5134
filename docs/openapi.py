"""The API of `grader serve` in OpenAPI 3.1; `grader_reference.py` writes it."""

from __future__ import annotations

import inspect
from typing import Any

import msgspec

from grader import __version__
from grader.serve.rest import API, ATTEMPTS, MOST_WAIT, AttemptState, OpenAssignment, Refusal


def description() -> dict[str, Any]:
    """The description of the API, in OpenAPI 3.1."""
    kinds = (AttemptState, OpenAssignment, Refusal)
    _, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    for part in components.values():
        if "description" in part:  # some versions of msgspec leave a docstring's indentation
            part["description"] = inspect.cleandoc(part["description"])
    attempt = _answer("the attempt", "AttemptState")
    refused = {
        "401": _answer("nobody is signed in", "Refusal"),
        "404": _answer("it isn't there, or not yours", "Refusal"),
    }
    wait = {
        "name": "wait",
        "in": "query",
        "schema": {"type": "number", "maximum": MOST_WAIT},
        "description": "seconds to wait for the result",
    }
    once = {
        "name": "Idempotency-Key",
        "in": "header",
        "schema": {"type": "string", "maxLength": 200},
        "description": "the same key again is the same attempt, so a request may be repeated",
    }
    text = {
        "type": "object",
        "required": ["text"],
        "properties": {
            "text": {"type": "string", "description": "the code, or the cells of a notebook"},
            "path": {"type": "string", "description": "its file: `.ipynb` runs cell by cell"},
        },
    }
    body = {"required": True, "content": {"application/json": {"schema": text}}}
    listed = {
        "type": "object",
        "required": ["assignments"],
        "properties": {
            "assignments": {
                "type": "array",
                "items": {"$ref": "#/components/schemas/OpenAssignment"},
            }
        },
    }
    posted = {
        "summary": "Hand in an answer",
        "parameters": [_in_path("assignment"), _in_path("exercise"), wait, once],
        "requestBody": body,
        "responses": {
            "200": attempt,
            "202": _answer("the attempt, which waits or is being judged", "AttemptState"),
            **refused,
            "413": _answer("the text is too long", "Refusal"),
            "422": _answer("there is no text", "Refusal"),
            "429": _answer("too many attempts; `Retry-After` says when", "Refusal"),
            "503": _answer("too many wait; `Retry-After` says when", "Refusal"),
        },
    }
    stream = {"content": {"text/event-stream": {}}, "description": "an AttemptState at each change"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "grader serve", "version": __version__},
        "security": [{"token": []}],
        "paths": {
            f"{API}/assignments": {
                "get": {
                    "summary": "The assignments that are open",
                    "responses": {
                        "200": {
                            "description": "the assignments",
                            "content": {"application/json": {"schema": listed}},
                        },
                        "401": refused["401"],
                    },
                }
            },
            ATTEMPTS: {"post": posted},
            f"{API}/attempts/{{attempt}}": {
                "get": {
                    "summary": "An attempt, and its result",
                    "parameters": [_in_path("attempt")],
                    "responses": {"200": attempt, **refused},
                }
            },
            f"{API}/attempts/{{attempt}}/events": {
                "get": {
                    "summary": "Events of an attempt, until its result",
                    "parameters": [_in_path("attempt")],
                    "responses": {"200": stream, **refused},
                }
            },
        },
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _answer(said: str, name: str) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{name}"}
    return {"description": said, "content": {"application/json": {"schema": schema}}}
