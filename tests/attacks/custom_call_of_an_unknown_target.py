"""Calls targets that only begin like those that are allowed (T22).

Exercise: 01_arrays/set_row
Outcome: failed
"""

import dataclasses
import re

import jax
from jax._src.export import _export
from jax._src.interpreters import mlir
from jax._src.lib.mlir import ir

honest = jax.export.export
NAMES = ("lapack_sgetrf_ffi_of_mine", "Sharding", "mhlo.mine")
CALL = """
    "stablehlo.custom_call"(%arg0) {{call_target_name = "{name}", has_side_effect = false,
      api_version = 1 : i32}} : ({kind}) -> {kind}
"""


def export(function, **keywords):
    def exported(*specs):
        real = honest(function, **keywords)(*specs)
        text = str(real.mlir_module())
        kind = re.findall(r"%arg0: (tensor<[^>]*>)", text)[0]
        calls = "".join(
            CALL.format(name=name, kind=kind).replace("    return", "") for name in NAMES
        )
        before, _, after = text.rpartition("    return")
        with mlir.make_ir_context():
            code = _export._module_to_bytecode(
                ir.Module.parse(f"{before}{calls}\n    return{after}")
            )
        return dataclasses.replace(real, mlir_module_serialized=code)

    return exported


jax.export.export = export


def set_row(x, i, row):
    return x.at[i].set(row)
