"""remat_chain(weights, x): what a backward pass keeps, and what it computes again.

The forward and the backward pass are two programs. What goes from one to the other is kept. Another
program returns the value and the gradients: its work is counted. A product of [N, D] and [D, D] has
2 N D D operations, all other steps of a layer less than 50 N D + 2 D D. So where D is near 100, a
product more or less in one layer is seen at once.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def draw(rng, layers, rows, width):
    """Weights of which each changes its input, an input, and a gradient that arrives."""
    weights = rng.normal(size=(layers, width, width)) * 2 / np.sqrt(width)
    if width == 1:
        weights = abs(weights)  # so that no number cancels: a row has no other one
    x = rng.normal(size=(rows, width)) * 10 ** rng.uniform(-2, 0.5, size=(rows, 1))
    g = rng.normal(size=(rows, width)) * 10 ** rng.uniform(-2, 2, size=(rows, 1))
    return weights.astype(np.float32), x.astype(np.float32), g.astype(np.float32)


def gelu(h):
    """The value and the slope of gelu, in float64."""
    inner = np.sqrt(2 / np.pi) * (h + 0.044715 * h**3)
    tanh = np.tanh(inner)
    slope = np.sqrt(2 / np.pi) * (1 + 3 * 0.044715 * h**2)
    return h * (1 + tanh) / 2, (1 + tanh) / 2 + h * (1 - tanh**2) * slope / 2


def exact(weights, x, g):
    """The output of the chain and its gradients, in float64."""
    weights, x, g = (np.float64(array) for array in (weights, x, g))
    inputs, slopes = [], []
    for w in weights:
        inputs.append(x)
        value, slope = gelu(x @ w)
        slopes.append(slope)
        x = x + value
    gradients, sizes = [], []
    for w, before, slope in zip(weights[::-1], inputs[::-1], slopes[::-1], strict=True):
        arrived = g * slope
        gradients.append(before.T @ arrived)
        # The slope is a sum of numbers near 1, and may be almost 0.
        sizes.append((np.abs(before).T @ np.abs(g)).max())
        g = g + arrived @ w.T
    return x, (np.stack(gradients[::-1]), g), np.stack(sizes[::-1])


def check(found, expected, atol=1e-4):
    """Row by row: rows have different scales."""
    scale = np.abs(expected).max(axis=-1, keepdims=True)
    scale[scale == 0] = 1
    assert_close(found / np.float32(scale), expected / scale, atol=atol)


def check_weights(found, expected, sizes, atol=5e-5):
    """Layer by layer, and beside the size of the numbers that are summed."""
    scale = sizes[:, None, None]
    assert_close(found / np.float32(scale), expected / scale, atol=atol)


def check_all(value, gradients, weights, x, g, loss=1):
    """`loss` is how much less exact than float32 the numbers may be."""
    expected, (in_weights, in_x), sizes = exact(weights, x, g)
    check(value, expected, 1e-4 * loss)
    check_weights(gradients[0], in_weights, sizes, 5e-5 * loss)
    check(gradients[1], in_x, 1e-4 * loss)


def check_batch(found, drawn):
    """The value and the gradients of each example."""
    value, (in_weights, in_x) = found
    for n, one in enumerate(drawn):
        check_all(value[n], (in_weights[n], in_x[n]), *one)


def check_shared(found, weights, x, g):
    """The value and the gradients of all examples, which are like the rows of one."""
    value, (in_weights, in_x) = found
    value, in_x, x, g = (array.reshape(-1, x.shape[-1]) for array in (value, in_x, x, g))
    check_all(value, (in_weights, in_x), weights, x, g)


def work(chain, weights, x, g):
    """The value and the gradients."""
    value, backward = jax.vjp(chain, weights, x)
    return value, backward(g)


def work_of_a_batch(chain, weights, x, g):
    """The same for a batch, whose products have a batch axis, and for one with the same weights."""
    each = work(jax.vmap(chain), weights, x, g)
    return each, work(jax.vmap(chain, in_axes=(None, 0)), weights[0], x, g)


def model(chain, embedding, weights, tokens):
    """A loss of a network with the chain in its middle."""
    x = chain(weights, embedding[tokens])
    return jnp.mean(x * x)


def allowed(weights, x):
    """What the text allows, with the arguments counted twice: a copy of them may wait, too."""
    return 2 * weights.nbytes + 2 * x.nbytes + 2 * len(weights) * x.nbytes


def most_work(weights, x):
    """Three products for each layer, and all other steps."""
    return (3 * 2 * x.shape[1] + 50) * x.size * len(weights) + 2 * weights.size


@pytest.mark.hint("Which matrix comes first? And does each layer add its input to its result?")
def test_the_chain_is_right(submission, rng):
    """The layers follow one another, each adds its input, and bfloat16 stays bfloat16."""
    for layers, rows, width in ((2, 6, 4), (1, 1, 1), (3, 2, 3), (2, 0, 3)):
        weights, x, g = draw(rng, layers, rows, width)
        x *= 10 ** rng.uniform(-9, 9, size=(rows, 1)).astype(np.float32)
        check(submission.remat_chain(weights, x), exact(weights, x, g)[0])
    weights, x, g = draw(rng, 2, 3, 4)
    x[1, 2] = np.nan
    expected = exact(weights, x, g)[0]
    assert_close(submission.remat_chain(weights, x), expected, rtol=1e-3, atol=1e-4, nonfinite=True)
    # A NaN in the first matrix makes a column NaN, and the next layer makes all of it NaN.
    weights[0, 1, 2], x[1, 2] = np.nan, 0
    assert_close(submission.remat_chain(weights, x), np.full_like(x, np.nan), nonfinite=True)
    # Here the two formulas for gelu differ most.
    weights, x = np.full((1, 1, 1), 22, np.float32), np.linspace(-0.15, 0.15, 8)[:, None]
    check(submission.remat_chain(weights, x.astype(np.float32)), exact(weights, x, x)[0])
    # Of infinity, gelu makes infinity.
    weights, x = np.full_like(weights, np.inf), np.abs(x).astype(np.float32)
    assert_close(submission.remat_chain(weights, x), np.full_like(x, np.inf), nonfinite=True)
    weights, x = (array.astype(jnp.bfloat16) for array in draw(rng, 2, 3, 4)[:2])
    found = submission.remat_chain(weights, x)
    assert found.dtype == jnp.bfloat16
    check(found.astype(np.float32), exact(weights, x, x)[0], 0.05)


@pytest.mark.points(2)
@pytest.mark.hint("Does the gradient flow through every value of a layer, also through a kept one?")
def test_the_gradients_are_right(submission, rng):
    """The gradients in the weights of every layer and in the input are right."""
    used = submission.remat_chain.used_by(work)
    for layers, rows, width in ((3, 25, 4), (1, 2, 2)):
        weights, x, g = draw(rng, layers, rows, width)
        x[-1, :2] = weights[-1, 0, 1:] = 0
        value, gradients = used(weights, x, g)
        check_all(value, gradients, weights, x, g)
    half = [array.astype(jnp.bfloat16) for array in draw(rng, 2, 3, 4)]
    value, gradients = used(*half)
    assert value.dtype == gradients[0].dtype == gradients[1].dtype == jnp.bfloat16
    found = value.astype(np.float32), [part.astype(np.float32) for part in gradients]
    check_all(*found, *half, loss=1000)


@pytest.mark.points(4)
@pytest.mark.hint("Which values are kept, and which are computed again? Both are counted.")
def test_products_are_kept_and_nothing_else(submission, rng):
    """Two arrays for each layer are kept at most, and no product is computed twice."""
    weights, x, g = draw(rng, 3, 300, 96)
    for part in (weights, weights[:1]):
        value, kept = submission.remat_chain.kept(part, x)
        # Both are asked of the same programs, since each alone is easy.
        assert kept.bytes <= allowed(part, x)
        assert kept.forward.flops + kept.backward.flops <= most_work(part, x)
        check_all(value, kept.gradients(g), part, x, g)
    half = [array.astype(jnp.bfloat16) for array in (weights, x)]
    assert submission.remat_chain.kept(*half)[1].bytes <= allowed(*half)
    drawn = [draw(rng, 2, 24, 96) for _ in range(3)]
    given = [np.stack(arrays) for arrays in zip(*drawn, strict=True)]
    batch = submission.remat_chain.used_by(work_of_a_batch).program(*given)
    assert batch.flops <= 2 * 3 * most_work(*drawn[0][:2])
    each, shared = batch.structured(*given)
    check_batch(each, drawn)
    check_shared(shared, given[0][0], *given[1:])


@pytest.mark.points(2)
@pytest.mark.hint("A loss of the chain's output is differentiated. What does it keep and repeat?")
def test_a_network_keeps_little_and_repeats_little(submission, rng):
    """The loss of a network with this chain keeps little, too, and repeats no product."""
    weights, embedding, _ = draw(rng, 5, 7, 96)
    tokens = rng.integers(7, size=260).astype(np.int32)
    given = embedding, weights, tokens
    value, kept = submission.remat_chain.jit().used_by(model).kept(*given)
    x = embedding[tokens]
    # The output of the chain waits for the derivative of the square.
    extra = 2 * x.nbytes + 2 * embedding.nbytes + 16 * tokens.nbytes
    assert kept.bytes <= allowed(weights, x) + extra
    assert kept.forward.flops + kept.backward.flops <= most_work(weights, x)
    in_embedding, in_weights = kept.gradients(np.float32(1))
    expected = exact(weights, x, x)[0]
    assert_close(value, np.asarray(np.mean(expected**2)), rtol=1e-4)
    _, (layers, rows), sizes = exact(weights, x, 2 * expected / x.size)
    check_weights(in_weights, layers, sizes)
    sums = np.zeros(embedding.shape)
    np.add.at(sums, tokens, rows)
    check(in_embedding, sums)


@pytest.mark.hint("Under vmap there may be one chain for each example, or one for all.")
def test_many_chains(submission, rng):
    """Under `vmap`, each example has its own input, and its own weights or the same ones."""
    drawn = [draw(rng, 2, 3, 4) for _ in range(4)]
    given = [np.stack(arrays) for arrays in zip(*drawn, strict=True)]
    check_batch(submission.remat_chain.used_by(work).vmap().jit()(*given), drawn)
    shared = submission.remat_chain.vmap(in_axes=(None, 0))(given[0][0], given[1])
    for value, x in zip(shared, given[1], strict=True):
        check(value, exact(given[0][0], x, x)[0])
