"""Other right answers to pipeline_stages; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P


# %% out_specs
# The results of all devices side by side, of which the last ones are taken.
def pipeline_stages(stage, params, x, mesh):
    n = mesh.shape["stage"]

    def part(params, x):
        own, me = jax.tree.map(lambda leaf: leaf[0], params), lax.axis_index("stage")

        def tick(h, given):
            h = stage(own, jnp.where(me == 0, given, h))
            return lax.ppermute(h, "stage", [(i, (i + 1) % n) for i in range(n)]), h

        wide = jnp.concatenate([x, jnp.zeros((n - 1, *x.shape[1:]), x.dtype)])
        return lax.scan(tick, jnp.zeros_like(x[0]), wide)[1][None, n - 1 :]

    specs = P("stage"), P()
    return jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P("stage"), check_vma=False)(
        params, x
    )[-1]


# %% written_into_a_result
# A `fori_loop` writes each result to its place. What is too early is written over.
@jax.jit(static_argnums=(0, 3))
def pipeline_stages(stage, params, x, mesh):
    n = mesh.size

    def part(params, x):
        own, me = jax.tree.map(lambda leaf: leaf[0], params), lax.axis_index("stage")

        def tick(t, state):
            h, out = state
            h = jnp.where(me == 0, lax.dynamic_index_in_dim(x, t, keepdims=False), h)
            h = stage(own, h)
            place = jnp.maximum(t - (n - 1), 0)
            out = lax.dynamic_update_index_in_dim(out, h, place, 0)
            return lax.ppermute(h, "stage", [(i, i + 1) for i in range(n - 1)]), out

        state = lax.pcast((0 * x[0], jnp.zeros_like(x)), "stage", to="varying")
        out = lax.fori_loop(0, len(x) + n - 1, tick, state)[1]
        return lax.psum(jnp.where(me == n - 1, out, jnp.zeros_like(out)), "stage")

    return jax.shard_map(part, mesh=mesh, in_specs=(P("stage"), P()), out_specs=P())(params, x)


# %% collected_by_the_first
# A ring: the first device gets the results, and `all_gather` gives them to all.
def pipeline_stages(stage, params, x, mesh):
    n = mesh.shape["stage"]
    ring = [(i, (i + 1) % n) for i in range(n)]

    def part(params, x):
        own, me = jax.tree.map(lambda leaf: leaf[0], params), lax.axis_index("stage")

        def tick(h, t):
            given = x[jnp.clip(t, 0, len(x) - 1)]
            h = lax.ppermute(stage(own, jnp.where(me == 0, given, h)), "stage", ring)
            return h, h

        _, arrived = lax.scan(tick, x[0], jnp.arange(len(x) + n - 1))
        return lax.all_gather(arrived[n - 1 :], "stage")[0]

    return jax.shard_map(
        part, mesh=mesh, in_specs=(P("stage"), P()), out_specs=P(), check_vma=False
    )(params, x)


# %% idle_devices_skip
# A device without a microbatch computes nothing.
def pipeline_stages(stage, params, x, mesh):
    n, count = mesh.shape["stage"], len(x)

    def part(params, x):
        own, me = jax.tree.map(lambda leaf: leaf[0], params), lax.axis_index("stage")

        def tick(h, t):
            h = jnp.where(me == 0, x[jnp.minimum(t, count - 1)], h)
            works = (t >= me) & (t < me + count)
            h = lax.cond(works, lambda h: stage(own, h), jnp.zeros_like, h)
            return lax.ppermute(h, "stage", [(i, i + 1) for i in range(n - 1)]), h

        start = jnp.zeros_like(x[0])
        _, results = lax.scan(tick, start, jnp.arange(count + n - 1))
        return lax.psum((me == n - 1) * results[n - 1 :], "stage")

    return jax.shard_map(
        part, mesh=mesh, in_specs=(P("stage"), P()), out_specs=P(), check_vma=False
    )(params, x)
