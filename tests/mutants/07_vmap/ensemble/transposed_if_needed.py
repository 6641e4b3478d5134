"""One row per input, turned round only where the shape shows it.

Fails: test_as_many_models_as_inputs
"""


def ensemble(params, X):
    result = X @ params["w"].T + params["b"]
    return result if result.shape == (len(params["b"]), len(X)) else result.T
