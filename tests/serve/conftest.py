"""A server of the small course in this process, with real judges or with none."""

from __future__ import annotations

import contextlib
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from grader.course.course import Course
from grader.records.model import Assignment, Person
from grader.serve import server
from grader.serve.app import make
from grader.serve.people import SESSION
from grader.serve.service import Service
from grader.serve.visit import Extension
from tests.conftest import CourseMaker, notes

RIGHT = "def double(x):\n    return 2 * x\n"
WRONG = "def double(x):\n    return x + 2\n"
STEM = "double"
NAME = "01_first/double"
PEOPLE = (Person("ada", "Ada"), Person("ben", "Ben <b>"), Person("eve", "Eve"))
TEACHER = Person("noether", "Dr. Noether")
HOMEWORK = Assignment("hw1", "Homework 1", (NAME,), attempts="best")
CLOSED = Assignment("hw9", "Homework 9", (NAME,), opens="2999-01-01")

Client = httpx.Client
_CLIENTS: list[Client] = []


def class_of(course: Course) -> Course:
    return replace(course, assignments=(HOMEWORK, CLOSED))


@contextlib.contextmanager
def serving(folder: Path, course: Course, **terms: Any) -> Iterator[Service]:
    """A server in a thread; its address is on loopback."""
    listening = server.bound(0, None)
    address = server.address_of(listening, "")
    with server.opened(folder, course, address, **terms) as service:
        service.database.add_people(PEOPLE)
        service.database.add_people([TEACHER], teachers=True)
        with running(service, listening):
            yield service


@contextlib.contextmanager
def running(
    service: Service, listening: socket.socket, extensions: Sequence[Extension] = ()
) -> Iterator[None]:
    config = uvicorn.Config(
        make(service, extensions=extensions), log_config=None, timeout_graceful_shutdown=1
    )
    web = uvicorn.Server(config)
    thread = threading.Thread(target=web.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not web.started:
        time.sleep(0.01)
    try:
        yield
    finally:
        web.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def homework(make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory) -> Course:
    hints = {"exercises/01_first/double.md": notes("Think.", "Think <again>.")}
    return class_of(make_course(tmp_path_factory.mktemp("served"), hints))


@pytest.fixture(scope="session")
def service(homework: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One for all tests of pages: each test has people of its own."""
    folder = tmp_path_factory.mktemp("class")
    with serving(folder, homework, jobs=1, isolation="available") as made:
        yield made


def client(service: Service, secret: str = "") -> Client:
    """A browser of this origin, signed in with a session's secret."""
    made = httpx.Client(
        base_url=service.address,
        headers={"Origin": service.address},
        timeout=300,
        trust_env=False,
        # Else it reads all certificates of the world.
        verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
    )
    if secret:
        made.cookies.set(service.cookie, secret)
    _CLIENTS.append(made)
    return made


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    while _CLIENTS:
        _CLIENTS.pop().close()


@pytest.fixture
def sign_in(service: Service) -> Callable[[str], Client]:
    return lambda name: client(service, service.people.issue(SESSION, name))


@pytest.fixture
def newcomer(service: Service, request: pytest.FixtureRequest) -> str:
    """The id of a student whom no other test knows."""
    name = request.node.name
    service.database.add_people([Person(name, f"The {name}")])
    return str(name)


@pytest.fixture
def student(newcomer: str, sign_in: Callable[[str], Client]) -> Client:
    return sign_in(newcomer)


@pytest.fixture
def teacher(sign_in: Callable[[str], Client]) -> Client:
    return sign_in("noether")


def attempt(one: Client, text: str, wait: int = 60, key: str = "") -> httpx.Response:
    """The answer to an attempt: with the result, unless it is asked for without a `wait`."""
    place = f"/api/v1/assignments/hw1/exercises/{STEM}/attempts?wait={wait}"
    headers = {"Idempotency-Key": key or secrets.token_hex(8)}
    while True:  # the same key again is the same attempt
        answer = one.post(place, json={"text": text}, headers=headers)
        if not wait or answer.status_code != 202:
            return answer
