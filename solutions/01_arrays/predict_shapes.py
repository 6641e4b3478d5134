"""Reference solution: the twelve shapes, each with its reason."""


def predict_shapes() -> list[tuple[int, ...]]:
    """One shape per case."""
    return [
        (2, 3, 4),  # the last axes are compared first
        (4, 4),  # (4,) and (4, 1) make a table
        (2, 4),  # the sum takes axis 1 away
        (1, 3, 1),  # both axes stay, with length 1
        (3, 4),  # an int takes its axis away
        (1, 3, 4),  # a slice keeps its axis
        (2, 1, 3, 4),  # None puts in an axis
        (2, 3),  # the dots are the first two axes
        (2, 5, 4),  # the array takes the place of an axis
        (5, 4),  # two arrays are read in pairs
        (5, 5, 4),  # (5, 1) and (5,) make a table of pairs
        (5, 3),  # a slice in between: the pairs come first
    ]
