"""Every mark arrives once and right, or its reason is on the page."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
import threading
import time
from datetime import datetime

import msgspec
import pytest

from grader.records import scoring
from grader.records.model import Exercise, ExerciseResult, Grade, Outcome, Submission
from grader.serve.lti.records import (
    EMPTY,
    REFUSED,
    SENT,
    WAITING,
    Link,
    Platform,
    PlatformCourse,
    Score,
)
from grader.serve.lti.scores import LONGEST, scores_of, wanted
from tests.serve.conftest import NAME
from tests.serve.lti.conftest import HOMEWORK, Classroom
from tests.serve.lti.platform import DEEP_LINKING, LEARNER, LINE_ITEM, SCORE, ReceivedScore


class Clock:
    """The sender's; a test moves it."""

    def __init__(self, room: Classroom) -> None:
        self.at = time.time()
        room.room.sender.now = lambda: self.at


@pytest.fixture
def clock(room: Classroom) -> Clock:
    return Clock(room)


def test_an_attempt_that_changes_what_counts_is_sent_once(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    assert room.score(ada).state == EMPTY
    room.earns(ada, 7.0)
    room.earns(ada, 3.0)  # the best one counts
    room.send()
    room.send()
    (body,) = room.received()
    assert (body["userId"], body["scoreGiven"], body["scoreMaximum"]) == ("ada", 7.0, 10.0)
    assert body["gradingProgress"] == "FullyGraded"
    assert room.score(ada).state == SENT
    room.earns(ada, 10.0)
    room.send()
    assert [one["scoreGiven"] for one in room.received()] == [7.0, 10.0]
    assert room.platform.refused == []


def test_several_marks_that_wait_are_sent_as_the_last(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    for points in (1.0, 2.0, 5.0):
        room.earns(ada, points)
    room.send()
    assert [one["scoreGiven"] for one in room.received()] == [5.0]


def test_what_cannot_be_scored_is_pending_and_no_zero(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    room.earns(ada, None)
    room.send()
    (body,) = room.received()
    assert body["gradingProgress"] == "Pending"
    assert "scoreGiven" not in body
    teacher = room.comes("noether")
    assert "pending" in teacher.get("/lti/scores/hw1").text


def test_a_teachers_own_attempts_and_those_of_others_are_not_sent(room: Classroom) -> None:
    room.earns(room.person(room.comes("noether")), 7.0)
    room.earns("s-ben", 7.0)  # signed in by a link of this server
    room.send()
    assert room.received() == []
    assert "Ben B." in room.named("boss").get("/lti/scores/hw1").text


def test_a_score_goes_only_to_the_columns_by_which_its_owner_came(room: Classroom) -> None:
    second = room.platform.add_link("c1", "Once more", maximum=10, custom={"assignment": "hw1"})
    third = room.platform.add_link("c1", "Another", maximum=10, custom={"assignment": "hw3"})
    ada, ben = room.person(room.comes("ada")), room.person(room.comes("ben"))
    room.comes("ada", second.id)
    room.comes("ada", third.id)
    for person, points in ((ada, 7.0), (ben, 3.0)):
        room.earns(person, points)
    room.send()
    found = {(one.line_item, one.user_id, one.body["scoreGiven"]) for one in room.platform.scores}
    assert found == {
        (room.link.lineitem, "ada", 7.0),
        (second.lineitem, "ada", 7.0),
        (room.link.lineitem, "ben", 3.0),
    }


def test_a_column_is_made_once_if_there_is_none(room: Classroom) -> None:
    link = room.platform.add_link("c1", "No column", custom={"assignment": "hw3"})
    people = [room.person(room.comes(sub, link.id)) for sub in ("ada", "ben", "eve")]
    for person in people:
        room.earns(person, 4.0, "hw3")
    together = [threading.Thread(target=room.send) for _ in range(3)]
    for thread in together:
        thread.start()
    for thread in together:
        thread.join()
    made = [i for i in room.platform.line_items["c1"] if i.get("resourceLinkId") == link.id]
    assert [one["label"] for one in made] == ["Homework 3"]
    assert {one.user_id for one in room.platform.scores} == {"ada", "ben", "eve"}


def test_a_column_that_is_there_is_found(room: Classroom) -> None:
    link = room.platform.add_link("c1", "L", custom={"assignment": "hw3"})
    ada = room.person(room.comes("ada", link.id))
    tool = next(iter(room.platform.clients.values()))
    item = {"label": "Made later", "scoreMaximum": 10, "resourceLinkId": link.id}
    made = room.platform.add_line_item(tool, "c1", item)
    room.earns(ada, 4.0, "hw3")
    room.send()
    assert [one.line_item for one in room.platform.scores] == [made["id"]]


def test_a_refusal_is_on_the_page_with_the_platforms_words(room: Classroom) -> None:
    ada, ben = room.person(room.comes("ada")), room.person(room.comes("ben"))
    room.platform.refuses["ada"] = (422, "This user isn't <b>gradable</b>.")
    room.earns(ada, 7.0)
    room.earns(ben, 7.0)
    room.send()
    assert [room.score(one).state for one in (ada, ben)] == [REFUSED, SENT]
    teacher = room.comes("noether")
    page = teacher.get("/lti/scores/hw1").text
    assert "gradable&lt;/b&gt;" in page
    assert "1 mark refused" in page
    # It isn't sent again by itself, but by the teacher's button.
    room.send()
    assert len(room.received("ada")) == 0
    room.platform.refuses.clear()
    teacher.post("/lti/scores/hw1/again")
    room.send()
    assert [one["scoreGiven"] for one in room.received("ada")] == [7.0]
    assert "refused" not in teacher.get("/lti/scores/hw1").text


def test_a_newer_mark_of_a_refused_one_is_tried(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    room.platform.refuses["ada"] = (400, "No.")
    room.earns(ada, 7.0)
    room.send()
    room.platform.refuses.clear()
    room.earns(ada, 9.0)
    room.send()
    assert [one["scoreGiven"] for one in room.received()] == [9.0]


def test_a_link_whose_columns_are_closed_delays_no_other(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    room.earns(ada, 5.0)
    room.send()
    other = room.platform.add_link("c1", "Closed", custom={"assignment": "hw3"})
    room.comes("ada", other.id)
    records = room.room.queue.records
    closed = next(link for link in records.all(Link) if link.link == other.id)
    records.put(msgspec.structs.replace(closed, item="", items=f"{room.platform.issuer}/closed"))
    room.earns(ada, 4.0, "hw3")
    room.earns(ada, 6.0)
    room.send()  # the closed one first, since nothing was ever sent there
    assert [body["scoreGiven"] for body in room.received()] == [5.0, 6.0]
    assert room.score(ada, "hw3").state == "refused"


def test_a_platform_that_is_down_gets_all_of_it_later(room: Classroom, clock: Clock) -> None:
    people = [room.person(room.comes(sub)) for sub in ("ada", "ben", "eve")]
    room.platform.is_down = True
    for n, person in enumerate(people):
        room.earns(person, float(n))
    began, asked = clock.at, len(room.platform.requests)
    while clock.at < began + 3600:
        room.send()
        clock.at += 5
    # With growing pauses, for all of them together.
    assert len(room.platform.requests) - asked < 30
    assert "503" in room.named("boss").get("/lti/scores/hw1").text
    room.platform.is_down = False
    clock.at += LONGEST
    room.send()
    found = {one.user_id: one.body["scoreGiven"] for one in room.platform.scores}
    assert found == {"ada": 0.0, "ben": 1.0, "eve": 2.0}
    assert len(room.platform.scores) == 3


def test_one_that_fails_keeps_no_other_from_its_turn(room: Classroom, clock: Clock) -> None:
    ada, ben = room.person(room.comes("ada")), room.person(room.comes("ben"))
    room.platform.refuses["ada"] = (500, "Oh.")
    room.earns(ada, 7.0)
    room.earns(ben, 7.0)
    room.send()
    assert room.score(ben).state == SENT
    assert room.score(ada).state == WAITING
    room.earns(ben, 8.0)
    room.send()
    assert [one["scoreGiven"] for one in room.received("ben")] == [7.0, 8.0]
    room.platform.refuses.clear()
    clock.at += 10
    room.send()
    assert room.score(ada).state == SENT


def test_times_only_grow_even_if_a_clock_goes_back(room: Classroom, clock: Clock) -> None:
    ada = room.person(room.comes("ada"))
    for points in (1.0, 2.0, 3.0):
        room.earns(ada, points)
        room.send()
        clock.at -= 100
    times = [datetime.fromisoformat(one["timestamp"]) for one in room.received()]
    assert len(times) == 3
    assert all(early < late for early, late in itertools.pairwise(times))


def test_a_token_is_used_again_and_replaced_when_it_ends(
    room: Classroom, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [room.person(room.comes(sub)) for sub in ("ada", "ben", "eve")]
    for person in people:
        room.earns(person, 5.0)
    room.send()
    tokens = [one for one in room.platform.requests if one.path == "/token"]
    assert len(tokens) == 1
    room.platform.tokens.clear()  # the platform has forgotten it
    room.earns(people[0], 6.0)
    room.send()
    clock.at += 10
    room.send()
    assert room.score(people[0]).state == SENT


def test_a_link_without_a_gradebook_says_so(room: Classroom) -> None:
    tool = next(iter(room.platform.clients.values()))
    tool.scopes = frozenset()
    ada = room.person(room.comes("ada"))
    room.earns(ada, 7.0)
    room.send()
    assert "let this link send marks" in room.score(ada).reason
    tool.scopes = frozenset((SCORE,))
    bare = room.platform.add_link("c1", "Bare", custom={"assignment": "hw3"})
    ben = room.person(room.comes("ben", bare.id))
    room.earns(ben, 7.0, "hw3")
    room.send()
    assert "no column" in room.score(ben, "hw3").reason
    # A launch after it was allowed brings the column.
    tool.scopes = frozenset((SCORE, LINE_ITEM))
    room.comes("ada")
    room.named("boss").post("/lti/scores/hw1/again")
    room.send()
    assert room.score(ada).state == SENT


def test_after_the_due_date_only_the_teacher_sends(room: Classroom) -> None:
    link = room.platform.add_link("c1", "Late", maximum=10, custom={"assignment": "hw2"})
    ada = room.person(room.comes("ada", link.id))
    in_time = datetime.fromisoformat("2019-12-30T12:00:00+00:00").timestamp()
    room.earns(ada, 6.0, "hw2", in_time)
    room.send()
    assert [one["scoreGiven"] for one in room.received()] == [6.0]
    room.earns(ada, 10.0, "hw2")
    room.send()
    assert len(room.received()) == 1

    boss = room.named("boss")
    # The page shows what would change, and asks.
    page = boss.get("/lti/scores/hw2").text
    assert "1 mark would change there" in page
    assert "6 of 10" in page
    room.send()
    assert len(room.received()) == 1
    boss.post("/lti/scores/hw2/send")
    room.send()
    assert len(room.received()) == 2
    # A decision is sent at once.
    said = {"person": ada, "kind": "bonus", "bonus": "1.5", "why": "Found a mistake"}
    boss.post("/t/hw2/decide", data=said)
    room.send()
    given = [one["scoreGiven"] for one in room.received()]
    assert given[2] == given[1] + 1.5


def test_an_extension_moves_the_due_date_of_one(room: Classroom) -> None:
    link = room.platform.add_link("c1", "Late", maximum=10, custom={"assignment": "hw2"})
    ada = room.person(room.comes("ada", link.id))
    said = {"person": ada, "kind": "extension", "extension": "2999-01-01", "why": "Ill"}
    room.named("boss").post("/t/hw2/decide", data=said)
    room.earns(ada, 8.0, "hw2")
    room.send()
    assert [one["scoreGiven"] for one in room.received()] == [8.0]


def test_what_was_judged_before_a_crash_is_sent_after_it(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    room.service.changed = lambda *about: None  # the server ended between the two
    room.earns(ada, 7.0)
    assert room.score(ada).state == EMPTY
    room.room.queue.begin()
    room.send()
    assert [one["scoreGiven"] for one in room.received()] == [7.0]


def test_a_mark_that_comes_while_another_is_sent_still_waits(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    room.earns(ada, 7.0)
    sending = room.score(ada)
    room.earns(ada, 9.0)
    room.room.sender._change(sending, sent=sending.wanted, state=SENT)
    assert (room.score(ada).state, room.score(ada).wanted) == (WAITING, (9.0, 10.0))
    room.send()
    assert [one["scoreGiven"] for one in room.received()] == [9.0]


def test_what_was_computed_last_is_written_last(
    room: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two attempts that are judged at once."""
    ada = room.person(room.comes("ada"))
    room.earns(ada, 5.0)
    counting, entered = room.service.marks.counting, threading.Event()

    def slow(*given: object) -> object:
        found = counting(*given)  # type: ignore[arg-type]
        if not entered.is_set():
            entered.set()
            time.sleep(0.3)
        return found

    monkeypatch.setattr(room.service.marks, "counting", slow)
    first = threading.Thread(target=room.service.changed, args=(ada, "hw1", False))
    first.start()
    entered.wait()
    room.earns(ada, 9.0)
    first.join()
    assert room.score(ada).wanted == (9.0, 10.0)


def test_a_mark_of_whom_a_judge_fails_for_hurts_nobody(
    room: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = room.person(room.comes("ada"))
    monkeypatch.setattr(room.service.marks, "counting", lambda *given: 1 / 0)
    room.earns(ada, 7.0)  # raises nothing
    assert room.score(ada).state == EMPTY


def test_a_mark_that_goes_back_while_another_is_on_its_way(room: Classroom) -> None:
    """A correction: the platform may have got what is corrected."""
    ada = room.person(room.comes("ada"))
    room.earns(ada, 7.0)
    room.send()
    room.earns(ada, 9.0)
    room.platform.refuses["ada"] = (503, "The answer is lost.")
    room.send()
    records = room.room.queue.records
    with records.changing():
        records.put(wanted(room.score(ada), Grade("ada", "", 7.0, 10.0)))
    assert room.score(ada).state == WAITING


def test_a_mark_waits_until_its_maximum_is_known(room: Classroom) -> None:
    """After a start, suites are proved anew; a broken one gives no points."""
    ada = room.person(room.comes("ada"))
    known = room.service.marks.points
    room.service.marks.points = {}
    room.earns(ada, 7.0)
    room.room.queue.begin()
    room.send()
    assert (room.received(), room.score(ada).wanted) == ([], None)
    room.service.marks.points = known
    room.room.queue.begin()
    room.send()
    assert [one["scoreMaximum"] for one in room.received()] == [10.0]


def test_a_new_try_keeps_the_column_unless_it_is_gone(room: Classroom) -> None:
    ada, ben = room.person(room.comes("ada")), room.person(room.comes("ben"))
    room.platform.refuses["ada"] = (422, "No.")
    room.earns(ada, 7.0)
    room.send()
    room.platform.refuses.clear()
    room.named("boss").post("/lti/scores/hw1/again")
    ((link, _),) = room.room.queue.scores("hw1", ben)
    assert link.item == room.link.lineitem
    room.platform.refuses["ada"] = (404, "No such column.")
    room.earns(ada, 8.0)
    room.send()
    room.platform.refuses.clear()
    room.named("boss").post("/lti/scores/hw1/again")
    ((link, _),) = room.room.queue.scores("hw1", ben)
    assert link.item == ""
    room.send()
    assert room.score(ada).state == SENT


def test_a_decision_about_who_handed_in_nothing_is_sent(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    said = {"person": ada, "kind": "override", "override": "8", "why": "On paper"}
    room.named("boss").post("/t/hw1/decide", data=said)
    room.send()
    assert [one["scoreGiven"] for one in room.received()] == [8.0]


def test_work_from_before_the_first_opening_is_sent(room: Classroom) -> None:
    room.joins_by("sourcedid")
    room.platform.enrol("c1", "ada", LEARNER, sourcedid="s-ada")
    second = room.platform.add_link("c1", "Again", maximum=10, custom={"assignment": "hw1"})
    ada = room.person(room.comes("ada"))
    room.earns(ada, 6.0)
    room.comes("ada", second.id)
    room.send()
    found = {one.line_item for one in room.platform.scores}
    assert found == {room.link.lineitem, second.lineitem}


def test_an_assignment_that_is_gone_stops_no_other_mark(room: Classroom) -> None:
    link = room.platform.add_link("c1", "No column", custom={"assignment": "hw3"})
    ada, ben = room.person(room.comes("ada", link.id)), room.person(room.comes("ben"))
    room.earns(ada, 5.0, "hw3")
    room.service.course = dataclasses.replace(room.service.course, assignments=HOMEWORK[:1])
    room.earns(ben, 5.0)
    room.send()
    assert room.score(ben).state == SENT
    assert room.score(ada, "hw3").state == REFUSED


def test_a_clock_that_went_forward_and_back_lets_nothing_wait(
    room: Classroom, clock: Clock
) -> None:
    ada = room.person(room.comes("ada"))
    room.platform.is_down = True
    clock.at += 365 * 86_400
    room.earns(ada, 7.0)
    room.send()
    clock.at -= 365 * 86_400
    room.platform.is_down = False
    room.send()
    assert room.score(ada).state == SENT


def test_a_launch_without_a_gradebook_changes_nothing(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    room.comes("ben", claims=lambda c: {n: v for n, v in c.items() if "endpoint" not in n})
    room.earns(ada, 7.0)
    room.send()
    assert room.score(ada).state == SENT


def test_a_regrade_is_the_teachers_to_send(room: Classroom) -> None:
    link = room.platform.add_link("c1", "Late", maximum=10, custom={"assignment": "hw2"})
    ada = room.person(room.comes("ada", link.id))
    in_time = datetime.fromisoformat("2019-12-30T12:00:00+00:00").timestamp()
    room.earns(ada, 6.0, "hw2", in_time)
    (before,) = room.service.database.history(ada, "hw2")
    room.service.database.finish(before.id, ExerciseResult(NAME, Outcome.FAILED, 2.0, 10.0))
    room.service._judged(before)
    room.send()
    assert [one["scoreGiven"] for one in room.received()] == [6.0]
    assert "1 mark would change there" in room.named("boss").get("/lti/scores/hw2").text
    assert "1 mark would change in the" in room.named("boss").get("/t/hw2").text


def test_a_course_that_is_kept_out_gets_no_marks(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    records = room.room.queue.records
    (course,) = records.all(PlatformCourse)
    records.put(msgspec.structs.replace(course, is_in=False))
    room.earns(ada, 7.0)
    room.send()
    assert (room.received(), room.score(ada).state) == ([], REFUSED)


@pytest.mark.parametrize(
    ("item", "address"),
    [
        ("https://a/items/1", "https://a/items/1/scores"),
        ("https://a/items/1/lineitem?type_id=3", "https://a/items/1/lineitem/scores?type_id=3"),
        ("https://a/items/1/", "https://a/items/1/scores"),
    ],
)
def test_scores_go_before_the_query(item: str, address: str) -> None:
    assert scores_of(item) == address


def test_the_same_registration_again_and_its_end(room: Classroom) -> None:
    records = room.room.queue.records
    ada = room.person(room.comes("ada"))
    room.earns(ada, 7.0)
    (platform,) = records.all(Platform)
    records.remove(platform)
    room.send()
    assert room.received() == []
    assert records.all(Score) == []
    assert room.service.database.history(ada, "hw1")
    answer = room.browser().get("/lti/login", params={"iss": room.platform.issuer})
    assert answer.status_code == 403


@pytest.mark.slow
def test_a_term(room: Classroom, clock: Clock) -> None:
    """Sixty people, three assignments, a platform that is down, refuses three, and is slow."""
    platform, subs = room.platform, [f"s{n}" for n in range(60)]
    for sub in subs:
        platform.enrol("c1", sub, "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner")
    links = {
        "hw1": room.link,
        "hw2": platform.add_link("c1", "Two", custom={"assignment": "hw2"}),
        "hw3": platform.add_link("c1", "Three", custom={"assignment": "hw3"}),
    }
    people = {}
    for sub in subs:
        for link in links.values():
            people[sub] = room.person(room.comes(sub, link.id))
    refused = subs[7:10]
    for sub in refused:
        platform.refuses[sub] = (422, f"{sub} left the course.")
    in_time = datetime.fromisoformat("2019-12-30T12:00:00+00:00").timestamp()

    def attempts(of: slice, plus: float) -> None:
        for n, sub in list(enumerate(subs))[of]:
            for name in links:
                room.earns(people[sub], (n % 8) + plus, name, in_time if name == "hw2" else 0.0)

    attempts(slice(0, 20), 0.0)
    room.send()
    platform.is_down = True
    attempts(slice(20, 40), 0.0)
    for _ in range(60):  # an hour
        room.send()
        clock.at += 60
    platform.is_down = False
    platform.seconds = 0.02
    attempts(slice(40, 60), 0.0)
    attempts(slice(0, 60), 1.0)  # everybody once more
    for _ in range(40):
        sending = [threading.Thread(target=room.send) for _ in range(3)]
        for thread in sending:
            thread.start()
        for thread in sending:
            thread.join()
        clock.at += 60

    last: dict[tuple[str, str], ReceivedScore] = {
        (s.line_item, s.user_id): s for s in platform.scores
    }
    for n, sub in enumerate(subs):
        for name in links:
            (pair,) = room.room.queue.scores(name, people[sub])
            column, score = pair
            if sub in refused:
                assert (score.state, f"{sub} left the course" in score.reason) == (REFUSED, True)
            else:
                assert last[column.item, sub].body["scoreGiven"] == (n % 8) + 1.0
                assert score.state == SENT
    # Twice at most, since everybody's mark changed twice, and none was sent again.
    sent = [(s.line_item, s.user_id, s.body["scoreGiven"]) for s in platform.scores]
    assert len(sent) == len(set(sent))
    assert len({item["id"] for item in platform.line_items["c1"]}) == 3
    page = room.named("boss").get("/lti/scores/hw1").text
    assert "3 marks refused" in page
    assert json.dumps(page).count("left the course") == 3


# Practice


@pytest.fixture
def with_practice(room: Classroom) -> Classroom:
    """`hw1` also has an exercise for practice, whose points are known, too."""
    other = Exercise("01_first/other", "Other", ("other",), counts=False)
    service = room.service
    course = dataclasses.replace(service.course, exercises=(*service.course.exercises, other))
    rules = [dataclasses.replace(rule, exercises=(NAME, other.id)) for rule in HOMEWORK]
    service.course = dataclasses.replace(course, assignments=tuple(rules))
    service.grader.course = service.course
    service.marks.points[other.id] = 10.0
    return room


def test_practice_has_no_part_in_a_column_and_its_marks(with_practice: Classroom) -> None:
    ada = with_practice.person(with_practice.comes("ada"))
    with_practice.earns(ada, 7.0)
    with_practice.send()
    (body,) = with_practice.received()
    assert (body["scoreGiven"], body["scoreMaximum"]) == (7.0, 10.0)
    launched = with_practice.platform.launch(
        with_practice.browser(), "noether", message=DEEP_LINKING
    )
    forms = re.findall(r"<form.*?</form>", launched.text, re.DOTALL)
    own = next(form for form in forms if "Homework 3" in form)
    with_practice.platform.deep_linked(own)
    items = with_practice.platform.line_items["c1"]
    assert {item["scoreMaximum"] for item in items} == {10.0}


def test_a_mark_of_practice_alone_is_never_sent() -> None:
    result = ExerciseResult(NAME, Outcome.PASSED, 10.0, 10.0, counts=False)
    grade = scoring.grade(Submission("ada", "d"), [result])
    score = Score(platform="p", deployment="d", link="l", sub="s", person="ada")
    assert wanted(score, grade) == score
    counting = scoring.grade(Submission("ada", "d"), [dataclasses.replace(result, counts=True)])
    assert wanted(score, counting).wanted == (10.0, 10.0)
