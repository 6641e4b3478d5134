"""resume_training(state, data, lr): all that a step needs from the past is in the state.

The masks of the dropout are JAX's own, for given keys. The rest is computed in float64.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def draw(rng, steps, shape=(7,), scale=1.0, step=0):
    """A state with a large average, and data, of numbers that are not near 0."""

    def numbers(*shape):
        signs = rng.choice([-1, 1], size=shape)
        return np.asarray(scale * signs * rng.uniform(1, 3, size=shape), np.float32)

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
    return {"w": w, "m": m, "step": np.int32(t), "key": state["key"]}


def check(found, state, data, lr, scale=1.0):
    """All of the state. Differences may be near 0, so they get an absolute tolerance."""
    expected = follow(state, data, lr)
    assert set(found) == set(expected)
    for name in ("step", "key"):
        assert_close(found[name], expected[name])
    for name in ("w", "m"):
        assert_close(found[name], np.asarray(expected[name], np.float32), atol=2e-5 * scale)


def in_parts(train, state, parts, lr):
    """A run that is stopped after each part."""
    for part in parts:
        state = train(state, part, lr)
    return state


@pytest.mark.hint("Do the first step by hand. The warm-up gives it a quarter of the rate.")
def test_a_new_training_follows_the_formula(submission, rng):
    """From a state of no steps, one step and six steps follow the formula."""
    for steps in (1, 6):
        state, data = draw(rng, steps)
        lr = 0.2  # a constant of the program
        check(submission.resume_training(state, data, lr), state, data, lr)


@pytest.mark.points(4)
@pytest.mark.hint("What does the first step after a restart know about the steps before it?")
def test_a_resumed_training_goes_on(submission, rng):
    """A training that is stopped after any of its steps ends as one that is never stopped."""
    train = submission.resume_training.used_by(in_parts).jit()
    for scale in (1e-9, 1e9):
        state, data = draw(rng, 8, scale=scale)
        for cut in (1, 3):
            lr = np.float32(rng.uniform(0.1, 0.3))
            check(train(state, [data[:cut], data[cut:]], lr), state, data, lr, scale)
        # Saved in another run, in the warm-up and long after it.
        for step in (int(rng.integers(1, 3)), int(rng.integers(20_000_001, 1_000_000_000))):
            state, data = draw(rng, 4, scale=scale, step=step)
            check(train(state, [data[:1], data[1:]], lr), state, data, lr, scale)


@pytest.mark.hint("Which row does your code read if there is none? Which shapes does it assume?")
def test_any_shape_and_no_step_at_all(submission, rng):
    """A state without a further step is unchanged, and parameters have any shape."""
    # A rate of few digits leaves float32 as it is.
    narrow = np.float16(0.25), np.asarray(0.25, jnp.bfloat16)
    for shape, lr in zip(((), (0,), (1, 3), (1100, 2)), (0.2, 0.2, *narrow), strict=True):
        state, data = draw(rng, 3, shape, step=2)
        check(submission.resume_training(state, data, lr), state, data, lr)
    state, data = draw(rng, 0, (3, 2), step=3)
    found = submission.resume_training(state, data, 0.2)
    assert set(found) == set(state)
    for name, part in state.items():
        assert_close(found[name], part)


@pytest.mark.points(2)
@pytest.mark.hint("A Python loop over the rows is written out. Which loop isn't?")
def test_a_long_training_is_a_small_program(submission, rng):
    """Thousands of steps need no bigger program than a few, also after a restart."""
    lr = np.float32(0.001)
    given = [draw(rng, steps, step=1) for steps in (8, 533)]
    programs = [submission.resume_training.program(*each, lr) for each in given]
    assert programs[1].size <= 2 * programs[0].size
    for program, (state, data) in zip(programs, given, strict=True):
        # A large average moves the parameters, though it is halved in each step.
        state["m"] = state["m"] * 1000
        leaves = program(state, data, lr)
        check(dict(zip(sorted(state), leaves, strict=True)), state, data, lr)
    # A length that no block of rows divides. A large rate forgets rounding errors.
    (state, data), lr = draw(rng, 5003, (2,), step=1), np.float32(0.02)
    program = submission.resume_training.program(state, data, lr)
    assert program.size <= 2 * programs[0].size
    leaves = program(state, data, lr)
    check(dict(zip(sorted(state), leaves, strict=True)), state, data, lr)


@pytest.mark.points(2)
@pytest.mark.hint("Do the numbers of the state stay arrays of JAX from the start to the end?")
def test_batches_and_gradients(submission, rng):
    """A batch of states has keys and steps of its own, and all floats have their gradients."""
    drawn = [draw(rng, 3, step=k) for k in (1, 2)]
    states, data = jax.tree.map(lambda *parts: np.stack(parts), *drawn)
    found = submission.resume_training.vmap(in_axes=(0, 0, None))(states, data, np.float32(0.2))
    for k, (state, rows) in enumerate(drawn):
        check({name: part[k] for name, part in found.items()}, state, rows, 0.2)

    def loss(train, floats, state, lr):
        moved = {**state, "w": floats["w"], "m": floats["m"]}
        return -0.5 * jnp.sum(train(moved, floats["x"], lr)["w"])

    # With a small rate, the first rows still count after many steps.
    state, rows = draw(rng, 32, (3,), step=1)
    # Zeros have gradients like all other numbers.
    state["w"][1] = state["m"][2] = rows[0, 0] = 0
    floats = {"w": state["w"], "m": state["m"], "x": rows}
    lr, keeps = np.float32(rng.uniform(0.02, 0.05)), masks(state, len(rows))

    def value(floats, lr):
        moved = {**state, "w": floats["w"], "m": floats["m"]}
        return -0.5 * follow(moved, floats["x"], lr, keeps)["w"].sum()

    def slope(move):
        return (move(1e-6) - move(-1e-6)) / 2e-6

    def part_slope(name, index):
        def move(h):
            part = floats[name].astype(np.float64)
            part[index] += h
            return value({**floats, name: part}, lr)

        return slope(move)

    used = submission.resume_training.used_by(loss).grad(argnums=(0, 2))
    slopes, in_lr = used(floats, state, lr)
    assert_close(in_lr, np.float32(slope(lambda h: value(floats, float(lr) + h))), atol=1e-3)
    for name, part in floats.items():
        expected = np.array([part_slope(name, place) for place in np.ndindex(part.shape)])
        expected = np.float32(expected).reshape(part.shape)
        assert_close(slopes[name], expected, rtol=2e-4, atol=1e-6)
