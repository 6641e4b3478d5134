"""The function comes first and the bytes second.

Fails: test_the_function_comes_back, test_the_bytes_hold_the_function,
test_the_gradient_comes_back, test_the_batch_size_may_stay_open,
test_the_source_is_not_needed_any_more, test_what_does_not_fit_is_refused
"""

import jax
from jax import export


def export_roundtrip(f, spec):
    data = export.export(jax.jit(f))(spec).serialize(vjp_order=1)
    return export.deserialize(data).call, bytes(data)
