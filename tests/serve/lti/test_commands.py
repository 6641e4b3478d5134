"""What an operator types."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli import main
from grader.records.model import Person
from grader.serve.database import Database
from grader.serve.lti.records import Platform, PlatformCourse, Records
from grader.serve.lti.registration import described
from grader.serve.people import TOKEN, People

CANVAS = "https://school.instructure.com"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    database = Database(tmp_path)
    database.remember("address", "https://grader.example.org")
    database.close()
    return tmp_path


def lti(*arguments: object, code: int = 0) -> Result:
    done = CliRunner().invoke(main, ["serve", "lti", *map(str, arguments)])
    assert done.exit_code == code, done.output
    return done


def known(folder: Path) -> list[Platform]:
    database = Database(folder)
    found = Records(database).all(Platform)
    database.close()
    return found


def test_an_invitation_is_an_address(folder: Path) -> None:
    said = lti("invite", folder).stdout
    assert re.fullmatch(r"https://grader\.example\.org/lti/register/[\w-]{32}\n", said)
    assert lti("invite", folder).stdout != said


def test_an_invitation_needs_an_address(tmp_path: Path) -> None:
    lti("invite", tmp_path, code=2)
    Database(tmp_path).close()
    assert "--url" in lti("invite", tmp_path, code=2).stderr


def test_hosted_canvas_has_a_sign_in_of_its_own(folder: Path) -> None:
    assert "is registered" in lti("add", folder, "canvas", CANVAS, "--client", "1000").output
    (one,) = known(folder)
    assert one.issuer == "https://canvas.instructure.com"
    assert one.jwks == "https://sso.canvaslms.com/api/lti/security/jwks"
    assert one.owns(f"{CANVAS}/api/lti/courses/1/line_items/2")
    assert not one.owns("https://other.instructure.com/api/lti/courses/1/line_items/2")


def test_a_canvas_of_ones_own_and_a_moodle(folder: Path) -> None:
    lti("add", folder, "canvas", "https://canvas.school.edu", "--client", "1")
    lti("add", folder, "moodle", "https://school.edu/moodle/", "--client", "2", "--deployment", "3")
    by_name = {one.name: one for one in known(folder)}
    assert by_name["canvas.school.edu"].token == "https://canvas.school.edu/login/oauth2/token"
    moodle = by_name["school.edu"]
    assert moodle.auth == "https://school.edu/moodle/mod/lti/auth.php"
    assert (moodle.issuer, moodle.deployments) == ("https://school.edu/moodle", ("3",))


def test_the_same_registration_again_replaces_it(folder: Path) -> None:
    for claim in ("login", "number"):
        lti("add", folder, "canvas", CANVAS, "--client", "1000", "--claim", claim)
    assert [one.claim for one in known(folder)] == ["number"]


@pytest.mark.parametrize(
    "given",
    [
        ("other", "https://lms.example.org"),  # nothing follows from its address
        ("canvas", "http://canvas.school.edu"),
        ("canvas", "school"),
        ("other", CANVAS, "--auth", "http://a/", "--token", "https://a/", "--jwks", "https://a/"),
    ],
)
def test_an_address_that_is_none_is_refused(folder: Path, given: tuple[str, ...]) -> None:
    said = lti("add", folder, *given, "--client", "1", code=2).stderr
    assert "is missing" in said or "not an https address" in said
    assert known(folder) == []


def test_what_is_known_is_shown_and_removed(folder: Path) -> None:
    lti("add", folder, "canvas", CANVAS, "--client", "1000")
    (one,) = known(folder)
    said = lti("show", folder).output
    assert "https://grader.example.org/lti/jwks.json" in said
    assert one.id in said
    lti("remove", folder, one.id, "--yes")
    assert known(folder) == []
    assert "no platform" in lti("remove", folder, one.id, "--yes", code=2).stderr


def test_a_course_is_accepted_by_its_id(folder: Path) -> None:
    lti("add", folder, "canvas", CANVAS, "--client", "1000")
    (one,) = known(folder)
    assert "of school.instructure.com is accepted" in lti("accept", folder, one.id, "c1").output
    assert "c1  (accepted)" in lti("show", folder).output
    assert "no platform" in lti("accept", folder, "other", "c1", code=2).stderr


def test_a_registration_again_keeps_what_teachers_said(folder: Path) -> None:
    lti("add", folder, "canvas", CANVAS, "--client", "1000", "--claim", "login")
    lti("add", folder, "canvas", CANVAS, "--client", "1000")
    assert [one.claim for one in known(folder)] == ["login"]


def test_a_deployment_that_isnt_accepted_any_more_ends_its_keys(folder: Path) -> None:
    lti("add", folder, "canvas", CANVAS, "--client", "1000")
    (one,) = known(folder)
    database = Database(folder)
    records, people = Records(database), People(database)
    database.add_people([Person("ada")])
    tokens = {}
    for deployment in ("1", "2"):
        about = {"platform": one.id, "deployment": deployment, "context": "c", "title": ""}
        records.put(course := PlatformCourse(**about, is_in=True))
        role = database.role("ada", course.as_text, is_teacher=False)
        tokens[deployment] = people.issue(TOKEN, "ada", role=role)
    lti("add", folder, "canvas", CANVAS, "--client", "1000", "--deployment", "2")
    assert people.known(tokens["1"], TOKEN) is None
    assert people.known(tokens["2"], TOKEN) is not None
    database.close()


@pytest.mark.parametrize("form", ["dynamic", "canvas"])
def test_a_description_holds_any_name(form: str) -> None:
    found = described("https://grader.example.org", 'A "course" of \\ JAX', form)
    assert 'A "course" of \\ JAX' in (found.get("client_name"), found.get("title"))
    assert "{" not in repr(found).replace("{'", "")
