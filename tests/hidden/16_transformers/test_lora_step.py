"""lora_step(weights, factors, x, y, alpha, lr): values, and how large the arrays of it are.

The hidden numbers are around 1, where tanh has a slope. Targets are far from the output, so that no
gradient is small by chance.
"""

import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close, case

BATCH, SIZES, RANK = 5, (6, 7, 3), 2


def draw(rng, sizes=SIZES, ranks=None, batch=BATCH):
    """Arguments in float32."""
    ranks = ranks or (RANK,) * (len(sizes) - 1)
    weights, factors = [], []
    for n, m, r in zip(sizes[:-1], sizes[1:], ranks, strict=True):
        weights.append(rng.normal(size=(n, m)) / np.sqrt(n))
        factors.append({"a": rng.normal(size=(n, r)), "b": rng.normal(size=(r, m)) / n})
    x, y = rng.normal(size=(batch, sizes[0])), rng.normal(size=(batch, sizes[-1])) + 3
    given = weights, factors, x, y, rng.uniform(1.2, 2.5), rng.uniform(0.5, 1)
    return single(given)


def single(tree):
    """The same tree in float32."""
    if isinstance(tree, list | tuple):
        return type(tree)(map(single, tree))
    if isinstance(tree, dict):
        return {name: single(part) for name, part in tree.items()}
    return np.asarray(tree, np.float32)


def exact(weights, factors, x, y, alpha, lr):
    """The loss and the new factors by the chain rule in float64."""
    alpha, lr, h = float(alpha), float(lr), x.astype(np.float64)
    inputs, merged = [], []
    for layer, (w, one) in enumerate(zip(weights, factors, strict=True)):
        h = np.tanh(h) if layer else h
        a, b = (one[name].astype(np.float64) for name in "ab")
        inputs.append(h)
        merged.append(w.astype(np.float64) + alpha / a.shape[1] * a @ b)
        h = h @ merged[-1]
    g = 2 * (h - y) / h.size
    new = []
    for layer in reversed(range(len(weights))):
        a, b = (factors[layer][name].astype(np.float64) for name in "ab")
        slope = alpha / a.shape[1] * inputs[layer].T @ g
        new.insert(0, {"a": a - lr * slope @ b.T, "b": b - lr * a.T @ slope})
        g = g @ merged[layer].T
        if layer:
            g = g * (1 - inputs[layer] ** 2)
    return np.asarray(np.mean((h - y) ** 2)), new


def check(found, given):
    assert_close(found, exact(*given), atol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("Where does alpha / r belong? And over how many numbers is the mean?")
def test_one_layer(submission, rng):
    """For a single layer, the loss and the new factors are those of the formula."""
    given = draw(rng, (6, 4))
    check(submission.lora_step(*given), given)
    *arrays, alpha, lr = given
    check(submission.lora_step(*arrays, float(alpha), float(lr)), given)


@pytest.mark.points(3)
@pytest.mark.hint("Gradients don't go into the weights, but they go through them. Do yours?")
def test_gradients_go_through_the_frozen_weights(submission, rng):
    """With several layers, the factors of the first layers have their whole gradient."""
    for sizes in (SIZES, (3, 5, 4, 2)):
        given = draw(rng, sizes)
        check(submission.lora_step.jit()(*given), given)


@pytest.mark.points(3)
@pytest.mark.hint("Which product do you compute first? How large are it and its gradient?")
def test_no_array_is_as_large_as_the_weights(submission, rng):
    """With large weights and thin factors, the program creates nothing as large as the weights."""
    given = draw(rng, (400, 300, 3))
    program = submission.lora_step.program(*given)
    check(program.structured(*given), given)
    # The first weights are read once. To make and read such an array takes twice as much again.
    assert program.bytes < 3 * given[0][0].nbytes


@pytest.mark.hint("In a scan, only the numbers in the weights and factors may change.")
def test_many_steps_in_a_scan(submission, rng):
    """In a `scan` over batches, each step begins with the factors of the last one."""

    def train(lora_step, weights, factors, xs, ys, alpha, lr):
        def step(factors, batch):
            loss, factors = lora_step(weights, factors, *batch, alpha, lr)
            return factors, loss

        return lax.scan(step, factors, (xs, ys))

    weights, factors, _, _, alpha, lr = draw(rng)
    batches = [draw(rng)[2:4] for _ in range(3)]
    xs, ys = map(np.stack, zip(*batches, strict=True))
    lr = lr / 10
    found = submission.lora_step.used_by(train)(weights, factors, xs, ys, alpha, lr)
    losses = []
    for x, y in batches:
        loss, factors = exact(weights, factors, x, y, alpha, lr)
        losses.append(loss)
    assert_close(found, (factors, np.stack(losses)), atol=2e-4)


def test_details(submission, rng):
    """It works for factors of different r and for sizes of 1."""
    step = submission.lora_step.jit()
    with case("for factors of different r", hint="r is a shape of each layer."):
        given = draw(rng, SIZES, (1, 3))
        check(step(*given), given)
    with case("for sizes of 1", hint="Does one of your operations drop axes of length 1?"):
        given = draw(rng, (1, 1, 1), (1, 1), batch=1)
        check(step(*given), given)
