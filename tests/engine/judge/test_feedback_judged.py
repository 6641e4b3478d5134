"""Feedback in results: its evidence, how often it is shown, and what an exam leaves out."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from grader.delivery.formats import FORMATS
from grader.output.reports import results as result_files
from grader.output.screens import grades
from grader.records import scoring
from grader.records.model import (
    Environment,
    ExerciseResult,
    Grade,
    Outcome,
    Run,
    Submission,
    to_plain,
)
from tests.conftest import CourseMaker, SharedJudge, judging

EXERCISE = "01_first/double"
# Line 3 does nothing, and a factor follows.
DROPPED = """import jax.numpy as jnp
def double(x, note=None):
    jnp.ones(3).at[0].set(1)
    return {} * x
"""
SUITE = '''
    """HIDDENSOURCE in a docstring that is never shown."""
    import numpy as np
    import pytest

    from grader.suite import assert_close

    HIDDENSOURCE = "HIDDENINPUT"


    def draw(rng):
        x = rng.normal(size=(4, 6)).astype(np.float32)
        x[1, 2] = 73519.5  # HIDDENSOURCE
        return x


    def test_arrays(submission, rng):
        """An array is doubled."""
        x = draw(rng)
        assert_close(submission.double(x), 2 * x)


    @pytest.mark.points(2)
    @pytest.mark.hint("Works for one number, and for many?")
    def test_notes(submission, rng):
        """A note changes nothing."""
        x = draw(rng)
        assert_close(submission.double(x, note=HIDDENSOURCE), 2 * x)


    def test_the_same_numbers_each_time(submission):
        """A number is doubled."""
        assert_close(submission.double(np.float32(73519.5)), np.float64(147039.0))


    @pytest.mark.hint("Does it survive jit?")
    def test_jit(submission, rng):
        """It survives jit."""
        x = draw(rng)
        assert_close(submission.double.jit()(x), 2 * x)
'''
SOLUTION = "def double(x, note=None):\n    return 2 * x\n"
HIDDEN = re.compile(r"HIDDEN|73519|7\.351|147039|1\.470|73520")

Grader = Callable[[str], ExerciseResult]


@pytest.fixture(scope="module")
def graded(
    shared_judge: SharedJudge, make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory
) -> Grader:
    return judging(shared_judge, make_course, tmp_path_factory.mktemp("hidden"), SUITE, SOLUTION)


def causes(result: ExerciseResult) -> dict[str, str | None]:
    return {
        t.id: t.advice.cause if t.advice else None for t in result.tests if t.outcome != "passed"
    }


def shown(result: ExerciseResult) -> str:
    """What a student sees in a terminal."""
    console = Console(file=io.StringIO(), width=100, color_system=None)
    grades.submission(Grade("somebody", "d", 0, 5, (result,)), console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_feedback_does_not_change_a_mark(graded: Grader) -> None:
    result = graded(DROPPED.format("(2 if note is None else -2)"))
    assert (result.score, result.max_score) == (3, 5)
    assert causes(result) == {"test_notes": None}
    assert [finding.cause for finding in result.findings] == ["at-dropped"]


def test_an_exception_is_explained_once(graded: Grader) -> None:
    result = graded(
        """
        def double(x, note=None):
            if x.sum() > 0:
                return 2 * x
            return x + x
        """
    )
    assert causes(result) == {"test_jit": "tracer-bool"}
    result = graded("def double(x, note=None):\n    x[0] = 1\n    return 2 * x\n")
    assert set(causes(result).values()) == {"item-assignment"}
    seen = shown(result)
    assert seen.count("Line 2 assigns to an element of a JAX array.") == 1
    assert seen.count("x = x.at[i].set(v)") == 1


def test_a_right_answer_has_no_findings_and_a_wrong_one_has(graded: Grader) -> None:
    right, wrong = graded(DROPPED.format(2)), graded(DROPPED.format(5))
    assert (right.score, right.findings) == (5, ())
    assert [finding.cause for finding in wrong.findings] == ["at-dropped"]
    assert (wrong.findings[0].line, wrong.findings[0].code) == (3, "jnp.ones(3).at[0].set(1)")


SPEAKERS = {
    "message": "def double(x, note=None):\n    raise ValueError(f'{x} {note}')\n",
    "class": (
        "def double(x, note=None):\n    raise type(f'{note}{x.sum()}', (TypeError,), {})(str(x))\n"
    ),
    "line": (
        "def double(x, note=None):\n"
        "    exec(compile('\\n' * int(x.max() - 1) + '[][0]', 'double.py', 'exec'))\n"
    ),
    "value": "def double(x, note=None):\n    print(x, note)\n    return 1.5 * x\n",
    "name": "def double(x, note=None):\n    return {str(note): x, str(x.sum()): x}\n",
}


@pytest.mark.parametrize("name", SPEAKERS)
def test_no_input_is_in_what_a_student_reads_of_an_exam(graded: Grader, name: str) -> None:
    result = graded(SPEAKERS[name])
    assert result.outcome in (Outcome.FAILED, Outcome.RAISED)
    assert HIDDEN.search(shown(result)), "without an exam, the example is shown"
    grade = scoring.grade(Submission("somebody", "digest"), [result])
    environment = Environment("0", "3", "p", (), "3")
    run = Run("foreign", "0", environment, (grade,), show="words")
    details = json.dumps(to_plain(result_files.details(run)))
    assert HIDDEN.search(details), "the teacher sees everything"
    shown_to_students = {
        "results.json": json.dumps(result_files.results(run)),
    }
    shown_to_students |= {
        format.name: format.render(run) for format in FORMATS.values() if not format.for_teacher
    }
    leaks = {
        where: HIDDEN.findall(said)
        for where, said in shown_to_students.items()
        if HIDDEN.search(said)
    }
    assert leaks == {}


def test_a_hint_stands_with_its_test_and_advice_below_all(graded: Grader) -> None:
    seen = shown(graded(DROPPED.format("(2 if note is None else -2)")))
    assert seen.index("Hint: Works") < seen.index("Line 3 drops the result")
    assert seen.count("Line 3 drops the result") == 1


def test_where_ordinary_values_are_wrong_no_other_hint_leads_away(graded: Grader) -> None:
    seen = shown(graded("def double(x, note=None):\n    return -2 * x\n"))
    assert "Works for one number" not in seen
    assert seen.count("the same mistake as above") == 2
    # Here the first test finds wrong numbers, and this one another shape.
    seen = shown(graded("def double(x, note=None):\n    return -x if note is None else x[0]\n"))
    assert "Works for one number" in seen


def test_after_another_wrong_value_a_hint_stands_behind_a_question(graded: Grader) -> None:
    wrong = "import jax\ndef double(x, note=None):\n    traced = isinstance(x, jax.core.Tracer)\n"
    seen = shown(graded(wrong + "    return x * x if traced or note else 2 * x\n"))
    assert "Hint: Works for one number" in seen
    assert "Hint: Is this the same mistake as above? If not: Does it survive jit?" in seen


def test_golden_files_are_all_used() -> None:
    folder = Path(__file__).parents[2] / "golden" / "feedback"
    assert sorted(path.name for path in folder.iterdir()) == [
        "exceptions.toml",
        "silent.toml",
        "words.toml",
    ]


FIRST_HINT = """
    import numpy as np
    import pytest

    from grader.suite import assert_close

    @pytest.mark.hint("HINT about values")
    def test_arrays(submission, rng):
        x = rng.normal(size=(2, 3)).astype(np.float32)
        assert_close(submission.double(x), 2 * x)

    @pytest.mark.hint("HINT about pairs")
    def test_pairs(submission, rng):
        x = rng.normal(size=(2, 3)).astype(np.float32)
        assert_close(submission.double((x, x)), (2 * x, 2 * x))
"""


def test_the_hint_of_the_first_test_leads_nobody_away_from_a_list(
    shared_judge: SharedJudge, make_course: CourseMaker, tmp_path: Path
) -> None:
    solution = "def double(x):\n    return tuple(map(double, x)) if type(x) is tuple else 2 * x\n"
    grade = judging(shared_judge, make_course, tmp_path, FIRST_HINT, solution)
    first, _ = grade(solution.replace("2 * x", "[2 * x]")).tests
    assert first.hint == ""
    told = first.message.split("\n")[:2]
    assert told == ["A list, where something else is expected.", "An array is expected."]
    # A hint may be about a dtype, a shape, or another container than this one.
    first, _ = grade(solution.replace("2 * x", "x[0]")).tests
    assert first.hint == "HINT about values"
    _, pairs = grade(solution.replace("tuple(map(double, x))", "2 * x[0]")).tests
    assert pairs.hint == "HINT about pairs"
