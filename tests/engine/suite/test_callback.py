"""A `Callback`: a suite's function that stays in the judge, and that a student's code may call."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course.course import Course
from grader.records.model import (
    Basis,
    ExerciseResult,
    Job,
    Outcome,
    Purpose,
    Source,
    Submission,
    Terms,
)
from tests.conftest import SharedJudge, with_suite

SUITE = '''
    from concurrent.futures import ThreadPoolExecutor

    import jax
    import jax.numpy as jnp
    import numpy as np

    from grader.suite import Callback, assert_close

    X = np.arange(3, dtype=np.float32)


    def test_values_go_both_ways(submission):
        """Arrays, texts and containers go both ways, and every call is seen."""
        seen = []

        def answer(*args):
            seen.append(args)
            return {"twice": 2 * args[0], "text": "told"}

        def use(double, ask):
            told = ask(jnp.arange(3.0), "x", [1, None])
            return double(told["twice"]), told["text"]

        found = submission.double.used_by(use).observed()(Callback(answer))
        assert_close(found, (4 * X, "told"))
        ((array, *rest),) = seen
        assert_close(array, X)
        assert rest == ["x", [1, None]]


    def test_a_plain_call_may_get_one(submission):
        """An argument of a plain call."""
        numbers = []
        submission.calls(Callback(numbers.append), 3)
        assert numbers == [0, 1, 2]


    def test_a_trace_may_call_one(submission):
        """The code of a program calls it while it is exported, and never again."""
        traces = []

        def use(double, note, x):
            note()
            return double(x)

        noted = Callback(lambda: traces.append(1))
        program = submission.double.used_by(use).jit(static_argnums=0)
        for x in (X, X + 1):
            assert_close(program(noted, x), 2 * x)
        assert len(traces) == 1


    def test_two_are_told_apart(submission):
        """Two callbacks, of which one is passed twice."""
        one, two = Callback(lambda: 1), Callback(lambda: 2)
        use = submission.double.used_by(lambda double, *asked: [ask() for ask in asked])
        assert use.observed()(one, two, one) == [1, 2, 1]


    def test_threads_get_their_own_answers(submission):
        """Threads that ask at once, as where several programs are compiled side by side."""

        def use(double, ask):
            with ThreadPoolExecutor(4) as pool:
                return list(pool.map(ask, range(200)))

        found = submission.double.used_by(use).observed()(Callback(lambda n: n + 1))
        assert found == list(range(1, 201))


    def test_the_bench_may_run_in_between(submission):
        """A callback may use a program, but not the submission."""
        program = submission.double.program(X)
        use = submission.double.used_by(lambda double, ask, x: ask(x))
        assert_close(use.observed()(Callback(lambda x: program(x)), X), 2 * X)
'''
SOLUTION = """
    def double(x, *asked):
        return 2 * x

    def calls(f, n):
        for i in range(n):
            f(i)
"""
BROKEN = {
    "a callback of the suite asked the submission": """
        def test_x(submission):
            "Asks while the submission waits."
            ask = Callback(lambda: submission.double(1))
            submission.double.used_by(lambda double, ask: ask()).observed()(ask)
    """,
    "has no `Callback`, so nobody observes it": """
        def test_x(submission):
            "Observes nothing."
            submission.double.used_by(lambda double: double(1)).observed()()
    """,
    "the wire doesn't carry": """
        def test_x(submission):
            "Answers with what can't be sent."
            ask = Callback(object)
            submission.double.used_by(lambda double, ask: ask()).observed()(ask)
    """,
}


def graded(judge: SharedJudge, course: Course, text: str) -> ExerciseResult:
    terms = Terms("required", "3", Purpose.PROOF)
    source = Source(course.exercises[0].id, "double.py", textwrap.dedent(text))
    job = Job(Submission("eve", "0", (source,)), (source.exercise,))
    (result,) = judge.of(course, terms).grade(job)
    return result


def course_of(make_course: Callable[..., Course], folder: Path, suite: str) -> Course:
    return with_suite(make_course, folder, suite, SOLUTION)


def test_a_callback_sees_and_answers(
    shared_judge: SharedJudge, make_course: Callable[..., Course], tmp_path: Path
) -> None:
    result = graded(shared_judge, course_of(make_course, tmp_path, SUITE), SOLUTION)
    assert {t.id: t.detail for t in result.tests if t.outcome is not Outcome.PASSED} == {}
    assert result.outcome is Outcome.PASSED
    assert {test.basis for test in result.tests} == {Basis.REPORT}


@pytest.mark.slow
@pytest.mark.parametrize("says", BROKEN)
def test_a_wrong_use_is_the_suites_fault(
    shared_judge: SharedJudge, make_course: Callable[..., Course], tmp_path: Path, says: str
) -> None:
    suite = f"    from grader.suite import Callback\n{BROKEN[says]}".replace("\n        ", "\n    ")
    result = graded(shared_judge, course_of(make_course, tmp_path, suite), SOLUTION)
    assert result.outcome is Outcome.BROKEN
    assert says in " ".join(result.tests[0].detail.split())


@pytest.mark.slow
def test_what_it_raises_ends_the_test_and_no_other(
    shared_judge: SharedJudge, make_course: Callable[..., Course], tmp_path: Path
) -> None:
    suite = '''
        from grader.suite import Callback

        def used(submission, function):
            use = submission.double.used_by(lambda double, ask: ask(*double((2,))))
            return use.observed()(Callback(function))

        def test_wrong(submission):
            """It sees a 2."""
            def check(x, _):
                assert x == 2
            used(submission, check)

        def test_unusable(submission):
            """It wants two values."""
            used(submission, lambda x, y: None)

        def test_right(submission):
            """The next call works, in a new process."""
            assert used(submission, lambda *args: 5) == 5
    '''
    result = graded(
        shared_judge, course_of(make_course, tmp_path, suite), "def double(x):\n    return (3,)"
    )
    assert [test.outcome for test in result.tests] == [
        Outcome.FAILED,
        Outcome.FAILED,
        Outcome.PASSED,
    ]


@pytest.mark.slow
def test_a_callback_that_waits_has_the_students_time(
    shared_judge: SharedJudge, make_course: Callable[..., Course], tmp_path: Path
) -> None:
    suite = '''
        import time
        from grader.suite import Callback

        def test_slow(submission):
            """The student's code decides how long the judge waits."""
            # Most of the time of this test is spent already.
            submission.double.codec.seat._test.seconds = 0.5
            submission.double(1, Callback(time.sleep))

        def test_right(submission):
            """The next test has its own time."""
            assert submission.double(1) == 2
    '''
    files = {
        "tests/hidden/01_first/test_double.py": suite,
        "solutions/01_first/double.py": SOLUTION,
    }
    course = make_course(tmp_path, files)
    waits = """
    def double(x, *asked):
        for ask in asked:
            while SHORT:
                ask(0.1)
            while True:
                ask(1000)
        return 2 * x
    """
    for short in (True, False):
        result = graded(shared_judge, course, f"SHORT = {short}\n{textwrap.dedent(waits)}")
        assert [test.outcome for test in result.tests] == [Outcome.TIMED_OUT, Outcome.PASSED]


FORGES = """
    import sys
    from grader.engine import wire

    def double(x, *asked):
        frame = sys._getframe()
        while "connection" not in frame.f_locals:
            frame = frame.f_back
        return frame.f_locals["connection"].call_back({})
"""
FORGED = {
    "a number that there is not": '{"number": 7, "args": ()}',
    "a number that is none": '{"number": "0", "args": ()}',
    "a negative number": '{"number": -1, "args": ()}',
    "no arguments": '{"number": 0, "args": 3}',
    "nothing": "None",
    "a function": '{"number": 0, "args": (wire.CallbackNumber(0),)}',
}


def test_a_forged_call_is_a_crash(
    shared_judge: SharedJudge, make_course: Callable[..., Course], tmp_path: Path
) -> None:
    suite = '''
        from grader.suite import Callback

        def test_with(submission):
            """A number comes back."""
            submission.double(1, Callback(lambda *args: 2))

        def test_without(submission):
            """A number comes back."""
            submission.double(1)
    '''
    course = course_of(make_course, tmp_path, suite)
    for what, value in FORGED.items():
        result = graded(shared_judge, course, FORGES.format(value))
        assert {test.outcome for test in result.tests} == {Outcome.CRASHED}, what
