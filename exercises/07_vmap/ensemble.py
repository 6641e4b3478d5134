"""Run many models as if they were one.

Automatic vectorization: https://docs.jax.dev/en/latest/automatic-vectorization.html
"""

import jax


def ensemble(params: dict[str, jax.Array], X: jax.Array) -> jax.Array:
    """Return what each of M linear models predicts for each of N inputs.

    To train or evaluate several copies of a model, stack their parameters: each array in the tree
    gets one more axis in front. Then `jax.vmap` turns the code for one model into code for all of
    them. There are two axes here, models and inputs. If there are as many models as inputs, a
    program that mixes them up runs without an error.

    Args:
        params: {"w": [M, d], "b": [M]} float32, bfloat16 or float16; model m is `w[m]` and `b[m]`.
            M may be 0.
        X: [N, d], of the same dtype, one input per row; every model sees all of them. N may be 0.

    Returns:
        [M, N], of the same dtype; entry (m, n) is `w[m] @ X[n] + b[m]`. For 110 models and inputs
        or more, the program has fewer than 110 operations. It has gradients in `params` and in `X`.

    Examples:
        >>> import jax.numpy as jnp
        >>> params = {"w": jnp.array([[1.0, 0.0], [0.0, 2.0]]), "b": jnp.array([0.0, 10.0])}
        >>> X = jnp.array([[1.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
        >>> ensemble(params, X).tolist()
        [[1.0, 2.0, 4.0], [12.0, 16.0, 20.0]]

        With two models and two inputs, the shape doesn't show which axis is which:

        >>> ensemble(params, X[:2]).tolist()
        [[1.0, 2.0], [12.0, 16.0]]

        The program for many models is barely longer than the one for a few:

        >>> program = jax.make_jaxpr(lambda w: ensemble({"w": w, "b": w[:, 0]}, X))
        >>> few, many = (len(str(program(jnp.ones((m, 2))))) for m in (8, 64))
        >>> many < 3 * few
        True

    Details:
        NaN in one model or one input has no effect on the others.
    """
    # TODO: write one model on one input, and map it over inputs and models.
    raise NotImplementedError
