"""Reference solution: the twelve numbers, each with its reason."""


def predict_traces() -> list[int]:
    """One number per case."""
    return [
        1,  # other values
        3,  # three shapes: (3,), (2,), (1, 3)
        3,  # three dtypes: float32, bool, int32
        1,  # NumPy's array has the same shape and dtype
        1,  # Python floats are traced, too
        3,  # float, int and bool
        2,  # a Python float is weakly typed, a float32 scalar isn't
        2,  # two static values
        3,  # left out, by position, by keyword
        3,  # a list of two, a tuple, a list of three
        1,  # all three calls of jit get the same function
        3,  # three functions with the same code
    ]
