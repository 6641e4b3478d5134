"""deep_stack(params, x): the layers of a dict, in the order of their numbers.

The stub is a program that follows the order of the dict, which transformations don't keep.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, depth, d=3, order=None):
    """A network of so many layers, which differ in size, and an input."""
    numbers = range(1, depth + 1) if order is None else order
    layers = {
        number: {
            "w": (rng.normal(size=(d, d)) / np.sqrt(d)).astype(np.float32),
            "b": rng.normal(size=d).astype(np.float32),
        }
        for number in range(1, depth + 1)
    }
    params = {f"layer{number}": layers[number] for number in numbers}
    return params, rng.normal(size=(4, d)).astype(np.float32)


def output(params, x):
    """The layers by their numbers, in float64."""
    x = np.float64(x)
    for number in range(1, len(params) + 1):
        layer = params[f"layer{number}"]
        x = x + np.tanh(x @ np.float64(layer["w"]) + layer["b"])
    return x


def slopes(params, x):
    """The gradient of the sum of the output in x, in float64."""
    x, steps = np.float64(x), []
    for number in range(1, len(params) + 1):
        layer = params[f"layer{number}"]
        change = np.tanh(x @ np.float64(layer["w"]) + layer["b"])
        steps.append((layer["w"], 1 - change**2))
        x = x + change
    found = np.ones(x.shape)
    for w, slope in reversed(steps):
        found = found + (found * slope) @ np.float64(w).T
    return found


def check(found, params, x):
    assert_close(found, output(params, x), rtol=1e-4, atol=1e-4)


@pytest.mark.hint("Compute the output of a network of two layers on paper.")
def test_few_layers_are_applied_in_turn(submission, rng):
    """Networks of one, two and nine layers are right, with and without `jit`."""
    for depth in (1, 2, 9):
        given = draw(rng, depth)
        check(submission.deep_stack(*given), *given)
        check(submission.deep_stack.jit()(*given), *given)


@pytest.mark.hint("Which axis of x is multiplied? Nothing else may depend on its axes.")
def test_one_input_or_a_batch(submission, rng):
    """Inputs without a batch and of another width are right."""
    params, x = draw(rng, 3, d=5)
    check(submission.deep_stack(params, x[0]), params, x[0])
    check(submission.deep_stack(params, np.stack([x, x])), params, np.stack([x, x]))


@pytest.mark.points(4)
@pytest.mark.hint("In which order does the function get the entries under `jit`?")
def test_many_layers_under_jit(submission, rng):
    """Networks of 12 and of 21 layers are right under `jit`."""
    for depth in (12, 21):
        given = draw(rng, depth)
        check(submission.deep_stack.jit()(*given), *given)


@pytest.mark.points(2)
@pytest.mark.hint("Which layer comes first, if the dict starts with another one?")
def test_the_entries_come_in_any_order(submission, rng):
    """The names determine the order of layers, not the dict's order."""
    for order in ((3, 1, 2), (11, *range(1, 11)), tuple(range(13, 0, -1))):
        params, x = draw(rng, len(order), order=order)
        check(submission.deep_stack(params, x), params, x)


@pytest.mark.hint("Are the names numbers, or strings that end with a digit?")
def test_more_than_a_hundred_layers(submission, rng):
    """A network of 104 layers is right."""
    params, x = draw(rng, 104)
    for layer in params.values():
        layer["w"] /= 4
    check(submission.deep_stack.jit()(params, x), params, x)


@pytest.mark.hint("Is the gradient that of the layers in their right order?")
def test_it_can_be_transformed(submission, rng):
    """The gradient and a batch under `vmap` are those of the layers in their order."""

    def total(deep_stack, x, params):
        return jnp.sum(deep_stack(params, x))

    params, x = draw(rng, 11)
    with case("the gradient"):
        found = submission.deep_stack.used_by(total).grad().jit()(x, params)
        expected = slopes(params, x)
        assert_close(found, expected, rtol=1e-3, atol=1e-4 * np.abs(expected).max())
    with case("under vmap"):
        check(submission.deep_stack.vmap(in_axes=(None, 0))(params, x), params, x)
