"""Reference solution: twelve shapes, each with what one call does."""


def predict_axes() -> list[tuple[int, ...]]:
    """One shape per case."""
    return [
        (2,),  # two calls: (3, 4) to a scalar
        (3,),  # three calls: (2, 4) to a scalar
        (2, 4, 3),  # two calls: (3, 4) to (4, 3)
        (4, 2, 3),  # four calls, counted in front
        (3, 4, 2),  # two calls, counted at the end
        (2, 3, 4),  # three calls, counted where they were
        (3, 2),  # three calls with all of u
        (5, 2),  # five columns, as rows
        (2, 5),  # five columns, as columns
        (2, 3),  # outside u, inside v
        (3, 2),  # outside v, inside u
        (3, 4),  # outside the 3, inside the 4 of (2, 4)
    ]
