"""What learners get wrong in predict_operations; each cell is a suffix to the solution."""


def _but(solution, changes):
    return [changes.get(number, count) for number, count in enumerate(solution())]


# %% as_it_runs
# The sines that are computed in a run are counted, and not the equations.
# Do: Print the program of each function, and count the lines.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_loops, test_choices, test_derivatives_of_loops
def predict_operations():
    return [2, 1, 5, 5, 100, 0, 1, 1, 2, 1, 5, 5]


# %% as_it_is_written
# The places in the Python code are counted.
# Do: The program is made while Python runs. Count the calls that happen.
# Breaks: Returns 1
# Fails: test_loops, test_constants, test_choices, test_derivatives_of_loops
def predict_operations():
    return [2, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1]


# %% compiled_already
# The program is believed to be simplified while JAX traces.
# Do: Print the programs of the cases 0 and 1. The compiler comes later.
# Breaks: Returns 1
# Fails: test_each_call_is_recorded
def predict_operations(solution=predict_operations):
    return _but(solution, {0: 1, 1: 0})


# %% loops_are_written_out
# The loop of the program is believed to be written out, as a Python loop is.
# Do: Ask how often the function of the loop is traced.
# Breaks: Returns 1
# Fails: test_loops, test_derivatives_of_loops
def predict_operations(solution=predict_operations):
    return _but(solution, {3: 5, 11: 5})


# %% vmap_is_a_loop
# `vmap` is believed to repeat the operation for each number.
# Do: Print the program of case 4.
# Breaks: Returns 1
# Fails: test_loops
def predict_operations(solution=predict_operations):
    return _but(solution, {4: 100})


# %% constants_are_folded
# A sine of a known number is believed to be computed while JAX traces.
# Do: Print the program of case 6.
# Breaks: Returns 1
# Fails: test_constants
def predict_operations(solution=predict_operations):
    return _but(solution, {6: 0})


# %% only_one_side
# `where` and `cond` are believed to choose while JAX traces.
# Do: Ask whether x has a value at that time.
# Breaks: Returns 1
# Fails: test_choices
def predict_operations(solution=predict_operations):
    return _but(solution, {8: 1, 9: 1})


# %% python_keeps_both
# Both sides of a Python choice are believed to be in the program.
# Do: Ask which side Python runs.
# Breaks: Returns 1
# Fails: test_choices
def predict_operations(solution=predict_operations):
    return _but(solution, {7: 2})


# %% one_derivative
# One `cos` is believed to be enough for five rounds of a Python loop.
# Do: Write the derivative of sin(sin(x)) down by the chain rule.
# Breaks: Returns 1
# Fails: test_derivatives_of_loops
def predict_operations(solution=predict_operations):
    return _but(solution, {10: 1})


# %% pairs
# Each number comes with the name of the operation.
# Do: Return the numbers alone.
# Breaks: Returns 1
# Fails: test_there_is_a_number_for_each_case, test_each_call_is_recorded, test_loops,
# test_constants, test_choices, test_derivatives_of_loops
def predict_operations(solution=predict_operations):
    return [("sin", count) for count in solution()]
