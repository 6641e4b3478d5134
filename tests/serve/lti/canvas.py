"""Canvas as its source has it: who answers where in a registration by an address, and for a token.

From instructure/canvas-lms: `security_controller.rb`, `lti/oidc.rb`, `dynamic_registration_
controller.rb` and its schemas, `client_credentials_provider.rb` and `jwt_validator.rb`. A hosted
Canvas answers at three hosts: the issuer has the configuration, a second one the sign-in, tokens
and keys, and the school's the registration and the gradebooks. One's own is one host.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx
from joserfc import jws, jwt
from joserfc.jwk import KeySet
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.serve.lti.platform import AGS, NO_TLS, OF_PLATFORM, OF_TOOL, make_key, serving

Json = dict[str, Any]
SCOPES = {f"{AGS}scope/{name}" for name in ("lineitem", "lineitem.readonly", "score")}
PLACEMENTS = {"assignment_selection", "link_selection", "course_navigation", "ContentArea"}
PREFIX = "https://canvas.instructure.com/lti/"
DOMAIN = re.compile(r"([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+(:[0-9]{1,5})?")


def schema_errors(asked: Json) -> list[str]:
    """As `Schemas::Lti::IMS::OidcRegistration` has it."""
    own, wrong = asked.get(OF_TOOL) or {}, []
    must = {
        "application_type": asked.get("application_type") == "web",
        "grant_types": {"client_credentials", "implicit"} <= set(asked.get("grant_types") or ()),
        "response_types": "id_token" in (asked.get("response_types") or ()),
        "redirect_uris": bool(asked.get("redirect_uris")),
        "initiate_login_uri": isinstance(asked.get("initiate_login_uri"), str),
        "jwks_uri": isinstance(asked.get("jwks_uri"), str),
        "client_name": bool(asked.get("client_name")),
        "token_endpoint_auth_method": asked.get("token_endpoint_auth_method") == "private_key_jwt",
        "domain": bool(DOMAIN.fullmatch(own.get("domain") or "")),
        "messages": isinstance(own.get("messages"), list),
        "claims": isinstance(own.get("claims"), list),
        "scopes": set((asked.get("scope") or "").split()) - {"openid"} <= SCOPES,
    }
    wrong += [name for name, is_so in must.items() if not is_so]
    for message in own.get("messages") or ():
        if message.get("type") not in ("LtiResourceLinkRequest", "LtiDeepLinkingRequest"):
            wrong.append("type")
        wrong += [p for p in message.get("placements") or () if p not in PLACEMENTS]
    return wrong


def placements(tool: Json) -> dict[str, str]:
    """Each placement with its message, as `Lti::IMS::Registration#placements`: the first wins."""
    found: dict[str, str] = {}
    for message in tool["messages"]:
        for name in message.get("placements") or ["link_selection"]:
            found.setdefault(name, message["type"])
    return found


@dataclass
class Canvas:
    """`hosted`: at three addresses. `registration_token` is what its page gives to a tool."""

    is_hosted: bool
    issuer: str = ""
    sso: str = ""
    school: str = ""
    token: str = field(default_factory=lambda: secrets.token_urlsafe())
    client_id: str = "10000000000042"
    tool: Json = field(default_factory=dict)
    jwks_uri: str = ""
    audiences: list[object] = field(default_factory=list)
    scores: list[Json] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.key = make_key()

    @contextlib.contextmanager
    def running(self) -> Iterator[Canvas]:
        with contextlib.ExitStack() as stack:
            self.issuer = stack.enter_context(serving(self._app()))
            self.sso = self.school = self.issuer
            if self.is_hosted:
                self.sso = stack.enter_context(serving(self._app()))
                self.school = stack.enter_context(serving(self._app()))
            self._web = stack.enter_context(httpx.Client(trust_env=False, verify=NO_TLS))
            yield self

    def registration_request(self) -> dict[str, str]:
        place = f"{self.issuer}/api/lti/security/openid-configuration"
        query = f"?registration_token={self.token}"
        return {"openid_configuration": place + query, "registration_token": self.token}

    def _app(self) -> Starlette:
        routes = {
            "/api/lti/security/openid-configuration": self._configuration,
            "/api/lti/registrations": self._create,
            "/api/lti/security/jwks": self._jwks,
            "/login/oauth2/token": self._token,
            "/api/lti/courses/{course}/line_items": self._items,
            "/api/lti/courses/{course}/line_items/{item}/scores": self._score,
        }

        def asynchronous(answering: Any) -> Any:
            async def answer(request: Request) -> Response:
                body = await request.body()
                made: Response = await run_in_threadpool(answering, request, body)
                return made

            return answer

        both = ["GET", "POST"]
        return Starlette(
            routes=[Route(path, asynchronous(do), methods=both) for path, do in routes.items()]
        )

    def _is_at(self, request: Request, place: str) -> bool:
        return request.headers.get("host") == urlsplit(place).netloc

    def _refusal(self, why: str, status: int) -> Response:
        self.refused.append(why)
        return JSONResponse({"error": why}, status)

    def _configuration(self, request: Request, body: bytes) -> Response:
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not self._is_at(request, self.issuer):
            return self._refusal("no such page", 404)
        # Its source asks for the parameter, its documents for the header.
        if self.token not in (bearer,) or request.query_params.get("registration_token") != bearer:
            return self._refusal("Access token missing", 401)
        return JSONResponse(
            {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.sso}/api/lti/authorize_redirect",
                "registration_endpoint": f"{self.school}/api/lti/registrations",
                "jwks_uri": f"{self.sso}/api/lti/security/jwks",
                "token_endpoint": f"{self.sso}/login/oauth2/token",
                "token_endpoint_auth_methods_supported": ["private_key_jwt"],
                "token_endpoint_auth_signing_alg_values_supported": ["RS256"],
                "scopes_supported": sorted(SCOPES),
                "response_types_supported": ["id_token"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "claims_supported": ["sub", "picture", "email", "name", "locale"],
                "subject_types_supported": ["public"],
                "authorization_server": urlsplit(self.sso).netloc,
                OF_PLATFORM: {"product_family_code": "canvas", "version": "OpenSource"},
            }
        )

    def _create(self, request: Request, body: bytes) -> Response:
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not self._is_at(request, self.school) or bearer != self.token:
            return self._refusal("JWT did not include expected contents", 401)
        asked = json.loads(body)
        if errors := schema_errors(asked):
            return self._refusal(f"schema: {errors}", 422)
        self.tool, self.jwks_uri = asked[OF_TOOL], asked["jwks_uri"]
        kept = ("initiate_login_uri", "redirect_uris", "client_name", "jwks_uri")
        config = f"{PREFIX}registration_config_url"
        return JSONResponse(
            {
                "client_id": self.client_id,
                "application_type": "web",
                "grant_types": ["client_credentials", "implicit"],
                "response_types": ["id_token"],
                "token_endpoint_auth_method": "private_key_jwt",
                "scope": f"{asked['scope']} openid",
                **{name: asked[name] for name in kept},
                OF_TOOL: self.tool | {config: f"{self.school}/api/lti/registrations/1/view"},
                "registration_client_uri": f"{self.school}/api/lti/registrations/1",
                "deployment_id": "1:0123456789abcdef",
            }
        )

    def _jwks(self, request: Request, body: bytes) -> Response:
        return JSONResponse({"keys": [self.key.as_dict(private=False)]})

    def _token(self, request: Request, body: bytes) -> Response:
        sent = dict(httpx.QueryParams(body.decode()))
        assertion = sent["client_assertion"]
        claims = json.loads(jws.extract_compact(assertion.encode()).payload or b"{}")
        self.audiences.append(claims.get("aud"))
        keys = KeySet.import_key_set(self._web.get(self.jwks_uri).json())
        jwt.decode(assertion, keys, ["RS256"])
        expected = f"http://{request.headers['host']}/login/oauth2/token"
        given = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
        if missing := {"sub", "aud", "exp", "iat", "jti", "iss"} - claims.keys():
            return self._refusal(f"the following assertions are missing: {missing}", 400)
        if expected not in given:
            return self._refusal("the 'aud' is invalid", 400)
        if not time.time() - 300 < claims["iat"] < time.time() + 30:
            return self._refusal("the 'iat' must be less than 5 minutes old", 400)
        self.tokens.add(made := secrets.token_urlsafe())
        about = {"token_type": "Bearer", "expires_in": 3600, "scope": sent["scope"]}
        return JSONResponse({"access_token": made, **about})

    def _may(self, request: Request) -> bool:
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        return self._is_at(request, self.school) and bearer in self.tokens

    def _items(self, request: Request, body: bytes) -> Response:
        if not self._may(request):
            return self._refusal("no token", 401)
        return JSONResponse([])

    def _score(self, request: Request, body: bytes) -> Response:
        if not self._may(request):
            return self._refusal("no token", 401)
        self.scores.append(json.loads(body))
        return JSONResponse({"resultUrl": f"{request.url}/results/1"})

    # What a browser brings.

    def claims(self, sub: str, role: str, nonce: str, target: str, **about: Any) -> Json:
        """A launch of an assignment's link in course 1."""
        claim, now = "https://purl.imsglobal.org/spec/lti/claim/", int(time.time())
        items = f"{self.school}/api/lti/courses/1/line_items"
        return {
            "iss": self.issuer,
            "aud": self.client_id,
            "azp": self.client_id,
            "sub": sub,
            "iat": now,
            "exp": now + 3600,
            "nonce": nonce,
            "name": sub.title(),
            f"{claim}message_type": "LtiResourceLinkRequest",
            f"{claim}version": "1.3.0",
            f"{claim}deployment_id": "1:0123456789abcdef",
            f"{claim}target_link_uri": target,
            f"{claim}roles": [f"http://purl.imsglobal.org/vocab/lis/v2/membership#{role}"],
            f"{claim}context": {"id": "4dde05e8ca1973bcca9bffc13e1548820eee93a3", "title": "JAX"},
            f"{claim}resource_link": {"id": "a-link", "title": "Homework 1"},
            f"{claim}custom": {"assignment": "hw1"},
            f"{AGS}claim/endpoint": {
                "scope": sorted(SCOPES),
                "lineitems": items,
                "lineitem": f"{items}/7",
            },
            **about,
        }

    def launch(self, browser: httpx.Client, tool: str, sub: str, role: str) -> httpx.Response:
        """Opens the link, up to the tool's answer."""
        asking = {
            "iss": self.issuer,
            "login_hint": sub,
            "client_id": self.client_id,
            "target_link_uri": f"{tool}/lti/launch",
            "lti_message_hint": "a hint",
        }
        login = browser.post(f"{tool}/lti/login", data=asking)
        place = urlsplit(login.headers["location"])
        assert f"{place.scheme}://{place.netloc}{place.path}" == (
            f"{self.sso}/api/lti/authorize_redirect"
        )
        asked = httpx.QueryParams(place.query)
        claims = self.claims(sub, role, asked["nonce"], f"{tool}/lti/launch")
        token = jwt.encode({"alg": "RS256", "kid": self.key.kid}, claims, self.key)
        form = {"id_token": token, "state": asked["state"]}
        return browser.post(asked["redirect_uri"], data=form)
