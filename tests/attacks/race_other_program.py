"""Patches jit and export in its process, so that a shorter program is exported (T25, T14).

Exercise: races/power_program
Outcome: failed
"""

import jax

honest_jit, honest_export = jax.jit, jax.export.export


def export(function, **keywords):
    def exported(*specs):
        honest_export(function, **keywords)(*specs)
        # A tenth of the products, and a claim that all is well.
        shorter = honest_jit(lambda x: [jax.lax.fori_loop(0, 25, lambda _, y: y @ x, x)])
        return honest_export(shorter)(*specs)

    return exported


jax.export.export = export
jax.jit = lambda function=None, **keywords: honest_jit(function or (lambda f: f), **keywords)


def power_program(x):
    return jax.lax.fori_loop(0, 255, lambda _, y: y @ x, x)
