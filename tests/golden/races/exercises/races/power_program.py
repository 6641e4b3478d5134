"""A high power of a matrix."""


def power_program(x):
    """Return the 256th power of the square matrix `x`."""
    raise NotImplementedError
