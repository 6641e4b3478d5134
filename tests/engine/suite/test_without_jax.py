"""Courses without JAX, and suites without a course."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader import Grader
from grader.engine.judge.standalone import DirectSeat
from grader.engine.suite.submission import Function, SubmissionProxy
from grader.records.errors import BrokenSuiteError
from grader.records.model import Exercise, Outcome, Source
from tests.conftest import CourseMaker

IN_PLACE = """
    import numpy as np


    def clipped(x, low):
        x[x < low] = low
        return x
"""
FILES = {
    "exercises/02_plain/clipped.py": '''
        """Clip an array."""


        def clipped(x, low):
            """Return `x` with no number below `low`.

            >>> import numpy as np
            >>> clipped(np.array([1.0, 3.0]), 2.0).tolist()
            [2.0, 3.0]
            """
            raise NotImplementedError
    ''',
    "solutions/02_plain/clipped.py": IN_PLACE,
    "tests/hidden/02_plain/test_clipped.py": """
        import numpy as np
        import pytest

        from grader.suite import assert_close


        def test_values(submission, rng):
            x = rng.normal(size=9)
            assert_close(submission.clipped(x, 0.5), np.maximum(x, 0.5))
            assert (x < 0.5).any(), "the arguments are copies"


        @pytest.mark.hint("Which dtype does the result have?")
        def test_dtypes_are_kept(submission, rng):
            for dtype in (np.float64, np.int64):
                x = rng.integers(-5, 5, size=9).astype(dtype)
                assert submission.clipped(x, 0).dtype == dtype
    """,
}
ENTRY = """
[[exercise]]
id = "02_plain/clipped"
title = "Clip"
numpy = true
"""


@pytest.fixture(scope="module")
def grader(make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grader]:
    course = make_course(tmp_path_factory.mktemp("plain"), dict(FILES), catalog=ENTRY)
    with Grader(course, ["clipped"], jobs=1) as made:
        yield made


def test_code_may_change_its_arrays_in_place(grader: Grader) -> None:
    result = grader.grade(textwrap.dedent(IN_PLACE), "clipped")
    assert result.outcome is Outcome.PASSED, result


def test_wrong_code_fails(grader: Grader) -> None:
    halved = "def clipped(x, low):\n    return x.clip(low).astype('float32')\n"
    result = grader.grade(halved, "clipped")
    assert [test.outcome for test in result.tests] == [Outcome.FAILED] * 2


@pytest.fixture
def clipped() -> Function:
    """The function of an exercise in NumPy, in this process."""
    exercise = Exercise("02_plain/clipped", "Clip", ("clipped",), numpy=True)
    source = Source(exercise.id, "clipped.py", textwrap.dedent(IN_PLACE))
    return SubmissionProxy(DirectSeat(exercise, source)).clipped


def test_a_function_of_the_suite_is_called_as_it_is(clipped: Function) -> None:
    """Without `.reported()` it would become a program, and NumPy can't be traced."""
    x = np.array([1.0, 3.0])
    used = clipped.used_by(lambda clipped, x: (clipped(x, 2.0), x))
    with pytest.raises(BrokenSuiteError, match=r"gets NumPy arrays.* Add `\.reported\(\)`"):
        used(x)
    after, before = used.reported()(x)
    assert after.tolist() == before.tolist() == [2.0, 3.0]
    assert after.dtype == np.float64


@pytest.mark.parametrize(
    "ask",
    [
        lambda f, x: f.vmap()(x, 2.0),
        lambda f, x: f.program(x, 2.0),
        lambda f, x: f.kept(x, 2.0),
    ],
)
def test_without_jax_there_is_no_program(
    clipped: Function, ask: Callable[[Function, Any], Any]
) -> None:
    with pytest.raises(BrokenSuiteError, match=r"gets NumPy arrays.* Call it .*live=True"):
        ask(clipped, np.ones(3))


SUITE = """
    import numpy as np

    from grader.suite import assert_close


    def test_the_line_is_found(submission, rng):
        x = rng.normal(size=50)
        assert_close(submission.fit(x, 3 * x - 1), np.array([3.0, -1.0]), atol=1e-9)


    def test_what_it_prints_is_no_problem(submission):
        assert submission.name() == "fit"
"""
FIT = """
    import numpy as np


    def fit(x, y):
        return np.polyfit(x, y, 1)


    def name():
        print("hello")
        return "fit"
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.fixture
def homework(tmp_path: Path) -> Path:
    """A suite that belongs to no course, and a student's folder."""
    (tmp_path / "work").mkdir()
    (tmp_path / "test_fit.py").write_text(textwrap.dedent(SUITE))
    (tmp_path / "work" / "fit.py").write_text(textwrap.dedent(FIT))
    return tmp_path


@pytest.mark.slow
def test_a_suite_without_a_course_judges_a_folder_or_a_file(homework: Path) -> None:
    done = run(homework, "test_fit.py", "--grader-submission", "work")
    assert "2 passed" in done.stdout, done.stdout
    wrong = (homework / "work" / "fit.py").read_text().replace("x, y, 1", "y, x, 1")
    (homework / "other.py").write_text(wrong)
    done = run(homework, "test_fit.py", "--grader-submission", "other.py")
    assert "1 failed, 1 passed" in done.stdout, done.stdout


@pytest.mark.slow
def test_its_code_is_in_the_sandbox(homework: Path) -> None:
    reading = f"open({str(homework / 'test_fit.py')!r}).read()\n"
    (homework / "work" / "fit.py").write_text(reading + textwrap.dedent(FIT))
    done = run(homework, "test_fit.py", "--grader-submission", "work")
    assert "2 failed" in done.stdout
    assert "PermissionError" in done.stdout


@pytest.mark.slow
def test_without_a_path_it_says_what_is_missing(homework: Path) -> None:
    done = run(homework, "test_fit.py")
    assert "--grader-submission PATH" in done.stdout + done.stderr
    done = run(homework, "test_fit.py", "--grader-submission", "nowhere.py")
    assert "can't be judged" in done.stdout + done.stderr
