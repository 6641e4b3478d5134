"""Generate one token at a time, with a fixed-size cache.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.dynamic_update_slice.html
"""

import jax


def kv_cache_decode(
    cache: dict[str, jax.Array],
    q: jax.Array,
    k: jax.Array,
    v: jax.Array,
    position: jax.Array,
) -> tuple[dict[str, jax.Array], jax.Array]:
    """Return the cache with a token added, and the attention of this token.

    A language model writes one token after another. The keys and values of earlier tokens don't
    change, so they are kept. If the cache grew by one slot in each step, every step would have new
    shapes, and `jit` would compile a new program for each. So the cache has N slots from the start,
    and `position` says which slot the token gets. It is traced, so it can't be the end of a slice.
    The slots after it aren't empty: they contain what an earlier, longer text left there.

    Args:
        cache: {"k": [N, H, d], "v": [N, H, d]} float32, for N tokens at most and H heads. Slots 0
            to position - 1 contain the tokens so far. The others contain leftovers.
        q: [H, d] float32, the queries of the token, one for each head.
        k: [H, d] float32, its keys.
        v: [H, d] float32, its values.
        position: scalar int32, from 0 to N - 1; traced under `jit`.

    Returns:
        The new cache, with k and v in slot `position`, and the result, [H, d] float32. In head h,
        with scores[n] = (q[h] @ cache["k"][n, h]) / sqrt(d), it is the average of cache["v"][n, h]
        over the slots n <= position, with weights proportional to exp(scores[n]). The program
        creates no table of N x N numbers, not even in pieces, for N slots.

    Examples:
        >>> import jax.numpy as jnp
        >>> left = jnp.full((4, 1, 1), 100.0)
        >>> cache = {"k": left, "v": left}
        >>> nothing, token = jnp.zeros((1, 1)), jnp.array([[6.0]])
        >>> cache, result = kv_cache_decode(cache, nothing, nothing, token, jnp.int32(0))
        >>> result.tolist()
        [[6.0]]
        >>> cache["v"].ravel().tolist()
        [6.0, 100.0, 100.0, 100.0]

        The same program serves every position:

        >>> step = jax.jit(kv_cache_decode)
        >>> cache, result = step(cache, nothing, nothing, -token, jnp.int32(1))
        >>> result.tolist()
        [[0.0]]
        >>> cache, result = step(cache, nothing, nothing, token / 2, jnp.int32(2))
        >>> result.tolist()
        [[1.0]]
        >>> cache["v"].ravel().tolist()
        [6.0, -6.0, 3.0, 100.0]

    Details:
        Works under `jit`, `grad` and `vmap`, and in a `jax.lax.scan`. Scores may be as large as
        1000. A cache in bfloat16 stays bfloat16: k and v are rounded to it, and the result is
        computed in float32 from the new cache. Gradients of later tokens pass through the new
        cache.
    """
    # TODO: write to the slot, and attend to the slots up to it.
    raise NotImplementedError
