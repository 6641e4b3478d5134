"""checked_div(a, b): an error as a value of the program, beside the quotient.

Whether there is an error is the first part of an `Error`: one bool for each kind of check. So an
exported program returns it. The message is text, which no program returns: the student's process
reports it.
"""

import itertools
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import checkify

from grader.suite import assert_close, raises


def draw(rng, *shape, zeros=0):
    """Dividends and divisors of any scale and sign; as many divisors are 0 as `zeros` says.

    If none is, the first divisor is negative.
    """
    sizes = 10 ** rng.uniform(-9, 9, size=(2, *shape))
    a, b = sizes * rng.choice([-1, 1], size=sizes.shape)
    b.flat[:1] = -abs(b.flat[:1])
    b.flat[rng.permutation(b.size)[:zeros]] = rng.choice([0.0, -0.0])
    return a.astype(np.float32), b.astype(np.float32)


def parts(checked_div, a, b):
    """Whether there is an error, and the quotient."""
    error, quotient = checked_div(a, b)
    failed = itertools.takewhile(lambda leaf: leaf.dtype == bool, jax.tree.leaves(error))
    return jnp.any(jnp.stack([jnp.asarray(leaf) for leaf in failed]), axis=0), quotient


KNOWN = np.float32([2, -0.5, 4])


def known(numbers):
    """An array of JAX's that has its values while others are traced."""
    with jax.ensure_compile_time_eval():
        return jnp.asarray(numbers)


def in_a_loss(checked_div, a, b, weights):
    """Quotients of both arguments, and of each of them beside numbers that are known."""
    pairs = (a, b), (a, known(KNOWN)), (known(KNOWN), b)
    return sum((weights * checked_div(*pair)[1]).sum() for pair in pairs)


def message(checked_div, a, b):
    return checked_div(a, b)[0].get()


def message_under_jit(checked_div, a, b):
    return message(jax.jit(checked_div), a, b)


def message_of_a_batch(checked_div, a, b):
    return message(jax.vmap(checked_div), a, b)


def thrown(checked_div, a, b):
    """Whether it is JAX's own error. It raises what it says."""
    error, _ = checked_div(a, b)
    if isinstance(error, checkify.Error):
        error.throw()


def counts(submission, using, a, b):
    """The numbers of zero divisors in the message, or None if there is no error."""
    found = submission.checked_div.used_by(using).reported()(a, b)
    return found and [int(n) for n in re.findall(r"zero divisors: (\d+)\b", found)]


def check(found, a, b):
    """Compares with NumPy. Where the divisor is 0, the quotient may be anything."""
    failed, quotient = found
    assert_close(failed, np.asarray((b == 0).any()))
    with np.errstate(all="ignore"):
        dtype = np.float32 if np.int32 in (a.dtype, b.dtype) else a.dtype
        expected = (a.astype(np.float64) / b).astype(dtype)
    assert quotient.shape == expected.shape
    counted = np.broadcast_to(b != 0, expected.shape)
    rtol = 4 * float(jnp.finfo(dtype).eps)
    assert_close(quotient[counted], expected[counted], rtol=rtol, nonfinite=True)


@pytest.mark.hint("Is there one check for all divisors? And is the quotient returned beside it?")
def test_one_zero_is_an_error(submission, rng):
    """There is an error if one divisor is 0, and none otherwise; the quotient is there in both."""
    parted = submission.checked_div.used_by(parts)
    for zeros in (0, 1, 5):
        a, b = draw(rng, 5, zeros=zeros)
        check(parted(a, b), a, b)


@pytest.mark.points(3)
@pytest.mark.hint("While JAX traces, no divisor has a value. So what does a program return?")
def test_the_error_comes_out_of_jit(submission, rng):
    """One compiled program serves divisors with zeros and without, and finds a single zero."""
    program = submission.checked_div.used_by(parts).program(*draw(rng, 300))
    for zeros in (0, 1, 0, 300, 7):
        a, b = draw(rng, 300, zeros=zeros)
        check(program(a, b), a, b)
    # The only zero is the last one, or the first.
    for place in (-1, 0):
        a, b = draw(rng, 300)
        b[place] = 0
        check(program(a, b), a, b)


@pytest.mark.hint("Ask for divisors that are 0, and don't look at the quotient.")
def test_nothing_else_is_an_error(submission, rng):
    """NaN, infinity, tiny and huge numbers, and nothing at all are no errors."""
    parted = submission.checked_div.used_by(parts)
    a, b = np.float32(
        [
            [np.nan, np.inf, 1, -np.inf, 0, 1e38, 1e-38, 2, -0.0, np.nan, 1e38],
            [1, 3, np.nan, np.inf, 4, 1e-30, 1e38, -3e-38, -np.inf, np.nan, 3e38],
        ]
    )
    check(parted(a, b), a, b)
    b[2] = 0
    check(parted(a, b), a, b)
    for shapes in (((0,), (0,)), ((0, 3), (3,)), ((), ()), ((4, 1), (3,)), ((), (2, 3))):
        (a, _), (_, b) = (draw(rng, *shape) for shape in shapes)
        check(parted(a, b), a, b)
    kinds = (np.int32, np.int32), (np.int32, np.float32), (np.float32, np.int32)
    for of_a, of_b in (*kinds, (np.float16, np.float16), (jnp.bfloat16, jnp.bfloat16)):
        a, b = rng.integers(1, 99, size=(2, 6))
        a = (a if of_a == np.int32 else a / 128).astype(of_a)
        b = (b if of_b == np.int32 else b / 128).astype(of_b)
        if of_b == np.int32:
            b[:2] = -(2**31), 2**31 - 1
        check(parted(a, b), a, b)
        b[4] = 0
        check(parted(a, b), a, b)


@pytest.mark.hint("Which part of the message is known while JAX traces, and which is not?")
def test_the_message_says_how_many(submission, rng):
    """The message holds the number of zeros among the divisors, after a call under `jit`, too."""
    # An odd number, which neither a byte nor bfloat16 can hold.
    many = 257 + 2 * int(rng.integers(16))
    for size, zeros, dtype in (
        (9, int(rng.integers(2, 8)), np.float32),
        (300, many, jnp.bfloat16),
    ):
        a, b = (x.astype(dtype) for x in draw(rng, size, zeros=zeros))
        assert counts(submission, message_under_jit, a, b) == [zeros]
    assert counts(submission, message, np.float32(3), np.float32(0)) == [1]
    a, b = draw(rng, 9)
    assert counts(submission, message_under_jit, a, b) is None
    # The divisors are counted, not the quotients.
    a, _ = draw(rng, 2, 1, 1)
    b = rng.integers(1, 99, size=(20, 15)).astype(np.int8)
    b.flat[rng.permutation(b.size)[:many]] = 0
    assert counts(submission, message_under_jit, a, b) == [many]
    # In a batch, each example with a zero has its number.
    zeros = [0, 1, 3, 0, 2]
    a, b = map(np.stack, zip(*(draw(rng, 6, zeros=n) for n in zeros), strict=True))
    assert counts(submission, message_of_a_batch, a, b) == [1, 3, 2]


@pytest.mark.hint("Return the error that `checkify.checkify` gives you, and no class of your own.")
def test_the_error_can_be_thrown(submission, rng):
    """The error is JAX's own class, and its `throw` raises if a divisor is 0."""
    used = submission.checked_div.used_by(thrown).reported()
    used(*draw(rng, 5))
    with raises(ValueError):
        used(*draw(rng, 5, zeros=5))


@pytest.mark.points(2)
@pytest.mark.hint("Does every part of the error depend on this example alone?")
def test_each_example_has_its_own_error(submission, rng):
    """Under `vmap`, exactly the examples with a zero have an error."""
    zeros = rng.permutation([0, 1, 3, 0, 2])
    a, b = map(np.stack, zip(*(draw(rng, 6, zeros=n) for n in zeros), strict=True))
    failed, quotients = submission.checked_div.used_by(parts).vmap().jit()(a, b)
    for found in zip(failed, quotients, a, b, strict=True):
        check(found[:2], *found[2:])


@pytest.mark.hint("A value that NumPy has computed, or that is a constant, has no gradient.")
def test_the_quotient_has_its_gradient(submission, rng):
    """The gradients of a loss are those of a / b, whose shapes may differ."""
    shapes = (4, 1), (3,), (4, 3)
    a, b, weights = (rng.uniform(1, 4, size=shape).astype(np.float32) for shape in shapes)
    a[0], b[0] = 0, -b[0]
    gradients = submission.checked_div.used_by(in_a_loss).grad(argnums=(0, 1))
    found = gradients(a, b, weights)
    a, b, weights = (x.astype(np.float64) for x in (a, b, weights))
    of_a = (weights / b + weights / KNOWN).sum(axis=1, keepdims=True)
    of_b = -(weights * (a + KNOWN) / b**2).sum(axis=0)
    assert_close(found, (of_a, of_b), atol=5e-5)
