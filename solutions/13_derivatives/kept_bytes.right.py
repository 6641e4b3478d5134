"""Other right answers to kept_bytes; each cell is a suffix to the solution."""

import jax
import numpy as np


# %% jaxpr
# The results of a jaxpr have shapes and dtypes.
def kept_bytes(f, *args):
    made = jax.make_jaxpr(lambda *given: jax.tree.leaves(jax.vjp(f, *given)[1]))(*args)
    return sum(one.size * one.dtype.itemsize for one in made.out_avals)


# %% lowered
# A program that is lowered and not compiled.
def kept_bytes(f, *args):
    lowered = jax.jit(lambda *given: jax.vjp(f, *given)[1]).lower(*args)
    sizes = [
        int(np.prod(leaf.shape, dtype=np.int64)) * np.dtype(leaf.dtype).itemsize
        for leaf in jax.tree.leaves(lowered.out_info)
    ]
    return sum(sizes)


# %% counted_while_tracing
# The sum is taken of the traced arrays, while JAX traces.
def kept_bytes(f, *args):
    total = 0

    def look(*given):
        nonlocal total
        _, pull = jax.vjp(f, *given)
        for leaf in jax.tree.flatten(pull)[0]:
            total += leaf.size * leaf.dtype.itemsize

    jax.eval_shape(look, *args)
    return total
