"""Which comparisons a sort may make: any in a stable sort, only JAX's own in an unstable one.

XLA sorts with the algorithms of C++. An unstable one reads and writes outside its arrays if the
comparison is no strict order, such as `<=`. A stable one stays inside whatever is compared.
"""

import functools
from typing import Any

import jax
from jax.extend.mlir import ir

from grader.engine.bench.custom_calls import named
from grader.engine.bench.refused import RefusedProgram, Why

_DTYPES = {
    "i1": "bool",
    "bf16": "bfloat16",
    **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    "complex<f32>": "complex64",
    "complex<f64>": "complex128",
}
# JAX compares by the first arrays, of which there are few.
_MOST_KEYS = 4


def check(sort: Any) -> None:
    """Raises `RefusedProgram` for an unstable sort with a comparison of another kind."""
    attributes = sort.attributes
    if "is_stable" in attributes and ir.BoolAttr(attributes["is_stable"]).value:
        return
    dtypes = tuple(_DTYPES.get(str(operand.type.element_type), "") for operand in sort.operands)
    keys = range(1, min(len(dtypes), _MOST_KEYS) + 1)
    if "" in dtypes or _comparison(sort) not in [_of_jax(dtypes, n) for n in keys]:
        raise RefusedProgram(Why.SORT)


@functools.cache
def _of_jax(dtypes: tuple[str, ...], keys: int) -> list[Any]:
    """The comparison of `jax.lax.sort` for arrays of these dtypes."""
    with jax.enable_x64(True):
        arrays = [jax.ShapeDtypeStruct((2,), dtype) for dtype in dtypes]
        sort = jax.jit(lambda *x: jax.lax.sort(x, num_keys=keys, is_stable=False))
        module: Any = sort.lower(*arrays).compiler_ir()
    (main,) = module.body.operations
    (found,) = (each for each in main.regions[0].blocks[0].operations if each.name.endswith("sort"))
    return _comparison(found.operation)


def _comparison(sort: Any) -> list[Any]:
    """What a comparison does, without the names of its values."""
    (block,) = sort.regions[0].blocks
    values = list(block.arguments)
    done: list[Any] = []
    for operation in block.operations:
        inner = operation.operation
        if inner.name == "stablehlo.constant":  # may also stand outside
            continue
        attributes = sorted((name, str(value)) for name, value in named(inner.attributes).items())
        used = [
            values.index(operand) if operand in values else _constant(operand)
            for operand in inner.operands
        ]
        done.append((str(inner.name), attributes, used, len(inner.regions)))
        values += inner.results
    return done


def _constant(value: Any) -> str:
    """A constant's value; no text that JAX writes if it is something else."""
    operation = getattr(value.owner, "operation", None)
    if operation is None or operation.name != "stablehlo.constant":
        return "?"
    return str(operation.attributes["value"])
