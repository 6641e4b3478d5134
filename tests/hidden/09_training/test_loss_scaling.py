"""loss_scaling(loss, params, state, lr, period): a step in half precision, or none.

XLA may keep float16 numbers in float32 within a compiled program. So no test depends on how float16
rounds, or on a number that is too large for float16 alone: what overflows here overflows in float32
as well, and slopes have few digits. What is too small for float16 is tested in plain calls.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

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
    """A step without an overflow is one of descent, and one more good step is counted."""
    # In float16, the large parameters would lose the step.
    params = {"a": np.float32(rng.uniform(900, 1000, size=3)), "b": np.zeros(2, np.float32)}
    slopes = {"a": short(rng, 3), "b": short(rng, 2)}
    for lr in (rng.uniform(0.05, 0.1), rng.uniform(1e-6, 9e-6)):
        found = submission.loss_scaling(linear(slopes), params, pair(512, 4), float(lr), 9)
        exact = jax.tree.map(lambda p, s: p.astype(float) - float(lr) * s, params, slopes)  # noqa: B023
        assert_close(found[1], pair(512, 5))
        assert_close(found[0]["a"], exact["a"], rtol=2e-7)
        assert_close(found[0]["b"], exact["b"], rtol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("In which dtype do you divide by the scale? In float16 the quotient would be 0.")
def test_tiny_gradients_count(submission, rng):
    """A gradient that is too small for float16 moves a parameter, and `loss` gets float16."""
    params, slopes = np.zeros(4, np.float32), short(rng, 4)
    for scale, size in [(2.0**12, 2.0**-28), (2.0**20, 2.0**-33), (3000.0, 2.0**-27)]:
        state, lr = pair(scale, 0), 0.5 / size
        found = submission.loss_scaling(linear(slopes * np.float32(size)), params, state, lr, 5)
        assert_close(found, (-0.5 * slopes, pair(scale, 1)), rtol=1e-2)

    def bits(params):
        return jnp.sum(params.astype(jnp.float32)) * jnp.finfo(params.dtype).bits

    found = submission.loss_scaling(bits, params, pair(8, 0), 0.5, 5)
    assert_close(found, (np.full(4, -8.0), pair(8, 1)))


@pytest.mark.points(4)
@pytest.mark.hint(
    "One number decides for all parameters. What becomes of the leaves that are finite?"
)
def test_an_overflow_leaves_the_step_out(submission, rng):
    """If one number of one gradient is infinite or NaN, no parameter moves at all."""
    params = {"a": short(rng, 3, 4), "b": (short(rng), short(rng, 1100))}
    params["b"][1][:3] = 1e-7, 5e4, -5e4
    params["a"][0, 0] = 1e-3
    for place, number in [
        (("a", (0, 0)), TOO_MUCH),
        (("a", (2, 3)), np.nan),
        (("b", 1099), -TOO_MUCH),
        (("b", 0), np.nan),
    ]:
        slopes = {"a": short(rng, 3, 4), "b": (short(rng), short(rng, 1100))}
        leaf = slopes["a"] if place[0] == "a" else slopes["b"][1]
        leaf[place[1]] = number
        scale = rng.uniform(1000, 60_000)
        state = pair(scale, 3)
        found = submission.loss_scaling(linear(slopes), params, state, 0.125, 4)
        assert_close(found[1], pair(np.float32(scale) / 2, 0), rtol=1e-6)
        assert_close(found[0], params, rtol=0)
    # 64 times 1023.5 is the largest number of float16. It is finite, and a sum of it isn't.
    slopes, params = np.full(8, 1023.5, np.float32), np.zeros(8, np.float32)
    slopes[3] *= -1
    found = submission.loss_scaling(linear(slopes), params, pair(64, 1), 0.125, 4)
    assert_close(found, (-0.125 * slopes, pair(64, 2)))
    # Leaves that are numbers, and a scale that has been halved often.
    slopes = [np.float32(1), np.float32(np.inf), np.float32(1)]
    params, scale = [short(rng), short(rng), short(rng)], 1e-6
    found = submission.loss_scaling(linear(slopes), params, pair(scale, 1), 0.5, 2)
    assert_close(found[0], params, rtol=0)
    assert_close(found[1], pair(scale / 2, 0), rtol=1e-6)


@pytest.mark.points(2)
@pytest.mark.hint("Under jit no boolean has a value. And each result needs the dtype that came in.")
def test_many_steps_in_a_scan(submission, rng):
    """In a scan, the scale doubles after `period` good steps in a row, and halves after others."""

    def train(loss_scaling, params, state, slopes, period):
        def step(carry, slope):
            new = loss_scaling(linear(slope), *carry, 0.125, period)
            return new, new[1]

        return jax.lax.scan(step, (params, state), slopes)

    # The last period has no float32.
    for period, first in ((3, 2), (1, 0), (2**24 + 3, 2**24 + 1)):
        slopes, params = short(rng, 40, 2), np.zeros(2, np.float32)
        scale, good = 2.0**8, first
        expected, states = params.astype(float), []
        for k in range(40):
            is_bad = k in (4, 6, 7) or (k > 7 and rng.random() < 0.3)
            # No slope of a good step overflows, and every other one does.
            if (is_bad or scale >= 4096) and scale >= 8:
                slopes[k, 0] = TOO_MUCH
                scale, good = scale / 2, 0
            else:
                expected, good = expected - 0.125 * slopes[k].astype(float), good + 1
                if good == period:
                    scale, good = scale * 2, 0
            states.append((scale, good))
        scales, counts = map(np.array, zip(*states, strict=True))
        used = submission.loss_scaling.used_by(train)
        # `period` is a constant of the program, since it is no array.
        program = used.program(params, pair(2.0**8, first), slopes, period)
        found = program.structured(params, pair(2.0**8, first), slopes)
        (last, state), (all_scales, all_counts) = found
        assert_close(all_scales, scales, rtol=1e-6)
        assert_close(all_counts, counts.astype(np.int32))
        assert_close((last, state), (expected, pair(scale, good)))


@pytest.mark.hint("Is every operation on the parameters a map over a tree? And who asks the loss?")
def test_any_tree_and_any_loss(submission, rng):
    """Any containers and shapes are kept, and a loss that is infinite or NaN is no overflow."""
    params = {
        "layers": [Layer(short(rng, 1, 3), short(rng, 0)), Layer(short(rng, 70, 5), None)],
        "rest": (short(rng), ()),
    }
    params["layers"][1].weights[0, :3] = np.nan, np.inf, -np.inf
    slopes = jax.tree.map(lambda p: short(rng, *p.shape), params)
    expected = jax.tree.map(lambda p, s: p - np.float32(0.25) * s, params, slopes)
    found = submission.loss_scaling(linear(slopes), params, pair(64, 0), 0.25, 2)
    assert_close(found, (expected, pair(64, 1)), rtol=1e-6, nonfinite=True)

    # Neither the scale nor the gradients have a limit.
    params, slopes = short(rng, 3), short(rng, 3)
    for constant, scale in ((TOO_MUCH, 2.0**100), (np.inf, 64.0), (np.nan, 2.0**-70)):
        loss = linear(slopes / np.float32(scale))
        found = submission.loss_scaling(
            lambda params, loss=loss, c=constant: loss(params) + c,
            params,
            pair(scale, 1),
            0.25 * scale,
            2,
        )
        assert_close(found, (params - np.float32(0.25) * slopes, pair(2 * scale, 0)))
