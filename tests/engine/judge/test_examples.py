"""What a failed test shows: the call, what was expected and what came, in the student's words."""

from __future__ import annotations

from collections.abc import Callable

import jax
import numpy as np
import pytest

from grader.engine.judge import example
from grader.engine.processes.evidence import Evidence
from grader.engine.processes.faults import Mismatch
from grader.engine.suite.calls import Asked, lines, place, value
from grader.records.model import TestResult
from grader.suite import assert_close
from tests.conftest import CourseMaker, SharedJudge, judging

SUITE = '''
    import jax
    import jax.numpy as jnp
    import numpy as np
    import pytest

    from grader.suite import assert_close, case, key

    X = np.float32([[1, 2], [3, 4]])


    def test_values(submission):
        """Values."""
        assert_close(submission.double(X), 2 * X)


    def test_large(submission):
        """A large array."""
        x = np.arange(600, dtype=np.float32).reshape(300, 2)
        assert_close(submission.double.jit()(x), 2 * x)


    def total(f, x, y):
        """Sums up."""
        return f(x).sum() + y


    def test_gradient(submission):
        """A gradient."""
        assert_close(submission.double.used_by(total).grad(argnums=(0, 1))(X, 1.0)[0], 0 * X + 2)


    def test_cases(submission):
        """Two cases."""
        with case("in float32"):
            assert submission.double(np.float32(1)).dtype == np.float32
        with case("in half precision", hint="Look at the dtype."):
            assert_close(submission.double(np.float16(1.5)), np.float16(3))


    @pytest.mark.hint("Not this one.")
    def test_which_call(submission):
        """The first of two results is wrong."""
        first, second = submission.double(np.float32([1, 2, 3])), submission.double(5)
        assert second == 10
        assert_close(first, np.float32([2, 4, 6]))


    def test_a_fact(submission):
        """A small program."""
        assert submission.double.program(X).size <= 3


    def test_said(submission):
        """In the suite's own words."""
        assert submission.double(3) == 6, "three is not doubled"


    @pytest.mark.words
    def test_words(submission):
        """The expected value is the answer."""
        assert_close(submission.double(X), 2 * X)


    def test_a_key(submission):
        """A key."""
        assert submission.other(key(7), 2) == 0
'''
SOLUTION = """
def double(x):
    return 2 * x

def other(key, n):
    return 0
"""
Messages = dict[str, TestResult]


@pytest.fixture(scope="module")
def graded(
    shared_judge: SharedJudge, make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Messages]:
    grade = judging(shared_judge, make_course, tmp_path_factory.mktemp("examples"), SUITE, SOLUTION)
    return lambda text: {t.id.removeprefix("test_"): t for t in grade(text).tests}


def test_a_wrong_value_shows_its_call(graded: Callable[[str], Messages]) -> None:
    found = graded("def double(y):\n    return 3 * y\n\ndef other(key, n):\n    return n")
    messages = {name: test.message for name, test in found.items()}
    assert messages["values"].splitlines() == [
        "4 of 4 values are wrong.",
        "double(y) with",
        "  y = float32[2, 2] [[1, 2],",
        "                     [3, 4]]",
        "expected [[2, 4],",
        "          [6, 8]]",
        "got      [[ 3,  6],",
        "          [ 9, 12]]",
        "Largest difference 4 at [1, 1]; 3.05e-05 is allowed.",
    ]
    assert messages["large"].splitlines() == [
        "599 of 600 values are wrong.",
        "jit(double)(y) with",
        "  y = float32[300, 2] of 0, 1, 2, 3, 4, ...",
        "At [299, 1]: expected 1198, got 1797.",
        "At [0, 1]: expected 2, got 3.",
        "At [1, 0]: expected 4, got 6.",
        "Largest difference 599 at [299, 1]; 0.00457 is allowed.",
    ]
    gradient = messages["gradient"].splitlines()
    assert gradient[1] == "grad(total, argnums=(0, 1))(x, y) with"
    assert "  def total(f, x, y):  # f is your double" in gradient
    assert "Sums up" not in messages["gradient"]
    assert messages["cases"].startswith(
        "In half precision: The value is wrong.\ndouble(float16 1.5)"
    )
    half = graded("def double(x):\n    return x if x.dtype == 'float16' else 2 * x\n")
    assert half["cases"].hint == "Look at the dtype."
    assert messages["said"].splitlines()[:2] == ["Three is not doubled.", "double(3)"]
    assert messages["words"] == "4 of 4 values are wrong."
    assert messages["a_key"].splitlines()[1:] == [
        "other(jax.random.key(7), 2)",
        "Expected 0, got 2.",
    ]


def test_the_call_is_that_of_the_wrong_result(graded: Callable[[str], Messages]) -> None:
    text = """
    def double(x):
        return 10 if isinstance(x, int) else x if x.ndim == 1 else 2 * x
    """
    which = graded(text)["which_call"]
    assert which.message.splitlines()[1:4] == [
        "double(x) with",
        "  x = float32[3] [1, 2, 3]",
        "expected [2, 4, 6]",
    ]
    assert which.hint == "Not this one."


def test_an_exception_says_what_jax_said(graded: Callable[[str], Messages]) -> None:
    found = graded("def double(x):\n    raise ValueError('no' * 300 + chr(8238))\n")
    head, call, said, *_ = found["cases"].message.splitlines()
    assert head.startswith("In float32: Your code raised ValueError at line 2")
    assert (call, said[:16]) == ("double(1)", "ValueError: nono")
    assert len(said) <= example.WIDEST
    assert found["words"].message.count("\n") == 0
    assert chr(8238) not in found["values"].message


def test_the_case_of_one_test_is_not_told_in_the_next(graded: Callable[[str], Messages]) -> None:
    """A file that can't be loaded fails every test with the same fault."""
    found = graded("import nothing_of_this_name\n")
    cased = {name for name, test in found.items() if test.message.startswith("In float32: ")}
    assert cased == {"cases"}


def test_a_fact_says_its_number_and_the_bound(graded: Callable[[str], Messages]) -> None:
    grown = "def double(x):\n    for _ in range(9):\n        x = x * 2\n    return x / 256\n"
    first = graded(grown)["a_fact"].message.splitlines()[0]
    assert first.startswith("Your program has ")
    assert first.endswith(" operations; at most 3 are allowed.")


def test_a_suite_may_change_an_array_after_the_call() -> None:
    x = np.array([1, 2], np.float32)
    call = Asked.of("f", (), (x,), {})
    x[0] = 9
    assert lines(call, "def f(a): pass") == ["f(a) with", "  a = float32[2] [1, 2]"]


@pytest.mark.parametrize(
    ("stack", "path", "said"),
    [
        ([("grad", {"argnums": (1, 2)})], "[1]", "`[1]` is the gradient with respect to `c`."),
        ([("grad", {"argnums": (1, 2)}), ("jit", {})], "[0]['w']", "`[0]` is the gradient"),
        ([("value_and_grad", {"argnums": (0, 1)})], "[1][1]", "with respect to `b`."),
        ([("value_and_grad", {"argnums": (0, 1)})], "[0]", ""),
        ([("grad", {"argnums": 1})], "[1]", ""),
        ([], "[1]", ""),
    ],
)
def test_a_place_in_gradients_is_an_argument(stack: list[object], path: str, said: str) -> None:
    call = Asked.of("f", tuple(stack), (1, 2, 3), {})
    told = place(call, path, "def f(a, b, c): pass")
    assert said in told and bool(said) == bool(told)


def test_an_example_has_few_lines() -> None:
    """Large arguments are shown by their beginnings, and of many only the first ones."""
    tall, trees = np.ones((6, 4), np.float32), [{f"w{n}": np.ones(99)} for n in range(40)]
    for given in ((tall, tall, tall), (tall, *trees)):
        call = Asked.of("f", (), given, {})
        for most in (12, 7, 3):
            assert len(lines(call, "", most)) <= most
    column = np.ones((24, 1), np.float32)
    with pytest.raises(Mismatch) as caught:
        assert_close(2 * column, column)
    assert len(example.lines(Evidence(), "", caught.value)) <= example.MOST


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (jax.random.key(3), "jax.random.key(3)"),
        (jax.random.split(jax.random.key(3), 4), "4 keys"),
        ({"w": np.float32(0.1), "b": [True, None]}, "{'w': 0.1, 'b': [True, None]}"),
        ((1,), "(1,)"),
        (np.zeros((0, 2), np.int32), "int32[0, 2]"),
        (np.float64(1.5), "float64 1.5"),
        (np.complex64(1 + 2j), "complex64 1+2j"),
        (list(range(100)), "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ...]"),
        (np.sin, "sin"),
        ("x" * 100, f"'{'x' * 72}..."),
    ],
)
def test_values_are_written_as_people_write_them(given: object, text: str) -> None:
    assert value(given) == text


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (np.array([np.nan, 1], np.float32), np.array([2, 1], np.float32)),
        (np.array([True, False]), np.array([True, True])),
        (np.zeros(0, np.float32), np.zeros(3, np.float32)),
        (np.array([1, 2j], np.complex64), np.array([1, 2], np.complex64)),
        ({"a": 1}, {"b": 1}),
        ("a", "b"),
        (np.zeros((50, 50), np.int8), np.ones((50, 50), np.int8)),
        ({"x": np.dtype("float64")}, {"x": np.float32}),
    ],
)
def test_every_difference_has_an_example(got: object, expected: object) -> None:
    with pytest.raises(Mismatch) as caught:
        assert_close(got, expected, nonfinite=True)
    found = example.lines(Evidence(), "", caught.value)
    assert found and all(row.isprintable() for row in found)
