"""`grader check` explains what an example raises, and says it once."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from grader.feedback import first_nan
from grader.output.screens.check import render
from grader.records.model import CheckResult
from grader.student.check import check
from tests.conftest import CourseMaker

STUB = '''
    """Twice an array."""
    import jax
    import jax.numpy as jnp


    @jax.jit
    def double(x):
        """Return `2 * x`.

        >>> double(jnp.array([1.0, 2.0])).tolist()
        [2.0, 4.0]
        """
        x.at[0].set(3.0)
        if x.sum() > 0:
            return 2 * x
        return x + x


    def other(x):
        """The same.

        >>> other(jnp.array([1.0, 2.0])).tolist()
        [2.0, 4.0]
        """
        return double(x)
'''


@pytest.fixture(scope="module")
def checked(make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory) -> CheckResult:
    folder: Path = tmp_path_factory.mktemp("checked")
    course = make_course(folder, {"exercises/01_first/double.py": STUB})
    (result,) = check(course, course.exercises)
    return result


def test_an_example_that_raises_has_the_same_advice_as_a_test(checked: CheckResult) -> None:
    advice = [finding.advice for finding in checked.findings]
    assert len(advice) == 2
    assert advice[0] is not None
    assert (advice[0].cause, advice[0].line) == ("tracer-bool", 14)
    assert advice[0].code == "if x.sum() > 0:"
    assert advice[0] == advice[1]


def test_what_is_seen_in_the_code_is_a_hint(checked: CheckResult) -> None:
    assert [(hint.cause, hint.line) for hint in checked.hints] == [("at-dropped", 13)]


def test_the_same_advice_is_shown_once(checked: CheckResult) -> None:
    console = Console(file=io.StringIO(), width=100)
    render([checked], console)
    assert isinstance(console.file, io.StringIO)
    seen = console.file.getvalue()
    assert seen.count("Line 14 uses a traced value as a condition") == 1
    assert seen.count("Line 13 drops the result") == 1


NAN = '''
    """NaN."""
    import jax
    import jax.numpy as jnp


    @jax.jit
    def double(x):
        """Return a mean.

        >>> double(jnp.zeros(0)).item()
        0.0
        >>> double(jnp.array([jnp.nan, 1.0, 3.0])).item()
        2.0
        """
        total = jnp.nansum(x)
        return total / jnp.sum(~jnp.isnan(x))


    def other(x):
        """Return a root.

        >>> jax.grad(other)(0.0).item()
        0.0
        """
        root = jnp.sqrt(x)
        return jnp.where(x > 0, root, 0.0)
'''


def test_the_line_that_makes_the_first_nan_is_named(
    make_course: CourseMaker, tmp_path: Path
) -> None:
    """In compiled code, and for a derivative; a NaN among the inputs is none of the line's."""
    course = make_course(tmp_path, {"exercises/01_first/double.py": NAN})
    (result,) = check(course, course.exercises)
    forwards, backwards = result.findings
    assert forwards.advice is not None and backwards.advice is not None
    assert forwards.sentence == "Line 16 produces the first NaN. It comes from 0 / 0."
    assert forwards.code == "return total / jnp.sum(~jnp.isnan(x))"
    assert (forwards.got, forwards.expected) == ("nan", "0.0")
    assert backwards.sentence.startswith("Line 25 has an infinite derivative")
    assert backwards.code == "root = jnp.sqrt(x)"


@pytest.mark.parametrize(
    ("code", "ways"),
    [
        ("y = a / b", "0 / 0"),
        ("return jnp.log(a - b)", "infinity minus infinity or a log of a negative number"),
        ("y = a @ b * c", "0 times NaN or infinity"),
        ("return x.mean(axis=-1)", "0 / 0"),
        ("return f(", "0 / 0, infinity minus infinity, 0 times NaN or infinity, a log"),
    ],
)
def test_only_ways_to_nan_that_stand_in_the_line_are_named(code: str, ways: str) -> None:
    assert (
        f"It comes from {ways}" in first_nan.advice(3, code, backwards=False, given=False).sentence
    )


def test_a_nan_may_have_been_given() -> None:
    found = first_nan.advice(3, "y = x.sum() / n", backwards=False, given=True)
    assert found.sentence.endswith("comes from a NaN in an input or 0 / 0.")
