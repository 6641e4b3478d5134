"""normalized_convolution(x, w, axis): windows times w, over their sum across a named axis.

Data and weights are positive, so that no sum comes near zero; the weights are far from symmetric.
"""

import jax
import numpy as np
import pytest

from grader.judge import assert_close


def draw(rng, *shape):
    """The members' data, and weights of which each is twice the one before or more."""
    xs, w = rng.uniform(1, 5, size=shape), np.cumprod(rng.uniform(2, 3, size=3))
    return xs.astype(np.float32), w.astype(np.float32)


def convolution(xs, w):
    """Each member's windows times w in float64; the last axis loses two."""
    windows = np.lib.stride_tricks.sliding_window_view(xs.astype(np.float64), 3, axis=-1)
    return windows @ w.astype(np.float64)


def across(convolve, xs, w):
    """One axis of members, under a name."""
    return jax.vmap(lambda x: convolve(x, w, "members"), axis_name="members")(xs)


def check(submission, rng, members, length):
    xs, w = draw(rng, members, length)
    out = convolution(xs, w)
    result = submission.normalized_convolution.used_by(across).jit()(xs, w)
    assert_close(result, out / out.sum(axis=0))


@pytest.mark.visible
@pytest.mark.hint("Divide each entry by the sum of what all members have at the same place.")
def test_entries_are_divided_by_the_sum_of_all_members(submission, rng):
    """Each member's entries are divided by their sum over all members."""
    for members, length in [(2, 5), (5, 4)]:
        check(submission, rng, members, length)


@pytest.mark.hint("Divide by a sum of members, not of places, though there may be as many.")
def test_as_many_members_as_places(submission, rng):
    """With as many members as entries, or as numbers in w, the right axis is summed."""
    check(submission, rng, 4, 6)
    check(submission, rng, 3, 3)


@pytest.mark.points(2)
@pytest.mark.hint("Write down by hand which number of x meets which number of w.")
def test_weights_meet_the_right_neighbours(submission, rng):
    """The first weight belongs to the left neighbour and the last one to the right."""
    _, w = draw(rng, 3)
    # One member goes up, one down, and one is flat.
    ramp = np.arange(9) ** 2
    xs = np.stack([np.ones(9), ramp, ramp[::-1]]).astype(np.float32)
    out = convolution(xs, w)
    result = submission.normalized_convolution.used_by(across).jit()(xs, w)
    assert_close(result, out / out.sum(axis=0))


@pytest.mark.hint("What is left of a member's data when a window needs three of them?")
def test_short_data_and_a_single_member(submission, rng):
    """Three numbers give one entry, and a member that is alone gives ones."""
    check(submission, rng, 4, 3)
    check(submission, rng, 1, 6)


def on_a_grid(convolve, xs, w):
    """Two mapped axes: members that talk, in rows that don't."""
    row = jax.vmap(lambda x: convolve(x, w, "columns"), axis_name="columns")
    return jax.vmap(row, axis_name="rows")(xs)


def across_rows(convolve, xs, w):
    """The same grid, and the other axis talks."""
    row = jax.vmap(lambda x: convolve(x, w, "rows"), axis_name="columns")
    return jax.vmap(row, axis_name="rows")(xs)


@pytest.mark.points(2)
@pytest.mark.hint("The name of the axis comes in as an argument, and there may be other axes.")
def test_the_sum_is_over_the_named_axis_alone(submission, rng):
    """Where two axes are mapped, the sum is over the one that is named."""
    xs, w = draw(rng, 3, 4, 7)
    out = convolution(xs, w)
    for use, summed in ((on_a_grid, 1), (across_rows, 0)):
        result = submission.normalized_convolution.used_by(use).jit()(xs, w)
        assert_close(result, out / out.sum(axis=summed, keepdims=True))


def on_devices(convolve, xs, w):
    """A member on each device."""
    return jax.pmap(lambda x: convolve(x, w, "devices"), axis_name="devices")(xs)


@pytest.mark.points(2)
@pytest.mark.hint("Collectives work under pmap as they do under vmap. Is anything else in the way?")
def test_members_may_live_on_eight_devices(submission, rng):
    """Under `pmap` the members on eight devices are summed."""
    xs, w = draw(rng, 8, 6)
    out = convolution(xs, w)
    result = submission.normalized_convolution.used_by(on_devices).live()(xs, w)
    assert_close(result, out / out.sum(axis=0))
