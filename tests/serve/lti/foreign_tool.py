"""A tool by other people: `pylti1p3next` behind a server of the standard library.

It runs in an environment of its own, prints its address, registers itself where it is told to,
answers a choice with one link, and a learner's launch with the line items and a score of 8 of 10.
"""

# mypy: disable-error-code="import-not-found, misc"
# The project's own environment doesn't have the package.

from __future__ import annotations

import json
from datetime import UTC, datetime
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from pylti1p3.cookie import CookieService
from pylti1p3.deep_link_resource import DeepLinkResource
from pylti1p3.dynamic_registration import DynamicRegistration, generate_key_pair
from pylti1p3.grade import Grade
from pylti1p3.lineitem import LineItem
from pylti1p3.message_launch import MessageLaunch
from pylti1p3.oidc_login import OIDCLogin
from pylti1p3.redirect import Redirect
from pylti1p3.request import Request
from pylti1p3.service_connector import ServiceConnector
from pylti1p3.session import SessionService
from pylti1p3.tool_config import ToolConfDict

PRIVATE, PUBLIC = generate_key_pair(2048)
SESSION: dict[str, Any] = {}
TOKENS: dict[str, str] = {}
KNOWN: dict[str, Any] = {}
AGS = "https://purl.imsglobal.org/spec/lti-ags/scope/"


def configuration() -> Any:
    made = ToolConfDict(KNOWN)
    for issuer in KNOWN:
        made.set_private_key(issuer, PRIVATE)
        made.set_public_key(issuer, PUBLIC)
    return made


class Asked(Request):
    def __init__(self, fields: dict[str, str]) -> None:
        self.fields, self.session = fields, SESSION

    session = SESSION

    def is_secure(self) -> bool:
        return False

    def get_param(self, key: str) -> str | None:
        return self.fields.get(key)


class Cookies(CookieService):
    def __init__(self, header: str) -> None:
        self.known = {name: one.value for name, one in SimpleCookie(header).items()}
        self.made: list[str] = []

    def get_cookie(self, name: str) -> str | None:
        return self.known.get(name)

    def set_cookie(self, name: str, value: object, exp: int | None = 3600) -> None:
        self.made.append(f"{name}={value}; Path=/; HttpOnly")


class To(Redirect):
    def __init__(self, place: str) -> None:
        self.place = place

    def do_redirect(self) -> str:
        return self.place


class Login(OIDCLogin):
    def get_redirect(self, url: str) -> To:
        return To(url)


class Services(ServiceConnector):
    def _get_cached_access_token(self, scope_key: str) -> str | None:
        return TOKENS.get(scope_key)

    def _cache_access_token(self, scope_key: str, access_token: str, expires_in: float) -> None:
        TOKENS[scope_key] = access_token


class Launch(MessageLaunch):
    def _get_request_param(self, key: str) -> Any:
        return self._request.get_param(key)


class Registration(DynamicRegistration):
    client_name = "A foreign tool"

    def __init__(self, here: str, fields: dict[str, str]) -> None:
        self.here = here
        self.get_openid_configuration_endpoint = lambda: fields["openid_configuration"]
        self.get_registration_token = lambda: fields["registration_token"]
        self.get_initiate_login_uri = lambda: f"{here}/login"
        self.get_jwks_uri = lambda: f"{here}/jwks"
        self.get_redirect_uris = lambda: [f"{here}/launch"]
        self.get_target_link_uri = lambda: f"{here}/launch"
        self.get_logo_uri = lambda: f"{here}/logo"
        self.get_domain = lambda: urlsplit(here).netloc
        self.get_scopes = lambda: [f"{AGS}lineitem", f"{AGS}score"]
        self.get_claims = lambda: ["sub", "name"]
        self.get_messages = lambda: [{"type": "LtiDeepLinkingRequest"}]

    def complete_registration(self, platform: dict[str, Any], told: dict[str, Any]) -> None:
        KNOWN[platform["issuer"]] = {
            "client_id": told["client_id"],
            "auth_login_url": platform["authorization_endpoint"],
            "auth_token_url": platform["token_endpoint"],
            "key_set_url": platform["jwks_uri"],
            "deployment_ids": [
                told["https://purl.imsglobal.org/spec/lti-tool-configuration"]["deployment_id"]
            ],
        }


def launched(launch: Any) -> tuple[str, str]:
    """The page of a launch, and its type."""
    claims = launch.get_launch_data()
    if launch.is_deep_link_launch():
        item = LineItem().set_score_maximum(10).set_label("Chosen").set_resource_id("chosen")
        link = DeepLinkResource().set_title("Chosen").set_lineitem(item)
        link.set_custom_params({"exercise": "double"})
        return launch.get_deep_link().output_response_form([link]), "text/html"
    told = {"sub": claims["sub"], "name": claims.get("name"), "email": claims.get("email")}
    told["custom"] = claims["https://purl.imsglobal.org/spec/lti/claim/custom"]
    if launch.check_student_access():
        service = launch.get_ags()
        extra = LineItem().set_tag("extra").set_label("Extra").set_score_maximum(5)
        service.find_or_create_lineitem(extra)
        told["items"] = [item["label"] for item in service.get_lineitems()]
        told["item"] = service.get_lineitem().get_label()
        grade = Grade().set_user_id(claims["sub"]).set_score_given(8).set_score_maximum(10)
        grade.set_activity_progress("Submitted").set_grading_progress("FullyGraded")
        grade.set_timestamp(datetime.now(UTC).isoformat(timespec="milliseconds"))
        service.put_grade(grade)
    return json.dumps(told), "application/json"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path, query = urlsplit(self.path).path, urlsplit(self.path).query
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        fields = dict(parse_qsl(body or query, keep_blank_values=True))
        here = f"http://{self.headers['Host']}"
        request, cookies = Asked(fields), Cookies(self.headers.get("Cookie", ""))
        tools = {"session_service": SessionService(request), "cookie_service": cookies}
        status, place, page, media = 200, "", "", "text/html"
        try:
            if path == "/login":
                login = Login(request, configuration(), **tools)
                status, place = 302, login.redirect(f"{here}/launch")
            elif path == "/jwks":
                page, media = json.dumps(configuration().get_jwks()), "application/json"
            elif path == "/register":
                registration = Registration(here, fields)
                registration.register()
                page = registration.complete_html()
            else:
                launch = Launch(request, configuration(), service_connector_cls=Services, **tools)
                page, media = launched(launch)
        except Exception as error:
            status, page = 400, f"{type(error).__name__}: {error}"
        self.send_response(status)
        for cookie in cookies.made:
            self.send_header("Set-Cookie", cookie)
        if place:
            self.send_header("Location", place)
        self.send_header("Content-Type", media)
        self.send_header("Content-Length", str(len(page.encode())))
        self.end_headers()
        self.wfile.write(page.encode())

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as serving:
        print(f"http://127.0.0.1:{serving.server_port}", flush=True)
        serving.serve_forever()
