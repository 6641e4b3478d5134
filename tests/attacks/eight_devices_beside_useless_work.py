"""Lets each device do all the work in a loop, beside shared work that XLA leaves out (T11).

Exercise: 10_parallel/dp_update_shard_map
Outcome: failed
Slow: it takes the machine some time
"""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def dp_update_shard_map(mesh):
    def update(params, xs, ys, lr):
        (w, b), tree = jax.tree.flatten(params)
        n, k = xs.shape[0], 4

        def body(i, acc):
            x = lax.dynamic_slice(xs, (i * k, 0), (k, 1))
            y = lax.dynamic_slice(ys, (i * k, 0), (k, 1))
            e = w * x + b - y
            return acc + jnp.stack([jnp.sum(2 * e * x), jnp.sum(2 * e), jnp.sum(e * e)]) / n

        s = lax.fori_loop(0, n // k, body, jnp.zeros(3))
        w, b = w - lr * s[0], b - lr * s[1]
        shared = NamedSharding(mesh, P("b"))
        a = lax.with_sharding_constraint(jnp.broadcast_to(w, (80000,)), shared)
        zero = 0.0 * jnp.sum(a * (a + 1) * (a + 2))
        return jax.tree.unflatten(tree, [w + zero, b]), s[2]

    return update
