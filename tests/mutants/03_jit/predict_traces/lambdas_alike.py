"""Functions with the same code are believed to share their traces.

Fails: test_traces_belong_to_the_function
"""


def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 3, 3, 1, 1]
