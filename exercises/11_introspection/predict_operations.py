"""Know which operations a program contains.

The jaxpr language: https://docs.jax.dev/en/latest/jaxpr.html
"""


def predict_operations() -> list[int]:
    """Return how many equations of one name are in each of the twelve programs below.

    `jax.make_jaxpr(f)(x)` is the program that JAX builds from `f`. `jit`, `grad` and `vmap` work on
    it. It is not your Python code: some of its lines appear many times, some once, and some not at
    all. If you know which, you know why a program takes a long time to compile.

    An equation counts once where it is written: in the body of a loop once, however often it runs,
    and in each branch. `x` is `jnp.float32(1.0)`, `sin` is `jnp.sin`, and `flag` is True. How often
    is `sin` in the program of a function of x that returns this?

     0. sin(x) + sin(x)
     1. jnp.cos(x), after the line `y = sin(x)`
     2. x, after five rounds of a Python loop with the line `x = sin(x)`
     3. jax.lax.fori_loop(0, 5, lambda i, x: sin(x), x)
     4. jax.vmap(sin)(x * jnp.ones(100))
     5. np.sin(2.0) * x
     6. jnp.sin(2.0) * x
     7. sin(x) if flag else sin(-x)
     8. jnp.where(x > 0, sin(x), sin(-x))
     9. jax.lax.cond(x > 0, sin, lambda x: sin(-x), x)

    How often is `cos` in the program of `jax.grad(f)`, if `f` is one of these functions?

    10. the one of case 2
    11. the one of case 3

    First predict, then try it out: print each program, and count the equations. Find the reason for
    each result that surprised you.

    Returns:
        A list of twelve ints: entry k is the number of equations in case k.

    Examples:
        >>> len(predict_operations())
        12

        How to try it out:

        >>> import jax
        >>> import jax.numpy as jnp
        >>> program = jax.make_jaxpr(lambda x: jnp.exp(x) * jnp.exp(-x))(1.0)
        >>> [eqn.primitive.name for eqn in program.eqns]
        ['exp', 'neg', 'exp', 'mul']

        No two of these are equal: the Python loop, the other loop, and NumPy's sine.

        >>> answers = predict_operations()
        >>> len({answers[2], answers[3], answers[5]})
        3
    """
    # TODO: go through the programs, and write down a number for each.
    raise NotImplementedError
