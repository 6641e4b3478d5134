"""Reference solution: twelve values, each with its reason."""


def predict_sums() -> list[float | str]:
    """One value per case."""
    return [
        0.0,  # the 1 vanishes at 1e8
        1.0,  # in this order it doesn't
        256.0,  # there is no 257 in bfloat16
        256.0,  # the count stands still
        300.0,  # an array is added up in float32
        "nan",  # infinity minus infinity
        -56,  # 200 - 256
        300,  # the sum of an array is an int32
        254,  # 256 - 2
        -4,  # rounded down
        -3,  # rounded towards 0
        -4,  # a shift rounds down
    ]
