"""How a platform becomes known: Canvas as its source has it, and what a hostile one says."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import msgspec
import pytest
from starlette.responses import JSONResponse

from grader.records.errors import UsageError
from grader.serve.lti import keys
from grader.serve.lti.net import NoAnswer
from grader.serve.lti.records import Link
from grader.serve.lti.records import Platform as Known
from grader.serve.lti.registration import invite, known
from grader.serve.server import address_of
from tests.serve.conftest import client
from tests.serve.lti.canvas import Canvas, placements
from tests.serve.lti.conftest import Classroom, tool_of
from tests.serve.lti.platform import AGS, DEEP_LINKING, SCORE, Platform


@pytest.fixture(params=[True, False], ids=["hosted", "one's own"])
def canvas(request: pytest.FixtureRequest) -> Iterator[Canvas]:
    with Canvas(request.param).running() as made:
        yield made


def registers(room: Classroom, given: dict[str, str]) -> httpx.Response:
    place = invite(room.service.database, room.service.address, is_local=True)
    form = {"url": given["openid_configuration"], "token": given["registration_token"]}
    return client(room.service).post(place, data=form)


def test_canvas_registers_by_an_address_and_gets_its_marks(room: Classroom, canvas: Canvas) -> None:
    done = registers(room, canvas.registration_request())
    assert (done.status_code, canvas.refused) == (200, []), done.text
    records = room.room.queue.records
    one = next(p for p in records.all(Known) if p.client == canvas.client_id)
    assert one.name == canvas.school.removeprefix("http://")
    context = canvas.claims("x", "x", "x", "x")["https://purl.imsglobal.org/spec/lti/claim/context"]
    records.accept(one.id, context["id"])
    launched = canvas.launch(room.browser(), room.service.address, "prof", "Instructor")
    assert launched.headers.get("location") == "/a/hw1", launched.text
    browser = room.browser()
    canvas.launch(browser, room.service.address, "ada", "Learner")
    room.earns(room.person(browser), 7.0)
    room.send()
    assert [one["scoreGiven"] for one in canvas.scores] == [7.0]
    assert room.score(room.person(browser)).state == "sent"


def test_in_canvas_a_teacher_chooses_wherever_a_link_is_made(
    room: Classroom, canvas: Canvas
) -> None:
    registers(room, canvas.registration_request())
    assert placements(canvas.tool) == {
        "assignment_selection": "LtiDeepLinkingRequest",
        "link_selection": "LtiDeepLinkingRequest",
    }


def test_an_invitation_may_be_framed_by_the_school(room: Classroom) -> None:
    """Hosted Canvas names a different host than the one whose page has the frame."""
    place = invite(room.service.database, room.service.address)
    given = {"openid_configuration": "https://canvas.instructure.com/x", "registration_token": "t"}
    policy = room.browser().get(place, params=given).headers["content-security-policy"]
    framing, sending = (
        next(part for part in policy.split("; ") if part.startswith(name))
        for name in ("frame-ancestors", "form-action")
    )
    assert framing.endswith(" https:")
    assert "https:" not in sending.split()


def test_an_authorization_server_that_wants_its_own_name_gets_it(room: Classroom) -> None:
    """As the specification says, and Canvas doesn't do."""
    records = room.room.queue.records
    (one,) = records.all(Known)
    records.put(msgspec.structs.replace(one, audience="its name"))
    sent: list[object] = []
    verified = room.platform._verified

    def strict(token: str, error: str = "") -> object:
        tool, claims = verified(token, error)
        sent.append(claims["aud"])
        place = f"{room.platform.issuer}/token"
        return tool, {**claims, "aud": place if claims["aud"] == "its name" else "no"}

    room.platform._verified = strict  # type: ignore[method-assign, assignment]
    ada = room.person(room.comes("ada"))
    room.earns(ada, 7.0)
    room.send()
    assert room.score(ada).state == "sent"
    assert sent[-1] == "its name"


class Dishonest(Platform):
    """Names another's place where its tokens are made."""

    named = ""

    def _configuration(self, request: Any, body: bytes) -> Any:
        told = json.loads(bytes(super()._configuration(request, body).body))
        return JSONResponse({**told, "authorization_server": self.named})


def test_an_authorization_server_of_another_platform_is_refused(room: Classroom) -> None:
    """What is signed for its tokens would be valid there."""
    true = room.platform.issuer
    with (other := Dishonest()).running():
        for other.named in (f"{true}/token", true.rpartition("/")[2]):
            refused = registers(room, other.registration_request())
            assert (refused.status_code, "authorization_server" in refused.text) == (502, True)
        other.named = other.issuer.rpartition("/")[2]
        assert registers(room, other.registration_request()).status_code == 200


def test_another_hosts_name_is_refused(room: Classroom) -> None:
    """Then sign-ins of the true platform that name no client still tell which one it is."""
    before = room.room.queue.records.all(Known)
    with Platform().running() as other:
        given = other.registration_request()
        other.issuer, issuer = room.platform.issuer, other.issuer
        refused = registers(room, given)
        other.issuer = issuer
    assert (refused.status_code, "a different host" in refused.text) == (502, True)
    assert room.room.queue.records.all(Known) == before
    (client_id,) = room.platform.clients
    asked = room.platform.login_request(client_id, "ada", room.link.id)
    del asked["client_id"], asked["lti_deployment_id"]
    assert room.browser().post("/lti/login", data=asked).status_code == 303


@pytest.mark.parametrize("url", ["http://[", "https://[::1", "https://", "//x"])
def test_an_address_that_is_none_is_refused(room: Classroom, url: str) -> None:
    place = invite(room.service.database, room.service.address, is_local=True)
    admin = room.browser()
    assert admin.get(place, params={"openid_configuration": url}).status_code == 422
    assert admin.post(place, data={"url": url}).status_code == 502
    assert "is not an https address" in known("canvas", url, "1", {}).problem()
    with socket.socket() as listening, pytest.raises(UsageError, match="not a server's address"):
        address_of(listening, url)


@pytest.mark.parametrize("answer", [b'{"keys": []}', b'{"error": "maintenance"}', b"{}"])
def test_an_empty_answer_takes_no_key_away(
    room: Classroom, answer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.comes("ada")
    theirs = room.room.launches.theirs
    room.platform.jwks_answer = answer
    (one,) = room.room.queue.records.all(Known)
    with pytest.raises(NoAnswer):
        theirs.fetch(one)
    monkeypatch.setattr(keys, "KEPT", -1.0)  # each launch asks anew
    room.comes("ben")
    # What is there takes the place of what was there.
    room.platform.rotate()
    room.platform.keys = room.platform.keys[:1]
    room.platform.jwks_answer = None
    room.comes("ada")
    assert len(theirs._known[one.jwks][1]) == 1


def narrower(**about: object) -> Callable[[dict[str, object]], dict[str, object]]:
    return lambda claims: {**claims, f"{AGS}claim/endpoint": about}


@pytest.mark.parametrize(
    "book",
    [
        {"scope": []},
        {"scope": [SCORE], "lineitems": "", "lineitem": ""},
        {},
        {"scope": [SCORE], "lineitem": "ISSUER/courses/c1/lineitems/99/lineitem"},
    ],
)
def test_a_students_launch_changes_a_link_for_nobody(
    room: Classroom, book: dict[str, object]
) -> None:
    """But it tells what isn't known yet."""
    (before,) = room.room.queue.records.all(Link)
    said = json.loads(json.dumps(book).replace("ISSUER", room.platform.issuer))
    ada = room.person(room.comes("ada"))
    room.comes("ben", claims=narrower(**said))
    assert room.room.queue.records.all(Link) == [before]
    room.earns(ada, 7.0)
    room.send()
    assert room.score(ada).state == "sent"
    # A teacher's is what the platform says now.
    room.comes("noether", claims=narrower(scope=[], lineitems=before.items))
    assert room.room.queue.records.all(Link)[0].scopes == ()
    room.comes("ben")
    assert set(room.room.queue.records.all(Link)[0].scopes) == set(before.scopes)


def test_a_scope_that_was_taken_away_stops_its_link_alone(room: Classroom) -> None:
    """A token for more than is allowed is refused, and other links ask for less."""
    other = room.platform.add_link("c1", "L", maximum=10, custom={"assignment": "hw3"})
    ada = room.person(room.comes("ada"))
    tool = next(iter(room.platform.clients.values()))
    tool.scopes = frozenset((SCORE,))
    room.platform.launch(room.browser(), "noether", other.id)
    room.comes("ada", other.id)
    room.earns(ada, 7.0)
    room.earns(ada, 4.0, "hw3")
    room.send()
    assert room.score(ada, "hw3").state == "sent"
    assert "let this link send marks" in room.score(ada).reason


TEXT = "Enter your password again at evil.example"


def test_no_site_has_its_text_on_a_page(room: Classroom) -> None:
    browser = room.browser()
    shown = [
        browser.post("/lti/launch", data={"error": TEXT, "error_description": TEXT}),
        browser.get("/lti/login", params={"iss": TEXT, "client_id": TEXT}),
        browser.post("/lti/login", data={"iss": room.platform.issuer, "lti_deployment_id": TEXT}),
    ]
    # With a state, but of another browser.
    thief = room.browser()
    form = {"error": TEXT, "error_description": TEXT}
    room.platform.launch(thief, "ada", room.link.id, form=lambda f: {**form, "state": f["state"]})
    assert room.platform.last is not None
    shown.append(browser.post("/lti/launch", data=room.platform.last.form))
    for answer in shown:
        assert (answer.status_code, "evil" in answer.text) == (403, False)
    # The platform's own refusal can be read.
    told = room.platform.launch(
        browser, "ada", room.link.id, form=lambda f: {"error": "no <b>", "state": f["state"]}
    )
    assert "refused the sign-in: no &lt;b&gt;" in told.text


def test_a_column_has_its_maximum_from_the_beginning(room: Classroom) -> None:
    points, room.service.marks.points = room.service.marks.points, {}
    early = room.platform.launch(room.browser(), "noether", message=DEEP_LINKING)
    assert "JWT" not in early.text
    assert early.text.count("known yet") == 3
    room.service.marks.points = points
    later = room.platform.launch(room.browser(), "noether", message=DEEP_LINKING)
    room.platform.deep_linked(later.text[later.text.index('<form method="post" action="http') :])
    assert room.platform.line_items["c1"][-1]["scoreMaximum"] == 10.0


def test_no_platform_gets_tokens_of_another(room: Classroom) -> None:
    """By the address of its tokens, or its name as their audience, and this server's name there."""
    (client_id,) = room.platform.clients
    (true,) = room.room.queue.records.all(Known)
    with Platform().running() as evil:
        evil.add_tool(tool_of(room.service.address, client_id=client_id))
        (mine,) = evil.clients.values()
        evil.add_tool = lambda _: mine  # type: ignore[method-assign, assignment]
        refused = registers(room, evil.registration_request())
    assert (refused.status_code, "as this client before" in refused.text) == (502, True)
    assert room.room.queue.records.all(Known) == [true]


def test_a_launch_that_names_no_assignment_unbinds_no_link(room: Classroom) -> None:
    ada = room.person(room.comes("ada"))
    room.earns(ada, 7.0)
    room.send()
    custom = "https://purl.imsglobal.org/spec/lti/claim/custom"
    for sub in ("ben", "noether"):
        room.comes(sub, claims=lambda c: {n: v for n, v in c.items() if n != custom})
    room.send()
    assert [body.get("scoreGiven") for body in room.received()] == [7.0]
    assert room.platform.launch(room.browser(), "ben", room.link.id).headers["location"] == "/a/hw1"
