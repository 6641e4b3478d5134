"""Know when a function is traced again.

Just-in-time compilation: https://docs.jax.dev/en/latest/jit-compilation.html#jit-and-caching
"""


def predict_traces() -> list[int]:
    """Return how often `g` is traced in each of the twelve cases below.

    The first call of a function under `jit` runs its Python code, records the operations, and
    compiles them. Later calls use the compiled program, as long as nothing that tracing could see
    has changed. Tracing and compiling take far longer than most calls: a training loop that is
    traced again in every step is slower than one without `jit`. What counts as a change surprises
    most people.

    Each case starts with a new function `g(x, scale=2.0)` that has never been called. `x` is
    `jnp.arange(3.0)`, and `f` is `jax.jit(g)` unless the case defines another `f`:

     0. f(x), f(x + 1), f(-x)
     1. f(x), f(x[:2]), f(x[1:]), f(x[None])
     2. f(x), f(x > 1), f(x.astype(int)), f(x + 1)
     3. f(x), f(np.asarray(x)), f(x)
     4. f(1.5), f(-2.5), f(4.5)
     5. f(1.0), f(1), f(True), f(2)
     6. f(2.0), f(jnp.float32(2.0)), f(np.float32(3.0))
     7. f = jax.jit(g, static_argnums=1): f(x, 2), f(x, 3), f(x, 2)
     8. f(x), f(x, 2.0), f(x, scale=2.0)
     9. f([x, x]), f((x, x)), f([x + 1, x]), f([x, x, x])
    10. jax.jit(g)(x), jax.jit(g)(x), jax.jit(g)(x)
    11. for _ in range(3): jax.jit(lambda x: g(x))(x)

    Predict first, and then try it out: let `g` append to a list, whose length counts the traces. A
    `print` in `g` also shows them, once for each trace. `jax.debug.print` is part of the program,
    so it prints in every call.

    Returns:
        A list of twelve Python ints: entry i says how often the Python code of `g` runs in case i.

    Examples:
        >>> len(predict_traces())
        12

        How to try it out, with two calls that share a trace:

        >>> import jax
        >>> import jax.numpy as jnp
        >>> traced = []
        >>> def g(x, scale=2.0):
        ...     traced.append("here")
        ...     return scale * x
        >>> f = jax.jit(g)
        >>> results = [f(jnp.zeros(4)), f(jnp.ones(4))]
        >>> traced
        ['here']

        In some cases, one trace is enough; in others, it isn't:

        >>> 1 in predict_traces(), max(predict_traces()) > 1
        (True, True)
    """
    # TODO: go through the cases, and write down a number for each.
    raise NotImplementedError
