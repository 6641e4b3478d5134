"""What learners get wrong in predict_sums; each cell is a suffix to the solution."""


def _but(solution, changes):
    return [changes.get(number, value) for number, value in enumerate(solution())]


# %% exact
# The results are believed to be those of mathematics.
# Do: Ask for each result whether its dtype can hold it.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_order_of_a_sum, test_sums_of_half_precision, test_a_number_that_is_too_large,
# test_integers_start_again
def predict_sums():
    return [1, 1, 257, 300, 300, 0, 200, 300, -2, -4, -3, -4]


# %% order_is_free
# A small number is believed to vanish beside a large one, wherever it stands.
# Do: Do the operations one by one. What is left of the large number?
# Breaks: Returns 1
# Fails: test_the_order_of_a_sum
def predict_sums(solution=predict_sums):
    return _but(solution, {1: 0.0})


# %% seven_digits_are_enough
# A float32 is believed to hold nine decimal digits.
# Do: Try case 0 out. 24 binary digits are seven decimal ones.
# Breaks: Returns 1
# Fails: test_the_order_of_a_sum
def predict_sums(solution=predict_sums):
    return _but(solution, {0: 1.0})


# %% rounded_up
# A number in the middle is believed to be rounded up.
# Do: Try case 2 out. The last binary digit of the result is even.
# Breaks: Returns 1
# Fails: test_sums_of_half_precision
def predict_sums(solution=predict_sums):
    return _but(solution, {2: 258.0, 3: 300.0})


# %% arrays_stand_still
# The sum of an array is believed to round after each element.
# Do: Try case 4 out, and look up `dtype` of `jnp.sum`.
# Breaks: Returns 1
# Fails: test_sums_of_half_precision
def predict_sums(solution=predict_sums):
    return _but(solution, {4: 256.0})


# %% infinity_cancels
# Infinity minus infinity is believed to be 0.
# Do: Print `big`, and then the difference.
# Breaks: Returns 1
# Fails: test_a_number_that_is_too_large
def predict_sums(solution=predict_sums):
    return _but(solution, {5: 0.0})


# %% integers_stop
# An integer is believed to stop at the end of its range.
# Do: Try case 6 out. Behind the last number comes the first one.
# Breaks: Returns 1
# Fails: test_integers_start_again
def predict_sums(solution=predict_sums):
    return _but(solution, {6: 127, 8: 0})


# %% sums_keep_the_dtype
# The sum of an array of int8 is believed to be an int8.
# Do: Print the dtype of the sum.
# Breaks: Returns 1
# Fails: test_integers_start_again
def predict_sums(solution=predict_sums):
    return _but(solution, {7: 44})


# %% divisions_are_alike
# All divisions are believed to round towards 0.
# Do: Compare the cases 9 and 10.
# Breaks: Returns 1
# Fails: test_halves_of_a_negative_number
def predict_sums(solution=predict_sums):
    return _but(solution, {9: -3, 11: -3})


# %% all_strings
# Each value is written as a string.
# Do: Only "inf" and "nan" are strings. All others are numbers.
# Breaks: Returns 1
# Fails: test_there_is_a_value_for_each_case
def predict_sums(solution=predict_sums):
    return [str(value) for value in solution()]
