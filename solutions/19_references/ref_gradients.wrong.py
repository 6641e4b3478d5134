"""What learners get wrong in ref_gradients; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


def _write(ref, grad):
    ref[...] += grad


def _with(write):
    """The solution with another way to write."""

    def ref_gradients(loss, params, batch, sums):
        def step(carry, part):
            value, grads = jax.value_and_grad(loss)(params, part)
            jax.tree.map(write, sums, grads)
            return carry, value

        return lax.scan(step, None, batch)[1]

    return ref_gradients


# %% new_arrays
# The sums are new arrays, which nobody gets, and the references stay as they were.
# Do: Assign to `ref[...]` for each reference.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_gradients_are_added_up, test_what_is_there_stays, test_one_gradient_at_a_time,
# test_details
ref_gradients = _with(lambda ref, grad: ref[...] + grad)


# %% overwritten
# Each gradient replaces the one before.
# Do: Add to what is in the reference.
# Breaks: Returns 2
# Fails: test_the_gradients_are_added_up, test_what_is_there_stays, test_one_gradient_at_a_time,
# test_details
@_with
def ref_gradients(ref, grad):
    ref[...] = grad.astype(ref.dtype)


# %% starts_at_zero
# The references are set to 0 before the first part.
# Do: Leave that to the caller, who may have called with another batch before.
# Breaks: Returns 2
# Fails: test_what_is_there_stays
def ref_gradients(loss, params, batch, sums, solution=ref_gradients):
    for ref in jax.tree.leaves(sums):
        ref[...] = jnp.zeros(ref.shape, ref.dtype)
    return solution(loss, params, batch, sums)


# %% sum_replaces
# The sum of this batch replaces what was in the references.
# Do: Add to what is there.
# Breaks: Returns 2
# Fails: test_what_is_there_stays
def ref_gradients(loss, params, batch, sums):
    def step(total, part):
        value, grads = jax.value_and_grad(loss)(params, part)
        return jax.tree.map(jnp.add, total, grads), value

    def put(ref, total):
        ref[...] = total

    zeros = jax.tree.map(lambda p: jnp.zeros(p.shape), params)
    total, losses = lax.scan(step, zeros, batch)
    jax.tree.map(put, sums, total)
    return losses


# %% list_of_gradients
# The loop returns the gradients of all parts, which are added up after it.
# Do: Write to the references inside the loop.
# Breaks: Returns 4
# Fails: test_one_gradient_at_a_time
def ref_gradients(loss, params, batch, sums):
    losses, grads = lax.map(lambda part: jax.value_and_grad(loss)(params, part), batch)
    jax.tree.map(lambda ref, all: _write(ref, all.astype(ref.dtype).sum(axis=0)), sums, grads)
    return losses


# %% all_parts_at_once
# `vmap` computes all gradients at the same time.
# Do: Go through the parts in a loop.
# Breaks: Returns 4
# Fails: test_one_gradient_at_a_time
def ref_gradients(loss, params, batch, sums):
    losses, grads = jax.vmap(jax.value_and_grad(loss), in_axes=(None, 0))(params, batch)
    jax.tree.map(lambda ref, all: _write(ref, all.astype(ref.dtype).sum(axis=0)), sums, grads)
    return losses


# %% one_gradient_of_all
# One gradient of the sum of all losses keeps the intermediate results of all parts.
# Do: Compute the gradient of one part at a time.
# Breaks: Returns 4
# Fails: test_one_gradient_at_a_time, test_details
def ref_gradients(loss, params, batch, sums):
    def total(params):
        losses = jax.vmap(loss, in_axes=(None, 0))(params, batch)
        return losses.sum(), losses

    grads, losses = jax.grad(total, has_aux=True)(params)
    jax.tree.map(_write, sums, grads)
    return losses


# %% python_loop
# A Python loop over the parts: the program grows with their number.
# Do: Use a loop of `jax.lax`.
# Breaks: Returns 4
# Fails: test_one_gradient_at_a_time
def ref_gradients(loss, params, batch, sums):
    losses = []
    for i in range(len(jax.tree.leaves(batch)[0])):
        part = jax.tree.map(lambda leaf, i=i: leaf[i], batch)
        value, grads = jax.value_and_grad(loss)(params, part)
        jax.tree.map(_write, sums, grads)
        losses.append(value)
    return jnp.stack(losses)


# %% mapped_writes
# A mapped function writes to a reference of the code around it, which JAX refuses.
# Do: Use a loop: its rounds write one after the other.
# Breaks: Returns 1
# Fails: test_each_part_has_a_loss, test_the_gradients_are_added_up, test_what_is_there_stays,
# test_one_gradient_at_a_time, test_details
def ref_gradients(loss, params, batch, sums):
    def step(part):
        value, grads = jax.value_and_grad(loss)(params, part)
        jax.tree.map(_write, sums, grads)
        return value

    return jax.vmap(step)(batch)


# %% carried_references
# The references are the carry of the loop, so its body would have to return them.
# Do: Let the body use the references without being given them.
# Breaks: Returns 1
# Fails: test_each_part_has_a_loss, test_the_gradients_are_added_up, test_what_is_there_stays,
# test_one_gradient_at_a_time, test_details
def ref_gradients(loss, params, batch, sums):
    def step(sums, part):
        value, grads = jax.value_and_grad(loss)(params, part)
        jax.tree.map(_write, sums, grads)
        return sums, value

    return lax.scan(step, sums, batch)[1]


# %% written_while_differentiating
# A loss is added to a reference inside the function that is differentiated.
# Do: Compute the gradient first, and then write it.
# Breaks: Returns 1
# Fails: test_each_part_has_a_loss, test_the_gradients_are_added_up, test_what_is_there_stays,
# test_one_gradient_at_a_time, test_details
def ref_gradients(loss, params, batch, sums):
    def step(carry, part):
        def written(params):
            value = loss(params, part)
            jax.tree.map(lambda ref: _write(ref, value), sums)
            return value

        return carry, jax.value_and_grad(written)(params)[0]

    return lax.scan(step, None, batch)[1]


# %% mean_of_gradients
# The gradients are averaged over the parts.
# Do: Add them up.
# Breaks: Returns 2
# Fails: test_the_gradients_are_added_up, test_what_is_there_stays, test_one_gradient_at_a_time,
# test_details
def ref_gradients(loss, params, batch, sums, solution=ref_gradients):
    parts = len(jax.tree.leaves(batch)[0])
    solution(lambda params, part: loss(params, part) / parts, params, batch, sums)
    return lax.map(lambda part: loss(params, part), batch)


# %% sum_of_losses
# The losses are added up, too.
# Do: Return the loss of each part.
# Breaks: Returns 1
# Fails: test_each_part_has_a_loss, test_one_gradient_at_a_time, test_details
def ref_gradients(loss, params, batch, sums, solution=ref_gradients):
    return solution(loss, params, batch, sums).sum()


# %% update_of_another_dtype
# A gradient in bfloat16 is refused by a reference to float32.
# Do: Cast the gradient to the dtype of the reference.
# Breaks: Details 2
# Fails: test_details
ref_gradients = _with(lambda ref, grad: jax.ref.addupdate(ref, ..., grad))


# %% half_precision_sums
# The sums of the loop have the dtype of the parameters, so small gradients add nothing in bfloat16.
# Do: Add in float32.
# Breaks: Details 2
# Fails: test_details
def ref_gradients(loss, params, batch, sums):
    def step(total, part):
        value, grads = jax.value_and_grad(loss)(params, part)
        return jax.tree.map(jnp.add, total, grads), value

    total, losses = lax.scan(step, jax.tree.map(jnp.zeros_like, params), batch)
    jax.tree.map(_write, sums, total)
    return losses


# %% two_parts_at_a_time
# Each round computes the gradients of two parts, and adds both.
# Do: Let each round compute the gradient of one part.
# Breaks: Returns 4
# Fails: test_one_gradient_at_a_time
def ref_gradients(loss, params, batch, sums):
    parts = len(jax.tree.leaves(batch)[0])
    size = 1 if parts % 2 else 2

    def add(ref, grads):
        ref[...] += grads.astype(jnp.float32).sum(axis=0)

    def step(carry, several):
        values, grads = jax.vmap(lambda part: jax.value_and_grad(loss)(params, part))(several)
        jax.tree.map(add, sums, grads)
        return carry, values

    cut = jax.tree.map(lambda a: a.reshape(-1, size, *a.shape[1:]), batch)
    return jax.lax.scan(step, None, cut)[1].ravel()


# %% once missed


# %% losses_for_python
# The losses become Python floats, which a traced value doesn't have.
# Breaks: Returns 3
# Fails: test_each_part_has_a_loss, test_the_gradients_are_added_up, test_what_is_there_stays,
# test_one_gradient_at_a_time, test_details
def ref_gradients(loss, params, batch, sums, solution=ref_gradients):
    return jnp.array([float(value) for value in solution(loss, params, batch, sums)])


# %% slice_of_a_number
# All elements are taken by a slice, which a single number doesn't have.
# Breaks: Details 1
# Fails: test_details
def _add_to_a_slice(ref, grad):
    ref[:] += grad


ref_gradients = _with(_add_to_a_slice)
