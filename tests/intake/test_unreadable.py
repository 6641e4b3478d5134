"""Work that is there and can't be read is no missing work: every report says so, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course.course import Course
from grader.delivery import formats
from grader.intake import reader
from grader.records import scoring
from grader.records.model import Grade, Outcome, Run, Submission, TestResult
from tests.class_for_reports import ENVIRONMENT

LATIN = b"# caf\xe9\ndef double(x):\n    return 2 * x\n"


def graded(submission: Submission) -> Grade:
    """The mark as a judge's results make it: nothing was judged."""
    test = TestResult("test_x", "It doubles.", Outcome.MISSING, 0.0, 2.0, message="Not submitted.")
    return scoring.grade(submission, [scoring.exercise_result("01_first/double", (test,))])


def handed_in(course: Course, folder: Path, files: dict[str, bytes]) -> Submission:
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return reader.read(folder, course)


@pytest.mark.parametrize(
    ("files", "outcome"),
    [
        ({"double.py": LATIN}, Outcome.UNREADABLE),
        ({"double.ipynb": b"{"}, Outcome.UNREADABLE),
        ({"homework.ipynb": b"{"}, Outcome.UNREADABLE),
        ({"all.zip": b"PK nonsense"}, Outcome.UNREADABLE),
        ({"double.py": LATIN, "other.py": b"def negate(x):\n    return -x\n"}, Outcome.UNREADABLE),
        ({"notes.txt": b"later"}, Outcome.MISSING),
        ({"other.py": b"x = 1\n"}, Outcome.MISSING),
        ({}, Outcome.MISSING),
    ],
)
def test_it_is_told_from_missing_work(
    foreign: Course, tmp_path: Path, files: dict[str, bytes], outcome: Outcome
) -> None:
    grade = graded(handed_in(foreign, tmp_path / "ada", files))
    (result,) = grade.exercises
    assert result.outcome is outcome
    assert result.tests[0].outcome is outcome
    assert (grade.score, grade.max_score) == (0.0, 2.0)


@pytest.mark.parametrize("name", [n for n in formats.FORMATS if n not in ("canvas", "moodle")])
def test_every_report_says_why(foreign: Course, tmp_path: Path, name: str) -> None:
    grade = graded(handed_in(foreign, tmp_path / "ada", {"double.py": LATIN}))
    text = formats.FORMATS[name].render(Run("c", "0", ENVIRONMENT, (grade,)))
    assert "UTF-8" in text
    assert "Not submitted" not in text


def test_a_file_that_is_in_a_zip_twice_was_read(foreign: Course, tmp_path: Path) -> None:
    import warnings
    import zipfile

    with zipfile.ZipFile(tmp_path / "ada.zip", "w") as packed, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for text in ("x = 1", "def double(x):\n    return 2 * x\n"):
            packed.writestr("double.py", text)
    found = reader.read(tmp_path / "ada.zip", foreign)
    assert [note.unreadable for note in found.notes] == [False]
