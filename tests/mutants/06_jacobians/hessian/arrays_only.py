"""One pass for each unit vector of one array, reshaped at the end: no tree gets through.

Fails: test_a_tree_gives_a_tree_of_trees, test_the_containers_are_kept
"""

import jax
import jax.numpy as jnp


def hessian(f):
    def second(x):
        units = jnp.eye(x.size).reshape(-1, *x.shape)
        rows = jax.vmap(lambda unit: jax.jvp(jax.grad(f), (x,), (unit,))[1])(units)
        return rows.reshape(x.shape + x.shape)

    return second
