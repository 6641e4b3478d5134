"""A teacher's way: the board, an attempt, decisions, marks; and what an operator does."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from click.testing import CliRunner

from grader.api import Grader
from grader.cli import main
from grader.course.course import Course, find
from grader.records.model import (
    Assignment,
    ExerciseResult,
    Outcome,
    Person,
    Source,
    Submission,
)
from grader.serve import board as boards
from grader.serve import pages
from grader.serve.board import board
from grader.serve.database import Database
from grader.serve.marks import iso
from grader.serve.people import SESSION, People, Who
from grader.serve.service import Service
from grader.teacher import decisions
from grader.teacher.roster import Roster
from tests.serve.conftest import (
    HOMEWORK,
    NAME,
    PEOPLE,
    RIGHT,
    WRONG,
    attempt,
    class_of,
    client,
    serving,
)


def named(service: Service, name: str) -> Who:
    who = service.people.named(name)
    assert who is not None
    return who


@pytest.fixture
def alone(homework: Course, tmp_path: Path) -> Iterator[Service]:
    """A server of its own, for what a whole class sees."""
    with serving(tmp_path / "class", homework, jobs=1, isolation="available") as made:
        yield made


@pytest.mark.slow
def test_a_class_from_its_answers_to_published_marks(alone: Service) -> None:
    ada, ben, noether = (
        client(alone, alone.people.issue(SESSION, name)) for name in ("ada", "ben", "noether")
    )
    wrong = attempt(ada, WRONG).json()
    attempt(ben, RIGHT)
    page = noether.get("/t/hw1").text
    assert page.count('<td><a href="/attempts/') == 2
    assert "Ben &lt;b&gt;" in page
    seen = noether.get(f"/attempts/{wrong['id']}").text
    assert "what only you see" in seen

    assert noether.get("/t/hw1/files/canvas").status_code == 404
    assert noether.post("/t/hw1/marks").status_code == 303
    rows = list(csv.DictReader(io.StringIO(noether.get("/t/hw1/files/csv").text)))
    assert {row["student"]: row["score"] for row in rows} == {
        "ada": "0.0",
        "ben": "4.0",
        "eve": "0.0",
    }
    assert "Your mark" not in ada.get("/a/hw1").text
    noether.post("/t/hw1/publish", data={"run": "1"})
    assert "Your mark: <b>0</b> of 4" in ada.get("/a/hw1").text

    said = {"person": "ada", "kind": "bonus", "bonus": "1.5", "why": "Found a mistake"}
    noether.post("/t/hw1/decide", data=said)
    # It waits for the button, as any change does.
    assert "Your mark: <b>0</b> of 4" in ada.get("/a/hw1").text
    page = noether.get("/t/hw1").text
    assert "1 mark would change for the students" in page
    assert "<td>0</td><td>1.5</td><td>a decision" in page
    assert "Publish run 1" in page
    noether.post("/t/hw1/publish", data={"run": "1"})
    page = " ".join(lxml.html.fromstring(ada.get("/a/hw1").text).text_content().split())
    assert "Your mark: 1.5 of 4." in page
    assert "Bonus+1.5Found a mistake Dr. Noether on" in page.replace("\n", "")
    assert "Students can see these marks" in noether.get("/t/hw1").text
    attempt(ada, RIGHT)
    noether.post("/t/hw1/marks")
    page = noether.get("/t/hw1").text
    assert "1 mark would change for the students" in page
    assert "<td>1.5</td><td>5.5</td>" in page
    assert "<b>1.5</b>" in ada.get("/a/hw1").text
    noether.post("/t/hw1/publish", data={"run": "2"})
    assert "<b>5.5</b>" in ada.get("/a/hw1").text
    html = noether.get("/t/hw1/files/html")
    assert "default-src 'none'" in html.text
    assert "default-src" not in html.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("given", "field", "said"),
    [
        ({"kind": "bonus", "bonus": "many", "why": "x"}, "bonus", "Give a number of points"),
        ({"kind": "override", "override": "nan", "why": "x"}, "override", "a number of points"),
        ({"kind": "bonus", "bonus": "1"}, "why", "Give a reason"),
        ({"kind": "love", "why": "x"}, "kind", "Choose a decision"),
        ({"kind": "comment"}, "comment", "Write the comment"),
        ({"kind": "extension", "extension": "soon", "why": "x"}, "extension", "is not a time"),
        (
            {"kind": "extension", "extension": "2026-12-01T18:00:00+01:00:30", "why": "x"},
            "extension",
            "can't be written down",
        ),
    ],
)
def test_a_decision_that_can_not_be_says_why_beside_its_field(
    service: Service, given: dict[str, str], field: str, said: str
) -> None:
    """And nothing that was typed is lost."""
    teacher = client(service, service.people.issue(SESSION, "noether"))
    answer = teacher.post("/t/hw1/decide", data={"person": "ada", **given})
    assert answer.status_code == 422
    page = lxml.html.fromstring(answer.text)
    (wrong,) = page.xpath("//*[@class='wrong']")
    assert (wrong.get("id"), said in wrong.text_content()) == (f"wrong-{field}", True)
    typed = {one.name: one.value for one in page.xpath("//form[@class='decide']//input[@id]")}
    assert {name: typed[name] for name in given if name != "kind"}.items() <= given.items()
    assert page.xpath("//input[@checked]/@value") == [given["kind"]] * (given["kind"] != "love")


def test_a_decision_is_listed_and_taken_back(service: Service, newcomer: str) -> None:
    teacher = client(service, service.people.issue(SESSION, "noether"))
    place = f"/t/hw1/student?id={newcomer}"
    for kind, value in (
        ("bonus", "1"),
        ("bonus", "1"),
        ("override", "3"),
        ("extension", "2026-12-01T18:00"),
        ("excuse", ""),
        ("comment", "Well done."),
    ):
        said = {"person": newcomer, "kind": kind, kind: value, "why": "So.", "zone": "+01:00"}
        assert teacher.post("/t/hw1/decide", data=said).status_code == 303
    made = {d.kind: d for d in decisions.read(service.folder) if d.student == newcomer}
    due = made["extension"]
    assert due.value == "2026-12-01T18:00:00+01:00"
    for left in range(6, 0, -1):
        page = lxml.html.fromstring(teacher.get(place).text)
        undo = page.xpath("//form[@action='/t/hw1/undo']")
        assert len(undo) == left
        assert teacher.post("/t/hw1/undo", data=dict(undo[0].form_values())).status_code == 303
    # One that is gone is no error: another teacher was faster.
    assert teacher.post("/t/hw1/undo", data=dict(undo[0].form_values())).status_code == 303
    assert "/t/hw1/undo" not in teacher.get(place).text
    assert teacher.post("/t/hw1/decide", data=said).status_code == 303


def test_an_excuse_can_be_published(alone: Service) -> None:
    ada, noether = (client(alone, alone.people.issue(SESSION, n)) for n in ("ada", "noether"))
    said = {"person": "ada", "kind": "excuse", "why": "Ill."}
    assert noether.post("/t/hw1/decide", data=said).status_code == 303
    assert noether.post("/t/hw1/marks").status_code == 303
    assert noether.post("/t/hw1/publish", data={"run": "1"}).status_code == 303
    for one, place in ((ada, "/a/hw1"), (noether, "/t/hw1"), (noether, "/t/hw1/student?id=ada")):
        assert one.get(place).status_code == 200
    assert "excused" in ada.get("/a/hw1").text


def test_every_form_says_who_fills_it_in() -> None:
    """Another may sign in before it is sent. Only what goes to a platform doesn't."""
    folder = Path(str(pages.PACKAGE))
    for path in (*folder.glob("templates/*"), *folder.glob("lti/templates/*.html")):
        for form in path.read_text(encoding="utf-8").split("<form ")[1:]:
            assert ("{{ signed }}" in form) != ('action="{{ back }}"' in form), form[:90]


@pytest.mark.slow
def test_every_mark_is_the_command_lines(
    homework: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same texts, times and rules: late work, by exercise or whole, best or last."""
    now = 1_790_000_000.0
    rules = [
        Assignment("best", "Best", (NAME,), due=iso(now + 50), late=50, attempts="best"),
        Assignment("last", "Last", (NAME,), due=iso(now + 50), late=50, attempts="last"),
        Assignment("whole", "Whole", (NAME,), attempts="last", by="submission"),
    ]
    course = replace(homework, assignments=tuple(rules))
    story = [("ada", RIGHT, 10), ("ada", WRONG, 60), ("ben", WRONG, 10), ("ben", RIGHT, 60)]
    folder = tmp_path / "class"
    with serving(folder, course, jobs=1, isolation="available") as service:
        seed = service.grader.seed
        for rule in rules:
            for name, text, at in story:
                with monkeypatch.context() as patched:
                    patched.setattr(time, "time", lambda at=at: now + at)
                    answer = service.course[NAME], "", text
                    (one,) = service.submit(named(service, name), rule.name, [answer])
                assert one.at == now + at
                # Judged, so that it has its number; the marks take nothing else from it.
                service.database.finish(one.id, ExerciseResult(NAME, Outcome.FAILED, 0.0, 4.0))
        served = {
            rule.name: {g.id: (g.score, g.attempt) for g in service.marks.make(rule).submissions}
            for rule in rules
        }
    work = [
        Submission(name, "", (Source(NAME, "double.py", text),), at=iso(now + at))
        for name, text, at in story
    ]
    class_ = Roster(PEOPLE).matched(work)
    with Grader(course, jobs=1, isolation="available", seed=seed) as grader:
        for rule in rules:
            run = grader.grade_class(class_, assignment=rule.name)
            there = {g.id: (g.score, g.attempt) for g in run.submissions}
            assert served[rule.name] == there
    assert served["best"]["ada"] == (4.0, 1)
    assert served["last"]["ada"] == (0.0, 2)
    assert served["best"]["ben"] == (2.0, 2)


@pytest.mark.slow
def test_an_attempt_counts_for_nobody_but_its_owner(homework: Course, tmp_path: Path) -> None:
    """Whatever others are called, and whatever a teacher tries."""
    people = [Person("ben", "Albert"), Person("x1", "Ben", login="ben"), Person("smith", "Zoe")]
    with serving(tmp_path / "class", homework, jobs=1, isolation="available") as service:
        service.database.add_people(people)
        service.database.add_people([Person("zoe", "Zoe")], teachers=True)
        for name in ("ben", "zoe"):
            attempt(client(service, service.people.issue(SESSION, name)), RIGHT)
        run = service.marks.make(HOMEWORK)
    scores = {grade.id: grade.score for grade in run.submissions}
    assert (scores["ben"], scores["x1"], scores["smith"]) == (4.0, 0.0, 0.0)
    assert "zoe" not in scores


@pytest.mark.slow
def test_results_of_an_earlier_course_are_judged_again_before_marks(
    homework: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "course"
    shutil.copytree(homework.root or "", root)
    course = class_of(find(root))
    folder = tmp_path / "class"
    with serving(folder, course, jobs=1, isolation="available") as service:
        ada = client(service, service.people.issue(SESSION, "ada"))
        noether = client(service, service.people.issue(SESSION, "noether"))
        attempt(ada, RIGHT)
        assert noether.post("/t/hw1/marks").status_code == 303
        suite = course.suite(course[NAME])
        suite.write_text(suite.read_text() + "\n# fixed\n")
        one = attempt(ada, WRONG, wait=0).json()["id"]
        while not service.queue.trouble:
            time.sleep(0.1)
        assert ada.get(f"/api/v1/attempts/{one}").json()["state"] == "waiting"
        assert "Nothing can be judged now" in noether.get("/t/hw1").text
    may_begin, submit = threading.Event(), Grader.submit

    def later(*given: Any, **more: Any) -> Any:
        assert may_begin.wait(120)
        return submit(*given, **more)

    monkeypatch.setattr(Grader, "submit", later)
    with serving(folder, course, jobs=1, isolation="available") as service:
        noether = client(service, service.people.issue(SESSION, "noether"))
        assert noether.post("/t/hw1/marks").status_code == 409
        may_begin.set()
        while (code := noether.post("/t/hw1/marks").status_code) == 409:
            time.sleep(0.1)
        assert code == 303
        assert [one.outcome for one in service.database.history("ada", "hw1")] == [
            "passed",
            "failed",
        ]


def test_a_refusal_leads_back_to_where_the_form_stands(service: Service) -> None:
    teacher = client(service, service.people.issue(SESSION, "noether"))
    for place, back in (
        ("/t/hw1/publish", "/t/hw1"),
        ("/a/hw1/upload", "/a/hw1"),
    ):
        answer = teacher.post(place, data={"kind": "?"})
        assert (answer.status_code, f'<a href="{back}">Back</a>' in answer.text) == (422, True)
    assert ">Back</a>" not in teacher.get("/t/none").text


def test_decisions_at_once_are_all_kept(service: Service) -> None:
    teacher = client(service, service.people.issue(SESSION, "noether"))
    said = {"person": "eve", "kind": "bonus", "bonus": "1", "why": "at once"}
    with ThreadPoolExecutor(8) as threads:
        codes = list(threads.map(lambda _: teacher.post("/t/hw1/decide", data=said), range(8)))
    assert {answer.status_code for answer in codes} == {303}
    kept = [one for one in decisions.read(service.folder) if one.why == "at once"]
    assert len(kept) == 8


def test_the_board_says_who_is_stuck_and_what_is_misunderstood(service: Service) -> None:
    service.database.add_people([Person("stuck", "Stuck")])
    stuck = client(service, service.people.issue(SESSION, "stuck"))
    one = attempt(stuck, "def double(x):\n    return 2 * missing\n").json()
    later = service.database.attempt(one["id"])
    assert later is not None
    found = board(service, HOMEWORK, later.at + 1)
    (row,) = (row for row in found.rows if row.person.id == "stuck")
    assert row.stuck == ""
    (cause,) = (one for one in found.causes if "missing" in one.sentence)
    assert (cause.exercises, [who.id for who in cause.people]) == ((NAME,), ["stuck"])
    page = client(service, service.people.issue(SESSION, "noether")).get("/t/hw1/live").text
    assert re.search(r"Double.*?: <a href=\"/t/hw1/student\?id=stuck\"", page, re.DOTALL)
    # The same again, a quarter of an hour later.
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(time, "time", lambda: later.at + 1.5 * boards.STUCK)
        answer = service.course[NAME], "", WRONG
        (again,) = service.submit(named(service, "stuck"), "hw1", [answer])
    assert later.result is not None
    service.database.finish(again.id, later.result)
    found = board(service, HOMEWORK, again.at + 1)
    (row,) = (row for row in found.rows if row.person.id == "stuck")
    assert row.stuck == NAME
    # Who has passed since has overcome it.
    (passed,) = service.submit(named(service, "stuck"), "hw1", [answer], at=again.at + 1)
    service.database.finish(passed.id, ExerciseResult(NAME, Outcome.PASSED, 4.0, 4.0))
    found = board(service, HOMEWORK, again.at + 2)
    assert not any("missing" in one.sentence for one in found.causes)


def command(*arguments: object) -> str:
    done = CliRunner().invoke(main, [str(a) for a in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_links_are_written_for_a_mail_merge_and_void_older_ones(tmp_path: Path) -> None:
    database = Database(tmp_path)
    database.add_people(PEOPLE)
    database.remember("address", "https://x.example")
    rows = list(csv.DictReader(io.StringIO(command("serve", "links", tmp_path))))
    assert [row["id"] for row in rows] == ["ada", "ben", "eve"]
    assert all(re.fullmatch(r"https://x\.example/enter/[\w-]{32}", row["link"]) for row in rows)
    again = command("serve", "links", tmp_path, "ada")
    assert again.count("https://") == 1
    ((_, key),) = database.keys("ada").items()
    assert key.kind == "link"
    teacher = command("serve", "links", tmp_path, "--teacher", "noether")
    assert "noether" in teacher
    assert database.person("noether") is not None


def test_the_keys_of_a_person_can_be_ended(tmp_path: Path) -> None:
    database = Database(tmp_path)
    database.add_people(PEOPLE)
    people = People(database)
    place = database.role("ada", "a course", is_teacher=True)
    own = [people.issue(SESSION, "ada"), people.issue(SESSION, "ada", role=place)]
    other = people.issue(SESSION, "ben")
    assert "ended 2 links" in command("serve", "end", tmp_path, "ada")
    assert [people.known(secret, SESSION) for secret in own] == [None, None]
    assert people.known(other, SESSION) is not None
    assert people.known(people.issue(SESSION, "ada"), SESSION) is not None
    assert CliRunner().invoke(main, ["serve", "end", str(tmp_path), "x"]).exit_code == 2


@pytest.mark.slow
def test_a_person_can_be_forgotten(homework: Course, tmp_path: Path) -> None:
    """Nothing of theirs is left in the folder, and everybody else's is."""
    secret = "a_word_that_only_ada_writes"
    folder = tmp_path / "class"
    with serving(folder, homework, jobs=1, isolation="available") as service:
        ada, ben = (client(service, service.people.issue(SESSION, n)) for n in ("ada", "ben"))
        attempt(ada, f"{secret} = 1\n{RIGHT}")
        attempt(ben, RIGHT)
        service.marks.make(HOMEWORK)
    command("serve", "forget", folder, "ada", "--yes")
    database = Database(folder)
    assert database.person("ada") is None
    assert len(database.history("ben", "hw1")) == 1
    database.close()
    listed = json.loads(command("report", f"{folder}@hw1", "json"))
    assert [one["id"] for one in listed["submissions"]] == ["ben", "eve"]
    assert not any(b"ada" in path.read_bytes() for path in folder.iterdir())


def test_a_course_without_an_assignment_has_nothing_to_hand_in(
    foreign: Course, tmp_path: Path
) -> None:
    done = CliRunner().invoke(
        main, ["serve", str(tmp_path / "x"), "--course", str(foreign.root), "--port", "0"]
    )
    assert done.exit_code == 2
    assert "has no assignment" in done.output
