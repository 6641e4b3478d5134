"""Other right answers to remat_chain; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.ad_checkpoint import checkpoint_name

policies = jax.checkpoint_policies


# %% loop
# A Python loop, and the policy that keeps products.
@jax.jit
@partial(jax.checkpoint, policy=policies.dots_saveable)
def remat_chain(weights, x):
    for w in weights:
        x = x + jax.nn.gelu(x @ w)
    return x


# %% each_layer
# The policy belongs to each layer of a scan, whose input is kept, too.
def remat_chain(weights, x):
    def layer(x, w):
        return x + jax.nn.gelu(jnp.dot(x, w)), None

    keep = policies.dots_saveable
    return lax.scan(jax.checkpoint(layer, policy=keep), x, weights)[0]


# %% each_layer_of_a_loop
# A Python loop over layers with a policy and a name.
@partial(jax.checkpoint, policy=policies.save_only_these_names("pre"))
def layer(w, x):
    pre = checkpoint_name(jnp.einsum("nd,de->ne", x, w), name="pre")
    return x + jax.nn.gelu(pre)


def remat_chain(weights, x):
    for i in range(weights.shape[0]):
        x = layer(weights[i], x)
    return x


# %% gelu_alone
# The product is outside: a checkpoint of gelu keeps its argument, and nothing else.
@jax.checkpoint
def gelu(h):
    return jax.nn.gelu(h)


def remat_chain(weights, x):
    for w in weights:
        x = x + gelu(x @ w)
    return x


# %% custom_vjp
# The derivative of a layer is written by hand, and its slope comes from `jax.vjp`.
@jax.custom_vjp
def layer(w, x):
    return x + jax.nn.gelu(x @ w)


def forward(w, x):
    product = x @ w
    return x + jax.nn.gelu(product), (w, x, product)


def backward(kept, g):
    w, x, product = kept
    (arrived,) = jax.vjp(jax.nn.gelu, product)[1](g)
    return x.T @ arrived, g + arrived @ w.T


layer.defvjp(forward, backward)


def remat_chain(weights, x):
    return lax.scan(lambda x, w: (layer(w, x), None), x, weights)[0]


# %% own_policy
# A policy is a function of the primitive.
def products(primitive, *_, **__):
    return primitive is lax.dot_general_p


@jax.jit
def remat_chain(weights, x):
    def chain(weights, x):
        return lax.fori_loop(0, len(weights), lambda i, x: x + jax.nn.gelu(x @ weights[i]), x)

    return jax.checkpoint(chain, policy=products, prevent_cse=False)(weights, x)
