"""resume_training(state, data, lr): all that a step needs from the past is in the state.

The masks of the dropout are JAX's own, for given keys. The rest is computed in float64.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, steps, shape=(7,), step=0):
    """A state, which has an average after a step, and data; no number is near 0."""

    def numbers(*shape):
        return np.float32(rng.choice([-1, 1], size=shape) * rng.uniform(1, 3, size=shape))

    state = {
        "w": numbers(*shape),
        "m": 3 * numbers(*shape) if step else np.zeros(shape, np.float32),
        "step": np.int32(step),
        "key": rng.integers(2**32, size=2, dtype=np.uint32),
    }
    return state, numbers(steps, *shape)


def masks(state, steps):
    """For each step the elements that count."""
    key = jax.random.wrap_key_data(jnp.asarray(state["key"]))

    def one(t):
        return jax.random.bernoulli(jax.random.fold_in(key, t), 0.5, state["w"].shape)

    return np.asarray(jax.vmap(one)(jnp.arange(steps) + state["step"]))


def follow(state, data, lr, keeps=None):
    """The formula in float64."""
    w, m, t = state["w"].astype(np.float64), state["m"].astype(np.float64), int(state["step"])
    keeps = masks(state, len(data)) if keeps is None else keeps
    for keep, x in zip(keeps, data, strict=True):
        m = 0.5 * m + keep * (w - x)
        w = w - float(lr) * min(1, (t + 1) / 4) * m
        t = t + 1
    return {"w": np.asarray(w), "m": np.asarray(m), "step": np.int32(t), "key": state["key"]}


def check(submission, state, data):
    found = submission.resume_training(state, data, 0.2)
    assert_close(found, follow(state, data, 0.2), atol=1e-4)


@pytest.mark.hint("Do the first step on paper. The warm-up gives it a quarter of the rate.")
def test_a_new_training_follows_the_formula(submission, rng):
    """From a state of no steps, one step and six steps follow the formula."""
    with case("in one step"):
        check(submission, *draw(rng, 1))
    with case("in six steps", hint="One step alone was right. What is new in each step?"):
        check(submission, *draw(rng, 6))


@pytest.mark.points(4)
@pytest.mark.hint("What does the first step after a restart know about the earlier steps?")
def test_a_resumed_training_goes_on(submission, rng):
    """Training that is stopped after any of its steps ends like an uninterrupted run."""

    def in_parts(train, state, parts, lr):
        for part in parts:
            state = train(state, part, lr)
        return state

    train = submission.resume_training.used_by(in_parts).jit()
    lr = np.float32(rng.uniform(0.1, 0.3))
    state, data = draw(rng, 8)
    for cut in (1, 3):
        found = train(state, [data[:cut], data[cut:]], lr)
        assert_close(found, follow(state, data, lr), atol=1e-4)
    # Saved in another run, in the warm-up and after it.
    for step in (int(rng.integers(1, 3)), int(rng.integers(100, 1000))):
        state, data = draw(rng, 4, step=step)
        found = train(state, [data[:1], data[1:]], lr)
        assert_close(found, follow(state, data, lr), atol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("A Python loop over the rows is unrolled. Which loop isn't?")
def test_a_long_training_is_a_small_program(submission, rng):
    """The program for 300 steps is small, even after a restart."""
    lr, (state, data) = np.float32(0.02), draw(rng, 300, step=1)
    program = submission.resume_training.program(state, data, lr)
    # A step takes more than five.
    assert program.size < 5 * 300
    assert_close(program.structured(state, data, lr), follow(state, data, lr), atol=1e-4)


@pytest.mark.hint("Do the numbers in the state stay JAX arrays from start to end?")
def test_a_batch_of_trainings(submission, rng):
    """Under `vmap`, each state of a batch has its own key and its own number of steps."""
    drawn = [draw(rng, 3, step=k) for k in (1, 2)]
    states, data = jax.tree.map(lambda *parts: np.stack(parts), *drawn)
    found = submission.resume_training.vmap(in_axes=(0, 0, None))(states, data, np.float32(0.2))
    alone = [follow(*each, 0.2) for each in drawn]
    assert_close(found, jax.tree.map(lambda *parts: np.stack(parts), *alone), atol=1e-4)


@pytest.mark.hint("The parameters, the average and all rows affect the end of training.")
def test_the_training_has_a_gradient(submission, rng):
    """The end has a gradient in the parameters, in the average, in each row and in the rate."""

    def end(train, w, m, data, lr, state):
        return -0.5 * jnp.sum(train({**state, "w": w, "m": m}, data, lr)["w"])

    state, data = draw(rng, 5, (3,), step=1)
    state["w"][0] = state["m"][1] = data[2, 2] = 0
    lr, keeps = np.float32(rng.uniform(0.1, 0.3)), masks(state, 5)
    used = submission.resume_training.used_by(end).grad(argnums=(0, 1, 2, 3))
    found = used(state["w"], state["m"], data, lr, state)

    def exact(w, m, data, lr):
        return -0.5 * follow({**state, "w": w, "m": m}, data, lr, keeps)["w"].sum()

    # The end is a sum of all numbers, each times its slope.
    floats, slopes = [state["w"], state["m"], data], []
    for k, part in enumerate(floats):
        slope, given = np.zeros(part.shape), [np.zeros(other.shape) for other in floats]
        for place in np.ndindex(part.shape):
            given[k][place] = 1
            slope[place] = exact(*given, lr)
            given[k][place] = 0
        slopes.append(slope)
    lr = float(lr)
    slopes.append(np.asarray(exact(*floats, lr + 1e-5) - exact(*floats, lr - 1e-5)) / 2e-5)
    assert_close(found, tuple(slopes), rtol=1e-4, atol=1e-4)


def test_details(submission, rng):
    """It works without rows, and for w of another shape."""
    with case("without rows", hint="Which row does your code read if there is none?"):
        state, data = draw(rng, 0, (3, 2), step=3)
        assert_close(submission.resume_training(state, data, 0.2), state)
    for shape in ((), (2, 3)):
        with case(f"for w of the shape {shape}", hint="Which shape do you assume?"):
            state, data = draw(rng, 3, shape, step=2)
            found = submission.resume_training(state, data, 0.2)
            assert_close(found, follow(state, data, 0.2), atol=1e-4)
