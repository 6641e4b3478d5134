"""What a server must not do, a test for each row of the threat model."""

from __future__ import annotations

import re
import socket
from urllib.parse import quote, urlsplit

import pytest

from grader.records.model import Person
from grader.serve.app import HEADERS, MOST_BYTES
from grader.serve.people import MOST_KEYS, SESSION, TOKEN
from grader.serve.service import Service
from tests.serve.conftest import NAME, RIGHT, STEM, WRONG, Client, attempt, client

PAGE = f"/a/hw1/{STEM}"
BAD = "<script>alert(1)</script>"


def test_text_and_names_of_students_are_only_text(
    student: Client, teacher: Client, newcomer: str, service: Service
) -> None:
    service.database.add_people([Person(newcomer, BAD)])
    student.post(f"{PAGE}/draft", json={"text": f"</textarea>{BAD}"})
    one = attempt(student, f'raise ValueError("{BAD}")\n# {BAD}\n').json()["id"]
    places = (PAGE, f"/attempts/{one}", f"/attempts/{one}/verdict", "/", "/me")
    pages = [student.get(place).text for place in places]
    pages += [
        teacher.get(place).text
        for place in ("/t/hw1", "/t/hw1/live", f"/t/hw1/student?id={newcomer}", f"/attempts/{one}")
    ]
    assert all(BAD not in page for page in pages)
    assert any("&lt;script&gt;" in page for page in pages)


def test_an_attempt_is_its_owners_alone(student: Client, service: Service) -> None:
    one = attempt(student, RIGHT).json()["id"]
    eve = client(service, service.people.issue(SESSION, "eve"))
    places = ("", "/verdict", "/receipt")
    codes = [eve.get(f"/attempts/{one}{place}").status_code for place in places]
    codes += [eve.get(f"/api/v1/attempts/{one}{place}").status_code for place in ("", "/events")]
    codes.append(eve.post(f"/attempts/{one}/back").status_code)
    assert codes == [404] * 6
    assert len(one) >= 20


@pytest.mark.parametrize(
    "place", ["/t/hw1", "/t/hw1/live", "/t/hw1/student?id=ada", "/t/hw1/files/html"]
)
def test_a_teachers_page_is_not_there_for_a_student(student: Client, place: str) -> None:
    assert student.get(place).status_code == 404


@pytest.mark.parametrize("place", ["marks", "publish", "decide"])
def test_a_student_decides_nothing(student: Client, place: str) -> None:
    assert student.post(f"/t/hw1/{place}", data={"kind": "bonus"}).status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"},
        {"Authorization": "Bearer nothing", "Origin": "https://evil.example"},
    ],
)
def test_another_site_can_not_act_with_a_cookie(
    student: Client, service: Service, headers: dict[str, str]
) -> None:
    del student.headers["Origin"]
    student.headers.update(headers)
    codes = [
        student.post(place).status_code for place in ("/leave", "/me/token", PAGE, f"{PAGE}/hint")
    ]
    assert codes == [403] * 4
    assert attempt(student, RIGHT).status_code == 403


def test_every_answer_carries_its_headers(student: Client) -> None:
    for place in ("/", PAGE, "/nothing", "/static/page.js", "/healthz", "/api/v1/assignments"):
        there = student.get(place).headers
        absent = [name for name in HEADERS if name not in there]
        assert absent == []
    assert student.get(PAGE).headers["Cache-Control"] == "no-store"


def test_no_page_needs_what_the_policy_forbids(student: Client, teacher: Client) -> None:
    """No script and no style in a page, and nothing from elsewhere."""
    one = attempt(student, WRONG).json()["id"]
    pages = [student.get(place).text for place in ("/", "/a/hw1", PAGE, f"/attempts/{one}", "/me")]
    pages += [teacher.get(place).text for place in ("/t/hw1", f"/attempts/{one}")]
    for page in pages:
        assert not re.search(r"<style|\son\w+=|\sstyle=|javascript:", page)
        assert re.findall(r"<script[^>]*>", page) == [
            '<script type="module" src="/static/page.js">'
        ]
        assert not re.search(
            r'(src|href)="(https?:)?//(?!docs\.jax|127)', page.partition("<main")[0]
        )


@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded"])
def test_a_body_is_read_up_to_a_cap_of_our_own(student: Client, kind: str) -> None:
    big = b"text=" + b"x" * MOST_BYTES
    headers = {"Content-Type": kind}
    assert student.post(PAGE, content=big, headers=headers).status_code == 413
    # Without a length, in pieces.
    pieces = (b"x" * 65_536 for _ in range(8))
    assert student.post(PAGE, content=pieces, headers=headers).status_code == 413


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", b"[" * 100_000, 400),
        ("application/json", b"[]", 400),
        ("application/json", b'{"text": 1}', 422),
        ("application/x-www-form-urlencoded", b"&".join([b"a=1"] * 30), 400),
        ("multipart/form-data", b"x", 400),
        ("multipart/form-data; boundary=a", b"--a\r\nno", 422),
        ("text/plain", b"text=x", 415),
    ],
)
def test_a_body_that_is_no_form_is_refused(
    student: Client, kind: str, body: bytes, status: int
) -> None:
    headers = {"Content-Type": kind, "Accept": "application/json"}
    assert student.post(PAGE, content=body, headers=headers).status_code == status


@pytest.mark.parametrize(
    "place",
    [
        "/static/../service.py",
        "/static/%2e%2e/service.py",
        "/static/..%2fservice.py",
        "/static/serve.py",
        "/a/hw1/../../etc",
        "/attempts/' OR 1=1",
        "/t/hw1/files/../../run.db",
    ],
)
def test_no_path_leads_out(service: Service, student: Client, place: str) -> None:
    """Sent as it is: a client would tidy it up."""
    parts = urlsplit(service.address)
    cookie = f"{service.cookie}={student.cookies[service.cookie]}"
    with socket.create_connection((str(parts.hostname), int(parts.port or 0))) as wire:
        sent = f"GET {place} HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
        wire.sendall(sent.replace(" OR ", "%20OR%20").encode())
        answer = b"".join(iter(lambda: wire.recv(65_536), b""))
    assert answer.split()[1] == b"404"


def test_a_strange_host_changes_no_link(student: Client) -> None:
    page = student.post("/me/link", headers={"Host": "evil.example"}).text
    assert "evil.example" not in page


def test_nothing_secret_is_in_what_a_student_reads(service: Service, student: Client) -> None:
    one = attempt(student, WRONG).json()
    places = (PAGE, f"/attempts/{one['id']}", f"/attempts/{one['id']}/verdict", "/healthz")
    texts = [student.get(place).text for place in places]
    texts.append(student.get(f"/api/v1/attempts/{one['id']}").text)
    suite = service.course.suite(service.course[NAME])
    for text in texts:
        assert service.grader.seed not in text
        assert str(suite) not in text
        assert "assert " not in text
    assert all(test["detail"] == "" for test in one["result"]["tests"])


def test_errors_tell_nothing_of_the_machine(
    student: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("/secret/path")

    monkeypatch.setattr("grader.serve.service.Service.seen", fails)
    answer = student.get(PAGE)
    assert answer.status_code == 500
    assert "/secret" not in answer.text
    assert "Content-Security-Policy" in answer.headers


def test_the_folder_is_its_owners_alone(service: Service) -> None:
    assert service.folder.stat().st_mode & 0o077 == 0
    for path in service.folder.glob("[!.]*"):
        assert path.stat().st_mode & 0o077 == 0, path


def test_only_digests_of_keys_are_stored(service: Service, student: Client) -> None:
    secret = student.cookies[service.cookie]
    stored = (service.folder / "serve.db").read_bytes()
    stored += (service.folder / "serve.db-wal").read_bytes()
    assert secret.encode() not in stored


def raw(service: Service, sent: bytes) -> bytes:
    """The beginning of the answer to bytes as they are."""
    parts = urlsplit(service.address)
    with socket.create_connection((str(parts.hostname), int(parts.port or 0)), timeout=120) as wire:
        wire.sendall(sent)
        return wire.recv(65_536)


def test_nobody_who_is_not_signed_in_sends_a_body(service: Service) -> None:
    """It is refused before its body has come."""
    head = (
        f"POST /a/hw1/upload HTTP/1.1\r\nHost: x\r\nOrigin: {service.address}\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 5000000\r\n\r\n"
    )
    assert raw(service, head.encode()).split()[1] == b"401"


def test_a_form_names_no_codec(student: Client) -> None:
    kind = {"Content-Type": "multipart/form-data; boundary=x; charset=punycode"}
    assert student.post("/a/hw1/upload", content=b"--x--", headers=kind).status_code == 400


def test_a_token_opens_no_page_and_makes_no_key(service: Service, newcomer: str) -> None:
    program = client(service)
    program.headers["Authorization"] = f"Bearer {service.people.issue(TOKEN, newcomer)}"
    assert program.get("/me").status_code == 401
    assert program.post("/me/link").status_code == 401
    assert program.get("/api/v1/assignments").status_code == 200


def test_a_person_has_a_few_requests_at_a_time(
    service: Service, student: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.serve.app.MOST_AT_ONCE", 0)
    assert student.get(PAGE).status_code == 429
    assert client(service).get("/healthz").status_code == 200


def test_a_person_has_a_few_keys(service: Service, newcomer: str) -> None:
    for _ in range(MOST_KEYS + 5):
        service.people.issue(TOKEN, newcomer)
    assert len(service.database.keys(newcomer)) == MOST_KEYS


def test_a_link_is_no_place_to_send_a_form_to(service: Service) -> None:
    assert client(service).get("/enter/..%5Ct%5Chw1%5Cmarks").status_code == 404
    assert client(service).get("/a/hw1/", headers={"Host": "evil.example"}).status_code == 404


def test_signing_out_leaves_no_draft_in_the_browser(student: Client) -> None:
    assert student.post("/leave").headers["Clear-Site-Data"] == '"storage"'


@pytest.mark.parametrize("name", ["a/b", "..", "q?x#y%2e", "<i>", "=1+1"])
def test_a_person_may_have_any_id(service: Service, teacher: Client, name: str) -> None:
    service.database.add_people([Person(name, "Somebody")])
    page = teacher.get("/t/hw1").text
    place = f"/t/hw1/student?id={quote(name, safe='')}"
    assert f'href="{place}"' in page
    assert "Somebody" in teacher.get(place).text
    service.database.forget(name)
