"""kept_bytes(f, *args): the bytes that wait for the backward pass.

What an operation keeps may change with JAX. So the expected numbers come from `jax.vjp`.
The answer is a Python int, so no program is judged.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close, case


def expected(f, *args):
    """The bytes of the arrays themselves, after a forward pass."""
    args = jax.tree.map(jnp.asarray, args)
    return sum(leaf.nbytes for leaf in jax.tree.leaves(jax.vjp(f, *args)[1]))


def check(submission, f, *args):
    assert_close(submission.kept_bytes(f, *args), expected(f, *args))


def sizes(rng, count):
    """Numbers of elements that no table of answers has."""
    return map(int, rng.choice(np.arange(5, 300), count, replace=False))


def single(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def product(x, y):
    return x * y


def layer(w, b, x):
    return x @ w + b


def total(x):
    return 3 + x.sum()


def weighed(x):
    """Its constant is kept."""
    return x * jnp.linspace(0, 1, x.size).reshape(x.shape)


def network(w, b, x):
    return jnp.sum(jnp.sin(layer(w, b, x)) * jnp.exp(x[:, :1]))


def chain(x):
    return jnp.sin(jnp.sin(jnp.sin(x)))


def chain_again(x):
    return jax.checkpoint(chain)(x)


def compiled(x):
    return jnp.sum(jax.jit(chain)(x) ** 2)


def rounds(x):
    return lax.scan(lambda carry, now: (jnp.sin(carry) * now, carry), 1.0, x)


def halves(x):
    return x.astype(jnp.bfloat16) * jnp.sin(x.astype(jnp.bfloat16))


def chosen(table, places):
    return jnp.sin(table)[places].sum()


def positive(x):
    return jnp.where(x > 0, jnp.sin(x), 0)


def spread(x):
    """A matrix that fits into no memory, and the sum of its sines."""
    return jnp.sin(jnp.broadcast_to(x, (len(x), len(x)))).sum()


def spread_again(x):
    return jax.checkpoint(spread)(x)


@pytest.mark.points(3)
@pytest.mark.hint("Which arrays are the leaves of the function that `jax.vjp` returns?")
def test_all_that_waits_is_counted(submission, rng):
    """The kept arrays of a function count, arguments and others."""
    k, m, n = sizes(rng, 3)
    x, y, w, b = single(rng, k, m), single(rng, k, m), single(rng, m, n), single(rng, n)
    for f, args in ((product, (x, y)), (layer, (w, b, x)), (network, (w, b, x))):
        check(submission, f, *args)
    with case("for a constant of f", hint="It is a leaf like each other array."):
        check(submission, weighed, x)
    with case("where nothing is kept", hint="A sum needs nothing for its derivative."):
        check(submission, total, x)


@pytest.mark.hint("How many bytes does an element of each dtype have?")
def test_each_dtype_has_its_size(submission, rng):
    """Elements count with the size of their own dtype."""
    x = single(rng, *sizes(rng, 1))
    with case("in half precision", hint="A bfloat16 has 2 bytes."):
        check(submission, halves, x)
        check(submission, product, x.astype(jnp.bfloat16), x.astype(jnp.bfloat16))
    with case("for bools", hint="`jnp.where` keeps its condition: a byte for each element."):
        check(submission, positive, x)
    with case("for integers", hint="Places in an array are kept as integers."):
        check(submission, chosen, x, np.int32([3, 0, 4, 2, 2]))


@pytest.mark.points(4)
@pytest.mark.hint("`jax.vjp` runs the forward pass. What traces a function, and runs nothing?")
def test_nothing_is_computed(submission, rng):
    """Where terabytes would be kept, their number comes out at once."""
    n = int(rng.integers(900_000, 1_000_000))
    assert_close(submission.kept_bytes(spread, single(rng, n)), 4 * n * n)
    with case("where they would be computed again", hint="What fits isn't computed, either."):
        assert_close(submission.kept_bytes(spread_again, single(rng, n)), 4 * n)


@pytest.mark.hint("Is f itself traced by `jax.vjp`, with all that it says of its derivative?")
def test_rounds_and_checkpoints(submission, rng):
    """A loop keeps something in each round, and `jax.checkpoint` keeps less."""
    x = single(rng, *sizes(rng, 1))
    for f in (chain, chain_again, rounds, compiled):
        check(submission, f, x)


def test_details(submission, rng):
    """It works for trees, an array kept twice, a Python float, and shapes."""
    n, k = sizes(rng, 2)
    x = single(rng, n)
    with case("for trees", hint="An argument may be a dict, and the value, too."):
        check(submission, of_tree, {"w": single(rng, n, k), "b": single(rng, k)}, [x, x])
    with case("for an array that is kept twice", hint="Count each leaf."):
        check(submission, square_by_product, x)
    with case("for a Python float", hint="It is kept as an array of one number."):
        check(submission, product, 2.0, x)
    with case("for shapes in place of arrays", hint="`jax.eval_shape` takes both."):
        found = submission.kept_bytes.used_by(of_shapes).reported()(n, 30_000 * k)
        assert_close(found, 4 * (n + (30_000 * k) ** 2))


def of_tree(params, xs):
    return {"y": jnp.sin(xs[0] @ params["w"] + params["b"]), "z": xs[1]}


def square_by_product(x):
    return jnp.sin(x) * jnp.exp(jnp.sin(x)) * x * x


def of_shapes(kept_bytes, few, many):
    small = jax.ShapeDtypeStruct((few,), jnp.float32)
    large = jax.ShapeDtypeStruct((many, many), jnp.float32)
    return kept_bytes(lambda x, y: (jnp.sin(x), jnp.sin(y)), small, large)
