"""A static argument is taken for one whose value doesn't count.

Fails: test_static_values_matter
"""


def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 1, 3, 3, 1, 3]
