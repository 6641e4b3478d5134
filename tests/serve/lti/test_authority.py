"""What somebody may do is the key's: it holds for one role, in one course of one platform."""

from __future__ import annotations

import html
import re
import sqlite3
from pathlib import Path

import httpx
import pytest

from grader.records.model import Person
from grader.serve.database import NAME as FILE
from grader.serve.database import Database
from grader.serve.lti.records import Member, PlatformCourse
from grader.serve.lti.records import Platform as Known
from grader.serve.people import HUB, LINK, SESSION, TOKEN
from tests.serve.conftest import NAME, client
from tests.serve.lti.conftest import Classroom, register
from tests.serve.lti.platform import DEEP_LINKING, INSTRUCTOR, LEARNER, ResourceLink


def course_of(room: Classroom, context: str) -> PlatformCourse:
    return next(c for c in room.room.queue.records.all(PlatformCourse) if c.context == context)


def decides(room: Classroom, context: str, is_in: str) -> None:
    form = {"key": course_of(room, context).as_text, "is_in": is_in}
    assert room.named("boss").post("/lti/course", data=form).status_code == 303


def second_course(room: Classroom, *teachers: str, students: tuple[str, ...] = ()) -> ResourceLink:
    """A course `c2` that was accepted."""
    for sub in ("mallory", *teachers):
        room.platform.enrol("c2", sub, INSTRUCTOR)
    link = room.platform.add_link("c2", "Other", custom={"assignment": "hw1"})
    room.platform.launch(room.browser(), "mallory", link.id)
    decides(room, "c2", "yes")
    for sub in students:
        room.platform.enrol("c2", sub, LEARNER)
    return link


def made(page: httpx.Response) -> str:
    """The link or the token that a page shows."""
    found = re.search(r'<code class="long">(?:\S+/enter/)?([\w-]{32})</code>', page.text)
    assert found is not None
    return found[1]


def uses_link(room: Classroom, secret: str) -> httpx.Client:
    browser = room.browser()
    browser.post(f"/enter/{secret}")
    return browser


def opens(room: Classroom, sub: str, link: str = "") -> str:
    """What the button in a frame holds."""
    framed = room.platform.launch(
        room.browser(), sub, link or room.link.id, headers={"Sec-Fetch-Dest": "iframe"}
    )
    found = re.search(r'name="key" value="([^"]+)"', framed.text)
    assert found is not None
    return found[1]


def has_api(room: Classroom, token: str) -> bool:
    headers = {"Authorization": f"Bearer {token}"}
    return client(room.service).get("/api/v1/assignments", headers=headers).status_code == 200


def test_a_students_keys_are_never_a_teachers(room: Classroom) -> None:
    ben = room.comes("ben")
    link, token = made(ben.post("/me/link")), made(ben.post("/me/token"))
    for roles in ((INSTRUCTOR,), (LEARNER,)):  # for one launch, and back
        room.platform.enrol("c1", "ben", *roles)
        teaching = room.comes("ben")
        assert (teaching.get("/t/hw1").status_code == 200) == (roles == (INSTRUCTOR,))
        for key in (ben, uses_link(room, link)):
            assert key.get("/t/hw1").status_code in (401, 404)
            assert key.post("/me/link").status_code == 401
        assert not has_api(room, token)
    assert teaching.get("/t/hw1").status_code == 404


def test_a_teacher_of_one_course_and_student_of_another(room: Classroom) -> None:
    """Each session keeps the role of its own course, whatever was opened last."""
    link = second_course(room, students=("ben",))
    room.platform.users["ben"].roles = (INSTRUCTOR,)
    room.platform.courses["c1"].members.add("ben")
    teaching = room.comes("ben")
    room.platform.users["ben"].roles = (LEARNER,)
    studying = room.comes("ben", link.id)
    person = room.person(studying)
    assert teaching.get("/t/hw1").status_code == 200
    assert studying.get("/t/hw1").status_code == 404
    assert uses_link(room, made(studying.post("/me/link"))).get("/t/hw1").status_code == 404
    assert teaching.post("/me/token").status_code == 403
    room.platform.users["ben"].roles = (INSTRUCTOR,)
    room.comes("ben")
    assert studying.get("/t/hw1").status_code == 404
    # In the class, they are a student of it.
    room.platform.users["ben"].roles = (LEARNER,)
    room.earns(person, 7.0)
    room.send()
    assert [one["scoreGiven"] for one in room.received("ben")] == [7.0]


@pytest.mark.parametrize("roles", [(LEARNER,), ()])
def test_a_teacher_who_was_joined_teaches_as_long_as_the_platform_says_so(
    room: Classroom, roles: tuple[str, ...]
) -> None:
    room.joins_by("sourcedid")
    room.platform.enrol("c1", "prof", INSTRUCTOR, sourcedid="boss")
    teaching = room.comes("prof")
    assert room.person(teaching) == "boss"
    room.platform.enrol("c1", "prof", *roles, sourcedid="boss")
    assert room.comes("prof").get("/t/hw1").status_code == 404
    assert teaching.get("/t/hw1").status_code == 401
    # What the operator gave stays.
    assert room.named("boss").get("/t/hw1").status_code == 200


def test_a_name_of_a_hub_is_nobody_of_a_platform(room: Classroom) -> None:
    people, teacher = room.service.people, room.person(room.comes("noether"))
    assert people.joined(Person(teacher, login=teacher)) is None
    assert people.joined(Person("lti-0123456789abcdef", login="lti-0123456789abcdef")) is None
    known = people.joined(Person("hubert", login="hubert"))
    assert known is not None
    assert (known.id, known.is_teacher) == ("hubert", False)


def test_a_number_of_a_platform_is_nobody_of_a_hub(room: Classroom) -> None:
    """A Hub user with a platform's number as a name reads nothing of its owner's."""
    room.joins_by("sourcedid")
    thief = room.service.people.joined(Person("4711", login="4711"))
    assert thief is not None
    room.platform.enrol("c1", "ada", LEARNER, sourcedid="4711")
    assert room.person(room.comes("ada")) != "4711"


def test_ids_of_a_platform_follow_from_nothing_that_it_says(room: Classroom) -> None:
    own = room.person(room.comes("ada"))
    room.service.database.forget(own)
    again = room.person(room.comes("ada"))
    assert again != own
    assert room.person(room.comes("ada")) == again


@pytest.mark.parametrize("end", ["course", "platform", "role"])
@pytest.mark.parametrize("sub", ["noether", "ada"])
def test_a_button_lets_nobody_in_whose_role_has_ended(room: Classroom, end: str, sub: str) -> None:
    second_course(room)
    key = opens(room, sub)
    if end == "course":
        decides(room, "c1", "no")
    elif end == "platform":
        (platform,) = room.room.queue.records.all(Known)
        room.room.queue.records.remove(platform)
    else:
        room.platform.enrol("c1", sub, LEARNER if sub == "noether" else INSTRUCTOR)
        room.comes(sub)
    browser = room.browser()
    assert browser.post("/lti/open", data={"key": key}).status_code == 403
    assert browser.get("/me").status_code == 401


def test_a_button_gives_no_more_than_its_launch(room: Classroom) -> None:
    """And what it holds is no personal link."""
    key = opens(room, "noether")
    assert room.browser().post(f"/enter/{key}").status_code == 403
    browser = room.browser()
    assert browser.post("/lti/open", data={"key": key}).headers["location"] == "/a/hw1"
    assert browser.post("/me/link").status_code == 403
    ((_, session),) = (
        (d, k)
        for d, k in room.service.database.keys(room.person(browser)).items()
        if d.startswith(browser_key(room, browser))
    )
    assert session.kind == SESSION


def browser_key(room: Classroom, browser: httpx.Client) -> str:
    who = room.service.people.known(browser.cookies[room.service.cookie], SESSION)
    assert who is not None
    return who.key


def test_the_end_of_a_course_ends_its_keys_and_no_others(room: Classroom) -> None:
    link = second_course(room, "noether", students=("ben", "eve"))
    room.platform.courses["c1"].members.update(("eve",))
    first, both = room.comes("ada"), room.comes("eve")
    token = made(first.post("/me/token"))
    second, elsewhere = room.comes("ben", link.id), room.comes("eve", link.id)
    own, its = made(second.post("/me/link")), made(second.post("/me/token"))
    decides(room, "c2", "no")
    assert (first.get("/").status_code, has_api(room, token)) == (200, True)
    assert both.get("/me").status_code == 200
    assert elsewhere.get("/me").status_code == 401
    assert second.get("/me").status_code == 401
    assert uses_link(room, own).get("/me").status_code == 401
    assert not has_api(room, its)
    # They don't come back with it.
    decides(room, "c2", "yes")
    assert second.get("/me").status_code == 401
    assert not has_api(room, its)
    assert room.comes("ben", link.id).get("/me").status_code == 200


def test_the_end_of_a_platform_ends_its_keys_and_no_others(room: Classroom) -> None:
    register(room.service, room.platform)
    _, other = room.platform.clients
    link = room.platform.add_link("c1", "L", custom={"assignment": "hw3"}, client_id=other)
    room.comes("noether", link.id, client_id=other)
    second = room.comes("ben", link.id, client_id=other)
    first_client, token = next(iter(room.platform.clients)), made(second.post("/me/token"))
    first = room.comes("ada", client_id=first_client)
    platform = next(p for p in room.room.queue.records.all(Known) if p.client == other)
    room.room.queue.records.remove(platform)
    assert first.get("/me").status_code == 200
    assert (second.get("/me").status_code, has_api(room, token)) == (401, False)


def test_who_is_removed_with_a_platform_comes_back_as_the_same(room: Classroom) -> None:
    room.joins_by("sourcedid")
    room.platform.enrol("c1", "ada", LEARNER, sourcedid="s-ada")
    ada, ben = room.comes("ada"), room.person(room.comes("ben"))
    room.earns("s-ada", 7.0)
    records = room.room.queue.records
    (platform,) = records.all(Known)
    (course,) = records.all(PlatformCourse)
    records.remove(platform)
    assert ada.get("/me").status_code == 401
    # By nobody but the operator: else another could say that it is this platform.
    records.put(platform)
    records.put(course)
    assert ada.get("/me").status_code == 401
    assert room.person(room.comes("ada")) == "s-ada"
    assert room.person(room.comes("ben")) == ben


def test_nobody_registers_as_a_platform_that_was_removed(room: Classroom) -> None:
    room.comes("ada")
    records = room.room.queue.records
    (platform,) = records.all(Known)
    records.remove(platform)
    tool = next(iter(room.platform.clients.values()))
    room.platform.add_tool = lambda _: tool  # type: ignore[method-assign, assignment]
    with pytest.raises(AssertionError, match="as this client before"):
        register(room.service, room.platform)
    assert records.all(Known) == []
    assert records.all(Member)


def test_a_key_that_a_role_has_left_is_none(room: Classroom) -> None:
    """Also if it is issued while its role ends."""
    database, people = room.service.database, room.service.people
    role = database.role("s-ada", "[]", is_teacher=False)
    before = people.issue(TOKEN, "s-ada", role=role)
    database.end_roles(place="[]")
    after = people.issue(LINK, "s-ada", role=role)
    assert people.known(before, TOKEN) is None
    assert people.enter(after) is None
    assert database.keys("s-ada") == {}


def test_a_hub_gives_a_role_of_its_own(room: Classroom) -> None:
    people = room.service.people
    who = people.joined(Person("s-ada", login="s-ada"))
    assert who is not None
    session = people.issue(SESSION, who.id, role=who.role)
    room.service.database.end_roles(place=HUB)
    assert people.known(session, SESSION) is None
    assert people.known(people.issue(SESSION, "s-ada"), SESSION) is not None


def test_keys_that_tell_no_role_are_gone(tmp_path: Path) -> None:
    """Those of an earlier version."""
    Database(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as old:
        old.execute("DROP TABLE keys")
        old.execute("CREATE TABLE keys (digest TEXT PRIMARY KEY, kind, person, until, label)")
        old.execute("INSERT INTO keys VALUES ('d', 'session', 'ada', 9e9, '')")
    database = Database(tmp_path)
    assert database.key("d") is None
    database.add_people([Person("ada")])
    database.close()


# Courses


def asks(room: Classroom, sub: str, link: ResourceLink) -> bool:
    """Whether a course isn't accepted when somebody launches from it."""
    answer = room.platform.launch(room.browser(), sub, link.id)
    assert answer.status_code in (303, 403), answer.text
    return "belong to this class yet" in answer.text


@pytest.fixture
def bare(room: Classroom) -> Classroom:
    """A server that knows a platform, and nobody."""
    database = room.service.database
    for person in [*database.people(), *database.people(teachers=True)]:
        database.forget(person.id)
    for kind in (PlatformCourse, Member):
        for record in room.room.queue.records.all(kind):
            room.room.queue.records.drop(record)
    return room


def test_the_first_course_of_an_unused_server_is_accepted(bare: Classroom) -> None:
    assert not asks(bare, "noether", bare.link)
    bare.platform.enrol("c2", "mallory", INSTRUCTOR)
    assert asks(bare, "mallory", bare.platform.add_link("c2", "L", custom={"assignment": "hw1"}))


@pytest.mark.parametrize("holds", ["a roster", "a teacher", "work"])
def test_the_first_course_asks_if_there_is_something_to_take(bare: Classroom, holds: str) -> None:
    if holds == "work":
        bare.earns("gone", 7.0)
    else:
        bare.service.database.add_people([Person("x")], teachers=holds == "a teacher")
    assert asks(bare, "noether", bare.link)
    assert asks(bare, "noether", bare.link)
    assert bare.platform.launch(bare.browser(), "ada", bare.link.id).status_code == 403


def test_the_first_course_after_a_removal_asks(room: Classroom) -> None:
    records = room.room.queue.records
    (platform,) = records.all(Known)
    records.remove(platform)
    records.put(platform)
    room.platform.enrol("c2", "mallory", INSTRUCTOR)
    link = room.platform.add_link("c2", "Sandbox", custom={"assignment": "hw1"})
    assert asks(room, "mallory", link)


def test_the_operator_names_a_course_before_or_after_it_asks(bare: Classroom) -> None:
    bare.service.database.add_people([Person("x")])
    bare.accepts("c1")
    assert not asks(bare, "noether", bare.link)
    assert [c.is_in for c in bare.room.queue.records.all(PlatformCourse)] == [True]
    bare.platform.enrol("c2", "mallory", INSTRUCTOR)
    link = bare.platform.add_link("c2", "Sandbox", custom={"assignment": "hw1"})
    assert asks(bare, "mallory", link)
    bare.accepts("c2")
    assert not asks(bare, "mallory", link)


# One browser


def forms_of(page: str) -> list[dict[str, str]]:
    """What each form of a page sends to this server, with its address."""
    found = []
    for head, body in re.findall(r"(<form [^>]*>)(.*?)</form>", page, re.DOTALL):
        place = re.search(r'action="([^"]*)"', head)
        assert place is not None
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', body))
        if not place[1].startswith("http"):
            found.append({"": html.unescape(place[1]), **fields})
    return found


def test_a_page_of_one_person_does_nothing_as_the_next_in_that_browser(room: Classroom) -> None:
    browser = room.comes("ada")
    pages = [browser.get(place).text for place in ("/", "/me", "/a/hw1", "/a/hw1/double")]
    forms = [form for page in pages for form in forms_of(page)]
    assert len({form[""] for form in forms}) >= 6
    room.platform.launch(browser, "ben", room.link.id)
    ben = room.person(browser)
    keys = room.service.database.keys(ben)
    for form in forms:
        answer = browser.post(form.pop(""), data={**form, "text": "of Ada"})
        assert (answer.status_code, "is signed in now" in answer.text) == (409, True)
    sign = forms[0]["as"]
    for place in ("/a/hw1/double/draft", "/api/v1/assignments/hw1/exercises/double/attempts"):
        assert browser.post(place, json={"text": "of Ada", "as": sign}).status_code == 409
    database = room.service.database
    assert database.draft(ben, "hw1", NAME) is None
    assert database.history(ben, "hw1") == []
    assert database.keys(ben) == keys
    # Their own page works, also one from before they launched again.
    (own,) = (f for f in forms_of(browser.get("/a/hw1/double").text) if f[""].endswith("double"))
    room.platform.launch(browser, "ben", room.link.id)
    assert browser.post(own[""], data={**own, "text": "of Ben"}).status_code == 303


def test_a_page_of_one_teacher_does_nothing_as_another(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    room.earns(ada, 7.0)
    room.room.queue.service.marks.points = {NAME: 10.0}
    room.platform.enrol("c1", "curie", INSTRUCTOR)
    browser = room.comes("noether")
    places = ("/t/hw1", f"/t/hw1/student?id={ada}", "/lti", "/lti/scores/hw1")
    forms = [form for place in places for form in forms_of(browser.get(place).text)]
    assert len({form[""] for form in forms}) >= 6
    room.platform.launch(browser, "curie", room.link.id)
    for form in forms:
        assert browser.post(form.pop(""), data=form).status_code == 409


def test_what_goes_to_a_platform_holds_nothing_else(room: Classroom) -> None:
    """Also where a browser is signed in."""
    browser = room.comes("noether")
    page = room.platform.launch(browser, "noether", message=DEEP_LINKING).text
    assert 'action="http' in page
    assert all(form[""] == "/leave" for form in forms_of(page))
    assert page.count('name="as"') == 1
