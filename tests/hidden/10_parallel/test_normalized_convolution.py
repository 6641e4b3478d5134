"""normalized_convolution(x, w, axis): windows times w, divided by their sum over a named axis.

Data and weights have both signs, and the data are tiny, or huge. But no sum over members cancels.
In one test the weights are far from symmetric. Elsewhere they are, so that who reverses them loses
that test alone.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_close

from .sharing import one_changed

# Shares are 5 at most, with a relative error of 11 roundings of what cancels to a fifth: 2e-5.
CLOSE = 3e-5


def draw(rng, *shape):
    """The members' data, and weights: the outer ones are at least twice the inner one.

    Drawn again until some members are negative, and no sum cancels to less than a fifth.
    """
    while True:
        xs = (rng.uniform(-3, 7, size=shape) * 10 ** rng.uniform(-9, -6)).astype(np.float32)
        outer, inner = rng.uniform(2, 3), rng.choice([-1, 1])
        w = np.array([outer, inner, outer]) * rng.choice([-1, 1]) * 10 ** rng.uniform(-3, 3)
        w = w.astype(np.float32)
        out, size = convolution(xs, w), convolution(abs(xs), abs(w))
        sums = [(out.sum(axis), size.sum(axis)) for axis in range(xs.ndim - 1)]
        shares = out / out.sum(axis=0)
        if len(xs) > 1 and (shares > -0.1).all():
            continue
        if all((5 * abs(total) > whole).all() for total, whole in sums):
            return xs, w


def convolution(xs, w):
    """Each member's windows times w in float64; the last axis becomes shorter by two."""
    windows = np.lib.stride_tricks.sliding_window_view(xs.astype(np.float64), 3, axis=-1)
    return windows @ w.astype(np.float64)


def across(convolve, xs, w):
    """Maps over one axis of members, with a name."""
    return jax.vmap(lambda x: convolve(x, w, "members"), axis_name="members")(xs)


def check(submission, rng, members, length, size=1):
    xs, w = draw(rng, members, length)
    xs *= np.float32(size)
    out = convolution(xs, w)
    result = submission.normalized_convolution.used_by(across).jit()(xs, w)
    assert_close(result, out / out.sum(axis=0), atol=CLOSE)


def slopes(convolve, xs, w, factors):
    """Gradients of a sum over all members, each result times a factor."""

    def total(xs, w):
        return (factors * across(convolve, xs, w)).sum()

    return jax.grad(total, argnums=(0, 1))(xs, w)


@pytest.mark.hint("Divide each entry by the sum of all members' entries at the same place.")
def test_entries_are_divided_by_the_sum_of_all_members(submission, rng):
    """Each member's entries are divided by their sum over all members, and so are gradients."""
    for members, length in [(2, 5), (5, 4)]:
        check(submission, rng, members, length)
    xs, w = draw(rng, 3, 7)
    # A member whose entries are all 0 has gradients, too.
    xs = np.append(xs, np.zeros((1, 7), np.float32), axis=0)
    factors = rng.uniform(-1, 1, size=(4, 5)).astype(np.float32)
    out = convolution(xs, w)
    total = out.sum(axis=0)
    # The gradient with respect to the entries, which are sums of x times w.
    inner = (factors - (factors * out).sum(axis=0) / total) / total
    of_x = sum(np.pad(w[k] * inner, ((0, 0), (k, 2 - k))) for k in range(3))
    of_w = np.array([(inner * xs[:, k : k + 5]).sum() for k in range(3)])
    found_x, found_w = submission.normalized_convolution.used_by(slopes).jit()(xs, w, factors)
    # The smaller the numbers, the larger their gradients. The errors were 4e-6 at most.
    assert_close(found_x * abs(xs).max(), of_x * abs(xs).max(), atol=1e-4)
    # Another test asks which of the outer weights is which.
    found_w, of_w = (np.array([by[0] + by[2], by[1]]) * abs(w).max() for by in (found_w, of_w))
    assert_close(found_w, of_w, atol=1e-4)


@pytest.mark.hint("Divide by a sum over members, not over places. Their numbers may be equal.")
def test_as_many_members_as_places(submission, rng):
    """With as many members as entries, or as weights, the sum is over the right axis.

    The sums are huge or tiny, and float32 can't hold their squares.
    """
    check(submission, rng, 4, 6, size=1e33)
    check(submission, rng, 3, 3, size=1e-20)


@pytest.mark.points(2)
@pytest.mark.hint("Write down by hand which number of x is multiplied by which number of w.")
def test_weights_meet_the_right_neighbours(submission, rng):
    """The first weight belongs to the left neighbour, and the last one to the right."""
    w = np.cumprod(rng.uniform(2, 3, size=3)).astype(np.float32)
    # One member goes up, one down, and one is flat.
    ramp = np.arange(9) ** 2
    xs = np.stack([np.ones(9), ramp, ramp[::-1]]).astype(np.float32)
    # The second weights add up to 0.
    for weights in (w, np.float32([1, -2, 1])):
        out = convolution(xs, weights)
        result = submission.normalized_convolution.used_by(across).jit()(xs, weights)
        assert_close(result, out / out.sum(axis=0), atol=CLOSE)
    # A huge number far away has no part in an entry.
    for length in (300, 1100):
        xs = rng.uniform(1, 2, size=(2, length)).astype(np.float32)
        xs[0, rng.integers(length)] = 1e9
        out = convolution(xs, w)
        program = submission.normalized_convolution.used_by(across).program(xs, w)
        assert_close(program(xs, w), out / out.sum(axis=0), atol=CLOSE)
        # A list of all windows is right, but to compile a long one takes half a minute.
        if program.size >= length:
            break


@pytest.mark.hint("How many entries does a member have when each window needs three numbers?")
def test_short_data_and_a_single_member(submission, rng):
    """Three numbers give one entry, and a single member gets ones."""
    check(submission, rng, 12, 3)
    check(submission, rng, 1, 6)


def on_a_grid(convolve, xs, w):
    """Two mapped axes, with the sum over the columns."""
    row = jax.vmap(lambda x: convolve(x, w, "columns"), axis_name="columns")
    return jax.vmap(row, axis_name="rows")(xs)


def across_rows(convolve, xs, w):
    """The same grid, with the sum over the rows."""
    row = jax.vmap(lambda x: convolve(x, w, "rows"), axis_name="columns")
    return jax.vmap(row, axis_name="rows")(xs)


def by_common_names(convolve, xs, w):
    """The same members, whose axis has a name that a student might choose for another axis."""

    def by_name(name):
        return jax.vmap(lambda x: convolve(x, w, name), axis_name=name)(xs)

    return [by_name(name) for name in ("i", "x", "axis", "batch", "window", "windows", "places")]


@pytest.mark.points(3)
@pytest.mark.hint("The name of the axis comes in as an argument, and there may be other axes.")
def test_the_sum_is_over_the_named_axis_alone(submission, rng):
    """If two axes are mapped, the sum is only over the one that is named."""
    xs, w = draw(rng, 3, 4, 7)
    out = convolution(xs, w)
    for use, summed in ((on_a_grid, 1), (across_rows, 0)):
        result = submission.normalized_convolution.used_by(use).jit()(xs, w)
        assert_close(result, out / out.sum(axis=summed, keepdims=True), atol=CLOSE)
    xs, w = draw(rng, 3, 6)
    out = convolution(xs, w)
    result = submission.normalized_convolution.used_by(by_common_names).jit()(xs, w)
    assert_close(result, [out / out.sum(axis=0)] * len(result), atol=CLOSE)


def on_devices(convolve, xs, w):
    """A member on each device."""
    return jax.pmap(lambda x: convolve(x, w, "devices"), axis_name="devices")(xs)


@pytest.mark.points(2)
@pytest.mark.hint(
    "Collectives work under pmap as they do under vmap. Does your code use anything that doesn't?"
)
def test_members_may_live_on_eight_devices(submission, rng):
    """Under `pmap` the sum is over the members on eight devices."""
    xs, w = draw(rng, 8, 6)
    out = convolution(xs, w)
    program = submission.normalized_convolution.used_by(on_devices).program(xs, w)
    assert_close(program(xs, w), out / out.sum(axis=0), atol=CLOSE)
    assert program.devices == 8
    assert program.collectives, "the devices don't exchange anything"
    assert program.users((xs, w), (one_changed(rng, xs), w)) == 1
