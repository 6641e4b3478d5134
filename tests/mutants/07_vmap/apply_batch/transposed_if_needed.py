"""A transpose is added only where the shapes complain, so square matrices come out wrong.

Fails: test_nothing_is_transposed_when_every_shape_fits, test_a_batch_of_one_stays_a_batch
"""


def apply_batch(mat, vs):
    if vs.shape[1] == mat.shape[0]:
        return vs @ mat
    return vs @ mat.T
