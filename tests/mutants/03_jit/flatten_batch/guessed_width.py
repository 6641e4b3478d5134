"""The length is left open with -1, which divides by a batch of 0.

Fails: test_an_empty_batch_keeps_its_width, test_it_survives_jit
"""


def flatten_batch(x):
    return x.reshape(x.shape[0], -1)
