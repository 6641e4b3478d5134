"""replace_primitives(f, rules): an interpreter of jaxprs that is a transformation.

Functions and rules are those of this suite. What they should give is written out in NumPy.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close


def normal(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def flat(x, w):
    """Operations of the top level, literals, a constant array, and one without an input."""
    table = lax.iota(jnp.float32, 4)
    y = lax.sin(x) * 3.0 + lax.dot(w, lax.sin(x))
    return lax.sub(y, lax.exp(table)) + lax.sin(y)


def flat_in_numpy(x, w, sin):
    y = sin(x) * 3.0 + w @ sin(x)
    return y - np.exp(np.arange(4.0)) + sin(y)


TABLE = np.float32([0.5, -2.0, 1.0])


def known(numbers):
    """An array of JAX's that has its values while others are traced."""
    with jax.ensure_compile_time_eval():
        return jnp.asarray(numbers)


@jax.jit
def inner(x):
    return lax.sin(x) + TABLE


@jax.jit
def outer(x, y):
    return inner(y) * lax.cos(x) - inner(x + y)


def nested(x, y):
    """Sines in jitted functions, in jitted functions of these, and at the top."""
    both = jax.jit(lambda x, y: (outer(x, y), x))
    first, second = both(x, y)
    return first + jnp.where(y > 0, inner(second), lax.sin(y))


def nested_in_numpy(x, y, sin, cos):
    table = TABLE.astype(np.float64)

    def one(x):
        return sin(x) + table

    return one(y) * cos(x) - one(x + y) + np.where(y > 0, one(x), sin(y))


def triple(x):
    return 3.0 * x


def square(x):
    return x * x - 1.0


def three_times(x, y):
    return x + y + y


@pytest.mark.points(2)
@pytest.mark.hint("Are the inputs of an equation given to the rule in their order?")
def test_an_operation_is_replaced(submission, rng):
    """Each equation with a rule is computed by the rule, and all others as before."""

    def run(replace_primitives, x, w):
        def difference(x, w):
            return lax.sub(w[0], lax.exp(x))

        return (
            replace_primitives(flat, {"sin": triple})(x, w),
            replace_primitives(difference, {"sub": lambda a, b: a + 2.0 * b})(x, w),
            replace_primitives(lambda x: x, {"sin": triple})(x),
            # Its only output comes in a list, as it may sort many arrays.
            # And an input of the product is a literal.
            replace_primitives(lambda x: 2.0 * lax.sort(x), {"sort": lax.neg, "mul": lax.sub})(x),
        )

    x, w = normal(rng, 4), normal(rng, 4, 4)
    wide = x.astype(np.float64), w.astype(np.float64)
    expected = (
        flat_in_numpy(*wide, triple),
        wide[1][0] + 2 * np.exp(wide[0]),
        x,
        2 + wide[0],
    )
    assert_close(submission.replace_primitives.used_by(run)(x, w), expected, atol=1e-4, rtol=1e-5)


@pytest.mark.hint("Where do outputs of a jaxpr come from? And which equations have many outputs?")
def test_without_a_rule_nothing_changes(submission, rng):
    """Without a rule that fits, the values are those of `f`, with constants and many outputs."""

    def run(replace_primitives, x, y):
        def ordered(x):
            # Two outputs of one equation, of which one isn't used.
            keys, values = lax.sort((x, -x), num_keys=1)
            return values + lax.top_k(keys, 3)[0]

        def constant(x):
            return jnp.float32(4.5)

        def large(x):
            # float32 doesn't hold this number.
            return (x > 0) + 16777217

        unchanged = ordered, constant, large, lambda x: x
        same = [replace_primitives(f, {"tan": triple})(x) for f in unchanged]
        return same, replace_primitives(nested, {})(x, y)

    x, y = normal(rng, 3), normal(rng, 3)
    wide = x.astype(np.float64), y.astype(np.float64)
    large = (x > 0) + np.int32(16777217)
    alone = [-np.sort(x) + np.sort(x)[::-1], np.float32(4.5), large, x]
    expected = alone, nested_in_numpy(*wide, np.sin, np.cos)
    found = submission.replace_primitives.used_by(run)(x, y)
    assert_close(found, expected, atol=1e-5)


@pytest.mark.points(4)
@pytest.mark.hint("A call of a jitted function is one equation. What does it hold?")
def test_jitted_functions_are_entered(submission, rng):
    """An operation is replaced in a jitted function as well, at any depth."""

    def run(replace_primitives, x, y):
        rules = {"sin": triple, "cos": square}
        g = replace_primitives(nested, rules)
        return g(x, y), replace_primitives(jax.jit(jax.jit(outer)), rules)(x, y)

    x, y = normal(rng, 3), normal(rng, 3)
    # Both branches of the choice are needed.
    x[0], y[:2] = abs(x[0]), [1.5, -1.5]
    wide = x.astype(np.float64), y.astype(np.float64)
    table = TABLE.astype(np.float64)
    calls = (triple(wide[1]) + table) * square(wide[0]) - triple(wide[0] + wide[1]) - table
    expected = nested_in_numpy(*wide, triple, square), calls
    program = submission.replace_primitives.used_by(run).program(x, y)
    assert_close(program.structured(x, y), expected, atol=1e-4, rtol=1e-4)
    # The table says that nothing of the old operations is left.
    assert not {"stablehlo.sine", "stablehlo.cosine"} & set(program.operations)


@pytest.mark.hint("Does your interpreter see the operations of a rule? It shouldn't.")
def test_a_rule_may_use_what_it_replaces(submission, rng):
    """A rule for `sin` that computes a sine itself is called once for each equation."""

    def run(replace_primitives, x, y):
        # Halved, since a sine that is replaced again and again would have no end.
        return replace_primitives(nested, {"sin": lambda x: lax.sin(x) / 2, "cos": lax.sin})(x, y)

    x, y = normal(rng, 3), normal(rng, 3)
    wide = x.astype(np.float64), y.astype(np.float64)
    expected = nested_in_numpy(*wide, lambda x: np.sin(x) / 2, np.sin)
    found = submission.replace_primitives.used_by(run).jit()(x, y)
    assert_close(found, expected, atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("What are the arguments while JAX traces your function? They have no values.")
def test_the_result_can_be_transformed(submission, rng):
    """The new function has gradients, and takes a batch, of any size and dtype."""

    def run(replace_primitives, x, y, given):
        def loss(x, y):
            return replace_primitives(nested, {"sin": square, "cos": triple})(x, y).sum()

        def in_a_row(x):
            return jnp.reshape(x + jax.jit(lax.mul)(x, x), -1)

        def with_weights(w):
            # One of two arguments is known, and the function has the weights from outside.
            g = replace_primitives(lambda x, y: lax.sin(x) * y * w, {"sin": triple})
            return g(known(TABLE), w).sum()

        scaled = replace_primitives(in_a_row, {"mul": three_times})
        slopes = jax.vmap(jax.grad(loss, argnums=(0, 1)))(x, y), jax.grad(with_weights)(x[0])
        return slopes, [jax.jit(scaled)(x) for x in given]

    x, y = normal(rng, 5, 3), normal(rng, 5, 3)
    given = [
        *(rng.integers(-9, 9, size=300).astype(kind) for kind in (jnp.bfloat16, np.float16)),
        rng.integers(-(2**28), 2**28, size=5).astype(np.int32),
        np.float32([np.nan, np.inf, -np.inf, 2.0**-100, 2.0**100]),
        np.zeros((0, 2), np.float32),
        np.ones(1, np.float32),
    ]

    def value(x, y):
        return nested_in_numpy(x, y, square, triple)

    wide, h = (x.astype(np.float64), y.astype(np.float64)), 1e-6
    slopes = (
        (value(wide[0] + h, wide[1]) - value(wide[0] - h, wide[1])) / 2 / h,
        (value(wide[0], wide[1] + h) - value(wide[0], wide[1] - h)) / 2 / h,
    )
    (found, of_weights), fours = submission.replace_primitives.used_by(run)(x, y, given)
    assert_close(found, slopes, atol=1e-3)
    assert_close(of_weights, 2 * triple(TABLE) * x[0])
    expected = [(x * np.asarray(4, x.dtype)).astype(x.dtype).ravel() for x in given]
    assert_close(fours, expected, rtol=0, atol=0, nonfinite=True)
