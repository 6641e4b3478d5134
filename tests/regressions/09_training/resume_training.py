"""What the suite of resume_training once missed; each cell is a suffix to the solution."""

from jax import lax


# %% no_gradient_through_the_average
# The gradient stops at the average, so earlier steps get too little of it.
# Fails: test_the_training_has_a_gradient
def resume_training(state, data, lr, solution=resume_training):  # noqa: F821
    return solution({**state, "m": lax.stop_gradient(state["m"])}, data, lr)


# %% first_row_needed
# The first row is read before the loop, and there may be none.
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
