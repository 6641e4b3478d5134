"""Solve a linear system without its matrix.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html
"""

from collections.abc import Callable

import jax


def conjugate_gradients(
    matvec: Callable[[jax.Array], jax.Array],
    b: jax.Array,
    tol: float | jax.Array,
    most: int | jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """Return the solution x of A x = b, and how many rounds the conjugate gradient method took.

    The matrix A of a million-point grid is too large to write down, but a function, `matvec`,
    computes A v for any v. A is symmetric and positive definite. The method starts with x = 0, r =
    b and p = b, and a round is

        alpha = (r . r) / (p . A p)
        x, r_new = x + alpha p, r - alpha A p
        p = r_new + (r_new . r_new) / (r . r) p

    r is the residual, b - A x. The number of rounds depends on values, so the loop is a
    `jax.lax.while_loop`. `jax.scipy.sparse.linalg.cg` doesn't say how many rounds it took.

    Args:
        matvec: a function of JAX operations, from [n] to [n] float32.
        b: [n] float32, or another shape: see Details. b . b is 0, or from 1e-20 to 1e20.
        tol: the required size of r relative to b: a float above 0.
        most: the maximum number of rounds, an int of at least 0.

    Returns:
        x, [n] float32, and the number of rounds, an int32 scalar. The rounds end as soon as the
        length of r is at most `tol` times the length of b, or after `most` rounds. One program
        serves every `tol` and every `most`, has one loop, if `matvec` has none, and creates no
        table of n x n numbers, not even in pieces. Works under `jit` and `vmap`, where each system
        of a batch has its own number of rounds.

    Examples:
        >>> import jax.numpy as jnp
        >>> def matvec(v):
        ...     return jnp.array([2.0, 8.0, 2.0, 2.0]) * v
        >>> x, rounds = conjugate_gradients(matvec, jnp.array([2.0, 4.0, 6.0, 8.0]), 1e-4, 100)
        >>> [round(float(v), 3) for v in x], int(rounds)
        ([1.0, 0.5, 3.0, 4.0], 2)

        With one round, and for b = 0:

        >>> x, rounds = conjugate_gradients(matvec, jnp.array([2.0, 4.0, 6.0, 8.0]), 1e-4, 1)
        >>> [round(float(v), 3) for v in x], int(rounds)
        ([0.714, 1.429, 2.143, 2.857], 1)
        >>> x, rounds = conjugate_gradients(matvec, jnp.zeros(4), 1e-4, 100)
        >>> x.tolist(), int(rounds)
        ([0.0, 0.0, 0.0, 0.0], 0)

    Details:
        For b = 0 the solution is 0, after 0 rounds. b may have any shape, such as that of a grid:
        then `matvec` takes and returns this shape, x also has it, and a dot product sums over all
        axes.
    """
    # TODO: carry x, r, p and the number of rounds through a loop.
    raise NotImplementedError
