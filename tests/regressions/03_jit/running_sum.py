"""What the suite of running_sum once missed; each cell is a suffix to the solution.

Not noticed any more: a sum or an argument that is kept outside of a trace, in a list or a global.
"""

import jax.numpy as jnp


# %% by_way_of_float32
# Everything but integers is added in float32, where complex numbers lose a part.
# Fails: test_details
def running_sum(state, x):
    total = state + x
    if jnp.issubdtype(x.dtype, jnp.inexact):
        total = (state.astype(jnp.float32) + x.astype(jnp.float32)).astype(x.dtype)
    return total, total
