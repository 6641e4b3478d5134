"""Reference solution: the sixteen names, each with its reason."""


def weak_types() -> list[str]:
    """One name per case."""
    return [
        "bfloat16",  # a Python float takes the dtype of the array
        "float32",  # integers can't hold a float, so JAX takes its default float
        "int8",  # a Python int takes the dtype of the array
        "float32",  # as in case 1
        "float32",  # NumPy's float32 has a dtype, and it is wider
        "float32",  # np.sqrt returns NumPy's float64, which JAX takes for float32
        "bfloat16",  # math.sqrt returns a Python float
        "bfloat16",  # an array that is made of a Python float is weakly typed
        "float32",  # jnp.ones makes float32, which is not weak
        "bfloat16",  # a float wins against an integer of any width
        "int32",  # the wider integer
        "float32",  # neither of the two can hold the other
        "float32",  # a true division of integers gives floats
        "bfloat16",  # a weak type goes through jit
        "bfloat16",  # the same rules in where
        "float32",  # NumPy's array is float64, which JAX takes for float32
    ]
