"""replace_primitives(f, rules): an interpreter of jaxprs that is a transformation.

Functions and rules are those of this suite. What they should give is written out in NumPy.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close, case


def normal(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def flat(x, w):
    """Operations of the top level, with literals, and one without an input."""
    y = lax.sin(x) * 3.0 + lax.dot(w, lax.sin(x))
    return lax.sub(y, lax.exp(lax.iota(jnp.float32, 4))) + lax.sin(y)


def flat_in_numpy(x, w, sin):
    y = sin(x) * 3.0 + w @ sin(x)
    return y - np.exp(np.arange(4.0)) + sin(y)


@jax.jit
def inner(x):
    return lax.sin(x) + 0.5


@jax.jit
def outer(x, y):
    return inner(y) * lax.cos(x) - inner(x + y)


def nested(x, y):
    """Sines in jitted functions, in jitted functions of these, and at the top."""
    return outer(x, y) + jnp.where(y > 0, inner(x), lax.sin(y))


def nested_in_numpy(x, y, sin, cos):
    calls = (sin(y) + 0.5) * cos(x) - sin(x + y) - 0.5
    return calls + np.where(y > 0, sin(x) + 0.5, sin(y))


def triple(x):
    return 3.0 * x


def square(x):
    return x * x - 1.0


def wide(*arrays):
    return [array.astype(np.float64) for array in arrays]


def applied(replace_primitives, f, rules, *args):
    return replace_primitives(f, rules)(*args)


def apply(submission, *args):
    return submission.replace_primitives.used_by(applied)(*args)


@pytest.mark.hint("For which equations do you call a rule, and what do you do with all others?")
def test_an_operation_is_replaced(submission, rng):
    """Each equation with a rule is computed by the rule, and all others as before."""
    x, w = normal(rng, 4), normal(rng, 4, 4)
    found = apply(submission, flat, {"sin": triple}, x, w)
    assert_close(found, flat_in_numpy(*wide(x, w), triple), atol=1e-3)
    with case("by a rule of two inputs", hint="Does the rule get them in their order?"):
        found = apply(submission, lax.sub, {"sub": lambda a, b: a + 2.0 * b}, x, w[0])
        assert_close(found, x + 2.0 * w[0], atol=1e-5)
    with case("where an input is a number", hint="A literal is an input like any other."):
        found = apply(submission, lambda x: 2.0 * x, {"mul": lax.sub}, x)
        assert_close(found, 2.0 - x, atol=1e-5)


@pytest.mark.hint("Which values do you know at the start, and which after each equation?")
def test_without_a_rule_nothing_changes(submission, rng):
    """Without a rule that fits, the values are those of `f`."""
    x, y = normal(rng, 3), normal(rng, 3)
    rules = {"tan": triple}
    found = apply(submission, nested, rules, x, y)
    assert_close(found, nested_in_numpy(*wide(x, y), np.sin, np.cos), atol=1e-4)
    with case("for an array from outside", hint="`constvars` have values, too. Where are they?"):
        assert_close(apply(submission, lambda x: x + jnp.asarray(y), rules, x), x + y, atol=1e-5)
    with case("for an equation with two outputs", hint="How many variables does it write?"):

        def ordered(x):
            return lax.sort((x, -x), num_keys=1)[1]

        assert_close(apply(submission, ordered, rules, x), -np.sort(x))


@pytest.mark.points(2)
@pytest.mark.hint("A call of a jitted function is one equation. What does it hold?")
def test_jitted_functions_are_entered(submission, rng):
    """An operation is replaced in a jitted function as well."""
    x = normal(rng, 3)
    used = submission.replace_primitives.used_by(applied)
    program = used.program(lambda x: inner(x) * 2.0, {"sin": triple}, x)
    assert_close(program(x), 6.0 * x + 1.0, atol=1e-4)
    # Nothing of the old operation is left.
    assert "stablehlo.sine" not in program.operations


@pytest.mark.points(3)
@pytest.mark.hint("What evaluates an inner jaxpr? It may hold a call of a jitted function, too.")
def test_jitted_functions_are_entered_at_any_depth(submission, rng):
    """An operation is replaced in jitted functions that jitted functions call."""
    x, y = normal(rng, 3), normal(rng, 3)
    # Both branches of the choice are needed.
    y[:2] = 1.5, -1.5
    used = submission.replace_primitives.used_by(applied)
    program = used.program(nested, {"sin": triple, "cos": square}, x, y)
    assert_close(program(x, y), nested_in_numpy(*wide(x, y), triple, square), atol=1e-3)
    assert "stablehlo.sine" not in program.operations


@pytest.mark.hint("Does your interpreter see the operations of a rule? It shouldn't.")
def test_a_rule_may_use_what_it_replaces(submission, rng):
    """A rule for `sin` that computes a sine itself is called once for each equation."""
    x, w = normal(rng, 4), normal(rng, 4, 4)
    # Halved, since a sine that is replaced again and again would have no end.
    rules = {"sin": lambda x: lax.sin(x) / 2, "exp": lax.sin}
    y = np.sin(x) * 1.5 + w @ np.sin(x) / 2
    expected = y - np.sin(np.arange(4.0)) + np.sin(y) / 2
    assert_close(apply(submission, flat, rules, x, w), expected, atol=1e-4)


def slopes(replace_primitives, x, y):
    """The gradients of a batch."""
    g = replace_primitives(lambda x, y: lax.sin(x) * y, {"sin": square})
    return jax.vmap(jax.grad(lambda x, y: jax.jit(g)(x, y).sum(), argnums=(0, 1)))(x, y)


@pytest.mark.hint("What are the arguments while JAX traces your function? They have no values.")
def test_the_result_can_be_transformed(submission, rng):
    """The new function has gradients, takes a batch, and can be jitted."""
    x, y = normal(rng, 5, 3), normal(rng, 5, 3)
    found = submission.replace_primitives.used_by(slopes)(x, y)
    assert_close(found, (2 * x * y, square(x)), atol=1e-4)


def of_shapes(replace_primitives, xs):
    """One new function for all arguments."""
    g = replace_primitives(lambda x: jnp.reshape(x + x, -1), {"add": lax.mul})
    return [g(x) for x in xs]


def of_traced(replace_primitives, x, w):
    """The gradient in an array that the function has from outside."""

    def loss(w):
        return replace_primitives(lambda x: lax.sin(x) * w, {"sin": triple})(x).sum()

    return jax.grad(loss)(w)


def test_details(submission, rng):
    """It works for other shapes, arrays from outside, constant results, and lists."""
    x, w = normal(rng, 3), normal(rng, 3)
    with case("for arguments of other shapes and dtypes", hint="When is `f` traced?"):
        xs = [normal(rng, 2), normal(rng, 2, 2), rng.integers(-9, 9, 4).astype(jnp.bfloat16)]
        found = submission.replace_primitives.used_by(of_shapes)(xs)
        assert_close(found, [(x * x).ravel() for x in xs])
    with case("for a traced array from outside", hint="Do the constants stay what they are?"):
        found = submission.replace_primitives.used_by(of_traced)(x, w)
        assert_close(found, 3.0 * x, atol=1e-5)
    with case("for a constant result", hint="An output of a jaxpr may be a literal."):
        assert_close(apply(submission, lambda x: jnp.float32(4.5), {}, x), np.float32(4.5))
    with case("for an output in a list", hint="The rule returns the output, not a list."):
        assert_close(apply(submission, lax.sort, {"sort": lax.neg}, x), -x)
