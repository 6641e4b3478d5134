"""Python numbers are taken for constants that are compiled into the program.

Fails: test_values_do_not_matter, test_python_numbers_have_types_of_their_own
"""


def predict_traces():
    return [1, 3, 3, 1, 3, 4, 2, 2, 3, 3, 1, 3]
