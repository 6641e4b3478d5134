"""Reference solution: twelve numbers, each with its reason."""


def predict_operations() -> list[int]:
    """One number per case."""
    return [
        2,  # two calls
        1,  # the call happened
        5,  # Python ran the loop
        1,  # the body of a loop is written once
        1,  # one operation on many numbers
        0,  # NumPy computed it while JAX traced
        1,  # a call without x is recorded, too
        1,  # Python chose
        2,  # both sides are computed
        2,  # both branches are written
        5,  # a derivative for each sine
        1,  # the derivative of a loop is a loop
    ]
