"""Reads the singular vectors of a call that computes none (T22).

Exercise: 01_arrays/set_row
Outcome: failed
"""

import jax
import jax.numpy as jnp
import numpy as np

Spec = jax.ShapeDtypeStruct


def set_row(x, i, row):
    answer = x.at[i].set(row)
    if not isinstance(answer, jax.core.Tracer):
        return answer
    found = jax.ffi.ffi_call(
        "lapack_sgesdd_ffi",
        [
            Spec((4, 4), jnp.float32),
            Spec((4,), jnp.float32),
            Spec((4, 4), jnp.float32),
            Spec((4, 4), jnp.float32),
            Spec((), jnp.int32),
        ],
        input_layouts=[(0, 1)],
        output_layouts=[(0, 1), (0,), (0, 1), (0, 1), ()],
        input_output_aliases={0: 0},
    )(jnp.ones((4, 4)), mode=np.uint8(ord("N")))[2][0, 0]
    return jnp.where(found == found, answer, answer)
