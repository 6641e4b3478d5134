"""The simulated platform is right, for a tool by other people too, and strict."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import httpx
import pytest
from joserfc import jws, jwt
from joserfc.errors import BadSignatureError
from joserfc.jwk import KeySet, OctKey, RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.serve.lti import platform as simulated
from tests.serve.lti.platform import (
    AGS,
    ASSERTION,
    CLAIM,
    DEEP,
    DEEP_LINKING,
    INSTRUCTOR,
    ITEM_TYPE,
    LEARNER,
    LINE_ITEM,
    LINE_ITEM_READ,
    OF_PLATFORM,
    OF_TOOL,
    SCORE,
    SCORE_TYPE,
    Json,
    Platform,
    Refused,
    ResourceLink,
    ToolRegistration,
)

SETTINGS = f"{DEEP}deep_linking_settings"
ITEMS = f"{DEEP}content_items"
FOREIGN = os.environ.get("GRADER_FOREIGN_PYTHON", "")


def without(fields: Json) -> Json:
    """The fields but those that are to be left out."""
    return {name: value for name, value in fields.items() if value != "out"}


@dataclass
class Naive:
    """A tool that believes everything. `changes` are made to what it asks the platform for."""

    key: RSAKey = field(default_factory=simulated.make_key)
    published: list[dict[str, Any]] = field(default_factory=list)
    changes: dict[str, str] = field(default_factory=dict)
    headers: list[dict[str, str]] = field(default_factory=list)

    def app(self) -> Starlette:
        self.published = [dict(self.key.as_dict(private=False))]
        served = {"/login": self.login, "/launch": self.launched, "/jwks": self.jwks}
        routes = [Route(path, do, methods=["GET", "POST"]) for path, do in served.items()]
        return Starlette(routes=routes)

    async def jwks(self, request: Request) -> Response:
        return JSONResponse({"keys": self.published})

    async def login(self, request: Request) -> Response:
        sent = dict(parse_qsl((await request.body()).decode() or request.url.query))
        self.headers = [dict(request.headers)]
        if "refuse" in self.changes:
            return Response("No.", 403)
        asked = {name: sent[name] for name in ("client_id", "login_hint", "lti_message_hint")}
        asked |= {"scope": "openid", "response_type": "id_token", "response_mode": "form_post"}
        asked |= {"prompt": "none", "nonce": secrets.token_hex(8), "state": secrets.token_hex(8)}
        asked |= {"redirect_uri": str(request.url.replace(path="/launch", query=""))}
        asked |= self.changes
        if "by form" in self.changes:
            return Response(simulated.posting(f"{sent['iss']}/auth", asked))
        answer = RedirectResponse(f"{sent['iss']}/auth?{urlencode(asked)}", 302)
        answer.set_cookie("state", asked["state"])
        return answer

    async def launched(self, request: Request) -> Response:
        self.headers.append(dict(request.headers))
        sent = dict(parse_qsl((await request.body()).decode()))
        return JSONResponse(sent | {"cookie": request.cookies.get("state")})


@dataclass
class Place:
    """A platform, and the naive tool that is registered there."""

    platform: Platform
    naive: Naive
    tool: ToolRegistration
    browser: httpx.Client

    def link(self, **about: Any) -> ResourceLink:
        return self.platform.add_link("c1", "A link", **about)

    def token(
        self,
        scope: str = f"{LINE_ITEM} {SCORE}",
        *,
        change: Json | None = None,
        header: Json | None = None,
        key: RSAKey | OctKey | None = None,
        form: dict[str, str] | None = None,
        content: str = simulated.FORM_TYPE,
    ) -> httpx.Response:
        """Asks for an access token as it should be done, but for the changes."""
        now, place = int(time.time()), f"{self.platform.issuer}/token"
        claims = {"iss": self.tool.client_id, "sub": self.tool.client_id, "aud": place, "iat": now}
        claims |= {"exp": now + 300, "jti": secrets.token_hex(8)} | (change or {})
        named = without({"alg": "RS256", "kid": self.naive.key.kid} | (header or {}))
        fields = {"grant_type": "client_credentials", "client_assertion_type": ASSERTION}
        fields |= {"scope": scope, **(form or {})}
        fields["client_assertion"] = simulated.signed(named, claims, key or self.naive.key)
        headers = {"Content-Type": content}
        return self.browser.post(place, content=urlencode(fields), headers=headers)

    def bearer(self, scope: str = f"{LINE_ITEM} {SCORE}", **more: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token(scope).json()['access_token']}"} | more

    def items(self, query: str = "", **more: Any) -> httpx.Response:
        address = f"{self.platform.issuer}/courses/c1/lineitems?type_id={self.tool.type_id}{query}"
        return self.browser.get(address, headers=self.bearer(LINE_ITEM_READ), **more)

    def score(self, link: ResourceLink, **change: Any) -> httpx.Response:
        score = {"userId": "ada", "timestamp": "2026-01-02T03:04:05.678Z", "scoreGiven": 1}
        score |= {"scoreMaximum": 2, "activityProgress": "Completed"}
        score |= {"gradingProgress": "FullyGraded", **change}
        address = str(link.lineitem).replace("?", "/scores?")
        headers = self.bearer(SCORE, **{"Content-Type": SCORE_TYPE})
        return self.browser.post(address, json=without(score), headers=headers)

    def chosen(self, change: Json | None = None, header: Json | None = None, **more: Any) -> str:
        """The page with which a tool answers a choice, as it should be but for the changes."""
        launched = self.platform.launch(self.browser, "noether", message=DEEP_LINKING)
        settings = self.verified(launched)[SETTINGS]
        now = int(time.time())
        claims: Json = {"iss": self.tool.client_id, "aud": self.platform.issuer, "iat": now}
        claims |= {"exp": now + 300, "nonce": secrets.token_hex(8)}
        claims |= {f"{CLAIM}message_type": "LtiDeepLinkingResponse", f"{CLAIM}version": "1.3.0"}
        claims |= {f"{CLAIM}deployment_id": self.tool.deployment_id}
        claims |= {f"{DEEP}data": settings["data"], ITEMS: [{"type": "ltiResourceLink"}]}
        made = without(claims | (change or {}))
        named = without({"alg": "RS256", "kid": self.naive.key.kid} | (header or {}))
        sent = {"JWT": simulated.signed(named, made, more.pop("key", self.naive.key))} | more
        return simulated.posting(settings["deep_link_return_url"], sent)

    def verified(self, launched: httpx.Response) -> Json:
        """The claims of a message, by the keys that the platform publishes."""
        keys = KeySet.import_key_set(self.browser.get(f"{self.platform.issuer}/jwks").json())
        token = jwt.decode(launched.json()["id_token"], keys, ["RS256"])
        return dict(token.claims)


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    """One for all tests. Each makes the link that it needs."""
    naive, platform = Naive(), Platform()
    browser = httpx.Client(trust_env=False, timeout=10)
    with simulated.serving(naive.app()) as here, platform.running(), browser:
        tool = ToolRegistration(f"{here}/login", (f"{here}/launch",), f"{here}/jwks", here)
        platform.add_tool(tool)
        platform.enrol("c1", "ada", LEARNER, sourcedid="4711", name="Ada Lovelace")
        platform.enrol("c1", "noether", INSTRUCTOR)
        platform.enrol("c2", "ben", LEARNER)
        yield Place(platform, naive, tool, browser)


@contextlib.contextmanager
def changed(of: object, **values: Any) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in values.items():
            patch.setattr(of, name, value)
        yield


# Launches


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_launch_is_a_message_of_the_specification(place: Place, method: str) -> None:
    platform, tool = place.platform, place.tool
    link = place.link(maximum=10, custom={"who": "$Person.sourcedId", "a": "$Other.id"}, url="u:1")
    launched = platform.launch(place.browser, "ada", link.id, method=method)
    claims = place.verified(launched)
    assert launched.json()["cookie"] == launched.json()["state"]
    fixed = (claims["iss"], claims["aud"], claims["sub"], claims["exp"] - claims["iat"])
    assert fixed == (platform.issuer, tool.client_id, "ada", 300)
    assert (claims["name"], claims["given_name"]) == ("Ada Lovelace", "Ada")
    own = {name.removeprefix(CLAIM): value for name, value in claims.items()}
    assert own["message_type"] == "LtiResourceLinkRequest"
    assert (own["version"], own["deployment_id"]) == ("1.3.0", tool.deployment_id)
    assert own["target_link_uri"] == "u:1"
    assert own["resource_link"] == {"id": link.id, "title": "A link"}
    assert own["roles"] == [LEARNER] and own["context"]["id"] == "c1"
    assert own["custom"] == {"who": "4711", "a": "$Other.id"}
    assert own["lis"]["person_sourcedid"] == "4711"
    assert own[f"{AGS}claim/endpoint"] == {
        "scope": sorted(tool.scopes),
        "lineitems": f"{platform.issuer}/courses/c1/lineitems?type_id={tool.type_id}",
        "lineitem": link.lineitem,
    }
    origins = [headers.get("origin") for headers in place.naive.headers]
    assert origins == [platform.issuer if method == "POST" else None, platform.issuer]


WRONG = {
    "redirect_uri": "http://127.0.0.1/launch",
    "scope": "openid email",
    "response_type": "code",
    "response_mode": "query",
    "prompt": "login",
    "nonce": "",
    "state": "",
    "client_id": "another",
    "login_hint": "ada",
    "lti_message_hint": "",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_authentication_request_is_refused(place: Place, name: str) -> None:
    link = place.link()
    with (
        changed(place.naive, changes={name: WRONG[name]}),
        pytest.raises(Refused, match=name) as refused,
    ):
        place.platform.launch(place.browser, "ada", link.id)
    assert place.platform.refused[-1] is refused.value
    assert refused.value.where == "/auth"


def test_a_nonce_is_good_for_one_message(place: Place) -> None:
    link = place.link()
    with changed(place.naive, changes={"nonce": secrets.token_hex(8)}):
        place.platform.launch(place.browser, "ada", link.id)
        with pytest.raises(Refused, match="used before"):
            place.platform.launch(place.browser, "ada", link.id)


def test_a_hostile_launch_sends_what_is_asked_for(place: Place) -> None:
    platform, browser, link = place.platform, place.browser, place.link().id

    def launched(**hostile: Any) -> httpx.Response:
        return platform.launch(browser, "ada", link, **hostile)

    claims = place.verified(launched(claims=lambda claims: claims.update(sub="eve")))
    assert claims["sub"] == "eve"
    assert place.verified(launched(claims=lambda claims: {"only": 1})) == {"only": 1}
    stranger = simulated.make_key()
    with pytest.raises(BadSignatureError):
        place.verified(launched(key=stranger))
    bare = launched(header=lambda header: {"alg": "none"}).json()["id_token"]
    assert bare.endswith(".") and jwt_header(bare) == {"alg": "none"}
    pem = platform.keys[0].as_pem(private=False)
    confused = launched(header=lambda header: header | {"alg": "HS256"}, key=OctKey(pem, pem))
    token, secret = confused.json()["id_token"], OctKey(pem, pem)
    assert jwt.decode(token, secret, ["HS256"]).claims["sub"] == "ada"
    assert launched(token=lambda token: token[:-1]).json()["id_token"][-1:] != token[-1:]
    changed_form = launched(form=lambda form: form | {"state": "mine"}, headers={"Origin": "null"})
    assert changed_form.json()["state"] == "mine"
    assert [headers["origin"] for headers in place.naive.headers] == ["null", "null"]
    assert platform.last and browser.post(platform.last.redirect_uri, data=platform.last.form)


def jwt_header(token: str) -> Json:
    return dict(jws.extract_compact(token.encode()).headers())


# Deep linking


def test_a_choice_makes_links_with_line_items(place: Place) -> None:
    platform = place.platform
    base = {"type": "ltiResourceLink", "title": "One"}
    graded = {"lineItem": {"scoreMaximum": 3, "resourceId": "r", "tag": "t"}}
    more = {"url": "http://127.0.0.1/x", "custom": {"exercise": "double"}}
    page = place.chosen({ITEMS: [base, base | graded | more]})
    plain, link = platform.deep_linked(page)
    assert (plain.course, plain.title, plain.lineitem) == ("c1", "One", None)
    items = [item for item in platform.line_items["c1"] if item["id"] == link.lineitem]
    own = {"label": "One", "resourceLinkId": link.id, **graded["lineItem"]}
    assert items == [{"id": link.lineitem, **own}]
    claims = place.verified(platform.launch(place.browser, "ada", link.id))
    assert claims[f"{CLAIM}target_link_uri"] == "http://127.0.0.1/x"
    assert claims[f"{CLAIM}custom"] == {"exercise": "double"}
    assert claims[f"{AGS}claim/endpoint"]["lineitem"] == link.lineitem


def item_of(**about: Any) -> Json:
    return {ITEMS: [{"type": "ltiResourceLink", "title": "One"} | about]}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"iss": "another"}, "iss"),
        ({"aud": "http://127.0.0.1"}, "aud"),
        ({"aud": "out"}, "aud"),
        ({"azp": "another"}, "azp"),
        ({"exp": 1}, "expired"),
        ({"exp": str(2**40)}, "exp"),
        ({"iat": 2**40, "exp": 2**41}, "of later"),
        ({"nonce": "out"}, "nonce"),
        ({f"{CLAIM}message_type": DEEP_LINKING}, "message_type"),
        ({f"{CLAIM}version": "1.3"}, "version"),
        ({f"{CLAIM}deployment_id": "1"}, "deployment_id"),
        ({f"{DEEP}data": "out"}, "data"),
        ({f"{DEEP}data": "of mine"}, "data"),
        ({ITEMS: "link"}, "content_items"),
        (item_of(type="link"), "type"),
        (item_of(url="/x"), "url"),
        (item_of(custom={"a": 1}), "custom"),
        (item_of(title=1), "title"),
        (item_of(lineItem=1), "lineItem"),
        (item_of(lineItem={}), "scoreMaximum"),
        (item_of(lineItem={"scoreMaximum": 0}), "scoreMaximum"),
        (item_of(title="", lineItem={"scoreMaximum": 1}), "label"),
    ],
)
def test_a_wrong_choice_is_refused(place: Place, change: Json, reason: str) -> None:
    before = dict(place.platform.links)
    with pytest.raises(Refused, match=reason):
        place.platform.deep_linked(place.chosen(change))
    assert place.platform.links == before


def test_a_choice_that_the_tool_has_not_signed_is_refused(place: Place) -> None:
    pages = [
        place.chosen(key=simulated.make_key()),
        place.chosen(header={"alg": "none"}),
        place.chosen(header={"kid": "out"}),
        place.chosen(header={"kid": "another"}),
        place.chosen(also="this"),
        place.chosen().replace('method="post"', 'method="get"'),
        place.chosen().replace("/deep-link-return", "/elsewhere"),
        "<p>No form.</p>",
    ]
    for page in pages:
        with pytest.raises(Refused):
            place.platform.deep_linked(page)


# Access tokens


def test_an_access_token_is_given(place: Place) -> None:
    given = place.token(SCORE)
    assert given.headers["cache-control"] == "no-store"
    told = given.json()
    assert (told["token_type"], told["expires_in"], told["scope"]) == ("Bearer", 3600, SCORE)
    listed = {"aud": [f"{place.platform.issuer}/token"]}
    own = {f"{CLAIM}deployment_id": place.tool.deployment_id}
    assert place.token(change=listed | own).status_code == 200


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ({"change": {"aud": "http://127.0.0.1/token"}}, "invalid_client"),
        ({"change": {"aud": None}}, "invalid_client"),
        ({"change": {"iss": "another"}}, "invalid_client"),
        ({"change": {"sub": "another"}}, "invalid_client"),
        ({"change": {"exp": 1}}, "invalid_client"),
        ({"change": {"exp": 2**40}}, "invalid_client"),
        ({"change": {"exp": None}}, "invalid_client"),
        ({"change": {"iat": None}}, "invalid_client"),
        ({"change": {"iat": 2**40, "exp": 2**40 + 9}}, "invalid_client"),
        ({"change": {"jti": ""}}, "invalid_client"),
        ({"change": {f"{CLAIM}deployment_id": "1"}}, "invalid_client"),
        ({"header": {"alg": "none"}}, "invalid_client"),
        ({"header": {"alg": "RS512"}}, "invalid_client"),
        ({"header": {"kid": "out"}}, "invalid_client"),
        ({"header": {"kid": "another"}}, "invalid_client"),
        ({"key": simulated.make_key()}, "invalid_client"),
        ({"form": {"client_assertion_type": "another"}}, "invalid_client"),
        ({"form": {"grant_type": "password"}}, "unsupported_grant_type"),
        ({"scope": ""}, "invalid_scope"),
        ({"scope": f"{SCORE} openid"}, "invalid_scope"),
    ],
)
def test_a_wrong_request_for_a_token_is_refused(place: Place, how: Json, error: str) -> None:
    answer = place.token(**how)
    assert (answer.status_code, answer.json()["error"]) == (400, error)


def test_an_assertion_is_good_for_one_token(place: Place) -> None:
    jti = {"jti": secrets.token_hex(8)}
    answers = [place.token(change=jti), place.token(change=jti)]
    assert [answer.status_code for answer in answers] == [200, 400]
    assert answers[1].json()["error_description"] == "jti was used before"


def test_an_access_token_expires(place: Place) -> None:
    link = place.link(maximum=1)
    with changed(place.platform, token_lifetime=0):
        answer = place.score(link)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")


# Line items and scores


def test_a_service_needs_a_token_for_it_and_its_whole_address(place: Place) -> None:
    browser, link = place.browser, place.link(maximum=1)
    address = str(link.lineitem)
    assert browser.get(address).status_code == 401
    assert browser.get(address, headers={"Authorization": "Bearer x"}).status_code == 401
    assert browser.get(address, headers=place.bearer(SCORE)).status_code == 403
    bearer = place.bearer(LINE_ITEM)
    assert browser.get(address, headers=bearer).json()["id"] == address
    cut, other = address.partition("?")[0], address.replace("/c1/", "/c2/")
    places = (cut, f"{cut}?type_id=x", other, f"{address}&more=1", address.replace("?", "/x?"))
    assert {browser.get(place, headers=bearer).status_code for place in places} == {404}
    items = f"{place.platform.issuer}/courses/c1/lineitems"
    listed = (items, f"{items}?type_id=x", items.replace("c1", "c3"))
    assert {browser.get(place, headers=bearer).status_code for place in listed} == {404}
    accepting = bearer | {"Accept": "text/html", "Content-Type": ITEM_TYPE}
    items += f"?type_id={place.tool.type_id}"
    asked = (("GET", address), ("GET", items), ("POST", items))
    codes = {browser.request(*one, headers=accepting).status_code for one in asked}
    assert codes == {406}
    assert browser.delete(address, headers=bearer).status_code == 404


def test_a_line_item_is_made(place: Place) -> None:
    link = place.link()
    address = f"{place.platform.issuer}/courses/c1/lineitems?type_id={place.tool.type_id}"
    item = {"label": "An item", "scoreMaximum": 2.5, "tag": "t", "resourceLinkId": link.id}

    def posted(change: Json, scope: str = LINE_ITEM, media: str = ITEM_TYPE) -> httpx.Response:
        headers = place.bearer(scope, **{"Content-Type": media})
        return place.browser.post(address, json=item | change, headers=headers)

    made = posted({})
    assert (made.status_code, made.headers["content-type"]) == (201, ITEM_TYPE)
    assert made.json() == {"id": link.lineitem, **item}
    posted({"tag": "second"})
    assert link.lineitem is None
    assert posted({}, LINE_ITEM_READ).status_code == 403
    assert posted({}, media="application/json").status_code == 415
    wrong = {"label": " ", "scoreMaximum": 0, "resourceId": 1, "tag": 1}
    for name, value in wrong.items():
        assert posted({name: value}).text.startswith(name)
    other = place.platform.add_link("c2", "Elsewhere")
    assert posted({"resourceLinkId": other.id}).status_code == 404


def test_a_score_is_received(place: Place) -> None:
    link = place.link(maximum=10)
    assert place.score(link, comment="Fine.", scoreGiven=3).status_code == 200
    received = place.platform.scores[-1]
    assert (received.line_item, received.user_id) == (link.lineitem, "ada")
    assert (received.body["scoreGiven"], received.body["comment"]) == (3, "Fine.")
    unmarked = {"scoreGiven": "out", "scoreMaximum": "out", "gradingProgress": "Pending"}
    extended = {"https://tool.example/more": 1, "timestamp": "2026-01-02T04:04:05.679+01"}
    assert place.score(link, **unmarked, **extended).status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        {"userId": "out"},
        {"userId": 4},
        {"timestamp": "out"},
        {"timestamp": "2026-01-02T03:04:05Z"},
        {"timestamp": "2026-01-02T03:04:05.678"},
        {"timestamp": "2026-01-02 03:04:05.678Z"},
        {"timestamp": "2026-13-02T03:04:05.678Z"},
        {"activityProgress": "out"},
        {"activityProgress": "completed"},
        {"gradingProgress": "Graded"},
        {"scoreMaximum": "out"},
        {"scoreMaximum": 0},
        {"scoreGiven": -1},
        {"scoreGiven": "1"},
        {"scoreGiven": True},
        {"comment": 1},
        {"scoringUserId": ""},
        {"score": 1},
        {"submission": 1},
        {"submission": {"startedAt": "yesterday"}},
        {"submission": {"submittedAt": "yesterday"}},
        {
            "submission": {
                "startedAt": "2026-01-02T03:04:05.678Z",
                "submittedAt": "2026-01-02T03:04:05.677Z",
            }
        },
    ],
)
def test_a_wrong_score_is_refused(place: Place, change: Json) -> None:
    before = len(place.platform.scores)
    answer = place.score(place.link(maximum=1), **change)
    assert answer.status_code == 400
    assert re.search(f"{next(iter(change))}|startedAt|submittedAt", answer.text)
    assert len(place.platform.scores) == before


def test_a_score_needs_its_scope(place: Place) -> None:
    address = str(place.link(maximum=1).lineitem).replace("?", "/scores?")
    headers = place.bearer(LINE_ITEM, **{"Content-Type": SCORE_TYPE})
    assert place.browser.post(address, json={}, headers=headers).status_code == 403


def test_a_score_must_be_later_than_the_last(place: Place) -> None:
    one, two = place.link(maximum=1), place.link(maximum=1)
    times = ["05.678Z", "05.678Z", "05.677Z", "05.6780+00:00", "05.679Z"]
    codes = [place.score(one, timestamp=f"2026-01-02T03:04:{t}").status_code for t in times]
    assert codes == [200, 409, 409, 409, 200]
    assert place.score(two).status_code == 200


def test_only_a_learner_of_the_course_has_a_score(place: Place) -> None:
    link = place.link(maximum=1)
    answers = [place.score(link, userId=sub) for sub in ("ben", "noether", "nobody")]
    assert [answer.status_code for answer in answers] == [422] * 3
    assert answers[0].text == "ben is no learner in Course c1"


# Trouble


# Dynamic Registration


def configuration(here: str = "http://127.0.0.1:4") -> Json:
    own: Json = {
        "domain": "127.0.0.1",
        "target_link_uri": f"{here}/launch",
        "claims": ["sub", "name"],
    }
    own |= {"messages": [{"type": DEEP_LINKING, "target_link_uri": f"{here}/choose"}]}
    return {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": f"{here}/login",
        "redirect_uris": [f"{here}/launch"],
        "client_name": "A tool",
        "jwks_uri": f"{here}/jwks",
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": f"{SCORE} unknown",
        OF_TOOL: own,
    }


@pytest.fixture
def registering(place: Place) -> Iterator[Callable[[Json], httpx.Response]]:
    """Registers a tool with one token. The tools are gone after the test."""
    asked = place.platform.registration_request()
    told = place.browser.get(asked["openid_configuration"]).json()
    headers = {"Authorization": f"Bearer {asked['registration_token']}"}

    def registered(tool: Json) -> httpx.Response:
        return place.browser.post(told["registration_endpoint"], json=tool, headers=headers)

    with changed(place.platform, clients=dict(place.platform.clients)):
        yield registered


def test_a_tool_registers_itself_once(
    place: Place, registering: Callable[[Json], httpx.Response]
) -> None:
    told = place.browser.get(f"{place.platform.issuer}/openid-configuration").json()
    assert told["issuer"] == place.platform.issuer
    messages = [message["type"] for message in told[OF_PLATFORM]["messages_supported"]]
    assert messages == ["LtiResourceLinkRequest", DEEP_LINKING]
    answer = registering(configuration())
    made = answer.json()
    tool = place.platform.clients[made["client_id"]]
    assert (answer.status_code, made["scope"]) == (201, SCORE)
    assert made[OF_TOOL]["deployment_id"] == tool.deployment_id
    assert tool.deep_link_uri == "http://127.0.0.1:4/choose"
    assert tool.claims == {"sub", "name"}
    assert registering(configuration()).status_code == 401
    address = told["registration_endpoint"]
    assert place.browser.post(address, json=configuration()).status_code == 401


@pytest.mark.parametrize(
    "change",
    [
        {"application_type": "native"},
        {"response_types": ["code"]},
        {"grant_types": ["implicit"]},
        {"scope": 1},
        {"initiate_login_uri": None},
        {"initiate_login_uri": "http://127.0.0.2/login"},
        {"redirect_uris": []},
        {"redirect_uris": ["http://127.0.0.2/"]},
        {"client_name": ""},
        {"jwks_uri": None},
        {"token_endpoint_auth_method": "client_secret_basic"},
        {OF_TOOL: None},
        {"domain": None, "secondary_domains": ["127.0.0.1"]},
        {"domain": "127.0.0.1:5"},
        {"secondary_domains": 1},
        {"target_link_uri": None},
        {"claims": ["name"]},
        {"messages": None},
        {"messages": [{"type": "Another"}]},
        {"messages": [{"type": DEEP_LINKING, "target_link_uri": 1}]},
        {"messages": [{"type": DEEP_LINKING, "target_link_uri": "http://127.0.0.2/"}]},
    ],
)
def test_a_wrong_configuration_is_refused(
    registering: Callable[[Json], httpx.Response], change: Json
) -> None:
    tool = configuration()
    name = next(iter(change))
    (tool if name in tool else tool[OF_TOOL]).update(change)
    answer = registering(tool)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata")
    assert registering(configuration()).status_code == 201


# A tool by other people


@pytest.fixture
def foreign() -> Iterator[str]:
    """Its address. It is a process of its own, in an environment of its own."""
    if not FOREIGN:
        pytest.skip("no foreign platforms: GRADER_FOREIGN_PYTHON is not set")
    # `-P`, or this folder's `platform` would stand in for Python's own.
    command = [FOREIGN, "-P", str(Path(__file__).with_name("foreign_tool.py"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


@pytest.mark.slow
def test_a_foreign_tool_gets_on_with_the_platform(foreign: str) -> None:
    platform, browser = Platform(page_size=2), httpx.Client(trust_env=False, timeout=10)
    with platform.running(), browser:
        for sub, role in (("ada", LEARNER), ("noether", INSTRUCTOR)):
            platform.enrol("c1", sub, role)
        registered = browser.get(f"{foreign}/register", params=platform.registration_request())
        assert "org.imsglobal.lti.close" in registered.text
        page = platform.launch(browser, "noether", message=DEEP_LINKING)
        (link,) = platform.deep_linked(page.text)
        assert (link.title, link.custom) == ("Chosen", {"exercise": "double"})
        others = [platform.add_link("c1", f"Other {n}", maximum=1) for n in range(3)]
        for method in ("GET", "POST"):
            told = platform.launch(browser, "ada", link.id, method=method).json()
            labels = ["Chosen", *(other.title for other in others), "Extra"]
            assert (told["items"], told["item"]) == (labels, "Chosen")
            assert (told["sub"], told["name"], told["email"]) == ("ada", "Ada Doe", None)
            assert told["custom"] == {"exercise": "double"}
        taught = platform.launch(browser, "noether", link.id).json()
        assert "items" not in taught
        assert [(s.line_item, s.body["scoreGiven"]) for s in platform.scores] == [
            (link.lineitem, 8)
        ] * 2
        assert (len(platform.tokens), platform.refused) == (1, [])
        stranger = simulated.make_key()
        assert platform.launch(browser, "ada", link.id, key=stranger).status_code == 400
