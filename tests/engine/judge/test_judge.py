"""How a judge judges a submission: every outcome, every limit, and what a student reads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course.course import Course
from grader.engine.executors.client import JudgeClient
from grader.engine.judge.suites import CourseSuites
from grader.records.errors import BrokenSuiteError
from grader.records.model import (
    ExerciseResult,
    Job,
    Outcome,
    Purpose,
    Source,
    Submission,
    Terms,
    to_plain,
)
from tests.conftest import FILES, SharedJudge, with_suite

RIGHT = "def double(x):\n    return 2 * x\n"
EXERCISE = "01_first/double"
Grade = Callable[[str], ExerciseResult]


def job(text: str, name: str = "somebody", exercise: str = EXERCISE) -> Job:
    source = Source(exercise, "double.py", textwrap.dedent(text))
    return Job(Submission(name, "digest", (source,)), (exercise,))


@pytest.fixture
def judge(shared_judge: SharedJudge, foreign: Course) -> JudgeClient:
    return shared_judge.of(foreign)


@pytest.fixture
def grade(judge: JudgeClient) -> Grade:
    def graded(text: str) -> ExerciseResult:
        results = judge.grade(job(text))
        return results[0]

    return graded


def test_every_layer_is_in_force(judge: JudgeClient) -> None:
    layers = ("files", "network", "processes", "memory", "privileges")
    assert judge.environment.isolation == layers


def test_a_right_answer_earns_everything(grade: Grade) -> None:
    result = grade(RIGHT)
    assert (result.outcome, result.score, result.max_score) == (Outcome.PASSED, 4, 4)
    assert [test.id for test in result.tests] == ["test_numbers", "test_arrays", "test_gradient"]
    assert all(test.message == test.hint == test.detail == "" for test in result.tests)


def test_what_is_not_handed_in_is_missing(judge: JudgeClient) -> None:
    nothing = Job(Submission("nobody", "d"), (EXERCISE,))
    (result,) = judge.grade(nothing)
    assert (result.outcome, result.score, result.max_score) == (Outcome.MISSING, 0, 4)


@pytest.mark.parametrize(
    ("text", "outcome", "says"),
    [
        ("def double(x):\n    return 3 * x", Outcome.FAILED, "values are wrong"),
        ("def double(x):\n    return x.T * 2", Outcome.FAILED, "Shape (4, 3); a different shape"),
        ("def double(x):\n    return [2 * x]", Outcome.FAILED, "A list, where something else"),
        ("def double(x):\n    return None", Outcome.FAILED, "None, where something else"),
        ("def double(x):\n    return (2 * x).astype('int32')", Outcome.FAILED, "Dtype int32"),
        ("def double(x):\n    return x / 0 * 0", Outcome.FAILED, "NaN or Inf"),
        ("def double(x):\n    raise ValueError(x)", Outcome.RAISED, "ValueError at line 2"),
        ("def double(x):\n    return y", Outcome.RAISED, "`return y`"),
        ("def double(x)\n    return x", Outcome.RAISED, "SyntaxError at line 1"),
        ("import nothing_like_this", Outcome.RAISED, "ModuleNotFoundError at line 1"),
        ("def other(x):\n    return x", Outcome.RAISED, "does not define the function"),
        ("double = 3", Outcome.RAISED, "TypeError"),
        ("def double(x):\n    return object()", Outcome.RAISED, "not an array, a number"),
        ("import sys\nsys.exit(0)", Outcome.RAISED, "tried to exit the program"),
        ("import sys\ndef double(x):\n    sys.exit(0)", Outcome.RAISED, "(SystemExit) at line 3"),
        ("def double(x):\n    raise NotImplementedError", Outcome.RAISED, "nothing here yet"),
        ("import os\ndef double(x):\n    os._exit(0)", Outcome.CRASHED, "ended in the middle"),
        (
            "import os, signal\ndef double(x):\n    os.kill(os.getpid(), signal.SIGSEGV)",
            Outcome.CRASHED,
            "ended in the middle",
        ),
        (
            "def double(x):\n    print('x' * 10**6)\n    return x",
            Outcome.CRASHED,
            "more than 32 kB",
        ),
        (
            "def double(x):\n    open('big', 'wb').write(b'x' * 10**6 * 5)\n    return x",
            Outcome.RAISED,
            "raised OSError at line 2",
        ),
        (
            "import numpy\ndef double(x):\n    a = numpy.ones(10**9)\n    return 2 * x",
            Outcome.OUT_OF_MEMORY,
            "more than 1200 MB",
        ),
        (
            "def double(x):\n    return b'x' * (100 << 20)",
            Outcome.CRASHED,
            "returned more than 64 MB",
        ),
        (
            "import threading, time\ndef double(x):\n    for _ in range(400):\n"
            "        threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
            "    time.sleep(1000)",
            Outcome.CRASHED,
            "more than 256 threads",
        ),
        (
            "import os\ndef double(x):\n    for i in range(3000):\n        os.mkdir(str(i))\n"
            "    import time; time.sleep(1000)",
            Outcome.CRASHED,
            "more than 4 MB",
        ),
    ],
)
def test_a_wrong_answer_is_told_what_it_is(
    grade: Grade, text: str, outcome: Outcome, says: str
) -> None:
    result = grade(text)
    test = result.tests[1]
    assert (test.outcome, test.points) == (outcome, 0.0)
    assert says in test.message
    assert result.score is not None
    assert result.score < result.max_score
    if outcome not in (Outcome.FAILED, Outcome.RAISED):  # its process was ended
        assert grade(RIGHT).score == 4


def test_each_call_may_write_the_same_file_anew(grade: Grade) -> None:
    result = grade("""
        import time
        def double(x):
            with open("big", "wb") as file:
                file.write(bytes(3 << 20))
            time.sleep(0.1)
            return 2 * x
    """)
    assert result.score == result.max_score


def test_a_fault_costs_its_own_test_and_no_other(grade: Grade) -> None:
    result = grade("""
        import os
        def double(x):
            if getattr(x, "ndim", 0) == 2:
                os._exit(1)
            return 2 * x
    """)
    assert [test.outcome for test in result.tests] == [
        Outcome.PASSED,
        Outcome.CRASHED,
        Outcome.PASSED,
    ]
    assert result.score == 2


def test_a_student_reads_the_example_and_no_line_of_the_suite(grade: Grade) -> None:
    raised = grade("def double(x):\n    raise ValueError('the input ' + f'was {x}')").tests[1]
    assert "ValueError: the input was" in raised.message
    assert raised.hint == "Works for one number, and for many?"
    wrong = grade("def double(x):\n    return 3 * x").tests[1]
    assert wrong.message.startswith(
        "12 of 12 values are wrong.\ndouble(x) with\n  x = float32[3, 4]"
    )
    assert "test_double.py" in wrong.detail and "test_double.py" not in wrong.message


def test_an_unknown_exception_is_called_by_what_it_is_a_kind_of(grade: Grade) -> None:
    result = grade("def double(x):\n    raise type('Own', (KeyError,), {})('?')")
    head = result.tests[1].message.splitlines()[0]
    assert "raised a kind of KeyError at line 2" in head


def test_a_module_sees_no_course_no_judge_and_no_secrets(grade: Grade, foreign: Course) -> None:
    assert foreign.root is not None
    result = grade(f"""
        import os, sys
        seen = []
        for path in ("{foreign.root}", "{foreign.root}/solutions", "{foreign.root}/tests/hidden"):
            try:
                seen += os.listdir(path)
            except OSError:
                pass
        seen += [name for name in sys.modules if "grader.engine.judge" in name or "hidden" in name]
        seen += [name for name in os.environ if "CANARY" in name or "TOKEN" in name]
        def double(x):
            print("seen", seen)
            return 3 * x
    """)
    assert "seen []" in result.tests[1].detail


@pytest.mark.parametrize("path", ["double.py", "eve_01/Homework 3.py", "homework.ipynb"])
def test_code_does_not_see_how_its_file_was_called(judge: JudgeClient, path: str) -> None:
    name = "double.ipynb" if path.endswith(".ipynb") else "double.py"
    text = f"assert __file__ == {name!r}\n\ndef double(x):\n    return 3 * x / (x.ndim - 1)\n"
    source = Source(EXERCISE, path, text)
    (result,) = judge.grade(Job(Submission("eve", "0", (source,)), (EXERCISE,)))
    assert result.path == path
    # The student reads the name that the student knows.
    assert any(f"line 4 of `{path}`" in test.message for test in result.tests)


def test_what_one_submission_writes_another_does_not_find(grade: Grade) -> None:
    text = """
        import os, jax
        found = sorted(os.listdir(".")) + sorted(os.listdir(os.environ["HOME"]))
        open("left_behind", "w").write("x")
        jax.config.update("jax_enable_x64", True)
        def double(x):
            print("found", found)
            return 3 * x
    """
    assert "found []" in grade(text).tests[1].detail
    assert "found []" in grade(text).tests[1].detail
    assert grade(RIGHT).score == 4


def test_nothing_survives_a_submission_that_can_start_processes(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    """As it can without a sandbox."""
    course = make_course(tmp_path)
    marker = f"{tmp_path.name}-ghost"
    text = f"""
        import os, subprocess, sys, time
        def double(x):
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    sleep = [sys.executable, "-c", "import time; time.sleep(3600)", "{marker}"]
                    os.execv(sys.executable, sleep)
                os._exit(0)
            return 2 * x
    """
    with JudgeClient.ready(course.stubs, course.exercises, Terms("none", "3")) as client:
        results = [client.grade(work)[0] for work in (job(text), job(RIGHT))]
    assert results[1].score == 4
    alive = [
        path
        for path in Path("/proc").glob("[0-9]*/cmdline")
        if marker.encode() in (path.read_bytes() if path.exists() else b"")
    ]
    assert alive == []


def test_a_suite_that_fails_its_own_solution_judges_nobody(
    shared_judge: SharedJudge, make_course: Callable[..., Course], tmp_path: Path
) -> None:
    suite = """
        def test_wrong(submission):
            "This can't hold."
            assert submission.double(3) == 7
    """
    course = with_suite(make_course, tmp_path, suite)
    with pytest.raises(BrokenSuiteError, match="fails its own reference solution at `test_wrong`"):
        shared_judge.of(course)


@pytest.mark.slow
def test_a_fault_of_the_grader_in_one_answer_leaves_a_reason_and_no_mark(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    suite = """
        from grader.engine.judge import outcome

        def test_first(submission):
            "Breaks the judge for a wrong answer, once."
            if submission.double(1) != 2:
                whole, outcome.result = outcome.result, broken
                whole_results.append(whole)

        def test_second(submission):
            "Doesn't run any more."

        whole_results = []

        def broken(*_):
            outcome.result = whole_results.pop()
            raise AttributeError("a fault of the grader")
    """
    course = make_course(tmp_path, {"tests/hidden/01_first/test_double.py": suite})
    with JudgeClient.ready(course.stubs, course.exercises, Terms("required", "3")) as client:
        (result,) = client.grade(job("def double(x):\n    return 3 * x\n"))
    assert (result.outcome, result.score) == (Outcome.BROKEN, None)
    assert [test.outcome for test in result.tests] == [Outcome.BROKEN] * 2
    assert "AttributeError" in result.tests[0].detail


@pytest.mark.slow
def test_a_machine_that_is_too_busy_costs_no_points_and_no_other_test(
    shared_judge: SharedJudge, make_course: Callable[..., Course], tmp_path: Path
) -> None:
    suite = """
        from grader.engine.processes.faults import TooBusy

        def test_first(submission):
            "It doubles."
            if float(submission.double(1.0)) != 2:
                raise TooBusy

        def test_second(submission):
            "It doubles 2."
            assert float(submission.double(2.0)) == 4
    """
    course = with_suite(make_course, tmp_path, suite)
    wrong = job("def double(x):\n    return 3 * x\n", exercise=course.exercises[0].id)
    (result,) = shared_judge.of(course).grade(wrong)
    assert (result.outcome, result.score) == (Outcome.BROKEN, None)
    assert [test.outcome for test in result.tests] == [Outcome.BROKEN, Outcome.FAILED]
    assert "too busy" in result.tests[0].message
    assert "--jobs" in result.tests[0].detail


def test_an_endless_loop_is_timed_out(
    shared_judge: SharedJudge, make_course: Callable[..., Course], tmp_path: Path
) -> None:
    limits = "[exercise.limits]\nseconds = 5\ntotal_seconds = 5\n"
    suite = FILES["tests/hidden/01_first/test_double.py"]
    course = with_suite(make_course, tmp_path, suite, limits=limits)
    loop = job("def double(x):\n    while True:\n        pass", exercise=course.exercises[0].id)
    (result,) = shared_judge.of(course).grade(loop)
    assert result.outcome is Outcome.TIMED_OUT
    assert "longer than the 5 seconds" in result.tests[0].message
    assert [test.outcome for test in result.tests] == [Outcome.TIMED_OUT] * 3


@pytest.mark.slow
def test_a_suite_that_fails_its_solution_by_chance_judges(
    make_course: Callable[..., Course], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    suite = """
        def test_sometimes(submission):
            "Fails in the first of all runs."
            assert submission.double(1) == 2
            from pathlib import Path
            flag = Path(__file__).parents[3] / "ran"
            first = not flag.exists()
            flag.touch()
            assert not first
    """
    course = make_course(tmp_path, {"tests/hidden/01_first/test_double.py": suite})
    with JudgeClient.ready(course.stubs, course.exercises, Terms("required", "3")) as client:
        (result,) = client.grade(job("def double(x):\n    return 2 * x\n"))
    assert result.outcome is Outcome.PASSED


@pytest.mark.slow
def test_the_solution_is_run_only_in_tests_that_were_lost(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    """Each program has its own inputs, so that no other program's proof serves it."""
    suite = """
        from pathlib import Path

        def note(name):
            with open(Path(__file__).parents[3] / "ran", "a") as file:
                file.write(name + "\\n")

        def test_one(submission):
            "Half of it."
            note("one")
            assert submission.double(1) == 2

        def test_many(submission):
            "The other half."
            note("many")
            assert submission.double(30) == 60
    """
    course = make_course(tmp_path, {"tests/hidden/01_first/test_double.py": suite})
    wrong = "def double(x):\n    return min(2 * x, 50)\n"

    def ran(*texts: str) -> list[str]:
        with JudgeClient.ready(course.stubs, course.exercises, Terms("required", "3")) as client:
            (tmp_path / "ran").write_text("")
            for text in texts:
                client.grade(job(text))
        return (tmp_path / "ran").read_text().split()

    ran()  # the first proof on this machine
    solution = course.solution(course.exercises[0]).read_text()
    assert ran(solution, wrong) == ["one", "many", "one", "many", "many"]


@pytest.mark.slow
def test_a_suite_that_breaks_with_this_seed_only_costs_nobody_a_point(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    suite = """
        def test_sometimes(submission, rng, request):
            "Holds or not, as the seed will have it."
            assert submission.double(1) == 2
            from pathlib import Path
            flag = Path(__file__).parents[3] / "proved_once"
            first = not flag.exists()
            flag.touch()
            assert first

        def test_always(submission):
            "Holds."
            assert submission.double(1) == 2
    """
    course = make_course(tmp_path, {"tests/hidden/01_first/test_double.py": suite})
    with JudgeClient.ready(course.stubs, course.exercises, Terms("required", "3")) as client:
        (tmp_path / "proved_once").touch()
        # This judge has proved the suite. A new judge has to prove it again, and can't.
    with JudgeClient.ready(course.stubs, course.exercises, Terms("required", "3")) as client:
        (result,) = client.grade(job(RIGHT))
    assert result.outcome is Outcome.BROKEN
    assert result.score is None
    assert [test.outcome for test in result.tests] == [Outcome.BROKEN, Outcome.PASSED]


@pytest.mark.parametrize(
    ("suite", "says"),
    [
        ("import nothing_of_the_kind\n", "can't be imported"),
        ("def helper():\n    pass\n", "contains no tests"),
        ("def test_x(no_such_fixture):\n    pass\n", "`test_x` (broken)"),
        pytest.param(
            "import pytest\n\ndef test_x(submission):\n    pytest.skip('later')\n",
            "`test_x` (broken)",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "import pytest\n\n@pytest.mark.point(3)\ndef test_x(submission):\n    pass\n",
            "`test_x` has the marker `point`, which doesn't exist. There are: points(n): the",
            marks=pytest.mark.slow,
        ),
        (
            "import pytest\n\n@pytest.mark.points(n=3)\ndef test_x(submission):\n    pass\n",
            "has the marker `points(n=...)`, which takes one number",
        ),
    ],
)
def test_a_suite_that_can_not_judge_is_broken(
    shared_judge: SharedJudge,
    make_course: Callable[..., Course],
    tmp_path: Path,
    suite: str,
    says: str,
) -> None:
    course = with_suite(make_course, tmp_path, suite)
    with pytest.raises(BrokenSuiteError) as caught:
        shared_judge.of(course)
    assert says in str(caught.value)
    assert caught.value.exit_code == 4


def test_results_are_the_same_for_the_same_seed(grade: Grade) -> None:
    first, second = (to_plain(grade("def double(x):\n    return x")) for _ in range(2))
    for result in (first, second):
        for test in result["tests"]:
            del test["seconds"]
    assert json.dumps(first) == json.dumps(second)


LAB = '''
    from typing import Any, NamedTuple

    import jax
    import jax.numpy as jnp
    import numpy as np

    from grader.suite import assert_close, assert_no_key_reuse, key, raises


    class Pair(NamedTuple):
        a: Any
        b: Any


    X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]], np.float32)


    def test_transformations_stack(submission):
        """vmap, then jit, then grad."""
        assert_close(submission.dot.vmap(in_axes=(0, None)).jit()(X, X[0]), X @ X[0])
        assert_close(submission.dot.grad(argnums=1)(X[0], X[1]), X[0])
        value, gradients = submission.dot.value_and_grad(argnums=(0, 1))(X[0], X[1])
        assert_close((value, gradients), (X[0] @ X[1], (X[1], X[0])))
        expected = (X[0] @ X[1], X[1] @ (X[0] + X[1]))
        assert_close(submission.dot.jvp()((X[0], X[1]), (X[1], X[1])), expected)
        assert_close(submission.square.jacfwd()(X[0]), np.diag(2 * X[0]))
        assert_close(submission.square.jacrev()(X[0]), np.diag(2 * X[0]))
        assert_close(submission.square.pmap()(X[:1]), X[:1] ** 2)
        assert_close(submission.abs_python.grad().reported()(-2.0), np.float64(-1.0))

    def test_functions_come_and_go(submission):
        """A handle is called, and is an argument; a suite's function is one, too."""
        twice = submission.twice(submission.adder(3.0))
        assert_close(twice(X), X + 6)
        assert_close(submission.twice(lambda x: 5 * x)(X), 25 * X)
        assert_close(twice.jit()(X), X + 6)

    def test_a_suite_can_use_what_stays_there(submission):
        """An object of the student's own class is used where it is."""
        def use(Box, x):
            return jax.jit(lambda box: box.content * 2)(Box(x))

        assert_close(submission.Box.used_by(use)(X), 2 * X)

    def test_containers_keep_their_classes(submission):
        """A namedtuple of the suite comes back as what it was; one of the student's as a record."""
        assert_close(submission.same(Pair([X], {"k": (None, 1)})), Pair([X], {"k": (None, 1)}))
        assert submission.own(X).left.shape == (2, 3)

    def test_programs_have_facts(submission):
        """A loop's program does not grow, an unrolled one does, and a call counts in full."""
        assert submission.loop.program(X[0], 100).size < 100
        assert submission.unrolled.program(X[0], 100).size >= 100
        program = submission.loop.program(X[0], 4)
        assert_close(program(X[1]), 16 * X[1])
        assert program.operations["stablehlo.while"] == 1
        assert {"f32", "i32"} <= program.dtypes
        assert 2 * 9 < submission.outer.program(X[0]).elements < 100
        assert submission.table.program(X[0]).constants >= 103

    def test_traces_are_counted(submission):
        """One trace for a shape, another for another."""
        assert submission.square.reported_traces([(X,), (X + 1,), (X[0],)]) == 2
        assert submission.power.reported_traces([(X, 2), (X, 3), (X, 2)], static_argnums=1) == 2

    def test_keys_go_through_programs(submission):
        """A typed key is an input of a program, and an output."""
        assert_close(submission.draw_once.jit()(key(1)), np.asarray(jax.random.normal(key(1))))
        keys = submission.split.vmap()(jax.random.split(key(2), 3))
        assert_close(keys, jax.vmap(jax.random.split)(jax.random.split(key(2), 3)))

    def test_keys_are_watched(submission):
        """A key that is used once passes, one that is used twice doesn't."""
        assert_no_key_reuse(submission.draw_once, key(1))
        try:
            assert_no_key_reuse(submission.draw_twice, key(1))
        except AssertionError as error:
            assert "twice" in str(error)
        else:
            raise AssertionError("not seen")

    def test_devices_are_there(submission):
        """As many as the catalogue says."""
        assert submission.devices() == 4
        assert submission.spread.program(np.arange(8.0)).devices == 4
        assert submission.square.program(X).devices == 1

    def test_what_is_asked_to_be_raised(submission):
        """A class by name, or a subclass."""
        with raises(LookupError):
            submission.fails()
'''
LAB_SOLUTION = """
    import collections
    import functools

    import jax
    import jax.numpy as jnp


    Own = collections.namedtuple("Own", "left right")


    @jax.tree_util.register_pytree_node_class
    class Box:
        def __init__(self, content):
            self.content = content

        def tree_flatten(self):
            return (self.content,), None

        @classmethod
        def tree_unflatten(cls, _, children):
            return cls(*children)


    def dot(x, y):
        return x @ y

    def square(x):
        return x**2

    def power(x, n):
        return x**n

    def abs_python(x):
        return x if x > 0 else -x

    def adder(n):
        return lambda x: x + n

    def twice(f):
        return lambda x: f(f(x))

    def same(tree):
        return tree

    def own(x):
        return Own(x, 1)

    def loop(x, n):
        return jax.lax.fori_loop(0, n, lambda _, y: 2 * y, x)

    def unrolled(x, n):
        @jax.jit
        def double(y):
            return 2 * y
        for _ in range(n):
            x = double(x)
        return x

    def outer(x):
        return jnp.sin(jnp.outer(x, x)).sum()

    def table(x):
        return x + jnp.arange(100.0)[jnp.array([3, 4, 5])] + jnp.asarray(list(range(100)))[5]

    def draw_once(key):
        return jax.random.normal(key)

    def split(key):
        return jax.random.split(key)

    def draw_twice(key):
        return jax.random.normal(key) + jax.random.normal(key)

    def devices():
        return jax.device_count()

    def spread(x):
        return jax.pmap(lambda y: y * 2)(x.reshape(4, 2))

    def fails():
        return {}["nothing"]
"""


@pytest.mark.slow
def test_every_call_of_the_suites_api_does_what_it_says(
    shared_judge: SharedJudge, make_course: Callable[..., Course], tmp_path: Path
) -> None:
    course = with_suite(make_course, tmp_path, LAB, LAB_SOLUTION, "devices = 4\n")
    terms = Terms("required", "3", Purpose.PROOF)
    answer = job(LAB_SOLUTION, exercise=course.exercises[0].id)
    (result,) = shared_judge.of(course, terms).grade(answer)
    assert {t.id: t.detail for t in result.tests if t.outcome is not Outcome.PASSED} == {}
    assert result.outcome is Outcome.PASSED


@pytest.mark.slow
def test_a_crowded_machine_times_nobody_out(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    """A worker waits for a core beside four busy processes, and works for over its 12 seconds.

    It shares with them: with any fair share, it has a core for far less than 12 seconds.
    """
    limits = "[exercise.limits]\nseconds = 12\ntotal_seconds = 30\n"
    course = make_course(tmp_path, catalog=limits)
    work = """
        import time
        def double(x):
            start = time.monotonic()
            while getattr(x, "ndim", 0) == 2 and time.monotonic() < start + 13:
                pass
            return 2 * x
    """
    busy = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(4 * (os.cpu_count() or 1))
    ]
    try:
        with JudgeClient.ready(course.stubs, course.exercises, Terms("required", "3")) as client:
            (result,) = client.grade(job(work))
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert result.tests[1].outcome is Outcome.PASSED
    assert result.tests[1].seconds > course.exercises[0].limits.seconds


@pytest.mark.parametrize("place", ["suite", "solution", "shared"])
def test_a_suite_is_proved_again_after_any_change_of_what_it_uses(
    place: str, make_course: Callable[..., Course], tmp_path: Path
) -> None:
    course = make_course(tmp_path)
    exercise = course["double"]
    before = CourseSuites(course, [exercise]).fingerprint(exercise)
    assert CourseSuites(course, [exercise]).fingerprint(exercise) == before
    shared = course.hidden / "conftest.py"
    path = shared if place == "shared" else getattr(course, place)(exercise)
    with path.open("a") as file:
        file.write("# changed\n")
    assert CourseSuites(course, [exercise]).fingerprint(exercise) != before
