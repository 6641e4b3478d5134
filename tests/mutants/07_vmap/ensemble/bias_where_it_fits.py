"""b gets an axis of its own only where the shapes would complain without it.

Fails: test_as_many_models_as_inputs
"""


def ensemble(params, X):
    products, b = params["w"] @ X.T, params["b"]
    if products.shape[1] == len(b):
        return products + b
    return products + b[:, None]
