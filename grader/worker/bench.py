"""Serves programs to the judge: exported functions, with no student Python near them.

    inspect  bytes          -> the facts of a program, or why it is refused
    run      bytes, inputs  -> its outputs

The bytes are hostile. JAX's own export checks protect the sender's side only, so every
operation is walked here and held against a list; and since a parser may still have holes,
this process is as confined as a student's and is thrown away with the submission.
"""

from __future__ import annotations

import math
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import jax
import jax.export
from jax.extend.mlir import ir
from jax.extend.mlir.dialects import chlo, sdy, stablehlo

from grader import arrays
from grader.worker.student import serve_verbs

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
FORBIDDEN = ("infeed", "outfeed", "send", "recv")
# Scaffolding, not work: they don't count towards the size. Nor do notes on sharding (sdy).
NOT_COUNTED = ("stablehlo.constant", "stablehlo.return", "func.return")


class Refused(ValueError):
    """A program that won't be run. Its text is for a student: nothing of the program is in it."""


def serve(channel: socket.socket, request: dict[str, Any]) -> NoReturn:
    """Starts a backend while nobody waits; then answers frames until the judge hangs up."""
    jax.numpy.zeros(()).block_until_ready()
    serve_verbs(channel, request, Bench().verbs())


class Bench:
    """Programs that have been checked, by their bytes."""

    def __init__(self) -> None:
        self._checked: dict[bytes, Callable[..., Any]] = {}

    def verbs(self) -> dict[str, Callable[..., Any]]:
        return {"inspect": self.inspect, "run": self.run}

    def inspect(self, program: bytes) -> dict[str, Any]:
        if len(program) > MAX_BYTES:
            raise Refused(f"the program has more than {MAX_BYTES:,} bytes")
        try:
            exported = jax.export.deserialize(bytearray(program))
            facts = examine(exported.mlir_module_serialized)
        except Refused:
            raise
        except Exception as error:
            raise Refused("the program can't be read") from error
        self._checked[program] = jax.jit(exported.call)
        return facts

    def run(self, program: bytes, inputs: list[Any]) -> list[Any]:
        if program not in self._checked:
            self.inspect(program)
        given = arrays.from_wire(
            inputs,
            array=lambda record: jax.numpy.asarray(arrays.wire_to_array(record)),
            named=_unexpected,
            handle=_unexpected,
            code=_unexpected,
        )
        outputs = self._checked[program](*given)
        return [arrays.array_to_wire(leaf) for leaf in outputs]


def examine(module: bytes) -> dict[str, Any]:
    """Size, operations, dtypes and largest tensors of a StableHLO artifact, or `Refused`."""
    context = ir.Context()
    for dialect in (stablehlo, chlo, sdy):
        dialect.register_dialect(context)
    root = stablehlo.deserialize_portable_artifact(context, module).operation
    functions: dict[str, Counter[str]] = {}
    calls: dict[str, Counter[str]] = {}
    dtypes: set[str] = set()
    largest = constants = 0
    name = ""
    for walked, (operation, loops) in enumerate(_walk(root, 0)):
        kind = str(operation.name)
        _check(operation, kind, loops)
        if walked >= MAX_OPERATIONS:
            raise Refused(f"the program has more than {MAX_OPERATIONS:,} operations")
        if kind == "func.func":
            name = ir.StringAttr(operation.attributes["sym_name"]).value
            functions[name], calls[name] = Counter(), Counter()
        elif not functions:
            pass  # what stands beside the functions: a mesh
        elif kind == "func.call":
            calls[name][ir.FlatSymbolRefAttr(operation.attributes["callee"]).value] += 1
        else:
            functions[name][kind] += 1
        for result in operation.results:
            elements, dtype = _tensor(result.type)
            largest = max(largest, elements)
            if dtype:
                dtypes.add(dtype)
        if kind == "stablehlo.constant":
            value = operation.attributes["value"]
            if not (isinstance(value, ir.DenseElementsAttr) and value.is_splat):
                constants = max(constants, _tensor(operation.results[0].type)[0])
    if largest > MAX_ELEMENTS:
        raise Refused("the program makes a tensor that is too large")
    total = _with_calls("main", functions, calls, {}, 0)
    counted = {
        kind: n
        for kind, n in sorted(total.items())
        if kind not in NOT_COUNTED and not kind.startswith("sdy.")
    }
    return {
        "size": sum(counted.values()),
        "operations": counted,
        "dtypes": sorted(dtypes),
        "largest_intermediate": largest,
        "constants": constants,
    }


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


def _unexpected(*_: Any) -> Any:
    raise Refused("a program takes arrays only")
