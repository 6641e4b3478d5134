"""What the suite of remat_chain once missed; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax

policies = jax.checkpoint_policies


def plain(weights, x):
    for w in weights:
        x = x + jax.nn.gelu(x @ w)
    return x


# %% no_batch_axes
# Each row is multiplied by itself under `vmap`, and the policy keeps no product with a batch axis.
# Fails: test_products_are_kept_and_nothing_else, test_a_network_keeps_little_and_repeats_little,
# test_details
@partial(jax.checkpoint, policy=policies.dots_with_no_batch_dims_saveable)
def remat_chain(weights, x):
    for w in weights:
        copies = jnp.broadcast_to(w, (len(x), *w.shape))
        x = x + jax.nn.gelu(jnp.einsum("nd,nde->ne", x, copies))
    return x


# %% no_batch
# The weights are lists of numbers, which a tracer isn't.
# Fails: test_the_gradients_are_right, test_products_are_kept_and_nothing_else,
# test_a_network_keeps_little_and_repeats_little, test_many_chains, test_details
@partial(jax.checkpoint, policy=policies.dots_saveable)
def chain(weights, x):
    return plain(weights, x)


def remat_chain(weights, x):
    return chain(jnp.array(weights.tolist()), x)


# %% in_float32
# The chain is computed in float32, and so is its result.
# Fails: test_details
def remat_chain(weights, x, solution=remat_chain):
    return solution(weights.astype(jnp.float32), x.astype(jnp.float32))


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "unrolled": "The text doesn't limit the program: a Python loop over the layers is a right answer.",
    "argument_never_empty of `weights`": "The text asks for at least one layer, and for rows.",
}


# %% products_in_float32
# The products are kept in float32, which takes twice the bytes in half precision.
# Fails: test_details
def remat_chain(weights, x):
    @partial(jax.checkpoint, policy=jax.checkpoint_policies.dots_saveable)
    def layer(x, w):
        product = jnp.matmul(x, w, preferred_element_type=jnp.float32)
        return x + jax.nn.gelu(product).astype(x.dtype), None

    return lax.scan(layer, x, weights)[0]


# %% backward_pass_of_float32
# In bfloat16, the rule gives a float32 gradient for the weights, and JAX raises.
# Fails: test_details
@jax.custom_vjp
def layer(w, x):
    return x + jax.nn.gelu(x @ w)


def backward(kept, g):
    w, x, product = kept
    (arrived,) = jax.vjp(jax.nn.gelu, product)[1](g)
    return jnp.matmul(x.T, arrived, preferred_element_type=jnp.float32), g + arrived @ w.T


def forward(w, x):
    product = x @ w
    return x + jax.nn.gelu(product), (w, x, product)


layer.defvjp(forward, backward)


def remat_chain(weights, x):
    return lax.scan(lambda x, w: (layer(w, x), None), x, weights)[0]
