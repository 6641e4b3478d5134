"""Add up a product of matrices in a kernel.

Matrix Multiplication: https://docs.jax.dev/en/latest/pallas/tpu/matmul.html
"""

import jax


def tiled_matmul(x: jax.Array, w: jax.Array, block: tuple[int, int, int]) -> jax.Array:
    """Return x @ w in float32, computed by a kernel of Pallas that works on blocks.

    Matrices that don't fit in fast memory are multiplied block by block. A block of the result is
    a sum of products: of the blocks of `x` in its rows and the blocks of `w` in its columns. So the
    grid of the kernel has three axes. The first two choose the block of the result, and the third
    one goes along the sum. Along this last axis the kernel gets the same block of the result again
    and again, and adds one product in each round.

    Two things go wrong easily. When the kernel sees a block of the result for the first time, it
    may hold any numbers. So the first round has to begin with zeros: `pl.when` does something in
    some rounds only, and `pl.program_id` tells the number of the round (`pl` is
    `jax.experimental.pallas`). And a sum in half precision loses nearly all digits after a few
    rounds, so both the products and their sum are float32.

    Here everything runs on a CPU, so give `pl.pallas_call` the argument `interpret=True`: the
    kernel becomes a loop of ordinary operations.

    Args:
        x: [m, k] floats; m, k and n are at least 1.
        w: [k, n] floats of the same dtype.
        block: (rows, inner, columns), Python ints that divide m, k and n. Blocks of `x` have the
            shape (rows, inner), and blocks of `w` have the shape (inner, columns).

    Returns:
        [m, n] float32. It comes from one `pallas_call`. The grid has one point for each product of
        two blocks, and its last axis goes along the sum. The kernel gets one block of each matrix
        at a time, and multiplies no more than these. Works under `jit` and `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> x = jnp.arange(8.0).reshape(2, 4)
        >>> w = jnp.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 10.0]])
        >>> tiled_matmul(x, w, (1, 2, 1)).tolist()
        [[2.0, 33.0], [10.0, 81.0]]

        In bfloat16 there is no 257. The sum of 257 ones is right in float32:

        >>> ones = jnp.ones((1, 257), jnp.bfloat16)
        >>> tiled_matmul(ones, ones.T, (1, 1, 1)).tolist()
        [[257.0]]

        >>> "pallas_call" in str(jax.make_jaxpr(lambda x: tiled_matmul(x, w, (1, 2, 1)))(x))
        True

    Details:
        NaN and infinity count as they do in `x @ w`.
    """
    # TODO: write the kernel that adds one product of blocks, and say which blocks it works on.
    raise NotImplementedError
