"""Other right answers to tensor_parallel_mlp; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


# %% hidden_constraint
# One constraint on the hidden layer, and the compiler does the rest.
@jax.jit(static_argnums=2)
def tensor_parallel_mlp(params, x, mesh):
    def place(value, *spec):
        return lax.with_sharding_constraint(value, NamedSharding(mesh, P(*spec)))

    hidden = place(jnp.maximum(place(x, "data") @ params["w1"] + params["b1"], 0), "data", "model")
    return place(hidden @ params["w2"] + params["b2"], "data", None)


# %% in_shardings
# The code of one device, and the shardings of arguments and result.
def tensor_parallel_mlp(params, x, mesh):
    def network(w1, b1, w2, b2, x):
        return jnp.dot(jax.nn.relu(jnp.dot(x, w1) + b1), w2) + b2

    specs = P(None, "model"), P("model"), P("model", None), P(), P("data", None)
    shardings = tuple(NamedSharding(mesh, spec) for spec in specs)
    jitted = jax.jit(network, in_shardings=shardings, out_shardings=shardings[-1])
    return jitted(*(params[name] for name in ("w1", "b1", "w2", "b2")), x)


# %% bias_of_one_device
# b2 is inside the sum, but on the first device only.
def tensor_parallel_mlp(params, x, mesh):
    def part(w1, b1, w2, b2, x):
        hidden = jnp.where((h := x @ w1 + b1) > 0, h, 0)
        is_first = lax.axis_index("model") == 0
        return lax.psum(hidden @ w2 + jnp.where(is_first, b2, 0), "model")

    specs = P(None, "model"), P("model"), P("model"), P(), P("data")
    network = jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P("data"))
    return network(*(params[name] for name in ("w1", "b1", "w2", "b2")), x)


# %% unchecked
# The same sum without the checks of `shard_map`, with products written as `einsum`.
def tensor_parallel_mlp(params, x, mesh):
    def part(params, x):
        hidden = jnp.einsum("nd,dh->nh", x, params["w1"]) + params["b1"]
        term = jnp.einsum("nh,hk->nk", jax.nn.relu(hidden), params["w2"])
        return jax.lax.psum(term, "model") + params["b2"]

    specs = {"w1": P(None, "model"), "b1": P("model"), "w2": P("model", None), "b2": P(None)}
    return jax.shard_map(
        part,
        mesh=mesh,
        in_specs=(specs, P("data", None)),
        out_specs=P("data", None),
        check_vma=False,
    )(dict(params), x)


# %% placed
# The parameters are placed, and the result follows.
def tensor_parallel_mlp(params, x, mesh):
    specs = {"w1": P(None, "model"), "b1": P("model"), "w2": P("model"), "b2": P()}
    shardings = {name: NamedSharding(mesh, spec) for name, spec in specs.items()}
    params = jax.device_put({name: params[name] for name in specs}, shardings)
    x = jax.device_put(x, NamedSharding(mesh, P("data")))
    out = jax.nn.relu(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"]
    return jax.device_put(out, NamedSharding(mesh, P("data")))
