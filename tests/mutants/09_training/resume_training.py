"""Wrong answers to resume_training; each cell is a suffix to the solution."""

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


# %% second_warm_up
# The masks go on, but the warm-up counts the rows of this run.
# At most half of the points.
# Fails: test_a_resumed_training_goes_on, test_any_shape_and_no_step_at_all,
# test_a_long_training_is_a_small_program, test_batches_and_gradients
def resume_training(state, data, lr):
    return run(state, data, lr, lambda t, i: t, lambda t, i: i)


# %% steps_from_zero
# The steps are counted from 0 in each run: a second warm-up, and the same masks again.
# At most half of the points.
# Fails: test_a_resumed_training_goes_on, test_any_shape_and_no_step_at_all,
# test_a_long_training_is_a_small_program, test_batches_and_gradients
def resume_training(state, data, lr, solution=resume_training):
    new = solution({**state, "step": jnp.int32(0)}, data, lr)
    return {**new, "step": state["step"] + new["step"]}


# %% average_from_zero
# Each run starts with an average of zeros.
# At most half of the points.
# Fails: test_a_resumed_training_goes_on, test_any_shape_and_no_step_at_all,
# test_a_long_training_is_a_small_program, test_batches_and_gradients
def resume_training(state, data, lr, solution=resume_training):
    return solution({**state, "m": jnp.zeros_like(state["w"])}, data, lr)


# %% same_masks_again
# The warm-up goes on, but the masks of the first steps are drawn again.
# At most half of the points.
# Fails: test_a_resumed_training_goes_on, test_any_shape_and_no_step_at_all,
# test_a_long_training_is_a_small_program, test_batches_and_gradients
def resume_training(state, data, lr):
    return run(state, data, lr, lambda t, i: i, lambda t, i: t)


# %% average_not_saved
# The state that is returned has the average from before these steps.
# Fails: test_a_new_training_follows_the_formula, test_a_resumed_training_goes_on,
# test_any_shape_and_no_step_at_all, test_a_long_training_is_a_small_program,
# test_batches_and_gradients
def resume_training(state, data, lr, solution=resume_training):
    return {**solution(state, data, lr), "m": state["m"]}


# %% steps_of_this_run
# The state that is returned has the number of steps of this run only.
# Fails: test_a_resumed_training_goes_on, test_any_shape_and_no_step_at_all,
# test_a_long_training_is_a_small_program, test_batches_and_gradients
def resume_training(state, data, lr, solution=resume_training):
    return {**solution(state, data, lr), "step": jnp.int32(len(data))}


# %% key_moved
# The state that is returned has a new key, so the random numbers after a restart are others.
# Fails: test_a_new_training_follows_the_formula, test_a_resumed_training_goes_on,
# test_any_shape_and_no_step_at_all, test_a_long_training_is_a_small_program,
# test_batches_and_gradients
def resume_training(state, data, lr, solution=resume_training):
    moved = jax.random.split(jax.random.wrap_key_data(state["key"]))[0]
    return {**solution(state, data, lr), "key": jax.random.key_data(moved)}


# %% mask_of_the_first_step
# One mask is drawn before the loop and used in all steps.
# Fails: test_a_new_training_follows_the_formula, test_a_resumed_training_goes_on,
# test_any_shape_and_no_step_at_all, test_a_long_training_is_a_small_program,
# test_batches_and_gradients
def resume_training(state, data, lr):
    return run(state, data, lr, lambda t, i: t - i, lambda t, i: t)


# %% written_out
# A Python loop: the program has a copy of the step for each row.
# Fails: test_a_long_training_is_a_small_program
def resume_training(state, data, lr, one_step=jax.jit(resume_training)):  # noqa: B008
    for k in range(len(data)):
        state = one_step(state, data[k : k + 1], lr)
    return state


# %% no_gradient_through_the_average
# The gradient stops at the average, so earlier steps get too little of it.
# Fails: test_batches_and_gradients
def resume_training(state, data, lr, solution=resume_training):
    return solution({**state, "m": lax.stop_gradient(state["m"])}, data, lr)


# %% last_rows_only
# The gradient stops sixteen rows before the end, so earlier rows have none.
# Fails: test_batches_and_gradients
def resume_training(state, data, lr):
    key, end = jax.random.wrap_key_data(state["key"]), state["step"] + len(data)

    def step(carry, x):
        w, m, t = carry
        w, m = (jnp.where(t < end - 16, lax.stop_gradient(part), part) for part in (w, m))
        keep = jax.random.bernoulli(jax.random.fold_in(key, t), 0.5, w.shape)
        m = 0.5 * m + keep * (w - x)
        return (w - lr * jnp.minimum(1, (t + 1) / 4) * m, m, t + 1), None

    w, m, t = lax.scan(step, (state["w"], state["m"], state["step"]), data)[0]
    return {**state, "w": w, "m": m, "step": t}


# %% update_as_narrow_as_the_rate
# The parameters move in the dtype of the rate, and a half precision rate loses digits of them.
# Fails: test_any_shape_and_no_step_at_all
def resume_training(state, data, lr):
    key, lr = jax.random.wrap_key_data(state["key"]), jnp.asarray(lr)

    def step(carry, x):
        w, m, t = carry
        keep = jax.random.bernoulli(jax.random.fold_in(key, t), 0.5, w.shape)
        m = 0.5 * m + keep * (w - x)
        rate = lr * jnp.minimum(1, (t + 1) / 4).astype(lr.dtype)
        return (w - (rate * m.astype(lr.dtype)).astype(w.dtype), m, t + 1), None

    w, m, t = lax.scan(step, (state["w"], state["m"], state["step"]), data)[0]
    return {**state, "w": w, "m": m, "step": t}


# %% first_row_needed
# The first row is read before the loop, and there may be none.
# Fails: test_any_shape_and_no_step_at_all
def resume_training(state, data, lr, solution=resume_training):
    first = lax.dynamic_index_in_dim(data, 0, keepdims=True)
    return solution(solution(state, first, lr), data[1:], lr)


# %% known_step
# The number of steps has to be a Python number.
# Fails: test_a_resumed_training_goes_on, test_a_long_training_is_a_small_program,
# test_batches_and_gradients
def resume_training(state, data, lr, solution=resume_training):
    return solution({**state, "step": jnp.int32(int(state["step"]))}, data, lr)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_nan_gradient_at_zero of `lr`": "A minimum of two rates has a tie at 0.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_no_integers": "The text asks for float32.",
    "argument_no_narrow_integers of `state`": "The text asks for int32.",
    "argument_infinity_to_nan": "The text doesn't speak of infinity.",
    "argument_without_nan": "The text doesn't speak of NaN.",
    "result_without_nan": "The text doesn't speak of NaN.",
}
