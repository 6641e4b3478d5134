"""Calls a target whose name only begins like one that is allowed (T22).

Exercise: 01_arrays/set_row
Outcome: failed
"""

import functools

import jax
import jax.numpy as jnp

TARGET = "lapack_sgetrf_ffi_of_mine"
jax.export.export = functools.partial(
    jax.export.export, disabled_checks=[jax.export.DisabledSafetyCheck.custom_call(TARGET)]
)


def set_row(x, i, row):
    answer = x.at[i].set(row)
    if not isinstance(answer, jax.core.Tracer):
        return answer
    found = jax.ffi.ffi_call(TARGET, jax.ShapeDtypeStruct((4, 4), jnp.float32))(jnp.ones((4, 4)))
    return jnp.where(found[0, 0] == 0, answer, answer)
