"""What learners get wrong in map_in_batches; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% vmap
# `vmap` alone computes all examples at once, so it needs memory for all of them.
# Do: Map in a loop over batches: `lax.map` with `batch_size`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_memory_is_that_of_a_batch, test_a_round_computes_a_batch,
# test_the_program_does_not_grow
def map_in_batches(f, xs, batch_size):
    return jax.vmap(f)(xs)


# %% one_by_one
# `lax.map` without `batch_size` computes one example in each round.
# Do: Pass `batch_size` to `lax.map`.
# Breaks: Returns 3
# Fails: test_a_round_computes_a_batch
def map_in_batches(f, xs, batch_size):
    return lax.map(f, xs)


# %% python_loop
# A Python loop over the batches adds each of them to the program.
# Do: Let `lax.map` loop over the batches.
# Breaks: Returns 4
# Fails: test_the_memory_is_that_of_a_batch, test_a_round_computes_a_batch,
# test_the_program_does_not_grow
def map_in_batches(f, xs, batch_size):
    parts = [xs[i : i + batch_size] for i in range(0, len(xs), batch_size)]
    return jnp.concatenate([jax.vmap(f)(part) for part in parts])


# %% rest_dropped
# The examples after the last full batch are dropped.
# Do: Also compute the leftover examples.
# Breaks: Returns 1
# Fails: test_each_example_has_its_result, test_the_memory_is_that_of_a_batch, test_details
def map_in_batches(f, xs, batch_size):
    full = len(xs) // batch_size
    batches = xs[: full * batch_size].reshape(full, batch_size, *xs.shape[1:])
    out = lax.map(jax.vmap(f), batches)
    return out.reshape(-1, *out.shape[2:])


# %% only_multiples
# `reshape` into full batches fails if examples are left over.
# Do: Also compute the leftover examples.
# Breaks: Returns 1
# Fails: test_each_example_has_its_result, test_the_memory_is_that_of_a_batch
def map_in_batches(f, xs, batch_size):
    batches = xs.reshape(-1, min(batch_size, len(xs)), *xs.shape[1:])
    out = lax.map(jax.vmap(f), batches)
    return out.reshape(-1, *out.shape[2:])


# %% padding_left
# The last batch is padded, and the results of the padding remain.
# Do: Cut off the results for the padding.
# Breaks: Returns 1
# Fails: test_each_example_has_its_result, test_the_memory_is_that_of_a_batch, test_details
def map_in_batches(f, xs, batch_size):
    missing = -len(xs) % batch_size
    wide = jnp.concatenate([xs, jnp.ones((missing, *xs.shape[1:]), xs.dtype)])
    return lax.map(f, wide, batch_size=batch_size)


# %% number_of_batches
# `batch_size` is used as the number of batches.
# Do: Give each batch `batch_size` examples.
# Breaks: Returns 3
# Fails: test_the_memory_is_that_of_a_batch, test_a_round_computes_a_batch
def map_in_batches(f, xs, batch_size):
    return lax.map(f, xs, batch_size=-(-len(xs) // batch_size))


# %% whole_batch_for_f
# `f` gets a whole batch, but was written for one example.
# Do: Map `f` over the examples of a batch with `jax.vmap`.
# Breaks: Returns 1
# Fails: test_each_example_has_its_result, test_the_memory_is_that_of_a_batch,
# test_a_round_computes_a_batch, test_the_program_does_not_grow, test_details
def map_in_batches(f, xs, batch_size):
    missing = -len(xs) % batch_size
    wide = jnp.concatenate([xs, jnp.ones((missing, *xs.shape[1:]), xs.dtype)])
    out = lax.map(f, wide.reshape(-1, batch_size, *xs.shape[1:]))
    return out.reshape(-1, *out.shape[2:])[: len(xs)]


# %% one_batch_too_large
# A batch can't be larger than `xs` here.
# Do: Compute all examples as one smaller batch, if there are too few for a full one.
# Breaks: Returns 1
# Fails: test_details
def map_in_batches(f, xs, batch_size, solution=map_in_batches):
    first = lax.dynamic_slice_in_dim(xs, 0, batch_size)
    return solution(f, xs.at[:batch_size].set(first), batch_size)


# %% size_of_its_own
# The batch size is always 11, whatever the caller requests.
# Do: Pass `batch_size` on.
# Breaks: Returns 3
# Fails: test_a_round_computes_a_batch
def map_in_batches(f, xs, batch_size):
    return lax.map(f, xs, batch_size=11)
