"""per_example_grads(loss, params, X, Y): row n of each leaf is the gradient of example n alone."""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


class Layer(NamedTuple):
    weights: Any
    biases: Any
    scale: Any = None


def normal(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def squared_error(params, x, y):
    """The error of a line. Called with a batch by mistake, it still gives one number."""
    return jnp.mean((jnp.dot(x, params["w"]) + params["b"] - y) ** 2)


@jax.jit
def compiled_error(params, x, y):
    """The same, which is compiled as one even when its caller isn't."""
    return squared_error(params, x, y)


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


def activation(x):
    """The hyperbolic tangent, with a derivative in reverse mode only."""
    found = jax.custom_vjp(jnp.tanh)
    found.defvjp(lambda x: (jnp.tanh(x), jnp.tanh(x)), lambda y, g: (g * (1 - y * y),))
    return found(x)


@jax.jit
def cross_entropy(layers, tokens, label):
    """Two layers and a softmax; tokens and the label are integers that are used as indices."""
    first, (second, shift) = layers
    hidden = activation(first.weights[tokens].sum(axis=0) + first.biases)
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


@pytest.mark.hint("Row n of each leaf must be what you get from example n on its own.")
def test_each_row_is_the_gradient_of_one_example(submission, rng):
    """Row n of each leaf is the gradient of example n, for numbers of any size and precision."""
    params, X, Y = line(rng, 4, 3)
    check_line(submission.per_example_grads(squared_error, params, X, Y), params, X, Y)
    # Nothing cancels, so each gradient has a small relative error.
    X, w = rng.uniform(1, 2, size=(4, 3)), rng.uniform(1, 2, size=3)
    b, Y = rng.uniform(1e-6, 2e-6), rng.uniform(-2, -1, size=4)
    scale = 10.0 ** rng.permutation([-6, -6, 0, 4])
    X, Y = X * scale[:, None], Y * scale
    for size in (1, 1e5):
        params, X, Y = jax.tree.map(np.float32, ({"w": size * w, "b": size * b}, X, Y))
        found = submission.per_example_grads(squared_error, params, X, Y)
        assert_close(found, line_grads(params, X, Y), rtol=1e-5)
    # NaN in the parameters, then in an example and in the target of another one.
    nan = {"w": np.full_like(X, np.nan), "b": np.full_like(Y, np.nan)}
    found = submission.per_example_grads(squared_error, params | {"b": np.float32(np.nan)}, X, Y)
    assert_close(found, nan, nonfinite=True)
    x, y = X.copy(), Y.copy()
    x[0, 1] = y[2] = np.nan
    found = submission.per_example_grads(squared_error, params, x, y)
    assert_close([found["w"][::2], found["b"][::2]], [nan["w"][::2], nan["b"][::2]], nonfinite=True)
    # One infinite gradient: the other rows may be NaN.
    X[1, 0], Y[1] = np.inf, -np.inf
    found = submission.per_example_grads(squared_error, params, X, Y)
    assert_close([found["w"][1], found["b"][1]], [np.full(3, np.inf), np.inf], nonfinite=True)
    # Gradients of up to 64, which are exact in half precision.
    whole = {"w": rng.integers(-2, 3, 3), "b": rng.integers(-2, 3, ())}
    whole = whole, rng.integers(-2, 3, (4, 3)), rng.integers(-2, 3, 4)
    half = jax.tree.map(lambda part: np.asarray(part).astype(jnp.bfloat16), whole)
    # Targets of full precision: odd numbers above 256 have too many digits for the parameters.
    params, X, Y = half[0] | {"b": np.asarray(256, jnp.bfloat16)}, *map(np.float32, half[1:])
    Y = 257 + 2 * abs(Y)
    expected = jax.tree.map(lambda part: part.astype(jnp.bfloat16), line_grads(params, X, Y))
    assert_close(submission.per_example_grads(compiled_error, params, X, Y), expected, atol=0)
    # Each leaf keeps its own dtype, where they differ.
    half[0]["b"], expected = half[0]["b"].astype(np.float32), line_grads(*half)
    expected["w"] = expected["w"].astype(jnp.bfloat16)
    assert_close(submission.per_example_grads(compiled_error, *half), expected, atol=0)
    # Gradients that are as small as half precision allows: none may be divided by their number.
    X, Y = (rng.integers(1, 9, 1000) * 2.0**-14).astype(np.float16), np.zeros(1000, np.float16)
    found = submission.per_example_grads(product, {"w": np.ones(1, np.float16)}, X, Y)
    assert_close(found, {"w": X[:, None]}, atol=0)


@jax.jit
def reading(w, x, y):
    """The target is used as an index, and the example isn't."""
    return w[y].sum() * activation((x @ w).sum())


@jax.jit
def product(params, x, y):
    return (params["w"] * x).sum() + y


def logarithm(params, x, y):
    """Its derivatives are infinite where all of `x` is 0."""
    return jnp.log(x @ params["w"]) + y


def total(f, params, X, Y):
    """Minus half the sum of all gradients of a line."""
    return -0.5 * sum(leaf.sum() for leaf in jax.tree.leaves(f(squared_error, params, X, Y)))


def rows_and_slopes(f, of_line, of_logarithms):
    """The gradients of a line, those of `total`, and those of a sum of gradients of `logarithm`."""
    rows, slopes = f(squared_error, *of_line), jax.grad(partial(total, f), (0, 1, 2))(*of_line)
    params, X, Y = of_logarithms
    return rows, slopes, jax.grad(lambda p: f(logarithm, p, X, Y)["w"].sum())(params)


def total_slopes(params, X, Y):
    """The gradients of `total` in all arguments: it is the sum of -error * share."""
    w, b, X, Y = (a.astype(np.float64) for a in (params["w"], params["b"], X, Y))
    share, error = X.sum(axis=1) + 1, X @ w + b - Y
    return (
        {"w": -share @ X, "b": np.asarray(-share.sum())},
        -share[:, None] * w - error[:, None],
        share,
    )


@pytest.mark.hint("If N equals the length of a parameter, a wrong map runs without an error, too.")
def test_as_many_examples_as_parameters(submission, rng):
    """With N = d the parameters are still shared, and the result has the right gradients."""
    of_line = params, X, Y = line(rng, 4, 4)
    params["w"][1] = X[0, 0] = Y[2] = 0
    # An example of zeros, which nobody gave, has no finite derivatives of logarithms.
    w, x, y = *(np.float32(rng.uniform(1, 2, size=s)) for s in (3, (5, 3))), normal(rng, 5)
    found = submission.per_example_grads.used_by(rows_and_slopes).jit()(of_line, ({"w": w}, x, y))
    rows, slopes, of_logarithms = found
    check_line(rows, params, X, Y)
    assert_close(slopes, total_slopes(params, X, Y), atol=1e-4)
    products = x.astype(np.float64) @ w
    assert_close(of_logarithms, {"w": -(x.sum(axis=1) / products**2) @ x}, rtol=1e-5)


@pytest.mark.hint("For a batch of one, the gradient has one row.")
def test_a_batch_of_one_stays_a_batch(submission, rng):
    """A single example gives leaves with a first axis of length 1."""
    params, X, Y = line(rng, 1, 3)
    result = submission.per_example_grads.jit(static_argnums=0)(squared_error, params, X, Y)
    check_line(result, params, X, Y)


@pytest.mark.points(2)
@pytest.mark.hint("Let JAX keep the structure, and use the loss, examples and targets as they are.")
def test_any_tree_and_any_loss(submission, rng):
    """A network in nested containers, with integers as examples and targets, gets its gradients."""
    layers = [
        Layer(normal(rng, 3, 6), normal(rng, 6)),
        (normal(rng, 6, 5), normal(rng, 5)),
    ]
    # As many examples as the first matrix has rows.
    X, labels = (rng.integers(0, n, size=s).astype(np.int32) for n, s in [(3, (3, 2)), (5, 3)])
    result = submission.per_example_grads(cross_entropy, layers, X, labels)
    assert_close(result, network_grads(layers, X, labels), atol=1e-5)
    # With few parameters, too, the derivative may exist in reverse mode only. Each example is a
    # matrix, and its target a vector of integers.
    # All numbers are small: where tanh is near 1, float32 loses most digits of its derivative.
    w, X = (np.float32(rng.uniform(-0.5, 0.5, size=s)) for s in (2, (5, 3, 2)))
    Y = rng.integers(0, 2, (5, 4)).astype(np.int32)
    result = submission.per_example_grads(reading, w, X, Y)
    x, counts = X.sum(axis=1, dtype=np.float64), np.eye(2)[Y].sum(axis=1)
    found = np.tanh(x @ w)[:, None]
    assert_close(result, counts * found + (counts @ w)[:, None] * (1 - found**2) * x, atol=1e-5)


@pytest.mark.points(3)
@pytest.mark.hint("A Python loop puts a backward pass into the program for each example.")
def test_the_program_does_not_grow(submission, rng):
    """The program for three hundred examples is as small as the one for three."""
    few = submission.per_example_grads.program(squared_error, *line(rng, 3, 4))
    # A small program can be made as big as a big one. But no loop over the examples fits in here,
    # nor a Python loop over blocks of them.
    assert few.size < 300
    many = submission.per_example_grads.program(squared_error, *line(rng, 300, 4))
    # A factor of 2, since loops over blocks of examples are right, too.
    assert many.size <= 2 * few.size and many.size < 300
    most = submission.per_example_grads.program(squared_error, *line(rng, 2000, 4))
    assert most.size <= 2 * few.size
    for n, program in ((3, few), (300, many), (2000, most)):
        params, X, Y = line(rng, n, 4)
        # The leaves of a dict come in the sorted order of its keys.
        check_line(dict(zip("bw", program(squared_error, params, X, Y), strict=True)), params, X, Y)


@pytest.mark.points(2)
@pytest.mark.hint("What is differentiated should be one backward pass for the whole batch.")
def test_the_program_of_its_derivative_does_not_grow(submission, rng):
    """The program of a derivative of the result is as small for sixty examples as for three."""
    derivative = submission.per_example_grads.used_by(total).grad()
    few = derivative.program(*line(rng, 3, 4))
    assert few.size < 300
    many = derivative.program(*line(rng, 60, 4))
    assert many.size <= 2 * few.size and many.size < 300
    for n, program in ((3, few), (60, many)):
        arguments = line(rng, n, 4)
        assert_close(program.structured(*arguments), total_slopes(*arguments)[0], atol=1e-3)
