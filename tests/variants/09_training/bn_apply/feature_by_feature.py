"""One feature at a time, mapped over the columns, with `rsqrt`."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@partial(jax.jit, static_argnums=5)
@partial(jax.vmap, in_axes=(0, 0, 0, 0, 1, None), out_axes=(1, 0, 0))
def normalise_feature(scale, bias, old_mean, old_var, column, train):
    mean = jnp.sum(column) / len(column) if train else old_mean
    var = jnp.sum((column - mean) ** 2) / len(column) if train else old_var
    y = (column - mean) * lax.rsqrt(var + 1e-5) * scale + bias
    if not train:
        return y, old_mean, old_var
    return y, old_mean + 0.1 * (mean - old_mean), old_var + 0.1 * (var - old_var)


def bn_apply(params, state, x, train):
    given = (params["scale"], params["bias"], state["mean"], state["var"], x)
    y, mean, var = normalise_feature(*given, train)
    return y, {"mean": mean, "var": var}
