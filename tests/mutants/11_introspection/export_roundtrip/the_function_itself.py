"""Good bytes, and the function that came in.

Fails: test_the_source_is_not_needed_any_more, test_what_does_not_fit_is_refused
"""

import jax
from jax import export


def export_roundtrip(f, spec):
    jitted = jax.jit(f)
    return bytes(export.export(jitted)(spec).serialize(vjp_order=1)), jitted
