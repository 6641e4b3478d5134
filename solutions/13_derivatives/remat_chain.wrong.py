"""What learners get wrong in remat_chain; each cell is a suffix to the solution."""

from functools import partial

import jax
from jax import lax
from jax.ad_checkpoint import checkpoint_name

policies = jax.checkpoint_policies


def plain(weights, x):
    for w in weights:
        x = x + jax.nn.gelu(x @ w)
    return x


# %% no_checkpoint
# JAX keeps five or six arrays for each layer.
# Do: Put `jax.checkpoint` with a policy around the chain, or around each layer.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_products_are_kept_and_nothing_else, test_a_network_keeps_little_and_repeats_little,
# test_details
remat_chain = plain


# %% whole_chain
# `jax.checkpoint` without a policy computes every product again.
# Do: Add a policy that keeps the products.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_products_are_kept_and_nothing_else, test_a_network_keeps_little_and_repeats_little,
# test_details
remat_chain = jax.checkpoint(plain)


# %% each_layer
# A checkpoint around each layer keeps its input, and computes its product again.
# Do: Add a policy that keeps the product of each layer.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_products_are_kept_and_nothing_else, test_a_network_keeps_little_and_repeats_little,
# test_details
def remat_chain(weights, x):
    layer = jax.checkpoint(lambda x, w: (x + jax.nn.gelu(x @ w), None))
    return lax.scan(layer, x, weights)[0]


# %% gelu_kept
# The result of gelu is kept, but its derivative needs the product.
# Do: Give the name to the product.
# Breaks: Returns 3
# Fails: test_products_are_kept_and_nothing_else, test_a_network_keeps_little_and_repeats_little,
# test_details
@partial(jax.checkpoint, policy=policies.save_only_these_names("gelu"))
def remat_chain(weights, x):
    for w in weights:
        x = x + checkpoint_name(jax.nn.gelu(x @ w), "gelu")
    return x


# %% name_unused
# The value with the name isn't used, so it isn't kept.
# Do: Use the value that `checkpoint_name` returns.
# Breaks: Returns 3
# Fails: test_products_are_kept_and_nothing_else, test_a_network_keeps_little_and_repeats_little,
# test_details
@partial(jax.checkpoint, policy=policies.save_only_these_names("product"))
def remat_chain(weights, x):
    for w in weights:
        product = x @ w
        checkpoint_name(product, "product")
        x = x + jax.nn.gelu(product)
    return x


# %% everything_kept
# The policy keeps every value.
# Do: Take a policy that keeps the products only.
# Breaks: Returns 2
# Fails: test_products_are_kept_and_nothing_else, test_a_network_keeps_little_and_repeats_little,
# test_details
remat_chain = jax.checkpoint(plain, policy=policies.everything_saveable)


# %% elements_kept
# The policy keeps all but the products.
# Do: Keep the products, and nothing else.
# Breaks: Returns 2
# Fails: test_products_are_kept_and_nothing_else, test_a_network_keeps_little_and_repeats_little,
# test_details
def all_but_products(primitive, *_, **__):
    return primitive.name != "dot_general"


remat_chain = jax.checkpoint(plain, policy=all_but_products)


# %% no_batch_axis_of_a_batch
# The policy keeps products without a batch axis, and under `vmap` there is one.
# Do: Use `dots_saveable`, which also keeps products with a batch axis.
# Breaks: Details 2
# Fails: test_details
@partial(jax.checkpoint, policy=policies.dots_with_no_batch_dims_saveable)
def remat_chain(weights, x):
    return plain(weights, x)


# %% constant_products
# A product that is kept gets no gradient.
# Do: Leave out `stop_gradient`: what is kept has a gradient, too.
# Breaks: Returns 1
# Fails: test_the_gradients_are_right, test_products_are_kept_and_nothing_else,
# test_a_network_keeps_little_and_repeats_little, test_many_chains, test_details
@partial(jax.checkpoint, policy=policies.dots_saveable)
def remat_chain(weights, x):
    for w in weights:
        x = x + jax.nn.gelu(lax.stop_gradient(x @ w))
    return x


# %% no_residual
# No layer adds its input.
# Do: Add the input of each layer to its result.
# Breaks: Returns 1
# Fails: test_the_chain_is_right, test_the_gradients_are_right,
# test_products_are_kept_and_nothing_else, test_a_network_keeps_little_and_repeats_little,
# test_many_chains, test_details
@partial(jax.checkpoint, policy=policies.dots_saveable)
def remat_chain(weights, x):
    for w in weights:
        x = jax.nn.gelu(x @ w)
    return x


# %% last_layer_first
# The layers come in the wrong order.
# Do: Go through the matrices from the first to the last.
# Breaks: Returns 1
# Fails: test_the_chain_is_right, test_the_gradients_are_right,
# test_products_are_kept_and_nothing_else, test_a_network_keeps_little_and_repeats_little,
# test_many_chains, test_details
@partial(jax.checkpoint, policy=policies.dots_saveable)
def remat_chain(weights, x):
    for w in weights[::-1]:
        x = x + jax.nn.gelu(x @ w)
    return x


# %% exact_gelu
# The gelu with the error function is another function.
# Do: Call `jax.nn.gelu` without further arguments.
# Breaks: Returns 1
# Fails: test_the_chain_is_right, test_the_gradients_are_right,
# test_products_are_kept_and_nothing_else, test_a_network_keeps_little_and_repeats_little,
# test_many_chains, test_details
@partial(jax.checkpoint, policy=policies.dots_saveable)
def remat_chain(weights, x):
    for w in weights:
        x = x + jax.nn.gelu(x @ w, approximate=False)
    return x


# %% once missed
import jax.numpy as jnp


# %% no_batch_axes
# Each row is multiplied by itself under `vmap`, and the policy keeps no product with a batch axis.
# Breaks: Returns 3
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
# Breaks: Returns 4
# Fails: test_the_gradients_are_right, test_products_are_kept_and_nothing_else,
# test_a_network_keeps_little_and_repeats_little, test_many_chains, test_details
@partial(jax.checkpoint, policy=policies.dots_saveable)
def chain(weights, x):
    return plain(weights, x)


def remat_chain(weights, x):
    return chain(jnp.array(weights.tolist()), x)


# %% in_float32
# The chain is computed in float32, and so is its result.
# Breaks: Details 1
# Fails: test_details
def remat_chain(weights, x, solution=remat_chain):
    return solution(weights.astype(jnp.float32), x.astype(jnp.float32))


# %% products_in_float32
# The products are kept in float32, which takes twice the bytes in half precision.
# Breaks: Details 1
# Fails: test_details
def remat_chain(weights, x):
    @partial(jax.checkpoint, policy=jax.checkpoint_policies.dots_saveable)
    def layer(x, w):
        product = jnp.matmul(x, w, preferred_element_type=jnp.float32)
        return x + jax.nn.gelu(product).astype(x.dtype), None

    return lax.scan(layer, x, weights)[0]


# %% backward_pass_of_float32
# In bfloat16, the rule gives a float32 gradient for the weights, and JAX raises.
# Breaks: Details 1
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


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_without_nan": "The text says nothing of NaN.",
    "argument_without_nan": "The text says nothing of NaN.",
    "unrolled": "The text doesn't limit the program: a Python loop over the layers is a right answer.",
    "argument_never_empty of `weights`": "The text asks for at least one layer, and for rows.",
}
