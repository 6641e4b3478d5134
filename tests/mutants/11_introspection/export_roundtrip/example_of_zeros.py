"""An array of zeros is made in the shape of the spec, and a symbol is no size.

Fails: test_the_batch_size_may_stay_open, test_the_source_is_not_needed_any_more
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def export_roundtrip(f, spec):
    example = jnp.asarray(np.zeros(spec.shape, spec.dtype))
    data = export.export(jax.jit(f))(example).serialize(vjp_order=1)
    return bytes(data), export.deserialize(data).call
