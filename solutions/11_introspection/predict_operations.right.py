"""Other right answers to predict_operations; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np

SINES = [
    lambda x: jnp.sin(x) + jnp.sin(x),
    lambda x: (jnp.sin(x), jnp.cos(x))[1],
    lambda x: jnp.sin(jnp.sin(jnp.sin(jnp.sin(jnp.sin(x))))),
    lambda x: jax.lax.scan(lambda c, _: (jnp.sin(c), None), x, length=5)[0],
    lambda x: jax.vmap(jnp.sin)(jnp.full(100, x)),
    lambda x: np.sin(2.0) * x,
    lambda x: jnp.sin(2.0) * x,
    lambda x: jnp.sin(x),
    lambda x: jnp.where(x > 0, jnp.sin(x), jnp.sin(-x)),
    lambda x: jax.lax.cond(x > 0, jnp.sin, lambda x: jnp.sin(-x), x),
]
DERIVATIVES = [jax.grad(SINES[2]), jax.grad(SINES[3])]


# %% counted
# All equations are counted, with those of inner programs.
def _names(program):
    names = []
    for eqn in program.eqns:
        names.append(eqn.primitive.name)
        for inner in jax.tree.leaves(
            list(eqn.params.values()), is_leaf=lambda p: hasattr(p, "eqns")
        ):
            if hasattr(inner, "eqns"):
                names += _names(inner)
    return names


def predict_operations():
    cases = [("sin", f) for f in SINES] + [("cos", f) for f in DERIVATIVES]
    return [_names(jax.make_jaxpr(f)(1.0)).count(name) for name, f in cases]


# %% calls_counted
# The calls are counted that happen in Python while a function is traced.
def predict_operations():
    calls = []

    def sin(x):
        calls.append(x)
        return x

    def counted(run):
        calls.clear()
        run()
        return len(calls)

    def five_rounds(function, x):
        for _ in range(5):
            x = function(x)

    written = jax.make_jaxpr(lambda x: jax.lax.fori_loop(0, 5, lambda i, x: sin(x), x))
    loop, once = counted(lambda: five_rounds(sin, 1.0)), counted(lambda: sin(1.0))
    twice = counted(lambda: sin(1.0) + sin(1.0))
    in_loop = min(1, counted(lambda: written(1.0)))
    return [twice, once, loop, in_loop, once, 0, once, once, twice, twice, loop, in_loop]


# %% grouped
# The cases are grouped by their answer.
def predict_operations():
    found = dict.fromkeys(range(12), 1)
    found |= {0: 2, 8: 2, 9: 2} | {2: 5, 10: 5} | {5: 0}
    return list(found.values())
