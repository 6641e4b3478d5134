"""The simulated platform is strict: what a platform must refuse, it refuses.

The other tests rely on that: an answer of ours that the platform takes is right. That a right one
is taken, and that a hostile launch is sent as it was asked for, they show themselves.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.serve.lti import platform as simulated
from tests.serve.lti.conftest import enrolled
from tests.serve.lti.platform import (
    ASSERTION,
    CLAIM,
    DEEP,
    DEEP_LINKING,
    LINE_ITEM,
    SCORE,
    SCORE_TYPE,
    Json,
    Platform,
    Refused,
    ToolRegistration,
)

ITEMS = f"{DEEP}content_items"


@dataclass
class Naive:
    """A platform, and a tool that believes everything. `changes` are made to what it asks for."""

    platform: Platform
    browser: httpx.Client
    key: RSAKey = field(default_factory=simulated.make_key)
    stranger: RSAKey = field(default_factory=simulated.make_key)
    changes: dict[str, str] = field(default_factory=dict)

    def app(self) -> Starlette:
        served = {"/login": self.login, "/launch": self.launched, "/jwks": self.jwks}
        return Starlette(
            routes=[Route(path, do, methods=["GET", "POST"]) for path, do in served.items()]
        )

    async def jwks(self, request: Request) -> Response:
        return JSONResponse({"keys": [self.key.as_dict(private=False)]})

    async def login(self, request: Request) -> Response:
        sent = dict(parse_qsl((await request.body()).decode()))
        asked = {name: sent[name] for name in ("client_id", "login_hint", "lti_message_hint")}
        asked |= {"scope": "openid", "response_type": "id_token", "response_mode": "form_post"}
        asked |= {"prompt": "none", "nonce": secrets.token_hex(8), "state": secrets.token_hex(8)}
        asked |= {"redirect_uri": str(request.url.replace(path="/launch", query=""))}
        return RedirectResponse(f"{sent['iss']}/auth?{urlencode(asked | self.changes)}", 302)

    async def launched(self, request: Request) -> Response:
        return JSONResponse(dict(parse_qsl((await request.body()).decode())))

    @property
    def tool(self) -> ToolRegistration:
        (tool,) = self.platform.clients.values()
        return tool

    def signed(self, audience: str, claims: Json, change: Json) -> str:
        """A message of the tool, right but for the changes: of a claim, or of the `key`."""
        now, key = int(time.time()), self.stranger if "key" in change else self.key
        claims = {
            "iss": self.tool.client_id,
            "aud": audience,
            "iat": now,
            "exp": now + 300,
        } | claims
        header = {"alg": change.get("alg", "RS256"), "kid": self.key.kid}
        return simulated.signed(header, claims | change, key)

    def token(self, scope: str = SCORE, **change: Any) -> httpx.Response:
        place, own = f"{self.platform.issuer}/token", {"sub": self.tool.client_id}
        fields = {"grant_type": "client_credentials", "client_assertion_type": ASSERTION}
        made = self.signed(place, own | {"jti": secrets.token_hex(8)}, change)
        return self.browser.post(place, data=fields | {"scope": scope, "client_assertion": made})

    def score(self, item: str | None, scope: str = SCORE, **change: Any) -> httpx.Response:
        score = {"userId": "ada", "timestamp": "2026-01-02T03:04:05.678Z", "scoreGiven": 1}
        score |= {"scoreMaximum": 2, "activityProgress": "Completed"}
        score |= {"gradingProgress": "FullyGraded", **change}
        bearer = f"Bearer {self.token(scope).json()['access_token']}"
        headers = {"Authorization": bearer, "Content-Type": SCORE_TYPE}
        address = str(item).replace("?", "/scores?")
        return self.browser.post(address, json=score, headers=headers)

    def chosen(self, change: Json) -> str:
        """The page with which the tool answers a teacher's choice."""
        launched = self.platform.launch(self.browser, "noether", message=DEEP_LINKING)
        sent = jwt.decode(launched.json()["id_token"], self.platform.keys[0]).claims
        claims: Json = {"nonce": secrets.token_hex(8), f"{CLAIM}version": "1.3.0"}
        claims |= {f"{CLAIM}message_type": "LtiDeepLinkingResponse"}
        claims |= {f"{CLAIM}deployment_id": self.tool.deployment_id}
        settings = sent[f"{DEEP}deep_linking_settings"]
        claims |= {f"{DEEP}data": settings["data"], ITEMS: [{"type": "ltiResourceLink"}]}
        made = self.signed(self.platform.issuer, claims, change)
        return simulated.posting(settings["deep_link_return_url"], {"JWT": made})


@pytest.fixture(scope="module")
def naive() -> Iterator[Naive]:
    """One for all tests. Each makes the link that it needs."""
    platform, browser = Platform(), httpx.Client(trust_env=False, timeout=10)
    made = Naive(platform, browser)
    with simulated.serving(made.app()) as here, platform.running(), browser:
        platform.add_tool(
            ToolRegistration(f"{here}/login", (f"{here}/launch",), f"{here}/jwks", here)
        )
        enrolled(platform)
        yield made


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("redirect_uri", "http://127.0.0.1/launch"),
        ("response_mode", "query"),
        ("nonce", ""),
        ("state", ""),
        ("client_id", "another"),
        ("login_hint", "ada"),
        ("lti_message_hint", ""),
    ],
)
def test_a_wrong_authentication_request_is_refused(
    naive: Naive, name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = naive.platform.add_link("c1", "A link")
    assert naive.platform.launch(naive.browser, "ada", link.id).status_code == 200
    monkeypatch.setattr(naive, "changes", {name: value})
    with pytest.raises(Refused, match=name):
        naive.platform.launch(naive.browser, "ada", link.id)


def test_a_nonce_is_good_for_one_message(naive: Naive, monkeypatch: pytest.MonkeyPatch) -> None:
    link = naive.platform.add_link("c1", "A link")
    monkeypatch.setattr(naive, "changes", {"nonce": secrets.token_hex(8)})
    naive.platform.launch(naive.browser, "ada", link.id)
    with pytest.raises(Refused, match="used before"):
        naive.platform.launch(naive.browser, "ada", link.id)


MESSAGES: list[Json] = [
    {"iss": "another"},
    {"aud": "http://127.0.0.1"},
    {"exp": 1},
    {"iat": 2**40, "exp": 2**40 + 9},
    {"alg": "none"},
    {"key": "of a stranger"},
]


@pytest.mark.parametrize(
    "change",
    [
        *MESSAGES,
        {"nonce": None},
        {f"{CLAIM}message_type": DEEP_LINKING},
        {f"{CLAIM}deployment_id": "1"},
        {f"{DEEP}data": "of mine"},
        {ITEMS: [{"type": "ltiResourceLink", "url": "/x"}]},
        {ITEMS: [{"type": "ltiResourceLink", "title": "One", "lineItem": {"scoreMaximum": 0}}]},
    ],
    ids=str,
)
def test_a_wrong_choice_makes_no_link(naive: Naive, change: Json) -> None:
    before = dict(naive.platform.links)
    with pytest.raises(Refused):
        naive.platform.deep_linked(naive.chosen(change))
    assert naive.platform.links == before


def test_a_choice_is_good_for_one_link(naive: Naive) -> None:
    page = naive.chosen({})
    assert len(naive.platform.deep_linked(page)) == 1
    with pytest.raises(Refused):
        naive.platform.deep_linked(page)


@pytest.mark.parametrize("change", [*MESSAGES, {"sub": "another"}, {"exp": 2**40}], ids=str)
def test_a_wrong_assertion_gets_no_token(naive: Naive, change: Json) -> None:
    answer = naive.token(**change)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client")


def test_an_assertion_is_good_for_one_token_of_its_scopes(naive: Naive) -> None:
    jti = secrets.token_hex(8)
    answers = [naive.token(jti=jti), naive.token(jti=jti), naive.token("openid")]
    assert [answer.status_code for answer in answers] == [200, 400, 400]


def test_an_access_token_expires_and_is_for_its_scopes(
    naive: Naive, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = naive.platform.add_link("c1", "A link", maximum=1).lineitem
    assert naive.score(item, LINE_ITEM).status_code == 403
    assert naive.score(str(item).partition("?")[0] + "?type_id=x").status_code == 404
    assert naive.browser.get(str(item)).status_code == 401
    monkeypatch.setattr(naive.platform, "token_lifetime", 0)
    assert naive.score(item).status_code == 401


@pytest.mark.parametrize(
    "change",
    [
        {"userId": 4},
        {"timestamp": "2026-01-02T03:04:05Z"},
        {"timestamp": "2026-01-02T03:04:05.678"},
        {"activityProgress": "completed"},
        {"gradingProgress": "Graded"},
        {"scoreMaximum": None},
        {"scoreGiven": -1},
        {"comment": 1},
        {"score": 1},
    ],
    ids=str,
)
def test_a_wrong_score_is_refused(naive: Naive, change: Json) -> None:
    before = len(naive.platform.scores)
    item = naive.platform.add_link("c1", "A link", maximum=1).lineitem
    assert naive.score(item, **change).status_code == 400
    assert len(naive.platform.scores) == before


def test_a_score_is_of_a_learner_and_later_than_the_last(naive: Naive) -> None:
    item = naive.platform.add_link("c1", "A link", maximum=1).lineitem
    times = ["05.678Z", "05.678Z", "05.677Z", "05.679Z"]
    codes = [naive.score(item, timestamp=f"2026-01-02T03:04:{t}").status_code for t in times]
    assert codes == [200, 409, 409, 200]
    assert [naive.score(item, userId=sub).status_code for sub in ("noether", "nobody")] == [422] * 2


def test_a_tool_registers_itself_once_and_rightly(naive: Naive) -> None:
    here, asked = "http://127.0.0.1:4", naive.platform.registration_request()
    own = {"domain": "127.0.0.1", "target_link_uri": here, "claims": ["sub"], "messages": []}
    tool = {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": f"{here}/login",
        "redirect_uris": [f"{here}/launch"],
        "client_name": "A tool",
        "jwks_uri": f"{here}/jwks",
        "token_endpoint_auth_method": "private_key_jwt",
        simulated.OF_TOOL: own,
    }
    wrong: list[Json] = [
        {"redirect_uris": ["http://127.0.0.2/"]},
        {"jwks_uri": None},
        {"token_endpoint_auth_method": "client_secret_basic"},
        {simulated.OF_TOOL: own | {"domain": "127.0.0.1:5"}},
        {simulated.OF_TOOL: own | {"messages": [{"type": "Another"}]}},
    ]
    headers = {"Authorization": f"Bearer {asked['registration_token']}"}
    address = f"{naive.platform.issuer}/register"
    codes = [
        naive.browser.post(address, json=tool | change, headers=headers).status_code
        for change in (*wrong, {}, {})
    ]
    assert codes == [*[400] * len(wrong), 201, 401]
    naive.platform.clients.popitem()
