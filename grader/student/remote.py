"""Submits to a server (`grader serve`) and waits for the result: `grader submit --to`, `%%submit`.

    address + token --POST attempts, ?wait=--> ExerciseResult

The token comes from the student's own page there; on a JupyterHub the Hub's own is enough.
"""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote, urlsplit

from grader.records.errors import SubmissionError, UsageError, listed
from grader.records.model import ExerciseResult, Source, unpack

SERVER, TOKEN, HUB = "GRADER_SERVER", "GRADER_TOKEN", "JUPYTERHUB_API_TOKEN"
WAIT = 50
TRIES = 4
MOST_BYTES = 16 << 20


class Server:
    """One server, as one person sees it."""

    def __init__(self, address: str, token: str = "") -> None:
        """By default with the token of the environment. Raises `UsageError` without one."""
        if urlsplit(address).scheme not in ("http", "https"):
            raise UsageError(f"`{address}` is not an address, such as `https://grader.example.org`")
        self._address = address.rstrip("/")
        token = token or os.environ.get(TOKEN, "")
        if not token and not os.environ.get(HUB):
            raise UsageError(
                f"`{self._address}` must know who is submitting: open it in a browser, create a "
                f"token on the page behind your name, and set the variable `{TOKEN}` to it"
            )
        self._who = f"Bearer {token}" if token else f"token {os.environ[HUB]}"

    def assignment(
        self, exercises: Iterable[str], name: str | None = None
    ) -> tuple[str, frozenset[str]]:
        """The assignment to submit to, and the ids of its exercises.

        It is the one of that name, or the only open one with such an exercise. Raises `UsageError`
        if there is none, or more than one.
        """
        assignments = self._asked("GET", "/assignments")["assignments"]
        known = {str(a["name"]): frozenset(map(str, a["exercises"])) for a in assignments}
        wanted = set(exercises)
        fitting = [n for n, own in known.items() if name in (None, n) and wanted & own]
        if len(fitting) == 1:
            return fitting[0], known[fitting[0]]
        open_ones = listed(fitting or known) or "none"
        raise UsageError(
            f"`{self._address}` has these assignments open for your work: {open_ones}. Name one "
            "with `--assignment`."
        )

    def results(
        self, assignment: str, sources: Iterable[Source]
    ) -> Iterator[tuple[Source, ExerciseResult]]:
        """Submits each, and yields its result. Raises `SubmissionError` for one that is refused."""
        for source in sources:
            stem = quote(source.exercise.rpartition("/")[2])
            place = f"/assignments/{quote(assignment)}/exercises/{stem}/attempts"
            body = {"text": source.text, "path": source.file}
            attempt = self._asked("POST", f"{place}?wait={WAIT}", body)
            while attempt["state"] != "done":
                time.sleep(1)
                attempt = self._asked("GET", f"/attempts/{attempt['id']}")
            yield source, unpack(json.dumps(attempt["result"]), ExerciseResult)

    def _asked(self, method: str, path: str, body: object = None) -> Any:
        """An answer of the API. The same request is sent again if the network fails."""
        headers = {
            "Authorization": self._who,
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid.uuid4()),
        }
        data = None if body is None else json.dumps(body).encode()
        address = f"{self._address}/api/v1{path}"
        request = urllib.request.Request(address, data, headers, method=method)
        for tried in range(1, TRIES + 1):
            try:
                with urllib.request.urlopen(request, timeout=WAIT + 20) as answer:
                    return json.loads(answer.read(MOST_BYTES))
            except urllib.error.HTTPError as error:
                raise SubmissionError(f"`{self._address}` says: {_said(error)}") from error
            except (OSError, ValueError) as error:
                if tried == TRIES:
                    raise SubmissionError(
                        f"`{self._address}` doesn't answer ({error}). Check on its page whether "
                        "your work is there, and try again."
                    ) from error
                time.sleep(tried)
        return None


def _said(error: urllib.error.HTTPError) -> str:
    """The sentence of a refusal."""
    try:
        return str(json.loads(error.read(MOST_BYTES))["error"])
    except (OSError, ValueError, KeyError, TypeError):
        return f"{error.code} {error.reason}"
