"""Other right answers to find_nan; each cell is a suffix to the solution."""

import functools

import jax
import jax.numpy as jnp
from jax import lax


# %% while_loop
# A loop that stops at the first NaN.
def find_nan(step, state, xs):
    steps = jax.tree.leaves(xs)[0].shape[0]

    def nan(tree):
        return functools.reduce(jnp.logical_or, [(x != x).any() for x in jax.tree.leaves(tree)])

    def going(carry):
        return (carry[0] < steps) & ~nan(carry[2])

    def advance(carry):
        t, _, state = carry
        x = jax.tree.map(lambda leaf: lax.dynamic_index_in_dim(leaf, t, keepdims=False), xs)
        return t + 1, state, step(state, x)

    start = jnp.int32(0), state, state
    t, before, last = lax.while_loop(going, advance, start)
    bad = nan(last)
    return jnp.where(bad, t - 1, -1), jax.tree.map(lambda a, b: jnp.where(bad, a, b), before, last)


# %% skipped_steps
# After the first NaN, a branch leaves the steps out.
@jax.jit(static_argnums=0)
def find_nan(step, state, xs):
    def advance(carry, numbered):
        k, x = numbered

        def go(state, found):
            new = step(state, x)
            leaves = [jnp.ravel(leaf).astype(jnp.float32) for leaf in jax.tree.leaves(new)]
            bad = jnp.isnan(jnp.concatenate(leaves)).any()
            return lax.cond(bad, lambda: (state, k), lambda: (new, found))

        return lax.cond(carry[1] < 0, go, lambda *same: same, *carry), None

    steps = jnp.arange(len(jax.tree.leaves(xs)[0]), dtype=jnp.int32)
    (before, t), _ = lax.scan(advance, (state, jnp.int32(-1)), (steps, xs))
    return t, before


# %% flags_of_all_steps
# One flag for each step; the state stands still in the carry.
def find_nan(step, state, xs):
    def advance(carry, x):
        state, bad = carry
        new = step(state, x)
        bad = bad | jax.tree.reduce(lambda a, b: a | jnp.any(jnp.isnan(b)), new, False)
        return (jax.tree.map(lambda a, b: lax.select(bad, a, b), state, new), bad), bad

    start = jax.tree.map(jnp.asarray, state), jnp.zeros((), bool)
    (before, bad), flags = lax.scan(advance, start, xs)
    return lax.select(bad, jnp.argmax(flags).astype(jnp.int32), jnp.int32(-1)), before
