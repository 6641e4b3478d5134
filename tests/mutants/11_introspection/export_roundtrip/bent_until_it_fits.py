"""Whatever comes is reshaped and cast to the spec.

Fails: test_what_does_not_fit_is_refused
"""

import jax
import jax.numpy as jnp
from jax import export


def export_roundtrip(f, spec):
    data = bytes(export.export(jax.jit(f))(spec).serialize(vjp_order=1))
    call = export.deserialize(bytearray(data)).call

    def function(x):
        if all(isinstance(size, int) for size in spec.shape):
            x = jnp.resize(x, spec.shape)
        return call(x.astype(spec.dtype))

    return data, function
