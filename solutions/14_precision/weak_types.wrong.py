"""What learners get wrong in weak_types; each cell is a suffix to the solution."""

import jax.numpy as jnp


# %% wider_wins
# Every number is believed to be a float32 or an int32, and the wider dtype to win.
# Do: Ask which of the two has a dtype of its own. A number of Python has none.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_numbers_of_python_give_way, test_numbers_of_numpy_do_not,
# test_an_array_may_be_weak, test_two_dtypes_have_a_common_one,
# test_where_has_the_same_rules
def weak_types():
    return [
        "float32",
        "float32",
        "int32",
        "float32",
        "float32",
        "float32",
        "float32",
        "float32",
        "float32",
        "float32",
        "int32",
        "float32",
        "float32",
        "float32",
        "float32",
        "float32",
    ]


# %% numpy_rules
# NumPy's rules are believed to hold, in which an int32 makes a float wider.
# Do: Try the cases out in JAX. Its rules are others than those of NumPy.
# Breaks: Returns 1
# Fails: test_numbers_of_python_give_way, test_numbers_of_numpy_do_not,
# test_two_dtypes_have_a_common_one, test_where_has_the_same_rules
def weak_types():
    return [
        "bfloat16",
        "float64",
        "int8",
        "float64",
        "float32",
        "float64",
        "bfloat16",
        "bfloat16",
        "float64",
        "float64",
        "int32",
        "float32",
        "float64",
        "bfloat16",
        "bfloat16",
        "float64",
    ]


# %% array_decides
# The array is believed to decide, whatever it meets.
# Do: Ask whether the array can hold numbers of that kind.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_numbers_of_python_give_way, test_numbers_of_numpy_do_not,
# test_two_dtypes_have_a_common_one, test_where_has_the_same_rules
def weak_types():
    return [
        "bfloat16",
        "int32",
        "int8",
        "int8",
        "bfloat16",
        "bfloat16",
        "bfloat16",
        "bfloat16",
        "bfloat16",
        "bfloat16",
        "int8",
        "bfloat16",
        "int32",
        "bfloat16",
        "bfloat16",
        "bfloat16",
    ]


# %% numpy_is_weak
# Numbers of NumPy are believed to give way like those of Python.
# Do: A number of NumPy has a dtype. Look at it.
# Breaks: Returns 1
# Fails: test_numbers_of_numpy_do_not, test_where_has_the_same_rules
def weak_types():
    return [
        "bfloat16",
        "float32",
        "int8",
        "float32",
        "bfloat16",
        "bfloat16",
        "bfloat16",
        "bfloat16",
        "float32",
        "bfloat16",
        "int32",
        "float32",
        "float32",
        "bfloat16",
        "bfloat16",
        "bfloat16",
    ]


# %% integer_widens
# An int32 is believed to make a float32 of a bfloat16.
# Do: A float wins against an integer, however wide the integer is.
# Breaks: Returns 1
# Fails: test_two_dtypes_have_a_common_one
def weak_types():
    return [
        "bfloat16",
        "float32",
        "int8",
        "float32",
        "float32",
        "float32",
        "bfloat16",
        "bfloat16",
        "float32",
        "float32",
        "int32",
        "float32",
        "float32",
        "bfloat16",
        "bfloat16",
        "float32",
    ]


# %% float16_alike
# Two floats of 16 bits are believed to give one of 16 bits.
# Do: Ask whether one of the two can hold all numbers of the other.
# Breaks: Returns 1
# Fails: test_two_dtypes_have_a_common_one
def weak_types():
    return [
        "bfloat16",
        "float32",
        "int8",
        "float32",
        "float32",
        "float32",
        "bfloat16",
        "bfloat16",
        "float32",
        "bfloat16",
        "int32",
        "float16",
        "float32",
        "bfloat16",
        "bfloat16",
        "float32",
    ]


# %% division_of_integers
# Integers are believed to stay integers when they are divided.
# Do: Think of what 1 / 2 is in Python.
# Breaks: Returns 1
# Fails: test_two_dtypes_have_a_common_one
def weak_types():
    return [
        "bfloat16",
        "float32",
        "int8",
        "float32",
        "float32",
        "float32",
        "bfloat16",
        "bfloat16",
        "float32",
        "bfloat16",
        "int32",
        "float32",
        "int32",
        "bfloat16",
        "bfloat16",
        "float32",
    ]


# %% jax_arrays_have_dtypes
# An array that is made of a Python number is believed to be a float32.
# Do: Print `weak_type` of this array.
# Breaks: Returns 1
# Fails: test_an_array_may_be_weak
def weak_types():
    return [
        "bfloat16",
        "float32",
        "int8",
        "float32",
        "float32",
        "float32",
        "bfloat16",
        "float32",
        "float32",
        "bfloat16",
        "int32",
        "float32",
        "float32",
        "bfloat16",
        "bfloat16",
        "float32",
    ]


# %% jit_forgets
# A weak type is believed to end at `jit`.
# Do: Print `weak_type` of the number inside the jitted function.
# Breaks: Returns 1
# Fails: test_an_array_may_be_weak
def weak_types():
    return [
        "bfloat16",
        "float32",
        "int8",
        "float32",
        "float32",
        "float32",
        "bfloat16",
        "bfloat16",
        "float32",
        "bfloat16",
        "int32",
        "float32",
        "float32",
        "float32",
        "bfloat16",
        "float32",
    ]


# %% math_is_numpy
# `math.sqrt` is believed to return what `np.sqrt` returns.
# Do: Print the type of each of the two results.
# Breaks: Returns 1
# Fails: test_numbers_of_numpy_do_not
def weak_types():
    return [
        "bfloat16",
        "float32",
        "int8",
        "float32",
        "float32",
        "float32",
        "float32",
        "bfloat16",
        "float32",
        "bfloat16",
        "int32",
        "float32",
        "float32",
        "bfloat16",
        "bfloat16",
        "float32",
    ]


# %% where_is_strict
# A number in `where` is believed to have a dtype of its own.
# Do: The sides of `where` follow the same rules as the sides of a product.
# Breaks: Returns 1
# Fails: test_where_has_the_same_rules
def weak_types():
    return [
        "bfloat16",
        "float32",
        "int8",
        "float32",
        "float32",
        "float32",
        "bfloat16",
        "bfloat16",
        "float32",
        "bfloat16",
        "int32",
        "float32",
        "float32",
        "bfloat16",
        "float32",
        "float32",
    ]


# %% dtypes_of_jax
# Dtypes are returned in place of their names.
# Do: Return the `name` of each dtype, which is a string.
# Breaks: Returns 1
# Fails: test_there_is_a_name_for_each_case, test_numbers_of_python_give_way,
# test_numbers_of_numpy_do_not, test_an_array_may_be_weak, test_two_dtypes_have_a_common_one,
# test_where_has_the_same_rules
def weak_types(solution=weak_types):
    return [jnp.dtype(name).type for name in solution()]


# %% once missed


# %% small_floats
# A float is believed to become as narrow as the integers that it meets.
# Breaks: Returns 1
# Fails: test_numbers_of_python_give_way
def weak_types():
    return [
        "bfloat16",
        "float32",
        "int8",
        "float16",
        "float32",
        "float32",
        "bfloat16",
        "bfloat16",
        "float32",
        "bfloat16",
        "int32",
        "float32",
        "float32",
        "bfloat16",
        "bfloat16",
        "float32",
    ]


# %% fifteen_cases
# The last case is left out.
# Breaks: Returns 1
# Fails: test_there_is_a_name_for_each_case, test_where_has_the_same_rules
def weak_types(solution=weak_types):
    return solution()[:15]
