"""What learners get wrong in predict_slopes; each cell is a suffix to the solution."""


def _but(solution, changes):
    return [changes.get(number, slope) for number, slope in enumerate(solution())]


# %% nothing_there
# Where there is no slope, the result is assumed to be 0.
# Do: Try out the cases in which you expect no slope.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_kinks_and_ties, test_what_has_no_slope, test_a_slope_that_is_not_chosen,
# test_a_value_that_is_nan
def predict_slopes():
    return [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0]


# %% from_the_left
# At a kink, the slope of the left side is assumed to count.
# Do: Try out case 0, and then case 2. Each operation has its own rule.
# Breaks: Returns 1
# Fails: test_kinks_and_ties
def predict_slopes():
    return [-1.0, 0.0, 0.0, 3.0, -1.0, 3.0, 3.0, 1.0, "inf", "nan", 0.0, 1.0]


# %% relu_is_maximum
# `relu` and `maximum` with 0 are assumed to be the same in every way.
# Do: Try out both at 0. The values are equal there.
# Breaks: Returns 1
# Fails: test_kinks_and_ties
def predict_slopes(solution=predict_slopes):
    return _but(solution, {1: 0.5})


# %% where_is_maximum
# `where` is assumed to give both sides half of the slope at a kink.
# Do: Ask which side the condition chooses at 0.
# Breaks: Returns 1
# Fails: test_kinks_and_ties
def predict_slopes(solution=predict_slopes):
    return _but(solution, {4: -0.5})


# %% rounding_is_smooth
# `round` is assumed to have slope 1.
# Do: Draw the function `round`. It has steps.
# Breaks: Returns 1
# Fails: test_what_has_no_slope
def predict_slopes(solution=predict_slopes):
    return _but(solution, {5: 5.6})


# %% stop_is_ignored
# `stop_gradient` is assumed to change nothing.
# Do: Write down a number for what is stopped.
# Breaks: Returns 1
# Fails: test_what_has_no_slope
def predict_slopes(solution=predict_slopes):
    return _but(solution, {6: 6.0, 7: 0.0})


# %% stop_stops_all
# One `stop_gradient` is assumed to stop all slopes of the function.
# Do: Ask which other parts of the function contain x.
# Breaks: Returns 1
# Fails: test_what_has_no_slope
def predict_slopes(solution=predict_slopes):
    return _but(solution, {6: 0.0, 7: 0.0})


# %% where_protects
# A side that isn't chosen is assumed to have no effect.
# Do: Ask which number its slope is multiplied by. What is 0 times infinity?
# Breaks: Returns 1
# Fails: test_a_slope_that_is_not_chosen
def predict_slopes(solution=predict_slopes):
    return _but(solution, {9: 0.0})


# %% twice_is_no_better
# The second `where` is assumed not to help.
# Do: Ask which number's root is taken, and whether its slope is finite there.
# Breaks: Returns 1
# Fails: test_a_slope_that_is_not_chosen
def predict_slopes(solution=predict_slopes):
    return _but(solution, {10: "nan"})


# %% nan_spreads
# A value that is NaN is assumed to make the slope NaN.
# Do: Write down the derivative of a sum. Does the value occur in it?
# Breaks: Returns 1
# Fails: test_a_value_that_is_nan
def predict_slopes(solution=predict_slopes):
    return _but(solution, {11: "nan"})


# %% all_strings
# Each slope is written as a string.
# Do: Only "inf" and "nan" are strings. All others are floats.
# Breaks: Returns 1
# Fails: test_there_is_a_slope_for_each_case
def predict_slopes(solution=predict_slopes):
    return [str(slope) for slope in solution()]
