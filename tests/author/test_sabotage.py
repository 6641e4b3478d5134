"""General faults around a solution: each does what its name says, and is tried where it fits."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from click.testing import CliRunner

from grader.author.sabotage import injected, search
from grader.author.sabotage.example_calls import ExampleCall, others
from grader.author.sabotage.injected_in_jax import OF_JAX
from grader.author.sabotage.scout import _touches
from grader.author.sabotage.search import ALL, sabotages, with_fault
from grader.cli import main
from grader.intake import cells
from tests.conftest import CourseMaker

STUB, SOLUTION = "exercises/01_first/double.py", "solutions/01_first/double.py"
SUITE, MUTANTS = "tests/hidden/01_first/test_double.py", "solutions/01_first/double.wrong.py"
EXAMPLE = '''
import jax.numpy as jnp

def double(x, by):
    """Doubles.

    >>> double(jnp.array([1.0, -2.0, 3.0]), 2.0)
    """
    raise NotImplementedError
'''
MEAN = "import jax.numpy as jnp\n\ndef double(x, by):\n    return by * jnp.mean(jnp.abs(x))\n"
WEAK = """
import numpy as np

def test_one(submission):
    \"\"\"One.\"\"\"
    found = submission.double.program(np.ones(3, np.float32), 2.0)(np.ones(3, np.float32))
    np.testing.assert_allclose(found, 2)
"""


def test_there_are_many_faults_and_each_says_what_nobody_checks() -> None:
    assert len(ALL) >= 30
    assert all(fault.promise for fault in ALL.values())


@pytest.mark.parametrize(
    ("name", "given", "wanted"),
    [
        ("result_float16", jnp.float32(1), jnp.float16(1)),
        ("result_without_nan", jnp.array([jnp.nan, 1]), jnp.array([0.0, 1])),
        ("result_last_row_zero", jnp.ones((2, 2)), jnp.array([[1.0, 1], [0, 0]])),
        ("argument_absolute", jnp.array([-1.0, 1]), jnp.array([1.0, 1])),
        ("argument_absolute", -3.0, 3.0),
        ("argument_absolute", -3, -3),
        ("argument_sorted", jnp.array([3, 1, 2]), jnp.array([1, 2, 3])),
        ("argument_ignored", jnp.array([3, 1]), jnp.array([0, 0])),
    ],
)
def test_a_fault_changes_what_its_name_says(name: str, given: Any, wanted: Any) -> None:
    found = injected.faulty(lambda x: x, name, "x")(given)
    assert type(found) is type(wanted)
    assert jnp.result_type(found) == jnp.result_type(wanted)
    np.testing.assert_array_equal(found, wanted)


def test_a_fault_of_one_argument_leaves_the_others_alone() -> None:
    def both(x: Any, y: Any = 1.0) -> Any:
        return x, y

    wrong = injected.faulty(both, "argument_absolute", "y")
    assert wrong(-1.0, y=-2.0) == (-1.0, 2.0)
    assert wrong(-1.0) == (-1.0, 1.0)


def test_functions_that_are_returned_have_the_fault_too() -> None:
    wrong = injected.faulty(lambda n: lambda x: n * x, "argument_absolute", "x")
    assert wrong(3)(-1.0) == 3.0
    # Of a function without a name, JAX's own wrapper leads to what is no function.
    slopes = injected.faulty(jax.jacfwd, "result_absolute")(partial(jnp.multiply, -2.0))
    assert slopes(3.0) == 2.0


def test_a_gradient_is_lost_only_where_the_argument_is_zero() -> None:
    wrong = injected.faulty(lambda x: jnp.sum(3 * x), "argument_nan_gradient_at_zero", "x")
    x = jnp.array([0.0, 2.0])
    assert wrong(x) == 6
    np.testing.assert_array_equal(jax.grad(wrong)(x), [np.nan, 3])


def test_a_gradient_can_be_off() -> None:
    x = jnp.ones(70)
    off = injected.faulty(lambda x: jnp.sum(3 * x), "argument_gradient_off_by_a_thousandth", "x")
    assert off(x) == jnp.sum(3 * x)
    np.testing.assert_allclose(jax.grad(off)(x), 3.003)


def test_a_result_can_ignore_the_gradient_that_arrives() -> None:
    x = jnp.ones(3)
    wrong = injected.faulty(lambda x: jnp.sum(3 * x), injected.ARRIVING)
    assert wrong(x) == 9
    np.testing.assert_array_equal(jax.grad(wrong)(x), 3)
    np.testing.assert_array_equal(jax.grad(lambda x: 2 * wrong(x))(x), 3)
    np.testing.assert_array_equal(jax.grad(lambda x: 0 * wrong(x))(x), 0)


def test_faults_of_calls() -> None:
    right: Callable[..., Any] = lambda x, n: n * x  # noqa: E731
    keeps = injected.faulty(right, "keeps_the_first_number")
    assert [keeps(2.0, 3), keeps(5.0, 4)] == [6, 8]
    returned = injected.faulty(lambda n: lambda x: n * x, "keeps_the_first_number")(3)
    assert [returned(2.0), returned(5.0)] == [6, 6]
    empties, given = injected.faulty(len, "changes_its_input"), [1, 2]
    assert (empties(given), given) == (2, [])


def test_a_custom_derivative_can_ignore_the_gradient_that_arrives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jax, "custom_vjp", jax.custom_vjp)  # and back after the test
    OF_JAX["arriving_gradient_ignored"].plant()

    @partial(jax.custom_vjp, nondiff_argnums=(1,))
    def scaled(x: Any, n: int) -> Any:
        return n * x * x

    scaled.defvjp(lambda x, n: (scaled(x, n), x), lambda n, x, g: (2 * n * x * g,))
    assert scaled(2.0, 3) == 12
    assert jax.grad(scaled)(2.0, 3) == 12
    assert jax.grad(lambda x: 5 * scaled(x, 3))(2.0) == 12  # 60 is right


@pytest.mark.parametrize("name", OF_JAX)
def test_a_solution_with_any_fault_is_python_and_takes_it_before_its_own_names(name: str) -> None:
    text = with_fault('"""A."""\nfrom __future__ import annotations\nimport jax\n', ["f"], name, "")
    assert ast.parse(text).body[1].lineno == 2
    _, planted = text.split(", vars(_faults))\n")
    assert planted.index(".plant()") < planted.index("import jax\n")


def made(make_course: CourseMaker, folder: Path, **files: str) -> Any:
    changed = {STUB: EXAMPLE, SOLUTION: MEAN, SUITE: WEAK, MUTANTS: ""} | files
    return make_course(folder, {name: textwrap.dedent(text) for name, text in changed.items()})


def test_an_argument_that_is_none_has_no_fault() -> None:
    call = ExampleCall("f", ["x", "report"], (jnp.ones(3), None), {})
    assert _touches("argument_ignored", "x", call)
    assert _touches("argument_without_gradient", "x", call)
    for name in injected.OF_ARGUMENTS:
        assert not _touches(name, "report", call)


def test_each_array_has_a_nan_of_its_own() -> None:
    """If all had one at once, nobody would see that NaN is lost in one of them."""
    arrays = {"x": jnp.ones(3), "y": jnp.ones((2, 2)), "tol": jnp.float32(1)}
    call = ExampleCall("f", [], (), {"tree": arrays, "n": 2.0})
    broken = [
        {name for name, x in other.values["tree"].items() if bool(jnp.isnan(x).any())}
        for other in others(call)
    ]
    assert broken.count({"x"}) == broken.count({"y"}) == 1
    assert broken.count(set(arrays)) == 1
    assert {"tol"} not in broken  # a loop may wait for it


@pytest.mark.slow
def test_only_what_makes_a_difference_applies(make_course: CourseMaker, tmp_path: Path) -> None:
    """The mean of absolute values knows no order and no sign, and its result has no rows."""
    course = made(make_course, tmp_path)
    ((_, found),) = sabotages(course, course.exercises)
    assert not isinstance(found, str)
    changes = {each.change for each in found}
    assert {
        "result_float16",
        "argument_without_nan of `x`",
        "argument_without_gradient of `x`",
        injected.ARRIVING,
    } <= changes
    assert "argument_ignored of `by`" in changes
    assert not {f"argument_{name} of `x`" for name in ("absolute", "sorted", "flipped")} & changes
    assert not {"result_last_row_zero", "no_vmap", "unrolled", "equal_keys"} & changes


@pytest.mark.slow
def test_a_function_of_an_example_can_be_called_again(
    make_course: CourseMaker, tmp_path: Path
) -> None:
    stub = '''
        import jax.numpy as jnp

        def double(x, by):
            """Doubles.

            >>> def times(x):
            ...     return 2.0 * jnp.abs(x)
            >>> double(jnp.array([1.0, -2.0, 3.0]), times)
            """
            raise NotImplementedError
    '''
    solution = "def double(x, by):\n    return by(x)\n"
    course = made(make_course, tmp_path, **{STUB: stub, SOLUTION: solution})
    ((_, found),) = sabotages(course, course.exercises)
    assert not isinstance(found, str)
    assert "argument_ignored of `x`" in {each.change for each in found}


@pytest.mark.slow
def test_methods_of_a_class_have_faults_too(make_course: CourseMaker, tmp_path: Path) -> None:
    stub = '''
        import jax
        import jax.numpy as jnp

        class double:
            """Doubles.

            >>> layer = double(jnp.array([2.0, -3.0]))
            >>> layer(jnp.array([1.0, -2.0])).tolist()
            [2.0, 6.0]
            """
    '''
    solution = """
        import jax

        @jax.tree_util.register_pytree_node_class
        class double:
            def __init__(self, w):
                self.w = w

            def __call__(self, x):
                return self.w * x

            def tree_flatten(self):
                return (self.w,), None

            @classmethod
            def tree_unflatten(cls, _, children):
                return cls(*children)
    """
    course = made(make_course, tmp_path, **{STUB: stub, SOLUTION: solution})
    ((_, found),) = sabotages(course, course.exercises)
    assert not isinstance(found, str), found
    changes = {each.change for each in found}
    assert {"result_float16", "argument_flipped of `x`", "argument_ignored of `self`"} <= changes
    assert not any("children" in change or change.endswith("of `w`") for change in changes)
    (ignored,) = [each for each in found if each.change == "argument_ignored of `self`"]
    module: dict[str, Any] = {}
    exec(ignored.text, module)
    np.testing.assert_array_equal(module["double"](jnp.ones(2))(jnp.ones(2)), 0)


@pytest.mark.slow
def test_arrays_on_explicit_axes_have_faults_too(make_course: CourseMaker, tmp_path: Path) -> None:
    """The examples set the mesh; a fault sees whole arrays, and leaves them cut as they are."""
    stub = '''
        import jax
        import jax.numpy as jnp
        from jax.sharding import NamedSharding, PartitionSpec

        def double(x, by):
            """Doubles.

            >>> mesh = jax.make_mesh((8,), ("data",))
            >>> x = jax.device_put(jnp.arange(8.0), NamedSharding(mesh, PartitionSpec("data")))
            >>> with jax.set_mesh(mesh):
            ...     y = double(x, 2.0)
            """
            raise NotImplementedError
    '''
    solution = """
        import jax.numpy as jnp
        from jax.sharding import PartitionSpec

        def double(x, by):
            return by * jnp.einsum("i->", x, out_sharding=PartitionSpec()) + x
    """
    course = made(make_course, tmp_path, **{STUB: stub, SOLUTION: solution})
    ((_, found),) = sabotages(course, course.exercises)
    assert not isinstance(found, str), found
    changes = {each.change for each in found}
    assert {"result_float16", "argument_flipped of `x`", "argument_ignored of `by`"} <= changes
    assert "unrolled" not in changes


@pytest.mark.slow
def test_a_solution_that_never_ends_says_so(
    make_course: CourseMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "MOST_SECONDS", 4)
    solution = """
        from jax import lax

        def double(x, by):
            goes_on = lambda state: (abs(state[1]) < 6).any()
            return lax.while_loop(goes_on, lambda state: (state[0], state[1] + by), (x, x))[0]
    """
    course = made(make_course, tmp_path, **{STUB: EXAMPLE, SOLUTION: solution})
    for _, why in sabotages(course, course.exercises * 2):
        assert isinstance(why, str)
        assert "doesn't end" in why


@pytest.mark.slow
def test_a_solution_that_no_fault_changes_says_so(make_course: CourseMaker, tmp_path: Path) -> None:
    stub = 'def double(x):\n    """Nothing.\n\n    >>> double(1)\n    """\n'
    course = made(
        make_course, tmp_path, **{STUB: stub, SOLUTION: "def double(x):\n    raise ValueError\n"}
    )
    ((_, why),) = sabotages(course, course.exercises)
    assert isinstance(why, str)


def test_a_stub_without_a_call_says_so(make_course: CourseMaker, tmp_path: Path) -> None:
    course = made(make_course, tmp_path, **{STUB: "def double(x, by):\n    ...\n"})
    ((_, why),) = sabotages(course, course.exercises)
    assert isinstance(why, str)
    assert "no example" in why


def test_an_exercise_in_numpy_is_not_tried(make_course: CourseMaker, tmp_path: Path) -> None:
    """Faults of code in JAX would break it, and the advice would be about that."""
    course = make_course(tmp_path, catalog="numpy = true\n")
    done = CliRunner().invoke(main, ["sabotage", "--course", str(course.root)])
    assert done.exit_code == 0, done.output
    assert " ".join(done.stdout.split()) == (
        "Not tried, since each fault is for JAX code, and these use NumPy: 01_first/double."
    )


@pytest.mark.slow
def test_the_report_names_what_nobody_checks(make_course: CourseMaker, tmp_path: Path) -> None:
    declared = {
        "argument_never_empty of `x`": "The mean of nothing is not asked for.",
        "argument_only_numbers": "It is never a number.",
        "argument_without_nan": "No number is NaN.",
        # Not found to apply, which may be so because the time was up.
        "argument_no_integers of `more`": "It is a float.",
        "argument_clampt": "No fault has this name.",
    }
    course = made(make_course, tmp_path, **{MUTANTS: f"# %% harmless\n{declared}\n"})
    assert cells.read(course.wrong(course.exercises[0])).declared["harmless"] == declared
    done = CliRunner().invoke(main, ["sabotage", "--course", str(course.root)])
    said = " ".join(done.output.split())
    assert done.exit_code == 1, done.output
    assert "01_first/double: no test notices" in said
    assert "a result has the dtype of its inputs result_float16" in said
    assert "argument_without_gradient of `x`" in said
    assert "argument_ignored of `by`" not in said
    assert "argument_never_empty" not in said
    assert "of `more`" not in said
    assert "declares `argument_clampt`, which is not a change" in said
    # Without its argument, a fault is declared for all of them.
    assert "argument_without_nan" not in said
