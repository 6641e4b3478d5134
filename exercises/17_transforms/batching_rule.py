"""Tell `vmap` a better way.

https://docs.jax.dev/en/latest/_autosummary/jax.custom_batching.custom_vmap.html
"""

import jax


def high_power(a: jax.Array, x: jax.Array) -> jax.Array:
    """Return a state x after 64 steps, a⁶⁴ x, and do less work for many states.

    In a linear model, such as heat in a rod, one step multiplies the state by a matrix. A forecast
    takes 64 steps, from many states.

    For one state, 64 products of `a` with a vector are the cheapest way: 64 x 2n² operations.
    For many states and one matrix, this isn't so. Six squarings give a⁶⁴ once, and then each
    vector needs one product. `jax.vmap` can't find this out. It goes through your operations one by
    one, and makes each of them an operation on a batch: 64 products for every vector.

    With `jax.custom_batching.custom_vmap` you write the rule for a batch yourself. The rule gets
    the size of the batch, then a list that says which arguments are batched, and the arguments. The
    batch axis of an argument is its first one; an argument that isn't batched has none. The rule
    returns a pair: the result, and whether it is batched. A function with such a rule has no
    reverse mode.

    Args:
        a: [n, n] floats. All numbers of its powers up to a⁶⁴ are finite.
        x: [n], floats of the same dtype.

    Returns:
        [n], of the same dtype. A call makes at most 65 products of a matrix with a vector. Under
        `jax.vmap` with x alone batched, all vectors together need at most 8 products of two
        matrices, and each vector at most 2 products with a matrix, also if `jit` stands between
        `vmap` and this function. If `a` is batched, each pair needs at most 65 products of a
        matrix with a vector.

    Examples:
        A state of a place and a speed; a step adds the speed to the place:

        >>> import jax.numpy as jnp
        >>> a = jnp.array([[1.0, 1.0], [0.0, 1.0]])
        >>> high_power(a, jnp.array([0.0, 1.0])).tolist()
        [64.0, 1.0]

        Three states and one matrix, and then two states with a matrix for each:

        >>> xs = jnp.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]])
        >>> jax.vmap(high_power, in_axes=(None, 0))(a, xs).tolist()
        [[64.0, 1.0], [1.0, 0.0], [130.0, 2.0]]
        >>> matrices = jnp.stack([a, 0 * a])
        >>> jax.vmap(high_power)(matrices, xs[:2]).tolist()
        [[64.0, 1.0], [0.0, 0.0]]

        The program for many states has no loop of 64 rounds, and few products:

        >>> program = str(jax.make_jaxpr(jax.vmap(high_power, in_axes=(None, 0)))(a, xs))
        >>> "length=64" in program, program.count("dot_general") < 10
        (False, True)

    Details:
        Both arguments may be batched, or one of them, along any axis. Works under `jit`, and under
        `vmap` of `vmap`, where all vectors of a matrix share its squarings if the inner `vmap`
        batches x alone.
    """
    # TODO: write the function for one vector, and a rule for a batch.
    raise NotImplementedError
