"""Exports a program of 100,000 operations, which would take hours to compile (R09).

Exercise: 01_arrays/set_row
Outcome: failed | timed_out | crashed
Slow: it takes the machine some time
"""

import dataclasses

import jax
from jax._src.export import _export
from jax._src.interpreters import mlir
from jax._src.lib.mlir import ir

honest = jax.export.export
MANY = 100_000
lines = [
    "module @jit_f { func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {",
    "%v0 = stablehlo.sine %arg0 : tensor<f32>",
    *(f"%v{k + 1} = stablehlo.sine %v{k} : tensor<f32>" for k in range(MANY)),
    f"return %v{MANY} : tensor<f32> }} }}",
]
code = None


def export(function, **keywords):
    def exported(*specs):
        global code
        real = honest(function, **keywords)(*specs)
        if code is None:
            with mlir.make_ir_context():
                code = _export._module_to_bytecode(ir.Module.parse("\n".join(lines)))
        return dataclasses.replace(real, mlir_module_serialized=code)

    return exported


jax.export.export = export


def set_row(x, i, row):
    return x.at[i].set(row)
