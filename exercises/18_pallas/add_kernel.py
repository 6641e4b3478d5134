"""Write a kernel that adds block by block.

Grids and BlockSpecs: https://docs.jax.dev/en/latest/pallas/grid_blockspec.html
"""

import jax


def add_kernel(x: jax.Array, bias: jax.Array, block: tuple[int, int]) -> jax.Array:
    """Return x + bias, computed by a kernel of Pallas.

    `jax.experimental.pallas` is for code that decides by itself which part of an array is in fast
    memory. You write a kernel: a function that gets references to blocks of the arrays, and fills
    the block of the output. `pl.pallas_call` runs it once for each point of a grid. A
    `pl.BlockSpec` has the shape of a block, and a function from the point of the grid to the number
    of the block. The number counts blocks and not elements: for blocks of 4, number 2 begins at
    element 8.

    If a length isn't a multiple of the block, the last block sticks out. What the kernel reads
    there may be any number, and what it writes there is thrown away. But the grid has to reach this
    block.

    Here everything runs on a CPU, so call it with `interpret=True`: the kernel becomes a loop of
    ordinary operations.

    Args:
        x: [m, n] floats or integers, m and n at least 1.
        bias: [n] of the same dtype. It is added to every row.
        block: (rows, columns), two Python ints of at least 1: the shape of a block of `x`. It
            need not divide the shape of `x`, and may be larger.

    Returns:
        [m, n] of the dtype of `x`. It comes from one `pallas_call`. The grid has one point for each
        block of the result, and the kernel sees one block of each array at a time. Works under
        `jit` and `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> x = jnp.zeros((2, 6)).at[1].set(10.0)
        >>> add_kernel(x, jnp.arange(6.0), (1, 2)).tolist()
        [[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [10.0, 11.0, 12.0, 13.0, 14.0, 15.0]]

        Two blocks of three columns are needed for five:

        >>> add_kernel(jnp.ones((3, 5)), jnp.arange(5.0), (2, 3)).tolist()
        [[1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.0, 3.0, 4.0, 5.0]]

        >>> "pallas_call" in str(jax.make_jaxpr(lambda x: add_kernel(x, x[0], (2, 3)))(x))
        True

    Details:
        Sums of integers wrap around, as they do in `x + bias`.
    """
    # TODO: write the kernel, and say which blocks each point of the grid works on.
    raise NotImplementedError
