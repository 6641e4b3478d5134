"""Platforms that share no code with us: Open edX's own LTI, and `lti1p3platform`.

Each is a process of its own, of an environment of its own: `GRADER_FOREIGN_PYTHON` is its Python.
What they need is in their scripts. CI's session `platforms` makes the environment.
"""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace as changed

from grader.course.course import Course
from grader.serve import server
from grader.serve.database import Database
from grader.serve.lti.extension import LtiExtension
from grader.serve.lti.records import Platform, platform_id
from grader.serve.service import Service
from tests.serve.conftest import NAME, client, running
from tests.serve.lti.conftest import HOMEWORK, Classroom, IdleGrader
from tests.serve.lti.platform import DEEP_LINKING, INSTRUCTOR, LEARNER, ResourceLink, make_key
from tests.serve.lti.platform import Platform as Simulated

PYTHON = os.environ.get("GRADER_FOREIGN_PYTHON", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PYTHON, reason="no foreign platforms: GRADER_FOREIGN_PYTHON is not set"),
]
HERE = Path(__file__).parent / "foreign"
PLATFORMS = ("edx", "lti1p3")


class Foreign(Classroom):
    """A class of which a foreign platform sends the people."""

    about: dict[str, Any]

    def opens(self, url: str) -> tuple[httpx.Client, httpx.Response]:
        """What a browser does from a page of the platform on, up to the tool's answer."""
        browser = client(self.service)
        browser.headers.pop("Origin")
        login = browser.get(url)
        asks = browser.get(login.headers["location"])
        page = browser.get(asks.headers["location"])
        form = re.search(r'<form[^>]*action="([^"]+)"', page.text)
        assert form is not None, page.text
        fields = {
            name: html.unescape(found[1])
            for name in ("id_token", "state")
            if (found := re.search(rf'name="{name}" value="([^"]*)"', page.text))
        }
        return browser, browser.post(html.unescape(form[1]), data=fields)

    def start(self, user: str, key: str = "start") -> str:
        return re.sub(r"user=[^&]*", f"user={user}", str(self.about[key]))

    def stored(self) -> list[dict[str, Any]]:
        return list(httpx.get(self.about["scores"], trust_env=False).json())


@contextmanager
def foreign(name: str, course: Course, folder: Path, *arguments: str) -> Iterator[Foreign]:
    database = Database(folder)
    listening = server.bound(0, None)
    address = server.address_of(listening, "")
    course = replace(course, assignments=HOMEWORK)
    service = Service(folder, course, IdleGrader(course), database, address, 1)  # type: ignore[arg-type]
    service.marks.points = {NAME: 10.0}
    made = Foreign(service, LtiExtension(service), Simulated(), ResourceLink("", "", ""))
    command = [PYTHON, str(HERE / f"{name}.py"), "0", address, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            made.about = json.loads(process.stdout.readline())
            records = made.room.queue.records
            about = made.about
            records.put(
                Platform(
                    id=platform_id(about["issuer"], about["client_id"]),
                    issuer=about["issuer"],
                    client=about["client_id"],
                    name=name,
                    auth=about["auth_url"],
                    token=about["token_url"],
                    jwks=about["jwks_url"],
                    deployments=(about["deployment_id"],),
                    is_local=True,
                )
            )
            with running(service, listening, [made]):
                yield made
        finally:
            process.terminate()
    database.close()


@pytest.fixture(params=PLATFORMS)
def room(
    request: pytest.FixtureRequest, foreign_course: Course, tmp_path: Path
) -> Iterator[Foreign]:
    with foreign(request.param, foreign_course, tmp_path) as made:
        yield made


@pytest.fixture
def foreign_course(request: pytest.FixtureRequest) -> Course:
    found: Course = request.getfixturevalue("foreign")
    return found


def bound(room: Foreign) -> None:
    """A teacher opens the link, and says which assignment it is."""
    teacher, answer = room.opens(room.start("staff"))
    assert (answer.status_code, answer.headers.get("location")) == (303, "/lti"), answer.text
    teacher.headers["Origin"] = room.service.address
    page = teacher.get("/lti").text
    key = re.search(r'action="/lti/link">.*?name="key" value="([^"]+)"', page, re.DOTALL)
    assert key is not None, page
    form = {"key": html.unescape(key[1]), "assignment": "hw1"}
    assert teacher.post("/lti/link", data=form).status_code == 303


def test_scores_of_students_stand_in_its_own_database(room: Foreign) -> None:
    bound(room)
    marks = {"student1": 7.0, "student2": 0.0, "student3": None}
    for user, points in marks.items():
        browser, answer = room.opens(room.start(user))
        assert answer.headers.get("location") == "/a/hw1", answer.text
        assert browser.get("/t/hw1").status_code == 404
        room.earns(room.person(browser), points)
    room.send()
    stored = {one["user"]: one for one in room.stored()}
    assert {user: stored[user]["given"] for user in marks} == marks
    assert stored["student1"]["maximum"] == 10
    assert stored["student1"]["grading_progress"] == "FullyGraded"
    assert stored["student3"]["grading_progress"] == "Pending"
    if "published" in stored["student1"]:  # in the gradebook of the course
        assert [stored[user]["published"] for user in marks] == [0.7, 0.0, None]
    # A better attempt replaces it, a moment later, in the same column.
    browser, _ = room.opens(room.start("student1"))
    time.sleep(0.01)
    room.earns(room.person(browser), 9.0)
    room.send()
    again = [one for one in room.stored() if one["user"] == "student1"]
    assert [one["given"] for one in again] == [9.0]
    assert len({one["line_item"] for one in room.stored()}) == 1


def test_a_teacher_chooses_the_assignment_there(room: Foreign) -> None:
    room.opens(room.start("staff"))
    browser, choice = room.opens(room.start("staff", "start_deep_link"))
    assert "Which assignment?" in choice.text, choice.text
    forms = re.findall(r"<form.*?</form>", choice.text, re.DOTALL)
    own = next(form for form in forms if "Homework 3" in form)
    action, token = (re.search(p, own) for p in (r'action="([^"]+)"', r'value="([^"]+)"'))
    assert action is not None
    assert token is not None
    place, said = html.unescape(action[1]), {"JWT": token[1]}
    done = browser.post(place, data=said)
    assert done.status_code < 400, done.text
    if "items" in room.about:
        (item,) = browser.get(room.about["items"]).json()
        assert "hw3" in json.dumps(item)
        _, answer = room.opens(room.start("student1"))
        assert answer.headers.get("location") == "/a/hw3", answer.text


def test_a_column_that_its_teacher_made(foreign_course: Course, tmp_path: Path) -> None:
    """Open edX can keep the columns for itself: then ours is the one that a launch names."""
    with foreign("edx", foreign_course, tmp_path, "declarative") as room:
        bound(room)
        browser, _ = room.opens(room.start("student1"))
        room.earns(room.person(browser), 5.0)
        room.send()
        assert [one["given"] for one in room.stored()] == [5.0], room.score(
            room.person(browser)
        ).reason


def test_what_it_sends_is_refused_by_another_registration(room: Foreign) -> None:
    bound(room)
    records = room.room.queue.records
    (known,) = records.all(Platform)
    records.put(changed(known, deployments=("another",)))
    browser = client(room.service)
    login = browser.get(room.start("student1"))
    assert browser.get(login.headers["location"]).status_code in (303, 403)
    (known,) = records.all(Platform)
    records.put(changed(known, deployments=(), jwks=known.auth))
    room.room.launches.theirs._known.clear()
    _, answer = room.opens(room.start("student1"))
    assert (answer.status_code, "be read from" in answer.text) == (403, True)


@pytest.fixture
def tool() -> Iterator[str]:
    """The address of a tool by other people."""
    # `-P`, or this folder's `platform` would stand in for Python's own.
    command = [PYTHON, "-P", str(Path(__file__).with_name("foreign_tool.py"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def test_a_foreign_tool_gets_on_with_the_simulated_platform(tool: str) -> None:
    platform, browser = Simulated(page_size=2), httpx.Client(trust_env=False, timeout=10)
    with platform.running(), browser:
        for sub, role in (("ada", LEARNER), ("noether", INSTRUCTOR)):
            platform.enrol("c1", sub, role)
        registered = browser.get(f"{tool}/register", params=platform.registration_request())
        assert "org.imsglobal.lti.close" in registered.text
        page = platform.launch(browser, "noether", message=DEEP_LINKING)
        (link,) = platform.deep_linked(page.text)
        assert (link.title, link.custom) == ("Chosen", {"exercise": "double"})
        others = [platform.add_link("c1", f"Other {n}", maximum=1) for n in range(3)]
        for method in ("GET", "POST"):
            told = platform.launch(browser, "ada", link.id, method=method).json()
            labels = ["Chosen", *(other.title for other in others), "Extra"]
            assert (told["items"], told["item"]) == (labels, "Chosen")
            assert (told["sub"], told["name"], told["email"]) == ("ada", "Ada Doe", None)
            assert told["custom"] == {"exercise": "double"}
        taught = platform.launch(browser, "noether", link.id).json()
        assert "items" not in taught
        assert [(s.line_item, s.body["scoreGiven"]) for s in platform.scores] == [
            (link.lineitem, 8)
        ] * 2
        assert (len(platform.tokens), platform.refused) == (1, [])
        stranger = make_key()
        assert platform.launch(browser, "ada", link.id, key=stranger).status_code == 400
