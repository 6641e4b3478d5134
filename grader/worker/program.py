"""An exported program, read operation by operation: may it run, and what is in it?

    examine(bytes) -> facts, or `Refused`

The bytes are hostile. JAX's own export checks protect the sender's side only, so every
operation is walked here and held against a list.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from jax.extend.mlir import ir
from jax.extend.mlir.dialects import chlo, sdy, stablehlo

from grader.worker.work import work_of

MAX_BYTES = 8 << 20
MAX_OPERATIONS = 20_000
MAX_ELEMENTS = 1 << 28
MAX_NESTED_LOOPS = 4
MAX_CALLS_DEEP = 50
MAX_COUNT = 10**9
DIALECTS = ("builtin", "func", "stablehlo", "chlo", "sdy")
# LAPACK (and its solvers), random bits, and annotations: custom calls that only compute.
CUSTOM_CALLS = (
    "lapack_",
    "cu_threefry2x32",
    "Sharding",
    "SPMD",
    "shape_assertion",
    "stablehlo.dynamic_",
    "ApproxTopK",
    "mhlo.",
    "xla.sdy.",
    "annotate_device_placement",
)
# `rng` (unlike `rng_bit_generator`) goes on from where it was: a program must remember nothing.
FORBIDDEN = ("infeed", "outfeed", "send", "recv", "rng")
# Scaffolding, not work: they don't count towards the size. Nor do notes on sharding (sdy).
NOT_COUNTED = ("stablehlo.constant", "stablehlo.return", "func.return")


class Refused(ValueError):
    """A program that won't be run. Its text is for a student: nothing of the program is in it."""


def examine(module: bytes) -> dict[str, Any]:
    """The facts of a StableHLO artifact (`grader.judge.proxy.Program` names them), or `Refused`."""
    context = ir.Context()
    for dialect in (stablehlo, chlo, sdy):
        dialect.register_dialect(context)
    root = stablehlo.deserialize_portable_artifact(context, module).operation
    reader = _Reader()
    for walked, (operation, loops) in enumerate(_walk(root, 0)):
        _check(operation, str(operation.name), loops)
        if walked >= MAX_OPERATIONS:
            raise Refused(f"the program has more than {MAX_OPERATIONS:,} operations")
        reader.read(operation)
    if reader.largest > MAX_ELEMENTS:
        raise Refused("the program makes a tensor that is too large")
    # Before the work is counted: here it shows if functions call each other without end.
    total = _with_calls("main", reader.operations, reader.calls, {}, 0)
    work = work_of("main", reader.functions)
    counted = {
        kind: n
        for kind, n in sorted(total.items())
        if kind not in NOT_COUNTED and not kind.startswith("sdy.")
    }
    return {
        "size": sum(counted.values()),
        "operations": counted,
        "dtypes": sorted(reader.dtypes),
        "precisions": sorted(reader.precisions),
        "largest_intermediate": reader.largest,
        "constants": reader.constants,
        "donated": _donated(reader.functions["main"]),
        "flops": work.flops,
        "bytes": work.bytes,
    }


class _Reader:
    """What is seen on one walk: functions, their operations and calls, and what they hold."""

    def __init__(self) -> None:
        self.functions: dict[str, Any] = {}
        self.operations: dict[str, Counter[str]] = {}
        self.calls: dict[str, Counter[str]] = {}
        self.dtypes: set[str] = set()
        self.precisions: set[str] = set()
        self.largest = self.constants = 0
        self._name = ""

    def read(self, operation: Any) -> None:
        kind = str(operation.name)
        if kind == "func.func":
            self._name = ir.StringAttr(operation.attributes["sym_name"]).value
            self.functions[self._name] = operation
            self.operations[self._name], self.calls[self._name] = Counter(), Counter()
        elif not self.functions:
            return  # what stands beside the functions: a mesh
        elif kind == "func.call":
            callee = ir.FlatSymbolRefAttr(operation.attributes["callee"]).value
            self.calls[self._name][callee] += 1
        else:
            self.operations[self._name][kind] += 1
        for result in operation.results:
            elements, dtype = _tensor(result.type)
            self.largest = max(self.largest, elements)
            if dtype:
                self.dtypes.add(dtype)
        if kind == "stablehlo.constant":
            value = operation.attributes["value"]
            if not (isinstance(value, ir.DenseElementsAttr) and value.is_splat):
                self.constants = max(self.constants, _tensor(operation.results[0].type)[0])
        if kind in ("stablehlo.dot_general", "stablehlo.convolution"):
            self.precisions |= _precisions(operation)


def _precisions(operation: Any) -> set[str]:
    """How exactly a product is asked to be computed, by the names of `jax.lax.Precision`."""
    if "precision_config" not in operation.attributes:
        return {"DEFAULT"}
    return set(re.findall(r"precision (\w+)", str(operation.attributes["precision_config"])))


def _donated(main: Any) -> list[int]:
    """The inputs that a program may write over."""
    if "arg_attrs" not in main.attributes:
        return []
    notes: Any = ir.ArrayAttr(main.attributes["arg_attrs"])
    return [
        place
        for place, note in enumerate(notes)
        if "tf.aliasing_output" in note or "jax.buffer_donor" in note
    ]


def _with_calls(
    name: str,
    functions: dict[str, Counter[str]],
    calls: dict[str, Counter[str]],
    known: dict[str, Counter[str]],
    depth: int,
) -> Counter[str]:
    """A function's operations and those of what it calls, as often as it calls it."""
    if depth > MAX_CALLS_DEEP or name not in functions:
        raise Refused("the program's functions call each other without end")
    if name not in known:
        total = Counter(functions[name])
        for callee, times in calls[name].items():
            for kind, count in _with_calls(callee, functions, calls, known, depth + 1).items():
                total[kind] = min(total[kind] + times * count, MAX_COUNT)
        known[name] = total
    return known[name]


def _walk(operation: Any, loops: int) -> Iterator[tuple[Any, int]]:
    for region in operation.regions:
        for block in region.blocks:
            for child in block.operations:
                inner = child.operation
                deeper = loops + (str(inner.name) == "stablehlo.while")
                yield inner, deeper
                yield from _walk(inner, deeper)


def _check(operation: Any, name: str, loops: int) -> None:
    dialect, _, short = name.partition(".")
    if dialect not in DIALECTS or short in FORBIDDEN:
        raise Refused("the program holds an operation that is not allowed")
    if loops > MAX_NESTED_LOOPS:
        raise Refused(f"the program nests loops more than {MAX_NESTED_LOOPS} deep")
    if short == "custom_call":
        target = ir.StringAttr(operation.attributes["call_target_name"]).value
        if not target.startswith(CUSTOM_CALLS):
            raise Refused("the program calls something outside itself")


def _tensor(kind: Any) -> tuple[int, str | None]:
    """Elements and dtype of a type; no elements and None for what is not a tensor."""
    if not isinstance(kind, ir.RankedTensorType):
        return 0, None
    if not kind.has_static_shape:
        raise Refused("the program's shapes depend on its inputs")
    return math.prod(kind.shape), str(kind.element_type)
