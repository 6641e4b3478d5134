"""Programs submit, too: the API as its description says, `grader submit --to`, `%%submit`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema
import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.commands.magic import load
from grader.records.errors import SubmissionError, UsageError
from grader.records.model import Source
from grader.serve import rest
from grader.serve.people import LINK, SESSION, TOKEN
from grader.serve.rest import VIEWS
from grader.serve.service import Service
from grader.student import remote
from tests.serve.conftest import NAME, RIGHT, WRONG, Client, attempt, client

OPENAPI = json.loads(
    (Path(__file__).parents[2] / "docs/schemas/openapi.json").read_text(encoding="utf-8")
)


def test_every_route_is_described_and_every_description_is_a_route() -> None:
    paths = ((v.method.lower(), v.path.replace(":path", "")) for v in VIEWS)
    routes = {(verb, path) for verb, path in paths if path.startswith("/api/")}
    described = {(verb, path) for path, verbs in OPENAPI["paths"].items() for verb in verbs}
    assert routes == described


def valid(answer: Any, verb: str, path: str) -> None:
    """Whether the answer is one that the description holds."""
    said = OPENAPI["paths"][path][verb]["responses"][str(answer.status_code)]
    schema = said["content"]["application/json"]["schema"]
    jsonschema.validate(answer.json(), {**schema, "components": OPENAPI["components"]})


def test_answers_are_as_described(student: Client) -> None:
    post = "/api/v1/assignments/{assignment}/exercises/{exercise}/attempts"
    get = "/api/v1/attempts/{attempt}"
    one = attempt(student, WRONG)
    valid(one, "post", post)
    valid(attempt(student, RIGHT, wait=0), "post", post)
    valid(attempt(student, ""), "post", post)
    valid(student.get(f"/api/v1/attempts/{one.json()['id']}"), "get", get)
    valid(student.get("/api/v1/attempts/none"), "get", get)
    valid(student.get("/api/v1/assignments"), "get", "/api/v1/assignments")


POST = "/api/v1/assignments/{assignment}/exercises/{exercise}/attempts"
ONE = "/api/v1/attempts/{attempt}"
OWN = "/api/v1/assignments/{assignment}/attempts"


@pytest.mark.parametrize(
    ("verb", "path", "place", "given", "status"),
    [
        ("get", OWN, "assignments/hw1/attempts", {}, 200),
        ("get", OWN, "assignments/none/attempts", {}, 404),
        ("get", OWN, "assignments/hw1/attempts?before=none", {}, 404),
        ("get", ONE, "attempts/none", {}, 404),
        (
            "post",
            POST,
            f"assignments/hw1/exercises/{NAME}/attempts",
            {"json": {"text": RIGHT}},
            202,
        ),
        ("post", POST, f"assignments/hw1/exercises/{quote(NAME, safe='')}/attempts", {}, 422),
        ("post", POST, "assignments/hw1/exercises/no/thing/attempts", {"json": {"text": "x"}}, 404),
        ("post", POST, f"assignments/hw1/exercises/{NAME}/attempts", {"content": b"[]"}, 415),
        ("post", POST, f"assignments/hw1/exercises/{NAME}/attempts", {"json": []}, 400),
        ("post", POST, f"assignments/hw1/exercises/{NAME}/attempts", {"json": {"text": ""}}, 422),
        (
            *("post", POST, f"assignments/hw1/exercises/{NAME}/attempts"),
            *({"json": {"text": "x" * 64_001}}, 413),
        ),
        (
            *("post", POST, f"assignments/hw1/exercises/{NAME}/attempts"),
            *({"json": {"text": RIGHT}, "headers": {"Origin": "https://evil.example"}}, 403),
        ),
        ("put", POST, f"assignments/hw1/exercises/{NAME}/attempts", {}, 405),
        ("delete", ONE, "attempts/none", {}, 405),
    ],
)
def test_every_answer_that_occurs_is_described(
    student: Client, verb: str, path: str, place: str, given: dict[str, Any], status: int
) -> None:
    answer = student.request(verb, f"/api/v1/{place}", **given)
    assert answer.status_code == status
    described = verb if verb in OPENAPI["paths"][path] else next(iter(OPENAPI["paths"][path]))
    valid(answer, described, path)


def test_an_unknown_address_and_a_stranger_get_a_refusal(service: Service) -> None:
    refusal = {**OPENAPI["components"]["schemas"]["Refusal"], "components": OPENAPI["components"]}
    stranger = client(service)
    for place, status in (("none", 404), ("assignments", 401)):
        answer = stranger.get(f"/api/v1/{place}")
        assert answer.status_code == status
        jsonschema.validate(answer.json(), refusal)
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert "no such page" in stranger.get("/none").text


def test_a_program_that_lost_an_id_finds_it(
    service: Service, student: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own attempts, and nobody else's, the newest first and in parts."""
    eve = client(service, service.people.issue(SESSION, "eve"))
    attempt(eve, RIGHT)
    made = [attempt(student, f"{RIGHT}# {n}\n", wait=0).json()["id"] for n in range(3)]
    monkeypatch.setattr(rest, "MOST_LISTED", 2)
    first = student.get("/api/v1/assignments/hw1/attempts").json()["attempts"]
    assert [one["id"] for one in first] == made[:0:-1]
    rest_of_it = student.get(f"/api/v1/assignments/hw1/attempts?before={made[1]}").json()
    assert [one["id"] for one in rest_of_it["attempts"]] == made[:1]
    assert eve.get(f"/api/v1/assignments/hw1/attempts?before={made[1]}").status_code == 404


def test_a_program_signs_in_as_described(service: Service, newcomer: str) -> None:
    program = client(service)  # which sends `Origin`
    assert program.post(f"/enter/{service.people.issue(LINK, newcomer)}").status_code == 303
    page = program.post("/me/token").text
    (token,) = re.findall(r'<code class="long">([\w-]+)<', page)
    other = client(service)
    other.headers["Authorization"] = f"Bearer {token}"
    assert other.get("/api/v1/assignments").status_code == 200


def test_states_formats_limits_and_meanings_are_in_the_file() -> None:
    schemas = OPENAPI["components"]["schemas"]
    state = schemas["AttemptState"]["properties"]
    assert set(state["state"]["enum"]) == {"waiting", "later", "judging", "done"}
    assert state["at"]["format"] == "date-time"
    for name in ("AttemptState", "OpenAssignment", "Refusal", "ExerciseResult", "TestResult"):
        assert all(field.get("description") for field in schemas[name]["properties"].values()), name
    about = OPENAPI["info"]["description"]
    assert all(word in about for word in ("6 attempts in 1 min", "64 kB", "256 kB", "/me/token"))
    names = [verb["operationId"] for verbs in OPENAPI["paths"].values() for verb in verbs.values()]
    assert len(set(names)) == len(names) == 5
    for verbs in OPENAPI["paths"].values():
        for verb in verbs.values():
            assert "Retry-After" in verb["responses"]["429"]["headers"]


@pytest.fixture
def token(service: Service, newcomer: str) -> str:
    return service.people.issue(TOKEN, newcomer, "a test")


@pytest.fixture
def mine(service: Service, tmp_path: Path) -> Path:
    """A handout with an answer."""
    folder = tmp_path / "mine"
    done = CliRunner().invoke(main, ["handout", str(folder), "--course", str(service.course.root)])
    assert done.exit_code == 0, done.output
    (folder / "01_first/double.py").write_text(WRONG)
    return folder


def test_work_is_handed_in_from_the_command_line(
    service: Service, token: str, newcomer: str, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(remote.TOKEN, token)
    arguments = ["submit", "--to", service.address, "--course", str(mine)]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    assert "✗ 01_first/double" in done.stdout
    assert "0 of 4" in done.stdout
    (mine / "01_first/double.py").write_text(RIGHT)
    done = CliRunner().invoke(main, [*arguments, "--assignment", "hw1"])
    assert "4 of 4" in done.stdout
    assert len(service.database.history(newcomer, "hw1")) == 2


@pytest.mark.parametrize(
    ("token_of", "assignment", "said"),
    [
        ("nobody", None, "Sign in first"),
        ("me", "hw9", "has these assignments open for your work: `hw1`"),
        ("", None, "create a token"),
    ],
)
def test_what_is_missing_is_said(
    service: Service,
    token: str,
    mine: Path,
    monkeypatch: pytest.MonkeyPatch,
    token_of: str,
    assignment: str | None,
    said: str,
) -> None:
    monkeypatch.setenv(remote.TOKEN, token if token_of == "me" else token_of)
    arguments = ["submit", "--to", service.address, "--course", str(mine)]
    done = CliRunner().invoke(
        main, arguments + (["--assignment", assignment] if assignment else [])
    )
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())


def test_a_server_that_is_not_there_is_asked_again_and_then_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    with pytest.raises(SubmissionError, match=r"127\.0\.0\.1:9` doesn't answer"):
        remote.Server("http://127.0.0.1:9", "x").assignment([NAME])
    with pytest.raises(UsageError, match="not an address"):
        remote.Server("ftp://x", "x")


def test_a_notebooks_cells_are_judged_cell_by_cell(service: Service, token: str) -> None:
    text = f"# cell 1\n1 / 0\n# cell 2\n{RIGHT}"
    server = remote.Server(service.address, token)
    ((_, result),) = server.results("hw1", [Source(NAME, "double.ipynb", text)])
    assert result.score == 4.0


class Shell:
    """As much of IPython's shell as the magics need."""

    def __init__(self, *ran: str) -> None:
        self.magics: dict[str, Any] = {}
        self.history_manager = self
        self.input_hist_raw = list(ran)

    def register_magic_function(self, function: Any, kind: str, name: str) -> None:
        self.magics[name] = function


def test_a_cell_hands_itself_in(
    service: Service,
    token: str,
    mine: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(remote.TOKEN, token)
    monkeypatch.chdir(mine)
    shell = Shell("factor = 2", "!ls", "this cell")
    load(shell)
    shell.magics["submit"](f"double --to {service.address}", RIGHT.replace("2 * x", "factor * x"))
    assert "4 of 4" in capsys.readouterr().out
    shell.magics["submit"]("double", RIGHT)
    assert "is not an address" in capsys.readouterr().out


def test_the_page_of_a_person_tells_how(student: Client, service: Service) -> None:
    assert f"grader submit --to {service.address}" in student.post("/me/token").text
    assert client(service).get("/me").status_code == 401
