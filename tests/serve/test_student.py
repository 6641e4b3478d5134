"""A student's way: a link, an answer, a verdict, hints, history; drafts; what is refused."""

from __future__ import annotations

import ast
import html
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from grader.course.course import find
from grader.records.errors import UsageError
from grader.records.model import Assignment, ExerciseResult, Outcome, Person
from grader.serve import pages
from grader.serve import service as services
from grader.serve.database import WAITING, StoredAttempt
from grader.serve.pages import _changes
from grader.serve.people import LINK, SESSION
from grader.serve.queue import Queue
from grader.serve.receipts import Signer
from grader.serve.service import Service, taken_apart
from grader.teacher.settle import moment
from tests.serve.conftest import NAME, RIGHT, STEM, WRONG, Client, attempt, client

PAGE = f"/a/hw1/{STEM}"


def test_a_link_lets_in_once_and_only_by_its_button(service: Service, newcomer: str) -> None:
    link = f"/enter/{service.people.issue(LINK, newcomer)}"
    browser = client(service)
    for _ in range(3):  # a scanner of mail
        assert "Sign in on this device" in browser.get(link).text
    entered = browser.post(link)
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert f"The {newcomer}" in browser.get("/").text
    again = client(service).post(link)
    assert again.status_code == 403
    assert "Ask your teacher for a new one" in again.text


def test_two_who_use_a_link_at_once_do_not_both_come_in(service: Service, newcomer: str) -> None:
    link = f"/enter/{service.people.issue(LINK, newcomer)}"
    with ThreadPoolExecutor(8) as threads:
        codes = list(threads.map(lambda _: client(service).post(link).status_code, range(8)))
    assert sorted(codes) == [303, *[403] * 7]


def test_signing_out_ends_the_session_for_a_kept_cookie_too(
    service: Service, student: Client
) -> None:
    kept = student.cookies[service.cookie]
    assert student.post("/leave").status_code == 303
    assert client(service, kept).get("/a/hw1").status_code == 401


def test_an_old_key_is_none(service: Service, newcomer: str) -> None:
    old = service.people.issue(LINK, newcomer, seconds=-1)
    assert client(service).post(f"/enter/{old}").status_code == 403


def test_another_device_and_a_program_have_keys_of_their_own(
    service: Service, student: Client, newcomer: str
) -> None:
    made = student.post("/me/link").text
    (link,) = re.findall(r"/enter/[\w-]+", made)
    other = client(service)
    assert other.post(link).status_code == 303
    (token,) = re.findall(r'<code class="long">([\w-]+)<', student.post("/me/token").text)
    program = client(service)
    program.headers["Authorization"] = f"Bearer {token}"
    assert program.get("/api/v1/assignments").json()["assignments"][0]["name"] == "hw1"
    keys = re.findall(r'name="key" value="(\w+)"', student.get("/me").text)
    assert len(keys) == 3
    one_more = client(service, service.people.issue(SESSION, newcomer))
    for key in keys:
        one_more.post("/me/drop", data={"key": key})
    assert program.get("/api/v1/assignments").status_code == 401
    assert student.get("/a/hw1").status_code == 401


def test_a_session_is_no_token(service: Service, student: Client) -> None:
    program = client(service)
    program.headers["Authorization"] = f"Bearer {student.cookies[service.cookie]}"
    assert program.get("/api/v1/assignments").status_code == 401


def test_an_assignment_that_is_not_open_looks_as_if_it_were_not_there(
    student: Client, teacher: Client
) -> None:
    assert "Homework 9" not in student.get("/").text
    assert student.get("/a/hw9").status_code == 404
    assert student.get(f"/a/hw9/{STEM}").status_code == 404
    assert "Homework 9" in teacher.get("/").text


def test_a_path_is_to_practise_and_no_homework(
    service: Service, student: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = (Assignment("path", "From NumPy", (NAME,), counts=False), *service.course.assignments)
    monkeypatch.setattr(service, "course", replace(service.course, assignments=paths))
    homework, practice = student.get("/").text.split('id="practise"')
    assert ("/a/hw1" in homework, "/a/path" in homework) == (True, False)
    assert ("/a/hw1" in practice, "/a/path" in practice) == (False, True)


def test_an_answer_is_judged_and_its_page_says_what_is_wrong(student: Client) -> None:
    made = attempt(student, WRONG)
    assert made.status_code == 200
    said = made.json()
    assert (said["state"], said["result"]["outcome"], said["result"]["score"]) == (
        "done",
        "failed",
        0.0,
    )
    page = student.get(PAGE).text
    assert "failed" in page
    assert "Restore this text" in student.get(f"/attempts/{said['id']}").text
    assert attempt(student, RIGHT).json()["result"]["score"] == 4.0
    page = student.get(PAGE).text
    assert "All tests passed: 4 of 4" in page
    assert "2 attempts" in page
    assert "1 of 1 exercise passed" in student.get("/").text


def test_without_a_script_the_form_does_it(
    student: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "FORM_SECONDS", 250)
    answer = student.post(PAGE, data={"text": WRONG.replace("\n", "\r\n")})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{PAGE}#verdict")
    page = student.get(PAGE).text
    assert "0<small> of 4" in page
    assert "return x + 2" in page  # the text is still in the form


def test_the_best_attempt_counts_and_the_page_says_so(student: Client) -> None:
    best = attempt(student, RIGHT).json()["id"]
    attempt(student, WRONG)
    page = student.get(PAGE).text
    assert re.search(f'<a href="/attempts/{best}">the one of [^<]+</a> counts', page)


def test_the_list_says_how_long_it_takes_and_what_was_earned(student: Client) -> None:
    entry = re.compile(r"<li>.*?</li>", re.DOTALL)
    for text, said in ((None, "not started"), (WRONG, "failed, 0 of 4"), (RIGHT, "passed, 4 of 4")):
        if text:
            attempt(student, text)
        (row,) = entry.findall(student.get("/a/hw1").text)
        assert (" min<" in row, f">{said}<" in row) == (True, True), row


def test_practice_is_called_so_wherever_its_points_would_be(
    service: Service, student: Client, teacher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ">practice" not in student.get("/a/hw1").text
    assert "for practice" not in student.get(PAGE).text
    only = tuple(replace(exercise, counts=False) for exercise in service.course.exercises)
    monkeypatch.setattr(service, "course", replace(service.course, exercises=only))
    assert ">practice, " in student.get("/a/hw1").text
    assert (
        "This exercise is for practice: its points are not in any mark." in student.get(PAGE).text
    )
    assert f'<option value="{NAME}">' not in teacher.get("/t/hw1/student?id=ada").text


def test_hints_are_kept_and_only_opened_ones_are_in_the_page(student: Client) -> None:
    assert "Think" not in student.get(PAGE).text
    student.post(f"{PAGE}/hint")
    page = student.get(PAGE).text
    assert "Think." in page
    assert "again" not in page
    assert "1 left" in page
    for _ in range(3):
        student.post(f"{PAGE}/hint")
    assert "Think &lt;again&gt;." in student.get(PAGE).text


def test_a_draft_is_kept_and_is_no_attempt(student: Client) -> None:
    assert student.post(f"{PAGE}/draft", json={"text": "x = 'draft'"}).json() == {"kept": True}
    page = student.get(PAGE).text
    assert "x = &#39;draft&#39;" in page
    assert "Attempt of" not in page


def test_an_earlier_text_comes_back(student: Client) -> None:
    first = attempt(student, WRONG).json()["id"]
    attempt(student, RIGHT)
    page = student.get(f"/attempts/{first}").text
    assert "attempt 1 of 2" in page
    student.post(f"/attempts/{first}/back")
    assert "return x + 2" in student.get(PAGE).text
    second = student.get("/api/v1/attempts/" + first).json()
    assert second["state"] == "done"


def test_the_difference_to_the_attempt_before_is_shown(student: Client) -> None:
    attempt(student, WRONG)
    second = attempt(student, RIGHT).json()["id"]
    page = student.get(f"/attempts/{second}").text
    assert '<span class="removed">-    return x + 2' in page
    assert '<span class="added">+    return 2 * x' in page


def test_the_same_key_again_is_the_same_attempt(student: Client) -> None:
    first = attempt(student, RIGHT, key="a").json()
    again = attempt(student, RIGHT, key="a").json()
    assert again["id"] == first["id"]
    assert again["result"]["score"] == 4.0
    other = attempt(student, WRONG, key="a")
    assert other.status_code == 422
    assert "used for a different text" in other.json()["error"]
    assert attempt(student, RIGHT, key="b").json()["id"] != first["id"]


def test_a_notebook_may_be_uploaded(student: Client) -> None:
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(RIGHT)])
    given = {"file": ("double.ipynb", nbformat.writes(book).encode())}
    answer = student.post("/a/hw1/upload", files=given)
    assert answer.status_code == 303
    while "All tests passed" not in student.get(PAGE).text:
        time.sleep(0.2)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("double.ipynb", b"not json", "That file contains no exercise of Homework 1"),
        ("../../etc/passwd", b"root", "no exercise of Homework 1"),
        ("other.py", b"x = 1\n", "no exercise of Homework 1"),
        ("double.py", b"", "Choose a file first"),
    ],
)
def test_a_file_that_holds_no_answer_says_why(
    student: Client, name: str, data: bytes, said: str
) -> None:
    answer = student.post("/a/hw1/upload", files={"file": (name, data)})
    assert answer.status_code == 422
    assert said in answer.text


def test_events_tell_how_far_it_is(student: Client) -> None:
    one = attempt(student, RIGHT + f"# {time.time()}\n", wait=0).json()
    with student.stream("GET", f"/api/v1/attempts/{one['id']}/events") as stream:
        lines = [json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: ")]
    assert lines[-1]["state"] == "done"
    assert lines[-1]["result"]["score"] == 4.0


def test_a_receipt_is_signed_and_tells_of_any_change(service: Service, student: Client) -> None:
    one = attempt(student, RIGHT).json()
    receipt = student.get(f"/attempts/{one['id']}/receipt").text
    assert service.signer.check(receipt)["attempt"] == one["id"]
    with pytest.raises(UsageError, match="changed after"):
        service.signer.check(receipt.replace(one["at"], "2020-01-01"))
    with pytest.raises(UsageError, match="did not sign"):
        service.signer.check(receipt.replace(service.signer.key_id, "x"))
    lone_surrogate = json.dumps({"key": service.signer.key_id, "signature": "\ud800"})
    for text in ("[]", "[" * 100_000, lone_surrogate):
        with pytest.raises(UsageError, match="not a server's receipt"):
            service.signer.check(text)


def test_a_receipt_can_be_checked_after_a_restart(service: Service) -> None:
    assert Signer(service.database).key_id == service.signer.key_id


def test_too_many_attempts_are_told_when_the_next_is_possible(
    student: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    for n in range(6):
        assert attempt(student, f"{WRONG}# {n}\n", wait=0).status_code == 202
    refused = attempt(student, WRONG)
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert "Your text is kept" in refused.json()["error"]


def test_a_full_queue_says_when_to_come_again(
    student: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody may have one attempt that waits, however many wait."""
    monkeypatch.setattr("grader.serve.queue.MOST_WAITING", 0)
    monkeypatch.setattr(Queue, "_fill", lambda _: None)
    assert attempt(student, RIGHT, wait=0).status_code == 202
    refused = attempt(student, WRONG, wait=0)
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "60")


@pytest.mark.parametrize(
    ("text", "status"), [("", 422), (" \n", 422), ("x" * (services.MOST_LETTERS + 1), 413)]
)
def test_no_text_and_too_much_of_it_are_refused(student: Client, text: str, status: int) -> None:
    assert attempt(student, text).status_code == status


def test_a_text_that_is_no_unicode_is_refused(student: Client) -> None:
    body = b'{"text": "x = \\"\\ud800\\"\\n"}'
    place = f"/api/v1/assignments/hw1/exercises/{STEM}/attempts?wait=60"
    made = student.post(place, content=body, headers={"Content-Type": "application/json"})
    assert made.status_code == 422
    assert "Save it in UTF-8" in made.json()["error"]


def test_one_person_does_not_fill_the_queue(
    student: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST_OPEN", 0)
    refused = attempt(student, RIGHT)
    assert refused.status_code == 429
    assert "of your attempts are waiting" in refused.json()["error"]


STUB = '''"""Intro.

Page: x
"""

import jax


def f(
    x,
):
    """One.

    Args:
        x: y.
    """
    raise NotImplementedError
'''


def test_a_difference_is_short_or_not_computed() -> None:
    """The time of `difflib` grows fast, and a student chooses the lines."""
    kinds = [chr(97 + n) for n in range(26)]
    one, other = ("\n".join(kinds[sign * n % 26] for n in range(31_000)) for sign in (1, -1))
    assert _changes(one, other) == []
    long = "x\n" * 31_000
    assert ("+", "y") in _changes(long, f"{long}y\n")


def test_a_stub_is_taken_apart() -> None:
    intro, signature, docstring, text = taken_apart(STUB)
    assert (intro, signature) == ("Intro.\n\nPage: x", "def f(\n    x,\n):")
    assert docstring.endswith("x: y.")
    short = 'import jax\n\n\ndef f(\n    x,\n):\n    """One."""\n    raise NotImplementedError\n'
    assert text == short
    assert taken_apart("def f(:")[3] == "def f(:"


def test_every_stub_of_the_course_can_be_taken_apart() -> None:
    """What is left is the same program without its texts."""
    course = find(Path(__file__).parents[2])
    for exercise in course.exercises:
        stub = course.stub_text(exercise)
        found = [ast.parse(text).body for text in (stub, taken_apart(stub)[3])]
        names = [[n.name for n in body if isinstance(n, ast.FunctionDef)] for body in found]
        assert names[0] == names[1]


# Dates


LATE = Assignment("hw2", "Homework 2", (NAME,), due="2020-01-01", late=10, late_days=9)


def dated(service: Service, student: str, at: str) -> dict[str, str]:
    """What a student reads on each page, after an attempt of that time."""
    one = StoredAttempt(0, f"{student} {at}", student, "hw2", NAME, "double.py", 0.0, WAITING)
    made = service.database.accept(replace(one, at=moment(at).timestamp()), WRONG, None)
    failed = ExerciseResult(NAME, Outcome.FAILED, 5.0, 10.0)
    service.database.finish(made.id, failed)
    browser = client(service, service.people.issue(SESSION, student))
    places = {"list": "/", "assignment": "/a/hw2", "task": f"/a/hw2/{STEM}"}
    found = {name: browser.get(place).text for name, place in places.items()}
    found["verdict"] = browser.get(f"/attempts/{made.id}/verdict").text
    listed = browser.get("/api/v1/assignments").json()["assignments"]
    (found["api"],) = (each["due"] for each in listed if each["name"] == "hw2")
    return {name: html.unescape(text) for name, text in found.items()}


def test_students_read_their_own_due_date_and_what_late_work_loses(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = replace(service.course, assignments=(*service.course.assignments, LATE))
    monkeypatch.setattr(service, "course", course)
    service.database.add_people([Person(name) for name in ("d-ada", "d-ben")])
    service.decide(LATE, "d-ben", "extension", "2020-01-03", why="Ill", by="N", on="2020-01-01")
    penalty = "loses 10 % of an exercise's points for each day begun; after 9 days, all of them"
    ada, ben = (dated(service, name, "2020-01-04T12:00:00") for name in ("d-ada", "d-ben"))
    for page in ("list", "assignment", "task"):
        assert "Due 2020-01-01. " in ada[page]
        assert "Due 2020-01-03, with your extension. " in ben[page]
        assert penalty in ada[page]
    assert (ada["api"], ben["api"]) == ("2020-01-01", "2020-01-03")
    for page in ("task", "verdict"):
        assert "3 days late: it loses 30 % of the exercise's points." in ada[page]
        assert "1 day late: it loses 10 % of the exercise's points." in ben[page]
    assert "late" not in dated(service, "d-ben", "2020-01-03T12:00:00")["verdict"]
    assert "late: it loses 100 %" in dated(service, "d-ada", "2020-01-20")["verdict"]


def test_late_work_loses_what_its_verdict_says_and_nothing_else_does(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One exercise of two, late: the other one isn't submitted, and costs nothing more."""
    other = replace(service.course[NAME], id="01_first/other")
    rule = replace(LATE, exercises=(NAME, other.id))
    every = (*service.course.exercises, other)
    course = replace(service.course, exercises=every, assignments=(rule,))
    monkeypatch.setattr(service, "course", course)
    monkeypatch.setattr(service.grader, "course", course)
    monkeypatch.setattr(service.marks, "points", dict.fromkeys(rule.exercises, 10.0))
    service.database.add_people([Person("d-eve")])
    dated(service, "d-eve", "2020-01-04T12:00:00")
    found = service.marks.counting("d-eve", rule)
    assert found is not None
    assert (found[0].grade.score, found[0].grade.max_score) == (2.0, 20.0)
