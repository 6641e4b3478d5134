"""Students' pages go back to Canvas and Moodle under names that these find students by."""

from __future__ import annotations

import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.course.course import Course
from grader.intake import reader
from grader.output.reports import results
from grader.records.model import LAYERS, Environment, Grade, Person, Run

GOLDEN = Path(__file__).parents[1] / "golden" / "platforms"
PAGE = "feedback.html"


def of_canvas(name: str) -> str:
    """Canvas's `infer_comment_context_from_filename`: the person, if it knows the upload, too."""
    person, upload = [part for part in name.split("_") if re.fullmatch(r"\d+", part)][:2]
    uploads = {path.name.split(f"_{person}_")[-1] for path in (GOLDEN / "canvas").iterdir()}
    assert any(one.startswith(f"{upload}_") for one in uploads)
    return person


def of_moodle(name: str) -> str:
    """Moodle's `is_valid_filename_for_import`: five parts, of which the second is the person."""
    _, person, kind, plugin, file = name.split("_", 4)
    assert (kind, plugin, file) == ("assignsubmission", "file", PAGE)
    return person


def graded(course: Course, download: Path, folder: Path) -> None:
    environment = Environment("0.10", "3.11", "linux", LAYERS, "")
    grades = tuple(
        Grade(one.id, one.digest, 0, 0, student=one.student)
        for one in reader.read_class(download, course)
    )
    results.write(Run("course", "0", environment, grades), folder)


def handed_back(folder: Path, download: Path) -> tuple[str, list[str]]:
    """What the command says, and the names in its zip."""
    command = ["feedback", str(folder), str(folder / "pages"), "--upload", str(download)]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.stderr
    (packed,) = (folder / "pages").glob("upload-*.zip")
    return done.stderr, zipfile.ZipFile(packed).namelist()


@pytest.mark.parametrize(
    ("platform", "person_of", "left_out"),
    [
        ("canvas", of_canvas, {"4104"}),  # who typed a text has no upload
        ("moodle", of_moodle, set()),
        ("moodle_flat", of_moodle, set()),
    ],
)
def test_each_page_finds_its_person(
    platform: str,
    person_of: Callable[[str], str],
    left_out: set[str],
    foreign: Course,
    tmp_path: Path,
) -> None:
    download = Path(shutil.copytree(GOLDEN / platform, tmp_path / platform))
    graded(foreign, download, tmp_path)
    said, names = handed_back(tmp_path, download)
    read = list(reader.read_class(download, foreign))
    people = {(one.student.canvas or one.student.moodle) for one in read if one.student}
    assert sorted(map(person_of, names)) == sorted(people - left_out)
    lines = said.splitlines()[1:]
    packed = tmp_path / "pages" / f"upload-{platform}.zip"
    assert lines[0] == f"packed {len(names)} in {packed}"
    assert (len(lines) == 2) == bool(left_out)


def test_a_name_may_hold_what_moodle_splits_at(foreign: Course, tmp_path: Path) -> None:
    download = tmp_path / "moodle"
    download.mkdir()
    (download / "Ada_von Roe_55_assignsubmission_file_set_row.py").write_text("x = 1\n")
    graded(foreign, download, tmp_path)
    assert handed_back(tmp_path, download)[1] == [f"Ada von Roe_55_assignsubmission_file_{PAGE}"]


def test_another_folder_is_refused(foreign: Course, tmp_path: Path) -> None:
    graded(foreign, GOLDEN / "canvas", tmp_path)
    command = ["feedback", str(tmp_path), str(tmp_path / "pages"), "--upload"]
    done = CliRunner().invoke(main, [*command, str(GOLDEN / "plain")])
    assert done.exit_code != 0
    assert "under Canvas or Moodle names" in done.stderr


def test_a_download_may_still_be_packed(foreign: Course, tmp_path: Path) -> None:
    packed = tmp_path / "submissions.zip"
    with zipfile.ZipFile(packed, "w") as file:
        for path in sorted((GOLDEN / "canvas").iterdir()):
            file.write(path, path.name)
    graded(foreign, GOLDEN / "canvas", tmp_path)
    names = handed_back(tmp_path, packed)[1]
    (tmp_path / "pages" / "upload-submissions.zip").unlink()
    assert names == handed_back(tmp_path, GOLDEN / "canvas")[1]
    assert len(names) > 2


def test_each_download_has_a_zip_and_names_its_own_people(foreign: Course, tmp_path: Path) -> None:
    """Who is on both platforms finds a page on both; who is on none is named nowhere."""
    for name in ("canvas", "moodle"):
        shutil.copytree(GOLDEN / name, tmp_path / name)
    environment = Environment("0.10", "3.11", "linux", LAYERS, "")
    (mary,) = {
        entry.student.canvas
        for entry in reader.read_class(GOLDEN / "canvas", foreign)
        if entry.student and entry.student.name == "jacksonmary"
    }
    moodle = next(
        one.student.moodle for one in reader.read_class(GOLDEN / "moodle", foreign) if one.student
    )
    people = [
        Person("both", canvas=mary, moodle=moodle),
        Person("no-file", canvas="1"),
        Person("no-file-either", moodle="2"),
        Person("on-github", github="x"),
    ]
    grades = tuple(Grade(one.id, "d", 0, 0, student=one) for one in people)
    results.write(Run("course", "0", environment, grades), tmp_path)
    uploads = [f"--upload={tmp_path / name}" for name in ("canvas", "moodle")]
    done = CliRunner().invoke(main, ["feedback", str(tmp_path), str(tmp_path / "p"), *uploads])
    assert done.stderr.splitlines()[1:] == [
        f"packed 1 in {tmp_path / 'p' / 'upload-canvas.zip'}",
        "without a file in this download: no-file",
        f"packed 1 in {tmp_path / 'p' / 'upload-moodle.zip'}",
        "without a file in this download: no-file-either",
    ]
