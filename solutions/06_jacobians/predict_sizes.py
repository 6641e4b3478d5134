"""Reference solution: twelve shapes, as axes of the output and axes of the input."""


def predict_sizes() -> list[tuple[int, ...]]:
    """One shape per case."""
    return [
        (2, 3),  # two outputs, three inputs
        (2, 3),  # the same table in the other mode
        (3,),  # a scalar has no axes
        (3, 3),  # with zeros off the diagonal
        (2, 2, 3),  # the input is a matrix
        (2, 3, 3),  # a Hessian for each output
        (2, 3, 2, 3),  # the axes of the matrix, twice
        (2,),  # a change of the output
        (3,),  # a weight for each input
        (3,),  # a Hessian times a vector
        (5, 2, 3),  # a table for each example
        (5, 2, 5, 3),  # all outputs by all inputs
    ]
