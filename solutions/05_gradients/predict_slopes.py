"""Reference solution: twelve slopes, each with its reason."""


def predict_slopes() -> list[float | str]:
    """One slope per case."""
    return [
        1.0,  # the rule of abs takes the right side
        0.0,  # relu has a derivative of its own
        0.5,  # two equal sides get half each
        4.5,  # the mean of 3 and 6
        -1.0,  # the condition is False, so -x counts
        3.0,  # a rounded number is a constant
        3.0,  # the first factor is the constant 3
        1.0,  # only the first x has a slope
        "inf",  # 1 / (2 * 0)
        "nan",  # 0 times infinity
        0.0,  # the root is taken of 1
        1.0,  # the slope doesn't depend on the value
    ]
