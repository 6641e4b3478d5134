"""Entries of the cache of calls are counted, which is a size that grows without a trace.

Fails: test_values_do_not_matter, test_python_numbers_have_types_of_their_own
"""


def predict_traces():
    return [1, 3, 3, 2, 1, 3, 3, 2, 3, 3, 1, 3]
