"""A server from a folder: opens what is in it, and listens.

    DIR --opened--> Service --make--> application --uvicorn--> loopback, or a unix socket

TLS, and the network, are the proxy's.
"""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn

from grader.api import Grader
from grader.course.course import Course
from grader.records.errors import UsageError
from grader.records.files import make_private_folder
from grader.serve import hub
from grader.serve.app import make
from grader.serve.database import Database
from grader.serve.service import Service
from grader.serve.visit import Extension

EDITOR = Path(__file__).parent / "static" / "editor.js"
LOOPBACK = "127.0.0.1"
# Pages that wait for events are closed after so many seconds, so that a restart is quick.
SECONDS_TO_END = 3


@contextmanager
def opened(
    folder: Path, course: Course, address: str, *, jobs: int | None = None, **terms: Any
) -> Iterator[Service]:
    """The service of a folder, which is made if it isn't there. `terms` are those of `Grader`.

    Raises `UsageError` for a course without an assignment, and for a folder in use.
    """
    if not course.assignments:
        raise UsageError(
            f"the course `{course.name}` has no assignment, so there is nothing to submit. Add an "
            "`[[assignment]]` to its catalogue, or use `--assignment hw1.toml`."
        )
    names = {name for rule in course.assignments for name in rule.exercises}
    with ExitStack() as opening:
        make_private_folder(folder)
        database = Database(folder)
        opening.callback(database.close)
        database.drop_old_keys(time.time())
        grader = Grader(course, sorted(names), store=folder, jobs=jobs, **terms)
        opening.enter_context(grader)
        yield Service(folder, course, grader, database, address.rstrip("/"), jobs)


def bound(port: int, unix: Path | None) -> socket.socket:
    """The socket that is listened to. Port 0 is a free one. Raises `UsageError`."""
    try:
        if unix is not None:
            unix.unlink(missing_ok=True)
            made = socket.socket(socket.AF_UNIX)
            made.bind(str(unix))
        else:
            # Named as TCP: only then asyncio sends each part of an answer without waiting.
            made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind((LOOPBACK, port))
            made.listen()
    except OSError as error:
        raise UsageError(
            f"`{unix or f'{LOOPBACK}:{port}'}` isn't available: {error.strerror}. Name another "
            "`--port`, or `--unix`."
        ) from error
    return made


def serve(
    service: Service,
    listening: socket.socket,
    *,
    with_hub: bool = False,
    extensions: Sequence[Extension] = (),
) -> None:
    """Answers until it is stopped by a signal; then ends its judges."""
    sign_in = hub.from_environment(service.people, service.address) if with_hub else None
    service.has_hub = with_hub
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    config = uvicorn.Config(
        make(service, sign_in, extensions),
        log_config=None,
        log_level="warning",
        access_log=False,  # its lines would hold links
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=SECONDS_TO_END,
        limit_concurrency=500,
        h11_max_incomplete_event_size=32_768,
    )
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])


def without_editor() -> str:
    """What an operator should know if the code editor isn't there; empty if it is."""
    if EDITOR.is_file():
        return ""
    return (
        f"`{EDITOR}` is missing, so students get a plain text area. Install the package again, or "
        "run `npm ci && npm run build` in `grader/serve/editor` of a clone."
    )


def address_of(listening: socket.socket, given: str) -> str:
    """Where people find this: what was given, or the port here. Raises `UsageError`."""
    if not given:
        if listening.family == socket.AF_UNIX:
            raise UsageError("a Unix socket has no address: also add `--url https://...`.")
        return f"http://{LOOPBACK}:{listening.getsockname()[1]}"
    try:
        parts = urlsplit(given)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/"):
        raise UsageError(
            f"`{given}` is not a server's address, such as `https://grader.example.org`. It must "
            "be the root of its host, since a session belongs to a host."
        )
    return given.rstrip("/")
