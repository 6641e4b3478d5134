"""two_rates(slow, fast): against the formulas of AdamW, in float64.

Values are judged, and not the library. The judge carries the state from one program to the next,
so what isn't among its arrays is kept nowhere.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


class Layer(NamedTuple):
    w: Any
    b: Any


def first_state(make, slow, fast, params):
    """Its arrays."""
    init, _ = make(slow, fast)
    return jax.tree.leaves(init(params))


def step(make, slow, fast, params, gradient, arrays):
    """The parameters after a step, and the arrays of the new state."""
    init, update = make(slow, fast)
    state = jax.tree.unflatten(jax.tree.structure(init(params)), arrays)
    updates, state = update(gradient, state, params)
    return jax.tree.map(jnp.add, params, updates), jax.tree.leaves(state)


def trained(submission, slow, fast, params, gradients):
    """The parameters after all steps, and the size of the largest state."""
    arrays = submission.two_rates.used_by(first_state)(slow, fast, params)
    sizes = [count(arrays)]
    for gradient in gradients:
        made = submission.two_rates.used_by(step)(slow, fast, params, gradient, arrays)
        params, arrays = made
        sizes.append(count(arrays))
    return params, max(sizes)


def count(tree):
    """How many numbers are in it."""
    return sum(np.size(leaf) for leaf in jax.tree.leaves(tree))


def adamw(rate, params, gradients):
    """The parameters of one layer after all steps."""
    leaves, structure = jax.tree.flatten(params)
    found = []
    for k, leaf in enumerate(leaves):
        p, m, v = leaf.astype(np.float64), 0.0, 0.0
        for t, gradient in enumerate(gradients, 1):
            g = jax.tree.leaves(gradient)[k].astype(np.float64)
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
            adam = m / (1 - 0.9**t) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
            p = p - float(rate) * (adam + 0.01 * p)
        found.append(p)
    return jax.tree.unflatten(structure, found)


def numbers(rng, *shape):
    """None of them is near 0."""
    return np.float32(rng.choice([-1, 1], size=shape) * rng.uniform(0.5, 2, size=shape))


def rates(rng):
    return np.float32(rng.uniform(0.01, 0.03)), np.float32(rng.uniform(0.1, 0.3))


def model(rng):
    return {
        "embed": [numbers(rng, 60, 3)],
        "block": {"first": Layer(numbers(rng, 3, 2), numbers(rng, 2)), "scale": numbers(rng, 3)},
        "head": Layer(numbers(rng, 2, 4), numbers(rng, 4)),
    }


def draw(rng, make=model, steps=3):
    """Two rates, parameters, and gradients for some steps."""
    slow, fast = rates(rng)
    return slow, fast, make(rng), [make(rng) for _ in range(steps)]


def followed(names, slow, fast, params, gradients):
    """These layers after all steps."""
    return {
        name: adamw(fast if name == "head" else slow, params[name], [g[name] for g in gradients])
        for name in names
    }


@pytest.mark.points(3)
@pytest.mark.hint("Which rate does each layer have, and is it a rate of AdamW?")
def test_each_layer_is_trained_at_its_rate(submission, rng):
    """The head has the fast rate, and another layer has the slow one."""
    slow, fast, params, gradients = draw(rng)
    found, _ = trained(submission, slow, fast, params, gradients)
    names = ("block", "head")
    expected = followed(names, slow, fast, params, gradients)
    assert_close({name: found[name] for name in names}, expected, atol=3e-5)


@pytest.mark.points(2)
@pytest.mark.hint("What does AdamW do to a parameter whose gradient is 0?")
def test_the_frozen_layer_stays_as_it_is(submission, rng):
    """After some steps, the layer "embed" has exactly the numbers that it had."""
    slow, fast, params, gradients = draw(rng)
    found, _ = trained(submission, slow, fast, params, gradients)
    assert_close(found["embed"], params["embed"], rtol=0)


@pytest.mark.points(3)
@pytest.mark.hint("For which layers does your optimiser keep averages?")
def test_the_state_has_no_array_for_the_frozen_layer(submission, rng):
    """The state has two numbers for each number of the other layers, and few more."""
    slow, fast, params, gradients = draw(rng)
    found, size = trained(submission, slow, fast, params, gradients)
    trained_numbers = count(params) - count(params["embed"])
    assert size <= 2 * trained_numbers + 30, (
        f"the state has {size} numbers, for {trained_numbers} numbers that are trained"
    )
    names = ("block", "head")
    expected = followed(names, slow, fast, params, gradients)
    assert_close({name: found[name] for name in names}, expected, atol=0.02)


@pytest.mark.hint("Which names does your code know? All but two are free.")
def test_other_layers_may_have_any_name(submission, rng):
    """Any number of layers with other names are trained at the slow rate."""

    names = ("block", "layer_0", "embedding", "head_2", "head")

    def other(rng):
        return {name: [numbers(rng, 2)] for name in (*names, "embed")}

    slow, fast, params, gradients = draw(rng, other, 2)
    found, _ = trained(submission, slow, fast, params, gradients)
    expected = followed(names, slow, fast, params, gradients)
    assert_close({name: found[name] for name in names}, expected, atol=3e-5)


def test_details(submission, rng):
    """It works where a gradient is NaN, a part is missing, and for names within a layer."""
    with case("where a gradient is NaN", hint="0 times NaN is NaN."):
        slow, fast, params, gradients = draw(rng, steps=2)
        gradients[0]["embed"][0][3] = np.nan
        found, _ = trained(submission, slow, fast, params, gradients)
        assert_close(found["embed"], params["embed"], rtol=0)
    with case("without a head and an embedding", hint="A group may be empty."):
        slow, fast, params, gradients = draw(rng, lambda rng: {"block": numbers(rng, 3)}, 2)
        found, _ = trained(submission, slow, fast, params, gradients)
        assert_close(found, followed(params, slow, fast, params, gradients), atol=3e-5)
    with case("for names within a layer", hint="Which part of a path is the name of the layer?"):

        def nested(rng):
            inner = {"embed": numbers(rng, 2), "head": numbers(rng, 3)}
            return {"block": inner, "head": {"embed": numbers(rng, 2)}}

        slow, fast, params, gradients = draw(rng, nested, 2)
        found, _ = trained(submission, slow, fast, params, gradients)
        assert_close(found, followed(params, slow, fast, params, gradients), atol=3e-5)
