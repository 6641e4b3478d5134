"""Other right answers to dot_general; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% by_numbers
# The axes by their numbers.
def attention_scores(q, k):
    axes = (((3,), (3,)), ((0, 2), (0, 2)))
    return lax.dot_general(q, k, axes, preferred_element_type=jnp.float32)


# %% mapped
# A product of two matrices, mapped over heads and examples.
def attention_scores(q, k):
    def one(q, k):
        return lax.dot_general(q, k, (((1,), (1,)), ((), ())), preferred_element_type="float32")

    return jax.vmap(jax.vmap(one, in_axes=1))(q, k)


# %% mapped_sums
# One sum of products, mapped over everything else.
@jax.jit
def attention_scores(q, k):
    def one(q, k):
        return jnp.vdot(q, k, preferred_element_type=jnp.float32)

    pairs = jax.vmap(jax.vmap(one, (None, 0)), (0, None))
    return jax.vmap(jax.vmap(pairs, in_axes=(1, 1)))(q, k)


# %% exact_products
# Numbers in place of letters, with the highest precision.
def attention_scores(q, k):
    return jnp.einsum(
        q, [0, 1, 2, 3], k, [0, 4, 2, 3], [0, 2, 1, 4],
        precision="highest", preferred_element_type=jnp.float32,
    )  # fmt: skip


# %% tensordot_mapped
# `tensordot` for one head of one example.
def attention_scores(q, k):
    def one(q, k):
        return jnp.tensordot(q, k, axes=(1, 1), preferred_element_type=jnp.float32)

    return jax.vmap(lambda q, k: jax.vmap(one, (1, 1))(q, k))(q, k)
