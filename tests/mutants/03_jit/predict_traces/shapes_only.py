"""The rule of many tutorials, that shapes decide: dtypes and weak types are forgotten.

Fails: test_shapes_and_dtypes_matter, test_python_numbers_have_types_of_their_own
"""


def predict_traces():
    return [1, 3, 1, 1, 1, 1, 1, 2, 3, 3, 1, 3]
