"""grad_accumulation(loss, params, batch, parts): the gradient of a weighted mean, part by part.

The loss is that of a small network, whose gradient is computed in float64. For the details it is
linear, so that the gradient is a weighted mean of the inputs.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def network(params, batch):
    """Squares of the errors of a network with one hidden layer."""
    hidden = jnp.tanh(batch["x"] @ params["first"])
    error = hidden @ params["second"] - batch["y"]
    return jnp.sum(batch["weight"] * error**2), jnp.sum(batch["weight"])


def exact(params, batch):
    """The mean loss of the network and its gradient, in float64."""
    x, y, weight = (np.asarray(batch[name], np.float64) for name in ("x", "y", "weight"))
    first, second = (np.asarray(params[name], np.float64) for name in ("first", "second"))
    hidden = np.tanh(x @ first)
    error = hidden @ second - y
    slope = 2 * weight * error / weight.sum()
    through = slope[:, None] * second * (1 - hidden**2)
    value = np.asarray(np.sum(weight * error**2) / weight.sum())
    return value, {"first": x.T @ through, "second": hidden.T @ slope}


def problem(rng, rows, width=3):
    """Parameters of the network, and a batch in which all examples have the weight 1."""
    params = {"first": rng.normal(size=(2, width)), "second": rng.normal(size=width)}
    batch = {"x": rng.normal(size=(rows, 2)), "y": rng.normal(size=rows), "weight": np.ones(rows)}
    return jax.tree.map(np.float32, (params, batch))


@pytest.mark.hint("All weights are 1 here, so the loss is the mean over all examples of the batch.")
def test_equal_weights(submission, rng):
    """Where all examples have the same weight, the result is that of the batch as a whole."""
    for rows, parts in [(12, 4), (12, 1), (5, 5), (1, 1)]:
        params, batch = problem(rng, rows)
        found = submission.grad_accumulation(network, params, batch, parts)
        assert_close(found, exact(params, batch), rtol=1e-4, atol=1e-5)


@pytest.mark.points(4)
@pytest.mark.hint("A part with twice the weight counts twice. When do you divide, and by what?")
def test_parts_of_unequal_weight(submission, rng):
    """Each example counts by its weight, in any part of the batch."""
    params, batch = problem(rng, 24)
    # Their sum is below 1.
    of_parts = rng.permutation(10.0 ** np.linspace(-5, -2, 6)).repeat(4)
    batch["weight"] = np.float32(of_parts * rng.uniform(0.5, 1.5, size=24))
    found = submission.grad_accumulation(network, params, batch, 6)
    assert_close(found, exact(params, batch), rtol=1e-4, atol=1e-4)


@pytest.mark.hint("What is the mean over a part that has only padding?")
def test_parts_of_padding(submission, rng):
    """Parts that hold only padding change nothing, wherever they are."""
    params, batch = problem(rng, 16)
    batch["weight"] = np.float32([0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0])
    found = submission.grad_accumulation(network, params, batch, 8)
    assert_close(found, exact(params, batch), rtol=1e-4, atol=1e-5)


@pytest.mark.points(3)
@pytest.mark.hint("Which loop of `jax.lax` can carry the sums from part to part?")
def test_the_parts_take_turns(submission, rng):
    """One loop goes through the parts, and keeps intermediate results of only one part."""

    def program(rows, width, parts):
        params, batch = problem(rng, rows, width)
        program = submission.grad_accumulation.program(network, params, batch, parts)
        found = program.structured(params, batch)
        assert_close(found, exact(params, batch), rtol=1e-4, atol=1e-4)
        return program

    with case(
        "in the memory",
        hint="Do all parts, or their gradients, exist at the same time somewhere?",
    ):
        # 1,200 for a part, and 96,000 for all. The batch itself has 1,280, and the parameters 300.
        large = program(640, 150, 80)
        assert large.elements < 96_000 / 2
    with case("in the number of rounds", hint="Does a round compute a part, or an example?"):
        assert large.depth < 40 * 80
    with case(
        "in the size of the program",
        hint="A Python loop adds the loss to the program once for each part.",
    ):
        # A part takes more than five.
        assert program(180, 3, 60).size < 5 * 60


def linear(params, batch):
    """A loss whose gradients are means: of the vectors, the matrices and the tokens."""
    each = batch["vector"] @ params["layers"][0]
    each += jnp.sum(batch["matrix"] * params["layers"][1], axis=(1, 2))
    each += params["table"][batch["token"]] + params["bias"]
    return jnp.sum(each.astype(jnp.float32)), jnp.float32(len(each))


def test_details(submission, rng):
    """It works for rows of any shape and dtype, in bfloat16, and in the gradient."""

    def given(dtype):
        params = {"layers": (np.zeros(3), np.zeros((2, 2))), "table": np.zeros(4)}
        params |= {"bias": np.zeros(()), "none": None}
        batch = {"vector": np.tile([1, -3, 0.5], (24, 1)), "matrix": np.ones((24, 2, 2))}
        # In bfloat16, the others would add nothing to these two.
        batch["vector"][[0, -1]] *= 256
        batch["matrix"] *= rng.choice([-1, 1], size=(24, 1, 1))
        params, batch = jax.tree.map(lambda a: a.astype(dtype), (params, batch))
        batch["token"] = rng.integers(4, size=24).astype(np.int8)
        means = tuple(batch[name].mean(axis=0, dtype=float) for name in ("vector", "matrix"))
        table = np.bincount(batch["token"], minlength=4) / 24
        grads = {"layers": means, "table": table, "bias": np.ones(()), "none": None}
        return params, batch, (np.float32(0), jax.tree.map(lambda a: a.astype(dtype), grads))

    with case("for rows of any shape and dtype", hint="Which axis of a leaf do you cut?"):
        params, batch, expected = given(np.float32)
        found = submission.grad_accumulation(linear, params, batch, 12)
        assert_close(found, expected, atol=1e-5)
    with case("in bfloat16", hint="There, 256 + 1 is 256. In which dtype do you add, and return?"):
        params, batch, expected = given(jnp.bfloat16)
        found = submission.grad_accumulation(linear, params, batch, 24)
        assert_close(found, expected, rtol=0.01, atol=1e-3)
    with case("in the gradient of the value", hint="Which loops have a reverse-mode gradient?"):

        def value(grad_accumulation, params, batch):
            return -3 * grad_accumulation(network, params, batch, 4)[0]

        params, batch = problem(rng, 12)
        params["second"][0] = batch["y"][0] = 0
        used = submission.grad_accumulation.used_by(value).grad(argnums=(0, 1))
        slopes, in_batch = used(params, batch)
        expected = jax.tree.map(lambda slope: -3 * slope, exact(params, batch)[1])
        assert_close(slopes, expected, rtol=1e-4, atol=1e-4)
        error = np.tanh(batch["x"] @ params["first"]) @ params["second"] - batch["y"]
        assert_close(in_batch["y"], 6 * error / 12, rtol=1e-4, atol=1e-4)
