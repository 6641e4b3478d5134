# mypy: disable-error-code="import-not-found, import-untyped", allow-subclassing-any
"""A platform that our code shares nothing with: the library `lti1p3platform`, on `http.server`.

Written for lti1p3platform 0.1.8 (MIT), which makes the messages, checks the tool's requests and
answers for grades. We never import it. This script runs in an environment of its own, which needs

    pip install lti1p3platform==0.1.8

and is started by `PYTHON lti1p3.py PORT TOOL_ADDRESS`. PORT may be 0. Once it listens, it prints
one line of JSON with the addresses and names that a tool has to know; the rest goes to stderr.

The library has no memory. People, links, line items and scores are dicts here, gone at the end.
`start?user=NAME` launches the last link: `lab1`, or what a deep link added; `&link=ID` another.
Whose name begins with `student` is a learner, everybody else teaches. Two line items make a page.

What the library leaves unchecked, so that a launch or a score here says nothing about it:
- whether the tool's assertion for a token names the right `iss`, `sub` and `aud`, is new (`jti`),
  or ends (`exp` may miss). Its signature and `kid` are checked, and `exp` if any.
- `redirect_uri`: the library sends a launch wherever the tool says.
- which scopes a token has: any one of those of the launch opens all that deals with grades.
- a score's words and numbers, and a deep link's answer but for its signature and types of items.
  That the answer brings back `data`, and that `login_hint` is the person, is checked here.
"""

from __future__ import annotations

import html
import importlib.resources
import json
import sys
import traceback
import uuid
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import jwt
from jwcrypto.jwk import JWK
from lti1p3platform.exceptions import LineItemNotFoundException, LtiException, LtiServiceException
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.message_launch import LTIAdvantageMessageLaunchAbstract
from lti1p3platform.oidc_login import OIDCLoginAbstract
from lti1p3platform.registration import Registration
from lti1p3platform.request import Request
from lti1p3platform.response import generate_next_link
from lti1p3platform.score import UpdateScoreStatus
from lti1p3platform.service_connector import AssignmentsGradesService

VOCABULARY = "http://purl.imsglobal.org/vocab/lis/v2"
LEARNER = [f"{VOCABULARY}/membership#Learner", f"{VOCABULARY}/institution/person#Student"]
TEACHER = [f"{VOCABULARY}/membership#Instructor", f"{VOCABULARY}/institution/person#Faculty"]
DATA = "https://purl.imsglobal.org/spec/lti-dl/claim/data"
PAGE = 2

key = JWK.generate(kty="RSA", size=2048)
form = importlib.resources.files("lti1p3platform") / "framework/templates/launch.html"
address = tool = ""
people: dict[str, str] = {}  # names by what tools know them by
links: dict[str, dict[str, Any]] = {"lab1": {"title": "Lab 1"}}
chosen: list[dict[str, Any]] = []  # content items of the last deep link
line_items: dict[str, dict[str, Any]] = {}  # by address
scores: dict[tuple[str, str], dict[str, Any]] = {}  # by address of the line item, and person


class Platform(LTI1P3PlatformConfAbstract):
    """One for each request, since it keeps what it decoded, and the tool's keys."""

    def init_platform_config(self) -> None:
        self._registration = (
            Registration()
            .set_iss(address)
            .set_client_id("grader")
            .set_deployment_id("school-1")
            .set_launch_url(f"{tool}/lti/launch")
            .set_deeplink_launch_url(f"{tool}/lti/launch")
            .set_oidc_login_url(f"{tool}/lti/login")
            .set_tool_key_set_url(f"{tool}/lti/jwks.json")
            .set_platform_public_key(key.export_to_pem().decode())
            .set_platform_private_key(key.export_to_pem(private_key=True, password=None).decode())
        )
        self.set_accepted_deeplinking_types(["ltiResourceLink"])

    def get_registration_by_params(self, **kwargs: Any) -> Any:
        return self._registration

    def choose(self, answer: dict[str, str]) -> None:
        """Note what somebody chose in the tool. A link gets its line item at once, if any."""
        chosen[:] = self.validate_deeplinking_resp(answer)
        if self._jwt["body"].get(DATA) != "opaque":
            raise LtiException("the answer doesn't bring back `data`")
        for item in chosen:
            place = str(uuid.uuid4())
            links[place] = item
            if "lineItem" in item:
                add_line_item(item["lineItem"] | {"resourceLinkId": place})


class WebRequest(Request):
    def build_metadata(self, request: Handler) -> dict[str, Any]:
        numbers = {"page", "limit"}  # the library adds to `page`
        body = request.body.decode()
        kind = request.headers.get("Content-Type", "")
        return {
            "method": request.command,
            "form_data": dict(parse_qsl(body)) if "json" not in kind else {},
            "get_data": {k: int(v) if k in numbers else v for k, v in request.query.items()},
            "headers": request.headers,
            "content_type": kind,
            "path": request.path,
            "json": json.loads(body) if "json" in kind else None,
        }


class Login(OIDCLoginAbstract):
    def set_lti_message_hint(self, **kwargs: Any) -> None:
        self._lti_message_hint = json.dumps(kwargs)

    def get_redirect(self, url: str) -> str:
        return url


class Launch(LTIAdvantageMessageLaunchAbstract):
    def prepare_launch(self, preflight_response: dict[str, str]) -> None:
        hint = json.loads(preflight_response["lti_message_hint"])
        person = hint["person"]
        if person != preflight_response["login_hint"]:
            raise LtiException("somebody else is logged in")
        name = people[person]
        roles = LEARNER if name.startswith("student") else TEACHER
        self.set_user_data(person, roles, name.title(), f"{name}@school.example", name)
        self.set_launch_context_claim(
            "course-1", [f"{VOCABULARY}/course#CourseOffering"], "Arrays in JAX", "JAX"
        )
        if hint["deep"]:
            self.set_dl(f"{address}/deep-link", "Choose", "", {"ltiResourceLink"}, "opaque")
            return
        link = links[hint["link"]]
        self.set_launch_url(link.get("url", f"{tool}/lti/launch"))
        self.set_resource_link_claim(hint["link"], title=link.get("title"))
        self.set_launch_presentation_claim("window", f"{address}/course")
        if "custom" in link:
            self.set_custom_parameters_claim(link["custom"])
        own = [u for u, item in line_items.items() if item.get("resourceLinkId") == hint["link"]]
        self.set_ags(f"{address}/lineitems", own[0] if len(own) == 1 else None)

    def render_launch_form(self, launch_data: dict[str, str], **kwargs: Any) -> str:
        page = form.read_text(encoding="utf-8")  # Jinja isn't needed for three names
        for name, value in launch_data.items():
            page = page.replace(f"{{{{ {name} }}}}", html.escape(value))
        return page


def add_line_item(facts: dict[str, Any]) -> dict[str, Any]:
    url = f"{address}/lineitems/{uuid.uuid4()}"
    line_items[url] = facts | {"id": url}
    return line_items[url]


class Grades(AssignmentsGradesService):
    def find_lineitems(
        self, page: int = 1, limit: int | None = None, **wanted: str
    ) -> dict[str, Any]:
        names = {"resource_link_id": "resourceLinkId", "resource_id": "resourceId", "tag": "tag"}
        found = [
            item
            for item in line_items.values()
            if all(item.get(names[name]) == value for name, value in wanted.items())
        ]
        size = limit or PAGE
        content = found[(page - 1) * size : page * size]
        return {"content": content, "has_next": page * size < len(found)}

    def find_lineitem(self, line_item_id: str) -> dict[str, Any]:
        if line_item_id not in line_items:
            raise LineItemNotFoundException
        return line_items[line_item_id]

    def create_lineitem(self, creation_data: dict[str, Any]) -> dict[str, Any]:
        return add_line_item(creation_data)

    def update_lineitem(self, update_data: dict[str, Any]) -> dict[str, Any]:
        self.find_lineitem(update_data["id"]).update(update_data)
        return line_items[update_data["id"]]

    def delete_lineitem(self, line_item_id: str) -> None:
        del line_items[self.find_lineitem(line_item_id)["id"]]

    def update_score(self, line_item_id: str, score: dict[str, Any]) -> Any:
        self.find_lineitem(line_item_id)
        if score["userId"] not in people:
            return UpdateScoreStatus.NOTAPPLIED
        place = (line_item_id, score["userId"])
        moment = datetime.fromisoformat(score["timestamp"])
        old = scores.get(place)
        if old and moment <= datetime.fromisoformat(old["timestamp"]):
            return UpdateScoreStatus.OLD_TIMESTAMP
        scores[place] = score
        return UpdateScoreStatus.SUCCESS if old else UpdateScoreStatus.CREATED

    def get_results(self, line_item_id: str, **wanted: Any) -> dict[str, Any]:
        content = [
            {
                "id": f"{line_item_id}/results/{person}",
                "scoreOf": line_item_id,
                "userId": person,
                "resultScore": score.get("scoreGiven"),
                "resultMaximum": score.get("scoreMaximum"),
            }
            for (item, person), score in scores.items()
            if item == line_item_id and wanted.get("user_id", person) == person
        ]
        return {"content": content, "has_next": False}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        self.body = self.rfile.read(size)
        self.query = dict(parse_qsl(urlsplit(self.path).query))
        try:
            self.route(urlsplit(self.path).path)
        except LtiServiceException as error:
            self.answer(error.status_code, {"error": error.message})
        except Exception as error:
            traceback.print_exc()
            denied = isinstance(error, (jwt.PyJWTError, LtiException))
            self.answer(401 if denied else 400, {"error": repr(error)})

    do_POST = do_PUT = do_DELETE = do_GET  # noqa: N815

    def route(self, path: str) -> None:
        platform = Platform()
        if path == "/start":
            url = start(platform, **self.query)
            self.send_response(302)
            self.send_header("Location", url)
            self.end_headers()
        elif path == "/auth":
            self.answer(200, Launch(WebRequest(self), platform).lti_launch(), "text/html")
        elif path == "/token":
            self.answer(200, platform.get_access_token(dict(parse_qsl(self.body.decode()))))
        elif path == "/jwks":
            self.answer(200, platform.get_jwks())
        elif path == "/deep-link":
            platform.choose(dict(parse_qsl(self.body.decode())))
            self.answer(200, "<p>Saved.</p>", "text/html")
        elif path == "/harness/scores":
            self.answer(200, [stored(*place) for place in scores])
        elif path == "/harness/items":
            self.answer(200, chosen)
        else:
            self.grades(Grades(WebRequest(self), platform, f"{address}/lineitems"), path)

    def grades(self, service: Any, path: str) -> None:
        """Answer as the library's own module for Django does."""
        where = path.removeprefix("/lineitems").split("/")  # "", id, service
        item = {"line_item_id": f"{address}/lineitems/{where[1]}"} if where[1:] else {}
        call = {
            (1, "GET"): service.handle_get_lineitems,
            (1, "POST"): service.handle_create_lineitem,
            (2, "GET"): service.handle_get_lineitem,
            (2, "PUT"): service.handle_update_lineitem,
            (2, "DELETE"): service.handle_delete_lineitem,
            (3, "POST"): service.handle_update_score,
            (3, "GET"): service.handle_get_results,
        }[len(where), self.command]
        response = service.handle_resp(call, **item)
        result = response.result or {}
        body = result.get("content", response.result)
        if response.code >= 400:
            body = {"error": response.message}
        self.answer(response.code, body, response.media_type, result.get("next"))

    def answer(
        self, code: int, body: Any, kind: str = "application/json", following: str | None = None
    ) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        if following:
            self.send_header("Link", generate_next_link(following))
        self.end_headers()  # HTTP/1.0: the end of the connection ends the body
        if code != 204:
            self.wfile.write((body if kind == "text/html" else json.dumps(body)).encode())


def start(platform: Platform, user: str, link: str = "", deep: str = "") -> str:
    """The address of the tool's login. A launch's address is the same in login and message."""
    person = str(uuid.uuid5(uuid.NAMESPACE_DNS, user))
    people[person] = user
    link = link or list(links)[-1]
    login = Login(None, platform)
    login.set_lti_message_hint(person=person, link=link, deep=bool(deep))
    if not deep and "url" in links[link]:
        login.set_launch_url(links[link]["url"])
    return str(login.initiate_login(person))


def stored(line_item: str, person: str) -> dict[str, Any]:
    score = scores[line_item, person]
    return {
        "user": people[person],
        "sub": person,
        "given": score.get("scoreGiven"),
        "maximum": score.get("scoreMaximum"),
        "grading_progress": score.get("gradingProgress"),
        "activity_progress": score.get("activityProgress"),
        "comment": score.get("comment"),
        "line_item": line_item,
    }


def main(port: int, tool_address: str) -> None:
    global address, tool
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    address, tool = f"http://127.0.0.1:{server.server_port}", tool_address
    facts = {
        "issuer": address,
        "client_id": "grader",
        "deployment_id": "school-1",
        "auth_url": f"{address}/auth",
        "token_url": f"{address}/token",
        "jwks_url": f"{address}/jwks",
        "start": f"{address}/start?user=student",
        "start_deep_link": f"{address}/start?deep=1&user=staff",
        "scores": f"{address}/harness/scores",
        "items": f"{address}/harness/items",
    }
    print(json.dumps(facts), flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
