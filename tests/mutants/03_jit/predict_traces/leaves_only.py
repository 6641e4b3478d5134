"""Only the arrays in a container are compared, so a list equals a tuple.

Fails: test_containers_matter
"""


def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 3, 2, 1, 3]
