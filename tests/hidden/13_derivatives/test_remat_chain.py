"""remat_chain(weights, x): what a backward pass keeps, and what it computes again.

The forward and the backward pass are two programs. What goes from one to the other is kept, and the
work of both is counted. A product of [N, D] and [D, D] has 2 N D D operations, all other steps of a
layer less than 50 N D + 2 D D. So where D is near 100, a product more or less is seen at once.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, layers, rows, width):
    """Weights of which each changes its input, an input, and a gradient that arrives."""
    weights = rng.normal(size=(layers, width, width)) * 2 / np.sqrt(width)
    x, g = rng.normal(size=(2, rows, width))
    return weights.astype(np.float32), x.astype(np.float32), g.astype(np.float32)


def gelu(h):
    """The value and the slope of gelu, in float64."""
    tanh = np.tanh(np.sqrt(2 / np.pi) * (h + 0.044715 * h**3))
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
    gradients = []
    for w, before, slope in zip(weights[::-1], inputs[::-1], slopes[::-1], strict=True):
        gradients.append(before.T @ (g * slope))
        g = g + (g * slope) @ w.T
    return x, np.stack(gradients[::-1]), g


def check(found, expected, share=1e-4):
    """Compares trees of arrays, each up to a share of its largest number."""
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        assert_close(one, other.astype(one.dtype), atol=share * np.abs(other).max())


def work(chain, weights, x, g):
    """The value and the gradients."""
    value, backward = jax.vjp(chain, weights, x)
    return value, backward(g)


def allowed(weights, x):
    """What the text allows, with the arguments counted twice: a copy of them may wait, too."""
    return 2 * weights.nbytes + 2 * x.nbytes + 2 * len(weights) * x.nbytes


def check_bytes(kept, most):
    assert kept.bytes <= most, f"{kept.bytes} bytes are kept, and {most} are enough."


def most_work(weights, x):
    """Three products for each layer, and all other steps."""
    return (3 * 2 * x.shape[1] + 50) * x.size * len(weights) + 2 * weights.size


@pytest.mark.hint("Which matrix comes first? And does each layer add its input to its result?")
def test_the_chain_is_right(submission, rng):
    """The layers follow one another, and each adds its input."""
    for layers, rows, width in ((1, 6, 4), (3, 2, 3), (2, 1, 3)):
        weights, x, g = draw(rng, layers, rows, width)
        check(submission.remat_chain(weights, x), exact(weights, x, g)[0])
    # Here the two formulas for gelu differ most.
    weights, x = np.full((1, 1, 1), 22, np.float32), np.linspace(-0.15, 0.15, 8)[:, None]
    check(submission.remat_chain(weights, x.astype(np.float32)), exact(weights, x, x)[0])


@pytest.mark.points(2)
@pytest.mark.hint("Does the gradient flow through every value of a layer, also through a kept one?")
def test_the_gradients_are_right(submission, rng):
    """The gradients in the weights of every layer and in the input are right."""
    for layers, rows, width in ((1, 8, 3), (3, 25, 4)):
        given = draw(rng, layers, rows, width)
        given[0][-1, 0, 1] = given[1][-1, 0] = 0
        _, gradients = submission.remat_chain.used_by(work)(*given)
        check(gradients, exact(*given)[1:])


@pytest.mark.points(4)
@pytest.mark.hint("Which values are kept, and which are computed again? Both are counted.")
def test_products_are_kept_and_nothing_else(submission, rng):
    """Two arrays for each layer are kept at most, and no product is computed twice."""
    weights, x, g = draw(rng, 3, 300, 96)
    value, kept = submission.remat_chain.kept(weights, x)
    check((value, *kept.gradients(g)), exact(weights, x, g))
    with case("in what is kept", hint="Which values of a layer are needed, beside its product?"):
        check_bytes(kept, allowed(weights, x))
    with case("in the work of both passes", hint="Is a product among what is computed again?"):
        assert kept.forward.flops + kept.backward.flops <= most_work(weights, x)


@pytest.mark.hint("A loss of the chain's output is differentiated. What does it keep and repeat?")
def test_a_network_keeps_little_and_repeats_little(submission, rng):
    """The loss of a network with this chain keeps little, too, and repeats no product."""

    def model(chain, embedding, weights, tokens):
        x = chain(weights, embedding[tokens])
        return jnp.mean(x * x)

    weights, embedding, _ = draw(rng, 5, 7, 96)
    tokens = rng.integers(7, size=260).astype(np.int32)
    value, kept = submission.remat_chain.jit().used_by(model).kept(embedding, weights, tokens)
    x = embedding[tokens]
    out = exact(weights, x, x)[0]
    check(value, np.asarray(np.mean(out**2)))
    check(kept.gradients(np.float32(1))[1], exact(weights, x, 2 * out / x.size)[1])
    # The output of the chain waits for the derivative of the square.
    check_bytes(kept, allowed(weights, x) + 2 * x.nbytes + 2 * embedding.nbytes + 16 * 260)
    assert kept.forward.flops + kept.backward.flops <= most_work(weights, x)


@pytest.mark.hint("Under vmap there may be one chain for each example, or one for all.")
def test_many_chains(submission, rng):
    """Under `vmap`, each example has its own input, and its own weights or the same ones."""
    drawn = [draw(rng, 2, 3, 4) for _ in range(4)]
    given = [np.stack(arrays) for arrays in zip(*drawn, strict=True)]
    found = submission.remat_chain.used_by(work).vmap().jit()(*given)
    each = zip(*(exact(*one) for one in drawn), strict=True)
    check(found, [np.stack(arrays) for arrays in each])
    shared = submission.remat_chain.vmap(in_axes=(None, 0))(given[0][0], given[1])
    check(shared, np.stack([exact(given[0][0], x, x)[0] for x in given[1]]))


def test_details(submission, rng):
    """It works in bfloat16, and for the work of a batch."""
    weights, x, g = (array.astype(jnp.bfloat16) for array in draw(rng, 5, 300, 32))
    value, kept = submission.remat_chain.kept(weights, x)
    with case("in bfloat16", hint="Which dtypes have the value and the gradients?"):
        found = value, *kept.gradients(g)
        assert [part.dtype.name for part in found] == ["bfloat16"] * 3
        check([part.astype(np.float32) for part in found], exact(weights, x, g), 0.1)
    with case("in what is kept in bfloat16", hint="Which dtype has a product that is kept?"):
        check_bytes(kept, allowed(weights, x))
    with case("for the work of a batch", hint="`vmap` gives products a batch axis. Are they kept?"):

        def work_of_a_batch(chain, weights, x, g):
            return work(jax.vmap(chain), weights, x, g)

        drawn = [draw(rng, 2, 24, 96) for _ in range(3)]
        given = [np.stack(arrays) for arrays in zip(*drawn, strict=True)]
        batch = submission.remat_chain.used_by(work_of_a_batch).program(*given)
        assert batch.flops <= 3 * most_work(*drawn[0][:2])
