"""A class of twelve with four pairs: page, file and platform have one mark for each person."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import lxml.html
import pytest

from grader.course.course import Course
from grader.teacher.settle import moment
from tests.serve.lti.conftest import HOMEWORK, Classroom, classroom
from tests.serve.lti.platform import LEARNER
from tests.serve.lti.test_settling import IN_TIME, decide, publish, regraded

LATE = moment("2020-01-02T12:00:00").timestamp()
SUBS = [f"s{n:02}" for n in range(12)]
FIRST = {"s00": "a", "s01": "a", "s02": "b", "s03": "b", "s04": "c", "s05": "c", "s06": "d"}
FIRST["s07"] = "d"
SECOND = {"s00": "a", "s02": "a", "s01": "b", "s03": "b", "s04": "c", "s06": "c", "s05": "d"}
SECOND["s07"] = "d"


@dataclass
class Twelve:
    """The class, and the ids that the server gave them."""

    room: Classroom
    ids: dict[str, str]

    def earns(self, sub: str, points: float, on: str, at: float) -> None:
        """One answer is judged. The server tells everybody of the team."""
        service, person = self.room.service, self.ids[sub]
        self.room.earns(person, points, on, at)
        newest = service.database.history(person, on)[-1]
        service._judged(replace(newest, outcome=""))

    def page(self, sub: str, on: str) -> str:
        page = lxml.html.fromstring(self.room.comes(sub).get(f"/a/{on}").text)
        return " ".join(page.text_content().split())

    def check(self, expected: dict[str, float], on: str) -> None:
        """The same mark on the page, in the gradebook file and on the platform."""
        service, rule = self.room.service, self.room.service.course.assignment(on)
        publish(self.room, on)
        self.room.named("boss").post(f"/lti/scores/{on}/send")
        self.room.send()
        found = {sub: service.marks.mark(rule, name) for sub, name in self.ids.items()}
        marks = {sub: 0.0 if mark is None else mark.score for sub, mark in found.items()}
        assert marks == {sub: expected.get(sub, 0.0) for sub in SUBS}
        text = self.room.named("boss").get(f"/t/{on}/files/csv").text
        rows = {row["student"]: float(row["mark"]) for row in csv.DictReader(io.StringIO(text))}
        assert {sub: rows[name] for sub, name in self.ids.items()} == marks
        sent = {one.user_id: one.body.get("scoreGiven") for one in self.room.platform.scores}
        assert {sub: sent.get(sub, 0.0) for sub in SUBS} == marks
        for sub in SUBS:
            assert f"Your mark: {marks[sub]:g} of 10." in self.page(sub, on)


def class_of_twelve(folder: Path, course: Course, name: str, teams: str) -> Iterator[Twelve]:
    homework = tuple(replace(one, teams=teams if one.name == name else "") for one in HOMEWORK)
    with classroom(folder / "class", course, homework=homework) as room:
        room.link = room.platform.add_link("c1", "L", maximum=10, custom={"assignment": name})
        for sub in SUBS:
            room.platform.enrol("c1", sub, LEARNER)
        room.comes("noether")
        yield Twelve(room, {sub: room.person(room.comes(sub)) for sub in SUBS})


@pytest.fixture
def roster(foreign: Course, tmp_path: Path) -> Iterator[Twelve]:
    """Homework 2, which is over, with the teams of the roster."""
    for made in class_of_twelve(tmp_path, foreign, "hw2", "roster"):
        people = {person.id: person for person in made.room.service.database.people()}
        teamed = [replace(people[made.ids[sub]], team=team) for sub, team in FIRST.items()]
        made.room.service.database.add_people(teamed)
        made.room.service.marks.team_up(made.room.service.course.assignment("hw2"))
        yield made


def test_late_work_extension_decision_and_regrade_reach_each_member(roster: Twelve) -> None:
    ids = roster.ids
    roster.earns("s00", 8.0, "hw2", IN_TIME)
    roster.earns("s02", 10.0, "hw2", LATE)
    decide(roster.room, ids["s03"], "extension", "2020-01-05")
    roster.earns("s04", 6.0, "hw2", IN_TIME)
    decide(roster.room, ids["s05"], "bonus", "1", for_team="on")
    for sub, points in (("s08", 5.0), ("s10", 3.0), ("s11", 4.0)):
        roster.earns(sub, points, "hw2", IN_TIME)
    expected = {"s00": 8.0, "s01": 8.0, "s02": 9.0, "s03": 10.0, "s04": 7.0, "s05": 7.0}
    expected |= {"s08": 5.0, "s10": 3.0, "s11": 4.0}
    roster.check(expected, "hw2")
    regraded(roster.room, ids["s00"], 6.0)
    roster.check(expected | {"s00": 6.0, "s01": 6.0}, "hw2")
    board = roster.room.named("boss").get("/t/hw2").text
    assert "Not in a team" in board


def test_a_csv_makes_other_teams_for_the_next_assignment(foreign: Course, tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("id,team\n", encoding="utf-8")
    for made in class_of_twelve(tmp_path, foreign, "hw3", str(path)):
        service = made.room.service
        rows = "".join(f"{made.ids[sub]},{team}\n" for sub, team in SECOND.items())
        path.write_text(f"id,team\n{rows}", encoding="utf-8")
        service.marks.team_up(service.course.assignment("hw3"))
        for sub, points in (("s02", 9.0), ("s03", 4.0), ("s07", 2.0), ("s09", 1.0)):
            made.earns(sub, points, "hw3", IN_TIME)
        expected = {"s00": 9.0, "s02": 9.0, "s01": 4.0, "s03": 4.0, "s05": 2.0, "s07": 2.0}
        made.check(expected | {"s09": 1.0}, "hw3")
        (own,) = service.database.history(made.ids["s02"], "hw3")
        assert made.room.comes("s00").get(f"/attempts/{own.id}").status_code == 200
        assert made.room.comes("s01").get(f"/attempts/{own.id}").status_code == 404
