"""A mark leaves when the documents say: what waits for **Send** waits, whatever else happens."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest

from grader.records import scoring
from grader.records.model import Environment, ExerciseResult, Outcome, Run, Submission
from grader.serve.database import WAITING, StoredAttempt
from grader.serve.lti.records import EMPTY, SENT, Link, Member
from grader.teacher import decisions
from grader.teacher.settle import moment
from grader.teacher.store import StoredRun
from tests.serve.conftest import NAME
from tests.serve.lti.conftest import HOMEWORK, Classroom
from tests.serve.lti.platform import LEARNER

IN_TIME = moment("2019-12-30T12:00:00").timestamp()


@pytest.fixture
def late(room: Classroom) -> Classroom:
    """With a link to `hw2`, which is over."""
    room.link = room.platform.add_link("c1", "Late", maximum=10, custom={"assignment": "hw2"})
    room.comes("noether")
    return room


def regraded(room: Classroom, person: str, points: float, assignment: str = "hw2") -> None:
    """The newest attempt is judged again, by a suite that was corrected."""
    newest = room.service.database.history(person, assignment)[-1]
    room.service.database.finish(newest.id, ExerciseResult(NAME, Outcome.FAILED, points, 10.0))
    room.service._judged(newest)


def publish(room: Classroom, assignment: str = "hw2") -> None:
    """Makes marks of what counts now, for everybody of the class, and publishes them."""
    service = room.service
    rule = service.course.assignment(assignment)
    grades = []
    for person in service.database.people():
        found = service.marks.counting(person.id, rule)
        missing = [ExerciseResult(NAME, Outcome.MISSING, 0.0, 10.0)]
        own = found[0].grade if found else scoring.grade(Submission(person.id, ""), missing)
        grades.append(replace(own, adjustments=(), score=scoring.total(own.exercises)))
    run = Run("course", "1", Environment("", "", "", (), ""), tuple(grades))
    keys = ({NAME: "k"},) * len(grades)
    made_by = replace(rule, team_of=service.database.teams(rule.name))
    stored = StoredRun(1, "", run, keys, {}, {}, made_by, service.folder)
    service.marks._kept.clear()
    service.marks._stored = lambda which: stored  # type: ignore[method-assign]
    service.marks.publish(rule, 1)


def decide(
    room: Classroom, person: str, kind: str, value: str = "", on: str = "hw2", **more: str
) -> None:
    said = {"person": person, "kind": kind, kind: value, "why": "x", **more}
    assert room.named("boss").post(f"/t/{on}/decide", data=said).status_code == 303


def given(room: Classroom, sub: str = "") -> list[float | None]:
    room.send()
    return [body.get("scoreGiven") for body in room.received(sub)]


def changes(room: Classroom, assignment: str = "hw2") -> int:
    return room.room.queue.unsent(room.service.course.assignment(assignment))


EVENTS: dict[str, Callable[[Classroom], object]] = {
    "a launch": lambda room: room.comes("ada"),
    "another's launch": lambda room: room.comes("ben"),
    "a teacher's launch": lambda room: room.comes("noether"),
    "a start": lambda room: room.room.queue.begin(),
    "another link of the assignment": lambda room: room.comes(
        "ben", room.platform.add_link("c1", "L", maximum=10, custom={"assignment": "hw2"}).id
    ),
}


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("waits", ["a regrade", "late work", "published marks", "a decision"])
def test_nothing_that_waits_for_the_button_goes_by_itself(
    late: Classroom, event: str, waits: str
) -> None:
    ada = late.person(late.comes("ada"))
    late.earns(ada, 6.0, "hw2", IN_TIME)
    assert given(late, "ada") == [6.0]
    if waits == "late work":
        late.earns(ada, 10.0, "hw2")
    elif waits == "a decision":
        publish(late)
        decide(late, ada, "bonus", "2")
    else:
        regraded(late, ada, 2.0)
    if waits == "published marks":
        publish(late)
    EVENTS[event](late)
    assert given(late, "ada") == [6.0]
    late.named("boss").post("/lti/scores/hw2/send")
    assert len(given(late, "ada")) == (1 if waits == "a decision" else 2)


def test_a_regrade_before_the_due_date_waits_too(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    room.earns(ada, 6.0)
    assert given(room, "ada") == [6.0]
    regraded(room, ada, 2.0, "hw1")
    room.comes("ada")
    room.room.queue.begin()
    assert (given(room, "ada"), changes(room, "hw1")) == ([6.0], 1)
    room.earns(ada, 3.0)
    assert given(room, "ada") == [6.0, 3.0]


@pytest.mark.parametrize("by", ["link", "join"])
def test_a_teachers_form_about_one_sends_nothing_of_others(late: Classroom, by: str) -> None:
    ada, ben = late.person(late.comes("ada")), late.person(late.comes("ben"))
    late.earns(ada, 6.0, "hw2", IN_TIME)
    assert given(late) == [6.0]
    regraded(late, ada, 2.0)
    boss = late.named("boss")
    if by == "link":
        other = late.platform.add_link("c1", "By hand")
        late.platform.launch(late.browser(), "noether", other.id)
        link = late.room.queue.scores("hw2", ada)[0][0]
        key = json.dumps([*link.key[:2], other.id])
        assert boss.post("/lti/link", data={"key": key, "assignment": "hw2"}).status_code == 303
    else:
        member = next(m for m in late.room.queue.records.all(Member) if m.person == ben)
        form = {"key": member.as_text, "to": "s-ben", "sure": "yes"}
        assert boss.post("/lti/join", data=form).status_code == 303
    assert (given(late), changes(late)) == ([6.0], 1)


def test_a_start_sends_what_was_judged_before_it_and_in_time(late: Classroom) -> None:
    ada, ben = late.person(late.comes("ada")), late.person(late.comes("ben"))
    late.service.changed = lambda *about: None  # the server ended between the two
    late.earns(ada, 6.0, "hw2", IN_TIME)
    late.earns(ben, 6.0, "hw2")
    late.room.queue.begin()
    assert (given(late, "ada"), given(late, "ben"), changes(late)) == ([6.0], [], 1)


def test_an_older_attempt_that_is_judged_last_counts(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    room.earns(ada, 3.0)
    room.earns(ada, 8.0, at=IN_TIME)
    assert given(room) == [8.0] or given(room) == [3.0, 8.0]


def test_a_late_attempt_that_waits_for_a_judge_delays_no_mark(late: Classroom) -> None:
    ada = late.person(late.comes("ada"))
    waits = StoredAttempt(0, "late", ada, "hw2", NAME, "double.py", time.time(), WAITING)
    late.service.database.accept(waits, "text", None)
    late.earns(ada, 6.0, "hw2", IN_TIME)
    assert given(late) == [6.0]


@pytest.mark.parametrize("event", ["a launch", "a start"])
@pytest.mark.parametrize("change", ["an extension", "a team"])
def test_what_a_teacher_changes_after_publishing_waits(
    late: Classroom, event: str, change: str
) -> None:
    ada, ben = late.person(late.comes("ada")), late.person(late.comes("ben"))
    late.earns(ada, 6.0, "hw2", IN_TIME)
    late.earns(ben, 3.0, "hw2", IN_TIME)
    if change == "an extension":
        late.earns(ada, 10.0, "hw2", moment("2020-01-02T12:00:00").timestamp())
    publish(late)
    assert given(late, "ada") == [6.0]
    if change == "an extension":
        decide(late, ada, "extension", "2020-01-05")
    else:
        late.service.database.set_teams("hw2", {ada: "t", ben: "t"})
    publish(late)
    EVENTS[event](late)
    assert (given(late, "ada"), given(late, "ben")) == ([6.0], [3.0])


def test_what_comes_while_suites_are_proved_is_sent_after(room: Classroom) -> None:
    ada, ben = room.person(room.comes("ada")), room.person(room.comes("ben"))
    room.earns(ada, 6.0)
    assert given(room) == [6.0]
    points, room.service.marks.points = room.service.marks.points, {}
    decide(room, ada, "bonus", "2", "hw1")
    room.earns(ben, 5.0)
    assert given(room) == [6.0]
    room.service.marks.points = points
    room.room.queue.begin()
    assert (given(room, "ada"), given(room, "ben")) == ([6.0, 8.0], [5.0])


# A mark that is gone


def test_a_decision_that_is_undone_takes_its_mark_back(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    decide(room, ada, "override", "8", "hw1")
    assert given(room) == [8.0]
    (made,) = decisions.read(room.service.folder, "hw1")
    form = {"person": ada, "decision": made.key}
    assert room.named("boss").post("/t/hw1/undo", data=form).status_code == 303
    assert given(room) == [8.0, None]
    assert room.score(ada).state == EMPTY


def test_who_leaves_a_team_loses_its_mark_by_the_button(room: Classroom) -> None:
    ada, ben = room.person(room.comes("ada")), room.person(room.comes("ben"))
    room.service.database.set_teams("hw1", {ada: "t", ben: "t"})
    room.earns(ada, 7.0)
    room.service.changed(ben, "hw1", False)
    assert given(room, "ben") == [7.0]
    room.service.database.set_teams("hw1", {ada: "t"})
    assert (given(room, "ben"), changes(room, "hw1")) == ([7.0], 1)
    room.named("boss").post("/lti/scores/hw1/send")
    assert given(room, "ben") == [7.0, None]


def test_what_could_not_be_taken_back_is_by_trying_again(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    room.earns(ada, 6.0)
    assert given(room) == [6.0]
    room.platform.refuses["ada"] = (404, "Down for maintenance.")
    decide(room, ada, "excuse", "", "hw1")
    room.send()
    room.platform.refuses.clear()
    room.named("boss").post("/lti/scores/hw1/again")
    assert given(room) == [6.0, None]


# A link that is bound again


def bind(room: Classroom, assignment: str, link: str = "") -> None:
    one = next(k for k in room.room.queue.records.all(Link) if k.link == (link or room.link.id))
    form = {"key": one.as_text, "assignment": assignment}
    assert room.named("boss").post("/lti/link", data=form).status_code == 303


@pytest.mark.parametrize("by", ["hand", "the platform"])
def test_the_mark_of_the_other_assignment_is_taken_back(room: Classroom, by: str) -> None:
    ada, ben, eve = (room.person(room.comes(sub)) for sub in ("ada", "ben", "eve"))
    room.earns(ada, 7.0)
    room.earns(ben, 8.0)
    room.earns(ben, 4.0, "hw3")
    given(room)
    if by == "hand":
        bind(room, "hw3")
    else:
        room.link.custom["assignment"] = "hw3"
        room.comes("eve")
    assert "7 of 10" in room.named("boss").get("/lti/scores/hw3").text
    room.send()
    cleared = room.received("ada")[-1]
    assert "scoreGiven" not in cleared
    assert cleared["gradingProgress"] != "Pending"
    assert [body.get("scoreGiven") for body in room.received("ben")] == [8.0, 4.0]
    assert room.received("eve") == []  # nothing was there
    assert (room.score(ada, "hw3").state, room.score(ada, "hw3").sent) == (EMPTY, None)
    assert "7 of 10" not in room.named("boss").get("/lti/scores/hw3").text
    room.earns(ada, 5.0, "hw3")
    assert given(room, "ada")[-1] == 5.0
    assert room.score(eve, "hw3").state == EMPTY
    assert room.platform.refused == []


def test_a_link_that_goes_back_before_anything_was_sent_sends_nothing(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    room.earns(ada, 7.0)
    assert given(room) == [7.0]
    bind(room, "hw3")
    bind(room, "hw1")
    assert given(room) == [7.0]
    assert room.score(ada).state == SENT


def test_an_answer_that_was_lost_is_taken_back_too(room: Classroom) -> None:
    """The platform may have what it didn't confirm."""
    ada = room.person(room.comes("ada"))
    room.earns(ada, 7.0)
    room.platform.refuses["ada"] = (503, "The answer is lost.")
    room.send()
    room.platform.refuses.clear()
    bind(room, "hw3")
    later = max(one.not_before for _, one in room.room.queue.scores("hw3"))
    room.room.sender.now = lambda: later + 1e6
    assert given(room) == [None]


def test_without_a_column_nothing_is_taken_back(room: Classroom) -> None:
    link = room.platform.add_link("c1", "No column", custom={"assignment": "hw1"})
    ada = room.person(room.comes("ada", link.id))
    records = room.room.queue.records
    known = next(k for k, one in room.room.queue.scores("hw1", ada))
    records.put(msgspec.structs.replace(known, items=""))
    room.earns(ada, 7.0)
    room.send()
    bind(room, "hw3", link.id)
    room.send()
    assert (room.received(), room.score(ada, "hw3").state) == ([], EMPTY)


# Nothing submitted, and excused


def test_who_submits_nothing_has_a_zero_once_marks_are_published(late: Classroom) -> None:
    ada = late.person(late.comes("ada"))
    boss = late.named("boss")
    boss.post("/lti/scores/hw2/send")
    assert given(late) == []
    publish(late)
    late.comes("ada")
    late.room.queue.begin()
    assert (given(late), changes(late)) == ([], 1)
    boss.post("/lti/scores/hw2/send")
    assert given(late) == [0.0]
    (body,) = late.received()
    assert (body["gradingProgress"], body["scoreMaximum"]) == ("FullyGraded", 10.0)
    # Canvas doesn't take it for work.
    assert body["https://canvas.instructure.com/lti/submission"] == {"new_submission": False}
    assert "submission" not in body
    assert late.score(ada, "hw2").state == SENT


def test_who_has_an_extension_and_what_has_no_due_date_gets_no_zero(late: Classroom) -> None:
    ada = late.person(late.comes("ada"))
    decide(late, ada, "extension", "2999-01-01")
    publish(late)
    late.named("boss").post("/lti/scores/hw2/send")
    other = late.platform.add_link("c1", "Open", maximum=10, custom={"assignment": "hw1"})
    late.comes("ada", other.id)
    publish(late, "hw1")
    late.named("boss").post("/lti/scores/hw1/send")
    assert given(late) == []


def test_who_comes_after_publishing_waits_with_a_zero_and_gets_a_mark(late: Classroom) -> None:
    late.joins_by("sourcedid")
    late.earns("s-eve", 6.0, "hw2", IN_TIME)
    publish(late)
    late.platform.enrol("c1", "ben", LEARNER, sourcedid="s-ben")
    assert late.person(late.comes("ben")) == "s-ben"
    assert given(late) == []
    assert changes(late) == 1


@pytest.mark.parametrize(("kind", "value"), [("extension", "2999-01-01"), ("comment", "Hello")])
def test_a_decision_that_gives_no_points_gives_no_zero(
    room: Classroom, kind: str, value: str
) -> None:
    decide(room, room.person(room.comes("ada")), kind, value, on="hw1")
    assert given(room) == []


@pytest.mark.parametrize("has_work", [True, False])
def test_an_excused_student_has_no_mark_and_is_not_pending(room: Classroom, has_work: bool) -> None:
    ada = room.person(room.comes("ada"))
    if has_work:
        room.earns(ada, 7.0)
        assert given(room) == [7.0]
    decide(room, ada, "excuse", on="hw1")
    assert given(room) == ([7.0, None] if has_work else [])
    assert all(body["gradingProgress"] != "Pending" for body in room.received())
    assert room.score(ada).state == EMPTY
    assert "pending" not in room.named("boss").get("/lti/scores/hw1").text
    assert changes(room, "hw1") == 0


def test_what_cannot_be_scored_stays_pending(room: Classroom) -> None:
    room.earns(room.person(room.comes("ada")), None)
    room.send()
    assert [body["gradingProgress"] for body in room.received()] == ["Pending"]


# Decisions


def test_a_decision_after_publishing_waits_for_both_buttons(late: Classroom) -> None:
    ada, ben = late.person(late.comes("ada")), late.person(late.comes("ben"))
    for person in (ada, ben):
        late.earns(person, 6.0, "hw2", IN_TIME)
    assert given(late, "ben") == [6.0]
    decide(late, ben, "bonus", "1")
    assert given(late, "ben") == [6.0, 7.0]  # before, it goes at once
    publish(late)
    decide(late, ada, "bonus", "2")
    assert (given(late, "ada"), changes(late)) == ([6.0], 0)
    mark = late.service.marks.mark(HOMEWORK[1], ada)
    assert mark is not None
    assert mark.score == 6.0
    assert "1 mark would change for the students" in late.named("boss").get("/t/hw2").text
    late.named("boss").post("/t/hw2/publish", data={"run": "1"})
    assert (given(late, "ada"), changes(late)) == ([6.0], 1)
    late.named("boss").post("/lti/scores/hw2/send")
    assert given(late, "ada") == [6.0, 8.0]
    assert given(late, "ben") == [6.0, 7.0]


def test_published_decisions_go_with_their_person(late: Classroom) -> None:
    ada, ben = late.person(late.comes("ada")), late.person(late.comes("ben"))
    for person in (ada, ben):
        late.earns(person, 6.0, "hw2", IN_TIME)
        decide(late, person, "bonus", "2")
    publish(late)
    late.service.database.forget(ben)
    late.service.database.move(ada, "s-ada")
    kept = late.service.marks.published_decisions(HOMEWORK[1])
    assert [one.student for one in kept] == ["s-ada"]
