"""What learners get wrong in kept_bytes; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def leaves(f, args):
    return jax.tree.leaves(jax.eval_shape(lambda *given: jax.vjp(f, *given)[1], *args))


def size(leaf):
    return leaf.size * leaf.dtype.itemsize


# %% forward_pass
# The forward pass runs, so all that is kept has to fit into memory.
# Do: Trace `jax.vjp` with `jax.eval_shape`.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_nothing_is_computed, test_details
def kept_bytes(f, *args):
    return sum(leaf.nbytes for leaf in jax.tree.leaves(jax.vjp(f, *args)[1]))


# %% under_jit
# A compiled function runs, too.
# Do: Use `jax.eval_shape`, which traces and doesn't run.
# Breaks: Returns 3
# Fails: test_nothing_is_computed, test_details
def kept_bytes(f, *args):
    pull = jax.jit(lambda *given: jax.vjp(f, *given)[1])(*args)
    return sum(leaf.nbytes for leaf in jax.tree.leaves(pull))


# %% elements
# The elements are counted, and not their bytes.
# Do: Multiply the size of each leaf by the bytes of its dtype.
# Breaks: Returns 1
# Fails: test_all_that_waits_is_counted, test_each_dtype_has_its_size, test_nothing_is_computed,
# test_rounds_and_checkpoints, test_details
def kept_bytes(f, *args):
    return sum(leaf.size for leaf in leaves(f, args))


# %% four_bytes_each
# Each element counts four bytes.
# Do: Ask the dtype of each leaf: `leaf.dtype.itemsize`.
# Breaks: Details 2
# Fails: test_each_dtype_has_its_size
def kept_bytes(f, *args):
    return sum(4 * leaf.size for leaf in leaves(f, args))


# %% floats_alone
# Integers and bools are left out.
# Do: Count each leaf, of each dtype.
# Breaks: Details 2
# Fails: test_each_dtype_has_its_size
def kept_bytes(f, *args):
    return sum(size(leaf) for leaf in leaves(f, args) if leaf.dtype in (jnp.float32, jnp.bfloat16))


# %% arguments_alone
# The arguments are counted, and not what is kept.
# Do: Count the leaves of the function that `jax.vjp` returns.
# Breaks: Returns 1
# Fails: test_all_that_waits_is_counted, test_each_dtype_has_its_size, test_nothing_is_computed,
# test_rounds_and_checkpoints, test_details
def kept_bytes(f, *args):
    return sum(size(leaf) for leaf in jax.tree.leaves(jax.eval_shape(lambda *given: given, *args)))


# %% value_and_all
# The value is counted, too.
# Do: Take the second result of `jax.vjp` alone.
# Breaks: Returns 1
# Fails: test_all_that_waits_is_counted, test_each_dtype_has_its_size, test_nothing_is_computed,
# test_rounds_and_checkpoints, test_details
def kept_bytes(f, *args):
    both = jax.eval_shape(lambda *given: jax.vjp(f, *given), *args)
    return sum(size(leaf) for leaf in jax.tree.leaves(both))


# %% value_alone
# The first result of `jax.vjp` is the value.
# Do: Take the second result: it is the function of the backward pass.
# Breaks: Returns 1
# Fails: test_all_that_waits_is_counted, test_each_dtype_has_its_size, test_nothing_is_computed,
# test_rounds_and_checkpoints, test_details
def kept_bytes(f, *args):
    return sum(size(leaf) for leaf in jax.tree.leaves(jax.eval_shape(f, *args)))


# %% gradients
# The gradients that come out of the backward pass are counted.
# Do: Count what waits for the backward pass.
# Breaks: Returns 1
# Fails: test_all_that_waits_is_counted, test_each_dtype_has_its_size, test_nothing_is_computed,
# test_rounds_and_checkpoints, test_details
def kept_bytes(f, *args):
    def gradients(*given):
        value, pull = jax.vjp(f, *given)
        return pull(value)

    return sum(size(leaf) for leaf in jax.tree.leaves(jax.eval_shape(gradients, *args)))


# %% without_the_arguments
# Arrays as large as an argument are left out, as if they were the argument.
# Do: Count an argument that is kept like each other array.
# Breaks: Returns 2
# Fails: test_all_that_waits_is_counted, test_each_dtype_has_its_size, test_nothing_is_computed,
# test_rounds_and_checkpoints, test_details
def kept_bytes(f, *args):
    given = {(one.shape, one.dtype) for one in jax.tree.leaves(jax.eval_shape(lambda *a: a, *args))}
    return sum(size(leaf) for leaf in leaves(f, args) if (leaf.shape, leaf.dtype) not in given)


# %% each_shape_once
# Of arrays of the same shape and dtype, one is counted.
# Do: Count each leaf.
# Breaks: Details 1
# Fails: test_all_that_waits_is_counted, test_each_dtype_has_its_size, test_rounds_and_checkpoints,
# test_details
def kept_bytes(f, *args):
    return sum(size(leaf) for leaf in set(leaves(f, args)))


# %% sum_in_int32
# The bytes are summed as an int32, which ends at 2 gigabytes.
# Do: Use Python's `sum`: its ints have no end.
# Breaks: Returns 1
# Fails: test_each_dtype_has_its_size, test_nothing_is_computed, test_details
def kept_bytes(f, *args):
    sizes = jnp.array([leaf.size for leaf in leaves(f, args)] or [0], jnp.float32)
    return int((sizes.astype(jnp.int32) * 4).sum())


# %% first_argument
# `jax.vjp` gets the first argument alone.
# Do: Pass all arguments.
# Breaks: Returns 1
# Fails: test_all_that_waits_is_counted, test_each_dtype_has_its_size, test_details
def kept_bytes(f, *args):
    def backward(first):
        return jax.vjp(lambda x: f(x, *args[1:]), first)[1]

    return sum(size(leaf) for leaf in jax.tree.leaves(jax.eval_shape(backward, args[0])))


# %% computed_if_it_fits
# What is small enough is computed and measured, but to compute it may need more memory.
# Do: Measure what `jax.eval_shape` returns.
# Breaks: Returns 3
# Fails: test_nothing_is_computed
def kept_bytes(f, *args):
    kept = leaves(f, args)
    is_known = not any(isinstance(a, jax.ShapeDtypeStruct) for a in jax.tree.leaves(args))
    if is_known and sum(leaf.size for leaf in kept) < 10**6:
        kept = jax.tree.leaves(jax.vjp(f, *jax.tree.map(jnp.asarray, args))[1])
    return sum(map(size, kept))


# %% once missed


# %% needs_arrays
# Shape and dtype are asked of each argument, and a Python float has none.
# Breaks: Details 3
# Fails: test_details
def kept_bytes(f, *args):
    args = jax.tree.map(lambda one: jax.ShapeDtypeStruct(one.shape, one.dtype), args)
    return sum(size(leaf) for leaf in leaves(f, args))
