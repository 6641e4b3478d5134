"""What isn't right is refused with a reason, without a traceback, and leaves nothing behind."""

from __future__ import annotations

import base64
import contextlib
import hmac
import json
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from grader.serve.lti import keys, net
from grader.serve.lti.records import KEYS
from grader.serve.lti.records import Platform as Known
from grader.serve.lti.registration import invite
from tests.serve.lti.conftest import Classroom, tool_of
from tests.serve.lti.platform import AGS, CLAIM, DEEP, DEEP_LINKING, Json, Platform, make_key

ENDPOINT = f"{AGS}claim/endpoint"
ELSEWHERE = "https://elsewhere.example/lineitems/1"


def says(name: str, value: object) -> Callable[[Json], Json]:
    return lambda claims: {**claims, name: value}


def lacks(name: str) -> Callable[[Json], Json]:
    return lambda claims: {n: value for n, value in claims.items() if n != name}


def book(**about: object) -> Callable[[Json], Json]:
    return lambda claims: {**claims, ENDPOINT: {**claims[ENDPOINT], **about}}


NOW = time.time()
CLAIMS: dict[str, Callable[[Json], Json]] = {
    "another issuer": says("iss", "https://elsewhere.example"),
    "no issuer": lacks("iss"),
    "issuer is a number": says("iss", 7),
    "for another tool": says("aud", "another"),
    "for nobody": lacks("aud"),
    "audience is a number": says("aud", 7),
    "an empty audience": says("aud", []),
    "for two, presented by none": lambda c: {**c, "aud": [c["aud"], "another"]},
    "for two, presented by the other": lambda c: {
        **c, "aud": [c["aud"], "another"], "azp": "another"
    },
    "presented by another": says("azp", "another"),
    "expired": says("exp", NOW - 3600),
    "expires never": lacks("exp"),
    "expires in words": says("exp", "tomorrow"),
    "expires at no number": says("exp", float("nan")),
    "old": says("iat", NOW - 7200),
    "from the future": says("iat", NOW + 3600),
    "of no time": lacks("iat"),
    "of no number": says("iat", float("nan")),
    "another nonce": says("nonce", "x" * 32),
    "no nonce": lacks("nonce"),
    "an empty nonce": says("nonce", ""),
    "a list of nonces": says("nonce", ["a", "b"]),
    "LTI 1.1": says(f"{CLAIM}version", "1.1.0"),
    "no version": lacks(f"{CLAIM}version"),
    "another message": says(f"{CLAIM}message_type", "LtiSubmissionReviewRequest"),
    "no message": lacks(f"{CLAIM}message_type"),
    "another deployment": says(f"{CLAIM}deployment_id", "another"),
    "no deployment": lacks(f"{CLAIM}deployment_id"),
    "deployment is a number": says(f"{CLAIM}deployment_id", 7),
    "nobody": lacks("sub"),
    "nobody, null": says("sub", None),
    "nobody, empty": says("sub", ""),
    "a person who is a number": says("sub", 7),
    "a long person": says("sub", "x" * 300),
    "no roles": lacks(f"{CLAIM}roles"),
    "roles as one text": says(f"{CLAIM}roles", "Instructor"),
    "roles as numbers": says(f"{CLAIM}roles", [1, 2]),
    "no link": lacks(f"{CLAIM}resource_link"),
    "a list of links": says(f"{CLAIM}resource_link", [{"id": "1"}]),
    "a link without an id": says(f"{CLAIM}resource_link", {"title": "x"}),
    "a link with an empty id": says(f"{CLAIM}resource_link", {"id": ""}),
    "to another server": says(f"{CLAIM}target_link_uri", "https://elsewhere.example/lti/launch"),
    "to a server with our name in front": lambda c: {
        **c, f"{CLAIM}target_link_uri": c[f"{CLAIM}target_link_uri"].replace("/lti", ".evil/lti")
    },
    "to a number": says(f"{CLAIM}target_link_uri", 7),
    "a list of courses": says(f"{CLAIM}context", [{"id": "c1"}]),
    "another course": says(f"{CLAIM}context", {"id": "c9"}),
    "no course": lacks(f"{CLAIM}context"),
    "half a sign in a name": says("sub", "ada\ud800"),
    "custom parameters as a list": says(f"{CLAIM}custom", ["assignment"]),
    "an assignment that isn't here": says(f"{CLAIM}custom", {"assignment": "../../etc"}),
    "a column of another host": book(lineitem=ELSEWHERE),
    "columns of another host": book(lineitems=ELSEWHERE),
    "a column on another port": book(lineitem="http://127.0.0.1:9/lineitems/1"),
    "a column that is a script": book(lineitem="javascript:alert(1)"),
    "a column behind a name": lambda c: book(
        lineitem=c["iss"].replace("http://", "http://x@elsewhere.example#")
    )(c),
    "a gradebook as a text": says(ENDPOINT, "yes"),
    "scopes as a text": book(scope="all"),
}  # fmt: skip
HEADERS: dict[str, Callable[[Json], Json]] = {
    "no key's name": lacks("kid"),
    "an unknown key": says("kid", "nobody's"),
    "a key's name that is a number": says("kid", 7),
    "a key of its own": lambda h: {**h, "kid": "own", "jwk": make_key().as_dict(private=False)},
    "keys elsewhere": lambda h: {**h, "kid": "own", "jku": "http://127.0.0.1:9/keys"},
    "a critical extension": says("crit", ["exp"]),
}
TOKENS: dict[str, Callable[[str], str]] = {
    "no token": lambda token: "",
    "a part": lambda token: token[:40],
    "two parts": lambda token: token.rpartition(".")[0],
    "dots": lambda token: "...",
    "no base 64": lambda token: "ä.ö.ü",
    "a signature cut off": lambda token: token.rpartition(".")[0] + ".",
    "another body": lambda token: ".".join(
        (token.split(".")[0], "e30", token.split(".")[2])
    ),
    "no algorithm": lambda token: "eyJhbGciOiJub25lIn0." + token.split(".")[1] + ".",
    "deep JSON": lambda token: "e30." + "W1tb" * 4000 + ".AAAA",
}  # fmt: skip


def kept(room: Classroom) -> str:
    """All that the server knows, but for what the judges have."""
    records = room.room.queue.records
    people = [*room.service.database.people(), *room.service.database.people(teachers=True)]
    found = [repr(records.all(kind)) for kind in KEYS]
    sessions = room.service.database.rows("SELECT count(*) FROM keys")
    return "\n".join([*found, repr(people), repr(sessions)])


def refused(room: Classroom, sub: str = "ada", **hostile: Any) -> None:
    before = kept(room)
    answer = room.platform.launch(room.browser(), sub, room.link.id, **hostile)
    assert answer.status_code in (403, 404), answer.text
    reason = answer.text.partition('<p class="problem">')[2].partition("</p>")[0]
    assert 20 < len(reason) < 600
    assert "Traceback" not in answer.text
    assert room.service.cookie not in answer.cookies
    assert kept(room) == before


@pytest.mark.parametrize("name", CLAIMS)
def test_claims(shared: Classroom, name: str) -> None:
    refused(shared, claims=CLAIMS[name])


@pytest.mark.parametrize("name", HEADERS)
def test_headers(shared: Classroom, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "MOST_FETCHES", 1000)
    refused(shared, header=HEADERS[name])


@pytest.mark.parametrize("name", TOKENS)
def test_tokens(shared: Classroom, name: str) -> None:
    refused(shared, token=TOKENS[name])


def test_a_key_of_somebody_else_under_the_platforms_name(shared: Classroom) -> None:
    refused(shared, key=make_key())


def test_a_public_key_is_no_secret(shared: Classroom) -> None:
    """RS256's public key as the secret of HS256."""
    public = shared.platform.keys[0].as_pem(private=False)

    def forged(token: str) -> str:
        head = json.loads(base64.urlsafe_b64decode(token.split(".")[0] + "=="))
        said = json.dumps({**head, "alg": "HS256"}).encode()
        parts = base64.urlsafe_b64encode(said).decode().rstrip("=") + "." + token.split(".")[1]
        digest = hmac.digest(public, parts.encode(), "sha256")
        return f"{parts}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"

    refused(shared, token=forged)


def test_a_state_with_a_strange_header(shared: Classroom) -> None:
    strange = {"alg": "HS256", "crit": 7}
    head = base64.urlsafe_b64encode(json.dumps(strange).encode()).decode().rstrip("=")
    refused(shared, form=lambda f: {**f, "state": f"{head}.{f['state'].partition('.')[2]}"})


def test_an_invitation_replaces_no_registration(room: Classroom) -> None:
    """Whoever is invited can't take over another platform by saying its names."""
    known = room.room.queue.records.all(Known)
    (client_id,) = room.platform.clients
    other = Platform()
    with other.running():
        place = invite(room.service.database, room.service.address, is_local=True)
        given = other.registration_request()
        issuer, other.issuer = other.issuer, room.platform.issuer
        mine = tool_of(room.service.address, client_id=client_id)
        other.add_tool = lambda tool: mine  # type: ignore[method-assign]
        form = {"url": f"{issuer}/openid-configuration", "token": given["registration_token"]}
        refused_ = room.browser().post(place, data=form)
        other.issuer = issuer
    assert refused_.status_code == 502, refused_.text
    assert room.room.queue.records.all(Known) == known


def test_where_a_choice_goes(shared: Classroom) -> None:
    settings = f"{DEEP}deep_linking_settings"
    for value in (
        {"deep_link_return_url": ELSEWHERE, "accept_types": ["ltiResourceLink"]},
        7,
        None,
    ):
        before = kept(shared)
        answer = shared.platform.launch(
            shared.browser(), "noether", message=DEEP_LINKING, claims=says(settings, value)
        )
        assert answer.status_code == 403
        assert ELSEWHERE not in answer.headers["content-security-policy"]
        assert kept(shared) == before


FORMS: dict[str, Callable[[dict[str, str]], dict[str, str]]] = {
    "no state": lacks("state"),
    "an empty state": says("state", ""),
    "another state": says("state", "eyJhbGciOiJIUzI1NiJ9.e30.AAAA"),
    "a state without a signature": lambda f: {**f, "state": f["state"].rpartition(".")[0] + "."},
    "a refusal of the platform": lambda f: {"error": "login_required", "state": f["state"]},
}


@pytest.mark.parametrize("name", FORMS)
def test_forms(shared: Classroom, name: str) -> None:
    refused(shared, form=FORMS[name])


def test_a_launch_works_once(room: Classroom) -> None:
    browser = room.comes("ada")
    last = room.platform.last
    assert last is not None
    again = browser.post("/lti/launch", data=last.form)
    assert (again.status_code, "already used" in again.text) == (403, True)


def test_a_sign_in_belongs_to_its_browser(shared: Classroom) -> None:
    """Whoever gets somebody to post their own launch doesn't sign them in."""
    shared.comes("eve")
    last = shared.platform.last
    assert last is not None
    stolen = shared.browser()
    other = stolen.post("/lti/launch", data=last.form)
    assert (other.status_code, "cookie" in other.text) == (403, True)
    stolen.cookies.set(shared.room.launches.cookie, "x" * 32)
    assert "another browser" in stolen.post("/lti/launch", data=last.form).text


def test_two_windows_begin_at_once(shared: Classroom) -> None:
    """The second sign-in of a browser doesn't end the first."""
    browser = shared.browser()
    first = shared.platform.login_request(
        next(iter(shared.platform.clients)), "ada", shared.link.id
    )
    browser.post("/lti/login", data=first)
    cookie = browser.cookies[shared.room.launches.cookie]
    assert shared.platform.launch(browser, "ada", shared.link.id).status_code == 303
    assert browser.cookies[shared.room.launches.cookie] == cookie


@pytest.mark.parametrize(
    "change",
    [
        {"iss": "https://elsewhere.example"},
        {"iss": None},
        {"client_id": "another"},
        {"lti_deployment_id": "another"},
    ],
)
def test_a_sign_in_of_nobody(shared: Classroom, change: dict[str, str | None]) -> None:
    before = kept(shared)
    client_id = next(iter(shared.platform.clients))
    asked = shared.platform.login_request(client_id, "ada", shared.link.id)
    asked = {name: value for name, value in (asked | change).items() if value is not None}
    answer = shared.browser().get("/lti/login", params=asked)
    assert (answer.status_code, "No registration here" in answer.text) == (403, True)
    assert "set-cookie" not in answer.headers
    assert kept(shared) == before


def test_a_sign_in_leads_only_to_the_registered_address(shared: Classroom) -> None:
    client_id = next(iter(shared.platform.clients))
    asked = shared.platform.login_request(
        client_id, "ada", shared.link.id, target_link_uri="https://elsewhere.example/"
    )
    answer = shared.browser().get("/lti/login", params=asked, headers={"Host": "elsewhere.example"})
    assert answer.headers["location"].startswith(f"{shared.platform.issuer}/auth?")
    assert "elsewhere" not in answer.headers["location"]


def test_sign_ins_that_nobody_ends_leave_nothing(shared: Classroom) -> None:
    before, client_id = kept(shared), next(iter(shared.platform.clients))
    for _ in range(50):
        asked = shared.platform.login_request(client_id, "ada", shared.link.id)
        shared.browser().post("/lti/login", data=asked)
    assert kept(shared) == before


def test_what_was_used_is_forgotten(room: Classroom) -> None:
    records, now = room.room.queue.records, time.time()
    for n in range(5):
        assert records.use(f"nonce {n}", now, 10.0)
    assert not records.use("nonce 3", now + 9.0, 10.0)
    assert records.use("another", now + 11.0, 10.0)
    ((count,),) = room.service.database.rows(
        "SELECT count(*) FROM lti_used WHERE until < ?", now + 11
    )
    assert count == 0


def test_a_body_of_ten_megabytes(shared: Classroom) -> None:
    answer = shared.browser().post("/lti/launch", data={"id_token": "x" * 10_000_000})
    assert answer.status_code == 413


def test_a_key_that_rotates_within_a_launch(room: Classroom) -> None:
    room.comes("ada")
    room.platform.rotate()
    room.comes("ada")
    # Whoever names keys that aren't there doesn't make the server ask each time.
    for n in range(20):
        room.platform.launch(room.browser(), "ada", room.link.id, header=says("kid", f"no{n}"))
    asked = len([r for r in room.platform.requests if r.path == "/jwks"])
    assert asked <= keys.MOST_FETCHES
    # The keys that are known go on working meanwhile.
    room.comes("ben")


@pytest.mark.parametrize(
    "answer",
    [
        b"x" * 10_000_000,
        b"[" * 100_000,
        b'{"keys": []}',
        b'{"keys": 7}',
        b"[]",
        b'{"keys": [7, null, {"kty": "RSA"}, {"kty": "oct", "k": "AAAA", "kid": "a"}]}',
        "http://127.0.0.1:9/keys",
    ],
    ids=["huge", "deep", "none", "a number", "a list", "strange ones", "a redirect"],
)
def test_keys_that_cannot_be_used(
    shared: Classroom, answer: bytes | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared.room.launches, "theirs", keys.TheirKeys())
    monkeypatch.setattr(shared.platform, "jwks_answer", answer)
    refused(shared)


def test_a_weak_key_signs_nothing(shared: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    from joserfc.jwk import RSAKey

    with pytest.warns(UserWarning, match="2048"):
        weak = RSAKey.generate_key(1024, {"kid": "weak"})
    shown = json.dumps({"keys": [weak.as_dict(private=False)]}).encode()
    monkeypatch.setattr(shared.room.launches, "theirs", keys.TheirKeys())
    monkeypatch.setattr(shared.platform, "jwks_answer", shown)
    refused(shared, key=weak, header=lambda h: {**h, "kid": "weak"})


def test_a_key_with_its_private_half_signs_nothing(
    shared: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = make_key()
    shown = json.dumps({"keys": [own.as_dict(private=True)]}).encode()
    monkeypatch.setattr(shared.room.launches, "theirs", keys.TheirKeys())
    monkeypatch.setattr(shared.platform, "jwks_answer", shown)
    refused(shared, key=own, header=lambda h: {**h, "kid": own.kid})


@pytest.mark.parametrize(
    "url",
    [
        "http://school.example/keys",
        "https://127.0.0.1/keys",
        "https://[::1]/keys",
        "https://[::ffff:127.0.0.1]/keys",
        "https://localhost/keys",
        "https://169.254.169.254/latest/meta-data",
        "https://0.0.0.0/keys",
        "https://0x7f000001/keys",
        "https://[::7f00:1]/keys",
        "https://[2002:7f00:1::]/keys",
        "https://user@school.example/keys",
        "file:///etc/passwd",
        "gopher://school.example/",
        "//school.example/keys",
        "https://",
        "",
    ],
)
def test_nothing_on_this_machine_is_asked(url: str) -> None:
    with pytest.raises(net.NoAnswer):
        net.ask(url)


@pytest.mark.parametrize("closes", [True, False])
def test_an_answer_that_drips_has_an_end(closes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte comes in time, and the last one never."""
    monkeypatch.setattr(net, "WHOLE", 0.5)
    listening, ended = socket.create_server(("127.0.0.1", 0)), threading.Event()

    def drip() -> None:
        connection, _ = listening.accept()
        with connection, contextlib.suppress(OSError):
            kept = "close" if closes else "keep-alive"
            connection.sendall(
                f"HTTP/1.1 200 OK\r\nConnection: {kept}\r\nContent-Length: 99999\r\n\r\n".encode()
            )
            while not ended.wait(0.05):
                connection.sendall(b" ")

    thread = threading.Thread(target=drip)
    thread.start()
    try:
        with pytest.raises(net.NoAnswer):
            net.ask(f"http://127.0.0.1:{listening.getsockname()[1]}/", is_local=True)
    finally:
        ended.set()
        thread.join()
        listening.close()


@pytest.mark.parametrize("url", ["http://elsewhere.example/", "https://10.0.0.1/"])
def test_a_platform_on_this_machine_is_asked_here_alone(url: str) -> None:
    with pytest.raises(net.NoAnswer):
        net.ask(url, is_local=True)


def test_a_policy_holds_nothing_but_hosts(shared: Classroom) -> None:
    place = invite(shared.service.database, shared.service.address)
    for url in ("https://x; script-src *", "https://x y/", "https://a'b/"):
        answer = shared.browser().get(place, params={"openid_configuration": url})
        assert "script-src" not in answer.headers["content-security-policy"]
        assert answer.headers["content-security-policy"].count("'") % 2 == 0


def test_pages_of_teachers_are_no_pages_of_students(shared: Classroom) -> None:
    student = shared.comes("ada")
    for path in ("/lti", "/lti/scores/hw1"):
        assert student.get(path).status_code == 404
        assert shared.browser().get(path).status_code == 401
    for path in ("course", "link", "join", "scores/hw1/send", "scores/hw1/again"):
        assert student.post(f"/lti/{path}", data={"key": "x"}).status_code == 404


def test_two_registrations_of_one_issuer_are_told_apart(room: Classroom) -> None:
    """All hosted Canvas name one issuer."""
    from tests.serve.lti.conftest import register

    register(room.service, room.platform)
    first, second = room.platform.clients
    link = room.platform.add_link("c1", "L", custom={"assignment": "hw1"}, client_id=second)
    room.comes("noether", link.id, client_id=second)
    own = room.person(room.comes("ada", client_id=first))
    assert room.person(room.comes("ada", link.id, client_id=second)) != own
    asked = room.platform.login_request(first, "ada", room.link.id)
    asked.pop("client_id")
    # Its deployment tells which one is meant.
    assert room.browser().post("/lti/login", data=asked).status_code == 303
    asked.pop("lti_deployment_id")
    assert room.browser().post("/lti/login", data=asked).status_code == 403


def test_a_token_for_one_registration_opens_no_other(room: Classroom) -> None:
    first = next(iter(room.platform.clients))
    other = room.platform.add_tool(tool_of(room.service.address))
    refused(room, client_id=first, claims=says("aud", other.client_id))
