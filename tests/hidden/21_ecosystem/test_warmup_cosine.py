"""warmup_cosine(peak, warmup, total): a schedule and its optimiser, against the formula.

Values are judged, and not the library. The three numbers are constants of a program, so they are
fixed here; the gradients are drawn.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def rates(make, numbers, steps):
    """The rate at each of the steps."""
    schedule, _ = make(*numbers)
    return jax.vmap(schedule)(steps)


def train(make, numbers, params, parts):
    """The parameters after each step. Each part of the gradients has an optimiser of its own.

    What it knows of the parts before it is in the state.
    """
    _, (init, _) = make(*numbers)
    carry, found = (params, init(params)), []
    for gradients in parts:
        _, (_, update) = make(*numbers)

        def step(carry, gradient, update=update):
            params, state = carry
            updates, state = update(gradient, state, params)
            params = jax.tree.map(jnp.add, params, updates)
            return (params, state), params

        carry, seen = jax.lax.scan(step, carry, gradients)
        found.append(seen)
    return found


def rate(step, peak, warmup, total):
    """The formula for one step."""
    if step < warmup:
        return peak * step / warmup
    share = min(1, (step - warmup) / (total - warmup))
    return peak * (0.1 + 0.9 * (1 + np.cos(np.pi * share)) / 2)


def followed(numbers, start, gradients):
    """Where gradient descent is after each step."""
    moves = [rate(k, *numbers) * g.astype(np.float64) for k, g in enumerate(gradients)]
    return start.astype(np.float64) - np.cumsum(moves, axis=0)


def draw(rng, *shape):
    """None of them is near 0."""
    return np.float32(rng.choice([-1, 1], size=shape) * rng.uniform(0.5, 2, size=shape))


@pytest.mark.points(3)
@pytest.mark.hint("At which step does the rate reach its last value, and which value is it?")
def test_the_schedule_has_its_rate_at_each_step(submission, rng):
    """The rate rises to the peak, falls along a cosine until step `total`, and stays there."""
    schedule = submission.warmup_cosine.used_by(rates)
    for numbers in ((0.75, 4, 20), (0.03125, 12, 17)):
        steps = rng.permutation(24).astype(np.int32)
        expected = np.array([rate(step, *numbers) for step in steps])
        assert_close(schedule(numbers, steps), expected, atol=3e-6)


@pytest.mark.points(4)
@pytest.mark.hint("Does the optimiser get the schedule, or only one of its values?")
def test_each_update_has_the_rate_of_its_step(submission, rng):
    """The update number k is -schedule(k) times the gradient, counted from 0."""
    optimise = submission.warmup_cosine.used_by(train)
    for numbers in ((0.75, 4, 10), (0.5, 2, 7)):
        start, gradients = draw(rng, 3), draw(rng, 12, 3)
        found = optimise(numbers, start, [gradients])
        assert_close(found, [followed(numbers, start, gradients)], atol=2e-5)


@pytest.mark.points(2)
@pytest.mark.hint("Where is the count: in the state, or in a Python variable?")
def test_a_resumed_training_goes_on_at_its_step(submission, rng):
    """A new optimiser that gets the state of another one goes on with the next rate."""
    numbers, start, gradients = (0.75, 4, 10), draw(rng, 3), draw(rng, 12, 3)
    parts = [gradients[:3], gradients[3:9], gradients[9:]]
    expected = np.split(followed(numbers, start, gradients), [3, 9])
    found = submission.warmup_cosine.used_by(train)(numbers, start, parts)
    assert_close(found, expected, atol=2e-5)


def test_details(submission, rng):
    """It works with warmup = 0 and for parameters in a tree."""
    numbers = (0.75, 0, 8)
    with case("with warmup = 0", hint="Do you divide by the number of steps of the warm-up?"):
        steps = rng.permutation(24).astype(np.int32)
        expected = np.array([rate(step, *numbers) for step in steps])
        found = submission.warmup_cosine.used_by(rates)(numbers, steps)
        assert_close(found, expected, atol=3e-6)
    with case("for parameters in a tree", hint="`jax.tree.map` works for any tree."):
        params = {"a": [draw(rng, 2, 2)], "b": (draw(rng), None)}
        gradients = {"a": [draw(rng, 3, 2, 2)], "b": (draw(rng, 3), None)}
        found = submission.warmup_cosine.used_by(train)(numbers, params, [gradients])
        moved = jax.tree.map(lambda p, g: followed(numbers, p, g), params, gradients)
        assert_close(found, [moved], atol=2e-5)
