"""Reads an exported program, operation by operation: may it run, and what is in it?

    examine(bytes) -> facts, or `RefusedProgram`

The bytes are hostile. JAX checks a program only where it is exported, and that is the student's
process. So every operation is checked here against a list of those that are allowed.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

from jax.extend.mlir import ir
from jax.extend.mlir.dialects import chlo, sdy, stablehlo

from grader.engine.bench import operations
from grader.engine.bench.cost import FREE, MOST, cost_of
from grader.engine.bench.depth import depth_of
from grader.engine.bench.liveness import Reach, Reached
from grader.engine.bench.refused import MAX_NESTED_LOOPS, MAX_OPERATIONS, RefusedProgram, Why

MAX_ELEMENTS = 1 << 28
MAX_COUNT = 10**9
# These compute nothing, so they aren't part of the size. Nor is any operation of sdy (sharding),
# nor what stands for another function: the operations of that function count. (A composite that XLA
# may replace counts, too.)
NOT_COUNTED = {"stablehlo.constant", "stablehlo.return", "func.return", *operations.CALLS}
_STRUCTURES = [f"stablehlo.{name}" for name in ("while", "case", "if", "optimization_barrier")]
# Of these only the results that are needed exist; every other operation makes all of its results.
_IN_PARTS = {*_STRUCTURES, *operations.CALLS}
# Their results have no numbers of their own.
_SAME = FREE | {"optimization_barrier"}


def examine(module: bytes) -> dict[str, Any]:
    """The facts of a StableHLO artifact, named as in `grader.engine.suite.program.Program`."""
    root = stablehlo.deserialize_portable_artifact(_context(), module).operation
    functions = _checked(root)
    live = Reach(functions).whole("main")
    facts = _Facts.of(live, {})
    cost = cost_of(live)
    return {
        "size": sum(facts.operations.values()),
        "operations": dict(sorted(facts.operations.items())),
        "dtypes": sorted(facts.dtypes),
        "elements": min(facts.elements, MOST),
        "constants": sum(facts.constants.values()),
        "donated": _donated(functions["main"]),
        "flops": cost.flops,
        "bytes": cost.bytes,
        "depth": depth_of(live),
    }


@functools.cache
def _context() -> ir.Context:
    """For all programs of a process: to make one takes as long as to read a small program."""
    context = ir.Context()
    for dialect in (stablehlo, chlo, sdy):
        dialect.register_dialect(context)
    return context


def _checked(root: Any) -> dict[str, Any]:
    """A module's functions, after a look at each of its operations."""
    functions: dict[str, Any] = {}
    for walked, (operation, loops, depth) in enumerate(_walk(root)):
        kind = str(operation.name)
        operations.check(operation, kind)
        if loops > MAX_NESTED_LOOPS:
            raise RefusedProgram(Why.LOOPS)
        if walked >= MAX_OPERATIONS:
            raise RefusedProgram(Why.SIZE)
        if (kind in ("func.func", "sdy.mesh")) != (depth == 0):
            raise RefusedProgram(Why.FUNCTION)
        if kind == "func.func":
            functions[ir.StringAttr(operation.attributes["sym_name"]).value] = operation
        if any(_tensor(result.type)[0] > MAX_ELEMENTS for result in operation.results):
            raise RefusedProgram(Why.TENSOR)
    return functions


class _Facts:
    """Facts of a function as it is called, with all that it calls."""

    def __init__(self) -> None:
        self.operations: Counter[str] = Counter()
        self.dtypes: set[str] = set()
        self.elements = 0
        self.constants: dict[Any, int] = {}

    @classmethod
    def of(cls, live: Reached, known: dict[Reached, _Facts]) -> _Facts:
        if live not in known:
            known[live] = facts = cls()
            for operation, wanted in live.operations.items():
                facts._add(operation, wanted)
            for operation, called in live.calls.items():
                inside = cls.of(called, known)
                if operations.is_of_xla(operation) and "stablehlo.while" in inside.operations:
                    raise RefusedProgram(Why.NAME)
                facts._add_all(inside)
        return known[live]

    def _add(self, operation: Any, wanted: set[int]) -> None:
        kind = str(operation.name)
        is_counted = kind not in NOT_COUNTED and not kind.startswith("sdy.")
        if is_counted or operations.is_of_xla(operation):
            self.operations[kind] += 1
        for place, result in enumerate(operation.results):
            if place in wanted or kind not in _IN_PARTS:
                elements, dtype = _tensor(result.type)
                self.elements += elements if is_counted and not _repeats(operation, kind) else 0
                self.dtypes |= {dtype} if dtype else set()
        if kind == "stablehlo.constant" and not _is_splat(operation):
            self.constants[operation] = _tensor(operation.results[0].type)[0]

    def _add_all(self, called: _Facts) -> None:
        for kind, count in called.operations.items():
            self.operations[kind] = min(self.operations[kind] + count, MAX_COUNT)
        self.dtypes |= called.dtypes
        self.elements += called.elements
        self.constants |= called.constants


def _repeats(operation: Any, kind: str) -> bool:
    """Whether a result has no numbers of its own: another shape, or one number many times."""
    if kind.partition(".")[2] in _SAME:
        return True
    return kind == "stablehlo.broadcast_in_dim" and _tensor(operation.operands[0].type)[0] == 1


def _is_splat(constant: Any) -> bool:
    """Whether a constant only repeats one value."""
    try:
        return bool(constant.attributes["value"].is_splat)
    except (AttributeError, TypeError):  # Python has no class for complex values
        return "dense<(" in constant.get_asm(large_elements_limit=1)


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


def _walk(operation: Any, loops: int = 0, depth: int = 0) -> Iterator[tuple[Any, int, int]]:
    """Each operation inside, with the number of loops and of operations around it."""
    for region in operation.regions:
        for block in region.blocks:
            for child in block.operations:
                inner = child.operation
                deeper = loops + (str(inner.name) == "stablehlo.while")
                yield inner, deeper, depth
                yield from _walk(inner, deeper, depth + 1)


def _tensor(kind: Any) -> tuple[int, str | None]:
    """Elements and dtype of a type; 0 and None if it isn't a tensor."""
    if not isinstance(kind, ir.RankedTensorType):
        return 0, None
    if not kind.has_static_shape:
        raise RefusedProgram(Why.SHAPES)
    return math.prod(kind.shape), str(kind.element_type)
