"""attention_scores(q, k): one product with two batch axes, without copies, summed in float32.

A copy of an input is seen in the bytes that the program reads and writes: a product alone reads
both inputs and writes the result.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

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


@pytest.mark.hint("Which axis of the result belongs to the queries, and which one to the keys?")
def test_each_query_meets_each_key(submission, rng):
    """The scores are those of the formula, also where an axis has length 1 or 0."""
    scale = np.float32(1e9)
    empty = [(2, 0, 3, 2, 4), (0, 2, 3, 2, 4), (2, 3, 0, 2, 4)]
    for size in [(2, 3, 4, 2, 5), (3, 3, 3, 3, 3), (1, 1, 1, 1, 1), *empty]:
        q, k = draw(rng, *size)
        check(submission.attention_scores(q, k), q, k)
        check(submission.attention_scores(q * scale, k / scale), q * scale, k / scale)


@pytest.mark.points(3)
@pytest.mark.hint("Where is the sum rounded: before or after it becomes float32?")
def test_sums_have_the_precision_of_float32(submission, rng):
    """Long sums of half precision keep all digits, and don't overflow in float16."""
    # Also those of one query, or of one key.
    for dtype, t, s in zip(KINDS, (3, 1, 3), (2, 3, 1), strict=True):
        q, k = draw(rng, 2, t, s, 2, 300, dtype)
        check(submission.attention_scores(q, k), q, k)
    # A sum of many equal numbers, which stops to grow in half precision. In float32 each of the
    # 700 additions rounds the same way where they happen one by one: up to 700 * 2**-24, 4e-5.
    for dtype, number in ((jnp.bfloat16, 1.0), (np.float16, 200.0), (jnp.bfloat16, 1e15)):
        q = np.full((1, 2, 2, 700), number, dtype)
        k = np.full((1, 3, 2, 700), -number, dtype)
        assert_close(submission.attention_scores(q, k), exact(q, k), rtol=1e-4)


@pytest.mark.points(4)
@pytest.mark.hint("How many bytes does a single product read and write? Yours has more.")
def test_nothing_is_copied(submission, rng):
    """The program reads the inputs and writes the result, with next to nothing in between."""
    # Many queries, whose scores are larger than the inputs; many keys; and one query.
    sizes = ((2, 130, 21, 3, 10), (2, 9, 140, 3, 64), (2, 1, 40, 3, 16))
    for dtype, size in zip(KINDS, sizes, strict=True):
        q, k = draw(rng, *size, dtype)
        program = submission.attention_scores.program(q, k)
        found = program(q, k)
        check(found, q, k)
        assert program.largest_intermediate <= max(q.size, k.size, found.size)
        moved = q.nbytes + k.nbytes + found.nbytes
        assert program.bytes <= 1.25 * moved


@pytest.mark.hint("Both inputs need a gradient. Does any of it leave JAX?")
def test_both_inputs_have_gradients(submission, rng):
    """The gradients in queries and keys are right, and have the dtype of their input."""

    def loss(attention_scores, q, k, weights):
        return (attention_scores(q, k) * weights).sum()

    for dtype in KINDS:
        q, k = ((part / 1000).astype(dtype) for part in draw(rng, 70, 3, 4, 2, 5))
        q[:, 0], k[:, -1] = 0, 0
        # What arrives from the loss may be too large for float16.
        weights = rng.normal(scale=1e5, size=(70, 2, 3, 4)).astype(np.float32)
        found = submission.attention_scores.used_by(loss).grad(argnums=(0, 1))(q, k, weights)
        wide = weights.astype(np.float64)
        expected = (
            np.einsum("bhts,bshd->bthd", wide, k.astype(np.float64)),
            np.einsum("bhts,bthd->bshd", wide, q.astype(np.float64)),
        )
        for part, slope in zip(found, expected, strict=True):
            assert part.dtype == dtype
            rtol = 1e-5 if dtype == np.float32 else 0.02
            atol = rtol * np.abs(slope).max()
            assert_close(part.astype(np.float32), slope.astype(np.float32), atol=atol)


@pytest.mark.hint("Under vmap there is one more batch axis, which you don't see.")
def test_more_batch_axes(submission, rng):
    """Under `vmap`, each pair of queries and keys has its scores, and queries may be shared."""
    pairs = [draw(rng, 1, 2, 3, 2, 4) for _ in range(3)]
    q, k = map(np.stack, zip(*pairs, strict=True))
    found = submission.attention_scores.vmap()(q, k)
    shared = submission.attention_scores.vmap(in_axes=(None, 0))(q[0], k)
    for one, (query, key) in zip(found, pairs, strict=True):
        check(one, query, key)
    for one, key in zip(shared, k, strict=True):
        check(one, q[0], key)
