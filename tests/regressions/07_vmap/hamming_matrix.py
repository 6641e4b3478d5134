"""What the suite of hamming_matrix once missed; each cell is a suffix to the solution."""

import jax.numpy as jnp
from jax import lax


# %% bit_patterns
# The bits of floats are compared, and those of 0.0 and -0.0 differ.
# Fails: test_details
def hamming(a, b):
    if jnp.issubdtype(a.dtype, jnp.floating):
        bits = f"uint{8 * a.dtype.itemsize}"
        a, b = (lax.bitcast_convert_type(row, bits) for row in (a, b))
    return jnp.sum(a != b)


# %% counted_in_their_dtype
# The counter has the dtype of the entries: bytes overflow, and half precision is rounded.
# Fails: test_details
def hamming(a, b):
    dtype = jnp.int32 if a.dtype == bool else a.dtype
    return jnp.sum((a != b).astype(dtype), dtype=dtype).astype(jnp.int32)


# %% difference_is_not_zero
# Equal entries are those with the difference 0, but that of two infinities is NaN.
# Fails: test_details
def hamming(a, b):
    if a.dtype == bool:
        a, b = a.astype(jnp.int8), b.astype(jnp.int8)
    return jnp.count_nonzero(a - b)


# %% float_entries
# The entries become floats, in which large integers are equal.
# Fails: test_details
def hamming(a, b):
    return jnp.sum(a.astype(jnp.float32) != b.astype(jnp.float32))


# %% less_or_greater
# Entries differ if one is less or greater, which NaN never is.
# Fails: test_details
def hamming(a, b):
    return jnp.sum((a < b) | (a > b))
