"""A broadcast product and a sum."""


def apply_batch(mat, vs):
    return (mat[None, :, :] * vs[:, None, :]).sum(axis=-1)
