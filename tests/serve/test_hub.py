"""Signed in by JupyterHub: who gets in, who doesn't, and what a Hub that fails does.

The fast tests play the Hub. The slow one starts a real one, with `grader serve --hub` as a service
that it manages, and signs in as a student does, and as a student's program.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import httpx
import pytest
from starlette.applications import Starlette

from grader.course.course import Course
from grader.records.errors import UsageError
from grader.records.model import Person
from grader.serve import hub as hubs
from grader.serve import server
from grader.serve.app import make
from grader.serve.people import SESSION
from grader.serve.service import Service
from tests.conftest import CourseMaker
from tests.serve.conftest import NAME, RIGHT, STEM, TEACHER

HERE = "http://grader.example"
MAY_USE = "access:services!service=grader"
SECRET = "the secret of this service"


@dataclass
class Fake:
    """What the played Hub knows, and how it fails."""

    tokens: dict[str, dict[str, Any]] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    answers: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    """By path, in place of the right answer."""

    def token(self, name: str, **about: Any) -> str:
        made = secrets.token_hex(8)
        self.tokens[made] = {"name": name, "kind": "user", "scopes": [MAY_USE], **about}
        return made

    def code(self, name: str, **about: Any) -> str:
        made = secrets.token_hex(8)
        self.codes[made] = self.token(name, **about)
        return made

    def answer(self, path: str, form: dict[str, str], token: str) -> tuple[int, bytes]:
        if path in self.answers:
            return self.answers[path]
        if path.endswith("/user"):
            who = self.tokens.get(token)
            return (200, json.dumps(who).encode()) if who else (403, b"{}")
        asked = form.get("client_id"), form.get("client_secret"), form.get("redirect_uri")
        if asked != ("service-grader", SECRET, f"{HERE}/oauth_callback"):
            return 401, b"{}"
        token = self.codes.pop(form.get("code", ""), "")
        return (200, json.dumps({"access_token": token}).encode()) if token else (400, b"{}")


@contextmanager
def playing(fake: Fake) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            token = self.headers.get("Authorization", "").removeprefix("token ")
            status, answer = fake.answer(self.path, dict(parse_qsl(body)), token)
            if status:
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
            self.wfile.write(answer)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as playing:
        threading.Thread(target=playing.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{playing.server_port}"
        playing.shutdown()


@pytest.fixture
def fake() -> Fake:
    return Fake()


@pytest.fixture(scope="module")
def class_(homework: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("class")
    with server.opened(folder, homework, HERE, isolation="available") as made:
        made.database.add_people([Person("4711", "Ada", login="ada"), Person("ben", "Ben")])
        made.database.add_people([TEACHER], teachers=True)
        made.has_hub = True
        yield made


@pytest.fixture
def hub(fake: Fake, class_: Service) -> Iterator[hubs.Hub]:
    with playing(fake) as address:
        yield hubs.from_environment(class_.people, HERE, environment(address))


def environment(address: str) -> dict[str, str]:
    return {
        "JUPYTERHUB_API_URL": f"{address}/hub/api",
        "JUPYTERHUB_API_TOKEN": SECRET,
        "JUPYTERHUB_CLIENT_ID": "service-grader",
        "JUPYTERHUB_BASE_URL": "/",
        "JUPYTERHUB_PUBLIC_HUB_URL": "https://hub.example/hub/",
        "JUPYTERHUB_OAUTH_ACCESS_SCOPES": json.dumps(["access:services", MAY_USE]),
    }


class Browser:
    """It keeps cookies, and follows no redirect. The pages need no socket, and no judge."""

    def __init__(self, app: Starlette) -> None:
        self._app, self.cookies = app, httpx.Cookies()

    def get(self, path: str, **given: Any) -> httpx.Response:
        return asyncio.run(self._sent("GET", path, **given))

    def post(self, path: str, **given: Any) -> httpx.Response:
        return asyncio.run(self._sent("POST", path, **given))

    async def _sent(self, method: str, path: str, **given: Any) -> httpx.Response:
        through = httpx.ASGITransport(self._app)
        async with httpx.AsyncClient(transport=through, base_url=HERE, cookies=self.cookies) as one:
            answer = await one.request(method, path, **given)
            self.cookies = one.cookies
            return answer


def browser(class_: Service, hub: hubs.Hub) -> Browser:
    return Browser(make(class_, hub))


def state_of(one: Browser) -> str:
    """Begins to sign in."""
    answer = one.get("/hub-login")
    assert answer.status_code == 303
    return parse_qs(urlsplit(answer.headers["location"]).query)["state"][0]


def entered(one: Browser, code: str) -> httpx.Response:
    return one.get("/oauth_callback", params={"code": code, "state": state_of(one)})


def test_a_student_signs_in_by_the_pages(class_: Service, hub: hubs.Hub, fake: Fake) -> None:
    one = browser(class_, hub)
    assert 'href="/hub-login"' in one.get("/").text
    begun = one.get("/hub-login")
    place = urlsplit(begun.headers["location"])
    assert (place.netloc, place.path) == ("hub.example", "/hub/api/oauth2/authorize")
    asked = dict(parse_qsl(place.query))
    assert asked.pop("state")
    assert asked == {
        "client_id": "service-grader",
        "redirect_uri": f"{HERE}/oauth_callback",
        "response_type": "code",
    }
    assert "HttpOnly" in begun.headers["set-cookie"]
    answer = entered(one, fake.code("ben"))
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "Ben" in one.get("/").text
    assert hubs.STATE not in one.cookies
    assert one.get("/a/hw1").status_code == 200


@pytest.mark.parametrize(
    ("name", "id", "teaches"),
    [
        ("new", "new", False),
        ("ada", "4711", False),
        ("ben", "ben", False),
        ("noether",) * 2 + (True,),
    ],
    ids=["new", "login", "id", "teacher"],
)
def test_who_somebody_is(
    class_: Service, hub: hubs.Hub, fake: Fake, name: str, id: str, teaches: bool
) -> None:
    """The Hub's names are the logins of the course, those of teachers, too."""
    one = browser(class_, hub)
    entered(one, fake.code(name))
    who = class_.people.known(one.cookies[class_.cookie], SESSION)
    assert who is not None
    assert (who.id, who.is_teacher) == (id, teaches)
    assert one.get("/t/hw1").status_code == (200 if teaches else 404)
    before = len(class_.database.people())
    entered(one, fake.code(name))
    assert len(class_.database.people()) == before


@pytest.mark.parametrize("state", ["", "wrong", "é"])
def test_a_sign_in_that_was_not_begun_here_is_none(
    class_: Service, hub: hubs.Hub, fake: Fake, state: str
) -> None:
    """Else somebody could be signed in as another, and submit for them."""
    one, other = browser(class_, hub), browser(class_, hub)
    of_another = state_of(other)
    place = {"code": fake.code("ben"), "state": state}
    assert one.get("/oauth_callback", params=place).status_code == 403
    state_of(one)
    for given in (state, of_another):
        answer = one.get("/oauth_callback", params={**place, "state": given})
        assert answer.status_code == 403
        assert "Sign in again" in answer.text
    assert class_.cookie not in one.cookies


@pytest.mark.parametrize(
    "about",
    [
        {"kind": "service"},
        {"kind": "user", "scopes": ["access:services!service=other", "self"]},
        {"scopes": None},
        {"name": ""},
        {"name": ["ben"]},
    ],
)
def test_a_token_that_is_not_for_this_service_lets_nobody_in(
    class_: Service, hub: hubs.Hub, fake: Fake, about: dict[str, Any]
) -> None:
    """Another service, to which Ben has signed in, can't sign in here as Ben."""
    one = browser(class_, hub)
    about = {"name": "ben", **about}
    answer = entered(one, fake.code(**about))
    assert answer.status_code == 403
    assert "say who you are. Sign in again" in answer.text
    header = {"Authorization": f"token {fake.token(**about)}"}
    assert one.get("/api/v1/assignments", headers=header).status_code == 401
    assert one.get("/a/hw1").status_code == 401


def test_a_code_that_is_wrong_or_was_used_lets_nobody_in(
    class_: Service, hub: hubs.Hub, fake: Fake
) -> None:
    code = fake.code("ben")
    assert entered(browser(class_, hub), code).status_code == 303
    assert entered(browser(class_, hub), code).status_code == 403
    assert entered(browser(class_, hub), "").status_code == 403


@pytest.mark.parametrize("path", ["/hub/api/oauth2/token", "/hub/api/user"])
@pytest.mark.parametrize(
    "answer", [(500, b""), (200, b"<html>"), (200, b"\xff"), (0, b"nonsense\r\n\r\n"), (0, b"")]
)
def test_a_hub_that_fails_is_said(
    class_: Service, hub: hubs.Hub, fake: Fake, path: str, answer: tuple[int, bytes]
) -> None:
    one, code = browser(class_, hub), fake.code("ben")
    fake.answers[path] = answer
    said = entered(one, code)
    assert said.status_code == 502
    assert "Try again" in said.text
    if path.endswith("user"):
        header = {"Authorization": f"token {fake.token('ben')}"}
        assert one.get("/api/v1/assignments", headers=header).status_code == 502
    fake.answers.clear()
    assert entered(one, fake.code("ben")).status_code == 303


def test_an_answer_without_a_token_lets_nobody_in(
    class_: Service, hub: hubs.Hub, fake: Fake
) -> None:
    for said in (b"[]", b"{}", b'{"access_token": ""}'):
        fake.answers["/hub/api/oauth2/token"] = 200, said
        assert entered(browser(class_, hub), fake.code("ben")).status_code == 403


def test_a_program_comes_in_with_a_token_of_the_hub(
    class_: Service, hub: hubs.Hub, fake: Fake
) -> None:
    one, token = browser(class_, hub), fake.token("ben")
    header = {"Authorization": f"token {token}"}
    listed = one.get("/api/v1/assignments", headers=header).json()
    assert [rule["name"] for rule in listed["assignments"]] == ["hw1"]
    place = f"/api/v1/assignments/hw1/exercises/{STEM}/attempts"
    made = one.post(place, json={"text": RIGHT}, headers=header)
    assert (made.status_code, made.json()["exercise"]) == (202, NAME)
    (stored,) = class_.database.history("ben", "hw1")
    assert stored.id == made.json()["id"]
    del fake.tokens[token]  # revoked
    assert one.get("/api/v1/assignments", headers=header).status_code == 401
    assert one.get("/api/v1/assignments").status_code == 401


@pytest.mark.parametrize("absent", environment(""))
def test_a_server_that_no_hub_has_started_says_so(class_: Service, absent: str) -> None:
    given = {name: value for name, value in environment(HERE).items() if name != absent}
    if absent == "JUPYTERHUB_PUBLIC_HUB_URL":  # the Hub of the same host
        made = hubs.from_environment(class_.people, HERE, given)
        assert made.login == "/hub/api/oauth2/authorize"
        return
    with pytest.raises(UsageError, match=absent):
        hubs.from_environment(class_.people, HERE, given)


# A real Hub. There is nothing behind its proxy here, so that it gets none.
CONFIG = """
from jupyterhub.proxy import Proxy


class NoProxy(Proxy):
    should_start = False
    async def get_all_routes(self): return {{}}
    async def add_route(self, routespec, target, data): pass
    async def delete_route(self, routespec): pass


c = get_config()
c.JupyterHub.proxy_class = NoProxy
c.JupyterHub.bind_url = c.JupyterHub.hub_bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.public_url = "http://127.0.0.1:{port}/"
c.JupyterHub.db_url = "sqlite://"
c.JupyterHub.cookie_secret_file = "cookie_secret"
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.services = [
    {{
        "name": "grader",
        "command": {command},
        "oauth_client_id": "service-grader",
        "oauth_redirect_uri": "{here}/oauth_callback",
        "oauth_no_confirm": True,
    }},
]
c.JupyterHub.load_roles = [
    {{"name": "user", "scopes": ["self", "access:services!service=grader"]}},
]
"""
CATALOG = f'\n[[assignment]]\nname = "hw1"\ntitle = "Homework 1"\nexercises = ["{NAME}"]\n'


@pytest.mark.slow
def test_a_real_hub(make_course: CourseMaker, tmp_path: Path) -> None:
    if importlib.util.find_spec("jupyterhub") is None:
        pytest.skip("no JupyterHub")
    make_course(tmp_path / "course", catalog=CATALOG)
    port, here = free_port(), f"http://127.0.0.1:{free_port()}"
    browser = httpx.Client(follow_redirects=True, timeout=300)
    with hub_runs(tmp_path, port, here) as there, browser as one:
        assert "Sign in with JupyterHub" in one.get(here).text
        form = one.get(f"{here}/hub-login")
        assert form.url.path == "/hub/login"
        xsrf = one.cookies.get("_xsrf", domain="127.0.0.1", path="/hub/")
        given = {"username": "ada", "password": "any", "_xsrf": xsrf or ""}
        home = one.post(str(form.url), data=given)
        assert (str(home.url), home.status_code) == (f"{here}/", 200)
        assert "ada" in home.text
        assert "Homework 1" in home.text
        program(there, here, one)


def program(there: str, here: str, one: httpx.Client) -> None:
    """A token that Ada makes for this service lets a program in, and one for another doesn't."""
    xsrf = one.cookies.get("_xsrf", domain="127.0.0.1", path="/hub/")
    made = {
        name: one.post(
            f"{there}/hub/api/users/ada/tokens",
            json={"scopes": scopes},
            headers={"X-XSRFToken": xsrf or "", "Referer": f"{there}/hub/token"},
        ).json()["token"]
        for name, scopes in (("right", [MAY_USE]), ("other", ["read:users!user"]))
    }
    place = f"{here}/api/v1/assignments/hw1/exercises/{STEM}/attempts?wait=60"

    def attempt(token: str) -> httpx.Response:
        header = {"Authorization": f"token {token}"}
        return httpx.post(place, json={"text": RIGHT}, headers=header, timeout=300)

    assert attempt(made["right"]).json()["result"]["outcome"] == "passed"
    assert attempt(made["other"]).status_code == 401
    assert attempt("wrong").status_code == 401


@contextmanager
def hub_runs(folder: Path, port: int, here: str) -> Iterator[str]:
    """A Hub whose data are in the folder, and the service that it starts."""
    command = [sys.executable, "-m", "grader.cli", "serve", str(folder / "class"), "--hub"]
    command += ["--course", str(folder / "course"), "--port", str(urlsplit(here).port)]
    command += ["--isolation", "available", "--jobs", "1"]
    config, log = folder / "jupyterhub_config.py", folder / "log"
    about = {"port": port, "here": here, "command": command}
    config.write_text(CONFIG.format(**about), encoding="utf-8")
    start = [sys.executable, "-m", "jupyterhub", "-f", str(config)]
    settings = {**os.environ, "CONFIGPROXY_AUTH_TOKEN": "none"}
    with log.open("w") as out:
        running = subprocess.Popen(start, cwd=folder, env=settings, stdout=out, stderr=out)
        try:
            wait(f"{here}/healthz", running, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            running.terminate()
            running.wait(120)


def wait(address: str, running: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 240
    while True:
        try:
            httpx.get(address).raise_for_status()
            return
        except httpx.HTTPError:
            assert running.poll() is None and time.monotonic() < deadline, log.read_text()
        time.sleep(0.2)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])
