"""Know which of two ways takes less work.

Ahead-of-time lowering and compilation: https://docs.jax.dev/en/latest/aot.html
"""


def predict_faster() -> list[str]:
    """Return for each of the twelve pairs below which way takes fewer operations.

    Two expressions with the same value may differ in their work by a factor of a hundred. In other
    pairs, the compiler produces the same program from both, so the shorter text is just as good. If
    you know which is which, you don't spend an hour on the wrong line. A number of operations isn't
    a time, but it needs no clock. A factor of a hundred shows in both.

    `M` and `N` have shape (100, 100), `W` has (3, 100), `X` has (20, 100), and `v` and `u` have
    (100,). `g` is `lambda v: jnp.sum(jnp.sin(M @ v))`, and `h` is `lambda v: jnp.sin(W @ jnp.sin(M
    @ v))`. Both ways are compiled by `jit` as functions of all arrays. The first way is A, the
    second is B:

     0. (M @ N) @ v, or M @ (N @ v)
     1. jnp.sum(M * N.T), or jnp.trace(M @ N)
     2. (M @ N)[0], or M[0] @ N
     3. v[:, None] * M, or jnp.diag(v) @ M
     4. jnp.sin(v) * jnp.sin(v), or jnp.sin(v) ** 2
     5. (M @ N, M + N)[1], or M + N
     6. (g(v), jax.grad(g)(v)), or jax.value_and_grad(g)(v)
     7. jnp.stack([M @ x for x in X]), or X @ M.T
     8. jax.vmap(lambda x: jax.lax.cond(x > 0, jnp.sin, jnp.cos, x))(v), or
        jnp.where(v > 0, jnp.sin(v), jnp.cos(v))
     9. jax.jacrev(h)(v), or jax.jacfwd(h)(v)
    10. jax.hessian(g)(v) @ u, or jax.jvp(jax.grad(g), (v,), (u,))[1]
    11. g(v), or jax.grad(g)(v)

    First predict, then try it out: the compiler counts the operations. Find the reason for each
    result that surprised you.

    Returns:
        A list of twelve strings: entry k is "A" or "B" if this way takes less than a quarter of the
        operations of the other way, and "same" if neither does.

    Examples:
        >>> len(predict_faster())
        12

        How to try it out. A hundred sums of a hundred products each:

        >>> import jax
        >>> import jax.numpy as jnp
        >>> f = jax.jit(lambda M, v: M @ v)
        >>> program = f.lower(jnp.ones((100, 100)), jnp.ones(100)).compile()
        >>> int(program.cost_analysis()["flops"])
        20000

        All three answers occur:

        >>> sorted(set(predict_faster()))
        ['A', 'B', 'same']
    """
    # TODO: go through the pairs, and write down a string for each.
    raise NotImplementedError
