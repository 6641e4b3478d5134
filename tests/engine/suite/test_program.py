"""Facts about programs that need no clock: what is in them, and how much they compute."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.course.course import Course
from grader.engine import wire
from grader.engine.bench.refused import RefusedProgram, Why
from grader.engine.executors.client import JudgeClient
from grader.engine.judge.standalone import DirectSeat
from grader.engine.processes import faults, seat
from grader.engine.suite.submission import Function, SubmissionProxy
from grader.engine.wire.connection import describe
from grader.records.model import (
    Basis,
    Exercise,
    Job,
    Outcome,
    Purpose,
    Source,
    Submission,
    Terms,
)

IMPORTS = "import functools\nimport jax\nimport jax.numpy as jnp\nfrom jax import lax\n"
X = np.ones((4, 8), np.float32)
Y = np.ones((8, 5), np.float32)


UNCOUNTED = (
    "The work of your program can't be counted: how often a loop runs depends on the values.",
    "The work of your program can't be counted: it calls a library (LAPACK).",
)


def function(text: str) -> Function:
    """The function `f` of a module, in this process."""
    source = IMPORTS + textwrap.dedent(text)
    exercise = Exercise("01_first/f", "F", ("f",))
    return SubmissionProxy(DirectSeat(exercise, Source(exercise.id, "f.py", source))).f


def cost(text: str, *args: Any) -> tuple[int, int]:
    program = function(text).program(*args)
    return program.flops, program.bytes


def test_a_product_of_matrices_is_counted_as_on_paper() -> None:
    assert cost("f = lambda x, y: x @ y", X, Y) == (2 * 4 * 8 * 5, 4 * (4 * 8 + 8 * 5 + 4 * 5))
    batched = "f = lambda x: jnp.einsum('bij,bjk->bik', x, x)"
    assert cost(batched, np.ones((3, 4, 4), np.float32))[0] == 3 * 2 * 4**3


def test_an_elementwise_operation_counts_once_for_each_element() -> None:
    assert cost("f = lambda x: jnp.tanh(x)", X) == (32, 2 * 4 * 32)
    assert cost("f = lambda x: x.T.reshape(-1)", X)[0] == 0


def test_a_convolution_and_a_reduction_are_counted() -> None:
    kernel = "lax.conv_general_dilated(x[None, None], jnp.ones((3, 1, 2, 2)), (1, 1), 'SAME')"
    assert cost(f"f = lambda x: {kernel}", X)[0] == 2 * (4 * 8) * (2 * 2) * 3
    assert cost("f = lambda x: x.sum(1)", X)[0] == 32


@pytest.mark.parametrize(
    "reduction",
    [
        "lax.reduce(x, start, inside, (1,))",
        "lax.reduce_window(x, start, inside, (1, 8), (1, 8), 'VALID')",
    ],
)
def test_a_reduction_counts_what_is_inside_of_it(reduction: str) -> None:
    inside = "start, inside = jnp.float32(0), lambda a, b: jnp.sin(a) * b + a\n"
    assert cost(f"{inside}f = lambda x: {reduction}", X)[0] == 3 * 32


@pytest.mark.parametrize(
    "loop",
    [
        "lax.fori_loop(0, N, lambda i, x: x * 2, x)",
        "lax.scan(lambda x, _: (x * 2, None), x, None, length=N)[0]",
        "lax.fori_loop(3, N + 3, lambda i, x: x * 2, x)",
        "lax.while_loop(lambda c: c[0] > 0, lambda c: (c[0] - 1, c[1] * 2), (N, x))[1]",
        "lax.while_loop(lambda c: 2 * N > c[0], lambda c: (c[0] + 2, c[1] * 2), (0, x))[1]",
        "lax.while_loop(lambda c: c[0] != N, lambda c: (1 + c[0], c[1] * 2), (0, x))[1]",
        "lax.while_loop(lambda c: c[0] <= N, lambda c: (c[0] + 1, c[1] * 2), (1, x))[1]",
    ],
)
def test_a_loop_counts_as_often_as_it_runs(loop: str) -> None:
    for rounds in (1, 37, 1000):
        flops, _ = cost(f"N = {rounds}\nf = lambda x: {loop}", X)
        assert flops is not None
        # The counter of the loop takes up to four operations in each round.
        assert 32 * rounds <= flops <= (32 + 4) * rounds


def test_loops_in_loops_multiply() -> None:
    flops, _ = cost(
        "f = lambda x: lax.fori_loop(0, 7, lambda i, x: "
        "lax.fori_loop(0, 5, lambda j, x: x * 2, x), x)",
        X,
    )
    assert 35 * 32 <= flops <= 35 * 32 * 1.2


@pytest.mark.parametrize(
    "text",
    [
        "f = lambda x: lax.while_loop(lambda x: x.sum() < 100, lambda x: x * 2, x)",
        "f = lambda x: lax.fori_loop(0, x.sum().astype(int), lambda i, x: x * 2, x)",
        "f = lambda x: lax.while_loop(lambda c: c[0] < 9,"
        " lambda c: (c[0] + c[1].sum().astype(int), c[1]), (0, x))[0]",
        "f = lambda x: jnp.linalg.solve(x @ x.T + jnp.eye(4), x)",
    ],
)
def test_work_that_cannot_be_counted_is_told_as_such(text: str) -> None:
    program = function(text).program(X)
    for name in ("flops", "bytes", "depth", "flops_of_a_device"):
        with pytest.raises(faults.Uncounted) as failure:
            getattr(program, name)
        assert failure.value.public == UNCOUNTED[int("solve" in text)]


def test_the_branch_that_costs_more_counts() -> None:
    both = "f = lambda x: lax.cond(x[0, 0] > 0, lambda: x @ x.T @ x, lambda: x)"
    flops, _ = cost(both, X)
    assert 512 <= flops <= 520


def test_a_scan_moves_slices_and_not_the_whole() -> None:
    scan = "f = lambda x: lax.scan(lambda c, row: (c + row, c * 2), jnp.zeros(8), x)[1]"
    moved = [int(cost(scan, np.ones((n, 8), np.float32))[1] or 0) for n in (100, 200)]
    assert 1.9 * moved[0] < moved[1] < 2.1 * moved[0]


def test_a_function_that_is_called_twice_counts_twice() -> None:
    helper = "g = jax.jit(lambda x: x * 2 + 1)\n"
    assert cost(f"{helper}f = lambda x: g(x)", X)[0] == 64
    assert cost(f"{helper}f = lambda x: g(g(x))", X)[0] == 128


SUM = "lambda s, row: (s + row, s)"
PAIRS = "lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1])"


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("lambda x: x", 0, 0),
        ("lambda x: x.T.reshape(-1)[:3]", 0, 0),
        ("lambda x: (x + 1, x * 2, x.sum())", 1, 1),
        ("lambda x: jnp.sin(x * 2) + x", 3, 3),
        ("lambda x: jax.jit(lambda y: jnp.sin(y * 2))(x + 1)", 3, 3),
        ("lambda x: lax.cond(x[0, 0] > 0, lambda: x + 1, lambda: jnp.sin(x * 2))", 3, 5),
        ("lambda x: lax.fori_loop(0, 100, lambda i, x: jnp.sin(x * 2), x)", 200, 200),
        (f"lambda x: lax.scan({SUM}, jnp.zeros(8), jnp.ones((500, 8)) + x[0])[1]", 500, 1500),
        (f"lambda x: lax.associative_scan({PAIRS}, (jnp.ones((512, 8)) + x[0],) * 2)[1]", 18, 60),
        # What runs side by side is no longer for that.
        ("lambda x: sum([jnp.sin(x), jnp.cos(x), jnp.exp(x), jnp.tanh(x)])", 4, 5),
    ],
)
def test_a_depth_is_the_longest_chain(text: str, least: int, most: int) -> None:
    depth = function(f"f = {text}").program(X).depth
    assert least <= depth <= most


def test_dtypes_are_those_of_all_results() -> None:
    half = function("f = lambda x: (x.astype(jnp.bfloat16) * 2).astype(jnp.float32)").program(X)
    assert "bf16" in half.dtypes


def test_donation_by_a_jit_of_the_students_is_seen() -> None:
    text = "f = functools.partial(jax.jit, donate_argnums={})(lambda x, y: (x + 1, y * 2))"
    for given, seen in (("0", {0}), ("(0, 1)", {0, 1}), ("()", set())):
        program = function(text.format(given)).program(X, Y)
        assert program.donated == seen
        # It can still be called more than once.
        for _ in range(2):
            np.testing.assert_array_equal(program(X, Y)[0], X + 1)
    assert function("f = jax.jit(lambda x: x + 1)").jit(donate_argnums=0).program(X).donated == {0}


def test_functions_that_call_each_other_without_end_are_refused() -> None:
    deep = (
        "g = lambda x: x + 1\nfor _ in range(60):\n    g = jax.jit(lambda x, g=g: g(x) * 2)\nf = g"
    )
    with pytest.raises(faults.Refused, match="without end"):
        function(deep).program(X)


def test_a_refusal_keeps_its_reason_across_the_seam() -> None:
    report = describe(RefusedProgram(Why.TENSOR), "")
    with pytest.raises(faults.Refused, match=r"can't be judged: the program makes a tensor"):
        seat._of_a_bench(wire.Frame(1, "raised", report))


def test_a_refusal_says_nothing_that_is_not_on_the_list() -> None:
    """A student reads it: a number in it could be one of the hidden inputs."""
    report = describe(RefusedProgram(Why.TENSOR), "") | {"text": "the program is for 1113849856"}
    with pytest.raises(faults.Refused, match=r"can't be judged: the program can't be read"):
        seat._of_a_bench(wire.Frame(1, "raised", report))


PLACED = """
    import jax
    from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

    def placed(rows, columns, kind, x):
        mesh = jax.make_mesh((rows, columns), ("a", "b"), axis_types=(getattr(AxisType, kind),) * 2)
        where = {"cut": NamedSharding(mesh, P("a")), "both": NamedSharding(mesh, P("b", "a"))}
        return jax.device_put({"cut": x, "both": x}, where)

    def some_left_alone(x):
        mesh = jax.make_mesh((6,), ("a",), axis_types=(AxisType.Auto,))
        whole, cut = NamedSharding(mesh, P()), NamedSharding(mesh, P(None, "a"))
        return jax.device_put([x, {"k": x, "l": (x, None)}], [whole, cut])

    def double(x):
        return 2 * x

    def from_all_rows(x):
        mesh = jax.make_mesh((2, 3), ("a", "b"), axis_types=(AxisType.Auto,) * 2)

        def part(x):
            rows = jax.lax.dynamic_slice_in_dim(x, 3 * jax.lax.axis_index("a"), 3)
            return jax.lax.dynamic_slice_in_dim(rows, 4 * jax.lax.axis_index("b"), 4, axis=1)

        own = P("a", "b")
        return jax.shard_map(part, mesh=mesh, in_specs=P(), out_specs=own, check_vma=False)(x)
"""
SHARDS = '''
    import numpy as np
    import pytest
    from jax.sharding import PartitionSpec as P
    from grader.suite import assert_close

    X = np.arange(72, dtype=np.float32).reshape(6, 12)

    def test_what_each_device_holds_is_a_fact(submission):
        """On a mesh of two axes in any order, of both kinds."""
        for kind in ("Auto", "Explicit"):
            for rows, columns in ((2, 3), (3, 2), (6, 1)):
                program = submission.placed.program(rows, columns, kind, X)
                found = program.structured(X)
                assert_close(found, {"cut": X, "both": X})
                both, cut = program.shards  # in the order of the keys
                high, wide, tall = 6 // rows, 12 // rows, 6 // columns
                for device in range(6):
                    a, b = divmod(device, columns)
                    assert cut[device] == ((a * high, (a + 1) * high), (0, 12))
                    assert both[device] == (
                        (b * tall, (b + 1) * tall), (a * wide, (a + 1) * wide)
                    )

    def test_a_tree_of_places(submission):
        """`device_put` takes a sharding for a whole branch of a tree."""
        whole, *cut = submission.some_left_alone.program(X).shards
        assert whole == (((0, 6), (0, 12)),) * 6
        expected = tuple(((0, 6), (2 * n, 2 * n + 2)) for n in range(6))
        assert cut == [expected] * 2

    def test_what_a_device_is_not_given_has_to_travel(submission):
        """Where every device is given all rows, nothing does."""
        whole = submission.from_all_rows.program(X)
        assert_close(whole(X), X)
        assert (whole.collectives, whole.received_by_a_device) == ({}, 0)
        for spec, others in ((P("a", "b"), 5), (P(("a", "b")), 5), (P(None, "a"), 1)):
            cut = whole.given({"a": 2, "b": 3}, spec)
            assert_close(cut(X), X)
            assert set(cut.collectives) == {"all_gather"}
            assert cut.received_by_a_device >= X.nbytes * others / (others + 1)
            assert cut.shards == whole.shards
        with pytest.raises(AssertionError, match="of 6; 4 are expected"):
            whole.given({"a": 4}, P("a"))

    def test_one_device_holds_everything(submission):
        """A program for one device, and a number, which has no axis."""
        assert submission.double.program(X).shards == ((((0, 6), (0, 12)),),)
        assert submission.double.program(np.float32(1)).shards == (((),),)
'''


@pytest.mark.slow
def test_a_program_says_which_part_each_device_holds(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    files = {"tests/hidden/01_first/test_double.py": SHARDS, "solutions/01_first/double.py": PLACED}
    course = make_course(tmp_path, files, catalog="devices = 6\n")
    source = Source("01_first/double", "double.py", textwrap.dedent(PLACED))
    answer = Job(Submission("somebody", "digest", (source,)), (source.exercise,))
    terms = Terms("required", "3", Purpose.PROOF)
    with JudgeClient.ready(course.stubs, course.exercises, terms) as client:
        (result,) = client.grade(answer)
    assert {t.id: t.detail for t in result.tests if t.outcome is not Outcome.PASSED} == {}
    assert result.outcome is Outcome.PASSED


def test_a_fact_of_a_program_that_never_ran_is_a_report() -> None:
    """Code may give another program for the shapes that only a fact is asked of."""
    double = function("f = lambda x: x * 2")
    evidence = double.codec.seat.evidence

    def basis() -> Basis | None:
        return evidence.basis

    program = double.program(X)
    assert basis() is Basis.PROGRAM
    assert program.size > 0
    assert basis() is Basis.REPORT
    assert double.jit()(X)[0, 0] == 2
    assert basis() is Basis.REPORT  # under `jit` it is another program
    program(X)
    evidence.begin()
    # It ran in an earlier test.
    assert double.program(X).size > 0
    assert basis() is Basis.PROGRAM
