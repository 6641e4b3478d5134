"""attention_scores(q, k): one product with two batch axes, without copies, summed in float32.

A copy of an input is seen in the bytes that the program reads and writes: a product alone reads
both inputs and writes the result.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

KINDS = (np.float32, jnp.bfloat16, np.float16)


def draw(rng, b, t, s, h, d, dtype=np.float32):
    """Queries and keys whose scales differ from head to head."""
    scales = 10 ** rng.uniform(-1, 1, size=(h, 1))
    q = rng.normal(size=(b, t, h, d)) * scales + 0.25
    k = rng.normal(size=(b, s, h, d)) / scales - 0.5
    return q.astype(dtype), k.astype(dtype)


def exact(q, k):
    return np.einsum("bthd,bshd->bhts", q.astype(np.float64), k.astype(np.float64))


def check(found, q, k):
    """Relative to the sum of the sizes of the products."""
    sizes = exact(abs(q), abs(k))
    assert_close(found, exact(q, k), atol=4e-6 * max(float(sizes.max(initial=0)), 1e-30))


@pytest.mark.hint("Which axis of the result belongs to the queries, and which to the keys?")
def test_each_query_meets_each_key(submission, rng):
    """Each score is the sum over d, and its axes have the right order."""
    for size in [(2, 3, 4, 2, 5), (3, 3, 3, 3, 3)]:
        q, k = draw(rng, *size)
        check(submission.attention_scores(q, k), q, k)


@pytest.mark.points(3)
@pytest.mark.hint("Where is the sum rounded: before or after it becomes float32?")
def test_sums_have_the_precision_of_float32(submission, rng):
    """Long sums in half precision keep all digits, and don't overflow in float16."""
    for dtype in KINDS:
        q, k = draw(rng, 2, 3, 4, 2, 300, dtype)
        check(submission.attention_scores(q, k), q, k)
    q, k = (200 + 50 * abs(a) for a in draw(rng, 1, 2, 3, 2, 700, np.float16))
    assert_close(submission.attention_scores(q, k), exact(q, k), rtol=1e-4)


@pytest.mark.points(4)
@pytest.mark.hint("How many bytes does a single product read and write? Yours uses more.")
def test_nothing_is_copied(submission, rng):
    """The program reads the inputs and writes the result, with next to nothing in between."""
    # Many queries, whose scores are larger than the inputs; and many features.
    sizes = ((2, 30, 21, 3, 10), (2, 9, 14, 3, 64), (2, 9, 14, 3, 64))
    for dtype, size in zip(KINDS, sizes, strict=True):
        q, k = draw(rng, *size, dtype)
        program = submission.attention_scores.program(q, k)
        found = program(q, k)
        check(found, q, k)
        assert program.elements <= found.size
        moved = q.nbytes + k.nbytes + found.nbytes
        assert program.bytes <= 1.25 * moved


def weighted(attention_scores, q, k, weights):
    """A number whose gradients are known."""
    return (attention_scores(q, k) * weights).sum()


def slopes(q, k, weights):
    """The gradients of `weighted` in float64."""
    q, k, weights = (a.astype(np.float64) for a in (q, k, weights))
    return np.einsum("bhts,bshd->bthd", weights, k), np.einsum("bhts,bthd->bshd", weights, q)


@pytest.mark.hint("Both inputs need a gradient. Does any of it leave JAX?")
def test_both_inputs_have_gradients(submission, rng):
    """The gradients in queries and keys are right."""
    q, k = draw(rng, 2, 3, 4, 2, 5)
    weights = rng.normal(size=(2, 2, 3, 4)).astype(np.float32)
    found = submission.attention_scores.used_by(weighted).grad(argnums=(0, 1))(q, k, weights)
    assert_close(found, slopes(q, k, weights), atol=1e-3)


def test_details(submission, rng):
    """It works for small and empty axes, under `vmap`, and in half precision."""
    with case("where an axis has length 1", hint="Does one of your operations drop it?"):
        for size in [(1, 1, 1, 1, 1), (2, 1, 3, 2, 4)]:
            q, k = draw(rng, *size)
            check(submission.attention_scores(q, k), q, k)
    with case("where an axis is empty", hint="Do you join arrays? There may be none."):
        for size in [(2, 0, 3, 2, 4), (0, 2, 3, 2, 4), (2, 3, 0, 2, 4)]:
            q, k = draw(rng, *size)
            check(submission.attention_scores(q, k), q, k)
    with case("under `vmap`", hint="There is another batch axis, which you don't see."):
        pairs = [draw(rng, 1, 2, 3, 2, 4) for _ in range(3)]
        q, k = map(np.stack, zip(*pairs, strict=True))
        found = submission.attention_scores.vmap()(q, k)
        for one, (query, key) in zip(found, pairs, strict=True):
            check(one, query, key)
    with case("under `vmap` with shared queries", hint="Then only the keys have another axis."):
        shared = submission.attention_scores.vmap(in_axes=(None, 0))(q[0], k)
        for one, key in zip(shared, k, strict=True):
            check(one, q[0], key)
    with case("in gradients of half precision", hint="Where do you cast the incoming one?"):
        for dtype in (jnp.bfloat16, np.float16):
            q, k = ((part / 1000).astype(dtype) for part in draw(rng, 2, 3, 4, 2, 5))
            weights = rng.normal(scale=1e5, size=(2, 2, 3, 4)).astype(np.float32)
            grad = submission.attention_scores.used_by(weighted).grad(argnums=(0, 1))
            for part, slope in zip(grad(q, k, weights), slopes(q, k, weights), strict=True):
                assert_close(part, slope.astype(dtype), atol=0.02 * np.abs(slope).max())
