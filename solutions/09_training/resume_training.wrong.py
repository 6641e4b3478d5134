"""What learners get wrong in resume_training; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


def run(state, data, lr, number_of_mask, number_of_warm_up):
    """Each number comes from t, the steps of all runs, and i, those of this run."""
    key = jax.random.wrap_key_data(state["key"])

    def step(carry, row):
        (w, m, t), (x, i) = carry, row
        mask_key = jax.random.fold_in(key, number_of_mask(t, i))
        keep = jax.random.bernoulli(mask_key, 0.5, w.shape)
        m = 0.5 * m + keep * (w - x)
        w = w - lr * jnp.minimum(1, (number_of_warm_up(t, i) + 1) / 4) * m
        return (w, m, t + 1), None

    start = (state["w"], state["m"], state["step"])
    w, m, t = lax.scan(step, start, (data, jnp.arange(len(data))))[0]
    return {**state, "w": w, "m": m, "step": t}


# %% steps_from_zero
# The steps are counted from 0 in each run: a second warm-up, and the same masks again.
# Do: Continue counting from `state["step"]`.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_a_resumed_training_goes_on, test_a_long_training_is_a_small_program,
# test_a_batch_of_trainings, test_the_training_has_a_gradient, test_details
def resume_training(state, data, lr, solution=resume_training):  # noqa: F821
    new = solution({**state, "step": jnp.int32(0)}, data, lr)
    return {**new, "step": state["step"] + new["step"]}


# %% second_warm_up
# The masks continue, but the warm-up counts the rows of this run.
# Do: Use the step number for the warm-up, not the index of the row.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_a_resumed_training_goes_on, test_a_long_training_is_a_small_program,
# test_a_batch_of_trainings, test_the_training_has_a_gradient, test_details
def resume_training(state, data, lr):
    return run(state, data, lr, lambda t, i: t, lambda t, i: i)


# %% same_masks_again
# The warm-up continues, but the masks of the first steps are drawn again.
# Do: Fold the step number into the key, not the index of the row.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_a_resumed_training_goes_on, test_a_long_training_is_a_small_program,
# test_a_batch_of_trainings, test_the_training_has_a_gradient, test_details
def resume_training(state, data, lr):
    return run(state, data, lr, lambda t, i: i, lambda t, i: t)


# %% average_from_zero
# Each run starts with an average of zeros.
# Do: Start with the average `state["m"]`.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_a_resumed_training_goes_on, test_a_long_training_is_a_small_program,
# test_a_batch_of_trainings, test_the_training_has_a_gradient, test_details
def resume_training(state, data, lr, solution=resume_training):
    return solution({**state, "m": jnp.zeros_like(state["w"])}, data, lr)


# %% average_not_saved
# The returned state has the average from before these steps.
# Do: Return the average after the last step.
# Breaks: Returns 1
# Fails: test_a_new_training_follows_the_formula, test_a_resumed_training_goes_on,
# test_a_long_training_is_a_small_program, test_a_batch_of_trainings, test_details
def resume_training(state, data, lr, solution=resume_training):
    return {**solution(state, data, lr), "m": state["m"]}


# %% steps_of_this_run
# The returned state has only this run's number of steps.
# Do: Add the steps of this run to `state["step"]`.
# Breaks: Returns 1
# Fails: test_a_resumed_training_goes_on, test_a_long_training_is_a_small_program,
# test_a_batch_of_trainings, test_details
def resume_training(state, data, lr, solution=resume_training):
    return {**solution(state, data, lr), "step": jnp.int32(len(data))}


# %% key_moved
# The returned state has a new key, so the random numbers after a restart differ.
# Do: Return the key's data unchanged.
# Breaks: Returns 2
# Fails: test_a_new_training_follows_the_formula, test_a_resumed_training_goes_on,
# test_a_long_training_is_a_small_program, test_a_batch_of_trainings, test_details
def resume_training(state, data, lr, solution=resume_training):
    moved = jax.random.split(jax.random.wrap_key_data(state["key"]))[0]
    return {**solution(state, data, lr), "key": jax.random.key_data(moved)}


# %% mask_of_the_first_step
# One mask is drawn before the loop and used in all steps.
# Do: Draw a mask in each step.
# Breaks: Returns 1
# Fails: test_a_new_training_follows_the_formula, test_a_resumed_training_goes_on,
# test_a_long_training_is_a_small_program, test_a_batch_of_trainings,
# test_the_training_has_a_gradient, test_details
def resume_training(state, data, lr):
    return run(state, data, lr, lambda t, i: t - i, lambda t, i: t)


# %% written_out
# A Python loop: the program has a copy of the step for each row.
# Do: Use `lax.scan` over the rows.
# Breaks: Returns 4
# Fails: test_a_long_training_is_a_small_program
def resume_training(state, data, lr, one_step=jax.jit(resume_training)):  # noqa: B008
    for k in range(len(data)):
        state = one_step(state, data[k : k + 1], lr)
    return state


# %% known_step
# The number of steps has to be a Python number.
# Do: Leave the number of steps as an array.
# Breaks: Returns 3
# Fails: test_a_resumed_training_goes_on, test_a_long_training_is_a_small_program,
# test_a_batch_of_trainings, test_the_training_has_a_gradient
def resume_training(state, data, lr, solution=resume_training):
    return solution({**state, "step": jnp.int32(int(state["step"]))}, data, lr)


# %% once missed


# %% no_gradient_through_the_average
# The gradient stops at the average, so earlier steps get too little of it.
# Breaks: Returns 3
# Fails: test_the_training_has_a_gradient
def resume_training(state, data, lr, solution=resume_training):
    return solution({**state, "m": lax.stop_gradient(state["m"])}, data, lr)


# %% first_row_needed
# The first row is read before the loop, but there may be none.
# Breaks: Details 1
# Fails: test_details
def resume_training(state, data, lr, solution=resume_training):
    first = lax.dynamic_index_in_dim(data, 0, keepdims=True)
    return solution(solution(state, first, lr), data[1:], lr)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_nan_gradient_at_zero of `lr`": "A minimum of two rates has a tie at 0.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_no_integers": "The text asks for float32.",
    "argument_without_nan": "The text doesn't speak of NaN.",
    "result_without_nan": "The text doesn't speak of NaN.",
}
