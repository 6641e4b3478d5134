"""fib_like(a0, n): a linear recurrence as one loop, from a start that is known at run time only."""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

from .losses import part_of_a_loss


def start(rng):
    """A number of either sign that isn't whole."""
    return np.asarray(
        (rng.integers(1, 9) + rng.uniform(0.2, 0.8)) * rng.choice([-1, 1]), np.float32
    )


def terms(a0, n):
    """The recurrence in float64."""
    found = [float(a0), 2 * float(a0)]
    while len(found) < n:
        found.append(found[-1] + found[-2])
    return np.array(found[:n])


def checked_program(submission, rng, n):
    """The program for n terms, after a check of its values."""
    program, other = submission.fib_like.program(start(rng), n), start(rng)
    # Later terms of a long recurrence collect rounding errors, and each formula has its own.
    assert_close(program(other, n), terms(other, n), rtol=1e-4)
    return program


@pytest.mark.hint("Write down the first five terms on paper, for a start that isn't 1.")
def test_terms_follow_the_recurrence(submission, rng):
    """Each term from the third on is the sum of the two before it, for any start."""
    for n in (3, 12):
        a0 = float(start(rng))
        assert_close(submission.fib_like(a0, n), terms(a0, n))


@pytest.mark.hint("With n = 1, there is room for the first term only.")
def test_short_sequences_have_their_length(submission, rng):
    """Sequences of one term and of two terms are right."""
    for n in (1, 2):
        a0 = float(start(rng))
        assert_close(submission.fib_like(a0, n), terms(a0, n))


N = 100_000


def of_a_sum(fib_like, x, factors, n):
    """All terms from a start that is a sum of N numbers."""
    return fib_like(jnp.vdot(x, factors), n).sum()


@pytest.mark.hint("Reverse mode needs to know the number of rounds while tracing.")
def test_it_has_a_gradient(submission, rng):
    """Every term can be differentiated with respect to the start, in reverse mode."""
    found = submission.fib_like.used_by(part_of_a_loss).jacrev()(float(start(rng)), 20)
    assert_close(found, -0.5 * terms(1, 20), rtol=1e-5)
    factors, x = (rng.uniform(0.5, 1, N).astype(np.float32) for _ in range(2))
    program = submission.fib_like.used_by(of_a_sum).grad().program(x, factors, 40)
    assert_close(program(x, factors), terms(1, 40).sum() * factors, rtol=1e-4)
    # Forward mode takes 40 sums for each entry of x.
    assert program.flops < 20 * N


@pytest.mark.points(3)
@pytest.mark.hint("A Python loop is unrolled while tracing. Which loop is traced only once?")
def test_the_program_does_not_grow(submission, rng):
    """The program for 180 terms has fewer operations than terms."""
    program, other = submission.fib_like.program(start(rng), 180), start(rng)
    assert program.size < 180
    assert_close(program(other, 180), terms(other, 180), rtol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("Which numbers does the program contain, and could the loop compute them?")
def test_the_program_of_a_long_sequence_is_small(submission, rng):
    """A program for 150 terms has room for a loop, but not for 150 steps or 150 numbers."""
    long = checked_program(submission, rng, 150)
    assert long.size < 128
    assert long.constants < 128


def eager(a0, n):
    """A Python loop over the terms; each one is written into a new array."""
    found = jnp.zeros(n).at[0].set(a0).at[1].set(2 * a0)
    for i in range(2, n):
        found = found.at[i].set(found[i - 1] + found[i - 2])
    return found


@pytest.mark.hint("How many rounds does the loop make for a few terms, and how much work is each?")
def test_it_is_fast(submission, rng, race):
    """Compiled, it runs at least 100 times as fast as a Python loop over `.at[i].set`."""
    race(
        submission.fib_like,
        baseline=eager,
        args=lambda rng: (start(rng), 16),
        at_least=100,
        check=lambda result, a0, n: assert_close(result, terms(a0, n), rtol=1e-4),
    )


@pytest.mark.hint("Try the function with unusual starts.")
def test_details(submission, rng):
    """The start may be in half precision, and the work grows with n."""
    with case("in bfloat16", hint="In which dtype do you compute the terms?"):
        a0 = start(rng).astype(jnp.bfloat16)
        assert_close(submission.fib_like(a0, 9), terms(a0, 9))
    with case("in float16", hint="A float16 ends at 65504. In which dtype do you compute 2 a0?"):
        a0 = np.float16(rng.uniform(4e4, 6e4))
        assert_close(submission.fib_like(a0, 9), terms(a0, 9))
    with case("in the work for 96 terms", hint="How many rounds are there, and what is in each?"):
        assert checked_program(submission, rng, 96).flops < 80 * 96
    with case("in the work for 8 terms", hint="Do you compute unnecessary terms?"):
        assert checked_program(submission, rng, 8).depth < 12 * 8
