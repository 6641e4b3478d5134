"""What learners get wrong in find_nan; each cell is a suffix to the solution."""

from functools import partial, reduce
from operator import itemgetter

import jax
import jax.numpy as jnp
from jax import lax


# %% python_if
# A Python loop with an `if`, which asks for values while JAX traces.
# Do: Choose between the old and the new state with `jnp.where`, in a loop of JAX's.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_a_nan_that_goes_away_is_found, test_the_program_is_small,
# test_each_of_a_batch_is_searched
def find_nan(step, state, xs):
    for t in range(len(jax.tree.leaves(xs)[0])):
        new = step(state, jax.tree.map(itemgetter(t), xs))
        if holds_nan(new):
            return jnp.int32(t), state
        state = new
    return jnp.int32(-1), state


# %% counted_from_the_end
# The bad states are counted, as if each state after the first bad one were bad.
# Do: Keep whether a NaN was found, and count no step after it.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_first_nan_is_found, test_a_nan_that_goes_away_is_found,
# test_each_of_a_batch_is_searched, test_details
def find_nan(step, state, xs):
    def advance(carry, x):
        bad_steps, before, state = carry
        new = step(state, x)
        bad = holds_nan(new)
        before = jax.tree.map(lambda old, kept: jnp.where(bad, kept, old), new, before)
        return (bad_steps + bad, before, new), None

    state = jax.tree.map(jnp.asarray, state)
    (bad_steps, before, _), _ = lax.scan(advance, (jnp.int32(0), state, state), xs)
    steps = len(jax.tree.leaves(xs)[0])
    return jnp.where(bad_steps == 0, -1, steps - bad_steps), before


# %% the_last_one
# Each NaN overwrites what is known, so the last one is found.
# Do: Keep the number and the state once a NaN is found.
# Breaks: Returns 1
# Fails: test_the_first_nan_is_found, test_a_nan_that_goes_away_is_found, test_the_program_is_small,
# test_each_of_a_batch_is_searched, test_details
def find_nan(step, state, xs):
    def advance(carry, x):
        k, t, before, state = carry
        new = step(state, x)
        bad = holds_nan(new)
        before = jax.tree.map(lambda old, kept: jnp.where(bad, old, kept), state, before)
        return (k + 1, jnp.where(bad, k, t), before, new), None

    state = jax.tree.map(jnp.asarray, state)
    (_, t, before, new), _ = lax.scan(advance, (jnp.int32(0), jnp.int32(-1), state, state), xs)
    return t, jax.tree.map(lambda kept, last: jnp.where(t < 0, last, kept), before, new)


# %% first_of_none
# `argmax` of no flags is 0.
# Do: Begin with -1, and return it where nothing is found.
# Breaks: Returns 1
# Fails: test_there_may_be_none, test_a_nan_that_goes_away_is_found,
# test_each_of_a_batch_is_searched, test_details
def find_nan(step, state, xs, solution=find_nan):
    t, before = solution(step, state, xs)
    return jnp.maximum(t, 0), before


# %% number_of_steps
# Without a NaN the number is that of all steps.
# Do: Begin with -1, and return it where nothing is found.
# Breaks: Returns 1
# Fails: test_there_may_be_none, test_a_nan_that_goes_away_is_found,
# test_each_of_a_batch_is_searched, test_details
def find_nan(step, state, xs, solution=find_nan):
    t, before = solution(step, state, xs)
    return jnp.where(t < 0, len(jax.tree.leaves(xs)[0]), t).astype(jnp.int32), before


# %% not_finite
# Infinity is taken for NaN.
# Do: Ask for NaN with `jnp.isnan`.
# Breaks: Details 1
# Fails: test_details
def holds_nan(tree):
    return ~jnp.all(jnp.stack([jnp.isfinite(leaf).all() for leaf in jax.tree.leaves(tree)]))


# %% no_leaf_of_floats
# The answers of the leaves of floats are joined by `reduce`, and there may be no such leaf.
# Do: Ask all leaves, also those of integers, or give `reduce` a first value.
# Breaks: Details 3
# Fails: test_details
def holds_nan(tree):
    floats = [leaf for leaf in jax.tree.leaves(tree) if jnp.issubdtype(leaf.dtype, jnp.floating)]
    return reduce(jnp.logical_or, [jnp.isnan(leaf).any() for leaf in floats])


# %% first_leaf
# Only the first leaf of the state is looked at.
# Do: Look at all leaves: `jax.tree.leaves` gives them.
# Breaks: Returns 1
# Fails: test_the_first_nan_is_found, test_a_nan_that_goes_away_is_found,
# test_each_of_a_batch_is_searched, test_details
def holds_nan(tree):
    return jnp.isnan(jax.tree.leaves(tree)[0]).any()


# %% all_elements
# A leaf counts only if all of its elements are NaN.
# Do: Ask whether any element of a leaf is NaN.
# Breaks: Returns 1
# Fails: test_the_first_nan_is_found, test_a_nan_that_goes_away_is_found,
# test_each_of_a_batch_is_searched, test_details
def holds_nan(tree):
    return jnp.any(jnp.stack([jnp.isnan(leaf).all() for leaf in jax.tree.leaves(tree)]))


# %% state_after
# The state is the one that the bad step returned.
# Do: Keep the old state in the step that is bad.
# Breaks: Returns 2
# Fails: test_the_first_nan_is_found, test_a_nan_that_goes_away_is_found, test_the_program_is_small,
# test_each_of_a_batch_is_searched, test_details
def find_nan(step, state, xs):
    def advance(carry, x):
        good_steps, good, state = carry
        new = step(state, x)
        state = jax.tree.map(lambda new, old: jnp.where(good, new, old), new, state)
        good &= ~holds_nan(new)
        return (good_steps + good, good, state), None

    start = jnp.int32(0), jnp.array(True), jax.tree.map(jnp.asarray, state)
    (t, good, state), _ = lax.scan(advance, start, xs)
    return jnp.where(good, -1, t), state


# %% first_state
# The state is the one before the whole loop.
# Do: Carry the state, and let it stand still from the first NaN on.
# Breaks: Returns 2
# Fails: test_the_first_nan_is_found, test_there_may_be_none, test_a_nan_that_goes_away_is_found,
# test_the_program_is_small, test_each_of_a_batch_is_searched, test_details
def find_nan(step, state, xs, solution=find_nan):
    return solution(step, state, xs)[0], jax.tree.map(jnp.asarray, state)


# %% table_of_states
# The program keeps the state of every step.
# Do: Carry the last good state. The scan needs to collect nothing.
# Breaks: Returns 5
# Fails: test_the_program_is_small
def find_nan(step, state, xs):
    def advance(state, x):
        new = step(state, x)
        return new, (holds_nan(new), state)

    state = jax.tree.map(jnp.asarray, state)
    last, (bad, states) = lax.scan(advance, state, xs)
    t = jnp.argmax(bad).astype(jnp.int32)
    before = jax.tree.map(lambda a, b: jnp.where(bad.any(), a[t], b), states, last)
    return jnp.where(bad.any(), t, -1), before


# %% unrolled
# A Python loop: the program has a copy of the step for each round.
# Do: Loop over `xs` with `jax.lax.scan`.
# Breaks: Returns 4
# Fails: test_the_program_is_small
def find_nan(step, state, xs):
    t, good = jnp.int32(0), jnp.array(True)
    for k in range(len(jax.tree.leaves(xs)[0])):
        new = step(state, jax.tree.map(itemgetter(k), xs))
        good &= ~holds_nan(new)
        state = jax.tree.map(partial(jnp.where, good), new, state)
        t += good
    return jnp.where(good, -1, t), state


# %% once missed


# %% sum_of_all
# The sum of all elements is NaN if one of them is, and also for infinity minus infinity.
# Do: Ask of each element whether it is NaN, and join the answers.
# Breaks: Details 1
# Fails: test_details
def holds_nan(tree):
    return jnp.isnan(sum(jnp.sum(leaf, dtype=jnp.float32) for leaf in jax.tree.leaves(tree)))


# %% floats
# The state becomes one array of floats, which loses large integers and other dtypes.
# Breaks: Details 2
# Fails: test_details
def find_nan(step, state, xs, solution=find_nan):
    t, before = solution(step, state, xs)

    def round_trip(leaf):
        return leaf.astype(jnp.float32).astype(leaf.dtype)

    return t, jax.tree.map(round_trip, before)


# %% only_floats
# The leaves of floats are put into one array, but there may be none.
# Breaks: Details 3
# Fails: test_details
def holds_nan(tree):
    floats = [leaf for leaf in jax.tree.leaves(tree) if jnp.issubdtype(leaf.dtype, jnp.floating)]
    return jnp.isnan(jnp.concatenate([jnp.ravel(leaf) for leaf in floats])).any()


# %% flat_xs
# The x of a step is cut out of `xs` along one axis, but a leaf may have more of them.
# Breaks: Returns 1
# Fails: test_the_first_nan_is_found, test_there_may_be_none, test_a_nan_that_goes_away_is_found,
# test_each_of_a_batch_is_searched, test_details
def find_nan(step, state, xs, solution=find_nan):
    def numbered(state, t):
        return step(state, jax.tree.map(lambda leaf: lax.dynamic_slice(leaf, (t,), (1,))[0], xs))

    return solution(numbered, state, jnp.arange(len(jax.tree.leaves(xs)[0])))


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_without_nan": "The state before the first NaN holds none.",
    "argument_only_arrays of `state`": "The text asks for a pytree of arrays.",
    "argument_without_nan of `state`": "The text asks for a state without a NaN.",
    "argument_never_empty of `xs`": "The text asks for at least one step.",
    "argument_without_gradient": "The text promises no gradient.",
    "argument_nan_gradient_at_zero": "The text promises no gradient.",
}
