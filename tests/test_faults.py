"""What a machine can refuse: an error that says what, and no traceback. No mark is lost."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from grader.course.course import Course
from grader.teacher import runs
from tests.conftest import CourseMaker

RIGHT = "def double(x):\n    return 2 * x\n"
WRONG = "def double(x):\n    return 3 * x\n"


@pytest.fixture(scope="module")
def course(make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory) -> Course:
    return make_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def graded(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of results of two students."""
    folder = tmp_path_factory.mktemp("faults") / "class"
    folder.mkdir()
    (folder / "ada.py").write_text(RIGHT)
    (folder / "ben.py").write_text(WRONG)
    out = folder.parent / "results"
    done = grader("grade", "--class", folder, "--course", course.root, "--out", out)
    assert done.returncode == 0, done.stderr
    return out


def grader(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grader.cli", *map(str, arguments)]
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run(command, text=True, **given)  # type: ignore[call-overload,no-any-return]


def test_a_full_disk_behind_standard_output_is_told(graded: Path) -> None:
    with open("/dev/full", "w") as full:
        done = grader("report", graded, "text", stdout=full)
    assert done.returncode == 4
    assert (
        "Error: the operating system refused an operation: No space left on device." in done.stderr
    )
    assert "Traceback" not in done.stderr


def test_a_reader_who_has_seen_enough_is_no_error(graded: Path) -> None:
    command = f"{sys.executable} -m grader.cli report {graded} csv | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stdout.startswith('"student",')
    assert done.stderr == ""


def test_a_current_folder_that_is_gone_is_told(graded: Path, tmp_path: Path) -> None:
    (gone := tmp_path / "gone").mkdir()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = f"cd {gone}; rmdir {gone}; {sys.executable} -m grader.cli list"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment)
    assert "Error: the current folder is gone." in done.stderr
    assert "Traceback" not in done.stderr


def test_a_cache_that_can_not_be_written_is_told(course: Course, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "ada.py").write_text(RIGHT)
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "file" / "cache")}
    done = grader("grade", tmp_path / "ada.py", "--course", course.root, env=environment)
    assert done.returncode == 4
    assert "can't be written: Not a directory" in done.stderr
    assert "XDG_CACHE_HOME" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_damaged_result_costs_nobody_else_and_is_judged_again(
    graded: Path, course: Course
) -> None:
    with contextlib.closing(sqlite3.connect(graded / "run.db")) as db, db:
        rows = db.execute("SELECT key, result FROM results").fetchall()
        key, packed = next((k, bytearray(p)) for k, p in rows if k == key_of(db, place=1))
        packed[len(packed) // 2] ^= 1
        db.execute("UPDATE results SET result = ? WHERE key = ?", (bytes(packed), key))
    outcomes = {one.id: one.exercises[0].outcome for one in runs.read(str(graded)).submissions}
    assert outcomes == {"ada": "passed", "ben": "broken"}
    ben = graded.parent / "class" / "ben.py"
    done = grader("grade", ben, "--course", course.root, "--out", graded)
    assert done.returncode == 0, done.stderr
    assert "a stored result was damaged and judged again" in done.stdout
    outcomes = {one.id: one.exercises[0].outcome for one in runs.read(str(graded)).submissions}
    assert outcomes == {"ada": "passed", "ben": "failed"}


def key_of(db: sqlite3.Connection, place: int) -> str:
    ((keys,),) = db.execute("SELECT keys FROM marks WHERE place = ?", (place,)).fetchall()
    return str(keys).split('"')[3]
