"""xor_train(key, steps): single steps are checked, since a wrong training may still learn XOR.

Students may draw the start from the key in any way. But a training of k + 1 steps begins with the
steps of one of k, so the two together show a single step, whatever the start was.

A Python loop that turns each loss into a Python float is a right answer, and it can't be traced.
So no program is judged.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_agree, assert_close, assert_no_key_reuse, case, key

X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float)
Y = np.array([0, 1, 1, 0], float)
SHAPES = [(2, 3), (3,), (3,), (1,)]


def check_shapes(params, losses, steps):
    assert type(params) is tuple, f"The parameters are a {type(params).__name__}, not a tuple."
    shapes = [np.shape(p) for p in params]
    assert shapes == SHAPES, f"The parameters have the shapes {shapes}."
    shape = np.shape(losses)
    assert shape == (steps,), f"After {steps} steps the losses have the shape {shape}."
    dtypes = {leaf.dtype.name for leaf in (*params, losses)}
    assert dtypes == {"float32"}, f"The dtypes are {sorted(dtypes)}."


def train(submission, seed, steps):
    """(params, losses), of the right shapes and without NaN."""
    params, losses = submission.xor_train(seed, steps)
    with case("before anything else", hint="Look at the shapes of w2, the labels and the losses."):
        check_shapes(params, losses, steps)
    with case("before anything else", hint="Is each probability between 0 and 1?"):
        finite = all(np.isfinite(leaf).all() for leaf in (*params, losses))
        assert finite, f"NaN or Inf appears within {steps} steps."
    return params, losses


def forward(params):
    """Hidden layer and logits, in float64."""
    w1, b1, w2, b2 = (p.astype(np.float64) for p in params)
    hidden = np.tanh(X @ w1 + b1)
    return hidden, hidden @ w2 + b2


def loss(params):
    _, logits = forward(params)
    return np.mean(np.logaddexp(0, logits) - Y * logits)


def step(params):
    """One step of descent with the learning rate 1, the gradient worked out by hand."""
    w1, b1, w2, b2 = (p.astype(np.float64) for p in params)
    hidden, logits = forward(params)
    error = (1 / (1 + np.exp(-logits)) - Y) / len(Y)
    inner = np.outer(error, w2) * (1 - hidden**2)
    slopes = (X.T @ inner, inner.sum(0), hidden.T @ error, error.sum(keepdims=True))
    return tuple(p - slope for p, slope in zip((w1, b1, w2, b2), slopes, strict=True))


@pytest.mark.hint("Look at the shape of w2, and at how many losses there are.")
def test_parameters_and_losses_have_their_shapes(submission, rng):
    """Four float32 arrays are returned in a tuple, with one loss per step."""
    for steps in (1, 3):
        params, losses = submission.xor_train(key(rng), steps)
        check_shapes(params, losses, steps)
        assert np.all(losses), "A loss is 0."


@pytest.mark.points(3)
@pytest.mark.hint(
    "Is there a nonlinear function between the layers? Then check mean, sign and learning rate."
)
def test_each_step_is_one_of_descent(submission, rng):
    """In each step the parameters move by the gradient of the mean cross entropy."""
    seed = key(rng)
    for steps in (1, 2, 5):
        before, _ = train(submission, seed, steps)
        after, _ = train(submission, seed, steps + 1)
        assert_close(after, step(before), atol=1e-4)
        assert np.any(before[0]), "All weights are 0."


@pytest.mark.hint("The loss of a step belongs to the parameters that it starts from.")
def test_losses_are_taken_before_each_step(submission, rng):
    """Each loss is the mean cross entropy of the parameters just before its step."""
    seed = key(rng)
    _, losses = train(submission, seed, 4)
    before = [train(submission, seed, steps)[0] for steps in (1, 2, 3)]
    assert_close(losses[1:], np.array([loss(params) for params in before]), atol=1e-4)


@pytest.mark.hint("All weights and biases are standard normal before the first step.")
def test_the_start_is_standard_normal(submission, rng):
    """Over 60 keys, weights and biases have the sizes and signs of a standard normal start."""
    fits = [train(submission, key(rng), 1)[0] for _ in range(60)]
    # The median sizes after one step. The bounds are some seven standard errors away.
    for k, (name, size) in enumerate([("w1", 0.67), ("b1", 0.665), ("w2", 0.622), ("b2", 0.57)]):
        found = np.array([params[k] for params in fits])
        width = 8 / np.sqrt(found.size)
        median, share = np.median(np.abs(found)), np.mean(found > 0)
        text = (
            f"After one step the median size of {name} is {median:.2g}, and near {size} expected."
        )
        assert size * np.exp(-width) < median < size * np.exp(width), text
        text = f"After one step, {share:.0%} of {name} are positive, and about a half is expected."
        assert abs(share - 0.5) < width / 2, text


@pytest.mark.points(2)
@pytest.mark.hint(
    "Print the loss every hundred steps. If it stays near 0.69, the network learns nothing."
)
def test_most_starts_learn_xor(submission, rng):
    """With 1500 steps, at least three of eight keys lead to a loss below 0.1."""
    ends = []
    while len(ends) < 8 and sum(end < 0.1 for end in ends) < 3:
        params, _ = train(submission, key(rng), 1500)
        ends.append(loss(params))
    text = ", ".join(f"{end:.2g}" for end in ends)
    assert sum(end < 0.1 for end in ends) >= 3, f"The losses of eight networks are {text}."


@pytest.mark.hint("All randomness comes from the key, and each array has its own key.")
def test_the_key_decides(submission, rng):
    """The same key gives the same run, and another key gives a different one."""
    first, second = key(rng), key(rng)
    params, losses = train(submission, first, 3)
    with case("for the same key again", hint="What is random, but doesn't come from the key?"):
        assert_agree(train(submission, first, 3), (params, losses))
    with case("for another key", hint="Do you draw from the key that is passed in?"):
        others, _ = train(submission, second, 3)
        moved = min(abs(params[k] - others[k]).max() for k in (0, 2))
        assert moved > 1e-4, "Two keys give the same weights."
    with case("for keys that are used twice", hint="Each array needs its own key: split it."):
        assert_no_key_reuse(submission.xor_train, first, 2)


def plain_loss(params):
    w1, b1, w2, b2 = params
    logits = jnp.tanh(jnp.array(X, jnp.float32) @ w1 + b1) @ w2 + b2
    return jnp.mean(jnp.logaddexp(0, logits) - jnp.array(Y, jnp.float32) * logits)


def eager(seed, steps):
    """A fiftieth of the steps, without `jit`."""
    params = tuple(map(jax.random.normal, jax.random.split(seed, 4), SHAPES))
    losses = []
    for _ in range(steps // 50):
        value, slopes = jax.value_and_grad(plain_loss)(params)
        params = jax.tree.map(jnp.subtract, params, slopes)
        losses.append(value)
    return params, jnp.stack(losses)


@pytest.mark.hint(
    "`jit` keeps its compiled program for a function. Do you create a new function in each call?"
)
def test_it_is_fast(submission, race):
    """With a new key each time, each of 100 steps is at least 50 times as fast as without `jit`."""

    def check(result, seed, steps):
        params, losses = result
        check_shapes(params, losses, steps)
        exact, known = train(submission, seed, 1)[0], []
        for _ in range(steps - 1):
            known.append(loss(exact))
            exact = step(exact)
        # Steps of this length magnify rounding errors.
        assert_close(losses[1:], np.array(known), atol=5e-3)

    race(
        submission.xor_train,
        baseline=eager,
        args=lambda rng: (key(rng), 100),
        at_least=1,
        check=check,
        live=True,
    )
