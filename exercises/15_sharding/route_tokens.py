"""Assign tokens to experts with limited capacity.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.cumsum.html
"""

import jax


def route_tokens(logits: jax.Array, capacity: int) -> tuple[jax.Array, jax.Array]:
    """Return which tokens each expert gets, and with which weights.

    In a mixture of experts, a layer has many matrices, the experts, and each token goes through
    only one of them. The number of tokens per expert depends on values, but shapes can't. So each
    expert has a fixed number of slots, its capacity. Tokens are assigned in order. If its expert
    has no free slot, a token is dropped.

    The slot of a token is the number of earlier tokens with the same expert. A running sum
    (`jnp.cumsum`) gives it for all tokens at once.

    Args:
        logits: [n, E] float32, for n tokens and E experts. The expert of a token is the one with
            the largest logit, and of equal ones the one with the lowest number.
        capacity: the number of slots of each expert, a Python number from 1 on.

    Returns:
        (tokens, gates), [E, capacity] each, int32 and float32, where row e belongs to expert e. The
        tokens of an expert fill its slots from the first one on, in their order. An empty slot
        contains the number n, which is not a token. The gate of a slot is the probability of the
        expert: its entry in the softmax of the token's logits. In an empty slot it is 0. The
        program has no loop over tokens, and no such loop is written out. Works under `jit` with a
        static capacity, `grad` and `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> logits = jnp.log(jnp.array([[1, 3], [3, 1], [1, 1], [7, 1], [1, 3]]))
        >>> tokens, gates = route_tokens(logits, 4)
        >>> tokens.tolist()
        [[1, 2, 3, 5], [0, 4, 5, 5]]

        The gates are 6 / 8, 4 / 8 and so on:

        >>> jnp.round(8 * gates).astype(int).tolist()
        [[6, 4, 7, 0], [6, 6, 0, 0]]

        With two slots, token 3 is dropped:

        >>> tokens, gates = route_tokens(logits, 2)
        >>> tokens.tolist()
        [[1, 2], [0, 4]]
        >>> jnp.round(8 * gates).astype(int).tolist()
        [[6, 4], [6, 6]]

    Details:
        The capacity may be larger than n. Logits may be as large as 1000. Gates have a gradient
        with respect to the logits of their tokens.
    """
    # TODO: find each token's expert and slot, and put the numbers there.
    raise NotImplementedError
