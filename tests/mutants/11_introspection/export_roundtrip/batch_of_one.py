"""Every symbol is replaced by 1.

Fails: test_the_batch_size_may_stay_open, test_the_source_is_not_needed_any_more
"""

import jax
from jax import export


def export_roundtrip(f, spec):
    shape = [size if isinstance(size, int) else 1 for size in spec.shape]
    fixed = jax.ShapeDtypeStruct(shape, spec.dtype)
    data = export.export(jax.jit(f))(fixed).serialize(vjp_order=1)
    return bytes(data), export.deserialize(data).call
