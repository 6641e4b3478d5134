"""A high power of a matrix."""


def power_live(x):
    """Return the 256th power of the square matrix `x`."""
    raise NotImplementedError
