"""Passing a default value by name or position is taken for not passing it.

Fails: test_the_way_of_passing_matters
"""


def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 1, 3, 1, 3]
