"""What learners get wrong in predict_keys; each cell is a suffix to the solution."""


def _but(solution, changes):
    return [changes.get(number, answer) for number, answer in enumerate(solution())]


# %% hidden_state
# A draw is assumed to change a state, as in NumPy.
# Do: Draw from one key twice, and compare the numbers.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_there_is_no_hidden_state, test_keys_under_transformations,
# test_numbers_follow_from_keys
def predict_keys():
    return [True, False, False, False, False, False, False, False, False, False, False, False]


# %% draws_use_keys_up
# A key is assumed to be different after a draw.
# Do: Print the key's data before and after the draw.
# Breaks: Returns 1
# Fails: test_there_is_no_hidden_state
def predict_keys(solution=predict_keys):
    return _but(solution, {1: False})


# %% the_first_is_the_old_one
# The first key of a split is assumed to be the key that was split.
# Do: Print the data of `k` and of `a`.
# Breaks: Returns 1
# Fails: test_keys_that_are_made_of_keys
def predict_keys(solution=predict_keys):
    return _but(solution, {4: True})


# %% folding_adds
# `fold_in` is assumed to add a number, so that 0 changes nothing and the order doesn't matter.
# Do: Compare the keys for two orders. Mixing isn't addition.
# Breaks: Returns 1
# Fails: test_keys_that_are_made_of_keys
def predict_keys(solution=predict_keys):
    return _but(solution, {5: True, 7: True})


# %% a_number_is_a_seed
# The number in `fold_in` is assumed to be a seed.
# Do: Fold 3 into two keys, and compare the results.
# Breaks: Returns 1
# Fails: test_keys_that_are_made_of_keys
def predict_keys(solution=predict_keys):
    return _but(solution, {6: True})


# %% jit_draws_anew
# Compiled code is assumed to make different keys.
# Do: Compare a function with its compiled form.
# Breaks: Returns 1
# Fails: test_keys_under_transformations
def predict_keys(solution=predict_keys):
    return _but(solution, {8: False})


# %% vmap_mixes
# `vmap` is assumed to make different keys than a loop.
# Do: Split both keys of the batch in a loop, and compare.
# Breaks: Returns 1
# Fails: test_keys_under_transformations
def predict_keys(solution=predict_keys):
    return _but(solution, {9: False})


# %% noise_is_new
# A function that draws is assumed to draw something new in every call.
# Do: Ask what changes from call to call. The function has no argument.
# Breaks: Returns 1
# Fails: test_numbers_follow_from_keys
def predict_keys(solution=predict_keys):
    return _but(solution, {11: False})


# %% one_source
# Two keys from one split are assumed to give the same numbers.
# Do: Draw one number from each key of the split.
# Breaks: Returns 1
# Fails: test_numbers_follow_from_keys
def predict_keys(solution=predict_keys):
    return _but(solution, {10: True})


# %% ones_and_zeros
# The answers are 1 and 0 instead of bools.
# Do: Call `bool` on each answer.
# Breaks: Returns 1
# Fails: test_there_is_a_bool_for_each_pair
def predict_keys(solution=predict_keys):
    return [int(answer) for answer in solution()]
