"""Wrong answers to predict_traces; each cell is a suffix to the solution."""

import jax.numpy as jnp


# %% array_of_counts
# An array is returned instead of a list of Python ints.
# Fails: test_there_is_a_number_for_each_case
def predict_traces():
    return jnp.array([1, 3, 3, 1, 1, 3, 2, 2, 3, 3, 1, 3])


# %% cache_entries
# The entries of the call cache are counted; their number also grows without a trace.
# Fails: test_values_do_not_matter, test_python_numbers_have_types_of_their_own
def predict_traces():
    return [1, 3, 3, 2, 1, 3, 3, 2, 3, 3, 1, 3]


# %% defaults_for_free
# Passing a default value by name or position is believed to equal leaving it out.
# Fails: test_the_way_of_passing_matters
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 1, 3, 1, 3]


# %% eleven_cases
# The last case is left out.
# Fails: test_there_is_a_number_for_each_case, test_traces_belong_to_the_function
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 3, 3, 1]


# %% every_call
# Every call is believed to be a trace.
# At most half of the points.
# Fails: test_values_do_not_matter, test_shapes_and_dtypes_matter,
# test_python_numbers_have_types_of_their_own, test_static_values_matter, test_containers_matter,
# test_traces_belong_to_the_function
def predict_traces():
    return [3, 4, 4, 3, 3, 4, 3, 3, 3, 4, 3, 3]


# %% jit_forgets
# Every call of `jit` is believed to start with an empty cache.
# Fails: test_traces_belong_to_the_function
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 3, 3, 3, 3]


# %% lambdas_alike
# Functions with the same code are believed to share their traces.
# Fails: test_traces_belong_to_the_function
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 3, 3, 1, 1]


# %% leaves_only
# Only the arrays in a container are compared, so a list equals a tuple.
# Fails: test_containers_matter
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 3, 2, 1, 3]


# %% numbers_are_constants
# Python numbers are believed to be constants of the compiled program.
# Fails: test_values_do_not_matter, test_python_numbers_have_types_of_their_own
def predict_traces():
    return [1, 3, 3, 1, 3, 4, 2, 2, 3, 3, 1, 3]


# %% only_once
# Once compiled, a function is believed never to be traced again.
# At most half of the points.
# Fails: test_shapes_and_dtypes_matter, test_python_numbers_have_types_of_their_own,
# test_static_values_matter, test_the_way_of_passing_matters, test_containers_matter,
# test_traces_belong_to_the_function
def predict_traces():
    return [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]


# %% shapes_only
# Only shapes are believed to matter, as in many tutorials: dtypes are forgotten.
# Fails: test_shapes_and_dtypes_matter, test_python_numbers_have_types_of_their_own
def predict_traces():
    return [1, 3, 1, 1, 1, 1, 1, 2, 3, 3, 1, 3]


# %% static_as_traced
# The value of a static argument is believed not to matter.
# Fails: test_static_values_matter
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 1, 3, 3, 1, 3]


# %% weak_forgotten
# A Python float is believed to equal a float32 scalar.
# Fails: test_python_numbers_have_types_of_their_own
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 1, 2, 3, 3, 1, 3]


# %% kept_list
# The numbers are appended to one global list, so a second call returns all of them twice.
# Fails: test_there_is_a_number_for_each_case
PREDICTED = []


def predict_traces(solution=predict_traces):
    PREDICTED.extend(solution())
    return PREDICTED
