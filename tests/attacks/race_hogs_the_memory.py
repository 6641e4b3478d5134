"""Adds useless outputs, so large that the bench has no memory left (T09).

Exercise: races/power_program
Outcome: failed | out_of_memory | crashed
"""

import jax
import jax.numpy as jnp

honest = jax.export.export


def export(function, **keywords):
    def exported(*specs):
        def more(*inputs):
            (result,) = function(*inputs)
            return [result, jnp.broadcast_to(result.sum(), (1 << 22,)) + 1]

        honest(function, **keywords)(*specs)
        return honest(jax.jit(more))(*specs)

    return exported


jax.export.export = export


def power_program(x):
    return jax.lax.fori_loop(0, 255, lambda _, y: y @ x, x)
