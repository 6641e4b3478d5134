"""Reference solution: twelve answers, each with its reason."""


def predict_faster() -> list[str]:
    """One string per pair."""
    return [
        "B",  # two products with a vector
        "A",  # no product of matrices
        "B",  # one row only
        "A",  # no zeros to multiply with
        "same",  # one sine is computed
        "same",  # the product is dropped
        "same",  # the function is computed once
        "same",  # the same sums of products
        "same",  # both sides are computed
        "A",  # 3 outputs, 100 inputs
        "B",  # the Hessian isn't built
        "same",  # a gradient costs a few values
    ]
