"""grad_accumulation(loss, params, batch, parts): the gradient of a weighted mean, part by part.

Two losses: a small network, whose gradient is computed in float64, and a linear one, whose gradient
is a weighted mean of the inputs. Wherever weights are drawn, the parts have very unequal ones.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


class Layer(NamedTuple):
    weights: Any
    biases: Any


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


def problem(rng, rows, width=3, scale=1.0):
    """Parameters of the network, and a batch in which all examples have the weight 1."""
    params = {"first": rng.normal(size=(2, width)), "second": scale * rng.normal(size=width)}
    batch = {
        "x": rng.normal(size=(rows, 2)),
        "y": scale * rng.normal(size=rows),
        "weight": np.ones(rows),
    }
    return jax.tree.map(np.float32, (params, batch))


def unequal(rng, rows, parts):
    """Weights that differ a lot between the parts, and a little in each of them."""
    of_parts = rng.permutation(10.0 ** np.linspace(-2, 1, parts)).repeat(rows // parts)
    return np.float32(of_parts * rng.uniform(0.5, 1.5, size=rows))


def linear(params, batch):
    """A loss that is linear in all parameters."""
    layer, (table, _) = params["layers"][0], params["rest"]
    each = batch["x"] @ layer.weights + table[batch["token"]]
    each += layer.biases * batch["image"].sum(axis=(1, 2))
    weight = batch["mask"].astype(jnp.float32)
    return jnp.sum(weight * each), jnp.sum(weight)


@pytest.mark.hint("All weights are 1 here, so the loss is the mean over all examples of the batch.")
def test_equal_weights(submission, rng):
    """Where all examples have the same weight, the result is that of the batch as a whole."""
    for rows, parts in [(12, 4), (12, 1), (5, 5), (1, 1)]:
        params, batch = problem(rng, rows)
        found = submission.grad_accumulation(network, params, batch, parts)
        assert_close(found, exact(params, batch), rtol=1e-4, atol=1e-5)


@pytest.mark.points(3)
@pytest.mark.hint("A part with twice the weight counts twice. When do you divide, and by what?")
def test_parts_of_unequal_weight(submission, rng):
    """Each example counts by its weight, in whatever part of the batch it is."""
    for scale, of_weights in ((1.0, 1e-5), (1e-6, 1.0), (1e6, 1e5)):
        params, batch = problem(rng, 24, scale=scale)
        batch["weight"] = unequal(rng, 24, 6) * np.float32(of_weights)
        value, grads = submission.grad_accumulation(network, params, batch, 6)
        expected, slopes = exact(params, batch)
        assert_close(value, expected, rtol=1e-4)
        assert_close(grads["second"], slopes["second"], atol=1e-4 * scale)
        assert_close(grads["first"], slopes["first"], atol=1e-4 * scale**2)


@pytest.mark.hint("What is the mean over a part that has only padding?")
def test_parts_of_padding(submission, rng):
    """Parts that hold only padding change nothing, wherever they are."""
    params, batch = problem(rng, 16)
    batch["weight"] = np.float32([0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0])
    found = submission.grad_accumulation(network, params, batch, 8)
    assert_close(found, exact(params, batch), rtol=1e-4, atol=1e-5)
    # Of many examples, too, all parts count.
    params, batch = problem(rng, 1200)
    found = submission.grad_accumulation(network, params, batch, 8)
    assert_close(found, exact(params, batch), rtol=1e-4, atol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("Do all parts exist at the same time somewhere, as under `vmap`?")
def test_only_one_part_is_held(submission, rng):
    """Intermediate results have the size of one part, not of the batch."""
    rows, width, parts = 160, 150, 40
    params, batch = problem(rng, rows, width)
    program = submission.grad_accumulation.program(network, params, batch, parts)
    found = program.structured(params, batch)
    assert_close(found, exact(params, batch), rtol=1e-4, atol=1e-4)
    # 600 for a part, and 1,200 for two. The batch itself has 320, and the parameters 300.
    assert program.largest_intermediate < 2 * rows * width / parts


@pytest.mark.hint("A Python loop writes the loss into the program once for each part.")
def test_the_program_does_not_grow(submission, rng):
    """Sixteen times as many parts need no bigger program."""
    function, given = submission.grad_accumulation, []
    for parts in (6, 96):
        params, batch = problem(rng, 3 * parts)
        batch["weight"][:] = 2
        given.append((function.program(network, params, batch, parts), params, batch))
    (few, *_), (many, *_) = given
    assert many.size <= 2 * few.size
    # A step of each part has ten operations at least.
    assert many.size < 960
    for program, params, batch in given:
        assert_close(program.structured(params, batch), exact(params, batch), rtol=1e-4, atol=1e-5)


@pytest.mark.hint("In bfloat16, 256 + 1 is 256. And a sum needs zeros of the shape of each leaf.")
def test_any_tree_and_half_precision(submission, rng):
    """Parameters in any containers, batches of any dtypes, and long sums for bfloat16 are right."""
    rows = 24
    for dtype, bias in ((np.float32, np.float32(1)), (jnp.bfloat16, np.float32(-2))):
        layer = Layer(np.zeros(3, dtype), np.asarray(bias))
        params = {"layers": [layer], "rest": (np.zeros(4, dtype), None), "no": np.zeros((0, 2))}
        params["no"] = params["no"].astype(dtype)
        x = np.tile(np.float32([1, -3, 0.5]), (rows, 1)) * rng.choice([1, 2])
        # As large that in bfloat16 the others would add nothing to them, from either end.
        x[[0, -1]] *= 256
        mask = np.ones(rows, bool)
        mask[rng.integers(1, rows - 1)] = False
        x = x.astype(dtype)
        batch = {"x": x, "mask": mask, "token": np.resize(np.int8([3, 1, 1, 0]), rows)}
        # Rows may be matrices. In each of these, one number is 1.
        batch["image"] = np.tile(np.uint8([[0, 0, 0], [0, 1, 0]]), (rows, 1, 1))
        shares = np.bincount(batch["token"][mask], minlength=4) / mask.sum()
        grads = {
            "layers": [Layer(x[mask].mean(axis=0, dtype=float).astype(dtype), np.float32(1))],
            "rest": (shares.astype(dtype), None),
            "no": params["no"],
        }
        found = submission.grad_accumulation(linear, params, batch, rows)
        rtol = 0.01 if dtype is jnp.bfloat16 else 1e-5
        assert_close(found, (bias, grads), rtol=rtol)
    # What isn't a number spoils its own column.
    x[1, 0], x[2, 1] = np.nan, np.inf
    mask[1:3] = True
    _, grads = submission.grad_accumulation(linear, params, batch, rows)
    last = x[mask, 2].mean(dtype=float)
    weights = np.asarray([np.nan, np.inf, last], jnp.bfloat16)
    assert_close(grads["layers"][0].weights, weights, rtol=0.01, nonfinite=True)


@pytest.mark.hint("Only the number of parts is known while tracing. Which loops have a gradient?")
def test_under_jit_and_grad(submission, rng):
    """Under `jit` one program serves all numbers, and both results have derivatives."""

    def mixed(value, grads):
        return -0.5 * value + 0.25 * grads["first"].sum() - grads["second"].sum()

    def slopes(grad_accumulation, params, batch):
        def both(params, batch):
            found = grad_accumulation(network, params, batch, 4)
            return mixed(*found), found

        return jax.grad(both, argnums=(0, 1), has_aux=True)(params, batch)

    def differences(given):
        """The derivative of all numbers, from steps in float64."""
        wide = jax.tree.map(lambda x: x.astype(float), given)
        for x in jax.tree.leaves(wide):
            slope = np.zeros_like(x)
            for k in np.ndindex(x.shape):
                kept, sides = x[k], []
                for step in (1e-5, -1e-5):
                    x[k] = kept + step
                    sides.append(mixed(*exact(*wide)))
                x[k] = kept
                slope[k] = (sides[0] - sides[1]) / 2e-5
            yield slope

    jitted = submission.grad_accumulation.used_by(slopes).jit()
    for _ in range(2):
        params, batch = problem(rng, 80)
        batch["weight"] = unequal(rng, 80, 4)
        params["second"][0] = batch["x"][1, 0] = batch["y"][2] = 0
        found, results = jitted(params, batch)
        assert_close(results, exact(params, batch), rtol=1e-4, atol=1e-4)
        assert_close(jax.tree.leaves(found), list(differences((params, batch))), atol=2e-4)
