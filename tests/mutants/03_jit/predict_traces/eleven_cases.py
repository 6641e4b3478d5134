"""The last case is left out.

Fails: test_there_is_a_number_for_each_case, test_traces_belong_to_the_function
"""


def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 3, 3, 1]
