"""The length is found by dividing, and an empty batch is said to have rows of none.

Fails: test_an_empty_batch_keeps_its_width, test_it_survives_jit
"""


def flatten_batch(x):
    width = x.size // len(x) if len(x) else 0
    return x.reshape(len(x), width)
