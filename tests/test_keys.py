"""A key changes with everything that decides a result, and with nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader import keys as module
from grader.course import Course, load
from grader.keys import Keys
from grader.model import Source, Terms

from .conftest import FILES, CourseMaker

TERMS = Terms("required", "7")
TEXT = "def double(x):\n    return 2 * x\n"
EXERCISE = "01_first/double"


@pytest.fixture
def course(make_course: CourseMaker, tmp_path: Path) -> Course:
    """The small course with a second exercise, a copy of the first."""
    entry = '\n[[exercise]]\nid = "01_first/other"\ntitle = "Other"\ndefines = ["double"]\n'
    copies = {
        name.replace("double.py", "other.py"): text
        for name, text in FILES.items()
        if name.endswith("double.py")
    }
    return make_course(tmp_path, copies, entry)


def key(course: Course, text: str | None = TEXT, path: str = "x.py", terms: Terms = TERMS) -> str:
    source = None if text is None else Source(EXERCISE, path, text)
    return Keys(course, course.exercises, terms).of(EXERCISE, source)


def test_equal_work_has_equal_keys(course: Course) -> None:
    assert key(course) == key(course)


def test_the_students_text_and_the_name_of_the_file_decide(course: Course) -> None:
    assert len({key(course), key(course, TEXT + "\n"), key(course, path="y.py")}) == 3
    assert key(course, None) not in {key(course), key(course, "")}


@pytest.mark.parametrize(
    "terms", [Terms("none", "7"), Terms("required", "8"), Terms("required", "7", races=False)]
)
def test_terms_decide(course: Course, terms: Terms) -> None:
    assert key(course, terms=terms) != key(course)


@pytest.mark.parametrize("place", ["suite", "solution"])
def test_what_judges_decides(course: Course, place: str) -> None:
    before = key(course)
    path: Path = getattr(course, place)(course[EXERCISE])
    path.write_text(path.read_text() + "\n# mended\n")
    assert key(course) != before


def test_another_exercises_suite_decides_nothing(course: Course) -> None:
    before = key(course)
    course.suite(course["other"]).write_text("# mended\n")
    assert key(course) == before


@pytest.mark.parametrize("name", ["conftest.py", "digits.csv"])
def test_what_suites_share_decides(course: Course, name: str) -> None:
    before = key(course)
    (course.suite(course[EXERCISE]).parent / name).write_text("# shared\n")
    assert key(course) != before


def test_limits_decide_and_titles_do_not(course: Course) -> None:
    before = key(course)
    catalog = course.stubs / "catalog.toml"
    text = catalog.read_text()
    catalog.write_text(text.replace("title = ", 'title = "Another "\n#', 1))
    assert key(load(catalog)) == before
    catalog.write_text(text.replace("seconds = 8", "seconds = 9", 1))
    assert key(load(catalog)) != before


def test_a_new_jax_or_a_new_grader_decides(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key(course)
    monkeypatch.setattr(module, "_version", lambda name: "99")
    assert key(course) != before
    monkeypatch.undo()
    monkeypatch.setattr(module, "_grader", lambda: "another")
    assert key(course) != before
