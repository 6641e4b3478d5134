"""A key changes with everything that decides a result, and with nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from grader.course.course import Course, load
from grader.records import digests
from grader.records.model import Source, Terms
from grader.teacher.result_keys import JUDGING, Keys
from tests.conftest import FILES, CourseMaker

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
    "terms", [Terms("none", "7"), Terms("required", "8"), Terms("required", "7", with_races=False)]
)
def test_terms_decide(course: Course, terms: Terms) -> None:
    assert key(course, terms=terms) != key(course)


@pytest.mark.parametrize("place", ["suite", "solution"])
def test_what_judges_decides(course: Course, place: str) -> None:
    before = key(course)
    path: Path = getattr(course, place)(course[EXERCISE])
    path.write_text(path.read_text() + "\n# fixed\n")
    assert key(course) != before


def test_another_exercises_suite_decides_nothing(course: Course) -> None:
    before = key(course)
    course.suite(course["other"]).write_text("# fixed\n")
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
    for change in (("seconds = 240", "seconds = 241"), ("title = ", "counts = false\ntitle = ")):
        catalog.write_text(text.replace(*change, 1))
        assert key(load(catalog)) != before


def test_a_new_jax_or_a_new_grader_decides(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key(course)
    monkeypatch.setattr(metadata, "version", lambda name: "99")
    assert key(course) != before
    monkeypatch.undo()
    monkeypatch.setattr(digests, "of_code", lambda *modules: "another")
    assert key(course) != before


SHOWN = """
    __init__.py student/examples.py output/screens/check.py output/screens/grades.py
    output/reports/html/__init__.py commands/student.py commands/teacher.py cli.py delivery/ci.py
    feedback/causes.py
""".split()
DECIDING = """
    engine/judge/judge.py engine/judge/suites.py engine/judge/outcome.py engine/race/races.py
    engine/suite/compare.py engine/worker/student.py engine/bench/cost.py engine/wire/__init__.py
    engine/wire/values.py engine/wire/arrays.py engine/sandbox/locked.py
    records/student_code.py records/scoring.py records/evidence.py records/model.py
    course/course.py feedback/explain.py feedback/rules/calls.py feedback/lessons.py
""".split()


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the grader whose code the keys are made of."""
    package = tmp_path / "grader"
    shutil.copytree(
        digests._PACKAGE, package, ignore=shutil.ignore_patterns("_course", "__pycache__")
    )
    monkeypatch.setattr(digests, "_PACKAGE", package)
    return package


def touched(path: Path) -> str:
    """The grader's digest with one byte more in one of its files."""
    text = path.read_bytes()
    path.write_bytes(text + b"\n")
    digest = digests.of_code(*JUDGING)
    path.write_bytes(text)
    return digest


def test_each_module_that_judges_decides_and_no_other(copied: Path) -> None:
    before, judging = digests.of_code(*JUDGING), digests.code(copied, *JUDGING)
    deciding = {path for path in copied.rglob("*.py") if touched(path) != before}
    assert deciding == judging
    assert not [name for name in SHOWN if copied / name in judging]
    assert not [name for name in DECIDING if copied / name not in judging]
    assert all((copied / name).is_file() for name in SHOWN)


def test_what_judges_imports_nothing_that_is_in_no_key() -> None:
    mains = {digests._PACKAGE / "engine" / name / "__main__.py" for name in ("judge", "worker")}
    # The package itself is in no key: a release with the same judge judges nobody again.
    named = {digests._PACKAGE / "__init__.py"}
    paths = sorted((digests.code(digests._PACKAGE, *JUDGING) | named) - mains)
    parts = [path.relative_to(digests._PACKAGE.parent).with_suffix("").parts for path in paths]
    script = (
        "import importlib, json, sys\n"
        f"for parts in {parts}: importlib.import_module('.'.join(parts).replace('.__init__', ''))\n"
        "held = [m.__file__ for n, m in sys.modules.items() if n.split('.')[0] == 'grader']\n"
        "print(json.dumps(sorted(held)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [str(path) for path in paths]
