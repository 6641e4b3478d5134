"""Unrolls its loop in a branch behind -1 < 0, which its program compares as unsigned numbers (T20).

Exercise: 04_control_flow/fib_like
Outcome: failed
Slow: it takes the machine some time
"""

import dataclasses

import jax
import jax.export
import jax.numpy as jnp
from jax import lax
from jax._src.lib import xla_client
from jax.extend.mlir.dialects import stablehlo

honest = jax.export.export


def export(function, **keywords):
    def exported(*specs):
        made = honest(function, **keywords)(*specs)
        lines, minus = [], None
        for line in made.mlir_module().splitlines():
            if "stablehlo.negate" in line and "tensor<i32>" in line:
                minus = line.split("=")[0].strip()
            elif minus and f"stablehlo.compare LT, {minus}," in line:
                line, minus = line.replace(", SIGNED", ", UNSIGNED"), None
            lines.append(line)
        serialize = xla_client._xla.mlir.serialize_portable_artifact
        data = serialize("\n".join(lines), stablehlo.get_minimum_version())
        return dataclasses.replace(made, mlir_module_serialized=data)

    return exported


jax.export.export = export


def fib_like(a0, n):
    a0 = jnp.asarray(a0, jnp.float32)

    def loop(a0):
        terms = [a0, 2 * a0]
        while len(terms) < n:
            terms.append(terms[-1] + terms[-2])
        return jnp.stack(terms[:n])

    if not isinstance(a0, jax.core.Tracer):
        return loop(a0)
    is_less = lax.lt(lax.neg(jnp.int32(1)), jnp.int32(0))
    return lax.cond(is_less, lambda a: jnp.zeros(n), loop, a0)
