"""per_example_grads(loss, params, X, Y): row n of each leaf is the gradient of example n alone."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


class Layer(NamedTuple):
    weights: Any
    biases: Any


def normal(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def squared_error(params, x, y):
    """The error of a line. Called with a batch by mistake, it still gives one number."""
    return jnp.mean((jnp.dot(x, params["w"]) + params["b"] - y) ** 2)


def line(rng, n, d):
    params = {"w": normal(rng, d), "b": normal(rng)}
    return params, normal(rng, n, d), normal(rng, n)


def line_grads(params, X, Y):
    """The gradients of `squared_error` in float64, one row per example."""
    w, b, X, Y = (a.astype(np.float64) for a in (params["w"], params["b"], X, Y))
    error = 2 * (X @ w + b - Y)
    return {"w": error[:, None] * X, "b": error}


def check_line(result, params, X, Y):
    """Errors may be near 0, so the tolerance is absolute; numbers are of order ten."""
    assert_close(result, line_grads(params, X, Y), atol=1e-4)


@pytest.mark.hint("Which arguments have an axis of examples? Do you map over each of these?")
def test_each_row_is_the_gradient_of_one_example(submission, rng):
    """Row n of each leaf is the gradient of example n."""
    for n, d in ((4, 3), (6, 2)):
        params, X, Y = line(rng, n, d)
        check_line(submission.per_example_grads(squared_error, params, X, Y), params, X, Y)


@pytest.mark.hint("If N equals the length of a parameter, a wrong map also runs without an error.")
def test_as_many_examples_as_parameters(submission, rng):
    """With N = d, the parameters are still shared by all examples."""
    params, X, Y = line(rng, 4, 4)
    check_line(submission.per_example_grads(squared_error, params, X, Y), params, X, Y)


@pytest.mark.hint("For a batch of one, the gradient has one row.")
def test_a_batch_of_one_stays_a_batch(submission, rng):
    """A single example gives leaves with a first axis of length 1."""
    params, X, Y = line(rng, 1, 3)
    check_line(submission.per_example_grads(squared_error, params, X, Y), params, X, Y)


def cross_entropy(layers, tokens, label):
    """Two layers and a softmax; tokens and the label are integers that are used as indices."""
    first, (second, shift) = layers
    hidden = jnp.tanh(first.weights[tokens].sum(axis=0) + first.biases)
    return -jax.nn.log_softmax(hidden @ second + shift)[label]


def network_grads(layers, tokens, labels):
    """The gradients of `cross_entropy` in float64, worked out by hand."""
    first, (second, shift) = jax.tree.map(lambda p: p.astype(np.float64), layers)
    X = np.eye(len(first.weights))[tokens].sum(axis=1)
    hidden = np.tanh(X @ first.weights + first.biases)
    logits = hidden @ second + shift
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    delta = odds / odds.sum(axis=1, keepdims=True) - np.eye(len(shift))[labels]
    back = (delta @ second.T) * (1 - hidden**2)
    outer = "ni,nj->nij"
    return [
        Layer(np.einsum(outer, X, back), back),
        (np.einsum(outer, hidden, delta), delta),
    ]


@pytest.mark.points(2)
@pytest.mark.hint("Let JAX keep the structure, and use the loss, examples and targets as they are.")
def test_any_tree_and_integers(submission, rng):
    """A network in nested containers, with integers as examples and targets, gets its gradients."""
    layers = [
        Layer(normal(rng, 3, 6), normal(rng, 6)),
        (normal(rng, 6, 5), normal(rng, 5)),
    ]
    X, labels = (rng.integers(0, n, size=s).astype(np.int32) for n, s in [(3, (4, 2)), (5, 4)])
    result = submission.per_example_grads(cross_entropy, layers, X, labels)
    assert_close(result, network_grads(layers, X, labels), atol=5e-5)


@pytest.mark.points(4)
@pytest.mark.hint("A Python loop adds a backward pass to the program for each example.")
def test_the_program_does_not_grow(submission, rng):
    """The program for three hundred examples has fewer operations than examples."""
    params, X, Y = line(rng, 300, 4)
    program = submission.per_example_grads.program(squared_error, params, X, Y)
    assert program.size < 300
    check_line(program.structured(squared_error, params, X, Y), params, X, Y)


def activation(x):
    """The hyperbolic tangent, with a derivative in reverse mode only."""
    found = jax.custom_vjp(jnp.tanh)
    found.defvjp(lambda x: (jnp.tanh(x), jnp.tanh(x)), lambda y, g: (g * (1 - y * y),))
    return found(x)


def neuron(w, x, y):
    return activation(x @ w) + y


def total(f, params, X, Y):
    """The sum of all gradients of a line."""
    return sum(leaf.sum() for leaf in jax.tree.leaves(f(squared_error, params, X, Y)))


def test_details(submission, rng):
    """It works for a `custom_vjp`, leaves of two dtypes, NaN, and in its own derivative."""
    with case("for a loss with a `custom_vjp`", hint="It has a derivative only in reverse mode."):
        w, X, Y = normal(rng, 3), normal(rng, 5, 3), normal(rng, 5)
        slopes = 1 - np.tanh(X.astype(np.float64) @ w) ** 2
        found = submission.per_example_grads(neuron, w, X, Y)
        assert_close(found, slopes[:, None] * X, atol=5e-5)
    with case("for leaves of two dtypes", hint="Do you join the leaves? Each has its own dtype."):
        w, b, X, Y = (rng.integers(-2, 3, s).astype(np.float32) for s in (3, (), (4, 3), 4))
        params = {"w": w.astype(jnp.bfloat16), "b": b}
        expected = line_grads(params, X, Y)
        expected["w"] = expected["w"].astype(jnp.bfloat16)
        assert_close(submission.per_example_grads(squared_error, params, X, Y), expected)
    with case("where one example has NaN", hint="Do examples mix? 0 times NaN is NaN."):
        params, X, Y = line(rng, 4, 3)
        Y[2] = np.nan
        expected = line_grads(params, X, Y)
        found = submission.per_example_grads(squared_error, params, X, Y)
        assert_close(found, expected, atol=1e-4, nonfinite=True)
    with case("in the derivative of the result", hint="Is its program one pass for all examples?"):
        params, X, Y = line(rng, 300, 4)
        program = submission.per_example_grads.used_by(total).grad().program(params, X, Y)
        assert program.size < 300
        share = 2 * (X.sum(axis=1, dtype=np.float64) + 1)
        expected = {"w": share @ X, "b": np.asarray(share.sum())}
        assert_close(program.structured(params, X, Y), expected, atol=1e-3)
