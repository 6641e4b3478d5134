"""Reference solution: twelve bools, each with its reason."""


def predict_keys() -> list[bool]:
    """One bool per pair."""
    return [
        True,  # the same seed
        True,  # a draw doesn't change its key
        True,  # the same split
        True,  # the same key and the same number
        False,  # a split makes new keys
        False,  # 0 is mixed in, too
        False,  # here 3 is mixed with k, there it is a seed
        False,  # the order counts
        True,  # jit computes the same
        True,  # row 1 is the split of b
        False,  # two keys
        True,  # no argument changes
    ]
