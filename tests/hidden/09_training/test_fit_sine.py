"""fit_sine(key): a whole training, judged by its results and not by its method.

A working training stays far below the bounds: with Adam, with momentum and with a thousand steps
of plain descent, nearly all losses and errors are below a fifth of them.

A Python loop over the steps is a right answer, and a program of it would be far too long. So no
program is judged.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_no_key_reuse, case, key

SHAPES = [
    {"weights": (1, 128), "biases": (128,)},
    {"weights": (128, 128), "biases": (128,)},
    {"weights": (128, 1), "biases": (1,)},
]


def check_params(params):
    assert type(params) is list, "The parameters are expected in a list."
    shapes = [{name: np.shape(a) for name, a in dict(layer).items()} for layer in params]
    assert shapes == SHAPES, f"The shapes in the list are {shapes}."
    dtypes = {a.dtype.name for layer in params for a in layer.values()}
    assert dtypes == {"float32"}, f"The parameters have the dtypes {sorted(dtypes)}."


def fit(submission, seed):
    """(params, losses), without NaN."""
    params, losses = submission.fit_sine(seed)
    losses = np.atleast_1d(losses)
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
    """The network in float64."""
    for k, layer in enumerate(params):
        x = x @ layer["weights"].astype(np.float64) + layer["biases"]
        x = np.maximum(x, 0) if k < 2 else x
    return x


@pytest.mark.hint("Three dicts in a list, as `init_mlp` makes them, and one array of losses.")
def test_parameters_and_losses_have_their_shapes(submission, rng):
    """The parameters are those of a network 1 -> 128 -> 128 -> 1, and the losses are a vector."""
    params, losses = submission.fit_sine(key(rng))
    check_params(params)
    shape = np.shape(losses)
    assert len(shape) == 1 and shape[0] >= 2, f"The losses have the shape {shape}."
    assert losses.dtype == np.float32, f"The losses have the dtype {losses.dtype}."
    assert losses.any(), "All losses are 0."


@pytest.mark.points(3)
@pytest.mark.hint(
    "Which shapes have y and the prediction? Do the losses stop falling, or is the training short?"
)
def test_the_last_loss_is_small(submission, rng):
    """For at least four of five keys, the last loss is below 0.05."""
    too_big = 0
    for _ in range(5):
        last = fit(submission, key(rng))[1][-1]
        too_big += not 0 < last < 0.05
        assert too_big <= 1, f"The last loss is {last:.3g}, and should be below 0.05."


@pytest.mark.hint("A network that knows nothing has a loss of 0.4 or more. Which is your first?")
def test_the_losses_are_those_of_the_whole_training(submission, rng):
    """The losses fall from those of an untrained network to the last one."""
    starts = []
    for _ in range(3):
        losses = fit(submission, key(rng))[1]
        assert losses.min() > 0, "A loss is 0: no network fits all points so well."
        starts.append(float(losses.max()))
    # One start in a hundred is lucky.
    text = ", ".join(f"{start:.3g}" for start in starts)
    assert np.median(starts) > 0.2, f"The largest loss of each of three fits is {text}."


@pytest.mark.points(2)
@pytest.mark.hint(
    "If the losses are small and these errors are not: are the parameters those of the last step, "
    "of a network with ReLU, and is x standard normal?"
)
def test_it_fits_points_that_it_has_not_seen(submission, rng):
    """In most fits the mean squared error for new points, -2 < x < 2, is below 0.05."""
    errors = []
    # Sometimes none of the 128 points is near one end, and a right answer fails.
    for _ in range(5):
        params, _ = fit(submission, key(rng))
        check_params(params)
        x = rng.uniform(-2, 2, size=(200, 1))
        errors.append(np.mean((predict(params, x) - np.sin(x)) ** 2))
    text = ", ".join(f"{error:.3g}" for error in errors)
    assert np.median(errors) < 0.05, f"In five fits the errors for new points are {text}."


@pytest.mark.points(2)
@pytest.mark.hint("Which random numbers are not drawn from the key that is passed in?")
def test_the_key_decides(submission, rng):
    """All that is random follows from the key that is passed in."""
    seed = key(rng)
    (params, losses), (again, again_losses) = fit(submission, seed), fit(submission, seed)
    other, other_losses = fit(submission, key(rng))
    # Not exactly equal: threads may add up numbers in another order.
    same = np.allclose(again_losses[:2], losses[:2], rtol=1e-3)
    same = same and np.allclose(again[1]["weights"], params[1]["weights"], atol=1e-3)
    assert same, "Two calls with the same key give two different fits."
    differ = not np.array_equal(other_losses[:2], losses[:2])
    differ = differ and not np.allclose(other[1]["weights"], params[1]["weights"], atol=1e-3)
    assert differ, "Calls with two different keys give the same fit."


def keys_made(fit_sine, key):
    """How many keys are made from seeds during a call."""
    made = []

    def counted(maker):
        return lambda *args, **kwargs: made.append(1) or maker(*args, **kwargs)

    makers = jax.random.key, jax.random.PRNGKey
    try:
        jax.random.key, jax.random.PRNGKey = map(counted, makers)
        fit_sine(key)
    finally:
        jax.random.key, jax.random.PRNGKey = makers
    return len(made)


@pytest.mark.hint("The data and each layer need their own keys.")
def test_no_key_is_used_twice(submission, rng):
    """The data and the layers are drawn from different keys, which come from the one passed in."""
    assert_no_key_reuse(submission.fit_sine, key(rng))
    with case("with a key of your own", hint="Such a key is the same in each call. Where is it?"):
        made = submission.fit_sine.used_by(keys_made).reported()(key(rng))
        assert not made, "The call makes a key from a seed."
