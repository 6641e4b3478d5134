"""A class behind a simulated platform. Nothing is judged: a test says what an attempt earned."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from grader.course.course import Course
from grader.records.model import Assignment, ExerciseResult, Outcome, Person
from grader.serve import server
from grader.serve.database import WAITING, Database, StoredAttempt
from grader.serve.lti.extension import LtiExtension
from grader.serve.lti.records import Platform as Known
from grader.serve.lti.records import Score
from grader.serve.lti.registration import invite
from grader.serve.people import SESSION
from grader.serve.service import Service
from grader.serve.visit import View
from tests.serve.conftest import NAME, client, running
from tests.serve.lti.platform import INSTRUCTOR, LEARNER, Platform, ResourceLink, ToolRegistration

PEOPLE = (Person("s-ada", "Ada L."), Person("s-ben", "Ben B."), Person("s-eve", "Eve E."))
HOMEWORK = (
    Assignment("hw1", "Homework 1", (NAME,), attempts="best"),
    Assignment("hw2", "Homework 2", (NAME,), due="2020-01-01", late=10),
    Assignment("hw3", "Homework 3", (NAME,), due="2999-01-01"),
)


class IdleGrader:
    """What is submitted waits for ever."""

    def __init__(self, course: Course) -> None:
        self.course = course

    def ready(self, exercise: str) -> dict[str, float]:
        return {exercise: 10.0}

    def submit(self, work: object, exercise: str) -> Any:
        return _Begun()

    def known(self, work: Sequence[object]) -> list[bool]:
        return [False for _ in work]


class _Begun:
    result: Future[ExerciseResult]

    def __init__(self) -> None:
        self.result = Future()

    def listen(self, listener: object) -> None: ...


@dataclass
class Classroom:
    """A server with its room of LTI, and one platform with a course `c1`."""

    service: Service
    room: LtiExtension
    platform: Platform
    link: ResourceLink
    is_sending: bool = False

    @property
    def views(self) -> tuple[View, ...]:
        return self.room.views

    async def run(self) -> None:
        """A test sends by itself, so that it knows when."""
        if self.is_sending:
            await self.room.run()

    def browser(self) -> httpx.Client:
        return client(self.service)

    def comes(self, sub: str, link: str = "", **hostile: Any) -> httpx.Client:
        """Somebody opens a link, and is let in."""
        browser = self.browser()
        answer = self.platform.launch(browser, sub, link or self.link.id, **hostile)
        assert answer.status_code == 303, answer.text
        return browser

    def named(self, name: str) -> httpx.Client:
        """Somebody who is signed in without a platform."""
        return client(self.service, self.service.people.issue(SESSION, name))

    def joins_by(self, claim: str) -> None:
        """As a teacher says by what people are joined to the roster."""
        (known,) = self.room.queue.records.all(Known)
        self.named("boss").post("/lti/claim", data={"key": known.as_text, "claim": claim})

    def accepts(self, course: str) -> None:
        """As the operator names a course of the first platform."""
        records = self.room.queue.records
        records.accept(records.all(Known)[0].id, course)

    def person(self, browser: httpx.Client) -> str:
        who = self.service.people.known(browser.cookies[self.service.cookie], SESSION)
        assert who is not None
        return who.id

    def earns(
        self, person: str, points: float | None, assignment: str = "hw1", at: float = 0.0
    ) -> None:
        """An attempt that has its result."""
        handed_in = StoredAttempt(
            *(0, f"id{time.time_ns()}", person, assignment, NAME, "double.py"),
            *(at or time.time(), WAITING),
        )
        one = self.service.database.accept(handed_in, "text", None)
        outcome = Outcome.BROKEN if points is None else Outcome.FAILED
        result = ExerciseResult(NAME, outcome, points, 10.0)
        self.service.database.finish(one.id, result)
        self.service.changed(person, assignment, False)

    def send(self) -> None:
        """Everything that may be sent now."""
        for name in self.room.sender.due():
            self.room.sender.serve(name)

    def score(self, person: str, assignment: str = "hw1") -> Score:
        ((_, one),) = self.room.queue.scores(assignment, person)
        return one

    def received(self, sub: str = "") -> list[dict[str, Any]]:
        """What the platform has taken: each score's body."""
        return [one.body for one in self.platform.scores if sub in ("", one.user_id)]


def tool_of(address: str, **about: Any) -> ToolRegistration:
    launch = f"{address}/lti/launch"
    return ToolRegistration(
        f"{address}/lti/login", (launch,), f"{address}/lti/jwks.json", launch, **about
    )


def enrolled(platform: Platform) -> None:
    for sub in ("ada", "ben", "eve"):
        platform.enrol("c1", sub, LEARNER)
    platform.enrol("c1", "noether", INSTRUCTOR)


def register(service: Service, platform: Platform) -> None:
    """As an admin does who was given the address."""
    place = invite(service.database, service.address, is_local=True)
    admin = client(service)
    given = platform.registration_request()
    assert "Register" in admin.get(place, params=given).text
    form = {"url": given["openid_configuration"], "token": given["registration_token"]}
    done = admin.post(place, data=form)
    assert done.status_code == 200, done.text
    assert "Registered" in done.text


@contextlib.contextmanager
def classroom(
    folder: Path,
    course: Course,
    *,
    is_sending: bool = False,
    homework: tuple[Assignment, ...] = HOMEWORK,
) -> Iterator[Classroom]:
    """A class whose course the operator named, and whose teacher has opened the link."""
    folder.mkdir(parents=True, exist_ok=True)
    database = Database(folder)
    database.add_people(PEOPLE)
    database.add_people([Person("boss", "The Boss")], teachers=True)
    listening = server.bound(0, None)
    course = replace(course, assignments=homework)
    address = server.address_of(listening, "")
    service = Service(folder, course, IdleGrader(course), database, address, 1)  # type: ignore[arg-type]
    service.marks.points = {NAME: 10.0}
    platform = Platform()
    with platform.running():
        enrolled(platform)
        made = Classroom(
            service, LtiExtension(service), platform, ResourceLink("", "", ""), is_sending
        )
        with running(service, listening, [made]):
            register(service, platform)
            made.link = platform.add_link(
                "c1", "The homework", maximum=10, custom={"assignment": "hw1"}
            )
            made.accepts("c1")
            made.comes("noether")
            yield made
    database.close()


@pytest.fixture
def room(foreign: Course, tmp_path: Path) -> Iterator[Classroom]:
    with classroom(tmp_path / "class", foreign) as made:
        yield made


@pytest.fixture(scope="module")
def shared(foreign: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Classroom]:
    """One for tests that leave nothing behind."""
    with classroom(tmp_path_factory.mktemp("class"), foreign) as made:
        yield made
