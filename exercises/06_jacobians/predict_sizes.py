"""Know the shape of a derivative.

Forward- and reverse-mode autodiff in JAX:
https://docs.jax.dev/en/latest/jacobian-vector-products.html
"""


def predict_sizes() -> list[tuple[int, ...]]:
    """Return the shape of each of the twelve derivatives below.

    A derivative has an entry for each pair of an output and an input, or it is a product of such a
    table with a vector, which is much smaller. For a layer with a million weights, the product fits
    into memory but the table doesn't. The shape shows which of them you requested.

    `W` has shape (2, 3), `x` has shape (3,), and `X` is a batch of shape (5, 3). `f` is
    `lambda x: W @ x`, and `cubes` is `lambda x: jnp.sum(x**3)`. All other functions are from `jax`:

     0. jacfwd(f)(x)
     1. jacrev(f)(x)
     2. jacfwd(jnp.sum)(x)
     3. jacfwd(jnp.sin)(x)
     4. jacrev(lambda W: W @ x)(W)
     5. hessian(f)(x)
     6. hessian(jnp.sum)(W)
     7. jvp(f, (x,), (x,))[1]
     8. vjp(f, x)[1](f(x))[0]
     9. jvp(grad(cubes), (x,), (x,))[1]
    10. vmap(jacrev(f))(X)
    11. jacrev(vmap(f))(X)

    Predict first, and then try it out. Find the reason for each result that surprised you.

    Returns:
        A list of twelve tuples of ints: entry k is the shape of case k, such as (2, 3).

    Examples:
        >>> len(predict_sizes())
        12

        How to try it out:

        >>> import jax
        >>> import jax.numpy as jnp
        >>> jax.jacrev(lambda v: v[:4] * v[4])(jnp.ones(5)).shape
        (4, 5)

        The largest has 150 numbers, and the smallest has two:

        >>> import math
        >>> sizes = [math.prod(shape) for shape in predict_sizes()]
        >>> max(sizes), min(sizes)
        (150, 2)
    """
    # TODO: go through the cases, and write down a shape for each.
    raise NotImplementedError
