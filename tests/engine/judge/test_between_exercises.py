"""What a student's first exercise does to its process neither spoils nor helps the second one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.course.course import Course
from grader.engine.executors.client import JudgeClient
from grader.records.model import ExerciseResult, Job, Outcome, Purpose, Source, Submission, Terms
from tests.conftest import FILES, CourseMaker

FIRST, SECOND = "01_first/double", "01_first/other"
RIGHT = "def double(x):\n    return 2 * x\n"
# What the first exercise does, and an expression that is true where it was done.
STATES = {
    "a setting of JAX": (
        "jax.config.update('jax_enable_x64', True)",
        "jax.config.jax_enable_x64",
    ),
    "a setting for NaN": (
        "jax.config.update('jax_debug_nans', True)",
        "jax.config.jax_debug_nans",
    ),
    "a precision": (
        "jax.config.update('jax_default_matmul_precision', 'highest')",
        "jax.config.jax_default_matmul_precision == 'highest'",
    ),
    "a function of jax.numpy": ("jnp.sum = lambda *_: 7", "jnp.sum(jnp.zeros(2)) == 7"),
    "jax.jit": ("jax.jit = lambda f, **_: (lambda *a: 7)", "jax.jit(len)([]) == 7"),
    "a method of arrays": (
        "type(jnp.zeros(2)).__add__ = lambda *_: 7",
        "isinstance(jnp.zeros(2) + 1, int)",
    ),
    "a function of NumPy": ("numpy.asarray = lambda *_, **__: 7", "numpy.asarray(1) is 7"),
    "errors of NumPy": (
        "numpy.seterr(all='raise')",
        "numpy.geterr()['over'] == 'raise'",
    ),
    "random numbers of NumPy": (
        "numpy.random.seed(1); numpy.random.rand()",
        "numpy.random.rand() == 0.7203244934421581",
    ),
    "a built-in": ("builtins.left = 7", "hasattr(builtins, 'left')"),
    "a module": ("sys.modules['left'] = sys", "'left' in sys.modules"),
    "the path of modules": ("sys.path.append('/left')", "'/left' in sys.path"),
    "a variable of the environment": ("os.environ['LEFT'] = '7'", "'LEFT' in os.environ"),
    "a file": ("open('left', 'w').write('7')", "os.path.exists('left')"),
    "warnings": ("warnings.simplefilter('error')", "warnings.filters[0][0] == 'error'"),
    "the depth of calls": ("sys.setrecursionlimit(99)", "sys.getrecursionlimit() == 99"),
    "a handler of signals": (
        "signal.signal(signal.SIGUSR1, signal.SIG_IGN)",
        "signal.getsignal(signal.SIGUSR1) == signal.SIG_IGN",
    ),
    "the garbage collector": ("gc.disable()", "not gc.isenabled()"),
    "a class that JAX knows": (
        "jax.tree_util.register_pytree_node(set, lambda s: (list(s), None), lambda _, c: set(c))",
        "len(jax.tree.leaves({1, 2})) == 2",
    ),
    "a thread": (
        "threading.Thread(target=threading.Event().wait, daemon=True, name='left').start()",
        "any(t.name == 'left' for t in threading.enumerate())",
    ),
}  # fmt: skip
IMPORTS = (
    "import builtins, gc, os, signal, sys, threading, time, warnings\n"
    "import jax, numpy\nimport jax.numpy as jnp\n"
)


@pytest.fixture(scope="module")
def course(make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory) -> Course:
    entry = f'\n[[exercise]]\nid = "{SECOND}"\ntitle = "Other"\ndefines = ["double"]\n'
    copies = {
        name.replace("double.py", "other.py"): text
        for name, text in FILES.items()
        if name.endswith("double.py")
    }
    return make_course(tmp_path_factory.mktemp("two"), copies, entry)


@pytest.fixture(scope="module")
def judge(course: Course) -> Iterator[JudgeClient]:
    with JudgeClient.ready(course.stubs, course.exercises, Terms("required", "3")) as client:
        yield client


def graded(judge: JudgeClient, first: str, second: str) -> list[ExerciseResult]:
    sources = (Source(FIRST, "double.py", first), Source(SECOND, "other.py", second))
    results = judge.grade(Job(Submission("ada", "digest", sources), (FIRST, SECOND)))
    return list(results)


EVERYDAY = {"a setting of JAX", "a function of jax.numpy", "a variable of the environment"}
assert set(STATES) >= EVERYDAY


@pytest.mark.parametrize(
    "state",
    [pytest.param(s, marks=[] if s in EVERYDAY else [pytest.mark.slow]) for s in STATES],
)
def test_nothing_is_left_for_the_next_exercise(judge: JudgeClient, state: str) -> None:
    does, seen = STATES[state]
    leaves = f"{IMPORTS}{does}\nassert {seen}\ndef double(x):\n    return 2 * x\n"
    finds = f"{IMPORTS}def double(x):\n    return 2 * x if {seen} else 3 * x\n"
    first, second = graded(judge, leaves, RIGHT)
    # Some states harm the first exercise itself. But it was loaded, so the state was there.
    assert "in <module>" not in first.tests[0].detail
    assert (second.outcome, second.score) == (Outcome.PASSED, 4)
    _, helped = graded(judge, leaves, finds)
    assert helped.score == 0


@pytest.mark.slow
def test_a_run_that_stops_at_the_first_loss_judges_the_next_exercise(course: Course) -> None:
    """What pytest had set up for the first suite is torn down before the second one."""
    terms = Terms("required", "3", Purpose.STRENGTH)
    with JudgeClient.ready(course.stubs, course.exercises, terms) as judge:
        first, second = graded(judge, "def double(x):\n    return 3 * x\n", RIGHT)
    assert first.outcome is Outcome.FAILED
    assert (second.outcome, second.score) == (Outcome.PASSED, 4)
