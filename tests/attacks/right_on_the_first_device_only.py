"""Seven of eight devices get zeros, and say that all hold the same (T20).

Exercise: 10_parallel/dp_update_shard_map
Outcome: failed
"""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P


def dp_update_shard_map(mesh):
    def part(params, x, y, lr):
        first = lax.axis_index("b") == 0

        def only(leaf):
            return jnp.where(first, leaf, 0.0)

        w, b = (lax.psum(only(p), "b") for p in jax.tree.leaves(params))
        e = w * x + b - y
        parts = jnp.stack([jnp.mean(e * e), jnp.mean(2 * e * x), jnp.mean(2 * e)])
        value, dw, db = lax.pmean(parts, "b")
        tree = jax.tree.structure(params)
        return tree.unflatten([only(w - lr * dw), only(b - lr * db)]), only(value)

    cut = P("b")
    specs = {"in_specs": (P(), cut, cut, P()), "out_specs": P()}
    return jax.jit(jax.shard_map(part, mesh=mesh, **specs, check_vma=False))
