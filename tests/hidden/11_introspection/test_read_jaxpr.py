"""read_jaxpr(f, x): the names of the equations of a traced program, in order.

The functions use `jax.lax` alone: there each function becomes one equation of the same name. The
answer is a list of texts, so no program is judged.
"""

import jax
import numpy as np
import pytest
from jax import lax

NAMES = ["sin", "cos", "tanh", "exp", "neg", "floor"]


def array(rng):
    return rng.normal(size=3).astype(np.float32)


def one_by_one(names):
    """A function that does these operations, each on the result of the one before."""

    def operations(x):
        for name in names:
            x = getattr(lax, name)(x)
        return x

    return operations


@pytest.mark.points(3)
@pytest.mark.hint("Go through the equations from the first to the last. Change nothing.")
def test_operations_are_in_order(submission, rng):
    """Each operation has its name in the list, in the order of the program."""
    for x in (array(rng), 1.5):
        names = list(map(str, rng.permutation(NAMES)))
        found = submission.read_jaxpr(one_by_one(names), x)
        assert found == names


@pytest.mark.points(2)
@pytest.mark.hint("Each equation counts. Does your code keep one of each name?")
def test_what_is_done_twice_is_there_twice(submission, rng):
    """An operation that occurs several times is in the list several times."""
    first, second = map(str, rng.permutation(NAMES)[:2])
    names = [first, second, first, first, second]
    found = submission.read_jaxpr(one_by_one(names), array(rng))
    assert found == names


@pytest.mark.points(2)
@pytest.mark.hint("Trace the function with x itself. What does Python know of x while JAX traces?")
def test_python_leaves_no_trace(submission, rng):
    """Of an `if` only the branch that was taken is there, and of a loop all rounds."""
    rounds = int(rng.integers(2, 6))

    def by_shape(x):
        if x.shape == (3,):
            for _ in range(rounds):
                x = lax.sin(x)
        return lax.neg(x)

    found = submission.read_jaxpr(by_shape, array(rng))
    assert found == [*["sin"] * rounds, "neg"]
    found = submission.read_jaxpr(by_shape, array(rng)[:2])
    assert found == ["neg"]


@pytest.mark.points(3)
@pytest.mark.hint("Read the outer program only. Does yours go into others, or is it itself in one?")
def test_a_program_inside_is_one_equation(submission, rng):
    """A compiled function and a loop of `lax` are one entry each."""
    names = list(map(str, rng.permutation(NAMES)[:3]))

    def with_others_inside(x):
        x = lax.exp(jax.jit(one_by_one(names))(x))
        return lax.scan(lambda carry, _: (lax.cos(carry), None), x, length=9)[0]

    found = submission.read_jaxpr(with_others_inside, array(rng))
    assert found == ["jit", "exp", "scan"]
