"""The axes are unpacked by name, as if there were always three.

Fails: test_each_example_becomes_a_row, test_vectors_and_single_numbers_are_examples_too,
test_an_empty_batch_keeps_its_width, test_it_survives_jit
"""


def flatten_batch(x):
    batch, height, width = x.shape
    return x.reshape(batch, height * width)
