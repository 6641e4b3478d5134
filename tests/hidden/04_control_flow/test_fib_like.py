"""fib_like(a0, n): a linear recurrence as one loop, from a start that is known at run time only."""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

from .losses import part_of_a_loss


def start(rng):
    """A number of any sign and size, up to 10."""
    return np.asarray(10 ** rng.uniform(-9, 1) * rng.choice([-1, 1]), np.float32)


def terms(a0, n):
    """The recurrence in float64."""
    found = [float(a0), 2 * float(a0)]
    while len(found) < n:
        found.append(found[-1] + found[-2])
    return np.array(found[:n])


@pytest.mark.hint("Write down the first five terms by hand, for a start that isn't 1.")
def test_terms_follow_the_recurrence(submission, rng):
    """Each term from the third on is the sum of the two before it, for any start."""
    a0 = float(start(rng))
    assert_close(submission.fib_like(a0, 3), terms(a0, 3))
    # Tiny and huge starts of both signs.
    for a0 in (3e-30, -3e-30, 2e30, -2e30):
        assert_close(submission.fib_like(a0, 12), terms(a0, 12))


@pytest.mark.hint(
    "With n = 1 there is room for the first term only. In which dtype do you compute 2 a0?"
)
def test_short_sequences_have_their_length(submission, rng):
    """Sequences of one term and of two terms are right."""
    # The second term of the other start is too large for its dtype.
    for n, a0 in ((1, float(start(rng))), (2, np.float16(rng.uniform(4e4, 6e4)))):
        assert_close(submission.fib_like(a0, n), terms(a0, n))


@pytest.mark.hint(
    "The start has no value while tracing: don't pass it to NumPy or to `float`. In which dtype do "
    "you compute with it?"
)
def test_the_start_is_known_at_run_time_only(submission, rng):
    """Under `jit` with static n, one program serves every start, also NaN."""
    jitted = submission.fib_like.jit(static_argnums=1)
    # The last term of the largest start is nine tenths of the largest float32.
    for a0 in (start(rng), start(rng), np.float32(rng.choice([-10, 10]))):
        found = jitted(a0, 180)
        assert_close(found, terms(a0, 180), rtol=1e-4)
        assert_close(found[:9], terms(a0, 9))
    nan = np.float32(np.nan)
    assert_close(jitted(nan, 180), np.full(180, nan), nonfinite=True)
    # Both kinds of half precision. The second term of the other start is too large for its dtype.
    for half in (np.asarray(start(rng) / 100, jnp.bfloat16), np.float16(rng.uniform(4e4, 6e4))):
        assert_close(jitted(half, 9), terms(half, 9))


@pytest.mark.hint("Reverse mode needs to know the number of rounds while tracing.")
def test_it_has_a_gradient(submission, rng):
    """Every term can be differentiated with respect to the start, in reverse mode."""
    slopes = submission.fib_like.used_by(part_of_a_loss).jacrev().jit(static_argnums=1)
    for a0 in (float(start(rng)), 0.0):
        found = slopes(a0, 70)
        assert_close(found, -0.5 * terms(1, 70), rtol=1e-4)
        assert_close(found[:8], -0.5 * terms(1, 8))


def length(rng):
    """A length that nobody knows."""
    return int(rng.integers(130, 170))


def checked_program(submission, rng, n):
    """The program for n terms, after a check of its values."""
    program, other = submission.fib_like.program(start(rng), n), start(rng)
    # Later terms of a long recurrence collect rounding errors, and each formula has its own.
    assert_close(program(other, n), terms(other, n), rtol=1e-4)
    return program


@pytest.mark.points(3)
@pytest.mark.hint("A Python loop is unrolled while tracing. Which loop is traced only once?")
def test_the_program_does_not_grow(submission, rng):
    """A sequence at least eight times as long needs no bigger program."""
    short, long = (checked_program(submission, rng, n) for n in (16, length(rng)))
    # A program of twice the size is allowed: a right answer may be a parallel prefix sum, whose
    # depth is log n.
    assert long.size <= 2 * short.size
    assert checked_program(submission, rng, 180).size <= 2 * short.size


@pytest.mark.points(2)
@pytest.mark.hint("A loop of jax.lax has to compute the terms. Does it need an array of NumPy?")
def test_the_program_of_a_long_sequence_is_small(submission, rng):
    """The program of a long sequence is small, with the constants in it."""
    long = checked_program(submission, rng, length(rng))
    # This fails a program that is unrolled to a fixed maximum length, whatever n is.
    assert long.size < 128
    # This fails a table of all terms, and a loop that needs a range that NumPy made.
    assert long.constants < 128


def eager(a0, n):
    """A Python loop over the terms; each one is written into a new array."""
    found = jnp.zeros(n).at[0].set(a0).at[1].set(2 * a0)
    for i in range(2, n):
        found = found.at[i].set(found[i - 1] + found[i - 2])
    return found


@pytest.mark.hint("How many rounds does the loop make for a few terms, and how much work is each?")
def test_it_is_fast(submission, rng, race):
    """Compiled, it runs at least 100 times as fast as a Python loop over `.at[i].set`.

    17 terms take less arithmetic than 24, and a long sequence takes little more for each term.
    """
    race(
        submission.fib_like,
        baseline=eager,
        args=lambda rng: (start(rng), 24),
        at_least=100,
        check=lambda result, a0, n: assert_close(result, terms(a0, n), rtol=1e-4),
    )
    # A program for at most 180 terms may win the race, too.
    few, many = (checked_program(submission, rng, n) for n in (17, 24))
    assert few.flops < many.flops
    # So do 130 terms than 160.
    less, more = (submission.fib_like.program(start(rng), n) for n in (130, 160))
    assert less.flops < more.flops
    # If each term begins at the start again, or moves all others, the ratio is over 4.
    n = length(rng)
    long = submission.fib_like.program(start(rng), n)
    assert long.flops / n < 3 * many.flops / 24
