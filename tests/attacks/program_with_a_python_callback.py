"""Exports a program that calls a Python callback by its registered name (T22).

Exercise: 01_arrays/set_row
Outcome: failed
"""

import dataclasses

import jax
from jax._src.export import _export
from jax._src.interpreters import mlir
from jax._src.lib.mlir import ir

honest = jax.export.export
TEXT = """
module @jit_f {{
  func.func public @main({arguments}) -> {result} {{
    %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg0)
      {{api_version = 4 : i32, backend_config = {{index = 0 : ui64}}}}
      : ({first}) -> {result}
    return %0 : {result}
  }}
}}
"""


def tensor(aval):
    names = {"float32": "f32", "int32": "i32", "bool": "i1", "bfloat16": "bf16"}
    return f"tensor<{chr(120).join([*map(str, aval.shape), names[aval.dtype.name]])}>"


def export(function, **keywords):
    def exported(*specs):
        real = honest(function, **keywords)(*specs)
        types = [tensor(aval) for aval in real.in_avals]
        arguments = ", ".join(f"%arg{k}: {kind}" for k, kind in enumerate(types))
        text = TEXT.format(arguments=arguments, first=types[0], result=tensor(real.out_avals[0]))
        with mlir.make_ir_context():
            code = _export._module_to_bytecode(ir.Module.parse(text))
        return dataclasses.replace(real, mlir_module_serialized=code)

    return exported


jax.export.export = export


def set_row(x, i, row):
    return x.at[i].set(row)
