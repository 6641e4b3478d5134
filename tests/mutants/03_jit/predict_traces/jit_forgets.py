"""Every call of `jit` is believed to begin with an empty memory.

Fails: test_traces_belong_to_the_function
"""


def predict_traces():
    return [1, 3, 3, 1, 1, 3, 2, 2, 3, 3, 3, 3]
