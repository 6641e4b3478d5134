"""Other right answers to top_p_sample; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% drawn_in_the_sorted_order
# The draw is from the sorted logits, and the order says which token it is.
@jax.jit
def top_p_sample(key, logits, p):
    best, order = lax.top_k(logits.astype(jnp.float32), logits.shape[1])
    sizes = jax.nn.softmax(best)
    before = jnp.pad(jnp.cumsum(sizes, axis=1), ((0, 0), (1, 0)))[:, :-1]
    place = jax.random.categorical(key, jnp.where(before < p, best, -jnp.inf))
    return order[jnp.arange(len(order)), place]


# %% row_by_row
# A function of one row, with a key for each row.
def one(key, row, p):
    row = row.astype("float32")
    order = jnp.argsort(-row)
    sizes = jax.nn.softmax(row)[order]
    keep = jnp.zeros(row.shape, bool).at[order].set(jnp.cumsum(sizes) - sizes < p)
    return jnp.argmax(jnp.where(keep, row + jax.random.gumbel(key, row.shape), -jnp.inf))


def top_p_sample(key, logits, p):
    return jax.vmap(one, (0, 0, None))(jax.random.split(key, len(logits)), logits, p)


# %% no_sort
# A table says which tokens come before which.
def top_p_sample(key, logits, p):
    logits = logits.astype(jnp.float32)
    place = jnp.arange(logits.shape[1])
    mine, other = logits[:, :, None], logits[:, None, :]
    first = (other > mine) | ((other == mine) & (place < place[:, None]))
    sizes = jax.nn.softmax(logits)
    before = jnp.where(first, sizes[:, None, :], 0).sum(axis=-1)
    log_sizes = jnp.where(before < p, jax.nn.log_softmax(logits), jnp.finfo(jnp.float32).min)
    return jax.random.categorical(key, log_sizes)


# %% uniform_numbers
# A uniform number for each row, looked up in the sums of the nucleus.
def top_p_sample(key, logits, p):
    logits = logits.astype(jnp.float32)
    order = jnp.argsort(logits, axis=1, descending=True)
    sizes = jnp.take_along_axis(jax.nn.softmax(logits), order, axis=1)
    before = jnp.cumsum(sizes, axis=1) - sizes
    sums = jnp.cumsum(jnp.where(before < p, sizes, 0), axis=1)
    u = jax.random.uniform(key, (len(logits), 1)) * sums[:, -1:]
    place = jnp.minimum((sums <= u).sum(axis=1), logits.shape[1] - 1)
    return jnp.take_along_axis(order, place[:, None], axis=1)[:, 0]
