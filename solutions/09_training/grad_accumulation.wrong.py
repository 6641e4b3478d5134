"""What learners get wrong in grad_accumulation; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def cut(batch, parts):
    return jax.tree.map(lambda x: x.reshape(parts, x.shape[0] // parts, *x.shape[1:]), batch)


def mean(loss):
    def mean_loss(params, batch):
        total, weight = loss(params, batch)
        return total / weight

    return mean_loss


# %% mean_of_means
# The losses and gradients of the parts are averaged, as if all parts had the same weight.
# Do: Sum totals, weights and gradients, and divide once, at the end.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_parts_of_unequal_weight, test_parts_of_padding
def grad_accumulation(loss, params, batch, parts):
    def step(sums, part):
        value, grads = jax.value_and_grad(mean(loss))(params, part)
        return jax.tree.map(jnp.add, sums, (value, grads)), None

    zeros = jax.tree.map(lambda p: jnp.zeros(p.shape, jnp.float32), params)
    (value, grads), _ = lax.scan(step, (0.0, zeros), cut(batch, parts))
    return value / parts, jax.tree.map(lambda g, p: (g / parts).astype(p.dtype), grads, params)


# %% divided_by_the_examples
# The sums are divided by the number of examples, not by the sum of their weights.
# Do: Divide by the sum of the weights.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_parts_of_unequal_weight, test_parts_of_padding
def grad_accumulation(loss, params, batch, parts):
    rows = len(jax.tree.leaves(batch)[0])

    def step(sums, part):
        (total, _), grads = jax.value_and_grad(loss, has_aux=True)(params, part)
        return jax.tree.map(jnp.add, sums, (total, grads)), None

    zeros = jax.tree.map(lambda p: jnp.zeros(p.shape, jnp.float32), params)
    (total, grads), _ = lax.scan(step, (0.0, zeros), cut(batch, parts))
    return total / rows, jax.tree.map(lambda g, p: (g / rows).astype(p.dtype), grads, params)


# %% gradient_not_divided
# The gradients are sums over all examples, and only the loss is a mean.
# Do: Also divide the gradients by the sum of the weights.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_equal_weights, test_parts_of_unequal_weight, test_parts_of_padding,
# test_the_parts_take_turns, test_details
def grad_accumulation(loss, params, batch, parts):
    def step(sums, part):
        (total, weight), grads = jax.value_and_grad(loss, has_aux=True)(params, part)
        return jax.tree.map(jnp.add, sums, (total, weight, grads)), None

    zeros = jax.tree.map(lambda p: jnp.zeros(p.shape, jnp.float32), params)
    (total, weight, grads), _ = lax.scan(step, (0.0, 0.0, zeros), cut(batch, parts))
    return total / weight, jax.tree.map(lambda g, p: g.astype(p.dtype), grads, params)


# %% last_part_only
# The carry is replaced instead of added to, so only the last part counts.
# Do: Add to what the scan carries.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_equal_weights, test_parts_of_unequal_weight, test_parts_of_padding,
# test_the_parts_take_turns, test_details
def grad_accumulation(loss, params, batch, parts):
    def step(_, part):
        (total, weight), grads = jax.value_and_grad(loss, has_aux=True)(params, part)
        return (total, weight, grads), None

    zeros = jax.tree.map(jnp.zeros_like, params)
    (total, weight, grads), _ = lax.scan(step, (0.0, 0.0, zeros), cut(batch, parts))
    return total / weight, jax.tree.map(lambda g, p: (g / weight).astype(p.dtype), grads, params)


# %% whole_batch
# The batch isn't cut: all intermediate results exist at once.
# Do: Cut the batch into parts, and go through them in a scan.
# Breaks: Returns 2
# Fails: test_the_parts_take_turns
def grad_accumulation(loss, params, batch, parts):
    wide = jax.tree.map(lambda p: p.astype(jnp.float32), params)
    value, grads = jax.value_and_grad(mean(loss))(wide, batch)
    return value, jax.tree.map(lambda g, p: g.astype(p.dtype), grads, params)


# %% parts_side_by_side
# `vmap` over the parts keeps all of them in memory at the same time.
# Do: Use `lax.scan`, which keeps one part at a time. `vmap` keeps all of them.
# Breaks: Returns 2
# Fails: test_the_parts_take_turns
def grad_accumulation(loss, params, batch, parts):
    gradient = jax.vmap(jax.value_and_grad(loss, has_aux=True), in_axes=(None, 0))
    (total, weight), grads = gradient(params, cut(batch, parts))
    weight = weight.sum()
    grads = jax.tree.map(lambda g: (g.astype(jnp.float32).sum(0) / weight).astype(g.dtype), grads)
    return total.sum() / weight, grads


# %% all_gradients_kept
# The scan returns the gradients of all parts, which are summed afterwards.
# Do: Carry the sum of the gradients, instead of collecting them.
# Breaks: Returns 2
# Fails: test_the_parts_take_turns
def grad_accumulation(loss, params, batch, parts):
    def step(_, part):
        return None, jax.value_and_grad(loss, has_aux=True)(params, part)

    _, ((total, weight), grads) = lax.scan(step, None, cut(batch, parts))
    weight = weight.sum()
    grads = jax.tree.map(lambda g: (g.astype(jnp.float32).sum(0) / weight).astype(g.dtype), grads)
    return total.sum() / weight, grads


# %% axes_exchanged
# The batch is cut into parts of `parts` examples, not into `parts` parts.
# Do: Cut the batch with `reshape(parts, -1, ...)`.
# Breaks: Returns 2
# Fails: test_the_parts_take_turns
def grad_accumulation(loss, params, batch, parts, solution=grad_accumulation):
    return solution(loss, params, batch, len(jax.tree.leaves(batch)[0]) // parts)


# %% python_loop
# A Python loop over the parts: the program has a copy of the loss for each of them.
# Do: Use `lax.scan` over the parts.
# Breaks: Returns 2
# Fails: test_the_parts_take_turns
def grad_accumulation(loss, params, batch, parts):
    sums = 0.0, 0.0, jax.tree.map(lambda p: jnp.zeros(p.shape, jnp.float32), params)
    batch = cut(batch, parts)
    for k in range(parts):
        part = jax.tree.map(lambda x, k=k: x[k], batch)
        (total, weight), grads = jax.value_and_grad(loss, has_aux=True)(params, part)
        sums = jax.tree.map(jnp.add, sums, (total, weight, grads))
    total, weight, grads = sums
    return total / weight, jax.tree.map(lambda g, p: (g / weight).astype(p.dtype), grads, params)


# %% python_numbers
# `float` turns totals and weights into Python numbers, which fails while JAX traces.
# Do: Sum totals and weights as arrays, without `float`.
# Breaks: Details 3
# Fails: test_the_parts_take_turns, test_details
def grad_accumulation(loss, params, batch, parts):
    grads = jax.tree.map(lambda p: np.zeros(p.shape, np.float32), params)
    value = count = 0.0
    batch = cut(batch, parts)
    for k in range(parts):
        part = jax.tree.map(lambda x, k=k: x[k], batch)
        (total, weight), slopes = jax.value_and_grad(loss, has_aux=True)(params, part)
        value, count = value + float(total), count + float(weight)
        grads = jax.tree.map(jnp.add, grads, slopes)
    grads = jax.tree.map(lambda g, p: (g / count).astype(p.dtype), grads, params)
    return jnp.float32(value / count), grads


# %% sums_in_half_precision
# The sums have the dtypes of the parameters: bfloat16 sums soon stop growing.
# Do: Start the sums as float32 zeros.
# Breaks: Details 1
# Fails: test_details
def grad_accumulation(loss, params, batch, parts):
    def step(sums, part):
        (total, weight), grads = jax.value_and_grad(loss, has_aux=True)(params, part)
        return jax.tree.map(jnp.add, sums, (total, weight, grads)), None

    start = 0.0, 0.0, jax.tree.map(jnp.zeros_like, params)
    (total, weight, grads), _ = lax.scan(step, start, cut(batch, parts))
    return total / weight, jax.tree.map(lambda g, p: (g / weight).astype(p.dtype), grads, params)


# %% float32_gradients
# The gradients stay in float32, even those of bfloat16 parameters.
# Do: Cast each gradient to the dtype of its parameter at the end.
# Breaks: Details 1
# Fails: test_details
def grad_accumulation(loss, params, batch, parts, solution=grad_accumulation):
    wide = jax.tree.map(lambda p: p.astype(jnp.float32), params)
    return solution(loss, wide, batch, parts)


# %% one_example_at_a_time
# The loop goes through the examples, whatever the number of parts.
# Do: Cut the batch into `parts` parts, and pass a whole part to `loss`.
# Breaks: Returns 2
# Fails: test_the_parts_take_turns
def grad_accumulation(loss, params, batch, parts, solution=grad_accumulation):
    return solution(loss, params, batch, len(jax.tree.leaves(batch)[0]))


# %% once missed


# %% while_loop
# A `while_loop` over the parts has no reverse-mode derivative.
# Breaks: Details 3
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


# %% derived_loop
# The loop over the parts is differentiated as a whole, so JAX sums in the parameters' dtype.
# Breaks: Details 1
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
# A row is assumed to be a number or a vector, and the rows of matrices become rows of the batch.
# Breaks: Details 2
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
# The sum of the weights is raised to 1, to avoid dividing by 0.
# Breaks: Returns 1
# Fails: test_parts_of_unequal_weight
def grad_accumulation(loss, params, batch, parts, solution=grad_accumulation):
    _, weight = loss(params, batch)
    factor = weight / jnp.maximum(weight, 1)
    value, grads = solution(loss, params, batch, parts)
    return value * factor, jax.tree.map(lambda g: (g * factor).astype(g.dtype), grads)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "keeps_the_first_number": "The number of parts changes no value.",
    "argument_never_empty of `batch`": "A batch has an example at least.",
}
