"""What learners get wrong in split_backward; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp

left = {}


def structure(f, like):
    return jax.tree.structure(jax.eval_shape(lambda *args: jax.vjp(f, *args)[1], *like))


# %% forward_again
# The arguments are kept, and the backward pass runs the forward pass again.
# Do: Keep the leaves of the function that `jax.vjp` returns.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_nothing_is_computed_again, test_the_backward_pass_works_in_another_process,
# test_details
def run_forward(f, args):
    return f(*args), jax.tree.leaves(args)


def run_backward(f, like, kept, g):
    args = jax.tree.unflatten(jax.tree.structure(like), kept)
    return jax.vjp(f, *args)[1](g)


# %% structure_in_a_global
# The structure waits in a global, where the forward pass has left it.
# Do: Make the structure from `like`, in the backward pass itself.
# Breaks: Returns 4
# Fails: test_the_backward_pass_works_in_another_process
def run_forward(f, args):
    value, pull = jax.vjp(f, *args)
    kept, left["structure"] = jax.tree.flatten(pull)
    return value, kept


def run_backward(f, like, kept, g):
    return jax.tree.unflatten(left["structure"], kept)(g)


# %% function_in_a_global
# The function of `jax.vjp` waits in a global, with traced arrays of another program.
# Do: Put the kept arrays into the structure.
# Breaks: Details 1
# Fails: test_two_programs_make_a_gradient, test_nothing_is_computed_again,
# test_the_backward_pass_works_in_another_process, test_trees_come_back_as_trees, test_details
def run_forward(f, args):
    value, left["pull"] = jax.vjp(f, *args)
    return value, jax.tree.leaves(left["pull"])


def run_backward(f, like, kept, g):
    return left["pull"](g)


# %% kept_with_the_arguments
# The arguments are kept beside the leaves.
# Do: What the backward pass needs of the arguments is among the leaves.
# Breaks: Returns 1
# Fails: test_nothing_is_computed_again, test_details
def run_forward(f, args):
    value, pull = jax.vjp(f, *args)
    return value, jax.tree.leaves(pull) + jax.tree.leaves(args)


def run_backward(f, like, kept, g):
    made = structure(f, like)
    return jax.tree.unflatten(made, kept[: made.num_leaves])(g)


# %% zeros_in_place_of_the_kept
# The backward pass is that of arguments of zeros.
# Do: Use `like` for the structure alone, and put the kept arrays into it.
# Breaks: Returns 2
# Fails: test_two_programs_make_a_gradient, test_nothing_is_computed_again,
# test_the_backward_pass_works_in_another_process, test_trees_come_back_as_trees, test_details
def run_backward(f, like, kept, g):
    zeros = jax.tree.map(lambda one: jnp.zeros(one.shape, one.dtype), like)
    return jax.vjp(f, *zeros)[1](g)


# %% ones_arrive
# The gradients are those of the sum of the value.
# Do: Call the function with g.
# Breaks: Returns 2
# Fails: test_two_programs_make_a_gradient, test_nothing_is_computed_again,
# test_the_backward_pass_works_in_another_process, test_trees_come_back_as_trees, test_details
def run_backward(f, like, kept, g):
    ones = jax.tree.map(jnp.ones_like, g)
    return jax.tree.unflatten(structure(f, like), kept)(ones)


# %% first_gradient
# The gradient in the first argument comes back alone.
# Do: Return the tuple of all gradients.
# Breaks: Returns 2
# Fails: test_two_programs_make_a_gradient, test_nothing_is_computed_again,
# test_the_backward_pass_works_in_another_process, test_trees_come_back_as_trees, test_details
def run_backward(f, like, kept, g):
    return jax.tree.unflatten(structure(f, like), kept)(g)[0]


# %% reversed_leaves
# The leaves come back in another order.
# Do: Keep the order of `jax.tree.leaves`.
# Breaks: Returns 1
# Fails: test_two_programs_make_a_gradient, test_nothing_is_computed_again,
# test_the_backward_pass_works_in_another_process, test_trees_come_back_as_trees
def run_backward(f, like, kept, g):
    return jax.tree.unflatten(structure(f, like), kept[::-1])(g)


# %% list_of_gradients
# The gradients of all leaves come back in one list.
# Do: Return what the function of `jax.vjp` returns.
# Breaks: Returns 2
# Fails: test_trees_come_back_as_trees
def run_backward(f, like, kept, g):
    return tuple(jax.tree.leaves(jax.tree.unflatten(structure(f, like), kept)(g)))


# %% function_as_kept
# The function itself is returned, and not its leaves.
# Do: Take its leaves: `jax.tree.leaves`.
# Breaks: Returns 1
# Fails: test_two_programs_make_a_gradient, test_nothing_is_computed_again,
# test_trees_come_back_as_trees, test_details
def run_forward(f, args):
    value, pull = jax.vjp(f, *args)
    return value, [pull]


# %% value_left_out
# The value is the first of the kept arrays, so the list has one array too many.
# Do: Return the value and the list apart.
# Breaks: Returns 1
# Fails: test_two_programs_make_a_gradient, test_nothing_is_computed_again,
# test_trees_come_back_as_trees, test_details
def run_forward(f, args):
    value, pull = jax.vjp(f, *args)
    return value, [*jax.tree.leaves(value), *jax.tree.leaves(pull)]


# %% never_empty
# Where nothing is kept, an array of zeros is.
# Do: An empty list is right.
# Breaks: Returns 1
# Fails: test_details
def run_forward(f, args):
    value, pull = jax.vjp(f, *args)
    return value, jax.tree.leaves(pull) or [jnp.zeros(())]


def run_backward(f, like, kept, g):
    made = structure(f, like)
    return jax.tree.unflatten(made, kept[: made.num_leaves])(g)
