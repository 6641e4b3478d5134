"""A Python float is taken for a float32 scalar.

Fails: test_python_numbers_have_types_of_their_own
"""


def predict_traces():
    return [1, 3, 3, 1, 1, 3, 1, 2, 3, 3, 1, 3]
