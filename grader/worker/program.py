"""Reads an exported program, operation by operation: may it run, and what is in it?

    examine(bytes) -> facts, or `RefusedProgram`

The bytes are hostile. JAX checks a program only where it is exported, and that is the student's
process. So every operation is checked here against a list of those that are allowed.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from jax.extend.mlir import ir
from jax.extend.mlir.dialects import chlo, sdy, stablehlo

from grader.worker.cost import cost_of

MAX_BYTES = 8 << 20
MAX_OPERATIONS = 20_000
MAX_ELEMENTS = 1 << 28
MAX_NESTED_LOOPS = 4
MAX_CALLS_DEEP = 50
MAX_COUNT = 10**9
DIALECTS = ("builtin", "func", "stablehlo", "chlo", "sdy")
# Custom calls that only compute: LAPACK and its solvers, random bits, annotations.
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
# `rng` (unlike `rng_bit_generator`) keeps a state from call to call. A program must not.
FORBIDDEN = ("infeed", "outfeed", "send", "recv", "rng")
# These compute nothing, so they aren't part of the size. Nor is any operation of sdy (sharding).
NOT_COUNTED = ("stablehlo.constant", "stablehlo.return", "func.return")


class RefusedProgram(ValueError):
    """A program that won't be run. Students read the text, so it quotes nothing of the program."""


def examine(module: bytes) -> dict[str, Any]:
    """The facts of a StableHLO artifact, named as in `grader.judge.program.Program`."""
    context = ir.Context()
    for dialect in (stablehlo, chlo, sdy):
        dialect.register_dialect(context)
    root = stablehlo.deserialize_portable_artifact(context, module).operation
    reader = _Reader()
    for walked, (operation, loops) in enumerate(_walk(root, 0)):
        _check(operation, str(operation.name), loops)
        if walked >= MAX_OPERATIONS:
            raise RefusedProgram(f"the program has more than {MAX_OPERATIONS:,} operations")
        reader.read(operation)
    if reader.largest > MAX_ELEMENTS:
        raise RefusedProgram("the program makes a tensor that is too large")
    # This comes before the cost, since it refuses functions that call each other without end.
    total = reader.with_calls("main")
    cost = cost_of("main", reader.functions)
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
        "flops": cost.flops,
        "bytes": cost.bytes,
    }


class _Reader:
    """Collects facts on one walk: functions, their operations and calls, dtypes, sizes."""

    def __init__(self) -> None:
        self.functions: dict[str, Any] = {}
        self.operations: dict[str, Counter[str]] = {}
        self.calls: dict[str, Counter[str]] = {}
        self.dtypes: set[str] = set()
        self.precisions: set[str] = set()
        self.largest = self.constants = 0
        self._name = ""
        self._known: dict[str, Counter[str]] = {}

    def read(self, operation: Any) -> None:
        kind = str(operation.name)
        if kind == "func.func":
            self._name = ir.StringAttr(operation.attributes["sym_name"]).value
            self.functions[self._name] = operation
            self.operations[self._name], self.calls[self._name] = Counter(), Counter()
        elif not self.functions:
            return  # a mesh, which stands before the functions
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

    def with_calls(self, name: str, depth: int = 0) -> Counter[str]:
        """A function's operations, and for each call those of the function that is called."""
        if depth > MAX_CALLS_DEEP or name not in self.operations:
            raise RefusedProgram("the program's functions call each other without end")
        if name not in self._known:
            total = Counter(self.operations[name])
            for callee, times in self.calls[name].items():
                for kind, count in self.with_calls(callee, depth + 1).items():
                    total[kind] = min(total[kind] + times * count, MAX_COUNT)
            self._known[name] = total
        return self._known[name]


def _precisions(operation: Any) -> set[str]:
    """The precisions that a product asks for, by the names of `jax.lax.Precision`."""
    if "precision_config" not in operation.attributes:
        return {"DEFAULT"}
    return set(re.findall(r"precision (\w+)", str(operation.attributes["precision_config"])))


def _donated(main: Any) -> list[int]:
    """The inputs that a program may overwrite."""
    if "arg_attrs" not in main.attributes:
        return []
    notes: Any = ir.ArrayAttr(main.attributes["arg_attrs"])
    return [
        place
        for place, note in enumerate(notes)
        if "tf.aliasing_output" in note or "jax.buffer_donor" in note
    ]


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
        raise RefusedProgram("the program holds an operation that is not allowed")
    if loops > MAX_NESTED_LOOPS:
        raise RefusedProgram(f"the program nests loops more than {MAX_NESTED_LOOPS} deep")
    if short == "custom_call":
        target = ir.StringAttr(operation.attributes["call_target_name"]).value
        if not target.startswith(CUSTOM_CALLS):
            raise RefusedProgram("the program calls something outside itself")


def _tensor(kind: Any) -> tuple[int, str | None]:
    """Elements and dtype of a type; 0 and None if it isn't a tensor."""
    if not isinstance(kind, ir.RankedTensorType):
        return 0, None
    if not kind.has_static_shape:
        raise RefusedProgram("the program's shapes depend on its inputs")
    return math.prod(kind.shape), str(kind.element_type)
