"""Calls LAPACK with a result that is larger than what it writes (T22).

Exercise: 01_arrays/set_row
Outcome: failed
"""

import jax
import jax.numpy as jnp

Spec = jax.ShapeDtypeStruct


def set_row(x, i, row):
    answer = x.at[i].set(row)
    if not isinstance(answer, jax.core.Tracer):
        return answer
    found = jax.ffi.ffi_call(
        "lapack_sgetrf_ffi",
        [
            Spec((64, 64), jnp.float32),
            Spec((4,), jnp.int32),
            Spec((), jnp.int32),
        ],
        input_layouts=[(0, 1)],
        output_layouts=[(0, 1), (0,), ()],
    )(jnp.ones((4, 4)))[0][0, 0]
    return jnp.where(found == found, answer, answer)
