"""ref_gradients(loss, params, batch, sums): gradients that are added to references of the caller's.

The loss is that of a small network, whose gradient is computed in float64. References can't be sent
to the student's process, so functions of this suite make them.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def network(params, part):
    """The sum of the squared errors of a network with one hidden layer."""
    hidden = jnp.tanh(part["x"] @ params["first"])
    return jnp.sum((hidden @ params["second"] - part["y"]) ** 2)


def exact(params, batch):
    """The losses of all parts, and the sum of their gradients, in float64."""
    x, y = np.float64(batch["x"]), np.float64(batch["y"])
    first, second = np.float64(params["first"]), np.float64(params["second"])
    hidden = np.tanh(x @ first)
    error = hidden @ second - y
    through = 2 * error[..., None] * second * (1 - hidden**2)
    grads = {"first": np.einsum("mbi,mbj->ij", x, through)}
    grads["second"] = 2 * np.einsum("mb,mbj->j", error, hidden)
    return np.sum(error**2, axis=1), grads


def problem(rng, parts, size=3, width=4):
    """Parameters of the network, a batch with two examples in each part, and zeros."""
    params = {"first": rng.normal(size=(size, width)), "second": rng.normal(size=width)}
    batch = {"x": rng.normal(size=(parts, 2, size)), "y": rng.normal(size=(parts, 2))}
    params, batch = jax.tree.map(np.float32, (params, batch))
    return params, batch, jax.tree.map(np.zeros_like, params)


def added(ref_gradients, params, batch, start):
    """The losses of one call under `jit`, and what is in the references after it."""
    sums = jax.tree.map(jax.new_ref, start)
    call = jax.jit(lambda params, batch, sums: ref_gradients(network, params, batch, sums))
    losses = call(params, batch, sums)
    return losses, jax.tree.map(lambda ref: ref[...], sums)


def added_for_two(ref_gradients, params, batches, start):
    """What is in the references after one call for each of two batches."""
    sums = jax.tree.map(jax.new_ref, start)
    for batch in batches:
        ref_gradients(network, params, batch, sums)
    return jax.tree.map(lambda ref: ref[...], sums)


def close(found, expected):
    assert_close(found, expected, rtol=1e-3, atol=1e-3)


@pytest.mark.hint("Which of the results of one round are kept for all rounds?")
def test_each_part_has_a_loss(submission, rng):
    """The result holds the loss of each part, in their order."""
    params, batch, start = problem(rng, 5)
    losses, _ = submission.ref_gradients.used_by(added).jit()(params, batch, start)
    close(losses, exact(params, batch)[0])


@pytest.mark.points(2)
@pytest.mark.hint("Does your code write to the references, or does it make new arrays?")
def test_the_gradients_are_added_up(submission, rng):
    """After a call, the references of the caller hold the sum of the gradients of all parts."""
    params, batch, start = problem(rng, 5)
    _, sums = submission.ref_gradients.used_by(added).jit()(params, batch, start)
    close(sums, exact(params, batch)[1])


@pytest.mark.points(2)
@pytest.mark.hint("What was in the references before the call?")
def test_what_is_there_stays(submission, rng):
    """The gradients of two batches are added to what was in the references before."""
    params, one, _ = problem(rng, 5)
    _, other, start = problem(rng, 5)
    start = jax.tree.map(lambda a: np.float32(10 + rng.normal(size=a.shape)), start)
    found = submission.ref_gradients.used_by(added_for_two).jit()(params, (one, other), start)
    grads = [exact(params, batch)[1] for batch in (one, other)]
    close(found, jax.tree.map(lambda a, b, c: np.float64(a) + b + c, start, *grads))


@pytest.mark.points(4)
@pytest.mark.hint("Do the gradients of all parts exist at the same time somewhere?")
def test_one_gradient_at_a_time(submission, rng):
    """One loop goes through the parts, and holds the gradient of one part only."""
    params, batch, start = problem(rng, 40, 6, 50)
    program = submission.ref_gradients.used_by(added).program(params, batch, start)
    with case(
        "in the size of the program",
        hint="A Python loop writes the loss into the program once for each part.",
    ):
        # A part takes more than six.
        assert program.size < 6 * 40
    close(program.structured(params, batch, start), exact(params, batch))
    with case("in the memory"):
        # A gradient has 350 numbers, and a round of one part makes some 2,200 in all.
        assert program.elements < 3_300


def linear(params, part):
    """A loss whose gradient is the part, whatever the parameters are."""
    return jnp.sum(params["bias"] * part["b"] + params["rest"][0] @ part["v"]).astype(jnp.float32)


def added_for_linear(ref_gradients, params, batch, start):
    sums = jax.tree.map(jax.new_ref, start)
    losses = ref_gradients(linear, params, batch, sums)
    return losses, jax.tree.map(lambda ref: ref[...], sums)


def test_details(submission, rng):
    """It works for a number and a None, a single part, and in bfloat16."""
    used = submission.ref_gradients.used_by(added_for_linear).jit()

    def given(dtype, parts):
        params = {"bias": np.zeros((), dtype), "rest": (np.zeros(3, dtype), None)}
        batch = {"b": np.ones(parts), "v": rng.integers(1, 9, size=(parts, 3))}
        # In bfloat16, what follows would add nothing to these.
        batch["b"][0] = 512
        batch["v"][0] = 2048
        batch = jax.tree.map(lambda a: a.astype(dtype), batch)
        start = jax.tree.map(lambda a: np.zeros(a.shape, np.float32), params)
        sums = jax.tree.map(lambda a: a.astype(np.float32).sum(axis=0), batch)
        return params, batch, start, {"bias": sums["b"], "rest": (sums["v"], None)}

    with case("for a number and a None", hint="Does your code ask for the shape of a leaf?"):
        *arrays, expected = given(np.float32, 6)
        assert_close(used(*arrays), (np.zeros(6, np.float32), expected))
    with case("for a single part", hint="How many losses are there?"):
        *arrays, expected = given(np.float32, 1)
        assert_close(used(*arrays), (np.zeros(1, np.float32), expected))
    with case("in bfloat16", hint="Which dtype has the gradient, and which one the reference?"):
        *arrays, expected = given(jnp.bfloat16, 6)
        assert_close(used(*arrays), (np.zeros(6, np.float32), expected))
