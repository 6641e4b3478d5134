"""Somebody launches from a course; a platform is registered; a teacher chooses and joins."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from typing import Any

import msgspec

from grader.records.model import ExerciseResult, Outcome, Person
from grader.serve.lti.records import Member, Platform, PlatformCourse
from grader.serve.lti.records import Platform as Known
from tests.serve.conftest import client
from tests.serve.lti.conftest import Classroom
from tests.serve.lti.platform import CLAIM, DEEP_LINKING, INSTRUCTOR, LEARNER


def test_a_student_comes_in_and_sees_the_assignment(room: Classroom) -> None:
    browser = room.browser()
    answer = room.platform.launch(browser, "ada", room.link.id)
    assert (answer.status_code, answer.headers["location"]) == (303, "/a/hw1")
    page = browser.get("/a/hw1").text
    assert "Homework 1" in page
    assert "Ada Doe" in page
    assert room.person(browser).startswith("lti-")
    # The same person, whatever the browser.
    assert room.person(room.comes("ada")) == room.person(browser)
    assert room.person(room.comes("ben")) != room.person(browser)


def test_a_teacher_of_the_course_teaches_and_a_student_does_not(room: Classroom) -> None:
    assert room.comes("noether").get("/t/hw1").status_code == 200
    assert room.comes("ada").get("/t/hw1").status_code == 404


def test_a_role_of_another_place_makes_no_teacher(room: Classroom) -> None:
    elsewhere = (
        "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor",
        "http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator",
        "http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant",
    )
    room.platform.enrol("c1", "dean", *elsewhere)
    assert room.comes("dean").get("/t/hw1").status_code == 404
    room.platform.enrol("c1", "mute")
    assert room.comes("mute").get("/t/hw1").status_code == 404


def test_who_teaches_no_more_has_no_teachers_page(room: Classroom) -> None:
    browser = room.comes("noether")
    room.platform.enrol("c1", "noether", LEARNER)
    room.comes("noether")
    assert browser.get("/t/hw1").status_code == 401


def test_a_second_course_asks(room: Classroom) -> None:
    room.platform.enrol("c2", "mallory", INSTRUCTOR)
    room.platform.enrol("c2", "ada", LEARNER)
    other = room.platform.add_link("c2", "Other", custom={"assignment": "hw1"})
    refused = room.platform.launch(room.browser(), "mallory", other.id)
    assert refused.status_code == 403
    assert "belong to this class yet" in refused.text
    assert room.platform.launch(room.browser(), "ada", other.id).status_code == 403

    boss = room.named("boss")
    page = boss.get("/lti").text
    assert "Course c2" in page
    (asks,) = (one for one in room.room.queue.records.all(PlatformCourse) if not one.is_in)
    boss.post("/lti/course", data={"key": asks.as_text, "is_in": "yes"})
    assert room.comes("mallory", other.id).get("/t/hw1").status_code == 200
    boss.post("/lti/course", data={"key": asks.as_text, "is_in": "no"})
    assert room.platform.launch(room.browser(), "mallory", other.id).status_code == 403


def test_a_student_cannot_be_the_first_of_a_course(room: Classroom) -> None:
    room.platform.enrol("c3", "ada", LEARNER)
    other = room.platform.add_link("c3", "Other", custom={"assignment": "hw1"})
    answer = room.platform.launch(room.browser(), "ada", other.id)
    assert "Your teacher must open this link first" in answer.text
    assert [one.context for one in room.room.queue.records.all(PlatformCourse)] == ["c1"]


def test_the_roster_is_joined_by_its_id_and_by_nothing_else(room: Classroom) -> None:
    # Not before a teacher says that it tells who somebody is: students may write it themselves.
    room.platform.enrol("c1", "zed", LEARNER, sourcedid="s-ada")
    assert room.person(room.comes("zed")).startswith("lti-")
    room.joins_by("sourcedid")
    room.platform.enrol("c1", "ada", LEARNER, sourcedid="s-ada")
    assert room.person(room.comes("ada")) == "s-ada"
    # The name and the address of somebody else.
    room.platform.enrol("c1", "eve", LEARNER, name="Ben B.", email="s-ben")
    assert room.person(room.comes("eve")).startswith("lti-")
    # A second one who says to be Ada.
    room.platform.enrol("c1", "ben", LEARNER, sourcedid="s-ada")
    assert room.person(room.comes("ben")).startswith("lti-")
    # A student who says to be a teacher here.
    room.platform.enrol("c1", "zoe", LEARNER, sourcedid="boss")
    assert room.comes("zoe").get("/t/hw1").status_code == 404


def test_a_custom_claim_joins_if_the_teacher_has_named_it(room: Classroom) -> None:
    link = room.platform.add_link("c1", "L", custom={"assignment": "hw1", "number": "s-eve"})
    assert room.person(room.comes("eve", link.id)).startswith("lti-")
    room.joins_by("number")
    assert room.person(room.comes("eve", link.id)) == "s-eve"
    # A variable that the platform didn't replace names nobody.
    room.service.database.add_people([])
    unknown = room.platform.add_link("c1", "L", custom={"assignment": "hw1", "number": "$Nobody"})
    assert room.person(room.comes("ben", unknown.id)).startswith("lti-")


def test_a_teacher_joins_by_hand_and_nothing_is_lost(room: Classroom) -> None:
    ada = room.comes("ada")
    own = room.person(ada)
    ada.post("/a/hw1/double/draft", json={"text": "a draft"})
    room.earns(own, 7.0)
    (member,) = (m for m in room.room.queue.records.all(Member) if m.person == own)
    boss = room.named("boss")
    assert "Ada Doe" in boss.get("/lti").text
    form = {"key": member.as_text, "to": "s-ada"}
    asked = boss.post("/lti/join", data=form).text
    assert "with 1 attempt becomes" in asked
    assert "can't be undone" in html.unescape(asked)
    form["sure"] = "yes"
    assert boss.post("/lti/join", data=form).status_code == 303
    assert room.person(room.comes("ada")) == "s-ada"
    assert room.service.people.named(own) is None
    assert room.service.database.draft("s-ada", "hw1", "01_first/double") == "a draft"
    (attempt,) = room.service.database.history("s-ada", "hw1")
    assert attempt.outcome == "failed"
    assert room.score("s-ada").wanted == (7.0, 10.0)
    # It can't be done twice, nor to somebody who has come as another.
    assert boss.post("/lti/join", data=form).status_code == 422
    room.comes("ben")
    (other,) = (m for m in room.room.queue.records.all(Member) if m.sub == "ben")
    form = {"key": other.as_text, "to": "s-ada", "sure": "yes"}
    assert boss.post("/lti/join", data=form).status_code == 409


def test_who_is_joined_later_by_an_id_keeps_the_work(room: Classroom) -> None:
    room.joins_by("sourcedid")
    own = room.person(room.comes("ada"))
    room.earns(own, 7.0)
    room.platform.enrol("c1", "ada", LEARNER, sourcedid="s-ada")
    assert room.person(room.comes("ada")) == "s-ada"
    assert len(room.service.database.history("s-ada", "hw1")) == 1
    assert room.score("s-ada").wanted == (7.0, 10.0)


def test_decisions_move_along_with_who_is_joined(room: Classroom) -> None:
    room.joins_by("sourcedid")
    own = room.person(room.comes("ada"))
    room.earns(own, 7.0)
    boss = room.named("boss")
    said = {"person": own, "kind": "bonus", "bonus": "1.5", "why": "Found a mistake"}
    boss.post("/t/hw1/decide", data=said)
    room.platform.enrol("c1", "ada", LEARNER, sourcedid="s-ada")
    room.comes("ada")
    boss.post("/lti/scores/hw1/send")
    assert room.score("s-ada").wanted == (8.5, 10.0)


def test_work_that_waits_for_its_verdict_belongs_to_who_is_joined(room: Classroom) -> None:
    room.joins_by("sourcedid")
    ada = room.comes("ada")
    own = room.person(ada)
    who = room.service.people.named(own)
    assert who is not None
    _, exercise = room.service.exercise(who, "hw1", "double")
    (one,) = room.service.submit(who, "hw1", [(exercise, "", "a text")])
    room.platform.enrol("c1", "ada", LEARNER, sourcedid="s-ada")
    room.comes("ada")
    room.service.database.finish(one.id, ExerciseResult(one.exercise, Outcome.FAILED, 6.0, 10.0))
    room.service._judged(one)
    assert room.score("s-ada").wanted == (6.0, 10.0)
    # A page that was open all the while is theirs, too.
    assert ada.post("/a/hw1/double/draft", json={"text": "x"}).status_code == 200
    assert room.service.database.draft("s-ada", "hw1", "01_first/double") == "x"


def test_who_teaches_in_a_course_that_is_kept_out_teaches_no_more(room: Classroom) -> None:
    teacher = room.comes("noether")
    (course,) = room.room.queue.records.all(PlatformCourse)
    boss, form = room.named("boss"), {"key": course.as_text, "is_in": "no"}
    # Then nobody could sign in any more.
    assert boss.post("/lti/course", data=form).status_code == 409
    room.platform.enrol("c2", "mallory", INSTRUCTOR)
    other = room.platform.add_link("c2", "Other", custom={"assignment": "hw1"})
    room.platform.launch(room.browser(), "mallory", other.id)
    (asks,) = (one for one in room.room.queue.records.all(PlatformCourse) if not one.is_in)
    boss.post("/lti/course", data={"key": asks.as_text, "is_in": "yes"})
    assert boss.post("/lti/course", data=form).status_code == 303
    assert teacher.get("/t/hw1").status_code == 401


def test_a_choice_by_hand_holds_until_the_platform_says_another(room: Classroom) -> None:
    """And no student's launch undoes it."""
    ada = room.person(room.comes("ada"))
    form = {"key": json.dumps([_known(room).id, _deployment(room), room.link.id])}
    room.named("boss").post("/lti/link", data={**form, "assignment": "hw3"})
    room.earns(ada, 4.0, "hw3")
    assert room.platform.launch(room.browser(), "ben", room.link.id).headers["location"] == "/a/hw3"
    assert room.score(ada, "hw3").wanted == (4.0, 10.0)
    room.link.custom["assignment"] = "hw2"  # chosen anew in the platform
    room.earns(ada, 5.0, "hw2", at=1e9)
    assert room.platform.launch(room.browser(), "ben", room.link.id).headers["location"] == "/a/hw2"
    assert room.score(ada, "hw2").wanted == (5.0, 10.0)


def test_a_teacher_of_a_platform_makes_no_key_that_lasts(room: Classroom) -> None:
    teacher = room.comes("noether")
    for path in ("/me/link", "/me/token"):
        assert teacher.post(path).status_code == 403
    assert room.comes("ada").post("/me/link").status_code == 200


def test_another_registration_of_the_same_course_comes_in(room: Classroom) -> None:
    """In Open edX each block is a registration."""
    from tests.serve.lti.conftest import register

    register(room.service, room.platform)
    _, second = room.platform.clients
    link = room.platform.add_link("c1", "L", custom={"assignment": "hw3"}, client_id=second)
    answer = room.platform.launch(room.browser(), "noether", link.id, client_id=second)
    assert answer.headers["location"] == "/a/hw3"
    room.platform.enrol("c2", "mallory", INSTRUCTOR)
    other = room.platform.add_link("c2", "L", custom={"assignment": "hw3"}, client_id=second)
    refused = room.platform.launch(room.browser(), "mallory", other.id, client_id=second)
    assert refused.status_code == 403


def test_a_course_of_another_deployment_asks_although_its_id_is_equal(room: Classroom) -> None:
    """An id of a course is unique in its deployment alone."""
    records = room.room.queue.records
    records.put(msgspec.structs.replace(_known(room), deployments=()))
    room.platform.enrol("c1", "mallory", INSTRUCTOR)
    other = {f"{CLAIM}deployment_id": "another school", "sub": "mallory there"}
    refused = room.platform.launch(
        browser := room.browser(), "mallory", room.link.id, claims=lambda made: {**made, **other}
    )
    assert (refused.status_code, browser.get("/t/hw1").status_code) == (403, 401)


def test_a_launch_leaves_what_a_teacher_wrote_about_a_person(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    own = Person(ada, "A. D.", login="al1", sis="123", team="t1")
    room.service.database.add_people([own])
    room.comes("ada")
    assert room.service.database.person(ada) == (replace(own, name="Ada Doe"), False)


def test_a_launch_that_was_held_back_does_not_bind_a_link(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    room.link.custom["assignment"] = "hw3"
    room.comes("noether")
    room.earns(ada, 7.0, "hw3")

    def from_before(made: dict[str, Any]) -> dict[str, Any]:
        custom = {f"{CLAIM}custom": {"assignment": "hw1"}}
        return {**made, **custom, "iat": made["iat"] - 30}

    room.comes("eve", claims=from_before)
    assert room.score(ada, "hw3").wanted == (7.0, 10.0)


def test_a_link_that_is_bound_again_begins_anew(room: Classroom) -> None:
    link = room.platform.add_link("c1", "By hand", maximum=10)
    room.platform.launch(teacher := room.browser(), "noether", link.id)
    form = {"key": json.dumps([_known(room).id, _deployment(room), link.id])}
    teacher.post("/lti/link", data={**form, "assignment": "hw1"})
    ada = room.person(room.comes("ada", link.id))
    room.earns(ada, 7.0)
    room.send()
    teacher.post("/lti/link", data={**form, "assignment": "hw3"})
    assert room.score(ada, "hw3").wanted is None
    room.earns(ada, 4.0, "hw3")
    room.send()
    assert [one.body["scoreGiven"] for one in room.platform.scores] == [7.0, 4.0]


def test_a_person_who_is_deleted_leaves_nothing(room: Classroom) -> None:
    own = room.person(room.comes("ada"))
    room.earns(own, 7.0)
    room.service.database.forget(own)
    assert room.room.queue.scores("hw1", own) == []
    assert [m for m in room.room.queue.records.all(Member) if m.person == own] == []


def test_deep_linking_makes_a_link_with_a_column(room: Classroom) -> None:
    chosen = room.platform.launch(room.browser(), "noether", message=DEEP_LINKING)
    assert chosen.status_code == 200
    # One form for each assignment: the browser sends the one that was clicked.
    forms = re.findall(r"<form.*?</form>", chosen.text, re.DOTALL)
    own = next(form for form in forms if "Homework 3" in form)
    (link,) = room.platform.deep_linked(own)
    assert link.custom == {"assignment": "hw3"}
    assert link.lineitem is not None
    answer = room.platform.launch(room.browser(), "ada", link.id)
    assert answer.headers["location"] == "/a/hw3"
    refused = room.platform.launch(room.browser(), "ada", message=DEEP_LINKING)
    assert "Only a teacher" in refused.text


def test_a_link_that_was_made_by_hand_is_bound_by_the_teacher(room: Classroom) -> None:
    link = room.platform.add_link("c1", "By hand")
    early = room.platform.launch(room.browser(), "ada", link.id)
    assert (early.status_code, "chosen an assignment" in early.text) == (409, True)
    answer = room.platform.launch(teacher := room.browser(), "noether", link.id)
    assert answer.headers["location"] == "/lti"
    assert "By hand" in teacher.get("/lti").text
    form = {"key": json.dumps([_known(room).id, _deployment(room), link.id]), "assignment": "hw1"}
    assert teacher.post("/lti/link", data=form).status_code == 303
    assert room.platform.launch(room.browser(), "ada", link.id).headers["location"] == "/a/hw1"


def test_in_a_frame_a_button_opens_a_window(room: Classroom) -> None:
    browser = room.browser()
    framed = room.platform.launch(
        browser, "ada", room.link.id, headers={"Sec-Fetch-Dest": "iframe"}
    )
    policy = framed.headers["content-security-policy"]
    assert f"frame-ancestors 'self' {room.platform.issuer}" in policy
    assert room.service.cookie not in browser.cookies
    key = re.search(r'name="key" value="([^"]+)"', framed.text)
    assert key is not None
    window = client(room.service)
    form = {"key": key[1]}
    assert window.post("/lti/open", data=form).headers["location"] == "/a/hw1"
    assert "Ada Doe" in window.get("/a/hw1").text
    assert client(room.service).post("/lti/open", data=form).status_code == 403


def test_a_refusal_can_be_read_in_a_frame(room: Classroom) -> None:
    forged = room.platform.launch(
        room.browser(), "ada", room.link.id, claims=lambda c: {**c, "nonce": "x" * 20}
    )
    assert room.platform.issuer in forged.headers["content-security-policy"]


def test_an_invitation_works_once(room: Classroom) -> None:
    from grader.serve.lti.registration import invite

    place = invite(room.service.database, room.service.address, is_local=True)
    given = room.platform.registration_request()
    admin = room.browser()
    for _ in range(3):  # a GET uses nothing up
        assert admin.get(place, params=given).status_code == 200
    form = {"url": given["openid_configuration"], "token": given["registration_token"]}
    assert admin.post(place, data=form).status_code == 200
    assert admin.post(place, data=form).status_code == 403
    assert admin.get(place, params=given).status_code == 403
    assert len(room.room.queue.records.all(Platform)) == 2
    assert (
        "Paste this address" in admin.get(invite(room.service.database, room.service.address)).text
    )


def test_a_registration_that_fails_says_why_and_keeps_the_invitation(room: Classroom) -> None:
    from grader.serve.lti.registration import invite

    place = invite(room.service.database, room.service.address, is_local=True)
    form = {"url": f"{room.platform.issuer}/openid-configuration", "token": "wrong"}
    refused = room.browser().post(place, data=form)
    assert refused.status_code == 502
    assert "register this server" in refused.text
    given = room.platform.registration_request()
    form = {"url": given["openid_configuration"], "token": given["registration_token"]}
    assert room.browser().post(place, data=form).status_code == 200


def test_this_machine_is_no_platform_unless_the_operator_says_so(room: Classroom) -> None:
    from grader.serve.lti.registration import invite

    place = invite(room.service.database, room.service.address)
    for url in (f"{room.platform.issuer}/openid-configuration", "https://localhost/x", "file:///x"):
        refused = room.browser().post(place, data={"url": url})
        assert refused.status_code == 502, url
    assert len(room.room.queue.records.all(Platform)) == 1


def _known(room: Classroom) -> Known:
    return room.room.queue.records.all(Known)[0]


def _deployment(room: Classroom) -> str:
    return next(iter(room.platform.clients.values())).deployment_id
