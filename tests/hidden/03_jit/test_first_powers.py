"""first_powers(x, n): a compiled function whose result has n elements."""

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, *shape):
    """Numbers of both signs, whose powers stay small."""
    return np.asarray(rng.uniform(0.5, 1.5, shape) * rng.choice([-1, 1], shape), np.float32)


def powers(x, n):
    return np.asarray(x, np.float64)[..., None] ** np.arange(n)


@pytest.mark.points(3)
@pytest.mark.hint("Which argument determines the length of the result? It can't be traced.")
def test_there_are_n_powers(submission, rng):
    """The result is 1, x, x^2 and so on, n numbers in all."""
    for n in (4, 1, 7):
        for x in (draw(rng), float(draw(rng)), np.float32(0)):
            assert_close(submission.first_powers(x, n), powers(x, n), atol=1e-4)


@pytest.mark.hint("Does your function still have a second argument of that name?")
def test_n_may_be_passed_by_its_name(submission, rng):
    """`n=3` does the same as 3 in second place."""
    x = draw(rng)
    assert_close(submission.first_powers(x, n=3), powers(x, 3), atol=1e-4)


def total(first_powers, x, weights):
    return (first_powers(x, 4) * weights).sum()


@pytest.mark.points(2)
@pytest.mark.hint("Only n may be static. Does your code use the value of x while tracing?")
def test_x_may_be_traced(submission, rng):
    """Under `vmap`, each number has its powers, and `jit` of `grad` gives the right slope."""
    xs = draw(rng, 5)
    found = submission.first_powers.vmap(in_axes=(0, None))(xs, 4)
    assert_close(found, powers(xs, 4), atol=1e-4)
    x, weights = draw(rng), draw(rng, 4)
    slope = submission.first_powers.used_by(total).grad().jit()(x, weights)
    right = powers(x, 3) @ (weights[1:].astype(np.float64) * [1, 2, 3])
    assert_close(slope, np.asarray(right), atol=1e-4)


def equations(first_powers, x):
    return len(jax.make_jaxpr(lambda x: first_powers(x, 6))(x).eqns)


def traces_again(first_powers, x, other):
    """Whether a second call with one n needs a new trace, which raises here."""
    first_powers(x, 6)
    with jax.no_tracing():
        try:
            first_powers(other, 6)
        except RuntimeError:
            return True
    return False


@pytest.mark.points(4)
@pytest.mark.hint("Where in your code is `jax.jit`, and how often does that line run?")
def test_it_is_compiled_once_for_each_n(submission, rng):
    """The whole function is one program, and a known n needs no new one."""
    x, other = draw(rng), draw(rng)
    with case("for the function as a whole", hint="Which function did you pass to `jax.jit`?"):
        assert submission.first_powers.used_by(equations).reported()(x) == 1, (
            "The function is not itself compiled."
        )
    with case("in a second call with the same n", hint="Is `jax.jit` called again in each call?"):
        assert not submission.first_powers.used_by(traces_again).reported()(x, other), (
            "A known n is traced again."
        )
