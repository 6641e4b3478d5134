"""How much a program computes and how many bytes it moves, counted from its operations.

    cost_of(function, its module's functions) -> Cost(flops, bytes)

The compiler's own cost analysis counts the body of a loop once. Here each round counts, if the loop
has a counter that starts at a constant, grows by a constant, and is compared with a constant.
With any other loop, or a call into a library, the cost is unknown (None).

`flops` are arithmetic operations on elements, of any dtype: 2 m n k for a product of matrices, 1
for each element of an elementwise operation. `bytes` are read or written by the operations if
nothing is fused. The cost compares programs; it doesn't predict times.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from jax.extend.mlir import ir
from jax.extend.mlir.dialects import stablehlo

_MOVES = frozenset(
    "broadcast_in_dim transpose slice dynamic_slice dynamic_update_slice concatenate "
    "gather pad reverse iota convert bitcast_convert copy "
    "optimization_barrier broadcast dynamic_broadcast_in_dim real imag".split()
)
_FREE = frozenset("constant return after_all create_token get_tuple_element tuple reshape".split())
# Annotations that compute nothing.
_NOTES = ("Sharding", "SPMD", "annotate_device_placement", "xla.sdy.", "shape_assertion")
_MOST = 10**18
_COUNT = {"LT": math.ceil, "LE": lambda x: math.floor(x) + 1, "NE": math.ceil}
_TURNED = {"GT": "LT", "GE": "LE", "NE": "NE", "LT": "GT", "LE": "GE"}


class Cost(NamedTuple):
    """Arithmetic operations and bytes moved; None if unknown."""

    flops: int | None
    bytes: int | None

    def __add__(self, other: Any) -> Cost:
        parts = zip(self, other, strict=True)
        return Cost(*(None if None in part else sum(part) for part in parts))

    def times(self, count: int) -> Cost:
        return Cost(*(None if part is None else min(part * count, _MOST) for part in self))


NOTHING, UNKNOWN = Cost(0, 0), Cost(None, None)


def cost_of(name: str, functions: Mapping[str, Any]) -> Cost:
    """The cost of one run of a function. Its calls must not be recursive."""
    return _Counter(functions).function(name)


class _Counter:
    def __init__(self, functions: Mapping[str, Any]) -> None:
        self._functions = functions
        self._known: dict[str, Cost] = {}

    def function(self, name: str) -> Cost:
        if name not in self._known:
            operation = self._functions.get(name)
            self._known[name] = UNKNOWN if operation is None else self._regions(operation)
        return self._known[name]

    def _regions(self, operation: Any) -> Cost:
        return sum(map(self._region, operation.regions), NOTHING)

    def _region(self, region: Any) -> Cost:
        children = (child.operation for block in region.blocks for child in block.operations)
        return sum(map(self._operation, children), NOTHING)

    def _operation(self, operation: Any) -> Cost:
        kind = str(operation.name).partition(".")[2]
        if kind == "call":
            return self.function(ir.FlatSymbolRefAttr(operation.attributes["callee"]).value)
        if kind == "composite":
            return self.function(ir.FlatSymbolRefAttr(operation.attributes["decomposition"]).value)
        if kind == "while":
            trips = trip_count(operation)
            return UNKNOWN if trips is None else self._regions(operation).times(trips)
        if kind in ("case", "if"):
            branches = zip(*map(self._region, operation.regions), strict=True)
            return Cost(*(None if None in costs else max(costs) for costs in branches))
        if kind == "custom_call":
            target = ir.StringAttr(operation.attributes["call_target_name"]).value
            return NOTHING if target.startswith(_NOTES) else UNKNOWN
        return Cost(_flops(kind, operation), _bytes(kind, operation))


def trip_count(loop: Any) -> int | None:
    """How often the body of a `stablehlo.while` runs; None if that isn't known."""
    condition, body = (region.blocks[0] for region in loop.regions)
    compare = _defined_by(_returned(condition)[0], "compare")
    if compare is None:
        return None
    direction = str(compare.attributes["comparison_direction"]).split()[-1].strip(">")
    for counter, limit, way in (
        (compare.operands[0], compare.operands[1], direction),
        (compare.operands[1], compare.operands[0], _TURNED.get(direction, "")),
    ):
        place = _place(counter, condition)
        if place is None or way not in _TURNED:
            continue
        start, step = _constant(loop.operands[place]), _step(body, place)
        end = _constant(limit)
        if end is None and (held := _place(limit, condition)) is not None:
            is_kept = _place(_returned(body)[held], body) == held
            end = _constant(loop.operands[held]) if is_kept else None
        if start is None or step is None or end is None:
            continue
        # If the counter falls, the comparison is the other way round.
        rounds = (end - start) / step
        rising = way if step > 0 else _TURNED[way]
        return max(0, _COUNT[rising](rounds)) if rising in _COUNT else None
    return None


def _step(body: Any, place: int) -> int | None:
    """What one round adds to the loop's value at `place`; None if that isn't a constant."""
    new = _returned(body)[place]
    for kind, sign in (("add", 1), ("subtract", -1)):
        operation = _defined_by(new, kind)
        if operation is None:
            continue
        left, right = operation.operands
        step = _constant(right) if _place(left, body) == place else None
        if step is None and sign == 1 and _place(right, body) == place:
            step = _constant(left)
        return None if step is None or step == 0 else sign * step
    return None


def _returned(block: Any) -> list[Any]:
    return list(block.operations[len(block.operations) - 1].operation.operands)


def _place(value: Any, block: Any) -> int | None:
    """The position of a value among the block's arguments; None if it isn't one."""
    return next((n for n, given in enumerate(block.arguments) if given == value), None)


def _defined_by(value: Any, kind: str) -> Any:
    operation = getattr(value.owner, "operation", None)
    is_it = operation is not None and str(operation.name) == f"stablehlo.{kind}"
    return operation if is_it else None


def _constant(value: Any) -> int | None:
    operation = _defined_by(value, "constant")
    if operation is None or not isinstance(operation.attributes["value"], ir.DenseElementsAttr):
        return None
    attribute = operation.attributes["value"]
    is_scalar = attribute.is_splat and _elements(operation.results[0].type) == 1
    try:
        return int(ir.DenseIntElementsAttr(attribute)[0]) if is_scalar else None
    except ValueError:  # a float
        return None


def _flops(kind: str, operation: Any) -> int:
    if kind in _MOVES or kind in _FREE:
        return 0
    result = _elements(operation.results[0].type) if len(operation.results) else 0
    given = [_elements(operand.type) for operand in operation.operands]
    special: dict[str, Callable[[], float]] = {
        "dot_general": lambda: 2 * result * _contracted(operation),
        "convolution": lambda: 2 * result * given[1] / max(1, _output_features(operation)),
        "reduce": lambda: sum(given[: len(given) // 2]),
        "reduce_window": lambda: result * _window(operation),
        "select_and_scatter": lambda: given[0],
        "scatter": lambda: given[-1],
        "sort": lambda: given[0] * max(1, math.ceil(math.log2(max(2, _sorted(operation))))),
        "fft": lambda: 5 * result * math.log2(max(2, given[0])),
        "cholesky": lambda: given[0] * _last_axis(operation.operands[0].type) / 3,
        "triangular_solve": lambda: given[1] * _last_axis(operation.operands[0].type),
        "top_k": lambda: given[0],
    }
    return min(int(special[kind]() if kind in special else result), _MOST)


def _bytes(kind: str, operation: Any) -> int:
    if kind in _FREE:
        return 0
    read = [_size(operand.type) for operand in operation.operands]
    written = sum(_size(result.type) for result in operation.results)
    # These touch only a part of their operands, and the compiler updates in place.
    if kind in ("dynamic_slice", "slice", "gather"):
        return 2 * written
    if kind == "dynamic_update_slice":
        return 2 * read[1]
    if kind == "scatter":
        return 2 * read[-1] + read[len(read) // 2]
    return min(sum(read) + written, _MOST)


def _contracted(operation: Any) -> int:
    """How many products are added for each element of a `dot_general`."""
    numbers = stablehlo.DotDimensionNumbers(operation.attributes["dot_dimension_numbers"])
    shape = operation.operands[0].type.shape
    return max(1, int(math.prod(shape[axis] for axis in numbers.lhs_contracting_dimensions)))


def _output_features(operation: Any) -> int:
    numbers = stablehlo.ConvDimensionNumbers(operation.attributes["dimension_numbers"])
    return int(operation.operands[1].type.shape[numbers.kernel_output_feature_dimension])


def _window(operation: Any) -> int:
    return math.prod(ir.DenseI64ArrayAttr(operation.attributes["window_dimensions"]))


def _sorted(operation: Any) -> int:
    axis = ir.IntegerAttr(operation.attributes["dimension"]).value
    return int(operation.operands[0].type.shape[axis])


def _last_axis(kind: Any) -> int:
    return int(kind.shape[-1]) if kind.shape else 1


def _elements(kind: Any) -> int:
    return math.prod(kind.shape) if isinstance(kind, ir.RankedTensorType) else 0


def _size(kind: Any) -> int:
    element: Any = getattr(kind, "element_type", None)
    parts = 1
    if isinstance(element, ir.ComplexType):
        parts, element = 2, element.element_type
    return _elements(kind) * parts * max(1, getattr(element, "width", 8) // 8)
