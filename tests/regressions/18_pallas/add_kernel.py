"""What the suite of add_kernel once missed; each cell is a suffix to the solution."""

import jax.numpy as jnp


# %% sums_in_float32
# Numbers are added in float32. So a sum beyond the range of int8 is clamped.
# Fails: test_details
def add(x_ref, bias_ref, out_ref):
    total = x_ref[...].astype(jnp.float32) + bias_ref[...].astype(jnp.float32)
    out_ref[...] = total.astype(out_ref.dtype)


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_never_empty": "The text asks for at least one row and one column.",
}
