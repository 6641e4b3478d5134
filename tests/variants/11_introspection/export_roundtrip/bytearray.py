"""The bytes as `serialize` gives them: a bytearray."""

import jax
from jax import export


def export_roundtrip(f, spec):
    data = export.export(jax.jit(f))(spec).serialize(vjp_order=1)
    return data, export.deserialize(data).call
