"""`grader submit`: which files are in the zip, which never are, and how it is graded."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader import cli
from grader.author.handout import write_handout
from grader.course.course import Course, load
from grader.intake import reader
from grader.records.errors import SubmissionError, UsageError
from grader.records.model import CheckResult, Status
from grader.student import progress, workspace
from grader.student.start import start
from grader.student.submit import receipt, submit

Maker = Callable[..., Course]
NOW = datetime.datetime(2026, 11, 20, 12, 0, tzinfo=datetime.UTC)
LATER = NOW + datetime.timedelta(days=1)


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    folder = tmp_path / "mine"
    course = start(folder).course
    monkeypatch.chdir(folder)
    return course


def run(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "80"}).invoke(cli.main, [str(one) for one in arguments])


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as packed:
        return {info.filename: packed.read(info) for info in packed.infolist()}


def test_exactly_the_files_of_the_course_get_in(mine: Course, tmp_path: Path) -> None:
    for stray in (
        ".env",
        ".git/config",
        ".venv/lib/site-packages/x.py",
        "01_arrays/.hist.py.swp",
        "01_arrays/__pycache__/hist.cpython-311.pyc",
        "01_arrays/hist.md~",
        "01_arrays/scratch.py",
        "01_arrays/Untitled.ipynb",
        "id_rsa",
        "passwords.txt",
        "data.npz",
        "solutions/01_arrays/hist.py",
    ):
        path = mine.stubs / stray
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("secret")
    handed = submit(mine, tmp_path / "in.zip")
    inside = members(tmp_path / "in.zip")
    expected = {f"{exercise.id}.py" for exercise in mine.exercises}
    assert set(inside) == {"manifest.json", *expected}
    assert not any(b"secret" in data for data in inside.values())
    assert handed.strays == ("01_arrays/Untitled.ipynb", "01_arrays/scratch.py")


def test_the_zip_is_graded_as_the_folder_is(mine: Course, tmp_path: Path) -> None:
    stub = mine.stub(mine["hist"])
    stub.write_text(stub.read_text().replace("raise NotImplementedError", "return x"))
    mine.stub(mine["selu"]).unlink()
    handed = submit(mine, tmp_path / "in.zip")
    folder, packed = reader.read(mine.stubs, mine), reader.read(tmp_path / "in.zip", mine)
    assert packed.sources == folder.sources
    assert packed.digest == folder.digest == handed.submission.digest
    assert len(packed.sources) == len(mine.exercises) - 1
    assert packed.notes == ()
    assert packed.problem is None


def test_notebooks_are_handed_in_as_they_are(tmp_path: Path) -> None:
    course = start(tmp_path / "mine", as_notebooks=True).course
    submit(course, tmp_path / "in.zip")
    inside = members(tmp_path / "in.zip")
    assert set(inside) == {"manifest.json", *(f"{t}.ipynb" for t in workspace.topics(course))}
    packed = reader.read(tmp_path / "in.zip", course)
    assert packed.digest == reader.read(course.stubs, course).digest
    assert packed.notes == ()


@pytest.mark.slow
def test_the_command_grades_what_was_submitted(
    make_course: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = make_course(tmp_path / "course")
    write_handout(course, tmp_path / "mine")
    own = load(tmp_path / "mine" / "catalog.toml")
    own.stub(own["double"]).write_text("def double(x):\n    return 2 * x\n")
    monkeypatch.chdir(tmp_path / "mine")
    said = run("submit", "--out", tmp_path / "ada.zip").output
    arguments = ("--course", course.root, "--out", tmp_path / "results", "--isolation", "none")
    graded = run("grade", tmp_path / "ada.zip", *arguments)
    assert graded.exit_code == 0, graded.output
    (grade,) = json.loads((tmp_path / "results" / "results.json").read_text())["submissions"]
    assert grade["score"] == grade["max_score"] == 4
    assert grade["digest"] in said
    assert grade["notes"] == []


def test_the_manifest_says_what_is_in_it(mine: Course, tmp_path: Path) -> None:
    exercise = mine["hist"]
    found = CheckResult(exercise.id, "", Status.PASSED)
    progress.remember(mine, found, workspace.digest(mine, exercise))
    handed = submit(mine, tmp_path / "in.zip", NOW)
    inside = members(tmp_path / "in.zip")
    said = json.loads(inside.pop("manifest.json"))
    assert said["schema"] == 1
    assert said["course"] == mine.name
    assert said["time"] == "2026-11-20T12:00:00+00:00"
    assert said["digest"] == handed.submission.digest
    assert set(said["versions"]) == {"grader", "jax", "python", "platform"}
    assert {one["path"]: one["sha256"] for one in said["files"]} == {
        name: hashlib.sha256(data).hexdigest() for name, data in inside.items()
    }
    assert said["exercises"]["01_arrays/hist"] == "passed"
    assert said["exercises"]["01_arrays/set_row"] == "not started"


def test_the_same_work_gives_the_same_zip_but_for_the_time(mine: Course, tmp_path: Path) -> None:
    one, two, three = (tmp_path / f"{name}.zip" for name in "abc")
    submit(mine, one, NOW)
    for exercise in mine.exercises:
        os.utime(mine.stub(exercise), (1, 1))
    submit(mine, two, NOW)
    submit(mine, three, LATER)
    assert one.read_bytes() == two.read_bytes()
    first, last = members(one), members(three)
    assert first.pop("manifest.json") != last.pop("manifest.json")
    assert list(first.items()) == list(last.items())


def test_the_receipt_is_kept(mine: Course, tmp_path: Path) -> None:
    receipts = [receipt(submit(mine, tmp_path / "in.zip", now)) for now in (NOW, LATER)]
    assert (mine.stubs / ".grader" / "receipts.txt").read_text().splitlines() == receipts


def test_it_says_what_is_in_it_and_what_is_missing(mine: Course) -> None:
    mine.stub(mine["hist"]).unlink()
    stub = mine.stub(mine["set_row"])
    stub.write_text(stub.read_text() + "\n# begun\n")
    (mine.stubs / "notes.py").write_text("x = 1\n")
    lines = run("submit").output.splitlines()
    assert lines[0].startswith(
        f"Packed {len(mine.exercises) - 1} files into `jax-by-exercises.zip` ("
    )
    assert "  missing        1  `hist`" in lines
    assert "  not checked    1  `set_row`" in lines
    assert "Not everything is checked: run `grader check` before you submit." in lines
    assert "Left out, since no exercise has this name: `notes.py`." in lines
    digest = reader.read(mine.stubs, mine).digest
    # The folder has one more file than the zip, which doesn't count.
    assert f"  {digest}" in lines
    assert max(map(len, lines)) <= 80


def test_an_earlier_hand_in_is_replaced_and_nothing_else(mine: Course) -> None:
    assert run("submit").exit_code == 0
    assert run("submit").exit_code == 0
    other = Path("other.zip")
    with zipfile.ZipFile(other, "w") as packed:
        packed.writestr("holiday.jpg", "x")
    result = run("submit", "--out", other)
    assert result.exit_code == 2
    assert result.stderr == (
        "Error: `other.zip` already exists, and `grader submit` did not write it. Name another "
        "place with `--out FILE`.\n"
    )
    assert set(members(other)) == {"holiday.jpg"}
    assert sorted(Path().glob(".*zip*")) == []


def test_a_place_that_cannot_be_is_said(mine: Course, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"is not the name of a zip. Name it `in.txt.zip`"):
        submit(mine, Path("in.txt"))
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="can't be written"):
        submit(mine, tmp_path / "file" / "in.zip")


def test_a_link_is_not_followed(mine: Course, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("PASSWORD = 'swordfish'\n")
    stub = mine.stub(mine["hist"])
    stub.unlink()
    stub.symlink_to(tmp_path / "secret.py")
    elsewhere = tmp_path / "elsewhere"
    (mine.stubs / "02_random").rename(elsewhere)
    (mine.stubs / "02_random").symlink_to(elsewhere)
    handed = submit(mine, tmp_path / "in.zip")
    inside = members(tmp_path / "in.zip")
    assert b"swordfish" not in b"".join(inside.values())
    assert not any(name.startswith("02_random") for name in inside)
    told = {note.path: note.reason for note in handed.notes}
    assert "is a link, and links are not followed" in told["01_arrays/hist.py"]
    assert "is behind a link" in told["02_random/dropout.py"]


def test_what_cannot_be_graded_is_told_before_it_is_handed_in(mine: Course) -> None:
    mine.stub(mine["hist"]).write_bytes(b"\0")
    output = " ".join(run("submit").output.split())
    assert "`01_arrays/hist.py` is not Python: it contains NUL bytes." in output


def test_nothing_to_hand_in_is_an_error(mine: Course) -> None:
    for exercise in mine.exercises:
        mine.stub(exercise).unlink()
    with pytest.raises(SubmissionError, match="contains none of the course's files"):
        submit(mine)
    assert list(Path().glob("*.zip")) == []
