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

from grader.suite import assert_close, case, raises


def draw(rng, *shape, zeros=0):
    """Dividends and divisors of both signs; as many divisors are 0 as `zeros` says.

    If none is, the first divisor is negative.
    """
    a, b = rng.uniform(1, 4, size=(2, *shape)) * rng.choice([-1, 1], size=(2, *shape))
    b.flat[:1] = -abs(b.flat[:1])
    b.flat[rng.permutation(b.size)[:zeros]] = rng.choice([0.0, -0.0])
    return a.astype(np.float32), b.astype(np.float32)


def batch_of(rng, zeros):
    """An example for each of these numbers of zeros."""
    return map(np.stack, zip(*(draw(rng, 6, zeros=n) for n in zeros), strict=True))


def parts(checked_div, a, b):
    """Whether there is an error, and the quotient."""
    error, quotient = checked_div(a, b)
    failed = itertools.takewhile(lambda leaf: leaf.dtype == bool, jax.tree.leaves(error))
    return jnp.any(jnp.stack([jnp.asarray(leaf) for leaf in failed]), axis=0), quotient


def in_a_loss(checked_div, a, b, weights):
    return (weights * checked_div(a, b)[1]).sum()


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


def check_message(submission, using, a, b, zeros):
    """The numbers of zero divisors in the message, one for each example that has an error."""
    found = submission.checked_div.used_by(using).reported()(a, b) or ""
    counts = [int(n) for n in re.findall(r"zero divisors: (\d+)\b", found)]
    assert counts == zeros, f"the message counts the zeros as {counts}, and there are {zeros}"


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


@pytest.mark.hint("Ask for divisors that are 0, and don't look at the quotient.")
def test_nothing_else_is_an_error(submission, rng):
    """NaN, infinity and small divisors are no errors."""
    parted = submission.checked_div.used_by(parts)
    order = rng.permutation(8)
    a = np.float32([np.nan, np.inf, 1, -np.inf, 0, 1e30, 1, -0.0])[order]
    b = np.float32([1, 3, np.nan, np.inf, 4, 1e-30, 1e-20, -np.inf])[order]
    check(parted(a, b), a, b)


@pytest.mark.hint("Which part of the message is known while JAX traces, and which is not?")
def test_the_message_says_how_many(submission, rng):
    """The message holds the number of zeros among the divisors, after a call under `jit`, too."""
    zeros = int(rng.integers(2, 8))
    with case("under jit", hint="Is the number of zeros in your message?"):
        check_message(submission, message_under_jit, *draw(rng, 9, zeros=zeros), [zeros])
        check_message(submission, message_under_jit, *draw(rng, 9), [])
    with case("in a plain call", hint="Is the message returned, and not raised?"):
        check_message(submission, message, np.float32(3), np.float32(0), [1])
    with case("for more dividends than divisors", hint="Do you count divisors or quotients?"):
        a, b = draw(rng, 4, 1)[0], draw(rng, 3, 5, zeros=zeros)[1]
        check_message(submission, message_under_jit, a[..., None], b, [zeros])
    with case("for a batch", hint="Does each example count its own zeros?"):
        check_message(submission, message_of_a_batch, *batch_of(rng, [0, 1, 3, 0, 2]), [1, 3, 2])


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
    a, b = batch_of(rng, rng.permutation([0, 1, 3, 0, 2]))
    failed, quotients = submission.checked_div.used_by(parts).vmap().jit()(a, b)
    for found in zip(failed, quotients, a, b, strict=True):
        check(found[:2], *found[2:])


def test_details(submission, rng):
    """It works for other shapes, for integers and half precision, and in the gradient."""
    parted = submission.checked_div.used_by(parts)
    with case("for other shapes", hint="Which shapes may the arrays have? Is one of them empty?"):
        for shapes in (((0,), (0,)), ((), ()), ((4, 1), (3,)), ((), (2, 3))):
            a, b = draw(rng, *shapes[0])[0], draw(rng, *shapes[1])[1]
            check(parted(a, b), a, b)
    with case("for integers and half precision", hint="Which dtype do you compare with 0?"):
        kinds = (np.int32, np.int32), (np.int32, np.float32), (jnp.bfloat16, jnp.bfloat16)
        for of_a, of_b in kinds:
            a, b = rng.integers(1, 9, size=6).astype(of_a), rng.integers(1, 9, size=6).astype(of_b)
            b = b if of_b == np.int32 else (b / np.float32(16)).astype(of_b)
            check(parted(a, b), a, b)
            b[4] = 0
            check(parted(a, b), a, b)
    with case("in the gradient", hint="A value of NumPy's, or a constant, has no gradient."):
        shapes = (4, 1), (3,), (4, 3)
        a, b, weights = (rng.uniform(1, 4, size=shape).astype(np.float32) for shape in shapes)
        found = submission.checked_div.used_by(in_a_loss).grad(argnums=(0, 1))(a, b, weights)
        of_a = (weights / b).sum(axis=1, keepdims=True)
        of_b = -(weights * a / b**2).sum(axis=0)
        assert_close(found, (of_a, of_b), atol=5e-5)
