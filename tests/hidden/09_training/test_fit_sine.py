"""fit_sine(key, x, y, steps): a whole training, whose method is left open.

The curve is drawn, and the judge computes the losses itself, from the parameters of shorter
trainings. A working training stays far below the bounds: with Adam, with momentum and with plain
descent, nearly all losses and errors are below a fifth of them.

A Python loop over the steps is a right answer, and a program of it would be far too long. So no
program is judged.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

from grader.suite import assert_close, assert_no_key_reuse, case, key

SHAPES = [
    {"weights": (1, 128), "biases": (128,)},
    {"weights": (128, 128), "biases": (128,)},
    {"weights": (128, 1), "biases": (1,)},
]


def curve(rng):
    """(x, y, c): points of sin(x + c)."""
    x, c = rng.normal(size=(128, 1)).astype(np.float32), rng.uniform(-0.5, 0.5)
    return x, np.sin(x + c).astype(np.float32), c


def check_params(params):
    assert type(params) is list, "The parameters must be in a list."
    shapes = [{name: np.shape(a) for name, a in dict(layer).items()} for layer in params]
    assert shapes == SHAPES, f"The shapes in the list are {shapes}."
    dtypes = {a.dtype.name for layer in params for a in layer.values()}
    assert dtypes == {"float32"}, f"The parameters have the dtypes {sorted(dtypes)}."


def fit(submission, seed, x, y, steps):
    """(params, losses), of the right shapes and without NaN."""
    params, losses = submission.fit_sine(seed, x, y, steps)
    with case("before anything else", hint="Look at the first test."):
        check_params(params)
        shape = np.shape(losses)
        assert shape == (steps,), f"After {steps} steps, the losses have the shape {shape}."
    layers = sum(not all(np.isfinite(a).all() for a in layer.values()) for layer in params)
    bad = int((~np.isfinite(losses)).sum())
    with case(
        "before anything else",
        hint="Look at the parameters before the first step: is NaN in them already? If not, is it "
        "the learning rate?",
    ):
        text = f"NaN or Inf is in {bad} of {len(losses)} losses and in {layers} of 3 layers."
        assert not bad and not layers, text
    return params, losses


def predict(params, x):
    *hidden, last = params
    for layer in hidden:
        x = jax.nn.relu(x @ layer["weights"] + layer["biases"])
    return x @ last["weights"] + last["biases"]


def error(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)


def along(params, after, x, y):
    """The part of a step that is along the gradient, or against it: momentum may go too far."""
    slope, _ = ravel_pytree(jax.grad(error)(params, x, y))
    way = ravel_pytree(after)[0] - ravel_pytree(params)[0]
    return float(abs(way @ slope) / (jnp.linalg.norm(way) * jnp.linalg.norm(slope)))


@pytest.mark.hint("Three dicts in a list, as `init_mlp` makes them, and one array of losses.")
def test_parameters_and_losses_have_their_shapes(submission, rng):
    """The parameters are those of a network 1 -> 128 -> 128 -> 1, with a loss for each step."""
    x, y, _ = curve(rng)
    for steps in (1, 3):
        params, losses = submission.fit_sine(key(rng), x, y, steps)
        check_params(params)
        shape = np.shape(losses)
        assert shape == (steps,), f"After {steps} steps, the losses have the shape {shape}."
        assert losses.dtype == np.float32, f"The losses have the dtype {losses.dtype}."
        assert np.all(losses), "A loss is 0."


@pytest.mark.points(3)
@pytest.mark.hint("What is the shape of the prediction, and of y? Do the losses keep falling?")
def test_it_fits_its_points(submission, rng):
    """For at least four of five keys, 1000 steps bring the loss of the network below 0.05."""
    too_big = 0
    for _ in range(5):
        x, y, _ = curve(rng)
        loss = error(fit(submission, key(rng), x, y, 1000)[0], x, y)
        too_big += not loss < 0.05
        assert too_big <= 1, f"The loss of the last network is {loss:.3g}."


@pytest.mark.hint("Are the losses those of all points, each taken before its step?")
def test_the_losses_are_those_of_the_training(submission, rng):
    """Each loss is computed before its step. The steps start from nothing and follow the
    gradient."""
    firsts, shares = [], []
    for _ in range(3):
        (x, y, _), seed = curve(rng), key(rng)
        shorter = [fit(submission, seed, x, y, steps)[0] for steps in (1, 2, 20)]
        last, losses = fit(submission, seed, x, y, 21)
        known = np.stack([error(params, x, y) for params in shorter])
        assert_close(losses[[1, 2, 20]], known, rtol=1e-2)
        firsts.append(float(known.max()))
        shares += along(*shorter[:2], x, y), along(shorter[2], last, x, y)
    # One start in a hundred is lucky.
    text = ", ".join(f"{first:.3g}" for first in firsts)
    assert np.median(firsts) > 0.1, f"The largest early loss of each of three fits is {text}."
    # In a network of 17,000 parameters, a step in any other direction has a share near 0.01.
    assert np.median(shares) > 0.04, "The steps are unrelated to the gradient of the loss."


@pytest.mark.points(2)
@pytest.mark.hint("Does training continue until the last step? Does the network have its ReLU?")
def test_it_fits_points_that_it_has_not_seen(submission, rng):
    """In most fits the mean squared error for new points, -2 < x < 2, is below 0.05."""
    errors = []
    # Sometimes none of the 128 points is near one end, and a right answer fails.
    for _ in range(5):
        x, y, c = curve(rng)
        params, _ = fit(submission, key(rng), x, y, 1000)
        new = rng.uniform(-2, 2, size=(200, 1)).astype(np.float32)
        errors.append(float(error(params, new, np.sin(new + c))))
    text = ", ".join(f"{error:.3g}" for error in errors)
    assert np.median(errors) < 0.05, f"In five fits the errors for new points are {text}."


@pytest.mark.points(2)
@pytest.mark.hint("Which random numbers are not drawn from the key that is passed in?")
def test_the_key_decides(submission, rng):
    """All randomness depends on the key that is passed in."""
    (x, y, _), seed = curve(rng), key(rng)
    first, again = (fit(submission, seed, x, y, 1)[0] for _ in range(2))
    other = fit(submission, key(rng), x, y, 1)[0]
    # Not exactly equal: threads may add up numbers in another order.
    same = np.allclose(again[1]["weights"], first[1]["weights"], atol=1e-3)
    assert same, "Two calls with the same key give two different fits."
    for k in range(3):
        differ = not np.allclose(other[k]["weights"], first[k]["weights"], atol=1e-3)
        assert differ, "Calls with two different keys give the same fit."


def keys_made(fit_sine, *args):
    """How many keys are made from seeds during a call."""
    made = []

    def counted(maker):
        return lambda *args, **kwargs: made.append(1) or maker(*args, **kwargs)

    makers = jax.random.key, jax.random.PRNGKey
    try:
        jax.random.key, jax.random.PRNGKey = map(counted, makers)
        fit_sine(*args)
    finally:
        jax.random.key, jax.random.PRNGKey = makers
    return len(made)


@pytest.mark.hint("Each layer needs its own key.")
def test_no_key_is_used_twice(submission, rng):
    """The layers are drawn from different keys, derived from the one passed in."""
    x, y, _ = curve(rng)
    assert_no_key_reuse(submission.fit_sine, key(rng), x, y, 2)
    with case("with a key of your own", hint="Such a key is the same in each call. Where is it?"):
        made = submission.fit_sine.used_by(keys_made).reported()(key(rng), x, y, 2)
        assert not made, "The call makes a key from a seed."
