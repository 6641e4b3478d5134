"""count_primitives(f, *args): every equation of the traced program, nested ones too.

The functions use `jax.lax` alone. Each function of `jax.lax` becomes one equation of the same
name, so the counts can be written down by hand and are the same in every version of JAX. The
answer is a dict of Python numbers, so no program is judged.
"""

from collections import Counter

import jax
import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close, case


def draw(rng):
    """A number of operations, and an array to trace with."""
    return int(rng.integers(2, 60)), rng.normal(size=3).astype(np.float32)


def times(operation, n):
    """An operation that is written n times, each on the result of the one before."""

    def operations_in_a_row(x):
        for _ in range(n):
            x = operation(x)
        return x

    return operations_in_a_row


def check(submission, expected, f, *args, others=False):
    """Compares the counts of all primitives, or if there may be others, of those expected."""
    found = submission.count_primitives(f, *args)
    assert isinstance(found, dict), "The result is no dict"
    found = {name: int(n) for name, n in found.items() if name in expected or not others}
    assert_close(found, expected)


@pytest.mark.hint("Trace the function with its arguments, and count its equations by name.")
def test_each_operation_is_counted(submission, rng):
    """A plain function of one or two arguments has the counts that you see in its code."""
    n, x = draw(rng)

    def tanh_and_neg(x):
        return lax.neg(times(lax.tanh, n)(x))

    def sin_mul_sin_add(x, y):
        return lax.add(lax.mul(lax.sin(x), y), lax.sin(y))

    check(submission, {"tanh": n, "neg": 1}, tanh_and_neg, 1.5)
    check(submission, {"sin": 2, "mul": 1, "add": 1}, sin_mul_sin_add, x, x)


@pytest.mark.hint("A `jit` inside is one equation of the outer program. What does it hold?")
def test_jitted_functions_are_looked_into(submission, rng):
    """A jitted function counts itself and its operations, once for each use."""
    n, x = draw(rng)

    @jax.jit
    def jitted(x):
        return lax.sin(lax.exp(x))

    def uses_of_jitted(x):
        return lax.sin(times(jitted, n)(x))

    check(submission, {"jit": 1, "sin": 1, "exp": 1}, jitted, x)
    check(submission, {"jit": n, "sin": n + 1, "exp": n}, uses_of_jitted, x)


@pytest.mark.points(2)
@pytest.mark.hint("Count each operation once where it is written, however often it runs.")
def test_a_loop_counts_its_body_once(submission, rng):
    """The body of a scan counts once, for three rounds and for three hundred."""
    n, x = draw(rng)
    for length in (3, int(rng.integers(100, 300))):

        def scan_of_cos_and_mul(x, length=length):
            cosines = times(lax.cos, n)
            return lax.scan(lambda y, _: (lax.mul(cosines(y), x), None), x, length=length)[0]

        check(submission, {"scan": 1, "cos": n, "mul": 1}, scan_of_cos_and_mul, x)


@pytest.mark.hint("The branches are in a tuple.")
def test_every_branch_counts(submission, rng):
    """The operations of all branches are counted, since all of them are in the program."""
    n, x = draw(rng)
    branches = [lax.sin] * n + [lax.cos, lambda x: lax.tanh(lax.cos(x))]

    def switch(index, x):
        return lax.switch(index, branches, x)

    # JAX also clamps the index to the number of branches; its operations for that may change.
    expected = {"cond": 1, "sin": n, "cos": 2, "tanh": 1}
    check(submission, expected, switch, np.int32(1), x, others=True)


@pytest.mark.hint(
    "The name of the parameter differs from primitive to primitive: don't rely on it."
)
def test_a_while_has_two_inner_programs(submission, rng):
    """The condition of a `while` counts, and so does its body."""
    n, x = draw(rng)

    def while_it_is_small(x):
        return lax.while_loop(lambda y: lax.lt(y, np.float32(10)), times(lax.exp, n), x)

    check(submission, {"while": 1, "lt": 1, "exp": n}, while_it_is_small, x[0])


@pytest.mark.points(3)
@pytest.mark.hint("An inner program may hold inner programs: let your function call itself.")
def test_nesting_may_be_deep(submission, rng):
    """A jitted function in a branch in a loop in a jitted function is found."""
    n, x = draw(rng)
    inner = jax.jit(times(lax.exp, n))

    @jax.jit
    def jit_of_scan_of_cond_of_jit(x):
        def body(carry, _):
            return lax.cond(lax.gt(carry[0], np.float32(0)), inner, lax.neg, carry), None

        # One round, so that who counts the rounds finds it, too.
        return lax.scan(body, x, length=1)[0]

    expected = {"jit": 2, "scan": 1, "cond": 1, "exp": n, "neg": 1, "gt": 1}
    check(submission, expected, jit_of_scan_of_cond_of_jit, x, others=True)


def test_details(submission, rng):
    """It works for functions in functions, unused and repeated code, and any argument."""
    n, x = draw(rng)
    operations = times(lax.tanh, n)

    def computed_again(x):
        return jax.checkpoint(operations)(x)

    def own_derivative(x):
        special = jax.custom_jvp(operations)
        special.defjvp(lambda primals, tangents: (special(*primals), tangents[0]))
        return special(x)

    def own_batch(x):
        special = jax.custom_batching.custom_vmap(operations)
        special.def_vmap(lambda size, batched, x: (special(x), True))
        return special(x)

    for name, f in {
        "under `jax.checkpoint`": computed_again,
        "in a function with its own derivative": own_derivative,
        "in a function with its own rule for `vmap`": own_batch,
    }.items():
        with case(name, hint="Print the parameters of its equation. Which one holds a jaxpr?"):
            # The name of the equation itself may depend on the version of JAX.
            check(submission, {"tanh": n}, f, x, others=True)

    def cos_that_nobody_needs(x):
        lax.cos(x)
        return x

    with case("for what nobody needs", hint="It is an equation all the same."):
        check(submission, {"cos": 1}, cos_that_nobody_needs, x)

    def equal_sines(x):
        return [lax.sin(x) for _ in range(n)]

    with case("for what is written twice", hint="There is an equation for each time."):
        check(submission, {"sin": n}, equal_sines, x)

    def of_tree(tree, shift):
        return lax.add(lax.exp(tree["a"]), tree["b"][0]), lax.neg(shift)

    with case("for a tree of arguments", hint="Pass each argument on as it is."):
        check(submission, {"exp": 1, "add": 1, "neg": 1}, of_tree, {"a": x, "b": [x]}, 2.0)

    def scaled(x, n):
        return x * n

    with case("for a Python number", hint="Pass each argument on as it is, and not its shape."):
        # It is converted to the dtype of the array. What else is like it may not be.
        expected = Counter(eqn.primitive.name for eqn in jax.make_jaxpr(scaled)(x, 2.0).eqns)
        check(submission, dict(expected), scaled, x, 2.0)
