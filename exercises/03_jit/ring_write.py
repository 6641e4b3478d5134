"""Write into a large array without copying it.

Buffer donation: https://docs.jax.dev/en/latest/buffer_donation.html
"""

import jax


def ring_write(buffer: jax.Array, count: jax.Array, rows: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Write rows after those written before, and start over at the beginning when full.

    A player's experience, a window of measurements, and keys and values of a text are all kept in a
    buffer of fixed size, in which new rows replace the oldest ones. Row number n, counted from 0
    over all calls, is at n modulo N. JAX arrays never change, so a function that writes three rows
    also copies all remaining rows. `jax.jit` can avoid this copy: it writes into the memory of an
    argument that is donated. The old array is then deleted, so the caller continues with the new
    one: `buffer, count = ring_write(buffer, ...)`.

    Args:
        buffer: [N, d], with N at least 1.
        count: int32 scalar, the number of rows written so far.
        rows: [b, d] of the dtype of `buffer`, with b from 0 to N.

    Returns:
        The new buffer, of the shape and dtype of the old one, and the new count, an int32 scalar.
        Rows that aren't replaced stay the same. The function is itself compiled, and one program
        serves all counts. It donates `buffer`, and no other argument. For thousands of rows, the
        program reads and writes fewer than N bytes. Works in `jax.lax.scan`.

    Examples:
        >>> import jax.numpy as jnp
        >>> buffer, count = jnp.zeros((4, 1)), jnp.int32(0)
        >>> buffer, count = ring_write(buffer, count, jnp.array([[1.0], [2.0], [3.0]]))
        >>> buffer[:, 0].tolist(), int(count)
        ([1.0, 2.0, 3.0, 0.0], 3)

        The next two rows go to the end and to the start. The old buffer is gone:

        >>> old, three, rows = buffer, count, jnp.array([[4.0], [5.0]])
        >>> buffer, count = ring_write(old, three, rows)
        >>> buffer[:, 0].tolist(), int(count)
        ([5.0, 2.0, 3.0, 4.0], 5)
        >>> old.is_deleted(), three.is_deleted(), rows.is_deleted()
        (True, False, False)

    Details:
        The numbers are floats or integers, and keep every digit. Old rows with NaN can also be
        replaced. Works under `grad`, for `buffer` and `rows`.
    """
    # TODO: compute where each row belongs, write, and donate the buffer.
    raise NotImplementedError
