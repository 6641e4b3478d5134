"""What the suite of grad_accumulation once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


def cut(batch, parts):
    return jax.tree.map(lambda x: x.reshape(parts, x.shape[0] // parts, *x.shape[1:]), batch)


def mean(loss):
    def mean_loss(params, batch):
        total, weight = loss(params, batch)
        return total / weight

    return mean_loss


# %% while_loop
# A `while_loop` over the parts, which has no derivative in reverse mode.
# Fails: test_details
def grad_accumulation(loss, params, batch, parts):
    batch = cut(batch, parts)

    def step(state):
        k, sums = state
        part = jax.tree.map(lambda x: x[k], batch)
        (total, weight), grads = jax.value_and_grad(loss, has_aux=True)(params, part)
        return k + 1, jax.tree.map(jnp.add, sums, (total, weight, grads))

    zeros = jax.tree.map(lambda p: jnp.zeros(p.shape, jnp.float32), params)
    start = 0, (jnp.float32(0), jnp.float32(0), zeros)
    _, (total, weight, grads) = lax.while_loop(lambda state: state[0] < parts, step, start)
    return total / weight, jax.tree.map(lambda g, p: (g / weight).astype(p.dtype), grads, params)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "keeps_the_first_number": "The number of parts changes no value.",
    "argument_never_empty of `batch`": "A batch has an example at least.",
}


# %% derived_loop
# The loop over the parts is differentiated as a whole, so JAX adds up in the parameters' dtype.
# Fails: test_details
def grad_accumulation(loss, params, batch, parts):
    cut = jax.tree.map(lambda a: a.reshape(parts, -1, *a.shape[1:]), batch)

    def mean(params):
        @jax.checkpoint
        def add(sums, part):
            return jax.tree.map(jnp.add, sums, loss(params, part)), None

        total, weight = jax.lax.scan(add, (jnp.float32(0), jnp.float32(0)), cut)[0]
        return total / weight

    return jax.value_and_grad(mean)(params)


# %% rows_are_vectors
# A row is taken to be a number or a vector, and the rows of matrices become rows of the batch.
# Fails: test_details
def grad_accumulation(loss, params, batch, parts):
    batch = jax.tree.map(
        lambda x: x.reshape(parts, -1, x.shape[-1]) if x.ndim > 1 else x.reshape(parts, -1), batch
    )

    def step(sums, part):
        (total, weight), grads = jax.value_and_grad(loss, has_aux=True)(params, part)
        return jax.tree.map(jnp.add, sums, (total, weight, grads)), None

    zeros = jax.tree.map(lambda p: jnp.zeros(p.shape, jnp.float32), params)
    (total, weight, grads), _ = lax.scan(step, (0.0, 0.0, zeros), batch)
    return total / weight, jax.tree.map(lambda g, p: (g / weight).astype(p.dtype), grads, params)


# %% weights_of_at_least_one
# The sum of the weights is raised to 1, so that nobody divides by 0.
# Fails: test_parts_of_unequal_weight
def grad_accumulation(loss, params, batch, parts, solution=grad_accumulation):
    _, weight = loss(params, batch)
    factor = weight / jnp.maximum(weight, 1)
    value, grads = solution(loss, params, batch, parts)
    return value * factor, jax.tree.map(lambda g: (g * factor).astype(g.dtype), grads)
