"""The text of the program, which is for people to read.

Fails: test_the_bytes_hold_the_function, test_the_gradient_comes_back,
test_the_batch_size_may_stay_open
"""

import jax
from jax import export


def export_roundtrip(f, spec):
    exported = export.export(jax.jit(f))(spec)
    read = export.deserialize(exported.serialize(vjp_order=1))
    return exported.mlir_module().encode(), read.call
