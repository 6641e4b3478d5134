"""What learners get wrong in predict_updates; each cell is a suffix to the solution."""


def _but(solution, changes):
    return [changes.get(number, numbers) for number, numbers in enumerate(solution())]


# %% like_numpy
# The updates are assumed to act like assignments in NumPy.
# Do: Try out case 1 in JAX. A JAX array never changes.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_old_array_stays, test_an_index_occurs_again, test_a_slice_is_no_view
def predict_updates():
    return [
        [10, 5, 30, 40],
        [10, 5, 30, 40],
        [10, 5, 30, 40],
        [10, 21, 30, 40],
        [10, 21, 30, 40],
        [15, 20, 30, 40],
        [5, 20, 30, 40],
        [10, 20, 30, 45],
        [10, 20, 31, 40],
        [5, 20, 30, 5],
        [10, 40],
        [10, 5, 30, 40],
    ]


# %% the_name_follows
# A second name for the old array is assumed to refer to the new one.
# Do: Ask which array `y` names. The next line doesn't mention `y`.
# Breaks: Returns 1
# Fails: test_the_old_array_stays
def predict_updates(solution=predict_updates):
    return _but(solution, {2: [10, 5, 30, 40]})


# %% once_per_index
# A repeated index is assumed to add once.
# Do: Count how often the index occurs.
# Breaks: Returns 1
# Fails: test_an_index_occurs_again
def predict_updates(solution=predict_updates):
    return _but(solution, {3: [10, 21, 30, 40]})


# %% read_again
# Each index is assumed to read what the previous one has written.
# Do: Compute `x[i] + 1` alone. It is an array of three numbers.
# Breaks: Returns 1
# Fails: test_an_index_occurs_again
def predict_updates(solution=predict_updates):
    return _but(solution, {4: [10, 23, 30, 40]})


# %% clipped
# A write out of range is assumed to go to the nearest element.
# Do: Try out case 6, and compare it with case 9.
# Breaks: Returns 1
# Fails: test_a_write_out_of_range
def predict_updates(solution=predict_updates):
    return _but(solution, {6: [5, 20, 30, 5], 8: [11, 20, 31, 40]})


# %% negative_is_out
# A negative index is assumed to be out of range.
# Do: Think of what -1 means in Python.
# Breaks: Returns 1
# Fails: test_a_write_out_of_range
def predict_updates(solution=predict_updates):
    return _but(solution, {7: [10, 20, 30, 40]})


# %% clip_drops
# `mode="clip"` is assumed to drop the write.
# Do: Clipping an index moves it.
# Breaks: Returns 1
# Fails: test_clipping_and_reading
def predict_updates(solution=predict_updates):
    return _but(solution, {9: [5, 20, 30, 40]})


# %% reads_are_dropped
# A read out of range is assumed to be dropped or to give 0.
# Do: Try out case 10. The result has a number for each index.
# Breaks: Returns 1
# Fails: test_clipping_and_reading
def predict_updates(solution=predict_updates):
    return _but(solution, {10: [10, 0]})


# %% whole_array
# The update of a slice is assumed to return the whole array.
# Do: Ask which array the update belongs to, and how many numbers that array has.
# Breaks: Returns 1
# Fails: test_a_slice_is_no_view
def predict_updates(solution=predict_updates):
    return _but(solution, {11: [10, 5, 30, 40]})


# %% arrays_of_jax
# The arrays themselves are returned.
# Do: Call `tolist()` on each array.
# Breaks: Returns 1
# Fails: test_there_are_numbers_for_each_case, test_the_old_array_stays, test_an_index_occurs_again,
# test_a_write_out_of_range, test_clipping_and_reading, test_a_slice_is_no_view
def predict_updates(solution=predict_updates):
    import jax.numpy as jnp

    return [jnp.array(numbers) for numbers in solution()]
