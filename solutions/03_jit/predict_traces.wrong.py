"""What learners get wrong in predict_traces; each cell is a suffix to the solution."""


# %% every_call
# Every call is believed to be a trace.
# Do: Ask what the second call finds that the first one left behind.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_values_do_not_matter, test_shapes_dtypes_and_containers_matter,
# test_python_numbers_have_types_of_their_own, test_the_way_of_passing_matters,
# test_traces_belong_to_the_function
def predict_traces():
    return [3, 4, 4, 3, 3, 4, 3, 3, 3, 4, 3, 3]


# %% only_once
# Once compiled, a function is believed never to be traced again.
# Do: Ask what of the arguments a tracer knows. A change of that needs a new trace.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_shapes_dtypes_and_containers_matter, test_python_numbers_have_types_of_their_own,
# test_the_way_of_passing_matters, test_traces_belong_to_the_function
def predict_traces():
    return [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]


# %% shapes_only
# Only shapes are believed to matter, as in many tutorials: dtypes are forgotten.
# Do: Compare the dtypes, too.
# Breaks: Returns 1
# Fails: test_shapes_dtypes_and_containers_matter, test_python_numbers_have_types_of_their_own
def predict_traces():
    return [1, 3, 1, 1, 1, 1, 1, 2, 3, 3, 1, 3]


# %% numbers_are_constants
# Python numbers are believed to be constants of the compiled program.
# Do: Ask whether a Python number is an argument like all others.
# Breaks: Returns 1
# Fails: test_values_do_not_matter, test_python_numbers_have_types_of_their_own
def predict_traces():
    return [1, 3, 3, 1, 3, 4, 2, 2, 3, 3, 1, 3]


# %% weak_forgotten
# A Python float is believed to equal a float32 scalar.
# Do: Ask which numbers have a dtype of their own.
# Breaks: Returns 1
# Fails: test_python_numbers_have_types_of_their_own
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 1, 2, 3, 3, 1, 3]


# %% defaults_for_free
# Passing a default value by name or position is believed to equal leaving it out.
# Do: Try case 8 out. Each way of passing an argument is another one for `jit`.
# Breaks: Returns 1
# Fails: test_the_way_of_passing_matters
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 1, 3, 1, 3]


# %% static_as_traced
# The value of a static argument is believed not to matter.
# Do: Ask what the program knows about a static argument.
# Breaks: Returns 1
# Fails: test_the_way_of_passing_matters
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 1, 3, 3, 1, 3]


# %% leaves_only
# Only the arrays in a container are compared, so a list equals a tuple.
# Do: Look at the containers, too, and not only at the arrays in them.
# Breaks: Returns 1
# Fails: test_shapes_dtypes_and_containers_matter
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 3, 2, 1, 3]


# %% jit_forgets
# Every call of `jit` is believed to start with an empty cache.
# Do: Ask by what a stored trace is found again.
# Breaks: Returns 1
# Fails: test_traces_belong_to_the_function
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 3, 3, 3, 3]


# %% lambdas_alike
# Functions with the same code are believed to share their traces.
# Do: Ask whether two functions with equal code are the same function.
# Breaks: Returns 1
# Fails: test_traces_belong_to_the_function
def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 3, 3, 1, 1]


# %% cache_entries
# The entries of the call cache are counted; their number also grows without a trace.
# Do: Count the runs of the Python code. The size of a cache says something else.
# Breaks: Returns 1
# Fails: test_values_do_not_matter, test_python_numbers_have_types_of_their_own
def predict_traces():
    return [1, 3, 3, 2, 1, 3, 3, 2, 3, 3, 1, 3]


# %% eleven_cases
# The last case is left out.
# Do: Go through the cases again, to the last one.
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
