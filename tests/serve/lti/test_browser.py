"""In a browser: a student from a link and from a frame, an admin, a teacher's pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from grader.course.course import Course
from grader.serve.lti.registration import invite
from tests.serve.lti.conftest import Classroom, classroom
from tests.serve.lti.platform import DEEP_LINKING, RESOURCE
from tests.serve.test_browser import Visit, is_for_everybody, visit

pytestmark = pytest.mark.slow
FRAME = """
    document.body.innerHTML = '<h1>The course</h1><iframe width="800" height="500"></iframe>';
    document.querySelector('iframe').src = arguments[0];
"""


@pytest.fixture(scope="module")
def school(foreign: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Classroom]:
    with classroom(tmp_path_factory.mktemp("class"), foreign) as made:
        made.platform.refuses["ben"] = (422, "Ben <b>B</b> left the course " + "x" * 200)
        for sub, points in (("ada", 7.0), ("ben", 7.0), ("eve", None)):
            person = made.person(made.comes(sub))
            made.earns(person, points)
            made.send()
        # What only the teacher sends: it was due.
        late = made.platform.add_link("c1", "Two", maximum=10, custom={"assignment": "hw2"})
        ada = made.person(made.comes("ada", late.id))
        made.earns(ada, 6.0, "hw2", 1e9)
        made.send()
        made.earns(ada, 10.0, "hw2")
        made.platform.enrol(
            "c2", "mallory", "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"
        )
        other = made.platform.add_link("c2", "Other", custom={"assignment": "hw1"})
        made.platform.launch(made.browser(), "mallory", other.id)
        yield made


@pytest.fixture
def shown(driver: Any, school: Classroom) -> Iterator[Visit]:
    with visit(driver, school.service) as made:
        yield made


def link(school: Classroom, sub: str, message: str = RESOURCE) -> str:
    """Where the platform sends the browser of somebody who opens a link."""
    (client_id,) = school.platform.clients
    name = school.link.id if message == RESOURCE else None
    asked = school.platform.login_request(client_id, sub, name, message=message)
    return f"{school.service.address}/lti/login?{urlencode(asked)}"


def test_a_link_leads_to_the_assignment(shown: Visit, school: Classroom) -> None:
    shown.driver.get(link(school, "ada"))
    shown.sees("Homework 1")
    shown.arrives("/a/hw1")
    shown.sees("Ada Doe", ".bar")


def test_a_frame_opens_a_window(shown: Visit, school: Classroom) -> None:
    shown.driver.get(f"{school.platform.issuer}/jwks")
    shown.run(FRAME, link(school, "ada"))
    windows = shown.driver.window_handles
    shown.driver.switch_to.frame(0)
    shown.sees("It opens in its own window")
    shown.click("Open it")
    shown.driver.switch_to.default_content()
    shown.until("document.querySelector('iframe') !== null", True)
    (new,) = set(shown.driver.window_handles) - set(windows)
    first = shown.driver.current_window_handle
    shown.driver.switch_to.window(new)
    try:
        shown.sees("Homework 1")
        shown.sees("Ada Doe", ".bar")
    finally:
        shown.driver.close()
        shown.driver.switch_to.window(first)
    shown.expect("favicon")


def test_a_teacher_chooses_in_a_frame(shown: Visit, school: Classroom) -> None:
    shown.driver.get(f"{school.platform.issuer}/jwks")
    shown.run(FRAME, link(school, "noether", DEEP_LINKING))
    shown.driver.switch_to.frame(0)
    shown.sees("Which assignment?")
    before = len(school.platform.links)
    shown.click("Choose", "li:nth-child(2)")
    shown.driver.switch_to.default_content()
    for _ in range(100):
        if len(school.platform.links) > before:
            break
        shown.until("document.querySelector('iframe') !== null", True)
    assert [one.custom for one in school.platform.links.values()][-1] == {"assignment": "hw3"}
    shown.expect("favicon")


def test_a_page_that_stayed_open_saves_nothing_for_who_comes_next(
    shown: Visit, school: Classroom
) -> None:
    shown.driver.get(link(school, "ada"))
    shown.arrives("/a/hw1")
    shown.go("/a/hw1/double")
    first = shown.driver.current_window_handle
    shown.driver.switch_to.new_window("tab")
    shown.driver.get(link(school, "ben"))
    shown.arrives("/a/hw1")
    shown.sees("Ben Doe", ".bar")
    shown.driver.close()
    shown.driver.switch_to.window(first)
    shown.run(
        "const text = document.getElementById('text'); text.value = 'of Ada';"
        "text.dispatchEvent(new Event('input', {bubbles: true}));"
    )
    shown.sees("Ben Doe is signed in now", "#kept")
    shown.run("document.getElementById('answer').requestSubmit()")
    shown.sees("Ben Doe is signed in now", "#refusal")
    ben = school.person(school.comes("ben"))
    assert school.service.database.draft(ben, "hw1", "01_first/double") is None
    assert [one.assignment for one in school.service.database.history(ben, "hw1")] == ["hw1"]
    shown.expect("409")


def test_an_admin_registers(shown: Visit, school: Classroom) -> None:
    place = invite(school.service.database, school.service.address, is_local=True)
    query = urlencode(school.platform.registration_request())
    shown.driver.get(f"{place}?{query}")
    shown.sees("would receive their marks")
    is_for_everybody(shown)
    shown.click("Register")
    shown.sees("has registered this server")
    is_for_everybody(shown)
    school.platform.clients.popitem()


STATES: dict[str, Callable[[Visit, Classroom], object]] = {
    "scores": lambda shown, _: shown.sign_in("boss").go("/lti/scores/hw1"),
    "marks to send": lambda shown, _: shown.sign_in("boss").go("/lti/scores/hw2"),
    "no scores": lambda shown, _: shown.sign_in("boss").go("/lti/scores/hw3"),
    "courses and people": lambda shown, _: shown.sign_in("boss").go("/lti"),
    "board": lambda shown, _: shown.sign_in("boss").go("/t/hw1"),
    "choice": lambda shown, school: shown.driver.get(link(school, "noether", DEEP_LINKING)),
    "refused": lambda shown, school: shown.go("/lti/login?iss=https://elsewhere.example"),
}


@pytest.mark.parametrize("state", STATES)
def test_everybody_can_read_it(shown: Visit, school: Classroom, state: str) -> None:
    shown.size(1280, 900)
    STATES[state](shown, school)
    if state == "choice":
        shown.sees("Which assignment?")
    is_for_everybody(shown)
    shown.expect("403")


def test_a_teacher_sends_what_would_change(shown: Visit, school: Classroom) -> None:
    shown.sign_in("boss").go("/t/hw2")
    shown.sees("1 mark would change in the learning platform")
    shown.click("Marks in the learning platform")
    shown.sees("1 mark would change there")
    shown.click("Send it")
    shown.sees("1 mark waiting")
    school.send()
    shown.go("/lti/scores/hw2")
    assert "would change" not in shown.text()
    assert "6 of 10" not in shown.text("tbody")
