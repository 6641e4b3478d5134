"""What the suite of find_nan once missed; each cell is a suffix to the solution.

Not noticed any more: a NaN that the step itself replaces, and two copies of the step, since the
text names neither.
"""

import jax
import jax.numpy as jnp
from jax import lax


# %% sum_of_all
# The sum of all elements is NaN if one of them is, and also for infinity minus infinity.
# Fails: test_details
def holds_nan(tree):
    return jnp.isnan(sum(jnp.sum(leaf, dtype=jnp.float32) for leaf in jax.tree.leaves(tree)))


# %% floats
# The state becomes one array of floats, which loses large integers and other dtypes.
# Fails: test_details
def find_nan(step, state, xs, solution=find_nan):  # noqa: F821
    t, before = solution(step, state, xs)

    def round_trip(leaf):
        return leaf.astype(jnp.float32).astype(leaf.dtype)

    return t, jax.tree.map(round_trip, before)


# %% only_floats
# The leaves of floats are put into one array, but there may be none.
# Fails: test_details
def holds_nan(tree):
    floats = [leaf for leaf in jax.tree.leaves(tree) if jnp.issubdtype(leaf.dtype, jnp.floating)]
    return jnp.isnan(jnp.concatenate([jnp.ravel(leaf) for leaf in floats])).any()


# %% flat_xs
# The x of a step is cut out of `xs` along one axis, but a leaf may have more of them.
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
