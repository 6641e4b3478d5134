"""The known mistake that gives a program's results is named, and no other one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from grader import Grader
from grader.course.course import Course
from grader.output.reports.redaction import public_result
from grader.output.reports.sentences import test as told
from grader.records.model import ExerciseResult, TestResult

EXERCISE = "01_first/double"
SUITE = '''
    import numpy as np
    import pytest

    from grader.suite import assert_close


    @pytest.mark.hint("Think of every number.")
    def test_vectors(submission, rng):
        """A vector is doubled."""
        x = rng.normal(size=7).astype(np.float32)
        assert_close(submission.double(x), 2 * x)


    def test_matrices(submission, rng):
        """A matrix is doubled."""
        x = rng.normal(size=(3, 4)).astype(np.float32)
        assert_close(submission.double(x), 2 * x)


    def test_nothing(submission):
        """Zeros stay zeros."""
        assert_close(submission.double(np.zeros(3, np.float32)), np.zeros(3, np.float32))
'''
SOLUTION = "def double(x):\n    return 2 * x\n"
WRONG = """
    import jax.numpy as jnp


    # %% tripled
    # Every number is multiplied by 3.
    # Do: Multiply by 2.
    # Fails: test_vectors, test_matrices
    def double(x):
        return 3 * x


    # %% added
    # One is added to the double.
    # Do: Add nothing.
    # Fails: test_vectors, test_matrices, test_nothing
    def double(x):
        return 2 * x + 1


    # %% vectors_only
    # A matrix is multiplied by itself.
    # Do: Multiply matrices by 2, too.
    # Fails: test_matrices
    def double(x):
        return 2 * x if x.ndim < 2 else x @ x.T


    # %% without_advice
    # The square.
    # Fails: test_vectors, test_matrices
    def double(x):
        return x * x


    # %% endless
    # The loop has no end.
    # Do: End the loop.
    # Its examples depend on the machine.
    # Fails: test_vectors, test_matrices, test_nothing
    def double(x):
        while True:
            x = x + 0


    # %% wrong_axis
    # The sum is along an axis that a vector doesn't have.
    # Do: Leave the sum out.
    # Fails: test_vectors, test_nothing
    def double(x):
        return jnp.sum(x, axis=1) if x.ndim < 2 else 2 * x


    # %% no_such_attribute
    # Arrays have no rows.
    # Do: Leave the rows out.
    # Fails: test_matrices
    def double(x):
        return 2 * x if x.ndim < 2 else x.rows
"""
Grade = Callable[[str], ExerciseResult]


@pytest.fixture(scope="module")
def grade(
    make_course: Callable[..., Course], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Grade]:
    course = make_course(
        tmp_path_factory.mktemp("naming"),
        {
            "tests/hidden/01_first/test_double.py": SUITE,
            "solutions/01_first/double.py": SOLUTION,
            "solutions/01_first/double.wrong.py": WRONG,
        },
    )
    with Grader(course, isolation="available", races=False) as grader:
        yield lambda body: grader.grade(f"import jax.numpy as jnp\n\n{body}", EXERCISE)


def names(result: ExerciseResult) -> dict[str, str]:
    return {
        test.id.removeprefix("test_"): test.advice.cause if test.advice else ""
        for test in result.tests
        if test.outcome.is_lost
    }


def test_a_program_with_the_same_results_is_named(grade: Grade) -> None:
    result = grade("def double(x):\n    return x + x + x\n")
    assert names(result) == {"vectors": "double/tripled", "matrices": "double/tripled"}
    test = result.tests[0]
    assert test.advice is not None
    assert test.advice.sentence == (
        "Your function gives the same results as this mistake: Every number is multiplied by 3."
    )
    assert test.advice.todo == "Multiply by 2."
    rows = told(test).splitlines()
    assert rows[:2] == [test.advice.sentence, "Multiply by 2."]
    assert test.hint and "Hint" not in told(test)


def test_two_mistakes_are_named_where_each_agrees(grade: Grade) -> None:
    found = names(grade("def double(x):\n    return 3 * x if x.ndim < 2 else x @ x.T\n"))
    assert found == {"vectors": "double/tripled", "matrices": "double/vectors_only"}


@pytest.mark.parametrize(
    "body",
    [
        "def double(x):\n    return 2.01 * x\n",  # nobody has written this down
        "def double(x):\n    return x**2\n",  # known, and without a word for a student
        "def double(x):\n    return jnp.zeros_like(x)\n",
        "def double(x):\n    return jnp.mean(x, axis=1) if x.ndim < 2 else 2 * x\n",
        # The same exceptions, but in fewer tests, and of another attribute.
        "def double(x):\n    return jnp.sum(x, axis=1) if x.ndim < 2 and x.any() else 2 * x\n",
        "def double(x):\n    return 2 * x if x.ndim < 2 else x.columns\n",
    ],
)
def test_what_nobody_knows_has_no_name(grade: Grade, body: str) -> None:
    assert not any("/" in cause for cause in names(grade(body)).values())


def test_an_exception_is_named_if_the_same_function_raised_it(grade: Grade) -> None:
    result = grade(
        "def double(x):\n    y = 2 * x\n    return jnp.sum(y, axis=1) if x.ndim < 2 else y\n"
    )
    assert names(result) == {"vectors": "double/wrong_axis", "nothing": "double/wrong_axis"}
    advice = result.tests[0].advice
    assert advice is not None
    assert advice.sentence.startswith("Your code fails like this mistake: The sum is along")


def test_a_right_answer_has_no_name(grade: Grade) -> None:
    assert names(grade("def double(x):\n    return x + x\n")) == {}


def test_an_exam_names_a_mistake_only_if_it_says_so(grade: Grade) -> None:
    result = grade("def double(x):\n    return 3.0 * x\n")

    def named(**how: bool) -> list[TestResult]:
        return [test for test in public_result(result, **how).tests if test.is_named]

    assert len(named()) == 2
    assert named(in_words=True) == []
    assert len(named(in_words=True, mistakes=True)) == 2
