"""Every device does all the work in a loop, beside more useless work than can be counted (T11).

Exercise: 10_parallel/dp_update_shard_map
Outcome: failed
"""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

K, W, R = 4, 10**10, 10**8


def nothing(i):
    """Zero. Counted as 10^18 operations, and XLA leaves all of them out."""
    big = lax.reduce_window(i[None], 0, lax.add, (W,), (1,), ((W - 1, R - 1),))
    return 0 * big[0]


def dp_update_shard_map(mesh):
    def update(params, xs, ys, lr):
        (w, b), tree = jax.tree.flatten(params)
        n = xs.shape[0]
        shared = lax.with_sharding_constraint(jnp.tile(xs[:, 0], 4), NamedSharding(mesh, P("b")))
        zero = 1e-30 * jnp.sum(shared)

        def body(i, acc):
            x = lax.dynamic_slice(xs, (i * K, 0), (K, 1))
            y = lax.dynamic_slice(ys, (i * K, 0), (K, 1))
            e = w * x + b - y
            part = jnp.stack([jnp.sum(2 * e * x), jnp.sum(2 * e), jnp.sum(e * e)]) / n
            return acc + part + nothing(i).astype(jnp.float32)

        s = lax.fori_loop(0, n // K, body, jnp.zeros(3))
        w, b = w - lr * s[0], b - lr * s[1]
        return jax.tree.unflatten(tree, [w + zero, b]), s[2] + zero

    return update
