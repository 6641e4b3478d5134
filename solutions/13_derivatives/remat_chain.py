"""Reference solution: a scan over the layers, and a policy that keeps the named products."""

from functools import partial

import jax
from jax import lax
from jax.ad_checkpoint import checkpoint_name


@partial(jax.checkpoint, policy=jax.checkpoint_policies.save_only_these_names("product"))
def remat_chain(weights: jax.Array, x: jax.Array) -> jax.Array:
    """The value with a name is kept; the rest is computed again."""

    def layer(x, w):
        return x + jax.nn.gelu(checkpoint_name(x @ w, "product")), None

    return lax.scan(layer, x, weights)[0]
