"""normalized_convolution(x, w, axis): windows times w, divided by their sum over a named axis.

No sum over members cancels. In one test the weights are far from symmetric. Elsewhere they are, so
that who reverses them loses that test alone.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_agree, assert_close, case

from .sharing import one_changed


def draw(rng, *shape):
    """The members' data, of which the first member's are negative, and symmetric weights."""
    xs = rng.uniform(3e-7, 5e-7, size=shape)
    if shape[0] > 1:
        xs[(0,) * (len(shape) - 1)] *= -0.25
    outer, inner = rng.uniform(2, 3), rng.choice([-1, 1])
    return xs.astype(np.float32), np.array([outer, inner, outer], np.float32)


def convolution(xs, w):
    """Each member's windows times w in float64; the last axis becomes shorter by two."""
    windows = np.lib.stride_tricks.sliding_window_view(xs.astype(np.float64), 3, axis=-1)
    return windows @ w.astype(np.float64)


def across(convolve, xs, w):
    """Maps over one axis of members, with a name."""
    return jax.vmap(lambda x: convolve(x, w, "members"), axis_name="members")(xs)


def check(submission, xs, w):
    out = convolution(xs, w)
    result = submission.normalized_convolution.used_by(across).jit()(xs, w)
    assert_close(result, out / out.sum(axis=0), atol=2e-5)


@pytest.mark.points(2)
@pytest.mark.hint(
    "First convolve x. Then divide each entry of the result by the sum of all members' entries "
    "at its place."
)
def test_entries_are_divided_by_the_sum_of_all_members(submission, rng):
    """Each member's entries are divided by their sum over all members."""
    for members, length in [(2, 5), (5, 4)]:
        xs, w = draw(rng, members, length)
        check(submission, xs, w)
    with case("where sums are negative", hint="Divide by the sum itself."):
        check(submission, -xs, w)


@pytest.mark.hint("Divide by a sum over members, not over places. Their numbers may be equal.")
def test_as_many_members_as_places(submission, rng):
    """With as many members as entries, or as weights, the sum is over the right axis."""
    for members, length in [(4, 6), (3, 5)]:
        check(submission, *draw(rng, members, length))


@pytest.mark.hint("Write down which number of x is multiplied by which number of w.")
def test_weights_meet_the_right_neighbours(submission, rng):
    """The first weight belongs to the left neighbour, and the last one to the right."""
    # One member goes up, one down, and one is flat.
    ramp = np.arange(9) ** 2
    xs = np.stack([np.ones(9), ramp, ramp[::-1]]).astype(np.float32)
    for w in (np.cumprod(rng.uniform(2, 3, size=3)), np.array([1, -2, 1])):
        check(submission, xs, w.astype(np.float32))


def on_a_grid(convolve, xs, w):
    """Two mapped axes: the sum over the columns, and the sum over the rows."""

    def over(name):
        row = jax.vmap(lambda x: convolve(x, w, name), axis_name="i")
        return jax.vmap(row, axis_name="rows")(xs)

    return over("i"), over("rows")


@pytest.mark.points(3)
@pytest.mark.hint("The axis name is an argument, and there may be other axes.")
def test_the_sum_is_over_the_named_axis_alone(submission, rng):
    """If two axes are mapped, the sum is only over the named one."""
    xs, w = draw(rng, 3, 4, 7)
    out = convolution(xs, w)
    expected = tuple(out / out.sum(axis=axis, keepdims=True) for axis in (1, 0))
    found = submission.normalized_convolution.used_by(on_a_grid).jit()(xs, w)
    assert_close(found, expected, atol=2e-5)


def on_devices(convolve, xs, w):
    """A member on each device."""
    return jax.pmap(lambda x: convolve(x, w, "devices"), axis_name="devices")(xs)


@pytest.mark.points(2)
@pytest.mark.hint(
    "Collectives work under pmap as they do under vmap. Does your code use anything that doesn't?"
)
def test_members_may_live_on_eight_devices(submission, rng):
    """Under `pmap`, the members are on eight devices, and the result is the same as under
    `vmap`."""
    xs, w = draw(rng, 8, 6)
    program = submission.normalized_convolution.used_by(on_devices).program(xs, w)
    found = program(xs, w)
    expected = submission.normalized_convolution.used_by(across).jit()(xs, w)
    assert_agree(found, expected, atol=2e-5)
    assert np.any(found), "All numbers are 0"
    assert program.devices == 8
    assert program.collectives, "The devices don't exchange anything"
    users = program.users((xs, w), (one_changed(rng, xs), w))
    assert users == 1, f"The data of one member are used on {users} devices"


def slopes(convolve, xs, w, factors):
    """Gradients of a sum over all members, each result times a factor: of x, and one of w."""

    def total(xs, w):
        return (factors * across(convolve, xs, w)).sum()

    of_x, of_w = jax.grad(total, argnums=(0, 1))(xs, w)
    return of_x, of_w[1]


def check_gradients(submission, rng, xs, w):
    out = convolution(xs, w)
    factors = rng.uniform(-1, 1, size=out.shape).astype(np.float32)
    total = out.sum(axis=0)
    # The gradient with respect to the entries, which are sums of x times w.
    inner = (factors - (factors * out).sum(axis=0) / total) / total
    of_x = sum(np.pad(w[k] * inner, ((0, 0), (k, 2 - k))) for k in range(3))
    found = submission.normalized_convolution.used_by(slopes).jit()(xs, w, factors)
    assert_close(found, (of_x, (inner * xs[:, 1:-1]).sum()), atol=1e-4 * abs(of_x).max())


def test_details(submission, rng):
    """It works for three numbers, for a single member, and in the gradient, even at zeros."""
    with case("for data of three numbers", hint="Does one entry still have an axis?"):
        check(submission, *draw(rng, 5, 3))
    with case("for a single member", hint="What is an entry divided by itself?"):
        check(submission, *draw(rng, 1, 6))
    xs, w = draw(rng, 3, 7)
    with case("in the gradient", hint="The sum over all members also depends on x and w."):
        check_gradients(submission, rng, xs, w)
    with case(
        "in the gradient, where a member has only zeros",
        hint="Which of your functions has no slope at 0?",
    ):
        check_gradients(submission, rng, np.append(xs, 0 * xs[:1], axis=0), w)
