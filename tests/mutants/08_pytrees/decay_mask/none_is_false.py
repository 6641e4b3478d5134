"""A recursion that takes None for a leaf.

Fails: test_none_stays_none
"""


def decay_mask(params, name=None):
    if isinstance(params, dict):
        return {key: decay_mask(child, key) for key, child in params.items()}
    if isinstance(params, list | tuple):
        return type(params)(decay_mask(child) for child in params)
    return name == "weights"
