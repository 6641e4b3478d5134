"""Differentiate the solution of an equation, not the steps that find it.

Custom derivative rules:
https://docs.jax.dev/en/latest/notebooks/Custom_derivative_rules_for_Python_code.html
"""

import jax


def solve_kepler(mean: jax.Array, e: jax.Array) -> jax.Array:
    """Return the solution E of Kepler's equation, E - e * sin(E) = mean, with its derivatives.

    E is the place of a planet on its orbit, and `mean` is the time, both as angles; e says how much
    the orbit differs from a circle. No formula gives E, so it is found in steps: Newton's method
    takes E - (E - e * sin(E) - mean) / (1 - e * cos(E)) in place of E, until it changes no more.
    Such a loop of unknown length is a `jax.lax.while_loop`, and that has no reverse mode. A loop of
    fixed length has one, but keeps the numbers of every step. The steps don't matter, though: if
    `mean` grows a little, E grows so much that the equation still holds. So 1 - e * cos(E) times
    the derivative of E is 1 for `mean`, and sin(E) for e. This is the implicit function theorem.

    Args:
        mean: float32 of any shape, angles from -3.2 to 3.2.
        e: float32 of the same shape, from -0.9 to 0.9.

    Returns:
        E, float32 of the same shape, each number within 1e-5 of the solution. Its gradients in
        `mean` and e are those of the solution. For the backward pass, at most four numbers are kept
        for each number of E, including those of `mean` and e, and the backward pass repeats no
        step. Works under `jit`, `vmap` and `grad`.

    Examples:
        >>> import jax.numpy as jnp
        >>> E = solve_kepler(jnp.array([0.0, 1.5, -3.0]), jnp.array([0.5, 0.0, 0.9]))
        >>> [round(float(x), 3) for x in E]
        [0.0, 1.5, -3.067]

        At E = 0 the derivative in `mean` is 1 / (1 - e), and at E = 1.5 on a circle the one in e is
        sin(1.5):

        >>> by_mean, by_e = jax.grad(solve_kepler, argnums=(0, 1))(0.0, 0.5)
        >>> round(float(by_mean), 3), round(float(by_e), 3)
        (2.0, 0.0)
        >>> by_mean, by_e = jax.grad(solve_kepler, argnums=(0, 1))(1.5, 0.0)
        >>> round(float(by_mean), 3), round(float(by_e), 3)
        (1.0, 0.997)

    Details:
        Where `mean` is NaN, E is NaN, and nowhere else. `mean` may be a scalar, or empty.
    """
    # TODO: find E by a loop, and give JAX the rule for its derivatives.
    raise NotImplementedError
