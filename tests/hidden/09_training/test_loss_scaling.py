"""loss_scaling(loss, params, state, lr, period): a step in half precision, or none.

XLA may keep float16 numbers in float32 within a compiled program. So no compiled test depends on
how float16 rounds: what overflows here overflows in float32 as well, and slopes have few digits.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

TOO_MUCH = 3e38


class Layer(NamedTuple):
    weights: Any
    biases: Any


def linear(slopes):
    """A loss whose gradient is `slopes`."""

    def loss(params):
        parts = jax.tree.map(lambda p, s: jnp.sum(p.astype(jnp.float32) * s), params, slopes)
        return sum(jax.tree.leaves(parts))

    return loss


def short(rng, *shape):
    """Numbers of three binary digits and both signs."""
    return np.float32(rng.integers(4, 8, size=shape) * rng.choice([-1, 1], size=shape) / 4)


def pair(scale, good):
    return np.float32(scale), np.int32(good)


@pytest.mark.hint("Do the float32 parameters keep all their digits? Only a copy is in float16.")
def test_a_good_step(submission, rng):
    """A step without an overflow moves the float32 parameters against the gradient."""
    # In float16, the large parameters would lose the step.
    params = {"a": np.float32(rng.uniform(900, 1000, size=3)), "b": np.zeros(2, np.float32)}
    slopes, lr = {"a": short(rng, 3), "b": short(rng, 2)}, float(rng.uniform(0.05, 0.1))
    new, _ = submission.loss_scaling(linear(slopes), params, pair(512, 4), lr, 9)
    exact = jax.tree.map(lambda p, s: p.astype(float) - lr * s, params, slopes)
    assert_close(new, exact, rtol=1e-6)


@pytest.mark.points(2)
@pytest.mark.hint("In which dtype do you divide by the scale? In float16, the quotient would be 0.")
def test_tiny_gradients_count(submission, rng):
    """A gradient that is too small for float16 moves a parameter."""
    params, slopes = np.zeros(4, np.float32), short(rng, 4)
    for scale, size in [(2.0**12, 2.0**-28), (2.0**20, 2.0**-33), (3000.0, 2.0**-27)]:
        loss, lr = linear(slopes * np.float32(size)), 0.5 / size
        new, _ = submission.loss_scaling(loss, params, pair(scale, 0), lr, 5)
        assert_close(new, -0.5 * slopes, rtol=1e-2)
    with case(
        "where the loss knows its dtype",
        hint="Which dtype do you pass to `loss`?",
    ):

        def bits(params):
            return jnp.sum(params.astype(jnp.float32)) * jnp.finfo(params.dtype).bits

        new, _ = submission.loss_scaling(bits, params, pair(8, 0), 0.5, 5)
        assert_close(new, np.full(4, -8.0))


@pytest.mark.points(3)
@pytest.mark.hint("One number decides for all. What happens to the finite leaves?")
def test_an_overflow_leaves_the_step_out(submission, rng):
    """If one number of one gradient is infinite or NaN, no parameter moves at all."""
    params = {"a": short(rng, 3, 4), "b": (short(rng), short(rng, 5))}
    params["a"][0, 0] = 1e-3  # the loss is finite, though its gradient isn't
    for name, place, number in [("a", (2, 3), np.nan), ("a", (0, 0), TOO_MUCH), ("b", 4, -np.inf)]:
        slopes = {"a": short(rng, 3, 4), "b": (short(rng), short(rng, 5))}
        (slopes["a"] if name == "a" else slopes["b"][1])[place] = number
        new, _ = submission.loss_scaling(linear(slopes), params, pair(2048, 3), 0.125, 4)
        assert_close(new, params)


@pytest.mark.hint("What are scale and count after a good step, the last good step, an overflow?")
def test_the_scale_adapts(submission, rng):
    """The scale doubles after `period` good steps in a row, and halves after an overflow."""
    params, slopes = short(rng, 2), short(rng, 2)
    bad = np.float32([np.nan, 1])
    scale = rng.uniform(100, 1000)
    for slope, good, expected in [
        (slopes, 1, pair(scale, 2)),
        (slopes, 2, pair(2 * scale, 0)),
        (bad, 2, pair(scale / 2, 0)),
        (bad, 0, pair(scale / 2, 0)),
    ]:
        loss, state = linear(slope), pair(scale, good)
        _, found = submission.loss_scaling(loss, params, state, 0.125, 3)
        assert_close(found, expected)


@pytest.mark.points(2)
@pytest.mark.hint("Under jit, no boolean has a value. And each result needs the input's dtype.")
def test_a_scan_carries_parameters_and_state(submission, rng):
    """Many steps run in a scan, some of which overflow."""

    def train(loss_scaling, params, state, slopes, period):
        def step(carry, slope):
            new = loss_scaling(linear(slope), *carry, 0.125, period)
            return new, new[1]

        return jax.lax.scan(step, (params, state), slopes)

    for period in (3, 1):
        slopes, params = short(rng, 20, 2), np.zeros(2, np.float32)
        bad = rng.random(20) < 0.3
        bad[4:6], bad[6:10] = True, False
        # Growing scales would make good slopes overflow.
        bad |= (period == 1) & (np.arange(20) % 2 == 0)
        slopes[bad, 0] = TOO_MUCH
        scale, good, expected, states = 64.0, 0, params.astype(float), []
        for slope, is_bad in zip(slopes, bad, strict=True):
            good = 0 if is_bad else good + 1
            expected = expected if is_bad else expected - 0.125 * slope.astype(float)
            scale = scale / 2 if is_bad else 2 * scale if good == period else scale
            good %= period
            states.append((scale, good))
        scales, counts = map(np.array, zip(*states, strict=True))
        used = submission.loss_scaling.used_by(train)
        # `period` is a constant of the program, since it is not an array.
        program = used.program(params, pair(64, 0), slopes, period)
        found = program.structured(params, pair(64, 0), slopes)
        counts = counts.astype(np.int32)
        assert_close(found, ((expected, pair(scale, good)), (scales, counts)), rtol=1e-6)


def test_details(submission, rng):
    """It works for losses and parameters that are not finite, large sums, and any tree."""
    params, slopes = short(rng, 3), short(rng, 3)
    for number in (np.inf, np.nan):
        with case(f"where the loss is {number}", hint="Do you check the loss, or its gradients?"):

            def loss(params, number=number):
                return linear(slopes)(params) + number

            found = submission.loss_scaling(loss, params, pair(64, 0), 0.25, 3)
            assert_close(found, (params - np.float32(0.25) * slopes, pair(64, 1)))
    with case("where a parameter is NaN", hint="Do you check the parameters, or the gradients?"):
        some = np.float32([np.nan, *params[1:]])
        found = submission.loss_scaling(linear(slopes), some, pair(64, 0), 0.25, 3)
        expected = some - np.float32(0.25) * slopes, pair(64, 1)
        assert_close(found, expected, nonfinite=True)
    with case("for gradients with a large sum", hint="Check whether each number is finite."):
        large = np.full(8, 1000, np.float32)
        found = submission.loss_scaling(
            linear(large), np.zeros(8, np.float32), pair(60, 0), 0.25, 3
        )
        assert_close(found, (-0.25 * large, pair(60, 1)), rtol=1e-2)
    with case("for None and empty arrays", hint="Is each operation a map over a tree?"):
        tree = {"layers": [Layer(short(rng, 1, 3), short(rng, 0)), Layer(short(rng, 2), None)]}
        found = submission.loss_scaling(linear(tree), tree, pair(64, 0), 0.25, 3)
        half = jax.tree.map(lambda p: np.float32(0.75) * p, tree)
        assert_close(found, (half, pair(64, 1)))
