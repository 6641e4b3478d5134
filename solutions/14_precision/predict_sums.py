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
        -56.0,  # 200 - 256
        300.0,  # the sum of an array is an int32
        254.0,  # 256 - 2
        -4.0,  # rounded down
        -3.0,  # rounded towards 0
        -4.0,  # a shift rounds down
    ]
