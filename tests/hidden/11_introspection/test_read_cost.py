"""read_cost(f, *args): the operations of all products, for programs that are known by hand.

The answer is a Python number, so no program is judged.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.suite import Callback, case


def ones(*shape, dtype=np.float32):
    return np.ones(shape, dtype)


def sizes(rng, count):
    return [int(size) for size in rng.choice(range(2, 12), size=count, replace=False)]


def product(x, w):
    return x @ w


@jax.jit
def jitted(x, w):
    return jnp.tanh(x @ w) + 1


def repeated(length):
    """A scan with this number of rounds, each with one product."""

    def scan(x, w):
        return lax.scan(lambda x, _: (jnp.tanh(x @ w), None), x, length=length)[0]

    return scan


def check(submission, programs, hint=""):
    """Each program has a name, a function, arguments, and its cost."""
    for name, (f, args, expected) in programs.items():
        with case(name, hint=hint):
            found = submission.read_cost(f, *args)
            assert found is None or isinstance(found, int), "The result is no Python int"
            assert found == expected, "The count of operations is wrong"


@pytest.mark.hint(
    "Count products by their shapes: the compiler's own estimate counts more than products."
)
def test_a_product_costs_twice_its_multiplications(submission, rng):
    """Matrix products, vectors and batches count by their shapes, and nothing else counts."""
    m, k, n, b = sizes(rng, 4)

    def over_two_axes(x, y):
        return jnp.einsum("bmkn,nbk->bm", x, y)

    def with_others(x, w):
        return jnp.exp(x @ w).sum() * 3

    batch = jax.vmap(product, in_axes=(0, None)), (ones(b, m, k), ones(k, n))
    programs = {
        "for two matrices": (product, (ones(m, k), ones(k, n)), 2 * m * k * n),
        "for a matrix and a vector": (product, (ones(m, k), ones(k)), 2 * m * k),
        "for two vectors": (product, (ones(k), ones(k)), 2 * k),
        "before other operations": (with_others, (ones(m, k), ones(k, n)), 2 * m * k * n),
        "without a product": (lambda x: jnp.sin(x) * x + x.sum(), (ones(m),), 0),
        "for a product under `vmap`": (*batch, 2 * b * m * k * n),
        "for a sum over two axes": (
            over_two_axes,
            (ones(b, m, k, n), ones(n, b, k)),
            2 * b * m * k * n,
        ),
    }
    check(submission, programs)


@pytest.mark.points(4)
@pytest.mark.hint("How often does each product run? And what if a loop is in a loop?")
def test_a_loop_costs_each_of_its_rounds(submission, rng):
    """A scan costs its length times its body, and so does a scan in a scan."""
    m, k, length, outer = sizes(rng, 4)
    args, once = (ones(m, k), ones(k, k)), 2 * m * k * k

    def nested(x, w):
        def body(x, _):
            return repeated(length)(x, w) @ w, None

        return lax.scan(body, x, length=outer)[0] @ w

    def of_jitted(x, w):
        return lax.scan(lambda x, _: (jitted(x, w), None), x, length=length)[0]

    def loss(x, w):
        return repeated(length)(x, w).sum()

    # The value, and a product for each of the two gradients, in each round.
    slopes = jax.grad(loss, argnums=(0, 1))
    programs = {
        "for a scan": (repeated(length), args, length * once),
        "for a scan of 300 rounds": (repeated(300), args, 300 * once),
        "for a scan in a scan": (nested, args, (outer * (length + 1) + 1) * once),
        "for a jitted function in a scan": (of_jitted, args, length * once),
        "for the gradient of a scan": (slopes, args, 3 * length * once),
    }
    check(submission, programs)


@pytest.mark.hint("Which equations hold a program? Look at all parameters, and into tuples.")
def test_inner_programs_are_looked_into(submission, rng):
    """Products in jitted functions count, each time."""
    m, k = sizes(rng, 2)
    args, once = (ones(m, k), ones(k, k)), 2 * m * k * k
    programs = {
        "for a jitted function": (jitted, args, once),
        "for three products": (lambda x, w: jitted(jitted(x, w), w) @ w, args, 3 * once),
    }
    check(submission, programs)


@pytest.mark.hint("Only one branch runs. Which of them do you count?")
def test_of_several_branches_the_dearest_counts(submission, rng):
    """A `cond` costs as much as its dearest branch, wherever that stands."""
    m, k, length, outer = sizes(rng, 4)
    args, once = (np.int32(1), ones(m, k), ones(k, k)), 2 * m * k * k
    kinds = [lambda x, w: x, product, repeated(length), product]

    def chosen(branches):
        return lambda index, x, w: lax.switch(index, branches, x, w) @ w

    def layers(index, x, w):
        return lax.scan(lambda x, _: (lax.switch(index, kinds, x, w), None), x, length=outer)[0]

    programs = {
        f"where branch {2 - turn} is the dearest": (
            chosen(kinds[turn:] + kinds[:turn]),
            args,
            (length + 1) * once,
        )
        for turn in range(3)
    }
    check(submission, programs | {"in a scan": (layers, args, outer * length * once)})


@pytest.mark.hint("A `while` has two inner programs. Is a product in one of them?")
def test_nobody_knows_the_rounds_of_a_while(submission, rng):
    """With a product in a `while` the result is None; other `while` loops cost nothing."""
    m, k = sizes(rng, 2)
    args, once = (ones(m, k), ones(k, k)), 2 * m * k * k

    def until(condition, body):
        return lambda x, w: lax.while_loop(lambda x: condition(x, w), lambda x: body(x, w), x) @ w

    def is_small(x, w):
        return x[0, 0] < 9

    def has_small_product(x, w):
        return (x[0] @ w)[0] < 9

    def double(x, w):
        return x * 2

    def in_a_branch(x, w):
        return lax.cond(x[0, 0] > 0, until(is_small, product), double, x, w)

    def in_a_scan(x, w):
        return lax.scan(lambda x, _: (until(is_small, product)(x, w), None), x, length=3)[0]

    programs = {
        "without a product in it": (until(is_small, double), args, once),
        "with a product in its body": (until(is_small, product), args, None),
        "with a product in its condition": (until(has_small_product, double), args, None),
        "with a product, in a branch": (in_a_branch, args, None),
        "with a product, in a scan": (in_a_scan, args, None),
    }
    check(submission, programs)


@pytest.mark.hint("Do you need the numbers in the arguments? And which integers have no limit?")
def test_shapes_are_enough(submission, rng):
    """Arguments may be shapes of any size in any tree, and the function never runs."""
    m, k, n = (int(size) for size in 10**7 + 2 * rng.integers(10**6, size=3) + 1)

    def asked(count, tell, m, k, n):
        def f(tree):
            jax.debug.callback(lambda: tell("the function ran"))
            return tree["x"] @ tree["rest"][0]

        x, w = (jax.ShapeDtypeStruct(shape, jnp.float16) for shape in ((m, k), (k, n)))
        tell(str(count(f, {"x": x, "rest": [w, None]})))
        count(f, {"x": jnp.ones((2, 3)), "rest": [jnp.ones((3, 2)), None]})
        jax.effects_barrier()

    told = []
    submission.read_cost.used_by(asked).observed()(Callback(told.append), m, k, n)
    expected = str(2 * m * k * n)
    assert told == [expected], f"Expected {expected} and no run, got {', '.join(told)}"


def test_details(submission, rng):
    """It works for functions in functions, and for other shapes."""
    m, k, n = sizes(rng, 3)
    args, once = (ones(m, k), ones(k, k)), 2 * m * k * k

    def own_jvp(x, w):
        special = jax.custom_jvp(product)
        special.defjvp(lambda primals, tangents: (product(*primals), product(*tangents)))
        return special(x, w)

    def own_vjp(x, w):
        special = jax.custom_vjp(jitted)
        special.defvjp(lambda x, w: (jitted(x, w), None), lambda _, g: (g, w))
        return special(x, w)

    def outer(x, y):
        return lax.dot_general(x, y, (((), ()), ((), ())))

    programs = {
        "under `checkpoint`": (lambda x, w: jax.checkpoint(jitted)(x, w), args, once),
        "under `custom_jvp`": (own_jvp, args, once),
        "under `custom_vjp`": (own_vjp, args, once),
    }
    check(submission, programs, hint="Which of the parameters of its equation holds a program?")
    programs = {
        "for a product that sums over no axis": (outer, (ones(m), ones(n)), 2 * m * n),
        "for empty arrays": (product, (ones(m, 0), ones(0, n)), 0),
    }
    check(submission, programs, hint="How many numbers has the result, and what is k?")
    programs = {"for a scan of no round": (repeated(0), args, 0)}
    check(submission, programs, hint="How often does the body run?")
    integers = ones(m, k, dtype=np.int32), ones(k, n, dtype=np.int32)
    programs = {"for integers": (product, integers, 2 * m * k * n)}
    check(submission, programs, hint="Does your code ask for a dtype?")
