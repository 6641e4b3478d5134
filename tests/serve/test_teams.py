"""Pairs on the server: a member reads and counts with the team's attempts, and nobody else does."""

from __future__ import annotations

import csv
import io
import secrets
import time
import types
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.course.course import Course
from grader.records.model import Person, Submission
from grader.serve.database import WAITING, StoredAttempt
from grader.serve.people import SESSION
from grader.serve.service import Service
from tests.serve.conftest import HOMEWORK, NAME, RIGHT, WRONG, Client, attempt, client, serving

TEAMED = replace(HOMEWORK, teams="roster")


@pytest.fixture
def teamed(homework: Course, tmp_path: Path) -> Iterator[Service]:
    """Ada and Ben are a team; Eve works alone."""
    course = replace(homework, assignments=(TEAMED,))
    with serving(tmp_path / "class", course, jobs=1, isolation="available") as made:
        join(made, "ada", "ben")
        yield made


def join(service: Service, *names: str) -> None:
    """These people are the only team."""
    people = {person.id: replace(person, team="") for person in service.database.people()}
    people |= {name: replace(people[name], team="red") for name in names}
    service.database.add_people(people.values())
    service.marks.team_up(TEAMED)


def of(service: Service, name: str) -> Client:
    return client(service, service.people.issue(SESSION, name))


def marks(service: Service) -> dict[str, str]:
    noether = of(service, "noether")
    assert noether.post("/t/hw1/marks").status_code == 303
    rows = csv.DictReader(io.StringIO(noether.get("/t/hw1/files/csv").text))
    return {row["student"]: row["mark"] for row in rows}


@pytest.mark.slow
def test_one_answer_counts_for_the_team(teamed: Service) -> None:
    ada, ben, eve, noether = (of(teamed, name) for name in ("ada", "ben", "eve", "noether"))
    made = attempt(ada, RIGHT).json()
    attempt(eve, WRONG)
    assert "4 of 4" in " ".join(ben.get("/a/hw1").text.split())
    assert ben.get(f"/attempts/{made['id']}").status_code == 200
    assert eve.get(f"/attempts/{made['id']}").status_code == 404
    wrong = attempt(ben, WRONG).json()
    told = [one.get(f"/attempts/{wrong['id']}").text for one in (ada, ben, noether)]
    assert ["what only you see" in page for page in told] == [False, False, True]
    found = marks(teamed)
    assert found["ada"] == found["ben"] == "4.0" != found["eve"]
    board = noether.get("/t/hw1").text
    assert "Not in a team, so working alone: <bdi>Eve</bdi>" in board

    form = {"person": "ben", "kind": "bonus", "bonus": "1", "why": "Neat.", "for_team": "on"}
    assert noether.post("/t/hw1/decide", data=form).status_code == 303
    page = noether.get("/t/hw1/student?id=ada").text
    assert "for the team" in page
    assert "Submitted by" in noether.get("/t/hw1/student?id=ben").text
    found = marks(teamed)
    assert found["ada"] == found["ben"] == "5.0"
    last = teamed.marks.last(TEAMED)
    assert last is not None
    teamed.marks.publish(TEAMED, last.number)
    assert "Submitted by Ada (ada), of the same team." in ben.get("/a/hw1").text


@pytest.mark.slow
def test_who_leaves_a_team_reads_and_counts_nothing_of_it(teamed: Service) -> None:
    made = attempt(of(teamed, "ada"), RIGHT).json()
    join(teamed, "ada", "eve")
    ben, eve = of(teamed, "ben"), of(teamed, "eve")
    for place in ("/attempts/{}", "/attempts/{}/verdict", "/api/v1/attempts/{}"):
        assert ben.get(place.format(made["id"])).status_code == 404
        assert eve.get(place.format(made["id"])).status_code == 200
    assert ben.post(f"/attempts/{made['id']}/back").status_code in (403, 404)
    found = marks(teamed)
    assert found["ada"] == found["eve"] == "4.0" != found["ben"]


def answer(person: str, assignment: str, exercise: str = NAME, at: float = 0.0) -> StoredAttempt:
    place = secrets.token_hex(4), person, assignment, exercise, "a.py", at or time.time()
    return StoredAttempt(0, *place, WAITING)


def test_only_what_a_partner_does_for_the_team_is_limited_with_it(teamed: Service) -> None:
    database, now = teamed.database, time.time()
    database.accept(answer("ben", "hw2"), "text", None)
    ben, ada = ("ben", ["ada", "ben"], "hw1"), ("ada", ["ada", "ben"], "hw1")
    assert (database.open_count(*ben), database.open_count(*ada)) == (1, 0)
    database.accept(answer("ben", "hw1"), "text", None)
    assert (database.open_count(*ben), database.open_count(*ada)) == (2, 1)
    assert database.count(*ada, NAME, now - 60)[0] == 1


def test_a_submission_of_a_team_is_what_all_members_have_sent(teamed: Service) -> None:
    """The page and the marks join the same attempts."""
    rule = replace(TEAMED, by="submission")
    for person, exercise in (("ada", "one"), ("ben", "two")):
        teamed.database.accept(answer(person, "hw1", exercise), "text", None)
    made: list[Submission] = []
    teamed.marks._grader = types.SimpleNamespace(  # type: ignore[assignment]
        grade_class=lambda work, **about: made.extend(work)
    )
    teamed.marks.make(rule)
    found = {work.id: [source.exercise for source in work.sources] for work in made}
    assert found == {"ada": ["one"], "ben": ["one", "two"], "eve": []}


def test_what_was_sent_last_is_the_last_whatever_was_read_first(teamed: Service) -> None:
    """An upload has the time at which it came, and takes a while to read."""
    typed = teamed.database.accept(answer("eve", "hw1", at=20.0), "text", None)
    file = teamed.database.accept(answer("eve", "hw1", at=10.0), "text", None)
    assert [one.id for one in teamed.database.of_assignment("hw1")] == [file.id, typed.id]
    rows = teamed.database.tally("hw1", "eve", each=True)
    assert [row.number for row in rows] == [file.number, typed.number]


def test_a_team_has_the_limits_and_the_place_of_one(teamed: Service) -> None:
    database = teamed.database
    assert database.mates("ben", "hw1") == ["ada", "ben"]
    assert database.mates("eve", "hw1") == ["eve"]
    assert database.mates("ben", "hw2") == ["ben"]
    database.forget("ada")
    assert database.mates("ben", "hw1") == ["ben"]


def test_a_team_of_one_person_is_one_person(teamed: Service) -> None:
    teamed.database.add_people([Person("zoe", "Zoe", team="blue")])
    teamed.marks.team_up(TEAMED)
    assert teamed.database.mates("zoe", "hw1") == ["zoe"]
