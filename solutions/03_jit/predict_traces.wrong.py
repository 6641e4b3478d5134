"""What learners get wrong in predict_traces; each cell is a suffix to the solution."""


# %% every_call
# Every call is assumed to be a trace.
# Do: Ask what the first call left behind for the second one.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_values_do_not_matter, test_shapes_dtypes_and_containers_matter,
# test_python_numbers_have_types_of_their_own, test_the_way_of_passing_matters,
# test_traces_belong_to_the_function
def predict_traces():
    return [3, 4, 4, 3, 3, 4, 3, 3, 3, 4, 3, 3]


# %% only_once
# Once compiled, a function is assumed never to be traced again.
# Do: Ask what a tracer knows about the arguments. Changing that requires a new trace.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_shapes_dtypes_and_containers_matter, test_python_numbers_have_types_of_their_own,
# test_the_way_of_passing_matters, test_traces_belong_to_the_function
def predict_traces():
    return [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]


# %% shapes_only
# Only shapes are assumed to matter, as in many tutorials: dtypes are forgotten.
# Do: Also compare the dtypes.
# Breaks: Returns 1
# Fails: test_shapes_dtypes_and_containers_matter, test_python_numbers_have_types_of_their_own
def predict_traces():
    return [1, 3, 1, 1, 1, 1, 1, 2, 3, 3, 1, 3]


# %% numbers_are_constants
# Python numbers are assumed to be constants of the compiled program.
# Do: Ask whether a Python number is an argument like any other.
# Breaks: Returns 1
# Fails: test_values_do_not_matter, test_python_numbers_have_types_of_their_own
def predict_traces():
    return [1, 3, 3, 1, 3, 4, 2, 2, 3, 3, 1, 3]


# %% weak_forgotten
# A Python float is assumed to equal a float32 scalar.
# Do: Ask which numbers have a dtype of their own.
# Breaks: Returns 1
# Fails: test_python_numbers_have_types_of_their_own
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 1, 2, 3, 3, 1, 3]


# %% defaults_for_free
# Passing a default value by name or position is assumed to equal leaving it out.
# Do: Try out case 8. `jit` distinguishes the ways of passing an argument.
# Breaks: Returns 1
# Fails: test_the_way_of_passing_matters
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 1, 3, 1, 3]


# %% static_as_traced
# The value of a static argument is assumed not to matter.
# Do: Ask what the program knows about a static argument.
# Breaks: Returns 1
# Fails: test_the_way_of_passing_matters
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 1, 3, 3, 1, 3]


# %% leaves_only
# Only the arrays in a container are compared, so a list equals a tuple.
# Do: Look at the containers, not only at the arrays in them.
# Breaks: Returns 1
# Fails: test_shapes_dtypes_and_containers_matter
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 3, 2, 1, 3]


# %% jit_forgets
# Every call of `jit` is assumed to start with an empty cache.
# Do: Ask what JAX uses to look up a stored trace.
# Breaks: Returns 1
# Fails: test_traces_belong_to_the_function
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 3, 3, 3, 3]


# %% lambdas_alike
# Functions with the same code are assumed to share their traces.
# Do: Ask whether two functions with equal code are the same function.
# Breaks: Returns 1
# Fails: test_traces_belong_to_the_function
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 3, 3, 1, 1]


# %% cache_entries
# The entries of the call cache are counted; their number also grows without a trace.
# Do: Count the runs of the Python code. The size of a cache shows something else.
# Breaks: Returns 1
# Fails: test_values_do_not_matter, test_python_numbers_have_types_of_their_own
def predict_traces():
    return [1, 3, 3, 2, 1, 3, 3, 2, 3, 3, 1, 3]


# %% eleven_cases
# The last case is left out.
# Do: Go through all of the cases again, including the last.
# Breaks: Returns 1
# Fails: test_there_is_a_number_for_each_case, test_traces_belong_to_the_function
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 3, 3, 1]


# %% once missed
import jax.numpy as jnp


# %% array_of_counts
# An array is returned instead of a list of Python ints.
# Breaks: Returns 1
# Fails: test_there_is_a_number_for_each_case
def predict_traces():
    return jnp.array([1, 3, 3, 1, 1, 3, 2, 2, 3, 3, 1, 3])
