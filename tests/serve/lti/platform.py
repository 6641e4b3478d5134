"""A simulated LTI 1.3 platform: the side of a learning management system.

It is written from 1EdTech's specifications (Security Framework 1.0, LTI Core 1.3, Deep Linking 2.0,
Assignment and Grade Services 2.0, Dynamic Registration 1.0) and checks all that a platform may.
Only https is not asked for.

    platform = Platform()
    with platform.running():
        tool = platform.add_tool(ToolRegistration("http://…/login", ("http://…/launch",), …))
        platform.enrol("c1", "ada", LEARNER)
        link = platform.add_link("c1", "A link", maximum=10)
        answer = platform.launch(browser, "ada", link.id)

What it knows: `issuer`, `clients`, `users`, `courses`, `links`, `line_items` by course, `keys` (the
first one signs; `rotate()` replaces it) and `tokens`, the access tokens that work.
What came in: `scores`, the accepted ones; `requests`, each with its status; `refused`, each with a
reason; `last`, the last launch, to replay it.
Trouble: `is_down` (503 everywhere), `seconds` (what an answer takes once the work is done),
`refuses` (status and text for a user's scores), `jwks_answer` (bytes in place of the keys, or text:
where they are said to be), `token_lifetime` and `page_size`, the most line items of an answer.
A hostile launch: the callables of `launch` change what it sends.
Registration: a tool's page is opened with the parameters of `registration_request()`.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
import itertools
import json
import math
import re
import secrets
import socket
import ssl
import threading
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from html.parser import HTMLParser
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import httpx
import uvicorn
from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet, OctKey, RSAKey
from joserfc.util import urlsafe_b64encode
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

Json = dict[str, Any]
Answering = Callable[[Request, bytes], Response]
Rules = Mapping[str, Callable[[Any], object]]

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP = "https://purl.imsglobal.org/spec/lti-dl/claim/"
AGS = "https://purl.imsglobal.org/spec/lti-ags/"
LINE_ITEM, LINE_ITEM_READ, SCORE = (
    f"{AGS}scope/{name}" for name in ("lineitem", "lineitem.readonly", "score")
)
SCOPES = frozenset((LINE_ITEM, LINE_ITEM_READ, SCORE))
OF_PLATFORM = "https://purl.imsglobal.org/spec/lti-platform-configuration"
OF_TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
LEARNER = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"
INSTRUCTOR = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"
COURSE = "http://purl.imsglobal.org/vocab/lis/v2/course#CourseOffering"
RESOURCE, DEEP_LINKING = "LtiResourceLinkRequest", "LtiDeepLinkingRequest"
ITEM_TYPE = "application/vnd.ims.lis.v2.lineitem+json"
ITEMS_TYPE = "application/vnd.ims.lis.v2.lineitemcontainer+json"
SCORE_TYPE = "application/vnd.ims.lis.v1.score+json"
FORM_TYPE = "application/x-www-form-urlencoded"
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
IDENTITY = frozenset(("name", "given_name", "family_name", "email"))
VARIABLES = ("User.id", "Person.sourcedId", "Context.id", "ResourceLink.id")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d(:?\d\d)?)", re.ASCII)
SKEW = 10
KEYS = 8
_MADE: list[Any] = []
# Plain HTTP needs no certificates, which take 30 ms to read.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class Refused(Exception):
    """What the platform does not accept, and where."""

    def __init__(self, reason: str, status: int = 400, error: str = "") -> None:
        super().__init__(reason)
        self.reason, self.status, self.error, self.where = reason, status, error, ""

    def response(self) -> Response:
        headers = {"WWW-Authenticate": "Bearer"} if self.status == 401 else None
        if self.error:
            told = {"error": self.error, "error_description": self.reason}
            return JSONResponse(told, self.status, headers)
        return PlainTextResponse(self.reason, self.status, headers)


def need(is_so: object, reason: str, status: int = 400, error: str = "") -> None:
    if not is_so:
        raise Refused(reason, status, error)


def check(found: Mapping[str, Any], rules: Rules, error: str = "") -> None:
    """Each value keeps its rule. `None` stands for one that isn't there."""
    for name, is_so in rules.items():
        need(is_so(found.get(name)), f"{name} is {found.get(name)!r}", error=error)


def one_of(*values: object) -> Callable[[Any], bool]:
    return lambda found: found in values


def maybe(rule: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda found: found is None or rule(found)


def each(rule: Callable[[Any], object], *values: object) -> Callable[[Any], object]:
    """A list that has these values, among others that keep a rule."""
    return lambda found: (
        isinstance(found, list) and all(map(rule, found)) and all(v in found for v in values)
    )


def is_number(found: Any) -> bool:
    return type(found) in (int, float) and math.isfinite(found)


def is_positive(found: Any) -> bool:
    return is_number(found) and found > 0


def is_string(found: Any) -> bool:
    return isinstance(found, str)


def is_text(found: Any) -> bool:
    return isinstance(found, str) and bool(found.strip())


def is_object(found: Any) -> bool:
    return isinstance(found, dict)


def is_address(found: Any) -> bool:
    return isinstance(found, str) and bool(re.fullmatch(r"https?://[^\s/]+(/\S*)?", found))


def is_time(found: Any) -> bool:
    """ISO 8601 with a sub-second precision and an offset."""
    try:
        return bool(TIME.fullmatch(found) and datetime.fromisoformat(found))
    except (TypeError, ValueError):
        return False


AUTHENTICATION: Rules = {
    "scope": one_of("openid"),
    "response_type": one_of("id_token"),
    "response_mode": one_of("form_post"),
    "prompt": one_of("none"),
    "state": is_text,
}
CONTENT_ITEM: Rules = {
    "type": one_of("ltiResourceLink"),
    "url": maybe(is_address),
    "title": maybe(is_string),
    "custom": maybe(lambda found: is_object(found) and all(map(is_string, found.values()))),
    "lineItem": maybe(is_object),
}
ITEM: Rules = {
    "label": is_text,
    "scoreMaximum": is_positive,
    "resourceId": maybe(is_string),
    "tag": maybe(is_string),
}
SUBMISSION: Rules = {"startedAt": maybe(is_time), "submittedAt": maybe(is_time)}
GIVEN: Rules = {
    "userId": is_text,
    "timestamp": is_time,
    "activityProgress": one_of("Initialized", "Started", "InProgress", "Submitted", "Completed"),
    "gradingProgress": one_of("FullyGraded", "Pending", "PendingManual", "Failed", "NotReady"),
    "scoreGiven": maybe(lambda found: is_number(found) and found >= 0),
    "scoreMaximum": maybe(is_positive),
    "comment": maybe(is_string),
    "scoringUserId": maybe(is_text),
    "submission": maybe(is_object),
}
TOOL: Rules = {
    "application_type": one_of("web"),
    "response_types": each(is_string, "id_token"),
    "grant_types": each(is_string, "implicit", "client_credentials"),
    "token_endpoint_auth_method": one_of("private_key_jwt"),
    "client_name": is_text,
    "scope": maybe(is_string),
    "initiate_login_uri": is_address,
    "jwks_uri": is_address,
    "redirect_uris": lambda found: found and each(is_address)(found),
    OF_TOOL: is_object,
}
TOOLS_OWN: Rules = {
    "domain": is_text,
    "secondary_domains": maybe(each(is_text)),
    "target_link_uri": is_address,
    "claims": each(is_text, "sub"),
    "messages": each(is_object),
}
MESSAGE: Rules = {"type": one_of(RESOURCE, DEEP_LINKING), "target_link_uri": maybe(is_address)}


def check_score(score: Json) -> None:
    check(score, GIVEN)
    for name in score:
        need(name in GIVEN or is_address(name), f"{name} is neither of a score nor an address")
    is_so = score.get("scoreGiven") is None or score.get("scoreMaximum") is not None
    need(is_so, "scoreGiven has no scoreMaximum")
    submission = score.get("submission") or {}
    check(submission, SUBMISSION)
    times = [datetime.fromisoformat(submission[n]) for n in SUBMISSION if submission.get(n)]
    need(times == sorted(times), "submittedAt is before startedAt")


def check_tool(tool: Json) -> None:
    """A tool's configuration, all of whose addresses are in its domains."""
    error = "invalid_client_metadata"
    check(tool, TOOL, error)
    own = tool[OF_TOOL]
    check(own, TOOLS_OWN, error)
    for message in own["messages"]:
        check(message, MESSAGE, error)
    addresses = [tool["initiate_login_uri"], tool["jwks_uri"], *tool["redirect_uris"]]
    addresses += [told.get("target_link_uri") for told in (own, *own["messages"])]
    domains = (own["domain"], *(own.get("secondary_domains") or ()))
    for place in map(urlsplit, filter(None, addresses)):
        is_so = place.netloc in domains or place.hostname in domains
        need(is_so, f"{place.geturl()} is outside {domains}", error=error)


@dataclass
class User:
    sub: str
    name: str
    email: str
    roles: tuple[str, ...]
    sourcedid: str = ""


@dataclass
class Course:
    id: str
    title: str
    members: set[str] = field(default_factory=set)


@dataclass
class ResourceLink:
    """`lineitem` is the address of its only line item. Without `url`, the tool's own is opened."""

    id: str
    course: str
    title: str
    custom: dict[str, str] = field(default_factory=dict)
    lineitem: str | None = None
    url: str = ""
    client_id: str = ""


@dataclass
class ToolRegistration:
    """`type_id` stands in the query of each address of a service, as Moodle's does."""

    initiate_login_uri: str
    redirect_uris: tuple[str, ...]
    jwks_uri: str
    target_link_uri: str
    deep_link_uri: str = ""
    scopes: frozenset[str] = SCOPES
    claims: frozenset[str] = IDENTITY
    client_id: str = field(default_factory=lambda: secrets.token_hex(8))
    deployment_id: str = field(default_factory=lambda: secrets.token_hex(4))
    type_id: str = field(default_factory=lambda: str(secrets.randbelow(10**6)))


class Access(NamedTuple):
    """What an access token is good for."""

    client_id: str
    scopes: frozenset[str]
    expires: float


class Intent(NamedTuple):
    """What a launch is about, from its first request on."""

    client_id: str
    sub: str
    course: str
    link: str | None
    message: str
    target: str
    login_hint: str


class Last(NamedTuple):
    redirect_uri: str
    token: str
    form: dict[str, str]


class ReceivedScore(NamedTuple):
    line_item: str
    user_id: str
    body: Json


class Seen(NamedTuple):
    path: str
    status: int
    method: str


class Form(HTMLParser):
    """The first form of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.action, self.method, self._forms = "", "", 0
        self.fields: dict[str, str] = {}
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._forms += tag == "form"
        if tag == "form" and self._forms == 1:
            self.action, self.method = given.get("action", ""), given.get("method", "").lower()
        elif tag == "input" and self._forms == 1 and given.get("name"):
            self.fields[given["name"]] = given.get("value", "")


def posting(address: str, fields: dict[str, str]) -> str:
    """A page that posts a form by itself."""
    hidden = "".join(
        f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
        for name, value in fields.items()
    )
    form = f'<form method="post" action="{html.escape(address)}">{hidden}</form>'
    return f"<!doctype html>{form}<script>document.forms[0].submit()</script>"


def make_key() -> RSAKey:
    """One that nobody else has."""
    return RSAKey.generate_key(2048, {"kid": secrets.token_hex(4), "use": "sig", "alg": "RS256"})


def of_a_platform() -> RSAKey:
    """Another one than the last `KEYS` platforms have, under a new name. Most tests make one."""
    if len(_MADE) < KEYS:
        _MADE.append(make_key().as_dict(private=True))
    else:
        _MADE.append(_MADE.pop(0))
    return RSAKey.import_key(_MADE[-1] | {"kid": secrets.token_hex(4)})


def signed(header: Json, claims: Json, key: RSAKey | OctKey) -> str:
    """A JWT as its header says, however foolish that is."""
    parts = (json.dumps(part).encode() for part in (header, claims))
    start = b".".join(map(urlsafe_b64encode, parts))
    known = jws.JWSRegistry.algorithms
    signature = known.get(header.get("alg", ""), known["RS256"]).sign(start, key)
    return (start + b"." + urlsafe_b64encode(signature)).decode()


def parameters(text: str, error: str = "") -> dict[str, str]:
    pairs = parse_qsl(text, keep_blank_values=True)
    need(len(dict(pairs)) == len(pairs), "a parameter is given twice", error=error)
    return dict(pairs)


def need_type(request: Request, media: str) -> None:
    sent = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    need(sent == media, f"the content is {sent or 'of no type'}, not {media}", 415)


def need_accept(request: Request, media: str) -> None:
    accepted = request.headers.get("accept", "*/*")
    is_so = any(name in accepted for name in ("*/*", "application/*", media))
    need(is_so, f"the answer would be {media}", 406)


def parsed(request: Request, body: bytes, media: str) -> Json:
    need_type(request, media)
    try:
        found = json.loads(body)
    except ValueError:
        raise Refused("the content is no JSON") from None
    need(is_object(found), "the content is no JSON object")
    return dict(found)


@contextlib.contextmanager
def serving(app: Starlette, port: int = 0) -> Iterator[str]:
    """Serves on loopback, in a thread, at the address that it yields."""
    # Without the protocol's name asyncio leaves Nagle's algorithm on: 40 ms an answer.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    web = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1))
    thread = threading.Thread(target=web.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not web.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        web.should_exit = True
        thread.join()


@dataclass
class Platform:
    issuer: str = ""
    clients: dict[str, ToolRegistration] = field(default_factory=dict)
    users: dict[str, User] = field(default_factory=dict)
    courses: dict[str, Course] = field(default_factory=dict)
    links: dict[str, ResourceLink] = field(default_factory=dict)
    line_items: dict[str, list[Json]] = field(default_factory=lambda: defaultdict(list))
    keys: list[RSAKey] = field(default_factory=lambda: [of_a_platform(), of_a_platform()])
    tokens: dict[str, Access] = field(default_factory=dict)

    scores: list[ReceivedScore] = field(default_factory=list)
    requests: list[Seen] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    last: Last | None = None

    is_down: bool = False
    seconds: float = 0
    refuses: dict[str, tuple[int, str]] = field(default_factory=dict)
    jwks_answer: bytes | str | None = None
    token_lifetime: int = 3600
    page_size: int = 50

    def __post_init__(self) -> None:
        self._lock = threading.RLock()
        self._numbers = itertools.count(1)
        self._intents: dict[str, Intent] = {}
        self._choices: dict[str, Intent] = {}
        self._registrations: set[str] = set()
        self._used: set[tuple[str, str, str]] = set()
        self._times: dict[tuple[str, str], datetime] = {}

    @contextlib.contextmanager
    def running(self) -> Iterator[Platform]:
        """Serves at an address of its own, and a second time at the same one."""
        port = urlsplit(self.issuer).port or 0
        fetching = httpx.Client(
            trust_env=False, verify=NO_TLS, limits=httpx.Limits(max_keepalive_connections=0)
        )
        with serving(self._app(), port) as self.issuer, fetching as self._web:
            yield self

    # What stands in the platform.

    def rotate(self) -> None:
        """A new key signs. The one before it is still published."""
        self.keys = [make_key(), self.keys[0]]

    def add_tool(self, tool: ToolRegistration) -> ToolRegistration:
        """Registers a tool by hand."""
        self.clients[tool.client_id] = tool
        return tool

    def enrol(self, course: str, sub: str, *roles: str, **about: str) -> User:
        """A user, in a course which is made with its first member."""
        known = {"name": f"{sub.title()} Doe", "email": f"{sub}@school.example"} | about
        self.users[sub] = User(sub, known.pop("name"), known.pop("email"), roles, **known)
        self.courses.setdefault(course, Course(course, f"Course {course}")).members.add(sub)
        return self.users[sub]

    def add_link(
        self, course: str, title: str, *, maximum: float | None = None, tag: str = "", **about: Any
    ) -> ResourceLink:
        """A link to a tool. With a maximum, it has a line item."""
        link = ResourceLink(secrets.token_hex(6), course, title, **about)
        tool = self._tool(link.client_id)
        link.client_id, self.links[link.id] = tool.client_id, link
        if maximum is not None:
            item = {"label": title, "scoreMaximum": maximum, "resourceLinkId": link.id}
            self.add_line_item(tool, course, item | ({"tag": tag} if tag else {}))
        return link

    def add_line_item(self, tool: ToolRegistration, course: str, item: Json) -> Json:
        kept = ("label", "scoreMaximum", "resourceId", "tag", "resourceLinkId")
        place = f"{self._items_of(course)}/{next(self._numbers)}/lineitem?type_id={tool.type_id}"
        made = {"id": place} | {name: item[name] for name in kept if name in item}
        self.line_items[course].append(made)
        if link := self.links.get(item.get("resourceLinkId", "")):
            own = [i["id"] for i in self.line_items[course] if i.get("resourceLinkId") == link.id]
            link.lineitem = own[0] if len(own) == 1 else None
        return made

    def registration_request(self) -> dict[str, str]:
        token = secrets.token_urlsafe()
        self._registrations.add(token)
        place = f"{self.issuer}/openid-configuration"
        return {"openid_configuration": place, "registration_token": token}

    def _tool(self, client_id: str) -> ToolRegistration:
        if not client_id and len(self.clients) != 1:
            raise ValueError("which tool?")
        return self.clients[client_id or next(iter(self.clients))]

    def _items_of(self, course: str) -> str:
        return f"{self.issuer}/courses/{quote(course, safe='')}/lineitems"

    # Messages.

    def login_request(
        self,
        client_id: str,
        user: str,
        link: str | None = None,
        *,
        message: str = RESOURCE,
        course: str = "",
        **extra: str | None,
    ) -> dict[str, str]:
        """The parameters with which the platform initiates a login. `None` takes one out."""
        tool = self._tool(client_id)
        course = self.links[link].course if link else course or next(iter(self.courses))
        if user not in self.courses[course].members or (message == RESOURCE and not link):
            raise ValueError(f"{user} can't open this")
        target = tool.target_link_uri
        if message == RESOURCE:
            target = (link and self.links[link].url) or target
        else:
            target = tool.deep_link_uri or target
        hint, message_hint = f"{user} & ünlike=+", f"{secrets.token_urlsafe()}/?&= +"
        intent = Intent(tool.client_id, user, course, link, message, target, hint)
        self._intents[message_hint] = intent
        made: dict[str, str | None] = {
            "iss": self.issuer,
            "login_hint": hint,
            "target_link_uri": target,
            "lti_message_hint": message_hint,
            "client_id": tool.client_id,
            "lti_deployment_id": tool.deployment_id,
        }
        return {name: value for name, value in (made | extra).items() if value is not None}

    def launch(
        self,
        browser: httpx.Client,
        user: str,
        link: str | None = None,
        *,
        message: str = RESOURCE,
        course: str = "",
        client_id: str = "",
        method: str = "POST",
        headers: dict[str, str] | None = None,
        claims: Callable[[Json], Json | None] | None = None,
        header: Callable[[Json], Json] | None = None,
        key: RSAKey | OctKey | None = None,
        token: Callable[[str], str] | None = None,
        form: Callable[[dict[str, str]], dict[str, str]] | None = None,
    ) -> httpx.Response:
        """Opens a link as a browser does, up to the tool's answer to the message.

        A tool that refuses the login has answered with that. `headers` are added to both requests.
        A wrong authentication request raises `Refused`.
        """
        tool = self._tool(client_id)
        asking = self.login_request(tool.client_id, user, link, message=message, course=course)
        login = self._send(browser, method, tool.initiate_login_uri, asking, headers)
        with self._noting("/auth"):
            asked = self._authentication_request(login)
            if asked is None:
                return login
            intent = self._authenticated(asked)
        made = self.message(intent, asked["nonce"])
        made = (claims(made) if claims else None) or made
        named = {"typ": "JWT", "alg": "RS256", "kid": self.keys[0].kid}
        done = signed(header(named) if header else named, made, key or self.keys[0])
        done = token(done) if token else done
        fields = {"id_token": done, "state": asked["state"]}
        fields = form(fields) if form else fields
        self.last = Last(asked["redirect_uri"], done, fields)
        return self._send(browser, "POST", asked["redirect_uri"], fields, headers)

    def _send(
        self,
        browser: httpx.Client,
        method: str,
        address: str,
        fields: dict[str, str],
        headers: dict[str, str] | None,
    ) -> httpx.Response:
        """What a page of the platform makes a browser send to the tool."""
        is_post = method == "POST"
        if not is_post:
            address += ("&" if "?" in address else "?") + urlencode(fields)
        request = browser.build_request(method, address, data=fields if is_post else None)
        request.headers.pop("Origin", None)
        own = {"Referer": f"{self.issuer}/", "Sec-Fetch-Site": "cross-site"}
        request.headers.update(own | ({"Origin": self.issuer} if is_post else {}))
        request.headers.update(headers or {})
        return browser.send(request, follow_redirects=False)

    def _authentication_request(self, login: httpx.Response) -> dict[str, str] | None:
        """What the tool asks of the authorisation endpoint, by a redirect or a form."""
        address, _, query = login.headers.get("location", "").partition("?")
        if login.has_redirect_location and address == f"{self.issuer}/auth":
            return parameters(query)
        page = Form(login.text)
        is_form = (page.action, page.method) == (f"{self.issuer}/auth", "post")
        return page.fields if is_form else None

    def _authenticated(self, asked: dict[str, str]) -> Intent:
        """The launch that an authentication request belongs to."""
        client_id, place = asked.get("client_id", ""), asked.get("redirect_uri")
        need(client_id in self.clients, "unknown client_id")
        is_so = place in self.clients[client_id].redirect_uris
        need(is_so, f"redirect_uri is no registered one: {place}")
        check(asked, AUTHENTICATION)
        hint = asked.get("lti_message_hint", "")
        need(hint in self._intents, "lti_message_hint is not the one of the login")
        intent = self._intents[hint]
        is_own = (intent.client_id, intent.login_hint) == (client_id, asked.get("login_hint"))
        need(is_own, "login_hint is not the one of the login")
        self._once("nonce", client_id, asked["nonce"])
        return intent

    def _once(self, kind: str, client_id: str, value: object, error: str = "") -> None:
        need(is_text(value), f"{kind} is missing", error=error)
        key = kind, client_id, str(value)
        need(key not in self._used, f"{kind} was used before", error=error)
        self._used.add(key)

    def message(self, intent: Intent, nonce: str) -> Json:
        """The claims of a launch."""
        tool, user = self.clients[intent.client_id], self.users[intent.sub]
        course, now = self.courses[intent.course], int(time.time())
        given, _, family = user.name.partition(" ")
        identity = {"name": user.name, "given_name": given, "family_name": family}
        identity["email"] = user.email
        lis = {"course_section_sourcedid": f"sis-{course.id}", "person_sourcedid": user.sourcedid}
        address = f"{self._items_of(course.id)}?type_id={tool.type_id}"
        endpoint: Json = {"scope": sorted(tool.scopes), "lineitems": address}
        page = {"document_target": "iframe", "return_url": f"{self.issuer}/courses"}
        about = {"id": course.id, "label": course.id, "title": course.title, "type": [COURSE]}
        own = {"guid": "simulated-1", "name": "Simulated", "product_family_code": "simulated"}
        made: Json = {
            "iss": self.issuer,
            "aud": tool.client_id,
            "sub": user.sub,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            **{name: text for name, text in identity.items() if name in tool.claims and text},
            f"{CLAIM}message_type": intent.message,
            f"{CLAIM}version": "1.3.0",
            f"{CLAIM}deployment_id": tool.deployment_id,
            f"{CLAIM}target_link_uri": intent.target,
            f"{CLAIM}roles": list(user.roles),
            f"{CLAIM}context": about,
            f"{CLAIM}tool_platform": own,
            f"{CLAIM}launch_presentation": page,
            f"{CLAIM}lis": {name: text for name, text in lis.items() if text},
            f"{AGS}claim/endpoint": endpoint,
        }
        if intent.message == DEEP_LINKING:
            data = secrets.token_urlsafe()
            self._choices[data] = intent
            made[f"{DEEP}deep_linking_settings"] = {
                "deep_link_return_url": f"{self.issuer}/deep-link-return",
                "accept_types": ["ltiResourceLink"],
                "accept_presentation_document_targets": ["iframe", "window"],
                "accept_multiple": True,
                "accept_lineitem": True,
                "auto_create": False,
                "data": data,
            }
        elif intent.link:
            link = self.links[intent.link]
            values = (user.sub, user.sourcedid, course.id, link.id)
            known = {f"${name}": value for name, value in zip(VARIABLES, values, strict=True)}
            made[f"{CLAIM}resource_link"] = {"id": link.id, "title": link.title}
            made[f"{CLAIM}custom"] = {n: known.get(text, text) for n, text in link.custom.items()}
            endpoint |= {"lineitem": link.lineitem} if link.lineitem else {}
        return made

    def deep_linked(self, page: str) -> list[ResourceLink]:
        """The links made by the form with which a tool's page sends the browser back."""
        form, place = Form(page), f"{self.issuer}/deep-link-return"
        with self._noting("/deep-link-return"):
            need((form.action, form.method) == (place, "post"), "no form posts to the return URL")
            return self._linked(form.fields)

    def _linked(self, fields: dict[str, str]) -> list[ResourceLink]:
        need(list(fields) == ["JWT"], f"the form has {sorted(fields)}, not JWT alone")
        tool, claims = self._verified(fields["JWT"])
        rules: Rules = {
            "aud": one_of(self.issuer, [self.issuer]),
            "azp": one_of(self.issuer, None),
            f"{CLAIM}message_type": one_of("LtiDeepLinkingResponse"),
            f"{CLAIM}version": one_of("1.3.0"),
            f"{CLAIM}deployment_id": one_of(tool.deployment_id),
            f"{DEEP}data": lambda data: is_text(data) and data in self._choices,
            f"{DEEP}content_items": maybe(each(is_object)),
        }
        check(claims, rules)
        choice = self._choices[claims[f"{DEEP}data"]]
        need(choice.client_id == tool.client_id, "data is of another tool")
        items = claims.get(f"{DEEP}content_items") or []
        for item in items:
            check(item, CONTENT_ITEM)
            if "lineItem" in item:
                check({"label": item.get("title")} | item["lineItem"], ITEM)
        self._once("nonce of a message", tool.client_id, claims.get("nonce"))
        del self._choices[claims[f"{DEEP}data"]]
        return [self._made(tool, choice.course, item) for item in items]

    def _made(self, tool: ToolRegistration, course: str, item: Json) -> ResourceLink:
        title, client_id = item.get("title") or "", tool.client_id
        custom, url = item.get("custom") or {}, item.get("url") or ""
        link = self.add_link(course, title, client_id=client_id, custom=custom, url=url)
        if "lineItem" in item:
            line_item = {"label": title} | item["lineItem"] | {"resourceLinkId": link.id}
            self.add_line_item(tool, course, line_item)
        return link

    def _verified(self, token: str, error: str = "") -> tuple[ToolRegistration, Json]:
        """A tool's JWT that holds now, by a key that the tool publishes now."""
        try:
            unverified = jws.extract_compact(token.encode())
            header, issuer = unverified.headers(), json.loads(unverified.payload or b"").get("iss")
        except (JoseError, ValueError, AttributeError):
            raise Refused("the JWT can't be read", error=error) from None
        need(is_text(issuer) and issuer in self.clients, "iss is no client_id", error=error)
        check(header, {"alg": one_of("RS256"), "kid": is_text}, error)
        try:
            answer = self._web.get(self.clients[issuer].jwks_uri)
            found = answer.raise_for_status().json()["keys"]
            need(each(is_object)(found), "keys is no list of objects", error=error)
            for key in found:
                rules = {"kid": is_text, "use": one_of("sig", None), "d": one_of(None)}
                check(key, rules, error)
            claims = jwt.decode(token, KeySet.import_key_set({"keys": found}), ["RS256"]).claims
        except (httpx.HTTPError, JoseError, ValueError, LookupError, TypeError) as problem:
            raise Refused(f"key or signature: {problem!r}", error=error) from None
        check(claims, {"iat": is_number, "exp": is_number}, error)
        need(claims["exp"] > time.time(), "the JWT has expired", error=error)
        need(claims["iat"] <= time.time() + SKEW, "the JWT is of later", error=error)
        return self.clients[issuer], claims

    # What is served.

    def _app(self) -> Starlette:
        items = "/courses/{course}/lineitems"
        served: dict[tuple[str, ...], Answering] = {
            ("/auth", "GET", "POST"): self._auth,
            ("/deep-link-return", "POST"): self._deep_link_return,
            ("/openid-configuration", "GET"): self._configuration,
            ("/register", "POST"): self._register,
            ("/jwks", "GET"): self._jwks,
            ("/token", "POST"): self._token,
            (items, "GET"): self._get_items,
            (items, "POST"): self._post_item,
            (items + "/{number}/lineitem", "GET"): self._get_item,
            (items + "/{number}/lineitem/scores", "POST"): self._post_score,
            ("/{rest:path}", "GET", "POST", "PUT", "DELETE"): self._nothing,
        }
        routes = [Route(path, self._async(do), methods=to) for (path, *to), do in served.items()]
        return Starlette(routes=routes)

    def _async(self, answering: Answering) -> Callable[[Request], Awaitable[Response]]:
        def answer(request: Request, body: bytes) -> Response:
            try:
                with self._noting(request.url.path):
                    need(not self.is_down, "Down for maintenance", 503)
                    return answering(request, body)
            except Refused as refused:
                return refused.response()

        async def answered(request: Request) -> Response:
            made = await run_in_threadpool(answer, request, await request.body())
            self.requests.append(Seen(request.url.path, made.status_code, request.method))
            await asyncio.sleep(self.seconds)
            return made

        return answered

    @contextlib.contextmanager
    def _noting(self, where: str) -> Iterator[None]:
        try:
            with self._lock:
                yield
        except Refused as refused:
            refused.where = where
            self.refused.append(refused)
            raise

    def _nothing(self, request: Request, body: bytes) -> Response:
        raise Refused(f"nothing answers {request.method} here", 404)

    def _auth(self, request: Request, body: bytes) -> Response:
        asked = parameters(body.decode() if request.method == "POST" else request.url.query)
        claims = self.message(self._authenticated(asked), asked["nonce"])
        header = {"typ": "JWT", "alg": "RS256", "kid": self.keys[0].kid}
        fields = {"id_token": signed(header, claims, self.keys[0]), "state": asked["state"]}
        self.last = Last(asked["redirect_uri"], fields["id_token"], fields)
        return HTMLResponse(posting(asked["redirect_uri"], fields))

    def _deep_link_return(self, request: Request, body: bytes) -> Response:
        made = self._linked(parameters(body.decode()))
        return HTMLResponse(f"<!doctype html><p>Links made: {len(made)}</p>")

    def _jwks(self, request: Request, body: bytes) -> Response:
        if isinstance(self.jwks_answer, str):
            return Response(status_code=302, headers={"Location": self.jwks_answer})
        keys = json.dumps({"keys": [key.as_dict(private=False) for key in self.keys]}).encode()
        answer = keys if self.jwks_answer is None else self.jwks_answer
        return Response(answer, media_type="application/json")

    def _configuration(self, request: Request, body: bytes) -> Response:
        lti = {
            "product_family_code": "simulated",
            "version": "1.0",
            "messages_supported": [{"type": RESOURCE}, {"type": DEEP_LINKING}],
            "variables": VARIABLES,
        }
        told = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/auth",
            "token_endpoint": f"{self.issuer}/token",
            "token_endpoint_auth_methods_supported": ["private_key_jwt"],
            "token_endpoint_auth_signing_alg_values_supported": ["RS256"],
            "jwks_uri": f"{self.issuer}/jwks",
            "registration_endpoint": f"{self.issuer}/register",
            "scopes_supported": ["openid", *sorted(SCOPES)],
            "response_types_supported": ["id_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "claims_supported": ["iss", "sub", *sorted(IDENTITY)],
            OF_PLATFORM: lti,
        }
        return JSONResponse(told)

    def _register(self, request: Request, body: bytes) -> Response:
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        is_so = kind.lower() == "bearer" and token in self._registrations
        need(is_so, "the registration token is not valid", 401)
        asked = parsed(request, body, "application/json")
        check_tool(asked)
        self._registrations.remove(token)
        own = asked[OF_TOOL]
        deep = next((told for told in own["messages"] if told["type"] == DEEP_LINKING), Json())
        tool = self.add_tool(
            ToolRegistration(
                asked["initiate_login_uri"],
                tuple(asked["redirect_uris"]),
                asked["jwks_uri"],
                own["target_link_uri"],
                deep.get("target_link_uri") or "",
                SCOPES & set((asked.get("scope") or "").split()),
                frozenset(own["claims"]),
            )
        )
        granted = {"client_id": tool.client_id, "scope": " ".join(sorted(tool.scopes))}
        own = {OF_TOOL: own | {"deployment_id": tool.deployment_id}}
        return JSONResponse(asked | granted | own, 201)

    def _token(self, request: Request, body: bytes) -> Response:
        need_type(request, FORM_TYPE)
        asked, bad = parameters(body.decode(), "invalid_request"), "invalid_client"
        check(asked, {"grant_type": one_of("client_credentials")}, "unsupported_grant_type")
        check(asked, {"client_assertion_type": one_of(ASSERTION)}, bad)
        tool, claims = self._verified(asked.get("client_assertion", ""), bad)
        place = f"{self.issuer}/token"
        rules: Rules = {
            "sub": one_of(tool.client_id),
            "aud": one_of(place, [place]),
            f"{CLAIM}deployment_id": one_of(tool.deployment_id, None),
        }
        check(claims, rules, bad)
        age = claims["exp"] - claims["iat"]
        need(0 < age <= 300, f"exp is {age} seconds after iat", error=bad)
        scopes = frozenset(asked.get("scope", "").split())
        need(scopes and scopes <= tool.scopes, "scope", error="invalid_scope")
        self._once("jti", tool.client_id, claims.get("jti"), bad)
        token = secrets.token_urlsafe()
        self.tokens[token] = Access(tool.client_id, scopes, time.time() + self.token_lifetime)
        made = {"access_token": token, "token_type": "Bearer", "expires_in": self.token_lifetime}
        headers = {"Cache-Control": "no-store", "Pragma": "no-cache"}
        return JSONResponse(made | {"scope": " ".join(sorted(scopes))}, headers=headers)

    def _allowed(self, request: Request, *scopes: str) -> tuple[ToolRegistration, Course]:
        """The tool that a request's access token belongs to, and the course of its path."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        access = self.tokens.get(token, Access("", frozenset(), 0))
        is_so = kind.lower() == "bearer" and time.time() < access.expires
        need(is_so, "there is no access token, or it has expired", 401)
        need(access.scopes & set(scopes), "the access token is not for this", 403)
        tool, course = self.clients[access.client_id], request.path_params["course"]
        is_so = course in self.courses and request.query_params.get("type_id") == tool.type_id
        need(is_so, "this address is no service of the tool", 404)
        return tool, self.courses[course]

    def _get_items(self, request: Request, body: bytes) -> Response:
        tool, course = self._allowed(request, LINE_ITEM, LINE_ITEM_READ)
        need_accept(request, ITEMS_TYPE)
        asked = request.query_params
        names = {"resource_link_id": "resourceLinkId", "resource_id": "resourceId", "tag": "tag"}
        filters = {names[name]: asked[name] for name in names if name in asked}
        items = [
            item
            for item in self.line_items[course.id]
            if item["id"].endswith(f"?type_id={tool.type_id}")
            and all(item.get(name) == value for name, value in filters.items())
        ]
        limit, start = asked.get("limit", str(self.page_size)), asked.get("from", "0")
        need(limit.isdecimal() and start.isdecimal() and int(limit), "limit is no number above 0")
        end = int(start) + min(int(limit), self.page_size)
        query = urlencode({**asked, "from": str(end)})
        following = {"Link": f'<{self._items_of(course.id)}?{query}>; rel="next"'}
        headers = following if end < len(items) else None
        return JSONResponse(items[int(start) : end], 200, headers, ITEMS_TYPE)

    def _post_item(self, request: Request, body: bytes) -> Response:
        tool, course = self._allowed(request, LINE_ITEM)
        need_accept(request, ITEM_TYPE)
        item = parsed(request, body, ITEM_TYPE)
        check(item, ITEM)
        if item.get("resourceLinkId") is not None:
            link = self.links.get(str(item["resourceLinkId"]))
            is_own = link and (link.course, link.client_id) == (course.id, tool.client_id)
            need(is_own, "the course has no such link of the tool", 404)
        return JSONResponse(self.add_line_item(tool, course.id, item), 201, None, ITEM_TYPE)

    def _item(self, request: Request, course: Course) -> Json:
        """The line item whose very address, or the one of its scores, is asked for."""
        path = request.url.path.removesuffix("/scores")
        place = f"{self.issuer}{path}?{request.url.query}"
        found = [item for item in self.line_items[course.id] if item["id"] == place]
        need(found, "there is no such line item", 404)
        return found[0]

    def _get_item(self, request: Request, body: bytes) -> Response:
        _, course = self._allowed(request, LINE_ITEM, LINE_ITEM_READ)
        need_accept(request, ITEM_TYPE)
        return JSONResponse(self._item(request, course), 200, None, ITEM_TYPE)

    def _post_score(self, request: Request, body: bytes) -> Response:
        _, course = self._allowed(request, SCORE)
        item = self._item(request, course)["id"]
        score = parsed(request, body, SCORE_TYPE)
        check_score(score)
        sub, moved = score["userId"], datetime.fromisoformat(score["timestamp"])
        if sub in self.refuses:
            status, text = self.refuses[sub]
            raise Refused(text, status)
        is_so = sub in course.members and LEARNER in self.users[sub].roles
        need(is_so, f"{sub} is no learner in {course.title}", 422)
        before = self._times.get((item, sub))
        need(before is None or before < moved, "a score of this time or later is there", 409)
        self._times[item, sub] = moved
        self.scores.append(ReceivedScore(item, sub, score))
        return Response()
