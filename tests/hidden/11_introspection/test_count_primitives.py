"""count_primitives(f, *args): every equation of the traced program, nested ones too.

The functions use `jax.lax` alone. Each function of `jax.lax` becomes one equation of the same
name, so the counts can be written down by hand and are the same in every version of JAX. The
answer is a dict of Python numbers, so no program is judged.
"""

from collections import Counter

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

X = np.array([0.5, 1.5, 2.5], np.float32)


@jax.jit
def inner(x):
    return lax.sin(lax.exp(x))


def repeated(length):
    """A scan with this number of rounds, and two operations in its body."""

    def f(x):
        return lax.scan(lambda carry, _: (lax.mul(lax.cos(carry), x), None), x, length=length)[0]

    return f


def branches(index, x):
    return lax.switch(index, [lax.sin, lax.cos, lax.sin, lambda x: lax.tanh(lax.cos(x))], x)


def as_plain(counts):
    """The result as a dict of Python numbers: a count may come as an array."""
    assert isinstance(counts, dict), "the result isn't a dict"
    return {name: int(count) for name, count in counts.items()}


@pytest.mark.hint("Trace the function with its arguments, and count its equations by name.")
def test_each_operation_is_counted(submission, rng):
    """A plain function of one or two arguments has the counts that you see in its code."""

    def two(x, y):
        return lax.add(lax.mul(lax.sin(x), y), lax.sin(y))

    found = as_plain(submission.count_primitives(two, X, X))
    assert found == {"sin": 2, "mul": 1, "add": 1}
    n = int(rng.integers(3, 9))

    def chain(x):
        for _ in range(n):
            x = lax.tanh(x)
        return lax.neg(x)

    assert as_plain(submission.count_primitives(chain, 1.5)) == {"tanh": n, "neg": 1}

    def wasteful(x):
        lax.cos(x)
        return lax.add(lax.sin(x), lax.sin(x))

    # What nobody uses is written, too, and so is what is written twice.
    found = as_plain(submission.count_primitives(wasteful, X))
    assert found == {"cos": 1, "sin": 2, "add": 1}


@pytest.mark.words
@pytest.mark.hint("An argument may be a dict, and a function may do nothing at all.")
def test_any_arguments_will_do(submission):
    """Arguments may be trees, and an empty program gives an empty dict."""

    def of_tree(tree, shift):
        return lax.add(lax.exp(tree["a"]), tree["b"][0]), lax.neg(shift)

    found = submission.count_primitives(of_tree, {"a": X, "b": [X]}, 2.0)
    assert as_plain(found) == {"exp": 1, "add": 1, "neg": 1}
    assert as_plain(submission.count_primitives(lambda x: x, X)) == {}

    def scaled(x, n):
        return x * n

    # A Python number is converted to the dtype of the array. What else is like it may not be.
    traced = jax.make_jaxpr(scaled)(X, 2.0).jaxpr.eqns
    expected = Counter(equation.primitive.name for equation in traced)
    assert as_plain(submission.count_primitives(scaled, X, 2.0)) == expected

    def again(count):
        def by_number(xs):
            return lax.exp(xs[0]) if len(xs) == 1 else lax.neg(xs[0])

        def by_dtype(x):
            return lax.exp(x) if x.dtype == jnp.float32 else lax.neg(x)

        def by_shape(x):
            return lax.exp(x) if x.ndim else lax.neg(x)

        calls = [(by_number, [1.5] * n) for n in (1, 2)]
        calls += [(by_dtype, jnp.ones(3, dtype)) for dtype in (jnp.float32, jnp.int32)]
        calls += [(by_shape, jnp.ones(shape)) for shape in (3, ())]
        return [dict(count(f, x)).get("neg", 0) for f, x in calls]

    # The same function of other arguments is another program.
    found = submission.count_primitives.used_by(again).reported()()
    assert [int(count) for count in found] == [0, 1] * 3


@pytest.mark.words
@pytest.mark.hint("A `jit` inside is one equation of the outer program. What does it hold?")
def test_jitted_functions_are_looked_into(submission):
    """A jitted function counts itself and its operations, once for each use."""
    assert as_plain(submission.count_primitives(inner, X)) == {"jit": 1, "sin": 1, "exp": 1}

    def twice(x):
        return lax.sin(inner(inner(x)))

    assert as_plain(submission.count_primitives(twice, X)) == {"jit": 2, "sin": 3, "exp": 2}


@pytest.mark.points(2)
@pytest.mark.hint("Count each operation once where it is written, however often it runs.")
def test_a_loop_counts_its_body_once(submission, rng):
    """The body of a scan counts once, for three rounds and for three hundred."""
    for length in (3, int(rng.integers(100, 300))):
        found = submission.count_primitives(repeated(length), X)
        assert as_plain(found) == {"scan": 1, "cos": 1, "mul": 1}


@pytest.mark.words
@pytest.mark.hint("The branches are in a tuple.")
def test_every_branch_counts(submission):
    """The operations of all branches are counted, since all of them are in the program."""
    found = as_plain(submission.count_primitives(branches, np.int32(1), X))
    # JAX also clamps the index to the number of branches; its operations for that may change.
    assert {name: found.get(name) for name in ("cond", "sin", "cos", "tanh")} == {
        "cond": 1,
        "sin": 2,
        "cos": 2,
        "tanh": 1,
    }


@pytest.mark.words
@pytest.mark.hint(
    "The name of the parameter differs from primitive to primitive: don't rely on it."
)
def test_every_kind_of_inner_program_is_found(submission):
    """A `while` has two inner programs, a function with a rule of its own one, others many."""

    def until_big(x):
        return lax.while_loop(lambda s: lax.lt(s, jnp.float32(10)), lambda s: lax.mul(s, s), x)

    found = as_plain(submission.count_primitives(until_big, np.float32(2)))
    assert found == {"while": 1, "lt": 1, "mul": 1}

    def own_rule(x):
        special = jax.custom_jvp(lambda x: lax.tanh(lax.exp(x)))
        special.defjvp(lambda primals, tangents: (special(*primals), tangents[0]))
        return special(x)

    found = as_plain(submission.count_primitives(own_rule, X))
    assert found == {"custom_jvp_call": 1, "tanh": 1, "exp": 1}

    def own_batch(x):
        special = jax.custom_batching.custom_vmap(lambda x: lax.tanh(lax.exp(x)))
        special.def_vmap(lambda size, batched, x: (special(x), True))
        return special(x)

    found = as_plain(submission.count_primitives(own_batch, X))
    assert found == {"custom_vmap_call": 1, "tanh": 1, "exp": 1}

    def own_transpose(x):
        return jax.custom_derivatives.linear_call(lambda _, x: lax.neg(x), lambda _, x: x, (), x)

    found = as_plain(submission.count_primitives(own_transpose, X))
    assert found == {"linear_call": 1, "neg": 1}

    # Its programs are in a namedtuple.
    def solved(a):
        return lax.custom_linear_solve(lambda x: lax.mul(a, x), a, lambda _, b: lax.div(b, a))

    found = as_plain(submission.count_primitives(solved, X))
    assert found == {"custom_linear_solve": 1, "mul": 1, "div": 1}

    def reduced(x):
        return lax.reduce(x, np.float32(0), lambda a, b: lax.mul(lax.sin(a), b), (0,))

    found = as_plain(submission.count_primitives(reduced, X))
    assert found == {"reduce": 1, "sin": 1, "mul": 1}

    # This one holds a program of another class, and its own name depends on the version of JAX.
    def computed_again(x):
        return jax.checkpoint(lambda x: lax.sin(lax.exp(x)))(x)

    found = as_plain(submission.count_primitives(computed_again, X))
    assert found.get("sin") == found.get("exp") == 1


@pytest.mark.words
@pytest.mark.points(3)
@pytest.mark.hint("An inner program may hold inner programs: let your function call itself.")
def test_nesting_may_be_deep(submission):
    """A jitted function in a branch in a loop in a jitted function is found."""

    @jax.jit
    def deep(x):
        def body(carry, _):
            return lax.cond(carry[0] > 0, inner, lax.neg, carry), None

        # One round, so that who counts the rounds finds it, too.
        return lax.scan(body, x, length=1)[0]

    found = as_plain(submission.count_primitives(deep, X))
    expected = {"jit": 2, "scan": 1, "cond": 1, "sin": 1, "exp": 1, "neg": 1, "gt": 1}
    assert {name: found.get(name) for name in expected} == expected

    def deeper(x):
        f = lax.sin
        for _ in range(30):
            f = jax.jit(lambda x, f=f: f(x))
        return f(x)

    assert as_plain(submission.count_primitives(deeper, X)) == {"jit": 30, "sin": 1}
